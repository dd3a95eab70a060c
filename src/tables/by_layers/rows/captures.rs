//! The General's captures: their values, which layers below have, as bytes that a ply compares.

use privy_base::best_instructions;

use crate::by_layers::stored_layers::LayerReader;
use crate::coding::Coding;
use crate::error::TableError;
use crate::numbering::Numbering;
use crate::value::TableValue;

use super::moves::{Geometry, Moves};
use super::split::Split;

/// The value of a capture for the General, higher for a better one: plies of a loss, [`CaptureScore::DRAW`], or
/// [`CaptureScore::ENDS`] less the plies of a win. 0 is no capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct CaptureScore(pub(super) u16);

impl CaptureScore {
    pub(super) const NONE: CaptureScore = CaptureScore(0);
    const DRAW: CaptureScore = CaptureScore(1 << 10);
    pub(super) const ENDS: CaptureScore = CaptureScore(1 << 11);
    /// The capture ends the game.
    pub(super) const WINS: CaptureScore = CaptureScore(CaptureScore::ENDS.0 - 1);

    /// Of a move to a position with this value for the Rebels.
    #[inline(always)]
    pub(super) fn of_move_to(value: TableValue) -> CaptureScore {
        match value {
            TableValue::Loss(plies) => CaptureScore(CaptureScore::ENDS.0 - 1 - plies as u16),
            TableValue::Win(plies) => CaptureScore(plies as u16 + 1),
            _ => CaptureScore::DRAW,
        }
    }

    /// The inverse of [`of_move_to`](CaptureScore::of_move_to), as the coding writes it.
    pub(super) fn code_before(self, coding: Coding) -> u16 {
        match self.0 {
            1..=1023 => coding.write(u32::from(self.0) - 1, true),
            1025..=u16::MAX => coding.write(u32::from(CaptureScore::WINS.0 - self.0), false),
            0 | 1024 => 0,
        }
    }

    /// Plies to the end; 0 for a draw or no capture.
    #[inline(always)]
    fn plies(self) -> u32 {
        match self.0 {
            1025..=u16::MAX => u32::from(CaptureScore::ENDS.0 - self.0),
            1024 => 0,
            plies => u32::from(plies),
        }
    }

    /// The score seen from a ply: a byte in the same order. Ends up to that ply are no more.
    #[inline(always)]
    fn near(self, from: u32) -> Near {
        if self == CaptureScore::DRAW {
            return Near::HELD;
        }
        match self.plies().saturating_sub(from) {
            0 => Near::NONE,
            plies if self > CaptureScore::DRAW => Near(255 - ((plies - 1) / 2).min(126) as u8),
            plies => Near((plies / 2).min(127) as u8),
        }
    }
}

/// A [`CaptureScore`] seen from a ply: losses in up to 252 plies, 1 to 126, and later ones, 127; a draw; later wins, 129, and those in
/// up to 251 plies, 130 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Near(pub(super) u8);

impl Near {
    pub(super) const NONE: Near = Near(0);
    /// The General does not lose: by a draw, or because it has lost already and is not asked again.
    pub(super) const HELD: Near = Near(128);
    /// Plies that a byte tells apart: even.
    pub(super) const PLIES: u32 = 252;

    /// The captures that decide in so many plies: wins in an odd number, losses in an even one.
    pub(super) fn due(plies: u32) -> Near {
        if plies % 2 == 1 { Near(255 - ((plies - 1) / 2) as u8) } else { Near((plies / 2) as u8) }
    }

    /// An end in more plies than these, an even number.
    #[inline(always)]
    pub(super) fn is_after(self, plies: u32) -> bool {
        let half = (plies / 2) as u8;
        self != Near::HELD && self.0 > half && self.0 <= 255 - half
    }

    /// The bit of a row's dues.
    #[inline(always)]
    pub(super) fn bit(self) -> u64 {
        1 << (self.0 / 4)
    }

