//! The ladder: how much stronger each level of skill plays than the one below.
//!
//! Two engines play from random openings, each opening twice with sides swapped, as fast as their levels allow. Level 0 is a
//! beginner, who takes the most that he can and moves at random otherwise.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::engine::Engine;
use crate::random::Random;
use crate::rules::{Game, MovePath, Side, Variant};
use crate::search::{Limits, Stop};
use crate::tournament::statistics::{Pairs, Strength, Tally};

use super::request::FitError;
use super::self_play::{check_begins, opening, play};

/// Plies after which a game is taken for a draw.
const PLIES: usize = 800;

/// Random moves that a game begins with, at most.
const OPENING: u64 = 8;

/// Time for a move of full strength; lower levels need less.
const TIME: Duration = Duration::from_millis(100);

/// What a level scored against the one below.
#[derive(Debug, Clone)]
pub struct Rung {
    /// The level, from 1 on.
    pub level: u32,
    /// Pairs of games by the half points of the level.
    pub pairs: Pairs,
    /// Its games as General.
    pub as_general: Tally,
    /// Its games as Rebels.
    pub as_rebels: Tally,
}

/// Someone who plays.
struct Player {
    level: u32,
    engine: Engine,
    random: Random,
}

impl Player {
    fn new(level: u32, game: &Game, tables: &str, seed: u64) -> Player {
        let mut engine = Engine::at(game.clone());
        let (level_text, seed_text) = (level.max(1).to_string(), seed.to_string());
        for (name, value) in [("hash", "16"), ("tables", tables), ("seed", &seed_text), ("level", &level_text)] {
            engine.set_option(name, value).expect("values in range");
        }
        Player { level, engine, random: Random::new(seed) }
    }

    fn choose(&mut self) -> MovePath {
        if self.level == 0 {
            let mut moves = self.engine.game().legal_moves();
            self.random.shuffle(&mut moves);
            return moves.into_iter().max_by_key(|move_| move_.action().captured.len()).expect("a game that goes on");
        }
        let limits = Limits { time: Some(TIME), multi_pv: 1, ..Limits::default() };
        self.engine.choose(&limits, &Stop::default(), &mut |_| {}).expect("a game that goes on").best
    }
}

impl Rung {
    /// Plays pairs of games of a level of a variant against the one below, with the tables that the option `tables` names.
    ///
    /// # Errors
    /// When the game is over where it begins, or `stop` was set.
    pub fn measure(
        variant: &Arc<Variant>,
        level: u32,
        pairs: u64,
        tables: &str,
        stop: &AtomicBool,
    ) -> Result<Rung, FitError> {
        check_begins(variant)?;
        let none = Tally::default();
        let mut rung = Rung { level, pairs: Pairs::default(), as_general: none, as_rebels: none };
        for pair in 1..=pairs {
            let opening = opening(variant, &mut Random::new(pair), OPENING);
            let game = |side| -> Result<Tally, FitError> {
                let mut better = Player::new(level, &opening, tables, 2 * pair);
                let mut worse = Player::new(level - 1, &opening, tables, 2 * pair + 1);
                let winner = play(&mut opening.clone(), PLIES, stop, |game| {
                    let move_ = if game.side() == side { better.choose() } else { worse.choose() };
                    better.engine.play_move(move_.clone());
                    worse.engine.play_move(move_.clone());
                    move_
                })?;
                Ok(Tally::of_game(side, winner))
            };
            let (as_general, as_rebels) = (game(Side::General)?, game(Side::Rebels)?);
            rung.as_general += as_general;
            rung.as_rebels += as_rebels;
            rung.pairs.add(as_general, as_rebels);
        }
        Ok(rung)
    }
}

/// A line: the score, and the difference of strength with its interval of 95 %.
impl fmt::Display for Rung {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (general, rebels) = (self.as_general, self.as_rebels);
        let percent = |tally: Tally| 100.0 * tally.score().unwrap_or(0.5);
        let mut all = general;
        all += rebels;
        write!(
            f,
            "{} against {}: {:.1} % ({:.0} % as General, {:.0} % as Rebels)",
            self.level,
            self.level - 1,
            percent(all),
            percent(general),
            percent(rebels),
        )?;
        let strength = Strength::new(&all, &self.pairs);
        if let Some(interval) = strength.and_then(|strength| strength.elo_interval) {
            write!(f, ", {:+.0} Elo ({:+.0} to {:+.0})", interval.estimate, interval.low, interval.high)?;
        }
        write!(f, ", {} pairs", self.pairs.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_games_of_a_rung_are_counted() {
        let variant = Variant::builtin("yeung-luk").unwrap();
        let rung = Rung::measure(&variant, 1, 2, "off", &AtomicBool::new(false)).unwrap();
        assert_eq!((rung.pairs.count(), rung.as_general.games(), rung.as_rebels.games()), (2, 2, 2));
        assert!(rung.to_string().starts_with("1 against 0: "), "{rung}");
    }
}
