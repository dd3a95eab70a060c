//! What is known of a variant before a search begins.

use std::sync::Arc;

use crate::rules::Variant;

use super::proof::bounds::Bounds;
use crate::eval::Evaluation;

/// What a search needs to know of a variant. It takes some work, and weights beside the file of the variant are read for it:
/// searchers who take turns or work beside each other can share it.
#[derive(Debug)]
pub struct Knowledge {
    variant: Arc<Variant>,
    evaluation: Evaluation,
    pub(super) bounds: Bounds,
}

impl Knowledge {
    /// Works it out, and reads what has been learned: see [`Weights::of`](super::Weights::of).
    #[must_use]
    pub fn new(variant: &Arc<Variant>) -> Knowledge {
        let (evaluation, bounds) = (Evaluation::new(variant), Bounds::new(variant));
        Knowledge { variant: Arc::clone(variant), evaluation, bounds }
    }

    /// The evaluation of positions that are not decided.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Does it hold for a variant? The same rules read from a file again may have other weights.
    pub(super) fn holds_for(&self, variant: &Arc<Variant>) -> bool {
        let are_built_in = self.variant.path().is_none() && variant.path().is_none();
        Arc::ptr_eq(&self.variant, variant) || are_built_in && self.variant.fingerprint() == variant.fingerprint()
    }
}
