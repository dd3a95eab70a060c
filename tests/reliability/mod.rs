//! Reliability: properties of any input, a model beside a running engine, faults of the system, games against the naive
//! rules. Each runs for a moment here, and for hours by a command in docs/CONTRIBUTING.md.

#[cfg(target_os = "linux")]
mod commands;
mod damage;
mod faults;
mod files;
mod fuzzed;
#[cfg(target_os = "linux")]
mod lateness;
mod mutation;
#[allow(unreachable_pub)]
#[path = "../../fuzz/properties.rs"]
mod properties;
mod random_files;
mod readers;
mod rivals;
mod soak;
mod stress;
