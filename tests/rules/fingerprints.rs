//! The fingerprints of the built-in variants do not change: tables and records carry them.

use privy_rules::Variant;
use privy_rules::games;

#[test]
fn fingerprints_are_the_recorded_ones() {
    for files in games::all() {
        let recorded: toml::Table = files.game.parse().unwrap();
        let keys: &[&str] =
            if files.is_relative() { &["end", "fingerprint", "order"] } else { &["family", "fingerprint", "order"] };
        assert!(recorded.keys().eq(keys), "{}", files.id);
        assert_eq!(recorded["fingerprint"].as_str(), Some(Variant::builtin(files.id).unwrap().fingerprint()));
    }
    assert_eq!(games::all().iter().filter(|files| !files.is_relative()).count(), 14);
}
