//! The moves of RULES §2 and §3.

use super::boards::{Board, Spot};
use super::position::Position;
use super::variants::{Jump, Side, Static};
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub enum Way {
    /// A step, a slide or a leap without capture, with its target.
    Plain(Spot),
    /// A jump or a chain of jumps, with every landing.
    Jumps(Vec<Spot>),
    /// Static intervention: the General stays and removes these two.
    Static(Spot, Spot),
    FreeJump(Spot),
}

#[derive(Clone, Debug)]
pub struct Move {
    pub from: Spot,
    pub way: Way,
    pub captured: BTreeSet<Spot>,
}

impl Move {
    pub fn to(&self) -> Spot {
        match &self.way {
            Way::Plain(to) | Way::FreeJump(to) => *to,
            Way::Jumps(landings) => *landings.last().unwrap(),
            Way::Static(_, _) => self.from,
        }
    }

    pub fn is_free_jump(&self) -> bool {
        matches!(self.way, Way::FreeJump(_))
    }

    /// The canonical text (FORMS §1).
    pub fn text(&self, board: &Board) -> String {
        let from = board.name(self.from);
        match &self.way {
            Way::Plain(to) => format!("{from}-{}", board.name(*to)),
            Way::FreeJump(to) => format!("{from}~{}", board.name(*to)),
            Way::Jumps(landings) => {
                let names: Vec<&str> = landings.iter().map(|&s| board.name(s)).collect();
                format!("{from}x{}", names.join("x"))
            }
            Way::Static(a, b) => {
                let mut pair = [*a, *b];
                pair.sort_by_key(|&s| (board.points[s].row(), board.points[s].file()));
                format!("{from}:{}{}", board.name(pair[0]), board.name(pair[1]))
            }
        }
    }
}

/// All moves of the side to move, even if the game is over.
pub fn moves(position: &Position) -> Vec<Move> {
    match position.at.to_move {
        Side::General => general_moves(position),
        Side::Rebels => rebel_moves(position),
    }
}

/// §3: a Rebel steps to an adjacent empty point, into the privy only if the rules allow it; `forward`: never to a lower row.
pub fn rebel_moves(position: &Position) -> Vec<Move> {
    let (rules, board) = (&position.game.rules, &position.game.board);
    let mut found = Vec::new();
    for &from in &position.at.rebels {
        for &to in board.neighbours(from) {
            if !position.is_empty(to) {
                continue;
            }
            if board.points[to].in_privy && !rules.rebels_enter_privy {
                continue;
            }
            if rules.forward && board.points[to].y2 < board.points[from].y2 {
                continue;
            }
            found.push(Move { from, way: Way::Plain(to), captured: BTreeSet::new() });
        }
    }
    found
}

/// §2, compulsory: if some move captures, only capturing moves are legal.
pub fn general_moves(position: &Position) -> Vec<Move> {
    let mut found = Vec::new();
    found.extend(steps_and_slides(position));
    found.extend(free_jumps(position));
    found.extend(static_interventions(position));
    found.extend(jumps(position));
    found.extend(diagonal_leaps(position));
    if position.game.rules.compulsory && found.iter().any(|mv| !mv.captured.is_empty()) {
        found.retain(|mv| !mv.captured.is_empty());
    }
    found
}

/// §3: a step to an adjacent empty point; `slide`: further along the line while it is empty.
fn steps_and_slides(position: &Position) -> Vec<Move> {
    let (rules, board) = (&position.game.rules, &position.game.board);
    let from = position.at.general;
    let mut targets = Vec::new();
    for ray in board.rays(from) {
        let reach = if rules.slide { ray.len() } else { 1 };
        for &to in ray.iter().take(reach) {
            if !position.is_empty(to) {
                break;
            }
            targets.push(to);
        }
    }
    let mut found = Vec::new();
    for to in targets {
        let mut captured = BTreeSet::new();
        if rules.intervention {
            captured.extend(intervention(position, to));
        }
        if rules.deferred {
            captured.extend(deferred_intervention(position, to));
        }
        found.push(Move { from, way: Way::Plain(to), captured });
    }
    found
}

/// §3: while free jumps remain, to any empty point of the field.
fn free_jumps(position: &Position) -> Vec<Move> {
    let (rules, board) = (&position.game.rules, &position.game.board);
    let mut found = Vec::new();
    if position.at.free_jumps_left > 0 {
        for to in 0..board.points.len() {
            if position.is_empty(to) && !board.points[to].in_privy {
                let captured = if rules.intervention { intervention(position, to) } else { BTreeSet::new() };
                found.push(Move { from: position.at.general, way: Way::FreeJump(to), captured });
            }
        }
    }
    found
}

