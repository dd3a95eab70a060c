//! Variant files: `privy variants` creates, checks, shows and plays them.

use std::fs;

use privy_rules::Variant;
use privy_rules::board::Board;

use crate::support::binary::{Home, Ran, SMALL_VARIANT, privy, run};

fn asked(words: &str) -> Ran {
    run(&mut privy(), &words.split(' ').collect::<Vec<_>>())
}

#[test]
fn a_check_prints_the_rules_and_plays_games() {
    let printed = asked(&format!("variants check {SMALL_VARIANT} --games 200")).success();
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(
        lines[..26],
        [
            "three-rows: Three Rows",
            "fingerprint e5edd9f1ca3e508e",
            "board three-rows: 19 points, 4 of them the privy, 15 lines; exits b3 c3 d3; apex c5; left and right mirror each other",
            "opening 1/3/rrGrr/5/rrrrr r - 0 0 three-rows: 9 Rebels",
            " 5          ·",
            "           ╱│╲",
            " 4        ·─·─·         b4 c4 d4",
            "         ╱  │  ╲",
            " 3  ●───●───G───●───●",
            "    │ ╲ │ ╱ │ ╲ │ ╱ │",
            " 2  ·───·───·───·───·",
            "    │ ╱ │ ╲ │ ╱ │ ╲ │",
            " 1  ●───●───●───●───●",
            "    a   b   c   d   e",
            "The Rebels move first.",
            "The General arrives between two Rebels in line and takes them; several pairs at once.",
            "The General steps along a line to the next point.",
            "A Rebel steps along a line to the next point.",
            "Rebels never enter the privy.",
            "The General wins on an apex point (c5).",
            "Having no move is a loss for either side.",
            "A position that occurs for the third time is a draw.",
            "The General wins when the number of Rebels falls to 2 or below.",
            "The Rebels win by a move after which the General is in the privy, every exit (b3, c3, d3) holds a Rebel, and no jump (a leap is none) from any point of the privy leads out over an exit.",
            "It can be solved: 161,694 positions for each side to move, 1 MiB of memory; estimated: 1 MiB on disk, on two cores a second at most.",
            lines[25],
        ]
    );
    assert!(lines[25].starts_with("200 random games, ") && lines[25].ends_with(" agree in all of them."), "{printed}");
    assert!(lines[26].starts_with("The General wins ") && lines[27].starts_with("They last "), "{printed}");
    assert_eq!(
        asked(&format!("variants check {SMALL_VARIANT} --games 200")).success(),
        printed,
        "the same seed, the same games"
    );
    assert_ne!(asked(&format!("variants check {SMALL_VARIANT} --games 200 --seed 2")).success(), printed);
    assert_eq!(asked(&format!("variants check {SMALL_VARIANT} --games 0")).success().lines().count(), 25);
}

/// Rules of games with other board shapes.
#[test]
fn a_check_prints_goals_repetition_and_chains_that_may_stop() {
    let printed = asked("variants check src/rules/games/relatives/hare-and-hounds/rules.toml --games 50").success();
    for expected in [
        "board hare-11: 11 points, none of them the privy, 12 lines; no exits; no apex; left and right mirror each other",
        "The Hare takes no Hounds.",
        "A Hound steps along a line to the next point, never down.",
        "The Hare wins on b1.",
        "The Hare wins when a position occurs for the third time.",
        "It can be solved: 1,300 positions for each side to move, 1 MiB of memory; estimated: 1 MiB on disk, on two cores a second at most.",
    ] {
        assert!(printed.lines().any(|line| line == expected), "{expected}\n{printed}");
    }
    let printed = asked("variants check src/rules/games/relatives/adugo/rules.toml --games 50").success();
    assert_eq!(asked("variants check adugo --games 50").success(), printed, "by its id");
    let jump =
        "The Jaguar takes a Dog by jumping over it to the empty point behind, and may continue as long as it can.";
    assert!(printed.lines().any(|line| line == jump), "{printed}");
    let printed = asked("variants check sixteen-rebels-neeley --games 0").success();
    assert!(printed.contains("\nA jump or a leap takes no pair between which it ends.\n"), "{printed}");
    let home = Home::new();
    let game = "id = \"own\"\ntitle = \"Own\"\nextends = \"sixteen-rebels\"\ngoal = [\"c7\", \"a1\"]\n";
    fs::write(home.join("own.toml"), game).unwrap();
    let printed = home.run(&["variants", "check", home.join("own.toml").to_str().unwrap(), "--games", "0"]).success();
    assert!(printed.contains("\nThe General wins on a1, c7.\n"), "{printed}");
}

#[test]
fn built_in_games_pass_except_the_one_that_is_over() {
    games_pass(Variant::builtin_ids().map(|id| (id, format!("src/rules/games/{id}/rules.toml"))));
}

