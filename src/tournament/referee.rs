//! One game between two engines: every move is checked, and every second counted.

use privy_protocol::Score;

use crate::record::{GameResult, RecordedMove};
use crate::rules::{MoveError, Outcome, Side};

use super::adjudication::Adjudicator;
use super::fault::{Fault, FaultKind};
use super::player::{Answer, Player, Scoresheet};
use super::session::SessionError;
use super::statistics::BySide;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    Rules(Outcome),
    /// The result, and the reason in words.
    Adjudicated(GameResult, String),
    Fault(Side, Fault),
}

impl End {
    pub(super) fn result(&self) -> GameResult {
        match self {
            End::Rules(outcome) => GameResult::from(*outcome),
            End::Adjudicated(result, _) => *result,
            End::Fault(side, _) => GameResult::won_by(!*side),
        }
    }

    /// The reason, without the winner.
    pub(super) fn reason(&self) -> String {
        match self {
            End::Rules(outcome) => outcome.reason().to_owned(),
            End::Adjudicated(_, reason) => reason.clone(),
            End::Fault(_, fault) => fault.to_string(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Played {
    pub(super) sheet: Scoresheet,
    /// All moves, those of the opening first.
    pub(super) moves: Vec<RecordedMove>,
    pub(super) end: End,
    /// Faults that do not affect the result.
    pub(super) remarks: Vec<(Side, Fault)>,
}

impl Played {
    pub(super) fn new(sheet: Scoresheet) -> Played {
        let game = sheet.game();
        let moves = game.moves().map(|move_| RecordedMove::new(game, move_)).collect();
        Played { sheet, moves, end: End::Adjudicated(GameResult::Unfinished, String::new()), remarks: Vec::new() }
    }

    /// Plays the game to its end. The only error is [`SessionError::Interrupted`].
    pub(super) fn play(
        &mut self,
        mut adjudicator: Adjudicator,
        players: &mut BySide<Player>,
    ) -> Result<(), SessionError> {
        self.end = loop {
            let game = self.sheet.game();
            if let Some(outcome) = game.outcome() {
                break self.confirm(outcome, players)?;
            }
            if let Some((result, reason)) = adjudicator.decide(game) {
                break End::Adjudicated(result, reason);
            }
            let side = game.side();
            match self.turn(side, players.of_mut(side), &mut adjudicator) {
                Ok(()) => {}
                Err(SessionError::Fault(fault)) => break End::Fault(side, fault),
                Err(other) => return Err(other),
            }
        };
        Ok(())
    }

    fn turn(&mut self, side: Side, player: &mut Player, adjudicator: &mut Adjudicator) -> Result<(), SessionError> {
        let answer = player.choose_move(&self.sheet)?;
        let game = self.sheet.game();
        let move_ = game.parse_move(None, &answer.text).map_err(|error| wrong_move(&answer, &error))?;
        let info = answer.info.as_ref();
        // A draw score with a bound says only that one side does not lose.
        let exact = info.filter(|info| info.score != Score::Draw || info.bound.is_none());
        let score = exact.map(|info| info.score);
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

    /// The rules have ended the game: asks both players for its status, the one who moved last first. A wrong status loses;
    /// any other fault is now too late to matter.
    fn confirm(&mut self, outcome: Outcome, players: &mut BySide<Player>) -> Result<End, SessionError> {
        let last = !self.sheet.game().side();
        let mut end = End::Rules(outcome);
        for side in [last, !last] {
            match players.of_mut(side).synchronize(&self.sheet) {
                Ok(()) => {}
                Err(SessionError::Fault(fault))
                    if fault.kind == FaultKind::WrongStatus && end == End::Rules(outcome) =>
                {
                    end = End::Fault(side, fault);
                }
                Err(SessionError::Fault(fault)) => self.remarks.push((side, fault)),
                Err(other) => return Err(other),
            }
        }
        Ok(end)
    }

    /// Whether the engine of a side cannot play another game.
    pub(super) fn is_unusable(&self, side: Side) -> bool {
        let fatal = |fault: &Fault| !fault.kind.leaves_engine_usable();
        self.remarks.iter().any(|(other, fault)| *other == side && fatal(fault))
            || matches!(&self.end, End::Fault(other, fault) if *other == side && fatal(fault))
    }
}

fn wrong_move(answer: &Answer, error: &MoveError) -> Fault {
    let kind = match error {
        MoveError::Text(_) => FaultKind::UnreadableAnswer,
        MoveError::Illegal(_) => FaultKind::IllegalMove,
    };
    let text: String = answer.text.chars().take(60).collect();
    Fault::new(kind, format!("{text}: {error}"))
}
