//! Model-based test of a running engine: random commands, valid and invalid, with interrupts at random moments. Every
//! reply is checked, the state equals that of the model after each, and memory, threads and descriptors of its process
//! do not grow. `PRIVY_STRESS_COMMANDS` is the number of commands.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use privy_protocol::{Client, Reply};
use privy_rules::{Game, Variant};

use crate::support::binary;
use crate::support::late::PATIENCE;
use crate::support::random::Random;
use crate::support::session::option;
use privy_testing::settings;

/// Options with valid values and their default.
const OPTIONS: [(&str, &str, [&str; 3]); 6] = [
    ("hash", "", ["1", "2", "4"]),
    ("threads", "", ["1", "2", "3"]),
    ("multi_pv", "", ["1", "2", "5"]),
    ("seed", "", ["0", "7", "123456"]),
    ("level", "", ["1", "5", "10"]),
    ("move_overhead", "", ["0", "10", "50"]),
];

/// Lines that fail in every state, with the prefix of their error.
const WRONG: [(&str, &str); 10] = [
    ("no_such_command", "unknown command"),
    ("play", "syntax error"),
    ("play z9-z8", "syntax error"),
    ("position fen 9/9 g", "illegal position"),
    ("variant chess", "unknown variant"),
    ("variant /no/such/file.toml", "cannot load file"),
    ("set_option no_such_option 1", "unknown option"),
    ("set_option hash 0", "value out of range"),
    ("undo 4000000000", "cannot undo"),
    ("boardsize 19", "unacceptable size"),
];

struct Model {
    game: Game,
    options: BTreeMap<&'static str, &'static str>,
}

struct Driver {
    client: Client,
    model: Model,
    random: Random,
    sent: Vec<String>,
}

impl Driver {
    fn start(seed: u64) -> Driver {
        let client = Client::spawn(binary::privy().args(["--tables", "off"])).unwrap();
        let game = Variant::builtin("sixteen-rebels").unwrap().start();
        Driver { client, model: Model { game, options: BTreeMap::new() }, random: Random::new(seed), sent: Vec::new() }
    }

    fn reply(&mut self, command: &str) -> Reply {
        self.sent.push(command.to_owned());
        let surplus = self.sent.len().saturating_sub(40);
        self.sent.drain(..surplus);
        self.client.request(command, PATIENCE).unwrap_or_else(|error| panic!("{error}: {:?}", self.sent))
    }

    #[track_caller]
    fn succeed(&mut self, command: &str) -> String {
        let reply = self.reply(command);
        assert!(reply.is_success(), "{command}: {}: {:?}", reply.text(), self.sent);
        reply.text().to_owned()
    }

    fn texts(&self) -> Vec<String> {
        let game = &self.model.game;
        game.legal_moves().iter().map(|move_| game.move_text(move_)).collect()
    }

    fn play_in_model(&mut self, text: &str) {
        let move_ = self.model.game.parse_move(None, text);
        let move_ = move_.unwrap_or_else(|error| panic!("{text}: {error}: {:?}", self.sent));
        self.model.game.play(move_);
    }

    /// One command, applied to the engine and to the model.
    fn step(&mut self) {
        let texts = self.texts();
        match self.random.below(12) {
            0 | 1 if !texts.is_empty() => {
                let text = self.random.choose(&texts);
                self.succeed(&format!("play {text}"));
                self.play_in_model(&text);
            }
            2 => {
                let (line, phrase) = self.random.choose(&WRONG);
                let reply = self.reply(line);
                // After the end of the game this error comes first.
                let is_right = reply.text().starts_with(phrase) || reply.text() == "illegal move: game over";
                assert!(!reply.is_success() && is_right, "{line}: {}", reply.text());
            }
            3 => {
                let played = self.model.game.moves().len();
                let count = 1 + self.random.below(3);
                let reply = self.reply(&format!("undo {count}"));
                assert_eq!(reply.is_success(), count <= played, "{:?}", self.sent);
                let undone = self.model.game.undo(count);
                assert_eq!(undone.is_ok(), reply.is_success());
            }
            4 => {
                let (name, _, values) = self.random.choose(&OPTIONS);
                let value = self.random.choose(&values);
                self.succeed(&format!("set_option {name} {value}"));
                self.model.options.insert(name, value);
            }
            5 if self.random.one_in(4) => {
                let ids: Vec<&str> = Variant::builtin_ids().filter(|id| *id != "twenty-six-murray").collect();
                let id = self.random.choose(&ids);
                self.succeed(&format!("variant {id}"));
                self.model.game = Variant::builtin(id).unwrap().start();
            }
            6 if self.random.one_in(2) => {
                let (first, moves) = (self.model.game.beginning().to_string(), self.model.game.moves());
                let moves: Vec<String> = moves.map(|move_| self.model.game.move_text(move_)).collect();
                let list = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
                self.succeed(&format!("position fen {first}{list}"));
            }
            7 if self.random.one_in(4) => {
                self.succeed("clear_board");
                self.model.game = Arc::clone(self.model.game.variant()).start();
            }
            8 if !texts.is_empty() => {
                let side = self.model.game.side();
                self.interrupted("time_settings 1 0 0", &format!("genmove {side}"), true);
            }
            9 | 10 if !texts.is_empty() => {
                let limits = ["go infinite", "go nodes 300", "go depth 3", "go time 2", "analyze 1"];
                let limits = self.random.choose(&limits);
                self.interrupted("stop", limits, false);
            }
            _ => {
                // Perft ignores repetition (RULES §7).
                let expected = self.model.game.without_history().legal_moves().len();
                assert_eq!(self.succeed("perft 1"), expected.to_string(), "{:?}", self.sent);
            }
        }
    }

