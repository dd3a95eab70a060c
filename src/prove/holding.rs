//! A side that does not lose: positions with a move each, such that every reply leads to one of them.
//!
//! A repetition is a draw, so a strategy that holds may go round in circles; what it must not have is an end. Each position that is reached gets
//! the move that a search likes best, or one whose replies lead nowhere new. A position is lost when a search proves
//! it, or when all its moves lead to lost ones; those that led there choose again. When every position within reach has a move, nothing
//! is left that could be lost.
//!
//! Compare the fortresses that one looks for in chess endings: a closed set of positions, not a way to an end.

use std::collections::HashSet;
use std::sync::Arc;

use crate::proofs::{Claim, Proof, Step};
use crate::rules::{Move, Position, Side, Variant};

use super::judge::Judgement;
use super::places::Places;
use super::replies::{Replies, replies, replies_to};
use super::text::Verdict;
use super::work::{Counts, Leaf, ProofGraph};

/// A position with the holder to move.
#[derive(Debug)]
struct Place {
    position: Position,
    /// Of the best move, of the best one without that, and so on.
    judgements: Vec<Judgement>,
    /// Is it being judged?
    is_pending: bool,
    is_lost: bool,
    /// The move that is played here, and where the replies lead.
    choice: Option<(Move, Vec<u32>)>,
    /// Moves that lose.
    losing: Vec<Move>,
    /// Places whose choice leads here, or led here once.
    from: Vec<u32>,
}

/// The positions that were reached.
#[derive(Debug)]
pub(super) struct Holding {
    variant: Arc<Variant>,
    holder: Side,
    root: Position,
    places: Places<Place>,
    roots: Vec<u32>,
    /// A reply at the root wins at once.
    root_is_lost: bool,
    /// Places without a move, in the order in which they are to be judged.
    open: Vec<u32>,
    pending: usize,
    is_closed: bool,
}

impl Holding {
    pub(super) fn new(variant: &Arc<Variant>, root: &Position, holder: Side) -> Holding {
        let mut holding = Holding {
            variant: Arc::clone(variant),
            holder,
            root: *root,
            places: Places::new(),
            roots: Vec::new(),
            root_is_lost: false,
            open: Vec::new(),
            pending: 0,
            is_closed: false,
        };
        let first = if root.side() == holder {
            Replies::Open(vec![variant.canonical(root)])
        } else {
            replies(variant, root, Claim::Holds(holder))
        };
        match first {
            Replies::Open(open) => holding.roots = open.iter().map(|position| holding.place(position)).collect(),
            _ => holding.root_is_lost = true,
        }
        holding.look_around();
        holding
    }

    /// The positions after a move and its replies; none when one of them loses at once.
    fn replies_to(&self, position: &Position, move_: &Move) -> Option<Vec<Position>> {
        match replies_to(&self.variant, position, move_, Claim::Holds(self.holder)) {
            Replies::Ended => Some(Vec::new()),
            Replies::Escaped => None,
            Replies::Open(positions) => Some(positions),
        }
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

    /// Looks through all that is within reach of the root for places without a move.
    fn look_around(&mut self) {
        let mut seen: HashSet<u32> = self.roots.iter().copied().collect();
        let mut open = self.roots.clone();
        let mut at = 0;
        self.open.clear();
        while let Some(place) = open.get(at).copied() {
            at += 1;
            match &self.places[place].choice {
                Some((_, children)) => open.extend(children.iter().filter(|child| seen.insert(**child))),
                None => self.open.push(place),
            }
        }
        // The nearest to the root last: they are taken first.
        self.open.reverse();
        self.is_closed = self.open.is_empty();
    }

    /// Plays a move at a place, unless a reply to it wins.
    fn choose(&mut self, place: u32, move_: Move) -> bool {
        let position = self.places[place].position;
        let children = self
            .replies_to(&position, &move_)
            .map(|positions| positions.iter().map(|position| self.place(position)).collect::<Vec<u32>>());
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

    /// Plays a move whose replies lead to known places alone, or the best one that was judged and does not lose. False when a judgement is needed.
    fn choose_known(&mut self, place: u32) -> bool {
        let Place { position, losing, judgements, .. } = &self.places[place];
        let leads_nowhere_new = |move_: &Move| {
            self.replies_to(position, move_).is_some_and(|positions| {
                let is_known =
                    |position| self.places.find(position).is_some_and(|place| !place.is_lost && place.choice.is_some());
                positions.iter().all(is_known)
            })
        };
        let legal = self.variant.legal_moves(position);
        let open = legal.iter().map(|path| *path.action()).filter(|move_| !losing.contains(move_));
        let known = open.clone().find(leads_nowhere_new);
        let judged: Vec<Move> = judgements
            .iter()
            .filter(|judgement| judgement.verdict != Verdict::Fails && !losing.contains(&judgement.move_))
            .map(|judgement| judgement.move_)
            .collect();
        known.into_iter().chain(judged).any(|move_| self.choose(place, move_))
    }

    fn has_only_losing_moves(&self, place: u32) -> bool {
        let Place { position, losing, .. } = &self.places[place];
        self.variant.legal_moves(position).iter().all(|path| losing.contains(path.action()))
    }

    /// A place is lost: those that led there choose again.
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

    /// The strategy, once it is closed.
    pub(super) fn proof(&self) -> Proof {
        let mut proof = Proof::new(&self.variant, Claim::Holds(self.holder), self.root);
        let mut open = self.roots.clone();
        let mut seen: HashSet<u32> = open.iter().copied().collect();
        while let Some(place) = open.pop() {
            let place = &self.places[place];
            let (move_, children) = place.choice.as_ref().expect("a closed strategy has a move everywhere");
            proof.insert(Step { position: place.position, move_: *move_, plies: None });
            open.extend(children.iter().filter(|child| seen.insert(**child)));
        }
        proof
    }
}

impl ProofGraph for Holding {
    fn select(&mut self) -> Option<Leaf> {
        loop {
            while let Some(place) = self.open.pop() {
                let known = &self.places[place];
                if known.choice.is_some() || known.is_lost || known.is_pending {
                    continue;
                }
                if self.choose_known(place) {
                    continue;
                }
                if self.has_only_losing_moves(place) {
                    self.lose(place);
                    continue;
                }
                let known = &mut self.places[place];
                known.is_pending = true;
                self.pending += 1;
                let without = known.judgements.iter().map(|judgement| judgement.move_).collect();
                return Some(Leaf { place, position: known.position, without });
            }
            if self.is_closed || self.is_hopeless() {
                return None;
            }
            self.look_around();
            let is_waiting = self.open.iter().all(|place| self.places[*place].is_pending);
            if is_waiting {
                return None;
            }
        }
    }

    fn judged(&mut self, place: u32, judgement: Option<Judgement>) {
        self.pending -= 1;
        let known = &mut self.places[place];
        known.is_pending = false;
        known.judgements.extend(judgement);
        // All moves that were judged before lose, and so do all others when the best of them does.
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
        self.is_closed && self.pending == 0 && !self.is_hopeless()
    }

    fn is_hopeless(&self) -> bool {
        self.root_is_lost || self.roots.iter().any(|place| self.places[*place].is_lost)
    }

    fn counts(&self) -> Counts {
        let effort = self.open.len() + self.pending;
        let proved = self.places.iter().filter(|place| place.choice.is_some()).count();
        Counts { positions: self.places.len(), proved, leaves: 0, effort: u32::try_from(effort).unwrap_or(u32::MAX) }
    }
}
