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
    without: Vec<String>,
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
    /// The lower left corner of the rectangle; a1 when left out.
    #[serde(default)]
    from: Option<String>,
}

/// The longest id. It stands in names of files, which few systems let have more than 255 bytes.
const LONGEST_ID: usize = 64;

/// Is this an id that text forms can carry: lower case letters, digits, `-`, not too many?
pub(crate) fn is_id(id: &str) -> bool {
    (1..=LONGEST_ID).contains(&id.len()) && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn hundredths(value: f64) -> Option<i32> {
    let scaled = value * f64::from(Spot::UNIT);
    let rounded = scaled.round();
    ((scaled - rounded).abs() < 1e-6 && value.abs() <= 1000.0).then_some(rounded as i32)
}

fn point_name(text: &str) -> Result<PointName, BoardError> {
    text.parse().map_err(|error| BoardError(format!("point: {error}")))
}

fn wrong_size(Field { files, rows, from }: &Field) -> BoardError {
    const EXPECTED: &str = "1 to 23 files up to file w, 1 to 52 rows up to row 52 and at most 64 points with the privy";
    let from = from.as_ref().map(|corner| format!(" from {corner}")).unwrap_or_default();
    BoardError(format!("field: {files} files by {rows} rows{from}; expected {EXPECTED}"))
}

/// The points of a rectangle, row by row, but for those that do not exist.
fn field_points(field: &Field, without: &[String]) -> Result<Vec<(PointName, Spot)>, BoardError> {
    let wrong = || wrong_size(field);
    let corner = point_name(field.from.as_deref().unwrap_or("a1"))?;
    let mut points = Vec::with_capacity(MAX_POINTS);
    for row in 0..field.rows {
        for file in 0..field.files {
            let (file, row) = (corner.file().checked_add(file), corner.row().checked_add(row));
            let name = file.zip(row).and_then(|(file, row)| PointName::new(file, row)).ok_or_else(wrong)?;
            points.push((name, Spot { x: i32::from(name.file()) * Spot::UNIT, y: i32::from(name.row()) * Spot::UNIT }));
        }
    }
    for name in without {
        let missing = point_name(name)?;
        let found = points.iter().position(|(other, _)| *other == missing);
        let expected = || BoardError(format!("without {name}: expected a point of the field, each once"));
        points.remove(found.ok_or_else(expected)?);
    }
    if points.is_empty() || points.len() > MAX_POINTS { Err(wrong()) } else { Ok(points) }
}

fn privy_points(privy: &BTreeMap<String, [f64; 2]>) -> Result<Vec<(PointName, Spot)>, BoardError> {
    let mut points = Vec::with_capacity(privy.len());
    for (name, [x, y]) in privy {
        let wrong =
            || BoardError(format!("point {name}: coordinates must be multiples of 0.01 between -1000 and 1000"));
        let spot = Spot { x: hundredths(*x).ok_or_else(wrong)?, y: hundredths(*y).ok_or_else(wrong)? };
        points.push((point_name(name)?, spot));
    }
    points.sort();
    Ok(points)
}

/// Reads a board file and works out what follows from it.
pub(super) fn read(text: &str) -> Result<Board, BoardError> {
    let file: BoardFile =
        toml::from_str(text).map_err(|e| BoardError(format!("file: {}", e.to_string().trim_end())))?;
    if !is_id(&file.id) {
        return Err(BoardError(format!(
            "id \"{}\": expected at most {LONGEST_ID} lower case letters, digits and -",
            file.id
        )));
    }
    let mut points = field_points(&file.field, &file.without)?;
    let field_size = points.len();
    for (name, spot) in privy_points(&file.privy)? {
        if points.iter().any(|(other, _)| *other == name) {
            return Err(BoardError(format!("point {name}: a field point can't be a privy point too")));
        }
        if let Some((other, _)) = points.iter().find(|(_, other)| *other == spot) {
            return Err(BoardError(format!("points {other} and {name}: they have the same coordinates")));
        }
        points.push((name, spot));
    }
    if points.len() > MAX_POINTS {
        return Err(wrong_size(&file.field));
    }
    let find = |name: PointName| points.iter().position(|(other, _)| *other == name).map(Point::new);
    let mut lines = Vec::with_capacity(file.lines.len());
    for line in &file.lines {
        let mut members = Vec::new();
        for name in line.split('-') {
            let unknown = || BoardError(format!("line {line}: there is no point {name}"));
            members.push(find(point_name(name)?).ok_or_else(unknown)?);
        }
        let directions: Vec<_> = members
            .iter()
            .zip(members.iter().skip(1))
            .map(|(a, b)| points[a.index()].1.to(points[b.index()].1))
            .collect();
        let straight =
            directions.first().is_some_and(|first| directions.iter().all(|next| first.is_parallel_to(*next)));
        if !straight {
            let expected = "two points or more, one after the other on a straight line";
            return Err(BoardError(format!("line {line}: expected {expected}")));
        }
        lines.push(members);
    }
    let mut apex = Vec::new();
    for name in &file.apex {
        let point = find(point_name(name)?).filter(|point| point.index() >= field_size);
        apex.push(point.ok_or_else(|| BoardError(format!("apex {name}: expected a point of the privy")))?);
    }
    Board::new(file.id, file.title, file.notes, points, field_size, lines, apex)
}
