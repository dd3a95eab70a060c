//! The search for a proof of a win: selection of the next leaf, and propagation of what is proved.
//!
//! Weak proof-number search (L. V. Allis, 1994; T. Ueda et al., 2008): the number of a position is the expected effort of its proof.
//! With the attacker to move it is that of the easiest move; with the defender to move, that of the hardest reply plus one for each
//! other open reply. A search descends to the leaf that decides the number and judges it.
//!
//! Nodes are positions with the attacker to move and a number of plies within which it must win. The plies fall along every path, so
//! there are no cycles. A move that leads back to a position on the path is dead for good, though another path might need it: a proof
//! may be missed that way, but none is wrong. Judgements and proofs are kept once for all nodes of a position and of its mirror image.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::eval::expected_plies;
use crate::proofs::{Claim, Proof, Step};
use crate::rules::{Move, Position, Side, Variant};
use crate::search::{Searcher, Stop, WinFinder};

use super::graph::{Leaf, Places, ProofGraph, ProveProgress, first_positions, replies, replies_to};
use super::judge::Judgement;
use super::text::Verdict;

/// The number of a position that can't be proved.
const INFINITE: u32 = u32::MAX;
/// The number of a position without judgement.
const UNJUDGED: u32 = 1;
/// Plies that the next best move of a position is expected to take beyond the last one.
const NEXT_TAKES_MORE: u32 = 4;
/// The strategy leaves out positions won within these plies: any program sees them at once.
const LEFT_OUT: u32 = 1;

/// The number of a move with a verdict.
fn expected_effort(verdict: Verdict) -> u32 {
    match verdict {
        // The win takes too many plies here; another move takes as many.
        Verdict::Wins(_) | Verdict::Fails => INFINITE,
        Verdict::Open { hundredths, .. } => UNJUDGED + 1 + expected_plies(hundredths) as u32,
    }
}

/// A position with the attacker to move.
#[derive(Debug)]
struct Place {
    position: Position,
    /// Of the best move, of the best one without that, and so on.
    judgements: Vec<Judgement>,
    is_pending: bool,
    /// All moves are judged.
    is_exhausted: bool,
    /// A winning move, and a bound of its plies.
    proof: Option<(Move, u16)>,
    nodes: Vec<u32>,
}

/// A move of the attacker with all replies.
#[derive(Debug)]
struct Try {
    move_: Move,
    children: Vec<u32>,
    is_dead: bool,
}

#[derive(Debug)]
struct Node {
    place: u32,
    plies: u16,
    number: u32,
    tries: Vec<Try>,
    parents: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct Tree {
    variant: Arc<Variant>,
    attacker: Side,
    places: Places<Place>,
    nodes: Vec<Node>,
    by_place: HashMap<(u32, u16), u32>,
    /// The first nodes with the attacker to move.
    roots: Vec<u32>,
    /// The defender escapes at the root, or no leaf is left.
    root_is_unprovable: bool,
    /// Places with a proof, and those of them that a search has proved.
    proved: usize,
    leaves: usize,
    /// Leaves that are pending.
    pending: usize,
    /// Changes of a node's number.
    updates: u64,
}

impl Tree {
    pub(super) fn new(variant: &Arc<Variant>, root: &Position, attacker: Side, plies: u16) -> Tree {
        let mut tree = Tree {
            variant: Arc::clone(variant),
            attacker,
            places: Places::new(),
            nodes: Vec::new(),
            by_place: HashMap::new(),
            roots: Vec::new(),
            root_is_unprovable: false,
            proved: 0,
            leaves: 0,
            pending: 0,
            updates: 0,
        };
        let first = first_positions(variant, root, Claim::Wins(attacker));
        let plies = if root.side() == attacker { plies } else { plies - 1 };
        tree.root_is_unprovable = first.is_none();
        tree.roots = first.unwrap_or_default().iter().map(|position| tree.node(position, plies)).collect();
        tree
    }

    fn node(&mut self, position: &Position, plies: u16) -> u32 {
        let place = self.places.number(position, || Place {
            position: *position,
            judgements: Vec::new(),
            is_pending: false,
            is_exhausted: false,
            proof: None,
            nodes: Vec::new(),
        });
        if let Some(node) = self.by_place.get(&(place, plies)) {
            return *node;
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { place, plies, number: UNJUDGED, tries: Vec::new(), parents: Vec::new() });
        self.by_place.insert((place, plies), number);
        self.places[place].nodes.push(number);
        self.nodes[number as usize].number = self.number_of(number);
        number
    }

    fn root_number(&self) -> u32 {
        if self.root_is_unprovable { INFINITE } else { self.hardest(&self.roots) }
    }

    fn proof_of(&self, node: u32) -> Option<(Move, u16)> {
        let node = &self.nodes[node as usize];
        self.places[node.place].proof.filter(|(_, plies)| *plies <= node.plies)
    }

