//! Drawings on the board: every sign has one meaning, no sign suggests a missing line, and all that a player needs is
//! on the board, because GoGui clears its status line.

use std::collections::{BTreeMap, BTreeSet};

use privy_rules::board::PointName;
use privy_rules::{Game, Variant};

use crate::support::gogui;

use gogui::Copy;

/// A parsed drawing: the last colour of each point, its label, and the points of each mark.
#[derive(Debug, Default)]
struct Drawing {
    colours: BTreeMap<String, String>,
    labels: BTreeMap<String, String>,
    marks: BTreeMap<String, BTreeSet<String>>,
}

impl Drawing {
    fn of(copy: &mut Copy) -> Drawing {
        let mut drawing = Drawing::default();
        for line in copy.succeed("gogui-rules_board_gfx").lines() {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            match words[0].as_str() {
                "COLOR" => drawing.colours.extend(words[2..].iter().map(|point| (point.clone(), words[1].clone()))),
                "LABEL" => {
                    drawing.labels.extend(words[1..].chunks(2).map(|pair| (pair[0].clone(), pair[1].clone())));
                }
                mark => drop(drawing.marks.insert(mark.to_owned(), words[1..].iter().cloned().collect())),
            }
        }
        drawing
    }

    /// The points of a colour.
    fn coloured(&self, colour: &str) -> Vec<&str> {
        self.colours.iter().filter(|(_, other)| *other == colour).map(|(point, _)| point.as_str()).collect()
    }

    /// The labels on points outside the board.
    fn notes(&self, variant: &str) -> BTreeSet<&str> {
        let outside = outside(variant);
        self.labels.iter().filter(|(point, _)| outside.contains(*point)).map(|(_, text)| text.as_str()).collect()
    }
}

/// The points of the square outside the board of a variant. No board has a file beyond H.
fn outside(variant: &str) -> BTreeSet<String> {
    let variant = Variant::builtin(variant).unwrap();
    let square = variant.board().square();
    let letters = ["A", "B", "C", "D", "E", "F", "G", "H", "J", "K", "L"];
    let cells = (1..=square).flat_map(|file| (1..=square).map(move |row| (file, row)));
    let missing = cells.filter(|(file, row)| variant.board().point(PointName::new(*file, *row).unwrap()).is_none());
    missing.map(|(file, row)| format!("{}{row}", letters[usize::from(file) - 1])).collect()
}

