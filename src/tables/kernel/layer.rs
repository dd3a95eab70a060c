//! A layer: its plies, one after the other, and what comes of them.

use privy_base::threads::{each, map};
use privy_rules::board::Point;
use privy_rules::rule_set::NoMove;
use privy_rules::{Side, Variant};

use crate::coding::{Coding, Counts};
use crate::states::{Coverage, States};

use super::Ones;
use super::captures::{Below, CaptureReader, Scores};
use super::general::{GeneralPass, GeneralPiece, general_pass, write_found};
use super::index::{Index, StateIndex};
use super::log::{Log, PIECE, Queue, QueueMaker};
use super::moves::{CaptureValue, Moves};
use super::places::Places;
use super::plane::{BITS, Plane};
use super::ply::{Bits, Changes, Ply};
use super::rebels::{RebelsPass, RebelsPiece, rebels_pass};
use super::rows::{HighParts, Touched};

/// The solver of a game.
#[derive(Debug)]
pub struct Kernel {
    pub index: Index,
    pub moves: Moves,
    coding: Coding,
    /// The fewest Rebels with which a game continues.
    fewest: u32,
}

/// What is known of a layer.
#[derive(Debug)]
pub struct SolvedLayer {
    /// Positions with the General to move.
    pub general: Counts,
    /// Positions with the Rebels to move.
    pub rebels: Counts,
    /// The codes with the Rebels to move by state, then those of landings.
    pub codes: Vec<Vec<u16>>,
    pub plies: u32,
}

impl Below for Vec<Option<SolvedLayer>> {
    fn codes(&self, rebels: u32, section: usize) -> &[u16] {
        &self[rebels as usize].as_ref().expect("captures lead to layers that have been solved").codes[section]
    }
}

/// The bits of a layer.
struct LayerBits {
    rebels: Vec<Bits>,
    arrivals: Vec<Bits>,
    general: Vec<Bits>,
    /// By state, planes that only some games have; else empty.
    rebels_stuck: Vec<Vec<Plane>>,
    general_stuck: Vec<Vec<Plane>>,
    held: Vec<Vec<Plane>>,
    must: Vec<Vec<Plane>>,
    /// By state, with the Rebels to move and with the General to move, by slot the rows to look at.
    touched: Vec<[Vec<u32>; 2]>,
    /// By state and piece.
    captures: Vec<Vec<Queue>>,
    due_arrivals: Vec<Vec<Queue>>,
    logs: Vec<Vec<Log>>,
}

/// The slots of a piece.
fn pieces(slots: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..slots).step_by(PIECE).map(move |first| (first, PIECE.min(slots - first)))
}

/// The planes of a piece; none where there are none.
fn part(planes: &mut [Plane], piece: usize) -> &mut [Plane] {
    planes.chunks_mut(PIECE).nth(piece).unwrap_or_default()
}

impl Moves {
    /// The General's point and the Rebels in hand of a state or landing.
    pub(super) fn section(&self, section: usize) -> (Point, u8) {
        match self.states.get(section) {
            Some(state) => (state.general, state.hand),
            None => {
                let landing = &self.landings[section - self.states.len()];
                (landing.general, landing.hand)
            }
        }
    }
}

impl Kernel {
    pub fn new(variant: &Variant, states: &States, coverage: Coverage, coding: Coding, most_low: u32) -> Kernel {
        let places = Places::new(variant, most_low);
        let moves = Moves::new(variant, states, &places);
        let index = Index::new(places, coverage.most());
        Kernel { index, moves, coding, fewest: variant.rules().fewest_rebels() }
    }

