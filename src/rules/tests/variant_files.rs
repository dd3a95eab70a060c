//! Variant files: the built-in ones, fingerprints, and refusals.

use std::collections::HashMap;
use std::fs;

use super::*;
use privy_rules::rule_set::{
    ApexRule, BottomRule, ForwardRule, JumpLines, JumpRows, JumpRule, LeapRule, MoveLimitRule, NoMove, OrthogonalSteps,
    RuleSet, StandoffRule, StaticRule,
};
use privy_rules::toml_file::{Entry, check_keys};

fn read(text: &str) -> Result<Variant, VariantError> {
    Variant::from_toml(text, None)
}

fn refusal(text: &str) -> String {
    match read(text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// The file of the default variant with one line more at its end.
fn with_line(line: &str) -> String {
    format!("{}\n{line}\n", variant(DEFAULT_VARIANT).heading.source)
}

/// The file of the default variant, one line of it replaced.
fn with_key(key: &str, line: &str) -> String {
    let source = variant(DEFAULT_VARIANT).heading.source.clone();
    let start = format!("{key} = ");
    assert_eq!(source.lines().filter(|line| line.starts_with(&start)).count(), 1, "{key}");
    source.lines().map(|old| if old.starts_with(&start) { line } else { old }).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_board_may_stand_in_the_file_of_its_game() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunts");
    let apart = Variant::from_file(&folder.join("rimoe.toml")).unwrap();
    let [game, board] = ["rimoe.toml", "rimoe-board.toml"].map(|name| fs::read_to_string(folder.join(name)).unwrap());
    let lines = |text: &str, left_out: &[&str]| -> String {
        let kept = text.lines().filter(|line| !left_out.iter().any(|start| line.starts_with(start)));
        kept.map(|line| format!("{}\n", line.replace("[points]", "[board.points]"))).collect()
    };
    let text = lines(&game, &["board ="]) + "[board]  # its own\n" + &lines(&board, &["id =", "title ="]);
    let together = read(&text).unwrap();
    assert_eq!(together.fingerprint(), apart.fingerprint());
    assert_eq!((together.board().id.as_str(), together.heading.source.as_str()), ("rimoe", text.as_str()));
    let extended = read(
        "id = \"a\"\ntitle = \"A\"\nextends = \"kings-gonu\"\nopening = \"1/G/1/1\"\n[board]\nlines = [\"a1-a2-a3-a5\"]\nfield = { files = 1, rows = 4 }\n",
    );
    let error = extended.unwrap_err().to_string();
    assert!(error.starts_with("line 6: board.lines: ") && error.contains("a5"), "{error}");
    assert!(refusal(&format!("board = \"privy\"\n{text}")).starts_with("line "));
}

#[test]
fn the_fourteen_files_load() {
    let ids: Vec<&str> = Variant::builtin_ids().collect();
    assert_eq!(ids.len(), 14);
    assert_eq!(ids.first(), Some(&DEFAULT_VARIANT));
    for id in ids.into_iter().chain(Variant::relative_ids()) {
        let variant = variant(id);
        assert_eq!(variant.id(), id);
        assert!(!variant.heading.title.is_empty() && !variant.heading.notes.is_empty(), "{id}");
        let again = read(&variant.heading.source).unwrap();
        assert_eq!(again.fingerprint(), variant.fingerprint(), "{id}");
        assert_eq!(again.rule_set(), variant.rule_set(), "{id}");
    }
    assert!(Variant::builtin("Sixteen-rebels").is_none());
}

#[test]
fn every_built_in_game_has_rules_of_its_own() {
    let mut met = HashMap::new();
    for variant in variants() {
        let fingerprint = variant.fingerprint().to_owned();
        assert!(fingerprint.len() == 16 && fingerprint.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c)));
        if let Some(other) = met.insert(fingerprint, variant.id().to_owned()) {
            panic!("{} and {other} have one fingerprint", variant.id());
        }
    }
}

