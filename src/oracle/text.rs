//! Position texts, FORMATS §1.

use std::sync::Arc;

use crate::pieces::read_pieces;
use crate::rules::Rules;
use crate::{NaivePosition, NaiveSide};

/// The first three fields.
pub(crate) fn write(position: &NaivePosition) -> String {
    let side = match position.at.to_move {
        NaiveSide::General => "g",
        NaiveSide::Rebels => "r",
    };
    format!("{} {side} {}", pieces(position), flags(position))
}

fn pieces(position: &NaivePosition) -> String {
    let mut rows = Vec::new();
    for row in position.rules.board.rows_from_top() {
        let mut text = String::new();
        let mut run = 0;
        for &spot in row {
            if position.is_empty(spot) {
                run += 1;
                continue;
            }
            if run > 0 {
                text.push_str(&run.to_string());
                run = 0;
            }
            text.push(if position.at.general == Some(spot) { 'G' } else { 'r' });
        }
        if run > 0 {
            text.push_str(&run.to_string());
        }
        rows.push(text);
    }
    rows.join("/") + &hand(position)
}

fn hand(position: &NaivePosition) -> String {
    let general = if position.at.general.is_none() { "G" } else { "" };
    match (general, position.at.rebels_in_hand) {
        ("", 0) => String::new(),
        (general, 0) => format!("[{general}]"),
        (general, rebels) => format!("[{general}r{rebels}]"),
    }
}

fn flags(position: &NaivePosition) -> String {
    let mut text = String::new();
    if position.at.apex_visited {
        text.push('a');
    }
    if position.rules.opening.free_jumps > 0 {
        text.push_str(&position.at.free_jumps.to_string());
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Reads a text of one to six fields, with the plies since the last capture and the ply number; missing fields are as
/// in the opening.
pub(crate) fn read(rules: &Arc<Rules>, text: &str) -> Result<(NaivePosition, u32, u32), String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.is_empty() || fields.len() > 6 {
        return Err(format!("one to six fields expected, {} found", fields.len()));
    }
    let mut position = NaivePosition::opening(rules);
    let (opening, at) = (&rules.opening, &mut position.at);
    (at.general, at.rebels, at.rebels_in_hand) = read_pieces(&rules.board, fields[0])?;
    at.apex_visited = false;
    if let Some(spot) = at.rebels.iter().find(|spot| !rules.ground.contains(spot)) {
        return Err(format!("no Rebel may stand on {}", rules.board.name(*spot)));
    }
    if at.rebels.len() + at.rebels_in_hand > opening.rebels.len() + opening.rebels_in_hand {
        return Err(format!("{} Rebels are more than the opening has", at.rebels.len() + at.rebels_in_hand));
    }
    if at.rebels_in_hand > opening.rebels_in_hand || (at.general.is_none() && opening.general.is_some()) {
        return Err("more in hand than the opening has".to_owned());
    }
    match fields.get(1).copied() {
        None => {}
        Some("g") => at.to_move = NaiveSide::General,
        Some("r") => at.to_move = NaiveSide::Rebels,
        Some(other) => return Err(format!("side g or r expected, {other} found")),
    }
    if let Some(flags) = fields.get(2) {
        read_flags(&mut position, flags)?;
    }
    let count = |field: Option<&&str>| field.map_or(Ok(0), |text| text.parse().map_err(|_| format!("number? {text}")));
    let (quiet_plies, ply) = (count(fields.get(3))?, count(fields.get(4))?);
    if fields.get(5).is_some_and(|id| *id != rules.id) {
        return Err(format!("{} expected, {} found", rules.id, fields[5]));
    }
    rules.note_apex(&mut position.at);
    match position.unreachable() {
        Some(before) => Err(format!("the General is to move, but the game had ended: {before}")),
        None => Ok((position, quiet_plies, ply)),
    }
}

fn read_flags(position: &mut NaivePosition, field: &str) -> Result<(), String> {
    let most = position.rules.opening.free_jumps;
    let mut rest = if field == "-" { "" } else { field };
    if let Some(after) = rest.strip_prefix('a') {
        if position.rules.word("apex") != "return" {
            return Err("flag a: the variant has no apex and return".to_owned());
        }
        position.at.apex_visited = true;
        rest = after;
    }
    if most == 0 {
        return if rest.is_empty() { Ok(()) } else { Err(format!("unknown flag: {field}")) };
    }
    let left = rest.parse().ok().filter(|left| rest.len() == 1 && (0..=most).contains(left));
    position.at.free_jumps = left.ok_or_else(|| format!("free jumps left expected, {field} found"))?;
    Ok(())
}
