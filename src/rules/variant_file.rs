//! Variant files: a file, those that it extends, its board file; and what is wrong with them, where.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::{Table, Value};

use crate::board::{Board, id_problem};
use crate::games;
use crate::similar::did_you_mean;
use crate::toml_file::{Document, Fault, Faults, Kind, NONE, Place, Problem, missing};

use super::board_file::{BoardFile, is_board, read_file};
use super::keys::{HEADING, KEYS, OWN};
use super::rule_set::RuleSet;
use super::variant::NO_REBELS;
use super::{Outcome, Variant, VariantError};

/// Words that mean something else where an id may stand.
const RESERVED: [&str; 3] = ["startpos", "fen", "moves"];

/// The most files of which each extends the next.
const LONGEST_CHAIN: usize = 8;

/// A variant file with the places of all that it says, so that what is found later can be told with its line.
#[derive(Debug)]
pub struct VariantFile {
    /// The file, then what each extends.
    sources: Vec<Source>,
    /// What they say together.
    values: Table,
    /// The number of the source of each key.
    origins: BTreeMap<String, usize>,
    /// The board file; none where the board is built in.
    board: Option<BoardFile>,
    variant: Arc<Variant>,
}

/// One of the files.
#[derive(Debug)]
struct Source {
    document: Document,
    /// Where files beside it are; none for what is no file.
    folder: Option<PathBuf>,
}

impl VariantFile {
    /// Reads a variant file. A board that is not built in, and a file that it extends, are looked up beside the file.
    ///
    /// # Errors
    /// Says all that is wrong with the files, or that the file can't be read.
    pub fn read(path: &Path) -> Result<VariantFile, VariantError> {
        let document = Document::parse(Some(path.display().to_string()), &read_file(path)?).map_err(Faults::from)?;
        let folder = path.parent().map(Path::to_owned);
        let mut seen = Vec::from_iter(path.canonicalize().ok());
        let mut file = VariantFile::of(document, folder, &mut seen).map_err(Faults::from)?;
        let variant = Arc::get_mut(&mut file.variant).expect("nobody else has it yet");
        variant.set_path(path.to_owned());
        Ok(file)
    }

    /// Reads the text of a variant file. `folder` is where other files are looked up; without it only what is built in can be named.
    pub(super) fn of_text(text: &str, folder: Option<&Path>) -> Result<VariantFile, Faults> {
        let document = Document::parse(None, text)?;
        Ok(VariantFile::of(document, folder.map(Path::to_owned), &mut Vec::new())?)
    }

    /// The game.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The game alone.
    pub(super) fn into_variant(self) -> Variant {
        Arc::into_inner(self.variant).expect("the file has been the only owner")
    }

    fn of(document: Document, folder: Option<PathBuf>, seen: &mut Vec<PathBuf>) -> Result<VariantFile, Vec<Fault>> {
        let sources = with_extended(Source { document, folder }, seen)?;
        if let Some(board) = sources.iter().find(|source| is_board(&source.document)) {
            let text = "this is a board file; expected a variant file, which names it as its board";
            return Err(vec![board.document.fault(Problem::new(Place::File, text))]);
        }
        let mut faults: Vec<Fault> = sources.iter().flat_map(|source| source.document.check(KEYS)).collect();
        let (mut values, mut origins) = (Table::new(), BTreeMap::new());
        for (number, source) in sources.iter().enumerate() {
            let inherited = |key: &String| number == 0 || !OWN.contains(&key.as_str());
            for (key, value) in source.document.table().iter().filter(|(key, _)| inherited(key)) {
                if !values.contains_key(key) {
                    values.insert(key.clone(), value.clone());
                    origins.insert(key.clone(), number);
                }
            }
        }
        let [own, ..] = sources.as_slice() else { return Err(faults) };
        let lacks = missing(KEYS, &values);
        faults.extend(lacks.map(|text| own.document.fault(Problem::new(Place::File, text))));
        if let Some(id) = own.document.text("id") {
            faults.extend(id_problem(id).map(|problem| own.document.fault(problem)));
            if RESERVED.contains(&id) {
                let text = format!("\"{id}\" means something else in texts of positions; expected another word");
                faults.push(own.document.fault(Problem::key("id", text)));
            }
        }
        let board = find_board(&sources, &values, &origins, &mut faults);
        let (Some((board, board_file)), true) = (board, faults.is_empty()) else { return Err(faults) };
        let words = rule_words(&values).map_err(|error| vec![own.document.refused(&error)])?;
        let text = |key: &str| values.get(key).and_then(Value::as_str).unwrap_or_default();
        let variant = Variant::new(board, words, text("opening"));
        let variant = variant.map_err(|problems| in_sources(&sources, &origins, problems))?;
        let notes = own.document.get("notes").and_then(Value::as_array).into_iter().flatten();
        let notes = notes.filter_map(Value::as_str).map(str::to_owned).collect();
        let variant = variant.with_heading(text("id"), text("title"), notes, own.document.source());
        Ok(VariantFile { sources, values, origins, board: board_file, variant: Arc::new(variant) })
    }

