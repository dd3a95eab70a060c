//! Tests of the ranks of values, and of the known counts.

use privy_rules::{Variant, games};
use privy_tables::TableValue;
use privy_tables::coding::Coding;
use privy_tables::verify::{before, known_counts, ranks};

#[test]
fn values_come_back_from_ranks() {
    for plies in 0..1999 {
        for value in [TableValue::Win(plies), TableValue::Loss(plies)] {
            assert_eq!(TableValue::of_rank(value.rank()), value);
            assert_eq!(TableValue::of_rank(before(value.rank())), value.before());
        }
    }
    assert_eq!(TableValue::of_rank(TableValue::Draw.rank()), TableValue::Draw);
    assert_eq!(before(0), 0);
    // Every code has a rank in bounds.
    let variant = Variant::builtin("kings-gonu").unwrap();
    let most = TableValue::Win(0).rank();
    assert!(ranks(Coding::of(&variant)).iter().all(|rank| rank.abs() <= most));
}

#[test]
fn all_games_on_25_points_are_known() {
    let mut known = 0;
    for files in games::all().iter().filter(|files| !files.is_relative()) {
        let variant = Variant::builtin(files.id).unwrap();
        let is_counted = variant.board().field.len() == 25 && variant.start().outcome().is_none();
        assert_eq!(files.table_counts.is_some(), is_counted, "{}", files.id);
        assert_eq!(known_counts(variant.fingerprint()).is_some(), is_counted, "{}", files.id);
        known += usize::from(is_counted);
    }
    assert_eq!(known, 9);
}
