//! The form in which commands are declared.

use crate::arguments::{Arguments, Parsed};
use crate::error::ProtocolError;

/// A command of the protocol, for its user. The texts are Markdown with backticks only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// The name. Case matters.
    pub name: &'static str,
    /// The arguments: capital words stand for values, square brackets mean optional.
    pub arguments: &'static str,
    /// The purpose, in one line.
    pub summary: &'static str,
    /// The answer.
    pub answer: &'static str,
    /// The failures. Empty when only wrong arguments make it fail.
    pub(super) failure: &'static str,
    /// The shared command behind which a command of one loop is listed.
    pub(super) after: &'static str,
}

impl Command {
    /// Name and arguments, as they are typed.
    pub fn synopsis(&self) -> String {
        format!("{} {}", self.name, self.arguments).trim_end().to_owned()
    }

    /// The failures, and what they leave unchanged.
    pub fn failure(&self) -> &'static str {
        match self.failure {
            "" => "only when its arguments are wrong, and then changes nothing.",
            failure => failure,
        }
    }

    /// The description that `help` gives for this command: several lines, none of them empty.
    pub fn help(&self) -> String {
        let (synopsis, summary, answer, failure) = (self.synopsis(), self.summary, self.answer, self.failure());
        format!("{synopsis}\n  {summary}.\n  Answers: {answer}\n  Fails: {failure}").replace('`', "")
    }
}

/// A command and its parser.
pub(super) struct Entry<R: 'static> {
    pub(super) command: Command,
    /// Further commands that differ only in name and summary.
    pub(super) also: &'static [(&'static str, &'static str)],
    pub(super) parse: for<'a> fn(Arguments<'a>) -> Parsed<'a, R>,
}

impl<R> Entry<R> {
    pub(super) fn commands(&self) -> impl Iterator<Item = Command> {
        let also = self.also.iter().map(|&(name, summary)| Command { name, summary, ..self.command });
        std::iter::once(self.command).chain(also)
    }
}

/// Reads a request, if a command of the entries has this name.
pub(super) fn parse<R>(entries: &[Entry<R>], name: &str, arguments: &str) -> Option<Result<R, ProtocolError>> {
    let entry = entries.iter().find(|entry| entry.commands().any(|command| command.name == name))?;
    Some(Arguments::new(name, arguments).read(entry.parse))
}

/// Declares the requests of a loop and `ENTRIES`, the table of the commands that make them.
///
/// Each variant stands with its commands, most with one: name, `[arguments]`, `(parser)` of the value of the variant, summary, answer,
/// failure where it is not only for wrong arguments, and commands that differ only in name and summary.
macro_rules! commands {
    (
        $(#[$doc:meta])*
        pub enum $Request:ident $(: $Wrap:ident($Wrapped:ident))? {
            $(after $after:literal { $(
                $Variant:ident $(($Type:ty))? $($name:literal $([$arguments:expr])? $(($parse:expr))? {
                    summary: $summary:literal,
                    answer: $answer:expr,
                    $(failure: $failure:expr,)?
                    $(also $also_name:literal: $also_summary:literal,)*
                })+
            )+ })+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $Request {
            $(/** A command that all loops have. */ $Wrap($Wrapped),)?
            $($(
                $(#[doc = concat!("`", $name, "`: ", $summary, ".")])+
                $Variant $(($Type))?,
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
            also: &[$(($also_name, $also_summary)),*],
            parse: commands!(@parser ($Request::$Variant) $($parse)?),
        },)+)+)+];
    };
    (@text) => { "" };
    (@text $text:expr) => { $text };
    (@parser ($request:expr)) => { |input| Ok((input, $request)) };
    (@parser ($request:expr) $parse:expr) => { |input| Parser::parse(&mut $parse.map($request), input) };
}
pub(super) use commands;
