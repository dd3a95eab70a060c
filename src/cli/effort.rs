//! What a solve takes, in words: positions, memory, disk and time.

use privy_rules::Variant;
use privy_tables::Effort;

use super::common::grouped;

/// Positions a second of a solve on two cores, both sides to move: the quickest and the slowest game (docs/NOTEBOOK.md, "Speed").
const POSITIONS_A_SECOND: [f64; 2] = [800e6, 300e6];
/// The same where the General has chains of jumps, or free ones.
const WITH_FAR_JUMPS_A_SECOND: [f64; 2] = [190e6, 110e6];
/// The same where one number of Rebels is solved after the other.
const BY_LAYERS_A_SECOND: [f64; 2] = [8e6, 1.5e6];
/// The same by rows of bits: where few plies decide much each, and where hundreds decide little each.
const BY_ROWS_A_SECOND: [f64; 2] = [100e6, 30e6];

/// The least and the most seconds.
fn seconds(variant: &Variant, effort: &Effort) -> [f64; 2] {
    let jumps_far = variant.rules().jumps_go_on || variant.rule_set().free_jumps > 0;
    let speeds = match (effort.by_rows, effort.by_layers) {
        (true, _) => BY_ROWS_A_SECOND,
        (false, true) => BY_LAYERS_A_SECOND,
        (false, false) if jumps_far => WITH_FAR_JUMPS_A_SECOND,
        (false, false) => POSITIONS_A_SECOND,
    };
    speeds.map(|speed| 2.0 * effort.positions as f64 / speed)
}

/// True if the solve may take this many seconds.
pub(super) fn may_take(variant: &Variant, effort: &Effort, least: f64) -> bool {
    seconds(variant, effort)[1] >= least
}

pub(super) fn in_words(variant: &Variant, effort: &Effort, disk_bytes: u64) -> String {
    let Effort { positions, least_bytes, most_bytes, .. } = *effort;
    let [least, most, disk] = [least_bytes, most_bytes, disk_bytes].map(|bytes| bytes.div_ceil(1 << 20));
    let memory = if least == most { grouped(most) } else { format!("{} to {}", grouped(least), grouped(most)) };
    let [quick, slow] = seconds(variant, effort);
    let time = if slow < 1.5 { "a second at most".to_owned() } else { format!("{} to {}", time(quick), time(slow)) };
    let (positions, disk) = (grouped(positions), grouped(disk));
    format!(
        "{positions} positions for each side to move, {memory} MiB of memory; estimated: {disk} MiB on disk, on two cores {time}"
    )
}

fn time(seconds: f64) -> String {
    if seconds < 99.5 { format!("{:.0} s", seconds.max(1.0)) } else { format!("{:.0} min", seconds / 60.0) }
}
