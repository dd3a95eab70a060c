//! The bench: searches of one or two positions of every variant to a fixed depth, each with a new searcher.
//!
//! The number of nodes depends on rules, evaluation and search alone: their sum is the signature of the search, which only a change of
//! the search may change. Nodes per second compare two runs on the same machine.

use std::fmt;
use std::time::{Duration, Instant};

use crate::games::{self, GameFiles};
use crate::rules::{Game, Variant};

use privy_protocol::{Limits, Stop, nodes_per_second};

use super::searcher::Searcher;

/// The default depth, in plies.
pub const DEPTH: u32 = 11;

/// The search of one position.
#[derive(Debug, Clone)]
pub struct Run {
    /// A game that begins with the position.
    pub game: Game,
    /// Nodes of the search.
    pub nodes: u64,
    /// Time of the search.
    pub time: Duration,
}

/// The searches of all positions.
#[derive(Debug, Clone)]
pub struct Results {
    /// Depth of the searches, in plies.
    pub depth: u32,
    /// One for each position.
    pub runs: Vec<Run>,
}

impl Results {
    /// The signature: all nodes.
    pub fn nodes(&self) -> u64 {
        self.runs.iter().map(|run| run.nodes).sum()
    }

    /// Nodes and time per variant, in the order of the runs.
    pub fn by_variant(&self) -> Vec<(String, u64, Duration)> {
        let mut sums: Vec<(String, u64, Duration)> = Vec::new();
        for run in &self.runs {
            let id = run.game.variant().id();
            match sums.iter_mut().find(|(known, _, _)| known == id) {
                Some((_, nodes, time)) => {
                    *nodes += run.nodes;
                    *time += run.time;
                }
                None => sums.push((id.to_owned(), run.nodes, run.time)),
            }
        }
        sums
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, nodes, time) in self.by_variant() {
            writeln!(f, "{id:24} nodes {nodes:>10} nps {:>9}", nodes_per_second(nodes, time))?;
        }
        let (nodes, time) = (self.nodes(), self.runs.iter().map(|run| run.time).sum::<Duration>());
        let (ms, nps) = (time.as_millis(), nodes_per_second(nodes, time));
        write!(f, "depth {} nodes {nodes} time {ms} nps {nps}\nsignature {nodes}", self.depth)
    }
}

/// The positions, by variant in the order of the registry: the opening, then those of the game's `bench.txt`.
pub fn positions() -> Vec<Game> {
    let of_game = |files: &GameFiles| {
        let variant = Variant::builtin(files.id).expect("games of the registry");
        let read = |text| Game::from_text(text, Some(&variant)).expect("a test reads all positions");
        let others = files.bench.unwrap_or_default().lines().map(read);
        let all: Vec<Game> = std::iter::once(variant.start()).chain(others).collect();
        all
    };
    let of_family = games::all().iter().filter(|files| !files.is_relative);
    of_family.flat_map(of_game).filter(|game| game.outcome().is_none()).collect()
}

/// Searches all positions to a depth.
pub fn run(depth: u32) -> Results {
    run_until(depth, &Stop::default()).expect("nothing stops it")
}

/// The same; none when it is stopped before the end.
pub fn run_until(depth: u32, stop: &Stop) -> Option<Results> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let search = |game: Game| {
        let start = Instant::now();
        let found = Searcher::new(16).search(&game, limits, stop, &mut |_| {});
        let nodes = found.expect("the game is not over").nodes;
        (!stop.is_set()).then(|| Run { game, nodes, time: start.elapsed() })
    };
    Some(Results { depth, runs: positions().into_iter().map(search).collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opening of twenty-six-murray alone is over.
    #[test]
    fn every_position_reads_and_can_be_searched() {
        assert_eq!(positions().len(), Variant::builtin_ids().count() - 1 + 17);
    }

    #[test]
    fn the_same_search_visits_the_same_nodes() {
        assert_eq!(run(4).nodes(), run(4).nodes());
    }
}
