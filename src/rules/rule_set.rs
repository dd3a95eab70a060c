//! The rule words of a variant file.

use serde::{Deserialize, Serialize};

use super::Side;

/// Static intervention: the General stays and removes a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StaticRule {
    /// Absent.
    #[default]
    None,
    /// Only when every adjacent point holds a Rebel; in a corner the two neighbours are the pair.
    Surrounded,
    /// Whenever there is a pair in line with the General.
    Any,
}

/// Capture by jumping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JumpRule {
    /// Absent.
    #[default]
    None,
    /// One jump a move.
    Single,
    /// The move goes on as long as a jump is possible.
    Multi,
    /// The move goes on as long as the General likes and a jump is possible.
    Free,
}

/// The lines along which the General jumps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum JumpLines {
    /// All lines.
    #[default]
    Any,
    /// Diagonal lines only.
    Diagonal,
}

/// A leap over a Rebel without capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeapRule {
    /// Absent.
    #[default]
    None,
    /// Along all lines.
    Any,
    /// Along diagonal lines only.
    Diagonal,
}

/// The effect of the General on an apex point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApexRule {
    /// None.
    #[default]
    None,
    /// The General wins.
    General,
    /// The Rebels win.
    Rebels,
    /// The General wins when it stands on the field again.
    Return,
}

/// The effect of the General on row 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BottomRule {
    /// None.
    #[default]
    None,
    /// The General wins.
    General,
}

/// A limit of plies without capture, which ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MoveLimitRule {
    /// The number of plies without capture, both sides counted; at least 1.
    pub plies: u16,
    /// The winner.
    #[serde(default, skip_serializing_if = "StandoffRule::is_draw")]
    pub winner: StandoffRule,
}

/// The winner of a game that ends by repetition or by a limit of plies without capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandoffRule {
    /// A draw.
    #[default]
    Draw,
    /// The General.
    General,
    /// The Rebels.
    Rebels,
}

impl StandoffRule {
    /// The side that wins; none in a draw.
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

/// The rules of a game in the words of RULES.md. The fields are the keys of a variant file; a missing key has the neutral value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RuleSet {
    /// The side that moves first.
    pub first: Side,
    /// The General captures pairs of Rebels by arriving between them.
    #[serde(default)]
    pub intervention: bool,
    /// The General captures pairs by leaving from between them at a right angle.
    #[serde(default)]
    pub deferred: bool,
    /// The General captures a pair without moving.
    #[serde(default, rename = "static")]
    pub static_rule: StaticRule,
    /// The General captures pairs on orthogonal lines only.
    #[serde(default)]
    pub orthogonal: bool,
    /// The General captures by jumping.
    #[serde(default)]
    pub jump: JumpRule,
    /// The lines of its jumps.
    #[serde(default)]
    pub jump_lines: JumpLines,
    /// The General leaps without capture.
    #[serde(default)]
    pub leap: LeapRule,
    /// The General goes any distance along a line of empty points.
    #[serde(default)]
    pub slide: bool,
    /// The number of times in a game that the General may go to any empty field point; at most 9.
    #[serde(default)]
    pub free_jumps: u8,
    /// The General must capture if it can.
    #[serde(default)]
    pub compulsory: bool,
    /// The Rebels never step down.
    #[serde(default)]
    pub forward: bool,
    /// The Rebels may enter the privy.
    #[serde(default)]
    pub enter_privy: bool,
    /// The Rebels capture the General by moving to its other side.
    #[serde(default)]
    pub custodial: bool,
    /// The winner by the apex.
    #[serde(default)]
    pub apex: ApexRule,
    /// The winner by the bottom row.
    #[serde(default)]
    pub bottom: BottomRule,
    /// The General wins on these points, besides apex and bottom row; names of points, by row and then file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goal: Vec<String>,
    /// The winner by the third occurrence of a position.
    #[serde(default, skip_serializing_if = "StandoffRule::is_draw")]
    pub repetition: StandoffRule,
    /// The limit of plies without capture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_limit: Option<MoveLimitRule>,
    /// The General wins at this number of Rebels or fewer; no limit without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebels_at_most: Option<u8>,
    /// The Rebels win by closing the privy on the General.
    #[serde(default)]
    pub close_privy: bool,
}

impl RuleSet {
    /// Does some rule capture pairs?
    pub fn takes_pairs(&self) -> bool {
        self.intervention || self.deferred || self.static_rule != StaticRule::None
    }
}
