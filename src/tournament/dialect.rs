//! The two ways in which engines are driven.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How an engine is driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// `variant`, then for every move `position … moves …` and `go …`: the engine need not keep a game.
    Position,
    /// `clear_board`, then `play` for the other side's moves and `genmove` for its own.
    GenMove,
}

impl FromStr for Dialect {
    type Err = ();

    fn from_str(text: &str) -> Result<Dialect, ()> {
        match text {
            "position" => Ok(Dialect::Position),
            "genmove" => Ok(Dialect::GenMove),
            _ => Err(()),
        }
    }
}
