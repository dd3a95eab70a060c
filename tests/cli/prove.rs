//! Proofs of openings: `privy prove` and `privy check-proof`, with every proof checked again by the naive rules.

use std::path::Path;
use std::process::Command;

use privy_base::random::Random;
use privy_engine::Engine;
use privy_rules::{MovePath, Side, Variant};
use privy_search::proof::Proof;
use privy_search::{Limits, Searcher, Stop};
use privy_testing::proofs::check_win;
use ruzstd::decoding::StreamingDecoder;

use crate::support::binary::{Home, Ran, SMALL_VARIANT};

/// The proofs that docs/TABLES.md lists.
const KEPT: [&str; 6] =
    ["subjugatio", "subjugatio-free", "subjugatio-intervention", "sixteen-rebels-neeley", "yeung-luk", "rebels-5x7"];

/// The output of the independent checker, which was written from the rules alone.
fn check_independently(proof: &Path) -> Ran {
    Ran::from(Command::new("python3").arg("docs/proofs/check_proof.py").arg(proof).output().unwrap())
}

pub(crate) fn unpacked(file: &Path) -> String {
    std::io::read_to_string(StreamingDecoder::new(std::fs::File::open(file).unwrap()).unwrap()).unwrap()
}

#[test]
fn an_opening_is_proved_and_checked_twice() {
    let home = Home::new();
    let proof = home.join("murray.proof");
    let proof = proof.to_str().unwrap();
    let words = ["prove", "sixteen-rebels-murray", "--nodes", "2000", "--threads", "1", "--output", proof];
    let message = home.run(&words).success();
    assert!(message.starts_with("sixteen-rebels-murray: the rebels win within "), "{message}");
    let checked = home.run(&["check-proof", proof]).success();
    assert!(checked.starts_with("sixteen-rebels-murray: sound: the rebels win within "), "{checked}");
    let text = std::fs::read_to_string(proof).unwrap();
    let plies = check_win(&text, "rebels", 1);
    assert!(checked.contains(&format!("within {plies} plies")), "{checked} {plies}");
    std::fs::remove_file(proof).unwrap();
    home.run(&words).success();
    assert_eq!(std::fs::read_to_string(proof).unwrap(), text, "one thread makes the same proof");
    let wrong = home.run(&["prove", SMALL_VARIANT, "--for", "monk"]).failure(2);
    assert!(wrong.contains("expected a side (general or rebels)"), "{wrong}");
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
    refused(with(2, format!("{} -", words[..4].join(" "))), &["line 3: ", "expected a number of plies"]);
    refused(with(0, lines[0].replace("rebels", "r")), &["line 1: expected "]);
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
        let table = std::fs::read_to_string("docs/TABLES.md").unwrap();
        assert!(
            table.contains(&format!("| `{id}` | {plies} |")),
            "docs/TABLES.md has other plies than {plies} for {id}"
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
    check_recorded_independently(&["subjugatio-free", "sixteen-rebels-neeley", "yeung-luk", "rebels-5x7"]);
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
    engine.go(&limits.into(), &Stop::default(), None).unwrap().best
}

#[test]
fn the_engine_plays_by_a_proof_beside_the_tables_and_wins_within_its_plies() {
    for id in ["subjugatio", "subjugatio-free", "subjugatio-intervention"] {
        let home = Home::new();
        let variant = Variant::builtin(id).unwrap();
        let folder = home.join("tables");
        std::fs::create_dir(&folder).unwrap();
        let path = Proof::path(&folder, &variant);
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
    std::fs::write(Proof::path(&home.join(""), &variant), lines.join("\n")).unwrap();
    let ran = home.run(&["go", id, "--tables", home.join("").to_str().unwrap(), "--nodes", "2000"]);
    assert!(ran.errors.contains("not sound: ") && ran.errors.contains("searching instead"), "{}", ran.errors);
    assert!(!ran.output.contains("bound"), "{}", ran.output);
}