#[test]
#[ignore = "release: six seconds; every day the family alone"]
fn relatives_pass() {
    games_pass(Variant::relative_ids().map(|id| (id, format!("src/rules/games/relatives/{id}/rules.toml"))));
}

fn games_pass(games: impl Iterator<Item = (&'static str, String)>) {
    for (id, path) in games {
        let ran = asked(&format!("variants check {path} --games 20"));
        if id == "twenty-six-murray" {
            let expected = ":11: opening: the game is over before the first move: rebels win: no move; expected";
            assert!(ran.output.starts_with(&format!("{path}{expected}")), "{ran:?}");
            ran.failure(1);
        } else {
            let printed = ran.success();
            assert!(printed.contains("20 random games, ") && !printed.contains("warning"), "{printed}");
        }
    }
}

#[test]
fn boards_are_listed_shown_and_checked() {
    let list = asked("board").success();
    let ids: Vec<&str> = list.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(ids, Board::builtin_ids().collect::<Vec<_>>());
    assert!(list.contains("49 points, exits b9 c9 d9, apex c11: Nanking"), "{list}");
    assert!(list.contains("11 points, exits none, apex none: Hare and Hounds"), "{list}");
    let home = Home::new();
    for id in ids {
        // A board that shares its id with a game is shown as the board of that game.
        let of_game = if Variant::builtin(id).is_some() { "--board " } else { "" };
        let shown = asked(&format!("variants show {of_game}{id}")).success();
        let board = Board::builtin(id).unwrap();
        assert!(shown.starts_with("# ") && shown.ends_with(&board.source), "{shown}");
        // The output is a board file.
        let path = home.join("board.toml");
        fs::write(&path, &shown).unwrap();
        let words = ["variants", "check", path.to_str().unwrap()];
        let printed = home.run(&words).success();
        assert!(printed.starts_with(&format!("{id}: {}\nboard {id}: ", board.title)), "{printed}");
        assert_eq!(home.run(&["variants", "show", path.to_str().unwrap()]).success().matches("lines = [").count(), 1);
    }
    let unknown = asked("variants show sixten-rebels").failure(2);
    assert!(unknown.ends_with("; did you mean sixteen-rebels?\n"), "{unknown}");
    let file = asked("variants new own.toml --extends ../other.toml").failure(2);
    assert!(file.starts_with("privy: expected the id of a built-in game or board, found ../other.toml; "), "{file}");
    let unknown = asked("variants show hare-and-hound").failure(2);
    assert!(unknown.ends_with("; did you mean hare-and-hounds?\n"), "{unknown}");
}

#[test]
fn a_new_file_passes_its_check_and_overwrites_nothing() {
    // Another fourth of the rules in each of four files.
    new_files_pass(&["privy", "alquerque", "triangle-10"], &["adugo"]);
}

#[test]
#[ignore = "release: fifteen seconds; every day three boards and a game"]
fn a_new_file_of_any_board_passes_its_check() {
    let boards: Vec<&str> = Board::builtin_ids().collect();
    new_files_pass(&boards, &["sixteen-rebels", "kings-gonu", "juroku-musashi", "hare-and-hounds", "adugo"]);
}

fn new_files_pass(boards: &[&str], games: &[&str]) {
    let home = Home::new();
    let path = home.join("Our Game.toml");
    let path = path.to_str().unwrap();
    let boards = boards.iter().map(|id| vec!["--board", *id]);
    let games = games.iter().map(|id| vec!["--extends", *id]);
    for (number, arguments) in [Vec::new()].into_iter().chain(boards).chain(games).enumerate() {
        let words = [["variants", "new"].as_slice(), &arguments, &[path]].concat();
        let message = home.run(&words).success();
        assert!(message.contains(" until you change it\nnext: "), "{message}");
        let printed = home.run(&["variants", "check", path, "--games", "5"]).success();
        assert!(
            printed.starts_with("our-game: Our Game\n") && printed.contains("\nThe rules are those of "),
            "{printed}"
        );
        assert!(!printed.contains("warning"), "{printed}");
        let kept = fs::read_to_string(path).unwrap();
        let refused = home.run(&words).failure(1);
        assert!(refused.starts_with("privy: cannot save file: ") && refused.contains("Our Game.toml"), "{refused}");
        assert_eq!(fs::read_to_string(path).unwrap(), kept);
        // Every single rule that `new` offers makes a valid file, or is refused with a reason: a fourth of them in each
        // file, others in the next.
        let is_rule = |line: &&str| line.starts_with('#') && line.contains(" = ") && !line.starts_with("# ");
        let rules: Vec<&str> = kept.lines().filter(is_rule).collect();
        for (at, line) in rules.iter().enumerate().skip(number % 4).step_by(4) {
            fs::write(path, kept.replace(line, &line[1..])).unwrap();
            // On a large board a check takes seconds, since it estimates the size of a table: one rule of each file.
            let is_checked = at == number % rules.len();
            let words: &[&str] =
                if is_checked { &["variants", "check", path, "--games", "2"] } else { &["board", path] };
            let ran = home.run(words);
            let is_refused = [&ran.output, &ran.errors].iter().any(|text| text.contains("; expected "));
            assert!(ran.status == Some(0) || is_refused, "{line}: {ran:?}");
        }
        fs::remove_file(path).unwrap();
    }
    for (words, status) in [
        (["variants", "new", "game"].as_slice(), 2),
        (&["variants", "new", "--extends", "chess", path], 2),
        (&["variants", "new", "--board", "chess", path], 2),
        (&["variants", "new", "--board", "privy", "--extends", "kings-gonu", path], 2),
        (&["variants", "new", "/no/such/folder/game.toml"], 1),
    ] {
        home.run(words).failure(status);
        assert!(fs::metadata(path).is_err());
    }
    // Ids in use and invalid ids are not taken from the name of the file.
    for (name, id) in [("kings-gonu.toml", "my-kings-gonu"), ("fen.toml", "my-fen"), ("ß.toml", "my")] {
        let path = home.join(name);
        home.run(&["variants", "new", path.to_str().unwrap()]).success();
        let printed = home.run(&["variants", "check", path.to_str().unwrap(), "--games", "0"]).success();
        assert!(printed.starts_with(&format!("{id}: ")) && !printed.contains("warning"), "{printed}");
    }
}

/// Files that extend others, in a home folder.
fn extended(home: &Home, files: &[(&str, &str)]) -> Ran {
    for (name, text) in files {
        let path = home.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    run(home.privy().current_dir(home.join("")), &["variants", "check", "--games", "5", files[0].0])
}

#[test]
fn an_extending_file_holds_only_the_differences() {
    let home = Home::new();
    let own = "id = \"own\"\ntitle = \"Own\"\n";
    let fingerprint = |ran: Ran| ran.success().lines().nth(1).unwrap().to_owned();
    let of = |id: &str| format!("fingerprint {}", Variant::builtin(id).unwrap().fingerprint());
    // No difference; a rule that is changed and changed back; a rule that is reset.
    let sixteen = format!("{own}extends = \"sixteen-rebels\"\n");
    assert_eq!(fingerprint(extended(&home, &[("a.toml", &sixteen)])), of("sixteen-rebels"));
    let no_limit = format!("{sixteen}rebels_at_most = \"none\"\napex = \"none\"\nclose_privy = false\n");
    let printed = extended(&home, &[("a.toml", &no_limit)]).success();
    let ends =
        |text: &str| ["apex point", "falls to", "win by a move"].iter().filter(|end| text.contains(*end)).count();
    assert_eq!(ends(&printed), 0, "{printed}");
    assert_eq!(ends(&extended(&home, &[("a.toml", &sixteen)]).success()), 3);
    let back = format!("{own}extends = \"b/b.toml\"\nrebels_at_most = 4\napex = \"general\"\nclose_privy = true\n");
    assert_eq!(fingerprint(extended(&home, &[("a.toml", &back), ("b/b.toml", &no_limit)])), of("sixteen-rebels"));
    // Points of a goal are equal in any order. They are changed and reset like any rule.
    let hare = |rest: &str| format!("{own}extends = \"hare-and-hounds\"\n{rest}");
    assert_eq!(fingerprint(extended(&home, &[("a.toml", &hare(""))])), of("hare-and-hounds"));
    let two = |goal: &str| fingerprint(extended(&home, &[("a.toml", &hare(goal))]));
    assert_eq!(two("goal = [\"c2\", \"b1\"]\n"), two("goal = [\"B1\", \"c2\", \"b1\"]\n"));
    assert_ne!(two("goal = [\"c2\", \"b1\"]\n"), of("hare-and-hounds"));
    let printed = extended(&home, &[("a.toml", &hare("goal = []\nrepetition = \"draw\"\n"))]).success();
    assert!(!printed.contains("The Hare wins on") && printed.contains(" third time is a draw.\n"), "{printed}");
    let over = extended(&home, &[("a.toml", &hare("goal = [\"b5\"]\n"))]);
    // The inherited opening is right by itself.
    let expected = "a.toml:3: extends: inherited from hare-and-hounds (built in):";
    assert!(over.output.starts_with(expected) && over.output.contains("the game is over before"), "{over:?}");
    let namesake = extended(&home, &[("a.toml", &hare("slide = true\n").replace("\"own\"", "\"adugo\""))]).success();
    let expected = "a.toml:1: warning: id: \"adugo\" is the built-in game Adugo";
    assert!(namesake.contains(expected), "{namesake}");

    // Notes are not inherited. The board file is next to the extended file.
    let three_rows = fs::read_to_string(SMALL_VARIANT).unwrap();
    let board = fs::read_to_string("protocol/transcripts/three-rows-board.toml").unwrap();
    let files = [
        ("a.toml", format!("{own}extends = \"b/b.toml\"\n")),
        ("b/b.toml", three_rows),
        ("b/three-rows-board.toml", board),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    assert_eq!(fingerprint(extended(&home, &files)), "fingerprint e5edd9f1ca3e508e");
    let variant = Variant::from_file(&home.join("a.toml")).unwrap();
    assert!(variant.heading.notes.is_empty() && &variant.heading.title == "Own");

    // An error is reported for the file in which it stands.
    let wrong = files[1].1.replace("apex = \"general\"", "apex = \"generl\"");
    let ran = extended(&home, &[files[0], ("b/b.toml", &wrong)]);
    assert!(ran.output.starts_with("b/b.toml:8: apex: found \"generl\"; expected "), "{ran:?}");
    let limit = format!("{}rebels_at_most = 9\n", files[0].1);
    let ran = extended(&home, &[("a.toml", &limit), (files[1].0, files[1].1)]);
    assert!(
        ran.output.contains(" opening: the game is over before the first move: general wins: attrition; "),
        "{ran:?}"
    );
    let ran = extended(&home, &[("a.toml", "extends = \"sixteen-rebels\"\n")]);
    assert!(ran.output.starts_with("a.toml:1: 2 keys are missing; expected also id = "), "{ran:?}");
}

#[test]
fn circular_extension_is_refused() {
    let home = Home::new();
    let own = |other: &str| format!("id = \"own\"\ntitle = \"Own\"\nextends = \"{other}\"\n");
    let ran = extended(&home, &[("a.toml", &own("b.toml")), ("b.toml", &own("./a.toml"))]);
    assert!(ran.output.contains(":3: extends: more than 8 files, each extending the next; expected fewer"), "{ran:?}");
    let names: Vec<String> = (0..9).map(|number| format!("{number}.toml")).collect();
    let texts: Vec<String> = (1..9).map(|number| own(&names[number])).chain([own("sixteen-rebels")]).collect();
    let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
    let ran = extended(&home, &files);
    assert!(
        ran.output.starts_with("7.toml:3: extends: more than 8 files, each extending the next; expected"),
        "{ran:?}"
    );
    // One level fewer is allowed.
    extended(&home, &files[2..]).success();
}

#[test]
fn ambiguous_rules_give_a_warning() {
    let home = Home::new();
    let path = home.join("own.toml");
    let check = |text: &str| {
        fs::write(&path, text).unwrap();
        home.run(&["variants", "check", path.to_str().unwrap(), "--games", "5"]).success()
    };
    let source = Variant::builtin("sixteen-rebels").unwrap().heading.source.clone();
    assert!(!check(&source).contains("warning"), "the same rules under their own id");
    let printed = check(&source.replace("rebels_at_most = 4", "rebels_at_most = 5"));
    let expected =
        ":1: warning: id: \"sixteen-rebels\" is the built-in game Chinese Rebels, which has different rules; expected";
    assert!(printed.lines().last().unwrap().contains(expected), "{printed}");
    let board = fs::read_to_string("protocol/transcripts/three-rows-board.toml").unwrap();
    let line = board.lines().find(|line| line.contains("a1-b1-c1-d1-e1")).unwrap().to_owned();
    let printed = check(&board.replace(&line, "  \"a1-b1-c1\", \"c1-d1-e1\", \"e1-d1-c1\","));
    let warnings: Vec<&str> = printed.lines().filter(|line| line.contains("warning: ")).collect();
    assert_eq!(warnings.len(), 1, "{printed}");
    assert!(warnings[0].contains("b1-c1 and c1-d1 are straight, but the three are not in line"), "{printed}");
}

#[test]
fn several_files_are_all_checked() {
    let home = Home::new();
    let wrong = home.join("wrong.toml");
    fs::write(&wrong, "id = \"wrong\"\n").unwrap();
    let wrong = wrong.to_str().unwrap();
    let ran = home.run(&["variants", "check", "--games", "0", "/nowhere.toml", wrong, SMALL_VARIANT]);
    assert!(ran.output.starts_with("cannot load file: /nowhere.toml: No such file"), "{ran:?}");
    assert!(
        ran.output.contains(&format!("{wrong}:1: 4 keys are missing")) && ran.output.contains("\nthree-rows: "),
        "{ran:?}"
    );
    assert_eq!(ran.failure(1), format!("privy: not sound: /nowhere.toml: cannot be read, {wrong}: 1 error\n"));
    assert!(
        home.run(&["variants", "check", "/nowhere.toml"])
            .failure(1)
            .starts_with("privy: cannot load file: /nowhere.toml: ")
    );
}
