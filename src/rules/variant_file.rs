//! Variant files: the built-in ones, and files of users with all that they extend and name. Every fault has its file and line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::sync::{Lazy, OnceCell};
use toml::{Table, Value};

use crate::board::{Board, PointName, id_problem};
use crate::games::{self, GameFiles};
use crate::toml_file::{
    BUILT_IN, Document, FileFault, FileFaults, Key, KeyPlace, Kind, NONE, Problem, meant_keys, missing, one_line,
};
use privy_base::bounded_read;
use privy_base::message::{did_you_mean, shown};

use super::rule_set::{ForwardRule, KEYS, POINT_LISTS, RuleSet, WORDS, unknown_points};
use super::variant::{Heading, NO_REBELS, geometry_text, opening_pieces};
use super::{Names, Outcome, Side, Variant, VariantError};

/// The id of the variant that a new process plays.
pub const DEFAULT_VARIANT: &str = "sixteen-rebels";

/// The most bytes of a file: enough for any written by hand, and a bound for devices, which never end.
const LARGEST_FILE: u64 = 1 << 20;

/// True if this word is a keyword where an id may stand.
pub fn is_reserved(id: &str) -> bool {
    ["startpos", "fen", "moves"].contains(&id)
}

/// The keys that are not inherited from the extended file.
const OWN: [&str; 4] = ["id", "title", "notes", "extends"];

/// The most files of which each extends the next.
const LONGEST_CHAIN: usize = 8;

/// Reads a text file of a user.
///
/// # Errors
/// When it cannot be read, is too long or is not UTF-8.
pub fn read_file(path: &Path) -> Result<String, VariantError> {
    bounded_read::read_file(path, LARGEST_FILE)
        .map_err(|error| VariantError::Unreadable(shown(path), error.to_string()))
}

/// A board file with the lines of its values.
#[derive(Debug)]
pub struct BoardFile {
    document: Document,
    board: Arc<Board>,
}

fn has_any(document: &Document, keys: &[&str]) -> bool {
    keys.iter().any(|key| document.table().contains_key(*key))
}

fn has_keys_of_board(document: &Document) -> bool {
    has_any(document, &["field", "points", "lines", "edges", "privy", "without"])
}

/// True for a file with keys of a board alone. Both kinds of files may extend others.
fn is_board(document: &Document) -> bool {
    has_keys_of_board(document) && !has_any(document, &["opening", "board", "first"])
}

impl BoardFile {
    /// Reads a board file; returns [`None`] if the file is of another kind, such as a variant file.
    ///
    /// # Errors
    /// All faults of the file, or the reason why it can't be read.
    pub fn read(path: &Path) -> Result<Option<BoardFile>, VariantError> {
        let text = read_file(path)?;
        match Document::parse(Some(path.display().to_string()), &text) {
            Ok(document) if is_board(&document) => Ok(Some(BoardFile::of(document, 1).map_err(FileFaults::from)?)),
            // A file that is not TOML has the same error as a variant file.
            _ => Ok(None),
        }
    }

    /// `files` are those from the first that names another to this one.
    fn of(document: Document, files: usize) -> Result<BoardFile, Vec<FileFault>> {
        let is_variant = !has_keys_of_board(&document) && has_any(&document, &["opening", "board", "first", "extends"]);
        if is_variant {
            let problem =
                Problem::new(KeyPlace::File, "this is a variant file; expected a board file, which has lines");
            return Err(vec![document.fault(problem)]);
        }
        let wrong = |text: String| vec![document.fault(Problem::key("extends", text))];
        let extended = match document.text("extends") {
            Some(_) if files >= LONGEST_CHAIN => return Err(wrong(too_long_chain())),
            Some(word) => Some(BoardFile::named(word, document.folder(), files + 1, wrong)?.0),
            None => None,
        };
        let board = Arc::new(Board::from_document(&document, extended.as_deref())?);
        Ok(BoardFile { document, board })
    }

