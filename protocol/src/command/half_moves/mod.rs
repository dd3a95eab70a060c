//! The commands of the half-move form: those that it shares with the form of whole moves, and its own.

mod analysis;
mod playing;
mod rules;

use super::{Command, whole_moves};

/// Commands that mean the same in both forms.
pub(super) const SHARED: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "help",
    "echo",
    "gogui-interrupt",
    "quit",
    "boardsize",
    "komi",
    "clear_board",
    "list_variants",
    "variant",
    "show_variant",
    "position",
    "fen",
    "showboard",
    "geometry",
    "legal_moves",
    "status",
    "final_score",
    "stop",
    "analyze",
    "lz-analyze",
    "kata-analyze",
    "probe",
    "table",
    "explain",
    "kata-list_time_settings",
    "list_options",
    "get_option",
    "set_option",
];

/// Commands that only this form has, or that mean something else here.
pub(super) const GROUPS: &[&[Command]] = &[playing::COMMANDS, rules::COMMANDS, analysis::COMMANDS];

pub(super) fn find(name: &str) -> Option<&'static Command> {
    let own = GROUPS.iter().copied().flatten().find(|command| command.name == name);
    own.or_else(|| whole_moves::find(name).filter(|command| SHARED.contains(&command.name)))
}
