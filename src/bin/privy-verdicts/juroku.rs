//! Claim 12: how easy the Rebels of Juroku Musashi have it.

use privy::cli::CliError;
use privy::rules::Side;
use privy::tablebase::Value;

use super::figures::{lines_figures, opening, opening_figures, result_cells, won_figures};
use super::games::{Player, play};
use super::overview::VariantFigures;
use super::study::Study;
use super::verdict::{Answer, Grid, Verdict, grouped, row, share};

const ID: &str = "juroku-musashi";

/// Games per encounter.
const GAMES: u64 = 2_000;

/// Per cent of the games that one of the players who look one move ahead must win against a perfect General.
const ALMOST_AUTOMATIC: f64 = 90.0;

/// The games in which the same simple players are tried.
const COMPARED: [&str; 4] = [ID, "juroku-musashi-hasami", "sixteen-rebels", "monk-and-water"];

const PLAYERS: [(&str, Player); 4] = [
    ("by lot", Player::RANDOM),
    ("every tenth by lot", Player::Fallible(10)),
    ("cautious", Player::Cautious),
    ("driving", Player::Driving),
];

pub(super) fn claim_12(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(12);
    let figures = VariantFigures::of(study, ID)?;
    let values = study.values(ID)?;
    let [general_first, _] = opening_figures(&mut verdict, "opening", &study.table(ID)?)?;
    won_figures(&mut verdict, &figures);
    let sum = study.census(ID)?.sum();
    let throwing = share(sum.throwing, sum.moves);
    verdict.figure("Rebel moves in won positions that give the win away", throwing.clone());
    lines_figures(study, &mut verdict, &values, opening(values.variant(), Side::General))?;
    drop(values);
    let mut grid = Grid::new(
        &format!("{} games of simple Rebels against a perfect General", grouped(GAMES)),
        &["variant", "Rebels", "Rebels win", "drawn", "General wins"],
    );
    let (mut simple, mut fallible) = (share(0, GAMES), share(0, GAMES));
    for id in COMPARED {
        let values = study.values(id)?;
        study.say(&format!("playing games of {id}"))?;
        for (name, player) in PLAYERS {
            let results = play(&values, *values.variant().opening(), player, Player::PERFECT, GAMES);
            let won = share(results.rebels, results.games());
            match player {
                Player::Fallible(10) if id == ID => fallible = won,
                Player::Cautious | Player::Driving if id == ID && won.number() >= simple.number() => simple = won,
                _ => {}
            }
            grid.rows.push([row![id, name], result_cells(&results)].concat());
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
    let simple_wins = simple.short();
    match general_first {
        Value::Loss(plies) if simple.number() >= ALMOST_AUTOMATIC => verdict.reach(
            Answer::Confirmed,
            format!("The opening is won in {plies} plies, and simple Rebels win {simple_wins} of the games."),
        ),
        Value::Loss(plies) => verdict.reach(
            Answer::PartlyConfirmed,
            format!(
                "They win, in {plies} plies from the opening, but not by themselves: {} of their moves in won positions give \
                 the win away, simple Rebels win {simple_wins} of the games against a perfect General, and even Rebels who \
                 play nine of ten moves perfectly win only {}.",
                throwing.short(),
                fallible.short()
            ),
        ),
        _ => verdict.reach(Answer::Refuted, "The opening is not won for them."),
    }
    verdict.grids.extend([grid, figures.grid()]);
    Ok(verdict)
}
