//! Tests of the rules, on positions of random games and on chosen ones.

mod boards;
mod drawing;
mod families;
mod games;
mod mirrors;
mod move_texts;
mod names;
mod oracle;
mod perft;
mod position_texts;
mod refused_positions;
mod render;
mod templates;
mod toml_file;
mod variant_files;
mod walks;

use std::sync::Arc;

use privy_rules::perft::count_sequences;
use privy_rules::rows::{read_rows, rows_text};
use privy_rules::variant::Heading;
use privy_rules::*;

fn variant(id: &str) -> Arc<Variant> {
    Variant::builtin(id).unwrap_or_else(|| panic!("no variant {id}"))
}

fn variants() -> impl Iterator<Item = Arc<Variant>> {
    Variant::all_ids().map(variant)
}

/// A position of a built-in variant by the first fields of its text.
fn position(id: &str, text: &str) -> Game {
    Game::from_text(text, Some(&variant(id))).unwrap_or_else(|error| panic!("{id} {text}: {error}"))
}

/// The same position with its hash recomputed.
fn made_anew(position: &Position) -> Position {
    let (rebels, general, side) = (position.rebels(), position.general(), position.side());
    Position::new(rebels, general, side, position.apex_visited(), position.free_jumps()).with_hand(position.hand())
}

/// The texts of all legal moves, sorted.
fn legal_texts(position: &Game) -> Vec<String> {
    let mut texts: Vec<String> = position.legal_moves().iter().map(|m| position.move_text(m)).collect();
    texts.sort();
    texts
}

/// Plays moves by their texts.
fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let move_ = game.parse_move(None, text).unwrap_or_else(|error| panic!("{game}: {text}: {error}"));
        game.play(move_);
    }
}
