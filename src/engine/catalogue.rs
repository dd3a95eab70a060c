//! The games as `list_variants verbose` tells them, so that a client can offer a choice.

use std::sync::Arc;

use serde::Serialize;

use privy_rules::{Side, Variant, games};
use privy_search::proof::Proof;
use privy_tables::{chosen_folder, effort};

use super::Engine;

/// Bytes that a solve may take in WebAssembly, whose memory ends at 4 GiB and never shrinks, so that it is not tried;
/// and the sets of Rebels on the points beyond which a number of 32 bits does not count the bytes.
const MOST_IN_WEB: u64 = 3 << 30;
const MOST_SETS_IN_WEB: f64 = 1e8;

/// True if a solve of the variant fits in the memory of this machine.
pub(super) fn is_solvable(variant: &Variant) -> bool {
    if !cfg!(target_family = "wasm") {
        return effort(variant).is_ok_and(|effort| effort.fits(None));
    }
    let (points, rebels) = (variant.board().len() as u32, variant.opening().rebels_left());
    let sets = (0..rebels).map(|at| f64::from(points.saturating_sub(at)) / f64::from(at + 1)).product::<f64>();
    sets <= MOST_SETS_IN_WEB && effort(variant).is_ok_and(|effort| effort.bytes <= MOST_IN_WEB)
}

/// A line of the answer; the keys are those of PROTOCOL.md.
#[derive(Serialize)]
struct CatalogueEntry<'a> {
    id: &'a str,
    fingerprint: &'a str,
    title: &'a str,
    family: &'a str,
    first: Side,
    general: &'a str,
    rebels: &'a str,
    rebel: &'a str,
    points: u32,
    rebel_count: u32,
    solvable: bool,
    solved: bool,
    proved: bool,
    over: bool,
}

impl Engine {
    /// The built-in games, followed by those of files, each as a JSON object. Of tables the headers are read, of proofs
    /// nothing.
    pub fn catalogue(&self) -> impl Iterator<Item = String> {
        let folder = chosen_folder(self.tables.choice()).ok();
        let builtin = games::all().iter().filter_map(|files| Some((files.family, Variant::builtin(files.id)?)));
        let current = self.variant();
        // A file may give other rules to the id of a built-in game.
        let renamed = Variant::builtin(current.id()).is_some_and(|builtin| !Arc::ptr_eq(&builtin, current));
        let own = self.read_variants().chain(renamed.then_some(current)).map(|own| ("own", Arc::clone(own)));
        builtin.chain(own).filter_map(move |(family, variant)| {
            let (names, opening) = (&variant.heading.names, variant.opening());
            let entry = CatalogueEntry {
                id: variant.id(),
                fingerprint: variant.fingerprint(),
                title: &variant.heading.title,
                family,
                first: variant.rule_set().first,
                general: &names.general,
                rebels: &names.rebels,
                rebel: &names.rebel,
                points: variant.board().all().len(),
                rebel_count: opening.rebels_left(),
                solvable: is_solvable(&variant),
                solved: self.tables.covers_opening(&variant),
                proved: folder.iter().any(|folder| Proof::path(folder, &variant).is_file())
                    || self.proofs.given.contains_key(variant.fingerprint()),
                over: variant.outcome(opening).is_some(),
            };
            serde_json::to_string(&entry).ok()
        })
    }
}
