//! Does verification find what is wrong? Values and counts are changed in files that are sound otherwise.

use privy_protocol::Stop;
use std::path::PathBuf;
use std::sync::Arc;

use proptest::prelude::*;

use super::{Folder, game, plain, solved};
use crate::board::Point;
use crate::rules::rule_set::{ApexRule, JumpRule, RuleSet};
use crate::rules::{Game, Variant};
use crate::tablebase::compression::{NOT_LEGAL, compress};
use crate::tablebase::file::{Header, SectionHeader, create, open_table, write_table};
use crate::tablebase::numbering::Entries;
use crate::tablebase::{Decompressed, Sampled, Table, TableError, Verified, verify, verify_sample};

/// A table of a game that is to be forged.
struct Forgery {
    _folder: Folder,
    path: PathBuf,
    table: Table,
    header: Header,
    sections: Vec<Vec<u8>>,
}

impl Forgery {
    fn of(variant: &Arc<Variant>) -> Forgery {
        let folder = Folder::new();
        let path = folder.file("forged.privy");
        let table = solved(variant, &path);
        let header = open_table(&path).unwrap().1;
        let sections = sections(&table, &header);
        Forgery { _folder: folder, path, table, header, sections }
    }
}

/// The sections of a table as bytes per entry; what is not legal, as it happened to be packed.
fn sections(table: &Table, header: &Header) -> Vec<Vec<u8>> {
    let decompressed = Decompressed::of(table).unwrap();
    let entries = |section: &SectionHeader| entries(table, section).len;
    assert!(decompressed.values.iter().map(Vec::len).eq(header.sections.iter().map(entries)));
    decompressed.values
}

fn entries(table: &Table, section: &SectionHeader) -> Entries {
    let general = Point::new(section.general);
    table.directory.numbering.entries(general, table.variant().rules().ground().contains(general))
}

/// The entries that verification compares: of all entries of all sections, those of legal positions.
fn legal(table: &Table, header: &Header) -> Vec<(usize, usize)> {
    let ground = table.variant().rules().ground();
    let mut legal = Vec::new();
    for (number, section) in header.sections.iter().enumerate() {
        let general = Point::new(section.general);
        let entries = entries(table, section);
        for entry in 0..entries.len {
            let rebels = table.directory.numbering.set(general, entries.number(entry));
            let known = table.layers().iter().any(|layer| layer.rebels == rebels.len());
            if known && ground.contains_all(rebels) && !rebels.contains(general) {
                legal.push((number, entry));
            }
        }
    }
    legal
}

/// Writes a table with other values.
fn write(path: &std::path::Path, header: &Header, sections: &[Vec<u8>]) {
    let mut header = header.clone();
    let packed: Vec<Vec<u8>> =
        sections.iter().map(|values| compress(values.len(), |entry| values[entry].min(NOT_LEGAL - 1))).collect();
    let mut offset = 0;
    for (section, packed) in header.sections.iter_mut().zip(&packed) {
        (section.offset, section.length) = (offset, packed.len() as u64);
        offset += section.length;
    }
    write_table(create(path).unwrap(), &header, &packed).unwrap();
}

fn verified(path: &std::path::Path, variant: &Arc<Variant>) -> Verified {
    let table = Table::open(path, variant).unwrap();
    verify(&table, &mut |_, _| {}, &Stop::default()).unwrap()
}

