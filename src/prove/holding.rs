//! The search for a proof that a side does not lose: a closed set of positions with a move each, such that every reply leads to one of
//! them, like a fortress in chess endgames.
//!
//! A repetition is a draw, so the strategy may go in circles. Each position reached gets the move that a search likes best, or one
//! whose replies lead to known positions only. A position is lost when a search proves it, or when all its moves lead to lost ones;
//! the positions before it then choose again. The proof is complete when every position within reach has a move.

use std::collections::HashSet;
use std::sync::Arc;

use crate::proofs::{Claim, Proof, Step};
use crate::rules::{Move, Position, Side, Variant};

use super::graph::{Leaf, Places, ProofGraph, ProveProgress, first_positions, replies_to};
use super::judge::Judgement;
use super::text::Verdict;

/// A position with the holder to move.
#[derive(Debug)]
struct Place {
    position: Position,
    /// Of the best move, of the best one without that, and so on.
    judgements: Vec<Judgement>,
    is_pending: bool,
    is_lost: bool,
    /// The chosen move, and the places after its replies.
    choice: Option<(Move, Vec<u32>)>,
    losing: Vec<Move>,
    /// Places whose choice leads or once led here.
    from: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct Holding {
    variant: Arc<Variant>,
    claim: Claim,
    root: Position,
    places: Places<Place>,
    roots: Vec<u32>,
    /// A reply at the root wins at once.
    root_is_lost: bool,
    /// Places without a move; the last one is judged first.
    open: Vec<u32>,
    pending: usize,
    is_closed: bool,
}

impl Holding {
    pub(super) fn new(variant: &Arc<Variant>, root: &Position, holder: Side) -> Holding {
        let mut holding = Holding {
            variant: Arc::clone(variant),
            claim: Claim::Holds(holder),
            root: *root,
            places: Places::new(),
            roots: Vec::new(),
            root_is_lost: false,
            open: Vec::new(),
            pending: 0,
            is_closed: false,
        };
        let first = first_positions(variant, root, holding.claim);
        holding.root_is_lost = first.is_none();
        holding.roots = first.unwrap_or_default().iter().map(|position| holding.place(position)).collect();
        holding.collect_open();
        holding
    }

    fn place(&mut self, position: &Position) -> u32 {
        self.places.number(position, || Place {
            position: *position,
            judgements: Vec::new(),
            is_pending: false,
            is_lost: false,
            choice: None,
            losing: Vec::new(),
            from: Vec::new(),
        })
    }

    /// All places within reach of the root by the choices, the nearest first.
    fn reachable(&self) -> Vec<u32> {
        let mut seen: HashSet<u32> = self.roots.iter().copied().collect();
        let mut reached = self.roots.clone();
        let mut at = 0;
        while let Some(place) = reached.get(at) {
            at += 1;
            if let Some((_, children)) = &self.places[*place].choice {
                reached.extend(children.iter().filter(|child| seen.insert(**child)));
            }
        }
        reached
    }

    /// Collects the reachable places without a move.
    fn collect_open(&mut self) {
        let reachable = self.reachable().into_iter().rev();
        self.open = reachable.filter(|place| self.places[*place].choice.is_none()).collect();
        self.is_closed = self.open.is_empty();
    }

    /// Chooses a move at a place, unless it leads to a loss.
    fn choose(&mut self, place: u32, move_: Move) -> bool {
        let replies = replies_to(&self.variant, &self.places[place].position, &move_, self.claim);
        let children: Option<Vec<u32>> =
            replies.map(|positions| positions.iter().map(|position| self.place(position)).collect());
        match children {
            Some(children) if children.iter().all(|child| !self.places[*child].is_lost) => {
                for child in &children {
                    self.places[*child].from.push(place);
                }
                self.places[place].choice = Some((move_, children));
                true
            }
            _ => {
                self.places[place].losing.push(move_);
                false
            }
        }
    }

