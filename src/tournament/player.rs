//! An engine at the board.

use std::path::PathBuf;
use std::time::Duration;

use privy_protocol::{ClientError, GoLimits, Reply, SearchInfo, SearchLine, Seconds, TimeLeft};

use crate::rules::Side;

use super::clock::Clock;
use super::commands::Commands;
use super::conversation::{Conversation, Surroundings, Trouble, refusal};
use super::dialect::Dialect;
use super::engine_spec::EngineSpec;
use super::fault::{Fault, FaultKind};
use super::process::EngineProcess;
use super::running_time::Stopwatch;
use super::scoresheet::Scoresheet;
use super::time_control::TimeControl;

/// What a game asks of a player beside its moves.
#[derive(Debug, Clone)]
pub(super) struct GameTerms {
    /// The variant as `variant` takes it: an id, or the path of a file.
    pub(super) variant: String,
    /// For engines with an option `seed`.
    pub(super) seed: u32,
    /// For engines with an option `move_limit`.
    pub(super) move_limit: Option<u32>,
    /// How much time the flag is given beyond the clock.
    pub(super) margin: Duration,
    /// How long an engine may be silent.
    pub(super) patience: Duration,
}

/// What an engine answers when it is asked for a move.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    /// The move as it was written.
    pub(super) text: String,
    /// What the engine said last of its best line.
    pub(super) info: Option<SearchInfo>,
    /// How long it took.
    pub(super) elapsed: Duration,
}

/// An engine that is ready to play.
#[derive(Debug)]
pub(super) struct Player {
    talk: Conversation,
    commands: Commands,
    dialect: Dialect,
    control: TimeControl,
    /// Options that are set for every game, since the engine has them and the user leaves them to the referee.
    per_game: Vec<&'static str>,
    /// How many moves of the game the engine has been told, or has made.
    told: usize,
    /// How long it took to answer in this game when there was nothing to think about.
    latency: Vec<Duration>,
}

/// Why a player does not come to the board.
#[derive(Debug)]
pub(super) enum NoPlayer {
    /// The system can't start the program.
    CannotStart(ClientError),
    /// The engine makes trouble.
    Trouble(Trouble),
}

impl From<Trouble> for NoPlayer {
    fn from(trouble: Trouble) -> NoPlayer {
        NoPlayer::Trouble(trouble)
    }
}

impl Player {
    /// Starts an engine, finds out what it understands, and sets its options.
    pub(super) fn start(
        spec: &EngineSpec,
        control: TimeControl,
        surroundings: &Surroundings,
        errors: Option<PathBuf>,
    ) -> Result<Player, NoPlayer> {
        let process = EngineProcess::start(spec, &surroundings.time).map_err(NoPlayer::CannotStart)?;
        process.begin_game(errors);
        let mut talk = Conversation::new(process, surroundings.clone());
        talk.ask("name")?;
        let commands = Commands::of(&mut talk)?;
        let dialect = spec.dialect.map_or_else(|| commands.dialect(), Ok).map_err(Trouble::Fault)?;
        for (name, value) in &spec.options {
            talk.order(&format!("set_option {name} {value}"))?;
        }
        let per_game = per_game_options(&mut talk, &commands, spec)?;
        Ok(Player { talk, commands, dialect, control, per_game, told: 0, latency: Vec::new() })
    }

    /// Where standard error goes from now on.
    pub(super) fn keep_errors(&self, path: Option<PathBuf>) {
        self.talk.process.begin_game(path);
    }

    /// Sets a game up, and waits until the engine is ready for it.
    pub(super) fn begin_game(&mut self, terms: &GameTerms, sheet: &Scoresheet) -> Result<(), Trouble> {
        let mut orders: Vec<String> = Vec::new();
        if self.commands.has("variant") {
            orders.push(format!("variant {}", terms.variant));
        }
        for name in &self.per_game {
            let value = if *name == "seed" { Some(terms.seed) } else { terms.move_limit };
            orders.extend(value.map(|value| format!("set_option {name} {value}")));
        }
        if self.dialect == Dialect::GenMove || self.commands.has("clear_board") {
            orders.push("clear_board".to_owned());
        }
        orders.extend(self.time_settings());
        if self.dialect == Dialect::GenMove && !sheet.begins_at_opening() {
            orders.push(sheet.command().to_owned());
        }
        for order in &orders {
            self.talk.send(order)?;
        }
        for order in &orders {
            self.talk.obeyed(order)?;
        }
        self.told = if sheet.begins_at_opening() { 0 } else { sheet.moves().len() };
        let stopwatch = self.talk.stopwatch();
        self.talk.ask("name")?;
        self.latency = vec![self.talk.answered_after(stopwatch)];
        self.talk.begin_game();
        Ok(())
    }

