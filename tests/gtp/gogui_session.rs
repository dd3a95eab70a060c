//! Sessions with GoGui, played by a script with GoGui's commands: all variants, with both colours by the engine or one
//! colour by clicks; navigation, undo, interrupts. Player and ruler must agree after every half move.

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use privy_protocol::Client;
use privy_rules::Variant;

use crate::support::binary;
use crate::support::gogui;
use crate::support::late::PATIENCE;
use crate::support::random;
use crate::support::session::option;

use gogui::{Copy, Gogui};
use random::Random;

/// Hardly any time to think, since moves need not be good, and a limit of the game.
const QUICK: [&str; 2] = ["privy-parameters move_limit 60", "kata-time_settings absolute 0.001"];

/// Plays a game to its end, with random clicks for the given colours.
fn play(variant: &str, clicked: &[&str], random: &mut Random) -> Gogui {
    let mut gogui = Gogui::attach(variant, &QUICK);
    loop {
        let legal = gogui.ruler.legal();
        if legal.is_empty() {
            break;
        }
        let colour = gogui.colour();
        assert!(gogui.ruler.succeed("gogui-rules_final_result").starts_with("The game is not over: "));
        if clicked.contains(&colour) { gogui.click(&random.choose(&legal)) } else { drop(gogui.generate()) }
    }
    let result = gogui.ruler.succeed("gogui-rules_final_result");
    let score = gogui.player.succeed("final_score");
    let expected = match result.split(' ').next() {
        Some("White") => "W+R",
        Some("Black") => "B+R",
        _ => "0",
    };
    assert_eq!(score, expected, "{result}");
    assert!(result.ends_with('.') && !result.contains('\n'), "{result}");
    gogui
}

#[test]
fn the_engine_plays_both_colours() {
    both_colours_are_played(Variant::builtin_ids());
}

#[test]
#[ignore = "release: ten seconds; every day the family alone"]
fn the_engine_plays_both_colours_in_all_variants() {
    both_colours_are_played(Variant::all_ids());
}

fn both_colours_are_played(ids: impl Iterator<Item = &'static str>) {
    let mut random = Random::new(1);
    for id in ids {
        let gogui = play(id, &[], &mut random);
        assert_eq!(gogui.game.is_empty(), id == "twenty-six-murray");
        gogui.detach();
    }
}

// One has drops, the other passes of both sides: single half moves.
const WITH_SINGLE_HALF_MOVES: [&str; 2] = ["kaooa", "tests/hunts/ko-app-paw-na.toml"];

#[test]
fn one_colour_is_clicked() {
    let ids = ["sixteen-rebels", "kings-gonu", "juroku-musashi", "subjugatio-intervention"];
    one_colour_is_clicked_in(ids.into_iter().chain(WITH_SINGLE_HALF_MOVES));
}

#[test]
#[ignore = "release: twenty seconds; every day each kind of move"]
fn one_colour_is_clicked_in_all_variants() {
    one_colour_is_clicked_in(Variant::all_ids().chain(WITH_SINGLE_HALF_MOVES));
}

fn one_colour_is_clicked_in(ids: impl Iterator<Item = &'static str>) {
    let mut random = Random::new(2);
    for id in ids {
        for clicked in ["w", "b"] {
            let mut gogui = play(id, &[clicked], &mut random);
            // Navigation: to the beginning, to the end, one half move back at a time, and to random places.
            let end = gogui.game.len();
            gogui.go_to(end, 0);
            gogui.go_to(0, end);
            for place in (1..=end).rev().take(9) {
                gogui.go_to(place, place - 1);
            }
            let mut here = end.saturating_sub(9);
            for _ in 0..9 {
                let there = random.below(end + 1);
                gogui.go_to(here, there);
                here = there;
            }
            gogui.detach();
        }
    }
}

#[test]
fn a_move_that_has_begun_can_be_taken_back_and_changed() {
    let mut gogui = Copy::start("sixteen-rebels");
    let opening = gogui.seen();
    gogui.succeed("play W C3");
    let begun = gogui.seen();
    assert_ne!(begun, opening);
    assert_eq!(gogui.fail("play B A1"), "illegal move: general to move");
    assert_eq!(
        gogui.fail("play W E5"),
        "illegal move: a move that begins with C3 continues with B2 C2 D2 B3 D3 B4 C4 D4, not E5"
    );
    assert_eq!(gogui.fail("play W A7"), "illegal move: there is no point A7 on the board privy");
    assert!(gogui.fail("play W I3").starts_with("syntax error: \"I3\" is not a point: "));
    assert_eq!(gogui.fail("gg-undo 2"), "cannot undo: asked for 2, half moves played: 1");
    assert_eq!(gogui.seen(), begun);
    gogui.succeed("undo");
    assert_eq!(gogui.seen(), opening);
    assert_eq!(gogui.fail("undo"), "cannot undo: asked for 1, half moves played: 0");
    assert_eq!(gogui.fail("play W B2"), "illegal move: no move begins with B2; C3 may");
    gogui.succeed("play w c3");
    gogui.succeed("play w b2");
    assert_eq!(
        gogui.fail("gogui-play_sequence B C4 B C3"),
        "illegal move: half move 1 (C4): no move begins with C4; B1 D1 E1 A2 E2 E3 A4 E4 A5 B5 C5 D5 E5 may"
    );
    let after = gogui.seen();
    let refused = gogui.fail("gogui-play_sequence B B1 B C1 W B2 W B1 W C3");
    assert_eq!(refused, "illegal move: half move 5 (C3): rebels to move");
    assert_eq!(gogui.seen(), after);
    gogui.quit();
}

