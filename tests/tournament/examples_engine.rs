//! The weak example engine: it plays by the rules of its games and survives any input.

use std::io::Write;
use std::process::Stdio;

use privy_protocol::{Client, Reply};
use privy_rules::{Game, Outcome, Side, Variant};
use privy_testing::cases;

use crate::support::late::PATIENCE;
use crate::support::random;
use crate::support::scripts;

use random::Random;
use scripts::example;

/// The games that it supports.
const VARIANTS: [&str; 6] = [
    "sixteen-rebels",
    "sixteen-rebels-murray",
    "shap-luk-kon",
    "shap-luk-kon-2",
    "juroku-musashi-hasami",
    "monk-and-water",
];

/// The limit of plies of a game.
const PLIES: usize = 200;

/// The weak engine; every line sent to it must succeed.
struct Weak(Client);

impl Weak {
    fn start(seed: &str) -> Weak {
        let mut command = example("python3", "weak_engine.py");
        Weak(Client::spawn(command.args(["--seed", seed])).unwrap())
    }

    fn ask(&mut self, line: &str) -> Reply {
        self.0.request(line, PATIENCE).unwrap()
    }

    #[track_caller]
    fn must(&mut self, line: &str) -> String {
        let reply = self.ask(line);
        assert!(reply.is_success(), "{line}: {reply:?}");
        reply.text().to_owned()
    }

    #[track_caller]
    fn best_move(&mut self, line: &str) -> String {
        self.must(line).trim().strip_prefix("bestmove ").unwrap().to_owned()
    }

    /// Its position equals that of the rules.
    #[track_caller]
    fn check(&mut self, game: &Game) {
        let mut moves: Vec<String> = game.legal_moves().iter().map(|move_| game.move_text(move_)).collect();
        moves.sort();
        assert_eq!(self.must("legal_moves"), moves.join(" "), "{}", game);
        assert_eq!(self.must("status"), status(game), "{}", game);
    }
}

/// It has `status`, and no option `move_limit`.
#[test]
fn an_engine_that_does_not_know_the_limit_loses_no_game_by_it() {
    let home = crate::support::binary::Home::new();
    let engine = |seed| format!("name=weak{seed},cmd={}", scripts::weak_line(&format!("--seed {seed}")));
    let (one, two) = (engine(1), engine(2));
    let words =
        ["match", "--engine", &one, "--engine", &two, "--games", "4", "--move-limit", "20", "--openings", "opening"];
    let output = home.run(&[&words[..], &["--tables", "off"]].concat()).success();
    assert!(output.contains("draw: move limit") && !output.contains("wrong status"), "{output}");
}

fn variant(id: &str) -> std::sync::Arc<Variant> {
    Variant::builtin(id).unwrap()
}

fn status(game: &Game) -> String {
    game.outcome().map_or_else(|| format!("{} to move", game.side()), |outcome| outcome.to_string())
}

/// Plays a game, with the engine for some sides and random moves for the others. Returns the result.
fn play(weak: &mut Weak, id: &str, sides: &[Side], random: &mut Random) -> Option<Outcome> {
    let mut game = variant(id).start();
    weak.must(&format!("variant {id}"));
    for _ in 0..PLIES {
        weak.check(&game);
        if game.outcome().is_some() {
            break;
        }
        let side = game.side();
        let text = match sides.contains(&side) {
            true if random.one_in(4) => weak.must(&format!("genmove {side}")),
            true => {
                let text = weak.best_move("go nodes 1");
                weak.must(&format!("play {text}"));
                text
            }
            false => {
                let text = game.move_text(&random.choose(&game.legal_moves()));
                weak.must(&format!("play {side} {text}"));
                text
            }
        };
        // Its moves are legal and in canonical form.
        let move_ = game.parse_move(Some(side), &text).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!(game.move_text(&move_), text);
        game.play(move_);
    }
    game.outcome()
}

