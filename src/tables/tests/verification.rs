//! Tests of the known counts.

use privy_rules::{Variant, games};
use privy_tables::Header;

#[test]
fn all_games_on_25_points_are_known() {
    let mut known = 0;
    for files in games::all().iter().filter(|files| !files.is_relative()) {
        let variant = Variant::builtin(files.id).unwrap();
        let is_counted = variant.board().field.len() == 25 && variant.start().outcome().is_none();
        assert_eq!(files.table_counts.is_some(), is_counted, "{}", files.id);
        assert_eq!(Header::known(variant.fingerprint()).is_some(), is_counted, "{}", files.id);
        known += usize::from(is_counted);
    }
    assert_eq!(known, 9);
}
