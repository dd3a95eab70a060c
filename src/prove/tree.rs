//! The tree of a proof in the making: which position to judge next, and what is proved already.
//!
//! Proof-number search (L. V. Allis, 1994) in its weak form (T. Ueda et al., 2008): the number of a position is the effort that its
//! proof is expected to take. Where the attacker is to move it is that of his easiest move; where the defender is, that of the
//! hardest reply and one for each other that is open. A search goes down to the leaf that counts and judges it.
//!
//! Nodes are positions with the attacker to move and a number of plies within which he must win: it falls along every way, so that
//! there are no circles. A move that leads back to a position on the way is left aside for good, though another way might need it: a proof may be
//! missed by that, and none is wrong. What is known of a position (judgements, proofs) is kept once for all
//! its nodes, and one of two mirror images stands for both.

use std::collections::HashMap;
use std::sync::Arc;

use crate::eval::expected_plies;
use crate::proofs::Claim;
use crate::rules::{Move, Position, Side, Variant};

use super::judge::Judgement;
use super::places::Places;
use super::replies::{Replies, replies, replies_to};
use super::text::Verdict;
use super::work::{Counts, Leaf, ProofGraph};

/// The number of what can't be proved.
const HOPELESS: u32 = u32::MAX;

/// The number of a position that has not been judged.
const UNJUDGED: u32 = 1;

/// The next best move of a position is expected to take so many plies more than the last.
const NEXT_TAKES_MORE: u32 = 4;

/// The number of a move of which a search said this.
fn expected_effort(verdict: Verdict) -> u32 {
    match verdict {
        // A win here is one that takes too many plies; another move takes as many.
        Verdict::Wins(_) | Verdict::Fails => HOPELESS,
        Verdict::Open { hundredths, .. } => UNJUDGED + 1 + expected_plies(hundredths) as u32,
    }
}

/// What is known of a position with the attacker to move.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) position: Position,
    /// Of the best move, of the best one without that, and so on.
    pub(super) judgements: Vec<Judgement>,
    /// Is it being judged?
    is_pending: bool,
    /// All moves are judged.
    is_exhausted: bool,
    /// A move that wins, and in how many plies at most.
    pub(super) proof: Option<(Move, u16)>,
    nodes: Vec<u32>,
}

/// A move of the attacker and all replies.
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

/// What to do at a node: look into a try, or try the next move.
#[derive(Debug, Clone, Copy)]
enum Choice {
    Try(usize),
    Next,
}

