//! How to start and configure an engine, and its time: the values of `--engine` and `--tc` on the command line.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;
use std::time::Duration;

use privy_protocol::clock::{from_seconds, seconds};
use privy_protocol::{Clock, Limits};
use serde::{Deserialize, Serialize};

use privy_base::message::{is_unsafe, sanitized};

use super::fault::BadSetting;

/// The longest time that a user can set for a move, a margin or a silence: a day, in milliseconds.
pub const LONGEST_WAIT_MS: u64 = 86_400_000;
/// The most nodes and the most plies of depth that a user can set for a move.
pub const MOST_NODES: u64 = 1_000_000_000_000;
/// The greatest limit of depth, in plies.
pub const MOST_DEPTH: u32 = 1000;
/// The most engines of a match.
pub(crate) const MOST_ENGINES: usize = 1_000;

/// How an engine is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Dialect {
    /// `variant`, then for every move `position … moves …` and `go …`: the engine need not keep a game.
    Position,
    /// `clear_board`, then `play` for the other side's moves and `genmove` for its own.
    GenMove,
}

/// An engine as a user describes it: `KEY=VALUE` pairs separated by commas.
///
/// A value with a comma or a quotation mark stands in quotation marks, `"` or `'`, where a backslash escapes that mark.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// `cmd`, then `args`: the program and its arguments, split as by a shell.
    #[serde(default)]
    pub command: Vec<String>,
    /// The name in reports.
    #[serde(default)]
    pub name: Option<String>,
    /// `dir`: the working folder, by default that of the referee. A relative path of the program begins there.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// `option.NAME`: options to set before the first game, in this order.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// `proto`: how it is driven, by default as its commands allow.
    #[serde(default)]
    pub(crate) dialect: Option<Dialect>,
    /// `restart`: each game has a new process; by default as the time control requires.
    #[serde(default)]
    pub restart: Option<bool>,
    /// `tc`, `time`, `nodes`, `depth`: its own limits, instead of those of the match.
    #[serde(default)]
    pub time_control: Limits,
}

fn bad(what: impl Display) -> BadSetting {
    BadSetting(format!("engine: {what}"))
}

fn unclosed_quote(text: &str) -> BadSetting {
    bad(format_args!("a quotation mark is not closed in {text}"))
}

impl FromStr for EngineSpec {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<EngineSpec, BadSetting> {
        let mut spec = EngineSpec::default();
        let mut seen: Vec<&str> = Vec::new();
        let mut left = text;
        while !left.trim().is_empty() {
            let Some((key, rest)) = left.split_once('=').filter(|(key, _)| !key.contains([',', '"', '\''])) else {
                return Err(bad(format_args!("expected KEY=VALUE, found \"{left}\"")));
            };
            let key = key.trim();
            let (value, rest) = value(rest).ok_or_else(|| unclosed_quote(left))?;
            if seen.contains(&key) {
                return Err(bad(format_args!("{key} is given twice")));
            }
            seen.push(key);
            spec.set(key, &value)?;
            left = rest;
        }
        Ok(spec)
    }
}

