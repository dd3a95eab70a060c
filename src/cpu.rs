//! One program for every x86-64 processor: hot code is compiled twice, and the processor at hand chooses when the program runs.
//!
//! Searches, counts and tables handle sets of points as words. With AVX2, BMI and the population count they take three quarters of the
//! time that the first x86-64 processors need; those instructions came with Haswell (2013) and Excavator (2015), the level that is
//! called x86-64-v3. Other architectures have what is needed in their baseline, and run the only copy there is.
//!
//! A function declared by `best_instructions` calls one of its two copies. All that it inlines is compiled twice with it, so hot
//! helpers are `#[inline(always)]`; what it merely calls keeps to the baseline.

/// Declares a function that is compiled for the baseline and for x86-64-v3, and runs the copy that suits the processor.
macro_rules! best_instructions {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident $(<$($lifetime:lifetime,)? $($generic:ident: $bound:path),+>)?
        ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    ) => {
        $(#[$attribute])*
        $visibility fn $name $(<$($lifetime,)? $($generic: $bound),+>)? ($($argument: $type),*) $(-> $result)? {
            #[inline(never)]
            fn baseline $(<$($lifetime,)? $($generic: $bound),+>)? ($($argument: $type),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn v3 $(<$($lifetime,)? $($generic: $bound),+>)? ($($argument: $type),*) $(-> $result)? $body

                if $crate::cpu::is_v3() {
                    // SAFETY: `is_v3` has found every feature that `v3` is compiled for.
                    #[allow(unsafe_code)]
                    return unsafe { v3 $(::<$($generic),+>)? ($($argument),*) };
                }
            }
            baseline $(::<$($generic),+>)? ($($argument),*)
        }
    };
}

pub(crate) use best_instructions;

/// Has the processor the instructions of x86-64-v3 that the second copies use?
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn is_v3() -> bool {
    use once_cell::sync::Lazy;

    static IS_V3: Lazy<bool> = Lazy::new(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    });
    *IS_V3
}
