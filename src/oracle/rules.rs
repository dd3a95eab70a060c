//! The rules of a game, as its files say them.

use std::collections::BTreeSet;

use toml::{Table, Value};

use crate::board::{NaiveBoard, PointIndex};
use crate::pieces::read_pieces;
use crate::{NaiveSide, Placement};

/// The rules of one game: its rule words, its board, its opening.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The id.
    pub id: String,
    /// The board.
    pub board: NaiveBoard,
    pub(crate) opening: Placement,
    /// Where Rebels may stand: the field, the privy with `enter_privy`, but for `rebels_never_on`.
    pub(crate) ground: BTreeSet<PointIndex>,
    words: Table,
}

/// Keys that a file does not inherit from the one that it extends.
const OWN: [&str; 4] = ["id", "title", "notes", "extends"];

impl Rules {
    /// Reads a variant file, then those that it extends, each before the one that it extends; and the file of their
    /// board.
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
        let (general, rebels, rebels_in_hand) = read_pieces(&board, text("opening")?)?;
        let to_move = if text("first")? == "rebels" { NaiveSide::Rebels } else { NaiveSide::General };
        let opening = Placement { general, rebels, rebels_in_hand, to_move, apex_visited: false, free_jumps: 0 };
        let mut rules = Rules { id, board, opening, ground: BTreeSet::new(), words };
        rules.opening.free_jumps = rules.number("free_jumps").unwrap_or(0);
        let is_open = |spot: &PointIndex| !rules.board.points[*spot].in_privy || rules.flag("enter_privy");
        let closed = rules.listed("rebels_never_on").unwrap_or_default();
        rules.ground = (0..rules.board.points.len()).filter(is_open).filter(|spot| !closed.contains(spot)).collect();
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

    /// The word for what a side without a legal move has.
    pub(crate) fn no_move(&self, side: NaiveSide) -> &str {
        let key = if side == NaiveSide::General { "general" } else { "rebels" };
        let by_side = self.words.get("no_move").and_then(Value::as_table);
        by_side.and_then(|sides| sides.get(key)).and_then(Value::as_str).unwrap_or("loss")
    }

    /// The points of a rule that lists points; `None` without it. An empty list adds no rule.
    pub(crate) fn listed(&self, key: &str) -> Option<Vec<PointIndex>> {
        let names: Vec<&str> = self.words.get(key)?.as_array()?.iter().filter_map(Value::as_str).collect();
        let has_name = |spot: &PointIndex| names.iter().any(|name| name.eq_ignore_ascii_case(self.board.name(*spot)));
        (!names.is_empty()).then(|| (0..self.board.points.len()).filter(has_name).collect())
    }

    /// True if a rule that lists points has this one.
    pub(crate) fn lists(&self, key: &str, spot: PointIndex) -> bool {
        self.listed(key).is_some_and(|spots| spots.contains(&spot))
    }

    /// §4, `apex = return`: sets the flag when the General stands on an apex point.
    pub(crate) fn note_apex(&self, at: &mut Placement) {
        let has_flag = self.word("apex") == "return";
        at.apex_visited =
            has_flag && (at.apex_visited || at.general.is_some_and(|spot| self.board.apex.contains(&spot)));
    }
}
