//! Board files: TOML to names, spots and lines.

use privy_base::message::sanitized;

use crate::toml_file::{
    Entry, FileFault, Key, RuleValue, Whole, check_keys, meant_keys, missing, one_line, read_group, unknown_keys,
};

use super::inherited::{Inherited, PlacedPoint};
use super::{Board, MAX_POINTS, Point, PointName, PointSet, Spot};

/// What they mean stands in VARIANTS.md.
pub(super) const KEYS: &[Key] = &[
    Key::required::<Id>("id", "\"my-board\""),
    Key::required::<String>("title", "\"My Board\""),
    Key::optional::<Vec<String>>("notes", "[]"),
    Key::optional::<String>("extends", "\"privy\""),
    Key::optional::<Inherited>("field", "{ files = 5, rows = 5 }"),
    Key::optional::<Spot>("points", "{ c4 = [3, 3.5] }"),
    Key::optional::<Vec<PointName>>("without", "[\"a1\", \"e1\"]"),
    Key::optional::<Vec<PointName>>("apex", "[\"c7\"]"),
    Key::required::<Vec<String>>("lines", "[\"a1-b1-c1\"]"),
    Key::optional::<Vec<String>>("edges", "[\"a1-b2-a3\"]"),
    Key::optional::<Spot>("privy", "{ b4 = [2, 3.5] }"),
];

/// The keys that a table `[board]` in a variant file does not have: they are those of the game.
const OF_GAME: usize = 2;

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

/// The id of a game or a board.
pub(crate) struct Id;

impl RuleValue for Id {
    type Of = String;

    fn expected() -> String {
        format!("at most {LONGEST_ID} lower case letters, digits and -")
    }

    fn read(entry: &Entry, outer: &[Key]) -> Result<String, Vec<FileFault>> {
        let id = String::read(entry, outer)?;
        let like = like_id(&id);
        let such_as = if is_id(&like) { format!(", such as {like}") } else { String::new() };
        if is_id(&id) { Ok(id) } else { Err(entry.wrong(Id::expected() + &such_as)) }
    }
}

impl RuleValue for PointName {
    type Of = PointName;

    fn expected() -> String {
        "a file letter from a to w and a row number from 1 to 52, such as c3".to_owned()
    }

    fn read(entry: &Entry, _: &[Key]) -> Result<PointName, Vec<FileFault>> {
        let name = entry.text().and_then(|text| text.parse().ok());
        name.ok_or_else(|| entry.wrong(PointName::expected()))
    }
}

type Files = Whole<u8, 1, 23>;
type Rows = Whole<u8, 1, 52>;

/// A rectangle of points, row by row.
impl RuleValue for Inherited {
    type Of = Inherited;

    const KEYS: &[Key] = &[
        Key::required::<Files>("files", "5"),
        Key::required::<Rows>("rows", "5"),
        Key::optional::<PointName>("from", "\"a1\""),
    ];

    fn read(entry: &Entry, outer: &[Key]) -> Result<Inherited, Vec<FileFault>> {
        let table = read_group::<Inherited>(entry, outer)?;
        let (files, rows) = (table.value_of::<Files>("files"), table.value_of::<Rows>("rows"));
        let (files, rows) = (files.unwrap_or_default(), rows.unwrap_or_default());
        let corner = table.value_of::<PointName>("from").map_or((1, 1), |corner| (corner.file(), corner.row()));
        let mut field = Vec::with_capacity(MAX_POINTS);
        for row in (0..rows).map(|row| corner.1.saturating_add(row)) {
            for file in (0..files).map(|file| corner.0.saturating_add(file)) {
                let Some(name) = PointName::new(file, row) else {
                    let text = format!("{files} files by {rows} rows; expected none beyond file w and row 52");
                    return Err(vec![entry.fault(text)]);
                };
                field.push((name, Spot { x: i32::from(file) * Spot::UNIT, y: i32::from(row) * Spot::UNIT }));
            }
        }
        Ok(Inherited { field, ..Inherited::default() })
    }
}

/// Points with their coordinates.
impl RuleValue for Spot {
    type Of = ();

    fn expected() -> String {
        "points with their coordinates, such as b4 = [2, 3.5]".to_owned()
    }

