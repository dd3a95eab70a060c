//! Tables of random games on boards of 5 to 14 points: every position has the value of the plain solver, and every one
//! that a game reaches also that of the naive rules. Most games have a hand, and a side that draws, wins or passes when
//! it has no move.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use privy_oracle::Rules;
use privy_rules::Variant;
use privy_rules::rule_set::NoMove;
use privy_tables::{SolveOptions, Table, effort, solve};
use privy_testing::random::Random;
use privy_testing::tables::{Reference, compare_all, compare_reached};
use privy_testing::variants::{GameFiles, random_game};

use crate::support::binary::Home;

/// Positions that a naive solution may have.
const REACHED: usize = 400_000;

/// The numbers of games that were compared, and of those among them with some words.
#[derive(Default, Debug)]
struct Compared {
    games: usize,
    with_hand: usize,
    with_pass: usize,
    reached: usize,
    failures: Vec<String>,
}

/// Compares the table of a game with the plain solver; returns the positions that a naive solution has.
fn compare(home: &Home, variant: &Arc<Variant>, files: &GameFiles) -> Result<usize, String> {
    let path = home.join("random.privy");
    let rules = Arc::new(Rules::read(&[&files.game], &files.board)?);
    // The plain solver lists positions without their history, where a goal on return does not count yet in one of them.
    let reference = (!variant.rule_set().goal_on_return).then(|| Reference::of(variant));
    let options = SolveOptions { threads: Some(1), ..SolveOptions::default() };
    solve(variant, &path, &options, &mut |_| {}, &Default::default()).map_err(|error| error.to_string())?;
    let table = Table::open(&path, variant).unwrap();
    reference.as_ref().map_or(Ok(()), |reference| compare_all(&table, variant, reference))?;
    compare_reached(&table, variant, &rules, REACHED)
}

/// Compares games with at most so many positions.
fn compare_games(games: usize, points: usize, positions: u64, seed: u64) -> Compared {
    let home = Home::new();
    let mut compared = Compared::default();
    let mut random = Random::new(seed);
    while compared.games < games {
        let files = random_game(5..=points, &mut random);
        fs::write(home.join("board.toml"), &files.board).unwrap();
        let Ok(variant) = Variant::from_toml(&files.game, Some(&home.join(""))) else { continue };
        let variant = Arc::new(variant);
        let is_small = || effort(&variant).is_ok_and(|effort| effort.positions <= positions);
        let compare = || is_small().then(|| compare(&home, &variant, &files));
        match catch_unwind(AssertUnwindSafe(compare)).unwrap_or_else(|_| Some(Err("a panic".to_owned()))) {
            None => continue,
            Some(Ok(reached)) => compared.reached += reached,
            Some(Err(text)) => compared.failures.push(format!("{text}\n{}\n{}", files.game, files.board)),
        }
        let no_move = variant.rule_set().no_move;
        compared.games += 1;
        compared.with_hand += usize::from(variant.opening().hand() > 0);
        compared.with_pass += usize::from([no_move.general, no_move.rebels].contains(&NoMove::Pass));
    }
    compared
}

fn assert_right(compared: &Compared) {
    let Compared { games, with_hand, with_pass, reached, failures } = compared;
    println!("{games} games, {with_hand} with a hand, {with_pass} with a pass, {reached} positions reached");
    assert!(failures.is_empty(), "{} of {games}: {}", failures.len(), failures[..failures.len().min(3)].join("\n"));
    assert!(2 * with_hand > *games && 3 * with_pass > *games && *reached > 10 * games, "{compared:?}");
}

#[test]
fn every_position_has_the_value_of_the_plain_solver() {
    assert_right(&compare_games(100, 9, 2_000, 1));
}

#[test]
#[ignore = "release: 2,000 games, some minutes; every day a hundred smaller ones"]
fn every_position_of_larger_games_has_the_value_of_the_plain_solver() {
    assert_right(&compare_games(2_000, 14, 60_000, 2));
}