    /// The board that a file in a folder names, with its file where it is not built in. `wrong` says what is wrong with the word.
    fn named(
        word: &str,
        folder: Option<&Path>,
        files: usize,
        wrong: impl Fn(String) -> Vec<FileFault>,
    ) -> Result<(Arc<Board>, Option<BoardFile>), Vec<FileFault>> {
        let (true, Some(folder)) = (word.ends_with(".toml"), folder) else {
            let file = if folder.is_some() { ", or a board file whose name ends in .toml" } else { "" };
            return Board::builtin_or(word, file).map(|board| (board, None)).map_err(wrong);
        };
        let path = folder.join(word);
        let text = read_file(&path).map_err(|error| wrong(format!("{error}; expected a board file")))?;
        let file = BoardFile::of(Document::parse(Some(path.display().to_string()), &text)?, files)?;
        Ok((Arc::clone(&file.board), Some(file)))
    }

    /// The board.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// Probable mistakes: lines that pass over points, points that no piece can reach.
    pub fn probable_mistakes(&self) -> Vec<FileFault> {
        self.document.faults(self.board.probable_mistakes())
    }

    /// Possible mistakes: straight lines in pieces.
    pub fn warnings(&self) -> Vec<FileFault> {
        self.document.faults(self.board.lines_in_pieces()).into_iter().map(FileFault::into_warning).collect()
    }
}

/// A variant file with the lines of its values, for faults that are found later.
#[derive(Debug)]
pub struct VariantFile {
    sources: VariantSources,
    board: Option<BoardFile>,
    variant: Arc<Variant>,
}

/// A file, what it extends, what that extends, and their values together.
#[derive(Debug)]
struct VariantSources {
    files: Vec<Source>,
    values: Table,
    /// The number of the source of each key.
    origins: BTreeMap<String, usize>,
}

#[derive(Debug)]
struct Source {
    document: Document,
    /// The folder of the files that it names; none for a built-in game.
    folder: Option<PathBuf>,
    /// The whole file.
    text: String,
    /// The text of the board in it, if it has one, in the same lines.
    board: Option<String>,
}

/// The line before the board of a file that has its own.
const BOARD_HEAD: &str = "[board]";

impl Source {
    /// Reads a file, with the board in it, if there is one.
    fn of(path: Option<String>, text: &str, folder: Option<PathBuf>) -> Result<Source, Vec<FileFault>> {
        let lines: Vec<&str> = text.lines().collect();
        let head = lines.iter().position(|line| line.split('#').next().unwrap_or_default().trim() == BOARD_HEAD);
        let game = head.map_or_else(|| text.to_owned(), |head| lines[..head].join("\n"));
        let document = Document::parse(path, &game)?;
        let board = head.map(|head| {
            let tables = lines[head + 1..].iter().map(|line| line.replacen("[board.", "[", 1));
            // Board and game have the same id and title, on lines that are empty here.
            let [id, title] = ["id", "title"].map(|key| Value::from(document.text(key).unwrap_or_default()));
            let named = [format!("id = {id}"), format!("title = {title}")];
            let before = named.into_iter().chain(std::iter::repeat(String::new())).take(head + 1);
            before.chain(tables).collect::<Vec<_>>().join("\n")
        });
        if board.is_some() && document.table().contains_key("board") {
            let problem = Problem::key("board", format!("expected a name or the table {BOARD_HEAD}, found both"));
            return Err(vec![document.fault(problem)]);
        }
        Ok(Source { document, folder, text: text.to_owned(), board })
    }
}

