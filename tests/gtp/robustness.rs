//! Properties of the protocol loop: no input ends it, each line gets at most one answer, in order and with its id, and
//! a failed request changes nothing.
//!
//! The loop runs in this process with its input in memory: thousands of cases take seconds.

use std::io::Cursor;
use std::sync::{Arc, LazyLock};

use privy_engine::Engine;
use privy_protocol::{Command, ErrorCode, InputLine, Interruption, LineReader, Reply, VariantSource};
use privy_rules::Variant;
use privy_tables::table_path;
use privy_testing::cases;
use privy_testing::replies::replies;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::support::binary;
use crate::support::tables;

use binary::SMALL_VARIANT;

/// A folder with the table of the small variant only.
static TABLES: LazyLock<&str> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/robustness");
    let variant = Arc::new(Variant::from_file(SMALL_VARIANT.as_ref()).unwrap());
    let path = table_path(folder.as_ref(), &variant);
    tables::solve_into(&path, &variant);
    folder
});

/// True if an answer is a success, or its text begins with a stable phrase.
fn is_well_formed(reply: &Reply) -> bool {
    reply.is_success() || ErrorCode::of(reply.text()).is_some()
}

/// The answers of the loop to an input.
fn answers(input: &[u8]) -> Vec<Reply> {
    let mut output = Vec::new();
    let mut engine = Engine::new();
    engine.set_option("tables", *TABLES).unwrap();
    privy_engine::session::run(engine, Cursor::new(input.to_vec()), &mut output, |_| {}).unwrap();
    replies(&output)
}

/// The expected answer to an input line.
struct Expected {
    id: Option<u32>,
    /// [`None`] for an unreadable line.
    request: Option<Command>,
}

/// The lines of an input that get an answer, up to `quit`.
fn expected(input: &[u8]) -> Vec<Expected> {
    let mut lines = Vec::new();
    for line in LineReader::new(input) {
        let line = match line.unwrap() {
            InputLine::Blank | InputLine::Interrupt => continue,
            InputLine::Rejected(rejection) => Expected { id: rejection.id, request: None },
            InputLine::Command(line) => match Command::read(&line) {
                Ok((id, request)) => Expected { id, request: Some(request) },
                Err(rejection) => Expected { id: rejection.id, request: None },
            },
        };
        let last = line.request.as_ref().is_some_and(is_quit);
        lines.push(line);
        if last {
            break;
        }
    }
    lines
}

fn is_quit(request: &Command) -> bool {
    *request == Command::Quit
}

/// True if a request reads a device or a file of `/proc`.
fn is_dangerous(request: &Command) -> bool {
    match request {
        Command::Variant(Some(VariantSource::File(path))) => path.starts_with("/dev") || path.starts_with("/proc"),
        _ => false,
    }
}

/// Requests whose answers together are the state of the engine. `undo` fails with the number of moves.
const PROBES: [&str; 6] = ["fen", "status", "legal_moves", "list_options", "variant", "undo 4000000000"];

/// Initial states.
const BEGINNINGS: [&str; 9] = [
    "",
    "position startpos moves c3-b4 d5-d4 b4-a3",
    "variant monk-and-water\nplay b5-b4\nset_option multi_pv 3",
    "position fen 5/1r1r1/2G3/1r1r1/5 g 1 4 9 kings-gonu moves c3~c1 b2-b3",
    "position fen 1/3/5/1r1r1/2G2/1r1r1/5 g - 0 0 sixteen-rebels-neeley",
    "position fen 3/1G1/2r2/1rrr1/5/5/5 r - 0 0 juroku-musashi moves c4-c3",
    "position fen 1/3/Gr3/r4/1r3/5/5/2rrr/2rr1/2r2/2r2 g - 0 0 subjugatio\ntime_settings 0 5 3",
    "variant monk-and-water\nposition startpos moves b5-b4 c5-c6 b4-c5\nset_option seed 9",
    "variant protocol/transcripts/three-rows.toml\nplay c1-c2\nset_option play_style longest",
];

