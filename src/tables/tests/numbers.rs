//! Numbers of positions, codes of values, compressed codes.

use std::sync::Arc;

use privy_protocol::Stop;
use proptest::prelude::*;

use privy_rules::board::{Point, PointSet};
use privy_rules::{Position, Side, Variant};
use privy_tables::coding::{Coding, Section};
use privy_tables::compression::{CHUNK, CODES, code, compress, read_code, read_codes};
use privy_tables::numbering::Numbering;
use privy_tables::sets::binomial;
use privy_tables::states::layers;
use privy_tables::{Header, NotCovered, TableValue};

fn numbering(id: &str, most: u32) -> (Arc<Variant>, Numbering) {
    let variant = Variant::builtin(id).unwrap();
    let numbering = Numbering::new(&variant, layers(&variant, Some(most)).unwrap()).unwrap();
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
        assert_eq!(Header::known(variant.fingerprint()).unwrap().bytes, bytes, "{}", row[0]);
    }
}

#[test]
fn layers_with_more_sets_than_32_bits_count_are_refused() {
    let variant = Variant::builtin("subjugatio").unwrap();
    assert!(Numbering::new(&variant, layers(&variant, None).unwrap()).is_none());
}

#[test]
fn values_come_back_from_their_codes() {
    for coding in [false, true].map(|has_flag| Coding { has_flag }) {
        assert_eq!(coding.value(0), TableValue::Draw);
        for plies in 0..=coding.most_plies() {
            for rebels_win in [false, true].into_iter().filter(|win| coding.has_flag || *win == (plies % 2 == 1)) {
                let code = coding.write(plies, rebels_win);
                let value = if rebels_win { TableValue::Win(plies) } else { TableValue::Loss(plies) };
                assert_eq!(coding.value(code), value, "{coding:?}");
                assert!((1..CODES as u16).contains(&code));
            }
        }
    }
}

fn read(packed: &[u8], place: usize) -> u16 {
    read_code(place, |part| packed.get(part).ok_or(()), || ()).unwrap()
}

/// All codes of a section; none if it is damaged.
pub(super) fn decompress(packed: &[u8], len: usize) -> Option<Vec<u16>> {
    let mut codes = vec![0; len];
    read_codes(0, &mut codes, |part| packed.get(part).ok_or(()), || ()).ok().map(|()| codes)
}

proptest! {
    #[test]
    fn binomials_follow_from_those_above(places in 1u32..64, count in 1u32..64) {
        let sum = binomial(places - 1, count - 1) + binomial(places - 1, count);
        prop_assert_eq!(binomial(places, count), sum);
    }

    /// Palettes of all sizes, with codes of a byte and longer ones.
    #[test]
    fn codes_come_back(codes in proptest::collection::vec(0..CODES as u16, 0..2000), few in 1u16..600) {
        for codes in [codes.clone(), codes.iter().map(|code| code % few).collect()] {
            let packed = compress(std::slice::from_ref(&codes), &Stop::default());
            prop_assert_eq!(&decompress(&packed, codes.len()).unwrap(), &codes);
            let parts: Vec<Vec<u16>> = codes.chunks(CHUNK).map(<[u16]>::to_vec).collect();
            prop_assert_eq!(&compress(&parts, &Stop::default()), &packed);
            for (place, code) in codes.iter().enumerate() {
                prop_assert_eq!(read(&packed, place), *code);
            }
        }
    }

    #[test]
    fn damaged_chunks_give_a_code_or_none(chunk in proptest::collection::vec(any::<u8>(), 0..400), place in 0usize..2000) {
        prop_assert!(code(&chunk, place).is_none_or(|code| usize::from(code) < CODES));
        prop_assert!(decompress(&chunk, place).is_none_or(|codes| codes.iter().all(|code| usize::from(*code) < CODES)));
    }

    /// The counts of a section are those of its values.
    #[test]
    fn sections_are_counted(plies in proptest::collection::vec(proptest::option::of(0u32..1000), 1..600)) {
        let coding = Coding { has_flag: false };
        let code = |plies: &Option<u32>| plies.map_or(0, |plies| coding.write(plies, plies % 2 == 1));
        let section = Section::new(coding, &[plies.iter().map(code).collect()], &Stop::default());
        let count = |is: &dyn Fn(&Option<u32>) -> bool| plies.iter().filter(|plies| is(plies)).count() as u64;
        prop_assert_eq!(section.counts.drawn, count(&|plies| plies.is_none()));
        prop_assert_eq!(section.counts.won, count(&|plies| plies.is_some_and(|plies| plies % 2 == 1)));
        prop_assert_eq!(section.counts.lost, count(&|plies| plies.is_some_and(|plies| plies > 0 && plies % 2 == 0)));
        prop_assert_eq!(section.longest, plies.iter().flatten().copied().max().unwrap_or(0));
    }
}

#[test]
fn equal_values_take_no_bits() {
    assert_eq!(compress(&[vec![7; CHUNK]], &Stop::default()).len(), 2 * 4 + 2);
    assert_eq!(compress(&[vec![700; CHUNK]], &Stop::default()).len(), 2 * 4 + 4);
}
