//! Claim 12: how easy the Rebels of Juroku Musashi have it.

use crate::rules::Side;
use crate::tables::Value;

use super::ToolError;
use super::chinese_rebels::opening;
use super::games::{Player, play};
use super::lines::PerfectLines;
use super::murray::lines_figures;
use super::overview::{VariantFigures, said};
use super::study::{Study, openings};
use super::verdict::{Answer, Grid, Quantity, Verdict};

const ID: &str = "juroku-musashi";

/// Games per encounter.
const GAMES: u64 = 2_000;

/// Per cent of the games that a player who looks one move ahead must win against a perfect General.
const ALMOST_AUTOMATIC: f64 = 90.0;

/// The games in which the same simple players are tried.
const COMPARED: [&str; 4] = [ID, "juroku-musashi-hasami", "sixteen-rebels", "monk-and-water"];

pub(super) fn claim_12(study: &mut Study<'_>) -> Result<Verdict, ToolError> {
    let mut verdict = Verdict::on(
        12,
        ID,
        "The Rebels win almost by themselves.",
        "The opening is looked up; moves that give a won position away are counted; and simple Rebels play against a perfect \
         General from the opening: one who draws all moves by lot, one who draws every tenth by lot, and a cautious one who \
         wins at once if he can and else draws among the moves that let the General neither take nor win next.",
    );
    let figures = VariantFigures::of(study, ID)?;
    let values = study.values(ID)?;
    let table = study.table(ID)?;
    let [general_first, rebels_first] = openings(&table)?;
    verdict.figure("opening, General first", Quantity::text(said(general_first, Side::General)));
    verdict.figure("opening, Rebels first", Quantity::text(said(rebels_first, Side::Rebels)));
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    if let Some(layer) = figures.layers.last() {
        verdict.figure(format!("the same with {} Rebels", layer.rebels), layer.share());
    }
    let sum = study.census(ID)?.sum();
    verdict.figure("Rebel moves in won positions that give the win away", Quantity::share(sum.throwing, sum.moves));
    study.say("following perfect lines")?;
    let start = opening(study, ID, Side::General)?;
    lines_figures(&mut verdict, &PerfectLines::from(&values, start));
    drop(values);
    let mut grid = Grid::new(
        &format!("{GAMES} games of simple Rebels against a perfect General"),
        &["variant", "Rebels", "Rebels win", "drawn", "General wins"],
    );
    let mut cautious = Quantity::share(0, 1);
    for id in COMPARED {
        let values = study.values(id)?;
        study.say(&format!("playing games of {id}"))?;
        let players =
            [("by lot", Player::RANDOM), ("every tenth by lot", Player::Fallible(10)), ("cautious", Player::Cautious)];
        for (name, player) in players {
            let results = play(&values, *values.variant().opening(), player, Player::PERFECT, GAMES);
            if id == ID && player == Player::Cautious {
                cautious = Quantity::share(results.rebels, results.games());
            }
            grid.rows.push(vec![
                Quantity::text(id),
                Quantity::text(name),
                Quantity::share(results.rebels, results.games()),
                Quantity::share(results.drawn, results.games()),
                Quantity::share(results.general, results.games()),
            ]);
        }
    }
    verdict.measure = Some(format!(
        "\"Almost by themselves\" is that the cautious Rebels win at least {ALMOST_AUTOMATIC} % of the games: our choice."
    ));
    verdict.figure("games that cautious Rebels win against a perfect General", cautious.clone());
    let throwing = Quantity::share(sum.throwing, sum.moves);
    match general_first {
        Value::Loss(plies) if cautious.number() >= ALMOST_AUTOMATIC => verdict.reach(
            Answer::Confirmed,
            format!("The opening is won in {plies} plies, and mere caution wins {} of the games.", cautious.short()),
        ),
        Value::Loss(plies) => verdict.reach(
            Answer::PartlyConfirmed,
            format!(
                "They win, in {plies} plies from the opening, but not by themselves: {} of their moves in won positions give \
                 the win away, and mere caution wins {} of the games against a perfect General.",
                throwing.short(),
                cautious.short()
            ),
        ),
        _ => verdict.reach(Answer::Refuted, "The opening is not won for them.".to_owned()),
    }
    verdict.grids.push(grid);
    verdict.grids.push(figures.grid());
    Ok(verdict)
}
