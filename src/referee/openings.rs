//! The openings of a match: as users name them, and their choice by random moves or from a file.
//!
//! These games are lopsided: from most openings one side wins whatever the other does, and a match from there says
//! little. So a match can begin at positions in which the result depends on the players. No two openings of a match are
//! the same or mirror images, and all depend on the seed alone: not on the number of threads, nor on the machine.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use privy_base::bounded_read::read_bounded;
use privy_base::random::Random;
use privy_base::threads::{Threads, cores, try_map};
use privy_engine::WinRate;
use privy_records::{GameResult, Record, RecordedMove, records};
use privy_rules::{Game, MovePath, Position, Side, Variant};
use privy_search::{Limits, PreparedVariant, Searcher, Stop};
use privy_tables::{Table, TableError, TableValue, Tables};

use crate::fault::BadSetting;
use crate::settings::{Opening, unfinished};

/// The most bytes of a file of openings.
const LARGEST_TEXT: u64 = 1 << 28;

/// Successive walks without a new position after which the search ends.
const FUTILE_WALKS: u32 = 1_000;

/// The most random plies: games of these variants have ended by then.
const MOST_RANDOM_PLIES: u32 = 1_000;

/// The choice of openings: `opening`, `random:6`, `random:4-10`, `balanced`, or the path of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpeningsChoice {
    /// The opening of the variant.
    Variant,
    /// Random legal moves from the opening of the variant; the range is the number of plies.
    Random(RangeInclusive<u32>),
    /// Positions in which the result depends on the next moves: by table, or by search without one.
    Balanced,
    /// The positions of a file: position texts, one a line, or game records.
    File(PathBuf),
}

impl FromStr for OpeningsChoice {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<OpeningsChoice, BadSetting> {
        let bad = |expected: &str| BadSetting(format!("openings \"{text}\": expected {expected}"));
        match text {
            "" => Err(bad("opening, random:PLIES, balanced or the path of a file")),
            "opening" => Ok(OpeningsChoice::Variant),
            "balanced" => Ok(OpeningsChoice::Balanced),
            _ => match text.strip_prefix("random:").or((text == "random").then_some("")) {
                Some(plies) => range(plies).map(OpeningsChoice::Random).ok_or_else(|| {
                    bad(&format!("plies from 1 to {MOST_RANDOM_PLIES}, such as random:6 or random:4-10"))
                }),
                None => Ok(OpeningsChoice::File(PathBuf::from(text))),
            },
        }
    }
}

fn range(text: &str) -> Option<RangeInclusive<u32>> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let (least, most) = (least.parse().ok()?, most.parse().ok()?);
    (1 <= least && least <= most && most <= MOST_RANDOM_PLIES).then_some(least..=most)
}

impl fmt::Display for OpeningsChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningsChoice::Variant => f.write_str("opening"),
            OpeningsChoice::Random(plies) if plies.start() == plies.end() => write!(f, "random:{}", plies.start()),
            OpeningsChoice::Random(plies) => write!(f, "random:{}-{}", plies.start(), plies.end()),
            OpeningsChoice::Balanced => f.write_str("balanced"),
            OpeningsChoice::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A request for openings.
#[derive(Debug, Clone, Copy)]
pub struct OpeningsRequest<'a> {
    /// The variant of the match.
    pub variant: &'a Arc<Variant>,
    /// The most openings.
    pub count: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The tables for balanced positions.
    pub tables: &'a Tables,
    /// Ends the work when it is set.
    pub stop: &'a Stop,
}

impl OpeningsRequest<'_> {
    fn start(&self) -> Result<Game, BadSetting> {
        unfinished(self.variant.start())
    }

    fn check_interrupt(&self) -> Result<(), OpeningsError> {
        if self.stop.is_set() { Err(OpeningsError::Interrupted) } else { Ok(()) }
    }
}

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The opening of the variant is a finished game.
    #[error(transparent)]
    Opening(#[from] BadSetting),
    /// There is none of the kind, or the file is wrong or not readable.
    #[error("{0}")]
    None(String),
    /// The table is not usable.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl OpeningsChoice {
    /// The choice without another: balanced where the variant has a table, else six random plies, after which little
    /// may be left to play for.
    pub fn default_for(request: &OpeningsRequest<'_>) -> OpeningsChoice {
        let table = request.tables.find_any(request.variant);
        if matches!(table, Ok(Some(_))) { OpeningsChoice::Balanced } else { OpeningsChoice::Random(6..=6) }
    }

    /// At least one opening, and at most the requested number; fewer if there are no more of the kind.
    ///
    /// # Errors
    /// When there is none, a file is wrong, or the work was interrupted.
    pub fn pick(&self, request: &OpeningsRequest<'_>) -> Result<Vec<Opening>, OpeningsError> {
        match self {
            OpeningsChoice::Variant => Ok(vec![Opening::of_game(&request.start()?, "the opening of the variant")]),
            OpeningsChoice::Random(plies) => random(request, plies),
            OpeningsChoice::Balanced => balanced(request),
            OpeningsChoice::File(path) => from_file(request, path),
        }
    }
}

