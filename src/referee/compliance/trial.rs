//! A trial of a step: an engine started for it, what is sent to it, and the checks of its answers.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use privy_protocol::{Client, ClientError, Command, Reply, SearchInfo, SearchLine};

use super::report::Failure;
use crate::engine_spec::EngineSpec;
use crate::player::status_text;
use crate::process::start_engine;
use crate::session::commands_of;
use privy_base::random::mix;
use privy_rules::{DEFAULT_VARIANT, Game, MovePath, Variant};

/// How long the engine must be silent in a check for unasked output.
const QUIET: Duration = Duration::from_millis(150);

/// The most characters of a line in a failure.
const SHOWN: usize = 240;

/// Harmless lines that find the commands of an engine that does not tell them. `go` is not tried, since a search takes
/// time.
const TRIED: [(&str, &[&str]); 10] = [
    ("variant", &["variant"]),
    ("position startpos", &["position", "go"]),
    ("clear_board", &["clear_board"]),
    ("play", &["play"]),
    ("fen", &["fen"]),
    ("status", &["status"]),
    ("legal_moves", &["legal_moves"]),
    ("stop", &["stop"]),
    ("genmove", &["genmove"]),
    ("undo", &["undo"]),
];

/// Starts an engine and returns its client.
pub type Launcher = fn(&EngineSpec) -> Result<Client, ClientError>;

/// The usual launcher: a process, whose standard error is dropped.
pub fn start_process(engine: &EngineSpec) -> Result<Client, ClientError> {
    start_engine(engine.process().stderr(Stdio::null()))
}

/// An engine to examine, and how.
#[derive(Debug, Clone)]
pub struct Examination {
    /// The engine under test.
    pub engine: EngineSpec,
    /// Starts it, once for each step.
    pub launch: Launcher,
    /// The variants to play; if empty, the built-in ones that the engine names.
    pub variants: Vec<Arc<Variant>>,
    /// The longest time to an answer, except of a search.
    pub patience: Duration,
    /// The longest delay of an answer after the time of its search.
    pub margin: Duration,
}

impl Examination {
    /// The variants to play with an engine that names `named`; the default one if it names no built-in variant.
    pub(super) fn variants_among(&self, named: &[String]) -> Vec<Arc<Variant>> {
        if !self.variants.is_empty() {
            return self.variants.clone();
        }
        let known: Vec<_> = named.iter().filter_map(|id| Variant::builtin(id)).collect();
        if known.is_empty() { Variant::builtin(DEFAULT_VARIANT).into_iter().collect() } else { known }
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
    /// True if it answers a bare `variant`, which it may refuse.
    pub(super) tells_variant: bool,
}

impl Abilities {
    /// Asks the engine for its name, commands and variants.
    pub(super) fn ask(engine: &mut Trial<'_>) -> Result<Abilities, Failure> {
        let mut abilities = engine.abilities.clone();
        if engine.ask("name")?.is_success() {
            engine.text().clone_into(&mut abilities.name);
        }
        abilities.commands = commands_of(Command::names(), &TRIED, |line| Ok(engine.ask(line)?.reply.clone()))?;
        if abilities.has("list_commands") {
            abilities.listed = abilities.commands.iter().cloned().collect();
        }
        abilities.tells_variant = abilities.has("variant") && engine.ask("variant")?.is_success();
        if abilities.has("list_variants") {
            let named: Vec<String> = engine.ask("list_variants")?.text().lines().map(str::to_owned).collect();
            abilities.variants = engine.examination.variants_among(&named);
        }
        if !abilities.has("variant") {
            abilities.variants.truncate(1);
        }
        Ok(abilities)
    }

    pub(super) fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// The commands that a step lacks: of each of its needs, alternatives separated by `|`, one is enough.
    pub(super) fn lack(&self, needs: &[&str]) -> Option<String> {
        let lacking = needs.iter().find(|any| !any.split('|').any(|command| self.has(command)))?;
        Some(match lacking.contains('|') {
            false => format!("the engine has no {lacking}"),
            true => format!("the engine has none of {}", lacking.replace('|', ", ")),
        })
    }
}

/// What a refusal of arguments says.
pub(super) const SYNTAX: &[&str] = &["syntax error"];

/// A check gives its trial back, so that checks chain.
pub(super) type Checked<'t, 'a> = Result<&'t mut Trial<'a>, Failure>;

#[derive(Debug)]
pub(super) struct Trial<'a> {
    pub(super) examination: &'a Examination,
    pub(super) abilities: &'a Abilities,
    client: Client,
    sent: Vec<String>,
    /// The last answer, and its form in a failure.
    reply: Reply,
    came: String,
    asked_at: Instant,
}