    fn hardest(&self, children: &[u32]) -> u32 {
        let numbers = || children.iter().map(|child| self.nodes[*child as usize].number).filter(|number| *number > 0);
        match numbers().max() {
            None => 0,
            Some(INFINITE) => INFINITE,
            Some(most) => most.saturating_add(numbers().count() as u32 - 1),
        }
    }

    fn try_number(&self, try_: &Try) -> u32 {
        if try_.is_dead { INFINITE } else { self.hardest(&try_.children) }
    }

    /// The number of the next move to try.
    fn next_number(&self, node: &Node) -> u32 {
        let place = &self.places[node.place];
        match place.judgements.get(node.tries.len()) {
            Some(judgement) => expected_effort(judgement.verdict),
            None if place.is_exhausted => INFINITE,
            None => place
                .judgements
                .last()
                .map_or(UNJUDGED, |last| expected_effort(last.verdict).saturating_add(NEXT_TAKES_MORE)),
        }
    }

    fn number_of(&self, number: u32) -> u32 {
        if self.proof_of(number).is_some() {
            return 0;
        }
        let node = &self.nodes[number as usize];
        let too_long = self.places[node.place].judgements.first().is_some_and(|first| match first.verdict {
            Verdict::Wins(plies) => plies > node.plies,
            Verdict::Open { no_win_within, .. } => no_win_within >= node.plies,
            Verdict::Fails => true,
        });
        if node.plies == 0 || too_long {
            return INFINITE;
        }
        let tries = node.tries.iter().map(|try_| self.try_number(try_));
        tries.chain([self.next_number(node)]).min().unwrap_or(INFINITE)
    }

    /// Recomputes the numbers of nodes, and of those above that change with them.
    fn update(&mut self, mut open: Vec<u32>) {
        while let Some(number) = open.pop() {
            let new = self.number_of(number);
            let node = &mut self.nodes[number as usize];
            if node.number == new {
                continue;
            }
            node.number = new;
            self.updates += 1;
            open.extend(&self.nodes[number as usize].parents);
        }
    }

    /// Proves the place of a node if all children of a move are proved.
    fn prove(&mut self, number: u32) {
        let node = &self.nodes[number as usize];
        let proved = node.tries.iter().filter(|try_| !try_.is_dead).filter_map(|try_| {
            let mut most = 0;
            for child in &try_.children {
                most = most.max(self.proof_of(*child)?.1);
            }
            Some((try_.move_, most + 2))
        });
        let Some(best) = proved.min_by_key(|(_, plies)| *plies) else { return };
        let place = node.place;
        self.take(place, best, false);
    }

    /// Takes a proof of a place that is shorter than the known one, and propagates it.
    fn take(&mut self, place: u32, proof: (Move, u16), is_leaf: bool) {
        let known = &mut self.places[place];
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

    /// Open children: those without judgement, then the hardest.
    fn in_order(&self, children: &[u32]) -> Vec<u32> {
        let mut open: Vec<u32> =
            children.iter().copied().filter(|child| self.nodes[*child as usize].number > 0).collect();
        open.sort_by_key(|child| {
            let node = &self.nodes[*child as usize];
            (!self.places[node.place].judgements.is_empty(), Reverse(node.number))
        });
        open
    }

    fn is_decided(&self, number: u32) -> bool {
        matches!(self.nodes[number as usize].number, 0 | INFINITE)
    }

    /// The leaf below a node that decides its number; `path` holds the places above.
    fn select_below(&mut self, number: u32, path: &mut Vec<u32>) -> Option<Leaf> {
        path.push(self.nodes[number as usize].place);
        let found = self.select_at(number, path);
        path.pop();
        found
    }

    fn select_at(&mut self, number: u32, path: &mut Vec<u32>) -> Option<Leaf> {
        'again: loop {
            if self.is_decided(number) {
                return None;
            }
            let node = &self.nodes[number as usize];
            let (place, tried) = (node.place, node.tries.len());
            // The moves tried by index, and the next one.
            let mut choices: Vec<(u32, usize)> = node.tries.iter().map(|try_| self.try_number(try_)).zip(0..).collect();
            choices.push((self.next_number(node), tried));
            choices.retain(|(number, _)| *number < INFINITE);
            choices.sort_by_key(|(number, _)| *number);
            for (_, choice) in choices {
                if choice == tried {
                    let known = &mut self.places[place];
                    if known.is_pending {
                        continue;
                    }
                    if let Some(judgement) = known.judgements.get(tried) {
                        let move_ = judgement.move_;
                        self.try_move(number, move_);
                        continue 'again;
                    }
                    known.is_pending = true;
                    return Some(Leaf::new(place, known.position, &known.judgements));
                }
                for child in self.in_order(&self.nodes[number as usize].tries[choice].children) {
                    if path.contains(&self.nodes[child as usize].place) {
                        self.nodes[number as usize].tries[choice].is_dead = true;
                        self.update(vec![number]);
                        continue 'again;
                    }
                    if let Some(leaf) = self.select_below(child, path) {
                        return Some(leaf);
                    }
                    // The selection may have changed the numbers.
                    if self.is_decided(number) {
                        return None;
                    }
                }
            }
            return None;
        }
    }

