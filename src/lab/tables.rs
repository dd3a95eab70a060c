//! The play styles of positions lost by tables, whose complete verification is `privy tables verify`.

use std::sync::atomic::{AtomicU32, Ordering};

use clap::Args;
use privy_base::random::Random;
use privy_engine::{FallibleOpponent, rank_by_style};
use privy_program::{CliError, within};
use privy_referee::statistics::Tally;
use privy_rules::{Game, MovePath};
use privy_search::{Limits, Searcher, Stop};
use privy_tables::{Table, TableError, TableValue, Tables};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::play::{best_by_search, check_stop, play_out};
use super::{Lab, variants_or};

/// Points that play styles save in lost positions against fallible opponents
///
/// The side that is lost by the table plays each style against random moves, searches of depth 1 to 4, and a player by
/// the table with one random move in ten. A win counts 100, a draw 50. The numbers in the name of a style: moves
/// watched, sight, doubt.
#[derive(Args)]
pub(super) struct PlayStyleArguments {
    /// Ids or files of variants; sixteen-rebels, monk-and-water and juroku-musashi-hasami without any
    variants: Vec<String>,
    /// Games of each variant and opponent
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = within(1_u32..=1_000_000))]
    games: u32,
}

#[derive(Clone, Copy)]
enum PanelMember {
    Random,
    Depth(u32),
    Careless,
}

const PANEL: [(&str, PanelMember); 6] = [
    ("random", PanelMember::Random),
    ("depth 1", PanelMember::Depth(1)),
    ("depth 2", PanelMember::Depth(2)),
    ("depth 3", PanelMember::Depth(3)),
    ("depth 4", PanelMember::Depth(4)),
    ("table, 10 % errors", PanelMember::Careless),
];

/// A style; `None` is `longest`.
type Style = Option<FallibleOpponent>;

const fn model(moves: u32, sight: f64, doubt: f64, carelessness: f64) -> Style {
    Some(FallibleOpponent { moves, sight, doubt, carelessness })
}

/// A sight at which the opponent chooses evenly among all its moves.
const BLIND: f64 = 1e-3;

const STYLES: [(&str, Style); 8] = [
    ("longest", None),
    ("blind 1", model(1, BLIND, 1.0, 0.0)),
    ("blind 2", model(2, BLIND, 1.0, 0.0)),
    ("1/8/.25", model(1, 8.0, 0.25, 0.03)),
    ("1/8/.1", model(1, 8.0, 0.1, 0.03)),
    ("1/12/.05", model(1, 12.0, 0.05, 0.03)),
    ("2/8/.1", model(2, 8.0, 0.1, 0.03)),
    ("2/8/.05", model(2, 8.0, 0.05, 0.03)),
];

impl PlayStyleArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let tables = Tables::new(lab.tables.choice());
        let row = |shares: &[f64]| -> String {
            STYLES.iter().zip(shares).map(|((name, _), share)| format!("  {name} {share:5.1}")).collect()
        };
        let by_style = |shares: &[f64]| -> Map<String, Value> {
            STYLES.iter().zip(shares).map(|((name, _), share)| ((*name).to_owned(), json!(share))).collect()
        };
        let (mut sums, mut rows) = ([0.0; STYLES.len()], 0.0);
        for variant in variants_or(&self.variants, &["sixteen-rebels", "monk-and-water", "juroku-musashi-hasami"])? {
            let table = tables.find(&variant)?;
            for (name, member) in PANEL {
                let scores: [AtomicU32; STYLES.len()] = std::array::from_fn(|_| AtomicU32::new(0));
                (1..=u64::from(self.games)).into_par_iter().try_for_each(|seed| -> Result<(), CliError> {
                    for ((_, style), score) in STYLES.iter().zip(&scores) {
                        let mut random = Random::new(seed);
                        let first = lost_position(&table, &mut random, lab.stop)?;
                        let points = play(&table, &first, *style, member, &mut random, lab.stop)?;
                        score.fetch_add(points, Ordering::Relaxed);
                    }
                    Ok(())
                })?;
                let shares = scores.map(|score| f64::from(score.into_inner()) / f64::from(self.games));
                lab.tell(
                    format_args!("{:22} {name:20}{}", variant.id(), row(&shares)),
                    || json!({"variant": variant.id(), "against": name, "points": by_style(&shares)}),
                )?;
                sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
                rows += 1.0;
            }
        }
        let means = sums.map(|sum| sum / rows);
        let figures = || json!({"variant": null, "against": null, "points": by_style(&means)});
        lab.tell(format_args!("{:43}{}", "mean", row(&means)), figures)
    }
}

/// A position from a random game in which the side to move is lost in 8 plies or more.
fn lost_position(table: &Table, random: &mut Random, stop: &Stop) -> Result<Game, CliError> {
    /// Tries before there is taken to be none, and the most random plies.
    const TRIES: u32 = 100_000;
    const PLIES: u64 = 40;
    for _ in 0..TRIES {
        check_stop(stop)?;
        let mut game = table.variant().start();
        for _ in 0..random.below(PLIES) {
            let Some(move_) = random.pick(&game.legal_moves()).cloned() else { break };
            game.play(move_);
        }
        if game.outcome().is_none() && matches!(table.probe(&game)?, TableValue::Loss(plies) if plies >= 8) {
            return Ok(game.without_history());
        }
    }
    let id = table.variant().id();
    Err(CliError::Failed(format!("{id}: of {TRIES} random games none leads to a position lost in 8 plies or more")))
}

fn best_by_style(table: &Table, game: &Game, style: Style) -> Result<MovePath, TableError> {
    let mut moves = table.values(game)?;
    rank_by_style(table, game, &mut moves, style, &mut || true)?;
    Ok(moves.swap_remove(0).0)
}

/// The score of the side to move: 100 for a win, 50 for a draw.
fn play(
    table: &Table,
    first: &Game,
    style: Style,
    member: PanelMember,
    random: &mut Random,
    stop: &Stop,
) -> Result<u32, CliError> {
    const PLIES: usize = 300;
    let lost_side = first.side();
    let mut searcher = Searcher::new(4);
    let winner = play_out(&mut first.clone(), PLIES, stop, |game| {
        Ok(match member {
            _ if game.side() == lost_side => best_by_style(table, game, style)?,
            PanelMember::Careless if random.below(10) != 0 => best_by_style(table, game, None)?,
            PanelMember::Random | PanelMember::Careless => {
                random.pick(&game.legal_moves()).cloned().expect("an unfinished game has a move")
            }
            PanelMember::Depth(depth) => {
                searcher.seed = random.below(1 << 30) + 1;
                best_by_search(&mut searcher, game, Limits { depth: Some(depth), ..Limits::default() }, stop)
            }
        })
    })?;
    Ok(Tally::of_game(lost_side, winner).half_points() as u32 * 50)
}
