//! The games of a fit, played at once or read from files in which several processes have played a part each.
//!
//! A file is a line of JSON with the settings of the games, then a line for each game with its positions.
use privy_protocol::Stop;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::line_file::{LineFile, LineFileError, Lines};
use crate::part::{Part, PartFiles};
use crate::rules::{Game, Variant};

use super::self_play::{FitError, check_begins};
use super::training_games::{FitProgress, FitRequest, Sample, play_each};

/// The version of the file format.
const FORM: u32 = 1;
const HEAD: &str = "what the games of a fit depend on";
const GAME: &str = "the positions of a game";
/// Games between two syncs to the disk.
const GAMES_OF_SYNC: u32 = 100;

/// The settings of the games, and the part of them in the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    privy_fit: u32,
    variant: String,
    fingerprint: String,
    games: u32,
    nodes: u64,
    seed: u64,
    /// The labels come from a table.
    exact: bool,
    part: Part,
}

impl Head {
    fn of(request: &FitRequest, part: Part) -> Head {
        Head {
            privy_fit: FORM,
            variant: request.variant.id().to_owned(),
            fingerprint: request.variant.fingerprint().to_owned(),
            games: request.games,
            nodes: request.nodes,
            seed: request.seed,
            exact: request.table.is_some(),
            part,
        }
    }

    /// The first setting that differs, the part left aside.
    fn difference(&self, other: &Head) -> Option<&'static str> {
        let differs = [
            ("the version", self.privy_fit != other.privy_fit),
            ("the variant", (&self.variant, &self.fingerprint) != (&other.variant, &other.fingerprint)),
            ("games", self.games != other.games),
            ("nodes", self.nodes != other.nodes),
            ("seed", self.seed != other.seed),
            ("whether a table labels them", self.exact != other.exact),
        ];
        differs.into_iter().find(|(_, differs)| *differs).map(|(name, _)| name)
    }
}

/// The number of a game's pair, from 1: games are held out of a fit in pairs.
fn pair_of(game: u32) -> u64 {
    u64::from(game / 2) + 1
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    game: u32,
    /// The text, the bits of the label and the ply of each position.
    positions: Vec<(String, u64, u32)>,
}

impl GameLine {
    fn new(variant: &Variant, game: u32, samples: &[Sample]) -> GameLine {
        let line = |sample: &Sample| (variant.position_text(&sample.state), sample.result.to_bits(), sample.ply);
        GameLine { game, positions: samples.iter().map(line).collect() }
    }

    fn samples(&self, variant: &Arc<Variant>) -> Result<Vec<Sample>, String> {
        let sample = |(text, label, ply): &(String, u64, u32)| {
            let game = Game::from_text(text, Some(variant)).map_err(|error| format!("illegal position: {error}"))?;
            let result = f64::from_bits(*label);
            match (0.0..=1.0).contains(&result) {
                true => Ok(Sample { state: *game.position(), result, ply: *ply, game: self.game }),
                false => Err(format!("label: expected the bits of a number from 0 to 1, found those of {result}")),
            }
        };
        self.positions.iter().map(sample).collect()
    }
}

/// Reads a file of games of a variant; checks that they are of its part and that none occurs twice.
fn read(lines: &mut Lines<'_>, variant: &Arc<Variant>) -> Result<(Head, BTreeMap<u32, Vec<Sample>>), LineFileError> {
    let head: Head = lines.head(HEAD)?;
    if head.privy_fit != FORM {
        return Err(lines.bad(HEAD, format!("expected version {FORM}, found {}", head.privy_fit)));
    }
    if head.fingerprint != variant.fingerprint() {
        let found = format!("expected {} with these rules, found {}", variant.id(), head.variant);
        return Err(lines.bad(HEAD, found));
    }
    let mut games = BTreeMap::new();
    while let Some(line) = lines.next::<GameLine>(GAME)? {
        let number = line.game;
        if number >= head.games || !head.part.has(pair_of(number)) {
            return Err(lines.bad(GAME, format!("game {number} is none of part {} of the games", head.part)));
        }
        let samples = line.samples(variant).map_err(|reason| lines.bad(GAME, reason))?;
        if games.insert(number, samples).is_some() {
            return Err(lines.bad(GAME, format!("game {number} is there twice")));
        }
    }
    Ok((head, games))
}

