//! The fourteen games of RULES §6 and the thirteen relatives, written out.

use super::boards::{Board, board};

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Side {
    General,
    Rebels,
}

/// The effect of an apex point (§4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apex {
    None,
    General,
    Rebels,
    Return,
}

/// Static intervention (§2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Static {
    None,
    Surrounded,
    Any,
}

/// Capturing jumps (§2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    None,
    Single,
    SingleDiagonal,
    Multi,
    /// As `Multi`, but the General may stop on any landing.
    Free,
}

/// The rules of one game.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub id: &'static str,
    pub board: &'static str,
    pub general: &'static str,
    pub rebels: &'static str,
    pub first: Side,
    // The General's captures.
    pub intervention: bool,
    pub deferred: bool,
    pub statics: Static,
    pub jump: Jump,
    pub diagonal_leap: bool,
    pub orthogonal: bool,
    pub compulsory: bool,
    // The General's other moves.
    pub slide: bool,
    pub free_jumps: u8,
    // The Rebels.
    pub custodial: bool,
    pub forward: bool,
    pub rebels_enter_privy: bool,
    // The end.
    pub apex: Apex,
    pub bottom: bool,
    /// Points on which the General wins.
    pub goal: &'static [&'static str],
    /// The winner by the third occurrence of a placement; `None`: a draw.
    pub by_repetition: Option<Side>,
    /// The limit of plies without capture, and its winner if it is not a draw; `None`: no limit.
    pub quiet_limit: Option<(u32, Option<Side>)>,
    /// `None`: no attrition limit.
    pub rebels_at_most: Option<usize>,
    pub close_privy: bool,
}

impl Rules {
    pub fn board(&self) -> Board {
        board(self.board)
    }
}

/// Intervention, plain steps, privy closing and no other end: the base of the variants below.
const PLAIN: Rules = Rules {
    id: "",
    board: "",
    general: "",
    rebels: "",
    first: Side::General,
    intervention: true,
    deferred: false,
    statics: Static::None,
    jump: Jump::None,
    diagonal_leap: false,
    orthogonal: false,
    compulsory: false,
    slide: false,
    free_jumps: 0,
    custodial: false,
    forward: false,
    rebels_enter_privy: false,
    apex: Apex::None,
    bottom: false,
    goal: &[],
    by_repetition: None,
    quiet_limit: None,
    rebels_at_most: None,
    close_privy: true,
};

/// §6: General c3, the 16 outer points of the field.
const RIM16: Rules = Rules { general: "c3", rebels: "a1 b1 c1 d1 e1 a2 e2 a3 e3 a4 e4 a5 b5 c5 d5 e5", ..PLAIN };

/// §6: as `RIM16` without c5; the Monk is on c5.
const RIM15: Rules = Rules { general: "c5", rebels: "a1 b1 c1 d1 e1 a2 e2 a3 e3 a4 e4 a5 b5 d5 e5", ..PLAIN };

/// §6: files b, c, d except c5; the General is on c5.
const FILES26: Rules = Rules {
    board: "nanking",
    general: "c5",
    rebels: "b1 b2 b3 b4 b5 b6 b7 b8 b9 c1 c2 c3 c4 c6 c7 c8 c9 d1 d2 d3 d4 d5 d6 d7 d8 d9",
    ..PLAIN
};

/// §6: rows 1, 2, 4, 5, the King on f3.
const GONU20: Rules = Rules {
    board: "gonu",
    general: "f3",
    rebels: "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 a4 b4 c4 d4 e4 a5 b5 c5 d5 e5",
    ..PLAIN
};

pub const VARIANTS: [Rules; 14] = [
    Rules { id: "sixteen-rebels", board: "privy", apex: Apex::General, rebels_at_most: Some(4), ..RIM16 },
    Rules { id: "sixteen-rebels-murray", board: "privy", custodial: true, rebels_at_most: Some(0), ..RIM16 },
    Rules {
        id: "sixteen-rebels-neeley",
        board: "privy",
        jump: Jump::SingleDiagonal,
        diagonal_leap: true,
        custodial: true,
        rebels_at_most: Some(0),
        ..RIM16
    },
    Rules { id: "shap-luk-kon", board: "privy", custodial: true, apex: Apex::Return, rebels_at_most: Some(1), ..RIM16 },
    Rules {
        id: "shap-luk-kon-2",
        board: "privy-open",
        custodial: true,
        apex: Apex::Return,
        rebels_at_most: Some(1),
        ..RIM16
    },
    Rules { id: "twenty-six-murray", custodial: true, rebels_at_most: Some(0), ..FILES26 },
    Rules {
        id: "subjugatio",
        intervention: false,
        deferred: true,
        statics: Static::Surrounded,
        orthogonal: true,
        forward: true,
        rebels_enter_privy: true,
        apex: Apex::Rebels,
        bottom: true,
        close_privy: false,
        ..FILES26
    },
    Rules {
        id: "subjugatio-free",
        intervention: false,
        deferred: true,
        statics: Static::Surrounded,
        orthogonal: true,
        rebels_enter_privy: true,
        apex: Apex::Rebels,
        rebels_at_most: Some(8),
        close_privy: false,
        ..FILES26
    },
    Rules {
        id: "subjugatio-intervention",
        statics: Static::Any,
        orthogonal: true,
        compulsory: true,
        forward: true,
        bottom: true,
        rebels_at_most: Some(8),
        ..FILES26
    },
    Rules {
        id: "yeung-luk",
        intervention: false,
        jump: Jump::Multi,
        compulsory: true,
        apex: Apex::Return,
        rebels_at_most: Some(0),
        ..FILES26
    },
    Rules {
        id: "juroku-musashi",
        board: "triangle",
        intervention: false,
        jump: Jump::Multi,
        compulsory: true,
        apex: Apex::Return,
        rebels_at_most: Some(0),
        ..RIM16
    },
    Rules { id: "juroku-musashi-hasami", board: "triangle-crossed", rebels_at_most: Some(4), ..RIM16 },
    Rules {
        id: "monk-and-water",
        board: "cloister",
        first: Side::Rebels,
        apex: Apex::General,
        rebels_at_most: Some(5),
        ..RIM15
    },
    Rules { id: "kings-gonu", slide: true, free_jumps: 3, rebels_at_most: Some(0), close_privy: false, ..GONU20 },
];

