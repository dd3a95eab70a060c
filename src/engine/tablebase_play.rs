//! Perfect play from the tablebase: instead of a search, and inside one.
//!
//! A table knows no history: a third occurrence of a position, or the limit of plies of a game, can take a win away. What is not taken away is
//! told as exact; where that is open, a bound is told.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use privy_protocol::{Bound, Score};

use privy_base::random::Random;
use privy_rules::{Game, MovePath, Outcome, Position, Side, Variant};
use privy_search::eval;
use privy_search::{Prober, RootFact, RootFacts, SearchRequest, TimeManager};
use privy_tables::{PlayStyle, Table, TableError, TableValue, ValuedMove};

/// The work for the play style, which chooses among moves of equal value, in probes.
const LOOK_AHEAD_WORK: u64 = 8_000;
/// The most plies behind each move that are searched for a third occurrence of a position.
const MOST_PLIES_OF_HISTORY: u32 = 4;
/// Probes in memory that take as long as a read of the file from a disk. The first moves after a table has been opened look ahead less.
const PROBES_OF_A_READ: u64 = 250;

/// The work of a search by table. It is counted in probes and reads of the file, so that the same position gets the same move on every
/// machine; only a shorter time limit ends the work earlier.
struct ProbeBudget<'a> {
    table: &'a Table,
    /// Reads of the table before the search.
    reads: u64,
    clock: TimeManager,
    looked_up: u32,
}

impl<'a> ProbeBudget<'a> {
    fn new(table: &'a Table, request: &SearchRequest) -> ProbeBudget<'a> {
        ProbeBudget { table, reads: table.reads(), clock: TimeManager::of(request), looked_up: 0 }
    }

    fn work(&self) -> u64 {
        u64::from(self.looked_up) + (self.table.reads() - self.reads) * PROBES_OF_A_READ
    }

    /// A part of the budget: at most so much work, and this share of the time. The closure decides before each probe.
    fn part(&mut self, work: u64, share: u32) -> impl FnMut() -> bool {
        let (work, until) = (self.work().saturating_add(work), self.clock.hard.map(|time| time / share));
        move || {
            let goes_on = self.work() < work && until.is_none_or(|until| self.clock.elapsed() < until);
            self.looked_up += u32::from(goes_on);
            goes_on
        }
    }
}

/// The values that a position can have in its game, from the worst for the side to move to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Range {
    least: TableValue,
    most: TableValue,
}

impl Range {
    fn exact(value: TableValue) -> Range {
        Range { least: value, most: value }
    }

    fn before(self) -> Range {
        Range { least: self.most.before(), most: self.least.before() }
    }

    /// The range where the limit ends the game as a draw after so many plies.
    fn within(self, left: u32) -> Range {
        let is_later = |value: TableValue| value.plies().is_some_and(|plies| plies > left);
        let is_never = |value: TableValue| value.plies().is_none();
        let drawn = |value, is_drawn| if is_drawn { TableValue::Draw } else { value };
        let Range { least, most } = self;
        Range {
            least: drawn(least, is_later(least) || is_never(least) && least.class() == 1),
            most: drawn(most, is_later(most) || is_never(most) && most.class() == -1),
        }
    }

    /// The value to play for: where a win is not certain, it is worth a try.
    fn played(self) -> TableValue {
        if self.least.class() == 0 { self.most } else { self.least }
    }

    /// What is known of a move with these values; `None` if nothing is.
    fn fact(self) -> Option<(Score, Option<Bound>)> {
        Some(match (self.least, self.most) {
            (least, most) if least == most => (score(least), None),
            (least @ TableValue::Win(_), _) => (score(least), Some(Bound::Upper)),
            (_, most @ TableValue::Loss(_)) => (score(most), Some(Bound::Upper)),
            (least, _) if least.class() == 1 => (score(least), None),
            (_, most) if most.class() == -1 => (score(most), None),
            (TableValue::Draw, _) => (Score::Draw, Some(Bound::Lower)),
            (_, TableValue::Draw) => (Score::Draw, Some(Bound::Upper)),
            _ => return None,
        })
    }
}

