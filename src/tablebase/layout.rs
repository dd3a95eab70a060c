//! Layout of a table: the layers that it covers, the coding of values, the method of its solve.

use serde::{Deserialize, Serialize};

use crate::board::{Point, PointSet};
use crate::rules::Variant;

use super::error::TableError;
use super::value::Value;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct Coding {
    pub(super) form: Form,
    /// The most plies without a lap.
    most: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Plies to the end plus 1. The winner makes the last move, so an odd number of plies is a win of the Rebels.
    Parity,
    /// The same in seven bits, and the highest bit for a win of the Rebels: for games in which the General may have to step on an apex
    /// and lose by its own move. That bit alone reads as a draw, and is never written.
    Flag,
}

pub(super) const MOST_LAPS: u8 = 3;

pub(super) const CODES: usize = (MOST_LAPS as usize + 1) << 8;

impl Form {
    fn most(self) -> u32 {
        match self {
            Form::Parity => 253,
            Form::Flag => 125,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Form::Parity => "parity",
            Form::Flag => "flag",
        }
    }
}

impl Coding {
    pub(super) fn of(variant: &Variant) -> Coding {
        let form = if variant.rules().losing_apex.is_empty() { Form::Parity } else { Form::Flag };
        Coding { form, most: form.most() }
    }

    /// The same with fewer plies without a lap (odd, at least 3), so that short games have laps too.
    pub(super) fn with_short_laps(self, most: u32) -> Option<Coding> {
        (most % 2 == 1 && (3..=self.form.most()).contains(&most)).then_some(Coding { most, ..self })
    }

    /// The most plies that one byte holds.
    pub(super) fn most_plies_of_byte(self) -> u32 {
        self.most
    }

    pub(super) fn most_plies(self) -> u32 {
        self.most + u32::from(MOST_LAPS) * self.lap()
    }

    /// Plies of a lap: even, so that a lap does not change the winner.
    fn lap(self) -> u32 {
        self.most - 1
    }

    /// The code of a decided position, laps in the high byte; `plies` is at most [`most_plies`](Coding::most_plies).
    pub(super) fn write(self, plies: u32, rebels_win: bool) -> u16 {
        let laps = plies.saturating_sub(2) / self.lap();
        let flag = if self.form == Form::Flag && rebels_win { 0x80 } else { 0 };
        (laps << 8 | (plies - laps * self.lap() + 1) | flag) as u16
    }

    /// The value for the Rebels, to move.
    #[inline(always)]
    pub(super) fn value(self, code: u16) -> Value {
        let [byte, laps] = code.to_le_bytes();
        let (plies, rebels_win) = match self.form {
            Form::Parity => (byte, byte & 1 == 0),
            Form::Flag => (byte & 0x7f, byte & 0x80 != 0),
        };
        let Some(plies) = plies.checked_sub(1) else { return Value::Draw };
        let plies = u32::from(plies) + u32::from(laps) * self.lap();
        if rebels_win { Value::Win(plies) } else { Value::Loss(plies) }
    }
}

#[inline(always)]
pub(super) fn code_of(byte: u8, laps: u8) -> u16 {
    // More laps are never written; a forged file may be wrong, but every code must be in range.
    u16::from_le_bytes([byte, laps & MOST_LAPS])
}

impl From<Coding> for String {
    fn from(coding: Coding) -> String {
        match coding.form.name() {
            name if coding.most == coding.form.most() => name.to_owned(),
            name => format!("{name} {}", coding.most),
        }
    }
}

impl TryFrom<String> for Coding {
    type Error = String;

    fn try_from(text: String) -> Result<Coding, String> {
        let (name, most) = text.split_once(' ').map_or((text.as_str(), None), |(name, most)| (name, Some(most)));
        let form = [Form::Parity, Form::Flag].into_iter().find(|form| form.name() == name);
        let whole = form.map(|form| Coding { form, most: form.most() });
        let coding = match most {
            None => whole,
            Some(most) => whole.zip(most.parse().ok()).and_then(|(whole, most)| whole.with_short_laps(most)),
        };
        coding.ok_or_else(|| format!("expected parity or flag, found {text}"))
    }
}

