//! Whether a side can win within so many plies at all, and which steps of the Rebels could be the first of such a win.
//!
//! A win needs the General on a point where he can be beaten, and Rebels on the points that beat him there. When the steps left
//! just suffice for that, each of them must bring a Rebel nearer. And the General chooses where he goes, move by move, and has more
//! ways than the Rebels have steps to close them: a first step must do so for every place that he could go to next, or take the
//! place away, or lure him from there by a jump that he must make.

use crate::board::{Point, PointSet};
use crate::rules::{Hop, Masks, Side, State};

use super::soonest::Soonest;
use super::steps::Steps;

/// With so few steps of the Rebels left, the places where the General could go are looked at.
const LOOKS_AHEAD: usize = 6;

/// So many of his moves after the first are looked at one by one.
const LEVELS: usize = 1;

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
}

/// Where the General could be beaten, by the number of steps of the Rebels that this takes at least.
type Dangers = [PointSet; LOOKS_AHEAD + 1];

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
        }
    }

    /// As [`targets`] tells, for wins of the Rebels.
    #[inline(always)]
    fn targets(&self) -> PointSet {
        let reach = self.soonest.reach(self.state, self.before_last);
        if self.before_last == 0
            || self.moves > LOOKS_AHEAD
            || self.soonest.walks_are_bound
            || self.state.free_jumps > 0
        {
            return match reach.into_iter().any(|at| self.least_steps(at) < self.moves as u32) {
                true => self.masks.all,
                false => self.tight_targets(reach),
            };
        }
        let dangers = self.dangers(reach);
        match self.state.side {
            _ if dangers[self.moves].is_empty() => PointSet::EMPTY,
            Side::General if self.general_is_safe(&dangers) => PointSet::EMPTY,
            Side::General => self.masks.all,
            Side::Rebels => self.targets_of_step(&dangers),
        }
    }

    /// Which of these points are places where he could be beaten?
    #[inline(always)]
    fn dangers(&self, points: PointSet) -> Dangers {
        let mut dangers = [PointSet::EMPTY; LOOKS_AHEAD + 1];
        for at in points {
            if let Some(places) = dangers.get_mut(self.least_steps(at) as usize) {
                *places = places.with(at);
            }
        }
        let mut all = PointSet::EMPTY;
        for places in &mut dangers {
            all |= *places;
            *places = all;
        }
        dangers
    }

    /// The jumps that he must choose from, where he must jump.
    fn jumps_open_now(&self) -> impl Iterator<Item = &Hop> {
        let hops = self.soonest.jumps_bind.then(|| self.masks.jumps[self.state.general.index()].iter());
        hops.into_iter().flatten().filter(|hop| self.opened(hop, PointSet::EMPTY, 0).is_some())
    }

    /// Can the General, who is to move, go where nothing can happen to him?
    fn general_is_safe(&self, dangers: &Dangers) -> bool {
        let mut hops = self.jumps_open_now().peekable();
        if hops.peek().is_some() {
            return hops.any(|hop| self.is_way_safe(dangers, hop, PointSet::EMPTY, 0, Look::FIRST));
        }
        self.walks().into_iter().any(|place| self.is_safe_at(dangers, place, Look::FIRST))
    }

    /// The targets of a step of the Rebels, who are to move.
    #[inline(always)]
    fn targets_of_step(&self, dangers: &Dangers) -> PointSet {
        let (all, spare) = (dangers[self.moves], dangers[self.moves - 1]);
        // Whatever place he could go to next: the step must help against it, or take it away.
        let mut targets = self.masks.all;
        for place in self.walks() {
            if self.is_safe_at(dangers, place, Look::FIRST.after_step()) {
                targets &= PointSet::of(place);
            } else {
                let next = self.soonest.reach_from(place, self.before_last - 1);
                if !next.meets(spare) {
                    targets &= self.tight_targets(next & all).with(place);
                }
            }
        }
        if targets == self.masks.all {
            return targets;
        }
        targets |= self.targets_at(self.state.general, 1);
        match self.lures(dangers) {
            Some(lures) => targets | lures,
            None if spare.is_empty() => self.tight_targets(all),
            None => self.masks.all,
        }
    }

    /// Where a step must lead that makes the General jump where he is not safe; none when any step may do so, since he must jump
    /// already.
    #[inline(always)]
    fn lures(&self, dangers: &Dangers) -> Option<PointSet> {
        let mut lures = PointSet::EMPTY;
        if self.soonest.jumps_bind {
            for hop in &self.masks.jumps[self.state.general.index()] {
                let left = self.opened(hop, PointSet::EMPTY, 1);
                let look = Look::FIRST.after_step();
                if left.is_some_and(|left| !self.is_way_safe(dangers, hop, PointSet::EMPTY, left, look)) {
                    match (self.state.rebels.contains(hop.over), self.state.rebels.contains(hop.to)) {
                        (true, false) => return None,
                        (true, true) => lures |= self.masks.neighbours[hop.to.index()],
                        (false, _) => lures = lures.with(hop.over),
                    }
                }
            }
        }
        Some(lures)
    }

    fn walks(&self) -> PointSet {
        self.masks.neighbours[self.state.general.index()] & self.masks.empty(self.state)
    }

    /// Can nothing happen to a General who has come to this place?
    fn is_safe_at(&self, dangers: &Dangers, place: Point, look: Look) -> bool {
        let next = Look { steps: look.steps + 1, levels: look.levels.saturating_sub(1) };
        // The next step could beat him.
        if dangers[next.steps].contains(place) {
            return false;
        }
        let left = self.moves - next.steps;
        if left == 0 || !self.soonest.reach_from(place, left).meets(dangers[self.moves]) {
            return true;
        }
        if look.levels == 0 {
            return false;
        }
        // Each step so far may have taken one of his ways.
        let empty = self.masks.empty(self.state).with(self.state.general);
        let ways = (self.masks.neighbours[place.index()] & empty).minus(dangers[next.steps + 1]);
        if ways.len() as usize <= next.steps {
            return false;
        }
        if left > 1 && ways.into_iter().filter(|way| self.is_safe_at(dangers, *way, next)).nth(next.steps).is_none() {
            return false;
        }
        !self.soonest.jumps_bind || self.are_jumps_safe(dangers, place, PointSet::EMPTY, next.steps as u32, next)
    }

    /// The targets of a first step to beat him on one of these points, where no step is left over.
    #[inline(always)]
    fn tight_targets(&self, points: PointSet) -> PointSet {
        points.into_iter().fold(PointSet::EMPTY, |targets, at| targets | self.targets_at(at, self.moves as u32))
    }

    /// The targets of the first of so many steps that beat a General on this point.
    #[inline(always)]
    fn targets_at(&self, at: Point, moves: u32) -> PointSet {
        let mut targets = PointSet::EMPTY;
        self.for_each_way(at, |points| targets |= self.steps.targets(self.masks, points, moves));
        targets
    }

    /// The fewest steps of the Rebels that could beat a General on this point.
    #[inline(always)]
    fn least_steps(&self, at: Point) -> u32 {
        let mut least = u32::MAX;
        self.for_each_way(at, |points| least = least.min(self.steps.least(points)));
        least
    }

    /// The points that must hold Rebels to beat a General on this one, for each way of doing so.
    #[inline(always)]
    fn for_each_way(&self, at: Point, mut see: impl FnMut(PointSet)) {
        let (soonest, masks) = (self.soonest, self.masks);
        if self.rings && soonest.enclosable.contains(at) {
            see(soonest.enclosure[at.index()]);
        }
        if masks.closable.contains(at) {
            see(soonest.gate);
        }
        for pair in masks.custody[at.index()].as_slice() {
            if masks.ground.contains_all(*pair) {
                see(*pair);
            }
        }
    }

    /// How many of so many steps of the Rebels are left when they have made a jump possible; none when they can't. Some Rebels were
    /// taken before.
    #[inline(always)]
    fn opened(&self, hop: &Hop, taken: PointSet, steps: u32) -> Option<u32> {
        if taken.contains(hop.over) {
            return None;
        }
        let comes = self.steps.least(PointSet::of(hop.over));
        let vacates = u32::from(self.state.rebels.minus(taken).contains(hop.to));
        // Who stands behind can come between, in one step.
        steps.checked_sub(if comes > 0 && vacates > 0 { 1 } else { comes + vacates })
    }

    /// Is he safe wherever jumps from a point lead, after so many steps of the Rebels?
    fn are_jumps_safe(&self, dangers: &Dangers, from: Point, taken: PointSet, steps: u32, look: Look) -> bool {
        self.masks.jumps[from.index()].iter().all(|hop| {
            let left = self.opened(hop, taken, steps);
            left.is_none_or(|left| self.is_way_safe(dangers, hop, taken, left, look))
        })
    }

    /// Is he safe after a jump, and wherever it leads on from there?
    fn is_way_safe(&self, dangers: &Dangers, hop: &Hop, taken: PointSet, steps: u32, look: Look) -> bool {
        self.is_safe_at(dangers, hop.to, look)
            && (!self.masks.chains || self.are_jumps_safe(dangers, hop.to, taken.with(hop.over), steps, look))
    }
}