    pub fn state_index(&self, state: usize, rebels: u32) -> StateIndex<'_> {
        let (general, hand) = self.moves.section(state);
        self.index.state(general, rebels.checked_sub(hand.into()))
    }

    /// Solves a layer after those below.
    pub fn solve_layer(&self, rebels: u32, below: &Vec<Option<SolvedLayer>>) -> SolvedLayer {
        let states = self.moves.states.len();
        let indices: Vec<StateIndex<'_>> = (0..states).map(|state| self.state_index(state, rebels)).collect();
        let parts = HighParts::new(self.index.places.high());
        let changes: Vec<Changes> = indices.iter().map(|_| Changes::new(parts)).collect();
        let scores = Scores::new(self.coding);
        let reader = CaptureReader::new(&self.index, &self.moves, (self.coding, &scores), below, (rebels, self.fewest));
        let mut bits = self.begin(&indices, &reader);
        let due = |queues: &[Vec<Queue>]| queues.iter().flatten().map(|queue| queue.last).max().unwrap_or(0);
        // Arrivals are read in the ply after.
        let last_due = due(&bits.captures).max(due(&bits.due_arrivals) + 1);
        let (mut counts, mut over) = (vec![[0; 2]; states], vec![[0; 2]; states]);
        let mut plies = 0;
        for number in 0.. {
            let ply = Ply {
                number,
                moves: &self.moves,
                mirror: self.index.places.mirror(),
                indices: &indices,
                changes: &changes,
                is_mixed: self.coding.has_flag,
            };
            bits.touch(ply, parts);
            let counts = if number == 0 { &mut over } else { &mut counts };
            let decided = bits.ply(ply, counts);
            if decided > 0 {
                plies = number;
            }
            if number > 0 && decided == 0 && number >= last_due {
                break;
            }
        }
        let mut general = Counts::default();
        for (state, index) in indices.iter().enumerate() {
            let ([won, lost], over) = (counts[state], over[state][0] + over[state][1]);
            let drawn = index.positions as u64 - won - lost - over;
            general.add(Counts { won, drawn, lost }, self.moves.states[state].times);
        }
        let LayerBits { logs, .. } = bits;
        let mut all = Counts::default();
        let sections = map(0..states, |state| self.codes(&indices[state], &logs[state]));
        let mut codes = Vec::new();
        for ((of_state, counts), state) in sections.into_iter().zip(&self.moves.states) {
            codes.push(of_state);
            all.add(counts, state.times);
        }
        codes.extend(self.landings(rebels, &reader, &codes));
        SolvedLayer { general, rebels: all, codes, plies }
    }

    /// A layer in which the General has won: in the middle of a chain of jumps it may still come to a point where it loses.
    pub fn won_layer(&self, rebels: u32, below: &Vec<Option<SolvedLayer>>) -> SolvedLayer {
        let scores = Scores::new(self.coding);
        let reader = CaptureReader::new(&self.index, &self.moves, (self.coding, &scores), below, (rebels, self.fewest));
        let mut codes = vec![Vec::new(); self.moves.states.len()];
        codes.extend(self.landings(rebels, &reader, &codes));
        SolvedLayer { general: Counts::default(), rebels: Counts::default(), codes, plies: 0 }
    }

    /// The codes of the landings in a layer, from those with the Rebels to move.
    fn landings(&self, rebels: u32, reader: &CaptureReader<'_>, codes: &[Vec<u16>]) -> Vec<Vec<u16>> {
        map(0..self.moves.landings.len(), |number| {
            let landing = &self.moves.landings[number];
            let index = self.state_index(self.moves.states.len() + number, rebels);
            let jumps = reader.of(&landing.jumps);
            let stop = |number: usize| match landing.stop {
                CaptureValue::Below { section, .. } if rebels >= self.fewest => codes[section][number],
                CaptureValue::Below { .. } => self.coding.write(0, false),
                CaptureValue::End(winner) => self.coding.write(0, winner == Side::Rebels),
            };
            reader.landings(&jumps, &index, stop)
        })
    }

    /// The layer before its first ply.
    fn begin(&self, indices: &[StateIndex<'_>], reader: &CaptureReader<'_>) -> LayerBits {
        let open = |indices: &[StateIndex<'_>]| {
            map(indices, |index| {
                let mut bits = Bits::default();
                bits.set_all_open(index);
                bits
            })
        };
        let moves = &self.moves;
        let planes = |are_needed: bool| {
            let of_state =
                |index: &StateIndex<'_>| vec![Plane::EMPTY; if are_needed { index.slots as usize } else { 0 }];
            indices.iter().map(of_state).collect::<Vec<_>>()
        };
        let has_captures = moves.states.iter().any(|state| !state.captures.is_empty());
        let mut bits = LayerBits {
            rebels: open(indices),
            arrivals: if moves.have_arrivals { open(indices) } else { Vec::new() },
            general: open(indices),
            rebels_stuck: planes(matches!(moves.rebels_stuck, NoMove::Draw | NoMove::Pass)),
            general_stuck: planes(moves.general_stuck == NoMove::Pass),
            held: planes(has_captures || moves.general_stuck == NoMove::Draw),
            must: planes(moves.is_compulsory),
            touched: indices.iter().map(|index| [(); 2].map(|()| vec![0; index.slots as usize])).collect(),
            captures: Vec::new(),
            due_arrivals: Vec::new(),
            logs: Vec::new(),
        };
        let of_states = bits.held.iter_mut().zip(&mut bits.must).zip(indices).zip(&moves.states);
        bits.captures = map(of_states, |(((held, must), index), state)| {
            let (captures, mut queue) = (reader.of(&state.captures), QueueMaker::default());
            let of_piece = |(number, (first, slots))| {
                let planes = (part(held, number), part(must, number));
                reader.captures(&captures, index, (first, slots), planes, &mut queue)
            };
            pieces(index.slots as usize).enumerate().map(of_piece).collect()
        });
        bits.due_arrivals = map(indices.iter().zip(&moves.states), |(index, state)| {
            let (captures, mut queue) = (reader.of(&state.arrivals), QueueMaker::default());
            let of_piece = |(first, slots)| reader.arrivals(&captures, index, (first, slots), &mut queue);
            pieces(index.slots as usize).map(of_piece).collect()
        });
        bits.logs =
            indices.iter().map(|index| pieces(index.slots as usize).map(|_| Log::default()).collect()).collect();
        bits
    }

    /// The codes of the positions of a state with the Rebels to move, and their counts.
    fn codes(&self, index: &StateIndex<'_>, logs: &[Log]) -> (Vec<u16>, Counts) {
        let (mut codes, mut by_bit) = (vec![0; index.positions], vec![[0u16; BITS]; PIECE]);
        let (mut counts, mut over) = (Counts::default(), 0);
        for ((first, slots), log) in pieces(index.slots as usize).zip(logs) {
            by_bit.fill([0; BITS]);
            for entry in log.entries() {
                let (code, codes) = (self.coding.write(entry.ply, entry.wins), &mut by_bit[entry.slot]);
                let mut count = 0;
                entry.for_each(|bit| {
                    codes[bit] = code;
                    count += 1;
                });
                match (entry.ply, entry.wins) {
                    (0, _) => over += count,
                    (_, true) => counts.won += count,
                    (_, false) => counts.lost += count,
                }
            }
            for (slot, by_bit) in (first..first + slots).zip(&by_bit) {
                for row in Ones(index.rows(slot)) {
                    let (numbers, indices) = index.row_numbers(slot, row);
                    for (code, bit) in codes[numbers].iter_mut().zip(indices) {
                        *code = by_bit[usize::from(*bit)];
                    }
                }
            }
        }
        counts.drawn = index.positions as u64 - counts.won - counts.lost - over;
        (codes, counts)
    }
}

