//! Proof files: reading and writing (FORMS §5).

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Arc;

use crate::atomic_file::AtomicFile;
use crate::bounded_read::open_file;
use crate::rules::{Game, Position, Variant};

use super::{Claim, Proof, Step};

/// The beginning of the first line.
const HEADING: &str = "# privy proof 1";
/// The first bytes of a zstd frame (RFC 8878).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Compression level: files are written once and read often.
const ZSTD_LEVEL: i32 = 12;
/// The longest line, in bytes.
const LONGEST_LINE: u64 = 1 << 10;

/// Why a proof file can't be read.
#[derive(Debug, thiserror::Error)]
pub enum ProofFileError {
    /// The system's error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The first line of another file.
    #[error("line 1: expected \"# privy proof 1 VARIANT FINGERPRINT WINNER\", found \"{0}\"")]
    Heading(String),
    /// The proof is of other rules.
    #[error("line 1: a proof of {found}, the rules of {id} are {expected}")]
    OtherRules {
        /// The variant expected.
        id: String,
        /// Its fingerprint.
        expected: String,
        /// The fingerprint in the file.
        found: String,
    },
    /// The number of a wrong line, and its fault.
    #[error("line {0}: {1}")]
    Line(usize, String),
}

/// The first line of a proof file.
pub(crate) struct ProofHeading {
    pub(crate) variant: String,
    fingerprint: String,
    claim: Claim,
}

impl ProofHeading {
    fn parse(line: &str) -> Option<ProofHeading> {
        let words: Vec<&str> = line.strip_prefix(HEADING)?.split_ascii_whitespace().collect();
        let [variant, fingerprint, claim] = words[..] else { return None };
        let (variant, fingerprint) = (variant.to_owned(), fingerprint.to_owned());
        Some(ProofHeading { variant, fingerprint, claim: claim.parse().ok()? })
    }
}

/// The lines of a file, compressed or not.
struct Lines(Box<dyn BufRead>);

impl Lines {
    fn open(path: &Path) -> io::Result<Lines> {
        let mut file = BufReader::new(open_file(path)?);
        let is_compressed = file.fill_buf()?.starts_with(&ZSTD);
        Ok(Lines(if is_compressed {
            Box::new(BufReader::new(zstd::Decoder::with_buffer(file)?))
        } else {
            Box::new(file)
        }))
    }

    fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let read = (&mut self.0).take(LONGEST_LINE).read_line(&mut line)?;
        if read as u64 == LONGEST_LINE && !line.ends_with('\n') {
            return Err(io::Error::other(format!("a line has more than {LONGEST_LINE} bytes")));
        }
        Ok((read > 0).then_some(line))
    }

    fn heading(&mut self) -> Result<ProofHeading, ProofFileError> {
        let line = self.next()?.unwrap_or_default();
        let line = line.trim_end();
        let shown = || ProofFileError::Heading(line.chars().take(80).flat_map(char::escape_default).collect());
        ProofHeading::parse(line).ok_or_else(shown)
    }
}

impl Proof {
    /// Reads the first line of a file.
    pub(crate) fn heading(path: &Path) -> Result<ProofHeading, ProofFileError> {
        Lines::open(path)?.heading()
    }

    /// Reads a file with a proof of a variant, without checking it.
    ///
    /// # Errors
    /// See [`ProofFileError`].
    pub fn read(path: &Path, variant: &Arc<Variant>) -> Result<Proof, ProofFileError> {
        let mut lines = Lines::open(path)?;
        let heading = lines.heading()?;
        if heading.fingerprint != variant.fingerprint() {
            let (id, expected) = (variant.id().to_owned(), variant.fingerprint().to_owned());
            return Err(ProofFileError::OtherRules { id, expected, found: heading.fingerprint });
        }
        let mut proof: Option<Proof> = None;
        let mut number = 1;
        while let Some(line) = lines.next()? {
            number += 1;
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let wrong = |fault: String| ProofFileError::Line(number, fault);
            match (&mut proof, text.strip_prefix("root ")) {
                (None, Some(root)) => {
                    let root = read_position(root, variant).map_err(wrong)?;
                    proof = Some(Proof::new(variant, heading.claim, root));
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
        proof.ok_or_else(|| ProofFileError::Line(number + 1, "expected root POSITION".to_owned()))
    }

    /// Writes the proof to a file, compressed if its name ends in `.zst`, and makes its folder. On errors the path is unchanged.
    ///
    /// # Errors
    /// The system's.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = AtomicFile::create(path)?;
        if path.extension().is_some_and(|ending| ending == "zst") {
            let mut encoder = zstd::Encoder::new(&mut file, ZSTD_LEVEL)?;
            encoder.include_checksum(true)?;
            let mut buffered = io::BufWriter::new(encoder);
            self.write(&mut buffered)?;
            buffered.into_inner()?.finish()?;
        } else {
            self.write(&mut file)?;
        }
        file.commit()
    }

    /// Writes the proof as text: long wins first.
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let variant = &self.variant;
        writeln!(output, "{HEADING} {} {} {}", variant.id(), variant.fingerprint(), self.claim)?;
        writeln!(output, "root {}", variant.position_text(&self.root))?;
        let mut steps: Vec<&Step> = self.steps.values().collect();
        steps.sort_by_key(|step| (std::cmp::Reverse(step.plies), step.position.rebels(), step.position.general()));
        for step in steps {
            let legal = variant.legal_moves(&step.position);
            let path = legal.iter().find(|path| *path.action() == step.move_).expect("a step is a legal move");
            let plies = step.plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
            writeln!(output, "{} {} {plies}", variant.position_text(&step.position), variant.move_text(path))?;
        }
        Ok(())
    }
}

fn read_position(text: &str, variant: &Arc<Variant>) -> Result<Position, String> {
    if text.split_ascii_whitespace().count() != 3 {
        return Err(format!("\"{text}\": expected three fields: pieces, side to move, flags"));
    }
    let game = Game::from_text(text, Some(variant)).map_err(|error| format!("illegal position: {error}"))?;
    Ok(*game.position())
}

fn read_step(text: &str, variant: &Arc<Variant>) -> Result<Step, String> {
    let [pieces, side, flags, move_, plies] = *text.split_ascii_whitespace().collect::<Vec<_>>() else {
        return Err("expected POSITION MOVE N".to_owned());
    };
    let position = read_position(&format!("{pieces} {side} {flags}"), variant)?;
    let parsed = move_.parse().map_err(|error| format!("illegal move: {error}"))?;
    let path = variant.find_move(&position, &parsed).map_err(|error| format!("illegal move: {move_}: {error}"))?;
    let plies = match plies {
        "-" => None,
        number => Some(number.parse().map_err(|_| format!("\"{number}\": expected a number of plies, or -"))?),
    };
    Ok(Step { position, move_: *path.action(), plies })
}
