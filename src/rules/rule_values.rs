//! The values of rule words.

use privy_protocol::Side;

use crate::toml_file::{Entry, FileFault, Key, RuleValue, Whole, alternatives, read_choice, read_group};

/// Declares rules that have one of several values, the first of which adds no rule.
macro_rules! choices {
    ($($(#[$about:meta])* $name:ident {
        $(#[$first_about:meta])* $first:ident $first_word:literal,
        $($(#[$variant_about:meta])* $variant:ident $word:literal,)*
    })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum $name {
            $(#[$first_about])*
            #[default]
            $first,
            $($(#[$variant_about])* $variant,)*
        }

        impl $name {
            /// Each value with its text in a file.
            const CHOICES: &'static [(&'static str, $name)] =
                &[(stringify!($first_word), $name::$first), $((stringify!($word), $name::$variant)),*];
        }

        impl RuleValue for $name {
            type Of = $name;

            fn expected() -> String {
                alternatives(&$name::CHOICES.iter().map(|(word, _)| *word).collect::<Vec<_>>())
            }

            fn read(entry: &Entry, _: &[Key]) -> Result<$name, Vec<FileFault>> {
                read_choice(entry, $name::CHOICES)
            }

            fn write(value: &$name) -> Option<toml::Value> {
                Some(match value {
                    $name::$first => $first_word.into(),
                    $($name::$variant => $word.into(),)*
                })
            }
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
        /// It passes, and the game continues.
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

    /// How Rebels may step towards the privy.
    ForwardRule {
        /// In any direction.
        Any false,
        /// Up or sideways.
        NeverBack true,
        /// Up alone.
        Only "only",
        /// Up alone, along the file.
        Straight "straight",
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

    /// The sentence about an end: `draw` names it where it is a draw, `win` says when it wins.
    pub(super) fn sentence(self, draw: &str, win: &str) -> String {
        match self {
            StandoffRule::Draw => format!("A {draw} is a draw."),
            StandoffRule::General => format!("The General also wins {win}."),
            StandoffRule::Rebels => format!("The Rebels also win {win}."),
        }
    }
}

/// What each side has that has no legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoMoveRule {
    /// The General.
    pub general: NoMove,
    /// The Rebels.
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

impl RuleValue for NoMoveRule {
    type Of = NoMoveRule;

    const KEYS: &[Key] = &[
        Key::optional::<NoMove>("general", "\"pass\"", "What the General has."),
        Key::optional::<NoMove>("rebels", "\"pass\"", "What the Rebels have."),
    ];

    fn read(entry: &Entry, outer: &[Key]) -> Result<NoMoveRule, Vec<FileFault>> {
        let table = read_group::<NoMoveRule>(entry, outer)?;
        let value = |side| table.value_of::<NoMove>(side).unwrap_or_default();
        Ok(NoMoveRule { general: value("general"), rebels: value("rebels") })
    }

    fn write(value: &NoMoveRule) -> Option<toml::Value> {
        let rules = [("general", value.general), ("rebels", value.rebels)];
        let written = rules.into_iter().filter(|(_, rule)| *rule != NoMove::Loss);
        let table = written.map(|(side, rule)| Some((side.to_owned(), NoMove::write(&rule)?)));
        Some(toml::Value::Table(table.collect::<Option<_>>()?))
    }
}

/// A limit of plies without capture, which ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveLimitRule {
    /// The number of plies without capture, both sides counted; at least 1.
    pub plies: u16,
    /// The winner.
    pub winner: StandoffRule,
}

type LimitPlies = Whole<u16, 1, 1_000>;

impl RuleValue for MoveLimitRule {
    type Of = MoveLimitRule;

    const KEYS: &[Key] = &[
        Key::required::<LimitPlies>("plies", "80", "The number of plies without capture that ends the game."),
        Key::optional::<StandoffRule>("winner", "\"rebels\"", "Who has won then."),
    ];

    fn read(entry: &Entry, outer: &[Key]) -> Result<MoveLimitRule, Vec<FileFault>> {
        let table = read_group::<MoveLimitRule>(entry, outer)?;
        let plies = table.value_of::<LimitPlies>("plies").unwrap_or_default();
        Ok(MoveLimitRule { plies, winner: table.value_of::<StandoffRule>("winner").unwrap_or_default() })
    }

    fn write(value: &MoveLimitRule) -> Option<toml::Value> {
        let mut table = toml::Table::from_iter([("plies".to_owned(), LimitPlies::write(&value.plies)?)]);
        if value.winner != StandoffRule::Draw {
            table.insert("winner".to_owned(), StandoffRule::write(&value.winner)?);
        }
        Some(table.into())
    }
}

/// The side that moves first. It has no neutral value.
impl RuleValue for Side {
    type Of = Side;

    fn expected() -> String {
        "\"general\" or \"rebels\"".to_owned()
    }

    fn read(entry: &Entry, _: &[Key]) -> Result<Side, Vec<FileFault>> {
        read_choice(entry, &[("\"general\"", Side::General), ("\"rebels\"", Side::Rebels)])
    }

    fn write(value: &Side) -> Option<toml::Value> {
        Some(value.to_string().into())
    }
}
