//! Bonuses of root moves: they choose among moves in games where the search alone plays aimlessly. Proofs and reported
//! scores are without them, and an analysis has none. The same game gives the same bonuses.
//!
//! *The hunt.* Alpha-beta assumes perfect Rebels: a threat that they can parry is worth nothing, and where captures are
//! deferred they can parry nearly all. So the search models its opponent (D. Carmel and S. Markovitch, "Incorporating
//! opponent models into adversary search", 1996): where the last moves of the Rebels show that they err, a move of the
//! General is worth more the nearer it brings a capture. With other captures, which the search sees well enough, this
//! gained nothing.
//!
//! *The approach.* The weights of a family know little of how Rebels get from a safe ring to a closed one: they stand
//! far from the General, and step to and fro. So a step of the Rebels that comes nearer is worth more, as long as the
//! General has some room: with little room, closing the ring takes other steps. As a term of the evaluation the same
//! weight did harm: the General fled from Rebels that it should take.
//!
//! *Traps.* Rebels that move in circles seldom look ahead: they leave nothing to take where they can, and walk to the
//! next point. To alpha-beta a position that they can hold is as good as any other. So a move of the General is worth
//! more, the more Rebels it takes by force after the replies that leave least to take, and the more replies do so:
//! Rebels that feel safe come out. Two moves ahead is enough: with these, `fox-and-geese-17` is won as often with 1,000
//! nodes a move as with 10,000.
//!
//! Tests: `tests/root_bonus.rs`; `privy-lab measure movers` plays against random moves and a greedy player. Figures:
//! docs/NOTEBOOK.md.

use std::cell::Cell;

use crate::eval::Evaluation;
use privy_rules::board::{Point, PointSet};
use privy_rules::family::Every;
use privy_rules::{Game, Move, Outcome, Position, Side};

use super::contempt::Contempt;
use super::root_moves::RootMove;

/// Gives root moves their bonuses. Approach and traps: of a side with contempt. Traps end without a bonus once the
/// search is over.
pub fn add_bonuses(
    game: &Game,
    evaluation: &Evaluation,
    contempt: Contempt,
    is_over: &dyn Fn() -> bool,
    moves: &mut [RootMove],
) {
    add_hunt_bonuses(game, evaluation, moves);
    match contempt.side() {
        Some(Side::Rebels) => add_approach_bonuses(game, evaluation, moves),
        Some(Side::General) => add_trap_bonuses(game, is_over, moves),
        None => {}
    }
}

/// How many of the last moves of the Rebels are judged, at least and at most.
pub const LEAST_JUDGED: usize = 6;
pub const MOST_JUDGED: usize = 8;
/// Rebels err when at least this share of their other moves, in the mean, would have been better. In `subjugatio-free`
/// the share is 0.24 to 0.63 for eight random moves, and 0.01 to 0.15 for searches of 1,000 nodes.
const LEAST_ERRING_SHARE: f64 = 0.2;
/// The bonus of a threat for each Rebel that it would take, in hundredths of a Rebel. At most three count, to stay out
/// of the band of wins.
pub const THREAT_BONUS: i32 = 500;
const MOST_THREATENED: u32 = 3;
/// The bonus of each step by which the General is nearer than `HUNT_RANGE` to a point from which it could capture.
pub const HUNT_STEP: i32 = 170;
const HUNT_RANGE: i32 = 6;

pub fn add_hunt_bonuses(game: &Game, evaluation: &Evaluation, moves: &mut [RootMove]) {
    let is_on = game.side() == Side::General
        && game.variant().rule_set().deferred
        && share_of_better_moves(game, evaluation).is_some_and(|share| share >= LEAST_ERRING_SHARE);
    for root_move in moves.iter_mut().filter(|_| is_on) {
        root_move.bonus += hunt_bonus(game, root_move.move_());
    }
}

