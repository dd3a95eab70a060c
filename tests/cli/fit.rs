//! `privy fit`: weights of the evaluation are reproducible, kept only if they win, and used where they apply.

use std::fs;

use privy::eval::{SideWeights, Weights};
use privy::rules::Variant;

use crate::support::binary;

use binary::Home;

/// Arguments of a run of about a second.
fn tiny<'a>(variant: &'a str, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["fit", variant, "--games", "60", "--nodes", "40", "--tables", "off", "--untried"];
    words.extend(["--output", file]);
    words.extend(more);
    words
}

#[test]
fn the_weights_do_not_depend_on_the_number_of_threads() {
    let home = Home::new();
    let [one, two, other] = ["one.toml", "two.toml", "other.toml"].map(|name| home.join(name));
    let path = |path: &std::path::PathBuf| path.to_str().unwrap().to_owned();
    let message = home.run(&tiny("sixteen-rebels", &path(&one), &["--threads", "1"])).success();
    assert!(message.contains("of 60 games, labelled by searches and what came of them"), "{message}");
    assert!(message.contains("before: loss ") && message.contains("after: loss "), "{message}");
    home.run(&tiny("sixteen-rebels", &path(&two), &["--threads", "2"])).success();
    home.run(&tiny("sixteen-rebels", &path(&other), &["--seed", "2"])).success();
    let [one, two, other] = [one, two, other].map(|path| fs::read_to_string(path).unwrap());
    assert!(one.contains("# Origin: privy fit sixteen-rebels --games 60 --nodes 40 --seed 1 --positions 600000\n"));
    assert_eq!(one, two);
    assert_ne!(one, other);
    let variant = Variant::builtin("sixteen-rebels").unwrap();
    let weights = Weights::from_toml(&one, &variant).unwrap();
    assert_eq!(Weights::from_toml(&weights.to_toml(&variant), &variant), Ok(weights));
}

