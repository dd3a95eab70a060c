//! The fast move generator: legal moves, set by set; and the making of moves.

use crate::board::{MAX_POINTS, Point, PointSet};

use super::compiled::Hop;
use super::{CompiledRules, Family, Move, MoveKind, Outcome, Position, Side};

/// The landings of a chain of jumps. A chain takes a Rebel with every jump, so it is shorter than the board.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chain {
    landings: [Point; MAX_POINTS],
    len: usize,
}

impl Chain {
    pub(crate) fn new() -> Chain {
        Chain { landings: [Point::new(0); MAX_POINTS], len: 0 }
    }

    fn with(mut self, landing: Point) -> Chain {
        if let Some(slot) = self.landings.get_mut(self.len) {
            *slot = landing;
            self.len += 1;
        }
        self
    }

    pub(crate) fn landings(&self) -> &[Point] {
        &self.landings[..self.len.min(MAX_POINTS)]
    }
}

impl CompiledRules {
    /// Makes a move, which must be legal: the position after it, and the outcome, a side without moves apart.
    #[inline(always)]
    pub fn play_unchecked(&self, position: &Position, action: &Move) -> (Position, Option<Outcome>) {
        match position.side() {
            Side::Rebels => self.play_rebel_step(position, action.from, action.to),
            Side::General => self.play_general_move(position, action),
        }
    }

    /// [`play_unchecked`](CompiledRules::play_unchecked) for a step of a Rebel.
    #[inline(always)]
    pub fn play_rebel_step(&self, position: &Position, from: Point, to: Point) -> (Position, Option<Outcome>) {
        let next = position.after_rebel_step(from, to);
        (next, self.goal_after_rebels(&next, Some(to)))
    }

    /// [`play_unchecked`](CompiledRules::play_unchecked) for a move of the General.
    #[inline(always)]
    pub fn play_general_move(&self, position: &Position, action: &Move) -> (Position, Option<Outcome>) {
        let next = position.after_general_move(action, self.return_apex);
        (next, self.goal_after_general(&next))
    }

    /// The empty points.
    #[inline(always)]
    pub fn empty(&self, position: &Position) -> PointSet {
        self.all.minus(position.occupied())
    }

    /// The number of steps of the given Rebels onto the given points.
    #[inline(always)]
    pub fn count_rebel_steps(&self, rebels: PointSet, targets: PointSet) -> u64 {
        let mut count = 0;
        for shift in &self.shifts {
            // An edge between a Rebel and a target is one step, up or down.
            let up = rebels.0 & targets.0 >> shift.offset & shift.up.0;
            let down = targets.0 & rebels.0 >> shift.offset & shift.down.0;
            count += (up | down).count_ones();
        }
        u64::from(count)
    }

    /// Calls `each` with every Rebel that can step, and the set of its targets.
    #[inline(always)]
    pub fn rebel_bundles(&self, position: &Position, mut each: impl FnMut(Point, PointSet)) {
        let empty = self.empty(position);
        for from in position.rebels() {
            let targets = self.rebel_steps[from] & empty;
            if !targets.is_empty() {
                each(from, targets);
            }
        }
    }

    /// Has a Rebel a legal move?
    #[inline(always)]
    pub fn rebels_can_move(&self, position: &Position) -> bool {
        let empty = self.empty(position).0;
        let rebels = position.rebels().0;
        self.shifts.iter().any(|s| (rebels & empty >> s.offset & s.up.0) | (empty & rebels >> s.offset & s.down.0) != 0)
    }

    /// Has the General a legal move?
    #[inline(always)]
    pub fn general_can_move<F: Family>(&self, position: &Position) -> bool {
        let at = position.general();
        let empty = self.empty(position);
        if self.neighbours[at].meets(empty) {
            return true;
        }
        let open = |hop: &Hop| position.rebels().contains(hop.over) && empty.contains(hop.to);
        F::JUMP && self.jumps[at].iter().any(open)
            || F::LEAP && self.leaps[at].iter().any(open)
            || F::STATIC && !self.takeable_pairs(position).is_empty()
            || F::FAR && position.free_jumps() > 0 && self.field.meets(empty)
    }

    /// The targets of the General's steps and slides.
    #[inline(always)]
    pub(crate) fn walks<F: Family>(&self, position: &Position) -> PointSet {
        let empty = self.empty(position);
        let mut walks = self.neighbours[position.general()] & empty;
        if F::FAR {
            for ray in &self.rays[position.general()] {
                for point in ray.iter().take_while(|p| empty.contains(**p)) {
                    walks = walks.with(*point);
                }
            }
        }
        walks
    }

    #[inline(always)]
    pub(crate) fn taken_by_walk<F: Family>(&self, position: &Position, to: Point) -> PointSet {
        let mut taken = PointSet::EMPTY;
        if F::INTERVENTION {
            taken |= self.taken_on_arrival(to, position.rebels());
        }
        if F::DEPARTURE {
            for (towards, pairs) in &self.departures[position.general()] {
                if *towards == to {
                    taken |= pairs.held_by(position.rebels());
                }
            }
        }
        taken
    }

