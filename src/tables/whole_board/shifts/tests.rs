//! Tests of the index of planes and mirror images.

use std::sync::Arc;

use privy_rules::Variant;

use super::*;
use crate::whole_board::block::Pool;

#[test]
fn blocks_with_sets_are_found_by_their_number() {
    for (points, parity) in [(25, None), (25, Some(0)), (24, Some(1)), (14, None), (13, Some(1))] {
        let index = PlaneIndex { points, parity };
        for general in (0..points as usize).map(Point::new).map(Some).chain([None]) {
            for block in (0..index.blocks()).step_by(1 + index.blocks() / 300) {
                for most in [0, 1, 5, 8, 16] {
                    let mut legal = index.counted(block, 0, most);
                    if let Some(general) = general {
                        index.without_held(PointSet::of(general), block, Rows::ALL, &mut legal);
                    }
                    let found = index.has_sets(block, general, most);
                    assert_eq!(found, legal != EMPTY, "{points} {parity:?} {general:?} {block} {most}");
                }
            }
        }
    }
}

#[test]
fn mirror_images_are_found_by_number() {
    // With and without a first point that the parity determines, which has an image elsewhere.
    for id in ["sixteen-rebels", "kings-gonu", "monk-and-water", "juroku-musashi"] {
        let variant = Variant::builtin(id).expect("a built-in variant");
        let (index, mirror) = (PlaneIndex::of(&variant), variant.board().mirror().expect("a mirrored board"));
        let mirrored = MirroredIndex::new(&index, mirror);
        let pool = Arc::new(Pool::new(u64::MAX, 0));
        let new = || Decided::new(index.blocks(), &pool);
        let (mut sets, mut expected, mut images) = (new(), new(), new());
        for number in (0..index.sets()).step_by(4_099) {
            sets.insert(number / BLOCK_SETS, number % BLOCK_SETS);
            let image = index.number(mirror.set(index.set(number))).expect("a mirror image has as many Rebels");
            expected.insert(image / BLOCK_SETS, image % BLOCK_SETS);
        }
        mirrored.reflect(&sets, &mut images);
        assert_eq!(images.count(), sets.count());
        for block in 0..index.blocks() {
            assert_eq!(images.get(block), expected.get(block), "{id}");
            assert_eq!(images.rows(block), images.get(block).map_or(Rows::NONE, Rows::of));
        }
    }
}
