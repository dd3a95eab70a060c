//! GeneralStates of the General, and how positions are named.

use std::sync::Arc;

use crate::board::Point;
use crate::rules::{Game, Position, Side, Variant};

/// The places of the General, flags included, from which a game goes on when the Rebels are to move and many are left.
pub(super) fn places(variant: &Variant) -> Vec<Position> {
    let rules = variant.rules();
    let mut places = Vec::new();
    for free_jumps in 0..=variant.rule_set().free_jumps {
        for apex_visited in [false, true] {
            for general in variant.board().all() {
                let rebels = variant.opening().rebels();
                let place = Position::new(rebels, general, Side::Rebels, apex_visited, free_jumps);
                let remembered = match apex_visited {
                    true => !rules.return_apex.is_empty(),
                    false => !rules.return_apex.contains(general),
                };
                if remembered && rules.goal_after_general(&place).is_none() {
                    places.push(place);
                }
            }
        }
    }
    places
}

/// The canonical text of a position.
pub(super) fn text(variant: &Arc<Variant>, state: &Position) -> String {
    let letter = |point: &Point| match *point {
        point if point == state.general() => 'G',
        point if state.rebels().contains(point) => 'r',
        _ => '1',
    };
    let rows = variant.board().rows_from_top();
    let rows: Vec<String> = rows.iter().map(|row| row.iter().map(letter).collect()).collect();
    let apex = if state.apex_visited() { "a" } else { "" };
    let flags = match variant.rule_set().free_jumps {
        0 if state.apex_visited() => apex.to_owned(),
        0 => "-".to_owned(),
        _ => format!("{apex}{}", state.free_jumps()),
    };
    let text = format!("{} {} {flags}", rows.join("/"), state.side().letter());
    Game::from_text(&text, Some(variant)).map_or(text, |position| position.to_string())
}
