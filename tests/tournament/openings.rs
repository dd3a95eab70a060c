//! Openings of matches: random, from a file, balanced by table or by search.

use privy_engine::Engine;
use privy_protocol::{Limits, Stop};

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use privy_base::path_choice::PathChoice;
use privy_referee::{Opening, OpeningsChoice, OpeningsError, OpeningsRequest};
use privy_rules::{Game, Position, Side, Variant};
use privy_tables::{Table, TableValue, Tables, table_path};
use proptest::prelude::*;

use crate::support::binary;
use crate::support::tables;

use binary::{Home, SMALL_VARIANT};

fn builtin(id: &str) -> Arc<Variant> {
    Variant::builtin(id).unwrap()
}

fn pick_from(
    choice: &str,
    variant: &Arc<Variant>,
    count: usize,
    seed: u64,
    tables: &Tables,
) -> Result<Vec<Opening>, OpeningsError> {
    let stop = Stop::default();
    let choice: OpeningsChoice = choice.parse().unwrap();
    choice.pick(&OpeningsRequest { variant, count, seed, tables, stop: &stop })
}

/// Openings without a table.
fn pick(choice: &str, variant: &Arc<Variant>, count: usize, seed: u64) -> Result<Vec<Opening>, OpeningsError> {
    pick_from(choice, variant, count, seed, &Tables::new(PathChoice::Off))
}

/// The positions of openings: legal, not over, and all different.
fn positions(openings: &[Opening], variant: &Arc<Variant>) -> Vec<Game> {
    let positions: Vec<Game> =
        openings.iter().map(|opening| opening.game(variant).unwrap().without_history()).collect();
    let mut seen: HashSet<Position> = HashSet::new();
    for position in &positions {
        assert!(
            !seen.contains(position.position()) && !seen.contains(&variant.mirror(position.position())),
            "{position}"
        );
        seen.insert(*position.position());
    }
    positions
}

/// The small variant, with its table in a home folder.
fn solved(home: &Home) -> (Arc<Variant>, Tables) {
    let variant = Arc::new(Variant::from_file(Path::new(SMALL_VARIANT)).unwrap());
    let folder = home.join("tables");
    fs::create_dir_all(&folder).unwrap();
    let path = table_path(&folder, &variant);
    tables::solve_into(&path, &variant);
    (variant, Tables::new(PathChoice::Path(folder)))
}

#[test]
fn choices_are_keywords_or_files() {
    for (text, choice) in [
        ("opening", OpeningsChoice::Variant),
        ("balanced", OpeningsChoice::Balanced),
        ("random:6", OpeningsChoice::Random(6..=6)),
        ("random:4-10", OpeningsChoice::Random(4..=10)),
        ("./balanced", OpeningsChoice::File(PathBuf::from("./balanced"))),
        ("critical.txt", OpeningsChoice::File(PathBuf::from("critical.txt"))),
    ] {
        assert_eq!(text.parse(), Ok(choice.clone()));
        assert_eq!(choice.to_string(), text);
    }
    for text in ["random", "random:", "random:0", "random:6-4", "random:1-1001", "random:x", "random:4-", "random:-4"] {
        let error = text.parse::<OpeningsChoice>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("openings \"{text}\": expected plies from 1 to 1000")), "{error}");
    }
    assert!("".parse::<OpeningsChoice>().unwrap_err().to_string().starts_with("openings \"\": expected opening, "));
}

proptest! {
    #[test]
    fn any_text_is_a_choice_or_an_error(text in "(random:)?[0-9a-z./-]{0,8}") {
        if let Ok(choice) = text.parse::<OpeningsChoice>() {
            prop_assert_eq!(choice.to_string().parse(), Ok(choice));
        }
    }
}

#[test]
fn the_opening_of_the_variant_is_a_choice() {
    let variant = builtin("kings-gonu");
    let openings = pick("opening", &variant, 10, 1).unwrap();
    let found: Vec<Position> = positions(&openings, &variant).iter().map(|game| *game.position()).collect();
    assert_eq!(found, [*variant.opening()]);
    for choice in ["opening", "random:3", "balanced"] {
        let error = pick(choice, &builtin("twenty-six-murray"), 10, 1).unwrap_err();
        assert_eq!(error.to_string(), "opening: expected an unfinished game, found rebels win: no move");
    }
}

#[test]
fn random_openings_are_different_and_of_the_given_length() {
    for id in ["sixteen-rebels", "kings-gonu", "subjugatio"] {
        let variant = builtin(id);
        let openings = pick("random:5-8", &variant, 300, 1).unwrap();
        let positions = positions(&openings, &variant);
        assert_eq!(positions.len(), 300);
        for plies in 5..=8 {
            assert!(positions.iter().filter(|position| position.ply() == plies).count() > 30, "{id}");
        }
        for (opening, position) in openings.iter().zip(positions) {
            assert_eq!(opening.origin, format!("{} random plies", position.ply()));
        }
    }
}

