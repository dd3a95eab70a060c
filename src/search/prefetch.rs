//! What the processor is told about memory that will be needed, to wait less for it.
#![allow(unsafe_code)]

/// Begins to bring an element into the processor's cache, on processors for which we know how.
#[inline(always)]
pub(super) fn fetch<T>(memory: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch changes nothing that a program can see, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(memory.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}
