//! Proofs of openings: `privy prove` and `privy check-proof`, with every proof checked again by the naive rules.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

use privy_base::random::Random;
use privy_engine::Engine;
use privy_oracle::Oracle;
use privy_rules::{MovePath, Side, Variant};
use privy_search::proof::{Proof, ProofGoal};
use privy_search::{Limits, Searcher, Stop};
use privy_testing::oracle;
use privy_testing::proofs::{check_win, image};
use ruzstd::decoding::StreamingDecoder;

use super::prove_play::held_by_the_rebels;
use crate::support::binary::{Home, Ran, SMALL_VARIANT};

/// The proofs that docs/PROOFS.md lists.
const KEPT: [&str; 4] = ["subjugatio", "subjugatio-free", "subjugatio-intervention", "sixteen-rebels-neeley"];

/// The first three fields of a position text.
fn fields(oracle: &Oracle) -> String {
    oracle.text().split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// Checks a closed set by the naive rules, at every `every`-th step: each step leads to positions of the set or to an end that is
/// not lost.
fn check_closed_set(text: &str, side: &str, every: usize) {
    let mut lines = text.lines();
    let variant = lines.next().unwrap().strip_prefix("# privy proof 1 ").unwrap().split(' ').next().unwrap();
    let root = lines.next().unwrap().strip_prefix("root ").unwrap();
    let step = |line| -> (String, String) {
        let [position @ .., move_, "-"] = &str::split(line, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        (position.join(" "), (*move_).to_owned())
    };
    let steps: Vec<(String, String)> = lines.map(step).collect();
    let listed: HashSet<String> = steps.iter().map(|(position, _)| image(position)).collect();
    let is_held = |oracle: &Oracle| match oracle.result() {
        Some(result) => result.starts_with(side),
        None => listed.contains(&image(&fields(oracle))),
    };
    let holds_against_all_replies = |oracle: &Oracle| {
        oracle.legal_moves().iter().all(|reply| {
            let mut next = oracle::from_text(variant, &fields(oracle)).unwrap();
            next.play(reply);
            is_held(&next)
        })
    };
    for (position, move_) in steps.iter().step_by(every) {
        let mut oracle = oracle::from_text(variant, position).unwrap();
        assert!(oracle.legal_moves().contains(move_), "{position} {move_}");
        oracle.play(move_);
        assert!(oracle.result().is_some_and(|result| result.starts_with(side)) || holds_against_all_replies(&oracle));
    }
    let root = oracle::from_text(variant, root).unwrap();
    assert!(is_held(&root) || holds_against_all_replies(&root));
}

/// The output of the independent checker, which was written from the rules alone.
fn check_independently(proof: &Path) -> Ran {
    Ran::from(Command::new("python3").arg("docs/proofs/check_proof.py").arg(proof).output().unwrap())
}

pub(crate) fn unpacked(file: &Path) -> String {
    std::io::read_to_string(StreamingDecoder::new(std::fs::File::open(file).unwrap()).unwrap()).unwrap()
}

#[test]
fn an_opening_is_proved_checked_twice_and_resumed() {
    let home = Home::new();
    let (proof, store) = (home.join("murray.proof"), home.join("store"));
    let (proof, store) = (proof.to_str().unwrap(), store.to_str().unwrap());
    let words =
        ["prove", "sixteen-rebels-murray", "--nodes", "2000", "--threads", "1", "--store", store, "--output", proof];
    let message = home.run(&words).success();
    assert!(
        message.starts_with("sixteen-rebels-murray: the rebels win within ") && !message.contains(" 0 searches"),
        "{message}"
    );
    let checked = home.run(&["check-proof", proof]).success();
    assert!(checked.starts_with("sixteen-rebels-murray: sound: the rebels win within "), "{checked}");
    let text = std::fs::read_to_string(proof).unwrap();
    let plies = check_win(&text, "rebels", 1);
    assert!(checked.contains(&format!("within {plies} plies")), "{checked} {plies}");
    std::fs::remove_file(proof).unwrap();
    let again = home.run(&words).success();
    assert!(again.contains(" 0 searches"), "all judgements are in the store: {again}");
    assert_eq!(std::fs::read_to_string(proof).unwrap(), text);
    let other = ["prove", "monk-and-water", "--store", store, "--output", proof];
    let refused = home.run(&other).failure(1);
    assert!(refused.contains("cannot load file") && refused.contains("fingerprint"), "{refused}");
}

/// A proof is shortened to the length of the table, and no further.
#[test]
fn a_proof_is_shortened_to_the_length_of_the_game() {
    let home = Home::new();
    let file = home.join("shorter.proof");
    let words = ["prove", SMALL_VARIANT, "--nodes", "1000", "--threads", "1", "--plies", "29", "--shorter", "--output"];
    let message = home.run(&[&words[..], &[file.to_str().unwrap()]].concat()).success();
    let lines: Vec<&str> = message.lines().collect();
    let (last, proofs) = lines.split_last().unwrap();
    let plies = |line: &&str| -> u32 {
        let (_, rest) = line.split_once(" win within ").unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    let bounds: Vec<u32> = proofs.iter().map(plies).collect();
    assert!(bounds.len() >= 2 && bounds.is_sorted_by(|one, next| one > next), "{message}");
    let shortest = bounds[bounds.len() - 1];
    assert_eq!(*last, format!("three-rows: no proof within {} plies found", shortest - 1));
    let checked = home.run(&["check-proof", file.to_str().unwrap(), "--variant", SMALL_VARIANT]).success();
    assert!(checked.contains(&format!("the rebels win within {shortest} plies")), "{checked}");
    let tables = home.join("tables");
    home.run(&["solve", SMALL_VARIANT, "--tables", tables.to_str().unwrap()]).success();
    let exact = home.run(&["probe", SMALL_VARIANT, "--tables", tables.to_str().unwrap()]).success();
    assert_eq!(exact.trim(), format!("win {shortest}"));
}

/// A proof leaves out positions that are won at sight, even the first.
#[test]
fn a_win_at_sight_is_a_win() {
    let home = Home::new();
    let proof = home.join("one.proof");
    let proof = proof.to_str().unwrap();
    let position = ["--fen", "1/G2/5/5/5/5/rrrrr g", "--for", "general", "--output", proof];
    let printed = home.run(&[&["prove", "sixteen-rebels"], &position[..]].concat()).success();
    assert!(printed.starts_with("sixteen-rebels: the general wins within 1 ply; 0 positions, 1 leaf, "), "{printed}");
    let checked = home.run(&["check-proof", proof]).success();
    assert!(checked.contains("sound: the general wins within 1 ply from "), "{checked}");
}

#[test]
fn a_win_beyond_the_limit_is_not_proved() {
    let home = Home::new();
    let proof = home.join("none.proof");
    let words =
        ["prove", "sixteen-rebels-murray", "--plies", "3", "--nodes", "2000", "--output", proof.to_str().unwrap()];
    let message = home.run(&words).failure(1);
    assert!(message.contains("not proved: ") && message.contains("within 3 plies"), "{message}");
    let position = ["prove", "sixteen-rebels-murray", "--fen", "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr r"];
    let message = home.run(&position).failure(2);
    assert!(message.contains("--output: "), "{message}");
    assert!(!proof.exists());
}

/// The Rebels win `monk-and-water`. A proof that they do not lose is a closed set of positions.
#[test]
fn a_side_that_holds_is_proved_by_a_closed_set() {
    let home = Home::new();
    let (_, packed, message) = held_by_the_rebels(&home);
    assert!(message.starts_with("monk-and-water: the rebels do not lose; "), "{message}");
    let text = unpacked(&packed);
    let proof = home.join("hold.proof");
    std::fs::write(&proof, &text).unwrap();
    let path = proof.to_str().unwrap();
    let checked = home.run(&["check-proof", path]).success();
    assert!(checked.starts_with("monk-and-water: sound: the rebels do not lose; "), "{checked}");
    check_closed_set(&text, "rebels", 20);
    assert!(check_independently(&proof).success().starts_with("monk-and-water: sound: the rebels do not lose; "));
    // A missing position leaves a hole for the General, unless the position is won in a few plies.
    let holes: Vec<&str> = text.lines().enumerate().filter(|(at, _)| at % 50 != 2).map(|(_, line)| line).collect();
    std::fs::write(&proof, holes.join("\n")).unwrap();
    let message = home.run(&["check-proof", path]).failure(1);
    assert!(message.contains(" the position is neither listed nor won within 7 plies"), "{message}");
    assert_eq!(check_independently(&proof).status, Some(1));
}

/// A game that the Rebels win: they do not lose it either, and the General cannot avoid losing.
#[test]
fn a_draw_is_proved_by_two_proofs_beside_the_tables() {
    let home = Home::new();
    let folder = home.join("tables");
    let folder = folder.to_str().unwrap();
    let draw = ["prove", SMALL_VARIANT, "--for", "draw", "--nodes", "1000", "--tables", folder];
    let ran = home.run(&draw);
    assert!(ran.output.starts_with("three-rows: the rebels do not lose; "), "{ran:?}");
    assert!(ran.failure(1).contains("not proved: three-rows: the engine's moves do not keep the general from losing"));
    let names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    let is_kept = |name: &std::ffi::OsString| name.to_str().unwrap().ends_with(".draw-for-rebels.proof.zst");
    assert!(names.len() == 1 && names.iter().all(is_kept), "{names:?}");
    for more in [["--output", "one.proof"], ["--plies", "9"]] {
        let message = home.run(&[&draw[..], &more].concat()).failure(2);
        assert!(message.contains(more[0]) && message.contains("a draw "), "{message}");
    }
    let circles = home.run(&["prove", "hare-and-hounds", "--for", "draw-for-rebels"]).failure(1);
    assert!(circles.contains("a repetition is no draw here: it wins for the general"), "{circles}");
    assert!(home.run(&["prove", SMALL_VARIANT, "--for", "monk"]).failure(2).contains("draw-for-general"));
}

/// A closed set relies on repetition, which some games count as a loss.
#[test]
fn a_closed_set_proves_nothing_where_a_repetition_wins() {
    let home = Home::new();
    let variant = Variant::builtin("hare-and-hounds").unwrap();
    let root = variant.start().to_string().split(' ').take(3).collect::<Vec<_>>().join(" ");
    let file = home.join("circles.proof");
    let heading = format!("# privy proof 1 hare-and-hounds {} draw-for-rebels", variant.fingerprint());
    std::fs::write(&file, format!("{heading}\nroot {root}\n")).unwrap();
    let message = home.run(&["check-proof", file.to_str().unwrap()]).failure(1);
    assert!(message.contains("a repetition is no draw here: it wins for the general"), "{message}");
}

#[test]
fn a_changed_proof_is_refused() {
    let home = Home::new();
    let proof = home.join("free.proof");
    let path = proof.to_str().unwrap();
    let text = unpacked(Path::new("docs/proofs/subjugatio-free.proof.zst"));
    let lines: Vec<&str> = text.lines().collect();
    let refused = |changed: Vec<String>, words: &[&str]| {
        std::fs::write(&proof, changed.join("\n")).unwrap();
        let message = home.run(&["check-proof", path]).failure(1);
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
    };
    let with = |at: usize, line: String| {
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        changed[at] = line;
        changed
    };
    let words: Vec<&str> = lines[2].split(' ').collect();
    refused(with(2, String::new()), &["not sound: ", "the position is neither listed nor won within "]);
    refused(with(2, format!("{} 1", words[..4].join(" "))), &["not sound: "]);
    // A position that an earlier one leads to.
    let late = (2..lines.len()).find(|at| lines[*at].ends_with(" 9")).unwrap();
    let too_late = format!("{}120", lines[late].trim_end_matches('9'));
    refused(with(late, too_late), &["not sound: ", " is listed as won within 120 plies, not "]);
    refused(with(2, format!("{} a1-a1 {}", words[..3].join(" "), words[4])), &["line 3: ", "illegal move"]);
    refused(with(2, format!("{} -", words[..4].join(" "))), &["not sound: ", "expected a number of plies"]);
    refused(with(3, lines[2].to_owned()), &["line 4: ", "stands in the file already"]);
    refused(with(1, "root".to_owned()), &["line 2: "]);
    refused(with(0, "# privy proof 1 subjugatio-free 0123456789abcdef rebels".to_owned()), &["line 1: ", "rules"]);
    refused(with(0, "# another file".to_owned()), &["line 1: expected "]);
    refused(with(0, lines[0].replace("rebels", "general")), &["not sound: "]);
}

/// Checks the recorded proofs by the engine, and every `every`-th step by the naive rules.
fn check_recorded(every: usize) {
    for id in KEPT {
        let file = format!("docs/proofs/{id}.proof.zst");
        let message = Home::new().run(&["check-proof", &format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))]).success();
        let plies = check_win(&unpacked(Path::new(&file)), "rebels", every);
        assert!(message.contains(&format!("{id}: sound: the rebels win within {plies} plies")), "{message}");
        let table = std::fs::read_to_string("docs/PROOFS.md").unwrap();
        assert!(
            table.contains(&format!("| `{id}` | {plies} |")),
            "docs/PROOFS.md has other plies than {plies} for {id}"
        );
    }
}

#[test]
fn the_recorded_proofs_are_sound_by_both_rules() {
    check_recorded(100);
}

#[test]
#[ignore = "release: every step by the naive rules is slow"]
fn every_step_of_the_recorded_proofs_is_sound_by_both_rules() {
    check_recorded(1);
}

/// The independent checker, written from the rules alone, accepts recorded proofs and refuses damaged ones.
fn check_recorded_independently(ids: &[&str]) {
    let home = Home::new();
    let file = home.join("text.proof");
    let check = |text: &str| {
        std::fs::write(&file, text).unwrap();
        check_independently(&file)
    };
    for id in ids {
        let text = unpacked(Path::new(&format!("docs/proofs/{id}.proof.zst")));
        let message = check(&text).success();
        assert!(message.starts_with(&format!("{id}: sound: the rebels win within ")), "{message}");
        // The longest line is needed, and its length is exact.
        let plies = |line: &str| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap_or(0);
        let longest = text.lines().skip(2).max_by_key(|line| plies(line)).unwrap();
        let (rest, number) = longest.rsplit_once(' ').unwrap();
        let shorter = format!("{rest} {}", number.parse::<u32>().unwrap() - 2);
        assert_eq!(check(&text.replacen(longest, &shorter, 1)).status, Some(1), "{id}: {shorter}");
        assert_eq!(check(&text.replacen(" rebels\n", " general\n", 1)).status, Some(1), "{id}");
    }
}

#[test]
fn the_independent_checker_accepts_short_recorded_proofs_and_refuses_damaged_ones() {
    check_recorded_independently(&["subjugatio-free", "sixteen-rebels-neeley"]);
}

#[test]
#[ignore = "release: the checker is slow on the long proofs"]
fn the_independent_checker_accepts_all_recorded_proofs_and_refuses_damaged_ones() {
    check_recorded_independently(&KEPT);
}

/// A defender against a proof.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Defender {
    /// The longest resistance in the proof: the engine with the proof.
    Longest,
    Random,
    /// Takes as many Rebels as possible.
    Greedy,
    /// The engine without the proof.
    Engine,
}

