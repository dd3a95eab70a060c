//! The referee: matches, faults of engines, compliance, openings, example programs.

#[cfg(unix)]
mod compliance;
mod examples;
mod examples_engine;
#[cfg(target_os = "linux")]
mod faults;
#[cfg(target_os = "linux")]
mod interrupted;
#[cfg(target_os = "linux")]
mod matches_played;
mod openings;
#[cfg(target_os = "linux")]
mod parts;
