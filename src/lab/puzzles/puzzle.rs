//! A puzzle: a position in which one move alone wins or saves a draw, how it continues, and when two are alike.

use std::sync::Arc;

use privy_rules::board::Point;
use privy_rules::{Game, MovePath, Position, Variant};
use privy_search::{Limits, SearchRequest, Searcher, Stop};
use privy_tables::{Table, TableError, TableValue};
use privy_web::{Puzzle, PuzzleGoal};

/// Fewer moves give nothing to choose from.
const FEWEST_MOVES: usize = 3;
/// A win in one ply is no puzzle.
pub(super) const FEWEST_PLIES: u32 = 3;
/// The highest grade.
const MOST_GRADE: u32 = 10;
/// The nodes of a search of grade 0; each grade has twice as many as the one below.
const GRADE_NODES: u64 = 16;
/// Positions that differ on a smaller part of the points of the board are alike, and those that begin with the same
/// move on a smaller one of the others.
const ALIKE: u32 = 4;
const ALIKE_BY_MOVE: u32 = 3;

/// The move that alone wins, or alone draws where none wins, and its value.
fn only_move(table: &Table, game: &Game) -> Result<Option<(MovePath, TableValue)>, TableError> {
    let mut moves = table.values(game)?;
    let best = moves.iter().map(|(_, value)| value.class()).max();
    moves.retain(|(_, value)| Some(value.class()) == best);
    let is_one = moves.len() == 1 && best >= Some(0);
    Ok(if is_one { moves.pop() } else { None })
}

/// The best replies, sorted by text.
fn best_replies(table: &Table, game: &Game) -> Result<Vec<MovePath>, TableError> {
    let mut replies = table.values(game)?;
    let best = replies.iter().map(|(_, value)| *value).max();
    replies.retain(|(_, value)| Some(*value) == best);
    replies.sort_by_cached_key(|(move_, _)| game.move_text(move_));
    Ok(replies.into_iter().map(|(move_, _)| move_).collect())
}

/// The puzzle of a position, without its grade, if it is one of a win or a line of at most this number of plies.
pub(super) fn puzzle_of(table: &Table, game: &Game, most_plies: u32) -> Result<Option<Puzzle>, TableError> {
    if game.legal_moves().len() < FEWEST_MOVES {
        return Ok(None);
    }
    let Some((first, value)) = only_move(table, game)? else { return Ok(None) };
    let (goal, plies) = match value {
        TableValue::Win(plies) if (FEWEST_PLIES..=most_plies).contains(&plies) => (PuzzleGoal::Win, Some(plies)),
        TableValue::Draw => (PuzzleGoal::Draw, None),
        _ => return Ok(None),
    };
    let game = Game::new(game.variant(), *game.position(), 0, 0);
    let mut end = game.continued(&first);
    let class = value.class();
    while end.outcome().is_none() && end.moves().len() as u32 + 2 <= most_plies {
        let mut next = None;
        for reply in best_replies(table, &end)? {
            let replied = end.continued(&reply);
            let is_open = replied.outcome().is_none() && replied.occurrences() == 1;
            let only = if is_open { only_move(table, &replied)? } else { None };
            if let Some((only, _)) = only.filter(|(_, value)| value.class() == class) {
                next = Some(replied.continued(&only));
                break;
            }
        }
        let Some(next) = next else { break };
        end = next;
    }
    let line: Vec<MovePath> = end.moves().cloned().collect();
    Ok(Some(Puzzle {
        game: game.variant().id().to_owned(),
        position: game.to_string(),
        side: game.side(),
        goal,
        plies: plies.unwrap_or(line.len() as u32),
        grade: 0,
        line: game.line_texts(&line),
    }))
}

/// The position as a game; an error where it is none of the variant.
pub(super) fn begin(puzzle: &Puzzle, variant: &Arc<Variant>) -> Result<Game, String> {
    let game = Game::from_text(&puzzle.position, Some(variant)).map_err(|error| error.to_string())?;
    if game.outcome().is_some() || game.side() != puzzle.side || game.variant().id() != puzzle.game {
        return Err(format!("expected a position of {} with {} to move", puzzle.game, puzzle.side));
    }
    Ok(game)
}

