//! Properties that hold for any input, one for each fuzz target.
//!
//! The targets of `cargo fuzz` and the integration tests of reliability share this file. A property that does not hold
//! panics.
use std::io::Cursor;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use privy_engine::Engine;
use privy_gogui::{HalfMoveCommand, HalfMoveRequest};
use privy_protocol::{
    Client, Command, ErrorCode, InputLine, Interruption, Line, LineReader, ProtocolError, Reply, SearchLine, Stop,
    VariantSource,
};
use privy_records::sgf::{sgf_records, write_sgf};
use privy_records::{Record, records};
use privy_rules::board::Board;
use privy_rules::{Game, Position, Variant, perft};
use privy_search::eval::{Evaluation, Weights};
use privy_tables::{SolveOptions, Table, TableError, TableValue, solve, verify};

type Property = fn(&[u8]);

/// The properties, by the names of their targets.
pub const TARGETS: [(&str, Property); 11] = [
    ("position_text", position_text),
    ("moves", moves),
    ("record", record),
    ("sgf", sgf),
    ("variant_file", variant_file),
    ("board_file", board_file),
    ("weights", weights),
    ("protocol", protocol),
    ("session", session),
    ("half_move_session", half_move_session),
    ("table", table),
];

/// Checks the property of a target on an input.
pub fn check(target: &str, input: &[u8]) {
    let (_, property) = TARGETS.iter().find(|(name, _)| *name == target).expect("a target is the name of a property");
    property(input);
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// A position text round-trips; so do the positions after each move. Mirror images agree in their moves and results.
fn position_text(bytes: &[u8]) {
    let Some(Ok(game)) = text(bytes).map(|text| Game::from_text(text, None)) else { return };
    same_when_written(&game);
    let variant = game.variant();
    let mirrored = variant.mirror(game.position());
    assert_eq!(&variant.mirror(&mirrored), game.position());
    assert_eq!(variant.outcome(&mirrored), variant.outcome(game.position()));
    let moves = game.legal_moves();
    assert_eq!(variant.legal_moves(&mirrored).len(), variant.legal_moves(game.position()).len());
    if game.outcome().is_none() {
        assert_eq!(perft(&game, 1, &mut || false), Some(moves.len() as u64));
    }
    let mut texts: Vec<String> = moves.iter().map(|move_| game.move_text(move_)).collect();
    for (move_, text) in moves.iter().zip(&texts) {
        assert_eq!(game.parse_move(None, text).as_ref(), Ok(move_), "{text}");
        let next = game.after(move_);
        assert_ne!(next.side(), game.side());
        if next.outcome().is_none() {
            same_when_written(&next);
        }
    }
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), moves.len(), "two moves have one text");
}

fn same_when_written(game: &Game) {
    let written = game.to_string();
    let read = Game::from_text(&written, Some(game.variant())).expect("what is written is read");
    assert_eq!((read.position(), read.to_string()), (game.position(), written));
    assert_eq!(read.position().hash(), game.position().hash());
    assert_eq!(read.outcome(), game.outcome());
}

/// A word parses as a move exactly if it is legal. The first line is a position, the rest words that may be moves.
fn moves(bytes: &[u8]) {
    let Some((first, rest)) = text(bytes).and_then(|text| text.split_once('\n')) else { return };
    let Ok(mut game) = Game::from_text(first, None) else { return };
    for word in rest.split_whitespace().take(400) {
        let legal = game.legal_moves();
        match game.parse_move(None, word) {
            Ok(move_) => {
                assert!(legal.contains(&move_), "{word} in {game}");
                let expected: Position = *game.after(&move_).position();
                game.play(move_);
                assert_eq!(*game.position(), expected);
            }
            Err(_) => assert!(legal.iter().all(|move_| game.move_text(move_) != word), "{word} in {game}"),
        }
        assert_eq!(game.outcome().is_some(), game.legal_moves().is_empty(), "{game}");
    }
}

