//! Openings in which the result depends on the players: critical positions by a table of perfect play, or positions that a search
//! scores near even.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::random::Random;
use crate::rules::{Game, MovePath, Side};
use crate::search::{Limits, PreparedVariant, Searcher, Stop};
use crate::tablebase::{Table, TableError, Value};

use super::opening::{Opening, OpeningsError, OpeningsRequest, Seen, play_new, walk};

#[derive(Debug)]
struct Candidate {
    game: Game,
    /// The side to move, and the class of the value.
    kind: (Side, i8),
    /// 0 is best; good candidates are below 2.
    grade: u32,
    origin: String,
}

/// Attempts in parallel.
const BATCH: u64 = 64;

/// The most attempts: a constant, and a number for each opening.
const FIRST_ATTEMPTS: u64 = 4_096;
const MORE_ATTEMPTS: u64 = 32;

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

/// Makes attempts until there are `count` good candidates for each side to move. That is twice the need, so that the best are
/// taken, and rare kinds get their share.
fn pick(
    request: &OpeningsRequest<'_>,
    attempt: impl Fn(u64) -> Result<Option<Candidate>, TableError> + Sync,
) -> Result<Vec<Opening>, OpeningsError> {
    let most = FIRST_ATTEMPTS.saturating_add(MORE_ATTEMPTS.saturating_mul(request.count as u64));
    let mut seen = Seen::default();
    let mut found: Vec<Candidate> = Vec::new();
    let mut made = 0;
    let lacks = |found: &[Candidate], side| {
        found.iter().filter(|candidate| candidate.grade < 2 && candidate.kind.0 == side).count() < request.count
    };
    while made < most && (lacks(&found, Side::General) || lacks(&found, Side::Rebels)) {
        request.check_interrupt()?;
        let batch: Result<Vec<_>, TableError> = (made..made + BATCH).into_par_iter().map(&attempt).collect();
        found.extend(batch?.into_iter().flatten().filter(|candidate| seen.is_new(&candidate.game)));
        made += BATCH;
    }
    if found.is_empty() {
        let id = request.variant.id();
        let what = format!("no balanced openings of {id}: expected positions in which moves decide, found none");
        return Err(OpeningsError::None(what));
    }
    Ok(by_kind(found, request.count))
}

/// Good candidates first: the best of each kind, then the second best of each kind, and so on. Then all others likewise.
fn by_kind(mut found: Vec<Candidate>, count: usize) -> Vec<Opening> {
    found.sort_by_key(|candidate| candidate.grade);
    let mut ranks: HashMap<(bool, (Side, i8)), usize> = HashMap::new();
    let mut ordered: Vec<_> = found
        .into_iter()
        .map(|candidate| {
            let is_poor = candidate.grade >= 2;
            let rank = ranks.entry((is_poor, candidate.kind)).or_default();
            *rank += 1;
            ((is_poor, *rank, candidate.kind), candidate)
        })
        .collect();
    ordered.sort_by_key(|(place, _)| *place);
    let best = ordered.into_iter().take(count);
    best.map(|(_, candidate)| Opening::of_game(&candidate.game, candidate.origin)).collect()
}

/// Critical positions are looked for from a random ply below this on, for this number of plies.
const PLIES: u64 = 40;

/// The most critical position in a random game: the side to move can win, or hold a draw, but only with some of its moves.
///
/// The players are fallible, so that positions are like those of real games: of four moves, 1 to 3 of one side and 0 to 2 of the
/// other keep the value, and the rest are any legal moves. The side that errs less is to move in the opening; it alternates by
/// attempt, so that there are openings for both.
fn critical(table: &Table, start: &Game, seed: u64, attempt: u64) -> Result<Option<Candidate>, TableError> {
    let mut random = Random::numbered(seed, attempt);
    let favoured = if attempt.is_multiple_of(2) { Side::General } else { Side::Rebels };
    let watched_from = random.below(PLIES);
    let (kept_in_favour, kept_otherwise) = (1 + random.below(3), random.below(3));
    let mut game = start.clone();
    let mut critical: Option<Candidate> = None;
    for ply in 0..watched_from + PLIES {
        let side = game.position().side();
        let moves = table.values(&game)?;
        let Some(best) = moves.iter().map(|valued| valued.value).max() else { break };
        let all: Vec<&MovePath> = moves.iter().map(|valued| &valued.move_).collect();
        let keeping: Vec<&MovePath> =
            moves.iter().filter(|valued| valued.value.class() == best.class()).map(|valued| &valued.move_).collect();
        if ply >= watched_from
            && side == favoured
            && let Some(grade) = grade(best, keeping.len(), all.len())
            && critical.as_ref().is_none_or(|other| grade < other.grade)
        {
            let origin = format!("table: {best} for the {side}, {} of {} moves keep it", keeping.len(), all.len());
            critical = Some(Candidate { game: game.clone(), kind: (side, best.class()), grade, origin });
            if grade == 0 {
                break;
            }
        }
        let kept = if side == favoured { kept_in_favour } else { kept_otherwise };
        let choice = if random.below(4) < kept { &keeping } else { &all };
        if !random.pick(choice).is_some_and(|move_| play_new(&mut game, move_)) {
            break;
        }
    }
    Ok(critical)
}

/// How critical a position is, by its value and the moves that keep it: 0 is most. None if all moves keep the value, or the win is
/// so short that any player finds it.
fn grade(best: Value, keeping: usize, moves: usize) -> Option<u32> {
    let plies = match best {
        Value::Win(plies) => plies,
        Value::Draw | Value::WinByRepetition => u32::MAX,
        // Every move keeps a loss.
        Value::Loss(_) | Value::LossByRepetition => return None,
    };
    match plies {
        9.. if keeping * 3 <= moves => Some(0),
        5.. if keeping * 2 <= moves => Some(1),
        3.. if keeping < moves => Some(2),
        _ => None,
    }
}

/// Random plies before a position: 4 to 24.
const FEWEST_PLIES: u32 = 4;
const MORE_PLIES: u64 = 21;

/// Nodes of a search, and MiB of its table: some milliseconds, to depths of 6 to 8 plies.
const NODES: u64 = 5_000;
const MEBIBYTES: usize = 1;

/// The greatest absolute score by grade, in hundredths of a Rebel.
const NEAR_EVEN: [u32; 3] = [50, 150, 300];

/// A position after random moves that a fixed search scores near even.
fn near_even(prepared: &Arc<PreparedVariant>, start: &Game, seed: u64, attempt: u64) -> Option<Candidate> {
    let mut random = Random::numbered(seed, attempt);
    let plies = FEWEST_PLIES + random.below(MORE_PLIES) as u32;
    let mut game = start.clone();
    if !walk(&mut game, plies, &mut random) {
        return None;
    }
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut searcher = Searcher::prepared_for(Arc::clone(prepared), MEBIBYTES);
    let found = searcher.search(&game, limits, &Stop::default(), &mut |_| {})?;
    let score = found.lines.first()?.score;
    let size = score.hundredths()?.unsigned_abs();
    let grade = NEAR_EVEN.iter().position(|most| size <= *most)?;
    let kind = (game.position().side(), 0);
    Some(Candidate { game, kind, grade: grade as u32, origin: format!("search: {score} after {NODES} nodes") })
}
