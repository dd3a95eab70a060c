//! What a client asks that leaves the rules to the engine.

use crate::board::{Board, Point, PointSet};
use crate::engine::Engine;
use crate::rules::{Outcome, Side};

use super::game::HalfMoveGame;
use super::graphics::{Graphics, Mark};
use super::vertex;

const PRIVY: &str = "#d8c8e8";
const EXIT: &str = "#e8e0a0";
const APEX: &str = "#a890d0";
const TARGET: &str = "#a8d8a8";

/// The points that may be played now.
pub(super) fn legal_moves(game: &mut HalfMoveGame) -> String {
    let points = game.legal_points();
    vertex::texts(game.engine().game().board(), points).join(" ")
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
    vertex::square(game.engine().game().board(), |point| word(point).to_owned())
}

/// What Black has captured, then what White has.
pub(super) fn captured_count(game: &mut HalfMoveGame) -> String {
    let left = game.position().rebels().len();
    let began_with = game.engine().game().beginning().position().rebels().len();
    let by_black = u32::from(game.engine().game().outcome() == Some(Outcome::RebelsCustodial));
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
        Outcome::GeneralApex => "the General has reached the apex".to_owned(),
        Outcome::GeneralReturn => "the General has visited the apex and is back on the field".to_owned(),
        Outcome::GeneralBottom => "the General has reached the bottom row".to_owned(),
        Outcome::GeneralAttrition => match game.position().rebels().len() {
            0 => "no Rebel is left".to_owned(),
            1 => "only one Rebel is left".to_owned(),
            left => format!("only {left} Rebels are left"),
        },
        Outcome::GeneralNoMove => "the Rebels have no legal move".to_owned(),
        Outcome::RebelsApex => "the General stands on the apex".to_owned(),
        Outcome::RebelsCustodial => "the General has been captured between two Rebels".to_owned(),
        Outcome::RebelsPrivyClosed => "the privy is closed with the General in it".to_owned(),
        Outcome::RebelsNoMove => "the General has no legal move".to_owned(),
        Outcome::Repetition => "the position has come for the third time".to_owned(),
        Outcome::MoveLimit => "the game has reached its limit of moves".to_owned(),
    };
    match outcome.winner() {
        Some(Side::General) => format!("White wins: {reason}."),
        Some(Side::Rebels) => format!("Black wins: {reason}."),
        None => format!("Draw: {reason}."),
    }
}

/// What stones can't show: the parts of the board, its diagonal lines, the last move, a move that has begun.
pub(super) fn drawing(game: &mut HalfMoveGame) -> String {
    let (position, begun, targets) = (game.position(), game.begun().to_vec(), game.legal_points());
    let engine = game.engine();
    let board = engine.game().board();
    let mut graphics = Graphics::new(board);
    graphics.colour(PRIVY, board.privy());
    graphics.colour(EXIT, board.exits());
    graphics.colour(APEX, board.apex());
    let empty = board.all().minus(position.occupied());
    let diagonals: Vec<(Point, String)> =
        empty.into_iter().filter_map(|point| Some((point, diagonals(board, point)?.to_owned()))).collect();
    if begun.is_empty() {
        if let Some(last) = engine.game().moves().next_back() {
            let action = last.action();
            graphics.mark(Mark::Triangle, PointSet::of(action.from).without(action.to));
            graphics.mark(Mark::Square, PointSet::of(action.to));
            graphics.mark(Mark::Cross, action.captured);
        }
    } else {
        graphics.colour(TARGET, targets);
        graphics.mark(Mark::Circle, begun.iter().copied().collect());
    }
    graphics.labels(&diagonals);
    graphics.text(&status(game, &begun));
    graphics.to_string()
}

/// The diagonal lines through a point, as a sign; none where there are none.
fn diagonals(board: &Board, point: Point) -> Option<&'static str> {
    let here = board.spot(point);
    let has = |rising: bool| {
        board.neighbours(point).into_iter().any(|other| {
            let there = board.spot(other);
            let (x, y) = (there.x - here.x, there.y - here.y);
            x != 0 && y != 0 && (x.signum() == y.signum()) == rising
        })
    };
    match (has(true), has(false)) {
        (true, true) => Some("X"),
        (true, false) => Some("/"),
        (false, true) => Some("\\"),
        (false, false) => None,
    }
}

/// Whose turn it is and what is to be clicked, or how the game ended.
fn status(game: &HalfMoveGame, begun: &[Point]) -> String {
    let engine = game.engine();
    if game.is_over() {
        return final_result(engine);
    }
    let side = if game.side() == Side::General { "White (the General)" } else { "Black (the Rebels)" };
    let mut text = match begun {
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
