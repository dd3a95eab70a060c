//! The binary, cut off from what belongs to the user who runs the tests: his tables of perfect play, his wishes for the log.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A variant that is solved in milliseconds. From its opening, some moves win, some draw and some lose.
pub const SMALL_VARIANT: &str = "protocol/transcripts/three-rows.toml";

/// The binary.
pub const PRIVY: &str = env!("CARGO_BIN_EXE_privy");

/// A user of whom there is nothing, not even a folder.
pub fn privy() -> Command {
    let mut command = Command::new(PRIVY);
    isolate(&mut command);
    command
}

/// Lets a command run as in [`privy`].
pub fn isolate(command: &mut Command) {
    settle(command, Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/nobody")));
}

fn settle(command: &mut Command, folder: &Path) {
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("RUST_LOG");
    command.env("HOME", folder).env("XDG_CACHE_HOME", folder.join("cache"));
}

/// The folder of a user, empty at first, removed when it is dropped.
#[derive(Debug)]
pub struct Home(PathBuf);

impl Home {
    pub fn new() -> Home {
        static HOMES: AtomicU32 = AtomicU32::new(0);
        let number = HOMES.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("home-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Home(folder)
    }

    /// A file or folder in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The binary, run by this user. It works in the folder of the package.
    pub fn privy(&self) -> Command {
        let mut command = Command::new(PRIVY);
        settle(&mut command, &self.0);
        command
    }

    /// Runs it without input to its end.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        run(&mut self.privy(), arguments)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a command has done that ran to its end.
#[derive(Debug)]
pub struct Ran {
    /// None when a signal has ended it.
    pub status: Option<i32>,
    pub output: String,
    pub errors: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { status: output.status.code(), output: text(output.stdout), errors: text(output.stderr) }
    }
}

impl Ran {
    /// Status 0 and nothing to complain about; gives what was written.
    #[track_caller]
    pub fn well(self) -> String {
        assert!(self.status == Some(0) && without_advice(&self.errors).is_empty(), "{self:?}");
        self.output
    }

    /// This status and an orderly complaint, which is given.
    #[track_caller]
    pub fn badly(self, status: i32) -> String {
        assert_eq!(self.status, Some(status), "{self:?}");
        let complaint = &self.errors;
        let orderly = complaint.starts_with("privy: ") || complaint.contains("Usage: privy") || status == 2;
        assert!(orderly && !complaint.contains("panicked"), "{self:?}");
        self.errors
    }
}

/// The words of a command, to add others to.
pub fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Runs a command with an input to its end.
pub fn run_with_input(command: &mut Command, arguments: &[&str], input: &str) -> Ran {
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(input.as_bytes()).unwrap());
        child.wait_with_output().unwrap().into()
    })
}

/// Runs a command without input to its end.
pub fn run(command: &mut Command, arguments: &[&str]) -> Ran {
    command.args(arguments).stdin(Stdio::null()).output().unwrap().into()
}

/// What is written to standard error, without the lines that say how tables are made: who searches in a variant that can
/// be solved is told so once.
pub fn without_advice(errors: &str) -> String {
    errors.split_inclusive('\n').filter(|line| !line.starts_with("privy: no table of ")).collect()
}
