//! What a command is, and the form in which commands are declared.

use crate::arguments::{Arguments, Parsed};
use crate::error::ProtocolError;

/// A command of the protocol, as its user sees it. The texts are Markdown, of which only backticks occur.
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
    pub(super) failure: &'static str,
    /// The shared command behind which a command of one loop is listed.
    pub(super) after: &'static str,
}

impl Command {
    /// Name and arguments, as they are typed.
    pub fn synopsis(&self) -> String {
        format!("{} {}", self.name, self.arguments).trim_end().to_owned()
    }

    /// When it fails, and what then stays as it was.
    pub fn failure(&self) -> &'static str {
        match self.failure {
            "" => "only when its arguments are wrong, and then changes nothing.",
            failure => failure,
        }
    }

    /// The description that `help` gives for this command: several lines, no empty one.
    pub fn help(&self) -> String {
        let (synopsis, summary, answer, failure) = (self.synopsis(), self.summary, self.answer, self.failure());
        format!("{synopsis}\n  {summary}.\n  Answers: {answer}\n  Fails: {failure}").replace('`', "")
    }
}

/// A command, and how its arguments become a request.
pub(super) struct Entry<R: 'static> {
    pub(super) command: Command,
    pub(super) parse: for<'a> fn(Arguments<'a>) -> Parsed<'a, R>,
}

/// Reads a request with the command of this name, if it is among the entries.
pub(super) fn parse<R>(entries: &[Entry<R>], name: &str, arguments: &str) -> Option<Result<R, ProtocolError>> {
    let entry = entries.iter().find(|entry| entry.command.name == name)?;
    Some(Arguments::new(entry.command.name, arguments).read(entry.parse))
}

/// Declares the requests of a loop and the table `ENTRIES` of the commands that make them.
///
/// Each variant stands with its commands, most with one: name, `[arguments]`, `= parser` (none where there are no arguments),
/// summary, answer, and failure where it is not only for wrong arguments. `after` says behind which shared command they are listed.
macro_rules! commands {
    (
        $(#[$doc:meta])*
        pub enum $Request:ident $(: $Wrap:ident($Wrapped:ident))? {
            $(after $after:literal { $(
                $Variant:ident $(($($Type:ty),+))? {
                    $($name:literal $([$arguments:expr])? $(= $parse:expr)?,
                    summary: $summary:literal,
                    answer: $answer:expr,
                    $(failure: $failure:expr,)?)+
                }
            )+ })+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $Request {
            $(/** A command that all loops have. */ $Wrap($Wrapped),)?
            $($(
                $(#[doc = concat!("`", $name, "`: ", $summary, ".")])+
                $Variant $(($($Type),+))?,
            )+)+
        }

        pub(super) const ENTRIES: &[Entry<$Request>] = &[$($($(Entry {
            command: Command {
                name: $name,
                arguments: commands!(@text $($arguments)?),
                summary: $summary,
                answer: $answer,
                failure: commands!(@text $($failure)?),
                after: $after,
            },
            parse: commands!(@parser ($Request::$Variant) $($parse)?),
        },)+)+)+];
    };
    (@text) => { "" };
    (@text $text:expr) => { $text };
    (@parser ($request:expr)) => { |input| Ok((input, $request)) };
    (@parser ($request:expr) $parse:expr) => { |input| Parser::parse(&mut $parse, input) };
}
pub(super) use commands;
