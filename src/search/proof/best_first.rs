//! The best-first search for a strategy: selection of the next leaf, and propagation of what is proved or refuted.
//!
//! Weak proof-number search (L. V. Allis, 1994; T. Ueda et al., 2008): the *number* of a node is the expected effort of
//! its proof, 0 when it is proved and [`INFINITE`] when it is refuted. With the proving side to move it is that of the
//! easiest move; with the other side to move, that of the hardest reply plus one for each other open reply. The leaves
//! are whole searches, which name the best move and its value.
//!
//! Nodes are positions with a number of plies within which the side must win. The plies fall along every path, so there
//! are no cycles. A move that leads back to a position on the path is dead for good, though another path might need it:
//! a proof may be missed that way, but no proof is wrong. The search descends to the leaf that decides the number of
//! the root.

use std::cmp::Reverse;
use std::collections::{HashMap, TryReserveError};
use std::sync::Arc;
use std::time::Duration;

use crate::eval::expected_plies;
use crate::{Searcher, Stop};
use privy_base::memory;
use privy_rules::{Move, Position, Side, Variant};

use super::leaf::{Leaf, LeafResult, LeafValue};
use super::prover::Prover;
use super::strategy::{Proof, ProofStep};

/// The number of a node that is refuted.
const INFINITE: u32 = u32::MAX;
/// The number of a position without results.
const UNSEARCHED: u32 = 1;
/// Plies that the next best move of a position is expected to take beyond the last one.
const NEXT_TAKES_MORE: u32 = 4;
/// The strategy leaves out positions won within these plies: any program sees them at once.
const WON_AT_SIGHT: u32 = 1;

/// The progress of the search.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProveProgress {
    /// Since the beginning.
    pub time: Duration,
    /// Leaf searches done.
    pub searches: u64,
    /// Positions of the tree, with the proving side to move.
    pub positions: usize,
    /// Positions that are proved.
    pub proved: usize,
    /// Positions proved by a leaf search, not by the tree below them.
    pub leaves: usize,
    /// The expected effort, in units of the tree.
    pub effort: u32,
}

/// What is known of a position with the proving side to move, one of two mirror images. All its nodes share it.
#[derive(Debug, Default)]
struct SearchedPosition {
    /// Of the best move, of the best one without that, and so on.
    results: Vec<LeafResult>,
    is_pending: bool,
    /// All moves have been searched.
    is_exhausted: bool,
    /// A winning move, and a bound of its plies.
    proof: Option<(Move, u16)>,
    nodes: Vec<u32>,
}

/// The nodes after all replies of the other side that do not end the game.
#[derive(Debug, Default)]
struct Replies {
    nodes: Vec<u32>,
    /// A reply escapes: it ends the game without the win, or leads back to a position on the path.
    is_dead: bool,
}

#[derive(Debug)]
struct ProofNode {
    position: Position,
    /// The plies within which the side must win.
    plies: u16,
    number: u32,
    attempts: Vec<(Move, Replies)>,
    parents: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct BestFirst {
    variant: Arc<Variant>,
    winner: Side,
    root: Position,
    positions: HashMap<Position, SearchedPosition>,
    nodes: Vec<ProofNode>,
    /// The root, or the replies to it; dead also if no leaf is left.
    first: Replies,
    /// The tree fills the memory.
    pub(super) is_full: bool,
    searches: u64,
    /// Positions with a proof of a win, and those of them that a leaf search has proved.
    proved: usize,
    leaves: usize,
    /// Leaves that are pending.
    pending: usize,
    /// Changes of a node's number.
    updates: u64,
}

impl BestFirst {
    pub(super) fn new(variant: &Arc<Variant>, root: &Position, winner: Side, plies: u16) -> BestFirst {
        let mut search = BestFirst {
            variant: Arc::clone(variant),
            winner,
            root: *root,
            positions: HashMap::new(),
            nodes: Vec::new(),
            first: Replies::default(),
            is_full: false,
            searches: 0,
            proved: 0,
            leaves: 0,
            pending: 0,
            updates: 0,
        };
        search.first = match root.side() == winner {
            true => search.replies(Some(vec![variant.canonical(root)]), Some(plies)),
            false => search.replies(replies(variant, root, winner), plies.checked_sub(1)),
        };
        search
    }

    /// Makes room for the nodes of the next leaf, and for small allocations beside them.
    fn make_room(&mut self) -> Result<(), TryReserveError> {
        /// More than the moves on the way to a leaf have replies.
        const NEW_NODES: usize = 1 << 12;
        self.nodes.try_reserve(NEW_NODES)?;
        self.positions.try_reserve(NEW_NODES)?;
        memory::ensure(0)
    }

