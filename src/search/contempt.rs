//! Contempt: a side that avoids draws.
//!
//! To the search a repetition equals an even position, so a side that believes itself a little behind repeats. Where no weights were fitted,
//! "even" is uncertain, and the Rebels must make progress: a General that is never closed in is not beaten. In such games a draw
//! costs searching Rebels as much as six Rebels.
//!
//! A General usually likes a draw, and good Rebels that stand better do not offer one. Rebels that let a position recur do not know how to
//! go on: from then on the General has contempt too, a larger one, since its evaluation may be far too low. It does not expect them to go
//! back to an earlier position on purpose, and sets traps for them (`root_bonus`).
//!
//! A side with contempt looks for wins. Where the General can walk to few points only, proofs find them sooner than alpha-beta: they get the budget of
//! a side that is ahead by the cost of a draw.
//!
//! Invariants: proofs are unchanged; a draw is reported as a draw; an analysis has no contempt; entries of the transposition table with
//! and without contempt do not mix.
//!
//! Tests: below; `tuning::opponents` plays against random moves and a greedy player. Figures: docs/EVALUATION.md.

use std::collections::HashSet;

use crate::eval::{Evaluation, Value};
use crate::rules::{Game, Position, Side};

/// The cost of a draw to Rebels with contempt, in hundredths of a Rebel.
const COST: i32 = 600;
/// The cost of a draw to a General with contempt.
const COST_TO_GENERAL: i32 = 1_500;
/// With at most this many points to walk to, the General is nearly closed in.
const FEW_POINTS: u32 = 3;
/// Salts of the transposition table, by the side with contempt.
const SALTS: [u64; 2] = [0x1f83_d9ab_fb41_bd6b, 0x3c6e_f372_fe94_f82b];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Contempt {
    side: Option<Side>,
    /// The Rebels have contempt and have nearly closed in the General.
    closes_in: bool,
}

impl Contempt {
    /// The contempt of a side that searches, in a game without fitted weights.
    pub(super) fn of_unfitted(side: Side, game: &Game, evaluation: &Evaluation) -> Contempt {
        let freedom = || evaluation.freedom(game.variant().rules(), game.position());
        match side {
            Side::Rebels => Contempt { side: Some(Side::Rebels), closes_in: freedom() <= FEW_POINTS },
            Side::General => Contempt { side: Some(Side::General).filter(|_| goes_in_circles(game)), closes_in: false },
        }
    }

    pub(super) fn side(self) -> Option<Side> {
        self.side
    }

    /// Is a second visit to a position of the game as good as a draw? Not where Rebels that move in circles would come back to it: they do so
    /// by chance, and from there the game goes on.
    pub(super) fn draws_at(self, visited: &Position) -> bool {
        !(self.side == Some(Side::General) && visited.side() == Side::General)
    }

    #[inline(always)]
    pub(super) fn draw_for(self, side: Side) -> Value {
        let for_rebels = match self.side {
            None => 0,
            Some(Side::Rebels) => -COST,
            Some(Side::General) => COST_TO_GENERAL,
        };
        Value::DRAW.shifted(if side == Side::Rebels { for_rebels } else { -for_rebels })
    }

    /// The root value from which the proof budget follows.
    pub(super) fn for_proofs(self, value: Value) -> Value {
        if self.closes_in && value.is_evaluation() { value.shifted(COST) } else { value }
    }

    #[inline(always)]
    pub(super) fn salt(self) -> u64 {
        self.side.map_or(0, |side| SALTS[usize::from(side == Side::Rebels)])
    }
}

