//! Searches as a client sees them: stopping, reports, limits.
//!
//! No bound here is about speed. An answer may take minutes. A search counts as running if it has not answered for a
//! moment.

use std::collections::BTreeSet;
use std::time::Duration;

use privy_protocol::{Client, ClientError, Reply, Score, SearchInfo, SearchLine};

use crate::support::binary;
use crate::support::late::PATIENCE;

const MOMENT: Duration = Duration::from_millis(100);

/// An engine process.
struct Engine(Client);

impl Engine {
    fn start() -> Engine {
        Engine(Client::spawn(binary::privy().args(["--tables", "off"])).unwrap())
    }

    /// Writes lines that get this number of answers.
    fn write(&mut self, lines: &str, answers: usize) {
        self.0.send_bytes(lines.as_bytes(), answers).unwrap();
    }

    fn receive(&mut self) -> Reply {
        self.0.receive(PATIENCE).unwrap()
    }

    /// True if the oldest request has no answer yet and gets none for a moment.
    fn is_busy(&mut self) -> bool {
        matches!(self.0.receive(MOMENT), Err(ClientError::Timeout { .. }))
    }

    fn ask(&mut self, line: &str) -> Reply {
        self.0.request(line, PATIENCE).unwrap()
    }

    #[track_caller]
    fn succeed(&mut self, line: &str) -> String {
        let reply = self.ask(line);
        assert!(reply.is_success(), "{line}: {}", reply.text());
        reply.text().to_owned()
    }

    #[track_caller]
    fn fail(&mut self, line: &str) -> String {
        let reply = self.ask(line);
        assert!(!reply.is_success(), "{line}: {}", reply.text());
        reply.text().to_owned()
    }

    fn legal_moves(&mut self) -> BTreeSet<String> {
        self.succeed("legal_moves").split(' ').map(str::to_owned).collect()
    }
}

/// A parsed answer to `go`.
struct Found {
    infos: Vec<SearchInfo>,
    best: String,
}

impl Found {
    fn last(&self) -> &SearchInfo {
        self.infos.last().expect("a report")
    }
}

#[track_caller]
fn found(text: &str) -> Found {
    let mut lines: Vec<SearchLine> = text.lines().map(|line| line.parse().unwrap()).collect();
    let Some(SearchLine::BestMove(best)) = lines.pop() else { panic!("no bestmove: {text}") };
    let infos = lines.into_iter().map(|line| match line {
        SearchLine::Info(info) => info,
        SearchLine::BestMove(_) => panic!("two bestmoves: {text}"),
    });
    Found { infos: infos.collect(), best }
}

/// The lines of a search without figures that depend on the machine.
fn timeless(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let kept = words.iter().enumerate().filter(|(at, _)| *at == 0 || !["nps", "time"].contains(&words[at - 1]));
        kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect()
}

#[test]
fn a_search_without_limit_runs_until_it_is_stopped() {
    let mut engine = Engine::start();
    let legal = engine.legal_moves();
    for (line, answers) in [("stop\n", 1), ("# interrupt\n", 0), ("  #interrupt \r\n", 0)] {
        engine.write("go infinite\n", 1);
        assert!(engine.is_busy());
        engine.write("fen # interrupt\n# interrupts\n\n", 1);
        assert!(engine.is_busy(), "other lines wait");
        engine.write(line, answers);
        let search = found(engine.receive().text());
        assert!(legal.contains(&search.best) && !search.infos.is_empty());
        assert!(engine.receive().text().ends_with("sixteen-rebels"));
        if answers > 0 {
            assert_eq!(engine.receive(), Reply::new(None, true, ""));
        }
        assert_eq!(engine.succeed("name"), "Privy");
    }
}

/// This also holds for a search that has proved the result and has nothing left to do.
#[test]
fn a_search_without_limit_does_not_end_by_itself() {
    let mut engine = Engine::start();
    engine.succeed("position fen 1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water");
    engine.write("go infinite\n", 1);
    assert!(engine.is_busy());
    engine.write("stop\n", 1);
    assert_eq!(found(engine.receive().text()).best, "c6-c7");
}