    /// Chooses a move whose replies lead to places with a choice only, or the best judged one that does not lose. False when a judgement is
    /// needed.
    fn choose_known(&mut self, place: u32) -> bool {
        let Place { position, losing, judgements, .. } = &self.places[place];
        let has_choice = |position: &Position| {
            self.places.find(position).is_some_and(|place| !place.is_lost && place.choice.is_some())
        };
        let stays_inside = |move_: &Move| {
            let replies = replies_to(&self.variant, position, move_, self.claim);
            replies.is_some_and(|positions| positions.iter().all(has_choice))
        };
        let legal = self.variant.legal_moves(position);
        let mut moves = legal.iter().map(|path| *path.action()).filter(|move_| !losing.contains(move_));
        let known = moves.find(stays_inside);
        let judged = judgements.iter().filter(|judgement| judgement.verdict != Verdict::Fails);
        let judged: Vec<Move> =
            judged.map(|judgement| judgement.move_).filter(|move_| !losing.contains(move_)).collect();
        known.into_iter().chain(judged).any(|move_| self.choose(place, move_))
    }

    /// Marks a place as lost; the places that lead to it choose again.
    fn lose(&mut self, place: u32) {
        let mut lost = vec![place];
        while let Some(place) = lost.pop() {
            let known = &mut self.places[place];
            known.is_lost = true;
            known.choice = None;
            for parent in std::mem::take(&mut known.from) {
                let above = &mut self.places[parent];
                if let Some((move_, _)) = above.choice.take_if(|(_, children)| children.contains(&place)) {
                    above.losing.push(move_);
                    if !self.choose_known(parent) {
                        self.open.push(parent);
                    }
                }
            }
        }
    }

    /// The strategy of a proved graph.
    pub(super) fn strategy(&self) -> Proof {
        let mut proof = Proof::new(&self.variant, self.claim, self.root);
        for place in self.reachable() {
            let Place { position, choice, .. } = &self.places[place];
            let (move_, _) = choice.as_ref().expect("a closed strategy has a move everywhere");
            proof.insert(Step { position: *position, move_: *move_, plies: None });
        }
        proof
    }
}

impl ProofGraph for Holding {
    fn select(&mut self) -> Option<Leaf> {
        loop {
            while let Some(place) = self.open.pop() {
                let known = &self.places[place];
                if known.choice.is_some() || known.is_lost || known.is_pending || self.choose_known(place) {
                    continue;
                }
                let known = &mut self.places[place];
                let legal = self.variant.legal_moves(&known.position);
                if legal.iter().all(|path| known.losing.contains(path.action())) {
                    self.lose(place);
                    continue;
                }
                known.is_pending = true;
                self.pending += 1;
                return Some(Leaf::new(place, known.position, &known.judgements));
            }
            if self.is_closed || self.is_unprovable() {
                return None;
            }
            self.collect_open();
            if self.open.iter().all(|place| self.places[*place].is_pending) {
                return None;
            }
        }
    }

    fn judged(&mut self, place: u32, judgement: Option<Judgement>) {
        self.pending -= 1;
        let known = &mut self.places[place];
        known.is_pending = false;
        known.judgements.extend(judgement);
        // All moves judged before lose, and when the best of the others loses, so do the rest.
        match judgement {
            Some(Judgement { move_, verdict }) if verdict != Verdict::Fails => {
                if !self.choose(place, move_) {
                    self.open.push(place);
                }
            }
            _ => self.lose(place),
        }
        self.is_closed = false;
    }

    fn judgements(&self, place: u32) -> (&Position, &[Judgement]) {
        let place = &self.places[place];
        (&place.position, &place.judgements)
    }

    fn is_proved(&self) -> bool {
        self.is_closed && self.pending == 0 && !self.is_unprovable()
    }

    fn is_unprovable(&self) -> bool {
        self.root_is_lost || self.roots.iter().any(|place| self.places[*place].is_lost)
    }

    fn progress(&self) -> ProveProgress {
        let positions = self.places.all.len();
        let proved = self.places.all.iter().filter(|place| place.choice.is_some()).count();
        let effort = u32::try_from(self.open.len() + self.pending).unwrap_or(u32::MAX);
        ProveProgress { positions, proved, effort, ..ProveProgress::default() }
    }
}
