//! Boards: points, edges, what their files may say.

use std::sync::Arc;

use proptest::prelude::*;

use privy_rules::board::*;
use privy_rules::toml_file::Problem;
use privy_rules::variant::geometry_text;

fn board(id: &str) -> Arc<Board> {
    Board::builtin(id).unwrap()
}

fn edges(board: &Board) -> u32 {
    board.all().into_iter().map(|p| board.neighbours(p).len()).sum::<u32>() / 2
}

fn set(board: &Board, names: &str) -> PointSet {
    names.split_whitespace().map(|name| board.point(name.parse().unwrap()).unwrap()).collect()
}

/// Points, edges, exits and apexes: seven boards of the table in RULES §5, and those of the relatives, counted by hand.
#[test]
fn the_boards_are_those_of_the_rules_and_of_the_relatives() {
    let table = [
        ("nanking", 49, 84, "b9 c9 d9", "c11", 11),
        ("privy", 29, 64, "b5 c5 d5", "c7", 7),
        ("privy-open", 28, 61, "b5 d5", "c7", 7),
        ("triangle", 31, 66, "c5", "a7 c7 e7", 7),
        ("triangle-crossed", 33, 72, "c5", "a7 b7 c7 d7 e7", 7),
        ("cloister", 29, 64, "c5", "c7", 7),
        ("gonu", 26, 41, "e3", "", 6),
        ("alquerque", 25, 56, "", "", 5),
        ("chessboard-dark", 32, 49, "", "", 8),
        ("cross-33", 33, 52, "", "", 7),
        ("cross-33-diagonals", 33, 72, "", "", 7),
        ("hare-11", 11, 22, "", "", 5),
        ("rebels-5x7", 39, 66, "b7 c7 d7", "c9", 9),
        ("hund-efter-hare-vendsyssel", 12, 25, "", "", 7),
        ("gioco-dell-orso", 21, 36, "", "", 7),
        ("la-yagua", 31, 68, "", "", 7),
        ("triangle-10", 10, 15, "", "", 4),
        ("kaooa", 10, 15, "", "", 5),
        ("pulijudamu", 19, 30, "", "", 5),
        ("mysore-tiger-game", 6, 8, "", "", 3),
        ("gasetavl-gedved", 45, 100, "", "", 9),
    ];
    let sorted = |mut ids: Vec<&'static str>| -> Vec<&'static str> {
        ids.sort_unstable();
        ids
    };
    assert_eq!(sorted(Board::builtin_ids().collect()), sorted(table.map(|row| row.0).to_vec()));
    for (id, points, edge_count, exits, apex, square) in table {
        let board = board(id);
        assert_eq!((board.id.as_str(), board.len()), (id, points));
        assert_eq!(edges(&board), edge_count, "{id}");
        assert_eq!(board.names(board.exits), exits, "{id}");
        assert_eq!(board.names(board.apex), apex, "{id}");
        assert_eq!(board.square(), square, "{id}");
    }
}

#[test]
fn the_mirror_swaps_sides_and_is_its_own_inverse() {
    // The dark squares of a chessboard are the same turned round, not mirrored.
    assert_eq!(board("chessboard-dark").mirror(), None);
    for id in Board::builtin_ids().filter(|id| *id != "chessboard-dark") {
        let board = board(id);
        let mirror = board.mirror().unwrap();
        assert_eq!(mirror.is_left_right, id != "gonu");
        for point in board.all() {
            assert_eq!(mirror.point(mirror.point(point)), point);
            assert_eq!(mirror.set(board.neighbours(point)), board.neighbours(mirror.point(point)));
        }
    }
    let privy = board("privy");
    assert_eq!(privy.mirror().unwrap().set(set(&privy, "a1 b6 c7")), set(&privy, "e1 d6 c7"));
    let gonu = board("gonu");
    assert_eq!(gonu.mirror().unwrap().set(set(&gonu, "a1 f3")), set(&gonu, "a5 f3"));
}

/// RULES §5: on `privy` b4, b5, b6 are not in line; on `cloister` and the triangles the field diagonals go on.
#[test]
fn points_in_line_follow_the_drawing() {
    let in_line = |id: &str, names: &str| {
        let board = board(id);
        let names: Vec<Point> = names.split('-').map(|n| board.point(n.parse().unwrap()).unwrap()).collect();
        board.triples.iter().any(|t| {
            t.middle == names[1]
                && (t.first == names[0] && t.last == names[2] || t.first == names[2] && t.last == names[0])
        })
    };
    assert!(!in_line("privy", "b4-b5-b6"));
    assert!(in_line("privy", "c4-c5-c6"));
    assert!(in_line("privy", "b5-b6-c7"));
    assert!(in_line("cloister", "b6-c5-d4"));
    assert!(in_line("triangle", "c5-b6-a7"));
    assert!(!in_line("privy-open", "b6-d6-c7"));
}

