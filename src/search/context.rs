//! What the searches of one variant share: what is prepared before them, what they borrow, and how they count nodes.

use std::fmt;
use std::sync::Arc;

use crate::eval::{Evaluation, Value, Weights};
use crate::rules::{CompiledRules, Family, Move, Position, Side, Variant};

use super::contempt::Contempt;
use super::limits::{MAX_DEPTH, Stop, TimeManager};
use super::proof::bounds::Bounds;
use super::threads::SharedWork;
use super::transposition_table::TranspositionTable;

/// The clock is read once in so many nodes, which take a fraction of a millisecond.
const NODES_PER_CHECK: u64 = 1024;

/// Salts of the proofs' entries in the transposition table, by winner.
const PROOF_SALTS: [u64; 2] = [0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b];

/// Exact values from outside, as from a tablebase. Several threads probe at once.
pub trait Prober: fmt::Debug + Send + Sync {
    /// The variant whose positions are known.
    fn variant(&self) -> &Variant;

    /// Positions with more Rebels are never known.
    fn most_rebels(&self) -> u32;

    /// The exact value of a position that is not over, for the side to move: a win or loss in plies, or [`Value::DRAW`]. None
    /// when it is not known.
    fn probe(&self, position: &Position) -> Option<Value>;
}

/// What a search needs to know of a variant. It takes some work, and weights beside the file of the variant are read for it:
/// searchers that take turns or work beside each other can share it.
#[derive(Debug)]
pub struct PreparedVariant {
    variant: Arc<Variant>,
    evaluation: Evaluation,
    /// The weights are none of those that were fitted to built-in games.
    pub(super) is_unfitted: bool,
    pub(super) bounds: Bounds,
}

impl PreparedVariant {
    /// Compiles the bounds of proofs and reads the weights: see [`Weights::of`](crate::eval::Weights::of).
    #[must_use]
    pub fn new(variant: &Arc<Variant>) -> PreparedVariant {
        PreparedVariant::with_weights(variant, None)
    }

    /// The same with other weights, if any are given.
    #[must_use]
    pub fn with_weights(variant: &Arc<Variant>, weights: Option<Weights>) -> PreparedVariant {
        let weights = weights.unwrap_or_else(|| Weights::of(variant));
        let is_unfitted = Weights::fitted(variant) != Some(&weights);
        let (evaluation, bounds) = (Evaluation::new(variant, weights), Bounds::new(variant));
        PreparedVariant { variant: Arc::clone(variant), evaluation, is_unfitted, bounds }
    }

    /// The evaluation of positions that are not decided.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Does it hold for a variant? The same rules read from a file again may have other weights.
    pub(super) fn holds_for(&self, variant: &Arc<Variant>) -> bool {
        let are_built_in = self.variant.path().is_none() && variant.path().is_none();
        Arc::ptr_eq(&self.variant, variant) || are_built_in && self.variant.fingerprint() == variant.fingerprint()
    }
}

/// So many plies before the limit of the rules what is found may depend on it.
const NEAR_LIMIT: u32 = 64;

/// What a thread shares with others or borrows for one search.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) rules: &'a CompiledRules,
    pub(super) evaluation: &'a Evaluation,
    pub(super) bounds: &'a Bounds,
    pub(super) table: &'a TranspositionTable,
    /// None where a limit of plies or the history of the game may change exact values.
    pub(super) prober: Option<&'a dyn Prober>,
    /// What the prober says, without asking it for each position.
    pub(super) most_probed_rebels: u32,
    pub(super) stop: &'a Stop,
    pub(super) clock: TimeManager,
    /// Sets apart what must not mix in the transposition table.
    pub(super) salt: u64,
    /// What draws are worth.
    pub(super) contempt: Contempt,
    /// Hashes of the positions that have occurred twice in the game: a third time ends it.
    pub(super) repeated: &'a [u64],
    /// Hashes of the positions that have occurred in the game since the last capture, sorted.
    pub(super) visited: &'a [u64],
    /// Plies until the limit makes the game a draw, where the search may come so far.
    pub(super) plies_left: Option<usize>,
    /// Plies since the last capture before the root.
    pub(super) plies_since_capture: u32,
    /// Where there are several threads.
    pub(super) shared: Option<&'a SharedWork>,
}

