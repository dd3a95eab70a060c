//! Answers for a client that leaves the rules to the engine.

use privy_engine::Engine;
use privy_records::half_moves::EntrySequence;
use privy_rules::board::{Board, Point, PointName, PointSet};
use privy_rules::{MoveKind, Outcome, Side};

use super::game::HalfMoveGame;
use super::graphics::{Graphics, colour_name};
use super::vertex;

const OUTSIDE: &str = "#282018";
const PRIVY: &str = "#d8c8e8";
const EXIT: &str = "#e8e0a0";
const APEX: &str = "#a890d0";
const TARGET: &str = "#60d060";
const FREE_JUMP: &str = "#4090ff";
const WHITE: &str = "#ffffff";
const BLACK: &str = "#909090";

pub(super) fn legal_moves(game: &mut HalfMoveGame) -> String {
    let points = game.legal_points();
    vertex::texts(game.engine.game().board(), points).join(" ")
}

/// The square row by row: `X` a Rebel, `O` the General, `.` an empty point, `?` no point.
pub(super) fn board(game: &mut HalfMoveGame) -> String {
    let position = game.position();
    let word = |point: Option<Point>| match point {
        None => "?",
        Some(point) if point == position.general() => "O",
        Some(point) if position.rebels().contains(point) => "X",
        Some(_) => ".",
    };
    vertex::square(game.engine.game().board(), word)
}

pub(super) fn stones(game: &mut HalfMoveGame, side: Side) -> String {
    let position = game.position();
    let points = if side == Side::General { PointSet::of(position.general()) } else { position.rebels() };
    vertex::texts(game.engine.game().board(), points).join(" ")
}

/// The number of pieces that Black has captured, then of those that White has.
pub(super) fn captured_count(game: &mut HalfMoveGame) -> String {
    let left = game.position().rebels_left();
    let began_with = game.engine.game().beginning().position().rebels_left();
    let by_black = u32::from(game.engine.game().outcome() == Some(Outcome::Custodial));
    format!("{by_black} {}", began_with.saturating_sub(left))
}

/// The result in a sentence.
pub(super) fn final_result(engine: &Engine) -> String {
    let game = engine.game();
    let Some(outcome) = game.outcome() else {
        let side = if game.side() == Side::General { "White, the General, is" } else { "Black, the Rebels, are" };
        return format!("The game is not over: {side} to move.");
    };
    let reason = match outcome {
        Outcome::Apex(Side::General) => "the General has reached the apex".to_owned(),
        Outcome::Return => "the General has visited the apex and is back on the field".to_owned(),
        Outcome::Bottom => "the General has reached the bottom row".to_owned(),
        Outcome::Goal(Side::General) => "the General has reached the goal".to_owned(),
        Outcome::Goal(Side::Rebels) => "the Rebels have reached their goal".to_owned(),
        Outcome::Trap => "the General stands where it loses".to_owned(),
        Outcome::Past => "the General is past all Rebels".to_owned(),
        Outcome::Attrition => match game.position().rebels_left() {
            0 => "no Rebel is left".to_owned(),
            1 => "only one Rebel is left".to_owned(),
            left => format!("only {left} Rebels are left"),
        },
        Outcome::Apex(Side::Rebels) => "the General stands on the apex".to_owned(),
        Outcome::Custodial => "the General has been captured between two Rebels".to_owned(),
        Outcome::PrivyClosed => "the privy is closed with the General in it".to_owned(),
        Outcome::NoMove(_) if game.side() == Side::General => "the General has no legal move".to_owned(),
        Outcome::NoMove(_) => "the Rebels have no legal move".to_owned(),
        Outcome::Repetition(_) => "the position has come for the third time".to_owned(),
        Outcome::MoveLimit(_) => "the game has reached its limit of moves".to_owned(),
    };
    match outcome.winner() {
        Some(winner) => format!("{} wins: {reason}.", colour_name(winner)),
        None => format!("Draw: {reason}."),
    }
}

