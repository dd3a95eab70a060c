//! Random walks: a start, which is an opening or set up, and a choice among the legal moves at every ply.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::{Index, select};

use privy_rules::board::{Board, Point, PointSet};

use privy_testing::exactness::with_opening;

use super::*;
use privy_rules::rule_set::{
    ApexRule, BottomRule, ForwardRule, JumpLines, JumpRows, JumpRule, LeapRule, NoMove, NoMoveRule, OrthogonalSteps,
    RuleSet, StandoffRule, StaticRule,
};

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

fn any_variant() -> BoxedStrategy<Arc<Variant>> {
    select(Variant::all_ids().collect::<Vec<_>>()).prop_map(variant).boxed()
}

/// The same game on a board without some of its points, and with some edges more.
fn on_any_board(variant: Arc<Variant>) -> impl Strategy<Value = Arc<Variant>> {
    let edge = prop::collection::vec(any::<Index>(), 2..5);
    let changes = (prop::collection::vec(any::<Index>(), 0..4), prop::collection::vec(edge, 0..3));
    changes.prop_filter_map("not a board of this game", move |(gone, edges)| {
        let (board, opening) = (variant.board(), variant.opening());
        let gone: PointSet = gone.iter().map(|index| Point::new(index.index(board.len()))).collect();
        let gone = gone.without(opening.general());
        let without: Vec<String> = gone.into_iter().map(|p| format!("{:?}", board.name(p).to_string())).collect();
        let edges = edges.iter().map(|edge| {
            let names = edge.iter().map(|index| board.name(Point::new(index.index(board.len()))).to_string());
            format!("{:?}", names.collect::<Vec<_>>().join("-"))
        });
        let (without, edges) = (without.join(", "), edges.collect::<Vec<_>>().join(", "));
        let id = &board.id;
        let file =
            format!("id = \"own\"\ntitle = \"\"\nextends = \"{id}\"\nwithout = [{without}]\nedges = [{edges}]\n");
        let own = Arc::new(Board::from_toml(&file).ok()?);
        let moved = |point: Point| if board.has(point) { own.point(board.name(point)) } else { Some(point) };
        let rebels = opening.rebels().into_iter().filter_map(moved).collect();
        let rows = rows_text(&opening.with_pieces(rebels, moved(opening.general())?), &own);
        Variant::new(Heading { id: "own".to_owned(), ..Heading::default() }, own, variant.rule_set().clone(), &rows)
            .ok()
            .map(Arc::new)
    })
}

/// The same game with some of its pieces in hand.
fn with_any_hand(variant: Arc<Variant>) -> impl Strategy<Value = Arc<Variant>> {
    (0u8..4, any::<u64>()).prop_map(move |(pieces, chosen)| {
        let opening = variant.opening();
        let taken = if pieces & 1 != 0 { opening.rebels() & PointSet(chosen) } else { PointSet::EMPTY };
        let general = if pieces & 2 != 0 { Point::HAND } else { opening.general() };
        let position =
            opening.with_pieces(opening.rebels().minus(taken), general).with_hand(opening.hand() + taken.len() as u8);
        let rows = rows_text(&position, variant.board());
        with_opening(&variant, &rows).unwrap_or_else(|problems| panic!("{rows}: {problems}"))
    })
}

