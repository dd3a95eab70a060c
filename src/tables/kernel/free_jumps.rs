//! The General's free jumps.
//!
//! They lead to the same arrivals from every point but to the General's own. So it is computed once for all which sets
//! some arrival leaves not won, or lost, and which of them two or more do: where one does, it may be the own one, which
//! each state sees for itself.

use super::cells::{Cell, Cells, pieces};
use super::index::{Row, StateIndex};
use super::ones;
use super::ply::Ply;
use super::rebels::OfRebels;
use super::rows::{RowSet, SlotRows, take};

/// The arrivals of some free jumps, taken together.
#[derive(Debug)]
pub(super) struct Arrivals<'a> {
    targets: &'a [(usize, bool)],
    /// The General stands nowhere. Where with each target its mirror image is one, too, so are the counts: half of the
    /// rows are kept.
    index: StateIndex<'a>,
    /// The sets that an arrival leaves not won for the Rebels, and those that two or more do: of rows that are kept,
    /// and of their images. The same of those that an arrival has lost.
    counts: [Cells; 8],
    /// By slot, the rows in which the last ply has changed an arrival are touched.
    rows: Vec<SlotRows>,
    /// The rows in which that has changed what the jumps lead to, taken together.
    pub(super) changed: RowSet,
}

/// Some slots of them.
pub(super) struct Piece<'a, C> {
    targets: &'a [(usize, bool)],
    index: &'a StateIndex<'a>,
    first: usize,
    counts: [&'a mut [C]; 8],
    rows: &'a mut [SlotRows],
    changed: &'a RowSet,
}

impl<'a> Arrivals<'a> {
    /// The arrivals in some states; `index` makes the index of all sets of Rebels, with half of the rows or all.
    pub(super) fn new(
        targets: &'a [(usize, bool)],
        index: impl Fn(bool) -> StateIndex<'a>,
        indices: &[StateIndex<'_>],
    ) -> Arrivals<'a> {
        let has_image =
            |(state, mirrored): &(usize, bool)| indices[*state].is_half() || targets.contains(&(*state, !*mirrored));
        let index = index(targets.iter().all(has_image));
        let counts = |number: usize| match (number / 4, number / 2 % 2) {
            (_, 1) if !index.is_half() => Cells::default(),
            (0, _) => Cells::all(&index),
            _ => Cells::empty(&index),
        };
        Arrivals {
            targets,
            counts: std::array::from_fn(counts),
            rows: SlotRows::of(&index),
            changed: RowSet::new(index.places().high()),
            index,
        }
    }

    /// Finds the rows that the last ply has changed.
    pub(super) fn touch(&mut self, ply: Ply<'_>, touched: &mut RowSet) {
        self.changed.clear();
        // Nothing has been computed before the first ply of either question.
        if ply.number <= 2 {
            return;
        }
        ply.add_targets(self.targets, touched);
        take(touched, &self.index, &mut self.rows);
    }

    /// The pieces of a kind.
    pub(super) fn pieces<C: Cell>(&mut self) -> impl Iterator<Item = Piece<'_, C>> {
        let Arrivals { targets, index, counts, rows, changed } = self;
        let pieces = pieces::<C>(index).zip(Cells::pieces(counts.each_mut())).zip(SlotRows::pieces::<C>(rows, index));
        pieces.map(|((slots, counts), rows)| Piece { targets, index, first: slots.start, counts, rows, changed })
    }

    /// The sets of a row that an arrival other than the own has lost for the Rebels, if the last ply has changed them,
    /// or that it has not won.
    #[inline(always)]
    pub(super) fn besides<const WINS: bool, C: Cell>(&self, row: Row, own: C) -> C {
        if WINS && !self.changed.has(row.high) {
            return C::EMPTY;
        }
        let (slot, is_image) = self.index.place(row.high, row.count);
        let first = 4 * usize::from(WINS) + 2 * usize::from(is_image);
        let [ones, twos] = [first, first + 1].map(|number| self.counts[number].at::<C>(&self.index, slot));
        twos | ones.minus(own)
    }
}

privy_base::widest_instructions! {
    /// Counts the arrivals of the rows of a piece that have changed anew.
    pub(super) fn recount<C: Cell>(piece: &mut Piece<'_, C>, ply: Ply<'_>, rebels: &[OfRebels]) {
        for number in 0..piece.rows.len() {
            for bit in ones(piece.rows[number].touched) {
                let row = piece.index.row(piece.first + number, bit);
                if ply.brings_losses() {
                    piece.recount::<false>(ply, rebels, number, row);
                }
                if ply.brings_wins() {
                    piece.recount::<true>(ply, rebels, number, row);
                }
            }
        }
    }
}

impl<C: Cell> Piece<'_, C> {
    /// Counts the arrivals of the sets of a row anew, and with them those of its image.
    #[inline(always)]
    fn recount<const WINS: bool>(&mut self, ply: Ply<'_>, rebels: &[OfRebels], number: usize, row: Row) {
        let image = ply.image(row.high);
        let (first, weight) = (4 * usize::from(WINS), C::weight(ply.places, row.low));
        let known = [first, first + 1].map(|count| self.counts[count][number] & weight);
        // Four variables: planes in an array with an index would be handled word by word, in memory.
        let ([mut ones, mut twos], [mut image_ones, mut image_twos]) = ([C::EMPTY; 2], [C::EMPTY; 2]);
        for (target, mirrored) in self.targets {
            let (index, high) = (&ply.indices[*target], if *mirrored { image } else { row.high });
            if !index.has(high, row.count) {
                continue;
            }
            let (slot, is_image) = index.place(high, row.count);
            let cell: C = rebels[*target].arrivals(ply.moves).asked::<WINS>().at(index, slot);
            if mirrored | is_image {
                image_twos |= image_ones & cell;
                image_ones |= cell;
            } else {
                twos |= ones & cell;
                ones |= cell;
                // Of a row that shares its slot other sets count, too: they are no matter here.
                if !WINS && known[1].minus(twos).is_empty() && known[0].minus(ones).is_empty() {
                    return;
                }
            }
        }
        let [more, both] = [image_ones, image_twos].map(|cell| cell.image(ply.places, row.low));
        let found = [ones | more, twos | both | ones & more].map(|cell| cell & weight);
        if known == found {
            return;
        }
        self.changed.add_kept(self.index, row.high);
        for (count, found) in (first..).zip(found) {
            let cells = &mut self.counts;
            cells[count][number] = cells[count][number].minus(weight) | found;
            if self.index.is_half() {
                cells[count + 2][number] = cells[count + 2][number].minus(weight) | found.image(ply.places, row.low);
            }
        }
    }
}