impl LayerBits {
    /// Finds the rows that a ply looks at: those whose moves lead to what the last ply has changed.
    fn touch(&mut self, ply: Ply<'_>, parts: HighParts) {
        each(self.touched.iter_mut().enumerate(), |(state, [of_rebels, of_general])| {
            let (compiled, index, changes) = (&ply.moves.states[state], &ply.indices[state], ply.changes);
            changes[state].rebels(ply.number).clear();
            changes[state].general(ply.number).clear();
            of_rebels.fill(0);
            of_general.fill(0);
            // Ends without a cause in the ply before.
            let all = |rows: &mut [u32]| (0..).zip(rows).for_each(|(slot, rows)| *rows = index.rows(slot));
            if ply.number == 1 && !compiled.custody.is_empty() {
                all(of_rebels);
            }
            if ply.number == 1 && !compiled.ends.is_empty() {
                all(of_general);
            }
            if ply.number > 0 {
                let (last, mut touched) = (ply.last(), Touched::new(parts));
                touched.add_before(changes[compiled.rebels.target].general(last), &compiled.rebels);
                if ply.moves.rebels_may_pass() {
                    touched.add(changes[state].general(last));
                }
                touched.take(index, of_rebels);
                for (target, mirrored) in &compiled.general_targets {
                    match ply.mirror.filter(|_| *mirrored) {
                        Some(mirror) => touched.add_images(changes[*target].rebels(last), mirror),
                        None => touched.add(changes[*target].rebels(last)),
                    }
                }
                touched.take(index, of_general);
            }
        });
    }

