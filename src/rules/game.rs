//! A game: a first position and the moves played since.

use super::{IllegalMove, MoveError, MovePath, Outcome, Position, Side};

/// A game with its history, which repetition needs. It always has a first position.
#[derive(Debug, Clone)]
pub struct Game {
    first: Position,
    played: Vec<(MovePath, Position)>,
    move_limit: Option<u32>,
}

impl Game {
    /// A game that begins with a position; it counts as its first occurrence.
    #[must_use]
    pub fn new(first: Position) -> Game {
        Game { first, played: Vec::new(), move_limit: None }
    }

    /// Sets or lifts the limit: a game in which so many plies were played since its first position is a draw.
    pub fn set_move_limit(&mut self, limit: Option<u32>) {
        self.move_limit = limit;
    }

    /// The first position.
    #[must_use]
    pub fn first(&self) -> &Position {
        &self.first
    }

    /// The position to move in.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.played.last().map_or(&self.first, |(_, position)| position)
    }

    /// The moves played so far.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = &MovePath> + ExactSizeIterator {
        self.played.iter().map(|(move_, _)| move_)
    }

    /// All positions, the first one first.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        std::iter::once(&self.first).chain(self.played.iter().map(|(_, position)| position))
    }

    /// How often the position to move in has occurred, this time counted.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let state = self.position().state();
        // Rebels never come back, so the search back ends at the last capture.
        let since = self.positions().rev().take_while(|p| p.state().rebels.len() == state.rebels.len());
        since.filter(|p| p.state() == state).count()
    }

    /// How the game ended. Repetition and the limit of plies count after everything else (RULES §4).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.position().outcome() {
            return Some(outcome);
        }
        if self.occurrences() >= 3 {
            return Some(Outcome::Repetition);
        }
        (self.plies_left() == Some(0)).then_some(Outcome::MoveLimit)
    }

    /// How many plies may be played until the limit ends the game; none without a limit.
    #[must_use]
    pub fn plies_left(&self) -> Option<u32> {
        let played = u32::try_from(self.played.len()).unwrap_or(u32::MAX);
        self.move_limit.map(|limit| limit.saturating_sub(played))
    }

    /// Legal moves; none when the game is over, by repetition or the limit too.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<MovePath> {
        if self.outcome().is_some() { Vec::new() } else { self.position().legal_moves() }
    }

    /// Reads a move of the game, of a certain side if one is given.
    ///
    /// # Errors
    /// As [`Position::parse_move`], and when the game is over by repetition or the limit, or the other side is to move.
    pub fn parse_move(&self, side: Option<Side>, text: &str) -> Result<MovePath, MoveError> {
        if self.outcome().is_some() {
            return Err(IllegalMove::GameOver.into());
        }
        let to_move = self.position().side();
        if side.is_some_and(|side| side != to_move) {
            return Err(IllegalMove::OtherSide(to_move).into());
        }
        self.position().parse_move(text)
    }

    /// Plays a move, which must be one of [`legal_moves`](Game::legal_moves).
    pub fn play(&mut self, move_: MovePath) {
        let position = self.position().after(&move_);
        self.played.push((move_, position));
    }

    /// Takes back `count` moves; all or none.
    ///
    /// # Errors
    /// How many moves there are, when they are fewer.
    pub fn undo(&mut self, count: usize) -> Result<(), usize> {
        let left = self.played.len().checked_sub(count).ok_or(self.played.len())?;
        self.played.truncate(left);
        Ok(())
    }
}
