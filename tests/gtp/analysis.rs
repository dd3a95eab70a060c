//! Analysis and pondering as a client sees them: the times and contents of reports, the ends of an analysis, and no
//! effect on anything else. No bound here is about speed; `analysis_speed.rs` measures it.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use privy_protocol::{MoveInfo, Score, analysis_line};

use crate::support::report::{AnalysisReport, read_report as report};
use crate::support::{lines, session};

use lines::Engine;
use session::option;

fn moves_of(report: &AnalysisReport) -> BTreeSet<String> {
    report.moves.iter().map(|analyzed| analyzed.pv[0].clone()).collect()
}

/// An empty line, a comment, a command, a failing command, a line without a request.
#[test]
fn any_line_ends_an_analysis_and_is_then_executed() {
    let mut engine = Engine::start();
    let legal = engine.legal_moves();
    let fen = engine.succeed("fen");
    for (line, answer) in [
        ("\n", None),
        ("\r\n", None),
        ("# a comment\n", None),
        ("# interrupt\n", None),
        ("9 name\n", Some("=9 Privy")),
        ("stop\n", Some("= ")),
        ("nonsense\n", Some("? unknown command")),
        ("7\n", Some("?7 syntax error: no command")),
    ] {
        engine.write("3 analyze 1\n");
        assert_eq!(engine.line(), "=3");
        assert_eq!(moves_of(&report(&engine.line())), legal);
        engine.write(line);
        assert!(engine.answer().iter().all(|line| moves_of(&report(line)) == legal));
        if let Some(answer) = answer {
            assert_eq!(engine.answer(), [answer], "{line:?}");
        }
    }
    assert_eq!(engine.succeed("fen"), fen);
}

#[test]
fn an_analysis_that_ends_at_once_still_reports() {
    for (arguments, prefixes) in [(&[][..], [""; 2]), (&["gogui"], ["lz-", "kata-"])] {
        let mut engine = Engine::with(arguments);
        let [second, third] = prefixes;
        engine.write(&format!("1 analyze\n2 {second}analyze 500\n3 {third}analyze interval 500\n\n4 name\n"));
        for id in 1..=3 {
            let answer = engine.answer();
            assert_eq!(answer[0], format!("={id}"));
            assert_eq!(answer.len(), 2, "{answer:?}");
            assert!(!report(&answer[1]).moves.is_empty());
        }
        assert_eq!(engine.answer(), ["=4 Privy"]);
        engine.write("5 analyze\n");
        assert_eq!(engine.line(), "=5");
        assert!(matches!(&engine.end()[..], [line, end] if !report(line).moves.is_empty() && end.is_empty()));
    }
}

#[test]
fn each_form_reports_its_figures() {
    for (arguments, command, keys) in [
        (&[][..], "analyze", "visits winrate prior lcb score order"),
        (&["gogui"], "analyze", "visits winrate prior lcb score order"),
        (&["gogui"], "lz-analyze", "visits winrate prior lcb order"),
        (&["gogui"], "kata-analyze", "visits winrate prior lcb scoreLead score order"),
    ] {
        let mut engine = Engine::with(arguments);
        if arguments.contains(&"gogui") {
            // Its opening has one piece that can move; behind it there are eight points.
            engine.succeed("play w c3");
        }
        engine.write(&format!("{command} white 2 maxmoves 3\n"));
        assert_eq!(engine.line(), "=");
        let line = engine.line();
        let first = line.split(" pv ").next().unwrap();
        let found: Vec<&str> = first.split(' ').skip(3).step_by(2).filter(|key| *key != "bound").collect();
        assert_eq!(found.join(" "), keys, "{line}");
        let reported = report(&line);
        let again = analysis_line(&reported.moves, MoveInfo::numbers);
        assert!(command != "analyze" || again == line, "{line}");
        assert_eq!(reported.moves.len(), 3, "{line}");
        for (place, analyzed) in reported.moves.iter().enumerate() {
            assert_eq!(analyzed.order as usize, place);
        }
        engine.write("\n");
        engine.answer();
    }
}

#[test]
fn errors_come_before_the_answer_is_opened() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("analyze rebels"), "? illegal move: general to move");
    assert_eq!(engine.ask("genmove_analyze b 10"), "? illegal move: general to move");
    assert!(engine.ask("analyze w 10 ownership true").starts_with("? syntax error: analyze: argument 4"));
    assert!(engine.ask("analyze 0").starts_with("? value out of range: analyze: argument 1 (interval)"));
    assert!(engine.ask("analyze avoid w c3-c4 2").starts_with("? value out of range: analyze: argument 4 (depth)"));
    assert!(engine.ask("genmove_analyze allow c3-c9").starts_with("? illegal move: move 1 (c3-c9): "));
    engine.succeed("position fen 1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water");
    engine.succeed("play c6-c7");
    assert_eq!(engine.ask("analyze"), "? game over: general wins: apex");
    assert_eq!(engine.ask("genmove_analyze"), "? game over: general wins: apex");
}

/// The result is proved, so the search has nothing to do. The analysis continues until it is ended.
#[test]
fn a_decided_position_is_reported_until_the_next_line() {
    let mut engine = Engine::start();
    engine.succeed("position fen 1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water");
    let legal = engine.legal_moves();
    engine.write("analyze 1\n");
    assert_eq!(engine.line(), "=");
    for _ in 0..20 {
        let reported = report(&engine.line());
        assert_eq!(moves_of(&reported), legal);
        let best = &reported.moves[0];
        assert_eq!(
            (best.pv[0].as_str(), best.verdict.score, best.winrate, best.lcb),
            ("c6-c7", Score::Win(1), 1.0, 1.0)
        );
    }
    engine.write("\n");
    engine.answer();
}

