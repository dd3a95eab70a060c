//! Figures that several claims ask for.

use privy::cli::CliError;
use privy::rules::{Position, Side, Variant};
use privy::tablebase::{Decompressed, Table, Value};

use super::games::Results;
use super::lines::PerfectLines;
use super::overview::{VariantFigures, said};
use super::study::{Kept, Study, openings};
use super::verdict::{Grid, Quantity, Verdict, row, share};

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

/// What perfect lines from a position are like.
pub(super) fn lines_figures(
    study: &mut Study<'_>,
    verdict: &mut Verdict,
    values: &Decompressed,
    start: Position,
) -> Result<(), CliError> {
    study.say("following perfect lines")?;
    let lines = PerfectLines::from(values, start);
    if !lines.complete {
        verdict.figure("positions on perfect lines from the opening", "too many to follow");
        return Ok(());
    }
    verdict.figure("positions on perfect lines from the opening", lines.positions);
    let rebels = &lines.rebels;
    verdict.figure("Rebel moves there that give the win away", share(rebels.moves - rebels.keeping, rebels.moves));
    verdict.figure("Rebel moves there that win in the shortest way", share(rebels.perfect, rebels.moves));
    let left: Vec<String> = lines.left.keys().map(u32::to_string).collect();
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
        &[
            "Rebels lost at most",
            "opening, General first",
            "opening, Rebels first",
            "full positions won, General to move",
            "full positions won, Rebels to move",
        ],
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
