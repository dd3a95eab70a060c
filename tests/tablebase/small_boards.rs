//! Games on 25 field points with few Rebels: complete tables against the naive generator.
//!
//! The value of every position, with either side to move, must follow from the values of its successors. The successors come from
//! the naive generator, which shares nothing with the engine. Distances decrease towards the end of the game, so values that
//! satisfy this everywhere are right.

use std::path::Path;
use std::sync::Arc;

use privy::board::{Board, Point, PointSet};
use privy::rules::rule_set::{ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, RuleSet, StandoffRule, StaticRule};
use privy::rules::{self, Position, Variant};
use privy::tablebase::{Table, Value};

use crate::support::naive;
use crate::support::tables;

use naive::{Apex, Jump, Naive, Next, Pieces, Rules, Side, Static};

/// The same rules as keys of a variant file.
fn rule_set(rules: &Rules) -> RuleSet {
    RuleSet {
        first: rules::Side::General,
        intervention: rules.intervention,
        deferred: rules.deferred,
        static_rule: match rules.statics {
            Static::None => StaticRule::None,
            Static::Surrounded => StaticRule::Surrounded,
            Static::Any => StaticRule::Any,
        },
        orthogonal: rules.orthogonal,
        jump: match rules.jump {
            Jump::None => JumpRule::None,
            Jump::Single | Jump::SingleDiagonal => JumpRule::Single,
            Jump::Multi => JumpRule::Multi,
            Jump::Free => JumpRule::Free,
        },
        jump_lines: if rules.jump == Jump::SingleDiagonal { JumpLines::Diagonal } else { JumpLines::Any },
        leap: if rules.diagonal_leap { LeapRule::Diagonal } else { LeapRule::None },
        slide: rules.slide,
        free_jumps: rules.free_jumps,
        compulsory: rules.compulsory,
        forward: rules.forward,
        enter_privy: rules.rebels_enter_privy,
        custodial: rules.custodial,
        apex: match rules.apex {
            Apex::None => ApexRule::None,
            Apex::General => ApexRule::General,
            Apex::Rebels => ApexRule::Rebels,
            Apex::Return => ApexRule::Return,
        },
        bottom: if rules.bottom { BottomRule::General } else { BottomRule::None },
        goal: rules.goal.iter().map(|name| (*name).to_owned()).collect(),
        // Tables know no history: a repetition is a draw.
        repetition: match rules.by_repetition {
            None => StandoffRule::Draw,
            Some(Side::General) => StandoffRule::General,
            Some(Side::Rebels) => StandoffRule::Rebels,
        },
        move_limit: None,
        rebels_at_most: rules.rebels_at_most.map(|most| most as u8),
        close_privy: rules.close_privy,
    }
}

/// The engine's game: the General on c3, the Rebels on the first points.
fn variant(rules: &Rules, rebels: usize) -> Arc<Variant> {
    let board = Board::builtin(rules.board).unwrap();
    let middle = board.point("c3".parse().unwrap()).unwrap();
    let letter = |point: Point| match point {
        point if point == middle => 'G',
        point if point.index() < rebels => 'r',
        _ => '1',
    };
    let rows: Vec<String> =
        board.rows_from_top().into_iter().map(|row| row.into_iter().map(letter).collect()).collect();
    let words = toml::to_string(&rule_set(rules)).unwrap();
    let text =
        format!("id = \"few\"\ntitle = \"\"\nboard = \"{}\"\nopening = \"{}\"\n{words}", board.id(), rows.join("/"));
    Arc::new(Variant::from_toml(&text, None).unwrap())
}

fn sets(points: &[usize], most: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new()];
    for point in points {
        let more: Vec<Vec<usize>> =
            sets.iter().filter(|set| set.len() < most).map(|set| [set.as_slice(), &[*point]].concat()).collect();
        sets.extend(more);
    }
    sets
}

/// All legal positions.
fn positions(naive: &Naive, most: usize) -> Vec<Pieces> {
    let rules = naive.rules_of();
    let spots: Vec<usize> = (0..naive.names().len()).collect();
    let ground: Vec<usize> = spots.iter().copied().filter(|spot| naive.is_ground(*spot)).collect();
    let mut positions = Vec::new();
    for rebels in sets(&ground, most) {
        for &general in spots.iter().filter(|spot| !rebels.contains(spot)) {
            for apex_visited in [false, true] {
                if apex_visited && rules.apex != Apex::Return {
                    continue;
                }
                if !apex_visited && rules.apex == Apex::Return && naive.is_apex(general) {
                    continue;
                }
                for free_jumps in 0..=rules.free_jumps {
                    for to_move in [Side::General, Side::Rebels] {
                        let pieces = Pieces { general, rebels: rebels.clone(), to_move, apex_visited, free_jumps };
                        if !naive.is_unreachable(&pieces) {
                            positions.push(pieces);
                        }
                    }
                }
            }
        }
    }
    positions
}

