//! Every fuzz target: the property of the program's name, checked on inputs.
#![no_main]

mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::check(env!("CARGO_BIN_NAME"), bytes));
