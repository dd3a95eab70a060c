//! Shared memory in every interleaving of threads: the slots of the transposition table, and the queue between reader and
//! session. `loom` runs each scene once per interleaving, with every value that a read may see.

use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

use crate::sync::Arc;

#[path = "../../src/gtp/queue.rs"]
mod queue;
#[path = "../../src/search/slot.rs"]
mod slot;

use queue::{MESSAGE, queue};
use slot::{SharedWord, Slot};

impl SharedWord for AtomicU64 {
    fn read(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    fn write(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

/// Keys and words without common bits, as hashes have.
const ENTRIES: [(u64, u64); 3] = [
    (0x9e37_79b9_7f4a_7c15, 0x0123_4567_89ab_cdef),
    (0xbf58_476d_1ce4_e5b9, 0xfedc_ba98_7654_3210),
    (0x94d0_49bb_1331_11eb, 0x1357_9bdf_0246_8ace),
];

#[test]
fn a_slot_gives_a_key_only_what_was_stored_with_it() {
    loom::model(|| {
        let slot = Arc::new(Slot::<AtomicU64>::default());
        let writers = [0, 1].map(|writer| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || {
                let (key, data) = ENTRIES[writer];
                slot.store(key, data);
            })
        });
        let found = slot.data();
        for (key, data) in &ENTRIES[..2] {
            assert!(!slot.holds(*key, found) || found == *data, "{key:x} gives {found:x}");
        }
        writers.into_iter().for_each(|writer| writer.join().unwrap());
    });
}

/// Two threads store different words with one key: a reader may see either.
#[test]
fn a_slot_gives_a_key_one_of_its_words() {
    loom::model(|| {
        let slot = Arc::new(Slot::<AtomicU64>::default());
        let (key, _) = ENTRIES[0];
        let words = [ENTRIES[1].1, ENTRIES[2].1];
        let writers = words.map(|word| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || slot.store(key, word))
        });
        let found = slot.data();
        assert!(!slot.holds(key, found) || words.contains(&found));
        writers.into_iter().for_each(|writer| writer.join().unwrap());
    });
}

#[test]
fn messages_come_in_order_and_then_the_end() {
    loom::model(|| {
        let (sender, receiver) = queue(100 * MESSAGE);
        let reader = thread::spawn(move || (0..3).all(|number| sender.send(number, 4, || panic!("there is room"))));
        assert!(receiver.eq(0..3));
        assert!(reader.join().unwrap());
    });
}

#[test]
fn a_sender_beyond_the_bound_is_notified_and_waits() {
    loom::model(|| {
        let (sender, receiver) = queue(MESSAGE);
        let reader = thread::spawn(move || {
            let mut full = 0;
            (0..2).for_each(|number| assert!(sender.send(number, 0, || full += 1)));
            // It exceeds the bound.
            assert!(sender.send(2, 100 * MESSAGE, || full += 1));
            full
        });
        assert!(receiver.eq(0..=2));
        assert!(reader.join().unwrap() >= 1);
    });
}

#[test]
fn no_side_waits_for_a_closed_end() {
    loom::model(|| {
        let (sender, mut receiver) = queue(MESSAGE);
        let reader = thread::spawn(move || (0..3).filter(|number| sender.send(*number, 0, || {})).count());
        let received = receiver.next().into_iter().count();
        drop(receiver);
        let sent = reader.join().unwrap();
        assert!((received..=2).contains(&sent), "{sent} sent, {received} received");
    });
}
