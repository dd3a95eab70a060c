//! Which numbers of Rebels a table covers.
//!
//! Captures lead from more Rebels to fewer, so the positions with at most so many can be solved without the others.

use crate::rules::Variant;

use super::TableError;
use super::header::space_of;

/// The numbers of Rebels that a table covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coverage {
    least: u32,
    most: u32,
    /// 0 or 1 where Rebels only fall in pairs.
    parity: Option<u32>,
    /// The most that there are in a game.
    opening: u32,
}

impl Coverage {
    /// All that captures can reach from the opening.
    pub(super) fn whole(variant: &Variant) -> Coverage {
        let opening = variant.opening().rebels().len();
        let least = (variant.rules().rebels_at_most + 1).max(0) as u32;
        Coverage { least, most: opening, parity: space_of(variant).parity(), opening }
    }

    /// Those up to a number; all when none is given.
    ///
    /// # Errors
    /// When no position or none more has so many Rebels.
    pub(super) fn up_to(variant: &Variant, most: Option<u32>) -> Result<Coverage, TableError> {
        let whole = Coverage::whole(variant);
        let Some(found) = most else { return Ok(whole) };
        let least = whole.layers().next().unwrap_or(whole.least);
        if !(least..=whole.opening).contains(&found) {
            let variant = variant.id().to_owned();
            return Err(TableError::Rebels { variant, found, least, most: whole.opening });
        }
        Ok(whole.limited(found))
    }

    /// Of these numbers, those up to another.
    pub(super) fn limited(self, most: u32) -> Coverage {
        let last = self.layers().take_while(|rebels| *rebels <= most).last();
        Coverage { most: last.unwrap_or(0), ..self }
    }

    /// The numbers, fewest first.
    pub(super) fn layers(self) -> impl Iterator<Item = u32> {
        (self.least..=self.most).filter(move |rebels| self.parity.is_none_or(|parity| rebels % 2 == parity))
    }

    /// The fewest and the most with which the game goes on.
    #[inline(always)]
    pub(super) fn range(self) -> std::ops::RangeInclusive<u32> {
        self.least..=self.most
    }

    /// The most.
    #[inline(always)]
    pub(super) fn most(self) -> u32 {
        self.most
    }

    /// The most, where games have more.
    pub(super) fn limit(self) -> Option<u32> {
        (self.most < self.opening).then_some(self.most)
    }
}
