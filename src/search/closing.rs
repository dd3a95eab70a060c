//! Whether a side can win within so many plies at all, and which steps of the Rebels could be the first of such a win.
//!
//! A win needs the General on a point where he can be beaten, and Rebels on the points that beat him there. When the steps left
//! just suffice for that, each of them must bring a Rebel nearer. And the General chooses where he goes: a first step must do so
//! for every place that he could go to next, or take the place away.

use std::cell::Cell;

use crate::board::{MAX_POINTS, Point, PointSet};
use crate::rules::{Hop, Masks, Side, State};

use super::soonest::{MOST_MOVES, Soonest, dilated};

/// With so few steps of the Rebels left, each of the General's next places is looked at.
const LOOKS_AHEAD: usize = 3;

/// Where a step of the Rebels must lead that could be the first of a win in so many plies: no point when there can't be such a win,
/// which is sure, and every point where nothing is known, or where the other side moves or wins.
#[inline(always)]
pub(super) fn targets(soonest: &Soonest, masks: &Masks, state: &State, winner: Side, plies: usize) -> PointSet {
    let own = if state.side == winner { plies.div_ceil(2) } else { plies / 2 };
    match winner {
        Side::Rebels if can_go_to_losing_apex(soonest, masks, state, plies - own) => masks.all,
        Side::Rebels if own > 0 => Closing::new(soonest, masks, state, own, plies - own).targets(),
        Side::General if own > 0 && soonest.general_can_win(masks, state, own) => masks.all,
        _ => PointSet::EMPTY,
    }
}

#[inline(always)]
fn can_go_to_losing_apex(soonest: &Soonest, masks: &Masks, state: &State, moves: usize) -> bool {
    soonest.has_losing_apex && soonest.reach(state, moves).meets(masks.losing_apex)
}

/// What the Rebels could do in a position within so many moves of each side.
struct Closing<'a> {
    soonest: &'a Soonest,
    masks: &'a Masks,
    state: &'a State,
    steps: Steps,
    /// Can he be closed in, or has he free jumps left that let him out of any ring?
    rings: bool,
    /// Steps of the Rebels.
    moves: usize,
    /// Moves of the General before the last of them.
    before_last: usize,
    /// What was found out: for each known point where he could be beaten, the targets of a first step.
    known: Cell<PointSet>,
    of_point: [Cell<PointSet>; MAX_POINTS],
}

