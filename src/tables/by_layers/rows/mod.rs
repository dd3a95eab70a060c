//! The analysis of a layer by rows of bits, for games of steps and jumps.
//!
//! A layer is solved a ply at a time, and sets of Rebels are looked at by rows of up to 6,435 (`split`). A Rebel's step on high places leads from one row to another in all its sets at once; a step on low places, of which
//! there are few, is followed for each fresh set (`moves`). There is a bit for each set and question:
//!
//! - A position is won when a move leads to one that the last ply made lost: the rows of fresh sets, together.
//! - It is lost when no move leads to one that is not won. Only sets from which a move leads to one that the last ply made won are
//!   asked; all open ones where these are many.
//! - In odd plies positions are won, in even ones lost, since nobody loses by its own move in these games. So a ply asks one of these.
//!
//! What a ply decides is recorded (`ply_records`), also for a run that goes on from there (`ply_log`), and the values are written when all are
//! known. Those of captures are known before the first ply, as bytes (`captures`). Where jumps make chains, the layer below also has the values
//! of the General's landings: of the best that it can do there, whether it continues or not.

mod captures;
mod low_moves;
mod moves;
mod pass;
mod ply_log;
mod ply_records;
mod split;
mod word_moves;

use std::path::PathBuf;

use privy_base::threads::{Threads, map, try_map};
use privy_protocol::Stop;
use privy_rules::board::PointSet;
use privy_rules::rule_set::{JumpRows, RuleSet};
use privy_rules::{MoveKind, Side, Variant};

use crate::checkpoint::Solve;
use crate::coding::{CODES, Coding, Counts, Layer, Section};
use crate::error::TableError;
use crate::file::Header;
use crate::numbering::Numbering;
use crate::states::GeneralState;

use super::Reach;
use super::exchange::{PlyMessages, PlySummary, Processes, Shares};
use super::stored_layers::{OpenLayers, StoredLayers};
use captures::{CaptureReader, CaptureScore, Near, dispatch_near};
use low_moves::KnownLowMoves;
use moves::{Fresh, Geometry, Moves, SetMove};
use pass::{Piece, Ply, SideLayer, pass};
pub(super) use ply_records::PlyRecords;
use ply_records::PlySource;
pub use split::Places;
use split::{Layout, Shape, Split};

/// The most bytes of records of plies in memory.
pub(super) const MOST_RECORDS: u64 = 16 << 20;

/// The share of positions above which a ply asks all open ones whether they are lost.
const MANY: u64 = 16;

/// True if a variant has only words that rows serve.
pub fn is_for(variant: &Variant) -> bool {
    let words = variant.rule_set();
    let served = RuleSet {
        jump: words.jump,
        jump_lines: words.jump_lines,
        leap: words.leap,
        slide: words.slide,
        orthogonal_steps: words.orthogonal_steps,
        general_never_on: words.general_never_on.clone(),
        compulsory: words.compulsory,
        forward: words.forward,
        enter_privy: words.enter_privy,
        rebels_never_on: words.rebels_never_on.clone(),
        rebels_at_most: words.rebels_at_most,
        repetition: words.repetition,
        ..RuleSet::bare(words.first)
    };
    served == *words && words.jump_rows == JumpRows::One && !variant.has_hand() && Places::usual(variant).is_some()
}

/// Bytes of a layer in a process.
pub(super) fn bytes_of_layer(variant: &Variant, states: &[Reach], shares: &Shares, rebels: u32) -> u64 {
    let Some(places) = Places::usual(variant) else { return u64::MAX };
    let of_state = |(state, reach): (usize, &Reach)| {
        let layout = Layout::new(places.shape(variant, reach.state).places, rebels);
        match shares.is_own(state) {
            true => layout.bytes(),
            false if shares.reads_from_others(state) => layout.bytes_read(),
            false => 0,
        }
    };
    states.iter().enumerate().map(of_state).fold(0, u64::saturating_add)
}

/// Sections of a state in a layer: its values, and the landings where jumps make chains.
pub fn sections_of_state(variant: &Variant) -> usize {
    if variant.rules().jumps_go_on { 2 } else { 1 }
}

/// What the General may do at a landing where it can jump on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chains {
    None,
    MayStop,
    MustGoOn,
}

