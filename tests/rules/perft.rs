//! Perft (RULES §7): the engine gives every figure of the games' tables; that the oracle does is a test of its package.

use privy_oracle::Oracle;
use privy_rules::games;
use privy_rules::{Game, Variant, divide, perft};
use privy_testing::oracle;

/// A line of a game's `perft.txt`: the position, with the counts from depth 1 on or the result of a finished game.
struct Row {
    variant: &'static str,
    is_opening: bool,
    position: Game,
    expected: Expected,
}

enum Expected {
    Counts(Vec<u64>),
    Over(&'static str),
}

fn all_rows() -> Vec<Row> {
    let lines = |text: &'static str| text.lines().filter(|line| !line.starts_with('#'));
    games::all().iter().flat_map(|files| lines(files.perft).map(|line| row(files.id, line))).collect()
}

fn row(id: &'static str, line: &'static str) -> Row {
    let variant = Variant::builtin(id).unwrap();
    let (text, last) = line.split_once(" | ").unwrap_or_else(|| panic!("two fields expected: {line}"));
    let position = match text {
        "startpos" => variant.start(),
        _ => Game::from_text(text, Some(&variant)).unwrap_or_else(|error| panic!("{line}: {error}")),
    };
    let expected = match last.strip_prefix("over: ") {
        Some(result) => Expected::Over(result),
        None => Expected::Counts(last.split_whitespace().map(|count| count.parse().expect(line)).collect()),
    };
    Row { variant: id, is_opening: text == "startpos", position, expected }
}

/// Every row with counts: each depth and its count.
fn counted() -> Vec<(Row, Vec<(u32, u64)>)> {
    let with_depths = |row: Row| match &row.expected {
        Expected::Counts(counts) => {
            let depths = (1..).zip(counts.iter().copied()).collect();
            Some((row, depths))
        }
        Expected::Over(_) => None,
    };
    all_rows().into_iter().filter_map(with_depths).collect()
}

fn oracle_of(row: &Row) -> Oracle {
    oracle::from_text(row.variant, &row.position.to_string()).unwrap()
}

#[test]
fn the_tables_are_complete() {
    let (openings, positions): (Vec<Row>, Vec<Row>) = all_rows().into_iter().partition(|row| row.is_opening);
    let ids: Vec<&str> = openings.iter().map(|row| row.variant).collect();
    let listed: Vec<&str> = Variant::all_ids().collect();
    assert_eq!(ids, listed, "one row per variant, in the order of RULES §6, then one per relative");
    for row in &openings {
        let Expected::Counts(counts) = &row.expected else { panic!("{}: counts expected", row.variant) };
        assert!(counts.len() == 6 || counts == &[0], "{}: six depths, or a game that never begins", row.variant);
    }
    assert_eq!(positions.len(), 18 + 4, "18 positions of RULES §7 and 4 more");
    assert_eq!(positions.iter().filter(|row| matches!(row.expected, Expected::Over(_))).count(), 4);
    assert!(counted().iter().all(|(_, depths)| !depths.is_empty()));
}

/// The page has the positions, figures and ends of the files.
#[test]
fn the_rules_have_the_figures_of_the_tables() {
    let page = include_str!("../../docs/RULES.md");
    let (_, table) = page.split_once("| position | variant | perft | what it pins |\n").unwrap();
    let mut last = "";
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        last = if cells[1] == "the same" { last } else { cells[1].trim_matches('`') };
        (last, cells[2], cells[3].replace("win, ", "win: ").replace("wins, ", "wins: "))
    });
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), 18);
    for (position, variant, figures) in rows {
        let files = games::all().iter().find(|files| files.id == variant).unwrap();
        let line = format!("{position} | {figures}");
        assert!(files.perft.lines().any(|found| found == line), "{variant}: {line}");
    }
}

#[test]
fn perft_gives_every_figure() {
    for (row, depths) in counted() {
        for (depth, count) in depths {
            assert_eq!(perft(&row.position, depth, &mut || false), Some(count), "depth {depth} of {}", row.position);
        }
    }
}

#[test]
fn perft_of_depth_0_is_1_also_after_the_end() {
    for row in all_rows() {
        assert_eq!(perft(&row.position, 0, &mut || false), Some(1), "{}", row.position);
        assert!(divide(&row.position, 0, &mut || false).unwrap().is_empty());
    }
}

#[test]
fn divide_lists_the_legal_moves_and_sums_to_perft() {
    for (row, depths) in counted() {
        for (depth, count) in depths {
            let division = divide(&row.position, depth, &mut || false).unwrap();
            let moves: Vec<String> = division.iter().map(|(text, _)| text.clone()).collect();
            assert_eq!(moves, oracle_of(&row).legal_moves(), "depth {depth} of {}", row.position);
            assert_eq!(division.iter().map(|(_, part)| part).sum::<u64>(), count, "depth {depth} of {}", row.position);
        }
    }
}

#[test]
fn finished_games_have_a_result_and_no_move() {
    for row in all_rows() {
        let Expected::Over(result) = row.expected else { continue };
        assert_eq!(row.position.outcome().map(|outcome| outcome.to_string()).as_deref(), Some(result));
        assert_eq!(oracle_of(&row).result().as_deref(), Some(result));
        assert!(row.position.legal_moves().is_empty());
        assert!((1..4).all(|depth| perft(&row.position, depth, &mut || false) == Some(0)));
    }
    let murray = Variant::builtin("twenty-six-murray").unwrap().start();
    assert_eq!(murray.outcome().map(|outcome| outcome.to_string()).as_deref(), Some("rebels win: no move"));
}