/// Records round-trip as text and as JSON, and replaying one terminates.
fn record(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    for record in records(text).flatten() {
        let written = record.to_string();
        assert_eq!(written.parse::<Record>().as_ref(), Ok(&record), "{written}");
        let json = serde_json::to_string(&record).expect("a record is JSON");
        assert_eq!(serde_json::from_str::<Record>(&json).expect("JSON of a record is read"), record);
        // Only built-in variants: a record may name any file.
        if Variant::builtin(&record.variant).is_some()
            && let Ok(game) = record.replay(None)
        {
            assert_eq!(game.moves().len(), record.moves.len());
        }
    }
}

/// The games of an SGF file are read or refused; one that is read round-trips.
fn sgf(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    for record in sgf_records(text, Variant::builtin("kings-gonu").as_ref(), &Variant::builtin).into_iter().flatten() {
        if record.replay(None).is_err() {
            continue;
        }
        let again = |record: &Record| {
            let written = write_sgf(record, None, &[]).expect("a sound record is written");
            sgf_records(&written, None, &Variant::builtin).remove(0).expect("what is written is read")
        };
        let read = again(&record);
        assert_eq!(read.moves.len(), record.moves.len());
        // Comments have lost what can't be shown.
        assert_eq!(again(&read), read);
    }
}

/// A variant round-trips with the same fingerprint, and so do the positions of a game of it.
fn variant_file(bytes: &[u8]) {
    let Some(Ok(variant)) = text(bytes).map(|text| Variant::from_toml(text, None)) else { return };
    let variant = Arc::new(variant);
    let again = Variant::from_toml(&variant.heading.source, None).expect("its source is read");
    assert_eq!(again.fingerprint(), variant.fingerprint());
    let mut game = variant.start();
    for choice in 0..60 {
        same_when_written(&game);
        let moves = game.legal_moves();
        let Some(move_) = moves.get(choice * 7 % moves.len().max(1)) else { break };
        game.play(move_.clone());
        // The text of a position does not have every result.
        if game.outcome().is_some() {
            break;
        }
    }
}

/// The lines of a board have points of the board, adjacency is symmetric, and the mirror is its own inverse.
fn board_file(bytes: &[u8]) {
    let Some(Ok(board)) = text(bytes).map(Board::from_toml) else { return };
    for line in &board.lines {
        assert!(line.len() > 1 && line.iter().all(|point| board.all().contains(*point)));
    }
    for point in board.all() {
        assert_eq!(board.point(board.name(point)), Some(point));
        assert!(board.neighbours(point).into_iter().all(|other| board.neighbours(other).contains(point)));
        if let Some(mirror) = board.mirror() {
            assert_eq!(mirror.point(mirror.point(point)), point);
        }
    }
}

/// Weights round-trip; their values are within the bounds of wins and losses, and equal for mirror images.
fn weights(bytes: &[u8]) {
    static GAME: LazyLock<Game> = LazyLock::new(|| Variant::builtin("sixteen-rebels").expect("built in").start());
    let Some(Ok(weights)) = text(bytes).map(|text| Weights::from_toml(text, GAME.variant())) else { return };
    let written = weights.to_toml(GAME.variant());
    assert_eq!(Weights::from_toml(&written, GAME.variant()).as_ref(), Ok(&weights));
    let evaluation = Evaluation::new(GAME.variant(), weights);
    let rules = GAME.variant().rules();
    let value = evaluation.evaluate(rules, GAME.position());
    assert!(!value.is_win() && !value.is_loss());
    let mirrored = GAME.variant().mirror(GAME.position());
    assert_eq!(evaluation.evaluate(rules, &mirrored), value);
}

/// Requests, replies and search lines are read or refused; search lines and replies round-trip.
fn protocol(bytes: &[u8]) {
    for line in LineReader::new(bytes) {
        let Ok(InputLine::Command(line)) = line else { continue };
        if let Ok(Line { command, arguments, .. }) = Line::parse(&line) {
            let _ = (Command::parse(command, arguments), HalfMoveRequest::parse(command, arguments));
        }
        if let Ok(search) = line.as_str().parse::<SearchLine>() {
            let written = search.to_string();
            assert_eq!(written.parse::<SearchLine>().as_ref().map(ToString::to_string), Ok(written));
        }
    }
    for reply in replies(bytes) {
        let sign = if reply.is_success() { '=' } else { '?' };
        let id = reply.id().map(|id| id.to_string()).unwrap_or_default();
        let again =
            replies(format!("{sign}{id} {}\n\n", reply.text()).as_bytes()).into_iter().next().expect("a reply is read");
        assert_eq!((again.id(), again.is_success()), (reply.id(), reply.is_success()));
    }
}

