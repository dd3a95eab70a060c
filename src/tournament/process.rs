//! An engine as a process: started from its description, watched over, and ended with all that it has started.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use privy_protocol::{Client, ClientError};

use super::engine_spec::EngineSpec;
use super::fault::{Fault, FaultKind};
use super::running_time::{Enrolled, RunningTime};
use super::standard_error::StandardError;

/// How long an engine may take to end after `quit`.
pub const QUIT_PATIENCE: Duration = Duration::from_secs(2);

/// An engine that runs.
#[derive(Debug)]
pub(super) struct EngineProcess {
    /// First, so that the group is let go before the process.
    _enrolled: Enrolled,
    pub(super) client: Client,
    errors: Option<StandardError>,
}

impl EngineProcess {
    /// Starts an engine.
    ///
    /// # Errors
    /// When the system can't start it; that is for the user to put right, and no fault of the engine.
    pub(super) fn start(spec: &EngineSpec, time: &RunningTime) -> Result<EngineProcess, ClientError> {
        let (program, arguments) = spec.command.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
        let mut command = Command::new(program);
        command.args(arguments).stderr(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        let mut client = Client::spawn(&mut command)?;
        client.bound_streams();
        let errors = client.take_standard_error().map(StandardError::follow).transpose();
        let errors = errors.map_err(|source| ClientError::Start { program: program.to_owned(), source })?;
        Ok(EngineProcess { _enrolled: time.enroll(client.process_group()), client, errors })
    }

    /// A new game begins: where its standard error goes.
    pub(super) fn begin_game(&self, errors: Option<PathBuf>) {
        if let Some(kept) = &self.errors {
            kept.begin_game(errors);
        }
    }

    /// The last line of standard error, as an addition to the words of a fault; empty without one.
    pub(super) fn last_words(&self) -> String {
        // What the engine has written before it ended is read by another thread, which may need a moment.
        std::thread::sleep(Duration::from_millis(20));
        let line = self.errors.as_ref().and_then(StandardError::last_line);
        line.map(|line| format!("; its last words: {line}")).unwrap_or_default()
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
}
