//! One search on as many threads as are wanted.

use crate::rules::{Family, Game};

use super::alpha_beta::AlphaBeta;
use super::context::Context;
use super::iterative_deepening::IterativeDeepening;
use super::limits::{Limits, Stop};
use super::move_picker::History;
use super::proof::prover::Prover;
use super::proof::root_proof::RootProof;
use super::root_moves::RootMove;
use super::searcher::SearchInfo;

/// What is to be searched, and with what.
pub(super) struct Task<'a> {
    pub(super) context: Context<'a>,
    pub(super) game: &'a Game,
    pub(super) limits: &'a Limits,
}

impl Task<'_> {
    /// Searches with a thread for each history: the lines of the first one, and the nodes of all. The moves are sorted by what it
    /// found.
    pub(super) fn run<F: Family>(
        &self,
        histories: &mut [History],
        moves: &mut Vec<RootMove>,
        report: &mut dyn FnMut(&SearchInfo),
    ) -> (Vec<SearchInfo>, u64) {
        let Some((first, others)) = histories.split_first_mut() else { return (Vec::new(), 0) };
        // The first thread alone decides when the search ends.
        let done = Stop::default();
        let limits_of_others = Limits { nodes: None, live_analysis: None, ..self.limits.clone() };
        std::thread::scope(|scope| {
            for history in others {
                let (mut moves, limits, done) = (moves.clone(), &limits_of_others, &done);
                let help = move || {
                    let context = Context { stop: done, node_limit: u64::MAX, ..self.context };
                    self.deepening::<F>(context, true, history, limits, &mut moves).run(&mut |_| {});
                };
                if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, help) {
                    log::warn!("the system gives no more threads ({error}): searching with fewer");
                    break;
                }
            }
            let found = self.deepening::<F>(self.context, false, first, self.limits, moves).run(report);
            done.set();
            found
        })
    }

    fn deepening<'b, F: Family>(
        &'b self,
        context: Context<'b>,
        is_helper: bool,
        history: &'b mut History,
        limits: &'b Limits,
        moves: &'b mut Vec<RootMove>,
    ) -> IterativeDeepening<'b, F> {
        let position = self.game.position();
        let root = *position;
        IterativeDeepening {
            worker: AlphaBeta::<F>::new(context, history),
            settling: RootProof::new(Prover::<F>::new(context), root, is_helper, context.plies_left),
            game: self.game,
            root,
            limits,
            context,
            moves,
        }
    }
}
