//! Analyses a position in a separate thread, until it is stopped.
//!
//! `cargo run --release -p privy-engine --example analyze`
#![allow(clippy::print_stdout)]

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use privy_engine::{Engine, EngineError, PathChoice};
use privy_protocol::Stop;
use privy_search::{SearchInfo, SearchRequest};

/// Returns the best lines of the position, each with the texts of its moves, after `time`, or as soon as a depth is
/// reached. Reports come meanwhile, as they would in a program with a window.
pub(crate) fn analyze(
    position: &str,
    lines: usize,
    depth: u32,
    time: Duration,
) -> Result<Vec<(SearchInfo, Vec<String>)>, EngineError> {
    let mut engine = Engine::new();
    engine.configure(|options| options.tables = PathChoice::Off)?;
    engine.set_position(Some(position), &[])?;
    // Without limits a search ends when it is stopped.
    let request = SearchRequest { multi_pv: lines, ..SearchRequest::default() }.analysis();
    // Clones of a stop share one signal.
    let stop = Stop::default();
    let bell = stop.clone();
    let (sender, reports) = mpsc::channel();
    let search = thread::spawn(move || {
        let game = engine.game().clone();
        let with_text = |line: &SearchInfo| (line.clone(), game.line_texts(&line.pv));
        // A receiver that was dropped ends no search.
        let mut report = |line: &SearchInfo| drop(sender.send(with_text(line)));
        let found = engine.go(&request, &stop, Some(&mut report))?;
        Ok(found.lines.iter().map(with_text).collect())
    });
    let begun = Instant::now();
    while let Ok((report, pv)) = reports.recv_timeout(time.saturating_sub(begun.elapsed())) {
        println!("{}", report.text(&pv));
        if report.depth >= depth {
            break;
        }
    }
    bell.set();
    search.join().expect("an engine panics at no position")
}

pub(crate) fn main() -> Result<(), EngineError> {
    let lines = analyze("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels", 2, 8, Duration::from_secs(1))?;
    for (line, pv) in lines {
        println!("{} {}: {}", line.multipv, line.verdict, pv.join(" "));
    }
    Ok(())
}
