//! Random variant and board files, right and wrong ones: what `variants check`, `solve`, `perft`, `go` and `board
//! --svg` do with them never panics, both generators of moves agree, and no search contradicts the table.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use privy_engine::Engine;
use privy_oracle::{Oracle, Rules};
use privy_protocol::{Bound, Limits, Score, Stop};
use privy_rules::render::{Charset, SvgOptions, board_svg, position_text, svg};
use privy_rules::{BoardFile, Game, Variant, VariantFile, perft};
use privy_search::SearchInfo;
use privy_tables::{TableValue, effort, solve_in_memory};
use privy_testing::variants::{GameFiles, random_game};

use super::mutation::mutated;
use crate::support::binary::Home;
use crate::support::random::Random;

/// A table with more positions for a side to move takes too long here.
const MOST_POSITIONS: u64 = 3_000;

/// Random files, one in four of them damaged.
fn random_files(random: &mut Random) -> [Vec<u8>; 2] {
    let GameFiles { board, game } = random_game(5..=14, random);
    let mut files = [board, game].map(String::into_bytes);
    if random.one_in(4) {
        let damaged = usize::from(!random.one_in(3));
        files[damaged] = mutated(&[files[damaged].clone()], random);
    }
    files
}

/// Does with the files of a folder what the commands do. True if they hold a game.
fn use_files(home: &Home, engine: &mut Engine, random: &mut Random) -> bool {
    if let Ok(Some(board)) = BoardFile::read(&home.join("board.toml")) {
        assert!(board.probable_mistakes().len() + board.warnings().len() < 1_000);
        assert!(board_svg(&board.board, &SvgOptions::default()).ends_with("</svg>\n"));
    }
    let Ok(file) = VariantFile::read(&home.join("game.toml")) else { return false };
    assert!(file.probable_mistakes().len() + file.warnings().len() < 1_000);
    let variant = &file.variant;
    let game = variant.start();
    assert!(!variant.rules_in_words().is_empty() && !position_text(&game, Charset::Unicode).is_empty());
    assert!(svg(&game, &SvgOptions::default()).ends_with("</svg>\n"));
    assert!(perft(&game, 2, &mut || false).is_some());
    let rules = Rules::read(&file.texts(), &variant.board().source).unwrap();
    let later = play(variant, &Arc::new(rules), random);
    let table = effort(variant)
        .is_ok_and(|effort| effort.positions <= MOST_POSITIONS)
        .then(|| solve_in_memory(variant, &mut |_| {}, &Stop::default()).unwrap());
    for (game, depth) in [(&game, 3), (&later, 1), (&later, 3)].into_iter().filter(|(game, _)| game.outcome().is_none())
    {
        engine.set_position_of(variant, Some(&game.to_string()), &[]).unwrap();
        let limits = Limits { depth: Some(depth), nodes: Some(2_000), ..Limits::default() };
        let found = engine.go(&limits.into(), &Stop::default(), None).unwrap();
        assert!(game.legal_moves().contains(&found.best));
        let known = table.as_ref().map(|table| table.probe(game).unwrap());
        for (line, value) in found.lines.iter().zip(known) {
            assert!(agrees(line, value), "{game}, depth {depth}: {line:?}, {value:?}");
        }
    }
    true
}

/// True if the score of a position agrees with its value, where it is exact or a bound of a draw.
fn agrees(line: &SearchInfo, value: TableValue) -> bool {
    match (line.verdict.score, line.verdict.bound) {
        (Score::Win(plies), None) => value == TableValue::Win(plies),
        (Score::Loss(plies), None) => value == TableValue::Loss(plies),
        (Score::Draw, None) => value == TableValue::Draw,
        (Score::Draw, Some(Bound::Lower)) => value >= TableValue::Draw,
        (Score::Draw, Some(Bound::Upper)) => value <= TableValue::Draw,
        _ => true,
    }
}

/// Plays a random game by both generators; returns one of its positions, without the history.
fn play(variant: &Arc<Variant>, rules: &Arc<Rules>, random: &mut Random) -> Game {
    let (mut game, mut oracle) = (variant.start(), Oracle::opening(rules));
    let (mut chosen, kept) = (variant.start(), random.below(12));
    for ply in 0..40 {
        if ply == kept {
            // As it is set up: its text does not have every result.
            chosen = Game::new(variant, *game.position(), game.plies_since_capture(), game.ply());
        }
        assert_eq!(game.outcome().map(|outcome| outcome.to_string()), oracle.result(), "{game}");
        let moves = game.legal_moves();
        let mut texts: Vec<String> = moves.iter().map(|move_| game.move_text(move_)).collect();
        texts.sort();
        assert_eq!(texts, oracle.legal_moves(), "{game}");
        if moves.is_empty() {
            break;
        }
        let move_ = random.choose(&moves);
        oracle.play(&game.move_text(&move_));
        game.play(move_);
    }
    chosen
}

/// Uses files, on as many threads as there are cores; returns the number of those that hold a game.
fn use_all(count: u64) -> u64 {
    let (next, games) = (AtomicU64::new(0), AtomicU64::new(0));
    let worker = || {
        let (home, mut engine) = (Home::new(), Engine::new());
        engine.set_option("tables", "off").unwrap();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let mut random = Random::new(number);
            let [board, game] = random_files(&mut random);
            fs::write(home.join("board.toml"), &board).unwrap();
            fs::write(home.join("game.toml"), &game).unwrap();
            let used = catch_unwind(AssertUnwindSafe(|| use_files(&home, &mut engine, &mut random)));
            let [board, game] = [&board, &game].map(|text| String::from_utf8_lossy(text));
            let is_game = used.unwrap_or_else(|_| panic!("files {number}:\n{game}\n{board}"));
            games.fetch_add(u64::from(is_game), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        (0..std::thread::available_parallelism().map_or(1, usize::from)).for_each(|_| _ = scope.spawn(worker));
    });
    games.into_inner()
}

fn never_panic(files: u64) {
    let games = use_all(files);
    println!("{games} of {files} hold a game");
    assert!(3 * games > files, "{games} of {files}");
}

#[test]
fn random_files_never_panic() {
    never_panic(300);
}

#[test]
#[ignore = "release: 20,000 files; every day 300"]
fn many_random_files_never_panic() {
    never_panic(20_000);
}
