//! Threads of a search.

use privy_search::threads::{SharedWork, move_key};
use privy_search::transposition_table::MoveCode;

#[test]
fn a_move_is_in_search_from_its_beginning_to_its_end() {
    let shared = SharedWork::new(2, 10);
    let [a, b] = [0x1234_5678_9abc_def0, 0x0fed_cba9_8765_4321].map(|hash| move_key(hash, MoveCode::NONE));
    assert_ne!(a, b);
    assert!(!shared.is_in_search(a));
    shared.begin(a);
    assert!(shared.is_in_search(a) && !shared.is_in_search(b));
    shared.end(b);
    assert!(shared.is_in_search(a));
    shared.end(a);
    assert!(!shared.is_in_search(a));
}
