//! What is examined: an engine, how it is started, and which commands it has.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::rules::{DEFAULT_VARIANT, Variant};
use crate::tournament::engine_spec::EngineSpec;

/// What is examined and how.
#[derive(Debug, Clone)]
pub(crate) struct Examination {
    pub(crate) engine: EngineSpec,
    /// The variants to play; those that the engine names and that are built in when empty.
    pub(crate) variants: Vec<Arc<Variant>>,
    /// How long an answer may take that has no time of its own.
    pub(crate) patience: Duration,
    /// How much later than its time an answer may come.
    pub(crate) margin: Duration,
}

impl Examination {
    /// The variants to play with an engine that names those; the usual one when nothing is known of them.
    pub(super) fn variants_among(&self, named: &[String]) -> Vec<Arc<Variant>> {
        if !self.variants.is_empty() {
            return self.variants.clone();
        }
        let known: Vec<_> = named.iter().filter_map(|id| Variant::builtin(id)).collect();
        if known.is_empty() { Variant::builtin(DEFAULT_VARIANT).into_iter().collect() } else { known }
    }

    /// The abilities of an engine that has not been asked.
    pub(super) fn unknown_abilities(&self) -> Abilities {
        Abilities {
            name: self.engine.title().to_owned(),
            variants: self.variants_among(&[]),
            commands: BTreeSet::new(),
            listed: None,
        }
    }
}

/// The commands of an engine, and the games that it plays: found out once, before the first step.
#[derive(Debug, Clone)]
pub(super) struct Abilities {
    /// What it calls itself.
    pub(super) name: String,
    /// The variants to play with it.
    pub(super) variants: Vec<Arc<Variant>>,
    pub(super) commands: BTreeSet<String>,
    /// As `list_commands` gives them; none without that command.
    pub(super) listed: Option<Vec<String>>,
}

impl Abilities {
    /// Whether the engine has a command.
    pub(super) fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// What is missing of what a step needs: of each list at least one.
    pub(super) fn lack(&self, needs: &[Vec<&str>]) -> Option<String> {
        let lacking = needs.iter().find(|any| !any.iter().any(|command| self.has(command)))?;
        Some(match &lacking[..] {
            [one] => format!("the engine has no {one}"),
            several => format!("the engine has none of {}", several.join(", ")),
        })
    }
}
