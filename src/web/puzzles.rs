//! The puzzles of the page: positions in which one move alone wins or saves a draw.

use std::fmt;

use privy_base::message::counted;
use privy_protocol::Side;
use serde::{Deserialize, Serialize};

/// Lines of JSON, sorted by game and grade; `privy-lab puzzles` makes them.
pub(crate) const PUZZLES: &str = include_str!("puzzles.jsonl");

/// What the only move does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PuzzleGoal {
    /// It alone wins.
    Win,
    /// It alone does not lose, and nothing wins.
    Draw,
}

/// A puzzle, as a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// Id of the game.
    pub game: String,
    /// The position, without a history.
    pub position: String,
    /// The side to move, which solves it.
    pub side: Side,
    /// What it achieves.
    pub goal: PuzzleGoal,
    /// Plies to the win; for a draw those of the line.
    pub plies: u32,
    /// 1 to 10: what a search without tables must look at to prefer the only move, and to keep to it with more: 32
    /// positions at grade 1, twice as many at each grade above; 10 also where that is not enough.
    pub grade: u32,
    /// The only move, the best reply, the next only move and so on, while each is the only one: an odd number.
    pub line: Vec<String>,
}

impl Puzzle {
    /// The puzzles of the page, sorted by game and grade.
    ///
    /// # Errors
    /// When a line is no puzzle; a test reads them all.
    pub fn shipped() -> serde_json::Result<Vec<Puzzle>> {
        PUZZLES.lines().map(serde_json::from_str).collect()
    }
}

/// `The General wins in 7 plies`, `The Rebels save a draw`.
impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (who, s) = match self.side {
            Side::General => ("The General", "s"),
            Side::Rebels => ("The Rebels", ""),
        };
        match self.goal {
            PuzzleGoal::Win => write!(f, "{who} win{s} in {}", counted(self.plies, "ply")),
            PuzzleGoal::Draw => write!(f, "{who} save{s} a draw"),
        }
    }
}
