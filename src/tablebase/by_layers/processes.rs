//! The states of the General shared among several processes.
//!
//! After a ply each process sends the positions that it decided with the Rebels to move to the processes with a state from which the
//! General can go there; apart from these only counts are exchanged. A solved layer is gathered in the first process.

use std::io;
use std::ops::Range;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::tablebase::error::TableError;
use crate::tablebase::exchange::{Exchange, take_bytes, take_number, tell_the_first};
use crate::tablebase::layout::Counts;

use super::positions::Decisions;
use super::quiet_moves::Compiled;

/// The summary of a ply, of one process or of all.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct OfPly {
    pub(super) decided: u64,
    /// The most plies of the value of a capture.
    pub(super) longest: u64,
    /// Processes whose user asked to stop.
    pub(super) stop: u64,
}

pub(super) fn share(states: usize, process: usize, processes: usize) -> Range<usize> {
    states * process / processes..states * (process + 1) / processes
}

/// The shares of all processes, as seen by one of them.
#[derive(Debug)]
pub(super) struct Shares {
    states: Vec<Range<usize>>,
    process: usize,
    /// By process and state: does the process solve a state from which the General can go there?
    reads: Vec<Vec<bool>>,
    pub(super) sent: u64,
}

impl Shares {
    pub(super) fn new(states: &[Compiled], exchange: &dyn Exchange) -> Shares {
        let processes = exchange.processes();
        let shares: Vec<Range<usize>> = (0..processes).map(|process| share(states.len(), process, processes)).collect();
        let read = |share: &Range<usize>| {
            let mut reads = vec![false; states.len()];
            states[share.clone()].iter().flat_map(|state| &state.quiet).for_each(|quiet| reads[quiet.target] = true);
            reads
        };
        let reads = shares.iter().map(read).collect();
        Shares { states: shares, process: exchange.number(), reads, sent: 0 }
    }

    pub(super) fn own(&self) -> Range<usize> {
        self.states[self.process].clone()
    }

    /// Does this process read the results of a state that another one solves?
    pub(super) fn reads_from_others(&self, state: usize) -> bool {
        self.reads[self.process][state] && !self.own().contains(&state)
    }

    /// Exchanges the decisions of a ply, and returns the summary of all processes.
    pub(super) fn exchange_ply(
        &mut self,
        of_ply: OfPly,
        fresh: &mut [Decisions],
        pool: &ThreadPool,
        exchange: &mut dyn Exchange,
    ) -> Result<OfPly, TableError> {
        let message = |process: usize| {
            let OfPly { decided, longest, stop } = of_ply;
            let mut message: Vec<u8> = [decided, longest, stop].into_iter().flat_map(u64::to_le_bytes).collect();
            if process != self.process {
                for state in self.own().filter(|state| self.reads[process][*state]) {
                    fresh[state].won.write(&mut message);
                    fresh[state].lost.write(&mut message);
                }
            }
            message
        };
        let messages: Vec<Vec<u8>> = pool.install(|| (0..self.states.len()).into_par_iter().map(message).collect());
        let others = messages.iter().enumerate().filter(|(process, _)| *process != self.process);
        self.sent += others.map(|(_, message)| message.len() as u64).sum::<u64>();
        let read = |received: Vec<Vec<u8>>| -> io::Result<OfPly> {
            let mut sum = OfPly::default();
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

    /// Gathers the sections and counts of a layer in the first process.
    pub(super) fn gather(
        &mut self,
        counts: Counts,
        sections: Vec<Vec<u8>>,
        exchange: &mut dyn Exchange,
    ) -> Result<(Counts, Vec<Vec<u8>>), TableError> {
        if exchange.processes() == 1 {
            return Ok((counts, sections));
        }
        let Counts { won, drawn, lost } = counts;
        let mut message: Vec<u8> = [won, drawn, lost].into_iter().flat_map(u64::to_le_bytes).collect();
        for section in sections {
            message.extend((section.len() as u64).to_le_bytes());
            message.extend(section);
        }
        if self.process > 0 {
            self.sent += message.len() as u64;
        }
        let read = |received: Vec<Vec<u8>>| -> io::Result<(Counts, Vec<Vec<u8>>)> {
            let (mut counts, mut sections, mut laps) = (Counts::default(), Vec::new(), Vec::new());
            for (message, share) in received.iter().zip(&self.states).filter(|(message, _)| !message.is_empty()) {
                let message = &mut message.as_slice();
                let mut of_process = Vec::new();
                let [won, drawn, lost] = [take_number(message)?, take_number(message)?, take_number(message)?];
                counts.add(Counts { won, drawn, lost }, 1);
                while !message.is_empty() {
                    let length = usize::try_from(take_number(message)?).map_err(|_| io::ErrorKind::InvalidData)?;
                    of_process.push(take_bytes(message, length)?.to_vec());
                }
                laps.extend(of_process.drain(share.len().min(of_process.len())..));
                sections.extend(of_process);
            }
            sections.extend(laps);
            Ok((counts, sections))
        };
        tell_the_first(exchange, message).and_then(read).map_err(TableError::Process)
    }
}
