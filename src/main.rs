//! x
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use privy::rules::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let v = Variant::builtin(&a[1]).unwrap();
    let p = if a.len() > 3 { Position::from_text(&a[3], Some(&v)).unwrap() } else { v.start() };
    println!("{p} {:?}", p.outcome());
    for d in 1..=a[2].parse().unwrap() {
        let t = std::time::Instant::now();
        let n = perft(&p, d);
        let s = t.elapsed().as_secs_f64();
        println!("{d} {n} {:.0}M/s {:.3}s", n as f64 / s / 1e6, s);
    }
}