#[test]
fn random_openings_depend_on_the_seed_alone() {
    let variant = builtin("sixteen-rebels");
    let openings = pick("random:6", &variant, 50, 7).unwrap();
    assert_eq!(pick("random:6", &variant, 20, 7).unwrap(), openings[..20]);
    assert_ne!(pick("random:6", &variant, 50, 8).unwrap(), openings);
}

#[test]
fn openings_are_limited_to_the_distinct_ones() {
    let variant = builtin("sixteen-rebels");
    let found = positions(&pick("random:1", &variant, 1_000, 1).unwrap(), &variant);
    let mut images: HashSet<Position> = HashSet::new();
    for move_ in variant.start().legal_moves() {
        let state = *variant.start().after(&move_).position();
        if !images.contains(&variant.mirror(&state)) {
            images.insert(state);
        }
    }
    assert_eq!(found.len(), images.len());
    // Its games are over after a few moves.
    let home = Home::new();
    let (small, _) = solved(&home);
    let error = pick("random:1000", &small, 5, 1).unwrap_err().to_string();
    assert_eq!(error, "no random openings of three-rows: all games were over by then; fewer plies would be right");
}

fn from_file(text: &str, count: usize) -> Result<Vec<Opening>, String> {
    let home = Home::new();
    let path = home.join("openings.txt");
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap();
    let cut = |text: String| text.replace(path, "FILE");
    let openings = pick(path, &builtin("sixteen-rebels"), count, 1).map_err(|error| cut(error.to_string()))?;
    Ok(openings.into_iter().map(|opening| Opening { origin: cut(opening.origin), ..opening }).collect())
}

const POSITION: &str = "1/3/r1rrr/r1r1r/2rr1/rG2r/rr1r1 g - 4 14 sixteen-rebels";

#[test]
fn a_file_has_one_position_per_line() {
    let text = format!("# critical positions\n{POSITION}\n\n1/3/2rr1/r3r/1r1rr/r2G1/r1rr1 r # short\n{POSITION}\n");
    let openings = from_file(&text, 10).unwrap();
    assert_eq!(
        openings.iter().map(|opening| opening.origin.as_str()).collect::<Vec<_>>(),
        ["line 2 of FILE", "line 4 of FILE"]
    );
    assert_eq!(openings[0].position, POSITION);
    assert_eq!(openings[1].position, "1/3/2rr1/r3r/1r1rr/r2G1/r1rr1 r - 0 0 sixteen-rebels");
    assert_eq!(from_file(&text, 1).unwrap(), openings[..1]);
}

#[test]
fn a_file_may_hold_records() {
    let head = "[Variant \"sixteen-rebels\"]\n";
    let plain = format!("{head}\nc3-b2 a2-a3 *\n");
    let thoughtful = format!("{head}[Termination \"time\"]\n\nc3-d2 a4-b4 d2-c3 {{+0.10/5}} e4-d4 {{1ms}} general\n");
    let ended = format!("[Opening \"{POSITION}\"]\n{head}[Termination \"time\"]\n\nb2-c2 rebels\n");
    let openings = from_file(&[plain, thoughtful, ended].join("\n"), 10).unwrap();
    let moves: Vec<String> = openings.iter().map(|opening| opening.moves.join(" ")).collect();
    assert_eq!(moves, ["c3-b2 a2-a3", "c3-d2 a4-b4", ""]);
    assert_eq!(openings[2].position, POSITION);
    assert_eq!(openings[2].origin, "game 3 of FILE");
}

#[test]
fn errors_in_a_file_are_reported_with_their_place() {
    let gonu = builtin("kings-gonu").start();
    let record = |variant: &str, moves: &str| format!("[Variant \"{variant}\"]\n\n{moves} *\n");
    for (text, complaint) in [
        ("# nothing\n".to_owned(), "expected position texts, one a line, or game records, found none".to_owned()),
        (format!("{POSITION}\n1/2"), "line 2: opening: rows: expected 7 rows joined by /, found 2".to_owned()),
        (
            gonu.to_string(),
            "line 1: opening: expected a position of sixteen-rebels, found one of kings-gonu".to_owned(),
        ),
        (
            "1/3/2G2/5/5/5/r3r r".to_owned(),
            "line 1: opening: expected an unfinished game, found general wins: attrition".to_owned(),
        ),
        (
            "[Variant]".to_owned(),
            "line 1: tag: expected a form such as [Event \"club evening\"], found [Variant]".to_owned(),
        ),
        (record("kings-gonu", ""), "game 1: expected a game of sixteen-rebels, found one of kings-gonu".to_owned()),
        (record("sixteen-rebels", "c3-c5"), "game 1: ply 1: c3-c5: expected c3-b2, ".to_owned()),
    ] {
        let error = from_file(&text, 5).unwrap_err();
        assert!(error.starts_with(&format!("cannot load file: FILE: {complaint}")), "{error}");
    }
    let error = pick("nowhere.txt", &builtin("sixteen-rebels"), 5, 1).unwrap_err().to_string();
    assert!(error.starts_with("cannot load file: nowhere.txt: "), "{error}");
}