impl EngineSpec {
    fn set(&mut self, key: &str, value: &str) -> Result<(), BadSetting> {
        let wrong = |expected| bad(format_args!("{key}: expected {expected}, found \"{value}\""));
        match key {
            "cmd" | "args" => {
                let words = command_words(value).ok_or_else(|| unclosed_quote(value))?;
                if key == "cmd" && words.is_empty() {
                    return Err(wrong("a program"));
                }
                // The keys may come in any order.
                let place = if key == "cmd" { 0 } else { self.command.len() };
                self.command.splice(place..place, words);
            }
            "name" if value.is_empty() || !is_showable(value) => return Err(wrong("a name")),
            "name" => self.name = Some(value.to_owned()),
            "dir" => self.folder = Some(PathBuf::from(value)),
            "proto" => {
                self.dialect = Some(match value {
                    "position" => Dialect::Position,
                    "genmove" => Dialect::GenMove,
                    _ => return Err(wrong("position or genmove")),
                });
            }
            "restart" => {
                self.restart = match value {
                    "on" => Some(true),
                    "off" => Some(false),
                    "auto" => None,
                    _ => return Err(wrong("on, off or auto")),
                }
            }
            "tc" => {
                let clock = read_clock(value);
                self.time_control.clock = Some(clock.map_err(bad)?);
            }
            "time" => {
                let time = number(key, value, "milliseconds", LONGEST_WAIT_MS)?;
                self.time_control.time = Some(Duration::from_millis(time));
            }
            "nodes" => self.time_control.nodes = Some(number(key, value, "a number", MOST_NODES)?),
            "depth" => self.time_control.depth = Some(number(key, value, "plies", MOST_DEPTH)?),
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => self.options.push((name.to_owned(), value.to_owned())),
                _ => {
                    const KEYS: &str = "cmd, args, name, dir, option.NAME, proto, restart, tc, time, nodes or depth";
                    return Err(bad(format_args!("unknown key \"{key}\": expected {KEYS}")));
                }
            },
        }
        Ok(())
    }

    /// Takes missing settings from the defaults of all engines.
    pub fn or(mut self, defaults: &EngineSpec) -> EngineSpec {
        if self.command.is_empty() {
            self.command.clone_from(&defaults.command);
        }
        self.name = self.name.or_else(|| defaults.name.clone());
        self.folder = self.folder.or_else(|| defaults.folder.clone());
        self.dialect = self.dialect.or(defaults.dialect);
        self.restart = self.restart.or(defaults.restart);
        self.time_control = self.time_control.or(defaults.time_control);
        let own = std::mem::take(&mut self.options);
        let others = defaults.options.iter().filter(|(name, _)| own.iter().all(|(known, _)| known != name));
        self.options = others.cloned().collect();
        self.options.extend(own);
        self
    }

    pub(crate) fn process(&self) -> Command {
        let mut words = self.command.iter();
        let mut process = Command::new(words.next().map_or("", String::as_str));
        process.args(words);
        if let Some(folder) = &self.folder {
            process.current_dir(folder);
        }
        process
    }

    /// Its name, or the file name of its program.
    pub fn title(&self) -> &str {
        let program = self.command.first().map_or("engine", String::as_str);
        let file_name = || Path::new(program).file_name().and_then(|name| name.to_str()).unwrap_or(program);
        self.name.as_deref().unwrap_or_else(file_name)
    }
}

/// Checks that all engines have a program and no two have one name, and gives unique names to those without one.
pub fn name_engines(engines: &mut [EngineSpec]) -> Result<(), BadSetting> {
    /// Characters of a default name that cannot be shown as it is.
    const LONGEST_DEFAULT: usize = 40;
    if engines.len() > MOST_ENGINES {
        return Err(bad(format_args!("expected at most {MOST_ENGINES} engines, found {}", engines.len())));
    }
    let mut taken: Vec<String> = Vec::new();
    for name in engines.iter().filter_map(|engine| engine.name.clone()) {
        if taken.contains(&name) {
            return Err(bad(format_args!("two engines are named \"{name}\"; set name=… to distinguish them")));
        }
        taken.push(name);
    }
    for engine in engines {
        let title = match engine.title() {
            title if is_showable(title) => title.to_owned(),
            title => sanitized(title, LONGEST_DEFAULT),
        };
        if engine.command.is_empty() {
            return Err(bad(format_args!("expected cmd=PROGRAM in \"{title}\"")));
        }
        if engine.name.is_none() {
            let numbered = (2..).map(|number| format!("{title} {number}"));
            engine.name = [title.clone()].into_iter().chain(numbered).find(|name| !taken.contains(name));
            taken.extend(engine.name.clone());
        }
    }
    Ok(())
}

