//! The ordinary session: a move is one command.

use std::io::{self, Read, Write};
use std::path::Path;

use privy_protocol::{
    Command, CommandHelp, ErrorCode, InputLine, Interruption, Limits, MoveInfo, ProtocolError, ReplyWriter, Score,
    SearchLine, Setup, Side, Stop, VariantSource,
};

use serde::Serialize;

use crate::{Engine, Options};
use privy_base::message::{safe_json, shown};
use privy_rules::board::Spot;
use privy_rules::render::{self, BoardLabel, Charset};
use privy_rules::{Game, Outcome, Variant, divide, perft};
use privy_search::eval::plies;
use privy_search::{SearchInfo, SearchResult};
use privy_tables::{Progress, Table, effort};

use super::reader::{Request, Requests};
use super::records;
use super::streaming::Reports;

/// Answers requests until `quit` or the end of the input. Calls `watch` at the beginning and after every answer.
///
/// # Errors
/// When the output can't be written.
pub fn run(
    mut engine: Engine,
    input: impl Read + Send + 'static,
    mut output: impl Write + Send,
    mut watch: impl FnMut(&Engine),
) -> io::Result<()> {
    watch(&engine);
    for request in Requests::read(input, parse)? {
        answer_request(&mut engine, request, &mut output)?;
        watch(&engine);
    }
    Ok(())
}

/// Answers a line, where there is no thread that reads the next one meanwhile: in a browser. False after `quit`.
///
/// # Errors
/// When the output can't be written.
pub fn run_line(engine: &mut Engine, line: InputLine, mut output: impl Write + Send) -> io::Result<bool> {
    let Some(request) = Request::of(line, parse) else { return Ok(true) };
    let is_last = request.is_last;
    answer_request(engine, request, &mut output).map(|()| !is_last)
}

fn parse(name: &str, arguments: &str) -> Result<(Command, Interruption), ProtocolError> {
    let command = Command::parse(name, arguments)?;
    let ends = command.interruption();
    Ok((command, ends))
}

fn answer_request(engine: &mut Engine, request: Request<Command>, output: &mut (dyn Write + Send)) -> io::Result<()> {
    let Request { id, command, stop, next_line, .. } = request;
    let mut reply = ReplyWriter::new(output, id, stop.clone());
    let is_moved = matches!(command, Ok(Command::GenMove(_) | Command::GenMoveAnalyze(_)));
    let answer = command.and_then(|command| answer(engine, command, &mut reply, &stop));
    reply.close(answer)?;
    if is_moved {
        engine.ponder(&next_line);
    }
    Ok(())
}

fn json(review: &impl Serialize) -> String {
    serde_json::to_string(review).unwrap_or_else(|error| error.to_string())
}

/// The text of an answer, or its last line; or its error.
pub type Answer = Result<String, ProtocolError>;

