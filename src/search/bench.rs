//! A fixed piece of work for the search: how fast is it, and is it the same search as before?
//!
//! A position or two of every variant are searched to a fixed depth, each by a searcher of its own. The number of nodes
//! depends on the rules, the evaluation and the search alone, never on the machine: their sum is the signature of the
//! search, and a change that is not meant to alter the search leaves it as it is. Nodes per second depend on the machine
//! and are for comparison with another run on the same one.

use std::fmt;
use std::time::{Duration, Instant};

use crate::rules::{Game, Position, Variant};

use super::limits::{Limits, Stop};
use super::searcher::{Searcher, nodes_per_second};

/// The depth of a usual run, in plies.
pub const DEPTH: u32 = 8;

/// Beside the openings: positions from the middle of games.
const POSITIONS: [&str; 17] = [
    "1/3/r1rrr/r1r1r/2rr1/rG2r/rr1r1 g - 4 14 sixteen-rebels",
    "1/3/2rr1/r3r/1r1rr/r2G1/r1rr1 r - 2 19 sixteen-rebels",
    "1/3/5/3G1/2r2/5/1r1rr g - 0 0 sixteen-rebels-murray",
    "1/3/r2G1/3r1/5/4r/4r g - 0 0 sixteen-rebels-murray",
    "1/3/r3r/1r3/4r/4G/5 g - 0 0 sixteen-rebels-neeley",
    "1/3/r4/4G/2r1r/5/5 g - 0 0 sixteen-rebels-neeley",
    "1/3/r4/5/5/3G1/r1rr1 r - 0 0 shap-luk-kon",
    "1/3/1G1r1/2r2/4r/5/5 r - 0 0 shap-luk-kon",
    "1/2/4r/3r1/rr3/4G/5 g - 0 0 shap-luk-kon-2",
    "1/2/4G/5/r4/1r3/3rr g - 0 0 shap-luk-kon-2",
    "1/3/1r2r/1rr2/1rr2/1rr1r/1r1r1/1rr2/2Gr1/1rrr1/1rrr1 g - 1 11 subjugatio",
    "1/3/1r2r/1rr2/1rr2/1rr1r/1r1r1/1rr2/2Gr1/1rrr1/1rrr1 r - 1 12 subjugatio-free",
    "1/3/1r2r/1rr2/1rr2/1rr1r/1r1r1/1rr2/2G2/1rrr1/1r1r1 g - 1 11 subjugatio-intervention",
    "1/3/1r2r/1rr2/1rr2/1r2r/1r1r1/1rr2/2Gr1/1rr2/1r1r1 g - 1 11 yeung-luk",
    "3/3/1rr1r/r1r1r/r1G1r/1r3/r1r1r g - 3 15 juroku-musashi",
    "1/3/rr1rr/r1r1r/2G1r/1r3/r1r1r r - 3 15 monk-and-water",
    "rr1rr/r1rr1/1G4/rr2r/r1r1r g 2 1 6 kings-gonu",
];

/// What one position took.
#[derive(Debug, Clone)]
pub struct Run {
    /// The position.
    pub position: Position,
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
            let id = run.position.variant().id();
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

/// The positions, by variant in the order of the catalogue.
#[must_use]
pub fn positions() -> Vec<Position> {
    let openings = Variant::builtin_ids().filter_map(Variant::builtin).map(|variant| variant.start());
    let others = POSITIONS.iter().filter_map(|text| Position::from_text(text, None).ok());
    let mut positions: Vec<Position> = openings.chain(others).filter(|position| position.outcome().is_none()).collect();
    let place = |position: &Position| Variant::builtin_ids().position(|id| id == position.variant().id());
    positions.sort_by_key(place);
    positions
}

/// Searches all positions to a depth.
#[must_use]
pub fn run(depth: u32) -> Results {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut runs = Vec::new();
    for position in positions() {
        let mut searcher = Searcher::new(16);
        let start = Instant::now();
        let game = Game::new(position.clone());
        let nodes = searcher.search(&game, &limits, &Stop::default(), &mut |_| {}).map_or(0, |found| found.nodes);
        runs.push(Run { position, nodes, time: start.elapsed() });
    }
    Results { depth, runs }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The opening of twenty-six-murray alone is over.
    #[test]
    fn every_position_reads_and_can_be_searched() {
        assert_eq!(positions().len(), Variant::builtin_ids().count() - 1 + POSITIONS.len());
    }

    #[test]
    fn the_same_search_visits_the_same_nodes() {
        assert_eq!(run(4).nodes(), run(4).nodes());
    }
}
