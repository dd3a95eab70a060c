//! Every JSON that the command line writes has the keys and types that docs/FORMATS.md gives it.

use std::collections::BTreeMap;
use std::fs;

use privy_rules::Variant;
use serde_json::{Value, json};

use crate::support::binary::{Home, PRIVY, SMALL_VARIANT, run_with_input};

/// The tables of keys in the section on JSON of docs/FORMATS.md, by their headings: of each key its type.
fn documented() -> BTreeMap<String, BTreeMap<String, String>> {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/FORMATS.md")).unwrap();
    let (_, section) = page.split_once("\n## 7. JSON\n").unwrap();
    let parts = section.split("\n### ").skip(1).filter(|part| part.starts_with('`'));
    let parsed = parts.map(|part| {
        let (heading, text) = part.split_once('\n').unwrap();
        // What is read has a table, too; what is written comes last.
        let table = text.rsplit("| key | type | meaning |\n").next().unwrap();
        let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
        let keys = rows.flat_map(|row| {
            let cells: Vec<&str> = row.split(" | ").collect();
            let keys = cells[0].split('`').skip(1).step_by(2).map(str::to_owned);
            keys.map(|key| (key, cells[1].to_owned())).collect::<Vec<_>>()
        });
        (heading.replace('`', ""), keys.collect())
    });
    parsed.collect()
}

/// Holds an object against the keys below a prefix: each is known, has its type, and is there unless it may be missing.
fn check_keys(keys: &BTreeMap<String, String>, prefix: &str, object: &Value) {
    let object = object.as_object().unwrap_or_else(|| panic!("{prefix}: {object}"));
    for (key, value) in object {
        let path = format!("{prefix}{key}");
        let kind = keys.get(&path).unwrap_or_else(|| panic!("{path} is not documented: {object:?}"));
        let is_right = match value {
            Value::Null => kind.contains("or null") || kind == "any",
            Value::Bool(_) => kind == "truth" || kind == "any",
            Value::Number(_) => kind.starts_with("number") || kind == "any",
            Value::String(_) => kind.starts_with("text") || kind == "any",
            Value::Array(values) => {
                values.iter().filter(|value| value.is_object()).for_each(|value| {
                    check_keys(keys, &format!("{path}[]."), value);
                });
                kind.starts_with("list") || kind == "any"
            }
            Value::Object(_) if kind == "any" => true,
            // Its keys may be those of another: `object, as X`.
            Value::Object(_) => {
                check_keys(keys, &format!("{}.", kind.split('`').nth(1).unwrap_or(&path)), value);
                kind.starts_with("object")
            }
        };
        assert!(is_right, "{path} is {value}, documented as {kind}");
    }
    let own = keys.iter().filter_map(|(key, kind)| Some((key.strip_prefix(prefix)?, kind)));
    for (key, kind) in own.filter(|(key, _)| !key.contains(['.', '['])) {
        assert!(object.contains_key(key) || kind.contains('?'), "{prefix}{key} is missing: {object:?}");
    }
}

#[test]
fn every_json_is_as_the_page_says() {
    let home = Home::new();
    let known = documented();
    let mut checked: Vec<&str> = Vec::new();
    let mut check = |form, arguments: &[&str], input: &str, lines: usize| {
        let ran = run_with_input(&mut home.privy(), arguments, input);
        let found =
            serde_json::Deserializer::from_str(&ran.output).into_iter().collect::<Result<Vec<Value>, _>>().unwrap();
        assert_eq!(found.len(), lines, "{arguments:?}: {ran:?}");
        for object in &found {
            let is_error = form == "privy analyze" && object.get("error").is_some();
            check_keys(&known[if is_error { "privy analyze: errors" } else { form }], "", object);
        }
        checked.push(form);
        found
    };
    let table = check("privy tables list", &["solve", SMALL_VARIANT, "--json"], "", 1);
    assert!(table[0]["time"].is_u64() && table[0]["opening"] == json!({"value": "win", "plies": 23}), "{table:?}");
    let again = check("privy tables list", &["solve", SMALL_VARIANT, "--json"], "", 1);
    let described = check("privy tables list", &["tables", "list", SMALL_VARIANT, "--json"], "", 1);
    assert!(again == described && described[0].get("time").is_none());
    let listed = check("privy tables list", &["tables", "list", "--json"], "", 1);
    assert_eq!((&listed[0]["path"], &listed[0]["bytes"]), (&described[0]["path"], &described[0]["bytes"]));
    let lines = "{\"id\":{},\"moves\":[]}\nrubbish\n{\"multi_pv\":2}\n{\"position\":\"\"}\n";
    let analyze = ["analyze", "--variant", SMALL_VARIANT, "--nodes", "50"];
    check("privy analyze", &analyze, lines, 4);
    check("privy analyze", &[&analyze[..], &["--tables", "off", "--level", "2"]].concat(), lines, 4);
    let go = ["go", SMALL_VARIANT, "--json", "--nodes", "50", "--multi-pv", "3", "--tables"];
    check("privy go", &[&go[..], &["auto"]].concat(), "", 1);
    check("privy go", &[&go[..], &["off"]].concat(), "", 1);
    let drawn = check("privy board", &["board", SMALL_VARIANT, "--json"], "", 1);
    assert_eq!(drawn[0]["position"], "1/3/rrGrr/5/rrrrr r - 0 0 three-rows");
    let probe = ["probe", SMALL_VARIANT, "--json"];
    assert_eq!(check("privy probe", &probe, "", 1)[0]["plies"], 23);
    let moves = check("privy probe", &[&probe[..], &["--moves"]].concat(), "", 1);
    assert_eq!(moves[0]["moves"][0]["plies"], 23);
    let batch = "1/3/rrGrr/1r3/1rrrr g\n1/3/rrGrr/5/rrrrr\nrubbish\nG/3/r4/1r1r1/r3r r\n";
    let answers = check("privy probe", &[&probe[..], &["--batch", "-"]].concat(), batch, 4);
    assert_eq!(answers[0]["plies"], Value::Null, "a draw");
    assert_eq!(answers[3]["over"], "general wins: apex");
    let games = check("privy variants list", &["variants", "list", "--json"], "", Variant::all_ids().count());
    assert_eq!(games[0]["fingerprint"], Variant::builtin("sixteen-rebels").unwrap().fingerprint());
    check("privy perft", &["perft", "sixteen-rebels", "3", "--json"], "", 1);
    let divided = check("privy perft", &["perft", "sixteen-rebels", "2", "--json", "--divide"], "", 1);
    assert_eq!(divided[0]["moves"].as_array().unwrap().len(), 8);
    let players = ["a", "b"].map(|name| format!("cmd='{PRIVY}',name={name},nodes=10,option.tables=off"));
    let games = ["match", "--variant", SMALL_VARIANT, "--games", "2", "--sprt", "elo0=0,elo1=10", "--json"];
    let played =
        check("privy match", &[&games[..], &["--engine", &players[0], "--engine", &players[1]]].concat(), "", 1);
    assert_eq!(played[0]["games"], 2);
    let examined = check("privy compliance", &["compliance", "--json", "--engine", "cmd=cat"], "", 1);
    assert_eq!((&examined[0]["passed"], &examined[0]["steps"][0]["sent"]), (&json!(0), &json!(["name"])));
    // Those of the laboratory are tested there.
    let elsewhere = ["privy analyze: errors", "privy-lab measure"];
    let unchecked =
        known.keys().filter(|form| !checked.contains(&form.as_str()) && !elsewhere.contains(&form.as_str()));
    assert_eq!(unchecked.collect::<Vec<_>>(), Vec::<&String>::new());
}
