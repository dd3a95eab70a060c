//! What lines say of a position: facts of its root moves, by rules, table and proofs, joined with what the search
//! finds.
//!
//! [`Engine::go`] is the one place where this happens. `go`, the analysis in its three forms, `explain` and the
//! drawings of GoGui's session all show the lines that come from here, so that the same position is described alike
//! everywhere.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::time::Duration;

use privy_protocol::{Limits, Score, Stop, Verdict};

use privy_rules::rule_set::NoMove;
use privy_rules::{Game, MovePath, Side};
use privy_search::{RootFacts, SearchInfo, SearchRequest};
use privy_tables::TableError;

use super::engine::Engine;
use super::proof_play;
use super::tablebase_play;
use super::win_rate::WinRate;

/// Translates the lines of a search at a root.
#[derive(Debug)]
pub(super) struct LineReport {
    pub(super) win_rate: WinRate,
    pub(super) side: Side,
    /// The plies after which the game is a draw by the limit, if there is one.
    plies_left: Option<u32>,
}

impl LineReport {
    pub(super) fn of(game: &Game) -> LineReport {
        let is_drawn = game.variant().rules().winner_by_repetition.is_none();
        let plies_left = game.plies_left().filter(|_| is_drawn);
        LineReport { win_rate: WinRate::of(game.variant()), side: game.side(), plies_left }
    }

    /// The line with its score as it is reported. Where nothing is overlooked up to the limit of plies, and nobody
    /// wins, the game is a draw.
    pub(super) fn line(&self, info: &SearchInfo) -> SearchInfo {
        let Verdict { score, bound } = info.verdict;
        let is_drawn = !score.is_decided() && self.plies_left.is_some_and(|left| info.proven_depth >= left);
        let score = if is_drawn { Score::Draw } else { self.win_rate.reported(score, self.side) };
        SearchInfo { verdict: Verdict { score, bound }, winrate: Some(score.winrate()), ..info.clone() }
    }
}

/// The moves that a search may play.
pub(super) fn candidates(game: &Game, request: &SearchRequest) -> Vec<MovePath> {
    let mut moves = game.legal_moves();
    moves.retain(|move_| request.admits(move_));
    moves
}

/// The number of moves without those of jump chains with the same result, of which a search has one.
pub(super) fn distinct(moves: &[MovePath]) -> usize {
    moves.iter().map(MovePath::action).collect::<HashSet<_>>().len().max(1)
}

impl Engine {
    /// Returns the exact score of the position, if it is known without a search.
    pub(super) fn known_score(&mut self) -> Option<Score> {
        // A drawing waits for proofs no longer than a move.
        let facts = self.facts(&Limits::of_time(Duration::from_secs(1)).into(), &Stop::default());
        let verdict = facts.known_lines().first().filter(|_| facts.is_complete)?.verdict;
        verdict.bound.is_none().then_some(verdict.score)
    }

    /// Returns what is known of the moves of a request without a search.
    pub(super) fn facts(&mut self, request: &SearchRequest, stop: &Stop) -> RootFacts {
        let table = self.find_table();
        let style = (self.options.play_style, self.seed());
        let all = OnceCell::new();
        let moves = || all.get_or_init(|| candidates(&self.game, request));
        let mut facts = RootFacts::default();
        if let Some(table) = table {
            match tablebase_play::facts(&table, &self.game, moves(), request, style) {
                Ok(known) => facts = known,
                Err(error @ TableError::Unusable(..)) => log::error!("{error}; searching instead"),
                Err(_) => {}
            }
        }
        if facts.is_complete {
            return facts;
        }
        let (twice, is_last) = (self.game.seen_twice(), self.game.plies_left() == Some(1));
        let variant = self.game.variant();
        let no_move = variant.rule_set().no_move;
        let may_block = [no_move.general, no_move.rebels].contains(&NoMove::Draw);
        // Most moves of most games can't end them as a draw.
        if is_last || may_block || !twice.is_empty() || variant.rules().move_limit().is_some() {
            let draws_by_repetition = variant.rules().winner_by_repetition.is_none();
            for move_ in moves() {
                let (next, outcome) = self.game.position_after(move_);
                let ends_drawn = match twice.contains(&next) {
                    true => draws_by_repetition,
                    false => outcome.map_or(is_last, |outcome| outcome.winner().is_none()),
                };
                if ends_drawn {
                    facts.add(Score::Draw, vec![move_.clone()], false);
                }
            }
        }
        for proof in self.proofs.all(self.tables.choice(), self.game.variant(), request, stop) {
            proof_play::add_facts(&proof, &self.game, moves(), &mut facts);
        }
        facts.sort();
        if facts.iter().next().is_some() {
            facts.moves = distinct(moves());
        }
        let is_settled = |fact: &SearchInfo| fact.verdict.score.is_decided() || fact.verdict.bound.is_none();
        let is_won = facts.iter().any(|fact| fact.verdict.score.is_win());
        let is_all = facts.iter().filter(|fact| is_settled(fact)).count();
        // A game that is not over has moves.
        let may_be_all = is_all > 0 || !request.search_moves.is_empty();
        facts.is_complete = is_won && !request.wants_more() || may_be_all && is_all == moves().len();
        facts
    }
}
