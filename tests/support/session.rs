//! Sessions: input and expected output in one text that people read and tests execute.
//!
//! | line | meaning |
//! |---|---|
//! | `> LINE` | input, in which `\t`, `\r`, `\\` and `\xHH` mean bytes; `>` alone is an empty line |
//! | `;; REMARK` | a remark |
//! | `$ privy …` | a command line that runs beside the session and must succeed; its output is not shown |
//! | `$ privy gogui …` as the first line | starts the engine of the session |
//! | any other | expected output, byte for byte |
//!
//! Placeholders of output: `<n>` is a whole number, `<score>` a score, `<word>` a word, `<words>` the rest of the line,
//! and the line `<lines>` any number of lines. The empty line after the last answer is optional.
//!
//! Every session has its own home folder, with no tables but those that it builds.

use std::env;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use privy_protocol::{InputLine, Line, LineReader, Score};

use super::binary::{self, Home};

/// Limit for an answer, after which the engine counts as hung. It measures nothing.
const PATIENCE: Duration = Duration::from_secs(120);

/// With this environment variable a test records the answers instead of comparing them.
pub const REGENERATE: &str = "PRIVY_REGENERATE";

/// Returns the value of an option in an answer to `list_options`.
#[track_caller]
pub fn option<'a>(listed: &'a str, name: &str) -> &'a str {
    let mut lines = listed.lines().map(|line| line.trim_start_matches("= ").splitn(6, ' '));
    lines.find(|words| words.clone().next() == Some(name)).and_then(|mut words| words.nth(5)).unwrap()
}

/// The prefix of a command line.
const COMMAND_LINE: &str = "$ privy ";

/// The prefix of the command that starts the half-move loop.
const HALF_MOVE_LOOP: &str = "gogui";

/// Lines sent at once, their answers, and the remarks and command lines before them.
#[derive(Debug, Default, Clone)]
struct Step {
    remarks: Vec<String>,
    typed: Vec<String>,
    answers: Vec<String>,
}

/// A parsed session.
#[derive(Debug)]
pub struct Session {
    steps: Vec<Step>,
    /// Remarks after the last step.
    tail: Vec<String>,
}

impl Session {
    pub fn parse(text: &str) -> Session {
        let mut steps: Vec<Step> = Vec::new();
        let mut step = Step::default();
        for line in text.lines() {
            let remark = line.starts_with(";; ") || line == ";;" || line.starts_with(COMMAND_LINE);
            let typed = line.starts_with("> ") || line == ">";
            if (remark && !step.typed.is_empty()) || (typed && !step.answers.is_empty()) {
                steps.push(std::mem::take(&mut step));
            }
            let place = match (remark, typed) {
                (true, _) => &mut step.remarks,
                (_, true) => &mut step.typed,
                _ => &mut step.answers,
            };
            place.push(line.to_owned());
        }
        let tail = if step.typed.is_empty() { std::mem::take(&mut step.remarks) } else { Vec::new() };
        if !step.typed.is_empty() || !step.answers.is_empty() {
            steps.push(step);
        }
        Session { steps, tail }
    }

    /// Plays the session with a new process. Gives the text with the actual answers, and an error if they differ.
    pub fn play(&self) -> (String, Result<(), String>) {
        let home = Home::new();
        let started = self.steps.first().and_then(|step| step.remarks.first());
        let started = started.and_then(|line| line.strip_prefix(COMMAND_LINE)).filter(is_loop);
        let mut engine = Engine::start(&home, started.unwrap_or_default());
        let mut played = String::new();
        let mut faults = String::new();
        for (number, step) in self.steps.iter().enumerate() {
            let command_lines = step.remarks.iter().filter_map(|line| line.strip_prefix(COMMAND_LINE));
            for line in command_lines.filter(|line| !is_loop(line)) {
                let output = home.privy().args(line.split(' ')).stdin(Stdio::null()).output().unwrap();
                if !output.status.success() {
                    let _ = writeln!(faults, "{COMMAND_LINE}{line}: {output:?}");
                }
            }
            let bytes: Vec<u8> = step.typed.iter().flat_map(|line| typed_bytes(line)).collect();
            engine.write(&bytes);
            let last = number + 1 == self.steps.len();
            let answer = engine.answers(answers_to(&bytes)).unwrap_or_else(|fault| {
                let _ = writeln!(faults, "{}: {fault}", step.typed.join(" "));
                String::new()
            });
            let mut expected = step.answers.clone();
            let mut lines: Vec<String> = answer.lines().map(str::to_owned).collect();
            if last {
                while expected.last().is_some_and(String::is_empty) {
                    expected.pop();
                }
                lines.pop();
            }
            let kept = if matches(&expected, &lines) {
                expected
            } else {
                let (typed, recorded, found) = (step.typed.join("\n"), expected.join("\n"), lines.join("\n"));
                let _ = writeln!(faults, "{typed}\n--- expected\n{recorded}\n--- answered\n{found}\n---");
                masked(&lines)
            };
            for line in step.remarks.iter().chain(&step.typed).chain(&kept) {
                played.push_str(line);
                played.push('\n');
            }
        }
        for line in &self.tail {
            played.push_str(line);
            played.push('\n');
        }
        if let Err(fault) = engine.end() {
            faults.push_str(&fault);
        }
        (played, if faults.is_empty() { Ok(()) } else { Err(faults) })
    }
}

