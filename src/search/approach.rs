//! The approach: Rebels whose evaluation was never fitted come closer.
//!
//! Where the weights of a game are those of its family, the evaluation knows little of how the Rebels get from a safe ring to a closed
//! one: they stand well, far from the General, and step to and fro. So a step at the root is worth a little more when it comes nearer to
//! the General, as long as he has some room: where he has little, closing the ring takes steps of other kinds. In the evaluation itself the
//! same weight did harm: the General ran away from the Rebels, whom he should take.
//!
//! Invariants: what is proved, and the scores that are reported, are as they are; an analysis has no bonus.
//!
//! Tests: below; `tuning::opponents` plays against random moves and a greedy player.

use crate::board::PointSet;
use crate::eval::Evaluation;
use crate::rules::{Game, Side};

use super::root_moves::RootMove;

/// What a step nearer to the General is worth, in hundredths of a Rebel.
const STEP: i32 = 20;

/// With fewer points to walk to a General has little room.
const ROOM: u32 = 6;

/// Gives steps of the Rebels at the root what they are worth to the approach, in games of jumps or of no captures: one that goes away is
/// worth nothing, one that keeps its distance a step, one that comes nearer two.
pub(super) fn add_bonuses(game: &Game, evaluation: &Evaluation, moves: &mut [RootMove]) {
    let variant = game.variant();
    if game.side() != Side::Rebels || variant.rule_set().takes_pairs() {
        return;
    }
    if evaluation.freedom(variant.rules(), game.position()) < ROOM {
        return;
    }
    let distances = game.board().distances(PointSet::of(game.position().general()));
    for root_move in moves {
        let move_ = root_move.move_();
        root_move.bonus = STEP * (distances[move_.from] - distances[move_.to] + 1).clamp(0, 2);
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::Weights;
    use crate::rules::Variant;
    use crate::search::root_moves::root_moves;
    use crate::search::{Limits, Searcher, Stop};

    use super::*;

    fn bonus(game: &Game, wanted: &str) -> i32 {
        let mut moves = root_moves(game, &Limits::default(), 0);
        add_bonuses(game, &Evaluation::new(game.variant(), Weights::of(game.variant())), &mut moves);
        let path = game.parse_move(None, wanted).unwrap();
        moves.iter().find(|move_| *move_.move_() == *path.action()).unwrap().bonus
    }

    #[test]
    fn a_step_is_worth_the_more_the_nearer_it_comes() {
        let game = |text: &str| Game::from_text(text, None).unwrap();
        let adugo = game("3/1G1/5/5/2r2/rrrrr/rr1rr r - 0 9 adugo");
        assert_eq!([bonus(&adugo, "c3-c4"), bonus(&adugo, "b2-b3")], [2 * STEP; 2]);
        assert_eq!(bonus(&adugo, "b1-c1"), STEP, "as far as before");
        // The General walks, and games of pairs are known better.
        let start = Variant::builtin("adugo").unwrap().start();
        let mut moves = root_moves(&start, &Limits::default(), 0);
        add_bonuses(&start, &Evaluation::new(start.variant(), Weights::of(start.variant())), &mut moves);
        assert!(moves.iter().all(|move_| move_.bonus == 0));
        let cornered = game("1Gr/r2/2r2/1rrr1/r1rrr/rrrr1/5 r - 0 30 adugo");
        assert_eq!(bonus(&cornered, "a3-a4"), 0, "he has little room");
        let sixteen = game("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr r - 0 1 sixteen-rebels");
        assert_eq!(bonus(&sixteen, "a4-b4"), 0);
    }

    #[test]
    fn reports_are_without_bonus() {
        let game = Game::from_text("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr r - 0 1 adugo", None).unwrap();
        let score = |multi_pv| {
            let limits = Limits { depth: Some(1), multi_pv, ..Limits::default() };
            let found = Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap();
            (found.best, found.lines)
        };
        let (best, told) = score(1);
        let (_, lines) = score(game.legal_moves().len());
        let line = lines.iter().find(|line| line.line[0] == best).unwrap();
        assert_eq!(line.score, told[0].score);
    }
}
