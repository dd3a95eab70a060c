//! The figures of a match as text: tables, lines about games, and both while the match goes on.

use std::fmt;
use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::message::plural;
use crate::tournament::fault::FaultKind;

use super::elo::{Interval, Strength};
use super::game_report::GameReport;
use super::sprt::Sprt;
use super::standings::{Standings, TimingFigures};
use super::summary::{EncounterSummary, EngineSummary, SideSummary, SprtSummary, Summary};
use super::tally::Tally;

/// Rows of cells under headings, each column as wide as its widest cell. A character counts as one place.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// Whether the column stands at the right: numbers.
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Grid {
    /// A grid with headings, which stand between `|`. Columns stand at the right, those with a `<` before their heading at
    /// the left.
    fn new(headings: &str) -> Grid {
        let right = headings.split('|').map(|heading| !heading.starts_with('<')).collect();
        let texts = headings.split('|').map(|heading| heading.trim_start_matches('<').to_owned());
        Grid { right, rows: vec![texts.collect()] }
    }
}

/// A line a row, without spaces at its end.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths = vec![0; self.right.len()];
        for row in &self.rows {
            widths.iter_mut().zip(row).for_each(|(width, cell)| *width = cell.chars().count().max(*width));
        }
        for row in &self.rows {
            let cells = row.iter().zip(&self.right).zip(&widths);
            let cells = cells.map(|((cell, right), width)| match right {
                true => format!("{cell:>width$}"),
                false => format!("{cell:<width$}"),
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// A table of engines, and under it what else is known, except the times that they took ([`Summary::times_grid`]).
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { wins, draws, losses } = self.sides;
        writeln!(
            f,
            "{} {}: the General wins {wins}, the Rebels win {losses}, {draws} drawn",
            self.games,
            plural(self.games, "game")
        )?;
        for grid in [self.engines_grid(), self.sides_grid(), self.encounters_grid(), self.faults_grid()] {
            write!(f, "\n{grid}")?;
        }
        self.sprt.map_or(Ok(()), |sprt| writeln!(f, "\n{sprt}"))
    }
}

impl Summary {
    /// Points and strength, the most important first: what is shown while the match goes on.
    fn engines_grid(&self) -> Grid {
        let mut grid =
            Grid::new("|<engine|games|points|score|Elo (95 %)|superior|wins|draws|losses|draw rate|normalized Elo");
        grid.rows.extend(self.engines.iter().enumerate().map(|(rank, engine)| {
            let EngineSummary { name, tally, score, draw_rate, strength, .. } = engine;
            vec![
                (rank + 1).to_string(),
                name.clone(),
                tally.games().to_string(),
                tally.points().to_string(),
                percent(*score),
                strength.map_or_else(unknown, |strength| elo(&strength)),
                percent(strength.map(|strength| strength.superiority)),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                percent(*draw_rate),
                strength.and_then(|strength| strength.normalized_elo).map_or_else(unknown, |elo| interval(&elo)),
            ]
        }));
        grid
    }

    fn sides_grid(&self) -> Grid {
        let mut grid = Grid::new(
            "<engine|<side|games|score|wins|draws|losses|plies of wins|of losses|Rebels left|better, same, worse than table|\
             wins longer by",
        );
        for engine in &self.engines {
            for (name, side) in [("general", &engine.general), ("rebels", &engine.rebels)] {
                grid.rows.push(side_row(&engine.name, name, side));
            }
        }
        grid
    }

    fn encounters_grid(&self) -> Grid {
        let mut grid =
            Grid::new("<first|<second|wins|draws|losses|pairs with 0, ½, 1, 1½, 2 points|Elo (95 %)|superior");
        grid.rows.extend(self.encounters.iter().map(|encounter| {
            let EncounterSummary { first, second, tally, pairs, strength } = encounter;
            vec![
                first.clone(),
                second.clone(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                pairs.0.map(|count| count.to_string()).join(", "),
                strength.map_or_else(unknown, |strength| elo(&strength)),
                percent(strength.map(|strength| strength.superiority)),
            ]
        }));
        grid
    }

    fn faults_grid(&self) -> Grid {
        let mut grid = Grid::new("<engine|lost on time|crashes|<all faults");
        grid.rows.extend(self.engines.iter().map(|engine| {
            let count = |belongs: fn(FaultKind) -> bool| -> u64 {
                engine.faults.iter().filter(|(fault, _)| belongs(**fault)).map(|(_, count)| count).sum()
            };
            let all: Vec<String> = engine.faults.iter().map(|(fault, count)| format!("{count} {fault}")).collect();
            vec![
                engine.name.clone(),
                count(|fault| fault == FaultKind::Time).to_string(),
                count(FaultKind::is_crash).to_string(),
                if all.is_empty() { "none".to_owned() } else { all.join(", ") },
            ]
        }));
        grid
    }

    /// How long engines took: apart from all other figures, since no match repeats these.
    pub(crate) fn times_grid(&self) -> Grid {
        let mut grid = Grid::new("<engine|ms a move: median|p99|longest|ms of latency: median|p99|longest");
        grid.rows.extend(self.engines.iter().map(|engine| {
            let times = [timing_cells(engine.thinking), timing_cells(engine.latency)];
            [engine.name.clone()].into_iter().chain(times.into_iter().flatten()).collect()
        }));
        grid
    }
}

impl fmt::Display for SprtSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtSummary { parameters: test, log_likelihood_ratio, lower, upper, verdict } = self;
        write!(
            f,
            "SPRT, {} Elo {} against {}, alpha {}, beta {}: log-likelihood ratio {log_likelihood_ratio:.2} ({lower:.2} to {upper:.2}), {verdict}",
            test.model, test.elo0, test.elo1, test.alpha, test.beta
        )
    }
}

