//! Invalid points of boards, with coordinates of their own.

use super::File::{Board, Game};
use super::Wrong;

pub(super) const WRONG: &[Wrong] = &[
    Wrong {
        what: "a point without its coordinates",
        edits: &[(
            Board,
            "[privy]",
            "[points]
d2 =

[privy]",
        )],
        says: &["board.toml:15: found d2 = without a value; expected one behind ="],
    },
    Wrong {
        what: "a point of the field with one coordinate",
        edits: &[(
            Board,
            "[privy]",
            "[points]
d2 = [4]

[privy]",
        )],
        says: &["board.toml:15: points.d2: found a list; expected the coordinates of a point, such as [2, 3.5]"],
    },
    Wrong {
        what: "coordinates as a text",
        edits: &[(
            Board,
            "[privy]",
            r#"[points]
d2 = "4, 2"

[privy]"#,
        )],
        says: &[r#"board.toml:15: points.d2: found "4, 2"; expected the coordinates of a point, such as [2, 3.5]"#],
    },
    Wrong {
        what: "a point in two lines",
        edits: &[(
            Board,
            "[privy]",
            "[points]
d2 = [4, 2]
d2 = [5, 2]

[privy]",
        )],
        says: &["board.toml:16: d2: a second time; expected each key once"],
    },
    Wrong {
        what: "a point of the rectangle once more",
        edits: &[(
            Board,
            "[privy]",
            "[points]
d2 = [4, 2]
c2 = [5, 2]

[privy]",
        )],
        says: &["board.toml:16: points.c2: a point of the field, too; expected another name"],
    },
    Wrong {
        what: "a point on another",
        edits: &[(
            Board,
            "[privy]",
            "[points]
d2 = [3, 2]

[privy]",
        )],
        says: &["board.toml:15: points.d2: the coordinates are those of c2; expected a place of its own"],
    },
    Wrong {
        what: "two points of a table at one place",
        edits: &[(
            Board,
            "[privy]",
            "[points]
d2 = [4, 2]
d3 = [4, 2]

[privy]",
        )],
        says: &["board.toml:16: points.d3: the coordinates are those of d2; expected a place of its own"],
    },
    Wrong {
        what: "a point of the privy among the points",
        edits: &[(
            Board,
            "[privy]",
            "[points]
b4 = [2, 5]

[privy]",
        )],
        says: &["board.toml:18: privy.b4: a point of the field, too; expected another name"],
    },
    Wrong {
        what: "a point out of reach",
        edits: &[(
            Board,
            "[privy]",
            "[points]
d2 = [1001, 2]

[privy]",
        )],
        says: &["board.toml:15: points.d2: found [1001, 2]; expected multiples of 0.01 between -1000 and 1000"],
    },
    Wrong {
        what: "a point on row 53",
        edits: &[(
            Board,
            "[privy]",
            "[points]
d53 = [4, 2]

[privy]",
        )],
        says: &[
            r#"board.toml:15: points.d53: found "d53"; expected a file letter from a to w and a row number from 1 to 52, such as c3"#,
        ],
    },
    Wrong {
        what: "a point on no line",
        edits: &[
            (
                Board,
                "[privy]",
                "[points]
d2 = [4, 2]

[privy]",
            ),
            (Game, "opening", r#"opening = "1/r1r/1G2/rrr""#),
        ],
        says: &["board.toml:5: lines: no line goes through d2; expected every point on a line"],
    },
    Wrong {
        what: "lines below the points",
        edits: &[(
            Board,
            "apex",
            "[points]
d2 = [4, 2]",
        )],
        says: &[
            "board.toml:1: a key is missing; expected also lines",
            "board.toml:6: points.lines: stands below [points], which makes it a point; expected above [points]",
        ],
    },
    Wrong {
        what: "a misspelt table of points",
        edits: &[(
            Board,
            "[privy]",
            "[point]
d2 = [4, 2]

[privy]",
        )],
        says: &["board.toml:14: point: there is no such key; did you mean points?"],
    },
    Wrong {
        what: "points in a list",
        edits: &[(Board, "apex", r#"points = ["d2"]"#)],
        says: &["board.toml:4: points: found a list; expected points with their coordinates, such as b4 = [2, 3.5]"],
    },
    Wrong {
        what: "no field and no points",
        edits: &[(Board, "field", "")],
        says: &[
            "board.toml:1: the board has no field; expected field = { files = 5, rows = 5 }, or [points] with coordinates",
        ],
    },
    Wrong {
        what: "missing points of no rectangle",
        edits: &[
            (
                Board,
                "*",
                r#"id = "three"
title = "Three"
without = ["c1"]
lines = ["a1-b1", "b1-b2", "a1-b2"]

[points]
a1 = [1, 1]
b1 = [2, 1]
b2 = [2, 2]
"#,
            ),
            (Game, "opening", r#"opening = "r/rG""#),
            (Game, "apex", ""),
            (Game, "close_privy", ""),
            (Game, "intervention", ""),
        ],
        says: &[
            "board.toml:3: without: the board has no field from which points could be missing; expected field beside it",
        ],
    },
    Wrong {
        what: "65 points with a table",
        edits: &[
            (Board, "field", "field = { files = 3, rows = 21 }"),
            (
                Board,
                "[privy]",
                "[points]
d1 = [4, 1]
d2 = [4, 2]

[privy]",
            ),
            (Board, "b4 =", "b22 = [2, 22]"),
        ],
        says: &["board.toml:14: points: 2 points and the 63 of the field are 65; expected at most 64 in all"],
    },
    Wrong {
        what: "an edge to a point that does not exist",
        edits: &[(Board, "apex", "apex = [\"b4\"]\nedges = [\"a1-b2\", \"a3-b4-d3\"]")],
        says: &[
            r#"board.toml:5: edges: "a3-b4-d3": the board has no point d3; expected points of the field and of [privy]"#,
        ],
    },
    Wrong {
        what: "an edge from a point to itself",
        edits: &[(Board, "apex", "apex = [\"b4\"]\nedges = [\"a3-b4-b4\"]")],
        says: &[r#"board.toml:5: edges: "a3-b4-b4": b4 twice; expected each point once"#],
    },
    Wrong {
        what: "a board that extends a game",
        edits: &[(Board, "field", "extends = \"adugo\"")],
        says: &[r#"board.toml:3: extends: found "adugo"; expected alquerque, "#],
    },
    Wrong {
        what: "a board that extends itself",
        edits: &[(Board, "field", "extends = \"board.toml\"")],
        says: &["board.toml:3: extends: more than 8 files, each extending the next; expected fewer"],
    },
    Wrong {
        what: "a second field",
        edits: &[(Board, "apex", "extends = \"alquerque\"")],
        says: &[
            "board.toml:3: field: the board has the field of alquerque, which it extends; expected [points] for more",
        ],
    },
    Wrong {
        what: "a point of neither board",
        edits: &[(Board, "*", "id = \"small\"\ntitle = \"\"\nextends = \"alquerque\"\nwithout = [\"a1\", \"f1\"]")],
        says: &[r#"board.toml:4: without: found "f1"; expected points of alquerque, each once"#],
    },
];
