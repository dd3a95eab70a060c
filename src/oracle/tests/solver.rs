//! The plain solver on games with values that are known.

use super::games;
use PlainValue::{Draw, Loss, Win};
use privy_oracle::{NaivePosition, Next, PlainEnd, PlainSolution, PlainValue};

/// Counters of which one or two are taken in turn; who takes the last one wins.
fn counters(most: u32) -> PlainSolution<u32> {
    let take = |left: &u32| {
        let after = (1..=2).filter_map(|taken| left.checked_sub(taken));
        after.map(|after| if after == 0 { Next::End(PlainEnd::Win) } else { Next::Position(after) }).collect()
    };
    PlainSolution::of([most], most as usize, take).unwrap()
}

#[test]
fn wins_are_the_shortest_and_losses_the_longest() {
    let solution = counters(30);
    for left in 1..=30 {
        let plies = 2 * (left / 3);
        let value = if left % 3 == 0 { Loss(plies) } else { Win(plies + 1) };
        assert_eq!(solution.value(&left), Some(value), "{left}");
    }
    assert_eq!((solution.value(&31), solution.positions().len(), solution.values().len()), (None, 30, 30));
    // Every number can be taken to 1, but to 1 alone: the loser puts the end off.
    let any = |left: &u32| match *left {
        1 => vec![Next::End(PlainEnd::Loss)],
        left => vec![Next::Position(left - 1), Next::Position(1)],
    };
    let solution = PlainSolution::of([4], 4, any).unwrap();
    assert_eq!([1, 2, 3, 4].map(|left| solution.value(&left)), [Loss(1), Win(2), Win(2), Win(2)].map(Some));
}

#[test]
fn what_is_never_decided_is_a_draw() {
    let circle = |place: &u32| match place {
        0 => vec![Next::Position(1), Next::End(PlainEnd::Loss)],
        1 => vec![Next::Position(0)],
        2 => vec![Next::End(PlainEnd::Draw), Next::End(PlainEnd::Loss)],
        _ => vec![Next::End(PlainEnd::Loss), Next::Position(4)],
    };
    let solution = PlainSolution::of([0, 2], 3, circle).unwrap();
    assert_eq!([0, 1, 2].map(|place| solution.value(&place)), [Some(Draw); 3]);
    assert!(PlainSolution::of([0, 2], 2, circle).is_none());
    assert_eq!(PlainSolution::of([3], 2, circle).unwrap().value(&3), Some(Draw));
}

#[test]
fn positions_may_end_the_game() {
    let solution = counters(7);
    let ended = |end| {
        let solution = solution.with_ends([3, 99], |_| end);
        [3, 4, 5, 6, 7].map(|left| solution.value(&left).unwrap())
    };
    assert_eq!(ended(PlainEnd::Win), [Loss(2), Win(1), Win(1), Loss(2), Win(3)]);
    assert_eq!(ended(PlainEnd::Draw), [Loss(2), Draw, Draw, Draw, Draw]);
    assert_eq!(ended(PlainEnd::Loss), [Loss(2), Loss(2), Win(3), Win(3), Loss(4)]);
    let by_position = solution.with_ends([3], |from| if *from == 4 { PlainEnd::Loss } else { PlainEnd::Draw });
    assert_eq!([4, 5].map(|left| by_position.value(&left).unwrap()), [Loss(2), Win(3)]);
    assert_eq!(solution.value(&4), Some(Win(3)));
}

/// The length of the win of the Hounds is a published one (tests/tablebase/published/solutions.toml).
#[test]
fn a_game_is_solved_by_the_naive_rules() {
    let all = games();
    let (rules, _) = all.iter().find(|(rules, _)| rules.id == "hare-and-hounds").unwrap();
    let opening = NaivePosition::opening(rules);
    let solution = opening.solve(100_000).unwrap();
    assert_eq!(solution.value(&opening.at), Some(Win(23)));
    assert!(opening.solve(solution.positions().len() - 1).is_none());
}