/// The tree.
#[derive(Debug)]
pub(super) struct Tree {
    variant: Arc<Variant>,
    attacker: Side,
    places: Places<Place>,
    nodes: Vec<Node>,
    by_place: HashMap<(u32, u16), u32>,
    /// The first positions with the attacker to move.
    roots: Vec<u32>,
    /// A reply at the root does not lose.
    root_is_hopeless: bool,
    /// Places with a proof, and those that a search has proved.
    proved: usize,
    leaves: usize,
    /// Leaves that are being judged.
    pending: usize,
    /// How often the number of a node has changed.
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
            root_is_hopeless: false,
            proved: 0,
            leaves: 0,
            pending: 0,
            updates: 0,
        };
        let first = if root.side() == attacker {
            vec![variant.canonical(root)]
        } else {
            match replies(variant, root, Claim::Wins(attacker)) {
                Replies::Open(open) => open,
                _ => {
                    tree.root_is_hopeless = true;
                    Vec::new()
                }
            }
        };
        let left = if root.side() == attacker { plies } else { plies - 1 };
        tree.roots = first.iter().map(|position| tree.node(position, left)).collect();
        tree
    }

    fn place(&mut self, position: &Position) -> u32 {
        self.places.number(position, || Place {
            position: *position,
            judgements: Vec::new(),
            is_pending: false,
            is_exhausted: false,
            proof: None,
            nodes: Vec::new(),
        })
    }

    pub(super) fn find(&self, position: &Position) -> Option<&Place> {
        self.places.find(position)
    }

    fn node(&mut self, position: &Position, plies: u16) -> u32 {
        let place = self.place(position);
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

    /// The number of the root.
    fn root_number(&self) -> u32 {
        if self.root_is_hopeless { HOPELESS } else { self.hardest(&self.roots) }
    }

    /// The plies that the longest of the first positions takes at most, once all are proved.
    pub(super) fn root_plies(&self) -> u16 {
        self.roots.iter().filter_map(|node| self.proof_of(*node)).map(|(_, plies)| plies).max().unwrap_or(0)
    }

    /// The first positions with the attacker to move.
    pub(super) fn first_positions(&self) -> impl Iterator<Item = Position> {
        self.roots.iter().map(|node| self.places[self.nodes[*node as usize].place].position)
    }

    fn proof_of(&self, node: u32) -> Option<(Move, u16)> {
        let node = &self.nodes[node as usize];
        self.places[node.place].proof.filter(|(_, plies)| *plies <= node.plies)
    }

    fn hardest(&self, children: &[u32]) -> u32 {
        let numbers = || children.iter().map(|child| self.nodes[*child as usize].number).filter(|number| *number > 0);
        match numbers().max() {
            None => 0,
            Some(HOPELESS) => HOPELESS,
            Some(most) => most.saturating_add(numbers().count() as u32 - 1),
        }
    }

    fn try_number(&self, try_: &Try) -> u32 {
        if try_.is_dead { HOPELESS } else { self.hardest(&try_.children) }
    }

    /// The number of the next move that was not tried.
    fn next_number(&self, node: &Node) -> u32 {
        let place = &self.places[node.place];
        let tried = node.tries.len();
        match place.judgements.get(tried) {
            Some(judgement) => expected_effort(judgement.verdict),
            None if place.is_exhausted => HOPELESS,
            None => place
                .judgements
                .last()
                .map_or(UNJUDGED, |last| expected_effort(last.verdict).saturating_add(NEXT_TAKES_MORE)),
        }
    }

    fn number_of(&self, number: u32) -> u32 {
        let node = &self.nodes[number as usize];
        let place = &self.places[node.place];
        if place.proof.is_some_and(|(_, plies)| plies <= node.plies) {
            return 0;
        }
        let too_long = place.judgements.first().is_some_and(|first| match first.verdict {
            Verdict::Wins(plies) => plies > node.plies,
            Verdict::Open { no_win_within, .. } => no_win_within >= node.plies,
            Verdict::Fails => true,
        });
        if node.plies == 0 || too_long {
            return HOPELESS;
        }
        let tries = node.tries.iter().map(|try_| self.try_number(try_));
        tries.chain([self.next_number(node)]).min().unwrap_or(HOPELESS)
    }

    /// Computes the number of nodes anew, and of those above them that change by it.
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

    /// Is a move of a node proved by its children? Then its place has a proof.
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

    /// A proof of a place, if it is better than what is known; everything above hears of it.
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

    /// Children that are open: those that were never judged, then the hardest.
    fn in_order(&self, children: &[u32]) -> Vec<u32> {
        let mut open: Vec<u32> =
            children.iter().copied().filter(|child| self.nodes[*child as usize].number > 0).collect();
        open.sort_by_key(|child| {
            let node = &self.nodes[*child as usize];
            let is_judged = !self.places[node.place].judgements.is_empty();
            (is_judged, std::cmp::Reverse(node.number))
        });
        open
    }

    fn select_below(&mut self, number: u32, way: &mut Vec<u32>) -> Option<Leaf> {
        let place = self.nodes[number as usize].place;
        way.push(place);
        let found = self.select_at(number, way);
        way.pop();
        found
    }

    fn select_at(&mut self, number: u32, way: &mut Vec<u32>) -> Option<Leaf> {
        'again: loop {
            let node = &self.nodes[number as usize];
            let place = node.place;
            if node.number == 0 || node.number == HOPELESS {
                return None;
            }
            let next = self.next_number(node);
            let mut choices: Vec<(u32, Choice)> =
                node.tries.iter().enumerate().map(|(at, try_)| (self.try_number(try_), Choice::Try(at))).collect();
            choices.push((next, Choice::Next));
            choices.retain(|(number, _)| *number < HOPELESS);
            choices.sort_by_key(|(number, _)| *number);
            for (_, choice) in choices {
                match choice {
                    Choice::Next => {
                        let tried = self.nodes[number as usize].tries.len();
                        let known = &mut self.places[place];
                        if known.is_pending {
                            continue;
                        }
                        if known.judgements.len() > tried {
                            let move_ = known.judgements[tried].move_;
                            self.try_move(number, move_);
                            continue 'again;
                        }
                        known.is_pending = true;
                        let without = known.judgements.iter().map(|judgement| judgement.move_).collect();
                        return Some(Leaf { place, position: known.position, without });
                    }
                    Choice::Try(at) => {
                        let children = self.in_order(&self.nodes[number as usize].tries[at].children);
                        for child in children {
                            if way.contains(&self.nodes[child as usize].place) {
                                self.nodes[number as usize].tries[at].is_dead = true;
                                self.update(vec![number]);
                                continue 'again;
                            }
                            if let Some(job) = self.select_below(child, way) {
                                return Some(job);
                            }
                            // Looking into it may have changed the numbers.
                            if self.nodes[number as usize].number == 0 || self.nodes[number as usize].number == HOPELESS
                            {
                                return None;
                            }
                        }
                    }
                }
            }
            return None;
        }
    }

    fn try_move(&mut self, number: u32, move_: Move) {
        let (place, plies) = (self.nodes[number as usize].place, self.nodes[number as usize].plies);
        let position = self.places[place].position;
        let variant = Arc::clone(&self.variant);
        let (children, is_dead) = match replies_to(&variant, &position, &move_, Claim::Wins(self.attacker)) {
            Replies::Ended => {
                self.take(place, (move_, 1), true);
                (Vec::new(), true)
            }
            Replies::Escaped => (Vec::new(), true),
            Replies::Open(open) if plies < 2 => (Vec::new(), !open.is_empty()),
            Replies::Open(open) => (open.iter().map(|position| self.node(position, plies - 2)).collect(), false),
        };
        for child in &children {
            self.nodes[*child as usize].parents.push(number);
        }
        self.nodes[number as usize].tries.push(Try { move_, children, is_dead });
        self.prove(number);
        self.update(vec![number]);
    }
}

impl ProofGraph for Tree {
    fn select(&mut self) -> Option<Leaf> {
        loop {
            let updates = self.updates;
            let roots = self.in_order(&self.roots);
            if let Some(job) = roots.into_iter().find_map(|root| self.select_below(root, &mut Vec::new())) {
                self.pending += 1;
                return Some(job);
            }
            if updates == self.updates {
                // Every way that is left comes back to a position of its own.
                self.root_is_hopeless |= self.pending == 0 && !self.is_proved();
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

    fn is_hopeless(&self) -> bool {
        self.root_number() == HOPELESS
    }

    fn counts(&self) -> Counts {
        Counts { positions: self.places.len(), proved: self.proved, leaves: self.leaves, effort: self.root_number() }
    }
}
