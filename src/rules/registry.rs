//! The fourteen built-in variants.

use std::sync::Arc;

use once_cell::sync::{Lazy, OnceCell};

use super::Variant;

struct Entry {
    id: &'static str,
    source: &'static str,
    variant: OnceCell<Option<Arc<Variant>>>,
}

macro_rules! entries {
    ($($id:literal),* $(,)?) => {
        [$(Entry { id: $id, source: include_str!(concat!("variants/", $id, ".toml")), variant: OnceCell::new() }),*]
    };
}

/// Each variant is compiled when it is first asked for, so that a process that plays one game starts at once.
static CATALOGUE: Lazy<[Entry; 14]> = Lazy::new(|| {
    entries![
        "sixteen-rebels",
        "sixteen-rebels-murray",
        "sixteen-rebels-neeley",
        "shap-luk-kon",
        "shap-luk-kon-2",
        "twenty-six-murray",
        "subjugatio",
        "subjugatio-free",
        "subjugatio-intervention",
        "yeung-luk",
        "juroku-musashi",
        "juroku-musashi-hasami",
        "monk-and-water",
        "kings-gonu",
    ]
});

/// The id of the variant that a new process plays.
pub const DEFAULT_VARIANT: &str = "sixteen-rebels";

impl Variant {
    /// The ids of the built-in variants, in the order of RULES §6.
    pub fn builtin_ids() -> impl Iterator<Item = &'static str> {
        CATALOGUE.iter().map(|entry| entry.id)
    }

    /// The built-in variant with this id.
    #[must_use]
    pub fn builtin(id: &str) -> Option<Arc<Variant>> {
        let entry = CATALOGUE.iter().find(|entry| entry.id == id)?;
        entry.variant.get_or_init(|| Variant::from_toml(entry.source, None).ok().map(Arc::new)).clone()
    }
}
