//! Scores of the moves that are not the best: the part of the search that a [`Survey`] asks for.

use crate::rules::Family;
use crate::search::survey::{Survey, SurveyedMove};

use super::{Deepening, replay};

/// A move this much worse than the best, in hundredths of a Rebel, may be searched a ply less deep.
const WORTH_OF_A_PLY: i32 = 100;

/// A hopeless move is searched so many plies less deep than the best, not fewer.
const MOST_PLIES_BEHIND: u32 = 6;

impl<F: Family> Deepening<'_, F> {
    /// After an iteration of a depth: spends so many nodes on the other moves, or fewer when it has searched all of them to
    /// that depth. The first iteration looks at each, whatever it takes.
    pub(super) fn judge_others(&mut self, survey: &Survey, depth: u32, nodes: u64) {
        if let Some(best) = self.moves.first_mut() {
            best.judged = depth;
        }
        self.publish(survey, 0);
        let end = self.worker.nodes().saturating_add(nodes);
        while let Some(place) = self.least_judged(depth).filter(|_| depth == 1 || self.worker.nodes() < end) {
            let Some(root_move) = self.moves.get_mut(place) else { break };
            root_move.previous = root_move.score;
            let next = root_move.judged + 1;
            self.search_places(place..place + 1, next);
            if self.worker.is_stopped() {
                break;
            }
            if let Some(root_move) = self.moves.get_mut(place) {
                root_move.judged = next;
            }
            self.publish(survey, place);
        }
        self.name_best(survey);
    }

    /// The move that most deserves to be searched a ply deeper, up to a depth; none when all is done.
    fn least_judged(&self, depth: u32) -> Option<usize> {
        let best = self.moves.first()?.score;
        let open = self.moves.iter().enumerate().skip(1).filter(|(_, root_move)| {
            let settled = root_move.score.distance().is_some_and(|plies| plies <= root_move.judged);
            root_move.judged < depth && !settled
        });
        let turn = open.map(|(place, root_move)| {
            let worse = (i32::from(best.raw()) - i32::from(root_move.score.raw())).max(0) / WORTH_OF_A_PLY;
            (root_move.judged + (worse.unsigned_abs()).min(MOST_PLIES_BEHIND), place)
        });
        turn.min().map(|(_, place)| place)
    }

    fn publish(&self, survey: &Survey, place: usize) {
        if let Some(root_move) = self.moves.get(place) {
            survey.put(SurveyedMove {
                line: replay(self.game, root_move),
                score: root_move.score,
                is_proved_draw: false,
                first_score: root_move.score,
                depth: root_move.judged,
                nodes: root_move.nodes,
            });
        }
    }

    /// Tells the survey which move the search would play now.
    pub(super) fn name_best(&self, survey: &Survey) {
        if let Some(best) = self.moves.first() {
            survey.set_best(&best.move_);
        }
    }
}