    /// What the game can be played with but can hardly be meant: slips of the pen in the board, an opening that is over.
    #[must_use]
    pub fn slips(&self) -> Vec<Fault> {
        let variant = &self.variant;
        let mut faults: Vec<Fault> = self.board.iter().flat_map(BoardFile::slips).collect();
        let mut problems = Vec::new();
        if variant.opening().rebels().is_empty() {
            problems.push(Problem::key("opening", NO_REBELS));
        } else if let Some(outcome) = variant.outcome(variant.opening()) {
            let expected = match outcome {
                Outcome::RebelsNoMove => "a free point beside the General",
                Outcome::GeneralNoMove => "a free point beside a Rebel",
                _ => "an opening from which the game goes on",
            };
            let found = format!("the game is over before the first move: {outcome}");
            problems.push(Problem::key("opening", format!("{found}; expected {expected}")));
        }
        faults.extend(in_sources(&self.sources, &self.origins, problems));
        faults
    }

    /// What is not wrong, but may be meant otherwise.
    #[must_use]
    pub fn warnings(&self) -> Vec<Fault> {
        let variant = &self.variant;
        let mut warnings: Vec<Fault> = self.board.iter().flat_map(BoardFile::warnings).collect();
        let namesake = Variant::builtin(variant.id()).filter(|other| other.fingerprint() != variant.fingerprint());
        if let Some(other) = namesake {
            let found = format!("\"{}\" is the built-in game {}, whose rules are others", other.id(), other.title());
            let problem = Problem::key("id", format!("{found}; expected an id of its own"));
            warnings
                .extend(in_sources(&self.sources, &self.origins, vec![problem]).into_iter().map(Fault::into_warning));
        }
        warnings
    }

    /// The file that this one extends, as it names it.
    #[must_use]
    pub fn extends(&self) -> Option<&str> {
        self.values.get("extends")?.as_str()
    }
}

impl Variant {
    /// Reads a variant file. A board that is not built in, and a file that it extends, are looked up beside the file.
    ///
    /// # Errors
    /// Says what is wrong with the file, or that it can't be read.
    pub fn from_file(path: &Path) -> Result<Variant, VariantError> {
        Ok(VariantFile::read(path)?.into_variant())
    }

    /// Reads the text of a variant file. `folder` is where board files and files that it extends are looked up; without it
    /// only what is built in can be named.
    ///
    /// # Errors
    /// Says what is wrong and where.
    pub fn from_toml(text: &str, folder: Option<&Path>) -> Result<Variant, VariantError> {
        Ok(VariantFile::of_text(text, folder)?.into_variant())
    }
}

/// Problems in the files that say what is wrong.
fn in_sources(sources: &[Source], origins: &BTreeMap<String, usize>, problems: Vec<Problem>) -> Vec<Fault> {
    let fault = |problem: Problem| {
        let source = origins.get(problem.place.name()).and_then(|number| sources.get(*number)).or(sources.first());
        source.map(|source| source.document.fault(problem))
    };
    problems.into_iter().filter_map(fault).collect()
}

