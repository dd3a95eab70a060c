//! Invalid words about steps, closed points and ends.

use super::File::{Board, Game};
use super::Wrong;

pub(super) const WRONG: &[Wrong] = &[
    Wrong {
        what: "a misspelt direction",
        edits: &[(Game, "apex", r#"forward = "straigt""#)],
        says: &[
            r#"game.toml:7: forward: found "straigt"; expected true, false, "only" or "straight"; did you mean straight?"#,
        ],
    },
    Wrong {
        what: "a number for forward",
        edits: &[(Game, "apex", "forward = 1")],
        says: &[r#"game.toml:7: forward: found 1; expected true, false, "only" or "straight""#],
    },
    Wrong {
        what: "true for a side",
        edits: &[(Game, "apex", "orthogonal_steps = true")],
        says: &[r#"game.toml:7: orthogonal_steps: found true; expected "none", "general", "rebels" or "both""#],
    },
    Wrong {
        what: "one Rebel for a side",
        edits: &[(Game, "apex", r#"orthogonal_steps = "rebel""#)],
        says: &[
            r#"game.toml:7: orthogonal_steps: found "rebel"; expected "none", "general", "rebels" or "both"; did you mean rebels?"#,
        ],
    },
    Wrong {
        what: "Rebels with nothing above them",
        edits: &[
            (Game, "opening", r#"opening = "1/rrr/1G1/3""#),
            (Game, "first", r#"first = "rebels""#),
            (Game, "apex", r#"forward = "only""#),
        ],
        says: &[
            "game.toml:4: opening: the game is over before the first move: general wins: no move; expected a free point above a Rebel",
        ],
    },
    Wrong {
        what: "Rebels with nothing straight above them",
        edits: &[
            (Game, "opening", r#"opening = "1/rrr/1G1/3""#),
            (Game, "first", r#"first = "rebels""#),
            (Game, "apex", r#"forward = "straight""#),
        ],
        says: &[
            "game.toml:4: opening: the game is over before the first move: general wins: no move; expected a free point straight above a Rebel",
        ],
    },
    Wrong {
        what: "a row of jumps without a jump",
        edits: &[(Game, "apex", r#"jump_rows = "odd""#)],
        says: &["game.toml:7: jump_rows: there is no jump over a row; expected jump beside it"],
    },
    Wrong {
        what: "an even row",
        edits: &[(
            Game,
            "apex",
            r#"jump = "single"
jump_rows = "even""#,
        )],
        says: &[r#"game.toml:8: jump_rows: found "even"; expected "one" or "odd""#],
    },
    Wrong {
        what: "a General that never stands where it begins",
        edits: &[(Game, "apex", r#"general_never_on = ["b2"]"#)],
        says: &[
            "game.toml:4: opening: found the General on b2, a point of general_never_on; expected G on another point",
        ],
    },
    Wrong {
        what: "a Rebel that never stands where it begins",
        edits: &[(Game, "apex", r#"rebels_never_on = ["a1"]"#)],
        says: &["game.toml:4: opening: Rebels may not stand on a1, a point of rebels_never_on; expected none there"],
    },
    Wrong {
        what: "a goal where the General never goes",
        edits: &[(
            Game,
            "apex",
            r#"goal = ["c2"]
general_never_on = ["c2"]"#,
        )],
        says: &[r#"game.toml:8: general_never_on: found "c2", a point of goal too; expected other points"#],
    },
    Wrong {
        what: "a trap where the General never goes",
        edits: &[(
            Game,
            "apex",
            r#"general_loses_on = ["c2"]
general_never_on = ["c2"]"#,
        )],
        says: &[r#"game.toml:8: general_never_on: found "c2", a point of general_loses_on too; expected other points"#],
    },
    Wrong {
        what: "a General closed in by points where it never goes",
        edits: &[
            (Game, "opening", r#"opening = "1/3/1G1/rrr""#),
            (Game, "apex", r#"general_never_on = ["a2", "c2", "b3"]"#),
        ],
        says: &[
            "game.toml:4: opening: the game is over before the first move: rebels win: no move; expected a free point beside the General",
        ],
    },
    Wrong {
        what: "a goal that loses",
        edits: &[(
            Game,
            "apex",
            r#"goal = ["a2", "c2"]
general_loses_on = ["c2"]"#,
        )],
        says: &[r#"game.toml:8: general_loses_on: found "c2", a point of goal too; expected other points"#],
    },
    Wrong {
        what: "a trap where the General begins",
        edits: &[(Game, "apex", r#"general_loses_on = ["b2"]"#)],
        says: &[
            "game.toml:4: opening: with the General on b2 the game is over before the first move: rebels win: trap; expected G on another point",
        ],
    },
    Wrong {
        what: "a trap that is a number",
        edits: &[(Game, "apex", "general_loses_on = [2]")],
        says: &["game.toml:7: general_loses_on: found 2; expected a text in quotes"],
    },
    Wrong {
        what: "a return to no goal",
        edits: &[(Game, "apex", "goal_on_return = true")],
        says: &["game.toml:7: goal_on_return: there is no goal; expected goal beside it"],
    },
    Wrong {
        what: "a return to a goal where the General does not begin",
        edits: &[(
            Game,
            "apex",
            r#"goal = ["c2"]
goal_on_return = true"#,
        )],
        says: &["game.toml:8: goal_on_return: the General begins on no point of goal; expected G on one"],
    },
    Wrong {
        what: "a return of a General in hand",
        edits: &[
            (Game, "opening", r#"opening = "1/r1r/3/rrr[G]""#),
            (
                Game,
                "apex",
                r#"goal = ["c2"]
goal_on_return = true"#,
            ),
        ],
        says: &["game.toml:8: goal_on_return: the General begins on no point of goal; expected G on one"],
    },
    Wrong {
        what: "a General past the Rebels, which move first",
        edits: &[
            (Game, "opening", r#"opening = "1/r1r/r1r/1G1""#),
            (Game, "first", r#"first = "rebels""#),
            (Game, "apex", "past_rebels = true"),
        ],
        says: &[
            "game.toml:4: opening: with the General on b1 the game is over before the first move: general wins: past; expected G on another point",
        ],
    },
    Wrong {
        what: "a General past the Rebels, which moves first",
        edits: &[(Game, "opening", r#"opening = "1/r1r/r1r/1G1""#), (Game, "apex", "past_rebels = true")],
        says: &[
            "game.toml:4: opening: the game is over before the first move: general wins: past; expected an opening from which the game goes on",
        ],
    },
    Wrong {
        what: "a point for past",
        edits: &[(Game, "apex", r#"past_rebels = ["a2"]"#)],
        says: &["game.toml:7: past_rebels: found a list; expected true or false"],
    },
    Wrong {
        what: "a goal that the Rebels hold",
        edits: &[(Game, "apex", r#"rebels_goal = ["a1", "b1"]"#)],
        says: &[
            "game.toml:4: opening: the game is over before the first move: rebels win: goal; expected an opening from which the game goes on",
        ],
    },
    Wrong {
        what: "a goal that the Rebels hold when they begin",
        edits: &[(Game, "first", r#"first = "rebels""#), (Game, "apex", r#"rebels_goal = ["a1", "b1"]"#)],
        says: &[
            "game.toml:4: opening: the game is over before the first move: rebels win: goal; expected an opening from which the game goes on",
        ],
    },
    Wrong {
        what: "a point that a Rebel has reached",
        edits: &[(Game, "first", r#"first = "rebels""#), (Game, "apex", r#"rebels_reach = ["b3", "c3"]"#)],
        says: &[
            "game.toml:4: opening: the game is over before the first move: rebels win: goal; expected an opening from which the game goes on",
        ],
    },
    Wrong {
        what: "a goal where Rebels never go",
        edits: &[(
            Game,
            "apex",
            r#"rebels_goal = ["a2", "c2"]
rebels_never_on = ["c2"]"#,
        )],
        says: &[r#"game.toml:7: rebels_goal: found "c2", a point of rebels_never_on too; expected other points"#],
    },
    Wrong {
        what: "a point to reach where Rebels never go",
        edits: &[(
            Game,
            "apex",
            r#"rebels_reach = ["a2", "c2"]
rebels_never_on = ["c2"]"#,
        )],
        says: &[r#"game.toml:7: rebels_reach: found "c2", a point of rebels_never_on too; expected other points"#],
    },
    Wrong {
        what: "a goal of Rebels in the privy",
        edits: &[(Game, "apex", r#"rebels_goal = ["b4"]"#)],
        says: &[
            r#"game.toml:7: rebels_goal: found "b4", a point of the privy; expected points of the field, or enter_privy = true"#,
        ],
    },
    Wrong {
        what: "a point to reach in the privy",
        edits: &[(Game, "apex", r#"rebels_reach = ["b4"]"#)],
        says: &[
            r#"game.toml:7: rebels_reach: found "b4", a point of the privy; expected points of the field, or enter_privy = true"#,
        ],
    },
    Wrong {
        what: "a goal of more points than there are Rebels",
        edits: &[(Game, "apex", r#"rebels_goal = ["a1", "b1", "c1", "a2", "c2", "a3"]"#)],
        says: &["game.toml:7: rebels_goal: found 6 points, but the opening has 5 Rebels; expected at most 5"],
    },
    Wrong {
        what: "a goal of Rebels that does not exist",
        edits: &[(Game, "apex", r#"rebels_goal = ["a9"]"#)],
        says: &[r#"game.toml:7: rebels_goal: found "a9"; expected points of the board"#],
    },
    Wrong {
        what: "a misspelt goal of Rebels",
        edits: &[(Game, "apex", r#"rebel_goal = ["a2"]"#)],
        says: &["game.toml:7: rebel_goal: there is no such key; did you mean rebels_goal?"],
    },
    Wrong {
        what: "a side without a move, in one word",
        edits: &[(Game, "apex", r#"no_move = "pass""#)],
        says: &[r#"game.toml:7: no_move: found "pass"; expected { general = "pass", rebels = "pass" }"#],
    },
    Wrong {
        what: "a side that does not exist without a move",
        edits: &[(Game, "apex", r#"no_move = { general = "pass", rebel = "pass" }"#)],
        says: &["game.toml:7: no_move.rebel: there is no such key; did you mean rebels?"],
    },
    Wrong {
        what: "an end that does not exist without a move",
        edits: &[(Game, "apex", r#"no_move = { rebels = "lose" }"#)],
        says: &[r#"game.toml:7: no_move.rebels: found "lose"; expected "loss", "draw", "win" or "pass""#],
    },
    Wrong {
        what: "a winner without a move",
        edits: &[(Game, "apex", r#"no_move = { rebels = "general" }"#)],
        says: &[r#"game.toml:7: no_move.rebels: found "general"; expected "loss", "draw", "win" or "pass""#],
    },
    Wrong {
        what: "a blocked General that draws at once",
        edits: &[
            (Game, "opening", r#"opening = "1/1r1/rGr/1r1""#),
            (Game, "apex", r#"no_move = { general = "draw" }"#),
        ],
        says: &[
            "game.toml:4: opening: the game is over before the first move: draw: no move; expected a free point beside the General",
        ],
    },
    Wrong {
        what: "rows of jumps whose jump is taken back",
        edits: &[
            (
                Game,
                "*",
                r#"id = "own"
title = "Own"
extends = "board.toml"
jump = "none"
"#,
            ),
            (
                Board,
                "*",
                r#"id = "other"
title = "Other"
board = "privy"
opening = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr"
first = "general"
jump = "multi"
jump_rows = "odd"
"#,
            ),
        ],
        says: &[
            "game.toml:3: extends: inherited from board.toml:7: jump_rows: there is no jump over a row; expected jump beside it",
        ],
    },
    Wrong {
        what: "a hand that is taken back without the words about it",
        edits: &[
            (
                Game,
                "*",
                r#"id = "own"
title = "Own"
extends = "board.toml"
opening = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr"
"#,
            ),
            (
                Board,
                "*",
                r#"id = "other"
title = "Other"
board = "privy"
opening = "1/3/rrrrr/r3r/r3r/r3r/rrrrr[Gr2]"
first = "general"
general_waits = true
general_drops_on = ["c3"]
"#,
            ),
        ],
        says: &[
            "game.toml:3: extends: inherited from board.toml:7: general_drops_on: no General is in hand; expected [G]",
            "game.toml:3: extends: inherited from board.toml:6: general_waits: no Rebel is in hand; expected [r8]",
        ],
    },
    Wrong {
        what: "a list of points that is taken back by a word",
        edits: &[(Game, "apex", r#"goal = "none""#)],
        says: &[r#"game.toml:7: goal: found "none"; expected a list of texts, such as ["a", "b"], or []"#],
    },
    Wrong {
        what: "rows of jumps that are taken back by a word of others",
        edits: &[(Game, "apex", r#"jump_rows = "none""#)],
        says: &[r#"game.toml:7: jump_rows: found "none"; expected "one" or "odd""#],
    },
    Wrong {
        what: "forward that is taken back by a word of others",
        edits: &[(Game, "apex", r#"forward = "none""#)],
        says: &[r#"game.toml:7: forward: found "none"; expected true, false, "only" or "straight""#],
    },
    Wrong {
        what: "steps that are taken back by a word of others",
        edits: &[(Game, "apex", r#"orthogonal_steps = "any""#)],
        says: &[r#"game.toml:7: orthogonal_steps: found "any"; expected "none", "general", "rebels" or "both""#],
    },
];
