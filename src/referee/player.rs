//! An engine that plays a game: which commands it has, how it is driven, and its moves.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use privy_protocol::clock::seconds;
use privy_protocol::{Clock, Limits, SearchInfo, SearchLine, TimeControl};

use privy_rules::{Game, MovePath, Outcome, Side};

use super::engine_spec::{Dialect, EngineSpec};
use super::fault::{EngineFault, FaultKind};
use super::session::{EngineSession, SessionContext, SessionError, commands_of, refusal};
use super::settings::Settings;
use super::statistics::PlayerReport;

/// A game as the referee keeps it, and the commands that bring an engine to its position.
#[derive(Debug, Clone)]
pub(super) struct Scoresheet {
    game: Game,
    /// `position … moves …`
    command: String,
    moves: Vec<String>,
}

impl Scoresheet {
    /// The game up to the end of its opening.
    pub(super) fn new(opening: &Game, move_limit: Option<u32>) -> Scoresheet {
        let mut game = opening.beginning();
        let command =
            if game.begins_at_opening() { "position startpos".to_owned() } else { format!("position fen {game}") };
        game.set_move_limit(move_limit);
        let mut sheet = Scoresheet { game, command, moves: Vec::new() };
        opening.moves().for_each(|move_| sheet.play(move_.clone()));
        sheet
    }

    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn play(&mut self, move_: MovePath) {
        let text = self.game.move_text(&move_);
        self.command += if self.moves.is_empty() { " moves " } else { " " };
        self.command += &text;
        self.moves.push(text);
        self.game.play(move_);
    }

    fn play_commands(&self, sent: usize) -> Vec<String> {
        let first = self.game.beginning().side();
        let moves = self.moves.iter().enumerate().skip(sent);
        moves.map(|(ply, text)| format!("play {} {text}", if ply % 2 == 0 { first } else { !first })).collect()
    }
}

pub(super) fn status_text(game: &Game) -> String {
    game.outcome().map_or_else(|| to_move(game), |outcome| outcome.to_string())
}

fn to_move(game: &Game) -> String {
    format!("{} to move", game.side())
}

/// True if a status is right. An engine that does not know the referee's limit of plies may say that the game continues
/// after it.
fn is_right_status(status: &str, game: &Game, knows_limit: bool) -> bool {
    let is_over_by_limit = game.outcome() == Some(Outcome::MoveLimit(None)) && game.plies_left() == Some(0);
    status == status_text(game) || is_over_by_limit && !knows_limit && status == to_move(game)
}

/// A move as the engine wrote it, not yet checked.
#[derive(Debug, Clone)]
pub(super) struct ChosenMove {
    pub(super) text: String,
    /// The last `info` about the best line.
    pub(super) info: Option<SearchInfo>,
    pub(super) elapsed: Duration,
}

/// The option that tells an engine the referee's limit of plies.
const MOVE_LIMIT: &str = "move_limit";

#[derive(Debug)]
pub(super) struct EnginePlayer {
    session: EngineSession,
    commands: BTreeSet<String>,
    dialect: Dialect,
    clock: EngineClock,
    /// Options that the engine has and the user does not set: the referee sets them for each game.
    per_game: Vec<&'static str>,
    /// Moves of the game that the engine has received or made.
    moves_sent: usize,
    pub(super) report: PlayerReport,
}

impl EnginePlayer {
    /// Starts an engine, asks for its commands, and sets its options.
    pub(super) fn start(
        spec: &EngineSpec,
        variant: &str,
        context: &SessionContext,
    ) -> Result<EnginePlayer, SessionError> {
        let mut session = EngineSession::start(spec, context.clone())?;
        session.ask("name")?;
        let choose_variant = format!("variant {variant}");
        // Only lines that change no more than the board are tried; `go` and `genmove` are inferred from them.
        let tried: [(&str, &[&str]); 4] = [
            (&choose_variant, &["variant"]),
            ("position startpos", &["position", "go"]),
            ("clear_board", &["clear_board", "play", "genmove"]),
            ("status", &["status"]),
        ];
        let commands = commands_of(USED.split(' '), &tried, |line| session.ask(line))?;
        let has = |command: &str| commands.contains(command);
        let dialect = match spec.dialect {
            Some(dialect) => dialect,
            None if has("position") && has("go") => Dialect::Position,
            None if has("play") && has("genmove") => Dialect::GenMove,
            None => {
                let detail = "it has neither position and go nor play and genmove";
                return Err(EngineFault::new(FaultKind::Refuses, detail).into());
            }
        };
        // An option may depend on the variant, as a file of weights does.
        if has("variant") && !spec.options.is_empty() {
            session.execute(&choose_variant)?;
        }
        for (name, value) in &spec.options {
            session.execute(&format!("set_option {name} {value}"))?;
        }
        let mut per_game = Vec::new();
        if has("set_option") && has("list_options") {
            let listed = session.ask("list_options")?;
            let free = |name: &str| spec.options.iter().all(|(set, _)| set != name);
            let has = |name: &str| listed.text().lines().any(|line| line.split(' ').next() == Some(name));
            per_game.extend(["seed", MOVE_LIMIT].into_iter().filter(|name| has(name) && free(name)));
        }
        let clock = EngineClock::new(spec.time_control);
        let report = PlayerReport { engine: spec.title().to_owned(), ..PlayerReport::default() };
        Ok(EnginePlayer { session, commands, dialect, clock, per_game, moves_sent: 0, report })
    }

