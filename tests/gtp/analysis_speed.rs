//! Speed of an analysis: the delay of reports and of its end, and the cost of an idle engine. Measurements without bounds: the
//! figures depend on the machine, which should be idle. To run them:
//!
//! `cargo test --release --test all gtp::analysis_speed:: -- --ignored --nocapture --test-threads 1`

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::lines;

use lines::Engine;

/// CPU time of a process, in ticks of 10 ms.
fn ticks(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn print_distribution(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let part = |percent: usize| times[(times.len() * percent).div_ceil(100).clamp(1, times.len()) - 1];
    println!(
        "{what}: of {} median {:.1?}, 90 % {:.1?}, 99 % {:.1?}, worst {:.1?}",
        times.len(),
        part(50),
        part(90),
        part(99),
        part(100)
    );
}

/// The delay of waking a thread is shown first: a report cannot be earlier.
#[test]
#[ignore = "a measurement of two minutes"]
fn lateness_of_reports() {
    let interval = Duration::from_millis(50);
    let nap = |_| {
        let begun = Instant::now();
        thread::sleep(interval);
        begun.elapsed().saturating_sub(interval)
    };
    print_distribution("a thread that sleeps wakes late by", (0..500).map(nap).collect());
    for variant in ["sixteen-rebels", "yeung-luk"] {
        let mut engine = Engine::start();
        engine.succeed(&format!("variant {variant}"));
        engine.write("kata-analyze 5\n");
        engine.line();
        let (mut off, mut before) = (Vec::new(), Instant::now());
        for _ in 0..1000 {
            engine.line();
            let now = Instant::now();
            off.push(interval.abs_diff(now - before));
            before = now;
        }
        print_distribution(&format!("{variant}: the time between two reports is off by"), off);
    }
}

#[test]
#[ignore = "a measurement of a minute"]
fn lateness_of_the_end() {
    let mut engine = Engine::start();
    for (command, ending) in [("go infinite", "stop"), ("analyze 1", ""), ("analyze 100", "# comment")] {
        let mut late = Vec::new();
        for round in 0..200 {
            engine.write(&format!("{command}\n"));
            engine.line();
            thread::sleep(Duration::from_millis(20 + round % 37));
            let sent = Instant::now();
            engine.write(&format!("{ending}\n"));
            engine.answer();
            late.push(sent.elapsed());
            if ending == "stop" {
                engine.answer();
            }
        }
        print_distribution(&format!("{command}: answered after {ending:?}"), late);
    }
    engine.succeed("set_option ponder on");
    engine.succeed("time_settings 0 1 100");
    let mut late = Vec::new();
    for _ in 0..100 {
        engine.succeed("clear_board");
        engine.succeed("genmove general");
        thread::sleep(Duration::from_millis(30));
        let sent = Instant::now();
        engine.succeed("name");
        late.push(sent.elapsed());
    }
    print_distribution("name while pondering", late);
}

#[test]
#[ignore = "a measurement of a minute, for Linux"]
fn idle_time_of_the_processor() {
    let mut engine = Engine::start();
    let process = engine.process();
    let measure = |what: &str| {
        let before = ticks(process);
        thread::sleep(Duration::from_secs(5));
        println!("{what}: {} ms of processor time in 5 s", 10 * (ticks(process) - before));
    };
    engine.succeed("name");
    measure("idle");
    engine.succeed("position fen 1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water");
    engine.write("analyze 10\n");
    measure("analysis of a decided position");
    engine.write("\n");
    engine.answer();
    engine.succeed("variant sixteen-rebels");
    engine.succeed("genmove general");
    measure("after genmove, ponder off");
    engine.succeed("set_option ponder on");
    engine.succeed("genmove rebels");
    measure("after genmove, ponder on");
}
