//! Terms of the evaluation.

use privy_rules::CompiledRules;
use privy_rules::board::{Point, PointSet};
use proptest::prelude::*;

use privy_rules::{Game, Variant};
use privy_search::eval::terms::*;

fn terms(text: &str) -> Terms {
    let game = Game::from_text(text, None).unwrap();
    let rules = game.variant().rules();
    Terms::of(rules, &Patterns::of(game.board(), rules), game.position())
}

#[test]
fn reach_stops_at_the_ring() {
    let game = Game::from_text("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g", None).unwrap();
    let rules = game.variant().rules();
    let empty = rules.empty(game.position());
    let walks = rules.neighbours[game.position().general()] & empty;
    let found = Patterns::of(game.board(), rules).reach(walks, empty);
    assert_eq!(game.board().names(found), "b2 c2 d2 b3 d3 b4 c4 d4");
}

#[test]
fn the_opening_is_counted() {
    let counted = terms("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g");
    assert_eq!(counted.tables[1..], [8, 8]);
    let [ring, _, threats, weak_points, custody, ..] = counted.counts;
    assert_eq!((ring, threats, weak_points, custody), (16, 4, 4, 0));
}

#[test]
fn a_capture_that_a_rebel_could_make_by_stepping_is_counted() {
    let custody = |pieces: &str| {
        let [_, _, _, _, custody, ..] = terms(&format!("{pieces} r - 0 0 sixteen-rebels-murray")).counts;
        custody
    };
    let positions = ["1/3/5/3G1/2r2/5/1r1rr", "1/3/r4/5/2G2/1r3/5", "1/3/5/4r/2G2/1r3/5"];
    assert_eq!(positions.map(custody), [0, 0, 1]);
}

/// By the neighbours of each point.
fn walked_to(rules: &CompiledRules, from: PointSet, empty: PointSet) -> PointSet {
    let (mut all, mut frontier) = (from, from);
    while let Some(point) = frontier.first() {
        let new = (rules.neighbours[point] & empty).minus(all);
        all |= new;
        frontier = frontier.without(point) | new;
    }
    all
}

proptest! {
    #[test]
    fn all_points_at_once_equal_each_point_alone(rebels: u64, more: u64, from: u64, at in 0..64usize) {
        for variant in Variant::all_ids().filter_map(Variant::builtin) {
            let (board, rules) = (variant.board(), variant.rules());
            let patterns = Patterns::of(board, rules);
            // Half of the points, and a quarter of them.
            for rebels in [rebels, rebels & more].map(|set| PointSet(set) & rules.all) {
                let from = PointSet(from) & rules.all;
                let is_taking = |p: &Point| !rules.taken_on_arrival(*p, rebels).is_empty();
                let taking: PointSet = board.all().into_iter().filter(is_taking).collect();
                prop_assert_eq!(patterns.taking(rebels), taking, "{}", variant.id());
                let hops = from.into_iter().flat_map(|p| &rules.jumps[p]);
                let jumps = hops.filter(|hop| rebels.contains_all(hop.over) && !rebels.contains(hop.to)).count();
                prop_assert_eq!(patterns.count_jumps(from, rebels), jumps as i32, "{}", variant.id());
                let pairs: u32 = rebels.into_iter().map(|p| (rules.neighbours[p] & rebels).len()).sum();
                prop_assert_eq!(patterns.adjacent_pairs(rebels), pairs as i32 / 2, "{}", variant.id());
                let start = PointSet(1 << at) & rules.all;
                let empty = rules.all.minus(rebels);
                prop_assert_eq!(patterns.reach(start, empty), walked_to(rules, start, empty), "{}", variant.id());
            }
        }
    }
}
