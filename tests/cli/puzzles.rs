//! `privy puzzles`: the puzzles of the page, with their solutions.

use crate::support::binary::{Ran, privy, run};

fn asked(words: &str) -> Ran {
    run(&mut privy(), &words.split(' ').collect::<Vec<_>>())
}

#[test]
fn puzzles_of_a_game_are_printed_with_their_solutions() {
    let (hidden, shown) =
        (asked("puzzles hare-and-hounds").success(), asked("puzzles hare-and-hounds --solutions").success());
    assert!(hidden.contains("1. The ") && hidden.contains(" - 0 0 hare-and-hounds\n") && !hidden.contains("Solution"));
    let grades: Vec<u32> =
        hidden.lines().filter_map(|line| line.split_once("; grade ")?.1.strip_suffix('.')?.parse().ok()).collect();
    assert!(grades.len() > 20 && grades.is_sorted(), "{hidden}");
    assert_eq!(shown.matches("\nSolution: ").count(), grades.len());
    let two = asked("puzzles hare-and-hounds --side general --count 2").success();
    assert_eq!(two.matches("; grade ").count(), 2, "{two}");
    assert_eq!(two.matches(". The General ").count(), 2, "{two}");
}

#[test]
fn a_game_without_puzzles_is_refused() {
    let none = asked("puzzles yeung-luk").failure(1);
    assert!(none.starts_with("privy: no puzzles of yeung-luk; there are some of catch-the-hare-10, "), "{none}");
    assert!(asked("puzzles hare").failure(2).contains("unknown variant: \"hare\""));
}