impl VariantFile {
    /// Reads a variant file. A board that is not built in, and a file that it extends, are looked up beside the file.
    ///
    /// # Errors
    /// All faults of the files, or the reason why the file can't be read.
    pub fn read(path: &Path) -> Result<VariantFile, VariantError> {
        let folder = path.parent().map(Path::to_owned);
        let own = Source::of(Some(path.display().to_string()), &read_file(path)?, folder).map_err(FileFaults::from)?;
        let seen = Vec::from_iter(path.canonicalize().ok());
        Ok(VariantFile::of(own, Some(path.to_owned()), seen).map_err(FileFaults::from)?)
    }

    /// The game.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The text of the file, then of those that it extends.
    pub fn texts(&self) -> Vec<&str> {
        self.sources.files.iter().map(|source| source.text.as_str()).collect()
    }

    fn into_variant(self) -> Variant {
        Arc::into_inner(self.variant).expect("the file has been the only owner")
    }

    fn of(own: Source, path: Option<PathBuf>, seen: Vec<PathBuf>) -> Result<VariantFile, Vec<FileFault>> {
        let sources = VariantSources::of(with_extended(own, seen)?);
        let own = &sources.files[0].document;
        if let Some(board) = sources.files.iter().find(|source| is_board(&source.document)) {
            let text = "this is a board file; expected a variant file, which names it as its board";
            return Err(vec![board.document.fault(Problem::new(KeyPlace::File, text))]);
        }
        let mut faults: Vec<FileFault> = sources.files.iter().flat_map(|source| source.document.check(KEYS)).collect();
        let lacks = missing(KEYS, &sources.values);
        faults.extend(lacks.map(|text| own.fault(Problem::new(KeyPlace::File, text))));
        if let Some(id) = own.text("id") {
            faults.extend(id_problem(id).map(|problem| own.fault(problem)));
            if is_reserved(id) {
                let text = format!("\"{id}\" means something else in texts of positions; expected another word");
                faults.push(own.fault(Problem::key("id", text)));
            }
        }
        let Some((board, board_file)) = sources.find_board(&mut faults) else { return Err(faults) };
        if !faults.is_empty() {
            // What stands behind a misspelt key is to replace an inherited value, which need not fit the rest.
            let meant: Vec<&str> =
                sources.files.iter().flat_map(|source| meant_keys(KEYS, source.document.table())).collect();
            if !meant.contains(&"board") {
                let problems = problems_of_points(&sources.values, &board).into_iter();
                faults.extend(sources.faults(problems.filter(|p| !meant.contains(&p.place.name())).collect()));
            }
            return Err(faults);
        }
        let words = rule_words(&sources.values).map_err(|error| vec![own.refused(&error)])?;
        let text = |key: &str| sources.values.get(key).and_then(Value::as_str).unwrap_or_default();
        let names = sources.values.get("names").cloned().map_or_else(|| Ok(Names::default()), Value::try_into);
        let notes = own.table().get("notes").and_then(Value::as_array).into_iter().flatten();
        let heading = Heading {
            id: text("id").to_owned(),
            title: one_line(text("title")),
            notes: notes.filter_map(Value::as_str).map(str::to_owned).collect(),
            names: names.map_err(|error| vec![own.refused(&error)])?,
            source: sources.files[0].text.clone(),
            path,
        };
        let variant = Variant::new(heading, board, words, text("opening"));
        let variant = Arc::new(variant.map_err(|problems| sources.faults(problems))?);
        Ok(VariantFile { sources, board: board_file, variant })
    }

