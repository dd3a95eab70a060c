//! What is examined; a process of the engine in which a step is tried, what was said so far, and games to play with it.

use std::collections::BTreeSet;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use privy_protocol::{Client, ClientError, Reply};

use super::report::Failure;
use crate::random::mix;
use crate::rules::{DEFAULT_VARIANT, Game, MovePath, Variant};
use crate::tournament::engine_spec::EngineSpec;

/// How long an engine is listened to that should say nothing.
const QUIET: Duration = Duration::from_millis(150);

/// How much of a line is shown.
const SHOWN: usize = 240;

/// What is examined and how.
#[derive(Debug, Clone)]
pub(crate) struct Examination {
    pub(crate) engine: EngineSpec,
    /// The variants to play; those that the engine names and that are built in when empty.
    pub(crate) variants: Vec<Arc<Variant>>,
    /// How long an answer may take that has no time of its own.
    pub(crate) patience: Duration,
    /// How much later than its time an answer may come.
    pub(crate) margin: Duration,
}

impl Examination {
    /// The variants to play with an engine that names those; the usual one when nothing is known of them.
    pub(super) fn variants_among(&self, named: &[String]) -> Vec<Arc<Variant>> {
        if !self.variants.is_empty() {
            return self.variants.clone();
        }
        let known: Vec<_> = named.iter().filter_map(|id| Variant::builtin(id)).collect();
        if known.is_empty() { Variant::builtin(DEFAULT_VARIANT).into_iter().collect() } else { known }
    }

    /// The abilities of an engine that has not been asked.
    pub(super) fn unknown_abilities(&self) -> Abilities {
        Abilities {
            name: self.engine.title().to_owned(),
            variants: self.variants_among(&[]),
            commands: BTreeSet::new(),
            listed: None,
        }
    }
}

/// The commands of an engine, and the games that it plays: found out once, before the first step.
#[derive(Debug, Clone)]
pub(super) struct Abilities {
    /// What it calls itself.
    pub(super) name: String,
    /// The variants to play with it.
    pub(super) variants: Vec<Arc<Variant>>,
    pub(super) commands: BTreeSet<String>,
    /// As `list_commands` gives them; none without that command.
    pub(super) listed: Option<Vec<String>>,
}

impl Abilities {
    /// Whether the engine has a command.
    pub(super) fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// What is missing of what a step needs: of each list at least one.
    pub(super) fn lack(&self, needs: &[Vec<&str>]) -> Option<String> {
        let lacking = needs.iter().find(|any| !any.iter().any(|command| self.has(command)))?;
        Some(match &lacking[..] {
            [one] => format!("the engine has no {one}"),
            several => format!("the engine has none of {}", several.join(", ")),
        })
    }
}

