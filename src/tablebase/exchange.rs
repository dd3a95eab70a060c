//! What processes that solve a game together tell each other: messages in rounds, in which everybody sends one to everybody.
//!
//! All processes run the same steps with the same arguments, so each knows what the next round is about, and a message is bytes
//! without a name.

use std::io;

/// The processes that solve together, as one of them sees them.
pub trait Exchange {
    /// How many they are.
    fn processes(&self) -> usize;

    /// Which of them this is, from 0.
    fn number(&self) -> usize;

    /// Sends a message to each process, by number, and returns what each has sent here. All processes call it equally often.
    ///
    /// # Errors
    /// When another process has ended.
    fn exchange(&mut self, messages: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>>;

    /// The number that the first process has called this with. All processes call it equally often.
    ///
    /// # Errors
    /// When another process has ended.
    fn as_the_first_says(&mut self, number: u64) -> io::Result<u64> {
        let said = self.exchange(vec![number.to_le_bytes().to_vec(); self.processes()])?;
        take_number(&mut said.first().map_or(&[][..], Vec::as_slice))
    }
}

/// One process, which has no others.
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

/// Sends the first process a message; it gets those of all, by number, and the others nothing.
pub(super) fn tell_the_first(exchange: &mut dyn Exchange, message: Vec<u8>) -> io::Result<Vec<Vec<u8>>> {
    let mut messages = vec![Vec::new(); exchange.processes()];
    messages[0] = message;
    exchange.exchange(messages)
}

/// Takes eight bytes off a message.
pub(super) fn take_number(message: &mut &[u8]) -> io::Result<u64> {
    Ok(u64::from_le_bytes(*take_first(message)?))
}

/// Takes so many bytes off a message.
pub(super) fn take_bytes<'a>(message: &mut &'a [u8], count: usize) -> io::Result<&'a [u8]> {
    let (taken, rest) = message.split_at_checked(count).ok_or(io::ErrorKind::UnexpectedEof)?;
    *message = rest;
    Ok(taken)
}

/// The same for a number of bytes that is always the same.
pub(super) fn take_first<'a, const N: usize>(message: &mut &'a [u8]) -> io::Result<&'a [u8; N]> {
    let (taken, rest) = message.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    *message = rest;
    Ok(taken)
}