fn state(pieces: &Pieces) -> Position {
    let rebels = pieces.rebels.iter().map(|spot| Point::new(*spot)).collect::<PointSet>();
    let side = if pieces.to_move == Side::General { rules::Side::General } else { rules::Side::Rebels };
    Position::new(rebels, Point::new(pieces.general), side, pieces.apex_visited, pieces.free_jumps)
}

/// The value of a position that is not over, from its successors.
fn best(naive: &Naive, table: &Table, pieces: &Pieces) -> Value {
    let of_move = |next: Next| match next {
        Next::Won(side) if side == pieces.to_move => Value::Win(1),
        Next::Won(_) => Value::Loss(1),
        Next::To(next) => table.probe_state(&state(&next)).expect("a successor is covered").before(),
    };
    naive.successors(pieces).into_iter().map(of_move).max().expect("a game that is not over has moves")
}

/// Solves a game and compares every position.
fn check(name: &str, rules: Rules, rebels: usize) {
    let variant = variant(&rules, rebels);
    let naive = Naive::new(rules);
    let names: Vec<String> = variant.board().all().into_iter().map(|p| variant.board().name(p).to_string()).collect();
    assert_eq!(names, naive.names(), "points are numbered alike");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tables-oracle-{}", std::process::id()));
    let path = folder.join(format!("{name}.privy"));
    let table = tables::solved(&path, &variant);
    let covered: Vec<usize> = table.layers().iter().map(|layer| layer.rebels as usize).collect();
    assert!(covered.contains(&rebels));
    let (mut compared, mut values) = (0u64, [0u64; 3]);
    for pieces in positions(&naive, rebels).into_iter().filter(|pieces| covered.contains(&pieces.rebels.len())) {
        let right = match naive.ending(&pieces) {
            None => best(&naive, &table, &pieces),
            // Of the finished positions, a table holds those in which the Rebels have no move.
            Some("general wins: no move") => Value::Loss(0),
            Some(_) => continue,
        };
        let found = table.probe_state(&state(&pieces)).unwrap();
        assert_eq!(found, right, "{name}: {pieces:?}");
        compared += 1;
        values[(found.class() + 1) as usize] += 1;
    }
    println!("{name}: {compared} positions, {} lost, {} drawn, {} won", values[0], values[1], values[2]);
    assert!(compared > 5_000 && values[0] > 0 && values[2] > 0, "{name}: {values:?}");
    drop(table);
    std::fs::remove_file(&path).unwrap();
    let _ = std::fs::remove_dir(&folder);
}

#[test]
fn sixteen_rebels_with_three() {
    check("sixteen-rebels", Rules { rebels_at_most: Some(1), ..Naive::rules("sixteen-rebels") }, 3);
}

#[test]
fn shap_luk_kon_with_three() {
    check("shap-luk-kon-2", Naive::rules("shap-luk-kon-2"), 3);
}

#[test]
fn neeley_with_two() {
    check("sixteen-rebels-neeley", Naive::rules("sixteen-rebels-neeley"), 2);
}

#[test]
fn juroku_musashi_with_three() {
    check("juroku-musashi", Naive::rules("juroku-musashi"), 3);
}

#[test]
fn kings_gonu_with_two_and_a_free_jump() {
    check("kings-gonu", Rules { free_jumps: 1, custodial: true, ..Naive::rules("kings-gonu") }, 2);
}

/// The rules of the double board on a field of 25 points.
#[test]
fn subjugatio_with_three() {
    let small = Rules { board: "cloister", rebels_enter_privy: false, ..Naive::rules("subjugatio") };
    check("subjugatio", small, 3);
}

#[test]
fn subjugatio_with_compulsory_intervention() {
    let small = Rules { board: "triangle-crossed", rebels_at_most: Some(1), ..Naive::rules("subjugatio-intervention") };
    check("subjugatio-intervention", Rules { custodial: true, ..small }, 3);
}

/// Chains that may stop on any landing.
#[test]
fn catch_the_hare_with_three() {
    let small = Rules { custodial: true, rebels_at_most: Some(0), ..Naive::rules("catch-the-hare-12") };
    check("catch-the-hare-12", small, 3);
}

/// Such chains with a privy that can be closed and exits that the General cannot jump over.
#[test]
fn komikan_with_three() {
    let small = Rules { board: "privy-open", rebels_enter_privy: false, close_privy: true, ..Naive::rules("komikan") };
    check("komikan", Rules { rebels_at_most: Some(1), ..small }, 3);
}

/// A goal on one wing: the game has no mirror. Tables count repetition as a draw.
#[test]
fn hare_and_hounds_with_three() {
    let hare =
        Rules { board: "alquerque", goal: &["a2", "b1"], by_repetition: None, ..Naive::rules("hare-and-hounds") };
    check("hare-and-hounds", hare, 3);
}