#[test]
fn stop_ends_the_running_search_then_the_first_waiting_one() {
    let mut engine = Engine::start();
    // The first search is stopped while it runs. The second runs until the next interrupt.
    engine.write("1 go infinite\n2 go infinite\n3 fen\n4 stop\n", 4);
    assert_eq!(engine.receive().id(), Some(1));
    assert!(engine.is_busy());
    engine.write("# interrupt\n", 0);
    let replies = [(); 3].map(|()| engine.receive());
    assert_eq!(replies.each_ref().map(Reply::id), [2, 3, 4].map(Some));
    assert!(engine.legal_moves().contains(&found(replies[0].text()).best));
    assert_eq!(replies[2].text(), "");

    // A finished search is not stopped again: the second stop ends the waiting search.
    engine.write("5 go nodes 2000\n", 1);
    assert_eq!(engine.receive().id(), Some(5));
    engine.write("6 go infinite\n7 go infinite\n8 stop\n9 stop\n10 name\n", 5);
    let replies = [(); 5].map(|()| engine.receive());
    assert_eq!(replies.each_ref().map(Reply::id), [6, 7, 8, 9, 10].map(Some));
    assert!(engine.legal_moves().contains(&found(replies[1].text()).best));
    assert_eq!(replies[4].text(), "Privy");

    // The second of two searches without limit runs on until the input ends.
    engine.write("11 go infinite\n12 go infinite\n13 stop\n", 3);
    assert_eq!(engine.receive().id(), Some(11));
    assert!(engine.is_busy());
    engine.0.close_input();
    assert_eq!([12, 13].map(Some), [(); 2].map(|()| engine.receive().id()));

    let mut engine = Engine::start();
    engine.write("go infinite\nstop\ngo infinite\nstop\n", 4);
    let texts = [(); 4].map(|()| engine.receive().text().to_owned());
    assert!(texts[0].contains("bestmove") && texts[1].is_empty());
    assert!(texts[2].contains("bestmove") && texts[3].is_empty());
}

#[test]
fn perft_and_divide_fail_when_they_are_stopped() {
    let mut engine = Engine::start();
    for command in ["perft 30", "perft 100000", "divide 30", "divide 100000"] {
        let fen = engine.succeed("fen");
        for (line, answers) in [("stop\n", 1), ("# interrupt\n", 0)] {
            engine.write(&format!("{command}\n"), 1);
            assert!(engine.is_busy(), "{command}");
            engine.write(line, answers);
            assert!(engine.receive().text().starts_with("interrupted: "), "{command}");
            if answers > 0 {
                assert_eq!(engine.receive().text(), "");
            }
            assert_eq!(engine.succeed("fen"), fen);
        }
    }
    // The short search behind `explain` answers with its result so far.
    engine.write("explain\nstop\n", 2);
    assert!(engine.receive().is_success());
    assert_eq!(engine.receive().text(), "");
    assert_eq!(engine.succeed("perft 3"), "616");
}

#[test]
fn the_end_of_the_input_stops_long_perfts() {
    for end in ["", "quit\n"] {
        let mut engine = Engine::start();
        engine.write(&format!("perft 100000\nperft 4\ndivide 65\n{end}"), 3 + usize::from(!end.is_empty()));
        engine.0.close_input();
        assert!(engine.receive().text().starts_with("interrupted: "));
        assert_eq!(engine.receive().text(), "13664");
        assert!(engine.receive().text().starts_with("interrupted: "));
    }
}

#[test]
fn stop_without_a_search_is_answered() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("stop"), Reply::new(None, true, ""));
    engine.write("# interrupt\n4 stop\n5 stop\n", 2);
    assert_eq!([4, 5], [(); 2].map(|()| engine.receive().id().unwrap()));
    // A stop has no effect on later searches.
    let first = timeless(&engine.succeed("go depth 4"));
    engine.succeed("stop");
    assert_eq!(timeless(&engine.succeed("go depth 4")), first);
}

#[test]
fn genmove_can_be_stopped_and_still_plays() {
    for line in ["stop\n", "# interrupt\n"] {
        let mut engine = Engine::start();
        engine.succeed("time_settings 100000 0 0");
        let legal = engine.legal_moves();
        engine.write("genmove general\n", 1);
        assert!(engine.is_busy(), "its share of the clock is minutes");
        engine.write(line, usize::from(line == "stop\n"));
        assert!(legal.contains(engine.receive().text()));
        assert_eq!(engine.succeed("status"), "rebels to move");
    }
}

