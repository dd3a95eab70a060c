//! The values of captures, from the layers below.
//!
//! They are read once, before the first ply of a layer, and kept in queues: what is due in which ply.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use privy_protocol::Stop;
use privy_rules::Side;

use crate::by_layers::OpenLayers;
use crate::coding::Coding;
use crate::error::TableError;
use crate::value::TableValue;

use super::Ones;
use super::index::{Index, StateIndex};
use super::log::{Queue, QueueMaker};
use super::moves::{Capture, CaptureValue, Moves};
use super::plane::{BITS, Parity, Plane, index_of_low};

/// The value of a capture for the General: 0 is none, above it losses, the latest last, a draw, and wins, the soonest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Score(u16);

impl Score {
    const NONE: Score = Score(0);
    const DRAW: Score = Score(0x4000);

    /// The score of a move after which the Rebels, to move, have a value.
    fn of_move_to(value: TableValue) -> Score {
        match value {
            TableValue::Win(plies) => Score(plies as u16 + 2),
            TableValue::Loss(plies) => Score(u16::MAX - 1 - plies as u16),
            _ => Score::DRAW,
        }
    }

    /// The score of a move that ends the game.
    fn of_end(winner: Side) -> Score {
        Score::of_move_to(if winner == Side::Rebels { TableValue::Win(0) } else { TableValue::Loss(0) })
    }

    /// The value of the move for the General.
    fn value(self) -> Option<TableValue> {
        match self {
            Score::NONE => None,
            Score::DRAW => Some(TableValue::Draw),
            Score(plies @ ..0x4000) => Some(TableValue::Loss(u32::from(plies) - 1)),
            Score(plies) => Some(TableValue::Win(u32::from(u16::MAX - plies))),
        }
    }
}

/// What values of captures are read from.
#[derive(Clone, Copy)]
pub(super) struct CaptureReader<'a> {
    index: &'a Index<'a>,
    moves: &'a Moves,
    coding: Coding,
    /// By code, the score.
    scores: &'a [Score],
    below: &'a OpenLayers<'a>,
    /// The codes of landings with so few Rebels that the General has won, by their number; none where it loses nowhere.
    won: &'a [WonLayer],
    /// The fewest Rebels with which a game continues.
    fewest: u32,
    rebels: u32,
    /// Once it is set, what is read is incomplete.
    stop: &'a Stop,
}

/// Scores by code.
pub(super) struct Scores(Vec<Score>);

impl Scores {
    pub(super) fn new(coding: Coding) -> Scores {
        Scores((0..crate::coding::CODES as u16).map(|code| Score::of_move_to(coding.value(code))).collect())
    }
}

/// The codes of landings in a layer in which the General has won.
pub(super) type WonLayer = Vec<Arc<Vec<u16>>>;

/// Sections of layers below, by number of Rebels and number.
type Sections = HashMap<(u32, usize), Arc<Vec<u16>>>;

/// The best captures of the positions of a slot.
struct SlotScores(Box<[Score; BITS]>);

impl<'a> CaptureReader<'a> {
    pub(super) fn new(
        (index, moves, won): (&'a Index<'a>, &'a Moves, &'a [WonLayer]),
        (coding, scores): (Coding, &'a Scores),
        below: &'a OpenLayers<'a>,
        (rebels, fewest): (u32, u32),
        stop: &'a Stop,
    ) -> CaptureReader<'a> {
        CaptureReader { index, moves, coding, scores: &scores.0, below, won, fewest, rebels, stop }
    }

