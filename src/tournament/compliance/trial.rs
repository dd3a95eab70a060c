//! A trial of a step in a process of the engine, and the games to play in it.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use privy_protocol::{Client, ClientError, Reply};

use super::report::Failure;
use crate::random::mix;
use crate::rules::{DEFAULT_VARIANT, Game, MovePath, Variant};
use crate::tournament::engine_spec::EngineSpec;
use crate::tournament::player::status_text;

/// How long the engine must be silent in a check for unasked output.
const QUIET: Duration = Duration::from_millis(150);

/// The most characters of a line in a failure.
const SHOWN: usize = 240;

/// An engine to examine, and how.
#[derive(Debug, Clone)]
pub(crate) struct Examination {
    pub(crate) engine: EngineSpec,
    /// The variants to play; if empty, the built-in ones that the engine names.
    pub(crate) variants: Vec<Arc<Variant>>,
    /// The longest time to an answer, except of a search.
    pub(crate) patience: Duration,
    /// The longest delay of an answer after the time of its search.
    pub(crate) margin: Duration,
}

impl Examination {
    /// The variants to play with an engine that names `named`; the default one if none is built in.
    pub(super) fn variants_among(&self, named: &[String]) -> Vec<Arc<Variant>> {
        if !self.variants.is_empty() {
            return self.variants.clone();
        }
        let known: Vec<_> = named.iter().filter_map(|id| Variant::builtin(id)).collect();
        if known.is_empty() { Variant::builtin(DEFAULT_VARIANT).into_iter().collect() } else { known }
    }

    pub(super) fn unknown_abilities(&self) -> Abilities {
        Abilities {
            name: self.engine.title().to_owned(),
            variants: self.variants_among(&[]),
            commands: BTreeSet::new(),
            listed: Vec::new(),
        }
    }
}

/// What an engine can do, as it says before the first step.
#[derive(Debug, Clone)]
pub(super) struct Abilities {
    pub(super) name: String,
    pub(super) variants: Vec<Arc<Variant>>,
    pub(super) commands: BTreeSet<String>,
    /// The answer to `list_commands`.
    pub(super) listed: Vec<String>,
}

impl Abilities {
    pub(super) fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// The commands that a step lacks: it needs at least one of each list.
    pub(super) fn lack(&self, needs: &[Vec<&str>]) -> Option<String> {
        let lacking = needs.iter().find(|any| !any.iter().any(|command| self.has(command)))?;
        Some(match &lacking[..] {
            [one] => format!("the engine has no {one}"),
            several => format!("the engine has none of {}", several.join(", ")),
        })
    }
}

#[derive(Debug)]
pub(super) struct Trial<'a> {
    pub(super) examination: &'a Examination,
    pub(super) abilities: &'a Abilities,
    client: Client,
    sent: Vec<String>,
    came: String,
    asked_at: Instant,
}

