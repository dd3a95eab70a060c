//! A position in words: who wins and how certain that is, the plan, threats, forced moves, and the results of captures.

use std::time::Duration;

use privy_protocol::{Bound, ProtocolError, Score, Verdict};

use privy_base::message::plural;
use privy_rules::{Game, MovePath, Side};
use privy_search::eval::{Patterns, Terms, plies};
use privy_search::{Limits, RootFacts, SearchInfo, SearchRequest, Stop};
use privy_tables::TableError;

use super::catalogue::is_solvable;
use super::engine::Engine;

/// The time of the search where there is no table.
const SEARCH_TIME: Duration = Duration::from_millis(300);
/// The most captures to report.
const CAPTURES: usize = 6;
/// A plan is looked for within this many plies of best play.
const PLAN_PLIES: usize = 12;

impl Engine {
    /// Explains the position by the table, or by a short search that `stop` ends.
    ///
    /// # Errors
    /// When the game is over.
    pub fn explain(&mut self, stop: &Stop) -> Result<String, ProtocolError> {
        self.check_on()?;
        let mut lines = Vec::new();
        let facts = self.facts(&SearchRequest::default().analysis(), stop);
        let known = facts.known_lines().into_iter().next().filter(|_| facts.is_complete);
        let told = known.or_else(|| best_play(self, stop));
        let (mut by, mut on_board) = (None, Vec::new());
        match known_scores(self.game(), &facts) {
            Some(moves) => {
                from_table(self.game(), &moves, &mut lines);
                lines.extend(told.and_then(|info| plan(self.game(), &info.pv)));
            }
            None => {
                let proved_by = told.and_then(|info| from_search(self, &info, &mut lines));
                let unproved = || {
                    // For people, who may have neither a command line nor files.
                    let reason = match self.tables.find(self.variant()) {
                        Err(TableError::Missing { .. } | TableError::NoFolder | TableError::Unsolvable(..))
                            if !is_solvable(self.variant()) =>
                        {
                            "the game cannot be solved here".to_owned()
                        }
                        Err(TableError::Missing { .. } | TableError::NoFolder) => "the game is not solved".to_owned(),
                        Err(error) => error.to_string(),
                        Ok(_) => "no table covers it".to_owned(),
                    };
                    format!("This is a search of {} ms, not a proof: {reason}.", SEARCH_TIME.as_millis())
                };
                by = Some(proved_by.map_or_else(unproved, str::to_owned));
            }
        }
        on_the_board(self.game(), &mut on_board);
        // What names ids and paths has no names of pieces.
        let named = |lines: Vec<String>| lines.into_iter().map(|line| self.variant().heading.names.in_names(&line));
        Ok(named(lines).chain(by).chain(named(on_board)).collect::<Vec<_>>().join("\n"))
    }
}

/// A move with its text and its exact score.
type ScoredMove = (MovePath, String, Score);

/// All moves, best first, equal ones by text; `None` where not all scores are known exactly.
fn known_scores(game: &Game, facts: &RootFacts) -> Option<Vec<ScoredMove>> {
    let exact = |fact: &SearchInfo| fact.verdict.bound.is_none().then_some(fact.verdict.score);
    let known = game.legal_moves().into_iter().map(|move_| {
        let score = exact(facts.of(std::slice::from_ref(&move_))?)?;
        Some((move_.clone(), game.move_text(&move_), score))
    });
    let mut moves: Vec<ScoredMove> = known.collect::<Option<_>>()?;
    moves.sort_by(|one, next| next.2.cmp(&one.2).then_with(|| one.1.cmp(&next.1)));
    Some(moves)
}

fn name(side: Side) -> &'static str {
    match side {
        Side::General => "the General",
        Side::Rebels => "the Rebels",
    }
}

fn sentence(text: String) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect()) + "."
}

fn list(texts: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown = texts.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(" ");
    if texts.len() > SHOWN { format!("{shown} and {} more", texts.len() - SHOWN) } else { shown }
}

