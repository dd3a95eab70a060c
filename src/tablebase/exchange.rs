//! Messages between the processes of a solve, in rounds: each process sends one to every process.
//!
//! All processes run the same steps with the same arguments, so the round tells what a message is, and it needs no header.

use std::io;

/// The processes of a solve, as seen by one of them.
pub trait Exchange {
    /// The number of processes.
    fn processes(&self) -> usize;

    /// The number of this process, from 0.
    fn number(&self) -> usize;

    /// Sends a message to each process, by number, and returns those that each has sent here. A round: all processes call it.
    ///
    /// # Errors
    /// When another process has ended.
    fn exchange(&mut self, messages: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>>;

    /// The number that the first process has passed. A round: all processes call it.
    ///
    /// # Errors
    /// When another process has ended.
    fn as_the_first_says(&mut self, number: u64) -> io::Result<u64> {
        let received = self.exchange(vec![number.to_le_bytes().to_vec(); self.processes()])?;
        take_number(&mut received.first().map_or(&[][..], Vec::as_slice))
    }
}

/// A single process.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Exchange for Alone {
    fn processes(&self) -> usize {
        1
    }

    fn number(&self) -> usize {
        0
    }

    fn exchange(&mut self, messages: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        Ok(messages)
    }
}

/// A round in which only the first process gets messages, by number; the others get empty ones.
pub(super) fn tell_the_first(exchange: &mut dyn Exchange, message: Vec<u8>) -> io::Result<Vec<Vec<u8>>> {
    let mut messages = vec![Vec::new(); exchange.processes()];
    messages[0] = message;
    exchange.exchange(messages)
}

/// Takes eight bytes off a message.
pub(super) fn take_number(message: &mut &[u8]) -> io::Result<u64> {
    Ok(u64::from_le_bytes(*take_first(message)?))
}

pub(super) fn take_bytes<'a>(message: &mut &'a [u8], count: usize) -> io::Result<&'a [u8]> {
    let (taken, rest) = message.split_at_checked(count).ok_or(io::ErrorKind::UnexpectedEof)?;
    *message = rest;
    Ok(taken)
}

pub(super) fn take_first<'a, const N: usize>(message: &mut &'a [u8]) -> io::Result<&'a [u8; N]> {
    let (taken, rest) = message.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    *message = rest;
    Ok(taken)
}