/// Openings by random moves, all different.
fn random(request: &OpeningsRequest<'_>, plies: &RangeInclusive<u32>) -> Result<Vec<Opening>, OpeningsError> {
    let start = request.start()?;
    let mut openings = Vec::new();
    let mut seen = Seen::default();
    let mut futile = 0;
    for number in 0.. {
        if openings.len() >= request.count || futile >= FUTILE_WALKS {
            break;
        }
        request.check_interrupt()?;
        let mut random = Random::numbered(request.seed, number);
        let more = random.below(u64::from(plies.end() - plies.start()) + 1);
        let plies = plies.start() + more as u32;
        let mut game = start.clone();
        if walk(&mut game, plies, &mut random) && seen.is_new(&game) {
            let noun = if plies == 1 { "ply" } else { "plies" };
            openings.push(Opening::of_game(&game, format!("{plies} random {noun}")));
            futile = 0;
        } else {
            futile += 1;
        }
    }
    if openings.is_empty() {
        let id = request.variant.id();
        let reason = "all games were over by then; fewer plies would be right";
        return Err(OpeningsError::None(format!("no random openings of {id}: {reason}")));
    }
    Ok(openings)
}

/// The game at the end of an opening, and its place in the file.
type Placed = (Game, String);

/// The openings of a file in their order, without repeated positions.
fn from_file(request: &OpeningsRequest<'_>, path: &Path) -> Result<Vec<Opening>, OpeningsError> {
    let name = path.display().to_string();
    let failed = |reason: String| OpeningsError::None(format!("cannot load file: {name}: {reason}"));
    let text = text_of(request, path)?.map_err(|error| failed(error.to_string()))?;
    let in_records = text.trim_start().starts_with(['[', '{']);
    let games = if in_records { of_records(&text, request.variant) } else { of_lines(&text, request.variant) };
    let mut games = games.map_err(failed)?;
    let mut seen = Seen::default();
    games.retain(|(game, _)| seen.is_new(game));
    if games.is_empty() {
        return Err(failed("expected position texts, one a line, or game records, found none".to_owned()));
    }
    let opening = |(game, place): Placed| Opening::of_game(&game, format!("{place} of {name}"));
    Ok(games.into_iter().take(request.count).map(opening).collect())
}

/// The interval at which a wait for a pipe looks for an interrupt.
const PIPE_INTERVAL: Duration = Duration::from_millis(50);

/// The text of a file or of a pipe; an interrupt ends the wait for a pipe.
fn text_of(request: &OpeningsRequest<'_>, path: &Path) -> Result<io::Result<String>, OpeningsError> {
    let read = |path: &Path| File::open(path).and_then(|file| read_bounded(file, LARGEST_TEXT));
    if fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return Ok(read(path));
    }
    let (sender, receiver) = mpsc::channel();
    let pipe = path.to_owned();
    // The thread may wait for ever: the process does not wait for it at its end.
    if let Err(error) = thread::Builder::new().spawn(move || sender.send(read(&pipe))) {
        return Ok(Err(error));
    }
    loop {
        match receiver.recv_timeout(PIPE_INTERVAL) {
            Ok(text) => return Ok(text),
            Err(RecvTimeoutError::Timeout) => request.check_interrupt()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(Err(io::Error::other("it could not be read"))),
        }
    }
}

/// One position text a line; `#` begins a comment.
fn of_lines(text: &str, variant: &Arc<Variant>) -> Result<Vec<Placed>, String> {
    let mut games = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let position = line.split('#').next().unwrap_or_default().trim();
        if !position.is_empty() {
            let place = format!("line {number}");
            let opening = Opening { position: position.to_owned(), moves: Vec::new(), origin: String::new() };
            games.push((opening.game(variant).map_err(|error| format!("{place}: {error}"))?, place));
        }
    }
    Ok(games)
}

fn of_records(text: &str, variant: &Arc<Variant>) -> Result<Vec<Placed>, String> {
    let mut games = Vec::new();
    for (number, record) in (1..).zip(records(text)) {
        let record = record.map_err(|error| error.to_string())?;
        let place = format!("game {number}");
        let game = opening_of(&record, variant).map_err(|reason| format!("{place}: {reason}"))?;
        games.push((game, place));
    }
    Ok(games)
}

