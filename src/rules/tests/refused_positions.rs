//! Game texts that are refused, each with the reason.

use super::*;

fn refusal(id: &str, text: &str) -> String {
    match Game::from_text(text, Some(&variant(id))) {
        Ok(position) => panic!("{id} {text}: accepted as {position}"),
        Err(error) => error.detail().to_owned(),
    }
}

#[test]
fn wrong_texts_are_refused_with_the_field() {
    let rows = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr";
    for (text, expected) in [
        ("", "empty; expected rows such as 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr"),
        ("  \t ", "empty; expected rows such as 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr"),
        ("1/3/rrrrr g - 0 0 sixteen-rebels x", "field 7: expected at most 6 fields, found \"x\""),
        ("rrrrr/r3r/r1G1r/r3r/rrrrr", "rows: expected 7 rows joined by /, found 5"),
        ("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr/", "rows: expected 7 rows joined by /, found 8"),
        ("1/3/rrrrr/r3r/r1g1r/r3r/rrrrr", "row 3: \"r1g1r\": expected r, G and numbers of empty points"),
        ("1/3/rrrrr/r3r/r1G1r/r3r/rr0rrr", "row 1: \"rr0rrr\": expected r, G and numbers of empty points"),
        ("1/3/rrrrr/r3r/r1G1r/r3r/99999999999", "row 1: \"99999999999\" has 99 points, expected 5"),
        ("1/4/rrrrr/r3r/r1G1r/r3r/rrrrr", "row 6: \"4\" has 4 points, expected 3"),
        ("1/3/rrrr/r3r/r1G1r/r3r/rrrrr", "row 5: \"rrrr\" has 4 points, expected 5"),
        ("1/3//r3r/r1G1r/r3r/rrrrr", "row 5: \"\" has 0 points, expected 5"),
        ("1/3/rrrrr/r3r/r3r/r3r/rrrrr", "there is no General; expected one G, or [G] at the end for one in hand"),
        (
            "1/1G1/rrrrr/r3r/r1G1r/r3r/1rrrr",
            "there are two Generals, on c6 and on c3; expected one G, or [G] at the end for one in hand",
        ),
        ("r/3/rrrrr/r3r/r1G1r/r3r/1rrrr", "Rebels may not stand on c7; expected none there"),
        ("1/3/rrrrr/rr2r/r1G1r/r3r/rrrrr", "17 Rebels, the opening has 16"),
        ("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr w", "side to move: expected g or r, found \"w\""),
        ("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g a", "flags: expected -, found \"a\""),
        (
            "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - -1",
            "plies since the last capture: expected a number from 0 to 4294967295, found \"-1\"",
        ),
        (
            "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 4294967296",
            "ply number: expected a number from 0 to 4294967295, found \"4294967296\"",
        ),
        ("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 chess", "\"chess\"; list_variants names them all"),
    ] {
        assert_eq!(refusal("sixteen-rebels", text), expected, "{text}");
    }
    assert!(Game::from_text(rows, Some(&variant("sixteen-rebels"))).is_ok());
}

#[test]
fn flags_are_those_of_the_variant() {
    let flags = |id: &str, flags: &str| {
        let start = variant(id).start().to_string();
        let fields: Vec<&str> = start.split(' ').collect();
        Game::from_text(&format!("{} r {flags}", fields[0]), Some(&variant(id)))
            .err()
            .map(|error| error.detail().to_owned())
    };
    for (id, text, expected) in [
        ("sixteen-rebels", "0", "-"),
        ("sixteen-rebels", "--", "-"),
        ("shap-luk-kon", "A", "- or a"),
        ("shap-luk-kon", "aa", "- or a"),
        ("shap-luk-kon", "a-", "- or a"),
        ("kings-gonu", "-", "0, 1, 2 or 3"),
        ("kings-gonu", "4", "0, 1, 2 or 3"),
        ("kings-gonu", "03", "0, 1, 2 or 3"),
        ("kings-gonu", "a3", "0, 1, 2 or 3"),
    ] {
        assert_eq!(flags(id, text), Some(format!("flags: expected {expected}, found \"{text}\"")), "{id}");
    }
    assert_eq!(flags("sixteen-rebels", "-"), None);
    assert_eq!(flags("kings-gonu", "0"), None);

    let mut words = variant("shap-luk-kon").rule_set().clone();
    words.free_jumps = 2;
    let both = Arc::new(variant("shap-luk-kon").with_words(words).unwrap());
    let read = |text: &str| Game::from_text(&format!("1/1G1/5/5/5/5/r3r g {text}"), Some(&both));
    assert_eq!(read("a").unwrap_err().detail(), "flags: expected 0, 1, 2, a0, a1 or a2, found \"a\"");
    assert_eq!(read("a2").unwrap().to_string(), "1/1G1/5/5/5/5/r3r g a2 0 0 shap-luk-kon");
    assert_eq!(read("1").unwrap().to_string(), "1/1G1/5/5/5/5/r3r g 1 0 0 shap-luk-kon");
}

