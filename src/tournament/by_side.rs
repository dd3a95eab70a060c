//! A thing for each side.

use crate::rules::Side;

/// One for the General, one for the Rebels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct BySide<T> {
    pub(crate) general: T,
    pub(crate) rebels: T,
}

impl<T> BySide<T> {
    pub(crate) fn of(&self, side: Side) -> &T {
        match side {
            Side::General => &self.general,
            Side::Rebels => &self.rebels,
        }
    }

    pub(crate) fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::General => &mut self.general,
            Side::Rebels => &mut self.rebels,
        }
    }
}
