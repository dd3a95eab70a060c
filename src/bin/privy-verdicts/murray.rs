//! Claims 1 and 2: the forms in which a Rebel captures the General.

use privy::cli::CliError;
use privy::rules::Side;
use privy::tablebase::Value;

use super::figures::{lines_figures, losses_figure, opening, opening_figures};
use super::overview::{VariantFigures, plies};
use super::study::Study;
use super::verdict::{Answer, Verdict};

/// The General's moves that are still a few.
const A_FEW: u32 = 5;

pub(super) fn claim_1(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(1);
    let value = short_loss(study, &mut verdict)?;
    let figures = VariantFigures::of(study, &verdict.variant)?;
    let hopeless = figures.layers.iter().rev().take_while(|layer| {
        layer.general_to_move_rebels_win == layer.general_to_move
            && layer.rebels_to_move_rebels_win == layer.rebels_to_move
    });
    let least = hopeless.last().map_or(0, |layer| layer.rebels);
    verdict.figure("every position with at least so many Rebels is lost for the General", least);
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    verdict.measure = Some(format!("\"A few\" is at most {A_FEW} moves of the General: our choice."));
    let moves = plies(value) / 2;
    match value {
        Value::Loss(_) if moves <= A_FEW => verdict.reach(
            Answer::Confirmed,
            format!(
                "He is lost after {moves} moves of his own at the latest, and not in the opening alone: nothing saves him \
                 as long as {least} Rebels are left."
            ),
        ),
        Value::Loss(_) => {
            verdict.reach(Answer::PartlyConfirmed, format!("He loses, but holds out for {moves} moves of his own."));
        }
        _ => verdict.reach(Answer::Refuted, "The opening is not lost."),
    }
    verdict.grids.push(figures.grid());
    Ok(verdict)
}

pub(super) fn claim_2(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(2);
    let value = short_loss(study, &mut verdict)?;
    let figures = VariantFigures::of(study, &verdict.variant)?;
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    verdict.measure = Some(
        "\"Six or so\" is 5 to 7, counted in moves of either side (plies) or in moves of the General: our choice."
            .into(),
    );
    let length = plies(value);
    let six = |count: u32| (5..=7).contains(&count);
    match value {
        Value::Loss(_) if six(length) || six(length / 2) => verdict.reach(
            Answer::Confirmed,
            format!(
                "It is forced and takes exactly {length} plies, {} moves by each side. So the number holds when the moves \
                 of both sides are counted; in moves of the General it is half of that.",
                length / 2
            ),
        ),
        Value::Loss(_) => verdict.reach(Answer::PartlyConfirmed, format!("It is forced, in {length} plies.")),
        _ => verdict.reach(Answer::Refuted, "The loss is not forced."),
    }
    verdict.grids.push(figures.grid());
    Ok(verdict)
}

/// What both claims ask for. Gives the value of the opening with the General first.
fn short_loss(study: &mut Study<'_>, verdict: &mut Verdict) -> Result<Value, CliError> {
    let id = verdict.variant.clone();
    let table = study.table(&id)?;
    let [general_first, _] = opening_figures(verdict, "opening", &table)?;
    verdict.figure("longest forced end, Rebels to move", format!("{} plies", table.max_plies()));
    let values = study.values(&id)?;
    lines_figures(study, verdict, &values, opening(values.variant(), Side::General))?;
    losses_figure(verdict, &study.ladder(&id, false)?);
    Ok(general_first)
}