    /// How long the engine took in this game to answer when there was nothing to think about.
    pub(super) fn latency(&self) -> &[Duration] {
        &self.latency
    }

    /// The limits of its moves.
    pub(super) fn control(&self) -> TimeControl {
        self.control
    }

    /// Asks for a move, and measures the time.
    pub(super) fn choose(&mut self, terms: &GameTerms, sheet: &Scoresheet, clock: &Clock) -> Result<Answer, Trouble> {
        let answer = match self.dialect {
            Dialect::Position => self.go(terms, sheet, clock)?,
            Dialect::GenMove => self.generate(terms, sheet, clock)?,
        };
        if answer.text.eq_ignore_ascii_case("resign") {
            return Err(Fault::new(FaultKind::Resigns, "").into());
        }
        Ok(answer)
    }

    fn go(&mut self, terms: &GameTerms, sheet: &Scoresheet, clock: &Clock) -> Result<Answer, Trouble> {
        self.agree(sheet)?;
        let limits: GoLimits = clock.go_limits();
        let go = format!("go {limits}");
        let (mut info, mut best, mut lines) = (None, Vec::new(), 0_u64);
        let (reply, elapsed) = self.think(terms, clock, &go, |line| {
            lines += 1;
            match line.parse() {
                Ok(SearchLine::Info(read)) if read.multipv <= 1 => info = Some(read),
                Ok(SearchLine::BestMove(movement)) => best.push(movement.0),
                // What an engine says beside its move is its own affair.
                _ => {}
            }
        })?;
        if !reply.is_success() {
            return Err(self.talk.suspect(refusal(&go, &reply)).into());
        }
        match best.as_slice() {
            [text] => Ok(Answer { text: text.clone(), info, elapsed }),
            found => {
                let detail = format!("to {go:?}: expected one line bestmove MOVE, found {} in {lines}", found.len());
                Err(self.talk.suspect(Fault::new(FaultKind::UnreadableAnswer, detail)).into())
            }
        }
    }

    fn generate(&mut self, terms: &GameTerms, sheet: &Scoresheet, clock: &Clock) -> Result<Answer, Trouble> {
        self.agree(sheet)?;
        let side = sheet.game().position().side();
        if let Some(request) = self.time_left(side, clock) {
            self.talk.order(&request.to_string())?;
        }
        let command = format!("genmove {side}");
        let (mut text, mut lines) = (None, 0_u64);
        let (reply, elapsed) = self.think(terms, clock, &command, |line| {
            lines += 1;
            text.get_or_insert_with(|| line.trim().to_owned());
        })?;
        if !reply.is_success() {
            return Err(self.talk.suspect(refusal(&command, &reply)).into());
        }
        match text {
            Some(text) if lines == 1 && !text.contains(' ') => {
                self.told += 1;
                Ok(Answer { text, info: None, elapsed })
            }
            _ => {
                let detail = format!("to {command:?}: expected one move, found {:?}", text.unwrap_or_default());
                Err(self.talk.suspect(Fault::new(FaultKind::UnreadableAnswer, detail)).into())
            }
        }
    }

    /// Lets the engine think, and measures how long: from the command to the end of its answer.
    fn think(
        &mut self,
        terms: &GameTerms,
        clock: &Clock,
        command: &str,
        on_line: impl FnMut(&str),
    ) -> Result<(Reply, Duration), Trouble> {
        let stopwatch = self.talk.stopwatch();
        self.talk.send(command)?;
        let limit = clock.allowance().map_or(Duration::ZERO, |time| time + terms.margin) + terms.patience;
        let reply = self.talk.search(stopwatch, limit, on_line)?;
        Ok((reply, self.in_time(stopwatch, terms, clock)?))
    }

    /// The time of the move, unless the flag has fallen.
    fn in_time(&self, stopwatch: Stopwatch, terms: &GameTerms, clock: &Clock) -> Result<Duration, Fault> {
        let elapsed = self.talk.answered_after(stopwatch);
        let Some(allowance) = clock.allowance().filter(|allowance| elapsed > *allowance + terms.margin) else {
            return Ok(elapsed);
        };
        let elapsed = self.talk.late_after_all(stopwatch);
        if elapsed <= allowance + terms.margin {
            return Ok(elapsed);
        }
        let detail = format!("{} ms for a move, and {} were left", elapsed.as_millis(), allowance.as_millis());
        Err(Fault::new(FaultKind::Time, detail))
    }

