//! The solver of a game: one layer after the other.

use std::sync::Arc;

use privy_base::threads::{map, try_map};
use privy_protocol::Stop;
use privy_rules::board::Point;
use privy_rules::{Side, Variant};

use crate::by_layers::{OpenLayers, StoredLayers};
use crate::checkpoint::Solve;
use crate::coding::{Coding, Counts, Section};
use crate::error::TableError;
use crate::numbering::Numbering;

use super::Ones;
use super::captures::{CaptureReader, Scores, WonLayer};
use super::free_jumps::Arrivals;
use super::index::{Index, StateIndex};
use super::layer::LayerBits;
use super::log::{Log, PIECE, pieces};
use super::moves::{CaptureValue, Moves};
use super::places::Places;
use super::plane::{BITS, MOST_LOW};
use super::ply::{Changes, Ply};
use super::rows::HighParts;

/// The solver of a game.
pub struct Kernel<'a> {
    variant: &'a Variant,
    index: Index<'a>,
    moves: Moves,
    coding: Coding,
    scores: Scores,
    /// The fewest Rebels with which a game continues.
    fewest: u32,
    /// The codes of landings with fewer Rebels, by their number: the General has won, but may still come to a point where it loses.
    won: Vec<WonLayer>,
    stop: &'a Stop,
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

