//! Play from proofs: a side that holds never loses, wins are as short as proved, and damaged proofs are not used.

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use privy_base::random::Random;
use privy_engine::{Analysis, Engine, GoRequest};
use privy_protocol::{Bound, GoArguments, Score};
use privy_rules::{Game, MovePath, Outcome, Side, Variant};
use privy_search::proof::{Proof, ProofGoal};
use privy_search::{Limits, SearchInfo, SearchResult, Searcher, Stop};
use privy_tables::TableValue;

use super::prove::{Defender, defence, unpacked};
use crate::support::binary::{Home, SMALL_VARIANT, run_with_input};

/// A game of this many plies is a draw.
const MOST_PLIES: usize = 400;

/// A game that the Rebels win.
pub(crate) const MONK: &str = "monk-and-water";

/// A folder with the proof that the Rebels do not lose, which takes two seconds to find. Returns the proof file and what the command prints.
pub(crate) fn held_by_the_rebels(home: &Home) -> (PathBuf, PathBuf, &'static str) {
    static FOUND: LazyLock<(Vec<u8>, String)> = LazyLock::new(|| {
        let home = Home::new();
        let folder = home.join("tables");
        let words = ["prove", MONK, "--for", "draw-for-rebels", "--nodes", "2000", "--threads", "1", "--tables"];
        let message = home.run(&[&words[..], &[folder.to_str().unwrap()]].concat()).success();
        (std::fs::read(held_path(&folder)).unwrap(), message)
    });
    let (proof, message) = &*FOUND;
    let folder = home.join("tables");
    std::fs::create_dir(&folder).unwrap();
    let file = held_path(&folder);
    std::fs::write(&file, proof).unwrap();
    (folder, file, message)
}

fn held_path(folder: &Path) -> PathBuf {
    Proof::path(folder, &Variant::builtin(MONK).unwrap(), ProofGoal::NotLose(Side::Rebels))
}

/// An engine at a position, with the proofs or the table of a folder.
fn engine_at(game: &Game, folder: &Path) -> Engine {
    let mut engine = Engine::at(game.clone());
    engine.set_option("tables", folder.to_str().unwrap()).unwrap();
    engine
}

fn request(engine: &Engine, nodes: u64) -> GoRequest {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    engine.read_request(&GoArguments { limits, ..GoArguments::default() }).unwrap()
}

fn search(engine: &mut Engine, nodes: u64) -> SearchResult {
    engine.go_silently(&request(engine, nodes), &Stop::default()).unwrap()
}

fn value(info: &SearchInfo) -> (Score, Option<Bound>) {
    (info.score, info.bound)
}

/// Plays a game of one side from its proof against a defender. `None` if it reaches [`MOST_PLIES`].
fn play(engine: &mut Engine, side: Side, mut other: impl FnMut(&mut Engine) -> MovePath) -> Option<Outcome> {
    while engine.game().outcome().is_none() && engine.game().moves().len() < MOST_PLIES {
        let move_ = if engine.game().side() == side {
            let found = search(engine, 300);
            assert!(!found.lines[0].score.is_loss(), "{}", engine.game());
            found.best
        } else {
            other(engine)
        };
        engine.play_move(move_);
    }
    engine.game().outcome()
}

