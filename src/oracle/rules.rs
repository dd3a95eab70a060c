//! The rules of a game, as its files say them.

use toml::{Table, Value};

use crate::board::{NaiveBoard, read_pieces};
use crate::{NaiveSide, Placement};

/// The rules of one game: its rule words, its board, its opening.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The id.
    pub id: String,
    /// The board.
    pub board: NaiveBoard,
    pub(crate) opening: Placement,
    words: Table,
}

/// Keys that a file does not inherit from the one that it extends.
const OWN: [&str; 4] = ["id", "title", "notes", "extends"];

impl Rules {
    /// Reads a variant file, then those that it extends, each before the one that it extends; and the file of their board.
    ///
    /// # Errors
    /// The file is not TOML, or lacks what every game has.
    pub fn read(files: &[&str], board: &str) -> Result<Rules, String> {
        let mut words = Table::new();
        for (number, file) in files.iter().enumerate() {
            let table: Table = file.parse().map_err(|error| format!("{error}"))?;
            for (key, value) in table {
                if number == 0 || !OWN.contains(&key.as_str()) {
                    words.entry(key).or_insert(value);
                }
            }
        }
        let text = |key: &str| words.get(key).and_then(Value::as_str).ok_or_else(|| format!("no {key}"));
        let id = text("id")?.to_owned();
        let board = NaiveBoard::read(board)?;
        let (general, rebels) = read_pieces(&board, text("opening")?)?;
        let to_move = if text("first")? == "rebels" { NaiveSide::Rebels } else { NaiveSide::General };
        let opening = Placement { general, rebels, to_move, apex_visited: false, free_jumps: 0 };
        let mut rules = Rules { id, board, opening, words };
        rules.opening.free_jumps = rules.number("free_jumps").unwrap_or(0);
        Ok(rules)
    }

    /// True if a rule that is on or off is on.
    pub fn flag(&self, key: &str) -> bool {
        self.words.get(key).and_then(Value::as_bool).unwrap_or(false)
    }

    /// The value of a rule that is one of several words; `none` without it.
    pub fn word(&self, key: &str) -> &str {
        self.words.get(key).and_then(Value::as_str).unwrap_or("none")
    }

    /// The value of a rule that is a number.
    pub fn number(&self, key: &str) -> Option<i64> {
        self.words.get(key).and_then(Value::as_integer)
    }

    /// The limit of plies without capture, and the word for its winner.
    pub(crate) fn move_limit(&self) -> Option<(u32, &str)> {
        let limit = self.words.get("move_limit")?.as_table()?;
        let plies = u32::try_from(limit.get("plies")?.as_integer()?).ok()?;
        Some((plies, limit.get("winner").and_then(Value::as_str).unwrap_or("draw")))
    }

    /// True if the General wins on this point by `goal`.
    pub(crate) fn is_goal(&self, name: &str) -> bool {
        let goal = self.words.get("goal").and_then(Value::as_array);
        goal.is_some_and(|points| points.iter().any(|p| p.as_str().is_some_and(|p| p.eq_ignore_ascii_case(name))))
    }

    /// §4, `apex = return`: sets the flag when the General stands on an apex point.
    pub(crate) fn note_apex(&self, at: &mut Placement) {
        let has_flag = self.word("apex") == "return";
        at.apex_visited = has_flag && (at.apex_visited || self.board.apex.contains(&at.general));
    }
}
