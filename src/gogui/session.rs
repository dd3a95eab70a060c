//! The half-move session.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use privy_protocol::{Clock, Command, ErrorCode, ProtocolError, ReplyWriter, Stop, TimeControl};

use privy_base::bounded_read::{open_file, read_bytes};
use privy_base::message::{is_quotable, withheld};
use privy_engine::session::{self, Answer, Request, Requests, illegal, nothing, write_record};
use privy_engine::{Engine, Options};
use privy_records::Record;
use privy_records::sgf::{Sgf, sgf_text, write_sgf};
use privy_rules::Side;
use privy_rules::board::{Board, PointName};

use super::commands::{HalfMoveCommand, HalfMoveRequest, KINDS, SidedPoint, all_names, help};
use super::game::HalfMoveGame;
use super::graphics::Live;
use super::{analysis, choice, rules, vertex};

/// The largest SGF file that is loaded, in bytes.
const LARGEST_SGF: u64 = 1 << 24;

/// Answers half-move requests until `quit` or the end of the input. Live graphics go to `errors`, once the client has
/// asked for the commands that draw.
///
/// # Errors
/// When the output can't be written.
pub fn run(
    engine: Engine,
    input: impl Read + Send + 'static,
    mut output: impl Write + Send,
    mut errors: impl Write,
) -> io::Result<()> {
    let (game, live) = (HalfMoveGame::new(engine), Live::new(&mut errors));
    let mut session = HalfMoveSession { game, live, byo_yomi: false };
    let parse = |name: &str, arguments: &str| {
        let request = HalfMoveRequest::parse(name, arguments)?;
        let ends = request.interruption();
        Ok((request, ends))
    };
    for Request { id, command, stop, next_line, .. } in Requests::read(input, parse)? {
        use HalfMoveCommand as Own;
        let mut reply = ReplyWriter::new(&mut output, id, stop.clone());
        let is_moved = matches!(command, Ok(HalfMoveRequest::Own(Own::GenMove(_) | Own::GenMoveAnalyze(_))));
        let answer = command.and_then(|request| match request {
            HalfMoveRequest::Own(command) => session.answer_own(command, &mut reply, &stop),
            HalfMoveRequest::Ordinary(command) => answer_ordinary(&mut session.game, command, &mut reply, &stop),
        });
        reply.close(answer)?;
        // Between the half moves of a move it is not the opponent's time.
        if is_moved && session.game.begun.is_empty() {
            session.game.engine.ponder(&next_line);
        }
    }
    Ok(())
}

struct HalfMoveSession<'a> {
    game: HalfMoveGame,
    live: Live<'a>,
    /// With byo-yomi, `time_left` counts periods and not half moves.
    byo_yomi: bool,
}

impl HalfMoveSession<'_> {
    /// Answers a command of this session.
    fn answer_own(&mut self, command: HalfMoveCommand, reply: &mut ReplyWriter<'_>, stop: &Stop) -> Answer {
        use HalfMoveCommand as Own;
        let (game, live) = (&mut self.game, &mut self.live);
        match command {
            Own::Analyze((form, request)) => choice::analyze(game, form, &request, reply, stop),
            Own::GenMoveAnalyze((form, request)) => choice::genmove_analyze(game, live, form, &request, reply, stop),
            Own::Play((side, point)) => nothing(play(game, side, &point)),
            Own::PlaySequence(points) => nothing(play_all(game, &points)),
            Own::GenMove(side) => choice::choose(game, live, side, stop),
            Own::Undo(count) => nothing(game.undo(count as usize)),
            Own::SetUp(pieces) => nothing(game.begin(|engine| set_up(engine, &pieces))),
            Own::SetUpPlayer(side) => nothing(set_up_player(game, side)),
            Own::SetTimeControl(control) | Own::SetKataTimeControl(control) => {
                self.byo_yomi = matches!(control, TimeControl::ByoYomi { .. });
                game.engine.set_time_control(control_of_decisions(control));
                Ok(String::new())
            }
            Own::SetTimeLeft((side, left)) => {
                let moves = if self.byo_yomi { left.moves } else { left.moves.map(decisions) };
                game.engine.set_clock(side, Clock { moves, ..left });
                Ok(String::new())
            }
            Own::KataListTimeSettings => Ok(KINDS.to_owned()),
            Own::ListStones(side) => Ok(rules::stones(game, side)),
            Own::CpuTime => Ok(format!("{:.2}", processor_time().as_secs_f64())),
            Own::LoadSgf((path, count)) => nothing(load_sgf(game, &path, count.unwrap_or(u32::MAX))),
            Own::PrintSgf(path) => print_sgf(game, Some(path.as_str()).filter(|path| !path.is_empty())),
            Own::Title => {
                let variant = game.engine.variant();
                Ok(format!("{} ({})", &variant.heading.title, variant.id()))
            }
            Own::Version(_) => Ok(String::new()),
            Own::GameId => Ok(format!("Privy-{}", game.engine.variant().id())),
            Own::BoardSize => Ok(game.engine.variant().board().square().to_string()),
            Own::Board => Ok(rules::board(game)),
            Own::BoardGfx => Ok(rules::drawing(game)),
            Own::LegalMoves => Ok(rules::legal_moves(game)),
            Own::SideToMove => Ok(if game.side() == Side::General { "white" } else { "black" }.to_owned()),
            Own::CapturedCount => Ok(rules::captured_count(game)),
            Own::FinalResult => Ok(rules::final_result(&game.engine)),
            Own::AnalyzeCommands => {
                live.is_on = true;
                Ok(analysis::commands())
            }
            Own::MoveValues | Own::BestLine if game.is_over() => Ok(analysis::over(game)),
            Own::MoveValues => analysis::move_values(game, live, stop),
            Own::BestLine => analysis::best_line(game, live, stop),
            Own::Parameters(None) => Ok(parameters(game.engine.options())),
            Own::Parameters(Some((name, value))) => nothing(game.engine.set_option(&name, value)),
        }
    }
}