    /// Computes a ply; returns the number of positions decided, both sides to move.
    fn ply(&mut self, ply: Ply<'_>, counts: &mut [[u64; 2]]) -> u64 {
        let (by_rebels, by_general);
        if ply.number == 0 {
            // While all positions of the General are open, the Rebels without a move are those whose moves lead to none.
            by_rebels = self.rebels_pass(ply);
            by_general = self.general_pass(ply, counts, Found::Written).0;
        } else if ply.is_mixed {
            // Either pass reads what the other one writes, so what the General's finds waits.
            let found = self.general_pass(ply, counts, Found::Waits(Vec::new())).1;
            by_rebels = self.rebels_pass(ply);
            by_general = self.general_pass(ply, counts, Found::Waited(found)).0;
        } else {
            by_general = self.general_pass(ply, counts, Found::Written).0;
            by_rebels = self.rebels_pass(ply);
        }
        self.take_arrivals(ply);
        by_rebels + by_general
    }

    fn rebels_pass(&mut self, ply: Ply<'_>) -> u64 {
        let mut pieces_of_states = Vec::new();
        let mut arrivals = self.arrivals.iter_mut();
        let of_states =
            self.rebels.iter_mut().zip(&mut self.logs).zip(&mut self.rebels_stuck).zip(&self.touched).enumerate();
        for (state, (((bits, logs), stuck), [touched, _])) in of_states {
            let target = &self.general[ply.moves.states[state].rebels.target];
            let pass = RebelsPass { ply, state, general: &self.general[state], target };
            let (mut stuck, mut touched) = (stuck.chunks_mut(PIECE), touched.chunks(PIECE));
            let (not_won, lost): (&mut [Plane], &mut [Plane]) = match arrivals.next() {
                Some(Bits { not_won, lost }) => (not_won, lost),
                None => Default::default(),
            };
            let (mut not_won, mut lost) = (not_won.chunks_mut(PIECE), lost.chunks_mut(PIECE));
            let of_piece = bits.not_won.chunks_mut(PIECE).zip(bits.lost.chunks_mut(PIECE)).zip(logs).enumerate();
            for (number, ((open, own_lost), log)) in of_piece {
                pieces_of_states.push((
                    pass,
                    RebelsPiece {
                        first: number * PIECE,
                        not_won: open,
                        lost: own_lost,
                        arrivals_not_won: not_won.next().unwrap_or_default(),
                        arrivals_lost: lost.next().unwrap_or_default(),
                        stuck: stuck.next().unwrap_or_default(),
                        touched: touched.next().unwrap_or_default(),
                        log,
                    },
                ));
            }
        }
        map(pieces_of_states, |(pass, mut piece)| rebels_pass(pass, &mut piece)).into_iter().sum()
    }