/// Lines that are valid in some state.
const LINES: [&str; 68] = [
    "name",
    "12 version",
    "protocol_version",
    "known_command play",
    "list_commands",
    "help go",
    "gogui-interrupt",
    "boardsize 7",
    "boardsize 11",
    "komi 6.5",
    "clear_board",
    "list_variants",
    "list_variants verbose",
    "variant",
    "variant kings-gonu",
    "variant ./games/own.toml",
    "variant /nowhere/own.toml",
    r#"variant "id = \"own\"\ntitle = \"Own\"\nextends = \"kings-gonu\"\nfirst = \"rebels\"\n""#,
    "show_variant",
    "position startpos",
    "position startpos moves c3-b4 d5-d4",
    "position fen 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels",
    "position fen 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 shap-luk-kon moves c3-b4 d5d4 b4-a3",
    "position fen G/3/2rr1/rr3/5/5/5 g a 0 0 shap-luk-kon",
    "position fen 5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu moves c3-c1",
    "fen",
    "showboard",
    "geometry",
    "play general c3-b4",
    "play c3b4",
    "play w c3 b4",
    "play black d5-d4",
    "play c3xe5",
    "play c6xc4xe4",
    "play a9:a8b9",
    "play c3~a1",
    "undo",
    "7 undo 2",
    "legal_moves",
    "legal_moves verbose",
    "status",
    "final_score",
    "perft 2",
    "perft 100000",
    "divide 2",
    "divide 100000",
    "go depth 2",
    "go nodes 100 searchmoves c3-b4 c3-c4",
    "go time 1 depth 2 clock 100 inc 5 moves 3",
    "go infinite",
    "genmove general",
    "genmove b",
    "stop",
    "time_settings 300 10 5",
    "time_left white 20.5 0",
    "set_option multi_pv 2",
    "set_option hash 1",
    "list_options",
    "probe",
    "probe moves",
    "table",
    "explain",
    "review nodes 50 time 5",
    "variant protocol/transcripts/three-rows.toml",
    "position fen 1/3/rrGrr/5/rrrrr r - 0 0 three-rows moves c1-c2 c3-d2",
    "set_option tables off",
    "set_option tables ./no/tables here",
    "set_option play_style longest",
];

/// Words that replace others.
const WORDS: [&str; 32] = [
    "0",
    "-1",
    "1.5",
    "4294967295",
    "4294967296",
    "2147483648",
    "99999999999999999999",
    "1e999",
    "nan",
    "-",
    "g",
    "r",
    "rebels",
    "a",
    "a3",
    "fen",
    "moves",
    "startpos",
    "depth",
    "infinite",
    "searchmoves",
    "hash",
    "move_limit",
    "quit",
    "#",
    "/",
    "x.toml",
    "c3-c3",
    "1/3/5/5/2G2/5/rrrrr",
    "65535/0/r/G",
    "♞",
    "c3-b4-a3",
];

/// A small error in a line.
#[derive(Debug, Clone)]
enum Mistake {
    Drop(Index),
    Double(Index),
    Swap(Index, Index),
    Replace(Index, String),
    Insert(Index, String),
    Character(Index, char),
    Cut(Index),
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(WORDS.as_slice()).prop_map(str::to_owned),
        2 => select(LINES.as_slice()).prop_flat_map(|line| select(line.split(' ').collect::<Vec<_>>())).prop_map(str::to_owned),
        1 => "[a-g][1-9][-x:~]?[a-g][1-9]".prop_map(|text| text),
        1 => "\\PC{1,8}".prop_map(|text| text),
    ]
}

fn mistake() -> impl Strategy<Value = Mistake> {
    let place = any::<Index>;
    let character = any::<char>().prop_filter("within a line", |letter| *letter != '\n');
    prop_oneof![
        place().prop_map(Mistake::Drop),
        place().prop_map(Mistake::Double),
        (place(), place()).prop_map(|(one, other)| Mistake::Swap(one, other)),
        (place(), word()).prop_map(|(at, word)| Mistake::Replace(at, word)),
        (place(), word()).prop_map(|(at, word)| Mistake::Insert(at, word)),
        (place(), character).prop_map(|(at, letter)| Mistake::Character(at, letter)),
        place().prop_map(Mistake::Cut),
    ]
}

fn with_mistakes(line: &str, mistakes: &[Mistake]) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for mistake in mistakes {
        if words.is_empty() {
            break;
        }
        let count = words.len();
        match mistake {
            Mistake::Drop(at) => drop(words.remove(at.index(count))),
            Mistake::Double(at) => words.insert(at.index(count), words[at.index(count)].clone()),
            Mistake::Swap(one, other) => words.swap(one.index(count), other.index(count)),
            Mistake::Replace(at, word) => words[at.index(count)].clone_from(word),
            Mistake::Insert(at, word) => words.insert(at.index(count + 1), word.clone()),
            Mistake::Character(at, letter) => {
                let text = words.join(" ");
                let mut letters: Vec<char> = text.chars().collect();
                let place = at.index(letters.len().max(1));
                letters.splice(place..letters.len().min(place + 1), [*letter]);
                words = letters.into_iter().collect::<String>().split(' ').map(str::to_owned).collect();
            }
            Mistake::Cut(at) => words.truncate(at.index(count + 1)),
        }
    }
    words.join(" ")
}

/// A valid line, or nearly so.
fn near_miss() -> impl Strategy<Value = String> {
    (select(LINES.as_slice()), vec(mistake(), 0..4)).prop_map(|(line, mistakes)| with_mistakes(line, &mistakes))
}

