//! Tests of lists of blocks and of their memory.

use std::sync::Arc;

use privy_tables::memory::Shortage;
use privy_tables::whole_board::block::{CHUNK_BLOCKS, CHUNK_BYTES, Decided, EMPTY, Found, Pool, Rows};

/// A block with one set.
fn one(set: u64) -> Found {
    let mut one = Found { sets: EMPTY, rows: Rows::one(0) };
    one.sets[0][0] = 1 << set;
    one
}

#[test]
fn lists_take_only_the_chunks_that_they_fill() {
    let blocks = 5 * CHUNK_BLOCKS;
    let pool = Arc::new(Pool::new(4 * CHUNK_BYTES, 0));
    let (mut first, mut second) = (Decided::new(blocks, &pool), Decided::new(blocks, &pool));
    (0..blocks).for_each(|block| first.put(block, &Found::NONE));
    assert!(first.is_empty() && pool.bytes() == 0);
    (0..=CHUNK_BLOCKS).for_each(|block| first.put(2 * block, &one(1)));
    assert_eq!((first.count(), pool.bytes()), (CHUNK_BLOCKS as u64 + 1, 2 * CHUNK_BYTES));
    assert!(
        first.get(1).is_none() && first.get(2) == Some(&one(1).sets) && first.rows(2 * CHUNK_BLOCKS) == one(1).rows
    );
    assert!(first.copy().blocks().eq(first.blocks()));
    // What a list gives back another takes.
    first.clear();
    (0..2 * CHUNK_BLOCKS).for_each(|block| second.put(block, &one(2)));
    assert_eq!((pool.bytes(), pool.shortage()), (4 * CHUNK_BYTES, None));
}

#[test]
fn a_pool_remembers_its_shortage() {
    let pool = Arc::new(Pool::new(2 * CHUNK_BYTES - 1, 1 << 20));
    let mut list = Decided::new(2 * CHUNK_BLOCKS, &pool);
    (0..CHUNK_BLOCKS).for_each(|block| list.put(block, &one(3)));
    assert_eq!(pool.shortage(), None);
    list.put(CHUNK_BLOCKS, &one(3));
    assert_eq!((pool.shortage(), list.count()), (Some(Shortage::Limit), CHUNK_BLOCKS as u64));
    list.clear();
    assert_eq!(pool.shortage(), Some(Shortage::Limit), "the list was incomplete");
    let pool = Pool::new(u64::MAX, usize::MAX / 2);
    assert_eq!(pool.shortage(), Some(Shortage::System));
}
