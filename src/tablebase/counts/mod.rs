//! How many positions of the built-in games are won, drawn and lost: numbers that are kept, for tables to be held against.

use once_cell::sync::Lazy;
use serde::Deserialize;

use super::header::{Counts, Layer};

/// What is known of the table of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownCounts {
    /// The id of the variant.
    pub variant: String,
    /// The fingerprint of its rules.
    pub fingerprint: String,
    /// The most plies to the end of any position with the Rebels to move.
    pub max_plies: u32,
    /// Won, drawn and lost positions by number of Rebels.
    pub layers: Vec<Layer>,
}

/// The file as written. A layer is the number of Rebels, then won, drawn and lost with the General to move, then the same
/// with the Rebels to move.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountsFile {
    table: Vec<CountsOfTable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CountsOfTable {
    variant: String,
    fingerprint: String,
    max_plies: u32,
    layers: Vec<(u32, [u64; 3], [u64; 3])>,
}

fn read(text: &str) -> Result<Vec<KnownCounts>, toml::de::Error> {
    let counts = |[won, drawn, lost]: [u64; 3]| Counts { won, drawn, lost };
    let layer = |(rebels, general, rebel)| Layer { rebels, general: counts(general), rebel: counts(rebel) };
    let known = |table: CountsOfTable| KnownCounts {
        variant: table.variant,
        fingerprint: table.fingerprint,
        max_plies: table.max_plies,
        layers: table.layers.into_iter().map(layer).collect(),
    };
    Ok(toml::from_str::<CountsFile>(text)?.table.into_iter().map(known).collect())
}

const FILE: &str = include_str!("known.toml");

static KNOWN: Lazy<Vec<KnownCounts>> = Lazy::new(|| read(FILE).unwrap_or_default());

/// The counts of the game with these rules, where they are kept.
#[must_use]
pub fn known_counts(fingerprint: &str) -> Option<&'static KnownCounts> {
    KNOWN.iter().find(|known| known.fingerprint == fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    #[test]
    fn all_games_on_25_points_are_known() {
        let known = read(FILE).unwrap();
        assert_eq!(known.len(), 9);
        for known in known {
            let variant = Variant::builtin(&known.variant).unwrap();
            assert_eq!(variant.fingerprint(), known.fingerprint, "{}", known.variant);
            assert!(known_counts(&known.fingerprint).is_some());
        }
    }
}
