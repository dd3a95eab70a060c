//! Solves a small custom game in memory, and shows perfect play.
//!
//! `cargo run --release -p privy-tables --example solve`
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::sync::Arc;

use privy_protocol::Stop;
use privy_rules::{Game, Variant};
use privy_tables::{TableValue, solve_in_memory};

/// Hare and Hounds, but the Hare may win by repetition.
const RULES: &str = r#"
id = "patient-hare"
title = "The patient Hare"
extends = "hare-and-hounds"
repetition = "general"
"#;

/// Returns the value of the opening for the side to move, and a game of perfect play.
pub(crate) fn solve(rules: &str) -> Result<(TableValue, Game), Box<dyn Error>> {
    let variant = Arc::new(Variant::from_toml(rules, None)?);
    let table = solve_in_memory(&variant, &mut |_| {}, &Stop::default())?;
    let mut game = variant.start();
    let value = table.probe(&game)?;
    while game.outcome().is_none() {
        // Best first: the shortest win, or the longest defence.
        let moves = table.values_by_text(&game)?;
        let (text, _) = moves.first().ok_or("a game that is not over has a move")?;
        let best = game.parse_move(None, text)?;
        game.play(best);
    }
    Ok((value, game))
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (value, game) = solve(RULES)?;
    println!("{value} for the side to move");
    let moves: Vec<_> = game.moves().cloned().collect();
    println!("{}", game.beginning().line_texts(&moves).join(" "));
    println!("{}", game.outcome().map_or_else(String::new, |outcome| outcome.to_string()));
    Ok(())
}
