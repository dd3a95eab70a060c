//! Mirror images of planes.
//!
//! Of two mirror images of a state of the General one is solved, and the planes of the other are read from those of the first: its
//! [index](PlaneIndex::of) keeps the images of a word's sets in one word, and those of a block's words in one block.

use privy_rules::board::Mirror;

use crate::numbering::word_sets;

use super::block::{BitRow, Block, EMPTY, Found, LANES, ROWS, Rows};
use super::plane_index::{BLOCK_BITS, PlaneIndex, WORD_BITS};

/// Where in a plane its mirror image is.
#[derive(Debug)]
pub struct MirroredPlanes {
    /// By block, its image.
    blocks: Vec<u16>,
    /// By word of a block, its image.
    words: [u8; ROWS * LANES],
    /// By the bits of some rows, those with their images.
    rows: Vec<Rows>,
    /// What the image of a word exchanges with what is higher by so many bits.
    exchanged: [(u64, u32); WORD_BITS as usize / 2],
}

impl MirroredPlanes {
    pub fn new(index: &PlaneIndex, mirror: &Mirror) -> MirroredPlanes {
        let mut of_bits: [u32; 32] = std::array::from_fn(|bit| bit as u32);
        for point in index.points() {
            if let (Some(bit), Some(image)) = (index.bit(point), index.bit(mirror.point(point))) {
                of_bits[bit as usize] = image;
            }
        }
        let image = |number: usize| {
            let bits = of_bits.iter().enumerate().filter(|(bit, _)| number >> bit & 1 != 0);
            bits.fold(0usize, |image, (_, bit)| image | 1 << bit)
        };
        let words = std::array::from_fn(|word| (image(word << WORD_BITS) >> WORD_BITS) as u8);
        let rows_of = |rows: usize| {
            let words = words.iter().enumerate().filter(|(word, _)| rows >> (word / LANES) & 1 != 0);
            words.fold(Rows::NONE, |images, (_, image)| images.or(Rows::one(usize::from(*image) / LANES)))
        };
        let mut exchanged = [(0, 0); WORD_BITS as usize / 2];
        let swaps = (0..WORD_BITS).filter(|bit| of_bits[*bit as usize] > *bit);
        for (exchanged, low) in exchanged.iter_mut().zip(swaps) {
            let (low, high) = (1 << low, 1 << of_bits[low as usize]);
            *exchanged = (word_sets(low, high), (high - low) as u32);
        }
        MirroredPlanes {
            blocks: (0..index.blocks()).map(|block| (image(block << BLOCK_BITS) >> BLOCK_BITS) as u16).collect(),
            words,
            rows: (0..1 << ROWS).map(rows_of).collect(),
            exchanged,
        }
    }

    /// The block with the image of a block.
    #[inline(always)]
    pub fn block(&self, block: usize) -> usize {
        self.blocks[block].into()
    }

    /// The rows with the images of some rows.
    #[inline(always)]
    pub(super) fn rows(&self, rows: Rows) -> Rows {
        self.rows[rows.bits()]
    }

    /// The image of what was found in a block.
    #[inline(always)]
    pub fn found(&self, found: &Found) -> Found {
        let mut found = *found;
        let mut image = Found { sets: EMPTY, rows: self.rows(found.rows) };
        found.include(Rows::ALL);
        for row in image.rows {
            image.sets[row] = self.row(&found.sets, row);
        }
        image.trim();
        image
    }

    /// A row of the image of a block.
    #[inline(always)]
    pub fn row(&self, block: &Block, row: usize) -> BitRow {
        let (words, images) = (block.as_flattened(), &self.words[row * LANES..][..LANES]);
        let mut row = [0; LANES];
        for lane in 0..LANES {
            row[lane] = words[usize::from(images[lane]) % (ROWS * LANES)];
        }
        for (mask, higher) in self.exchanged {
            for word in &mut row {
                let differ = (*word >> higher ^ *word) & mask;
                *word ^= differ ^ differ << higher;
            }
        }
        row
    }
}
