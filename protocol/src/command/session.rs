//! Commands about the program itself, and those that every engine has.

use super::Command;
use crate::request::Request;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "protocol_version",
        arguments: "",
        summary: "the version of the protocol",
        answer: "2.",
        failure: "",
        parse: |arguments| arguments.finished(Request::ProtocolVersion),
    },
    Command {
        name: "name",
        arguments: "",
        summary: "the name of the engine",
        answer: "the name.",
        failure: "",
        parse: |arguments| arguments.finished(Request::Name),
    },
    Command {
        name: "version",
        arguments: "",
        summary: "the version of the engine",
        answer: "the version.",
        failure: "",
        parse: |arguments| arguments.finished(Request::Version),
    },
    Command {
        name: "known_command",
        arguments: "COMMAND",
        summary: "whether there is such a command",
        answer: "true or false; false also when no name, or more than a name, is given.",
        failure: "never.",
        parse: |mut arguments| Ok(Request::KnownCommand(arguments.rest().to_owned())),
    },
    Command {
        name: "list_commands",
        arguments: "",
        summary: "the names of all commands",
        answer: "one name a line.",
        failure: "",
        parse: |arguments| arguments.finished(Request::ListCommands),
    },
    Command {
        name: "help",
        arguments: "[COMMAND]",
        summary: "what a command does, or a line on every command",
        answer: "the synopsis, what the command answers, and when it fails; without a name, a line a command.",
        failure: "unknown command.",
        parse: |mut arguments| {
            let name = arguments.word().map(str::to_owned);
            arguments.finished(Request::Help(name))
        },
    },
    Command {
        name: "echo",
        arguments: "[TEXT]",
        summary: "give the text back",
        answer: "the rest of the line, without the spaces around it.",
        failure: "never.",
        parse: |mut arguments| Ok(Request::Echo(arguments.rest().to_owned())),
    },
    Command {
        name: "bench",
        arguments: "",
        summary: "search a fixed set of positions and measure the speed",
        answer: "the nodes searched, the nodes per second, and a signature that changes only when the search does. \
                 The game is left as it is.",
        failure: "",
        parse: |arguments| arguments.finished(Request::Bench),
    },
    Command {
        name: "gogui-interrupt",
        arguments: "",
        summary: "says that the comment '# interrupt' ends a search",
        answer: "nothing. It has no effect: that it is listed tells a client that it may send the comment.",
        failure: "",
        parse: |arguments| arguments.finished(Request::GoguiInterrupt),
    },
    Command {
        name: "quit",
        arguments: "",
        summary: "end the program",
        answer: "nothing, and then the program ends. A search without limit before it is stopped, one with limits is \
                 finished first. The end of the input has the same effect.",
        failure: "",
        parse: |arguments| arguments.finished(Request::Quit),
    },
];
