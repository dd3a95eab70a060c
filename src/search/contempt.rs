//! Contempt: who scorns draws.
//!
//! To the search a repetition is worth as much as an even position. So a side that takes itself for a little behind is content to step to
//! and fro, and where nothing was fitted to a game nobody knows what is even. But the Rebels must make progress: a General who is never
//! closed in has not been beaten. In such games, then, a draw is as bad as the loss of six Rebels to Rebels who search. A General is
//! often glad of a draw: he does not scorn it.
//!
//! Who scorns draws looks for wins. Where the General can walk to few points only, proofs find them sooner than the search does: they may
//! take as much as if the Rebels were so much ahead.
//!
//! Invariants: what is proved stays as it is; a draw is reported as a draw; an analysis scorns nothing; what was found with contempt and
//! without does not mix in the transposition table.
//!
//! Tests: below; `tuning::movers` plays against random moves and a greedy player. Figures: docs/EVALUATION.md.

use crate::eval::{Evaluation, Value};
use crate::rules::{Game, Side};

/// What a draw costs who scorns it, in hundredths of a Rebel.
const COST: i32 = 600;

/// A General who can walk to no more points is nearly closed in.
const FEW_POINTS: u32 = 3;

/// Sets apart in the transposition table what is found with contempt.
const SALT: u64 = 0x3c6e_f372_fe94_f82b;

/// What draws are worth in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Contempt {
    rebels_scorn_draws: bool,
    /// They do, and have nearly closed in on the General.
    closes_in: bool,
}

impl Contempt {
    /// That of the side to move, in a game to which nothing was fitted.
    pub(super) fn of_unfitted(game: &Game, evaluation: &Evaluation) -> Contempt {
        let rebels_scorn_draws = game.side() == Side::Rebels;
        let freedom = || evaluation.freedom(game.variant().rules(), game.position());
        Contempt { rebels_scorn_draws, closes_in: rebels_scorn_draws && freedom() <= FEW_POINTS }
    }

    /// What a draw is worth to a side.
    #[inline(always)]
    pub(super) fn draw_for(self, side: Side) -> Value {
        match (self.rebels_scorn_draws, side) {
            (false, _) => Value::DRAW,
            (true, Side::Rebels) => Value::DRAW.shifted(-COST),
            (true, Side::General) => Value::DRAW.shifted(COST),
        }
    }

    /// A value of the root, as it decides how much proofs may take.
    pub(super) fn for_proofs(self, value: Value) -> Value {
        if self.closes_in && value.is_evaluation() { value.shifted(COST) } else { value }
    }

    /// The salt of what is found with it.
    #[inline(always)]
    pub(super) fn salt(self) -> u64 {
        if self.rebels_scorn_draws { SALT } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use privy_protocol::Score;

    use crate::rules::MovePath;
    use crate::search::{Limits, Searcher, Stop};

    use super::*;

    fn contempt(game: &Game) -> Contempt {
        Contempt::of_unfitted(game, &Evaluation::new(game.variant()))
    }

    #[test]
    fn rebels_scorn_draws_and_a_general_does_not() {
        let game = Game::from_text("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr r - 0 1 adugo", None).unwrap();
        let of_rebels = contempt(&game);
        assert_eq!([Side::General, Side::Rebels].map(|side| of_rebels.draw_for(side).raw()), [600, -600]);
        assert_ne!(of_rebels.salt(), Contempt::default().salt());
        let game = Game::from_text("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr g - 0 1 adugo", None).unwrap();
        assert_eq!(contempt(&game), Contempt::default());
    }

    #[test]
    fn proofs_may_take_more_where_the_general_is_nearly_closed_in() {
        let for_proofs = |text: &str| contempt(&Game::from_text(text, None).unwrap()).for_proofs(Value::DRAW).raw();
        assert_eq!(for_proofs("1Gr/r2/2r2/1rrr1/r1rrr/rrrr1/5 r - 0 30 adugo"), 600);
        assert_eq!(for_proofs("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr r - 0 30 adugo"), 0);
        assert_eq!(for_proofs("1Gr/r2/2r2/1rrr1/r1rrr/rrrr1/5 g - 0 30 adugo"), 0);
    }

    /// Rebels who are behind play on, where an analysis says that a repetition is best; its score is that of a draw.
    #[test]
    fn rebels_do_not_repeat_and_a_repetition_is_reported_as_a_draw() {
        let mut game = Game::from_text("3/1G1/5/1rr2/rr2r/1r1r1/1rr1r r - 0 9 adugo", None).unwrap();
        for text in ["e1-e2", "c6-c7", "e2-e1", "c7-c6"] {
            let path = game.parse_move(None, text).unwrap();
            game.play(path);
        }
        let repeating = game.parse_move(None, "e1-e2").unwrap();
        let search = |search_moves: &[MovePath], multi_pv| {
            let limits = Limits { depth: Some(4), search_moves: search_moves.to_vec(), multi_pv, ..Limits::default() };
            Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap()
        };
        assert_eq!(search(&[], 2).best, repeating);
        assert_ne!(search(&[], 1).best, repeating);
        assert_eq!(search(&[repeating], 1).lines[0].score, Score::Evaluation(0));
    }
}
