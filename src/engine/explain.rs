//! A position in words: who is winning and how surely, what the plan is, what is threatened, which moves are forced, what captures cost.

use std::time::Duration;

use privy_protocol::{Bound, Score};

use crate::eval::{self, Patterns, Terms, plies};
use crate::message::plural;
use crate::rules::family::Every;
use crate::rules::{Game, MovePath, Side};
use crate::search::{Limits, SearchInfo, Stop};
use crate::tablebase::Value;

use super::engine::Engine;
use super::error::EngineError;

/// How long the search takes that stands in for a table.
const SEARCH_TIME: Duration = Duration::from_millis(300);

/// How many captures are told of.
const CAPTURES: usize = 6;

/// Within so many plies of best play a plan is looked for.
const PLAN_PLIES: usize = 12;

impl Engine {
    /// What the table knows of the position, or a short search thinks of it, in words; `stop` ends that search.
    ///
    /// # Errors
    /// When the game is over.
    pub fn explain(&mut self, stop: &Stop) -> Result<String, EngineError> {
        self.check_on()?;
        let mut lines = Vec::new();
        match self.probe_moves() {
            Ok(moves) => {
                from_table(self.game(), &moves, &mut lines);
                // By the table: at once.
                lines.extend(best_play(self, stop).and_then(|info| plan(self.game(), &info.line)));
            }
            Err(error) => {
                let how = from_search(self, stop, &mut lines);
                lines.push(match how {
                    Certainty::Proof => "A proof of the opening says so; it may take less.".to_owned(),
                    Certainty::Bound => {
                        "A proof of the opening says so; whether there is more is not proved.".to_owned()
                    }
                    Certainty::Draw => "Proofs of the opening, one for each side, say so.".to_owned(),
                    Certainty::Search => "A short search has proved it.".to_owned(),
                    Certainty::None => {
                        format!("This is a search of {} ms, not a proof: {error}.", SEARCH_TIME.as_millis())
                    }
                });
            }
        }
        on_the_board(self.game(), &mut lines);
        Ok(lines.join("\n"))
    }
}

