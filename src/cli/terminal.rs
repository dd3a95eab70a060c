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
use privy_rules::{Game, MoveText, Variant};
#[cfg(unix)]
use rustix::termios::{InputModes, LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

const PROMPT: &str = "privy> ";

/// Lines of history that are kept.
const HISTORY: usize = 1_000;
/// The largest file of history that is read, in bytes.
const LARGEST_HISTORY: u64 = 1 << 24;

/// Returns input and output of a session at a terminal, `None` where no terminal can edit lines. With `hints` words that newcomers type get
/// a line on standard error; the legal moves of `game` are completed behind `play`.
pub(super) fn open(
    commands: impl Iterator<Item = CommandHelp>,
    hints: bool,
    game: Option<&Game>,
) -> Option<(PipeReader, Printer)> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return None;
    }
    let commands: Vec<&str> = commands.map(|help| help.name).collect();
    let moves = Arc::new(Mutex::new(game.map(move_texts).unwrap_or_default()));
    let helper = LineHelper { commands, moves: Arc::clone(&moves), typed: Arc::default() };
    let (typed, mut lines) = io::pipe().ok()?;
    let (sender, printers) = mpsc::channel();
    let is_answering = Arc::new(AtomicBool::new(false));
    let is_asked = Arc::clone(&is_answering);
    thread::Builder::new()
        .name("editor".to_owned())
        .spawn(move || {
            let (typed, commands) = (Arc::clone(&helper.typed), helper.commands.clone());
            let Some(mut editor) = editor(helper) else { return };
            let Ok(printer) = editor.create_external_printer() else { return };
            let history = history_file().filter(|path| load_history(&mut editor, path).is_ok());
            if sender.send(Box::new(printer) as Box<dyn ExternalPrinter + Send>).is_err() {
                return;
            }
            let typed_so_far = || std::mem::take(&mut *typed.lock().unwrap_or_else(PoisonError::into_inner));
            let mut begun = (String::new(), String::new());
            // True after an interrupt: the next one at an empty prompt ends the program.
            let mut is_interrupted = false;
            let mut unedited = Unedited::begin();
            loop {
                match editor.readline_with_initial(PROMPT, (&begun.0, &begun.1)) {
                    Ok(line) => {
                        (begun, is_interrupted) = (Default::default(), false);
                        typed_so_far();
                        if let Some(hint) = hint(&commands, &line).filter(|_| hints) {
                            let _ = writeln!(io::stderr(), "privy: {hint}");
                        }
                        if words(&line).next().is_some_and(|word| !word.starts_with('#')) {
                            is_asked.store(true, Ordering::Relaxed);
                        }
                        if editor.add_history_entry(line.as_str()).is_ok_and(|is_new| is_new)
                            && let Some(path) = &history
                        {
                            let _ = editor.append_history(path);
                        }
                        // After quit nothing is read, and the program ends with the terminal restored.
                        let is_last = words(&line).next() == Some("quit");
                        if is_last {
                            unedited.take();
                        }
                        if writeln!(lines, "{line}").is_err() || is_last {
                            return;
                        }
                    }
                    // It ends a search, or drops the line.
                    Err(ReadlineError::Interrupted) => {
                        let is_empty = typed_so_far() == Default::default();
                        let is_search = is_asked.swap(false, Ordering::Relaxed);
                        begun = Default::default();
                        if is_search && writeln!(lines, "# interrupt").is_err()
                            || is_interrupted && is_empty && !is_search
                        {
                            drop(unedited);
                            std::process::exit(130);
                        }
                        if is_empty && !is_search {
                            let _ = writeln!(io::stderr(), "privy: quit, or Ctrl-C again, ends the session");
                        }
                        is_interrupted = true;
                    }
                    // The line stays as it was before the byte.
                    Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                        log::warn!("the terminal has sent a byte that is not UTF-8; it is left out");
                        begun = typed_so_far();
                    }
                    Err(_) => return,
                }
            }
        })
        .ok()?;
    let printer = printers.recv().ok()?;
    Some((typed, Printer { printer: Arc::new(Mutex::new(printer)), buffer: Vec::new(), is_answering, moves }))
}

/// The terminal between two lines: what is typed meanwhile waits for the editor as it is. Without it the terminal would keep an end of the
/// input for itself, kill the program at an interrupt and show the text twice. The mode from before returns when it is dropped.
struct Unedited(#[cfg(unix)] Termios);

impl Unedited {
    /// Changes nothing where the mode cannot be read, nor on Windows, whose consoles keep no line while none is read.
    fn begin() -> Option<Unedited> {
        #[cfg(unix)]
        {
            let before = tcgetattr(io::stdin()).ok()?;
            let mut mode = before.clone();
            mode.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN;
            mode.input_modes -= InputModes::ICRNL | InputModes::IXON;
            tcsetattr(io::stdin(), OptionalActions::Now, &mode).ok()?;
            Some(Unedited(before))
        }
        #[cfg(not(unix))]
        Some(Unedited())
    }
}

#[cfg(unix)]
impl Drop for Unedited {
    fn drop(&mut self) {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.0);
    }
}

