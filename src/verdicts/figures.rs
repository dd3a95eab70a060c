//! The figures of a solved variant as a whole, and those that several claims share.

use serde::{Deserialize, Serialize};

use privy_program::CliError;
use privy_rules::Side;
use privy_tables::{Layer, Table, TableValue};

use super::census::{Census, DistanceCount};
use super::play::{GameCounts, PerfectLines};
use super::study::{LossLimit, Study, built_in, openings};
use super::verdict::{ClaimAnswer, ClaimVerdict, FigureGrid, FigureValue, row, share};

/// The variants with 25 field points, in the order of the rules.
pub(super) const SOLVED: [&str; 9] = [
    "sixteen-rebels",
    "sixteen-rebels-murray",
    "sixteen-rebels-neeley",
    "shap-luk-kon",
    "shap-luk-kon-2",
    "juroku-musashi",
    "juroku-musashi-hasami",
    "monk-and-water",
    "kings-gonu",
];

/// No claim concerns this variant, and it has more positions than all others together: the counts in its table file
/// suffice.
const NOT_COUNTED: &str = "kings-gonu";

/// The positions with one number of Rebels, and those that the Rebels win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LayerFigures {
    pub(super) rebels: u32,
    pub(super) general_to_move: u64,
    pub(super) general_to_move_rebels_win: u64,
    pub(super) general_to_move_drawn: u64,
    pub(super) rebels_to_move: u64,
    pub(super) rebels_to_move_rebels_win: u64,
    pub(super) rebels_to_move_drawn: u64,
}

impl From<&Layer> for LayerFigures {
    fn from(layer: &Layer) -> LayerFigures {
        LayerFigures {
            rebels: layer.rebels,
            general_to_move: layer.general.all(),
            general_to_move_rebels_win: layer.general.lost,
            general_to_move_drawn: layer.general.drawn,
            rebels_to_move: layer.rebel.all(),
            rebels_to_move_rebels_win: layer.rebel.won,
            rebels_to_move_drawn: layer.rebel.drawn,
        }
    }
}

impl LayerFigures {
    pub(super) fn all(&self) -> u64 {
        self.general_to_move + self.rebels_to_move
    }

    pub(super) fn rebels_win(&self) -> u64 {
        self.general_to_move_rebels_win + self.rebels_to_move_rebels_win
    }

    /// A row of a grid.
    pub(super) fn cells(&self) -> Vec<FigureValue> {
        row![
            self.rebels,
            self.general_to_move,
            share(self.general_to_move_rebels_win, self.general_to_move),
            share(self.general_to_move_drawn, self.general_to_move),
            self.rebels_to_move,
            share(self.rebels_to_move_rebels_win, self.rebels_to_move),
            share(self.rebels_to_move_drawn, self.rebels_to_move),
        ]
    }

