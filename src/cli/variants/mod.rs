//! `privy variants`: variants listed and shown, and the file of a new game begun; [`check`] has the check of a file.

mod check;
mod random_games;

use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use toml::Value;

use privy_base::message::{safe_json, shell_word, shown};
use privy_engine::Engine;
use privy_program::{CliError, TablesArgument, VariantWord, find_variant, is_path};
use privy_rules::board::{Board, is_id, like_id};
use privy_rules::render::{self, Charset};
use privy_rules::rule_set::{KEYS, WORDS};
use privy_rules::toml_file::RuleValue;
use privy_rules::{DEFAULT_VARIANT, Names, Variant, is_reserved};

use super::common::{find_board, set_tables};

#[derive(Subcommand)]
pub(super) enum VariantsCommand {
    /// A line per variant: id, fingerprint of its rules, title; below `relatives:` the games of other families
    List {
        /// Print the objects of JSON that `list_variants verbose` of the protocol answers
        #[arg(long)]
        json: bool,
    },
    /// Print the file of a variant, or of a board with a drawing
    Show {
        /// Id or file of a variant or of a board
        #[arg(value_parser = VariantWord, hide_possible_values = true)]
        variant: OsString,
        /// Print the board of the variant instead
        #[arg(long)]
        board: bool,
    },
    New(NewArguments),
    Check(check::CheckArguments),
}

impl VariantsCommand {
    pub(super) fn run(&self, tables: &TablesArgument, output: &mut impl Write) -> Result<(), CliError> {
        match self {
            VariantsCommand::List { json: true } => {
                let mut engine = Engine::new();
                engine.configure(|options| set_tables(options, tables))?;
                engine.catalogue().try_for_each(|entry| Ok(writeln!(output, "{}", safe_json(&entry))?))
            }
            VariantsCommand::List { json: false } => {
                list(Variant::builtin_ids(), output)?;
                writeln!(output, "relatives:")?;
                Ok(list(Variant::relative_ids(), output)?)
            }
            VariantsCommand::Show { variant, board } => show(variant, *board, output),
            VariantsCommand::New(arguments) => arguments.run(output),
            VariantsCommand::Check(arguments) => arguments.run(output),
        }
    }
}

fn list(ids: impl Iterator<Item = &'static str>, output: &mut impl Write) -> io::Result<()> {
    for variant in ids.filter_map(Variant::builtin) {
        writeln!(output, "{:24} {}  {}", variant.id(), variant.fingerprint(), &variant.heading.title)?;
    }
    Ok(())
}

fn show(word: &OsStr, board_of_game: bool, output: &mut impl Write) -> Result<(), CliError> {
    let board = match find_board(word)? {
        None if board_of_game => Some(Arc::clone(find_variant(word)?.board())),
        board => board,
    };
    match board {
        Some(board) => {
            output.write_all(commented(&render::board_text(&board, Charset::Unicode)).as_bytes())?;
            Ok(output.write_all(board.source.as_bytes())?)
        }
        None => Ok(output.write_all(find_variant(word)?.heading.source.as_bytes())?),
    }
}

/// A drawing as comments of a TOML file.
fn commented(drawing: &str) -> String {
    drawing
        .lines()
        .map(|line| format!("#{}\n", if line.is_empty() { String::new() } else { format!(" {line}") }))
        .collect()
}

/// Begin your own game: write a file that plays as it stands, every key explained
///
/// The file holds all rules of a built-in game, each with a comment, and the rules that it does not have as comments to
/// be taken in. With --extends it names the game instead and holds only what differs from it, nothing at first.
#[derive(Args)]
pub(super) struct NewArguments {
    /// The file to write, ending in .toml; what is there already is never overwritten
    file: PathBuf,
    /// Id of the built-in game whose rules the file takes over by its name
    #[arg(long, value_name = "ID", conflicts_with = "board")]
    extends: Option<String>,
    /// Id of the built-in board to play on; privy board names them
    #[arg(long, value_name = "ID")]
    board: Option<String>,
}