    fn read(entry: &Entry, outer: &[Key]) -> Result<(), Vec<FileFault>> {
        if !entry.is_table() {
            return Err(entry.wrong(Spot::expected()));
        }
        let of_file = |name: &String| outer.iter().any(|key| key.name == name);
        let fault = |(name, spot): (&String, &Entry)| match placed_point(name, spot) {
            Err(_) if of_file(name) => {
                Some(spot.fault("stands below a line in brackets, which makes it a point; expected above"))
            }
            placed => placed.err(),
        };
        let faults: Vec<FileFault> = entry.keys().filter_map(fault).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// A point by its name and its coordinates.
fn placed_point(name: &str, entry: &Entry) -> Result<PlacedPoint, FileFault> {
    let hundredths = |value: f64| {
        let scaled = value * f64::from(Spot::UNIT);
        let rounded = scaled.round();
        ((scaled - rounded).abs() < 1e-6 && value.abs() <= 1000.0).then_some(rounded as i32)
    };
    let Some([x, y]) = entry.coordinates() else {
        return Err(entry.wrong("the coordinates of a point, such as [2, 3.5]").remove(0));
    };
    let Ok(name) = name.parse() else {
        let found = sanitized(name, LONGEST_ID);
        return Err(entry.fault(format!("found \"{found}\"; expected {}", PointName::expected())));
    };
    match (hundredths(x), hundredths(y)) {
        (Some(x), Some(y)) => Ok((name, Spot { x, y })),
        _ => Err(entry.fault(format!("found [{x}, {y}]; expected multiples of 0.01 between -1000 and 1000"))),
    }
}

/// One line for each pair of points: more are redundant.
const MOST_LINES: usize = MAX_POINTS * (MAX_POINTS - 1) / 2;

/// A board file whose keys are right, on the way to a board.
struct BoardBuilder<'a> {
    file: &'a Entry,
    faults: Vec<FileFault>,
}

impl BoardBuilder<'_> {
    /// The names of a list that `takes` accepts, each with a fault otherwise.
    fn each_name(&mut self, key: &str, expected: &str, mut takes: impl FnMut(PointName) -> bool) {
        for (text, item) in self.file.texts_of(key) {
            if !text.parse().is_ok_and(&mut takes) {
                self.faults.extend(item.wrong(expected));
            }
        }
    }

    fn wrong(&mut self, key: &str, text: impl std::fmt::Display) {
        self.faults.push(self.file.fault_of(key, text));
    }

    /// The board that the file extends, or the points of its rectangle, without those that do not exist.
    fn base(&mut self, extended: Option<&Board>) -> Inherited {
        let field = self.file.value_of::<Inherited>("field");
        let of = extended.map_or("the field", |board| board.id.as_str());
        if extended.is_some() && field.is_some() {
            let found = format!("the board has the field of {of}, which it extends");
            self.wrong("field", format!("{found}; expected [points] for more"));
        }
        let mut base = extended.map_or_else(|| field.unwrap_or_default(), Inherited::of);
        self.each_name("without", &format!("points of {of}, each once"), |name| base.remove(name));
        if base.field.is_empty() && self.file.get("points").is_none_or(|points| points.keys().next().is_none()) {
            let text = "the board has no field; expected field = { files = 5, rows = 5 }, or [points] with coordinates";
            self.faults.push(self.file.fault(text));
        }
        base
    }

    /// Adds the points of a table of coordinates to some, in the order of their names. All others are before them.
    fn place(&mut self, key: &str, points: &mut Vec<PlacedPoint>, others: &[PlacedPoint]) {
        let mut placed: Vec<PlacedPoint> = Vec::new();
        for (text, entry) in self.file.get(key).into_iter().flat_map(Entry::keys) {
            let Ok((name, spot)) = placed_point(text, entry) else { continue };
            let mut before = points.iter().chain(others).chain(&placed);
            match before.find(|(other, place)| *other == name || *place == spot) {
                Some((other, _)) if *other == name => {
                    self.faults.push(entry.fault("a point of the field, too; expected another name"));
                }
                Some((other, _)) => {
                    let found = format!("the coordinates are those of {other}");
                    self.faults.push(entry.fault(format!("{found}; expected other coordinates")));
                }
                None => placed.push((name, spot)),
            }
        }
        placed.sort();
        points.extend(placed);
    }

    /// The chains of a list of texts.
    fn chains(&mut self, key: &str, points: &[PlacedPoint]) -> Vec<Vec<Point>> {
        let found = self.file.texts_of(key).count();
        if found > MOST_LINES {
            self.wrong(key, format!("found {found} {key}; expected at most {MOST_LINES}, one for each two points"));
            return Vec::new();
        }
        let mut chains = Vec::new();
        for (text, item) in self.file.texts_of(key) {
            match chain_points(text, points, key == "lines") {
                Ok(members) => chains.push(members),
                Err(text) => self.faults.push(item.fault(text)),
            }
        }
        chains
    }

