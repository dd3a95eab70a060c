//! Every position of a small game that may be set up, its value by the plain solver, and the comparison of a table with
//! it.

use std::sync::Arc;

use privy_oracle::{NaivePosition, NaiveSide, Next, PlainEnd, PlainSolution, PlainValue, Rules};
use privy_protocol::Stop;
use privy_rules::board::{Point, PointSet};
use privy_rules::family::Every;
use privy_rules::rule_set::NoMove;
use privy_rules::{Outcome, Position, Side, Variant};
use privy_tables::{Counts, Table, TableError, TableValue, verify};

/// All states of a game, both sides to move.
#[derive(Debug)]
pub struct Reference {
    /// The states that may be set up.
    pub states: Vec<Position>,
    /// By state, how its game is over.
    pub outcomes: Vec<Option<Outcome>>,
    /// By state, its value.
    pub values: Vec<TableValue>,
    /// By number of Rebels: true if captures lead there from the opening.
    pub reached: Vec<bool>,
    /// True if tables hold the positions with the General in hand, since it may have to pass.
    pub is_general_held: bool,
}

fn end(outcome: Outcome, mover: Side) -> PlainEnd {
    match outcome.winner() {
        None => PlainEnd::Draw,
        Some(winner) if winner == mover => PlainEnd::Win,
        Some(_) => PlainEnd::Loss,
    }
}

fn value_in_table(variant: &Variant, value: PlainValue, side: Side) -> TableValue {
    match value {
        PlainValue::Win(plies) => TableValue::Win(plies),
        PlainValue::Loss(plies) => TableValue::Loss(plies),
        // Who goes round in circles for ever loses to the side that wins by repetition.
        PlainValue::Draw => match variant.rules().winner_by_repetition {
            None => TableValue::Draw,
            Some(winner) if winner == side => TableValue::WinByRepetition,
            Some(_) => TableValue::LossByRepetition,
        },
    }
}

/// All sets of at most `most` of these points.
fn sets(ground: PointSet, most: u32) -> Vec<PointSet> {
    let mut sets = vec![PointSet::EMPTY];
    for point in ground {
        let more: Vec<PointSet> = sets.iter().filter(|set| set.len() < most).map(|set| set.with(point)).collect();
        sets.extend(more);
    }
    sets
}

/// The states that may be set up, over or not.
fn all_states(variant: &Variant) -> Vec<Position> {
    let rules = variant.rules();
    let remembers = !rules.return_apex.is_empty();
    let mut states = Vec::new();
    let (board, opening) = (variant.board(), variant.opening());
    let in_hand = (!board.has(opening.general())).then_some(Point::HAND);
    let hands = (0..=opening.hand()).flat_map(|hand| {
        sets(rules.ground, opening.rebels_left() - u32::from(hand)).into_iter().map(move |rebels| (hand, rebels))
    });
    for (hand, rebels) in hands {
        for general in board.all().minus(rebels).into_iter().chain(in_hand) {
            for apex_visited in [false, true] {
                if apex_visited && !remembers || !apex_visited && rules.return_apex.contains(general) {
                    continue;
                }
                for free_jumps in 0..=variant.rule_set().free_jumps {
                    for side in [Side::General, Side::Rebels] {
                        let state = Position::new(rebels, general, side, apex_visited, free_jumps).with_hand(hand);
                        let is_past = |outcome: Option<Outcome>| outcome.is_none_or(|outcome| outcome == Outcome::Past);
                        if side == Side::Rebels || is_past(rules.goal_after_general(&state)) {
                            states.push(state);
                        }
                    }
                }
            }
        }
    }
    states
}