impl NewArguments {
    fn run(&self, output: &mut impl Write) -> Result<(), CliError> {
        let path = &self.file;
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .filter(|_| path.extension().is_some_and(|end| end == "toml"));
        let Some(stem) = stem else {
            return Err(CliError::Usage(format!("{}: expected a name that ends in .toml", path.display())));
        };
        let base = self.base()?;
        let text = new_file(stem, &base, self.extends.is_some(), path);
        write_new(path, &text).map_err(CliError::cannot_save(path))?;
        let word = shell_word(path);
        writeln!(output, "{}: plays as {} ({}) until you change it", shown(path), base.heading.title, base.id())?;
        Ok(writeln!(output, "next: edit it, then privy variants check {word}")?)
    }

    /// The named game, or the first that can be played on the board.
    fn base(&self) -> Result<Arc<Variant>, CliError> {
        if let Some(path) = self.extends.iter().chain(&self.board).find(|word| is_path(word)) {
            let cure = "a new file may name another one by itself, as extends or board";
            return Err(CliError::Usage(format!("expected the id of a built-in game or board, found {path}; {cure}")));
        }
        if let Some(id) = &self.extends {
            return Variant::builtin(id).ok_or_else(|| CliError::UnknownVariant(id.clone()));
        }
        let Some(id) = &self.board else {
            return Ok(Variant::builtin(DEFAULT_VARIANT).expect("the default game is built in"));
        };
        let board = Board::builtin(id).ok_or_else(|| CliError::UnknownBoard(id.clone()))?;
        let mut games = Variant::all_ids().filter_map(Variant::builtin);
        let on_board = games.find(|game| game.board().id == board.id && game.start().outcome().is_none());
        Ok(on_board.expect("every built-in board has an unfinished game"))
    }
}

/// Writes a file that must not exist yet, whole or not at all.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    if written.is_err() {
        // After a full disk the next try must not find an unfinished file.
        let _ = std::fs::remove_file(path);
    }
    written
}

fn new_file(stem: &str, base: &Arc<Variant>, extends: bool, path: &Path) -> String {
    let (id, title) = names(stem);
    let value = |key: &str| -> Option<Value> {
        Some(match key {
            "id" => id.as_str().into(),
            "title" => title.as_str().into(),
            "notes" => Value::Array(vec![format!("Begun from {}.", base.id()).into()]),
            "extends" => base.id().into(),
            "board" => base.board().id.as_str().into(),
            "names" => Names::write(&base.heading.names).filter(|_| base.heading.names != Names::default())?,
            "opening" => base.position_text(base.opening()).split(' ').next()?.into(),
            key => {
                let word = WORDS.iter().find(|word| word.key.name == key && !word.is_neutral(base.rule_set()))?;
                (word.write)(base.rule_set())?
            }
        })
    };
    let mut text = format!("# {title}. Check it and try it out: privy variants check {}\n", shell_word(path));
    text += "# A line that begins with # is a comment. All about these files: docs/VARIANTS.md\n";
    for key in KEYS.iter().filter(|key| extends || key.name != "extends") {
        let of_base = value(key.name);
        let own = ["id", "title", "notes"].contains(&key.name);
        let active = match &of_base {
            _ if extends => own || key.name == "extends",
            of_base => of_base.is_some(),
        };
        if key.name == "first" && !extends {
            text += "\n# The rules. A rule that is left out is not in the game.\n";
        }
        if key.name == "board" && extends {
            text += &format!("\n# What is left out is as in {}. Take away the # of what is to differ.\n", base.id());
        }
        if key.name == "opening" {
            text += &format!("\n{}", commented(&render::text(&base.start(), Charset::Unicode)));
        }
        let example = of_base.map_or_else(|| key.example.to_owned(), |value| value.to_string());
        let mark = if active { "" } else { "#" };
        text += &format!("\n# {}\n{mark}{} = {example}\n", key.meaning.replace('`', ""), key.name);
    }
    text
}

/// Id and title by the name of the file.
fn names(stem: &str) -> (String, String) {
    let like = like_id(stem);
    let is_free = |id: &str| is_id(id) && Variant::builtin(id).is_none() && !is_reserved(id);
    let id = if is_free(&like) { like } else { like_id(&format!("my-{like}")) };
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    let title = id.split('-').filter(|word| !word.is_empty()).map(capital).collect::<Vec<String>>().join(" ");
    (id, title)
}
