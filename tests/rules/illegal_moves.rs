//! The error text of every kind of illegal move: `tests/data/illegal-moves.txt`.
//!
//! A line `= ID TEXT` there is a position of a built-in variant; below it stand a move and its error, `MOVE | ERROR`.
//! `PRIVY_REGENERATE=1 cargo test --test all rules::illegal_moves::` writes the errors anew.

use std::fmt::Write as _;

use privy_rules::{Game, Variant};

use crate::support::snapshot;

const MOVES: &str = "tests/data/illegal-moves.txt";

fn position(id: &str, text: &str) -> Game {
    Game::from_text(text, Some(&Variant::builtin(id).unwrap())).unwrap_or_else(|error| panic!("{id} {text}: {error}"))
}

fn legal_texts(position: &Game) -> Vec<String> {
    let mut texts: Vec<String> = position.legal_moves().iter().map(|move_| position.move_text(move_)).collect();
    texts.sort();
    texts
}

#[test]
fn every_illegal_move_has_its_error() {
    let (mut made, mut moves, mut game) = (String::new(), 0, None);
    for line in snapshot::read(MOVES).lines() {
        if let Some(head) = line.strip_prefix("= ") {
            let (id, text) = head.split_once(' ').unwrap();
            game = Some(position(id, text));
        }
        let Some((text, _)) = line.split_once(" | ") else {
            let _ = writeln!(made, "{line}");
            continue;
        };
        let error = match game.as_ref().unwrap().parse_move(None, text) {
            Ok(_) => panic!("{line}: the move is legal"),
            Err(error) => error,
        };
        let _ = writeln!(made, "{text} | {error}");
        moves += 1;
    }
    assert!(moves >= 83, "{moves}");
    snapshot::check(MOVES, &made);
}

/// Where the General may stop anywhere, the beginning of a chain is a legal move.
#[test]
fn chains_that_may_stop_differ_by_their_ends() {
    let game = position("catch-the-hare-12", "3r1/2r2/1rG2/rr1rr/rrrrr g -");
    assert_eq!(legal_texts(&game), ["c3-b4", "c3-c2", "c3-d3", "c3-d4", "c3xa3", "c3xc5", "c3xc5xe5"]);
    for (ends, meant) in [("c3c5", "c3xc5"), ("c3e5", "c3xc5xe5")] {
        assert_eq!(game.move_text(&game.parse_move(None, ends).unwrap()), meant);
    }
}

/// Two cyclic chains, in opposite directions.
#[test]
fn chains_with_the_same_ends_are_both_legal() {
    let ways = position("juroku-musashi", "3/3/5/1r1r1/5/1r1r1/2G2 g -");
    assert_eq!(legal_texts(&ways), ["c1xa3xc5xe3xc1", "c1xe3xc5xa3xc1"]);
}
