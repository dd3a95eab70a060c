//! A variant compiled to tables of point sets: the fast path, derived from board and rule words.
//!
//! The General's moves are compiled once more, into templates: the points that must hold Rebels, the points that must
//! be empty, where the move ends, what falls. Code about all positions at once, such as the retrograde analysis, reads
//! them; the fast generator answers for one position, and is tested against them.

use std::collections::BTreeMap;

use privy_protocol::Side;

use crate::board::{Board, Point, PointSet, PointTable};
use crate::family::FamilyName;
use crate::in_line::{Hop, PointPairs, rays};
use crate::position::{MoveKind, Position};
use crate::rule_set::{ApexRule, BottomRule, JumpRule, MoveLimitRule, NoMove, NoMoveRule, RuleSet, StaticRule};

/// The edges whose ends differ by one index offset, seen from the lower end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexShift {
    /// Index of the upper end less index of the lower.
    pub(super) offset: u32,
    /// Lower ends from which a Rebel may step to the upper end.
    pub(super) up: PointSet,
    /// Lower ends to which a Rebel may step from the upper end.
    pub(super) down: PointSet,
}

/// A move of the General in all positions that allow it. Of a chain of jumps it is one jump.
#[derive(Debug, Clone)]
pub struct Template {
    /// The kind of move. A free jump needs one that is left.
    pub kind: MoveKind,
    /// Where the General stands before.
    pub from: Point,
    /// Where it stands after.
    pub to: Point,
    /// Points that must hold Rebels.
    pub rebels: PointSet,
    /// Points that must be empty.
    pub empty: PointSet,
    /// The Rebels that fall in every position.
    pub captured: PointSet,
    /// Each of these pairs falls too if both its points hold Rebels.
    pub pairs: Vec<PointSet>,
}

/// A [`Template`] for one choice of its pairs: these hold Rebels at both ends, and no others.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Points that must hold Rebels.
    pub rebels: PointSet,
    /// Pairs that must not hold Rebels at both ends.
    pub not_held: Vec<PointSet>,
    /// The Rebels that fall.
    pub captured: PointSet,
}

/// Every choice of pairs: the points of those chosen, and the pairs that are not.
pub fn choices(pairs: &[PointSet]) -> impl Iterator<Item = (PointSet, Vec<PointSet>)> {
    (0..1u32 << pairs.len()).map(|choice| {
        let (mut held, mut not_held) = (PointSet::EMPTY, Vec::new());
        for (number, pair) in pairs.iter().enumerate() {
            if choice >> number & 1 != 0 { held |= *pair } else { not_held.push(*pair) }
        }
        (held, not_held)
    })
}

impl Template {
    /// One choice for each set of pairs that can fall together.
    pub fn choices(&self) -> impl Iterator<Item = Choice> {
        let allowed = choices(&self.pairs).filter(|(held, _)| !held.meets(self.empty));
        allowed.map(|(held, not_held)| Choice { rebels: self.rebels | held, not_held, captured: self.captured | held })
    }
}

