//! Everything that perfect play can reach: the winner takes a shortest way, the loser a longest.

use std::collections::BTreeMap;

use rayon::prelude::*;

use privy::rules::{Position, Side, Variant};
use privy::tablebase::{Decompressed, Value};

use super::choices::{Choice, choices};

/// More positions of one ply than this are not followed.
const MOST_POSITIONS: usize = 4_000_000;

/// The positions on perfect lines from a position; a mirror image counts as the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PerfectLines {
    pub(super) positions: u64,
    /// Positions with the Rebels to move, their moves, those that keep the value class, and those that are perfect.
    pub(super) rebels: MoveCounts,
    pub(super) general: MoveCounts,
    /// Positions at the end, by the Rebels left.
    pub(super) left: BTreeMap<u32, u64>,
    /// False when there were too many positions.
    pub(super) complete: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct MoveCounts {
    pub(super) positions: u64,
    pub(super) moves: u64,
    pub(super) keeping: u64,
    pub(super) perfect: u64,
}

/// One position's share.
struct Step {
    side: Side,
    counts: MoveCounts,
    next: Vec<Position>,
    ends: Vec<u32>,
}

fn key(position: &Position) -> (u64, usize, bool, u8) {
    (position.rebels().0, position.general().index(), position.apex_visited(), position.free_jumps())
}

fn canonical(variant: &Variant, position: Position) -> Position {
    let image = variant.mirror(&position);
    if key(&image) < key(&position) { image } else { position }
}

fn step(values: &Decompressed, position: &Position) -> Step {
    let choices = choices(values, position);
    let best = choices.iter().map(|choice| choice.value).max();
    let class = best.map(Value::class);
    let keeping = choices.iter().filter(|choice| Some(choice.value.class()) == class).count() as u64;
    let perfect = choices.iter().filter(|choice| Some(choice.value) == best);
    let (over, going): (Vec<&Choice>, Vec<&Choice>) = perfect.partition(|choice| choice.outcome.is_some());
    let (moves, perfect) = (choices.len() as u64, (over.len() + going.len()) as u64);
    Step {
        side: position.side(),
        counts: MoveCounts { positions: 1, moves, keeping, perfect },
        next: going.iter().map(|choice| canonical(values.variant(), choice.next)).collect(),
        ends: over.iter().map(|choice| choice.next.rebels().len()).collect(),
    }
}

impl PerfectLines {
    /// Follows all perfect lines from a position that somebody wins.
    pub(super) fn from(values: &Decompressed, start: Position) -> PerfectLines {
        let mut lines = PerfectLines { complete: true, ..PerfectLines::default() };
        let mut now = vec![canonical(values.variant(), start)];
        while !now.is_empty() {
            if now.len() > MOST_POSITIONS {
                lines.complete = false;
                return lines;
            }
            lines.positions += now.len() as u64;
            let steps: Vec<Step> = now.par_iter().map(|position| step(values, position)).collect();
            now = Vec::new();
            for step in steps {
                let counts = if step.side == Side::Rebels { &mut lines.rebels } else { &mut lines.general };
                counts.positions += step.counts.positions;
                counts.moves += step.counts.moves;
                counts.keeping += step.counts.keeping;
                counts.perfect += step.counts.perfect;
                now.extend(step.next);
                step.ends.iter().for_each(|left| *lines.left.entry(*left).or_default() += 1);
            }
            now.par_sort_unstable_by_key(key);
            now.dedup();
        }
        lines
    }
}