    /// Probable mistakes in a game that can be played: those of the board, an opening that is over.
    pub fn probable_mistakes(&self) -> Vec<FileFault> {
        let variant = &self.variant;
        let mut faults: Vec<FileFault> = self.board.iter().flat_map(BoardFile::probable_mistakes).collect();
        let mut wrong = |text: String| faults.extend(self.sources.faults(vec![Problem::key("opening", text)]));
        if variant.opening().rebels_left() == 0 {
            wrong(NO_REBELS.to_owned());
            return faults;
        }
        let opening = variant.opening();
        // Rebels that begin, and hold their goal, win with any move that does not give it up.
        let is_held = variant.rules().have_reached_goal(opening.rebels());
        let held = is_held.then_some(Outcome::Goal(Side::Rebels));
        if let Some(outcome) = variant.outcome(opening).or(held) {
            let expected = match (outcome, opening.side(), variant.rule_set().forward) {
                (Outcome::NoMove(_), Side::General, _) if !variant.board().has(opening.general()) => {
                    "a free point for the General in hand"
                }
                (Outcome::NoMove(_), Side::General, _) => "a free point beside the General",
                (Outcome::NoMove(_), ..) if opening.hand() > 0 => "a free point for the Rebels in hand",
                (Outcome::NoMove(_), _, ForwardRule::Any) => "a free point beside a Rebel",
                (Outcome::NoMove(_), _, ForwardRule::NeverBack) => "a free point above or beside a Rebel",
                (Outcome::NoMove(_), _, ForwardRule::Only) => "a free point above a Rebel",
                (Outcome::NoMove(_), _, ForwardRule::Straight) => "a free point straight above a Rebel",
                _ => "an opening from which the game goes on",
            };
            wrong(format!("the game is over before the first move: {outcome}; expected {expected}"));
        }
        faults
    }

    /// Possible mistakes.
    pub fn warnings(&self) -> Vec<FileFault> {
        let variant = &self.variant;
        let board = self.board.iter().filter(|_| variant.rule_set().need_lines());
        let mut warnings: Vec<FileFault> = board.flat_map(BoardFile::warnings).collect();
        let mut problems = points_twice(&self.sources.values);
        let (rebels, points) = (variant.opening().rebels_left(), variant.board().len() as u32);
        if rebels >= points {
            let text = format!("{rebels} Rebels and the General on a board of {points} points; expected fewer Rebels");
            problems.push(Problem::key("opening", text));
        }
        let namesake = Variant::builtin(variant.id()).filter(|other| other.fingerprint() != variant.fingerprint());
        if let Some(other) = namesake {
            let found = format!("\"{}\" is the built-in game {}, whose rules are others", other.id(), other.title());
            let problem = Problem::key("id", format!("{found}; expected an id of its own"));
            problems.push(problem);
        }
        warnings.extend(self.sources.faults(problems).into_iter().map(FileFault::into_warning));
        warnings
    }
}

impl VariantSources {
    /// Of several values of a key that of the earlier file counts.
    fn of(files: Vec<Source>) -> VariantSources {
        let (mut values, mut origins) = (Table::new(), BTreeMap::new());
        for (number, source) in files.iter().enumerate() {
            let is_inherited = |key: &String| number == 0 || !OWN.contains(&key.as_str());
            for (key, value) in source.document.table().iter().filter(|(key, _)| is_inherited(key)) {
                if !values.contains_key(key) {
                    values.insert(key.clone(), value.clone());
                    origins.insert(key.clone(), number);
                }
            }
            if source.board.is_some() && !values.contains_key("board") {
                values.insert("board".to_owned(), Value::from(BOARD_HEAD));
                origins.insert("board".to_owned(), number);
            }
        }
        VariantSources { files, values, origins }
    }

    /// The file with the value of a key; the first for a missing key.
    fn origin(&self, key: &str) -> &Source {
        &self.files[self.origin_number(key)]
    }

    fn origin_number(&self, key: &str) -> usize {
        self.origins.get(key).copied().unwrap_or(0)
    }

    /// The faults of problems. One with an inherited value is a fault of the first file, since the other may be right by itself.
    fn faults(&self, problems: Vec<Problem>) -> Vec<FileFault> {
        let own = &self.files[0].document;
        let fault = |problem: Problem| match self.origin_number(problem.place.name()) {
            0 => own.fault(problem),
            other => {
                let fault = self.files[other].document.fault(problem);
                own.fault(Problem::key("extends", format!("inherited from {fault}")))
            }
        };
        problems.into_iter().map(fault).collect()
    }

