//! What the apex rule of a game does: the game against itself without the rule, for claims 5 and 15.

use privy::cli::CliError;
use privy::rules::Side;
use privy::tablebase::Value;

use super::comparison::{Comparison, summary};
use super::figures::{FIRST, opening, result_cells};
use super::games::{Player, play};
use super::overview::said;
use super::study::{Study, openings};
use super::verdict::{Grid, Quantity, Verdict, grouped, row, share};

/// Games of fallible players.
const GAMES: u64 = 10_000;

/// What the apex rule does.
pub(super) struct Effect {
    /// Per cent of positions with another result.
    pub(super) changed: f64,
    /// Plies by which the General wins sooner with the rule.
    pub(super) sooner: f64,
    /// Of the positions that the General wins with the rule: those that he wins without it.
    pub(super) kept_wins: Quantity,
    /// The opening has the same winner.
    pub(super) opening_kept: bool,
}

/// Compares the game of a verdict with itself less its apex rule, and adds the figures to the verdict.
pub(super) fn apex_effect(study: &mut Study<'_>, verdict: &mut Verdict) -> Result<Effect, CliError> {
    let id = verdict.variant.clone();
    let base = study.values(&id)?;
    let with = openings(&study.table(&id)?)?;
    let table = study.without_apex(&id)?;
    let without = openings(&table)?;
    for ((side, name), (with, without)) in FIRST.into_iter().zip(with.into_iter().zip(without)) {
        verdict.figure(format!("opening with the rule, {name}"), said(with, side));
        verdict.figure(format!("opening without it, {name}"), said(without, side));
    }
    let other = study.decompress(&table)?;
    study.say("comparing position by position")?;
    let mut grid = Grid::new(
        "Winner with the rule, and without it",
        &["to move", "with the rule", "Rebels win without", "drawn without", "General wins without"],
    );
    let (mut all, mut changed, mut distances) = (0, 0, 0);
    let (mut sum, mut both, mut wins) = (0, 0, 0);
    for (side, name) in [(Side::General, "General"), (Side::Rebels, "Rebels")] {
        let comparison = Comparison::of(&base, &other, side);
        for (winner, [rebels, drawn, general]) in
            ["Rebels win", "drawn", "General wins"].into_iter().zip(comparison.classes)
        {
            grid.rows.push(row![name, winner, rebels, drawn, general]);
        }
        all += comparison.all();
        changed += comparison.class_changes();
        distances += comparison.distance_changes();
        wins += comparison.classes[2].iter().sum::<u64>();
        let (plies, of, median) = summary(&comparison.general_wins);
        sum += plies;
        both += of;
        let mean = Quantity::Mean { sum: plies, of }.short();
        let most = comparison.general_wins.keys().next_back().copied().unwrap_or(0);
        verdict.figure(
            format!("{name} to move, General wins in both: plies he saves by the rule"),
            format!("mean {mean}, median {median}, most {most}"),
        );
        let (plies, of, median) = summary(&comparison.rebels_win);
        let mean = Quantity::Mean { sum: -plies, of }.short();
        verdict.figure(
            format!("{name} to move, Rebels win in both: plies they need more by the rule"),
            format!("mean {mean}, median {}", -median),
        );
    }
    let kept_wins = share(both, wins);
    verdict.figure("positions compared, both sides to move", all);
    verdict.figure("another winner, or a draw instead", share(changed, all));
    verdict.figure("same winner at another distance", share(distances, all));
    verdict.figure("of the positions that the General wins with the rule: won without it", kept_wins.clone());
    study.say("playing games with and without the rule")?;
    let mut games = Grid::new(
        &format!("{} games between players who draw every tenth move by lot, General first", grouped(GAMES)),
        &["rule", "Rebels win", "drawn", "General wins"],
    );
    for (rule, values) in [("with the rule", &base), ("without it", &other)] {
        let player = Player::Fallible(10);
        let results = play(values, opening(values.variant(), Side::General), player, player, GAMES);
        games.rows.push([row![rule], result_cells(&results)].concat());
    }
    verdict.grids.extend([games, grid]);
    Ok(Effect {
        changed: share(changed, all).number(),
        sooner: Quantity::Mean { sum, of: both }.number(),
        kept_wins,
        opening_kept: with.map(Value::class) == without.map(Value::class),
    })
}
