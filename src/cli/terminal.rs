//! The line editor of a session at a terminal: history, completion, and output printed above the line being typed. Sessions over pipes do
//! not use it.

use std::fs;
use std::io::{self, IsTerminal, PipeReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use privy_base::atomic_file::AtomicFile;
use privy_base::bounded_read::open_file;
use privy_protocol::CommandHelp;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, ExternalPrinter, Helper};

use privy_engine::Options;
use privy_rules::Variant;

const PROMPT: &str = "privy> ";

/// Lines of history that are kept.
const HISTORY: usize = 1_000;
/// The largest file of history that is read, in bytes.
const LARGEST_HISTORY: u64 = 1 << 24;

/// Returns input and output of a session at a terminal, `None` where no terminal can edit lines.
pub(super) fn open(commands: impl Iterator<Item = CommandHelp>) -> Option<(PipeReader, Printer)> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return None;
    }
    let commands = commands.map(|help| help.name).collect();
    let (typed, mut lines) = io::pipe().ok()?;
    let (sender, printers) = mpsc::channel();
    let is_answering = Arc::new(AtomicBool::new(false));
    let is_asked = Arc::clone(&is_answering);
    thread::Builder::new()
        .name("editor".to_owned())
        .spawn(move || {
            let Some(mut editor) = editor(commands) else { return };
            let Ok(printer) = editor.create_external_printer() else { return };
            let history = history_file().filter(|path| load_history(&mut editor, path).is_ok());
            if sender.send(Box::new(printer) as Box<dyn ExternalPrinter + Send>).is_err() {
                return;
            }
            let typed = editor.helper().map(|helper| Arc::clone(&helper.typed)).unwrap_or_default();
            let mut begun = (String::new(), String::new());
            loop {
                match editor.readline_with_initial(PROMPT, (&begun.0, &begun.1)) {
                    Ok(line) => {
                        begun = Default::default();
                        if words(&line).next().is_some_and(|word| !word.starts_with('#')) {
                            is_asked.store(true, Ordering::Relaxed);
                        }
                        if editor.add_history_entry(line.as_str()).is_ok_and(|is_new| is_new)
                            && let Some(path) = &history
                        {
                            let _ = editor.append_history(path);
                        }
                        // After quit nothing is read, so that the program ends with the terminal restored.
                        if writeln!(lines, "{line}").is_err() || words(&line).next() == Some("quit") {
                            return;
                        }
                    }
                    // The first ends a search; without one, or pressed again, it ends the program.
                    Err(ReadlineError::Interrupted) => {
                        if !is_asked.swap(false, Ordering::Relaxed) || writeln!(lines, "# interrupt").is_err() {
                            std::process::exit(130);
                        }
                    }
                    // The line stays as it was before the byte.
                    Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                        log::warn!("the terminal has sent a byte that is not UTF-8; it is left out");
                        begun.clone_from(&typed.lock().unwrap_or_else(PoisonError::into_inner));
                    }
                    Err(_) => return,
                }
            }
        })
        .ok()?;
    let printer = printers.recv().ok()?;
    Some((typed, Printer { printer: Arc::new(Mutex::new(printer)), buffer: Vec::new(), is_answering }))
}

fn editor(commands: Vec<&'static str>) -> Option<Editor<LineHelper, FileHistory>> {
    let config = Config::builder().max_history_size(HISTORY).ok()?.history_ignore_space(true).build();
    let mut editor = Editor::with_config(config).ok()?;
    editor.set_helper(Some(LineHelper { commands, typed: Arc::default() }));
    Some(editor)
}

