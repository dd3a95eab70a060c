//! The commands of the form with whole moves, in groups.

use super::{Command, analysis, clock, game, knowledge, options, position, search, session};

pub(super) const GROUPS: &[&[Command]] = &[
    session::COMMANDS,
    position::COMMANDS,
    game::COMMANDS,
    search::COMMANDS,
    analysis::COMMANDS,
    knowledge::COMMANDS,
    clock::COMMANDS,
    options::COMMANDS,
];

pub(super) fn find(name: &str) -> Option<&'static Command> {
    GROUPS.iter().copied().flatten().find(|command| command.name == name)
}
