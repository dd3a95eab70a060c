//! Perft: the number of move sequences of a given length.
//!
//! It measures and checks move generation alone: no repetition, no transpositions. The last ply is counted in
//! bulk, without making its moves; where the last two plies are a Rebel's and the General's, so are the Rebels' moves
//! that can't change the number of the General's replies.

use privy_base::best_instructions;
use privy_protocol::Side;

use crate::board::Point;
use crate::compiled::CompiledRules;
use crate::family::Family;
use crate::for_family;
use crate::game::Game;
use crate::outcome::Outcome;
use crate::position::{Move, Position};

/// The last plies, counted by recursion. The plies before them are on a separate stack, so that no depth overflows
/// that of a thread.
const RECURSIVE: u32 = 64;

/// The most positions on that stack; a larger tree would never be counted to its end.
const MOST_OPEN: usize = 1 << 22;

/// `stop` is called at every node of this depth or more.
const STOP_DEPTH: u32 = 4;

/// The number of sequences of exactly `depth` legal moves from the current position of a game. A game that ends earlier
/// does not count. `None` if `stop`, called many times a second, returned true, or when the tree is too deep to be
/// held: `depth` is more than about a hundred thousand.
pub fn perft(game: &Game, depth: u32, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
    count_sequences(game, depth, RECURSIVE, stop)
}

/// [`perft`] whose last `recursive` plies are counted by recursion.
pub fn count_sequences(game: &Game, depth: u32, recursive: u32, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if game.decided().is_some() {
        return Some(0);
    }
    let variant = game.variant();
    let counter = PerftCounter { rules: variant.rules(), stop, stopped: false };
    let start = PerftNode { position: *game.position(), plies_since_capture: game.plies_since_capture(), depth };
    for_family!(variant.rules().family, F => counter.count_deep::<F>(start, recursive))
}

/// A legal move and the number of sequences that begin with it.
pub(crate) type Division = (String, u64);

/// [`perft`] divided by the first move, sorted by move text; [`None`] if it has stopped. `depth` 0 has no first move
/// and gives an empty list.
pub fn divide(game: &Game, depth: u32, stop: &mut dyn FnMut() -> bool) -> Option<Vec<Division>> {
    let Some(rest) = depth.checked_sub(1) else { return Some(Vec::new()) };
    let game = game.without_history();
    let mut division = |move_| Some((game.move_text(move_), perft(&game.after(move_), rest, stop)?));
    let mut divisions = game.legal_moves().iter().map(&mut division).collect::<Option<Vec<Division>>>()?;
    divisions.sort();
    Some(divisions)
}

/// A position on the stack, with the number of plies still to count.
struct PerftNode {
    position: Position,
    plies_since_capture: u32,
    depth: u32,
}

struct PerftCounter<'a> {
    rules: &'a CompiledRules,
    stop: &'a mut dyn FnMut() -> bool,
    stopped: bool,
}

impl PerftCounter<'_> {
    /// Sequences of `depth` (at least 1) moves from a position that is not over by a goal, the last `recursive` of them
    /// by recursion. Where a limit of plies without capture can end a game, all are on the stack, since a position has
    /// no such counter.
    fn count_deep<F: Family>(mut self, start: PerftNode, recursive: u32) -> Option<u64> {
        let mut sum = 0;
        let mut open = vec![start];
        while let Some(PerftNode { position, plies_since_capture, depth }) = open.pop() {
            let is_limited = |plies: u32| self.rules.limit_reached(plies_since_capture.saturating_add(plies)).is_some();
            if is_limited(0) {
                continue;
            }
            if depth <= recursive && !is_limited(depth - 1) {
                sum += dispatch_count::<F>(&mut self, &position, depth);
            } else {
                self.each_next::<F>(&position, |_, next| {
                    let is_quiet = next.rebels_left() == position.rebels_left();
                    let plies_since_capture = if is_quiet { plies_since_capture.saturating_add(1) } else { 0 };
                    open.push(PerftNode { position: *next, plies_since_capture, depth: depth - 1 });
                });
            }
            if self.is_stopped() || open.len() > MOST_OPEN {
                return None;
            }
        }
        Some(sum)
    }

    fn is_stopped(&mut self) -> bool {
        self.stopped = self.stopped || (self.stop)();
        self.stopped
    }

    /// Calls `each` with every position after a legal move that does not end the game.
    #[inline(always)]
    fn each_next<F: Family>(&mut self, position: &Position, mut each: impl FnMut(&mut Self, &Position)) {
        let rules = self.rules;
        let mut open = |(next, goal): (Position, Option<Outcome>)| {
            if goal.is_none() {
                each(self, &next);
            }
        };
        match position.side() {
            Side::Rebels => rules.rebel_bundles(position, |from, targets| {
                targets.into_iter().for_each(|to| open(rules.play_rebel_step(position, from, to)));
            }),
            Side::General => {
                rules
                    .general_actions::<F>(position, |action: Move, _| open(rules.play_general_move(position, &action)));
            }
        }
    }
}

