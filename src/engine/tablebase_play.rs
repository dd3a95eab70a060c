//! Perfect play from the tablebase: instead of a search, and inside one.
//!
//! A table knows no history: a third occurrence of a position, or the limit of plies of a game, can take a win away.
//! What is not taken away is exact; where that is open, a bound is reported.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

use privy_protocol::{Bound, Score, Verdict};

use privy_base::random::Random;
use privy_rules::{Game, MovePath, Outcome, Position, Side, Variant};
use privy_search::eval;
use privy_search::{Prober, RootFacts, SearchInfo, SearchRequest, TimeManager};
use privy_tables::{Table, TableError, TableValue};

use super::play_style::{PlayStyle, rank_by_style};

/// The work for the play style, which chooses among moves of equal value, in probes.
const LOOK_AHEAD_WORK: u64 = 8_000;
/// Probes in memory that take as long as a read of the file from a disk. The first moves after a table has been opened
/// look ahead less.
const PROBES_OF_A_READ: u64 = 250;

/// The work of a search by table. It is counted in probes and reads of the file, so that the same position gets the
/// same move on every machine; only a shorter time limit ends the work earlier.
struct ProbeBudget<'a> {
    table: &'a Table,
    /// Reads of the table before the search.
    reads: u64,
    clock: TimeManager,
    looked_up: u32,
}

