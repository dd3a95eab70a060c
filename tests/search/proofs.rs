//! Proof search on positions of known value: the true result is proved, no bound is below the true length, each side's
//! half of a draw is proved, and nothing false is proved.
//!
//! The games are solved here by retrograde analysis; `privy-lab check proofs` covers all games on 25 points by their
//! tables.

use std::time::Duration;

use privy_search::Stop;
use privy_testing::cases;
use privy_testing::exactness::{random_position, sample, with_attrition};
use privy_testing::proofs::examine;
use privy_testing::random::Random;
use privy_testing::retrograde::{Exact, Solution};

/// Solves the games that follow from a random position, and tries to prove the values of a sample.
fn small_games(id: &str, rebels_at_most: u8) {
    let rebels = if cases(1) > 1 { 4 } else { 3 };
    let variant = with_attrition(id, rebels_at_most);
    let mut random = Random::new(3);
    let root = random_position(&variant, rebels, &mut random);
    let solution = Solution::of(&root, 12_000_000).expect("a small game");
    let mut positions = sample(&solution, cases(2) as usize, &mut random);
    positions.retain(|(position, _)| position.outcome().is_none());
    let proved = positions.iter().filter(|(position, value)| {
        let winner = match value {
            Exact::Win(_) => Some(position.side()),
            Exact::Loss(_) => Some(!position.side()),
            Exact::Neither(_) => None,
        };
        let proved = examine(position, winner, value.plies(), Duration::from_millis(100), &Stop::default());
        proved.unwrap_or_else(|wrong| panic!("{id}: {wrong}")).all
    });
    let proved = proved.count();
    println!("{id}: {proved} of {} positions proved", positions.len());
    assert!(proved > 0, "{id}");
}

#[test]
fn few_rebels_against_the_general() {
    small_games("sixteen-rebels", 1);
}

#[test]
fn few_rebels_against_pair_captures() {
    small_games("juroku-musashi-hasami", 1);
}

#[test]
fn few_rebels_at_the_privy() {
    small_games("monk-and-water", 1);
}
