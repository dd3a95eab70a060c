//! The oracle: the rules of the hunt games played in the simplest way, to check the engine.
//!
//! It reads the files of the games and follows RULES.md and the words of VARIANTS.md sentence by sentence: points have
//! names, lines are lists, captures are found by walking along every line. It shares the files with the engine, and no
//! code. Where a sentence needs a rule word, it asks the file for it ([`Rules::flag`], [`Rules::word`],
//! [`Rules::number`]), so a new word is its meaning alone.

mod board;
mod endings;
mod moves;
mod pieces;
mod rules;
mod solver;
mod text;

use std::collections::BTreeSet;
use std::sync::Arc;

pub(crate) use board::PointIndex;
pub use board::{NaiveBoard, NaivePoint};
pub(crate) use moves::MoveForm;
pub use moves::NaiveMove;
pub use rules::Rules;
pub use solver::{Next, PlainEnd, PlainSolution, PlainValue};

/// One of the two sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum NaiveSide {
    /// The single piece.
    General,
    /// The many.
    Rebels,
}

/// What §4 compares for repetition: pieces, hand, side to move and flags.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Placement {
    /// The General's point; `None` while it is in hand.
    pub general: Option<PointIndex>,
    /// The Rebels' points.
    pub rebels: BTreeSet<PointIndex>,
    /// The number of Rebels in hand.
    pub rebels_in_hand: usize,
    /// The side to move.
    pub to_move: NaiveSide,
    /// `apex = "return"`: the General has stood on an apex point.
    pub apex_visited: bool,
    /// The free jumps left.
    pub free_jumps: i64,
}

/// A placement under the rules of a game, without history.
#[derive(Clone, Debug)]
pub struct NaivePosition {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The pieces.
    pub at: Placement,
    /// The arrival of the last Rebel move; `None` in a position that was set up.
    pub rebel_arrived: Option<PointIndex>,
    /// True if the last move was one of the General; false in a position that was set up.
    pub general_moved: bool,
}

impl NaivePosition {
    /// The opening of a game.
    pub fn opening(rules: &Arc<Rules>) -> NaivePosition {
        let mut at = rules.opening.clone();
        rules.note_apex(&mut at);
        NaivePosition { rules: Arc::clone(rules), at, rebel_arrived: None, general_moved: false }
    }

    /// The position of a text, whose last fields may be missing.
    ///
    /// # Errors
    /// The reason of a refusal.
    pub fn from_text(rules: &Arc<Rules>, text: &str) -> Result<NaivePosition, String> {
        text::read(rules, text).map(|(position, _, _)| position)
    }

    /// The first three fields of its text: pieces, side to move, flags.
    pub fn text(&self) -> String {
        text::write(self)
    }

    /// True if a Rebel stands there.
    fn is_rebel(&self, spot: PointIndex) -> bool {
        self.at.rebels.contains(&spot)
    }

    /// True if no piece stands there.
    pub fn is_empty(&self, spot: PointIndex) -> bool {
        self.at.general != Some(spot) && !self.is_rebel(spot)
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, mv: &NaiveMove) -> NaivePosition {
        let mut next = self.clone();
        next.rebel_arrived = None;
        next.general_moved = self.at.to_move == NaiveSide::General;
        match self.at.to_move {
            NaiveSide::General => {
                next.at.general = mv.to().or(self.at.general);
                next.at.rebels.retain(|rebel| !mv.captured.contains(rebel));
                next.at.free_jumps -= i64::from(matches!(mv.way, MoveForm::FreeJump(_, _)));
                next.rules.note_apex(&mut next.at);
                next.at.to_move = NaiveSide::Rebels;
            }
            NaiveSide::Rebels => {
                if let MoveForm::Plain(from, _) = mv.way {
                    next.at.rebels.remove(&from);
                }
                next.at.rebels_in_hand -= usize::from(matches!(mv.way, MoveForm::Drop(_)));
                next.at.rebels.extend(mv.to());
                next.rebel_arrived = mv.to();
                next.at.to_move = NaiveSide::General;
            }
        }
        next
    }
}

/// A game with its history.
#[derive(Clone, Debug)]
pub struct Oracle {
    position: NaivePosition,
    /// The legal moves by their canonical texts, sorted; empty when the game is over.
    moves: Vec<(String, NaiveMove)>,
    result: Option<String>,
    /// Every placement since the start of the game, the current one last.
    history: Vec<Placement>,
    quiet_plies: u32,
    ply: u32,
}