#[test]
fn the_end_of_the_input_stops_only_searches_without_limit() {
    let mut engine = Engine::start();
    let limited = timeless(&engine.succeed("go depth 5"));
    for end in ["", "quit\n", "9 quit"] {
        let mut engine = Engine::start();
        engine.write(&format!("go depth 5\ngo infinite\ngo depth 5\n{end}"), 3 + usize::from(!end.is_empty()));
        engine.0.close_input();
        assert_eq!(timeless(engine.receive().text()), limited);
        assert!(engine.receive().text().contains("bestmove"));
        let third = timeless(engine.receive().text());
        assert!(third.iter().any(|line| line.starts_with("info depth 5")), "{third:?}");
        if !end.is_empty() {
            assert_eq!(engine.receive().text(), "");
        }
        assert!(matches!(engine.0.receive(PATIENCE), Err(ClientError::NothingAsked)));
    }
    // A search by the clock is finished too.
    let mut engine = Engine::start();
    engine.write("go time 300\ngenmove general\n", 2);
    engine.0.close_input();
    found(engine.receive().text());
    assert!(!engine.receive().text().is_empty());
}

#[test]
fn the_same_limits_give_the_same_lines() {
    let commands =
        ["go depth 6", "go nodes 20000", "go depth 4 nodes 1000000", "go nodes 3000 searchmoves c3-b4 c3-c4"];
    let run = || {
        let mut engine = Engine::start();
        commands.map(|command| timeless(&engine.succeed(command)))
    };
    let first = run();
    assert_eq!(first, run(), "in two processes");
    let mut engine = Engine::start();
    for _ in 0..2 {
        for (command, lines) in commands.iter().zip(&first) {
            assert_eq!(&timeless(&engine.succeed(command)), lines, "again in one process: {command}");
            engine.succeed("go time 5");
        }
    }
}

#[test]
fn only_the_given_search_moves_are_searched() {
    let mut engine = Engine::start();
    let search_moves = ["c3-c2", "c3d2", "C3-D3"];
    let allowed = ["c3-c2", "c3-d2", "c3-d3"];
    let all = found(&engine.succeed(&format!("go depth 5 searchmoves {}", search_moves.join(" "))));
    assert!(allowed.contains(&all.best.as_str()));
    assert!(all.infos.iter().all(|info| allowed.contains(&info.pv[0].as_str())));
    engine.succeed("set_option multi_pv 5");
    let ranked = found(&engine.succeed(&format!("go depth 3 searchmoves {}", search_moves.join(" "))));
    let firsts: BTreeSet<&str> = ranked.infos.iter().map(|info| info.pv[0].as_str()).collect();
    assert_eq!(firsts, allowed.into_iter().collect());
    assert!(engine.fail("go searchmoves c3-c2 c3-a1").starts_with("illegal move: move 2 (c3-a1)"));
}

/// A number in the order of scores.
fn order(score: Score) -> i64 {
    match score {
        Score::Win(plies) => 1_000_000_000 - i64::from(plies),
        Score::Loss(plies) => i64::from(plies) - 1_000_000_000,
        other => other.hundredths().map_or(0, i64::from),
    }
}

#[test]
fn several_lines_are_reported_best_first() {
    let mut engine = Engine::start();
    engine.succeed("set_option multi_pv 4");
    for variant in ["sixteen-rebels", "monk-and-water", "sixteen-rebels-murray", "kings-gonu"] {
        engine.succeed(&format!("variant {variant}"));
        let moves = engine.legal_moves().len();
        let Found { infos, best } = found(&engine.succeed("go depth 5"));
        for lines in infos.chunk_by(|a, b| a.depth == b.depth) {
            let ranks: Vec<usize> = lines.iter().map(|info| info.multipv).collect();
            assert_eq!(ranks, (1..=moves.min(4)).collect::<Vec<_>>());
            let firsts: BTreeSet<&String> = lines.iter().map(|info| &info.pv[0]).collect();
            assert_eq!(firsts.len(), lines.len(), "{lines:?}");
            assert!(lines.is_sorted_by(|a, b| order(a.verdict.score) >= order(b.verdict.score)), "{lines:?}");
        }
        let last = infos.iter().rfind(|info| info.multipv == 1).unwrap();
        assert_eq!(last.pv[0], best);
    }
    // More lines than moves.
    engine.succeed("set_option multi_pv 200");
    engine.succeed("variant sixteen-rebels");
    assert_eq!(found(&engine.succeed("go depth 1")).infos.len(), 8);
}

