//! Streams of the process: input of any size and content, and closed, broken or missing streams. The process always
//! ends in order and never panics.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::binary;
use crate::support::late::PATIENCE;

use binary::PRIVY;

/// Limit for an engine without a reader: far longer than on an idle machine.
const SOON: Duration = Duration::from_secs(20);

fn privy() -> Command {
    let mut command = binary::privy();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The binary in a shell command, as `$0`.
fn in_shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line, PRIVY]);
    binary::isolate(&mut command);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The result of a process.
#[derive(Debug)]
struct Ended {
    status: ExitStatus,
    output: String,
    errors: String,
}

impl Ended {
    /// Status 0 and no complaint.
    #[track_caller]
    fn success(self) -> String {
        assert!(self.status.success() && self.errors.is_empty(), "{self:?}");
        self.output
    }
}

fn wait_within(child: &mut Child, limit: Duration) -> ExitStatus {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("still running after {limit:?}");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end and reads all output.
fn ended(mut child: Child) -> Ended {
    let all = |stream: Option<Box<dyn Read + Send>>| {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                let _ = stream.read_to_end(&mut bytes);
            }
            let _ = sender.send(String::from_utf8(bytes).expect("UTF-8"));
        });
        receiver
    };
    let output = all(child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let errors = all(child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let status = wait_within(&mut child, PATIENCE);
    let errors = binary::without_advice(&errors.recv().unwrap());
    Ended { status, output: output.recv().unwrap(), errors }
}

/// Runs the engine with an input.
fn answered(input: &[u8]) -> String {
    let mut child = privy().spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // An engine that has ended does not read the rest.
    thread::spawn(move || drop(stdin.write_all(&input)));
    ended(child).success()
}

fn answered_line(input: &str) -> String {
    answered(input.as_bytes())
}

#[test]
fn input_may_end_anywhere() {
    for (input, output) in [
        ("", ""),
        ("\n", ""),
        ("\n\n\r\n  \n#\n", ""),
        ("name", "= Privy\n\n"),
        ("name\nna", "= Privy\n\n? unknown command\n\n"),
        (
            "3 play c3-b",
            "?3 syntax error: \"c3-b\" is not a move: expected a form such as c3-b2, c3xe5xc5, c5:b5d5, c3~a1, c3b2, @c3 or pass\n\n",
        ),
        ("name\r\nquit\r\nname\r\n", "= Privy\n\n= \n\n"),
        ("5", "?5 syntax error: no command\n\n"),
    ] {
        assert_eq!(answered_line(input), output, "{input:?}");
    }
}

#[test]
fn bytes_of_any_kind_are_read() {
    assert_eq!(answered(b"\0na\0me\0\n\0\0\nname\n"), "= Privy\n\n= Privy\n\n");
    assert_eq!(answered(b"\xff\xfe\n\x80name\nname\n").matches("? syntax error: expected UTF-8").count(), 2);
    let all: Vec<u8> = (0..=255).collect();
    assert!(answered(&[&all[..], b"\nname\n"].concat()).ends_with("\n\n= Privy\n\n"));
    // UTF-16, as some shells write it: the NUL bytes are dropped, the rest are the commands.
    assert_eq!(answered(b"n\0a\0m\0e\0\r\0\n\0q\0u\0i\0t\0\n\0"), "= Privy\n\n= \n\n");
}

#[test]
fn a_line_of_a_megabyte_is_refused_and_the_next_one_read() {
    let long = "x".repeat(1 << 20);
    let refused = "syntax error: expected a line of at most 65536 bytes, found";
    for (line, answer) in [
        (long.clone(), format!("? {refused} 1048576\n\n")),
        (format!("17 name {long}"), format!("?17 {refused} 1048584\n\n")),
        (format!("position startpos moves{}", " c3-b4".repeat(200_000)), format!("? {refused} 1200023\n\n")),
        (format!("name # {long}"), "= Privy\n\n".to_owned()),
        (" ".repeat(1 << 20), String::new()),
    ] {
        assert_eq!(answered_line(&format!("{line}\nfen\n")), format!("{answer}{}", answered_line("fen")));
    }
}

/// The peak memory of a process in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_line_takes_bounded_memory() {
    for (first, answers) in [("name ", 2), ("# ", 1), (" ", 2)] {
        let mut child = privy().spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(first.as_bytes()).unwrap();
        let piece = vec![b'y'; 1 << 20];
        (0..24).for_each(|_| stdin.write_all(&piece).unwrap());
        stdin.write_all(b"\nname\n").unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.ends_with("= Privy\n\n") {
            assert!(reader.read_line(&mut line).unwrap() > 0, "{line}");
        }
        assert_eq!(line.matches("\n\n").count(), answers, "{line}");
        let peak = peak_memory(&child);
        assert!(peak < 24 * 1024, "{peak} KiB");
        drop(stdin);
        ended(child).success();
    }
}

