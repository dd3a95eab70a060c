//! Review of games: the command of the protocol, and `privy review`.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use privy_protocol::{Client, Score};
use privy_records::Record;
use privy_rules::{Game, Variant};
use serde::Deserialize;

use crate::support::binary;
use crate::support::late::PATIENCE;
use crate::support::random;

use binary::{Home, SMALL_VARIANT, run_with_input};
use random::Random;

/// A line about a move, as programs read it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    ply: usize,
    side: String,
    #[serde(rename = "move")]
    text: String,
    score: String,
    winrate: f64,
    best: String,
    best_score: String,
    best_winrate: f64,
    exact: bool,
    judgement: String,
    lost_plies: u32,
    only: bool,
    line: Vec<String>,
}

/// The last line.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Summary {
    turning_points: Vec<usize>,
    general_accuracy: f64,
    rebels_accuracy: f64,
}

fn read(answer: &str) -> (Vec<Judged>, Summary) {
    let (moves, last) = answer.trim().rsplit_once('\n').unwrap_or(("", answer.trim()));
    let moves = moves.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap());
    (moves.collect(), serde_json::from_str(last).unwrap())
}

/// A home folder with the table of the small variant.
fn solved() -> Home {
    let home = Home::new();
    home.run(&["solve", SMALL_VARIANT]);
    home
}

fn small() -> Game {
    Arc::new(Variant::from_file(SMALL_VARIANT.as_ref()).unwrap()).start()
}

struct Engine(Client);

impl Engine {
    fn start(home: &Home) -> Engine {
        Engine(Client::spawn(home.privy().stderr(std::process::Stdio::null())).unwrap())
    }

    fn succeed(&mut self, command: &str) -> String {
        let reply = self.0.request(command, PATIENCE).unwrap();
        assert!(reply.is_success(), "{command}: {reply:?}");
        reply.text().to_owned()
    }

    /// The values of all moves, best first: text, class (1 for a win), plies.
    fn probe(&mut self, moves: &[String]) -> Vec<(String, i32, u32)> {
        self.succeed(&format!("position startpos moves {}", moves.join(" ")));
        let values = self.succeed("probe moves");
        let value = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let class = ["loss", "draw", "win"].iter().position(|class| *class == words[1]).unwrap() as i32 - 1;
            (words[0].to_owned(), class, words.get(2).map_or(0, |plies| plies.parse().unwrap()))
        };
        values.lines().map(value).collect()
    }
}

/// A game with errors of all kinds, in which no position comes twice, so that values without a history are right.
fn game_with_errors(engine: &mut Engine, seed: u64, plies: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let (mut game, mut moves) = (small(), Vec::new());
    while moves.len() < plies && game.outcome().is_none() {
        let valued = engine.probe(&moves);
        let is_new = |text: &str| {
            let next = game.continued(&game.parse_move(None, text).unwrap());
            next.occurrences() == 1
        };
        let kept = valued.iter().filter(|(text, ..)| is_new(text));
        // Now the best, now any.
        let kept: Vec<String> = kept.map(|(text, ..)| text.clone()).collect();
        let Some(first) = kept.first() else { break };
        let chosen = if random.one_in(2) { first.clone() } else { random.choose(&kept) };
        game.play(game.parse_move(None, &chosen).unwrap());
        moves.push(chosen);
    }
    moves
}

fn score_of((_, class, plies): &(String, i32, u32)) -> String {
    match class {
        1 => Score::Win(*plies),
        0 => Score::Draw,
        _ => Score::Loss(*plies),
    }
    .to_string()
}

