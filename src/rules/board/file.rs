//! Board files: TOML to names, spots and lines.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::toml_file::{
    Document, FileFault, Key, KeyPlace, Kind, Problem, meant_keys, missing, one_line, unknown_keys,
};
use privy_base::message::{counted, sanitized};

use super::inherited::Inherited;
use super::{Board, MAX_POINTS, Point, PointName, PointSet, Spot};

pub(super) const KEYS: &[Key] = &[
    Key::required("id", Kind::Text, "\"my-board\"", "Its name in files: at most 64 lower case letters, digits and -."),
    Key::required("title", Kind::Text, "\"My Board\"", "Its name for people."),
    Key::optional("notes", Kind::Texts, "[]", "Sources, readings."),
    Key::optional(
        "extends",
        Kind::Text,
        "\"privy\"",
        "The board to which the file adds points and lines, or from which `without` takes points.",
    ),
    Key::optional(
        "field",
        Kind::Group(FIELD),
        "{ files = 5, rows = 5 }",
        "The points of the field, at (file, row): a rectangle, whose lower left corner is `from`, a1 without it.",
    ),
    Key::optional(
        "points",
        Kind::Spots,
        "{ c4 = [3, 3.5] }",
        "More points of the field, or all, with their coordinates.",
    ),
    Key::optional(
        "without",
        Kind::Texts,
        "[\"a1\", \"e1\"]",
        "The points of the rectangle, or of the other board, that do not exist.",
    ),
    Key::optional("apex", Kind::Texts, "[\"c7\"]", "The points of the privy farthest from the field."),
    Key::required("lines", Kind::Texts, "[\"a1-b1-c1\"]", "Every straight line, all its points in order."),
    Key::optional(
        "edges",
        Kind::Texts,
        "[\"a1-b2-a3\"]",
        "Rings and arcs: chains of points of which each is adjacent to the next, but not in line.",
    ),
    Key::optional("privy", Kind::Spots, "{ b4 = [2, 3.5] }", "The points beyond the field, with their coordinates."),
];

const FIELD: &[Key] = &[
    Key::required("files", Kind::Number(1, 23), "5", "How many files."),
    Key::required("rows", Kind::Number(1, 52), "5", "How many rows."),
    Key::optional("from", Kind::Text, "\"a1\"", "The lower left corner."),
];

/// A board file after the check of its keys. `lines` and `edges` are point names joined by `-`.
#[derive(Deserialize)]
struct BoardKeys {
    id: String,
    title: String,
    field: Option<Field>,
    #[serde(default)]
    points: BTreeMap<String, [f64; 2]>,
    #[serde(default)]
    without: Vec<String>,
    #[serde(default)]
    apex: Vec<String>,
    #[serde(default)]
    lines: Vec<String>,
    #[serde(default)]
    edges: Vec<String>,
    #[serde(default)]
    privy: BTreeMap<String, [f64; 2]>,
}

#[derive(Deserialize)]
struct Field {
    files: u8,
    rows: u8,
    from: Option<String>,
}

/// The most characters of an id. It is part of file names, which few systems allow more than 255 bytes.
const LONGEST_ID: usize = 64;