/// A board and opening of a built-in variant, with any rule words that are valid there.
fn any_rules() -> BoxedStrategy<Arc<Variant>> {
    let captures = (any::<bool>(), any::<bool>(), 0usize..3, 0usize..4, 0usize..3, any::<bool>());
    let others = (any::<[bool; 8]>(), 0usize..4, 0u8..3, 0u8..6, 0usize..3);
    let rare = (0usize..6, 0usize..8, any::<[u8; 8]>(), 0usize..6, 0usize..6, any::<u8>());
    let variants = any_variant().prop_flat_map(on_any_board).prop_flat_map(with_any_hand);
    let all = (variants, captures, others, rare);
    all.prop_filter_map("the words don't go together", |(variant, captures, others, rare)| {
        let (rows, orthogonal_steps, lists, blocked_general, blocked_rebels, flags) = rare;
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
        // Points one in four times.
        let points = |number: usize| {
            let bits = lists[number];
            let few = [usize::from(bits) / 4, usize::from(bits) / 7].map(|index| index % variant.board().len());
            if bits % 4 == 0 { few.map(name).to_vec() } else { Vec::new() }
        };
        let is_mixed = |bit: u8| flags >> bit & 3 == 3;
        let blocked =
            |rule: usize| [NoMove::Loss, NoMove::Loss, NoMove::Loss, NoMove::Draw, NoMove::Win, NoMove::Pass][rule];
        let is_general_in_hand = !variant.board().all().contains(variant.opening().general());
        let has_hand = variant.opening().hand() > 0;
        let is_goal_on_return = goal && !is_general_in_hand && is_mixed(4);
        let first_of_goal =
            if is_goal_on_return { variant.opening().general().index() } else { 5 % variant.board().len() };
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
            forward: match (forward, usize::from(flags) % 3) {
                (true, 0) => ForwardRule::Only,
                (true, 1) => ForwardRule::Straight,
                (true, _) => ForwardRule::NeverBack,
                (false, _) => ForwardRule::Any,
            },
            orthogonal_steps: match orthogonal_steps {
                0 => OrthogonalSteps::General,
                1 => OrthogonalSteps::Rebels,
                2 => OrthogonalSteps::Both,
                _ => OrthogonalSteps::None,
            },
            jump_rows: if jump > 0 && rows == 0 { JumpRows::Odd } else { JumpRows::One },
            rebels_never_on: points(1),
            general_drops_on: if is_general_in_hand { points(2) } else { Vec::new() },
            rebels_drop_on: if has_hand { points(3) } else { Vec::new() },
            general_waits: has_hand && is_mixed(0),
            general_loses_on: points(4),
            goal_on_return: is_goal_on_return,
            past_rebels: is_mixed(2),
            rebels_goal: points(5),
            no_move: NoMoveRule { general: blocked(blocked_general), rebels: blocked(blocked_rebels) },
            enter_privy,
            custodial,
            apex: [ApexRule::None, ApexRule::General, ApexRule::Rebels, ApexRule::Return][apex],
            bottom: if bottom { BottomRule::General } else { BottomRule::None },
            // Order and case do not matter.
            goal: if goal { [first_of_goal, 0].map(|index| name(index).to_uppercase()).to_vec() } else { Vec::new() },
            repetition: [StandoffRule::Draw, StandoffRule::General, StandoffRule::Rebels][repetition],
            move_limit: None,
            rebels_at_most: most.checked_sub(1),
            close_privy,
        };
        variant.with_words(words).ok().map(Arc::new)
    })
    .boxed()
}

/// A position that a text can describe, or none.
fn state(variant: &Variant, general: Index, rules: [u64; 2], dense: bool, side: bool, flags: u8) -> Option<Position> {
    let board = variant.board();
    let is_in_hand = variant.opening().general() == Point::HAND && flags & 0x30 == 0;
    let general = if is_in_hand { Point::HAND } else { Point::new(general.index(board.len())) };
    let hand = (flags >> 4).min(variant.opening().hand());
    let drawn = PointSet(if dense { rules[0] | rules[1] } else { rules[0] & rules[1] });
    let most = (variant.opening().rebels_left() - u32::from(hand)) as usize;
    let rebels = (drawn & variant.rules().ground).without(general).into_iter().take(most).collect();
    let return_apex = variant.rules().return_apex;
    let side = if side { Side::General } else { Side::Rebels };
    let apex_visited = return_apex.contains(general) || !return_apex.is_empty() && flags & 1 != 0;
    let free_jumps = (flags >> 1) % (variant.rule_set().free_jumps + 1);
    let state = Position::new(rebels, general, side, apex_visited, free_jumps).with_hand(hand);
    let is_reachable = side == Side::Rebels || variant.rules().goal_after_general(&state).is_none();
    is_reachable.then_some(state)
}

/// A position set up by hand.
fn any_set_up(variants: BoxedStrategy<Arc<Variant>>) -> BoxedStrategy<Game> {
    let pieces = (any::<Index>(), any::<[u64; 2]>(), any::<bool>(), any::<bool>(), any::<u8>());
    (variants, pieces, 0u32..100, any::<u32>())
        .prop_filter_map(
            "the game would have ended before",
            |(variant, (general, rules, dense, side, flags), since_capture, ply)| {
                let state = state(&variant, general, rules, dense, side, flags)?;
                Some(Game::new(&variant, state, since_capture, ply))
            },
        )
        .boxed()
}

fn walk_in(variants: fn() -> BoxedStrategy<Arc<Variant>>, plies: usize) -> BoxedStrategy<Walk> {
    let start = prop_oneof![variants().prop_map(|variant| variant.start()), any_set_up(variants())];
    (start, prop::collection::vec(any::<Index>(), 0..plies))
        .prop_map(|(start, choices)| Walk { start, choices })
        .boxed()
}

/// A walk of fewer than `plies` plies in a built-in variant.
pub(super) fn any_walk(plies: usize) -> BoxedStrategy<Walk> {
    walk_in(any_variant, plies)
}

/// A walk of fewer than `plies` plies under any rule words.
pub(super) fn any_walk_under_any_rules(plies: usize) -> BoxedStrategy<Walk> {
    walk_in(any_rules, plies)
}
