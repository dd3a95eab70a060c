//! The game that an engine keeps, compared with the same game by the rules.

use crate::rules::{Game, MovePath, Side};

use super::game::{STATE, legal_text, move_texts, random_game, status_text};
use super::step::{Failure, Step};
use super::trial::Trial;

/// Games a variant, and plies a game.
const GAMES: u64 = 3;
const PLIES: usize = 30;

pub(super) const STEPS: &[Step] = &[
    Step::new(
        "state.variant",
        "says which variant is played, and begins a new game with another",
        &[&["variant"]],
        variant,
    ),
    Step::new("state.clear-board", "begins a new game", &[&["clear_board"], STATE], clear_board),
    Step::new(
        "state.position-moves",
        "sets up games by their moves, in every variant",
        &[&["position"], STATE],
        |trial| random_games(trial, position_moves),
    ),
    Step::new(
        "state.position-fen",
        "sets up positions by their text, in every variant",
        &[&["position"], STATE],
        |trial| random_games(trial, position_text),
    ),
    Step::new("state.fen-round-trip", "reads the position text that it writes", &[&["position"], &["fen"]], |trial| {
        random_games(trial, round_trip)
    }),
    Step::new(
        "state.play",
        "plays moves one by one, and knows at every ply what can be played",
        &[&["play"], STATE],
        play,
    ),
    Step::new("state.illegal-moves", "refuses every move that the rules don't allow", &[&["play"]], illegal_moves),
    Step::new(
        "state.move-forms",
        "reads moves in capital letters, by their two points, and with the side before them",
        &[&["play"], STATE],
        move_forms,
    ),
    Step::new("state.undo", "takes moves back", &[&["undo"], STATE], undo),
    Step::new("state.repetition", "calls the third occurrence of a position a draw", &[&["status"]], repetition),
    Step::new(
        "state.game-over",
        "knows how a game has ended, and plays no further",
        &[&["play", "go", "genmove"]],
        game_over,
    ),
];

/// Tries something with games of different lengths of every variant.
fn random_games(trial: &mut Trial<'_>, check: fn(&mut Trial<'_>, &Game) -> Result<(), Failure>) -> Result<(), Failure> {
    for variant in trial.variants() {
        for seed in 0..GAMES {
            check(trial, &random_game(variant, seed, PLIES / (seed as usize + 1)))?;
        }
    }
    Ok(())
}

fn variant(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for variant in trial.variants() {
        trial.text_of(&format!("variant {}", variant.id()))?;
        trial.ensure_state(&variant.start())?;
        let id = trial.text_of("variant")?;
        trial.ensure(id == variant.id(), &format!("= {}", variant.id()))?;
    }
    Ok(())
}

fn clear_board(trial: &mut Trial<'_>) -> Result<(), Failure> {
    random_games(trial, |trial, game| {
        trial.set_up(game)?;
        trial.text_of("clear_board")?;
        trial.ensure_state(&game.beginning())
    })
}

fn position_moves(trial: &mut Trial<'_>, game: &Game) -> Result<(), Failure> {
    trial.set_up(game)?;
    trial.ensure_state(game)
}

fn position_text(trial: &mut Trial<'_>, game: &Game) -> Result<(), Failure> {
    trial.choose_variant(game.beginning().variant())?;
    trial.text_of(&format!("position fen {game}"))?;
    // The text knows nothing of the moves before: neither of repetition nor of a custodial capture.
    if game.outcome().is_none() {
        trial.ensure_state(&game.without_history())?;
    }
    Ok(())
}

fn round_trip(trial: &mut Trial<'_>, game: &Game) -> Result<(), Failure> {
    trial.set_up(game)?;
    let text = trial.text_of("fen")?;
    trial.text_of(&format!("position fen {text}"))?;
    let again = trial.text_of("fen")?;
    trial.ensure(again == text, &format!("= {text}"))
}

fn play(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for variant in trial.variants() {
        let played = random_game(variant, 7, PLIES);
        let mut game = variant.start();
        trial.set_up(&game)?;
        for (move_, text) in played.moves().zip(move_texts(&played)) {
            trial.text_of(&format!("play {text}"))?;
            game.play(move_.clone());
            trial.ensure_state(&game)?;
        }
    }
    Ok(())
}

