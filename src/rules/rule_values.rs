//! The values of rule words.

use serde::{Deserialize, Serialize};

use crate::toml_file::{Key, Kind};

use super::Side;

/// Declares rules that are one of several words, the first of which adds no rule.
macro_rules! choices {
    ($($(#[$about:meta])* $name:ident {
        $(#[$first_about:meta])* $first:ident $first_word:literal,
        $($(#[$variant_about:meta])* $variant:ident $word:literal,)*
    })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
        pub enum $name {
            $(#[$first_about])*
            #[default]
            #[serde(rename = $first_word)]
            $first,
            $($(#[$variant_about])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            pub(super) const WORDS: &'static [&'static str] = &[$first_word, $($word),*];
        }
    )*};
}

choices! {
    /// Static intervention: the General stays and removes a pair.
    StaticRule {
        /// Absent.
        None "none",
        /// Only when every adjacent point holds a Rebel; in a corner the two neighbours are the pair.
        Surrounded "surrounded",
        /// Whenever there is a pair in line with the General.
        Any "any",
    }

    /// Capture by jumping.
    JumpRule {
        /// Absent.
        None "none",
        /// One jump a move.
        Single "single",
        /// The move continues as long as a jump is possible.
        Multi "multi",
        /// The move continues as long as the General likes and a jump is possible.
        Free "free",
    }

    /// The lines along which the General jumps.
    JumpLines {
        /// All lines.
        Any "any",
        /// Diagonal lines only.
        Diagonal "diagonal",
    }

    /// A leap over a Rebel without capture.
    LeapRule {
        /// Absent.
        None "none",
        /// Along all lines.
        Any "any",
        /// Along diagonal lines only.
        Diagonal "diagonal",
    }

    /// The effect of the General on an apex point.
    ApexRule {
        /// None.
        None "none",
        /// The General wins.
        General "general",
        /// The Rebels win.
        Rebels "rebels",
        /// The General wins when it stands on the field again.
        Return "return",
    }

    /// The effect of the General on row 1.
    BottomRule {
        /// None.
        None "none",
        /// The General wins.
        General "general",
    }

    /// The sides that step along orthogonal lines alone.
    OrthogonalSteps {
        /// Neither.
        None "none",
        /// The General.
        General "general",
        /// The Rebels.
        Rebels "rebels",
        /// Both.
        Both "both",
    }

    /// What a jump goes over.
    JumpRows {
        /// One Rebel.
        One "one",
        /// An unbroken row of Rebels, an odd number of them.
        Odd "odd",
    }

    /// What a side without a legal move has.
    NoMove {
        /// It has lost.
        Loss "loss",
        /// The game is a draw.
        Draw "draw",
        /// It has won.
        Win "win",
        /// It passes, and the game goes on.
        Pass "pass",
    }

    /// The winner of a game that ends by repetition or by a limit of plies without capture.
    StandoffRule {
        /// A draw.
        Draw "draw",
        /// The General.
        General "general",
        /// The Rebels.
        Rebels "rebels",
    }
}

impl StandoffRule {
    /// The side that wins; `None` in a draw.
    pub fn winner(self) -> Option<Side> {
        match self {
            StandoffRule::Draw => None,
            StandoffRule::General => Some(Side::General),
            StandoffRule::Rebels => Some(Side::Rebels),
        }
    }

    /// The sentence about an end: a draw by its noun, a win by its time.
    pub(super) fn sentence(self, draw: &str, win: &str) -> String {
        match self {
            StandoffRule::Draw => format!("A {draw} is a draw."),
            StandoffRule::General => format!("The General also wins {win}."),
            StandoffRule::Rebels => format!("The Rebels also win {win}."),
        }
    }
}

/// How Rebels may step towards the privy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(from = "ForwardValue", into = "ForwardValue")]
pub enum ForwardRule {
    /// In any direction.
    #[default]
    Any,
    /// Up or sideways.
    NeverBack,
    /// Up alone.
    Only,
    /// Up alone, along the file.
    Straight,
}

impl ForwardRule {
    pub(super) const WORDS: &'static [&'static str] = &["only", "straight"];
}

/// The value in a file.
#[derive(Deserialize, Serialize)]
#[serde(untagged)]
enum ForwardValue {
    Flag(bool),
    Word(ForwardWord),
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum ForwardWord {
    Only,
    Straight,
}

impl From<ForwardValue> for ForwardRule {
    fn from(value: ForwardValue) -> ForwardRule {
        match value {
            ForwardValue::Flag(false) => ForwardRule::Any,
            ForwardValue::Flag(true) => ForwardRule::NeverBack,
            ForwardValue::Word(ForwardWord::Only) => ForwardRule::Only,
            ForwardValue::Word(ForwardWord::Straight) => ForwardRule::Straight,
        }
    }
}

impl From<ForwardRule> for ForwardValue {
    fn from(rule: ForwardRule) -> ForwardValue {
        match rule {
            ForwardRule::Any => ForwardValue::Flag(false),
            ForwardRule::NeverBack => ForwardValue::Flag(true),
            ForwardRule::Only => ForwardValue::Word(ForwardWord::Only),
            ForwardRule::Straight => ForwardValue::Word(ForwardWord::Straight),
        }
    }
}

/// What each side has that has no legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct NoMoveRule {
    /// The General.
    #[serde(skip_serializing_if = "is_neutral")]
    pub general: NoMove,
    /// The Rebels.
    #[serde(skip_serializing_if = "is_neutral")]
    pub rebels: NoMove,
}

impl NoMoveRule {
    /// The rule for a side.
    pub fn of(self, side: Side) -> NoMove {
        match side {
            Side::General => self.general,
            Side::Rebels => self.rebels,
        }
    }
}

pub(super) const NO_MOVE: &[Key] = &[
    Key::optional("general", Kind::Word(NoMove::WORDS), "\"pass\"", "What the General has."),
    Key::optional("rebels", Kind::Word(NoMove::WORDS), "\"pass\"", "What the Rebels have."),
];

/// A limit of plies without capture, which ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimitRule {
    /// The number of plies without capture, both sides counted; at least 1.
    pub plies: u16,
    /// The winner.
    #[serde(default, skip_serializing_if = "is_neutral")]
    pub winner: StandoffRule,
}

pub(super) const MOVE_LIMIT: &[Key] = &[
    Key::required("plies", Kind::Number(1, 1_000), "80", "The number of plies without capture that ends the game."),
    Key::optional("winner", Kind::Word(StandoffRule::WORDS), "\"rebels\"", "Who has won then."),
];

/// True for the value that adds no rule. Words that are newer than the first games are left out of the fingerprint then.
pub(super) fn is_neutral<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
