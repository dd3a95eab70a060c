//! The lines of a person: edited, completed and remembered at a terminal, else read as they come.

use std::io::{self, BufRead, IsTerminal, Read, StdinLock, Write};

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

/// Bytes of a line that is read; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 4_096;
const PROMPT: &str = "> ";

/// The lines of standard input.
pub(super) enum PlayerLines {
    Edited(Box<Editor<LineHelper, MemHistory>>),
    Plain(StdinLock<'static>),
}

impl PlayerLines {
    /// Lines are edited where both ends are a terminal.
    pub(super) fn open() -> PlayerLines {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        // What is pasted is several lines, as it is when it is typed.
        let config = Config::builder().bracketed_paste(false).build();
        let editor = Some(config).filter(|_| is_terminal).and_then(|config| {
            let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
            editor.set_helper(Some(LineHelper::default()));
            Some(editor)
        });
        editor.map_or_else(|| PlayerLines::Plain(io::stdin().lock()), |editor| PlayerLines::Edited(Box::new(editor)))
    }

    /// Returns a flag that Ctrl-C sets while no line is edited. Where lines are not edited, Ctrl-C ends the program.
    pub(super) fn interrupts(&self) -> Arc<AtomicBool> {
        let flag = Arc::default();
        if let PlayerLines::Edited(_) = self
            && let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&flag))
        {
            log::warn!("Ctrl-C will end the program: {error}");
        }
        flag
    }

    /// Returns the next line; `None` at the end of the input. An interrupt is an error. `words` are completed.
    pub(super) fn next_line(&mut self, output: &mut impl Write, words: Vec<String>) -> io::Result<Option<String>> {
        let editor = match self {
            PlayerLines::Edited(editor) => editor,
            PlayerLines::Plain(input) => {
                write!(output, "{PROMPT}")?;
                output.flush()?;
                return read_line(input);
            }
        };
        output.flush()?;
        editor.set_helper(Some(LineHelper { words }));
        loop {
            match editor.readline(PROMPT) {
                Ok(line) => {
                    let _ = editor.add_history_entry(line.as_str());
                    return Ok(Some(line));
                }
                Err(ReadlineError::Eof) => return Ok(None),
                Err(ReadlineError::Interrupted) => return Err(io::ErrorKind::Interrupted.into()),
                // A byte that is no UTF-8.
                Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {}
                Err(error) => return Err(io::Error::other(error)),
            }
        }
    }
}

/// A line; `None` at the end of the input. Bytes that are no UTF-8 are replaced.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned()))
}

/// Completes the first word of a line.
#[derive(Default)]
pub(super) struct LineHelper {
    words: Vec<String>,
}

impl Completer for LineHelper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or_default();
        Ok((0, self.words.iter().filter(|word| word.starts_with(typed)).cloned().collect()))
    }
}

impl Hinter for LineHelper {
    type Hint = String;
}

impl Highlighter for LineHelper {}

impl Validator for LineHelper {}

impl Helper for LineHelper {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_is_completed() {
        let helper = LineHelper { words: ["c3-b2", "c3-c4", "undo"].map(str::to_owned).to_vec() };
        let history = MemHistory::new();
        let complete = |line: &str| helper.complete(line, line.len(), &Context::new(&history)).unwrap();
        assert_eq!(complete("u"), (0, vec!["undo".to_owned()]));
        assert_eq!(complete("c3-").1.len(), 2);
        assert_eq!(complete("level c").1, Vec::<String>::new());
    }

    #[test]
    fn long_lines_and_marks_are_cut() {
        let text = [b"\xef\xbb\xbfundo\n".to_vec(), vec![b'x'; 10_000], b"\nquit\xff".to_vec()].concat();
        let mut input = text.as_slice();
        let lines: Vec<String> = std::iter::from_fn(|| read_line(&mut input).unwrap()).collect();
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [5, LONGEST_LINE as usize, 7]);
    }
}
