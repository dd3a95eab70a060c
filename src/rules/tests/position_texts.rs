//! Game texts round trip, and any other text gives a position or an error.

use proptest::prelude::*;

use privy_testing::exactness::with_opening;

use super::walks::any_walk;
use super::*;

/// Characters of position texts, and some others.
const SIGNS: &str = "rG0123456789/ -agzR.+\t\nxé\u{0}\u{7f}☗";

/// Reads a text and checks that the resulting position round-trips.
fn read(text: &str, current: Option<&Arc<Variant>>) -> Option<Game> {
    let position = Game::from_text(text, current).ok()?;
    let canonical = position.to_string();
    let again = Game::from_text(&canonical, current).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!((again.position(), again.to_string()), (position.position(), canonical), "{text:?}");
    Some(position)
}

proptest! {
    #[test]
    fn positions_round_trip(walk in any_walk(80)) {
        let position = walk.end();
        let read = Game::from_text(&position.to_string(), None).unwrap();
        prop_assert_eq!(read.position(), position.position());
        prop_assert_eq!(read.position().hash(), position.position().hash());
        prop_assert_eq!(read.ply(), position.ply());
        prop_assert_eq!(read.plies_since_capture(), position.plies_since_capture());
        prop_assert_eq!(read.variant().id(), position.variant().id());
        if position.outcome() != Some(Outcome::Custodial) {
            prop_assert_eq!(read.outcome(), position.outcome());
        }
    }

    #[test]
    fn any_text_is_a_position_or_an_error(text in "\\PC{0,60}") {
        read(&text, None);
    }

    #[test]
    fn texts_of_the_right_characters_are_positions_or_errors(text in "[rG1-5/]{0,30}( [gr]( [a0-9-]( [0-9]{0,11}){0,3})?)?") {
        for variant in variants() {
            read(&text, Some(&variant));
        }
    }
}

/// One character inserted, deleted or replaced at every place of the opening of every variant.
#[test]
fn corrupted_texts_are_positions_or_errors() {
    let mut accepted = 0;
    let mut refused = 0;
    for variant in variants() {
        let text = variant.start().to_string();
        for place in 0..=text.len() {
            let (before, after) = text.split_at(place);
            let less = after.chars().next().map_or(after, |first| &after[first.len_utf8()..]);
            let others =
                SIGNS.chars().flat_map(|sign| [format!("{before}{sign}{after}"), format!("{before}{sign}{less}")]);
            for corrupted in others.chain([format!("{before}{less}")]) {
                match read(&corrupted, None) {
                    Some(_) => accepted += 1,
                    None => refused += 1,
                }
            }
        }
    }
    // A changed counter still gives a position, a changed row rarely.
    assert!(accepted > 1000 && refused > 10 * 1000, "{accepted} accepted, {refused} refused");
}

#[test]
fn fields_left_out_are_those_of_the_opening() {
    for variant in variants() {
        let full = variant.start().to_string();
        for count in 1..=6 {
            let fields: Vec<&str> = full.split(' ').take(count).collect();
            let read = Game::from_text(&fields.join(" "), Some(&variant)).unwrap();
            assert_eq!(read.to_string(), full, "{count} fields");
        }
    }
}

#[test]
fn the_sixth_field_names_the_variant_and_the_current_one_stands_in_for_it() {
    let murray = variant("sixteen-rebels-murray");
    let rows = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr";
    let id = |text: &str, current| Game::from_text(text, current).unwrap().variant().id().to_owned();
    assert_eq!(id(rows, None), DEFAULT_VARIANT);
    assert_eq!(id(rows, Some(&murray)), "sixteen-rebels-murray");
    assert_eq!(id(&format!("{rows} g - 0 0 shap-luk-kon"), Some(&murray)), "shap-luk-kon");

    // A variant that is not built in has a known id only while it is the current one.
    let own =
        Arc::new(Variant::from_toml(&murray.heading.source.replace("sixteen-rebels-murray", "own"), None).unwrap());
    assert_eq!(id(&format!("{rows} g - 0 0 own"), Some(&own)), "own");
    assert!(Game::from_text(&format!("{rows} g - 0 0 own"), Some(&murray)).is_err());
}

