//! The search context: what the threads of one search borrow, the prepared variant, and the count of nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use privy_protocol::Stop;

use crate::eval::{Evaluation, Value, Weights};
use privy_rules::family::Every;
use privy_rules::games::GameFiles;
use privy_rules::{CompiledRules, Move, Position, Side, Variant};

use super::contempt::Contempt;
use super::limits::{MAX_DEPTH, Prober, TimeManager};
use super::parameters::Parameters;
use super::proof::bounds::Bounds;
use super::transposition_table::TranspositionTable;

/// The clock, a stop and the other threads are looked at once in this many nodes at most, which take a fraction of a
/// millisecond.
const MOST_NODES_PER_CHECK: u64 = 1024;
/// Nodes between two checks are fewer where they take longer than this: the first touch of a huge page of the
/// transposition table, or a read of a table of perfect play, takes as long as a thousand ordinary nodes.
const TIME_PER_CHECK: Duration = Duration::from_millis(1);
/// The first nodes are searched whatever the clock and a stop say, so that there is something to tell, unless they take
/// longer than this.
const FIRST_TIME: Duration = Duration::from_millis(4);
/// Salts of proof entries in the transposition table, by winner.
const PROOF_SALTS: [u64; 2] = [0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b];

/// A variant made ready for searches: evaluation and proof bounds. Preparing it takes some work and may read weights
/// from a file, so that searchers share it.
#[derive(Debug)]
pub struct PreparedVariant {
    variant: Arc<Variant>,
    evaluation: Evaluation,
    /// Rebels that search have contempt: the weights are not those that were fitted to one of the fourteen games. Those
    /// of the relatives were tried with it.
    pub(super) rebels_have_contempt: bool,
    parameters: Parameters,
    pub(super) bounds: Bounds,
}

impl PreparedVariant {
    /// Compiles the bounds of proofs and reads the weights: see [`Weights::of`](crate::eval::Weights::of).
    pub fn new(variant: &Arc<Variant>) -> PreparedVariant {
        PreparedVariant::with_weights(variant, None)
    }

    /// The same with these weights, if given.
    pub fn with_weights(variant: &Arc<Variant>, weights: Option<Weights>) -> PreparedVariant {
        let weights = weights.unwrap_or_else(|| Weights::of(variant));
        PreparedVariant::tuned(variant, weights, Parameters::default())
    }

    /// The same with other constants of the search.
    pub fn tuned(variant: &Arc<Variant>, weights: Weights, parameters: Parameters) -> PreparedVariant {
        let of_relative = || variant.known_game(|files| files.weights.is_some()).is_some_and(GameFiles::is_relative);
        let rebels_have_contempt = Weights::fitted(variant) != Some(&weights) || of_relative();
        let (evaluation, bounds) = (Evaluation::new(variant, weights), Bounds::new(variant));
        PreparedVariant { variant: Arc::clone(variant), evaluation, rebels_have_contempt, parameters, bounds }
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// The same rules read from a file again may have other weights, so only built-in variants compare by fingerprint.
    pub(super) fn holds_for(&self, variant: &Arc<Variant>) -> bool {
        let are_built_in = self.variant.heading.path.is_none() && variant.heading.path.is_none();
        Arc::ptr_eq(&self.variant, variant) || are_built_in && self.variant.fingerprint() == variant.fingerprint()
    }
}

/// Within this many plies of the limit of the rules, results may depend on it.
const NEAR_LIMIT: u32 = 64;

#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) rules: &'a CompiledRules,
    pub(super) evaluation: &'a Evaluation,
    pub(super) bounds: &'a Bounds,
    pub(super) parameters: &'a Parameters,
    pub(super) table: &'a TranspositionTable,
    /// `None` where a limit of plies or the history of the game may change exact values.
    pub(super) prober: Option<&'a dyn Prober>,
    /// The most Rebels that the prober knows; 0 without one.
    pub(super) most_probed_rebels: u32,
    pub(super) stop: &'a Stop,
    pub(super) clock: TimeManager,
    /// Separates searches whose entries in the transposition table must not mix.
    pub(super) salt: u64,
    pub(super) contempt: Contempt,
    /// Hashes of the positions that have occurred twice in the game: the third occurrence ends it.
    pub(super) repeated: &'a [u64],
    /// Hashes of the positions that have occurred in the game since the last capture, sorted.
    pub(super) visited: &'a [u64],
    /// Plies to the limit of the game, if the search can reach it.
    pub(super) plies_left: Option<usize>,
    /// Plies since the last capture before the root.
    pub(super) plies_since_capture: u32,
    /// Of several threads.
    pub(super) shared: Option<&'a SharedCount>,
}

impl<'a> Context<'a> {
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
            parameters: &prepared.parameters,
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