#[test]
fn every_line_is_legal() {
    let mut engine = Engine::start();
    engine.succeed("set_option multi_pv 2");
    for variant in engine.succeed("list_variants").lines() {
        engine.succeed(&format!("variant {variant}"));
        for _ in 0..3 {
            if !engine.succeed("status").ends_with("to move") {
                break;
            }
            let fen = engine.succeed("fen");
            let Found { infos, best } = found(&engine.succeed("go depth 5"));
            let depths: Vec<u32> = infos.iter().map(|info| info.depth).collect();
            assert!(depths.is_sorted() && depths[0] == 1, "{depths:?}");
            for info in &infos {
                assert!(!info.pv.is_empty());
                engine.succeed(&format!("position fen {fen} moves {}", info.pv.join(" ")));
                if let Score::Win(plies) | Score::Loss(plies) = info.verdict.score {
                    assert!(info.pv.len() <= plies as usize, "{info}");
                }
            }
            engine.succeed(&format!("position fen {fen} moves {best}"));
        }
    }
}

/// One move wins in seven plies, all others take longer. It does not win if it leads to a position for the third time.
#[test]
fn repetition_refutes_a_win() {
    let root = "1/3/rr1rr/r1r1r/5/rG2r/4r r - 0 11 sixteen-rebels-murray";
    let mut engine = Engine::start();
    engine.succeed(&format!("position fen {root}"));
    let fresh = found(&engine.succeed("go depth 7"));
    assert_eq!((fresh.best.as_str(), fresh.last().verdict.score), ("a2-a1", Score::Win(7)));

    // The position after that move occurs twice, then the root for the second time.
    engine.succeed("play a2-a1");
    let behind = engine.succeed("fen");
    let cycle = "b2-b1 a1-a2 b1-b2";
    engine.succeed(&format!("position fen {behind} moves {cycle} a2-a1 {cycle}"));
    let rows = |fen: &str| fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
    assert_eq!(rows(&engine.succeed("fen")), rows(root));
    let repeated = found(&engine.succeed("go depth 7 searchmoves a2-a1"));
    assert_eq!((repeated.last().verdict.score, repeated.last().winrate), (Score::Draw, Some(0.5)));
    let repeated = found(&engine.succeed("go depth 7"));
    assert_ne!(repeated.best, "a2-a1");
    assert!(!matches!(repeated.last().verdict.score, Score::Win(..=7)), "{}", repeated.last());
    engine.succeed("play a2-a1");
    assert_eq!(engine.succeed("status"), "draw: repetition");
}

#[test]
fn genmove_plays_and_go_does_not() {
    let mut engine = Engine::start();
    engine.succeed("time_settings 0.1 0 0");
    let fen = engine.succeed("fen");
    let legal = engine.legal_moves();
    assert!(engine.fail("genmove rebels").starts_with("illegal move: general to move"));
    assert_eq!(engine.succeed("fen"), fen);
    let move_ = engine.succeed("genmove G");
    assert!(legal.contains(&move_));
    let after = engine.succeed("fen");
    assert_eq!(engine.succeed("status"), "rebels to move");
    engine.succeed("undo");
    assert_eq!(engine.succeed("fen"), fen);
    engine.succeed(&format!("play {move_}"));
    assert_eq!(engine.succeed("fen"), after);
    engine.succeed("go depth 3");
    assert_eq!(engine.succeed("fen"), after);
}

/// By its own clock it would search for many minutes.
#[test]
fn genmove_uses_the_clock_of_the_referee() {
    let mut engine = Engine::start();
    engine.succeed("time_settings 100000 0 0");
    for (line, move_) in [
        ("time_left general 0.05 0", "genmove general"),
        ("time_left rebels -1 0", "genmove rebels"),
        ("time_left w 0.1 1", "genmove w"),
        ("time_settings 0 0.05 1", "genmove b"),
        ("time_settings 0.05 0 0", "genmove g"),
        ("time_settings 0 0.1 5", "genmove r"),
        ("time_settings 0.2 0 0", "genmove w"),
    ] {
        engine.succeed(line);
        engine.succeed(move_);
    }
    engine.succeed("undo 7");
    assert!(engine.succeed("fen").contains(" g - 0 0 "));
}

/// No command sets the time left: the engine runs its own clock, with 1.5 seconds for hundreds of moves.
#[test]
fn genmove_keeps_its_own_clock() {
    let mut engine = Engine::start();
    engine.succeed("time_settings 1.5 0 0");
    for _ in 0..200 {
        match engine.succeed("status").strip_suffix(" to move") {
            Some(side) => drop(engine.succeed(&format!("genmove {side}"))),
            None => break,
        }
    }
    assert_eq!(engine.0.quit(PATIENCE).unwrap().and_then(|status| status.code()), Some(0));
}
