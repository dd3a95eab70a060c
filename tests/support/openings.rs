//! Random openings.

use std::ops::RangeInclusive;

use privy::rules::{Game, Variant};

use super::random::Random;

/// A game after a random number of random plies within the range, not over.
pub fn opening_within(variant: &str, random: &mut Random, plies: RangeInclusive<usize>) -> Game {
    loop {
        let mut game = Variant::builtin(variant).unwrap().start();
        for _ in 0..plies.start() + random.below(plies.end() - plies.start() + 1) {
            let moves = game.legal_moves();
            if !moves.is_empty() {
                game.play(random.choose(&moves));
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}
