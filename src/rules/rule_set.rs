//! The rule words of a variant file.

use serde::{Deserialize, Serialize};

use super::Side;

/// Static intervention: the General stays where he is and removes a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaticRule {
    /// Not in this game.
    #[default]
    None,
    /// Only when every adjacent point holds a Rebel; in a corner the two neighbours are the pair.
    Surrounded,
    /// Whenever there is a pair in line with him.
    Any,
}

/// Capture by jumping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JumpRule {
    /// Not in this game.
    #[default]
    None,
    /// One jump a move.
    Single,
    /// The move goes on as long as a jump is possible.
    Multi,
    /// The move goes on as long as the General likes and a jump is possible.
    Free,
}

/// The lines along which the General jumps or leaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JumpLines {
    /// All lines.
    #[default]
    Any,
    /// Diagonal lines alone.
    Diagonal,
}

/// A leap over a Rebel who stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeapRule {
    /// Not in this game.
    #[default]
    None,
    /// Along all lines.
    Any,
    /// Along diagonal lines alone.
    Diagonal,
}

/// What it means to stand on an apex point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApexRule {
    /// Nothing.
    #[default]
    None,
    /// The General wins there.
    General,
    /// The Rebels win when he stands there.
    Rebels,
    /// The General wins when he has been there and stands on the field again.
    Return,
}

/// What it means to stand on row 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BottomRule {
    /// Nothing.
    #[default]
    None,
    /// The General wins there.
    General,
}

/// A limit of plies without capture: the game that reaches it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimitRule {
    /// So many plies in which no Rebel falls, both sides counted; at least 1.
    pub plies: u16,
    /// Who has won then.
    #[serde(default, skip_serializing_if = "StandoffRule::is_draw")]
    pub winner: StandoffRule,
}

/// Who wins a game that comes to no end by itself: in which a position occurs for the third time, or no Rebel falls for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandoffRule {
    /// Nobody.
    #[default]
    Draw,
    /// The General.
    General,
    /// The Rebels.
    Rebels,
}

impl StandoffRule {
    /// The side that wins, if one does.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            StandoffRule::Draw => None,
            StandoffRule::General => Some(Side::General),
            StandoffRule::Rebels => Some(Side::Rebels),
        }
    }

    fn is_draw(&self) -> bool {
        *self == StandoffRule::Draw
    }
}

/// The rules of a game in the words of RULES.md. The names of the fields are the keys of a variant file; a key that a
/// file leaves out has the value that adds no rule.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSet {
    /// Who moves first.
    pub first: Side,
    /// The General takes pairs of Rebels between whom he arrives.
    #[serde(default)]
    pub intervention: bool,
    /// The General takes pairs between whom he stood, when he leaves at a right angle to them.
    #[serde(default)]
    pub deferred: bool,
    /// The General takes a pair without moving.
    #[serde(default, rename = "static")]
    pub static_rule: StaticRule,
    /// The General takes pairs on orthogonal lines only.
    #[serde(default)]
    pub orthogonal: bool,
    /// The General captures by jumping.
    #[serde(default)]
    pub jump: JumpRule,
    /// Where he jumps.
    #[serde(default)]
    pub jump_lines: JumpLines,
    /// The General leaps without capture.
    #[serde(default)]
    pub leap: LeapRule,
    /// The General goes any distance along a line of empty points.
    #[serde(default)]
    pub slide: bool,
    /// So many times in a game the General may go to any empty field point; at most 9.
    #[serde(default)]
    pub free_jumps: u8,
    /// The General must capture if he can.
    #[serde(default)]
    pub compulsory: bool,
    /// The Rebels never step down.
    #[serde(default)]
    pub forward: bool,
    /// The Rebels may enter the privy.
    #[serde(default)]
    pub enter_privy: bool,
    /// The Rebels capture the General by moving to his other side.
    #[serde(default)]
    pub custodial: bool,
    /// Who wins by the apex.
    #[serde(default)]
    pub apex: ApexRule,
    /// Who wins by the bottom row.
    #[serde(default)]
    pub bottom: BottomRule,
    /// The General wins on these points, besides apex and bottom row; names of points, by row and then file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal: Vec<String>,
    /// Who wins by the third occurrence of a position.
    #[serde(default, skip_serializing_if = "StandoffRule::is_draw")]
    pub repetition: StandoffRule,
    /// The game is over after so many plies without capture; no limit when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_limit: Option<MoveLimitRule>,
    /// The General wins when the Rebels number this or fewer; no limit when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebels_at_most: Option<u8>,
    /// The Rebels win when they close the privy on him.
    #[serde(default)]
    pub close_privy: bool,
}

impl RuleSet {
    /// Does the General take Rebels in pairs, by one rule or another?
    #[must_use]
    pub fn takes_pairs(&self) -> bool {
        self.intervention || self.deferred || self.static_rule != StaticRule::None
    }
}