    /// Ends the engine; the only fault is [`FaultKind::IgnoresQuit`].
    pub(super) fn quit(self) -> Result<(), EngineFault> {
        self.session.quit()
    }

    fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Sets up a game, and waits until the engine is ready for it.
    pub(super) fn begin_game(
        &mut self,
        settings: &Settings,
        seed: u32,
        sheet: &Scoresheet,
    ) -> Result<(), SessionError> {
        let mut commands: Vec<String> = Vec::new();
        if self.has("variant") {
            commands.push(format!("variant {}", settings.variant));
        }
        for name in &self.per_game {
            let value = if *name == "seed" { Some(seed) } else { settings.move_limit };
            commands.extend(value.map(|value| format!("set_option {name} {value}")));
        }
        if self.dialect == Dialect::GenMove || self.has("clear_board") {
            commands.push("clear_board".to_owned());
        }
        commands.extend(self.time_settings());
        let whole_position = self.dialect == Dialect::GenMove && !sheet.game.begins_at_opening();
        commands.extend(whole_position.then(|| sheet.command.clone()));
        self.session.execute_all(&commands)?;
        self.moves_sent = if sheet.game.begins_at_opening() { 0 } else { sheet.moves.len() };
        let begun = Instant::now();
        self.session.ask("name")?;
        (self.report.thinking_us, self.report.latency_us) = (Vec::new(), Vec::new());
        self.note_latency(begun);
        self.clock = EngineClock::new(self.clock.control);
        self.session.begin_game();
        Ok(())
    }

    fn note_latency(&mut self, begun: Instant) {
        self.report.latency_us.push(microseconds(self.session.answered_after(begun)));
    }

    /// Asks for a move, and charges its time.
    pub(super) fn choose_move(&mut self, sheet: &Scoresheet) -> Result<ChosenMove, SessionError> {
        self.synchronize(sheet)?;
        let answer = match self.dialect {
            Dialect::Position => self.go()?,
            Dialect::GenMove => self.generate_move(sheet.game.side())?,
        };
        if answer.text.eq_ignore_ascii_case("resign") {
            return Err(EngineFault::new(FaultKind::Resigns, "").into());
        }
        self.clock.spend(answer.elapsed);
        self.report.thinking_us.push(microseconds(answer.elapsed));
        Ok(answer)
    }

    fn go(&mut self) -> Result<ChosenMove, SessionError> {
        let go = format!("go {}", self.clock.limits);
        let (mut info, mut best, mut lines) = (None, Vec::new(), 0_u64);
        let elapsed = self.think(&go, |line| {
            lines += 1;
            match line.parse() {
                Ok(SearchLine::Info(read)) if read.multipv <= 1 => info = Some(read),
                Ok(SearchLine::BestMove(movement)) => best.push(movement),
                // Other lines of a search are allowed.
                _ => {}
            }
        })?;
        if best.len() == 1
            && let Some(text) = best.pop()
        {
            return Ok(ChosenMove { text, info, elapsed });
        }
        let detail = format!("to {go:?}: expected one line bestmove MOVE, found {} in {lines}", best.len());
        Err(self.session.diagnose(EngineFault::new(FaultKind::UnreadableAnswer, detail)))
    }

    fn generate_move(&mut self, side: Side) -> Result<ChosenMove, SessionError> {
        if let Some(command) = self.time_left(side) {
            self.session.execute(&command)?;
        }
        let command = format!("genmove {side}");
        let (mut text, mut lines) = (None, 0_u64);
        let elapsed = self.think(&command, |line| {
            lines += 1;
            text.get_or_insert_with(|| line.trim().to_owned());
        })?;
        match text {
            Some(text) if lines == 1 && !text.contains(' ') => {
                self.moves_sent += 1;
                Ok(ChosenMove { text, info: None, elapsed })
            }
            _ => {
                let detail = format!("to {command:?}: expected one move, found {:?}", text.unwrap_or_default());
                Err(self.session.diagnose(EngineFault::new(FaultKind::UnreadableAnswer, detail)))
            }
        }
    }

