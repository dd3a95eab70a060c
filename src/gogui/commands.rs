//! The commands of the half-move session that the ordinary one lacks, or that mean something else there.

use privy_protocol::clock::time;
use privy_protocol::{
    AnalysisRequest, Arguments, Clock, Command, CommandHelp, CommandRow, Interruption, ProtocolError, Side,
    TimeControl, commands,
};

use super::analysis_form::AnalysisForm;

/// A half move as written: the side, and a point or `pass`.
pub(crate) type SidedPoint = (Side, String);

/// The commands of the ordinary session that this one has not: a half move is no move of theirs.
const LACKING: [&str; 7] = ["perft", "divide", "go", "review", "solve", "load", "save"];

/// A request to the half-move session.
#[derive(Debug, Clone, PartialEq)]
pub enum HalfMoveRequest {
    /// One of this session alone.
    Own(HalfMoveCommand),
    /// One for the ordinary session.
    Ordinary(Command),
}

impl HalfMoveRequest {
    /// Reads a request from the name of a command and its arguments.
    ///
    /// # Errors
    /// As [`Command::parse`].
    pub fn parse(name: &str, arguments: &str) -> Result<HalfMoveRequest, ProtocolError> {
        match CommandRow::read(HalfMoveCommand::ROWS, name, arguments) {
            Some(own) => own.map(HalfMoveRequest::Own),
            None if LACKING.contains(&name) => Command::parse("", "").map(HalfMoveRequest::Ordinary),
            None => Command::parse(name, arguments).map(|command| match command {
                Command::Analyze(request) => Self::Own(HalfMoveCommand::Analyze((AnalysisForm::Own, request))),
                Command::GenMoveAnalyze(request) => {
                    Self::Own(HalfMoveCommand::GenMoveAnalyze((AnalysisForm::Own, request)))
                }
                command => Self::Ordinary(command),
            }),
        }
    }

    /// Returns the lines that end its work early.
    pub fn interruption(&self) -> Interruption {
        match self {
            Self::Ordinary(command) => command.interruption(),
            Self::Own(command) => command.interruption(),
        }
    }
}

/// Returns the names of the commands that are those of the ordinary session.
pub fn shared_names() -> impl Iterator<Item = &'static str> {
    Command::names().filter(|name| !LACKING.contains(name) && own_names().all(|own| own != *name))
}

/// Returns the names of the commands that only this session has, or that mean something else in it.
pub fn own_names() -> impl Iterator<Item = &'static str> {
    HalfMoveCommand::ROWS.iter().map(|row| row.name)
}

/// Returns the names of all commands.
pub fn all_names() -> impl Iterator<Item = &'static str> {
    shared_names().chain(own_names())
}

/// Returns the help of a command, as GUIS.md has it, or PROTOCOL.md.
pub fn help(name: &str) -> Option<CommandHelp> {
    match own_names().find(|own| *own == name) {
        Some(own) => CommandHelp::read(include_str!("../../docs/GUIS.md"), own),
        None => Command::help(name).filter(|_| !LACKING.contains(&name)),
    }
}

commands! {
    /// A request of the half-move session alone. One that fails changes nothing.
    pub enum HalfMoveCommand {
        Analyze((AnalysisForm, AnalysisRequest)):
            "lz-analyze" (arguments => (AnalysisForm::Leela, AnalysisRequest::parse(arguments)?))
                streams (|_| Interruption::AnyLine),
            "kata-analyze" (arguments => (AnalysisForm::Kata, AnalysisRequest::parse(arguments)?))
                streams (|_| Interruption::AnyLine);
        GenMoveAnalyze((AnalysisForm, AnalysisRequest)):
            "lz-genmove_analyze" (arguments => (AnalysisForm::Leela, AnalysisRequest::parse(arguments)?))
                streams (|_| Interruption::Stop),
            "kata-genmove_analyze" (arguments => (AnalysisForm::Kata, AnalysisRequest::parse(arguments)?))
                streams (|_| Interruption::Stop);
        Play(SidedPoint): "play" (arguments => sided_point(arguments, POINT_OR_PASS)?);
        PlaySequence(Vec<SidedPoint>): "gogui-play_sequence" (arguments => sided_points(arguments, POINT_OR_PASS)?);
        GenMove(Side): "genmove" (arguments => arguments.side(None)?) ends (|_| Interruption::Stop);
        Undo(u32):
            "undo" (arguments => arguments.count_or_one(HALF_MOVES)?),
            "gg-undo" (arguments => arguments.count(None, HALF_MOVES, 1)?);
        SetUp(Vec<SidedPoint>): "gogui-setup" (arguments => sided_points(arguments, "a point")?);
        SetUpPlayer(Side): "gogui-setup_player" (arguments => arguments.side(None)?);
        SetTimeControl(TimeControl): "time_settings" (arguments => TimeControl::parse_settings(arguments)?);
        SetTimeLeft((Side, Clock)): "time_left" (arguments => Clock::parse_time_left(arguments)?);
        SetKataTimeControl(TimeControl): "kata-time_settings" (arguments => kata_time_control(arguments)?);
        KataListTimeSettings: "kata-list_time_settings";
        ListStones(Side): "list_stones" (arguments => arguments.side(None)?);
        CpuTime: "cputime";
        LoadSgf((String, Option<u32>)): "loadsgf" (arguments => arguments.path_and_count(HALF_MOVES)?);
        PrintSgf(String): "printsgf" (arguments => arguments.rest());
        Title: "gogui-title";
        Version(String): "gogui-version" (arguments => arguments.rest());
        GameId: "gogui-rules_game_id";
        BoardSize: "gogui-rules_board_size";
        Board: "gogui-rules_board";
        BoardGfx: "gogui-rules_board_gfx";
        LegalMoves: "gogui-rules_legal_moves";
        SideToMove: "gogui-rules_side_to_move";
        CapturedCount: "gogui-rules_captured_count";
        FinalResult: "gogui-rules_final_result";
        AnalyzeCommands: "gogui-analyze_commands";
        MoveValues: "privy-move_values" ends (|_| Interruption::Stop);
        BestLine: "privy-best_line" ends (|_| Interruption::Stop);
        Parameters(Option<(String, String)>): "privy-parameters" (arguments => parameter(arguments)?);
    }
}

