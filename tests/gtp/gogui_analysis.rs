//! Analyze commands: every answer parses by GoGui's grammar in all variants, and agrees with the engine.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use privy_rules::rule_set::StaticRule;
use privy_rules::{Game, Variant};

use crate::support::analyze;
use crate::support::binary;
use crate::support::gogui;
use crate::support::half_moves;
use crate::support::late::PATIENCE;
use crate::support::random;
use crate::support::session::option;

use analyze::Definition;
use gogui::Copy;
use random::Random;

/// Runs a command. With `hurry` a search is interrupted soon.
fn run(copy: &mut Copy, command: &str, hurry: bool) -> privy_protocol::Reply {
    let client = copy.client();
    client.send(command).unwrap();
    if hurry {
        thread::sleep(Duration::from_millis(5));
        client.interrupter().interrupt().unwrap();
    }
    client.receive(PATIENCE).unwrap()
}

/// A line of numbered stones is legal, and no number hides another.
fn check_line(copy: &mut Copy, drawing: &str) {
    let Some(line) = drawing.lines().find_map(|line| line.strip_prefix("VAR ")) else { return };
    let points: Vec<&str> = line.split(' ').skip(1).step_by(2).collect();
    let labels = drawing.lines().find_map(|line| line.strip_prefix("LABEL ")).unwrap_or_default();
    let labels: Vec<&str> = labels.split(' ').collect();
    for point in &points {
        let numbers: Vec<String> =
            (1..).zip(&points).filter(|(_, other)| *other == point).map(|(number, _)| number.to_string()).collect();
        let joined = numbers.join(",");
        assert!(numbers.len() == 1 || labels.chunks(2).any(|pair| pair == [*point, joined.as_str()]), "{drawing}");
    }
    copy.succeed(&format!("gogui-play_sequence {line}"));
    copy.ask(&format!("gg-undo {}", points.len()));
}

/// Runs all analyze commands in the current position.
fn check(copy: &mut Copy, definitions: &[Definition], hurry: bool) {
    let size = copy.succeed("gogui-rules_board_size").parse().unwrap();
    let before = copy.seen();
    let result = copy.legal().is_empty().then(|| copy.succeed("gogui-rules_final_result"));
    for Definition { kind, command, .. } in definitions {
        let reply = run(copy, command, hurry);
        assert!(reply.is_success(), "{command}: {reply:?}");
        let fault = analyze::answer(kind, reply.text(), size);
        assert_eq!(fault, Ok(()), "{command} in {before:?}:\n{}", reply.text());
        match &result {
            // An error would hide the result on the screen.
            Some(result) if kind == "gfx" => assert_eq!(reply.text(), format!("TEXT {result}"), "{command}"),
            Some(result) if kind == "hstring" => assert_eq!(reply.text(), result, "{command}"),
            _ => check_line(copy, reply.text()),
        }
    }
    analyze::graphics(&copy.succeed("gogui-rules_board_gfx"), size, false).unwrap();
    assert_eq!(copy.seen(), before);
}

#[test]
fn all_answers_parse() {
    all_answers_parse_in(Variant::builtin_ids());
}

#[test]
#[ignore = "release: four seconds; every day the family alone"]
fn all_answers_parse_in_all_variants() {
    all_answers_parse_in(Variant::all_ids());
}

fn all_answers_parse_in(ids: impl Iterator<Item = &'static str>) {
    let mut random = Random::new(7);
    for id in ids {
        let mut copy = Copy::start(id);
        let listed = copy.succeed("list_commands");
        let definitions = analyze::definitions(&copy.succeed("gogui-analyze_commands")).unwrap();
        for definition in &definitions {
            assert!(listed.lines().any(|command| command == definition.command), "{definition:?}");
        }
        let walk = half_moves::walk(Variant::builtin(id).unwrap().start(), 30, &mut random);
        let last = walk.last().unwrap();
        for position in [&random.choose(&walk[..]), last] {
            copy.succeed(&format!("position fen {position}"));
            check(&mut copy, &definitions, true);
            if let Some(points) = half_moves::sequences(position).keys().next() {
                copy.succeed(&format!("play {} {}", half_moves::colour(position), points[0]));
                check(&mut copy, &definitions, true);
            }
        }
        copy.quit();
    }
}