    #[inline(always)]
    pub(super) fn is_repeated(&self, position: &Position) -> bool {
        !self.repeated.is_empty() && self.repeated.contains(&position.hash())
    }

    /// True if a third occurrence of a position of the game can win for a side.
    #[inline(always)]
    pub(super) fn may_win_by_repetition(&self, winner: Side) -> bool {
        !self.repeated.is_empty() && self.rules.winner_by_repetition == Some(winner)
    }

    /// The exact value of a position that is not over; a draw counts with contempt.
    #[inline(always)]
    pub(super) fn probe(&self, position: &Position) -> Option<Value> {
        if position.rebels_left() > self.most_probed_rebels {
            return None;
        }
        let value = self.prober?.probe(position)?;
        Some(if value == Value::DRAW { self.contempt.draw_for(position.side()) } else { value })
    }

    #[inline(always)]
    pub(super) fn can_move(&self, position: &Position) -> bool {
        match position.side() {
            Side::General => self.rules.general_can_move::<Every>(position),
            Side::Rebels => self.rules.rebels_can_move(position),
        }
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position, move_: &Move) {
        self.table.prefetch(self.rules.play_unchecked(position, move_).0.hash());
    }

    /// The salt of alpha-beta entries at a ply. Entries with different plies to a limit must not mix.
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

    /// The longest proof that no limit of plies can change.
    pub(super) fn most_plies_of_proof(&self) -> u32 {
        let by_rules = self.rules.move_limit().map(|limit| limit.saturating_sub(self.plies_since_capture + 1));
        let most = self.plies_left.map_or(MAX_DEPTH, |plies| MAX_DEPTH.min(plies as u32));
        most.min(by_rules.unwrap_or(most))
    }

    #[inline(always)]
    pub(super) fn proof_salt(&self, winner: Side) -> u64 {
        self.salt ^ PROOF_SALTS[usize::from(winner == Side::Rebels)]
    }
}

/// The nodes of all threads of a search, except those that a thread has not added yet.
#[derive(Debug)]
pub(super) struct SharedCount {
    nodes: AtomicU64,
    limit: u64,
    pub(super) threads: usize,
}

impl SharedCount {
    pub(super) fn new(threads: usize, limit: u64) -> SharedCount {
        SharedCount { nodes: AtomicU64::new(0), limit, threads }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Adds nodes of a thread. True if all threads together have reached the limit.
    fn count(&self, nodes: u64) -> bool {
        self.nodes.fetch_add(nodes, Ordering::Relaxed).saturating_add(nodes) >= self.limit
    }
}

/// Counts nodes, and finds out when the search must end.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeCounter {
    pub(super) nodes: u64,
    /// The search ends at this number.
    limit: u64,
    /// The number of nodes at the next check, at most `limit`.
    next: u64,
    /// Nodes between two checks.
    step: u64,
    /// The nodes at the last check.
    counted: u64,
    /// The time of the last check of this stretch of work.
    checked: Option<Duration>,
}

/// Without a limit.
impl Default for NodeCounter {
    fn default() -> NodeCounter {
        NodeCounter { nodes: 0, limit: u64::MAX, next: 1, step: 1, counted: 0, checked: None }
    }
}

impl NodeCounter {
    /// Sets the number of nodes at which the search ends, for a stretch of work that begins now.
    pub(super) fn set_limit(&mut self, limit: u64) {
        (self.limit, self.checked) = (limit, None);
        // The stop and the clock are checked however short the stretches are.
        self.next = limit.min(self.counted + self.step);
    }

    /// Counts a node. True if the search must end: by the limit of nodes, the clock or a stop.
    #[inline(always)]
    pub(super) fn count(&mut self, context: &Context) -> bool {
        self.nodes += 1;
        self.nodes >= self.next && self.check(context)
    }

    #[cold]
    fn check(&mut self, context: &Context) -> bool {
        let elapsed = context.clock.elapsed();
        let nodes = self.nodes - std::mem::replace(&mut self.counted, self.nodes);
        if let Some(last) = self.checked.replace(elapsed) {
            let time = elapsed.saturating_sub(last).max(Duration::from_nanos(1));
            let in_time = u128::from(nodes) * TIME_PER_CHECK.as_nanos() / time.as_nanos();
            self.step = (in_time as u64).clamp(1, MOST_NODES_PER_CHECK.min(2 * self.step));
        }
        self.next = self.limit.min(self.nodes + self.step);
        let is_spent = context.shared.is_some_and(|shared| shared.count(nodes)) && self.limit < u64::MAX;
        let is_first = self.nodes < MOST_NODES_PER_CHECK && elapsed < FIRST_TIME;
        let is_ended = context.stop.is_set() || context.clock.is_over_at(elapsed);
        is_ended && !is_first || is_spent || self.nodes >= self.limit
    }
}
