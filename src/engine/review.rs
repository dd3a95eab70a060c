//! Review of a game: what every move was worth, and which of them decided it.
//!
//! Where table or proofs know all moves of a position, a move is judged by its exact value in the game, repetitions and
//! limits included. Every other position is searched once: what the search finds is the value of the best move before
//! it and, from the other side, of the move that led to it. The move that was played is never told better than the
//! best: the later search has looked a ply further.

use std::time::Duration;

use privy_protocol::{ErrorCode, ProtocolError, Score, Verdict};
use serde::Serialize;

use privy_rules::{Game, MovePath, Side};
use privy_search::{Limits, RootFacts, SearchInfo, SearchRequest, Stop, begin_alike};

use super::engine::Engine;

/// The time for a position that is searched, where no limit is given.
pub const TIME_PER_POSITION: Duration = Duration::from_millis(200);
/// The chances of winning from which a loss of so much is an inaccuracy, a mistake, a blunder.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.15;
const BLUNDER: f64 = 0.3;
/// The most moves that are said to have decided a game.
const TURNING_POINTS: usize = 5;

/// What a move was worth beside the best one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It has the value of the best move.
    Best,
    /// Exactly: it leads to the same result, but to a win later or to a loss sooner.
    Slower,
    /// It loses less than 0.05 of the chance of winning.
    Good,
    /// It loses less than 0.15.
    Inaccuracy,
    /// It loses less than 0.3.
    Mistake,
    /// It loses more; exactly: it throws a win or a draw away.
    Blunder,
}

/// What a review says of a move. Written as a line of JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MoveReview {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The side that made it.
    pub side: Side,
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// Its score for that side.
    pub score: Score,
    /// Its chance of winning, to four decimals; a draw counts as half.
    pub winrate: f64,
    /// The best move: this one, if it is as good as any.
    pub best: String,
    /// The score of the best move.
    pub best_score: Score,
    /// The chance of winning of the best move.
    pub best_winrate: f64,
    /// True if both values are proved.
    pub exact: bool,
    /// The judgement.
    pub judgement: Judgement,
    /// Exactly and with the same result: the plies by which a win comes later or a loss sooner.
    pub lost_plies: u32,
    /// True if the result is exact, the move keeps it, and none of the others does.
    pub only: bool,
    /// The line that begins with the best move.
    pub line: Vec<String>,
}

/// What a review says of a whole game. Written as a line of JSON.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameReview {
    /// The moves that decided it: blunders and mistakes by the chance that they lose, the worst first, five at most.
    pub turning_points: Vec<usize>,
    /// The mean of what the General's moves keep of the chance of winning, 1 if it has not moved.
    pub general_accuracy: f64,
    /// The same of the Rebels.
    pub rebels_accuracy: f64,
}

impl MoveReview {
    /// The chance of winning that the move loses.
    pub(crate) fn lost_chance(&self) -> f64 {
        rounded(self.best_winrate - self.winrate)
    }
}

impl GameReview {
    /// Sums up the judgements of the moves of a game.
    pub fn of(moves: &[MoveReview]) -> GameReview {
        let is_turning = |review: &&MoveReview| matches!(review.judgement, Judgement::Mistake | Judgement::Blunder);
        let mut turning: Vec<&MoveReview> = moves.iter().filter(is_turning).collect();
        turning.sort_by(|one, next| next.lost_chance().total_cmp(&one.lost_chance()));
        let accuracy = |side| {
            let lost: Vec<f64> = moves.iter().filter(|move_| move_.side == side).map(MoveReview::lost_chance).collect();
            rounded(1.0 - lost.iter().sum::<f64>() / lost.len().max(1) as f64)
        };
        GameReview {
            turning_points: turning.iter().take(TURNING_POINTS).map(|review| review.ply).collect(),
            general_accuracy: accuracy(Side::General),
            rebels_accuracy: accuracy(Side::Rebels),
        }
    }
}

/// A number to four decimals.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

/// The value of a move for the side that makes it, or of a position for the side to move.
#[derive(Debug, Clone)]
struct Valued {
    verdict: Verdict,
    chance: f64,
    is_exact: bool,
    line: Vec<MovePath>,
}

