//! The answers that need no search.

use std::path::Path;

use privy_protocol::{ErrorPhrase, Form, ProtocolError, Request, Start, TimeControl, VariantSource};

use crate::board::Spot;
use crate::engine::{Engine, Options};
use crate::eval::plies;
use crate::render::{self, Charset, View};
use crate::rules::{Game, Outcome, Side, Variant, divide, perft};
use crate::search::bench;
use crate::tablebase::Value;

use super::ENGINE_NAME;
use super::conversions::{engine_error, engine_side, time_control};

/// Answers a request other than a search, in a loop of this form.
pub(super) fn answer(engine: &mut Engine, form: Form, request: Request) -> Result<String, ProtocolError> {
    if let Some(control) = request.time_control() {
        engine.set_time_control(time_control(control));
        return Ok(String::new());
    }
    match request {
        Request::ProtocolVersion => Ok("2".to_owned()),
        Request::Name => Ok(ENGINE_NAME.to_owned()),
        Request::Version => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        Request::KnownCommand(name) => Ok(form.find(&name).is_some().to_string()),
        Request::ListCommands => Ok(lines(form.commands().map(|command| command.name))),
        Request::Help(None) => Ok(form.overview()),
        Request::Help(Some(name)) => help(form, &name),
        Request::Echo(text) => Ok(text),
        Request::Bench => Ok(bench::run(bench::DEPTH).to_string()),
        Request::BoardSize(size) => board_size(engine, size),
        Request::ClearBoard => {
            engine.new_game();
            Ok(String::new())
        }
        Request::ListVariants => Ok(lines(Variant::builtin_ids())),
        Request::Variant(source) => variant(engine, source),
        Request::ShowVariant => Ok(engine.variant().source().to_owned()),
        Request::Position { start, moves } => {
            let text = match &start {
                Start::Opening => None,
                Start::Text(text) => Some(text.as_str()),
            };
            done(engine.set_position(text, &moves))
        }
        Request::Fen => Ok(engine.game().to_string()),
        Request::ShowBoard => Ok(show_board(engine)),
        Request::Geometry => Ok(geometry(engine.variant())),
        Request::Play { side, movement } => done(engine.play(side.map(engine_side), &movement)),
        Request::Undo(count) => done(engine.undo(count as usize)),
        Request::LegalMoves { verbose } => Ok(legal_moves(engine, verbose)),
        Request::Status => Ok(status(engine)),
        Request::FinalScore => final_score(engine),
        Request::Perft(depth) => Ok(perft(engine.game(), depth).to_string()),
        Request::Divide(depth) => Ok(divided(engine.game(), depth)),
        Request::Probe { moves: false } => engine.probe().map(|value| value.to_string()).map_err(engine_error),
        Request::Probe { moves: true } => {
            let line = |(text, value): &(String, Value)| format!("{text} {value}");
            let moves = engine.probe_moves().map_err(engine_error)?;
            Ok(moves.iter().map(line).collect::<Vec<_>>().join("\n"))
        }
        Request::Table => table(engine),
        Request::Explain => engine.explain().map_err(engine_error),
        Request::TimeLeft { side, time, moves } => {
            engine.set_time_left(engine_side(side), time.into(), moves);
            Ok(String::new())
        }
        Request::KataListTimeSettings => Ok(TimeControl::KINDS.join(" ")),
        Request::ListOptions => Ok(engine.options().to_string()),
        Request::GetOption(name) => {
            let value = engine.options().get_by_name(&name);
            value.map_err(|error| engine_error(error.into()))
        }
        Request::SetOption { name, value } => done(engine.set_option(&name, &value)),
        // The half-move loop answers these itself, and in the other loop nobody can ask for them.
        Request::HalfMoves(_) => Err(ProtocolError::bare(ErrorPhrase::UnknownCommand)),
        // Answered with nothing: a search that they end has been told by the reader. Searches are answered elsewhere.
        Request::Komi(_)
        | Request::GoguiInterrupt
        | Request::Quit
        | Request::Stop
        | Request::Go(_)
        | Request::GenMove(_)
        | Request::RegGenMove(_)
        | Request::Analyze(_)
        | Request::GenMoveAnalyze(_)
        | Request::TimeSettings { .. }
        | Request::KataTimeSettings(_) => Ok(String::new()),
    }
}

fn done(result: Result<(), crate::engine::EngineError>) -> Result<String, ProtocolError> {
    result.map(|()| String::new()).map_err(engine_error)
}

fn lines(words: impl Iterator<Item = &'static str>) -> String {
    words.collect::<Vec<_>>().join("\n")
}

