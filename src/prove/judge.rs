//! What a search says of a position: the leaves of a proof in the making.

use std::sync::Arc;

use privy_protocol::Score;

use crate::rules::{Game, Move, Position, Variant};
use crate::search::{Limits, PreparedVariant, Searcher, Stop};

/// The evaluation of what the search claims to be won, in hundredths of a Rebel.
pub(super) const WON: i32 = 10_000;

/// What a search says of the best move of a position, with the attacker to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Judgement {
    pub(super) move_: Move,
    pub(super) verdict: Verdict,
}

/// How good the move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It wins in exactly so many plies.
    Wins(u16),
    /// Nothing is proved.
    Open {
        /// The evaluation in hundredths of a Rebel.
        hundredths: i32,
        /// No move wins within so many plies.
        no_win_within: u16,
    },
    /// It is proved to lose.
    Fails,
}

/// A searcher that judges. What it says of a position depends on nothing else.
#[derive(Debug)]
pub(super) struct Judge {
    variant: Arc<Variant>,
    searcher: Searcher,
    nodes: u64,
}

impl Judge {
    /// A judge that looks at so many nodes, with a transposition table of so many MiB.
    pub(super) fn new(prepared: &Arc<PreparedVariant>, variant: &Arc<Variant>, mebibytes: usize, nodes: u64) -> Judge {
        let searcher = Searcher::prepared_for(Arc::clone(prepared), mebibytes);
        Judge { variant: Arc::clone(variant), searcher, nodes }
    }

    /// Judges a position without some of its moves; none when there is no other. Means nothing when it was stopped.
    pub(super) fn judge(&mut self, position: &Position, without: &[Move], stop: &Stop) -> Option<Judgement> {
        let game = Game::new(&self.variant, *position, 0, 0);
        let mut search_moves = game.legal_moves();
        search_moves.retain(|path| !without.contains(path.action()));
        if search_moves.is_empty() {
            return None;
        }
        let limits = Limits { nodes: Some(self.nodes), search_moves, ..Limits::default() };
        let found = self.searcher.search(&game, &limits, stop, &mut |_| {})?;
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
