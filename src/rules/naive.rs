//! The rules played the slow way, as a measure for the fast way.
//!
//! Moves and ends are looked up along every line of the board, by the rule words as RULES.md puts them. Nothing of this reads
//! [`CompiledRules`](super::CompiledRules) or what the fast generator is made of; what both have in common are the board, the rule
//! words, and the types of positions and moves. So it can tell for a board and rules that nobody has tried before whether the fast
//! generator plays what the file says.

use crate::board::{Board, Point, PointSet};

use super::rule_set::{ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, RuleSet, StandoffRule, StaticRule};
use super::{Move, MoveKind, MovePath, Outcome, Position, Side, Variant};

/// The rules of a game on its board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Naive<'a> {
    board: &'a Board,
    words: &'a RuleSet,
}

impl<'a> Naive<'a> {
    pub(super) fn of(variant: &'a Variant) -> Naive<'a> {
        Naive { board: variant.board(), words: variant.rule_set() }
    }

    /// All legal moves, in no particular order; chains of jumps that differ in their way are different moves.
    pub(super) fn moves(&self, position: &Position) -> Vec<MovePath> {
        match position.side() {
            Side::Rebels => self.rebel_moves(position),
            Side::General => self.general_moves(position),
        }
    }

    /// The position after a move, and how it ended the game, repetition apart (RULES §4).
    pub(super) fn play(&self, position: &Position, action: &Move) -> (Position, Option<Outcome>) {
        let next = match position.side() {
            Side::Rebels => {
                let rebels = position.rebels().without(action.from).with(action.to);
                let (visited, free_jumps) = (position.apex_visited(), position.free_jumps());
                Position::new(rebels, position.general(), Side::General, visited, free_jumps)
            }
            Side::General => {
                let visits = self.words.apex == ApexRule::Return && self.board.apex().contains(action.to);
                let used = u8::from(action.kind == MoveKind::FreeJump);
                let rebels = position.rebels().minus(action.captured);
                let visited = position.apex_visited() || visits;
                Position::new(rebels, action.to, Side::Rebels, visited, position.free_jumps() - used)
            }
        };
        (next, self.outcome(&next, action.to))
    }

    /// How a game that has gone through these positions, from the opening, has ended by its history, if nothing else ended it before.
    pub(super) fn standoff(&self, positions: &[Position]) -> Option<Outcome> {
        let last = positions.last()?;
        if positions.iter().filter(|position| *position == last).count() >= 3 {
            return Some(match self.words.repetition {
                StandoffRule::Draw => Outcome::Repetition,
                StandoffRule::General => Outcome::GeneralRepetition,
                StandoffRule::Rebels => Outcome::RebelsRepetition,
            });
        }
        let limit = self.words.move_limit?;
        let quiet = positions.iter().filter(|position| position.rebels().len() == last.rebels().len()).count() - 1;
        (quiet >= usize::from(limit.plies)).then_some(match limit.winner {
            StandoffRule::Draw => Outcome::MoveLimit,
            StandoffRule::General => Outcome::GeneralMoveLimit,
            StandoffRule::Rebels => Outcome::RebelsMoveLimit,
        })
    }

    /// How the game has ended with a position; `moved_to` is where the last move ended.
    fn outcome(&self, position: &Position, moved_to: Point) -> Option<Outcome> {
        let goal = match position.side() {
            Side::Rebels => self.outcome_after_general(position),
            Side::General => self.outcome_after_rebels(position, moved_to),
        };
        let stuck = || {
            self.moves(position).is_empty().then_some(match position.side() {
                Side::General => Outcome::RebelsNoMove,
                Side::Rebels => Outcome::GeneralNoMove,
            })
        };
        goal.or_else(stuck)
    }

    fn outcome_after_general(&self, position: &Position) -> Option<Outcome> {
        let at = position.general();
        let on_apex = self.board.apex().contains(at);
        match self.words.apex {
            ApexRule::General if on_apex => return Some(Outcome::GeneralApex),
            ApexRule::Rebels if on_apex => return Some(Outcome::RebelsApex),
            ApexRule::Return if position.apex_visited() && self.board.field().contains(at) => {
                return Some(Outcome::GeneralReturn);
            }
            _ => {}
        }
        if self.words.bottom == BottomRule::General && self.board.field().contains(at) && self.board.name(at).row() == 1
        {
            return Some(Outcome::GeneralBottom);
        }
        if self.words.goal.iter().any(|name| name.parse() == Ok(self.board.name(at))) {
            return Some(Outcome::GeneralGoal);
        }
        let limit = self.words.rebels_at_most.map(u32::from);
        limit.filter(|limit| position.rebels().len() <= *limit).map(|_| Outcome::GeneralAttrition)
    }

    fn outcome_after_rebels(&self, position: &Position, moved_to: Point) -> Option<Outcome> {
        let (at, rebels) = (position.general(), position.rebels());
        let held = |(a, b): &(Point, Point)| rebels.contains(*a) && rebels.contains(*b);
        let captured = |pair: &(Point, Point)| held(pair) && (pair.0 == moved_to || pair.1 == moved_to);
        if self.words.custodial && self.pairs(at).iter().any(captured) {
            return Some(Outcome::RebelsCustodial);
        }
        let exits: Vec<Point> = self.board.exits().into_iter().collect();
        let closed = self.words.close_privy
            && self.board.privy().contains(at)
            && exits.iter().all(|exit| rebels.contains(*exit))
            && !self.board.privy().into_iter().any(|from| {
                let leads_out = |hop: &(Point, Point)| {
                    exits.contains(&hop.0) && self.board.field().contains(hop.1) && !rebels.contains(hop.1)
                };
                self.jumps(from).iter().any(leads_out)
            });
        closed.then_some(Outcome::RebelsPrivyClosed)
    }

    fn rebel_moves(&self, position: &Position) -> Vec<MovePath> {
        let may_stand = |p: Point| self.words.enter_privy || self.board.field().contains(p);
        let mut moves = Vec::new();
        for from in position.rebels() {
            for to in self.adjacent(from) {
                let down = self.board.spot(to).y < self.board.spot(from).y;
                if !position.occupied().contains(to) && may_stand(to) && !(self.words.forward && down) {
                    moves.push(MovePath::new(Move::rebel_step(from, to), vec![to]));
                }
            }
        }
        moves
    }

    fn general_moves(&self, position: &Position) -> Vec<MovePath> {
        let (from, rebels) = (position.general(), position.rebels());
        let is_empty = |p: &Point| !position.occupied().contains(*p);
        let mut moves = Vec::new();
        self.add_jumps(position, from, rebels, &mut Vec::new(), &mut moves);
        let mut add = |kind, to: Point, captured: PointSet| {
            moves.push(MovePath::new(Move { kind, from, to, captured }, vec![to]));
        };
        for (a, b) in self.static_pairs(position) {
            add(MoveKind::Static, from, PointSet::of(a).with(b));
        }
        let steps: Vec<Point> = self.adjacent(from).into_iter().filter(is_empty).collect();
        for &to in &steps {
            add(MoveKind::Walk, to, self.taken_arriving(to, rebels) | self.taken_leaving(from, to, rebels));
        }
        for to in self.slides(from, is_empty).into_iter().filter(|to| !steps.contains(to)) {
            add(MoveKind::Walk, to, self.taken_arriving(to, rebels));
        }
        for (over, to) in self.leaps(from) {
            if rebels.contains(over) && is_empty(&to) {
                add(MoveKind::Leap, to, PointSet::EMPTY);
            }
        }
        if position.free_jumps() > 0 {
            for to in self.board.field().into_iter().filter(is_empty) {
                add(MoveKind::FreeJump, to, self.taken_arriving(to, rebels));
            }
        }
        let captures = |move_: &MovePath| !move_.action().captured.is_empty();
        if self.words.compulsory && moves.iter().any(captures) {
            moves.retain(captures);
        }
        moves
    }

    /// The chains of jumps that go on from a point with these Rebels left, each to an end that the rules allow; the point where the
    /// General began is empty.
    fn add_jumps(&self, start: &Position, at: Point, left: PointSet, way: &mut Vec<Point>, moves: &mut Vec<MovePath>) {
        let mut goes_on = false;
        let may_jump = way.is_empty() || matches!(self.words.jump, JumpRule::Multi | JumpRule::Free);
        for (over, to) in self.jumps(at).into_iter().filter(|_| may_jump) {
            if left.contains(over) && !left.contains(to) {
                goes_on = true;
                way.push(to);
                self.add_jumps(start, to, left.without(over), way, moves);
                way.pop();
            }
        }
        let may_end = !goes_on || self.words.jump == JumpRule::Free;
        if may_end && !way.is_empty() {
            let captured = start.rebels().minus(left);
            moves.push(MovePath::new(
                Move { kind: MoveKind::Jump, from: start.general(), to: at, captured },
                way.clone(),
            ));
        }
    }

    /// The pairs of which the General may take one where it stands.
    fn static_pairs(&self, position: &Position) -> Vec<(Point, Point)> {
        let (at, rebels) = (position.general(), position.rebels());
        let around = self.adjacent(at);
        let mut pairs = self.pairs(at);
        let in_corner = around.len() == 2 && pairs.is_empty();
        pairs.retain(|pair| self.may_be_taken(pair));
        match self.words.static_rule {
            StaticRule::None => return Vec::new(),
            StaticRule::Any => {}
            StaticRule::Surrounded if !around.iter().all(|p| rebels.contains(*p)) => return Vec::new(),
            StaticRule::Surrounded => {
                if let ([a, b], true) = (around.as_slice(), in_corner) {
                    pairs.push((*a, *b));
                }
            }
        }
        pairs.retain(|(a, b)| rebels.contains(*a) && rebels.contains(*b));
        pairs
    }

    /// Intervention: the Rebels between whom the General arrives.
    fn taken_arriving(&self, to: Point, rebels: PointSet) -> PointSet {
        let pairs = if self.words.intervention { self.pairs(to) } else { Vec::new() };
        self.fallen(pairs, rebels, |_| true)
    }

    /// Deferred intervention: the Rebels between whom the General stood, their line at right angles to its step.
    fn taken_leaving(&self, from: Point, to: Point, rebels: PointSet) -> PointSet {
        let step = self.board.spot(from).to(self.board.spot(to));
        let across = |(a, b): &(Point, Point)| self.board.spot(*a).to(self.board.spot(*b)).is_perpendicular_to(step);
        let pairs = if self.words.deferred { self.pairs(from) } else { Vec::new() };
        self.fallen(pairs, rebels, across)
    }

    fn fallen(
        &self,
        pairs: Vec<(Point, Point)>,
        rebels: PointSet,
        wanted: impl Fn(&(Point, Point)) -> bool,
    ) -> PointSet {
        let held = |(a, b): &(Point, Point)| rebels.contains(*a) && rebels.contains(*b);
        let falls = |pair: &(Point, Point)| held(pair) && wanted(pair) && self.may_be_taken(pair);
        pairs.into_iter().filter(falls).fold(PointSet::EMPTY, |all, (a, b)| all.with(a).with(b))
    }

    /// Does the line of a pair count?
    fn may_be_taken(&self, (a, b): &(Point, Point)) -> bool {
        !self.words.orthogonal || self.board.spot(*a).to(self.board.spot(*b)).is_orthogonal()
    }

    /// The points that follow or precede a point on a line.
    fn adjacent(&self, point: Point) -> Vec<Point> {
        let mut adjacent = Vec::new();
        for edge in self.board.lines().iter().flat_map(|line| line.windows(2)) {
            let [a, b] = *edge else { continue };
            let other = if a == point { b } else { a };
            if (a == point || b == point) && !adjacent.contains(&other) {
                adjacent.push(other);
            }
        }
        adjacent
    }

    /// The two neighbours of a point on each line that goes on through it.
    fn pairs(&self, point: Point) -> Vec<(Point, Point)> {
        let mut pairs: Vec<(Point, Point)> = Vec::new();
        for three in self.board.lines().iter().flat_map(|line| line.windows(3)) {
            let [a, middle, b] = *three else { continue };
            if middle == point && !pairs.contains(&(a, b)) && !pairs.contains(&(b, a)) {
                pairs.push((a, b));
            }
        }
        pairs
    }

    /// For each line through a point the next point and the one behind it, both ways.
    fn hops(&self, from: Point, diagonal: bool) -> Vec<(Point, Point)> {
        let mut hops = Vec::new();
        for three in self.board.lines().iter().flat_map(|line| line.windows(3)) {
            let [a, over, b] = *three else { continue };
            for (start, to) in [(a, b), (b, a)] {
                let slants = !self.board.spot(start).to(self.board.spot(to)).is_orthogonal();
                if start == from && (slants || !diagonal) && !hops.contains(&(over, to)) {
                    hops.push((over, to));
                }
            }
        }
        hops
    }

    fn jumps(&self, from: Point) -> Vec<(Point, Point)> {
        match self.words.jump {
            JumpRule::None => Vec::new(),
            JumpRule::Single | JumpRule::Multi | JumpRule::Free => {
                self.hops(from, self.words.jump_lines == JumpLines::Diagonal)
            }
        }
    }

    fn leaps(&self, from: Point) -> Vec<(Point, Point)> {
        match self.words.leap {
            LeapRule::None => Vec::new(),
            LeapRule::Any => self.hops(from, false),
            LeapRule::Diagonal => self.hops(from, true),
        }
    }

    /// Where the General gets along the lines of empty points, if it slides.
    fn slides(&self, from: Point, is_empty: impl Fn(&Point) -> bool) -> Vec<Point> {
        let mut slides = Vec::new();
        for line in self.board.lines().iter().filter(|_| self.words.slide) {
            let Some(at) = line.iter().position(|p| *p == from) else { continue };
            let (before, behind) = (&line[..at], &line[at + 1..]);
            let reached =
                behind.iter().take_while(|p| is_empty(p)).chain(before.iter().rev().take_while(|p| is_empty(p)));
            for to in reached {
                if !slides.contains(to) {
                    slides.push(*to);
                }
            }
        }
        slides
    }
}
