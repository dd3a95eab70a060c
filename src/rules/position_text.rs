//! Positions as text: `1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels`.
//!
//! Six fields: rows from the top, side to move, flags, plies since the last capture, ply number, variant id. Input may
//! leave out fields from the end.

use std::fmt;
use std::sync::Arc;

use nom::character::complete::u32 as number;
use nom::combinator::all_consuming;
use nom::{IResult, Parser};
use privy_base::message::counted;
use privy_protocol::{ErrorCode, ProtocolError, Side};

use crate::game::Game;
use crate::position::Position;
use crate::rows::{Pieces, read_rows, rows_text};
use crate::toml_file::alternatives;
use crate::variant::Variant;
use crate::variant_file::DEFAULT_VARIANT;

/// The error of a field that is wrong, or of a position that no game can reach: the field, what was found, what is
/// expected.
fn wrong(text: impl fmt::Display) -> ProtocolError {
    ProtocolError::new(ErrorCode::IllegalPosition, text.to_string())
}

/// The flags of a position as its text has them.
fn flags_text(variant: &Variant, apex_visited: bool, free_jumps: u8) -> String {
    let apex = if apex_visited { "a" } else { "" };
    match variant.rule_set().free_jumps {
        0 if !apex_visited => "-".to_owned(),
        0 => apex.to_owned(),
        _ => format!("{apex}{free_jumps}"),
    }
}

/// The flags that are written so.
fn read_flags(text: &str, variant: &Variant) -> Result<(bool, u8), ProtocolError> {
    let remembers = !variant.rules().return_apex.is_empty();
    let visits = if remembers { &[false, true][..] } else { &[false] };
    let all = visits.iter().flat_map(|visited| (0..=variant.rule_set().free_jumps).map(|left| (*visited, left)));
    let texts: Vec<String> = all.clone().map(|(visited, left)| flags_text(variant, visited, left)).collect();
    let read = all.zip(&texts).find(|(_, written)| *written == text).map(|(flags, _)| flags);
    let expected = || wrong(format_args!("flags: expected {}, found \"{text}\"", alternatives(&texts)));
    read.ok_or_else(expected)
}

fn read_number(text: &str, field: &str) -> Result<u32, ProtocolError> {
    let parsed: IResult<&str, u32> = all_consuming(number).parse(text);
    let expected = "expected a number from 0 to 4294967295";
    parsed.map(|(_, n)| n).map_err(|_| wrong(format_args!("{field}: {expected}, found \"{text}\"")))
}

impl Game {
    /// A game that begins with the position of a text. The sixth field may name any built-in variant, or `current`;
    /// where the text has none, the position is one of `current`, or of the default variant.
    ///
    /// # Errors
    /// `illegal position` with the wrong field, what was found there, and what is expected; `unknown variant`.
    pub fn from_text(text: &str, current: Option<&Arc<Variant>>) -> Result<Game, ProtocolError> {
        let mut words = text.split_ascii_whitespace();
        let [rows, side, flags, since_capture, ply, id, extra] = std::array::from_fn(|_| words.next());
        let Some(rows) = rows else {
            return Err(wrong("empty; expected rows such as 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr"));
        };
        if let Some(extra) = extra {
            return Err(wrong(format_args!("field 7: expected at most 6 fields, found \"{extra}\"")));
        }
        let variant = match (id, current) {
            (None, Some(current)) => Some(Arc::clone(current)),
            (Some(id), Some(current)) if id == current.id() => Some(Arc::clone(current)),
            (id, _) => Variant::builtin(id.unwrap_or(DEFAULT_VARIANT)),
        };
        let variant = variant.ok_or_else(|| {
            let detail = format!("\"{}\"; list_variants names them all", id.unwrap_or_default());
            ProtocolError::new(ErrorCode::UnknownVariant, detail)
        })?;
        let Pieces { rebels, general, hand } =
            read_rows(rows, variant.board(), variant.rules().ground).map_err(wrong)?;
        let opening = variant.opening();
        let (found, limit) = (rebels.len() + u32::from(hand), opening.rebels_left());
        if found > limit {
            return Err(wrong(format_args!("{}, the opening has {limit}", counted(found, "Rebel"))));
        }
        if hand > opening.hand() {
            let (found, limit) = (counted(hand, "Rebel"), opening.hand());
            return Err(wrong(format_args!("hand: {found}, the opening has {limit}")));
        }
        if !variant.board().has(general) && variant.board().has(opening.general()) {
            return Err(wrong("hand: found the General, which begins on the board in this game"));
        }
        let side = match side {
            None => variant.rule_set().first,
            Some("g") => Side::General,
            Some("r") => Side::Rebels,
            Some(other) => return Err(wrong(format_args!("side to move: expected g or r, found \"{other}\""))),
        };
        let (visited, free_jumps) = match flags {
            None => (false, variant.rule_set().free_jumps),
            Some(text) => read_flags(text, &variant)?,
        };
        let number = |text: Option<&str>, name| text.map_or(Ok(0), |text| read_number(text, name));
        let since_capture = number(since_capture, "plies since the last capture")?;
        let ply = number(ply, "ply number")?;
        // The flag is set as soon as the General stands there (RULES §4).
        let apex_visited = visited || variant.rules().return_apex.contains(general);
        let position = Position::new(rebels, general, side, apex_visited, free_jumps).with_hand(hand);
        if side == Side::General
            && let Some(outcome) = variant.decided_by_general(&position)
        {
            return Err(wrong(format_args!("no game can reach it, it would have ended before: {outcome}")));
        }
        Ok(Game::new(&variant, position, since_capture, ply))
    }
}

impl Variant {
    /// The first three fields of the text of a position: pieces, side to move, flags.
    pub fn position_text(&self, position: &Position) -> String {
        let rows = rows_text(position, self.board());
        let flags = flags_text(self, position.apex_visited(), position.free_jumps());
        format!("{rows} {} {flags}", position.side().letter())
    }
}

/// The canonical text of the position to move in, all six fields.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (since_capture, ply) = (self.plies_since_capture(), self.ply());
        let position = self.variant().position_text(self.position());
        write!(f, "{position} {since_capture} {ply} {}", self.variant().id())
    }
}