/// The rules of a variant on its board. Features that a variant lacks have empty tables, so that the general path needs
/// no rule words.
#[derive(Debug)]
pub struct CompiledRules {
    /// The narrowest family that contains the game.
    pub family: FamilyName,
    /// All points.
    pub all: PointSet,
    /// The points of the field.
    pub field: PointSet,
    /// Where Rebels may stand.
    pub ground: PointSet,
    /// The points adjacent to a point.
    pub neighbours: PointTable<PointSet>,
    /// The points to which the General steps from each point.
    pub(super) general_steps: PointTable<PointSet>,
    /// The points to which a Rebel steps from each point.
    pub rebel_steps: PointTable<PointSet>,
    /// The points from which a Rebel can step to a point.
    pub rebel_origins: PointTable<PointSet>,
    pub(super) shifts: Vec<IndexShift>,
    pub(super) interventions: PointTable<PointPairs>,
    /// By adjacent point, the pairs that fall when the General leaves for it.
    pub(super) departures: PointTable<Vec<(Point, PointPairs)>>,
    pub(super) statics: PointTable<PointPairs>,
    /// Static intervention needs a Rebel on every adjacent point.
    pub(super) static_surrounded: bool,
    /// The capturing jumps from each point.
    pub jumps: PointTable<Vec<Hop>>,
    /// A move may continue as long as a jump is possible.
    pub jumps_go_on: bool,
    /// A move may end on any landing, though a further jump is possible.
    pub jumps_may_stop: bool,
    pub(super) leaps: PointTable<Vec<Hop>>,
    /// The points in each direction, nearest first, for a General that slides.
    pub(super) rays: PointTable<Vec<Vec<Point>>>,
    /// True if the General must capture when it can.
    pub capture_is_compulsory: bool,
    pub(super) custody: PointTable<PointPairs>,
    /// The apex points on which the General wins.
    pub winning_apex: PointSet,
    /// The apex points on which the General loses.
    pub losing_apex: PointSet,
    /// The apex points from which the General must return to win; empty if a visit is not remembered.
    pub return_apex: PointSet,
    /// The points of the bottom row, where the General wins on it.
    pub winning_bottom: PointSet,
    /// The points of the goal of the General.
    pub winning_goal: PointSet,
    /// The points where the General loses.
    pub losing_points: PointSet,
    /// The General wins past all Rebels.
    pub wins_past_rebels: bool,
    /// By the General's point, the points on its row and below.
    pub rows_below: PointTable<PointSet>,
    /// The points that win for the Rebels who hold all of them; none without that rule.
    pub rebels_goal: PointSet,
    /// What a side without a legal move has.
    pub no_move: NoMoveRule,
    /// True if the General passes while Rebels are in hand.
    pub general_waits: bool,
    /// The winner by repetition; `None` where it is a draw.
    pub winner_by_repetition: Option<Side>,
    pub(super) move_limit: Option<MoveLimitRule>,
    /// The General wins at this number of Rebels or fewer; -1 without a limit.
    pub(super) attrition: i32,
    /// Where the General can be closed in; empty without that rule.
    closable: PointSet,
    /// The exits of the privy, and the field points where a jump from the privy over exits alone lands.
    gate: PointSet,
    /// The jumps from the privy over more than exits alone, onto the field: all must be impossible where the privy is
    /// closed.
    pub escapes: Vec<Hop>,
    /// Where the General in hand may be put; no point where it begins on the board.
    pub(super) general_drops: PointSet,
    /// Where Rebels in hand may be put; no point where all begin on the board.
    pub rebel_drops: PointSet,
    /// The General can begin in hand or pass.
    pub(super) may_drop_or_pass: bool,
    /// A game can end by where Rebels stand, or the General loses on some points.
    pub(super) has_rare_ends: bool,
    /// The Rebels can have pieces in hand, or pass.
    pub(super) rebels_drop_or_pass: bool,
    /// The points that can change the number of the General's moves while no jump is possible.
    pub(super) zone: PointTable<PointSet>,
    /// The General's moves from each point: jumps, static interventions, walks, leaps, free jumps. From [`Point::HAND`]
    /// they are its drops.
    pub templates: PointTable<Vec<Template>>,
}