/// Describes the exact scores; `moves` are sorted, best first.
fn from_table(game: &Game, moves: &[ScoredMove], lines: &mut Vec<String>) {
    let (mover, s) = (name(game.side()), s(game.side()));
    let Some((.., best)) = moves.first() else { return };
    lines.push(sentence(match best {
        Score::Win(count) => format!("{mover} win{s} in {} against the longest resistance", plies(*count)),
        Score::Loss(count) => format!("{mover} lose{s} in {} at the latest", plies(*count)),
        Score::Draw | Score::Evaluation(_) => "neither side can force a win".to_owned(),
        Score::RepetitionWin | Score::UnprovedWin(_) => {
            format!("neither side can force an end, and {mover} win{s} when a position comes for the third time")
        }
        Score::RepetitionLoss | Score::UnprovedLoss(_) => {
            format!("{mover} can put off every end, and lose{s} when a position comes for the third time")
        }
    }));
    let texts = |keep: &dyn Fn(Score) -> bool| -> Vec<String> {
        moves.iter().filter(|(.., value)| keep(*value)).map(|(_, text, _)| text.clone()).collect()
    };
    let keeping = texts(&|value| value.class() == best.class());
    let longest = texts(&|value| value == *best);
    let spoiling = moves.len() - keeping.len();
    lines.push(sentence(match (best.class(), keeping.len(), spoiling) {
        (_, 1, 0) => format!("the only move is {}", keeping.concat()),
        (-1, all, _) if longest.len() == all => format!("all {all} moves lose, no move later than the others"),
        (-1, all, _) => {
            let puts = if longest.len() == 1 { "puts" } else { "put" };
            format!("all {all} moves lose; {} {puts} it off longest", list(&longest))
        }
        (_, all, 0) => format!("each of the {all} moves keeps that"),
        (class, 1, others) => {
            let others = if others == 1 { "the other move".to_owned() } else { format!("the other {others} moves") };
            let do_what = match (class, spoiling) {
                (0, 1) => "loses",
                (0, _) => "lose",
                (_, 1) => "gives it away",
                _ => "give it away",
            };
            format!("only {} keeps that; {others} {do_what}", keeping.concat())
        }
        (_, kept, _) => format!("{kept} of {} moves keep that: {}", moves.len(), list(&keeping)),
    }));
    if let (Score::Win(_), true) = (best, spoiling > 0) {
        let drawing = moves.iter().filter(|(.., value)| value.class() == 0).count();
        let counts = [(drawing, "draw"), (spoiling - drawing, "lose")].into_iter().filter(|(count, _)| *count > 0);
        let counted = counts.map(|(count, verb)| format!("{count} {verb}{}", if count == 1 { "s" } else { "" }));
        lines.push(format!("Of the others {}.", counted.collect::<Vec<_>>().join(" and ")));
    }
    let takes = |(move_, ..): &&ScoredMove| !move_.action().captured.is_empty();
    for (move_, text, value) in moves.iter().filter(takes).take(CAPTURES) {
        let result = match value {
            Score::Win(count) => format!("wins in {}", plies(*count)),
            Score::Loss(count) => format!("loses in {}", plies(*count)),
            Score::Draw | Score::Evaluation(_) => "draws".to_owned(),
            Score::RepetitionWin | Score::UnprovedWin(_) => "wins by repetition".to_owned(),
            Score::RepetitionLoss | Score::UnprovedLoss(_) => "loses by repetition".to_owned(),
        };
        lines.push(format!("{text} takes {} and {result}.", game.board().names(move_.action().captured)));
    }
}

fn s(side: Side) -> &'static str {
    if side == Side::General { "s" } else { "" }
}

/// Describes the result of a short search or of a proof of the opening. Returns the sentence that names a proof of it,
/// if any.
fn from_search(engine: &Engine, info: &SearchInfo, lines: &mut Vec<String>) -> Option<&'static str> {
    let side = engine.game().side();
    let (mover, Verdict { score, bound }) = (name(side), info.verdict);
    let within = if bound.is_some() { "within" } else { "in" };
    lines.push(sentence(match (score, bound) {
        (Score::Win(count), _) => format!("{mover} win{} {within} {}", s(side), plies(count)),
        (Score::Loss(count), _) => format!("{mover} lose{} {within} {}", s(side), plies(count)),
        (Score::Draw, Some(Bound::Lower)) => does_not_lose(side),
        (Score::Draw, Some(Bound::Upper)) => does_not_lose(!side),
        (Score::Draw, None) => "neither side can force a win".to_owned(),
        (Score::Evaluation(_), _) => {
            let percent = 100.0 * info.chance();
            format!("{mover} stand{} at {score}, a chance of {percent:.0} %, {} deep", s(side), plies(info.depth))
        }
        (Score::UnprovedWin(_) | Score::UnprovedLoss(_) | Score::RepetitionWin | Score::RepetitionLoss, _) => {
            let winner = if score > Score::Draw { side } else { !side };
            let length = match score {
                Score::UnprovedWin(count) | Score::UnprovedLoss(count) => format!(" in about {}", plies(count)),
                _ => String::new(),
            };
            let (who, deep) = (name(winner), plies(info.depth));
            format!("{who} seem{} to win{length}, {deep} deep, which is not proved", s(winner))
        }
    }));
    let line = engine.game().line_texts(&info.pv);
    lines.push(format!("Best play: {}.", list(&line)));
    lines.extend(plan(engine.game(), &info.pv));
    match (score.distance(), bound) {
        (Some(_), Some(_)) => Some("A proof of the opening says so; it may take less."),
        (Some(_), None) => Some("A short search has proved it."),
        (None, _) => None,
    }
}