/// Answers a command of the ordinary session. A new game drops the half moves.
fn answer_ordinary(game: &mut HalfMoveGame, command: Command, reply: &mut ReplyWriter<'_>, stop: &Stop) -> Answer {
    let mut answer = |engine: &mut Engine, command| session::answer(engine, command, reply, stop);
    match command {
        Command::KnownCommand(_) | Command::ListCommands | Command::Help(_) => {
            session::about(&command, all_names(), help)
        }
        Command::BoardSize(_) | Command::ClearBoard => {
            let is_another = game.len() > 0;
            let begun = game.begin(|engine| answer(engine, command))?;
            if is_another {
                // Referees play game after game with one process.
                game.engine.choose_otherwise();
            }
            Ok(begun)
        }
        Command::Variant(Some(_)) | Command::Position(_) => game.begin(|engine| answer(engine, command)),
        // A client that shows it after every move would show an error instead of the result.
        Command::Explain if game.is_over() => Ok(rules::final_result(&game.engine)),
        Command::ShowBoard => {
            let drawing = answer(&mut game.engine, command)?;
            match vertex::sequence(game.engine.game().board(), &game.begun).as_str() {
                "" => Ok(drawing),
                begun => Ok(format!("{drawing}\nhalf moves of the next move: {begun}")),
            }
        }
        other => answer(&mut game.engine, other),
    }
}

fn play(game: &mut HalfMoveGame, side: Side, word: &str) -> Result<(), ProtocolError> {
    if word.eq_ignore_ascii_case("pass") {
        return game.pass(side);
    }
    let name = vertex::read(word)?;
    let board = game.engine.game().board();
    let missing = || illegal(format!("there is no point {} on the board {}", vertex::text_of(name), board.id));
    let point = board.point(name).ok_or_else(missing)?;
    game.play(side, point)
}

/// Plays half moves, all or none.
fn play_all(game: &mut HalfMoveGame, points: &[SidedPoint]) -> Result<(), ProtocolError> {
    let before = game.len();
    for (place, (side, word)) in points.iter().enumerate() {
        if let Err(error) = play(game, *side, word) {
            let _ = game.undo(game.len() - before);
            let detail = format!("half move {} ({word}): {}", place + 1, error.detail());
            return Err(ProtocolError::new(error.code(), detail));
        }
    }
    Ok(())
}

/// Begins the first game of an SGF file, and plays what comes before half move number `end`; all or nothing.
fn load_sgf(game: &mut HalfMoveGame, path: &str, end: u32) -> Result<(), ProtocolError> {
    let unread = |reason: String| ProtocolError::new(ErrorCode::CannotLoadFile, format!("{path}: {reason}"));
    let read = open_file(Path::new(path)).and_then(|file| read_bytes(file, LARGEST_SGF));
    let text = read.and_then(sgf_text).map_err(|error| unread(error.to_string()))?;
    let sgf = Sgf::read(&text).into_iter().next().ok_or_else(|| unread("expected a game in SGF".to_owned()))?;
    let is_quotable = is_quotable(Path::new(path), "sgf");
    let failed = |reason: String| unread(if is_quotable { reason } else { withheld("a game in SGF", "sgf") });
    let sgf = sgf.map_err(|error| match is_quotable {
        true => unread(error.to_string()),
        false => unread(format!("line {}: {}", error.line, withheld("a game in SGF", "sgf"))),
    })?;
    let named = sgf.variant(&|id| game.engine.known_variant(id));
    let variant = named.unwrap_or_else(|_| Arc::clone(game.engine.variant()));
    let mut first = sgf.first_position(&variant).map_err(failed)?;
    // A legal record has legal half moves. The replay checks the limit of the game.
    sgf.record(&variant).map_err(failed)?;
    first.set_move_limit(game.engine.game().move_limit());
    sgf.replay(&mut first.clone(), end as usize).map_err(failed)?;
    game.begin(|engine| engine.set_position(Some(&first.to_string()), &[]))?;
    for (number, side, point) in sgf.points(&variant).map_err(failed)? {
        if number < end as usize {
            game.play(side, point)?;
        }
    }
    Ok(())
}

