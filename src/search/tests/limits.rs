//! Limits of a search.

use privy_protocol::Clock;
use privy_search::Limits;
use privy_search::limits::*;
use proptest::prelude::*;
use std::time::Duration;

proptest! {
    #[test]
    fn a_share_never_exceeds_the_remaining_time(remaining in 0u64..10_000_000, increment in 0u64..100_000, moves in proptest::option::of(0u32..200)) {
        let ms = Duration::from_millis;
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves };
        let (soft, hard) = share(&clock);
        prop_assert!(soft <= hard);
        prop_assert!(hard <= ms(remaining));
    }
}

#[test]
fn the_earlier_of_two_time_limits_counts() {
    let clock = Clock { remaining: Duration::from_secs(60), ..Clock::default() };
    let manager =
        TimeManager::new(&Limits { time: Some(Duration::from_millis(10)), clock: Some(clock), ..Limits::default() });
    assert_eq!((manager.soft, manager.hard), (Some(Duration::from_millis(10)), Some(Duration::from_millis(10))));
}
