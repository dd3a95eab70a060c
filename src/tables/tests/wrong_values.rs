//! Verification finds what is wrong. Values and counts are changed in files that are sound otherwise.

use privy_protocol::Stop;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;

use super::{Folder, game, plain, solved, write_table};
use privy_rules::rule_set::{ApexRule, JumpRule, RuleSet};
use privy_rules::{Game, Variant};
use privy_tables::compression::compress;
use privy_tables::file::{Header, TableFile};
use privy_tables::numbering::Numbering;
use privy_tables::states::layers;
use privy_tables::{Table, TableError, Verified, verify};
use privy_testing::cases;

/// A table of a game that is to be forged.
struct Forgery {
    _folder: Folder,
    path: PathBuf,
    header: Header,
    sections: Vec<Vec<u16>>,
}

impl Forgery {
    fn of(variant: &Arc<Variant>) -> Forgery {
        let folder = Folder::new();
        let path = folder.file("forged.privy");
        solved(variant, &path);
        let file = TableFile::open(&path).unwrap();
        let numbering = Numbering::new(variant, layers(variant, None).unwrap()).unwrap();
        let codes = |(section, (state, rebels))| {
            (0..numbering.positions(state, rebels)).map(|rank| file.code(section, rank).unwrap()).collect()
        };
        let sections = numbering.all_sections().enumerate().map(codes).collect();
        Forgery { _folder: folder, path, header: file.header, sections }
    }
}

/// All entries of all sections.
fn entries(sections: &[Vec<u16>]) -> Vec<(usize, usize)> {
    let entries = sections.iter().enumerate().map(|(number, values)| (0..values.len()).map(move |rank| (number, rank)));
    entries.flatten().collect()
}

/// Writes a table with other values.
fn write(path: &std::path::Path, header: &Header, sections: &[Vec<u16>]) {
    write_table(path, header, sections.iter().map(|codes| compress(std::slice::from_ref(codes), &Stop::default())));
}

fn verified(path: &std::path::Path, variant: &Arc<Variant>) -> Verified {
    let table = Table::open(path, variant).unwrap();
    verify(&table, None, &mut |_, _| {}, &Stop::default()).unwrap()
}

/// Games whose values are written in either way, with and without mirror images and parity.
fn games() -> Vec<Arc<Variant>> {
    let pairs = RuleSet { intervention: true, custodial: true, apex: ApexRule::Return, close_privy: true, ..plain() };
    let jumps = RuleSet { jump: JumpRule::Multi, apex: ApexRule::Rebels, free_jumps: 1, ..plain() };
    vec![game("hut", &pairs, "b2", 5).unwrap(), game("lodge", &jumps, "b2", 4).unwrap()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(12), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_wrong_value_is_found(game in 0usize..2, at in any::<prop::sample::Index>(), value in 0u16..=253) {
        let variant = games().swap_remove(game);
        let Forgery { _folder, path, header, mut sections } = Forgery::of(&variant);
        let legal = entries(&sections);
        let (number, entry) = legal[at.index(legal.len())];
        prop_assume!(sections[number][entry] != value);
        write(&path, &header, &sections);
        prop_assert!(verified(&path, &variant).is_sound());
        sections[number][entry] = value;
        write(&path, &header, &sections);
        let found = verified(&path, &variant);
        prop_assert!(found.mismatches > 0 && !found.examples.is_empty() && !found.is_sound());
        for example in &found.examples {
            prop_assert!(Game::from_text(&example.position, Some(&variant)).is_ok(), "{}", example.position);
            prop_assert!(example.stored != example.right);
        }
    }
}

/// Four times as many positions are drawn as there are: whatever the place of the General, some of those that a wrong
/// value concerns are.
#[test]
fn a_wrong_value_is_found_at_random() {
    for variant in games() {
        let Forgery { _folder, path, header, mut sections } = Forgery::of(&variant);
        let legal = entries(&sections);
        let draws = 4 * 2 * legal.len() as u64;
        let sampled = |seed| -> Verified {
            let table = Table::open(&path, &variant).unwrap();
            verify(&table, Some((draws, seed)), &mut |_, _| {}, &Stop::default()).unwrap()
        };
        write(&path, &header, &sections);
        let sound = sampled(1);
        assert_eq!((sound.positions, sound.mismatches, sound.examples), (draws, 0, Vec::new()));
        for (number, entry) in legal.iter().step_by(legal.len() / 3).copied() {
            let value = sections[number][entry];
            // A win in one ply is not also one in two.
            sections[number][entry] = if value == 1 { 2 } else { 1 };
            write(&path, &header, &sections);
            let found = sampled(2);
            assert!(found.mismatches > 0 && !found.examples.is_empty(), "section {number}, entry {entry}");
            sections[number][entry] = value;
        }
        let (found, again) = (sampled(2), sampled(2));
        assert!(found.mismatches > 0);
        assert_eq!((found.mismatches, found.examples), (again.mismatches, again.examples));
    }
}

#[test]
fn every_wrong_value_of_a_drawn_position_is_found() {
    for variant in games() {
        let Forgery { _folder, path, header, mut sections } = Forgery::of(&variant);
        let mut drawn = entries(&sections);
        drawn.retain(|(number, entry)| sections[*number][*entry] == 0);
        let (number, entry) = drawn[0];
        let is_sound = |sections: &[Vec<u16>]| {
            write(&path, &header, sections);
            verified(&path, &variant).is_sound()
        };
        let mut not_found = Vec::new();
        for value in (0..16).chain([31, 64, 127, 128, 200, 253, 254, 255]) {
            sections[number][entry] = value;
            if is_sound(&sections) {
                not_found.push(value);
            }
        }
        assert_eq!(not_found, [0]);
    }
}

#[test]
fn wrong_counts_are_found() {
    for variant in games() {
        let Forgery { _folder, path, header, sections, .. } = Forgery::of(&variant);
        let mut forged = header.clone();
        forged.layers[0].general.won += 1;
        write(&path, &forged, &sections);
        let found = verified(&path, &variant);
        assert!(found.mismatches == 0 && !found.agrees_with_header && !found.is_sound());
        let mut forged = header.clone();
        forged.max_plies += 1;
        write(&path, &forged, &sections);
        assert!(!verified(&path, &variant).agrees_with_header);
    }
}

#[test]
fn a_missing_section_is_found() {
    let variant = games().swap_remove(0);
    let Forgery { _folder, path, header, mut sections } = Forgery::of(&variant);
    sections.pop();
    write(&path, &header, &sections);
    let error = Table::open(&path, &variant).unwrap_err();
    assert!(matches!(error, TableError::Unusable(..)), "{error}");
    assert!(error.to_string().contains("laid out by another version"), "{error}");
}

#[test]
fn verification_stops_and_reports_progress() {
    let variant = games().swap_remove(0);
    let folder = Folder::new();
    let table = solved(&variant, &folder.file("sound.privy"));
    let stop = Stop::default();
    stop.set();
    assert!(matches!(verify(&table, None, &mut |_, _| {}, &stop), Err(TableError::Interrupted)));
    let mut told = Vec::new();
    verify(&table, None, &mut |done, total| told.push((done, total)), &Stop::default()).unwrap();
    assert!(told.is_sorted() && told.len() > 2);
    assert!(told[0].0 == 0 && told.last().is_some_and(|(done, total)| done == total));
}
