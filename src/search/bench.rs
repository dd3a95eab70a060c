//! The bench: searches of one or two positions of every variant to a fixed depth, each with a new searcher.
//!
//! The number of nodes depends on rules, evaluation and search alone: their sum is the signature of the search, which
//! only a change of the search may change. Nodes per second compare two runs on the same machine.

use std::fmt;
use std::time::Duration;

use privy_protocol::{Instant, Limits, Stop, nodes_per_second};

use privy_rules::games;
use privy_rules::{Game, Variant};

use super::searcher::Searcher;

/// The default depth, in plies.
pub const DEPTH: u32 = 11;

/// Nodes and time of the searches.
#[derive(Debug, Clone)]
pub struct BenchResult {
    /// Depth of the searches, in plies.
    pub depth: u32,
    /// Nodes and time by the id of the variant, in the order of the registry.
    pub by_variant: Vec<(String, u64, Duration)>,
}

impl BenchResult {
    /// Returns the signature: all nodes.
    pub fn nodes(&self) -> u64 {
        self.by_variant.iter().map(|(_, nodes, _)| nodes).sum()
    }
}

impl fmt::Display for BenchResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, nodes, time) in &self.by_variant {
            writeln!(f, "{id:24} nodes {nodes:>10} nps {:>9}", nodes_per_second(*nodes, *time))?;
        }
        let (nodes, time) = (self.nodes(), self.by_variant.iter().map(|(_, _, time)| *time).sum::<Duration>());
        let (ms, nps) = (time.as_millis(), nodes_per_second(nodes, time));
        write!(f, "depth {} nodes {nodes} time {ms} nps {nps}\nsignature {nodes}", self.depth)
    }
}

/// Returns the positions, by variant in the order of the registry: the opening, then those of the game's `bench.txt`.
pub fn positions() -> Vec<Game> {
    let mut positions = Vec::new();
    for files in games::all().iter().filter(|files| !files.is_relative()) {
        let variant = Variant::builtin(files.id).expect("games of the registry");
        positions.push(variant.start());
        for text in files.bench.unwrap_or_default().lines() {
            positions.push(Game::from_text(text, Some(&variant)).expect("a test reads all positions"));
        }
    }
    positions.retain(|game| game.outcome().is_none());
    positions
}

/// Searches all positions to a depth; `None` if `stop` is set before the end.
pub fn run(depth: u32, stop: &Stop) -> Option<BenchResult> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut by_variant: Vec<(String, u64, Duration)> = Vec::new();
    for game in positions() {
        let id = game.variant().id();
        if by_variant.last().is_none_or(|(last, _, _)| last != id) {
            by_variant.push((id.to_owned(), 0, Duration::ZERO));
        }
        let start = Instant::now();
        let found = Searcher::new(16).search(&game, limits, stop, &mut |_| {});
        if stop.is_set() {
            return None;
        }
        let (_, nodes, time) = by_variant.last_mut().expect("an entry for the game");
        *nodes += found.expect("the game is not over").nodes;
        *time += start.elapsed();
    }
    Some(BenchResult { depth, by_variant })
}
