//! Matches whose engines work in their own folder, which identifies their processes.

use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::binary::{Home, PRIVY, Ran};
use super::late::PATIENCE;

/// The table of a match: the reproducible part of its result, without remarks on slow engines and times.
pub fn table(output: &str) -> &str {
    let start = output.find(": the General wins ").expect("a table begins with all games");
    let start = output[..start].rfind('\n').map_or(0, |line| line + 1);
    let openings = output.find("\nOpenings: ").expect("a table ends with the openings") + 1;
    &output[start..openings + output[openings..].find('\n').unwrap()]
}

/// A home folder with a working folder for engines.
pub struct Tournament {
    pub home: Home,
    folder: PathBuf,
}

impl Tournament {
    pub fn new() -> Tournament {
        let home = Home::new();
        let folder = home.join("engines");
        fs::create_dir_all(&folder).unwrap();
        Tournament { home, folder: folder.canonicalize().unwrap() }
    }

    /// The description of an engine that works in the folder.
    pub fn engine(&self, name: &str, command: &str) -> String {
        format!("name={name},dir=\"{}\",cmd=\"{command}\"", self.folder.display())
    }

    /// The binary as an engine.
    pub fn privy(&self, name: &str) -> String {
        self.engine(name, &format!("'{PRIVY}' --tables off"))
    }

    /// The command of a match.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.home.privy();
        command.args(["match", "--tables", "off"]).args(arguments).stdin(Stdio::null());
        command
    }

    /// Plays a match to its end. No engine may remain.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Ran {
        let ran = Ran::from(self.command(arguments).output().unwrap());
        self.assert_empty();
        ran
    }

    /// Starts a match.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The names of the files in the folder of the engines.
    pub fn files(&self) -> Vec<String> {
        let names = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect()
    }

    /// The processes that work in the folder, with their states.
    pub fn processes(&self) -> Vec<(u32, char)> {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
            let cwd = fs::read_link(entry.path().join("cwd"));
            let state = state(id);
            if cwd.is_ok_and(|cwd| cwd == self.folder) && state.is_some_and(|state| state != 'Z') {
                found.extend(state.map(|state| (id, state)));
            }
        }
        found
    }

    /// Waits until no process works in the folder. One that the killed match had just forked may enter it late and ends
    /// at once, so only an empty folder counts, not what a second look finds.
    #[track_caller]
    pub fn assert_empty(&self) {
        assert!(wait_until(|| self.processes().is_empty()), "still running: {:?}", self.processes());
    }
}

/// Sends a signal to a process that was started.
#[cfg(unix)]
pub fn send(child: &Child, signal: rustix::process::Signal) {
    let id = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(id, signal).unwrap();
}

/// The state letter of a process; `None` if there is no such process.
pub fn state(id: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit(") ").next()?.chars().next()
}

/// Waits for a condition, up to [`PATIENCE`]. True once it held; it need not hold any more when the caller looks.
#[must_use]
pub fn wait_until(holds: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if holds() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}

/// The number of games in a match file.
pub fn games_in(path: &Path) -> usize {
    fs::read_to_string(path).unwrap_or_default().matches('\n').count().saturating_sub(1)
}

/// The games of a match file, by number.
pub fn games(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let mut games: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["report"]["number"].as_u64());
    games
}

/// What engines with limits of nodes or depth repeat of a game: their names and the moves.
pub fn moves(game: &Value) -> (String, String, Vec<String>) {
    let record = &game["record"];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let moves = record["moves"].as_array().unwrap().iter().map(|move_| text(&move_["move"])).collect();
    (text(&record["general"]), text(&record["rebels"]), moves)
}

/// What such engines repeat of a match file: moves and result of each game, by number.
pub fn repeatable(path: &Path) -> impl PartialEq + Debug + use<> {
    games(path).iter().map(|game| (moves(game), game["record"]["result"].clone())).collect::<Vec<_>>()
}
