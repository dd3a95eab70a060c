//! The processes of a solve: messages between them, and the states of the General shared among them.
//!
//! Messages go in rounds: each process sends one to every process. All processes run the same steps with the same
//! arguments, so the round determines what a message is, and it needs no header. After a ply each process sends the
//! positions that it decided with the Rebels to move to the processes with a state from which the General can go there;
//! apart from these only counts are exchanged. A solved layer is gathered in the first process.

use std::io;

use privy_base::threads::{Threads, map};

use crate::coding::{Counts, Section};
use crate::error::TableError;
use crate::kernel::{LayerBits, Ply};

/// The processes of a solve, as seen by one of them.
pub trait Exchange {
    /// The number of processes.
    fn processes(&self) -> usize;

    /// The number of this process, from 0.
    fn number(&self) -> usize;

    /// Sends a message to each process, by number, and returns those that each has sent here. A round: all processes
    /// call it.
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

pub(crate) fn take_number(message: &mut &[u8]) -> io::Result<u64> {
    let bytes = take_bytes(message, size_of::<u64>() as u64)?;
    Ok(u64::from_le_bytes(bytes.try_into().expect("a number has eight bytes")))
}

pub(crate) fn take_bytes<'a>(message: &mut &'a [u8], count: u64) -> io::Result<&'a [u8]> {
    let taken = usize::try_from(count).ok().and_then(|count| message.split_off(..count));
    taken.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

pub(crate) fn message_of(numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    numbers.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// What is said of a ply: positions decided with the Rebels to move, and with the General to move; the most plies of
/// the value of a capture; and how many processes have been asked to stop.
pub(crate) type PlySummary = [u64; 4];

/// The states of the General, shared among the processes, as seen by one of them.
#[derive(Debug)]
pub struct Shares {
    processes: usize,
    /// The number of this process.
    pub(crate) process: usize,
    /// By state, the process that solves it.
    process_of: Vec<usize>,
    /// By process and state: true if the process solves a state from which the General can go there.
    reads: Vec<Vec<bool>>,
}

impl Shares {
    fn of(states: &[(usize, Vec<usize>)], process: usize, processes: usize) -> Shares {
        // To and fro: neighbours take about as long, the first ones longest.
        let turns: Vec<usize> = (0..processes).chain((0..processes).rev()).collect();
        let process_of: Vec<usize> = states.iter().map(|(group, _)| turns[group % turns.len()]).collect();
        let mut reads = vec![vec![false; states.len()]; processes];
        for ((_, targets), process) in states.iter().zip(&process_of) {
            targets.iter().for_each(|target| reads[*process][*target] = true);
        }
        Shares { processes, process, process_of, reads }
    }

    /// True if this process solves a state.
    pub(crate) fn is_own(&self, state: usize) -> bool {
        self.process_of[state] == self.process
    }

    /// True if this process reads the results of a state that another one solves.
    pub(crate) fn reads_from_others(&self, state: usize) -> bool {
        self.reads[self.process][state] && !self.is_own(state)
    }

    /// The states of a process whose results another one reads.
    fn sent(&self, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let is_sent = move |state: &usize| from != to && self.process_of[*state] == from && self.reads[to][*state];
        (0..self.process_of.len()).filter(is_sent)
    }
}

/// The processes of a solve with their shares.
pub struct Processes<'e> {
    exchange: &'e mut dyn Exchange,
    pub shares: Shares,
    /// Bytes sent to other processes.
    pub(crate) sent: u64,
}