/// Plays the games of a part that a file does not hold yet, and appends them to it. Returns the number of games and positions in it.
/// On errors, and when `stop` is set, it keeps the games played.
pub(crate) fn play_into(
    path: &Path,
    request: &FitRequest,
    part: Part,
    progress: &(dyn Fn(FitProgress) + Sync),
    stop: &Stop,
) -> Result<(u32, usize), FitError> {
    let variant = &request.variant;
    check_begins(variant)?;
    let head = Head::of(request, part);
    let (file, known) = if path.metadata().is_ok_and(|metadata| !metadata.is_file() || metadata.len() > 0) {
        let (file, (known_head, known)) = LineFile::open(path, |lines| read(lines, variant))?;
        let differs = known_head.difference(&head).or((known_head.part != part).then_some("the part"));
        if let Some(name) = differs {
            let reason = format!("there are games of another fit in it: {name} differs");
            return Err(LineFileError::new(path, reason).into());
        }
        (file, known)
    } else {
        (LineFile::create(path, &head, "there are games in it")?, BTreeMap::new())
    };
    let is_missing = |game: &u32| part.has(pair_of(*game)) && !known.contains_key(game);
    let numbers: Vec<u32> = (0..request.games).filter(is_missing).collect();
    // The file, and the number of games and positions in it.
    let held = Mutex::new((file, known.len() as u32, known.values().map(Vec::len).sum::<usize>()));
    drop(known);
    let keep = |game: u32, samples: Vec<Sample>| -> Result<(), FitError> {
        let line = GameLine::new(variant, game, &samples);
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, games, positions) = &mut *held;
        file.add(&line)?;
        (*games, *positions) = (*games + 1, *positions + samples.len());
        if games.is_multiple_of(GAMES_OF_SYNC) {
            file.sync()?;
        }
        progress(FitProgress::Game { done: *games });
        Ok(())
    };
    let played = play_each(request, &numbers, keep, stop);
    let (mut file, games, positions) = held.into_inner().unwrap_or_else(PoisonError::into_inner);
    let synced = file.sync();
    played?;
    synced?;
    Ok((games, positions))
}

/// All games of a fit.
pub(crate) struct PlayedGames {
    pub(crate) games: u32,
    /// Nodes of a move.
    pub(crate) nodes: u64,
    pub(crate) seed: u64,
    /// The labels come from perfect play.
    pub(super) exact: bool,
    /// In the order of the games.
    pub(super) samples: Vec<Sample>,
}

impl PlayedGames {
    pub(crate) fn play(
        request: &FitRequest,
        progress: &(dyn Fn(FitProgress) + Sync),
        stop: &Stop,
    ) -> Result<PlayedGames, FitError> {
        check_begins(&request.variant)?;
        let done = AtomicU32::new(0);
        let keep = |_, samples| {
            progress(FitProgress::Game { done: done.fetch_add(1, Ordering::Relaxed) + 1 });
            Ok(samples)
        };
        let played = play_each(request, &(0..request.games).collect::<Vec<_>>(), keep, stop)?;
        let FitRequest { games, nodes, seed, table, .. } = request;
        let (games, nodes, seed, exact) = (*games, *nodes, *seed, table.is_some());
        Ok(PlayedGames { games, nodes, seed, exact, samples: played.into_iter().flatten().collect() })
    }

    /// Reads all parts of the games of a variant; fails when some games are missing.
    pub(crate) fn read(files: &[PathBuf], variant: &Arc<Variant>) -> Result<PlayedGames, FitError> {
        let (mut first, mut parts, mut games): (Option<Head>, _, _) = (None, PartFiles::default(), BTreeMap::new());
        for path in files {
            let (head, of_part) = LineFile::read(path, |lines| read(lines, variant))?;
            if let Some(name) = first.as_ref().and_then(|first| first.difference(&head)) {
                let reason = format!("expected games of the same fit as {}: {name} differs", files[0].display());
                return Err(LineFileError::new(path, reason).into());
            }
            parts.add(head.part, path).map_err(FitError::Games)?;
            games.extend(of_part);
            first.get_or_insert(head);
        }
        let Some(Head { games: count, nodes, seed, exact, .. }) = first else {
            return Err(FitError::Games("there are no files".to_owned()));
        };
        (0..count).filter(|game| !games.contains_key(game)).for_each(|game| parts.miss(pair_of(game)));
        if !parts.is_complete() {
            let missing = parts.missing();
            return Err(FitError::Games(format!("the games are not whole: expected all parts, missing: {missing}")));
        }
        Ok(PlayedGames { games: count, nodes, seed, exact, samples: games.into_values().flatten().collect() })
    }
}