impl<'a> Trial<'a> {
    pub(super) fn start(examination: &'a Examination, abilities: &'a Abilities) -> Result<Trial<'a>, Failure> {
        let spec = &examination.engine;
        let mut client = Client::spawn(spec.process().stderr(Stdio::null())).map_err(|error| Failure {
            sent: Vec::new(),
            came: error.to_string(),
            expected: "a program that can be started".to_owned(),
        })?;
        client.bound_streams();
        let asked_at = Instant::now();
        let mut trial = Trial { examination, abilities, client, sent: Vec::new(), came: String::new(), asked_at };
        for (name, value) in &spec.options {
            trial.text_of(&format!("set_option {name} {value}"))?;
        }
        Ok(trial)
    }

    pub(super) fn has(&self, command: &str) -> bool {
        self.abilities.has(command)
    }

    pub(super) fn variant(&self) -> Result<&'a Arc<Variant>, Failure> {
        let mut variants = self.abilities.variants.iter();
        variants.find(|variant| variant.start().outcome().is_none()).ok_or_else(|| self.fail("a variant to play"))
    }

    /// Sends a line that has `answers` answers.
    pub(super) fn send(&mut self, line: &str, answers: usize) -> Result<(), Failure> {
        self.write(line, &[line.as_bytes(), b"\n"].concat(), answers)
    }

    pub(super) fn send_bytes(&mut self, bytes: &[u8], answers: usize) -> Result<(), Failure> {
        self.write(&bytes.escape_ascii().to_string(), bytes, answers)
    }

    fn write(&mut self, shown: &str, bytes: &[u8], answers: usize) -> Result<(), Failure> {
        self.sent.push(shortened(shown));
        self.asked_at = Instant::now();
        let sent = self.client.send_bytes(bytes, answers);
        sent.map_err(|error| self.broken(&error, "an engine that reads its input"))
    }

    pub(super) fn answer(&mut self) -> Result<Reply, Failure> {
        let limit = self.examination.patience;
        let reply = self.client.receive(limit);
        let expected = format!("an answer within {} ms", limit.as_millis());
        let reply = reply.map_err(|error| self.broken(&error, &expected))?;
        self.came = shown_reply(&reply);
        Ok(reply)
    }

    pub(super) fn ask(&mut self, line: &str) -> Result<Reply, Failure> {
        self.send(line, 1)?;
        self.answer()
    }

    /// Sends a line, and gives the text of its answer, which must be a success.
    pub(super) fn text_of(&mut self, line: &str) -> Result<String, Failure> {
        let reply = self.ask(line)?;
        self.ensure_success(&reply)?;
        Ok(reply.text().to_owned())
    }

    pub(super) fn ensure_success(&self, reply: &Reply) -> Result<(), Failure> {
        self.ensure(reply.is_success(), "a success: an answer that begins with =")
    }

    /// The answer must be a failure with one of these phrases, which a colon and a detail may follow.
    pub(super) fn ensure_refusal(&self, reply: &Reply, phrases: &[&str]) -> Result<(), Failure> {
        let fits = phrases.iter().any(|phrase| {
            let behind = reply.text().strip_prefix(phrase);
            behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(": "))
        });
        let phrases = phrases.join(" or ? ");
        self.ensure(!reply.is_success() && fits, &format!("? {phrases}, perhaps with a colon and a detail behind it"))
    }

    pub(super) fn ensure(&self, holds: bool, expected: &str) -> Result<(), Failure> {
        if holds { Ok(()) } else { Err(self.fail(expected)) }
    }

    /// The failure of the step at the last answer.
    pub(super) fn fail(&self, expected: &str) -> Failure {
        self.fail_with(self.came.clone(), expected)
    }

    /// The failure of the step at another event than an answer.
    pub(super) fn fail_with(&self, came: impl Into<String>, expected: &str) -> Failure {
        Failure { sent: self.sent.clone(), came: came.into(), expected: expected.to_owned() }
    }

    pub(super) fn quiet(&mut self) -> Result<(), Failure> {
        thread::sleep(QUIET);
        let expected = "nothing more: one answer to each command, and not a word besides";
        self.client.unasked_output().map_or(Ok(()), |output| Err(self.fail_with(output, expected)))
    }

    /// The time from the last line to the last answer.
    pub(super) fn took(&self) -> Duration {
        self.client.arrived().saturating_duration_since(self.asked_at)
    }

    pub(super) fn close_input(&mut self) {
        self.sent.push("(end of input)".to_owned());
        self.client.close_input();
    }

    /// The process must end now, with status 0 and without further output.
    pub(super) fn ended(&mut self) -> Result<(), Failure> {
        const EXPECTED: &str = "the process ends with status 0, and says nothing more";
        let waited = self.client.send_bytes(b"", 1).and_then(|()| self.client.receive(self.examination.patience));
        match waited {
            Err(ClientError::Exited { status: Some(status), .. }) if status.success() => Ok(()),
            Err(ClientError::Timeout { limit, .. }) => {
                Err(self.fail_with(format!("it still runs after {} ms", limit.as_millis()), EXPECTED))
            }
            Err(error) => Err(self.broken(&error, EXPECTED)),
            Ok(reply) => Err(self.fail_with(shown_reply(&reply), EXPECTED)),
        }
    }

    fn broken(&self, error: &ClientError, expected: &str) -> Failure {
        let came = match error {
            ClientError::Timeout { limit, .. } => format!("nothing within {} ms", limit.as_millis()),
            ClientError::Exited { status: Some(status), .. } => format!("the process has ended: {status}"),
            ClientError::Exited { status: None, .. } => "the output is closed, and the process still runs".to_owned(),
            ClientError::Reply { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        self.fail_with(came, expected)
    }

    /// Sets the variant of a game, if the engine has that command.
    pub(super) fn choose_variant(&mut self, game: &Game) -> Result<(), Failure> {
        if self.has("variant") {
            self.text_of(&format!("variant {}", id_or_file(game.variant())))?;
        }
        Ok(())
    }

    /// Brings the engine to the position of a game from the opening.
    pub(super) fn set_up(&mut self, game: &Game) -> Result<(), Failure> {
        self.choose_variant(game)?;
        let moves: Vec<String> = game.moves().map(|move_| game.move_text(move_)).collect();
        if self.has("position") {
            let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
            self.text_of(&format!("position startpos{moves}"))?;
        } else {
            self.text_of("clear_board")?;
            for text in moves {
                self.text_of(&format!("play {text}"))?;
            }
        }
        Ok(())
    }

    /// The answers to all commands about the state that the engine has.
    pub(super) fn state(&mut self) -> Result<Vec<String>, Failure> {
        let commands = ["variant", "fen", "status", "legal_moves"].into_iter();
        let abilities = self.abilities;
        let known = commands.filter(|command| abilities.has(command));
        known.map(|command| Ok(format!("{command}: {}", self.text_of(command)?))).collect()
    }

    /// The state of the engine must be what it was.
    pub(super) fn ensure_same_state(&mut self, before: &[String]) -> Result<(), Failure> {
        let after = self.state()?;
        if after == before { Ok(()) } else { Err(self.fail_with(after.join("\n"), &before.join("\n"))) }
    }

    /// The state of the engine must be that of a game.
    pub(super) fn ensure_state(&mut self, game: &Game) -> Result<(), Failure> {
        let facts = [("fen", game.to_string()), ("status", status_text(game)), ("legal_moves", legal_text(game))];
        for (command, fact) in facts {
            if self.has(command) {
                let text = self.text_of(command)?;
                self.ensure(text == fact, &format!("= {fact}"))?;
            }
        }
        Ok(())
    }
}

fn shown_reply(reply: &Reply) -> String {
    let sign = if reply.is_success() { '=' } else { '?' };
    let id = reply.id().map(|id| id.to_string()).unwrap_or_default();
    shortened(&format!("{sign}{id} {}", reply.text()))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}… ({} bytes)", text.get(..end).unwrap_or_default(), text.len()),
        None => text.to_owned(),
    }
}

