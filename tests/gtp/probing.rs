//! Play from a tablebase as a client sees it: whole games, consistent values, legal lines, damaged and missing tables.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fs;

use privy_protocol::{Client, Score, SearchInfo, SearchLine};

use crate::support::binary;
use crate::support::late::PATIENCE;
use crate::support::random;

use binary::{Home, Ran, SMALL_VARIANT, run_with_input};
use random::Random;

/// An engine with the small variant and its table.
struct Engine {
    client: Client,
    /// Removed only after the engine has ended.
    _home: Home,
}

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Win(u32),
    Draw,
    Loss(u32),
}

impl Value {
    fn parse(text: &str) -> Value {
        match text.split_once(' ') {
            Some(("win", plies)) => Value::Win(plies.parse().unwrap()),
            Some(("loss", plies)) => Value::Loss(plies.parse().unwrap()),
            _ => {
                assert_eq!(text, "draw");
                Value::Draw
            }
        }
    }

    /// The same for the other side, a ply earlier.
    fn before(self) -> Value {
        match self {
            Value::Win(plies) => Value::Loss(plies + 1),
            Value::Draw => Value::Draw,
            Value::Loss(plies) => Value::Win(plies + 1),
        }
    }

    fn class(self) -> i32 {
        match self {
            Value::Win(_) => 1,
            Value::Draw => 0,
            Value::Loss(_) => -1,
        }
    }

    /// Greater is better for the side to move.
    fn order(self) -> i64 {
        match self {
            Value::Win(plies) => 1000 - i64::from(plies),
            Value::Draw => 0,
            Value::Loss(plies) => i64::from(plies) - 1000,
        }
    }

    fn score(self) -> Score {
        match self {
            Value::Win(plies) => Score::Win(plies),
            Value::Draw => Score::Draw,
            Value::Loss(plies) => Score::Loss(plies),
        }
    }
}

impl Engine {
    fn start() -> Engine {
        let home = Home::new();
        home.run(&["solve", SMALL_VARIANT]).success();
        let client = Client::spawn(home.privy().args(["--variant", SMALL_VARIANT])).unwrap();
        Engine { client, _home: home }
    }

    #[track_caller]
    fn succeed(&mut self, line: &str) -> String {
        let reply = self.client.request(line, PATIENCE).unwrap();
        assert!(reply.is_success(), "{line}: {}", reply.text());
        reply.text().to_owned()
    }

    fn value(&mut self) -> Value {
        Value::parse(&self.succeed("probe"))
    }

    /// The legal moves with their values, in the order of the answer.
    fn moves(&mut self) -> Vec<(String, Value)> {
        let answer = self.succeed("probe moves");
        let parts = answer.lines().map(|line| line.split_once(' ').unwrap());
        parts.map(|(move_, value)| (move_.to_owned(), Value::parse(value))).collect()
    }

    /// The side to move; `None` when the game is over.
    fn side(&mut self) -> Option<String> {
        self.succeed("status").strip_suffix(" to move").map(str::to_owned)
    }

    fn go(&mut self, limits: &str) -> (Vec<SearchInfo>, String) {
        let mut infos = Vec::new();
        for line in self.succeed(&format!("go {limits}")).lines() {
            match line.parse().unwrap() {
                SearchLine::Info(info) => infos.push(info),
                SearchLine::BestMove(best) => return (infos, best),
            }
        }
        panic!("no bestmove");
    }

    /// Sets up the position after this number of random moves, or fewer if the game is over.
    fn wander(&mut self, random: &mut Random, plies: usize) {
        self.succeed("clear_board");
        for _ in 0..plies {
            let moves = self.succeed("legal_moves");
            let moves: Vec<&str> = moves.split(' ').collect();
            let move_ = moves[random.below(moves.len())];
            self.succeed(&format!("play {move_}"));
            if self.side().is_none() {
                self.succeed("undo");
                break;
            }
        }
    }

    /// Plays both sides to the end or to a number of plies; gives the number and the result.
    fn finish(&mut self, most: u32) -> (u32, String) {
        for ply in 0..most {
            let Some(side) = self.side() else { return (ply, self.succeed("status")) };
            self.succeed(&format!("genmove {side}"));
        }
        (most, self.succeed("status"))
    }
}