#[test]
fn the_apex_flag_is_set_where_the_general_stands_on_it() {
    let on_apex = position("shap-luk-kon", "G/3/5/5/5/5/r3r g -");
    assert!(on_apex.position().apex_visited());
    assert_eq!(on_apex.to_string(), "G/3/5/5/5/5/r3r g a 0 0 shap-luk-kon");
    let elsewhere = position("shap-luk-kon", "1/1G1/5/5/5/5/r3r g -");
    assert!(!elsewhere.position().apex_visited());
    assert!(
        !position("twenty-six-murray", "G/3/5/5/5/5/5/5/5/5/r3r g -").position().apex_visited(),
        "no rule of return"
    );
}

/// FORMS: any runs on input, the longest on output.
#[test]
fn runs_may_be_written_in_any_way_that_adds_up() {
    for (id, text) in [("sixteen-rebels", "1/12/rrrrr/r111r/r1G1r/r21r/rrrrr g"), ("kings-gonu", "5/5/51/5/3G1 r 1")] {
        let shortest = position(id, text).to_string();
        assert_eq!(position(id, &shortest).to_string(), shortest);
        assert!(!shortest.contains("11") && !shortest.contains("12"), "{shortest}");
    }
}

#[test]
fn long_rows_are_read_as_numbers_of_points() {
    let board = "id = \"long\"\ntitle = \"Long\"\nfield = { files = 14, rows = 1 }\n\
                 lines = [\"a1-b1-c1-d1-e1-f1-g1-h1-i1-j1-k1-l1-m1-n1\"]";
    let board = std::sync::Arc::new(privy_rules::board::Board::from_toml(board).unwrap());
    let general = |text: &str| {
        let pieces = read_rows(text, &board, board.all()).unwrap();
        board.name(pieces.general).to_string()
    };
    assert_eq!(general("12Gr"), "m1");
    assert_eq!(general("3G91"), "d1");
}

/// Eight by eight points, so that the last one has the index that means the hand elsewhere.
const FULL_BOARD: &str = "id = \"full\"\ntitle = \"Full\"\nfield = { files = 8, rows = 8 }\n\
    lines = [\"a1-a2-a3-a4-a5-a6-a7-a8\", \"a8-b8-c8-d8-e8-f8-g8-h8\"]\n";

/// Variants of the program, of `tests/hunts`, and one on a board of 64 points.
fn all_variants() -> Vec<Arc<Variant>> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("full.toml"), FULL_BOARD).unwrap();
    let full =
        "id = \"on-full\"\ntitle = \"\"\nboard = \"full.toml\"\nopening = \"G7/8/8/8/8/8/8/rr6\"\nfirst = \"general\"";
    let full = Arc::new(Variant::from_toml(full, Some(folder.path())).unwrap());
    let hunts = std::fs::read_dir(root.join("tests/hunts")).unwrap().map(|entry| entry.unwrap().path());
    let hunts = hunts.filter_map(|path| Variant::from_file(&path).ok()).map(Arc::new);
    variants().chain(hunts).chain([full]).collect()
}

/// On a full board the last point is a point like all others, and there is no hand.
#[test]
fn the_general_is_read_on_every_point() {
    let mut full_boards = 0;
    for variant in all_variants() {
        let (board, opening) = (variant.board(), variant.opening().with_side(Side::Rebels));
        full_boards += usize::from(board.len() == 64);
        for general in board.all() {
            let position = opening.with_pieces(opening.rebels().without(general), general);
            let text = variant.position_text(&position);
            let read = Game::from_text(&text, Some(&variant)).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((read.position().general(), read.position().rebels()), (general, position.rebels()), "{text}");
        }
    }
    assert!(full_boards >= 2, "{full_boards} boards are full");
    let full = all_variants().pop().unwrap();
    for hand in ["[G]", "[Gr1]", "[r1]"] {
        let top = if hand.contains('G') { "8" } else { "G7" };
        let rows = format!("{top}/8/8/8/8/8/8/r7{hand}");
        assert!(Game::from_text(&format!("{rows} r"), Some(&full)).is_err(), "{hand}");
        let error = with_opening(&full, &rows).unwrap_err();
        assert!(error.contains("found a hand on a board of 64 points; expected at most 63"), "{error}");
    }
}
