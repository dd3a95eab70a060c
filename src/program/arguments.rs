//! The words of a command line: variants, tables, numbers of a range, and how they are read.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use clap::{Args, FromArgMatches};

use privy_base::message::{sanitized, sanitized_lines};
use privy_base::path_choice::PathChoice;
use privy_rules::Variant;
use privy_tables::{TableError, chosen_folder, effort};

use crate::error::CliError;

// Ordinary comments: the doc comment of a flattened struct would replace the description of its command.
// Where tables of perfect play are kept.
#[allow(missing_docs)]
#[derive(Debug, Clone, Default, Args)]
pub struct TablesArgument {
    /// Where tables of perfect play are kept: a folder, auto (the default) for the user's cache folder, or off
    #[arg(long, value_name = "DIR", global = true, value_parser = OsStringValueParser::new().try_map(path_choice))]
    tables: Option<PathChoice>,
}

fn path_choice(text: OsString) -> Result<PathChoice, &'static str> {
    if text.is_empty() { Err("expected a folder, auto or off") } else { Ok(PathChoice::from(text.as_os_str())) }
}

impl TablesArgument {
    /// The choice that the command line names.
    #[must_use]
    pub fn named(&self) -> Option<&PathChoice> {
        self.tables.as_ref()
    }

    /// The chosen folder of tables.
    #[must_use]
    pub fn choice(&self) -> PathChoice {
        self.tables.clone().unwrap_or_default()
    }

    /// The folder of the tables, for commands that need one.
    ///
    /// # Errors
    /// When tables are off, or the system has no folder for them.
    pub fn folder(&self) -> Result<PathBuf, CliError> {
        chosen_folder(&self.choice()).map_err(|error| match error {
            TableError::Off => CliError::Usage("--tables off: this needs tables".to_owned()),
            error => error.into(),
        })
    }
}

// Variants to solve, or solved ones.
#[allow(missing_docs)]
#[derive(Debug, Args)]
pub struct SolvableVariants {
    /// Ids or files of variants
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    #[arg(value_parser = VariantWord, hide_possible_values = true)]
    variants: Vec<OsString>,
    /// All of the fourteen games that can be solved; relatives are named one by one
    #[arg(long)]
    all: bool,
}

impl SolvableVariants {
    /// Finds them all before any work begins.
    ///
    /// # Errors
    /// When an id is unknown or a file is wrong.
    pub fn find(&self) -> Result<Vec<Arc<Variant>>, CliError> {
        if !self.all {
            return find_variants(&self.variants);
        }
        Ok(Variant::builtin_ids().filter_map(Variant::builtin).filter(|variant| effort(variant).is_ok()).collect())
    }
}

/// The greatest limit of time on a command line in milliseconds: a week.
pub const MOST_MS: u64 = 7 * 24 * 3_600_000;

/// The greatest limit of nodes on a command line.
pub const MOST_NODES: u64 = 1_000_000_000_000_000;

/// Reads a number of a range: `#[arg(value_parser = within(1..=1024))]`.
pub fn within<T: FromStr + PartialOrd + fmt::Display + Clone + Send + Sync + 'static>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected {} to {}", range.start(), range.end()))
    }
}

/// The id or the file of a variant, for [`find_variant`]. Any word is accepted; the ids are for the completions of
/// shells.
#[derive(Debug, Clone)]
pub struct VariantWord;

impl TypedValueParser for VariantWord {
    type Value = OsString;

    fn parse_ref(&self, _: &clap::Command, _: Option<&clap::Arg>, word: &OsStr) -> Result<OsString, clap::Error> {
        Ok(word.to_owned())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Variant::all_ids().map(PossibleValue::new)))
    }
}

/// True if a word of the command line names a file, and no id.
#[must_use]
pub fn is_path(word: impl AsRef<OsStr>) -> bool {
    let bytes = word.as_ref().as_encoded_bytes();
    bytes.contains(&b'/') || bytes.ends_with(b".toml")
}

/// The variant of an id, or of the path of a file.
///
/// # Errors
/// When the id is unknown or the file is wrong.
pub fn find_variant(word: impl AsRef<OsStr>) -> Result<Arc<Variant>, CliError> {
    let word = word.as_ref();
    if is_path(word) {
        return Ok(Arc::new(Variant::from_file(Path::new(word))?));
    }
    let id = word.to_string_lossy();
    Variant::builtin(&id).ok_or_else(|| CliError::UnknownVariant(id.into_owned()))
}

/// Finds all variants of some ids and files, before any work begins.
///
/// # Errors
/// When an id is unknown or a file is wrong.
pub fn find_variants(words: &[impl AsRef<OsStr>]) -> Result<Vec<Arc<Variant>>, CliError> {
    words.iter().map(find_variant).collect()
}

/// Reads the arguments of the process. Else the help is written, or what is wrong with them, without characters that
/// affect a terminal.
///
/// # Errors
/// The exit status of the program.
pub fn read_arguments<T: FromArgMatches>(program: &str, command: clap::Command) -> Result<T, ExitCode> {
    /// Characters of an argument in a message.
    const LONGEST_ARGUMENT: usize = 400;
    let read = |words: &[OsString]| {
        let mut command = command.clone();
        let matches = command.try_get_matches_from_mut(words)?;
        T::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    };
    let words: Vec<OsString> = std::env::args_os().collect();
    read(&words).map_err(|error| {
        if !error.use_stderr() {
            let written = error.print().and_then(|()| io::stdout().flush());
            return CliError::exit_code(program, written.map_err(CliError::from));
        }
        let safe = words.iter().map(|word| sanitized(&word.to_string_lossy(), LONGEST_ARGUMENT).into());
        // The same error, of words that a terminal can show.
        let again = read(&safe.collect::<Vec<_>>()).err().filter(|again| again.kind() == error.kind());
        let _ = match again {
            Some(again) => again.print(),
            None => writeln!(io::stderr(), "{}", sanitized_lines(error.to_string().trim_end(), 10 * LONGEST_ARGUMENT)),
        };
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
    })
}
