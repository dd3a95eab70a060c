//! A thing for each side.

use crate::rules::Side;

/// One for the General, one for the Rebels.
#[derive(Debug, Clone, Default)]
pub(super) struct BySide<T> {
    pub(super) general: T,
    pub(super) rebels: T,
}

impl<T> BySide<T> {
    pub(super) fn of(&self, side: Side) -> &T {
        match side {
            Side::General => &self.general,
            Side::Rebels => &self.rebels,
        }
    }

    pub(super) fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::General => &mut self.general,
            Side::Rebels => &mut self.rebels,
        }
    }
}
