//! Counts over every position of a table: mistakes of the Rebels, entries of the privy, lengths of games; and two games
//! on one board compared position by position.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use privy_rules::board::Point;
use privy_rules::family::Every;
use privy_rules::{CompiledRules, Position, Side, Variant};
use privy_search::Stop;
use privy_tables::{Table, TableValue};

/// The positions with one number of Rebels.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct LayerCensus {
    pub(super) rebels: u32,
    /// Positions with the Rebels to move that they win.
    pub(super) won: u64,
    /// Their moves in these, those among them that give the win away, and positions in which all but one do.
    pub(super) moves: u64,
    pub(super) throwing: u64,
    pub(super) single: u64,
    /// Positions in which the General can step from the field into the privy: by the best it gets without it (no other
    /// move, loss, draw, win), then by the best it gets with it (loss, draw, win).
    pub(super) entering: [[u64; 3]; 4],
}

impl LayerCensus {
    fn add(&mut self, other: &LayerCensus) {
        self.won += other.won;
        self.moves += other.moves;
        self.throwing += other.throwing;
        self.single += other.single;
        add_rows(&mut self.entering, &other.entering);
    }
}

fn add_rows(sums: &mut [[u64; 3]], others: &[[u64; 3]]) {
    sums.as_flattened_mut().iter_mut().zip(others.as_flattened()).for_each(|(sum, count)| *sum += count);
}

fn add_counts<K: Ord + Copy>(sums: &mut BTreeMap<K, u64>, others: &BTreeMap<K, u64>) {
    others.iter().for_each(|(key, count)| *sums.entry(*key).or_default() += count);
}

/// The number of positions with the Rebels to move that end in a number of plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DistanceCount {
    pub(super) plies: u32,
    pub(super) positions: u64,
}

/// The counts of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Census {
    pub(super) layers: Vec<LayerCensus>,
    pub(super) distances: Vec<DistanceCount>,
}

impl Census {
    pub(super) fn sum(&self) -> LayerCensus {
        let mut sum = LayerCensus::default();
        self.layers.iter().for_each(|layer| sum.add(layer));
        sum
    }

    pub(super) fn layer(&self, rebels: u32) -> Option<&LayerCensus> {
        self.layers.iter().find(|layer| layer.rebels == rebels)
    }

    /// Counts every position of a table.
    pub(super) fn of(values: &Table, stop: &Stop) -> Census {
        let classes = general_classes(values, stop);
        let hidden = hidden_bits(values);
        let places = values.fold(stop, PlaceCensus::default, |sum, position, weight| {
            let layer = sum.layers.entry(position.rebels().len()).or_default();
            let value = values.probe_state(position).ok();
            if let Some(TableValue::Win(1..)) = value {
                let of_place = classes.get(&place(position)).map_or(&[][..], Vec::as_slice);
                let still_won = |rebels: u64| of_place.get((rebels >> hidden) as usize).copied() == Some(-1);
                count_moves(values.variant(), position, weight, layer, still_won);
            }
            count_entering(values, &position.with_side(Side::General), weight, layer);
            if let Some(TableValue::Win(plies @ 1..) | TableValue::Loss(plies @ 1..)) = value {
                *sum.distances.entry(plies).or_default() += weight;
            }
        });
        let mut all = PlaceCensus::default();
        for sum in places {
            sum.layers.iter().for_each(|(rebels, layer)| all.layers.entry(*rebels).or_default().add(layer));
            add_counts(&mut all.distances, &sum.distances);
        }
        let layers = all.layers.into_iter().map(|(rebels, layer)| LayerCensus { rebels, ..layer });
        let distances = all.distances.into_iter().map(|(plies, positions)| DistanceCount { plies, positions });
        Census { layers: layers.collect(), distances: distances.collect() }
    }
}

/// The counts of one place of the General, by Rebels and by plies.
#[derive(Default)]
struct PlaceCensus {
    layers: BTreeMap<u32, LayerCensus>,
    distances: BTreeMap<u32, u64>,
}

/// 1: the General wins, 0: draw, -1: the Rebels win; by Rebel set, for one place of the General, which is to move.
type WinnerClasses = Vec<i8>;

const UNKNOWN: i8 = 2;

/// Redundant low bits of a Rebel set: one where the table holds sets of one parity alone.
fn hidden_bits(values: &Table) -> u32 {
    let opening = values.variant().opening();
    let fewer = opening.rebels().first().map_or(opening.rebels(), |first| opening.rebels().without(first));
    u32::from(values.probe_state(&opening.with_pieces(fewer, opening.general()).with_side(Side::Rebels)).is_err())
}

type GeneralPlace = (Point, bool, u8);

fn place(position: &Position) -> GeneralPlace {
    (position.general(), position.apex_visited(), position.free_jumps())
}

/// The winner with the General to move, in every position of every place of the General that the table stores.
fn general_classes(values: &Table, stop: &Stop) -> HashMap<GeneralPlace, WinnerClasses> {
    let variant = values.variant();
    let rules = variant.rules();
    let hidden = hidden_bits(values);
    let size = 1usize << (rules.ground.len() - hidden);
    let slices = values.fold(
        stop,
        || None::<(GeneralPlace, WinnerClasses)>,
        |slice, position, _| {
            let (_, classes) = slice.get_or_insert_with(|| (place(position), vec![UNKNOWN; size]));
            let position = position.with_side(Side::General);
            let class = match rules.outcome::<Every>(&position, None) {
                Some(_) => -1,
                None => values.probe_state(&position).map_or(UNKNOWN, TableValue::class),
            };
            if let Some(slot) = classes.get_mut((position.rebels().0 >> hidden) as usize) {
                *slot = class;
            }
        },
    );
    slices.into_iter().flatten().collect()
}

