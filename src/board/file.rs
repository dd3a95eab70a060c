//! Board files: TOML to names, spots and lines.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Board, BoardError, MAX_POINTS, Point, PointName, Spot};

/// A board file as written. `lines` are point names joined by `-`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoardFile {
    id: String,
    title: String,
    #[serde(default)]
    notes: Vec<String>,
    field: Field,
    #[serde(default)]
    apex: Vec<String>,
    lines: Vec<String>,
    #[serde(default)]
    privy: BTreeMap<String, [f64; 2]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    files: u8,
    rows: u8,
}

/// Is this an id that text forms can carry: lower case letters, digits, `-`?
pub(crate) fn is_id(id: &str) -> bool {
    !id.is_empty() && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn hundredths(value: f64) -> Option<i32> {
    let scaled = value * f64::from(Spot::UNIT);
    let rounded = scaled.round();
    ((scaled - rounded).abs() < 1e-6 && value.abs() <= 1000.0).then_some(rounded as i32)
}

fn field_points(field: &Field) -> Result<Vec<(PointName, Spot)>, BoardError> {
    let wrong = || BoardError::FieldSize(field.files, field.rows);
    let count = usize::from(field.files) * usize::from(field.rows);
    if count == 0 || count > MAX_POINTS {
        return Err(wrong());
    }
    let mut points = Vec::with_capacity(count);
    for row in 1..=field.rows {
        for file in 1..=field.files {
            let name = PointName::new(file, row).ok_or_else(wrong)?;
            points.push((name, Spot { x: i32::from(file) * Spot::UNIT, y: i32::from(row) * Spot::UNIT }));
        }
    }
    Ok(points)
}

fn privy_points(privy: &BTreeMap<String, [f64; 2]>) -> Result<Vec<(PointName, Spot)>, BoardError> {
    let mut points = Vec::with_capacity(privy.len());
    for (name, [x, y]) in privy {
        let wrong = || BoardError::Coordinates(name.clone());
        let spot = Spot { x: hundredths(*x).ok_or_else(wrong)?, y: hundredths(*y).ok_or_else(wrong)? };
        points.push((name.parse()?, spot));
    }
    points.sort();
    Ok(points)
}

/// Reads a board file and works out what follows from it.
pub(super) fn read(text: &str) -> Result<Board, BoardError> {
    let file: BoardFile = toml::from_str(text).map_err(|e| BoardError::Syntax(e.to_string().trim_end().to_owned()))?;
    if !is_id(&file.id) {
        return Err(BoardError::Id(file.id));
    }
    let mut points = field_points(&file.field)?;
    let field_size = points.len();
    for (name, spot) in privy_points(&file.privy)? {
        if points.iter().any(|(other, _)| *other == name) {
            return Err(BoardError::Twice(name.to_string()));
        }
        if let Some((other, _)) = points.iter().find(|(_, other)| *other == spot) {
            return Err(BoardError::SameSpot(other.to_string(), name.to_string()));
        }
        points.push((name, spot));
    }
    if points.len() > MAX_POINTS {
        return Err(BoardError::FieldSize(file.field.files, file.field.rows));
    }
    let find = |name: PointName| points.iter().position(|(other, _)| *other == name).map(Point::new);
    let mut lines = Vec::with_capacity(file.lines.len());
    for line in &file.lines {
        let mut members = Vec::new();
        for name in line.split('-') {
            let unknown = || BoardError::UnknownPoint { line: line.clone(), point: name.to_owned() };
            members.push(find(name.parse()?).ok_or_else(unknown)?);
        }
        let directions: Vec<_> = members
            .iter()
            .zip(members.iter().skip(1))
            .map(|(a, b)| points[a.index()].1.to(points[b.index()].1))
            .collect();
        let straight =
            directions.first().is_some_and(|first| directions.iter().all(|next| first.is_parallel_to(*next)));
        if !straight {
            return Err(BoardError::NotStraight(line.clone()));
        }
        lines.push(members);
    }
    let mut apex = Vec::new();
    for name in &file.apex {
        let point = find(name.parse()?).filter(|point| point.index() >= field_size);
        apex.push(point.ok_or_else(|| BoardError::Apex(name.clone()))?);
    }
    Board::new(file.id, file.title, file.notes, points, field_size, lines, apex)
}