    /// A leaf that becomes pending; `None` if the search is done or all leaves that could be searched are pending.
    pub(super) fn select(&mut self) -> Option<Leaf> {
        self.is_full = self.make_room().is_err();
        while !self.is_done() {
            let updates = self.updates;
            let first = self.in_order(&self.first.nodes);
            if let Some(leaf) = first.into_iter().find_map(|node| self.select_below(node, &mut Vec::new())) {
                return Some(leaf);
            }
            if updates == self.updates {
                // Every path left returns to a position on it.
                self.first.is_dead |= self.pending == 0 && !self.is_proved();
                return None;
            }
        }
        None
    }

    /// Takes the result of the next best move of a leaf; `None` if there is no other move.
    pub(super) fn take_result(&mut self, position: &Position, result: Option<LeafResult>) {
        self.pending -= 1;
        self.searches += u64::from(result.is_some());
        let known = self.positions.entry(*position).or_default();
        known.is_pending = false;
        known.is_exhausted |= result.is_none();
        known.results.extend(result);
        let nodes = known.nodes.clone();
        if let Some(LeafResult { move_, value: LeafValue::Win(plies) }) = result {
            self.take_proof(*position, (move_, plies), true);
        }
        self.update(nodes);
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_full || matches!(self.effort_of(&self.first), 0 | INFINITE)
    }

    pub(super) fn is_proved(&self) -> bool {
        self.effort_of(&self.first) == 0
    }

    /// True if this search finds no proof.
    pub(super) fn is_refuted(&self) -> bool {
        self.effort_of(&self.first) == INFINITE
    }

    /// The size of the tree; the time is left at 0.
    pub(super) fn progress(&self) -> ProveProgress {
        ProveProgress {
            time: Duration::ZERO,
            searches: self.searches,
            positions: self.positions.len(),
            proved: self.proved,
            leaves: self.leaves,
            effort: self.effort_of(&self.first),
        }
    }

    /// The strategy of a proved tree: every position that can arise, with its move. Wins that leaf searches proved are
    /// played out by `searcher`. `None` if it was stopped or took longer than `time`; fails if there is no memory.
    pub(super) fn strategy(
        &self,
        searcher: &mut Searcher,
        time: Option<Duration>,
        stop: &Stop,
    ) -> Result<Option<Proof>, TryReserveError> {
        let mut proof = Proof::new(&self.variant, self.winner, self.root);
        let plies = u32::from(self.longest(&self.first).unwrap_or(0));
        let first = self.first.nodes.iter().map(|node| self.nodes[*node as usize].position);
        let mut open: Vec<_> = first.map(|position| (position, plies)).collect();
        let is_complete = searcher.find_wins(&self.variant, time, stop, |prover| -> Result<bool, TryReserveError> {
            while let Some((position, plies)) = open.pop() {
                proof.steps.try_reserve(1)?;
                memory::ensure(0)?;
                if proof.step(&position).is_some_and(|step| step.plies <= plies) {
                    continue;
                }
                let Some((move_, plies)) = self.proving_move(&position, plies, prover) else { return Ok(false) };
                proof.insert(ProofStep { position, move_, plies });
                let replies = replies_to(&self.variant, &position, &move_, self.winner).unwrap_or_default();
                open.extend(replies.into_iter().map(|position| (position, plies - 2)));
            }
            Ok(true)
        })?;
        proof.steps.retain(|_, step| step.plies > WON_AT_SIGHT);
        Ok(is_complete.then_some(proof))
    }

    /// A move that wins within `plies`, by the tree or else by `prover`, with a bound of its plies.
    fn proving_move(&self, position: &Position, plies: u32, prover: &mut Prover<'_>) -> Option<(Move, u32)> {
        let known = self.positions.get(position).and_then(|known| known.proof);
        let proof = known.map(|(move_, most)| (move_, u32::from(most))).filter(|(_, most)| *most <= plies);
        proof.or_else(|| prover.winning_move(position, plies).map(|move_| (move_, plies)))
    }

    /// The node of a position, which is made if there is none.
    fn node(&mut self, position: Position, plies: u16) -> u32 {
        let nodes = &mut self.positions.entry(position).or_default().nodes;
        if let Some(known) = nodes.iter().find(|node| self.nodes[**node as usize].plies == plies) {
            return *known;
        }
        let node = self.nodes.len() as u32;
        nodes.push(node);
        self.nodes.push(ProofNode { position, plies, number: UNSEARCHED, attempts: Vec::new(), parents: Vec::new() });
        self.nodes[node as usize].number = self.number_of(node);
        node
    }

