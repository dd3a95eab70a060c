//! Numbers of positions, codes of values, compressed bytes.

use std::sync::Arc;

use privy_protocol::Stop;
use proptest::prelude::*;

use privy_rules::board::{Point, PointSet};
use privy_rules::{Position, Side, Variant};
use privy_tables::coding::{CODES, Coding, Section};
use privy_tables::compression::{CHUNK, chunk_range, compress, decompress, directory_range, value};
use privy_tables::numbering::Numbering;
use privy_tables::states::{Coverage, binomial};
use privy_tables::{NotCovered, SolveOptions, TableValue, disk_bytes};

fn numbering(id: &str, most: u32) -> (Arc<Variant>, Numbering) {
    let variant = Variant::builtin(id).unwrap();
    let numbering = Numbering::new(&variant, Coverage::up_to(&variant, Some(most)).unwrap()).unwrap();
    (variant, numbering)
}

/// Every rank has a set, every set a rank, in the order of their numbers.
#[test]
fn ranks_and_sets_are_one_to_one() {
    for (id, most) in [("hare-and-hounds", 3), ("wolf-and-sheep", 3), ("kings-gonu", 4), ("adugo", 11)] {
        let (variant, numbering) = numbering(id, most);
        for general in variant.board().all().into_iter().step_by(5) {
            for rebels in numbering.layers.iter().copied() {
                let positions = binomial(numbering.variant.rules().ground.without(general).len(), rebels) as usize;
                let step = (positions / 5_000).max(1);
                for first in (0..positions).step_by(step) {
                    for (rank, set) in (first..positions).zip(numbering.sets_from(general, rebels, first)).take(2) {
                        assert_eq!(set.len(), rebels);
                        assert!(variant.rules().ground.without(general).contains_all(set));
                        assert_eq!(numbering.rank(general, set), rank, "{id} {general:?} {set:?}");
                        assert_eq!(numbering.set(general, rebels, rank), set);
                    }
                }
            }
        }
    }
}

/// Every position of a section is found there, and the next section begins where its positions end.
#[test]
fn positions_are_found_in_their_sections() {
    let (_, numbering) = numbering("kings-gonu", 4);
    assert_eq!(numbering.all_sections().count(), numbering.sections());
    for (section, (state, rebels)) in numbering.all_sections().enumerate() {
        let positions = numbering.positions(state, rebels);
        for (rank, position) in (0..).zip(numbering.positions_from((state, rebels), Side::Rebels, 0)).step_by(50) {
            assert_eq!(numbering.find(&position), Ok((section, rank)));
        }
        assert_eq!(numbering.positions_from((state, rebels), Side::Rebels, positions).count(), 0);
        assert_eq!(numbering.positions_from((state, rebels), Side::Rebels, positions - 1).count(), 1);
    }
}

#[test]
fn positions_that_are_not_covered_have_no_number() {
    let (_, numbering) = numbering("wolf-and-sheep", 2);
    let find =
        |rebels, general| numbering.find(&Position::new(PointSet(rebels), Point::new(general), Side::Rebels, false, 0));
    assert!(find(0b101, 9).is_ok());
    assert_eq!(find(0b111, 9), Err(NotCovered::Rebels { rebels: 3, most: 2 }));
    assert_eq!(find(0b101, 0), Err(NotCovered::GeneralState), "the General stands on a Rebel");
    assert_eq!(numbering.layer(3), None);
}

/// The sizes are kept with the games.
#[test]
fn the_tables_of_solved_games_are_as_large_as_the_notebook_says() {
    let notebook = include_str!("../../../docs/NOTEBOOK.md");
    let (_, rows) = notebook.split_once("| variant | opening | positions | longest | file, bytes |\n").unwrap();
    let rows: Vec<Vec<&str>> =
        rows.lines().skip(1).map_while(|row| row.strip_prefix("| ")).map(|row| row.split(" | ").collect()).collect();
    assert_eq!(rows.len(), 9);
    for row in rows {
        let variant = Variant::builtin(row[0]).unwrap();
        let bytes: u64 = row[4].trim_end_matches(" |").replace(',', "").parse().unwrap();
        let disk = disk_bytes(&variant, &SolveOptions::default(), &Stop::default()).unwrap();
        // The layers of a large table are in files, too, with the landings of chains of jumps.
        let layers = if variant.rules().jumps_go_on { 2 * bytes } else { bytes };
        assert_eq!(disk, bytes + if layers > 64 << 20 { layers } else { 0 }, "{}", row[0]);
    }
}

#[test]
fn layers_with_more_sets_than_32_bits_count_are_refused() {
    let variant = Variant::builtin("subjugatio").unwrap();
    assert!(Numbering::new(&variant, Coverage::whole(&variant)).is_none());
}

