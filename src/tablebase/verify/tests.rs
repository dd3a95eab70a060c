//! Tests of the ranks of values, and of the known counts.

use super::*;

#[test]
fn values_come_back_from_scores() {
    for plies in 0..TOP as u32 - 1 {
        for value in [TableValue::Win(plies), TableValue::Loss(plies)] {
            assert_eq!(value_of(score(value)), value);
            assert_eq!(value_of(before(score(value))), value.before());
        }
    }
    assert_eq!(value_of(score(TableValue::Draw)), TableValue::Draw);
    assert_eq!(before(0), 0);
    // Every code has a score in bounds.
    let variant = Variant::builtin("kings-gonu").unwrap();
    assert!(scores(Coding::of(&variant)).iter().all(|score| score.abs() <= TOP));
}

#[test]
fn all_games_on_25_points_are_known() {
    let mut known = 0;
    for files in games::all().iter().filter(|files| !files.is_relative) {
        let variant = Variant::builtin(files.id).unwrap();
        let is_counted = variant.board().field().len() == 25 && variant.start().outcome().is_none();
        assert_eq!(files.table_counts.is_some(), is_counted, "{}", files.id);
        assert_eq!(known_counts(variant.fingerprint()).is_some(), is_counted, "{}", files.id);
        known += usize::from(is_counted);
    }
    assert_eq!(known, 9);
}
