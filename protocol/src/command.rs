//! The one table of commands: `help`, `list_commands`, `known_command` and the reading of requests all use it, so
//! that a command which can be sent is also listed and described, and the other way round. A loop takes whole moves or
//! half moves; which commands it has is a matter of this [`Form`].
//!
//! A new command is one entry in the group of the table where it belongs, with the function that reads its arguments,
//! and one variant of [`Request`].
//!
//! ```
//! use privy_protocol::command;
//!
//! let undo = command::find("undo").unwrap();
//! assert_eq!(undo.synopsis(), "undo [N]");
//! assert!(command::all().any(|command| command.name == "go"));
//! assert!(command::find("Undo").is_none());
//! ```

mod analysis;
mod clock;
mod form;
mod game;
mod half_moves;
mod knowledge;
mod options;
mod position;
mod search;
mod session;
mod whole_moves;

use crate::arguments::Arguments;
use crate::error::ProtocolError;
use crate::request::Request;

pub use form::Form;

/// A command of the protocol, as its user sees it.
#[derive(Debug)]
pub struct Command {
    /// The name. Case matters.
    pub name: &'static str,
    /// The arguments: capital words stand for values, square brackets hold what may be left out. Empty when there
    /// are none.
    pub arguments: &'static str,
    /// What it is for, in one line.
    pub summary: &'static str,
    /// What it does and answers.
    pub answer: &'static str,
    /// When it fails, and what then stays as it was. Empty when only bad arguments make it fail.
    pub failure: &'static str,
    parse: Parse,
}

/// Reads the arguments of a command.
type Parse = fn(Arguments<'_>) -> Result<Request, ProtocolError>;

/// The side of `genmove`, with whole moves or half moves.
const GENMOVE: Parse = |mut arguments| {
    let side = arguments.side(None)?;
    arguments.finished(Request::GenMove(side))
};

/// The side of `reg_genmove`, with whole moves or half moves.
const REG_GENMOVE: Parse = |mut arguments| {
    let side = arguments.side(None)?;
    arguments.finished(Request::RegGenMove(side))
};

impl Command {
    /// Name and arguments, as they are typed.
    #[must_use]
    pub fn synopsis(&self) -> String {
        match self.arguments {
            "" => self.name.to_owned(),
            arguments => format!("{} {arguments}", self.name),
        }
    }

    /// The description that `help` gives for this command: several lines, no empty one.
    #[must_use]
    pub fn help(&self) -> String {
        let failure = match self.failure {
            "" => "only when its arguments are wrong, and then changes nothing.",
            failure => failure,
        };
        let (synopsis, summary, answer) = (self.synopsis(), self.summary, self.answer);
        format!("{synopsis}\n  {summary}.\n  Answers: {answer}\n  Fails: {failure}")
    }

    /// Reads the arguments of this command.
    ///
    /// # Errors
    /// `syntax error` or `value out of range`, with the argument that is wrong.
    pub fn request(&self, arguments: &str) -> Result<Request, ProtocolError> {
        (self.parse)(Arguments::new(self.name, arguments))
    }
}

/// All commands of the form with whole moves; see [`Form::commands`].
pub fn all() -> impl Iterator<Item = &'static Command> {
    Form::WholeMoves.commands()
}

/// The command of the form with whole moves that has this name. Case matters.
#[must_use]
pub fn find(name: &str) -> Option<&'static Command> {
    Form::WholeMoves.find(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: [Form; 2] = [Form::WholeMoves, Form::HalfMoves];

    #[test]
    fn names_are_words_and_come_once() {
        for form in FORMS {
            let names: Vec<_> = form.commands().map(|command| command.name).collect();
            for (index, name) in names.iter().enumerate() {
                assert!(!name.is_empty() && !name.contains([' ', '#']), "{name:?}");
                assert!(!name.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
                assert!(!names[..index].contains(name), "{name} comes twice");
            }
        }
    }

    #[test]
    fn commands_are_found_by_the_names_that_are_listed_and_no_others() {
        let names: Vec<_> = FORMS.iter().flat_map(|form| form.commands()).map(|command| command.name).collect();
        for form in FORMS {
            for name in &names {
                let listed = form.commands().find(|command| command.name == *name);
                let found = form.find(name);
                assert_eq!(found.map(Command::synopsis), listed.map(Command::synopsis), "{name}");
            }
        }
        assert!(half_moves::SHARED.iter().all(|name| whole_moves::find(name).is_some()));
    }

    #[test]
    fn descriptions_fit_into_answers() {
        for command in FORMS.iter().flat_map(|form| form.commands()) {
            assert!(!command.summary.ends_with('.'), "{}", command.name);
            assert!(!command.summary.is_empty() && !command.answer.is_empty());
            assert!(command.answer.ends_with('.'), "{}", command.name);
            assert!(command.failure.is_empty() || command.failure.ends_with('.'));
            assert!(command.help().lines().all(|line| !line.trim().is_empty()));
        }
        for form in FORMS {
            assert_eq!(form.overview().lines().count(), form.commands().count());
        }
    }

    #[test]
    fn unknown_commands() {
        for name in ["Name", "pass", "analyse", ""] {
            for form in FORMS {
                let error = form.request(name, "x").unwrap_err();
                assert_eq!(error.to_string(), "unknown command");
            }
        }
    }
}
