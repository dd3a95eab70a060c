//! The page in a headless Chromium, on both of its engines, and the data that it ships.

use std::path::Path;
use std::process::Command;

use privy_rules::{Game, Variant};
use serde_json::Value;

use crate::support::{binary, tools};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The status of the script where there is no browser.
const NO_BROWSER: i32 = 77;

/// Plays on the page by clicks. axe-core looks at it, too, where its package is there.
fn play(page: Option<&Path>, options: &[&str]) {
    let mut session = Command::new("python3");
    binary::isolate(&mut session);
    session.arg(format!("{ROOT}/tests/browser/page_session.py")).arg(binary::PRIVY).args(page).args(options);
    match tools::node_modules("browser") {
        Some(modules) => _ = session.arg("--axe").arg(modules.join("axe-core/axe.min.js")),
        None => tools::skip("axe-core is not there; .ci/node fetches it"),
    }
    let output = session.output().unwrap();
    if output.status.code() == Some(NO_BROWSER) {
        return tools::skip("chromium or chromedriver is not installed");
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn the_page_is_played_by_clicks() {
    play(None, &["--quick"]);
}

#[test]
#[ignore = "release: all games, sizes and themes"]
fn the_page_is_played_by_clicks_at_length() {
    play(None, &[]);
}

#[test]
fn lessons_on_how_to_win_are_played_to_their_end() {
    let lessons: Value = serde_json::from_str(include_str!("../../src/web/lessons.json")).unwrap();
    let lessons = lessons["how_to_win"].as_object().unwrap();
    for id in ["sixteen-rebels", "hare-and-hounds", "fox-and-geese-13"] {
        let steps = lessons[id].as_array().unwrap();
        assert!(steps.len() >= 3, "{id}");
        for step in steps {
            let (text, position) = (step["text"].as_str().unwrap(), step["position"].as_str().unwrap());
            assert!(text.starts_with("Now "), "{text}");
            let after = played(position, &texts(&step["line"]));
            assert_eq!(after.variant().id(), id);
            if text.contains("Run past") || text.contains("on to c7") || text.contains("Hold all three") {
                assert!(after.outcome().is_some(), "{position}");
            }
            for move_ in texts(&step["also"]) {
                let takes = played(position, &[move_])
                    .legal_moves()
                    .into_iter()
                    .any(|reply| !reply.action().captured.is_empty());
                assert!(!takes, "{position}: {move_}");
            }
        }
    }
}

/// The modules of the page agree with their types.
#[test]
fn the_page_is_checked_by_types() {
    let Some(compiler) = tools::node_modules("browser").map(|modules| modules.join("typescript/bin/tsc")) else {
        return tools::skip("TypeScript is not there; .ci/node fetches it");
    };
    let output =
        Command::new("node").arg(compiler).args(["--project", "src/web/page"]).current_dir(ROOT).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// The imports of the modules are a tree: each imports only from modules that are joined before it.
#[test]
fn the_modules_of_the_page_import_from_below() {
    let page = include_str!("../../src/web/page.rs");
    let modules: Vec<&str> = page
        .lines()
        .filter_map(|line| line.trim().strip_prefix("include_str!(\"page/")?.strip_suffix(".js\"),"))
        .collect();
    assert!(modules.len() > 15 && modules.last() == Some(&"main"), "{modules:?}");
    for (place, module) in modules.iter().enumerate() {
        let text = std::fs::read_to_string(format!("{ROOT}/src/web/page/{module}.js")).unwrap();
        for line in text.lines().filter(|line| line.starts_with("import ")) {
            let from = line.split_once(" from \"./").and_then(|(_, from)| from.strip_suffix(".js\";")).unwrap();
            assert!(modules[..place].contains(&from), "{module}: {line}");
        }
    }
}

/// On the page that `src/web/build dev` has made.
#[test]
#[ignore = "release: src/web/build makes this page in two minutes"]
fn the_page_is_played_without_a_program_behind_it() {
    play(Some(&Path::new(ROOT).join("target/privy.html")), &[]);
}

/// The moves of a line from a position, played; the position after them.
fn played(position: &str, line: &[&str]) -> Game {
    let mut game = Game::from_text(position, None).unwrap();
    for text in line {
        let move_ = game.parse_move(None, text).unwrap_or_else(|error| panic!("{position}: {text}: {error}"));
        game.play(move_);
    }
    game
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().map(|texts| texts.iter().filter_map(Value::as_str).collect()).unwrap_or_default()
}

#[test]
fn lessons_say_the_rules_and_their_moves_do_what_they_say() {
    let lessons: Value = serde_json::from_str(include_str!("../../src/web/lessons.json")).unwrap();
    let family = privy_rules::games::all().iter().filter(|game| !game.is_relative());
    for variant in family.map(|game| Variant::builtin(game.id).unwrap()) {
        let steps = lessons[variant.id()].as_array().unwrap_or_else(|| panic!("{} has a lesson", variant.id()));
        assert!((6..=10).contains(&steps.len()), "{}: {}", variant.id(), steps.len());
        let sentences = variant.rules_in_words();
        let mut ends = 0;
        for step in steps {
            let (text, position) = (step["text"].as_str().unwrap(), step["position"].as_str().unwrap());
            let is_rule = sentences.iter().any(|sentence| text.starts_with(sentence.as_str()));
            assert!(is_rule || text.starts_with("Now "), "{}: {text}", variant.id());
            for first in texts(&step["line"]).into_iter().chain(texts(&step["also"])) {
                let before = Game::from_text(position, None).unwrap();
                assert_eq!(before.variant().id(), variant.id());
                let after = played(position, &[first]);
                if text.contains("Win now") {
                    let winner = after.outcome().and_then(|outcome| outcome.winner());
                    assert_eq!(winner, Some(before.side()), "{position}: {first}");
                    ends += 1;
                }
                if text.contains("Take ") {
                    assert!(after.position().rebels().len() < before.position().rebels().len(), "{position}: {first}");
                }
            }
        }
        assert!(ends > 0, "{}: no step wins", variant.id());
    }
}
