//! The leaves of the best-first search: whole searches, and the file that keeps their results.
//!
//! A result depends on the position, the moves left out, the nodes and the size of the transposition table alone, not on earlier searches or
//! on the process. So an interrupted proof resumes with the results in the file, and finds what it would have found. The file has JSON lines:
//! a head with the game and the settings, then a line for each result, the best move of a position before the best one without it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use privy_protocol::{Score, Stop};
use serde::{Deserialize, Serialize};

use crate::{Limits, SearchRequest, Searcher};
use privy_base::line_file::{LineFile, LineFileError, Lines};
use privy_rules::{Game, Move, Position, Variant};

use super::file::read_position;

/// The version of the file.
const VERSION: u32 = 1;
/// Evaluations are capped here, in hundredths of a Rebel: larger ones are unproved wins.
const WON: i32 = 10_000;

/// A position to be searched, without the moves that have been.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) place: u32,
    pub(super) position: Position,
    pub(super) without: Vec<Move>,
}

/// The best move of a leaf, and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LeafResult {
    pub(super) move_: Move,
    pub(super) value: LeafValue,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LeafValue {
    /// The move wins in exactly these plies.
    Win(u16),
    /// Nothing is proved but that no move wins within some plies. The evaluation is in hundredths of a Rebel.
    Open { hundredths: i32, no_win_within: u16 },
    /// The move is proved to lose.
    Loss,
}

impl Leaf {
    /// The moves that have not been searched are searched with `nodes` nodes. `None` if the search was stopped.
    pub(super) fn search(
        &self,
        variant: &Arc<Variant>,
        searcher: &mut Searcher,
        nodes: u64,
        stop: &Stop,
    ) -> Option<LeafResult> {
        let game = Game::new(variant, self.position, 0, 0);
        let mut search_moves = game.legal_moves();
        search_moves.retain(|path| !self.without.contains(path.action()));
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = SearchRequest { limits, search_moves, ..SearchRequest::default() };
        let found = searcher.search(&game, &request, stop, &mut |_| {}).filter(|_| !stop.is_set())?;
        let value = match found.lines.first().map(|line| (line.score, line.proven_depth)) {
            Some((Score::Win(plies), _)) => LeafValue::Win(u16::try_from(plies).unwrap_or(u16::MAX)),
            Some((Score::Loss(_), _)) => LeafValue::Loss,
            Some((score, proven)) if score != Score::Draw => LeafValue::Open {
                hundredths: score.hundredths().map_or(0, |hundredths| hundredths.min(WON)),
                no_win_within: u16::try_from(proven).unwrap_or(u16::MAX),
            },
            Some(_) | None => LeafValue::Open { hundredths: 0, no_win_within: 0 },
        };
        Some(LeafResult { move_: *found.best.action(), value })
    }