    fn board(mut self, extended: Option<&Board>) -> Result<Board, Vec<FileFault>> {
        let Inherited { mut field, mut privy, apex: others_apex, lines: others_lines, edges: others_edges } =
            self.base(extended);
        self.place("points", &mut field, &privy);
        self.place("privy", &mut privy, &field);
        if extended.is_some() {
            field.sort();
            privy.sort();
        }
        let field_size = field.len();
        let points = [field, privy].concat();
        if points.len() > MAX_POINTS {
            let found = format!("the board has {} points", points.len());
            self.wrong("field", format!("{found}; expected at most {MAX_POINTS}"));
        }
        if !self.faults.is_empty() {
            // Every line through a wrong point would be reported too.
            return Err(self.faults);
        }
        let mut lines = self.chains("lines", &points);
        let mut edges = self.chains("edges", &points);
        let index = |name: &PointName| points.iter().position(|(other, _)| other == name);
        let known = |chain: &Vec<PointName>| chain.iter().filter_map(index).map(Point::new).collect::<Vec<Point>>();
        // A line of the file may prolong one of the other board.
        let is_new = |line: &Vec<Point>| !lines.iter().any(|own| is_part(line, own));
        let more: Vec<Vec<Point>> = others_lines.iter().map(known).filter(is_new).collect();
        lines.extend(more);
        edges.extend(others_edges.iter().map(known));
        let mut apex: PointSet = others_apex.iter().filter_map(index).map(Point::new).collect();
        self.each_name("apex", "a point of the privy", |name| {
            let point = index(&name).filter(|index| *index >= field_size).map(Point::new);
            apex |= point.into_iter().collect();
            point.is_some()
        });
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        Board::new(points, field_size, lines, edges, apex).map_err(|problem| vec![self.file.fault_at(&problem)])
    }
}

/// The points of a chain, which is straight if it is a line. An edge may bend and end where it begins.
fn chain_points(chain: &str, points: &[PlacedPoint], is_line: bool) -> Result<Vec<Point>, String> {
    let quoted = sanitized(chain, LONGEST_ID);
    let mut members: Vec<usize> = Vec::new();
    for text in chain.split('-') {
        let Ok(name) = text.trim().parse::<PointName>() else {
            return Err(format!("found \"{quoted}\"; expected names of points joined by -, such as a1-b1-c1"));
        };
        let Some(index) = points.iter().position(|(other, _)| *other == name) else {
            let expected = "expected points of the field and of [privy]";
            return Err(format!("\"{quoted}\": the board has no point {name}; {expected}"));
        };
        members.push(index);
    }
    if members.len() < 2 || members.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(format!("found \"{quoted}\"; expected two points or more, joined by -, none of them twice"));
    }
    let direction = |pair: &[usize]| points[pair[0]].1.to(points[pair[1]].1);
    let mut pairs = members.windows(2).filter(|_| is_line);
    if let Some(bend) = pairs.find(|pair| !direction(&members[..2]).is_parallel_to(direction(pair))) {
        let expected = "points one after the other on a straight line, or the bent line among the edges";
        return Err(format!("\"{quoted}\" bends at {}; expected {expected}", points[bend[0]].0));
    }
    Ok(members.into_iter().map(Point::new).collect())
}

/// True if a line is a part of another one, in either direction.
fn is_part(line: &[Point], other: &[Point]) -> bool {
    other.windows(line.len()).any(|part| part.iter().eq(line) || part.iter().rev().eq(line))
}

impl Board {
    /// Reads the keys of a board, all of a file or a table `[board]` in the file of a game with an id and a title;
    /// `extended` is the board that the key `extends` names.
    pub(crate) fn from_keys(
        file: &Entry,
        extended: Option<&Board>,
        of_game: Option<(&str, &str)>,
    ) -> Result<Board, Vec<FileFault>> {
        let own = if of_game.is_some() { &KEYS[OF_GAME..] } else { KEYS };
        let mut faults = check_keys(own, &[], file);
        let has_lines = file.has_any(&["extends", "edges"]);
        let is_lacking = |key: &&Key| key.name != "lines" || !has_lines;
        let needed: Vec<Key> = own.iter().filter(is_lacking).copied().collect();
        faults.extend(missing(&needed, file).map(|text| file.fault(text)));
        // The rest can be right only if all known keys are, and no other key means one of them, such as `privvy`.
        let unknown = unknown_keys(own, file).count();
        if faults.len() > unknown || !meant_keys(own, file).is_empty() {
            return Err(faults);
        }
        let board = match (BoardBuilder { file, faults: Vec::new() }.board(extended)) {
            Ok(board) if faults.is_empty() => board,
            Ok(_) => return Err(faults),
            Err(more) => return Err([faults, more].concat()),
        };
        let text_of = |key| file.text_of(key).unwrap_or_default();
        let (id, title) = of_game.unwrap_or_else(|| (text_of("id"), text_of("title")));
        let board = Board { id: id.to_owned(), title: one_line(title), ..board };
        let is_whole = of_game.is_none() && extended.is_none();
        let source = if is_whole { file.source().to_owned() } else { board.in_full() };
        Ok(Board { source, ..board })
    }
}
