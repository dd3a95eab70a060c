//! Random walks: a start, which is an opening or set up, and a choice among the legal moves at every ply.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::board::{Point, PointSet};

use super::rule_set::{ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, RuleSet, StandoffRule, StaticRule};
use super::*;

/// A random game that proptest can shrink.
#[derive(Clone)]
pub(super) struct Walk {
    start: Game,
    choices: Vec<Index>,
}

impl Walk {
    /// The first position.
    pub(super) fn start(&self) -> &Game {
        &self.start
    }

    /// The choice among the legal moves at every ply.
    pub(super) fn choices(&self) -> impl Iterator<Item = &Index> {
        self.choices.iter()
    }

    /// The game, up to its end or the last choice.
    pub(super) fn game(&self) -> Game {
        let mut game = self.start.without_history();
        for choice in &self.choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(choice.get(&moves).clone());
        }
        game
    }

    /// The last position of the game.
    pub(super) fn end(&self) -> Game {
        self.game().without_history()
    }
}

impl fmt::Debug for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let game = self.game();
        write!(f, "{:?} {}", self.start.variant().rule_set(), self.start)?;
        game.moves().try_for_each(|m| write!(f, " {}", game.move_text(m)))
    }
}

fn any_variant() -> impl Strategy<Value = Arc<Variant>> {
    select(Variant::all_ids().collect::<Vec<_>>()).prop_map(variant)
}

/// A board and opening of a built-in variant, with any rule words that are valid there.
fn any_rules() -> impl Strategy<Value = Arc<Variant>> {
    let captures = (any::<bool>(), any::<bool>(), 0usize..3, 0usize..4, 0usize..3, any::<bool>());
    let others = (any::<[bool; 8]>(), 0usize..4, 0u8..3, 0u8..6, 0usize..3);
    (any_variant(), captures, others).prop_filter_map("the words don't go together", |(variant, captures, others)| {
        let (intervention, deferred, static_rule, jump, leap, narrow) = captures;
        let (
            [compulsory, slide, forward, enter_privy, custodial, bottom, goal, close_privy],
            apex,
            free_jumps,
            most,
            repetition,
        ) = others;
        let pairs = intervention || deferred || static_rule > 0;
        let name = |index: usize| variant.board().name(Point::new(index)).to_string();
        let words = RuleSet {
            first: variant.rule_set().first,
            intervention,
            deferred,
            static_rule: [StaticRule::None, StaticRule::Surrounded, StaticRule::Any][static_rule],
            orthogonal: narrow && pairs,
            jump: [JumpRule::None, JumpRule::Single, JumpRule::Multi, JumpRule::Free][jump],
            jump_lines: if narrow && jump > 0 { JumpLines::Diagonal } else { JumpLines::Any },
            leap: [LeapRule::None, LeapRule::Any, LeapRule::Diagonal][leap],
            slide,
            free_jumps,
            compulsory: compulsory && (pairs || jump > 0),
            forward,
            enter_privy,
            custodial,
            apex: [ApexRule::None, ApexRule::General, ApexRule::Rebels, ApexRule::Return][apex],
            bottom: if bottom { BottomRule::General } else { BottomRule::None },
            // Order and case do not matter.
            goal: if goal { [5, 0].map(|index| name(index).to_uppercase()).to_vec() } else { Vec::new() },
            repetition: [StandoffRule::Draw, StandoffRule::General, StandoffRule::Rebels][repetition],
            move_limit: None,
            rebels_at_most: most.checked_sub(1),
            close_privy,
        };
        variant.with_words(words).ok().map(Arc::new)
    })
}

/// A position that a text can describe, or none.
fn state(variant: &Variant, general: Index, rules: [u64; 2], dense: bool, side: bool, flags: u8) -> Option<Position> {
    let board = variant.board();
    let general = Point::new(general.index(board.len()));
    let drawn = PointSet(if dense { rules[0] | rules[1] } else { rules[0] & rules[1] });
    let most = variant.opening().rebels().len() as usize;
    let rebels = (drawn & variant.rules().ground()).without(general).into_iter().take(most).collect();
    let return_apex = variant.rules().return_apex();
    let side = if side { Side::General } else { Side::Rebels };
    let apex_visited = return_apex.contains(general) || !return_apex.is_empty() && flags & 1 != 0;
    let free_jumps = (flags >> 1) % (variant.rule_set().free_jumps + 1);
    let state = Position::new(rebels, general, side, apex_visited, free_jumps);
    let is_reachable = side == Side::Rebels || variant.rules().goal_after_general(&state).is_none();
    is_reachable.then_some(state)
}

/// A position set up by hand.
fn any_set_up(variants: impl Strategy<Value = Arc<Variant>>) -> impl Strategy<Value = Game> {
    let pieces = (any::<Index>(), any::<[u64; 2]>(), any::<bool>(), any::<bool>(), any::<u8>());
    (variants, pieces, 0u32..100, any::<u32>()).prop_filter_map(
        "the game would have ended before",
        |(variant, (general, rules, dense, side, flags), since_capture, ply)| {
            let state = state(&variant, general, rules, dense, side, flags)?;
            Some(Game::new(&variant, state, since_capture, ply))
        },
    )
}

fn walk_in<S: Strategy<Value = Arc<Variant>>>(variants: fn() -> S, plies: usize) -> impl Strategy<Value = Walk> {
    let start = prop_oneof![variants().prop_map(|variant| variant.start()), any_set_up(variants())];
    (start, prop::collection::vec(any::<Index>(), 0..plies)).prop_map(|(start, choices)| Walk { start, choices })
}

/// A walk of fewer than `plies` plies in a built-in variant.
pub(super) fn any_walk(plies: usize) -> impl Strategy<Value = Walk> {
    walk_in(any_variant, plies)
}

/// A walk of fewer than `plies` plies under any rule words.
pub(super) fn any_walk_under_any_rules(plies: usize) -> impl Strategy<Value = Walk> {
    walk_in(any_rules, plies)
}
