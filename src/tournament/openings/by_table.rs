//! Critical positions by a table of perfect play.

use crate::random::Random;
use crate::rules::{Game, MovePath, Side};
use crate::tablebase::{Table, TableError, Value};

use super::balanced::Candidate;
use super::walk::play_new;

/// From a ply below this on a way is watched for critical positions; it ends after so many plies more.
const PLIES: u64 = 40;

/// The most critical position on a random way through a game: the side to move can win, or hold a draw, but only with some
/// of its moves.
///
/// The way is one of fallible players, so that it leads to positions as they come up in games: of four moves, 1 to 3 of one
/// side and 0 to 2 of the other keep the value, and the rest are any legal moves. The side that errs less is the one to move in
/// the end, the General and the Rebels in turn by attempts, so that there are positions for both.
pub(super) fn critical(table: &Table, start: &Game, seed: u64, attempt: u64) -> Result<Option<Candidate>, TableError> {
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

/// How critical a position is, by its value and the moves that keep it: 0 is most, none when all moves keep it or the win is
/// at hand. Wins must take some moves: any player finds a short one.
fn grade(best: Value, keeping: usize, moves: usize) -> Option<u32> {
    let plies = match best {
        Value::Win(plies) => plies,
        Value::Draw => u32::MAX,
        // Everything keeps a loss.
        Value::Loss(_) => return None,
    };
    match plies {
        9.. if keeping * 3 <= moves => Some(0),
        5.. if keeping * 2 <= moves => Some(1),
        3.. if keeping < moves => Some(2),
        _ => None,
    }
}
