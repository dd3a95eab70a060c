//! Scores as search lines show them.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use nom::branch::alt;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{all_consuming, map_opt, opt, value};
use nom::{IResult, Parser};

use crate::error::Unexpected;

/// A score, from the side to move: an evaluation, or a proven result with its distance.
///
/// The unit of an evaluation that an engine reports is a step of odds, the same in all games ([`Score::winrate`]).
/// Inside a search it may be another, such as a piece.
///
/// ```
/// use privy_protocol::Score;
///
/// assert_eq!(Score::Evaluation(42).to_string(), "+0.42");
/// assert_eq!("-W27".parse(), Ok(Score::Loss(27)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// An evaluation in hundredths: always with a sign and two decimals, `+0.42`, `-1.05`, `+0.00`.
    Evaluation(i32),
    /// `+W24?`: the side to move seems to win, in about 24 plies; the length is not proved.
    UnprovedWin(u32),
    /// `-W24?`: the side to move seems to lose, in about 24 plies.
    UnprovedLoss(u32),
    /// `+W?`: the side to move wins by repetition, or a win of unknown length.
    RepetitionWin,
    /// `-W?`: the side to move loses by repetition, or a loss of unknown length.
    RepetitionLoss,
    /// `+W27`: the side to move wins in 27 plies.
    Win(u32),
    /// `-W27`: the side to move loses in 27 plies.
    Loss(u32),
    /// `=`: a proven draw.
    Draw,
}

/// The hundredths of an unproved win in no plies; each ply takes one away, up to those of a win of unknown length.
const SHORTEST_UNPROVED: i32 = 25_000;
const UNKNOWN_LENGTH: u32 = 999;
/// The largest reported evaluation, in hundredths; beyond it are unproved wins.
const LARGEST_EVALUATION: f64 = 20_000.0;
/// The hundredths of an evaluation that are odds of ten to one.
const TEN_TO_ONE: f64 = 300.0;
/// The least winning chance of a side that is not proved to lose.
const LEAST_CHANCE: f64 = 0.0001;

impl Score {
    /// Returns the plies to a proved win or loss; [`None`] for an evaluation or a draw.
    pub fn distance(self) -> Option<u32> {
        match self {
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
            _ => None,
        }
    }

    /// Returns the evaluation in hundredths, 0 for a draw; [`None`] for a proved win or loss. An unproved one stands
    /// beyond all evaluations that a search reports, the shorter the farther.
    pub fn hundredths(self) -> Option<i32> {
        match self {
            Self::Evaluation(hundredths) => Some(hundredths),
            Self::UnprovedWin(plies) => Some(SHORTEST_UNPROVED - plies.min(UNKNOWN_LENGTH) as i32),
            Self::UnprovedLoss(plies) => Self::UnprovedWin(plies).hundredths().map(|hundredths| -hundredths),
            Self::RepetitionWin => Self::UnprovedWin(UNKNOWN_LENGTH).hundredths(),
            Self::RepetitionLoss => Self::UnprovedLoss(UNKNOWN_LENGTH).hundredths(),
            Self::Draw => Some(0),
            Self::Win(_) | Self::Loss(_) => None,
        }
    }