/// Others are in `tests/data/wrong`.
#[test]
fn wrong_board_files_are_refused_with_the_line() {
    let file = |lines: &str, rest: &str| {
        format!("id = \"x\"\ntitle = \"X\"\nfield = {{ files = 3, rows = 3 }}\nlines = [{lines}]\n{rest}")
    };
    let error = |text: &str| Board::from_toml(text).unwrap_err().to_string();
    assert!(Board::from_toml(&file("\"a1-b1-c1\"", "")).is_ok());
    assert!(error(&file("\"a1-b1-a1\"", "")).starts_with("line 4: lines: \"a1-b1-a1\" bends at b1"));
    assert!(error(&file("\n\"a1-b1\",\n\"a1-1b\"", "")).starts_with("line 6: lines: found \"a1-1b\"; expected names"));
    assert!(error(&file("", "colour = 1")).starts_with("line 5: colour: there is no such key; expected one of id,"));
    assert!(
        error("id = \"X\"\ntitle = \"\"\nfield = { files = 3, rows = 3 }\nlines = []")
            .starts_with("line 1: id: found \"X\"; expected at most 64 lower case letters, digits and -, such as x")
    );
    let field = |field: &str| error(&format!("id = \"x\"\ntitle = \"\"\nfield = {{ {field} }}\nlines = []"));
    assert!(field("files = 3, rows = 3, from = 1").starts_with("line 3: field.from: found 1; expected a file letter"));
    assert!(field("files = 255, rows = 255, from = \"w52\"").starts_with("line 3: field.files: found 255; expected a"));
    assert!(field("files = 23, rows = 52").starts_with("line 3: field: the board has 1196 points; expected"));
    assert!(error(&file("", "without = [\"1\"]")).starts_with("line 5: without: found \"1\"; expected a file letter"));
    let all = ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"].map(|name| format!("\"{name}\"")).join(",");
    assert_eq!(
        error(&file("", &format!("without = [{all}]"))),
        "line 1: the board has no field; expected field = { files = 5, rows = 5 }, or [points] with coordinates"
    );
    assert!(
        error(&file("", "without = [\"a1\"]\napex = [\"a1\"]")).starts_with("line 6: apex: found \"a1\"; expected")
    );
    assert!(
        error("id = \"x\"\ntitle = \"\"\nfield = { files = 9, rows = 9 }\nlines = []")
            .starts_with("line 3: field: the board has 81 points; expected at most 64")
    );
    let many = vec!["\"a1-b1\""; 2017].join(",");
    assert!(error(&file(&many, "")).starts_with("line 4: lines: found 2017 lines; expected at most 2016, "));
    let all = error(&file("\"a1\",\n\"b1-b1\"", "apex = [\"c3\"]"));
    assert_eq!(all.lines().map(|line| &line[..6]).collect::<Vec<_>>(), ["line 4", "line 5", "line 6"], "{all}");
}