impl Valued {
    fn of(info: &SearchInfo, is_known: bool) -> Valued {
        let verdict = info.verdict;
        let is_exact = verdict.is_exact() || is_known && verdict.bound.is_none();
        Valued { verdict, chance: rounded(info.chance()), is_exact, line: info.pv.clone() }
    }

    /// The value of a game that is over.
    fn of_end(game: &Game) -> Option<Valued> {
        let score = match game.outcome()?.winner() {
            None => Score::Draw,
            Some(winner) if winner == game.side() => Score::Win(0),
            Some(_) => Score::Loss(0),
        };
        Some(Valued { verdict: score.into(), chance: score.winrate(), is_exact: true, line: Vec::new() })
    }

    /// The value of the move that led to this position.
    fn of_move(&self, move_: &MovePath) -> Valued {
        let line = std::iter::once(move_).chain(&self.line).cloned().collect();
        Valued { verdict: self.verdict.negated(), chance: rounded(1.0 - self.chance), is_exact: self.is_exact, line }
    }

    fn is_at_least(&self, other: &Valued) -> bool {
        let scores = self.verdict.score.cmp(&other.verdict.score);
        self.chance.total_cmp(&other.chance).then(scores).is_ge()
    }
}

/// A position of the game: the value of its best move, and the exact values of all, where they are known.
struct Weighed {
    best: Valued,
    facts: Option<RootFacts>,
}

impl Weighed {
    fn fact(&self, move_: &MovePath) -> Option<&SearchInfo> {
        self.facts.as_ref()?.of(std::slice::from_ref(move_))
    }

    /// Judges a move of this position; `next` is the value of the position after it.
    fn judge(&self, game: &Game, move_: &MovePath, next: &Valued) -> MoveReview {
        let mut best = self.best.clone();
        let mut played = next.of_move(move_);
        if let Some(fact) = self.fact(move_) {
            // It knows the history of the game.
            (played.verdict, played.chance, played.is_exact) =
                (fact.verdict, rounded(fact.verdict.score.winrate()), true);
        }
        if begin_alike(&best.line, &played.line) || played.is_at_least(&best) {
            if best.is_exact && !played.is_exact {
                played = Valued { line: played.line, ..best };
            }
            best = played.clone();
        }
        let is_exact = best.is_exact && played.is_exact;
        let is_best = best.line.first() == Some(move_);
        let lost = rounded(best.chance - played.chance);
        let (best_score, score) = (best.verdict.score, played.verdict.score);
        let keeps = is_exact && best_score.class() == score.class();
        let others = || game.legal_moves().into_iter().filter(|other| other != move_);
        let is_spoiled = |other| self.fact(&other).is_some_and(|fact| fact.verdict.score.class() != score.class());
        let distances = best_score.distance().zip(score.distance()).filter(|_| keeps);
        MoveReview {
            ply: 0,
            side: game.side(),
            text: game.move_text(move_),
            score,
            winrate: played.chance,
            best: best.line.first().map_or_else(String::new, |best| game.move_text(best)),
            best_score,
            best_winrate: best.chance,
            exact: is_exact,
            judgement: match lost {
                _ if is_best => Judgement::Best,
                _ if keeps => Judgement::Slower,
                _ if is_exact => Judgement::Blunder,
                ..INACCURACY => Judgement::Good,
                ..MISTAKE => Judgement::Inaccuracy,
                ..BLUNDER => Judgement::Mistake,
                _ => Judgement::Blunder,
            },
            lost_plies: distances.map_or(0, |(best, played)| best.abs_diff(played)),
            only: keeps && others().next().is_some() && others().all(is_spoiled),
            line: game.line_texts(&best.line),
        }
    }
}