impl<'a> Trial<'a> {
    pub(super) fn start(examination: &'a Examination, abilities: &'a Abilities) -> Result<Trial<'a>, Failure> {
        let spec = &examination.engine;
        let mut client = (examination.launch)(spec).map_err(|error| Failure {
            sent: Vec::new(),
            came: error.to_string(),
            expected: "a program that can be started".to_owned(),
        })?;
        client.bound_streams();
        let (sent, reply, came) = (Vec::new(), Reply::new(None, true, ""), String::new());
        let mut trial = Trial { examination, abilities, client, sent, reply, came, asked_at: Instant::now() };
        for (name, value) in &spec.options {
            trial.ask(&format!("set_option {name} {value}"))?.success()?;
        }
        Ok(trial)
    }

    pub(super) fn has(&self, command: &str) -> bool {
        self.abilities.has(command)
    }

    pub(super) fn variants(&self) -> &'a [Arc<Variant>] {
        &self.abilities.variants
    }

    /// The first variant whose opening is not over.
    pub(super) fn variant(&self) -> Result<&'a Arc<Variant>, Failure> {
        let mut variants = self.variants().iter();
        variants.find(|variant| variant.start().outcome().is_none()).ok_or_else(|| self.fail("a variant to play"))
    }

    /// A number of margins.
    pub(super) fn margins(&self, count: f64) -> Duration {
        self.examination.margin.mul_f64(count)
    }

    // What is sent, and received.

    /// Sends a line that has `answers` answers.
    pub(super) fn send(&mut self, line: &str, answers: usize) -> Checked<'_, 'a> {
        self.write(line, &[line.as_bytes(), b"\n"].concat(), answers)
    }

    /// Sends bytes as they are, which have `answers` answers.
    pub(super) fn send_bytes(&mut self, bytes: &[u8], answers: usize) -> Checked<'_, 'a> {
        self.write(&bytes.escape_ascii().to_string(), bytes, answers)
    }

    fn write(&mut self, shown: &str, bytes: &[u8], answers: usize) -> Checked<'_, 'a> {
        self.sent.push(shortened(shown));
        self.asked_at = Instant::now();
        match self.client.send_bytes(bytes, answers) {
            Ok(()) => Ok(self),
            Err(error) => Err(self.broken(&error, "an engine that reads its input")),
        }
    }

    /// Receives the next answer.
    pub(super) fn answer(&mut self) -> Checked<'_, 'a> {
        let limit = self.examination.patience;
        match self.client.receive(limit) {
            Ok(reply) => {
                self.came = shown_reply(&reply);
                self.reply = reply;
                Ok(self)
            }
            Err(error) => Err(self.broken(&error, &format!("an answer within {} ms", limit.as_millis()))),
        }
    }

    /// Sends a line, and receives its answer.
    pub(super) fn ask(&mut self, line: &str) -> Checked<'_, 'a> {
        self.send(line, 1)?.answer()
    }

    pub(super) fn ask_bytes(&mut self, bytes: &[u8]) -> Checked<'_, 'a> {
        self.send_bytes(bytes, 1)?.answer()
    }

    /// Sends a line, and returns the text of its answer, which must be a success.
    pub(super) fn text_of(&mut self, line: &str) -> Result<String, Failure> {
        Ok(self.ask(line)?.success()?.text().to_owned())
    }

    pub(super) fn wait(&mut self, ms: u64) -> &mut Self {
        thread::sleep(Duration::from_millis(ms));
        self
    }

    pub(super) fn close_input(&mut self) {
        self.sent.push("(end of input)".to_owned());
        self.client.close_input();
    }

    // Checks of the last answer.

    pub(super) fn is_success(&self) -> bool {
        self.reply.is_success()
    }

    pub(super) fn text(&self) -> &str {
        self.reply.text()
    }

    /// The time from the last line to the last answer.
    pub(super) fn took(&self) -> Duration {
        self.client.arrived().saturating_duration_since(self.asked_at)
    }

    pub(super) fn ensure(&mut self, holds: bool, expected: &str) -> Checked<'_, 'a> {
        if holds { Ok(self) } else { Err(self.fail(expected)) }
    }

    pub(super) fn success(&mut self) -> Checked<'_, 'a> {
        self.ensure(self.is_success(), "a success: an answer that begins with =")
    }

    pub(super) fn failure(&mut self) -> Checked<'_, 'a> {
        self.ensure(!self.is_success(), "a failure: an answer that begins with ?")
    }

    pub(super) fn id(&mut self, id: Option<u32>) -> Checked<'_, 'a> {
        let shown = id.map(|id| id.to_string()).unwrap_or_default();
        let expected = format!("an answer that begins with ={shown} or ?{shown}, and a space");
        self.ensure(self.reply.id() == id, &expected)
    }

    /// The answer is a success with this text.
    pub(super) fn says(&mut self, text: &str) -> Checked<'_, 'a> {
        let expected = if text.is_empty() { "an empty success".to_owned() } else { format!("= {text}") };
        self.success()?.ensure_text(text, &expected)
    }

    fn ensure_text(&mut self, text: &str, expected: &str) -> Checked<'_, 'a> {
        self.ensure(self.text() == text, expected)
    }

    /// The answer is a failure with one of these phrases, which a colon and a detail may follow.
    pub(super) fn refuses(&mut self, phrases: &[&str]) -> Checked<'_, 'a> {
        let fits = phrases.iter().any(|phrase| {
            let behind = self.text().strip_prefix(phrase);
            behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(": "))
        });
        let expected = format!("? {}, perhaps followed by a colon and a detail", phrases.join(" or ? "));
        self.ensure(!self.is_success() && fits, &expected)
    }

    /// The answer has come within a number of margins and milliseconds after the last line.
    pub(super) fn within(&mut self, margins: f64, ms: u64) -> Checked<'_, 'a> {
        let (allowed, took) = (self.margins(margins) + Duration::from_millis(ms), self.took());
        if took <= allowed {
            return Ok(self);
        }
        let came = format!("an answer after {} ms", took.as_millis());
        Err(self.fail_with(came, &format!("an answer within {} ms", allowed.as_millis())))
    }

    /// Nothing comes that was not asked for.
    pub(super) fn quiet(&mut self) -> Checked<'_, 'a> {
        thread::sleep(QUIET);
        match self.client.unasked_output() {
            None => Ok(self),
            Some(output) => {
                Err(self.fail_with(output, "nothing more: one answer to each command, and no other output"))
            }
        }
    }

    /// The process ends now, with status 0 and without further output. An engine without a process ends with its
    /// output.
    pub(super) fn ended(&mut self) -> Checked<'_, 'a> {
        const EXPECTED: &str = "the process ends with status 0, and says nothing more";
        let waited = self.client.send_bytes(b"", 1).and_then(|()| self.client.receive(self.examination.patience));
        match waited {
            Err(ClientError::Exited { status: Some(status), .. }) if status.success() => Ok(self),
            Err(ClientError::Exited { status: None, .. }) if self.client.process_id().is_none() => Ok(self),
            Err(ClientError::Timeout { limit, .. }) => {
                Err(self.fail_with(format!("it still runs after {} ms", limit.as_millis()), EXPECTED))
            }
            Err(error) => Err(self.broken(&error, EXPECTED)),
            Ok(reply) => Err(self.fail_with(shown_reply(&reply), EXPECTED)),
        }
    }

    /// The failure of the step at the last answer.
    pub(super) fn fail(&self, expected: &str) -> Failure {
        self.fail_with(self.came.clone(), expected)
    }

    /// The failure of the step at another event than an answer.
    pub(super) fn fail_with(&self, came: impl Into<String>, expected: &str) -> Failure {
        Failure { sent: self.sent.clone(), came: came.into(), expected: expected.to_owned() }
    }

    fn broken(&self, error: &ClientError, expected: &str) -> Failure {
        let came = match error {
            ClientError::Timeout { limit, .. } => format!("nothing within {} ms", limit.as_millis()),
            ClientError::Exited { status: Some(status), .. } => format!("the process has ended: {status}"),
            ClientError::Exited { .. } if self.client.process_id().is_none() => "the output has ended".to_owned(),
            ClientError::Exited { status: None, .. } => "the output is closed, and the process still runs".to_owned(),
            ClientError::Reply { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        self.fail_with(came, expected)
    }

    // Games, and the state of the engine.

    /// Sets the variant of a game, if the engine has that command.
    pub(super) fn choose_variant(&mut self, game: &Game) -> Checked<'_, 'a> {
        if self.has("variant") {
            self.ask(&format!("variant {}", id_or_file(game.variant())))?.success()?;
        }
        Ok(self)
    }

    /// Brings the engine to the position of a game from the opening.
    pub(super) fn set_up(&mut self, game: &Game) -> Checked<'_, 'a> {
        self.choose_variant(game)?;
        let moves: Vec<String> = game.moves().map(|move_| game.move_text(move_)).collect();
        if self.has("position") {
            let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
            return self.ask(&format!("position startpos{moves}"))?.success();
        }
        self.ask("clear_board")?.success()?;
        for text in moves {
            self.ask(&format!("play {text}"))?.success()?;
        }
        Ok(self)
    }

    /// The answers to all commands about the state that the engine has.
    pub(super) fn state(&mut self) -> Result<Vec<String>, Failure> {
        let known = ["variant", "fen", "status", "legal_moves"].into_iter();
        let known = known.filter(|command| match *command {
            "variant" => self.abilities.tells_variant,
            command => self.abilities.has(command),
        });
        known.map(|command| Ok(format!("{command}: {}", self.text_of(command)?))).collect()
    }

    /// The state of the engine is what it was.
    pub(super) fn is_still(&mut self, before: &[String]) -> Checked<'_, 'a> {
        let after = self.state()?;
        if after == before { Ok(self) } else { Err(self.fail_with(after.join("\n"), &before.join("\n"))) }
    }

    /// The state of the engine is that of a game.
    pub(super) fn shows(&mut self, game: &Game) -> Checked<'_, 'a> {
        let facts = [("fen", game.to_string()), ("status", status_text(game)), ("legal_moves", legal_text(game))];
        for (command, fact) in facts.iter().filter(|(command, _)| self.abilities.has(command)) {
            self.ask(command)?.success()?.ensure_text(fact, &format!("= {fact}"))?;
        }
        Ok(self)
    }

    /// Lines that must fail, each with one of its phrases, and keep the state.
    pub(super) fn keeps_state_at(&mut self, cases: &[(&str, &[&str])]) -> Checked<'_, 'a> {
        let before = self.state()?;
        for (line, phrases) in cases {
            let after = self.ask(line)?.refuses(phrases)?.state()?;
            if let Some((after, before)) = after.iter().zip(&before).find(|(after, before)| after != before) {
                let expected = format!("what it was before {line:?} had failed: {before}");
                return Err(self.fail_with(after, &expected));
            }
        }
        Ok(self)
    }

    // Searches and their answers.

    /// Asks for a search. An engine may refuse limits other than time: it is then asked for a search of 20 ms.
    pub(super) fn search(&mut self, limits: &str) -> Checked<'_, 'a> {
        if self.ask(&format!("go {limits}"))?.is_success() {
            return Ok(self);
        }
        self.refuses(SYNTAX)?.ask("go time 20")
    }

    /// A search without limits has found one move, or was refused.
    pub(super) fn best_or_refusal(&mut self) -> Checked<'_, 'a> {
        if self.is_success() { self.best() } else { self.refuses(SYNTAX) }
    }

    /// The moves of all lines `bestmove` of the last answer, and its lines `info`.
    pub(super) fn searched(&self) -> (Vec<String>, Vec<SearchInfo>) {
        let (mut best, mut infos) = (Vec::new(), Vec::new());
        for line in self.reply.text().lines() {
            match line.parse() {
                Ok(SearchLine::BestMove(move_)) => best.push(move_),
                Ok(SearchLine::Info(info)) => infos.push(info),
                Err(_) => {}
            }
        }
        (best, infos)
    }

    /// A search has found one move.
    pub(super) fn best(&mut self) -> Checked<'_, 'a> {
        let is_one = self.success()?.searched().0.len() == 1;
        self.ensure(is_one, "the answer of the search, with one line bestmove MOVE")
    }

    /// A search has found one move, which is legal.
    pub(super) fn best_move_of(&mut self, game: &Game) -> Checked<'_, 'a> {
        let (best, _) = self.success()?.searched();
        let [best] = &best[..] else { return Err(self.fail("one line bestmove MOVE, at the end")) };
        match game.parse_move(None, best) {
            Ok(_) => Ok(self),
            Err(error) => {
                let legal = legal_text(game);
                Err(self.fail(&format!("bestmove and one of {legal}; {best} can't be played: {error}")))
            }
        }
    }

    /// The principal variations of a search are legal.
    pub(super) fn playable_lines_of(&mut self, game: &Game) -> Checked<'_, 'a> {
        let (_, infos) = self.success()?.searched();
        for info in &infos {
            let mut line = game.clone();
            for text in &info.pv {
                match line.parse_move(None, text) {
                    Ok(move_) => line.play(move_),
                    // A line may continue after the game has ended by repetition, which an engine need not foresee.
                    Err(_) if line.outcome().is_some() => break,
                    Err(error) => {
                        let expected = format!("a pv that can be played; {text} can't: {error}");
                        return Err(self.fail_with(format!("pv {}", info.pv.join(" ")), &expected));
                    }
                }
            }
        }
        Ok(self)
    }

    /// Every line of a search is readable, and the last one gives the move.
    pub(super) fn search_lines(&mut self) -> Checked<'_, 'a> {
        self.success()?;
        for line in self.reply.text().lines() {
            if let Err(error) = line.parse::<SearchLine>() {
                return Err(self.fail_with(line, &format!("a line info … or bestmove MOVE: {error}")));
            }
        }
        let is_last = self.reply.text().lines().last().is_some_and(|last| last.starts_with("bestmove "));
        self.ensure(is_last, "bestmove in the last line")
    }

    /// An analysis lists legal moves.
    pub(super) fn analysis_of(&mut self, game: &Game) -> Checked<'_, 'a> {
        self.success()?;
        let moves = self.reply.text().lines().filter_map(|line| line.strip_prefix("info move ")?.split(' ').next());
        let moves: Vec<String> = moves.map(str::to_owned).collect();
        self.ensure(!moves.is_empty(), "at least one line that begins with info move MOVE")?;
        for text in moves {
            if let Err(error) = game.parse_move(None, &text) {
                return Err(self.fail(&format!("moves that can be played; {text} can't: {error}")));
            }
        }
        Ok(self)
    }

    /// The legal move that is the last answer.
    pub(super) fn move_of(&mut self, game: &Game) -> Result<MovePath, Failure> {
        let text = self.success()?.text().to_owned();
        game.parse_move(None, &text).map_err(|error| {
            let legal = legal_text(game);
            self.fail(&format!("= and one of {legal}; {text} can't be played: {error}"))
        })
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

/// The word by which an engine finds a variant, in whatever folder it runs.
pub(super) fn id_or_file(variant: &Variant) -> String {
    let Some(path) = &variant.heading.path else { return variant.id().to_owned() };
    std::path::absolute(path).as_deref().unwrap_or(path).display().to_string()
}

/// A reproducible random move, or `None` without legal moves.
pub(super) fn random_move(game: &Game, seed: u64, ply: usize) -> Option<MovePath> {
    let mut moves = game.legal_moves();
    let chosen = mix(mix(seed) ^ ply as u64).checked_rem(moves.len() as u64)?;
    Some(moves.swap_remove(usize::try_from(chosen).ok()?))
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

/// Three games of each variant, of up to 30 plies.
pub(super) fn sample_games(variants: &[Arc<Variant>]) -> impl Iterator<Item = Game> {
    variants.iter().flat_map(|variant| (0..3).map(|seed| random_game(variant, seed, 30 / (seed as usize + 1))))
}

/// Up to four games of each variant that are not over, of up to 21 plies.
pub(super) fn sample_positions(variants: &[Arc<Variant>]) -> impl Iterator<Item = Game> {
    let games = |variant| (0..4).map(move |seed| random_game(variant, seed + 20, 7 * seed as usize));
    variants.iter().flat_map(games).filter(|game| game.outcome().is_none())
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