pub struct ByRows<'a> {
    variant: &'a Variant,
    coding: Coding,
    numbering: &'a Numbering,
    split: Split,
    shapes: Vec<Shape>,
    rebel_moves: Vec<Moves>,
    quiet_moves: Vec<Moves>,
    captures: Vec<Moves>,
    chains: Chains,
    /// By state, whether this process solves it, and whether it has its positions with the Rebels to move.
    is_own: Vec<bool>,
    is_held: Vec<bool>,
    /// Plies after which the captures are looked at again: even, at most `Near::PLIES`.
    pub window: u32,
    /// The path of the records of what plies decide, if they may be in a file, and the most bytes of them in memory.
    pub records: (Option<PathBuf>, u64),
    threads: &'a Threads,
    pub stop: &'a Stop,
}

impl<'a> ByRows<'a> {
    /// `None` for a game with other words.
    pub(super) fn of(solve: &'a Solve<'_>, shares: &Shares) -> Option<ByRows<'a>> {
        let places = Places::usual(&solve.numbering.variant).filter(|_| is_for(&solve.numbering.variant))?;
        Some(ByRows::with_places(solve, shares, places))
    }

    pub fn with_places(solve: &'a Solve<'_>, shares: &Shares, places: Places) -> ByRows<'a> {
        let Solve { numbering, coding, threads, interrupt, .. } = solve;
        let variant: &Variant = &numbering.variant;
        let (split, states) = (Split::new(variant, places), &numbering.states.solved);
        let shapes: Vec<Shape> = states.iter().map(|state| places.shape(variant, *state)).collect();
        let most = numbering.coverage.most();
        let known = KnownLowMoves::default();
        let compile = |moves: fn(&Numbering, usize) -> Vec<SetMove>| -> Vec<Moves> {
            let compiled = |state| Moves::compile(&split, &shapes, state, most, &moves(numbering, state), &known);
            threads.run(|| map(0..states.len(), compiled))
        };
        let (rebel_moves, quiet_moves) =
            (compile(steps), compile(|numbering, state| general_moves(numbering, state, false)));
        let captures = compile(|numbering, state| general_moves(numbering, state, true));
        let chains = match (variant.rules().jumps_go_on, variant.rules().jumps_may_stop) {
            (false, _) => Chains::None,
            (true, true) => Chains::MayStop,
            (true, false) => Chains::MustGoOn,
        };
        let (coding, stop) = (*coding, interrupt.stop);
        let records = (solve.checkpoints().path_of_records(shares.process), MOST_RECORDS);
        let is_own: Vec<bool> = (0..shapes.len()).map(|state| shares.is_own(state)).collect();
        let is_held = (0..shapes.len()).map(|state| is_own[state] || shares.reads_from_others(state)).collect();
        ByRows {
            variant,
            coding,
            numbering,
            split,
            shapes,
            rebel_moves,
            quiet_moves,
            captures,
            chains,
            is_own,
            is_held,
            window: Near::PLIES,
            records,
            threads,
            stop,
        }
    }

    fn geometry(&self, rebels: u32) -> Geometry<'_> {
        let layouts = self.shapes.iter().map(|shape| Layout::new(shape.places, rebels)).collect();
        Geometry { split: &self.split, shapes: &self.shapes, is_own: &self.is_own, layouts, rebels }
    }

    /// The records of a layer, with those of a run that was interrupted in it: of the plies that all processes have.
    pub fn records_of(&self, rebels: u32, processes: &mut Processes<'_>) -> Result<PlyRecords, TableError> {
        let (path, most_held) = &self.records;
        let layer = Layer { rebels, ..Layer::default() };
        let title = (
            Header::new(self.numbering, self.coding, vec![layer], 0),
            [self.split.places.low, self.split.places.high],
            &self.is_own,
        );
        let title = serde_json::to_vec(&title).expect("headers are written as JSON");
        let geometry = self.geometry(rebels);
        let records = |most_plies: u32| {
            let file = path.clone().map(|path| (path, title.clone()));
            self.threads.run(|| PlyRecords::new(&geometry, self.coding, file, *most_held, most_plies, self.stop))
        };
        let own = processes.unless_one_stopped(records(u32::MAX))?;
        let plies = processes.least(own.plies_before().into())? as u32;
        if plies == own.plies_before() { Ok(own) } else { records(plies) }
    }

    /// Solves a layer after those below: the first process gets the counts with the General to move and, by state, the sections with the
    /// Rebels to move, then those of landings where jumps make chains; the others get nothing. `progress` gets the ply, the positions decided
    /// up to it, both sides to move, and the bytes sent to other processes since the solve began.
    pub fn solve_layer(
        &self,
        rebels: u32,
        below: &StoredLayers<'_>,
        records: &PlyRecords,
        processes: &mut Processes<'_>,
        progress: &mut (dyn FnMut(u32, u64, u64) + Send),
    ) -> Result<(Counts, Vec<Section>), TableError> {
        let most = self.coding.most_plies();
        let below = below.open()?;
        let geometry = self.geometry(rebels);
        let under = rebels
            .checked_sub(1)
            .filter(|_| rebels > self.numbering.coverage.least())
            .map(|rebels| self.geometry(rebels));
        let reader = || self.captures_into(under.as_ref(), &below);
        let new_layer = |side, is_held: &[bool]| self.threads.run(|| SideLayer::new(&geometry, side, is_held));
        let mut of_rebels = new_layer(Side::Rebels, &self.is_held);
        let mut of_general = new_layer(Side::General, &self.is_own);
        let mut next = self.threads.run(|| Fresh::of_states(&geometry, &self.is_own));
        let positions: u64 = self.numbering.states.solved.iter().map(|state| state.sets(self.variant, rebels)).sum();
        // By state, won and lost, and those of them in which the game is over.
        let mut counts = vec![[0u64; 3]; self.shapes.len()];
        let (mut decided, mut longest, mut from) = (0, 0, 0);
        let mut last = [positions; 2];
        // Of the plies of an earlier run the General's losses are found together, but those of the last, and those by captures that are
        // compulsory: seen from a later ply these would be no captures.
        let (plies_before, is_compulsory) = (records.plies_before(), self.variant.rules().capture_is_compulsory);
        let together = if is_compulsory { 0 } else { (plies_before.saturating_sub(1) & !1).saturating_sub(2) };
        for number in 0.. {
            if number > most {
                return Err(TableError::too_long(self.variant, most, ""));
            }
            if number == 0 || number > from + self.window {
                from = if number == 0 { 0 } else { from + self.window };
                match self.look_at_captures(&geometry, &mut of_general, &mut next, from, &reader) {
                    // The others hear of it when the ply ends.
                    Err(TableError::Interrupted) => {}
                    looked => longest = looked?,
                }
            }
            let of_side = |last: u64| Ply {
                number,
                is_dense: last > positions / MANY,
                follows: last > 0,
                due: None,
                is_compulsory: false,
                records: None,
            };
            let again = number < plies_before;
            let by_state = if number % 2 == 0 && (1..together).contains(&number) {
                vec![0; self.shapes.len()]
            } else {
                let ply = Ply { due: Some(Near::due(number - from)), is_compulsory, ..of_side(last[0]) };
                let ply = Ply { is_dense: ply.is_dense || number > 0 && number == together, ..ply };
                let general = &mut of_general;
                self.threads.run(|| pass(&geometry, &self.quiet_moves, &of_rebels, general, &mut next, ply, self.stop))
            };
            let ply = Ply { records: Some(records), ..of_side(last[1]) };
            let of_ply = self.threads.run(|| match again {
                true => of_rebels.take_ply(&geometry, number, &PlySource::InRecords(records)),
                false => {
                    let mut fresh = std::mem::take(&mut of_rebels.fresh);
                    let of_ply =
                        pass(&geometry, &self.rebel_moves, &of_general, &mut of_rebels, &mut fresh, ply, self.stop);
                    of_rebels.fresh = fresh;
                    Ok(of_ply.iter().sum())
                }
            })?;
            std::mem::swap(&mut of_general.fresh, &mut next);
            if !again && !self.stop.is_set() {
                records.end_ply(number)?;
            }
            let summary = PlySummary {
                decided: [of_ply, by_state.iter().sum()],
                longest: longest.into(),
                stop: self.stop.is_set().into(),
            };
            let mut messages = RowMessages { geometry: &geometry, of_rebels: &mut of_rebels, ply: number, records };
            let summary = processes.exchange_ply(summary, &mut messages, self.threads)?;
            if summary.stop > 0 {
                return Err(TableError::Interrupted);
            }
            for (counts, found) in counts.iter_mut().zip(&by_state) {
                counts[if number == 0 { 2 } else { (number + 1) as usize % 2 }] += found;
            }
            last = summary.decided;
            decided += last[0] + last[1];
            progress(number, decided, processes.sent);
            if number > 0 && last == [0, 0] && u64::from(number) >= summary.longest && number + 1 >= plies_before {
                break;
            }
        }
        let mut all = Counts::default();
        let states = processes.shares.own();
        for state in &states {
            let (state, [won, lost, over]) = (self.numbering.states.solved[*state], counts[*state]);
            let drawn = state.sets(self.variant, rebels) - won - lost - over;
            all.add(Counts { won, drawn, lost }, state.times(self.variant));
        }
        drop((of_rebels, of_general, next));
        let sections = self.threads.run(|| -> Result<Vec<_>, TableError> {
            // The codes of a quarter of the states, with laps, are half a byte of each position: less than the planes took.
            let quarter = (states.len() / 4).max(1);
            let at_once = if rayon::current_num_threads() > quarter { quarter } else { states.len().max(1) };
            let of_states = |states: &[usize]| -> Result<Vec<_>, TableError> {
                try_map(states, |state| self.sections(&geometry, *state, records, &reader))
            };
            let sections: Vec<Vec<_>> = states.chunks(at_once).map(of_states).collect::<Result<_, TableError>>()?;
            Ok(sections.into_iter().flatten().collect())
        });
        let sections = processes.unless_one_stopped(sections)?;
        processes.gather(all, sections)
    }

    fn captures_into<'b>(&'b self, below: Option<&'b Geometry<'b>>, layers: &'b OpenLayers<'_>) -> CaptureReader<'b> {
        let first_section = if self.chains == Chains::None { 0 } else { self.shapes.len() };
        CaptureReader::new(
            self.numbering,
            self.coding,
            (&self.split, below),
            (&self.captures, first_section),
            layers.reader(),
        )
    }

    /// Sets the values of the General's captures, seen from a ply; returns the most plies of any.
    fn look_at_captures<'b>(
        &self,
        geometry: &Geometry<'_>,
        of_general: &mut SideLayer,
        scratch: &mut [Fresh],
        from: u32,
        reader: &(dyn Fn() -> CaptureReader<'b> + Sync),
    ) -> Result<u32, TableError> {
        let look_at = |piece: Piece<'_>| {
            let (mut reader, mut longest) = (reader(), 0);
            let mut scores = vec![CaptureScore::NONE; piece.class.sets];
            let shape = &geometry.shapes[piece.state];
            let words = piece.class.words * 64;
            for ((number, row), dues) in (piece.first..).zip(piece.captures.chunks_exact_mut(words)).zip(piece.dues) {
                if self.stop.is_set() {
                    return Err(TableError::Interrupted);
                }
                if from > 0 && !row.iter().any(|byte| Near(*byte).is_after(self.window)) {
                    // All ends are over.
                    scores.fill(CaptureScore::NONE);
                } else {
                    let high = self.split.high(shape, &piece.class, number);
                    reader.best(piece.state, high, geometry.rebels - piece.class.ones, &mut scores);
                }
                let (of_row, longest_of_row) = dispatch_near(&scores, from, row);
                *dues = of_row;
                longest = longest.max(longest_of_row);
            }
            reader.end()?;
            Ok(longest)
        };
        let longest = self.threads.run(|| try_map(of_general.cut(geometry, scratch), look_at))?;
        Ok(longest.into_iter().max().unwrap_or(0))
    }

    /// The sections of a state: its values, then those of the General's landings there, if jumps make chains.
    fn sections<'b>(
        &self,
        geometry: &Geometry<'_>,
        state: usize,
        records: &PlyRecords,
        reader: &(dyn Fn() -> CaptureReader<'b> + Sync),
    ) -> Result<Vec<Section>, TableError> {
        if self.stop.is_set() {
            return Err(TableError::Interrupted);
        }
        let (shape, layout) = (&geometry.shapes[state], &geometry.layouts[state]);
        let (mut rows, mut ranks, mut rank) = (Vec::new(), vec![0; layout.rows + 1], 0);
        for high in self.split.highs(shape) {
            if let Some((class, number)) = self.split.row(shape, layout, high) {
                ranks[class.place(number).0] = rank;
                rows.push((high, rank..rank + class.sets));
                rank += class.sets;
            }
        }
        ranks[layout.rows] = rank;
        let mut codes = records.codes(state, &ranks, self.stop)?;
        let section = codes.section(self.coding, self.stop)?;
        if self.chains == Chains::None {
            return Ok(vec![section]);
        }
        // No capture leads to the last layer.
        if geometry.rebels == self.numbering.coverage.most() {
            return Ok(vec![section, Section::default()]);
        }
        let (mut reader, mut scores) = (reader(), Vec::new());
        let stops: Vec<CaptureScore> =
            (0..CODES as u16).map(|code| CaptureScore::of_move_to(self.coding.value(code))).collect();
        let before: Vec<u16> =
            (0..CaptureScore::ENDS.0).map(|score| CaptureScore(score).code_before(self.coding)).collect();
        for (high, ranks) in rows {
            if self.stop.is_set() {
                return Err(TableError::Interrupted);
            }
            scores.resize(ranks.len(), CaptureScore::NONE);
            reader.best(state, high, geometry.rebels - high.count_ones(), &mut scores);
            for (rank, jump) in ranks.zip(&scores) {
                let stop = stops[usize::from(codes.code(rank))];
                let must_jump = self.chains == Chains::MustGoOn && *jump > CaptureScore::NONE;
                let best = if must_jump { *jump } else { stop.max(*jump) };
                codes.set(rank, before[usize::from(best.0)]);
            }
        }
        reader.end()?;
        Ok(vec![section, codes.section(self.coding, self.stop)?])
    }
}

