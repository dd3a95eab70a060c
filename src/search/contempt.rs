//! Contempt: a side that avoids draws.
//!
//! To the search a repetition equals an even position, so a side that believes itself slightly worse repeats. Where no
//! weights were fitted, "even" is uncertain, and the Rebels must make progress: a General that is never closed in is
//! not beaten. In such games a draw costs searching Rebels as much as six Rebels.
//!
//! A General usually likes a draw, and good Rebels that stand better do not offer one. Rebels that let a position recur
//! do not know how to make progress: from then on the General has contempt too, in every game, a larger one, since its
//! evaluation may be far too low. It does not expect them to go back to an earlier position on purpose, and sets traps
//! for them (`root_bonus`).
//!
//! A side with contempt looks for wins. Where the General can walk to few points only, proofs find them sooner than
//! alpha-beta: they get the budget of a side that is ahead by the cost of a draw.
//!
//! Invariants: proofs are unchanged; a draw is reported as a draw; an analysis has no contempt; entries of the
//! transposition table with and without contempt do not mix.
//!
//! Tests: `tests/contempt.rs`; `privy-lab measure movers` plays against random moves and a greedy player. Figures:
//! docs/NOTEBOOK.md.

use std::collections::HashSet;

use crate::eval::{Evaluation, Value};
use privy_rules::{Game, Position, Side};

/// The cost of a draw to Rebels with contempt, in hundredths of a Rebel.
const DRAW_COST_TO_REBELS: i32 = 600;
/// The cost of a draw to a General with contempt.
const DRAW_COST_TO_GENERAL: i32 = 1_500;
/// With at most this many points to walk to, the General is nearly closed in.
const FEW_POINTS: u32 = 3;
/// Salts of the transposition table, by the side with contempt.
const CONTEMPT_SALTS: [u64; 2] = [0x1f83_d9ab_fb41_bd6b, 0x3c6e_f372_fe94_f82b];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contempt {
    side: Option<Side>,
    /// The Rebels have contempt and have nearly closed in the General.
    closes_in: bool,
}

impl Contempt {
    /// The contempt of a side that searches; Rebels with fitted weights have none.
    pub fn of(side: Side, game: &Game, evaluation: &Evaluation) -> Contempt {
        let freedom = || evaluation.freedom(game.variant().rules(), game.position());
        match side {
            Side::Rebels => Contempt { side: Some(Side::Rebels), closes_in: freedom() <= FEW_POINTS },
            Side::General => Contempt { side: Some(Side::General).filter(|_| goes_in_circles(game)), closes_in: false },
        }
    }

    pub(super) fn side(self) -> Option<Side> {
        self.side
    }

    /// True if a second visit to a position of the game counts as a draw. It does not where Rebels that move in circles
    /// would come back to it: they do so by chance, and the game continues from there.
    pub fn draws_at(self, visited: &Position) -> bool {
        !(self.side == Some(Side::General) && visited.side() == Side::General)
    }

    #[inline(always)]
    pub fn draw_for(self, side: Side) -> Value {
        let for_rebels = match self.side {
            None => 0,
            Some(Side::Rebels) => -DRAW_COST_TO_REBELS,
            Some(Side::General) => DRAW_COST_TO_GENERAL,
        };
        Value::DRAW.shifted(if side == Side::Rebels { for_rebels } else { -for_rebels })
    }

    /// The root value from which the proof budget follows.
    pub fn for_proofs(self, value: Value) -> Value {
        if self.closes_in && value.is_evaluation() { value.shifted(DRAW_COST_TO_REBELS) } else { value }
    }

    #[inline(always)]
    pub fn salt(self) -> u64 {
        self.side.map_or(0, |side| CONTEMPT_SALTS[usize::from(side == Side::Rebels)])
    }
}

/// True if a position of the game has recurred, where that makes a draw. Rebels that stand better and know how to make
/// progress seldom allow that.
fn goes_in_circles(game: &Game) -> bool {
    let mut seen = HashSet::new();
    game.variant().rules().winner_by_repetition.is_none() && game.positions().any(|position| !seen.insert(position))
}
