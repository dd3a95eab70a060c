//! Fits the `win_rates.toml` of the games: how scores become chances to win. A computation of minutes, which prints the file.
//!
//! The engine plays against itself from openings of random moves, without tables, with a fixed number of nodes a move, and each
//! side errs at a rate of its own, one move in 2, 4, 8 or 16: among equals who never err, one side wins nearly every game of
//! some variants, and no score would tell anything. Each position gives a score and the result of its game; a logistic
//! regression finds the constants that make the results likeliest. Every game weighs as much as any other. To run it:
//!
//! ```text
//! cargo test --release --test search chances:: -- --ignored --nocapture
//! ```
//!
//! `PRIVY_CHANCES_GAMES` and `PRIVY_CHANCES_NODES` change games a variant and nodes a move.

use privy::rules::{Game, Side};
use privy::search::{Limits, Searcher, Stop};
use privy::tuning::fit_line;
use privy_protocol::Score;

use crate::support::openings;
use crate::support::random;

use openings::{number, opening, variants};
use random::Random;

/// Plies after which a game is taken for a draw.
const PLIES: usize = 200;

/// A position: score for the General in hundredths, result for him, weight.
struct Sample {
    score: f64,
    result: f64,
    weight: f64,
}

/// Squares of the differences between the last score of a search and one that many plies less deep, per depth of that one.
#[derive(Default)]
struct Doubts {
    /// Sum of the squares, each times its depth: the variance falls with the depth.
    squares: f64,
    count: f64,
}

/// Scores beyond that stand for wins whose length is not proved yet.
const NEARLY_PROVED: i32 = 10_000;

fn hundredths(score: Score) -> Option<f64> {
    score.hundredths().filter(|score| score.abs() < NEARLY_PROVED).map(f64::from)
}

/// Plays a game and adds what it says.
fn play(
    mut game: Game,
    nodes: u64,
    searcher: &mut Searcher,
    random: &mut Random,
    samples: &mut Vec<Sample>,
    doubts: &mut Doubts,
) {
    // Of the General and of the Rebels.
    let rates = [(); 2].map(|()| random.choose(&[16, 8, 4, 2]));
    let mut scores = Vec::new();
    let limits = Limits { nodes: Some(nodes), multi_pv: 1, ..Limits::default() };
    while game.outcome().is_none() && game.moves().len() < PLIES {
        let mut depths: Vec<(u32, f64)> = Vec::new();
        let found = searcher.search(&game, &limits, &Stop::default(), &mut |report| {
            depths.extend(hundredths(report.score).map(|score| (report.depth, score)));
        });
        let found = found.unwrap();
        let (sign, rate) = if game.side() == Side::General { (1.0, rates[0]) } else { (-1.0, rates[1]) };
        if let Some(score) = found.lines.first().and_then(|line| hundredths(line.score)) {
            scores.push(sign * score);
            for (depth, earlier) in depths.iter().filter(|(depth, _)| found.lines[0].depth >= 2 * depth) {
                doubts.squares += (score - earlier).powi(2) * f64::from(*depth);
                doubts.count += 1.0;
            }
        }
        let error = random.one_in(rate).then(|| random.choose(&game.legal_moves()));
        game.play(error.unwrap_or(found.best));
    }
    let result = match game.outcome().and_then(|outcome| outcome.winner()) {
        Some(Side::General) => 1.0,
        Some(Side::Rebels) => 0.0,
        None => 0.5,
    };
    let weight = 1.0 / scores.len().max(1) as f64;
    samples.extend(scores.into_iter().map(|score| Sample { score, result, weight }));
}

fn chance(offset: f64, slope: f64, score: f64) -> f64 {
    1.0 / (1.0 + (-(offset + slope * score / 100.0)).exp())
}

/// Offset and slope (per hundred).
fn fit(samples: &[Sample]) -> (f64, f64) {
    let of = |sample: &Sample| [(sample.score / 100.0).clamp(-40.0, 40.0), sample.result, sample.weight];
    fit_line(&samples.iter().map(of).collect::<Vec<_>>(), 0.02)
}

/// The mean difference between told chance and result over tenths of the chance, and the mean loss in nats.
fn errors(samples: &[Sample], offset: f64, slope: f64) -> (f64, f64) {
    let mut tenths = [(0.0, 0.0); 10];
    let (mut loss, mut total) = (0.0, 0.0);
    for sample in samples {
        let p = chance(offset, slope, sample.score).clamp(1e-6, 1.0 - 1e-6);
        let tenth = &mut tenths[((p * 10.0) as usize).min(9)];
        *tenth = (tenth.0 + sample.weight * p, tenth.1 + sample.weight * sample.result);
        loss -= sample.weight * (sample.result * p.ln() + (1.0 - sample.result) * (1.0 - p).ln());
        total += sample.weight;
    }
    let miss: f64 = tenths.iter().map(|(told, true_)| (told - true_).abs()).sum();
    (miss / total, loss / total)
}

fn print_entry(name: &str, samples: &[Sample], doubts: &Doubts, games: u64) {
    let (offset, slope) = fit(samples);
    let (miss, loss) = errors(samples, offset, slope);
    let wins: f64 = samples.iter().map(|sample| sample.weight * sample.result).sum::<f64>()
        / samples.iter().map(|sample| sample.weight).sum::<f64>();
    println!(
        "\n# {games} games, General {:.0} %; chance told wrong by {:.1} % on average, loss {loss:.3}.",
        wins * 100.0,
        miss * 100.0
    );
    println!("[{name}]");
    println!("even = {:.1}", -offset / slope * 100.0);
    println!("scale = {:.1}", 100.0 / slope);
    println!("doubt = {:.1}", (doubts.squares / doubts.count.max(1.0)).sqrt());
}

#[test]
#[ignore = "a computation of minutes"]
fn fit_chances() {
    let (games, nodes) = (number("PRIVY_CHANCES_GAMES", 150), number("PRIVY_CHANCES_NODES", 1_000));
    let mut all = Vec::new();
    let mut all_doubts = Doubts::default();
    let variants = variants();
    for variant in &variants {
        let (mut samples, mut doubts) = (Vec::new(), Doubts::default());
        let mut searcher = Searcher::new(4);
        for seed in 0..games {
            let random = &mut Random::new(seed);
            play(opening(variant, random, 16), nodes, &mut searcher, random, &mut samples, &mut doubts);
        }
        print_entry(variant, &samples, &doubts, games);
        all.extend(samples);
        all_doubts.squares += doubts.squares;
        all_doubts.count += doubts.count;
    }
    print_entry("other", &all, &all_doubts, games * variants.len() as u64);
}