/// The move of a defender.
pub(crate) fn defence(defender: Defender, engine: &mut Engine, alone: &mut Searcher, random: &mut Random) -> MovePath {
    let stop = Stop::default();
    let game = engine.game().clone();
    let mut moves = game.legal_moves();
    random.shuffle(&mut moves);
    match defender {
        Defender::Random => moves.pop().unwrap(),
        Defender::Greedy => moves.into_iter().max_by_key(|move_| move_.action().captured.len()).unwrap(),
        Defender::Engine => {
            let limits = Limits { nodes: Some(3_000), ..Limits::default() };
            alone.search(&game, limits, &stop, &mut |_| {}).unwrap().best
        }
        Defender::Longest => by_proof(engine),
    }
}

/// The engine's own move.
fn by_proof(engine: &mut Engine) -> MovePath {
    let limits = Limits { nodes: Some(3_000), ..Limits::default() };
    engine.go_silently(&limits.into(), &Stop::default()).unwrap().best
}

#[test]
fn the_engine_plays_by_a_proof_beside_the_tables_and_wins_within_its_plies() {
    for id in ["subjugatio", "subjugatio-free", "subjugatio-intervention"] {
        let home = Home::new();
        let variant = Variant::builtin(id).unwrap();
        let folder = home.join("tables");
        std::fs::create_dir(&folder).unwrap();
        let path = Proof::path(&folder, &variant, ProofGoal::Win(Side::Rebels));
        std::fs::copy(format!("docs/proofs/{id}.proof.zst"), &path).unwrap();
        let bound = Proof::read(&path, &variant, &Stop::default()).unwrap().root_plies().unwrap() as usize;
        let message = home.run(&["go", id, "--tables", folder.to_str().unwrap(), "--nodes", "1000"]).success();
        assert!(message.contains(&format!(" score -W{bound} bound upper winrate 0.0000 nodes 0 ")), "{message}");
        let mut alone = Searcher::new(8);
        let defenders = [(Defender::Longest, 1), (Defender::Random, 8), (Defender::Greedy, 8), (Defender::Engine, 3)];
        let games = defenders.into_iter().flat_map(|(defender, games)| (0..games).map(move |seed| (defender, seed)));
        for (defender, seed) in games {
            let mut random = Random::new(seed);
            let mut engine = Engine::new();
            engine.choose_variant(id).unwrap();
            engine.set_option("tables", folder.to_str().unwrap()).unwrap();
            while engine.game().outcome().is_none() {
                let move_ = match engine.game().side() {
                    Side::Rebels => by_proof(&mut engine),
                    Side::General => defence(defender, &mut engine, &mut alone, &mut random),
                };
                engine.play_move(move_);
                let game = engine.game();
                assert!(game.moves().len() <= bound, "{id}, {defender:?} {seed}: {game}");
            }
            let winner = engine.game().outcome().unwrap().winner();
            assert_eq!(winner, Some(Side::Rebels), "{id}, {defender:?} {seed}");
        }
    }
}

#[test]
fn an_unsound_proof_is_reported_and_not_used() {
    let (home, id) = (Home::new(), "subjugatio-free");
    let variant = Variant::builtin(id).unwrap();
    let text = unpacked(Path::new(&format!("docs/proofs/{id}.proof.zst")));
    let mut lines: Vec<&str> = text.lines().collect();
    lines.remove(2);
    std::fs::write(Proof::path(&home.join(""), &variant, ProofGoal::Win(Side::Rebels)), lines.join("\n")).unwrap();
    let ran = home.run(&["go", id, "--tables", home.join("").to_str().unwrap(), "--nodes", "2000"]);
    assert!(ran.errors.contains("not sound: ") && ran.errors.contains("searching instead"), "{}", ran.errors);
    assert!(!ran.output.contains("bound"), "{}", ran.output);
}
