//! Commands for the options of the engine.

use super::Command;
use crate::arguments::Arguments;
use crate::error::{ErrorPhrase, ProtocolError};
use crate::request::Request;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "list_options",
        arguments: "",
        summary: "the options and their values",
        answer: "a line for each option: NAME TYPE DEFAULT MIN MAX CURRENT.",
        failure: "",
        parse: |arguments| arguments.finished(Request::ListOptions),
    },
    Command {
        name: "get_option",
        arguments: "NAME",
        summary: "the value of an option",
        answer: "the value.",
        failure: "unknown option.",
        parse: |mut arguments| {
            let name = arguments.required(None, "the name of an option")?.to_owned();
            arguments.finished(Request::GetOption(name))
        },
    },
    Command {
        name: "set_option",
        arguments: "NAME VALUE",
        summary: "set an option",
        answer: "nothing. The value is the rest of the line.",
        failure: "unknown option, or value out of range; the option keeps its value.",
        parse: set_option,
    },
];

fn set_option(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let name = arguments.required(Some("name"), "the name of an option")?;
    let value = arguments.rest();
    if value.is_empty() {
        let expected = "a value";
        return Err(arguments.complaint(ErrorPhrase::SyntaxError, Some("value"), expected, None));
    }
    Ok(Request::SetOption { name: name.to_owned(), value: value.to_owned() })
}
