//! What a position or a move is worth, as every command says it.

use std::fmt;

use crate::score::Score;

/// The kind of a score that is proved only as a bound: a bound of the number of plies for a win or loss, of the result
/// for a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `bound upper`: at most that number of plies, at most a draw.
    Upper,
    /// `bound lower`: at least that number of plies, at least a draw.
    Lower,
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Upper => "upper",
            Self::Lower => "lower",
        })
    }
}

/// A score, and the kind of bound where it is proved only as one. Written as `+0.42`, `+W79 bound upper`.
///
/// ```
/// use privy_protocol::{Bound, Score, Verdict};
///
/// let reply = Verdict { score: Score::Draw, bound: Some(Bound::Lower) };
/// assert_eq!(reply.negated(), Verdict { score: Score::Draw, bound: Some(Bound::Upper) });
/// assert_eq!(Verdict::from(Score::Loss(26)).negated().to_string(), "+W27");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Verdict {
    /// The score, from the side to move.
    pub score: Score,
    /// The kind of bound; [`None`] for an evaluation, and where the score is exact.
    pub bound: Option<Bound>,
}

impl From<Score> for Verdict {
    fn from(score: Score) -> Self {
        Self { score, bound: None }
    }
}

impl Verdict {
    /// A score that is proved only as a bound.
    pub const fn bounded(score: Score, bound: Bound) -> Self {
        Self { score, bound: Some(bound) }
    }

    /// Returns the verdict on the move that leads to a position with this one: for the other side, a ply earlier.
    #[must_use]
    pub const fn negated(self) -> Self {
        let bound = match (self.score, self.bound) {
            (Score::Draw, Some(Bound::Upper)) => Some(Bound::Lower),
            (Score::Draw, Some(Bound::Lower)) => Some(Bound::Upper),
            (_, bound) => bound,
        };
        Self { score: self.score.negated(), bound }
    }

    /// True for a win, a loss or a draw that is proved, with its length.
    pub fn is_exact(self) -> bool {
        self.bound.is_none() && self.score.is_proved()
    }

    /// Returns the winning chance, 0 to 1, a draw counted as half, where a search estimates it as `estimate`.
    pub fn winrate(self, estimate: f64) -> f64 {
        match (self.score, self.bound) {
            (Score::Draw, Some(Bound::Lower)) => estimate.max(0.5),
            (Score::Draw, Some(Bound::Upper)) => estimate.min(0.5),
            (Score::Evaluation(_), _) => estimate,
            (score, _) => score.winrate(),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(formatter)?;
        self.bound.map_or(Ok(()), |bound| write!(formatter, " bound {bound}"))
    }
}
