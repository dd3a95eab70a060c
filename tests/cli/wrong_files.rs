//! Invalid variant and board files: each is refused with file, line, the value found and the value expected.

mod hands;
mod points;
mod words;

use std::fs;
use std::path::PathBuf;

use crate::support::binary::{Home, Ran, run};

use File::{Board, Game};

/// A valid variant file, with the board file below.
const GAME: &str = r#"id = "own"
title = "Own"
board = "board.toml"
opening = "1/r1r/1G1/rrr"
first = "general"
intervention = true
apex = "general"
rebels_at_most = 1
close_privy = true
"#;

const BOARD: &str = r#"id = "small"
title = "Small"
field = { files = 3, rows = 3 }
apex = ["b4"]
lines = [
  "a1-a2-a3",
  "b1-b2-b3-b4",
  "c1-c2-c3",
  "a1-b1-c1",
  "a2-b2-c2",
  "a3-b3-c3",
]

[privy]
b4 = [2, 4]
"#;

const ROWS_2_AND_3: &str = r#"id = "small"
title = "Small"
field = { files = 3, rows = 2, from = "a2" }
lines = ["a3-b3-c3", "a2-b2-c2", "b3-b2"]
"#;

#[derive(Clone, Copy, PartialEq)]
enum File {
    Game,
    Board,
}

/// An invalid pair of files.
#[derive(Clone, Copy)]
struct Wrong {
    what: &'static str,
    /// Edits: in this file, the line with this prefix is replaced by this text; `*` means the whole file.
    edits: &'static [(File, &'static str, &'static str)],
    /// The prefixes of the lines that `privy variants check` prints.
    says: &'static [&'static str],
}