/// Pieces of input: arbitrary bytes and pieces of requests.
fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let piece = prop_oneof![
        3 => vec(any::<u8>(), 0..24),
        2 => near_miss().prop_map(String::into_bytes),
        1 => select(vec!["\n", "\r\n", "#", "\t", " ", "\0", "5 ", "\u{feff}", "quit\n", "2147483648 "])
            .prop_map(|text| text.as_bytes().to_vec()),
        2 => Just(b"\n".to_vec()),
    ];
    vec(piece, 0..40)
}

fn config(usual: u32) -> ProptestConfig {
    ProptestConfig { cases: cases(usual), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn any_bytes_are_answered_line_by_line(pieces in pieces()) {
        let mut input = pieces.concat();
        let lines = expected(&input);
        let asked = lines.iter().filter_map(|line| line.request.as_ref());
        // Slow requests are left out: here only their limits would end them. Other tests cover them.
        let is_slow = |request: &Command| request.interruption() != Interruption::Never;
        if asked.clone().any(|request| is_dangerous(request) || is_slow(request)) {
            return Ok(());
        }
        let found = answers(&input);
        let ids = |lines: &[Expected]| lines.iter().map(|line| line.id).collect::<Vec<_>>();
        prop_assert_eq!(found.iter().map(Reply::id).collect::<Vec<_>>(), ids(&lines));
        for (line, reply) in lines.iter().zip(&found) {
            prop_assert!(line.request.is_some() || !reply.is_success());
            prop_assert!(is_well_formed(reply), "a stable phrase begins {}", reply.text());
        }
        // The loop continues after this input.
        if !asked.clone().any(is_quit) {
            input.extend(b"\n77 name\n");
            prop_assert_eq!(answers(&input).last().cloned(), Some(Reply::new(Some(77), true, "Privy")));
        }
    }

    #[test]
    fn a_request_that_fails_changes_nothing(beginning in select(BEGINNINGS.as_slice()), lines in vec(near_miss(), 1..10)) {
        // A byte order mark is one at the beginning of the input alone.
        let asked = |line: &str| expected(format!("\n{line}").as_bytes());
        let is_right = |line: &String| asked(line).iter().all(|line| {
            line.request.as_ref().is_none_or(|request| !is_dangerous(request) && !is_quit(request))
        });
        let lines: Vec<String> = lines.into_iter().filter(is_right).collect();
        let mut input = format!("{beginning}\n{}\n", PROBES.join("\n"));
        for line in &lines {
            // Searches end at once or soon, since the loop has read `stop` by then.
            input += &format!("{line}\nstop\n{}\n", PROBES.join("\n"));
        }
        let mut found = answers(input.as_bytes()).into_iter();
        let begun = expected(beginning.as_bytes()).len();
        prop_assert!(found.by_ref().take(begun).all(|reply| reply.is_success()));
        let mut state: Vec<Reply> = found.by_ref().take(PROBES.len()).collect();
        for line in &lines {
            let mut failed = true;
            for asked in asked(line) {
                let reply = found.next();
                prop_assert_eq!(reply.as_ref().map(Reply::id), Some(asked.id), "{}", line);
                let reply = reply.unwrap();
                prop_assert!(is_well_formed(&reply), "a stable phrase begins {}", reply.text());
                failed = !reply.is_success();
            }
            prop_assert_eq!(found.next(), Some(Reply::new(None, true, "")));
            let now: Vec<Reply> = found.by_ref().take(PROBES.len()).collect();
            prop_assert_eq!(now.len(), PROBES.len());
            if failed {
                prop_assert_eq!(&now, &state, "{}", line);
            }
            state = now;
        }
        prop_assert_eq!(found.next(), None);
    }
}

#[test]
fn explaining_changes_nothing() {
    for beginning in BEGINNINGS {
        let probes = PROBES.join("\n");
        let found = answers(format!("{beginning}\n{probes}\nexplain\n{probes}\n").as_bytes());
        let (rest, after) = found.split_at(found.len() - PROBES.len());
        let (explained, rest) = rest.split_last().unwrap();
        let texts = if explained.is_success() { [" can step to ", " no empty point "] } else { ["game over: "; 2] };
        assert!(texts.iter().any(|text| explained.text().contains(text)), "{beginning}: {explained:?}");
        assert_eq!(after, &rest[rest.len() - PROBES.len()..], "{beginning}");
    }
}

/// Every base line is valid in some state. Otherwise one error could hide another.
#[test]
fn base_lines_are_valid_requests() {
    for line in LINES {
        assert!(expected(line.as_bytes()).iter().all(|line| line.request.is_some()), "{line}");
    }
    for beginning in BEGINNINGS {
        assert!(answers(beginning.as_bytes()).iter().all(Reply::is_success), "{beginning}");
    }
    let undo = &answers(b"undo 4000000000")[0];
    assert_eq!(ErrorCode::of(undo.text()), Some(ErrorCode::CannotUndo));
}
