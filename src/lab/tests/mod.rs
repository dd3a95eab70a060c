//! The commands run in this process: their results, their ranges, their errors, and how soon they hear a stop.

mod checks;
mod critical;
mod fits;
mod measures;
mod puzzles;
mod strength_book;
mod weights;

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use clap::FromArgMatches as _;
use privy_program::CliError;
use privy_protocol::Stop;
use privy_tables::TableError;

use super::{Lab, LabCommand, LabCommandLine, command_line};

/// A variant that is solved in milliseconds. In its opening some moves win, some draw and some lose.
const SMALL_VARIANT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../protocol/transcripts/three-rows.toml");

/// A separate folder for each test, removed with it.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> TestFolder {
        let folder = std::env::temp_dir().join(format!("privy-lab-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        TestFolder(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// The path of a variant whose random games end within the random moves of an opening.
    fn short_game(&self) -> String {
        let path = self.path("short.toml");
        let rules = privy_rules::games::get("sixteen-rebels").unwrap().rules;
        let text = rules.replace("id = \"sixteen-rebels\"", "id = \"short\"") + "move_limit = { plies = 1 }\n";
        fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn parsed(words: &[&str]) -> Result<LabCommandLine, clap::Error> {
    let matches = command_line().try_get_matches_from([&["privy-lab"], words].concat())?;
    LabCommandLine::from_arg_matches(&matches)
}

fn run_until(words: &[&str], stop: &Stop) -> Result<String, CliError> {
    let LabCommandLine { command, tables } = parsed(words).unwrap();
    let mut output = Vec::new();
    command.run(&mut Lab { tables: &tables, stop, json: false, output: &mut output })?;
    Ok(String::from_utf8(output).unwrap())
}

pub(super) fn run(words: &[&str]) -> Result<String, CliError> {
    run_until(words, &Stop::default())
}

#[test]
fn numbers_have_ranges_which_the_help_shows() {
    for wrong in [
        "measure conversion kings-gonu --games-at-a-time 1000000",
        "measure conversion kings-gonu --games-at-a-time 0",
        "measure movers kings-gonu --nodes 0",
        "fit win-rates yeung-luk --games 0",
        "ladder yeung-luk --to 11",
        "check keeps --bar 101",
        "fit weights yeung-luk --games 9",
        "puzzles yeung-luk --count 1 --plies 2",
    ] {
        let words: Vec<&str> = wrong.split(' ').collect();
        let refused = parsed(&words).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains(": expected ") && refused.contains(" to "), "{wrong}: {refused}");
    }
    for wrong in ["fit levels", "fit levels yeung-luk --nodes 3", "measure", "nonsense"] {
        assert!(parsed(&wrong.split(' ').collect::<Vec<_>>()).is_err(), "{wrong}");
    }
    for_each_argument(&command_line(), &mut |command, argument| {
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        assert!(!help.is_empty(), "{command}: {argument}");
    });
}

fn for_each_argument(command: &clap::Command, check: &mut dyn FnMut(&str, &clap::Arg)) {
    command.get_arguments().for_each(|argument| check(command.get_name(), argument));
    command.get_subcommands().for_each(|subcommand| for_each_argument(subcommand, check));
}

#[test]
fn a_stop_is_heard() {
    let folder = TestFolder::new("stop");
    solve(&folder, SMALL_VARIANT);
    let (tables, weights) = (folder.path(""), folder.path("weights.toml"));
    let slow = ["--nodes", "100000000000", "--games", "100000"];
    for words in [
        [&["measure", "movers", "subjugatio"][..], &slow].concat(),
        [&["fit", "win-rates", "subjugatio"][..], &slow].concat(),
        vec!["measure", "conversion", SMALL_VARIANT, "--from", "1", "--time", "100000000", "--tables", &tables],
        vec!["measure", "conversion", SMALL_VARIANT, "--from", "1", "--games-at-a-time", "1024", "--tables", &tables],
        vec!["fit", "levels", "subjugatio", "--games", "100000"],
        vec!["fit", "weights", "yeung-luk", "--nodes", "3000000", "--output", &weights],
        vec!["fit", "weights", SMALL_VARIANT, "--nodes", "1", "--games", "1000000", "--output", &weights],
        vec!["critical", SMALL_VARIANT, "--positions", "1000000", "--tables", &tables],
        vec!["puzzles", SMALL_VARIANT, "--plies", "9", "--count", "100000", "--tables", &tables],
        vec!["ladder", "subjugatio", "--tables", "off"],
        vec!["check", "movers", "subjugatio", "--time", "100000000"],
    ] {
        // Each of them would go on for hours. A thousand games at a time end in a second or two where all cores are
        // busy.
        let late = lateness(&words);
        assert!(late < Duration::from_secs(60), "{words:?}: {late:?}");
    }
}

/// The time from a stop in the middle of a command to its end; none where it is done sooner.
fn lateness(words: &[&str]) -> Duration {
    let stop = Stop::default();
    thread::scope(|scope| {
        let asked = scope.spawn(|| {
            thread::sleep(Duration::from_millis(150));
            stop.set();
            Instant::now()
        });
        let ran = run_until(words, &stop);
        let ended = Instant::now();
        let is_interrupted = matches!(ran, Err(CliError::Interrupted(_) | CliError::Table(TableError::Interrupted)));
        assert!(ran.is_ok() || is_interrupted, "{words:?}: {ran:?}");
        ended.saturating_duration_since(asked.join().unwrap())
    })
}

/// Solves a variant into the folder.
fn solve(folder: &TestFolder, variant: &str) -> PathBuf {
    use privy_tables::{SolveOptions, table_path};
    let variant = privy_program::find_variants(&[variant.to_owned()]).unwrap().remove(0);
    let path = table_path(&folder.0, &variant);
    privy_tables::solve(&variant, &path, &SolveOptions::default(), &mut |_| {}, &Stop::default()).unwrap();
    path
}