/// What a table says of moves of a game, in the order in which they are to be played; complete if it covers them all. Lines go to the end of the
/// game, as many as are shown.
pub(super) fn facts(
    table: &Table,
    game: &Game,
    moves: &[MovePath],
    request: &SearchRequest,
    (style, seed): (PlayStyle, u64),
) -> Result<RootFacts, TableError> {
    let mut budget = ProbeBudget::new(table, request);
    let history = Repetitions::of(table, game)?;
    let mut ranged: Vec<(ValuedMove, Range)> = Vec::new();
    {
        let plies = plies_ahead(moves.len() as u64);
        let mut goes_on = budget.part(LOOK_AHEAD_WORK, 4);
        for move_ in moves {
            let range = match history.range(&game.after(move_), plies, &mut goes_on) {
                Ok(range) => range.before(),
                Err(TableError::NotCovered(_)) => continue,
                Err(error) => return Err(error),
            };
            let range = game.plies_left().map_or(range, |left| range.within(left));
            ranged.push((ValuedMove { move_: move_.clone(), value: range.played() }, range));
        }
    }
    budget.looked_up += u32::try_from(ranged.len()).unwrap_or(u32::MAX);
    let is_complete = ranged.len() == moves.len();
    let mut ranked: Vec<ValuedMove> = ranged.iter().map(|(valued, _)| valued.clone()).collect();
    if is_complete {
        if seed != 0 {
            // Ranking keeps the order of equals.
            Random::numbered(seed, game.position().hash()).shuffle(&mut ranked);
        }
        table.rank(game, &mut ranked, style, &mut budget.part(LOOK_AHEAD_WORK, 4))?;
    }
    let range_of = |move_: &MovePath| ranged.iter().find(|(valued, _)| valued.move_ == *move_).map(|(_, range)| *range);
    // What is certain comes first. Of drawing moves, one that ends the game comes last: any other leaves the opponent a chance to err.
    ranked.sort_by_key(|ValuedMove { move_, value }| {
        let certain = range_of(move_).map(|range| range.least.class());
        let ends = *value == TableValue::Draw && game.continued(move_).outcome().is_some();
        (Reverse(value.class()), Reverse(certain), ends)
    });
    let mut facts = RootFacts::default();
    facts.is_complete = is_complete;
    for ValuedMove { move_, .. } in ranked {
        let known = range_of(&move_).and_then(Range::fact);
        facts.is_complete &= known.is_some();
        if let Some((score, bound)) = known {
            facts.add(RootFact::of_move(move_, score, bound));
        }
    }
    let shown = if request.live_analysis.is_some() { moves.len() } else { request.multi_pv.max(1) };
    facts.extend_best(shown, |fact| {
        let mut goes_on = budget.part(u64::MAX, 2);
        (fact.pv, fact.is_cut) = best_line(table, game, fact, &mut goes_on)?;
        Ok::<(), TableError>(())
    })?;
    facts.tbhits = u64::from(budget.looked_up);
    Ok(facts)
}

/// The most plies of a line; no win is as long.
const MOST_LINE_PLIES: usize = 2_000;
/// The most plies of a line that are looked for at a time.
const PLIES_AT_A_TIME: usize = 8;

/// Best play from a move on, to the end of the game; where neither side can force one, until a position recurs. True if it is cut.
fn best_line(
    table: &Table,
    game: &Game,
    fact: &RootFact,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<(Vec<MovePath>, bool), TableError> {
    let (mut game, mut line) = (game.clone(), Vec::new());
    let mut seen = vec![*game.position()];
    let mut next = fact.pv.clone();
    loop {
        if next.is_empty() {
            // Out of time; or the history of the game forbids the move of the table.
            return Ok((line, true));
        }
        for move_ in next {
            game.play(move_.clone());
            let winner = game.outcome().map(Outcome::winner);
            let is_spoiled = fact.score.is_decided() && winner.is_some_and(|winner| winner.is_none());
            if is_spoiled && !line.is_empty() {
                return Ok((line, true));
            }
            line.push(move_);
            let repeats = fact.score.distance().is_none() && seen.contains(game.position());
            if winner.is_some_and(|winner| fact.score == Score::Draw && winner.is_some()) {
                // The draw comes from the history, of which the table's line knows nothing.
                return Ok((fact.pv.clone(), true));
            }
            if repeats || winner.is_some() || line.len() >= MOST_LINE_PLIES {
                return Ok((line, game.outcome().is_none() && !repeats));
            }
            seen.push(*game.position());
        }
        next = table.best_line(&game, PLIES_AT_A_TIME, goes_on)?;
    }
}

/// What has occurred twice in a game: a third occurrence ends it.
struct Repetitions<'a> {
    table: &'a Table,
    twice: HashSet<&'a Position>,
    /// Of these positions the winners by the table, and the plies to their wins.
    won: Vec<(Side, u32)>,
    winner_by_repetition: Option<Side>,
    /// Positions whose winner can avoid a third occurrence, and positions of which that is not so or not known.
    avoided: RefCell<HashMap<Position, bool>>,
}