/// The answers of an output, up to a fault.
fn replies(output: &[u8]) -> Vec<Reply> {
    let mut client = Client::from_pipes(Cursor::new(output.to_vec()), std::io::sink()).expect("pipes have threads");
    let next = || client.send_bytes(b"", 1).and_then(|()| client.receive(Duration::MAX)).ok();
    std::iter::from_fn(next).collect()
}

type Parsed = Result<HalfMoveRequest, ProtocolError>;

/// False for searches, which take long, and for what reads or writes files.
fn is_quiet(request: &HalfMoveRequest) -> bool {
    use HalfMoveCommand::{Play, PlaySequence, SetUp, SetUpPlayer, Undo};
    match request {
        HalfMoveRequest::Ordinary(_) => true,
        HalfMoveRequest::Own(own) => {
            matches!(own, Play(..) | PlaySequence(_) | Undo(_) | SetUp(_) | SetUpPlayer(_))
        }
    }
}

/// The ids of the lines that get an answer; `None` if a request would take long or read a file.
fn ids(bytes: &[u8], parse: impl Fn(&str, &str) -> Parsed) -> Option<Vec<Option<u32>>> {
    let mut ids = Vec::new();
    for line in LineReader::new(bytes) {
        match line.ok()? {
            InputLine::Blank | InputLine::Interrupt => {}
            InputLine::Rejected(rejection) => ids.push(rejection.id),
            InputLine::Command(line) => match Line::parse(&line) {
                Err(rejection) => ids.push(rejection.id),
                Ok(Line { id, command, arguments }) => {
                    let request = parse(command, arguments);
                    let ordinary = match &request {
                        Ok(HalfMoveRequest::Ordinary(command)) => Some(command),
                        _ => None,
                    };
                    let takes_long = request.as_ref().is_ok_and(|read| read.interruption() != Interruption::Never);
                    let reads = matches!(ordinary, Some(Command::Variant(Some(VariantSource::File(_)))));
                    if takes_long || reads || !request.as_ref().map_or(true, is_quiet) {
                        return None;
                    }
                    ids.push(id);
                    if matches!(ordinary, Some(Command::Quit)) {
                        break;
                    }
                }
            },
        }
    }
    Some(ids)
}

fn check_answers(output: &[u8], ids: &[Option<u32>]) {
    let replies = replies(output);
    assert_eq!(replies.iter().map(Reply::id).collect::<Vec<_>>(), ids, "one answer for each request, in their order");
    let has_phrase = |reply: &Reply| reply.is_success() || ErrorCode::of(reply.text()).is_some();
    assert!(replies.iter().all(has_phrase), "an error begins with a stable phrase");
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_option("tables", "off").expect("tables can be switched off");
    engine.set_option("hash", "1").expect("a table of 1 MiB is allowed");
    engine
}

/// Every request gets one answer, in their order and with its id. The last position is a complete text of a built-in
/// variant.
fn session(bytes: &[u8]) {
    let Some(mut ids) = ids(bytes, |name, arguments| Command::parse(name, arguments).map(HalfMoveRequest::Ordinary))
    else {
        return;
    };
    let mut output = Vec::new();
    let mut last = String::new();
    let watch = |engine: &Engine| last = engine.game().to_string();
    privy_engine::session::run(engine(), Cursor::new(bytes.to_vec()), &mut output, watch).expect("memory takes all");
    check_answers(&output, &std::mem::take(&mut ids));
    let (rest, id) = last.rsplit_once(' ').expect("a position has fields");
    assert!(Variant::builtin(id).is_some() && rest.split(' ').count() == 5, "{last}");
}

