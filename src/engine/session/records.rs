//! `load` and `save`: records of games in files.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use privy_base::atomic_file::AtomicFile;
use privy_base::bounded_read::{open_file, read_bytes};
use privy_base::message::{counted, shown};
use privy_protocol::{ErrorCode, ProtocolError};
use privy_records::format::may_replace;
use privy_records::{Record, RecordFormat};
use privy_rules::Game;

use crate::Engine;

/// The largest file that is loaded, in bytes: records of some ten thousand games.
const LARGEST_FILE: u64 = 1 << 24;

/// Continues the game of a record, the only one of a file or the one of a number; on errors nothing changes.
pub(super) fn load(engine: &mut Engine, path: &Path, number: Option<u32>) -> Result<(), ProtocolError> {
    let failed =
        |reason: &dyn Display| ProtocolError::new(ErrorCode::CannotLoadFile, format!("{}: {reason}", shown(path)));
    let bytes = open_file(path).and_then(|file| read_bytes(file, LARGEST_FILE)).map_err(|error| failed(&error))?;
    let find = |id: &str| engine.known_variant(id);
    let records = RecordFormat::read(bytes, None, &find).map_err(|error| failed(&error))?;
    let count = records.len();
    let record = match number {
        None if count > 1 => return Err(failed(&format!("it has {}; say which one", counted(count, "game")))),
        None => records.into_iter().next(),
        Some(number) => records.into_iter().nth(number as usize - 1),
    };
    // Who sends the commands is not always the user, whose file this may be: what is no record is not quoted.
    let record = record.ok_or_else(|| failed(&format!("expected a game record, found {}", counted(count, "game"))))?;
    let record = record.map_err(|error| {
        failed(&format!("line {}: expected a game record; privy replay says what is wrong", error.line))
    })?;
    let game = record.replay(find(&record.variant).as_ref()).map_err(|error| failed(&error))?;
    engine.set_game(game);
    Ok(())
}

/// Adds a part to the text of records that a client sends in lines.
pub(super) fn add_text(engine: &mut Engine, part: &str) -> Result<(), ProtocolError> {
    if (engine.record_text.len() + part.len()) as u64 > LARGEST_FILE {
        engine.record_text = String::new();
        let reason = format!("expected {LARGEST_FILE} bytes at most");
        return Err(ProtocolError::new(ErrorCode::CannotLoadFile, reason));
    }
    engine.record_text.push_str(part);
    Ok(())
}

/// The games of the text that has been sent in another form.
pub(super) fn convert(engine: &mut Engine, format: RecordFormat, rest: &str) -> Result<String, ProtocolError> {
    let failed = |reason: &dyn Display| ProtocolError::new(ErrorCode::CannotLoadFile, reason.to_string());
    add_text(engine, rest)?;
    let text = std::mem::take(&mut engine.record_text);
    let find = |id: &str| engine.known_variant(id);
    let records = RecordFormat::read(text.into_bytes(), None, &find).map_err(|error| failed(&error))?;
    if records.is_empty() {
        return Err(failed(&"expected a game record, found 0 games"));
    }
    let written = records.into_iter().map(|record| {
        let record = record.map_err(|error| failed(&error))?;
        format.write(&record, find(&record.variant).as_ref()).map_err(|error| failed(&error))
    });
    Ok(written.collect::<Result<Vec<_>, _>>()?.join(format.between()))
}

/// Writes a record of a game, in the form that the ending of the name tells.
pub(super) fn save(game: &Game, path: &Path) -> Result<(), ProtocolError> {
    let failed =
        |reason: &dyn Display| ProtocolError::new(ErrorCode::CannotSaveFile, format!("{}: {reason}", shown(path)));
    let format = RecordFormat::of_path(path);
    let format = format.ok_or_else(|| failed(&"expected a name that ends in .txt, .json or .sgf"))?;
    let text = format.write(&Record::of(game), Some(game.variant())).map_err(|error| failed(&error))?;
    write_record(path, &text).map_err(|error| failed(&error))
}

/// Writes the text of a record, whole or not at all. Nothing but another record is replaced: who sends the commands is
/// not always the user, whose file this may be.
///
/// # Errors
/// Those of the system; when the file is another one.
pub fn write_record(path: &Path, text: &str) -> io::Result<()> {
    if path.is_file() && !may_replace(&read_bytes(open_file(path)?, LARGEST_FILE)?) {
        let expected = "expected a new name or a file of game records, found another file";
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, expected));
    }
    let mut file = AtomicFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.commit()
}
