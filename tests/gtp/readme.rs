//! README and documents show the actual behaviour of the program.
//!
//! `PRIVY_REGENERATE=1 cargo test --test all gtp::readme::` records the answers of the engine in the README.

use privy_records::Record;

use crate::support::binary;

fn document(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The block between the fence after `after` and its end.
fn block<'a>(text: &'a str, after: &str) -> &'a str {
    let rest = &text[text.find(after).unwrap() + after.len()..];
    let start = rest.find("```").unwrap();
    let body = &rest[start + rest[start..].find('\n').unwrap() + 1..];
    &body[..body.find("```").unwrap()]
}

/// Speed and time differ from run to run.
fn without_times(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut previous = "";
        for word in line.split(' ') {
            words.push(if ["nps", "time"].contains(&previous) { "N".to_owned() } else { word.to_owned() });
            previous = word;
        }
        words.push("\n".to_owned());
    }
    words.join(" ")
}

#[test]
fn the_first_session_answers_as_the_readme_shows() {
    let readme = document("README.md");
    let command = block(&readme, "which answers lines of text:");
    let script = command.split('\'').nth(1).unwrap().replace("\\n", "\n");
    let shown = block(&readme, "which the search proves:");
    let answered = binary::run_with_input(&mut binary::privy(), &[], &script).success();
    if std::env::var_os("PRIVY_REGENERATE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
        std::fs::write(path, readme.replacen(shown, &answered, 1)).unwrap();
    } else {
        assert_eq!(without_times(&answered), without_times(shown));
    }
}

#[test]
fn the_example_files_of_the_documents_load() {
    let document = document("docs/VARIANTS.md");
    let variant = privy_rules::Variant::from_toml(block(&document, "## A variant"), None).unwrap();
    let builtin = privy_rules::Variant::builtin(variant.id()).unwrap();
    assert_eq!(variant.fingerprint(), builtin.fingerprint());
    let extending = block(&document, "## A variant that extends another");
    let variant = privy_rules::Variant::from_toml(extending, None).unwrap();
    assert_eq!((variant.rule_set().rebels_at_most, variant.board().id.as_str()), (None, "privy"));
    let board = privy_rules::board::Board::from_toml(block(&document, "## A board")).unwrap();
    assert_eq!(board.len(), 10);
    let board = privy_rules::board::Board::from_toml(block(&document, "## A board of another shape")).unwrap();
    assert_eq!((board.len(), board.names(board.field)), (7, "c1 b2 c2 d2 b3 c3 d3".to_owned()));
    assert!(board.privy.is_empty());
    let board = privy_rules::board::Board::from_toml(block(&document, "A board that extends another")).unwrap();
    assert_eq!((board.len(), board.edges.len(), board.lines.len()), (24, 1, 16));
}

#[test]
fn the_example_records_are_sound() {
    let document = document("docs/FORMATS.md");
    let example = block(&document, "looks familiar:");
    let record: Record = example.parse().unwrap();
    assert_eq!(record.to_string(), example);
    let game = record.replay(None).unwrap();
    assert_eq!(game.outcome().unwrap().to_string(), record.termination);
    let json = block(&document, "### JSON");
    let record: Record = json.parse().unwrap();
    assert_eq!(serde_json::to_string(&record).unwrap(), json.trim_end());
    record.replay(None).unwrap();
}

#[test]
fn every_rule_key_is_explained() {
    let document = document("docs/VARIANTS.md");
    for id in privy_rules::Variant::all_ids() {
        let source = privy_rules::Variant::builtin(id).unwrap().heading.source.clone();
        for key in source.lines().filter_map(|line| line.split_once(" = ")).map(|(key, _)| key) {
            let explained = document.contains(&format!("| `{key}` |")) || document.contains(&format!("\n{key} = "));
            assert!(explained, "{key} of {id}");
        }
    }
}

/// GoGui begins with the computer as White: without the choice of a colour, the user's first click would be completed
/// by the engine.
#[test]
fn the_computers_colour_is_chosen_before_the_first_click() {
    let page = document("docs/GUIS.md").split_whitespace().collect::<Vec<_>>().join(" ");
    let step = |text: &str| page.find(text).unwrap_or_else(|| panic!("docs/GUIS.md has no {text:?}"));
    let colour = step("**Game → Computer Color → None**");
    assert!(colour < step("**Program → Attach →") && colour < step("A move is two clicks."));
    assert!(page[colour..].contains("again after **Game → New Game**"));
    assert!(step("To drop a piece that you have chosen") > step("A move is two clicks."));
}
