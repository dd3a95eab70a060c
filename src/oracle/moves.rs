//! The moves of RULES §2 and §3.

use std::collections::BTreeSet;

use crate::board::{NaiveBoard, PointIndex};
use crate::{NaivePosition, NaiveSide};

/// The way of a move.
#[derive(Clone, Debug)]
pub enum MoveForm {
    /// A step, a slide or a leap without capture, with its target.
    Plain(PointIndex),
    /// A jump or a chain of jumps, with every landing.
    Jumps(Vec<PointIndex>),
    /// Static intervention: the General stays and removes these two.
    Static(PointIndex, PointIndex),
    /// A free jump, with its target.
    FreeJump(PointIndex),
}

/// A move.
#[derive(Clone, Debug)]
pub struct NaiveMove {
    /// Where the piece stands before.
    pub from: PointIndex,
    /// How it moves.
    pub way: MoveForm,
    /// The Rebels that fall.
    pub captured: BTreeSet<PointIndex>,
}

impl NaiveMove {
    /// Where the piece stands after.
    pub fn to(&self) -> PointIndex {
        match &self.way {
            MoveForm::Plain(to) | MoveForm::FreeJump(to) => *to,
            MoveForm::Jumps(landings) => landings.last().copied().unwrap_or(self.from),
            MoveForm::Static(_, _) => self.from,
        }
    }

    /// The canonical text (FORMS §1).
    pub fn text(&self, board: &NaiveBoard) -> String {
        let from = board.name(self.from);
        match &self.way {
            MoveForm::Plain(to) => format!("{from}-{}", board.name(*to)),
            MoveForm::FreeJump(to) => format!("{from}~{}", board.name(*to)),
            MoveForm::Jumps(landings) => landings.iter().fold(from.to_owned(), |text, to| text + "x" + board.name(*to)),
            MoveForm::Static(a, b) => format!("{from}:{}", board.names([*a, *b]).concat()),
        }
    }
}

impl NaivePosition {
    /// All moves of the side to move, even if the game is over.
    pub fn moves(&self) -> Vec<NaiveMove> {
        match self.at.to_move {
            NaiveSide::General => self.general_moves(),
            NaiveSide::Rebels => self.rebel_moves(),
        }
    }

    /// §3: a Rebel steps to an adjacent empty point, into the privy only if the rules allow it; `forward`: never to a lower row.
    fn rebel_moves(&self) -> Vec<NaiveMove> {
        let (rules, board) = (&self.rules, &self.rules.board);
        let (enter_privy, forward) = (rules.flag("enter_privy"), rules.flag("forward"));
        let mut found = Vec::new();
        for &from in &self.at.rebels {
            for &to in board.neighbours(from) {
                if !self.is_empty(to) {
                    continue;
                }
                if board.points[to].in_privy && !enter_privy {
                    continue;
                }
                if forward && board.points[to].y < board.points[from].y {
                    continue;
                }
                found.push(NaiveMove { from, way: MoveForm::Plain(to), captured: BTreeSet::new() });
            }
        }
        found
    }

    /// §2, compulsory: if some move captures, only capturing moves are legal.
    fn general_moves(&self) -> Vec<NaiveMove> {
        let mut found = Vec::new();
        self.steps_and_slides(&mut found);
        self.free_jumps(&mut found);
        self.static_interventions(&mut found);
        if self.rules.word("jump") != "none" {
            self.extend_chain(self.at.general, &[], &BTreeSet::new(), &mut found);
        }
        self.leaps(&mut found);
        if self.rules.flag("compulsory") && found.iter().any(|mv| !mv.captured.is_empty()) {
            found.retain(|mv| !mv.captured.is_empty());
        }
        found
    }

    /// §3: a step to an adjacent empty point; `slide`: further along the line while it is empty.
    fn steps_and_slides(&self, found: &mut Vec<NaiveMove>) {
        let from = self.at.general;
        let mut targets = BTreeSet::new();
        for ray in self.rules.board.rays(from) {
            let reach = if self.rules.flag("slide") { ray.len() } else { 1 };
            targets.extend(ray.iter().copied().take(reach).take_while(|to| self.is_empty(*to)));
        }
        for to in targets {
            let mut captured = self.intervention(to);
            captured.extend(self.deferred_intervention(to));
            found.push(NaiveMove { from, way: MoveForm::Plain(to), captured });
        }
    }

    /// §3: while free jumps remain, to any empty point of the field.
    fn free_jumps(&self, found: &mut Vec<NaiveMove>) {
        let points = &self.rules.board.points;
        for to in (0..points.len()).filter(|_| self.at.free_jumps > 0) {
            if self.is_empty(to) && !points[to].in_privy {
                let captured = self.intervention(to);
                found.push(NaiveMove { from: self.at.general, way: MoveForm::FreeJump(to), captured });
            }
        }
    }

