//! The default weights of a variant: those in a file beside its own, else those that were fitted to its rules, else
//! those of its family of games, a few numbers that board and opening turn into tables.

use std::path::{Path, PathBuf};

use once_cell::sync::{Lazy, OnceCell};
use serde::{Deserialize, Serialize};

use privy_base::message::{is_quotable, withheld};
use privy_base::path_choice::PathChoice;
use privy_rules::games::{self, GameFiles};
use privy_rules::rule_set::ForwardRule;
use privy_rules::rule_set::{ApexRule, StaticRule};
use privy_rules::{Side, Template, Variant, read_file};

use super::evaluation::Evaluation;
use super::weights::{SideWeights, Weights, WeightsError};

/// Fitted weights, read when they are first used.
pub static FITTED: Lazy<Vec<(&GameFiles, OnceCell<Weights>)>> = Lazy::new(|| {
    games::all().iter().filter(|files| files.weights.is_some()).map(|files| (files, OnceCell::new())).collect()
});

impl Weights {
    /// Returns the default weights of a variant: of a file beside its own, else fitted to its rules, else of its
    /// family.
    pub fn of(variant: &Variant) -> Weights {
        let fitted = || Weights::fitted(variant).cloned();
        Weights::read_beside_variant(variant).or_else(fitted).unwrap_or_else(|| Weights::of_family(variant))
    }

    /// Returns the weights of a variant by choice.
    ///
    /// # Errors
    /// When they are in a file that cannot be read or has no weights of the variant.
    pub fn chosen(choice: &PathChoice, variant: &Variant) -> Result<Weights, WeightsError> {
        match choice {
            PathChoice::Auto => Ok(Weights::of(variant)),
            PathChoice::Off => Ok(Weights::of_family(variant)),
            PathChoice::Path(path) => Weights::from_file(path, variant),
        }
    }

    /// Reads a file of weights for a variant.
    ///
    /// # Errors
    /// When it cannot be read or has no weights of the variant.
    pub fn from_file(path: &Path, variant: &Variant) -> Result<Weights, WeightsError> {
        let text = read_file(path).map_err(|error| WeightsError(error.to_string()))?;
        Weights::from_toml(&text, variant).map_err(|error| {
            let path_and = |fault: String| WeightsError(format!("{}: {fault}", path.display()));
            if is_quotable(path, "toml") {
                return path_and(error.to_string());
            }
            let place = toml::from_str::<toml::Table>(&text).err().and_then(|error| error.span());
            let line = 1 + text[..place.map_or(0, |place| place.start)].matches('\n').count();
            path_and(format!("line {line}: {}", withheld("weights of the variant", "toml")))
        })
    }

    /// Returns the path of the weights file beside a variant file: `NAME.weights.toml` beside `NAME.toml`.
    pub fn path_beside(variant: &Variant) -> Option<PathBuf> {
        variant.heading.path.as_deref().map(|path| path.with_extension("weights.toml"))
    }

    /// Reads the file beside that of the variant. If it is unusable, the log says why.
    fn read_beside_variant(variant: &Variant) -> Option<Weights> {
        let path = Weights::path_beside(variant).filter(|path| path.exists())?;
        Weights::from_file(&path, variant)
            .inspect(|_| log::info!("{}: weights of {}", variant.id(), path.display()))
            .inspect_err(|reason| log::warn!("{reason}; not used"))
            .ok()
    }

    /// Returns the weights that were fitted to the rules of a variant, whatever its name, or to a game that is played
    /// alike.
    pub fn fitted(variant: &Variant) -> Option<&'static Weights> {
        let known = variant.known_game(|files| files.weights.is_some())?;
        let (files, weights) = FITTED.iter().find(|(files, _)| files.id == known.id)?;
        let read = || Weights::from_toml(files.weights?, &*Variant::builtin(files.id)?).ok();
        Some(weights.get_or_init(|| read().expect("a test reads all fitted weights")))
    }

    /// Returns the weights of the family of a variant, chosen by its way of capturing.
    pub fn of_family(variant: &Variant) -> Weights {
        FamilyWeights::of(variant).weights(variant)
    }
}

impl FamilyWeights {
    /// Returns the numbers of the family of a variant.
    pub fn of(variant: &Variant) -> FamilyWeights {
        static FILES: Lazy<[FamilyWeights; 4]> = Lazy::new(|| {
            let files = [
                include_str!("families/pairs.toml"),
                include_str!("families/apex.toml"),
                include_str!("families/jumps.toml"),
                include_str!("families/deferred.toml"),
            ];
            files.map(|text| toml::from_str(text).expect("a test reads all families"))
        });
        let [pairs, apex, jumps, deferred] = &*FILES;
        let words = variant.rule_set();
        let family = if words.deferred || words.static_rule != StaticRule::None {
            deferred
        } else if !words.intervention {
            jumps
        } else if words.apex == ApexRule::General {
            apex
        } else {
            pairs
        };
        *family
    }
}

