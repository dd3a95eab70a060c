use super::*;

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
    ];
    let sorted = |mut ids: Vec<&'static str>| -> Vec<&'static str> {
        ids.sort_unstable();
        ids
    };
    assert_eq!(sorted(Board::builtin_ids().collect()), sorted(table.map(|row| row.0).to_vec()));
    for (id, points, edge_count, exits, apex, square) in table {
        let board = board(id);
        assert_eq!((board.id(), board.len()), (id, points));
        assert_eq!(edges(&board), edge_count, "{id}");
        assert_eq!(board.names(board.exits()), exits, "{id}");
        assert_eq!(board.names(board.apex()), apex, "{id}");
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
        assert_eq!(mirror.is_left_right(), id != "gonu");
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
        board.triples().iter().any(|t| {
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

#[test]
fn wrong_board_files_are_refused_with_the_place() {
    let file = |lines: &str, rest: &str| {
        format!("id = \"x\"\ntitle = \"X\"\nfield = {{ files = 3, rows = 3 }}\nlines = [{lines}]\n{rest}")
    };
    let error = |text: &str| Board::from_toml(text).unwrap_err().to_string();
    assert!(Board::from_toml(&file("\"a1-b1-c1\"", "")).is_ok());
    assert_eq!(error(&file("\"a1-d1\"", "")), "board line a1-d1: there is no point d1");
    assert!(error(&file("\"a1-b1-b2\"", "")).starts_with("board line a1-b1-b2: expected two points or more"));
    assert!(error(&file("\"a1-b1-a1\"", "")).starts_with("board line a1-b1-a1"));
    assert!(error(&file("\"a1\"", "")).starts_with("board line a1:"));
    assert!(error(&file("\"a1-1b\"", "")).starts_with("board point: \"1b\" is not a point"));
    assert!(error(&file("", "[privy]\na1 = [5, 5]")).starts_with("board point a1: a field point"));
    assert!(error(&file("", "[privy]\nd1 = [3, 3]")).starts_with("board points c3 and d1"));
    assert!(error(&file("", "[privy]\nd1 = [3.001, 3]")).starts_with("board point d1: coordinates"));
    assert!(error(&file("", "apex = [\"a1\"]")).starts_with("board apex a1"));
    assert!(error(&file("", "colour = 1")).starts_with("board file:"));
    assert!(
        error("id = \"X\"\ntitle = \"\"\nfield = { files = 3, rows = 3 }\nlines = []").starts_with("board id \"X\"")
    );
    let field = |field: &str| error(&format!("id = \"x\"\ntitle = \"\"\nfield = {{ {field} }}\nlines = []"));
    assert_eq!(
        field("files = 3, rows = 3, from = \"v1\""),
        "board field: 3 files by 3 rows from v1; expected 1 to 23 files up to file w, 1 to 52 rows up to row 52 and at most 64 points with the privy"
    );
    assert!(field("files = 3, rows = 3, from = \"1\"").starts_with("board point: \"1\" is not a point"));
    assert!(field("files = 255, rows = 255, from = \"w52\"").starts_with("board field: 255 files"));
    assert_eq!(error(&file("", "without = [\"d1\"]")), "board without d1: expected a point of the field, each once");
    assert_eq!(
        error(&file("", "without = [\"a1\", \"a1\"]")),
        "board without a1: expected a point of the field, each once"
    );
    assert_eq!(error(&file("\"a1-b1\"", "without = [\"a1\"]")), "board line a1-b1: there is no point a1");
    assert!(
        error("id = \"x\"\ntitle = \"\"\nfield = { files = 9, rows = 9 }\nlines = []")
            .starts_with("board field: 9 files by 9 rows")
    );
}
