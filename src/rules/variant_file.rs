//! Variant files: the built-in ones, and files of users with all that they extend and name. Every fault has its file
//! and line.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use once_cell::sync::{Lazy, OnceCell};
use privy_base::bounded_read;
use privy_base::message::{did_you_mean, sanitized, shown};
use privy_protocol::Side;

use crate::board::Board;
use crate::games::{self, GameFiles};
use crate::names::Names;
use crate::outcome::Outcome;
use crate::rule_set::{KEYS, RuleSet};
use crate::toml_file::{BUILT_IN, Entry, FileFault, FileFaults, Problem, check_keys, missing, one_line};
use crate::variant::{Heading, Variant, VariantError, geometry_text, opening_is_over};

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

/// A board file with the places of its values.
#[derive(Debug)]
pub struct BoardFile {
    file: Entry,
    /// The board.
    pub board: Arc<Board>,
}

fn has_keys_of_board(file: &Entry) -> bool {
    file.has_any(&["field", "points", "lines", "edges", "privy", "without"])
}

/// True for a file with keys of a board alone. Both kinds of files may extend others.
fn is_board(file: &Entry) -> bool {
    has_keys_of_board(file) && !file.has_any(&["opening", "board", "first"])
}

impl BoardFile {
    /// Reads a board file; returns [`None`] if the file is of another kind, such as a variant file.
    ///
    /// # Errors
    /// All faults of the file, or the reason why it can't be read.
    pub fn read(path: &Path) -> Result<Option<BoardFile>, VariantError> {
        match Entry::parse_file(path, &read_file(path)?) {
            Ok(file) if is_board(&file) => Ok(Some(BoardFile::of(file, 1, None).map_err(FileFaults::from)?)),
            // A file that is not TOML has the same error as a variant file.
            _ => Ok(None),
        }
    }

    /// Reads the keys of a board as [`Board::from_keys`] does. `files` are those from the first that names another to
    /// this one.
    fn of(file: Entry, files: usize, of_game: Option<(&str, &str)>) -> Result<BoardFile, Vec<FileFault>> {
        if !has_keys_of_board(&file) && file.has_any(&["opening", "board", "first", "extends"]) {
            return Err(vec![file.fault("this is a variant file; expected a board file, which has lines")]);
        }
        let wrong = |text: String| vec![file.fault_of("extends", text)];
        let extended = match file.text_of("extends") {
            Some(_) if files >= LONGEST_CHAIN => return Err(wrong(too_long_chain())),
            Some(word) => Some(BoardFile::named(word, &file, files + 1, wrong)?.0),
            None => None,
        };
        let board = Arc::new(Board::from_keys(&file, extended.as_deref(), of_game)?);
        Ok(BoardFile { file, board })
    }

    /// The board that a file names, with its file where it is not built in. `wrong` says what is wrong with the word.
    fn named(
        word: &str,
        by: &Entry,
        files: usize,
        wrong: impl Fn(String) -> Vec<FileFault>,
    ) -> Result<FoundBoard, Vec<FileFault>> {
        let Some(path) = path_beside(by, word) else {
            let file = if by.folder().is_some() { ", or a board file whose name ends in .toml" } else { "" };
            return Board::builtin_or(word, file).map(|board| (board, None)).map_err(wrong);
        };
        let text = read_file(&path).map_err(|error| wrong(format!("{error}; expected a board file")))?;
        let file = BoardFile::of(Entry::parse_file(&path, &text)?, files, None)?;
        Ok((Arc::clone(&file.board), Some(file)))
    }

    /// Probable mistakes: lines that pass over points, points that no piece can reach.
    pub fn probable_mistakes(&self) -> Vec<FileFault> {
        self.board.probable_mistakes().iter().map(|problem| self.file.fault_at(problem)).collect()
    }

    /// Possible mistakes: straight lines in pieces.
    pub fn warnings(&self) -> Vec<FileFault> {
        self.board.lines_in_pieces().iter().map(|problem| self.file.fault_at(problem).into_warning()).collect()
    }
}

