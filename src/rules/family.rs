//! Families of games, for code that is compiled once per family.
//!
//! A family says which rule words are absent for certain. Code for an absent word compiles away; for a word that may be
//! present it looks at the tables of [`CompiledRules`](super::CompiledRules). So [`Every`] is right for any variant,
//! and the others are the same code with less in it.

use crate::rule_set::{JumpRule, NoMove, RuleSet};

/// The rule words that may be present.
pub trait Family: Copy + Send + Sync + 'static {
    /// Captures on arrival.
    const INTERVENTION: bool = false;
    /// Captures on leaving.
    const DEPARTURE: bool = false;
    /// Captures without moving.
    const STATIC: bool = false;
    /// Captures by jumping.
    const JUMP: bool = false;
    /// Leaps without capture.
    const LEAP: bool = false;
    /// Slides and free jumps.
    const FAR: bool = false;
    /// Compulsory capture.
    const COMPULSORY: bool = false;
    /// A General that begins in hand, or passes.
    const HAND: bool = false;
}

/// Steps and intervention alone: Chinese Rebels and its kin, Monk and Water.
#[derive(Debug, Clone, Copy)]
pub struct Intervening;

impl Family for Intervening {
    const INTERVENTION: bool = true;
}

/// Steps and compulsory jumps: Juroku Musashi, Yeung luk sz' kon tseung kwan.
#[derive(Debug, Clone, Copy)]
pub struct Jumping;

impl Family for Jumping {
    const JUMP: bool = true;
    const COMPULSORY: bool = true;
}

/// All games.
#[derive(Debug, Clone, Copy)]
pub struct Every;

impl Family for Every {
    const INTERVENTION: bool = true;
    const DEPARTURE: bool = true;
    const STATIC: bool = true;
    const JUMP: bool = true;
    const LEAP: bool = true;
    const FAR: bool = true;
    const COMPULSORY: bool = true;
    const HAND: bool = true;
}

/// The narrowest family of a variant, as a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FamilyName {
    /// [`Intervening`].
    Intervening,
    /// [`Jumping`].
    Jumping,
    /// [`Every`].
    Every,
}

impl FamilyName {
    /// The narrowest family that has all words of the rules.
    pub fn of(words: &RuleSet, is_general_in_hand: bool) -> FamilyName {
        let rare = is_general_in_hand || words.no_move.general == NoMove::Pass || !words.uses_only(KNOWN);
        let jump = words.jump != JumpRule::None;
        match (rare, jump, words.intervention) {
            (false, false, _) if !words.compulsory => FamilyName::Intervening,
            (false, true, false) if words.compulsory => FamilyName::Jumping,
            _ => FamilyName::Every,
        }
    }
}

/// The words of the narrow families, beside those that say how Rebels move and how games end.
const KNOWN: &str = "intervention orthogonal jump jump_lines jump_rows orthogonal_steps compulsory forward \
                     enter_privy rebels_never_on rebels_drop_on custodial apex bottom general_loses_on goal \
                     goal_on_return past_rebels rebels_goal no_move repetition move_limit rebels_at_most close_privy";

/// Evaluates an expression with a type name bound to the family of a [`FamilyName`].
#[macro_export]
macro_rules! for_family {
    ($name:expr, $family:ident => $body:expr) => {
        match $name {
            $crate::FamilyName::Intervening => {
                type $family = $crate::family::Intervening;
                $body
            }
            $crate::FamilyName::Jumping => {
                type $family = $crate::family::Jumping;
                $body
            }
            $crate::FamilyName::Every => {
                type $family = $crate::family::Every;
                $body
            }
        }
    };
}
