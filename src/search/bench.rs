//! A fixed piece of work for the search: how fast is it, and is it the same search as before?
//!
//! A position or two of every variant are searched to a fixed depth, each by a searcher of its own. The number of nodes
//! depends on the rules, the evaluation and the search alone, never on the machine: their sum is the signature of the
//! search, and a change that is not meant to alter the search leaves it as it is. Nodes per second depend on the machine
//! and are for comparison with another run on the same one.

use std::fmt;
use std::time::{Duration, Instant};

use crate::games::{self, GameFiles};
use crate::rules::{Game, Variant};

use super::limits::{Limits, Stop};
use super::searcher::{Searcher, nodes_per_second};

/// The depth of a usual run, in plies.
pub const DEPTH: u32 = 11;

/// What one position took.
#[derive(Debug, Clone)]
pub struct Run {
    /// The position, as a game that begins with it.
    pub game: Game,
    /// Nodes of the search: its signature on this position.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// What all positions took.
#[derive(Debug, Clone)]
pub struct Results {
    /// Depth of the searches, in plies.
    pub depth: u32,
    /// One a position.
    pub runs: Vec<Run>,
}

impl Results {
    /// All nodes: the signature.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.runs.iter().map(|run| run.nodes).sum()
    }

    /// Time of all searches.
    #[must_use]
    pub fn time(&self) -> Duration {
        self.runs.iter().map(|run| run.time).sum()
    }

    /// Nodes and time per variant, in the order of the runs.
    #[must_use]
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

/// A line per variant, then the sum.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, nodes, time) in self.by_variant() {
            writeln!(f, "{id:24} nodes {nodes:>10} nps {:>9}", nodes_per_second(nodes, time))?;
        }
        let (nodes, time) = (self.nodes(), self.time());
        write!(
            f,
            "depth {} nodes {nodes} time {} nps {}",
            self.depth,
            time.as_millis(),
            nodes_per_second(nodes, time)
        )?;
        write!(f, "\nsignature {nodes}")
    }
}

/// The positions, by variant in the order of the registry: the opening, then those of the game's `bench.txt`.
#[must_use]
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
///
/// # Panics
/// Never: nothing stops it.
#[must_use]
pub fn run(depth: u32) -> Results {
    run_until(depth, &Stop::default()).expect("nothing stops it")
}

/// Searches all positions to a depth; gives nothing when it is stopped before the end.
#[must_use]
pub fn run_until(depth: u32, stop: &Stop) -> Option<Results> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let search = |game: Game| {
        let start = Instant::now();
        let found = Searcher::new(16).search(&game, &limits, stop, &mut |_| {});
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
