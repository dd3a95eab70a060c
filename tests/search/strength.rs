//! Strength: the engine against a player of random moves.
//!
//! The bar is 100 wins in 100 games at 200 ms a move, on either side of two variants; a draw by repetition fails. It shows that
//! the engine converts a won game, not that it plays well. The full matches take some minutes, hours in the worst case, and are
//! ignored by default; the default run plays a few games with few nodes:
//!
//! ```text
//! PRIVY_STRENGTH_MS=200 PRIVY_STRENGTH_GAMES=100 cargo test --release --test all search::strength:: -- --ignored --nocapture --test-threads=1
//! ```
//!
//! `PRIVY_STRENGTH_NODES` and `PRIVY_STRENGTH_SHORT_GAMES` change the few games, which are the same on every machine.
//!
//! A match plays on `PRIVY_STRENGTH_THREADS` threads (2), each with its own searcher. Run one match at a time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use privy::rules::{Outcome, Side, Variant};
use privy::search::{Limits, Searcher, Stop};
use privy_protocol::Score;

use crate::support::random;
use crate::support::retrograde;
use crate::support::settings;

use random::Random;
use retrograde::{Bounded, Exact};

/// The limit of plies. A game that reaches it is not won.
const PLIES: usize = 2_000;

struct Played {
    seed: usize,
    outcome: Option<Outcome>,
    plies: usize,
    /// The longest time of a move, and the sum.
    slowest: Duration,
    moves: String,
}

/// One game, the engine on one side, random moves on the other.
fn play(id: &str, engine: Side, seed: usize, limits: &Limits, searcher: &mut Searcher) -> Played {
    let mut random = Random::new(seed as u64);
    let mut game = Variant::builtin(id).unwrap().start();
    let mut slowest = Duration::ZERO;
    let mut moves = String::new();
    while game.outcome().is_none() && game.moves().len() < PLIES {
        let move_ = if game.position().side() == engine {
            let start = Instant::now();
            let best = searcher.search(&game, limits, &Stop::default(), &mut |_| {}).unwrap().best;
            slowest = slowest.max(start.elapsed());
            best
        } else {
            random.choose(&game.legal_moves())
        };
        moves += &game.move_text(&move_);
        moves.push(' ');
        game.play(move_);
    }
    Played { seed, outcome: game.outcome(), plies: game.moves().len(), slowest, moves }
}

/// Plays a match. Every game must be won.
fn every_game_is_won(id: &str, engine: Side, games: usize, limits: &Limits) {
    let next = AtomicUsize::new(1);
    let played: Mutex<Vec<Played>> = Mutex::new(Vec::new());
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..settings::count("PRIVY_STRENGTH_THREADS", 2).max(1) {
            scope.spawn(|| {
                let mut searcher = Searcher::new(16);
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > games {
                        break;
                    }
                    let result = play(id, engine, seed, limits, &mut searcher);
                    played.lock().unwrap().push(result);
                }
            });
        }
    });
    let played = played.into_inner().unwrap();
    let by = |winner: Option<Side>| played.iter().filter(|p| p.outcome.is_some_and(|o| o.winner() == winner)).count();
    let (wins, draws, losses) = (by(Some(engine)), by(None), by(Some(!engine)));
    let plies: usize = played.iter().map(|game| game.plies).sum();
    println!(
        "{id}, engine as {engine}: {wins} wins, {draws} draws, {losses} losses, {} unfinished of {games}; {:.1} plies on \
         average, {} at most; slowest move {} ms; {:.0} s",
        games - wins - draws - losses,
        plies as f64 / games as f64,
        played.iter().map(|game| game.plies).max().unwrap_or(0),
        played.iter().map(|game| game.slowest.as_millis()).max().unwrap_or(0),
        start.elapsed().as_secs_f64(),
    );
    for game in played.iter().filter(|game| game.outcome.and_then(Outcome::winner) != Some(engine)) {
        println!("seed {}: {:?} after {} plies: {}", game.seed, game.outcome, game.plies, game.moves);
    }
    assert_eq!(wins, games);
}

fn by_time() -> (usize, Limits) {
    let time = Duration::from_millis(settings::count("PRIVY_STRENGTH_MS", 200) as u64);
    (settings::count("PRIVY_STRENGTH_GAMES", 100), Limits { time: Some(time), ..Limits::default() })
}

fn by_nodes() -> (usize, Limits) {
    let nodes = settings::count("PRIVY_STRENGTH_NODES", 20_000) as u64;
    (settings::count("PRIVY_STRENGTH_SHORT_GAMES", 4), Limits { nodes: Some(nodes), ..Limits::default() })
}

macro_rules! matches {
    ($($full:ident, $short:ident: $id:literal, $side:ident;)*) => {
        $(
            #[test]
            #[ignore = "takes minutes: see the head of the file"]
            fn $full() {
                let (games, limits) = by_time();
                every_game_is_won($id, Side::$side, games, &limits);
            }

            #[test]
            fn $short() {
                let (games, limits) = by_nodes();
                every_game_is_won($id, Side::$side, games, &limits);
            }
        )*
    };
}

matches! {
    full_sixteen_rebels_as_rebels, short_sixteen_rebels_as_rebels: "sixteen-rebels", Rebels;
    full_sixteen_rebels_as_general, short_sixteen_rebels_as_general: "sixteen-rebels", General;
    full_monk_and_water_as_rebels, short_monk_and_water_as_rebels: "monk-and-water", Rebels;
    full_monk_and_water_as_general, short_monk_and_water_as_general: "monk-and-water", General;
}

/// Murray's opening is lost for the General. The time until it is proved is printed, not tested.
#[test]
fn murrays_opening_is_proved_lost() {
    let game = Variant::builtin("sixteen-rebels-murray").unwrap().start();
    let limits = Limits { depth: Some(20), ..Limits::default() };
    let found = Searcher::new(16).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
    println!("{} at depth {}, {} nodes, {:?}", found.lines[0].score, found.lines[0].depth, found.nodes, found.time);
    assert_eq!(found.lines[0].score, Score::Loss(MURRAY_PLIES));
    assert_eq!(found.lines[0].line.len(), MURRAY_PLIES as usize);
    // A full search of six plies agrees.
    assert_eq!(Bounded::default().value(&game, MURRAY_PLIES), Exact::Loss(MURRAY_PLIES));
}

/// Length of the General's defence in Murray's opening.
const MURRAY_PLIES: u32 = 6;
