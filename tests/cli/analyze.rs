//! `privy analyze`: the values of a session and of `privy probe`, wrong lines, priorities, cancelled searches.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use privy_base::random::Random;
use privy_protocol::{Client, Score, SearchInfo, SearchLine};
use privy_rules::{Game, Variant};
use serde_json::{Value, json};

use crate::support::binary::{Home, Ran, SMALL_VARIANT};
use crate::support::late::PATIENCE;
use crate::support::lines::Engine;

/// Runs a command on an input of any bytes.
fn fed(home: &Home, arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = home.privy();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    std::thread::spawn(move || drop(pipe.write_all(&input)));
    child.wait_with_output().unwrap().into()
}

fn objects(output: &str) -> Vec<Value> {
    output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answers of a run by their ids, which are numbers.
fn by_id(output: &str) -> BTreeMap<u64, Value> {
    objects(output).into_iter().map(|answer| (answer["id"].as_u64().unwrap(), answer)).collect()
}

/// Games of random moves from the opening, each with a legal move left.
fn games(variant: &Arc<Variant>, count: usize) -> Vec<Game> {
    let mut random = Random::new(count as u64);
    let mut found = Vec::new();
    while found.len() < count {
        let mut game = variant.start();
        for _ in 0..random.below(24) {
            let Some(move_) = random.pick(&game.legal_moves()).cloned() else { break };
            game.play(move_);
        }
        if game.outcome().is_none() {
            found.push(game);
        }
    }
    found
}

fn move_texts(game: &Game) -> Vec<String> {
    game.line_texts(&game.moves().cloned().collect::<Vec<_>>())
}

/// The last line of `go` in a session, and its move.
fn gone(session: &mut Client, setup: &str, limits: &str) -> (SearchInfo, String) {
    for line in ["set_option level 10", setup] {
        assert!(session.request(line, PATIENCE).unwrap().is_success(), "{line}");
    }
    let reply = session.request(format!("go {limits}"), PATIENCE).unwrap();
    let lines = reply.text().lines().map(|line| line.parse::<SearchLine>().unwrap());
    let (mut last, mut best) = (None, None);
    for line in lines {
        match line {
            SearchLine::Info(info) => last = Some(info),
            SearchLine::BestMove(text) => best = Some(text),
        }
    }
    (last.unwrap(), best.unwrap())
}

#[test]
fn a_line_is_answered_as_a_session_and_a_table_answer() {
    let home = Home::new();
    let variant = Arc::new(Variant::from_file(SMALL_VARIANT.as_ref()).unwrap());
    home.run(&["solve", SMALL_VARIANT]).success();
    let games = games(&variant, 40);
    let moves = |game: &Game| json!({"position": game.beginning().to_string(), "moves": move_texts(game)});
    let line = |(id, game): (usize, &Game)| {
        let mut line = if id % 2 == 0 { moves(game) } else { json!({"position": game.to_string()}) };
        (line["id"], line["limits"], line["variant"]) = (json!(id), json!({"nodes": 100}), json!(SMALL_VARIANT));
        format!("{line}\n")
    };
    let input: String = games.iter().enumerate().map(line).collect();
    let positions: String = games.iter().map(|game| format!("{game}\n")).collect();
    let file = home.join("lines.jsonl");
    fs::write(&file, &input).unwrap();
    for tables in ["auto", "off"] {
        let of_file = ["analyze", file.to_str().unwrap(), "--tables", tables];
        let answers = by_id(&home.run(&of_file).success());
        assert_eq!(answers.len(), games.len());
        let alone = ["analyze", "--variant", SMALL_VARIANT, "--threads", "1", "--tables", tables];
        let in_order = objects(&fed(&home, &alone, input.as_bytes()).success());
        assert!(in_order.iter().map(|answer| answer["id"].as_u64().unwrap()).eq(0..games.len() as u64));
        let mut session = Client::spawn(home.privy().args(["--variant", SMALL_VARIANT, "--tables", tables])).unwrap();
        for (id, game) in games.iter().enumerate() {
            let setup = match id % 2 {
                0 => format!("position fen {} moves {}", game.beginning(), move_texts(game).join(" ")),
                _ => format!("position fen {game}"),
            };
            let (info, best) = gone(&mut session, setup.trim_end_matches(" moves "), "nodes 100");
            for answer in [&answers[&(id as u64)], &in_order[id]] {
                assert_eq!(
                    (&answer["best"], &answer["score"]),
                    (&json!(best), &json!(info.verdict.score.to_string())),
                    "{game}"
                );
                assert_eq!(
                    (&answer["winrate"], &answer["depth"]),
                    (&json!(info.winrate), &json!(info.depth)),
                    "{game}"
                );
                assert_eq!(answer["bound"].as_str(), info.verdict.bound.map(|bound| bound.to_string()).as_deref());
                let mut line = json!({"score": answer["score"], "winrate": info.winrate, "pv": info.pv});
                if let Some(bound) = info.verdict.bound {
                    line["bound"] = json!(bound.to_string());
                }
                assert_eq!(answer["lines"], json!([line]));
                let is_exact = info.verdict.score.is_proved() && info.verdict.bound.is_none();
                // A table knows no history, which may spoil what it says.
                let has_history = id % 2 == 0 && !game.seen_twice().is_empty();
                assert_eq!(answer["exact"].as_bool(), Some(is_exact), "{game}");
                assert!(is_exact || has_history || tables == "off", "{game}");
                assert!(answer["nodes"].as_u64().unwrap() <= 200 && answer["time"].is_u64());
            }
        }
    }
    // The history of a game may make it a draw; a position alone has none.
    let table = objects(&home.run(&["analyze", file.to_str().unwrap(), "--threads", "1"]).success());
    let probed = fed(&home, &["probe", SMALL_VARIANT, "--batch", "-"], positions.as_bytes()).success();
    for (id, value) in probed.lines().enumerate().filter(|(id, _)| id % 2 == 1) {
        let score = match value.split_once(' ') {
            Some(("win", plies)) => Score::Win(plies.parse().unwrap()),
            Some(("loss", plies)) => Score::Loss(plies.parse().unwrap()),
            _ => Score::Draw,
        };
        assert_eq!((&table[id]["score"], &table[id]["exact"]), (&json!(score.to_string()), &json!(true)), "{value}");
    }
}

#[test]
fn a_wrong_line_is_answered_with_its_fault_and_the_others_go_on() {
    let home = Home::new();
    let long = format!("{{\"id\":\"long\",\"position\":\"{}\"}}", "r".repeat(2 << 20));
    let right = |id: u64| json!({"id": id, "limits": {"depth": 1}}).to_string();
    let lines: [(&[u8], Value, &str); 25] = [
        (b"rubbish", json!(null), "syntax error: line 3: expected an object of JSON, found rubbish"),
        (b"[1, 0, null]", json!(null), "syntax error: line 5: expected an object of JSON, found [1, 0, null]"),
        (b"{\"id\":1,", json!(null), "syntax error: line 7: EOF while parsing"),
        (b"{\"id\":1,\"id\":2}", json!(null), "syntax error: line 9: duplicate field `id`"),
        (b"{\"id\":\"\xe9\"}", json!(null), "syntax error: expected a text in UTF-8, found other bytes in line 11"),
        (long.as_bytes(), json!(null), "syntax error: line 13: expected at most 1048576 bytes"),
        (b"{\"id\":{\"a\":[1]},\"node\":5}", json!({"a": [1]}), "syntax error: unknown field `node`, expected one of"),
        (b"{\"id\":\"\\u202e\",\"variant\":\"chess\"}", json!("\u{202e}"), "unknown variant: \"chess\""),
        (b"{\"id\":1.5,\"variant\":\"./no.toml\"}", json!(1.5), "cannot load file: ./no.toml"),
        (b"{\"id\":null,\"position\":7}", json!(null), "syntax error: line 21: invalid type: integer `7`"),
        (b"{\"id\":false,\"position\":\"7\"}", json!(false), "illegal position: rows: "),
        (
            b"{\"id\":0,\"variant\":\"kings-gonu\",\"position\":\"1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels\"}",
            json!(0),
            "illegal position: the position is one of sixteen-rebels, the line names kings-gonu",
        ),
        (b"{\"id\":0,\"moves\":[\"c3-b2\",\"c3-b2\"]}", json!(0), "illegal move: move 2 (c3-b2)"),
        (b"{\"id\":0,\"moves\":[\"hello\"]}", json!(0), "syntax error: move 1 (hello)"),
        (b"{\"id\":0,\"moves\":\"c3-b2\"}", json!(0), "syntax error: invalid type: string \"c3-b2\", expected"),
        (b"{\"id\":0,\"limits\":{\"nodes\":0}}", json!(0), "value out of range: limits.nodes: expected a whole number from 1"),
        (b"{\"id\":0,\"limits\":{\"depth\":-1}}", json!(0), "value out of range: limits.depth: "),
        (b"{\"id\":0,\"limits\":{\"time\":1.5}}", json!(0), "syntax error: limits.time: expected a whole number from 0"),
        (b"{\"id\":0,\"limits\":[null,1,null]}", json!(0), "syntax error: invalid type: sequence, expected an object"),
        (b"{\"id\":0,\"limits\":{\"clock\":1}}", json!(0), "syntax error: unknown field `clock`"),
        (b"{\"id\":0,\"multi_pv\":201}", json!(0), "value out of range: multi_pv: expected a whole number from 1 to 200"),
        (b"{\"id\":0,\"level\":\"high\"}", json!(0), "syntax error: level: expected a whole number from 1 to 10, found \"high\""),
        (b"{\"id\":0,\"priority\":1000001}", json!(0), "value out of range: priority: expected a whole number from -1000000"),
        (b"{\"id\":0,\"cancel\":1,\"level\":1}", json!(0), "syntax error: unknown field `level`"),
        (
            b"{\"id\":0,\"position\":\"1/3/5/5/1rGr1/5/5 r - 0 0 sixteen-rebels\"}",
            json!(0),
            "game over: general wins: attrition",
        ),
    ];
    // A byte order mark, lines of Windows, a blank line and a last one without its end.
    let mut input = b"\xef\xbb\xbf\r\n".to_vec();
    for (number, (line, ..)) in (0..).zip(&lines) {
        input.extend([b" ", right(number).as_bytes(), b"\r\n", line, b"\r\n"].concat());
    }
    input.extend(right(lines.len() as u64).as_bytes());
    let ran = fed(&home, &["analyze", "--threads", "1", "--tables", "off"], &input);
    let (faults, found): (Vec<Value>, Vec<Value>) =
        objects(&ran.output).into_iter().partition(|answer| answer.get("error").is_some());
    assert!(found.iter().map(|answer| answer["id"].as_u64().unwrap()).eq(0..=lines.len() as u64), "{found:?}");
    for (_, id, error) in &lines {
        let is_told = |fault: &&Value| fault["id"] == *id && fault["error"].as_str().unwrap().starts_with(error);
        assert_eq!(faults.iter().filter(is_told).count(), 1, "{error}: {faults:#?}");
    }
    assert_eq!(faults.len(), lines.len());
    let (wrong, all) = (lines.len(), 2 * lines.len() + 1);
    assert_eq!(ran.failure(1), format!("privy: standard input: {wrong} of {all} lines answered with an error\n"));
    let endless = home.run(&["analyze", "/dev/zero"]).failure(1);
    assert!(endless.contains("/dev/zero: line 1: expected at most 1048576 bytes, found more"), "{endless}");
    assert!(home.run(&["analyze", "/no/such/file"]).failure(1).contains("/no/such/file"));
}

/// Numbers with more digits than a machine keeps, in answers, errors and cancels.
#[test]
fn ids_come_back_as_they_were_written() {
    let home = Home::new();
    let ids = ["117.63331139400017", "1700000000.123456789", "1e400", "-0", "1.0", "123456789012345678901234567890"];
    let lines = ids.map(|id| {
        let (right, wrong) = ("\"limits\":{\"depth\":1}", "\"level\":0");
        format!("{{\"id\":{id},{right}}}\n{{{wrong}, \"id\": {id} }}\n{{\"id\":[{id} ],\"cancel\":{{\"a\":{id}}}}}\n")
    });
    let ran = fed(&home, &["analyze", "--threads", "1", "--tables", "off"], lines.concat().as_bytes());
    for id in ids {
        for part in [format!("{{\"id\":{id},\"best\""), format!("{{\"id\":{id},\"error\"")] {
            assert_eq!(ran.output.matches(&part).count(), 1, "{part}: {ran:?}");
        }
        assert!(ran.output.contains(&format!("{{\"id\":[{id}],\"cancel\":{{\"a\":{id}}}}}\n")), "{id}: {ran:?}");
    }
}

#[test]
fn the_highest_priority_comes_first_and_cancelled_lines_end() {
    let mut analysis = Engine::with(&["analyze", "--threads", "1", "--tables", "off"]);
    let lines = [
        json!({"id": 1, "priority": -5, "limits": {"depth": 1}}),
        json!({"id": 2, "limits": {"depth": 1}}),
        json!({"id": 3, "priority": 7, "limits": {"depth": 1}}),
        json!({"id": 4, "priority": 7, "limits": {"depth": 1}}),
        json!({"id": 5, "limits": {"depth": 1}}),
        json!({"id": "none", "cancel": "nobody"}),
        json!({"id": "waiting", "cancel": 5}),
        json!({"id": [], "cancel": "running"}),
    ];
    // The others come while the first is searched, unless the machine is very slow.
    let ended = [1, 100, 1_000, 10_000].into_iter().find_map(|milliseconds| {
        analysis.write("{\"id\":\"running\",\"limits\":{\"time\":100000000}}\n");
        std::thread::sleep(Duration::from_millis(milliseconds));
        lines.iter().for_each(|line| analysis.write(&format!("{line}\n")));
        let ended: Vec<Value> = (0..=lines.len()).map(|_| serde_json::from_str(&analysis.line()).unwrap()).collect();
        let first = ended.iter().find(|answer| answer["best"].is_string()).unwrap();
        (first["id"] == "running").then_some(ended)
    });
    let ended = ended.unwrap();
    let order: Vec<&Value> =
        ended.iter().filter(|answer| answer.get("best").is_some()).map(|found| &found["id"]).collect();
    assert_eq!(order, [&json!("running"), &json!(3), &json!(4), &json!(2), &json!(1)]);
    for answer in [
        json!({"id": "none", "cancel": "nobody"}),
        json!({"id": 5, "error": "interrupted: cancelled before the search began"}),
        json!({"id": "waiting", "cancel": 5}),
        json!({"id": [], "cancel": "running"}),
    ] {
        assert!(ended.contains(&answer), "{answer}: {ended:?}");
    }
    assert_eq!(analysis.end_with(1), Vec::<String>::new());
}

#[test]
fn searches_end_when_nobody_reads_the_answers() {
    let mut command = Home::new().privy();
    command.args(["analyze", "--tables", "off"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(&b"{\"limits\":{\"time\":100000000}}\n".repeat(3)).unwrap();
    drop(child.stdout.take());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.success(), "");
    drop(pipe);
}

#[test]
fn what_a_line_does_not_name_is_that_of_the_command_line() {
    let home = Home::new();
    let arguments = ["analyze", "--variant", "kings-gonu", "--depth", "2", "--multi-pv", "2", "--set", "tables=off"];
    let input = "{\"id\":1}\n{\"id\":2,\"multi_pv\":1,\"limits\":{\"depth\":1}}\n{\"id\":3,\"variant\":\"sixteen-rebels\"}\n\
        {\"id\":4,\"position\":\"1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels\",\"level\":1}\n{\"id\":5,\"moves\":null,\"limits\":null}\n";
    let answers = by_id(&fed(&home, &arguments, input.as_bytes()).success());
    let shape = |id| (answers[&id]["depth"].as_u64().unwrap(), answers[&id]["lines"].as_array().unwrap().len());
    assert_eq!([1, 2, 3, 5].map(shape), [(2, 2), (1, 1), (2, 2), (2, 2)]);
    assert_eq!(shape(4), (1, 2), "the positions of the lowest level are few");
    let lines = |id| &answers[&id]["lines"];
    assert!(lines(1) == lines(5) && lines(1) != lines(3), "{answers:?}");
}