#[test]
fn the_fingerprint_depends_on_the_rules_alone() {
    let fingerprint = variant(DEFAULT_VARIANT).fingerprint().to_owned();
    let of = |text: &str| read(text).unwrap().fingerprint().to_owned();
    assert_eq!(of(&with_key("id", "id = \"other\"")), fingerprint);
    assert_eq!(of(&with_key("title", "title = \"Other\"")), fingerprint);
    assert_eq!(of(&with_line("# a remark")), fingerprint);
    // A key with its neutral value.
    assert_eq!(of(&with_line("slide = false\njump = \"none\"\nfree_jumps = 0")), fingerprint);

    let bare: Vec<&str> =
        "id title board opening first intervention apex rebels_at_most close_privy".split(' ').collect();
    let lines = |text: &str| -> Vec<String> {
        let wanted = |line: &&str| bare.iter().any(|key| line.starts_with(&format!("{key} = ")));
        text.lines().filter(wanted).map(str::to_owned).collect()
    };
    let mut backwards = lines(&variant(DEFAULT_VARIANT).heading.source);
    assert_eq!(backwards.len(), bare.len());
    backwards.reverse();
    assert_eq!(of(&backwards.join("\n")), fingerprint, "without notes, in another order");
}

#[test]
fn names_are_words_for_people_alone() {
    let fingerprint = variant(DEFAULT_VARIANT).fingerprint().to_owned();
    let named = read(&with_line("names = { general = \"Yaguareté\", rebels = \"Oxen\", rebel = \"Ox\" }")).unwrap();
    assert_eq!(named.fingerprint(), fingerprint);
    assert!(named.known_game(|files| files.weights.is_some()).is_some_and(|files| files.id == DEFAULT_VARIANT));
    let said = named.rules_in_words().join(" ");
    assert!(said.starts_with("The Yaguareté moves first. ") && said.contains(" An Ox steps along a line"), "{said}");
    assert!(!said.contains("General") && !said.contains("Rebel"), "{said}");

    let of = |more: &str| {
        let file = format!("id = \"own\"\ntitle = \"Own\"\nextends = \"hare-and-hounds\"\n{more}");
        let names = read(&file).unwrap().heading.names;
        [names.general, names.rebels, names.rebel]
    };
    assert_eq!(of(""), ["Hare", "Hounds", "Hound"], "they are inherited");
    assert_eq!(of("names = { rebels = \"Dogs\" }"), ["General", "Dogs", "Dog"]);
    assert_eq!(of("names = {}"), ["General", "Rebels", "Rebel"]);
    for (wrong, says) in [
        ("{ general = \"\" }", "names.general: found \"\"; expected a text of 1 to 24 characters"),
        ("{ rebel = \"a\\u0007\" }", "names.rebel: found \"a\\u{7}\"; expected a text of 1 to 24 characters"),
        ("{ rebels = \" Hounds\" }", "names.rebels: found \" Hounds\"; expected"),
        ("{ rebels = \"abcdefghijklmnopqrstuvwxy\" }", "names.rebels: found \"abcdefghijklmnopqrstuvwxy\"; expected"),
        ("{ general = 7 }", "names.general: found 7; expected"),
        ("{ rebbels = \"Hounds\" }", "names.rebbels: there is no such key; did you mean rebels?"),
        ("\"Hare\"", "names: found \"Hare\"; expected { general = \"Hare\", rebels = \"Hounds\", rebel = \"Hound\" }"),
    ] {
        let refused = refusal(&with_line(&format!("names = {wrong}")));
        assert!(refused.contains(says), "{refused}");
    }
}

