//! Latency: how fast the engine starts, and how late it answers `go time 500`. Measurements without bounds: the figures depend on
//! the machine, which should be idle. To run them:
//!
//! `cargo test --release --test all gtp::latency:: -- --ignored --nocapture --test-threads 1`

use std::time::{Duration, Instant};

use privy_protocol::Client;

use crate::support::binary;
use crate::support::random::Random;

const PATIENCE: Duration = Duration::from_secs(60);

fn start() -> Client {
    Client::spawn(binary::privy().args(["--tables", "off"])).unwrap()
}

/// Median, 90th and 99th percentile, and the worst.
fn print_distribution(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let part = |percent: usize| times[(times.len() * percent).div_ceil(100).clamp(1, times.len()) - 1];
    let (median, tenth, hundredth, worst) = (part(50), part(90), part(99), part(100));
    println!(
        "{what}: of {} median {median:.1?}, 90 % {tenth:.1?}, 99 % {hundredth:.1?}, worst {worst:.1?}",
        times.len()
    );
}

/// From the start of the process to the answer to `name`.
#[test]
#[ignore = "a measurement"]
fn start_to_name() {
    let once = |_| {
        let begun = Instant::now();
        let mut engine = start();
        engine.request("name", PATIENCE).unwrap();
        let time = begun.elapsed();
        engine.quit(PATIENCE).unwrap();
        time
    };
    print_distribution("start to the answer of name", (0..50).map(once).collect());
}

/// Time beyond 500 ms from sending `go time 500` to the end of its answer.
#[test]
#[ignore = "a measurement of two minutes"]
fn lateness_of_go_time() {
    const ASKED: Duration = Duration::from_millis(500);
    let mut engine = start();
    let variants = engine.request("list_variants", PATIENCE).unwrap();
    let variants: Vec<&str> = variants.lines().filter(|id| *id != "twenty-six-murray").collect();
    let (mut late, mut early) = (Vec::new(), 0);
    for round in 0.. {
        for variant in &variants {
            engine.request(format!("variant {variant}"), PATIENCE).unwrap();
            for _ in 0..round % 8 {
                let moves = engine.request("legal_moves", PATIENCE).unwrap();
                let Some(move_) = moves.text().split(' ').find(|move_| !move_.is_empty()) else { break };
                engine.request(format!("play {move_}"), PATIENCE).unwrap();
            }
            let begun = Instant::now();
            let reply = engine.request("go time 500", PATIENCE).unwrap();
            let time = begun.elapsed();
            match time.checked_sub(ASKED) {
                Some(lateness) => late.push(lateness),
                // The result was proved before the time was up, or the game is over.
                None => early += usize::from(reply.is_success()),
            }
            if late.len() == 200 {
                print_distribution("lateness of go time 500", late);
                println!("searches that ended early, the result being proved: {early}");
                return;
            }
        }
    }
}

/// Time of moves from a table with `go time 10`. Lost positions with many moves take longest. `PRIVY_KEEPS_TABLES` names the
/// folder of the tables.
#[test]
#[ignore = "a measurement that needs tables"]
fn moves_from_a_table() {
    let Some(folder) = std::env::var_os("PRIVY_KEEPS_TABLES") else { return println!("PRIVY_KEEPS_TABLES is not set") };
    let mut random = Random::new(1);
    for variant in ["kings-gonu", "sixteen-rebels", "juroku-musashi", "monk-and-water"] {
        let mut engine =
            Client::spawn(binary::privy().arg("--tables").arg(&folder).args(["--variant", variant])).unwrap();
        let mut times = Vec::new();
        while times.len() < 300 {
            engine.request("clear_board", PATIENCE).unwrap();
            for _ in 0..60 {
                let moves = engine.request("legal_moves", PATIENCE).unwrap();
                let moves: Vec<&str> = moves.text().split_whitespace().collect();
                if moves.is_empty() {
                    break;
                }
                let begun = Instant::now();
                let reply = engine.request("go time 10", PATIENCE).unwrap();
                times.push(begun.elapsed());
                let best = reply.lines().last().and_then(|line| line.strip_prefix("bestmove ")).unwrap();
                let move_ = if random.one_in(2) { best } else { moves[random.below(moves.len())] };
                engine.request(format!("play {move_}"), PATIENCE).unwrap();
            }
        }
        print_distribution(variant, times);
    }
}
