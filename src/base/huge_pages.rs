//! Huge pages for large memory.
//!
//! A processor caches the addresses of a thousand or two pages. Tables of many megabytes that are read at random have
//! more pages of 4 KiB than that, so nearly each read must look its page up first. On Linux a program can ask for pages
//! of 2 MiB (transparent huge pages, madvise(2)). Elsewhere memory stays as it is.

/// Smaller memory has no whole huge page.
const LEAST_BYTES: usize = 2 << 20;

/// Asks for huge pages for memory, best before it is in use. What it holds stays.
pub fn advise<T>(memory: &mut [T]) {
    let bytes = size_of_val(memory);
    if bytes >= LEAST_BYTES {
        advise_bytes(memory.as_mut_ptr().cast(), bytes);
    }
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise_bytes(start: *mut u8, bytes: usize) {
    // The system takes whole pages only.
    let page = rustix::param::page_size();
    let before = start.align_offset(page).min(bytes);
    let whole = (bytes - before) / page * page;
    // SAFETY: these bytes belong to one allocation, and the advice changes neither what they are nor who may use them.
    let advised =
        unsafe { rustix::mm::madvise(start.wrapping_add(before).cast(), whole, rustix::mm::Advice::LinuxHugepage) };
    if let Err(error) = advised {
        log::debug!("no huge pages: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn advise_bytes(_: *mut u8, _: usize) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_the_same_with_and_without_huge_pages() {
        for len in [0, 1, 1 << 10, (5 << 20) + 3] {
            let mut memory = vec![7u8; len];
            advise(&mut memory);
            assert_eq!(memory, vec![7; len]);
        }
    }
}