    /// The nodes of positions after replies; dead if there are no positions, or no plies left.
    fn replies(&mut self, positions: Option<Vec<Position>>, plies: Option<u16>) -> Replies {
        let open = positions.zip(plies);
        let is_dead = open.is_none();
        let (positions, plies) = open.unwrap_or_default();
        Replies { nodes: positions.into_iter().map(|position| self.node(position, plies)).collect(), is_dead }
    }

    fn known_of(&self, node: u32) -> &SearchedPosition {
        &self.positions[&self.nodes[node as usize].position]
    }

    fn proof_of(&self, node: u32) -> Option<(Move, u16)> {
        self.known_of(node).proof.filter(|(_, plies)| *plies <= self.nodes[node as usize].plies)
    }

    /// The most plies of the proofs of replies; `None` if one is unproved.
    fn longest(&self, replies: &Replies) -> Option<u16> {
        let all = replies.nodes.iter().try_fold(0, |most, node| Some(self.proof_of(*node)?.1.max(most)));
        all.filter(|_| !replies.is_dead)
    }

    fn is_decided(&self, node: u32) -> bool {
        matches!(self.nodes[node as usize].number, 0 | INFINITE)
    }

    /// The number of a move with these replies.
    fn effort_of(&self, replies: &Replies) -> u32 {
        let numbers =
            || replies.nodes.iter().map(|node| self.nodes[*node as usize].number).filter(|number| *number > 0);
        match numbers().max() {
            _ if replies.is_dead => INFINITE,
            Some(INFINITE) => INFINITE,
            Some(most) => most.saturating_add(numbers().count() as u32 - 1),
            None => 0,
        }
    }

    /// The number of a move with this value.
    fn effort_of_value(value: LeafValue) -> u32 {
        match value {
            // The win takes too many plies here; another move takes as many.
            LeafValue::Win(_) | LeafValue::Loss => INFINITE,
            LeafValue::Open { hundredths, .. } => UNSEARCHED + 1 + expected_plies(hundredths) as u32,
        }
    }

    /// The best result of a move that has not been attempted.
    fn next_result(&self, node: u32) -> Option<&LeafResult> {
        let attempts = &self.nodes[node as usize].attempts;
        let is_new = |result: &&LeafResult| !attempts.iter().any(|(move_, _)| *move_ == result.move_);
        self.known_of(node).results.iter().find(is_new)
    }

    /// The number of the next move to attempt.
    fn next_effort(&self, node: u32) -> u32 {
        let known = self.known_of(node);
        match (self.next_result(node), known.results.last()) {
            (Some(next), _) => Self::effort_of_value(next.value),
            (None, _) if known.is_exhausted => INFINITE,
            (None, Some(last)) => Self::effort_of_value(last.value).saturating_add(NEXT_TAKES_MORE),
            (None, None) => UNSEARCHED,
        }
    }

    fn number_of(&self, node: u32) -> u32 {
        if self.proof_of(node).is_some() {
            return 0;
        }
        let ProofNode { plies, attempts, .. } = &self.nodes[node as usize];
        let is_too_long = self.known_of(node).results.first().is_some_and(|first| match first.value {
            LeafValue::Win(least) => least > *plies,
            LeafValue::Open { no_win_within, .. } => no_win_within >= *plies,
            LeafValue::Loss => true,
        });
        if *plies == 0 || is_too_long {
            return INFINITE;
        }
        let efforts = attempts.iter().map(|(_, replies)| self.effort_of(replies));
        efforts.chain([self.next_effort(node)]).min().unwrap_or(INFINITE)
    }

    /// Recomputes the numbers of nodes, and of those above that change with them.
    fn update(&mut self, mut changed: Vec<u32>) {
        while let Some(node) = changed.pop() {
            let number = self.number_of(node);
            let known = &mut self.nodes[node as usize];
            if known.number == number {
                continue;
            }
            known.number = number;
            self.updates += 1;
            changed.extend(&known.parents);
        }
    }

    /// Proves the position of a node if all replies to a move are proved to be won.
    fn prove(&mut self, node: u32) {
        let ProofNode { position, attempts, .. } = &self.nodes[node as usize];
        let proved = attempts.iter().filter_map(|(move_, replies)| Some((*move_, self.longest(replies)? + 2)));
        if let Some(best) = proved.min_by_key(|(_, plies)| *plies) {
            self.take_proof(*position, best, false);
        }
    }

