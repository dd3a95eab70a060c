//! Perfect play from the tablebase: instead of a search, and inside one.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use privy_protocol::{Instant, Score};

use privy_base::random::Random;
use privy_rules::{Game, MovePath, Outcome, Position, Variant};
use privy_search::eval::{self, MAX_DISTANCE};
use privy_search::{Observer, Prober, SearchInfo, SearchRequest, SearchResult, Stop, TimeManager};
use privy_tables::{PlayStyle, Table, TableError, TableValue, ValuedMove};

/// The most plies of a reported line.
const LINE_PLIES: usize = 200;
/// The most probes for a line: enough for the longest games.
const LINE_PROBES: u32 = 600;
/// The work for all lines of a search, in probes.
const LINES_WORK: u64 = 6_000;
/// The work for the play style, which chooses among moves of equal value, in probes.
const LOOK_AHEAD_WORK: u64 = 8_000;
/// The most plies behind each move that are searched for a third occurrence of a position.
const MOST_PLIES_OF_HISTORY: u32 = 4;
/// Probes in memory that take as long as a read of the file from a disk. The first moves after a table has been opened look ahead less, and
/// their lines are shorter.
const PROBES_OF_A_READ: u64 = 250;

/// The work of a search by table. It is counted in probes and reads of the file, so that the same position gets the same move on every
/// machine; only a shorter time limit ends the work earlier.
struct ProbeBudget<'a> {
    table: &'a Table,
    /// Reads of the table before the search.
    reads: u64,
    start: Instant,
    time: Duration,
    looked_up: u32,
}

