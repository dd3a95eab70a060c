//! The values of rule words.

use privy_base::message::did_you_mean;
use privy_protocol::Side;

use crate::toml_file::{Entry, FileFault, Key, RuleValue, Whole, alternatives, read_group};

/// A rule that has one of several values.
pub trait OneOf: Copy + PartialEq + 'static {
    /// Each value with its text in a file, and with what it says.
    const ALL: &'static [(Self, &'static str, &'static str)];
}

impl<C: OneOf> RuleValue for C {
    type Of = C;

    fn expected() -> String {
        alternatives(&C::ALL.iter().map(|(_, word, _)| *word).collect::<Vec<_>>())
    }

    fn read(entry: &Entry, _: &[Key]) -> Result<C, Vec<FileFault>> {
        let found = entry.value.to_string();
        C::ALL.iter().find(|(_, word, _)| *word == found).map(|(value, ..)| *value).ok_or_else(|| {
            let words = C::ALL.iter().map(|(_, word, _)| word.trim_matches('"'));
            let meant = entry.text().map(|text| did_you_mean(text, words)).unwrap_or_default();
            entry.wrong(C::expected() + &meant)
        })
    }

    fn write(value: &C) -> Option<toml::Value> {
        let (_, word, _) = C::ALL.iter().find(|(choice, ..)| choice == value)?;
        Some(word.parse::<bool>().map_or_else(|_| word.trim_matches('"').into(), toml::Value::from))
    }

    fn says(value: &C, _: &str) -> String {
        let choice = C::ALL.iter().find(|(choice, ..)| choice == value);
        choice.map_or_else(String::new, |(.., says)| (*says).to_owned())
    }
}

/// Declares rules that have one of several values, the first of which adds no rule: each with its text in a file and
/// with what it says.
macro_rules! choices {
    ($($(#[$about:meta])* $name:ident {
        $first:ident $first_word:literal $first_says:literal,
        $($variant:ident $word:literal $says:literal,)*
    })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum $name {
            #[doc = concat!("`", stringify!($first_word), "`: ", $first_says)]
            #[default]
            $first,
            $(#[doc = concat!("`", stringify!($word), "`: ", $says)] $variant,)*
        }

        impl OneOf for $name {
            const ALL: &'static [($name, &'static str, &'static str)] = &[
                ($name::$first, stringify!($first_word), $first_says),
                $(($name::$variant, stringify!($word), $says),)*
            ];
        }
    )*};
}

choices! {
    /// Static intervention: the General stays and removes a pair.
    StaticRule {
        None "none" "",
        Surrounded "surrounded" "When Rebels hold every point around it, the General may stay and take two of them \
                                 that stand in line with it, or both in a corner.",
        Any "any" "The General may stay and take a pair of Rebels between which it stands.",
    }

    /// Capture by jumping.
    JumpRule {
        None "none" "",
        Single "single" "The General takes a Rebel by jumping over it to the empty point behind, once in a move.",
        Multi "multi" "The General takes a Rebel by jumping over it to the empty point behind, and continues as long \
                       as it can.",
        Free "free" "The General takes a Rebel by jumping over it to the empty point behind, and may continue as long \
                     as it can.",
    }

    /// The lines along which the General jumps.
    JumpLines {
        Any "any" "",
        Diagonal "diagonal" "The General jumps along diagonal lines alone.",
    }

    /// A leap over a Rebel without capture.
    LeapRule {
        None "none" "",
        Any "any" "The General may leap over a Rebel without taking it.",
        Diagonal "diagonal" "The General may leap along a diagonal line over a Rebel without taking it.",
    }

    /// The effect of the General on an apex point.
    ApexRule {
        None "none" "",
        General "general" "The General wins on an apex point.",
        Rebels "rebels" "The Rebels win when the General stands on an apex point.",
        Return "return" "The General wins when it has been on an apex point and is back on the field.",
    }

    /// The effect of the General on row 1.
    BottomRule {
        None "none" "",
        General "general" "The General wins on row 1.",
    }

    /// The sides that step along orthogonal lines alone.
    OrthogonalSteps {
        None "none" "",
        General "general" "The General steps along orthogonal lines alone.",
        Rebels "rebels" "Rebels step along orthogonal lines alone.",
        Both "both" "All pieces step along orthogonal lines alone.",
    }

    /// What a jump goes over.
    JumpRows {
        One "one" "",
        Odd "odd" "The General jumps over a whole row of Rebels in line, an odd number of them, and takes them all.",
    }

    /// What a side without a legal move has. A pass continues the game.
    NoMove {
        Loss "loss" "a loss",
        Draw "draw" "a draw",
        Win "win" "a win",
        Pass "pass" "a pass",
    }

    /// The winner of a game that ends by repetition or by a limit of plies without capture.
    StandoffRule {
        Draw "draw" "A position that occurs for the third time is a draw.",
        General "general" "The General wins when a position occurs for the third time.",
        Rebels "rebels" "The Rebels win when a position occurs for the third time.",
    }

    /// How Rebels may step towards the privy.
    ForwardRule {
        Any false "A Rebel steps along a line to the next point.",
        NeverBack true "A Rebel steps along a line to the next point, never down.",
        Only "only" "A Rebel steps along a line to the next point, only up.",
        Straight "straight" "A Rebel steps along a line to the next point, only straight up.",
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

    const KEYS: &[Key] =
        &[Key::optional::<NoMove>("general", "\"pass\""), Key::optional::<NoMove>("rebels", "\"pass\"")];

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

    fn says(value: &NoMoveRule, _: &str) -> String {
        match [value.general, value.rebels].map(|rule| NoMove::says(&rule, "")) {
            [general, rebels] if general == rebels => format!("Having no move is {general} for either side."),
            [general, rebels] => format!("Having no move is {general} for the General and {rebels} for the Rebels."),
        }
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

    const KEYS: &[Key] =
        &[Key::required::<LimitPlies>("plies", "80"), Key::optional::<StandoffRule>("winner", "\"rebels\"")];

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

    fn says(value: &MoveLimitRule, _: &str) -> String {
        let plies = format!("{} plies without capture", value.plies);
        match value.winner.winner() {
            None => format!("A game with {plies} is a draw."),
            Some(Side::General) => format!("The General wins after {plies}."),
            Some(Side::Rebels) => format!("The Rebels win after {plies}."),
        }
    }
}

/// The side that moves first. It has no neutral value.
impl OneOf for Side {
    const ALL: &'static [(Side, &'static str, &'static str)] = &[
        (Side::General, "\"general\"", "The General moves first."),
        (Side::Rebels, "\"rebels\"", "The Rebels move first."),
    ];
}
