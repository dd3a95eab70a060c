//! What the rules library promises, on positions of random games and on chosen ones.

mod families;
mod games;
mod illegal_moves;
mod mirrors;
mod move_texts;
mod position_texts;
mod refused_positions;
mod variant_files;
mod walks;

use std::sync::Arc;

use super::*;

fn variant(id: &str) -> Arc<Variant> {
    Variant::builtin(id).unwrap_or_else(|| panic!("no variant {id}"))
}

fn variants() -> impl Iterator<Item = Arc<Variant>> {
    Variant::builtin_ids().map(variant)
}

/// A position of a built-in variant by the first fields of its text.
fn position(id: &str, text: &str) -> Position {
    Position::from_text(text, Some(&variant(id))).unwrap_or_else(|error| panic!("{id} {text}: {error}"))
}

/// The texts of all legal moves, sorted.
fn legal_texts(position: &Position) -> Vec<String> {
    let mut texts: Vec<String> = position.legal_moves().iter().map(|m| position.move_text(m)).collect();
    texts.sort();
    texts
}

/// Plays moves by their texts.
fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let move_ =
            game.position().parse_move(text).unwrap_or_else(|error| panic!("{}: {text}: {error}", game.position()));
        game.play(move_);
    }
}
