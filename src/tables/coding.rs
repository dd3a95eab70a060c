//! Values as bytes, and what is counted of them.

use serde::{Deserialize, Serialize};

use privy_protocol::Stop;
use privy_rules::Variant;
use privy_rules::rule_set::{NoMove, RuleSet};

use super::compression::compress;
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

    pub(super) fn add(&mut self, other: Counts, times: u64) {
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

/// How the value of a position with the Rebels to move is written: in a byte, 0 for a draw or an open position. Where some wins take
/// more plies than a byte holds, a second byte counts the *laps*, each a fixed number of plies more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coding {
    /// The byte is the plies to the end plus 1. Without a flag their parity tells the winner, who makes the last move. With one they have
    /// seven bits, and the highest bit is set for a win of the Rebels: for games in which a side may lose by its own move,
    /// the General on an apex or another point where it loses, or win because it cannot move. The flag alone reads as a draw, and is never written.
    pub has_flag: bool,
    /// The most plies without a lap: odd.
    most: u32,
}

pub(super) const MOST_LAPS: u8 = 3;

/// Bound on codes, laps in the high byte.
pub const CODES: usize = (MOST_LAPS as usize + 1) << 8;

impl Coding {
    pub fn of(variant: &Variant) -> Coding {
        let rules = variant.rules();
        let RuleSet { no_move, past_rebels, .. } = variant.rule_set();
        let wins_stuck = [no_move.general, no_move.rebels].contains(&NoMove::Win);
        Coding::with_flag(wins_stuck || *past_rebels || !(rules.losing_apex | rules.losing_points).is_empty())
    }

    pub fn with_flag(has_flag: bool) -> Coding {
        Coding { has_flag, most: if has_flag { 125 } else { 253 } }
    }

    /// The same with fewer plies without a lap (odd, at least 3), so that short games have laps too.
    pub fn with_short_laps(self, most: u32) -> Option<Coding> {
        (most % 2 == 1 && (3..=Coding::with_flag(self.has_flag).most).contains(&most))
            .then_some(Coding { most, ..self })
    }

    /// True for a coding that a file of a variant may have.
    pub fn is_of(self, variant: &Variant) -> bool {
        Coding::of(variant).with_short_laps(self.most) == Some(self)
    }

    /// The most plies that one byte holds.
    pub fn most_plies_of_byte(self) -> u32 {
        self.most
    }

    pub fn most_plies(self) -> u32 {
        self.most + u32::from(MOST_LAPS) * self.lap()
    }

    /// Plies of a lap: even, so that a lap does not change the winner.
    fn lap(self) -> u32 {
        self.most - 1
    }

    /// The code of a decided position, laps in the high byte; `plies` is at most [`most_plies`](Coding::most_plies).
    pub fn write(self, plies: u32, rebels_win: bool) -> u16 {
        let laps = plies.saturating_sub(2) / self.lap();
        let flag = if self.has_flag && rebels_win { 0x80 } else { 0 };
        (laps << 8 | (plies - laps * self.lap() + 1) | flag) as u16
    }

    /// The value for the Rebels, to move.
    #[inline(always)]
    pub fn value(self, code: u16) -> TableValue {
        let [byte, laps] = code.to_le_bytes();
        let (plies, rebels_win) = if self.has_flag { (byte & 0x7f, byte & 0x80 != 0) } else { (byte, byte & 1 == 0) };
        let Some(plies) = plies.checked_sub(1) else { return TableValue::Draw };
        let plies = u32::from(plies) + u32::from(laps) * self.lap();
        if rebels_win { TableValue::Win(plies) } else { TableValue::Loss(plies) }
    }
}

#[inline(always)]
pub(super) fn code_of(byte: u8, laps: u8) -> u16 {
    // More laps are never written; a forged file may be wrong, but every code must be in range.
    u16::from_le_bytes([byte, laps & MOST_LAPS])
}

/// The values of a layer of a state with the Rebels to move, compressed and counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    pub values: Vec<u8>,
    /// The laps; empty where all are 0.
    pub laps: Vec<u8>,
    pub counts: Counts,
    /// The most plies to the end.
    pub longest: u32,
}

impl Section {
    /// Compresses codes by rank: values and laps, of which there may be none. Once `stop` is set the section is incomplete.
    #[inline(always)]
    pub fn new(coding: Coding, values: &[u8], laps: &[u8], stop: &Stop) -> Section {
        let histogram = if laps.is_empty() { histogram(values) } else { histogram_with_laps(values, laps) };
        let mut section = Section { values: compress(values, stop), ..Section::default() };
        for (code, count) in (0..).zip(histogram).filter(|(_, count)| *count > 0) {
            let value = coding.value(code);
            match value.class() {
                // Of these the game is over.
                _ if matches!(value, TableValue::Loss(0) | TableValue::Win(0)) => {}
                1 => section.counts.won += count,
                0 => section.counts.drawn += count,
                _ => section.counts.lost += count,
            }
            section.longest = section.longest.max(value.plies().unwrap_or(0));
        }
        if histogram[1 << 8..].iter().any(|count| *count > 0) {
            section.laps = compress(laps, stop);
        }
        section
    }
}

/// How often each code occurs.
#[inline(always)]
fn histogram(values: &[u8]) -> [u64; CODES] {
    // Equal neighbours are counted apart: a count waits for the last one in the same place.
    let mut counts = [[0u64; 256]; 4];
    let (fours, rest) = values.as_chunks::<4>();
    for four in fours {
        for (counts, value) in counts.iter_mut().zip(four) {
            counts[usize::from(*value)] += 1;
        }
    }
    rest.iter().for_each(|value| counts[0][usize::from(*value)] += 1);
    let mut histogram = [0; CODES];
    for (value, count) in histogram[..256].iter_mut().enumerate() {
        *count = counts.iter().map(|counts| counts[value]).sum();
    }
    histogram
}

#[inline(always)]
fn histogram_with_laps(values: &[u8], laps: &[u8]) -> [u64; CODES] {
    let mut histogram = histogram(values);
    // Few values have laps.
    for (values, laps) in values.chunks(64).zip(laps.chunks(64)).filter(|(_, laps)| **laps != [0; 64][..laps.len()]) {
        for (value, laps) in values.iter().zip(laps) {
            histogram[usize::from(*value)] -= 1;
            histogram[usize::from(code_of(*value, *laps))] += 1;
        }
    }
    histogram
}