impl CompiledRules {
    /// Compiles the rules of a game on a board that begins with this position.
    pub(super) fn new(board: &Board, words: &RuleSet, opening: &Position) -> CompiledRules {
        let ground = words.ground(board);
        let steps = |side: Side, ground: PointSet| {
            let from = |p: Point| (board.neighbours(p) & ground).into_iter();
            PointTable::of(ground, |p| from(p).filter(|to| words.may_step(side, board, p, *to)).collect::<PointSet>())
        };
        let (rebel_steps, general_steps) = (steps(Side::Rebels, ground), steps(Side::General, board.all()));
        let jumps = words.jumps(board);
        // A leap without capture does not count: the rules speak of jumps.
        let from_privy = board.privy.into_iter().flat_map(|p| &jumps[p]).copied();
        let (over_exits, escapes): (Vec<Hop>, Vec<Hop>) = from_privy
            .filter(|hop| board.exits.meets(hop.over) && board.field.contains(hop.to))
            .partition(|hop| board.exits.contains_all(hop.over));
        let (is_general_in_hand, are_rebels_in_hand) = (!board.has(opening.general()), opening.hand() > 0);
        let drops = |is_in_hand: bool, names: &[String], ground| match board.named(names) {
            _ if !is_in_hand => PointSet::EMPTY,
            named if named.is_empty() => ground,
            named => named & ground,
        };
        let points_if = |applies: bool, points: PointSet| if applies { points } else { PointSet::EMPTY };
        let mut rules = CompiledRules {
            family: FamilyName::of(words, is_general_in_hand),
            all: board.all(),
            field: board.field,
            ground,
            neighbours: PointTable::of(board.all(), |p| board.neighbours(p)),
            general_steps,
            rebel_steps,
            rebel_origins: PointTable::of(board.all(), |to| {
                board.all().into_iter().filter(|from| rebel_steps[*from].contains(to)).collect()
            }),
            shifts: shifts(board, &rebel_steps),
            interventions: words.interventions(board),
            departures: words.departures(board),
            statics: words.statics(board),
            static_surrounded: words.static_rule == StaticRule::Surrounded,
            gate: board.exits | over_exits.iter().map(|hop| hop.to).collect(),
            escapes,
            jumps,
            jumps_go_on: matches!(words.jump, JumpRule::Multi | JumpRule::Free),
            jumps_may_stop: words.jump == JumpRule::Free,
            leaps: words.leaps(board),
            rays: if words.slide { open_rays(board, words) } else { PointTable::default() },
            capture_is_compulsory: words.compulsory,
            custody: words.custody(board),
            winning_apex: points_if(words.apex == ApexRule::General, board.apex),
            losing_apex: points_if(words.apex == ApexRule::Rebels, board.apex),
            return_apex: points_if(words.apex == ApexRule::Return, board.apex),
            winning_bottom: points_if(words.bottom == BottomRule::General, board.bottom),
            winning_goal: board.named(&words.goal),
            losing_points: board.named(&words.general_loses_on),
            rows_below: PointTable::of(points_if(words.past_rebels, board.all()), |p| {
                board.all().into_iter().filter(|other| board.spot(*other).y <= board.spot(p).y).collect()
            }),
            wins_past_rebels: words.past_rebels,
            rebels_goal: board.named(&words.rebels_goal),
            no_move: words.no_move,
            general_waits: words.general_waits,
            winner_by_repetition: words.repetition.winner(),
            move_limit: words.move_limit,
            attrition: words.rebels_at_most.map_or(-1, i32::from),
            closable: points_if(words.close_privy, board.privy),
            general_drops: drops(is_general_in_hand, &words.general_drops_on, board.all()),
            rebel_drops: drops(are_rebels_in_hand, &words.rebels_drop_on, ground),
            may_drop_or_pass: is_general_in_hand || words.general_waits || words.no_move.general == NoMove::Pass,
            has_rare_ends: words.past_rebels || !words.rebels_goal.is_empty() || !words.general_loses_on.is_empty(),
            rebels_drop_or_pass: are_rebels_in_hand || words.no_move.rebels == NoMove::Pass,
            zone: PointTable::default(),
            templates: PointTable::default(),
        };
        let goes_far = words.slide || words.free_jumps > 0;
        rules.zone = PointTable::of(board.all(), |p| if goes_far { board.all() } else { rules.zone_of(p) });
        let origins = board.all().with(Point::HAND);
        rules.templates = PointTable::of(origins, |p| rules.templates_from(p, words.free_jumps > 0));
        rules
    }

    /// The points of a set and those that Rebels on it can step to.
    #[inline(always)]
    pub fn dilated(&self, rebels: PointSet) -> PointSet {
        let mut all = rebels.0;
        for shift in &self.shifts {
            all |= (rebels.0 & shift.up.0) << shift.offset;
            all |= rebels.0 >> shift.offset & shift.down.0;
        }
        PointSet(all)
    }

    /// The pairs that fall when the General arrives at a point, each if it holds two Rebels.
    #[inline(always)]
    pub fn arrival_pairs(&self, to: Point) -> &[PointSet] {
        self.interventions[to].as_slice()
    }

    /// The Rebels that fall when the General arrives at a point.
    #[inline(always)]
    pub fn taken_on_arrival(&self, to: Point, rebels: PointSet) -> PointSet {
        self.interventions[to].held_by(rebels)
    }

    /// The pairs that fall when the General leaves a point for an adjacent one, each if it holds two Rebels.
    pub fn departure_pairs(&self, from: Point, to: Point) -> &[PointSet] {
        self.departures[from].iter().find(|(towards, _)| *towards == to).map_or(&[], |(_, pairs)| pairs.as_slice())
    }

    /// The adjacent points for which the General can leave a point so that pairs fall, each with the Rebels that fall.
    #[inline(always)]
    pub fn taken_on_departure(&self, from: Point, rebels: PointSet) -> impl Iterator<Item = (Point, PointSet)> {
        self.departures[from].iter().map(move |(to, pairs)| (*to, pairs.held_by(rebels)))
    }

    /// The pairs of Rebels that capture the General on a point, when one of them has just arrived.
    #[inline(always)]
    pub fn custody(&self, general: Point) -> &[PointSet] {
        self.custody[general].as_slice()
    }

    /// The points that must all hold Rebels to close the privy on a General on this point of it, where no longer jump
    /// leads out; empty if that is impossible.
    #[inline(always)]
    pub fn gate(&self, general: Point) -> Option<PointSet> {
        self.closable.contains(general).then_some(self.gate)
    }

