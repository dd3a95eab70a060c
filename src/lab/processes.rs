//! Engines as processes, timed: how late searches are, and a clock that must not run out. Figures depend on the
//! machine, which should be idle.

use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use privy_program::{CliError, within};
use privy_protocol::Client;
use privy_rules::Variant;
use serde_json::json;

use super::play::check_stop;
use super::{Lab, meets_the_bar};

// The engine under measurement.
#[derive(Args)]
struct EngineArguments {
    /// The program that is measured; privy in the folder of this program without it
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// How many searches or games, instead of one or two in each built-in game
    #[arg(long, value_name = "N", value_parser = within(1_usize..=1_000_000))]
    times: Option<usize>,
}

/// Lateness of first searches: time beyond the limit from sending `go time` to the end of its answer, and time from
/// `stop` to it
///
/// Tables of the search of 1 to 4,096 MiB, one thread and two, limits of 10 to 1,000 ms; once in each game. A second
/// line has what is left of these times without the longest halt of a thread that only wakes each millisecond
/// meanwhile: that is the machine's.
#[derive(Args)]
pub(super) struct LatenessArguments {
    #[command(flatten)]
    engine: EngineArguments,
}

/// Clocks of games of an engine against itself, which no flag may fall in
///
/// Timed as gogui-twogtp does it: the sides have this time for the game. Every built-in game of the family is played
/// twice.
#[derive(Args)]
pub(super) struct ClockArguments {
    #[command(flatten)]
    engine: EngineArguments,
    /// Seconds of a side for a game
    #[arg(long, value_name = "S", default_value_t = 5, value_parser = within(1_u64..=3_600))]
    seconds: u64,
}

/// Limit for an answer, after which the engine counts as hung. It measures nothing.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine as a process.
struct EngineProcess(Client);

fn failed(error: impl fmt::Display) -> CliError {
    CliError::Failed(error.to_string())
}

impl EngineProcess {
    /// The text of a successful answer.
    fn ask(&mut self, command: &str) -> Result<String, CliError> {
        let reply = self.0.request(command, PATIENCE).map_err(failed)?;
        if reply.is_success() {
            Ok(reply.text().to_owned())
        } else {
            Err(failed(format!("{command}: {}", reply.text())))
        }
    }

    /// The time from `stop` to the end of the answer of a search.
    fn time_to_stop(&mut self) -> Result<Duration, CliError> {
        self.0.send("go infinite").map_err(failed)?;
        thread::sleep(Duration::from_millis(30));
        let sent = Instant::now();
        self.0.send("stop").map_err(failed)?;
        self.0.receive(PATIENCE).map_err(failed)?;
        let time = sent.elapsed();
        self.0.receive(PATIENCE).map_err(failed)?;
        Ok(time)
    }
}

impl EngineArguments {
    /// Starts the engine with these words and the choice of tables.
    fn start(&self, words: &[&str], tables: &str) -> Result<EngineProcess, CliError> {
        let beside = || std::env::current_exe().map(|lab| lab.with_file_name("privy"));
        let program = self.engine.clone().map_or_else(beside, Ok)?;
        let command = &mut Command::new(&program);
        command.args(words).args(["--tables", tables]).stderr(Stdio::null());
        let spawned = Client::spawn(command).map(EngineProcess);
        spawned.map_err(|error| CliError::File(format!("{error}; --engine names another program")))
    }

    fn times(&self, usual: usize) -> usize {
        self.times.unwrap_or(usual)
    }
}

/// Does some work beside a thread that sleeps in steps of a millisecond; returns its longest sleep too, less that
/// millisecond.
fn beside_a_watch<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    const TICK: Duration = Duration::from_millis(1);
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut longest = TICK;
            while !is_done.load(Ordering::Relaxed) {
                let begun = Instant::now();
                thread::sleep(TICK);
                longest = longest.max(begun.elapsed());
            }
            longest - TICK
        });
        let done = work();
        is_done.store(true, Ordering::Relaxed);
        (done, watch.join().unwrap_or_default())
    })
}

