//! Game records: `privy replay` checks and converts them, `privy board` shows their positions.

use std::fs;

use privy_records::{Record, records};
use privy_rules::{Game, Variant};

use crate::support::binary;

use binary::{Home, Ran, SMALL_VARIANT};

const SOUND: &str = "\
[General \"Zhang\"]
[Rebels \"Li\"]
[Variant \"sixteen-rebels-murray\"]
[Result \"rebels\"]
[Termination \"rebels win: custodial capture\"]

1. c3-b4 {-0.31/8 15ms} 2. d5-c5 3. b4-a3 4. b1-b2 5. a3-a2 6. b2-a3 rebels
";
const BY_TIME: &str = "[Variant \"sixteen-rebels\"]\n[Termination \"time\"]\n\n1. c3-b2 rebels\n";
const ILLEGAL: &str = "[General \"bell\u{7}\"]\n[Variant \"sixteen-rebels\"]\n\n1. c3-b2 2. b2-c3 *\n";
const UNREADABLE: &str = "[Variant \"sixteen-rebels\"]\n\n1. c3-b2 2. knight\n";

/// A home folder with a file of records.
fn user(records: &[&str]) -> (Home, String) {
    let home = Home::new();
    let path = home.join("games.txt");
    fs::write(&path, records.join("\n")).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (home, path)
}

fn replay(home: &Home, path: &str, options: &str) -> Ran {
    let words: Vec<&str> = ["replay", path].into_iter().chain(options.split_whitespace()).collect();
    home.run(&words)
}

fn board(home: &Home, path: &str, options: &str) -> Ran {
    let words: Vec<&str> = ["board", "--game", path].into_iter().chain(options.split_whitespace()).collect();
    home.run(&words)
}

/// The text of a position of a record.
fn position(home: &Home, path: &str, options: &str) -> String {
    let shown = board(home, path, &format!("--json {options}")).success();
    serde_json::from_str::<serde_json::Value>(&shown).unwrap()["position"].as_str().unwrap().to_owned()
}

#[test]
fn each_sound_game_gets_a_line() {
    let (home, path) = user(&[SOUND, BY_TIME]);
    assert_eq!(
        replay(&home, &path, "").success(),
        "game 1: Zhang - Li, sixteen-rebels-murray, 6 plies: rebels win: custodial capture\n\
         game 2: ? - ?, sixteen-rebels, 1 ply: rebels win: time\n"
    );
    assert!(replay(&home, &path, "--game 2").success().starts_with("game 2: "));
}

#[test]
fn every_faulty_game_is_named() {
    let (home, path) = user(&[UNREADABLE, SOUND, ILLEGAL, BY_TIME]);
    let ran = replay(&home, &path, "");
    let lines: Vec<&str> = ran.output.lines().collect();
    assert_eq!(
        lines[0],
        "game 1: not sound: line 3: moves: expected a move such as c3-b2, or the result (general, rebels, draw or *), \
         found \"knight\""
    );
    assert!(lines[1].starts_with("game 2: Zhang - Li"));
    assert_eq!(lines[2], "game 3: bell\\u{7} - ?, sixteen-rebels, 2 plies: not sound: ply 2: b2-c3: rebels to move");
    assert!(lines[3].starts_with("game 4: ") && lines.len() == 4);
    assert_eq!(ran.failure(1), format!("privy: not sound: {path}: 2 of 4 games: 1, 3\n"));
    let one = replay(&home, &path, "--game 3").failure(1);
    assert_eq!(one, format!("privy: not sound: {path}: 1 of 1 game: 3\n"));
    replay(&home, &path, "--game 2").success();
}

#[test]
fn standard_input_is_read() {
    let ran = binary::run_with_input(&mut binary::privy(), &["replay", "-"], SOUND);
    assert!(ran.success().starts_with("game 1: Zhang - Li"));
}

#[test]
fn what_has_no_end_is_not_read_for_ever() {
    let home = Home::new();
    let endless = home.run(&["replay", "/dev/zero"]).failure(1);
    assert!(endless.contains("/dev/zero: expected at most 268435456 bytes, found more"), "{endless}");
    let engine = "cmd=privy";
    let words = ["match", "--engine", engine, "--engine", engine, "--openings", "/dev/zero"];
    let endless = home.run(&words).failure(2);
    assert!(endless.contains("/dev/zero: expected at most 268435456 bytes, found more"), "{endless}");
}

#[test]
fn any_position_is_shown() {
    let (home, path) = user(&[SOUND]);
    let variant = Variant::builtin("sixteen-rebels-murray").unwrap();
    let mut game = variant.start();
    let moves = ["c3-b4", "d5-c5", "b4-a3", "b1-b2", "a3-a2", "b2-a3"];
    for (ply, text) in moves.iter().enumerate() {
        assert_eq!(position(&home, &path, &format!("--ply {ply}")), game.to_string());
        let from_end = ply as i64 - 7;
        assert_eq!(position(&home, &path, &format!("--ply {from_end}")), game.to_string());
        game = game.after(&game.parse_move(None, text).unwrap());
    }
    for last in ["", "--ply 6", "--ply -1 --number 1"] {
        assert_eq!(position(&home, &path, last), game.to_string());
    }
    let drawing = board(&home, &path, "--ply 5").success();
    assert!(drawing.contains("rebels to move, ply 5") && drawing.contains("last move: general a3-a2"), "{drawing}");
    assert!(board(&home, &path, "--ply 5 --ascii").success().is_ascii());
    assert!(board(&home, &path, "").success().contains("rebels win: custodial capture, ply 6"));
    let picture = board(&home, &path, "--svg").success();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
}

#[test]
fn positions_before_a_fault_are_shown() {
    let (home, path) = user(&[SOUND, ILLEGAL]);
    let shown = position(&home, &path, "--number 2 --ply 1");
    assert_eq!(Game::from_text(&shown, None).unwrap().ply(), 1);
    let complaint = board(&home, &path, "--number 2 --ply 2").failure(1);
    assert_eq!(complaint, format!("privy: not sound: {path}: game 2: ply 2: b2-c3: rebels to move\n"));
}

#[test]
fn records_become_json_and_json_is_read() {
    let (home, path) = user(&[SOUND, UNREADABLE, ILLEGAL]);
    let ran = replay(&home, &path, "--to json");
    let texts = [SOUND, ILLEGAL].map(|text| text.parse::<Record>().unwrap());
    assert_eq!(records(&ran.output).collect::<Result<Vec<_>, _>>().unwrap(), texts);
    let json = home.join("games.json");
    fs::write(&json, &ran.output).unwrap();
    let complaints = ran.failure(1);
    assert!(complaints.contains("privy: game 2: line 11: moves: expected a move"), "{complaints}");
    assert!(complaints.contains("privy: game 3: ply 2: b2-c3: rebels to move\n"), "{complaints}");
    assert!(complaints.ends_with(&format!("privy: not sound: {path}: 2 of 3 games: 2, 3\n")), "{complaints}");
    let read = replay(&home, json.to_str().unwrap(), "");
    assert!(read.output.starts_with("game 1: Zhang - Li") && read.status == Some(1));
}

/// In every direction, with all that people have added; what is no legal game has no half moves.
#[test]
fn records_become_every_form_and_come_back() {
    let annotated = "[Variant \"kings-gonu\"]\n[Opening \"5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu\"]\n[Seed \"7\"]\n\n\
                     {Two friends} 1. c3-c4! {a bold start} (1. c3~c4 2. b2-b3?) *\n";
    let (home, path) = user(&[SOUND, annotated]);
    let texts = [SOUND, annotated].map(|text| text.parse::<Record>().unwrap());
    let text = replay(&home, &path, "--to text").success();
    assert_eq!(text, format!("{}\n{}", texts[0], texts[1]));
    // SGF has no place for the report of a search.
    let plain = text.replace(" {-0.31/8 15ms}", "");
    for (forms, expected) in [(&["json", "text"][..], &text), (&["sgf", "json", "sgf", "text"], &plain)] {
        let mut file = path.clone();
        for form in forms {
            let written = replay(&home, &file, &format!("--to {form}")).success();
            let name = home.join(&format!("again.{form}"));
            fs::write(&name, &written).unwrap();
            file = name.to_str().unwrap().to_owned();
        }
        assert_eq!(&fs::read_to_string(file).unwrap(), expected);
    }
    let (home, path) = user(&[ILLEGAL, BY_TIME]);
    let ran = replay(&home, &path, "--to sgf");
    assert!(ran.output.starts_with("(;") && ran.output.lines().filter(|line| line.starts_with("(;")).count() == 1);
    assert!(ran.failure(1).contains("privy: game 1: ply 2: b2-c3: rebels to move\n"));
}

/// A path that is not UTF-8, and one with spaces.
#[test]
#[cfg(target_os = "linux")]
fn any_path_will_do() {
    use std::os::unix::ffi::OsStrExt;

    let home = Home::new();
    for name in [&b"my games.txt"[..], b"g\xe9ant.txt"] {
        let path = home.join("").join(std::ffi::OsStr::from_bytes(name));
        fs::write(&path, SOUND).unwrap();
        let output = home.privy().arg("replay").arg(&path).output().unwrap();
        assert!(Ran::from(output).success().starts_with("game 1: Zhang - Li"));
        let own = path.with_extension("toml");
        fs::copy(SMALL_VARIANT, &own).unwrap();
        fs::copy(SMALL_VARIANT.replace(".toml", "-board.toml"), home.join("three-rows-board.toml")).unwrap();
        for words in [
            &["perft", "@", "2"][..],
            &["variants", "check", "@"],
            &["board", "@"],
            &["replay", "/dev/null", "--variant", "@"],
        ] {
            let mut command = home.privy();
            for word in words {
                if *word == "@" {
                    command.arg(&own)
                } else {
                    command.arg(word)
                };
            }
            let ran = Ran::from(command.output().unwrap());
            let is_read = ran.status == Some(0) || ran.errors.contains("/dev/null: expected a game record");
            assert!(is_read, "{words:?}: {ran:?}");
        }
        let mut command = home.privy();
        command
            .arg("--variant")
            .arg(&own)
            .arg("--tables")
            .arg(home.join("").join(std::ffi::OsStr::from_bytes(b"t\xe9")));
        let ran = binary::run_with_input(&mut command, &[], "variant\n");
        assert_eq!(ran.output, "= three-rows\n\n");
        // A match file has the path of its variant as text.
        let mut command = home.privy();
        command.args(["match", "--engine", "cmd=false", "--engine", "cmd=false", "--variant"]).arg(&own);
        let refused = Ran::from(command.output().unwrap());
        let is_text = own.to_str().is_some();
        assert_eq!(refused.status, Some(if is_text { 1 } else { 2 }), "{refused:?}");
        assert!(is_text || refused.errors.contains("expected a path in UTF-8"), "{refused:?}");
        let weights = path.with_extension("weights");
        fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/src/rules/games/kings-gonu/weights.toml"), &weights).unwrap();
        let mut setting = std::ffi::OsString::from("weights=");
        setting.push(&weights);
        let mut command = home.privy();
        command.args(["go", "kings-gonu", "--nodes", "5", "--tables", "off", "--set"]).arg(setting);
        assert!(Ran::from(command.output().unwrap()).success().contains("bestmove "));
    }
}

#[test]
fn a_variant_file_may_be_given() {
    let variant = Variant::from_file(SMALL_VARIANT.as_ref()).unwrap();
    let id = variant.id();
    let (home, path) = user(&[&format!("[Variant \"{id}\"]\n[Fingerprint \"{}\"]\n\n*\n", variant.fingerprint())]);
    assert!(replay(&home, &path, "").failure(1).starts_with("privy: not sound"));
    let options = format!("--variant {SMALL_VARIANT}");
    assert_eq!(replay(&home, &path, &options).success(), format!("game 1: ? - ?, {id}, 0 plies: unfinished\n"));
    assert_eq!(position(&home, &path, SMALL_VARIANT), "1/3/rrGrr/5/rrrrr r - 0 0 three-rows");
}

#[test]
fn a_usage_error_names_the_right_usage() {
    let (home, path) = user(&[SOUND, BY_TIME]);
    for (options, complaint) in [
        ("--number 3", "privy: game 3: expected a number from 1 to 2\n"),
        ("--ply 1", "privy: the file has 2 games; name one by its number\n"),
        ("--number 1 --ply 7", "privy: --ply 7: expected a number from -7 to 6\n"),
        ("--number 1 --ply -8", "privy: --ply -8: expected a number from -7 to 6\n"),
        (
            "--number 1 --ply -9223372036854775808",
            "privy: --ply -9223372036854775808: expected a number from -7 to 6\n",
        ),
    ] {
        assert_eq!(board(&home, &path, options).failure(2), complaint);
    }
    let complaint = replay(&home, &path, "--game 3").failure(2);
    assert_eq!(complaint, "privy: game 3: expected a number from 1 to 2\n");
    for options in ["--number 0", "--svg --json", "--ascii --json", "--fen x", "--moves c3-b4", "chess"] {
        board(&home, &path, options).failure(2);
    }
    for options in ["--game 0", "--to pgn", "--variant chess"] {
        replay(&home, &path, options).failure(2);
    }
    let (home, empty) = user(&[]);
    let complaint = replay(&home, &empty, "").failure(1);
    assert!(
        complaint.starts_with("privy: cannot load file: ") && complaint.contains("expected a game record, found none")
    );
    assert!(replay(&home, "nowhere.txt", "").failure(1).starts_with("privy: cannot load file: nowhere.txt: "));
}

/// Files of GoGui and gogui-twogtp: half moves, with passes between them.
#[test]
fn games_of_half_moves_are_read_from_sgf() {
    let home = Home::new();
    std::fs::create_dir_all(home.join("")).unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(home.join(name), text).unwrap();
        home.join(name).to_str().unwrap().to_owned()
    };
    // The head of a file as gogui-twogtp writes it.
    let twogtp = "(;FF[4]CA[UTF-8]AP[gogui-twogtp:1.6.0]SZ[6]
KM[6.5]PB[Privy:0.1.0]PW[Privy:0.1.0]DT[2026-11-22]RE[?]
C[Black command: privy gogui --variant kings-gonu
Result[Black\\]: ?
Date: November 22, 2026 at 6:17:17 AM UTC]
;B[];W[fd];B[];W[cd];B[be];W[];B[ce];W[cd];B[];W[dd]
;B[ee];W[];B[de];W[dd];B[])
";
    let game = file("twogtp.sgf", twogtp);
    let line = home.run(&["replay", &game]).success();
    assert_eq!(line, "game 1: Privy:0.1.0 - Privy:0.1.0, kings-gonu, 4 plies: unfinished\n");
    assert_eq!(position(&home, &game, ""), "rrrrr/rr2r/3G2/r1rr1/rrrrr g 3 1 4 kings-gonu");
    // Without a variant, and with an illegal move.
    let bare = twogtp.replace("--variant kings-gonu", "");
    let bare = file("bare.sgf", &bare);
    let refused = home.run(&["replay", &bare]);
    assert!(refused.output.contains("expected the id of a variant in RU, or --variant"), "{refused:?}");
    assert_eq!(home.run(&["replay", &bare, "--variant", "kings-gonu"]).success(), line.replace("twogtp", "bare"));
    let wrong = file("wrong.sgf", &twogtp.replace("W[cd];B[be]", "W[aa];B[be]"));
    let complaint = home.run(&["replay", &wrong]);
    assert_eq!(complaint.status, Some(1));
    assert!(
        complaint.output.contains("not sound: line 1: SGF: half move 4: aa: expected a point of the board"),
        "{complaint:?}"
    );
    // The text form of the same game.
    let json = home.run(&["replay", &game, "--to", "json"]).success();
    let json = file("game.json", &json);
    assert_eq!(home.run(&["replay", &json]).success(), line);
}