/// Answers a command. Lines that come while it works are written; what ends the answer is returned. `stop` ends the
/// work.
///
/// # Errors
/// Those of the command. An error after a line closes the answer.
pub fn answer(engine: &mut Engine, command: Command, reply: &mut ReplyWriter<'_>, stop: &Stop) -> Answer {
    match command {
        Command::ProtocolVersion => Ok("2".to_owned()),
        Command::Name => Ok("Privy".to_owned()),
        Command::Version => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        Command::KnownCommand(_) | Command::ListCommands | Command::Help(_) => {
            about(&command, Command::names(), Command::help)
        }
        Command::BoardSize(size) => nothing(board_size(engine, size)),
        Command::ClearBoard => {
            engine.new_game();
            Ok(String::new())
        }
        Command::ListVariants(false) => {
            let read = engine.read_variants().map(|variant| variant.id().to_owned());
            Ok(lines(Variant::all_ids().map(str::to_owned).chain(read)))
        }
        Command::ListVariants(true) => Ok(lines(engine.catalogue().map(|entry| safe_json(&entry).into_owned()))),
        Command::Variant(None) => Ok(engine.variant().id().to_owned()),
        Command::Variant(Some(VariantSource::Id(id))) => nothing(engine.choose_variant(&id)),
        Command::Variant(Some(VariantSource::File(path))) => {
            nothing(engine.begin_variant(Variant::from_file(Path::new(&path))))
        }
        Command::Variant(Some(VariantSource::Text(text))) => {
            nothing(engine.begin_variant(Variant::from_toml(&text, None)))
        }
        Command::ShowVariant(false) => Ok(engine.variant().heading.source.clone()),
        Command::ShowVariant(true) => {
            let variant = engine.variant();
            Ok(lines([variant.heading.title.clone()].into_iter().chain(variant.rules_in_words())))
        }
        Command::Position(Setup { start, moves }) => nothing(engine.set_position(start.as_deref(), &moves)),
        Command::CheckPosition(text) => Ok(engine.read_position(engine.variant(), &text)?.to_string()),
        Command::Fen => Ok(engine.game().to_string()),
        Command::History => Ok(history(engine.game())),
        Command::Load((path, number)) => nothing(records::load(engine, Path::new(&path), number)),
        Command::Convert((form, text)) => match form.parse() {
            Ok(format) => records::convert(engine, format, &text),
            Err(_) => nothing(records::add_text(engine, &text)),
        },
        Command::Save(path) => nothing(records::save(engine.game(), Path::new(&path))),
        Command::ShowBoard => Ok(show_board(engine)),
        Command::Geometry => Ok(geometry(engine.variant())),
        Command::Play((side, text)) => nothing(engine.play(side, &text)),
        Command::Undo(count) => nothing(engine.undo(count as usize)),
        Command::LegalMoves(verbose) => Ok(legal_moves(engine, verbose)),
        Command::Status => Ok(match engine.game().outcome() {
            Some(outcome) => outcome.to_string(),
            None => format!("{} to move", engine.game().side()),
        }),
        Command::FinalScore => final_score(engine),
        Command::Perft(depth) => {
            finished_count(perft(engine.game(), depth, &mut || stop.is_set()), stop).map(|count| count.to_string())
        }
        Command::Divide(depth) => {
            let divisions = finished_count(divide(engine.game(), depth, &mut || stop.is_set()), stop)?;
            let total: u64 = divisions.iter().map(|(_, count)| count).sum();
            let lines = divisions.iter().map(|(text, count)| format!("{text} {count}\n"));
            Ok(lines.collect::<String>() + &format!("total {total}"))
        }
        Command::Go(arguments) => {
            let request = engine.read_request(&arguments)?;
            let root = engine.game().clone();
            reply.open();
            let mut tell = |info: &SearchInfo| reply.line(&info.text(&root.line_texts(&info.pv)));
            let SearchResult { best, .. } = engine.go(&request, stop, Some(&mut tell))?;
            Ok(SearchLine::BestMove(root.move_text(&best)).to_string())
        }
        Command::Analyze(request) => {
            let go = engine.read_analysis(&request, Limits::default())?;
            let reports = Reports { request: &request, line_texts: &Game::line_texts, numbers: MoveInfo::numbers };
            reports.stream(engine, go.analysis(), false, reply, stop)?;
            Ok(String::new())
        }
        Command::GenMoveAnalyze(request) => {
            let go = engine.read_analysis(&request, engine.own_limits())?;
            let reports = Reports { request: &request, line_texts: &Game::line_texts, numbers: MoveInfo::numbers };
            let SearchResult { best, time, .. } = reports.stream(engine, go, true, reply, stop)?;
            let text = engine.game().move_text(&best);
            engine.play_found(best, time);
            Ok(format!("play {text}"))
        }
        Command::Review(limits) => {
            engine.check_played()?;
            reply.open();
            Ok(json(&engine.review(&limits, stop, &mut |review| reply.line(&json(review)))?))
        }
        Command::GenMove(side) => {
            engine.check_to_move(Some(side))?;
            let SearchResult { best, time, .. } = engine.go(&engine.own_limits().into(), stop, None)?;
            let text = engine.game().move_text(&best);
            engine.play_found(best, time);
            Ok(text)
        }
        Command::Probe(false) => Ok(engine.probe()?.to_string()),
        Command::Probe(true) => {
            engine.check_to_move(None)?;
            let moves = engine.table()?.values_by_text(engine.game())?;
            Ok(lines(moves.iter().map(|(text, value)| format!("{text} {value}"))))
        }
        Command::Solve(verbose) => {
            // Of both sides to move.
            let positions = effort(engine.variant()).map_or(0, |effort| 2 * effort.positions);
            let mut tell = |Progress { ply, decided, .. }: &Progress| {
                if verbose {
                    reply.line(&format!("ply {ply} decided {decided} of {positions}"));
                }
            };
            Ok(table_line(engine.solve(&mut tell, stop)?.as_ref()))
        }
        Command::Table => {
            let table = engine.table()?;
            Ok(format!("{} {}", table_line(&table), shown(table.path())))
        }
        Command::Explain => Ok(engine.explain(stop)?),
        Command::SetTimeControl(control) => {
            engine.set_time_control(control);
            Ok(String::new())
        }
        Command::SetTimeLeft((side, left)) => {
            engine.set_clock(side, left);
            Ok(String::new())
        }
        Command::ListOptions => Ok(engine.options().to_string()),
        Command::SetOption((name, value)) => nothing(engine.set_option(&name, value)),
        // The reader has ended the search that they end.
        Command::Komi(_) | Command::GoguiInterrupt | Command::Quit | Command::Stop => Ok(String::new()),
    }
}

