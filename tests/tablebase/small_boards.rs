//! Games on 25 field points with few Rebels: complete tables against the naive generator.
//!
//! The value of every position, with either side to move, must follow from the values of its successors. The successors come from
//! the naive generator, which shares nothing with the engine. Distances decrease towards the end of the game, so values that
//! satisfy this everywhere are right.

use std::path::Path;
use std::sync::Arc;

use privy_oracle::{NaivePosition, NaiveSide, Placement};
use privy_rules::Variant;
use privy_rules::board::{Board, Point, PointSet};
use privy_tables::{Table, TableValue};

use crate::support::{oracle, tables};

/// Keys of a small game: the General on c3, the Rebels on the first points of the board.
fn keys(board: &Board, rebels: usize, changes: &str) -> String {
    let middle = board.point("c3".parse().unwrap()).unwrap();
    let letter = |point: Point| match point {
        point if point == middle => 'G',
        point if point.index() < rebels => 'r',
        _ => '1',
    };
    let rows: Vec<String> = board.rows_from_top().iter().map(|row| row.iter().copied().map(letter).collect()).collect();
    format!("board = \"{}\"\nopening = \"{}\"\nfirst = \"general\"\n{changes}", board.id(), rows.join("/"))
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

/// All legal positions with this many Rebels or fewer.
fn positions(rules: &Arc<oracle::Rules>, most: usize) -> Vec<NaivePosition> {
    let points = 0..rules.board.points.len();
    let is_ground = |spot: &usize| rules.flag("enter_privy") || !rules.board.points[*spot].in_privy;
    let ground: Vec<usize> = points.clone().filter(is_ground).collect();
    let remembers = rules.word("apex") == "return";
    let mut positions = Vec::new();
    for rebels in sets(&ground, most) {
        for general in points.clone().filter(|spot| !rebels.contains(spot)) {
            for apex_visited in [false, true] {
                if apex_visited && !remembers || !apex_visited && remembers && rules.board.apex.contains(&general) {
                    continue;
                }
                for free_jumps in 0..=rules.number("free_jumps").unwrap_or(0) {
                    for to_move in [NaiveSide::General, NaiveSide::Rebels] {
                        let rebels = rebels.iter().copied().collect();
                        let general = Some(general);
                        let at = Placement { general, rebels, rebels_in_hand: 0, to_move, apex_visited, free_jumps };
                        let position = NaivePosition { rules: Arc::clone(rules), at, rebel_arrived: None };
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

fn state(at: &Placement) -> privy_rules::Position {
    let rebels = at.rebels.iter().map(|spot| Point::new(*spot)).collect::<PointSet>();
    let side = if at.to_move == NaiveSide::General { privy_rules::Side::General } else { privy_rules::Side::Rebels };
    privy_rules::Position::new(rebels, Point::new(at.general.unwrap()), side, at.apex_visited, at.free_jumps as u8)
}

/// The value of a position that is not over, from its successors.
fn best(table: &Table, position: &NaivePosition) -> TableValue {
    let mover = if position.at.to_move == NaiveSide::General { "general wins" } else { "rebels win" };
    let of_next = |next: NaivePosition| match next.ending() {
        Some(ending) if ending.starts_with(mover) => TableValue::Win(1),
        Some(_) => TableValue::Loss(1),
        None => table.probe_state(&state(&next.at)).expect("a successor is covered").before(),
    };
    let nexts = position.moves().into_iter().map(|move_| position.after(&move_));
    nexts.map(of_next).max().expect("a game that is not over has moves")
}

/// Solves a built-in game with few Rebels and some changed keys, and compares every position.
fn check(id: &str, board: Option<&str>, changes: &str, rebels: usize) {
    let builtin = Variant::builtin(id).unwrap();
    let board = board.map_or_else(|| Arc::clone(builtin.board()), |board| Board::builtin(board).unwrap());
    let keys = keys(&board, rebels, changes);
    let file = format!("id = \"few\"\ntitle = \"\"\nextends = \"{id}\"\n{keys}");
    let variant = Arc::new(Variant::from_toml(&file, None).unwrap());
    let naive = Arc::new(oracle::changed(id, &keys, Some(board.source())));
    let names = board.all().into_iter().map(|p| board.name(p).to_string());
    assert!(names.eq(naive.board.points.iter().map(|point| point.name.clone())), "points are numbered alike");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tables-oracle-{}", std::process::id()));
    let path = folder.join(format!("{id}.privy"));
    let table = tables::solved(&path, &variant);
    let covered: Vec<usize> = table.layers().iter().map(|layer| layer.rebels as usize).collect();
    assert!(covered.contains(&rebels));
    let (mut compared, mut values) = (0u64, [0u64; 3]);
    let positions = positions(&naive, rebels);
    for position in positions.into_iter().filter(|position| covered.contains(&position.at.rebels.len())) {
        let right = match position.ending() {
            None => best(&table, &position),
            // Of the finished positions, a table holds those in which the Rebels have no move.
            Some("general wins: no move") => TableValue::Loss(0),
            Some(_) => continue,
        };
        let found = table.probe_state(&state(&position.at)).unwrap();
        assert_eq!(found, right, "{id}: {:?}", position.at);
        compared += 1;
        values[(found.class() + 1) as usize] += 1;
    }
    println!("{id}: {compared} positions, {} lost, {} drawn, {} won", values[0], values[1], values[2]);
    assert!(compared > 5_000 && values[0] > 0 && values[2] > 0, "{id}: {values:?}");
    drop(table);
    std::fs::remove_file(&path).unwrap();
    let _ = std::fs::remove_dir(&folder);
}

#[test]
fn sixteen_rebels_with_three() {
    check("sixteen-rebels", None, "rebels_at_most = 1", 3);
}

#[test]
fn shap_luk_kon_with_three() {
    check("shap-luk-kon-2", None, "", 3);
}

#[test]
fn neeley_with_two() {
    check("sixteen-rebels-neeley", None, "", 2);
}

#[test]
fn juroku_musashi_with_three() {
    check("juroku-musashi", None, "", 3);
}

#[test]
fn kings_gonu_with_two_and_a_free_jump() {
    check("kings-gonu", None, "free_jumps = 1\ncustodial = true", 2);
}

/// The rules of the double board on a field of 25 points.
#[test]
fn subjugatio_with_three() {
    check("subjugatio", Some("cloister"), "enter_privy = false", 3);
}

#[test]
fn subjugatio_with_compulsory_intervention() {
    let changes = "rebels_at_most = 1\ncustodial = true";
    check("subjugatio-intervention", Some("triangle-crossed"), changes, 3);
}

/// Chains that may stop on any landing.
#[test]
fn catch_the_hare_with_three() {
    check("catch-the-hare-12", None, "rebels_at_most = 0\ncustodial = true", 3);
}

/// Such chains with a privy that can be closed and exits that the General cannot jump over.
#[test]
fn komikan_with_three() {
    check("komikan", Some("privy-open"), "enter_privy = false\nclose_privy = true\nrebels_at_most = 1", 3);
}

/// A goal on one wing: the game has no mirror. Tables count repetition as a draw.
#[test]
fn hare_and_hounds_with_three() {
    check("hare-and-hounds", Some("alquerque"), "goal = [\"a2\", \"b1\"]\nrepetition = \"draw\"", 3);
}
