//! Counts over every position of a table: how the Rebels can go wrong, what entering the privy does, how long games last.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use privy::board::Point;
use privy::rules::family::Every;
use privy::rules::{Position, Side, Variant};
use privy::tablebase::{Decompressed, Value};

/// The positions with so many Rebels.
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
        for (row, others) in self.entering.iter_mut().zip(&other.entering) {
            row.iter_mut().zip(others).for_each(|(sum, count)| *sum += count);
        }
    }
}

/// How many positions with the Rebels to move end in so many plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Distance {
    pub(super) plies: u32,
    pub(super) positions: u64,
}

/// The counts of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Census {
    pub(super) layers: Vec<LayerCensus>,
    pub(super) distances: Vec<Distance>,
}

impl Census {
    /// All layers together.
    pub(super) fn sum(&self) -> LayerCensus {
        let mut sum = LayerCensus::default();
        self.layers.iter().for_each(|layer| sum.add(layer));
        sum
    }

    /// One layer.
    pub(super) fn layer(&self, rebels: u32) -> Option<&LayerCensus> {
        self.layers.iter().find(|layer| layer.rebels == rebels)
    }

    /// Counts every position of a table.
    pub(super) fn of(values: &Decompressed) -> Census {
        let classes = general_classes(values);
        let hidden = hidden_bits(values);
        let places = values.fold(PlaceCensus::default, |sum, position, weight| {
            let layer = sum.layers.entry(position.rebels().len()).or_default();
            let value = values.of_rebels(position);
            if let Some(Value::Win(1..)) = value {
                let of_place = classes.get(&place(position)).map_or(&[][..], Vec::as_slice);
                let still_won = |rebels: u64| of_place.get((rebels >> hidden) as usize).copied() == Some(-1);
                count_moves(values.variant(), position, weight, layer, still_won);
            }
            count_entering(values, &position.with_side(Side::General), weight, layer);
            if let Some(Value::Win(plies @ 1..) | Value::Loss(plies @ 1..)) = value {
                *sum.distances.entry(plies).or_default() += weight;
            }
        });
        let mut all = PlaceCensus::default();
        for sum in places {
            sum.layers.iter().for_each(|(rebels, layer)| all.layers.entry(*rebels).or_default().add(layer));
            sum.distances.iter().for_each(|(plies, count)| *all.distances.entry(*plies).or_default() += count);
        }
        let layers = all.layers.into_iter().map(|(rebels, layer)| LayerCensus { rebels, ..layer });
        let distances = all.distances.into_iter().map(|(plies, positions)| Distance { plies, positions });
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
type Classes = Vec<i8>;

const UNKNOWN: i8 = 2;

/// Bits of a Rebel set that say nothing new: the lowest one, where the table holds sets of one parity alone.
fn hidden_bits(values: &Decompressed) -> u32 {
    let opening = values.variant().opening();
    let fewer = opening.rebels().first().map_or(opening.rebels(), |first| opening.rebels().without(first));
    u32::from(values.of_rebels(&opening.with_pieces(fewer, opening.general()).with_side(Side::Rebels)).is_none())
}

type Place = (Point, bool, u8);

fn place(position: &Position) -> Place {
    (position.general(), position.apex_visited(), position.free_jumps())
}

/// Who wins with the General to move, in every position of every place that the table holds itself.
fn general_classes(values: &Decompressed) -> HashMap<Place, Classes> {
    let variant = values.variant();
    let rules = variant.rules();
    let hidden = hidden_bits(values);
    let size = 1usize << (rules.ground().len() - hidden);
    let slices = values.fold(
        || None::<(Place, Classes)>,
        |slice, position, _| {
            let (_, classes) = slice.get_or_insert_with(|| (place(position), vec![UNKNOWN; size]));
            let position = position.with_side(Side::General);
            let class = match rules.outcome::<Every>(&position, None) {
                Some(_) => -1,
                None => values.of_general::<Every>(&position).map_or(UNKNOWN, Value::class),
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
            // A position that is over by its looks alone is known as won; a capture needs the move.
            let won = still_won(next.rebels().0) || custodial && rules.goal_after_rebels(&next, Some(to)).is_some();
            keeping += u64::from(won);
        }
    });
    layer.won += weight;
    layer.moves += moves * weight;
    layer.throwing += (moves - keeping) * weight;
    layer.single += if keeping == 1 && moves > 1 { weight } else { 0 };
}

/// What the General gets by entering the privy, and by all else.
#[inline(always)]
fn count_entering(values: &Decompressed, position: &Position, weight: u64, layer: &mut LayerCensus) {
    let rules = values.variant().rules();
    let doors = rules.neighbours(position.general()) & values.variant().board().privy();
    if doors.is_empty()
        || !rules.field().contains(position.general())
        || rules.outcome::<Every>(position, None).is_some()
    {
        return;
    }
    let (mut staying, mut entering) = (None, None);
    rules.general_actions::<Every>(position, |action, _| {
        let (next, _) = rules.play_general_move(position, &action);
        let class = match rules.outcome::<Every>(&next, None) {
            Some(outcome) => Some(if outcome.winner() == Some(Side::General) { 1 } else { -1 }),
            None => values.of_rebels(&next).map(|value| -value.class()),
        };
        let best = if values.variant().board().privy().contains(action.to) { &mut entering } else { &mut staying };
        *best = (*best).max(class);
    });
    if let Some(entering) = entering {
        let row = staying.map_or(0, |class| (class + 2) as usize);
        layer.entering[row][(entering + 1) as usize] += weight;
    }
}