best_instructions! {
    /// Sequences of `depth` (at least 1) moves from a position that is not over by a goal. The closures stand in this
    /// function, so that each of its copies has its own.
    fn dispatch_count<F: Family>(counter: &mut PerftCounter<'_>, position: &Position, depth: u32) -> u64 {
        let rules = counter.rules;
        let mut sum = 0;
        match (position.side(), depth) {
            (Side::Rebels, 1) => sum = rules.count_rebel_moves(position),
            (Side::Rebels, 2) if !rules.rebels_drop_or_pass => sum = count_steps_and_replies::<F>(rules, position),
            (Side::General, 1) => sum = rules.count_general_moves::<F>(position),
            // The Rebels' steps after each move are counted here: a call for each would cost as much as the count.
            (Side::General, 2) if !rules.rebels_drop_or_pass => rules.general_actions::<F>(position, |action, _| {
                let (next, goal) = rules.play_general_move(position, &action);
                if goal.is_none() {
                    sum += rules.count_rebel_steps(next.rebels(), rules.empty(&next));
                }
            }),
            _ if depth >= STOP_DEPTH && counter.is_stopped() => {}
            _ => counter.each_next::<F>(position, |counter, next| sum += dispatch_count::<F>(counter, next, depth - 1)),
        }
        sum
    }
}

/// The last two plies, a Rebel's step and the General's reply.
#[inline(always)]
fn count_steps_and_replies<F: Family>(rules: &CompiledRules, position: &Position) -> u64 {
    let unmoved = position.with_side(Side::General);
    let reaches_all = rules.moves_reach_beyond_zone::<F>(&unmoved)
        || rules.has_rare_ends
        || rules.may_drop_or_pass && !rules.all.contains(position.general());
    let zone = if reaches_all { rules.all } else { rules.zone[position.general()] };
    let empty = rules.empty(position);
    let steps_outside = rules.count_rebel_steps(position.rebels().minus(zone), empty.minus(zone));
    let mut sum = 0;
    if steps_outside > 0 {
        sum += steps_outside * count_replies::<F>(rules, &unmoved, None);
    }
    for to in empty & zone {
        for from in rules.rebel_origins[to] & position.rebels() {
            sum += count_replies::<F>(rules, &position.after_rebel_step(from, to), Some(to));
        }
    }
    for from in position.rebels() & zone {
        for to in rules.rebel_steps[from] & empty.minus(zone) {
            sum += count_replies::<F>(rules, &position.after_rebel_step(from, to), Some(to));
        }
    }
    sum
}

/// The General's replies to a step, which is no drop. A function, since a closure is not always inlined into each copy.
#[inline(always)]
fn count_replies<F: Family>(rules: &CompiledRules, next: &Position, moved_to: Option<Point>) -> u64 {
    match rules.goal_after_rebels(next, moved_to) {
        None => rules.count_general_moves::<F>(next),
        Some(_) => 0,
    }
}
