//! Proof files: their names, reading and writing (FORMS §5).

use std::fs;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use privy_base::atomic_file::AtomicFile;
use privy_base::bounded_read::{TextLines, open_file};
use privy_base::message::sanitized;
use privy_protocol::Stop;
use privy_rules::{Game, Position, Side, Variant};

use super::strategy::{Proof, ProofStep};

/// The beginning of the first line.
const HEADING: &str = "# privy proof 1";
/// The first bytes of a zstd frame (RFC 8878).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1 << 10;
/// The largest text, in bytes: some 16 million positions.
const LARGEST_TEXT: u64 = 1 << 30;
/// The most comments and blank lines. A small compressed file may have billions, while its positions must all differ.
const MOST_COMMENTS: usize = 1_000;

/// Why a proof file can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ProofFileError {
    /// The system's error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The number of a wrong line, and its fault.
    #[error("line {0}: {1}")]
    Line(usize, String),
}

/// The text of a frame of zstd.
struct Unpacked(StreamingDecoder<Box<dyn BufRead>, FrameDecoder>);

impl Read for Unpacked {
    /// At the end the checksum is compared, and nothing may follow it.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let damaged = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, format!("damaged zstd file: {reason}"));
        let read = self.0.read(buffer).map_err(|error| damaged(&error.to_string()))?;
        if read == 0 && !buffer.is_empty() {
            let decoder = &self.0.decoder;
            let (expected, found) = (decoder.get_checksum_from_data(), decoder.get_calculated_checksum());
            if expected.is_some() && expected != found {
                return Err(damaged("its contents do not have its checksum"));
            }
            if !self.0.get_mut().fill_buf()?.is_empty() {
                return Err(damaged("expected its end after the compressed text, found more bytes"));
            }
        }
        Ok(read)
    }
}

/// The lines of a file, compressed or not.
struct ProofLines(TextLines<Box<dyn BufRead>>);

impl ProofLines {
    fn open(path: &Path) -> io::Result<ProofLines> {
        ProofLines::of(Box::new(BufReader::new(open_file(path)?)))
    }

    fn of(mut file: Box<dyn BufRead>) -> io::Result<ProofLines> {
        let source: Box<dyn BufRead> = if file.fill_buf()?.starts_with(&ZSTD) {
            let decoder = StreamingDecoder::new(file);
            let decoder = decoder.map_err(|error| io::Error::other(format!("damaged zstd file: {error}")))?;
            Box::new(BufReader::new(Unpacked(decoder)))
        } else {
            file
        };
        Ok(ProofLines(TextLines::new(source, LONGEST_LINE)))
    }

    fn next(&mut self) -> io::Result<Option<String>> {
        let line = self.0.next_line()?;
        if self.0.bytes > LARGEST_TEXT {
            return Err(io::Error::other(format!("expected at most {LARGEST_TEXT} bytes of text, found more")));
        }
        Ok(line)
    }

    /// The variant, its fingerprint and the winner.
    fn heading(&mut self) -> Result<(String, String, Side), ProofFileError> {
        let line = self.next()?.unwrap_or_default();
        let line = line.trim_end();
        let words: Vec<&str> = line.strip_prefix(HEADING).unwrap_or_default().split_ascii_whitespace().collect();
        if let [variant, fingerprint, winner] = words[..]
            && let Some(winner) = [Side::General, Side::Rebels].into_iter().find(|side| side.to_string() == winner)
        {
            return Ok((variant.to_owned(), fingerprint.to_owned(), winner));
        }
        let found = sanitized(line, 80);
        let expected = "\"# privy proof 1 VARIANT FINGERPRINT WINNER\"";
        Err(ProofFileError::Line(1, format!("expected {expected}, found \"{found}\"")))
    }
}

impl Proof {
    /// The path in a folder of the proof of a variant's opening.
    #[must_use]
    pub fn path(folder: &Path, variant: &Variant) -> PathBuf {
        folder.join(format!("{}-{}.proof.zst", variant.id(), variant.fingerprint()))
    }

    /// The id of the variant that a file is about.
    pub fn variant_of_file(path: &Path) -> Result<String, ProofFileError> {
        Ok(ProofLines::open(path)?.heading()?.0)
    }

    /// Reads a file with a proof of a variant, without checking it, until it is stopped.
    ///
    /// # Errors
    /// See [`ProofFileError`].
    pub fn read(path: &Path, variant: &Arc<Variant>, stop: &Stop) -> Result<Proof, ProofFileError> {
        Proof::read_lines(ProofLines::open(path)?, variant, stop)
    }

