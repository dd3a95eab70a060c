//! Skill: weaker play, in ten levels.
//!
//! A level below the highest searches a fixed number of positions for a move, and sometimes errs. Every other error is
//! a random move. The rest are the worst moves by a search of two plies, of those that lead to a position new to the
//! game: moving back and forth would make a draw.
//!
//! Nodes and error rates are fitted, for each variant, to games with sides swapped, so that each level beats the one
//! below by 100 Elo: where one side wins nearly always, it must err often, or all levels would be equal. A level never
//! probes a tablebase, so that it is as strong with a table as without.

use serde::Deserialize;

use privy_base::random::{Random, mix};
use privy_rules::{Game, MovePath, Side, Variant};
use privy_search::{Limits, SearchRequest, SearchResult, Searcher, Stop};

/// The number of levels below full strength.
pub const LEVELS: usize = 9;

pub(super) const FULL_STRENGTH: u64 = LEVELS as u64 + 1;
/// The error rate, in thousandths, at which all moves are errors.
const ALWAYS: u64 = 1_000;
/// The error rate at which all moves are errors, and no move is random.
const MOST_ERRORS: u64 = 2 * ALWAYS;
const ERROR_DEPTH: u32 = 2;

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct SkillLevels {
    nodes: [u64; LEVELS],
    /// Error rates of the General, in thousandths. Above [`ALWAYS`] fewer errors are random, none at [`MOST_ERRORS`].
    general: [u64; LEVELS],
    rebels: [u64; LEVELS],
}

impl SkillLevels {
    /// For games without a fit: the mean of the others.
    const OTHER: SkillLevels = SkillLevels {
        nodes: [230, 290, 350, 480, 670, 930, 1500, 2700, 5700],
        general: [1870, 1482, 1159, 832, 623, 421, 278, 105, 14],
        rebels: [1698, 1246, 1008, 836, 653, 507, 363, 288, 183],
    };

    /// The levels of a game, whatever its name.
    fn of(variant: &Variant) -> SkillLevels {
        let text = variant.known_game(|files| files.skill_levels.is_some()).and_then(|files| files.skill_levels);
        text.map_or(SkillLevels::OTHER, |text| toml::from_str(text).expect("a test reads all levels"))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Skill {
    nodes: u64,
    /// In thousandths, as in [`SkillLevels`].
    pub(super) errors: u64,
}

impl Skill {
    /// The skill of a level for a side of a variant; none for full strength.
    pub(super) fn new(number: u64, variant: &Variant, side: Side) -> Option<Skill> {
        if number >= FULL_STRENGTH {
            return None;
        }
        let levels = SkillLevels::of(variant);
        let errors = match side {
            Side::General => &levels.general,
            Side::Rebels => &levels.rebels,
        };
        let place = number as usize - 1;
        Some(Skill { nodes: levels.nodes[place], errors: errors[place] })
    }

    pub(super) fn limits(self, limits: Limits) -> Limits {
        let nodes = limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes));
        Limits { nodes: Some(nodes), ..limits }
    }

    /// The dice for an error, if the level errs now. The same game and seed err alike.
    pub(super) fn errs(self, game: &Game, seed: u64) -> Option<u64> {
        let plies = game.moves().len() as u64;
        let dice = mix(seed ^ mix(game.position().hash() ^ plies));
        (dice % ALWAYS < self.errors).then_some(mix(dice))
    }
}

/// Returns the erroneous move of a level, or [`None`] if there is no move, or no time to find it. Every other error is
/// random at an error rate up to 1,000 thousandths, fewer beyond: none at 2,000.
pub fn blunder(
    searcher: &mut Searcher,
    game: &Game,
    search_moves: &[MovePath],
    errors: u64,
    dice: u64,
    stop: &Stop,
) -> Option<MovePath> {
    if dice % MOST_ERRORS < MOST_ERRORS.saturating_sub(errors.max(ALWAYS)) {
        let moves = if search_moves.is_empty() { game.legal_moves() } else { search_moves.to_vec() };
        return Random::new(dice).pick(&moves).cloned();
    }
    let limits = Limits { depth: Some(ERROR_DEPTH), ..Limits::default() };
    let search_moves = search_moves.to_vec();
    let request = SearchRequest { limits, multi_pv: usize::MAX, search_moves, ..SearchRequest::default() };
    worst_new_move(game, &searcher.search(game, request, stop, &mut |_| {})?).cloned()
}

