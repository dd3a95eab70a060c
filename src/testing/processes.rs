//! The faulty engines as processes.
//!
//! They are tested here, not with the rest of the integration tests, because Cargo builds a program for the tests of
//! the same package alone, and tells only them where it is.
#![cfg(unix)]

use privy_referee::compliance::start_process;
use privy_testing::examination::FaultyEngines;
use privy_testing::faulty::faults;

const PROCESSES: FaultyEngines = FaultyEngines { program: env!("CARGO_BIN_EXE_faulty-engine"), launch: start_process };

/// Steps that are about the process: its start, exit status and end.
const ABOUT_PROCESSES: [&str; 5] = ["start.answers", "start.silent", "lines.encoding", "lines.last", "end"];

#[test]
fn faults_of_the_process_are_found() {
    let is_chosen = |step: &str| ABOUT_PROCESSES.contains(&step) || step.starts_with("end.");
    let chosen: Vec<_> = faults().filter(|(_, step)| is_chosen(step)).collect();
    assert!(chosen.len() >= 12, "{chosen:?}");
    PROCESSES.are_found(&chosen);
}

#[test]
fn a_process_without_a_fault_passes() {
    assert!(PROCESSES.pass("none", &ABOUT_PROCESSES).is_empty());
}

#[test]
#[ignore = "release: 170 processes"]
fn every_fault_is_found_in_a_process() {
    PROCESSES.are_found(&faults().collect::<Vec<_>>());
}

#[test]
#[ignore = "release: 85 processes"]
fn a_process_without_a_fault_passes_every_step() {
    assert!(PROCESSES.pass("none", &[]).is_empty());
}
