//! Games that a client gets without a file: the list of the built-in ones with what is known of each, and games by
//! their text. And files that the engine must not quote.

use std::fs;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use privy_engine::{Engine, Options};
use privy_protocol::{Command, Reply};
use privy_rules::Variant;
use privy_tables::table_path;
use privy_testing::replies::replies;
use serde_json::Value;

use crate::support::binary::Home;
use crate::support::tables;

/// The smallest and the largest size of any game, with a game that has it.
#[test]
fn the_page_names_the_sizes_of_boards() {
    let page = include_str!("../../protocol/PROTOCOL.md");
    let (_, section) = page.split_once("\n### `boardsize`\n").unwrap();
    let section = section.split("\n### ").next().unwrap().replace('\n', " ");
    let size = |id: &str| Variant::builtin(id).unwrap().board().square();
    let sizes: Vec<u8> = Variant::all_ids().map(size).collect();
    assert!(sizes.iter().all(|found| (size("mysore-tiger-game")..=11).contains(found)), "{sizes:?}");
    assert!(section.contains(&format!(
        "from {} (`mysore-tiger-game`) to {}",
        size("mysore-tiger-game"),
        size("rebels-5x7")
    )));
}

/// The answers of a session with the tables of a folder.
fn answers(tables: &Path, lines: &[String]) -> Vec<Reply> {
    let mut engine = Engine::new();
    engine.set_option("tables", tables.to_str().unwrap()).unwrap();
    let mut output = Vec::new();
    privy_engine::session::run(engine, Cursor::new(lines.join("\n")), &mut output, |_| {}).unwrap();
    replies(&output)
}

fn ask(lines: &[&str]) -> Vec<Reply> {
    answers(Path::new("off"), &lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>())
}

/// An answer as the engine writes it.
fn written(reply: &Reply) -> String {
    let id = reply.id().map(|id| id.to_string()).unwrap_or_default();
    format!("{}{id} {}\n\n", if reply.is_success() { '=' } else { '?' }, reply.text())
}

/// A line that begins the game of a text.
fn by_text(text: &str) -> String {
    format!("variant {}", Value::from(text)).replace('#', "\\u0023")
}

