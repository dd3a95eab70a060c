//! `privy-page MODULE` writes the page that needs nothing but itself. MODULE is the session compiled for WebAssembly;
//! `build` calls this.

#[cfg(not(target_family = "wasm"))]
fn main() -> std::io::Result<()> {
    use std::io::{self, Write as _};

    let path = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: privy-page MODULE"))?;
    let page = privy_web::page(&privy_web::Begin::default(), Some(&std::fs::read(path)?))?;
    io::stdout().write_all(page.as_bytes())
}

#[cfg(target_family = "wasm")]
fn main() {}
