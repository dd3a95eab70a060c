//! Positions that a client sets up piece by piece.

use privy_protocol::{ErrorPhrase, ProtocolError, SidedPoint};

use crate::board::{Board, PointName};
use crate::engine::{Engine, EngineError};
use crate::gtp::conversions::{engine_error, engine_side};
use crate::rules::Side;

use super::vertex;

/// Begins a game from a position with these pieces. The side that begins the variant's games is to move, or the other one
/// where only that gives a position which a game can reach.
pub(super) fn set_up(engine: &mut Engine, pieces: &[SidedPoint]) -> Result<(), ProtocolError> {
    let rows = rows(engine.variant().board(), pieces)?;
    let first = engine.variant().rule_set().first;
    let text = |side: Side| format!("{rows} {}", side.letter());
    let refused = match engine.set_position(Some(&text(first)), &[]) {
        Ok(()) => return Ok(()),
        Err(error) => error,
    };
    engine.set_position(Some(&text(!first)), &[]).map_err(|_| engine_error(refused))
}

/// Sets the side to move; the pieces and flags stay.
pub(super) fn set_player(engine: &mut Engine, side: Side) -> Result<(), EngineError> {
    let text = engine.game().to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let letter = side.letter().to_string();
    if let Some(field) = fields.get_mut(1) {
        *field = &letter;
    }
    engine.set_position(Some(&fields.join(" ")), &[])
}

/// The rows of a position text with these pieces.
fn rows(board: &Board, pieces: &[SidedPoint]) -> Result<String, ProtocolError> {
    let mut placed: Vec<(PointName, char)> = Vec::with_capacity(pieces.len());
    for (side, word) in pieces {
        let name = vertex::read(word).map_err(|error| ProtocolError::syntax(error.to_string()))?;
        let refused = |why: &str| {
            Err(ProtocolError::new(ErrorPhrase::IllegalPosition, format!("{} {why}", vertex::text_of(name))))
        };
        if board.point(name).is_none() {
            return refused("is no point of the board");
        }
        if placed.iter().any(|(other, _)| *other == name) {
            return refused("is named twice");
        }
        placed.push((name, if engine_side(*side) == Side::General { 'G' } else { 'r' }));
    }
    let letter = |point| placed.iter().find(|(name, _)| *name == board.name(point)).map_or('1', |(_, letter)| *letter);
    let rows = board.rows_from_top().into_iter().map(|row| row.into_iter().map(letter).collect::<String>());
    Ok(rows.collect::<Vec<_>>().join("/"))
}
