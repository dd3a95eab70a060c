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
use super::prover::WinFinder;
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

/// A position with the proving side to move, one of two mirror images. All its nodes share the results and the proof.
#[derive(Debug)]
struct SearchedPosition {
    position: Position,
    /// Of the best move, of the best one without that, and so on.
    results: Vec<LeafResult>,
    is_pending: bool,
    /// All moves have been searched.
    is_exhausted: bool,
    /// A winning move, and a bound of its plies.
    proof: Option<(Move, u16)>,
    nodes: Vec<u32>,
}

/// A move of the proving side with all replies.
#[derive(Debug)]
struct Attempt {
    move_: Move,
    children: Vec<u32>,
    is_dead: bool,
}

#[derive(Debug)]
struct ProofNode {
    place: u32,
    /// The plies within which the side must win.
    plies: u16,
    number: u32,
    attempts: Vec<Attempt>,
    parents: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct BestFirst {
    variant: Arc<Variant>,
    winner: Side,
    root: Position,
    places: Vec<SearchedPosition>,
    by_position: HashMap<Position, u32>,
    nodes: Vec<ProofNode>,
    /// The first nodes with the proving side to move.
    roots: Vec<u32>,
    /// The other side escapes at the root, or no leaf is left.
    is_root_refuted: bool,
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
        let is_to_move = root.side() == winner;
        let first = if is_to_move { Some(vec![variant.canonical(root)]) } else { replies(variant, root, winner) };
        let plies = plies - u16::from(!is_to_move);
        let mut search = BestFirst {
            variant: Arc::clone(variant),
            winner,
            root: *root,
            places: Vec::new(),
            by_position: HashMap::new(),
            nodes: Vec::new(),
            roots: Vec::new(),
            is_root_refuted: first.is_none(),
            proved: 0,
            leaves: 0,
            pending: 0,
            updates: 0,
        };
        search.roots = first.unwrap_or_default().iter().map(|position| search.node(position, plies)).collect();
        search
    }

    /// Makes room for the nodes of the next leaf, and for small allocations beside them.
    pub(super) fn make_room(&mut self) -> Result<(), TryReserveError> {
        /// More than the moves on the way to a leaf have replies.
        const NEW_NODES: usize = 1 << 12;
        self.nodes.try_reserve(NEW_NODES)?;
        self.places.try_reserve(NEW_NODES)?;
        self.by_position.try_reserve(NEW_NODES)?;
        memory::ensure(0)
    }

    /// A leaf that becomes pending; `None` if the root is decided or all leaves that could be searched are pending.
    pub(super) fn select(&mut self) -> Option<Leaf> {
        let leaf = self.select_from_root();
        self.pending += usize::from(leaf.is_some());
        leaf
    }

    /// Takes the result of the next best move of a leaf; `None` if there is no other move.
    pub(super) fn take_result(&mut self, place: u32, result: Option<LeafResult>) {
        self.pending -= 1;
        let known = &mut self.places[place as usize];
        known.is_pending = false;
        known.is_exhausted |= result.is_none();
        known.results.extend(result);
        if let Some(LeafResult { move_, value: LeafValue::Win(plies) }) = result {
            self.take_proof(place, (move_, plies), true);
        }
        self.update(self.places[place as usize].nodes.clone());
    }

    pub(super) fn is_proved(&self) -> bool {
        self.root_number() == 0
    }

    /// True if this search finds no proof.
    pub(super) fn is_refuted(&self) -> bool {
        self.root_number() == INFINITE
    }

