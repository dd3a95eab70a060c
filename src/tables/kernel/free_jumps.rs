//! The General's free jumps.
//!
//! They lead to the same arrivals from every point but to the General's own. So it is computed once for all which sets
//! some arrival leaves not won, or lost, and which of them two or more do: where one does, it may be the own one, which
//! each state sees for itself.

use super::cells::{Cell, Cells};
use super::index::{Row, StateIndex};
use super::ones;
use super::ply::Ply;
use super::rebels::OfRebels;
use super::rows::{RowSet, SlotRows};

/// The arrivals of some free jumps, taken together.
#[derive(Debug)]
pub(super) struct Arrivals<'a> {
    targets: &'a [(usize, bool)],
    /// True if with each target its mirror image is one, too: then so are the counts, and half of them are computed.
    are_mirrored: bool,
    /// The General stands nowhere.
    index: StateIndex<'a>,
    /// The sets that an arrival leaves not won for the Rebels, and those that two or more do; and lost.
    not_won: [Cells; 2],
    lost: [Cells; 2],
    /// By slot, the rows in which the last ply has changed an arrival are touched.
    rows: Vec<SlotRows>,
    /// The rows in which that has changed what the jumps lead to, taken together.
    pub(super) changed: RowSet,
}

impl<'a> Arrivals<'a> {
    pub(super) fn new(targets: &'a [(usize, bool)], index: StateIndex<'a>, indices: &[StateIndex<'_>]) -> Arrivals<'a> {
        let has_image =
            |(state, mirrored): &(usize, bool)| indices[*state].is_half() || targets.contains(&(*state, !*mirrored));
        let cells = |of: fn(&StateIndex<'_>) -> Cells| [of(&index), of(&index)];
        Arrivals {
            targets,
            are_mirrored: targets.iter().all(has_image),
            not_won: cells(Cells::all),
            lost: cells(Cells::empty),
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
        touched.take(&self.index, &mut self.rows);
    }

    /// The sets of a row that an arrival other than the own has lost for the Rebels, if the last ply has changed them,
    /// or that it has not won.
    #[inline(always)]
    pub(super) fn besides<const WINS: bool, C: Cell>(&self, row: Row, own: C) -> C {
        if WINS && !self.changed.has(row.high) {
            return C::EMPTY;
        }
        let [ones, twos] = if WINS { &self.lost } else { &self.not_won };
        let (slot, _) = self.index.place(row.high, row.count);
        twos.at::<C>(&self.index, slot) | ones.at::<C>(&self.index, slot).minus(own)
    }
}

privy_base::widest_instructions! {
    /// Computes the rows of a kind of cells that have changed anew.
    pub(super) fn refresh<C: Cell>(arrivals: &mut Arrivals<'_>, ply: Ply<'_>, rebels: &[OfRebels]) {
        for slot in C::slots(&arrivals.index) {
            for bit in ones(arrivals.rows[slot].touched) {
                let row = arrivals.index.row(slot, bit);
                if ply.brings_losses() {
                    arrivals.recount::<false, C>(ply, rebels, slot, row);
                }
                if ply.brings_wins() {
                    arrivals.recount::<true, C>(ply, rebels, slot, row);
                }
            }
        }
    }
}

impl Arrivals<'_> {
    /// Counts the arrivals of the sets of a row anew, and of its image, which need not be counted then.
    #[inline(always)]
    fn recount<const WINS: bool, C: Cell>(&mut self, ply: Ply<'_>, rebels: &[OfRebels], slot: usize, row: Row) {
        let image = ply.image(row.high);
        if self.are_mirrored && image < row.high {
            return;
        }
        let all = if WINS { &mut self.lost } else { &mut self.not_won };
        let known = all.each_ref().map(|cells| cells.at::<C>(&self.index, slot).of_row(&self.index, row));
        // As they are, and mirror images.
        let mut found = [[C::EMPTY; 2]; 2];
        for (target, mirrored) in self.targets {
            let (index, high) = (&ply.indices[*target], if *mirrored { image } else { row.high });
            if !index.has(high, row.count) {
                continue;
            }
            let (slot, is_image) = index.place(high, row.count);
            let cell = rebels[*target].arrivals(ply.moves).asked::<WINS>().at::<C>(index, slot);
            let [ones, twos] = &mut found[usize::from(mirrored | is_image)];
            *twos |= *ones & cell;
            *ones |= cell;
            // Of a row that shares its slot other sets count, too: they are no matter here.
            if !WINS && known[1].minus(found[0][1]).is_empty() && known[0].minus(found[0][0]).is_empty() {
                return;
            }
        }
        let [[ones, twos], mirrored] = found;
        let [more, both] = mirrored.map(|cell| cell.image(ply.places, row.low));
        let found = [ones | more, twos | both | ones & more].map(|cell| cell.of_row(&self.index, row));
        if known == found {
            return;
        }
        self.changed.add(row.high);
        let image = Some(image).filter(|image| self.are_mirrored && *image != row.high);
        if let Some(image) = image {
            self.changed.add(image);
        }
        for ((cells, known), found) in all.iter_mut().zip(known).zip(found) {
            let cell = &mut C::vec(cells)[slot - C::first(&self.index)];
            *cell = cell.minus(known) | found;
            if let Some(image) = image {
                let cell = &mut C::vec(cells)[self.index.place(image, row.count).0 - C::first(&self.index)];
                *cell = cell.minus(C::weight(ply.places, row.low)) | found.image(ply.places, row.low);
            }
        }
    }
}