/// The game as SGF, or nothing when it has been written to a file.
fn print_sgf(game: &HalfMoveGame, path: Option<&str>) -> Answer {
    let root = game.engine.game();
    let sgf = write_sgf(&Record::of(root), Some(root.variant()), &game.begun);
    let sgf = sgf.map_err(|error| ProtocolError::new(ErrorCode::IllegalMove, error.to_string()))?;
    let Some(path) = path else { return Ok(sgf) };
    let failed = |error| ProtocolError::new(ErrorCode::CannotSaveFile, format!("{path}: {error}"));
    write_record(Path::new(path), &(sgf + "\n")).map_err(failed).map(|()| String::new())
}

/// The processor time of the process; zero on systems that do not provide it.
fn processor_time() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).unwrap_or_default()
    }
    #[cfg(not(unix))]
    Duration::ZERO
}

/// The options for a dialog: a line `[TYPE] NAME VALUE` for each.
fn parameters(options: &Options) -> String {
    let line = |name: &'static str| {
        let kind = match Options::choices(name) {
            [] => "string".to_owned(),
            choices => format!("list/{}", choices.join("/")),
        };
        Some(format!("[{kind}] {name} {}", options.get_by_name(name).ok()?))
    };
    Options::summaries().filter_map(|(name, _)| line(name)).collect::<Vec<_>>().join("\n")
}

/// Begins a game from a position with these pieces. The first side of the variant is to move, or the other one where
/// only that gives a reachable position.
fn set_up(engine: &mut Engine, pieces: &[SidedPoint]) -> Result<(), ProtocolError> {
    let rows = rows(engine.variant().board(), pieces)?;
    let first = engine.variant().rule_set().first;
    let text = |side: Side| format!("{rows} {}", side.letter());
    let refused = match engine.set_position(Some(&text(first)), &[]) {
        Ok(()) => return Ok(()),
        Err(error) => error,
    };
    engine.set_position(Some(&text(!first)), &[]).map_err(|_| refused)
}

/// Sets the side to move in a position that was set up.
fn set_up_player(game: &mut HalfMoveGame, side: Side) -> Result<(), ProtocolError> {
    if !game.is_fresh() {
        let detail = "moves have been played; it is for a position that was set up";
        return Err(ProtocolError::new(ErrorCode::IllegalPosition, detail));
    }
    let text = game.engine.game().to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let letter = side.letter().to_string();
    if let Some(field) = fields.get_mut(1) {
        *field = &letter;
    }
    game.begin(|engine| engine.set_position(Some(&fields.join(" ")), &[]))
}

/// The rows of a position text with these pieces.
fn rows(board: &Board, pieces: &[SidedPoint]) -> Answer {
    let mut placed: Vec<(PointName, char)> = Vec::with_capacity(pieces.len());
    for (side, word) in pieces {
        let name = vertex::read(word)?;
        let refused =
            |why: &str| Err(ProtocolError::new(ErrorCode::IllegalPosition, format!("{} {why}", vertex::text_of(name))));
        if board.point(name).is_none() {
            return refused("is no point of the board");
        }
        if placed.iter().any(|(other, _)| *other == name) {
            return refused("is named twice");
        }
        placed.push((name, if *side == Side::General { 'G' } else { 'r' }));
    }
    let letter = |point| placed.iter().find(|(name, _)| *name == board.name(point)).map_or('1', |(_, letter)| *letter);
    let rows = board.rows.iter().map(|row| row.iter().copied().map(letter).collect::<String>());
    Ok(rows.collect::<Vec<_>>().join("/"))
}

/// The largest number of moves with this number of half moves: a move has at least two.
fn decisions(half_moves: u32) -> u32 {
    half_moves.div_ceil(2)
}

/// A time control of half moves as one of decisions.
fn control_of_decisions(control: TimeControl) -> TimeControl {
    match control {
        TimeControl::Canadian { main, period, moves } => {
            TimeControl::Canadian { main, period, moves: decisions(moves) }
        }
        // The client adds the increment for both half moves.
        TimeControl::Main { main, increment, moves } => TimeControl::Main { main, increment: 2 * increment, moves },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_half_moves_are_one_decision() {
        assert_eq!([0, 1, 2, 9, 10].map(decisions), [0, 1, 1, 5, 5]);
        let [main, period] = [60, 30].map(Duration::from_secs);
        let canadian = |moves| TimeControl::Canadian { main, period, moves };
        assert_eq!(control_of_decisions(canadian(10)), canadian(5));
        let fischer = |increment| TimeControl::Main { main, increment, moves: None };
        assert_eq!(control_of_decisions(fischer(period)), fischer(main));
        let byo_yomi = TimeControl::ByoYomi { main, period, periods: 3 };
        assert_eq!(control_of_decisions(byo_yomi), byo_yomi);
    }
}