impl Oracle {
    /// A game that begins with the opening.
    pub fn opening(rules: &Arc<Rules>) -> Oracle {
        Oracle::start(NaivePosition::opening(rules), 0, 0)
    }

    /// A game that begins with the position of a text, whose last fields may be missing.
    ///
    /// # Errors
    /// The reason of a refusal.
    pub fn from_text(rules: &Arc<Rules>, text: &str) -> Result<Oracle, String> {
        let (position, quiet_plies, ply) = text::read(rules, text)?;
        Ok(Oracle::start(position, quiet_plies, ply))
    }

    fn start(position: NaivePosition, quiet_plies: u32, ply: u32) -> Oracle {
        let mut game = Oracle { position, moves: Vec::new(), result: None, history: Vec::new(), quiet_plies, ply };
        game.arrive();
        game
    }

    /// Adds the current position to the history, and finds its moves and the result.
    fn arrive(&mut self) {
        self.history.push(self.position.at.clone());
        let moves = self.position.moves();
        self.result = self.position.ending_with(&moves).map(str::to_owned).or_else(|| self.standoff());
        let board = &self.position.rules.board;
        self.moves = match self.result {
            Some(_) => Vec::new(),
            None => moves.into_iter().map(|mv| (mv.text(board), mv)).collect(),
        };
        self.moves.sort_by(|(a, _), (b, _)| a.cmp(b));
    }

    /// §4: the third occurrence of a placement is a draw or a win, as the rules say; so is a limit of plies without
    /// capture.
    fn standoff(&self) -> Option<String> {
        let rules = &self.position.rules;
        let ended = |winner: &str, by: &str| match winner {
            "general" => format!("general wins: {by}"),
            "rebels" => format!("rebels win: {by}"),
            _ => format!("draw: {by}"),
        };
        if self.history.iter().filter(|at| **at == self.position.at).count() >= 3 {
            return Some(ended(rules.word("repetition"), "repetition"));
        }
        let (plies, winner) = rules.move_limit()?;
        (self.quiet_plies >= plies).then(|| ended(winner, "move limit"))
    }

    /// The canonical position text, six fields.
    pub fn text(&self) -> String {
        format!("{} {} {} {}", self.position.text(), self.quiet_plies, self.ply, self.position.rules.id)
    }

    /// Canonical texts of the legal moves, sorted; empty when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        self.moves.iter().map(|(text, _)| text.clone()).collect()
    }

    /// The legal moves as texts, each with the names of the captured Rebels by row, then file.
    pub fn moves_with_captures(&self) -> Vec<(String, Vec<String>)> {
        let names = |mv: &NaiveMove| self.position.rules.board.names(mv.captured.iter().copied());
        self.moves.iter().map(|(text, mv)| (text.clone(), names(mv))).collect()
    }

    /// Plays a move by its canonical text.
    ///
    /// # Panics
    /// If the move is not legal.
    pub fn play(&mut self, text: &str) {
        let found = self.moves.iter().find(|(known, _)| known == text);
        let mv = found.map_or_else(|| panic!("not legal in {}: {text}", self.text()), |(_, mv)| mv.clone());
        self.quiet_plies = if mv.captured.is_empty() { self.quiet_plies + 1 } else { 0 };
        self.ply += 1;
        self.position = self.position.after(&mv);
        self.arrive();
    }

    /// The result; `None` while the game continues.
    pub fn result(&self) -> Option<String> {
        self.result.clone()
    }

    /// §4: true if the General's position ends the game whoever is to move. No opening may have it.
    pub fn is_no_opening(&self) -> bool {
        self.position.decided_for_good().is_some()
    }

    /// §7: the number of move sequences of exactly this length. Repetition does not end a game here.
    pub fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, self.quiet_plies, depth)
    }
}

fn perft(position: &NaivePosition, quiet_plies: u32, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.moves();
    let is_at_limit = position.rules.move_limit().is_some_and(|(plies, _)| quiet_plies >= plies);
    if is_at_limit || position.ending_with(&moves).is_some() {
        return 0;
    }
    let quiet = |mv: &NaiveMove| if mv.captured.is_empty() { quiet_plies + 1 } else { 0 };
    moves.iter().map(|mv| perft(&position.after(mv), quiet(mv), depth - 1)).sum()
}
