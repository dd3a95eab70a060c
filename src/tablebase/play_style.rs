//! Choosing among moves that a table calls equal.
//!
//! The winner takes the shortest way. A side that loses or draws can hope only for a mistake, so the style `hardest` looks
//! ahead for the move after which a fallible opponent is most likely to make one: see [`FallibleOpponent`]. `longest` puts
//! off the loss as far as it can instead. No style ever leaves the class of the best value.

use std::fmt;
use std::str::FromStr;

use crate::rules::{Game, MovePath};

use super::error::TableError;
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
    pub move_: MovePath,
    /// Its value for the side that makes it, the move counted.
    pub value: Value,
}

/// A model of an opponent who errs: near ends he sees clearly, far ones dimly.
///
/// To him a win in `n` plies looks worth `exp(-n / sight)`, a loss as much less than nothing, a draw nothing; and of two
/// moves he takes the better looking one the more often, the more they differ (softmax choice; R. D. Luce, *Individual
/// Choice Behavior*, 1959). So wins that are long hide among the moves that throw them away. Where the look ahead ends, each
/// further move of his counts as one chance in `1 / carelessness` to go wrong: a longer way is a harder one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FallibleOpponent {
    /// How many of his own moves he is watched making; 0: only the distance counts.
    pub moves: u32,
    /// How far he sees, in plies.
    pub sight: f64,
    /// The difference in looks that makes a move `e` times as likely.
    pub doubt: f64,
    /// The chance that one of his moves beyond those watched is a mistake.
    pub carelessness: f64,
}

impl FallibleOpponent {
    /// The one that `hardest` plays against: the best of several, measured (docs/TABLES.md).
    pub const HARDEST: FallibleOpponent = FallibleOpponent { moves: 2, sight: 8.0, doubt: 0.05, carelessness: 0.03 };

    /// How attractive a move of a value is to him, relative to others.
    fn attraction(&self, value: Value) -> f64 {
        let looks = match value {
            Value::Win(plies) => (-f64::from(plies) / self.sight).exp(),
            Value::Loss(plies) => -(-f64::from(plies) / self.sight).exp(),
            Value::Draw => 0.0,
        };
        (looks / self.doubt).exp()
    }

    /// The chance that he goes wrong on the rest of a way, from a position where he is to move.
    fn later_mistake(&self, value: Value) -> f64 {
        match value {
            Value::Win(plies) => 1.0 - (1.0 - self.carelessness).powf(f64::from(plies) / 2.0),
            Value::Draw | Value::Loss(_) => self.carelessness,
        }
    }
}

impl Table {
    /// The values of the legal moves of a position, in their order.
    ///
    /// # Errors
    /// When the table does not cover the position or its file is damaged.
    pub fn values(&self, position: &Game) -> Result<Vec<ValuedMove>, TableError> {
        let valued = |move_: MovePath| {
            let value = self.probe(&position.after(&move_))?.before();
            Ok(ValuedMove { move_, value })
        };
        position.legal_moves().into_iter().map(valued).collect()
    }

    /// Sorts moves of a position, best first, in a style; equal ones keep their order.
    ///
    /// # Errors
    /// As [`values`](Table::values).
    pub fn rank(&self, position: &Game, moves: &mut [ValuedMove], style: PlayStyle) -> Result<(), TableError> {
        match style {
            PlayStyle::Hardest => self.rank_against(position, moves, Some(&FallibleOpponent::HARDEST)),
            PlayStyle::Longest => self.rank_against(position, moves, None),
        }
    }

    /// Sorts moves of a position, best first: by class; lost or drawn ones by the chance that an opponent goes wrong, if
    /// there is one; then by distance.
    ///
    /// # Errors
    /// As [`values`](Table::values).
    pub fn rank_against(
        &self,
        position: &Game,
        moves: &mut [ValuedMove],
        opponent: Option<&FallibleOpponent>,
    ) -> Result<(), TableError> {
        let best = moves.iter().map(|valued| valued.value.class()).max().unwrap_or(0);
        let mut keyed = Vec::with_capacity(moves.len());
        for valued in moves.iter() {
            let chance = match opponent {
                Some(opponent) if best <= 0 && valued.value.class() == best => {
                    let after = position.after(&valued.move_);
                    self.chance_of_mistake(opponent, &after, valued.value.after(), opponent.moves)?
                }
                _ => 0.0,
            };
            keyed.push((chance, valued.clone()));
        }
        keyed.sort_by(|(chance_a, a), (chance_b, b)| {
            let class = b.value.class().cmp(&a.value.class());
            class.then(chance_b.total_cmp(chance_a)).then(b.value.cmp(&a.value))
        });
        moves.iter_mut().zip(keyed).for_each(|(slot, (_, valued))| *slot = valued);
        Ok(())
    }

    /// How likely an opponent gives away his result from a position with a value in which he is to move, if he is answered by
    /// the moves that make it likeliest. Giving away a win to a draw is half a mistake.
    fn chance_of_mistake(
        &self,
        opponent: &FallibleOpponent,
        position: &Game,
        value: Value,
        his_moves: u32,
    ) -> Result<f64, TableError> {
        if position.outcome().is_some() {
            return Ok(0.0);
        }
        if his_moves == 0 {
            return Ok(opponent.later_mistake(value));
        }
        let (mut mistakes, mut all) = (0.0, 0.0);
        for valued in self.values(position)? {
            let attraction = opponent.attraction(valued.value);
            let given_away = f64::from(value.class() - valued.value.class()) / 2.0;
            let chance = if given_away > 0.0 {
                given_away
            } else {
                self.best_chance_of_mistake(
                    opponent,
                    &position.after(&valued.move_),
                    valued.value.after(),
                    his_moves - 1,
                )?
            };
            mistakes += attraction * chance;
            all += attraction;
        }
        Ok(if all > 0.0 { mistakes / all } else { 0.0 })
    }

    /// The most that a move of the side in need makes of its chances.
    fn best_chance_of_mistake(
        &self,
        opponent: &FallibleOpponent,
        position: &Game,
        value: Value,
        his_moves: u32,
    ) -> Result<f64, TableError> {
        let mut best: f64 = 0.0;
        if position.outcome().is_none() {
            for answer in self.values(position)?.iter().filter(|answer| answer.value.class() == value.class()) {
                let after = position.after(&answer.move_);
                best = best.max(self.chance_of_mistake(opponent, &after, answer.value.after(), his_moves)?);
            }
        }
        Ok(best)
    }

    /// Best play of both sides from a position, at most so many plies: the shortest win, the longest loss.
    ///
    /// # Errors
    /// As [`values`](Table::values).
    pub fn best_line(&self, position: &Game, plies: usize) -> Result<Vec<MovePath>, TableError> {
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