fn codings() -> impl Iterator<Item = Coding> {
    let forms = [false, true].map(Coding::with_flag);
    forms.into_iter().flat_map(|coding| [Some(coding), coding.with_short_laps(9)]).flatten()
}

#[test]
fn values_come_back_from_their_codes() {
    for coding in codings() {
        for plies in 0..=coding.most_plies() {
            for rebels_win in [false, true].into_iter().filter(|win| coding.has_flag || *win == (plies % 2 == 1)) {
                let code = coding.write(plies, rebels_win);
                let value = if rebels_win { TableValue::Win(plies) } else { TableValue::Loss(plies) };
                assert_eq!(coding.value(code), value, "{coding:?}");
                assert!(usize::from(code) < CODES);
                assert_eq!(code >> 8 == 0, plies <= coding.most_plies_of_byte());
            }
        }
    }
}

#[test]
fn only_codings_of_the_rules_are_read() {
    // An apex does not lose here.
    let variant = Variant::builtin("kings-gonu").unwrap();
    for (text, is_right) in [
        (r#"{"has_flag":false,"most":253}"#, true),
        (r#"{"has_flag":false,"most":9}"#, true),
        (r#"{"has_flag":false,"most":8}"#, false),
        (r#"{"has_flag":false,"most":1}"#, false),
        (r#"{"has_flag":false,"most":255}"#, false),
        (r#"{"has_flag":true,"most":125}"#, false),
    ] {
        assert_eq!(serde_json::from_str::<Coding>(text).unwrap().is_of(&variant), is_right, "{text}");
    }
}

#[test]
fn bytes_have_different_values_except_draws() {
    for coding in codings() {
        let draws = if coding.has_flag { vec![0, 0x80] } else { vec![0] };
        let of_value = |value: TableValue| (0..=0xff).filter(|byte| coding.value(*byte) == value).collect::<Vec<u16>>();
        for byte in 0..=0xff {
            let alike = if draws.contains(&byte) { draws.clone() } else { vec![byte] };
            assert_eq!(of_value(coding.value(byte)), alike, "{coding:?}");
        }
        assert_eq!(of_value(TableValue::Draw), draws);
    }
}

fn read(packed: &[u8], place: usize) -> u8 {
    let chunk = place / CHUNK;
    let range = chunk_range(&packed[directory_range(chunk..chunk + 1)]).unwrap();
    value(&packed[range], place).unwrap()
}

proptest! {
    #[test]
    fn binomials_follow_from_those_above(places in 1u32..64, count in 1u32..64) {
        let sum = binomial(places - 1, count - 1) + binomial(places - 1, count);
        prop_assert_eq!(binomial(places, count), sum);
    }

    #[test]
    fn bytes_come_back(values in proptest::collection::vec(any::<u8>(), 0..2000), few in 1u8..20) {
        for values in [values.clone(), values.iter().map(|value| value % few).collect()] {
            let packed = compress(&values, &Stop::default());
            prop_assert_eq!(&decompress(&packed, values.len()).unwrap(), &values);
            for (place, value) in values.iter().enumerate() {
                prop_assert_eq!(read(&packed, place), *value);
            }
        }
    }

    #[test]
    fn damaged_chunks_give_a_value_or_none(chunk in proptest::collection::vec(any::<u8>(), 0..400), place in 0usize..2000) {
        let _ = value(&chunk, place);
        let _ = decompress(&chunk, place);
    }

    /// The counts of a section are those of its values.
    #[test]
    fn sections_are_counted(plies in proptest::collection::vec(proptest::option::of(0u32..1000), 1..600)) {
        let coding = Coding::with_flag(false);
        let code = |plies: Option<u32>| plies.map_or(0, |plies| coding.write(plies, plies % 2 == 1));
        let [values, laps]: [Vec<u8>; 2] = [0, 1].map(|byte| plies.iter().map(|plies| code(*plies).to_le_bytes()[byte]).collect());
        let section = Section::new(coding, &values, &laps, &Stop::default());
        let count = |is: &dyn Fn(&Option<u32>) -> bool| plies.iter().filter(|plies| is(plies)).count() as u64;
        prop_assert_eq!(section.counts.drawn, count(&|plies| plies.is_none()));
        prop_assert_eq!(section.counts.won, count(&|plies| plies.is_some_and(|plies| plies % 2 == 1)));
        prop_assert_eq!(section.counts.lost, count(&|plies| plies.is_some_and(|plies| plies > 0 && plies % 2 == 0)));
        prop_assert_eq!(section.longest, plies.iter().flatten().copied().max().unwrap_or(0));
        prop_assert_eq!(section.laps.is_empty(), plies.iter().flatten().all(|plies| *plies <= 253));
    }
}

#[test]
fn equal_values_take_no_bits() {
    assert_eq!(compress(&[7; CHUNK], &Stop::default()).len(), 2 * 4 + 2);
}
