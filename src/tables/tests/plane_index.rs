//! Tests of the index of planes.

use privy_rules::Variant;
use privy_rules::board::{Point, PointSet};
use privy_tables::whole_board::block::{BLOCK_SETS, EMPTY, Rows};
use privy_tables::whole_board::plane_index::{PlaneIndex, Renumbered};

#[test]
fn blocks_with_sets_are_found_by_their_number() {
    let leaving_out = [(25, Some(0)), (24, Some(1)), (13, Some(1))].map(|(points, parity)| (points, parity, true));
    let whole = [(25, None), (14, None), (24, Some(0)), (14, Some(1))].map(|(points, parity)| (points, parity, false));
    for (points, parity, leaves_out) in leaving_out.into_iter().chain(whole) {
        let index = PlaneIndex::in_order((0..points).map(Point::new), parity, leaves_out);
        for general in (0..points).map(Point::new).map(Some).chain([None]) {
            for block in (0..index.blocks()).step_by(1 + index.blocks() / 50) {
                for most in [0, 1, 5, 8, 16] {
                    let mut legal = index.counted(block, 0, most);
                    if let Some(general) = general {
                        index.without_held(PointSet::of(general), block, Rows::ALL, &mut legal);
                    }
                    let found = index.has_sets(block, general, most);
                    assert_eq!(found, legal != EMPTY, "{points} {parity:?} {leaves_out} {general:?} {block} {most}");
                }
            }
        }
    }
}

#[test]
fn numbers_and_sets_are_one_to_one() {
    for id in ["sixteen-rebels", "kings-gonu", "monk-and-water", "juroku-musashi"] {
        let variant = Variant::builtin(id).expect("a built-in variant");
        let (index, ranks) = (PlaneIndex::of(&variant), PlaneIndex::of_ranks(&variant));
        assert_eq!(index.sets(), ranks.sets(), "{id}");
        let planes = Renumbered::new(&ranks, &index);
        for number in (0..ranks.sets()).step_by(4_099) {
            let set = ranks.set(number);
            assert_eq!(ranks.number(set), number, "{id}");
            assert_eq!(index.set(index.number(set)), set, "{id}");
            let renumbered = planes.of_block(number / BLOCK_SETS) ^ planes.of_set(number % BLOCK_SETS);
            assert_eq!(renumbered as usize, index.number(set), "{id}");
        }
    }
}
