//! The figures of a match as text: tables at the end, and a line or a table after each game.

use std::fmt;
use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::fault::FaultKind;
use privy_base::message::counted;

use super::game_report::GameReport;
use super::sprt::Sprt;
use super::standings::{
    Adjudged, AgainstTable, EncounterSummary, EngineSummary, SHORT_PLIES, SideSummary, SprtSummary, Standings, Summary,
    TimingFigures,
};
use super::strength::{Interval, ScoreSample, Strength, Tally};

/// A table in text, each column as wide as its widest cell in characters.
#[derive(Debug, Clone)]
struct TextTable {
    right_aligned: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A grid with headings separated by `|`. Columns are right-aligned; `<` before a heading makes its column
    /// left-aligned.
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
        self.verdict().map_or(Ok(()), |verdict| writeln!(f, "{verdict}"))?;
        if self.short > 0 && 2 * self.short >= self.games {
            writeln!(
                f,
                "{} of {} ended within {SHORT_PLIES} plies of the opening, so that little was played:\n\
                 --openings balanced, or a file, may give more.",
                self.short,
                counted(self.games, "game")
            )?;
        }
        let compared = self.against_table_grid();
        let grids = [Some(self.engines_grid()), Some(self.sides_grid()), compared, Some(self.encounters_grid())];
        for grid in grids.into_iter().flatten().chain([self.faults_grid()]) {
            write!(f, "\n{grid}")?;
        }
        self.sprt.map_or(Ok(()), |sprt| writeln!(f, "\n{sprt}"))
    }
}

impl Summary {
    /// Returns who is stronger and how surely, in a sentence or two: the engine with the highest score, against those
    /// that it has met. None without games.
    pub(super) fn verdict(&self) -> Option<String> {
        /// Fewer pairs (or single games) show nothing, whatever the formulas say.
        const FEWEST: u64 = 5;
        /// The likelihood beyond which the 95 % interval does not reach 0.
        const SURE: f64 = 0.975;
        let first = self.engines.first()?;
        let strength = first.strength?;
        let met: Vec<&str> = self.encounters.iter().filter_map(|encounter| encounter.opponent(&first.name)).collect();
        let (name, others) = match met[..] {
            [other] => (shortened(&first.name), shortened(other)),
            _ => (shortened(&first.name), format!("its {} opponents together", met.len())),
        };
        let few = ScoreSample::new(&first.tally, &first.pairs).size() < FEWEST;
        let likelihood = match strength.superiority {
            sure if sure > 0.999 => "over 99.9 %".to_owned(),
            share => percent(Some(share)),
        };
        let how = match strength.elo_interval {
            Some(_) => format!("{} Elo (95 %), superior with a likelihood of {likelihood}", elo(strength)),
            None if strength.elo.is_infinite() => {
                format!("it won every game, superior with a likelihood of {likelihood}")
            }
            None => format!("{} Elo; every pair of games ended alike, which gives no margin of error", elo(strength)),
        };
        let faults = self.engines.iter().flat_map(|engine| &engine.faults);
        let faults: u64 = faults.filter(|(fault, _)| **fault != FaultKind::Resigns).map(|(_, count)| count).sum();
        let mut text = if few {
            format!("Too few games to tell: {name} scored {} against {others}.", percent(first.score))
        } else if first.tally.wins == first.tally.losses {
            format!("{name} and {others} scored the same; neither is shown to be stronger:\n{how}.")
        } else if strength.superiority >= SURE {
            format!("{name} is stronger than {others}:\n{how}.")
        } else {
            format!("{name} scored more than {others}, but that may be chance:\n{how}.")
        };
        if faults > 0 {
            text += &format!("\nLost by faults, which say nothing of play: {}.", counted(faults, "game"));
        }
        Some(text)
    }

    fn engines_grid(&self) -> TextTable {
        const HEADINGS: &str = "|<engine|points|score|Elo (95 %)|superior|won|drawn|lost";
        let row = |(rank, engine): (u32, &EngineSummary)| {
            let (tally, strength) = (engine.tally, engine.strength);
            let [wins, draws, losses] = counts(tally);
            vec![
                rank.to_string(),
                shortened(&engine.name),
                format!("{}/{}", tally.points(), tally.games()),
                percent(engine.score),
                strength.map_or_else(unknown, elo),
                percent(strength.map(|strength| strength.superiority)),
                wins,
                draws,
                losses,
            ]
        };
        TextTable::new(HEADINGS, (1..).zip(&self.engines).map(row))
    }

    fn sides(&self) -> impl Iterator<Item = (String, String, &SideSummary)> {
        self.engines.iter().flat_map(|engine| {
            let sides = [("general", &engine.general), ("rebels", &engine.rebels)];
            sides.map(|(side, summary)| (shortened(&engine.name), side.to_owned(), summary))
        })
    }

