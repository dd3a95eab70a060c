//! The answers to the commands that both sessions have, and the errors of the engine as those of the protocol.

use std::path::Path;

use privy_protocol::{CommandSet, ErrorCode, ProtocolError, Setup, SharedRequest, TimeControl, VariantSource};

use crate::board::Spot;
use crate::engine::{Engine, EngineError, OptionError, Options};
use crate::eval::plies;
use crate::render::{self, Charset};
use crate::rules::{MoveError, Outcome, PositionError, Side, Variant};
use crate::search::Stop;
use crate::tablebase::{TableError, TableValue};

/// The text of an answer, or its error.
pub(super) type Answer = Result<String, ProtocolError>;

/// Answers a request in a session with these commands. `stop` ends a search.
pub(super) fn answer(engine: &mut Engine, set: CommandSet, request: SharedRequest, stop: &Stop) -> Answer {
    match request {
        SharedRequest::ProtocolVersion => Ok("2".to_owned()),
        SharedRequest::Name => Ok("Privy".to_owned()),
        SharedRequest::Version => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        SharedRequest::KnownCommand(name) => Ok(set.find(&name).is_some().to_string()),
        SharedRequest::ListCommands => Ok(lines(set.commands().iter().map(|command| command.name))),
        SharedRequest::Help(None) => Ok(set.overview()),
        SharedRequest::Help(Some(name)) => help(set, &name),
        SharedRequest::Echo(text) => Ok(text),
        SharedRequest::BoardSize(size) => nothing(board_size(engine, size)),
        SharedRequest::ClearBoard => {
            engine.new_game();
            Ok(String::new())
        }
        SharedRequest::ListVariants => Ok(lines(Variant::all_ids())),
        SharedRequest::Variant(None) => Ok(engine.variant().id().to_owned()),
        SharedRequest::Variant(Some(VariantSource::Id(id))) => nothing(engine.choose_variant(&id)),
        SharedRequest::Variant(Some(VariantSource::File(path))) => nothing(engine.load_variant(Path::new(&path))),
        SharedRequest::ShowVariant => Ok(engine.variant().source().to_owned()),
        SharedRequest::Position(Setup { start, moves }) => nothing(engine.set_position(start.as_deref(), &moves)),
        SharedRequest::Fen => Ok(engine.game().to_string()),
        SharedRequest::ShowBoard => Ok(show_board(engine)),
        SharedRequest::Geometry => Ok(geometry(engine.variant())),
        SharedRequest::LegalMoves(verbose) => Ok(legal_moves(engine, verbose)),
        SharedRequest::Status => Ok(status(engine)),
        SharedRequest::FinalScore => final_score(engine),
        SharedRequest::Probe(false) => Ok(engine.probe()?.to_string()),
        SharedRequest::Probe(true) => {
            let moves = engine.probe_moves()?;
            Ok(lines(moves.iter().map(|(text, value)| format!("{text} {value}"))))
        }
        SharedRequest::Table => table(engine),
        SharedRequest::Explain => Ok(engine.explain(stop)?),
        SharedRequest::KataListTimeSettings => Ok(TimeControl::KINDS.join(" ")),
        SharedRequest::ListOptions => Ok(engine.options().to_string()),
        SharedRequest::GetOption(name) => Ok(engine.options().get_by_name(&name).map_err(EngineError::from)?),
        SharedRequest::SetOption((name, value)) => nothing(engine.set_option(&name, &value)),
        // The reader has ended the search that they end.
        SharedRequest::Komi(_) | SharedRequest::GoguiInterrupt | SharedRequest::Quit | SharedRequest::Stop => {
            Ok(String::new())
        }
    }
}

fn lines(texts: impl Iterator<Item = impl Into<String>>) -> String {
    texts.map(Into::into).collect::<Vec<String>>().join("\n")
}

fn help(set: CommandSet, name: &str) -> Answer {
    let mut text = set.find(name).ok_or(ProtocolError::bare(ErrorCode::UnknownCommand))?.help();
    if matches!(name, "list_options" | "get_option" | "set_option") {
        for (option, summary) in Options::summaries() {
            text += &format!("\n  {option:13}  {summary}");
        }
    }
    Ok(text)
}