#[test]
fn every_judgement_is_that_of_the_table() {
    let home = solved();
    let mut engine = Engine::start(&home);
    engine.succeed(&format!("variant {SMALL_VARIANT}"));
    let mut seen: Vec<String> = Vec::new();
    let sides = ["rebels", "general"];
    for seed in 0..4 {
        let moves = game_with_errors(&mut engine, seed, 40);
        engine.succeed(&format!("position startpos moves {}", moves.join(" ")));
        let (judged, summary) = read(&engine.succeed("review"));
        assert_eq!(judged.len(), moves.len());
        let mut lost = [(0.0, 0); 2];
        let mut turning = Vec::new();
        for (place, found) in judged.iter().enumerate() {
            let valued = engine.probe(&moves[..place]);
            let played = valued.iter().find(|(text, ..)| *text == moves[place]).unwrap();
            let (best, chance) = (&valued[0], |class: i32| f64::from(class + 1) / 2.0);
            let is_best = (best.1, best.2) == (played.1, played.2);
            let judgement = match () {
                () if is_best => "best",
                () if best.1 == played.1 => "slower",
                () => "blunder",
            };
            let context = format!("seed {seed}: {found:?}");
            assert_eq!((found.ply, &found.text), (place + 1, &moves[place]), "{context}");
            assert_eq!(found.side, sides[place % 2], "{context}");
            assert_eq!(found.judgement, judgement, "{context}");
            assert_eq!((&found.score, &found.best_score), (&score_of(played), &score_of(best)), "{context}");
            assert_eq!((found.winrate, found.best_winrate), (chance(played.1), chance(best.1)), "{context}");
            assert_eq!(
                found.lost_plies,
                if judgement == "slower" { best.2.abs_diff(played.2) } else { 0 },
                "{context}"
            );
            let keeping = valued.iter().filter(|value| value.1 == best.1).count();
            assert_eq!(found.only, played.1 == best.1 && keeping == 1 && valued.len() > 1, "{context}");
            assert!(found.exact && (found.best == found.text) == is_best, "{context}");
            let named = valued.iter().find(|(text, ..)| *text == found.best).unwrap();
            assert_eq!((named.1, named.2), (best.1, best.2), "{context}");
            assert_eq!(found.line.first(), Some(&found.best), "{context}");
            assert!(best.1 == 0 || found.line.len() == best.2 as usize, "{context}");
            let loss = chance(best.1) - chance(played.1);
            lost[place % 2] = (lost[place % 2].0 + loss, lost[place % 2].1 + 1);
            if judgement == "blunder" {
                turning.push((loss, found.ply));
            }
            seen.push(judgement.to_owned());
        }
        turning.sort_by(|one, next| next.0.total_cmp(&one.0));
        let plies: Vec<usize> = turning.iter().take(5).map(|(_, ply)| *ply).collect();
        assert_eq!(summary.turning_points, plies);
        for ((sum, count), told) in lost.iter().zip([summary.rebels_accuracy, summary.general_accuracy]) {
            assert!((1.0 - sum / f64::from(*count) - told).abs() < 0.0001, "{summary:?}");
        }
    }
    for judgement in ["best", "slower", "blunder"] {
        assert!(seen.iter().any(|found| found == judgement), "{judgement}: {seen:?}");
    }
}

#[test]
fn a_review_by_search_takes_its_time_and_the_same_nodes_say_the_same() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.succeed("position startpos moves c3-b2 a2-a3 b2-c2 a3-b3 c2-d2 e3-d3");
    let review = |engine: &mut Engine, arguments: &str| read(&engine.succeed(&format!("review {arguments}")));
    let nodes = review(&mut engine, "nodes 400");
    assert_eq!(nodes, review(&mut engine, "nodes 400"));
    let start = Instant::now();
    let (judged, _) = review(&mut engine, "time 30");
    // Seven positions.
    let spent = start.elapsed();
    assert!(spent >= Duration::from_millis(100) && spent < Duration::from_secs(20), "{spent:?}");
    assert_eq!(judged.len(), 6);
    for found in judged.iter().chain(&nodes.0).filter(|found| !found.exact) {
        let lost = found.best_winrate - found.winrate;
        let expected = match lost {
            _ if found.best == found.text => "best",
            ..0.04995 => "good",
            ..0.14995 => "inaccuracy",
            ..0.29995 => "mistake",
            _ => "blunder",
        };
        assert_eq!(found.judgement, expected, "{found:?}");
        assert!(lost >= 0.0 && !found.only && found.lost_plies == 0, "{found:?}");
        assert_eq!(found.line.first(), Some(&found.best), "{found:?}");
    }
    assert_eq!(engine.succeed("undo 6"), "");
    let reply = engine.0.request("review", PATIENCE).unwrap();
    assert_eq!((reply.is_success(), reply.text()), (false, "cannot score: no move has been played"));
}

#[test]
fn a_stopped_review_sums_up_what_has_been_judged() {
    let input = "position startpos moves c3-b2 a2-a3 b2-c2\n1 review time 1000000\nstop\n2 fen\n";
    let start = Instant::now();
    let ran = run_with_input(&mut Home::new().privy(), &[], input);
    assert!(start.elapsed() < PATIENCE);
    let answers: Vec<&str> = ran.output.split("\n\n").collect();
    let (judged, summary) = read(answers[1].strip_prefix("=1").unwrap());
    assert!(judged.is_empty(), "{judged:?}");
    assert_eq!(summary, Summary { turning_points: Vec::new(), general_accuracy: 1.0, rebels_accuracy: 1.0 });
    assert_eq!((answers[2], &answers[3][..3]), ("= ", "=2 "));
}

/// The record of a game of the small variant, as text and as JSON.
fn recorded(moves: &[String]) -> (String, String) {
    let mut game = small();
    for text in moves {
        game.play(game.parse_move(None, text).unwrap());
    }
    let record = Record { general: "Zhang".to_owned(), ..Record::of(&game) };
    (record.to_string(), serde_json::to_string(&record).unwrap())
}

