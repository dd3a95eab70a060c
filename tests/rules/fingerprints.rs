//! Fingerprints of the built-in variants stay what they are: tables and records carry them.

use privy::rules::Variant;

#[test]
fn fingerprints_are_those_on_record() {
    let lines = include_str!("../support/fingerprints.txt").lines().filter(|line| !line.starts_with('#'));
    let recorded: Vec<String> = lines.map(str::to_owned).collect();
    let variants = Variant::builtin_ids().filter_map(Variant::builtin);
    let present: Vec<String> = variants.map(|variant| format!("{} {}", variant.id(), variant.fingerprint())).collect();
    assert_eq!(recorded, present);
    assert_eq!(recorded.len(), 14);
}
