//! The tests of the protocol, one program.

mod client;
mod properties;
mod requests;