/// Three processes play the games, one of them in two runs. The weights equal those of a single run.
#[test]
fn games_are_played_in_parts_and_weights_fitted_to_all_of_them() {
    let home = Home::new();
    let file = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let (alone, together) = (file("alone.toml"), file("together.toml"));
    home.run(&tiny("sixteen-rebels", &alone, &[])).success();
    let play = |part: &str, name: &str, more: &[&str]| {
        let file = file(name);
        let words = ["fit", "sixteen-rebels", "--games", "60", "--nodes", "40", "--tables", "off", "--games-only"];
        home.run(&[&words, ["--part", part, "--output", &file].as_slice(), more].concat())
    };
    let fit = |parts: &[&str]| {
        let files: Vec<String> = parts.iter().map(|name| file(name)).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let words = ["fit", "sixteen-rebels", "--tables", "off", "--untried", "--output", &together, "--from"];
        home.run(&[&words, files.as_slice()].concat())
    };
    let parts = ["1.jsonl", "2.jsonl", "3.jsonl"];
    for (number, name) in (1..).zip(parts) {
        let message = play(&format!("{number}/3"), name, &["--threads", "1"]).success();
        assert!(message.starts_with(&format!("{}: 20 games, ", file(name))), "{message}");
    }
    // A complete part is left alone. A part without its last lines is played to its end.
    let whole = fs::read_to_string(file("2.jsonl")).unwrap();
    play("2/3", "2.jsonl", &[]).success();
    assert_eq!(fs::read_to_string(file("2.jsonl")).unwrap(), whole);
    let torn = &whole[..whole.len() * 2 / 3];
    fs::write(file("2.jsonl"), torn).unwrap();
    let missing = fit(&parts).failure(1);
    assert!(
        missing.contains("the games are not whole: expected all parts, missing: ")
            && missing.contains("games of part 2/3, "),
        "{missing}"
    );
    assert_eq!(fs::read_to_string(file("2.jsonl")).unwrap(), torn, "it is only looked at");
    play("2/3", "2.jsonl", &[]).success();
    let games = |text: &str| text.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
    assert_eq!(games(&fs::read_to_string(file("2.jsonl")).unwrap()), games(&whole));

    assert!(fit(&["3.jsonl", "1.jsonl", "2.jsonl"]).success().contains("of 60 games, labelled by searches"));
    assert_eq!(fs::read_to_string(&alone).unwrap(), fs::read_to_string(&together).unwrap());

    // Parts that do not belong together.
    assert!(fit(&["1.jsonl", "2.jsonl"]).failure(1).contains("missing: part 3/3"));
    assert!(
        fit(&["1.jsonl", "2.jsonl", "3.jsonl", "1.jsonl"]).failure(1).contains("expected another part than that of ")
    );
    play("1/3", "seed.jsonl", &["--seed", "2"]).success();
    assert!(fit(&["seed.jsonl", "2.jsonl", "3.jsonl"]).failure(1).contains("expected games of the same fit as "));
    assert!(play("1/3", "2.jsonl", &[]).failure(1).contains("there are games of another fit in it: the part differs"));
    assert!(play("2/3", "2.jsonl", &["--seed", "2"]).failure(1).contains("seed differs"));
    play("4/3", "4.jsonl", &[]).failure(2);
    for (wrong, expected) in [
        ("{}", "line 1: expected what the games of a fit depend on: missing field"),
        ("{", "line 1: expected what the games of a fit depend on: EOF"),
        (&whole.replace("\"privy_fit\":1", "\"privy_fit\":2"), "expected version 1, found 2"),
        (&whole.replacen("r r", "r x", 1), "illegal position: "),
        (&format!("{whole}{}\n", whole.lines().nth(1).unwrap()), "is there twice"),
        (&whole.replace("\"part\":\"2/3\"", "\"part\":\"1/3\""), "is none of part 1/3 of the games"),
        (&whole.replacen(",0]", ",-1]", 1), "expected the positions of a game: "),
    ] {
        fs::write(file("wrong.jsonl"), format!("{wrong}\n")).unwrap();
        let message = fit(&["wrong.jsonl"]).failure(1);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn an_impossible_fit_fails_and_leaves_no_file() {
    let home = Home::new();
    let file = home.join("weights.toml");
    let file = file.to_str().unwrap();
    assert!(home.run(&tiny("chess", file, &[])).failure(2).contains("unknown variant: \"chess\""));
    home.run(&tiny("sixteen-rebels", file, &["--nodes", "0"])).failure(2);
    let over = home.run(&tiny("twenty-six-murray", file, &[])).failure(1);
    assert!(over.contains("game over: "), "{over}");
    let few = home.run(&tiny("sixteen-rebels", file, &["--positions", "50"])).failure(1);
    assert!(few.contains("too few positions"), "{few}");
    assert_eq!(
        fs::read_dir(home.join(""))
            .unwrap()
            .filter(|entry| entry.as_ref().unwrap().path().extension().is_some())
            .count(),
        0
    );
    let nowhere = home.join("nowhere").join("weights.toml");
    let unwritable = home.run(&tiny("sixteen-rebels", nowhere.to_str().unwrap(), &[])).failure(1);
    assert!(unwritable.contains("cannot write"), "{unwritable}");
    let folder = home.join("");
    assert!(home.run(&tiny("sixteen-rebels", folder.to_str().unwrap(), &[])).failure(1).contains("cannot write"));
}

/// These games would take a day: a full disk must be reported before the first one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_seen_before_the_first_game() {
    let home = Home::new();
    let file = home.join("weights.toml");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"", binary::PRIVY]);
    binary::isolate(&mut command);
    let words = ["fit", "sixteen-rebels", "--games", "10000000", "--tables", "off", "--output", file.to_str().unwrap()];
    let full = binary::run(&mut command, &words).failure(1);
    assert!(full.contains("cannot write") && full.contains("File too large"), "{full}");
    assert_eq!(fs::read_dir(home.join("")).unwrap().count(), 0);
}

#[test]
fn weights_beside_the_file_of_a_variant_are_used() {
    let home = Home::new();
    let (own, weights) = (home.join("own.toml"), home.join("own.weights.toml"));
    let builtin = home.run(&["variants", "show", "sixteen-rebels"]).success();
    fs::write(&own, &builtin).unwrap();
    let path = own.to_str().unwrap();
    let think = || home.run(&["go", path, "--depth", "6", "--tables", "off", "--json"]);
    let score = |message: &str| {
        let value: serde_json::Value = serde_json::from_str(message).unwrap();
        value["lines"][0]["score"].as_str().unwrap().to_owned()
    };
    let before = score(&think().success());
    let message = home.run(&["fit", path, "--games", "60", "--nodes", "40", "--tables", "off", "--untried"]).success();
    assert_eq!(message.lines().last(), weights.to_str(), "{message}");
    assert_eq!(fs::read_to_string(&own).unwrap(), builtin, "the variant is left as it is");
    assert_ne!(score(&think().success()), before);
    // Unusable weights are reported, and the engine plays without them.
    fs::write(&weights, "fingerprint = 1").unwrap();
    let damaged = think();
    assert!(
        damaged.errors.contains("own.weights.toml: weights file: ") && damaged.errors.contains("; not used"),
        "{damaged:?}"
    );
    assert_eq!(score(&damaged.output), before);
    // The warning appears once, however many games are played.
    let other = home.join("other.toml");
    let words = ["fit", path, "--games", "10", "--output", other.to_str().unwrap(), "--tables", "off", "--untried"];
    let again = home.run(&words);
    assert_eq!(again.errors.matches("; not used").count(), 1, "{again:?}");
    fs::remove_file(&weights).unwrap();
    assert_eq!(score(&think().success()), before);
}