    /// The board, with its file where it is not built in.
    fn find_board(&self, faults: &mut Vec<FileFault>) -> Option<(Arc<Board>, Option<BoardFile>)> {
        let word = self.values.get("board")?.as_str()?;
        let wrong = |text: String| self.faults(vec![Problem::key("board", text)]);
        let origin = self.origin("board");
        let found = match &origin.board {
            Some(text) => Document::parse(origin.document.path().map(str::to_owned), text)
                .and_then(|document| BoardFile::of(document, 1))
                .map(|file| (Arc::clone(&file.board), Some(file))),
            None => BoardFile::named(word, origin.folder.as_deref(), 1, wrong),
        };
        match found {
            Ok(found) => Some(found),
            Err(more) => {
                faults.extend(more);
                None
            }
        }
    }
}

/// A file, then what it extends, then what that extends. `seen` are the canonical paths of the files so far.
fn with_extended(own: Source, mut seen: Vec<PathBuf>) -> Result<Vec<Source>, Vec<FileFault>> {
    let mut sources = vec![own];
    while let Some(last) = sources.last()
        && let Some(word) = last.document.text("extends")
    {
        let wrong = |text: String| vec![last.document.fault(Problem::key("extends", text))];
        if sources.len() >= LONGEST_CHAIN {
            return Err(wrong(too_long_chain()));
        }
        let next = if let Some(game) = games::get(word) {
            let path = format!("{word}{BUILT_IN}");
            Source::of(Some(path), game.rules, None)?
        } else if let (true, Some(folder)) = (word.ends_with(".toml"), &last.folder) {
            let path = folder.join(word);
            let text = read_file(&path).map_err(|error| wrong(format!("{error}; expected a variant file")))?;
            if let Ok(canonical) = path.canonicalize() {
                if seen.contains(&canonical) {
                    return Err(wrong(format!("\"{word}\" leads back to itself; expected another file")));
                }
                seen.push(canonical);
            }
            Source::of(Some(path.display().to_string()), &text, path.parent().map(Path::to_owned))?
        } else {
            let meant = did_you_mean(word, Variant::all_ids());
            let file = if last.folder.is_some() { ", or a variant file whose name ends in .toml" } else { "" };
            let expected = format!("expected the id of a built-in game{file}");
            return Err(wrong(format!("found {}; {expected}{meant}", quoted(word))));
        };
        sources.push(next);
    }
    Ok(sources)
}

fn too_long_chain() -> String {
    format!("more than {LONGEST_CHAIN} files, each extending the next; expected fewer")
}

fn quoted(word: &str) -> String {
    crate::toml_file::found(&Value::from(word))
}

/// Wrong points of the opening and of lists, which do not depend on other keys.
fn problems_of_points(values: &Table, board: &Board) -> Vec<Problem> {
    let wrong_lists = POINT_LISTS.iter().flat_map(|(key, _)| {
        let list = values.get(*key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        unknown_points(key, list.iter().map(Value::as_str), board)
    });
    let opening = values.get("opening").and_then(Value::as_str);
    let wrong_rows = opening.and_then(|rows| opening_pieces(rows, board, board.all()).err());
    wrong_lists.chain(wrong_rows).collect()
}

/// Points that stand twice in a list.
fn points_twice(values: &Table) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (key, _) in POINT_LISTS {
        let list = values.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let names: Vec<Option<PointName>> = list.iter().map(|name| name.as_str()?.parse().ok()).collect();
        for number in (1..names.len()).filter(|number| names[..*number].contains(&names[*number])) {
            let text = format!("{} for the second time; expected each point once", list[number]);
            problems.push(Problem::new(KeyPlace::item(key, number), text));
        }
    }
    problems
}

