//! The keys of a variant file.
//!
//! Error texts, the files that `privy variants new` writes, and the table of `docs/VARIANTS.md` follow from this list. A test compares
//! it with [`RuleSet`](super::rule_set::RuleSet).

use crate::toml_file::{Key, Kind};

/// The keys that are not rule words.
pub(crate) const HEADING: [&str; 6] = ["id", "title", "notes", "extends", "board", "opening"];

/// The keys that are not inherited from the extended file.
pub(super) const OWN: [&str; 4] = ["id", "title", "notes", "extends"];

const fn flag(name: &'static str, meaning: &'static str) -> Key {
    Key::optional(name, Kind::Flag, "true", meaning)
}

const MOVE_LIMIT: &[Key] = &[
    Key::required("plies", Kind::Number(1, 1_000), "80", "The number of plies without capture that ends the game."),
    Key::optional("winner", Kind::Word(&["draw", "general", "rebels"]), "\"rebels\"", "Who has won then."),
];

/// All keys, in the order of the documentation.
pub(crate) const KEYS: &[Key] = &[
    Key::required("id", Kind::Text, "\"my-game\"", "Its name in texts: at most 64 lower case letters, digits and `-`."),
    Key::required("title", Kind::Text, "\"My Game\"", "Its name for people."),
    Key::optional("notes", Kind::Texts, "[\"After a rainy Sunday.\"]", "Sources, readings."),
    Key::optional(
        "extends",
        Kind::Text,
        "\"sixteen-rebels\"",
        "Another game, by id or file: what this file leaves out is as there.",
    ),
    Key::required("board", Kind::Text, "\"privy\"", "A built-in board, or a board file beside this file."),
    Key::required(
        "opening",
        Kind::Text,
        "\"1/3/rrrrr/r3r/r1G1r/r3r/rrrrr\"",
        "Rows from the top: `r` Rebel, `G` General, numbers for empty points.",
    ),
    Key::required("first", Kind::Word(&["general", "rebels"]), "\"general\"", "Who moves first."),
    flag("intervention", "The General arrives between two Rebels in line and takes them; several pairs at once."),
    flag(
        "deferred",
        "A General that stood between two Rebels and steps away at a right angle to their line takes them.",
    ),
    Key::optional(
        "static",
        Kind::Word(&["none", "surrounded", "any"]),
        "\"surrounded\"",
        "The General stays and takes a pair in line with it: only when every adjacent point holds a Rebel (in a corner the two neighbours \
         are the pair), or whenever there is such a pair.",
    ),
    flag("orthogonal", "Only pairs on orthogonal lines are taken. Custodial capture and jumps are not narrowed."),
    Key::optional(
        "jump",
        Kind::Word(&["none", "single", "multi", "free"]),
        "\"multi\"",
        "The General takes a Rebel by leaping over it to the empty point behind; `multi` must go on as long as a jump is possible, `free` may \
         stop at any landing. A jump never intervenes.",
    ),
    Key::optional("jump_lines", Kind::Word(&["any", "diagonal"]), "\"diagonal\"", "Jumps along diagonal lines alone."),
    Key::optional(
        "leap",
        Kind::Word(&["none", "any", "diagonal"]),
        "\"any\"",
        "The General leaps over a Rebel, which stays.",
    ),
    flag("slide", "The General goes any distance along a line of empty points."),
    Key::optional(
        "free_jumps",
        Kind::Number(0, 9),
        "3",
        "How many times in a game the General may go to any empty field point.",
    ),
    flag("compulsory", "The General must capture if it can."),
    flag("forward", "Rebels step up or sideways, never down."),
    flag("enter_privy", "Rebels may enter the privy."),
    flag(
        "custodial",
        "A Rebel that moves to the General's other side, in line with it and another Rebel, captures it.",
    ),
    Key::optional(
        "apex",
        Kind::Word(&["none", "general", "rebels", "return"]),
        "\"general\"",
        "The General wins on an apex point; loses there; wins when it has been there and is back on the field.",
    ),
    Key::optional(
        "bottom",
        Kind::Word(&["none", "general"]),
        "\"general\"",
        "The General wins on the field's points in row 1.",
    ),
    Key::optional(
        "goal",
        Kind::Texts,
        "[\"b1\"]",
        "The General wins on these points, besides those of `apex` and `bottom`.",
    ),
    Key::optional(
        "repetition",
        Kind::Word(&["draw", "general", "rebels"]),
        "\"general\"",
        "Who wins when a position occurs for the third time; `draw`: neither side.",
    ),
    Key::optional(
        "move_limit",
        Kind::GroupOrNone(MOVE_LIMIT),
        "{ plies = 80, winner = \"rebels\" }",
        "The game is over after `plies` plies (1 to 1000) without capture, both sides counted. `winner` is `\"general\"` or `\"rebels\"`; without it \
         the game is a draw. The plies without capture of a set position count.",
    ),
    Key::optional(
        "rebels_at_most",
        Kind::NumberOrNone(0, 63),
        "4",
        "The General wins when at most this number of Rebels is left.",
    ),
    flag(
        "close_privy",
        "The Rebels win when the General is in the privy and every exit holds a Rebel, unless a jump over an exit leads out.",
    ),
];
