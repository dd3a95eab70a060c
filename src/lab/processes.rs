//! Engines as processes, timed: how fast they start and answer, how late searches and reports are, what they take while idle.
//!
//! Figures depend on the machine, which should be idle, and have no bars, but for a clock that must not run out.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use privy::cli::{CliError, within};
use privy_base::random::Random;
use privy_fit::check_stop;
use privy_protocol::{Client, ClientError, Reply, Stop};
use privy_rules::Variant;
use serde_json::json;

use super::{Lab, meets_the_bar};

#[derive(Subcommand)]
pub(super) enum ProcessCommand {
    /// Time from the start of an engine to its first answer, as the ordinary session and as that of GoGui, and of the first look into a
    /// table of sixteen-rebels; 50 times
    Start(EngineArguments),
    /// Lateness of first searches: time beyond the limit from sending `go time` to the end of its answer, and time from `stop` to it, with
    /// tables of the search of 1 to 4,096 MiB, one thread and two, limits of 10 to 1,000 ms; once in each game, and again for --times
    Lateness(EngineArguments),
    /// Time of moves from a table with `go time 10`; 300 times in each of four games that need tables
    TableMoves(EngineArguments),
    /// Time of a replay of 300 half moves, as GoGui sends it, 200 times; and the memory of four processes, as GoGui starts them
    Gogui(EngineArguments),
    /// Lateness of reports of an analysis each 50 ms; 1000 times in each of two games
    Reports(EngineArguments),
    /// Lateness of the end of an analysis, and of an answer while pondering; 200 times each
    Ends(EngineArguments),
    /// Processor time of an engine that idles, in 5 seconds, after each of several commands
    Idle(EngineArguments),
}

// The engine under measurement.
#[derive(Args)]
pub(super) struct EngineArguments {
    /// The program that is measured; privy in the folder of this program without it
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
    /// How often, instead of the number that is named above
    #[arg(long, value_name = "N", value_parser = within(1_usize..=1_000_000))]
    times: Option<usize>,
}

/// Clocks of games of an engine against itself, which no flag may fall in
///
/// Timed as gogui-twogtp does it: the sides have this time for the game. Every built-in game of the family is played twice.
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

    /// Sends lines that have this number of answers.
    fn send(&mut self, lines: &str, answers: usize) -> Result<(), CliError> {
        self.0.send_bytes(format!("{lines}\n").as_bytes(), answers).map_err(failed)
    }

    fn receive(&mut self) -> Result<Reply, CliError> {
        self.0.receive(PATIENCE).map_err(failed)
    }

    /// The contents of a file about the process in /proc.
    fn about(&self, file: &str) -> Result<String, CliError> {
        let path = PathBuf::from(format!("/proc/{}/{file}", self.0.process_id().unwrap_or_default()));
        fs::read_to_string(&path).map_err(|error| CliError::File(format!("{}: {error}", path.display())))
    }

    /// Processor time in ticks of 10 ms.
    fn ticks(&self) -> Result<u64, CliError> {
        let stat = self.about("stat")?;
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        Ok(fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum())
    }

    /// Memory in KiB. Pages that processes share count once.
    fn proportional_memory(&self) -> Result<u64, CliError> {
        let rollup = self.about("smaps_rollup")?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap_or_default();
        Ok(line.trim().trim_end_matches(" kB").parse().unwrap_or(0))
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

    /// Measures something several times.
    fn repeat(
        &self,
        usual: usize,
        stop: &Stop,
        mut once: impl FnMut() -> Result<Duration, CliError>,
    ) -> Result<Vec<Duration>, CliError> {
        let repeated = (0..self.times(usual)).map(|_| {
            check_stop(stop)?;
            once()
        });
        repeated.collect()
    }
}

/// Tells the median, the 90th and the 99th percentile, and the worst.
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

/// The time of an answer.
fn timed(process: &mut EngineProcess, command: &str) -> Result<Duration, CliError> {
    let begun = Instant::now();
    process.ask(command)?;
    Ok(begun.elapsed())
}

impl ProcessCommand {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        match self {
            ProcessCommand::Start(engine) => start(engine, lab),
            ProcessCommand::Lateness(engine) => lateness(engine, lab),
            ProcessCommand::TableMoves(engine) => table_moves(engine, lab),
            ProcessCommand::Gogui(engine) => gogui(engine, lab),
            ProcessCommand::Reports(engine) => reports(engine, lab),
            ProcessCommand::Ends(engine) => ends(engine, lab),
            ProcessCommand::Idle(engine) => idle(engine, lab),
        }
    }
}

