//! Claims 1 and 2: the forms in which a Rebel captures the General.

use privy::rules::Side;
use privy::tablebase::Value;

use super::lines::PerfectLines;
use super::overview::{VariantFigures, plies, said};
use super::study::{Kept, Study, openings};
use super::verdict::{Answer, Quantity, Verdict};
use privy::cli::CliError;

/// The General's moves that are still a few.
const A_FEW: u32 = 5;

pub(super) fn claim_1(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        1,
        "sixteen-rebels-murray",
        "By Murray's rules the General always loses, and in a few moves.",
        "The opening is looked up with either side first; positions are counted by number of Rebels.",
    );
    let value = short_loss(study, &mut verdict)?;
    let figures = VariantFigures::of(study, "sixteen-rebels-murray")?;
    let hopeless = figures.layers.iter().rev().take_while(|layer| {
        layer.general_to_move_rebels_win == layer.general_to_move
            && layer.rebels_to_move_rebels_win == layer.rebels_to_move
    });
    let least = hopeless.last().map_or(0, |layer| layer.rebels);
    verdict
        .figure("every position with at least so many Rebels is lost for the General", Quantity::Count(least.into()));
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    verdict.measure = Some(format!("\"A few\" is at most {A_FEW} moves of the General: our choice."));
    let moves = plies(value).map_or(0, |plies| plies / 2);
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
        _ => verdict.reach(Answer::Refuted, "The opening is not lost.".to_owned()),
    }
    verdict.grids.push(figures.grid());
    Ok(verdict)
}

pub(super) fn claim_2(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        2,
        "sixteen-rebels-neeley",
        "By Neeley's rules too the General's loss is forced, within six moves or so.",
        "The opening is looked up with either side first; positions are counted by number of Rebels.",
    );
    let value = short_loss(study, &mut verdict)?;
    let figures = VariantFigures::of(study, "sixteen-rebels-neeley")?;
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    verdict.measure = Some(
        "\"Six or so\" is 5 to 7, counted in moves of either side (plies) or in moves of the General: our choice."
            .to_owned(),
    );
    let length = plies(value).unwrap_or(0);
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
        _ => verdict.reach(Answer::Refuted, "The loss is not forced.".to_owned()),
    }
    verdict.grids.push(figures.grid());
    Ok(verdict)
}

/// What both claims ask for.
fn short_loss(study: &mut Study<'_>, verdict: &mut Verdict) -> Result<Value, CliError> {
    let id = verdict.variant.clone();
    let values = study.values(&id)?;
    let table = study.table(&id)?;
    let [general_first, rebels_first] = openings(&table)?;
    verdict.figure("opening, General first", Quantity::text(said(general_first, Side::General)));
    verdict.figure("opening, Rebels first", Quantity::text(said(rebels_first, Side::Rebels)));
    verdict.figure("longest forced end, Rebels to move", Quantity::text(format!("{} plies", table.max_plies())));
    let lines = PerfectLines::from(&values, table.variant().opening().with_side(Side::General));
    lines_figures(verdict, &lines);
    let ladder = study.ladder(&id, false)?;
    losses_figure(verdict, &ladder);
    Ok(general_first)
}

/// The fewest losses with which the Rebels win the opening.
pub(super) fn losses_figure(verdict: &mut Verdict, ladder: &[Kept]) {
    let first = ladder.iter().find(|kept| kept.general_first_won());
    let value = first.map_or_else(
        || Quantity::text("they can't force it"),
        |kept| Quantity::text(format!("{} ({})", kept.losses, said(kept.openings[0], Side::General))),
    );
    verdict
        .figure("fewest Rebels lost with which they force the win, General first (and how long it takes then)", value);
}

/// What perfect lines are like.
pub(super) fn lines_figures(verdict: &mut Verdict, lines: &PerfectLines) {
    if !lines.complete {
        verdict.figure("positions on perfect lines from the opening", Quantity::text("too many to follow"));
        return;
    }
    verdict.figure("positions on perfect lines from the opening", Quantity::Count(lines.positions));
    let rebels = &lines.rebels;
    verdict.figure(
        "Rebel moves there that give the win away",
        Quantity::share(rebels.moves - rebels.keeping, rebels.moves),
    );
    verdict.figure("Rebel moves there that win in the shortest way", Quantity::share(rebels.perfect, rebels.moves));
    let left: Vec<String> = lines.left.keys().map(u32::to_string).collect();
    verdict.figure("Rebels left at the end of perfect lines", Quantity::text(left.join(", ")));
}