impl<'a> Context<'a> {
    /// What a search on one thread borrows that knows no history and no exact values.
    pub(super) fn without_history(
        variant: &'a Variant,
        prepared: &'a PreparedVariant,
        table: &'a TranspositionTable,
        stop: &'a Stop,
        clock: TimeManager,
    ) -> Context<'a> {
        Context {
            rules: variant.rules(),
            evaluation: &prepared.evaluation,
            bounds: &prepared.bounds,
            table,
            prober: None,
            most_probed_rebels: 0,
            stop,
            clock,
            salt: 0,
            contempt: Contempt::default(),
            repeated: &[],
            visited: &[],
            plies_left: None,
            plies_since_capture: 0,
            shared: None,
        }
    }

    /// Has this position occurred twice in the game?
    #[inline(always)]
    pub(super) fn is_repeated(&self, position: &Position) -> bool {
        !self.repeated.is_empty() && self.repeated.contains(&position.hash())
    }

    /// Could a side win because a position of the game comes for the third time?
    #[inline(always)]
    pub(super) fn may_win_by_repetition(&self, winner: Side) -> bool {
        !self.repeated.is_empty() && self.rules.winner_by_repetition() == Some(winner)
    }

    /// The exact value of a position that is not over; of a draw, what it is worth.
    #[inline(always)]
    pub(super) fn probe(&self, position: &Position) -> Option<Value> {
        if position.rebels().len() > self.most_probed_rebels {
            return None;
        }
        let value = self.prober?.probe(position)?;
        Some(if value == Value::DRAW { self.contempt.draw_for(position.side()) } else { value })
    }

    /// Can the side to move make a move?
    #[inline(always)]
    pub(super) fn can_move<F: Family>(&self, position: &Position) -> bool {
        match position.side() {
            Side::General => self.rules.general_can_move::<F>(position),
            Side::Rebels => self.rules.rebels_can_move(position),
        }
    }

    /// Prefetches what the table keeps of the position after a move.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position, move_: &Move) {
        self.table.prefetch(self.rules.play_unchecked(position, move_).0.hash());
    }

    /// The salt of what alpha-beta finds at a ply: other histories and other numbers of plies left are kept apart, and so are
    /// plies since the last capture where the rules' limit is near.
    #[inline(always)]
    pub(super) fn search_salt(&self, ply: usize, plies_since_capture: u32) -> u64 {
        let of_limit = match self.plies_left {
            None => 0,
            Some(left) => (left.wrapping_sub(ply) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        };
        let left = self.rules.move_limit().map(|limit| limit.saturating_sub(plies_since_capture));
        let of_rules = match left {
            Some(left) if left < NEAR_LIMIT => u64::from(left + 1).wrapping_mul(0xc2b2_ae3d_27d4_eb4f),
            _ => 0,
        };
        self.salt ^ self.contempt.salt() ^ of_limit ^ of_rules
    }

    /// The longest proof that no limit of plies can spoil, and no winner by a limit forestalls.
    pub(super) fn most_plies_of_proof(&self) -> u32 {
        let by_rules = self.rules.move_limit().map(|limit| limit.saturating_sub(self.plies_since_capture + 1));
        let most = self.plies_left.map_or(MAX_DEPTH, |plies| MAX_DEPTH.min(plies as u32));
        most.min(by_rules.unwrap_or(most))
    }

    /// The salt of what is proved for a winner.
    #[inline(always)]
    pub(super) fn proof_salt(&self, winner: Side) -> u64 {
        self.salt ^ PROOF_SALTS[usize::from(winner == Side::Rebels)]
    }
}

/// Counts the positions that a search reaches by making a move, and says when it must end.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeCounter {
    pub(super) nodes: u64,
    /// The search ends at this number.
    pub(super) limit: u64,
}

impl NodeCounter {
    /// Counts a node. Must the search end: by the limit of nodes, by the clock, or because it is stopped?
    #[inline(always)]
    pub(super) fn count(&mut self, context: &Context) -> bool {
        self.nodes += 1;
        let is_over = self.nodes.is_multiple_of(NODES_PER_CHECK) && {
            let is_spent = context.shared.is_some_and(|shared| shared.count(NODES_PER_CHECK));
            context.stop.is_set() || context.clock.is_over() || is_spent
        };
        is_over || self.nodes >= self.limit
    }
}
