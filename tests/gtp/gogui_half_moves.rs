//! Half moves: each legal move is entered by its own sequences of points and by no other, in every variant.

use std::collections::BTreeSet;

use privy_engine::Engine;
use privy_rules::{Game, Variant};
use privy_testing::cases;

use crate::support::half_moves;
use crate::support::random;

use random::Random;

/// Positions that games rarely reach: static interventions in a corner and in the open, leaps beside jumps, chains
/// through their starting point, free jumps beside slides, chains that may stop.
const RARE: &[&str] = &[
    "1/3/Gr3/r4/1r3/5/5/2rrr/2rr1/2r2/2r2 g - 0 0 subjugatio",
    "1/3/1r3/rGr2/1r3/5/5/2rrr/2rr1/2r2/2r2 g - 0 0 subjugatio-free",
    "1/3/1r3/rGr2/1r3/5/5/2rrr/2rr1/2r2/2r2 g - 0 0 subjugatio-intervention",
    "1/3/5/1r1r1/2G2/1r1r1/5 g - 0 0 sixteen-rebels-neeley",
    "1/3/1rrr1/1rrr1/1rGr1/1r1r1/5 g - 0 0 sixteen-rebels-neeley",
    "1/1G1/1rrr1/3r1/2r2/5/5/5/5/5/5 r - 0 0 yeung-luk",
    "3/1G1/2r2/1rrr1/5/5/5 g - 0 0 juroku-musashi",
    "3/3/1r1r1/1rrr1/2G2/1r1r1/1r1r1 g - 0 0 juroku-musashi",
    "5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu",
    "5/1r1r1/2G3/1r1r1/5 g 0 0 0 kings-gonu",
    // Chains that may stop on any landing: they continue in three directions, through the starting point and into the
    // triangle.
    "rr1rr/1r1r1/1r1r1/1r1r1/r1G1r g - 0 0 catch-the-hare-12",
    "3/3/1r1r1/1rrr1/2G2/1r1r1/1r1r1 g - 0 0 komikan",
    "3/3/1r1r1/1r1r1/2G2/1rrr1/rr1rr g - 0 0 adugo",
    "3/1r1/2r4/3rr2/2r1G2/1r1/3 g - 0 0 fox-and-geese-13",
];

/// Enters every sequence of a position and compares the points that may follow each prefix.
fn check(position: &Game) {
    let sequences = half_moves::sequences(position);
    let mut lines = Vec::new();
    let mut expected: Vec<Option<String>> = Vec::new();
    let mut say = |line: String, answer: Option<String>| {
        lines.push(line);
        expected.push(answer);
    };
    let colour = half_moves::colour(position);
    let undo = |count: usize| format!("undo {count}");
    let setting = format!("position fen {position}");
    say(setting, Some(String::new()));
    for (begun, next) in half_moves::continuations(&sequences) {
        for point in &begun {
            say(format!("play {colour} {point}"), Some(String::new()));
        }
        say("gogui-rules_legal_moves".to_owned(), Some(in_board_order(&next)));
        // Before a move is complete, the side and the position are unchanged.
        say("gogui-rules_side_to_move".to_owned(), Some(if colour == "w" { "white" } else { "black" }.to_owned()));
        say("fen".to_owned(), Some(position.to_string()));
        for point in position.board().all() {
            let name = half_moves::entered(&position.board().name(point).to_string());
            if !next.contains(&name) {
                say(format!("play {colour} {name}"), None);
            }
        }
        if !begun.is_empty() {
            say(undo(begun.len()), Some(String::new()));
        }
    }
    for (points, text) in &sequences {
        for point in points {
            say(format!("play {colour} {}", point.to_lowercase()), Some(String::new()));
        }
        let after = position.after(&position.parse_move(None, text).unwrap());
        say("fen".to_owned(), Some(after.to_string()));
        // A single half move can be taken back and played again.
        say(undo(1), Some(String::new()));
        say("fen".to_owned(), Some(position.to_string()));
        say(format!("play {colour} {}", points.last().unwrap()), Some(String::new()));
        say("fen".to_owned(), Some(after.to_string()));
        say(undo(points.len()), Some(String::new()));
        say(undo(1), None);
    }
    let engine = Engine::at(position.variant().start());
    let answers = half_moves::answers(engine, &lines);
    assert_eq!(answers.len(), lines.len());
    for ((line, expected), answer) in lines.iter().zip(expected).zip(answers) {
        let found = answer.is_success().then(|| answer.text().to_owned());
        assert_eq!(found, expected, "{line}, answer {answer:?}, in {position}");
    }
}

