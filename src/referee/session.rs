//! The session with an engine: its process, its commands and answers, and its faults.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

use privy_protocol::{Client, ClientError, REPLY_LIMIT, Reply, ReplyError, Stop};

use privy_base::message::sanitized;

use crate::process::start_engine;
use crate::program_stderr::ProgramStderr;

use super::engine_spec::EngineSpec;
use super::fault::{EngineFault, FaultKind};

/// The interval at which a wait looks for an interrupt.
const SLICE: Duration = Duration::from_millis(50);

/// How long further output is watched for after an unexpected answer.
const SECOND_LOOK: Duration = Duration::from_millis(300);

const QUIT_PATIENCE: Duration = Duration::from_secs(2);

/// The least unasked output that counts as a flood, in bytes.
const FLOOD: usize = 1 << 20;

/// Why a session gives no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum SessionError {
    #[error(transparent)]
    Fault(#[from] EngineFault),
    #[error("interrupted")]
    Interrupted,
    /// The system cannot start the program: an error of the user, not of the engine.
    #[error(transparent)]
    CannotStart(ClientError),
}

#[derive(Debug, Clone)]
pub(super) struct SessionContext {
    /// Set when the match must end at once.
    pub(super) interrupted: Stop,
    /// The longest silence of an engine.
    pub(super) patience: Duration,
    /// The time beyond its clock after which an engine loses.
    pub(super) margin: Duration,
}

#[derive(Debug)]
pub(super) struct EngineSession {
    client: Client,
    engine_stderr: Option<ProgramStderr>,
    pub(super) context: SessionContext,
    in_game: bool,
}

impl EngineSession {
    pub(super) fn start(spec: &EngineSpec, context: SessionContext) -> Result<EngineSession, SessionError> {
        let mut command = spec.process();
        let program = command.get_program().to_string_lossy().into_owned();
        let mut client = start_engine(command.stderr(Stdio::piped())).map_err(SessionError::CannotStart)?;
        client.bound_streams();
        let engine_stderr = client.take_standard_error().map(ProgramStderr::follow).transpose();
        let engine_stderr =
            engine_stderr.map_err(|source| SessionError::CannotStart(ClientError::Start { program, source }))?;
        Ok(EngineSession { client, engine_stderr, context, in_game: false })
    }

    pub(super) fn begin_game(&mut self) {
        self.in_game = true;
    }

    /// Sends `quit`, and kills the process if that does not end it.
    pub(super) fn quit(self) -> Result<(), EngineFault> {
        match self.client.quit(QUIT_PATIENCE) {
            Err(ClientError::StillRunning(_) | ClientError::Timeout { .. }) => {
                let detail = format!("still running {} ms after it, and killed", QUIT_PATIENCE.as_millis());
                Err(EngineFault::new(FaultKind::IgnoresQuit, detail))
            }
            // No answer is needed from an engine that ends.
            _ => Ok(()),
        }
    }

    /// Sends a command without waiting for the answer.
    pub(super) fn send(&mut self, command: impl std::fmt::Display) -> Result<(), SessionError> {
        if let Some(output) = self.client.unasked_output() {
            return Err(self.unasked(&output).into());
        }
        let sent = self.client.send(command);
        sent.map_err(|error| self.fault(&error, false).into())
    }

    /// Receives the answer to the oldest open command.
    pub(super) fn receive(&mut self) -> Result<Reply, SessionError> {
        self.wait(Instant::now(), self.context.patience, false, |client, limit| client.receive(limit))
    }

    pub(super) fn ask(&mut self, command: impl std::fmt::Display) -> Result<Reply, SessionError> {
        self.send(command)?;
        self.receive()
    }

    pub(super) fn execute(&mut self, command: &str) -> Result<(), SessionError> {
        self.send(command)?;
        self.expect_success(command)
    }

    /// Sends commands that must all succeed, all before the first answer.
    pub(super) fn execute_all(&mut self, commands: &[String]) -> Result<(), SessionError> {
        commands.iter().try_for_each(|command| self.send(command))?;
        commands.iter().try_for_each(|command| self.expect_success(command))
    }

    pub(super) fn expect_success(&mut self, command: &str) -> Result<(), SessionError> {
        let reply = self.receive()?;
        if !reply.is_success() {
            return Err(self.diagnose(refusal(command, &reply)));
        }
        if reply.text().contains("bestmove") {
            let detail = format!("the answer to {:?} is one to go", shortened(command));
            return Err(EngineFault::new(FaultKind::AnswersTwice, detail).into());
        }
        Ok(())
    }

    /// The time from a moment to the last answer.
    pub(super) fn answered_after(&self, begun: Instant) -> Duration {
        self.client.arrived().saturating_duration_since(begun)
    }

    /// Receives the answer to a search line by line, at most `limit` after it began.
    pub(super) fn search(
        &mut self,
        begun: Instant,
        limit: Duration,
        mut on_line: impl FnMut(&str),
    ) -> Result<Reply, SessionError> {
        self.wait(begun, limit, true, |client, limit| client.receive_lines(limit, &mut on_line))
    }

    fn wait(
        &mut self,
        begun: Instant,
        limit: Duration,
        thinking: bool,
        mut attempt: impl FnMut(&mut Client, Duration) -> Result<Reply, ClientError>,
    ) -> Result<Reply, SessionError> {
        loop {
            if self.context.interrupted.is_set() {
                // Otherwise a search continues beyond the end of its input, and the process is killed after a while.
                let _ = self.client.send("stop");
                return Err(SessionError::Interrupted);
            }
            let left = limit.saturating_sub(begun.elapsed());
            match attempt(&mut self.client, left.min(SLICE)) {
                Ok(reply) => return Ok(reply),
                Err(ClientError::Timeout { command, .. }) => {
                    // A child process may hold the output open after the engine has ended.
                    let _ = self.client.ended();
                    if left > SLICE {
                        continue;
                    }
                    if begun.elapsed() < limit {
                        continue;
                    }
                    let error = ClientError::Timeout { command, limit };
                    return Err(self.fault(&error, thinking).into());
                }
                Err(error) => return Err(self.fault(&error, thinking).into()),
            }
        }
    }

