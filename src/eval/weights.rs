//! The weights of the evaluation: data files that are fitted to a variant, or common to a family of games.

use std::path::PathBuf;

use once_cell::sync::{Lazy, OnceCell};

use crate::board::MAX_POINTS;
use crate::games::{self, GameFiles};
use crate::rules::{Side, Variant, read_file};

use super::known_weights;
use super::piece_square::PieceSquare;

/// The weights of a variant, one set for either side to move. All in hundredths of a Rebel, as the General sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// With the General to move.
    pub general_to_move: SideWeights,
    /// With the Rebels to move.
    pub rebels_to_move: SideWeights,
}

/// The weights of positions with one side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideWeights {
    /// Material: the value of that number of Rebels.
    pub material: [i32; MAX_POINTS],
    /// Mobility: the value of that many empty points adjacent to the General.
    pub mobility: [i32; MAX_POINTS],
    /// Freedom: the value of that many points that he could walk to.
    pub freedom: [i32; MAX_POINTS],
    /// Connectivity of the ring: two adjacent Rebels.
    pub ring: i32,
    /// Tempo: a step that a Rebel can make.
    pub tempo: i32,
    /// Threat: a capture that he could make at once.
    pub threat: i32,
    /// Weak point: a point within his reach on which he would capture.
    pub weak_point: i32,
    /// Custody: a way in which a step of a Rebel could capture him.
    pub custody: i32,
    /// The apex visited, where only the return is left.
    pub apex_visited: i32,
    /// A free jump left.
    pub free_jump: i32,
    /// The General on that point.
    pub general: [i32; MAX_POINTS],
    /// By point of the General: a Rebel on that point.
    pub rebels: Box<[[i32; MAX_POINTS]; MAX_POINTS]>,
}

impl SideWeights {
    /// Weights that say nothing.
    #[must_use]
    pub fn none() -> SideWeights {
        SideWeights {
            material: [0; MAX_POINTS],
            mobility: [0; MAX_POINTS],
            freedom: [0; MAX_POINTS],
            ring: 0,
            tempo: 0,
            threat: 0,
            weak_point: 0,
            custody: 0,
            apex_visited: 0,
            free_jump: 0,
            general: [0; MAX_POINTS],
            rebels: Box::new([[0; MAX_POINTS]; MAX_POINTS]),
        }
    }

    /// The unit in which the weights of the Rebels' points are kept.
    #[must_use]
    pub fn unit(&self) -> i32 {
        let sizes = self.rebels.iter().flatten().map(|weight| weight.abs());
        PieceSquare::unit_for(sizes.max().unwrap_or(0))
    }
}

/// The games that weights were fitted to.
static FITTED: Lazy<Vec<(&GameFiles, OnceCell<Weights>)>> = Lazy::new(|| {
    games::all().iter().filter(|files| files.weights.is_some()).map(|files| (files, OnceCell::new())).collect()
});

impl Weights {
    /// The weights for a variant: those in a file beside its own, else those that were fitted to its rules, else those of its
    /// family.
    #[must_use]
    pub fn of(variant: &Variant) -> Weights {
        let fitted = || Weights::fitted(variant).cloned();
        Weights::beside(variant).or_else(fitted).unwrap_or_else(|| known_weights::weights_of(variant))
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
        let text = read_file(&path).map_err(|error| error.to_string());
        let read = text.and_then(|text| Weights::from_toml(&text, variant).map_err(|error| error.to_string()));
        match read {
            Ok(weights) => {
                log::info!("{}: weights of {}", variant.id(), path.display());
                Some(weights)
            }
            Err(reason) => {
                log::warn!("{}: not used, {reason}", path.display());
                None
            }
        }
    }

    /// The weights that were fitted to the rules of a variant. What it is called does not matter, but a rule that differs does.
    #[must_use]
    pub fn fitted(variant: &Variant) -> Option<&'static Weights> {
        let is_same = |files: &GameFiles| {
            Variant::builtin(files.id).is_some_and(|builtin| builtin.fingerprint() == variant.fingerprint())
        };
        let (files, weights) = FITTED.iter().find(|(files, _)| is_same(files))?;
        let read = || Weights::from_toml(files.weights?, variant).ok();
        Some(weights.get_or_init(|| read().expect("a test reads all fitted weights")))
    }

    /// The weights for a side to move.
    #[must_use]
    pub fn to_move(&self, side: Side) -> &SideWeights {
        match side {
            Side::General => &self.general_to_move,
            Side::Rebels => &self.rebels_to_move,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn other_rules_have_the_weights_of_the_family() {
        let variant = Variant::builtin("sixteen-rebels").unwrap();
        let mut words = variant.rule_set().clone();
        words.rebels_at_most = Some(0);
        let changed = variant.with_words(words).unwrap();
        assert_eq!(Weights::fitted(&changed), None);
        assert_eq!(Weights::of(&changed), known_weights::weights_of(&changed));
    }
}