/// The place of material in [`TABLES`](super::terms::TABLES).
const MATERIAL: usize = 0;
/// The place of threats in [`TERMS`](super::terms::TERMS).
const THREAT: usize = 2;

/// Weights in hundredths of a Rebel, for the General; what has no comment is in [`TABLES`](super::terms::TABLES) and
/// [`TERMS`](super::terms::TERMS).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the comments say what does not stand at `TERMS`")]
pub struct FamilyWeights {
    mobility: i32,
    freedom: i32,
    /// Initiative: the General is to move.
    initiative: i32,
    threat: i32,
    weak_point: i32,
    ring: i32,
    /// Besieger: a Rebel adjacent to the General.
    besieger: i32,
    /// Guarded exit: an exit of the privy that holds a Rebel.
    guarded_exit: i32,
    tempo: i32,
    /// A step of the way to the apex, where that wins for it or is half of it.
    apex_distance: i32,
    /// A step of the way to the bottom row or the goal, where that wins for it.
    goal_distance: i32,
    /// A step of the way to the apex, where the General loses on it.
    losing_apex_distance: i32,
    /// A Rebel in the privy, where Rebels may enter it but not step back.
    rebel_in_privy: i32,
    apex_visited: i32,
    free_jump: i32,
}

impl FamilyWeights {
    /// Returns the weights of a variant of the family.
    pub fn weights(&self, variant: &Variant) -> Weights {
        let (board, rules, words) = (variant.board(), variant.rules(), variant.rule_set());
        let to_apex = board.distances(rules.winning_apex | rules.return_apex);
        let to_goal = board.distances(rules.winning_bottom | rules.winning_goal);
        let to_losing_apex = board.distances(rules.losing_apex | rules.losing_points);
        let mut common = SideWeights {
            tables: [
                std::array::from_fn(|count| lost(spare_in_opening(variant), spare(variant, count as u32))),
                std::array::from_fn(|count| self.mobility * count as i32),
                std::array::from_fn(|count| self.freedom * count as i32),
            ],
            terms: [self.ring, self.tempo, 0, self.weak_point, 0, self.apex_visited, self.free_jump],
            ..SideWeights::none()
        };
        for point in board.all() {
            let at = point.index();
            common.general[at] = to_apex[point] * self.apex_distance
                + to_goal[point] * self.goal_distance
                + to_losing_apex[point] * self.losing_apex_distance;
            if words.forward != ForwardRule::Any {
                for inside in board.privy {
                    common.rebels[at][inside.index()] += self.rebel_in_privy;
                }
            }
            for exit in variant.marked_exits() {
                common.rebels[at][exit.index()] += self.guarded_exit;
            }
            for neighbour in board.neighbours(point) {
                common.rebels[at][neighbour.index()] += self.besieger;
            }
        }
        let mut general_to_move = common.clone();
        general_to_move.terms[THREAT] = self.threat;
        general_to_move.tables[MATERIAL].iter_mut().for_each(|weight| *weight += self.initiative);
        Weights { general_to_move, rebels_to_move: common }.even_after_toll(variant)
    }
}

/// The share of the Rebels above the attrition limit that may be lost in an even game. With a lower one the Rebels
/// would be content with repetitions while they close in, which costs some.
const TOLL: f64 = 0.5;

/// Returns the value of Rebels lost, from `at_first` above the attrition limit to `left`: about a hundred for one of
/// those in the opening, more for each of the last before the limit.
fn lost(at_first: f64, left: f64) -> i32 {
    (100.0 * at_first * (at_first / left).ln()).round() as i32
}

fn spare_in_opening(variant: &Variant) -> f64 {
    spare(variant, variant.opening().rebels_left())
}

/// Rebels above the attrition limit; at least one.
fn spare(variant: &Variant, count: u32) -> f64 {
    f64::from((count + 1).saturating_sub(variant.rules().fewest_rebels()).max(1))
}

impl Weights {
    /// The same weights with another zero: the opening of a game is assumed even once the Rebels have lost their toll.
    fn even_after_toll(mut self, variant: &Variant) -> Weights {
        let evaluation = Evaluation::new(variant, self.clone());
        let general = |side: Side| {
            let opening = variant.opening().with_side(side);
            let value = evaluation.evaluate(variant.rules(), &opening);
            i32::from(if side == Side::General { value } else { -value }.raw())
        };
        let at_first = spare_in_opening(variant);
        let toll = if general_captures(variant) { lost(at_first, at_first * (1.0 - TOLL)) } else { 0 };
        let zero = (general(Side::General) + general(Side::Rebels)) / 2 + toll;
        for weights in [&mut self.general_to_move, &mut self.rebels_to_move] {
            weights.tables[MATERIAL].iter_mut().for_each(|weight| *weight -= zero);
        }
        self
    }
}

/// True if the General can capture.
pub fn general_captures(variant: &Variant) -> bool {
    let rules = variant.rules();
    let captures = |template: &Template| !template.captured.is_empty() || !template.pairs.is_empty();
    rules.all.into_iter().any(|point| rules.templates[point].iter().any(captures))
}