#[test]
fn searches_that_end_by_themselves_parse_too() {
    for text in
        ["1/3/5/1r1r1/2G2/1r1r1/5 g - 0 0 sixteen-rebels-neeley", "3/1G1/2r2/1r1r1/2r2/5/5 g - 0 0 juroku-musashi"]
    {
        let position = Game::from_text(text, None).unwrap();
        let mut copy = Copy::start(position.variant().id());
        let definitions = analyze::definitions(&copy.succeed("gogui-analyze_commands")).unwrap();
        copy.succeed(&format!("position fen {position}"));
        check(&mut copy, &definitions, false);
        copy.quit();
    }
}

/// A half-move session of the small variant with its table in a home folder.
fn solved_small_variant() -> (binary::Home, privy_protocol::Client) {
    let home = binary::Home::new();
    home.run(&["solve", binary::SMALL_VARIANT]).success();
    let mut command = home.privy();
    command.args(["gogui", "--variant", binary::SMALL_VARIANT]).stderr(Stdio::null());
    let engine = privy_protocol::Client::spawn(&mut command).unwrap();
    (home, engine)
}

#[test]
fn values_are_those_of_the_table() {
    let (_home, mut engine) = solved_small_variant();
    let mut ask = |line: &str| engine.request(line, PATIENCE).unwrap().text().to_owned();
    let labels = |answer: &str| {
        let line = answer.lines().find_map(|line| line.strip_prefix("LABEL ")).unwrap().to_owned();
        let mut words = line.split(' ').map(str::to_owned);
        std::iter::from_fn(move || Some(format!("{} {}", words.next()?, words.next()?))).collect::<Vec<_>>()
    };
    // The output of `probe moves`: c1-c2 win 23, c1-b2 and c1-d2 win 25, a1-b2 draw, …, a1-a2 loss 4.
    let values = ask("privy-move_values");
    let expected = ["A1 =", "B1 =", "C1 W23!", "D1 =", "E1 =", "A3 L12", "B3 L4", "D3 L4", "E3 L12"];
    let mut found = labels(&values);
    found.sort_by_key(|label| (label.as_bytes()[1], label.as_bytes()[0]));
    assert_eq!(found, expected);
    assert!(values.ends_with("TEXT Black wins in 23 plies (by the table)"), "{values}");
    assert_eq!(ask("play b c1"), "");
    assert_eq!(labels(&ask("privy-move_values")), ["B2 W25", "C2 W23!", "D2 W25"]);
    let line = ask("privy-best_line");
    assert!(line.starts_with("VAR b C2 w C3 w ") && line.contains("\nTEXT Black +W23, "), "{line}");
    assert_eq!(ask("undo"), "");
    assert!(ask("showboard").ends_with("\nrebels to move, ply 0, 9 rebels\nperfect play: rebels win in 23 plies"));
}

#[test]
fn parameters_are_set_as_the_dialog_sets_them() {
    let mut copy = Copy::start("sixteen-rebels");
    let lines = copy.succeed("privy-parameters");
    assert!(lines.lines().any(|line| line == "[string] hash 8"), "modest, for four processes: {lines}");
    assert!(lines.lines().any(|line| line == "[list/hardest/longest] play_style hardest"), "{lines}");
    copy.succeed("privy-parameters play_style longest");
    copy.succeed("privy-parameters tables \"/home/me/perfect play\"");
    let listed = copy.succeed("list_options");
    assert_eq!(["tables", "play_style"].map(|name| option(&listed, name)), ["/home/me/perfect play", "longest"]);
    for (command, refused) in [
        ("privy-parameters hash 0", "value out of range: hash: expected 1 to 65536, found \"0\""),
        ("privy-parameters hash \"\"", "syntax error: hash: expected a whole number from 1 to 65536, found \"\""),
        ("privy-parameters size 1", "unknown option: \"size\"; list_options names them all"),
        (
            "privy-parameters hash",
            "syntax error: privy-parameters: argument 2 (value): expected a value, found nothing",
        ),
    ] {
        assert_eq!(copy.fail(command), refused);
    }
    copy.quit();
}

