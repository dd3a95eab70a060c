//! Random variant and board files, right and wrong ones: what `variants check`, `solve`, `perft`, `go` and `board --svg` do with them never
//! panics, and both generators of moves agree.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use privy_engine::Engine;
use privy_oracle::{Oracle, Rules};
use privy_protocol::{Limits, Stop};
use privy_rules::render::{Charset, SvgOptions, board_svg, position_text, svg};
use privy_rules::{BoardFile, Variant, VariantFile, perft};
use privy_tables::{SolveOptions, disk_bytes, effort, solve_in_memory};
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
        assert!(board_svg(board.board(), &SvgOptions::default()).ends_with("</svg>\n"));
    }
    let Ok(file) = VariantFile::read(&home.join("game.toml")) else { return false };
    assert!(file.probable_mistakes().len() + file.warnings().len() < 1_000);
    let variant = file.variant();
    let game = variant.start();
    assert!(!variant.rules_in_words().is_empty() && !position_text(&game, Charset::Unicode).is_empty());
    assert!(svg(&game, &SvgOptions::default()).ends_with("</svg>\n"));
    assert!(perft(&game, 2, &mut || false).is_some());
    let rules = Rules::read(&file.texts(), variant.board().source()).unwrap();
    play(variant, &Arc::new(rules), random);
    engine.set_position_of(variant, None, &[]).unwrap();
    if game.outcome().is_none() {
        let limits = Limits { depth: Some(3), nodes: Some(2_000), ..Limits::default() };
        let found = engine.go(&limits.into(), &Stop::default(), &mut |_| {}).unwrap();
        assert!(game.legal_moves().contains(&found.best));
    }
    if effort(variant).is_ok_and(|effort| effort.positions <= MOST_POSITIONS) {
        assert!(disk_bytes(variant, &SolveOptions::default(), &Stop::default()).is_ok());
        let table = solve_in_memory(variant, &mut |_| {}, &Stop::default()).unwrap();
        table.probe(&game).unwrap();
    }
    true
}

/// Plays a random game by both generators.
fn play(variant: &Arc<Variant>, rules: &Arc<Rules>, random: &mut Random) {
    let (mut game, mut oracle) = (variant.start(), Oracle::opening(rules));
    for _ in 0..40 {
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
