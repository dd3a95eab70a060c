//! `privy match`: matches between engines.

mod arguments;
mod ledger;
mod play;

pub(super) use arguments::MatchArguments;