/// The same for the half-move session.
fn half_move_session(bytes: &[u8]) {
    let Some(ids) = ids(bytes, HalfMoveRequest::parse) else { return };
    let mut output = Vec::new();
    privy_gogui::run(engine(), Cursor::new(bytes.to_vec()), &mut output, std::io::sink()).expect("memory takes all");
    check_answers(&output, &ids);
}

/// The folder of the package.
fn root() -> &'static Path {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    if folder.ends_with("fuzz") { folder.parent().expect("a folder is in a folder") } else { folder }
}

/// A small game and its table. The open table stays valid after its file is deleted.
struct Solved {
    variant: Arc<Variant>,
    table: Table,
    bytes: Vec<u8>,
}

static SOLVED: LazyLock<Solved> = LazyLock::new(|| {
    let file = root().join("protocol/transcripts/three-rows.toml");
    let variant = Arc::new(Variant::from_file(&file).expect("the file is a variant"));
    let folder = std::env::temp_dir().join(format!("privy-fuzz-{}", std::process::id()));
    let path = folder.join("sound.privy");
    solve(&variant, &path, &SolveOptions::default(), &mut |_| {}, &Stop::default()).expect("it is small");
    let table = Table::open(&path, &variant).expect("it has just been made");
    let bytes = std::fs::read(&path).expect("it has just been made");
    std::fs::remove_dir_all(folder).expect("the folder is ours");
    Solved { variant, table, bytes }
});

/// A table with damaged bytes and matching checksums gives correct values, unless its verification fails. Six bytes of
/// the input are one damage: four for the offset, two for the changes.
fn table(bytes: &[u8]) {
    let Solved { variant, table: sound, bytes: file } = &*SOLVED;
    let mut damaged = file.clone();
    let body = checked_length(file);
    for edit in bytes.chunks_exact(6).take(8) {
        let at = u32::from_le_bytes([edit[0], edit[1], edit[2], edit[3]]) as usize % body;
        damaged[at] ^= edit[4];
        damaged[(at + 1) % body] ^= edit[5];
    }
    repair(&mut damaged, body);
    let name = format!("privy-fuzz-{}-{:?}.privy", std::process::id(), std::thread::current().id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, &damaged).expect("the file is ours");
    let opened = Table::open(&path, variant);
    std::fs::remove_file(&path).expect("the file is ours");
    match opened {
        Ok(table) => {
            let verified = verify(&table, None, &mut |_, _| {}, &Stop::default());
            let is_sound = verified.as_ref().is_ok_and(|verified| verified.is_sound());
            let mut game = variant.start();
            for choice in 0..30 {
                match table.probe(&game) {
                    Ok(value) => assert!(!is_sound || value == sound.probe(&game).expect("it is covered"), "{game}"),
                    Err(TableError::Unusable(..) | TableError::NotCovered(_)) => assert!(!is_sound, "{game}"),
                    Err(error) => panic!("{error}"),
                }
                let moves = game.legal_moves();
                let Some(move_) = moves.get(choice * 5 % moves.len().max(1)) else { break };
                game.play(move_.clone());
            }
        }
        Err(error) => assert!(error.to_string().contains(".privy: "), "{error}"),
    }
    assert!(matches!(sound.probe(&variant.start()), Ok(TableValue::Win(_))));
}

/// Length in bytes of the part of a table that has checksums.
fn checked_length(file: &[u8]) -> usize {
    let trailer = file.len() - 24;
    let count = u64::from_le_bytes(file[trailer..trailer + 8].try_into().expect("eight bytes"));
    trailer - count as usize * 8
}

/// Rewrites the checksums to match the bytes.
fn repair(file: &mut [u8], body: usize) {
    let sums: Vec<u8> =
        file[..body].chunks(1 << 16).flat_map(|segment| xxhash_rust::xxh3::xxh3_64(segment).to_le_bytes()).collect();
    file[body..body + sums.len()].copy_from_slice(&sums);
    let trailer = file.len() - 24;
    file[trailer + 8..trailer + 16].copy_from_slice(&xxhash_rust::xxh3::xxh3_64(&sums).to_le_bytes());
}