impl Engine {
    /// Judges every move of the game, and reports each judgement as it comes. Positions that table and proofs do not
    /// know are searched within the limits, or [`TIME_PER_POSITION`]. Returns what is to be said of the moves that were
    /// judged before `stop`, in all.
    ///
    /// # Errors
    /// When no move has been played.
    pub fn review(
        &mut self,
        limits: &Limits,
        stop: &Stop,
        observer: &mut dyn FnMut(&MoveReview),
    ) -> Result<GameReview, ProtocolError> {
        self.check_played()?;
        let limits = limits.or(Limits::of_time(TIME_PER_POSITION));
        let mut first = self.game.beginning();
        first.set_move_limit(self.game.move_limit());
        let whole = std::mem::replace(&mut self.game, first);
        let mut judged = Vec::new();
        let mut before = self.weigh(&limits, stop);
        for (ply, move_) in (1..).zip(whole.moves()) {
            let game = self.game.clone();
            self.play_move(move_.clone());
            let after = self.weigh(&limits, stop);
            let (Some(position), Some(next)) = (&before, &after) else { break };
            let review = MoveReview { ply, ..position.judge(&game, move_, &next.best) };
            observer(&review);
            judged.push(review);
            before = after;
        }
        self.game = whole;
        Ok(GameReview::of(&judged))
    }

    /// Finds the errors of a request, for callers that must know them before the review begins.
    ///
    /// # Errors
    /// When no move has been played.
    pub(crate) fn check_played(&self) -> Result<(), ProtocolError> {
        let unplayed = || Err(ProtocolError::new(ErrorCode::CannotScore, "no move has been played"));
        if self.game.moves().len() == 0 { unplayed() } else { Ok(()) }
    }

    /// Returns the value of the position; `None` if it was stopped.
    fn weigh(&mut self, limits: &Limits, stop: &Stop) -> Option<Weighed> {
        if stop.is_set() {
            return None;
        }
        if let Some(best) = Valued::of_end(&self.game) {
            return Some(Weighed { best, facts: None });
        }
        let facts = self.facts(&SearchRequest::default().analysis(), stop);
        let is_exact = |move_| facts.of(&[move_]).is_some_and(|fact| fact.verdict.bound.is_none());
        if self.game.legal_moves().into_iter().all(is_exact) {
            let best = Valued::of(facts.known_lines().first()?, true);
            return Some(Weighed { best, facts: Some(facts) });
        }
        let found = self.go(&SearchRequest::from(limits).analysis(), stop, None).ok()?;
        // A search without time has a move alone.
        let info = found.lines.into_iter().next();
        let info = info.unwrap_or_else(|| SearchInfo { pv: vec![found.best], ..SearchInfo::default() });
        (!stop.is_set()).then(|| Weighed { best: Valued::of(&info, false), facts: None })
    }
}

#[cfg(test)]
mod tests {
    use privy_base::path_choice::PathChoice;

    use super::*;

    fn value(score: Score, line: &[&MovePath]) -> Valued {
        let pv = line.iter().map(|move_| (*move_).clone()).collect();
        Valued::of(&SearchInfo { verdict: score.into(), pv, ..SearchInfo::default() }, false)
    }

    fn opening() -> (Game, Vec<MovePath>) {
        let game = privy_rules::Variant::builtin("sixteen-rebels").unwrap().start();
        let moves = game.legal_moves();
        (game, moves)
    }

    /// The judgement of the second move, where the first is the best by a search before it; `next` is for the other
    /// side.
    fn judged(best: Score, next: Score) -> MoveReview {
        let (game, moves) = opening();
        Weighed { best: value(best, &[&moves[0]]), facts: None }.judge(&game, &moves[1], &value(next, &[]))
    }

    #[test]
    fn a_searched_move_is_judged_by_the_chance_that_it_loses() {
        let of_chance = |chance: f64| Score::of_log_odds((chance / (1.0 - chance)).ln());
        for (lost, expected) in [
            (0.04, Judgement::Good),
            (0.06, Judgement::Inaccuracy),
            (0.14, Judgement::Inaccuracy),
            (0.16, Judgement::Mistake),
            (0.29, Judgement::Mistake),
            (0.31, Judgement::Blunder),
        ] {
            let review = judged(of_chance(0.7), of_chance(0.3 + lost));
            assert_eq!(review.judgement, expected, "{review:?}");
            assert!((review.lost_chance() - lost).abs() < 0.002 && !review.exact && !review.only);
        }
    }

