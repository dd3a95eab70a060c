//! The tests of the protocol, one program.

use privy_protocol::GoArguments;

mod client;
mod properties;
mod requests;

/// The arguments of `go` as they are typed.
fn go_text(GoArguments { limits, infinite, search_moves }: &GoArguments) -> String {
    let mut words = vec![limits.to_string()];
    words.retain(|limits| !limits.is_empty());
    words.extend(infinite.then(|| "infinite".to_owned()));
    if !search_moves.is_empty() {
        words.push(format!("searchmoves {}", search_moves.join(" ")));
    }
    words.join(" ")
}