/// What to type instead of a line that newcomers type; `None` for any other.
fn hint(commands: &[&str], line: &str) -> Option<String> {
    const PLAY: &str = "for a game with a board: privy play";
    let typed: Vec<&str> = words(line).take_while(|word| !word.starts_with('#')).collect();
    let first = *typed.first()?;
    let is_known = commands.contains(&first);
    Some(match first.to_lowercase().as_str() {
        "help" if is_known && typed.get(1).is_some_and(|name| !commands.contains(name)) => {
            "help alone lists the commands".to_owned()
        }
        _ if is_known => return None,
        "new" | "newgame" | "restart" | "reset" | "start" => {
            "to begin again: clear_board; another game: variant kings-gonu".to_owned()
        }
        "exit" | "q" | "bye" | "close" | "end" | ":q" => "to end: quit".to_owned(),
        "?" | "h" | "help" | "man" | "commands" => format!("the commands: help; {PLAY}"),
        "board" | "show" | "print" => format!("to see the board: showboard; {PLAY}"),
        "moves" | "list" => "to see the moves: legal_moves".to_owned(),
        "hint" | "best" | "move" => "to see the best move: go; to let the engine play it: genmove general".to_owned(),
        "back" | "takeback" => "to take back a move: undo".to_owned(),
        _ => {
            let move_ = typed.join(" ");
            move_.parse::<MoveText>().ok()?;
            format!("to play a move: play {move_}; {PLAY}")
        }
    })
}

fn editor(helper: LineHelper) -> Option<Editor<LineHelper, FileHistory>> {
    let config = Config::builder().max_history_size(HISTORY).ok()?.history_ignore_space(true).build();
    let mut editor = Editor::with_config(config).ok()?;
    editor.set_helper(Some(helper));
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
    moves: Arc<Mutex<Vec<String>>>,
}

impl Printer {
    /// Completes the legal moves of this game behind `play`, until it is told of another.
    pub(super) fn complete_moves(&self, game: &Game) {
        *self.moves.lock().unwrap_or_else(PoisonError::into_inner) = move_texts(game);
    }
}

/// The legal moves in the order in which they are offered.
fn move_texts(game: &Game) -> Vec<String> {
    let mut texts: Vec<String> = game.legal_moves().iter().map(|move_| game.move_text(move_)).collect();
    texts.sort();
    texts
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
    /// The legal moves.
    moves: Arc<Mutex<Vec<String>>>,
    /// The line being typed, before and behind the cursor.
    typed: Arc<Mutex<(String, String)>>,
}

impl LineHelper {
    fn candidates(&self, first: Option<&str>) -> Vec<String> {
        let commands = || self.commands.iter().map(|name| (*name).to_owned()).collect();
        match first {
            None | Some("help" | "known_command") => commands(),
            Some("play") => self.moves.lock().unwrap_or_else(PoisonError::into_inner).clone(),
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
        let moves = Arc::new(Mutex::new(vec!["c3-b2".to_owned(), "d3-d4".to_owned()]));
        let helper = LineHelper { commands, moves, typed: Arc::default() };
        let complete = |line: &str| {
            let history = MemHistory::new();
            helper.complete(line, line.len(), &Context::new(&history)).unwrap()
        };
        assert_eq!(complete("showb"), (0, vec!["showboard".to_owned()]));
        assert_eq!(complete("12 showb"), (3, vec!["showboard".to_owned()]));
        assert_eq!(complete("variant kings"), (8, vec!["kings-gonu".to_owned()]));
        assert_eq!(complete("set_option se"), (11, vec!["seed".to_owned()]));
        assert_eq!(complete("help gen").1.first().map(String::as_str), Some("genmove"));
        assert_eq!(complete("play c"), (5, vec!["c3-b2".to_owned()]));
        assert_eq!(complete("3 play general d3-"), (15, vec!["d3-d4".to_owned()]));
        assert_eq!(complete("echo c"), (5, Vec::new()));
        assert_eq!(words("7 quit").next(), Some("quit"));
    }

    #[test]
    fn words_of_newcomers_get_a_hint_and_commands_none() {
        let commands: Vec<&str> = Command::all_help().map(|help| help.name).collect();
        let hint = |line: &str| super::hint(&commands, line);
        for line in ["c3-b2", "3 C3 b2 # there", "c3xe5xc5", "new", "Exit", "?", "help me", "HELP", "moves", "back"] {
            assert!(hint(line).is_some(), "{line}");
        }
        assert_eq!(hint("b2c3").unwrap(), "to play a move: play b2c3; for a game with a board: privy play");
        let others = ["", "7", "# new", "nonsense", "help", "help play", "play c3-b2"]
            .into_iter()
            .chain(commands.iter().copied());
        assert_eq!(others.filter(|line| hint(line).is_some()).collect::<Vec<_>>(), Vec::<&str>::new());
    }
}
