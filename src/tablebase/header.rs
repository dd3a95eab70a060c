//! The header of a table file: what it is a table of, and what is in it.

use serde::{Deserialize, Serialize};

use crate::board::{Point, PointSet};
use crate::rules::Variant;

use super::index::Index;
use super::value::Value;

/// The version of the format of a table that covers all numbers of Rebels.
pub(super) const FORMAT: u32 = 1;

/// The version of one that covers fewer, which the layers tell. A reader of whole tables alone must not take it for one.
/// Files of other versions are not read.
pub(super) const PARTIAL_FORMAT: u32 = 2;

/// How many positions of a layer are won, drawn and lost for the side to move. Positions in which the game is over do not
/// count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// The side to move wins.
    pub won: u64,
    /// Neither side can win.
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
}

/// The positions with so many Rebels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// Rebels on the board.
    pub rebels: u32,
    /// With the General to move.
    pub general: Counts,
    /// With the Rebels to move.
    pub rebel: Counts,
}

/// One place in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SectionHeader {
    /// The General's point, by index.
    pub(super) general: usize,
    pub(super) apex_visited: bool,
    pub(super) free_jumps: u8,
    /// Where its section begins in the file, and how long it is.
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// The header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: u32,
    pub(super) variant: String,
    pub(super) title: String,
    pub(super) fingerprint: String,
    /// Points that Rebels may stand on.
    pub(super) points: u32,
    /// 0 or 1 where Rebels only fall in pairs.
    pub(super) parity: Option<u32>,
    pub(super) coding: Coding,
    /// A mirror image is looked up at the mirrored place.
    pub(super) mirrored: bool,
    /// The most plies to the end of any position with the Rebels to move.
    pub(super) max_plies: u32,
    pub(super) layers: Vec<Layer>,
    pub(super) sections: Vec<SectionHeader>,
}

/// How the value of a position with the Rebels to move is written in a byte. 0 is a draw, or not decided yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Coding {
    /// Plies to the end plus 1. Who wins makes the last move, so an odd number of plies is the Rebels' win.
    Parity,
    /// The same in seven bits, and the highest bit for a win of the Rebels: for games in which a General who must step on
    /// an apex loses by his own move. That bit alone is a draw too, though nobody writes it.
    Flag,
}

impl Coding {
    pub(super) fn of(variant: &Variant) -> Coding {
        if variant.rules().losing_apex.is_empty() { Coding::Parity } else { Coding::Flag }
    }

    /// The most plies that can be written.
    pub(super) fn most_plies(self) -> u32 {
        match self {
            Coding::Parity => 253,
            Coding::Flag => 125,
        }
    }

    /// The byte of a decided position; `plies` is at most [`most_plies`](Coding::most_plies).
    pub(super) fn write(self, plies: u32, rebels_win: bool) -> u8 {
        let flag = if self == Coding::Flag && rebels_win { 0x80 } else { 0 };
        (plies as u8 + 1) | flag
    }

    /// The value for the Rebels, who are to move.
    #[inline(always)]
    pub(super) fn value(self, byte: u8) -> Value {
        match self.read(byte) {
            Some((plies, true)) => Value::Win(plies),
            Some((plies, false)) => Value::Loss(plies),
            None => Value::Draw,
        }
    }

    /// Plies to the end and whether the Rebels win; none for a draw.
    #[inline(always)]
    pub(super) fn read(self, value: u8) -> Option<(u32, bool)> {
        let (plies, rebels_win) = match self {
            Coding::Parity => (value, value & 1 == 0),
            Coding::Flag => (value & 0x7f, value & 0x80 != 0),
        };
        Some((u32::from(plies.checked_sub(1)?), rebels_win))
    }
}

/// The space of a variant's tables: its parity, where all captures take pairs.
pub(super) fn space_of(variant: &Variant) -> Index {
    let parity = pairs_only(variant).then(|| variant.opening().rebels().len() & 1);
    Index::new(variant.rules().ground.len(), parity)
}

/// Does every capture take an even number of Rebels? Not where he jumps, nor where two pairs that fall together may share a
/// Rebel: one pair as he leaves, the other as he arrives.
fn pairs_only(variant: &Variant) -> bool {
    let rules = variant.rules();
    let even = |at: Point, to: Point, left: &[PointSet]| {
        let ends = PointSet::of(at).with(to);
        let fall = left.iter().chain(rules.interventions[to.index()].as_slice()).filter(|pair| !pair.meets(ends));
        are_disjoint(fall.copied())
    };
    let walks = |at: Point| rules.departures[at.index()].iter().all(|(to, left)| even(at, *to, left.as_slice()));
    rules.jumps.iter().all(Vec::is_empty) && rules.all.into_iter().all(|at| even(at, at, &[]) && walks(at))
}

/// Do no two of the pairs share a point?
pub(super) fn are_disjoint(pairs: impl Iterator<Item = PointSet>) -> bool {
    let mut all = PointSet::EMPTY;
    pairs.into_iter().all(|pair| {
        let apart = !pair.meets(all);
        all |= pair;
        apart
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_differ_in_what_they_say_but_for_draws() {
        for (coding, draws) in [(Coding::Parity, vec![0]), (Coding::Flag, vec![0, 0x80])] {
            let of_value =
                |value: Value| (0..=u8::MAX).filter(|byte| coding.value(*byte) == value).collect::<Vec<u8>>();
            for byte in 0..=u8::MAX {
                let alike = if draws.contains(&byte) { draws.clone() } else { vec![byte] };
                assert_eq!(of_value(coding.value(byte)), alike, "{coding:?}");
            }
            assert_eq!(of_value(Value::Draw), draws);
        }
    }
}