    /// The captures of a state, ready to be read: those for which there are Rebels enough.
    pub(super) fn of<'b>(&self, captures: &'b [Capture]) -> Result<Vec<ReadyCapture<'a, 'b>>, TableError> {
        let mut sections = HashMap::new();
        let enough = captures.iter().filter(|capture| capture.captured.count_ones() <= self.rebels);
        enough.map(|capture| self.ready(capture, &mut sections)).collect()
    }

    fn ready<'b>(&self, capture: &'b Capture, sections: &mut Sections) -> Result<ReadyCapture<'a, 'b>, TableError> {
        let low = capture.captured & ((1 << self.index.places.low) - 1);
        let left = self.rebels - capture.captured.count_ones();
        let source = match capture.value {
            CaptureValue::End(winner) => Source::End(Score::of_end(winner)),
            CaptureValue::Below { section, .. } if left < self.fewest && !self.is_known(left, section) => {
                Source::End(Score::of_end(Side::General))
            }
            CaptureValue::Below { section, mirrored } => {
                let (general, hand) = self.moves.section(section);
                let index = self.index.state(general, left.checked_sub(hand.into()));
                let codes = match sections.entry((left, section)) {
                    Entry::Occupied(known) => Arc::clone(known.get()),
                    Entry::Vacant(new) => Arc::clone(new.insert(self.codes(left, section, index.positions)?)),
                };
                Source::Below { index: Box::new(index), codes, mirrored }
            }
        };
        Ok(ReadyCapture {
            capture,
            high: capture.captured >> self.index.places.low,
            low: index_of_low(low),
            changes_parity: low.count_ones() as usize & 1,
            source,
        })
    }

    /// True if landings have codes though the General has won with so few Rebels.
    fn is_known(&self, rebels: u32, section: usize) -> bool {
        section >= self.moves.states.len() && self.won.len() > rebels as usize
    }

    /// The codes of a section of a layer below.
    fn codes(&self, rebels: u32, section: usize, positions: usize) -> Result<Arc<Vec<u16>>, TableError> {
        if rebels < self.fewest {
            return Ok(Arc::clone(&self.won[rebels as usize][section - self.moves.states.len()]));
        }
        self.below.section_codes(rebels, section, positions).map(Arc::new)
    }

    /// Calls `each` with the index and the score of every set of a row in which a capture is legal.
    #[inline(always)]
    fn read(
        &self,
        capture: &ReadyCapture<'_, '_>,
        (sets, high, parity): (Plane, u64, Parity),
        mut each: impl FnMut(usize, Score),
    ) {
        let sets = capture.capture.when.of(sets, high, parity);
        match &capture.source {
            Source::End(score) => sets.for_each(|bit| each(bit, *score)),
            _ if sets.is_empty() => {}
            Source::Below { index, codes, mirrored } => {
                let high = high & !capture.high;
                let after = parity ^ capture.changes_parity;
                let mirror = self.index.places.mirror().filter(|_| *mirrored);
                let (start, ranks) = index.numbers(mirror.map_or(high, |mirror| mirror.high(high)));
                let codes = &codes[start..];
                match mirror {
                    None => sets.for_each(|bit| {
                        each(bit, self.scores[usize::from(codes[usize::from(ranks[bit - capture.low])])])
                    }),
                    Some(mirror) => {
                        let images = &mirror.low_images[after];
                        sets.for_each(|bit| {
                            let image = usize::from(images[bit - capture.low]);
                            each(bit, self.scores[usize::from(codes[usize::from(ranks[image])])]);
                        });
                    }
                }
            }
        }
    }

    /// The best of some captures in each set of a row.
    fn best(&self, captures: &[ReadyCapture<'_, '_>], row: (Plane, u64, Parity), scores: &mut SlotScores) {
        for capture in captures {
            self.read(capture, row, |bit, score| scores.0[bit] = scores.0[bit].max(score));
        }
    }

    /// The queue of the General's captures in some slots of a state. Sets the positions with a capture that is not lost yet, and those with
    /// any, where there are planes for them.
    pub(super) fn captures(
        &self,
        captures: &[ReadyCapture<'_, '_>],
        index: &StateIndex<'_>,
        (first, slots): (usize, usize),
        (held, must): (&mut [Plane], &mut [Plane]),
        queue: &mut QueueMaker,
    ) -> Queue {
        let mut scores = SlotScores(Box::new([Score::NONE; BITS]));
        for number in (0..slots).take_while(|_| !self.stop.is_set()) {
            let (slot, parity) = (first + number, index.parity(first + number));
            let mut any = Plane::EMPTY;
            for bit in Ones(index.rows(slot)) {
                let row = index.row(slot, bit);
                let sets = *index.weight(row.low) & index.valid[parity];
                for capture in captures {
                    any |= capture.capture.when.of(sets, row.high, parity);
                }
                self.best(captures, (sets, row.high, parity), &mut scores);
            }
            let mut not_lost = Plane::EMPTY;
            any.for_each(|bit| {
                match std::mem::replace(&mut scores.0[bit], Score::NONE).value() {
                    Some(TableValue::Win(plies)) => queue.push(bit, plies, true),
                    Some(TableValue::Loss(plies)) => queue.push(bit, plies, false),
                    _ => {}
                }
                not_lost.set(bit);
            });
            queue.end_slot(slot);
            if let Some(held) = held.get_mut(number) {
                *held |= not_lost;
            }
            if let Some(must) = must.get_mut(number) {
                *must = any;
            }
        }
        queue.end()
    }

    /// The queue of the values of arrivals among pairs, for the Rebels.
    pub(super) fn arrivals(
        &self,
        captures: &[ReadyCapture<'_, '_>],
        index: &StateIndex<'_>,
        (first, slots): (usize, usize),
        queue: &mut QueueMaker,
    ) -> Queue {
        for slot in (first..first + slots).take_while(|_| !self.stop.is_set()) {
            let parity = index.parity(slot);
            for bit in Ones(index.rows(slot)) {
                let row = index.row(slot, bit);
                let sets = *index.weight(row.low) & index.valid[parity];
                for capture in captures {
                    self.read(capture, (sets, row.high, parity), |bit, score| match score.value() {
                        // A ply earlier it is the Rebels' turn.
                        Some(TableValue::Win(plies)) => queue.push(bit, plies - 1, false),
                        Some(TableValue::Loss(plies)) => queue.push(bit, plies - 1, true),
                        _ => {}
                    });
                }
            }
            queue.end_slot(slot);
        }
        queue.end()
    }

    /// The codes of a General's landings with these jumps: where it jumps on, or stops with the values of `stops`.
    pub(super) fn landings(
        &self,
        captures: &[ReadyCapture<'_, '_>],
        index: &StateIndex<'_>,
        stop: impl Fn(usize) -> u16,
    ) -> Vec<u16> {
        let mut scores = SlotScores(Box::new([Score::NONE; BITS]));
        let mut codes = vec![0; index.positions];
        for slot in (0..index.slots as usize).take_while(|_| !self.stop.is_set()) {
            let parity = index.parity(slot);
            for bit in Ones(index.rows(slot)) {
                let row = index.row(slot, bit);
                let sets = *index.weight(row.low) & index.valid[parity];
                self.best(captures, (sets, row.high, parity), &mut scores);
                let (start, ranks) = index.numbers(row.high);
                sets.for_each(|bit| {
                    let number = start + usize::from(ranks[bit]);
                    let jump = std::mem::replace(&mut scores.0[bit], Score::NONE);
                    let code = stop(number);
                    let stop = self.scores[usize::from(code)];
                    let best = if jump == Score::NONE || self.moves.may_stop { stop.max(jump) } else { jump };
                    codes[number] = match best.value() {
                        Some(TableValue::Win(plies)) => self.coding.write(plies - 1, false),
                        Some(TableValue::Loss(plies)) => self.coding.write(plies - 1, true),
                        _ => 0,
                    };
                });
            }
        }
        codes
    }
}

/// A capture with what its values are read from.
#[derive(Debug)]
pub(super) struct ReadyCapture<'a, 'b> {
    capture: &'b Capture,
    /// The captured Rebels: on high places, and as part of the index of a low part.
    high: u64,
    low: usize,
    changes_parity: usize,
    source: Source<'a>,
}

#[derive(Debug)]
enum Source<'a> {
    End(Score),
    Below { index: Box<StateIndex<'a>>, codes: Arc<Vec<u16>>, mirrored: bool },
}
