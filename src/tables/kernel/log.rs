//! What plies decide: a list of entries for each piece of a state.
//!
//! An entry has a slot, a ply, the side that wins, and the bits of the positions: their indices where they are few, else the whole plane.
//! The log of a layer is written as its plies are computed, and read once, when the values are made of it. The values of captures have
//! the same form, sorted by ply: a *queue*, in which each ply reads what is due.

use super::plane::{BITS, Plane};

/// Slots of a piece of a state: what one task of a pass computes.
pub(super) const PIECE: usize = 256;

/// The first slots of the pieces of a state, and how many each has.
pub(super) fn pieces(slots: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..slots).step_by(PIECE).map(move |first| (first, PIECE.min(slots - first)))
}

/// More bits than this are written as a plane.
const MOST_SINGLE: usize = BITS / 16 - 1;
/// In place of their number.
const WHOLE: usize = 0xff;

/// Positions of a slot that a ply decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The slot in its piece.
    pub(super) slot: usize,
    pub(super) ply: u32,
    /// True if the side to move wins.
    pub(super) wins: bool,
    bits: &'a [u16],
}

impl Entry<'_> {
    /// The positions of the slot.
    pub(super) fn plane(&self) -> Plane {
        if self.bits.len() > MOST_SINGLE {
            return Plane::of_quarters(self.bits);
        }
        let mut plane = Plane::EMPTY;
        self.bits.iter().for_each(|bit| plane.set(usize::from(*bit)));
        plane
    }

    /// Calls `each` with the indices.
    #[inline(always)]
    pub(super) fn for_each(&self, mut each: impl FnMut(usize)) {
        if self.bits.len() > MOST_SINGLE {
            Plane::of_quarters(self.bits).for_each(each);
        } else {
            self.bits.iter().for_each(|bit| each(usize::from(*bit)));
        }
    }
}

/// The entries of a piece.
#[derive(Debug, Default)]
pub(super) struct Log(Vec<u16>);

impl Log {
    #[inline(always)]
    fn push_head(&mut self, slot: usize, ply: u32, wins: bool, bits: usize) {
        self.0.extend([(slot % PIECE + (bits << 8)) as u16, (ply << 1) as u16 | u16::from(wins)]);
    }

    /// Adds positions of a slot that a ply decides.
    #[inline(always)]
    pub(super) fn push(&mut self, slot: usize, ply: u32, wins: bool, plane: &Plane) {
        let count = plane.count() as usize;
        if count > MOST_SINGLE {
            self.push_head(slot, ply, wins, WHOLE);
            let quarters = |word: &u64| [*word, word >> 16, word >> 32, word >> 48].map(|quarter| quarter as u16);
            self.0.extend(plane.words().iter().flat_map(quarters));
        } else if count > 0 {
            self.push_head(slot, ply, wins, count);
            self.0.reserve(count);
            plane.for_each(|bit| self.0.push(bit as u16));
        }
    }

    /// Adds positions by their indices.
    fn push_bits(&mut self, slot: usize, ply: u32, wins: bool, bits: &[u16]) {
        if bits.len() > MOST_SINGLE {
            let mut plane = Plane::EMPTY;
            bits.iter().for_each(|bit| plane.set(usize::from(*bit)));
            self.push(slot, ply, wins, &plane);
        } else if !bits.is_empty() {
            self.push_head(slot, ply, wins, bits.len());
            self.0.extend_from_slice(bits);
        }
    }

    /// The entry that begins at a place, and the place after it.
    #[inline(always)]
    fn entry(&self, place: usize) -> Option<(Entry<'_>, usize)> {
        let [head, ply] = *self.0.get(place..place + 2)? else { return None };
        let bits = match usize::from(head >> 8) {
            WHOLE => BITS / 16,
            bits => bits,
        };
        let bits = &self.0[place + 2..place + 2 + bits];
        let entry = Entry { slot: usize::from(head) % PIECE, ply: u32::from(ply >> 1), wins: ply & 1 != 0, bits };
        Some((entry, place + 2 + bits.len()))
    }

    /// The entries in their order.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut place = 0;
        std::iter::from_fn(move || {
            let (entry, next) = self.entry(place)?;
            place = next;
            Some(entry)
        })
    }
}

/// Entries sorted by ply, of which each ply takes what is due.
#[derive(Debug, Default)]
pub(super) struct Queue {
    entries: Log,
    /// Where the first entry begins that is not due yet.
    next: usize,
    /// The last ply of an entry.
    pub(super) last: u32,
}

impl Queue {
    /// Takes the entries that are due in a ply, in the order of their slots for each winner.
    pub(super) fn take(&mut self, ply: u32) -> impl Iterator<Item = Entry<'_>> {
        let (entries, next) = (&self.entries, &mut self.next);
        std::iter::from_fn(move || {
            let (entry, after) = entries.entry(*next).filter(|(entry, _)| entry.ply == ply)?;
            *next = after;
            Some(entry)
        })
    }
}

/// A queue in the making: the positions of one slot after the other, each with what is due.
#[derive(Debug, Default)]
pub(super) struct QueueMaker {
    /// By ply and winner, the bits of the slot.
    bits: Vec<Vec<u16>>,
    /// The plies and winners with any.
    used: Vec<u16>,
    /// By ply and winner, the entries of all slots.
    entries: Vec<Log>,
}

impl QueueMaker {
    /// Adds a position of the slot.
    #[inline(always)]
    pub(super) fn push(&mut self, index: usize, ply: u32, wins: bool) {
        let key = (ply << 1) as usize | usize::from(wins);
        if key >= self.bits.len() {
            self.bits.resize_with(key + 1, Vec::new);
            self.entries.resize_with(key + 1, Log::default);
        }
        let bits = &mut self.bits[key];
        if bits.is_empty() {
            self.used.push(key as u16);
        }
        bits.push(index as u16);
    }

    /// Ends a slot.
    pub(super) fn end_slot(&mut self, slot: usize) {
        for key in self.used.drain(..) {
            let bits = &mut self.bits[usize::from(key)];
            self.entries[usize::from(key)].push_bits(slot, u32::from(key >> 1), key & 1 != 0, bits);
            bits.clear();
        }
    }

    /// The queue of the slots.
    pub(super) fn end(&mut self) -> Queue {
        let last = self.entries.iter().rposition(|entries| !entries.0.is_empty()).unwrap_or(0) as u32 / 2;
        let mut all = Vec::with_capacity(self.entries.iter().map(|entries| entries.0.len()).sum());
        for entries in &mut self.entries {
            all.append(&mut entries.0);
        }
        Queue { entries: Log(all), next: 0, last }
    }
}