    #[inline(always)]
    fn takeable_pairs<'a>(&'a self, position: &Position) -> &'a [PointSet] {
        let at = position.general();
        let pairs = &self.statics[at];
        let allowed = !self.static_surrounded || position.rebels().contains_all(self.neighbours[at]);
        if allowed && pairs.as_slice().iter().any(|pair| position.rebels().contains_all(*pair)) {
            pairs.as_slice()
        } else {
            &[]
        }
    }

    /// Could the General jump if it were its turn?
    pub(crate) fn can_jump(&self, position: &Position) -> bool {
        self.can_jump_from(position.general(), position.rebels())
    }

    #[inline(always)]
    fn can_jump_from(&self, at: Point, rebels: PointSet) -> bool {
        self.jumps[at].iter().any(|hop| rebels.contains(hop.over) && !rebels.contains(hop.to))
    }

    /// Calls `each` with every complete chain of jumps from a point, and the Rebels left after it. The point that the General started
    /// from is empty while it jumps.
    pub(crate) fn chains(&self, at: Point, rebels: PointSet, chain: Chain, each: &mut impl FnMut(Chain, PointSet)) {
        for hop in &self.jumps[at] {
            if rebels.contains(hop.over) && !rebels.contains(hop.to) {
                let left = rebels.without(hop.over);
                let longer = chain.with(hop.to);
                let goes_on = self.jumps_go_on && self.can_jump_from(hop.to, left);
                if goes_on {
                    self.chains(hop.to, left, longer, each);
                }
                if !goes_on || self.jumps_may_stop {
                    each(longer, left);
                }
            }
        }
    }

    fn count_chains(&self, at: Point, rebels: PointSet) -> u64 {
        let mut count = 0;
        for hop in &self.jumps[at] {
            if rebels.contains(hop.over) && !rebels.contains(hop.to) {
                let left = rebels.without(hop.over);
                let further = if self.jumps_go_on { self.count_chains(hop.to, left) } else { 0 };
                count += if self.jumps_may_stop { further + 1 } else { further.max(1) };
            }
        }
        count
    }

    /// Calls `each` with every legal move of the General and its landings. Chains with different paths are different moves, even
    /// with the same effect.
    #[inline(always)]
    pub fn general_actions<F: Family>(&self, position: &Position, mut each: impl FnMut(Move, &[Point])) {
        let from = position.general();
        let at = from;
        let mut capturing = false;
        if F::JUMP && self.can_jump_from(from, position.rebels()) {
            capturing = true;
            self.chains(from, position.rebels(), Chain::new(), &mut |chain, left| {
                if let Some(&to) = chain.landings().last() {
                    let captured = position.rebels().minus(left);
                    each(Move { kind: MoveKind::Jump, from, to, captured }, chain.landings());
                }
            });
        }
        if F::STATIC {
            for &pair in self.takeable_pairs(position) {
                if position.rebels().contains_all(pair) {
                    capturing = true;
                    each(Move { kind: MoveKind::Static, from, to: from, captured: pair }, &[from]);
                }
            }
        }
        let must_capture =
            F::COMPULSORY && self.capture_is_compulsory && (capturing || self.walk_captures::<F>(position));
        let mut quiet_or_capture = |kind: MoveKind, to: Point, captured: PointSet| {
            if !must_capture || !captured.is_empty() {
                each(Move { kind, from, to, captured }, &[to]);
            }
        };
        for to in self.walks::<F>(position) {
            quiet_or_capture(MoveKind::Walk, to, self.taken_by_walk::<F>(position, to));
        }
        if F::LEAP {
            for hop in &self.leaps[at] {
                if position.rebels().contains(hop.over) && !position.rebels().contains(hop.to) {
                    quiet_or_capture(MoveKind::Leap, hop.to, PointSet::EMPTY);
                }
            }
        }
        if F::FAR && position.free_jumps() > 0 {
            for to in self.field & self.empty(position) {
                quiet_or_capture(MoveKind::FreeJump, to, self.taken_on_arrival(to, position.rebels()));
            }
        }
    }

    #[inline(always)]
    fn walk_captures<F: Family>(&self, position: &Position) -> bool {
        if !F::INTERVENTION && !F::DEPARTURE {
            return false;
        }
        let free =
            if F::FAR && position.free_jumps() > 0 { self.field & self.empty(position) } else { PointSet::EMPTY };
        self.walks::<F>(position).into_iter().any(|to| !self.taken_by_walk::<F>(position, to).is_empty())
            || free.into_iter().any(|to| !self.taken_on_arrival(to, position.rebels()).is_empty())
    }

    /// The number of the General's legal moves, as [`general_actions`](CompiledRules::general_actions) gives them.
    #[inline(always)]
    pub(crate) fn count_general_moves<F: Family>(&self, position: &Position) -> u64 {
        let mut count = 0;
        if (F::INTERVENTION || F::DEPARTURE || F::STATIC) && F::COMPULSORY && self.capture_is_compulsory {
            // Which walks are legal depends on their captures.
            self.general_actions::<F>(position, |_, _| count += 1);
            return count;
        }
        if F::JUMP {
            count = self.count_chains(position.general(), position.rebels());
            if F::COMPULSORY && self.capture_is_compulsory && count > 0 {
                return count;
            }
        }
        if F::STATIC {
            count += self.takeable_pairs(position).iter().filter(|pair| position.rebels().contains_all(**pair)).count()
                as u64;
        }
        count += u64::from(self.walks::<F>(position).len());
        if F::LEAP {
            let open = |hop: &&Hop| position.rebels().contains(hop.over) && !position.rebels().contains(hop.to);
            count += self.leaps[position.general()].iter().filter(open).count() as u64;
        }
        if F::FAR && position.free_jumps() > 0 {
            count += u64::from((self.field & self.empty(position)).len());
        }
        count
    }

    /// Can the number of the General's moves depend on points outside its [zone](CompiledRules::zone)? It can when a chain of
    /// jumps begins, whose path depends on the whole board.
    #[inline(always)]
    pub(crate) fn moves_reach_beyond_zone<F: Family>(&self, position: &Position) -> bool {
        F::JUMP && self.jumps_go_on && self.can_jump_from(position.general(), position.rebels())
    }
}
