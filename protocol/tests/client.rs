//! The client against engines that behave, and engines that do not.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
#![cfg(unix)]

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use privy_protocol::{Client, ClientError, ReplyError};

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(100);

/// An engine written as a shell script.
fn shell(script: &str) -> Client {
    Client::spawn(Command::new("sh").args(["-c", script]).stderr(Stdio::null())).unwrap()
}

/// An engine written as a function from line to answer, empty lines and all; it runs in a thread.
fn thread_engine(mut answer: impl FnMut(&str) -> Vec<u8> + Send + 'static) -> Client {
    let (their_input, our_output): (PipeReader, PipeWriter) = io::pipe().unwrap();
    let (our_input, mut their_output) = io::pipe().unwrap();
    thread::spawn(move || {
        for line in BufReader::new(their_input).lines() {
            let Ok(line) = line else { return };
            if their_output.write_all(&answer(&line)).is_err() {
                return;
            }
        }
    });
    Client::from_pipes(our_input, our_output).unwrap()
}

fn is_running(process: u32) -> bool {
    Path::new(&format!("/proc/{process}")).exists()
}

#[test]
fn commands_are_answered_in_order() {
    let mut client = thread_engine(|line| format!("= {line}\nmore\n\n").into_bytes());
    client.send("name").unwrap();
    client.send("undo 2").unwrap();
    assert_eq!(client.pending(), 2);
    assert_eq!(client.receive(LONG).unwrap().text(), "name\nmore");
    assert_eq!(client.receive(LONG).unwrap().text(), "undo 2\nmore");
    assert!(matches!(client.receive(LONG), Err(ClientError::NothingAsked)));
    assert_eq!(client.request("fen", LONG).unwrap().text(), "fen\nmore");
}

#[test]
fn a_thousand_commands_may_be_sent_ahead() {
    let mut client = thread_engine(|line| format!("= {line}\n\n").into_bytes());
    let text = "x".repeat(2000);
    for number in 0..1000 {
        client.send(format_args!("echo {number}{text}")).unwrap();
    }
    for number in 0..1000 {
        assert_eq!(client.receive(LONG).unwrap().text(), format!("echo {number}{text}"));
    }
}

#[test]
fn ids_are_checked() {
    let mut client = thread_engine(|_| b"=77 x\n\n".to_vec());
    let error = client.request("name", LONG).unwrap_err();
    assert_eq!(error.to_string(), "bad framing: expected no id, found 77, in answer to \"name\"");
    assert!(matches!(client.send("name"), Err(ClientError::OutOfStep)));
}

#[test]
fn only_single_commands_are_sent() {
    let mut client = thread_engine(|_| Vec::new());
    for text in ["", "  ", "name\nfen", "name # x", "5 name", "na\0me"] {
        assert!(matches!(client.send(text), Err(ClientError::Unsendable { .. })), "{text:?}");
    }
    assert_eq!(client.pending(), 0);
}

#[test]
fn raw_bytes_may_have_several_answers() {
    let mut client = thread_engine(|line| match line {
        "" => Vec::new(),
        _ => b"?5 no\n\n".to_vec(),
    });
    client.send_bytes(b"5 what\n\n5 \xc3\xa4\n", 2).unwrap();
    assert_eq!(client.receive(LONG).unwrap().id(), Some(5));
    assert!(!client.receive(LONG).unwrap().is_success());
}

#[test]
fn the_end_of_the_output_is_awaited_when_the_input_is_closed() {
    let (our_input, their_output) = io::pipe().unwrap();
    let (their_input, our_output) = io::pipe().unwrap();
    let mut client = Client::from_pipes(our_input, our_output).unwrap();
    client.close_input();
    // The thread that writes has ended.
    assert_eq!({ their_input }.read(&mut [0]).unwrap(), 0);
    client.send_bytes(b"", 1).unwrap();
    assert!(matches!(client.receive(SHORT), Err(ClientError::Timeout { .. })));
    drop(their_output);
    assert!(matches!(client.receive(LONG), Err(ClientError::Exited { status: None, .. })));
}

#[test]
fn a_search_is_streamed() {
    let mut client = thread_engine(|line| match line {
        "go depth 2" => b"=\ninfo depth 1 score = pv a\ninfo depth 2 score +W3 pv a b\nbestmove a\n\n".to_vec(),
        "go" => b"? game over\n\n".to_vec(),
        _ => b"= \n\n".to_vec(),
    });
    let mut lines = Vec::new();
    client.send("go depth 2").unwrap();
    let reply = client.receive_lines(LONG, |line| lines.push(line.to_owned())).unwrap();
    assert_eq!(lines, ["info depth 1 score = pv a", "info depth 2 score +W3 pv a b", "bestmove a"]);
    assert_eq!((reply.is_success(), reply.text()), (true, ""));
    client.send("go").unwrap();
    let reply = client.receive_lines(LONG, |line| panic!("{line}")).unwrap();
    assert_eq!((reply.is_success(), reply.text()), (false, "game over"));
    assert_eq!(client.request("name", LONG).unwrap().text(), "");
}

#[test]
fn a_late_answer_can_still_be_received() {
    let mut client = shell("read line; printf '= one\\n'; read line; printf 'two\\n\\n'");
    let error = client.request("name", SHORT).unwrap_err();
    assert_eq!(error.to_string(), "no answer to \"name\" within 100ms");
    client.interrupter().interrupt().unwrap();
    assert_eq!(client.receive(LONG).unwrap().text(), "one\ntwo");
}

