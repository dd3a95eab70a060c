//! The search against exact values: small games solved whole, and every short sequence of full boards.
//!
//! The search is full width. So after an iteration of depth d every win and loss in d plies or fewer must be reported,
//! with its exact length and a line that plays it out, and nothing may be called a win or loss that is none. Both are
//! checked after every iteration of every search, for the best line and for several.
//!
//! The default run takes some seconds per variant. Larger runs, where `SCALE` multiplies the numbers of games and positions,
//! and `REBELS` and `PLIES` add Rebels to the solved games and plies to the short sequences:
//!
//! ```text
//! PRIVY_EXACT_SCALE=10 PRIVY_EXACT_REBELS=1 PRIVY_EXACT_PLIES=1 cargo test --release --test search_exact -- --nocapture
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::collections::HashSet;
use std::sync::Arc;

use privy::rules::{Game, Position, Variant};
use privy::search::{Limits, Report, Searcher, Stop};

#[path = "support/exactness.rs"]
mod exactness;
#[path = "support/random.rs"]
mod random;
#[path = "support/retrograde.rs"]
mod retrograde;

use exactness::{agree, plays_out, random_position, sample, setting, with_attrition};
use random::Random;
use retrograde::{Bounded, Exact, Solution};

/// What a run has looked at.
#[derive(Default)]
struct Tally {
    searches: usize,
    reports: usize,
    decided: usize,
    longest: u32,
    deepest: u32,
    errors: Vec<String>,
}

impl Tally {
    /// Searches a position and compares every report with the exact values of its moves.
    fn search(&mut self, position: &Position, limits: &Limits, searcher: &mut Searcher, value: &mut dyn FnMut(&privy::rules::Move) -> Exact) {
        let mut reports: Vec<Report> = Vec::new();
        let game = Game::new(position.clone());
        let findings =
            searcher.search(&game, limits, &Stop::default(), &mut |report| reports.push(report.clone())).unwrap();
        self.searches += 1;
        let values: Vec<_> = position.legal_moves().iter().map(|move_| (move_.clone(), value(move_))).collect();
        let best = best_of(values.iter().map(|(_, value)| *value));
        let of_move = |report: &Report| values.iter().find(|(move_, _)| *move_ == report.line[0]).unwrap().1;
        let mut errors = Vec::new();
        for report in &reports {
            self.reports += 1;
            self.deepest = self.deepest.max(report.depth);
            if report.rank == 1 {
                errors.extend(agree(report, best).err());
                if let Some(plies) = report.score.distance().filter(|plies| *plies <= report.depth) {
                    self.decided += 1;
                    self.longest = self.longest.max(plies);
                }
            }
            errors.extend(agree(report, of_move(report)).err().map(|error| format!("of a move: {error}")));
            errors.extend(plays_out(position, report).err());
        }
        for two in reports.windows(2).filter(|two| two[0].depth == two[1].depth) {
            if two[0].score < two[1].score || two[0].rank + 1 != two[1].rank {
                errors.push(format!("depth {}: rank {} has {}, the next {}", two[0].depth, two[0].rank, two[0].score, two[1].score));
            }
        }
        if let Some(last) = findings.lines.first() {
            let sure = best.plies().is_some_and(|plies| plies <= last.depth);
            let chosen = values.iter().find(|(move_, _)| *move_ == findings.best).unwrap().1;
            if sure && chosen != best {
                errors.push(format!("plays a move of value {chosen:?}, best is {best:?}"));
            }
        }
        self.errors.extend(errors.into_iter().map(|error| format!("{position}: {error}")));
    }

    fn conclude(self, what: &str) {
        println!(
            "{what}: {} searches, {} reports, {} with a sure win or loss, longest {}, deepest iteration {}, {} errors",
            self.searches, self.reports, self.decided, self.longest, self.deepest, self.errors.len()
        );
        assert!(self.decided > 0, "{what}: nothing was decided");
        let shown: Vec<&String> = self.errors.iter().take(12).collect();
        assert!(self.errors.is_empty(), "{what}: {} errors, {shown:#?}", self.errors.len());
    }
}

