//! Complete tables of games with few Rebels against the naive generator.
//!
//! The value of every position, with either side to move, must follow from the values of its successors. The successors
//! come from the naive generator, which shares nothing with the engine. Distances decrease towards the end of the game,
//! so values that satisfy this everywhere are right.

use std::collections::HashMap;
use std::sync::Arc;

use privy_oracle::{NaiveMove, NaivePosition, NaiveSide, Placement, Rules};
use privy_rules::board::{Point, PointSet};
use privy_rules::{Position, Side};
use privy_tables::{Table, TableValue};

fn sets(points: &[usize], most: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new()];
    for point in points {
        let more: Vec<Vec<usize>> =
            sets.iter().filter(|set| set.len() < most).map(|set| [set.as_slice(), &[*point]].concat()).collect();
        sets.extend(more);
    }
    sets
}

/// Every `stride`-th position with this many Rebels or fewer, if it is legal.
fn positions(rules: &Arc<Rules>, most: usize, stride: usize) -> Vec<NaivePosition> {
    let points = 0..rules.board.points.len();
    let is_ground = |spot: &usize| rules.flag("enter_privy") || !rules.board.points[*spot].in_privy;
    let ground: Vec<usize> = points.clone().filter(is_ground).collect();
    let remembers = rules.word("apex") == "return";
    let (mut positions, mut number) = (Vec::new(), 0);
    for rebels in sets(&ground, most) {
        for general in points.clone().filter(|spot| !rebels.contains(spot)) {
            for apex_visited in [false, true] {
                if apex_visited && !remembers || !apex_visited && remembers && rules.board.apex.contains(&general) {
                    continue;
                }
                for free_jumps in 0..=rules.number("free_jumps").unwrap_or(0) {
                    for to_move in [NaiveSide::General, NaiveSide::Rebels] {
                        number += 1;
                        if number % stride != 0 {
                            continue;
                        }
                        let rebels = rebels.iter().copied().collect();
                        let general = Some(general);
                        let at = Placement { general, rebels, rebels_in_hand: 0, to_move, apex_visited, free_jumps };
                        let position =
                            NaivePosition { rules: Arc::clone(rules), at, rebel_arrived: None, general_moved: false };
                        if position.unreachable().is_none() {
                            positions.push(position);
                        }
                    }
                }
            }
        }
    }
    positions
}

fn state(at: &Placement) -> Position {
    let rebels = at.rebels.iter().map(|spot| Point::new(*spot)).collect::<PointSet>();
    let side = if at.to_move == NaiveSide::General { Side::General } else { Side::Rebels };
    Position::new(rebels, Point::new(at.general.unwrap()), side, at.apex_visited, at.free_jumps as u8)
}

/// Compares the value of every `stride`-th position with up to `most` Rebels that the table covers. Returns the numbers
/// of lost, drawn and won positions.
///
/// # Panics
/// If a value is wrong.
pub fn compare(table: &Table, rules: &Arc<Rules>, most: usize, stride: usize) -> [u64; 3] {
    let covered: Vec<usize> = table.layers().iter().map(|layer| layer.rebels as usize).collect();
    assert!(covered.contains(&most));
    // By position, the reason why the game is over if it was set up so. Looking it up spares each move the moves of its
    // successor.
    let mut endings: HashMap<Position, Option<&str>> = HashMap::new();
    let mut ending = |position: &NaivePosition| {
        let set_up = || NaivePosition { rebel_arrived: None, ..position.clone() }.ending();
        *endings.entry(state(&position.at)).or_insert_with(set_up)
    };
    let mut values = [0; 3];
    for position in
        positions(rules, most, stride).into_iter().filter(|position| covered.contains(&position.at.rebels.len()))
    {
        let here = state(&position.at);
        let mover = if position.at.to_move == NaiveSide::General { "general wins" } else { "rebels win" };
        let here_ends = ending(&position);
        let of_move = |move_: NaiveMove| {
            let next = position.after(&move_);
            let there = state(&next.at);
            match next.ending_on_arrival(ending(&next)) {
                Some(ending) if ending.starts_with(mover) => TableValue::Win(1),
                Some(_) => TableValue::Loss(1),
                None => table.probe_state(&there).expect("a successor is covered").before(),
            }
        };
        let right = match here_ends {
            None => position.moves().into_iter().map(of_move).max().expect("a game that is not over has moves"),
            // Of the finished positions, a table holds those in which the Rebels have no move.
            Some("general wins: no move") => TableValue::Loss(0),
            Some(_) => continue,
        };
        let found = table.probe_state(&here).unwrap();
        assert_eq!(found, right, "{}: {:?}", rules.id, position.at);
        values[(found.class() + 1) as usize] += 1;
    }
    values
}