    /// §2: the pairs of Rebels in line around a point; `orthogonal`: on orthogonal lines only.
    fn rebel_pairs_around(&self, middle: PointIndex) -> Vec<(PointIndex, PointIndex)> {
        let board = &self.rules.board;
        let mut found = Vec::new();
        for &(a, b) in board.pairs_around(middle) {
            let line_counts = !self.rules.flag("orthogonal") || board.is_orthogonal(a, b);
            if line_counts && self.is_rebel(a) && self.is_rebel(b) {
                found.push((a, b));
            }
        }
        found
    }

    /// §2, intervention: the General arrives between two Rebels; all such pairs are captured.
    fn intervention(&self, arrival: PointIndex) -> BTreeSet<PointIndex> {
        let mut captured = BTreeSet::new();
        if self.rules.flag("intervention") {
            for (a, b) in self.rebel_pairs_around(arrival) {
                captured.extend([a, b]);
            }
        }
        captured
    }

    /// §2, deferred intervention: the General leaves a point between two Rebels whose line is at right angles to its step. A slide
    /// further than to an adjacent point is no step.
    fn deferred_intervention(&self, to: PointIndex) -> BTreeSet<PointIndex> {
        let (board, left) = (&self.rules.board, self.at.general);
        let mut captured = BTreeSet::new();
        if self.rules.flag("deferred") && board.neighbours(left).contains(&to) {
            for (a, b) in self.rebel_pairs_around(left) {
                if board.at_right_angles(left, to, a, b) {
                    captured.extend([a, b]);
                }
            }
        }
        captured
    }

    /// §2, static intervention: the General stays and removes one pair. `surrounded`: only with a Rebel on every adjacent point; in a
    /// corner, two neighbours that are not in line are a pair too.
    fn static_interventions(&self, found: &mut Vec<NaiveMove>) {
        let (board, stand) = (&self.rules.board, self.at.general);
        let around: Vec<PointIndex> = board.neighbours(stand).iter().copied().collect();
        let is_surrounded = around.iter().all(|spot| self.is_rebel(*spot));
        let mut pairs = Vec::new();
        match self.rules.word("static") {
            "any" => pairs = self.rebel_pairs_around(stand),
            "surrounded" if is_surrounded => {
                pairs = self.rebel_pairs_around(stand);
                if let ([a, b], []) = (around.as_slice(), board.pairs_around(stand)) {
                    pairs.push((*a, *b));
                }
            }
            _ => {}
        }
        for (a, b) in pairs {
            found.push(NaiveMove { from: stand, way: MoveForm::Static(a, b), captured: BTreeSet::from([a, b]) });
        }
    }

    /// §2, jump: over an adjacent Rebel to the empty point behind it; `multi`: as long as a jump is possible; `free`: the General may
    /// stop on any landing. Adds every chain that begins with `landings` and may end. The Rebels in `captured` are taken.
    fn extend_chain(
        &self,
        stand: PointIndex,
        landings: &[PointIndex],
        captured: &BTreeSet<PointIndex>,
        found: &mut Vec<NaiveMove>,
    ) {
        let (start, rule) = (self.at.general, self.rules.word("jump"));
        let may_go_on = landings.is_empty() || rule == "multi" || rule == "free";
        let mut went_on = false;
        for &(over, to) in self.rules.board.overs_from(stand).iter().filter(|_| may_go_on) {
            // The starting point is empty once the General has left it, and so are the points of captured Rebels.
            let rebel_there = self.is_rebel(over) && !captured.contains(&over);
            let lands = self.is_empty(to) || to == start || captured.contains(&to);
            if rebel_there && lands && self.jump_direction_allowed(stand, to) {
                went_on = true;
                let mut captured = captured.clone();
                captured.insert(over);
                self.extend_chain(to, &[landings, &[to]].concat(), &captured, found);
            }
        }
        if (!went_on || rule == "free") && !landings.is_empty() {
            let way = MoveForm::Jumps(landings.to_vec());
            found.push(NaiveMove { from: start, way, captured: captured.clone() });
        }
    }

    /// §2: `diagonal` restricts jumps to diagonal lines.
    pub(crate) fn jump_direction_allowed(&self, from: PointIndex, to: PointIndex) -> bool {
        self.rules.word("jump_lines") != "diagonal" || !self.rules.board.is_orthogonal(from, to)
    }

    /// §2, leap without capture: over a Rebel, which stays; `diagonal`: along diagonal lines only.
    fn leaps(&self, found: &mut Vec<NaiveMove>) {
        let (board, from) = (&self.rules.board, self.at.general);
        let rule = self.rules.word("leap");
        for &(over, to) in board.overs_from(from).iter().filter(|_| rule != "none") {
            let line_counts = rule != "diagonal" || !board.is_orthogonal(from, to);
            if line_counts && self.is_rebel(over) && self.is_empty(to) {
                found.push(NaiveMove { from, way: MoveForm::Plain(to), captured: BTreeSet::new() });
            }
        }
    }
}