    /// The cause of an unexpected answer. If more output follows than was asked for, the engine has lost step, and that
    /// is the fault.
    pub(super) fn diagnose(&mut self, fault: EngineFault) -> SessionError {
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

    fn unasked(&mut self, output: &str) -> EngineFault {
        match self.flood() {
            Some(flood) => flood,
            None if output.starts_with(['=', '?']) => {
                EngineFault::new(FaultKind::AnswersTwice, format!("nothing was asked, and it answers {output:?}"))
            }
            None => EngineFault::new(FaultKind::PrintsGarbage, format!("nothing was asked, and it writes {output:?}")),
        }
    }

    /// The fault, if much more output follows. The session is of no use after this.
    fn flood(&mut self) -> Option<EngineFault> {
        let drained = self.client.drain(SECOND_LOOK, FLOOD);
        (drained >= FLOOD)
            .then(|| EngineFault::new(FaultKind::Floods, format!("{drained} bytes and more that are no answer")))
    }

    fn fault(&mut self, error: &ClientError, thinking: bool) -> EngineFault {
        let last_words = || self.engine_stderr.as_ref().map(ProgramStderr::last_words).unwrap_or_default();
        match error {
            ClientError::Exited { command, status: Some(status) } => {
                let kind = if self.in_game { FaultKind::ExitsInGame } else { FaultKind::ExitsAtStart };
                let detail = format!("{status}, before it answered {:?}{}", shortened(command), last_words());
                EngineFault::new(kind, detail)
            }
            ClientError::Exited { command, status: None } => {
                let detail = format!("it still runs, and has not answered {:?}{}", shortened(command), last_words());
                EngineFault::new(FaultKind::ClosesOutput, detail)
            }
            ClientError::Timeout { command, limit } => {
                let what = if self.client.is_answering() { "no end of an answer" } else { "nothing" };
                let detail = format!("{what} within {} ms to {:?}", limit.as_millis(), shortened(command));
                match !thinking && self.answers_at_end_of_input() {
                    true => {
                        EngineFault::new(FaultKind::DoesNotFlush, format!("{detail}, but when its input was closed"))
                    }
                    false => EngineFault::new(FaultKind::DoesNotAnswer, detail),
                }
            }
            ClientError::Reply { source, command } => {
                let command = shortened(command);
                let (kind, detail) = match source {
                    ReplyError::TooLarge => {
                        (FaultKind::Floods, format!("more than {REPLY_LIMIT} bytes in answer to {command:?}"))
                    }
                    ReplyError::Id(found) => {
                        let detail = format!("expected the id none, found {found}, in answer to {command:?}");
                        (FaultKind::UnreadableAnswer, detail)
                    }
                    _ => match self.flood() {
                        Some(flood) => return flood,
                        None => (FaultKind::PrintsGarbage, format!("{source}, in answer to {command:?}")),
                    },
                };
                EngineFault::new(kind, detail)
            }
            ClientError::Backlog => EngineFault::new(FaultKind::DoesNotRead, "more is waiting for it than can be sent"),
            other => EngineFault::new(FaultKind::Refuses, other.to_string()),
        }
    }

    fn answers_at_end_of_input(&mut self) -> bool {
        self.client.close_input();
        self.client.receive(SECOND_LOOK * 3).is_ok()
    }
}

pub(super) fn refusal(command: &str, reply: &Reply) -> EngineFault {
    EngineFault::new(FaultKind::Refuses, format!("{:?}: ? {}", shortened(command), reply.text()))
}

/// A command as a fault quotes it: a game of hundreds of moves is not repeated there.
fn shortened(command: &str) -> String {
    const LONGEST: usize = 60;
    sanitized(command, LONGEST)
}

/// Returns the commands of an engine: those that it lists; else those among `names` that it says it knows; else those
/// of the lines in `tried` that it does not call unknown. A line is tried for the commands beside it.
///
/// A refusal shows that a command is there: an engine may know `variant ID` alone, and refuse a bare `variant`.
pub(crate) fn commands_of<E>(
    names: impl IntoIterator<Item = &'static str>,
    tried: &[(&str, &[&'static str])],
    mut ask: impl FnMut(&str) -> Result<Reply, E>,
) -> Result<BTreeSet<String>, E> {
    let list = ask("list_commands")?;
    if list.is_success() && !list.text().is_empty() {
        let listed = list.text().lines().map(str::trim).chain(["list_commands"]);
        return Ok(listed.map(str::to_owned).collect());
    }
    let mut found = BTreeSet::from(["name", "quit"]);
    if ask("known_command name")?.text() == "true" {
        found.insert("known_command");
        for name in names {
            if ask(&format!("known_command {name}"))?.text() == "true" {
                found.insert(name);
            }
        }
    } else {
        for (line, commands) in tried {
            let reply = ask(line)?;
            // What the engine says to a command that it does not have, in its own words.
            let is_unknown = reply.text().starts_with("unknown command") || reply.text() == list.text();
            let is_there = if reply.is_success() { *line != "status" || !reply.text().is_empty() } else { !is_unknown };
            found.extend(commands.iter().copied().filter(|_| is_there));
        }
    }
    Ok(found.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests;
