//! Analyses a position in a thread of its own, until it is stopped.
//!
//! `cargo run --release -p privy-engine --example analyze`
#![allow(clippy::print_stdout)]

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use privy_engine::{Engine, EngineError, GoRequest, PathChoice};
use privy_protocol::{SearchInfo, Stop};
use privy_search::SearchRequest;

/// Returns the best lines of the position after `time`, or as soon as a depth is reached. Reports come meanwhile, as they would in a program with a
/// window.
pub(crate) fn analyze(
    position: &str,
    lines: usize,
    depth: u32,
    time: Duration,
) -> Result<Vec<SearchInfo>, EngineError> {
    let mut engine = Engine::new();
    engine.configure(|options| options.tables = PathChoice::Off)?;
    engine.set_position(Some(position), &[])?;
    // Without limits a search ends when it is stopped.
    let search = SearchRequest { multi_pv: lines, ..SearchRequest::default() };
    let request = GoRequest { search, full_strength: true, ..GoRequest::default() };
    // Clones of a stop share one signal.
    let stop = Stop::default();
    let bell = stop.clone();
    let (sender, reports) = mpsc::channel();
    let search = thread::spawn(move || {
        let game = engine.game().clone();
        let in_text = |line: &privy_search::SearchInfo| line.with_pv(game.line_texts(&line.pv));
        // A receiver that has gone away ends no search.
        let found = engine.go(&request, &stop, &mut |line| drop(sender.send(in_text(line))))?;
        Ok(found.lines.iter().map(in_text).collect())
    });
    let begun = Instant::now();
    while let Ok(report) = reports.recv_timeout(time.saturating_sub(begun.elapsed())) {
        println!("{report}");
        if report.depth >= depth {
            break;
        }
    }
    bell.set();
    search.join().expect("an engine panics at no position")
}

pub(crate) fn main() -> Result<(), EngineError> {
    let lines = analyze("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels", 2, 8, Duration::from_secs(1))?;
    for line in lines {
        println!("{} {}: {}", line.multipv, line.score, line.pv.join(" "));
    }
    Ok(())
}
