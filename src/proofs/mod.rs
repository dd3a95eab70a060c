//! Proofs: strategies that win, or do not lose, against every reply, as files that anyone can check (FORMS §5).
//!
//! A [`Proof`] gives for every position that can arise a move of the proving side and, for a win, the plies within which it wins. It is
//! sound when every reply leads to a position of the proof that is won sooner. [`Proof::check`] uses the rules alone, and does not depend
//! on how the proof was found.

mod text;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use rayon::prelude::*;

use crate::rules::{Move, MovePath, Outcome, Position, Side, Variant};

pub use text::ProofFileError;

/// What a proof proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The side wins.
    Wins(Side),
    /// The side does not lose.
    Holds(Side),
}

impl Claim {
    /// The side whose moves the proof names.
    #[must_use]
    pub fn side(self) -> Side {
        match self {
            Claim::Wins(side) | Claim::Holds(side) => side,
        }
    }

    /// Why no proof of the claim is possible where the game's history counts: where a repetition wins, a closed set of positions proves
    /// nothing; where plies without capture are limited, neither does a number of plies.
    pub(crate) fn unprovable_in(self, variant: &Variant) -> Option<String> {
        if variant.rules().move_limit().is_some() {
            return Some("a proof counts no plies without capture, which end this game".to_owned());
        }
        let winner = variant.rules().winner_by_repetition().filter(|_| matches!(self, Claim::Holds(_)))?;
        Some(format!("a repetition is no draw here: it wins for the {winner}"))
    }

    /// The outcome fulfils the claim.
    pub(crate) fn is_kept_by(self, outcome: Outcome) -> bool {
        match self {
            Claim::Wins(side) => outcome.winner() == Some(side),
            Claim::Holds(side) => outcome.winner() != Some(!side),
        }
    }
}

/// As in the first line of a proof file.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Claim::Wins(Side::Rebels) => "rebels",
            Claim::Wins(Side::General) => "general",
            Claim::Holds(Side::Rebels) => "draw-for-rebels",
            Claim::Holds(Side::General) => "draw-for-general",
        })
    }
}

impl FromStr for Claim {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Claim, &'static str> {
        let claims = [Side::Rebels, Side::General].into_iter().flat_map(|side| [Claim::Wins(side), Claim::Holds(side)]);
        let found = claims.into_iter().find(|claim| claim.to_string() == text);
        found.ok_or("expected rebels, general, draw-for-rebels or draw-for-general")
    }
}

/// The move of the proving side in a position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    /// One of two mirror images.
    pub(crate) position: Position,
    pub(crate) move_: Move,
    /// The plies within which it wins; none for a draw.
    pub(crate) plies: Option<u32>,
}

/// A strategy from a root.
#[derive(Debug, Clone)]
pub struct Proof {
    variant: Arc<Variant>,
    claim: Claim,
    root: Position,
    /// By canonical position.
    steps: HashMap<Position, Step>,
}

/// A proof may leave out positions won within these plies.
const LEFT_OUT: u32 = 7;
/// Play by a proof finds wins within these plies that the proof leaves out.
const AT_SIGHT: u32 = 3;

/// A proof's move in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The move of the proving side, or the reply of longest defence.
    pub move_: MovePath,
    /// The plies within which the proving side wins; none for a draw.
    pub plies: Option<u32>,
}

impl Proof {
    /// A proof without steps.
    pub(crate) fn new(variant: &Arc<Variant>, claim: Claim, root: Position) -> Proof {
        Proof { variant: Arc::clone(variant), claim, root, steps: HashMap::new() }
    }

    /// The path in a folder of the proof that a side wins a variant's opening.
    #[must_use]
    pub fn path(folder: &Path, variant: &Variant) -> PathBuf {
        folder.join(format!("{}-{}.proof.zst", variant.id(), variant.fingerprint()))
    }

    /// The path of the proof that a side does not lose it.
    #[must_use]
    pub fn draw_path(folder: &Path, variant: &Variant, side: Side) -> PathBuf {
        folder.join(format!("{}-{}.draw-for-{side}.proof.zst", variant.id(), variant.fingerprint()))
    }

