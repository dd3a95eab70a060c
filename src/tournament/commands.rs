//! What an engine understands.

use std::collections::HashSet;

use privy_protocol::Reply;

use super::conversation::{Conversation, Trouble};
use super::dialect::Dialect;
use super::fault::{Fault, FaultKind};

/// The commands that the referee may have a use for.
const USEFUL: [&str; 12] = [
    "variant",
    "position",
    "go",
    "clear_board",
    "play",
    "genmove",
    "status",
    "set_option",
    "list_options",
    "time_settings",
    "time_left",
    "kata-time_settings",
];

/// The commands that an engine has.
#[derive(Debug, Clone, Default)]
pub(super) struct Commands(HashSet<String>);

impl Commands {
    /// Finds them out: by `list_commands`, else by `known_command`, else by trying.
    pub(super) fn of(engine: &mut Conversation) -> Result<Commands, Trouble> {
        let list = engine.ask("list_commands")?;
        if list.is_success() && !list.text().is_empty() {
            return Ok(Commands(list.lines().map(|line| line.trim().to_owned()).collect()));
        }
        let known = Commands::known(engine)?;
        if known.0.is_empty() { Commands::tried(engine) } else { Ok(known) }
    }

    fn known(engine: &mut Conversation) -> Result<Commands, Trouble> {
        for name in USEFUL {
            engine.send(format_args!("known_command {name}"))?;
        }
        let mut known = HashSet::new();
        for name in USEFUL {
            let reply = engine.receive()?;
            if reply.is_success() && reply.text() == "true" {
                known.insert(name.to_owned());
            }
        }
        Ok(Commands(known))
    }

    /// Those that change no more than the board; `go` and `genmove` must be there, since they are all that is left.
    fn tried(engine: &mut Conversation) -> Result<Commands, Trouble> {
        let mut found: Vec<&str> = Vec::new();
        let mut try_it = |command: &str, names: &[&'static str], success: fn(&Reply) -> bool| {
            let reply = engine.ask(command)?;
            if success(&reply) {
                found.extend(names);
            }
            Ok::<(), Trouble>(())
        };
        try_it("variant", &["variant"], |reply| reply.is_success())?;
        try_it("position startpos", &["position", "go"], Reply::is_success)?;
        try_it("clear_board", &["clear_board", "play", "genmove"], Reply::is_success)?;
        try_it("status", &["status"], |reply| reply.is_success() && !reply.text().is_empty())?;
        Ok(Commands(found.into_iter().map(str::to_owned).collect()))
    }

    /// Whether there is a certain one.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// How the engine is to be driven.
    ///
    /// # Errors
    /// When it lacks what both ways need.
    pub(super) fn dialect(&self) -> Result<Dialect, Fault> {
        match () {
            () if self.has("position") && self.has("go") => Ok(Dialect::Position),
            () if self.has("play") && self.has("genmove") => Ok(Dialect::GenMove),
            () => Err(Fault::new(FaultKind::Refuses, "it has neither position and go nor play and genmove")),
        }
    }
}
