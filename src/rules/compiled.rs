//! A variant compiled to tables of point sets: the fast path, derived from board and rule words.

use crate::board::{Board, MAX_LINES, MAX_POINTS, Point, PointSet, Triple};

use super::rule_set::{ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, RuleSet, StaticRule};

/// A few sets of points, each the two ends of three points in line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pairs {
    sets: [PointSet; MAX_LINES],
    len: u8,
}

impl Pairs {
    fn push(&mut self, pair: PointSet) {
        // A board has at most MAX_LINES pairs through a point, and a corner has none: there is always room.
        if let Some(slot) = self.sets.get_mut(usize::from(self.len)) {
            *slot = pair;
            self.len += 1;
        }
    }

    /// The pairs.
    #[inline(always)]
    #[must_use]
    pub fn as_slice(&self) -> &[PointSet] {
        &self.sets[..usize::from(self.len).min(MAX_LINES)]
    }

    /// All points of those pairs that hold Rebels at both ends.
    #[inline(always)]
    #[must_use]
    pub fn held_by(&self, rebels: PointSet) -> PointSet {
        let mut held = PointSet::EMPTY;
        for &pair in self.as_slice() {
            if rebels.contains_all(pair) {
                held |= pair;
            }
        }
        held
    }

    /// All points of all pairs.
    #[must_use]
    pub fn union(&self) -> PointSet {
        self.as_slice().iter().fold(PointSet::EMPTY, |all, pair| all | *pair)
    }
}

/// A jump or leap from a point: over a neighbour to the point behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// The neighbour, who must be a Rebel.
    pub over: Point,
    /// The landing, which must be empty.
    pub to: Point,
}

/// The edges whose ends differ by one index offset, seen from the lower end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    /// Index of the upper end less index of the lower.
    pub offset: u32,
    /// Lower ends from which a Rebel may step to the upper end.
    pub up: PointSet,
    /// Lower ends to which a Rebel may step from the upper end.
    pub down: PointSet,
}

/// The tables. Features that a variant lacks have empty tables, so that the general path needs no rule words.
#[derive(Debug)]
pub struct CompiledRules {
    /// All points.
    pub all: PointSet,
    /// The points of the field.
    pub field: PointSet,
    /// The points of the privy.
    pub privy: PointSet,
    /// Where Rebels may stand.
    pub ground: PointSet,
    /// Per point: adjacent points.
    pub neighbours: [PointSet; MAX_POINTS],
    /// Per point: where a Rebel may step.
    pub rebel_steps: [PointSet; MAX_POINTS],
    /// The Rebels' steps by index offset.
    pub shifts: Vec<Shift>,
    /// Per point: the pairs that the General takes when he arrives.
    pub interventions: [Pairs; MAX_POINTS],
    /// Per point: by adjacent point, the pairs that he takes when he leaves for it.
    pub departures: Vec<Vec<(Point, Pairs)>>,
    /// Per point: the pairs that he may take without moving.
    pub statics: [Pairs; MAX_POINTS],
    /// Static intervention needs a Rebel on every adjacent point.
    pub static_surrounded: bool,
    /// Per point: capturing jumps.
    pub jumps: Vec<Vec<Hop>>,
    /// A move goes on as long as a jump is possible.
    pub chains: bool,
    /// Per point: leaps without capture.
    pub leaps: Vec<Vec<Hop>>,
    /// Per point: the points in each direction, nearest first, for a General who slides.
    pub rays: Vec<Vec<Vec<Point>>>,
    /// Capture is compulsory.
    pub compulsory: bool,
    /// Per point: the pairs that capture the General who stands there.
    pub custody: [Pairs; MAX_POINTS],
    /// Apex points that win for the General at once.
    pub winning_apex: PointSet,
    /// Apex points that win for the Rebels at once.
    pub losing_apex: PointSet,
    /// Apex points from which the General must return to win.
    pub return_apex: PointSet,
    /// The points of row 1, where standing there wins for the General; else none.
    pub winning_bottom: PointSet,
    /// The General wins at so many Rebels or fewer; -1 without a limit.
    pub rebels_at_most: i32,
    /// Where the General can be closed in; empty where that is no rule.
    pub closable: PointSet,
    /// The exits of the privy.
    pub exits: PointSet,
    /// Field points where a jump from the privy over an exit lands.
    pub hop_outs: PointSet,
    /// Per point: the points that can change how many moves a General there has while no jump is possible.
    pub zone: [PointSet; MAX_POINTS],
}