/// The numbers of Rebels that a table covers. Captures lead to fewer Rebels, so the positions with at most N can be solved without the
/// others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coverage {
    least: u32,
    most: u32,
    /// 0 or 1 where captures take pairs only.
    pub(super) parity: Option<u32>,
    opening: u32,
}

impl Coverage {
    /// All numbers that captures can reach from the opening.
    pub(super) fn whole(variant: &Variant) -> Coverage {
        let opening = variant.opening().rebels().len();
        let least = variant.rules().fewest_rebels();
        Coverage { least, most: opening, parity: parity(variant), opening }
    }

    /// The numbers up to `most`, which must be one of a game that goes on; none: all.
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

    pub(super) fn limited(self, most: u32) -> Coverage {
        let last = self.layers().take_while(|rebels| *rebels <= most).last();
        Coverage { most: last.unwrap_or(0), ..self }
    }

    pub(super) fn layers(self) -> impl Iterator<Item = u32> {
        (self.least..=self.most).filter(move |rebels| self.parity.is_none_or(|parity| rebels % 2 == parity))
    }

    #[inline(always)]
    pub(super) fn range(self) -> std::ops::RangeInclusive<u32> {
        self.least..=self.most
    }

    #[inline(always)]
    pub(super) fn most(self) -> u32 {
        self.most
    }

    /// The most, where games have more; none when all are covered.
    pub(super) fn limit(self) -> Option<u32> {
        (self.most < self.opening).then_some(self.most)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// All numbers of Rebels at once, a bit for each set of the points of the board.
    WholeBoard,
    /// One number of Rebels after the other, a byte or more for each position.
    ByLayers,
}

impl Method {
    /// The whole board is quickest where the Rebels stand on up to 25 points, and these are the first of the board.
    pub(super) fn of(variant: &Variant) -> Method {
        let ground = variant.rules().ground();
        let is_small = ground.len() <= 25 && ground == PointSet((1 << ground.len()) - 1);
        if is_small { Method::WholeBoard } else { Method::ByLayers }
    }
}

/// Refuses variants that can't be solved, whatever the memory.
pub(super) fn check_solvable(variant: &Variant) -> Result<(), TableError> {
    match variant.rules().move_limit() {
        None => Ok(()),
        Some(_) => {
            let reason = "a table knows no history, and plies without capture are counted";
            Err(TableError::Unsolvable(variant.id().to_owned(), reason.to_owned()))
        }
    }
}

/// The parity of the number of Rebels, where all captures take pairs.
pub(super) fn parity(variant: &Variant) -> Option<u32> {
    takes_pairs_only(variant).then(|| variant.opening().rebels().len() & 1)
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

    fn codings() -> impl Iterator<Item = Coding> {
        let forms = [Form::Parity, Form::Flag].map(|form| Coding { form, most: form.most() });
        forms.into_iter().flat_map(|coding| [Some(coding), coding.with_short_laps(9)]).flatten()
    }

    #[test]
    fn values_come_back_from_their_codes() {
        for coding in codings() {
            assert_eq!(Coding::try_from(String::from(coding)), Ok(coding));
            for plies in 0..=coding.most_plies() {
                for rebels_win in
                    [false, true].into_iter().filter(|win| coding.form == Form::Flag || *win == (plies % 2 == 1))
                {
                    let code = coding.write(plies, rebels_win);
                    let value = if rebels_win { Value::Win(plies) } else { Value::Loss(plies) };
                    assert_eq!(coding.value(code), value, "{coding:?}");
                    assert!(usize::from(code) < CODES);
                    assert_eq!(code >> 8 == 0, plies <= coding.most_plies_of_byte());
                }
            }
        }
        for wrong in ["", "parity 8", "parity 1", "flag 127", "parity x", "both"] {
            assert!(Coding::try_from(wrong.to_owned()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bytes_have_different_values_except_draws() {
        for coding in codings() {
            let draws = if coding.form == Form::Parity { vec![0] } else { vec![0, 0x80] };
            let of_value = |value: Value| (0..=0xff).filter(|byte| coding.value(*byte) == value).collect::<Vec<u16>>();
            for byte in 0..=0xff {
                let alike = if draws.contains(&byte) { draws.clone() } else { vec![byte] };
                assert_eq!(of_value(coding.value(byte)), alike, "{coding:?}");
            }
            assert_eq!(of_value(Value::Draw), draws);
        }
    }
}
