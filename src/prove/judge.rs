//! Judgements: searches of the leaves of a proof.

use std::sync::Arc;

use privy_protocol::Score;

use crate::rules::{Game, Move, MoveError, MoveText, Outcome, Position, PositionError, Variant};
use crate::search::{Limits, PreparedVariant, SearchRequest, Searcher, Stop};

use super::text::{BadLine, JobText, JudgementText, ResultText, Verdict};

/// Evaluations are capped here, in hundredths of a Rebel: larger ones are unproved wins.
const WON: i32 = 10_000;

/// The best move of a position with the proving side to move, and its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Judgement {
    pub(super) move_: Move,
    pub(super) verdict: Verdict,
}

impl Judgement {
    pub(super) fn text(&self, variant: &Variant, position: &Position) -> JudgementText {
        JudgementText(text_of(variant, position, &self.move_), self.verdict)
    }

    pub(super) fn from_text(
        JudgementText(move_, verdict): &JudgementText,
        variant: &Variant,
        position: &Position,
    ) -> Result<Judgement, MoveError> {
        let path = variant.find_move(position, move_)?;
        Ok(Judgement { move_: *path.action(), verdict: *verdict })
    }
}

fn text_of(variant: &Variant, position: &Position, move_: &Move) -> MoveText {
    let legal = variant.legal_moves(position);
    let path = legal.iter().find(|path| path.action() == move_).expect("only legal moves are judged");
    variant.describe(path)
}

/// All that a judgement depends on.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) variant: Arc<Variant>,
    pub(super) position: Position,
    /// The moves judged before, which the search leaves out.
    pub(super) without: Vec<Move>,
    pub(super) nodes: u64,
    pub(super) mebibytes: usize,
}

/// Why a line is no job or no result that can be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JobError {
    #[error(transparent)]
    Line(#[from] BadLine),
    #[error(
        "unknown variant: \"{0}\"; privy variants list names the built-in ones, another is named on the command line"
    )]
    UnknownVariant(String),
    #[error("fingerprint: expected {expected}, that of the rules of {id}, found \"{found}\"")]
    OtherRules { id: String, expected: String, found: String },
    #[error("illegal position: {0}")]
    Position(#[from] PositionError),
    #[error("game over: {0}")]
    Over(Outcome),
    #[error("illegal move: {0}: {1}")]
    Move(String, MoveError),
    /// All moves are left out.
    #[error("without: expected a legal move that is not left out, found none")]
    NothingLeft,
    /// The judgement is of a move that was left out.
    #[error("move: expected one that is not left out, found \"{0}\"")]
    LeftOut(String),
    /// A result is of another variant than the store.
    #[error("variant: expected {expected}, found \"{found}\"")]
    OtherVariant { expected: String, found: String },
    #[error("verdict: expected a win that the same search finds here, found \"{0}\"")]
    FalseWin(String),
    /// The store lacks the judgements that the result builds on.
    #[error("without: expected the moves that the store has judgements of, found others")]
    OutOfOrder,
}

impl Job {
    /// The job of a text, of the given variant or a built-in one.
    pub(super) fn from_text(text: &JobText, given: Option<&Arc<Variant>>) -> Result<Job, JobError> {
        let given = given.filter(|variant| variant.id() == text.variant).cloned();
        let variant = given.or_else(|| Variant::builtin(&text.variant));
        let variant = variant.ok_or_else(|| JobError::UnknownVariant(text.variant.clone()))?;
        if variant.fingerprint() != text.fingerprint {
            let (id, expected) = (variant.id().to_owned(), variant.fingerprint().to_owned());
            return Err(JobError::OtherRules { id, expected, found: text.fingerprint.clone() });
        }
        let position = *Game::from_text(&text.position.join(" "), Some(&variant))?.position();
        if let Some(outcome) = variant.outcome(&position) {
            return Err(JobError::Over(outcome));
        }
        let mut without: Vec<Move> = Vec::new();
        for move_ in &text.without {
            let path = variant.find_move(&position, move_);
            without.push(*path.map_err(|error| JobError::Move(move_.to_string(), error.into()))?.action());
        }
        let job = Job { variant, position, without, nodes: text.nodes, mebibytes: text.mebibytes };
        if job.has_moves() { Ok(job) } else { Err(JobError::NothingLeft) }
    }

