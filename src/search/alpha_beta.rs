//! Principal variation search with a transposition table: every move after the first is searched with a null window (T.
//! Marsland, M. Campbell, 1982).
//!
//! Near the horizon quiet moves that cannot raise alpha are skipped (futility pruning, late move pruning), but never
//! where a win or loss is reported; proofs beside the search find its length. Late quiet moves are searched less deep
//! (late move reductions). A repeated position is a draw. A forced move extends the search by a ply. Beyond the horizon
//! the search follows the General's captures (quiescence search).

use once_cell::sync::Lazy;
use privy_protocol::Bound;

use crate::eval::Value;
use privy_base::best_instructions;
use privy_rules::board::{Point, PointSet};
use privy_rules::family::Every;
use privy_rules::{Move, Outcome, Position, Side};

use super::context::{Context, NodeCounter};
use super::history::{History, Rows};
use super::move_picker::{MAX_PLY, MoveList};
use super::transposition_table::{MoveCode, SearchEntry};

/// Futility pruning begins this many plies before the horizon.
const FUTILE_DEPTH: i32 = 3;
/// Late move pruning begins this many plies before the horizon.
const LATE_DEPTH: i32 = 4;
/// The value of a repeated position for the side that wins by repetition: the other side should avoid it.
const RECURRENCE_BONUS: Value = Value::evaluation(3_000);
/// Earlier moves in the order are searched to the full depth.
const FIRST_REDUCED: usize = 3;

const LOGARITHMS: usize = 64;

/// Natural logarithms of 0 (as of 1) to 63, in hundredths.
static HUNDREDTHS: Lazy<[i32; LOGARITHMS]> =
    Lazy::new(|| std::array::from_fn(|number| ((number.max(1) as f64).ln() * 100.0).round() as i32));

pub(super) struct AlphaBeta<'a> {
    context: Context<'a>,
    history: &'a mut History,
    lists: Vec<MoveList>,
    /// By ply: the best line from there, in the triangle of a principal variation table.
    pv: Vec<Vec<Move>>,
    pub(super) counter: NodeCounter,
    /// Positions with a value of the prober.
    pub(super) table_hits: u64,
    /// The deepest ply of this iteration, extensions and captures included.
    pub(super) deepest: usize,
    /// By ply from the root: the hash of the position and its number of Rebels.
    way: Vec<(u64, u32)>,
    /// By ply: plies since the last capture, where the rules count them.
    quiet: Vec<u32>,
    /// By ply: where the last move ended.
    arrivals: Vec<Point>,
    /// Forced moves extend the search up to this ply.
    extension_limit: usize,
    /// A limit or a stop has ended the search. All values after that are meaningless.
    pub(super) stopped: bool,
}