/// Prints the median, the 90th and the 99th percentile, and the worst.
fn tell_times(lab: &mut Lab<'_>, what: &str, mut times: Vec<Duration>) -> Result<(), CliError> {
    times.sort();
    let percentiles =
        [50, 90, 99, 100].map(|percent| times[(times.len() * percent).div_ceil(100).clamp(1, times.len()) - 1]);
    let (count, [median, tenth, hundredth, worst]) = (times.len(), percentiles);
    let line =
        format!("{what}: of {count} median {median:.1?}, 90 % {tenth:.1?}, 99 % {hundredth:.1?}, worst {worst:.1?}");
    lab.tell(line, || {
        let [median, tenth, hundredth, worst] = percentiles.map(|time| time.as_secs_f64() * 1000.0);
        json!({
            "what": what, "count": count, "median_ms": median, "percentile_90_ms": tenth,
            "percentile_99_ms": hundredth, "worst_ms": worst,
        })
    })
}

impl LatenessArguments {
    /// Each search is the first of its process: it touches its memory, and opens what it needs.
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let (engine, tables) = (&self.engine, lab.tables.choice().to_string());
        // In the one that is left out the General has no move.
        let games: Vec<&str> = Variant::all_ids().filter(|id| *id != "twenty-six-murray").collect();
        for (hash, threads) in [1, 64, 1_024, 4_096].into_iter().flat_map(|hash| [(hash, 1), (hash, 2)]) {
            let settings = format!("hash {hash}, threads {threads}");
            let mut first_searches = |what: &str, search: &dyn Fn(&mut EngineProcess) -> Result<Duration, CliError>| {
                let once = |variant: &&str| {
                    check_stop(lab.stop)?;
                    let mut process = engine.start(&[], &tables)?;
                    process.ask(&format!("set_option hash {hash}"))?;
                    process.ask(&format!("set_option threads {threads}"))?;
                    process.ask(&format!("variant {variant}"))?;
                    let (late, halt) = beside_a_watch(|| search(&mut process));
                    Ok((late?, halt))
                };
                let late = games.iter().cycle().take(engine.times(games.len())).map(once);
                let late = late.collect::<Result<Vec<(Duration, Duration)>, CliError>>()?;
                let what = format!("{settings}: {what}");
                tell_times(lab, &what, late.iter().map(|(late, _)| *late).collect())?;
                let without_halts = late.iter().map(|(late, halt)| late.saturating_sub(*halt));
                tell_times(lab, &format!("{what}, without the machine's halts"), without_halts.collect())
            };
            for milliseconds in [10, 20, 50, 100, 200, 500, 1_000] {
                // Early where the result was proved before the time was up.
                first_searches(&format!("go time {milliseconds} is late by"), &|process| {
                    let begun = Instant::now();
                    process.ask(&format!("go time {milliseconds}"))?;
                    Ok(begun.elapsed().saturating_sub(Duration::from_millis(milliseconds)))
                })?;
            }
            first_searches("stop is obeyed after", &EngineProcess::time_to_stop)?;
        }
        Ok(())
    }
}

impl ClockArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let clock = Duration::from_secs(self.seconds);
        let mut fallen = Vec::new();
        let games = Variant::builtin_ids().flat_map(|id| [id; 2]).enumerate().take(self.engine.times(usize::MAX));
        for (number, id) in games {
            let new = || self.engine.start(&["gogui", "--variant", id], "off");
            let mut programs = [new()?, new()?];
            for program in &mut programs {
                program.ask(&format!("time_settings {} 0 0", self.seconds))?;
                program.ask(&format!("set_option seed {}", number + 1))?;
                program.ask("set_option move_limit 300")?;
            }
            let (mut used, mut passes, mut half_moves) = ([Duration::ZERO; 2], 0, 0);
            for turn in 0.. {
                check_stop(lab.stop)?;
                // The programs alternate colours.
                let (colour, mover) = ([["b", "w"], ["w", "b"]][number % 2][turn % 2], turn % 2);
                let begun = Instant::now();
                let answer = programs[mover].ask(&format!("genmove {colour}"))?;
                used[mover] += begun.elapsed();
                programs[1 - mover].ask(&format!("play {colour} {answer}"))?;
                passes = if answer == "pass" { passes + 1 } else { 0 };
                half_moves += usize::from(answer != "pass");
                if passes == 2 {
                    break;
                }
            }
            let [score, other] = programs.each_mut().map(|program| program.ask("final_score"));
            let score = score?;
            writeln!(lab.output, "{id}: {score} after {half_moves} half moves, {used:.2?}")?;
            let is_right = ["W+R", "B+R", "0"].contains(&score.as_str()) && other? == score;
            if !is_right || used.iter().any(|used| *used > clock) {
                fallen.push(format!("{id}: {score}, {used:.2?}"));
            }
        }
        meets_the_bar(fallen.is_empty(), || fallen.join("; "))
    }
}