fn in_board_order(points: &BTreeSet<String>) -> String {
    let mut points: Vec<&String> = points.iter().collect();
    points.sort_by_key(|point| (point[1..].parse::<u32>().unwrap(), point.as_bytes()[0]));
    points.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_move_has_its_sequences_in_random_positions_of_all_variants() {
    let mut random = Random::new(6);
    for id in Variant::all_ids() {
        for _ in 0..cases(1) {
            let walk = half_moves::walk(Variant::builtin(id).unwrap().start(), 60, &mut random);
            for position in walk.iter().step_by(5).chain(walk.last()) {
                check(position);
            }
        }
    }
}

#[test]
fn every_move_has_its_sequences_where_two_points_are_ambiguous() {
    let mut random = Random::new(66);
    let mut kinds = BTreeSet::new();
    for text in RARE {
        let first = Game::from_text(text, None).unwrap();
        for position in half_moves::walk(first, 12, &mut random) {
            kinds.extend(
                half_moves::sequences(&position).values().filter_map(|text| text.chars().find(|c| "x~:".contains(*c))),
            );
            check(&position);
        }
    }
    assert_eq!(kinds.into_iter().collect::<String>(), ":x~");
}

#[test]
fn ambiguous_moves_are_told_apart_by_further_points() {
    let continuations = |text: &str, begun: &[&str]| {
        let position = Game::from_text(text, None).unwrap();
        let mut lines = vec![format!("position fen {position}")];
        lines.extend(begun.iter().map(|point| format!("play {} {point}", half_moves::colour(&position))));
        lines.push("gogui-rules_legal_moves".to_owned());
        half_moves::answers(Engine::new(), &lines).last().unwrap().text().to_owned()
    };
    // Leaps by their corners, jumps by the Rebels jumped over, steps by the points between.
    let neeley = "1/3/5/1r1r1/2G2/1r1r1/5 g - 0 0 sixteen-rebels-neeley";
    assert_eq!(continuations(neeley, &["c3"]), "A1 E1 B2 C2 D2 B3 D3 B4 C4 D4 A5 E5");
    // The corner rule: only the two neighbours, each for the pair.
    let corner = "1/3/Gr3/r4/1r3/5/5/2rrr/2rr1/2r2/2r2 g - 0 0 subjugatio";
    assert_eq!(continuations(corner, &["a9"]), "A8 B9");
    // A chain, landing by landing.
    let chain = "3/1G1/2r2/1r1r1/2r2/5/5 g - 0 0 juroku-musashi";
    assert_eq!(continuations(chain, &[]), "C6");
    assert_eq!(continuations(chain, &["c6"]), "C4");
    assert_eq!(continuations(chain, &["c6", "c4"]), "C2 A4 E4");
    // A chain that may stop: the point of the Rebel that was jumped over last.
    let free = "3/1G1/2r2/1r1r1/2r2/rrrrr/5 g - 0 0 komikan";
    assert_eq!(continuations(free, &["c6", "c4"]), "A4 E4 C5");
    assert_eq!(continuations(free, &["c6", "c4", "c5"]), "A2 B2 C2 D2 E2 C3 B4 D4");
    // Slides reach the row and the file; free jumps reach all other points of the field.
    let gonu = "5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu";
    let all = continuations(gonu, &["c3"]);
    assert_eq!(all.split(' ').count(), 21, "{all}");
    let without = continuations("5/1r1r1/2G3/1r1r1/5 g 0 0 0 kings-gonu", &["c3"]);
    assert_eq!(without, "C1 C2 A3 B3 D3 E3 F3 C4 C5");
}
