//! The move generator: legal moves, set by set; and the making of moves.

use privy_protocol::Side;

use crate::board::{MAX_POINTS, Point, PointSet};
use crate::compiled::CompiledRules;
use crate::family::Family;
use crate::for_family;
use crate::in_line::Hop;
use crate::outcome::Outcome;
use crate::position::{Move, MoveKind, MovePath, Position};
use crate::rule_set::NoMove;

/// The targets of the General's moves that are no jumps and no static interventions.
struct Targets {
    walks: PointSet,
    leaps: bool,
    free: PointSet,
}

impl CompiledRules {
    /// All legal moves of a position that is not over by a goal: jumps first, then static interventions, walks, leaps,
    /// free jumps.
    pub(super) fn legal_moves(&self, position: &Position) -> Vec<MovePath> {
        let mut moves = Vec::new();
        match position.side() {
            Side::Rebels => self.rebel_bundles(position, |from, targets| {
                moves.extend(targets.into_iter().map(|to| MovePath::new(self.rebel_move(from, to), &[to])));
            }),
            Side::General => for_family!(self.family, F => {
                self.general_actions::<F>(position, |action, landings| moves.push(MovePath::new(action, landings)));
            }),
        }
        moves
    }

    /// Makes a move, which must be legal: the position after it, and the outcome, except for a side without moves.
    #[inline(always)]
    pub fn play_unchecked(&self, position: &Position, action: &Move) -> (Position, Option<Outcome>) {
        match position.side() {
            Side::Rebels => self.play_rebel_step(position, action.from, action.to),
            Side::General => self.play_general_move(position, action),
        }
    }

