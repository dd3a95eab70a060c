//! One game between two engines: every move is checked, every second counted.

use std::time::Duration;

use privy_protocol::Score;

use crate::record::{GameResult, RecordedMove};
use crate::rules::{MoveError, Outcome, Side};

use super::adjudication::{Adjudicator, Decision};
use super::clock::Clock;
use super::fault::{Fault, FaultKind};
use super::player::{Answer, GameTerms, Player};
use super::scoresheet::Scoresheet;
use super::session::Trouble;
use super::statistics::BySide;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    Rules(Outcome),
    Decided(Decision),
    Fault(Side, Fault),
}

impl End {
    pub(super) fn result(&self) -> GameResult {
        match self {
            End::Rules(outcome) => GameResult::from(*outcome),
            End::Decided(decision) => decision.result(),
            End::Fault(side, _) => GameResult::won_by(!*side),
        }
    }

    /// The reason, without the winner.
    pub(super) fn reason(&self) -> String {
        match self {
            End::Rules(outcome) => outcome.reason().to_owned(),
            End::Decided(decision) => decision.reason(),
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
    /// The times of their moves.
    pub(super) thinking: BySide<Vec<Duration>>,
    /// What went wrong without an influence on the game.
    pub(super) remarks: Vec<(Side, Fault)>,
}

impl Played {
    /// A game that has come as far as its opening, whose moves nobody has thought about, and ends there.
    fn at_opening(sheet: Scoresheet, end: End) -> Played {
        let game = sheet.game();
        let moves = game.moves().map(|move_| RecordedMove::new(game, move_)).collect();
        Played { sheet, moves, end, thinking: BySide::default(), remarks: Vec::new() }
    }

    /// The game that a fault ended before its first move.
    pub(super) fn unplayed(sheet: Scoresheet, side: Side, fault: Fault) -> Played {
        Played::at_opening(sheet, End::Fault(side, fault))
    }
}

struct Play<'a> {
    terms: &'a GameTerms,
    adjudicator: Adjudicator,
    clocks: BySide<Clock>,
    played: Played,
}

/// Plays a game to its end between players who are ready for it.
///
/// # Errors
/// When the match is interrupted.
pub(super) fn play(
    terms: &GameTerms,
    adjudicator: Adjudicator,
    sheet: Scoresheet,
    players: &mut BySide<Player>,
) -> Result<Played, Trouble> {
    let clocks = BySide { general: Clock::new(players.general.control), rebels: Clock::new(players.rebels.control) };
    let played = Played::at_opening(sheet, End::Decided(Decision::Draw));
    let mut play = Play { terms, adjudicator, clocks, played };
    play.played.end = play.run(players)?;
    Ok(play.played)
}

impl Play<'_> {
    fn run(&mut self, players: &mut BySide<Player>) -> Result<End, Trouble> {
        loop {
            let game = self.played.sheet.game();
            if let Some(outcome) = game.outcome() {
                return self.confirm(outcome, players);
            }
            if let Some(decision) = self.adjudicator.decide(game) {
                return Ok(End::Decided(decision));
            }
            let side = game.position().side();
            match self.turn(side, players.of_mut(side)) {
                Ok(()) => {}
                Err(Trouble::Fault(fault)) => return Ok(End::Fault(side, fault)),
                Err(other) => return Err(other),
            }
        }
    }

    fn turn(&mut self, side: Side, player: &mut Player) -> Result<(), Trouble> {
        let clock = self.clocks.of_mut(side);
        let answer = player.choose(self.terms, &self.played.sheet, clock)?;
        clock.spend(answer.elapsed);
        self.played.thinking.of_mut(side).push(answer.elapsed);
        let game = self.played.sheet.game();
        let move_ = game.parse_move(None, &answer.text).map_err(|error| wrong_move(&answer, &error))?;
        let info = answer.info;
        // That a side does not lose is no draw.
        let told = info.as_ref().filter(|info| info.score != Score::Draw || info.bound.is_none());
        let score = told.map(|info| info.score);
        self.played.moves.push(RecordedMove {
            score,
            depth: info.as_ref().map(|info| info.depth),
            time_ms: u64::try_from(answer.elapsed.as_millis()).ok(),
            nodes: info.as_ref().map(|info| info.nodes),
            ..RecordedMove::new(game, &move_)
        });
        self.adjudicator.note(side, score);
        self.played.sheet.play(move_);
        Ok(())
    }

    /// The rules have ended the game: asks both players how, the one who moved last first. One who says something else has
    /// lost; what else goes wrong with a player comes too late to matter.
    fn confirm(&mut self, outcome: Outcome, players: &mut BySide<Player>) -> Result<End, Trouble> {
        let last = !self.played.sheet.game().position().side();
        let mut end = End::Rules(outcome);
        for side in [last, !last] {
            match players.of_mut(side).agree(&self.played.sheet) {
                Ok(()) => {}
                Err(Trouble::Fault(fault)) if fault.kind == FaultKind::WrongStatus && end == End::Rules(outcome) => {
                    end = End::Fault(side, fault);
                }
                Err(Trouble::Fault(fault)) => self.played.remarks.push((side, fault)),
                Err(other) => return Err(other),
            }
        }
        Ok(end)
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