impl CompiledRules {
    /// Works out the tables of a game on a board.
    #[must_use]
    pub fn new(board: &Board, words: &RuleSet) -> CompiledRules {
        let ground = if words.enter_privy { board.all() } else { board.field() };
        let neighbours = per_point(board, |p| board.neighbours(p));
        let rebel_steps = per_point(board, |p| {
            let may = |to: &Point| {
                ground.contains(p) && ground.contains(*to) && (!words.forward || board.spot(*to).y >= board.spot(p).y)
            };
            board.neighbours(p).into_iter().filter(may).collect()
        });
        let hops_where = |wanted: bool, lines: JumpLines| hops(board, wanted, lines);
        let jumps = hops_where(words.jump != JumpRule::None, words.jump_lines);
        let leap_lines = if words.leap == LeapRule::Diagonal { JumpLines::Diagonal } else { JumpLines::Any };
        let leaps = hops_where(words.leap != LeapRule::None, leap_lines);
        let taken = |t: &Triple| !words.orthogonal || board.spot(t.first).to(board.spot(t.last)).is_orthogonal();
        let apex_if = |wanted: bool| if wanted { board.apex() } else { PointSet::EMPTY };
        let mut rules = CompiledRules {
            all: board.all(),
            field: board.field(),
            privy: board.privy(),
            ground,
            neighbours,
            rebel_steps,
            shifts: shifts(board, &rebel_steps),
            interventions: pairs(board, |t| words.intervention && taken(t)),
            departures: departures(board, |t| words.deferred && taken(t)),
            statics: statics(board, words.static_rule, taken),
            static_surrounded: words.static_rule == StaticRule::Surrounded,
            hop_outs: hop_outs(board, &jumps),
            jumps,
            chains: words.jump == JumpRule::Multi,
            leaps,
            rays: rays(board, words.slide),
            compulsory: words.compulsory,
            custody: pairs(board, |_| words.custodial),
            winning_apex: apex_if(words.apex == ApexRule::General),
            losing_apex: apex_if(words.apex == ApexRule::Rebels),
            return_apex: apex_if(words.apex == ApexRule::Return),
            winning_bottom: if words.bottom == BottomRule::General { board.bottom() } else { PointSet::EMPTY },
            rebels_at_most: words.rebels_at_most.map_or(-1, i32::from),
            closable: if words.close_privy { board.privy() } else { PointSet::EMPTY },
            exits: board.exits(),
            zone: [PointSet::EMPTY; MAX_POINTS],
        };
        let goes_far = words.slide || words.free_jumps > 0;
        rules.zone = per_point(board, |p| if goes_far { board.all() } else { zone(&rules, p) });
        rules
    }
}

fn per_point<T: Copy + Default>(board: &Board, value: impl Fn(Point) -> T) -> [T; MAX_POINTS] {
    let mut table = [T::default(); MAX_POINTS];
    for point in board.all() {
        table[point.index()] = value(point);
    }
    table
}

fn list_per_point<T>(board: &Board, value: impl Fn(Point) -> Vec<T>) -> Vec<Vec<T>> {
    // As long as the other tables, so that every point is a valid index.
    (0..MAX_POINTS).map(Point::new).map(|p| if board.all().contains(p) { value(p) } else { Vec::new() }).collect()
}

fn shifts(board: &Board, steps: &[PointSet; MAX_POINTS]) -> Vec<Shift> {
    let mut shifts: Vec<Shift> = Vec::new();
    for lower in board.all() {
        for upper in board.neighbours(lower).into_iter().filter(|upper| *upper > lower) {
            let offset = (upper.index() - lower.index()) as u32;
            let up = steps[lower.index()].contains(upper);
            let down = steps[upper.index()].contains(lower);
            if !up && !down {
                continue;
            }
            let at = shifts.iter().position(|s| s.offset == offset).unwrap_or_else(|| {
                shifts.push(Shift { offset, up: PointSet::EMPTY, down: PointSet::EMPTY });
                shifts.len() - 1
            });
            if let Some(shift) = shifts.get_mut(at) {
                if up {
                    shift.up = shift.up.with(lower);
                }
                if down {
                    shift.down = shift.down.with(lower);
                }
            }
        }
    }
    shifts
}

