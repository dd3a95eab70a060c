//! The integration tests, one program: a part of them runs by the path of its modules, such as `cargo test --test all
//! gtp::go`.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)]

mod browser;
mod cli;
mod embedding;
mod gtp;
mod reliability;
mod rules;
mod search;
mod support;
mod tablebase;
mod tournament;

/// The command line, which knows its commands and options, with its own tests.
#[allow(dead_code)]
#[path = "../src/cli/mod.rs"]
mod program;

// The tests of packages that are compiled once, not a second time as test programs.
#[path = "../src/oracle/tests/mod.rs"]
mod oracle_unit;
#[path = "../src/records/tests/mod.rs"]
mod records_unit;
#[path = "../src/rules/tests/mod.rs"]
mod rules_unit;
#[path = "../src/search/tests/mod.rs"]
mod search_unit;
#[path = "../src/tables/tests/mod.rs"]
mod tables_unit;
