//! Requests from lines: what each command accepts, and every error text.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail where it stands")]

use std::time::Duration;

use privy_protocol::{Clock, Command, GoArguments, InputLine, LineReader, Setup, Side, TimeControl, VariantSource};

fn read(line: &str) -> Result<Command, String> {
    Command::read(&raw(line)).map(|(_, command)| command).map_err(|rejection| rejection.error.to_string())
}

fn parse(line: &str) -> Command {
    read(line).unwrap_or_else(|error| panic!("{line}: {error}"))
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
    "gogui-interrupt",
    "quit",
    "boardsize 7",
    "komi 6.5",
    "komi -0",
    "clear_board",
    "list_variants",
    "list_variants verbose",
    "variant",
    "variant sixteen-rebels",
    "variant my games/one.toml",
    "variant C:\\my games\\one.toml",
    "variant \"id = \\\"a  b\\\"\\n\"",
    "show_variant",
    "position startpos",
    "position startpos moves c3-b2 a1-a2",
    "position fen 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels",
    "position fen G g moves c3-b2",
    "fen",
    "check_position 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g",
    "history",
    "load some game.txt 2",
    "save some game.sgf",
    "convert more \"1. c3-b2\\n\"",
    "convert json \"\"",
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
    "review",
    "review nodes 9 time 20",
    "solve",
    "status",
    "final_score",
    "perft 0",
    "divide 3",
    "go",
    "go time 0",
    "go time 500 depth 20 nodes 1000000 clock 60000 inc 1000 moves 40 infinite searchmoves c3-b2 c3~a1",
    "go clock 1",
    "genmove general",
    "stop",
    "analyze",
    "analyze general 50 minmoves 2 maxmoves 5",
    "analyze 10 allow c3-b2 c3xe5",
    "analyze avoid c3-b2",
    "genmove_analyze general 50",
    "time_settings 300 0 0",
    "time_settings 300.5 30 25",
    "time_left general 12.345 0",
    "list_options",
    "set_option tables /some folder/with spaces",
];

/// The lines of a command.
fn samples(lines: &[&'static str], name: &str) -> Vec<&'static str> {
    lines.iter().copied().filter(|line| line.split(' ').next() == Some(name)).collect()
}

#[test]
fn every_command_has_a_line() {
    for name in Command::names() {
        assert!(!samples(CANONICAL, name).is_empty(), "no sample of {name}");
    }
    CANONICAL.iter().for_each(|line| drop(parse(line)));
}

/// What clients send of requests.
#[test]
fn limits_and_clocks_are_written_as_they_are_read() {
    for line in CANONICAL {
        let (_, arguments) = line.split_once(' ').unwrap_or((line, ""));
        match parse(line) {
            Command::Go(limits) => assert_eq!(crate::go_text(&limits), arguments),
            Command::SetTimeLeft((side, left)) => assert_eq!(left.time_left(side), arguments),
            _ => {}
        }
    }
}

#[test]
fn commands_without_arguments_refuse_any() {
    let refused = |name: &str, error: String| {
        assert_eq!(error, format!("syntax error: {name} takes no arguments, found \"x\""));
    };
    for help in Command::names().filter_map(Command::help).filter(|help| help.arguments.is_empty()) {
        refused(help.name, Command::parse(help.name, "x y").unwrap_err().to_string());
    }
}

#[test]
fn forms_that_are_accepted() {
    assert_eq!(parse("  undo  "), Command::Undo(1));
    assert_eq!(parse("genmove   B"), Command::GenMove(Side::Rebels));
    assert_eq!(parse("komi 1e2"), Command::Komi(100.0));
    let left = |milliseconds| {
        let remaining = Duration::from_millis(milliseconds);
        Command::SetTimeLeft((Side::General, Clock { remaining, ..Clock::default() }))
    };
    assert_eq!(parse("time_left W -0.25 0"), left(0));
    assert_eq!(parse("time_left white 12.3456 0"), left(12_346));
    assert_eq!(parse("position startpos moves"), parse("position startpos"));
    assert_eq!(parse("variant a.toml"), Command::Variant(Some(VariantSource::File("a.toml".into()))));
    assert_eq!(parse("variant a"), Command::Variant(Some(VariantSource::Id("a".into()))));
    let text = |text: &str| Command::Variant(Some(VariantSource::Text(text.into())));
    assert_eq!(
        parse(r#"variant "id = \"a  b\"\n\u0023 é \ud83d\udc09/x.toml""#),
        text("id = \"a  b\"\n# é \u{1f409}/x.toml")
    );
    let start = Some("G g -".into());
    assert_eq!(
        parse("position  fen  G  g -  moves  c3-b2   b2-c3"),
        Command::Position(Setup { start, moves: words("c3-b2 b2-c3") })
    );
    assert_eq!(parse("go infinite"), Command::Go(GoArguments { infinite: true, ..GoArguments::default() }));
}

#[test]
fn play_distinguishes_sides_from_moves() {
    let play = |side, movement: &str| Command::Play((side, movement.to_owned()));
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
        Command::SetTimeControl(control) => control,
        other => panic!("{line}: {other:?}"),
    };
    assert_eq!(control("time_settings 60 0 0"), TimeControl::absolute(main));
    assert_eq!(control("time_settings 60 10 0"), TimeControl::None);
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
        ("set_option", "syntax error: set_option: argument 1 (name): expected the name of an option, found nothing"),
        ("set_option hash", "syntax error: set_option: argument 2 (value): expected a value, found nothing"),
    ] {
        assert_eq!(read(line).expect_err(line), expected, "{line}");
    }
}

#[test]
fn ids_go_with_requests_and_errors() {
    let line = raw("7 undo # back\n");
    assert_eq!(Command::read(&line), Ok((Some(7), Command::Undo(1))));
    for (text, id, error) in [
        ("8 nonsense", Some(8), "unknown command"),
        ("9", Some(9), "syntax error: no command"),
        ("2147483648 name", None, "syntax error: id"),
        ("10 fen x", Some(10), "syntax error: fen takes no arguments, found \"x\""),
    ] {
        let rejection = Command::read(&raw(text)).unwrap_err();
        assert_eq!((rejection.id, rejection.error.to_string().as_str()), (id, error));
    }
}
