//! A game: a first position and the moves played since.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use privy_protocol::Side;

use crate::board::{Board, PointSet};
use crate::move_text::{MoveError, MoveText};
use crate::outcome::Outcome;
use crate::position::{MovePath, Position};
use crate::variant::Variant;

/// A position in a game, with its outcome and its counter.
#[derive(Debug, Clone, Copy)]
struct GameTurn {
    position: Position,
    /// Without repetition and limits of plies.
    outcome: Option<Outcome>,
    plies_since_capture: u32,
}

/// A game of a variant with its history, which repetition needs. It always has a first position.
#[derive(Debug, Clone)]
pub struct Game {
    variant: Arc<Variant>,
    first: GameTurn,
    first_ply: u32,
    played: Vec<(MovePath, GameTurn)>,
    /// How often each position has been reached by a move.
    reached: HashMap<Position, usize>,
    move_limit: Option<u32>,
}

impl Variant {
    /// A game that begins with the opening.
    pub fn start(self: &Arc<Self>) -> Game {
        Game::new(self, *self.opening(), 0, 0)
    }
}

impl Game {
    /// A game that begins with a position: this is its first occurrence, and its outcome is that as if the side not to
    /// move had just moved. Of the counters only a limit of plies without capture reads one.
    pub fn new(variant: &Arc<Variant>, position: Position, plies_since_capture: u32, ply: u32) -> Game {
        let first = GameTurn { position, outcome: variant.outcome(&position), plies_since_capture };
        Game::beginning_with(variant, first, ply)
    }

    fn beginning_with(variant: &Arc<Variant>, first: GameTurn, first_ply: u32) -> Game {
        let (variant, reached) = (Arc::clone(variant), HashMap::new());
        Game { variant, first, first_ply, played: Vec::new(), reached, move_limit: None }
    }

    /// Sets or lifts the limit: a game with this number of plies since its first position is a draw.
    pub fn set_move_limit(&mut self, limit: Option<u32>) {
        self.move_limit = limit;
    }

    /// The limit of plies that was set.
    pub fn move_limit(&self) -> Option<u32> {
        self.move_limit
    }

    /// The variant.
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// The variant's board.
    pub fn board(&self) -> &Board {
        self.variant.board()
    }

    fn turn(&self) -> &GameTurn {
        self.played.last().map_or(&self.first, |(_, turn)| turn)
    }

    /// The outcome by the current position, except by repetition and limits of plies.
    pub(super) fn decided(&self) -> Option<Outcome> {
        self.turn().outcome
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.turn().position
    }

    /// The side to move, also when the game is over.
    pub fn side(&self) -> Side {
        self.position().side()
    }

    /// Plies since the last capture.
    pub fn plies_since_capture(&self) -> u32 {
        self.turn().plies_since_capture
    }

    /// The number of the next ply, from 0.
    pub fn ply(&self) -> u32 {
        self.first_ply.saturating_add(self.plies_played())
    }

    fn plies_played(&self) -> u32 {
        u32::try_from(self.played.len()).unwrap_or(u32::MAX)
    }

    /// The game before its first move.
    pub fn beginning(&self) -> Game {
        Game::beginning_with(&self.variant, self.first, self.first_ply)
    }

    /// True if the game begins with the opening of its variant, and with its counters.
    pub fn begins_at_opening(&self) -> bool {
        self.beginning().to_string() == self.variant.start().to_string()
    }

    /// A game that begins where this one stands, without a limit of plies.
    pub fn without_history(&self) -> Game {
        Game::beginning_with(&self.variant, *self.turn(), self.ply())
    }

    /// This game after a move, which must be one of [`legal_moves`](Game::legal_moves), with its history and limit.
    #[must_use]
    pub fn continued(&self, move_: &MovePath) -> Game {
        let mut game = self.clone();
        game.play(move_.clone());
        game
    }

    /// A game that begins where this one stands after a move, which must be one of
    /// [`legal_moves`](Game::legal_moves).
    pub fn after(&self, move_: &MovePath) -> Game {
        Game::beginning_with(&self.variant, self.turn_after(move_), self.ply().saturating_add(1))
    }

    /// The position and the outcome of [`after`](Game::after), without a game around them.
    pub fn position_after(&self, move_: &MovePath) -> (Position, Option<Outcome>) {
        let GameTurn { position, outcome, plies_since_capture } = self.turn_after(move_);
        (position, outcome.or_else(|| self.variant.rules().limit_reached(plies_since_capture)))
    }

    /// A game that begins with this position and the other side to move, to find its threats. There is no passing
    /// in these games, so no game may reach it; its outcome is that as if the side to move here had just moved.
    fn passed(&self) -> Game {
        let passed = self.position().with_side(!self.side());
        Game::new(&self.variant, passed, self.plies_since_capture(), self.ply())
    }

    /// The Rebels that some move of the General captures, now or, with the Rebels to move, if it were the General's
    /// turn.
    pub fn threatened(&self) -> PointSet {
        let general_to_move = match self.side() {
            Side::General => self.without_history(),
            Side::Rebels => self.passed(),
        };
        general_to_move.legal_moves().iter().fold(PointSet::EMPTY, |all, move_| all | move_.action().captured)
    }