    /// All paths of proofs of a variant's opening.
    pub(crate) fn paths(folder: &Path, variant: &Variant) -> [PathBuf; 3] {
        let draw = |side| Proof::draw_path(folder, variant, side);
        [Proof::path(folder, variant), draw(Side::Rebels), draw(Side::General)]
    }

    /// The variant.
    #[must_use]
    pub fn variant(&self) -> &Arc<Variant> {
        &self.variant
    }

    /// What it proves.
    #[must_use]
    pub fn claim(&self) -> Claim {
        self.claim
    }

    /// The position that it is about.
    #[must_use]
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// It has no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The step of a position or of its mirror image.
    pub(crate) fn step(&self, position: &Position) -> Option<&Step> {
        self.steps.get(&self.variant.canonical(position))
    }

    /// Adds a step, or replaces that of the position.
    pub(crate) fn insert(&mut self, step: Step) {
        self.steps.insert(self.variant.canonical(&step.position), step);
    }

    pub(crate) fn retain(&mut self, is_kept: impl Fn(&Step) -> bool) {
        self.steps.retain(|_, step| is_kept(step));
    }

    /// The plies within which the root is won; none for a draw, or when the proof lacks its root.
    #[must_use]
    pub fn root_plies(&self) -> Option<u32> {
        self.known(&self.root).and_then(|known| known.plies)
    }

    /// Any move of the proving side, of the proof or not, that keeps the claim: it ends the game in the side's favour, or every reply leads
    /// to a position of the proof or to one that is won at sight.
    pub(crate) fn keeps(&self, position: &Position, move_: &Move) -> bool {
        let (next, outcome) = self.variant.play_unchecked(position, move_);
        outcome.map_or_else(|| self.known(&next).is_some(), |outcome| self.claim.is_kept_by(outcome))
    }

    /// The move in a position that is not over, with either side to move, and the plies of the win.
    #[must_use]
    pub fn known(&self, position: &Position) -> Option<Known> {
        let legal = self.variant.legal_moves(position);
        if position.side() == self.claim.side() {
            let step = self.step(position)?;
            let after = |position: &Position, move_: &Move| {
                self.variant.canonical(&self.variant.play_unchecked(position, move_).0)
            };
            // The step of a mirror image: the move that leads to the same position.
            let next = after(&step.position, &step.move_);
            let is_step = |path: &MovePath| match step.position == *position {
                true => *path.action() == step.move_,
                false => after(position, path.action()) == next,
            };
            return legal.into_iter().find(is_step).map(|move_| Known { move_, plies: step.plies });
        }
        let mut longest: Option<Known> = None;
        for move_ in legal {
            let (next, outcome) = self.variant.play_unchecked(position, move_.action());
            let plies = match outcome {
                Some(outcome) if self.claim.is_kept_by(outcome) => Some(1),
                Some(_) => return None,
                None => {
                    let (plies, _) = self.check_listed(&next, AT_SIGHT)?;
                    matches!(self.claim, Claim::Wins(_)).then_some(plies + 1)
                }
            };
            if longest.as_ref().is_none_or(|longest| longest.plies < plies) {
                longest = Some(Known { move_, plies });
            }
        }
        longest
    }
}

/// The result of a sound proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// The number of positions.
    pub positions: usize,
    /// Replies to positions that the proof leaves out and that plain search found to be won.
    pub left_out: usize,
    /// Plies within which the root is won; none for a draw.
    pub plies: Option<u32>,
}

/// Why a proof is not sound.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{position}: {reason}")]
pub struct Fault {
    /// The position at fault, as text.
    pub position: String,
    /// What is wrong there.
    pub reason: String,
}

impl Proof {
    /// Checks every step of the proof, and the root, by the rules alone, on all cores.
    ///
    /// # Errors
    /// A position at which the proof is wrong.
    pub fn check(&self) -> Result<Checked, Fault> {
        if let Some(reason) = self.claim.unprovable_in(&self.variant) {
            return Err(self.fault(&self.root, &reason));
        }
        let steps: Vec<&Step> = self.steps.values().collect();
        let left_out: usize = steps.par_iter().map(|step| self.check_step(step)).try_reduce(|| 0, |a, b| Ok(a + b))?;
        if let Some(outcome) = self.variant.outcome(&self.root) {
            return Err(self.fault(&self.root, &format!("the root is over: {outcome}")));
        }
        let (plies, more) = if self.root.side() == self.claim.side() {
            self.check_listed(&self.root, LEFT_OUT).ok_or_else(|| self.fault(&self.root, "the root is not listed"))?
        } else {
            let (longest, more) = self.check_replies(&self.root, u32::MAX)?;
            (longest + 1, more)
        };
        let plies = matches!(self.claim, Claim::Wins(_)).then_some(plies);
        Ok(Checked { positions: steps.len(), left_out: left_out + more, plies })
    }