    fn sides_grid(&self) -> TextTable {
        const HEADINGS: &str = "<engine|<side|score|won|drawn|lost|plies: won|lost|Rebels left";
        let row = |(name, side, summary): (String, String, &SideSummary)| {
            let [wins, draws, losses] = counts(summary.tally);
            let means = [summary.plies_of_wins, summary.plies_of_losses, summary.rebels_left].map(mean);
            [vec![name, side, percent(summary.score), wins, draws, losses], means.to_vec()].concat()
        };
        TextTable::new(HEADINGS, self.sides().map(row))
    }

    /// The games beside perfect play, where a table knows an opening.
    fn against_table_grid(&self) -> Option<TextTable> {
        let is_known = |summary: &SideSummary| summary.against_table != AgainstTable::default();
        let row = |(name, side, summary): (String, String, &SideSummary)| {
            let AgainstTable { better, same, worse } = summary.against_table;
            let counts = [better, same, worse].map(|count| count.to_string());
            [vec![name, side], counts.to_vec(), vec![mean(summary.plies_beyond_table)]].concat()
        };
        let is_any = self.sides().any(|(_, _, summary)| is_known(summary));
        let headings = "<beside the table|<side|better|same|worse|wins longer by";
        is_any.then(|| TextTable::new(headings, self.sides().map(row)))
    }

    fn encounters_grid(&self) -> TextTable {
        const HEADINGS: &str = "<first|<second|won|drawn|lost|pairs: 0, ½, 1, 1½, 2|Elo (95 %)";
        let row = |encounter: &EncounterSummary| {
            let [wins, draws, losses] = counts(encounter.tally);
            vec![
                shortened(&encounter.first),
                shortened(&encounter.second),
                wins,
                draws,
                losses,
                encounter.pairs.0.map(|count| count.to_string()).join(", "),
                encounter.strength.map_or_else(unknown, elo),
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
            vec![shortened(&engine.name), count(|fault| fault == FaultKind::Time), count(FaultKind::is_crash), all]
        };
        TextTable::new("<engine|lost on time|crashes|<all faults", self.engines.iter().map(row))
    }

    /// The times of engines: apart from the other figures, since no match repeats them.
    pub fn times_grid(&self) -> impl fmt::Display {
        let cells = |figures: Option<TimingFigures>| match figures {
            Some(TimingFigures { median_ms, p99_ms, longest_ms, .. }) => {
                [median_ms, p99_ms, longest_ms].map(|ms| format!("{ms:.2}"))
            }
            None => [(); 3].map(|()| unknown()),
        };
        let row = |engine: &EngineSummary| {
            let times = [cells(engine.thinking), cells(engine.latency)].concat();
            [vec![shortened(&engine.name)], times].concat()
        };
        const HEADINGS: &str = "<engine|ms a move: median|p99|longest|latency: median|p99|longest";
        TextTable::new(HEADINGS, self.engines.iter().map(row))
    }
}

impl fmt::Display for SprtSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtSummary { parameters: test, log_likelihood_ratio, lower, upper, verdict } = self;
        write!(
            f,
            "SPRT, {} Elo {} against {}, alpha {}, beta {}:\nlog-likelihood ratio {log_likelihood_ratio:.2} \
             ({lower:.2} to {upper:.2}), {verdict}",
            test.model, test.elo0, test.elo1, test.alpha, test.beta
        )
    }
}

/// Shows the progress of a match: on a terminal a table on standard error, redrawn after each game; otherwise one line
/// per game.
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
            "game {} of {}: {general} (general) - {rebels} (rebels): {}, {}, {} left; points: {general} {}, {rebels} \
             {}",
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

/// The mean of a column.
fn mean(value: Option<f64>) -> String {
    value.map_or_else(unknown, |value| format!("{value:.1}"))
}

/// A name as tables show it, so that they fit 100 columns: the beginning and the end of a long one.
fn shortened(name: &str) -> String {
    /// The most letters shown.
    const LONGEST: usize = 20;
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= LONGEST {
        return name.to_owned();
    }
    let (first, last) = letters.split_at(letters.len() - LONGEST / 2);
    first.iter().take(LONGEST - LONGEST / 2 - 1).chain(&['…']).chain(last).collect()
}

/// `+12.3 ± 4.5`, or with an infinite end `+612.3, over +400.1`.
fn interval(interval: Interval) -> String {
    let Interval { estimate, low, high } = interval;
    match interval.error() {
        Some(error) => format!("{} ± {error:.1}", number(estimate)),
        None if low.is_finite() => format!("{}, over {}", number(estimate), number(low)),
        None if high.is_finite() => format!("{}, under {}", number(estimate), number(high)),
        None => format!("{}, any", number(estimate)),
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