/// Returns the mean share of other moves that would have been better than the last ones of the Rebels; `None` after too
/// few moves.
fn share_of_better_moves(game: &Game, evaluation: &Evaluation) -> Option<f64> {
    let played = game.moves().rev().zip(game.positions().rev().skip(1));
    let by_rebels = played.filter(|(_, before)| before.side() == Side::Rebels).take(MOST_JUDGED);
    let shares: Vec<f64> = by_rebels
        .map(|(played, before)| {
            let all = game.variant().legal_moves(before);
            let cost = |move_: &Move| cost(game, evaluation, before, move_);
            let of_played = cost(played.action());
            let better = all.iter().filter(|other| cost(other.action()) < of_played).count();
            better as f64 / (all.len() - 1).max(1) as f64
        })
        .collect();
    (shares.len() >= LEAST_JUDGED).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

/// The static cost of a move for the Rebels: Rebels that could be taken after it, then the evaluation for the General.
fn cost(game: &Game, evaluation: &Evaluation, before: &Position, move_: &Move) -> (u32, i16) {
    let (after, outcome) = game.variant().play_unchecked(before, move_);
    match outcome {
        Some(_) => (0, i16::MIN),
        None => (most_taken(game, &after), evaluation.evaluate(game.variant().rules(), &after).raw()),
    }
}

fn most_taken(game: &Game, position: &Position) -> u32 {
    let mut most = 0;
    game.variant().rules().general_actions::<Every>(position, |move_, _| most = most.max(move_.captured.len()));
    most
}

/// A capture has the highest bonus, or a threat would outweigh it.
pub fn hunt_bonus(game: &Game, move_: &Move) -> i32 {
    let (after, outcome) = game.variant().play_unchecked(game.position(), move_);
    if outcome.is_some() {
        return 0;
    }
    if !move_.captured.is_empty() {
        return THREAT_BONUS * MOST_THREATENED as i32;
    }
    let at = |point: Point| most_taken(game, &after.with_side(Side::General).with_pieces(after.rebels(), point));
    let threatened = at(after.general());
    if threatened > 0 {
        return THREAT_BONUS * threatened.min(MOST_THREATENED) as i32;
    }
    let rules = game.variant().rules();
    let (mut reached, mut frontier) = (PointSet::of(after.general()), PointSet::of(after.general()));
    for steps in 1..HUNT_RANGE {
        let next = frontier.into_iter().fold(PointSet::EMPTY, |all, point| all | rules.neighbours[point]);
        frontier = next.minus(after.rebels() | reached);
        reached |= frontier;
        if frontier.into_iter().any(|point| at(point) > 0) {
            return HUNT_STEP * (HUNT_RANGE - steps);
        }
    }
    0
}

/// The bonus of a step that keeps its distance, in hundredths of a Rebel; one that comes nearer has twice as much.
pub const APPROACH_STEP: i32 = 20;
/// With fewer points to walk to, the General has little room.
const LEAST_ROOM: u32 = 6;

/// Gives the steps of the Rebels their bonuses, in games of jumps or without captures.
pub fn add_approach_bonuses(game: &Game, evaluation: &Evaluation, moves: &mut [RootMove]) {
    let variant = game.variant();
    if variant.rule_set().takes_pairs() || evaluation.freedom(variant.rules(), game.position()) < LEAST_ROOM {
        return;
    }
    let distances = game.board().distances(PointSet::of(game.position().general()));
    for root_move in moves {
        let move_ = root_move.move_();
        root_move.bonus += APPROACH_STEP * (distances[move_.from] - distances[move_.to] + 1).clamp(0, 2);
    }
}

/// The bonus of a Rebel that falls by force after a careful reply, one that leaves least to take; in hundredths of a
/// Rebel.
const TRAP_BONUS: f64 = 60.0;
/// The bonus of a move after which all replies are careful.
pub const LURE_BONUS: f64 = 25.0;
/// The most positions to look at, five milliseconds on 64 points; where there are more, no move has a bonus. With
/// seventeen Geese on 33 points there are some hundreds.
pub const MOST_TRAP_POSITIONS: u32 = 10_000;

pub fn add_trap_bonuses(game: &Game, is_over: &dyn Fn() -> bool, moves: &mut [RootMove]) {
    if moves.len() > 1 {
        let traps = Traps { game, is_over, positions: Cell::new(0) };
        let bonuses: Option<Vec<i32>> = moves.iter().map(|root_move| traps.bonus(root_move.move_())).collect();
        let bonuses = bonuses.into_iter().flatten();
        moves.iter_mut().zip(bonuses).for_each(|(root_move, bonus)| root_move.bonus += bonus);
    }
}

pub struct Traps<'a> {
    pub game: &'a Game,
    pub is_over: &'a dyn Fn() -> bool,
    /// Positions looked at.
    pub positions: Cell<u32>,
}

impl Traps<'_> {
    /// Returns the bonus of a move: 0 where it or a reply ends the game, which the search sees; `None` if looking took
    /// too long.
    pub fn bonus(&self, move_: &Move) -> Option<i32> {
        let (after, outcome) = self.game.variant().play_unchecked(self.game.position(), move_);
        if outcome.is_some() {
            return Some(0);
        }
        let replies: Option<Vec<(u32, Position)>> = self.replies(&after).collect();
        let Some(replies) = replies else { return Some(0) };
        let least = replies.iter().map(|(taken, _)| *taken).min();
        let careful: Vec<&Position> =
            replies.iter().filter(|(taken, _)| Some(*taken) == least).map(|(_, reply)| reply).collect();
        let trapped = careful.iter().map(|reply| self.taken_by_force(reply)).sum::<Option<u32>>()?;
        let count = careful.len() as f64;
        Some((TRAP_BONUS * f64::from(trapped) / count + LURE_BONUS * count / replies.len() as f64) as i32)
    }

    /// The positions after each move of the Rebels, and how many of them the General could then take; `None` for a move
    /// that ends the game.
    fn replies(&self, position: &Position) -> impl Iterator<Item = Option<(u32, Position)>> {
        let variant = self.game.variant();
        variant.legal_moves(position).into_iter().map(move |move_| {
            self.positions.update(|count| count + 1);
            let (reply, outcome) = variant.play_unchecked(position, move_.action());
            outcome.is_none().then(|| (most_taken(self.game, &reply), reply))
        })
    }

    /// The Rebels that the General, to move, takes by force with this move and the next; at most [`MOST_THREATENED`].
    /// `None` if looking took too long.
    fn taken_by_force(&self, position: &Position) -> Option<u32> {
        if self.positions.get() >= MOST_TRAP_POSITIONS || (self.is_over)() {
            return None;
        }
        let variant = self.game.variant();
        let mut most = 0;
        for move_ in variant.legal_moves(position) {
            let (after, outcome) = variant.play_unchecked(position, move_.action());
            let next = match outcome.map(Outcome::winner) {
                None => self.least_taken(&after),
                Some(Some(Side::General)) => MOST_THREATENED,
                Some(_) => continue,
            };
            most = most.max((move_.action().captured.len() + next).min(MOST_THREATENED));
            if most == MOST_THREATENED {
                break;
            }
        }
        Some(most)
    }

    /// The Rebels that the General could take after the most careful reply.
    fn least_taken(&self, position: &Position) -> u32 {
        let mut least = MOST_THREATENED;
        for reply in self.replies(position) {
            least = least.min(reply.map_or(0, |(taken, _)| taken));
            if least == 0 {
                break;
            }
        }
        least
    }
}