impl<'a> Closing<'a> {
    #[inline(always)]
    fn new(soonest: &'a Soonest, masks: &'a Masks, state: &'a State, moves: usize, generals: usize) -> Closing<'a> {
        Closing {
            soonest,
            masks,
            state,
            steps: Steps::new(masks, state.rebels),
            // Free jumps can be used up, and need an empty point on the field.
            rings: state.free_jumps as usize <= generals || state.rebels.len() + 1 >= masks.field.len(),
            moves,
            before_last: if state.side == Side::Rebels { generals.min(moves.saturating_sub(1)) } else { generals },
            known: Cell::new(PointSet::EMPTY),
            of_point: [const { Cell::new(PointSet::EMPTY) }; MAX_POINTS],
        }
    }

    /// As [`targets`] tells, for wins of the Rebels.
    #[inline(always)]
    fn targets(&self) -> PointSet {
        if self.before_last == 0
            || self.moves > LOOKS_AHEAD
            || self.soonest.walks_are_bound
            || self.state.free_jumps > 0
        {
            return self.union(self.soonest.reach(self.state, self.before_last));
        }
        match self.state.side {
            Side::General if self.general_is_safe() => PointSet::EMPTY,
            Side::General => self.masks.all,
            Side::Rebels => self.targets_of_step(),
        }
    }

    /// Can the General, who is to move, go where nothing can happen to him?
    fn general_is_safe(&self) -> bool {
        if self.soonest.jumps_bind {
            let open = |hop: &&Hop| self.opened(hop, PointSet::EMPTY, 0).is_some();
            let mut hops = self.masks.jumps[self.state.general.index()].iter().filter(open).peekable();
            if hops.peek().is_some() {
                return hops.any(|hop| self.is_way_safe(hop, PointSet::EMPTY, 0));
            }
        }
        self.walks().into_iter().any(|place| self.targets_after(place).is_empty())
    }

    /// The targets of a step of the Rebels, who are to move.
    #[inline(always)]
    fn targets_of_step(&self) -> PointSet {
        let general = self.state.general;
        // Whatever place he could go to next: the step must help against it, or take it away.
        let mut targets = self.masks.all;
        for place in self.walks() {
            targets &= self.targets_after(place).with(place);
        }
        if targets != self.masks.all {
            targets |= self.targets_at(general, 1);
        }
        // Where he must jump he can be led away from those places.
        if targets != self.masks.all && self.soonest.jumps_bind && !self.are_jumps_safe(general, PointSet::EMPTY, 1) {
            return self.union(self.soonest.reach(self.state, self.before_last));
        }
        targets
    }

    fn walks(&self) -> PointSet {
        self.masks.neighbours[self.state.general.index()] & self.masks.empty(self.state)
    }

    /// The targets of a first step against a General who has gone to this place; none when he is safe there.
    fn targets_after(&self, place: Point) -> PointSet {
        self.union(self.soonest.within[(self.before_last - 1).min(MOST_MOVES)][place.index()])
    }

    /// The targets of a first step to beat him on one of these points.
    #[inline(always)]
    fn union(&self, points: PointSet) -> PointSet {
        let mut targets = PointSet::EMPTY;
        for at in points {
            let kept = &self.of_point[at.index()];
            if !self.known.get().contains(at) {
                self.known.set(self.known.get().with(at));
                kept.set(self.targets_at(at, self.moves as u32));
            }
            targets |= kept.get();
            if targets == self.masks.all {
                break;
            }
        }
        targets
    }

    /// The targets of the first of so many steps that beat a General on this point.
    #[inline(always)]
    fn targets_at(&self, at: Point, moves: u32) -> PointSet {
        let (soonest, masks) = (self.soonest, self.masks);
        let mut targets = PointSet::EMPTY;
        if self.rings && soonest.enclosable.contains(at) {
            targets |= self.steps.targets(masks, soonest.enclosure[at.index()], moves);
        }
        if masks.closable.contains(at) {
            targets |= self.steps.targets(masks, soonest.gate, moves);
        }
        for pair in masks.custody[at.index()].as_slice() {
            if masks.ground.contains_all(*pair) {
                targets |= self.steps.targets(masks, *pair, moves);
            }
        }
        targets
    }

    /// How many of so many steps of the Rebels are left when they have made a jump possible; none when they can't. Some Rebels were
    /// taken before.
    #[inline(always)]
    fn opened(&self, hop: &Hop, taken: PointSet, steps: u32) -> Option<u32> {
        let rebels = self.state.rebels.minus(taken);
        let comes = match rebels.contains(hop.over) {
            true => 0,
            false if self.steps.near.minus(self.state.rebels).contains(hop.over) => 1,
            false => return None,
        };
        steps.checked_sub(comes + u32::from(rebels.contains(hop.to)))
    }

    /// Is he safe wherever jumps from a point lead, after so many steps of the Rebels?
    fn are_jumps_safe(&self, from: Point, taken: PointSet, steps: u32) -> bool {
        self.masks.jumps[from.index()].iter().all(|hop| {
            let left = self.opened(hop, taken, steps);
            left.is_none_or(|left| self.is_way_safe(hop, taken, left))
        })
    }

    /// Is he safe after a jump, and wherever it leads on from there?
    fn is_way_safe(&self, hop: &Hop, taken: PointSet, steps: u32) -> bool {
        self.targets_after(hop.to).is_empty()
            && (!self.masks.chains || self.are_jumps_safe(hop.to, taken.with(hop.over), steps))
    }
}

/// How near the Rebels are.
struct Steps {
    rebels: PointSet,
    near: PointSet,
    further: PointSet,
}

impl Steps {
    #[inline(always)]
    fn new(masks: &Masks, rebels: PointSet) -> Steps {
        let near = dilated(masks, rebels);
        Steps { rebels, near, further: dilated(masks, near) }
    }