/// The kinds of time control that `kata-time_settings` knows.
pub(crate) const KINDS: &str = "none absolute byoyomi canadian fischer";
const POINT_OR_PASS: &str = "a point or pass";
const HALF_MOVES: &str = "a number of half moves";

fn sided_point(arguments: &mut Arguments<'_>, expected: &str) -> Result<SidedPoint, ProtocolError> {
    Ok((arguments.side(Some("side"))?, arguments.word(Some("point"), expected)?))
}

fn sided_points(arguments: &mut Arguments<'_>, expected: &str) -> Result<Vec<SidedPoint>, ProtocolError> {
    let mut points = Vec::new();
    while !arguments.is_empty() {
        points.push(sided_point(arguments, expected)?);
    }
    Ok(points)
}

fn kata_time_control(arguments: &mut Arguments<'_>) -> Result<TimeControl, ProtocolError> {
    let kind = arguments.peek().filter(|kind| KINDS.split(' ').any(|known| known == *kind));
    let kind = kind.ok_or_else(|| arguments.refused(Some("kind"), "none, absolute, byoyomi, canadian or fischer"))?;
    arguments.take();
    Ok(match kind {
        "none" => TimeControl::None,
        "canadian" => TimeControl::parse_settings(arguments)?,
        _ => {
            let main = time(arguments, "main", 0.0)?;
            match kind {
                "byoyomi" => {
                    let period = time(arguments, "period", 0.0)?;
                    let periods = arguments.count(Some("periods"), "a number of periods", 0)?;
                    TimeControl::ByoYomi { main, period, periods }.simplified()
                }
                "fischer" => TimeControl::Main { main, increment: time(arguments, "increment", 0.0)?, moves: None },
                _ => TimeControl::absolute(main),
            }
        }
    })
}