fn best_play(engine: &mut Engine, stop: &Stop) -> Option<SearchInfo> {
    let mut last = None;
    let request = SearchRequest::from(Limits::of_time(SEARCH_TIME)).analysis();
    engine.go(&request, stop, Some(&mut |info| last = Some(info.clone()))).ok()?;
    last
}

/// The plan in a line of best play: the step of a Rebel that takes the most points from the reach of the General, and
/// the General's first capture.
fn plan(game: &Game, line: &[MovePath]) -> Option<String> {
    let (board, rules) = (game.board(), game.variant().rules());
    let patterns = Patterns::of(board, rules);
    let freedom = |game: &Game| {
        let [.., freedom] = Terms::of(rules, &patterns, game.position()).tables;
        freedom
    };
    // Each with the number of its move.
    let (mut closing, mut taking) = (None, None);
    let mut most = 0;
    let mut next = game.clone();
    for (number, move_) in line.iter().take(PLAN_PLIES).enumerate() {
        let when = if number == 0 { "next".to_owned() } else { format!("in {}", plies(number as u32 + 1)) };
        let (side, text, action, before) = (next.side(), next.move_text(move_), move_.action(), freedom(&next));
        next.play(move_.clone());
        let after = freedom(&next);
        // A step takes points from the reach of the General only if it ends on one of them.
        if side == Side::Rebels && before > after + most {
            most = before - after;
            let closes = format!("{text} closes {} {when}", board.name(action.to));
            let points = plural(after.into(), "point");
            closing = Some((number, format!("{closes}: the General can reach {after} {points} then, {before} before")));
        }
        if !action.captured.is_empty() && taking.is_none() {
            taking = Some((number, format!("{text} takes {} {when}", board.names(action.captured))));
        }
    }
    let mut parts: Vec<(usize, String)> = closing.into_iter().chain(taking).collect();
    parts.sort_unstable();
    let parts: Vec<String> = parts.into_iter().map(|(_, part)| part).collect();
    (!parts.is_empty()).then(|| format!("The plan: {}.", parts.join("; ")))
}

fn does_not_lose(side: Side) -> String {
    format!("{} do{} not lose", name(side), if side == Side::General { "es" } else { "" })
}

fn on_the_board(game: &Game, lines: &mut Vec<String>) {
    let position = game.position();
    let board = game.board();
    let free = board.neighbours(position.general()).minus(position.occupied());
    lines.push(match free.len() {
        _ if !board.has(position.general()) => "The General is in hand.".to_owned(),
        0 => format!("The General on {} has no empty point beside it.", board.name(position.general())),
        _ => format!("The General on {} can step to {}.", board.name(position.general()), board.names(free)),
    });
    if position.side() == Side::Rebels {
        let threatened = game.threatened();
        if !threatened.is_empty() {
            lines.push(format!("It threatens to take {}.", board.names(threatened)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plan of a line of moves.
    fn plan_of(text: &str, line: &[&str]) -> Option<String> {
        let game = Game::from_text(text, None).unwrap();
        let mut end = game.clone();
        for text in line {
            let move_ = end.parse_move(None, text).unwrap();
            end.play(move_);
        }
        let line: Vec<MovePath> = end.moves().cloned().collect();
        plan(&game, &line)
    }

    #[test]
    fn a_plan_tells_what_is_closed_and_what_is_taken_in_their_order() {
        let ring = "1/3/2rr1/1r2r/1rG1r/1r2r/2rr1 r";
        let told = plan_of(ring, &["e3-d2", "c3-c2"]).unwrap();
        let closes = "e3-d2 closes d2 next: the General can reach 6 points then, 7 before";
        assert_eq!(told, format!("The plan: {closes}; c3-c2 takes b2 d2 in 2 plies."));
        let whole = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g";
        assert_eq!(plan_of(whole, &["c3-d4"]).unwrap(), "The plan: c3-d4 takes e3 c5 next.");
    }

    #[test]
    fn where_nothing_is_closed_or_taken_there_is_no_plan() {
        let open = "1/3/rrrrr/r3r/2G2/r3r/rrrrr g";
        assert_eq!(plan_of(open, &["c3-b3"]), None);
        assert_eq!(plan_of(open, &[]), None);
    }
}
