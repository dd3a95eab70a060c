//! The points by which moves are entered.

use std::sync::Arc;

use privy_records::half_moves::{EntrySequence, HalfMoves};
use privy_rules::*;

/// A game that has all kinds of moves at once, which no built-in one has.
const EVERYTHING: &str = r#"
id = "everything"
title = "Everything"
board = "privy"
opening = "1/3/r1r1r/1r1r1/r1G1r/1r1r1/r1r1r"
first = "general"
intervention = true
static = "any"
jump = "multi"
leap = "any"
slide = true
free_jumps = 3
"#;

#[test]
fn with_all_kinds_of_moves_each_sequence_means_one_move() {
    let mut game = Arc::new(Variant::from_toml(EVERYTHING, None).unwrap()).start();
    let mut kinds = Vec::new();
    for turn in 0..60 {
        let moves = game.legal_moves();
        let half_moves = HalfMoves::of(&game, moves.clone());
        for (place, way) in half_moves.ways.iter().enumerate() {
            kinds.push(way.move_.action().kind);
            assert!(moves.contains(&way.move_));
            assert_eq!(half_moves.completed(&way.points), Some(&way.move_));
            let others = half_moves.ways.iter().enumerate().filter(|(other, _)| *other != place);
            assert!(others.into_iter().all(|(_, other)| !other.points.starts_with(&way.points)), "{game}");
            let before = &way.points[..way.points.len() - 1];
            assert!(half_moves.continuations(before).contains(way.points[before.len()]));
            assert_eq!(half_moves.position_within(&game, &before[..1]), *game.position());
        }
        // Every walk, leap and jump can be entered; of the others only those whose points are free.
        let entered = |move_: &MovePath| half_moves.points_of(move_).is_some();
        let has_way = |move_: &&MovePath| matches!(move_.action().kind, MoveKind::Walk | MoveKind::Jump);
        assert!(moves.iter().filter(has_way).all(entered), "{game}");
        let Some(move_) = moves.get((turn * 7) % moves.len().max(1)) else { break };
        game.play(move_.clone());
    }
    for kind in [MoveKind::Walk, MoveKind::Jump, MoveKind::Leap, MoveKind::Static, MoveKind::FreeJump] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}

#[test]
fn a_chain_that_stops_ends_with_the_rebel_jumped_last_or_its_landing() {
    let opening = "board = \"alquerque\"\nopening = \"5/5/Gr1r1/5/5\"\nfirst = \"general\"\njump = \"free\"";
    for (leap, expected) in [("none", ["a3 c3 b3", "a3 c3 e3"]), ("any", ["a3 b3 c3", "a3 b3 e3"])] {
        let text = format!("id = \"x\"\ntitle = \"\"\n{opening}\nleap = \"{leap}\"");
        let game = Arc::new(Variant::from_toml(&text, None).unwrap()).start();
        let half_moves = HalfMoves::of(&game, game.legal_moves());
        let jumps = half_moves.ways.iter().filter(|way| way.move_.action().kind == MoveKind::Jump);
        let names =
            |way: &EntrySequence| way.points.iter().map(|p| game.board().name(*p).to_string()).collect::<Vec<_>>();
        let found: Vec<String> = jumps.clone().map(|way| names(way).join(" ")).collect();
        assert_eq!(found, expected);
        let stops = jumps.clone().next().unwrap();
        assert_eq!(half_moves.stop(&stops.points[..2]), stops.points.last().copied());
        assert_eq!(half_moves.stop(&stops.points[..1]), None);
        assert_eq!(half_moves.position_within(&game, &stops.points[..2]).rebels().len(), 1);
    }
}

#[test]
fn within_a_chain_the_general_stands_on_its_last_landing() {
    let game = Game::from_text("3/1G1/2r2/1r1r1/2r2/5/5 g - 0 0 juroku-musashi", None).unwrap();
    let board = game.board();
    let point = |name: &str| board.point(name.parse().unwrap()).unwrap();
    let half_moves = HalfMoves::of(&game, game.legal_moves());
    let within = half_moves.position_within(&game, &[point("c6"), point("c4")]);
    assert_eq!(board.name(within.general()).to_string(), "c4");
    assert_eq!(board.names(within.rebels()), "c3 b4 d4");
}

#[test]
fn a_drop_is_its_point_and_a_pass_that_of_the_general() {
    let opening = "board = \"hare-11\"\nopening = \"1/3/3/3/1[Gr3]\"\nfirst = \"rebels\"\ngeneral_waits = true";
    let mut game = Arc::new(Variant::from_toml(&format!("id = \"x\"\ntitle = \"\"\n{opening}"), None).unwrap()).start();
    let ways = |game: &Game| -> Vec<(String, String)> {
        let text = |way: &EntrySequence| {
            let points = way.points.iter().map(|p| game.board().name(*p).to_string()).collect::<Vec<_>>();
            (points.join(" "), game.move_text(&way.move_))
        };
        HalfMoves::of(game, game.legal_moves()).ways.iter().map(text).collect()
    };
    assert_eq!(ways(&game).len(), 11);
    assert!(ways(&game).iter().all(|(points, text)| *text == format!("@{points}")));
    for text in ["@b1", "@a2", "@b3"] {
        game.play(game.parse_move(None, text).unwrap());
    }
    assert_eq!(ways(&game), [("a2".to_owned(), "pass".to_owned())]);
    for text in ["pass", "@c2"] {
        game.play(game.parse_move(None, text).unwrap());
    }
    assert!(ways(&game).contains(&("a2 a3".to_owned(), "a2-a3".to_owned())));
}
