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
pub struct Leaf {
    pub place: u32,
    pub position: Position,
    pub without: Vec<Move>,
}

/// The best move of a leaf, and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafResult {
    pub move_: Move,
    pub value: LeafValue,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeafValue {
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
pub struct LeafFile {
    variant: Arc<Variant>,
    file: LineFile,
    /// The results that the file held when it was opened.
    known: HashMap<Position, Vec<LeafResult>>,
}

impl LeafFile {
    /// Opens a file, or creates it, for searches of a variant with `nodes` nodes and `hash` MiB.
    pub fn open(path: &Path, variant: &Arc<Variant>, nodes: u64, hash: usize) -> Result<LeafFile, LineFileError> {
        let (id, fingerprint) = (variant.id().to_owned(), variant.fingerprint().to_owned());
        let head = LeafFileHead { privy_leaves: VERSION, variant: id, fingerprint, nodes, hash };
        let (file, known) = LineFile::open_or_create(path, &head, |lines| read(lines, &head, variant))?;
        Ok(LeafFile { variant: Arc::clone(variant), file, known })
    }

    /// The result of a leaf, if the file held it.
    pub fn find(&self, leaf: &Leaf) -> Option<LeafResult> {
        self.known.get(&leaf.position)?.get(leaf.without.len()).copied()
    }

    /// Adds the result of a leaf. After an error the last line may be incomplete, and nothing more may be added.
    pub fn add(&mut self, leaf: &Leaf, result: &LeafResult) -> Result<(), LineFileError> {
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
