//! Move texts round trip, and two points alone mean the one move with these ends.

use std::collections::BTreeMap;
use std::str::FromStr;

use proptest::prelude::*;

use super::walks::any_walk;
use super::*;

/// The rank of a move's mark in the list of an ambiguous text: captures first.
fn mark_order(text: &str) -> Option<usize> {
    let marks = ['x', ':', '-', '~'];
    marks.iter().position(|mark| text.contains(*mark))
}

proptest! {
    #[test]
    fn every_legal_move_is_found_by_its_text(walk in any_walk(80)) {
        let position = walk.end();
        for move_ in position.legal_moves() {
            let text = position.move_text(&move_);
            let parsed: MoveText = text.parse().unwrap();
            prop_assert_eq!(parsed.to_string(), text.clone());
            prop_assert_eq!(position.find_move(&parsed).unwrap(), move_.clone());
            prop_assert_eq!(position.parse_move(None, &text.to_uppercase()).unwrap(), move_);
        }
        let mut texts = legal_texts(&position);
        let count = texts.len();
        texts.dedup();
        prop_assert_eq!(texts.len(), count, "two moves with one text");
    }

    #[test]
    fn two_points_mean_the_one_move_with_these_ends(walk in any_walk(60)) {
        let position = walk.end();
        let board = position.board();
        let mut by_ends: BTreeMap<String, Vec<MovePath>> = BTreeMap::new();
        let has_ends = |move_: &MovePath| !matches!(move_.action().kind, MoveKind::Drop | MoveKind::Pass);
        for move_ in position.legal_moves().into_iter().filter(has_ends) {
            let ends = [move_.action().from, move_.action().to].map(|point| board.name(point).to_string()).concat();
            by_ends.entry(ends).or_default().push(move_);
        }
        for from in board.all() {
            for to in board.all() {
                let ends = format!("{}{}", board.name(from), board.name(to));
                let found = position.parse_move(None, &ends);
                prop_assert_eq!(&position.parse_move(None, &format!("{} {}", board.name(from), board.name(to))), &found);
                match (by_ends.get(&ends).map(Vec::as_slice), found) {
                    (Some([only]), found) => prop_assert_eq!(found.as_ref(), Ok(only)),
                    (Some(several), Err(MoveError::Ambiguous(list))) => {
                        let listed: Vec<&str> = list.split(' ').collect();
                        let mut sorted = listed.clone();
                        sorted.sort_unstable();
                        let mut expected: Vec<String> = several.iter().map(|m| position.move_text(m)).collect();
                        expected.sort();
                        prop_assert_eq!(sorted, expected);
                        prop_assert!(listed.is_sorted_by_key(|text| mark_order(text)), "{}", list);
                    }
                    (None, Err(error)) => {
                        let is_clear = !matches!(error, MoveError::Ambiguous(_) | MoveError::NotAMove(_));
                        prop_assert!(is_clear, "{}: {}", ends, error);
                    }
                    (legal, found) => prop_assert!(false, "{ends}: {legal:?}, but {found:?}"),
                }
            }
        }
    }

    #[test]
    fn any_text_is_a_move_or_an_error(text in "\\PC{0,12}") {
        if let Ok(parsed) = text.parse::<MoveText>() {
            prop_assert_eq!(parsed.to_string().parse::<MoveText>().unwrap(), parsed);
        }
    }

    #[test]
    fn well_formed_moves_are_legal_or_have_an_objection(
        walk in any_walk(40),
        text in "[a-g]1?[0-9]([-x:~ ]?[a-g]1?[0-9]){1,4}",
    ) {
        let position = walk.end();
        let legal = legal_texts(&position);
        if let Ok(parsed) = text.parse::<MoveText>() {
            prop_assert_eq!(parsed.to_string().parse::<MoveText>().unwrap(), parsed.clone());
            match position.find_move(&parsed) {
                Ok(found) => prop_assert!(legal.contains(&position.move_text(&found))),
                Err(error) => {
                    prop_assert!(!legal.contains(&parsed.to_string()));
                    prop_assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}

/// FORMS §1: the forms, in any case, and the static pair in either order.
#[test]
fn the_forms_of_moves_are_read() {
    let canonical = |text: &str| text.parse::<MoveText>().map(|parsed| parsed.to_string());
    for (text, expected) in [
        ("c3-b2", "c3-b2"),
        ("C3-B2", "c3-b2"),
        ("c3xe5", "c3xe5"),
        ("C3XE5xC5", "c3xe5xc5"),
        ("c5:b5d5", "c5:b5d5"),
        ("c5:d5b5", "c5:b5d5"),
        ("a9:b9a8", "a9:a8b9"),
        ("b10:c11b9", "b10:b9c11"),
        ("c3~a1", "c3~a1"),
        ("c3b2", "c3b2"),
        ("c3 b2", "c3b2"),
        ("c10c11", "c10c11"),
    ] {
        assert_eq!(canonical(text), Ok(expected.to_owned()), "{text}");
    }
    for text in [
        "",
        "c3",
        "c3-",
        "c3--b2",
        "c3 - b2",
        "c3-b2-a1",
        "c3x",
        "c5:b5",
        "c5:b5d5e5",
        "c3~a1~b1",
        "x3-b2",
        " c3-b2",
        "c3-b2 ",
    ] {
        let error = canonical(text).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "\"{text}\" is not a move: expected a form such as c3-b2, c3xe5xc5, c5:b5d5, c3~a1, c3b2, @c3 or pass"
            )
        );
    }
}

/// Some games have no other moves than drops.
#[test]
fn the_error_has_an_example_of_every_form() {
    let error = MoveText::from_str("nonsense").unwrap_err().to_string();
    let (_, forms) = error.split_once("such as ").unwrap();
    let forms: Vec<MoveText> = forms.replace(" or ", ", ").split(", ").map(|form| form.parse().unwrap()).collect();
    let has = |is_form: fn(&MoveText) -> bool| assert_eq!(forms.iter().filter(|form| is_form(form)).count(), 1);
    has(|form| matches!(form, MoveText::Walk(..)));
    has(|form| matches!(form, MoveText::Jump(..)));
    has(|form| matches!(form, MoveText::Static(..)));
    has(|form| matches!(form, MoveText::FreeJump(..)));
    has(|form| matches!(form, MoveText::Ends(..)));
    has(|form| matches!(form, MoveText::Drop(_)));
    has(|form| matches!(form, MoveText::Pass));
}
