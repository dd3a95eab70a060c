//! How a line of input is read.

use privy_protocol::LINE_LIMIT;

use super::step::{Failure, Step};
use super::trial::Trial;

pub(super) const STEPS: &[Step] = &[
    Step::new("lines.carriage-return", "reads lines that end with CR LF", &[], |trial| {
        reads_as_name(trial, &[b"name\r\n", b"7 name\r\n"])
    }),
    Step::new("lines.spaces", "takes tabs for spaces, and any number of them", &[], |trial| {
        reads_as_name(trial, &[b"\tname\n", b"  name  \n", b" 5\t \tname\t\n"])
    }),
    Step::new("lines.control-characters", "drops control characters, NUL among them", &[], |trial| {
        reads_as_name(trial, &[b"na\x01me\n", b"\x7fname\x1b\n", b"na\0me\n", b"\0name\0\n"])
    }),
    Step::new("lines.comment", "drops what stands behind a #, whatever bytes and however many", &[], comment),
    Step::new("lines.nothing", "gives no answer to lines that are empty or hold a comment alone", &[], nothing),
    Step::new("lines.case", "tells capital letters from small ones in names of commands", &[], |trial| {
        trial.refusal("NAME", &["unknown command"])
    }),
    Step::new("lines.encoding", "answers a line that is not UTF-8 with a syntax error, and goes on", &[], encoding),
    Step::new("lines.too-long", "answers a line of more than 64 KiB with one syntax error, and goes on", &[], too_long),
    Step::new("lines.last", "carries out a last line without a line feed", &[], last),
];

/// Each of the lines must be answered as `name` is.
fn reads_as_name(trial: &mut Trial<'_>, lines: &[&[u8]]) -> Result<(), Failure> {
    let name = trial.text_of("name")?;
    for line in lines {
        trial.send_bytes(line, 1)?;
        let text = trial.success()?;
        trial.ensure(text == name, &format!("= {name}, as to the line name"))?;
    }
    trial.quiet()
}

fn comment(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let long = [b"name # ".as_slice(), "x".repeat(2 * LINE_LIMIT).as_bytes(), b"\n"].concat();
    reads_as_name(trial, &[b"name # quit\n", b"name#\n", b"name # \xff\xfe\n", &long])
}

fn nothing(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send_bytes(b"\n   \n\t\n\r\n# name\n  # name\n\n", 0)?;
    trial.quiet()?;
    reads_as_name(trial, &[b"name\n"])
}

fn goes_on(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let reply = trial.ask("8 name")?;
    trial.ensure(reply.id() == Some(8) && reply.is_success(), "=8 and the name")
}

fn encoding(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for line in [b"name \xff\xfe\n".as_slice(), b"\x80\n", b"7 \xc3\x28\n"] {
        trial.send_bytes(line, 1)?;
        trial.failure(&["syntax error"])?;
    }
    goes_on(trial)
}

fn too_long(trial: &mut Trial<'_>) -> Result<(), Failure> {
    // Ten times the limit, so that nothing more of it may be left when the next line comes.
    for length in [LINE_LIMIT + 1, 10 * LINE_LIMIT] {
        let line = [b"name ".as_slice(), "x".repeat(length).as_bytes(), b"\n"].concat();
        trial.send_bytes(&line, 1)?;
        trial.failure(&["syntax error"])?;
        trial.quiet()?;
    }
    goes_on(trial)
}

fn last(trial: &mut Trial<'_>) -> Result<(), Failure> {
    trial.send_bytes(b"name\n6 name", 2)?;
    trial.close_input();
    trial.success()?;
    let reply = trial.answer()?;
    trial.ensure(reply.id() == Some(6) && reply.is_success(), "=6 and the name")?;
    trial.ended()
}
