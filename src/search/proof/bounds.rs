//! Admissible bounds: the fewest moves in which a side could win, from tables compiled once for a variant.
//!
//! Each bound takes the task as easier than it is, so "not within n plies" is always true. The General may walk through
//! Rebels. The Rebels may move as if the board were empty, and each point of their goal is reached by the nearest
//! Rebel.

use privy_rules::board::{Board, MAX_POINTS, Point, PointSet};
use privy_rules::rule_set::ForwardRule;
use privy_rules::{CompiledRules, MoveKind, Position, Side, Template, Variant};

/// Distances of the General are counted up to this many moves; beyond that it may be anywhere.
const MOST_MOVES: usize = 12;

#[derive(Debug)]
#[doc(hidden)]
pub struct Bounds {
    /// False where a rule makes a win possible that the bounds do not know: then they exclude nothing.
    pub(super) hold: bool,
    /// By number of moves and point: where the General could be after at most that many moves.
    within: Vec<[PointSet; MAX_POINTS]>,
    /// Where the General can be enclosed, and by point the points that must hold Rebels then.
    pub(super) enclosable: PointSet,
    pub(super) enclosure: [PointSet; MAX_POINTS],
    /// The number of points of the board, rounded up to a multiple of eight for vector instructions.
    pub(super) counted: usize,
    /// Where the General can be beaten by custody or by closing the privy.
    pub(super) beatable: PointSet,
    /// By point: from where Rebels reach it in one step, and in at most two.
    pub(super) origins: [[PointSet; 2]; MAX_POINTS],
    /// The most Rebels captured in a move.
    most_taken: u32,
    /// The least number of Rebels that can be without a move; 0 if any number can.
    blocked_from: u32,
}

impl Bounds {
    pub fn new(variant: &Variant) -> Bounds {
        let (board, rules, words) = (variant.board(), variant.rules(), variant.rule_set());
        let within = reach_tables(board, rules);
        let enclosure = enclosures(board, rules);
        let of_kind = |kind: MoveKind| move |template: &&Template| template.kind == kind;
        let possible = |p: &Point| {
            let needed = enclosure[p.index()];
            let mut statics = rules.templates[*p].iter().filter(of_kind(MoveKind::Static));
            rules.ground.contains_all(needed) && !statics.any(|template| needed.contains_all(template.captured))
        };
        let is_beatable = |p: &Point| rules.gate(*p).is_some() || !rules.custody(*p).is_empty();
        let taken = |template: &Template| template.captured.len() + 2 * template.pairs.len() as u32;
        Bounds {
            hold: are_known(variant),
            enclosable: board.all().into_iter().filter(possible).collect(),
            counted: (board.all().len() as usize).next_multiple_of(8),
            beatable: board.all().into_iter().filter(is_beatable).collect(),
            most_taken: if rules.jumps_go_on { u32::MAX } else { all_templates(rules).map(taken).max().unwrap_or(0) },
            blocked_from: if words.forward != ForwardRule::Any || has_cut_point(rules) {
                0
            } else {
                rules.ground.len() - 1
            },
            origins: origins(board, rules),
            within,
            enclosure,
        }
    }

    /// Where the General could be after this number of moves.
    #[inline(always)]
    pub(super) fn reach(&self, position: &Position, moves: usize) -> PointSet {
        // A free jump may end anywhere.
        let moves = if position.free_jumps() > 0 && moves > 0 { MOST_MOVES } else { moves.min(MOST_MOVES) };
        self.within[moves][position.general().index()]
    }

    /// At most `plies`, reduced so that the last ply is a move by which the winner can win.
    #[inline(always)]
    pub(super) fn plies_to_last_move(&self, rules: &CompiledRules, to_move: Side, winner: Side, plies: usize) -> usize {
        // The General can lose by its own move only where an apex loses for it.
        let by_own_move = winner == Side::General || rules.losing_apex.is_empty();
        plies - usize::from(self.hold && by_own_move && plies.is_multiple_of(2) == (to_move == winner) && plies > 0)
    }

    /// False only if the General cannot win within this number of its moves.
    pub(super) fn general_can_win(&self, rules: &CompiledRules, position: &Position, moves: usize) -> bool {
        let reach = self.reach(position, moves);
        let rebels = position.rebels().len();
        // An apex from which it must return is half of the way.
        let half_way = if position.apex_visited() { rules.field } else { rules.return_apex };
        let left = rebels.saturating_sub(rules.rebels_at_most().unwrap_or(0));
        reach.meets(rules.winning_apex | rules.winning_bottom | rules.winning_goal | half_way)
            || left <= self.most_taken.saturating_mul(moves as u32)
            || rebels >= self.blocked_from
    }
}

/// True if the bounds know all ways to win: the General's places, captures and no move; enclosure by all neighbours,
/// custody, the closed privy.
fn are_known(variant: &Variant) -> bool {
    !variant.has_hand() && variant.rule_set().uses_only(KNOWN)
}

const KNOWN: &str = "intervention deferred static orthogonal jump jump_lines leap slide free_jumps compulsory forward \
    enter_privy rebels_never_on custodial apex bottom goal goal_on_return repetition move_limit rebels_at_most \
    close_privy";

fn all_templates(rules: &CompiledRules) -> impl Iterator<Item = &Template> {
    rules.all.into_iter().flat_map(|from| &rules.templates[from])
}

fn per_point<T: Copy>(board: &Board, elsewhere: T, there: impl Fn(Point) -> T) -> [T; MAX_POINTS] {
    let mut table = [elsewhere; MAX_POINTS];
    board.all().into_iter().for_each(|p| table[p.index()] = there(p));
    table
}