/// RULES §4: the game would have ended before the General is to move.
#[test]
fn positions_that_no_game_reaches_are_refused() {
    for (id, text, reason) in [
        ("sixteen-rebels", "G/3/5/5/5/5/rrrrr g -", "general wins: apex"),
        ("sixteen-rebels", "1/3/5/5/2G2/5/rrrr1 g -", "general wins: attrition"),
        ("sixteen-rebels-murray", "1/3/5/5/2G2/5/5 g -", "general wins: attrition"),
        ("shap-luk-kon", "1/3/5/5/2G2/5/rrrrr g a", "general wins: apex and return"),
        ("subjugatio", "1/3/5/5/5/5/5/5/5/5/2G2 g -", "general wins: bottom"),
        ("subjugatio", "G/3/5/5/5/5/5/5/5/5/5 g -", "rebels win: apex"),
    ] {
        assert_eq!(
            refusal(id, text),
            format!("no game can reach it, it would have ended before: {reason}"),
            "{id} {text}"
        );
        // With the Rebels to move the game is over.
        let over = position(id, &text.replace(" g ", " r "));
        assert_eq!(over.outcome().map(|outcome| outcome.to_string()).as_deref(), Some(reason));
    }
}

/// RULES §4: the outcome of a position set up by hand is as if the side not to move had just moved, custodial capture
/// excepted.
#[test]
fn set_up_positions_have_outcomes() {
    for (id, text, outcome) in [
        ("sixteen-rebels-murray", "1/3/5/5/1rGr1/5/5 g -", None),
        ("sixteen-rebels", "1/1G1/1rrr1/5/5/5/rr3 g -", Some(Outcome::PrivyClosed)),
        ("sixteen-rebels", "1/1G1/1rrr1/5/5/5/rr3 r -", None),
        ("juroku-musashi", "3/1G1/2r2/1rrr1/5/5/5 g -", Some(Outcome::PrivyClosed)),
        ("juroku-musashi", "3/1G1/2r2/1r1r1/5/5/rr3 g -", None),
        ("kings-gonu", "5/2r2/1rGr2/2r2/5 g 0", Some(Outcome::NoMove(Some(Side::Rebels)))),
        ("kings-gonu", "5/2r2/1rGr2/2r2/5 g 1", None),
        ("subjugatio", "1/3/5/5/5/5/2G2/5/5/5/5 r -", Some(Outcome::NoMove(Some(Side::General)))),
    ] {
        assert_eq!(position(id, text).outcome(), outcome, "{id} {text}");
    }
}

/// RULES §4: only a jump that is there opens a privy. One over a row needs all of the row.
#[test]
fn a_jump_over_a_row_opens_the_privy() {
    let rules =
        "id = \"rows\"\ntitle = \"Rows\"\nextends = \"sixteen-rebels\"\njump = \"multi\"\njump_rows = \"odd\"\n";
    let variant = Arc::new(Variant::from_toml(rules, None).unwrap());
    for (text, outcome) in [
        ("1/1G1/1rrr1/2r2/5/5/rr3 g -", Some(Outcome::PrivyClosed)),
        ("1/1G1/1rrr1/5/5/5/rr3 g -", None),
        ("1/1G1/1rrr1/2r2/2r2/5/rr3 g -", None),
        ("1/1G1/1rrr1/2r2/2r2/2r2/rr3 g -", Some(Outcome::PrivyClosed)),
    ] {
        assert_eq!(Game::from_text(text, Some(&variant)).unwrap().outcome(), outcome, "{text}");
    }
}