#[test]
fn a_perfect_game_ends_after_exactly_the_predicted_number_of_plies() {
    let mut engine = Engine::start();
    engine.succeed("set_option play_style longest");
    let mut random = Random::new(1);
    assert_eq!(engine.finish(100).0, 23);
    for game in 0..40 {
        engine.wander(&mut random, game % 12);
        let (side, value) = (engine.side().unwrap(), engine.value());
        let (plies, result) = engine.finish(120);
        let wins = if side == "general" { "general wins: " } else { "rebels win: " };
        match value {
            Value::Win(predicted) => assert!(plies == predicted && result.starts_with(wins), "{value:?} {result}"),
            Value::Loss(predicted) => {
                assert!(plies == predicted && !result.starts_with(wins) && !result.starts_with("draw"), "{result}");
            }
            Value::Draw => assert!(result.starts_with("draw") || result.ends_with("to move"), "{result}"),
        }
    }
}

/// Against random moves: the class of the value never gets worse for the engine.
#[test]
fn no_style_ever_leaves_the_class_of_the_value() {
    let mut engine = Engine::start();
    let mut random = Random::new(2);
    for game in 0..24 {
        engine.succeed(&format!("set_option play_style {}", if game % 3 == 0 { "longest" } else { "hardest" }));
        engine.wander(&mut random, game % 7);
        let mut least = -1;
        for ply in 0..60 {
            let Some(side) = engine.side() else { break };
            if ply % 2 == 0 {
                let class = engine.value().class();
                assert!(class >= least, "the opponent gained from a move of the engine");
                least = class;
                engine.succeed(&format!("genmove {side}"));
            } else {
                let moves = engine.moves();
                let (move_, value) = &moves[random.below(moves.len())];
                assert!(-moves[0].1.class() == least, "the engine left the class of its value");
                assert!(value.order() <= moves[0].1.order());
                engine.succeed(&format!("play {move_}"));
            }
        }
        if least == 1 {
            assert!(engine.side().is_none(), "a won game ends");
        }
    }
}

#[test]
fn values_are_consistent() {
    let mut engine = Engine::start();
    let mut random = Random::new(3);
    for game in 0..60 {
        engine.wander(&mut random, game % 15);
        let value = engine.value();
        let moves = engine.moves();
        let mut texts: Vec<&str> = moves.iter().map(|(move_, _)| move_.as_str()).collect();
        let sorted = |a: &(String, Value), b: &(String, Value)| (-a.1.order(), &a.0) < (-b.1.order(), &b.0);
        assert!(moves.is_sorted_by(sorted), "{moves:?}");
        texts.sort_unstable();
        assert_eq!(texts.join(" "), engine.succeed("legal_moves"));
        assert_eq!(moves[0].1, value);
        for (move_, value) in &moves {
            engine.succeed(&format!("play {move_}"));
            match engine.side() {
                Some(_) => assert_eq!(engine.value().before(), *value, "{move_}"),
                None => assert_eq!(*value, Value::Win(1), "{move_}"),
            }
            engine.succeed("undo");
        }
    }
}

#[test]
fn lines_are_legal_and_end_with_their_value() {
    let mut engine = Engine::start();
    let mut random = Random::new(4);
    engine.succeed("set_option multi_pv 200");
    for game in 0..30 {
        engine.wander(&mut random, game % 15);
        let moves = engine.moves();
        let (infos, best) = engine.go("depth 3");
        assert_eq!((infos.len(), infos[0].verdict.score), (moves.len(), moves[0].1.score()));
        // The best line by value comes first. In a lost game another move of the class may be played.
        assert!(infos.is_sorted_by_key(|info| Reverse(info.verdict.score)), "{infos:?}");
        let value_of = |text: &str| moves.iter().find(|(move_, _)| move_ == text).unwrap().1;
        let is_best = if value_of(&best).class() == 1 { best == infos[0].pv[0] } else { true };
        assert!(is_best && value_of(&best).class() == moves[0].1.class(), "{best}: {infos:?}");
        for info in infos {
            let value = value_of(&info.pv[0]);
            assert_eq!(info.verdict.score, value.score(), "{info}");
            assert_eq!((info.nodes, info.depth as usize), (0, info.pv.len()), "{info}");
            assert!(info.tbhits > 0);
            for move_ in &info.pv {
                engine.succeed(&format!("play {move_}"));
            }
            if let Value::Win(plies) | Value::Loss(plies) = value {
                assert_eq!(info.pv.len(), plies as usize, "{info}");
                let mover_wins = matches!(value, Value::Win(_));
                let odd = plies % 2 == 1;
                assert_eq!(mover_wins, odd, "in this game the winner makes the last move");
                assert_eq!(engine.side(), None);
            }
            engine.succeed(&format!("undo {}", info.pv.len()));
        }
    }
}

