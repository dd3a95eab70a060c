//! The session with an engine: its process, commands and answers, with every way of going wrong named.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use privy_protocol::{Client, ClientError, REPLY_LIMIT, Reply, ReplyError};

use crate::program_stderr::ProgramStderr;

use super::engine_spec::EngineSpec;
use super::fault::{Fault, FaultKind};
use super::suspend_clock::{Enrolled, Stopwatch, SuspendClock};

/// How long the referee waits before it looks whether it has been interrupted.
const SLICE: Duration = Duration::from_millis(50);

/// How long it looks on when an engine has said something odd, to find out what is behind it.
const SECOND_LOOK: Duration = Duration::from_millis(300);

/// How long an engine may take to end after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);

/// From so many bytes on, output that nobody asked for is a flood.
const FLOOD: usize = 1 << 20;

/// Why an engine has nothing to say.
#[derive(Debug)]
pub(super) enum Trouble {
    Fault(Fault),
    Interrupted,
    /// The system can't start it; that is for the user to put right, and no fault of the engine.
    CannotStart(ClientError),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

/// What all sessions of a match have in common.
#[derive(Debug, Clone)]
pub(super) struct Surroundings {
    /// The time in which the referee runs.
    pub(super) time: SuspendClock,
    /// Set when the match is to end at once.
    pub(super) interrupted: Arc<AtomicBool>,
    /// How long an engine may be silent.
    pub(super) patience: Duration,
}

/// A session with an engine that runs.
#[derive(Debug)]
pub(super) struct Session {
    /// First, so that the group is let go before the process.
    _enrolled: Enrolled,
    client: Client,
    errors: Option<ProgramStderr>,
    surroundings: Surroundings,
    /// Whether a game has begun: before that it is a start that goes wrong.
    in_game: bool,
}

impl Session {
    pub(super) fn start(spec: &EngineSpec, surroundings: Surroundings) -> Result<Session, Trouble> {
        let mut command = spec.process();
        let program = command.get_program().to_string_lossy().into_owned();
        let mut client = Client::spawn(command.stderr(Stdio::piped())).map_err(Trouble::CannotStart)?;
        client.bound_streams();
        let errors = client.take_standard_error().map(ProgramStderr::follow).transpose();
        let errors = errors.map_err(|source| Trouble::CannotStart(ClientError::Start { program, source }))?;
        let _enrolled = surroundings.time.enroll(client.process_group());
        Ok(Session { _enrolled, client, errors, surroundings, in_game: false })
    }

    /// A new game is to begin: where its standard error goes.
    pub(super) fn keep_errors(&self, path: Option<PathBuf>) {
        if let Some(errors) = &self.errors {
            errors.begin_game(path);
        }
    }

    /// From now on faults are those of a game.
    pub(super) fn begin_game(&mut self) {
        self.in_game = true;
    }

    /// Ends the engine: asks it to, and kills it when it does not.
    ///
    /// # Errors
    /// [`FaultKind::IgnoresQuit`].
    pub(super) fn quit(self) -> Result<(), Fault> {
        match self.client.quit(QUIT_PATIENCE) {
            Err(ClientError::StillRunning(_) | ClientError::Timeout { .. }) => {
                let detail = format!("still running {} ms after it, and killed", QUIT_PATIENCE.as_millis());
                Err(Fault::new(FaultKind::IgnoresQuit, detail))
            }
            // An engine that ends without an answer has ended all the same.
            _ => Ok(()),
        }
    }

    /// Sends a command ahead.
    pub(super) fn send(&mut self, command: impl std::fmt::Display) -> Result<(), Trouble> {
        if let Some(output) = self.client.unasked_output() {
            return Err(self.unasked(&output).into());
        }
        let sent = self.client.send(command);
        sent.map_err(|error| self.fault(&error, false).into())
    }

    /// The answer to the oldest command without one.
    pub(super) fn receive(&mut self) -> Result<Reply, Trouble> {
        let patience = self.surroundings.patience;
        let stopwatch = self.stopwatch();
        self.wait(stopwatch, patience, false, |client, limit| client.receive(limit))
    }

    pub(super) fn ask(&mut self, command: impl std::fmt::Display) -> Result<Reply, Trouble> {
        self.send(command)?;
        self.receive()
    }

    /// Asks for something that must succeed.
    pub(super) fn order(&mut self, command: &str) -> Result<(), Trouble> {
        self.send(command)?;
        self.obeyed(command)
    }

    /// Receives the answer to a command that must succeed.
    pub(super) fn obeyed(&mut self, command: &str) -> Result<(), Trouble> {
        let reply = self.receive()?;
        if !reply.is_success() {
            return Err(self.suspect(refusal(command, &reply)));
        }
        if reply.text().contains("bestmove") {
            let detail = format!("the answer to {:?} is one to go", shortened(command));
            return Err(Fault::new(FaultKind::AnswersTwice, detail).into());
        }
        Ok(())
    }

    pub(super) fn stopwatch(&self) -> Stopwatch {
        self.surroundings.time.stopwatch()
    }

    /// How long after the beginning of a measurement the last answer came in.
    pub(super) fn answered_after(&self, stopwatch: Stopwatch) -> Duration {
        self.surroundings.time.elapsed(stopwatch, self.client.arrived())
    }

    /// The same, when the answer seems to be late: a suspension that may just have ended is looked for first.
    pub(super) fn late_after_all(&self, stopwatch: Stopwatch) -> Duration {
        self.surroundings.time.settle();
        self.answered_after(stopwatch)
    }

