//! Which weights a variant has: those in a file beside its own, else those that were fitted to its rules, else those of its family.

use std::path::{Path, PathBuf};

use once_cell::sync::{Lazy, OnceCell};

use crate::games::{self, GameFiles};
use crate::path_choice::PathChoice;
use crate::rules::{Variant, read_file};

use super::weights::Weights;

/// The games that weights were fitted to.
static FITTED: Lazy<Vec<(&GameFiles, OnceCell<Weights>)>> = Lazy::new(|| {
    games::all().iter().filter(|files| files.weights.is_some()).map(|files| (files, OnceCell::new())).collect()
});

/// Why a file gives no weights, with its path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WeightsFileError(String);

impl Weights {
    /// The weights for a variant: those in a file beside its own, else those that were fitted to its rules, else those of its
    /// family.
    #[must_use]
    pub fn of(variant: &Variant) -> Weights {
        let fitted = || Weights::fitted(variant).cloned();
        Weights::beside(variant).or_else(fitted).unwrap_or_else(|| Weights::of_family(variant))
    }

    /// The weights that a choice names for a variant.
    ///
    /// # Errors
    /// When they are in a file that can't be read or holds no weights of the variant.
    pub fn chosen(choice: &PathChoice, variant: &Variant) -> Result<Weights, WeightsFileError> {
        match choice {
            PathChoice::Auto => Ok(Weights::of(variant)),
            PathChoice::Off => Ok(Weights::of_family(variant)),
            PathChoice::Path(path) => Weights::from_file(path, variant),
        }
    }

    /// Reads a file of weights for a variant.
    ///
    /// # Errors
    /// When it can't be read or holds no weights of the variant.
    pub fn from_file(path: &Path, variant: &Variant) -> Result<Weights, WeightsFileError> {
        let failed = |reason: String| WeightsFileError(reason);
        let text = read_file(path).map_err(|error| failed(error.to_string()))?;
        Weights::from_toml(&text, variant).map_err(|error| failed(format!("{}: {error}", path.display())))
    }

    /// Where weights for a variant that was read from a file are looked for: `NAME.weights.toml` beside `NAME.toml`.
    #[must_use]
    pub fn path_beside(variant: &Variant) -> Option<PathBuf> {
        variant.path().map(|path| path.with_extension("weights.toml"))
    }

    /// The weights in a file beside that of the variant. A file that can't be used is left alone, and the log says why.
    fn beside(variant: &Variant) -> Option<Weights> {
        let path = Weights::path_beside(variant)?;
        if !path.exists() {
            return None;
        }
        match Weights::from_file(&path, variant) {
            Ok(weights) => {
                log::info!("{}: weights of {}", variant.id(), path.display());
                Some(weights)
            }
            Err(reason) => {
                log::warn!("{reason}; not used");
                None
            }
        }
    }

    /// The weights that were fitted to a variant, whatever it is called, or to a game that is played like it.
    #[must_use]
    pub fn fitted(variant: &Variant) -> Option<&'static Weights> {
        let known = variant.known_game(|files| files.weights.is_some())?;
        let (files, weights) = FITTED.iter().find(|(files, _)| files.id == known.id)?;
        let read = || Weights::from_toml(files.weights?, &*Variant::builtin(files.id)?).ok();
        Some(weights.get_or_init(|| read().expect("a test reads all fitted weights")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;
    use crate::rules::rule_set::{ApexRule, RuleSet};

    #[test]
    fn every_built_in_file_reads() {
        for (files, _) in FITTED.iter() {
            let (variant, text) = (Variant::builtin(files.id).unwrap(), files.weights.unwrap());
            let weights = Weights::from_toml(text, &variant).unwrap();
            assert_eq!(Weights::of(&variant), weights, "{}", files.id);
            assert!(text.starts_with('#'), "{}: where do the weights come from?", files.id);
        }
        assert_eq!(FITTED.len(), 12);
    }

    #[test]
    fn other_rules_have_the_weights_of_the_family_unless_the_game_is_played_alike() {
        let variant = Variant::builtin("sixteen-rebels").unwrap();
        let limited = RuleSet { rebels_at_most: Some(0), ..variant.rule_set().clone() };
        assert_eq!(Weights::of(&variant.with_words(limited.clone()).unwrap()), Weights::of(&variant));
        let rebels_first = RuleSet { first: Side::Rebels, ..limited.clone() };
        assert_eq!(Weights::of(&variant.with_words(rebels_first).unwrap()), Weights::of(&variant));
        let changed = variant.with_words(RuleSet { apex: ApexRule::None, ..limited }).unwrap();
        assert_eq!(Weights::fitted(&changed), None);
        assert_eq!(Weights::of(&changed), Weights::of_family(&changed));
    }
}
