//! The descriptions of the fourteen games for Ludii say the board, the opening and the limits of the built-in games.
//!
//! Their moves need Ludii: `protocol/examples/ludii/README.md` has its counts.

use std::collections::BTreeSet;
use std::path::Path;

use privy_protocol::Side;
use privy_rules::board::{Board, Point, PointSet};
use privy_rules::{Variant, games};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/protocol/examples/ludii");

/// The text between an opening bracket, with which `start` ends, and its closing bracket; `None` without `start`.
fn inside<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let rest = &text[text.find(start)? + start.len()..];
    let mut open = 1;
    let end = rest.find(|character| {
        open += match character {
            '{' | '(' => 1,
            '}' | ')' => -1,
            _ => 0,
        };
        open == 0
    });
    Some(&rest[..end.unwrap_or_else(|| panic!("{start} has no end"))])
}

/// The pairs of numbers of a list such as `{1 1} {2.5 1}`, in hundredths.
fn pairs(text: &str) -> Vec<(i32, i32)> {
    let hundredths = |number: &str| (number.parse::<f64>().unwrap() * 100.0).round() as i32;
    let pair = |text: &str| {
        let (x, y) = text.split_once(' ').unwrap();
        (hundredths(x), hundredths(y))
    };
    text.split(['{', '}']).map(str::trim).filter(|text| !text.is_empty()).map(pair).collect()
}

/// The points of a list of sites such as `1 3..5`.
fn sites(text: &str) -> PointSet {
    let range = |word: &str| {
        let (first, last) = word.split_once("..").unwrap_or((word, word));
        first.parse().unwrap()..=last.parse().unwrap()
    };
    text.split_whitespace().flat_map(range).map(Point::new).collect()
}

/// The points of a region of the description, if it has the region.
fn region(text: &str, name: &str) -> Option<PointSet> {
    inside(text, &format!("(regions \"{name}\" {{")).map(sites)
}

/// The points of the field behind an exit, as seen from the privy: a General that can jump to one is not shut in.
fn behind_exits(board: &Board) -> PointSet {
    let both_ways = board.triples.iter().flat_map(|three| {
        [(three.first, three.last), (three.last, three.first)].map(|(from, to)| (from, three.middle, to))
    });
    let behind = |(from, exit, to)| {
        (board.privy.contains(from) && board.exits.contains(exit) && board.field.contains(to)).then_some(to)
    };
    both_ways.filter_map(behind).collect()
}

#[test]
fn the_descriptions_for_ludii_have_the_boards_and_openings_of_the_games() {
    let fourteen: BTreeSet<&str> = games::all().iter().filter(|game| !game.is_relative()).map(|game| game.id).collect();
    let files = std::fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let described: BTreeSet<String> = files.filter_map(|file| file.strip_suffix(".lud").map(str::to_owned)).collect();
    assert!(fourteen.iter().eq(described.iter()), "{described:?}");
    for id in fourteen {
        let text = std::fs::read_to_string(Path::new(FOLDER).join(id).with_extension("lud")).unwrap();
        compare(&Variant::builtin(id).unwrap(), &text);
    }
}

fn compare(variant: &Variant, text: &str) {
    let (id, board, words, opening) = (variant.id(), variant.board(), variant.rule_set(), variant.opening());
    assert!(text.contains(&format!("(game \"{id}\"")), "{id}");
    let names = inside(text, "(rules \"Points in the order of the sites: ").unwrap().trim_end_matches('"');
    let expected: Vec<String> = board.all().into_iter().map(|point| board.name(point).to_string()).collect();
    assert_eq!(names, expected.join(" "), "{id}: names of points");
    let spots: Vec<(i32, i32)> = board.all().into_iter().map(|p| (board.spot(p).x, board.spot(p).y)).collect();
    assert_eq!(pairs(inside(text, "vertices:{").unwrap()), spots, "{id}: points");
    let edges = pairs(inside(text, "edges:{").unwrap()).into_iter().map(|(a, b)| (a as usize / 100, b as usize / 100));
    let neighbours =
        board.all().into_iter().flat_map(|a| board.neighbours(a).into_iter().map(move |b| (a.index(), b.index())));
    assert!(edges.eq(neighbours.filter(|(a, b)| a < b)), "{id}: edges");

    let general = if opening.side() == Side::General { 1 } else { 2 };
    let place = |piece: &str, player: i32| inside(text, &format!("(place \"{piece}{player}\" ")).map(str::to_owned);
    assert_eq!(place("General", general), Some(opening.general().index().to_string()), "{id}");
    let rebels = place("Rebel", 3 - general).unwrap();
    assert_eq!(sites(inside(&rebels, "(sites {").unwrap()), opening.rebels(), "{id}: Rebels");
    let jumps = opening.free_jumps();
    assert_eq!(text.contains(&format!("(set Score P{general} {jumps})")), jumps > 0, "{id}: free jumps");

    let regions = [("Field", board.field), ("Privy", board.privy), ("Exits", board.exits), ("Apex", board.apex)];
    for (name, points) in regions.into_iter().chain([("Bottom", board.bottom), ("Landings", behind_exits(board))]) {
        assert!(region(text, name).is_none_or(|found| found == points), "{id}: {name}");
    }
    let limit = inside(text, &format!("(<= (count Pieces P{}) ", 3 - general)).map(|limit| limit.parse().unwrap());
    assert_eq!(limit, words.rebels_at_most, "{id}: the limit of Rebels");
    assert_eq!(region(text, "Exits").is_some(), words.close_privy, "{id}: closing the privy");
}