    /// Runs a search, and gives the time from the command to the end of its answer, which must be a success.
    fn think(&mut self, command: &str, on_line: impl FnMut(&str)) -> Result<Duration, SessionError> {
        let SessionContext { margin, patience, .. } = self.session.context;
        let allowance = self.clock.allowance();
        let begun = Instant::now();
        self.session.send(command)?;
        let limit = allowance.map_or(Duration::ZERO, |time| time + margin) + patience;
        let reply = self.session.search(begun, limit, on_line)?;
        let elapsed = self.session.answered_after(begun);
        if let Some(allowance) = allowance.filter(|allowance| elapsed > *allowance + margin) {
            let detail = format!("{} ms for a move, and {} were left", elapsed.as_millis(), allowance.as_millis());
            return Err(EngineFault::new(FaultKind::Time, detail).into());
        }
        if reply.is_success() { Ok(elapsed) } else { Err(self.session.diagnose(refusal(command, &reply))) }
    }

    /// Brings the engine to the position of the game, and checks its `status`, if it has that command. No clock runs.
    pub(super) fn synchronize(&mut self, sheet: &Scoresheet) -> Result<(), SessionError> {
        let has_status = self.has("status");
        let commands = match self.dialect {
            Dialect::Position => vec![sheet.command.clone()],
            Dialect::GenMove => sheet.play_commands(self.moves_sent),
        };
        let begun = Instant::now();
        commands.iter().try_for_each(|command| self.session.send(command))?;
        if has_status {
            self.session.send("status")?;
        }
        commands.iter().try_for_each(|command| self.session.expect_success(command))?;
        self.moves_sent = sheet.moves.len();
        if has_status {
            let reply = self.session.receive()?;
            let knows_limit = self.per_game.contains(&MOVE_LIMIT);
            if !reply.is_success() || !is_right_status(reply.text().trim(), &sheet.game, knows_limit) {
                let expected = status_text(&sheet.game);
                let detail = format!("expected \"{expected}\", found {:?}", reply.text());
                return Err(self.session.diagnose(EngineFault::new(FaultKind::WrongStatus, detail)));
            }
        }
        if has_status || !commands.is_empty() {
            self.note_latency(begun);
        }
        Ok(())
    }

    /// The time control for an engine that keeps its own clock.
    fn time_settings(&self) -> Option<String> {
        if self.dialect == Dialect::Position || !self.has("time_settings") {
            return None;
        }
        if let Some(time) = self.clock.control.time {
            return Some(format!("time_settings 0 {} 1", seconds(time)));
        }
        let start = self.clock.control.clock?;
        let time = seconds(start.remaining);
        Some(match start.moves {
            Some(moves) => format!("time_settings 0 {time} {moves}"),
            None => format!("time_settings {time} 0 0"),
        })
    }

    fn time_left(&self, side: Side) -> Option<String> {
        let remaining = self.clock.allowance().filter(|_| self.has("time_left"))?;
        // A limit for each move is a period of one move.
        let moves = self.clock.limits.clock.map_or(Some(1), |clock| clock.moves);
        let left = Clock { remaining, moves, ..Clock::default() };
        Some(format!("time_left {}", left.time_left(side)))
    }
}

/// The limits of an engine's moves in a game.
#[derive(Debug, Clone)]
struct EngineClock {
    /// Of the first move.
    control: Limits,
    /// Of the next move.
    limits: Limits,
}

impl EngineClock {
    fn new(control: Limits) -> EngineClock {
        EngineClock { control, limits: control }
    }

    /// Returns the time for the next move; [`None`] where no limit depends on time.
    fn allowance(&self) -> Option<Duration> {
        let left = self.limits.clock.map(|clock| clock.remaining);
        left.into_iter().chain(self.limits.time).min()
    }

    /// Charges the time of a move, but no part of the margin.
    fn spend(&mut self, spent: Duration) {
        if let (Some(start), Some(clock)) = (self.control.clock, &mut self.limits.clock) {
            TimeControl::from(start).spend(clock, spent);
        }
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The commands that the referee uses, where the engine has them.
const USED: &str = "variant position go clear_board play genmove status set_option list_options time_settings \
                    time_left";

#[cfg(test)]
mod tests;
