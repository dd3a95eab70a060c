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

/// Returns the help of the commands that are those of the ordinary session.
pub fn shared_help() -> impl Iterator<Item = CommandHelp> {
    Command::all_help().filter(|help| !LACKING.contains(&help.name) && own_help().all(|own| own.name != help.name))
}

/// Returns the help of the commands that only this session has, or that mean something else in it.
pub fn own_help() -> impl Iterator<Item = CommandHelp> {
    HalfMoveCommand::ROWS.iter().map(|row| row.help)
}

/// Returns the help of all commands.
pub fn all_help() -> impl Iterator<Item = CommandHelp> {
    shared_help().chain(own_help())
}

commands! {
    /// A request of the half-move session alone. One that fails changes nothing.
    pub enum HalfMoveCommand {
        Analyze((AnalysisForm, AnalysisRequest)) "lz-analyze" [AnalysisRequest::ARGUMENTS]
        (arguments => (AnalysisForm::Leela, AnalysisRequest::parse(arguments)?)) {
            summary: "as analyze, with the numbers of Leela Zero",
            lines: AnalysisRequest::ANSWER,
            ends: |_| Interruption::AnyLine,
            failure: AnalysisRequest::FAILURE,
        } "kata-analyze" [AnalysisRequest::ARGUMENTS]
        (arguments => (AnalysisForm::Kata, AnalysisRequest::parse(arguments)?)) {
            summary: "as analyze, with the numbers of KataGo",
            lines: AnalysisRequest::ANSWER,
            ends: |_| Interruption::AnyLine,
            failure: AnalysisRequest::FAILURE,
        }
        GenMoveAnalyze((AnalysisForm, AnalysisRequest)) "lz-genmove_analyze" [AnalysisRequest::ARGUMENTS]
        (arguments => (AnalysisForm::Leela, AnalysisRequest::parse(arguments)?)) {
            summary: "as genmove_analyze, with the numbers of Leela Zero",
            lines: CHOICE,
            ends: |_| Interruption::Stop,
            failure: AnalysisRequest::FAILURE,
        } "kata-genmove_analyze" [AnalysisRequest::ARGUMENTS]
        (arguments => (AnalysisForm::Kata, AnalysisRequest::parse(arguments)?)) {
            summary: "as genmove_analyze, with the numbers of KataGo",
            lines: CHOICE,
            ends: |_| Interruption::Stop,
            failure: AnalysisRequest::FAILURE,
        }
        Play(SidedPoint) "play" ["SIDE POINT"] (arguments => sided_point(arguments, POINT_OR_PASS)?) {
            summary: "play a half move",
            answer: "nothing. POINT may be `pass` for the side that is not to move: at the beginning, between the half \
                moves of the other side, and after the end.",
            failure: "`illegal move`, with the reason; the game stays as it is.",
        }
        PlaySequence(Vec<SidedPoint>) "gogui-play_sequence" ["[SIDE POINT ...]"]
        (arguments => sided_points(arguments, POINT_OR_PASS)?) {
            summary: "play half moves",
            answer: "nothing.",
            failure: "`illegal move`, with its number and the reason; nothing is played then.",
        }
        GenMove(Side) "genmove" ["SIDE"] (arguments => arguments.side(None)?) {
            summary: "choose a half move on the engine's own clock and play it",
            answer: "a point, which has been played. The second half of a move comes at once, unless the first was \
                played by hand. `pass` when SIDE is not to move and may pass, and after the end.",
            ends: |_| Interruption::Stop,
            failure: "`illegal move`, when it is the other side's turn; the game stays as it is.",
        }
        Undo(u32) "undo" ["[N]"] (arguments => arguments.count_or_one(HALF_MOVES)?) {
            summary: "take back half moves",
            answer: "nothing. N half moves are taken back, one when N is not given; a pass counts as one.",
            failure: "`cannot undo`, when fewer have been played; nothing is taken back then.",
        } "gg-undo" ["N"] (arguments => arguments.count(None, HALF_MOVES, 1)?) {
            summary: "take back half moves",
            answer: "nothing. As `undo`.",
            failure: "`cannot undo`, when fewer have been played; nothing is taken back then.",
        }
        SetUp(Vec<SidedPoint>) "gogui-setup" ["[SIDE POINT ...]"] (arguments => sided_points(arguments, "a point")?) {
            summary: "begin a game from a position with these pieces",
            answer: "nothing. One piece is the General, White; all others are Rebels, Black.",
            failure: "`illegal position`, with the reason; the game stays as it is.",
        }
        SetUpPlayer(Side) "gogui-setup_player" ["SIDE"] (arguments => arguments.side(None)?) {
            summary: "set the side to move in a position in which nothing has been played",
            answer: "nothing.",
            failure: "`illegal position`, with the reason; the game stays as it is.",
        }
        SetTimeControl(TimeControl) "time_settings" ["MAIN PERIOD MOVES"]
        (arguments => TimeControl::parse_settings(arguments)?) {
            summary: "give each side a main time, then periods of time, each for a number of half moves",
            answer: "nothing. Times in seconds. Two half moves are one decision.",
        }
        SetTimeLeft((Side, Clock)) "time_left" ["SIDE SECONDS MOVES"]
        (arguments => Clock::parse_time_left(arguments)?) {
            summary: "set the clock of a side",
            answer: "nothing. MOVES is how many half moves the time is for; 0 means that it is main time.",
        }
        SetKataTimeControl(TimeControl) "kata-time_settings" [KATA_ARGUMENTS]
        (arguments => kata_time_control(arguments)?) {
            summary: "set the time control, by its kind",
            answer: "nothing. Times in seconds, moves are half moves.",
        }
        KataListTimeSettings "kata-list_time_settings" {
            summary: "the kinds of time control",
            answer: "the kinds in one line, separated by spaces.",
        }
        ListStones(Side) "list_stones" ["SIDE"] (arguments => arguments.side(None)?) {
            summary: "where the pieces of a side stand",
            answer: "their points in one line.",
        }
        CpuTime "cputime" {
            summary: "the processor time that the engine has taken",
            answer: "seconds, with a fraction.",
        }
        LoadSgf((String, Option<u32>)) "loadsgf" ["FILE [N]"] (arguments => arguments.path_and_count(HALF_MOVES)?) {
            summary: "begin the game of an SGF file",
            answer: "nothing. With N, up to the half move before that number, passes counted.",
            failure: "`cannot load file`, with the reason; the game stays as it is.",
        }
        PrintSgf(String) "printsgf" ["[FILE]"] (arguments => arguments.rest()) {
            summary: "write the game as SGF",
            answer: "the game; with FILE nothing: it is written there, and replaces a file only if that holds game \
                     records.",
            failure: "`cannot save file`, with the reason; no other file is replaced.",
        }
        Title "gogui-title" {
            summary: "a title for the window",
            answer: "the title of the variant.",
        }
        Version(String) "gogui-version" ["[VERSION]"] (arguments => arguments.rest()) {
            summary: "take notice of the version of the client",
            answer: "nothing. It has no effect.",
            failure: "never.",
        }
        GameId "gogui-rules_game_id" {
            summary: "a word for the game",
            answer: "`Privy-` and the id of the variant.",
        }
        BoardSize "gogui-rules_board_size" {
            summary: "the size of the board",
            answer: "the side of the square that holds the board.",
        }
        Board "gogui-rules_board" {
            summary: "what stands on the board",
            answer: "one line per row of the square, the top row first: `X` a Rebel, `O` the General, `.` an empty \
                     point, `?` no point.",
        }
        BoardGfx "gogui-rules_board_gfx" {
            summary: "what is to be drawn on the board beside the stones",
            answer: "drawing commands, one per line: the privy, its exits and apex, diagonal lines, the last move, a \
                move that has begun; beside the board whose turn it is.",
        }
        LegalMoves "gogui-rules_legal_moves" {
            summary: "the points that may be played now",
            answer: "the points in one line; an empty one when the game is over.",
        }
        SideToMove "gogui-rules_side_to_move" {
            summary: "whose half move it is",
            answer: "`white` (the General) or `black` (the Rebels).",
        }
        CapturedCount "gogui-rules_captured_count" {
            summary: "how many pieces each side has captured",
            answer: "what Black has captured, then what White has.",
        }
        FinalResult "gogui-rules_final_result" {
            summary: "the result in a sentence",
            answer: "who has won and why; or that the game is not over.",
        }
        AnalyzeCommands "gogui-analyze_commands" {
            summary: "the commands whose answers can be shown on the board",
            answer: "one line for each: `TYPE/LABEL/COMMAND`. From now on, searches draw what they think on standard \
                error.",
        }
        MoveValues "privy-move_values" {
            summary: "what each half move leads to",
            answer: "drawing commands: labels and colours by the table, else by a short search.",
            ends: |_| Interruption::Stop,
        }
        BestLine "privy-best_line" {
            summary: "the best play found",
            answer: "drawing commands: numbered stones and the value in words, by the table, else by a short search.",
            ends: |_| Interruption::Stop,
        }
        Parameters(Option<(String, String)>) "privy-parameters" ["[NAME VALUE]"] (arguments => parameter(arguments)?) {
            summary: "the options as a dialog shows them, or set one",
            answer: "one line for each option: `[TYPE] NAME VALUE`. With a name and a value, nothing; the value may \
                stand in quotation marks.",
            failure: "`unknown option`, `value out of range`, `syntax error` for a word that the option does not take, \
                or `cannot load file` for weights; the option keeps its value.",
        }
    }
}

const CHOICE: &str = "the same reports while it thinks, then: `play POINT`. The half move has been played.";
/// The kinds of time control that `kata-time_settings` knows.
pub(crate) const KINDS: &str = "none absolute byoyomi canadian fischer";
const KATA_ARGUMENTS: &str =
    "none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD MOVES | fischer MAIN INCREMENT";
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
        for name in own_help().map(|help| help.name) {
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
        let names: Vec<_> = all_help().map(|help| help.name).collect();
        assert_eq!(names.len(), shared_help().count() + own_help().count());
        for (index, help) in all_help().enumerate() {
            assert!(!names[..index].contains(&help.name), "{} comes twice", help.name);
            assert!(!help.summary.ends_with('.') && help.answer.ends_with('.') && help.failure.ends_with('.'));
            assert!(help.description().lines().all(|line| !line.trim().is_empty()));
        }
        for name in LACKING {
            assert!(Command::help(name).is_some() && !names.contains(&name), "{name}");
        }
        for help in all_help().filter(|help| help.arguments.is_empty()) {
            let error = HalfMoveRequest::parse(help.name, "x y").unwrap_err().to_string();
            assert_eq!(error, format!("syntax error: {} takes no arguments, found \"x\"", help.name));
        }
    }
}