    /// True if there is a move that has not been searched.
    pub(super) fn has_moves(&self, variant: &Variant) -> bool {
        variant.legal_moves(&self.position).iter().any(|path| !self.without.contains(path.action()))
    }
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeafFileHead {
    privy_leaves: u32,
    variant: String,
    fingerprint: String,
    nodes: u64,
    /// In MiB.
    hash: usize,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LeafLine {
    position: String,
    #[serde(rename = "move")]
    move_: String,
    value: LeafValue,
}

/// A file of results, open for more.
#[derive(Debug)]
pub(super) struct LeafFile {
    variant: Arc<Variant>,
    file: LineFile,
    /// The results that the file held when it was opened.
    known: HashMap<Position, Vec<LeafResult>>,
}

impl LeafFile {
    /// Opens a file, or creates it, for searches of a variant with `nodes` nodes and `hash` MiB.
    pub(super) fn open(
        path: &Path,
        variant: &Arc<Variant>,
        nodes: u64,
        hash: usize,
    ) -> Result<LeafFile, LineFileError> {
        let (id, fingerprint) = (variant.id().to_owned(), variant.fingerprint().to_owned());
        let head = LeafFileHead { privy_leaves: VERSION, variant: id, fingerprint, nodes, hash };
        let (file, known) = LineFile::open_or_create(path, &head, |lines| read(lines, &head, variant))?;
        Ok(LeafFile { variant: Arc::clone(variant), file, known })
    }

    /// The result of a leaf, if the file held it.
    pub(super) fn find(&self, leaf: &Leaf) -> Option<LeafResult> {
        self.known.get(&leaf.position)?.get(leaf.without.len()).copied()
    }

    /// Adds the result of a leaf. After an error the last line may be incomplete, and nothing more may be added.
    pub(super) fn add(&mut self, leaf: &Leaf, result: &LeafResult) -> Result<(), LineFileError> {
        let legal = self.variant.legal_moves(&leaf.position);
        let path = legal.iter().find(|path| *path.action() == result.move_).expect("a search finds a legal move");
        self.file.add(&LeafLine {
            position: self.variant.position_text(&leaf.position),
            move_: self.variant.move_text(path),
            value: result.value,
        })
    }

    pub(super) fn sync(&mut self) -> Result<(), LineFileError> {
        self.file.sync()
    }
}

/// Reads a file that must have this head.
fn read(
    lines: &mut Lines<'_>,
    expected: &LeafFileHead,
    variant: &Arc<Variant>,
) -> Result<HashMap<Position, Vec<LeafResult>>, LineFileError> {
    const HEAD: &str = "the settings of a proof";
    const RESULT: &str = "the result of a search";
    let head: LeafFileHead = lines.head(HEAD)?;
    if head.privy_leaves != VERSION {
        return Err(lines.bad(HEAD, format!("expected version {VERSION}, found {}", head.privy_leaves)));
    }
    if head.fingerprint != expected.fingerprint {
        let LeafFileHead { variant, fingerprint, .. } = &head;
        let other = format!("it is of {variant} with the fingerprint {fingerprint}, expected {}", expected.fingerprint);
        return Err(lines.bad(HEAD, other));
    }
    if (head.nodes, head.hash) != (expected.nodes, expected.hash) {
        let LeafFileHead { nodes, hash, .. } = head;
        return Err(lines.bad(HEAD, format!("it is of searches with --nodes {nodes} --hash {hash}")));
    }
    let mut known: HashMap<Position, Vec<LeafResult>> = HashMap::new();
    while let Some(LeafLine { position, move_, value }) = lines.next(RESULT)? {
        let position = read_position(&position, variant).map_err(|fault| lines.bad(RESULT, fault))?;
        let text = move_.parse().map_err(|error| lines.bad(RESULT, format!("illegal move: {error}")))?;
        let path = variant.find_move(&position, &text);
        let path = path.map_err(|error| lines.bad(RESULT, format!("illegal move: {move_}: {error}")))?;
        let results = known.entry(position).or_default();
        if results.iter().any(|result| result.move_ == *path.action()) {
            return Err(lines.bad(RESULT, format!("the move {move_} has a result already")));
        }
        results.push(LeafResult { move_: *path.action(), value });
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("privy-leaves-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn of_several_threads_that_open_a_file_one_gets_it_and_the_others_are_refused() {
        let folder = folder("rivals");
        let variant = Variant::builtin("subjugatio").unwrap();
        for round in 0..30 {
            let path = folder.join(round.to_string());
            let opened = std::thread::scope(|scope| {
                let open = || LeafFile::open(&path, &variant, 1_000, 64);
                let rivals: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
                rivals.into_iter().map(|rival| rival.join().unwrap()).collect::<Vec<_>>()
            });
            assert_eq!(opened.iter().filter(|file| file.is_ok()).count(), 1);
            for refused in opened.into_iter().filter_map(Result::err) {
                assert!(refused.to_string().contains("in use by "), "{refused}");
            }
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn results_are_kept_and_another_game_and_other_settings_are_refused() {
        let folder = folder("kept");
        let path = folder.join("file");
        let variant = Variant::builtin("subjugatio").unwrap();
        let open = |variant: &Arc<Variant>, nodes, hash| LeafFile::open(&path, variant, nodes, hash);
        let legal = variant.legal_moves(variant.opening());
        let values = [LeafValue::Win(17), LeafValue::Open { hundredths: -250, no_win_within: 9 }, LeafValue::Loss];
        let mut leaf = Leaf { place: 0, position: *variant.opening(), without: Vec::new() };
        let mut file = open(&variant, 1_000, 64).unwrap();
        let mut kept = Vec::new();
        for (path, value) in legal.iter().zip(values) {
            let result = LeafResult { move_: *path.action(), value };
            file.add(&leaf, &result).unwrap();
            leaf.without.push(result.move_);
            kept.push(result);
        }
        assert!(!kept.is_empty());
        drop(file);
        // A line that was cut off by a full disk is ignored.
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text + "{\"position\":").unwrap();
        let file = open(&variant, 1_000, 64).unwrap();
        leaf.without.clear();
        for result in &kept {
            assert_eq!(file.find(&leaf), Some(*result));
            leaf.without.push(result.move_);
        }
        assert_eq!(file.find(&leaf), None);
        drop(file);
        let refused = |variant: &Arc<Variant>, nodes, hash, words: &str| {
            let error = open(variant, nodes, hash).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(&variant, 2_000, 64, "it is of searches with --nodes 1000 --hash 64");
        refused(&variant, 1_000, 32, "it is of searches with --nodes 1000 --hash 64");
        refused(&Variant::builtin("subjugatio-free").unwrap(), 1_000, 64, "with the fingerprint");
        fs::remove_dir_all(folder).unwrap();
    }
}