/// The rule words among values that have passed the check of keys.
fn rule_words(values: &Table) -> Result<RuleSet, toml::de::Error> {
    let is_none = |key: &Key, value: &Value| {
        matches!(key.kind, Kind::NumberOrNone(..) | Kind::GroupOrNone(_)) && value.as_str() == Some(NONE)
    };
    let is_word = |(name, value): &(&String, &Value)| {
        WORDS.iter().any(|word| word.key.name == *name && !is_none(&word.key, value))
    };
    let words: Table = values.iter().filter(is_word).map(|(key, value)| (key.clone(), value.clone())).collect();
    words.try_into()
}

type Entry = (&'static GameFiles, OnceCell<Arc<Variant>>);

/// The built-in games. Each is compiled when it is first used, so that a process that plays one game starts at once.
static REGISTRY: Lazy<Vec<Entry>> = Lazy::new(|| games::all().iter().map(|files| (files, OnceCell::new())).collect());

impl Variant {
    /// Reads a variant file. A board that is not built in, and a file that it extends, are looked up beside the file.
    ///
    /// # Errors
    /// All faults of the files, or the reason why the file can't be read.
    pub fn from_file(path: &Path) -> Result<Variant, VariantError> {
        Ok(VariantFile::read(path)?.into_variant())
    }

    /// Reads the text of a variant file. `folder` is that of board files and files that it extends; without it
    /// only built-in ones can be named.
    ///
    /// # Errors
    /// All faults of the files.
    pub fn from_toml(text: &str, folder: Option<&Path>) -> Result<Variant, VariantError> {
        let own = Source::of(None, text, folder.map(Path::to_owned)).map_err(FileFaults::from)?;
        Ok(VariantFile::of(own, None, Vec::new()).map_err(FileFaults::from)?.into_variant())
    }

    /// The ids of the built-in variants of RULES §6, in that order.
    pub fn builtin_ids() -> impl Iterator<Item = &'static str> {
        games::all().iter().filter(|files| !files.is_relative()).map(|files| files.id)
    }

    /// The ids of the built-in games of other families.
    pub fn relative_ids() -> impl Iterator<Item = &'static str> {
        games::all().iter().filter(|files| files.is_relative()).map(|files| files.id)
    }

    /// The ids of all built-in games: the family, then its relatives.
    pub fn all_ids() -> impl Iterator<Item = &'static str> {
        Variant::builtin_ids().chain(Variant::relative_ids())
    }

    /// The built-in variant with this id.
    pub fn builtin(id: &str) -> Option<Arc<Variant>> {
        let (files, variant) = REGISTRY.iter().find(|(files, _)| files.id == id)?;
        let read = || Arc::new(Variant::from_toml(files.rules, None).expect("a test reads all built-in rules"));
        Some(Arc::clone(variant.get_or_init(read)))
    }

    /// The built-in game whose fitted data hold for this variant, too, among those that have such data: that with the same rules, or
    /// else one that differs only in the opening, the attrition limit or the side that moves first, which say little about how a game is played.
    pub fn known_game(&self, has_data: impl Fn(&GameFiles) -> bool) -> Option<&'static GameFiles> {
        let find = |suits: fn(&Variant, &Variant) -> bool| {
            // The one with the same id comes first: then the others need not be read.
            let games = games::get(self.id()).into_iter().chain(games::all());
            games
                .filter(|files| has_data(files))
                .find(|files| Variant::builtin(files.id).is_some_and(|builtin| suits(&builtin, self)))
        };
        find(|builtin, variant| builtin.fingerprint() == variant.fingerprint()).or_else(|| find(is_played_alike))
    }
}

/// True if these games differ only in the opening, the attrition limit and the side that moves first.
fn is_played_alike(one: &Variant, other: &Variant) -> bool {
    let RuleSet { first, rebels_at_most, .. } = *other.rule_set();
    RuleSet { first, rebels_at_most, ..one.rule_set().clone() } == *other.rule_set()
        && geometry_text(one.board()) == geometry_text(other.board())
}
