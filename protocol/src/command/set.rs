//! The commands of a loop as a whole: finding, listing and reading them.

use super::declaration::{Command, Entry, parse};
use super::half_moves::{self, HalfMoveRequest};
use super::shared::{self, SharedRequest};
use super::whole_moves::{self, Request};
use crate::error::{ErrorCode, ProtocolError, Rejection};
use crate::framing::RawLine;

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

fn commands<R>(entries: &'static [Entry<R>]) -> impl Iterator<Item = &'static Command> {
    entries.iter().map(|entry| &entry.command)
}

impl CommandSet {
    /// The commands that all loops have.
    pub fn shared() -> impl Iterator<Item = &'static Command> {
        commands(shared::ENTRIES)
    }

    /// The commands that this loop alone has, or that mean something of their own in it.
    pub fn own(self) -> Vec<&'static Command> {
        match self {
            Self::WholeMoves => commands(whole_moves::ENTRIES).collect(),
            Self::HalfMoves => commands(half_moves::ENTRIES).collect(),
        }
    }

    /// All commands, in the order in which `list_commands` and `help` give them. No name comes twice.
    pub fn commands(self) -> Vec<&'static Command> {
        let own = self.own();
        let behind = |shared: &'static Command| {
            let own: Vec<_> = own.iter().copied().filter(|own| own.after == shared.name).collect();
            std::iter::once(shared).chain(own)
        };
        Self::shared().flat_map(behind).collect()
    }

    /// The command with this name. Case matters.
    pub fn find(self, name: &str) -> Option<&'static Command> {
        self.own().into_iter().chain(Self::shared()).find(|command| command.name == name)
    }

    /// The description that `help` gives without a name: a line for each command. Long arguments are left out there.
    pub fn overview(self) -> String {
        const WIDTH: usize = 31;
        let line = |command: &Command| {
            let synopsis = Some(command.synopsis()).filter(|synopsis| synopsis.len() <= WIDTH);
            let synopsis = synopsis.unwrap_or_else(|| format!("{} ...", command.name));
            format!("{synopsis:WIDTH$}  {}", command.summary)
        };
        self.commands().into_iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// What ends the work that a request asks for before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// Nothing: it is answered at once.
    Never,
    /// `stop` and `# interrupt`. It ends by itself too, and `quit` and the end of the input wait for that.
    Stop,
    /// `stop` and `# interrupt`, and also `quit` and the end of the input, since it would go on for ever.
    StopOrEnd,
    /// Any line, and the end of the input.
    AnyLine,
}

/// The requests of a loop.
pub trait Requests: Sized {
    /// The commands that make them.
    const COMMANDS: CommandSet;

    /// Reads a request from the name of a command and its arguments.
    ///
    /// # Errors
    /// `unknown command`; `syntax error` or `value out of range` with the argument that is wrong; `unacceptable size`
    /// for a board size that no board can have.
    fn parse(name: &str, arguments: &str) -> Result<Self, ProtocolError>;

    /// The request, if it is one that all loops know.
    fn shared(&self) -> Option<&SharedRequest>;

    /// What ends its work early.
    fn interruption(&self) -> Interruption;
}

fn parse_shared<R>(wrap: fn(SharedRequest) -> R, name: &str, arguments: &str) -> Result<R, ProtocolError> {
    let shared = parse(shared::ENTRIES, name, arguments);
    shared.unwrap_or(Err(ProtocolError::bare(ErrorCode::UnknownCommand))).map(wrap)
}

impl Requests for Request {
    const COMMANDS: CommandSet = CommandSet::WholeMoves;

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
            Self::Perft(_) | Self::Divide(_) | Self::Bench => Interruption::Stop,
            Self::Go(_) | Self::GenMove(_) | Self::RegGenMove(_) | Self::GenMoveAnalyze(_) => Interruption::Stop,
            Self::Shared(SharedRequest::Explain) => Interruption::Stop,
            Self::Analyze(_) => Interruption::AnyLine,
            _ => Interruption::Never,
        }
    }
}

impl Requests for HalfMoveRequest {
    const COMMANDS: CommandSet = CommandSet::HalfMoves;

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

/// A request and the number that its answer repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedRequest<R> {
    /// The number, if the line has one.
    pub id: Option<u32>,
    /// What is asked for.
    pub request: R,
}

impl<R: Requests> NumberedRequest<R> {
    /// Reads the request that a line makes.
    ///
    /// # Errors
    /// The answer that the line deserves: a bad id, no command, `unknown command`, or what is wrong with an argument.
    pub fn read(line: &RawLine) -> Result<Self, Rejection> {
        let line = line.split()?;
        let id = line.id;
        match R::parse(line.command, line.arguments) {
            Ok(request) => Ok(Self { id, request }),
            Err(error) => Err(Rejection { id, error }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETS: [CommandSet; 2] = [CommandSet::WholeMoves, CommandSet::HalfMoves];

    #[test]
    fn names_are_words_and_come_once() {
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
    fn commands_are_found_by_the_names_that_are_listed_and_no_others() {
        let names: Vec<_> = SETS.iter().flat_map(|set| set.commands()).map(|command| command.name).collect();
        for set in SETS {
            for name in &names {
                let listed = set.commands().into_iter().find(|command| command.name == *name);
                let found = set.find(name);
                assert_eq!(found.map(Command::synopsis), listed.map(Command::synopsis), "{name}");
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