impl<'e> Processes<'e> {
    /// Shares states: each has a number that it has in common with those that the same process must solve, and the
    /// states to which the General's moves lead in the layer.
    pub fn new(states: &[(usize, Vec<usize>)], exchange: &'e mut dyn Exchange) -> Processes<'e> {
        let shares = Shares::of(states, exchange.number(), exchange.processes());
        Processes { exchange, shares, sent: 0 }
    }

    pub(super) fn are_several(&self) -> bool {
        self.shares.processes > 1
    }

    /// How many there are.
    pub(super) fn number(&self) -> usize {
        self.shares.processes
    }

    /// True if this is the process that writes.
    pub(crate) fn is_first(&self) -> bool {
        self.shares.process == 0
    }

    /// The number that the first process has passed.
    pub(super) fn as_the_first_says(&mut self, number: u64) -> Result<u64, TableError> {
        self.exchange.as_the_first_says(number).map_err(TableError::Process)
    }

    /// Returns what this process has done, unless the user of one has asked it to stop meanwhile.
    pub(crate) fn unless_one_stopped<T>(&mut self, done: Result<T, TableError>) -> Result<T, TableError> {
        let stopped = u64::from(matches!(done, Err(TableError::Interrupted)));
        let received = self.exchange.exchange(vec![message_of([stopped]); self.shares.processes]);
        let mut all = received.map_err(TableError::Process)?.into_iter();
        let stopped = all.try_fold(0, |stopped, message| Ok(stopped + take_number(&mut message.as_slice())?));
        if stopped.map_err(TableError::Process)? > 0 { Err(TableError::Interrupted) } else { done }
    }

    /// Exchanges what a ply has decided, and returns the summary of all processes.
    pub(crate) fn exchange_ply(
        &mut self,
        summary: PlySummary,
        bits: &mut LayerBits<'_>,
        ply: Ply<'_>,
        threads: &Threads,
    ) -> Result<PlySummary, TableError> {
        let (shares, decided) = (&self.shares, &*bits);
        let message = |process: usize| {
            let mut message = message_of(summary);
            for state in shares.sent(shares.process, process) {
                let start = message.len();
                message.extend(message_of([0]));
                decided.write(state, &mut message);
                let length = (message.len() - start - size_of::<u64>()) as u64;
                message[start..start + size_of::<u64>()].copy_from_slice(&length.to_le_bytes());
            }
            message
        };
        let messages = threads.run(|| map(0..shares.processes, message));
        let others = messages.iter().enumerate().filter(|(process, _)| *process != shares.process);
        self.sent += others.map(|(_, message)| message.len() as u64).sum::<u64>();
        let received = self.exchange.exchange(messages).map_err(TableError::Process)?;
        let (mut sum, mut of_states) = ([0; 4], Vec::new());
        let mut read = || -> io::Result<()> {
            for (process, message) in received.iter().enumerate() {
                let message = &mut message.as_slice();
                let [of_rebels, of_general, longest, stop] = &mut sum;
                *of_rebels += take_number(message)?;
                *of_general += take_number(message)?;
                *longest = take_number(message)?.max(*longest);
                *stop += take_number(message)?;
                for state in shares.sent(process, shares.process) {
                    let length = take_number(message)?;
                    of_states.push((state, take_bytes(message, length)?));
                }
            }
            Ok(())
        };
        read().map_err(TableError::Process)?;
        let mut read = || of_states.iter().try_for_each(|(state, message)| bits.read(ply, *state, message));
        threads.run(&mut read).map_err(TableError::Process)?;
        Ok(sum)
    }

    /// Hands a section, which one of the processes has, to the first one.
    pub(crate) fn hand_over(&mut self, own: Option<Section>) -> Result<Section, TableError> {
        if !self.are_several() {
            return Ok(own.unwrap_or_default());
        }
        let received = self.send_to_first(own.map_or_else(Vec::new, message_of_section))?;
        let section = received.iter().find(|message| !message.is_empty()).map(|message| take_section(message));
        section.transpose().map(Option::unwrap_or_default).map_err(TableError::Process)
    }

    /// Sends a message to the first process, which gets those of all; the others get empty ones.
    fn send_to_first(&mut self, message: Vec<u8>) -> Result<Vec<Vec<u8>>, TableError> {
        if !self.is_first() {
            self.sent += message.len() as u64;
        }
        let mut messages = vec![Vec::new(); self.shares.processes];
        messages[0] = message;
        self.exchange.exchange(messages).map_err(TableError::Process)
    }
}

fn message_of_section(Section { codes, counts, general, longest }: Section) -> Vec<u8> {
    let numbers = [counts, general].into_iter().flat_map(|Counts { won, drawn, lost }| [won, drawn, lost]);
    [message_of(numbers.chain([longest.into()])), codes].concat()
}

fn take_section(mut message: &[u8]) -> io::Result<Section> {
    let mut number = || take_number(&mut message);
    let mut counts = || Ok::<_, io::Error>(Counts { won: number()?, drawn: number()?, lost: number()? });
    let (counts, general) = (counts()?, counts()?);
    Ok(Section { counts, general, longest: number()? as u32, codes: message.to_vec() })
}