/// §2: the pairs of Rebels in line around a point; `orthogonal`: on orthogonal lines only.
fn rebel_pairs_around(position: &Position, middle: Spot) -> Vec<(Spot, Spot)> {
    let (rules, board) = (&position.game.rules, &position.game.board);
    let mut found = Vec::new();
    for &(a, b) in board.pairs_around(middle) {
        let line_counts = !rules.orthogonal || board.is_orthogonal(a, b);
        if line_counts && position.is_rebel(a) && position.is_rebel(b) {
            found.push((a, b));
        }
    }
    found
}

/// §2, intervention: the General arrives between two Rebels; all such pairs are captured.
fn intervention(position: &Position, arrival: Spot) -> BTreeSet<Spot> {
    rebel_pairs_around(position, arrival).into_iter().flat_map(|(a, b)| [a, b]).collect()
}

/// §2, deferred intervention: the General leaves a point between two Rebels whose line is at right angles to its step.
fn deferred_intervention(position: &Position, to: Spot) -> BTreeSet<Spot> {
    let left = position.at.general;
    let mut captured = BTreeSet::new();
    for (a, b) in rebel_pairs_around(position, left) {
        if position.game.board.at_right_angles(left, to, a, b) {
            captured.extend([a, b]);
        }
    }
    captured
}

/// §2, static intervention: the General stays and removes one pair. `surrounded`: only with a Rebel on every adjacent point; in a
/// corner, two neighbours that are not in line are a pair too.
fn static_interventions(position: &Position) -> Vec<Move> {
    let (rules, board) = (&position.game.rules, &position.game.board);
    let stand = position.at.general;
    let pairs = match rules.statics {
        Static::None => Vec::new(),
        Static::Any => rebel_pairs_around(position, stand),
        Static::Surrounded => {
            let around: Vec<Spot> = board.neighbours(stand).iter().copied().collect();
            if !around.iter().all(|&s| position.is_rebel(s)) {
                Vec::new()
            } else if around.len() == 2 && board.pairs_around(stand).is_empty() {
                vec![(around[0], around[1])]
            } else {
                rebel_pairs_around(position, stand)
            }
        }
    };
    let as_move = |(a, b)| Move { from: stand, way: Way::Static(a, b), captured: BTreeSet::from([a, b]) };
    pairs.into_iter().map(as_move).collect()
}

/// §2, jump: over an adjacent Rebel to the empty point behind it; `multi`: as long as a jump is possible; `free`: the General may
/// stop on any landing.
fn jumps(position: &Position) -> Vec<Move> {
    let mut found = Vec::new();
    if position.game.rules.jump != Jump::None {
        extend_chain(position, position.at.general, &[], &BTreeSet::new(), &mut found);
    }
    found
}

/// Adds every chain that begins with `landings` and may end. The Rebels in `captured` are taken.
fn extend_chain(position: &Position, stand: Spot, landings: &[Spot], captured: &BTreeSet<Spot>, found: &mut Vec<Move>) {
    let start = position.at.general;
    let rule = position.game.rules.jump;
    let may_go_on = landings.is_empty() || rule == Jump::Multi || rule == Jump::Free;
    let mut went_on = false;
    if may_go_on {
        for &(over, to) in position.game.board.overs_from(stand) {
            // The starting point is empty once the General has left it, and so are the points of captured Rebels.
            let rebel_there = position.is_rebel(over) && !captured.contains(&over);
            let lands = position.is_empty(to) || to == start || captured.contains(&to);
            if rebel_there && lands && jump_direction_allowed(position, stand, to) {
                went_on = true;
                let landings = [landings, &[to]].concat();
                let mut captured = captured.clone();
                captured.insert(over);
                extend_chain(position, to, &landings, &captured, found);
            }
        }
    }
    if (!went_on || rule == Jump::Free) && !landings.is_empty() {
        let way = Way::Jumps(landings.to_vec());
        found.push(Move { from: start, way, captured: captured.clone() });
    }
}

/// §2: `diagonal` restricts jumps to diagonal lines.
pub fn jump_direction_allowed(position: &Position, from: Spot, to: Spot) -> bool {
    match position.game.rules.jump {
        Jump::None => false,
        Jump::SingleDiagonal => !position.game.board.is_orthogonal(from, to),
        Jump::Single | Jump::Multi | Jump::Free => true,
    }
}

/// §2, leap without capture: diagonally over a Rebel, which stays.
fn diagonal_leaps(position: &Position) -> Vec<Move> {
    let board = &position.game.board;
    let from = position.at.general;
    let mut found = Vec::new();
    if position.game.rules.diagonal_leap {
        for &(over, to) in board.overs_from(from) {
            if position.is_rebel(over) && position.is_empty(to) && !board.is_orthogonal(from, to) {
                found.push(Move { from, way: Way::Plain(to), captured: BTreeSet::new() });
            }
        }
    }
    found
}
