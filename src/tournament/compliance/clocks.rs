//! The engine's own clock, by which `genmove` goes.

use std::time::Duration;

use super::game::random_game;
use super::searching::in_time;
use super::step::{Failure, Step};
use super::trial::Trial;

pub(super) const STEPS: &[Step] = &[
    Step::new(
        "clock.main-time",
        "makes its moves within the time of time_settings, and keeps the clock itself",
        &[&["genmove"], &["time_settings"]],
        main_time,
    ),
    Step::new(
        "clock.time-left",
        "goes by what time_left says",
        &[&["genmove"], &["time_settings"], &["time_left"]],
        time_left,
    ),
    Step::new(
        "clock.forms",
        "reads fractions, negative rests, and periods",
        &[&["time_settings"], &["time_left"]],
        forms,
    ),
    Step::new(
        "clock.kata",
        "knows the kinds of time control that it lists",
        &[&["kata-time_settings"], &["kata-list_time_settings"]],
        kata,
    ),
];

/// Twelve moves, with three margins on the clock of each side.
fn main_time(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let variant = trial.variant()?;
    let clock = 3 * trial.margin();
    trial.set_up(&random_game(variant, 40, 0))?;
    trial.text_of(&format!("time_settings {} 0 0", clock.as_secs_f64()))?;
    // First what the side to move has used.
    let mut used = [Duration::ZERO; 2];
    let mut side = variant.start().side();
    for _ in 0..12 {
        let reply = trial.ask(&format!("genmove {side}"))?;
        if !reply.is_success() {
            // The game is over, or the engine wrong about that; another step looks at it.
            break;
        }
        let [mine, other] = used;
        let mine = mine + trial.took();
        if mine > clock {
            let came = format!("{} ms for the moves of one side", mine.as_millis());
            return Err(
                trial.fail_with(came, &format!("no more than {} ms for all moves of a side", clock.as_millis()))
            );
        }
        used = [other, mine];
        side = !side;
    }
    Ok(())
}

fn time_left(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let variant = trial.variant()?;
    let clock = trial.margin().mul_f64(0.9);
    trial.set_up(&random_game(variant, 41, 0))?;
    trial.text_of("time_settings 6000 0 0")?;
    let side = variant.start().side();
    trial.text_of(&format!("time_left {side} {} 0", clock.as_secs_f64()))?;
    trial.text_of(&format!("genmove {side}"))?;
    in_time(trial, clock)
}

fn forms(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for line in [
        "time_settings 300 0 0",
        "time_settings 0 30 10",
        "time_settings 60 30 5",
        "time_settings 0 1 0",
        "time_left general 271.5 0",
        "time_left rebels -0.3 0",
        "time_left w 20 5",
        "time_left BLACK 20 0",
    ] {
        trial.text_of(line)?;
    }
    Ok(())
}

fn kata(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let kinds = trial.text_of("kata-list_time_settings")?;
    for (kind, line) in [
        ("none", "kata-time_settings none"),
        ("absolute", "kata-time_settings absolute 300"),
        ("byoyomi", "kata-time_settings byoyomi 60 10 3"),
        ("canadian", "kata-time_settings canadian 60 30 5"),
        ("fischer", "kata-time_settings fischer 300 2.5"),
    ] {
        if kinds.split_ascii_whitespace().any(|listed| listed == kind) {
            trial.text_of(line)?;
        } else {
            trial.refusal(line, &["syntax error"])?;
        }
    }
    trial.refusal("kata-time_settings hourglass 60", &["syntax error"])
}
