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
    /// Nobody can force an end: a draw, unless a repetition wins.
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

/// How the value of a position with the Rebels to move is written: in a byte, 0 for a draw or what is not decided yet; and, where some
/// games take more plies than one byte tells, in a second one how often so many plies more go by, the *laps*.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(super) struct Coding {
    pub(super) form: Form,
    /// The most plies without a lap.
    most: u32,
}

/// What the first byte says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Plies to the end plus 1. Who wins makes the last move, so an odd number of plies is the Rebels' win.
    Parity,
    /// The same in seven bits, and the highest bit for a win of the Rebels: for games in which a General who must step on
    /// an apex loses by its own move. That bit alone is a draw too, though nobody writes it.
    Flag,
}

/// The most laps.
pub(super) const MOST_LAPS: u8 = 3;

/// One more than the highest code.
pub(super) const CODES: usize = (MOST_LAPS as usize + 1) << 8;

impl Form {
    /// The most plies of a byte.
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

    /// The same with so many plies without a lap, an odd number from 3: so that short games have laps too.
    pub(super) fn with_short_laps(self, most: u32) -> Option<Coding> {
        (most % 2 == 1 && (3..=self.form.most()).contains(&most)).then_some(Coding { most, ..self })
    }

    /// Does the number of plies to the end say who wins?
    pub(super) fn ply_tells_winner(self) -> bool {
        self.form == Form::Parity
    }

    /// The most plies that can be written in one byte.
    pub(super) fn most_plies_of_byte(self) -> u32 {
        self.most
    }

    /// The most plies that can be written.
    pub(super) fn most_plies(self) -> u32 {
        self.most + u32::from(MOST_LAPS) * self.lap()
    }

    /// Plies of a lap: an even number, so that a lap changes no winner.
    fn lap(self) -> u32 {
        self.most - 1
    }

    /// The code of a decided position, laps in the high byte; `plies` is at most [`most_plies`](Coding::most_plies).
    pub(super) fn write(self, plies: u32, rebels_win: bool) -> u16 {
        let laps = plies.saturating_sub(2) / self.lap();
        let flag = if self.form == Form::Flag && rebels_win { 0x80 } else { 0 };
        (laps << 8 | (plies - laps * self.lap() + 1) | flag) as u16
    }

    /// The value for the Rebels, who are to move.
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

/// The two bytes of a code.
#[inline(always)]
pub(super) fn code_of(byte: u8, laps: u8) -> u16 {
    // Nobody writes more laps; what a forged file says need not be right, but it must be a code.
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
    match variant.rules().move_limit() {
        None => Ok(()),
        Some(_) => {
            let reason = "a table knows no history, and plies without capture are counted";
            Err(TableError::Unsolvable(variant.id().to_owned(), reason.to_owned()))
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
    fn bytes_differ_in_what_they_say_but_for_draws() {
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