/// The words of the default variant, each key changed in turn to something else that a file may say.
#[test]
fn every_rule_word_is_in_the_fingerprint() {
    let variant = variant(DEFAULT_VARIANT);
    let changes: [fn(&mut RuleSet); 18] = [
        |w| w.first = Side::Rebels,
        |w| w.intervention = false,
        |w| w.deferred = true,
        |w| w.static_rule = StaticRule::Surrounded,
        |w| w.static_rule = StaticRule::Any,
        |w| w.orthogonal = true,
        |w| w.jump = JumpRule::Single,
        |w| w.jump = JumpRule::Multi,
        |w| (w.jump, w.jump_lines) = (JumpRule::Multi, JumpLines::Diagonal),
        |w| w.slide = true,
        |w| w.free_jumps = 9,
        |w| w.compulsory = true,
        |w| w.forward = ForwardRule::NeverBack,
        |w| w.enter_privy = true,
        |w| w.custodial = true,
        |w| w.apex = ApexRule::Return,
        |w| w.bottom = BottomRule::General,
        |w| w.close_privy = false,
    ];
    let more: [fn(&mut RuleSet); 25] = [
        |w| w.forward = ForwardRule::Only,
        |w| w.forward = ForwardRule::Straight,
        |w| w.orthogonal_steps = OrthogonalSteps::Both,
        |w| (w.jump, w.jump_rows) = (JumpRule::Multi, JumpRows::Odd),
        |w| w.rebels_never_on = vec!["c3".to_owned()],
        |w| w.general_loses_on = vec!["a1".to_owned()],
        |w| w.past_rebels = true,
        |w| w.rebels_goal = vec!["c3".to_owned()],
        |w| w.no_move.general = NoMove::Pass,
        |w| w.no_move.rebels = NoMove::Pass,
        |w| w.no_move.rebels = NoMove::Draw,
        |w| w.no_move.rebels = NoMove::Win,
        |w| w.jump = JumpRule::Free,
        |w| w.goal = vec!["a1".to_owned()],
        |w| w.goal = vec!["a1".to_owned(), "b1".to_owned()],
        |w| w.repetition = StandoffRule::General,
        |w| w.repetition = StandoffRule::Rebels,
        |w| w.move_limit = Some(MoveLimitRule { plies: 60, winner: StandoffRule::Draw }),
        |w| w.move_limit = Some(MoveLimitRule { plies: 61, winner: StandoffRule::Draw }),
        |w| w.move_limit = Some(MoveLimitRule { plies: 60, winner: StandoffRule::Rebels }),
        |w| w.rebels_at_most = None,
        |w| w.rebels_at_most = Some(0),
        |w| w.leap = LeapRule::Any,
        |w| w.leap = LeapRule::Diagonal,
        |_| (),
    ];
    let mut met = HashMap::new();
    for change in changes.into_iter().chain(more) {
        let mut words = variant.rule_set().clone();
        change(&mut words);
        let changed = variant.with_words(words.clone()).unwrap();
        assert_eq!(changed.rule_set(), &words);
        if let Some(other) = met.insert(changed.fingerprint().to_owned(), words.clone()) {
            panic!("one fingerprint: {words:?} and {other:?}");
        }
    }
    assert_eq!(met.len(), 43);
    assert!(met.contains_key(variant.fingerprint()), "no change, no other fingerprint");
}

#[test]
fn opening_and_board_are_in_the_fingerprint() {
    let of = |key: &str, line: &str| read(&with_key(key, line)).unwrap().fingerprint().to_owned();
    let fingerprint = variant(DEFAULT_VARIANT).fingerprint().to_owned();
    assert_ne!(of("opening", "opening = \"1/3/rrrrr/r3r/r1G1r/r3r/rrr1r\""), fingerprint);
    assert_ne!(of("opening", "opening = \"1/3/rrrrr/r3r/rG2r/r3r/rrrrr\""), fingerprint);
    assert_ne!(of("board", "board = \"cloister\""), fingerprint);
}

#[test]
fn other_words_keep_name_board_and_opening() {
    let variant = variant("shap-luk-kon");
    let mut words = variant.rule_set().clone();
    words.rebels_at_most = None;
    let changed = variant.with_words(words).unwrap();
    assert_eq!(
        (changed.id(), &changed.heading.title, &changed.heading.source),
        (variant.id(), &variant.heading.title, &variant.heading.source)
    );
    assert_eq!(changed.opening(), variant.opening());
    assert_eq!(changed.rules().rebels_at_most(), None);
    assert_eq!(changed.rule_set().first, variant.rule_set().first);
}