/// A file, then what it extends, then what that extends.
fn with_extended(own: Source, seen: &mut Vec<PathBuf>) -> Result<Vec<Source>, Vec<Fault>> {
    let mut sources = vec![own];
    while let Some(last) = sources.last()
        && let Some(word) = last.document.text("extends")
    {
        let wrong = |text: String| vec![last.document.fault(Problem::key("extends", text))];
        if sources.len() >= LONGEST_CHAIN {
            return Err(wrong(format!("more than {LONGEST_CHAIN} files, each extending the next; expected fewer")));
        }
        let next = if let Some(game) = games::get(word) {
            let path = format!("{word} (built in)");
            Source { document: Document::parse(Some(path), game.rules).map_err(|fault| vec![fault])?, folder: None }
        } else if let (true, Some(folder)) = (word.ends_with(".toml"), &last.folder) {
            let path = folder.join(word);
            let text = read_file(&path).map_err(|error| wrong(format!("{error}; expected a variant file")))?;
            if let Ok(canonical) = path.canonicalize() {
                if seen.contains(&canonical) {
                    return Err(wrong(format!("\"{word}\" leads back to itself; expected another file")));
                }
                seen.push(canonical);
            }
            let document = Document::parse(Some(path.display().to_string()), &text).map_err(|fault| vec![fault])?;
            Source { document, folder: path.parent().map(Path::to_owned) }
        } else {
            let meant = did_you_mean(word, Variant::all_ids());
            let expected = "expected the id of a built-in game, or a variant file whose name ends in .toml";
            return Err(wrong(format!("found {}; {expected}{meant}", quoted(word))));
        };
        sources.push(next);
    }
    Ok(sources)
}

fn quoted(word: &str) -> String {
    crate::toml_file::found(&Value::from(word))
}

/// The board, with its file where it is not built in; what is wrong goes to the faults.
fn find_board(
    sources: &[Source],
    values: &Table,
    origins: &BTreeMap<String, usize>,
    faults: &mut Vec<Fault>,
) -> Option<(Arc<Board>, Option<BoardFile>)> {
    let word = values.get("board")?.as_str()?;
    if let Some(board) = Board::builtin(word) {
        return Some((board, None));
    }
    let mut wrong = |text: String| faults.extend(in_sources(sources, origins, vec![Problem::key("board", text)]));
    let folder = origins.get("board").and_then(|number| sources.get(*number)).and_then(|source| source.folder.as_ref());
    let (true, Some(folder)) = (word.ends_with(".toml"), folder) else {
        let meant = did_you_mean(word, Board::builtin_ids());
        let ids: Vec<&str> = Board::builtin_ids().collect();
        let expected = format!("expected {}, or a board file whose name ends in .toml", ids.join(", "));
        wrong(format!("found {}; {expected}{meant}", quoted(word)));
        return None;
    };
    let path = folder.join(word);
    let text = match read_file(&path) {
        Ok(text) => text,
        Err(error) => {
            wrong(format!("{error}; expected a board file"));
            return None;
        }
    };
    match BoardFile::of_text(&path, &text) {
        Ok(file) => Some((Arc::clone(file.board()), Some(file))),
        Err(more) => {
            faults.extend(more);
            None
        }
    }
}

/// The rule words among the values of checked keys.
fn rule_words(values: &Table) -> Result<RuleSet, toml::de::Error> {
    let is_none = |key: &str, value: &Value| {
        let may_be_none = |kind: &Kind| matches!(kind, Kind::NumberOrNone(..) | Kind::GroupOrNone(_));
        KEYS.iter().any(|known| known.name == key && may_be_none(&known.kind)) && value.as_str() == Some(NONE)
    };
    let is_word = |(key, value): &(&String, &Value)| !HEADING.contains(&key.as_str()) && !is_none(key, value);
    let words: Table = values.iter().filter(is_word).map(|(key, value)| (key.clone(), value.clone())).collect();
    words.try_into()
}