/// In how many pieces a file has a line makes no difference.
#[test]
fn a_slide_follows_a_line_through_its_pieces() {
    let folder = std::env::temp_dir().join(format!("privy-pieces-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let slides = |lines: &str| {
        let board = format!("id = \"x\"\ntitle = \"X\"\nfield = {{ files = 5, rows = 2 }}\nlines = [{lines}]\n");
        std::fs::write(folder.join("board.toml"), board).unwrap();
        let rules = "id = \"x\"\ntitle = \"X\"\nboard = \"board.toml\"\nfirst = \"general\"\nslide = true\n";
        let game = format!("{rules}opening = \"r4/G4\"\n");
        let variant = Arc::new(privy_rules::Variant::from_toml(&game, Some(&folder)).unwrap());
        (super::legal_texts(&variant.start()), variant.fingerprint().to_owned())
    };
    let whole = slides("\"a1-b1-c1-d1-e1\", \"a2-b2-c2-d2-e2\", \"a1-a2\"");
    assert_eq!(whole.0, ["a1-b1", "a1-c1", "a1-d1", "a1-e1"]);
    assert_eq!(slides("\"a1-b1-c1\", \"b1-c1-d1-e1\", \"c2-b2-a2\", \"e2-d2-c2-b2\", \"a1-a2\""), whole);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The built-in boards have neither probable nor possible mistakes.
#[test]
fn built_in_boards_have_no_mistakes() {
    for id in Board::builtin_ids() {
        assert_eq!((board(id).probable_mistakes(), board(id).lines_in_pieces()), (Vec::new(), Vec::new()), "{id}");
    }
}

#[test]
fn probable_mistakes_are_found() {
    let texts = |lines: &str| {
        let file = format!("id = \"x\"\ntitle = \"X\"\nfield = {{ files = 3, rows = 3 }}\nlines = [{lines}]\n");
        let board = Board::from_toml(&file).unwrap();
        let texts = |problems: Vec<Problem>| problems.iter().map(Problem::to_string).collect::<Vec<_>>();
        (texts(board.probable_mistakes()), texts(board.lines_in_pieces()))
    };
    let rows = "\"a1-b1-c1\", \"a2-b2-c2\", \"a3-b3-c3\"";
    assert_eq!(
        texts(rows).0,
        ["lines: no way leads from a1 to a2 b2 c2 a3 b3 c3; expected lines that join all points"]
    );
    let (probable, possible) = texts("\"c1-a1\", \"a1-a2-a3\", \"c1-c2\", \"c2-c3\"");
    assert_eq!(
        probable,
        [
            "lines: \"c1-a1\" passes over b1; expected all points of the line",
            "lines: no line goes through b1 b2 b3; expected every point on a line"
        ]
    );
    assert_eq!(
        possible,
        [
            "lines: c1-c2 and c2-c3 are straight, but the three are not in line; expected \"c1-c2-c3\" in one line if they are to be"
        ]
    );
}

/// A ring of eight points and its two axes.
const RING: &str = r#"
    id = "ring"
    title = "Ring"
    lines = ["a2-b2-c2", "b1-b2-b3"]
    edges = ["a2-a3-b3-c3-c2-c1-b1-a1-a2"]
    [points]
    a1 = [1.29, 1.29]
    b1 = [2, 1]
    c1 = [2.71, 1.29]
    a2 = [1, 2]
    b2 = [2, 2]
    c2 = [3, 2]
    a3 = [1.29, 2.71]
    b3 = [2, 3]
    c3 = [2.71, 2.71]
"#;

#[test]
fn points_of_an_edge_are_adjacent_and_not_in_line() {
    let ring = Board::from_toml(RING).unwrap();
    let neighbours = |name: &str| ring.names(ring.neighbours(ring.point(name.parse().unwrap()).unwrap()));
    assert_eq!([neighbours("a1"), neighbours("b1")], ["b1 a2", "a1 c1 b2"]);
    assert_eq!(ring.triples.len(), 2);
    assert!(ring.mirror().is_some() && ring.probable_mistakes().is_empty() && ring.lines_in_pieces().is_empty());
}

#[test]
fn a_board_takes_over_what_it_does_not_take_away() {
    let own = r#"
        id = "own"
        title = "Own \"board\""
        extends = "privy"
        without = ["c3", "d6"]
        apex = ["c8"]
        lines = ["c4-c5-c6-c7-c8"]
        edges = ["e5-f5-e4"]
        [points]
        f5 = [6, 5]
        [privy]
        c8 = [3, 8]
    "#;
    let (own, privy) = (Board::from_toml(own).unwrap(), board("privy"));
    assert_eq!(own.len(), privy.len());
    assert_eq!((own.names(own.apex), own.names(own.exits)), ("c7 c8".to_owned(), "b5 c5".to_owned()));
    let lines: Vec<String> = own.lines.iter().map(|line| own.line_text(line)).collect();
    for part in ["c4-c5-c6-c7-c8", "a3-b3", "d3-e3", "c1-c2", "a1-b2", "d4-e5", "b6-c6"] {
        assert!(lines.iter().any(|line| line == part), "{part}: {lines:?}");
    }
    assert!(own.lines_in_pieces().is_empty() && own.probable_mistakes().is_empty());
    // Its text says all by itself.
    let again = Board::from_toml(&own.source).unwrap();
    assert_eq!((&again.title, &again.lines, &again.edges), (&own.title, &own.lines, &own.edges));
    assert_eq!(geometry_text(&again), geometry_text(&own));
    assert!(!again.source.contains("extends"));
}

/// Steps and points in line decide, which also are in the fingerprint.
#[test]
fn the_mirror_does_not_depend_on_how_lines_are_written() {
    let mirror = |lines: &str| {
        let file = format!("id = \"x\"\ntitle = \"X\"\nfield = {{ files = 4, rows = 2 }}\nlines = [{lines}]\n");
        Board::from_toml(&file).unwrap().mirror().map(|mirror| mirror.is_left_right)
    };
    let plain = "\"a1-b1-c1-d1\", \"a2-b2-c2-d2\"";
    assert_eq!(mirror(plain), Some(true));
    assert_eq!(mirror(&format!("{plain}, \"a1-b1\"")), Some(true), "a part of a line");
    assert_eq!(mirror(&format!("{plain}, \"a1-a2\"")), Some(false), "a step on the left alone");
    assert_eq!(mirror(&format!("{plain}, \"a1-b2\"")), None);
    let broken = "\"a1-b1-c1\", \"c1-d1\", \"a2-b2-c2-d2\"";
    assert_eq!(mirror(broken), None, "b1 c1 d1 are not in line");
}

proptest! {
    #[test]
    fn names_round_trip(file in 1u8..=23, row in 1u8..=52, upper: bool) {
        let name = PointName::new(file, row).unwrap();
        let text = if upper { name.to_string().to_uppercase() } else { name.to_string() };
        prop_assert_eq!(text.parse::<PointName>().unwrap(), name);
    }

    #[test]
    fn any_text_is_a_name_or_an_error(text in "\\PC{0,6}") {
        if let Ok(name) = text.parse::<PointName>() {
            prop_assert_eq!(name.to_string().parse::<PointName>().unwrap(), name);
        }
    }
}

#[test]
fn wrong_names_are_quoted() {
    for text in ["", "3c", "c", "c0", "x3", "c53", "c3 ", "c300", "cc3"] {
        let error = text.parse::<PointName>().unwrap_err().to_string();
        assert!(error.ends_with(&format!("found {text:?}")), "{error}");
    }
}
