//! Which weights a variant has: those in a file beside its own, else those that were fitted to its rules, else those of its family.

use std::collections::VecDeque;
use std::path::PathBuf;

use once_cell::sync::{Lazy, OnceCell};
use serde::Deserialize;

use crate::board::{Board, MAX_POINTS, Point, PointSet};
use crate::games::{self, GameFiles};
use crate::rules::rule_set::{ApexRule, JumpRule, RuleSet};
use crate::rules::{Variant, read_file};

use super::weights::{SideWeights, Weights};

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
        Weights::beside(variant).or_else(fitted).unwrap_or_else(|| family_weights(variant))
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

    /// The weights that were fitted to the rules of a variant, or to the same rules with another attrition limit or another side to begin:
    /// these say how a game begins and ends, and little of how it is played. What a variant is called does not matter, but any other
    /// rule does.
    #[must_use]
    pub fn fitted(variant: &Variant) -> Option<&'static Weights> {
        let find = |suits: fn(&Variant, &Variant) -> bool| {
            FITTED.iter().find_map(|(files, weights)| {
                let builtin = Variant::builtin(files.id).filter(|builtin| suits(builtin, variant))?;
                let read = || Weights::from_toml(files.weights?, &builtin).ok();
                Some(weights.get_or_init(|| read().expect("a test reads all fitted weights")))
            })
        };
        find(|builtin, variant| builtin.fingerprint() == variant.fingerprint()).or_else(|| find(is_played_alike))
    }
}

/// Are these one game but for the opening and the attrition limit?
fn is_played_alike(one: &Variant, other: &Variant) -> bool {
    let RuleSet { first, rebels_at_most, .. } = *other.rule_set();
    let is_same_board = one.board().id() == other.board().id() && one.board().field() == other.board().field();
    is_same_board && RuleSet { first, rebels_at_most, ..one.rule_set().clone() } == *other.rule_set()
}

/// A file of weights, in hundredths of a Rebel as the General sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyWeights {
    /// Hundredths of Rebels at which material counts nothing.
    even_at: i32,
    /// A Rebel taken.
    rebel: i32,
    /// Mobility: an empty point adjacent to the General.
    mobility: i32,
    /// Freedom: a point that it could walk to if the Rebels stood still.
    freedom: i32,
    /// Initiative: the General is to move.
    initiative: i32,
    /// Threat: a capture that it can make at once, being to move.
    threat: i32,
    /// Weak point: a point within its reach on which it would capture.
    weak_point: i32,
    /// Connectivity of the ring: two adjacent Rebels.
    ring: i32,
    /// Besieger: a Rebel adjacent to the General.
    besieger: i32,
    /// Guarded exit: an exit of the privy that holds a Rebel.
    guarded_exit: i32,
    /// Tempo: a step that a Rebel can make.
    tempo: i32,
    /// A step of the way to the apex, where that wins for it or is half of it.
    apex_distance: i32,
    /// A step of the way to the bottom row, where that wins for it.
    bottom_distance: i32,
    /// The apex visited, where only the return is left.
    apex_visited: i32,
    /// A free jump left.
    free_jump: i32,
}

/// How many points a field may have to count as a small board.
const SMALL_FIELD: u32 = 30;

/// The weights for a variant, chosen by its board and its way of capturing.
fn family_weights(variant: &Variant) -> Weights {
    static FILES: Lazy<[FamilyWeights; 4]> = Lazy::new(|| {
        let files = [
            include_str!("families/pairs.toml"),
            include_str!("families/apex.toml"),
            include_str!("families/jumps.toml"),
            include_str!("families/double-board.toml"),
        ];
        files.map(|text| toml::from_str(text).expect("a test reads all families"))
    });
    let [pairs, apex, jumps, double_board] = &*FILES;
    let words = variant.rule_set();
    let family = if variant.board().field().len() > SMALL_FIELD {
        double_board
    } else if words.jump != JumpRule::None && !words.intervention {
        jumps
    } else if words.apex == ApexRule::General {
        apex
    } else {
        pairs
    };
    family.weights(variant)
}

impl FamilyWeights {
    /// The same weights in the terms of a variant's board.
    fn weights(&self, variant: &Variant) -> Weights {
        let (board, rules) = (variant.board(), variant.rules());
        let to_apex = distances(board, rules.winning_apex() | rules.return_apex());
        let to_bottom = distances(board, rules.winning_bottom());
        let mut common = SideWeights {
            material: std::array::from_fn(|count| (self.even_at - 100 * count as i32) * self.rebel / 100),
            mobility: std::array::from_fn(|count| self.mobility * count as i32),
            freedom: std::array::from_fn(|count| self.freedom * count as i32),
            ring: self.ring,
            tempo: self.tempo,
            weak_point: self.weak_point,
            apex_visited: self.apex_visited,
            free_jump: self.free_jump,
            ..SideWeights::none()
        };
        for point in board.all() {
            let at = point.index();
            common.general[at] = to_apex[at] * self.apex_distance + to_bottom[at] * self.bottom_distance;
            for exit in board.exits() {
                common.rebels[at][exit.index()] += self.guarded_exit;
            }
            for neighbour in board.neighbours(point) {
                common.rebels[at][neighbour.index()] += self.besieger;
            }
        }
        let mut general_to_move = SideWeights { threat: self.threat, ..common.clone() };
        general_to_move.material.iter_mut().for_each(|weight| *weight += self.initiative);
        Weights { general_to_move, rebels_to_move: common }
    }
}

/// RebelDistance on the empty board from each point to the nearest target; 0 where there is no target.
fn distances(board: &Board, targets: PointSet) -> [i32; MAX_POINTS] {
    let mut distances = [0; MAX_POINTS];
    let mut seen = targets;
    let mut queue: VecDeque<Point> = targets.into_iter().collect();
    while let Some(point) = queue.pop_front() {
        for next in board.neighbours(point).minus(seen) {
            distances[next.index()] = distances[point.index()] + 1;
            seen = seen.with(next);
            queue.push_back(next);
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use crate::rules::Side;

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
    fn other_rules_have_the_weights_of_the_family_unless_the_game_is_played_alike() {
        let variant = Variant::builtin("sixteen-rebels").unwrap();
        let limited = RuleSet { rebels_at_most: Some(0), ..variant.rule_set().clone() };
        assert_eq!(Weights::of(&variant.with_words(limited.clone()).unwrap()), Weights::of(&variant));
        let rebels_first = RuleSet { first: Side::Rebels, ..limited.clone() };
        assert_eq!(Weights::of(&variant.with_words(rebels_first).unwrap()), Weights::of(&variant));
        let changed = variant.with_words(RuleSet { apex: ApexRule::None, ..limited }).unwrap();
        assert_eq!(Weights::fitted(&changed), None);
        assert_eq!(Weights::of(&changed), family_weights(&changed));
    }

    #[test]
    fn every_family_weighs_material() {
        for id in Variant::builtin_ids() {
            let weights = family_weights(&Variant::builtin(id).unwrap());
            assert!(weights.general_to_move.material[3] > weights.general_to_move.material[4], "{id}");
        }
    }
}
