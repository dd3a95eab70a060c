//! Build script: which programs the tests find, so that a test without its program is ignored and not passed.

#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::process::Command;

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
    println!("cargo::rustc-check-cfg=cfg(has_wasm)");
    if is_installed(&"wasm-ld-19") || has_target("wasm32-unknown-unknown") {
        println!("cargo::rustc-cfg=has_wasm");
    }
}

/// True if the compiler has the standard library of a target.
fn has_target(target: &str) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = Command::new(rustc).args(["--print", "sysroot"]).output();
    asked.is_ok_and(|asked| {
        let root = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
        PathBuf::from(root).join("lib/rustlib").join(target).is_dir()
    })
}