    /// Takes a proof of a position that is shorter than the known one, and propagates it.
    fn take_proof(&mut self, position: Position, proof: (Move, u16), is_leaf: bool) {
        let known = self.positions.entry(position).or_default();
        if known.proof.is_some_and(|(_, plies)| plies <= proof.1) {
            return;
        }
        if known.proof.is_none() {
            self.proved += 1;
            self.leaves += usize::from(is_leaf);
        }
        known.proof = Some(proof);
        for node in known.nodes.clone() {
            if self.nodes[node as usize].plies >= proof.1 {
                self.nodes[node as usize].number = 0;
                for parent in self.nodes[node as usize].parents.clone() {
                    self.prove(parent);
                    self.update(vec![parent]);
                }
            }
        }
    }

    /// Adds a move with its replies to a node.
    fn attempt(&mut self, node: u32, move_: Move) {
        let ProofNode { position, plies, .. } = self.nodes[node as usize];
        let replies = self.replies(replies_to(&self.variant, &position, &move_, self.winner), plies.checked_sub(2));
        for reply in &replies.nodes {
            self.nodes[*reply as usize].parents.push(node);
        }
        self.nodes[node as usize].attempts.push((move_, replies));
        self.prove(node);
        self.update(vec![node]);
    }

    fn leaf(&mut self, position: Position) -> Leaf {
        self.pending += 1;
        let known = self.positions.entry(position).or_default();
        known.is_pending = true;
        Leaf { position, without: known.results.iter().map(|result| result.move_).collect() }
    }

    /// Open nodes: those without results, then the hardest.
    fn in_order(&self, nodes: &[u32]) -> Vec<u32> {
        let mut open = nodes.to_vec();
        open.retain(|node| self.nodes[*node as usize].number > 0);
        open.sort_by_key(|node| (!self.known_of(*node).results.is_empty(), Reverse(self.nodes[*node as usize].number)));
        open
    }

    /// The leaf below a node that decides its number; `path` holds the positions above.
    fn select_below(&mut self, node: u32, path: &mut Vec<Position>) -> Option<Leaf> {
        path.push(self.nodes[node as usize].position);
        let found = self.select_at(node, path);
        path.pop();
        found
    }

    fn select_at(&mut self, node: u32, path: &mut Vec<Position>) -> Option<Leaf> {
        'again: loop {
            if self.is_decided(node) {
                return None;
            }
            let ProofNode { position, attempts, .. } = &self.nodes[node as usize];
            let (position, attempted) = (*position, attempts.len());
            // The attempts by index, and the next one.
            let attempts = attempts.iter().map(|(_, replies)| self.effort_of(replies));
            let efforts = attempts.chain([self.next_effort(node)]);
            let mut choices: Vec<(u32, usize)> = efforts.zip(0..).collect();
            choices.retain(|(effort, _)| *effort < INFINITE);
            choices.sort_by_key(|(effort, _)| *effort);
            for (_, choice) in choices {
                if choice == attempted {
                    if self.known_of(node).is_pending {
                        continue;
                    }
                    let Some(next) = self.next_result(node) else { return Some(self.leaf(position)) };
                    self.attempt(node, next.move_);
                    continue 'again;
                }
                for child in self.in_order(&self.nodes[node as usize].attempts[choice].1.nodes) {
                    if path.contains(&self.nodes[child as usize].position) {
                        self.nodes[node as usize].attempts[choice].1.is_dead = true;
                        self.update(vec![node]);
                        continue 'again;
                    }
                    if let Some(leaf) = self.select_below(child, path) {
                        return Some(leaf);
                    }
                    // The selection may have changed the numbers.
                    if self.is_decided(node) {
                        return None;
                    }
                }
            }
            return None;
        }
    }
}

/// The canonical positions after all replies of the other side that do not end the game; `None` if a reply ends it
/// without the win.
fn replies(variant: &Variant, position: &Position, winner: Side) -> Option<Vec<Position>> {
    let mut open: Vec<Position> = Vec::new();
    for path in variant.legal_moves(position) {
        match variant.play_unchecked(position, path.action()) {
            (_, Some(outcome)) if outcome.winner() == Some(winner) => {}
            (_, Some(_)) => return None,
            (next, None) => {
                let next = variant.canonical(&next);
                if !open.contains(&next) {
                    open.push(next);
                }
            }
        }
    }
    Some(open)
}

/// The [`replies`] to a move of the winner; empty if the move wins the game.
fn replies_to(variant: &Variant, position: &Position, move_: &Move, winner: Side) -> Option<Vec<Position>> {
    match variant.play_unchecked(position, move_) {
        (_, Some(outcome)) => (outcome.winner() == Some(winner)).then(Vec::new),
        (next, None) => replies(variant, &next, winner),
    }
}
