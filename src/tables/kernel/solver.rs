//! The solver of a game: one layer after the other.

use std::path::PathBuf;

use privy_base::threads::{Threads, try_map};
use privy_protocol::Stop;
use privy_rules::board::Point;
use privy_rules::{Side, Variant};

use crate::by_layers::exchange::{PlySummary, Processes, Reach};
use crate::by_layers::{GrowingTable, Solve};
use crate::coding::{Coding, Counts, Section};
use crate::error::TableError;
use crate::numbering::Numbering;

use super::captures::{CaptureReader, Score, WonLayer};
use super::cells::{Cell, pieces};
use super::free_jumps::Arrivals;
use super::index::{Index, StateIndex};
use super::layer::{Decided, LayerBits};
use super::light::Light;
use super::log::{Log, LogFile};
use super::moves::{CaptureValue, Moves, State};
use super::ones;
use super::places::Places;
use super::plane::Plane;
use super::ply::{Changes, Ply};
use super::rows::HighParts;

/// The solver of a game.
pub struct Kernel<'a> {
    variant: &'a Variant,
    index: Index<'a>,
    moves: Moves,
    coding: Coding,
    scores: Vec<Score>,
    /// The fewest Rebels with which a game continues.
    fewest: u32,
    /// The codes of landings with fewer Rebels, by their number: the General has won, but may still come to a point
    /// where it loses.
    won: Vec<WonLayer>,
    /// The file of the log of a layer, and the most bytes of it in memory; `None` where there are no files.
    pub log: Option<(PathBuf, usize)>,
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
    pub fn new(solve: &'a Solve<'_>, process: usize) -> Kernel<'a> {
        let places = Places::of(&solve.numbering.variant);
        let kernel = Kernel::with_places(&solve.numbering, places, solve.stop);
        let log = solve.path_of_log(process).map(|path| (path, LogFile::MOST_HELD));
        Kernel { log, ..kernel }
    }

    /// The solver with some places, which are those of the numbering.
    pub fn with_places(numbering: &'a Numbering, places: Places, stop: &'a Stop) -> Kernel<'a> {
        let variant = &*numbering.variant;
        let coding = Coding::of(variant);
        let moves = Moves::new(numbering, &places);
        let index = Index::new(places, numbering);
        let fewest = variant.rules().fewest_rebels();
        let scores = Score::of_codes(coding);
        let mut kernel = Kernel { variant, index, moves, coding, scores, fewest, won: Vec::new(), log: None, stop };
        let is_loss = CaptureValue::End(Side::Rebels);
        if kernel.moves.landings.iter().any(|landing| landing.stop == is_loss) {
            for rebels in 0..fewest.min(numbering.most()) {
                let none = GrowingTable::in_memory(numbering, 0);
                let reader = kernel.reader(rebels, &none);
                let codes = (0..kernel.moves.landings.len()).map(|number| kernel.landing(number, rebels, &reader, &[]));
                let codes = codes.collect::<Result<_, _>>().expect("no layer is read");
                kernel.won.push(codes);
            }
        }
        kernel
    }

    /// The landings of a layer, whose sections come after those of its states.
    pub fn landings(&self) -> usize {
        self.moves.landings.len()
    }

    fn state_index(&self, state: usize, rebels: u32) -> StateIndex<'_> {
        let (general, hand) = self.moves.section(state);
        self.index.state(general, rebels.checked_sub(hand.into()))
    }

    fn reader<'b>(&'b self, rebels: u32, below: &'b GrowingTable<'b>) -> CaptureReader<'b> {
        let Kernel { index, moves, coding, scores, fewest, won, stop, .. } = self;
        CaptureReader { index, moves, coding: *coding, scores, below, won, fewest: *fewest, rebels, stop }
    }

    fn check_stop(&self) -> Result<(), TableError> {
        if self.stop.is_set() { Err(TableError::Interrupted) } else { Ok(()) }
    }

    /// What processes must know of the states to share them.
    pub fn reach(&self) -> Vec<Reach> {
        // Where Rebels are in hand, a drop leads to the state with one fewer.
        let root = |mut state: usize| loop {
            match self.moves.states[state].rebels.target {
                target if target == state => return state,
                target => state = target,
            }
        };
        let mut roots = Vec::new();
        let reach = |(number, state): (usize, &State)| {
            let group = roots.iter().position(|known| *known == root(number)).unwrap_or_else(|| {
                roots.push(root(number));
                roots.len() - 1
            });
            let jumps = state.free_jumps.iter().flat_map(|(number, _)| &self.moves.free_jumps[*number]);
            Reach { group, targets: state.general_targets.iter().chain(jumps).map(|(target, _)| *target).collect() }
        };
        self.moves.states.iter().enumerate().map(reach).collect()
    }

    /// Solves a layer after those below: the first process gets the counts with the General to move, and the sections
    /// of the states, then of the landings; the others get nothing. `progress` gets the ply, the positions decided up
    /// to it, both sides to move, and the bytes sent to other processes since the solve began.
    pub fn solve_layer(
        &self,
        rebels: u32,
        below: &GrowingTable<'_>,
        processes: &mut Processes<'_>,
        threads: &Threads,
        progress: &mut (dyn FnMut(u32, u64, u64) + Send),
    ) -> Result<(Counts, Vec<Section>), TableError> {
        let reader = self.reader(rebels, below);
        let states = self.moves.states.len();
        let own: Vec<usize> = (0..states).filter(|state| processes.shares.is_own(*state)).collect();
        let indices: Vec<StateIndex<'_>> = (0..states).map(|state| self.state_index(state, rebels)).collect();
        let places = &self.index.places;
        let parts = HighParts::new(places.high());
        let changes: Vec<Changes> = indices.iter().map(|_| Changes::new(parts)).collect();
        let free_jumps = self.moves.free_jumps.iter().enumerate().map(|(number, targets)| {
            let makes = |state: &usize| self.moves.states[*state].free_jumps.is_some_and(|(own, _)| own == number);
            let hand = targets.first().map_or(0, |(state, _)| self.moves.states[*state].hand);
            let placed = rebels.checked_sub(hand.into()).filter(|_| own.iter().any(makes));
            Arrivals::new(targets, self.index.state(Point::HAND, placed), parts)
        });
        let (free_jumps, shares) = (free_jumps.collect(), &processes.shares);
        let mut bits = threads.run(|| LayerBits::begin(&self.moves, &indices, free_jumps, &reader, shares))?;
        let last_due = bits.last_due();
        let (mut file, mut log) = (None, self.log.as_ref());
        let (mut counts, mut over) = (vec![[0; 2]; states], vec![[0; 2]; states]);
        let mut decided = 0;
        for number in 0.. {
            if number > self.coding.most_plies() {
                return Err(TableError::too_long(self.variant, self.coding.most_plies()));
            }
            let ply = Ply {
                number,
                moves: &self.moves,
                places,
                indices: &indices,
                changes: &changes,
                is_mixed: self.coding.has_flag,
                stop: self.stop,
            };
            let counts = if number == 0 { &mut over } else { &mut counts };
            let of_ply = threads.run(|| {
                bits.touch(ply, parts);
                bits.ply(ply, counts)
            });
            let summary = PlySummary { decided: of_ply, longest: last_due.into(), stop: self.stop.is_set().into() };
            let summary = processes.exchange_ply(summary, &mut Decided { bits: &mut bits, ply }, threads)?;
            if summary.stop > 0 {
                return Err(TableError::Interrupted);
            }
            let of_ply = summary.decided[0] + summary.decided[1];
            decided += of_ply;
            if let Some(Err(error)) = log.map(|(path, most)| bits.file_logs(&mut file, path, *most)) {
                // The solve continues, with more memory.
                log::warn!("what plies decide stays in memory: {error}");
                log = None;
            }
            progress(number, decided, processes.sent);
            if number > 0 && of_ply == 0 && u64::from(number) >= summary.longest {
                break;
            }
        }
        let mut general = Counts::default();
        for state in &own {
            let ([won, lost], over) = (counts[*state], over[*state][0] + over[*state][1]);
            let drawn = indices[*state].positions as u64 - won - lost - over;
            general.add(Counts { won, drawn, lost }, self.moves.states[*state].times);
        }
        let cells = bits.bytes();
        let logs = bits.into_logs();
        // No capture leads to the last layer, and captures alone read landings.
        let landings = if rebels < self.index.most() { &self.moves.landings[..] } else { &[] };
        let of_state = |state: Option<usize>| -> Result<Vec<(usize, Section)>, TableError> {
            let codes = state.map(|state| self.codes(&indices[state], &logs[state], file.as_ref()));
            let codes = codes.transpose()?.unwrap_or_default();
            let of_state = state.map(|state| Ok((state, self.section(&codes)?)));
            let landings = (states..).zip(landings).filter(|(_, landing)| landing.stops_in() == state);
            let landings = landings.map(|(number, _)| {
                let codes = self.landing(number - states, rebels, &reader, &codes)?;
                Ok((number, self.section(&codes)?))
            });
            of_state.into_iter().chain(landings).collect()
        };
        // Landings that end the game belong to no state.
        let of_none = processes.is_first().then_some(None);
        let all: Vec<Option<usize>> = own.iter().copied().map(Some).chain(of_none).collect();
        // The codes of a state take two bytes of each position, and less as they are compressed: as many states at once
        // as there was memory for in the plies.
        let most = own.iter().map(|state| indices[*state].positions as u64 * 4).max().unwrap_or(0);
        let at_once = (cells / most.max(1)).clamp(1, all.len().max(1) as u64) as usize;
        let sections = threads.run(|| {
            let mut sections = vec![None; states + self.landings()];
            for some in all.chunks(at_once) {
                for (number, section) in try_map(some, |state| of_state(*state))?.into_iter().flatten() {
                    sections[number] = Some(section);
                }
            }
            Ok(sections)
        });
        let sections = processes.unless_one_stopped(sections)?;
        processes.gather(general, sections)
    }

    fn section(&self, codes: &[u16]) -> Result<Section, TableError> {
        self.check_stop()?;
        Ok(Section::new(self.coding, codes, self.stop))
    }

    /// The codes of a landing in a layer, from those of the state in which the General may stop there.
    fn landing(
        &self,
        number: usize,
        rebels: u32,
        reader: &CaptureReader<'_>,
        codes: &[u16],
    ) -> Result<Vec<u16>, TableError> {
        self.check_stop()?;
        let landing = &self.moves.landings[number];
        let index = self.state_index(self.moves.states.len() + number, rebels);
        let mut jumps = reader.of(&landing.jumps);
        let codes = jumps.landings(&index, |number| match landing.stop {
            CaptureValue::Below { .. } if rebels >= self.fewest => codes[number],
            CaptureValue::Below { .. } => self.coding.write(0, false),
            CaptureValue::End(winner) => self.coding.write(0, winner == Side::Rebels),
        });
        jumps.end().map(|()| codes)
    }

    /// The codes of the positions of a state with the Rebels to move.
    fn codes(&self, index: &StateIndex<'_>, logs: &[Log], file: Option<&LogFile>) -> Result<Vec<u16>, TableError> {
        let mut codes = vec![0; index.positions];
        let (planes, light) = logs.split_at(pieces::<Plane>(index).count());
        self.codes_of::<Plane>(index, (planes, file), &mut codes)?;
        self.codes_of::<Light>(index, (light, file), &mut codes)?;
        Ok(codes)
    }

    fn codes_of<C: Cell>(
        &self,
        index: &StateIndex<'_>,
        (logs, file): (&[Log], Option<&LogFile>),
        codes: &mut [u16],
    ) -> Result<(), TableError> {
        let mut by_bit = vec![0u16; C::BITS * C::PIECE];
        for ((first, slots), log) in pieces::<C>(index).zip(logs) {
            self.check_stop()?;
            by_bit.fill(0);
            log.for_each(file, |entry| {
                let code = self.coding.write(entry.ply, entry.wins);
                let codes = &mut by_bit[entry.slot * C::BITS..][..C::BITS];
                entry.for_each(|bit| codes[bit] = code);
            })?;
            for (slot, by_bit) in (first..first + slots).zip(by_bit.chunks(C::BITS)) {
                for bit in ones(index.rows(slot)) {
                    let row = index.row(slot, bit);
                    let codes = &mut codes[index.numbers(row.high).0];
                    for (code, of_low) in codes.iter_mut().zip(index.indices(row.low)) {
                        *code = by_bit[C::bit(index, row.low, usize::from(*of_low))];
                    }
                }
            }
        }
        Ok(())
    }
}