    pub(super) fn text(&self) -> JobText {
        let Job { variant, position, without, .. } = self;
        let fields = variant.position_text(position);
        let mut fields = fields.split(' ').map(str::to_owned);
        JobText {
            variant: variant.id().to_owned(),
            fingerprint: variant.fingerprint().to_owned(),
            position: std::array::from_fn(|_| fields.next().unwrap_or_default()),
            nodes: self.nodes,
            mebibytes: self.mebibytes,
            without: without.iter().map(|move_| text_of(variant, position, move_)).collect(),
        }
    }

    /// There is a move that has not been judged.
    pub(super) fn has_moves(&self) -> bool {
        self.variant.legal_moves(&self.position).iter().any(|path| !self.without.contains(path.action()))
    }

    pub(super) fn judgement(&self, text: &JudgementText) -> Result<Judgement, JobError> {
        let judgement = Judgement::from_text(text, &self.variant, &self.position)
            .map_err(|error| JobError::Move(text.0.to_string(), error))?;
        if self.without.contains(&judgement.move_) {
            return Err(JobError::LeftOut(text.0.to_string()));
        }
        Ok(judgement)
    }

    pub(super) fn result(&self, judgement: &Judgement) -> ResultText {
        ResultText(self.text(), judgement.text(&self.variant, &self.position))
    }
}

/// A searcher that judges jobs of one variant. A judgement depends on the job alone, not on searches before nor on the process.
#[derive(Debug)]
pub(super) struct Judge(Searcher);

impl Judge {
    pub(super) fn new(prepared: &Arc<PreparedVariant>) -> Judge {
        // Each job brings its own table size.
        Judge(Searcher::prepared_for(Arc::clone(prepared), 1))
    }

    /// Checks the judgement of another program: a win must be found again, all else is accepted. None when it was stopped.
    pub(super) fn confirms(&mut self, job: &Job, judgement: &Judgement, stop: &Stop) -> Option<bool> {
        match judgement.verdict {
            Verdict::Wins(_) => Some(self.judge(job, stop)? == *judgement),
            _ => Some(true),
        }
    }

    /// None when it was stopped.
    pub(super) fn judge(&mut self, job: &Job, stop: &Stop) -> Option<Judgement> {
        self.0.mebibytes = job.mebibytes;
        let game = Game::new(&job.variant, job.position, 0, 0);
        let mut search_moves = game.legal_moves();
        search_moves.retain(|path| !job.without.contains(path.action()));
        let limits = Limits { nodes: Some(job.nodes), ..Limits::default() };
        let limits = SearchRequest { limits, search_moves, ..SearchRequest::default() };
        let found = self.0.search(&game, &limits, stop, &mut |_| {}).filter(|_| !stop.is_set())?;
        let verdict = match found.lines.first().map(|line| (line.score, line.proven_depth)) {
            Some((Score::Win(plies), _)) => Verdict::Wins(u16::try_from(plies).unwrap_or(u16::MAX)),
            Some((Score::Loss(_), _)) => Verdict::Fails,
            Some((score, proven)) if score != Score::Draw => Verdict::Open {
                hundredths: score.hundredths().map_or(0, |hundredths| hundredths.min(WON)),
                no_win_within: u16::try_from(proven).unwrap_or(u16::MAX),
            },
            Some(_) | None => Verdict::Open { hundredths: 0, no_win_within: 0 },
        };
        Some(Judgement { move_: *found.best.action(), verdict })
    }
}