/// Finds the grade; `None` if it was stopped.
pub(super) fn graded(puzzle: Puzzle, game: &Game, searcher: &mut Searcher, stop: &Stop) -> Option<Puzzle> {
    let mut finds = |grade: &u32| {
        let limits = Limits { nodes: Some(GRADE_NODES << grade), ..Limits::default() };
        let found = searcher.search(game, SearchRequest::from(limits), stop, &mut |_| {});
        found.map(|found| game.move_text(&found.best)) == puzzle.line.first().cloned()
    };
    let grade = (1..=MOST_GRADE).rev().take_while(&mut finds).last().unwrap_or(MOST_GRADE);
    (!stop.is_set()).then_some(Puzzle { grade, ..puzzle })
}

/// Compares the puzzle with the table: side, goal and length; each move of the line of that side is the only one, each
/// reply the best. The error is the first difference, in words, or that the table is damaged.
pub(super) fn check(puzzle: &Puzzle, table: &Table) -> Result<(), String> {
    let mut game = begin(puzzle, table.variant())?;
    if puzzle.line.len().is_multiple_of(2) || !(1..=MOST_GRADE).contains(&puzzle.grade) {
        return Err(format!("expected an odd number of moves, and a grade from 1 to {MOST_GRADE}"));
    }
    if puzzle.goal == PuzzleGoal::Draw && puzzle.plies != puzzle.line.len() as u32 {
        return Err(format!("plies: expected those of the line, found {}", puzzle.plies));
    }
    for (ply, text) in puzzle.line.iter().enumerate() {
        let wrong = |what: &str| Err(format!("ply {}: {text}: {what}", ply + 1));
        let Ok(move_) = game.parse_move(None, text) else { return wrong("no legal move") };
        let values = table.values(&game).map_err(|error| error.to_string())?;
        let value = values.iter().find(|(other, _)| *other == move_).map(|(_, value)| *value);
        let best = values.iter().map(|(_, value)| *value).max();
        let (expected, left) = match puzzle.goal {
            PuzzleGoal::Win => (1, Some(puzzle.plies.saturating_sub(ply as u32))),
            PuzzleGoal::Draw => (0, None),
        };
        if ply % 2 == 1 {
            if value != best {
                return wrong("not the best reply");
            }
        } else if values.iter().filter(|(_, value)| value.class() >= expected).count() != 1 {
            return wrong("not one move alone");
        } else if value.map(|value| (value.class(), value.plies())) != Some((expected, left)) {
            return wrong(&format!("{}, not what the puzzle says", value.unwrap_or(TableValue::Draw)));
        }
        game.play(move_);
    }
    Ok(())
}

/// True if two puzzles of a variant are one, or their mirror images are: their positions differ on less than a quarter
/// of the points of the board, or on less than a third where they begin with the same move. A piece that stands
/// elsewhere makes two points differ.
pub(super) fn are_alike(one: &Puzzle, other: &Puzzle, variant: &Arc<Variant>) -> bool {
    let (Ok(one_game), Ok(other_game)) = (begin(one, variant), begin(other, variant)) else { return false };
    let first =
        |puzzle: &Puzzle, game: &Game| Some(game.parse_move(None, puzzle.line.first()?).ok()?.action().to_owned());
    let (Some(move_), Some(other_move)) = (first(one, &one_game), first(other, &other_game)) else { return false };
    let points = variant.board().all().len();
    let is_near = |position: &Position, ends: [Point; 2]| {
        let other = other_game.position();
        let general = if position.general() == other.general() { 0 } else { 2 };
        let apart = (position.rebels() ^ other.rebels()).len() + general;
        let parts = if ends == [other_move.from, other_move.to] { ALIKE_BY_MOVE } else { ALIKE };
        parts * apart < points
    };
    let ends = [move_.from, move_.to];
    let image = || is_near(&variant.mirror(one_game.position()), ends.map(|point| variant.image(point)));
    one.side == other.side && (is_near(one_game.position(), ends) || image())
}
