//! A program that judges: it reads jobs and answers results, a line each.
//!
//! Nothing that it says is believed that a proof would rest on: a win is searched for again. Who dies, answers something else or
//! nothing is let go.

use std::fmt;
use std::process::{Command, Stdio};
use std::time::Duration;

use privy_protocol::{ClientError, InputLine, LineClient};

use crate::message::sanitized;
use crate::program_stderr::ProgramStderr;
use crate::search::Stop;

use super::judge::{Job, Judge, Judgement};
use super::text::ResultText;

/// How long a worker is waited for before it is looked whether its answer is still wanted.
const SLICE: Duration = Duration::from_millis(50);

/// The most characters of an answer that are shown.
const LONGEST_ANSWER: usize = 200;

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    program: String,
    arguments: Vec<String>,
}

impl WorkerCommand {
    /// Of the words of a command line; none without any.
    #[must_use]
    pub fn of_words(mut words: Vec<String>) -> Option<WorkerCommand> {
        if words.is_empty() {
            return None;
        }
        let arguments = words.split_off(1);
        Some(WorkerCommand { program: words.pop()?, arguments })
    }
}

impl fmt::Display for WorkerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program)?;
        self.arguments.iter().try_for_each(|word| write!(f, " {word}"))
    }
}

/// Why a worker is let go.
#[derive(Debug, thiserror::Error)]
pub(super) enum WorkerFault {
    #[error("{0}")]
    CannotStart(String),
    #[error("it ended{0}")]
    Ended(String),
    #[error("no answer within {} ms", .0.as_millis())]
    Silent(Duration),
    #[error("expected a result of the job \"{job}\", found \"{found}\"")]
    Nonsense { job: String, found: String },
    #[error("the same search finds no such win here: \"{0}\"")]
    FalseWin(String),
}

/// A worker that runs. Its process and all that it has started end with this.
pub(super) struct Worker {
    client: LineClient,
    errors: Option<ProgramStderr>,
    patience: Duration,
    /// Looks again for wins.
    judge: Judge,
}

impl Worker {
    /// Starts a program that may be silent for so long.
    pub(super) fn start(command: &WorkerCommand, patience: Duration, judge: Judge) -> Result<Worker, WorkerFault> {
        let mut process = Command::new(&command.program);
        process.args(&command.arguments).stderr(Stdio::piped());
        let failed = |error: ClientError| WorkerFault::CannotStart(error.to_string());
        let mut client = LineClient::spawn(&mut process).map_err(failed)?;
        let errors = client.take_standard_error().map(ProgramStderr::follow).transpose();
        let errors = errors.map_err(|error| WorkerFault::CannotStart(format!("cannot start a thread: {error}")))?;
        Ok(Worker { client, errors, patience, judge })
    }

    /// Lets the program do a job; none when the answer is not wanted any more.
    pub(super) fn judge(
        &mut self,
        job: &Job,
        stop: &Stop,
        is_wanted: impl Fn() -> bool,
    ) -> Result<Option<Judgement>, WorkerFault> {
        let line = job.text().to_string();
        self.client.send(&line).map_err(|error| self.fault(&error, &line))?;
        let mut silent = Duration::ZERO;
        let answer = loop {
            match self.client.receive(SLICE) {
                Ok(answer) => break answer,
                Err(ClientError::Timeout { .. }) if !is_wanted() => return Ok(None),
                // Slices are counted, not the time on the clock: it goes on while this process is suspended.
                Err(ClientError::Timeout { .. }) if silent < self.patience => silent += SLICE,
                Err(error) => return Err(self.fault(&error, &line)),
            }
        };
        let answer = match &answer {
            InputLine::Command(answer) => answer.as_str().to_owned(),
            InputLine::Rejected(rejection) => rejection.error.to_string(),
            InputLine::Blank | InputLine::Interrupt => String::new(),
        };
        let Some(judgement) = read(&answer, job) else { return Err(nonsense(&line, &answer)) };
        match self.judge.confirms(job, &judgement, stop) {
            None => Ok(None),
            Some(true) => Ok(Some(judgement)),
            Some(false) => Err(WorkerFault::FalseWin(sanitized(&answer, LONGEST_ANSWER))),
        }
    }

    fn fault(&self, error: &ClientError, job: &str) -> WorkerFault {
        let words = || self.errors.as_ref().map(ProgramStderr::last_words).unwrap_or_default();
        match error {
            ClientError::Timeout { .. } => WorkerFault::Silent(self.patience),
            ClientError::Exited { status, .. } => {
                let status = status.map(|status| format!(" ({status})")).unwrap_or_default();
                WorkerFault::Ended(format!("{status}{}", words()))
            }
            ClientError::Reply { source, .. } => nonsense(job, &source.to_string()),
            other => nonsense(job, &other.to_string()),
        }
    }
}

fn nonsense(job: &str, found: &str) -> WorkerFault {
    WorkerFault::Nonsense { job: job.to_owned(), found: sanitized(found, LONGEST_ANSWER) }
}

/// The judgement of an answer to a job.
fn read(answer: &str, job: &Job) -> Option<Judgement> {
    let result: ResultText = answer.parse().ok()?;
    if result.job != job.text() {
        return None;
    }
    job.judgement(&result.judgement).ok()
}