/// Nothing, or a name and a value; one with spaces, or an empty one, comes in quotation marks.
fn parameter(arguments: &mut Arguments<'_>) -> Result<Option<(String, String)>, ProtocolError> {
    let Some(name) = arguments.take() else { return Ok(None) };
    let value = arguments.value()?;
    let bare = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    Ok(Some((name.to_owned(), bare.unwrap_or(&value).to_owned())))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Lines of the half-move form, for each command that it does not share.
    const HALF_MOVES: &[&str] = &[
        "play general C3",
        "play rebels pass",
        "gogui-play_sequence",
        "gogui-play_sequence general C3 general B2 rebels pass",
        "genmove rebels",
        "undo 1",
        "undo 12",
        "gg-undo 3",
        "gogui-setup general C3 rebels A1",
        "gogui-setup_player rebels",
        "time_settings 300 0 0",
        "time_left general 12.345 4",
        "lz-analyze 10",
        "kata-analyze rebels maxmoves 1",
        "lz-genmove_analyze",
        "kata-genmove_analyze rebels 10 minmoves 3",
        "kata-time_settings none",
        "kata-time_settings absolute 300",
        "kata-time_settings byoyomi 300 30 5",
        "kata-time_settings canadian 300 30 25",
        "kata-time_settings fischer 300 0.1",
        "kata-list_time_settings",
        "list_stones rebels",
        "cputime",
        "loadsgf game.sgf",
        "loadsgf some/game.sgf 12",
        "printsgf",
        "printsgf game.sgf",
        "gogui-title",
        "gogui-version",
        "gogui-version 1.6.0 of some kind",
        "gogui-rules_game_id",
        "gogui-rules_board_size",
        "gogui-rules_board",
        "gogui-rules_board_gfx",
        "gogui-rules_legal_moves",
        "gogui-rules_side_to_move",
        "gogui-rules_captured_count",
        "gogui-rules_final_result",
        "gogui-analyze_commands",
        "privy-move_values",
        "privy-best_line",
        "privy-parameters",
        "privy-parameters tables /some folder/with spaces",
    ];

    fn read(line: &str) -> Result<HalfMoveRequest, String> {
        let (name, arguments) = line.split_once(' ').unwrap_or((line, ""));
        HalfMoveRequest::parse(name, arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn every_half_move_command_has_a_line() {
        for name in own_names() {
            assert!(HALF_MOVES.iter().any(|line| line.split(' ').next() == Some(name)), "no sample of {name}");
        }
        for line in HALF_MOVES {
            assert!(matches!(read(line), Ok(HalfMoveRequest::Own(_))), "{line}");
        }
        assert_eq!(read("known_command go"), Ok(HalfMoveRequest::Ordinary(Command::KnownCommand("go".to_owned()))));
    }

    #[test]
    fn time_controls_of_every_kind() {
        let [main, other] = [300, 30].map(Duration::from_secs);
        for (arguments, expected) in [
            ("none", TimeControl::None),
            ("absolute 300", TimeControl::absolute(main)),
            ("byoyomi 300 30 5", TimeControl::ByoYomi { main, period: other, periods: 5 }),
            ("byoyomi 300 30 0", TimeControl::absolute(main)),
            ("canadian 300 30 25", TimeControl::Canadian { main, period: other, moves: 25 }),
            ("canadian 300 30 0", TimeControl::None),
            ("fischer 300 30", TimeControl::Main { main, increment: other, moves: None }),
        ] {
            let expected = HalfMoveRequest::Own(HalfMoveCommand::SetKataTimeControl(expected));
            assert_eq!(read(&format!("kata-time_settings {arguments}")), Ok(expected));
            assert!(KINDS.split(' ').any(|kind| arguments.starts_with(kind)));
        }
    }

    #[test]
    fn every_error_text_of_half_moves() {
        for (line, expected) in [
            ("go", "unknown command"),
            ("play", "syntax error: play: argument 1 (side): expected a side (general or rebels), found nothing"),
            ("play c3", "syntax error: play: argument 1 (side): expected a side (general or rebels), found \"c3\""),
            ("play w", "syntax error: play: argument 2 (point): expected a point or pass, found nothing"),
            ("play w c3 b2", "syntax error: play: argument 3: expected the end of the line, found \"b2\""),
            ("undo x", "syntax error: undo: expected a number of half moves from 1, found \"x\""),
            (
                "kata-time_settings",
                "syntax error: kata-time_settings: argument 1 (kind): expected none, absolute, byoyomi, canadian or \
                 fischer, found nothing",
            ),
            (
                "kata-time_settings fischer 5",
                "syntax error: kata-time_settings: argument 3 (increment): expected seconds, found nothing",
            ),
            ("gg-undo", "syntax error: gg-undo: expected a number of half moves from 1, found nothing"),
            (
                "gogui-play_sequence w c3 b",
                "syntax error: gogui-play_sequence: argument 4 (point): expected a point or pass, found nothing",
            ),
            ("gogui-setup w", "syntax error: gogui-setup: argument 2 (point): expected a point, found nothing"),
            (
                "privy-parameters hash",
                "syntax error: privy-parameters: argument 2 (value): expected a value, found nothing",
            ),
        ] {
            assert_eq!(read(line), Err(expected.to_owned()), "{line}");
        }
        let quoted = read("privy-parameters tables \"a b\"");
        assert_eq!(
            quoted,
            Ok(HalfMoveRequest::Own(HalfMoveCommand::Parameters(Some(("tables".into(), "a b".into())))))
        );
    }

    #[test]
    fn names_are_unique_and_descriptions_fit_into_answers() {
        let names: Vec<_> = all_names().collect();
        for (index, name) in names.iter().enumerate() {
            let help = help(name).unwrap_or_else(|| panic!("no page says anything of {name}"));
            assert!(!names[..index].contains(name), "{name} comes twice");
            assert!(!help.summary.ends_with('.') && help.answer.ends_with('.') && help.failure.ends_with('.'));
            assert!(help.description().lines().all(|line| !line.trim().is_empty()));
        }
        for name in LACKING {
            assert!(help(name).is_none() && Command::help(name).is_some() && !names.contains(&name), "{name}");
        }
        for help in names.into_iter().filter_map(help).filter(|help| help.arguments.is_empty()) {
            let error = HalfMoveRequest::parse(help.name, "x y").unwrap_err().to_string();
            assert_eq!(error, format!("syntax error: {} takes no arguments, found \"x\"", help.name));
        }
    }
}
