//! The hunts of one quarry of `docs/HUNTS.md`: every file of `tests/hunts` loads, both generators give its figures, and
//! they agree in random games: one of each, or `PRIVY_CASES`.
//!
//! The figures are the oracle's: `PRIVY_REGENERATE=1 cargo test --test all rules::hunts::` writes `perft.txt` anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use privy_oracle::{Oracle, Rules};
use privy_rules::{Game, Variant, perft};
use privy_testing::cases;
use privy_testing::random::Random;

use crate::support::session::REGENERATE;

/// The leaves of the largest tree that the oracle counts when it does not write the figures.
const ORACLE_LEAVES: u64 = 3_000;
/// The leaves of the largest tree of the figures, estimated from the smaller ones.
const MOST_LEAVES: u64 = 400_000;
/// The figures of a game: four depths at least, six at most.
const DEPTHS: std::ops::RangeInclusive<u32> = 4..=6;
/// The plies of a random game.
const PLIES: u32 = 60;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunts")
}

/// The names of the games, sorted.
pub(super) fn names() -> Vec<String> {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let games = files.filter_map(|file| Some(file.strip_suffix(".toml")?.to_owned()));
    let mut names: Vec<String> = games.filter(|name| !name.ends_with("-board")).collect();
    names.sort();
    names
}

/// The text of the file of a game.
pub(super) fn source(name: &str) -> String {
    std::fs::read_to_string(folder().join(name).with_extension("toml")).unwrap()
}

/// A game for both generators.
fn game(name: &str) -> (Arc<Variant>, Arc<Rules>) {
    let path = folder().join(name).with_extension("toml");
    let variant = Variant::from_file(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(variant.id(), name);
    let rules = Rules::read(&[&variant.heading.source], &variant.board().source)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    (Arc::new(variant), Arc::new(rules))
}

/// The figures by the oracle, from depth 1 on.
fn counted(rules: &Arc<Rules>) -> Vec<u64> {
    let opening = Oracle::opening(rules);
    let mut counts = Vec::new();
    while counts.len() < *DEPTHS.end() as usize {
        counts.push(opening.perft(counts.len() as u32 + 1));
        let estimate = match counts.as_slice() {
            [.., 0, _, _] | [] | [_] | [_, _] => 0,
            [.., before, last, now] => last * now / before,
        };
        if counts.len() >= *DEPTHS.start() as usize && estimate > MOST_LEAVES {
            break;
        }
    }
    counts
}

fn figures() -> Vec<(String, Vec<u64>)> {
    let path = folder().join("perft.txt");
    if std::env::var_os(REGENERATE).is_some() {
        let mut text = "# NAME COUNT COUNT …: sequences of 1, 2, … plies from the opening, by the oracle.\n".to_owned();
        for name in names() {
            let counts: Vec<String> = counted(&game(&name).1).iter().map(u64::to_string).collect();
            let _ = writeln!(text, "{name} {}", counts.join(" "));
        }
        std::fs::write(&path, text).unwrap();
    }
    let text = std::fs::read_to_string(path).unwrap();
    let read = |line: &str| {
        let (name, counts) = line.split_once(' ').unwrap();
        (name.to_owned(), counts.split(' ').map(|count| count.parse().unwrap()).collect())
    };
    text.lines().filter(|line| !line.starts_with('#')).map(read).collect()
}

#[test]
fn both_generators_give_the_figures_of_every_file() {
    let figures = figures();
    assert!(figures.iter().map(|(name, _)| name).eq(names().iter()), "a line for each file of tests/hunts, in order");
    for (name, counts) in figures {
        let (variant, rules) = game(&name);
        let (fast, naive) = (variant.start(), Oracle::opening(&rules));
        assert!(counts.len() >= *DEPTHS.start() as usize, "{name}");
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&fast, depth, &mut || false), Some(count), "depth {depth} of {fast}");
            if count <= ORACLE_LEAVES {
                assert_eq!(naive.perft(depth), count, "depth {depth} of {fast}, by the oracle");
            }
        }
    }
}

#[test]
fn both_generators_agree_in_random_games_of_every_file() {
    let games = u64::from(cases(1));
    for name in names() {
        let (variant, rules) = game(&name);
        (0..games).for_each(|number| play(&variant, &rules, &mut Random::new(number)));
    }
}

/// Plays a random game, and compares every position.
fn play(variant: &Arc<Variant>, rules: &Arc<Rules>, random: &mut Random) {
    let (mut fast, mut naive) = (variant.start(), Oracle::opening(rules));
    loop {
        let text = fast.to_string();
        assert_eq!(text, naive.text());
        assert_eq!(fast.outcome().map(|outcome| outcome.to_string()), naive.result(), "{text}");
        let captured = |m| fast.board().names(m).split_whitespace().map(str::to_owned).collect();
        let described = fast.legal_moves().into_iter().map(|m| (fast.move_text(&m), captured(m.action().captured)));
        let mut moves: Vec<(String, Vec<String>)> = described.collect();
        moves.sort();
        assert_eq!(moves, naive.moves_with_captures(), "{text}");
        if random.one_in(4) {
            let [fast, naive] = read(&text, variant, rules);
            assert_eq!(fast, naive, "{text}, read by both");
        }
        if moves.is_empty() || fast.ply() == PLIES {
            break;
        }
        let (move_, _) = random.choose(&moves);
        fast.play(fast.parse_move(None, &move_).unwrap());
        naive.play(&move_);
    }
}

/// A position's text, result and moves after reading, by the fast generator and by the oracle.
fn read(text: &str, variant: &Arc<Variant>, rules: &Arc<Rules>) -> [(String, Option<String>, Vec<String>); 2] {
    let fast = Game::from_text(text, Some(variant)).unwrap_or_else(|error| panic!("{text}: {error}"));
    let naive = Oracle::from_text(rules, text).unwrap_or_else(|error| panic!("{text}, by the oracle: {error}"));
    let mut moves: Vec<String> = fast.legal_moves().iter().map(|m| fast.move_text(m)).collect();
    moves.sort();
    let result = fast.outcome().map(|outcome| outcome.to_string());
    [(fast.to_string(), result, moves), (naive.text(), naive.result(), naive.legal_moves())]
}
