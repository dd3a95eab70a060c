//! One game between two engines: every move is checked, every second counted, and a game may be adjudicated before the
//! rules end it.

use std::sync::Arc;

use privy_protocol::Score;

use privy_base::message::sanitized;
use privy_records::{GameResult, RecordedMove};
use privy_rules::{Game, MoveError, Outcome, Side};
use privy_tables::Table;

use super::fault::{EngineFault, FaultKind};
use super::player::{ChosenMove, EnginePlayer, Scoresheet};
use super::session::SessionError;
use super::settings::{Adjudication, Agreement};
use super::statistics::{BySide, GameReport, Perfect};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GameEnd {
    Rules(Outcome),
    /// The result, and the reason in words.
    Adjudicated(GameResult, String),
    Fault(Side, EngineFault),
}

impl GameEnd {
    pub(super) fn result(&self) -> GameResult {
        match self {
            GameEnd::Rules(outcome) => GameResult::from(*outcome),
            GameEnd::Adjudicated(result, _) => *result,
            GameEnd::Fault(side, _) => GameResult::won_by(!*side),
        }
    }

    /// The reason, without the winner.
    pub(super) fn reason(&self) -> String {
        match self {
            GameEnd::Rules(outcome) => outcome.reason().to_owned(),
            GameEnd::Adjudicated(_, reason) => reason.clone(),
            GameEnd::Fault(_, fault) => fault.to_string(),
        }
    }
}

#[derive(Debug)]
pub(super) struct RefereedGame {
    pub(super) sheet: Scoresheet,
    /// All moves, those of the opening first.
    pub(super) moves: Vec<RecordedMove>,
    pub(super) end: GameEnd,
    /// Faults that do not affect the result.
    pub(super) remarks: Vec<(Side, EngineFault)>,
}

impl RefereedGame {
    pub(super) fn new(sheet: Scoresheet) -> RefereedGame {
        let game = sheet.game();
        let moves = game.moves().map(|move_| RecordedMove::new(game, move_)).collect();
        RefereedGame {
            sheet,
            moves,
            end: GameEnd::Adjudicated(GameResult::Unfinished, String::new()),
            remarks: Vec::new(),
        }
    }

    /// Plays the game to its end. The only error is [`SessionError::Interrupted`].
    pub(super) fn play(
        &mut self,
        mut adjudicator: Adjudicator,
        players: &mut BySide<EnginePlayer>,
    ) -> Result<(), SessionError> {
        self.end = loop {
            let game = self.sheet.game();
            if let Some(outcome) = game.outcome() {
                break self.confirm(outcome, players)?;
            }
            if let Some((result, reason)) = adjudicator.decide(game) {
                break GameEnd::Adjudicated(result, reason);
            }
            let side = game.side();
            match self.turn(side, players.of_mut(side), &mut adjudicator) {
                Ok(()) => {}
                Err(SessionError::Fault(fault)) => break GameEnd::Fault(side, fault),
                Err(other) => return Err(other),
            }
        };
        Ok(())
    }

    /// Plays the moves of a record after the opening, and ends as its report says, where that can have been.
    ///
    /// # Errors
    /// A move that is illegal or comes after the end, or an end that the rules, the scores or the table do not give.
    pub(super) fn replay(
        &mut self,
        mut adjudicator: Adjudicator,
        moves: &[RecordedMove],
        report: &GameReport,
    ) -> Result<(), String> {
        for recorded in moves {
            let game = self.sheet.game();
            let ply = self.moves.len() + 1;
            if let Some((_, reason)) = adjudicator.decide(game) {
                return Err(format!("ply {ply}: expected the end, {reason}"));
            }
            let move_ = game.find_move(&recorded.text);
            let move_ = move_.map_err(|error| format!("ply {ply}: {}: {error}", recorded.text))?;
            adjudicator.note(game.side(), recorded.score);
            self.moves.push(RecordedMove { text: RecordedMove::new(game, &move_).text, ..recorded.clone() });
            self.sheet.play(move_);
        }
        let game = self.sheet.game();
        let adjudicated = || adjudicator.decide(game).or_else(|| told_by_table(&adjudicator, game, &report.reason));
        self.end = match (report.fault, game.outcome()) {
            (Some(kind), outcome) => {
                let wrong = || format!("fault: {kind} cannot have ended this game so");
                let loser = !report.winner.ok_or_else(wrong)?;
                // Before its first move an engine may fail out of its turn, and after the end only by a wrong status.
                let is_possible = match outcome {
                    Some(_) => kind == FaultKind::WrongStatus,
                    None => moves.is_empty() || loser == game.side() && adjudicator.decide(game).is_none(),
                };
                let detail = report.reason.strip_prefix(&kind.to_string()).filter(|_| is_possible).ok_or_else(wrong)?;
                let detail = if detail.is_empty() { detail } else { detail.strip_prefix(": ").ok_or_else(wrong)? };
                GameEnd::Fault(loser, EngineFault::new(kind, detail))
            }
            (None, Some(outcome)) => GameEnd::Rules(outcome),
            (None, None) => {
                let (result, reason) = adjudicated()
                    .ok_or_else(|| format!("expected more plies than {}: the game continues", self.moves.len()))?;
                GameEnd::Adjudicated(result, reason)
            }
        };
        Ok(())
    }