/// A board, with its file where it is not built in.
type FoundBoard = (Arc<Board>, Option<BoardFile>);

/// The path of another file that a file names by this word, if it can and does.
fn path_beside(file: &Entry, word: &str) -> Option<PathBuf> {
    Some(file.folder()?.join(word)).filter(|_| word.ends_with(".toml"))
}

/// A variant file with the places of its values, for faults that are found later.
#[derive(Debug)]
pub struct VariantFile {
    /// The file, then those that it extends.
    files: Vec<Entry>,
    /// The keys of all files; of several values of a key that of the earlier file.
    keys: Entry,
    board: Option<BoardFile>,
    /// The game.
    pub variant: Arc<Variant>,
}

impl VariantFile {
    /// Reads a variant file. A board that is not built in, and a file that it extends, are looked up beside the file.
    ///
    /// # Errors
    /// All faults of the files, or the reason why the file can't be read.
    pub fn read(path: &Path) -> Result<VariantFile, VariantError> {
        let own = Entry::parse_file(path, &read_file(path)?).map_err(FileFaults::from)?;
        Ok(VariantFile::of(own, Some(path.to_owned())).map_err(FileFaults::from)?)
    }

    /// The text of the file, then of those that it extends.
    pub fn texts(&self) -> Vec<&str> {
        self.files.iter().map(Entry::source).collect()
    }

    fn into_variant(self) -> Variant {
        Arc::into_inner(self.variant).expect("the file has been the only owner")
    }

    fn of(own: Entry, path: Option<PathBuf>) -> Result<VariantFile, Vec<FileFault>> {
        let files = with_extended(own)?;
        let own = &files[0];
        if let Some(board) = files.iter().find(|file| is_board(file)) {
            return Err(vec![
                board.fault("this is a board file; expected a variant file, which names it as its board"),
            ]);
        }
        let mut keys = own.clone();
        files[1..].iter().for_each(|file| keys.inherit(file, |key| !OWN.contains(&key)));
        let mut faults: Vec<FileFault> = files.iter().flat_map(|file| check_keys(&KEYS, &[], file)).collect();
        faults.extend(missing(&KEYS, &keys).map(|text| own.fault(text)));
        if let Some(id) = own.text_of("id").filter(|id| is_reserved(id)) {
            let text = format!("\"{id}\" means something else in texts of positions; expected another word");
            faults.push(own.fault_of("id", text));
        }
        let (board, board_file) = match find_board(&files, &keys) {
            Ok(found) if faults.is_empty() => found,
            found => {
                faults.extend(found.err().into_iter().flatten());
                return Err(faults);
            }
        };
        let text = |key: &str| keys.text_of(key).unwrap_or_default();
        let heading = Heading {
            id: text("id").to_owned(),
            title: one_line(text("title")),
            notes: keys.texts_of("notes").map(|(note, _)| note.to_owned()).collect(),
            names: keys.value_of::<Names>("names").unwrap_or_default(),
            source: own.source().to_owned(),
            path,
        };
        let variant = Variant::new(heading, board, RuleSet::read(&keys), text("opening"));
        let variant = Arc::new(variant.map_err(|problems| faults_at(&keys, &problems))?);
        Ok(VariantFile { files, keys, board: board_file, variant })
    }

    /// Probable mistakes in a game that can be played: those of the board, an opening that is over.
    pub fn probable_mistakes(&self) -> Vec<FileFault> {
        let variant = &self.variant;
        let mut faults: Vec<FileFault> = self.board.iter().flat_map(BoardFile::probable_mistakes).collect();
        let opening = variant.opening();
        // Rebels that begin, and hold their goal, win with any move that does not give it up.
        let is_held = variant.rules().have_reached_goal(opening.rebels());
        let held = is_held.then_some(Outcome::Goal(Side::Rebels));
        let over = variant.outcome(opening).or(held).map(opening_is_over);
        faults.extend(faults_at(&self.keys, over.as_slice()));
        faults
    }

