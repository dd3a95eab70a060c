//! The General's free jumps.
//!
//! They lead to the same arrivals from every point but to the General's own. So it is computed once for all which sets
//! some arrival leaves not won, or lost, and which of them two or more do: where one does, it may be the own one, which
//! each state sees for itself.

use super::cells::{Cell, Cells};
use super::index::StateIndex;
use super::ones;
use super::ply::{Bits, Ply};

/// Sets by the arrivals that have a property.
#[derive(Debug)]
pub(super) struct OnesAndTwos {
    /// One arrival or more.
    ones: Cells,
    /// Two or more.
    twos: Cells,
}

impl OnesAndTwos {
    /// The sets of a slot that an arrival other than the own has.
    #[inline(always)]
    fn besides<C: Cell>(&self, index: &StateIndex<'_>, slot: usize, own: C) -> C {
        self.twos.at::<C>(index, slot) | self.ones.at::<C>(index, slot).minus(own)
    }
}

/// The arrivals of some free jumps, taken together.
#[derive(Debug)]
pub(super) struct Arrivals<'a> {
    targets: &'a [(usize, bool)],
    /// The General stands nowhere.
    index: StateIndex<'a>,
    /// Not won for the Rebels, and lost.
    not_won: OnesAndTwos,
    lost: OnesAndTwos,
    /// By slot, the rows that the last ply has changed.
    pub(super) touched: Vec<u32>,
}

impl<'a> Arrivals<'a> {
    pub(super) fn new(targets: &'a [(usize, bool)], index: StateIndex<'a>) -> Arrivals<'a> {
        let none = || OnesAndTwos { ones: Cells::empty(&index), twos: Cells::empty(&index) };
        Arrivals { targets, not_won: none(), lost: none(), touched: vec![0; index.slots as usize], index }
    }

    /// Finds the rows that the last ply has changed.
    pub(super) fn touch(&mut self, ply: Ply<'_>, touched: &mut super::rows::Touched) {
        self.touched.fill(0);
        // Nothing has been computed before the first ply of either question.
        if ply.number <= 2 {
            (0..).zip(&mut self.touched).for_each(|(slot, rows)| *rows = self.index.rows(slot));
            return;
        }
        for (target, mirrored) in self.targets {
            match ply.places.mirror().filter(|_| *mirrored) {
                Some(mirror) => touched.add_images(ply.changes[*target].rebels(ply.last()), mirror),
                None => touched.add(ply.changes[*target].rebels(ply.last())),
            }
        }
        touched.take(&self.index, &mut self.touched);
    }

    /// The sets of a row that an arrival other than the own has lost for the Rebels; `None` where the last ply has
    /// changed nothing.
    #[inline(always)]
    pub(super) fn lost<C: Cell>(&self, high: u64, own: C) -> Option<C> {
        let place = self.index.place(high).filter(|place| self.touched[place.slot] >> place.bit & 1 != 0)?;
        Some(self.lost.besides(&self.index, place.slot, own))
    }

    /// The sets of a row that an arrival other than the own has not won for the Rebels.
    #[inline(always)]
    pub(super) fn not_won<C: Cell>(&self, high: u64, own: C) -> C {
        match self.index.place(high) {
            Some(place) => self.not_won.besides(&self.index, place.slot, own),
            None => C::EMPTY,
        }
    }
}

privy_base::widest_instructions! {
    /// Computes the rows of a kind of cells that have changed anew.
    pub(super) fn refresh<C: Cell>(arrivals: &mut Arrivals<'_>, ply: Ply<'_>, bits: &[Bits]) {
        let (first, slots) = (C::first(&arrivals.index), C::count_in(&arrivals.index));
        for slot in first..first + slots {
            for bit in ones(arrivals.touched[slot]) {
                let (index, row) = (&arrivals.index, arrivals.index.row(slot, bit));
                let image = ply.image(row.high);
                let [mut not_won, mut lost] = [[C::EMPTY; 2]; 2];
                for (target, mirrored) in arrivals.targets {
                    let (index, high) = (&ply.indices[*target], if *mirrored { image } else { row.high });
                    if !index.has(high, row.count) {
                        continue;
                    }
                    let at = index.slot(high, row.count);
                    let add = |cell: C, [ones, twos]: &mut [C; 2]| {
                        let cell = if *mirrored { cell.image(ply.places, row.low) } else { cell };
                        *twos |= *ones & cell;
                        *ones |= cell;
                    };
                    if ply.brings_losses() {
                        add(bits[*target].not_won.at(index, at), &mut not_won);
                    }
                    if ply.brings_wins() {
                        add(bits[*target].lost.at(index, at), &mut lost);
                    }
                }
                let not_won = ply.brings_losses().then_some((&mut arrivals.not_won, not_won));
                let lost = ply.brings_wins().then_some((&mut arrivals.lost, lost));
                for (all, found) in [not_won, lost].into_iter().flatten() {
                    for (cells, found) in [&mut all.ones, &mut all.twos].into_iter().zip(found) {
                        let cell = &mut C::of_mut(cells)[slot - first];
                        *cell = cell.minus(cell.of_row(index, row)) | found.of_row(index, row);
                    }
                }
            }
        }
    }
}