    /// The moves played so far.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = &MovePath> + ExactSizeIterator {
        self.played.iter().map(|(move_, _)| move_)
    }

    /// All positions, the first one first.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        std::iter::once(&self.first).chain(self.played.iter().map(|(_, turn)| turn)).map(|turn| &turn.position)
    }

    /// How often the current position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let now = self.position();
        usize::from(self.first.position == *now) + self.reached.get(now).copied().unwrap_or_default()
    }

    /// The positions since the last capture, the latest first: only these can occur again, since Rebels never come
    /// back.
    pub fn positions_since_capture(&self) -> impl Iterator<Item = &Position> {
        let rebels = self.position().rebels_left();
        self.positions().rev().take_while(move |then| then.rebels_left() == rebels)
    }

    /// The positions that have occurred twice and can occur again: the third occurrence ends the game.
    pub fn seen_twice(&self) -> HashSet<&Position> {
        let mut once = HashSet::new();
        self.positions_since_capture().filter(|then| !once.insert(*then)).collect()
    }

    /// The outcome; [`None`] while the game continues. Repetition and limits of plies count after everything else
    /// (RULES §4).
    pub fn outcome(&self) -> Option<Outcome> {
        let rules = self.variant.rules();
        let repetition = || (self.occurrences() >= 3).then_some(Outcome::Repetition(rules.winner_by_repetition));
        let limit_of_rules = || rules.limit_reached(self.plies_since_capture());
        let limit = || (self.plies_left() == Some(0)).then_some(Outcome::MoveLimit(None));
        self.decided().or_else(repetition).or_else(limit_of_rules).or_else(limit)
    }

    /// Plies left until the limit that was set ends the game; none without a limit.
    pub fn plies_left(&self) -> Option<u32> {
        self.move_limit.map(|limit| limit.saturating_sub(self.plies_played()))
    }

    /// The least number of plies until a limit ends the game, that of the rules included; none without any.
    pub fn plies_to_limit(&self) -> Option<u32> {
        let by_rules = self.variant.rules().move_limit().map(|limit| limit.saturating_sub(self.plies_since_capture()));
        [self.plies_left(), by_rules].into_iter().flatten().min()
    }

    /// Legal moves; empty when the game is over. Jumps come first, then static interventions, walks, leaps, free jumps.
    pub fn legal_moves(&self) -> Vec<MovePath> {
        if self.outcome().is_some() { Vec::new() } else { self.variant.legal_moves(self.position()) }
    }

    /// Reads a move of the game, of a certain side if one is given.
    ///
    /// # Errors
    /// The text is not a move, or the rule that forbids it.
    pub fn parse_move(&self, side: Option<Side>, text: &str) -> Result<MovePath, MoveError> {
        if self.outcome().is_some() {
            return Err(MoveError::GameOver);
        }
        if side.is_some_and(|side| side != self.side()) {
            return Err(MoveError::OtherSide(self.side()));
        }
        self.variant.find_move(self.position(), &text.parse()?)
    }

    /// The legal move that a text means.
    ///
    /// # Errors
    /// The rule that forbids the move, or the moves that an ambiguous text could mean.
    pub fn find_move(&self, text: &MoveText) -> Result<MovePath, MoveError> {
        if self.outcome().is_some() {
            return Err(MoveError::GameOver);
        }
        self.variant.find_move(self.position(), text)
    }

    /// The canonical text of a legal move.
    pub fn move_text(&self, move_: &MovePath) -> String {
        self.variant.move_text(move_)
    }

    /// The canonical text of a legal move and the Rebels that it takes: `c3-b2 takes a1 c3`.
    pub fn move_with_captures(&self, move_: &MovePath) -> String {
        let captured = move_.action().captured;
        let takes =
            if captured.is_empty() { String::new() } else { format!(" takes {}", self.board().names(captured)) };
        self.move_text(move_) + &takes
    }

    /// The texts of moves played one after another.
    pub fn line_texts(&self, line: &[MovePath]) -> Vec<String> {
        line.iter().map(|move_| self.move_text(move_)).collect()
    }

    /// Plays a move, which must be one of [`legal_moves`](Game::legal_moves).
    pub fn play(&mut self, move_: MovePath) {
        let turn = self.turn_after(&move_);
        *self.reached.entry(turn.position).or_default() += 1;
        self.played.push((move_, turn));
    }

    fn turn_after(&self, move_: &MovePath) -> GameTurn {
        let (position, outcome) = self.variant.play_unchecked(self.position(), move_.action());
        let quiet = move_.action().captured.is_empty();
        let plies_since_capture = if quiet { self.plies_since_capture().saturating_add(1) } else { 0 };
        GameTurn { position, outcome, plies_since_capture }
    }

    /// Takes back all moves after the first `plies`.
    #[doc(hidden)]
    pub fn rewind(&mut self, plies: usize) {
        for (_, turn) in self.played.drain(plies.min(self.played.len())..) {
            self.reached.entry(turn.position).and_modify(|count| *count -= 1);
        }
    }

    /// Takes back `count` moves; all or none.
    ///
    /// # Errors
    /// The number of moves, when it is less than `count`.
    pub fn undo(&mut self, count: usize) -> Result<(), usize> {
        let left = self.played.len().checked_sub(count).ok_or(self.played.len())?;
        self.rewind(left);
        Ok(())
    }
}
