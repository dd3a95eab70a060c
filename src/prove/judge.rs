//! What a search says of a position: the leaves of a proof in the making.

use std::sync::Arc;

use privy_protocol::Score;

use crate::rules::{Game, Move, MoveError, Outcome, Position, PositionError, Variant};
use crate::search::{Limits, PreparedVariant, Searcher, Stop};

use super::text::{JobText, JudgementText, ResultText, Verdict};

/// The evaluation of what the search claims to be won, in hundredths of a Rebel.
pub(super) const WON: i32 = 10_000;

/// What a search says of the best move of a position, with the attacker to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Judgement {
    pub(super) move_: Move,
    pub(super) verdict: Verdict,
}

impl Judgement {
    /// As text, with a move that is legal in the position.
    pub(super) fn text(&self, variant: &Variant, position: &Position) -> JudgementText {
        JudgementText { move_: text_of(variant, position, &self.move_), verdict: self.verdict }
    }

    /// Of a text, if its move is legal in the position.
    pub(super) fn from_text(
        text: &JudgementText,
        variant: &Variant,
        position: &Position,
    ) -> Result<Judgement, MoveError> {
        let path = variant.find_move(position, &text.move_)?;
        Ok(Judgement { move_: *path.action(), verdict: text.verdict })
    }
}

fn text_of(variant: &Variant, position: &Position, move_: &Move) -> crate::rules::MoveText {
    let legal = variant.legal_moves(position);
    let path = legal.iter().find(|path| path.action() == move_).expect("only legal moves are judged");
    variant.describe(path)
}

/// All that a judgement depends on.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) variant: Arc<Variant>,
    pub(super) position: Position,
    /// Moves that have been judged; there are others.
    pub(super) without: Vec<Move>,
    pub(super) nodes: u64,
    pub(super) mebibytes: usize,
}

/// Why a job or a result that is well formed makes no sense.
#[derive(Debug, thiserror::Error)]
pub enum BadJob {
    /// There is no such variant.
    #[error(
        "unknown variant: \"{0}\"; privy variants list names the built-in ones, another is named on the command line"
    )]
    UnknownVariant(String),
    /// The variant has other rules.
    #[error("fingerprint: expected {expected}, that of the rules of {id}, found \"{found}\"")]
    OtherRules {
        /// The variant.
        id: String,
        /// Its fingerprint.
        expected: String,
        /// The fingerprint of the job.
        found: String,
    },
    /// The position is none of the variant.
    #[error("illegal position: {0}")]
    Position(#[from] PositionError),
    /// The position is over.
    #[error("game over: {0}")]
    Over(Outcome),
    /// A move is not legal in the position.
    #[error("illegal move: {0}: {1}")]
    Move(String, MoveError),
    /// All moves are left out.
    #[error("without: expected a legal move that is not left out, found none")]
    NothingLeft,
    /// The judgement is of a move that was left out.
    #[error("move: expected one that is not left out, found \"{0}\"")]
    LeftOut(String),
}

impl Job {
    /// Of a text; the variant is the one given or a built-in one.
    pub(super) fn from_text(text: &JobText, given: Option<&Arc<Variant>>) -> Result<Job, BadJob> {
        let given = given.filter(|variant| variant.id() == text.variant).map(Arc::clone);
        let variant = given.or_else(|| Variant::builtin(&text.variant));
        let variant = variant.ok_or_else(|| BadJob::UnknownVariant(text.variant.clone()))?;
        if variant.fingerprint() != text.fingerprint {
            let (id, expected) = (variant.id().to_owned(), variant.fingerprint().to_owned());
            return Err(BadJob::OtherRules { id, expected, found: text.fingerprint.clone() });
        }
        let position = *Game::from_text(&text.position.join(" "), Some(&variant))?.position();
        if let Some(outcome) = variant.outcome(&position) {
            return Err(BadJob::Over(outcome));
        }
        let mut without: Vec<Move> = Vec::new();
        for move_ in &text.without {
            let path = variant.find_move(&position, move_);
            without.push(*path.map_err(|error| BadJob::Move(move_.to_string(), error.into()))?.action());
        }
        let job = Job { variant, position, without, nodes: text.nodes, mebibytes: text.mebibytes };
        if job.has_moves() { Ok(job) } else { Err(BadJob::NothingLeft) }
    }

    /// As text.
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

    /// Is there a move that has not been judged?
    pub(super) fn has_moves(&self) -> bool {
        self.variant.legal_moves(&self.position).iter().any(|path| !self.without.contains(path.action()))
    }

    /// A judgement of this job, of a text.
    pub(super) fn judgement(&self, text: &JudgementText) -> Result<Judgement, BadJob> {
        let judgement = Judgement::from_text(text, &self.variant, &self.position)
            .map_err(|error| BadJob::Move(text.move_.to_string(), error))?;
        if self.without.contains(&judgement.move_) {
            return Err(BadJob::LeftOut(text.move_.to_string()));
        }
        Ok(judgement)
    }

    /// The line with a judgement of this job.
    pub(super) fn result(&self, judgement: &Judgement) -> ResultText {
        ResultText { job: self.text(), judgement: judgement.text(&self.variant, &self.position) }
    }
}

/// A searcher that judges. What it says of a job depends on nothing else: not on the searches before, and not on the process.
#[derive(Debug)]
pub(super) struct Judge {
    searcher: Searcher,
}

impl Judge {
    /// A judge for jobs of a variant, which say how large the transposition table is.
    pub(super) fn new(prepared: &Arc<PreparedVariant>) -> Judge {
        Judge { searcher: Searcher::prepared_for(Arc::clone(prepared), 1) }
    }

    /// Is it true what another program has judged? A win is searched for again, all else is believed; none when it was stopped.
    pub(super) fn confirms(&mut self, job: &Job, judgement: &Judgement, stop: &Stop) -> Option<bool> {
        match judgement.verdict {
            Verdict::Wins(_) => Some(self.judge(job, stop)? == *judgement),
            _ => Some(true),
        }
    }

    /// Does a job; none when it was stopped.
    pub(super) fn judge(&mut self, job: &Job, stop: &Stop) -> Option<Judgement> {
        self.searcher.set_table_size(job.mebibytes);
        let game = Game::new(&job.variant, job.position, 0, 0);
        let mut search_moves = game.legal_moves();
        search_moves.retain(|path| !job.without.contains(path.action()));
        let limits = Limits { nodes: Some(job.nodes), search_moves, ..Limits::default() };
        let found = self.searcher.search(&game, &limits, stop, &mut |_| {}).filter(|_| !stop.is_set())?;
        let verdict = match found.lines.first().map(|line| (line.score, line.proven_depth)) {
            Some((Score::Win(plies), _)) => Verdict::Wins(u16::try_from(plies).unwrap_or(u16::MAX)),
            Some((Score::Loss(_), _)) => Verdict::Fails,
            Some((Score::Evaluation(hundredths), proven)) => Verdict::Open {
                hundredths: hundredths.min(WON),
                no_win_within: u16::try_from(proven).unwrap_or(u16::MAX),
            },
            Some((Score::Draw, _)) | None => Verdict::Open { hundredths: 0, no_win_within: 0 },
        };
        Some(Judgement { move_: *found.best.action(), verdict })
    }
}
