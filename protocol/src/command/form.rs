//! The two forms in which a loop takes moves, each with its own commands.

use super::{Command, half_moves, whole_moves};
use crate::error::{ErrorPhrase, ProtocolError, Rejection};
use crate::grammar::Line;
use crate::request::{NumberedRequest, Request};

/// The form in which a loop takes moves, and with it the commands that the loop has.
///
/// ```
/// use privy_protocol::Form;
///
/// assert!(Form::WholeMoves.find("go").is_some());
/// assert!(Form::HalfMoves.find("go").is_none());
/// assert_eq!(Form::HalfMoves.find("play").unwrap().synopsis(), "play SIDE POINT");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Form {
    /// A move is one command: `play general c3-b2`.
    #[default]
    WholeMoves,
    /// A move is entered point by point, as clients of other games can: `play w c3`, then `play w b2`.
    HalfMoves,
}

impl Form {
    /// All commands, in the order in which `list_commands` and `help` give them: shared ones, then own ones. No name comes
    /// twice.
    pub fn commands(self) -> impl Iterator<Item = &'static Command> {
        self.shared_commands().chain(self.own_commands())
    }

    /// The commands that mean the same in the form with whole moves, where this is another form.
    pub fn shared_commands(self) -> impl Iterator<Item = &'static Command> {
        let names = match self {
            Self::WholeMoves => &[],
            Self::HalfMoves => half_moves::SHARED,
        };
        names.iter().filter_map(|name| whole_moves::find(name))
    }

    /// The commands that this form alone has, or that mean something of their own in it.
    pub fn own_commands(self) -> impl Iterator<Item = &'static Command> {
        let groups = match self {
            Self::WholeMoves => whole_moves::GROUPS,
            Self::HalfMoves => half_moves::GROUPS,
        };
        groups.iter().copied().flatten()
    }

    /// The command with this name. Case matters.
    #[must_use]
    pub fn find(self, name: &str) -> Option<&'static Command> {
        match self {
            Self::WholeMoves => whole_moves::find(name),
            Self::HalfMoves => half_moves::find(name),
        }
    }

    /// The description that `help` gives without a name: a line for each command. Long arguments are left out there.
    #[must_use]
    pub fn overview(self) -> String {
        const WIDTH: usize = 31;
        let lines = self.commands().map(|command| {
            let synopsis = Some(command.synopsis()).filter(|synopsis| synopsis.len() <= WIDTH);
            let synopsis = synopsis.unwrap_or_else(|| format!("{} ...", command.name));
            format!("{synopsis:WIDTH$}  {}", command.summary)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Reads a request from the name of a command and its arguments.
    ///
    /// # Errors
    /// As [`Request::parse`].
    pub fn request(self, name: &str, arguments: &str) -> Result<Request, ProtocolError> {
        self.find(name).ok_or(ProtocolError::bare(ErrorPhrase::UnknownCommand))?.request(arguments)
    }

    /// Reads the request of a line that has been cut into its parts.
    ///
    /// # Errors
    /// As [`Request::parse`], with the id of the line.
    pub fn numbered_request(self, line: Line<'_>) -> Result<NumberedRequest, Rejection> {
        let id = line.id;
        match self.request(line.command, line.arguments) {
            Ok(request) => Ok(NumberedRequest { id, request }),
            Err(error) => Err(Rejection { id, error }),
        }
    }
}
