//! What threads share, by the names of the standard library. `tests/reliability` puts models in their place that try all orders.

pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
