//! The commands, each declared once: name, arguments, parser, help, failure.
//!
//! | file | what it declares |
//! |---|---|
//! | `shared` | the commands that both loops have |
//! | `whole_moves` | the loop with whole moves: [`Request`] |
//! | `half_moves` | the half-move loop: [`HalfMoveRequest`] |
//!
//! This file finds, lists and parses them. `help`, `list_commands`, `known_command`, the parsing of requests and the command
//! chapter of PROTOCOL.md follow from the declarations.

mod declaration;
mod half_moves;
mod shared;
mod whole_moves;

pub use declaration::Command;
pub use half_moves::{HalfMoveRequest, SidedPoint};
pub use shared::{Setup, SharedRequest, VariantSource};
pub use whole_moves::Request;

use crate::error::{ErrorCode, ProtocolError, Rejection};
use crate::grammar::Line;
use declaration::{Entry, parse};

/// The commands that a loop has, by the form in which it takes moves.
///
/// ```
/// use privy_protocol::CommandSet;
///
/// assert!(CommandSet::WholeMoves.find("go").is_some());
/// assert!(CommandSet::HalfMoves.find("go").is_none());
/// assert_eq!(CommandSet::HalfMoves.find("play").unwrap().synopsis(), "play SIDE POINT");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CommandSet {
    /// A move is one command: `play general c3-b2`.
    #[default]
    WholeMoves,
    /// A move is entered point by point, as clients of other games can: `play w c3`, then `play w b2`.
    HalfMoves,
}

fn commands<R>(entries: &'static [Entry<R>]) -> impl Iterator<Item = Command> {
    entries.iter().flat_map(Entry::commands)
}

impl CommandSet {
    /// The commands that all loops have.
    pub fn shared() -> impl Iterator<Item = Command> {
        commands(shared::ENTRIES)
    }

    /// The commands that only this loop has, or that have a meaning of their own in it.
    pub fn own(self) -> Vec<Command> {
        match self {
            Self::WholeMoves => commands(whole_moves::ENTRIES).collect(),
            Self::HalfMoves => commands(half_moves::ENTRIES).collect(),
        }
    }

    /// All commands, in the order in which `list_commands` and `help` give them. No name comes twice.
    pub fn commands(self) -> Vec<Command> {
        let own = self.own();
        let behind = |shared: Command| own.iter().copied().filter(move |own| own.after == shared.name);
        Self::shared().flat_map(|shared| std::iter::once(shared).chain(behind(shared))).collect()
    }

    /// The command with this name. Case matters.
    pub fn find(self, name: &str) -> Option<Command> {
        self.commands().into_iter().find(|command| command.name == name)
    }

    /// The description that `help` gives without a name: a line for each command. Long arguments are left out there.
    pub fn overview(self) -> String {
        const WIDTH: usize = 31;
        let line = |command: Command| {
            let synopsis = Some(command.synopsis()).filter(|synopsis| synopsis.len() <= WIDTH);
            let synopsis = synopsis.unwrap_or_else(|| format!("{} ...", command.name));
            format!("{synopsis:WIDTH$}  {}", command.summary)
        };
        self.commands().into_iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// The lines that end the work of a request early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// None: it is answered at once.
    Never,
    /// `stop` and `# interrupt`. `quit` and the end of the input wait for the end of the work.
    Stop,
    /// `stop` and `# interrupt`, `quit` and the end of the input, since the work has no end of its own.
    StopOrEnd,
    /// Any line, and the end of the input.
    AnyLine,
}

/// The requests of a loop.
pub trait Requests: Sized {
    /// Reads a request from the name of a command and its arguments.
    ///
    /// # Errors
    /// `unknown command`; `syntax error`, `value out of range` or `unacceptable size` for a wrong argument.
    fn parse(name: &str, arguments: &str) -> Result<Self, ProtocolError>;

    /// Reads a line: its id and its request.
    ///
    /// # Errors
    /// A bad id, no command, an unknown command, or a wrong argument.
    fn read(line: &str) -> Result<(Option<u32>, Self), Rejection> {
        let Line { id, command, arguments } = Line::parse(line)?;
        let request = Self::parse(command, arguments).map_err(|error| Rejection { id, error })?;
        Ok((id, request))
    }

    /// The request, if both loops know it.
    fn shared(&self) -> Option<&SharedRequest>;

