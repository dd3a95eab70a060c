//! Cost of GoGui's four processes of the half-move loop. Measurements without bounds: the figures depend on the machine, which
//! should be idle. To run them:
//!
//! `cargo test --release --test all gtp::gogui_speed:: -- --ignored --nocapture --test-threads 1`

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use privy::engine::Engine;
use privy::rules::Variant;
use privy_protocol::Client;

use crate::support::binary;
use crate::support::half_moves;
use crate::support::random;

use random::Random;

const PATIENCE: Duration = Duration::from_secs(60);

fn start(home: &binary::Home) -> Client {
    Client::spawn(home.privy().arg("gogui").stderr(Stdio::null())).unwrap()
}

/// A home folder with the table of the default variant.
fn user() -> binary::Home {
    let home = binary::Home::new();
    home.run(&["solve", "sixteen-rebels"]).success();
    home
}

fn median_and_worst(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort();
    (times[times.len() / 2], times[times.len() - 1])
}

/// The commands of a game of sixteen-rebels with this number of half moves.
fn long_game(half_moves: usize) -> Vec<String> {
    for seed in 0.. {
        let mut random = Random::new(seed);
        let walk = half_moves::walk(Variant::builtin("sixteen-rebels").unwrap().start(), half_moves / 2, &mut random);
        if walk.len() * 2 > half_moves {
            let mut commands = vec!["clear_board".to_owned()];
            for pair in walk.windows(2) {
                let ways = half_moves::sequences(&pair[0]);
                let after = |text: &str| pair[0].after(&pair[0].parse_move(None, text).unwrap());
                let (points, _) = ways.iter().find(|(_, text)| after(text).position() == pair[1].position()).unwrap();
                let colour = half_moves::colour(&pair[0]);
                commands.extend(points.iter().map(|point| format!("play {colour} {point}")));
            }
            return commands;
        }
    }
    Vec::new()
}

#[test]
#[ignore = "a measurement"]
fn clear_board_and_replay() {
    let commands = long_game(300);
    assert_eq!(commands.len(), 301);
    assert!(half_moves::answers(Engine::new(), &commands).iter().all(privy_protocol::Reply::is_success));
    let home = user();
    let mut engine = start(&home);
    let bytes = (commands.join("\n") + "\n").into_bytes();
    let mut once = |_| {
        let begun = Instant::now();
        engine.send_bytes(&bytes, commands.len()).unwrap();
        for _ in &commands {
            assert!(engine.receive(PATIENCE).unwrap().is_success());
        }
        begun.elapsed()
    };
    let (median, worst) = median_and_worst((0..200).map(&mut once).collect());
    println!("clear_board and 300 half moves in one write: median {median:.2?}, worst of 200 {worst:.2?}");
}

#[test]
#[ignore = "a measurement"]
fn start_to_first_answer() {
    let home = user();
    let once = |_| {
        let begun = Instant::now();
        let mut engine = start(&home);
        engine.request("gogui-rules_board", PATIENCE).unwrap();
        let time = begun.elapsed();
        engine.quit(PATIENCE).unwrap();
        time
    };
    let (median, worst) = median_and_worst((0..50).map(once).collect());
    println!("start to the first answer: median {median:.2?}, worst of 50 {worst:.2?}");
    let first_look = |_| {
        let mut engine = start(&home);
        engine.request("name", PATIENCE).unwrap();
        let begun = Instant::now();
        assert!(engine.request("probe", PATIENCE).unwrap().is_success());
        begun.elapsed()
    };
    let (median, worst) = median_and_worst((0..20).map(first_look).collect());
    println!("first look into the table: median {median:.2?}, worst of 20 {worst:.2?}");
}

/// The memory of processes in KiB. Shared pages count once.
fn proportional_memory(engines: &[Client]) -> u64 {
    let of = |engine: &Client| -> u64 {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", engine.process_id().unwrap())).unwrap();
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    engines.iter().map(of).sum()
}

#[test]
#[ignore = "a measurement"]
fn memory_of_four_processes() {
    let home = user();
    let commands = long_game(100);
    for (what, tables, ask) in [
        ("after a replay", "auto", "gogui-rules_board"),
        ("with the table in use", "auto", "privy-move_values"),
        ("after searches in all", "off", "reg_genmove w"),
    ] {
        let run = |count: usize| {
            let engines: Vec<Client> = (0..count)
                .map(|_| {
                    let mut engine = start(&home);
                    for command in &commands {
                        engine.request(command, PATIENCE).unwrap();
                    }
                    engine.request("clear_board", PATIENCE).unwrap();
                    engine.request(format!("set_option tables {tables}"), PATIENCE).unwrap();
                    assert!(engine.request(ask, PATIENCE).unwrap().is_success());
                    engine
                })
                .collect();
            proportional_memory(&engines)
        };
        let (one, four) = (run(1), run(4));
        println!("memory {what}: one process {one} KiB, four {four} KiB, {} KiB for each further", (four - one) / 3);
    }
}
