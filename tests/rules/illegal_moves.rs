//! The error text of every kind of illegal move: `tests/data/illegal-moves.txt`.
//!
//! A line `= ID TEXT` there is a position of a built-in variant; below it stand a move and its error, `MOVE | ERROR`.
//! `PRIVY_REGENERATE=1 cargo test --test all rules::illegal_moves::` writes the errors anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::sync::Arc;

use privy_oracle::{NaivePosition, Rules};
use privy_rules::{Game, MoveError, Variant};
use privy_testing::cases;
use privy_testing::random::Random;
use privy_testing::variants::{GameFiles, random_game};

use crate::support::binary::Home;
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

/// The words of a game that make moves illegal, as a file has them, each with the value that forbids nothing; `None`:
/// the key goes.
const NARROWING: [(&str, Option<&str>); 13] = [
    ("static", Some("any")),
    ("orthogonal", None),
    ("jump", Some("free")),
    ("jump_lines", None),
    ("leap", Some("any")),
    ("orthogonal_steps", None),
    ("compulsory", None),
    ("forward", None),
    ("enter_privy", Some("true")),
    ("rebels_never_on", None),
    ("general_drops_on", None),
    ("rebels_drop_on", None),
    ("general_waits", None),
];

/// The file of a game without the narrowing words, but for those that are kept.
fn relaxed(game: &str, board: &str, keeps: impl Fn(&str) -> bool) -> Arc<Rules> {
    let mut words: toml::Table = game.parse().unwrap();
    for (key, value) in NARROWING.iter().filter(|(key, _)| !keeps(key)) {
        let value = match *value {
            Some("true") => Some(toml::Value::Boolean(true)),
            Some(word) => words.contains_key(*key).then(|| word.into()),
            None => None,
        };
        words.remove(*key);
        words.extend(value.map(|value| ((*key).to_owned(), value)));
    }
    Arc::new(Rules::read(&[&words.to_string()], board).unwrap())
}

/// The texts that mean a legal move of a position under other rules, as the oracle finds them: the canonical ones, and
/// those of two points.
fn meant(rules: &Arc<Rules>, position: &NaivePosition) -> BTreeSet<String> {
    let position = NaivePosition { rules: Arc::clone(rules), ..position.clone() };
    let canonical = position.moves().into_iter().map(|move_| move_.text(&rules.board));
    canonical.flat_map(|move_| [ends(&move_), Some(move_)]).flatten().collect()
}

/// A move as its two ends alone.
fn ends(move_: &str) -> Option<String> {
    let points: Vec<&str> = move_.split(['-', 'x', '~']).collect();
    match move_.split_once(':') {
        Some((at, _)) => Some(at.repeat(2)),
        None => (points.len() > 1).then(|| points[0].to_owned() + points[points.len() - 1]),
    }
}

/// All texts of one or two points, and of pairs around the General.
fn texts(game: &Game) -> BTreeSet<String> {
    let board = game.variant().board();
    let names: Vec<String> = board.all().into_iter().map(|point| board.name(point).to_string()).collect();
    let mut texts = BTreeSet::from(["pass".to_owned()]);
    for a in &names {
        texts.insert(format!("@{a}"));
        for b in &names {
            texts.extend([format!("{a}{b}"), format!("{a}-{b}"), format!("{a}x{b}"), format!("{a}~{b}")]);
            if board.has(game.position().general()) {
                texts.insert(format!("{}:{a}{b}", board.name(game.position().general())));
            }
        }
    }
    texts
}

/// A reason that names a word: the move is illegal with this word and without the others, and legal without all. Any
/// other reason: no word could be taken out to make it legal. So says the oracle, on random games of random rules.
#[test]
fn every_reason_is_true() {
    let (home, mut random) = (Home::new(), Random::new(17));
    let mut named: BTreeMap<&str, usize> = BTreeMap::new();
    let mut games = 0;
    while games < cases(60) {
        let GameFiles { board, game: file } = random_game(7..=12, &mut random);
        fs::write(home.join("board.toml"), &board).unwrap();
        let Ok(variant) = Variant::from_toml(&file, Some(&home.join(""))) else { continue };
        games += 1;
        let mut game = Arc::new(variant).start();
        let (own, loose) = (relaxed(&file, &board, |_| true), relaxed(&file, &board, |_| false));
        for _ in 0..6 {
            let moves = game.legal_moves();
            if moves.is_empty() || game.outcome().is_some() {
                break;
            }
            let naive = NaivePosition::from_text(&own, &game.to_string()).unwrap();
            let (legal, legal_without) = (meant(&own, &naive), meant(&loose, &naive));
            let mut without: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
            for text in texts(&game).union(&legal_without) {
                let parsed = text.parse().unwrap();
                let Err(MoveError::Forbidden { reason, word }) = game.find_move(&parsed) else { continue };
                let text = &parsed.to_string();
                let place = || format!("{text} in {game}: {reason}\n{file}\n{board}");
                assert!(!legal.contains(text), "legal: {}", place());
                assert_eq!(legal_without.contains(text), word.is_some(), "{}", place());
                let Some(word) = word else { continue };
                *named.entry(word).or_default() += 1;
                // Whether a capture is possible depends on the other words, so they stay beside the one that makes it
                // compulsory.
                let is_compulsion = word == "compulsory";
                let others = without
                    .entry(word)
                    .or_insert_with(|| meant(&relaxed(&file, &board, |key| (key == word) != is_compulsion), &naive));
                // Two points can mean moves of several kinds, of which the word forbids one.
                let mut kinds =
                    legal_without.iter().filter(|move_| *move_ == text || ends(move_).as_ref() == Some(text));
                assert!(kinds.any(|move_| others.contains(move_) == is_compulsion), "{word}: {}", place());
            }
            game.play(random.choose(&moves));
        }
    }
    assert!(named.len() >= 9, "{named:?}");
}

/// What reasons said before: a step down of a Rebel that steps up, no Rebel in between where three stand.
#[test]
fn reasons_tell_words_apart() {
    let with = |words: &str, position: &str, text: &str| {
        let source = privy_rules::games::get("sixteen-rebels").unwrap().rules;
        let variant = Variant::from_toml(&format!("{source}{words}\n"), None).unwrap();
        let game = Game::from_text(position, Some(&Arc::new(variant))).unwrap();
        game.parse_move(None, text).unwrap_err().to_string()
    };
    let up = with("forward = true\northogonal_steps = \"rebels\"", "1/3/rrrrr/5/2G2/5/r4 r", "a1-b2");
    assert_eq!(up, "Rebels step along orthogonal lines alone");
    let row = with("jump = \"multi\"\njump_rows = \"odd\"", "1/3/rrrrr/5/5/4r/Grrr1 g", "a1xe1xe2");
    assert_eq!(row, "expected a1-a2, a1-b2 or a1xe1xe3");
    let short = with("jump = \"multi\"\njump_rows = \"odd\"", "1/3/rrrrr/5/5/5/Grr2 g", "a1xd1");
    assert_eq!(short, "expected a1-a2 or a1-b2");
    let pairs = with("static = \"any\"\northogonal = true", "1/3/rrrrr/1r3/2G2/3r1/5 g", "c3:d2b4");
    assert!(pairs.starts_with("Only pairs on orthogonal lines are taken."), "{pairs}");
}
