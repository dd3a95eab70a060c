//! Tests of small numbers and marks.

use proptest::prelude::*;

use privy_tables::by_layers::positions::{Marks, SmallNumbers};

proptest! {
    #[test]
    fn small_numbers_are_set_and_counted_down(
        (most, numbers) in (1..200usize).prop_flat_map(|most| (Just(most), proptest::collection::vec(0..=most as u8, 1..50))),
    ) {
        let mut small = SmallNumbers::new(numbers.len(), most);
        numbers.iter().enumerate().for_each(|(rank, number)| small.set(rank, *number));
        for (rank, number) in numbers.iter().enumerate().filter(|(rank, _)| rank % 2 == 0) {
            (0..*number).for_each(|taken| assert_eq!(small.count_down(rank), number - taken - 1));
        }
        for (rank, number) in numbers.into_iter().enumerate() {
            prop_assert_eq!(small.get(rank), if rank % 2 == 0 { 0 } else { number });
        }
    }
}

fn any_marks() -> impl Strategy<Value = Marks> {
    let word = prop_oneof![3 => Just(0), 1 => any::<u64>(), 1 => (0..64u32).prop_map(|bit| 1 << bit)];
    proptest::collection::vec(word, 0..300).prop_map(|words| Marks { enough: words.len(), words })
}

fn marked(marks: &Marks) -> Vec<usize> {
    (0..64 * marks.enough).filter(|rank| marks.contains(*rank)).collect()
}

proptest! {
    #[test]
    fn marks_come_back(first in any_marks(), second in any_marks()) {
        let mut message = Vec::new();
        first.write(&mut message);
        second.write(&mut message);
        let mut rest = message.as_slice();
        for marks in [first, second] {
            let mut read = Marks { words: vec![u64::MAX; marks.enough], enough: marks.enough };
            read.read(&mut rest).unwrap();
            prop_assert_eq!(marked(&read), marked(&marks));
        }
        prop_assert!(rest.is_empty());
    }

    #[test]
    fn arbitrary_bytes_do_not_panic(rubbish in proptest::collection::vec(any::<u8>(), 0..100), words in 0usize..50) {
        let _ = Marks::new(64 * words).read(&mut rubbish.as_slice());
    }
}