/// Answers the questions about the commands of a session, of which these are the names.
pub fn about(
    command: &Command,
    mut names: impl Iterator<Item = &'static str>,
    help: fn(&str) -> Option<CommandHelp>,
) -> Answer {
    match command {
        Command::KnownCommand(name) => Ok(names.any(|known| known == name).to_string()),
        Command::Help(Some(name)) => {
            let help = help(name).ok_or(ProtocolError::bare(ErrorCode::UnknownCommand))?;
            let mut text = help.description();
            if matches!(help.name, "list_options" | "set_option") {
                for (option, summary) in Options::summaries() {
                    text += &format!("\n  {option:13}  {summary}");
                }
            }
            Ok(text)
        }
        Command::Help(None) => Ok(lines(names.filter_map(help).map(|help| help.line()))),
        _ => Ok(lines(names)),
    }
}

/// Id, fingerprint, longest play and size of a table.
fn table_line(table: &Table) -> String {
    let variant = table.variant();
    format!("{} {} {} {}", variant.id(), variant.fingerprint(), table.max_plies(), table.bytes())
}

/// The count of a perft, unless it was stopped or the tree is too deep.
fn finished_count<T>(count: Option<T>, stop: &Stop) -> Result<T, ProtocolError> {
    let (code, reason) = match stop.is_set() {
        true => (ErrorCode::Interrupted, "stopped before the end"),
        false => (ErrorCode::ValueOutOfRange, "the tree is too deep to be counted"),
    };
    count.ok_or_else(|| ProtocolError::new(code, reason))
}

fn lines(texts: impl Iterator<Item = impl Into<String>>) -> String {
    texts.map(Into::into).collect::<Vec<String>>().join("\n")
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

/// The drawing of the position, and its value, if it is known without a search.
fn show_board(engine: &mut Engine) -> String {
    let drawing = render::text(engine.game(), Charset::Unicode);
    let side = engine.game().side();
    let (winner, how) = match engine.known_score() {
        Some(Score::Win(count)) => (side, format!("in {}", plies(count))),
        Some(Score::Loss(count)) => (!side, format!("in {}", plies(count))),
        Some(Score::Draw) => return format!("{drawing}\nperfect play: neither side can force a win"),
        Some(Score::RepetitionWin) => (side, "by repetition".to_owned()),
        Some(Score::RepetitionLoss) => (!side, "by repetition".to_owned()),
        Some(Score::Evaluation(_) | Score::UnprovedWin(_) | Score::UnprovedLoss(_)) | None => return drawing,
    };
    let wins = if winner == Side::General { "wins" } else { "win" };
    format!("{drawing}\nperfect play: {winner} {wins} {how}")
}

/// The arguments of `position` that set up a game.
fn history(game: &Game) -> String {
    let mut turn = game.beginning();
    let mut words = format!("fen {turn}");
    for (place, move_) in game.moves().enumerate() {
        words += if place == 0 { " moves " } else { " " };
        words += &turn.move_text(move_);
        turn.play(move_.clone());
    }
    words
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
        let kind = if board.field.contains(point) { "field" } else { "privy" };
        lines.push(format!("point {} {} {} {kind}", board.name(point), coordinate(spot.x), coordinate(spot.y)));
    }
    for (kind, chains) in [("line", &board.lines), ("edge", &board.edges)] {
        for chain in chains {
            let names: Vec<String> = chain.iter().map(|point| board.name(*point).to_string()).collect();
            lines.push(format!("{kind} {}", names.join(" ")));
        }
    }
    lines.extend(board.exits.into_iter().map(|point| format!("exit {}", board.name(point))));
    lines.extend(board.apex.into_iter().map(|point| format!("apex {}", board.name(point))));
    lines.extend(variant.rule_set().goal.iter().map(|name| format!("goal {name}")));
    // In a picture y grows downwards.
    lines.extend(render::board_labels(board).into_iter().map(|BoardLabel { words, centre, size, line }| {
        let ends = line.into_iter().flat_map(|(a, b)| [a.x, -a.y, b.x, -b.y]);
        let numbers = [centre.x, -centre.y, size].into_iter().chain(ends).map(|value| coordinate(value.round() as i32));
        format!("label {words} {}", numbers.collect::<Vec<_>>().join(" "))
    }));
    lines.join("\n")
}

fn legal_moves(engine: &Engine, verbose: bool) -> String {
    let game = engine.game();
    let text = |move_| if verbose { game.move_with_captures(move_) } else { game.move_text(move_) };
    let mut texts: Vec<String> = game.legal_moves().iter().map(text).collect();
    texts.sort();
    texts.join(if verbose { "\n" } else { " " })
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

/// An answer without text.
pub fn nothing<T, E: Into<ProtocolError>>(result: Result<T, E>) -> Answer {
    result.map(|_| String::new()).map_err(Into::into)
}

/// The error of an illegal move, with its detail.
pub fn illegal(detail: impl Into<String>) -> ProtocolError {
    ProtocolError::new(ErrorCode::IllegalMove, detail)
}