#[test]
fn weights_are_kept_only_if_they_win() {
    let home = Home::new();
    let (own, weights) = (home.join("own.toml"), home.join("own.weights.toml"));
    fs::write(&own, home.run(&["variants", "show", "sixteen-rebels"]).success()).unwrap();
    let fit = |trial| {
        let words =
            ["fit", own.to_str().unwrap(), "--games", "60", "--nodes", "40", "--tables", "off", "--trial", trial];
        home.run(&words)
    };
    // The built-in weights for the same rules are far better than a fit to sixty games.
    let lost = fit("40").failure(1);
    assert!(lost.contains("own.weights.toml: not written, the weights do not play better"), "{lost}");
    assert!(!weights.exists());
    let variant = std::sync::Arc::new(Variant::from_file(&own).unwrap());
    let nothing = Weights { general_to_move: SideWeights::none(), rebels_to_move: SideWeights::none() };
    fs::write(&weights, nothing.to_toml(&variant)).unwrap();
    let won = fit("200").success();
    assert!(won.contains("against the weights before: ") && won.contains("H1 accepted"), "{won}");
    let text = fs::read_to_string(&weights).unwrap();
    assert!(text.contains("\n# Against these, 2000 nodes a move: "), "{text}");
}

#[test]
fn the_option_selects_weights_and_refuses_other_files() {
    let home = Home::new();
    let file = home.join("zero.toml");
    let variant = Variant::builtin("sixteen-rebels").unwrap();
    let nothing = Weights { general_to_move: SideWeights::none(), rebels_to_move: SideWeights::none() };
    fs::write(&file, nothing.to_toml(&variant)).unwrap();
    let message = |value: &str| {
        let input = format!("set_option weights {value}\nget_option weights\ngo depth 1\nvariant coyote\ngo depth 1\n");
        let ran = binary::run_with_input(&mut home.privy(), &["--tables", "off"], &input);
        ran.output.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let score = |lines: &[String]| -> Vec<String> {
        let infos = lines.iter().filter(|line| line.starts_with("info "));
        infos.filter_map(|line| Some(line.split(" score ").nth(1)?.split(' ').next()?.to_owned())).collect()
    };
    let (auto, off, zero) = (message("auto"), message("off"), message(file.to_str().unwrap()));
    assert_eq!([&auto[2], &off[2], &zero[2]], ["= auto", "= off", &format!("= {}", file.display())]);
    assert_eq!(score(&zero).first().map(String::as_str), Some("+0.00"), "{zero:?}");
    assert_ne!(score(&auto)[0], score(&off)[0]);
    // The relative has no fitted weights, and the file belongs to another game.
    assert_eq!(score(&auto).last(), score(&off).last());
    assert_eq!(score(&auto).last(), score(&zero).last());
    let none = message("/no/such/file");
    assert!(none[0].starts_with("? cannot load file: /no/such/file: "), "{none:?}");
    assert_eq!((none[2].as_str(), score(&none)), ("= auto", score(&auto)));
}

#[test]
fn levels_and_win_rates_have_their_own_commands() {
    let home = Home::new();
    let win_rates =
        home.run(&["fit", "win-rates", "yeung-luk", "kings-gonu", "--games", "2", "--nodes", "20"]).success();
    assert!(
        ["# yeung-luk", "# all"].map(|line| win_rates.lines().any(|found| found == line)) == [true; 2],
        "{win_rates}"
    );
    assert_eq!(win_rates.matches("\nscale = ").count(), 3, "{win_rates}");
    let ladder = ["fit", "ladder", "yeung-luk", "--pairs", "1", "--to", "1", "--tables", "off"];
    assert!(home.run(&ladder).success().starts_with("yeung-luk: 1 against 0: "));
    for wrong in
        ["fit levels", "fit ladder chess", "fit win-rates yeung-luk --games 0", "fit levels yeung-luk --nodes 3"]
    {
        home.run(&wrong.split(' ').collect::<Vec<_>>()).failure(2);
    }
    let file = home.join("own.toml");
    let path = file.to_str().unwrap();
    let weights = |words: &[&str]| {
        let games = ["--games", "60", "--nodes", "40", "--tables", "off", "--untried", "--output", path];
        home.run(&[words, &["sixteen-rebels"], &games].concat()).success();
        fs::read_to_string(&file).unwrap()
    };
    assert_eq!(weights(&["fit"]), weights(&["fit", "weights"]));
}