/// The worst move that leads to a position new to the game, or the worst of all.
fn worst_new_move<'a>(game: &Game, found: &'a SearchResult) -> Option<&'a MovePath> {
    let worst_first = || found.lines.iter().rev().filter_map(|line| line.pv.first());
    let is_new = |move_: &&MovePath| game.continued(move_).occurrences() == 1;
    worst_first().find(is_new).or_else(|| worst_first().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_levels_err_more_often_and_search_fewer_nodes() {
        for variant in Variant::builtin_ids().filter_map(Variant::builtin) {
            let (id, levels) = (variant.id(), SkillLevels::of(&variant));
            assert_eq!(levels == SkillLevels::OTHER, variant.start().outcome().is_some(), "{id}");
            for errors in [levels.general, levels.rebels] {
                assert!(errors.windows(2).all(|two| two[0] >= two[1]) && errors[0] <= MOST_ERRORS, "{id}");
                // Where all moves are errors, the nodes make no difference.
                assert!(
                    errors.windows(2).all(|two| two[0] > two[1] || two[0] < ALWAYS),
                    "{id}: levels that play alike"
                );
            }
            assert!(levels.nodes.windows(2).all(|two| two[0] <= two[1]) && levels.nodes[0] > 0, "{id}");
            let of = |level: usize| (levels.nodes[level], levels.general[level], levels.rebels[level]);
            assert!((1..LEVELS).all(|level| of(level - 1) != of(level)), "{id}: every step is one");
        }
    }

    #[test]
    fn the_highest_level_has_no_skill_limit() {
        let variant = Variant::builtin("sixteen-rebels").unwrap();
        for side in [Side::General, Side::Rebels] {
            assert!((1..FULL_STRENGTH).all(|number| Skill::new(number, &variant, side).is_some()));
            assert!(Skill::new(FULL_STRENGTH, &variant, side).is_none());
        }
    }

    #[test]
    fn errors_are_legal_and_worst_moves_repeat_no_position() {
        let mut game = Variant::builtin("subjugatio-free").unwrap().start();
        let mut searcher = Searcher::new(1);
        let seen = |game: &Game, move_: &MovePath| {
            let next = game.after(move_);
            game.positions().any(|before| before == next.position())
        };
        let mut repeated = 0;
        for turn in 0..60 {
            let moves = game.legal_moves();
            // Every other error is one that is never random.
            let errors = if turn % 2 == 0 { ALWAYS } else { MOST_ERRORS };
            let error = blunder(&mut searcher, &game, &[], errors, turn, &Stop::default());
            let Some(move_) = error else { break };
            assert!(moves.contains(&move_));
            assert!(turn % 2 == 0 || !seen(&game, &move_) || moves.iter().all(|other| seen(&game, other)));
            repeated += usize::from(seen(&game, &move_));
            game.play(move_);
        }
        assert!(game.moves().len() > 20 && repeated < 10, "{repeated}");
    }

    #[test]
    fn an_error_is_one_of_the_search_moves() {
        let game = Variant::builtin("sixteen-rebels").unwrap().start();
        let only = game.legal_moves().last().cloned().unwrap();
        for errors in [ALWAYS, MOST_ERRORS] {
            let error = blunder(&mut Searcher::new(1), &game, std::slice::from_ref(&only), errors, 1, &Stop::default());
            assert_eq!(error, Some(only.clone()));
        }
    }

    #[test]
    fn errors_have_the_given_rate() {
        let game = Variant::builtin("sixteen-rebels").unwrap().start();
        for errors in [0, 50, 500, ALWAYS, MOST_ERRORS] {
            let level = Skill { nodes: 1, errors };
            let count = (0..10_000).filter(|seed| level.errs(&game, *seed).is_some()).count() as u64;
            assert!(count.abs_diff(10 * errors.min(ALWAYS)) < 200, "{count} of 10,000");
        }
    }
}
