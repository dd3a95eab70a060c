//! Admissible bounds of distances.

use privy_rules::Game;
use privy_rules::board::PointSet;
use privy_search::proof::bounds::{Bounds, RebelDistance};

#[test]
fn distances_up_to_three_are_numbers_of_dilations() {
    let game = Game::from_text("3/3/G4/5/5/1r3/4r g - 0 0 juroku-musashi", None).unwrap();
    let (rules, position) = (game.variant().rules(), game.position());
    let distance = RebelDistance::new(rules, position.rebels());
    let mut seen = [0; 4];
    for point in rules.all {
        let mut reached = position.rebels();
        let mut steps = 0;
        while !reached.contains(point) && steps < 3 {
            reached = rules.dilated(reached);
            steps += 1;
        }
        assert_eq!(distance.least(PointSet::of(point)), steps);
        seen[steps as usize] += 1;
    }
    assert!(seen.iter().all(|count| *count > 1), "{seen:?}");
}

#[test]
fn each_rebel_fills_one_point_and_leaves_no_gap() {
    // One Rebel next to both of two points, one far away.
    let game = Game::from_text("3/3/G4/5/5/1r3/4r g - 0 0 juroku-musashi", None).unwrap();
    let (variant, position) = (game.variant(), game.position());
    let bounds = Bounds::new(variant);
    let steps = RebelDistance::new(variant.rules(), position.rebels());
    let point = |name: &str| variant.board().point(name.parse().unwrap()).unwrap();
    let set = |names: &[&str]| names.iter().map(|name| point(name)).collect::<PointSet>();
    let both = set(&["b3", "a2"]);
    assert_eq!((steps.least(both), steps.exact(&bounds, both, 9)), (2, 3));
    // A Rebel on one of the points would leave it.
    let held = set(&["b2", "b3"]);
    assert_eq!((steps.least(held), steps.exact(&bounds, held, 9)), (1, 3));
    // More points than Rebels can hold.
    let three = set(&["b3", "a2", "c2"]);
    assert_eq!(steps.exact(&bounds, three, 9), u32::MAX);
    // Not counted exactly when it is too much anyway.
    assert_eq!(steps.exact(&bounds, both, 1), 2);
}