/// An interrupted search of minutes gives a legal point, and the second half of the move comes at once.
#[test]
fn an_interrupted_search_gives_a_legal_move_whose_second_half_comes_at_once() {
    let mut command = binary::privy();
    command.args(["gogui", "--variant", "twenty-six-murray"]).stderr(Stdio::null());
    let mut engine = Client::spawn(&mut command).unwrap();
    let mut ask = |command: &str| engine.request(command, PATIENCE).unwrap();
    // With one Rebel on the file, no quick decision is possible.
    let setting = "position fen 1/3/5/rrrrr/5/2G2/5/rrrrr/rrrrr/5/5 g - 0 0 twenty-six-murray";
    assert!(ask(setting).is_success());
    assert!(ask("time_settings 0 6000 1").is_success());
    engine.send("genmove w").unwrap();
    thread::sleep(Duration::from_millis(100));
    engine.interrupter().interrupt().unwrap();
    let first = engine.receive(PATIENCE).unwrap();
    assert_eq!(first.text(), "C6");
    let second = engine.request("genmove w", Duration::from_secs(60)).unwrap();
    let mut check = Copy::start("twenty-six-murray");
    check.succeed(setting);
    check.succeed("play w C6");
    assert!(check.legal().contains(&second.text().to_owned()));
    check.succeed(&format!("play w {}", second.text()));
    let fen = engine.request("fen", PATIENCE).unwrap();
    assert_eq!(fen.text(), check.succeed("fen"));
}

#[test]
fn a_half_move_by_hand_is_completed_by_the_engine() {
    let mut engine = Copy::start("monk-and-water");
    engine.succeed("time_settings 1 0 0");
    engine.succeed("position fen 1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water");
    assert_eq!(engine.succeed("gogui-rules_legal_moves"), "C6");
    engine.succeed("play w C6");
    assert_eq!(engine.succeed("genmove w"), "C7");
    assert_eq!(engine.succeed("gogui-rules_final_result"), "White wins: the General has reached the apex.");
    assert_eq!(engine.succeed("gogui-rules_legal_moves"), "");
    assert_eq!(engine.fail("play b A1"), "illegal move: game over");
    engine.quit();
}

#[test]
fn positions_are_set_up_piece_by_piece() {
    let mut engine = Copy::start("sixteen-rebels");
    engine.succeed("clear_board");
    engine.succeed("gogui-setup B A1 B B1 B C1 B D1 B E1 W C3");
    assert_eq!(engine.succeed("fen"), "1/3/5/5/2G2/5/rrrrr g - 0 0 sixteen-rebels");
    engine.succeed("gogui-setup_player b");
    assert_eq!(engine.succeed("fen"), "1/3/5/5/2G2/5/rrrrr r - 0 0 sixteen-rebels");
    assert_eq!(engine.succeed("gogui-rules_captured_count"), "0 0");
    engine.succeed("play b c1");
    let begun = engine.seen();
    assert!(engine.fail("gogui-setup_player w").starts_with("illegal position: moves have been played"));
    for (setup, refused) in [
        (
            "gogui-setup B A1 B B1",
            "illegal position: there is no General; expected one G, or [G] at the end for one in hand",
        ),
        (
            "gogui-setup W C3 W C4 B A1",
            "illegal position: there are two Generals, on c4 and on c3; expected one G, or [G] at the end for one in hand",
        ),
        ("gogui-setup W C3 B C3", "illegal position: C3 is named twice"),
        ("gogui-setup W C3 B A7", "illegal position: A7 is no point of the board"),
        ("gogui-setup W C3 B C6", "illegal position: Rebels may not stand on c6; expected none there"),
        ("gogui-setup W C3 B", "syntax error: gogui-setup: argument 4 (point): expected a point, found nothing"),
    ] {
        assert_eq!(engine.fail(setup), refused);
        assert_eq!(engine.seen(), begun, "{setup}");
    }
    // If only one side can be to move, it is.
    engine.succeed("gogui-setup B A1 B B1 B C1 B D1 B E1 W C7");
    assert_eq!(engine.succeed("gogui-rules_side_to_move"), "black");
    engine.quit();
}

