//! Fuzz targets as tests: their properties hold for the recorded seeds and for mutations of them. `PRIVY_FUZZ_SECONDS`
//! is the time of each target, a quarter of a second by default, `PRIVY_FUZZ_SEED` the seed of its inputs.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use super::mutation::mutated;
use super::properties::{self, TARGETS};
use crate::support::random::Random;
use privy_testing::settings;

/// The recorded inputs of a target: its corpus and every past finding.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

fn check(target: &str, input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| properties::check(target, input))).is_err() {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("finding-{target}"));
        fs::write(&path, input).unwrap();
        panic!("{target}: it does not hold of {}: {:?}", path.display(), String::from_utf8_lossy(input));
    }
}

#[track_caller]
fn run(target: &str) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    seeds.iter().for_each(|seed| check(target, seed));
    let mut random = Random::new(settings::number("PRIVY_FUZZ_SEED", 1));
    let seconds = settings::number("PRIVY_FUZZ_SECONDS", 0);
    let (begun, time) = (Instant::now(), Duration::from_secs(seconds).max(Duration::from_millis(250)));
    let mut runs = 0_u64;
    while begun.elapsed() < time {
        check(target, &mutated(&seeds, &mut random));
        runs += 1;
    }
    println!("{target}: {runs} inputs");
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        #[test]
        fn every_target_is_run() {
            assert_eq!(TARGETS.map(|(name, _)| name), [$(stringify!($name)),*]);
        }
    };
}

targets! {
    position_text
    moves
    record
    sgf
    variant_file
    board_file
    weights
    protocol
    session
    half_move_session
    table
}