    /// True if the General is in the privy and can't leave it: every exit holds a Rebel, and no jump leads out from any
    /// point of it.
    #[inline(always)]
    pub(super) fn is_closed_in(&self, general: Point, rebels: PointSet) -> bool {
        self.gate(general).is_some_and(|gate| rebels.contains_all(gate))
            && !self.escapes.iter().any(|hop| rebels.contains_all(hop.over) && !rebels.contains(hop.to))
    }

    /// The number of plies without capture that ends a game; none without such a limit.
    #[inline(always)]
    pub fn move_limit(&self) -> Option<u32> {
        self.move_limit.map(|limit| u32::from(limit.plies))
    }

    /// The most Rebels with which the General has won; none without a limit.
    pub fn rebels_at_most(&self) -> Option<u32> {
        u32::try_from(self.attrition).ok()
    }

    /// The fewest Rebels with which a game continues.
    pub fn fewest_rebels(&self) -> u32 {
        self.rebels_at_most().map_or(0, |most| most + 1)
    }

    fn zone_of(&self, point: Point) -> PointSet {
        let mut zone = self.neighbours[point] | self.statics[point].union() | self.custody[point].union();
        for hop in self.jumps[point].iter().chain(&self.leaps[point]) {
            zone |= hop.over.with(hop.to);
        }
        if self.capture_is_compulsory {
            // Which steps are legal depends on which of them capture.
            let arriving = self.neighbours[point].into_iter().map(|to| &self.interventions[to]);
            let leaving = self.departures[point].iter().map(|(_, pairs)| pairs);
            zone = arriving.chain(leaving).fold(zone, |zone, pairs| zone | pairs.union());
        }
        if self.closable.contains(point) {
            zone = self.escapes.iter().fold(zone | self.gate, |zone, hop| zone | hop.over.with(hop.to));
        }
        zone
    }

    fn templates_from(&self, from: Point, free_jumps: bool) -> Vec<Template> {
        let (none, at) = (PointSet::EMPTY, PointSet::of);
        let mut templates = Vec::new();
        let mut add = |kind, to, rebels, empty, captured, pairs| {
            templates.push(Template { kind, from, to, rebels, empty, captured, pairs });
        };
        for hop in &self.jumps[from] {
            add(MoveKind::Jump, hop.to, hop.over, at(hop.to), hop.over, Vec::new());
        }
        for &pair in self.statics[from].as_slice() {
            let around = if self.static_surrounded { self.neighbours[from] } else { none };
            add(MoveKind::Static, from, pair | around, none, pair, Vec::new());
        }
        let mut walk = |to: Point, empty: PointSet| {
            let pairs = [self.departure_pairs(from, to), self.arrival_pairs(to)].concat();
            add(MoveKind::Walk, to, none, empty, none, pairs);
        };
        self.general_steps[from].into_iter().for_each(|to| walk(to, at(to)));
        for ray in &self.rays[from] {
            let mut way = none;
            for &to in ray {
                way = way.with(to);
                if !self.neighbours[from].contains(to) {
                    walk(to, way);
                }
            }
        }
        for hop in &self.leaps[from] {
            add(MoveKind::Leap, hop.to, hop.over, at(hop.to), none, Vec::new());
        }
        if !self.all.contains(from) {
            self.general_drops.into_iter().for_each(|to| add(MoveKind::Drop, to, none, at(to), none, Vec::new()));
        } else if free_jumps {
            for to in self.field.without(from) {
                add(MoveKind::FreeJump, to, none, at(to), none, self.arrival_pairs(to).to_vec());
            }
        }
        templates
    }
}

fn shifts(board: &Board, steps: &PointTable<PointSet>) -> Vec<IndexShift> {
    let mut shifts: BTreeMap<u32, IndexShift> = BTreeMap::new();
    for lower in board.all() {
        for upper in board.neighbours(lower).into_iter().filter(|upper| *upper > lower) {
            let offset = (upper.index() - lower.index()) as u32;
            let none = IndexShift { offset, up: PointSet::EMPTY, down: PointSet::EMPTY };
            let shift = shifts.entry(offset).or_insert(none);
            let lower_if = |may_step| if may_step { PointSet::of(lower) } else { PointSet::EMPTY };
            shift.up |= lower_if(steps[lower].contains(upper));
            shift.down |= lower_if(steps[upper].contains(lower));
        }
    }
    shifts.into_values().filter(|shift| !(shift.up | shift.down).is_empty()).collect()
}

/// The rays of a General that slides, in the directions that the rules allow.
fn open_rays(board: &Board, words: &RuleSet) -> PointTable<Vec<Vec<Point>>> {
    let mut rays = rays(board);
    for point in board.all() {
        rays[point].retain(|ray| words.may_step(Side::General, board, point, ray[0]));
    }
    rays
}