    /// The size of the tree; time and searches are left at 0.
    pub(super) fn progress(&self) -> ProveProgress {
        let (positions, effort) = (self.places.len(), self.root_number());
        ProveProgress { positions, proved: self.proved, leaves: self.leaves, effort, ..ProveProgress::default() }
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
        let plies =
            self.roots.iter().filter_map(|node| self.proof_of(*node)).map(|(_, plies)| plies).max().unwrap_or(0);
        let first = self.roots.iter().map(|node| self.places[self.nodes[*node as usize].place as usize].position);
        let mut open: Vec<_> = first.map(|position| (position, u32::from(plies))).collect();
        let mut is_complete = Ok(true);
        searcher.find_wins(&self.variant, time, stop, &mut |finder| {
            while let Some((position, plies)) = open.pop() {
                if let Err(error) = proof.steps.try_reserve(1).and_then(|()| memory::ensure(0)) {
                    is_complete = Err(error);
                    return;
                }
                if proof.step(&position).is_some_and(|step| step.plies <= plies) {
                    continue;
                }
                let Some((move_, plies)) = self.proving_move(&position, plies, finder) else {
                    is_complete = Ok(false);
                    return;
                };
                proof.insert(ProofStep { position, move_, plies });
                let replies = replies_to(&self.variant, &position, &move_, self.winner).unwrap_or_default();
                open.extend(replies.into_iter().map(|position| (position, plies - 2)));
            }
        });
        proof.steps.retain(|_, step| step.plies > WON_AT_SIGHT);
        is_complete.map(|is_complete| is_complete.then_some(proof))
    }

    /// A move that wins within `plies`, by the tree or else by `finder`, with a bound of its plies.
    fn proving_move(&self, position: &Position, plies: u32, finder: &mut dyn WinFinder) -> Option<(Move, u32)> {
        let known = self.by_position.get(position).and_then(|place| self.places[*place as usize].proof);
        let proof = known.map(|(move_, most)| (move_, u32::from(most))).filter(|(_, most)| *most <= plies);
        proof.or_else(|| finder.winning_move(position, plies).map(|move_| (move_, plies)))
    }

