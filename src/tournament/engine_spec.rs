//! How to start an engine and what to tell it: the value of `--engine` on the command line.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::message::is_unsafe;

use super::clock::{ClockControl, MoveLimits};

/// How an engine is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// `variant`, then for every move `position … moves …` and `go …`: the engine need not keep a game.
    Position,
    /// `clear_board`, then `play` for the other side's moves and `genmove` for its own.
    GenMove,
}

/// An engine as a user describes it: `KEY=VALUE`, with commas in between.
///
/// A value with a comma or a quotation mark in it stands in quotation marks, `"` or `'`; within them a backslash takes the
/// meaning from the mark behind it.
///
/// ```
/// use privy::tournament::EngineSpec;
///
/// let spec: EngineSpec = "cmd='python3 engine.py --name \"x, y\"',name=snake,option.hash=64".parse()?;
/// assert_eq!(spec.command, ["python3", "engine.py", "--name", "x, y"]);
/// assert_eq!((spec.name.as_deref(), spec.options.len()), (Some("snake"), 1));
/// # Ok::<(), privy::tournament::BadEngineSpec>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// `cmd`, then `args`: the program and its arguments, as a shell would cut them.
    #[serde(default)]
    pub command: Vec<String>,
    /// `name`: what tables and records call it.
    #[serde(default)]
    pub name: Option<String>,
    /// `dir`: the folder to work in; that of the referee without it. A relative path of the program begins there.
    #[serde(default)]
    pub folder: Option<PathBuf>,
    /// `option.NAME`: options that are set before the first game, in order.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// `proto`: how it is driven; found out by asking it without.
    #[serde(default)]
    pub dialect: Option<Dialect>,
    /// `restart`: whether every game has a process of its own; without it that depends on the time control.
    #[serde(default)]
    pub restart: Option<bool>,
    /// `tc`, `time`, `nodes`, `depth`: its own limits, instead of those of the match.
    #[serde(default)]
    pub time_control: MoveLimits,
}

/// Why a text describes no engine: the key, what fits, what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("engine: {0}")]
pub struct BadEngineSpec(String);

/// The error of a quotation mark without its fellow.
fn open_mark(text: &str) -> BadEngineSpec {
    BadEngineSpec(format!("a quotation mark is not closed in {text}"))
}

impl FromStr for EngineSpec {
    type Err = BadEngineSpec;

    fn from_str(text: &str) -> Result<EngineSpec, BadEngineSpec> {
        let mut spec = EngineSpec::default();
        let mut seen: Vec<&str> = Vec::new();
        let mut left = text;
        while !left.trim().is_empty() {
            let Some((key, rest)) = left.split_once('=').filter(|(key, _)| !key.contains([',', '"', '\''])) else {
                return Err(BadEngineSpec(format!("expected KEY=VALUE, found \"{left}\"")));
            };
            let key = key.trim();
            let (value, rest) = value(rest).ok_or_else(|| open_mark(left))?;
            if seen.contains(&key) {
                return Err(BadEngineSpec(format!("{key} is given twice")));
            }
            seen.push(key);
            spec.set(key, &value)?;
            left = rest;
        }
        Ok(spec)
    }
}

