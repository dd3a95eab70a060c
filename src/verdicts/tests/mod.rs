//! The counts against brute force, on a board of nine field points.

mod committed;
mod plain;

use std::collections::BTreeSet;
use std::sync::Arc;

use privy_rules::rule_set::ApexRule;
use privy_rules::{Game, Position, Side};
use privy_search::Stop;
use privy_tables::TableValue;

use super::census::{Census, GameComparison, summary};
use super::figures::PrivyEntries;
use super::play::{PerfectLines, TablePlayer, play};
use super::verdict::{FigureValue, grouped, share};
use plain::{NineFolder, PlainGame};

const APEX: &str = r#"
id = "nine-apex"
title = "Nine"
board = "nine.toml"
opening = "1/1/rrr/1G1/rrr"
first = "general"
intervention = true
apex = "general"
rebels_at_most = 2
close_privy = true
"#;

const RETURN: &str = r#"
id = "nine-return"
title = "Nine"
board = "nine.toml"
opening = "1/1/r1r/rGr/r2"
first = "general"
intervention = true
custodial = true
apex = "return"
rebels_at_most = 1
close_privy = true
"#;

const JUMPING: &str = r#"
id = "nine-jumping"
title = "Nine"
board = "nine.toml"
opening = "1/1/r1r/1G1/r1r"
first = "general"
jump = "multi"
compulsory = true
apex = "return"
rebels_at_most = 0
close_privy = true
"#;

#[test]
fn a_census_is_what_brute_force_counts() {
    let folder = NineFolder::new("census");
    for (text, parity) in [(APEX, true), (RETURN, true), (JUMPING, false)] {
        let variant = folder.variant(text);
        let values = folder.values(&variant);
        let plain = PlainGame::of(&variant, parity);
        for (state, value) in &plain.values {
            assert_eq!(values.probe_state(state).ok(), Some(*value), "{}", plain.games[state]);
        }
        let census = Census::of(&values, &Stop::default());
        assert!(census.sum().won > 0 && census.sum().throwing > 0, "{}: nothing to count", variant.id());
        assert!(PrivyEntries::of(&census.sum().entering).all > 0);
        for layer in &census.layers {
            assert_eq!(*layer, plain.census(layer.rebels), "{} {}", variant.id(), layer.rebels);
        }
        for distance in &census.distances {
            let plies = |game: &&Game| plain.value(game).plies() == Some(distance.plies);
            assert_eq!(distance.positions, plain.open(Side::Rebels).filter(plies).count() as u64);
        }
    }
}

#[test]
fn a_comparison_is_what_brute_force_counts() {
    let folder = NineFolder::new("comparison");
    let mut changes = 0;
    for text in [APEX, RETURN] {
        let variant = folder.variant(text);
        let mut words = variant.rule_set().clone();
        words.apex = ApexRule::None;
        let other = Arc::new(variant.with_words(words).unwrap());
        let (values, other_values) = (folder.values(&variant), folder.values(&other));
        let (plain, other_plain) = (PlainGame::of(&variant, true), PlainGame::of(&other, true));
        for side in [Side::General, Side::Rebels] {
            let comparison = GameComparison::of(&values, &other_values, side, &Stop::default());
            let mut expected = GameComparison::default();
            for game in plain.open(side).filter(|game| !game.position().apex_visited()) {
                let (a, b) = (plain.value(game), other_plain.values[game.position()]);
                let class =
                    |value: TableValue| (if side == Side::General { value.class() } else { -value.class() }) + 1;
                expected.classes[class(a) as usize][class(b) as usize] += 1;
                if let (TableValue::Win(x), TableValue::Win(y)) | (TableValue::Loss(x), TableValue::Loss(y)) = (a, b) {
                    let list = if class(a) == 2 { &mut expected.general_wins } else { &mut expected.rebels_win };
                    *list.entry(i64::from(y) - i64::from(x)).or_default() += 1;
                }
            }
            assert_eq!(comparison, expected);
            changes += comparison.class_changes();
            let same = GameComparison::of(&values, &values, side, &Stop::default());
            assert_eq!((same.class_changes(), same.distance_changes()), (0, 0));
        }
    }
    assert!(changes > 0, "the apex rule changes nothing: a poor test");
}

#[test]
fn perfect_lines_are_what_brute_force_follows() {
    let folder = NineFolder::new("lines");
    let variant = folder.variant(JUMPING);
    let values = folder.values(&variant);
    let plain = PlainGame::of(&variant, false);
    let start = plain.open(Side::General).filter(|game| plain.value(game).class() != 0);
    // The longest of the decided positions; of several the first by text, so that the test is the same every time.
    let start = start.max_by_key(|game| (plain.value(game).plies(), game.to_string()));
    let start = start.unwrap();
    let key = |state: &Position| {
        (state.rebels(), state.general().index(), state.side() == Side::General, state.apex_visited())
    };
    let (mut seen, mut waiting, mut left) = (BTreeSet::new(), vec![start.clone()], BTreeSet::new());
    while let Some(game) = waiting.pop() {
        let state = game.position();
        if !seen.insert(key(state).min(key(&variant.mirror(state)))) {
            continue;
        }
        let value = plain.value(&game);
        for next in game.legal_moves().iter().map(|move_| game.after(move_)) {
            if plain.value(&next).before() != value {
                continue;
            }
            if next.outcome().is_some() {
                left.insert(next.position().rebels().len());
            } else {
                waiting.push(next);
            }
        }
    }
    let lines = PerfectLines::from(&values, *start.position(), &Stop::default()).unwrap();
    assert_eq!(lines.positions, seen.len() as u64);
    assert_eq!(lines.left, left);
}

#[test]
fn games_end_as_the_table_says_and_are_the_same_every_time() {
    let folder = NineFolder::new("games");
    let variant = folder.variant(APEX);
    let values = folder.values(&variant);
    let start = *variant.opening();
    let winner = match values.probe_state(&start).unwrap().class() {
        1 => Some(Side::General),
        -1 => Some(Side::Rebels),
        _ => None,
    };
    let results = play(&values, &Stop::default(), start, [TablePlayer::PERFECT; 2], 50);
    let expected = match winner {
        Some(Side::General) => (0, 0, 50),
        Some(Side::Rebels) => (50, 0, 0),
        None => (0, 50, 0),
    };
    assert_eq!((results.rebels, results.drawn, results.general), expected);
    let again = || play(&values, &Stop::default(), start, [TablePlayer::Cautious, TablePlayer::RANDOM], 200);
    assert_eq!(again(), again());
    assert_eq!(again().games(), 200);
}

#[test]
fn medians_and_means() {
    let differences = [(-1, 1), (0, 3), (2, 4)].into();
    assert_eq!(summary(&differences), (7, 8, 0));
    assert_eq!(summary(&[(3, 1)].into()), (3, 1, 3));
    assert_eq!(summary(&[].into()), (0, 0, 0));
}

#[test]
fn quantities_in_words() {
    assert_eq!(grouped(0), "0");
    assert_eq!(grouped(1_234_567), "1,234,567");
    assert_eq!(grouped(100), "100");
    assert_eq!(share(1, 4).to_string(), "25.0 % (1 of 4)");
    assert_eq!(share(0, 4).short(), "0 %");
    assert_eq!(share(4, 4).short(), "100 %");
    assert_eq!(share(9_999, 10_000).short(), "99.99 %");
    assert_eq!(share(1, 0).to_string(), "-");
    assert_eq!(FigureValue::Mean { sum: -3, of: 2 }.short(), "-1.50");
}
