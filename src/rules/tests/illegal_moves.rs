//! The exact error text of every kind of illegal move.

use super::*;

const START: &str = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr";

/// The error text of a move in a position.
fn objection(id: &str, text: &str, move_: &str) -> String {
    match position(id, text).parse_move(None, move_) {
        Ok(_) => panic!("{id} {text}: {move_} is legal"),
        Err(error) => error.to_string(),
    }
}

fn check(rows: &[(&str, &str, &str, &str)]) {
    for (id, text, move_, expected) in rows {
        assert_eq!(objection(id, text, move_), *expected, "{move_} in {id} {text}");
    }
}

#[test]
fn objections_to_any_move() {
    check(&[
        ("sixteen-rebels", "1/1G1/rrrrr/5/5/5/5 g -", "c6-c7", "game over"),
        ("sixteen-rebels", &format!("{START} g"), "a1-b1", "general to move"),
        ("sixteen-rebels", &format!("{START} r"), "c3-b2", "rebels to move"),
        ("sixteen-rebels", &format!("{START} r"), "c3xe5", "rebels to move"),
        ("sixteen-rebels", &format!("{START} g"), "b4-c4", "b4 is empty"),
        ("sixteen-rebels", &format!("{START} g"), "f9-c4", "there is no point f9 on the board privy"),
        ("sixteen-rebels", &format!("{START} g"), "c3-f9", "there is no point f9 on the board privy"),
        ("sixteen-rebels", &format!("{START} g"), "c3~f9", "there is no point f9 on the board privy"),
        ("kings-gonu", "5/5/2G3/5/r4 g 3", "c3~f9", "there is no point f9 on the board gonu"),
        ("sixteen-rebels", &format!("{START} r"), "b5-b7", "there is no point b7 on the board privy"),
        (
            "sixteen-rebels",
            START,
            "c3+b2",
            "\"c3+b2\" is not a move: expected a form such as c3-b2, c3xe5xc5, c5:b5d5, c3~a1 or c3b2",
        ),
    ]);
}

#[test]
fn objections_to_steps() {
    let free = "1/3/rrrrr/5/2G2/5/5 g -";
    let nanking = "1/3/1rrr1/5/5/2G2/5/5/5/5/5 r";
    check(&[
        ("sixteen-rebels", "1/3/5/5/1rG2/5/rrrrr g", "c3-b3", "b3 is not empty"),
        ("sixteen-rebels", free, "c3-e4", "no line joins c3 and e4"),
        ("sixteen-rebels", &format!("{START} g"), "c3-c6", "c3 and c6 are not adjacent"),
        ("sixteen-rebels", free, "c3e4", "no line joins c3 and e4"),
        ("sixteen-rebels", free, "c3-c1", "c3 and c1 are not adjacent"),
        ("sixteen-rebels", &format!("{START} g"), "c3 c6", "c3 and c6 are not adjacent"),
        ("sixteen-rebels", &format!("{START} g"), "c3c5", "c3 and c5 are not adjacent"),
        ("sixteen-rebels", "1/3/rrrrr/4r/2G2/5/5 g -", "c3-e4", "no line joins c3 and e4"),
        ("sixteen-rebels", free, "c3-c3", "the move goes nowhere"),
        ("sixteen-rebels", free, "c3c3", "the move goes nowhere"),
        ("sixteen-rebels", &format!("{START} r"), "a1-a2", "a2 is not empty"),
        ("sixteen-rebels", &format!("{START} r"), "b1-c3", "no line joins b1 and c3"),
        ("sixteen-rebels", &format!("{START} r"), "b1-c2", "no line joins b1 and c2"),
        ("sixteen-rebels", &format!("{START} r"), "b1b3", "b1 and b3 are not adjacent"),
        ("sixteen-rebels", &format!("{START} r"), "b5-b6", "Rebels may not enter the privy (b6)"),
        ("sixteen-rebels", &format!("{START} r"), "b5b6", "Rebels may not enter the privy (b6)"),
        ("sixteen-rebels", &format!("{START} r"), "b1xb3", "Rebels only step"),
        ("sixteen-rebels", &format!("{START} r"), "b1~b3", "Rebels only step"),
        ("sixteen-rebels", &format!("{START} r"), "b1:a1c1", "Rebels only step"),
        ("subjugatio", nanking, "b9-b8", "Rebels may not step down (b9-b8)"),
        ("subjugatio", nanking, "b9b8", "Rebels may not step down (b9-b8)"),
        (
            "subjugatio-intervention",
            "1/3/1rrr1/rrrrr/rr3/2G2/5/5/5/5/5 r",
            "b9-b10",
            "Rebels may not enter the privy (b10)",
        ),
    ]);
}

