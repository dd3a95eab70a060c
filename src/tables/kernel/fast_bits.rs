//! Bits picked out of a word, and spread over one, by single instructions.

/// A processor that picks bits out of a word, and spreads them over one, in a single quick instruction each: x86-64-v3,
/// but neither AMD's before Zen 3, which need up to 300 cycles for it (A. Fog, *Instruction tables*), nor those made
/// after their pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct FastBits(
    #[cfg(target_arch = "x86_64")] (),
    #[cfg(not(target_arch = "x86_64"))] std::convert::Infallible,
);

#[cfg(target_arch = "x86_64")]
impl FastBits {
    /// Returns `None` if this one is not of that kind.
    #[must_use]
    pub(super) fn detect() -> Option<FastBits> {
        use std::arch::x86_64::__cpuid;
        use std::sync::LazyLock;

        static IS_FAST: LazyLock<bool> = LazyLock::new(|| {
            // SAFETY: every processor of x86-64 has this instruction; later compilers than the first that serves know
            // it.
            #[allow(unsafe_code, unused_unsafe)]
            let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1).eax) };
            let is_intel = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat() == b"GenuineIntel";
            // The family, and what is added to it from 15 on.
            let family = (version >> 8 & 15) + (version >> 20 & 255);
            privy_base::cpu::is_v3() && (is_intel || family >= 0x19)
        });
        IS_FAST.then_some(FastBits(()))
    }

    /// The bits of `mask` of a word, side by side from the lowest.
    #[inline(always)]
    #[must_use]
    pub(super) fn extract(self, word: u64, mask: u64) -> u64 {
        // SAFETY: `detect` is the only source of values of this type, and has found BMI2.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_pext_u64(word, mask)
        }
    }

    /// The lowest bits of a word at the places of `mask`.
    #[inline(always)]
    #[must_use]
    pub(super) fn deposit(self, word: u64, mask: u64) -> u64 {
        // SAFETY: as in `extract`.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_pdep_u64(word, mask)
        }
    }
}

/// No other processor is of that kind.
#[cfg(not(target_arch = "x86_64"))]
#[allow(missing_docs)]
impl FastBits {
    pub(super) fn detect() -> Option<FastBits> {
        None
    }

    pub(super) fn extract(self, _: u64, _: u64) -> u64 {
        match self.0 {}
    }

    pub(super) fn deposit(self, _: u64, _: u64) -> u64 {
        match self.0 {}
    }
}
