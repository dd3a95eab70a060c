//! What a client asks that leaves the rules to the engine.

use crate::board::{Board, Point, PointName, PointSet};
use crate::engine::Engine;
use crate::rules::{MoveKind, Outcome, Side};

use super::game::HalfMoveGame;
use super::graphics::{Graphics, Mark};
use super::vertex;
use crate::rules::half_moves::Way;

const OUTSIDE: &str = "#282018";
const PRIVY: &str = "#d8c8e8";
const EXIT: &str = "#e8e0a0";
const APEX: &str = "#a890d0";
const TARGET: &str = "#60d060";
const FREE_JUMP: &str = "#4090ff";
const WHITE: &str = "#ffffff";
const BLACK: &str = "#909090";

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

/// The points of a side's pieces.
pub(super) fn stones(game: &mut HalfMoveGame, side: Side) -> String {
    let position = game.position();
    let points = if side == Side::General { PointSet::of(position.general()) } else { position.rebels() };
    vertex::texts(game.engine().game().board(), points).join(" ")
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
        Outcome::GeneralGoal => "the General has reached the goal".to_owned(),
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
        Outcome::Repetition | Outcome::GeneralRepetition | Outcome::RebelsRepetition => {
            "the position has come for the third time".to_owned()
        }
        Outcome::MoveLimit | Outcome::GeneralMoveLimit | Outcome::RebelsMoveLimit => {
            "the game has reached its limit of moves".to_owned()
        }
    };
    match outcome.winner() {
        Some(Side::General) => format!("White wins: {reason}."),
        Some(Side::Rebels) => format!("Black wins: {reason}."),
        None => format!("Draw: {reason}."),
    }
}

/// What stones can't show: the parts of the board, its diagonal lines, the last move, a move that has begun; and beside the board
/// whose turn it is, because clients clear their status line after every half move.
pub(super) fn drawing(game: &mut HalfMoveGame) -> String {
    let (position, begun, targets) = (game.position(), game.begun().to_vec(), game.legal_points());
    let by_free_jump = |way: &&Way| way.move_.action().kind == MoveKind::FreeJump;
    let next = |way: &Way| way.points.get(begun.len()).copied();
    let free_jumps: PointSet = game.half_moves().beginning_with(&begun).filter(by_free_jump).filter_map(next).collect();
    let stop = game.half_moves().stop(&begun);
    let notes = notes(game, &begun);
    let engine = game.engine();
    let board = engine.game().board();
    let mut graphics = Graphics::new(board);
    let outside = vertex::outside(board);
    graphics.colour_names(OUTSIDE, outside.iter().skip(notes.len()).copied());
    for ((colour, _), name) in notes.iter().zip(&outside) {
        graphics.colour_names(colour, [*name]);
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
            _ if position.apex_visited() && board.apex().contains(point) => label(point, "been"),
            Some(sign) => label(point, sign),
            None => {}
        }
    }
    if begun.is_empty() {
        if let Some(last) = engine.game().moves().next_back() {
            let action = last.action();
            graphics.mark(Mark::Triangle, PointSet::of(action.from).without(action.to));
            graphics.mark(Mark::Square, PointSet::of(action.to));
            graphics.mark(Mark::Cross, action.captured);
        }
    } else {
        graphics.colour(TARGET, targets.minus(free_jumps));
        graphics.colour(FREE_JUMP, free_jumps);
        // A stone hides the colour of its point.
        (targets & position.rebels()).into_iter().for_each(|point| label(point, "take"));
        graphics.mark(Mark::Circle, begun.iter().copied().collect());
    }
    graphics.label_names(&labels);
    graphics.text(&status(game, &begun));
    graphics.to_string()
}

/// What is written beside the board, with the colour of its ground: whose turn it is, or who has won; what is to be clicked; and how
/// many free jumps are left, in the colour of their targets.
fn notes(game: &HalfMoveGame, begun: &[Point]) -> Vec<(&'static str, String)> {
    let side_note = |side| if side == Side::General { (WHITE, "White") } else { (BLACK, "Black") };
    let (position, outcome) = (game.engine().game().position(), game.engine().game().outcome());
    let [(colour, whose), what] = match (outcome.map(|outcome| outcome.winner()), begun) {
        (Some(Some(winner)), _) => [side_note(winner), (WHITE, "wins")],
        (Some(None), _) => [(WHITE, "Draw"), (WHITE, "over")],
        (None, []) => [side_note(game.side()), (WHITE, "from")],
        (None, [_]) => [side_note(game.side()), (TARGET, "to")],
        (None, _) => [side_note(game.side()), (TARGET, "jump")],
    };
    let mut notes = vec![(colour, whose.to_owned()), (what.0, what.1.to_owned())];
    if game.engine().variant().rule_set().free_jumps > 0 {
        notes.push((FREE_JUMP, format!("{}x", position.free_jumps())));
    }
    notes
}

/// The diagonal lines through a point as a sign that suggests no line which does not exist, as seen in the square lattice of the
/// client; none where a neighbour's sign tells what there is.
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