impl<'a> ProbeBudget<'a> {
    fn new(table: &'a Table, request: &SearchRequest) -> ProbeBudget<'a> {
        ProbeBudget { table, reads: table.reads(), clock: request.deadline(), looked_up: 0 }
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
type Range = [TableValue; 2];

/// What is known of a move with these values; `None` if nothing is.
fn verdict([least, most]: Range) -> Option<Verdict> {
    Some(match (least, most) {
        _ if least == most => Score::from(least).into(),
        (TableValue::Win(_), _) => Verdict::bounded(least.into(), Bound::Upper),
        (_, TableValue::Loss(_)) => Verdict::bounded(most.into(), Bound::Upper),
        _ if least.class() == 1 => Score::from(least).into(),
        _ if most.class() == -1 => Score::from(most).into(),
        (TableValue::Draw, _) => Verdict::bounded(Score::Draw, Bound::Lower),
        (_, TableValue::Draw) => Verdict::bounded(Score::Draw, Bound::Upper),
        _ => return None,
    })
}

/// The value to play for: where a win is not certain, it is worth a try.
fn played([least, most]: Range) -> TableValue {
    if least.class() == 0 { most } else { least }
}

/// What a table says of moves of a game, in the order in which they are to be played; complete if it covers them all.
/// Lines go to the end of the game, as many as are shown.
pub(super) fn facts(
    table: &Table,
    game: &Game,
    moves: &[MovePath],
    request: &SearchRequest,
    (style, seed): (PlayStyle, u64),
) -> Result<RootFacts, TableError> {
    let mut budget = ProbeBudget::new(table, request);
    let history = Repetitions::of(table, game)?;
    let mut ranged: Vec<(MovePath, Range)> = Vec::new();
    for move_ in moves {
        match history.range_of(game, move_) {
            Ok(range) => ranged.push((move_.clone(), range)),
            Err(TableError::NotCovered(_)) => {}
            Err(error) => return Err(error),
        }
    }
    budget.looked_up += u32::try_from(ranged.len()).unwrap_or(u32::MAX);
    let is_complete = ranged.len() == moves.len();
    let mut ranked: Vec<_> = ranged.iter().map(|(move_, range)| (move_.clone(), played(*range))).collect();
    if is_complete {
        if seed != 0 {
            // Ranking keeps the order of equals.
            Random::numbered(seed, game.position().hash()).shuffle(&mut ranked);
        }
        rank_by_style(table, game, &mut ranked, style.opponent(), &mut budget.part(LOOK_AHEAD_WORK, 4))?;
    }
    let range_of = |move_: &MovePath| ranged.iter().find(|(other, _)| other == move_).map(|(_, range)| *range);
    // What is certain comes first. Of drawing moves, one that ends the game comes last: any other leaves the opponent a
    // chance to err.
    ranked.sort_by_key(|(move_, value)| {
        let certain = range_of(move_).map(|[least, _]| least.class());
        let ends = *value == TableValue::Draw && game.continued(move_).outcome().is_some();
        (Reverse(value.class()), Reverse(certain), ends)
    });
    let mut facts = RootFacts::default();
    facts.is_complete = is_complete;
    for (move_, _) in ranked {
        let known = range_of(&move_).and_then(verdict);
        facts.is_complete &= known.is_some();
        if let Some(verdict) = known {
            facts.add(verdict, vec![move_], false);
        }
    }
    let shown = if request.live_analysis.is_some() { moves.len() } else { request.multi_pv.max(1) };
    facts.extend_best(shown, |fact| {
        let mut goes_on = budget.part(u64::MAX, 2);
        best_line(table, game, fact, &mut goes_on)
    })?;
    facts.tbhits = u64::from(budget.looked_up);
    Ok(facts)
}

/// The most plies of a line; no win is as long.
const MOST_LINE_PLIES: usize = 2_000;
/// The most plies of a line that are looked for at once.
const PLIES_AT_A_TIME: usize = 8;

/// Best play from a move on, to the end of the game; where neither side can force one, until a position recurs. True if
/// it is cut.
fn best_line(
    table: &Table,
    game: &Game,
    fact: &SearchInfo,
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
            let is_spoiled = fact.verdict.score.is_decided() && winner.is_some_and(|winner| winner.is_none());
            if is_spoiled && !line.is_empty() {
                return Ok((line, true));
            }
            line.push(move_);
            let repeats = fact.verdict.score.distance().is_none() && seen.contains(game.position());
            if winner.is_some_and(|winner| fact.verdict.score == Score::Draw && winner.is_some()) {
                // The draw comes from the history, of which the table's line knows nothing.
                return Ok((fact.pv.clone(), true));
            }
            if repeats || winner.is_some() || line.len() >= MOST_LINE_PLIES {
                return Ok((line, game.outcome().is_none() && !repeats));
            }
            seen.push(*game.position());
        }
        next = next_moves(table, &game, goes_on)?;
    }
}

/// Best play of both sides by the table from a position, some plies of it, while `goes_on` returns true.
fn next_moves(table: &Table, game: &Game, goes_on: &mut dyn FnMut() -> bool) -> Result<Vec<MovePath>, TableError> {
    let (mut game, mut line) = (game.clone(), Vec::new());
    let mut value = table.probe(&game)?;
    while line.len() < PLIES_AT_A_TIME {
        let mut found = None;
        for move_ in game.legal_moves() {
            if !goes_on() {
                return Ok(line);
            }
            let next = game.after(&move_);
            if table.probe(&next)? == value.after() {
                found = Some((move_, next));
                break;
            }
        }
        let Some((move_, next)) = found else { break };
        (game, value) = (next, value.after());
        line.push(move_);
    }
    Ok(line)
}

/// What has occurred twice in a game: a third occurrence ends it.
struct Repetitions<'a> {
    table: &'a Table,
    twice: HashSet<&'a Position>,
    /// Of these positions the winners by the table, and the plies to their wins.
    won: Vec<(Side, u32)>,
    outcome: Outcome,
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
        let outcome = Outcome::Repetition(game.variant().rules().winner_by_repetition);
        Ok(Repetitions { table, twice, won, outcome })
    }

    /// The values of a position. A winner who takes the shortest way meets only positions that it wins in fewer plies:
    /// if no such position has occurred twice, the value is that of the table, else a repetition may spoil it.
    fn range(&self, game: &Game) -> Result<Range, TableError> {
        let side = game.side();
        if game.outcome().is_none() && self.twice.contains(game.position()) {
            return Ok([TableValue::of_outcome(self.outcome, side); 2]);
        }
        let value = self.table.probe(game)?;
        let is_kept = winner(value, side).is_none_or(|(winner, plies)| {
            let is_met = |(other, less): &(Side, u32)| *other == winner && *less < plies;
            self.outcome.winner() == Some(winner) || !self.won.iter().any(is_met)
        });
        let spoiled = match self.outcome.winner() {
            _ if is_kept => value,
            None => TableValue::Draw,
            Some(winner) if winner == side => TableValue::WinByRepetition,
            Some(_) => TableValue::LossByRepetition,
        };
        Ok([value.min(spoiled), value.max(spoiled)])
    }

    /// The values of a move for the side that makes it. Where a repetition may spoil them, one that a reply brings at
    /// once is looked for.
    fn range_of(&self, game: &Game, move_: &MovePath) -> Result<Range, TableError> {
        let next = game.after(move_);
        let mut range = self.range(&next)?;
        if range[0] != range[1] {
            range = [TableValue::Loss(0); 2];
            for reply in next.legal_moves() {
                let [most, least] = self.range(&next.after(&reply))?.map(TableValue::before);
                range = [range[0].max(least), range[1].max(most)];
            }
        }
        let [most, least] = range.map(TableValue::before);
        // The limit ends the game as a draw.
        let is_drawn = |value: TableValue, class| {
            let is_late = |left| value.plies().map_or(value.class() == class, |plies| plies > left);
            game.plies_left().is_some_and(is_late)
        };
        let within = |value, class| if is_drawn(value, class) { TableValue::Draw } else { value };
        Ok([within(least, 1), within(most, -1)])
    }
}

/// The winner of a value, and the plies.
fn winner(value: TableValue, side: Side) -> Option<(Side, u32)> {
    Some(match value {
        TableValue::Win(plies) => (side, plies),
        TableValue::Loss(plies) => (!side, plies),
        _ => return None,
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