#[test]
fn a_recorded_game_is_reviewed_for_programs_and_for_people() {
    let home = solved();
    let mut engine = Engine::start(&home);
    engine.succeed(&format!("variant {SMALL_VARIANT}"));
    let moves = game_with_errors(&mut engine, 7, 30);
    engine.succeed(&format!("position startpos moves {}", moves.join(" ")));
    let answer = engine.succeed("review");
    let (judged, summary) = read(&answer);
    assert!(!summary.turning_points.is_empty());
    let (text, json) = recorded(&moves);
    let picture = home.join("curve.svg");
    for (name, record) in [("game.txt", text), ("game.json", json)] {
        let path = home.join(name);
        fs::write(&path, record).unwrap();
        let words = ["review", path.to_str().unwrap(), "--variant", SMALL_VARIANT];
        let run = |more: &[&str]| home.run(&[&words[..], more].concat()).success();
        assert_eq!(run(&["--json"]).trim(), answer.trim());
        let shown = run(&["--svg", picture.to_str().unwrap()]);
        assert!(shown.starts_with(&format!("Zhang - ?, three-rows, {} plies: ", moves.len())), "{shown}");
        for found in &judged {
            let line = shown.lines().find(|line| line.starts_with(&format!("{:>4}  ", found.ply))).unwrap();
            assert!(line.contains(&format!("  {}", found.text)), "{line}");
            let told = match found.score.parse().unwrap() {
                Score::Win(1) => "wins in 1 ply".to_owned(),
                Score::Win(plies) => format!("wins in {plies} plies"),
                Score::Loss(plies) => format!("loses in {plies} plies"),
                _ => "draws".to_owned(),
            };
            assert!(line.ends_with(&told), "{found:?}: {line}");
            assert_eq!(line.contains("blunder: gives the "), found.judgement == "blunder", "{line}");
            assert_eq!(line.contains("the only move"), found.only, "{line}");
            assert_eq!(line.contains(" later ") || line.contains(" sooner "), found.judgement == "slower", "{line}");
        }
        for ply in &summary.turning_points {
            let Judged { text, best, .. } = &judged[ply - 1];
            let told = shown.lines().find(|line| line.starts_with(&format!("{ply}. "))).unwrap();
            assert!(told.contains(&format!(" {text}: ")) && told.contains(&format!("Right was {best}: ")), "{told}");
        }
        assert!(shown.contains(&format!("has kept {:.0} %", 100.0 * summary.general_accuracy)), "{shown}");
        let (_, curve) = shown.rsplit_once("ply by ply").unwrap();
        let marks = |mark| curve.lines().skip(1).flat_map(str::chars).filter(|letter| *letter == mark).count();
        assert_eq!((marks('x'), marks('*') + marks('x')), (summary.turning_points.len(), moves.len()), "{curve}");
        let svg = fs::read_to_string(&picture).unwrap();
        assert_eq!(svg.matches("<circle").count(), summary.turning_points.len());
    }
}

#[test]
fn records_that_cannot_be_reviewed_are_refused_with_the_reason() {
    let home = Home::new();
    let game = "[Variant \"sixteen-rebels\"]\n\n1. c3-b2 2. a2-a3 *\n";
    let path = home.join("games.txt");
    let refused = |text: &str, status: i32| {
        fs::write(&path, text).unwrap();
        home.run(&["review", path.to_str().unwrap(), "--time", "1"]).failure(status)
    };
    let replayed = |text: &str| {
        fs::write(&path, text).unwrap();
        home.run(&["replay", path.to_str().unwrap()]).failure(1)
    };
    assert_eq!(refused("", 1), replayed(""));
    for text in ["\u{0}\u{1}", "(;FF[4", "{\"variant\":1}"] {
        let unreadable = refused(text, 1);
        assert!(unreadable.contains("not sound: ") && replayed(text).contains("not sound: "), "{unreadable}");
    }
    let illegal = refused(&game.replace("a2-a3", "a2-c4"), 1);
    assert!(illegal.contains("not sound: ") && illegal.contains(": game 1: ply 2: a2-c4: "), "{illegal}");
    let over = refused(&format!("[Termination \"rebels win: no move\"]\n{}", game.replace('*', "rebels")), 1);
    assert!(over.contains("not sound: "), "{over}");
    let several = refused(&format!("{game}\n{game}"), 2);
    assert!(several.contains("the file has 2 games; name one by its number"), "{several}");
    let none = refused("[Variant \"sixteen-rebels\"]\n\n*\n", 1);
    assert_eq!(none, "privy: cannot score: no move has been played\n");
    fs::write(&path, format!("{game}\n{game}")).unwrap();
    let words = ["review", path.to_str().unwrap(), "--game", "2", "--time", "5", "--json"];
    assert_eq!(read(&home.run(&words).success()).0.len(), 2);
    let ran = run_with_input(&mut Home::new().privy(), &["review", "-", "--time", "5"], game);
    assert!(ran.success().starts_with("? - ?, sixteen-rebels, 2 plies: unfinished\n"));
    let folder = home.join("no/such/curve.svg");
    let unwritten = home.run(&["review", path.to_str().unwrap(), "--game", "1", "--svg", folder.to_str().unwrap()]);
    assert!(unwritten.failure(1).starts_with("privy: cannot save file: "));
}