#[test]
fn contradictory_words_are_refused() {
    let refusal = |id: &str, change: fn(&mut RuleSet)| {
        let mut words = variant(id).rule_set().clone();
        change(&mut words);
        variant(id).with_words(words).unwrap_err().to_string()
    };
    let said = |id: &str, change: fn(&mut RuleSet), expected: &str| {
        let error = refusal(id, change);
        assert!(error.starts_with(expected) && error.contains("; expected "), "{error}");
    };
    let goal: fn(&mut RuleSet) = |w| w.goal = vec!["a1".to_owned(), "z9".to_owned()];
    said("kings-gonu", goal, "variant goal: found \"z9\"; expected points of the board");
    said("kings-gonu", |w| w.apex = ApexRule::General, "variant apex: the board has no apex; ");
    let diagonal: fn(&mut RuleSet) = |w| w.jump_lines = JumpLines::Diagonal;
    said("shap-luk-kon", diagonal, "variant jump_lines: there is no jump that it could narrow; ");
    said(
        "yeung-luk",
        |w| w.orthogonal = true,
        "variant orthogonal: there is no capture of pairs that it could narrow; ",
    );
    said("yeung-luk", |w| w.jump = JumpRule::None, "variant compulsory: there is no capture; ");
    assert_eq!(
        refusal("shap-luk-kon", |w| w.rebels_at_most = Some(16)),
        "variant opening: the game is over before the first move: general wins: attrition; expected another opening, or \
         other rules"
    );
    let two = refusal("kings-gonu", |w| (w.apex, w.jump_lines) = (ApexRule::General, JumpLines::Diagonal));
    assert!(two.contains("variant jump_lines: ") && two.contains("; apex: "), "{two}");
}

/// `tests/data/wrong` has every refusal of files; a text has no name, and is offered no file.
#[test]
fn a_wrong_text_is_refused_with_the_line() {
    let board = refusal(&with_key("board", "board = \"privvy\""));
    assert!(board.starts_with("line 7: board: found \"privvy\"; expected alquerque, chessboard-dark, "), "{board}");
    assert!(board.ends_with("; did you mean privy?"), "{board}");
    assert!(!board.contains(".toml"), "no file is offered to a text: {board}");
    assert_eq!(refusal(&with_line("[")), "line 15: found [; expected key = value");
}

