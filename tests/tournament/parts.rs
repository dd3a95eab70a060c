//! Distributed matches: parts played by several processes, once merged, equal the match of one process.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::binary::{PRIVY, Ran};
use crate::support::matches::{Tournament, games_in, table, wait_until};

/// A folder in which a match is played in parts.
struct Place {
    tournament: Tournament,
    /// The arguments of the match, without file and part.
    words: Vec<String>,
}

impl Place {
    /// A match with reproducible games.
    fn new(names: &[&str], more: &[&str]) -> Place {
        let tournament = Tournament::new();
        let fixed = ["--nodes", "200", "--move-limit", "50", "--seed", "7"];
        let mut words: Vec<String> = [&fixed[..], more].concat().iter().map(|word| (*word).to_owned()).collect();
        for (at, name) in names.iter().enumerate() {
            words.extend(["--engine".to_owned(), format!("{},option.seed={at}", tournament.privy(name))]);
        }
        Place { tournament, words }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.tournament.home.join(name)
    }

    fn file(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn command<'a>(&'a self, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        self.words.iter().map(String::as_str).chain(["--file", file]).chain(more.iter().copied()).collect()
    }

    /// Plays into a file, a part if `more` names one.
    fn play(&self, name: &str, more: &[&str]) -> Ran {
        self.tournament.run(&self.command(&self.file(name), more))
    }

    /// Plays a range of pairs into a file named after it.
    fn part(&self, pairs: &str) -> Ran {
        self.play(pairs, &["--part", pairs])
    }

