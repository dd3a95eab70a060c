//! Shared memory in every interleaving of threads: the queue between reader and session.
//! `loom` runs each scene once per interleaving, with every value that a read may see.

use loom::thread;

#[path = "../../src/gtp/queue.rs"]
mod queue;

use queue::{MESSAGE, queue};

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