/// The value of a position from those of its moves.
fn best_of(values: impl Iterator<Item = Exact>) -> Exact {
    let rank = |value: &Exact| match *value {
        Exact::Win(plies) => 1_000_000 - i64::from(plies),
        Exact::Neither(_) => 0,
        Exact::Loss(plies) => i64::from(plies) - 1_000_000,
    };
    values.max_by_key(rank).unwrap()
}

/// Games so small that all their positions are solved. `rebels` is chosen so that some hundred thousand are.
fn solved_games(variant: &Arc<Variant>, rebels: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let mut positions = 0;
    let scale = setting("PRIVY_EXACT_SCALE", 1);
    let rebels = rebels + setting("PRIVY_EXACT_REBELS", 0);
    for _ in 0..scale.div_ceil(5) {
        let root = random_position(variant, rebels, &mut random);
        let solution = Solution::of(&root, &HashSet::new(), 12_000_000).expect("a small game");
        positions += solution.positions().len();
        let mut used = Searcher::new(8);
        for (number, (position, value)) in sample(&solution, 40 * scale, &mut random).into_iter().enumerate() {
            let of_move = &mut |move_: &privy::rules::Move| solution.value_of_move(&position, move_);
            let depth = value.plies().map_or(12, |plies| plies + 2);
            let limits = Limits { depth: Some(depth), nodes: Some(150_000), ..Limits::default() };
            tally.search(&position, &limits, &mut used, of_move);
            if number % 3 == 0 {
                let limits = Limits { multi_pv: 3, ..limits };
                tally.search(&position, &limits, &mut used, of_move);
                let limits = Limits { multi_pv: 1000, depth: Some(5), ..limits };
                tally.search(&position, &limits, &mut Searcher::new(1), of_move);
            }
        }
    }
    println!("{}: {positions} positions solved", variant.id());
    tally.conclude(&format!("{} with {rebels} rebels", variant.id()));
}

/// Full boards in the middle of random games, all sequences of a few plies.
fn short_sequences(id: &str, seed: u64) {
    let variant = Variant::builtin(id).unwrap();
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let plies = 4 + setting("PRIVY_EXACT_PLIES", 0) as u32;
    let mut wanted = 24 * setting("PRIVY_EXACT_SCALE", 1);
    let mut used = Searcher::new(8);
    while wanted > 0 {
        let mut position = variant.start();
        for _ in 0..random.below(60) {
            let moves = position.legal_moves();
            let next = if moves.is_empty() { break } else { position.after(&random.choose(&moves)) };
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        if position.outcome().is_some() {
            break;
        }
        let mut bounded = Bounded::default();
        let value = bounded.value(&position, plies);
        // Most have no short win or loss: two of three of them are left out.
        if value.plies().is_none() && !random.one_in(3) {
            continue;
        }
        wanted -= 1;
        let of_move = &mut |move_: &privy::rules::Move| bounded.value_of_move(&position, move_, plies);
        let limits = Limits { depth: Some(plies), ..Limits::default() };
        tally.search(&position, &limits, &mut used, of_move);
        tally.search(&position, &Limits { multi_pv: 1000, depth: Some(plies.min(4)), ..limits }, &mut used, of_move);
    }
    tally.conclude(&format!("{id}, all sequences of {plies} plies"));
}

macro_rules! small_boards {
    ($($name:ident: $id:literal, $at_most:literal, $rebels:literal;)*) => {
        /// The limit of Rebels is lowered where it is high, so that the game with few of them is not over at once.
        mod solved {
            $(#[test] fn $name() { super::solved_games(&super::with_attrition($id, $at_most), $rebels, 1); })*
        }
        mod short {
            $(#[test] fn $name() { super::short_sequences($id, 2); })*
        }
    };
}

small_boards! {
    sixteen_rebels: "sixteen-rebels", 1, 3;
    sixteen_rebels_murray: "sixteen-rebels-murray", 0, 3;
    sixteen_rebels_neeley: "sixteen-rebels-neeley", 0, 3;
    shap_luk_kon: "shap-luk-kon", 1, 3;
    shap_luk_kon_2: "shap-luk-kon-2", 1, 3;
    juroku_musashi: "juroku-musashi", 0, 3;
    juroku_musashi_hasami: "juroku-musashi-hasami", 1, 3;
    monk_and_water: "monk-and-water", 1, 3;
    kings_gonu: "kings-gonu", 0, 3;
}
