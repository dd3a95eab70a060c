//! How many positions of the built-in games are won, drawn and lost: numbers that are kept, for tables to be held against.

use serde::Deserialize;

use crate::games;

use super::layout::{Counts, Layer};

/// What is known of the table of a game, as its `table_counts.toml` has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownCounts {
    /// The fingerprint of its rules.
    pub fingerprint: String,
    /// The most plies to the end of any position with the Rebels to move.
    pub max_plies: u32,
    /// Won, drawn and lost positions by number of Rebels.
    pub layers: Vec<KnownLayer>,
}

/// The number of Rebels; won, drawn and lost with the General to move; the same with the Rebels to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct KnownLayer(u32, [u64; 3], [u64; 3]);

impl PartialEq<Layer> for KnownLayer {
    fn eq(&self, layer: &Layer) -> bool {
        let counts = |counts: &Counts| [counts.won, counts.drawn, counts.lost];
        *self == KnownLayer(layer.rebels, counts(&layer.general), counts(&layer.rebel))
    }
}

/// The counts of the game with these rules, where they are kept.
#[must_use]
pub fn known_counts(fingerprint: &str) -> Option<KnownCounts> {
    let read = |text| toml::from_str::<KnownCounts>(text).expect("a test reads all counts");
    games::all().iter().filter_map(|files| files.table_counts).map(read).find(|known| known.fingerprint == fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

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
}
