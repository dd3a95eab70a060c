//! Complete verification of the tables of all nine games on 25 points, with the recorded counts. Not part of the default run: it
//! takes many minutes and 3 GiB.
//!
//! ```text
//! cargo test --release --test all tablebase::verified:: -- --ignored --nocapture
//! ```
//!
//! `PRIVY_VARIANTS` restricts the games. Tables are read from the folder `PRIVY_TABLES` and kept there. Without it they are built
//! in the target folder and removed.
use privy_protocol::Stop;

use std::path::{Path, PathBuf};
use std::time::Instant;

use privy::rules::Variant;
use privy::tablebase::{Table, known_counts, table_path, verify};

use crate::support::tables;

const VARIANTS: &str = "sixteen-rebels sixteen-rebels-murray sixteen-rebels-neeley shap-luk-kon shap-luk-kon-2 \
                        juroku-musashi juroku-musashi-hasami monk-and-water kings-gonu";

#[test]
#[ignore = "takes many minutes"]
fn every_position_follows_from_its_successors() {
    let chosen = std::env::var("PRIVY_VARIANTS").unwrap_or_else(|_| VARIANTS.to_owned());
    let kept = std::env::var("PRIVY_TABLES").ok().map(PathBuf::from);
    let folder = kept.clone().unwrap_or_else(|| Path::new(env!("CARGO_TARGET_TMPDIR")).to_owned());
    println!("| variant | opening | positions | wrong | most plies | bytes | solved | verified |");
    for id in chosen.split_whitespace() {
        let variant = Variant::builtin(id).unwrap();
        let path = table_path(&folder, &variant);
        let mut solving = String::from("before");
        if !path.exists() {
            let solved = tables::solve_into(&path, &variant);
            solving = format!("{:.1} s", solved.time.as_secs_f64());
        }
        let table = Table::open(&path, &variant).unwrap();
        let start = Instant::now();
        let verified = verify(&table, &mut |_, _| {}, &Stop::default()).unwrap();
        println!(
            "| {id} | {} | {} | {} | {} | {} | {solving} | {:.1} s |",
            table.probe(&variant.start()).unwrap(),
            verified.general + verified.rebels,
            verified.mismatches,
            table.max_plies(),
            table.bytes(),
            start.elapsed().as_secs_f64()
        );
        assert!(known_counts(variant.fingerprint()).is_some(), "{id}");
        assert!(verified.is_sound(), "{id}: {verified:?}");
        drop(table);
        if kept.is_none() {
            std::fs::remove_file(&path).unwrap();
        }
    }
}