    /// The lines that end its work early.
    fn interruption(&self) -> Interruption;
}

fn parse_shared<R>(wrap: fn(SharedRequest) -> R, name: &str, arguments: &str) -> Result<R, ProtocolError> {
    let shared = parse(shared::ENTRIES, name, arguments);
    shared.unwrap_or(Err(ProtocolError::bare(ErrorCode::UnknownCommand))).map(wrap)
}

impl Requests for Request {
    fn parse(name: &str, arguments: &str) -> Result<Self, ProtocolError> {
        let own = parse(whole_moves::ENTRIES, name, arguments);
        own.unwrap_or_else(|| parse_shared(Self::Shared, name, arguments))
    }

    fn shared(&self) -> Option<&SharedRequest> {
        if let Self::Shared(shared) = self { Some(shared) } else { None }
    }

    fn interruption(&self) -> Interruption {
        match self {
            Self::Go(limits) if limits.is_unlimited() => Interruption::StopOrEnd,
            Self::Perft(plies) | Self::Divide(plies) if *plies > Self::COUNTABLE_PLIES => Interruption::StopOrEnd,
            Self::Perft(_) | Self::Divide(_) | Self::Bench | Self::Shared(SharedRequest::Explain) => Interruption::Stop,
            Self::Go(_) | Self::GenMove(_) | Self::RegGenMove(_) | Self::GenMoveAnalyze(_) => Interruption::Stop,
            Self::Analyze(_) => Interruption::AnyLine,
            _ => Interruption::Never,
        }
    }
}

impl Requests for HalfMoveRequest {
    fn parse(name: &str, arguments: &str) -> Result<Self, ProtocolError> {
        let own = parse(half_moves::ENTRIES, name, arguments);
        own.unwrap_or_else(|| parse_shared(Self::Shared, name, arguments))
    }

    fn shared(&self) -> Option<&SharedRequest> {
        if let Self::Shared(shared) = self { Some(shared) } else { None }
    }

    fn interruption(&self) -> Interruption {
        match self {
            Self::GenMove(_) | Self::RegGenMove(_) | Self::GenMoveAnalyze(_) => Interruption::Stop,
            Self::MoveValues | Self::BestLine | Self::Threats | Self::Think => Interruption::Stop,
            Self::Shared(SharedRequest::Explain) => Interruption::Stop,
            Self::Analyze(_) => Interruption::AnyLine,
            _ => Interruption::Never,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETS: [CommandSet; 2] = [CommandSet::WholeMoves, CommandSet::HalfMoves];

    #[test]
    fn names_are_unique_words() {
        for set in SETS {
            let names: Vec<_> = set.commands().iter().map(|command| command.name).collect();
            assert_eq!(names.len(), CommandSet::shared().count() + set.own().len(), "behind a command that there is");
            for (index, name) in names.iter().enumerate() {
                assert!(!name.is_empty() && !name.contains([' ', '#']), "{name:?}");
                assert!(!name.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
                assert!(!names[..index].contains(name), "{name} comes twice");
            }
        }
    }

    #[test]
    fn find_agrees_with_the_listed_names() {
        let names: Vec<_> = SETS.iter().flat_map(|set| set.commands()).map(|command| command.name).collect();
        for set in SETS {
            for name in &names {
                let listed = set.commands().into_iter().find(|command| command.name == *name);
                let found = set.find(name);
                assert_eq!(found, listed, "{name}");
            }
        }
    }

    #[test]
    fn descriptions_fit_into_answers() {
        for command in SETS.iter().flat_map(|set| set.commands()) {
            assert!(!command.summary.ends_with('.'), "{}", command.name);
            assert!(!command.summary.is_empty() && !command.answer.is_empty());
            assert!(command.answer.ends_with('.'), "{}", command.name);
            assert!(command.failure().ends_with('.'));
            assert!(command.help().lines().all(|line| !line.trim().is_empty()));
        }
        for set in SETS {
            assert_eq!(set.overview().lines().count(), set.commands().len());
        }
    }

    #[test]
    fn unknown_commands() {
        for name in ["Name", "pass", "analyse", ""] {
            assert_eq!(Request::parse(name, "x").unwrap_err().to_string(), "unknown command");
            assert_eq!(HalfMoveRequest::parse(name, "x").unwrap_err().to_string(), "unknown command");
        }
    }
}