    /// The node of a position, which is made if there is none.
    fn node(&mut self, position: &Position, plies: u16) -> u32 {
        let place = *self.by_position.entry(*position).or_insert_with(|| {
            self.places.push(SearchedPosition {
                position: *position,
                results: Vec::new(),
                is_pending: false,
                is_exhausted: false,
                proof: None,
                nodes: Vec::new(),
            });
            self.places.len() as u32 - 1
        });
        let nodes = &self.places[place as usize].nodes;
        if let Some(known) = nodes.iter().find(|node| self.nodes[**node as usize].plies == plies) {
            return *known;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(ProofNode { place, plies, number: UNSEARCHED, attempts: Vec::new(), parents: Vec::new() });
        self.places[place as usize].nodes.push(node);
        self.nodes[node as usize].number = self.number_of(node);
        node
    }

    fn place_of(&self, node: u32) -> &SearchedPosition {
        &self.places[self.nodes[node as usize].place as usize]
    }

    fn proof_of(&self, node: u32) -> Option<(Move, u16)> {
        self.place_of(node).proof.filter(|(_, plies)| *plies <= self.nodes[node as usize].plies)
    }

    fn is_decided(&self, node: u32) -> bool {
        matches!(self.nodes[node as usize].number, 0 | INFINITE)
    }

    fn root_number(&self) -> u32 {
        if self.is_root_refuted { INFINITE } else { self.hardest(&self.roots) }
    }

    /// The number of replies that lead to these nodes.
    fn hardest(&self, children: &[u32]) -> u32 {
        let numbers = || children.iter().map(|child| self.nodes[*child as usize].number).filter(|number| *number > 0);
        match numbers().max() {
            Some(INFINITE) => INFINITE,
            Some(most) => most.saturating_add(numbers().count() as u32 - 1),
            None => 0,
        }
    }

    fn effort_of(&self, attempt: &Attempt) -> u32 {
        if attempt.is_dead { INFINITE } else { self.hardest(&attempt.children) }
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
        let is_new = |result: &&LeafResult| !attempts.iter().any(|attempt| attempt.move_ == result.move_);
        self.place_of(node).results.iter().find(is_new)
    }

    /// The number of the next move to attempt.
    fn next_effort(&self, node: u32) -> u32 {
        let place = self.place_of(node);
        match (self.next_result(node), place.results.last()) {
            (Some(next), _) => Self::effort_of_value(next.value),
            (None, _) if place.is_exhausted => INFINITE,
            (None, Some(last)) => Self::effort_of_value(last.value).saturating_add(NEXT_TAKES_MORE),
            (None, None) => UNSEARCHED,
        }
    }

    fn number_of(&self, node: u32) -> u32 {
        if self.proof_of(node).is_some() {
            return 0;
        }
        let ProofNode { plies, attempts, .. } = &self.nodes[node as usize];
        let is_too_long = self.place_of(node).results.first().is_some_and(|first| match first.value {
            LeafValue::Win(least) => least > *plies,
            LeafValue::Open { no_win_within, .. } => no_win_within >= *plies,
            LeafValue::Loss => true,
        });
        if *plies == 0 || is_too_long {
            return INFINITE;
        }
        let efforts = attempts.iter().map(|attempt| self.effort_of(attempt));
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
        let ProofNode { place, attempts, .. } = &self.nodes[node as usize];
        let proved = attempts.iter().filter(|attempt| !attempt.is_dead).filter_map(|attempt| {
            let mut most = 0;
            for child in &attempt.children {
                most = most.max(self.proof_of(*child)?.1);
            }
            Some((attempt.move_, most + 2))
        });
        let Some(best) = proved.min_by_key(|(_, plies)| *plies) else { return };
        self.take_proof(*place, best, false);
    }

    /// Takes a proof of a position that is shorter than the known one, and propagates it.
    fn take_proof(&mut self, place: u32, proof: (Move, u16), is_leaf: bool) {
        let known = &mut self.places[place as usize];
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
        let (position, plies) = (self.place_of(node).position, self.nodes[node as usize].plies);
        let replies = replies_to(&self.variant, &position, &move_, self.winner).zip(plies.checked_sub(2));
        let is_dead = replies.is_none();
        let (positions, plies) = replies.unwrap_or_default();
        let children: Vec<u32> = positions.iter().map(|position| self.node(position, plies)).collect();
        for child in &children {
            self.nodes[*child as usize].parents.push(node);
        }
        self.nodes[node as usize].attempts.push(Attempt { move_, children, is_dead });
        self.prove(node);
        self.update(vec![node]);
    }

    fn leaf(&mut self, place: u32) -> Leaf {
        let known = &mut self.places[place as usize];
        known.is_pending = true;
        let without = known.results.iter().map(|result| result.move_).collect();
        Leaf { place, position: known.position, without }
    }

    fn select_from_root(&mut self) -> Option<Leaf> {
        loop {
            let updates = self.updates;
            let roots = self.in_order(&self.roots);
            if let Some(leaf) = roots.into_iter().find_map(|root| self.select_below(root, &mut Vec::new())) {
                return Some(leaf);
            }
            if updates == self.updates {
                // Every path left returns to a position on it.
                self.is_root_refuted |= self.pending == 0 && !self.is_proved();
                return None;
            }
        }
    }

    /// Open children: those without results, then the hardest.
    fn in_order(&self, children: &[u32]) -> Vec<u32> {
        let mut open = children.to_vec();
        open.retain(|child| self.nodes[*child as usize].number > 0);
        open.sort_by_key(|child| {
            (!self.place_of(*child).results.is_empty(), Reverse(self.nodes[*child as usize].number))
        });
        open
    }

    /// The leaf below a node that decides its number; `path` holds the positions above.
    fn select_below(&mut self, node: u32, path: &mut Vec<u32>) -> Option<Leaf> {
        path.push(self.nodes[node as usize].place);
        let found = self.select_at(node, path);
        path.pop();
        found
    }

    fn select_at(&mut self, node: u32, path: &mut Vec<u32>) -> Option<Leaf> {
        'again: loop {
            if self.is_decided(node) {
                return None;
            }
            let ProofNode { place, attempts, .. } = &self.nodes[node as usize];
            let (place, attempted) = (*place, attempts.len());
            // The attempts by index, and the next one.
            let efforts = attempts.iter().map(|attempt| self.effort_of(attempt)).chain([self.next_effort(node)]);
            let mut choices: Vec<(u32, usize)> = efforts.zip(0..).collect();
            choices.retain(|(effort, _)| *effort < INFINITE);
            choices.sort_by_key(|(effort, _)| *effort);
            for (_, choice) in choices {
                if choice == attempted {
                    if self.places[place as usize].is_pending {
                        continue;
                    }
                    let Some(next) = self.next_result(node) else { return Some(self.leaf(place)) };
                    self.attempt(node, next.move_);
                    continue 'again;
                }
                for child in self.in_order(&self.nodes[node as usize].attempts[choice].children) {
                    if path.contains(&self.nodes[child as usize].place) {
                        self.nodes[node as usize].attempts[choice].is_dead = true;
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
