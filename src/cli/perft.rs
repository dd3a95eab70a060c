//! `privy perft` and `privy bench`.
//!
//! Perft measures move generation alone, counted in bulk, without hashing. The benchmark searches fixed positions to a
//! fixed depth: its node count is the signature of the search, its speed is for comparison on one machine.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use privy_program::{CliError, interrupt_stop, within};
use privy_protocol::clock::milliseconds;
use serde::Serialize;

use privy_rules::{divide, perft};
use privy_search::{bench, nodes_per_second};

use super::common::{MOST_PLIES, PositionArguments, print_json};

/// Count the sequences of legal moves of a length
///
/// A check and a measure of move generation: without hashing, the last ply counted in bulk. Ends with a line
/// `nodes N time MS nps N`.
#[derive(Args)]
pub(super) struct PerftArguments {
    #[command(flatten)]
    position: PositionArguments,
    /// Length in plies
    #[arg(value_parser = within(0_u32..=100_000))]
    depth: u32,
    /// Count for each first move
    #[arg(long)]
    divide: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The figures as JSON.
#[derive(Serialize)]
struct PerftFigures<'a> {
    variant: &'a str,
    position: String,
    depth: u32,
    nodes: u64,
    /// In milliseconds.
    time: u64,
    nps: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveNodes>,
}

#[derive(Serialize)]
struct MoveNodes {
    r#move: String,
    nodes: u64,
}

impl PerftArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let game = self.position.game()?;
        let interrupted = interrupt_stop();
        let mut stop = || interrupted.is_set();
        let not_counted = || {
            if interrupted.is_set() {
                return CliError::Interrupted("nothing has been counted to the end".to_owned());
            }
            CliError::Usage(format!("depth {}: the tree is too deep to be counted", self.depth))
        };
        let start = Instant::now();
        let (divisions, nodes) = match self.divide && self.depth > 0 {
            true => {
                let divisions = divide(&game, self.depth, &mut stop).ok_or_else(not_counted)?;
                let nodes = divisions.iter().map(|(_, count)| count).sum();
                (divisions, nodes)
            }
            false => (Vec::new(), perft(&game, self.depth, &mut stop).ok_or_else(not_counted)?),
        };
        let time = start.elapsed();
        let nps = nodes_per_second(nodes, time);
        if self.json {
            let moves = divisions.into_iter().map(|(text, nodes)| MoveNodes { r#move: text, nodes }).collect();
            let (variant, position, depth) = (game.variant().id(), game.to_string(), self.depth);
            let figures = PerftFigures { variant, position, depth, nodes, time: milliseconds(time), nps, moves };
            return print_json(&figures, output);
        }
        for (move_, count) in &divisions {
            writeln!(output, "{move_} {count}")?;
        }
        Ok(writeln!(output, "nodes {nodes} time {} nps {nps}", milliseconds(time))?)
    }
}

/// Search fixed positions: nodes, nodes per second, and the signature of the search
///
/// All variants have some. The signature is the sum of all nodes. It depends on the program alone, so it tells whether
/// two programs search alike; nodes per second are for comparison on one machine.
#[derive(Args)]
pub(super) struct BenchArguments {
    /// Depth in plies
    #[arg(long, value_name = "N", value_parser = within(1..=MOST_PLIES))]
    depth: Option<u32>,
}

impl BenchArguments {
    pub(super) fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let result = bench::run(self.depth.unwrap_or(bench::DEPTH), &interrupt_stop());
        let result =
            result.ok_or_else(|| CliError::Interrupted("the signature is that of all positions".to_owned()))?;
        Ok(writeln!(output, "{result}")?)
    }
}
