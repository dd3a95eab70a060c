//! The committed report follows from the committed figures, and is whole.
use privy_protocol::Stop;

use std::fs;
use std::path::{Path, PathBuf};

use privy_program::CliError;

use crate::decide;
use crate::report::VerdictReport;
use crate::verdict::ClaimAnswer;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// A file of the folder; empty when there is none.
fn read(name: &str) -> String {
    fs::read_to_string(docs().join(name)).unwrap_or_default()
}

fn report() -> VerdictReport {
    serde_json::from_str(&read("verdicts.json")).unwrap()
}

#[test]
fn the_report_follows_from_its_figures() {
    let report = report();
    assert_eq!(report.json().unwrap(), read("verdicts.json"));
    if std::env::var_os("PRIVY_REGENERATE").is_some() {
        fs::write(docs().join("VERDICTS.md"), report.markdown()).unwrap();
    }
    assert!(
        report.markdown() == read("VERDICTS.md"),
        "docs/VERDICTS.md is not made of docs/verdicts.json: write both anew with privy-verdicts"
    );
}

#[test]
fn every_claim_has_its_section() {
    assert_eq!(
        report().verdicts.iter().map(|verdict| verdict.claim).collect::<Vec<u8>>(),
        (1..=16).collect::<Vec<u8>>()
    );
    let markdown = read("VERDICTS.md");
    for claim in 1..=16 {
        let (_, section) = markdown.split_once(&format!("\n## Claim {claim}\n")).unwrap();
        let section = section.split("\n## ").next().unwrap();
        for part in ["**Source.** ", "**Computation.** ", "**Answer: "] {
            assert!(section.contains(part), "claim {claim} has no {part}");
        }
        assert!(section.contains("| figure | value |"), "claim {claim}");
        assert!(!section.contains("**Answer: not solved.**"), "claim {claim}");
    }
}

/// Tags that open are closed in turn, and every attribute is quoted.
fn assert_well_formed(name: &str, svg: &str) {
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{name}");
    let mut open: Vec<&str> = Vec::new();
    for piece in svg.split('<').skip(1) {
        assert!(piece.contains('>'), "{name}: <{piece}");
        let (tag, text) = piece.split_once('>').unwrap_or_default();
        assert!(!text.contains('&') && !text.contains('>'), "{name}: {text}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{name}: {tag}");
        let word = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or("");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(word), "{name}: {tag}");
        } else if !tag.ends_with('/') {
            open.push(word);
        }
    }
    assert!(open.is_empty(), "{name}: {open:?}");
    for nonsense in ["NaN", "inf", "-nan"] {
        assert!(!svg.contains(nonsense), "{name}: {nonsense}");
    }
}

#[test]
fn plots_are_well_formed_and_linked() {
    let report = report();
    let markdown = read("VERDICTS.md");
    let plots = report.plots();
    assert_eq!(plots.len(), 3);
    for (name, svg) in plots {
        assert!(markdown.contains(&format!("]({name})")), "{name}");
        assert_eq!(svg, read(name));
        assert_well_formed(name, &svg);
        assert!(svg.matches("<polyline").count() >= 8, "{name}");
    }
}

/// Decides claims without a table.
fn decided(claims: &[u8]) -> Result<VerdictReport, CliError> {
    let folder = std::env::temp_dir().join("privy-no-such-folder");
    let stop = Stop::default();
    let mut listener = |_: &str, _: Option<&_>| {};
    decide(folder, claims, &mut listener, &stop)
}

#[test]
fn claims_that_need_no_table_are_answered_without_one() {
    let report = decided(&[8]).unwrap();
    let answers: Vec<(u8, ClaimAnswer)> =
        report.verdicts.iter().map(|verdict| (verdict.claim, verdict.answer)).collect();
    assert_eq!(answers, [(8, ClaimAnswer::Confirmed)]);
}

#[test]
fn an_unknown_claim_is_refused() {
    let refused = crate::command_line().try_get_matches_from(["privy-verdicts", "17"]).unwrap_err();
    assert!(refused.to_string().contains(": expected 1 to 16"), "{refused}");
}
