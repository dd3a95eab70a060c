//! Proofs: a strategy that wins, or does not lose, against every reply, as a file that anyone can check (FORMS §5).
//!
//! A [`Proof`] names for every position that can arise a move of the proving side and, for a win, the plies within which it wins
//! from there. It is right when every reply leads to a position of the proof that is won sooner. Nothing here knows how a proof was found:
//! [`Proof::check`] uses the rules alone.
//!
//! - `text`: reading and writing.
//! - `check`: is it right?

mod check;
mod text;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use crate::rules::{Move, MovePath, Outcome, Position, Side, Variant};

pub use check::{Checked, Fault};
pub use text::{ProofFileError, ProofHeading};

/// What is proved.
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

    /// Why the game's history, which a proof does not know, may spoil it: where a repetition wins, a closed set of positions proves
    /// nothing; where plies without capture are counted, neither does a number of plies.
    pub(crate) fn spoiled_by(self, variant: &Variant) -> Option<String> {
        if variant.rules().move_limit().is_some() {
            return Some("a proof counts no plies without capture, which end this game".to_owned());
        }
        let winner = variant.rules().winner_by_repetition().filter(|_| matches!(self, Claim::Holds(_)))?;
        Some(format!("nobody holds out by going round in circles: a repetition wins for the {winner}"))
    }

    /// Is this end of a game in favour of the proof?
    pub(crate) fn is_kept_by(self, outcome: Outcome) -> bool {
        match self {
            Claim::Wins(side) => outcome.winner() == Some(side),
            Claim::Holds(side) => outcome.winner() != Some(!side),
        }
    }
}

/// As the first line of a proof file has it.
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

/// What the proving side does in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The position, one of two mirror images.
    pub position: Position,
    /// Its move there.
    pub move_: Move,
    /// The plies within which it wins; none where it holds a draw.
    pub plies: Option<u32>,
}

/// A strategy from a root.
#[derive(Debug, Clone)]
pub struct Proof {
    variant: Arc<Variant>,
    claim: Claim,
    root: Position,
    /// By the position that stands for both mirror images.
    steps: HashMap<Position, Step>,
}

/// A win in so many plies that a proof leaves out is found while one plays by it.
const AT_SIGHT: u32 = 3;

/// What a proof says of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The move of the proving side, or the reply that it takes longest to beat.
    pub move_: MovePath,
    /// The plies within which the proving side wins; none where it holds a draw.
    pub plies: Option<u32>,
}

impl Proof {
    /// A proof without steps.
    #[must_use]
    pub fn new(variant: &Arc<Variant>, claim: Claim, root: Position) -> Proof {
        Proof { variant: Arc::clone(variant), claim, root, steps: HashMap::new() }
    }

    /// Where the proof that a side wins a variant's opening is kept in a folder.
    #[must_use]
    pub fn path(folder: &Path, variant: &Variant) -> PathBuf {
        folder.join(format!("{}-{}.proof.zst", variant.id(), variant.fingerprint()))
    }

    /// Where the proof is kept that a side does not lose it.
    #[must_use]
    pub fn draw_path(folder: &Path, variant: &Variant, side: Side) -> PathBuf {
        folder.join(format!("{}-{}.draw-for-{side}.proof.zst", variant.id(), variant.fingerprint()))
    }

    /// All files of a variant that a folder may have.
    #[must_use]
    pub fn paths(folder: &Path, variant: &Variant) -> [PathBuf; 3] {
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

    /// The position of which it proves it.
    #[must_use]
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// How many positions it names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Does it name no position?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The step of a position or of its mirror image.
    #[must_use]
    pub fn step(&self, position: &Position) -> Option<&Step> {
        self.steps.get(&self.variant.canonical(position))
    }

    /// Adds a step, or puts it in the place of the one that the position had.
    pub fn insert(&mut self, step: Step) {
        self.steps.insert(self.variant.canonical(&step.position), step);
    }

    /// Keeps only some steps.
    pub fn retain(&mut self, is_kept: impl Fn(&Step) -> bool) {
        self.steps.retain(|_, step| is_kept(step));
    }

    /// The plies that the root takes at most; none for a draw, or when the proof says nothing of its root.
    #[must_use]
    pub fn root_plies(&self) -> Option<u32> {
        self.known(&self.root).and_then(|known| known.plies)
    }

    /// Does a move of the proving side stay in the proof, whether it is the one that the proof names or another? After it the game is over in the
    /// side's favour, or every reply leads to a position of the proof or to one that is won at sight.
    #[must_use]
    pub fn keeps(&self, position: &Position, move_: &Move) -> bool {
        let (next, outcome) = self.variant.play_unchecked(position, move_);
        outcome.map_or_else(|| self.known(&next).is_some(), |outcome| self.claim.is_kept_by(outcome))
    }

    /// What it says of a position that is not over, with either side to move: the move to make, and the plies until the proving side has won.
    #[must_use]
    pub fn known(&self, position: &Position) -> Option<Known> {
        let legal = self.variant.legal_moves(position);
        if position.side() == self.claim.side() {
            let step = self.step(position)?;
            let after = |position: &Position, move_: &Move| {
                self.variant.canonical(&self.variant.play_unchecked(position, move_).0)
            };
            // The step may have been written for the mirror image: the move is the one that leads to the same.
            let wanted = after(&step.position, &step.move_);
            let move_ = if step.position == *position {
                legal.into_iter().find(|path| *path.action() == step.move_)
            } else {
                legal.into_iter().find(|path| after(position, path.action()) == wanted)
            };
            return move_.map(|move_| Known { move_, plies: step.plies });
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