/// The value of a position, the number of moves that keep it, and the number of all moves.
fn keeping(table: &Table, position: &Game) -> (TableValue, usize, usize) {
    let value = table.probe(position).unwrap();
    let moves = position.legal_moves();
    let keeps = |after: &Game| table.probe(after).unwrap().class() == -value.class();
    (value, moves.iter().filter(|move_| keeps(&position.after(move_))).count(), moves.len())
}

/// From most random openings of a solved game one side wins whatever the other does.
#[test]
fn a_table_makes_balanced_openings_the_default() {
    let home = Home::new();
    let (variant, tables) = solved(&home);
    let default = |tables: &Tables| {
        OpeningsChoice::default_for(&OpeningsRequest {
            variant: &variant,
            count: 1,
            seed: 1,
            tables,
            stop: &Stop::default(),
        })
    };
    assert_eq!(default(&tables), OpeningsChoice::Balanced);
    assert_eq!(default(&Tables::new(PathChoice::Off)).to_string(), "random:6");
}

#[test]
fn openings_by_table_are_critical_for_both_sides() {
    let home = Home::new();
    let (variant, tables) = solved(&home);
    let openings = pick_from("balanced", &variant, 16, 1, &tables).unwrap();
    let table = tables.find(&variant).unwrap();
    let positions = positions(&openings, &variant);
    for (opening, position) in openings.iter().zip(&positions) {
        let (value, keeping, moves) = keeping(&table, position);
        assert!(value.class() >= 0 && 0 < keeping && keeping < moves && value != TableValue::Win(1), "{position}");
        let words = format!("table: {value} for the {}, {keeping} of {moves} moves keep it", position.side());
        assert_eq!(opening.origin, words);
    }
    let general = positions.iter().filter(|position| position.side() == Side::General).count();
    assert!((4..=12).contains(&general), "{general} of {}", positions.len());
    assert_eq!(pick_from("balanced", &variant, 16, 1, &tables).unwrap(), openings);
    assert_ne!(pick_from("balanced", &variant, 16, 2, &tables).unwrap(), openings);
    // A damaged table is an error.
    fs::write(table.path(), "no table").unwrap();
    let fresh = Tables::new(tables.choice().clone());
    assert!(matches!(pick_from("balanced", &variant, 16, 1, &fresh), Err(OpeningsError::Table(_))));
}

#[test]
fn openings_by_search_are_near_even_and_do_not_depend_on_threads() {
    let variant = builtin("subjugatio");
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| pick("balanced", &variant, 6, 3).unwrap())
    };
    let openings = with_threads(1);
    assert_eq!(with_threads(3), openings);
    let positions = positions(&openings, &variant);
    assert_eq!(positions.len(), 6);
    assert_eq!(positions.iter().filter(|position| position.side() == Side::General).count(), 3);
    for opening in &openings {
        let score = opening.origin.strip_prefix("search: ").and_then(|text| text.split(' ').next()).unwrap();
        assert!(score.parse::<f64>().unwrap().abs() <= 1.5, "{}", opening.origin);
    }
}

/// In this game an even chance is far from an evaluation of 0.
#[test]
fn openings_by_search_are_near_an_even_chance_as_the_engine_tells_it() {
    for opening in pick("balanced", &builtin("yeung-luk"), 4, 3).unwrap() {
        let mut engine = Engine::new();
        engine.choose_variant("yeung-luk").unwrap();
        engine.set_option("tables", "off").unwrap();
        engine.set_option("hash", "1").unwrap();
        engine.set_position(Some(&opening.position), &opening.moves).unwrap();
        let limits = Limits { nodes: Some(5_000), ..Limits::default() };
        let found = engine.go(&limits.into(), &Stop::default(), None).unwrap();
        let (score, chance) = (found.lines[0].verdict.score, found.lines[0].winrate.unwrap());
        assert_eq!(opening.origin, format!("search: {score} after 5000 nodes"));
        assert!((0.24..=0.76).contains(&chance), "{}", opening.origin);
    }
}

#[test]
fn the_choice_of_openings_can_be_stopped() {
    let (variant, tables, stop) = (builtin("yeung-luk"), Tables::new(PathChoice::Off), Stop::default());
    stop.set();
    let request = OpeningsRequest { variant: &variant, count: 5, seed: 1, tables: &tables, stop: &stop };
    for choice in [OpeningsChoice::Balanced, OpeningsChoice::Random(1..=4)] {
        assert!(matches!(choice.pick(&request), Err(OpeningsError::Interrupted)));
    }
}

#[test]
fn openings_are_stored_as_json() {
    let variant = builtin("sixteen-rebels");
    let openings = pick("random:2", &variant, 3, 1).unwrap();
    let json = serde_json::to_string(&openings).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Opening>>(&json).unwrap(), openings);
}
