//! Values as small numbers: the better for the side to move, the higher.

use crate::tablebase::Value;
use crate::tablebase::header::Coding;

/// More than any number of plies.
const TOP: i16 = 1000;
/// The score of a game that is over and lost.
pub(super) const GAME_LOST: i16 = -TOP;
/// No move was looked at yet: worse than anything.
pub(super) const NO_MOVE: i16 = i16::MIN;

/// The score of a value: a short win highest, a draw 0.
pub(super) fn score(value: Value) -> i16 {
    match value {
        Value::Win(plies) => TOP - plies as i16,
        Value::Draw => 0,
        Value::Loss(plies) => plies as i16 - TOP,
    }
}

/// The value of a score.
pub(super) fn value_of(score: i16) -> Value {
    match score {
        0 => Value::Draw,
        1.. => Value::Win((TOP - score) as u32),
        _ => Value::Loss((score + TOP) as u32),
    }
}

/// Scores by byte, for the bytes of a file, which stand for positions with the Rebels to move, and for bytes that stand for
/// positions with the General to move.
pub(super) struct Scores {
    coding: Coding,
    /// A byte of the file, for the Rebels.
    pub(super) rebels: [i16; 256],
    /// The same, for the General who moves there.
    pub(super) before_rebels: [i16; 256],
    /// A byte of the General, for the Rebels who move there.
    pub(super) before_general: [i16; 256],
}

impl Scores {
    pub(super) fn new(coding: Coding) -> Scores {
        let of_rebels = |byte: usize| match coding.read(byte as u8) {
            Some((plies, true)) => Value::Win(plies),
            Some((plies, false)) => Value::Loss(plies),
            None => Value::Draw,
        };
        // Written alike. An odd number of plies is a win for whoever moves; a flag names the winner.
        let of_general = |byte: usize| match (coding, of_rebels(byte)) {
            (Coding::Flag, Value::Win(plies)) => Value::Loss(plies),
            (Coding::Flag, Value::Loss(plies)) => Value::Win(plies),
            (_, value) => value,
        };
        Scores {
            coding,
            rebels: std::array::from_fn(|byte| score(of_rebels(byte))),
            before_rebels: std::array::from_fn(|byte| score(of_rebels(byte).before())),
            before_general: std::array::from_fn(|byte| score(of_general(byte).before())),
        }
    }

    /// The byte of a score of the General. What takes more plies than can be written gets the most that can; a file has no
    /// such values unless it is wrong.
    pub(super) fn general_byte(&self, score: i16) -> u8 {
        let write = |plies: u32, rebels_win| self.coding.write(plies.min(self.coding.most_plies() + 1), rebels_win);
        match value_of(score) {
            Value::Draw => 0,
            Value::Win(plies) => write(plies, false),
            Value::Loss(plies) => write(plies, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_from_scores_and_bytes() {
        for coding in [Coding::Parity, Coding::Flag] {
            let scores = Scores::new(coding);
            for plies in 0..=coding.most_plies() {
                // The loser of a game that is over is to move, and sides alternate; a flag allows anything.
                let values = match (coding, plies % 2) {
                    (Coding::Parity, 0) => vec![Value::Loss(plies)],
                    (Coding::Parity, _) => vec![Value::Win(plies)],
                    (Coding::Flag, _) => vec![Value::Win(plies), Value::Loss(plies)],
                };
                for value in values {
                    assert_eq!(value_of(score(value)), value);
                    let byte = usize::from(scores.general_byte(score(value)));
                    assert_eq!(value_of(scores.before_general[byte]), value.before(), "{coding:?}");
                    let byte = usize::from(coding.write(plies, matches!(value, Value::Win(_))));
                    assert_eq!(value_of(scores.rebels[byte]), value);
                    assert_eq!(value_of(scores.before_rebels[byte]), value.before());
                }
            }
            assert_eq!(value_of(scores.before_general[usize::from(scores.general_byte(0))]), Value::Draw);
        }
    }
}
