//! Openings by random legal moves.

use std::ops::RangeInclusive;

use crate::random::Random;

use super::walk::{Seen, walk};
use super::{Opening, OpeningsError, OpeningsRequest};

/// So many walks in a row that lead to nothing new: there is nothing new left to find.
const FUTILE_WALKS: u32 = 1_000;

/// Openings by random moves, all different, as many as are wanted or can be found.
pub(super) fn random(
    request: &OpeningsRequest<'_>,
    plies: &RangeInclusive<u32>,
) -> Result<Vec<Opening>, OpeningsError> {
    let start = request.start()?;
    let mut openings = Vec::new();
    let mut seen = Seen::default();
    let mut futile = 0;
    let mut number = 0;
    while openings.len() < request.count && futile < FUTILE_WALKS {
        request.go_on()?;
        let mut random = Random::numbered(request.seed, number);
        number += 1;
        let more = random.below(u64::from(plies.end() - plies.start()) + 1);
        let plies = plies.start() + more as u32;
        let mut game = start.clone();
        if walk(&mut game, plies, &mut random) && seen.is_new(&game) {
            let noun = if plies == 1 { "ply" } else { "plies" };
            openings.push(Opening::of_game(&game, format!("{plies} random {noun}")));
            futile = 0;
        } else {
            futile += 1;
        }
    }
    if openings.is_empty() { Err(OpeningsError::NoneRandom(request.variant.id().to_owned())) } else { Ok(openings) }
}
