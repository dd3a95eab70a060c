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

/// Points, edges, exits and apexes of the table in RULES §5.
#[test]
fn the_seven_boards_are_those_of_the_rules() {
    let table = [
        ("nanking", 49, 84, "b9 c9 d9", "c11", 11),
        ("privy", 29, 64, "b5 c5 d5", "c7", 7),
        ("privy-open", 28, 61, "b5 d5", "c7", 7),
        ("triangle", 31, 66, "c5", "a7 c7 e7", 7),
        ("triangle-crossed", 33, 72, "c5", "a7 b7 c7 d7 e7", 7),
        ("cloister", 29, 64, "c5", "c7", 7),
        ("gonu", 26, 41, "e3", "", 6),
    ];
    assert_eq!(Board::builtin_ids().collect::<Vec<_>>(), table.map(|row| row.0));
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
    for id in Board::builtin_ids() {
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
    assert!(
        error("id = \"x\"\ntitle = \"\"\nfield = { files = 9, rows = 9 }\nlines = []")
            .starts_with("board field: 9 files by 9 rows")
    );
}