    /// A search that is interrupted at a random moment, perhaps before it begins or after its end.
    fn interrupted(&mut self, before: &str, search: &str, plays: bool) {
        self.succeed(before);
        self.sent.push(search.to_owned());
        let interrupter = self.client.interrupter();
        self.client.send(search).unwrap();
        std::thread::sleep(Duration::from_micros(self.random.below(1500) as u64));
        if search == "analyze 1" {
            self.client.send("name").unwrap();
        } else {
            interrupter.interrupt().unwrap();
        }
        let mut last = String::new();
        let reply = self.client.receive_lines(PATIENCE, |line| line.clone_into(&mut last)).unwrap();
        assert!(reply.is_success(), "{search}: {}", reply.text());
        if search == "analyze 1" {
            assert_eq!(self.client.receive(PATIENCE).unwrap().text(), "Privy");
        } else if plays {
            self.play_in_model(&last);
        } else {
            let best = last.strip_prefix("bestmove ").unwrap_or_else(|| panic!("{last}: {:?}", self.sent));
            assert!(self.texts().iter().any(|text| text == best), "{best}: {:?}", self.sent);
        }
    }

    /// Compares the state with the model.
    fn compare(&mut self) {
        let expected = self.model.game.to_string();
        assert_eq!(self.succeed("fen"), expected, "{:?}", self.sent);
        let mut texts = self.texts();
        texts.sort_unstable();
        assert_eq!(self.succeed("legal_moves"), texts.join(" "), "{:?}", self.sent);
        let expected = match self.model.game.outcome() {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", self.model.game.side()),
        };
        assert_eq!(self.succeed("status"), expected, "{:?}", self.sent);
        let options: Vec<_> = self.model.options.iter().map(|(name, value)| (*name, *value)).collect();
        if !options.is_empty() {
            let (name, value) = self.random.choose(&options);
            assert_eq!(option(&self.succeed("list_options"), name), value, "{:?}", self.sent);
        }
    }

    /// Memory in KiB, threads and open descriptors of the engine with default options.
    fn sizes(&mut self) -> (u64, u64, usize) {
        ["hash 4", "threads 1", "multi_pv 1"]
            .iter()
            .for_each(|option| drop(self.succeed(&format!("set_option {option}"))));
        self.succeed("variant sixteen-rebels");
        self.succeed("go nodes 1000");
        self.model.game = Variant::builtin("sixteen-rebels").unwrap().start();
        self.model.options.extend([("hash", "4"), ("threads", "1"), ("multi_pv", "1")]);
        let id = self.client.process_id().unwrap();
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap();
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
            line.split_whitespace().next().unwrap().parse().unwrap()
        };
        (number("VmRSS:"), number("Threads:"), fs::read_dir(format!("/proc/{id}/fd")).unwrap().count())
    }
}

/// Sends this number of commands, or that of the setting.
#[cfg(target_os = "linux")]
fn the_model_is_kept(commands: u64) {
    let commands = settings::number("PRIVY_STRESS_COMMANDS", commands);
    let mut driver = Driver::start(settings::number("PRIVY_STRESS_SEED", 1));
    let mut first = None;
    for command in 0..commands {
        // All tables and histories have reached their full size by now.
        if command == commands / 2 {
            first = Some(driver.sizes());
        }
        driver.step();
        driver.compare();
    }
    let (memory, threads, descriptors) = driver.sizes();
    let (memory_before, threads_before, descriptors_before) = first.unwrap();
    println!(
        "{commands} commands; memory {memory_before} then {memory} KiB, {threads} threads, {descriptors} descriptors"
    );
    assert_eq!((threads, descriptors), (threads_before, descriptors_before));
    assert!(memory < memory_before + 16 * 1024, "{memory_before} then {memory} KiB");
    driver.client.quit(PATIENCE).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn the_engine_keeps_the_state_of_the_model() {
    the_model_is_kept(600);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "release: twenty thousand commands"]
fn the_engine_keeps_the_state_of_the_model_for_long() {
    the_model_is_kept(20_000);
}
