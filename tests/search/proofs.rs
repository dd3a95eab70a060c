//! Proof search on positions of known value: the true result is proved, no bound is below the true length, each side's half of a
//! draw is proved, and nothing false is proved.
//!
//! The games are solved here by retrograde analysis; `privy-lab check proofs` covers all games on 25 points by their tables.

use std::time::Duration;

use privy_rules::Game;
use privy_search::Stop;
use privy_search::proof::{Proof, ProofGoal, ProveRequest, prove};

use crate::support::exactness::{random_position, sample, with_attrition};
use crate::support::random::Random;
use crate::support::retrograde::{Exact, Solution};

fn proved(position: &Game, goal: ProofGoal, time: Duration) -> Option<Proof> {
    let root = *position.position();
    let request = ProveRequest {
        root,
        nodes: 3_000,
        mebibytes: 4,
        time: Some(time),
        ..ProveRequest::of_opening(position.variant(), goal)
    };
    prove(&request, &mut |_| {}, &Stop::default()).ok().flatten()
}

/// Tries to prove the true claims and the false ones. True if all true ones are proved, an error if a false one is.
fn examine(position: &Game, value: Exact, time: Duration) -> Result<bool, String> {
    let side = position.side();
    let (right, wrong) = match value {
        Exact::Win(_) => (
            vec![ProofGoal::Win(side), ProofGoal::NotLose(side)],
            vec![ProofGoal::Win(!side), ProofGoal::NotLose(!side)],
        ),
        Exact::Loss(_) => (
            vec![ProofGoal::Win(!side), ProofGoal::NotLose(!side)],
            vec![ProofGoal::Win(side), ProofGoal::NotLose(side)],
        ),
        Exact::Neither(_) => {
            let both = [side, !side];
            (both.map(ProofGoal::NotLose).to_vec(), both.map(ProofGoal::Win).to_vec())
        }
    };
    for goal in wrong {
        if proved(position, goal, time).is_some() {
            return Err(format!("{position}: {goal} is proved, the value is {value:?}"));
        }
    }
    let mut are_all_proved = true;
    for goal in right {
        let Some(proof) = proved(position, goal, time) else {
            are_all_proved = false;
            continue;
        };
        let checked = proof.check(&Stop::default()).map_err(|fault| format!("{position}: {goal}: {fault}"))?;
        if let (Some(bound), Some(length)) = (checked.plies, value.plies())
            && bound < length
        {
            return Err(format!("{position}: {goal} within {bound} plies, the value is {value:?}"));
        }
    }
    Ok(are_all_proved)
}

/// Solves the games that follow from a random position, and tries to prove the values of a sample.
fn small_games(id: &str, rebels_at_most: u8, rebels: usize) {
    let variant = with_attrition(id, rebels_at_most);
    let mut random = Random::new(3);
    let root = random_position(&variant, rebels, &mut random);
    let solution = Solution::of(&root, 12_000_000).expect("a small game");
    let mut positions = sample(&solution, 16, &mut random);
    positions.retain(|(position, _)| position.outcome().is_none());
    let proved = positions.iter().filter(|(position, value)| {
        let proved = examine(position, *value, Duration::from_millis(100));
        proved.unwrap_or_else(|wrong| panic!("{id}: {wrong}"))
    });
    let proved = proved.count();
    println!("{id}: {proved} of {} positions proved", positions.len());
    assert!(proved > 0, "{id}");
}

#[test]
fn few_rebels_against_the_general() {
    small_games("sixteen-rebels", 1, 4);
}

#[test]
fn few_rebels_against_pair_captures() {
    small_games("juroku-musashi-hasami", 1, 4);
}

#[test]
fn few_rebels_at_the_privy() {
    small_games("monk-and-water", 1, 4);
}