    /// Returns the score of the move that leads to a position with this one: for the other side, a ply earlier.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Evaluation(hundredths) => Self::Evaluation(hundredths.saturating_neg()),
            Self::UnprovedWin(plies) => Self::UnprovedLoss(plies.saturating_add(1)),
            Self::UnprovedLoss(plies) => Self::UnprovedWin(plies.saturating_add(1)),
            Self::RepetitionWin => Self::RepetitionLoss,
            Self::RepetitionLoss => Self::RepetitionWin,
            Self::Win(plies) => Self::Loss(plies.saturating_add(1)),
            Self::Loss(plies) => Self::Win(plies.saturating_add(1)),
            Self::Draw => Self::Draw,
        }
    }

    /// Returns the evaluation to report for natural log odds of winning.
    pub fn of_log_odds(log_odds: f64) -> Self {
        let hundredths = log_odds / std::f64::consts::LN_10 * TEN_TO_ONE;
        Self::Evaluation(hundredths.clamp(-LARGEST_EVALUATION, LARGEST_EVALUATION).round() as i32)
    }

    /// Returns the winning chance of a reported score, 0 to 1, a draw counted as half. An evaluation of 0.00 is an even
    /// chance, 3.00 are odds of ten to one, 6.00 of a hundred to one. Only what is proved is certain.
    ///
    /// ```
    /// use privy_protocol::Score;
    ///
    /// let chances = [Score::Evaluation(0), Score::Evaluation(300), Score::Loss(27)].map(Score::winrate);
    /// assert_eq!(chances.map(|chance| (chance * 100.0).round()), [50.0, 91.0, 0.0]);
    /// ```
    pub fn winrate(self) -> f64 {
        match self {
            Self::Win(_) => 1.0,
            Self::Draw => 0.5,
            Self::Loss(_) => 0.0,
            other => {
                let hundredths = other.hundredths().map_or(0.0, f64::from);
                (1.0 / (1.0 + 10_f64.powf(-hundredths / TEN_TO_ONE))).clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE)
            }
        }
    }

    /// Returns 1 for a win, proved or not, 0 for a draw or an evaluation, -1 for a loss.
    pub fn class(self) -> i8 {
        if self.is_decided() { self.cmp(&Self::Draw) as i8 } else { 0 }
    }

    /// True for a win or loss, of proved length or not.
    pub fn is_decided(self) -> bool {
        !matches!(self, Self::Evaluation(_) | Self::Draw)
    }

    /// True for a win, a loss and a draw that are proved.
    pub fn is_proved(self) -> bool {
        matches!(self, Self::Win(_) | Self::Loss(_) | Self::Draw)
    }

    /// True if it is proved that the side to move wins.
    pub fn is_win(self) -> bool {
        matches!(self, Self::Win(_))
    }

    /// True if it is proved that the side to move loses.
    pub fn is_loss(self) -> bool {
        matches!(self, Self::Loss(_))
    }

    /// The key of the order: a draw comes before an even evaluation.
    fn rank(self) -> (i64, bool) {
        let number = match self {
            Self::Win(plies) => i64::MAX - i64::from(plies),
            Self::Loss(plies) => i64::MIN + i64::from(plies),
            other => other.hundredths().map_or(0, i64::from),
        };
        (number, self != Self::Draw)
    }
}

