//! `privy match`: matches between engines.

mod arguments;
mod ledger;
mod merge;
mod play;

pub(super) use arguments::MatchArguments;
