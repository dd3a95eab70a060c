//! Values of the search, in bands that cannot overlap.

use std::fmt;
use std::ops::Neg;

use privy_protocol::Score;

/// The value of a position for the side to move: an evaluation in hundredths of a Rebel, or a win or loss in plies.
/// Shorter wins are larger, shorter losses smaller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Value(i16);

/// The longest win or loss, in plies.
pub const MAX_DISTANCE: u32 = 6_000;

const WIN: i16 = 32_000;
const LOWEST_WIN: i16 = WIN - MAX_DISTANCE as i16;
const LOWEST_LOSS: i16 = -LOWEST_WIN;
const HIGHEST_EVALUATION: i16 = LOWEST_WIN - 1_000;
/// Hundredths at the end of the band that mean wins and losses of unproved length.
pub const UNSURE_LENGTHS: u32 = 999;
/// The last of them has no length: a win by repetition, or one that is longer.
const UNKNOWN_LENGTH: i16 = UNSURE_LENGTHS as i16;

impl Value {
    /// Above every value.
    pub const INFINITE: Value = Value(WIN + 1);
    /// A draw, and an even evaluation.
    pub const DRAW: Value = Value(0);

    /// A win by repetition, which has no length.
    pub const WIN_BY_REPETITION: Value = Value(HIGHEST_EVALUATION - UNKNOWN_LENGTH);

    /// An evaluation in hundredths of a Rebel, clamped to its band.
    #[inline(always)]
    pub const fn evaluation(hundredths: i32) -> Value {
        let most = HIGHEST_EVALUATION as i32 - UNSURE_LENGTHS as i32 - 1;
        let clamped = if hundredths > most { most } else { hundredths };
        Value(if clamped < -most { -most } else { clamped } as i16)
    }

    /// A win in this many plies; 0 is a game that is over.
    #[inline(always)]
    pub fn win_in(plies: u32) -> Value {
        Value(WIN - plies.min(MAX_DISTANCE) as i16)
    }

    /// A loss in this many plies.
    #[inline(always)]
    pub fn loss_in(plies: u32) -> Value {
        -Value::win_in(plies)
    }

    /// Returns the plies to the win or loss; `None` for an evaluation.
    #[inline(always)]
    pub fn distance(self) -> Option<u32> {
        let size = self.0.unsigned_abs();
        (size >= LOWEST_WIN as u16 && size <= WIN as u16).then(|| u32::from(WIN as u16 - size))
    }

    /// True if a win of any length.
    #[inline(always)]
    pub fn is_win(self) -> bool {
        self.0 >= LOWEST_WIN
    }

    /// True if a loss of any length.
    #[inline(always)]
    pub fn is_loss(self) -> bool {
        self.0 <= -LOWEST_WIN
    }

    /// True if between all wins and all losses.
    #[inline(always)]
    pub(crate) fn is_evaluation(self) -> bool {
        self.0.unsigned_abs() < LOWEST_WIN as u16
    }

    /// Hundredths of a Rebel, or the raw number of a win or loss.
    #[inline(always)]
    pub fn raw(self) -> i16 {
        self.0
    }

    /// The value of a raw number.
    #[inline(always)]
    pub fn from_raw(raw: i16) -> Value {
        Value(raw.clamp(-WIN - 1, WIN + 1))
    }

    /// A value this much higher or lower, clamped.
    #[inline(always)]
    pub(crate) fn shifted(self, by: i32) -> Value {
        Value((i32::from(self.0) + by).clamp(-i32::from(WIN) - 1, i32::from(WIN) + 1) as i16)
    }

    /// Returns the evaluation that means a win or loss of unproved length, beyond all others; the shorter, the farther.
    pub fn as_evaluation(self, plies: u32) -> Value {
        let size = HIGHEST_EVALUATION - plies.min(UNSURE_LENGTHS) as i16;
        Value(if self.0 < 0 { -size } else { size })
    }

    /// The value at the root of a position this many plies after it: a win or loss is that much longer.
    #[inline(always)]
    pub fn at_root(self, plies: usize) -> Value {
        self.longer(plies as i16)
    }

    /// The inverse of [`at_root`](Value::at_root).
    #[inline(always)]
    pub fn at_node(self, plies: usize) -> Value {
        self.longer(-(plies as i16))
    }

    #[inline(always)]
    fn longer(self, plies: i16) -> Value {
        match self.0 {
            LOWEST_WIN.. => Value((self.0 - plies).clamp(LOWEST_WIN, WIN)),
            ..=LOWEST_LOSS => Value((self.0 + plies).clamp(-WIN, LOWEST_LOSS)),
            _ => self,
        }
    }
}

impl Neg for Value {
    type Output = Value;

    #[inline(always)]
    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl From<Value> for Score {
    /// The search proves no draw: 0 is an evaluation.
    fn from(value: Value) -> Score {
        match value.distance() {
            Some(plies) if value.is_win() => Score::Win(plies),
            Some(plies) => Score::Loss(plies),
            None => match (HIGHEST_EVALUATION - value.0.saturating_abs(), value.0 > 0) {
                (UNKNOWN_LENGTH, true) => Score::RepetitionWin,
                (UNKNOWN_LENGTH, false) => Score::RepetitionLoss,
                (plies @ 0..UNKNOWN_LENGTH, true) => Score::UnprovedWin(u32::from(plies.unsigned_abs())),
                (plies @ 0..UNKNOWN_LENGTH, false) => Score::UnprovedLoss(u32::from(plies.unsigned_abs())),
                _ => Score::Evaluation(i32::from(value.0)),
            },
        }
    }
}

/// As its score: `+0.42`, `+W27`, `-W27`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Score::from(*self), f)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A number of plies in words: `1 ply`, `2 plies`.
pub fn plies(count: u32) -> String {
    format!("{count} {}", if count == 1 { "ply" } else { "plies" })
}