/// The position of a record before its first commented move. Without comments it is the last position of an unfinished
/// game, and the first of a finished one.
fn opening_of(record: &Record, variant: &Arc<Variant>) -> Result<Game, String> {
    if record.variant != variant.id() {
        return Err(format!("expected a game of {}, found one of {}", variant.id(), record.variant));
    }
    let otherwise = if record.result == GameResult::Unfinished { record.moves.len() } else { 0 };
    let plies = record.moves.iter().position(RecordedMove::is_searched).unwrap_or(otherwise);
    let mut game = record.game_after(plies, Some(variant)).map_err(|error| error.to_string())?;
    game.set_move_limit(None);
    unfinished(game).map_err(|error| error.to_string())
}

#[derive(Debug)]
struct Candidate {
    game: Game,
    /// The side to move, and the class of the value.
    kind: (Side, i8),
    /// 0 is best; good candidates are below 2.
    grade: u32,
    origin: String,
}

/// Attempts in parallel.
const BATCH: u64 = 64;

/// The most attempts: a constant, and a number for each opening.
const FIRST_ATTEMPTS: u64 = 4_096;
const MORE_ATTEMPTS: u64 = 32;

/// Openings in which the result depends on the players: critical positions by a table of perfect play, or positions
/// that a search scores near even.
fn balanced(request: &OpeningsRequest<'_>) -> Result<Vec<Opening>, OpeningsError> {
    let start = request.start()?;
    match request.tables.find_any(request.variant)? {
        Some(table) => pick(request, |attempt| critical(&table, &start, request.seed, attempt)),
        None => {
            let prepared = Arc::new(PreparedVariant::new(request.variant));
            pick(request, |attempt| Ok(near_even(&prepared, &start, request.seed, attempt)))
        }
    }
}

/// Makes attempts until there are `count` good candidates for each side to move. That is twice the need, so that the
/// best are taken, and rare kinds get their share.
fn pick(
    request: &OpeningsRequest<'_>,
    attempt: impl Fn(u64) -> Result<Option<Candidate>, TableError> + Sync,
) -> Result<Vec<Opening>, OpeningsError> {
    let most = FIRST_ATTEMPTS.saturating_add(MORE_ATTEMPTS.saturating_mul(request.count as u64));
    let mut seen = Seen::default();
    let mut found: Vec<Candidate> = Vec::new();
    let mut made = 0;
    let threads = Threads::new(cores());
    let lacks = |found: &[Candidate], side| {
        found.iter().filter(|candidate| candidate.grade < 2 && candidate.kind.0 == side).count() < request.count
    };
    while made < most && (lacks(&found, Side::General) || lacks(&found, Side::Rebels)) {
        request.check_interrupt()?;
        let batch: Result<Vec<_>, TableError> = threads.run(|| try_map(made..made + BATCH, &attempt));
        found.extend(batch?.into_iter().flatten().filter(|candidate| seen.is_new(&candidate.game)));
        made += BATCH;
    }
    if found.is_empty() {
        let id = request.variant.id();
        let what = format!("no balanced openings of {id}: expected positions in which moves decide, found none");
        return Err(OpeningsError::None(what));
    }
    Ok(by_kind(found, request.count))
}

/// Good candidates first: the best of each kind, then the second best of each kind, and so on. Then all others
/// likewise.
fn by_kind(mut found: Vec<Candidate>, count: usize) -> Vec<Opening> {
    found.sort_by_key(|candidate| candidate.grade);
    let mut ranks: HashMap<(bool, (Side, i8)), usize> = HashMap::new();
    let mut ordered: Vec<_> = found
        .into_iter()
        .map(|candidate| {
            let is_poor = candidate.grade >= 2;
            let rank = ranks.entry((is_poor, candidate.kind)).or_default();
            *rank += 1;
            ((is_poor, *rank, candidate.kind), candidate)
        })
        .collect();
    ordered.sort_by_key(|(place, _)| *place);
    let best = ordered.into_iter().take(count);
    best.map(|(_, candidate)| Opening::of_game(&candidate.game, candidate.origin)).collect()
}

/// Critical positions are looked for from a random ply below this on, for this number of plies.
const CRITICAL_PLIES: u64 = 40;