/// How sure a statement is.
enum Certainty {
    /// By the proof of the opening: a bound of the length.
    Proof,
    /// By a proof for one side: it does not lose.
    Bound,
    /// By proofs for both sides: a draw.
    Draw,
    /// By a search: exact.
    Search,
    /// An evaluation.
    None,
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

/// What perfect play makes of the position; `moves` are sorted, best first.
fn from_table(game: &Game, moves: &[(String, Value)], lines: &mut Vec<String>) {
    let mover = name(game.side());
    let Some((_, best)) = moves.first() else { return };
    lines.push(sentence(match best {
        Value::Win(count) => {
            format!("{mover} win{} in {} against the longest resistance", s(game.side()), plies(*count))
        }
        Value::Loss(count) => format!("{mover} lose{} in {} at the latest", s(game.side()), plies(*count)),
        Value::Draw => "neither side can force a win".to_owned(),
        Value::WinByRepetition => {
            format!(
                "nobody can force an end, and {mover} win{} when a position comes for the third time",
                s(game.side())
            )
        }
        Value::LossByRepetition => {
            format!(
                "{mover} can put off every end, and lose{} when a position comes for the third time",
                s(game.side())
            )
        }
    }));
    let texts = |keep: &dyn Fn(Value) -> bool| -> Vec<String> {
        moves.iter().filter(|(_, value)| keep(*value)).map(|(text, _)| text.clone()).collect()
    };
    let keeping = texts(&|value| value.class() == best.class());
    let longest = texts(&|value| value == *best);
    let spoiling = moves.len() - keeping.len();
    lines.push(sentence(match (best.class(), keeping.len(), spoiling) {
        (_, 1, 0) => format!("the only move is {}", keeping.concat()),
        (-1, all, _) if longest.len() == all => format!("all {all} moves lose, none of them later than the others"),
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
    if let (Value::Win(_), true) = (best, spoiling > 0) {
        let drawing = moves.iter().filter(|(_, value)| value.class() == 0).count();
        let counted = |count: usize, verb: &str| format!("{count} {verb}{}", if count == 1 { "s" } else { "" });
        lines.push(sentence(match (drawing, spoiling - drawing) {
            (drawing, 0) => format!("of the others {}", counted(drawing, "draw")),
            (0, losing) => format!("of the others {}", counted(losing, "lose")),
            (drawing, losing) => format!("of the others {} and {}", counted(drawing, "draw"), counted(losing, "lose")),
        }));
    }
    let legal = game.legal_moves();
    let captured = |text: &str| {
        let move_ = legal.iter().find(|move_| game.move_text(move_) == text)?;
        Some(move_.action().captured).filter(|captured| !captured.is_empty())
    };
    let captures = moves.iter().filter_map(|(text, value)| Some((text, value, captured(text)?)));
    for (text, value, taken) in captures.take(CAPTURES) {
        let result = match value {
            Value::Win(count) => format!("wins in {}", plies(*count)),
            Value::Loss(count) => format!("loses in {}", plies(*count)),
            Value::Draw => "draws".to_owned(),
            Value::WinByRepetition => "wins by repetition".to_owned(),
            Value::LossByRepetition => "loses by repetition".to_owned(),
        };
        lines.push(format!("{text} takes {} and {result}.", game.board().names(taken)));
    }
}

fn s(side: Side) -> &'static str {
    if side == Side::General { "s" } else { "" }
}

/// What a short search, or the proof of the opening, says of the position.
fn from_search(engine: &mut Engine, stop: &Stop, lines: &mut Vec<String>) -> Certainty {
    let Some(info) = best_play(engine, stop) else { return Certainty::None };
    let side = engine.game().side();
    let (mover, score) = (name(side), info.score);
    let within = if info.bound.is_some() { "within" } else { "in" };
    lines.push(sentence(match score.distance() {
        Some(count) if score.is_win() => format!("{mover} win{} {within} {}", s(side), plies(count)),
        Some(count) => format!("{mover} lose{} {within} {}", s(side), plies(count)),
        None if score == Score::Draw => match info.bound {
            Some(Bound::Lower) => does_not_lose(side),
            Some(Bound::Upper) => does_not_lose(!side),
            None => "neither side can force a win".to_owned(),
        },
        None => match unsure_winner(score, side) {
            Some(winner) => {
                let seems = format!("{} seem{} to win, {} deep", name(winner), s(winner), plies(info.depth));
                format!("{seems}; how long it takes is not sure")
            }
            None => format!("{mover} stand{} at {score} Rebels, {} deep", s(side), plies(info.depth)),
        },
    }));
    let line = engine.game().line_texts(&info.line);
    lines.push(format!("Best play: {}.", list(&line)));
    lines.extend(plan(engine.game(), &info.line));
    match score.distance() {
        Some(_) if info.bound.is_some() => Certainty::Proof,
        Some(_) => Certainty::Search,
        None if score != Score::Draw => Certainty::None,
        None if info.bound.is_some() => Certainty::Bound,
        None => Certainty::Draw,
    }
}

/// Who wins by a score that stands for a win whose length is not sure.
fn unsure_winner(score: Score, mover: Side) -> Option<Side> {
    match score {
        Score::Evaluation(hundredths) if eval::Value::is_unsure_length(hundredths) => {
            Some(if hundredths > 0 { mover } else { !mover })
        }
        _ => None,
    }
}

/// The last report of a short search.
fn best_play(engine: &mut Engine, stop: &Stop) -> Option<SearchInfo> {
    let limits = Limits { time: Some(SEARCH_TIME), multi_pv: 1, ..Limits::default() };
    let mut last = None;
    engine.search(&limits, stop, &mut |info| last = Some(info.clone()));
    last
}

/// What a line of best play is about: the step of a Rebel that takes most points from the General's reach, and his first capture.
fn plan(game: &Game, line: &[MovePath]) -> Option<String> {
    let (board, rules) = (game.board(), game.variant().rules());
    let patterns = Patterns::of(board, rules);
    let freedom = |game: &Game| Terms::of::<Every>(rules, &patterns, game.position()).freedom;
    // Each with the number of its move; how many points the closing takes.
    let (mut closing, mut taking) = (None, None);
    let mut most = 0;
    let mut next = game.clone();
    for (number, move_) in line.iter().take(PLAN_PLIES).enumerate() {
        let when = if number == 0 { "next".to_owned() } else { format!("in {}", plies(number as u32 + 1)) };
        let (side, text, action, before) = (next.side(), next.move_text(move_), move_.action(), freedom(&next));
        next.play(move_.clone());
        let after = freedom(&next);
        // A step can only take points from his reach when it ends on one of them.
        if side == Side::Rebels && before > after + most {
            most = before - after;
            let closes = format!("{text} closes {} {when}", board.name(action.to));
            closing = Some((
                number,
                format!(
                    "{closes}: the General can reach {after} {} then, {before} before",
                    plural(after.into(), "point")
                ),
            ));
        }
        if !action.captured.is_empty() && taking.is_none() {
            taking = Some((number, format!("{text} takes {} {when}", board.names(action.captured))));
        }
    }
    let mut told: Vec<(usize, String)> = closing.into_iter().chain(taking).collect();
    told.sort_unstable();
    let told: Vec<String> = told.into_iter().map(|(_, told)| told).collect();
    (!told.is_empty()).then(|| format!("The plan: {}.", told.join("; ")))
}

fn does_not_lose(side: Side) -> String {
    format!("{} do{} not lose", name(side), if side == Side::General { "es" } else { "" })
}

/// What can be seen without looking ahead.
fn on_the_board(game: &Game, lines: &mut Vec<String>) {
    let position = game.position();
    let board = game.board();
    let free = board.neighbours(position.general()).minus(position.occupied());
    lines.push(match free.len() {
        0 => format!("The General on {} has no empty point beside him.", board.name(position.general())),
        _ => format!("The General on {} can step to {}.", board.name(position.general()), board.names(free)),
    });
    if position.side() == Side::Rebels {
        let threatened = game.threatened();
        if !threatened.is_empty() {
            lines.push(format!("He threatens to take {}.", board.names(threatened)));
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
    fn a_win_of_unknown_length_is_no_number_of_rebels() {
        let winner = |value: eval::Value| unsure_winner(Score::Evaluation(value.raw().into()), Side::Rebels);
        let win = eval::Value::win_in(30).as_evaluation(30);
        assert_eq!([win, -win].map(winner), [Some(Side::Rebels), Some(Side::General)]);
        assert_eq!(winner(eval::Value::evaluation(1_000)), None);
    }

    #[test]
    fn where_nothing_is_closed_or_taken_there_is_no_plan() {
        let open = "1/3/rrrrr/r3r/2G2/r3r/rrrrr g";
        assert_eq!(plan_of(open, &["c3-b3"]), None);
        assert_eq!(plan_of(open, &[]), None);
    }
}
