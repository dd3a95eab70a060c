//! Memory that the system may refuse.
//!
//! A small allocation that fails ends the program. So room for the small ones is kept where large ones are made, which
//! can fail cleanly.

use std::collections::TryReserveError;

/// Bytes for small allocations: those of a few threads, of texts and files.
pub const HEADROOM: u64 = 8 << 20;

/// Makes sure that the system gives this number of bytes, and some for small allocations beside them.
///
/// # Errors
/// When it does not.
pub fn ensure(bytes: u64) -> Result<(), TryReserveError> {
    let size = usize::try_from(bytes.saturating_add(HEADROOM)).unwrap_or(usize::MAX);
    let mut probe: Vec<u8> = Vec::new();
    let ensured = probe.try_reserve_exact(size);
    // Without this the compiler drops the unused allocation.
    std::hint::black_box(&probe);
    ensured
}

/// True if the system gives this number of bytes, and some for small allocations beside them.
#[must_use]
pub fn is_available(bytes: u64) -> bool {
    ensure(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_system_has_all_addresses() {
        assert!(is_available(1 << 20));
        assert!(!is_available(1 << 62) && !is_available(u64::MAX));
    }
}
