//! The binary, read line by line.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::binary::{Home, SMALL_VARIANT};

/// An engine that is read line by line.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    _home: Home,
}

impl Engine {
    pub fn start() -> Engine {
        let home = Home::new();
        Engine::run(home.privy().args(["--tables", "off"]), home)
    }

    /// Another command, which is read line by line, too.
    pub fn with(arguments: &[&str]) -> Engine {
        let home = Home::new();
        Engine::run(home.privy().args(arguments), home)
    }

    pub fn with_table() -> Engine {
        let home = Home::new();
        home.run(&["solve", SMALL_VARIANT]).success();
        Engine::run(home.privy().args(["--variant", SMALL_VARIANT]), home)
    }

    fn run(command: &mut Command, home: Home) -> Engine {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Engine { input: child.stdin.take(), child, output, _home: home }
    }

    pub fn write(&mut self, text: &str) {
        self.input.as_mut().unwrap().write_all(text.as_bytes()).unwrap();
    }

    pub fn line(&mut self) -> String {
        self.output.next().expect("a line").unwrap()
    }

    /// The lines up to the next empty one.
    pub fn answer(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line() {
                line if line.is_empty() => return lines,
                line => lines.push(line),
            }
        }
    }

    #[track_caller]
    pub fn ask(&mut self, line: &str) -> String {
        self.write(&format!("{line}\n"));
        self.answer().join("\n")
    }

    #[track_caller]
    pub fn succeed(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        answer.strip_prefix("= ").unwrap_or_else(|| panic!("{line}: {answer}")).to_owned()
    }

    pub fn legal_moves(&mut self) -> BTreeSet<String> {
        self.succeed("legal_moves").split(' ').map(str::to_owned).collect()
    }

    /// Closes the input and returns the remaining output.
    pub fn end(self) -> Vec<String> {
        self.end_with(0)
    }

    /// The same for an exit status.
    pub fn end_with(mut self, status: i32) -> Vec<String> {
        drop(self.input.take());
        let rest = self.output.by_ref().map(Result::unwrap).collect();
        assert_eq!(self.child.wait().unwrap().code(), Some(status));
        rest
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