#[test]
fn objections_to_slides_and_free_jumps() {
    let gonu = "5/2r2/2G3/5/2r2";
    check(&[
        ("kings-gonu", &format!("{gonu} g 3"), "c3-c5", "the way from c3 to c5 is not free"),
        ("kings-gonu", &format!("{gonu} g 0"), "c3c5", "the way from c3 to c5 is not free"),
        ("kings-gonu", &format!("{gonu} g 3"), "c3-d5", "no line joins c3 and d5"),
        ("kings-gonu", &format!("{gonu} g 3"), "c3d3", "ambiguous: c3-d3 c3~d3"),
        ("kings-gonu", &format!("{gonu} g 0"), "c3~d3", "no free jump is left"),
        ("kings-gonu", &format!("{gonu} g 1"), "c3~f3", "a free jump ends on the field, not on f3"),
        ("kings-gonu", &format!("{gonu} g 1"), "c3~c1", "c1 is not empty"),
        ("sixteen-rebels", &format!("{START} g"), "c3~b2", "there are no free jumps in this variant"),
    ]);
}

#[test]
fn objections_to_jumps() {
    // c3 may jump over c4 to c5 and on over d5 to e5, and over b3 to a3.
    let musashi = "3/3/3r1/2r2/1rG2/5/rr3 g -";
    let neeley = "1/3/5/1r1r1/2G2/1r1r1/5 g -";
    let beside = "1/3/5/5/2Gr1/5/5 g -";
    check(&[
        ("sixteen-rebels", &format!("{START} g"), "c3xe5", "there are no jumps in this variant"),
        ("juroku-musashi", musashi, "c3xc5", "the chain must go on from c5"),
        ("juroku-musashi", musashi, "c3c5", "the chain must go on from c5"),
        ("juroku-musashi", musashi, "c3-d3", "capture is compulsory"),
        ("juroku-musashi", musashi, "c3d3", "capture is compulsory"),
        ("juroku-musashi", musashi, "c3xe3", "no Rebel to jump over between c3 and e3"),
        ("juroku-musashi", musashi, "c3xc4", "c4 is not empty; a jump ends behind the Rebel that it takes"),
        ("juroku-musashi", musashi, "c3xe4", "no Rebel to jump over between c3 and e4"),
        ("juroku-musashi", musashi, "c3xc3", "the move goes nowhere"),
        ("juroku-musashi", musashi, "c3xc5xc3", "no Rebel to jump over between c5 and c3"),
        ("juroku-musashi", musashi, "c3xc5xe5xc5", "no Rebel to jump over between e5 and c5"),
        ("juroku-musashi", musashi, "c3xf9", "there is no point f9 on the board triangle"),
        ("juroku-musashi", "3/3/3r1/2r2/2G2/5/rr3 g -", "c3-c5", "c3 and c5 are not adjacent; a jump is written c3xc5"),
        ("sixteen-rebels-neeley", neeley, "c3xe3", "no Rebel to jump over between c3 and e3"),
        ("sixteen-rebels-neeley", beside, "c3xe3", "only diagonal jumps are allowed (c3xe3)"),
        ("sixteen-rebels-neeley", beside, "c3-e3", "only diagonal leaps are allowed (c3-e3)"),
        ("sixteen-rebels-neeley", neeley, "c3e5", "ambiguous: c3xe5 c3-e5"),
        ("sixteen-rebels-neeley", neeley, "c3xe5xc3", "a move has one jump only in this variant"),
        ("sixteen-rebels-neeley", "1/3/5/3r1/2G2/5/r4 g -", "c3-e1", "no Rebel to jump over between c3 and e1"),
        (
            "sixteen-rebels-neeley",
            "1/3/5/1r1r1/2r2/3r1/2G2 g -",
            "c1xe3xc5",
            "a move has one jump only in this variant",
        ),
    ]);
}

