//! Multiversioned hot code: one program for every x86-64 processor, which selects a copy at run time.
//!
//! Searches, counts and tables handle sets of points as words. With AVX2, BMI and the population count (the level
//! x86-64-v3: Haswell, 2013, and Excavator, 2015) they take three quarters of the time of the baseline. Other
//! architectures have these instructions in their baseline, and run the only copy.
//!
//! A function declared by `best_instructions` calls one of its two copies. Code inlined into it is compiled twice with
//! it, so hot helpers are `#[inline(always)]`; other functions that it calls keep to the baseline.

/// Declares a function with a copy for the baseline and one for x86-64-v3.
#[macro_export]
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

/// Declares a function with a copy for the baseline, one for x86-64-v3 and one for x86-64-v4 (AVX-512: Skylake-X, 2017,
/// and Zen 4, 2022), for code that handles kilobits at once. Builds with debug assertions, and so the tests, go without
/// the last, which takes them long to compile.
#[macro_export]
macro_rules! widest_instructions {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident $(<$($generic:ident: $bound:path),+>)?
        ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $body:block
    ) => {
        $(#[$attribute])*
        $visibility fn $name $(<$($generic: $bound),+>)? ($($argument: $type),*) $(-> $result)? {
            #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn v4 $(<$($generic: $bound),+>)? ($($argument: $type),*) $(-> $result)? $body

                if $crate::cpu::is_v4() {
                    // SAFETY: `is_v4` has found every feature that `v4` is compiled for.
                    #[allow(unsafe_code)]
                    return unsafe { v4 $(::<$($generic),+>)? ($($argument),*) };
                }
            }
            $crate::best_instructions! {
                fn up_to_v3 $(<$($generic: $bound),+>)? ($($argument: $type),*) $(-> $result)? $body
            }
            up_to_v3 $(::<$($generic),+>)? ($($argument),*)
        }
    };
}

/// The processor has the instructions of x86-64-v4 that the third copies use.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn is_v4() -> bool {
    use once_cell::sync::Lazy;

    static IS_V4: Lazy<bool> = Lazy::new(|| {
        is_v3()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
    });
    *IS_V4
}

/// The processor has the instructions of x86-64-v3 that the second copies use.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn is_v3() -> bool {
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