#[test]
fn a_search_is_interrupted_from_another_thread() {
    let mut client = shell("read go; printf '=\\ninfo depth 1 score = pv a\\n'; read line; printf 'bestmove a\\n\\n'");
    let interrupter = client.interrupter();
    client.send("go infinite").unwrap();
    let mut last = String::new();
    let on_line = |line: &str| {
        line.clone_into(&mut last);
        if line.starts_with("info") {
            interrupter.interrupt().unwrap();
        }
    };
    client.receive_lines(LONG, on_line).unwrap();
    assert_eq!(last, "bestmove a");
}

#[test]
fn an_engine_that_dies_is_noticed() {
    let mut client = shell("read line; exit 3");
    match client.request("name", LONG) {
        Err(ClientError::Exited { command, status }) => {
            assert_eq!((command.as_str(), status.unwrap().code()), ("name", Some(3)));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_engine_that_cannot_start() {
    let error = Client::spawn(&mut Command::new("/no/such/engine")).unwrap_err();
    assert!(error.to_string().starts_with("cannot start \"/no/such/engine\": "), "{error}");
}

#[test]
fn babble_is_bad_framing() {
    let mut client = shell("echo Welcome; cat >/dev/null");
    let error = client.request("name", LONG).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bad framing: expected = or ? and an answer, found \"Welcome\", in answer to \"name\""
    );
    assert!(matches!(client.request("name", LONG), Err(ClientError::OutOfStep)));
}

#[test]
fn an_endless_answer_is_too_large() {
    let mut client = shell("printf '= '; exec yes");
    let error = client.request("name", LONG).unwrap_err();
    assert!(matches!(error, ClientError::Reply { source: ReplyError::TooLarge, .. }), "{error}");
}

#[test]
fn an_endless_search_needs_no_memory_but_has_a_time_limit() {
    let mut client = shell("printf '=\\n'; exec yes 'info depth 1 score = pv a'");
    let mut lines = 0_u64;
    let start = Instant::now();
    let slowly = |_: &str| {
        lines += 1;
        // The engine is faster than its client, so that there is always something to read.
        thread::sleep(Duration::from_micros(1));
    };
    client.send("go").unwrap();
    let error = client.receive_lines(SHORT, slowly).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { .. }), "{error}");
    assert!(lines > 0 && start.elapsed() < LONG);
}

#[test]
fn an_engine_that_does_not_read_does_not_block_the_client() {
    let mut client = shell("exec sleep 60");
    let text = "x".repeat(60_000);
    let start = Instant::now();
    let refused = (0..1000).find_map(|_| client.send(format_args!("echo {text}")).err());
    assert!(matches!(refused, Some(ClientError::Backlog)));
    drop(client);
    assert!(start.elapsed() < LONG);
}

#[test]
fn quit_waits_for_the_end() {
    let client = shell("while read line; do printf '= \\n\\n'; test \"$line\" = quit && exit 0; done");
    assert!(client.quit(LONG).unwrap().unwrap().success());
    let client = shell("read line; printf '= \\n\\n'; exec sleep 60");
    let process = client.process_id().unwrap();
    let error = client.quit(SHORT).unwrap_err();
    assert_eq!(error.to_string(), "the engine has not ended within 100ms after quit");
    assert!(!is_running(process));
    let client = thread_engine(|_| b"= \n\n".to_vec());
    assert_eq!(client.quit(LONG).unwrap(), None);
}

#[test]
fn no_process_is_left_running() {
    let client = shell("exec sleep 60");
    let process = client.process_id().unwrap();
    drop(client);
    assert!(!is_running(process));
    let client = shell("exec sleep 60");
    let process = client.process_id().unwrap();
    assert!(client.kill().is_some_and(|status| !status.success()));
    assert!(!is_running(process));
}

#[test]
fn closing_the_input_ends_a_well_behaved_engine() {
    let mut client = shell("cat >/dev/null; printf '= late\\n\\n'");
    let _interrupter = client.interrupter();
    client.send("name").unwrap();
    client.close_input();
    assert_eq!(client.receive(LONG).unwrap().text(), "late");
}

#[test]
fn output_without_a_question_is_noticed() {
    let mut client = thread_engine(|line| format!("= {line}\n\n\n \n").into_bytes());
    client.send("name").unwrap();
    assert_eq!(client.unasked_output(), None);
    client.receive(LONG).unwrap();
    assert_eq!(client.unasked_output(), None);
    let mut client = thread_engine(|line| format!("= {line}\n\n= again\n\n").into_bytes());
    client.request("name", LONG).unwrap();
    assert_eq!(client.unasked_output().as_deref(), Some("= again"));
    assert_eq!(client.drain(SHORT, 100), 9);
    assert_eq!(client.unasked_output(), None);
}

#[test]
fn standard_error_can_be_read() {
    let mut command = Command::new("sh");
    command.args(["-c", "echo trouble >&2"]).stderr(Stdio::piped());
    let mut client = Client::spawn(&mut command).unwrap();
    let mut text = String::new();
    client.take_standard_error().unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "trouble\n");
    assert!(client.take_standard_error().is_none());
}

#[test]
fn a_search_can_be_bounded_in_size_too() {
    let mut client = shell("printf '=\\n'; exec yes 'info depth 1 score = pv a'");
    client.bound_streams();
    client.send("go").unwrap();
    let error = client.receive_lines(LONG, |_| {}).unwrap_err();
    assert!(matches!(error, ClientError::Reply { source: ReplyError::TooLarge, .. }), "{error}");
    assert!(client.drain(LONG, 1 << 20) >= 1 << 20);
}