impl<'a> Repetitions<'a> {
    fn of(table: &'a Table, game: &'a Game) -> Result<Repetitions<'a>, TableError> {
        let twice = game.seen_twice();
        let mut won = Vec::new();
        for position in &twice {
            match table.probe_state(position) {
                Ok(value) => won.extend(winner(value, position.side())),
                Err(TableError::NotCovered(_)) => {}
                Err(error) => return Err(error),
            }
        }
        let winner_by_repetition = game.variant().rules().winner_by_repetition();
        Ok(Repetitions { table, twice, won, winner_by_repetition, avoided: RefCell::default() })
    }

    /// True if no history changes the value. A winner who takes the shortest way meets only positions that it wins in fewer plies; what is drawn
    /// stays drawn where a repetition is a draw.
    fn keeps(&self, value: TableValue, side: Side) -> bool {
        match winner(value, side) {
            Some((winner, plies)) => {
                let is_met = |(other, less): &(Side, u32)| *other == winner && *less < plies;
                self.winner_by_repetition == Some(winner) || !self.won.iter().any(is_met)
            }
            None => true,
        }
    }

    /// True if the winner of a position that is not over wins in as many plies as the table says, and no position occurs a third time. A false
    /// answer proves nothing.
    fn is_avoided(
        &self,
        game: &Game,
        value: TableValue,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, TableError> {
        if self.keeps(value, game.side()) {
            return Ok(true);
        }
        if let Some(known) = self.avoided.borrow().get(game.position()) {
            return Ok(*known);
        }
        let is_winner = value.class() == 1;
        let mut answer = !is_winner;
        for move_ in game.legal_moves() {
            if !goes_on() {
                answer = false;
                break;
            }
            let next = game.after(&move_);
            let next_value = self.table.probe(&next)?;
            let is_kept = if is_winner { next_value == value.after() } else { true };
            let is_safe = is_kept
                && !self.twice.contains(next.position())
                && (next.outcome().is_some() || self.is_avoided(&next, next_value, goes_on)?);
            if is_safe == is_winner {
                answer = is_winner;
                break;
            }
        }
        self.avoided.borrow_mut().insert(*game.position(), answer);
        Ok(answer)
    }

    /// The values that a repetition leaves possible.
    fn open(&self, value: TableValue, side: Side) -> Range {
        let repeated = TableValue::of_outcome(Outcome::Repetition(self.winner_by_repetition), side);
        let spoiled = match repeated {
            TableValue::Win(_) => TableValue::WinByRepetition,
            TableValue::Loss(_) => TableValue::LossByRepetition,
            draw => draw,
        };
        Range { least: value.min(spoiled), most: value.max(spoiled) }
    }

    /// The range of the last position of a game, with this many plies searched for a third occurrence.
    fn range(&self, game: &Game, plies: u32, goes_on: &mut dyn FnMut() -> bool) -> Result<Range, TableError> {
        if game.outcome().is_some() {
            return Ok(Range::exact(self.table.probe(game)?));
        }
        if self.twice.contains(game.position()) {
            let outcome = Outcome::Repetition(self.winner_by_repetition);
            return Ok(Range::exact(TableValue::of_outcome(outcome, game.side())));
        }
        let value = self.table.probe(game)?;
        if self.is_avoided(game, value, goes_on)? {
            return Ok(Range::exact(value));
        }
        if plies == 0 || !goes_on() {
            return Ok(self.open(value, game.side()));
        }
        let mut best = Range::exact(TableValue::Loss(0));
        for move_ in game.legal_moves() {
            let range = self.range(&game.after(&move_), plies - 1, goes_on)?.before();
            best = Range { least: best.least.max(range.least), most: best.most.max(range.most) };
        }
        Ok(best)
    }
}

/// The plies behind each root move that are searched for repetitions: at least one, more where that is little work.
fn plies_ahead(moves: u64) -> u32 {
    (2..=MOST_PLIES_OF_HISTORY)
        .take_while(|plies| moves.saturating_pow(plies + 1) <= LOOK_AHEAD_WORK)
        .last()
        .unwrap_or(1)
}

/// The winner of a value, and the plies.
fn winner(value: TableValue, side: Side) -> Option<(Side, u32)> {
    Some(match value {
        TableValue::Win(plies) => (side, plies),
        TableValue::Loss(plies) => (!side, plies),
        _ => return None,
    })
}

/// The score of a value; a win by repetition has no number of plies.
fn score(value: TableValue) -> Score {
    value.score().unwrap_or_else(|| match value.class() {
        1 => Score::RepetitionWin,
        _ => Score::RepetitionLoss,
    })
}

/// A table as the search sees it.
#[derive(Debug)]
pub(crate) struct TableProber(pub Arc<Table>);

impl Prober for TableProber {
    fn variant(&self) -> &Variant {
        self.0.variant()
    }

    fn most_rebels(&self) -> u32 {
        self.0.limit().unwrap_or(u32::MAX)
    }

    fn probe(&self, position: &Position) -> Option<eval::Value> {
        Some(match self.0.probe_state(position).ok()? {
            TableValue::Win(plies) => eval::Value::win_in(plies),
            TableValue::Draw => eval::Value::DRAW,
            TableValue::WinByRepetition => eval::Value::WIN_BY_REPETITION,
            TableValue::LossByRepetition => -eval::Value::WIN_BY_REPETITION,
            TableValue::Loss(plies) => eval::Value::loss_in(plies),
        })
    }
}
