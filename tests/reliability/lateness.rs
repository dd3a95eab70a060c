//! Moves in time and stops at once, whatever has to be read, mapped or allocated: with large tables of the search, with
//! proofs, with threads.
//!
//! Memory that a process touches for the first time, and its processor time, only a process has. A machine may be slow
//! and busy, so the best of several tries counts, and is late only by what no calm machine explains, and only if the
//! engine worked meanwhile: a large table that is touched at once took a second. Each further try is printed.
//! `privy-lab measure lateness` has the bars, and measures all tries.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use privy_protocol::Client;
use privy_rules::Variant;
use privy_search::proof::Proof;

use crate::support::binary::{self, Home};
use crate::support::late::{PATIENCE, Taken, Watch, retried};
use crate::support::session::option;

const TRIES: usize = 6;
/// What an answer may be late.
const LATE: Duration = Duration::from_millis(250);

struct Engine(Client);

impl Engine {
    fn start(command: &mut Command, setup: &[String]) -> Engine {
        let mut engine = Engine(Client::spawn(command).unwrap());
        setup.iter().for_each(|line| _ = engine.ask(line));
        engine
    }

    fn ask(&mut self, line: &str) -> String {
        let reply = self.0.request(line, PATIENCE).unwrap();
        assert!(reply.is_success(), "{line}: {}", reply.text());
        reply.text().to_owned()
    }

    /// The time from a line to the answer of the one before it.
    fn time_to_answer(&mut self, line: &str, answers: usize) -> (Taken, String) {
        let watch = Watch::start(self.0.process_id().unwrap());
        self.0.send_bytes(format!("{line}\n").as_bytes(), answers).unwrap();
        let reply = self.0.receive(PATIENCE).unwrap();
        (watch.taken(), reply.text().to_owned())
    }
}

/// What all tries took, if none of them was in time.
fn late_tries(what: &str, limit: Duration, threads: u32, mut try_once: impl FnMut() -> Taken) -> Option<String> {
    let mut late = Vec::new();
    for number in 1..=TRIES {
        let taken = try_once();
        if taken.is_within(limit + LATE, limit * threads + LATE) {
            return None;
        }
        if number < TRIES {
            retried(&format!("{what}: took {taken:.1?}"));
        }
        late.push(taken);
    }
    Some(format!("{what}: took {late:.1?}"))
}

fn options(hash: u32, threads: u32) -> Vec<String> {
    vec![format!("set_option hash {hash}"), format!("set_option threads {threads}")]
}