impl<'a> ProbeBudget<'a> {
    fn new(table: &'a Table, request: &SearchRequest) -> ProbeBudget<'a> {
        let time = TimeManager::new(&request.limits).hard.unwrap_or(Duration::MAX);
        ProbeBudget { table, reads: table.reads(), start: Instant::now(), time, looked_up: 0 }
    }

    fn work(&self) -> u64 {
        u64::from(self.looked_up) + (self.table.reads() - self.reads) * PROBES_OF_A_READ
    }

    /// A part of the budget: at most `positions` probes, total work `work`, and this share of the time. The closure decides before each probe.
    fn part(&mut self, positions: u32, work: u64, share: u32) -> impl FnMut() -> bool {
        let (most, until) = (self.looked_up.saturating_add(positions), self.time / share);
        move || {
            let goes_on = self.looked_up < most && self.work() < work && self.start.elapsed() < until;
            self.looked_up += u32::from(goes_on);
            goes_on
        }
    }
}

/// The table's result for a game, as a search would report it. None when there is no move to search. Fails when the table does not cover the
/// position, or is damaged.
pub(super) fn search(
    table: &Table,
    game: &Game,
    request: &SearchRequest,
    style: (PlayStyle, u64),
    stop: &Stop,
    observer: Observer<'_>,
) -> Result<Option<SearchResult>, TableError> {
    let mut budget = ProbeBudget::new(table, request);
    let mut moves = ranked_moves(table, game, request, style, &mut budget)?;
    let Some(best) = moves.first().map(|valued| valued.move_.clone()) else { return Ok(None) };
    // Reports are sorted by value, however the move to play is chosen.
    moves.sort_by_key(|valued| Reverse(valued.value));
    let shown = if request.live_analysis.is_some() { moves.len() } else { request.multi_pv.max(1) };
    let most = budget.work() + LINES_WORK;
    let mut lines = Vec::new();
    for (place, valued) in moves.iter().take(shown).enumerate() {
        let line = best_line(table, game, valued, &mut budget.part(LINE_PROBES, most, 2))?;
        let depth = u32::try_from(line.len()).unwrap_or(u32::MAX);
        let info = SearchInfo {
            depth,
            seldepth: depth,
            proven_depth: MAX_DISTANCE,
            multipv: place + 1,
            score: score(valued.value),
            tbhits: u64::from(budget.looked_up),
            time: budget.start.elapsed(),
            pv: line,
            ..SearchInfo::default()
        };
        if let Some(live_analysis) = &request.live_analysis {
            live_analysis.put(SearchInfo { nodes: 1, ..info.clone() });
            live_analysis.set_best(&moves[0].move_);
        }
        observer(&info);
        lines.push(info);
    }
    request.wait_for_stop(stop);
    Ok(Some(SearchResult { best, lines, nodes: 0, time: budget.start.elapsed() }))
}

/// Best play from a move on, as far as the game and `goes_on` go. A line that neither side can end is shown until a position repeats.
fn best_line(
    table: &Table,
    game: &Game,
    first: &ValuedMove,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<MovePath>, TableError> {
    let rest = table.best_line(&game.after(&first.move_), LINE_PLIES, goes_on)?;
    let mut game = game.clone();
    let mut seen = vec![*game.position()];
    let mut line = Vec::new();
    for move_ in std::iter::once(first.move_.clone()).chain(rest) {
        game.play(move_.clone());
        line.push(move_);
        let repeats = first.value.plies().is_none() && seen.contains(game.position());
        if repeats || game.outcome().is_some() {
            break;
        }
        seen.push(*game.position());
    }
    Ok(line)
}

/// The moves, the one to play first, with the history and the limit of plies of the game taken into account.
fn ranked_moves(
    table: &Table,
    game: &Game,
    request: &SearchRequest,
    (style, seed): (PlayStyle, u64),
    budget: &mut ProbeBudget<'_>,
) -> Result<Vec<ValuedMove>, TableError> {
    let mut moves = table.values(game)?;
    budget.looked_up += u32::try_from(moves.len()).unwrap_or(u32::MAX);
    moves.retain(|valued| request.admits(&valued.move_));
    if seed != 0 {
        // Ranking keeps the order of equals.
        Random::numbered(seed, game.position().hash()).shuffle(&mut moves);
    }
    let twice = game.seen_twice();
    if !twice.is_empty() {
        let plies = plies_of_history(moves.len() as u64);
        let most = budget.work() + LOOK_AHEAD_WORK;
        let mut goes_on = budget.part(u32::MAX, most, 4);
        for valued in &mut moves {
            let next = game.after(&valued.move_);
            valued.value = value_in_game(table, &next, &twice, plies, &mut goes_on)?.before();
        }
    }
    for valued in &mut moves {
        // A win beyond the limit of plies is a draw.
        if let TableValue::Win(plies) | TableValue::Loss(plies) = valued.value
            && game.plies_left().is_some_and(|left| plies > left)
        {
            valued.value = TableValue::Draw;
        }
    }
    let most = budget.work() + LOOK_AHEAD_WORK;
    table.rank(game, &mut moves, style, &mut budget.part(u32::MAX, most, 4))?;
    // Of drawing moves, one that ends the game comes last: any other leaves the opponent a chance to err.
    moves.sort_by_key(|valued| {
        let drawn = valued.value == TableValue::Draw;
        (Reverse(valued.value.class()), drawn && twice.contains(game.after(&valued.move_).position()))
    });
    Ok(moves)
}

/// The plies behind each root move that are searched for repetitions: at least one, more where that is little work.
fn plies_of_history(moves: u64) -> u32 {
    (2..=MOST_PLIES_OF_HISTORY)
        .take_while(|plies| moves.saturating_pow(plies + 1) <= LOOK_AHEAD_WORK)
        .last()
        .unwrap_or(1)
}

/// The value of the last position of a game, with this many plies searched for a third occurrence, which ends the game and which the table ignores.
fn value_in_game(
    table: &Table,
    game: &Game,
    twice: &HashSet<&Position>,
    plies: u32,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<TableValue, TableError> {
    if game.outcome().is_some() {
        return table.probe(game);
    }
    if twice.contains(game.position()) {
        let outcome = Outcome::Repetition(game.variant().rules().winner_by_repetition());
        return Ok(TableValue::of_outcome(outcome, game.side()));
    }
    if !goes_on() || plies == 0 {
        return table.probe(game);
    }
    let mut best = TableValue::Loss(0);
    for move_ in game.legal_moves() {
        best = best.max(value_in_game(table, &game.after(&move_), twice, plies - 1, goes_on)?.before());
    }
    Ok(best)
}

/// The score of a value; a win by repetition has no number of plies.
fn score(value: TableValue) -> Score {
    value.score().unwrap_or_else(|| match value.class() {
        1 => eval::Value::WIN_BY_REPETITION.into(),
        _ => (-eval::Value::WIN_BY_REPETITION).into(),
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