    /// The bytes of a word of sets that are this one.
    #[inline(always)]
    pub(super) fn among(self, bytes: &[u8]) -> u64 {
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let mut found = 0;
        for (number, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
            let differs = u64::from_le_bytes(*eight) ^ (u64::from(self.0) * 0x0101_0101_0101_0101);
            // The high bit of each byte that is 0, moved to the eight highest bits.
            let equal = !(((differs & LOW) + LOW) | differs | LOW);
            found |= ((equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (number * 8);
        }
        found
    }
}

best_instructions! {
    /// Writes the scores of a row, seen from a ply, but where the General holds; returns the dues of the row and the most plies of any score.
    pub(super) fn dispatch_near(scores: &[CaptureScore], from: u32, row: &mut [u8]) -> (u64, u32) {
        let mut longest = 0;
        for (byte, score) in row.iter_mut().zip(scores) {
            let near = score.near(from);
            longest = longest.max(score.plies());
            *byte = if Near(*byte) == Near::HELD { Near::HELD.0 } else { near.0 };
        }
        (row[..scores.len()].iter().fold(0, |dues, byte| dues | Near(*byte).bit()), longest)
    }
}

best_instructions! {
    /// Raises the scores of a row to those of moves to positions with these codes.
    fn dispatch_raise(scores: &mut [CaptureScore], coding: Coding, codes: &[u16]) {
        for (score, code) in scores.iter_mut().zip(codes) {
            *score = (*score).max(CaptureScore::of_move_to(coding.value(*code)));
        }
    }
}

/// Reads the values of captures row by row.
pub(super) struct CaptureReader<'a> {
    numbering: &'a Numbering,
    split: &'a Split,
    /// The layer below, in which captures end; `None` where they end the game.
    below: Option<&'a Geometry<'a>>,
    /// By state, the captures.
    moves: &'a [Moves],
    /// The first section of the states after a capture, in a layer.
    first_section: usize,
    coding: Coding,
    codes: Vec<u16>,
    reader: LayerReader<'a>,
}

impl<'a> CaptureReader<'a> {
    pub(super) fn new(
        numbering: &'a Numbering,
        coding: Coding,
        (split, below): (&'a Split, Option<&'a Geometry<'a>>),
        (moves, first_section): (&'a [Moves], usize),
        reader: LayerReader<'a>,
    ) -> CaptureReader<'a> {
        CaptureReader { numbering, split, below, moves, first_section, coding, codes: Vec::new(), reader }
    }

    pub(super) fn end(self) -> Result<(), TableError> {
        self.reader.end()
    }

    /// The scores of the best captures from a row with `ones` Rebels on low places.
    pub(super) fn best(&mut self, state: usize, high: u32, ones: u32, best: &mut [CaptureScore]) {
        best.fill(CaptureScore::NONE);
        let moves = &self.moves[state];
        for (target, high) in moves.whole_rows(state, high) {
            if self.read(target, high) {
                dispatch_raise(best, self.coding, &self.codes);
            } else {
                best.fill(CaptureScore::WINS);
            }
        }
        for (move_, low) in &moves.low {
            let Some((target, high)) = move_.after(self.split, high) else { continue };
            let is_read = self.read(target, high);
            low.for_each(ones, |before, after| {
                let score = match self.codes.get(after).filter(|_| is_read) {
                    Some(code) => CaptureScore::of_move_to(self.coding.value(*code)),
                    None => CaptureScore::WINS,
                };
                best[before] = best[before].max(score);
            });
        }
    }

    /// Reads the codes of a row in the layer below; false where there is none, because the capture ends the game.
    fn read(&mut self, state: usize, high: u32) -> bool {
        let Some(Geometry { split, shapes, layouts, rebels, .. }) = self.below else { return false };
        let shape = &shapes[state];
        let Some((class, _)) = split.row(shape, &layouts[state], high) else { return false };
        let rank = self.numbering.rank_of_places(split.first_places(shape, high, *rebels));
        self.codes.resize(class.sets, 0);
        self.reader.codes(*rebels, self.first_section + state, rank, &mut self.codes);
        true
    }
}