    /// Receives the answer to a search, its lines one by one, until so long after the stopwatch was started. Gives what
    /// the answer says when it is a failure.
    pub(super) fn search(
        &mut self,
        stopwatch: Stopwatch,
        limit: Duration,
        mut on_line: impl FnMut(&str),
    ) -> Result<Reply, Trouble> {
        self.wait(stopwatch, limit, true, |client, limit| client.receive_lines(limit, &mut on_line))
    }

    fn wait(
        &mut self,
        stopwatch: Stopwatch,
        limit: Duration,
        thinking: bool,
        mut attempt: impl FnMut(&mut Client, Duration) -> Result<Reply, ClientError>,
    ) -> Result<Reply, Trouble> {
        loop {
            if self.surroundings.interrupted.load(Ordering::Relaxed) {
                return Err(Trouble::Interrupted);
            }
            let left = limit.saturating_sub(self.surroundings.time.elapsed(stopwatch, Instant::now()));
            match attempt(&mut self.client, left.min(SLICE)) {
                Ok(reply) => return Ok(reply),
                Err(ClientError::Timeout { command, .. }) => {
                    // Its output may be held open by a process that it has started.
                    let _ = self.client.ended();
                    if left > SLICE {
                        continue;
                    }
                    self.surroundings.time.settle();
                    if self.surroundings.time.elapsed(stopwatch, Instant::now()) < limit {
                        continue;
                    }
                    let error = ClientError::Timeout { command, limit };
                    return Err(self.fault(&error, thinking).into());
                }
                Err(error) => return Err(self.fault(&error, thinking).into()),
            }
        }
    }

    /// What an engine is accused of that has said something odd. When there is more behind it than was asked for, it has
    /// lost step, and that is the cause.
    pub(super) fn suspect(&mut self, fault: Fault) -> Trouble {
        let looked = Instant::now();
        while looked.elapsed() < SECOND_LOOK {
            if self.client.pending() > 0 {
                let _ = self.client.receive(SECOND_LOOK);
            }
            if let Some(output) = self.client.unasked_output() {
                return self.unasked(&output).into();
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        fault.into()
    }

    /// The fault of an engine that has written without being asked.
    fn unasked(&mut self, output: &str) -> Fault {
        match self.flood() {
            Some(flood) => flood,
            None if output.starts_with(['=', '?']) => {
                Fault::new(FaultKind::AnswersTwice, format!("nothing was asked, and it answers {output:?}"))
            }
            None => Fault::new(FaultKind::PrintsGarbage, format!("nothing was asked, and it writes {output:?}")),
        }
    }

    /// Whether much more output comes: then that is what is wrong. The engine can't be talked to after this.
    fn flood(&mut self) -> Option<Fault> {
        let drained = self.client.drain(SECOND_LOOK, FLOOD);
        let detail = || format!("{drained} bytes and more that are no answer");
        (drained >= FLOOD).then(|| Fault::new(FaultKind::Floods, detail()))
    }

    fn fault(&mut self, error: &ClientError, thinking: bool) -> Fault {
        match error {
            ClientError::Exited { command, status: Some(status) } => {
                let kind = if self.in_game { FaultKind::ExitsInGame } else { FaultKind::ExitsAtStart };
                let words = self.errors.as_ref().map(ProgramStderr::last_words).unwrap_or_default();
                Fault::new(kind, format!("{status}, before it answered {:?}{words}", shortened(command)))
            }
            ClientError::Exited { command, status: None } => {
                let words = self.errors.as_ref().map(ProgramStderr::last_words).unwrap_or_default();
                let detail = format!("it still runs, and has not answered {:?}{words}", shortened(command));
                Fault::new(FaultKind::ClosesOutput, detail)
            }
            ClientError::Timeout { command, limit } => {
                let what = if self.client.is_answering() { "no end of an answer" } else { "nothing" };
                let detail = format!("{what} within {} ms to {:?}", limit.as_millis(), shortened(command));
                match !thinking && self.answers_at_end_of_input() {
                    true => Fault::new(FaultKind::DoesNotFlush, format!("{detail}, but when its input was closed")),
                    false => Fault::new(FaultKind::DoesNotAnswer, detail),
                }
            }
            ClientError::Reply { source: ReplyError::TooLarge, command } => {
                let detail = format!("more than {REPLY_LIMIT} bytes in answer to {:?}", shortened(command));
                Fault::new(FaultKind::Floods, detail)
            }
            ClientError::Reply { source: ReplyError::Id(found), command } => {
                let detail = format!("expected the id none, found {found}, in answer to {:?}", shortened(command));
                Fault::new(FaultKind::UnreadableAnswer, detail)
            }
            ClientError::Reply { source, command } => self.flood().unwrap_or_else(|| {
                Fault::new(FaultKind::PrintsGarbage, format!("{source}, in answer to {:?}", shortened(command)))
            }),
            ClientError::Backlog => Fault::new(FaultKind::DoesNotRead, "more is waiting for it than can be sent"),
            other => Fault::new(FaultKind::Refuses, other.to_string()),
        }
    }

    fn answers_at_end_of_input(&mut self) -> bool {
        self.client.close_input();
        self.client.receive(SECOND_LOOK * 3).is_ok()
    }
}

/// The fault of an engine that does not do what a game needs.
pub(super) fn refusal(command: &str, reply: &Reply) -> Fault {
    Fault::new(FaultKind::Refuses, format!("{:?}: ? {}", shortened(command), reply.text()))
}

/// A command as it stands in the words of a fault: a game of hundreds of moves is not repeated there.
fn shortened(command: &str) -> String {
    const LONGEST: usize = 60;
    match command.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", command.get(..end).unwrap_or(command)),
        None => command.to_owned(),
    }
}
