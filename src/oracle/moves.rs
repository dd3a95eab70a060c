//! The moves of RULES §2 and §3.

use std::collections::BTreeSet;

use crate::board::{NaiveBoard, PointIndex};
use crate::{NaivePosition, NaiveSide};

/// The way of a move.
#[derive(Clone, Debug)]
pub(crate) enum MoveForm {
    /// A step, a slide or a leap without capture: from, to.
    Plain(PointIndex, PointIndex),
    /// A jump or a chain of jumps: from, and every landing.
    Jumps(PointIndex, Vec<PointIndex>),
    /// Static intervention: the General stays on the first point and removes the other two.
    Static(PointIndex, PointIndex, PointIndex),
    /// A free jump: from, to.
    FreeJump(PointIndex, PointIndex),
    /// A piece from the hand, with its point.
    Drop(PointIndex),
    /// Nothing moves.
    Pass,
}

/// A move.
#[derive(Clone, Debug)]
pub struct NaiveMove {
    /// How the piece moves.
    pub(crate) way: MoveForm,
    /// The Rebels that fall.
    pub captured: BTreeSet<PointIndex>,
}

impl NaiveMove {
    fn quiet(way: MoveForm) -> NaiveMove {
        NaiveMove { way, captured: BTreeSet::new() }
    }

    /// Where the piece stands after; `None` of a pass.
    pub fn to(&self) -> Option<PointIndex> {
        match &self.way {
            MoveForm::Plain(_, to) | MoveForm::FreeJump(_, to) | MoveForm::Drop(to) => Some(*to),
            MoveForm::Jumps(from, landings) => Some(landings.last().copied().unwrap_or(*from)),
            MoveForm::Static(stand, _, _) => Some(*stand),
            MoveForm::Pass => None,
        }
    }

    /// The canonical text (FORMATS §1).
    pub fn text(&self, board: &NaiveBoard) -> String {
        let name = |spot: &PointIndex| board.name(*spot);
        match &self.way {
            MoveForm::Plain(from, to) => format!("{}-{}", name(from), name(to)),
            MoveForm::FreeJump(from, to) => format!("{}~{}", name(from), name(to)),
            MoveForm::Jumps(from, landings) => {
                landings.iter().fold(name(from).to_owned(), |text, to| text + "x" + name(to))
            }
            MoveForm::Static(stand, a, b) => format!("{}:{}", name(stand), board.names([*a, *b]).concat()),
            MoveForm::Drop(to) => format!("@{}", name(to)),
            MoveForm::Pass => "pass".to_owned(),
        }
    }
}

impl NaivePosition {
    /// All moves of the side to move, even if the game is over. `no_move`: a side that has none may have to pass.
    pub fn moves(&self) -> Vec<NaiveMove> {
        let side = self.at.to_move;
        let waits = self.rules.flag("general_waits") && self.at.rebels_in_hand > 0;
        let moves = match (side, self.at.general) {
            (NaiveSide::General, None) => self.drops("general_drops_on", |_| true),
            (NaiveSide::General, Some(_)) if waits => vec![NaiveMove::quiet(MoveForm::Pass)],
            (NaiveSide::General, Some(stand)) => self.general_moves(stand),
            (NaiveSide::Rebels, _) if self.at.rebels_in_hand > 0 => {
                self.drops("rebels_drop_on", |spot| self.rules.ground.contains(&spot))
            }
            (NaiveSide::Rebels, _) => self.rebel_moves(),
        };
        match moves.is_empty() && self.rules.no_move(side) == "pass" {
            true => vec![NaiveMove::quiet(MoveForm::Pass)],
            false => moves,
        }
    }

    /// A piece in hand goes to any empty point where it may stand, or to one that is listed.
    fn drops(&self, key: &str, may_stand: impl Fn(PointIndex) -> bool) -> Vec<NaiveMove> {
        let listed = self.rules.listed(key).unwrap_or_else(|| (0..self.rules.board.points.len()).collect());
        let open = listed.into_iter().filter(|spot| self.is_empty(*spot) && may_stand(*spot));
        open.map(|to| NaiveMove::quiet(MoveForm::Drop(to))).collect()
    }

    /// `orthogonal_steps`: the lines along which the side steps and slides, all or the orthogonal ones.
    fn step_lines(&self, side: &str) -> impl Fn(PointIndex, PointIndex) -> bool {
        let rule = self.rules.word("orthogonal_steps");
        let any = rule != side && rule != "both";
        move |from, to| any || self.rules.board.is_orthogonal(from, to)
    }

    /// §3: a Rebel steps to an adjacent empty point where Rebels may stand. `forward`: never to a lower row; `only`: to
    /// a higher row; `straight`: to a higher row on the same file.
    fn rebel_moves(&self) -> Vec<NaiveMove> {
        let (rules, board) = (&self.rules, &self.rules.board);
        let (never_down, forward, may_step) = (rules.flag("forward"), rules.word("forward"), self.step_lines("rebels"));
        let is_forward = |from: PointIndex, to: PointIndex| {
            let (from, to) = (&board.points[from], &board.points[to]);
            match forward {
                "only" => to.y > from.y,
                "straight" => to.y > from.y && to.x == from.x,
                _ => !never_down || to.y >= from.y,
            }
        };
        let mut found = Vec::new();
        for &from in &self.at.rebels {
            for &to in board.neighbours(from) {
                let is_open = self.is_empty(to) && rules.ground.contains(&to);
                if is_open && is_forward(from, to) && may_step(from, to) {
                    found.push(NaiveMove::quiet(MoveForm::Plain(from, to)));
                }
            }
        }
        found
    }