#[test]
fn listed_commands_are_known_and_answered() {
    let mut engine = Copy::start("kings-gonu");
    let listed = engine.succeed("list_commands");
    for command in listed.lines().filter(|command| *command != "quit") {
        assert_eq!(engine.succeed(&format!("known_command {command}")), "true");
        assert!(engine.succeed(&format!("help {command}")).starts_with(command));
        let client = engine.client();
        client.send(command).unwrap();
        // An analysis continues until the next line.
        client.interrupter().interrupt().unwrap();
        assert_ne!(client.receive(PATIENCE).unwrap().text(), "unknown command", "{command}");
    }
    for command in ["go", "perft", "divide", "review", "quit now please"] {
        assert_eq!(engine.succeed(&format!("known_command {command}")), "false");
    }
    assert_eq!(engine.fail("go"), "unknown command");
    assert_eq!(engine.fail("help review"), "unknown command");
    for (size, fits) in [("6", true), ("7", false), ("19", false)] {
        assert_eq!(engine.ask(&format!("boardsize {size}")).is_success(), fits);
    }
    engine.quit();
}

/// The command line gives the first position and the options: GoGui's ruler gets no others.
#[test]
fn a_position_and_options_come_with_the_command_line() {
    let start =
        |arguments: &[&str]| Client::spawn(binary::privy().arg("gogui").args(arguments).stderr(Stdio::null())).unwrap();
    let fen = "1/3/5/rrrrr/2G2/5/rrrrr g - 0 0 monk-and-water";
    for arguments in [&["--variant", "monk-and-water", "--fen", "1/3/5/rrrrr/2G2/5/rrrrr g"][..], &["--fen", fen]] {
        let mut engine = start(&[arguments, &["--seed", "7", "--level", "3", "--set", "move_limit=300"]].concat());
        let mut ask = |line: &str| engine.request(line, PATIENCE).unwrap().text().to_owned();
        assert_eq!(ask("fen"), fen);
        let listed = ask("list_options");
        for (name, value) in [("seed", "7"), ("level", "3"), ("move_limit", "300"), ("hash", "8")] {
            assert_eq!(option(&listed, name), value);
        }
        assert_eq!(ask("gogui-play_sequence w c3 w c2"), "");
        assert_eq!(ask("gogui-rules_captured_count"), "0 0");
        // The ruler replays every game from this position.
        assert_eq!(ask("clear_board"), "");
        assert_eq!(ask("fen"), fen);
        assert_eq!(ask("variant sixteen-rebels"), "");
        assert_eq!(ask("clear_board"), "");
        assert!(ask("fen").ends_with(" g - 0 0 sixteen-rebels"));
    }
    let refused = |arguments: &[&str]| binary::run(binary::privy().arg("gogui"), arguments);
    assert!(refused(&["--fen", "1/3 g"]).failure(1).starts_with("privy: illegal position: "));
    assert!(refused(&["--variant", "kings-gonu", "--fen", fen]).failure(2).contains("monk-and-water"));
    assert!(refused(&["--level", "11"]).failure(2).contains("invalid value '11' for '--level <N>': expected 1 to 10"));
    assert!(
        refused(&["--set", "moves=3"])
            .failure(2)
            .contains("--set: unknown option: \"moves\"; list_options names them all")
    );
}

