//! Tests of mirror images of planes.

use std::path::Path;

use privy_rules::board::Board;
use proptest::prelude::*;

use privy_tables::whole_board::block::{BLOCK_SETS, Block, EMPTY, Found, LANES, Rows};
use privy_tables::whole_board::mirrored_planes::MirroredPlanes;
use privy_tables::whole_board::plane_index::PlaneIndex;

/// A board, and an index of its points.
fn board(number: usize, parity: Option<u32>) -> (Board, PlaneIndex) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tables/tests/boards");
    let file = ["hut", "barn", "hall", "aisle"][number];
    let board = Board::from_toml(&std::fs::read_to_string(folder.join(format!("{file}.toml"))).unwrap()).unwrap();
    let index = PlaneIndex::beside_images(board.all(), board.mirror().unwrap(), parity);
    (board, index)
}

proptest! {
    /// Some sets in a plane have their images in its image.
    #[test]
    fn images_of_planes_have_the_images_of_their_sets(
        number in 0usize..4,
        parity in prop::option::of(0u32..2),
        sets in prop::collection::vec(any::<u64>(), 0..200),
    ) {
        let (board, index) = board(number, parity);
        let mirror = board.mirror().unwrap();
        let planes = MirroredPlanes::new(&index, mirror);
        let used = (1 << index.used_bits()) - 1;
        let mut plane = vec![EMPTY; index.blocks()];
        let mut expected = plane.clone();
        let insert = |plane: &mut [Block], number: usize| {
            let set = number % BLOCK_SETS;
            plane[number / BLOCK_SETS][set / 64 / LANES][set / 64 % LANES] |= 1 << (set % 64);
        };
        for set in sets {
            let number = set as usize & used;
            insert(&mut plane, number);
            insert(&mut expected, index.number(mirror.set(index.set(number))));
        }
        for (block, expected) in expected.iter().enumerate() {
            let source = &plane[planes.block(block)];
            for (row, expected) in expected.iter().enumerate() {
                prop_assert_eq!(&planes.row(source, row), expected, "block {}, row {}", block, row);
            }
            let found = planes.found(&Found { sets: *source, rows: Rows::of(source) });
            prop_assert_eq!(found.rows, Rows::of(expected));
            for row in found.rows {
                prop_assert_eq!(&found.sets[row], &expected[row]);
            }
        }
    }
}
