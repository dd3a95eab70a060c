//! What a solve takes, in words: positions, memory, disk and time.

use std::time::Duration;

use privy_program::grouped;
use privy_rules::Variant;
use privy_tables::{Effort, Progress, SolveOptions, effort_of};

/// What `measured_speed` is on two cores of a usual machine, positions a second.
pub(super) const SPEED_OF_TWO_CORES: f64 = 140e6;

/// Seconds of a solve on a machine with a measured speed, from measurements of many (docs/NOTEBOOK.md, "Speed"): they
/// follow the positions.
pub(super) fn seconds(effort: &Effort, speed: f64) -> f64 {
    const RATIO: f64 = 0.45;
    2.0 * effort.positions as f64 / (RATIO * speed)
}

/// What stands before a time, with the space before it: of the positions with some of the Rebels an estimate is a
/// bound, since games against fewer are shorter, up to ten times.
pub(super) fn bound(variant: &Variant, options: &SolveOptions) -> &'static str {
    let are_few = options.rebels.is_some_and(|rebels| rebels < variant.opening().rebels_left());
    if are_few { " at most" } else { "" }
}

/// `on` says what machine the seconds are of.
pub(super) fn in_words(effort: &Effort, disk_bytes: u64, seconds: f64, on: &str) -> String {
    let Effort { positions, bytes } = *effort;
    let [memory, disk] = [bytes, disk_bytes].map(|bytes| grouped(bytes.div_ceil(1 << 20)));
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

/// How long a solve still takes: as estimated before it, corrected by the layers that it has solved.
pub(super) struct Forecast<'a> {
    variant: &'a Variant,
    options: &'a SolveOptions,
    /// Seconds of all positions, as estimated, and their [`bound`].
    seconds: f64,
    bound: &'static str,
    /// Positions of layers that an earlier run had solved, as a share of all; the layer under way.
    begun: Option<(f64, u32)>,
    /// Seconds that were left when the layer under way was begun, and the time of the run then.
    left: (f64, Duration),
}

impl<'a> Forecast<'a> {
    pub(super) fn new(
        variant: &'a Variant,
        options: &'a SolveOptions,
        seconds: f64,
        bound: &'static str,
    ) -> Forecast<'a> {
        Forecast { variant, options, seconds, bound, begun: None, left: (seconds, Duration::ZERO) }
    }

    /// The time left, in words; nothing where the estimate is over.
    pub(super) fn in_words(&mut self, progress: &Progress) -> String {
        self.begin_layer(progress.rebels, progress.time);
        let (left, begun) = self.left;
        let left = left - progress.time.saturating_sub(begun).as_secs_f64();
        if left < 1.0 { String::new() } else { format!(",{} {} left", self.bound, time(left)) }
    }

    fn begin_layer(&mut self, rebels: u32, now: Duration) {
        if self.begun.is_some_and(|(_, layer)| layer == rebels) {
            return;
        }
        let share = self.share_below(rebels);
        let earlier = self.begun.map_or(share, |(earlier, _)| earlier);
        // The measured time counts with the share of the work that it covers.
        let seconds = self.seconds * (1.0 - (share - earlier)) + now.as_secs_f64();
        self.begun = Some((earlier, rebels));
        self.left = (seconds * (1.0 - share), now);
    }

    /// The positions with fewer Rebels as a share of all.
    fn share_below(&self, rebels: u32) -> f64 {
        let positions = |rebels| {
            let options = SolveOptions { rebels, ..self.options.clone() };
            effort_of(self.variant, &options).map_or(0.0, |effort| effort.positions as f64)
        };
        positions(Some(rebels.saturating_sub(1))) / positions(self.options.rebels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(rebels: u32, seconds: u64) -> Progress {
        Progress {
            rebels,
            ply: 0,
            decided: 0,
            resumed_from: None,
            memory: 0,
            sent: 0,
            time: Duration::from_secs(seconds),
        }
    }

    /// About half of the positions of `komikan` have twelve Rebels.
    #[test]
    fn the_time_left_follows_what_layers_took() {
        let (variant, options) = (Variant::builtin("komikan").unwrap(), SolveOptions::default());
        let mut forecast = Forecast::new(&variant, &options, 1000.0, "");
        assert_eq!(forecast.in_words(&reached(1, 0)), ", about 17 min left");
        assert_eq!(forecast.in_words(&reached(1, 100)), ", about 15 min left");
        let half = forecast.share_below(12);
        assert!((0.4..0.6).contains(&half), "{half}");
        // Twice as long as estimated: the whole takes half as long again.
        let now = (2000.0 * half) as u64;
        let left = 1000.0 * (1.0 + half) * (1.0 - half);
        assert_eq!(forecast.in_words(&reached(12, now)), format!(", {} left", time(left)));
        assert_eq!(forecast.in_words(&reached(12, now + left as u64)), "");
    }

    /// Fewer Rebels make shorter games.
    #[test]
    fn a_time_for_some_of_the_rebels_is_a_bound() {
        let bound_of = |rebels: Option<u32>| {
            let variant = Variant::builtin("komikan").unwrap();
            bound(&variant, &SolveOptions { rebels, ..SolveOptions::default() })
        };
        let all = Variant::builtin("komikan").unwrap().opening().rebels_left();
        assert_eq!([Some(all - 1), Some(all), None].map(bound_of), [" at most", "", ""]);
        let (variant, options) = (Variant::builtin("komikan").unwrap(), SolveOptions::default());
        let mut forecast = Forecast::new(&variant, &options, 20.0, " at most");
        assert_eq!(forecast.in_words(&reached(1, 0)), ", at most about 20 s left");
    }

    #[test]
    fn a_resumed_solve_counts_only_what_it_has_before_it() {
        let (variant, options) = (Variant::builtin("komikan").unwrap(), SolveOptions::default());
        let mut forecast = Forecast::new(&variant, &options, 1000.0, "");
        let left = 1000.0 * (1.0 - forecast.share_below(12));
        assert_eq!(forecast.in_words(&reached(12, 0)), format!(", {} left", time(left)));
    }
}