/// What a ply has decided, for other processes: as it is recorded.
struct RowMessages<'a> {
    geometry: &'a Geometry<'a>,
    of_rebels: &'a mut SideLayer,
    ply: u32,
    records: &'a PlyRecords,
}

impl PlyMessages for RowMessages<'_> {
    fn write(&self, state: usize, message: &mut Vec<u8>) -> Result<(), TableError> {
        self.records.write_ply(state, self.ply, message)
    }

    fn read(&mut self, of_states: &[(usize, &[u8])]) -> Result<(), TableError> {
        self.of_rebels.take_ply(self.geometry, self.ply, &PlySource::InMessages(of_states)).map(|_| ())
    }
}

/// The Rebels' steps in a state.
fn steps(numbering: &Numbering, state: usize) -> Vec<SetMove> {
    let rules = numbering.variant.rules();
    let general = numbering.states.solved[state].general;
    let mut steps = Vec::new();
    for from in rules.ground().without(general) {
        for to in (rules.rebel_steps[from] & rules.ground()).without(general) {
            let [set, clear] = [from, to].map(|point| numbering.place_bits(PointSet::of(point)));
            steps.push(SetMove { target: state, mirrored: false, set, clear, flip: set | clear });
        }
    }
    steps
}

/// The General's captures, or its other moves, from a state.
fn general_moves(numbering: &Numbering, state: usize, captures: bool) -> Vec<SetMove> {
    let (variant, rules) = (&numbering.variant, numbering.variant.rules());
    let from = numbering.states.solved[state];
    let mut moves = Vec::new();
    let templates = rules.templates(from.general).iter();
    for template in templates.filter(|template| (template.kind == MoveKind::Jump) == captures) {
        let slot = GeneralState { general: template.to, ..from }.slot(variant);
        let Some((target, mirrored)) = numbering.states.of_slot[slot] else { continue };
        if rules.ground().contains_all(template.rebels) {
            let [set, clear, flip] = [template.rebels, template.empty & rules.ground(), template.captured]
                .map(|points| numbering.place_bits(points));
            moves.push(SetMove { target, mirrored, set, clear, flip });
        }
    }
    moves
}
