//! What the table of a variant is made of: Rebel sets, numbers of Rebels, bytes.

use serde::{Deserialize, Serialize};

use crate::board::{Point, PointSet};
use crate::rules::Variant;

use super::error::TableError;
use super::index::Index;
use super::value::Value;

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

    /// Adds other counts, a number of times.
    pub(super) fn add(&mut self, other: Counts, times: u64) {
        self.won += times * other.won;
        self.drawn += times * other.drawn;
        self.lost += times * other.lost;
    }
}

/// The positions with a number of Rebels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    /// Rebels on the board.
    pub rebels: u32,
    /// With the General to move.
    pub general: Counts,
    /// With the Rebels to move.
    pub rebel: Counts,
}

/// How the value of a position with the Rebels to move is written in a byte. 0 is a draw, or not decided yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Coding {
    /// Plies to the end plus 1. Who wins makes the last move, so an odd number of plies is the Rebels' win.
    Parity,
    /// The same in seven bits, and the highest bit for a win of the Rebels: for games in which a General who must step on
    /// an apex loses by its own move. That bit alone is a draw too, though nobody writes it.
    Flag,
}

impl Coding {
    pub(super) fn of(variant: &Variant) -> Coding {
        if variant.rules().losing_apex().is_empty() { Coding::Parity } else { Coding::Flag }
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
        let (plies, rebels_win) = match self {
            Coding::Parity => (byte, byte & 1 == 0),
            Coding::Flag => (byte & 0x7f, byte & 0x80 != 0),
        };
        match plies.checked_sub(1) {
            Some(plies) if rebels_win => Value::Win(u32::from(plies)),
            Some(plies) => Value::Loss(u32::from(plies)),
            None => Value::Draw,
        }
    }
}

/// The numbers of Rebels that a table covers. Captures lead from more Rebels to fewer, so the positions with at most N can
/// be solved without the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coverage {
    least: u32,
    most: u32,
    /// 0 or 1 where Rebels only fall in pairs.
    parity: Option<u32>,
    /// The most in a game.
    opening: u32,
}

impl Coverage {
    /// All that captures can reach from the opening.
    pub(super) fn whole(variant: &Variant) -> Coverage {
        let opening = variant.opening().rebels().len();
        let least = variant.rules().fewest_rebels();
        Coverage { least, most: opening, parity: index_of(variant).parity(), opening }
    }

    /// Those up to a number; all when none is given.
    ///
    /// # Errors
    /// When no position, or only positions with fewer, have that number of Rebels.
    pub(super) fn up_to(variant: &Variant, most: Option<u32>) -> Result<Coverage, TableError> {
        let whole = Coverage::whole(variant);
        let Some(found) = most else { return Ok(whole) };
        let least = whole.layers().next().unwrap_or(whole.least);
        if !(least..=whole.opening).contains(&found) {
            let variant = variant.id().to_owned();
            return Err(TableError::Rebels { variant, found, least, most: whole.opening });
        }
        Ok(whole.limited(found))
    }

    /// Of these numbers, those up to another.
    pub(super) fn limited(self, most: u32) -> Coverage {
        let last = self.layers().take_while(|rebels| *rebels <= most).last();
        Coverage { most: last.unwrap_or(0), ..self }
    }

    /// The numbers, fewest first.
    pub(super) fn layers(self) -> impl Iterator<Item = u32> {
        (self.least..=self.most).filter(move |rebels| self.parity.is_none_or(|parity| rebels % 2 == parity))
    }

    /// 0 or 1 where Rebels only fall in pairs.
    pub(super) fn parity(self) -> Option<u32> {
        self.parity
    }

    /// The fewest and the most with which the game goes on.
    #[inline(always)]
    pub(super) fn range(self) -> std::ops::RangeInclusive<u32> {
        self.least..=self.most
    }

    /// The most.
    #[inline(always)]
    pub(super) fn most(self) -> u32 {
        self.most
    }

    /// The most, where games have more.
    pub(super) fn limit(self) -> Option<u32> {
        (self.most < self.opening).then_some(self.most)
    }
}

/// How a variant is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// All numbers of Rebels at once, a bit for each set of the points of the board.
    WholeBoard,
    /// One number of Rebels after the other, a byte or more for each position.
    ByLayers,
}

impl Method {
    /// The one that suits a variant: of up to 25 points, which are the first of the board, the whole board is quickest.
    pub(super) fn of(variant: &Variant) -> Method {
        let ground = variant.rules().ground();
        let is_small = ground.len() <= 25 && ground == PointSet((1 << ground.len()) - 1);
        if is_small { Method::WholeBoard } else { Method::ByLayers }
    }
}

/// Refuses variants that can't be solved, whatever it took.
pub(super) fn check_solvable(variant: &Variant) -> Result<(), TableError> {
    match variant.rules().winner_by_repetition() {
        None => Ok(()),
        Some(_) => {
            let reason = "a table knows no history, and a repetition wins".to_owned();
            Err(TableError::Unsolvable(variant.id().to_owned(), reason))
        }
    }
}

/// The index of a variant's tables: with a parity, where all captures take pairs.
pub(super) fn index_of(variant: &Variant) -> Index {
    let parity = takes_pairs_only(variant).then(|| variant.opening().rebels().len() & 1);
    Index::new(variant.rules().ground().len(), parity)
}

/// Does every capture take an even number of Rebels? Not a jump, nor two pairs that fall together and may share a Rebel:
/// one pair as the General leaves, the other as it arrives.
fn takes_pairs_only(variant: &Variant) -> bool {
    let rules = variant.rules();
    let even = |at: Point, to: Point, left: &[PointSet]| {
        let ends = PointSet::of(at).with(to);
        let fall = left.iter().chain(rules.arrival_pairs(to)).filter(|pair| !pair.meets(ends));
        are_disjoint(fall.copied())
    };
    let walks = |at: Point| rules.neighbours(at).into_iter().all(|to| even(at, to, rules.departure_pairs(at, to)));
    rules.all().into_iter().all(|at| rules.jumps(at).is_empty() && even(at, at, &[]) && walks(at))
}

/// Do no two of the pairs share a point?
pub(super) fn are_disjoint(mut pairs: impl Iterator<Item = PointSet>) -> bool {
    let mut all = PointSet::EMPTY;
    pairs.all(|pair| {
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
