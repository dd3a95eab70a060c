//! Tables of perfect play as the search sees them.

use std::sync::Arc;

use crate::eval::Value;
use crate::rules::{Position, Variant};
use crate::search::Prober;
use crate::tablebase::{self, Table};

/// A table that covers some positions that a search may come to.
#[derive(Debug)]
pub(super) struct TableProber(Arc<Table>);

impl TableProber {
    /// A table as a prober.
    pub(super) fn shared(table: Arc<Table>) -> Arc<dyn Prober> {
        Arc::new(TableProber(table))
    }
}

impl Prober for TableProber {
    fn variant(&self) -> &Variant {
        self.0.variant()
    }

    fn most_rebels(&self) -> u32 {
        self.0.limit().unwrap_or(u32::MAX)
    }

    fn probe(&self, state: &Position) -> Option<Value> {
        Some(match self.0.probe_state(state).ok()? {
            tablebase::Value::Win(plies) => Value::win_in(plies),
            tablebase::Value::Draw => Value::DRAW,
            tablebase::Value::Loss(plies) => Value::loss_in(plies),
        })
    }
}
