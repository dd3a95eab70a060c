//! An engine at the board: which commands it has, how it is driven, and its moves.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use privy_protocol::{Reply, SearchInfo, SearchLine, Seconds, TimeLeft};

use crate::rules::Side;

use super::clock::{Clock, MoveLimits};
use super::engine_spec::{Dialect, EngineSpec};
use super::fault::{Fault, FaultKind};
use super::scoresheet::Scoresheet;
use super::session::{Session, Surroundings, Trouble, refusal};
use super::suspend_clock::Stopwatch;

/// What a game asks of a player beside its moves.
#[derive(Debug, Clone)]
pub(super) struct GameTerms {
    /// The variant as `variant` takes it: an id, or the path of a file.
    pub(super) variant: String,
    /// For engines with an option `seed`.
    pub(super) seed: u32,
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
    pub(super) elapsed: Duration,
}

/// An engine that is ready to play.
#[derive(Debug)]
pub(super) struct Player {
    session: Session,
    commands: HashSet<String>,
    dialect: Dialect,
    pub(super) control: MoveLimits,
    /// Options that are set for every game, since the engine has them and the user leaves them to the referee.
    per_game: Vec<&'static str>,
    /// How many moves of the game the engine has been told, or has made.
    told: usize,
    /// How long it took to answer in this game when there was nothing to think about.
    pub(super) latency: Vec<Duration>,
}

impl Player {
    /// Starts an engine for games of a variant, finds out what it understands, and sets its options.
    pub(super) fn start(
        spec: &EngineSpec,
        variant: &str,
        surroundings: &Surroundings,
        errors: Option<PathBuf>,
    ) -> Result<Player, Trouble> {
        let mut session = Session::start(spec, surroundings.clone())?;
        session.keep_errors(errors);
        session.ask("name")?;
        let commands = commands_of(&mut session)?;
        let has = |command: &str| commands.contains(command);
        let dialect = match spec.dialect {
            Some(dialect) => dialect,
            None if has("position") && has("go") => Dialect::Position,
            None if has("play") && has("genmove") => Dialect::GenMove,
            None => {
                let detail = "it has neither position and go nor play and genmove";
                return Err(Fault::new(FaultKind::Refuses, detail).into());
            }
        };
        // What an option names may be of one game alone, as a file of weights is.
        if has("variant") && !spec.options.is_empty() {
            session.order(&format!("variant {variant}"))?;
        }
        for (name, value) in &spec.options {
            session.order(&format!("set_option {name} {value}"))?;
        }
        let mut per_game = Vec::new();
        if has("set_option") && has("list_options") {
            let listed = session.ask("list_options")?;
            let free = |name: &str| spec.options.iter().all(|(known, _)| known != name);
            let has = |name: &str| listed.lines().any(|line| line.split(' ').next() == Some(name));
            per_game.extend(["seed", "move_limit"].into_iter().filter(|name| has(name) && free(name)));
        }
        let control = spec.time_control;
        Ok(Player { session, commands, dialect, control, per_game, told: 0, latency: Vec::new() })
    }

    /// Where standard error goes from now on.
    pub(super) fn keep_errors(&self, path: Option<PathBuf>) {
        self.session.keep_errors(path);
    }

    /// Ends the engine.
    ///
    /// # Errors
    /// [`FaultKind::IgnoresQuit`].
    pub(super) fn quit(self) -> Result<(), Fault> {
        self.session.quit()
    }