/// Has a position of the game recurred, where that makes a draw? Rebels that stand better and know how to go on seldom allow that.
fn goes_in_circles(game: &Game) -> bool {
    let mut seen = HashSet::new();
    game.variant().rules().winner_by_repetition().is_none() && game.positions().any(|position| !seen.insert(position))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use privy_protocol::Score;

    use crate::eval::Weights;
    use crate::rules::MovePath;
    use crate::rules::rule_set::{RuleSet, StandoffRule};
    use crate::search::{Limits, SearchRequest, Searcher, Stop};

    use super::*;

    fn contempt(game: &Game) -> Contempt {
        Contempt::of_unfitted(game.side(), game, &Evaluation::new(game.variant(), Weights::of(game.variant())))
    }

    /// A game of Adugo with a number of plies in which both sides step to and fro.
    fn to_and_fro(plies: usize) -> Game {
        let mut game = Game::from_text("3/1G1/5/1rr2/rr2r/1r1r1/1rr1r r - 0 9 adugo", None).unwrap();
        for text in ["e1-e2", "c6-c7", "e2-e1", "c7-c6"].into_iter().cycle().take(plies) {
            let path = game.parse_move(None, text).unwrap();
            game.play(path);
        }
        game
    }

    #[test]
    fn a_general_has_contempt_for_rebels_that_move_in_circles() {
        assert_eq!([1, 3].map(|plies| contempt(&to_and_fro(plies))), [Contempt::default(); 2]);
        let of_general = contempt(&to_and_fro(5));
        assert_eq!([Side::General, Side::Rebels].map(|side| of_general.draw_for(side).raw()), [-1500, 1500]);
        let of_rebels = contempt(&to_and_fro(4));
        assert_ne!(of_general.salt(), of_rebels.salt());
        assert!([of_general, of_rebels].iter().all(|contempt| contempt.salt() != 0));
    }

    /// A position with the Rebels to move has recurred, but none with the General to move.
    #[test]
    fn any_position_that_recurs_counts() {
        let mut game = to_and_fro(4);
        game.play(game.parse_move(None, "e1-d1").unwrap());
        assert_ne!(contempt(&game), Contempt::default());
    }

    #[test]
    fn rebels_in_circles_come_back_by_chance() {
        let (game, before) = (to_and_fro(5), to_and_fro(3));
        let draws =
            |contempt: Contempt| game.positions().take(2).map(|visited| contempt.draws_at(visited)).collect::<Vec<_>>();
        assert_eq!(game.positions().next().unwrap().side(), Side::Rebels);
        assert_eq!(draws(contempt(&game)), [true, false]);
        assert_eq!(draws(contempt(&before)), [true, true]);
        assert_eq!(draws(contempt(&to_and_fro(4))), [true, true], "the Rebels' own contempt");
    }

    /// Where a repetition wins, Rebels that allow it know what they do, or lose.
    #[test]
    fn a_repetition_that_wins_is_no_draw() {
        let adugo = to_and_fro(5);
        let words = RuleSet { repetition: StandoffRule::General, ..adugo.variant().rule_set().clone() };
        let variant = Arc::new(adugo.variant().with_words(words).unwrap());
        let mut game = Game::from_text("3/1G1/5/1rr2/rr2r/1r1r1/1rr1r r - 0 9", Some(&variant)).unwrap();
        for text in ["e1-e2", "c6-c7", "e2-e1", "c7-c6", "e1-e2"] {
            game.play(game.parse_move(None, text).unwrap());
        }
        assert_eq!(contempt(&game), Contempt::default());
        assert_ne!(contempt(&adugo), Contempt::default());
    }

    /// What Rebels find on the General's time serves their next search: both have their contempt.
    #[test]
    fn pondering_saves_nodes() {
        let search = |searcher: &mut Searcher, game: &Game, depth, ponder| {
            // With a time limit the entries of earlier searches are used.
            let (depth, time) = (Some(depth), Some(Duration::from_secs(3_600)));
            let limits = Limits { depth, time, ..Limits::default() };
            let limits = SearchRequest { limits, ponder, ..SearchRequest::default() };
            searcher.search(game, &limits, &Stop::default(), &mut |_| {}).unwrap()
        };
        let (mut game, mut pondering) = (to_and_fro(1), Searcher::new(16));
        let reply = search(&mut pondering, &game, 9, true).best;
        game.play(reply);
        let with = search(&mut pondering, &game, 8, false).nodes;
        let without = search(&mut Searcher::new(16), &game, 8, false).nodes;
        assert!(with * 2 < without, "{with} and {without} nodes");
    }

    #[test]
    fn rebels_have_contempt_and_a_general_has_none() {
        let game = Game::from_text("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr r - 0 1 adugo", None).unwrap();
        let of_rebels = contempt(&game);
        assert_eq!([Side::General, Side::Rebels].map(|side| of_rebels.draw_for(side).raw()), [600, -600]);
        let game = Game::from_text("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr g - 0 1 adugo", None).unwrap();
        assert_eq!(contempt(&game), Contempt::default());
    }

    #[test]
    fn the_proof_budget_grows_where_the_general_is_nearly_closed_in() {
        let for_proofs = |text: &str| contempt(&Game::from_text(text, None).unwrap()).for_proofs(Value::DRAW).raw();
        assert_eq!(for_proofs("1Gr/r2/2r2/1rrr1/r1rrr/rrrr1/5 r - 0 30 adugo"), 600);
        assert_eq!(for_proofs("3/3/1G3/1rr2/rr2r/1rrrr/rrrrr r - 0 30 adugo"), 0);
        assert_eq!(for_proofs("1Gr/r2/2r2/1rrr1/r1rrr/rrrr1/5 g - 0 30 adugo"), 0);
    }

    /// Rebels that are behind avoid a repetition that an analysis calls best; its reported score is a draw.
    #[test]
    fn rebels_avoid_repetition_and_a_repetition_is_reported_as_a_draw() {
        let game = to_and_fro(4);
        let repeating = game.parse_move(None, "e1-e2").unwrap();
        let search = |search_moves: &[MovePath], multi_pv| {
            let limits = Limits { depth: Some(4), ..Limits::default() };
            let limits =
                SearchRequest { limits, search_moves: search_moves.to_vec(), multi_pv, ..SearchRequest::default() };
            Searcher::new(1).search(&game, &limits, &Stop::default(), &mut |_| {}).unwrap()
        };
        assert_eq!(search(&[], 2).best, repeating);
        assert_ne!(search(&[], 1).best, repeating);
        assert_eq!(search(&[repeating], 1).lines[0].score, Score::Evaluation(0));
    }
}