/// A step being tried.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    pub(super) examination: &'a Examination,
    pub(super) abilities: &'a Abilities,
    client: Client,
    sent: Vec<String>,
    came: String,
    /// When the last line was sent.
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

    /// Whether the engine has a command.
    pub(super) fn has(&self, command: &str) -> bool {
        self.abilities.has(command)
    }

    /// The variants to play.
    pub(super) fn variants(&self) -> &'a [Arc<Variant>] {
        &self.abilities.variants
    }

    /// The variant of steps that need only one.
    pub(super) fn variant(&self) -> Result<&'a Arc<Variant>, Failure> {
        self.variants().first().ok_or_else(|| self.fail("a variant to play"))
    }

    /// Sends a line, which must have so many answers: one, or none.
    pub(super) fn send(&mut self, line: &str, answers: usize) -> Result<(), Failure> {
        self.write(line, &[line.as_bytes(), b"\n"].concat(), answers)
    }

    /// Sends bytes as they are, which must have so many answers.
    pub(super) fn send_bytes(&mut self, bytes: &[u8], answers: usize) -> Result<(), Failure> {
        self.write(&bytes.escape_ascii().to_string(), bytes, answers)
    }

    fn write(&mut self, shown: &str, bytes: &[u8], answers: usize) -> Result<(), Failure> {
        self.sent.push(shortened(shown));
        self.asked_at = Instant::now();
        let sent = self.client.send_bytes(bytes, answers);
        sent.map_err(|error| self.broken(&error, "an engine that reads its input"))
    }

    /// Receives an answer, whatever it says.
    pub(super) fn answer(&mut self) -> Result<Reply, Failure> {
        let limit = self.examination.patience;
        let reply = self.client.receive(limit);
        let expected = || format!("an answer within {} ms", limit.as_millis());
        let reply = reply.map_err(|error| self.broken(&error, &expected()))?;
        self.came = shown_reply(&reply);
        Ok(reply)
    }

    /// Sends a line and receives its answer.
    pub(super) fn ask(&mut self, line: &str) -> Result<Reply, Failure> {
        self.send(line, 1)?;
        self.answer()
    }

    /// The text of an answer that must be a success.
    pub(super) fn text_of(&mut self, line: &str) -> Result<String, Failure> {
        let reply = self.ask(line)?;
        self.ensure_success(&reply)?;
        Ok(reply.text().to_owned())
    }

    /// An answer must be a success.
    pub(super) fn ensure_success(&self, reply: &Reply) -> Result<(), Failure> {
        self.ensure(reply.is_success(), "a success: an answer that begins with =")
    }

    /// An answer must be a failure with one of these phrases, alone or with a colon and a detail behind it.
    pub(super) fn ensure_refusal(&self, reply: &Reply, phrases: &[&str]) -> Result<(), Failure> {
        let fits = phrases.iter().any(|phrase| {
            let behind = reply.text().strip_prefix(phrase);
            behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(": "))
        });
        let phrases = phrases.join(" or ? ");
        self.ensure(!reply.is_success() && fits, &format!("? {phrases}, perhaps with a colon and a detail behind it"))
    }

    /// Fails the step unless something holds.
    pub(super) fn ensure(&self, holds: bool, expected: &str) -> Result<(), Failure> {
        if holds { Ok(()) } else { Err(self.fail(expected)) }
    }

    /// The failure of the step with what was said last.
    pub(super) fn fail(&self, expected: &str) -> Failure {
        self.fail_with(self.came.clone(), expected)
    }

    /// The failure of the step with something else than an answer.
    pub(super) fn fail_with(&self, came: impl Into<String>, expected: &str) -> Failure {
        Failure { sent: self.sent.clone(), came: came.into(), expected: expected.to_owned() }
    }

    /// Fails the step if the engine says anything now.
    pub(super) fn quiet(&mut self) -> Result<(), Failure> {
        thread::sleep(QUIET);
        let expected = "nothing more: one answer to each command, and not a word besides";
        self.client.unasked_output().map_or(Ok(()), |output| Err(self.fail_with(output, expected)))
    }

    /// How long after the last line was sent the last answer came.
    pub(super) fn took(&self) -> Duration {
        self.client.arrived().saturating_duration_since(self.asked_at)
    }

    /// Ends the input of the engine, behind what has been sent.
    pub(super) fn close_input(&mut self) {
        self.sent.push("(end of input)".to_owned());
        self.client.close_input();
    }

    /// The process must end now, with status 0 and without another word.
    pub(super) fn ended(&mut self) -> Result<(), Failure> {
        const EXPECTED: &str = "the process ends with status 0, and says nothing more";
        // A wait for an answer that must not come.
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
            ClientError::Exited { status, .. } => shown_status(*status),
            ClientError::Reply { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        self.fail_with(came, expected)
    }

    /// Chooses the variant of a game, where the engine has a choice.
    pub(super) fn choose_variant(&mut self, game: &Game) -> Result<(), Failure> {
        if self.has("variant") {
            self.text_of(&format!("variant {}", game.variant().id()))?;
        }
        Ok(())
    }

    /// Lets the engine come to the position of a game that began with the opening.
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

    /// What the engine says of its state, by all commands that it has for that; empty when it has none.
    pub(super) fn state(&mut self) -> Result<Vec<String>, Failure> {
        let asked: Vec<&str> =
            ["variant", "fen", "status", "legal_moves"].into_iter().filter(|command| self.has(command)).collect();
        asked.into_iter().map(|command| Ok(format!("{command}: {}", self.text_of(command)?))).collect()
    }

    /// The state of the engine must be what it was.
    pub(super) fn ensure_same_state(&mut self, before: &[String]) -> Result<(), Failure> {
        let after = self.state()?;
        if after == before { Ok(()) } else { Err(self.fail_with(after.join("\n"), &before.join("\n"))) }
    }

    /// The engine must say of its state what is true of a game.
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

fn shown_status(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => format!("the process has ended: {status}"),
        None => "the output is closed, and the process still runs".to_owned(),
    }
}

/// An answer as it stood in the output, or nearly so.
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

/// A random legal move at a ply, the same every time; none when there is no move.
pub(super) fn random_move(game: &Game, seed: u64, ply: usize) -> Option<MovePath> {
    let mut moves = game.legal_moves();
    let chosen = mix(mix(seed) ^ ply as u64).checked_rem(moves.len() as u64)?;
    Some(moves.swap_remove(usize::try_from(chosen).ok()?))
}

/// A game of so many plies, or fewer when it ends before; which one, the seed decides.
pub(super) fn random_game(variant: &Arc<Variant>, seed: u64, plies: usize) -> Game {
    let mut game = variant.start();
    for ply in 0..plies {
        let Some(move_) = random_move(&game, seed, ply) else { break };
        game.play(move_);
    }
    game
}

/// A legal step that its two points determine, and its text.
pub(super) fn plain_step(game: &Game) -> Option<(MovePath, String)> {
    game.legal_moves().into_iter().find_map(|step| {
        let text = game.move_text(&step);
        let same = game.parse_move(None, &text.replace('-', "")).is_ok_and(|same| same == step);
        (text.contains('-') && same).then_some((step, text))
    })
}

/// The texts of legal moves as `legal_moves` gives them: sorted, with a space between.
pub(super) fn legal_text(game: &Game) -> String {
    let mut moves: Vec<String> = game.legal_moves().iter().map(|move_: &MovePath| game.move_text(move_)).collect();
    moves.sort();
    moves.join(" ")
}

/// What `status` says of a game.
pub(super) fn status_text(game: &Game) -> String {
    game.outcome().map_or_else(|| format!("{} to move", game.position().side()), |outcome| outcome.to_string())
}