    #[test]
    fn a_move_that_turns_out_better_is_the_best() {
        let (game, moves) = opening();
        let review = judged(Score::Evaluation(42), Score::Evaluation(-61));
        let text = game.move_text(&moves[1]);
        assert_eq!((review.judgement, &review.best), (Judgement::Best, &text));
        assert_eq!((review.best_score, review.score), (Score::Evaluation(61), Score::Evaluation(61)));
        assert_eq!(review.line, [text]);
        // What is proved of the best move bounds all.
        let review = judged(Score::Loss(9), Score::Evaluation(150));
        assert_eq!(
            (review.judgement, review.score, review.best_score),
            (Judgement::Best, Score::Loss(9), Score::Loss(9))
        );
    }

    #[test]
    fn proved_scores_are_judged_by_their_result_and_length() {
        let slower = judged(Score::Win(5), Score::Loss(8));
        assert_eq!((slower.judgement, slower.score, slower.lost_plies), (Judgement::Slower, Score::Win(9), 4));
        assert!(slower.exact && !slower.only);
        let spoiled = judged(Score::Win(5), Score::Draw);
        assert_eq!((spoiled.judgement, spoiled.lost_chance(), spoiled.lost_plies), (Judgement::Blunder, 0.5, 0));
        let sooner = judged(Score::Loss(10), Score::Win(3));
        assert_eq!((sooner.judgement, sooner.lost_plies), (Judgement::Slower, 6));
        assert_eq!(judged(Score::Win(5), Score::Loss(4)).judgement, Judgement::Best);
    }

    #[test]
    fn turning_points_are_the_worst_moves_and_accuracy_is_what_is_kept() {
        let lost = |ply: usize, lost| {
            let review = judged(Score::Evaluation(0), Score::Evaluation(0));
            let judgement = if lost > 0.3 { Judgement::Blunder } else { Judgement::Mistake };
            MoveReview { ply, winrate: 0.5 - lost, best_winrate: 0.5, judgement, ..review }
        };
        let moves: Vec<MoveReview> =
            [(1, 0.2), (3, 0.4), (5, 0.16), (7, 0.4), (9, 0.25), (11, 0.3)].map(|(ply, by)| lost(ply, by)).into();
        let review = GameReview::of(&moves);
        assert_eq!(review.turning_points, [3, 7, 11, 9, 1]);
        let side = moves[0].side;
        let accuracies = [review.general_accuracy, review.rebels_accuracy];
        let kept = 1.0 - 1.71 / 6.0;
        assert_eq!(accuracies, [side, !side].map(|of| if of == Side::General { rounded(kept) } else { 1.0 }));
    }

    #[test]
    fn a_review_leaves_the_game_as_it_is_and_hears_a_stop() {
        let mut engine = Engine::new();
        let nodes = Limits { nodes: Some(300), ..Limits::default() };
        let review = |engine: &mut Engine, stop: &Stop, after: usize| {
            let mut told = Vec::new();
            let found = engine.review(&nodes, stop, &mut |review| {
                told.push(review.clone());
                if told.len() == after {
                    stop.set();
                }
            });
            found.map(|found| (told, found))
        };
        assert_eq!(review(&mut engine, &Stop::default(), 9).unwrap_err().code(), ErrorCode::CannotScore);
        engine.configure(|options| (options.tables, options.move_limit) = (PathChoice::Off, 40)).unwrap();
        for text in ["c3-b2", "a2-a3", "b2-c2", "a3-b3"] {
            engine.play(None, text).unwrap();
        }
        let before = engine.game().to_string();
        let (told, found) = review(&mut engine, &Stop::default(), 9).unwrap();
        assert_eq!(told.iter().map(|review| review.ply).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert_eq!(found, GameReview::of(&told));
        assert_eq!((engine.game().to_string(), engine.game().move_limit()), (before, Some(40)));
        assert_eq!(engine.game().moves().len(), 4);
        let (told, found) = review(&mut engine, &Stop::default(), 2).unwrap();
        assert_eq!((told.len(), found), (2, GameReview::of(&told)));
    }
}
