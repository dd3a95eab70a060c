//! A process of the engine in which a step is tried, and what was said so far.

use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use privy_protocol::{Client, ClientError, Reply};

use super::Examination;
use super::abilities::Abilities;
use super::step::Failure;
use crate::rules::Variant;

/// How long an engine is listened to that should say nothing.
const QUIET: Duration = Duration::from_millis(150);

/// How much of a line is shown.
const SHOWN: usize = 240;

/// A step being tried.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    examination: &'a Examination,
    abilities: &'a Abilities,
    client: Client,
    sent: Vec<String>,
    came: String,
    /// When the last line was sent.
    asked_at: Instant,
}

impl<'a> Trial<'a> {
    pub(super) fn start(examination: &'a Examination, abilities: &'a Abilities) -> Result<Trial<'a>, Failure> {
        let spec = &examination.engine;
        let (program, arguments) = spec.command.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
        let mut command = Command::new(program);
        command.args(arguments).stderr(Stdio::null());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        let client = Client::spawn(&mut command).map_err(|error| Failure {
            sent: Vec::new(),
            came: error.to_string(),
            expected: "a program that can be started".to_owned(),
        })?;
        let asked_at = Instant::now();
        let mut trial = Trial { examination, abilities, client, sent: Vec::new(), came: String::new(), asked_at };
        trial.client.bound_streams();
        for (name, value) in &spec.options {
            trial.text_of(&format!("set_option {name} {value}"))?;
        }
        Ok(trial)
    }

    /// What is examined and how.
    pub(super) fn examination(&self) -> &'a Examination {
        self.examination
    }

    /// Whether the engine has a command.
    pub(super) fn has(&self, command: &str) -> bool {
        self.abilities.has(command)
    }

    /// The commands that the engine has.
    pub(super) fn abilities(&self) -> &'a Abilities {
        self.abilities
    }

    /// The variants to play.
    pub(super) fn variants(&self) -> &'a [Arc<Variant>] {
        &self.abilities.variants
    }

    /// The variant of steps that need only one.
    pub(super) fn variant(&self) -> Result<&'a Arc<Variant>, Failure> {
        self.variants().first().ok_or_else(|| self.fail("a variant to play"))
    }

    /// How long an answer may take that has no time of its own.
    pub(super) fn patience(&self) -> Duration {
        self.examination.patience
    }

    /// How much later than its time an answer may come.
    pub(super) fn margin(&self) -> Duration {
        self.examination.margin
    }

    /// Sends a line, which must have one answer.
    pub(super) fn send(&mut self, line: &str) -> Result<(), Failure> {
        self.write(line.to_owned(), &[line.as_bytes(), b"\n"].concat(), 1)
    }

    /// Sends a line that has no answer.
    pub(super) fn send_unanswered(&mut self, line: &str) -> Result<(), Failure> {
        self.write(line.to_owned(), &[line.as_bytes(), b"\n"].concat(), 0)
    }

    /// Sends bytes as they are, which must have so many answers.
    pub(super) fn send_bytes(&mut self, bytes: &[u8], answers: usize) -> Result<(), Failure> {
        self.write(bytes.escape_ascii().to_string(), bytes, answers)
    }

    fn write(&mut self, shown: String, bytes: &[u8], answers: usize) -> Result<(), Failure> {
        self.sent.push(shortened(&shown));
        self.asked_at = Instant::now();
        let sent = self.client.send_bytes(bytes, answers);
        sent.map_err(|error| self.broken(&error, "an engine that reads its input"))
    }

    /// Receives an answer, whatever it says.
    pub(super) fn answer(&mut self) -> Result<Reply, Failure> {
        self.answer_within(self.patience())
    }

    /// The same, with a time limit.
    pub(super) fn answer_within(&mut self, limit: Duration) -> Result<Reply, Failure> {
        match self.client.receive(limit) {
            Ok(reply) => {
                self.came = shown_reply(&reply);
                Ok(reply)
            }
            Err(error) => Err(self.broken(&error, &format!("an answer within {} ms", limit.as_millis()))),
        }
    }

    /// Sends a line and receives its answer.
    pub(super) fn ask(&mut self, line: &str) -> Result<Reply, Failure> {
        self.send(line)?;
        self.answer()
    }

    /// The text of an answer that must be a success.
    pub(super) fn text_of(&mut self, line: &str) -> Result<String, Failure> {
        self.send(line)?;
        self.success()
    }

    /// The text of the next answer, which must be a success.
    pub(super) fn success(&mut self) -> Result<String, Failure> {
        let reply = self.answer()?;
        self.ensure(reply.is_success(), "a success: an answer that begins with =")?;
        Ok(reply.text().to_owned())
    }

    /// Sends a line that must fail with one of these phrases.
    pub(super) fn refusal(&mut self, line: &str, phrases: &[&str]) -> Result<(), Failure> {
        self.send(line)?;
        self.failure(phrases)
    }

    /// The next answer must be a failure with one of these phrases, alone or with a colon and a detail behind it.
    pub(super) fn failure(&mut self, phrases: &[&str]) -> Result<(), Failure> {
        let reply = self.answer()?;
        let fits = phrases.iter().any(|phrase| {
            let behind = reply.text().strip_prefix(phrase);
            behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(": "))
        });
        let phrases = phrases.join(" or ? ");
        self.ensure(!reply.is_success() && fits, &format!("? {phrases}, perhaps with a colon and a detail behind it"))
    }

    /// Fails the step unless something holds.
    pub(super) fn ensure(&self, holds: bool, expected: &str) -> Result<(), Failure> {
        if holds { Ok(()) } else { Err(self.fail(expected)) }
    }

    /// The failure of the step with what was said last.
    pub(super) fn fail(&self, expected: &str) -> Failure {
        Failure { sent: self.sent.clone(), came: self.came.clone(), expected: expected.to_owned() }
    }

    /// The failure of the step with something else than an answer.
    pub(super) fn fail_with(&self, came: impl Into<String>, expected: &str) -> Failure {
        Failure { came: came.into(), ..self.fail(expected) }
    }

    /// Fails the step if the engine says anything now.
    pub(super) fn quiet(&mut self) -> Result<(), Failure> {
        thread::sleep(QUIET);
        match self.client.unasked_output() {
            Some(output) => {
                Err(self.fail_with(output, "nothing more: one answer to each command, and not a word besides"))
            }
            None => Ok(()),
        }
    }

    /// How long after the last line was sent the last answer came.
    pub(super) fn took(&self) -> Duration {
        self.client.arrived().saturating_duration_since(self.asked_at)
    }

    /// Ends the input of the engine, behind what has been sent.
    pub(super) fn close_input(&mut self) {
        self.sent.push("(end of input)".to_owned());
        self.client.close_input();
    }

    /// The process must end now, with status 0 and without another word.
    pub(super) fn ended(&mut self) -> Result<(), Failure> {
        const EXPECTED: &str = "the process ends with status 0, and says nothing more";
        // A wait for an answer that must not come.
        let waited = match self.client.send_bytes(b"", 1) {
            Ok(()) => self.client.receive(self.patience()),
            Err(error) => Err(error),
        };
        match waited {
            Err(ClientError::Exited { status, .. }) if status.is_some_and(|status| status.success()) => Ok(()),
            Err(ClientError::Exited { status, .. }) => Err(self.fail_with(shown_status(status), EXPECTED)),
            Err(ClientError::Timeout { limit, .. }) => {
                Err(self.fail_with(format!("it still runs after {} ms", limit.as_millis()), EXPECTED))
            }
            Err(error) => Err(self.broken(&error, EXPECTED)),
            Ok(reply) => Err(self.fail_with(shown_reply(&reply), EXPECTED)),
        }
    }

    fn broken(&self, error: &ClientError, expected: &str) -> Failure {
        let came = match error {
            ClientError::Timeout { limit, .. } => format!("nothing within {} ms", limit.as_millis()),
            ClientError::Exited { status, .. } => shown_status(*status),
            ClientError::Reply { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        self.fail_with(came, expected)
    }
}

fn shown_status(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!("the process has ended: {status}"),
        None => "the output is closed, and the process still runs".to_owned(),
    }
}

/// An answer as it stood in the output, or nearly so.
fn shown_reply(reply: &Reply) -> String {
    let sign = if reply.is_success() { '=' } else { '?' };
    let id = reply.id().map(|id| id.to_string()).unwrap_or_default();
    shortened(&format!("{sign}{id} {}", reply.text()))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", text.get(..end).unwrap_or_default(), text.len()),
        None => text.to_owned(),
    }
}