impl Reference {
    /// Solves a game by the plain solver.
    pub fn of(variant: &Arc<Variant>) -> Reference {
        let rules = variant.rules();
        let states = all_states(variant);
        let outcomes: Vec<Option<Outcome>> = states.iter().map(|state| rules.outcome::<Every>(state, None)).collect();
        let most = variant.opening().rebels_left() as usize;
        let mut takes = vec![vec![false; most + 1]; most + 1];
        let nexts = |state: &Position| {
            let mut nexts = Vec::new();
            let mut add = |next: Position, to: Point| {
                nexts.push(match rules.outcome::<Every>(&next, Some(to)) {
                    Some(outcome) => Next::End(end(outcome, state.side())),
                    None => Next::Position(next),
                });
            };
            match state.side() {
                Side::Rebels => rules.rebel_bundles(state, |from, targets| {
                    targets.into_iter().for_each(|to| add(rules.play_rebel_step(state, from, to).0, to));
                }),
                Side::General => rules.general_actions::<Every>(state, |action, _| {
                    let (next, _) = rules.play_general_move(state, &action);
                    takes[state.rebels_left() as usize][next.rebels_left() as usize] = true;
                    add(next, action.to);
                }),
            }
            nexts
        };
        let open = states.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_none());
        let open: Vec<Position> = open.map(|(state, _)| *state).collect();
        let solution =
            PlainSolution::of(open.iter().copied(), open.len(), nexts).expect("moves lead to no other state");
        let mut reached = vec![false; most + 1];
        reached[most] = true;
        for count in (0..=most).rev().filter(|count| *count as u32 >= rules.fewest_rebels()) {
            for left in 0..count {
                reached[left] |= reached[count] && takes[count][left];
            }
        }
        let value = |(state, outcome): (&Position, &Option<Outcome>)| match outcome {
            Some(outcome) => TableValue::of_outcome(*outcome, state.side()),
            None => value_in_table(variant, solution.value(state).expect("it is solved"), state.side()),
        };
        let values = states.iter().zip(&outcomes).map(value).collect();
        let is_general_held = variant.rule_set().no_move.general == NoMove::Pass;
        Reference { states, outcomes, values, reached, is_general_held }
    }

    /// Won, drawn and lost positions of a number of Rebels in which the game is not over, but for draws; those that no
    /// table holds are left out.
    pub fn counts(&self, side: Side, rebels: u32) -> Counts {
        let mut counts = Counts::default();
        let states = self.states.iter().zip(&self.outcomes).zip(&self.values);
        for ((state, outcome), value) in states {
            let is_held = self.is_general_held || state.general() != Point::HAND;
            let is_counted = outcome.is_none_or(|outcome| outcome.winner().is_none()) && is_held;
            if is_counted && state.side() == side && state.rebels_left() == rebels {
                match value {
                    TableValue::Win(_) => counts.won += 1,
                    TableValue::Loss(_) => counts.lost += 1,
                    _ => counts.drawn += 1,
                }
            }
        }
        counts
    }
}

/// Fails with a text unless a condition holds.
fn ensure(holds: bool, text: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(text()) }
}

/// Compares every value and count of a table of a whole game.
///
/// # Errors
/// The first difference.
pub fn compare_all(table: &Table, variant: &Arc<Variant>, reference: &Reference) -> Result<(), String> {
    let mut longest = 0;
    for ((state, outcome), value) in reference.states.iter().zip(&reference.outcomes).zip(&reference.values) {
        // Of the games that are over a table holds those in which the Rebels have no move.
        let is_stuck = matches!(outcome, Some(Outcome::NoMove(_))) && state.side() == Side::Rebels;
        if outcome.is_some() && !is_stuck {
            continue;
        }
        let reached = reference.reached[state.rebels_left() as usize];
        if state.general() == Point::HAND && !reference.is_general_held {
            // What no table holds follows from its moves.
            match table.probe_state(state) {
                _ if is_stuck => {}
                Err(TableError::NotCovered(_)) => ensure(!reached, || format!("not covered: {state:?}"))?,
                found => ensure(matches!(&found, Ok(found) if found == value), || {
                    format!("{found:?}, expected {value:?}: {state:?}")
                })?,
            }
            continue;
        }
        compare(table, state, *value, reached)?;
        if let (TableValue::Win(plies) | TableValue::Loss(plies), Side::Rebels) = (*value, state.side())
            && table.layers().iter().any(|layer| layer.rebels == state.rebels_left())
        {
            longest = longest.max(plies);
        }
    }
    ensure(table.max_plies() == longest, || format!("longest {}, expected {longest}", table.max_plies()))?;
    for layer in table.layers() {
        for (side, found) in [(Side::Rebels, layer.rebel), (Side::General, layer.general)] {
            let expected = reference.counts(side, layer.rebels);
            let is_right = found == expected;
            ensure(is_right, || format!("{} rebels, {side} to move: {found:?}, expected {expected:?}", layer.rebels))?;
        }
    }
    let layers: Vec<u32> = table.layers().iter().map(|layer| layer.rebels).collect();
    for count in variant.rules().fewest_rebels()..reference.reached.len() as u32 {
        let is_there = !reference.reached[count as usize] || layers.contains(&count);
        ensure(is_there, || format!("no layer {count}"))?;
    }
    let verified = verify(table, None, &mut |_, _| {}, &Stop::default()).unwrap();
    let is_right = verified.is_sound() && verified.layers == table.layers() && verified.agrees_with_known.is_none();
    ensure(is_right, || format!("{verified:?}"))
}

