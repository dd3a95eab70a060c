//! The built-in variants: those of [`crate::games`], each read when it is first asked for.

use std::sync::Arc;

use once_cell::sync::{Lazy, OnceCell};

use crate::games::{self, GameFiles};

use super::Variant;
use super::rule_set::RuleSet;

/// The files of a game, and the variant once it has been read.
type Entry = (&'static GameFiles, OnceCell<Arc<Variant>>);

/// A process that plays one game starts at once: the other games are not compiled.
static REGISTRY: Lazy<Vec<Entry>> = Lazy::new(|| games::all().iter().map(|files| (files, OnceCell::new())).collect());

/// The id of the variant that a new process plays.
pub const DEFAULT_VARIANT: &str = "sixteen-rebels";

impl Variant {
    /// The ids of the built-in variants of the family, in the order of RULES §6.
    pub fn builtin_ids() -> impl Iterator<Item = &'static str> {
        games::all().iter().filter(|files| !files.is_relative).map(|files| files.id)
    }

    /// The ids of the built-in games of other families.
    pub fn relative_ids() -> impl Iterator<Item = &'static str> {
        games::all().iter().filter(|files| files.is_relative).map(|files| files.id)
    }

    /// The ids of all built-in games: the family, then its relatives.
    pub fn all_ids() -> impl Iterator<Item = &'static str> {
        Variant::builtin_ids().chain(Variant::relative_ids())
    }

    /// The built-in variant with this id.
    #[must_use]
    pub fn builtin(id: &str) -> Option<Arc<Variant>> {
        let (files, variant) = REGISTRY.iter().find(|(files, _)| files.id == id)?;
        let read = || Arc::new(Variant::from_toml(files.rules, None).expect("a test reads all built-in rules"));
        Some(Arc::clone(variant.get_or_init(read)))
    }

    /// The built-in game of which something is known that holds for this variant, too: that with the same rules, or else one that differs
    /// only in the attrition limit or in who begins. These say how a game begins and ends, and little of how it is played. What a
    /// variant is called does not matter, but any other rule does.
    pub(crate) fn known_game(&self, is_known: impl Fn(&GameFiles) -> bool) -> Option<&'static GameFiles> {
        let find = |suits: fn(&Variant, &Variant) -> bool| {
            // That of its name first: then the others need not be read.
            let games = games::get(self.id()).into_iter().chain(games::all());
            games
                .filter(|files| is_known(files))
                .find(|files| Variant::builtin(files.id).is_some_and(|builtin| suits(&builtin, self)))
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