/// The first search of a process touches its memory for the first time.
#[test]
fn the_first_move_with_a_large_table_is_in_time() {
    let mut late = Vec::new();
    for (hash, threads, milliseconds) in [(1, 1, 20), (1024, 1, 20), (1024, 2, 100), (4096, 1, 10), (4096, 2, 200)] {
        let limit = Duration::from_millis(milliseconds);
        let what = format!("hash {hash}, threads {threads}: go time {milliseconds}");
        late.extend(late_tries(&what, limit, threads, || {
            let mut engine = Engine::start(binary::privy().args(["--tables", "off"]), &options(hash, threads));
            engine.time_to_answer(&format!("go time {milliseconds}"), 1).0
        }));
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}

#[test]
fn moves_of_all_games_are_in_time() {
    let mut late = Vec::new();
    for (hash, threads) in [(1, 1), (256, 2)] {
        let mut engine = Engine::start(binary::privy().args(["--tables", "off"]), &options(hash, threads));
        // Its opening is over.
        for id in Variant::builtin_ids().filter(|id| *id != "twenty-six-murray") {
            let limit = Duration::from_millis(20);
            late.extend(late_tries(
                &format!("{id}, hash {hash}, threads {threads}: go time 20"),
                limit,
                threads,
                || {
                    engine.ask(&format!("variant {id}"));
                    engine.time_to_answer("go time 20", 1).0
                },
            ));
        }
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}

#[test]
fn a_stop_is_obeyed_at_once() {
    let mut late = Vec::new();
    for (hash, threads) in [(64, 1), (4096, 1), (4096, 2)] {
        late.extend(late_tries(&format!("hash {hash}, threads {threads}: stop"), Duration::ZERO, threads, || {
            let mut engine = Engine::start(binary::privy().args(["--tables", "off"]), &options(hash, threads));
            engine.0.send_bytes(b"go infinite\n", 1).unwrap();
            std::thread::sleep(Duration::from_millis(30));
            engine.time_to_answer("stop", 1).0
        }));
    }
    assert!(late.is_empty(), "{}", late.join("\n"));
}

/// A proof of a variant's opening, compressed to some bytes for each 128 KiB of blank lines behind its root.
fn proof_of_blank_lines(variant: &Variant, lines: usize) -> Vec<u8> {
    const BLOCK: usize = 1 << 17;
    let (id, fingerprint) = (variant.id(), variant.fingerprint());
    let text =
        format!("# privy proof 1 {id} {fingerprint} rebels\nroot {}\n", variant.position_text(variant.opening()));
    // RFC 8878: a frame with a window of 128 KiB, a raw block, blocks that repeat one byte, the last of which is
    // marked.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
    let header = |is_last: bool, kind: usize, size: usize| {
        let [a, b, c, _] = ((usize::from(is_last) | kind << 1 | size << 3) as u32).to_le_bytes();
        [a, b, c]
    };
    frame.extend(header(false, 0, text.len()));
    frame.extend(text.as_bytes());
    for block in (0..lines).step_by(BLOCK) {
        frame.extend(header(block + BLOCK >= lines, 1, BLOCK));
        frame.push(b'\n');
    }
    frame
}

fn home_with_proof(variant: &Variant, proof: &[u8]) -> Home {
    let home = Home::new();
    let path = Proof::path(&home.join("cache/privy/tables"), variant);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, proof).unwrap();
    home
}

/// A file of some kilobytes that unpacks to a thousand million lines costs no move its time, and no stop.
#[test]
fn a_proof_without_end_costs_no_move_its_time() {
    let variant = Variant::builtin("subjugatio").unwrap();
    let home = home_with_proof(&variant, &proof_of_blank_lines(&variant, 1 << 30));
    let setup = ["variant subjugatio".to_owned()];
    // The proof is read beside the search.
    let late = late_tries("a move beside a proof", Duration::from_millis(100), 2, || {
        Engine::start(&mut home.privy(), &setup).time_to_answer("go time 100", 1).0
    });
    assert!(late.is_none(), "{late:?}");
    let late = late_tries("a stop beside a proof", Duration::ZERO, 2, || {
        let mut engine = Engine::start(&mut home.privy(), &setup);
        engine.0.send_bytes(b"go depth 3\n", 1).unwrap();
        std::thread::sleep(Duration::from_millis(30));
        let (taken, answer) = engine.time_to_answer("stop", 1);
        assert!(answer.contains("bestmove "), "{answer}");
        engine.0.quit(PATIENCE).unwrap();
        taken
    });
    assert!(late.is_none(), "{late:?}");
}

/// A search without a limit of time waits for the proof; one with such a limit does without it rather than be late.
#[test]
fn a_sound_proof_is_used_once_it_is_read() {
    let variant = Variant::builtin("subjugatio").unwrap();
    let proof = fs::read(Path::new("docs/proofs/subjugatio.proof.zst")).unwrap();
    let home = home_with_proof(&variant, &proof);
    let mut engine = Engine::start(&mut home.privy(), &["variant subjugatio".to_owned()]);
    assert!(engine.ask("go depth 2").contains("bound upper"));
    let late = late_tries("a move that can have a proof", Duration::from_millis(20), 2, || {
        Engine::start(&mut home.privy(), &["variant subjugatio".to_owned()]).time_to_answer("go time 20", 1).0
    });
    assert!(late.is_none(), "{late:?}");
}

/// What memory does not give is an error, and never a smaller table of which the option tells the old size.
#[test]
fn the_size_of_the_table_is_what_the_system_gives() {
    let start = |kibibytes: u32| {
        let mut bash = Command::new("bash");
        binary::isolate(&mut bash);
        bash.args(["-c", &format!("ulimit -v {kibibytes} && exec \"$0\" --tables off"), binary::PRIVY]);
        Engine::start(&mut bash, &[])
    };
    let mut engine = start(700_000);
    let hash = |engine: &mut Engine| option(&engine.ask("list_options"), "hash").parse::<u32>().unwrap();
    let before = hash(&mut engine);
    let reply = engine.0.request("set_option hash 4096", PATIENCE).unwrap();
    assert!(!reply.is_success() && reply.text().starts_with("value out of range: hash: "), "{}", reply.text());
    assert_eq!(hash(&mut engine), before);
    engine.ask("set_option hash 100");
    assert!(engine.ask("go depth 3").contains("bestmove ") && hash(&mut engine) == 100);
    // The default is taken by the first search.
    let mut engine = start(80_000);
    assert!(engine.ask("go depth 3").contains("bestmove "));
    let smaller = hash(&mut engine);
    assert!(smaller < before, "{smaller} {before}");
}