/// Commands of clients for other games.
#[test]
fn stones_times_and_files_are_reported() {
    let mut engine = Copy::start("juroku-musashi");
    assert_eq!(engine.succeed("list_stones w"), "C3");
    assert_eq!(engine.succeed("list_stones black"), "A1 B1 C1 D1 E1 A2 E2 A3 E3 A4 E4 A5 B5 C5 D5 E5");
    assert!(engine.succeed("cputime").parse::<f64>().is_ok_and(|seconds| (0.0..60.0).contains(&seconds)));
    engine.succeed("gogui-play_sequence w c3 w b2 b a3");
    let sgf = engine.succeed("printsgf");
    let fingerprint = Variant::builtin("juroku-musashi").unwrap().fingerprint().to_owned();
    let expected = format!("SZ[7]RU[juroku-musashi]FP[{fingerprint}]\n;W[ce];W[bf];B[ae])");
    assert!(sgf.ends_with(&expected), "{sgf}");
    let home = binary::Home::new();
    std::fs::create_dir_all(home.join("")).unwrap();
    let file = home.join("game.sgf");
    let path = file.to_str().unwrap();
    assert_eq!(engine.succeed(&format!("printsgf {path}")), "");
    let before = engine.seen();
    engine.succeed("variant sixteen-rebels");
    // The file names its variant. In a move number a pass counts as a half move.
    engine.succeed(&format!("loadsgf {path}"));
    assert_eq!(engine.seen(), before);
    engine.succeed(&format!("loadsgf {path} 3"));
    assert_eq!(engine.succeed("gogui-rules_side_to_move"), "black");
    engine.succeed("gg-undo 2");
    let opening = engine.seen();
    // The General alone.
    engine.succeed("gogui-setup w c3");
    let alone = engine.succeed("printsgf");
    assert!(alone.contains("AW[ce]PL["), "{alone}");
    engine.succeed("clear_board");
    // Moves after the limit of the game are illegal.
    engine.succeed("set_option move_limit 1");
    let error = engine.fail(&format!("loadsgf {path}"));
    assert!(error.starts_with(&format!("cannot load file: {path}: half move 3: a3: game over: ")), "{error}");
    assert_eq!(engine.seen(), opening);
    engine.succeed("set_option move_limit 0");
    std::fs::write(&file, "(;SZ[7];W[ce];W[ca])").unwrap();
    let other = home.join("other");
    std::fs::write(&other, "mine").unwrap();
    for (command, refused) in [
        (format!("loadsgf {path}"), format!("cannot load file: {path}: half move 2: c7: not legal for the general")),
        ("loadsgf /nowhere.sgf".to_owned(), "cannot load file: /nowhere.sgf: No such file".to_owned()),
        ("printsgf /nowhere/game.sgf".to_owned(), "cannot save file: /nowhere/game.sgf: No such file".to_owned()),
        (
            format!("printsgf {}", other.display()),
            format!("cannot save file: {}: expected a new name or a file of game records", other.display()),
        ),
    ] {
        let error = engine.fail(&command);
        assert!(error.starts_with(&refused), "{error}");
        assert_eq!(engine.seen(), opening);
    }
    engine.quit();
}

/// A game that is written and loaded is the same: flags, counters, and a game that is over by them.
#[test]
fn a_written_game_is_loaded_as_it_was() {
    let mut random = Random::new(3);
    let home = binary::Home::new();
    let path = home.join("game.sgf").to_str().unwrap().to_owned();
    let mut positions = vec![
        "5/1r1r1/2G3/1r1r1/5 g 0 7 12 kings-gonu".to_owned(),
        "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr r a 30 61 shap-luk-kon".to_owned(),
        "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 3 4 sixteen-rebels".to_owned(),
    ];
    for variant in Variant::all_ids().filter_map(Variant::builtin) {
        let mut game = variant.start();
        for _ in 0..random.below(40) {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(random.choose(&moves));
        }
        positions.push(game.to_string());
    }
    let mut engine = Copy::start("kings-gonu");
    for position in positions {
        engine.succeed("clear_board");
        engine.succeed(&format!("position fen {position}"));
        let legal = engine.succeed("gogui-rules_legal_moves");
        if let Some(point) = legal.split(' ').next().filter(|point| !point.is_empty()) {
            let side = engine.succeed("gogui-rules_side_to_move");
            engine.succeed(&format!("play {side} {point}"));
        }
        let before = engine.seen();
        engine.succeed(&format!("printsgf {path}"));
        let written = std::fs::read_to_string(&path).unwrap();
        engine.succeed("variant monk-and-water");
        engine.succeed(&format!("loadsgf {path}"));
        assert_eq!(engine.seen(), before, "{position}: {written}");
    }
    engine.quit();
}

/// Reports of the search, then the half move, which is played; the second half comes at once.
#[test]
fn half_moves_are_chosen_with_reports() {
    for (form, time) in [
        ("genmove_analyze", "time_settings 0 1 10"),
        ("lz-genmove_analyze", "kata-time_settings byoyomi 0 0.05 1"),
        ("kata-genmove_analyze", "kata-time_settings fischer 0.05 0.01"),
    ] {
        let mut engine = Copy::start("monk-and-water");
        engine.succeed(time);
        let first = engine.succeed(&format!("{form} b 5"));
        let lines: Vec<&str> = first.trim_start().lines().collect();
        let (last, reports) = lines.split_last().unwrap();
        assert!(!reports.is_empty() && reports.iter().all(|line| line.starts_with("info move ")), "{first}");
        let point = last.strip_prefix("play ").unwrap();
        assert!(engine.succeed("showboard").ends_with(&format!("half moves of the next move: {point}")));
        assert_eq!(engine.succeed(&format!("{form} w")).trim(), "play pass");
        let second = engine.succeed(&format!("{form} b"));
        assert!(second.trim().starts_with("play ") && engine.succeed("status") == "general to move", "{second}");
        assert_eq!(engine.fail(&format!("{form} b")), "illegal move: general to move");
        engine.quit();
    }
}