    fn has(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Sets a game up, and waits until the engine is ready for it.
    pub(super) fn begin_game(&mut self, terms: &GameTerms, sheet: &Scoresheet) -> Result<(), Trouble> {
        let mut orders: Vec<String> = Vec::new();
        if self.has("variant") {
            orders.push(format!("variant {}", terms.variant));
        }
        for name in &self.per_game {
            let value = if *name == "seed" { Some(terms.seed) } else { terms.move_limit };
            orders.extend(value.map(|value| format!("set_option {name} {value}")));
        }
        if self.dialect == Dialect::GenMove || self.has("clear_board") {
            orders.push("clear_board".to_owned());
        }
        orders.extend(self.time_settings());
        if self.dialect == Dialect::GenMove && !sheet.begins_at_opening() {
            orders.push(sheet.command().to_owned());
        }
        orders.iter().try_for_each(|order| self.session.send(order))?;
        orders.iter().try_for_each(|order| self.session.obeyed(order))?;
        self.told = if sheet.begins_at_opening() { 0 } else { sheet.moves().len() };
        let stopwatch = self.session.stopwatch();
        self.session.ask("name")?;
        self.latency = vec![self.session.answered_after(stopwatch)];
        self.session.begin_game();
        Ok(())
    }

    /// Asks for a move, and measures the time.
    pub(super) fn choose(&mut self, terms: &GameTerms, sheet: &Scoresheet, clock: &Clock) -> Result<Answer, Trouble> {
        self.agree(sheet)?;
        let answer = match self.dialect {
            Dialect::Position => self.go(terms, clock)?,
            Dialect::GenMove => self.generate(terms, sheet.game().position().side(), clock)?,
        };
        if answer.text.eq_ignore_ascii_case("resign") {
            return Err(Fault::new(FaultKind::Resigns, "").into());
        }
        Ok(answer)
    }

    fn go(&mut self, terms: &GameTerms, clock: &Clock) -> Result<Answer, Trouble> {
        let go = format!("go {}", clock.go_limits());
        let (mut info, mut best, mut lines) = (None, Vec::new(), 0_u64);
        let elapsed = self.think(terms, clock, &go, |line| {
            lines += 1;
            match line.parse() {
                Ok(SearchLine::Info(read)) if read.multipv <= 1 => info = Some(read),
                Ok(SearchLine::BestMove(movement)) => best.push(movement),
                // What an engine says beside its move is its own affair.
                _ => {}
            }
        })?;
        if best.len() == 1
            && let Some(text) = best.pop()
        {
            return Ok(Answer { text, info, elapsed });
        }
        let detail = format!("to {go:?}: expected one line bestmove MOVE, found {} in {lines}", best.len());
        Err(self.session.suspect(Fault::new(FaultKind::UnreadableAnswer, detail)))
    }

    fn generate(&mut self, terms: &GameTerms, side: Side, clock: &Clock) -> Result<Answer, Trouble> {
        if let Some(order) = self.time_left(side, clock) {
            self.session.order(&order)?;
        }
        let command = format!("genmove {side}");
        let (mut text, mut lines) = (None, 0_u64);
        let elapsed = self.think(terms, clock, &command, |line| {
            lines += 1;
            text.get_or_insert_with(|| line.trim().to_owned());
        })?;
        match text {
            Some(text) if lines == 1 && !text.contains(' ') => {
                self.told += 1;
                Ok(Answer { text, info: None, elapsed })
            }
            _ => {
                let detail = format!("to {command:?}: expected one move, found {:?}", text.unwrap_or_default());
                Err(self.session.suspect(Fault::new(FaultKind::UnreadableAnswer, detail)))
            }
        }
    }

    /// Lets the engine think, and measures how long: from the command to the end of its answer, which must be a success.
    fn think(
        &mut self,
        terms: &GameTerms,
        clock: &Clock,
        command: &str,
        on_line: impl FnMut(&str),
    ) -> Result<Duration, Trouble> {
        let stopwatch = self.session.stopwatch();
        self.session.send(command)?;
        let limit = clock.allowance().map_or(Duration::ZERO, |time| time + terms.margin) + terms.patience;
        let reply = self.session.search(stopwatch, limit, on_line)?;
        let elapsed = self.in_time(stopwatch, terms, clock)?;
        if reply.is_success() { Ok(elapsed) } else { Err(self.session.suspect(refusal(command, &reply))) }
    }

    /// The time of the move, unless the flag has fallen.
    fn in_time(&self, stopwatch: Stopwatch, terms: &GameTerms, clock: &Clock) -> Result<Duration, Fault> {
        let elapsed = self.session.answered_after(stopwatch);
        let Some(allowance) = clock.allowance().filter(|allowance| elapsed > *allowance + terms.margin) else {
            return Ok(elapsed);
        };
        let elapsed = self.session.late_after_all(stopwatch);
        if elapsed <= allowance + terms.margin {
            return Ok(elapsed);
        }
        let detail = format!("{} ms for a move, and {} were left", elapsed.as_millis(), allowance.as_millis());
        Err(Fault::new(FaultKind::Time, detail))
    }

    /// Brings the engine to the position of the game, and checks that it sees the same end of the game, or none, if it has
    /// a word for it. No clock runs.
    pub(super) fn agree(&mut self, sheet: &Scoresheet) -> Result<(), Trouble> {
        let has_status = self.has("status");
        let orders = match self.dialect {
            Dialect::Position => vec![sheet.command().to_owned()],
            Dialect::GenMove => self.untold_moves(sheet),
        };
        let stopwatch = self.session.stopwatch();
        orders.iter().try_for_each(|order| self.session.send(order))?;
        if has_status {
            self.session.send("status")?;
        }
        orders.iter().try_for_each(|order| self.session.obeyed(order))?;
        self.told = sheet.moves().len();
        if has_status {
            let reply = self.session.receive()?;
            self.check_status(sheet, &reply)?;
        }
        if has_status || !orders.is_empty() {
            self.latency.push(self.session.answered_after(stopwatch));
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
        Err(self.session.suspect(Fault::new(FaultKind::WrongStatus, detail)))
    }

    /// The time control as an engine with a clock of its own is told.
    fn time_settings(&self) -> Option<String> {
        if self.dialect == Dialect::Position || !self.has("time_settings") {
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
            None if clock.increment_ms > 0 && self.has("kata-time_settings") => {
                format!("kata-time_settings {}", privy_protocol::TimeControl::Fischer { main: time, increment })
            }
            None => format!("time_settings {time} 0 0"),
        })
    }

    fn time_left(&self, side: Side, clock: &Clock) -> Option<String> {
        let allowance = clock.allowance().filter(|_| self.has("time_left"))?;
        let moves = clock.left().map_or(Some(1), |(_, moves)| moves).unwrap_or(0);
        let time = Seconds::from_milliseconds(u64::try_from(allowance.as_millis()).unwrap_or(u64::MAX));
        Some(format!("time_left {}", TimeLeft { side, time, moves }))
    }
}

/// The commands that the referee may have a use for.
const USEFUL: &str = "variant position go clear_board play genmove status set_option list_options time_settings \
                      time_left kata-time_settings";

/// The commands that an engine has: by `list_commands`, else by `known_command`, else by trying.
fn commands_of(session: &mut Session) -> Result<HashSet<String>, Trouble> {
    let list = session.ask("list_commands")?;
    if list.is_success() && !list.text().is_empty() {
        return Ok(list.lines().map(|line| line.trim().to_owned()).collect());
    }
    USEFUL.split(' ').try_for_each(|name| session.send(format_args!("known_command {name}")))?;
    let mut found: Vec<&str> = Vec::new();
    for name in USEFUL.split(' ') {
        let reply = session.receive()?;
        found.extend(Some(name).filter(|_| reply.is_success() && reply.text() == "true"));
    }
    if found.is_empty() {
        // Those that change no more than the board; `go` and `genmove` must be there, since they are all that is left.
        for (line, commands) in [
            ("variant", ["variant"].as_slice()),
            ("position startpos", &["position", "go"]),
            ("clear_board", &["clear_board", "play", "genmove"]),
            ("status", &["status"]),
        ] {
            let reply = session.ask(line)?;
            if reply.is_success() && (line != "status" || !reply.text().is_empty()) {
                found.extend(commands);
            }
        }
    }
    Ok(found.into_iter().map(str::to_owned).collect())
}
