//! Positions: the rules, their board and the pieces.

use super::boards::{Board, Spot};
use super::moves::Move;
use super::variants::{Apex, Rules, Side};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The rules with their board.
#[derive(Debug)]
pub struct Game {
    pub rules: Rules,
    pub board: Board,
}

/// The placement that §4 compares for repetition: pieces, side to move and flags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    pub general: Spot,
    pub rebels: BTreeSet<Spot>,
    pub to_move: Side,
    pub apex_visited: bool,
    pub free_jumps_left: u8,
}

#[derive(Clone, Debug)]
pub struct Position {
    pub game: Arc<Game>,
    pub at: Placement,
    /// The arrival of the last Rebel move; `None` in a position that was set up.
    pub rebel_arrived: Option<Spot>,
}

impl Position {
    pub fn opening(rules: Rules) -> Position {
        let board = rules.board();
        let at = Placement {
            general: board.spot(rules.general),
            rebels: rules.rebels.split_whitespace().map(|name| board.spot(name)).collect(),
            to_move: rules.first,
            apex_visited: false,
            free_jumps_left: rules.free_jumps,
        };
        Position { game: Arc::new(Game { rules, board }), at, rebel_arrived: None }
    }

    pub fn is_rebel(&self, spot: Spot) -> bool {
        self.at.rebels.contains(&spot)
    }

    pub fn is_empty(&self, spot: Spot) -> bool {
        spot != self.at.general && !self.is_rebel(spot)
    }

    /// Makes a legal move.
    pub fn after(&self, mv: &Move) -> Position {
        let mut next = self.clone();
        match self.at.to_move {
            Side::General => {
                next.at.general = mv.to();
                for rebel in &mv.captured {
                    next.at.rebels.remove(rebel);
                }
                if mv.is_free_jump() {
                    next.at.free_jumps_left -= 1;
                }
                next.rebel_arrived = None;
                next.note_apex();
                next.at.to_move = Side::Rebels;
            }
            Side::Rebels => {
                next.at.rebels.remove(&mv.from);
                next.at.rebels.insert(mv.to());
                next.rebel_arrived = Some(mv.to());
                next.at.to_move = Side::General;
            }
        }
        next
    }

    /// §4, `apex = return`: sets the flag when the General stands on an apex point.
    pub fn note_apex(&mut self) {
        let has_flag = self.game.rules.apex == Apex::Return;
        let stands_there = self.game.board.apex.contains(&self.at.general);
        self.at.apex_visited = has_flag && (self.at.apex_visited || stands_there);
    }
}
