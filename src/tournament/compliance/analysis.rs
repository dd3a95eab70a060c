//! Analysis as clients of Go engines ask for it.

use std::thread;
use std::time::Duration;

use super::game::random_game;
use super::searching::in_time;
use super::step::{Failure, Step};
use super::trial::Trial;

/// How long an analysis runs before it is ended.
const RUNNING: Duration = Duration::from_millis(200);

/// The forms of the command.
const COMMANDS: &[&str] = &["analyze", "lz-analyze", "kata-analyze"];

pub(super) const STEPS: &[Step] = &[
    Step::new("analysis.reports", "reports moves that can be played", &[COMMANDS], reports),
    Step::new("analysis.any-line", "ends an analysis on any line, and carries that line out", &[COMMANDS], any_line),
];

/// The forms that the engine has.
fn forms(trial: &Trial<'_>) -> Vec<&'static str> {
    COMMANDS.iter().copied().filter(|command| trial.has(command)).collect()
}

fn reports(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let game = random_game(trial.variant()?, 50, 5);
    trial.set_up(&game)?;
    for command in forms(trial) {
        trial.send(&format!("{command} 10"))?;
        thread::sleep(RUNNING);
        trial.send("name")?;
        let text = trial.success()?;
        let moves: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("info move ")?.split(' ').next()).collect();
        trial.ensure(!moves.is_empty(), "at least one line that begins with info move MOVE")?;
        for text in moves {
            if let Err(error) = game.parse_move(None, text) {
                return Err(trial.fail(&format!("moves that can be played; {text} can't: {error}")));
            }
        }
        trial.success()?;
    }
    Ok(())
}

fn any_line(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for command in forms(trial) {
        for (line, answers) in [("name", 1), ("no_such_command", 1), ("", 0), ("# comment", 0)] {
            trial.send(command)?;
            thread::sleep(RUNNING);
            trial.send_bytes(format!("{line}\n").as_bytes(), answers)?;
            trial.success()?;
            in_time(trial, trial.margin())?;
            if answers > 0 {
                trial.answer()?;
            }
            trial.quiet()?;
        }
    }
    Ok(())
}