#[test]
fn hundreds_of_games_are_legal() {
    let mut random = Random::new(20);
    let mut outcomes = Vec::new();
    for id in VARIANTS {
        let mut weak = Weak::start(id);
        for number in 0..cases(20) {
            let sides: &[Side] = match number % 4 {
                0 | 1 => &[Side::General],
                2 => &[Side::Rebels],
                _ if number < 4 => &[Side::General, Side::Rebels],
                _ => &[],
            };
            outcomes.extend(play(&mut weak, id, sides, &mut random));
        }
    }
    // Some endings are rare in these games.
    for outcome in [
        Outcome::Apex(Side::General),
        Outcome::Return,
        Outcome::Attrition,
        Outcome::Custodial,
        Outcome::PrivyClosed,
        Outcome::NoMove(Some(Side::Rebels)),
        Outcome::Repetition(None),
    ] {
        assert!(outcomes.contains(&outcome), "{outcome}");
    }
}

/// A position text with random pieces, often one that no game reaches.
fn random_text(id: &str, random: &mut Random) -> String {
    let variant = variant(id);
    let board = variant.board();
    let mut points: Vec<_> = board.all().into_iter().collect();
    random.shuffle(&mut points);
    let general = points.pop().unwrap();
    let field: Vec<_> = points.into_iter().filter(|point| board.field.contains(*point) || random.one_in(200)).collect();
    let rebels = &field[..random.below(18).min(field.len())];
    let row = |row: &Vec<privy_rules::board::Point>| {
        let cell = |point: privy_rules::board::Point| match point {
            point if point == general => 'G',
            point if rebels.contains(&point) => 'r',
            _ => '1',
        };
        row.iter().copied().map(cell).collect::<String>()
    };
    let rows: Vec<String> = board.rows.iter().map(row).collect();
    let side = random.choose(&["g", "r"]);
    let flags = random.choose(&["-", "-", "a"]);
    format!("{} {side} {flags} 0 0 {id}", rows.join("/"))
}