fn history_file() -> Option<PathBuf> {
    let folder = dirs::cache_dir()?.join("privy");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// Loads a file of history, which the first session does not have yet. Lines that are not UTF-8 are taken out of it: with them it could
/// never be read or extended again.
fn load_history(editor: &mut Editor<LineHelper, FileHistory>, path: &Path) -> io::Result<()> {
    if !path.exists() {
        return Ok(());
    }
    let mut bytes = Vec::new();
    open_file(path)?.take(LARGEST_HISTORY).read_to_end(&mut bytes)?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| std::str::from_utf8(line).is_ok());
    let readable = lines.collect::<Vec<_>>().concat();
    if readable.len() < bytes.len() {
        let mut file = AtomicFile::create(path)?;
        file.write_all(&readable)?;
        file.commit()?;
    }
    editor.load_history(path).map_err(io::Error::other)
}

/// The words of a line, without its id.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut words = line.split_whitespace().peekable();
    words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    words
}

/// Writes above the line being typed.
#[derive(Clone)]
pub(super) struct Printer {
    printer: Arc<Mutex<Box<dyn ExternalPrinter + Send>>>,
    buffer: Vec<u8>,
    /// A typed line has no complete answer yet.
    is_answering: Arc<AtomicBool>,
}

impl Write for Printer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.buffer)).into_owned();
        let mut printer = self.printer.lock().unwrap_or_else(PoisonError::into_inner);
        // The editor may just have ended. Then the first print fails, and the second goes to the plain terminal.
        let mut print = || printer.print(text.clone()).map_err(io::Error::other);
        if text == "\n" || text.ends_with("\n\n") {
            self.is_answering.store(false, Ordering::Relaxed);
        }
        if text.is_empty() { Ok(()) } else { print().or_else(|_| print()) }
    }
}

/// Completion of commands, and of the arguments of some.
struct LineHelper {
    commands: Vec<&'static str>,
    /// The line being typed, before and behind the cursor.
    typed: Arc<Mutex<(String, String)>>,
}

impl LineHelper {
    fn candidates(&self, first: Option<&str>) -> Vec<String> {
        let commands = || self.commands.iter().map(|name| (*name).to_owned()).collect();
        match first {
            None | Some("help" | "known_command") => commands(),
            Some("variant") => Variant::all_ids().map(str::to_owned).collect(),
            Some("set_option" | "get_option") => Options::summaries().map(|(name, _)| name.to_owned()).collect(),
            Some(_) => Vec::new(),
        }
    }
}

impl Completer for LineHelper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or_default();
        let begin = typed.rfind(char::is_whitespace).map_or(0, |place| place + 1);
        let (before, word) = typed.split_at(begin);
        let mut candidates = self.candidates(words(before).next());
        candidates.retain(|candidate| candidate.starts_with(word));
        Ok((begin, candidates))
    }
}

impl Hinter for LineHelper {
    type Hint = String;

    /// Is called at every change of the line.
    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<String> {
        let (before, behind) = line.split_at_checked(at)?;
        *self.typed.lock().unwrap_or_else(PoisonError::into_inner) = (before.to_owned(), behind.to_owned());
        None
    }
}

impl Highlighter for LineHelper {}

impl Validator for LineHelper {}

impl Helper for LineHelper {}

#[cfg(test)]
mod tests {
    use privy_protocol::Command;
    use rustyline::history::MemHistory;

    use super::*;

    #[test]
    fn commands_and_their_arguments_are_completed() {
        let commands = Command::all_help().map(|help| help.name).collect();
        let helper = LineHelper { commands, typed: Arc::default() };
        let complete = |line: &str| {
            let history = MemHistory::new();
            helper.complete(line, line.len(), &Context::new(&history)).unwrap()
        };
        assert_eq!(complete("showb"), (0, vec!["showboard".to_owned()]));
        assert_eq!(complete("12 showb"), (3, vec!["showboard".to_owned()]));
        assert_eq!(complete("variant kings"), (8, vec!["kings-gonu".to_owned()]));
        assert_eq!(complete("set_option se"), (11, vec!["seed".to_owned()]));
        assert_eq!(complete("help gen").1.first().map(String::as_str), Some("genmove"));
        assert_eq!(complete("play c"), (5, Vec::new()));
        assert_eq!(words("7 quit").next(), Some("quit"));
    }
}