    fn turn(
        &mut self,
        side: Side,
        player: &mut EnginePlayer,
        adjudicator: &mut Adjudicator,
    ) -> Result<(), SessionError> {
        let answer = player.choose_move(&self.sheet)?;
        let game = self.sheet.game();
        let move_ = game.parse_move(None, &answer.text).map_err(|error| wrong_move(&answer, &error))?;
        let info = answer.info.as_ref();
        // A draw score with a bound says only that one side does not lose.
        let exact = info.filter(|info| info.verdict.score != Score::Draw || info.verdict.bound.is_none());
        let score = exact.map(|info| info.verdict.score);
        self.moves.push(RecordedMove {
            score,
            depth: info.map(|info| info.depth),
            time_ms: u64::try_from(answer.elapsed.as_millis()).ok(),
            nodes: info.map(|info| info.nodes),
            ..RecordedMove::new(game, &move_)
        });
        adjudicator.note(side, score);
        self.sheet.play(move_);
        Ok(())
    }

    /// The rules have ended the game: asks both players for its status, the one who moved last first. A wrong status
    /// loses; any other fault is now too late to matter.
    fn confirm(&mut self, outcome: Outcome, players: &mut BySide<EnginePlayer>) -> Result<GameEnd, SessionError> {
        let last = !self.sheet.game().side();
        let mut end = GameEnd::Rules(outcome);
        for side in [last, !last] {
            match players.of_mut(side).synchronize(&self.sheet) {
                Ok(()) => {}
                Err(SessionError::Fault(fault))
                    if fault.kind == FaultKind::WrongStatus && end == GameEnd::Rules(outcome) =>
                {
                    end = GameEnd::Fault(side, fault);
                }
                Err(SessionError::Fault(fault)) => self.remarks.push((side, fault)),
                Err(other) => return Err(other),
            }
        }
        Ok(end)
    }

    /// True if the engine of a side cannot play another game.
    pub(super) fn is_unusable(&self, side: Side) -> bool {
        let fatal = |fault: &EngineFault| !fault.kind.leaves_engine_usable();
        self.remarks.iter().any(|(other, fault)| *other == side && fatal(fault))
            || matches!(&self.end, GameEnd::Fault(other, fault) if *other == side && fatal(fault))
    }
}

/// The result that a referee with a table has told, where there is none now.
fn told_by_table(adjudicator: &Adjudicator, game: &Game, reason: &str) -> Option<(GameResult, String)> {
    let asked =
        adjudicator.table.is_none() && adjudicator.rules.table_from.is_some_and(|from| adjudicator.plies >= from);
    let side = game.side();
    let value = reason.strip_prefix(BY_TABLE)?.strip_suffix(&format!(" for the {side} to move")).filter(|_| asked)?;
    let result = match value.split(' ').next()? {
        "win" => GameResult::won_by(side),
        "loss" => GameResult::won_by(!side),
        "draw" => GameResult::Draw,
        _ => return None,
    };
    Some((result, reason.to_owned()))
}

/// The beginning of the reason of a result by the table.
const BY_TABLE: &str = "adjudicated by table: ";

fn wrong_move(answer: &ChosenMove, error: &MoveError) -> EngineFault {
    let kind = match error {
        MoveError::NotAMove(_) => FaultKind::UnreadableAnswer,
        _ => FaultKind::IllegalMove,
    };
    let text = sanitized(&answer.text, 60);
    EngineFault::new(kind, format!("{text}: {error}"))
}

