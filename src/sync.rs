//! Synchronisation types of the standard library. `tests/reliability` replaces them by models that try all interleavings.

pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
