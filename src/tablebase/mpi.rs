//! The processes of a solve over MPI, on one machine or many.

use std::io;

use mpi::Threading;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};

use super::exchange::Exchange;

/// The processes that `mpirun` or a batch system has started with the same command. When one of them ends too early, MPI ends the others.
pub struct Mpi {
    world: SimpleCommunicator,
    /// Finalises MPI when dropped.
    _universe: Universe,
}

/// The most bytes of a call, for all processes together: MPI counts in 32 bits, and its buffers take as much again.
const BYTES_OF_CALL: usize = 1 << 28;

impl Mpi {
    /// Initialises MPI; none when this process has done so already.
    #[must_use]
    pub fn join() -> Option<Mpi> {
        // Only the main thread sends messages.
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        Some(Mpi { world: universe.world(), _universe: universe })
    }

    /// Ends all processes, after an error in this one.
    pub fn abort(&self) -> ! {
        self.world.abort(1)
    }
}

impl Exchange for Mpi {
    fn processes(&self) -> usize {
        usize::try_from(self.world.size()).expect("a number of processes")
    }

    fn number(&self) -> usize {
        usize::try_from(self.world.rank()).expect("the number of a process")
    }

    fn exchange(&mut self, messages: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        let part = BYTES_OF_CALL / messages.len().max(1);
        let lengths: Vec<u64> = messages.iter().map(|message| message.len() as u64).collect();
        let mut expected = vec![0u64; messages.len()];
        self.world.all_to_all_into(&lengths, &mut expected);
        let mut received: Vec<Vec<u8>> = expected.iter().map(|length| Vec::with_capacity(*length as usize)).collect();
        // The longest message of all processes determines the number of calls.
        let longest = lengths.iter().chain(&expected).max().copied().unwrap_or(0);
        let mut most = 0u64;
        self.world.all_reduce_into(&longest, &mut most, mpi::collective::SystemOperation::max());
        for first in (0..most as usize).step_by(part) {
            let here = |length: usize| length.saturating_sub(first).min(part);
            let counts: Vec<i32> = messages.iter().map(|message| here(message.len()) as i32).collect();
            let counts_received: Vec<i32> = expected.iter().map(|length| here(*length as usize) as i32).collect();
            let sum = |counts: &[i32]| counts.iter().sum::<i32>() as usize;
            let mut sent = buffer(sum(&counts));
            for message in &messages {
                sent.extend_from_slice(&message[first.min(message.len())..][..here(message.len())]);
            }
            let mut got = buffer(sum(&counts_received));
            got.resize(sum(&counts_received), 0);
            let send = Partition::new(&sent[..], counts.clone(), offsets(&counts));
            let mut receive = PartitionMut::new(&mut got[..], counts_received.clone(), offsets(&counts_received));
            self.world.all_to_all_varcount_into(&send, &mut receive);
            let mut rest = got.as_slice();
            for (received, count) in received.iter_mut().zip(counts_received) {
                let (taken, others) = rest.split_at(count as usize);
                received.extend_from_slice(taken);
                rest = others;
            }
        }
        Ok(received)
    }
}

/// A buffer with memory even for length 0: MPI may give the address of an empty `Vec` a meaning of its own.
fn buffer(length: usize) -> Vec<u8> {
    Vec::with_capacity(length + 1)
}

fn offsets(counts: &[i32]) -> Vec<i32> {
    let begin = |next: &mut i32, count: &i32| Some(std::mem::replace(next, *next + count));
    counts.iter().scan(0, begin).collect()
}