#[test]
fn a_side_that_is_proved_to_hold_never_loses_and_wins_if_it_can() {
    let home = Home::new();
    let (folder, ..) = held_by_the_rebels(&home);
    let opening = Variant::builtin(MONK).unwrap().start();
    let mut alone = Searcher::new(8);
    let mut wins = 0;
    let defenders = [(Defender::Longest, 1), (Defender::Random, 8), (Defender::Greedy, 8), (Defender::Engine, 2)];
    let games = defenders.into_iter().flat_map(|(defender, games)| (0..games).map(move |seed| (defender, seed)));
    for (defender, seed) in games {
        let (mut engine, mut random) = (engine_at(&opening, &folder), Random::new(seed));
        let end = play(&mut engine, Side::Rebels, |engine| defence(defender, engine, &mut alone, &mut random));
        let winner = end.and_then(Outcome::winner);
        assert_ne!(winner, Some(Side::General), "{defender:?} {seed}: {}", engine.game());
        wins += usize::from(winner == Some(Side::Rebels));
    }
    assert!(wins >= 8, "{wins} of 19 games won");
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
    let folder = home.join("proofs");
    let words = ["prove", SMALL_VARIANT, "--nodes", "1000", "--threads", "1", "--tables", folder.to_str().unwrap()];
    home.run(&words).success();
    let path = Proof::path(&folder, opening.variant(), ProofGoal::Win(Side::Rebels));
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

#[test]
fn two_proofs_make_a_draw_that_holds_against_a_table() {
    let home = Home::new();
    let (root, solved) = drawn_position(&home);
    let variant = root.variant();
    let folder = home.join("proofs");
    std::fs::create_dir(&folder).unwrap();
    for side in [Side::Rebels, Side::General] {
        let goal = ProofGoal::NotLose(side);
        let file = Proof::path(&folder, variant, goal);
        let words = [
            "prove",
            SMALL_VARIANT,
            "--fen",
            &root.to_string(),
            "--for",
            &goal.to_string(),
            "--nodes",
            "2000",
            "--output",
        ];
        home.run(&[&words[..], &[file.to_str().unwrap()]].concat()).success();
        // One proof is a bound; two are the value.
        let expected = match (side, root.side()) {
            (Side::General, _) => None,
            (holder, mover) if holder == mover => Some(Bound::Lower),
            _ => Some(Bound::Upper),
        };
        let mut engine = engine_at(&root, &folder);
        let found = search(&mut engine, 3_000);
        assert_eq!(value(&found.lines[0]), (Score::Draw, expected), "{side}");
    }
    let mut engine = engine_at(&root, &folder);
    let json = ["go", SMALL_VARIANT, "--fen", &root.to_string(), "--nodes", "1000", "--json", "--tables"];
    let message = home.run(&[&json[..], &[folder.to_str().unwrap()]].concat()).success();
    assert!(message.contains("\"proved_draw\":true") && message.contains("\"bound\":null"), "{message}");
    let message = engine.explain(&Stop::default()).unwrap();
    assert!(
        message.starts_with("Neither side can force a win.") && message.contains("one for each side, say so"),
        "{message}"
    );
    for side in [Side::Rebels, Side::General] {
        for style in ["longest", "hardest"] {
            let mut engine = engine_at(&root, &folder);
            let end = play(&mut engine, side, |engine| by_table(engine.game(), &solved, style));
            assert!(end.and_then(Outcome::winner).is_none(), "{side}, {style}: {}", engine.game());
        }
    }
}

#[test]
fn a_proved_result_is_reported_as_a_bound() {
    let home = Home::new();
    let (folder, ..) = held_by_the_rebels(&home);
    let tables = folder.to_str().unwrap();
    let go = |more: &[&str]| home.run(&[&["go", MONK, "--tables", tables, "--nodes", "3000"], more].concat()).success();
    // The Rebels are to move and have at least a draw.
    let message = go(&[]);
    let mut lines = message.lines().filter(|line| line.starts_with("info "));
    assert!(lines.all(|line| line.contains(" score = bound lower winrate ")), "{message}");
    let message = go(&["--json"]);
    assert!(message.contains("\"bound\":\"lower\"") && message.contains("\"proved_draw\":false"), "{message}");
    let mut gogui = home.privy();
    let gogui = gogui.args(["gogui", "--tables", tables, "--variant", MONK]);
    let message = run_with_input(gogui, &[], "privy-best_line\nquit\n");
    assert!(message.output.contains("draw at least, depth "), "{message:?}");
    let mut engine = engine_at(&Variant::builtin(MONK).unwrap().start(), &folder);
    let printed = engine.explain(&Stop::default()).unwrap();
    assert!(
        printed.starts_with("The Waters do not lose.") && printed.contains("A proof of the opening says so"),
        "{printed}"
    );
    let (best, rates) = win_rates(&mut engine);
    assert!(best >= Score::Draw && rates[0] >= 0.5, "{rates:?}");
    engine.set_option("multi_pv", "100").unwrap();
    let found = search(&mut engine, 3_000);
    let is_bound = |line: &SearchInfo| value(line) == (Score::Draw, Some(Bound::Lower));
    let are_bounds: Vec<bool> = found.lines.iter().map(is_bound).collect();
    assert!(are_bounds[0] && are_bounds.is_sorted_by(|one, next| one >= next), "{are_bounds:?}");
    assert!(found.lines.iter().map(|line| line.multipv).eq(1..=found.lines.len()));
    assert_eq!(found.best, found.lines[0].pv[0]);
    // Then the General has at most a draw.
    engine.play_move(found.best);
    let found = search(&mut engine, 300);
    assert_eq!(value(&found.lines[0]), (Score::Draw, Some(Bound::Upper)));
    let is_told = |line: &SearchInfo| line.score.is_loss() || line.bound == Some(Bound::Upper);
    assert!(found.lines.iter().all(is_told), "{:?}", found.lines);
    let printed = engine.explain(&Stop::default()).unwrap();
    assert!(printed.starts_with("The Waters do not lose."), "{printed}");
    let (best, rates) = win_rates(&mut engine);
    assert!(best <= Score::Draw && rates.iter().all(|rate| *rate <= 0.5), "{rates:?}");
}

/// The score of the best move in an analysis, and the win rates of all moves, best first.
fn win_rates(engine: &mut Engine) -> (Score, Vec<f64>) {
    let mut request = request(engine, 3_000);
    let analysis = Analysis::of(engine.game(), &mut request.search);
    let found = engine.go_silently(&request, &Stop::default()).unwrap();
    let moves = analysis.moves();
    assert_eq!(moves[0].pv[0], found.best, "the move that is played is shown as the best");
    (moves[0].score, moves.iter().map(|move_| move_.winrate).collect())
}

#[test]
fn positions_outside_the_closed_set_are_searched() {
    let home = Home::new();
    let (folder, ..) = held_by_the_rebels(&home);
    // The General is one step from the exit and wins.
    for position in ["1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0", "1/3/1rG2/5/rr1rr/2r2/5 r - 0 0"] {
        let go = |tables: &str| {
            let words = ["go", MONK, "--fen", position, "--nodes", "3000", "--tables", tables, "--json"];
            let message = home.run(&words).success();
            let mut found: serde_json::Value = serde_json::from_str(&message).unwrap();
            let found = found.as_object_mut().unwrap();
            assert!(found["lines"][0]["bound"].is_null(), "{message}");
            found.remove("time_ms").zip(found.remove("nps")).expect("the time is told");
            found.clone()
        };
        assert_eq!(go(folder.to_str().unwrap()), go("off"), "{position}");
    }
}

#[test]
fn a_damaged_or_foreign_proof_of_a_draw_is_reported_and_not_used() {
    let home = Home::new();
    let (folder, file, _) = held_by_the_rebels(&home);
    let variant = Variant::builtin(MONK).unwrap();
    let go = || home.run(&["go", MONK, "--nodes", "500", "--tables", folder.to_str().unwrap()]);
    assert!(go().output.contains(" bound lower "), "the proof is used before it is damaged");
    let text = unpacked(&file);
    let holes: Vec<&str> = text.lines().enumerate().filter(|(at, _)| at % 5 != 2).map(|(_, line)| line).collect();
    let foreign = text.replacen(variant.fingerprint(), "0123456789abcdef", 1);
    let won = text.replacen(" draw-for-rebels", " rebels", 1);
    for (text, words) in [
        (holes.join("\n"), "not sound: "),
        (foreign, "line 1: a proof of 0123456789abcdef, the rules of monk-and-water are "),
        (won, "expected a number of plies for a win, - for a draw"),
        ("nothing".to_owned(), "line 1: expected \"# privy proof 1 VARIANT FINGERPRINT WINNER\", found \"nothing\""),
    ] {
        std::fs::write(&file, text).unwrap();
        let ran = go();
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(ran.errors.contains(words) && ran.errors.contains("; searching instead"), "{ran:?}");
        assert!(ran.errors.contains(name) && !ran.output.contains("bound"), "{ran:?}");
    }
}