/// The value of a position is that of its best move, even if another move is played.
#[test]
fn the_value_of_a_search_is_that_of_the_position() {
    let mut engine = Engine::start();
    let mut random = Random::new(6);
    for game in 0..60 {
        engine.wander(&mut random, game % 15);
        let (value, moves) = (engine.value(), engine.moves());
        let (infos, best) = engine.go("depth 3");
        assert_eq!((infos.len(), infos[0].verdict.score), (1, value.score()));
        let (_, played) = moves.iter().find(|(move_, _)| *move_ == best).unwrap();
        assert_eq!(played.class(), value.class());
    }
}

/// Move selection probes a bounded number of positions, whatever the limits of the search: moves take about the same
/// time everywhere and the same position gives the same move.
#[test]
fn a_move_from_a_table_looks_up_a_bounded_number_of_positions() {
    const LOOK_AHEAD: u64 = 8000;
    const LINE: u64 = 600;
    const LINES: u64 = 6000;
    let mut engine = Engine::start();
    engine.succeed("position fen 1/3/1r1r1/rrG2/2rrr r - 6 10 three-rows");
    let moves = engine.moves().len() as u64;
    let mut found = BTreeSet::new();
    for limits in ["depth 1", "time 1000000", "nodes 1", "clock 100000000", "depth 1"] {
        let (infos, best) = engine.go(limits);
        let tbhits = infos[0].tbhits;
        assert!((2_000..=moves + LOOK_AHEAD + LINE).contains(&tbhits), "{limits}: {tbhits}");
        found.insert((tbhits, best));
    }
    assert_eq!(found.len(), 1, "the same position gets the same move: {found:?}");
    // A shorter limit ends it earlier.
    assert!(engine.go("time 0").0[0].tbhits <= moves);
    engine.succeed("set_option multi_pv 200");
    let (infos, _) = engine.go("depth 1");
    assert!(infos.last().unwrap().tbhits <= moves + LOOK_AHEAD + LINES);
}

/// A seed chooses among equally good moves.
#[test]
fn a_seed_chooses_among_equal_moves_of_a_table() {
    let mut engine = Engine::start();
    engine.succeed("set_option play_style longest");
    let mut random = Random::new(7);
    let mut several = 0;
    for game in 0..20 {
        engine.wander(&mut random, game % 9);
        let moves = engine.moves();
        let equal: BTreeSet<&str> =
            moves.iter().filter(|(_, value)| *value == moves[0].1).map(|(move_, _)| move_.as_str()).collect();
        let mut played = BTreeSet::new();
        for seed in [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] {
            engine.succeed(&format!("set_option seed {seed}"));
            let (_, best) = engine.go("depth 1");
            assert!(equal.contains(best.as_str()), "{best} of {equal:?}");
            assert!(seed > 0 || played.is_empty() || played.contains(&best), "0 plays always the same");
            played.insert(best);
        }
        several += usize::from(equal.len() > 1);
        assert!(equal.len() == 1 || played.len() > 1, "{equal:?}");
    }
    assert!(several > 3, "{several}");
}

