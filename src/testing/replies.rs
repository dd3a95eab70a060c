//! Answers, read back.

use std::io::{self, Cursor};
use std::time::Duration;

use privy_protocol::{Client, ClientError, Reply};

/// The answers in the output of a session. The output ends with an answer.
pub fn replies(output: &[u8]) -> Vec<Reply> {
    let mut client = Client::from_pipes(Cursor::new(output.to_vec()), io::sink()).unwrap();
    let mut replies = Vec::new();
    loop {
        client.send_bytes(b"", 1).unwrap();
        match client.receive(Duration::from_secs(60)) {
            Ok(reply) => replies.push(reply),
            Err(ClientError::Exited { .. }) if !client.is_answering() => return replies,
            Err(error) => panic!("well-framed answers: {error}"),
        }
    }
}