fn reach_tables(board: &Board, rules: &CompiledRules) -> Vec<[PointSet; MAX_POINTS]> {
    let mut within = vec![per_point(board, PointSet::EMPTY, PointSet::of)];
    let step = |p: Point| {
        let goes = |template: &&Template| matches!(template.kind, MoveKind::Walk | MoveKind::Leap);
        let targets: PointSet = rules.templates[p].iter().filter(goes).map(|template| template.to).collect();
        targets | jump_ends(rules, p)
    };
    while within.len() <= MOST_MOVES {
        let next = per_point(board, PointSet::EMPTY, |p| {
            let before = within.last().map_or(PointSet::EMPTY, |last| last[p.index()]);
            before.into_iter().fold(before, |all, q| all | step(q))
        });
        within.push(next);
    }
    if let Some(last) = within.last_mut() {
        board.all().into_iter().for_each(|p| last[p.index()] = board.all());
    }
    within
}

fn jump_ends(rules: &CompiledRules, from: Point) -> PointSet {
    let mut all = PointSet::EMPTY;
    let mut frontier = vec![from];
    while let Some(at) = frontier.pop() {
        for hop in &rules.jumps[at] {
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

/// Every neighbour must hold a Rebel, and so must the point beyond one that the General could jump or leap over.
fn enclosures(board: &Board, rules: &CompiledRules) -> [PointSet; MAX_POINTS] {
    per_point(board, PointSet::EMPTY, |p| {
        let is_hop = |template: &&Template| matches!(template.kind, MoveKind::Jump | MoveKind::Leap);
        rules.templates[p].iter().filter(is_hop).fold(rules.neighbours[p], |all, hop| all.with(hop.to))
    })
}

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

/// True if some point cuts the ground of the Rebels in two: then the General can shut some of them in.
fn has_cut_point(rules: &CompiledRules) -> bool {
    rules.all.into_iter().any(|cut| {
        let rest = rules.ground.without(cut);
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

/// The distance of every point from the nearest Rebel on an empty board, as two bits: more than two steps count as
/// three.
pub struct RebelDistance {
    rebels: PointSet,
    /// The low bit: one or three steps.
    ones: PointSet,
    /// The high bit: two or three steps.
    twos: PointSet,
}

impl RebelDistance {
    #[inline(always)]
    #[doc(hidden)]
    pub fn new(rules: &CompiledRules, rebels: PointSet) -> RebelDistance {
        let near = rules.dilated(rebels);
        let further = rules.dilated(near);
        RebelDistance { rebels, ones: !(rebels ^ near ^ further), twos: !near }
    }

    /// The fewest steps after which Rebels could stand on all of these points, if each is reached by the nearest Rebel.
    #[inline(always)]
    pub fn least(&self, points: PointSet) -> u32 {
        (points & self.ones).len() + 2 * (points & self.twos).len()
    }

    /// By set, one bit: its [`least`](RebelDistance::least) is at most `most`.
    #[inline(always)]
    pub(super) fn within(&self, sets: &[PointSet], most: u32) -> u64 {
        // Without a branch, so that the compiler vectorises it.
        let mut bits = 0;
        for (place, set) in sets.iter().enumerate() {
            bits |= u64::from(self.least(*set) <= most) << place;
        }
        bits
    }

    /// As [`least`](RebelDistance::least), but closer where it is at most `most`: Rebels on the points stay there or
    /// are replaced, so that others must come, each to one point.
    #[inline(always)]
    pub fn exact(&self, bounds: &Bounds, points: PointSet, most: u32) -> u32 {
        let least = self.least(points);
        if least > most || least == 0 {
            return least;
        }
        let missing = points.minus(self.rebels);
        let others = self.rebels.minus(points);
        if others.len() < missing.len() {
            return u32::MAX;
        }
        let (mut sum, mut adjacent, mut used) = (0, 0, PointSet::EMPTY);
        for point in missing {
            let [once, twice] = bounds.origins[point.index()];
            if once.meets(others) {
                sum += 1;
                adjacent += 1;
                used |= once & others;
            } else {
                sum += if twice.meets(others) { 2 } else { 3 };
            }
        }
        // A Rebel adjacent to several points fills only one of them.
        sum + u32::saturating_sub(adjacent, used.len())
    }

    /// The targets of the first of `moves` steps that bring Rebels to all points.
    #[inline(always)]
    pub(super) fn targets(&self, rules: &CompiledRules, bounds: &Bounds, points: PointSet, moves: u32) -> PointSet {
        let least = self.exact(bounds, points, moves);
        if least != moves {
            return if least < moves { rules.all } else { PointSet::EMPTY };
        }
        // No step is spare: each must bring a Rebel nearer to a missing point.
        let missing = points.minus(self.rebels);
        let others = self.rebels.minus(points);
        let beyond = |steps: usize| -> PointSet {
            missing.into_iter().filter(|p| !bounds.origins[p.index()][steps - 1].meets(others)).collect()
        };
        let (mut far, mut further) = (beyond(1), beyond(2));
        if least > missing.len() + far.len() + further.len() {
            (far, further) = (missing, missing);
        }
        missing | adjacent(rules, far) | adjacent(rules, adjacent(rules, further))
    }
}

#[inline(always)]
fn adjacent(rules: &CompiledRules, points: PointSet) -> PointSet {
    points.into_iter().fold(PointSet::EMPTY, |all, p| all | rules.neighbours[p])
}