/// Shows a match as it goes on: a table on standard error that is drawn anew after every game, when that is a terminal;
/// otherwise a line a game, to the writer that is handed over.
#[derive(Debug)]
pub(crate) struct Display {
    /// Of the whole match, whose numbers the games have.
    games: u64,
    sprt: Option<Sprt>,
    /// The table on the terminal.
    bar: Option<ProgressBar>,
}

impl Display {
    /// A display of a match of so many games, of which so many are played here. `live` chooses the table; whether standard error is a terminal is the
    /// caller's to know.
    pub(crate) fn new(games: u64, played: u64, sprt: Option<Sprt>, live: bool) -> Display {
        let bar = live.then(|| {
            let bar = ProgressBar::with_draw_target(Some(played), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:40} game {pos} of {len} [{elapsed}, {eta} left]\n{msg}");
            style.into_iter().for_each(|style| bar.set_style(style));
            bar
        });
        Display { games, sprt, bar }
    }

    /// Shows the state after a game, which the standings contain already.
    ///
    /// # Errors
    /// When a line can't be written.
    pub(crate) fn game(&self, game: &GameReport, standings: &Standings, output: &mut impl Write) -> io::Result<()> {
        let Some(bar) = &self.bar else {
            writeln!(output, "{}", self.line(game, standings))?;
            return output.flush();
        };
        let summary = Summary::new(standings, self.sprt.as_ref());
        let test = summary.sprt.map_or_else(String::new, |sprt| sprt.to_string());
        bar.set_message(format!("{}{test}", summary.engines_grid()));
        bar.set_position(summary.games);
        Ok(())
    }

    /// The line about a finished game: who played whom, the result, and the points of both since the match began.
    fn line(&self, game: &GameReport, standings: &Standings) -> String {
        let points = |name: &str| {
            let engine = standings.engines.iter().find(|engine| engine.name == name);
            engine.map_or(0.0, |engine| engine.tally().points())
        };
        let (general, rebels) = (&game.general.engine, &game.rebels.engine);
        format!(
            "game {} of {}: {general} (general) - {rebels} (rebels): {}, {} {}, {} {} left; points: {general} {}, {rebels} {}",
            game.number,
            self.games,
            game.result(),
            game.plies,
            plural(game.plies.into(), "ply"),
            game.rebels_left,
            plural(game.rebels_left.into(), "Rebel"),
            points(general),
            points(rebels),
        )
    }

    /// Takes the table off the terminal.
    pub(crate) fn end(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

fn side_row(engine: &str, name: &str, side: &SideSummary) -> Vec<String> {
    let Tally { wins, draws, losses } = side.tally;
    let table = side.against_table;
    let compared = table.better + table.same + table.worse > 0;
    let mean = |value: Option<f64>| value.map_or_else(unknown, |value| format!("{value:.1}"));
    vec![
        engine.to_owned(),
        name.to_owned(),
        side.tally.games().to_string(),
        percent(side.score),
        wins.to_string(),
        draws.to_string(),
        losses.to_string(),
        mean(side.plies_of_wins),
        mean(side.plies_of_losses),
        mean(side.rebels_left),
        if compared { format!("{}, {}, {}", table.better, table.same, table.worse) } else { unknown() },
        mean(side.plies_beyond_table),
    ]
}

/// What stands for a figure that is not known.
fn unknown() -> String {
    "-".to_owned()
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(unknown, |share| format!("{:.1} %", 100.0 * share))
}

fn timing_cells(figures: Option<TimingFigures>) -> [String; 3] {
    let cells = figures.map(|figures| [figures.median_ms, figures.p99_ms, figures.longest_ms]);
    cells.map_or_else(|| [unknown(), unknown(), unknown()], |cells| cells.map(|ms| format!("{ms:.2}")))
}

fn elo(strength: &Strength) -> String {
    strength.elo_interval.map_or_else(|| number(strength.elo), |elo| interval(&elo))
}

/// `+12.3 ± 4.5`; without an end on one side `+612.3 (+400.1 to inf)`.
fn interval(interval: &Interval) -> String {
    let Interval { estimate, low, high } = *interval;
    match interval.error() {
        Some(error) => format!("{} ± {error:.1}", number(estimate)),
        None => format!("{} ({} to {})", number(estimate), number(low), number(high)),
    }
}

/// A difference with its sign, no negative zero.
fn number(difference: f64) -> String {
    if difference.is_infinite() {
        return if difference > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    let tenths = (difference * 10.0).round() / 10.0 + 0.0;
    if tenths == 0.0 { "0.0".to_owned() } else { format!("{tenths:+.1}") }
}
