//! Board files as users write them: read, and told of slips with their lines.

use std::path::Path;
use std::sync::Arc;

use crate::board::Board;
use crate::foreign_file::{open_file, read_bounded};
use crate::toml_file::{Document, Fault, Faults, Place, Problem};

use super::VariantError;

/// Nobody writes larger files; a device would never end.
const LARGEST_FILE: u64 = 1 << 20;

/// Reads a file that somebody wrote.
///
/// # Errors
/// When it can't be read, or is none that somebody wrote.
pub(crate) fn read_file(path: &Path) -> Result<String, VariantError> {
    let failed = |reason: String| VariantError::Unreadable { path: path.display().to_string(), reason };
    let text = open_file(path).and_then(|file| read_bounded(file, LARGEST_FILE));
    text.map_err(|error| failed(error.to_string()))
}

/// A board file with the places of what it says.
#[derive(Debug)]
pub struct BoardFile {
    document: Document,
    board: Arc<Board>,
}

/// Keys that only board files have, and keys that only variant files have.
const OF_BOARD: &[&str] = &["field", "lines", "privy"];
const OF_VARIANT: &[&str] = &["opening", "board", "first", "extends"];

fn has_any(document: &Document, keys: &[&str]) -> bool {
    keys.iter().any(|key| document.get(key).is_some())
}

/// Is it the text of a board file, by its keys?
pub(super) fn is_board(document: &Document) -> bool {
    has_any(document, OF_BOARD) && !has_any(document, OF_VARIANT)
}

impl BoardFile {
    /// Reads a board file; none when the file is TOML of another kind, such as a variant file.
    ///
    /// # Errors
    /// Says all that is wrong with the file, or that it can't be read.
    pub fn read(path: &Path) -> Result<Option<BoardFile>, VariantError> {
        let text = read_file(path)?;
        // What is no TOML is no board file either; as a variant file its error is the same.
        let Ok(document) = Document::parse(Some(path.display().to_string()), &text) else { return Ok(None) };
        if !is_board(&document) {
            return Ok(None);
        }
        Ok(Some(BoardFile::of(document).map_err(Faults::from)?))
    }

    /// Reads the text of a board file.
    pub(super) fn of_text(path: &Path, text: &str) -> Result<BoardFile, Vec<Fault>> {
        let document = Document::parse(Some(path.display().to_string()), text).map_err(|fault| vec![fault])?;
        if has_any(&document, OF_VARIANT) && !has_any(&document, OF_BOARD) {
            let problem = Problem::new(Place::File, "this is a variant file; expected a board file, which has lines");
            return Err(vec![document.fault(problem)]);
        }
        BoardFile::of(document)
    }

    fn of(document: Document) -> Result<BoardFile, Vec<Fault>> {
        let board = Arc::new(Board::from_document(&document)?);
        Ok(BoardFile { document, board })
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// What can be played with but can hardly be meant: lines that pass over points, points that nobody can reach.
    #[must_use]
    pub fn slips(&self) -> Vec<Fault> {
        self.document.faults(self.board.slips())
    }

    /// What is not wrong, but may be meant otherwise.
    #[must_use]
    pub fn warnings(&self) -> Vec<Fault> {
        self.document.faults(self.board.remarks()).into_iter().map(Fault::into_warning).collect()
    }
}
