//! The General's free jumps.
//!
//! They lead to the same arrivals from every point but to the General's own. So it is computed once for all which sets some arrival leaves
//! not won, or lost, and which of them two or more do: where one does, it may be the own one, which each state sees for itself.

use super::Ones;
use super::index::StateIndex;
use super::plane::Plane;
use super::ply::{Bits, Ply};

/// Sets by the arrivals that have a property.
#[derive(Debug, Default)]
pub(super) struct OnesAndTwos {
    /// One arrival or more.
    ones: Vec<Plane>,
    /// Two or more.
    twos: Vec<Plane>,
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
        let none = || OnesAndTwos {
            ones: vec![Plane::EMPTY; index.slots as usize],
            twos: vec![Plane::EMPTY; index.slots as usize],
        };
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
            match ply.mirror.filter(|_| *mirrored) {
                Some(mirror) => touched.add_images(ply.changes[*target].rebels(ply.last()), mirror),
                None => touched.add(ply.changes[*target].rebels(ply.last())),
            }
        }
        touched.take(&self.index, &mut self.touched);
    }

    /// The sets of a row that an arrival other than the own has lost for the Rebels; `None` where the last ply has changed nothing.
    #[inline(always)]
    pub(super) fn lost(&self, high: u64, own: Plane) -> Option<Plane> {
        let place = self.index.place(high).filter(|place| self.touched[place.slot] >> place.bit & 1 != 0)?;
        Some(self.lost.twos[place.slot] | self.lost.ones[place.slot].minus(own))
    }

    /// The sets of a row that an arrival other than the own has not won for the Rebels.
    #[inline(always)]
    pub(super) fn not_won(&self, high: u64, own: Plane) -> Plane {
        match self.index.place(high) {
            Some(place) => self.not_won.twos[place.slot] | self.not_won.ones[place.slot].minus(own),
            None => Plane::EMPTY,
        }
    }
}

privy_base::widest_instructions! {
    /// Computes the rows that have changed anew.
    pub(super) fn refresh(arrivals: &mut Arrivals<'_>, ply: Ply<'_>, bits: &[Bits]) {
        for slot in 0..arrivals.index.slots as usize {
            let parity = arrivals.index.parity(slot);
            for bit in Ones(arrivals.touched[slot]) {
                let (row, image) = (arrivals.index.row(slot, bit), ply.image(arrivals.index.row(slot, bit).high));
                let weight = *arrivals.index.weight(row.low);
                let [mut not_won, mut lost] = [[Plane::EMPTY; 2]; 2];
                for (target, mirrored) in arrivals.targets {
                    let (index, high) = (&ply.indices[*target], if *mirrored { image } else { row.high });
                    if !index.has(high, row.count) {
                        continue;
                    }
                    let at = index.slot(high, row.count);
                    let add = |plane: Plane, [ones, twos]: &mut [Plane; 2]| {
                        let mirror = ply.mirror.filter(|_| *mirrored);
                        let plane = mirror.map_or(plane, |mirror| mirror.low.image(plane, parity));
                        *twos |= *ones & plane;
                        *ones |= plane;
                    };
                    if ply.brings_losses() {
                        add(bits[*target].not_won[at], &mut not_won);
                    }
                    if ply.brings_wins() {
                        add(bits[*target].lost[at], &mut lost);
                    }
                }
                for (is_asked, all, [ones, twos]) in [
                    (ply.brings_losses(), &mut arrivals.not_won, not_won),
                    (ply.brings_wins(), &mut arrivals.lost, lost),
                ] {
                    if is_asked {
                        all.ones[slot] = all.ones[slot].minus(weight) | ones & weight;
                        all.twos[slot] = all.twos[slot].minus(weight) | twos & weight;
                    }
                }
            }
        }
    }
}