/// Live graphics begin when a client asks for commands that draw, and they are cleared.
#[test]
fn live_graphics_need_a_client_that_draws() {
    let errors_of = |first: &str| {
        let lines =
            format!("{first}\nprivy-best_line\ntime_settings 0 1 4\ngenmove w\ngenmove w\nprivy-best_line\nquit\n");
        let ran = binary::run_with_input(&mut binary::privy(), &["gogui", "--variant", "yeung-luk"], &lines);
        assert_eq!(ran.status, Some(0));
        ran.errors
    };
    let errors = errors_of("gogui-analyze_commands");
    let (drawings, others) = analyze::live_graphics(&errors, 11).unwrap();
    assert!(drawings >= 3, "{errors}");
    assert!(errors.ends_with("gogui-gfx: CLEAR\n"), "{errors}");
    assert_eq!(others, [""; 0]);
    assert_eq!(errors_of("gogui-version 1.6.0"), "");
}

/// The value in words is the value of the position, even if `play_style hardest` prefers another move.
#[test]
fn the_text_gives_the_value_of_the_position() {
    let (_home, mut engine) = solved_small_variant();
    let mut ask = |line: &str| engine.request(line, PATIENCE).unwrap().text().to_owned();
    let mut random = Random::new(8);
    let mut lost = 0;
    for _ in 0..12 {
        ask("clear_board");
        for _ in 0..16 {
            let legal = ask("gogui-rules_legal_moves");
            if legal.is_empty() {
                break;
            }
            let value = ask("probe");
            let words = value.split(' ').collect::<Vec<_>>();
            let expected = match words[..] {
                ["win", plies] => format!("wins in {plies} pl"),
                ["loss", plies] => format!("loses in {plies} pl"),
                _ => "draws".to_owned(),
            };
            lost += usize::from(words[0] == "loss");
            let values = ask("privy-move_values");
            // In the middle of a move, the value is that of the moves that remain possible.
            let begun = ask("showboard").contains("half moves of the next move");
            assert!(begun || values.lines().last().unwrap().contains(&expected), "{value}: {values}");
            let side = ask("gogui-rules_side_to_move");
            ask(&format!("play {side} {}", random.choose(&legal.split(' ').collect::<Vec<_>>())));
        }
    }
    assert!(lost > 10, "{lost}");
}

/// The points that a report of an analysis names, each with its line of points.
fn reported(line: &str) -> Vec<(String, Vec<String>)> {
    let moves = line.split("info move ").skip(1);
    let parsed = moves.map(|text| {
        let mut words = text.split_whitespace();
        let point = words.next().unwrap().to_owned();
        (point, words.skip_while(|word| *word != "pv").skip(1).map(str::to_owned).collect())
    });
    parsed.collect()
}

/// An analysis that ends with the next command reports legal points, before a move and in the middle of one.
#[test]
fn an_analysis_reports_half_moves() {
    let mut random = Random::new(5);
    for id in Variant::builtin_ids().filter(|id| *id != "twenty-six-murray") {
        let mut copy = Copy::start(id);
        let has_static = Variant::builtin(id).unwrap().rule_set().static_rule != StaticRule::None;
        for half_move in 0..8 {
            let legal = copy.legal();
            if legal.is_empty() {
                break;
            }
            let form = ["analyze 2", "lz-analyze 2", "kata-analyze 2"][half_move % 3];
            let client = copy.client();
            client.send(form).unwrap();
            client.send("name").unwrap();
            let answer = client.receive(PATIENCE).unwrap();
            assert_eq!(client.receive(PATIENCE).unwrap().text(), "Privy");
            let lines: Vec<&str> = answer.text().lines().filter(|line| line.contains("info move ")).collect();
            assert!(answer.is_success() && !lines.is_empty(), "{id}: {answer:?}");
            for line in lines {
                let mut points: Vec<String> = Vec::new();
                for (point, pv) in reported(line) {
                    assert_eq!(pv.first(), Some(&point), "{id}: {line}");
                    points.push(point);
                }
                points.sort();
                let mut expected = legal.clone();
                expected.sort();
                if has_static {
                    // Either Rebel of a pair names the same move; one is reported.
                    expected.retain(|point| points.contains(point));
                    assert!(!points.is_empty());
                }
                assert_eq!(points, expected, "{id}: {line}");
            }
            let point = random.choose(&legal);
            let colour = copy.succeed("gogui-rules_side_to_move");
            copy.succeed(&format!("play {colour} {point}"));
        }
        copy.quit();
    }
}