#[test]
fn positions_have_the_result_of_the_rules() {
    let mut random = Random::new(21);
    let mut weak = Weak::start("");
    for id in VARIANTS {
        for _ in 0..cases(80) {
            let text = random_text(id, &mut random);
            let reply = weak.ask(&format!("position fen {text}"));
            match Game::from_text(&text, None) {
                Err(error) => assert!(reply.text().starts_with("illegal position"), "{text}: {error}: {reply:?}"),
                Ok(position) => {
                    assert!(reply.is_success(), "{text}: {reply:?}");
                    let mut game = position;
                    weak.check(&game);
                    for _ in 0..2 {
                        let moves = game.legal_moves();
                        if !moves.is_empty() {
                            let move_ = random.choose(&moves);
                            weak.must(&format!("play {}", game.move_text(&move_)));
                            game.play(move_);
                            weak.check(&game);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn other_games_are_refused() {
    let mut weak = Weak::start("");
    assert_eq!(weak.must("list_variants").lines().collect::<Vec<_>>(), VARIANTS);
    let others: Vec<&str> = Variant::builtin_ids().filter(|id| !VARIANTS.contains(id)).collect();
    assert_eq!(others.len(), 8);
    for id in others.into_iter().chain(["chess", "Sixteen-Rebels", "sixteen-rebels monk-and-water", "./mine.toml"]) {
        let reply = weak.ask(&format!("variant {id}"));
        assert!(!reply.is_success() && reply.text().starts_with("unknown variant: "), "{id}: {reply:?}");
        assert_eq!(weak.must("variant"), "sixteen-rebels");
    }
}

#[test]
fn the_seed_determines_the_moves() {
    let line = |seed: &str| {
        let mut weak = Weak::start(seed);
        let mut moves: Vec<String> = Vec::new();
        for number in 0..10 {
            // The move does not depend on how the position arose.
            let text = match number % 2 {
                0 => weak.must(&format!("genmove {}", ["general", "rebels"][moves.len() % 2])),
                _ => weak.best_move("go time 1000"),
            };
            moves.push(text);
            weak.must(&format!("position startpos moves {}", moves.join(" ")));
        }
        moves
    };
    assert_eq!(line("7"), line("7"));
    assert_ne!(line("7"), line("8"));
}

/// Invalid lines, with the prefix of the answer.
const WRONG: [(&[u8], &str); 30] = [
    (b"nonsense", "? unknown command"),
    (b"Name", "? unknown command"),
    (b"7 nonsense", "?7 unknown command"),
    (b"7", "?7 syntax error"),
    (b"99999999999999999999 name", "? syntax error: id"),
    (b"name please", "? syntax error"),
    (b"quit now", "? syntax error"),
    (b"play", "? syntax error"),
    (b"play nowhere", "? syntax error"),
    (b"play c3-c9", "? illegal move"),
    (b"play c3-e4", "? illegal move"),
    (b"play c3xe5", "? syntax error"),
    (b"play rebels b1-b2", "? illegal move"),
    (b"play b1-b2", "? illegal move"),
    (b"play general", "? syntax error"),
    (b"genmove", "? syntax error"),
    (b"genmove nobody", "? syntax error"),
    (b"genmove rebels", "? illegal move"),
    (b"go depth", "? syntax error"),
    (b"go depth x", "? syntax error"),
    (b"go searchmoves a1-e5", "? illegal move"),
    (b"position", "? syntax error"),
    (b"position fen", "? syntax error"),
    (b"position fen moves c3-b2", "? illegal position"),
    (b"position startpos moves c3-b2 c3-b2", "? illegal move"),
    (b"position fen 1/3/rrGrr/r3r/r3r/r3r/rrrrr r - 0 0 chess", "? unknown variant"),
    (b"position fen 1/3/rrrrr/r3r/r3r/r3r/rrrrr", "? illegal position"),
    (b"position fen G/3/rrrrr/r3r/r1G1r/r3r/rrrrr", "? illegal position"),
    (b"variant \xff\xfe", "? syntax error"),
    (b"known_command \xff", "? syntax error"),
];

/// Runs the engine on an input to its end; returns output and standard error.
fn answered(input: &[u8]) -> String {
    let mut child = example("python3", "weak_engine.py")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bad_input_is_answered_and_changes_nothing() {
    let mut input = Vec::new();
    let mut expected = Vec::new();
    for (line, beginning) in WRONG {
        for line in [line, b"legal_moves", b"# a comment", b" \t\r", b"12 \x00st\x01atus\r # and a remark"] {
            input.extend_from_slice(line);
            input.push(b'\n');
        }
        expected.extend([beginning, "= c3-b2 c3-b3 c3-b4 c3-c2 c3-c4 c3-d2 c3-d3 c3-d4", "=12 general to move"]);
    }
    input.extend_from_slice(&b"name ".repeat(20_000));
    input.extend_from_slice(b"\nversion");
    expected.extend(["? syntax error", "= 1"]);
    let output = answered(&input);
    let answers: Vec<&str> = output.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), expected.len(), "{output}");
    for (answer, expected) in answers.iter().zip(expected) {
        assert!(answer.starts_with(expected), "{answer}: {expected}");
    }
}

#[test]
fn quit_or_a_closed_output_ends_the_engine() {
    assert_eq!(answered(b"3 quit\nname\n"), "=3 \n\n");
    assert_eq!(answered(b""), "");
    let mut command = example("python3", "weak_engine.py");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    // It may have ended before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(&b"name\n".repeat(1000));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn the_session_for_engine_authors_is_answered_as_written() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/ENGINE_AUTHORS.md")).unwrap();
    let session = text.split("```session\n").nth(1).unwrap().split("```").next().unwrap();
    let (typed, answers): (Vec<&str>, Vec<&str>) = session.lines().partition(|line| line.starts_with("> "));
    let input = typed.join("\n").replace("> ", "");
    assert_eq!(answered(input.as_bytes()).trim_end(), answers.join("\n").trim_end());
}
