//! Free jumps, from anywhere onto any empty point.
//!
//! What they lead to is the same for a General on any point, but that it does not jump onto its own. So the arrivals are counted once for
//! all, up to two, and a state of the General asks whether there is one besides that on its own point.

use privy_base::best_instructions;
use privy_base::huge_pages::vec_of;

use super::block::{BitRow, Block, Decided, EMPTY, Rows, StateResults, each_block};
use super::mirrored_planes::MirroredPlanes;

/// The arrivals of the free jumps of some states.
#[derive(Debug)]
pub(super) struct FreeJumps {
    /// The numbers of the arrivals; true for the image of one.
    arrivals: Vec<(usize, bool)>,
    blocks: Vec<Counted>,
}

/// The arrivals after a ply in a block.
#[derive(Debug, Clone, Copy)]
struct Counted {
    not_won: UpToTwo,
    /// The rows of these that the ply has changed.
    changed: Rows,
    /// What the ply made lost for the Rebels, in these rows.
    lost: UpToTwo,
    rows_lost: Rows,
}

/// The sets in which one arrival or more have a property, and those in which two or more have it.
#[derive(Debug, Clone, Copy)]
struct UpToTwo {
    one: Block,
    two: Block,
}

const NONE: Counted = {
    let none = UpToTwo { one: EMPTY, two: EMPTY };
    Counted { not_won: none, changed: Rows::NONE, lost: none, rows_lost: Rows::NONE }
};

impl UpToTwo {
    /// Counts anew in a row; true if that changes anything.
    #[inline(always)]
    fn count(&mut self, row: usize, arrivals: impl Iterator<Item = BitRow>) -> bool {
        let (mut one, mut two) = (EMPTY[row], EMPTY[row]);
        for arrival in arrivals {
            for (lane, word) in arrival.iter().enumerate() {
                two[lane] |= one[lane] & word;
                one[lane] |= word;
            }
        }
        let is_changed = self.one[row] != one || self.two[row] != two;
        (self.one[row], self.two[row]) = (one, two);
        is_changed
    }

    /// Finds in some rows where an arrival other than `own` has the property.
    #[inline(always)]
    fn besides(&self, own: Option<&Block>, rows: Rows, found: &mut Block) {
        let own = own.unwrap_or(&EMPTY);
        for row in rows {
            for (lane, word) in found[row].iter_mut().enumerate() {
                *word = self.two[row][lane] | self.one[row][lane] & !own[row][lane];
            }
        }
    }
}

impl FreeJumps {
    pub(super) fn new(arrivals: &[(usize, bool)], blocks: usize) -> FreeJumps {
        FreeJumps { arrivals: arrivals.to_vec(), blocks: vec_of(NONE, blocks) }
    }

    pub(super) const fn bytes_of_block() -> u64 {
        size_of::<Counted>() as u64
    }

    /// Counts what a ply has made of the arrivals.
    pub(super) fn pass(&mut self, arrivals: &[StateResults], mirrored: Option<&MirroredPlanes>, ply: u32) {
        let FreeJumps { arrivals: numbers, blocks } = self;
        each_block(blocks, |block, counted| {
            dispatch_count_arrivals(counted, block, numbers, arrivals, mirrored, ply);
        });
    }

    /// The rows in which a ply has changed which arrivals are not won for the Rebels.
    #[inline(always)]
    pub(super) fn changed(&self, block: usize) -> Rows {
        self.blocks[block].changed
    }

    /// The rows in which a ply has made arrivals lost for the Rebels.
    #[inline(always)]
    pub(super) fn rows_lost(&self, block: usize) -> Rows {
        self.blocks[block].rows_lost
    }

    /// Finds in some rows where an arrival other than `own` is not won for the Rebels.
    #[inline(always)]
    pub(super) fn not_won(&self, block: usize, own: Option<&Block>, rows: Rows, found: &mut Block) {
        self.blocks[block].not_won.besides(own, rows, found);
    }

    /// Finds where a ply has made an arrival other than `own` lost for the Rebels; in rows of [`rows_lost`](FreeJumps::rows_lost).
    #[inline(always)]
    pub(super) fn lost(&self, block: usize, own: Option<&Block>, rows: Rows, found: &mut Block) {
        self.blocks[block].lost.besides(own, rows, found);
    }
}

best_instructions! {
    fn dispatch_count_arrivals(
        counted: &mut Counted,
        block: usize,
        numbers: &[(usize, bool)],
        arrivals: &[StateResults],
        mirrored: Option<&MirroredPlanes>,
        ply: u32,
    ) {
        // An arrival that is an image is read where its original is.
        let of_group = || {
            numbers.iter().map(|(number, is_image)| {
                let mirrored = mirrored.filter(|_| *is_image);
                let source = mirrored.map_or(block, |mirrored| mirrored.block(block));
                (&arrivals[*number], source, mirrored)
            })
        };
        let rows = |decided: &Decided, source: usize, mirrored: Option<&MirroredPlanes>| {
            let rows = decided.rows(source);
            mirrored.map_or(rows, |mirrored| mirrored.rows(rows))
        };
        let read = |source: &Block, row: usize, mirrored: Option<&MirroredPlanes>| {
            mirrored.map_or(source[row], |mirrored| mirrored.row(source, row))
        };
        let (mut won, mut lost) = (Rows::NONE, Rows::NONE);
        for (arrival, source, mirrored) in of_group() {
            won = won.or(rows(&arrival.won, source, mirrored));
            lost = lost.or(rows(&arrival.lost, source, mirrored));
        }
        counted.changed = Rows::NONE;
        for row in if ply == 0 { Rows::ALL } else { won } {
            let not_won = of_group().map(|(arrival, source, mirrored)| read(&arrival.not_won[source], row, mirrored));
            if counted.not_won.count(row, not_won) {
                counted.changed = counted.changed.or(Rows::one(row));
            }
        }
        counted.rows_lost = lost;
        for row in lost {
            let lost = of_group()
                .filter_map(|(arrival, source, mirrored)| Some(read(arrival.lost.get(source)?, row, mirrored)));
            counted.lost.count(row, lost);
        }
    }
}
