//! Two games on one board, position by position.

use std::collections::BTreeMap;

use privy::rules::family::Every;
use privy::rules::{Position, Side};
use privy::tablebase::{Decompressed, Value};

/// What changes when one game is taken for the other. Only positions that are not over and in which no apex was visited
/// are compared: those that both games have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Comparison {
    /// By who wins in the first game (Rebels, nobody, General), then in the second.
    pub(super) classes: [[u64; 3]; 3],
    /// Positions that the General wins in both, by how many plies longer it takes in the second.
    pub(super) general_wins: BTreeMap<i64, u64>,
    /// The same for the Rebels.
    pub(super) rebels_win: BTreeMap<i64, u64>,
}

impl Comparison {
    /// The positions with one side to move.
    pub(super) fn of(first: &Decompressed, second: &Decompressed, side: Side) -> Comparison {
        let rules = first.variant().rules();
        let value = |values: &Decompressed, position: &Position| match side {
            Side::Rebels => values.of_rebels(position),
            Side::General => values.of_general::<Every>(position),
        };
        // 0: the Rebels win, 2: the General wins.
        let class = |value: Value| match side {
            Side::General => (value.class() + 1) as usize,
            Side::Rebels => (1 - value.class()) as usize,
        };
        let places = first.fold(Comparison::default, |sum, position, weight| {
            let position = position.with_side(side);
            if position.apex_visited() || rules.outcome::<Every>(&position, None).is_some() {
                return;
            }
            let (Some(a), Some(b)) = (value(first, &position), value(second, &position)) else { return };
            sum.classes[class(a)][class(b)] += weight;
            let ((Value::Win(before), Value::Win(after)) | (Value::Loss(before), Value::Loss(after))) = (a, b) else {
                return;
            };
            let differences = if class(a) == 2 { &mut sum.general_wins } else { &mut sum.rebels_win };
            *differences.entry(i64::from(after) - i64::from(before)).or_default() += weight;
        });
        let mut all = Comparison::default();
        places.iter().for_each(|sum| all.add(sum));
        all
    }

    pub(super) fn all(&self) -> u64 {
        self.classes.iter().flatten().sum()
    }

    /// Positions in which another side wins, or nobody instead of somebody.
    pub(super) fn class_changes(&self) -> u64 {
        let kept: u64 = self.classes.iter().enumerate().filter_map(|(class, row)| row.get(class)).sum();
        self.all() - kept
    }

    /// Positions with the same winner at another distance.
    pub(super) fn distance_changes(&self) -> u64 {
        let changed = self.general_wins.iter().chain(&self.rebels_win).filter(|(difference, _)| **difference != 0);
        changed.map(|(_, count)| count).sum()
    }

    fn add(&mut self, other: &Comparison) {
        for (row, others) in self.classes.iter_mut().zip(&other.classes) {
            row.iter_mut().zip(others).for_each(|(sum, count)| *sum += count);
        }
        for (difference, count) in &other.general_wins {
            *self.general_wins.entry(*difference).or_default() += count;
        }
        for (difference, count) in &other.rebels_win {
            *self.rebels_win.entry(*difference).or_default() += count;
        }
    }
}

/// Sum, number and median of differences.
pub(super) fn summary(differences: &BTreeMap<i64, u64>) -> (i64, u64, i64) {
    let count: u64 = differences.values().sum();
    let sum = differences.iter().map(|(difference, count)| difference * *count as i64).sum();
    let mut seen = 0;
    let median = differences.iter().find(|(_, positions)| {
        seen += **positions;
        seen * 2 >= count
    });
    (sum, count, median.map_or(0, |(difference, _)| *difference))
}
