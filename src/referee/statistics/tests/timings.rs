//! The histogram of durations.

use proptest::prelude::*;

use super::super::standings::Timings;

#[test]
fn short_times_are_exact() {
    let mut timings = Timings::default();
    assert_eq!(timings.figures(), None);
    (1..=100).for_each(|time| timings.add(time));
    let figures = timings.figures().unwrap();
    assert_eq!((figures.count, figures.median_ms, figures.p99_ms, figures.longest_ms), (100, 0.05, 0.099, 0.1));
}

proptest! {
    #[test]
    fn quantiles_are_close(mut times in proptest::collection::vec(0u64..10_000_000_000, 1..200), share in 0.0f64..=1.0) {
        let mut timings = Timings::default();
        times.iter().for_each(|time| timings.add(*time));
        times.sort_unstable();
        let rank = ((share * times.len() as f64).ceil() as usize).max(1);
        let (exact, found) = (times[rank - 1] as f64, timings.quantile_us(share).unwrap() as f64);
        prop_assert!(exact <= found && found <= exact * (1.0 + 1.0 / 256.0), "{exact} {found}");
    }
}
