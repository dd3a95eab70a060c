//! Plays a game between two engines of different strength, and prints its moves.
//!
//! `cargo run --release -p privy-engine --example play_game`
#![allow(clippy::print_stdout)]

use privy_engine::{Engine, EngineError, PathChoice};
use privy_protocol::{Limits, Side, Stop};
use privy_rules::Game;

/// Returns a game of the variant: the General searches `general` nodes a move, the Rebels `rebels`.
pub(crate) fn play_game(variant: &str, general: u64, rebels: u64) -> Result<Game, EngineError> {
    let mut engine = Engine::new();
    // An engine looks for tables in the user's cache folder unless an option says otherwise.
    engine.configure(|options| {
        (options.tables, options.hash, options.move_limit) = (PathChoice::Off, 16, 200);
    })?;
    engine.choose_variant(variant)?;
    while engine.game().outcome().is_none() {
        let nodes = if engine.game().side() == Side::General { general } else { rebels };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = engine.go(&limits.into(), &Stop::default(), None)?;
        engine.play_move(found.best);
    }
    Ok(engine.game().clone())
}

pub(crate) fn main() -> Result<(), EngineError> {
    let game = play_game("monk-and-water", 2000, 200)?;
    let moves: Vec<_> = game.moves().cloned().collect();
    println!("{}", game.beginning().line_texts(&moves).join(" "));
    println!("{}", game.outcome().map_or_else(|| "unfinished".to_owned(), |outcome| outcome.to_string()));
    Ok(())
}
