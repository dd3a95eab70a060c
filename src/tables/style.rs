//! Choosing among moves that a table calls equal.
//!
//! The winner takes the shortest way. A side that loses or draws can hope only for a mistake, so the style `hardest` looks
//! a few plies ahead for the move after which the opponent is most likely to make one: a fallible opponent is taken to
//! choose among his moves at random, and a mistake is a move that gives away his result. `longest` puts off the loss as
//! far as it can instead. No style ever leaves the class of the best value.

use std::fmt;
use std::str::FromStr;

use crate::rules::{Move, Position};

use super::TableError;
use super::table::Table;
use super::value::Value;

/// How to play what is lost or drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlayStyle {
    /// Where the opponent most likely goes wrong.
    #[default]
    Hardest,
    /// The longest resistance.
    Longest,
}

impl PlayStyle {
    /// The names of all styles.
    pub const NAMES: [&str; 2] = ["hardest", "longest"];
}

impl fmt::Display for PlayStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlayStyle::Hardest => "hardest",
            PlayStyle::Longest => "longest",
        })
    }
}

impl FromStr for PlayStyle {
    type Err = ();

    fn from_str(text: &str) -> Result<PlayStyle, ()> {
        match text {
            "hardest" => Ok(PlayStyle::Hardest),
            "longest" => Ok(PlayStyle::Longest),
            _ => Err(()),
        }
    }
}

/// A legal move and the value of the position before it, if this move is played.
#[derive(Debug, Clone)]
pub struct ValuedMove {
    /// The move.
    pub move_: Move,
    /// Its value for the side that makes it, the move counted.
    pub value: Value,
}

/// How many of his own moves the opponent is watched making.
const LOOKAHEAD: u32 = 2;

impl Table {
    /// The values of the legal moves of a position, in their order.
    ///
    /// # Errors
    /// When the table does not cover the position or its file is damaged.
    pub fn values(&self, position: &Position) -> Result<Vec<ValuedMove>, TableError> {
        let valued = |move_: Move| {
            let value = self.probe(&position.after(&move_))?.before();
            Ok(ValuedMove { move_, value })
        };
        position.legal_moves().into_iter().map(valued).collect()
    }

    /// Sorts moves of a position, best first, in a style; equal ones keep their order.
    ///
    /// # Errors
    /// As [`values`](Table::values).
    pub fn rank(&self, position: &Position, moves: &mut [ValuedMove], style: PlayStyle) -> Result<(), TableError> {
        let lookahead = match style {
            PlayStyle::Hardest => LOOKAHEAD,
            PlayStyle::Longest => 0,
        };
        self.rank_by_mistakes(position, moves, lookahead)
    }

    /// Sorts moves of a position, best first: by class; of lost or drawn ones by the chance of a mistake within so many
    /// moves of the opponent; then by distance.
    ///
    /// # Errors
    /// As [`values`](Table::values).
    pub fn rank_by_mistakes(
        &self,
        position: &Position,
        moves: &mut [ValuedMove],
        lookahead: u32,
    ) -> Result<(), TableError> {
        let best = moves.iter().map(|valued| valued.value.class()).max().unwrap_or(0);
        let mut keys = Vec::with_capacity(moves.len());
        for valued in moves.iter() {
            let in_need = lookahead > 0 && best <= 0 && valued.value.class() == best;
            // The chance counts in steps of a hundredth, so that small differences do not outweigh the distance.
            let chance = if in_need {
                (self.chance_of_mistake(&position.after(&valued.move_), lookahead)? * 100.0).round() as i64
            } else {
                0
            };
            keys.push((valued.value.class(), chance, valued.value.rank()));
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by(|a, b| keys.get(*b).cmp(&keys.get(*a)));
        let sorted: Vec<ValuedMove> = order.iter().filter_map(|place| moves.get(*place).cloned()).collect();
        moves.clone_from_slice(&sorted);
        Ok(())
    }

    /// How likely an opponent who moves at random gives away his result within some of his moves, from a position in which
    /// he is to move, if he is answered by the moves that make it likeliest.
    fn chance_of_mistake(&self, position: &Position, his_moves: u32) -> Result<f64, TableError> {
        let moves = self.values(position)?;
        let Some(class) = moves.iter().map(|valued| valued.value.class()).max() else { return Ok(0.0) };
        let mut chance = 0.0;
        for valued in &moves {
            chance += if valued.value.class() < class {
                1.0
            } else if his_moves > 1 {
                let answered = position.after(&valued.move_);
                let answers = self.values(&answered)?;
                let mut best: f64 = 0.0;
                for answer in answers.iter().filter(|answer| answer.value.class() == -class) {
                    best = best.max(self.chance_of_mistake(&answered.after(&answer.move_), his_moves - 1)?);
                }
                best
            } else {
                0.0
            };
        }
        Ok(chance / moves.len() as f64)
    }

    /// Best play of both sides from a position, at most so many plies: the shortest win, the longest loss.
    ///
    /// # Errors
    /// As [`values`](Table::values).
    pub fn best_line(&self, position: &Position, plies: usize) -> Result<Vec<Move>, TableError> {
        let mut line = Vec::new();
        let mut position = position.clone();
        while line.len() < plies && position.outcome().is_none() {
            // Of equals the first, as everywhere.
            let best = self
                .values(&position)?
                .into_iter()
                .reduce(|best, next| if next.value > best.value { next } else { best });
            let Some(best) = best else { break };
            position = position.after(&best.move_);
            line.push(best.move_);
        }
        Ok(line)
    }
}
