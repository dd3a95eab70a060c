//! Strength against simple players on the large boards: a measurement of minutes to hours, and a few short games.
//!
//! Games begin after 2 to 12 random plies. Each opening is played twice with sides swapped, which is a pair. The bars: the engine
//! loses at most 2 % of the pairs and wins at least 95 % of those that are not tied. It has 10 ms a move against random moves and
//! against a greedy player, and 100 ms against a tree search with random playouts that has 100 ms too.
//!
//! ```text
//! cargo test --release --test all search::baselines:: -- --ignored --nocapture
//! ```
//!
//! `PRIVY_BASELINES_VARIANTS` (ids, separated by commas), `PRIVY_BASELINES_OPPONENTS` (`random,greedy,uct`),
//! `PRIVY_BASELINES_OPENINGS` (50 of each variant), `PRIVY_BASELINES_MS` (time of a move, for the engine and the tree search) and
//! `PRIVY_BASELINES_THREADS` (pairs played at once, 1) change it. Pairs with a lost game are printed as moves.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use privy::random::Random as Numbers;
use privy::rules::{Game, Outcome, Side};
use privy::search::Limits;
use privy::tuning::Mover;

use crate::support::openings;
use crate::support::players;
use crate::support::random;
use crate::support::settings;

use openings::opening_within;
use players::{Engine, Player, SimpleMover, Uct, UctLimit};
use random::Random;

/// The variants of the board with 49 points that have a legal first move.
const VARIANTS: &str = "subjugatio,subjugatio-free,subjugatio-intervention,yeung-luk";

/// A game of this many plies is a draw.
const PLIES: usize = 300;

/// Results for the engine, the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Result {
    Lost,
    Drawn,
    Won,
}

/// A game and the engine's side.
struct Played {
    engine: Side,
    game: Game,
    /// Number of random plies at its beginning.
    opening: usize,
}

impl Played {
    fn result(&self) -> Result {
        match self.game.outcome().and_then(Outcome::winner) {
            Some(winner) if winner == self.engine => Result::Won,
            Some(_) => Result::Lost,
            None => Result::Drawn,
        }
    }

    fn plies(&self) -> usize {
        self.game.moves().len() - self.opening
    }

    /// The moves, with a bar after those of the opening.
    fn text(&self) -> String {
        let mut words = Vec::new();
        for move_ in self.game.moves() {
            if words.len() == self.opening {
                words.push("|".to_owned());
            }
            words.push(self.game.move_text(move_));
        }
        words.join(" ")
    }
}

fn play(opening: &Game, engine_side: Side, engine: &mut dyn Player, opponent: &mut dyn Player) -> Played {
    let mut game = opening.clone();
    while game.outcome().is_none() && game.moves().len() < PLIES {
        let is_engine = game.side() == engine_side;
        let move_ = if is_engine { engine.choose(&game) } else { opponent.choose(&game) };
        game.play(move_);
    }
    Played { engine: engine_side, game, opening: opening.moves().len() }
}

/// A pair from one opening: the games of the engine as General and as Rebels.
struct Pair([Played; 2]);

impl Pair {
    fn result(&self) -> Result {
        let points: i32 = self.0.iter().map(|played| played.result() as i32 - Result::Drawn as i32).sum();
        match points {
            ..0 => Result::Lost,
            0 => Result::Drawn,
            1.. => Result::Won,
        }
    }
}

/// Different openings that are not over.
fn different_openings(variant: &str, count: usize) -> Vec<Game> {
    let mut random = Random::new(49);
    let mut found: Vec<Game> = Vec::new();
    while found.len() < count {
        let game = opening_within(variant, &mut random, 2..=12);
        if found.iter().all(|other| other.position() != game.position()) {
            found.push(game);
        }
    }
    found
}

fn player(name: &str, seed: u64, time: Duration) -> Box<dyn Player> {
    let simple = |mover| Box::new(SimpleMover(mover, Numbers::new(seed)));
    match name {
        "random" => simple(Mover::Random),
        "greedy" => simple(Mover::Greedy),
        "uct" => Box::new(Uct::new(Random::new(seed), UctLimit::Time(time))),
        _ => panic!("PRIVY_BASELINES_OPPONENTS: {name}; there are random, greedy and uct"),
    }
}

/// Plays all pairs. `limits` are the engine's.
fn play_pairs(variant: &str, opponent: &str, openings: usize, limits: &Limits) -> Vec<Pair> {
    let games = different_openings(variant, openings);
    let (next, pairs) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(opening) = games.get(at) else { break };
            let pair = Pair([Side::General, Side::Rebels].map(|side| {
                let mut other = player(opponent, at as u64, limits.time.unwrap_or_default());
                play(opening, side, &mut Engine::new(limits.clone()), &mut *other)
            }));
            let mut pairs = pairs.lock().unwrap();
            pairs.push((at, pair));
            if pairs.len() % 10 == 0 {
                println!("{variant} against {opponent}: {} of {openings} pairs", pairs.len());
            }
        }
    };
    std::thread::scope(|scope| {
        (0..settings::number("PRIVY_BASELINES_THREADS", 1).max(1)).for_each(|_| drop(scope.spawn(work)));
    });
    let mut pairs = pairs.into_inner().unwrap();
    pairs.sort_by_key(|(at, _)| *at);
    pairs.into_iter().map(|(_, pair)| pair).collect()
}