    fn try_move(&mut self, number: u32, move_: Move) {
        let (place, plies) = (self.nodes[number as usize].place, self.nodes[number as usize].plies);
        let claim = Claim::Wins(self.attacker);
        let (children, is_dead) = match self.variant.play_unchecked(&self.places[place].position, &move_) {
            (_, Some(outcome)) => {
                if claim.is_kept_by(outcome) {
                    self.take(place, (move_, 1), true);
                }
                (Vec::new(), true)
            }
            (next, None) => match replies(&self.variant, &next, claim) {
                None => (Vec::new(), true),
                Some(open) if plies < 2 => (Vec::new(), !open.is_empty()),
                Some(open) => (open.iter().map(|position| self.node(position, plies - 2)).collect(), false),
            },
        };
        for child in &children {
            self.nodes[*child as usize].parents.push(number);
        }
        self.nodes[number as usize].tries.push(Try { move_, children, is_dead });
        self.prove(number);
        self.update(vec![number]);
    }

    /// The strategy of a proved tree: every position that can arise, with the winning move; wins that searches of leaves proved are
    /// played out by `searcher`. None when it was stopped or took longer than `time`.
    pub(super) fn strategy(
        &self,
        root: &Position,
        searcher: &mut Searcher,
        time: Option<Duration>,
        stop: &Stop,
    ) -> Option<Proof> {
        let (variant, claim) = (&self.variant, Claim::Wins(self.attacker));
        let mut proof = Proof::new(variant, claim, *root);
        let plies = self.roots.iter().filter_map(|node| self.proof_of(*node)).map(|(_, plies)| plies).max();
        let plies = u32::from(plies.unwrap_or(0));
        let first = self.roots.iter().map(|node| self.places[self.nodes[*node as usize].place].position);
        let mut open: Vec<(Position, u32)> = first.map(|position| (position, plies)).collect();
        let mut is_complete = true;
        searcher.find_wins(variant, time, stop, &mut |finder| {
            while let Some((position, plies)) = open.pop() {
                if proof.step(&position).is_some_and(|step| step.plies <= Some(plies)) {
                    continue;
                }
                let Some((move_, plies)) = self.winning_move(&position, plies, finder) else {
                    is_complete = false;
                    return;
                };
                proof.insert(Step { position, move_, plies: Some(plies) });
                let replies = replies_to(variant, &position, &move_, claim).unwrap_or_default();
                open.extend(replies.into_iter().map(|position| (position, plies - 2)));
            }
        });
        proof.retain(|step| step.plies > Some(LEFT_OUT));
        is_complete.then_some(proof)
    }

    /// A move that wins within `plies`, by the tree or else by search, and a bound of its plies.
    fn winning_move(&self, position: &Position, plies: u32, finder: &mut dyn WinFinder) -> Option<(Move, u32)> {
        let proof = self.places.find(position).and_then(|place| place.proof);
        let known = proof.map(|(move_, most)| (move_, u32::from(most))).filter(|(_, most)| *most <= plies);
        known.or_else(|| finder.winning_move(position, plies).map(|move_| (move_, plies)))
    }
}

impl ProofGraph for Tree {
    fn select(&mut self) -> Option<Leaf> {
        loop {
            let updates = self.updates;
            let roots = self.in_order(&self.roots);
            if let Some(leaf) = roots.into_iter().find_map(|root| self.select_below(root, &mut Vec::new())) {
                self.pending += 1;
                return Some(leaf);
            }
            if updates == self.updates {
                // Every path left returns to a position of its own.
                self.root_is_unprovable |= self.pending == 0 && !self.is_proved();
                return None;
            }
        }
    }

    fn judged(&mut self, place: u32, judgement: Option<Judgement>) {
        self.pending -= 1;
        let known = &mut self.places[place];
        known.is_pending = false;
        match judgement {
            None => known.is_exhausted = true,
            Some(judgement) => {
                known.judgements.push(judgement);
                if let Verdict::Wins(plies) = judgement.verdict {
                    self.take(place, (judgement.move_, plies), true);
                }
            }
        }
        let nodes = self.places[place].nodes.clone();
        self.update(nodes);
    }

    fn judgements(&self, place: u32) -> (&Position, &[Judgement]) {
        let place = &self.places[place];
        (&place.position, &place.judgements)
    }

    fn is_proved(&self) -> bool {
        self.root_number() == 0
    }

    fn is_unprovable(&self) -> bool {
        self.root_number() == INFINITE
    }

    fn progress(&self) -> ProveProgress {
        let (positions, effort) = (self.places.all.len(), self.root_number());
        ProveProgress { positions, proved: self.proved, leaves: self.leaves, effort, ..ProveProgress::default() }
    }
}