    /// The General's pass: returns the number of positions decided, and what waits.
    fn general_pass(&mut self, ply: Ply<'_>, counts: &mut [[u64; 2]], found: Found) -> (u64, Vec<FoundInPiece>) {
        let LayerBits { rebels, arrivals, general, held, must, general_stuck, touched, captures, .. } = self;
        let (rebels, arrivals) = (&*rebels, &*arrivals);
        let is_write = matches!(found, Found::Waited(_));
        let pieces = pieces_of_general((general, held, must, general_stuck, touched, captures), found);
        let done = map(pieces, |(state, mut piece)| {
            let pass = GeneralPass { ply, state, rebels, arrivals };
            if is_write {
                write_found(pass, &mut piece)
            } else {
                general_pass(pass, &mut piece)
            }
            (state, piece.counts, piece.found.unwrap_or_default())
        });
        let (mut decided, mut waits) = (0, Vec::new());
        for (state, [won, lost], found) in done {
            counts[state][0] += won;
            counts[state][1] += lost;
            decided += won + lost;
            waits.push(found);
        }
        (decided, waits)
    }

    /// Writes the values of arrivals that are due.
    fn take_arrivals(&mut self, ply: Ply<'_>) {
        let of_states = self.arrivals.iter_mut().zip(&mut self.due_arrivals).enumerate();
        each(of_states, |(state, (bits, queues))| {
            for (number, queue) in queues.iter_mut().enumerate() {
                for entry in queue.take(ply.number) {
                    let (slot, plane) = (number * PIECE + entry.slot, entry.plane());
                    if entry.wins {
                        bits.not_won[slot] = bits.not_won[slot].minus(plane);
                    } else {
                        bits.lost[slot] |= plane;
                    }
                    let index = &ply.indices[state];
                    for bit in Ones(index.rows(slot)) {
                        let row = index.row(slot, bit);
                        if !(plane & *index.weight(row.low)).is_empty() {
                            ply.changes[state].rebels(ply.number).add(row.high);
                        }
                    }
                }
            }
        });
    }
}

/// What the General's pass finds: by slot of a piece, won and lost.
type FoundInPiece = Vec<(usize, [Plane; 2])>;

/// What becomes of what the General's pass finds.
enum Found {
    /// It is written at once.
    Written,
    /// It waits, piece by piece.
    Waits(Vec<FoundInPiece>),
    /// It has waited, and is written.
    Waited(Vec<FoundInPiece>),
}

/// The planes and queues with the General to move.
type OfGeneral<'a> = (
    &'a mut [Bits],
    &'a mut [Vec<Plane>],
    &'a [Vec<Plane>],
    &'a mut [Vec<Plane>],
    &'a mut [[Vec<u32>; 2]],
    &'a mut [Vec<Queue>],
);

/// The General's pieces of all states.
fn pieces_of_general(
    (general, held, must, stuck, touched, captures): OfGeneral<'_>,
    found: Found,
) -> Vec<(usize, GeneralPiece<'_>)> {
    let (waits, mut found) = match found {
        Found::Written => (false, Vec::new().into_iter()),
        Found::Waits(found) | Found::Waited(found) => (true, found.into_iter()),
    };
    let mut pieces = Vec::new();
    let of_states = general.iter_mut().zip(held).zip(must).zip(stuck).zip(touched).zip(captures).enumerate();
    for (state, (((((bits, held), must), stuck), [_, touched]), captures)) in of_states {
        let mut touched = touched.chunks_mut(PIECE);
        let (mut held, mut must, mut stuck) = (held.chunks_mut(PIECE), must.chunks(PIECE), stuck.chunks_mut(PIECE));
        let of_state = bits.not_won.chunks_mut(PIECE).zip(bits.lost.chunks_mut(PIECE)).zip(captures).enumerate();
        for (number, ((not_won, lost), captures)) in of_state {
            let piece = GeneralPiece {
                first: number * PIECE,
                not_won,
                lost,
                held: held.next().unwrap_or_default(),
                must: must.next().unwrap_or_default(),
                stuck: stuck.next().unwrap_or_default(),
                touched: touched.next().unwrap_or_default(),
                captures,
                found: waits.then(|| found.next().unwrap_or_default()),
                counts: [0; 2],
            };
            pieces.push((state, piece));
        }
    }
    pieces
}
