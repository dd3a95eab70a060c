//! What the processor and the system are told about the memory of a large table, to wait less for it. Nothing here changes what
//! the memory holds.
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

/// Asks the system for large pages, of which the processor can keep the places of many more in mind. It may refuse.
pub(super) fn use_large_pages<T>(memory: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let skipped = memory.as_ptr().cast::<u8>().align_offset(page);
        let length = size_of_val(memory).saturating_sub(skipped) / page * page;
        if length > 0 {
            let first = memory.as_mut_ptr().cast::<u8>().wrapping_add(skipped);
            // SAFETY: the range lies within memory that is ours alone; the advice leaves what it holds as it is.
            let advised = unsafe { madvise(first.cast(), length, Advice::LinuxHugepage) };
            if let Err(error) = advised {
                log::debug!("no large pages: {error}");
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}
