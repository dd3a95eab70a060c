//! A naive generator, by which the fast one is checked on any board and rules.
//!
//! Moves and outcomes are found along every line of the board, by the rule words as RULES.md has them. Nothing here reads
//! [`CompiledRules`](super::CompiledRules) or code of the fast generator; both share the board, the rule
//! words, and the types of positions and moves.

use crate::board::{Board, Point, PointSet};

use super::rule_set::{ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, RuleSet, StaticRule};
use super::{Move, MoveKind, MovePath, Outcome, Position, Side, Variant};

type Pair = (Point, Point);

fn is_held((a, b): &Pair, rebels: PointSet) -> bool {
    rebels.contains(*a) && rebels.contains(*b)
}

pub(super) struct Naive<'a> {
    board: &'a Board,
    words: &'a RuleSet,
}

impl<'a> Naive<'a> {
    pub(super) fn of(variant: &'a Variant) -> Naive<'a> {
        Naive { board: variant.board(), words: variant.rule_set() }
    }

    /// All legal moves, in no particular order; chains of jumps with different paths are different moves.
    pub(super) fn moves(&self, position: &Position) -> Vec<MovePath> {
        match position.side() {
            Side::Rebels => self.rebel_moves(position),
            Side::General => self.general_moves(position),
        }
    }

    /// The position after a move, and the outcome, repetition apart (RULES §4).
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

    /// The outcome by the history of a game with these positions from the opening on, unless it ended before.
    pub(super) fn standoff(&self, positions: &[Position]) -> Option<Outcome> {
        let last = positions.last()?;
        if positions.iter().filter(|position| *position == last).count() >= 3 {
            return Some(Outcome::Repetition(self.words.repetition.winner()));
        }
        let limit = self.words.move_limit?;
        let quiet = positions.iter().filter(|position| position.rebels().len() == last.rebels().len()).count() - 1;
        (quiet >= usize::from(limit.plies)).then_some(Outcome::MoveLimit(limit.winner.winner()))
    }

    /// The outcome of a position; `moved_to` is where the last move ended.
    fn outcome(&self, position: &Position, moved_to: Point) -> Option<Outcome> {
        let goal = match position.side() {
            Side::Rebels => self.outcome_after_general(position),
            Side::General => self.outcome_after_rebels(position, moved_to),
        };
        goal.or_else(|| self.moves(position).is_empty().then_some(Outcome::NoMove(!position.side())))
    }

    fn outcome_after_general(&self, position: &Position) -> Option<Outcome> {
        let at = position.general();
        let on_apex = self.board.apex().contains(at);
        match self.words.apex {
            ApexRule::General if on_apex => return Some(Outcome::Apex(Side::General)),
            ApexRule::Rebels if on_apex => return Some(Outcome::Apex(Side::Rebels)),
            ApexRule::Return if position.apex_visited() && self.board.field().contains(at) => {
                return Some(Outcome::Return);
            }
            _ => {}
        }
        if self.words.bottom == BottomRule::General && self.board.field().contains(at) && self.board.name(at).row() == 1
        {
            return Some(Outcome::Bottom);
        }
        if self.words.goal.iter().any(|name| name.parse() == Ok(self.board.name(at))) {
            return Some(Outcome::Goal);
        }
        let limit = self.words.rebels_at_most.map(u32::from);
        limit.filter(|limit| position.rebels().len() <= *limit).map(|_| Outcome::Attrition)
    }

    fn outcome_after_rebels(&self, position: &Position, moved_to: Point) -> Option<Outcome> {
        let (at, rebels) = (position.general(), position.rebels());
        let captured = |pair: &Pair| is_held(pair, rebels) && (pair.0 == moved_to || pair.1 == moved_to);
        if self.words.custodial && self.pairs(at).iter().any(captured) {
            return Some(Outcome::Custodial);
        }
        let exits: Vec<Point> = self.board.exits().into_iter().collect();
        let closed = self.words.close_privy
            && self.board.privy().contains(at)
            && exits.iter().all(|exit| rebels.contains(*exit))
            && !self.board.privy().into_iter().any(|from| {
                let leads_out = |hop: &Pair| {
                    exits.contains(&hop.0) && self.board.field().contains(hop.1) && !rebels.contains(hop.1)
                };
                self.jumps(from).iter().any(leads_out)
            });
        closed.then_some(Outcome::PrivyClosed)
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

    /// Adds the chains of jumps that go on from a point with these Rebels left, each to an end that the rules allow; the point where
    /// the General began is empty.
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
            let action = Move { kind: MoveKind::Jump, from: start.general(), to: at, captured };
            moves.push(MovePath::new(action, way.clone()));
        }
    }

