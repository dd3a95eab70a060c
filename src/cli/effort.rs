//! What a solve takes, in words: positions, memory, disk and time.

use privy_program::grouped;
use privy_rules::Variant;
use privy_tables::{Effort, Progress, SolveOptions};

/// Seconds of a solve on a number of cores, from measurements of large games (docs/NOTEBOOK.md, "Speed").
pub(super) fn seconds(effort: &Effort, cores: usize) -> f64 {
    /// Positions of both sides to move that a core solves in a second.
    const RATE: f64 = 40e6;
    2.0 * effort.positions as f64 / (RATE * cores as f64)
}

/// What stands before a time, with the space before it: of the positions with some of the Rebels an estimate is a
/// bound, since games against fewer are shorter, up to ten times.
pub(super) fn bound(variant: &Variant, options: &SolveOptions) -> &'static str {
    let are_few = options.rebels.is_some_and(|rebels| rebels < variant.opening().rebels_left());
    if are_few { " at most" } else { "" }
}

/// `on` says what the seconds are of.
pub(super) fn in_words(effort: &Effort, seconds: f64, on: &str) -> String {
    let Effort { positions, bytes, disk } = *effort;
    let [memory, disk] = [bytes, disk].map(|bytes| grouped(bytes.div_ceil(1 << 20)));
    let time = if seconds < 1.0 { "a second at most".to_owned() } else { time(seconds) };
    let positions = grouped(positions);
    format!(
        "{positions} positions for each side to move, {memory} MiB of memory; estimated: {disk} MiB on disk, {on} \
         {time}"
    )
}

fn time(seconds: f64) -> String {
    if seconds < 99.5 { format!("about {seconds:.0} s") } else { format!("about {:.0} min", seconds / 60.0) }
}

/// The time left of a solve, for its estimated seconds; nothing once these are over, nor for a resumed solve, of which
/// an earlier run has done a part.
pub(super) fn left(seconds: f64, bound: &str, progress: &Progress) -> String {
    let left = seconds - progress.time.as_secs_f64();
    let is_known = left >= 1.0 && progress.resumed_from.is_none();
    if is_known { format!(",{bound} {} left", time(left)) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_estimate() {
        let time = Duration::from_secs(100);
        let whole = Progress { rebels: 1, ply: 0, decided: 0, resumed_from: None, memory: 0, sent: 0, time };
        assert_eq!(left(1000.0, "", &whole), ", about 15 min left");
        assert_eq!(left(120.0, " at most", &whole), ", at most about 20 s left");
        assert_eq!(left(100.0, "", &whole), "");
        assert_eq!(left(1000.0, "", &Progress { resumed_from: Some(1), ..whole }), "");
    }

    /// Fewer Rebels make shorter games.
    #[test]
    fn a_time_for_some_of_the_rebels_is_a_bound() {
        let variant = Variant::builtin("komikan").unwrap();
        let bound_of = |rebels| bound(&variant, &SolveOptions { rebels, ..SolveOptions::default() });
        let all = variant.opening().rebels_left();
        assert_eq!([Some(all - 1), Some(all), None].map(bound_of), [" at most", "", ""]);
    }
}
