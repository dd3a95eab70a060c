//! Requests from lines: what each command accepts, and every error text.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail where it stands")]

use std::time::Duration;

use privy_protocol::{
    Clock, CommandSet, GoArguments, HalfMoveRequest, InputLine, LineReader, Request, Requests, Setup, SharedRequest,
    Side, TimeControl, VariantSource,
};

/// Reads a line in a loop.
fn read<R: Requests>(line: &str) -> Result<R, String> {
    R::read(&raw(line)).map(|(_, request)| request).map_err(|rejection| rejection.error.to_string())
}

fn parse(line: &str) -> Request {
    read(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn parse_shared(line: &str) -> SharedRequest {
    match parse(line) {
        Request::Shared(request) => request,
        other => panic!("{line}: {other:?}"),
    }
}

fn raw(text: &str) -> String {
    match LineReader::new(text.as_bytes()).next().transpose().unwrap() {
        Some(InputLine::Command(line)) => line,
        other => panic!("{other:?}"),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// One line for each command and each form of its arguments, in the form in which requests are written.
const CANONICAL: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "known_command go",
    "known_command two words",
    "list_commands",
    "help",
    "help go",
    "echo",
    "echo some  text",
    "bench",
    "gogui-interrupt",
    "quit",
    "boardsize 7",
    "komi 6.5",
    "komi -0",
    "clear_board",
    "list_variants",
    "variant",
    "variant sixteen-rebels",
    "variant my games/one.toml",
    "variant C:\\my games\\one.toml",
    "show_variant",
    "position startpos",
    "position startpos moves c3-b2 a1-a2",
    "position fen 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels",
    "position fen G g moves c3-b2",
    "fen",
    "showboard",
    "geometry",
    "play c3-b2",
    "play c3 b2",
    "play general c3xe5xc5",
    "play rebels c3 b2",
    "undo 1",
    "undo 12",
    "legal_moves",
    "legal_moves verbose",
    "probe",
    "probe moves",
    "table",
    "explain",
    "status",
    "final_score",
    "perft 0",
    "divide 3",
    "go",
    "go time 0",
    "go time 500 depth 20 nodes 1000000 clock 60000 inc 1000 moves 40 infinite searchmoves c3-b2 c3~a1",
    "go clock 1",
    "genmove general",
    "reg_genmove rebels",
    "stop",
    "analyze",
    "analyze general 50 minmoves 2 maxmoves 5",
    "lz-analyze 10",
    "kata-analyze rebels maxmoves 1",
    "genmove_analyze general 50",
    "lz-genmove_analyze",
    "kata-genmove_analyze rebels 10 minmoves 3",
    "time_settings 300 0 0",
    "time_settings 300.5 30 25",
    "time_left general 12.345 0",
    "kata-time_settings none",
    "kata-time_settings absolute 300",
    "kata-time_settings byoyomi 300 30 5",
    "kata-time_settings canadian 300 30 25",
    "kata-time_settings fischer 300 0.1",
    "kata-list_time_settings",
    "list_options",
    "get_option hash",
    "set_option tables /some folder/with spaces",
];

/// The lines of a command.
fn samples(lines: &[&'static str], name: &str) -> Vec<&'static str> {
    lines.iter().copied().filter(|line| line.split(' ').next() == Some(name)).collect()
}

#[test]
fn every_command_has_a_line() {
    for command in CommandSet::WholeMoves.commands() {
        assert!(!samples(CANONICAL, command.name).is_empty(), "no sample of {}", command.name);
    }
    CANONICAL.iter().for_each(|line| drop(parse(line)));
}

/// What clients send of requests.
#[test]
fn limits_and_time_controls_are_written_as_they_are_read() {
    for line in CANONICAL {
        let (name, arguments) = line.split_once(' ').unwrap_or((line, ""));
        match parse(line) {
            Request::Go(limits) => assert_eq!(limits.to_string(), arguments),
            Request::SetKataTimeControl(control) => assert_eq!(control.to_string(), arguments, "{name}"),
            Request::SetTimeLeft((side, left)) => assert_eq!(left.time_left(side), arguments),
            _ => {}
        }
    }
}

/// Lines of the half-move form, for each command that it does not share.
const HALF_MOVES: &[&str] = &[
    "play general C3",
    "play rebels pass",
    "gogui-play_sequence",
    "gogui-play_sequence general C3 general B2 rebels pass",
    "genmove rebels",
    "reg_genmove general",
    "undo 1",
    "undo 12",
    "gg-undo 3",
    "gogui-setup general C3 rebels A1",
    "gogui-setup_player rebels",
    "time_settings 300 0 0",
    "time_left general 12.345 4",
    "kata-time_settings fischer 300 0.1",
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
    "privy-reach",
    "privy-danger",
    "privy-threats",
    "privy-think",
    "privy-parameters",
    "privy-parameters tables /some folder/with spaces",
];

#[test]
fn every_half_move_command_has_a_line() {
    for command in CommandSet::HalfMoves.own() {
        let whole_moves = if command.name == "play" { Vec::new() } else { samples(CANONICAL, command.name) };
        let count = whole_moves.len() + samples(HALF_MOVES, command.name).len();
        assert!(count > 0, "no sample of {}", command.name);
        whole_moves.iter().for_each(|line| drop(read::<HalfMoveRequest>(line).unwrap()));
    }
    for command in CommandSet::shared() {
        for line in samples(CANONICAL, command.name) {
            assert_eq!(read(line), Ok(HalfMoveRequest::Shared(parse_shared(line))), "{line}");
        }
    }
    for line in HALF_MOVES {
        assert!(read::<HalfMoveRequest>(line).is_ok(), "{line}");
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
        assert_eq!(read::<HalfMoveRequest>(line), Err(expected.to_owned()), "{line}");
    }
    let quoted = read("privy-parameters tables \"a b\"");
    assert_eq!(quoted, Ok(HalfMoveRequest::Parameters(Some(("tables".into(), "a b".into())))));
}

#[test]
fn commands_without_arguments_refuse_any() {
    let refused = |name: &str, error: String| {
        assert_eq!(error, format!("syntax error: {name} takes no arguments, found \"x\""));
    };
    let without = |set: CommandSet| set.commands().into_iter().filter(|command| command.arguments.is_empty());
    for command in without(CommandSet::WholeMoves) {
        refused(command.name, Request::parse(command.name, "x y").unwrap_err().to_string());
    }
    for command in without(CommandSet::HalfMoves) {
        refused(command.name, HalfMoveRequest::parse(command.name, "x y").unwrap_err().to_string());
    }
}

#[test]
fn forms_that_are_accepted() {
    assert_eq!(parse("  undo  "), Request::Undo(1));
    assert_eq!(parse("genmove   B"), Request::GenMove(Side::Rebels));
    assert_eq!(parse_shared("komi 1e2"), SharedRequest::Komi(100.0));
    let left = |milliseconds| {
        let remaining = Duration::from_millis(milliseconds);
        Request::SetTimeLeft((Side::General, Clock { remaining, ..Clock::default() }))
    };
    assert_eq!(parse("time_left W -0.25 0"), left(0));
    assert_eq!(parse("time_left white 12.3456 0"), left(12_346));
    assert_eq!(parse("position startpos moves"), parse("position startpos"));
    assert_eq!(parse_shared("variant a.toml"), SharedRequest::Variant(Some(VariantSource::File("a.toml".into()))));
    assert_eq!(parse_shared("variant a"), SharedRequest::Variant(Some(VariantSource::Id("a".into()))));
    let start = Some("G g -".into());
    assert_eq!(
        parse_shared("position  fen  G  g -  moves  c3-b2   b2-c3"),
        SharedRequest::Position(Setup { start, moves: words("c3-b2 b2-c3") })
    );
    assert_eq!(parse("go infinite"), Request::Go(GoArguments { infinite: true, ..GoArguments::default() }));
}

#[test]
fn play_distinguishes_sides_from_moves() {
    let play = |side, movement: &str| Request::Play((side, movement.to_owned()));
    for (line, expected) in [
        ("play g c3 b2", play(Some(Side::General), "c3 b2")),
        ("play b4b5", play(None, "b4b5")),
        ("play B b4b5", play(Some(Side::Rebels), "b4b5")),
        ("play c3  b2", play(None, "c3 b2")),
        ("play White C3-B2", play(Some(Side::General), "C3-B2")),
        ("play b pass", play(Some(Side::Rebels), "pass")),
    ] {
        assert_eq!(parse(line), expected);
    }
}

#[test]
fn time_controls_are_simplified() {
    let main = Duration::from_secs(60);
    let control = |line: &str| match parse(line) {
        Request::SetTimeControl(control) | Request::SetKataTimeControl(control) => control,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(control("time_settings 60 0 0"), TimeControl::absolute(main));
    assert_eq!(control("time_settings 60 10 0"), TimeControl::None);
    assert_eq!(control("kata-time_settings byoyomi 60 10 0"), TimeControl::absolute(main));
}

#[test]
fn every_error_text() {
    for (line, expected) in [
        ("Name", "unknown command"),
        ("undo x", "syntax error: undo: expected a number of moves from 1, found \"x\""),
        ("undo 0", "value out of range: undo: expected a number of moves from 1 to 4294967295, found \"0\""),
        (
            "undo 4294967296",
            "value out of range: undo: expected a number of moves from 1 to 4294967295, found \"4294967296\"",
        ),
        ("undo 1 2", "syntax error: undo: argument 2: expected the end of the line, found \"2\""),
        ("help a b", "syntax error: help: argument 2: expected the end of the line, found \"b\""),
        ("boardsize", "syntax error: boardsize: expected a board size, found nothing"),
        ("boardsize big", "syntax error: boardsize: expected a board size, found \"big\""),
        ("boardsize -7", "unacceptable size: boardsize: expected a board size from 0 to 4294967295, found \"-7\""),
        ("komi", "syntax error: komi: expected a number, found nothing"),
        ("komi inf", "syntax error: komi: expected a number, found \"inf\""),
        ("komi NaN", "syntax error: komi: expected a number, found \"NaN\""),
        (
            "komi 1e999",
            "value out of range: komi: expected a number of at most 1.7976931348623157e308, found \"1e999\"",
        ),
        ("variant a b", "syntax error: variant: argument 2: expected the end of the line, found \"b\""),
        ("position", "syntax error: position: argument 1 (start): expected startpos or fen, found nothing"),
        ("position here", "syntax error: position: argument 1 (start): expected startpos or fen, found \"here\""),
        ("position fen", "syntax error: position: argument 2 (fen): expected a position text, found nothing"),
        ("position fen moves a", "syntax error: position: argument 2 (fen): expected a position text, found \"moves\""),
        (
            "position startpos c3-b2",
            "syntax error: position: argument 2 (moves): expected moves or the end of the line, found \"c3-b2\"",
        ),
        ("play", "syntax error: play: argument 1 (move): expected a move, or a side and a move, found nothing"),
        ("play b", "syntax error: play: argument 2 (move): expected a move, found nothing"),
        ("play g a1 a2 a3", "syntax error: play: argument 4: expected the end of the line, found \"a3\""),
        ("probe all", "syntax error: probe: expected moves or nothing, found \"all\""),
        ("legal_moves all", "syntax error: legal_moves: expected verbose or nothing, found \"all\""),
        ("perft", "syntax error: perft: expected plies, found nothing"),
        ("perft -1", "value out of range: perft: expected plies from 0 to 4294967295, found \"-1\""),
        ("divide 0", "value out of range: divide: expected plies from 1 to 4294967295, found \"0\""),
        ("go time abc", "syntax error: go: argument 2 (time): expected milliseconds, found \"abc\""),
        ("genmove", "syntax error: genmove: expected a side (general or rebels), found nothing"),
        ("reg_genmove x", "syntax error: reg_genmove: expected a side (general or rebels), found \"x\""),
        ("time_settings 1", "syntax error: time_settings: argument 2 (period): expected seconds, found nothing"),
        (
            "time_settings -1 0 0",
            "value out of range: time_settings: argument 1 (main): expected seconds from 0 to 1000000000, found \"-1\"",
        ),
        (
            "time_settings 1 2 x",
            "syntax error: time_settings: argument 3 (moves): expected a number of moves, found \"x\"",
        ),
        (
            "time_left x 5 0",
            "syntax error: time_left: argument 1 (side): expected a side (general or rebels), found \"x\"",
        ),
        ("time_left g five 0", "syntax error: time_left: argument 2 (seconds): expected seconds, found \"five\""),
        (
            "time_left g 1e300 0",
            "value out of range: time_left: argument 2 (seconds): expected seconds from 0 to 1000000000, found \"1e300\"",
        ),
        (
            "kata-time_settings",
            "syntax error: kata-time_settings: argument 1 (kind): expected none, absolute, byoyomi, canadian or fischer, \
             found nothing",
        ),
        (
            "kata-time_settings fischer 5",
            "syntax error: kata-time_settings: argument 3 (increment): expected seconds, found nothing",
        ),
        ("get_option", "syntax error: get_option: expected the name of an option, found nothing"),
        ("set_option", "syntax error: set_option: argument 1 (name): expected the name of an option, found nothing"),
        ("set_option hash", "syntax error: set_option: argument 2 (value): expected a value, found nothing"),
    ] {
        assert_eq!(read::<Request>(line).expect_err(line), expected, "{line}");
    }
}

#[test]
fn ids_go_with_requests_and_errors() {
    let line = raw("7 undo # back\n");
    assert_eq!(Request::read(&line), Ok((Some(7), Request::Undo(1))));
    for (text, id, error) in [
        ("8 nonsense", Some(8), "unknown command"),
        ("9", Some(9), "syntax error: no command"),
        ("2147483648 name", None, "syntax error: id"),
        ("10 fen x", Some(10), "syntax error: fen takes no arguments, found \"x\""),
    ] {
        let rejection = Request::read(&raw(text)).unwrap_err();
        assert_eq!((rejection.id, rejection.error.to_string().as_str()), (id, error));
    }
}