    /// The targets of the first of so many steps after which Rebels could stand on all of these points, if nobody stood in their way
    /// and it were enough that each point is reached by the Rebel nearest to it.
    #[inline(always)]
    fn targets(&self, masks: &Masks, points: PointSet, moves: u32) -> PointSet {
        let missing = points.minus(self.rebels);
        let (far, further) = (missing.minus(self.near), missing.minus(self.further));
        let least = missing.len() + far.len() + further.len();
        if least != moves {
            return if least < moves { masks.all } else { PointSet::EMPTY };
        }
        // No step is left over: each must bring a Rebel nearer.
        let beside_far = beside(masks, far);
        missing | beside_far | if further.is_empty() { PointSet::EMPTY } else { beside(masks, beside_far) }
    }
}

/// The points next to those of a set.
#[inline(always)]
fn beside(masks: &Masks, points: PointSet) -> PointSet {
    points.into_iter().fold(PointSet::EMPTY, |all, p| all | masks.neighbours[p.index()])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::random::Random;
    use crate::rules::{Move, Position, Variant};

    use super::*;

    /// Has a side a forced win within so many plies? By the rules alone.
    fn wins(position: &Position, winner: Side, plies: usize) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome.winner() == Some(winner);
        }
        let attacks = position.side() == winner;
        plies > 0
            && position.legal_moves().iter().any(|move_| wins(&position.after(move_), winner, plies - 1) == attacks)
                == attacks
    }

    fn winning_steps(position: &Position, plies: usize) -> Vec<Point> {
        let moves = position.legal_moves();
        let winning = moves.iter().filter(|move_| wins(&position.after(move_), Side::Rebels, plies - 1));
        winning.map(|move_| move_.action().to).collect()
    }

    /// A random move; the Rebels take the one of some that leaves the General the fewest moves.
    fn rough_move(position: &Position, random: &mut Random) -> Option<Move> {
        let moves = position.legal_moves();
        if position.side() == Side::General {
            return random.pick(&moves).cloned();
        }
        let some: Vec<&Move> = (0..6).filter_map(|_| random.pick(&moves)).collect();
        some.into_iter().min_by_key(|move_| position.after(move_).legal_moves().len()).cloned()
    }

    /// Positions that the Rebels win soon, with the plies: the last ones of games that they won.
    fn near_wins(variant: &Arc<Variant>, random: &mut Random) -> Vec<(Position, usize)> {
        let mut found = Vec::new();
        for _ in 0..1_000 {
            let mut positions = vec![variant.start()];
            while let Some(position) = positions.last()
                && positions.len() < 300
                && position.outcome().is_none()
                && let Some(move_) = rough_move(position, random)
            {
                positions.push(position.after(&move_));
            }
            for position in positions.iter().rev().skip(1).take(4) {
                let plies = if position.side() == Side::General { [2, 4] } else { [1, 3] };
                let shortest = plies.into_iter().find(|plies| wins(position, Side::Rebels, *plies));
                found.extend(shortest.map(|plies| (position.clone(), plies)));
            }
        }
        found
    }

    #[test]
    fn no_win_is_ruled_out_and_all_its_first_steps_are_targets() {
        let mut random = Random::new(16);
        for id in
            ["sixteen-rebels", "juroku-musashi", "juroku-musashi-hasami", "kings-gonu", "shap-luk-kon", "yeung-luk"]
        {
            let variant = Variant::builtin(id).unwrap();
            let soonest = Soonest::new(&variant);
            let near = near_wins(&variant, &mut random);
            assert!(near.len() > 20, "{id}: {}", near.len());
            for (position, plies) in near {
                let targets = targets(&soonest, variant.masks(), position.state(), Side::Rebels, plies);
                assert!(!targets.is_empty(), "{position}: {plies}");
                if position.side() == Side::Rebels {
                    let steps = winning_steps(&position, plies);
                    assert!(steps.iter().all(|to| targets.contains(*to)), "{position}: {plies} {steps:?}");
                }
            }
        }
    }
}
