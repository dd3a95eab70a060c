//! Openings in which something depends on the players.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::rules::{Game, Side};
use crate::search::PreparedVariant;
use crate::tablebase::TableError;

use super::by_search::near_even;
use super::by_table::critical;
use super::walk::Seen;
use super::{Opening, OpeningsError, OpeningsRequest};

/// A position that could be an opening.
#[derive(Debug)]
pub(super) struct Candidate {
    /// The way to it.
    pub(super) game: Game,
    /// Its kind: who is to move, and what he could reach.
    pub(super) kind: (Side, i8),
    /// How good an opening it is: 0 is best.
    pub(super) grade: u32,
    /// How it was picked.
    pub(super) origin: String,
}

impl Candidate {
    /// Is it one of those that are taken before balance between the kinds is given up?
    fn is_good(&self) -> bool {
        self.grade < 2
    }
}

/// Attempts that are made at once.
const BATCH: u64 = 64;

/// The most attempts: so many, and so many for each opening.
const FIRST_ATTEMPTS: u64 = 4_096;
const MORE_ATTEMPTS: u64 = 32;

/// Openings by the table of the variant, or by search where there is none.
pub(super) fn balanced(request: &OpeningsRequest<'_>) -> Result<Vec<Opening>, OpeningsError> {
    let start = request.start()?;
    match request.tables.find_any(request.variant)? {
        Some(table) => pick(request, |attempt| critical(&table, &start, request.seed, attempt)),
        None => {
            let prepared = Arc::new(PreparedVariant::new(request.variant));
            pick(request, |attempt| Ok(near_even(&prepared, &start, request.seed, attempt)))
        }
    }
}

/// Makes attempts until there are as many good candidates for either side to move as openings are wanted, twice what is
/// needed: so the best of them can be taken, and kinds that are rare get their share.
fn pick(
    request: &OpeningsRequest<'_>,
    attempt: impl Fn(u64) -> Result<Option<Candidate>, TableError> + Sync,
) -> Result<Vec<Opening>, OpeningsError> {
    let most = FIRST_ATTEMPTS.saturating_add(MORE_ATTEMPTS.saturating_mul(request.count as u64));
    let mut seen = Seen::default();
    let mut found: Vec<Candidate> = Vec::new();
    let mut made = 0;
    while made < most && [Side::General, Side::Rebels].into_iter().any(|side| good(&found, side) < request.count) {
        request.go_on()?;
        let batch: Result<Vec<_>, TableError> = (made..made + BATCH).into_par_iter().map(&attempt).collect();
        found.extend(batch?.into_iter().flatten().filter(|candidate| seen.is_new(&candidate.game)));
        made += BATCH;
    }
    if found.is_empty() {
        return Err(OpeningsError::NoneBalanced(request.variant.id().to_owned()));
    }
    Ok(in_turn(found, request.count))
}

fn good(found: &[Candidate], side: Side) -> usize {
    found.iter().filter(|candidate| candidate.is_good() && candidate.kind.0 == side).count()
}

/// Good candidates first: the best of every kind, then the second best of every kind. Then all others alike.
fn in_turn(mut found: Vec<Candidate>, count: usize) -> Vec<Opening> {
    found.sort_by_key(|candidate| candidate.grade);
    let mut ranks: HashMap<(bool, (Side, i8)), usize> = HashMap::new();
    let mut ordered: Vec<_> = found
        .into_iter()
        .map(|candidate| {
            let rank = ranks.entry((candidate.is_good(), candidate.kind)).or_default();
            *rank += 1;
            ((!candidate.is_good(), *rank, candidate.kind), candidate)
        })
        .collect();
    ordered.sort_by_key(|(place, _)| *place);
    let best = ordered.into_iter().take(count);
    best.map(|(_, candidate)| Opening::of_game(&candidate.game, candidate.origin)).collect()
}
