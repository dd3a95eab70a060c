//! `privy-solve-mpi`: tables of perfect play, solved by several processes on one machine or many.
//!
//! `mpirun -n 4 privy-solve-mpi VARIANT --tables DIR` makes the same table as `privy solve VARIANT --tables DIR`. Each
//! process holds the positions of some of the General's points, by layers; the folder must be one that all see.

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use mpi::Threading;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use privy_protocol::Stop;
use privy_rules::Variant;
use privy_tables::{Exchange, Progress, SolveOptions, Table, TableError, find_table, solve_among, table_path};

/// Solve a variant together with the other processes that mpirun has started with the same command
#[derive(Parser)]
#[command(name = "privy-solve-mpi", version)]
struct MpiArguments {
    /// Id or file of the variant
    variant: String,
    /// The folder of the tables, which all processes see
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    /// Threads of each process, 1 to 1024; all cores without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// Memory that the positions of each process may take, 1 to 1073741824 MiB; without it what the system gives
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,
    /// Solve only the positions with at most N Rebels, 1 to 63
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=63))]
    rebels: Option<u32>,
    /// Solve again, even if there is a table
    #[arg(long)]
    force: bool,
}

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let arguments = MpiArguments::parse();
    let mut all = Mpi::join().expect("MPI is initialised once");
    // Where this process ends by itself, the others would wait for it forever.
    match panic::catch_unwind(AssertUnwindSafe(|| arguments.run(&mut all))) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            log::error!("process {}: {error}", all.number());
            all.world.abort(1)
        }
        Err(_) => all.world.abort(1),
    }
}

impl MpiArguments {
    /// The first process decides if a solve is needed, and says what was done.
    fn run(&self, all: &mut Mpi) -> Result<(), Box<dyn std::error::Error>> {
        let variant = match self.variant.contains('/') || self.variant.ends_with(".toml") {
            true => Arc::new(Variant::from_file(Path::new(&self.variant))?),
            false => Variant::builtin(&self.variant).ok_or_else(|| format!("unknown variant: {}", self.variant))?,
        };
        let is_first = all.number() == 0;
        let is_needed = !is_first || self.force || !self.is_solved(&variant);
        if all.as_the_first_says(u64::from(is_needed)).map_err(TableError::Process)? == 0 {
            if is_first {
                writeln!(io::stdout(), "{}: solved already", variant.id())?;
            }
            return Ok(());
        }
        let path = table_path(&self.tables, &variant);
        let threads = self.threads.map(|threads| threads as usize);
        let options = SolveOptions { threads, memory: self.memory, rebels: self.rebels };
        let (mut sent, mut resumed_from) = (0, None);
        let mut report = |progress: &Progress| {
            (sent, resumed_from) = (progress.sent, progress.resumed_from);
            log::info!("{} Rebels, ply {}, {} decided", progress.rebels, progress.ply, progress.decided);
        };
        let solved = solve_among(&variant, &path, &options, all, &mut report, &Stop::default())?;
        let mut output = io::stdout();
        if let Some(solved) = solved {
            if let Some(reached) = resumed_from {
                let id = variant.id();
                writeln!(output, "{id}: resumed from {reached} Rebels, where an interrupted run had stopped")?;
            }
            let (seconds, bytes) = (solved.time.as_secs_f64(), solved.bytes);
            writeln!(output, "{}: solved in {seconds:.1} s, {bytes} bytes, {}", variant.id(), path.display())?;
        }
        writeln!(output, "process {}: {:.1} MB sent", all.number(), sent as f64 / 1e6)?;
        Ok(())
    }

    fn is_solved(&self, variant: &Arc<Variant>) -> bool {
        let table = find_table(&self.tables, variant).and_then(|path| Table::open(&path, variant));
        table.and_then(|table| table.check().and_then(|()| table.covers(self.rebels))).unwrap_or(false)
    }
}

/// The processes that `mpirun` or a batch system has started with the same command. When one of them ends too early,
/// MPI ends the others.
struct Mpi {
    world: SimpleCommunicator,
    /// Finalises MPI when dropped.
    _universe: Universe,
}

/// The most bytes of a call, for all processes together: MPI counts in 32 bits, and its buffers take as much again.
const BYTES_OF_CALL: usize = 1 << 28;

impl Mpi {
    /// Initialises MPI; `None` when this process has done so already.
    fn join() -> Option<Mpi> {
        // Only the main thread sends messages.
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        Some(Mpi { world: universe.world(), _universe: universe })
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

/// A buffer with memory even for length 0: MPI may give the address of an empty `Vec` another meaning.
fn buffer(length: usize) -> Vec<u8> {
    Vec::with_capacity(length + 1)
}

fn offsets(counts: &[i32]) -> Vec<i32> {
    let begin = |next: &mut i32, count: &i32| Some(std::mem::replace(next, *next + count));
    counts.iter().scan(0, begin).collect()
}