/// The Rebels' moves in a position that they win.
#[inline(always)]
fn count_moves(
    variant: &Variant,
    position: &Position,
    weight: u64,
    layer: &mut LayerCensus,
    still_won: impl Fn(u64) -> bool,
) {
    let rules = variant.rules();
    let custodial = variant.rule_set().custodial;
    let (mut moves, mut keeping) = (0, 0);
    rules.rebel_bundles(position, |from, targets| {
        for to in targets {
            let next = rules.play_rebel_step(position, from, to).0;
            moves += 1;
            // The classes hold every end that the position alone shows; a capture needs the move.
            let won = still_won(next.rebels().0) || custodial && rules.goal_after_rebels(&next, Some(to)).is_some();
            keeping += u64::from(won);
        }
    });
    layer.won += weight;
    layer.moves += moves * weight;
    layer.throwing += (moves - keeping) * weight;
    layer.single += if keeping == 1 && moves > 1 { weight } else { 0 };
}

/// The best result of the General by entering the privy, and by its other moves.
#[inline(always)]
fn count_entering(values: &Table, position: &Position, weight: u64, layer: &mut LayerCensus) {
    let rules = values.variant().rules();
    let doors = rules.neighbours[position.general()] & values.variant().board().privy;
    if doors.is_empty() || !rules.field.contains(position.general()) || rules.outcome::<Every>(position, None).is_some()
    {
        return;
    }
    let (mut staying, mut entering) = (None, None);
    rules.general_actions::<Every>(position, |action, _| {
        let (next, _) = rules.play_general_move(position, &action);
        let class = match rules.outcome::<Every>(&next, None) {
            Some(outcome) => Some(if outcome.winner() == Some(Side::General) { 1 } else { -1 }),
            None => values.probe_state(&next).ok().map(|value| -value.class()),
        };
        let best = if values.variant().board().privy.contains(action.to) { &mut entering } else { &mut staying };
        *best = (*best).max(class);
    });
    if let Some(entering) = entering {
        let row = staying.map_or(0, |class| (class + 2) as usize);
        layer.entering[row][(entering + 1) as usize] += weight;
    }
}

/// The differences of a second game from a first, on the same field. Only positions that both games have are compared:
/// the General on a point of both boards, no apex visited, not over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct GameComparison {
    /// By the result of the first game (Rebels win, draw, General wins), then of the second.
    pub(super) classes: [[u64; 3]; 3],
    /// Positions that the General wins in both, by how many plies longer it takes in the second.
    pub(super) general_wins: BTreeMap<i64, u64>,
    /// The same for the Rebels.
    pub(super) rebels_win: BTreeMap<i64, u64>,
}

impl GameComparison {
    /// The positions with one side to move.
    pub(super) fn of(first: &Table, second: &Table, side: Side, stop: &Stop) -> GameComparison {
        let (rules, other) = (first.variant().rules(), second.variant().rules());
        // 0: the Rebels win, 2: the General wins.
        let class = |value: TableValue| match side {
            Side::General => (value.class() + 1) as usize,
            Side::Rebels => (1 - value.class()) as usize,
        };
        let parts = first.fold(stop, GameComparison::default, |sum, position, weight| {
            let position = position.with_side(side);
            // A General that stands on the apex has visited it.
            let points = other.all.minus(other.return_apex);
            let is_shared = points.contains(position.general()) && !position.apex_visited();
            let is_over = |rules: &CompiledRules| rules.outcome::<Every>(&position, None).is_some();
            if !is_shared || is_over(rules) || is_over(other) {
                return;
            }
            let (Ok(a), Ok(b)) = (first.probe_state(&position), second.probe_state(&position)) else { return };
            sum.classes[class(a)][class(b)] += weight;
            let ((TableValue::Win(before), TableValue::Win(after))
            | (TableValue::Loss(before), TableValue::Loss(after))) = (a, b)
            else {
                return;
            };
            let differences = if class(a) == 2 { &mut sum.general_wins } else { &mut sum.rebels_win };
            *differences.entry(i64::from(after) - i64::from(before)).or_default() += weight;
        });
        let mut all = GameComparison::default();
        for part in &parts {
            add_rows(&mut all.classes, &part.classes);
            add_counts(&mut all.general_wins, &part.general_wins);
            add_counts(&mut all.rebels_win, &part.rebels_win);
        }
        all
    }

    pub(super) fn all(&self) -> u64 {
        self.classes.iter().flatten().sum()
    }

    /// Positions with another result.
    pub(super) fn class_changes(&self) -> u64 {
        let kept: u64 = self.classes.iter().enumerate().filter_map(|(class, row)| row.get(class)).sum();
        self.all() - kept
    }

    /// Positions with the same winner at another distance.
    pub(super) fn distance_changes(&self) -> u64 {
        let changed = self.general_wins.iter().chain(&self.rebels_win).filter(|(difference, _)| **difference != 0);
        changed.map(|(_, count)| count).sum()
    }
}

/// Sum, number and median of differences.
pub(super) fn summary(differences: &BTreeMap<i64, u64>) -> (i64, u64, i64) {
    let count: u64 = differences.values().sum();
    let sum = differences.iter().map(|(difference, count)| difference * *count as i64).sum();
    let mut seen = 0;
    let median = differences.iter().find(|(_, positions)| {
        seen += **positions;
        seen * 2 >= count
    });
    (sum, count, median.map_or(0, |(difference, _)| *difference))
}
