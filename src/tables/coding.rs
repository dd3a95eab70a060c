//! Values as codes, and what is counted of them.

use serde::{Deserialize, Serialize};

use privy_base::threads::map;
use privy_protocol::Stop;
use privy_rules::Variant;
use privy_rules::rule_set::{NoMove, RuleSet};

use super::compression::{CODES, compress};
use super::value::TableValue;

/// Won, drawn and lost positions of a layer for the side to move, without those in which the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// The side to move wins.
    pub won: u64,
    /// No side can force an end: a draw, unless a repetition wins.
    pub drawn: u64,
    /// The side to move loses.
    pub lost: u64,
}

impl Counts {
    /// All positions.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Counts positions of a value, unless the game is over in them.
    #[inline(always)]
    pub(super) fn note(&mut self, value: TableValue, times: u64) {
        match value {
            TableValue::Win(0) | TableValue::Loss(0) => {}
            TableValue::Win(_) => self.won += times,
            TableValue::Loss(_) => self.lost += times,
            _ => self.drawn += times,
        }
    }

    /// Adds others, each as often as said.
    pub fn add(&mut self, other: Counts, times: u64) {
        self.won += times * other.won;
        self.drawn += times * other.drawn;
        self.lost += times * other.lost;
    }
}

/// The positions with a number of Rebels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Layer {
    /// Rebels on the board.
    pub rebels: u32,
    /// With the General to move.
    pub general: Counts,
    /// With the Rebels to move.
    pub rebel: Counts,
}

/// How the value of a position with the Rebels to move is written: a code, 0 for a draw or an open position. Codes of
/// short games fit into a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coding {
    /// A code is the plies to the end plus 1. Without a flag their parity says who wins: whoever makes the last move.
    /// Where a side may lose by its own move, or win because it cannot move, twice the plies are followed by a bit,
    /// which is set for a win of the Rebels.
    pub has_flag: bool,
}

impl Coding {
    pub fn of(variant: &Variant) -> Coding {
        let rules = variant.rules();
        let RuleSet { no_move, past_rebels, .. } = variant.rule_set();
        let wins_stuck = [no_move.general, no_move.rebels].contains(&NoMove::Win);
        Coding { has_flag: wins_stuck || *past_rebels || !(rules.losing_apex | rules.losing_points).is_empty() }
    }

    pub fn most_plies(self) -> u32 {
        CODES as u32 / 2 - 2
    }

    /// The code of a decided position; `plies` is at most [`most_plies`](Coding::most_plies).
    pub fn write(self, plies: u32, rebels_win: bool) -> u16 {
        (if self.has_flag { 2 * plies + u32::from(rebels_win) } else { plies }) as u16 + 1
    }

    /// The value for the Rebels, to move.
    #[inline(always)]
    pub fn value(self, code: u16) -> TableValue {
        let Some(code) = code.checked_sub(1) else { return TableValue::Draw };
        let plies = u32::from(if self.has_flag { code >> 1 } else { code });
        if code & 1 == 1 { TableValue::Win(plies) } else { TableValue::Loss(plies) }
    }
}

/// The values of a layer of a state with the Rebels to move, compressed and counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// The compressed codes by rank.
    pub codes: Vec<u8>,
    pub counts: Counts,
    /// What is counted of the same positions with the General to move.
    pub general: Counts,
    /// The most plies to the end.
    pub longest: u32,
}

impl Section {
    /// Compresses codes by rank, given in parts. Once `stop` is set the section is incomplete.
    pub fn new(coding: Coding, codes: &[Vec<u16>], stop: &Stop) -> Section {
        let mut section = Section { codes: compress(codes, stop), ..Section::default() };
        let parts = map(codes, |part| histogram(part));
        let counts = (0..CODES).map(|code| parts.iter().map(|part| part[code]).sum());
        for (code, count) in (0..).zip(counts).filter(|(_, count)| *count > 0) {
            let value = coding.value(code);
            section.counts.note(value, count);
            section.longest = section.longest.max(value.plies().unwrap_or(0));
        }
        section
    }
}

/// How often each code occurs.
fn histogram(codes: &[u16]) -> Vec<u64> {
    // Four histograms: to count equal neighbours in one place is slow.
    let mut counts = vec![[0u64; 4]; CODES];
    let (fours, rest) = codes.as_chunks::<4>();
    for four in fours {
        for (number, code) in four.iter().enumerate() {
            counts[usize::from(*code)][number] += 1;
        }
    }
    rest.iter().for_each(|code| counts[usize::from(*code)][0] += 1);
    counts.iter().map(|counts| counts.iter().sum()).collect()
}