#[test]
fn a_table_gives_the_distance_of_every_move() {
    let mut engine = Engine::with_table();
    let values: Vec<(String, String)> = engine
        .succeed("probe moves")
        .lines()
        .map(|line| line.split_once(' ').map(|(move_, value)| (move_.to_owned(), value.to_owned())).unwrap())
        .collect();
    engine.write("analyze 1\n");
    engine.line();
    let mut reported = report(&engine.line());
    while reported.moves.iter().any(|analyzed| analyzed.pv.len() < 2) {
        reported = report(&engine.line());
    }
    engine.write("\n");
    engine.answer();
    assert_eq!(reported.moves.len(), values.len());
    for analyzed in &reported.moves {
        let (_, value) = values.iter().find(|(move_, _)| *move_ == analyzed.pv[0]).unwrap();
        let (score, winrate) = match value.split_once(' ') {
            Some(("win", plies)) => (Score::Win(plies.parse().unwrap()), 1.0),
            Some((_, plies)) => (Score::Loss(plies.parse().unwrap()), 0.0),
            None => (Score::Draw, 0.5),
        };
        assert_eq!((analyzed.verdict.score, analyzed.winrate, analyzed.lcb), (score, winrate, winrate));
        if let Score::Win(plies) | Score::Loss(plies) = analyzed.verdict.score {
            assert_eq!(analyzed.pv.len(), plies as usize, "the line goes to the end");
        }
        engine.succeed(&format!("position startpos moves {}", analyzed.pv.join(" ")));
    }
}

/// `go` with a table: up to `multi_pv` lines, of the given search moves only, legal to the end.
#[test]
fn a_table_answers_for_some_moves_and_several_lines() {
    let mut engine = Engine::with_table();
    for (multi_pv, moves, lines) in
        [(1, "", 1), (4, "", 4), (200, "", 15), (200, " searchmoves a3-b2 c1-b2", 2), (1, " searchmoves a1-b2", 1)]
    {
        engine.succeed(&format!("set_option multi_pv {multi_pv}"));
        engine.succeed("clear_board");
        let answer = engine.ask(&format!("go depth 1{moves}"));
        let infos: Vec<&str> = answer.lines().filter(|line| line.starts_with("info ")).collect();
        assert_eq!(infos.len(), lines, "{answer}");
        let first = infos[0].split_once(" pv ").unwrap().1.split(' ').next().unwrap();
        assert!(answer.ends_with(&format!("bestmove {first}")), "{answer}");
        for info in infos {
            let line = info.split_once(" pv ").unwrap().1;
            assert!(moves.is_empty() || moves.contains(line.split(' ').next().unwrap()));
            engine.succeed(&format!("position startpos moves {line}"));
        }
    }
}

#[test]
fn a_move_is_chosen_and_played_after_reports() {
    let mut engine = Engine::start();
    for command in ["genmove_analyze", "genmove_analyze w 10", "genmove_analyze general interval 30"] {
        engine.succeed("clear_board");
        engine.succeed("time_settings 10 0 0");
        let legal = engine.legal_moves();
        // A line does not end it.
        engine.write(&format!("6 {command}\n\n# comment\n7 status\n"));
        let mut answer = engine.answer();
        assert_eq!(answer.remove(0), "=6");
        let last = answer.pop().unwrap();
        let played = last.strip_prefix("play ").unwrap();
        assert!(!answer.is_empty() && answer.iter().all(|line| moves_of(&report(line)) == legal));
        assert_eq!(report(answer.last().unwrap()).moves[0].pv[0], played);
        assert_eq!(engine.answer(), ["=7 rebels to move"]);
    }
    engine.succeed("clear_board");
    engine.succeed("time_settings 100000 0 0");
    engine.write("8 genmove_analyze 5\n# interrupt\n9 status\n");
    assert!(engine.answer().last().unwrap().starts_with("play "));
    assert_eq!(engine.answer(), ["=9 rebels to move"]);
}

#[test]
fn stop_ends_a_search_before_a_waiting_analysis() {
    let mut engine = Engine::start();
    engine.write("1 go infinite\n2 analyze\n3 stop\n4 name\n");
    assert!(engine.answer().last().unwrap().starts_with("bestmove "));
    assert_eq!(engine.answer()[0], "=2");
    assert_eq!((engine.answer(), engine.answer()), (vec!["=3 ".to_owned()], vec!["=4 Privy".to_owned()]));
}

/// Pondering stops at once, also when the program ends. It changes no move and no clock.
#[test]
fn pondering_disturbs_nothing() {
    for ending in ["quit\n", ""] {
        let mut engine = Engine::start();
        engine.succeed("set_option ponder on");
        assert_eq!(option(&engine.succeed("list_options"), "ponder"), "on");
        engine.succeed("time_settings 1 0 0");
        for _ in 0..3 {
            let side = engine.succeed("status").replace(" to move", "");
            let legal = engine.legal_moves();
            let played = engine.succeed(&format!("genmove {side}"));
            assert!(legal.contains(&played));
            thread::sleep(Duration::from_millis(100));
            assert!(engine.succeed("fen").ends_with("sixteen-rebels"));
        }
        let side = engine.succeed("status").replace(" to move", "");
        engine.write(&format!("genmove {side}\n"));
        engine.answer();
        thread::sleep(Duration::from_millis(50));
        engine.write(ending);
        assert!(engine.end().iter().all(|line| line.is_empty() || line == "= "));
    }
}
