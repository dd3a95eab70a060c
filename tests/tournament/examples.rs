//! The example referees: they play games between engines, with legal moves and the results of the rules.
//!
//! The tests need Python 3 and a POSIX shell. They prefer `dash`, which has no extensions.

use std::fs;
use std::process::{Command, Output, Stdio};

use privy_rules::Variant;

use crate::support::scripts;

use scripts::{EXAMPLES, bad_line, example, privy_line, weak_line};

/// The limit of plies of a game, as an argument and as a number.
const PLIES: (&str, usize) = ("80", 80);

/// A game as a referee reports it.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    /// The moves, after their sides if the referee prints them.
    moves: Vec<String>,
    result: String,
}

impl Said {
    /// Replays the game. It must end where the rules end it, with their result, or at the limit.
    #[track_caller]
    fn check(&self, variant: &str) {
        let mut game = Variant::builtin(variant).unwrap().start();
        for text in &self.moves {
            let (side, text) = text.split_once(' ').map_or((None, text.as_str()), |(side, text)| (Some(side), text));
            let side = side.map(|side| side.parse().unwrap());
            let move_ = game.parse_move(side, text).unwrap_or_else(|error| panic!("{text}: {error}: {self:?}"));
            game.play(move_);
        }
        match game.outcome() {
            Some(outcome) => assert_eq!(self.result, outcome.to_string(), "{self:?}"),
            None => assert_eq!((self.result.as_str(), self.moves.len()), ("draw: move limit", PLIES.1), "{self:?}"),
        }
    }
}