/// Where the General may stop anywhere, the beginning of a chain is a legal move.
#[test]
fn objections_to_jumps_that_may_stop() {
    // c3 may jump over c4 to c5 and on over d5 to e5, and over b3 to a3.
    let free = "3r1/2r2/1rG2/rr1rr/rrrrr g -";
    let legal = legal_texts(&position("catch-the-hare-12", free));
    assert_eq!(legal, ["c3-b4", "c3-c2", "c3-d3", "c3-d4", "c3xa3", "c3xc5", "c3xc5xe5"]);
    for (ends, meant) in [("c3c5", "c3xc5"), ("c3e5", "c3xc5xe5")] {
        let game = position("catch-the-hare-12", free);
        assert_eq!(game.move_text(&game.parse_move(None, ends).unwrap()), meant);
    }
    check(&[
        ("catch-the-hare-12", free, "c3xc5xc3", "no Rebel to jump over between c5 and c3"),
        ("catch-the-hare-12", free, "c3xc5xe5xc5", "no Rebel to jump over between e5 and c5"),
        ("catch-the-hare-12", free, "c3xc5xe5xe3", "no Rebel to jump over between e5 and e3"),
        ("catch-the-hare-12", free, "c3xe3", "no Rebel to jump over between c3 and e3"),
        ("catch-the-hare-12", free, "c3xc4", "c4 is not empty; a jump ends behind the Rebel that it takes"),
        ("catch-the-hare-12", free, "c3xc5xc5", "the move goes nowhere"),
        ("catch-the-hare-12", free, "c3-c5", "c3 and c5 are not adjacent; a jump is written c3xc5"),
        ("catch-the-hare-12", free, "c3-e5", "c3 and e5 are not adjacent"),
        ("catch-the-hare-12", free, "c3e3", "c3 and e3 are not adjacent"),
        ("orissa-tiger", "3/3/3r1/2r2/1rG2/5/rr3 g -", "c3xc5xe5", "a move has one jump only in this variant"),
    ]);
}

#[test]
fn objections_to_static_intervention() {
    let corner = "1/3/Gr3/r4/1r3/5/5/2rrr/2rr1/2r2/2r2 g -";
    check(&[
        ("sixteen-rebels", "1/3/5/5/1rGr1/5/rrr2 g", "c3:b3d3", "there are no static interventions in this variant"),
        ("subjugatio", "1/3/5/5/5/2r2/1rGr1/5/5/5/5 g", "c5:b5d5", "the General is not surrounded: c4 holds no Rebel"),
        ("subjugatio", corner, "a9:a8c9", "a8 and c9 are not a pair of Rebels in line with a9"),
        ("subjugatio", corner, "a9:a8f9", "there is no point f9 on the board nanking"),
        ("subjugatio", corner, "a9-b8", "no line joins a9 and b8"),
        (
            "subjugatio-intervention",
            "1/3/rrrrr/r3r/5/2r2/1rGr1/5/5/5/5 g",
            "c5:b5c6",
            "b5 and c6 are not a pair of Rebels in line with c5",
        ),
        ("subjugatio-intervention", "1/3/rrrrr/r3r/5/2r2/1rGr1/5/5/5/5 g", "c5-c4", "capture is compulsory"),
        ("subjugatio-intervention", "1/3/rrrrr/r3r/5/2r2/1rGr1/5/5/5/5 g", "c5c4", "capture is compulsory"),
    ]);
}

/// Two cyclic chains, in opposite directions.
#[test]
fn chains_with_the_same_ends_are_ambiguous() {
    let round = "3/3/5/1r1r1/5/1r1r1/2G2 g -";
    let ways = position("juroku-musashi", round);
    assert_eq!(legal_texts(&ways), ["c1xa3xc5xe3xc1", "c1xe3xc5xa3xc1"]);
    check(&[
        ("juroku-musashi", round, "c1c1", "ambiguous: c1xa3xc5xe3xc1 c1xe3xc5xa3xc1"),
        ("juroku-musashi", round, "c1c5", "the chain must go on from c5"),
        ("juroku-musashi", round, "c1xa3xc5", "the chain must go on from c5"),
        ("juroku-musashi", round, "c1-c2", "capture is compulsory"),
    ]);
}