/// True if a command line starts a loop.
fn is_loop(line: &&str) -> bool {
    line.split(' ').next() == Some(HALF_MOVE_LOOP)
}

/// True if files are to be recorded anew.
pub fn regenerates() -> bool {
    env::var_os(REGENERATE).is_some()
}

/// The bytes of an input line.
fn typed_bytes(line: &str) -> Vec<u8> {
    let text = line.strip_prefix("> ").unwrap_or("");
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        match (first, behind) {
            (b'\\', [b't', left @ ..]) => (bytes.push(b'\t'), rest = left).1,
            (b'\\', [b'r', left @ ..]) => (bytes.push(b'\r'), rest = left).1,
            (b'\\', [b'\\', left @ ..]) => (bytes.push(b'\\'), rest = left).1,
            (b'\\', [b'x', high, low, left @ ..]) => {
                let digits = String::from_utf8_lossy(&[*high, *low]).into_owned();
                bytes.push(u8::from_str_radix(&digits, 16).unwrap_or_else(|_| panic!("no byte: {line}")));
                rest = left;
            }
            _ => bytes.push(*first),
        }
    }
    bytes.push(b'\n');
    bytes
}

/// The number of answers to these lines, up to the one to `quit`.
fn answers_to(bytes: &[u8]) -> usize {
    let mut answers = 0;
    for line in LineReader::new(bytes) {
        match line.unwrap() {
            InputLine::Blank | InputLine::Interrupt => {}
            InputLine::Rejected(_) => answers += 1,
            InputLine::Command(line) => {
                answers += 1;
                if Line::parse(&line).is_ok_and(|line| line.command == "quit" && line.arguments.is_empty()) {
                    break;
                }
            }
        }
    }
    answers
}

/// Answers as they are recorded, with placeholders for figures that vary.
fn masked(lines: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in lines {
        let word = line.split(' ').next().unwrap_or_default();
        match word {
            "info" if kept.last().is_some_and(|line| line == "<lines>") => {}
            "info" => kept.push("<lines>".to_owned()),
            "bestmove" => kept.push("bestmove <word>".to_owned()),
            _ => kept.push(line.clone()),
        }
    }
    kept
}

fn matches(expected: &[String], found: &[String]) -> bool {
    match (expected.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first == "<lines>" => {
            matches(rest, found)
                || found.split_first().is_some_and(|(line, left)| !line.is_empty() && matches(expected, left))
        }
        (Some((pattern, rest)), Some((line, left))) => line_matches(pattern, line) && matches(rest, left),
        _ => false,
    }
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let Some((before, rest)) = pattern.split_once('<') else { return pattern == line };
    let Some(found) = line.strip_prefix(before) else { return false };
    let Some((name, behind)) = rest.split_once('>') else { return pattern == line };
    let word = found.find(' ').unwrap_or(found.len());
    let digits = found.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(found.len());
    let end = match name {
        "n" => digits,
        "word" => word,
        "score" if found[..word].parse::<Score>().is_ok() => word,
        "words" => found.len(),
        "score" => 0,
        _ => return pattern == line,
    };
    end > 0 && line_matches(behind, &found[end..])
}

/// A process, its input and its output.
struct Engine {
    child: std::process::Child,
    output: Receiver<Vec<u8>>,
    unread: String,
}

impl Engine {
    fn start(home: &Home, arguments: &str) -> Engine {
        let mut command = home.privy();
        command.args(arguments.split_whitespace());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Engine { child, output, unread: String::new() }
    }

    fn write(&mut self, bytes: &[u8]) {
        // An engine that has ended reads nothing; its answers show it.
        let _ = self.child.stdin.as_mut().unwrap().write_all(bytes);
    }

    /// The next answers, each with its empty line.
    fn answers(&mut self, count: usize) -> Result<String, String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let ends: Vec<usize> = self.unread.match_indices("\n\n").map(|(at, _)| at + 2).take(count).collect();
            if ends.len() == count {
                let left = self.unread.split_off(ends.last().copied().unwrap_or(0));
                return Ok(std::mem::replace(&mut self.unread, left));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let piece = self.output.recv_timeout(left);
            let piece = piece.map_err(|_| format!("only {} of {count} answers, then {:?}", ends.len(), self.unread))?;
            self.unread += std::str::from_utf8(&piece).map_err(|_| "the answer is not UTF-8".to_owned())?;
        }
    }

    /// Ends the input. No more output may come, standard error must be empty, and the status must be 0.
    fn end(mut self) -> Result<(), String> {
        drop(self.child.stdin.take());
        while let Ok(piece) = self.output.recv_timeout(PATIENCE) {
            self.unread += &String::from_utf8_lossy(&piece);
        }
        let mut errors = String::new();
        let _ = self.child.stderr.take().unwrap().read_to_string(&mut errors);
        let errors = binary::without_advice(&errors);
        let status = self.child.wait().map_err(|error| error.to_string())?;
        match (status.success(), self.unread.is_empty(), errors.is_empty()) {
            (true, true, true) => Ok(()),
            _ => Err(format!("at the end: {status}, unasked: {:?}, standard error: {errors:?}", self.unread)),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
