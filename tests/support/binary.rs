//! Runs the binary isolated from the user's files: no tables, no setting of the log.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// A variant that is solved in milliseconds. In its opening some moves win, some draw and some lose.
pub const SMALL_VARIANT: &str = "protocol/transcripts/three-rows.toml";

/// The binary.
pub const PRIVY: &str = env!("CARGO_BIN_EXE_privy");

/// The binary for a user whose home folder does not exist.
pub fn privy() -> Command {
    let mut command = Command::new(PRIVY);
    isolate(&mut command);
    command
}

/// Isolates a command as [`privy`] does.
pub fn isolate(command: &mut Command) {
    settle(command, Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/nobody")));
}

fn settle(command: &mut Command, folder: &Path) {
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("RUST_LOG");
    command.env("HOME", folder).env("XDG_CACHE_HOME", folder.join("cache")).env("PATH", &*PROGRAMS);
}

/// The search path, with the folder of Python first: a wrapper such as pyenv's takes ten times as long as Python starts.
static PROGRAMS: LazyLock<OsString> = LazyLock::new(|| {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let where_is = "import os, sys; print(os.path.dirname(sys.executable), end='')";
    let python = Command::new("python3").args(["-c", where_is]).output().map(|output| output.stdout);
    let folder = python.ok().and_then(|folder| String::from_utf8(folder).ok()).filter(|folder| !folder.is_empty());
    std::env::join_paths(folder.map(PathBuf::from).into_iter().chain(std::env::split_paths(&path))).unwrap_or(path)
});

/// A home folder, empty at first and removed on drop.
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

    /// A path inside the home folder.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The binary with this home. It works in the folder of the package.
    pub fn privy(&self) -> Command {
        let mut command = Command::new(PRIVY);
        settle(&mut command, &self.0);
        command
    }

    /// Runs the binary with empty input and waits for it.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        run(&mut self.privy(), arguments)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Result of a finished command.
#[derive(Debug)]
pub struct Ran {
    /// `None` if a signal ended it.
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
    /// Status 0 and nothing on standard error. Gives the output.
    #[track_caller]
    pub fn success(self) -> String {
        assert!(self.status == Some(0) && without_advice(&self.errors).is_empty(), "{self:?}");
        self.output
    }

    /// The given status and an error message without a panic. Gives the message.
    #[track_caller]
    pub fn failure(self, status: i32) -> String {
        assert_eq!(self.status, Some(status), "{self:?}");
        let complaint = &self.errors;
        let orderly = complaint.starts_with("privy: ") || complaint.contains("Usage: privy") || status == 2;
        assert!(orderly && !complaint.contains("panicked"), "{self:?}");
        self.errors
    }
}

/// Owned arguments, to be extended.
pub fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Runs a command with this input and waits for it.
pub fn run_with_input(command: &mut Command, arguments: &[&str], input: &str) -> Ran {
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || pipe.write_all(input.as_bytes()).unwrap());
        child.wait_with_output().unwrap().into()
    })
}

/// Runs a command with empty input and waits for it.
pub fn run(command: &mut Command, arguments: &[&str]) -> Ran {
    command.args(arguments).stdin(Stdio::null()).output().unwrap().into()
}

/// Standard error without the hint that a table could be solved, which a search prints once.
pub fn without_advice(errors: &str) -> String {
    errors.split_inclusive('\n').filter(|line| !line.starts_with("privy: no table of ")).collect()
}