/// The most critical position in a random game: the side to move can win, or hold a draw, but only with some of its
/// moves.
///
/// The players are fallible, so that positions are like those of real games: of four moves, 1 to 3 of one side and 0 to
/// 2 of the other keep the value, and the rest are any legal moves. The side that errs less is to move in the opening;
/// it alternates by attempt, so that there are openings for both.
fn critical(table: &Table, start: &Game, seed: u64, attempt: u64) -> Result<Option<Candidate>, TableError> {
    let mut random = Random::numbered(seed, attempt);
    let favoured = if attempt.is_multiple_of(2) { Side::General } else { Side::Rebels };
    let watched_from = random.below(CRITICAL_PLIES);
    let (kept_in_favour, kept_otherwise) = (1 + random.below(3), random.below(3));
    let mut game = start.clone();
    let mut critical: Option<Candidate> = None;
    for ply in 0..watched_from + CRITICAL_PLIES {
        let side = game.position().side();
        let moves = table.values(&game)?;
        let Some(best) = moves.iter().map(|(_, value)| *value).max() else { break };
        let all: Vec<&MovePath> = moves.iter().map(|(move_, _)| move_).collect();
        let keeping: Vec<&MovePath> =
            moves.iter().filter(|(_, value)| value.class() == best.class()).map(|(move_, _)| move_).collect();
        if ply >= watched_from
            && side == favoured
            && let Some(grade) = grade(best, keeping.len(), all.len())
            && critical.as_ref().is_none_or(|other| grade < other.grade)
        {
            let origin = format!("table: {best} for the {side}, {} of {} moves keep it", keeping.len(), all.len());
            critical = Some(Candidate { game: game.clone(), kind: (side, best.class()), grade, origin });
            if grade == 0 {
                break;
            }
        }
        let kept = if side == favoured { kept_in_favour } else { kept_otherwise };
        let choice = if random.below(4) < kept { &keeping } else { &all };
        if !random.pick(choice).is_some_and(|move_| play_new(&mut game, move_)) {
            break;
        }
    }
    Ok(critical)
}

/// How critical a position is, by its value and the moves that keep it: 0 is most. Returns `None` if all moves keep the
/// value, or the win is so short that any player finds it.
fn grade(best: TableValue, keeping: usize, moves: usize) -> Option<u32> {
    let plies = match best {
        TableValue::Win(plies) => plies,
        TableValue::Draw | TableValue::WinByRepetition => u32::MAX,
        // Every move keeps a loss.
        TableValue::Loss(_) | TableValue::LossByRepetition => return None,
    };
    match plies {
        9.. if keeping * 3 <= moves => Some(0),
        5.. if keeping * 2 <= moves => Some(1),
        3.. if keeping < moves => Some(2),
        _ => None,
    }
}

/// Random plies before a position: 4 to 24.
const FEWEST_PLIES: u32 = 4;
const MORE_PLIES: u64 = 21;

/// Nodes of a search, and MiB of its table: some milliseconds, to depths of 6 to 8 plies.
const EVEN_NODES: u64 = 5_000;
const EVEN_MEBIBYTES: usize = 1;

/// The greatest absolute score by grade, in hundredths: chances from 41 to 59, from 24 to 76, from 9 to 91 %.
const NEAR_EVEN: [u32; 3] = [50, 150, 300];

/// A position after random moves that a fixed search scores near even.
fn near_even(prepared: &Arc<PreparedVariant>, start: &Game, seed: u64, attempt: u64) -> Option<Candidate> {
    let mut random = Random::numbered(seed, attempt);
    let plies = FEWEST_PLIES + random.below(MORE_PLIES) as u32;
    let mut game = start.clone();
    if !walk(&mut game, plies, &mut random) {
        return None;
    }
    let limits = Limits { nodes: Some(EVEN_NODES), ..Limits::default() };
    let mut searcher = Searcher::prepared_for(Arc::clone(prepared), EVEN_MEBIBYTES);
    let found = searcher.search(&game, limits, &Stop::default(), &mut |_| {})?;
    let score = WinRate::of(game.variant()).reported(found.lines.first()?.verdict.score, game.side());
    let size = score.hundredths()?.unsigned_abs();
    let grade = NEAR_EVEN.iter().position(|most| size <= *most)?;
    let kind = (game.position().side(), 0);
    Some(Candidate { game, kind, grade: grade as u32, origin: format!("search: {score} after {EVEN_NODES} nodes") })
}

/// Plays random legal moves. False if the game ends or a position repeats.
fn walk(game: &mut Game, plies: u32, random: &mut Random) -> bool {
    (0..plies).all(|_| random.pick(&game.legal_moves()).is_some_and(|move_| play_new(game, move_)))
}

/// Plays a move. False if the game ends or a position repeats: the legal continuations must not depend on the history
/// of the opening.
fn play_new(game: &mut Game, move_: &MovePath) -> bool {
    game.play(move_.clone());
    game.occurrences() == 1 && game.outcome().is_none()
}

/// Known positions, with their mirror images.
#[derive(Debug, Default)]
struct Seen(HashSet<Position>);

impl Seen {
    /// Adds the position of a game. False if it was known.
    fn is_new(&mut self, game: &Game) -> bool {
        let is_new = self.0.insert(*game.position());
        self.0.insert(game.variant().mirror(game.position()));
        is_new
    }
}
