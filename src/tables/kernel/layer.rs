//! The bits of a layer, and its plies.

use privy_base::threads::{each, map, try_map};
use privy_rules::rule_set::NoMove;

use crate::error::TableError;

use super::Ones;
use super::captures::CaptureReader;
use super::free_jumps::{Arrivals, refresh};
use super::general::{GeneralPass, GeneralPiece, general_pass, write_found};
use super::index::StateIndex;
use super::log::{Log, PIECE, Queue, QueueMaker, pieces};
use super::moves::Moves;
use super::plane::Plane;
use super::ply::{Bits, Ply};
use super::rebels::{RebelsPass, RebelsPiece, rebels_pass};
use super::rows::{HighParts, Touched};

/// The bits of a layer.
pub(super) struct LayerBits<'a> {
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
    free_jumps: Vec<Arrivals<'a>>,
    /// By state and piece.
    captures: Vec<Vec<Queue>>,
    due_arrivals: Vec<Vec<Queue>>,
    pub(super) logs: Vec<Vec<Log>>,
}

/// The planes of a piece; none where there are none.
fn part(planes: &mut [Plane], piece: usize) -> &mut [Plane] {
    planes.chunks_mut(PIECE).nth(piece).unwrap_or_default()
}

impl<'a> LayerBits<'a> {
    /// The layer before its first ply.
    pub(super) fn begin(
        moves: &'a Moves,
        indices: &[StateIndex<'_>],
        free_jumps: Vec<Arrivals<'a>>,
        reader: &CaptureReader<'_>,
    ) -> Result<LayerBits<'a>, TableError> {
        let open = |indices: &[StateIndex<'_>]| {
            map(indices, |index| {
                let mut bits = Bits::default();
                bits.set_all_open(index);
                bits
            })
        };
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
            free_jumps,
            captures: Vec::new(),
            due_arrivals: Vec::new(),
            logs: Vec::new(),
        };
        let of_states = bits.held.iter_mut().zip(&mut bits.must).zip(indices).zip(&moves.states);
        bits.captures = try_map(of_states, |(((held, must), index), state)| {
            let (captures, mut queue) = (reader.of(&state.captures)?, QueueMaker::default());
            let of_piece = |(number, (first, slots))| {
                let planes = (part(held, number), part(must, number));
                reader.captures(&captures, index, (first, slots), planes, &mut queue)
            };
            Ok::<_, TableError>(pieces(index.slots as usize).enumerate().map(of_piece).collect())
        })?;
        bits.due_arrivals = try_map(indices.iter().zip(&moves.states), |(index, state)| {
            let (captures, mut queue) = (reader.of(&state.arrivals)?, QueueMaker::default());
            let of_piece = |(first, slots)| reader.arrivals(&captures, index, (first, slots), &mut queue);
            Ok::<_, TableError>(pieces(index.slots as usize).map(of_piece).collect())
        })?;
        bits.logs =
            indices.iter().map(|index| pieces(index.slots as usize).map(|_| Log::default()).collect()).collect();
        Ok(bits)
    }

    /// The last ply in which a capture is due, or an arrival is read.
    pub(super) fn last_due(&self) -> u32 {
        let due = |queues: &[Vec<Queue>]| queues.iter().flatten().map(|queue| queue.last).max().unwrap_or(0);
        // Arrivals are read in the ply after.
        due(&self.captures).max(due(&self.due_arrivals) + 1)
    }

    /// Finds the rows that a ply looks at: those whose moves lead to what the last ply has changed.
    pub(super) fn touch(&mut self, ply: Ply<'_>, parts: HighParts) {
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
        let bits = if self.arrivals.is_empty() { &self.rebels } else { &self.arrivals };
        each(&mut self.free_jumps, |arrivals| {
            if ply.number > 0 {
                arrivals.touch(ply, &mut Touched::new(parts));
                refresh(arrivals, ply, bits);
            }
        });
    }

    /// Computes a ply; returns the number of positions decided, both sides to move.
    pub(super) fn ply(&mut self, ply: Ply<'_>, counts: &mut [[u64; 2]]) -> u64 {
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
        map(pieces_of_states, |(pass, mut piece)| match ply.stop.is_set() {
            true => 0,
            false => rebels_pass(pass, &mut piece),
        })
        .into_iter()
        .sum()
    }

    /// The General's pass: returns the number of positions decided, and what waits.
    fn general_pass(&mut self, ply: Ply<'_>, counts: &mut [[u64; 2]], found: Found) -> (u64, Vec<FoundInPiece>) {
        let LayerBits { rebels, arrivals, general, held, must, general_stuck, touched, captures, free_jumps, .. } =
            self;
        let (rebels, arrivals, free_jumps) = (&*rebels, &*arrivals, &free_jumps[..]);
        let is_write = matches!(found, Found::Waited(_));
        let pieces = pieces_of_general((general, held, must, general_stuck, touched, captures), found);
        let done = map(pieces, |(state, mut piece)| {
            let pass = GeneralPass { ply, state, rebels, arrivals, free_jumps };
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