/// Every step from a point to another that is not legal, from a sample of points.
fn illegal_moves(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for variant in trial.variants() {
        let game = random_game(variant, 5, 9);
        trial.set_up(&game)?;
        let before = trial.state()?;
        let board = game.board();
        let names: Vec<String> = board.all().into_iter().map(|point| board.name(point).to_string()).collect();
        let moves = names
            .iter()
            .enumerate()
            .flat_map(|(number, from)| names.iter().skip(number % 5).step_by(5).map(move |to| format!("{from}-{to}")));
        for text in moves.filter(|text| game.parse_move(None, text).is_err()) {
            trial.refusal(&format!("play {text}"), &["illegal move", "syntax error", "game over"])?;
        }
        let after = trial.state()?;
        if after != before {
            return Err(trial.fail_with(after.join("\n"), &before.join("\n")));
        }
    }
    Ok(())
}

/// A legal step that its two points determine.
fn plain_step(game: &Game) -> Option<(MovePath, String)> {
    game.legal_moves().into_iter().find_map(|step| {
        let text = game.move_text(&step);
        let same = game.parse_move(None, &text.replace('-', "")).is_ok_and(|same| same == step);
        (text.contains('-') && same).then_some((step, text))
    })
}

fn move_forms(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let forms: [fn(&str, Side) -> String; 5] = [
        |text, _| text.to_uppercase(),
        |text, side| format!("{side} {text}"),
        |text, side| format!("{} {text}", if side == Side::General { "W" } else { "black" }),
        |text, side| format!("{} {text}", side.letter()),
        |text, _| text.replace('-', ""),
    ];
    for variant in trial.variants() {
        let mut game = variant.start();
        trial.set_up(&game)?;
        for form in forms {
            let Some((step, text)) = plain_step(&game) else { break };
            trial.text_of(&format!("play {}", form(&text, game.position().side())))?;
            game.play(step);
            trial.ensure_state(&game)?;
        }
    }
    Ok(())
}

fn undo(trial: &mut Trial<'_>) -> Result<(), Failure> {
    random_games(trial, |trial, played| {
        let mut game = played.clone();
        trial.set_up(&game)?;
        let mut count = 1;
        while game.undo(count).is_ok() {
            trial.text_of(&if count == 1 { "undo".to_owned() } else { format!("undo {count}") })?;
            trial.ensure_state(&game)?;
            count += 1;
        }
        Ok(())
    })
}

/// Lets both sides go to and fro until the game is a draw. Gives whether it is.
fn back_and_forth(game: &mut Game) -> bool {
    for _ in 0..2 {
        let mut ways_back = Vec::new();
        for _ in 0..2 {
            let Some((there, text)) = plain_step(game) else { return false };
            ways_back.extend(text.split_once('-').map(|(from, to)| format!("{to}-{from}")));
            game.play(there);
        }
        for back in ways_back {
            let Ok(back) = game.parse_move(None, &back) else { return false };
            game.play(back);
        }
    }
    game.outcome().is_some()
}

fn repetition(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for variant in trial.variants() {
        for seed in 0..20 {
            let mut game = random_game(variant, seed, 2);
            if back_and_forth(&mut game) {
                let mut before = game.clone();
                if before.undo(1).is_ok() {
                    trial.set_up(&before)?;
                    trial.ensure_state(&before)?;
                }
                trial.set_up(&game)?;
                trial.ensure_state(&game)?;
                break;
            }
        }
    }
    Ok(())
}

fn game_over(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for variant in trial.variants() {
        let over = (0..40).map(|seed| random_game(variant, seed, 400)).find(|game| game.outcome().is_some());
        let Some(game) = over else { continue };
        trial.set_up(&game)?;
        if trial.has("status") {
            let status = trial.text_of("status")?;
            trial.ensure(status == status_text(&game), &format!("= {}", status_text(&game)))?;
        }
        if trial.has("legal_moves") {
            let moves = trial.text_of("legal_moves")?;
            trial.ensure(moves == legal_text(&game), "an empty success")?;
        }
        if trial.has("play") {
            trial.refusal("play a1-a2", &["illegal move", "game over"])?;
        }
        if trial.has("go") {
            trial.refusal("go nodes 100", &["game over"])?;
        }
        if trial.has("genmove") {
            trial.refusal(&format!("genmove {}", game.position().side()), &["game over", "illegal move"])?;
        }
    }
    Ok(())
}