/// True if text forms can carry this id.
pub fn is_id(id: &str) -> bool {
    (1..=LONGEST_ID).contains(&id.len()) && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// The text with all that an id cannot have replaced or cut; possibly empty.
pub fn like_id(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let id: String = text.chars().map(plain).take(LONGEST_ID).collect();
    id.trim_matches('-').to_owned()
}

pub(crate) fn id_problem(id: &str) -> Option<Problem> {
    let like = like_id(id);
    let such_as = if is_id(&like) { format!(", such as {like}") } else { String::new() };
    let expected = format!("at most {LONGEST_ID} lower case letters, digits and -{such_as}");
    (!is_id(id)).then(|| Problem::key("id", format!("found \"{}\"; expected {expected}", sanitized(id, LONGEST_ID))))
}

/// One line for each pair of points: more are redundant.
const MOST_LINES: usize = MAX_POINTS * (MAX_POINTS - 1) / 2;

fn hundredths(value: f64) -> Option<i32> {
    let scaled = value * f64::from(Spot::UNIT);
    let rounded = scaled.round();
    ((scaled - rounded).abs() < 1e-6 && value.abs() <= 1000.0).then_some(rounded as i32)
}

fn point_name(text: &str) -> Result<PointName, String> {
    let wrong = |_| {
        let found = sanitized(text, LONGEST_ID);
        format!("found \"{found}\"; expected a file letter from a to w and a row number from 1 to 52, such as c3")
    };
    text.parse().map_err(wrong)
}

/// What is left of the board that a file extends.
fn inherited(file: &BoardKeys, base: &Board) -> Result<Inherited, Vec<Problem>> {
    if file.field.is_some() {
        let text = format!("the board has the field of {}, which it extends; expected [points] for more", base.id());
        return Err(vec![Problem::key("field", text)]);
    }
    let mut without = PointSet::EMPTY;
    let mut problems = Vec::new();
    for (number, text) in file.without.iter().enumerate() {
        let point = point_name(text).map(|name| base.point(name).filter(|point| !without.contains(*point)));
        let wrong = |text: String| Problem::new(KeyPlace::item("without", number), text);
        match point {
            Ok(Some(point)) => without = without.with(point),
            Ok(None) => {
                let found = sanitized(text, LONGEST_ID);
                problems.push(wrong(format!("found \"{found}\"; expected points of {}, each once", base.id())));
            }
            Err(text) => problems.push(wrong(text)),
        }
    }
    if problems.is_empty() && base.field().minus(without).is_empty() {
        problems.push(Problem::key("without", "no point is left; expected fewer, so that a field is left"));
    }
    if problems.is_empty() { Ok(Inherited::of(base, without)) } else { Err(problems) }
}

/// The existing points of the rectangle, row by row.
fn rectangle_points(file: &BoardKeys) -> Result<Vec<(PointName, Spot)>, Vec<Problem>> {
    let Some(Field { files, rows, from }) = &file.field else {
        if !file.without.is_empty() {
            let text = "the board has no field from which points could be missing; expected field beside it";
            return Err(vec![Problem::key("without", text)]);
        }
        let is_lost = file.points.is_empty();
        let text = "the board has no field; expected field = { files = 5, rows = 5 }, or [points] with coordinates";
        return if is_lost { Err(vec![Problem::new(KeyPlace::File, text)]) } else { Ok(Vec::new()) };
    };
    let wrong = |text: String| vec![Problem::key("field", text)];
    let corner = from.as_deref().unwrap_or("a1");
    let corner = point_name(corner).map_err(|text| vec![Problem::new(KeyPlace::entry("field", "from"), text)])?;
    let mut points = Vec::with_capacity(MAX_POINTS);
    for row in 0..*rows {
        for file in 0..*files {
            let (file, row) = (corner.file().checked_add(file), corner.row().checked_add(row));
            let name = file.zip(row).and_then(|(file, row)| PointName::new(file, row)).ok_or_else(|| {
                wrong(format!("{files} files by {rows} rows from {corner}; expected none beyond file w and row 52"))
            })?;
            points.push((name, Spot { x: i32::from(name.file()) * Spot::UNIT, y: i32::from(name.row()) * Spot::UNIT }));
        }
    }
    if file.without.len() >= points.len() {
        let found = format!("found {} of {} points", file.without.len(), points.len());
        return Err(vec![Problem::key("without", format!("{found}; expected fewer, so that a field is left"))]);
    }
    let mut problems = Vec::new();
    for (number, text) in file.without.iter().enumerate() {
        let mut wrong = |text: String| problems.push(Problem::new(KeyPlace::item("without", number), text));
        match point_name(text).map(|name| points.iter().position(|(other, _)| *other == name)) {
            Ok(Some(index)) => drop(points.remove(index)),
            Ok(None) => {
                wrong(format!("found \"{}\"; expected points of the field, each once", sanitized(text, LONGEST_ID)))
            }
            Err(text) => wrong(text),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    if points.len() > MAX_POINTS {
        let without = if file.without.is_empty() { String::new() } else { format!(" without {}", file.without.len()) };
        let found = format!("{files} files by {rows} rows{without} are {} points", points.len());
        return Err(wrong(format!("{found}; expected at most {MAX_POINTS}, those of the privy included")));
    }
    Ok(points)
}

/// The points of a table of coordinates, in the order of their names. `field` are the points before them.
fn placed_points(
    key: &str,
    table: &BTreeMap<String, [f64; 2]>,
    field: &[(PointName, Spot)],
    problems: &mut Vec<Problem>,
) -> Vec<(PointName, Spot)> {
    let mut points: Vec<(PointName, Spot)> = Vec::with_capacity(table.len());
    for (text, [x, y]) in table {
        let mut wrong = |found: String| problems.push(Problem::new(KeyPlace::entry(key, text), found));
        let name = match point_name(text) {
            Ok(name) => name,
            Err(error) => {
                wrong(error);
                continue;
            }
        };
        let (Some(x), Some(y)) = (hundredths(*x), hundredths(*y)) else {
            wrong(format!("found [{x}, {y}]; expected multiples of 0.01 between -1000 and 1000"));
            continue;
        };
        let spot = Spot { x, y };
        let mut others = field.iter().chain(&points);
        if others.clone().any(|(other, _)| *other == name) {
            wrong("a point of the field, too; expected another name".to_owned());
        } else if let Some((other, _)) = others.find(|(_, other)| *other == spot) {
            wrong(format!("the coordinates are those of {other}; expected a place of its own"));
        } else {
            points.push((name, spot));
        }
    }
    points.sort();
    // More points before these are a problem of others.
    if field.len() <= MAX_POINTS && field.len() + points.len() > MAX_POINTS {
        let (of_table, of_field) = (points.len(), field.len());
        let of_both = of_table + of_field;
        let found = format!("{} and the {of_field} of the field are {of_both}", counted(of_table as u64, "point"));
        problems.push(Problem::key(key, format!("{found}; expected at most {MAX_POINTS} in all")));
    }
    points
}

/// The text of a chain whose points have other signs between them, with the right ones; `None` if there are other mistakes.
fn joined(line: &str) -> Option<String> {
    let words: Vec<&str> =
        line.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    (words.len() > 1 && words.iter().all(|word| word.parse::<PointName>().is_ok())).then(|| words.join("-"))
}

/// The points of a chain, which may bend and end where it begins.
fn edge_points(line: &str, points: &[(PointName, Spot)]) -> Result<Vec<Point>, String> {
    let quoted = sanitized(line, LONGEST_ID);
    let mut members: Vec<usize> = Vec::new();
    for text in line.split('-') {
        let name = point_name(text.trim()).map_err(|error| match joined(line) {
            Some(right) => format!("found \"{quoted}\"; expected \"{}\"", sanitized(&right, LONGEST_ID)),
            None => format!("\"{quoted}\": {error}"),
        })?;
        let Some(index) = points.iter().position(|(other, _)| *other == name) else {
            return Err(format!(
                "\"{quoted}\": the board has no point {name}; expected points of the field and of [privy]"
            ));
        };
        members.push(index);
    }
    if members.len() < 2 {
        return Err(format!("\"{quoted}\" has one point; expected two or more, joined by -"));
    }
    if let Some(pair) = members.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("\"{quoted}\": {} twice; expected each point once", points[pair[0]].0));
    }
    Ok(members.into_iter().map(Point::new).collect())
}

/// The points of a straight line.
fn line_points(line: &str, points: &[(PointName, Spot)]) -> Result<Vec<Point>, String> {
    let members = edge_points(line, points)?;
    let direction = |pair: &[Point]| points[pair[0].index()].1.to(points[pair[1].index()].1);
    let mut pairs = members.windows(2);
    match pairs.find(|pair| !direction(&members[..2]).is_parallel_to(direction(pair))) {
        Some(bend) => {
            let (quoted, name) = (sanitized(line, LONGEST_ID), points[bend[0].index()].0);
            let expected = "points one after the other on a straight line, or the bent line among the edges";
            Err(format!("\"{quoted}\" bends at {name}; expected {expected}"))
        }
        None => Ok(members),
    }
}

/// The chains of a list of texts.
fn chains(
    key: &str,
    texts: &[String],
    read: impl Fn(&str) -> Result<Vec<Point>, String>,
    problems: &mut Vec<Problem>,
) -> Vec<Vec<Point>> {
    let mut chains = Vec::with_capacity(texts.len());
    for (number, text) in texts.iter().enumerate() {
        match read(text) {
            Ok(members) => chains.push(members),
            Err(text) => problems.push(Problem::new(KeyPlace::item(key, number), text)),
        }
    }
    chains
}

/// True if a line is a part of another one, in either direction.
fn is_part(line: &[Point], other: &[Point]) -> bool {
    other.windows(line.len()).any(|part| part.iter().eq(line) || part.iter().rev().eq(line))
}

impl Board {
    /// Reads a board file; `extended` is the board that its key `extends` names.
    pub(crate) fn from_document(document: &Document, extended: Option<&Board>) -> Result<Board, Vec<FileFault>> {
        let mut faults = document.check(KEYS);
        let has_lines = ["extends", "edges"].iter().any(|key| document.table().contains_key(*key));
        let is_lacking = |key: &&Key| key.name != "lines" || !has_lines;
        let keys: Vec<Key> = KEYS.iter().filter(is_lacking).copied().collect();
        faults.extend(missing(&keys, document.table()).map(|text| document.fault(Problem::new(KeyPlace::File, text))));
        // The rest can be right only if all known keys are, and none is meant by another, such as `privvy`.
        let unknown = unknown_keys(KEYS, document.table()).count();
        if faults.len() > unknown || !meant_keys(KEYS, document.table()).is_empty() {
            return Err(faults);
        }
        match build(document.read()?, extended, document.source()) {
            Ok(board) if faults.is_empty() => Ok(board),
            Ok(_) => Err(faults),
            Err(problems) => Err([faults, document.faults(problems)].concat()),
        }
    }
}

fn build(file: BoardKeys, extended: Option<&Board>, source: &str) -> Result<Board, Vec<Problem>> {
    let mut problems = Vec::from_iter(id_problem(&file.id));
    let of_others = match extended {
        None => rectangle_points(&file).map(|field| Inherited { field, ..Inherited::default() }),
        Some(base) => inherited(&file, base),
    };
    let Inherited { mut field, mut privy, apex: others_apex, lines: others_lines, edges: others_edges } =
        match of_others {
            Ok(inherited) => inherited,
            Err(more) => return Err([problems, more].concat()),
        };
    let more = placed_points("points", &file.points, &[field.as_slice(), &privy].concat(), &mut problems);
    field.extend(more);
    let more = placed_points("privy", &file.privy, &[field.as_slice(), &privy].concat(), &mut problems);
    privy.extend(more);
    if extended.is_some() {
        field.sort();
        privy.sort();
    }
    if !problems.is_empty() {
        // Every line through a wrong point would be reported too.
        return Err(problems);
    }
    for (key, chains) in [("lines", &file.lines), ("edges", &file.edges)] {
        if chains.len() > MOST_LINES {
            let expected = format!("at most {MOST_LINES}, one for each two points of a board");
            return Err(vec![Problem::key(key, format!("found {} {key}; expected {expected}", chains.len()))]);
        }
    }
    let field_size = field.len();
    let points = [field, privy].concat();
    let mut lines = chains("lines", &file.lines, |text| line_points(text, &points), &mut problems);
    let mut edges = chains("edges", &file.edges, |text| edge_points(text, &points), &mut problems);
    let index = |name: &PointName| points.iter().position(|(other, _)| other == name);
    let known = |chain: &Vec<PointName>| chain.iter().filter_map(index).map(Point::new).collect::<Vec<Point>>();
    // A line of the file may prolong one of the other board.
    let is_new = |line: &Vec<Point>| !lines.iter().any(|own| is_part(line, own));
    let more: Vec<Vec<Point>> = others_lines.iter().map(known).filter(is_new).collect();
    lines.extend(more);
    edges.extend(others_edges.iter().map(known));
    let mut apex: PointSet = others_apex.iter().filter_map(index).map(Point::new).collect();
    for (number, text) in file.apex.iter().enumerate() {
        let mut wrong = |text| problems.push(Problem::new(KeyPlace::item("apex", number), text));
        match point_name(text).map(|name| index(&name)) {
            Ok(Some(index)) if index >= field_size => apex = apex.with(Point::new(index)),
            Ok(_) => wrong(format!("found \"{}\"; expected a point of the privy", sanitized(text, LONGEST_ID))),
            Err(text) => wrong(text),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let board = Board::new(points, field_size, lines, edges, apex).map_err(|problem| vec![problem])?;
    let in_pieces = board.lines_that_go_on();
    if !in_pieces.is_empty() {
        return Err(in_pieces);
    }
    let board = Board { id: file.id, title: one_line(&file.title), ..board };
    let source = if extended.is_some() { board.in_full() } else { source.to_owned() };
    Ok(Board { source, ..board })
}
