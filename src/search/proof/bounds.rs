//! Admissible bounds: the fewest moves in which a side could win, from tables compiled once for a variant.
//!
//! Each bound takes the side's task as easier than it is, so "not within so many plies" is always true. The General may
//! walk through Rebels. The Rebels may move as if nobody stood in their way, and a goal of theirs needs no more than
//! that every point of it is reached by the nearest Rebel.

use crate::board::{Board, MAX_POINTS, Point, PointSet};
use crate::rules::{CompiledRules, MoveKind, Position, Side, Template, Variant};

/// Distances of the General are counted up to so many moves; beyond that it may be anywhere.
const MOST_MOVES: usize = 12;

/// What the least lengths of wins follow from.
#[derive(Debug)]
pub(crate) struct Bounds {
    /// By number of moves, per point: where the General could be after at most that many.
    within: Vec<[PointSet; MAX_POINTS]>,
    /// Where the General can be enclosed, and per point the points that must hold Rebels then.
    pub(super) enclosable: PointSet,
    pub(super) enclosure: [PointSet; MAX_POINTS],
    /// The number of points of the board, rounded up to what is counted at once.
    pub(super) counted: usize,
    /// Where it can be beaten by custody or by closing the privy.
    pub(super) beatable: PointSet,
    /// Where it can be beaten by enclosure alone, and each Rebel that it jumps over to come there belongs to the ring.
    pub(super) only_enclosable: PointSet,
    /// Per point: from where Rebels come to it in one step, and in two or fewer.
    pub(super) origins: [[PointSet; 2]; MAX_POINTS],
    /// Per point: where a jump, or a chain of them, can end.
    pub(super) jump_ends: [PointSet; MAX_POINTS],
    /// Per point: the General's moves to an apex and back to the field, where that wins.
    apex_and_back: [usize; MAX_POINTS],
    /// The most Rebels that it takes in a move.
    most_taken: u32,
    /// Rebels run out of moves only when at least so many fill the board; 0 when fewer may be blocked too.
    blocked_from: u32,
    /// At this number of Rebels the General has won.
    rebels_at_most: u32,
    free_jumps_reach: PointSet,
    pub(super) has_losing_apex: bool,
    /// Capture is compulsory, by jumps or by steps.
    pub(super) must_capture: bool,
    /// The same, and a step of the General may be illegal because another step captures.
    pub(super) steps_may_be_barred: bool,
}

impl Bounds {
    pub(crate) fn new(variant: &Variant) -> Bounds {
        let (board, rules, words) = (variant.board(), variant.rules(), variant.rule_set());
        let within = reach_tables(board, rules);
        let enclosure = enclosures(board, rules);
        let of_kind = |kind: MoveKind| move |template: &&Template| template.kind == kind;
        let possible = |p: &Point| {
            let needed = enclosure[p.index()];
            let mut statics = rules.templates(*p).iter().filter(of_kind(MoveKind::Static));
            rules.ground().contains_all(needed) && !statics.any(|template| needed.contains_all(template.captured))
        };
        let is_beatable = |p: &Point| rules.gate(*p).is_some() || !rules.custody(*p).is_empty();
        let only_enclosable = |p: &Point| {
            let mut jumps = all_templates(rules).filter(of_kind(MoveKind::Jump)).filter(|jump| jump.to == *p);
            !is_beatable(p) && jumps.all(|jump| enclosure[p.index()].contains_all(jump.captured))
        };
        let taken = |template: &Template| template.captured.len() + 2 * template.pairs.len() as u32;
        Bounds {
            enclosable: board.all().into_iter().filter(possible).collect(),
            counted: (board.all().len() as usize).next_multiple_of(8),
            beatable: board.all().into_iter().filter(is_beatable).collect(),
            apex_and_back: apex_and_back(board, rules, &within),
            most_taken: if rules.jumps_go_on { u32::MAX } else { all_templates(rules).map(taken).max().unwrap_or(0) },
            blocked_from: if words.forward || has_cut_point(rules) { 0 } else { rules.ground().len() - 1 },
            rebels_at_most: rules.rebels_at_most().unwrap_or(0),
            free_jumps_reach: if words.free_jumps > 0 { board.all() } else { PointSet::EMPTY },
            only_enclosable: board.all().into_iter().filter(only_enclosable).collect(),
            origins: origins(board, rules),
            jump_ends: per_point(board, PointSet::EMPTY, |p| jump_ends(rules, p)),
            steps_may_be_barred: rules.capture_is_compulsory && has_pairs(rules),
            must_capture: rules.capture_is_compulsory,
            has_losing_apex: !rules.losing_apex.is_empty(),
            within,
            enclosure,
        }
    }

    /// Where the General could be after so many moves.
    #[inline(always)]
    pub(super) fn reach(&self, position: &Position, moves: usize) -> PointSet {
        let far = if position.free_jumps() > 0 && moves > 0 { self.free_jumps_reach } else { PointSet::EMPTY };
        self.reach_from(position.general(), moves) | far
    }

    /// Where a General on this point could be after so many moves without a free jump.
    #[inline(always)]
    pub(super) fn reach_from(&self, point: Point, moves: usize) -> PointSet {
        self.within[moves.min(MOST_MOVES)][point.index()]
    }

