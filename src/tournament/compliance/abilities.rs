//! What an engine can do: found out once, before the first step.

use std::collections::BTreeSet;
use std::sync::Arc;

use privy_protocol::CommandSet;

use super::Examination;
use super::step::Failure;
use super::trial::Trial;
use crate::rules::Variant;

/// Harmless lines by which commands are found in an engine that does not say which it has.
const TRIED: [(&str, &str); 10] = [
    ("variant", "variant"),
    ("position", "position startpos"),
    ("clear_board", "clear_board"),
    ("play", "play"),
    ("fen", "fen"),
    ("status", "status"),
    ("legal_moves", "legal_moves"),
    ("stop", "stop"),
    ("genmove", "genmove"),
    ("undo", "undo"),
];

/// The commands of an engine, and the games that it plays.
#[derive(Debug, Clone)]
pub(super) struct Abilities {
    /// What it calls itself.
    pub(super) name: String,
    /// The variants to play with it.
    pub(super) variants: Vec<Arc<Variant>>,
    commands: BTreeSet<String>,
    /// As `list_commands` gives them; none without that command.
    pub(super) listed: Option<Vec<String>>,
}

impl Abilities {
    /// Of an engine that has not been asked.
    pub(super) fn unknown(examination: &Examination) -> Abilities {
        Abilities {
            name: examination.engine.title().to_owned(),
            variants: examination.variants_among(&[]),
            commands: BTreeSet::new(),
            listed: None,
        }
    }

    /// Asks a new process of the engine.
    pub(super) fn of(examination: &Examination) -> Result<Abilities, Failure> {
        Self::ask(&mut Trial::start(examination, &Abilities::unknown(examination))?)
    }

    /// Asks the engine.
    pub(super) fn ask(trial: &mut Trial<'_>) -> Result<Abilities, Failure> {
        let name = trial.ask("name")?;
        let list = trial.ask("list_commands")?;
        let listed: Option<Vec<String>> =
            list.is_success().then(|| list.lines().map(|line| line.trim().to_owned()).collect());
        let mut commands = match &listed {
            Some(listed) => listed.iter().cloned().collect(),
            None => found(trial)?,
        };
        if listed.is_some() {
            commands.insert("list_commands".to_owned());
        }
        let mut named = Vec::new();
        if commands.contains("list_variants") {
            named.extend(trial.ask("list_variants")?.lines().map(str::to_owned));
        }
        let examination = trial.examination();
        let mut variants = examination.variants_among(&named);
        if !commands.contains("variant") {
            // It can't be told to play another.
            variants.truncate(1);
        }
        let name = if name.is_success() { name.text() } else { examination.engine.title() };
        Ok(Abilities { name: name.to_owned(), variants, commands, listed })
    }

    /// Whether there is a certain command.
    pub(super) fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// What is missing of what a step needs: of each list at least one.
    pub(super) fn lack(&self, needs: &[&[&str]]) -> Option<String> {
        let lacking = needs.iter().find(|any| !any.iter().any(|command| self.has(command)))?;
        Some(match lacking {
            [one] => format!("the engine has no {one}"),
            several => format!("the engine has none of {}", several.join(", ")),
        })
    }
}

/// The commands of an engine without `list_commands`: by `known_command`, or by trying.
fn found(trial: &mut Trial<'_>) -> Result<BTreeSet<String>, Failure> {
    let mut commands = BTreeSet::from(["name".to_owned(), "quit".to_owned()]);
    if trial.ask("known_command name")?.text() == "true" {
        for command in CommandSet::WholeMoves.commands() {
            if trial.ask(&format!("known_command {}", command.name))?.text() == "true" {
                commands.insert(command.name.to_owned());
            }
        }
        commands.insert("known_command".to_owned());
        return Ok(commands);
    }
    for (command, line) in TRIED {
        let reply = trial.ask(line)?;
        if reply.is_success() || reply.text() != "unknown command" {
            commands.insert(command.to_owned());
        }
    }
    // A search would take its time; who can set up a position is there to search.
    if commands.contains("position") {
        commands.insert("go".to_owned());
    }
    Ok(commands)
}