fn run(mut command: Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// The referee in the shell.
fn shell_referee() -> Command {
    let has_dash = Command::new("dash").args(["-c", "true"]).status().is_ok_and(|status| status.success());
    example(if has_dash { "dash" } else { "sh" }, "referee.sh")
}

/// Runs the referee for a game; returns its output and status.
fn shell_game(variant: &str, options: &[&str], general: &str, rebels: &str) -> (i32, Said) {
    let mut command = shell_referee();
    command.args(["-v", variant]).args(options).args([general, rebels]);
    let (status, output, _) = run(command);
    let mut lines: Vec<&str> = output.lines().collect();
    let result = lines.pop().and_then(|line| line.strip_prefix("result ")).unwrap_or_else(|| panic!("{output}"));
    let moves = lines.iter().enumerate().map(|(index, line)| match line.split_once(' ') {
        Some((ply, rest)) if ply == (index + 1).to_string() => rest.to_owned(),
        _ => panic!("{output}"),
    });
    (status, Said { moves: moves.collect(), result: result.to_owned() })
}

/// Runs the referee in Python; returns the games and the score.
fn python_match(variant: &str, options: &[&str], engines: [&str; 2]) -> (Vec<Said>, String) {
    let mut command = example("python3", "referee.py");
    command.args(["--variant", variant]).args(options).args(engines);
    let (status, output, errors) = run(command);
    assert!(status == 0 && !errors.contains("Traceback"), "{output}{errors}");
    let mut games: Vec<Said> = Vec::new();
    let mut score = None;
    for line in output.lines() {
        if let Some(text) = line.strip_prefix("score ") {
            assert!(score.replace(text.to_owned()).is_none(), "{output}");
        } else if let Some(number) = line.strip_prefix("game ") {
            games.push(Said { moves: Vec::new(), result: String::new() });
            assert!(number.starts_with(&format!("{}: ", games.len())), "{output}");
        } else {
            let game = games.last_mut().unwrap_or_else(|| panic!("{output}"));
            assert!(game.result.is_empty(), "{output}");
            match line.contains(": ") {
                true => line.clone_into(&mut game.result),
                false => game.moves.push(line.to_owned()),
            }
        }
    }
    (games, score.unwrap_or_else(|| panic!("{output}")))
}

#[test]
fn scripts_are_short() {
    for file in fs::read_dir(EXAMPLES).unwrap() {
        let path = file.unwrap().path();
        if !path.extension().is_some_and(|extension| extension == "py" || extension == "sh") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let limit = if path.to_string_lossy().contains("referee") { 99 } else { 100 };
        assert!(text.lines().count() <= limit && text.lines().all(|line| line.chars().count() <= 120), "{path:?}");
    }
}

#[test]
fn the_shell_referee_plays_games_to_their_end() {
    for (variant, seed) in [("sixteen-rebels", 1), ("shap-luk-kon", 2), ("monk-and-water", 3)] {
        let (privy, weak) = (privy_line(), weak_line(&format!("--seed {seed}")));
        for (general, rebels) in [(&privy, &weak), (&weak, &privy)] {
            let (status, message) = shell_game(variant, &["-g", "nodes 2000", "-n", PLIES.0], general, rebels);
            message.check(variant);
            assert_eq!(status, 0);
        }
    }
}

#[test]
fn the_shell_referee_plays_games_with_moves_of_every_form() {
    for (variant, limits) in [("juroku-musashi", "depth 3"), ("kings-gonu", "nodes 500"), ("subjugatio", "nodes 500")] {
        let privy = privy_line();
        let (status, message) = shell_game(variant, &["-g", limits, "-n", PLIES.0], &privy, &privy);
        message.check(variant);
        assert_eq!(status, 0);
        // Neither time nor random numbers change the game.
        assert_eq!(shell_game(variant, &["-g", limits, "-n", PLIES.0], &privy, &privy).1, message);
    }
}

#[test]
fn the_python_referee_plays_matches() {
    let options = ["--games", "4", "--plies", PLIES.0, "--go", "nodes 2000"];
    for variant in ["sixteen-rebels", "juroku-musashi-hasami", "monk-and-water"] {
        let (games, score) = python_match(variant, &options, [&privy_line(), &weak_line("--seed 5")]);
        let mut points = 0.0;
        for (number, game) in games.iter().enumerate() {
            game.check(variant);
            let general = [1.0, 0.0][number % 2];
            points += match game.result.split_once(' ') {
                Some(("general", _)) => general,
                Some(("rebels", _)) => 1.0 - general,
                _ => 0.5,
            };
        }
        assert_eq!((games.len(), score), (4, format!("{points} : {}", 4.0 - points)));
    }
}

#[test]
fn the_python_referee_plays_games_with_moves_of_every_form() {
    let options = ["--games", "2", "--plies", PLIES.0, "--go", "nodes 500"];
    for variant in ["sixteen-rebels-neeley", "yeung-luk", "subjugatio-intervention"] {
        let (games, _) = python_match(variant, &options, [&privy_line(), &privy_line()]);
        games.iter().for_each(|game| game.check(variant));
        assert_eq!(games[0], games[1]);
    }
}

/// A fault of the engine that plays the Rebels, with the message of both referees.
const FAULTS: [(&str, &str, &str); 9] = [
    ("exit-at-start", "general wins: no answer to variant", "general wins: python3: exits with status 3"),
    ("exit --at 2", "general wins: no answer to go", "general wins: python3: exits with status 3"),
    ("close-output", "general wins: no answer to go", "general wins: python3: closes its output"),
    ("hang", "general wins: no answer to go", "general wins: python3: does not answer in time"),
    ("half-answer", "general wins: no answer to go", "general wins: python3: does not answer in time"),
    ("illegal-move", "general wins: refuses its own move", "general wins: position startpos moves"),
    ("error", "general wins: no move: ? out of ideas", "general wins: go nodes 100: out of ideas"),
    ("wrong-status", "none: the engine of the rebels says", "void: the engines disagree: "),
    ("ignore-quit", "", ""),
];

#[test]
fn referees_report_faults_and_continue() {
    for (fault, shell, python) in FAULTS {
        let engines = [privy_line(), bad_line(fault)];
        // Short where it is waited for, long enough for a busy machine elsewhere.
        let patience = if ["hang", "half-answer", "ignore-quit"].contains(&fault) { "2" } else { "30" };
        let options = ["-g", "nodes 100", "-s", patience];
        let (status, message) = shell_game("sixteen-rebels", &options, &engines[0], &engines[1]);
        assert!(message.result.starts_with(shell), "{fault}: {message:?}");
        assert_eq!(status, i32::from(!shell.is_empty()), "{fault}");
        let options = ["--games", "1", "--go", "nodes 100", "--patience", patience];
        let (games, _) = python_match("sixteen-rebels", &options, [&engines[0], &engines[1]]);
        assert!(games[0].result.starts_with(python), "{fault}: {games:?}");
    }
}

#[test]
fn referees_leave_no_engine_running() {
    for mut referee in [shell_referee(), example("python3", "referee.py")] {
        let (status, _, errors) = run({
            referee.args([privy_line(), bad_line("ignore-quit --id")]);
            referee
        });
        let engines: Vec<&str> = errors.lines().filter_map(|line| line.strip_prefix("engine ")).collect();
        assert!(status == 0 && !engines.is_empty(), "{errors}");
        for engine in engines {
            let alive = || Command::new("kill").args(["-0", engine]).stderr(Stdio::null()).status().unwrap().success();
            // A killed process may remain in the process table for a moment.
            let gone = (0..100).any(|_| {
                std::thread::sleep(std::time::Duration::from_millis(50));
                !alive()
            });
            assert!(gone, "{engine}");
        }
    }
}