    /// Possible mistakes.
    pub fn warnings(&self) -> Vec<FileFault> {
        let variant = &self.variant;
        let board = self.board.iter().filter(|_| variant.rule_set().need_lines());
        let mut warnings: Vec<FileFault> = board.flat_map(BoardFile::warnings).collect();
        let namesake = Variant::builtin(variant.id()).filter(|other| other.fingerprint() != variant.fingerprint());
        if let Some(other) = namesake {
            let found =
                format!("\"{}\" is the built-in game {}, which has different rules", other.id(), other.heading.title);
            let fault = self.keys.fault_of("id", format!("{found}; expected another id"));
            warnings.push(in_own_file(&self.keys, fault).into_warning());
        }
        warnings
    }
}

/// The faults of problems, in the first file.
fn faults_at(keys: &Entry, problems: &[Problem]) -> Vec<FileFault> {
    problems.iter().map(|problem| in_own_file(keys, keys.fault_at(problem))).collect()
}

/// A fault of an inherited value as one of the first file, since the other may be right by itself.
fn in_own_file(keys: &Entry, fault: FileFault) -> FileFault {
    if keys.is_in(&fault) { fault } else { keys.fault_of("extends", format!("inherited from {fault}")) }
}

/// The board, with its file where it is not built in. A key that is missing or wrong has its fault already.
fn find_board(files: &[Entry], keys: &Entry) -> Result<FoundBoard, Vec<FileFault>> {
    let board = keys.get("board").ok_or_else(Vec::new)?;
    if let Some(word) = board.text() {
        return BoardFile::named(word, board, 1, |text| faults_at(keys, &[Problem::new("board", text)]));
    }
    let file = files.iter().find(|file| board.is_table() && file.is_beside(board)).ok_or_else(Vec::new)?;
    let text = |key| file.text_of(key).unwrap_or_default();
    let file = BoardFile::of(board.clone(), 1, Some((text("id"), text("title"))))?;
    Ok((Arc::clone(&file.board), Some(file)))
}

/// A file, then what it extends, then what that extends. A file that leads back to itself is too long a chain.
fn with_extended(own: Entry) -> Result<Vec<Entry>, Vec<FileFault>> {
    let mut files = vec![own];
    while let Some(last) = files.last()
        && let Some(word) = last.text_of("extends")
    {
        let wrong = |text: String| vec![last.fault_of("extends", text)];
        if files.len() >= LONGEST_CHAIN {
            return Err(wrong(too_long_chain()));
        }
        let next = if let Some(game) = games::get(word) {
            Entry::parse(Some(format!("{word}{BUILT_IN}")), None, game.rules)?
        } else if let Some(path) = path_beside(last, word) {
            let text = read_file(&path).map_err(|error| wrong(format!("{error}; expected a variant file")))?;
            Entry::parse_file(&path, &text)?
        } else {
            let meant = did_you_mean(word, Variant::all_ids());
            let file = if last.folder().is_some() { ", or a variant file whose name ends in .toml" } else { "" };
            let found = sanitized(word, 60);
            return Err(wrong(format!("found \"{found}\"; expected the id of a built-in game{file}{meant}")));
        };
        files.push(next);
    }
    Ok(files)
}

fn too_long_chain() -> String {
    format!("more than {LONGEST_CHAIN} files, each extending the next; expected fewer")
}

type Builtin = (&'static GameFiles, OnceCell<Arc<Variant>>);

/// The built-in games. Each is compiled when it is first used, so that a process that plays one game starts at once.
static REGISTRY: Lazy<Vec<Builtin>> = Lazy::new(|| games::all().iter().map(|files| (files, OnceCell::new())).collect());

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
        let own = Entry::parse(None, folder, text).map_err(FileFaults::from)?;
        Ok(VariantFile::of(own, None).map_err(FileFaults::from)?.into_variant())
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

    /// The built-in game whose fitted data hold for this variant, too, among those that have such data: that with the
    /// same rules, or else one that differs only in the opening, the attrition limit or the side that moves first,
    /// which say little about how a game is played.
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