/// A relative with steps only, which ends only for lack of moves.
const KIN: Rules = Rules { intervention: false, close_privy: false, ..PLAIN };

/// The triangle as the General's lair; the Rebels may enter it.
const LAIR: Rules = Rules { board: "triangle", rebels_enter_privy: true, ..KIN };

/// Rows 1 and 2 of five files.
const ROWS_1_2: &str = "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2";

/// The two rows farthest from the triangle and the ends of the third row; the General is in the middle of the triangle.
const LAIR12: Rules = Rules { general: "c6", rebels: "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 a3 e3", ..LAIR };

/// The same twelve Rebels; the General is in the middle of the third row and the Rebels begin.
const ALQUERQUE12: Rules =
    Rules { board: "alquerque", general: "c3", rebels: LAIR12.rebels, first: Side::Rebels, ..KIN };

/// The games of other families, in the order of the engine.
pub const RELATIVES: [Rules; 13] = [
    // The Jaguar wins with five of fourteen Dogs captured.
    Rules {
        id: "adugo",
        general: "c3",
        rebels: "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 a3 b3 d3 e3",
        jump: Jump::Free,
        rebels_at_most: Some(9),
        ..LAIR
    },
    // The Jaguar wins when six of fifteen Dogs are left.
    Rules {
        id: "yaguarete-kora",
        general: "c7",
        rebels: "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 a3 b3 c3 d3 e3",
        jump: Jump::Single,
        rebels_at_most: Some(6),
        ..LAIR
    },
    Rules { id: "komikan", jump: Jump::Free, rebels_at_most: Some(0), ..LAIR12 },
    Rules { id: "orissa-tiger", jump: Jump::Single, rebels_at_most: Some(0), ..LAIR12 },
    Rules { id: "coyote", jump: Jump::Multi, compulsory: true, rebels_at_most: Some(0), ..ALQUERQUE12 },
    Rules { id: "catch-the-hare-12", jump: Jump::Free, rebels_at_most: Some(9), ..ALQUERQUE12 },
    Rules { id: "catch-the-hare-10", rebels: ROWS_1_2, jump: Jump::Free, rebels_at_most: Some(9), ..ALQUERQUE12 },
    Rules {
        id: "fox-and-geese-13",
        board: "cross-33-diagonals",
        general: "d4",
        rebels: "c1 d1 e1 c2 d2 e2 a3 b3 c3 d3 e3 f3 g3",
        first: Side::Rebels,
        jump: Jump::Free,
        rebels_at_most: Some(3),
        ..KIN
    },
    Rules {
        id: "fox-and-geese-17",
        board: "cross-33",
        general: "d4",
        rebels: "c1 d1 e1 c2 d2 e2 a3 b3 c3 d3 e3 f3 g3 a4 b4 f4 g4",
        jump: Jump::Free,
        forward: true,
        rebels_at_most: Some(6),
        ..KIN
    },
    Rules {
        id: "wolf-and-sheep",
        board: "chessboard-dark",
        general: "d8",
        rebels: "a1 c1 e1 g1",
        forward: true,
        bottom: true,
        ..KIN
    },
    Rules {
        id: "hare-and-hounds",
        board: "hare-11",
        general: "b5",
        rebels: "b1 a2 c2",
        first: Side::Rebels,
        forward: true,
        goal: &["b1"],
        by_repetition: Some(Side::General),
        ..KIN
    },
    // Only the General enters the triangle, and may be confined there.
    Rules {
        id: "juroku-musashi-culin",
        board: "triangle-crossed",
        intervention: false,
        jump: Jump::Single,
        rebels_at_most: Some(0),
        ..RIM16
    },
    // Files b, c, d except the General's point. The General wins at the tip of its camp.
    Rules {
        id: "rebels-5x7",
        board: "rebels-5x7",
        general: "c4",
        rebels: "b1 b2 b3 b4 b5 b6 b7 c1 c2 c3 c5 c6 c7 d1 d2 d3 d4 d5 d6 d7",
        jump: Jump::Single,
        apex: Apex::General,
        rebels_at_most: Some(3),
        ..KIN
    },
];

/// A game of §6 or a relative by its id.
pub fn rules(id: &str) -> Rules {
    let mut all = VARIANTS.iter().chain(&RELATIVES);
    *all.find(|rules| rules.id == id).unwrap_or_else(|| panic!("no variant {id}"))
}
