//! A game in the terminal: the board, the moves by number, and a line for each move or command.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use privy_base::atomic_file::AtomicFile;
use privy_base::message::{counted, did_you_mean, sanitized};
use privy_engine::Engine;
use privy_program::CliError;
use privy_protocol::ProtocolError;
use privy_records::Record;
use privy_rules::render::{self, Charset};
use privy_rules::{Game, Side};
use privy_search::{Limits, SearchRequest, SearchResult, Stop};

use super::super::replay::{invalid_game, read_game};
use super::Seats;
use super::line_editor::PlayerLines;

/// Characters of a row of moves.
const ROW: usize = 78;

/// The words that are no moves, each with its meaning.
const WORDS: [(&str, &str); 11] = [
    ("undo", "take back your last move"),
    ("hint", "the best move that the engine finds"),
    ("why", "who is winning, the threats, what each capture would cost"),
    ("rules", "the rules of this game"),
    ("moves", "the board and your moves again"),
    ("level N", "strength of the engine, 1 (a beginner) to 10 (all there is)"),
    ("side S", "play general, rebels or both"),
    ("new", "begin again"),
    ("save FILE", "write the game into a new file"),
    ("load FILE", "continue a game that was saved"),
    ("quit", "end"),
];

/// What a line of the player does.
enum Then {
    /// The position may be another one.
    Show,
    /// The same position waits for the next line.
    Ask,
    Quit,
}

/// A game between a person at the terminal and the engine.
pub(super) struct TerminalGame<'a, W> {
    pub(super) engine: Engine,
    /// The seed of the next game; random without one.
    pub(super) seed: Option<u64>,
    pub(super) you: Seats,
    pub(super) limits: Limits,
    pub(super) lines: PlayerLines,
    /// Set by Ctrl-C while the engine is at work, where lines are edited.
    pub(super) interrupted: Arc<AtomicBool>,
    pub(super) output: &'a mut W,
}