const WRONG: &[Wrong] = &[
    Wrong {
        what: "a word without quotes",
        edits: &[(Game, "first", "first = general")],
        says: &[
            r#"game.toml:5: found general; expected "general" in straight quotes, or a number, true, false, a list"#,
        ],
    },
    Wrong {
        what: "curly quotes",
        edits: &[(Game, "first", "first = “general”")],
        says: &[
            r#"game.toml:5: found “general”; expected "general" in straight quotes, or a number, true, false, a list"#,
        ],
    },
    Wrong {
        what: "a text without its end",
        edits: &[(Game, "first", r#"first = "general"#)],
        says: &[r#"game.toml:5: found first = "general; expected a quote at the end of the text"#],
    },
    Wrong {
        what: "no =",
        edits: &[(Game, "first", r#"first "general""#)],
        says: &[r#"game.toml:5: found first "general"; expected key = value"#],
    },
    Wrong {
        what: "a colon for =",
        edits: &[(Game, "first", r#"first: "general""#)],
        says: &[r#"game.toml:5: found first: "general"; expected key = value"#],
    },
    Wrong {
        what: "no value",
        edits: &[(Game, "first", "first =")],
        says: &["game.toml:5: found first = without a value; expected one behind ="],
    },
    Wrong {
        what: "a capital letter",
        edits: &[(Game, "intervention", "intervention = True")],
        says: &["game.toml:6: found True; expected true or false, in small letters"],
    },
    Wrong {
        what: "a key twice",
        edits: &[(
            Game,
            "intervention",
            "intervention = true
intervention = true",
        )],
        says: &["game.toml:7: intervention: a second time; expected each key once"],
    },
    Wrong {
        what: "a zero in front",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = 04")],
        says: &["game.toml:8: found rebels_at_most = 04; expected a number without zeros in front"],
    },
    Wrong {
        what: "a backslash",
        edits: &[(Game, "title", r#"title = "O\wn""#)],
        says: &[r#"game.toml:2: found title = "O\wn"; expected \\ for a \ in a text"#],
    },
    Wrong {
        what: "prose",
        edits: &[(
            Game,
            "*",
            "this is my game
",
        )],
        says: &["game.toml:1: found this is my game; expected key = value"],
    },
    Wrong {
        what: "no comma",
        edits: &[(Board, r#"  "a1-a2-a3""#, r#"  "a1-a2-a3""#)],
        says: &[
            r#"board.toml:7: found "b1-b2-b3-b4", in a list that begins before; expected a comma between two items, and ] at the end"#,
        ],
    },
    Wrong {
        what: "a list without its end",
        edits: &[(Board, "]", "")],
        says: &[
            "board.toml:14: found [privy] in a list that begins before; expected a comma between two items, and ] at the end",
        ],
    },
    Wrong {
        what: "a semicolon in braces",
        edits: &[(Board, "field", "field = { files = 3; rows = 3 }")],
        says: &[
            "board.toml:3: found field = { files = 3; rows = 3 }; expected a comma between two entries of braces, and } at the end",
        ],
    },
    Wrong {
        what: "a bracket that stays open",
        edits: &[(Board, "[privy]", "[privy")],
        says: &["board.toml:14: found [privy; expected ] at the end"],
    },
    Wrong {
        what: "an empty file",
        edits: &[(Game, "*", "")],
        says: &[
            r#"game.toml:1: 5 keys are missing; expected also id = "my-game", title = "My Game", board = "privy", opening = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr", first = "general""#,
        ],
    },
    Wrong {
        what: "no title",
        edits: &[(Game, "title", "")],
        says: &[r#"game.toml:1: a key is missing; expected also title = "My Game""#],
    },
    Wrong {
        what: "nobody moves first",
        edits: &[(Game, "first", "")],
        says: &[r#"game.toml:1: a key is missing; expected also first = "general""#],
    },
    Wrong {
        what: "three keys missing",
        edits: &[(
            Game,
            "*",
            r#"id = "own"
title = "Own"
"#,
        )],
        says: &[
            r#"game.toml:1: 3 keys are missing; expected also board = "privy", opening = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr", first = "general""#,
        ],
    },
    Wrong {
        what: "a misspelt rule",
        edits: &[(Game, "close_privy", "shut_privy = true")],
        says: &["game.toml:9: shut_privy: there is no such key; expected one of id, title, notes, "],
    },
    Wrong {
        what: "a rule without its underline",
        edits: &[(Game, "rebels_at_most", "rebels_atmost = 4")],
        says: &["game.toml:8: rebels_atmost: there is no such key; did you mean rebels_at_most?"],
    },
    Wrong {
        what: "several quarries",
        edits: &[(Game, "close_privy", "generals = 2")],
        says: &["game.toml:9: generals: there is no such key: a game has one General; expected a game without"],
    },
    Wrong {
        what: "a stack and a penalty",
        edits: &[(Game, "close_privy", "stacks = 4\nhuff_penalty = 1")],
        says: &[
            "game.toml:9: stacks: there is no such key: a point holds one piece at most; expected a game without",
            "game.toml:10: huff_penalty: there is no such key: Rebels only become fewer, and captures may not be demanded",
        ],
    },
    Wrong {
        what: "a line with commas",
        edits: &[(Board, r#"  "a1-a2-a3""#, r#"  "a1, a2, a3","#)],
        says: &[r#"board.toml:6: lines: found "a1, a2, a3"; expected "a1-a2-a3""#],
    },
    Wrong {
        what: "a row with a zero in front",
        edits: &[(Board, "b4 =", "b04 = [2, 4]")],
        says: &[r#"board.toml:15: privy.b04: found "b04"; expected a file letter from a to w and a row number"#],
    },
    Wrong {
        what: "a rule that does not exist",
        edits: &[(Game, "apex", r#"colour = "red""#)],
        says: &["game.toml:7: colour: there is no such key; expected one of id, title, notes, "],
    },
    Wrong {
        what: "rules in a table",
        edits: &[(
            Game,
            "close_privy",
            "[rules]
close_privy = true",
        )],
        says: &["game.toml:9: rules: there is no such key; expected no line in brackets above the keys"],
    },
    Wrong {
        what: "a misspelt key of the board",
        edits: &[(Board, "title", r#"titel = "Small""#)],
        says: &["board.toml:2: titel: there is no such key; did you mean title?"],
    },
    Wrong {
        what: "no lines",
        edits: &[(Board, "lines", "line = [")],
        says: &["board.toml:5: line: there is no such key; did you mean lines?"],
    },
    Wrong {
        what: "a misspelt table",
        edits: &[(Board, "[privy]", "[privvy]")],
        says: &["board.toml:14: privvy: there is no such key; did you mean privy?"],
    },
    Wrong {
        what: "a key below the table",
        edits: &[(
            Board,
            "b4 =",
            r#"b4 = [2, 4]
notes = ["below"]"#,
        )],
        says: &["board.toml:16: privy.notes: stands below [privy], which makes it a point; expected above [privy]"],
    },
    Wrong {
        what: "a key below another table",
        edits: &[(
            Game,
            "close_privy",
            "[move_limit]
plies = 80
close_privy = true",
        )],
        says: &[
            "game.toml:11: move_limit.close_privy: there is no such key here; expected above the line in brackets, or outside the braces",
        ],
    },
    Wrong {
        what: "a comment of another language",
        edits: &[(Game, "intervention", "// a comment")],
        says: &["game.toml:6: found // a comment; expected # before a comment"],
    },
    Wrong {
        what: "yes",
        edits: &[(Game, "intervention", "intervention = yes")],
        says: &["game.toml:6: found yes; expected true or false, or \"yes\" in straight quotes"],
    },
    Wrong {
        what: "no, which begins like a number",
        edits: &[(Game, "intervention", "intervention = no")],
        says: &["game.toml:6: found no; expected true or false, or \"no\" in straight quotes"],
    },
    Wrong {
        what: "a number beyond all",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = 99999999999999999999999")],
        says: &["game.toml:8: found rebels_at_most = 99999999999999999999999; expected a number of fewer digits"],
    },
    Wrong {
        what: "a number of 64 bits",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = 18446744073709551615")],
        says: &["game.toml:8: found rebels_at_most = 18446744073709551615; expected a number of fewer digits"],
    },
    Wrong {
        what: "a number of more than 128 bits",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = -1000000000000000000000000000000000000000")],
        says: &["game.toml:8: found rebels_at_most = -1000000000000000000000000000000000000000; expected a number of "],
    },
    Wrong {
        what: "a number that is not whole",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = 2.0")],
        says: &["game.toml:8: rebels_at_most: found 2.0; expected a whole number from 0 to 63"],
    },
    Wrong {
        what: "custodial capture without three points in line",
        edits: &[
            (
                Game,
                "*",
                "id = \"own\"\ntitle = \"Own\"\nboard = \"board.toml\"\nopening = \"rG\"\nfirst = \"rebels\"\ncustodial = true\n",
            ),
            (Board, "*", "id = \"two\"\ntitle = \"Two\"\nfield = { files = 2, rows = 1 }\nlines = [\"a1-b1\"]\n"),
        ],
        says: &["game.toml:6: custodial: no points of the board are in line as custodial needs; expected such a board"],
    },
    Wrong {
        what: "a goal on which the General loses",
        edits: &[(Game, "apex", "apex = \"rebels\"\ngoal = [\"b4\"]")],
        says: &["game.toml:8: goal: found \"b4\", where apex = \"rebels\" has the General lose; expected other points"],
    },
    Wrong {
        what: "a field without rows",
        edits: &[(Board, "field", "field = { files = 3 }")],
        says: &["board.toml:3: field: a key is missing; expected also rows = 5"],
    },
    Wrong {
        what: "a field with something else",
        edits: &[(Board, "field", "field = { files = 3, rows = 3, widht = 3 }")],
        says: &["board.toml:3: field.widht: there is no such key; expected one of files, rows, from"],
    },
    Wrong {
        what: "a corner that is no point",
        edits: &[(Board, "field", r#"field = { files = 3, rows = 3, from = "1a" }"#)],
        says: &[
            r#"board.toml:3: field.from: found "1a"; expected a file letter from a to w and a row number from 1 to 52"#,
        ],
    },
    Wrong {
        what: "a field beyond the last file",
        edits: &[(Board, "field", r#"field = { files = 3, rows = 3, from = "v1" }"#)],
        says: &["board.toml:3: field: 3 files by 3 rows from v1; expected none beyond file w and row 52"],
    },
    Wrong {
        what: "missing points that are none of the field",
        edits: &[(Board, "apex", "without = [\n  \"a4\",\n  \"c3\", \"c3\" ]\n")],
        says: &[
            r#"board.toml:5: without: found "a4"; expected points of the field, each once"#,
            r#"board.toml:6: without: found "c3"; expected points of the field, each once"#,
        ],
    },
    Wrong {
        what: "lines through a missing point",
        edits: &[(Board, "apex", r#"without = ["c3"]"#)],
        says: &[
            r#"board.toml:8: lines: "c1-c2-c3": the board has no point c3; expected points of the field and of [privy]"#,
            r#"board.toml:11: lines: "a3-b3-c3": the board has no point c3; expected points of the field and of [privy]"#,
        ],
    },
    Wrong {
        what: "a goal that is no list",
        edits: &[(Game, "apex", r#"goal = "b1""#)],
        says: &[r#"game.toml:7: goal: found "b1"; expected ["b1"], a list of texts"#],
    },
    Wrong {
        what: "a goal that is not on the board",
        edits: &[(Game, "apex", "goal = [\"b1\",\n  \"b9\", \"\\u001b\"]")],
        says: &[
            r#"game.toml:8: goal: found "b9"; expected points of the board"#,
            r#"game.toml:8: goal: found "\u{1b}"; expected points of the board"#,
        ],
    },
    Wrong {
        what: "a goal where the General stands",
        edits: &[(Game, "apex", r#"goal = ["b2"]"#)],
        says: &[
            "game.toml:4: opening: with the General on b2 the game is over before the first move: general wins: goal; expected",
        ],
    },
    Wrong {
        what: "a word of repetition",
        edits: &[(Game, "apex", r#"repetition = "rebel""#)],
        says: &[
            r#"game.toml:7: repetition: found "rebel"; expected "draw", "general" or "rebels"; did you mean rebels?"#,
        ],
    },
    Wrong {
        what: "a way of jumping",
        edits: &[(Game, "apex", r#"jump = "fre""#)],
        says: &[r#"game.toml:7: jump: found "fre"; expected "none", "single", "multi" or "free"; did you mean free?"#],
    },
    Wrong {
        what: "row 1 on a board without it",
        edits: &[
            (Board, "*", ROWS_2_AND_3),
            (Game, "opening", r#"opening = "r1r/1G1""#),
            (Game, "apex", r#"bottom = "general""#),
            (Game, "close_privy", ""),
        ],
        says: &["game.toml:7: bottom: the field has no point on row 1; expected a board with one, or no such rule"],
    },
    Wrong {
        what: "a number in letters",
        edits: &[(Game, "rebels_at_most", r#"rebels_at_most = "four""#)],
        says: &[r#"game.toml:8: rebels_at_most: found "four"; expected a whole number from 0 to 63, or "none""#],
    },
    Wrong {
        what: "a negative number",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = -1")],
        says: &[r#"game.toml:8: rebels_at_most: found -1; expected a whole number from 0 to 63, or "none""#],
    },
    Wrong {
        what: "half a Rebel",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = 1.5")],
        says: &[r#"game.toml:8: rebels_at_most: found 1.5; expected a whole number from 0 to 63, or "none""#],
    },
    Wrong {
        what: "more Rebels than points",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = 64")],
        says: &[r#"game.toml:8: rebels_at_most: found 64; expected a whole number from 0 to 63, or "none""#],
    },
    Wrong {
        what: "too many free jumps",
        edits: &[(Game, "rebels_at_most", "free_jumps = 10")],
        says: &["game.toml:8: free_jumps: found 10; expected a whole number from 0 to 9"],
    },
    Wrong {
        what: "a limit without its plies",
        edits: &[(Game, "rebels_at_most", r#"move_limit = { winner = "rebels" }"#)],
        says: &["game.toml:8: move_limit: a key is missing; expected also plies = 80"],
    },
    Wrong {
        what: "a limit of no plies",
        edits: &[(Game, "rebels_at_most", "move_limit = { plies = 0 }")],
        says: &["game.toml:8: move_limit.plies: found 0; expected a whole number from 1 to 1000"],
    },
    Wrong {
        what: "a limit that is a number",
        edits: &[(Game, "rebels_at_most", "move_limit = 80")],
        says: &[r#"game.toml:8: move_limit: found 80; expected { plies = 80 }, or "none""#],
    },
    Wrong {
        what: "yes for true",
        edits: &[(Game, "intervention", r#"intervention = "yes""#)],
        says: &[r#"game.toml:6: intervention: found "yes"; expected true or false"#],
    },
    Wrong {
        what: "1 for true",
        edits: &[(Game, "intervention", "intervention = 1")],
        says: &["game.toml:6: intervention: found 1; expected true or false"],
    },
    Wrong {
        what: "a side that does not exist",
        edits: &[(Game, "first", r#"first = "white""#)],
        says: &[r#"game.toml:5: first: found "white"; expected "general" or "rebels""#],
    },
    Wrong {
        what: "a misspelt value",
        edits: &[(Game, "apex", r#"apex = "generals""#)],
        says: &[
            r#"game.toml:7: apex: found "generals"; expected "none", "general", "rebels" or "return"; did you mean general?"#,
        ],
    },
    Wrong {
        what: "a value that does not exist",
        edits: &[(Game, "intervention", r#"static = "always""#)],
        says: &[r#"game.toml:6: static: found "always"; expected "none", "surrounded" or "any""#],
    },
    Wrong {
        what: "rows as a list",
        edits: &[(Game, "opening", r#"opening = ["1", "r1r"]"#)],
        says: &["game.toml:4: opening: found a list; expected a text in quotes"],
    },
    Wrong {
        what: "a number for a text",
        edits: &[(Game, "title", "title = 7")],
        says: &["game.toml:2: title: found 7; expected a text in quotes"],
    },
    Wrong {
        what: "a text for a list",
        edits: &[(
            Game,
            "title",
            r#"title = "Own"
notes = "Mine.""#,
        )],
        says: &[r#"game.toml:3: notes: found "Mine."; expected ["Mine."], a list of texts"#],
    },
    Wrong {
        what: "a field in words",
        edits: &[(Board, "field", r#"field = "3x3""#)],
        says: &[r#"board.toml:3: field: found "3x3"; expected { files = 5, rows = 5 }"#],
    },
    Wrong {
        what: "no files",
        edits: &[(Board, "field", "field = { files = 0, rows = 3 }")],
        says: &["board.toml:3: field.files: found 0; expected a whole number from 1 to 23"],
    },
    Wrong {
        what: "too many files",
        edits: &[(Board, "field", "field = { files = 24, rows = 1 }")],
        says: &["board.toml:3: field.files: found 24; expected a whole number from 1 to 23"],
    },
    Wrong {
        what: "a number for a line",
        edits: &[(Board, "lines", "lines = [ 7,")],
        says: &["board.toml:5: lines: found 7; expected a text in quotes"],
    },
    Wrong {
        what: "one coordinate",
        edits: &[(Board, "b4 =", "b4 = 4")],
        says: &["board.toml:15: privy.b4: found 4; expected the coordinates of a point, such as [2, 3.5]"],
    },
    Wrong {
        what: "three coordinates",
        edits: &[(Board, "b4 =", "b4 = [2, 4, 1]")],
        says: &["board.toml:15: privy.b4: found a list; expected the coordinates of a point, such as [2, 3.5]"],
    },
    Wrong {
        what: "an id with capitals",
        edits: &[(Game, "id", r#"id = "My Game""#)],
        says: &[
            r#"game.toml:1: id: found "My Game"; expected at most 64 lower case letters, digits and -, such as my-game"#,
        ],
    },
    Wrong {
        what: "an id that means something else",
        edits: &[(Game, "id", r#"id = "fen""#)],
        says: &[r#"game.toml:1: id: "fen" means something else in texts of positions; expected another word"#],
    },
    Wrong {
        what: "an empty id",
        edits: &[(Board, "id", r#"id = """#)],
        says: &[r#"board.toml:1: id: found ""; expected at most 64 lower case letters, digits and -"#],
    },
    Wrong {
        what: "a misspelt board",
        edits: &[(Game, "board", r#"board = "privvy""#)],
        says: &[
            r#"game.toml:3: board: found "privvy"; expected alquerque, chessboard-dark, cross-33-diagonals, cross-33, hare-11, nanking, privy, rebels-5x7, triangle-10, privy-open, triangle, triangle-crossed, cloister, gonu, hund-efter-hare-vendsyssel, gioco-dell-orso, la-yagua, kaooa, pulijudamu, mysore-tiger-game, gasetavl-gedved, or a board file whose name ends in .toml; did you mean privy?"#,
        ],
    },
    Wrong {
        what: "a board file that is not there",
        edits: &[(Game, "board", r#"board = "bord.toml""#)],
        says: &["game.toml:3: board: bord.toml: No such file or directory (os error 2); expected a board file"],
    },
    Wrong {
        what: "a board file without its ending",
        edits: &[(Game, "board", r#"board = "board""#)],
        says: &[r#"game.toml:3: board: found "board"; expected alquerque, chessboard-dark, "#],
    },
    Wrong {
        what: "a misspelt game",
        edits: &[(Game, "first", r#"extends = "sixten-rebels""#)],
        says: &[
            r#"game.toml:5: extends: found "sixten-rebels"; expected the id of a built-in game, or a variant file whose name ends in .toml; did you mean sixteen-rebels?"#,
        ],
    },
    Wrong {
        what: "a file that extends itself",
        edits: &[(Game, "first", r#"extends = "game.toml""#)],
        says: &[r#"game.toml:5: extends: "game.toml" leads back to itself; expected another file"#],
    },
    Wrong {
        what: "a file that is not there",
        edits: &[(Game, "first", r#"extends = "parent.toml""#)],
        says: &["game.toml:5: extends: parent.toml: No such file or directory (os error 2); expected a variant file"],
    },
    Wrong {
        what: "a row too few",
        edits: &[(Game, "opening", r#"opening = "1/r1r/1G1""#)],
        says: &[
            "game.toml:4: opening: rows: expected 4 rows joined by /, found 3; from the top they have 1, 3, 3, 3 points",
        ],
    },
    Wrong {
        what: "a row too long",
        edits: &[(Game, "opening", r#"opening = "1/r1r/1G2/rrr""#)],
        says: &[r#"game.toml:4: opening: row 2: "1G2" has 4 points, expected 3"#],
    },
    Wrong {
        what: "a letter that means nothing",
        edits: &[(Game, "opening", r#"opening = "1/r1r/1K1/rrr""#)],
        says: &[r#"game.toml:4: opening: row 2: "1K1": expected r, G and numbers of empty points"#],
    },
    Wrong {
        what: "no General",
        edits: &[(Game, "opening", r#"opening = "1/r1r/3/rrr""#)],
        says: &["game.toml:4: opening: there is no General; expected one G"],
    },
    Wrong {
        what: "two Generals",
        edits: &[(Game, "opening", r#"opening = "1/rGr/1G1/rrr""#)],
        says: &["game.toml:4: opening: there are two Generals, on b3 and b2; expected one G"],
    },
    Wrong {
        what: "a Rebel in the privy",
        edits: &[(Game, "opening", r#"opening = "r/r1r/1G1/rrr""#)],
        says: &[
            "game.toml:4: opening: Rebels may not stand in the privy (b4); expected none there, or enter_privy = true",
        ],
    },
    Wrong {
        what: "the General on the apex",
        edits: &[(Game, "opening", r#"opening = "G/r1r/3/rrr""#)],
        says: &[
            "game.toml:4: opening: with the General on b4 the game is over before the first move: general wins: apex; expected G on another point",
        ],
    },
    Wrong {
        what: "no Rebels",
        edits: &[(Game, "opening", r#"opening = "1/3/1G1/3""#)],
        says: &["game.toml:4: opening: there are no Rebels; expected r for each of them"],
    },
    Wrong {
        what: "a General that cannot move",
        edits: &[(Game, "opening", r#"opening = "1/1r1/rGr/1r1""#)],
        says: &[
            "game.toml:4: opening: the game is over before the first move: rebels win: no move; expected a free point beside the General",
        ],
    },
    Wrong {
        what: "a limit that the opening has reached",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = 5")],
        says: &[
            "game.toml:8: rebels_at_most: found 5, but the opening has 5 Rebels, so that the General has won before the first move; expected at most 4",
        ],
    },
    Wrong {
        what: "a limit that the opening has reached, on a goal that does not count yet",
        edits: &[(Game, "rebels_at_most", "rebels_at_most = 5\ngoal = [\"b2\"]\ngoal_on_return = true")],
        says: &[
            "game.toml:8: rebels_at_most: found 5, but the opening has 5 Rebels, so that the General has won before the first move; expected at most 4",
        ],
    },
    Wrong {
        what: "the General on row 1",
        edits: &[(
            Game,
            "opening",
            r#"opening = "1/r1r/r1r/1G1"
bottom = "general""#,
        )],
        says: &[
            "game.toml:4: opening: with the General on b1 the game is over before the first move: general wins: bottom; expected G on another point",
        ],
    },
    Wrong {
        what: "lines of no jump",
        edits: &[(Game, "intervention", r#"jump_lines = "diagonal""#)],
        says: &[r#"game.toml:6: jump_lines: there is no jump that it could narrow; expected jump beside it"#],
    },
    Wrong {
        what: "a duty to capture without a capture",
        edits: &[(Game, "intervention", "compulsory = true")],
        says: &[
            "game.toml:6: compulsory: there is no capture; expected intervention, deferred, static or jump beside it",
        ],
    },
    Wrong {
        what: "pairs that nobody takes",
        edits: &[(Game, "intervention", "orthogonal = true")],
        says: &[
            "game.toml:6: orthogonal: there is no capture of pairs that it could narrow; expected intervention, deferred or static beside it",
        ],
    },
    Wrong {
        what: "jumps along lines that the board does not have",
        edits: &[(
            Game,
            "intervention",
            r#"jump = "single"
jump_lines = "diagonal""#,
        )],
        says: &[
            "game.toml:6: jump: no points of the board are in line as jump needs; expected such a board, or no jump_lines, or no jump",
        ],
    },
    Wrong {
        what: "an apex rule without an apex",
        edits: &[(Board, "apex", "")],
        says: &["game.toml:7: apex: the board has no apex; expected a board with one, or no such rule"],
    },
    Wrong {
        what: "65 points",
        edits: &[(Board, "field", "field = { files = 13, rows = 5 }")],
        says: &[
            "board.toml:3: field: 13 files by 5 rows are 65 points; expected at most 64, those of the privy included",
        ],
    },
    Wrong {
        what: "65 points with the privy",
        edits: &[
            (Board, "field", "field = { files = 3, rows = 21 }"),
            (
                Board,
                "b4 =",
                "a22 = [1, 22]
c22 = [3, 22]",
            ),
        ],
        says: &["board.toml:14: privy: 2 points and the 63 of the field are 65; expected at most 64 in all"],
    },
    Wrong {
        what: "a point of the field in the privy",
        edits: &[(
            Board,
            "b4 =",
            "b4 = [2, 4]
b5 = [2, 5]
b3 = [1, 5]",
        )],
        says: &["board.toml:17: privy.b3: a point of the field, too; expected another name"],
    },
    Wrong {
        what: "two points at one place",
        edits: &[(Board, "b4 =", "b4 = [2, 3]")],
        says: &["board.toml:15: privy.b4: the coordinates are those of b3; expected a place of its own"],
    },
    Wrong {
        what: "a coordinate too fine",
        edits: &[(Board, "b4 =", "b4 = [2, 4.001]")],
        says: &["board.toml:15: privy.b4: found [2, 4.001]; expected multiples of 0.01 between -1000 and 1000"],
    },
    Wrong {
        what: "a file that does not exist",
        edits: &[(Board, "b4 =", "x4 = [2, 4]")],
        says: &[
            r#"board.toml:15: privy.x4: found "x4"; expected a file letter from a to w and a row number from 1 to 52, such as c3"#,
        ],
    },
    Wrong {
        what: "an apex in the field",
        edits: &[(Board, "apex", r#"apex = ["b3"]"#)],
        says: &[r#"board.toml:4: apex: found "b3"; expected a point of the privy"#],
    },
    Wrong {
        what: "an apex that does not exist",
        edits: &[(Board, "apex", r#"apex = ["b5"]"#)],
        says: &[r#"board.toml:4: apex: found "b5"; expected a point of the privy"#],
    },
    Wrong {
        what: "a line that passes over a point",
        edits: &[(Board, r#"  "a3-b3-c3""#, r#"  "a3-c3","#)],
        says: &[r#"board.toml:11: lines: "a3-c3" passes over b3; expected "a3-b3-c3""#],
    },
    Wrong {
        what: "a line to a point that does not exist",
        edits: &[(Board, r#"  "a3-b3-c3""#, r#"  "a3-b3-c4","#)],
        says: &[
            r#"board.toml:11: lines: "a3-b3-c4": the board has no point c4; expected points of the field and of [privy]"#,
        ],
    },
    Wrong {
        what: "a line that bends",
        edits: &[(Board, r#"  "a3-b3-c3""#, r#"  "a3-b3-c2","#)],
        says: &[
            r#"board.toml:11: lines: "a3-b3-c2" bends at b3; expected points one after the other on a straight line"#,
        ],
    },
    Wrong {
        what: "points out of order",
        edits: &[(Board, r#"  "a3-b3-c3""#, r#"  "a3-c3-b3","#)],
        says: &[
            r#"board.toml:11: lines: "a3-c3-b3" bends at c3; expected points one after the other on a straight line"#,
        ],
    },
    Wrong {
        what: "a line without -",
        edits: &[(Board, r#"  "a3-b3-c3""#, r#"  "a3 b3 c3","#)],
        says: &[r#"board.toml:11: lines: found "a3 b3 c3"; expected "a3-b3-c3""#],
    },
    Wrong {
        what: "a line of one point",
        edits: &[(Board, r#"  "a3-b3-c3""#, r#"  "a3","#)],
        says: &[r#"board.toml:11: lines: "a3" has one point; expected two or more, joined by -"#],
    },
    Wrong {
        what: "a point twice",
        edits: &[(Board, r#"  "a3-b3-c3""#, r#"  "a3-a3","#)],
        says: &[r#"board.toml:11: lines: "a3-a3": a3 twice; expected each point once"#],
    },
    Wrong {
        what: "an isolated point",
        edits: &[(Board, r#"  "a3-b3-c3""#, ""), (Board, r#"  "c1-c2-c3""#, r#"  "c1-c2","#)],
        says: &["board.toml:5: lines: no line goes through c3; expected every point on a line"],
    },
    Wrong {
        what: "a privy apart",
        edits: &[
            (Board, r#"  "b1-b2-b3-b4""#, r#"  "b1-b2-b3","#),
            (
                Board,
                "[privy]",
                "[privy]
c4 = [3, 4]",
            ),
            (
                Board,
                r#"  "a3-b3-c3""#,
                r#"  "a3-b3-c3",
  "b4-c4","#,
            ),
            (Game, "opening", r#"opening = "2/r1r/1G1/rrr""#),
        ],
        says: &["board.toml:5: lines: no way leads from a1 to b4 c4; expected lines that join all points"],
    },
];

/// The text with one line replaced.
fn edited(text: &str, start: &str, new: &str, what: &str) -> String {
    if start == "*" {
        return new.to_owned();
    }
    let is_key = start.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let starts = |line: &&str| line.starts_with(start) && (!is_key || line[start.len()..].starts_with(' '));
    assert_eq!(text.lines().filter(starts).count(), 1, "{what}: {start}");
    text.lines().map(|line| if starts(&line) { new } else { line }).fold(String::new(), |text, line| text + line + "\n")
}

/// Runs the binary in a folder with both files, named as in the error messages.
fn asked(home: &Home, game: &str, board: &str, words: &[&str]) -> Ran {
    let folder: PathBuf = home.join("");
    fs::write(folder.join("game.toml"), game).unwrap();
    fs::write(folder.join("board.toml"), board).unwrap();
    run(home.privy().current_dir(&folder), words)
}

#[test]
fn the_files_are_valid_without_edits() {
    let home = Home::new();
    let checked =
        asked(&home, GAME, BOARD, &["variants", "check", "game.toml", "board.toml", "--games", "20"]).success();
    assert!(checked.starts_with("own: Own\n") && checked.contains("\nsmall: Small\n"), "{checked}");
    assert!(!checked.contains("warning"), "{checked}");
}

#[test]
fn every_wrong_file_is_refused_with_its_line_and_a_cure() {
    let newer = [hands::WRONG, words::WRONG, points::WRONG].concat();
    assert!(WRONG.len() >= 60 && newer.len() >= 60, "{} {}", WRONG.len(), newer.len());
    let home = Home::new();
    for Wrong { what, edits, says } in WRONG.iter().chain(&newer) {
        let (mut game, mut board) = (GAME.to_owned(), BOARD.to_owned());
        for (file, start, new) in *edits {
            let text = if *file == Game { &mut game } else { &mut board };
            *text = edited(text, start, new, what);
        }
        let ran = asked(&home, &game, &board, &["variants", "check", "game.toml"]);
        let lines: Vec<&str> = ran.output.lines().collect();
        assert_eq!(lines.len(), says.len(), "{what}: {ran:?}");
        for (line, expected) in lines.iter().zip(*says) {
            assert!(line.starts_with(expected), "{what}: {line}\nnot {expected}");
            let has_cure =
                ["expected ", "did you mean ", "from the top they have "].iter().any(|cure| line.contains(cure));
            assert!(has_cure, "{what}: {line}");
        }
        let count = if says.len() == 1 { "1 error".to_owned() } else { format!("{} errors", says.len()) };
        assert_eq!(ran.failure(1), format!("privy: not sound: game.toml: {count}\n"), "{what}");
    }
}

/// All errors of both files are reported at once, each with its line.
#[test]
fn all_errors_of_both_files_are_reported_at_once() {
    let home = Home::new();
    let game = GAME.replace("true", "1").replace("\"general\"", "\"white\"");
    let board = BOARD.replace("a3-b3-c3", "a3-b3-c9").replace("a1-b1-c1", "a1-c2");
    let ran = asked(&home, &game, &board, &["variants", "check", "game.toml"]);
    let places: Vec<&str> = ran.output.lines().map(|line| line.split(": ").next().unwrap()).collect();
    let expected = ["game.toml:5", "game.toml:6", "game.toml:7", "game.toml:9", "board.toml:11"];
    assert_eq!(places, expected, "{ran:?}");
    assert_eq!(ran.failure(1), "privy: not sound: game.toml: 5 errors\n");

    // Points are checked beside unknown keys and wrong words, except for lines beside a misspelt key.
    let game = GAME.replace("apex = \"general\"", "goal = [\"z9\"]\ncolour = 1").replace("1G1", "1r1");
    let board = BOARD.replace("a3-b3-c3", "a3-b3-c9").replace("title", "colour = 1\ntitle");
    let ran = asked(&home, &game, &board, &["variants", "check", "game.toml"]);
    let places: Vec<&str> = ran.output.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["game.toml:8", "board.toml:2", "board.toml:12"], "{ran:?}");
    let ran = asked(&home, &game, BOARD, &["variants", "check", "game.toml"]);
    let places: Vec<&str> = ran.output.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["game.toml:4", "game.toml:7", "game.toml:8"], "{ran:?}");
    let privvy = board.replace("[privy]", "[privvy]");
    let ran = asked(&home, &game, &privvy, &["variants", "check", "game.toml"]);
    assert!(!ran.output.contains("lines: "), "{ran:?}");
}

/// Other commands report the same errors: a command all of them, the engine the first.
#[test]
fn commands_and_the_engine_report_the_same_errors() {
    let home = Home::new();
    let game = GAME.replace("true", "1");
    let first = "game.toml:6: intervention: found 1; expected true or false";
    let second = "game.toml:9: close_privy: found 1; expected true or false";
    let complaint = asked(&home, &game, BOARD, &["perft", "game.toml", "1"]).failure(1);
    assert_eq!(complaint, format!("privy: cannot load file: {first}\n{second}\n"));
    let mut engine = home.privy();
    engine.current_dir(home.join("")).stdin(
        fs::File::open({
            let script = home.join("script");
            fs::write(&script, "variant game.toml\nvariant\n").unwrap();
            script
        })
        .unwrap(),
    );
    let answered = Ran::from(engine.output().unwrap()).success();
    let expected =
        format!("? cannot load file: {first} (and 1 more: privy variants check names them)\n\n= sixteen-rebels\n\n");
    assert_eq!(answered, expected);
}
