//! Claim 12: how easy the Rebels of Juroku Musashi have it.

use privy::rules::Side;
use privy::tablebase::Value;

use super::chinese_rebels::opening;
use super::games::{Player, play};
use super::lines::PerfectLines;
use super::murray::lines_figures;
use super::overview::{VariantFigures, said};
use super::study::{Study, openings};
use super::verdict::{Answer, Grid, Quantity, Verdict, grouped};
use privy::cli::CliError;

const ID: &str = "juroku-musashi";

/// Games per encounter.
const GAMES: u64 = 2_000;

/// Per cent of the games that one of the players who look one move ahead must win against a perfect General.
const ALMOST_AUTOMATIC: f64 = 90.0;

/// The games in which the same simple players are tried.
const COMPARED: [&str; 4] = [ID, "juroku-musashi-hasami", "sixteen-rebels", "monk-and-water"];

pub(super) fn claim_12(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        12,
        ID,
        "The Rebels win almost by themselves.",
        "The opening is looked up; moves that give a won position away are counted; and simple Rebels play against a perfect \
         General from the opening: one who draws all moves by lot; a perfect one who draws every tenth by lot; a cautious one \
         who wins at once if he can and else draws among the moves that let the General neither take nor win next; and a \
         driving one who of these plays a move that leaves the General the fewest replies.",
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
        &format!("{} games of simple Rebels against a perfect General", grouped(GAMES)),
        &["variant", "Rebels", "Rebels win", "drawn", "General wins"],
    );
    let mut simple = Quantity::share(0, GAMES);
    let mut fallible = Quantity::share(0, GAMES);
    for id in COMPARED {
        let values = study.values(id)?;
        study.say(&format!("playing games of {id}"))?;
        let players = [
            ("by lot", Player::RANDOM),
            ("every tenth by lot", Player::Fallible(10)),
            ("cautious", Player::Cautious),
            ("driving", Player::Driving),
        ];
        for (name, player) in players {
            let results = play(&values, *values.variant().opening(), player, Player::PERFECT, GAMES);
            let share = Quantity::share(results.rebels, results.games());
            match player {
                Player::Fallible(10) if id == ID => fallible = share,
                Player::Cautious | Player::Driving if id == ID && share.number() >= simple.number() => simple = share,
                _ => {}
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
        "\"Almost by themselves\" is that the cautious or the driving Rebels, who know nothing of the table, win at least \
         {ALMOST_AUTOMATIC} % of the games: our choice."
    ));
    verdict.figure(
        "games that cautious or driving Rebels win against a perfect General, the better of both",
        simple.clone(),
    );
    verdict.figure(
        "games that Rebels win who draw every tenth move by lot and play the others perfectly",
        fallible.clone(),
    );
    let throwing = Quantity::share(sum.throwing, sum.moves);
    match general_first {
        Value::Loss(plies) if simple.number() >= ALMOST_AUTOMATIC => verdict.reach(
            Answer::Confirmed,
            format!("The opening is won in {plies} plies, and simple Rebels win {} of the games.", simple.short()),
        ),
        Value::Loss(plies) => verdict.reach(
            Answer::PartlyConfirmed,
            format!(
                "They win, in {plies} plies from the opening, but not by themselves: {} of their moves in won positions give \
                 the win away, simple Rebels win {} of the games against a perfect General, and even Rebels who play nine \
                 of ten moves perfectly win only {}.",
                throwing.short(),
                simple.short(),
                fallible.short()
            ),
        ),
        _ => verdict.reach(Answer::Refuted, "The opening is not won for them.".to_owned()),
    }
    verdict.grids.push(grid);
    verdict.grids.push(figures.grid());
    Ok(verdict)
}
