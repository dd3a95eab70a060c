//! Build script: which programs the tests find, so that a test without its program is ignored and not passed.

#![allow(clippy::print_stdout)]

use std::path::PathBuf;

/// A configuration, and the programs of which each group must have one on the `PATH`.
const TOOLS: [(&str, &[&[&str]]); 2] = [
    ("has_chromium", &[&["chromium", "chromium-browser"], &["chromedriver"], &["python3"]]),
    ("has_node", &[&["node", "node.exe"], &["npm", "npm.cmd"]]),
];

/// Tells the compiler what is installed. What is installed later counts after the next build of this script.
fn main() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let is_installed = |name: &&str| folders.iter().any(|folder| folder.join(name).is_file());
    println!("cargo::rerun-if-changed=tests/tools.rs");
    for (name, groups) in TOOLS {
        println!("cargo::rustc-check-cfg=cfg({name})");
        if groups.iter().all(|names| names.iter().any(is_installed)) {
            println!("cargo::rustc-cfg={name}");
        }
    }
}
