//! Endings, RULES §4, without repetition and limits of plies.

use std::collections::BTreeSet;

use crate::board::PointIndex;
use crate::moves::NaiveMove;
use crate::{NaivePosition, NaiveSide};

/// The end by `past_rebels`.
const PAST: &str = "general wins: past";
/// The end by `custodial`.
const CUSTODIAL: &str = "rebels win: custodial capture";

impl NaivePosition {
    /// The reason why the game is over, if the side not to move has just moved; `None` while it continues.
    pub fn ending(&self) -> Option<&'static str> {
        self.ending_with(&self.moves())
    }

    /// The same with the [`moves`](NaivePosition::moves) of the position.
    pub fn ending_with(&self, moves: &[NaiveMove]) -> Option<&'static str> {
        match self.at.to_move {
            NaiveSide::Rebels => self.after_the_general(moves),
            NaiveSide::General => self.after_the_rebels(moves),
        }
    }

    /// The reason from that of the same position as it was set up: the arrival of a Rebel makes a custodial capture and
    /// no other end.
    pub fn ending_on_arrival(&self, set_up: Option<&'static str>) -> Option<&'static str> {
        if self.is_captured_by_custody() { Some(CUSTODIAL) } else { set_up }
    }

    /// §4, after the General's move: what its position decides, then Rebels without a move.
    fn after_the_general(&self, moves: &[NaiveMove]) -> Option<&'static str> {
        self.decisions().first().copied().or_else(|| self.without_a_move(moves))
    }

    /// §4, `no_move`: a side without a legal move loses, or has what the word says.
    fn without_a_move(&self, moves: &[NaiveMove]) -> Option<&'static str> {
        let blocked = self.at.to_move;
        moves.is_empty().then(|| match (blocked, self.rules.no_move(blocked)) {
            (_, "draw") => "draw: no move",
            (NaiveSide::General, "win") => "general wins: no move",
            (NaiveSide::Rebels, "win") => "rebels win: no move",
            (NaiveSide::General, _) => "rebels win: no move",
            (NaiveSide::Rebels, _) => "general wins: no move",
        })
    }

    /// The ends that hold by the General's position: apex, return, trap, bottom, goal, past, attrition, in this order.
    fn decisions(&self) -> Vec<&'static str> {
        let (rules, board) = (&self.rules, &self.rules.board);
        let mut ends = Vec::new();
        if let Some(general) = self.at.general {
            let point = &board.points[general];
            let on_apex = board.apex.contains(&general);
            match rules.word("apex") {
                "general" if on_apex => ends.push("general wins: apex"),
                "rebels" if on_apex => ends.push("rebels win: apex"),
                "return" if self.at.apex_visited && !point.in_privy => ends.push("general wins: apex and return"),
                _ => {}
            }
            if rules.lists("general_loses_on", general) {
                ends.push("rebels win: trap");
            }
            if rules.word("bottom") == "general" && !point.in_privy && point.row() == 1 {
                ends.push("general wins: bottom");
            }
            if rules.lists("goal", general) && !self.has_not_left_its_goal() {
                ends.push("general wins: goal");
            }
            let is_passed = |rebel: &PointIndex| board.points[*rebel].y > point.y;
            if rules.flag("past_rebels") && self.at.rebels_in_hand == 0 && self.at.rebels.iter().all(is_passed) {
                ends.push(PAST);
            }
        }
        let left = self.at.rebels.len() + self.at.rebels_in_hand;
        if rules.number("rebels_at_most").is_some_and(|limit| left as i64 <= limit) {
            ends.push("general wins: attrition");
        }
        ends
    }

    /// `goal_on_return`: the General begins on its goal, which counts once the General has moved. So it does not count
    /// in the opening as it is set up, nor, with the General to move, on the point where the opening has it.
    fn has_not_left_its_goal(&self) -> bool {
        if !self.rules.flag("goal_on_return") || self.general_moved {
            return false;
        }
        let opening = NaivePosition::opening(&self.rules).at;
        match self.at.to_move {
            NaiveSide::Rebels => self.at == opening,
            NaiveSide::General => self.at.general == opening.general,
        }
    }

    /// The first end that holds by the General's position whoever is to move. A Rebel that rises may let the General be
    /// past it, so that end is not among them.
    pub(crate) fn decided_for_good(&self) -> Option<&'static str> {
        self.decisions().into_iter().find(|end| *end != PAST)
    }

    /// §4, after the Rebels' move: custodial capture, privy closed, goal, past, General without a move, in this order.
    fn after_the_rebels(&self, moves: &[NaiveMove]) -> Option<&'static str> {
        if self.is_captured_by_custody() {
            return Some(CUSTODIAL);
        }
        if self.privy_is_closed() {
            return Some("rebels win: privy closed");
        }
        if self.rebels_are_on_their_goal() {
            return Some("rebels win: goal");
        }
        if self.decisions().contains(&PAST) {
            return Some(PAST);
        }
        self.without_a_move(moves)
    }

    /// `rebels_goal`: Rebels hold all of its points.
    fn rebels_are_on_their_goal(&self) -> bool {
        let holds_all = |goal: Vec<PointIndex>| goal.iter().all(|spot| self.is_rebel(*spot));
        self.rules.listed("rebels_goal").is_some_and(holds_all)
    }

    /// §2, custodial: the Rebel that just moved and another one have the General between them, in line.
    fn is_captured_by_custody(&self) -> bool {
        let Some((arrived, general)) = self.rebel_arrived.zip(self.at.general) else { return false };
        let mut pairs = self.rules.board.pairs_around(general).iter();
        self.rules.flag("custodial")
            && pairs.any(|&(a, b)| (a == arrived && self.is_rebel(b)) || (b == arrived && self.is_rebel(a)))
    }

    /// §4: the General is in the privy, a Rebel is on every exit, and no allowed jump leads from any point of the privy
    /// over an exit to an empty point of the field.
    fn privy_is_closed(&self) -> bool {
        let (rules, board) = (&self.rules, &self.rules.board);
        if !rules.flag("close_privy") || !self.at.general.is_some_and(|spot| board.points[spot].in_privy) {
            return false;
        }
        if !board.exits.iter().all(|&exit| self.is_rebel(exit)) {
            return false;
        }
        if rules.word("jump") == "none" {
            return true;
        }
        for start in (0..board.points.len()).filter(|start| board.points[*start].in_privy) {
            for (row, to) in self.jumps_from(start, &BTreeSet::new()) {
                if !board.points[to].in_privy && row.iter().any(|over| board.exits.contains(over)) {
                    return false;
                }
            }
        }
        true
    }

    /// §4: the reason why no game reaches the position: it would have ended before.
    pub fn unreachable(&self) -> Option<&'static str> {
        if self.at.to_move == NaiveSide::General { self.decided_for_good() } else { None }
    }
}
