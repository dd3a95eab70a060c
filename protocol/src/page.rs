//! The clock of the page of a browser that embeds the engine. A module for WebAssembly imports it as the function `now`
//! of `privy`.

use std::ops::Add;
use std::time::Duration;

#[allow(unsafe_code, reason = "the function of the page is foreign; it takes no pointer")]
mod imported {
    #[link(wasm_import_module = "privy")]
    unsafe extern "C" {
        /// Milliseconds since some moment. Never goes back.
        pub(super) safe fn now() -> f64;
    }
}

/// A moment of the page's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// Returns this moment.
    pub fn now() -> Self {
        Self(Duration::from_micros((imported::now() * 1000.0) as u64))
    }

    /// Returns the time since this moment.
    pub fn elapsed(&self) -> Duration {
        Self::now().saturating_duration_since(*self)
    }

    /// Returns the time since an earlier moment, zero since a later one.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}