/// The better score is the greater: a win above every evaluation, a short win above a long one, a long loss above a
/// short one.
impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// An even evaluation.
impl Default for Score {
    fn default() -> Self {
        Self::Evaluation(0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluation(hundredths) => {
                let sign = if *hundredths < 0 { '-' } else { '+' };
                let size = hundredths.unsigned_abs();
                write!(formatter, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Self::Win(plies) => write!(formatter, "+W{plies}"),
            Self::Loss(plies) => write!(formatter, "-W{plies}"),
            Self::UnprovedWin(plies) => write!(formatter, "+W{plies}?"),
            Self::UnprovedLoss(plies) => write!(formatter, "-W{plies}?"),
            Self::RepetitionWin => formatter.write_str("+W?"),
            Self::RepetitionLoss => formatter.write_str("-W?"),
            Self::Draw => formatter.write_str("="),
        }
    }
}

impl FromStr for Score {
    type Err = Unexpected;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        let decided = (one_of("+-"), char('W'), opt(digit1), opt(char('?')));
        let decided = map_opt(decided, |(sign, _, plies, mark): (char, _, Option<&str>, Option<char>)| {
            let plies = plies.map(str::parse).transpose().ok()?;
            Some(match (sign, plies, mark) {
                ('+', Some(plies), None) => Self::Win(plies),
                ('+', Some(plies), Some(_)) => Self::UnprovedWin(plies),
                ('+', None, Some(_)) => Self::RepetitionWin,
                (_, Some(plies), None) => Self::Loss(plies),
                (_, Some(plies), Some(_)) => Self::UnprovedLoss(plies),
                (_, None, Some(_)) => Self::RepetitionLoss,
                (_, None, None) => return None,
            })
        });
        let fraction = take_while_m_n(2, 2, |digit: char| digit.is_ascii_digit());
        let evaluation = (one_of("+-"), digit1, char('.'), fraction);
        let evaluation = map_opt(evaluation, |(sign, whole, _, fraction): (char, &str, char, &str)| {
            let hundredths = whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(fraction.parse().ok()?)?;
            let signed = if sign == '-' { -hundredths } else { hundredths };
            Some(Self::Evaluation(signed.try_into().ok()?))
        });
        let draw = value(Self::Draw, char('='));
        let read: IResult<&str, Self> = all_consuming(alt((decided, evaluation, draw))).parse(word);
        let expected = "a score such as +0.42, -1.05, +W27, -W27, +W24?, -W? or =";
        read.map(|(_, score)| score).map_err(|_| Unexpected::new(expected, word))
    }
}

crate::serialized_as_text!(Score);

/// Serializes a type as its text.
#[macro_export]
macro_rules! serialized_as_text {
    ($($Type:ty),+) => {$(
        impl $crate::serde::Serialize for $Type {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $Type {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as $crate::serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err($crate::serde::de::Error::custom)
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (score, text) in [
            (Score::Evaluation(42), "+0.42"),
            (Score::Evaluation(-105), "-1.05"),
            (Score::Evaluation(-5), "-0.05"),
            (Score::Evaluation(0), "+0.00"),
            (Score::Evaluation(i32::MIN), "-21474836.48"),
            (Score::Evaluation(24_976), "+249.76"),
            (Score::UnprovedWin(24), "+W24?"),
            (Score::UnprovedLoss(0), "-W0?"),
            (Score::RepetitionWin, "+W?"),
            (Score::RepetitionLoss, "-W?"),
            (Score::Win(27), "+W27"),
            (Score::Loss(0), "-W0"),
            (Score::Draw, "="),
        ] {
            assert_eq!(score.to_string(), text);
            assert_eq!(text.parse(), Ok(score));
        }
        assert_eq!("-0.00".parse(), Ok(Score::Evaluation(0)));
    }

    #[test]
    fn the_better_score_is_the_greater() {
        let ascending = [
            Score::Loss(0),
            Score::Loss(9),
            Score::UnprovedLoss(9),
            Score::RepetitionLoss,
            Score::Evaluation(-20_000),
            Score::Draw,
            Score::Evaluation(0),
            Score::Evaluation(20_000),
            Score::RepetitionWin,
            Score::UnprovedWin(9),
            Score::Win(9),
            Score::Win(0),
        ];
        assert!(ascending.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn an_evaluation_is_a_step_of_odds_and_only_a_proof_is_certain() {
        let mut before = 0.0;
        for tenths in -400..=400 {
            let log_odds = f64::from(tenths) / 10.0;
            let chance = Score::of_log_odds(log_odds).winrate();
            assert!((chance - 1.0 / (1.0 + (-log_odds).exp())).abs() < 0.001, "{log_odds}: {chance}");
            assert!(chance >= before && chance > 0.0 && chance < 1.0);
            before = chance;
        }
        for size in [1e9, f64::INFINITY] {
            assert!(Score::RepetitionLoss < Score::of_log_odds(-size));
            assert!(Score::of_log_odds(size) < Score::RepetitionWin);
        }
        let certain = [Score::Win(70), Score::Draw, Score::Loss(7)];
        assert_eq!(certain.map(Score::winrate), [1.0, 0.5, 0.0]);
    }

    #[test]
    fn texts_that_are_not_scores_are_refused() {
        for word in [
            "",
            "0.42",
            "+1",
            "+1.2",
            "+1.234",
            "W5",
            "+W",
            "+?",
            "W?",
            "+W??",
            "+W2.4?",
            "==",
            "+W99999999999",
            "+99999999.00",
        ] {
            assert!(word.parse::<Score>().is_err(), "{word}");
        }
    }
}
