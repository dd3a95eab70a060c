//! Memory that the system may refuse.
//!
//! A small allocation that fails ends the program. So room for the small ones is kept where large ones are made, which can fail in order.

use std::collections::TryReserveError;

/// Bytes for small allocations: those of a few threads, of texts and files.
pub const HEADROOM: u64 = 8 << 20;

/// Makes sure that the system gives so many bytes, and some for small allocations beside them.
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

/// True if the system gives so many bytes, and some for small allocations beside them.
#[must_use]
pub fn is_available(bytes: u64) -> bool {
    ensure(bytes).is_ok()
}

/// Under a limit of address space (`ulimit -v`) makes all threads share one heap: glibc reserves 64 MiB for each thread otherwise, hardly any of which
/// is used. And what is asked for in order to see whether it is there goes back to the system: glibc would keep it in the heap from the second time on,
/// where no thread gets its stack from. To be called before the first thread begins.
#[allow(unsafe_code)]
pub fn share_heap_under_limit() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if rustix::process::getrlimit(rustix::process::Resource::As).current.is_some() {
        // SAFETY: the number of heaps, and the size from which an allocation is no part of them, concern allocations to come, and none relies on them.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
            libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 20);
        }
    }
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
