//! An independent client: the npm library `@sabaki/gtp` of the GUI Sabaki. It is installed into the target folder with node and
//! npm; without them the test is ignored.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::binary;

/// The name of npm on this system.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

const FILES: [&str; 4] = [".npmrc", "package.json", "package-lock.json", "session.js"];

#[test]
#[cfg_attr(not(has_node), ignore = "node and npm are not installed")]
fn sabaki_plays_syncs_and_undoes() {
    let home = binary::Home::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sabaki");
    for file in FILES {
        fs::copy(source.join(file), home.join(file)).unwrap();
    }
    let installed = Command::new(NPM).arg("ci").current_dir(home.join("")).output().unwrap();
    assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
    let mut session = Command::new("node");
    session.arg(home.join("session.js")).arg(binary::PRIVY);
    binary::isolate(&mut session);
    let output = session.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().filter(|line| line.ends_with(": ok")).count(), 5);
}

#[test]
fn lock_files_name_no_host() {
    for folder in ["sabaki", "web"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder).join("package-lock.json");
        let lock = fs::read_to_string(path).unwrap();
        assert!(lock.contains("\"integrity\"") && !lock.contains("://"), "{folder}: {lock}");
    }
}
