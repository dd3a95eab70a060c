//! One search on as many threads as are wanted.

use crate::rules::{Family, Game};

use super::deepening::Deepening;
use super::limits::{Limits, Stop};
use super::node::Node;
use super::ordering::History;
use super::prover::Prover;
use super::resources::Resources;
use super::root::RootMove;
use super::searcher::Report;
use super::settling::Settling;
use super::worker::Worker;

/// What is to be searched, and with what.
pub(super) struct Task<'a> {
    pub(super) resources: Resources<'a>,
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
        report: &mut dyn FnMut(&Report),
    ) -> (Vec<Report>, u64) {
        let Some((first, others)) = histories.split_first_mut() else { return (Vec::new(), 0) };
        // The first thread alone decides when the search ends.
        let done = Stop::default();
        let limits_of_others = Limits { nodes: None, survey: None, ..self.limits.clone() };
        std::thread::scope(|scope| {
            for history in others {
                let (mut moves, limits, done) = (moves.clone(), &limits_of_others, &done);
                let help = move || {
                    let resources = Resources { stop: done, node_limit: u64::MAX, ..self.resources };
                    self.deepening::<F>(resources, true, history, limits, &mut moves).run(&mut |_| {});
                };
                if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, help) {
                    log::warn!("the system gives no more threads ({error}): searching with fewer");
                    break;
                }
            }
            let found = self.deepening::<F>(self.resources, false, first, self.limits, moves).run(report);
            done.set();
            found
        })
    }

    fn deepening<'b, F: Family>(
        &'b self,
        resources: Resources<'b>,
        is_helper: bool,
        history: &'b mut History,
        limits: &'b Limits,
        moves: &'b mut Vec<RootMove>,
    ) -> Deepening<'b, F> {
        let position = self.game.position();
        let root = Node { state: *position.state(), hash: position.hash() };
        Deepening {
            worker: Worker::<F>::new(resources, history),
            settling: Settling::new(Prover::<F>::new(resources), root, is_helper, resources.plies_left),
            game: self.game,
            root,
            limits,
            resources,
            moves,
        }
    }
}
