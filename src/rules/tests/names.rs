//! Names of the sides, given and derived.

use super::*;
use privy_rules::toml_file::RuleValue;

fn names(given: &str) -> Names {
    Names::read(&privy_rules::toml_file::Entry::parse(None, None, given).unwrap(), &[]).unwrap()
}

#[test]
fn what_is_left_out_follows() {
    let all = |names: Names| [names.general, names.rebels, names.rebel];
    assert_eq!(all(names("")), ["General", "Rebels", "Rebel"]);
    assert_eq!(all(names("rebels = \"Hounds\"")), ["General", "Hounds", "Hound"]);
    assert_eq!(all(names("rebels = \"Sheep\"")), ["General", "Sheep", "Sheep"]);
    assert_eq!(all(names("rebels = \"s\"")), ["General", "s", "s"]);
    assert_eq!(all(names("general = \"Fox\"\nrebel = \"Goose\"")), ["Fox", "Rebels", "Goose"]);
}

#[test]
fn a_text_is_told_in_the_names_and_nothing_else_changes() {
    let in_names = |given: &str, text: &str| names(given).in_names(text);
    let text = "A Rebel takes the General's place, é: Rebels' a1. rebels_at_most: no Rebel, a General, Rebellion";
    assert_eq!(in_names("", text), text);
    // A name that is one of the words is not in_names again.
    let odd = "general = \"Rebel\"\nrebels = \"Apes and Rebels\"\nrebel = \"Ape\"";
    let expected = "An Ape takes the Rebel's place, é: Apes and Rebels' a1. rebels_at_most: no Ape, a Rebel, Rebellion";
    assert_eq!(in_names(odd, text), expected);
    let caption = names("rebels = \"Hounds\"").protocol_text_in_names("general to move, ply 0, 1 rebel, 3 rebels");
    assert_eq!(caption, "General to move, ply 0, 1 Hound, 3 Hounds");
}