    /// The share that the Rebels win, either side to move.
    pub(super) fn share(&self) -> FigureValue {
        share(self.rebels_win(), self.all())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct VariantFigures {
    pub(super) id: String,
    pub(super) opening_rebels: u32,
    /// Under best play, in words.
    pub(super) general_first: String,
    pub(super) rebels_first: String,
    pub(super) longest: u32,
    pub(super) layers: Vec<LayerFigures>,
    /// Positions with the Rebels to move by plies to the end, drawn ones left out.
    pub(super) distances: Vec<DistanceCount>,
    pub(super) census: Option<Census>,
}

impl VariantFigures {
    pub(super) fn of(study: &mut Study<'_>, id: &str) -> Result<VariantFigures, CliError> {
        let table = study.table(id)?;
        let [general_first, rebels_first] = openings(&table)?;
        let census = if id == NOT_COUNTED { None } else { Some((*study.census(id)?).clone()) };
        Ok(VariantFigures {
            id: id.to_owned(),
            opening_rebels: built_in(id)?.opening().rebels().len(),
            general_first: value_text(general_first, Side::General),
            rebels_first: value_text(rebels_first, Side::Rebels),
            longest: table.max_plies(),
            layers: table.layers().iter().map(LayerFigures::from).collect(),
            distances: census.as_ref().map_or_else(Vec::new, |census| census.distances.clone()),
            census: census.map(|census| Census { distances: Vec::new(), ..census }),
        })
    }

    /// The smallest layer in which there is a position that the Rebels can win.
    pub(super) fn fewest(&self) -> Option<&LayerFigures> {
        self.layers.iter().find(|layer| layer.rebels_win() > 0)
    }

    /// The share of all positions that the Rebels win.
    pub(super) fn share(&self) -> FigureValue {
        let sum = |count: fn(&LayerFigures) -> u64| self.layers.iter().map(count).sum();
        share(sum(LayerFigures::rebels_win), sum(LayerFigures::all))
    }

    /// The layers as a grid, most Rebels first.
    pub(super) fn grid(&self) -> FigureGrid {
        let mut grid = FigureGrid::new(
            &format!("{}, positions by number of Rebels", self.id),
            "Rebels | General to move | Rebels win | drawn | Rebels to move | Rebels win | drawn | \
             their moves that give the win away | only one move keeps it",
        );
        for layer in self.layers.iter().rev() {
            let census = self.census.as_ref().and_then(|census| census.layer(layer.rebels));
            let counted = census.map_or_else(
                || row!["-", "-"],
                |census| row![share(census.throwing, census.moves), share(census.single, census.won)],
            );
            grid.rows.push([layer.cells(), counted].concat());
        }
        grid
    }
}

/// All variants in a grid.
pub(super) fn overview(variants: &[VariantFigures]) -> Vec<FigureGrid> {
    let mut whole = FigureGrid::new(
        "Under best play",
        "variant | General first | Rebels first | longest forced end, Rebels to move | positions that the Rebels win | \
         fewest Rebels that can win | share of the positions of that layer",
    );
    let mut counted = FigureGrid::new(
        "Moves that change the result",
        "variant | Rebel moves that give a won position away | won positions with one winning move | \
         General can enter the privy | entering is its only move that does not lose | \
         entering loses, another move does not",
    );
    for variant in variants {
        let fewest = variant.fewest();
        let (rebels, layer_share) = fewest
            .map_or(("-".into(), "-".to_owned()), |layer| (FigureValue::from(layer.rebels), layer.share().to_string()));
        whole.rows.push(row![
            variant.id.as_str(),
            variant.general_first.as_str(),
            variant.rebels_first.as_str(),
            format!("{} plies", variant.longest),
            variant.share(),
            rebels,
            layer_share,
        ]);
        if let Some(census) = &variant.census {
            let sum = census.sum();
            let entering = PrivyEntries::of(&sum.entering);
            counted.rows.push(row![
                variant.id.as_str(),
                share(sum.throwing, sum.moves),
                share(sum.single, sum.won),
                entering.all,
                share(entering.only, entering.all).to_string(),
                share(entering.ruins, entering.all).to_string(),
            ]);
        }
    }
    vec![whole, counted]
}

/// Positions in which the General can step from the field into the privy, summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PrivyEntries {
    pub(super) all: u64,
    /// The General loses after every entry.
    pub(super) lost: u64,
    /// It loses if it does not enter, or can't but enter.
    pub(super) lost_outside: u64,
    /// It loses either way.
    pub(super) lost_both: u64,
    /// It does not lose if it enters, and loses with every other move.
    pub(super) only: u64,
    /// It loses if it enters, and not with another move.
    pub(super) ruins: u64,
    /// It wins if it enters, and not with another move.
    pub(super) only_winning: u64,
}

impl PrivyEntries {
    pub(super) fn of(counts: &[[u64; 3]; 4]) -> PrivyEntries {
        let [forced, lost, drawn, won] = counts;
        let sum = |row: &[u64; 3]| row.iter().sum::<u64>();
        PrivyEntries {
            all: counts.iter().map(sum).sum(),
            lost: counts.iter().map(|row| row[0]).sum(),
            lost_outside: sum(lost) + sum(forced),
            lost_both: lost[0] + forced[0],
            only: lost[1] + lost[2] + forced[1] + forced[2],
            ruins: drawn[0] + won[0],
            only_winning: forced[2] + lost[2] + drawn[2],
        }
    }
}

/// A value in words.
pub(super) fn value_text(value: TableValue, side: Side) -> String {
    let Some(plies) = value.plies() else { return "draw".to_owned() };
    let winner = if value.class() > 0 { side } else { !side };
    let who = if winner == Side::General { "General wins" } else { "Rebels win" };
    format!("{who} in {plies} {}", if plies == 1 { "ply" } else { "plies" })
}

/// Plies to the end; 0 for a draw.
pub(super) fn plies(value: TableValue) -> u32 {
    value.plies().unwrap_or(0)
}

/// Both orders of the first moves.
pub(super) const FIRST: [(Side, &str); 2] = [(Side::General, "General first"), (Side::Rebels, "Rebels first")];

/// The values of the opening, the General first and the Rebels first.
pub(super) fn opening_figures(
    verdict: &mut ClaimVerdict,
    name: &str,
    table: &Table,
) -> Result<[TableValue; 2], CliError> {
    let values = openings(table)?;
    for ((side, first), value) in FIRST.into_iter().zip(values) {
        verdict.figure(format!("{name}, {first}"), value_text(value, side));
    }
    Ok(values)
}

/// The share of the positions that the Rebels win: of all, and of those without a loss.
pub(super) fn won_figures(verdict: &mut ClaimVerdict, figures: &VariantFigures) {
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    if let Some(layer) = figures.layers.last() {
        verdict.figure(format!("the same with {} Rebels", layer.rebels), layer.share());
    }
}

/// The share of the Rebels' moves in won positions that give the win away.
pub(super) fn throwing_figure(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<FigureValue, CliError> {
    let sum = study.census(&verdict.variant)?.sum();
    let throwing = share(sum.throwing, sum.moves);
    verdict.figure("Rebel moves in won positions that give the win away", throwing.clone());
    Ok(throwing)
}

pub(super) fn lines_figures(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let values = study.table(&verdict.variant)?;
    study.say("following perfect lines")?;
    let Some(lines) = PerfectLines::from(&values, *values.variant().opening(), study.stop) else {
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
pub(super) fn losses_figure(verdict: &mut ClaimVerdict, ladder: &[LossLimit]) {
    let first = ladder.iter().find(|kept| kept.general_first_won());
    verdict.figure(
        "fewest Rebels lost with which they force the win, General first (and how long it takes then)",
        first.map_or("they can't force it".to_owned(), |kept| {
            format!("{} ({})", kept.losses, value_text(kept.openings[0], Side::General))
        }),
    );
}

pub(super) fn ladder_grid(ladder: &[LossLimit]) -> FigureGrid {
    let mut grid = FigureGrid::new(
        "If the Rebels may lose no more than this",
        "Rebels lost at most | opening, General first | opening, Rebels first | full positions won, General to move | \
         full positions won, Rebels to move",
    );
    grid.rows.extend(ladder.iter().map(|LossLimit { losses, openings, layer }| {
        row![
            *losses,
            value_text(openings[0], Side::General),
            value_text(openings[1], Side::Rebels),
            share(layer.general.lost, layer.general.all()),
            share(layer.rebel.won, layer.rebel.all()),
        ]
    }));
    grid
}

/// Shares of games by result.
pub(super) fn result_cells(results: &GameCounts) -> Vec<FigureValue> {
    [results.rebels, results.drawn, results.general].map(|part| share(part, results.games())).to_vec()
}

/// A claim that holds, fully or in part.
pub(super) fn graded(holds: bool, fully: bool) -> ClaimAnswer {
    match (holds, fully) {
        (true, true) => ClaimAnswer::Confirmed,
        (true, false) => ClaimAnswer::PartlyConfirmed,
        (false, _) => ClaimAnswer::Refuted,
    }
}

/// Confirmed if all parts of a claim are true, refuted if all are false.
pub(super) fn answer(parts: &[bool]) -> ClaimAnswer {
    graded(parts.contains(&true), !parts.contains(&false))
}