    fn static_pairs(&self, position: &Position) -> Vec<Pair> {
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
        pairs.retain(|pair| is_held(pair, rebels));
        pairs
    }

    /// Intervention: the Rebels between whom the General arrives.
    fn taken_arriving(&self, to: Point, rebels: PointSet) -> PointSet {
        let pairs = if self.words.intervention { self.pairs(to) } else { Vec::new() };
        self.fallen(pairs, rebels, |_| true)
    }

    /// Deferred intervention: the Rebels between whom the General stood, on a line at right angles to its step.
    fn taken_leaving(&self, from: Point, to: Point, rebels: PointSet) -> PointSet {
        let step = self.board.spot(from).to(self.board.spot(to));
        let across = |(a, b): &Pair| self.board.spot(*a).to(self.board.spot(*b)).is_perpendicular_to(step);
        let pairs = if self.words.deferred { self.pairs(from) } else { Vec::new() };
        self.fallen(pairs, rebels, across)
    }

    fn fallen(&self, pairs: Vec<Pair>, rebels: PointSet, counts: impl Fn(&Pair) -> bool) -> PointSet {
        let falls = |pair: &Pair| is_held(pair, rebels) && counts(pair) && self.may_be_taken(pair);
        pairs.into_iter().filter(falls).fold(PointSet::EMPTY, |all, (a, b)| all.with(a).with(b))
    }

    fn may_be_taken(&self, (a, b): &Pair) -> bool {
        !self.words.orthogonal || self.board.spot(*a).to(self.board.spot(*b)).is_orthogonal()
    }

    fn adjacent(&self, point: Point) -> Vec<Point> {
        let mut adjacent = Vec::new();
        for edge in self.board.lines().iter().flat_map(|line| line.windows(2)) {
            let (a, b) = (edge[0], edge[1]);
            let other = if a == point { b } else { a };
            if (a == point || b == point) && !adjacent.contains(&other) {
                adjacent.push(other);
            }
        }
        adjacent
    }

    /// The two neighbours of a point on each line that goes on through it.
    fn pairs(&self, point: Point) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        for three in self.board.lines().iter().flat_map(|line| line.windows(3)) {
            let (a, b) = (three[0], three[2]);
            if three[1] == point && !pairs.contains(&(a, b)) && !pairs.contains(&(b, a)) {
                pairs.push((a, b));
            }
        }
        pairs
    }

    /// For each line through a point the next point and the one behind it, both ways.
    fn hops(&self, from: Point, diagonal: bool) -> Vec<Pair> {
        let mut hops = Vec::new();
        for three in self.board.lines().iter().flat_map(|line| line.windows(3)) {
            let over = three[1];
            for (start, to) in [(three[0], three[2]), (three[2], three[0])] {
                let slants = !self.board.spot(start).to(self.board.spot(to)).is_orthogonal();
                if start == from && (slants || !diagonal) && !hops.contains(&(over, to)) {
                    hops.push((over, to));
                }
            }
        }
        hops
    }

    fn jumps(&self, from: Point) -> Vec<Pair> {
        let hops = self.hops(from, self.words.jump_lines == JumpLines::Diagonal);
        if self.words.jump == JumpRule::None { Vec::new() } else { hops }
    }

    fn leaps(&self, from: Point) -> Vec<Pair> {
        let hops = self.hops(from, self.words.leap == LeapRule::Diagonal);
        if self.words.leap == LeapRule::None { Vec::new() } else { hops }
    }

    fn slides(&self, from: Point, is_empty: impl Fn(&Point) -> bool) -> Vec<Point> {
        let mut slides = Vec::new();
        for line in self.board.lines().iter().filter(|_| self.words.slide) {
            let Some(at) = line.iter().position(|p| *p == from) else { continue };
            let up = line[at + 1..].iter().take_while(|p| is_empty(p));
            let down = line[..at].iter().rev().take_while(|p| is_empty(p));
            for to in up.chain(down) {
                if !slides.contains(to) {
                    slides.push(*to);
                }
            }
        }
        slides
    }
}
