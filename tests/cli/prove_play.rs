//! Play from proofs: wins are as short as proved, and damaged proofs are not used.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use privy_engine::Engine;
use privy_protocol::GoArguments;
use privy_rules::{Game, MovePath, Outcome, Side, Variant};
use privy_search::proof::Proof;
use privy_search::{Limits, SearchRequest, SearchResult, Stop};
use privy_tables::TableValue;

use super::prove::unpacked;
use crate::support::binary::{Home, SMALL_VARIANT};

/// A game of this many plies is a draw.
const MOST_PLIES: usize = 400;

/// An engine at a position, with the proofs or the table of a folder.
fn engine_at(game: &Game, folder: &Path) -> Engine {
    let mut engine = Engine::at(game.clone());
    engine.set_option("tables", folder.to_str().unwrap()).unwrap();
    engine
}

fn request(engine: &Engine, nodes: u64) -> SearchRequest {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.read_request(&GoArguments { limits, ..GoArguments::default() }).unwrap()
}

fn search(engine: &mut Engine, nodes: u64) -> SearchResult {
    engine.go(&request(engine, nodes), &Stop::default(), None).unwrap()
}

/// Plays a game of one side from its proof against a defender. `None` if it reaches [`MOST_PLIES`].
fn play(engine: &mut Engine, side: Side, mut other: impl FnMut(&mut Engine) -> MovePath) -> Option<Outcome> {
    while engine.game().outcome().is_none() && engine.game().moves().len() < MOST_PLIES {
        let move_ = if engine.game().side() == side {
            let found = search(engine, 300);
            assert!(!found.lines[0].verdict.score.is_loss(), "{}", engine.game());
            found.best
        } else {
            other(engine)
        };
        engine.play_move(move_);
    }
    engine.game().outcome()
}

/// The value of a position of the small game, from its table.
fn exact(table: &Engine, game: &Game) -> Option<TableValue> {
    game.outcome().is_none().then(|| table.table().unwrap().probe(game).unwrap())
}

/// The opening of the small game, and a folder with its table.
fn solved_game(home: &Home) -> (Game, PathBuf) {
    let solved = home.join("solved");
    home.run(&["solve", SMALL_VARIANT, "--tables", solved.to_str().unwrap()]).success();
    (Arc::new(Variant::from_file(Path::new(SMALL_VARIANT)).unwrap()).start(), solved)
}

/// A tablebase move in one of the styles.
fn by_table(game: &Game, solved: &Path, style: &str) -> MovePath {
    let mut table = engine_at(game, solved);
    table.set_option("play_style", style).unwrap();
    search(&mut table, 300).best
}

#[test]
fn a_proof_wins_within_its_plies_against_a_table_in_either_style() {
    let home = Home::new();
    let (opening, solved) = solved_game(&home);
    let (folder, path) = proved_game(&home);
    let bound = Proof::read(&path, opening.variant(), &Stop::default()).unwrap().root_plies().unwrap();
    let Some(TableValue::Win(length)) = exact(&engine_at(&opening, &solved), &opening) else {
        panic!("the Rebels win")
    };
    assert!(length <= bound, "{bound} plies are proved, the table says {length}");
    for style in ["longest", "hardest"] {
        let mut engine = engine_at(&opening, &folder);
        let end = play(&mut engine, Side::Rebels, |engine| by_table(engine.game(), &solved, style));
        assert_eq!(end.and_then(Outcome::winner), Some(Side::Rebels), "{style}: {}", engine.game());
        assert!(engine.game().moves().len() <= bound as usize, "{style}: {}", engine.game());
    }
}

/// A drawn position of the small game, a ply after its opening, and a folder with its table.
fn drawn_position(home: &Home) -> (Game, PathBuf) {
    let (opening, solved) = solved_game(home);
    let table = engine_at(&opening, &solved);
    let mut drawn = opening.legal_moves().into_iter().map(|move_| opening.after(&move_));
    let game = drawn.find(|game| exact(&table, game) == Some(TableValue::Draw)).expect("some moves draw");
    (game, solved)
}

/// A folder with a proof that the Rebels win the small game, and its file.
fn proved_game(home: &Home) -> (PathBuf, PathBuf) {
    let folder = home.join("proofs");
    let words = ["prove", SMALL_VARIANT, "--nodes", "1000", "--threads", "1", "--tables", folder.to_str().unwrap()];
    home.run(&words).success();
    let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    (folder, file)
}

#[test]
fn positions_outside_the_proof_are_searched() {
    let home = Home::new();
    let (folder, _) = proved_game(&home);
    let (game, _) = drawn_position(&home);
    let go = |tables: &str| {
        let fen = game.to_string();
        let words = ["go", SMALL_VARIANT, "--fen", &fen, "--nodes", "3000", "--tables", tables, "--json"];
        let message = home.run(&words).success();
        let mut found: serde_json::Value = serde_json::from_str(&message).unwrap();
        let found = found.as_object_mut().unwrap();
        assert!(found["lines"][0]["bound"].is_null(), "{message}");
        found.remove("time").zip(found.remove("nps")).expect("the time is told");
        found.clone()
    };
    assert_eq!(go(folder.to_str().unwrap()), go("off"));
}

#[test]
fn a_damaged_or_foreign_proof_is_reported_and_not_used() {
    let home = Home::new();
    let (folder, file) = proved_game(&home);
    let fingerprint = Variant::from_file(Path::new(SMALL_VARIANT)).unwrap().fingerprint().to_owned();
    let go = || home.run(&["go", SMALL_VARIANT, "--nodes", "500", "--tables", folder.to_str().unwrap()]);
    assert!(go().output.contains(" bound upper "), "the proof is used before it is damaged");
    let text = unpacked(&file);
    let holes: Vec<&str> = text.lines().enumerate().filter(|(at, _)| at % 5 != 2).map(|(_, line)| line).collect();
    let foreign = text.replacen(&fingerprint, "0123456789abcdef", 1);
    for (text, words) in [
        (holes.join("\n"), "not sound: "),
        (foreign, "line 1: a proof of 0123456789abcdef, the rules of three-rows are "),
        (text.replacen(" rebels\n", " draw-for-rebels\n", 1), "line 1: expected "),
        ("nothing".to_owned(), "line 1: expected \"# privy proof 1 VARIANT FINGERPRINT WINNER\", found \"nothing\""),
    ] {
        std::fs::write(&file, text).unwrap();
        let ran = go();
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(ran.errors.contains(words) && ran.errors.contains("; searching instead"), "{ran:?}");
        assert!(ran.errors.contains(name) && !ran.output.contains("bound"), "{ran:?}");
    }
}