    fn merge(&self, names: &[&str], more: &[&str]) -> Ran {
        let files: Vec<String> = names.iter().map(|name| self.file(name)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        self.tournament.home.run(&[&["match", "merge"], &files[..], more].concat())
    }

    /// Records without the milliseconds of the moves, which vary.
    fn records(&self, name: &str) -> String {
        let text = fs::read_to_string(self.path(name)).unwrap();
        let is_time = |word: &str| word.strip_suffix("ms").is_some_and(|number| number.parse::<u64>().is_ok());
        let words: Vec<&str> = text.split([' ', '\n']).filter(|word| !is_time(word)).collect();
        words.join(" ")
    }

    /// Plays the match in one run and in parts. The merged result must be the same.
    fn check(&self, parts: &[&str]) {
        let whole = self.play("whole", &["--record", &self.file("whole-records")]).success();
        parts.iter().for_each(|pairs| drop(self.part(pairs).success()));
        let names: Vec<&str> = parts.iter().rev().copied().collect();
        let merged = self.merge(&names, &["--record", &self.file("records")]).success();
        assert_eq!(table(&merged), table(&whole));
        assert_eq!(self.records("records"), self.records("whole-records"));
        assert_eq!(table(&self.merge(&["whole"], &[]).success()), table(&whole));
    }
}

#[test]
fn merged_parts_equal_the_match_of_one_run() {
    let place = Place::new(&["a", "b"], &["--games", "8"]);
    let parts = ["1-2", "3-3", "4-9"];
    place.check(&parts);
    assert_eq!(parts.map(|part| games_in(&place.path(part))), [4, 2, 2], "pairs are not split");
    // The same in JSON, except for the times.
    let json = place.merge(&parts, &["--json"]).success();
    let summary: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(summary["games"], 8, "{json}");
    // Three engines; a part for each pair of games, and a single part.
    for parts in [&["1-1", "2-2", "3-3", "4-4", "5-5", "6-6"][..], &["1-6"]] {
        Place::new(&["a", "b", "c"], &["--games", "4"]).check(parts);
    }
}

/// One run stops at the deciding game. Parts play on, since they are independent.
#[test]
fn a_sequential_test_ends_by_the_pairs_of_all_parts() {
    let test = "elo0=0,elo1=400,alpha=0.2,beta=0.2";
    let place = Place::new(&["a", "b"], &["--games", "24", "--sprt", test]);
    place.check(&["1-6", "7-12"]);
    let (whole, parts) = (games_in(&place.path("whole")), ["1-6", "7-12"].map(|part| games_in(&place.path(part))));
    assert!(whole < 24 && parts == [12, 12], "{whole} {parts:?}");
}

#[test]
fn a_killed_part_is_resumed_by_its_command_or_its_file() {
    let place = Place::new(&["a", "b"], &["--games", "12"]);
    let whole = place.play("whole", &[]).success();
    let parts = ["1-3", "4-6"];
    let files = parts.map(|name| place.file(name));
    for (file, part) in files.iter().zip(parts) {
        let mut child = place.tournament.start(&place.command(file, &["--part", part]));
        assert!(wait_until(|| games_in(&place.path(part)) >= 2));
        child.kill().unwrap();
        child.wait().unwrap();
        place.tournament.assert_empty();
    }
    place.part("1-3").success();
    place.tournament.run(&["--trust", "--resume", &files[1]]).success();
    assert_eq!(table(&place.merge(&parts, &[]).success()), table(&whole));
    // Once more: no game remains.
    let before = fs::read(&files[0]).unwrap();
    place.part("1-3").success();
    assert_eq!(fs::read(&files[0]).unwrap(), before);
}

#[test]
fn any_match_files_are_added_up() {
    let place = Place::new(&["a", "b"], &["--games", "8"]);
    place.part("1-2").success();
    place.part("4-4").success();
    assert!(table(&place.merge(&["1-2", "4-4"], &[]).success()).starts_with("6 games: "));
    // An unfinished part with two games and half a line.
    let (first, text) = (place.path("1-2"), fs::read_to_string(place.path("1-2")).unwrap());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(&first, format!("{}{}", lines[..3].concat(), &lines[3][..100])).unwrap();
    let torn = fs::read(&first).unwrap();
    assert!(table(&place.merge(&["1-2", "4-4"], &[]).success()).starts_with("4 games: "));
    assert_eq!(fs::read(&first).unwrap(), torn, "it is only looked at");
    // On another machine, folders of engines and tables may differ: a game of the same match stands in one file.
    let text = fs::read_to_string(place.path("4-4")).unwrap();
    let elsewhere =
        text.replace("\"folder\":\"/", "\"folder\":\"/elsewhere/").replace("\"tables\":\"off\"", "\"tables\":\"auto\"");
    assert_ne!(elsewhere, text);
    fs::write(place.path("elsewhere"), elsewhere).unwrap();
    let twice = place.merge(&["4-4", "elsewhere"], &[]).failure(1);
    assert!(twice.ends_with("elsewhere: game 7 of the match is in another file, too\n"), "{twice}");
    // Games of another match, with another engine, count beside them.
    let other = Place::new(&["a", "c"], &["--games", "2", "--margin", "77"]);
    other.play("other", &[]).success();
    fs::copy(other.path("other"), place.path("other")).unwrap();
    let sum = place.merge(&["4-4", "other"], &["--record", &place.file("records")]).success();
    assert!(
        table(&sum).starts_with("4 games: ") && [" a ", " b ", " c "].iter().all(|name| sum.contains(name)),
        "{sum}"
    );
    assert_eq!(place.records("records").matches("[Variant ").count(), 4);
}

#[test]
fn wrong_parts_are_refused() {
    let place = Place::new(&["a", "b"], &["--games", "8"]);
    place.part("1-2").success();
    place.part("3-4").success();
    let refused = |names: &[&str], words: &str| {
        let message = place.merge(names, &[]).failure(1);
        assert!(message.contains(words), "{message}");
    };
    refused(&["1-2", "1-2"], "game 1 of the match is in another file, too");
    refused(&["1-2", "nowhere"], "nowhere: ");
    let text = fs::read_to_string(place.path("3-4")).unwrap();
    let changed = |from: &str, to: &str, words: &str| {
        let other = text.replacen(from, to, 1);
        assert_ne!(other, text, "{from}");
        fs::write(place.path("other"), other).unwrap();
        refused(&["1-2", "other"], words);
    };
    changed("\"name\":\"a\"", "\"name\":\"c\"", "line 2: expected a finished game: ");
    changed("\"part\":\"3-4\"", "\"part\":\"3-3\"", "line 4: expected a finished game: game 7 is none of this file");
    changed("\"part\":\"3-4\"", "\"part\":\"1-2\"", "line 2: expected a finished game: game 5 is none of this file");
    changed("\"part\":\"3-4\"", "\"part\":\"3-2\"", "expected a range of pairs such as 1-50, found \"3-2\"");
    // The file of another part or of another match is not resumed.
    let before = fs::read(place.path("1-2")).unwrap();
    for (more, differs) in [(&["--part", "3-4"][..], "part"), (&["--part", "1-2", "--margin", "77"], "margin_ms")] {
        let message = place.play("1-2", more).failure(1);
        let expected = format!("1-2: expected the match of this command, found another: {differs} differs");
        assert!(message.contains(&expected), "{message}");
    }
    assert!(place.play("1-2", &[]).failure(1).contains("there is such a file"));
    assert_eq!(fs::read(place.path("1-2")).unwrap(), before);
    // Invalid arguments.
    for part in ["0-2", "3-2", "1", "1-0", "one"] {
        let message = place.play("new", &["--part", part]).failure(2);
        assert!(message.contains("expected a range of pairs such as 1-50"), "{message}");
    }
    assert!(place.play("new", &["--part", "5-6"]).failure(2).contains("--part: expected pairs up to 4"));
    let words: Vec<&str> = place.words.iter().map(String::as_str).collect();
    assert!(place.tournament.run(&[&words[..], &["--part", "1-2"]].concat()).failure(2).contains("--file"));
    assert!(place.tournament.home.run(&["match", "merge"]).failure(2).contains("FILES"));
    assert!(!place.path("new").exists());
}

/// Figures of which the moves say nothing.
const MEASURED: [&str; 6] = ["thinking_us", "latency_us", "time", "nodes", "depth", "score"];

/// A JSON text with one of its values changed, in all ways: by `changes` of a value, nothing where something stands, a
/// list without its last item. Fields with the names `without` stay.
fn altered(value: &Value, without: &[&str], changes: fn(&Value) -> Vec<Value>) -> Vec<Value> {
    let mut all = changes(value);
    if let Value::Object(fields) = value {
        for (key, field) in fields.iter().filter(|(key, _)| !without.contains(&key.as_str())) {
            let with = |field: Value| {
                let mut fields = fields.clone();
                fields.insert(key.clone(), field);
                Value::Object(fields)
            };
            all.extend(altered(field, without, changes).into_iter().map(with));
            if !field.is_null() {
                all.push(with(Value::Null));
            }
        }
    }
    if let Value::Array(items) = value
        && let Some(last) = items.len().checked_sub(1)
    {
        all.push(json!(items[..last]));
        for at in [0, last] {
            let with = |item: Value| Value::Array([&items[..at], &[item], &items[at + 1..]].concat());
            all.extend(altered(&items[at], without, changes).into_iter().map(with));
        }
    }
    all
}

/// A number one higher, a text longer, something where nothing stands.
fn other_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => vec![json!(number.as_u64().unwrap() + 1)],
        Value::String(text) => vec![json!(format!("{text}x"))],
        Value::Null => vec![json!("general"), json!({ "draw": null })],
        _ => Vec::new(),
    }
}