fn words(texts: &[&'static str]) -> BTreeSet<&'static str> {
    texts.iter().copied().collect()
}

#[test]
fn points_outside_the_board_look_empty() {
    for id in Variant::all_ids() {
        let mut copy = Copy::start(id);
        let (drawing, outside) = (Drawing::of(&mut copy), outside(id));
        for point in &outside {
            let colour = drawing.colours.get(point).unwrap_or_else(|| panic!("{id}: {point} has no colour"));
            assert!(colour == "#282018" || drawing.labels.contains_key(point), "{id}: {point}");
        }
        assert!(drawing.coloured("#282018").iter().all(|point| outside.contains(*point)), "{id}");
        copy.quit();
    }
}

#[test]
fn the_side_to_move_and_the_next_click_are_shown_beside_the_board() {
    let mut copy = Copy::start("juroku-musashi");
    let mut notes = |command: &str| {
        copy.succeed(command);
        Drawing::of(&mut copy).notes("juroku-musashi").into_iter().map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let mut check = |command: &str, expected: &[&'static str]| {
        let found = notes(command);
        assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), words(expected), "{command}");
    };
    check("position fen 3/1G1/2r2/1r1r1/2r2/5/5 g", &["White", "from"]);
    check("play w c6", &["White", "to"]);
    check("play w c4", &["White", "jump"]);
    check("undo", &["White", "to"]);
    check("gogui-play_sequence w c4 w a4", &["Black", "from"]);
    check("position fen 3/1G1/2r2/5/5/5/5 g", &["White", "from"]);
    check("gogui-play_sequence w c6 w c4", &["White", "wins"]);
    copy.quit();
}

#[test]
fn free_jumps_have_their_own_colour_and_a_count() {
    let mut copy = Copy::start("kings-gonu");
    copy.succeed("position fen 5/1r1r1/2G3/1r1r1/5 g 2");
    assert_eq!(Drawing::of(&mut copy).notes("kings-gonu"), words(&["White", "from", "2x"]));
    copy.succeed("play w c3");
    let drawing = Drawing::of(&mut copy);
    assert_eq!(drawing.notes("kings-gonu"), words(&["White", "to", "2x"]));
    let slides = ["A3", "B3", "C1", "C2", "C4", "C5", "D3", "E3", "F3"];
    assert!(slides.iter().all(|point| drawing.coloured("#60d060").contains(point)), "{drawing:?}");
    let blue = drawing.coloured("#4090ff");
    for free in ["A1", "B1", "D1", "E1", "A2", "E2", "A4", "E4", "A5", "B5", "D5", "E5"] {
        assert!(blue.contains(&free), "{free}: {drawing:?}");
    }
    // The count has the colour of the free jumps.
    let count = drawing.labels.iter().find(|(_, text)| *text == "2x").unwrap().0.clone();
    assert!(blue.contains(&count.as_str()) && blue.len() == 13, "{blue:?}");
    copy.succeed("play w a1");
    assert_eq!(Drawing::of(&mut copy).notes("kings-gonu"), words(&["Black", "from", "1x"]));
    copy.quit();
}

#[test]
fn the_click_that_stops_a_chain_is_shown() {
    let mut copy = Copy::start("komikan");
    copy.succeed("position fen 3/1G1/2r2/1r1r1/2r2/rrrrr/5 g");
    copy.succeed("gogui-play_sequence w c6 w c4");
    let drawing = Drawing::of(&mut copy);
    assert_eq!(drawing.labels.get("C5").map(String::as_str), Some("stop"));
    assert!(["A4", "E4", "C5"].iter().all(|point| drawing.coloured("#60d060").contains(point)), "{drawing:?}");
    copy.succeed("play w c5");
    assert!(!Drawing::of(&mut copy).labels.values().any(|label| label == "stop"));
    copy.quit();
}

#[test]
fn targets_under_rebels_are_shown() {
    let mut copy = Copy::start("subjugatio");
    copy.succeed("position fen 1/3/Gr3/r4/1r3/5/5/2rrr/2rr1/2r2/2r2 g");
    copy.succeed("play w a9");
    let drawing = Drawing::of(&mut copy);
    assert_eq!(drawing.labels.get("A8").map(String::as_str), Some("take"));
    assert_eq!(drawing.labels.get("B9").map(String::as_str), Some("take"));
    copy.quit();
}

/// Signs mean lines of the board only, in the lattice of the client: both ends of each line of `X`, `/` and `\` and of
/// the halves `^`, `v`, `<` and `>` exist and are adjacent. Every diagonal has a sign at one end at least.
#[test]
fn signs_stand_for_lines_of_the_board() {
    // Upper left, upper right, lower left, lower right.
    let directions: [(i32, i32); 4] = [(-1, 1), (1, 1), (-1, -1), (1, -1)];
    for (id, empty) in [
        ("sixteen-rebels", "1/3/5/5/4r/5/G4 r"),
        ("monk-and-water", "1/3/5/5/4r/r4/rrGrr r"),
        ("juroku-musashi", "3/3/5/5/4r/5/G4 r"),
        ("juroku-musashi-hasami", "5/3/5/r4/4r/5/Grrr1 r"),
        ("shap-luk-kon-2", "1/2/5/5/4r/5/G2r1 r"),
    ] {
        let mut copy = Copy::start(id);
        copy.succeed(&format!("position fen {empty}"));
        let signs = Drawing::of(&mut copy).labels;
        let game = Game::from_text(empty, Some(&Variant::builtin(id).unwrap())).unwrap();
        let (board, occupied) = (game.board(), game.position().occupied());
        for point in board.all() {
            let name = board.name(point);
            let joined = directions.map(|(x, y)| {
                let there = |at: u8, by: i32| u8::try_from(i32::from(at) + by).unwrap_or(0);
                let other = PointName::new(there(name.file(), x), there(name.row(), y));
                let other = other.and_then(|other| board.point(other));
                other.filter(|other| board.neighbours(point).contains(*other))
            });
            let shown = |sign: Option<&String>| match sign.map(String::as_str) {
                Some("X") => [true; 4],
                Some("/") => [false, true, true, false],
                Some("\\") => [true, false, false, true],
                Some("v") => [true, true, false, false],
                Some("^") => [false, false, true, true],
                Some("<") => [false, true, false, true],
                Some(">") => [true, false, true, false],
                _ => [false; 4],
            };
            let text = |point| board.name(point).to_string().to_uppercase();
            let here = shown(signs.get(&text(point)));
            for direction in 0..4 {
                assert!(!here[direction] || joined[direction].is_some(), "{id}: {} {signs:?}", text(point));
                let Some(other) = joined[direction] else { continue };
                let there = shown(signs.get(&text(other)))[3 - direction];
                let is_hidden = occupied.contains(point) || occupied.contains(other);
                assert!(here[direction] || there || is_hidden, "{id}: {}-{}", text(point), text(other));
            }
        }
        copy.quit();
    }
}

#[test]
fn each_mark_has_one_meaning() {
    let mut copy = Copy::start("sixteen-rebels");
    copy.succeed("gogui-play_sequence w c3 w b2");
    let marks = Drawing::of(&mut copy).marks;
    let points = |mark: &str| marks.get(mark).map(|points| points.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(points("TRIANGLE"), Some(vec!["C3"]));
    assert_eq!(points("SQUARE"), Some(vec!["B2"]));
    assert_eq!(points("MARK"), Some(vec!["A3", "C1"]));
    for command in ["privy-move_values", "privy-best_line"] {
        let answer = copy.succeed(command);
        let marks =
            answer.lines().filter(|line| !["COLOR", "LABEL", "TEXT", "VAR"].iter().any(|word| line.starts_with(word)));
        assert!(marks.into_iter().all(|line| line.starts_with("MARK ")), "{command}: {answer}");
    }
    copy.quit();
}
