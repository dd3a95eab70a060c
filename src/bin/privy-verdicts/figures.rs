//! Figures that several claims ask for.

use privy::cli::CliError;
use privy::rules::{Position, Side, Variant};
use privy::tablebase::{Table, Value};

use super::overview::{VariantFigures, said};
use super::play::{PerfectLines, Results};
use super::study::{Kept, Study, openings};
use super::verdict::{Answer, Grid, Quantity, Verdict, row, share};

/// Both orders of the first moves.
pub(super) const FIRST: [(Side, &str); 2] = [(Side::General, "General first"), (Side::Rebels, "Rebels first")];

/// The opening of a variant with a side to move.
pub(super) fn opening(variant: &Variant, side: Side) -> Position {
    variant.opening().with_side(side)
}

/// The values of the opening, the General first and the Rebels first.
pub(super) fn opening_figures(verdict: &mut Verdict, name: &str, table: &Table) -> Result<[Value; 2], CliError> {
    let values = openings(table)?;
    for ((side, first), value) in FIRST.into_iter().zip(values) {
        verdict.figure(format!("{name}, {first}"), said(value, side));
    }
    Ok(values)
}

/// The share of the positions that the Rebels win: of all, and of those without a loss.
pub(super) fn won_figures(verdict: &mut Verdict, figures: &VariantFigures) {
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    if let Some(layer) = figures.layers.last() {
        verdict.figure(format!("the same with {} Rebels", layer.rebels), layer.share());
    }
}

/// The share of the Rebels' moves in won positions that give the win away.
pub(super) fn throwing_figure(study: &mut Study<'_>, verdict: &mut Verdict) -> Result<Quantity, CliError> {
    let sum = study.census(&verdict.variant)?.sum();
    let throwing = share(sum.throwing, sum.moves);
    verdict.figure("Rebel moves in won positions that give the win away", throwing.clone());
    Ok(throwing)
}

/// What perfect lines from the opening are like.
pub(super) fn lines_figures(study: &mut Study<'_>, verdict: &mut Verdict) -> Result<(), CliError> {
    let values = study.values(&verdict.variant)?;
    study.say("following perfect lines")?;
    let Some(lines) = PerfectLines::from(&values, *values.variant().opening()) else {
        verdict.figure("positions on perfect lines from the opening", "too many to follow");
        return Ok(());
    };
    verdict.figure("positions on perfect lines from the opening", lines.positions);
    verdict.figure("Rebel moves there that give the win away", share(lines.moves - lines.keeping, lines.moves));
    verdict.figure("Rebel moves there that win in the shortest way", share(lines.perfect, lines.moves));
    let left: Vec<String> = lines.left.iter().map(u32::to_string).collect();
    verdict.figure("Rebels left at the end of perfect lines", left.join(", "));
    Ok(())
}

/// The fewest losses with which the Rebels win the opening.
pub(super) fn losses_figure(verdict: &mut Verdict, ladder: &[Kept]) {
    let first = ladder.iter().find(|kept| kept.general_first_won());
    verdict.figure(
        "fewest Rebels lost with which they force the win, General first (and how long it takes then)",
        first.map_or("they can't force it".to_owned(), |kept| {
            format!("{} ({})", kept.losses, said(kept.openings[0], Side::General))
        }),
    );
}

/// Steps of a ladder in a grid.
pub(super) fn ladder_grid(ladder: &[Kept]) -> Grid {
    let mut grid = Grid::new(
        "If the Rebels may lose no more than this",
        "Rebels lost at most | opening, General first | opening, Rebels first | full positions won, General to move | \
         full positions won, Rebels to move",
    );
    grid.rows.extend(ladder.iter().map(|Kept { losses, openings, layer }| {
        row![
            *losses,
            said(openings[0], Side::General),
            said(openings[1], Side::Rebels),
            share(layer.general.lost, layer.general.all()),
            share(layer.rebel.won, layer.rebel.all()),
        ]
    }));
    grid
}

/// How games ended, as cells of a grid.
pub(super) fn result_cells(results: &Results) -> Vec<Quantity> {
    [results.rebels, results.drawn, results.general].map(|part| share(part, results.games())).to_vec()
}

/// The choice of the answer in three cases: all parts of a claim are true, some, none.
pub(super) fn answer(parts: &[bool]) -> Answer {
    match parts.iter().filter(|part| **part).count() {
        0 => Answer::Refuted,
        true_parts if true_parts == parts.len() => Answer::Confirmed,
        _ => Answer::PartlyConfirmed,
    }
}