/// Values that a number, a text or a list hardly has.
fn extreme_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(_) => Vec::new(),
        _ => vec![json!(0), json!(u64::MAX), json!(-1), json!(1e300), json!("\u{1b}"), json!([])],
    }
}

/// Settings that a file has from anywhere are used or refused; they crash nothing.
#[test]
fn settings_of_a_file_are_in_range_or_refused() {
    let place =
        Place::new(&["a", "b"], &["--games", "2", "--sprt", "elo0=0,elo1=30", "--adjudicate-win", "score=9,plies=6"]);
    place.play("whole", &[]).success();
    let text = fs::read_to_string(place.path("whole")).unwrap();
    let (head, games) = text.split_once('\n').unwrap();
    let all = altered(&serde_json::from_str(head).unwrap(), &[], extreme_values);
    assert!(all.len() > 150, "{}", all.len());
    for other in all {
        fs::write(place.path("other"), format!("{other}\n{games}")).unwrap();
        let ran = place.merge(&["other"], &[]);
        let is_named = ran.status == Some(0) || ran.errors.contains("/other: ");
        assert!(matches!(ran.status, Some(0 | 1)) && is_named && !ran.errors.contains("panicked"), "{other}: {ran:?}");
    }
}

/// A game in a file is believed only as far as the rules, the schedule and the settings bear it out.
#[test]
fn altered_games_are_refused() {
    let place = Place::new(&["a", "b"], &["--games", "4", "--adjudicate-draw", "score=9,plies=6"]);
    place.play("whole", &[]).success();
    let text = fs::read_to_string(place.path("whole")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let refused = |line: usize, other: &str, what: &str| {
        let mut lines = lines.clone();
        lines[line - 1] = other;
        fs::write(place.path("other"), lines.join("\n") + "\n").unwrap();
        let message = place.merge(&["other"], &[]).failure(1);
        assert!(message.contains(&format!("/other: line {line}: expected a finished game: ")), "{what}: {message}");
        message
    };
    let game: Value = serde_json::from_str(lines[2]).unwrap();
    let all = altered(&game, &MEASURED, other_values);
    assert!(all.len() > 40, "{}", all.len());
    for other in all {
        let other = other.to_string();
        refused(3, &other, &other);
    }
    let changed = |change: &dyn Fn(&mut Value), words: &str| {
        let mut other = game.clone();
        change(&mut other);
        let message = refused(3, &other.to_string(), words);
        assert!(message.contains(words), "{words}: {message}");
    };
    changed(&|game| game["report"]["pair"] = json!(77), "pair: expected 1, found 77");
    changed(&|game| game["report"]["fault"] = json!("time"), "fault: time cannot have ended this game so");
    changed(&|game| game["record"]["moves"][8]["move"] = json!("a1-g7"), "ply 9: a1-g7: ");
    let swapped = |game: &mut Value| {
        let (general, rebels) = (game["report"]["general"].clone(), game["report"]["rebels"].clone());
        (game["report"]["general"], game["report"]["rebels"]) = (rebels, general);
        let (general, rebels) = (game["record"]["general"].clone(), game["record"]["rebels"].clone());
        (game["record"]["general"], game["record"]["rebels"]) = (rebels, general);
    };
    changed(&swapped, "general: expected ");
    let flipped = |game: &mut Value| {
        let winner = if game["report"]["winner"] == "general" { "rebels" } else { "general" };
        (game["report"]["winner"], game["record"]["result"]) = (json!(winner), json!(winner));
    };
    changed(&flipped, "winner: expected ");
    // A match is not resumed with such a game either.
    let message = place.tournament.run(&["--trust", "--resume", &place.file("other")]).failure(1);
    assert!(message.contains("other: line 3: expected a finished game: game 2: "), "{message}");
}

/// The name of a program may hold anything.
#[test]
fn a_match_of_engines_with_odd_names_is_resumed_merged_and_replayed() {
    let tournament = Tournament::new();
    let names = ["priv\u{1b}[31my", "priv\u{202e}y", &"é".repeat(120), "privy"];
    let mut words: Vec<String> =
        ["--nodes", "50", "--games", "2", "--gauntlet", "--file", "match", "--record", "records"]
            .map(str::to_owned)
            .to_vec();
    for place in [6, 8] {
        words[place] = tournament.home.join(&words[place]).to_str().unwrap().to_owned();
    }
    for name in names {
        let program = tournament.home.join(name);
        std::os::unix::fs::symlink(PRIVY, &program).unwrap();
        words.extend(["--engine".to_owned(), format!("cmd=\"'{}' --tables off\"", program.display())]);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    tournament.run(&words).success();
    let file = tournament.home.join("match");
    tournament.run(&["--trust", "--resume", file.to_str().unwrap()]).success();
    let merged = tournament.home.run(&["match", "merge", file.to_str().unwrap()]).success();
    assert!(!merged.contains(['\u{1b}', '\u{202e}']), "{merged}");
    tournament.home.run(&["replay", tournament.home.join("records").to_str().unwrap()]).success();
}
