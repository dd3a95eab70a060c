//! A variant compiled to tables of point sets: the fast path, derived from board and rule words.

use crate::board::{Board, MAX_LINES, Point, PointSet, PointTable, Triple};

use super::rule_set::{
    ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, MoveLimitRule, RuleSet, StandoffRule, StaticRule,
};
use super::{MoveKind, Outcome, Side, Template};

/// A few pairs of points, each the two ends of three points in line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pairs {
    sets: [PointSet; MAX_LINES],
    len: u8,
}

impl Pairs {
    fn push(&mut self, pair: PointSet) {
        // A board has at most MAX_LINES pairs through a point, and a corner has none: there is always room.
        self.sets[usize::from(self.len)] = pair;
        self.len += 1;
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[PointSet] {
        &self.sets[..usize::from(self.len).min(MAX_LINES)]
    }

    /// All points of those pairs that hold Rebels at both ends.
    #[inline(always)]
    pub(super) fn held_by(&self, rebels: PointSet) -> PointSet {
        let mut held = PointSet::EMPTY;
        for &pair in self.as_slice() {
            if rebels.contains_all(pair) {
                held |= pair;
            }
        }
        held
    }

    fn union(&self) -> PointSet {
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
pub(super) struct Shift {
    /// Index of the upper end less index of the lower.
    pub(super) offset: u32,
    /// Lower ends from which a Rebel may step to the upper end.
    pub(super) up: PointSet,
    /// Lower ends to which a Rebel may step from the upper end.
    pub(super) down: PointSet,
}

/// The rules of a variant on its board. Features that a variant lacks have empty tables, so that the general path needs no
/// rule words.
#[derive(Debug)]
pub struct CompiledRules {
    pub(super) all: PointSet,
    pub(super) field: PointSet,
    pub(super) ground: PointSet,
    pub(super) neighbours: PointTable<PointSet>,
    pub(super) rebel_steps: PointTable<PointSet>,
    /// The Rebels' steps by index offset.
    pub(super) shifts: Vec<Shift>,
    /// The pairs that the General takes when it arrives.
    pub(super) interventions: PointTable<Pairs>,
    /// By adjacent point, the pairs that the General takes when it leaves for it.
    pub(super) departures: PointTable<Vec<(Point, Pairs)>>,
    /// The pairs that the General may take without moving.
    pub(super) statics: PointTable<Pairs>,
    /// Static intervention needs a Rebel on every adjacent point.
    pub(super) static_surrounded: bool,
    pub(super) jumps: PointTable<Vec<Hop>>,
    /// A move may go on as long as a jump is possible.
    pub(super) chains: bool,
    /// It need not.
    pub(super) may_stop: bool,
    pub(super) leaps: PointTable<Vec<Hop>>,
    /// The points in each direction, nearest first, for a General that slides.
    pub(super) rays: PointTable<Vec<Vec<Point>>>,
    pub(super) compulsory: bool,
    /// The pairs that capture the General that stands there.
    pub(super) custody: PointTable<Pairs>,
    pub(super) winning_apex: PointSet,
    pub(super) losing_apex: PointSet,
    pub(super) return_apex: PointSet,
    pub(super) winning_bottom: PointSet,
    pub(super) winning_goal: PointSet,
    pub(super) repetition: StandoffRule,
    pub(super) move_limit: Option<MoveLimitRule>,
    /// The General wins at so many Rebels or fewer; -1 without a limit.
    pub(super) rebels_at_most: i32,
    /// Where the General can be closed in; empty where that is no rule.
    pub(super) closable: PointSet,
    /// The exits of the privy, and the field points where a jump from the privy over an exit lands.
    pub(super) gate: PointSet,
    /// The points that can change how many moves a General there has while no jump is possible.
    pub(super) zone: PointTable<PointSet>,
    templates: PointTable<Vec<Template>>,
}

impl CompiledRules {
    /// Works out the tables of a game on a board.
    #[must_use]
    pub fn new(board: &Board, words: &RuleSet) -> CompiledRules {
        let ground = if words.enter_privy { board.all() } else { board.field() };
        let neighbours = PointTable::of(board.all(), |p| board.neighbours(p));
        let rebel_steps = PointTable::of(board.all(), |p| {
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
            ground,
            neighbours,
            rebel_steps,
            shifts: shifts(board, &rebel_steps),
            interventions: pairs(board, |t| words.intervention && taken(t)),
            departures: departures(board, |t| words.deferred && taken(t)),
            statics: statics(board, words.static_rule, taken),
            static_surrounded: words.static_rule == StaticRule::Surrounded,
            gate: board.exits() | hop_outs(board, &jumps),
            jumps,
            chains: matches!(words.jump, JumpRule::Multi | JumpRule::Free),
            may_stop: words.jump == JumpRule::Free,
            leaps,
            rays: rays(board, words.slide),
            compulsory: words.compulsory,
            custody: pairs(board, |_| words.custodial),
            winning_apex: apex_if(words.apex == ApexRule::General),
            losing_apex: apex_if(words.apex == ApexRule::Rebels),
            return_apex: apex_if(words.apex == ApexRule::Return),
            winning_bottom: if words.bottom == BottomRule::General { board.bottom() } else { PointSet::EMPTY },
            winning_goal: board.named(&words.goal),
            repetition: words.repetition,
            move_limit: words.move_limit,
            rebels_at_most: words.rebels_at_most.map_or(-1, i32::from),
            closable: if words.close_privy { board.privy() } else { PointSet::EMPTY },
            zone: PointTable::default(),
            templates: PointTable::default(),
        };
        let goes_far = words.slide || words.free_jumps > 0;
        rules.zone = PointTable::of(board.all(), |p| if goes_far { board.all() } else { zone(&rules, p) });
        rules.templates = templates(board, &rules, words.free_jumps > 0);
        rules
    }

    /// The General's moves from a point: jumps, static interventions, walks, leaps, free jumps.
    #[must_use]
    pub fn templates(&self, from: Point) -> &[Template] {
        &self.templates[from]
    }

    /// All points.
    #[inline(always)]
    #[must_use]
    pub fn all(&self) -> PointSet {
        self.all
    }

    /// The points of the field.
    #[inline(always)]
    #[must_use]
    pub fn field(&self) -> PointSet {
        self.field
    }

    /// Where Rebels may stand.
    #[inline(always)]
    #[must_use]
    pub fn ground(&self) -> PointSet {
        self.ground
    }

    /// The points adjacent to a point.
    #[inline(always)]
    #[must_use]
    pub fn neighbours(&self, point: Point) -> PointSet {
        self.neighbours[point]
    }

    /// Where a Rebel may step from a point.
    #[inline(always)]
    #[must_use]
    pub fn rebel_steps(&self, from: Point) -> PointSet {
        self.rebel_steps[from]
    }

    /// The points of a set and those that Rebels on it can step to.
    #[inline(always)]
    #[must_use]
    pub fn dilated(&self, rebels: PointSet) -> PointSet {
        let mut all = rebels.0;
        for shift in &self.shifts {
            all |= (rebels.0 & shift.up.0) << shift.offset;
            all |= rebels.0 >> shift.offset & shift.down.0;
        }
        PointSet(all)
    }

    /// The pairs that the General takes when it arrives at a point, each if it holds two Rebels.
    #[inline(always)]
    #[must_use]
    pub fn arrival_pairs(&self, to: Point) -> &[PointSet] {
        self.interventions[to].as_slice()
    }

    /// The Rebels that fall when the General arrives at a point.
    #[inline(always)]
    #[must_use]
    pub fn taken_on_arrival(&self, to: Point, rebels: PointSet) -> PointSet {
        self.interventions[to].held_by(rebels)
    }

    /// The pairs that the General takes when it leaves a point for an adjacent one, each if it holds two Rebels.
    #[must_use]
    pub fn departure_pairs(&self, from: Point, to: Point) -> &[PointSet] {
        self.departures[from].iter().find(|(towards, _)| *towards == to).map_or(&[], |(_, pairs)| pairs.as_slice())
    }

    /// The adjacent points for which the General can leave a point so that pairs fall, with the Rebels that do.
    #[inline(always)]
    pub fn taken_on_departure(&self, from: Point, rebels: PointSet) -> impl Iterator<Item = (Point, PointSet)> {
        self.departures[from].iter().map(move |(to, pairs)| (*to, pairs.held_by(rebels)))
    }

    /// The pairs of which the General may take one without moving.
    #[inline(always)]
    #[must_use]
    pub fn static_pairs(&self, at: Point) -> &[PointSet] {
        self.statics[at].as_slice()
    }

    /// Capturing jumps from a point.
    #[inline(always)]
    #[must_use]
    pub fn jumps(&self, from: Point) -> &[Hop] {
        &self.jumps[from]
    }

    /// May a move go on as long as a jump is possible?
    #[inline(always)]
    #[must_use]
    pub fn jumps_go_on(&self) -> bool {
        self.chains
    }

    /// May a move end on any landing, though a further jump is possible?
    #[inline(always)]
    #[must_use]
    pub fn jumps_may_stop(&self) -> bool {
        self.may_stop
    }

    /// Leaps without capture from a point.
    #[inline(always)]
    #[must_use]
    pub fn leaps(&self, from: Point) -> &[Hop] {
        &self.leaps[from]
    }

    /// Must the General capture if it can?
    #[inline(always)]
    #[must_use]
    pub fn capture_is_compulsory(&self) -> bool {
        self.compulsory
    }

    /// The pairs of Rebels that capture the General on a point, when one of them has just arrived.
    #[inline(always)]
    #[must_use]
    pub fn custody(&self, general: Point) -> &[PointSet] {
        self.custody[general].as_slice()
    }

    /// The points that must all hold Rebels to close the privy on a General that stands on a point of it; none where the
    /// privy can't be closed on the General.
    #[inline(always)]
    #[must_use]
    pub fn gate(&self, general: Point) -> Option<PointSet> {
        self.closable.contains(general).then_some(self.gate)
    }

    /// The apex points where the General wins.
    #[inline(always)]
    #[must_use]
    pub fn winning_apex(&self) -> PointSet {
        self.winning_apex
    }

    /// The points that the rules name as the General's goal.
    #[inline(always)]
    #[must_use]
    pub fn winning_goal(&self) -> PointSet {
        self.winning_goal
    }

    /// Who wins by repetition; none where it is a draw.
    #[must_use]
    pub fn winner_by_repetition(&self) -> Option<Side> {
        self.repetition.winner()
    }

    /// The plies without capture that end a game; none where there is no such limit.
    #[inline(always)]
    #[must_use]
    pub fn move_limit(&self) -> Option<u32> {
        self.move_limit.map(|limit| u32::from(limit.plies))
    }

    /// How a game with so many plies without capture has ended by the limit, if it has.
    #[inline(always)]
    #[must_use]
    pub fn limit_reached(&self, plies_since_capture: u32) -> Option<Outcome> {
        let limit = self.move_limit.filter(|limit| plies_since_capture >= u32::from(limit.plies))?;
        Some(Outcome::move_limit(limit.winner.winner()))
    }

    /// The points of row 1, where the General wins there.
    #[inline(always)]
    #[must_use]
    pub fn winning_bottom(&self) -> PointSet {
        self.winning_bottom
    }

    /// The apex points where the General loses.
    #[inline(always)]
    #[must_use]
    pub fn losing_apex(&self) -> PointSet {
        self.losing_apex
    }

    /// The apex points from which the General must return to win; none where a visit is not remembered.
    #[inline(always)]
    #[must_use]
    pub fn return_apex(&self) -> PointSet {
        self.return_apex
    }

    /// The most Rebels with which the General has won; none where their number does not matter.
    #[must_use]
    pub fn rebels_at_most(&self) -> Option<u32> {
        u32::try_from(self.rebels_at_most).ok()
    }

    /// The fewest Rebels with which a game goes on.
    #[must_use]
    pub fn fewest_rebels(&self) -> u32 {
        self.rebels_at_most().map_or(0, |most| most + 1)
    }
}

fn shifts(board: &Board, steps: &PointTable<PointSet>) -> Vec<Shift> {
    let mut shifts: Vec<Shift> = Vec::new();
    for lower in board.all() {
        for upper in board.neighbours(lower).into_iter().filter(|upper| *upper > lower) {
            let offset = (upper.index() - lower.index()) as u32;
            let up = steps[lower].contains(upper);
            let down = steps[upper].contains(lower);
            if !up && !down {
                continue;
            }
            let at = shifts.iter().position(|s| s.offset == offset).unwrap_or_else(|| {
                shifts.push(Shift { offset, up: PointSet::EMPTY, down: PointSet::EMPTY });
                shifts.len() - 1
            });
            if up {
                shifts[at].up = shifts[at].up.with(lower);
            }
            if down {
                shifts[at].down = shifts[at].down.with(lower);
            }
        }
    }
    shifts
}

fn ends(triple: &Triple) -> PointSet {
    PointSet::of(triple.first).with(triple.last)
}

fn pairs(board: &Board, wanted: impl Fn(&Triple) -> bool) -> PointTable<Pairs> {
    PointTable::of(board.all(), |p| {
        let mut pairs = Pairs::default();
        board.triples().iter().filter(|t| t.middle == p && wanted(t)).for_each(|t| pairs.push(ends(t)));
        pairs
    })
}

/// Deferred intervention: pairs at right angles to the step away from between them (RULES §2).
fn departures(board: &Board, wanted: impl Fn(&Triple) -> bool) -> PointTable<Vec<(Point, Pairs)>> {
    PointTable::of(board.all(), |p| {
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
fn statics(board: &Board, rule: StaticRule, taken: impl Fn(&Triple) -> bool) -> PointTable<Pairs> {
    let mut table = pairs(board, |t| rule != StaticRule::None && taken(t));
    if rule == StaticRule::Surrounded {
        for point in board.all() {
            let neighbours = board.neighbours(point);
            if neighbours.len() == 2 && !board.triples().iter().any(|t| t.middle == point) {
                table[point].push(neighbours);
            }
        }
    }
    table
}

fn hops(board: &Board, wanted: bool, lines: JumpLines) -> PointTable<Vec<Hop>> {
    PointTable::of(board.all(), |p| {
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
fn hop_outs(board: &Board, jumps: &PointTable<Vec<Hop>>) -> PointSet {
    let from_privy = board.privy().into_iter().flat_map(|p| jumps[p].iter());
    from_privy.filter(|h| board.exits().contains(h.over) && board.field().contains(h.to)).map(|h| h.to).collect()
}

fn rays(board: &Board, wanted: bool) -> PointTable<Vec<Vec<Point>>> {
    PointTable::of(board.all(), |p| {
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
    let mut zone = rules.neighbours[point] | rules.statics[point].union() | rules.custody[point].union();
    for hop in rules.jumps[point].iter().chain(&rules.leaps[point]) {
        zone = zone.with(hop.over).with(hop.to);
    }
    if rules.compulsory {
        // Which steps are legal depends on which of them capture.
        for to in rules.neighbours[point] {
            zone |= rules.interventions[to].union();
        }
        for (_, pairs) in &rules.departures[point] {
            zone |= pairs.union();
        }
    }
    if rules.closable.contains(point) {
        zone |= rules.gate;
    }
    zone
}

/// The templates of all moves from each point: jumps, static interventions, walks, leaps, free jumps.
fn templates(board: &Board, rules: &CompiledRules, free_jumps: bool) -> PointTable<Vec<Template>> {
    PointTable::of(board.all(), |from| {
        let template = |kind, to, rebels, empty, captured, pairs: Vec<PointSet>| Template {
            kind,
            from,
            to,
            rebels,
            empty,
            captured,
            pairs,
        };
        let (none, at) = (PointSet::EMPTY, PointSet::of);
        let mut templates = Vec::new();
        for hop in rules.jumps(from) {
            templates.push(template(MoveKind::Jump, hop.to, at(hop.over), at(hop.to), at(hop.over), Vec::new()));
        }
        for &pair in rules.static_pairs(from) {
            let around = if rules.static_surrounded { rules.neighbours(from) } else { none };
            templates.push(template(MoveKind::Static, from, pair | around, none, pair, Vec::new()));
        }
        let mut walk = |to: Point, empty: PointSet| {
            let pairs = [rules.departure_pairs(from, to), rules.arrival_pairs(to)].concat();
            templates.push(template(MoveKind::Walk, to, none, empty, none, pairs));
        };
        rules.neighbours(from).into_iter().for_each(|to| walk(to, at(to)));
        for ray in &rules.rays[from] {
            let mut way = none;
            for &to in ray {
                way = way.with(to);
                if !rules.neighbours(from).contains(to) {
                    walk(to, way);
                }
            }
        }
        for hop in rules.leaps(from) {
            templates.push(template(MoveKind::Leap, hop.to, at(hop.over), at(hop.to), none, Vec::new()));
        }
        if free_jumps {
            for to in rules.field().without(from) {
                let pairs = rules.arrival_pairs(to).to_vec();
                templates.push(template(MoveKind::FreeJump, to, none, at(to), none, pairs));
            }
        }
        templates
    })
}
