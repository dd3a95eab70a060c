//! What a table is divided into: states of the General (its point with the flags), and layers (numbers of Rebels).
//!
//! Steps of Rebels do not change the state, and captures alone change the layer, to a lower one. A layer counts Rebels
//! in hand, and how many are in hand belongs to the state: a drop leads to the state with one fewer.

use privy_rules::board::{Mirror, Point, PointSet};
use privy_rules::rule_set::NoMove;
use privy_rules::{MoveKind, Outcome, Position, Side, Template, Variant};

use super::error::TableError;
use super::sets::binomial;

/// The General's point, the flags and the Rebels in hand of a position with the Rebels to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeneralState {
    pub(super) general: Point,
    pub(super) apex_visited: bool,
    pub(super) free_jumps: u8,
    pub(super) hand: u8,
}

impl GeneralState {
    #[inline(always)]
    pub(super) fn of(position: &Position) -> GeneralState {
        let (general, apex_visited) = (position.general(), position.apex_visited());
        GeneralState { general, apex_visited, free_jumps: position.free_jumps(), hand: position.hand() }
    }

    /// The number of the state among all combinations of flags and points.
    #[inline(always)]
    pub(super) fn slot(self, variant: &Variant) -> usize {
        let jumps = usize::from(variant.rule_set().free_jumps) + 1;
        let flags =
            (usize::from(self.hand) * jumps + usize::from(self.free_jumps)) * 2 + usize::from(self.apex_visited);
        flags << 6 | self.general.index()
    }

    /// True if a table holds the positions with the General in hand: where it may have to pass, they can come again.
    /// Elsewhere it is dropped at once, and the positions after its moves tell their values.
    pub(super) fn has_general_in_hand(variant: &Variant) -> bool {
        !variant.board().has(variant.opening().general()) && variant.rule_set().no_move.general == NoMove::Pass
    }

    /// The states from which a game with many Rebels, to move, continues, in the order of their slots. Of two mirror
    /// images only the one whose General stands on the lower point is solved and stored.
    pub(super) fn solved(variant: &Variant) -> Vec<GeneralState> {
        let rules = variant.rules();
        let in_hand = GeneralState::has_general_in_hand(variant).then_some(Point::HAND);
        let hands = 0..=variant.opening().hand();
        let jumps = hands.flat_map(|hand| (0..=variant.rule_set().free_jumps).map(move |jumps| (hand, jumps)));
        let flags = jumps.flat_map(|(hand, jumps)| [(hand, jumps, false), (hand, jumps, true)]);
        let states = flags.flat_map(|(hand, free_jumps, apex_visited)| {
            let points = variant.board().all().into_iter().chain(in_hand);
            points.map(move |general| GeneralState { general, apex_visited, free_jumps, hand })
        });
        let is_remembered = |state: &GeneralState| match state.apex_visited {
            true => !rules.return_apex.is_empty(),
            false => !rules.return_apex.contains(state.general),
        };
        let is_stored = |state: &GeneralState| state.image(variant).general >= state.general;
        let is_open = |state: &GeneralState| is_remembered(state) && state.winner(variant).is_none();
        states.filter(|state| is_stored(state) && is_open(state)).collect()
    }

    #[inline(always)]
    pub(super) fn position(self, rebels: PointSet, side: Side) -> Position {
        Position::new(rebels, self.general, side, self.apex_visited, self.free_jumps).with_hand(self.hand)
    }

    /// The Rebels on the board in a layer; `None` if it has fewer Rebels than are in hand.
    #[inline(always)]
    pub(super) fn placed(self, rebels: u32) -> Option<u32> {
        rebels.checked_sub(self.hand.into())
    }

    /// The number of sets of Rebels in a layer.
    pub(super) fn sets(self, variant: &Variant, rebels: u32) -> u64 {
        let places = variant.rules().ground.without(self.general).len();
        self.placed(rebels).map_or(0, |placed| binomial(places, placed))
    }

    /// The mirror image, where the variant is mirrored; else the state itself.
    pub(super) fn image(self, variant: &Variant) -> GeneralState {
        GeneralState { general: variant.image(self.general), ..self }
    }

    /// The number of states that a solved one represents: 2 where its mirror image is another one.
    pub fn times(self, variant: &Variant) -> u64 {
        if self.image(variant) == self { 1 } else { 2 }
    }

    /// The winner if the General's point decides the game.
    pub(super) fn winner(self, variant: &Variant) -> Option<Side> {
        let many = variant.rules().ground.without(self.general);
        let goal = variant.rules().goal_after_general(&self.position(many, Side::Rebels));
        // On few points even many Rebels are few.
        goal.filter(|outcome| *outcome != Outcome::Attrition).and_then(Outcome::winner)
    }
}

/// The layers of a table, by their numbers of Rebels, ascending: those that captures can reach from the opening.
/// Captures lead to lower layers, so those up to `most`, which must be one of a game that continues, can be solved
/// without the others.
pub fn layers(variant: &Variant, most: Option<u32>) -> Result<Vec<u32>, TableError> {
    let (fewest, opening, parity) = (variant.rules().fewest_rebels(), variant.opening().rebels_left(), parity(variant));
    let mut layers: Vec<u32> = (fewest..=opening).collect();
    layers.retain(|rebels| parity.is_none_or(|parity| rebels % 2 == parity));
    if let Some(found) = most {
        let least = layers.first().copied().unwrap_or(fewest);
        if !(least..=opening).contains(&found) {
            return Err(TableError::Rebels { variant: variant.id().to_owned(), found, least, most: opening });
        }
        layers.retain(|rebels| *rebels <= found);
    }
    Ok(layers)
}

/// The mirror of the board, where the rules keep it.
pub(super) fn mirror(variant: &Variant) -> Option<&Mirror> {
    variant.board().mirror().filter(|_| variant.is_mirrored())
}

/// The parity of the number of Rebels, where every capture takes an even number of them: no jumps, and no two pairs
/// that fall together and share a Rebel, one as the General leaves, the other as it arrives.
fn parity(variant: &Variant) -> Option<u32> {
    let rules = variant.rules();
    let takes_even = |template: &Template| {
        let ends = template.empty.with(template.from);
        let fall = template.pairs.iter().filter(|pair| !pair.meets(ends));
        let share_one = |pair: &PointSet| fall.clone().any(|other| other != pair && other.meets(*pair));
        template.kind != MoveKind::Jump && !fall.clone().any(share_one)
    };
    let takes_pairs_only = rules.all.into_iter().flat_map(|at| &rules.templates[at]).all(takes_even);
    takes_pairs_only.then(|| variant.opening().rebels_left() & 1)
}