    fn fault(&self, position: &Position, reason: &str) -> Fault {
        Fault { position: self.variant.position_text(position), reason: reason.to_owned() }
    }

    /// Returns the number of replies to positions that the proof leaves out.
    fn check_step(&self, step: &Step) -> Result<usize, Fault> {
        let variant = &self.variant;
        let fault = |reason: &str| self.fault(&step.position, reason);
        if step.position.side() != self.claim.side() {
            return Err(fault("the other side is to move"));
        }
        if let Some(outcome) = variant.outcome(&step.position) {
            return Err(fault(&format!("the game is over: {outcome}")));
        }
        if step.plies.is_some() != matches!(self.claim, Claim::Wins(_)) {
            return Err(fault("expected a number of plies for a win, - for a draw"));
        }
        if !variant.legal_moves(&step.position).iter().any(|path| *path.action() == step.move_) {
            return Err(fault("the move is not legal"));
        }
        match variant.play_unchecked(&step.position, &step.move_) {
            (_, Some(outcome)) if self.claim.is_kept_by(outcome) && step.plies != Some(0) => Ok(0),
            (_, Some(outcome)) => Err(fault(&format!("the move ends the game: {outcome}"))),
            (next, None) => {
                let most = step.plies.map_or(u32::MAX, |plies| plies.saturating_sub(2));
                Ok(self.check_replies(&next, most)?.1)
            }
        }
    }

    /// Checks that all replies are won within `most` plies. Returns the most plies of one, and the number of those to positions left out.
    fn check_replies(&self, position: &Position, most: u32) -> Result<(u32, usize), Fault> {
        let (mut longest, mut left_out) = (0, 0);
        for path in self.variant.legal_moves(position) {
            let reply = || format!("after the reply {}", self.variant.move_text(&path));
            match self.variant.play_unchecked(position, path.action()) {
                (_, Some(outcome)) if self.claim.is_kept_by(outcome) => {}
                (_, Some(outcome)) => {
                    return Err(self.fault(position, &format!("{} the game ends: {outcome}", reply())));
                }
                (next, None) => {
                    let listed = self.check_listed(&next, most.min(LEFT_OUT));
                    let (plies, more) = listed.filter(|(plies, _)| *plies <= most).ok_or_else(|| {
                        self.fault(position, &format!("{} it is not listed with few enough plies", reply()))
                    })?;
                    longest = longest.max(plies);
                    left_out += more;
                }
            }
        }
        Ok((longest, left_out))
    }

    /// The plies of a position of the proof, and 0; or of one that plain search finds to be won within `most`, and 1.
    fn check_listed(&self, position: &Position, most: u32) -> Option<(u32, usize)> {
        if let Some(step) = self.step(position) {
            return Some((step.plies.unwrap_or(0), 0));
        }
        let mut known = HashMap::new();
        let found =
            (1..=most).find(|plies| wins_within(&self.variant, position, self.claim.side(), *plies, &mut known));
        found.map(|plies| (plies, 1))
    }
}

/// Plain search over all moves: whether a side, to move or not, wins within `plies`.
fn wins_within(
    variant: &Variant,
    position: &Position,
    side: Side,
    plies: u32,
    known: &mut HashMap<(Position, u32), bool>,
) -> bool {
    if let Some(answer) = known.get(&(*position, plies)) {
        return *answer;
    }
    let wins = |path: &MovePath| match variant.play_unchecked(position, path.action()) {
        (_, Some(outcome)) => outcome.winner() == Some(side),
        (next, None) => plies > 1 && wins_within(variant, &next, side, plies - 1, known),
    };
    let moves = variant.legal_moves(position);
    let answer = if position.side() == side { moves.iter().any(wins) } else { moves.iter().all(wins) };
    known.insert((*position, plies), answer);
    answer
}
