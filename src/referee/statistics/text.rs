//! The figures of a match as text: tables at the end, and a line or a table after each game.

use std::fmt;
use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::fault::FaultKind;
use privy_base::message::counted;

use super::game_report::GameReport;
use super::sprt::Sprt;
use super::standings::{
    Adjudged, AgainstTable, EncounterSummary, EngineSummary, SideSummary, SprtSummary, Standings, Summary,
    TimingFigures,
};
use super::strength::{Interval, Strength, Tally};

/// A table in text, each column as wide as its widest cell in characters.
#[derive(Debug, Clone)]
pub struct TextTable {
    right_aligned: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A grid with headings separated by `|`. Columns are right-aligned; `<` before a heading makes its column left-aligned.
    fn new(headings: &str, rows: impl IntoIterator<Item = Vec<String>>) -> TextTable {
        let headings: Vec<&str> = headings.split('|').collect();
        let right_aligned = headings.iter().map(|heading| !heading.starts_with('<')).collect();
        let first = headings.iter().map(|heading| heading.trim_start_matches('<').to_owned()).collect();
        TextTable { right_aligned, rows: [first].into_iter().chain(rows).collect() }
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut widths = vec![0; self.right_aligned.len()];
        for row in &self.rows {
            widths.iter_mut().zip(row).for_each(|(width, cell)| *width = cell.chars().count().max(*width));
        }
        for row in &self.rows {
            let cells = row.iter().zip(&self.right_aligned).zip(&widths);
            let cells = cells.map(|((cell, right), width)| match right {
                true => format!("{cell:>width$}"),
                false => format!("{cell:<width$}"),
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// All figures but the times of engines ([`Summary::times_grid`]).
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { wins, draws, losses } = self.sides;
        writeln!(
            f,
            "{}: the General wins {wins}, the Rebels win {losses}, {draws} drawn",
            counted(self.games, "game")
        )?;
        let Adjudged { games, against_table } = self.adjudged;
        if games > 0 {
            writeln!(
                f,
                "{} adjudicated in positions of the table, {against_table} against it",
                counted(games, "game")
            )?;
        }
        for grid in [self.engines_grid(), self.sides_grid(), self.encounters_grid(), self.faults_grid()] {
            write!(f, "\n{grid}")?;
        }
        self.sprt.map_or(Ok(()), |sprt| writeln!(f, "\n{sprt}"))
    }
}

impl Summary {
    fn engines_grid(&self) -> TextTable {
        const HEADINGS: &str =
            "|<engine|games|points|score|Elo (95 %)|superior|wins|draws|losses|draw rate|normalized Elo";
        let row = |(rank, engine): (u32, &EngineSummary)| {
            let (tally, strength) = (engine.tally, engine.strength);
            let [wins, draws, losses] = counts(tally);
            vec![
                rank.to_string(),
                engine.name.clone(),
                tally.games().to_string(),
                tally.points().to_string(),
                percent(engine.score),
                strength.map_or_else(unknown, elo),
                percent(strength.map(|strength| strength.superiority)),
                wins,
                draws,
                losses,
                percent(engine.draw_rate),
                strength.and_then(|strength| strength.normalized_elo).map_or_else(unknown, interval),
            ]
        };
        TextTable::new(HEADINGS, (1..).zip(&self.engines).map(row))
    }

    fn sides_grid(&self) -> TextTable {
        const HEADINGS: &str = "<engine|<side|games|score|wins|draws|losses|plies of wins|of losses|Rebels left|\
                                better, same, worse than table|wins longer by";
        let mean = |value: Option<f64>| value.map_or_else(unknown, |value| format!("{value:.1}"));
        let row = |(engine, name, side): (&EngineSummary, &str, &SideSummary)| {
            let [wins, draws, losses] = counts(side.tally);
            let AgainstTable { better, same, worse } = side.against_table;
            vec![
                engine.name.clone(),
                name.to_owned(),
                side.tally.games().to_string(),
                percent(side.score),
                wins,
                draws,
                losses,
                mean(side.plies_of_wins),
                mean(side.plies_of_losses),
                mean(side.rebels_left),
                if better + same + worse > 0 { format!("{better}, {same}, {worse}") } else { unknown() },
                mean(side.plies_beyond_table),
            ]
        };
        let sides = self
            .engines
            .iter()
            .flat_map(|engine| [(engine, "general", &engine.general), (engine, "rebels", &engine.rebels)]);
        TextTable::new(HEADINGS, sides.map(row))
    }

    fn encounters_grid(&self) -> TextTable {
        const HEADINGS: &str = "<first|<second|wins|draws|losses|pairs with 0, ½, 1, 1½, 2 points|Elo (95 %)|superior";
        let row = |encounter: &EncounterSummary| {
            let [wins, draws, losses] = counts(encounter.tally);
            vec![
                encounter.first.clone(),
                encounter.second.clone(),
                wins,
                draws,
                losses,
                encounter.pairs.0.map(|count| count.to_string()).join(", "),
                encounter.strength.map_or_else(unknown, elo),
                percent(encounter.strength.map(|strength| strength.superiority)),
            ]
        };
        TextTable::new(HEADINGS, self.encounters.iter().map(row))
    }

    fn faults_grid(&self) -> TextTable {
        let row = |engine: &EngineSummary| {
            let count = |includes: fn(FaultKind) -> bool| {
                let counts = engine.faults.iter().filter(|(fault, _)| includes(**fault)).map(|(_, count)| count);
                counts.sum::<u64>().to_string()
            };
            let all: Vec<String> = engine.faults.iter().map(|(fault, count)| format!("{count} {fault}")).collect();
            let all = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
            vec![engine.name.clone(), count(|fault| fault == FaultKind::Time), count(FaultKind::is_crash), all]
        };
        TextTable::new("<engine|lost on time|crashes|<all faults", self.engines.iter().map(row))
    }

    /// The times of engines: apart from the other figures, since no match repeats them.
    pub fn times_grid(&self) -> TextTable {
        let cells = |figures: Option<TimingFigures>| match figures {
            Some(TimingFigures { median_ms, p99_ms, longest_ms, .. }) => {
                [median_ms, p99_ms, longest_ms].map(|ms| format!("{ms:.2}"))
            }
            None => [(); 3].map(|()| unknown()),
        };
        let row = |engine: &EngineSummary| {
            let times = [cells(engine.thinking), cells(engine.latency)].concat();
            [vec![engine.name.clone()], times].concat()
        };
        TextTable::new(
            "<engine|ms a move: median|p99|longest|ms of latency: median|p99|longest",
            self.engines.iter().map(row),
        )
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

/// Shows the progress of a match: on a terminal a table on standard error, redrawn after each game; otherwise a line a game.
#[derive(Debug)]
pub struct Display {
    /// The games of the whole match, of which this may be a part.
    games: u64,
    sprt: Option<Sprt>,
    bar: Option<ProgressBar>,
}

impl Display {
    /// A display of a match of `games` games with `played` of them in this part. `live`: standard error is a terminal.
    pub fn new(games: u64, played: u64, sprt: Option<Sprt>, live: bool) -> Display {
        let bar = live.then(|| {
            let bar = ProgressBar::with_draw_target(Some(played), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:40} game {pos} of {len} [{elapsed}, {eta} left]\n{msg}");
            style.into_iter().for_each(|style| bar.set_style(style));
            bar
        });
        Display { games, sprt, bar }
    }

    /// Shows the state after a game, which the standings already contain.
    pub fn game(&self, game: &GameReport, standings: &Standings, output: &mut impl Write) -> io::Result<()> {
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

    /// The line about a game: the engines, the result, and the points of both so far.
    fn line(&self, game: &GameReport, standings: &Standings) -> String {
        let points = |name: &str| {
            let engine = standings.engines.iter().find(|engine| engine.name == name);
            engine.map_or(0.0, |engine| engine.tally().points())
        };
        let (general, rebels) = (&game.general.engine, &game.rebels.engine);
        format!(
            "game {} of {}: {general} (general) - {rebels} (rebels): {}, {}, {} left; points: {general} {}, {rebels} {}",
            game.number,
            self.games,
            game.result(),
            counted(game.plies, "ply"),
            counted(game.rebels_left, "Rebel"),
            points(general),
            points(rebels),
        )
    }

    /// Removes the progress bar.
    pub fn end(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

fn counts(tally: Tally) -> [String; 3] {
    [tally.wins, tally.draws, tally.losses].map(|count| count.to_string())
}

fn unknown() -> String {
    "-".to_owned()
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(unknown, |share| format!("{:.1} %", 100.0 * share))
}

fn elo(strength: Strength) -> String {
    strength.elo_interval.map_or_else(|| number(strength.elo), interval)
}

/// `+12.3 ± 4.5`, or with an infinite end `+612.3 (+400.1 to inf)`.
fn interval(interval: Interval) -> String {
    let Interval { estimate, low, high } = interval;
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