fn help(form: Form, name: &str) -> Result<String, ProtocolError> {
    let mut text = form.find(name).ok_or(ProtocolError::bare(ErrorPhrase::UnknownCommand))?.help();
    if matches!(name, "list_options" | "get_option" | "set_option") {
        for (option, summary) in Options::summaries() {
            text += &format!("\n  {option:13}  {summary}");
        }
    }
    Ok(text)
}

fn board_size(engine: &mut Engine, size: u32) -> Result<String, ProtocolError> {
    let variant = engine.variant();
    let square = u32::from(variant.board().square());
    if size != square {
        let detail = format!("{} needs {square}, found {size}", variant.id());
        return Err(ProtocolError::new(ErrorPhrase::UnacceptableSize, detail));
    }
    engine.new_game();
    Ok(String::new())
}

fn variant(engine: &mut Engine, source: Option<VariantSource>) -> Result<String, ProtocolError> {
    match source {
        None => Ok(engine.variant().id().to_owned()),
        Some(VariantSource::Id(id)) => done(engine.choose_variant(&id)),
        Some(VariantSource::File(path)) => done(engine.load_variant(Path::new(&path))),
    }
}

/// The drawing of the position, and what the table knows of it, where there is a table.
fn show_board(engine: &Engine) -> String {
    let drawing = render::text(&View::of_game(engine.game()), Charset::Unicode);
    let side = engine.game().side();
    let known = match engine.probe() {
        Ok(Value::Win(count)) => winner_text(side, count),
        Ok(Value::Loss(count)) => winner_text(!side, count),
        Ok(Value::Draw) => "neither side can force a win".to_owned(),
        Err(_) => return drawing,
    };
    format!("{drawing}\nperfect play: {known}")
}

fn winner_text(winner: Side, count: u32) -> String {
    let wins = if winner == Side::General { "wins" } else { "win" };
    format!("{winner} {wins} in {}", plies(count))
}

/// A coordinate without needless decimals: `3`, `2.5`.
fn coordinate(hundredths: i32) -> String {
    let text = format!("{:.2}", f64::from(hundredths) / f64::from(Spot::UNIT));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn geometry(variant: &Variant) -> String {
    let board = variant.board();
    let mut lines = Vec::new();
    for point in board.all() {
        let spot = board.spot(point);
        let kind = if board.field().contains(point) { "field" } else { "privy" };
        lines.push(format!("point {} {} {} {kind}", board.name(point), coordinate(spot.x), coordinate(spot.y)));
    }
    for line in board.lines() {
        let names: Vec<String> = line.iter().map(|point| board.name(*point).to_string()).collect();
        lines.push(format!("line {}", names.join(" ")));
    }
    lines.extend(board.exits().into_iter().map(|point| format!("exit {}", board.name(point))));
    lines.extend(board.apex().into_iter().map(|point| format!("apex {}", board.name(point))));
    lines.join("\n")
}

fn legal_moves(engine: &Engine, verbose: bool) -> String {
    let position = engine.game();
    let mut texts: Vec<String> = Vec::new();
    for move_ in engine.game().legal_moves() {
        let captured = move_.action().captured;
        let mut text = position.move_text(&move_);
        if verbose && !captured.is_empty() {
            text += &format!(" takes {}", position.board().names(captured));
        }
        texts.push(text);
    }
    texts.sort();
    texts.join(if verbose { "\n" } else { " " })
}

fn status(engine: &Engine) -> String {
    match engine.game().outcome() {
        Some(outcome) => outcome.to_string(),
        None => format!("{} to move", engine.game().side()),
    }
}

fn final_score(engine: &Engine) -> Result<String, ProtocolError> {
    let score = match engine.game().outcome().map(Outcome::winner) {
        Some(Some(Side::General)) => "W+R",
        Some(Some(Side::Rebels)) => "B+R",
        Some(None) => "0",
        None => return Err(ProtocolError::new(ErrorPhrase::CannotScore, "the game is not over")),
    };
    Ok(score.to_owned())
}

fn table(engine: &Engine) -> Result<String, ProtocolError> {
    let table = engine.table().map_err(engine_error)?;
    let variant = engine.variant();
    let (plies, bytes, path) = (table.max_plies(), table.bytes(), table.path().display());
    Ok(format!("{} {} {plies} {bytes} {path}", variant.id(), variant.fingerprint()))
}

fn divided(position: &Game, depth: u32) -> String {
    let divisions = divide(position, depth);
    let total: u64 = divisions.iter().map(|(_, count)| count).sum();
    let mut lines: Vec<String> = divisions.iter().map(|(text, count)| format!("{text} {count}")).collect();
    lines.push(format!("total {total}"));
    lines.join("\n")
}