impl EngineSpec {
    fn set(&mut self, key: &str, value: &str) -> Result<(), BadEngineSpec> {
        let wrong = |expected| BadEngineSpec(format!("{key}: expected {expected}, found \"{value}\""));
        match key {
            "cmd" | "args" => {
                let words = command_words(value).ok_or_else(|| open_mark(value))?;
                if key == "cmd" && words.is_empty() {
                    return Err(wrong("a program"));
                }
                // The program stands before its arguments, in whatever order they are given.
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
                let clock = value.parse::<ClockControl>();
                self.time_control.clock = Some(clock.map_err(|error| BadEngineSpec(error.to_string()))?);
            }
            "time" => self.time_control.time_ms = Some(number(value).ok_or_else(|| wrong("milliseconds from 1"))?),
            "nodes" => self.time_control.nodes = Some(number(value).ok_or_else(|| wrong("a number from 1"))?),
            "depth" => self.time_control.depth = Some(number(value).ok_or_else(|| wrong("plies from 1"))?),
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => self.options.push((name.to_owned(), value.to_owned())),
                _ => {
                    const KEYS: &str = "cmd, args, name, dir, option.NAME, proto, restart, tc, time, nodes or depth";
                    return Err(BadEngineSpec(format!("unknown key \"{key}\": expected {KEYS}")));
                }
            },
        }
        Ok(())
    }

    /// Fills in what is not given from the defaults of all engines.
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
        let of_all = defaults.options.iter().filter(|(name, _)| own.iter().all(|(known, _)| known != name));
        self.options = of_all.cloned().collect();
        self.options.extend(own);
        self
    }

    /// The process to start; its streams are the caller's to arrange.
    pub fn process(&self) -> Command {
        let mut words = self.command.iter();
        let mut process = Command::new(words.next().map_or("", String::as_str));
        process.args(words);
        if let Some(folder) = &self.folder {
            process.current_dir(folder);
        }
        process
    }

    /// Can its name be shown as it is?
    pub(crate) fn has_showable_name(&self) -> bool {
        is_showable(self.title())
    }

    /// What it is called: its name, else that of its program.
    pub fn title(&self) -> &str {
        let program = || self.command.first().map_or("engine", String::as_str);
        self.name
            .as_deref()
            .unwrap_or_else(|| Path::new(program()).file_name().and_then(|name| name.to_str()).unwrap_or_else(program))
    }
}

/// Checks that all engines have a program, and gives those without a name different ones.
///
/// # Errors
/// When an engine has no program, or two have one name.
pub fn name_engines(engines: &mut [EngineSpec]) -> Result<(), BadEngineSpec> {
    let mut taken: Vec<String> = Vec::new();
    for engine in engines.iter().filter(|engine| engine.name.is_some()) {
        if taken.iter().any(|name| name == engine.title()) {
            let name = engine.title();
            return Err(BadEngineSpec(format!("two engines are named \"{name}\"; name=… tells them apart")));
        }
        taken.push(engine.title().to_owned());
    }
    for engine in engines {
        if engine.command.is_empty() {
            return Err(BadEngineSpec(format!("expected cmd=PROGRAM in \"{}\"", engine.title())));
        }
        if engine.name.is_none() {
            let title = engine.title().to_owned();
            let mut name = title.clone();
            let mut number = 1;
            while taken.contains(&name) {
                number += 1;
                name = format!("{title} {number}");
            }
            taken.push(name.clone());
            engine.name = Some(name);
        }
    }
    Ok(())
}

/// Is a text fit to be shown as it is?
fn is_showable(text: &str) -> bool {
    !text.contains(is_unsafe) && text.len() <= 200
}

/// A whole number from 1.
fn number<N: FromStr + PartialOrd + From<u8>>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number| *number >= N::from(1))
}

/// The value that a text begins with, without its quotation marks, and what stands behind its comma. None when a
/// quotation mark is not closed.
fn value(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut open = None;
    let mut letters = text.char_indices();
    while let Some((place, letter)) = letters.next() {
        match (open, letter) {
            (None, ',') => return Some((value, text.get(place + 1..).unwrap_or_default())),
            // A mark within a value is for the words of a command.
            (None, '"' | '\'') if place == 0 => open = Some(letter),
            (Some(mark), _) if letter == mark => {
                let rest = letters.as_str().trim_start();
                return match rest.strip_prefix(',') {
                    Some(rest) => Some((value, rest)),
                    None if rest.is_empty() => Some((value, rest)),
                    None => None,
                };
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

/// Cuts a command line into words: at spaces, unless they stand in quotation marks. None when a mark is not closed.
pub(crate) fn command_words(text: &str) -> Option<Vec<String>> {
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

#[cfg(test)]
mod tests;