#[test]
fn thousands_of_commands_are_queued() {
    let mut input = String::from("0 go nodes 20000\n");
    (1..=5000).for_each(|id| input += &format!("{id} name\n"));
    let output = answered_line(&input);
    let answers = output.split_terminator("\n\n").skip(1);
    let expected: Vec<String> = (1..=5000).map(|id| format!("={id} Privy")).collect();
    assert_eq!(answers.collect::<Vec<_>>(), expected);
}

/// The queue of requests is bounded. A client that keeps sending during a search without limit ends the process.
#[cfg(target_os = "linux")]
#[test]
fn more_commands_than_may_wait_take_a_bounded_memory() {
    commands_take_a_bounded_memory(300_000);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "release: nine seconds; every day 300,000 commands, which exceed the bound as well"]
fn a_million_commands_take_a_bounded_memory() {
    commands_take_a_bounded_memory(1_000_000);
}

#[cfg(target_os = "linux")]
fn commands_take_a_bounded_memory(count: usize) {
    let mut child = privy().args(["--hash", "8"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let writer = thread::spawn(move || {
        stdin.write_all(b"go infinite\n").unwrap();
        let piece = "name\n".repeat(100_000);
        (0..count / 100_000).for_each(|_| stdin.write_all(piece.as_bytes()).unwrap());
        stdin
    });
    let (mut answers, mut line) = (0, String::new());
    while answers < count + 1 {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0);
        answers += usize::from(line == "\n");
    }
    let peak = peak_memory(&child);
    assert!(peak < 200 * 1024, "{peak} KiB");
    // The input is still open: only the bound has ended the search.
    drop(writer.join().unwrap());
    ended(child).success();
}

#[test]
fn a_closed_or_unreadable_input_ends_the_process() {
    assert_eq!(ended(in_shell("exec \"$0\" <&-").spawn().unwrap()).success(), "");
    let folder = privy().stdin(File::open(env!("CARGO_MANIFEST_DIR")).unwrap()).spawn().unwrap();
    let Ended { status, output, errors } = ended(folder);
    assert!(status.success() && output.is_empty(), "{status}");
    // A message about the unreadable input is allowed.
    assert!(errors.lines().count() <= 1 && !errors.contains("panic"), "{errors}");
}

#[test]
fn an_unwritable_output_ends_the_process() {
    for line in ["echo name | \"$0\" >&-", "printf 'go depth 3\\nquit\\n' | \"$0\" >&-", "echo name | \"$0\" >&- 2>&-"]
    {
        ended(in_shell(line).spawn().unwrap()).success();
    }
    if !fs::exists("/dev/full").unwrap() {
        return;
    }
    for input in ["name", "go depth 3", "go infinite", "genmove general"] {
        let line = format!("printf '{input}\\n' | \"$0\" >/dev/full");
        let Ended { status, errors, .. } = ended(in_shell(&line).spawn().unwrap());
        // Lost answers are a failure, but an orderly one.
        assert_eq!(status.code(), Some(1), "{input}: {errors}");
        assert!(errors.lines().count() == 1 && !errors.contains("panic"), "{errors}");
    }
}

/// Starts a search without limit and waits for its first lines.
fn searching(lines: &str) -> (Child, ChildStdin) {
    let mut child = privy().spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{lines}").unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("info depth") {
        assert!(reader.read_line(&mut line).unwrap() > 0);
    }
    // The reader is dropped here, and the pipe with it.
    (child, stdin)
}

#[test]
fn a_client_that_goes_away_during_a_search_ends_the_process() {
    let (mut child, stdin) = searching("go infinite");
    drop(stdin);
    assert!(wait_within(&mut child, SOON).success());
    assert_eq!(ended(child).errors, "");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_during_a_search_ends_the_process() {
    // A search that has proved its result writes nothing more.
    let proved = "position fen 1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water\ngo infinite";
    for lines in ["go infinite", proved] {
        let (mut child, stdin) = searching(lines);
        assert!(wait_within(&mut child, SOON).success());
        drop(stdin);
        assert_eq!(ended(child).errors, "");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_process_with_the_next_answer() {
    let mut child = privy().spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    stdin.write_all(b"name\n").unwrap();
    assert!(wait_within(&mut child, SOON).success());
    assert_eq!(ended(child).errors, "");
}

#[cfg(unix)]
#[test]
fn a_signal_to_terminate_ends_the_process() {
    use std::os::unix::process::ExitStatusExt;

    const SIGTERM: i32 = 15;
    let (mut child, stdin) = searching("go infinite");
    let killed = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let status = wait_within(&mut child, SOON);
    assert!(status.signal() == Some(SIGTERM) || status.code().is_some(), "{status}");
    drop(stdin);
}