#[derive(Debug)]
pub(super) struct Adjudicator {
    rules: Adjudication,
    table: Option<Arc<Table>>,
    /// The winner by the latest scores, and the number of successive scores that say so.
    winning: (Option<Side>, u32),
    /// The number of successive scores that call the game even.
    even: u32,
    plies: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication, table: Option<Arc<Table>>) -> Adjudicator {
        Adjudicator { rules, table, winning: (None, 0), even: 0, plies: 0 }
    }

    /// Counts a move with the score of its player.
    pub(super) fn note(&mut self, mover: Side, score: Option<Score>) {
        self.plies += 1;
        let winner = score.zip(self.rules.win).and_then(|(score, win)| winner(score, mover, win.score));
        self.winning = match self.winning {
            (side, plies) if side == winner => (winner, plies + 1),
            _ => (winner, 1),
        };
        let even = score.zip(self.rules.draw).is_some_and(|(score, draw)| is_even(score, draw.score));
        self.even = if even { self.even + 1 } else { 0 };
    }

    /// The result and the reason, if the position after the moves noted so far ends the game.
    pub(super) fn decide(&self, game: &Game) -> Option<(GameResult, String)> {
        let result = |winner: Option<Side>| winner.map_or(GameResult::Draw, GameResult::won_by);
        if self.rules.table_from.is_some_and(|from| self.plies >= from)
            && let Some(Ok(value)) = self.table.as_ref().map(|table| table.probe(game))
        {
            let side = game.side();
            let reason = format!("{BY_TABLE}{value} for the {side} to move");
            return Some((result(Perfect::new(value, side).winner()), reason));
        }
        let holds = |agreement: Agreement, plies| plies >= agreement.plies && self.plies >= agreement.from;
        let (winner, plies) = self.winning;
        let is_won = winner.is_some() && self.rules.win.is_some_and(|win| holds(win, plies));
        let is_drawn = self.rules.draw.is_some_and(|draw| holds(draw, self.even));
        let agreed = if is_won { winner } else { None };
        (is_won || is_drawn).then(|| (result(agreed), "adjudicated by score: both engines agree".to_owned()))
    }
}

fn winner(score: Score, mover: Side, least: u32) -> Option<Side> {
    match score {
        Score::Win(_) => Some(mover),
        Score::Loss(_) => Some(!mover),
        evaluation => {
            let clear = evaluation.hundredths().filter(|size| size.unsigned_abs() >= least && *size != 0)?;
            Some(if clear > 0 { mover } else { !mover })
        }
    }
}

fn is_even(score: Score, most: u32) -> bool {
    score.hundredths().is_some_and(|hundredths| hundredths.unsigned_abs() <= most)
}

#[cfg(test)]
mod tests {
    use privy_rules::{DEFAULT_VARIANT, Variant};

    use super::*;

    fn decide(rules: Adjudication, scores: &[Score]) -> Option<GameResult> {
        let game = Variant::builtin(DEFAULT_VARIANT).unwrap().start();
        let mut adjudicator = Adjudicator::new(rules, None);
        let mut side = Side::General;
        for score in scores {
            assert_eq!(adjudicator.decide(&game), None);
            adjudicator.note(side, Some(*score));
            side = !side;
        }
        adjudicator.decide(&game).map(|(result, _)| result)
    }

    #[test]
    fn a_win_needs_both_engines() {
        use Score::{Evaluation, Loss, Win};
        let rules = Adjudication { win: Some("score=5,plies=3".parse().unwrap()), ..Adjudication::default() };
        assert_eq!(decide(rules, &[Evaluation(500), Evaluation(-501), Win(9)]), Some(GameResult::General));
        assert_eq!(decide(rules, &[Evaluation(-500), Win(4), Loss(3)]), Some(GameResult::Rebels));
        assert_eq!(decide(rules, &[Evaluation(500), Evaluation(501), Evaluation(900)]), None);
        assert_eq!(decide(rules, &[Evaluation(500), Evaluation(-499), Evaluation(500), Evaluation(-500)]), None);
    }

    #[test]
    fn a_draw_needs_small_scores_and_its_ply() {
        use Score::{Draw, Evaluation};
        let rules =
            Adjudication { draw: Some("score=0.10,plies=2,from=4".parse().unwrap()), ..Adjudication::default() };
        assert_eq!(decide(rules, &[Draw, Evaluation(10)]), None);
        assert_eq!(decide(rules, &[Evaluation(99), Draw, Evaluation(10), Evaluation(-10)]), Some(GameResult::Draw));
        assert_eq!(decide(rules, &[Draw, Draw, Draw, Evaluation(11)]), None);
    }
}
