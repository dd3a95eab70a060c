//! Position texts, FORMS §1.

use super::boards::Spot;
use super::endings::unreachable;
use super::position::Position;
use super::variants::{Apex, Rules, Side};
use std::collections::BTreeSet;

/// The content of a position text.
pub struct Reading {
    pub position: Position,
    pub quiet_plies: u32,
    pub ply: u32,
}

pub fn write(position: &Position, quiet_plies: u32, ply: u32) -> String {
    let side = match position.at.to_move {
        Side::General => "g",
        Side::Rebels => "r",
    };
    let id = position.game.rules.id;
    format!("{} {side} {} {quiet_plies} {ply} {id}", pieces(position), flags(position))
}

fn pieces(position: &Position) -> String {
    let mut rows = Vec::new();
    for row in position.game.board.rows_from_top() {
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
            text.push(if spot == position.at.general { 'G' } else { 'r' });
        }
        if run > 0 {
            text.push_str(&run.to_string());
        }
        rows.push(text);
    }
    rows.join("/")
}

fn flags(position: &Position) -> String {
    let mut text = String::new();
    if position.at.apex_visited {
        text.push('a');
    }
    if position.game.rules.free_jumps > 0 {
        text.push_str(&position.at.free_jumps_left.to_string());
    }
    if text.is_empty() { "-".to_string() } else { text }
}

/// Parses a text of one to six fields; missing fields are as in the opening.
pub fn read(rules: Rules, text: &str) -> Result<Reading, String> {
    let mut position = Position::opening(rules);
    let fields: Vec<&str> = text.split_whitespace().collect();
    if fields.is_empty() || fields.len() > 6 {
        return Err(format!("one to six fields expected, {} found", fields.len()));
    }
    read_pieces(&mut position, fields[0])?;
    match fields.get(1).copied() {
        None => {}
        Some("g") => position.at.to_move = Side::General,
        Some("r") => position.at.to_move = Side::Rebels,
        Some(other) => return Err(format!("side g or r expected, {other} found")),
    }
    if let Some(flags) = fields.get(2) {
        read_flags(&mut position, flags)?;
    }
    let quiet_plies = read_count(fields.get(3).copied())?;
    let ply = read_count(fields.get(4).copied())?;
    if let Some(&id) = fields.get(5)
        && id != rules.id
    {
        return Err(format!("variant {} expected, {id} found", rules.id));
    }
    position.note_apex();
    match unreachable(&position) {
        Some(reason) => Err(reason),
        None => Ok(Reading { position, quiet_plies, ply }),
    }
}

fn read_count(field: Option<&str>) -> Result<u32, String> {
    field.map_or(Ok(0), |text| text.parse().map_err(|_| format!("number expected, {text} found")))
}

fn read_pieces(position: &mut Position, field: &str) -> Result<(), String> {
    let game = position.game.clone();
    let rows = game.board.rows_from_top();
    let texts: Vec<&str> = field.split('/').collect();
    if texts.len() != rows.len() {
        return Err(format!("{} rows expected, {} found", rows.len(), texts.len()));
    }
    let mut generals: Vec<Spot> = Vec::new();
    let mut rebels: BTreeSet<Spot> = BTreeSet::new();
    for (row, text) in rows.iter().zip(texts) {
        let mut file = 0;
        for sign in text.chars() {
            let here = row.get(file).copied();
            let here = here.ok_or_else(|| format!("row {text} has too many points"))?;
            match sign {
                'G' => generals.push(here),
                'r' => {
                    rebels.insert(here);
                }
                '1'..='9' => file += sign.to_digit(10).unwrap() as usize - 1,
                other => return Err(format!("r, G or a number expected, {other} found")),
            }
            file += 1;
        }
        if file != row.len() {
            return Err(format!("row {text} does not add up to {}", row.len()));
        }
    }
    if generals.len() != 1 {
        return Err(format!("one General expected, {} found", generals.len()));
    }
    let in_privy = |&spot: &Spot| game.board.points[spot].in_privy;
    if !game.rules.rebels_enter_privy && rebels.iter().any(in_privy) {
        return Err("a Rebel in the privy".to_string());
    }
    if rebels.len() > position.at.rebels.len() {
        return Err(format!("{} Rebels are more than the opening has", rebels.len()));
    }
    position.at.general = generals[0];
    position.at.rebels = rebels;
    Ok(())
}

fn read_flags(position: &mut Position, field: &str) -> Result<(), String> {
    let rules = position.game.rules;
    let mut rest = if field == "-" { "" } else { field };
    if let Some(after) = rest.strip_prefix('a') {
        if rules.apex != Apex::Return {
            return Err("flag a: the variant has no apex and return".to_string());
        }
        position.at.apex_visited = true;
        rest = after;
    }
    if rules.free_jumps > 0 {
        match rest.parse::<u8>() {
            Ok(left) if rest.len() == 1 && left <= rules.free_jumps => position.at.free_jumps_left = left,
            _ => return Err(format!("free jumps left expected, {field} found")),
        }
    } else if !rest.is_empty() {
        return Err(format!("unknown flag: {field}"));
    }
    Ok(())
}
