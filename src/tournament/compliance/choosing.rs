//! `genmove` and its like: moves that the engine chooses and plays.

use crate::rules::{Game, Side};

use super::game::{STATE, legal_text, random_game};
use super::step::{Failure, Step};
use super::trial::Trial;

/// How many moves the engine plays against itself.
const PLIES: usize = 6;

pub(super) const STEPS: &[Step] = &[
    Step::new("genmove.plays", "chooses moves for both sides, and plays them", &[&["genmove"]], plays),
    Step::new("genmove.sides", "knows the sides by all their names", &[&["genmove"], &["clear_board"]], sides),
    Step::new("genmove.registers", "does not play the move of reg_genmove", &[&["reg_genmove"], STATE], registers),
];

/// Short thinking, where the engine lets itself be told.
fn hurry(trial: &mut Trial<'_>) -> Result<(), Failure> {
    if trial.has("time_settings") {
        trial.text_of("time_settings 2 0 0")?;
    }
    Ok(())
}

/// Lets the engine choose a move; it must be legal.
fn choose(trial: &mut Trial<'_>, command: &str, game: &mut Game) -> Result<(), Failure> {
    let text = trial.text_of(command)?;
    match game.parse_move(None, &text) {
        Ok(move_) => game.play(move_),
        Err(error) => {
            return Err(trial.fail(&format!("= and one of {}; {text} can't be played: {error}", legal_text(game))));
        }
    }
    Ok(())
}

fn plays(trial: &mut Trial<'_>) -> Result<(), Failure> {
    hurry(trial)?;
    for variant in trial.variants().iter().take(3) {
        let mut game = random_game(variant, 30, 4);
        trial.set_up(&game)?;
        for _ in 0..PLIES {
            if game.outcome().is_some() {
                break;
            }
            let side = game.position().side();
            choose(trial, &format!("genmove {side}"), &mut game)?;
            trial.ensure_state(&game)?;
        }
    }
    Ok(())
}

fn sides(trial: &mut Trial<'_>) -> Result<(), Failure> {
    hurry(trial)?;
    let variant = trial.variant()?;
    let names = match variant.start().side() {
        Side::General => ["general", "g", "w", "WHITE"],
        Side::Rebels => ["rebels", "r", "b", "BLACK"],
    };
    trial.choose_variant(variant)?;
    for name in names {
        trial.text_of("clear_board")?;
        choose(trial, &format!("genmove {name}"), &mut variant.start())?;
    }
    Ok(())
}

fn registers(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let variant = trial.variant()?;
    let game = random_game(variant, 31, 2);
    trial.set_up(&game)?;
    choose(trial, &format!("reg_genmove {}", game.position().side()), &mut game.clone())?;
    trial.ensure_state(&game)
}
