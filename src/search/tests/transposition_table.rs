//! The transposition table.

use privy_protocol::Bound;
use privy_search::eval::value::Value;
use privy_search::transposition_table::{CLUSTER_SLOTS, MoveCode, SearchEntry, Slot, TranspositionTable};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

fn entry(depth: i32) -> SearchEntry {
    SearchEntry { value: Value::loss_in(7), bound: Some(Bound::Lower), depth, best: MoveCode(0x1234) }
}

#[test]
fn an_entry_is_found_under_its_own_key_only() {
    let mut table = TranspositionTable::new(1);
    table.begin_search(u64::MAX, true);
    table.put(0xdead_beef_0000_0001, 5, &entry(9));
    let found = table.get(0xdead_beef_0000_0001, 5).unwrap();
    assert_eq!(
        (found.value, found.bound, found.depth, found.best.0),
        (Value::loss_in(7), Some(Bound::Lower), 9, 0x1234)
    );
    assert!(table.get(0xdead_beef_0000_0001, 6).is_none());
    assert!(table.get(0xdead_beef_0000_0002, 5).is_none());
}

#[test]
fn a_slot_torn_by_two_writers_matches_neither_key() {
    let (keys, words) =
        ([0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9], [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]);
    let slots = [0, 1].map(|writer| {
        let slot = Slot::default();
        slot.store(keys[writer], words[writer]);
        slot
    });
    assert!(slots[0].holds(keys[0], words[0]) && !slots[0].holds(keys[1], words[0]));
    let torn = Slot { check: AtomicU64::new(slots[0].check.load(Relaxed)), data: AtomicU64::new(words[1]) };
    assert!(!keys.iter().any(|key| torn.holds(*key, torn.data())));
}

#[test]
fn a_full_cluster_replaces_old_entries_first_then_the_shallowest() {
    let mut table = TranspositionTable::new(1);
    table.begin_search(u64::MAX, true);
    for key in 1..=4u64 {
        table.put(key, 0, &entry(key as i32));
    }
    table.put(5, 0, &entry(1));
    assert!(table.get(1, 0).is_none());
    assert!((2..=5).all(|key| table.get(key, 0).is_some()));
    table.begin_search(u64::MAX, true);
    table.put(6, 0, &entry(0));
    assert_eq!((2..=6).filter(|key| table.get(*key, 0).is_some()).count(), 4);
    assert!(table.get(6, 0).is_some());
}

#[test]
fn a_cleared_table_is_empty_and_has_free_slots() {
    let mut table = TranspositionTable::new(1);
    for _ in 0..3 {
        table.begin_search(u64::MAX, true);
        (1..=4u64).for_each(|key| assert!(table.get(key, 0).is_none()));
        (1..=4u64).for_each(|key| table.put(key, 0, &entry(9)));
        (1..=4u64).for_each(|key| assert!(table.get(key, 0).is_some()));
        table.clear();
    }
}

#[test]
fn clusters_begin_with_cache_lines() {
    let mut table = TranspositionTable::default();
    for mebibytes in 1..4 {
        assert!(table.resize(mebibytes));
        table.begin_search(u64::MAX, true);
        assert_eq!(table.cluster(0).as_ptr().addr() % 64, 0);
        assert_eq!(table.cluster(u64::MAX).len(), CLUSTER_SLOTS);
    }
}

#[test]
fn a_table_of_size_zero_stores_nothing() {
    let table = TranspositionTable::default();
    table.put(1, 0, &entry(1));
    assert!(table.get(1, 0).is_none());
    assert_eq!(table.hashfull(u64::MAX), 0);
}

/// A short search in a large table touches little of it. What it has room for never shrinks, unless it must not depend
/// on searches before.
#[test]
fn a_search_uses_the_part_of_the_table_that_it_can_fill() {
    let mut table = TranspositionTable::new(256);
    let mut used = |(nodes, keeps): (u64, bool)| {
        table.begin_search(nodes, keeps);
        let hash = u64::MAX;
        table.put(hash, 0, &entry(1));
        assert!(table.get(hash, 0).is_some());
        (table.clusters * 64) >> 20
    };
    let kept = [1, 1 << 18, 1 << 20, (1 << 20) + 4, 5, 1 << 22, u64::MAX, 1].map(|nodes| used((nodes, true)));
    assert_eq!(kept, [4, 4, 16, 32, 32, 64, 256, 256]);
    assert_eq!([1 << 20, 1, u64::MAX, 5].map(|nodes| used((nodes, false))), [16, 4, 256, 4]);
}

#[test]
fn a_size_that_the_system_does_not_give_leaves_the_table_as_it_is() {
    let mut table = TranspositionTable::new(2);
    table.begin_search(u64::MAX, true);
    assert!(!table.resize(1 << 40), "a table of an exabyte");
    assert_eq!(table.mebibytes(), 2);
    table.begin_search(u64::MAX, true);
    table.put(1, 0, &entry(1));
    assert!(table.get(1, 0).is_some() && table.resize(3));
    assert_eq!(table.mebibytes(), 3);
    // The first search takes what it gets.
    let mut table = TranspositionTable::new(1 << 40);
    table.begin_search(u64::MAX, true);
    assert!((1..1 << 30).contains(&table.mebibytes()));
}
