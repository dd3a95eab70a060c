//! Playing from a table of perfect play instead of searching.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use privy_protocol::Score;

use crate::eval::MAX_DISTANCE;
use crate::rules::{Game, MovePath};
use crate::search::{Limits, LiveMove, SearchInfo, SearchResult, Stop};
use crate::tablebase::{Table, TableError, Tables, Value, ValuedMove};

use super::Options;

/// How many plies of best play a report shows.
const LINE_PLIES: usize = 200;

/// Says once for a variant why it is not played from a table.
#[derive(Debug, Default)]
pub(super) struct Notice(BTreeSet<String>);

impl Notice {
    /// The table for a game; without one the reason is told, unless tables are off or it has been told.
    pub(super) fn find(&mut self, tables: &Tables, position: &Game) -> Option<Arc<Table>> {
        let variant = position.variant();
        match tables.find(variant) {
            Ok(table) => Some(table),
            Err(TableError::Off | TableError::Unsolvable(..)) => None,
            Err(error) => {
                if self.0.insert(variant.fingerprint().to_owned()) {
                    log::warn!("{error}");
                }
                None
            }
        }
    }
}

/// What the table finds in a game: the same as a search would, at once. None when the table does not cover the position or
/// turns out to be damaged.
pub(super) fn findings(
    table: &Table,
    game: &Game,
    limits: &Limits,
    options: &Options,
    stop: &Stop,
    report: &mut dyn FnMut(&SearchInfo),
) -> Option<SearchResult> {
    let start = Instant::now();
    let ranked = ranked_moves(table, game, limits, options);
    let moves = match ranked {
        Ok(moves) => moves,
        Err(error @ TableError::Damaged { .. }) => {
            log::error!("{error}; searching instead");
            return None;
        }
        Err(_) => return None,
    };
    let best = moves.first()?.move_.clone();
    let mut lines = Vec::new();
    let shown = if limits.live_analysis.is_some() { moves.len() } else { limits.multi_pv.max(1) };
    for (place, valued) in moves.iter().take(shown).enumerate() {
        let line = best_line(table, game, valued).ok()?;
        let depth = u32::try_from(line.len()).unwrap_or(u32::MAX);
        let one = SearchInfo {
            depth,
            selective_depth: depth,
            proven_depth: MAX_DISTANCE,
            rank: place + 1,
            score: score(valued.value),
            nodes: 0,
            table_hits: moves.len() as u64,
            hashfull: 0,
            time: start.elapsed(),
            line,
        };
        if let Some(survey) = &limits.live_analysis {
            survey.put(surveyed(&one));
            survey.set_best(&best);
        }
        report(&one);
        lines.push(one);
    }
    limits.wait_for_stop(stop);
    Some(SearchResult { best, lines, nodes: 0, time: start.elapsed() })
}

/// A table knows all at first sight: it looks a move up once.
fn surveyed(report: &SearchInfo) -> LiveMove {
    LiveMove {
        line: report.line.clone(),
        score: report.score,
        first_score: report.score,
        is_exact: true,
        depth: report.depth,
        nodes: 1,
    }
}

/// Best play from a move on, as far as the game goes. A draw goes on for ever: it is shown until a position comes again.
fn best_line(table: &Table, game: &Game, first: &ValuedMove) -> Result<Vec<MovePath>, TableError> {
    let rest = table.best_line(&game.after(&first.move_), LINE_PLIES)?;
    let mut game = game.clone();
    let mut seen = vec![*game.position()];
    let mut line = Vec::new();
    for move_ in std::iter::once(first.move_.clone()).chain(rest) {
        game.play(move_.clone());
        line.push(move_);
        let circles = first.value == Value::Draw && seen.contains(game.position());
        if circles || game.outcome().is_some() {
            break;
        }
        seen.push(*game.position());
    }
    Ok(line)
}

/// The moves to look at, best first, with the game's history and limit of plies taken into account.
fn ranked_moves(table: &Table, game: &Game, limits: &Limits, options: &Options) -> Result<Vec<ValuedMove>, TableError> {
    let mut moves = table.values(game)?;
    moves.retain(|valued| limits.search_moves.is_empty() || limits.search_moves.contains(&valued.move_));
    let repeats =
        |next: &Game| next.outcome().is_none() && game.positions().filter(|old| *old == next.position()).count() >= 2;
    for valued in &mut moves {
        let next = game.after(&valued.move_);
        // A third occurrence is a draw at once, also when it is the opponent who escapes by it; so is a win that comes too
        // late.
        let escapes = || next.legal_moves().iter().any(|reply| repeats(&next.after(reply)));
        let late = |plies: u32| game.plies_left().is_some_and(|left| plies > left);
        let drawn = match valued.value {
            Value::Win(plies) => late(plies) || repeats(&next) || escapes(),
            Value::Loss(plies) => late(plies) || repeats(&next),
            Value::Draw => false,
        };
        if drawn {
            valued.value = Value::Draw;
        }
    }
    table.rank(game, &mut moves, options.play_style())?;
    // Of moves that draw, one that ends the game gives the opponent no more chances to go wrong.
    moves.sort_by_key(|valued| {
        let drawn = valued.value == Value::Draw;
        (Reverse(valued.value.class()), drawn && repeats(&game.after(&valued.move_)))
    });
    Ok(moves)
}

fn score(value: Value) -> Score {
    match value {
        Value::Win(plies) => Score::Win(plies),
        Value::Loss(plies) => Score::Loss(plies),
        Value::Draw => Score::Draw,
    }
}
