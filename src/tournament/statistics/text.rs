//! The figures of a match as text.

use std::fmt;

use super::super::fault::FaultKind;
use super::elo::{Interval, Strength};
use super::game_report::GameReport;
use super::grid::{Align, Grid};
use super::summary::{EncounterSummary, EngineSummary, SideSummary, SprtSummary, Summary};
use super::tally::{Pairs, Tally};
use super::timings::TimingFigures;

/// What stands for a figure that is not known.
const UNKNOWN: &str = "-";

/// A table of engines, and under it what else is known, except the times that they took ([`Summary::times_grid`]).
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sides = &self.sides;
        writeln!(
            f,
            "{} games: the General wins {}, the Rebels win {}, {} drawn",
            self.games, sides.wins, sides.losses, sides.draws
        )?;
        write!(f, "\n{}", self.engines_grid())?;
        write!(f, "\n{}", self.sides_grid())?;
        write!(f, "\n{}", self.encounters_grid())?;
        write!(f, "\n{}", self.faults_grid())?;
        match &self.sprt {
            Some(sprt) => writeln!(f, "\n{sprt}"),
            None => Ok(()),
        }
    }
}

impl Summary {
    /// Points and strength, the most important first: what is shown while the match goes on.
    #[must_use]
    pub fn engines_grid(&self) -> Grid {
        let mut grid = Grid::new([
            ("", Align::Right),
            ("engine", Align::Left),
            ("games", Align::Right),
            ("points", Align::Right),
            ("score", Align::Right),
            ("Elo (95 %)", Align::Right),
            ("superior", Align::Right),
            ("wins", Align::Right),
            ("draws", Align::Right),
            ("losses", Align::Right),
            ("draw rate", Align::Right),
            ("normalized Elo", Align::Right),
        ]);
        for (rank, engine) in self.engines.iter().enumerate() {
            let EngineSummary { name, tally, score, draw_rate, strength, .. } = engine;
            grid.row([
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
            ]);
        }
        grid
    }

    fn sides_grid(&self) -> Grid {
        let mut grid = Grid::new([
            ("engine", Align::Left),
            ("side", Align::Left),
            ("games", Align::Right),
            ("score", Align::Right),
            ("wins", Align::Right),
            ("draws", Align::Right),
            ("losses", Align::Right),
            ("plies of wins", Align::Right),
            ("of losses", Align::Right),
            ("Rebels left", Align::Right),
            ("better, same, worse than table", Align::Right),
            ("wins longer by", Align::Right),
        ]);
        for engine in &self.engines {
            for (name, side) in [("general", &engine.general), ("rebels", &engine.rebels)] {
                grid.row(side_row(&engine.name, name, side));
            }
        }
        grid
    }

    fn encounters_grid(&self) -> Grid {
        let mut grid = Grid::new([
            ("first", Align::Left),
            ("second", Align::Left),
            ("wins", Align::Right),
            ("draws", Align::Right),
            ("losses", Align::Right),
            ("pairs with 0, ½, 1, 1½, 2 points", Align::Right),
            ("Elo (95 %)", Align::Right),
            ("superior", Align::Right),
        ]);
        for EncounterSummary { first, second, tally, pairs, strength } in &self.encounters {
            grid.row([
                first.clone(),
                second.clone(),
                tally.wins.to_string(),
                tally.draws.to_string(),
                tally.losses.to_string(),
                counts(pairs),
                strength.map_or_else(unknown, |strength| elo(&strength)),
                percent(strength.map(|strength| strength.superiority)),
            ]);
        }
        grid
    }

    fn faults_grid(&self) -> Grid {
        let mut grid = Grid::new([
            ("engine", Align::Left),
            ("lost on time", Align::Right),
            ("crashes", Align::Right),
            ("all faults", Align::Left),
        ]);
        for engine in &self.engines {
            let count = |belongs: fn(FaultKind) -> bool| -> u64 {
                engine.faults.iter().filter(|(fault, _)| belongs(**fault)).map(|(_, count)| count).sum()
            };
            let all: Vec<String> = engine.faults.iter().map(|(fault, count)| format!("{count} {fault}")).collect();
            grid.row([
                engine.name.clone(),
                count(|fault| fault == FaultKind::Time).to_string(),
                count(FaultKind::is_crash).to_string(),
                if all.is_empty() { "none".to_owned() } else { all.join(", ") },
            ]);
        }
        grid
    }

    /// How long engines took: apart from all other figures, since no match repeats these.
    #[must_use]
    pub fn times_grid(&self) -> Grid {
        let mut grid = Grid::new([
            ("engine", Align::Left),
            ("ms a move: median", Align::Right),
            ("p99", Align::Right),
            ("longest", Align::Right),
            ("ms of latency: median", Align::Right),
            ("p99", Align::Right),
            ("longest", Align::Right),
        ]);
        for engine in &self.engines {
            let [move_median, move_p99, move_longest] = timing_cells(engine.thinking);
            let [median, p99, longest] = timing_cells(engine.latency);
            grid.row([engine.name.clone(), move_median, move_p99, move_longest, median, p99, longest]);
        }
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

impl GameReport {
    /// The line about a finished game: who played whom, the result, and the points of both since the match began.
    #[must_use]
    pub fn line(&self, games: u64, points: impl Fn(&str) -> f64) -> String {
        let (general, rebels) = (&self.general.engine, &self.rebels.engine);
        format!(
            "game {} of {games}: {general} (general) - {rebels} (rebels): {}, {} plies, {} Rebels left; points: {general} {}, {rebels} {}",
            self.number,
            self.result(),
            self.plies,
            self.rebels_left,
            points(general),
            points(rebels),
        )
    }
}

fn side_row(engine: &str, name: &str, side: &SideSummary) -> [String; 12] {
    let Tally { wins, draws, losses } = side.tally;
    let table = side.against_table;
    let compared = table.better + table.same + table.worse > 0;
    let mean = |value: Option<f64>| value.map_or_else(unknown, |value| format!("{value:.1}"));
    [
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

fn unknown() -> String {
    UNKNOWN.to_owned()
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(unknown, |share| format!("{:.1} %", 100.0 * share))
}

fn counts(pairs: &Pairs) -> String {
    pairs.0.map(|count| count.to_string()).join(", ")
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
