//! From the sections of an analysis to a table that is ready to be written.

use crate::rules::Variant;

use super::file::{Header, SectionHeader};
use super::general_state::GeneralState;
use super::layout::{CODES, Coding, Counts, Coverage, Layer};
use super::value::Value;

/// By number of Rebels, how often each code occurs.
pub(super) type Histogram = Vec<[u64; CODES]>;

/// One in which nothing occurs.
pub(super) fn empty_histogram(coverage: Coverage) -> Histogram {
    vec![[0; CODES]; coverage.most() as usize + 1]
}

/// A section of a table.
pub(super) struct Section {
    pub(super) state: GeneralState,
    pub(super) bytes: Vec<u8>,
    /// Where the laps begin in it, if there are any.
    pub(super) laps: Option<u64>,
    /// How often each value occurs in it.
    pub(super) histogram: Histogram,
}

/// Header and sections of a table, from the sections and the counts of positions with the General to move.
pub(super) fn table_of(
    variant: &Variant,
    (coverage, coding, format): (Coverage, Coding, u32),
    compressed: Vec<Section>,
    general: impl Fn(u32) -> Counts,
) -> (Header, Vec<Vec<u8>>) {
    let mut histogram = empty_histogram(coverage);
    let (mut sections, mut headers, mut offset) = (Vec::new(), Vec::new(), 0);
    for Section { state, bytes: section, laps, histogram: counts } in compressed {
        let GeneralState { general, apex_visited, free_jumps } = state;
        let length = section.len() as u64;
        headers.push(SectionHeader { general: general.index(), apex_visited, free_jumps, offset, length, laps });
        offset += length;
        sections.push(section);
        let times = state.times(variant);
        for (sum, count) in histogram.iter_mut().flatten().zip(counts.iter().flatten()) {
            *sum += times * count;
        }
    }
    let mut max_plies = 0;
    let mut rebels_to_move = |rebels: u32| {
        let mut counts = Counts::default();
        for (code, count) in (0..).zip(histogram[rebels as usize]).filter(|(_, count)| *count > 0) {
            let (sum, plies) = match coding.value(code) {
                Value::Draw | Value::WinByRepetition | Value::LossByRepetition => (&mut counts.drawn, 0),
                Value::Win(plies) => (&mut counts.won, plies),
                // The game is over.
                Value::Loss(0) => continue,
                Value::Loss(plies) => (&mut counts.lost, plies),
            };
            *sum += count;
            max_plies = max_plies.max(plies);
        }
        counts
    };
    let layer = |rebels| Layer { rebels, general: general(rebels), rebel: rebels_to_move(rebels) };
    let layers = coverage.layers().map(layer).collect();
    let header = Header {
        format,
        variant: variant.id().to_owned(),
        title: variant.title().to_owned(),
        fingerprint: variant.fingerprint().to_owned(),
        points: variant.rules().ground().len(),
        parity: coverage.parity(),
        coding,
        mirrored: variant.is_mirrored(),
        max_plies,
        layers,
        sections: headers,
    };
    (header, sections)
}