/// How far ahead a place of the General is looked at.
#[derive(Clone, Copy)]
struct Look {
    /// The steps that the Rebels will have made when he comes there.
    steps: usize,
    /// So many of his further moves are looked at one by one.
    levels: usize,
}

impl Look {
    const FIRST: Look = Look { steps: 0, levels: LEVELS };

    #[inline(always)]
    fn after_step(self) -> Look {
        Look { steps: self.steps + 1, ..self }
    }
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

    #[test]
    fn a_rebel_behind_an_empty_point_makes_a_jump_possible_in_one_step() {
        let position = Position::from_text("3/3/5/5/2G2/5/2r2 r - 0 0 juroku-musashi", None).unwrap();
        let (variant, state) = (position.variant(), position.state());
        let (soonest, masks) = (Soonest::new(variant), variant.masks());
        let closing = Closing::new(&soonest, masks, state, 2, 1);
        let hops = &masks.jumps[state.general.index()];
        let hop = hops.iter().find(|hop| state.rebels.contains(hop.to)).unwrap();
        assert_eq!(closing.opened(hop, PointSet::EMPTY, 0), None);
        assert_eq!(closing.opened(hop, PointSet::EMPTY, 1), Some(0));
        assert_eq!(closing.opened(hop, PointSet::of(hop.over), 1), None);
    }
}
