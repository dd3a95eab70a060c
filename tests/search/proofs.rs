//! Proof search on positions of known value: the true result is proved, no bound is below the true length, each side's half of a
//! draw is proved, and nothing false is proved.
//!
//! The default run uses games that are solved here by retrograde analysis. With tables it covers all games on 25 points:
//!
//! ```text
//! PRIVY_KEEPS_TABLES=FOLDER cargo test --release --test all search::proofs:: -- --ignored --nocapture --test-threads=1
//! ```
//!
//! `PRIVY_KEEPS_POSITIONS` sets the positions of each game (120), `PRIVY_PROOF_MS` the time of a proof (1,000).

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use privy::proofs::{Claim, Proof};
use privy::prove::{ProveRequest, prove};
use privy::rules::Game;
use privy::search::Stop;
use privy::tablebase::Value;

use super::keeps::{balanced, print, share, with_tables};
use crate::support::exactness::{random_position, sample, with_attrition};
use crate::support::random::Random;
use crate::support::retrograde::{Exact, Solution};
use crate::support::settings;

fn proved(position: &Game, claim: Claim, time: Duration) -> Option<Proof> {
    let root = *position.position();
    let request = ProveRequest {
        root,
        nodes: 3_000,
        mebibytes: 4,
        time: Some(time),
        ..ProveRequest::of_opening(position.variant(), claim)
    };
    prove(&request, &mut |_| {}, &Stop::default()).ok().flatten()
}

/// Tries to prove the true claims and the false ones. Gives the proved bound and the true length in plies, `None` if a true claim
/// is not proved, an error if a false one is.
fn examine(position: &Game, value: Exact, time: Duration) -> Result<Option<(u32, u32)>, String> {
    let side = position.side();
    let (right, wrong) = match value {
        Exact::Win(_) => (vec![Claim::Wins(side), Claim::Holds(side)], vec![Claim::Wins(!side), Claim::Holds(!side)]),
        Exact::Loss(_) => (vec![Claim::Wins(!side), Claim::Holds(!side)], vec![Claim::Wins(side), Claim::Holds(side)]),
        Exact::Neither(_) => {
            let both = [side, !side];
            (both.map(Claim::Holds).to_vec(), both.map(Claim::Wins).to_vec())
        }
    };
    for claim in wrong {
        if proved(position, claim, time).is_some() {
            return Err(format!("{position}: {claim} is proved, the value is {value:?}"));
        }
    }
    let mut plies = None;
    let mut are_all_proved = true;
    for claim in right {
        let Some(proof) = proved(position, claim, time) else {
            are_all_proved = false;
            continue;
        };
        let checked = proof.check().map_err(|fault| format!("{position}: {claim}: {fault}"))?;
        if let (Some(bound), Some(length)) = (checked.plies, value.plies()) {
            if bound < length {
                return Err(format!("{position}: {claim} within {bound} plies, the value is {value:?}"));
            }
            plies = Some((bound, length));
        }
    }
    Ok(are_all_proved.then(|| plies.unwrap_or_default()))
}

/// Solves the games that follow from a random position, and tries to prove the values of a sample.
fn small_games(id: &str, rebels_at_most: u8, rebels: usize) {
    let variant = with_attrition(id, rebels_at_most);
    let mut random = Random::new(3);
    let root = random_position(&variant, rebels, &mut random);
    let solution = Solution::of(&root, &HashSet::new(), 12_000_000).expect("a small game");
    let mut positions = sample(&solution, 16, &mut random);
    positions.retain(|(position, _)| position.outcome().is_none());
    let proved = positions.iter().filter(|(position, value)| {
        let proved = examine(position, *value, Duration::from_millis(100));
        proved.unwrap_or_else(|wrong| panic!("{id}: {wrong}")).is_some()
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

#[test]
#[ignore = "needs tables and takes minutes: see the head of the file"]
fn no_bound_is_below_the_length_of_the_table() {
    let plies = Mutex::new(Vec::new());
    let wrong = Mutex::new(Vec::new());
    let time = Duration::from_millis(settings::count("PRIVY_PROOF_MS", 1_000) as u64);
    with_tables(|variant, table| {
        let exact = |position: &Game| match table.probe(position).unwrap() {
            Value::Win(plies) => Exact::Win(plies),
            Value::Loss(plies) => Exact::Loss(plies),
            _ => Exact::DRAW,
        };
        let is_long = |position: &Game| exact(position).plies().is_none_or(|plies| plies >= 3);
        let positions = balanced(variant, settings::count("PRIVY_KEEPS_POSITIONS", 120), is_long);
        let start = Instant::now();
        let shares = share(&positions, |_, position| match examine(position, exact(position), time) {
            Ok(proof) => {
                plies.lock().unwrap().extend(proof);
                proof.is_some()
            }
            Err(error) => {
                wrong.lock().unwrap().push(error);
                false
            }
        });
        print(variant.id(), &shares, start);
    });
    let mut ratios: Vec<f64> = (plies.into_inner().unwrap().into_iter())
        .filter(|(_, length)| *length > 0)
        .map(|(bound, length)| f64::from(bound) / f64::from(length))
        .collect();
    ratios.sort_by(f64::total_cmp);
    let exact = ratios.iter().filter(|ratio| **ratio <= 1.0).count();
    let median = ratios[ratios.len() / 2];
    println!("{} wins proved, {exact} with the table's length, in the median {median:.2} of it", ratios.len());
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of them wrong: {wrong:#?}", wrong.len());
}