    /// Brings the engine to the position of the game, and checks that it sees the same end of the game, or none, if it has
    /// a word for it. No clock runs.
    pub(super) fn agree(&mut self, sheet: &Scoresheet) -> Result<(), Trouble> {
        let has_status = self.commands.has("status");
        let orders = match self.dialect {
            Dialect::Position => vec![sheet.command().to_owned()],
            Dialect::GenMove => self.untold_moves(sheet),
        };
        let stopwatch = self.talk.stopwatch();
        for order in &orders {
            self.talk.send(order)?;
        }
        if has_status {
            self.talk.send("status")?;
        }
        for order in &orders {
            self.talk.obeyed(order)?;
        }
        self.told = sheet.moves().len();
        if has_status {
            let reply = self.talk.receive()?;
            self.check_status(sheet, &reply)?;
        }
        if has_status || !orders.is_empty() {
            self.latency.push(self.talk.answered_after(stopwatch));
        }
        Ok(())
    }

    /// The moves as commands that the engine does not know yet.
    fn untold_moves(&self, sheet: &Scoresheet) -> Vec<String> {
        let first = sheet.game().beginning().side();
        let untold = sheet.moves().iter().enumerate().skip(self.told);
        untold.map(|(ply, text)| format!("play {} {text}", if ply % 2 == 0 { first } else { !first })).collect()
    }

    fn check_status(&mut self, sheet: &Scoresheet, reply: &Reply) -> Result<(), Trouble> {
        let expected = match sheet.game().outcome() {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", sheet.game().position().side()),
        };
        if reply.is_success() && reply.text().trim() == expected {
            return Ok(());
        }
        let detail = format!("expected \"{expected}\", found {:?}", reply.text());
        Err(self.talk.suspect(Fault::new(FaultKind::WrongStatus, detail)).into())
    }

    /// Ends the engine.
    ///
    /// # Errors
    /// [`FaultKind::IgnoresQuit`].
    pub(super) fn quit(self) -> Result<(), Fault> {
        self.talk.process.quit()
    }

    /// The time control as an engine with a clock of its own is told.
    fn time_settings(&self) -> Option<String> {
        if self.dialect == Dialect::Position || !self.commands.has("time_settings") {
            return None;
        }
        let seconds = Seconds::from_milliseconds;
        if let Some(time) = self.control.time_ms {
            return Some(format!("time_settings 0 {} 1", seconds(time)));
        }
        let clock = self.control.clock?;
        let (time, increment) = (seconds(clock.time_ms), seconds(clock.increment_ms));
        Some(match clock.moves {
            Some(moves) => format!("time_settings 0 {time} {moves}"),
            None if clock.increment_ms > 0 && self.commands.has("kata-time_settings") => {
                format!("kata-time_settings {}", privy_protocol::TimeControl::Fischer { main: time, increment })
            }
            None => format!("time_settings {time} 0 0"),
        })
    }

    fn time_left(&self, side: Side, clock: &Clock) -> Option<String> {
        let allowance = clock.allowance().filter(|_| self.commands.has("time_left"))?;
        let moves = clock.left().map_or(Some(1), |(_, moves)| moves).unwrap_or(0);
        let time = Seconds::from_milliseconds(u64::try_from(allowance.as_millis()).unwrap_or(u64::MAX));
        let side = match side {
            Side::General => privy_protocol::Side::General,
            Side::Rebels => privy_protocol::Side::Rebels,
        };
        Some(format!("time_left {}", TimeLeft { side, time, moves }))
    }
}

/// The options that the referee sets for every game: those that the engine has and the user has not set.
fn per_game_options(
    talk: &mut Conversation,
    commands: &Commands,
    spec: &EngineSpec,
) -> Result<Vec<&'static str>, Trouble> {
    if !commands.has("set_option") || !commands.has("list_options") {
        return Ok(Vec::new());
    }
    let listed = talk.ask("list_options")?;
    let has = |name: &str| listed.lines().any(|line| line.split(' ').next() == Some(name));
    let free = |name: &str| spec.options.iter().all(|(known, _)| known != name);
    Ok(["seed", "move_limit"].into_iter().filter(|name| has(name) && free(name)).collect())
}
