//! `privy puzzles`: each puzzle against the values that the engine tells of its moves.

use std::collections::BTreeSet;

use privy_protocol::Client;
use serde::Deserialize;

use crate::support::binary::Home;
use crate::support::late::PATIENCE;

/// It is solved in a moment.
const GAME: &str = "hare-and-hounds";

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Puzzle {
    game: String,
    position: String,
    side: String,
    goal: String,
    plies: u32,
    grade: u32,
    line: Vec<String>,
}

fn solved() -> Home {
    let home = Home::new();
    home.run(&["solve", GAME]);
    home
}

fn puzzles(home: &Home, options: &str) -> Vec<Puzzle> {
    let words: Vec<&str> = ["puzzles", GAME, "--json"].into_iter().chain(options.split_whitespace()).collect();
    let output = home.run(&words).success();
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The values of the moves of a position, best first; empty when the game is over.
fn probe(client: &mut Client, puzzle: &Puzzle, plies: usize) -> Vec<(String, String)> {
    let position = format!("position fen {} moves {}", puzzle.position, puzzle.line[..plies].join(" "));
    assert!(client.request(&position, PATIENCE).unwrap().is_success(), "{position}");
    let reply = client.request("probe moves", PATIENCE).unwrap();
    assert!(reply.is_success() || reply.text().starts_with("game over"), "{reply:?}");
    let lines = reply.text().lines().filter(|_| reply.is_success());
    lines.map(|line| line.split_once(' ').unwrap()).map(|(text, value)| (text.to_owned(), value.to_owned())).collect()
}

/// The move that alone wins, or alone draws where none wins.
fn only(values: &[(String, String)]) -> Option<&(String, String)> {
    let class = |value: &str| value.split(' ').next().unwrap().to_owned();
    let first = values.first().filter(|(_, value)| class(value) != "loss")?;
    values.iter().skip(1).all(|(_, value)| class(value) != class(&first.1)).then_some(first)
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
    let home = solved();
    let found = puzzles(&home, "--plies 21 --count 4 --seed 3");
    assert_eq!(found.len(), 4);
    assert!(found.is_sorted_by_key(|puzzle| puzzle.grade));
    let mut client = Client::spawn(home.privy().stderr(std::process::Stdio::null())).unwrap();
    for puzzle in &found {
        assert!(puzzle.game == GAME && (1..=10).contains(&puzzle.grade) && puzzle.line.len() % 2 == 1, "{puzzle:?}");
        assert_eq!(puzzle.side.chars().next(), puzzle.position.split(' ').nth(1).unwrap().chars().next(), "{puzzle:?}");
        for (ply, text) in puzzle.line.iter().enumerate() {
            let values = probe(&mut client, puzzle, ply);
            let context = format!("{puzzle:?}, ply {ply}: {values:?}");
            let played = values.iter().find(|(move_, _)| move_ == text).unwrap();
            if ply % 2 == 0 {
                assert_eq!(only(&values), Some(played), "{context}");
            } else {
                assert_eq!(played.1, values[0].1, "{context}");
            }
            if ply == 0 {
                let length = if puzzle.goal == "win" { format!("win {}", puzzle.plies) } else { "draw".to_owned() };
                assert_eq!(played.1, length, "{context}");
                assert!(values.len() >= 3 && (3..=21).contains(&puzzle.plies), "{context}");
            }
        }
        // No best reply leads to another move that is the only one.
        let replies = probe(&mut client, puzzle, puzzle.line.len());
        for (reply, value) in replies.iter().filter(|_| puzzle.goal == "win") {
            let mut longer = puzzle.clone();
            longer.line.push(reply.clone());
            let next = probe(&mut client, &longer, longer.line.len());
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
    let home = solved();
    let options = "--plies 15 --count 2 --side general";
    let found = puzzles(&home, options);
    assert_ne!(found, puzzles(&home, &format!("{options} --seed 77")));
    assert_eq!(found.iter().map(|puzzle| puzzle.side.as_str()).collect::<BTreeSet<_>>(), BTreeSet::from(["general"]));
    let shown = |options: &str| {
        let words = ["puzzles", GAME, "--plies", "15", "--count", "2", "--side", "general"];
        home.run(&words.into_iter().chain(options.split_whitespace()).collect::<Vec<_>>()).success()
    };
    let (hidden, solved) = (shown(""), shown("--solutions"));
    for puzzle in &found {
        let (goal, solution) = (format!("The General wins in {} pl", puzzle.plies), puzzle.line.join(" "));
        assert!(puzzle.goal != "win" || hidden.contains(&goal), "{hidden}");
        assert!(hidden.contains(&puzzle.position) && !hidden.contains("Solution"), "{hidden}");
        assert!(solved.contains(&format!("Solution: {solution}\n")), "{solved}");
    }
}

#[test]
fn without_a_table_or_with_too_few_puzzles_it_says_what_would_help() {
    let home = Home::new();
    let words = ["puzzles", GAME, "--plies", "3", "--count", "8"];
    let missing = home.run(&words).failure(1);
    assert!(missing.starts_with("privy: no table of hare-and-hounds in "), "{missing}");
    assert!(missing.ends_with("; privy solve hare-and-hounds makes one\n"), "{missing}");
    let unknown = home.run(&["puzzles", "hare", "--plies", "3", "--count", "1"]).failure(2);
    assert!(unknown.contains("unknown variant: \"hare\""), "{unknown}");
    home.run(&["solve", GAME]);
    let few = home.run(&words).failure(1);
    assert!(few.contains("too few puzzles: ") && few.contains(" of 8; more plies, or another seed"), "{few}");
}