/// The drawing beside the stones: the parts of the board, its diagonal lines, the last move, a move that has begun; and
/// beside the board the side to move, because clients clear their status line after every half move.
pub(super) fn drawing(game: &mut HalfMoveGame) -> String {
    let (position, targets) = (game.position(), game.legal_points());
    let (half_moves, begun) = game.half_moves();
    let by_free_jump = |way: &&EntrySequence| way.move_.action().kind == MoveKind::FreeJump;
    let next = |way: &EntrySequence| way.points.get(begun.len()).copied();
    let free_jumps: PointSet = half_moves.beginning_with(begun).filter(by_free_jump).filter_map(next).collect();
    let stop = half_moves.stop(begun);
    let (notes, begun, engine) = (notes(game), &game.begun, &game.engine);
    let board = engine.game().board();
    let mut graphics = Graphics::new(board);
    let outside = vertex::outside(board);
    graphics.colour_names(OUTSIDE, outside.get(notes.len()..).unwrap_or_default());
    for ((colour, _), name) in notes.iter().zip(&outside) {
        graphics.colour_names(colour, &[*name]);
    }
    let variant = engine.game().variant();
    graphics.colour(PRIVY, variant.marked_privy());
    graphics.colour(EXIT, variant.marked_exits());
    graphics.colour(APEX, variant.marked_goal());
    let mut labels: Vec<(PointName, String)> =
        outside.iter().zip(notes).map(|(name, (_, note))| (*name, note)).collect();
    let mut label = |point: Point, text: &str| labels.push((board.name(point), text.to_owned()));
    for point in board.all().minus(position.occupied()) {
        match diagonals(board, point) {
            _ if stop == Some(point) => label(point, "stop"),
            _ if position.apex_visited() && board.apex.contains(point) => label(point, "been"),
            Some(sign) => label(point, sign),
            None => {}
        }
    }
    if begun.is_empty() {
        if let Some(last) = engine.game().moves().next_back() {
            let action = last.action();
            graphics.mark("TRIANGLE", PointSet::of(action.from).without(action.to));
            graphics.mark("SQUARE", PointSet::of(action.to));
            graphics.mark("MARK", action.captured);
        }
    } else {
        graphics.colour(TARGET, targets.minus(free_jumps));
        graphics.colour(FREE_JUMP, free_jumps);
        // A stone hides the colour of its point.
        (targets & position.rebels()).into_iter().for_each(|point| label(point, "take"));
        graphics.mark("CIRCLE", begun.iter().copied().collect());
    }
    graphics.label_names(&labels);
    graphics.text(&status(game));
    graphics.to_string()
}

/// The notes beside the board, each with its ground colour: the side to move or the winner; the kind of point to click;
/// and the number of free jumps left, in the colour of their targets.
fn notes(game: &HalfMoveGame) -> Vec<(&'static str, String)> {
    let side_note = |side| (if side == Side::General { WHITE } else { BLACK }, colour_name(side));
    let outcome = game.engine.game().outcome();
    let notes = match (outcome.map(|outcome| outcome.winner()), game.begun.as_slice()) {
        (Some(Some(winner)), _) => [side_note(winner), (WHITE, "wins")],
        (Some(None), _) => [(WHITE, "Draw"), (WHITE, "over")],
        (None, []) => [side_note(game.side()), (WHITE, "from")],
        (None, [_]) => [side_note(game.side()), (TARGET, "to")],
        (None, _) => [side_note(game.side()), (TARGET, "jump")],
    };
    let mut notes: Vec<_> = notes.into_iter().map(|(colour, note)| (colour, note.to_owned())).collect();
    if game.engine.variant().rule_set().free_jumps > 0 {
        notes.push((FREE_JUMP, format!("{}x", game.engine.game().position().free_jumps())));
    }
    notes
}

/// A sign for the diagonal lines through a point, on the square lattice of the client; `None` if the sign of a
/// neighbour shows them. No sign suggests a line that the board lacks.
fn diagonals(board: &Board, point: Point) -> Option<&'static str> {
    let here = board.name(point);
    let joined = |right: i32, up: i32| {
        board.neighbours(point).into_iter().map(|other| board.name(other)).any(|there| {
            let far = |there: u8, here: u8| i32::from(there) - i32::from(here);
            (far(there.file(), here.file()), far(there.row(), here.row())) == (right, up)
        })
    };
    // Upper left and right, lower left and right.
    match [joined(-1, 1), joined(1, 1), joined(-1, -1), joined(1, -1)] {
        [true, true, true, true] => Some("X"),
        [_, true, true, _] => Some("/"),
        [true, _, _, true] => Some("\\"),
        [true, true, _, _] => Some("v"),
        [_, _, true, true] => Some("^"),
        [_, true, _, true] => Some("<"),
        [true, _, true, _] => Some(">"),
        _ => None,
    }
}

/// The side to move and the kind of point to click, or the result.
fn status(game: &HalfMoveGame) -> String {
    let engine = &game.engine;
    if game.is_over() {
        return final_result(engine);
    }
    let side = if game.side() == Side::General { "White (the General)" } else { "Black (the Rebels)" };
    let mut text = match game.begun.as_slice() {
        [] => format!("{side} to move: choose a piece"),
        begun => format!("{side}: {}, choose the next point", vertex::sequence(engine.game().board(), begun)),
    };
    let position = engine.game().position();
    if position.apex_visited() {
        text += "; the apex has been visited";
    }
    if engine.variant().rule_set().free_jumps > 0 {
        text += &format!("; free jumps left: {}", position.free_jumps());
    }
    text
}