/// A reproducible random move; none without legal moves.
pub(super) fn random_move(game: &Game, seed: u64, ply: usize) -> Option<MovePath> {
    let mut moves = game.legal_moves();
    let chosen = mix(mix(seed) ^ ply as u64).checked_rem(moves.len() as u64)?;
    Some(moves.swap_remove(usize::try_from(chosen).ok()?))
}

/// The word by which an engine finds a variant, in whatever folder it runs.
pub(super) fn id_or_file(variant: &Variant) -> String {
    let Some(path) = variant.path() else { return variant.id().to_owned() };
    std::path::absolute(path).as_deref().unwrap_or(path).display().to_string()
}

/// A reproducible random game of at most `plies` plies.
pub(super) fn random_game(variant: &Arc<Variant>, seed: u64, plies: usize) -> Game {
    let mut game = variant.start();
    for ply in 0..plies {
        let Some(move_) = random_move(&game, seed, ply) else { break };
        game.play(move_);
    }
    game
}

/// A legal move that its two points alone determine, and its text.
pub(super) fn plain_step(game: &Game) -> Option<(MovePath, String)> {
    game.legal_moves().into_iter().find_map(|step| {
        let text = game.move_text(&step);
        let same = game.parse_move(None, &text.replace('-', "")).is_ok_and(|same| same == step);
        (text.contains('-') && same).then_some((step, text))
    })
}

/// The answer to `legal_moves`: sorted texts.
pub(super) fn legal_text(game: &Game) -> String {
    let mut moves: Vec<String> = game.legal_moves().iter().map(|move_| game.move_text(move_)).collect();
    moves.sort();
    moves.join(" ")
}