    /// At most so many plies, of which the last is one with which the winner can win.
    #[inline(always)]
    pub(super) fn plies_to_last_move(&self, to_move: Side, winner: Side, plies: usize) -> usize {
        // The General can lose by its own move only where an apex loses for it.
        let by_own_move = winner == Side::General || !self.has_losing_apex;
        plies - usize::from(by_own_move && plies.is_multiple_of(2) == (to_move == winner) && plies > 0)
    }

    /// Could the General have won after so many of its moves? A "no" is sure.
    pub(super) fn general_can_win(&self, rules: &CompiledRules, position: &Position, moves: usize) -> bool {
        let reach = self.reach(position, moves);
        let rebels = position.rebels().len();
        let returns = !rules.return_apex().is_empty()
            && if position.apex_visited() {
                reach.meets(rules.field())
            } else {
                position.free_jumps() > 0 || self.apex_and_back[position.general().index()] <= moves
            };
        returns
            || reach.meets(rules.winning_apex | rules.winning_bottom | rules.winning_goal)
            || rebels.saturating_sub(self.rebels_at_most) <= self.most_taken.saturating_mul(moves as u32)
            || rebels >= self.blocked_from
    }
}

/// The templates of the General's moves from all points.
fn all_templates(rules: &CompiledRules) -> impl Iterator<Item = &Template> {
    rules.all().into_iter().flat_map(|from| rules.templates(from))
}

/// A value for every point of a board.
fn per_point<T: Copy>(board: &Board, elsewhere: T, there: impl Fn(Point) -> T) -> [T; MAX_POINTS] {
    let mut table = [elsewhere; MAX_POINTS];
    board.all().into_iter().for_each(|p| table[p.index()] = there(p));
    table
}

fn reach_tables(board: &Board, rules: &CompiledRules) -> Vec<[PointSet; MAX_POINTS]> {
    let mut within = vec![per_point(board, PointSet::EMPTY, PointSet::of)];
    let step = |p: Point| {
        let goes = |template: &&Template| matches!(template.kind, MoveKind::Walk | MoveKind::Leap);
        let targets: PointSet = rules.templates(p).iter().filter(goes).map(|template| template.to).collect();
        targets | jump_ends(rules, p)
    };
    while within.len() <= MOST_MOVES {
        let next = per_point(board, PointSet::EMPTY, |p| {
            let before = within.last().map_or(PointSet::EMPTY, |last| last[p.index()]);
            before.into_iter().fold(before, |all, q| all | step(q))
        });
        within.push(next);
    }
    // From the last row on it may be anywhere.
    if let Some(last) = within.last_mut() {
        board.all().into_iter().for_each(|p| last[p.index()] = board.all());
    }
    within
}

/// Where a jump, or a chain of them, can end.
fn jump_ends(rules: &CompiledRules, from: Point) -> PointSet {
    let mut all = PointSet::EMPTY;
    let mut frontier = vec![from];
    while let Some(at) = frontier.pop() {
        for hop in rules.jumps(at) {
            if !all.contains(hop.to) {
                all = all.with(hop.to);
                if rules.jumps_go_on {
                    frontier.push(hop.to);
                }
            }
        }
    }
    all
}

/// Every neighbour must hold a Rebel, and where the General could jump or leap over one, the point behind too.
fn enclosures(board: &Board, rules: &CompiledRules) -> [PointSet; MAX_POINTS] {
    per_point(board, PointSet::EMPTY, |p| {
        let is_hop = |template: &&Template| matches!(template.kind, MoveKind::Jump | MoveKind::Leap);
        rules.templates(p).iter().filter(is_hop).fold(rules.neighbours(p), |all, hop| all.with(hop.to))
    })
}

fn apex_and_back(board: &Board, rules: &CompiledRules, within: &[[PointSet; MAX_POINTS]]) -> [usize; MAX_POINTS] {
    let moves = |from: Point, to: PointSet| within.iter().position(|row| row[from.index()].meets(to));
    per_point(board, usize::MAX, |p| {
        let way = |apex| Some(moves(p, PointSet::of(apex))? + moves(apex, rules.field())?);
        rules.return_apex().into_iter().filter_map(way).min().unwrap_or(usize::MAX)
    })
}

/// From where Rebels come to each point in one step, and in two or fewer.
fn origins(board: &Board, rules: &CompiledRules) -> [[PointSet; 2]; MAX_POINTS] {
    let mut table = [[PointSet::EMPTY; 2]; MAX_POINTS];
    for from in board.all() {
        let once = rules.dilated(PointSet::of(from));
        for (steps, reached) in [once, rules.dilated(once)].into_iter().enumerate() {
            reached.into_iter().for_each(|to| table[to.index()][steps] = table[to.index()][steps].with(from));
        }
    }
    table
}

/// Is there a point without which the Rebels' ground falls apart? Then the General can shut some of them in.
fn has_cut_point(rules: &CompiledRules) -> bool {
    rules.all().into_iter().any(|cut| {
        let rest = rules.ground().without(cut);
        let mut seen = rest.first().map_or(PointSet::EMPTY, PointSet::of);
        loop {
            let wider = rules.dilated(seen) & rest;
            if wider == seen {
                return seen != rest;
            }
            seen = wider;
        }
    })
}

/// Can a step of the General, or a static intervention, take Rebels?
fn has_pairs(rules: &CompiledRules) -> bool {
    let takes = |template: &Template| template.kind == MoveKind::Static || !template.pairs.is_empty();
    all_templates(rules).any(takes)
}
