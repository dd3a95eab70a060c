//! Endings, RULES §4, without repetition.

use super::moves::{general_moves, jump_direction_allowed, rebel_moves};
use super::position::Position;
use super::variants::{Apex, Jump, Side};

/// How the game is over if the side not to move has just moved; `None` while it goes on.
pub fn ending(position: &Position) -> Option<&'static str> {
    match position.at.to_move {
        Side::Rebels => after_the_general(position),
        Side::General => after_the_rebels(position),
    }
}

/// §4, after the General's move: apex, return, bottom, goal, attrition, Rebels without a move, in this order.
fn after_the_general(position: &Position) -> Option<&'static str> {
    if let Some(ending) = decided_by_the_general(position) {
        return Some(ending);
    }
    if rebel_moves(position).is_empty() {
        return Some("general wins: no move");
    }
    None
}

/// §4, items 1 to 3: the ends that the General reaches, whoever is to move.
pub fn decided_by_the_general(position: &Position) -> Option<&'static str> {
    ending_by_place(position).or_else(|| ending_by_attrition(position))
}

/// §4, items 1 and 2, and the goal of a relative: the point of the General.
fn ending_by_place(position: &Position) -> Option<&'static str> {
    let (rules, board) = (&position.game.rules, &position.game.board);
    let general = position.at.general;
    let on_apex = board.apex.contains(&general);
    let on_field = !board.points[general].in_privy;
    if rules.apex == Apex::General && on_apex {
        return Some("general wins: apex");
    }
    if rules.apex == Apex::Rebels && on_apex {
        return Some("rebels win: apex");
    }
    if rules.apex == Apex::Return && position.at.apex_visited && on_field {
        return Some("general wins: apex and return");
    }
    if rules.bottom && board.points[general].row() == 1 {
        return Some("general wins: bottom");
    }
    if rules.goal.contains(&board.name(general)) {
        return Some("general wins: goal");
    }
    None
}

/// §4, item 3: few Rebels are left.
fn ending_by_attrition(position: &Position) -> Option<&'static str> {
    match position.game.rules.rebels_at_most {
        Some(limit) if position.at.rebels.len() <= limit => Some("general wins: attrition"),
        _ => None,
    }
}

/// §4, after the Rebels' move: custodial capture, privy closed, General without a move, in this order.
fn after_the_rebels(position: &Position) -> Option<&'static str> {
    if captured_by_custody(position) {
        return Some("rebels win: custodial capture");
    }
    if privy_is_closed(position) {
        return Some("rebels win: privy closed");
    }
    if general_moves(position).is_empty() {
        return Some("rebels win: no move");
    }
    None
}

/// §2, custodial: the Rebel that just moved and another one have the General between them, in line.
fn captured_by_custody(position: &Position) -> bool {
    let Some(arrived) = position.rebel_arrived else {
        return false;
    };
    let mut pairs = position.game.board.pairs_around(position.at.general).iter();
    position.game.rules.custodial
        && pairs.any(|&(a, b)| (a == arrived && position.is_rebel(b)) || (b == arrived && position.is_rebel(a)))
}

/// §4: the General is in the privy, a Rebel is on every exit, and no allowed jump leads from any point of the privy over an exit
/// to an empty point of the field.
fn privy_is_closed(position: &Position) -> bool {
    let (rules, board) = (&position.game.rules, &position.game.board);
    if !rules.close_privy || !board.points[position.at.general].in_privy {
        return false;
    }
    if !board.exits.iter().all(|&exit| position.is_rebel(exit)) {
        return false;
    }
    if rules.jump != Jump::None {
        for start in 0..board.points.len() {
            if !board.points[start].in_privy {
                continue;
            }
            for &(over, to) in board.overs_from(start) {
                let lands_outside = !board.points[to].in_privy && position.is_empty(to);
                if board.exits.contains(&over) && lands_outside && jump_direction_allowed(position, start, to) {
                    return false;
                }
            }
        }
    }
    true
}

/// §4: the reason why a position is unreachable: the game would have ended before.
pub fn unreachable(position: &Position) -> Option<String> {
    if position.at.to_move != Side::General {
        return None;
    }
    let before = decided_by_the_general(position)?;
    Some(format!("the General is to move, but the game had ended: {before}"))
}
