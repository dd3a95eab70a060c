//! The fourteen games of RULES §6, written out.

use super::boards::{Board, board};

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Side {
    General,
    Rebels,
}

/// What standing on an apex point means (§4).
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
    SingleDiagonal,
    Multi,
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
    /// `None`: no attrition limit.
    pub rebels_at_most: Option<usize>,
    pub close_privy: bool,
}

impl Rules {
    pub fn board(&self) -> Board {
        board(self.board)
    }
}

/// A game with intervention, plain steps, privy closing and no other end; the variants below differ from it.
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
    rebels_at_most: None,
    close_privy: true,
};

/// §6: General c3, the 16 outer points of the field.
const RIM16: Rules = Rules { general: "c3", rebels: "a1 b1 c1 d1 e1 a2 e2 a3 e3 a4 e4 a5 b5 c5 d5 e5", ..PLAIN };

/// §6: as `RIM16` less c5, the Monk on c5.
const RIM15: Rules = Rules { general: "c5", rebels: "a1 b1 c1 d1 e1 a2 e2 a3 e3 a4 e4 a5 b5 d5 e5", ..PLAIN };

/// §6: files b, c, d except c5, the General on c5.
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

/// A game of §6 by its id.
pub fn rules(id: &str) -> Rules {
    *VARIANTS.iter().find(|rules| rules.id == id).unwrap_or_else(|| panic!("no variant {id}"))
}
