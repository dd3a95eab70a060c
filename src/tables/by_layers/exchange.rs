//! The processes of a solve: messages between them, and the states of the General shared among them.
//!
//! Messages go in rounds: each process sends one to every process. All processes run the same steps with the same arguments, so the round
//! tells what a message is, and it needs no header. After a ply each process sends the positions that it decided with the Rebels to move
//! to the processes with a state from which the General can go there; apart from these only counts are exchanged. A solved layer is
//! gathered in the first process.

use std::io;
use std::ops::Range;

use privy_base::threads::Threads;
use rayon::prelude::*;

use crate::coding::{Counts, Section};
use crate::error::TableError;

use super::positions::{Decisions, take_first};
use super::quiet_moves::Compiled;

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
pub(crate) struct Alone;

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

fn take_number(message: &mut &[u8]) -> io::Result<u64> {
    Ok(u64::from_le_bytes(*take_first(message)?))
}

fn take_bytes(message: &mut &[u8], count: u64) -> io::Result<Vec<u8>> {
    let taken = usize::try_from(count).ok().and_then(|count| message.split_off(..count));
    taken.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

fn message_of(numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    numbers.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// The summary of a ply, of one process or of all.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PlySummary {
    pub(super) decided: u64,
    /// The most plies of the value of a capture.
    pub(super) longest: u64,
    /// Processes whose user asked to stop.
    pub(super) stop: u64,
}

/// The states of one of several processes.
pub(super) fn share(states: usize, process: usize, processes: usize) -> Range<usize> {
    states * process / processes..states * (process + 1) / processes
}

/// The shares of all processes, as seen by one of them.
#[derive(Debug)]
pub(super) struct StateShares {
    states: Vec<Range<usize>>,
    process: usize,
    /// By process and state: true if the process solves a state from which the General can go there.
    reads: Vec<Vec<bool>>,
    /// Bytes sent to other processes.
    pub(super) sent: u64,
}

impl StateShares {
    pub(super) fn new(states: &[Compiled], exchange: &dyn Exchange) -> StateShares {
        let processes = exchange.processes();
        let shares: Vec<Range<usize>> = (0..processes).map(|process| share(states.len(), process, processes)).collect();
        let read = |share: &Range<usize>| {
            let mut reads = vec![false; states.len()];
            states[share.clone()].iter().flat_map(|state| &state.quiet).for_each(|quiet| reads[quiet.target] = true);
            reads
        };
        let reads = shares.iter().map(read).collect();
        StateShares { states: shares, process: exchange.number(), reads, sent: 0 }
    }

    pub(super) fn own(&self) -> Range<usize> {
        self.states[self.process].clone()
    }

    /// True if this process reads the results of a state that another one solves.
    pub(super) fn reads_from_others(&self, state: usize) -> bool {
        self.reads[self.process][state] && !self.own().contains(&state)
    }

    /// Exchanges the decisions of a ply, and returns the summary of all processes.
    pub(super) fn exchange_ply(
        &mut self,
        summary: PlySummary,
        fresh: &mut [Decisions],
        threads: &Threads,
        exchange: &mut dyn Exchange,
    ) -> Result<PlySummary, TableError> {
        let message = |process: usize| {
            let mut message = message_of([summary.decided, summary.longest, summary.stop]);
            if process != self.process {
                for state in self.own().filter(|state| self.reads[process][*state]) {
                    fresh[state].won.write(&mut message);
                    fresh[state].lost.write(&mut message);
                }
            }
            message
        };
        let messages: Vec<Vec<u8>> =
            threads.run(|| (0..self.states.len()).into_par_iter().with_max_len(1).map(message).collect());
        let others = messages.iter().enumerate().filter(|(process, _)| *process != self.process);
        self.sent += others.map(|(_, message)| message.len() as u64).sum::<u64>();
        let read = |received: Vec<Vec<u8>>| -> io::Result<PlySummary> {
            let mut sum = PlySummary::default();
            for (process, message) in received.iter().enumerate() {
                let message = &mut message.as_slice();
                sum.decided += take_number(message)?;
                sum.longest = sum.longest.max(take_number(message)?);
                sum.stop += take_number(message)?;
                if process != self.process {
                    for state in self.states[process].clone().filter(|state| self.reads[self.process][*state]) {
                        fresh[state].won.read(message)?;
                        fresh[state].lost.read(message)?;
                    }
                }
            }
            Ok(sum)
        };
        exchange.exchange(messages).and_then(read).map_err(TableError::Process)
    }

    /// Gathers the counts with the General to move and the sections of a layer in the first process; the others get none.
    pub(super) fn gather(
        &mut self,
        general: Counts,
        sections: Vec<Section>,
        exchange: &mut dyn Exchange,
    ) -> Result<(Counts, Vec<Section>), TableError> {
        if exchange.processes() == 1 {
            return Ok((general, sections));
        }
        let Counts { won, drawn, lost } = general;
        let mut message = message_of([won, drawn, lost]);
        for Section { values, laps, counts: Counts { won, drawn, lost }, longest } in sections {
            let lengths = [values.len() as u64, laps.len() as u64];
            message.extend(message_of([lengths[0], lengths[1], won, drawn, lost, longest.into()]));
            message.extend(values);
            message.extend(laps);
        }
        if self.process > 0 {
            self.sent += message.len() as u64;
        }
        let mut messages = vec![Vec::new(); exchange.processes()];
        messages[0] = message;
        let read = |received: Vec<Vec<u8>>| -> io::Result<(Counts, Vec<Section>)> {
            let (mut general, mut sections) = (Counts::default(), Vec::new());
            let counts = |message: &mut &[u8]| -> io::Result<Counts> {
                Ok(Counts { won: take_number(message)?, drawn: take_number(message)?, lost: take_number(message)? })
            };
            for message in received.iter().filter(|message| !message.is_empty()) {
                let message = &mut message.as_slice();
                general.add(counts(message)?, 1);
                while !message.is_empty() {
                    let [values, laps] = [take_number(message)?, take_number(message)?];
                    let (counts, longest) = (counts(message)?, take_number(message)? as u32);
                    let (values, laps) = (take_bytes(message, values)?, take_bytes(message, laps)?);
                    sections.push(Section { values, laps, counts, longest });
                }
            }
            Ok((general, sections))
        };
        exchange.exchange(messages).and_then(read).map_err(TableError::Process)
    }
}