    /// §2, compulsory: if some move captures, only capturing moves are legal.
    fn general_moves(&self, stand: PointIndex) -> Vec<NaiveMove> {
        let mut found = Vec::new();
        self.steps_and_slides(stand, &mut found);
        self.free_jumps(stand, &mut found);
        self.static_interventions(stand, &mut found);
        if self.rules.word("jump") != "none" {
            self.extend_chain(stand, &[], &BTreeSet::new(), &mut found);
        }
        self.leaps(stand, &mut found);
        if self.rules.flag("compulsory") && found.iter().any(|mv| !mv.captured.is_empty()) {
            found.retain(|mv| !mv.captured.is_empty());
        }
        found
    }

    /// §3: a step to an adjacent empty point; `slide`: further along the line while it is empty.
    fn steps_and_slides(&self, from: PointIndex, found: &mut Vec<NaiveMove>) {
        let is_open = |to: &PointIndex| self.is_empty(*to);
        let (slides, may_step) = (self.rules.flag("slide"), self.step_lines("general"));
        let mut targets = BTreeSet::new();
        for ray in self.rules.board.rays(from) {
            let reach = if slides { ray.len() } else { 1 };
            targets.extend(ray.iter().copied().take(reach).take_while(is_open));
        }
        for to in targets.into_iter().filter(|to| may_step(from, *to)) {
            let mut captured = self.intervention(to);
            captured.extend(self.deferred_intervention(from, to));
            found.push(NaiveMove { way: MoveForm::Plain(from, to), captured });
        }
    }

    /// §3: while free jumps remain, to any empty point of the field.
    fn free_jumps(&self, from: PointIndex, found: &mut Vec<NaiveMove>) {
        let points = &self.rules.board.points;
        for to in (0..points.len()).filter(|_| self.at.free_jumps > 0) {
            if self.is_empty(to) && !points[to].in_privy {
                let captured = self.intervention(to);
                found.push(NaiveMove { way: MoveForm::FreeJump(from, to), captured });
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

    /// §2, deferred intervention: the General leaves a point between two Rebels whose line is at right angles to its
    /// step. A slide further than to an adjacent point is no step.
    fn deferred_intervention(&self, left: PointIndex, to: PointIndex) -> BTreeSet<PointIndex> {
        let board = &self.rules.board;
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

    /// §2, static intervention: the General stays and removes one pair. `surrounded`: only with a Rebel on every
    /// adjacent point; in a corner, two neighbours that are not in line are a pair too.
    fn static_interventions(&self, stand: PointIndex, found: &mut Vec<NaiveMove>) {
        let board = &self.rules.board;
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
            found.push(NaiveMove { way: MoveForm::Static(stand, a, b), captured: BTreeSet::from([a, b]) });
        }
    }

    /// §2, jump: over an adjacent Rebel to the empty point behind it; `multi`: as long as a jump is possible; `free`:
    /// the General may stop on any landing. Adds every chain that begins with `landings` and may end. The Rebels in
    /// `captured` are taken.
    fn extend_chain(
        &self,
        stand: PointIndex,
        landings: &[PointIndex],
        captured: &BTreeSet<PointIndex>,
        found: &mut Vec<NaiveMove>,
    ) {
        let rule = self.rules.word("jump");
        let may_go_on = landings.is_empty() || rule == "multi" || rule == "free";
        let nexts = if may_go_on { self.jumps_from(stand, captured) } else { BTreeSet::new() };
        for (row, to) in &nexts {
            let captured = captured.iter().chain(row).copied().collect();
            self.extend_chain(*to, &[landings, &[*to]].concat(), &captured, found);
        }
        if let Some(start) = self.at.general.filter(|_| !landings.is_empty() && (nexts.is_empty() || rule == "free")) {
            found.push(NaiveMove { way: MoveForm::Jumps(start, landings.to_vec()), captured: captured.clone() });
        }
    }

    /// The jumps from a point once the Rebels in `captured` are taken: what each goes over, and its landing.
    /// `jump_rows`: over one Rebel, or over an odd number that follow one another from the next point on.
    pub(crate) fn jumps_from(
        &self,
        stand: PointIndex,
        captured: &BTreeSet<PointIndex>,
    ) -> BTreeSet<(Vec<PointIndex>, PointIndex)> {
        let is_rebel = |spot: &PointIndex| self.is_rebel(*spot) && !captured.contains(spot);
        let mut found = BTreeSet::new();
        for ray in self.rules.board.rays(stand) {
            let row: Vec<PointIndex> = ray.iter().copied().take_while(is_rebel).collect();
            let right_number = row.len() == 1 || (self.rules.word("jump_rows") == "odd" && row.len() % 2 == 1);
            // What is no Rebel is empty: the General has left its starting point.
            let Some(&to) = ray.get(row.len()).filter(|_| right_number) else { continue };
            if self.jump_direction_allowed(stand, to) {
                found.insert((row, to));
            }
        }
        found
    }

    /// §2: `diagonal` restricts jumps to diagonal lines.
    fn jump_direction_allowed(&self, from: PointIndex, to: PointIndex) -> bool {
        self.rules.word("jump_lines") != "diagonal" || !self.rules.board.is_orthogonal(from, to)
    }

    /// §2, leap without capture: over a Rebel, which stays; `diagonal`: along diagonal lines only.
    fn leaps(&self, from: PointIndex, found: &mut Vec<NaiveMove>) {
        let board = &self.rules.board;
        let rule = self.rules.word("leap");
        for &(over, to) in board.overs_from(from).iter().filter(|_| rule != "none") {
            let line_counts = rule != "diagonal" || !board.is_orthogonal(from, to);
            if line_counts && self.is_rebel(over) && self.is_empty(to) {
                found.push(NaiveMove::quiet(MoveForm::Plain(from, to)));
            }
        }
    }
}