impl<'a> Kernel<'a> {
    pub fn new(solve: &'a Solve<'_>) -> Kernel<'a> {
        Kernel::with_low(&solve.numbering, solve.coding, MOST_LOW, solve.interrupt.stop)
    }

    /// The solver with some number of low places, which are those of the numbering.
    pub fn with_low(numbering: &'a Numbering, coding: Coding, low: u32, stop: &'a Stop) -> Kernel<'a> {
        let variant = &*numbering.variant;
        let places = Places::new(variant, low);
        let moves = Moves::new(variant, &numbering.states, &places);
        let index = Index::new(places, numbering);
        let fewest = variant.rules().fewest_rebels();
        let scores = Scores::new(coding);
        let mut kernel = Kernel { variant, index, moves, coding, scores, fewest, won: Vec::new(), stop };
        let is_loss = CaptureValue::End(Side::Rebels);
        if kernel.moves.landings.iter().any(|landing| landing.stop == is_loss) {
            for rebels in 0..fewest.min(numbering.coverage.most()) {
                let codes = kernel.landings(rebels, &kernel.reader(rebels, &OpenLayers::NONE), &[]);
                kernel.won.push(codes.expect("no layer is read").into_iter().map(Arc::new).collect());
            }
        }
        kernel
    }

    /// The sections of a layer: its states, and the landings.
    pub fn sections(&self) -> usize {
        self.moves.states.len() + self.moves.landings.len()
    }

    fn state_index(&self, state: usize, rebels: u32) -> StateIndex<'_> {
        let (general, hand) = self.moves.section(state);
        self.index.state(general, rebels.checked_sub(hand.into()))
    }

    fn reader<'b>(&'b self, rebels: u32, below: &'b OpenLayers<'b>) -> CaptureReader<'b> {
        let of_kernel = (&self.index, &self.moves, &self.won[..]);
        CaptureReader::new(of_kernel, (self.coding, &self.scores), below, (rebels, self.fewest), self.stop)
    }

    fn check_stop(&self) -> Result<(), TableError> {
        if self.stop.is_set() { Err(TableError::Interrupted) } else { Ok(()) }
    }

    /// Solves a layer after those below: the counts with the General to move, and the sections of the states, then of the landings.
    /// `progress` gets the ply and the positions decided up to it, both sides to move.
    pub fn solve_layer(
        &self,
        rebels: u32,
        below: &StoredLayers<'_>,
        progress: &mut (dyn FnMut(u32, u64) + Send),
    ) -> Result<(Counts, Vec<Section>), TableError> {
        let below = below.open()?;
        let reader = self.reader(rebels, &below);
        let states = self.moves.states.len();
        let indices: Vec<StateIndex<'_>> = (0..states).map(|state| self.state_index(state, rebels)).collect();
        let parts = HighParts::new(self.index.places.high());
        let changes: Vec<Changes> = indices.iter().map(|_| Changes::new(parts)).collect();
        let free_jumps = self.moves.free_jumps.iter().map(|targets| {
            let hand = targets.first().map_or(0, |(state, _)| self.moves.states[*state].hand);
            Arrivals::new(targets, self.index.state(Point::HAND, rebels.checked_sub(hand.into())))
        });
        let mut bits = LayerBits::begin(&self.moves, &indices, free_jumps.collect(), &reader)?;
        let last_due = bits.last_due();
        let (mut counts, mut over) = (vec![[0; 2]; states], vec![[0; 2]; states]);
        let mut decided = 0;
        for number in 0.. {
            self.check_stop()?;
            if number > self.coding.most_plies() {
                return Err(TableError::too_long(self.variant, self.coding.most_plies(), ""));
            }
            let ply = Ply {
                number,
                moves: &self.moves,
                mirror: self.index.places.mirror(),
                indices: &indices,
                changes: &changes,
                is_mixed: self.coding.has_flag,
                stop: self.stop,
            };
            bits.touch(ply, parts);
            let of_ply = bits.ply(ply, if number == 0 { &mut over } else { &mut counts });
            self.check_stop()?;
            decided += of_ply;
            progress(number, decided);
            if number > 0 && of_ply == 0 && number >= last_due {
                break;
            }
        }
        let mut general = Counts::default();
        for (state, index) in indices.iter().enumerate() {
            let ([won, lost], over) = (counts[state], over[state][0] + over[state][1]);
            let drawn = index.positions as u64 - won - lost - over;
            general.add(Counts { won, drawn, lost }, self.moves.states[state].times);
        }
        let logs = std::mem::take(&mut bits.logs);
        drop(bits);
        // Landings are read by captures into this layer alone.
        let has_landings = !self.moves.landings.is_empty() && rebels < self.index.most();
        let section = |codes: &Vec<u16>| -> Result<Section, TableError> {
            self.check_stop()?;
            let bytes: [Vec<u8>; 2] = [0, 8].map(|shift| codes.iter().map(|code| (code >> shift) as u8).collect());
            Ok(Section::new(self.coding, &bytes[0], &bytes[1], self.stop))
        };
        if !has_landings {
            let of_state = |state: usize| section(&self.codes(&indices[state], &logs[state]));
            let mut sections: Vec<Section> = try_map(0..states, of_state)?;
            sections.resize(self.sections(), Section::default());
            return Ok((general, sections));
        }
        let mut codes = map(0..states, |state| self.codes(&indices[state], &logs[state]));
        codes.extend(self.landings(rebels, &reader, &codes)?);
        Ok((general, try_map(&codes, section)?))
    }

    /// The codes of the landings in a layer, from those with the Rebels to move.
    fn landings(
        &self,
        rebels: u32,
        reader: &CaptureReader<'_>,
        codes: &[Vec<u16>],
    ) -> Result<Vec<Vec<u16>>, TableError> {
        try_map(0..self.moves.landings.len(), |number| {
            self.check_stop()?;
            let landing = &self.moves.landings[number];
            let index = self.state_index(self.moves.states.len() + number, rebels);
            let jumps = reader.of(&landing.jumps)?;
            let stop = |number: usize| match landing.stop {
                CaptureValue::Below { section, .. } if rebels >= self.fewest => codes[section][number],
                CaptureValue::Below { .. } => self.coding.write(0, false),
                CaptureValue::End(winner) => self.coding.write(0, winner == Side::Rebels),
            };
            Ok(reader.landings(&jumps, &index, stop))
        })
    }

    /// The codes of the positions of a state with the Rebels to move. Once the solve is stopped they are incomplete.
    fn codes(&self, index: &StateIndex<'_>, logs: &[Log]) -> Vec<u16> {
        let (mut codes, mut by_bit) = (vec![0; index.positions], vec![[0u16; BITS]; PIECE]);
        for ((first, slots), log) in pieces(index.slots as usize).zip(logs).take_while(|_| !self.stop.is_set()) {
            by_bit.fill([0; BITS]);
            for entry in log.entries() {
                let (code, codes) = (self.coding.write(entry.ply, entry.wins), &mut by_bit[entry.slot]);
                entry.for_each(|bit| codes[bit] = code);
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
        codes
    }
}