fn catalogue(tables: &Path) -> Vec<Value> {
    let lines = ["variant monk-and-water", "play c1-c2", "list_variants verbose", "fen"].map(str::to_owned);
    let replies = answers(tables, &lines);
    assert!(replies[3].text().ends_with(" g - 1 1 monk-and-water"), "{}", replies[3].text());
    replies[2].text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_list_tells_what_is_known_of_each_game() {
    let home = Home::new();
    let games = catalogue(&home.join(""));
    assert!(games.iter().map(|game| game["id"].as_str().unwrap()).eq(Variant::all_ids()));
    for game in &games {
        let variant = Variant::builtin(game["id"].as_str().unwrap()).unwrap();
        assert_eq!(game.as_object().unwrap().len(), 14, "{game}");
        let is_relative = Variant::relative_ids().any(|id| id == variant.id());
        assert_eq!(game["family"] == "relatives", is_relative, "{game}");
        assert_eq!((&game["solved"], &game["proved"]), (&false.into(), &false.into()), "{game}");
        // Those with most positions are too large for any machine, those on few points for none.
        let is_too_large = ["subjugatio", "yeung-luk"].contains(&variant.id());
        assert!(!is_too_large || game["solvable"] == false, "{game}");
        assert!(variant.board().len() > 25 || game["solvable"] == true, "{game}");
        assert_eq!(game["over"], variant.id() == "twenty-six-murray", "{game}");
        assert_eq!(game["first"], variant.rule_set().first.to_string(), "{game}");
    }
    let of = |games: &[Value], id: &str| games.iter().find(|game| game["id"] == id).unwrap().clone();
    let known = [("title", "Wolf and Sheep"), ("first", "general")];
    assert!(known.iter().all(|(key, value)| of(&games, "wolf-and-sheep")[key] == *value));
    let hare = of(&games, "hare-and-hounds");
    assert_eq!(["general", "rebels", "rebel"].map(|key| hare[key].as_str().unwrap()), ["Hare", "Hounds", "Hound"]);
    let count = |key| of(&games, "wolf-and-sheep")[key].as_u64();
    assert_eq!((count("points"), count("rebel_count")), (Some(32), Some(4)));

    // A table of fewer Rebels than the opening has does not solve the game, and a file that is no table is none.
    let hare = Variant::builtin("hare-and-hounds").unwrap();
    tables::solve_into(&table_path(&home.join(""), &hare), &hare);
    let wolf = Variant::builtin("wolf-and-sheep").unwrap();
    fs::write(table_path(&home.join(""), &wolf), "no table").unwrap();
    let proof = "subjugatio-2e38a970641db7bd.proof.zst";
    fs::write(home.join(proof), "").unwrap();
    let games = catalogue(&home.join(""));
    let with = |key: &str| -> Vec<String> {
        games.iter().filter(|game| game[key] == true).map(|game| game["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((with("solved"), with("proved")), (vec!["hare-and-hounds".to_owned()], vec!["subjugatio".to_owned()]));
}

#[test]
fn every_built_in_game_comes_back_by_its_text() {
    for id in Variant::all_ids() {
        let shown = ask(&[&format!("variant {id}"), "show_variant", "fen"]);
        let (text, fen) = (shown[1].text(), shown[2].text());
        let position = format!("position fen {fen}");
        let again = ask(&[&by_text(text), "show_variant", "fen", &position, "variant"]);
        assert!(again[0].is_success() && again[3].is_success(), "{id}: {again:?}");
        assert_eq!((again[1].text(), again[2].text(), again[4].text()), (text, fen, id));
    }
}

#[test]
fn a_text_is_a_json_string_and_names_no_files() {
    let own =
        "# Mine, \"so\"\nid = \"mine\"\ntitle = \"\\U0001F409 ä\"\nextends = \"sixteen-rebels\"\nnotes = ['a\\b']\n";
    let fen = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 mine";
    let replies = ask(&[&by_text(own), "show_variant", "fen", &format!("position fen {fen} moves c3-b2"), "variant"]);
    assert_eq!(replies[1].text(), own.trim_end(), "the remark stays");
    assert_eq!(replies[2].text().split(' ').next_back(), Some("mine"));
    assert_eq!(replies[4].text(), "mine");
    assert!(ask(&[&by_text(own), "clear_board", "position startpos", &format!("position fen {fen}")])[3].is_success());
    assert!(ask(&[&by_text(own), "show_variant words"])[1].text().starts_with("\u{1f409} ä\n"));

    // Behind the built-in games the list tells of it, too; also where its id is that of one of them.
    for id in ["mine", "kings-gonu"] {
        let own = format!("id = \"{id}\"\ntitle = \"Own\"\nextends = \"coyote\"\nnames = {{ rebels = \"Hens\" }}\n");
        let replies = ask(&[&by_text(&own), "list_variants verbose", "variant coyote", "list_variants verbose"]);
        let last = |at: usize| serde_json::from_str::<Value>(replies[at].text().lines().last().unwrap()).unwrap();
        let told = ["id", "family", "rebels", "rebel"].map(|key| last(1)[key].as_str().unwrap().to_owned());
        assert_eq!(told, [id, "own", "Hens", "Hen"]);
        let is_kept = replies[3].text().contains("\"title\":\"Own\"");
        assert_eq!(is_kept, id == "mine", "its id is one of a built-in game");
    }
    // Its id stays known when another game is played, also by the text of a position.
    let position = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr r - 0 1 mine";
    let again = [&by_text(own), "variant coyote", &format!("position fen {position}"), "fen", "variant coyote"];
    let replies = ask(&[&again[..], &["variant mine", "variant", "list_variants"]].concat());
    assert_eq!((replies[3].text(), replies[6].text()), (position, "mine"));
    assert!(replies[7].text().ends_with("\nmine"));

    let refused = |line: &str, expected: &str| {
        let replies = ask(&["variant monk-and-water", line, "variant"]);
        assert!(written(&replies[1]).contains(expected), "{line}: {}", written(&replies[1]));
        assert_eq!(replies[2].text(), "monk-and-water");
    };
    for (wrong, expected) in [
        (r#"variant "id"#, "found at place 3: EOF while parsing a string; # begins a comment"),
        ("variant \"# a comment\"", "found at place 1: EOF while parsing a string; # begins a comment, write \\u0023"),
        ("variant \"", "? syntax error: variant: expected the text of a variant file as a JSON string"),
        (r#"variant "id" x"#, "found at place 6: trailing characters"),
        (r#"variant "\x""#, "found at place 3: invalid escape"),
        (r#"variant "\ud800""#, "hex escape"),
        ("variant \"\"", "? cannot load file: line 1: 5 keys are missing"),
        (r#"variant "id = 1\n\n= 2""#, "? cannot load file: line 3: found = 2; expected key = value"),
    ] {
        refused(wrong, expected);
    }
    let of = |key: &str, value: &str| {
        by_text(&format!("id = \"m\"\ntitle = \"\"\nextends = \"kings-gonu\"\n{key} = \"{value}\""))
    };
    refused(&of("board", "../small.toml"), "line 4: board: found \"../small.toml\"; expected alquerque, ");
    let extends = by_text("id = \"m\"\ntitle = \"\"\nextends = \"./own.toml\"");
    refused(&extends, "line 3: extends: found \"./own.toml\"; expected the id of a built-in game");
    assert!(!ask(&[&of("board", "x.toml")])[0].text().contains("board file"), "none is offered");
    let long = by_text(&format!("{own}# {}", "x".repeat(1 << 16)));
    refused(&long, "? syntax error: expected a line of at most 65536 bytes");
    assert!(ask(&[&by_text(&format!("{own}# {}", "x".repeat(60_000)))])[0].is_success());
}

/// Secrets as files of several kinds would hold them; each has the word.
const SECRET: &str = "hunter2";
const SECRETS: [&[u8]; 8] = [
    b"root:hunter2:20000:0:99999:7:::\n",
    b"hunter2 = \"hunter2\"\n",
    b"id = \"hunter2\"\ntitle = \"hunter2\"\nboard = \"hunter2\"\nopening = \"hunter2\"\nfirst = \"general\"\n",
    b"fingerprint = \"hunter2\"\n[hunter2]\nx = 1",
    b"{\"hunter2\": \"hunter2\"}\n",
    b"(;GM[1]SZ[7]RU[hunter2]C[hunter2];W[hunter2])",
    b"(hunter2",
    b"# privy proof 1 hunter2 hunter2 hunter2\nhunter2\n",
];

/// Sends the path of a file in the place of every argument of every command, and expects that no answer quotes it.
fn never_quotes(home: &Home, path: &Path, lines: impl Iterator<Item = String>, run: impl Fn(String) -> Vec<u8>) {
    let lines: String = lines.map(|line| line + "\n").collect();
    let output = run(lines);
    let text = String::from_utf8(output).unwrap();
    assert!(text.contains(path.to_str().unwrap()), "some answer names the file: {text}");
    assert!(!text.contains(SECRET) && !text.contains("0xe9"), "{}: {text}", home.join("").display());
}

#[test]
fn a_file_that_is_none_of_a_kind_is_not_quoted() {
    let home = Home::new();
    let path = home.join("secret");
    let shown = path.to_str().unwrap();
    let with_path =
        |name: &str| [format!("{name} {shown}"), format!("{name} {shown} 3"), format!("{name} weights {shown}")];
    let options = || Options::summaries().map(|(option, _)| format!("set_option {option} {shown}"));
    let is_quick = |name: &&str| !["quit", "printsgf"].contains(name);
    for secret in SECRETS.into_iter().chain([&b"\xe9\xe9hunter2"[..]]) {
        fs::write(&path, secret).unwrap();
        let own = Command::names().filter(is_quick).flat_map(with_path);
        never_quotes(&home, &path, own.chain(options()), |lines| {
            let mut output = Vec::new();
            privy_engine::session::run(Engine::new(), Cursor::new(lines), &mut output, |_| {}).unwrap();
            output
        });
        let half_moves = privy_gogui::all_names().filter(is_quick).flat_map(with_path);
        never_quotes(&home, &path, half_moves.chain(options()), |lines| {
            let (mut output, mut errors) = (Vec::new(), Vec::new());
            privy_gogui::run(Engine::new(), Cursor::new(lines), &mut output, &mut errors).unwrap();
            [output, errors].concat()
        });
        // Where the name says that it is of the kind, the error helps.
        let named = home.join("own.toml");
        fs::write(&named, secret).unwrap();
        let line = ask(&[&format!("variant {}", named.display())])[0].text().to_owned();
        assert!(!secret.starts_with(b"root") || line.contains(":1: found root:hunter2:"), "{line}");
        // A table or a proof by its name.
        let variant = Arc::clone(Engine::new().variant());
        fs::write(table_path(&home.join(""), &variant), secret).unwrap();
        let lines = ["table", "probe", "go depth 1"].map(str::to_owned);
        assert!(answers(&home.join(""), &lines).iter().all(|reply| !written(reply).contains(SECRET)));
    }
    let reply = written(&ask(&[&format!("variant {shown}")])[0]);
    assert!(reply.starts_with(&format!("? cannot load file: {shown}: expected a text in UTF-8")), "{reply}");
    fs::write(&path, SECRETS[0]).unwrap();
    let reply = written(&ask(&[&format!("variant {shown}")])[0]);
    assert!(
        reply.contains("secret:1: expected a variant or board file; what is wrong is said only of a file"),
        "{reply}"
    );
}