/// A search without the table proves the same values when it reaches the end.
#[test]
fn searches_agree_with_the_table() {
    let mut engine = Engine::start();
    let mut random = Random::new(5);
    let mut compared = 0;
    for game in 0..40 {
        engine.wander(&mut random, 3 + game % 15);
        let value = engine.value();
        if let Value::Win(plies @ ..=9) | Value::Loss(plies @ ..=9) = value {
            engine.succeed("set_option tables off");
            // Two plies more, since pruning near the horizon depends on the evaluation.
            let (infos, _) = engine.go(&format!("depth {}", plies + 2));
            let last = infos.last().unwrap();
            assert_eq!((last.verdict.score, last.tbhits), (value.score(), 0), "{last}");
            engine.succeed("set_option tables auto");
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

/// Runs the binary with this input.
fn session(home: &Home, arguments: &[&str], input: &str) -> Ran {
    run_with_input(&mut home.privy(), arguments, input)
}

/// The hint to solve a game appears once for each variant, after a search, and never without a search.
#[test]
fn the_hint_to_solve_is_given_once() {
    let home = Home::new();
    let small = format!("variant {SMALL_VARIANT}\n");
    let input = format!(
        "time_settings 0 1 50\ngo depth 1\ngo depth 1\nvariant kings-gonu\ngo depth 1\n{small}go depth 1\nexplain\nvariant kings-gonu\n\
         genmove general\nclear_board\ngo depth 1\nvariant yeung-luk\ngo depth 1\n"
    );
    let ran = session(&home, &[], &input);
    assert_eq!(ran.status, Some(0));
    let named: Vec<&str> = ran.errors.lines().map(|line| line.split(' ').nth(4).unwrap()).collect();
    assert_eq!(named, ["sixteen-rebels", "kings-gonu", "three-rows"], "{}", ran.errors);
    for line in ran.errors.lines() {
        assert!(line.starts_with("privy: no table of ") && line.contains("privy solve"), "{line}");
        assert!(line.contains(home.join("").to_str().unwrap()), "the folder: {line}");
    }
    let quiet = "probe\nprobe moves\ntable\nvariant kings-gonu\nprobe\nperft 2\nlegal_moves\n";
    assert_eq!(session(&home, &[], quiet).errors, "", "what asks for a table is answered, not told");
    assert_eq!(session(&home, &["--tables", "off"], &input).errors, "");
    home.run(&["solve", SMALL_VARIANT]).success();
    assert_eq!(session(&home, &[], &format!("{small}go depth 1\n")).errors, "");
}

#[test]
fn a_damaged_table_is_reported_and_not_used() {
    let home = Home::new();
    home.run(&["solve", SMALL_VARIANT]).success();
    let list = home.run(&["tables", "list"]).success();
    let path = list.trim_end().splitn(6, ' ').last().unwrap().to_owned();
    let sound = fs::read(&path).unwrap();
    let input = format!(
        "variant {SMALL_VARIANT}\nprobe\nprobe moves\ntable\nexplain\ngo depth 2\ntime_settings 0 1 50\ngenmove rebels\nname\n"
    );
    for at in [0, 20, 2000, 30_000, sound.len() - 9] {
        let mut damaged = sound.clone();
        damaged[at] ^= 4;
        fs::write(&path, &damaged).unwrap();
        let ran = session(&home, &[], &input);
        assert!(ran.status == Some(0) && ran.output.ends_with("= Privy\n\n"), "{ran:?}");
        let answers: Vec<&str> = ran.output.split_terminator("\n\n").collect();
        let probed = answers[1];
        assert!(probed == "= win 23" || probed.starts_with(&format!("? no table: {path}: ")), "{at}: {probed}");
        assert!(answers[2].starts_with(&format!("? no table: {path}: ")), "{at}: {}", answers[2]);
        assert!(answers[4].contains("a search") || answers[4].contains("short search"), "{at}: {}", answers[4]);
        assert!(answers[5].contains(" tbhits 0 "), "searched instead: {}", answers[5]);
        assert!(!ran.errors.is_empty() && ran.errors.lines().all(|line| line.starts_with("privy: ")), "{}", ran.errors);
        assert!(ran.errors.contains(&path), "{}", ran.errors);
    }
    // The table is repaired while an engine runs.
    let mut client = Client::spawn(home.privy().args(["--variant", SMALL_VARIANT, "--log", "/dev/null"])).unwrap();
    assert!(!client.request("table", PATIENCE).unwrap().is_success());
    home.run(&["solve", SMALL_VARIANT]).success();
    assert_eq!(client.request("probe", PATIENCE).unwrap().text(), "win 23");
}

/// No clock runs down, and no move waits.
#[test]
fn moves_from_a_table_need_no_clock() {
    let mut engine = Engine::start();
    engine.succeed("time_settings 0.001 0 0");
    assert_eq!(engine.finish(100).0 % 2, 1);
    engine.succeed("clear_board");
    for limits in ["time 1000000", "infinite depth 50", "clock 100000000 inc 1000", "nodes 1000000000000"] {
        let (infos, best) = engine.go(limits);
        assert_eq!((infos[0].verdict.score, best.as_str()), (Score::Win(23), "c1-c2"), "{limits}");
    }
}