fn ends(triple: &Triple) -> PointSet {
    PointSet::of(triple.first).with(triple.last)
}

fn pairs(board: &Board, wanted: impl Fn(&Triple) -> bool) -> [Pairs; MAX_POINTS] {
    per_point(board, |p| {
        let mut pairs = Pairs::default();
        board.triples().iter().filter(|t| t.middle == p && wanted(t)).for_each(|t| pairs.push(ends(t)));
        pairs
    })
}

/// Deferred intervention: pairs at right angles to the step away from between them (RULES §2).
fn departures(board: &Board, wanted: impl Fn(&Triple) -> bool) -> Vec<Vec<(Point, Pairs)>> {
    list_per_point(board, |p| {
        let leaving_for = |to: Point| {
            let step = board.spot(p).to(board.spot(to));
            let mut pairs = Pairs::default();
            board
                .triples()
                .iter()
                .filter(|t| t.middle == p && wanted(t))
                .filter(|t| board.spot(t.first).to(board.spot(t.last)).is_perpendicular_to(step))
                .for_each(|t| pairs.push(ends(t)));
            (to, pairs)
        };
        board.neighbours(p).into_iter().map(leaving_for).filter(|(_, pairs)| !pairs.as_slice().is_empty()).collect()
    })
}

/// Static intervention. Where `surrounded` is asked for, a point with exactly two neighbours that are not in line has
/// these as its pair; that reading knows no lines, so `orthogonal` does not narrow it.
fn statics(board: &Board, rule: StaticRule, taken: impl Fn(&Triple) -> bool) -> [Pairs; MAX_POINTS] {
    let mut table = pairs(board, |t| rule != StaticRule::None && taken(t));
    if rule == StaticRule::Surrounded {
        for point in board.all() {
            let neighbours = board.neighbours(point);
            if neighbours.len() == 2 && !board.triples().iter().any(|t| t.middle == point) {
                table[point.index()].push(neighbours);
            }
        }
    }
    table
}

fn hops(board: &Board, wanted: bool, lines: JumpLines) -> Vec<Vec<Hop>> {
    list_per_point(board, |p| {
        let from_p = |t: &Triple| {
            let (over, to) = match p {
                p if p == t.first => (t.middle, t.last),
                p if p == t.last => (t.middle, t.first),
                _ => return None,
            };
            let diagonal = !board.spot(p).to(board.spot(to)).is_orthogonal();
            (wanted && (lines == JumpLines::Any || diagonal)).then_some(Hop { over, to })
        };
        board.triples().iter().filter_map(from_p).collect()
    })
}

/// Where jumps from any privy point over an exit land on the field. A leap without capture does not count: the rules
/// speak of jumps.
fn hop_outs(board: &Board, jumps: &[Vec<Hop>]) -> PointSet {
    let from_privy = board.privy().into_iter().flat_map(|p| jumps[p.index()].iter());
    from_privy.filter(|h| board.exits().contains(h.over) && board.field().contains(h.to)).map(|h| h.to).collect()
}

fn rays(board: &Board, wanted: bool) -> Vec<Vec<Vec<Point>>> {
    list_per_point(board, |p| {
        let mut rays: Vec<Vec<Point>> = Vec::new();
        for line in board.lines().iter().filter(|_| wanted) {
            if let Some(at) = line.iter().position(|other| *other == p) {
                rays.push(line.iter().skip(at + 1).copied().collect());
                rays.push(line.iter().take(at).rev().copied().collect());
            }
        }
        rays.retain(|ray| !ray.is_empty());
        rays
    })
}

fn zone(rules: &CompiledRules, point: Point) -> PointSet {
    let at = point.index();
    let mut zone = rules.neighbours[at] | rules.statics[at].union() | rules.custody[at].union();
    for hop in rules.jumps[at].iter().chain(&rules.leaps[at]) {
        zone = zone.with(hop.over).with(hop.to);
    }
    if rules.compulsory {
        // Which steps are legal depends on which of them capture.
        for to in rules.neighbours[at] {
            zone |= rules.interventions[to.index()].union();
        }
        for (_, pairs) in &rules.departures[at] {
            zone |= pairs.union();
        }
    }
    if rules.closable.contains(point) {
        zone |= rules.exits | rules.hop_outs;
    }
    zone
}