fn compare(table: &Table, state: &Position, value: TableValue, reached: bool) -> Result<(), String> {
    match table.probe_state(state) {
        Ok(found) => ensure(found == value, || format!("{found:?}, expected {value:?}: {state:?}")),
        Err(TableError::NotCovered(_)) => ensure(!reached, || format!("not covered: {state:?}")),
        Err(error) => Err(format!("{error} {state:?}")),
    }
}

/// States of a game that are not over, taken with a stride.
pub fn some_states(variant: &Variant, stride: usize) -> Vec<Position> {
    let rules = variant.rules();
    let mut states = Vec::new();
    for number in 0..60_000usize {
        let mixed = number.wrapping_mul(stride).wrapping_mul(0x9e37_79b9) >> 3;
        let points = rules.ground.len() as usize;
        let most = variant.opening().rebels().len();
        let rebels: PointSet = (0..most).map(|n| Point::new((mixed >> (4 * n)) % points)).collect();
        let general = Point::new(mixed % variant.board().len());
        let side = if number % 2 == 0 { Side::General } else { Side::Rebels };
        let apex_visited = !rules.field.contains(general) && (number % 3 == 0 || rules.return_apex.contains(general));
        let state = Position::new(rebels, general, side, apex_visited, 0);
        let open = rules.outcome::<Every>(&state, None).is_none();
        if open && !rebels.contains(general) && rebels.len() % 2 == variant.opening().rebels().len() % 2 {
            states.push(state);
        }
    }
    states
}

/// Compares the values of all positions that the oracle's moves reach from the opening, at most `most`; returns their
/// number.
///
/// # Errors
/// The first difference.
pub fn compare_reached(table: &Table, variant: &Variant, rules: &Arc<Rules>, most: usize) -> Result<usize, String> {
    let opening = NaivePosition::opening(rules);
    let Some(solution) = Some(opening).filter(|opening| opening.ending().is_none()).and_then(|it| it.solve(most))
    else {
        return Ok(0);
    };
    for (at, value) in solution.positions().iter().zip(solution.values()) {
        let point = |spot: &usize| variant.board().named(&[rules.board.name(*spot)]).first().unwrap();
        let side = if at.to_move == NaiveSide::General { Side::General } else { Side::Rebels };
        let general = at.general.as_ref().map_or(Point::HAND, point);
        let rebels = at.rebels.iter().map(point).collect();
        let state = Position::new(rebels, general, side, at.apex_visited, at.free_jumps as u8)
            .with_hand(at.rebels_in_hand as u8);
        let (found, expected) = (table.probe_state(&state), value_in_table(variant, *value, side));
        let is_right = matches!(&found, Ok(found) if *found == expected);
        ensure(is_right, || format!("{found:?}, naively {expected:?}: {state:?}"))?;
    }
    Ok(solution.positions().len())
}
