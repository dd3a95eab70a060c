//! x
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use privy::engine::Engine;
fn main() {
    privy::shell::run(Engine::new(), std::io::stdin(), std::io::stdout()).unwrap();
}