/// Board files beside the variant file.
#[test]
fn boards_are_looked_up_beside_the_file() {
    let folder = std::env::temp_dir().join(format!("privy-variant-files-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let board = |lines: &str| {
        format!("id = \"tiny\"\ntitle = \"Tiny\"\nfield = {{ files = 3, rows = 3 }}\nlines = [{lines}]\n")
    };
    let file = |rest: &str| {
        format!(
            "id = \"own\"\ntitle = \"Own\"\nboard = \"tiny.toml\"\nopening = \"rrr/3/1G1\"\nfirst = \"general\"\n{rest}"
        )
    };
    let path = folder.join("own.toml");
    let load = |variant: &str, board: &str| {
        fs::write(folder.join("tiny.toml"), board).unwrap();
        fs::write(&path, variant).unwrap();
        Variant::from_file(&path).map(|variant| variant.fingerprint().to_owned()).map_err(|error| error.to_string())
    };
    let lines = ["\"a1-b1-c1\", \"b1-b2-b3\"", "\"b3-b2-b1\", \"a1-b1-c1\"", "\"a1-b1-c1\", \"b1-b2\", \"b2-b3\""];
    let fingerprints = lines.map(|lines| load(&file("intervention = true"), &board(lines)).unwrap());
    assert_eq!(fingerprints[0], fingerprints[1], "the order of the lines and their direction mean nothing");
    assert_ne!(fingerprints[0], fingerprints[2], "a line in two pieces has fewer points in line");

    let wrong = load(&file(""), &board("\"a1-d1\"")).unwrap_err();
    let tiny = folder.join("tiny.toml");
    assert!(
        wrong.starts_with(&format!("{}:4: lines: \"a1-d1\": the board has no point d1", tiny.display())),
        "{wrong}"
    );
    let leap = load(&file("leap = \"any\""), &board("\"a1-b1-c1\", \"a1-c1\"")).unwrap_err();
    let place =
        format!("{}:6: leap: on this board a leap can't be distinguished from a step; expected", path.display());
    assert!(leap.starts_with(&place), "{leap}");
    // Two jumps from a1 to d1, over b1 and over c1, have the same text.
    let wide = board("\"a1-b1-d1\", \"a1-c1-d1\"").replace("files = 3", "files = 4");
    let jump = load(&file("jump = \"single\"").replace("rrr/3/1G1", "rrrr/4/1G2"), &wide).unwrap_err();
    let place = format!("{}:6: jump: on this board two jumps lead from one point to another; expected", path.display());
    assert!(jump.starts_with(&place), "{jump}");
    // A board file for a variant file, and the reverse.
    let swapped = load(&board("\"a1-b1-c1\""), "").unwrap_err();
    assert!(
        swapped.ends_with(": this is a board file; expected a variant file, which names it as its board"),
        "{swapped}"
    );
    let swapped = load(&file(""), &file("")).unwrap_err();
    assert!(swapped.ends_with(": this is a variant file; expected a board file, which has lines"), "{swapped}");
    // An inherited limit may be taken back.
    let limited = load(&file("move_limit = { plies = 9 }"), &board("\"a1-b1-c1\"")).unwrap();
    let unlimited = load(&file("move_limit = \"none\""), &board("\"a1-b1-c1\"")).unwrap();
    assert_ne!(limited, unlimited);
    assert_eq!(load(&file(""), &board("\"a1-b1-c1\"")).unwrap(), unlimited);
    fs::remove_file(&tiny).unwrap();
    let missing = Variant::from_file(&path).unwrap_err().to_string();
    assert!(missing.starts_with(&format!("{}:3: board: {}: ", path.display(), tiny.display())), "{missing}");
    assert!(read(&file("")).unwrap_err().to_string().starts_with("line 3: board: found \"tiny.toml\"; expected"));
    fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
    assert!(Variant::from_file(&path).unwrap_err().to_string().contains("expected at most 1048576 bytes"));
    assert!(Variant::from_file(&folder).unwrap_err().to_string().ends_with(": expected a file"));
    fs::remove_dir_all(&folder).unwrap();
    let missing = Variant::from_file(&path).unwrap_err().to_string();
    assert!(missing.starts_with(&format!("{}: ", path.display())), "{missing}");
}

/// Every rule word is read as it was written, refuses another value, and is taken back; and nothing else is in the
/// rules of a game.
#[test]
fn the_keys_are_the_rule_words() {
    use privy_rules::rule_set::WORDS;

    let examples: String = WORDS.iter().map(|word| format!("{} = {}\n", word.key.name, word.key.example)).collect();
    let all = RuleSet::read(&Entry::parse(None, None, &examples).unwrap());
    let names: std::collections::HashSet<&str> = WORDS.iter().map(|word| word.key.name).collect();
    assert_eq!(names.len(), WORDS.len());
    let mut bare = all.clone();
    for word in WORDS {
        let name = word.key.name;
        let read = |text: &str| {
            let file = Entry::parse(None, None, &format!("{name} = {text}\n")).unwrap();
            let faults = check_keys(&[word.key], &[], &file);
            if faults.is_empty() { Ok(RuleSet::read(&file)) } else { Err(faults) }
        };
        let written = (word.write)(&all).unwrap().to_string();
        assert_eq!((word.write)(&read(&written).unwrap()).unwrap().to_string(), written, "{name}");
        assert!(read(word.key.example).is_ok(), "{name}");
        let wrong = read("1.5").unwrap_err().remove(0).to_string();
        assert_eq!(wrong, format!("line 1: {name}: found 1.5; expected {}", (word.key.expected)()));
        let only = read(&written).unwrap();
        assert!(word.key.required || !only.uses_only("") && only.uses_only(&format!("first {name}")), "{name}");
        assert!(word.key.required || !word.is_neutral(&all), "{name}");
        (word.reset)(&mut bare);
        assert!(word.key.required || word.is_neutral(&bare), "{name}");
    }
    assert_eq!(bare, RuleSet::bare(Side::General), "each word is taken back");
}

/// The table of the page is the list of keys.
#[test]
fn the_page_explains_every_rule_word() {
    use privy_rules::rule_set::WORDS;

    let page = include_str!("../../../docs/VARIANTS.md");
    let keys = WORDS.iter().map(|word| word.key).filter(|key| !key.required);
    let row = |key: privy_rules::toml_file::Key| {
        // An example where the words would be long.
        let values = match (key.expected)() {
            expected if expected.starts_with('{') || expected.starts_with("a list") => format!("`{}`", key.example),
            expected => expected,
        };
        format!("| `{}` | {values} | {} |", key.name, key.meaning)
    };
    let rows: Vec<String> = keys.map(row).collect();
    let on_page: Vec<&str> = page
        .lines()
        .skip_while(|line| *line != "|---|---|---|")
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(on_page, rows, "the page should have:\n{}", rows.join("\n"));
}
