//! Hints on standard error for newcomers who type into the protocol loop.

use std::io::{self, Read, Write};

use privy_rules::MoveText;

/// Bytes of a line that may get a hint.
const LONGEST_LINE: usize = 1_000;

/// The input of a session at a terminal. Lines that newcomers type get a hint as they are read.
pub(super) struct HintedInput<R> {
    input: R,
    commands: Vec<&'static str>,
    /// The line so far.
    line: Vec<u8>,
}

impl<R: Read> HintedInput<R> {
    pub(super) fn new(input: R, commands: Vec<&'static str>) -> HintedInput<R> {
        HintedInput { input, commands, line: Vec::new() }
    }
}

impl<R: Read> Read for HintedInput<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        for byte in buffer.iter().take(length) {
            if *byte == b'\n' {
                if let Some(hint) = hint(&self.commands, &String::from_utf8_lossy(&self.line)) {
                    // In one piece: answers come to the same terminal.
                    let _ = io::stderr().write_all(format!("privy: {hint}\n").as_bytes());
                }
                self.line.clear();
            } else if self.line.len() < LONGEST_LINE {
                self.line.push(*byte);
            }
        }
        Ok(length)
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

/// The words of a line, without its id.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut words = line.split_whitespace().peekable();
    words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    words
}

#[cfg(test)]
mod tests {
    use privy_protocol::Command;

    use super::*;

    #[test]
    fn words_of_newcomers_get_a_hint_and_commands_none() {
        let commands: Vec<&str> = Command::names().collect();
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

    #[test]
    fn what_is_read_passes_through() {
        let text = format!("new\nname\n{}\nlast", "x".repeat(5_000));
        let mut read = String::new();
        HintedInput::new(text.as_bytes(), vec!["name"]).read_to_string(&mut read).unwrap();
        assert_eq!(read, text);
    }
}