fn board_size(engine: &mut Engine, size: u32) -> Result<(), ProtocolError> {
    let variant = engine.variant();
    let square = u32::from(variant.board().square());
    if size != square {
        let detail = format!("{} needs {square}, found {size}", variant.id());
        return Err(ProtocolError::new(ErrorCode::UnacceptableSize, detail));
    }
    engine.new_game();
    Ok(())
}

/// The drawing of the position, and its value, if there is a table.
fn show_board(engine: &Engine) -> String {
    let drawing = render::text(engine.game(), Charset::Unicode);
    let side = engine.game().side();
    let (winner, how) = match engine.probe() {
        Ok(TableValue::Win(count)) => (side, format!("in {}", plies(count))),
        Ok(TableValue::Loss(count)) => (!side, format!("in {}", plies(count))),
        Ok(TableValue::Draw) => return format!("{drawing}\nperfect play: neither side can force a win"),
        Ok(TableValue::WinByRepetition) => (side, "by repetition".to_owned()),
        Ok(TableValue::LossByRepetition) => (!side, "by repetition".to_owned()),
        Err(_) => return drawing,
    };
    let wins = if winner == Side::General { "wins" } else { "win" };
    format!("{drawing}\nperfect play: {winner} {wins} {how}")
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
    lines.extend(variant.rule_set().goal.iter().map(|name| format!("goal {name}")));
    lines.join("\n")
}

fn legal_moves(engine: &Engine, verbose: bool) -> String {
    let position = engine.game();
    let mut texts: Vec<String> = Vec::new();
    for move_ in position.legal_moves() {
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

fn final_score(engine: &Engine) -> Answer {
    let score = match engine.game().outcome().map(Outcome::winner) {
        Some(Some(Side::General)) => "W+R",
        Some(Some(Side::Rebels)) => "B+R",
        Some(None) => "0",
        None => return Err(ProtocolError::new(ErrorCode::CannotScore, "the game is not over")),
    };
    Ok(score.to_owned())
}

fn table(engine: &Engine) -> Answer {
    let table = engine.table()?;
    let variant = engine.variant();
    let (plies, bytes, path) = (table.max_plies(), table.bytes(), table.path().display());
    Ok(format!("{} {} {plies} {bytes} {path}", variant.id(), variant.fingerprint()))
}

/// An answer without text.
pub(super) fn nothing<T, E: Into<ProtocolError>>(result: Result<T, E>) -> Answer {
    result.map(|_| String::new()).map_err(Into::into)
}

pub(super) fn illegal(detail: impl Into<String>) -> ProtocolError {
    ProtocolError::new(ErrorCode::IllegalMove, detail)
}

pub(super) fn interrupted() -> ProtocolError {
    ProtocolError::new(ErrorCode::Interrupted, "stopped before the end")
}

impl From<EngineError> for ProtocolError {
    fn from(error: EngineError) -> Self {
        let code = match &error {
            EngineError::UnknownVariant(_) | EngineError::Position(PositionError::UnknownVariant(_)) => {
                ErrorCode::UnknownVariant
            }
            EngineError::Variant(_) | EngineError::Weights(_) => ErrorCode::CannotLoadFile,
            EngineError::Position(_) => ErrorCode::IllegalPosition,
            EngineError::Move(error) | EngineError::MoveInList(.., error) => match error {
                MoveError::Text(_) => ErrorCode::SyntaxError,
                MoveError::Illegal(_) => ErrorCode::IllegalMove,
            },
            EngineError::GameOver(_) => ErrorCode::GameOver,
            EngineError::CannotUndo { .. } => ErrorCode::CannotUndo,
            EngineError::Option(OptionError::Unknown(_)) => ErrorCode::UnknownOption,
            EngineError::Option(OptionError::NotANumber { .. } | OptionError::NotAWord { .. }) => {
                ErrorCode::SyntaxError
            }
            EngineError::Table(_) => ErrorCode::NoTable,
            EngineError::Option(OptionError::OutOfRange { .. }) => ErrorCode::ValueOutOfRange,
        };
        let detail = match &error {
            // The phrase repeats the beginning of these texts.
            EngineError::Position(PositionError::UnknownVariant(id)) => {
                format!("\"{id}\"; list_variants names them all")
            }
            EngineError::Table(error @ TableError::Missing { .. }) => error.to_string().replacen("no table", "none", 1),
            other => other.to_string(),
        };
        Self::new(code, detail)
    }
}