impl<'a> AlphaBeta<'a> {
    pub(super) fn new(context: Context<'a>, history: &'a mut History) -> AlphaBeta<'a> {
        AlphaBeta {
            context,
            history,
            lists: MoveList::one_per_ply(),
            pv: vec![Vec::new(); MAX_PLY + 2],
            counter: NodeCounter::default(),
            table_hits: 0,
            deepest: 0,
            way: vec![(0, 0); MAX_PLY + 2],
            quiet: vec![context.plies_since_capture; MAX_PLY + 2],
            arrivals: vec![Point::new(0); MAX_PLY + 2],
            extension_limit: 0,
            stopped: false,
        }
    }

    /// The best line of the last root move that was searched with a full window.
    pub(super) fn line(&self) -> &[Move] {
        &self.pv[1]
    }

    pub(super) fn begin_iteration(&mut self, depth: i32) {
        self.deepest = 0;
        self.extension_limit = (2 * depth as usize + 8).min(MAX_PLY);
    }

    pub(super) fn search_root_move(
        &mut self,
        root: &Position,
        move_: &Move,
        window: (Value, Value),
        depth: i32,
    ) -> Value {
        self.way[0] = (root.hash(), root.rebels_left());
        self.search_child(root, move_, window, depth - 1, 0, true)
    }

    #[inline(always)]
    fn search_child(
        &mut self,
        position: &Position,
        move_: &Move,
        (alpha, beta): (Value, Value),
        depth: i32,
        ply: usize,
        is_pv: bool,
    ) -> Value {
        self.stopped |= self.counter.count(&self.context);
        self.pv[ply + 1].clear();
        self.arrivals[ply + 1] = move_.to;
        let (child, goal) = self.context.rules.play_unchecked(position, move_);
        if let Some(outcome) = goal {
            return self.value_of(outcome, position.side(), ply + 1);
        }
        let is_repeated = self.context.is_repeated(&child);
        let mut limit = (self.context.plies_left == Some(ply + 1)).then_some(Outcome::MoveLimit(None));
        if self.context.rules.move_limit().is_some() {
            let quiet = if move_.captured.is_empty() { self.quiet[ply] + 1 } else { 0 };
            self.quiet[ply + 1] = quiet;
            limit = self.context.rules.limit_reached(quiet).or(limit);
        }
        if is_repeated || limit.is_some() {
            // Having no move ends the game before repetition and the limit of plies count.
            if !self.context.can_move(&child) {
                return self.value_of(self.stuck(child.side()), position.side(), ply + 1);
            }
            let by_repetition = Outcome::Repetition(self.context.rules.winner_by_repetition);
            let outcome = limit.filter(|_| !is_repeated).unwrap_or(by_repetition);
            return self.value_of(outcome, position.side(), ply + 1);
        }
        if self.comes_back(&child, ply + 1) {
            return match self.context.rules.winner_by_repetition {
                None => self.context.contempt.draw_for(position.side()),
                Some(winner) if winner == position.side() => RECURRENCE_BONUS,
                Some(_) => -RECURRENCE_BONUS,
            };
        }
        if let Some(value) = self.context.probe(&child) {
            self.table_hits += 1;
            return -value.at_root(ply + 1);
        }
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return -dispatch_quiesce(self, &child, -beta, -alpha, ply + 1);
        }
        -dispatch_search(self, &child, -beta, -alpha, depth, ply + 1, is_pv)
    }

    /// The outcome where this side has no legal move.
    #[inline(always)]
    fn stuck(&self, side: Side) -> Outcome {
        Outcome::NoMove(self.context.rules.winner_if_stuck(side))
    }

    fn value_of(&self, outcome: Outcome, mover: Side, ply: usize) -> Value {
        match outcome.winner() {
            Some(winner) if winner == mover => Value::win_in(ply as u32),
            Some(_) => Value::loss_in(ply as u32),
            None => self.context.contempt.draw_for(mover),
        }
    }

    /// Records the position at its ply. True if it has occurred before, on the way from the root or in the game.
    #[inline(always)]
    fn comes_back(&mut self, position: &Position, ply: usize) -> bool {
        let here = (position.hash(), position.rebels_left());
        self.way[ply] = here;
        let mut before = ply;
        while before >= 2 {
            before -= 2;
            let then = self.way[before];
            if then.1 != here.1 {
                return false;
            }
            if then.0 == here.0 {
                return true;
            }
        }
        self.context.visited.binary_search(&here.0).is_ok()
    }

    #[inline(always)]
    fn search(
        &mut self,
        position: &Position,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        is_pv: bool,
    ) -> Value {
        if self.stopped {
            return Value::DRAW;
        }
        self.deepest = self.deepest.max(ply);
        // Mate distance pruning: no line is better than winning with the next move, or worse than having lost already.
        alpha = alpha.max(Value::loss_in(ply as u32));
        beta = beta.min(Value::win_in(ply as u32 + 1));
        if alpha >= beta {
            return alpha;
        }
        let context = self.context;
        let salt = context.search_salt(ply, self.quiet[ply]);
        let known = context.table.get(position.hash(), salt);
        if let Some(value) = known.filter(|_| !is_pv).and_then(|entry| entry.cutoff(alpha, beta, depth, ply)) {
            return value;
        }
        let side = position.side();
        let table_move = known.map_or(MoveCode::NONE, |entry| entry.best);
        let mut list = std::mem::take(&mut self.lists[ply]);
        let rows = Rows::of(position, self.arrivals[ply]);
        let (history, parameters) = (&*self.history, context.parameters);
        list.fill(context.rules, position, context.rules.all, |move_| {
            history.rank(parameters, rows, ply, move_, table_move)
        });
        if list.len() == 0 {
            self.lists[ply] = list;
            return self.value_of(self.stuck(side), side, ply);
        }
        let is_forced = list.len() == 1 && ply < self.extension_limit;
        let next_depth = if is_forced { depth } else { depth - 1 };
        let futility_bound = self.futility_bound(position, alpha, depth, is_pv);
        let few = (parameters.late_moves * depth * depth / 100) as usize;
        if next_depth > 0 && futility_bound.is_none() {
            for move_ in list.moves() {
                context.prefetch(position, &move_);
            }
        }
        let first_alpha = alpha;
        let mut best = -Value::INFINITE;
        let mut best_move = None;
        let mut picked = 0;
        while let Some(move_) = list.pick(picked) {
            let count = picked;
            picked += 1;
            if let Some(bound) = futility_bound.filter(|_| count > 0 && move_.captured.is_empty()) {
                best = best.max(bound);
                // No step of the Rebels captures.
                if side == Side::Rebels {
                    break;
                }
                continue;
            }
            let is_late = count > few && depth <= LATE_DEPTH && !is_pv;
            if is_late && move_.captured.is_empty() && alpha.distance().is_none() && !best.is_loss() {
                best = best.max(alpha);
                continue;
            }
            let mut value;
            if count == 0 {
                value = self.search_child(position, &move_, (alpha, beta), next_depth, ply, is_pv);
            } else {
                let reduction = match move_.captured.is_empty() {
                    true => self.reduction(depth, count, list.rank(count), is_pv),
                    false => 0,
                };
                let null = (alpha, alpha.shifted(1));
                value = self.search_child(position, &move_, null, next_depth - reduction, ply, false);
                if reduction > 0 && value > alpha && !self.stopped {
                    value = self.search_child(position, &move_, null, next_depth, ply, false);
                }
                if is_pv && value > alpha && value < beta && !self.stopped {
                    value = self.search_child(position, &move_, (alpha, beta), next_depth, ply, true);
                }
            }
            if self.stopped {
                break;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(move_);
                    if is_pv {
                        let (lines, next) = self.pv.split_at_mut(ply + 1);
                        lines[ply].clear();
                        lines[ply].push(move_);
                        lines[ply].extend_from_slice(&next[0]);
                    }
                    if value >= beta {
                        self.history.reward(rows, ply, depth, &move_, list.moves().take(count));
                        break;
                    }
                }
            }
        }
        self.lists[ply] = list;
        if !self.stopped {
            let bound = match best {
                value if value >= beta => Some(Bound::Lower),
                value if value > first_alpha => None,
                _ => Some(Bound::Upper),
            };
            let best_code = best_move.map_or(MoveCode::NONE, |move_| MoveCode::of(&move_));
            let entry = SearchEntry { value: best.at_node(ply), bound, depth, best: best_code };
            context.table.put(position.hash(), salt, &entry);
        }
        best
    }

    /// Late move reductions (T. Romstad, "An Introduction to Late Move Reductions", 2007): the plies by which a late
    /// quiet move is searched less deep; more where its history is bad. If it raises alpha it is searched again without
    /// the reduction.
    #[inline(always)]
    fn reduction(&self, depth: i32, count: usize, rank: i32, is_pv: bool) -> i32 {
        if depth < 3 || count < FIRST_REDUCED {
            return 0;
        }
        let parameters = self.context.parameters;
        let ln = |number: usize| HUNDREDTHS[number.min(LOGARITHMS - 1)];
        let hundredths = ln(depth as usize) * ln(count + 1) * parameters.reduction / 10_000;
        let plies = (hundredths - History::depth_of(parameters, rank)) / 100;
        (plies - i32::from(is_pv)).clamp(0, depth - 2)
    }

    /// Futility pruning (E. Heinz, 1998): near the horizon, a value at most alpha that quiet moves are assumed not to
    /// exceed. It is never a win or loss: those are reported only where every move has been searched.
    #[inline(always)]
    fn futility_bound(&self, position: &Position, alpha: Value, depth: i32, is_pv: bool) -> Option<Value> {
        if is_pv || depth > FUTILE_DEPTH || alpha.distance().is_some() {
            return None;
        }
        let stand_pat = self.context.evaluation.evaluate(self.context.rules, position);
        let bound = stand_pat.shifted(self.context.parameters.futility_margin * depth);
        (bound <= alpha).then_some(bound)
    }

    /// Quiescence search: the evaluation, or the value of a capture of the General. Where capture is compulsory it
    /// cannot stand pat.
    #[inline(always)]
    fn quiesce(&mut self, position: &Position, mut alpha: Value, beta: Value, ply: usize) -> Value {
        if self.stopped {
            return Value::DRAW;
        }
        self.deepest = self.deepest.max(ply);
        let Context { rules, evaluation, .. } = self.context;
        if !self.context.can_move(position) {
            return self.value_of(self.stuck(position.side()), position.side(), ply);
        }
        if position.side() == Side::Rebels {
            return evaluation.evaluate(rules, position);
        }
        let mut captures = std::mem::take(&mut self.lists[ply]);
        captures.clear();
        rules.general_actions::<Every>(position, |move_, _| {
            if move_.captured != PointSet::EMPTY {
                captures.push(move_.captured.len() as i32, move_);
            }
        });
        let mut best = -Value::INFINITE;
        if !rules.capture_is_compulsory || captures.len() == 0 {
            best = evaluation.evaluate(rules, position);
            alpha = alpha.max(best);
        }
        if best < beta && ply < MAX_PLY {
            for count in 0..captures.len() {
                let Some(move_) = captures.pick(count) else { break };
                let value = self.search_child(position, &move_, (alpha, beta), 0, ply, false);
                best = best.max(value);
                alpha = alpha.max(value);
                if alpha >= beta || self.stopped {
                    break;
                }
            }
        }
        self.lists[ply] = captures;
        best
    }
}

best_instructions! {
    fn dispatch_search(
        thread: &mut AlphaBeta<'_>,
        position: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        is_pv: bool,
    ) -> Value {
        thread.search(position, alpha, beta, depth, ply, is_pv)
    }
}

best_instructions! {
    fn dispatch_quiesce(
        thread: &mut AlphaBeta<'_>,
        position: &Position,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        thread.quiesce(position, alpha, beta, ply)
    }
}
