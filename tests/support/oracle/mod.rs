//! The naive oracle: the rules played in the simplest way, to check the engine.
//!
//! Everything follows RULES.md sentence by sentence: points have names, lines are lists, captures are found by walking along
//! every line. It shares nothing with the engine.

pub(super) mod boards;
pub(super) mod endings;
pub(super) mod moves;
mod notation;
pub(super) mod position;
pub(super) mod variants;

use moves::Move;
use position::{Game, Placement, Position};
use std::sync::Arc;
use variants::{Apex, Jump, RELATIVES, Side, VARIANTS};

/// A position of a variant with its history.
#[derive(Clone, Debug)]
pub struct Oracle {
    position: Position,
    /// Every placement since the start of the game, including this one.
    history: Vec<Placement>,
    quiet_plies: u32,
    ply: u32,
}

impl Oracle {
    /// The ids of all variants, in the order of §6.
    pub fn variants() -> Vec<&'static str> {
        VARIANTS.iter().map(|rules| rules.id).collect()
    }

    /// The ids of the relatives, in the order in which the engine lists them.
    pub fn relatives() -> Vec<&'static str> {
        RELATIVES.iter().map(|rules| rules.id).collect()
    }

    /// The opening of a variant; panics on an unknown id.
    pub fn opening(variant: &str) -> Oracle {
        Oracle::start(Position::opening(variants::rules(variant)), 0, 0)
    }

    /// A position from its text; trailing fields may be missing. The error is the reason of a refusal.
    pub fn from_text(variant: &str, text: &str) -> Result<Oracle, String> {
        let reading = notation::read(variants::rules(variant), text)?;
        Ok(Oracle::start(reading.position, reading.quiet_plies, reading.ply))
    }

    fn start(position: Position, quiet_plies: u32, ply: u32) -> Oracle {
        let history = vec![position.at.clone()];
        Oracle { position, history, quiet_plies, ply }
    }

    /// The canonical position text, six fields.
    pub fn text(&self) -> String {
        notation::write(&self.position, self.quiet_plies, self.ply)
    }

    /// Canonical texts of the legal moves, sorted; empty when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        self.moves_with_captures().into_iter().map(|(text, _)| text).collect()
    }

    /// Canonical texts of the legal moves, sorted, each with the names of the captured Rebels by row, then file; empty when the
    /// game is over.
    pub fn moves_with_captures(&self) -> Vec<(String, Vec<String>)> {
        if self.result().is_some() {
            return Vec::new();
        }
        let board = &self.position.game.board;
        let described = moves::moves(&self.position).into_iter().map(|mv| (mv.text(board), self.captured_names(&mv)));
        let mut texts: Vec<_> = described.collect();
        texts.sort();
        texts
    }

    fn captured_names(&self, mv: &Move) -> Vec<String> {
        let board = &self.position.game.board;
        let mut captured: Vec<usize> = mv.captured.iter().copied().collect();
        captured.sort_by_key(|&s| (board.points[s].row(), board.points[s].file()));
        captured.into_iter().map(|s| board.name(s).to_string()).collect()
    }

    /// Plays a move by its canonical text; panics if it is illegal.
    pub fn play(&mut self, mv: &str) {
        let mv = self.legal(mv);
        self.quiet_plies = if mv.captured.is_empty() { self.quiet_plies + 1 } else { 0 };
        self.ply += 1;
        self.position = self.position.after(&mv);
        self.history.push(self.position.at.clone());
    }

    fn legal(&self, text: &str) -> Move {
        let board = &self.position.game.board;
        let mut candidates = moves::moves(&self.position).into_iter().filter(|mv| mv.text(board) == text);
        match candidates.next() {
            Some(mv) if self.result().is_none() => mv,
            _ => panic!("not legal in {}: {text}", self.text()),
        }
    }

    /// The result, `None` while the game goes on. §4: the third occurrence of a placement is a draw or a win, as the rules say;
    /// other ends come first.
    pub fn result(&self) -> Option<String> {
        if let Some(ending) = endings::ending(&self.position) {
            return Some(ending.to_string());
        }
        let occurrences = self.history.iter().filter(|&at| *at == self.position.at).count();
        if occurrences >= 3 {
            let result = match self.position.game.rules.by_repetition {
                None => "draw: repetition",
                Some(Side::General) => "general wins: repetition",
                Some(Side::Rebels) => "rebels win: repetition",
            };
            return Some(result.to_string());
        }
        let (plies, winner) = self.position.game.rules.quiet_limit?;
        let result = match winner {
            None => "draw: move limit",
            Some(Side::General) => "general wins: move limit",
            Some(Side::Rebels) => "rebels win: move limit",
        };
        (self.quiet_plies >= plies).then(|| result.to_string())
    }

    /// §4: true if the General's position ends the game whoever is to move. No opening may have it.
    pub fn is_no_opening(&self) -> bool {
        endings::decided_by_the_general(&self.position).is_some()
    }

    /// §7: the number of move sequences of exactly this length. Repetition does not end a game here.
    pub fn perft(&self, depth: u32) -> u64 {
        perft(&self.position, self.quiet_plies, depth)
    }

    /// Changes one rule and restarts the history. Keys: `rebels_at_most` (a number or `none`), `apex` (`none`, `general`,
    /// `rebels`, `return`), `jump` (`single`, `multi`, `free`; along all lines), `repetition` (`draw`, `general`, `rebels`),
    /// `move_limit` (`8`, with its winner if any), `first` (`general`, `rebels`; at ply 0 also the side to move). Panics on any
    /// other key or value.
    pub fn set_key(&mut self, key: &str, value: &str) {
        let mut rules = self.position.game.rules;
        match (key, value) {
            ("rebels_at_most", "none") => rules.rebels_at_most = None,
            ("rebels_at_most", number) => rules.rebels_at_most = Some(number.parse().unwrap()),
            ("apex", "none") => rules.apex = Apex::None,
            ("apex", "general") => rules.apex = Apex::General,
            ("apex", "rebels") => rules.apex = Apex::Rebels,
            ("apex", "return") => rules.apex = Apex::Return,
            ("jump", "single") => rules.jump = Jump::Single,
            ("jump", "multi") => rules.jump = Jump::Multi,
            ("jump", "free") => rules.jump = Jump::Free,
            ("repetition", "draw") => rules.by_repetition = None,
            ("repetition", "general") => rules.by_repetition = Some(Side::General),
            ("repetition", "rebels") => rules.by_repetition = Some(Side::Rebels),
            ("move_limit", "8") => rules.quiet_limit = Some((8, None)),
            ("move_limit", "8 general") => rules.quiet_limit = Some((8, Some(Side::General))),
            ("move_limit", "8 rebels") => rules.quiet_limit = Some((8, Some(Side::Rebels))),
            ("first", "general") => rules.first = Side::General,
            ("first", "rebels") => rules.first = Side::Rebels,
            _ => panic!("no key {key} = {value}"),
        }
        self.position.game = Arc::new(Game { rules, board: rules.board() });
        if key == "first" && self.ply == 0 {
            self.position.at.to_move = rules.first;
        }
        self.position.note_apex();
        self.history = vec![self.position.at.clone()];
    }
}

fn perft(position: &Position, quiet_plies: u32, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let is_at_limit = position.game.rules.quiet_limit.is_some_and(|(plies, _)| quiet_plies >= plies);
    if is_at_limit || endings::ending(position).is_some() {
        return 0;
    }
    let quiet = |mv: &Move| if mv.captured.is_empty() { quiet_plies + 1 } else { 0 };
    moves::moves(position).iter().map(|mv| perft(&position.after(mv), quiet(mv), depth - 1)).sum()
}
