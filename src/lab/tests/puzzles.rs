//! `puzzles`: each puzzle against the table's values of its moves.

use std::collections::BTreeSet;
use std::sync::Arc;

use privy_program::{CliError, find_variants};
use privy_rules::{Game, Side, Variant};
use privy_tables::{Table, TableValue, Tables};
use privy_web::{Puzzle, PuzzleGoal};

use super::{TestFolder, run, solve};

/// It is solved in a moment.
const GAME: &str = "hare-and-hounds";

/// A folder with the table of the game.
fn solved(name: &str) -> TestFolder {
    let folder = TestFolder::new(name);
    solve(&folder, GAME);
    folder
}

fn puzzles(folder: &TestFolder, options: &str) -> Vec<Puzzle> {
    let tables = folder.path("");
    let words: Vec<&str> = ["puzzles", GAME, "--tables", &tables].into_iter().chain(options.split(' ')).collect();
    run(&words).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The values of the moves of a position, best first; empty when the game is over.
fn probe(table: &Table, puzzle: &Puzzle, line: &[String]) -> Vec<(String, TableValue)> {
    let mut game = Game::from_text(&puzzle.position, Some(table.variant())).unwrap();
    for text in line {
        game.play(game.parse_move(None, text).unwrap());
    }
    if game.outcome().is_some() {
        return Vec::new();
    }
    let mut values: Vec<(String, TableValue)> =
        table.values(&game).unwrap().into_iter().map(|(move_, value)| (game.move_text(&move_), value)).collect();
    values.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    values
}

/// The move that alone wins, or alone draws where none wins.
fn only(values: &[(String, TableValue)]) -> Option<&(String, TableValue)> {
    let first = values.first().filter(|(_, value)| !matches!(value, TableValue::Loss(_)))?;
    values.iter().skip(1).all(|(_, value)| value.class() != first.1.class()).then_some(first)
}

/// The squares, `.` for an empty one.
fn squares(puzzle: &Puzzle, is_mirrored: bool) -> Vec<char> {
    let rows = puzzle.position.split(' ').next().unwrap().split('/').map(|row| {
        let squares = row.chars().flat_map(|letter| match letter.to_digit(10) {
            Some(run) => vec!['.'; run as usize],
            None => vec![letter],
        });
        let row: Vec<char> = squares.collect();
        if is_mirrored { row.into_iter().rev().collect() } else { row }
    });
    rows.flatten().collect()
}

#[test]
fn each_move_of_a_solution_is_the_only_one_and_each_reply_the_best() {
    let folder = solved("solutions");
    let found = puzzles(&folder, "--plies 21 --count 4 --seed 3");
    assert_eq!(found.len(), 4);
    assert!(found.is_sorted_by_key(|puzzle| puzzle.grade));
    let variant = find_variants(&[GAME]).unwrap().remove(0);
    let table: Arc<Table> = Tables::new(folder.path("").as_str().into()).find(&variant).unwrap();
    for puzzle in &found {
        assert!(puzzle.game == GAME && (1..=10).contains(&puzzle.grade) && puzzle.line.len() % 2 == 1, "{puzzle:?}");
        assert_eq!(puzzle.side.to_string().get(..1), puzzle.position.split(' ').nth(1), "{puzzle:?}");
        for (ply, text) in puzzle.line.iter().enumerate() {
            let values = probe(&table, puzzle, &puzzle.line[..ply]);
            let context = format!("{puzzle:?}, ply {ply}: {values:?}");
            let played = values.iter().find(|(move_, _)| move_ == text).unwrap();
            if ply % 2 == 0 {
                assert_eq!(only(&values), Some(played), "{context}");
            } else {
                assert_eq!(played.1, values[0].1, "{context}");
            }
            if ply == 0 {
                let length =
                    if puzzle.goal == PuzzleGoal::Win { TableValue::Win(puzzle.plies) } else { TableValue::Draw };
                assert_eq!(played.1, length, "{context}");
                assert!(values.len() >= 3 && (3..=21).contains(&puzzle.plies), "{context}");
            }
        }
        // No best reply leads to another move that is the only one.
        let replies = probe(&table, puzzle, &puzzle.line);
        for (reply, value) in replies.iter().filter(|_| puzzle.goal == PuzzleGoal::Win) {
            let mut longer = puzzle.clone();
            longer.line.push(reply.clone());
            let next = probe(&table, &longer, &longer.line);
            assert!(*value != replies[0].1 || only(&next).is_none(), "{puzzle:?}: {reply}");
        }
    }
    for (place, one) in found.iter().enumerate() {
        for other in found[..place].iter().filter(|other| other.side == one.side) {
            let apart = |is_mirrored| {
                let (one, other) = (squares(one, is_mirrored), squares(other, false));
                one.iter().zip(&other).filter(|(one, other)| one != other).count()
            };
            assert!(apart(false).min(apart(true)) >= 3, "{one:?} {other:?}");
        }
    }
}

#[test]
fn a_seed_repeats_its_puzzles_and_a_side_may_be_chosen() {
    let folder = solved("seeds");
    let options = "--plies 15 --count 2 --side general";
    let found = puzzles(&folder, options);
    assert_eq!(found, puzzles(&folder, options));
    assert_ne!(found, puzzles(&folder, &format!("{options} --seed 77")));
    assert_eq!(found.iter().map(|puzzle| puzzle.side).collect::<BTreeSet<_>>(), BTreeSet::from([Side::General]));
}

#[test]
fn without_a_table_or_with_too_few_puzzles_it_says_what_would_help() {
    let folder = TestFolder::new("no-puzzles");
    let tables = folder.path("");
    let words = ["puzzles", GAME, "--plies", "3", "--count", "8", "--tables", &tables];
    let missing = run(&words).unwrap_err().to_string();
    assert!(missing.starts_with("no table of hare-and-hounds in "), "{missing}");
    let advice = format!("; privy solve hare-and-hounds --tables {tables} makes one");
    assert!(missing.ends_with(&advice), "{missing}");
    let unknown = run(&["puzzles", "hare", "--plies", "3", "--count", "1"]);
    assert!(matches!(unknown, Err(CliError::UnknownVariant(id)) if id == "hare"));
    solve(&folder, GAME);
    let few = run(&words).unwrap_err().to_string();
    assert!(few.contains("too few puzzles: ") && few.contains(" of 8; more plies, or another seed"), "{few}");
}

/// The lines of the page are puzzles of games that there are.
#[test]
fn the_puzzles_of_the_page_can_be_read() {
    for puzzle in Puzzle::shipped().unwrap() {
        let variant = Variant::builtin(&puzzle.game).unwrap();
        assert_eq!(Game::from_text(&puzzle.position, Some(&variant)).unwrap().side(), puzzle.side, "{puzzle:?}");
    }
}
