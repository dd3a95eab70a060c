//! Scores, from the side to move, in two bands that cannot overlap.

use std::fmt;
use std::ops::Neg;

/// The value of a position for the side to move: an evaluation in hundredths of a Rebel, or a win or loss in so many
/// plies. The worst loss is the smallest score; a shorter win is larger than a longer one, a longer loss larger than a
/// shorter one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i16);

/// The most plies in which a win or loss can be told.
pub const MAX_DISTANCE: u32 = 6_000;

const WIN: i16 = 32_000;
const LOWEST_WIN: i16 = WIN - MAX_DISTANCE as i16;
const HIGHEST_EVALUATION: i16 = LOWEST_WIN - 1_000;

/// So many hundredths at the end of the band are for wins and losses whose length is not sure.
const UNSURE_LENGTHS: u32 = 999;

impl Score {
    /// Above every score.
    pub const INFINITE: Score = Score(WIN + 1);
    /// A draw, and an even evaluation.
    pub const DRAW: Score = Score(0);

    /// An evaluation in hundredths of a Rebel. What lies outside the band is brought to its end.
    #[inline(always)]
    #[must_use]
    pub fn evaluation(hundredths: i32) -> Score {
        let most = i32::from(HIGHEST_EVALUATION) - UNSURE_LENGTHS as i32 - 1;
        Score(hundredths.clamp(-most, most) as i16)
    }

    /// A win in so many plies; 0 is a won game that is over.
    #[inline(always)]
    #[must_use]
    pub fn win_in(plies: u32) -> Score {
        Score(WIN - plies.min(MAX_DISTANCE) as i16)
    }

    /// A loss in so many plies.
    #[inline(always)]
    #[must_use]
    pub fn loss_in(plies: u32) -> Score {
        -Score::win_in(plies)
    }

    /// Plies to the win or loss; none for an evaluation.
    #[inline(always)]
    #[must_use]
    pub fn distance(self) -> Option<u32> {
        let size = self.0.unsigned_abs();
        (size >= LOWEST_WIN as u16 && size <= WIN as u16).then(|| u32::from(WIN as u16 - size))
    }

    /// Is it a win for the side to move, in any number of plies?
    #[inline(always)]
    #[must_use]
    pub fn is_win(self) -> bool {
        self.0 >= LOWEST_WIN
    }

    /// Is it a loss for the side to move?
    #[inline(always)]
    #[must_use]
    pub fn is_loss(self) -> bool {
        self.0 <= -LOWEST_WIN
    }

    /// Hundredths of a Rebel, or the raw number of the exact band.
    #[inline(always)]
    #[must_use]
    pub fn raw(self) -> i16 {
        self.0
    }

    /// The score with this raw number.
    #[inline(always)]
    #[must_use]
    pub fn from_raw(raw: i16) -> Score {
        Score(raw.clamp(-WIN - 1, WIN + 1))
    }

    /// A score so much higher or lower, kept within all scores.
    #[inline(always)]
    #[must_use]
    pub fn shifted(self, by: i32) -> Score {
        Score((i32::from(self.0) + by).clamp(-i32::from(WIN) - 1, i32::from(WIN) + 1) as i16)
    }

    /// The evaluation that stands for a win or loss whose length is not sure: higher than all others, and higher the
    /// shorter the win.
    #[must_use]
    pub fn as_evaluation(self, plies: u32) -> Score {
        let size = HIGHEST_EVALUATION - plies.min(UNSURE_LENGTHS) as i16;
        Score(if self.0 < 0 { -size } else { size })
    }

    /// The same win or loss, seen from a position so many plies earlier.
    #[inline(always)]
    #[must_use]
    pub fn seen_from_above(self, plies: usize) -> Score {
        match (self.is_win(), self.is_loss()) {
            (true, _) => Score((self.0 - plies as i16).max(LOWEST_WIN)),
            (_, true) => Score((self.0 + plies as i16).min(-LOWEST_WIN)),
            _ => self,
        }
    }

    /// The same win or loss, seen from a position so many plies later.
    #[inline(always)]
    #[must_use]
    pub fn seen_from_below(self, plies: usize) -> Score {
        match (self.is_win(), self.is_loss()) {
            (true, _) => Score((self.0 + plies as i16).min(WIN)),
            (_, true) => Score((self.0 - plies as i16).max(-WIN)),
            _ => self,
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// `+0.42`, `+W27`, `-W27`. A search never proves a draw, so `=` is left to perfect-play tables.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        match self.distance() {
            Some(plies) => write!(f, "{sign}W{plies}"),
            None => write!(f, "{sign}{}.{:02}", self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100),
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A number of plies in words: `1 ply`, `2 plies`.
#[must_use]
pub fn plies(count: u32) -> String {
    format!("{count} {}", if count == 1 { "ply" } else { "plies" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_ordered_and_do_not_overlap() {
        let ascending = [
            -Score::INFINITE,
            Score::loss_in(0),
            Score::loss_in(27),
            Score::loss_in(MAX_DISTANCE),
            Score::evaluation(-1_000_000),
            Score::evaluation(-42),
            Score::DRAW,
            Score::evaluation(1_000_000),
            Score::win_in(MAX_DISTANCE),
            Score::win_in(27),
            Score::win_in(0),
            Score::INFINITE,
        ];
        assert!(ascending.windows(2).all(|two| two[0] < two[1]));
    }

    #[test]
    fn texts_are_those_of_the_protocol() {
        let texts =
            [Score::evaluation(42), Score::evaluation(-105), Score::win_in(27), Score::loss_in(27), Score::DRAW];
        assert_eq!(texts.map(|s| s.to_string()), ["+0.42", "-1.05", "+W27", "-W27", "+0.00"]);
    }

    #[test]
    fn distances_move_with_the_point_of_view() {
        assert_eq!(Score::win_in(10).seen_from_above(3), Score::win_in(13));
        assert_eq!(Score::loss_in(10).seen_from_above(3), Score::loss_in(13));
        for score in [Score::win_in(10), Score::loss_in(10), Score::evaluation(55)] {
            assert_eq!(score.seen_from_above(4).seen_from_below(4), score);
        }
    }
}