    /// Reads the contents of a file as [`Proof::read`] does.
    ///
    /// # Errors
    /// See [`ProofFileError`].
    pub fn read_bytes(bytes: Vec<u8>, variant: &Arc<Variant>, stop: &Stop) -> Result<Proof, ProofFileError> {
        Proof::read_lines(ProofLines::of(Box::new(Cursor::new(bytes)))?, variant, stop)
    }

    /// The fingerprint of the rules that the contents of a file are about.
    ///
    /// # Errors
    /// See [`ProofFileError`].
    pub fn fingerprint_of_bytes(bytes: Vec<u8>) -> Result<String, ProofFileError> {
        Ok(ProofLines::of(Box::new(Cursor::new(bytes)))?.heading()?.1)
    }

    fn read_lines(mut lines: ProofLines, variant: &Arc<Variant>, stop: &Stop) -> Result<Proof, ProofFileError> {
        let (_, found, winner) = lines.heading()?;
        if found != variant.fingerprint() {
            let (id, expected) = (variant.id(), variant.fingerprint());
            return Err(ProofFileError::Line(1, format!("a proof of {found}, the rules of {id} are {expected}")));
        }
        let mut proof: Option<Proof> = None;
        let mut comments = 0;
        while let Some(line) = lines.next()? {
            let number = lines.0.number;
            let wrong = |fault: String| ProofFileError::Line(number, fault);
            if stop.is_set() {
                return Err(io::Error::other("interrupted").into());
            }
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                comments += 1;
                if comments > MOST_COMMENTS {
                    return Err(wrong(format!(
                        "expected at most {MOST_COMMENTS} comments and blank lines, found more"
                    )));
                }
                continue;
            }
            match (&mut proof, text.strip_prefix("root ")) {
                (None, Some(root)) => {
                    let root = read_position(root, variant).map_err(wrong)?;
                    proof = Some(Proof::new(variant, winner, root));
                }
                (None, None) => return Err(wrong("expected root POSITION".to_owned())),
                (Some(_), Some(_)) => return Err(wrong("a second root".to_owned())),
                (Some(proof), None) => {
                    let step = read_step(text, variant).map_err(wrong)?;
                    if proof.step(&step.position).is_some() {
                        return Err(wrong("the position or its mirror image stands in the file already".to_owned()));
                    }
                    proof.insert(step);
                }
            }
        }
        proof.ok_or_else(|| ProofFileError::Line(lines.0.number + 1, "expected root POSITION".to_owned()))
    }

    /// Writes the proof to a file, compressed if its name ends in `.zst`, and makes its folder. On errors the path is
    /// unchanged.
    ///
    /// # Errors
    /// The system's.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = AtomicFile::create(path)?;
        let text = self.text();
        if path.extension().is_some_and(|ending| ending == "zst") {
            file.write_all(&compress_to_vec(text.as_bytes(), CompressionLevel::Fastest))?;
        } else {
            file.write_all(text.as_bytes())?;
        }
        file.commit()
    }

    /// The proof as text: long wins first.
    fn text(&self) -> String {
        let variant = &self.variant;
        let mut text = format!("{HEADING} {} {} {}\n", variant.id(), variant.fingerprint(), self.winner);
        text += &format!("root {}\n", variant.position_text(&self.root));
        let mut steps: Vec<&ProofStep> = self.steps.values().collect();
        steps.sort_by_key(|step| (std::cmp::Reverse(step.plies), step.position.rebels(), step.position.general()));
        for step in steps {
            let legal = variant.legal_moves(&step.position);
            let path = legal.iter().find(|path| *path.action() == step.move_).expect("a step is a legal move");
            let (position, move_) = (variant.position_text(&step.position), variant.move_text(path));
            text += &format!("{position} {move_} {}\n", step.plies);
        }
        text
    }
}

/// The position of the first three fields of a position text.
fn read_position(text: &str, variant: &Arc<Variant>) -> Result<Position, String> {
    if text.split_ascii_whitespace().count() != 3 {
        return Err(format!("\"{text}\": expected three fields: pieces, side to move, flags"));
    }
    let game = Game::from_text(text, Some(variant)).map_err(|error| error.to_string())?;
    Ok(*game.position())
}

fn read_step(text: &str, variant: &Arc<Variant>) -> Result<ProofStep, String> {
    let [pieces, side, flags, move_, plies] = *text.split_ascii_whitespace().collect::<Vec<_>>() else {
        return Err("expected POSITION MOVE N".to_owned());
    };
    let position = read_position(&format!("{pieces} {side} {flags}"), variant)?;
    let parsed = move_.parse().map_err(|error| format!("illegal move: {error}"))?;
    let path = variant.find_move(&position, &parsed).map_err(|error| format!("illegal move: {move_}: {error}"))?;
    let plies = plies.parse().map_err(|_| format!("\"{plies}\": expected a number of plies"))?;
    Ok(ProofStep { position, move_: *path.action(), plies })
}
