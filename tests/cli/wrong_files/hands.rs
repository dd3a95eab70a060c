//! Invalid hands, and words about what is in hand.

use super::File::{Board, Game};
use super::Wrong;

/// A hand behind these rows that cannot be read.
macro_rules! malformed {
    ($what:literal, $rows:literal, $hand:literal) => {
        Wrong {
            what: $what,
            edits: &[(Game, "opening", concat!("opening = \"", $rows, $hand, "\""))],
            says: &[concat!(
                "game.toml:4: opening: hand: expected [G], [r8] or [Gr8] at the end, with 1 to 63 Rebels in hand, found \"",
                $hand,
                "\""
            )],
        }
    };
}

pub(super) const WRONG: &[Wrong] = &[
    malformed!("a hand without its end", "1/r1r/1G1/rrr", "["),
    malformed!("an empty hand", "1/r1r/1G1/rrr", "[]"),
    malformed!("no Rebels in hand, said with a number", "1/r1r/1G1/rrr", "[r0]"),
    malformed!("99 Rebels in hand", "1/r1r/1G1/rrr", "[r99]"),
    malformed!("Rebels in hand without their number", "1/r1r/1G1/rrr", "[rrr]"),
    malformed!("a number in hand without its piece", "1/r1r/1G1/rrr", "[8]"),
    malformed!("a piece in hand that does not exist", "1/r1r/1G1/rrr", "[x]"),
    malformed!("the Rebels in hand before the General", "1/r1r/3/rrr", "[r3G]"),
    malformed!("text behind the hand", "1/r1r/1G1/rrr", "[r3] "),
    malformed!("two hands", "1/r1r/3/rrr", "[G][r3]"),
    malformed!("a hand between two rows", "1/r1r", "[r3]/1G1/rrr"),
    malformed!("two Generals in hand", "1/r1r/3/rrr", "[G2]"),
    Wrong {
        what: "a General on the board and one in hand",
        edits: &[(Game, "opening", r#"opening = "1/r1r/1G1/rrr[G]""#)],
        says: &["game.toml:4: opening: there are two Generals, in hand and on b2; expected one G, or [G] at the end"],
    },
    Wrong {
        what: "Rebels in hand alone",
        edits: &[(Game, "opening", r#"opening = "1/r1r/3/rrr[r3]""#)],
        says: &["game.toml:4: opening: there is no General; expected one G, or [G] at the end for one in hand"],
    },
    Wrong {
        what: "more Rebels in hand than a game has",
        edits: &[(Game, "opening", r#"opening = "1/r1r/1G1/rrr[r59]""#)],
        says: &["game.toml:4: opening: found 64 Rebels with those in hand; expected at most 63"],
    },
    Wrong {
        what: "a General in hand and no Rebels",
        edits: &[(Game, "opening", r#"opening = "1/3/3/3[G]""#)],
        says: &["game.toml:4: opening: there are no Rebels; expected r for each of them"],
    },
    Wrong {
        what: "a limit that counts the hand",
        edits: &[(Game, "opening", r#"opening = "1/r1r/1G1/rrr[r2]""#), (Game, "rebels_at_most", "rebels_at_most = 7")],
        says: &[
            "game.toml:8: rebels_at_most: found 7, but the opening has 7 Rebels, so that the General has won before the first move; expected at most 6",
        ],
    },
    Wrong {
        what: "a hand in a key",
        edits: &[(Game, "apex", r#"hand = "r8""#)],
        says: &["game.toml:7: hand: there is no such key; expected one of id, title, "],
    },
    Wrong {
        what: "a hand on a board of 64 points",
        edits: &[
            (Game, "opening", r#"opening = "r6r/8/8/8/8/8/8/2G5[r2]""#),
            (
                Board,
                "*",
                r#"id = "eight"
title = "Eight"
field = { files = 8, rows = 8 }
lines = [
  "a1-b1-c1-d1-e1-f1-g1-h1",
  "a2-b2-c2-d2-e2-f2-g2-h2",
  "a3-b3-c3-d3-e3-f3-g3-h3",
  "a4-b4-c4-d4-e4-f4-g4-h4",
  "a5-b5-c5-d5-e5-f5-g5-h5",
  "a6-b6-c6-d6-e6-f6-g6-h6",
  "a7-b7-c7-d7-e7-f7-g7-h7",
  "a8-b8-c8-d8-e8-f8-g8-h8",
  "a1-a2-a3-a4-a5-a6-a7-a8",
]
"#,
            ),
            (Game, "apex", ""),
            (Game, "close_privy", ""),
        ],
        says: &["game.toml:4: opening: found a hand on a board of 64 points; expected at most 63"],
    },
    Wrong {
        what: "a place for a General that is not in hand",
        edits: &[(Game, "apex", r#"general_drops_on = ["c2"]"#)],
        says: &["game.toml:7: general_drops_on: no General is in hand; expected [G] behind the rows of the opening"],
    },
    Wrong {
        what: "places for Rebels where the General is in hand",
        edits: &[(Game, "opening", r#"opening = "1/r1r/3/rrr[G]""#), (Game, "apex", r#"rebels_drop_on = ["c2"]"#)],
        says: &["game.toml:7: rebels_drop_on: no Rebel is in hand; expected [r8] behind the rows of the opening"],
    },
    Wrong {
        what: "a General that waits for nothing",
        edits: &[(Game, "opening", r#"opening = "1/r1r/3/rrr[G]""#), (Game, "apex", "general_waits = true")],
        says: &["game.toml:7: general_waits: no Rebel is in hand; expected [r8] behind the rows of the opening"],
    },
    Wrong {
        what: "a drop on no point",
        edits: &[
            (Game, "opening", r#"opening = "1/r1r/3/rrr[G]""#),
            (Game, "apex", r#"general_drops_on = ["b2", "b7"]"#),
        ],
        says: &[r#"game.toml:7: general_drops_on: found "b7"; expected points of the board"#],
    },
    Wrong {
        what: "a drop where the General never goes",
        edits: &[
            (Game, "opening", r#"opening = "1/r1r/3/rrr[G]""#),
            (
                Game,
                "apex",
                r#"general_never_on = ["c2"]
general_drops_on = ["b2", "c2"]"#,
            ),
        ],
        says: &[r#"game.toml:8: general_drops_on: found "c2", a point of general_never_on too; expected other points"#],
    },
    Wrong {
        what: "a drop where Rebels never go",
        edits: &[
            (Game, "opening", r#"opening = "1/r1r/1G1/rrr[r3]""#),
            (
                Game,
                "apex",
                r#"rebels_never_on = ["c2"]
rebels_drop_on = ["a2", "c2"]"#,
            ),
        ],
        says: &[r#"game.toml:8: rebels_drop_on: found "c2", a point of rebels_never_on too; expected other points"#],
    },
    Wrong {
        what: "a drop in the privy",
        edits: &[
            (Game, "opening", r#"opening = "1/r1r/1G1/rrr[r3]""#),
            (
                Game,
                "apex",
                r#"rebels_drop_on = [
  "a2",
  "b4",
]"#,
            ),
        ],
        says: &[
            r#"game.toml:9: rebels_drop_on: found "b4", a point of the privy; expected points of the field, or enter_privy = true"#,
        ],
    },
    Wrong {
        what: "a General in hand without a free point",
        edits: &[
            (Game, "opening", r#"opening = "1/r1r/3/rrr[G]""#),
            (Game, "apex", r#"general_drops_on = ["a1", "b1"]"#),
        ],
        says: &[
            "game.toml:4: opening: the game is over before the first move: rebels win: no move; expected a free point for the General in hand",
        ],
    },
    Wrong {
        what: "Rebels in hand without a free point",
        edits: &[
            (Game, "opening", r#"opening = "1/r1r/1G1/rrr[r3]""#),
            (Game, "first", r#"first = "rebels""#),
            (Game, "apex", r#"rebels_drop_on = ["a1", "b2"]"#),
        ],
        says: &[
            "game.toml:4: opening: the game is over before the first move: general wins: no move; expected a free point for the Rebels in hand",
        ],
    },
    Wrong {
        what: "one word for the places of both sides",
        edits: &[(Game, "opening", r#"opening = "1/r1r/3/rrr[Gr3]""#), (Game, "apex", r#"drops_on = ["a2", "b2"]"#)],
        says: &["game.toml:7: drops_on: there is no such key; "],
    },
    Wrong {
        what: "a misspelt drop",
        edits: &[(Game, "opening", r#"opening = "1/r1r/3/rrr[G]""#), (Game, "apex", r#"general_drop_on = ["b2"]"#)],
        says: &["game.toml:7: general_drop_on: there is no such key; did you mean general_drops_on?"],
    },
    Wrong {
        what: "a drop as a text",
        edits: &[(Game, "opening", r#"opening = "1/r1r/3/rrr[G]""#), (Game, "apex", r#"general_drops_on = "b2""#)],
        says: &[r#"game.toml:7: general_drops_on: found "b2"; expected ["b2"], a list of texts"#],
    },
    Wrong {
        what: "a number for waiting",
        edits: &[(Game, "opening", r#"opening = "1/r1r/1G1/rrr[r3]""#), (Game, "apex", "general_waits = 3")],
        says: &["game.toml:7: general_waits: found 3; expected true or false"],
    },
];
