//! Openings from a file: position texts, one a line, or game records.

use std::path::Path;
use std::sync::Arc;

use crate::record::{GameResult, Record, RecordedMove, records};
use crate::rules::{Game, Variant};

use super::walk::Seen;
use super::{BadOpening, Opening, OpeningsError, OpeningsRequest};

/// A game as far as the opening goes, and its place in the file.
type Placed = (Game, String);

/// The openings of a file in their order, every position once.
pub(super) fn from_file(request: &OpeningsRequest<'_>, path: &Path) -> Result<Vec<Opening>, OpeningsError> {
    let name = path.display().to_string();
    let failed = |reason: String| OpeningsError::File { path: name.clone(), reason };
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    let text = text.trim_start_matches('\u{feff}');
    let in_records = text.trim_start().starts_with(['[', '{']);
    let games = if in_records { of_records(text, request.variant) } else { of_lines(text, request.variant) };
    let mut games = games.map_err(failed)?;
    let mut seen = Seen::default();
    games.retain(|(game, _)| seen.is_new(game));
    if games.is_empty() {
        return Err(failed("expected position texts, one a line, or game records, found none".to_owned()));
    }
    let opening = |(game, place): Placed| Opening::of_game(&game, format!("{place} of {name}"));
    Ok(games.into_iter().take(request.count).map(opening).collect())
}

/// A position text a line; `#` begins a remark.
fn of_lines(text: &str, variant: &Arc<Variant>) -> Result<Vec<Placed>, String> {
    let mut games = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let position = line.split('#').next().unwrap_or_default().trim();
        if !position.is_empty() {
            let place = format!("line {number}");
            let opening = Opening { position: position.to_owned(), moves: Vec::new(), origin: String::new() };
            games.push((opening.game(variant).map_err(|error| format!("{place}: {error}"))?, place));
        }
    }
    Ok(games)
}

fn of_records(text: &str, variant: &Arc<Variant>) -> Result<Vec<Placed>, String> {
    let mut games = Vec::new();
    for (number, record) in (1..).zip(records(text)) {
        let record = record.map_err(|error| error.to_string())?;
        let place = format!("game {number}");
        let game = opening_of(&record, variant).map_err(|reason| format!("{place}: {reason}"))?;
        games.push((game, place));
    }
    Ok(games)
}

/// A record stands for the position before the first move that somebody thought about. Where nobody did, it stands for the
/// last position of a game without an end, and for the first of one that has ended.
fn opening_of(record: &Record, variant: &Arc<Variant>) -> Result<Game, String> {
    if record.variant != variant.id() {
        return Err(format!("expected a game of {}, found one of {}", variant.id(), record.variant));
    }
    let all = if record.result == GameResult::Unfinished { record.moves.len() } else { 0 };
    let plies = record.moves.iter().position(RecordedMove::is_commented).unwrap_or(all);
    let mut game = record.game_after(plies, Some(variant)).map_err(|error| error.to_string())?;
    game.set_move_limit(None);
    if let Some(outcome) = game.outcome() { Err(BadOpening::Over(outcome).to_string()) } else { Ok(game) }
}