/// True if a name can be shown without escapes.
pub(super) fn is_showable(text: &str) -> bool {
    const LONGEST_NAME: usize = 200;
    !text.contains(is_unsafe) && text.len() <= LONGEST_NAME
}

/// The value of a key that is a number from 1 to `most`.
fn number<N>(key: &str, text: &str, unit: &str, most: N) -> Result<N, BadSetting>
where
    N: FromStr + PartialOrd + From<u8> + Display,
{
    let number = text.parse().ok().filter(|number| *number >= N::from(1) && *number <= most);
    number.ok_or_else(|| bad(format_args!("{key}: expected {unit} from 1 to {most}, found \"{text}\"")))
}

/// The first value of a text without its quotation marks, and the rest after its comma. Returns `None` if a quotation
/// mark is not closed.
fn value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut open = None;
    let mut letters = text.char_indices();
    while let Some((place, letter)) = letters.next() {
        match (open, letter) {
            (None, ',') => return Some((value, text.get(place + 1..).unwrap_or_default())),
            // A mark within a value belongs to the words of a command.
            (None, '"' | '\'') if place == 0 => open = Some(letter),
            (Some(mark), _) if letter == mark => {
                let rest = letters.as_str().trim_start();
                let rest = if rest.is_empty() { Some(rest) } else { rest.strip_prefix(',') };
                return rest.map(|rest| (value, rest));
            }
            (Some(mark), '\\') if letters.as_str().starts_with(mark) => {
                letters.next();
                value.push(mark);
            }
            _ => value.push(letter),
        }
    }
    open.is_none().then_some((value, ""))
}

/// Splits a command line into words at spaces outside quotation marks. `None` for a mark that is not closed.
fn command_words(text: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut open = None;
    for letter in text.chars() {
        match open {
            Some(mark) if letter == mark => open = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                word.get_or_insert_default();
                open = Some(letter);
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    open.is_none().then_some(words)
}

/// The longest readable time: a thousand hours.
const LONGEST: Duration = Duration::from_secs(3_600_000);

/// Reads the clock at the start of a game, `[MOVES/]TIME[+INCREMENT]`, times in seconds or `MINUTES:SECONDS`. After the
/// moves the time is given again.
pub fn read_clock(text: &str) -> Result<Clock, BadSetting> {
    let read = || {
        let (moves, times) = match text.split_once('/') {
            Some((moves, times)) => (Some(moves.parse().ok().filter(|moves| *moves > 0)?), times),
            None => (None, text),
        };
        let (time, increment) = times.split_once('+').unwrap_or((times, "0"));
        let clock = Clock { moves, remaining: read_time(time)?, increment: read_time(increment)? };
        (!clock.remaining.is_zero()).then_some(clock)
    };
    read().ok_or_else(|| {
        let expected = "expected [MOVES/]SECONDS[+SECONDS], such as 60+0.5, 40/300 or 1:30";
        BadSetting(format!("time control \"{text}\": {expected}"))
    })
}

fn read_time(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = seconds.parse().ok().filter(|_| plain(seconds))?;
    let minutes: u32 = minutes.parse().ok().filter(|_| plain(minutes))?;
    from_seconds(f64::from(minutes) * 60.0 + seconds).filter(|time| *time <= LONGEST)
}

/// Returns the limits at the start of a game in the form of records: `60+0.5`, `time 10`, `nodes 1000 depth 5`.
pub(crate) fn control_text(limits: &Limits) -> String {
    let clock = limits.clock.map(|Clock { moves, remaining, increment }| {
        let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let increment = if increment.is_zero() { String::new() } else { format!("+{}", seconds(increment)) };
        format!("{moves}{}{increment}", seconds(remaining))
    });
    let named = [
        clock,
        limits.time.map(|time| format!("time {}", time.as_millis())),
        limits.nodes.map(|nodes| format!("nodes {nodes}")),
        limits.depth.map(|depth| format!("depth {depth}")),
    ];
    named.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
pub(crate) mod tests;