fn start(engine: &EngineArguments, lab: &mut Lab<'_>) -> Result<(), CliError> {
    let tables = lab.tables.choice().to_string();
    for (what, words, tables, question) in [
        ("start to the answer of name", &[][..], "off", "name"),
        ("start of gogui to its first answer", &["gogui"], tables.as_str(), "gogui-rules_board"),
    ] {
        let times = engine.repeat(50, lab.stop, || {
            let begun = Instant::now();
            let mut process = engine.start(words, tables)?;
            process.ask(question)?;
            let time = begun.elapsed();
            process.0.quit(PATIENCE).map_err(failed)?;
            Ok(time)
        })?;
        tell_times(lab, what, times)?;
    }
    let first_look = || {
        let mut process = engine.start(&["gogui"], &tables)?;
        process.ask("name")?;
        timed(&mut process, "probe")
    };
    let times = engine.repeat(20, lab.stop, first_look)?;
    tell_times(lab, "first look into the table", times)
}

/// Each search is the first of its process: it touches its memory, and opens what it needs.
fn lateness(engine: &EngineArguments, lab: &mut Lab<'_>) -> Result<(), CliError> {
    let tables = lab.tables.choice().to_string();
    // In the one that is left out the General has no move.
    let games: Vec<&str> = Variant::all_ids().filter(|id| *id != "twenty-six-murray").collect();
    for (hash, threads) in [1, 64, 1_024, 4_096].into_iter().flat_map(|hash| [(hash, 1), (hash, 2)]) {
        let settings = format!("hash {hash}, threads {threads}");
        let mut first_searches = |what: &str, search: &dyn Fn(&mut EngineProcess) -> Result<Duration, CliError>| {
            let mut next = games.iter().cycle();
            let late = engine.repeat(games.len(), lab.stop, || {
                let mut process = engine.start(&[], &tables)?;
                let variant = next.next().copied().unwrap_or_default();
                process.ask(&format!("set_option hash {hash}"))?;
                process.ask(&format!("set_option threads {threads}"))?;
                process.ask(&format!("variant {variant}"))?;
                search(&mut process)
            })?;
            tell_times(lab, &format!("{settings}: {what}"), late)
        };
        for milliseconds in [10, 20, 50, 100, 200, 500, 1_000] {
            let limit = Duration::from_millis(milliseconds);
            // Early where the result was proved before the time was up.
            first_searches(&format!("go time {milliseconds} is late by"), &|process| {
                Ok(timed(process, &format!("go time {milliseconds}"))?.saturating_sub(limit))
            })?;
        }
        first_searches("stop is obeyed after", &|process| {
            time_to_end(process, "go infinite", Duration::from_millis(30), "stop")
        })?;
    }
    Ok(())
}

/// Lost positions with many moves take longest.
fn table_moves(engine: &EngineArguments, lab: &mut Lab<'_>) -> Result<(), CliError> {
    let mut random = Random::new(1);
    for variant in ["kings-gonu", "sixteen-rebels", "juroku-musashi", "monk-and-water"] {
        let mut process = engine.start(&["--variant", variant], &lab.tables.choice().to_string())?;
        process.ask("probe")?;
        let mut times = Vec::new();
        while times.len() < engine.times(300) {
            process.ask("clear_board")?;
            for _ in 0..60 {
                check_stop(lab.stop)?;
                let listed = process.ask("legal_moves")?;
                let moves: Vec<&str> = listed.split_whitespace().collect();
                let Some(any) = random.pick(&moves) else { break };
                let begun = Instant::now();
                let reply = process.ask("go time 10")?;
                times.push(begun.elapsed());
                let best = reply.lines().last().and_then(|line| line.strip_prefix("bestmove ")).unwrap_or(any);
                process.ask(&format!("play {}", if random.below(2) == 0 { best } else { any }))?;
            }
        }
        tell_times(lab, variant, times)?;
    }
    Ok(())
}

/// The commands of a random game of sixteen-rebels with this number of half moves.
fn half_moves(process: &mut EngineProcess, count: usize, stop: &Stop) -> Result<Vec<String>, CliError> {
    for seed in 0.. {
        let (mut random, mut commands) = (Random::new(seed), vec!["clear_board".to_owned()]);
        process.ask("clear_board")?;
        while commands.len() <= count {
            check_stop(stop)?;
            let listed = process.ask("gogui-rules_legal_moves")?;
            let points: Vec<&str> = listed.split_whitespace().collect();
            let Some(point) = random.pick(&points) else { break };
            commands.push(format!("play {} {point}", process.ask("gogui-rules_side_to_move")?));
            process.ask(&commands[commands.len() - 1])?;
        }
        if commands.len() > count {
            return Ok(commands);
        }
    }
    Ok(Vec::new())
}