    /// [`play_unchecked`](CompiledRules::play_unchecked) for a move of a Rebel.
    #[inline(always)]
    pub fn play_rebel_step(&self, position: &Position, from: Point, to: Point) -> (Position, Option<Outcome>) {
        let next = match self.is_drop(from, to) {
            true => position.after_rebel_drop(to),
            false => position.after_rebel_step(from, to),
        };
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

    /// The steps of the given Rebels onto the given points, a bit each: a word for the upward or downward steps of an
    /// index offset.
    #[inline(always)]
    fn rebel_steps_by_shift(&self, rebels: PointSet, targets: PointSet) -> impl Iterator<Item = u64> {
        self.shifts.iter().map(move |shift| {
            // An edge between a Rebel and a target is one step, up or down.
            let up = rebels.0 & targets.0 >> shift.offset & shift.up.0;
            let down = targets.0 & rebels.0 >> shift.offset & shift.down.0;
            up | down
        })
    }

    /// The number of steps of the given Rebels onto the given points.
    #[inline(always)]
    pub fn count_rebel_steps(&self, rebels: PointSet, targets: PointSet) -> u64 {
        self.rebel_steps_by_shift(rebels, targets).map(|steps| u64::from(steps.count_ones())).sum()
    }

    /// The number of the Rebels' legal moves.
    #[inline(always)]
    pub fn count_rebel_moves(&self, position: &Position) -> u64 {
        match self.drops_or_pass(position) {
            Some((_, targets)) => targets.len().into(),
            None => self.count_rebel_steps(position.rebels(), self.empty(position)),
        }
    }

    /// True if the Rebels have a legal move. A pass is one.
    #[inline(always)]
    pub fn rebels_can_move(&self, position: &Position) -> bool {
        match self.drops_or_pass(position) {
            Some((_, targets)) => !targets.is_empty(),
            None => self.a_rebel_can_step(position.rebels(), self.empty(position)),
        }
    }

    #[inline(always)]
    fn a_rebel_can_step(&self, rebels: PointSet, empty: PointSet) -> bool {
        self.rebel_steps_by_shift(rebels, empty).any(|steps| steps != 0)
    }

    /// Where no Rebel can step, because some are in hand or they have to pass: the one bundle of moves; `None`
    /// elsewhere.
    #[inline(always)]
    fn drops_or_pass(&self, position: &Position) -> Option<(Point, PointSet)> {
        let (rebels, general, hand) = (position.rebels(), position.general(), position.hand());
        if self.rebels_drop_or_pass { self.rare_bundle(rebels, general, hand) } else { None }
    }

    // Pieces by value: a reference would make the compiler keep the hash of positions that are only counted.
    #[cold]
    fn rare_bundle(&self, rebels: PointSet, general: Point, hand: u8) -> Option<(Point, PointSet)> {
        let empty = self.all.minus(rebels.with(general));
        let drops = if hand > 0 { self.rebel_drops & empty } else { PointSet::EMPTY };
        let can_move = !drops.is_empty() || hand == 0 && self.a_rebel_can_step(rebels, empty);
        if !can_move && self.no_move.rebels == NoMove::Pass {
            return Some((general, PointSet::of(general)));
        }
        (hand > 0).then_some((Point::HAND, drops))
    }

    /// True if the Rebels have to pass.
    pub fn rebels_pass(&self, position: &Position) -> bool {
        self.drops_or_pass(position).is_some_and(|(from, targets)| targets.contains(from))
    }

    /// True if a Rebel's move is a drop, from [`Point::HAND`], and no step.
    #[inline(always)]
    fn is_drop(&self, from: Point, to: Point) -> bool {
        self.rebels_drop_or_pass && from == Point::HAND && from != to && !self.rebel_drops.is_empty()
    }

    /// The move of a Rebel of a [bundle](CompiledRules::rebel_bundles).
    #[inline(always)]
    pub fn rebel_move(&self, from: Point, to: Point) -> Move {
        let kind = match (from == to, self.is_drop(from, to)) {
            (true, _) => MoveKind::Pass,
            (false, true) => MoveKind::Drop,
            (false, false) => MoveKind::Walk,
        };
        Move { kind, from, to, captured: PointSet::EMPTY }
    }

    /// Calls `each` with every Rebel that can step, and the set of its targets. A Rebel in hand is at [`Point::HAND`];
    /// a pass goes from the General's point to itself.
    #[inline(always)]
    pub fn rebel_bundles(&self, position: &Position, mut each: impl FnMut(Point, PointSet)) {
        let empty = self.empty(position);
        // One call of `each` keeps the loop short enough to be inlined.
        let mut only = self.drops_or_pass(position);
        let mut rebels = if only.is_some() { PointSet::EMPTY } else { position.rebels() };
        loop {
            let (from, targets) = match (only.take(), rebels.first()) {
                (Some(bundle), _) => bundle,
                (None, Some(from)) => {
                    rebels = rebels.without(from);
                    (from, self.rebel_steps[from] & empty)
                }
                (None, None) => return,
            };
            if !targets.is_empty() {
                each(from, targets);
            }
        }
    }

    /// The targets of the General's steps and slides.
    #[inline(always)]
    pub fn walks<F: Family>(&self, position: &Position) -> PointSet {
        let empty = self.empty(position);
        let mut walks = self.general_steps[position.general()] & empty;
        if F::FAR {
            for ray in &self.rays[position.general()] {
                for point in ray.iter().take_while(|p| empty.contains(**p)) {
                    walks = walks.with(*point);
                }
            }
        }
        walks
    }

    /// The Rebels that fall by a walk, a leap or a free jump.
    #[inline(always)]
    fn taken_by<F: Family>(&self, position: &Position, kind: MoveKind, to: Point) -> PointSet {
        let mut taken = PointSet::EMPTY;
        if F::INTERVENTION && kind != MoveKind::Leap {
            taken |= self.taken_on_arrival(to, position.rebels());
        }
        if F::DEPARTURE && kind == MoveKind::Walk {
            for (towards, pairs) in &self.departures[position.general()] {
                if *towards == to {
                    taken |= pairs.held_by(position.rebels());
                }
            }
        }
        taken
    }

    /// True if the General could jump if it were its turn.
    #[inline(always)]
    pub fn can_jump(&self, position: &Position) -> bool {
        let rebels = position.rebels();
        self.jumps[position.general()].iter().any(|hop| rebels.contains_all(hop.over) && !rebels.contains(hop.to))
    }

    /// Calls `each` with every complete chain of jumps from a point: its landings, and the Rebels left after it. The
    /// point that the General started from is empty while it jumps. `trail` has the landings so far, `length` of them:
    /// a chain takes a Rebel with every jump, so it is shorter than the board. Returns true if a jump is possible.
    fn chains(
        &self,
        at: Point,
        rebels: PointSet,
        trail: &mut [Point; MAX_POINTS],
        length: usize,
        each: &mut impl FnMut(&[Point], PointSet),
    ) -> bool {
        let mut can_jump = false;
        for hop in &self.jumps[at] {
            if rebels.contains_all(hop.over) && !rebels.contains(hop.to) {
                can_jump = true;
                let left = rebels.minus(hop.over);
                trail[length] = hop.to;
                let goes_on = self.jumps_go_on && self.chains(hop.to, left, trail, length + 1, each);
                if !goes_on || self.jumps_may_stop {
                    each(&trail[..=length], left);
                }
            }
        }
        can_jump
    }

    /// The number of chains that [`chains`](CompiledRules::chains) gives. A callback for each takes a tenth more
    /// instructions in the perft of `juroku-musashi`.
    fn count_chains(&self, at: Point, rebels: PointSet) -> u64 {
        let mut count = 0;
        for hop in &self.jumps[at] {
            if rebels.contains_all(hop.over) && !rebels.contains(hop.to) {
                let left = rebels.minus(hop.over);
                let further = if self.jumps_go_on { self.count_chains(hop.to, left) } else { 0 };
                count += if self.jumps_may_stop { further + 1 } else { further.max(1) };
            }
        }
        count
    }

    /// The static interventions that the General can make, by the Rebels that they take.
    #[inline(always)]
    fn static_pairs(&self, position: &Position) -> impl Iterator<Item = PointSet> {
        let (at, rebels) = (position.general(), position.rebels());
        let may = !self.static_surrounded || rebels.contains_all(self.neighbours[at]);
        let pairs = if may { self.statics[at].as_slice() } else { &[] };
        pairs.iter().copied().filter(move |pair| rebels.contains_all(*pair))
    }

    /// The landings of the General's leaps.
    #[inline(always)]
    fn leaps(&self, position: &Position) -> impl Iterator<Item = Point> {
        let rebels = position.rebels();
        let is_legal = move |hop: &&Hop| rebels.contains_all(hop.over) && !rebels.contains(hop.to);
        self.leaps[position.general()].iter().filter(is_legal).map(|hop| hop.to)
    }

    /// The landings of the General's free jumps.
    #[inline(always)]
    fn free_jumps<F: Family>(&self, position: &Position) -> PointSet {
        let may = F::FAR && position.free_jumps() > 0 && self.all.contains(position.general());
        if may { self.field & self.empty(position) } else { PointSet::EMPTY }
    }

    /// The targets of all other moves, beside jumps and static interventions if `captures` is true.
    #[inline(always)]
    fn targets<F: Family>(&self, position: &Position, captures: bool) -> Targets {
        let (walks, free) = (self.walks::<F>(position), self.free_jumps::<F>(position));
        if F::COMPULSORY && self.capture_is_compulsory {
            let mut capturing = Targets { walks: PointSet::EMPTY, leaps: false, free: PointSet::EMPTY };
            if F::INTERVENTION || F::DEPARTURE {
                let takes = |kind, to: &Point| !self.taken_by::<F>(position, kind, *to).is_empty();
                capturing.walks = walks.into_iter().filter(|to| takes(MoveKind::Walk, to)).collect();
                capturing.free = free.into_iter().filter(|to| takes(MoveKind::FreeJump, to)).collect();
            }
            if captures || !(capturing.walks | capturing.free).is_empty() {
                return capturing;
            }
        }
        Targets { walks, leaps: F::LEAP, free }
    }

    /// The points on which the General can be put; empty if it is on the board.
    #[inline(always)]
    fn general_drops<F: Family>(&self, position: &Position) -> PointSet {
        let is_in_hand = F::HAND && self.may_drop_or_pass && !self.all.contains(position.general());
        if is_in_hand { self.general_drops & self.empty(position) } else { PointSet::EMPTY }
    }

    /// True if the General has to pass.
    #[inline(always)]
    fn general_passes<F: Family>(&self, position: &Position) -> bool {
        if !F::HAND || !self.may_drop_or_pass {
            return false;
        }
        let waits = self.general_waits && position.hand() > 0 && self.all.contains(position.general());
        waits || self.no_move.general == NoMove::Pass && !self.the_general_can_move::<F>(position)
    }

    /// Calls `each` with every legal move of the General and its landings. Chains with different paths are different
    /// moves, even with the same effect.
    #[inline(always)]
    pub fn general_actions<F: Family>(&self, position: &Position, mut each: impl FnMut(Move, &[Point])) {
        let (from, rebels) = (position.general(), position.rebels());
        let passes = self.general_passes::<F>(position);
        let special = if passes { PointSet::of(from) } else { self.general_drops::<F>(position) };
        for to in special {
            let kind = if passes { MoveKind::Pass } else { MoveKind::Drop };
            each(Move { kind, from, to, captured: PointSet::EMPTY }, &[to]);
        }
        if passes {
            return;
        }
        let mut captures = false;
        if F::JUMP && self.can_jump(position) {
            captures = true;
            let mut trail = [from; MAX_POINTS];
            self.chains(from, rebels, &mut trail, 0, &mut |landings, left| {
                let to = landings.last().copied().unwrap_or(from);
                each(Move { kind: MoveKind::Jump, from, to, captured: rebels.minus(left) }, landings);
            });
        }
        if F::STATIC {
            for captured in self.static_pairs(position) {
                captures = true;
                each(Move { kind: MoveKind::Static, from, to: from, captured }, &[from]);
            }
        }
        let targets = self.targets::<F>(position, captures);
        for to in targets.walks {
            each(
                Move { kind: MoveKind::Walk, from, to, captured: self.taken_by::<F>(position, MoveKind::Walk, to) },
                &[to],
            );
        }
        if F::LEAP && targets.leaps {
            for to in self.leaps(position) {
                each(Move { kind: MoveKind::Leap, from, to, captured: PointSet::EMPTY }, &[to]);
            }
        }
        if F::FAR {
            for to in targets.free {
                let captured = self.taken_by::<F>(position, MoveKind::FreeJump, to);
                each(Move { kind: MoveKind::FreeJump, from, to, captured }, &[to]);
            }
        }
    }

    /// The number of the General's legal moves.
    #[inline(always)]
    pub fn count_general_moves<F: Family>(&self, position: &Position) -> u64 {
        if self.general_passes::<F>(position) {
            return 1;
        }
        let mut count = if F::JUMP { self.count_chains(position.general(), position.rebels()) } else { 0 };
        if F::STATIC {
            count += self.static_pairs(position).count() as u64;
        }
        let targets = self.targets::<F>(position, count > 0);
        if F::LEAP && targets.leaps {
            count += self.leaps(position).count() as u64;
        }
        let drops = self.general_drops::<F>(position);
        count + u64::from(targets.walks.len()) + u64::from(targets.free.len()) + u64::from(drops.len())
    }

    /// True if the General has a legal move. A capture that is compulsory is one, and so is a pass.
    #[inline(always)]
    pub fn general_can_move<F: Family>(&self, position: &Position) -> bool {
        self.the_general_can_move::<F>(position) || self.general_passes::<F>(position)
    }

    #[inline(always)]
    fn the_general_can_move<F: Family>(&self, position: &Position) -> bool {
        !self.walks::<F>(position).is_empty()
            || F::JUMP && self.can_jump(position)
            || F::STATIC && self.static_pairs(position).next().is_some()
            || F::LEAP && self.leaps(position).next().is_some()
            || !self.free_jumps::<F>(position).is_empty()
            || !self.general_drops::<F>(position).is_empty()
    }

    /// True if the number of the General's moves can depend on points outside its [zone](CompiledRules::zone): it can
    /// when a chain of jumps begins, whose path depends on the whole board.
    #[inline(always)]
    #[doc(hidden)]
    pub fn moves_reach_beyond_zone<F: Family>(&self, position: &Position) -> bool {
        F::JUMP && self.jumps_go_on && self.can_jump(position)
    }
}