/// Numbers of wins, draws and losses.
fn counts(results: impl Iterator<Item = Result>) -> [usize; 3] {
    let mut counts = [0; 3];
    results.for_each(|result| counts[2 - result as usize] += 1);
    counts
}

fn percent(part: usize, whole: usize) -> f64 {
    part as f64 * 100.0 / whole.max(1) as f64
}

/// Prints the result of a match. True if it meets the bars.
fn report(variant: &str, opponent: &str, pairs: &[Pair], time: Duration) -> bool {
    let with_loss = |pair: &Pair| pair.0.iter().any(|played| played.result() == Result::Lost);
    for (number, pair) in pairs.iter().enumerate().filter(|(_, pair)| with_loss(pair)) {
        for played in &pair.0 {
            let outcome = played.game.outcome().map_or_else(|| "unfinished".to_owned(), |outcome| outcome.to_string());
            let result = played.result();
            println!(
                "  {number} as {}: {result:?}, {outcome} after {}: {}",
                played.engine,
                played.plies(),
                played.text()
            );
        }
    }
    let as_general = counts(pairs.iter().map(|pair| pair.0[0].result()));
    let as_rebels = counts(pairs.iter().map(|pair| pair.0[1].result()));
    let [won, tied, lost] = counts(pairs.iter().map(Pair::result));
    let plies: usize = pairs.iter().flat_map(|pair| &pair.0).map(Played::plies).sum();
    let (lost_share, won_share) = (percent(lost, pairs.len()), percent(won, won + lost));
    println!(
        "{variant} against {opponent}: games won, drawn, lost as General {as_general:?}, as Rebels {as_rebels:?}; pairs won \
         {won}, tied {tied}, lost {lost}; lost {lost_share:.1} % of all (bar 2), won {won_share:.1} % of those not tied (bar \
         95); {:.0} plies a game; {:.0} s",
        plies as f64 / (2 * pairs.len()).max(1) as f64,
        time.as_secs_f64(),
    );
    lost_share <= 2.0 && (won_share >= 95.0 || won + lost == 0)
}

#[test]
#[ignore = "a measurement of minutes to hours: see the head of the file"]
fn the_engine_beats_simple_players() {
    let openings = settings::number("PRIVY_BASELINES_OPENINGS", 50) as usize;
    let mut failed = Vec::new();
    for opponent in settings::text("PRIVY_BASELINES_OPPONENTS", "random,greedy,uct").split(',') {
        let usual = if opponent == "uct" { 100 } else { 10 };
        let time = Duration::from_millis(settings::number("PRIVY_BASELINES_MS", usual));
        let limits = Limits { time: Some(time), ..Limits::default() };
        for variant in settings::text("PRIVY_BASELINES_VARIANTS", VARIANTS).split(',') {
            let start = Instant::now();
            let pairs = play_pairs(variant, opponent, openings, &limits);
            if !report(variant, opponent, &pairs, start.elapsed()) {
                failed.push(format!("{variant} against {opponent}"));
            }
        }
    }
    assert!(failed.is_empty(), "below the bars: {failed:?}");
}

fn game(text: &str) -> Game {
    Game::from_text(text, None).unwrap()
}

fn choice(player: &mut dyn Player, game: &Game) -> String {
    game.move_text(&player.choose(game))
}

#[test]
fn the_tree_search_finds_wins_in_one() {
    let mut uct = Uct::new(Random::new(1), UctLimit::Playouts(2_000));
    let onto_the_apex = game("1/1G1/r3r/r3r/5/5/rrrrr g - 0 0 sixteen-rebels");
    assert_eq!(choice(&mut uct, &onto_the_apex), "c6-c7");
    let closing_the_privy = game("1/G2/rr1rr/2r2/5/5/5 r - 0 0 sixteen-rebels");
    assert_eq!(choice(&mut uct, &closing_the_privy), "c4-c5");
}

#[test]
fn the_greedy_player_takes_most_and_loses_least() {
    // On d4 the General takes c4 and e4. On b2 it takes two pairs: a1 c3 and a3 c1.
    let two_pairs = game("1/3/5/2r1r/r1r2/2G2/r1r2 g - 0 0 sixteen-rebels-murray");
    // Only c4 closes the privy.
    let closing = game("1/G2/rr1rr/2r2/5/5/5 r - 0 0 sixteen-rebels");
    // A Rebel on b3 would fall with that on b1 when the General steps onto b2.
    let in_danger = game("1/3/rr1rr/5/r3r/2G2/1r3 r - 0 0 sixteen-rebels");
    let mistake = in_danger.parse_move(None, "a3-b3").unwrap();
    assert_eq!(in_danger.after(&mistake).threatened().len(), 2);
    for seed in 0..20 {
        let mut greedy = SimpleMover(Mover::Greedy, Numbers::new(seed));
        assert_eq!(choice(&mut greedy, &two_pairs), "c2-b2");
        assert_eq!(choice(&mut greedy, &closing), "c4-c5");
        let next = in_danger.after(&greedy.choose(&in_danger));
        assert!(next.threatened().is_empty(), "{next}");
    }
}

#[test]
fn the_engine_beats_random_moves_with_few_nodes() {
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    for variant in ["subjugatio-intervention", "yeung-luk"] {
        let pairs = play_pairs(variant, "random", 2, &limits);
        assert!(report(variant, "random", &pairs, Duration::ZERO));
        assert!(pairs.iter().all(|pair| pair.result() == Result::Won), "{variant}");
    }
}