fn gogui(engine: &EngineArguments, lab: &mut Lab<'_>) -> Result<(), CliError> {
    let tables = lab.tables.choice().to_string();
    let mut process = engine.start(&["gogui"], &tables)?;
    let commands = half_moves(&mut process, 300, lab.stop)?;
    let text = commands.join("\n");
    let times = engine.repeat(200, lab.stop, || {
        let begun = Instant::now();
        process.send(&text, commands.len())?;
        for _ in &commands {
            process.receive()?;
        }
        Ok(begun.elapsed())
    })?;
    tell_times(lab, "clear_board and 300 half moves in one write", times)?;
    for (what, tables, question) in [
        ("after a replay", tables.as_str(), "gogui-rules_board"),
        ("with the table in use", tables.as_str(), "privy-move_values"),
        ("after searches in all", "off", "reg_genmove w"),
    ] {
        let memory = |count: usize| -> Result<u64, CliError> {
            let mut processes = Vec::new();
            for _ in 0..count {
                check_stop(lab.stop)?;
                let mut process = engine.start(&["gogui"], tables)?;
                for command in &commands[..=100] {
                    process.ask(command)?;
                }
                process.ask("clear_board")?;
                process.ask(question)?;
                processes.push(process);
            }
            processes.iter().map(EngineProcess::proportional_memory).sum()
        };
        let (one, four) = (memory(1)?, memory(4)?);
        let further = four.saturating_sub(one) / 3;
        let line = format!("memory {what}: one process {one} KiB, four {four} KiB, {further} KiB for each further");
        let what = format!("memory {what}");
        lab.tell(line, || json!({"what": what, "one_kib": one, "four_kib": four, "further_kib": further}))?;
    }
    Ok(())
}

/// The delay of waking a thread is shown first: a report cannot be earlier.
fn reports(engine: &EngineArguments, lab: &mut Lab<'_>) -> Result<(), CliError> {
    let interval = Duration::from_millis(50);
    let naps = engine.repeat(500, lab.stop, || {
        let begun = Instant::now();
        thread::sleep(interval);
        Ok(begun.elapsed().saturating_sub(interval))
    })?;
    tell_times(lab, "a thread that sleeps wakes late by", naps)?;
    for variant in ["sixteen-rebels", "yeung-luk"] {
        let mut process = engine.start(&[], "off")?;
        process.ask(&format!("variant {variant}"))?;
        process.send("kata-analyze 5", 1)?;
        let (mut before, mut off) = (None::<Instant>, Vec::new());
        while off.len() < engine.times(1_000) {
            check_stop(lab.stop)?;
            // An analysis has no end: the limit is what a stop has to wait.
            let ended = process.0.receive_lines(10 * interval, |_| {
                let now = Instant::now();
                off.extend(before.map(|before| interval.abs_diff(now - before)));
                before = Some(now);
            });
            if !matches!(ended, Err(ClientError::Timeout { .. })) {
                return Err(failed(format!("kata-analyze: {ended:?}")));
            }
        }
        tell_times(lab, &format!("{variant}: the time between two reports is off by"), off)?;
    }
    Ok(())
}

/// The time from the line that ends a command, some time after it was sent, to the end of its answer.
fn time_to_end(
    process: &mut EngineProcess,
    command: &str,
    after: Duration,
    ending: &str,
) -> Result<Duration, CliError> {
    process.send(command, 1)?;
    thread::sleep(after);
    let sent = Instant::now();
    let is_command = ending == "stop";
    process.send(ending, usize::from(is_command))?;
    process.receive()?;
    let time = sent.elapsed();
    if is_command {
        process.receive()?;
    }
    Ok(time)
}

fn ends(engine: &EngineArguments, lab: &mut Lab<'_>) -> Result<(), CliError> {
    let mut process = engine.start(&[], "off")?;
    for (command, ending) in [("go infinite", "stop"), ("analyze 1", ""), ("analyze 100", "# comment")] {
        let mut round = 0;
        let late = engine.repeat(200, lab.stop, || {
            let after = Duration::from_millis(30 + round % 37);
            round += 1;
            time_to_end(&mut process, command, after, ending)
        })?;
        tell_times(lab, &format!("{command}: answered after {ending:?}"), late)?;
    }
    process.ask("set_option ponder on")?;
    process.ask("time_settings 0 1 100")?;
    let late = engine.repeat(100, lab.stop, || {
        process.ask("clear_board")?;
        process.ask("genmove general")?;
        thread::sleep(Duration::from_millis(30));
        timed(&mut process, "name")
    })?;
    tell_times(lab, "name while pondering", late)
}

fn idle(engine: &EngineArguments, lab: &mut Lab<'_>) -> Result<(), CliError> {
    let mut process = engine.start(&[], "off")?;
    let mut measure = |process: &EngineProcess, what: &str| -> Result<(), CliError> {
        let before = process.ticks()?;
        for _ in 0..50 {
            check_stop(lab.stop)?;
            thread::sleep(Duration::from_millis(100));
        }
        let taken = 10 * (process.ticks()? - before);
        let line = format!("{what}: {taken} ms of processor time in 5 s");
        lab.tell(line, || json!({"what": what, "processor_ms": taken}))
    };
    process.ask("name")?;
    measure(&process, "idle")?;
    process.ask("position fen 1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water")?;
    process.send("analyze 10", 1)?;
    measure(&process, "analysis of a decided position")?;
    process.send("", 0)?;
    process.receive()?;
    process.ask("variant sixteen-rebels")?;
    process.ask("genmove general")?;
    measure(&process, "after genmove, ponder off")?;
    process.ask("set_option ponder on")?;
    process.ask("genmove rebels")?;
    measure(&process, "after genmove, ponder on")
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