impl<W: Write> TerminalGame<'_, W> {
    /// Plays until the person quits or the input ends.
    pub(super) fn play(mut self) -> Result<(), CliError> {
        self.choose_seed()?;
        let title = self.engine.variant().heading.title.to_owned();
        writeln!(self.output, "{title}. {}", self.seats())?;
        writeln!(self.output, "Type a move or its number. Other words: rules, hint, why, undo, help, quit.")?;
        loop {
            if self.game().outcome().is_none() && !self.you.plays(self.game().side()) {
                self.reply()?;
                continue;
            }
            self.show()?;
            loop {
                let Some(line) = self.next_line()? else { return Ok(writeln!(self.output)?) };
                match self.obey(line.trim())? {
                    Then::Show => break,
                    Then::Ask => {}
                    Then::Quit => return Ok(()),
                }
            }
        }
    }

    /// Returns the next line, `None` at the end of the input. Of two interrupts in a row the second ends the game.
    fn next_line(&mut self) -> Result<Option<String>, CliError> {
        let mut is_second = false;
        self.interrupted.store(false, Ordering::Relaxed);
        loop {
            // An interrupt before the terminal is ready for the line is a signal.
            let line = match self.interrupted.swap(false, Ordering::Relaxed) {
                true => Err(io::ErrorKind::Interrupted.into()),
                false => self.lines.next_line(self.output, words_to_type(self.engine.game())),
            };
            match line {
                Err(error) if error.kind() == io::ErrorKind::Interrupted && is_second => {
                    return Err(CliError::Interrupted("the game is not saved".to_owned()));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    is_second = true;
                    writeln!(self.output, "Ctrl-C again ends the game; save FILE keeps it.")?;
                }
                line => return Ok(line?),
            }
        }
    }

    /// Sets the seed of a game that begins.
    fn choose_seed(&mut self) -> Result<(), CliError> {
        let seed = match self.seed {
            Some(seed) => seed,
            None => getrandom::u32().map_err(|error| CliError::Failed(error.to_string()))?.max(1).into(),
        };
        self.seed = self.seed.map(|seed| seed + 1);
        Ok(self.engine.configure(|options| options.seed = seed)?)
    }

    fn game(&self) -> &Game {
        self.engine.game()
    }

    /// A text with the names of the pieces.
    fn in_names(&self, text: &str) -> String {
        self.engine.variant().heading.names.in_names(text)
    }

    fn protocol_text_in_names(&self, words: &dyn Display) -> String {
        self.engine.variant().heading.names.protocol_text_in_names(&words.to_string())
    }

    fn seats(&self) -> String {
        let level = self.engine.options().level;
        self.in_names(&match self.you {
            Seats::Both => "You play both sides.".to_owned(),
            Seats::General => format!("You are the General (G); the engine has the Rebels, at level {level} of 10."),
            Seats::Rebels => format!("You are the Rebels (r); the engine has the General, at level {level} of 10."),
        })
    }

    /// The board, and the moves by number or the result.
    fn show(&mut self) -> io::Result<()> {
        let drawing = render::text_with_names(self.engine.game(), Charset::Unicode);
        writeln!(self.output, "\n{}\n", drawing.trim_end())?;
        let game = self.engine.game();
        if let Some(outcome) = game.outcome() {
            let result = match outcome.winner() {
                None => "A draw",
                Some(_) if self.you == Seats::Both => "The game is over",
                Some(winner) if self.you.plays(winner) => "You win",
                Some(_) => "You lose",
            };
            return writeln!(
                self.output,
                "{result}: {}. Type undo, new, save FILE or quit.",
                self.protocol_text_in_names(&outcome)
            );
        }
        let texts = moves_by_text(game);
        let widest = texts.iter().map(String::len).max().unwrap_or(0) + 6;
        writeln!(self.output, "Your {}:", counted(texts.len(), "move"))?;
        for (row, moves) in texts.chunks((ROW / widest).max(1)).enumerate() {
            let first = row * (ROW / widest).max(1) + 1;
            let cells = moves
                .iter()
                .enumerate()
                .map(|(at, text)| format!("{:>3} {text:width$}", first + at, width = widest - 4));
            writeln!(self.output, "{}", cells.collect::<String>().trim_end())?;
        }
        Ok(())
    }

    /// The engine's move.
    fn reply(&mut self) -> Result<(), CliError> {
        let found = self.search(false)?;
        let (side, text) =
            (self.protocol_text_in_names(&self.game().side()), self.game().move_with_captures(&found.best));
        self.engine.play_move(found.best);
        Ok(writeln!(self.output, "\nThe {side}: {text}")?)
    }

    fn search(&mut self, full_strength: bool) -> Result<SearchResult, ProtocolError> {
        let request = SearchRequest::from(self.limits);
        let request = if full_strength { request.analysis() } else { request };
        self.engine.go(&request, &self.stop(), None)
    }

    /// The stop of the next work of the engine, which Ctrl-C sets.
    fn stop(&self) -> Stop {
        self.interrupted.store(false, Ordering::Relaxed);
        Stop::from(Arc::clone(&self.interrupted))
    }

    fn obey(&mut self, line: &str) -> Result<Then, CliError> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        match word.to_lowercase().as_str() {
            "" => Ok(Then::Ask),
            "quit" | "exit" | "q" => Ok(Then::Quit),
            "help" | "?" => {
                let words = WORDS.iter().map(|(word, meaning)| format!("  {word:10} {meaning}\n"));
                let words: String = words.collect();
                self.answer(&format!(
                    "A move is typed as text, such as the ones listed, or as its number.\n{}",
                    words.trim_end()
                ))
            }
            "moves" | "board" => Ok(Then::Show),
            "rules" => {
                let rules = self.engine.variant().rules_in_words().join("\n");
                self.answer(&rules)
            }
            "undo" => self.take_back(),
            "new" => {
                let plies = self.game().moves().len();
                self.engine.undo(plies)?;
                self.choose_seed()?;
                Ok(Then::Show)
            }
            "hint" | "why" if self.game().outcome().is_some() => self.answer("The game is over."),
            "hint" => {
                let found = self.search(true)?;
                let hint = self.game().move_with_captures(&found.best);
                self.answer(&format!("Best is {hint}."))
            }
            "why" => {
                let words = self.engine.explain(&self.stop())?;
                self.answer(&words)
            }
            "level" => match self.engine.set_option("level", rest) {
                Ok(()) => self.answer(&format!("The engine plays at level {rest}.")),
                Err(error) => self.answer(&format!("{}.", sanitized(&error.to_string(), ROW))),
            },
            "side" => match rest.parse() {
                Ok(you) => {
                    self.you = you;
                    writeln!(self.output, "{}", self.seats())?;
                    Ok(Then::Show)
                }
                Err(expected) => self.answer(&format!("{expected}.")),
            },
            "save" if rest.is_empty() => self.answer("Which file? Type save and its name."),
            "save" => {
                let [general, rebels] = [Side::General, Side::Rebels].map(|side| self.player(side));
                let seed = Some(self.engine.options().seed);
                let record = Record { general, rebels, seed, ..Record::of(self.game()) };
                match save(&record, Path::new(rest)) {
                    Ok(()) => self.answer(&format!("Saved as {}.", sanitized(rest, ROW))),
                    Err(error) => self.answer(&format!("Not saved: {}: {error}.", sanitized(rest, ROW))),
                }
            }
            "load" if rest.is_empty() => self.answer("Which file? Type load and its name."),
            "load" => match self.load(Path::new(rest)) {
                Ok(()) => Ok(Then::Show),
                Err(error) => self.answer(&format!("Not loaded: {}.", sanitized(&error.to_string(), 4 * ROW))),
            },
            _ => self.play_typed(line),
        }
    }

    /// Continues the game of a file.
    fn load(&mut self, path: &Path) -> Result<(), CliError> {
        let variant = Some(self.engine.variant());
        let (number, record) = read_game(path, None, variant)?;
        let game = record.replay(variant).map_err(invalid_game(path, number))?;
        self.engine.set_game(game);
        Ok(())
    }

    /// Plays a move that was typed as text or number.
    fn play_typed(&mut self, line: &str) -> Result<Then, CliError> {
        let game = self.game();
        if game.outcome().is_some() {
            return self.answer("The game is over. Type undo, new, save FILE or quit.");
        }
        let text = match line.parse::<usize>() {
            Ok(number) => {
                let texts = moves_by_text(game);
                let chosen = number.checked_sub(1).and_then(|place| texts.get(place));
                match chosen.and_then(|text| text.split(' ').next()) {
                    Some(text) => text.to_owned(),
                    None => return self.answer(&format!("The moves have the numbers 1 to {}.", texts.len())),
                }
            }
            Err(_) => line.to_owned(),
        };
        match self.engine.play(None, &text) {
            Ok(()) => Ok(Then::Show),
            Err(error) => {
                let names = WORDS.iter().filter_map(|(word, _)| word.split(' ').next());
                let is_word = !text.contains(|letter: char| letter.is_ascii_digit());
                let help = if is_word { did_you_mean(&text, names) + "; help lists all words" } else { String::new() };
                self.answer(&format!("{}{help}", sanitized(&error.to_string(), 4 * ROW)))
            }
        }
    }

    fn answer(&mut self, text: &str) -> Result<Then, CliError> {
        writeln!(self.output, "{text}")?;
        Ok(Then::Ask)
    }

    /// Takes back to the last position in which the person was to move.
    fn take_back(&mut self) -> Result<Then, CliError> {
        let sides = self.game().positions().rev().skip(1).map(|position| position.side());
        let Some(before) = sides.into_iter().position(|side| self.you.plays(side)) else {
            return self.answer("There is no move of yours to take back.");
        };
        self.engine.undo(before + 1)?;
        Ok(Then::Show)
    }

    fn player(&self, side: Side) -> String {
        if self.you.plays(side) {
            return "you".to_owned();
        }
        format!("Privy, level {}", self.engine.options().level)
    }
}

/// The moves and the other words that begin a line.
fn words_to_type(game: &Game) -> Vec<String> {
    let mut moves = game.line_texts(&game.legal_moves());
    moves.sort();
    let others = WORDS.iter().map(|(word, _)| word.split(' ').next().unwrap_or(word).to_owned());
    moves.into_iter().chain(others).collect()
}

/// The legal moves, each with what it takes, sorted by text.
fn moves_by_text(game: &Game) -> Vec<String> {
    let mut texts: Vec<String> = game.legal_moves().iter().map(|move_| game.move_with_captures(move_)).collect();
    texts.sort();
    texts
}

/// Writes a record into a file that does not exist yet.
fn save(record: &Record, path: &Path) -> io::Result<()> {
    if path.exists() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "the file exists"));
    }
    let mut file = AtomicFile::create(path)?;
    write!(file, "{record}")?;
    file.commit()
}
