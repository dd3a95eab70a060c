//! Endings, RULES §4, without repetition and limits of plies.

use crate::moves::NaiveMove;
use crate::{NaivePosition, NaiveSide};

impl NaivePosition {
    /// The reason why the game is over, if the side not to move has just moved; `None` while it continues.
    pub fn ending(&self) -> Option<&'static str> {
        self.ending_with(&self.moves())
    }

    /// The same with the moves of the side to move.
    pub(crate) fn ending_with(&self, moves: &[NaiveMove]) -> Option<&'static str> {
        match self.at.to_move {
            NaiveSide::Rebels => self.after_the_general(moves),
            NaiveSide::General => self.after_the_rebels(moves),
        }
    }

    /// §4, after the General's move: apex, return, bottom, goal, attrition, Rebels without a move, in this order.
    fn after_the_general(&self, moves: &[NaiveMove]) -> Option<&'static str> {
        let decided = self.decided_by_the_general();
        decided.or_else(|| moves.is_empty().then_some("general wins: no move"))
    }

    /// §4, items 1 to 3: the ends that the General reaches, whoever is to move.
    pub(crate) fn decided_by_the_general(&self) -> Option<&'static str> {
        let (rules, board) = (&self.rules, &self.rules.board);
        let general = self.at.general;
        let on_apex = board.apex.contains(&general);
        let on_field = !board.points[general].in_privy;
        match rules.word("apex") {
            "general" if on_apex => return Some("general wins: apex"),
            "rebels" if on_apex => return Some("rebels win: apex"),
            "return" if self.at.apex_visited && on_field => return Some("general wins: apex and return"),
            _ => {}
        }
        if rules.word("bottom") == "general" && on_field && board.points[general].row() == 1 {
            return Some("general wins: bottom");
        }
        if rules.is_goal(board.name(general)) {
            return Some("general wins: goal");
        }
        let limit = rules.number("rebels_at_most")?;
        (self.at.rebels.len() as i64 <= limit).then_some("general wins: attrition")
    }

    /// §4, after the Rebels' move: custodial capture, privy closed, General without a move, in this order.
    fn after_the_rebels(&self, moves: &[NaiveMove]) -> Option<&'static str> {
        if self.is_captured_by_custody() {
            return Some("rebels win: custodial capture");
        }
        if self.privy_is_closed() {
            return Some("rebels win: privy closed");
        }
        moves.is_empty().then_some("rebels win: no move")
    }

    /// §2, custodial: the Rebel that just moved and another one have the General between them, in line.
    fn is_captured_by_custody(&self) -> bool {
        let Some(arrived) = self.rebel_arrived else { return false };
        let mut pairs = self.rules.board.pairs_around(self.at.general).iter();
        self.rules.flag("custodial")
            && pairs.any(|&(a, b)| (a == arrived && self.is_rebel(b)) || (b == arrived && self.is_rebel(a)))
    }

    /// §4: the General is in the privy, a Rebel is on every exit, and no allowed jump leads from any point of the privy over an exit
    /// to an empty point of the field.
    fn privy_is_closed(&self) -> bool {
        let (rules, board) = (&self.rules, &self.rules.board);
        if !rules.flag("close_privy") || !board.points[self.at.general].in_privy {
            return false;
        }
        if !board.exits.iter().all(|&exit| self.is_rebel(exit)) {
            return false;
        }
        if rules.word("jump") == "none" {
            return true;
        }
        for start in (0..board.points.len()).filter(|start| board.points[*start].in_privy) {
            for &(over, to) in board.overs_from(start) {
                let lands_outside = !board.points[to].in_privy && self.is_empty(to);
                if board.exits.contains(&over) && lands_outside && self.jump_direction_allowed(start, to) {
                    return false;
                }
            }
        }
        true
    }

    /// §4: the reason why no game reaches the position: it would have ended before.
    pub fn unreachable(&self) -> Option<&'static str> {
        if self.at.to_move == NaiveSide::General { self.decided_by_the_general() } else { None }
    }
}