/// Games whose values are written in either way, with and without mirror images and parity.
fn games() -> Vec<Arc<Variant>> {
    let pairs = RuleSet { intervention: true, custodial: true, apex: ApexRule::Return, close_privy: true, ..plain() };
    let jumps = RuleSet { jump: JumpRule::Multi, apex: ApexRule::Rebels, free_jumps: 1, ..plain() };
    vec![game("hut", &pairs, "b2", 5).unwrap(), game("lodge", &jumps, "b2", 4).unwrap()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_wrong_value_is_found(game in 0usize..2, at in any::<prop::sample::Index>(), value in 0u8..=253) {
        let variant = games().swap_remove(game);
        let Forgery { _folder, path, table, header, mut sections } = Forgery::of(&variant);
        let legal = legal(&table, &header);
        let (number, entry) = legal[at.index(legal.len())];
        // Another byte may stand for the same value.
        prop_assume!(header.coding.value(sections[number][entry].into()) != header.coding.value(value.into()));
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

/// Four times as many positions are drawn as there are: whatever the place of the General, some of those that a wrong value concerns are.
#[test]
fn a_wrong_value_is_found_at_random() {
    for variant in games() {
        let Forgery { _folder, path, table, header, mut sections } = Forgery::of(&variant);
        let legal = legal(&table, &header);
        let draws = 4 * 2 * legal.len() as u64;
        let sampled = |seed| -> Sampled {
            let table = Table::open(&path, &variant).unwrap();
            verify_sample(&table, draws, seed, &mut |_, _| {}, &Stop::default()).unwrap()
        };
        write(&path, &header, &sections);
        let sound = sampled(1);
        assert_eq!((sound.positions, sound.mismatches, sound.examples), (draws, 0, Vec::new()));
        for (number, entry) in legal.iter().step_by(legal.len() / 5).copied() {
            let value = sections[number][entry];
            // A win in one ply is not also one in two.
            sections[number][entry] = if value == 1 { 2 } else { 1 };
            write(&path, &header, &sections);
            let (found, again) = (sampled(2), sampled(2));
            assert!(found.mismatches > 0 && !found.examples.is_empty(), "section {number}, entry {entry}");
            assert_eq!((found.mismatches, found.examples), (again.mismatches, again.examples));
            sections[number][entry] = value;
        }
    }
}

/// A draw may be written with a flag and without.
#[test]
fn every_wrong_value_of_a_drawn_position_is_found() {
    for (variant, draws) in games().into_iter().zip([vec![0], vec![0, 0x80]]) {
        let Forgery { _folder, path, table, header, mut sections } = Forgery::of(&variant);
        let mut drawn = legal(&table, &header);
        drawn.retain(|(number, entry)| sections[*number][*entry] == 0);
        let (number, entry) = drawn[0];
        let is_sound = |sections: &[Vec<u8>]| {
            write(&path, &header, sections);
            verified(&path, &variant).is_sound()
        };
        let mut not_found = Vec::new();
        for value in 0..NOT_LEGAL {
            sections[number][entry] = value;
            if is_sound(&sections) {
                not_found.push(value);
            }
        }
        assert_eq!(not_found, draws);
        for draw in draws {
            drawn.iter().for_each(|(number, entry)| sections[*number][*entry] = draw);
            assert!(is_sound(&sections));
        }
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
    let Forgery { _folder, path, mut header, mut sections, .. } = Forgery::of(&variant);
    header.sections.pop();
    sections.pop();
    write(&path, &header, &sections);
    let table = Table::open(&path, &variant).unwrap();
    let error = verify(&table, &mut |_, _| {}, &Stop::default()).unwrap_err();
    assert!(matches!(error, TableError::Damaged { .. }), "{error}");
    assert!(error.to_string().contains("nothing about the General on"), "{error}");
}

#[test]
fn verification_stops_and_reports_progress() {
    let variant = games().swap_remove(0);
    let folder = Folder::new();
    let table = solved(&variant, &folder.file("sound.privy"));
    let stop = Stop::default();
    stop.set();
    assert!(matches!(verify(&table, &mut |_, _| {}, &stop), Err(TableError::Interrupted)));
    let mut told = Vec::new();
    verify(&table, &mut |done, total| told.push((done, total)), &Stop::default()).unwrap();
    assert!(told.is_sorted() && told.len() > 2);
    assert!(told[0].0 == 0 && told.last().is_some_and(|(done, total)| done == total));
}
