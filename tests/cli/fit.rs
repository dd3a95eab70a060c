//! `privy fit`: weights of the evaluation are reproducible, kept only if they win, and used where they apply.

use std::fs;
use std::sync::Arc;

use privy_fit::{FitRequest, fit_weights};
use privy_protocol::Stop;
use privy_rules::Variant;
use privy_search::eval::{SideWeights, Weights};

use crate::support::binary;
use crate::support::session::option;

use binary::Home;

/// Arguments of a run of about a second.
fn tiny<'a>(variant: &'a str, file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["fit", variant, "--games", "60", "--nodes", "40", "--tables", "off", "--output", file];
    words.extend(more);
    words
}

#[test]
fn the_weights_do_not_depend_on_the_number_of_threads() {
    let variant = Variant::builtin("sixteen-rebels").unwrap();
    let fitted = |threads, seed| {
        let variant = Arc::clone(&variant);
        let request = FitRequest { variant, games: 60, nodes: 40, seed, positions: 600_000, threads, table: None };
        fit_weights(&request, &|_| {}, &Stop::default()).unwrap().weights.to_toml(&request.variant)
    };
    let one = fitted(1, 1);
    assert_eq!(one, fitted(2, 1));
    assert_ne!(one, fitted(2, 2));
    let weights = Weights::from_toml(&one, &variant).unwrap();
    assert_eq!(Weights::from_toml(&weights.to_toml(&variant), &variant), Ok(weights));
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
    let variant = Variant::from_file(&own).unwrap();
    let nothing = Weights { general_to_move: SideWeights::none(), rebels_to_move: SideWeights::none() };
    fs::write(&weights, nothing.to_toml(&variant)).unwrap();
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
    let again = home.run(&tiny(path, other.to_str().unwrap(), &["--positions", "50"]));
    assert_eq!(again.errors.matches("; not used").count(), 1, "{again:?}");
    fs::remove_file(&weights).unwrap();
    assert_eq!(score(&think().success()), before);
}

#[test]
fn weights_are_kept_only_if_they_win() {
    let home = Home::new();
    let (own, weights) = (home.join("own.toml"), home.join("own.weights.toml"));
    let builtin = home.run(&["variants", "show", "sixteen-rebels"]).success();
    fs::write(&own, &builtin).unwrap();
    let fit = |trial| {
        let words =
            ["fit", own.to_str().unwrap(), "--games", "60", "--nodes", "40", "--tables", "off", "--trial", trial];
        home.run(&words)
    };
    // The built-in weights for the same rules are far better than a fit to sixty games.
    let lost = fit("4").failure(1);
    assert!(lost.contains("own.weights.toml: not written, the weights do not play better"), "{lost}");
    assert!(!weights.exists());
    let variant = std::sync::Arc::new(Variant::from_file(&own).unwrap());
    let nothing = Weights { general_to_move: SideWeights::none(), rebels_to_move: SideWeights::none() };
    fs::write(&weights, nothing.to_toml(&variant)).unwrap();
    let won = fit("200").success();
    assert!(won.contains("of 60 games, labelled by searches and what came of them"), "{won}");
    assert!(won.contains("before: loss ") && won.contains("after: loss "), "{won}");
    assert!(won.contains("against the weights before: ") && won.contains("H1 accepted"), "{won}");
    assert_eq!(won.lines().last(), weights.to_str(), "{won}");
    assert_eq!(fs::read_to_string(&own).unwrap(), builtin, "the variant is left as it is");
    let text = fs::read_to_string(&weights).unwrap();
    assert!(text.contains("# Origin: privy fit sixteen-rebels --games 60 --nodes 40 --seed 1 --positions 600000\n"));
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
        let input = format!("set_option weights {value}\nlist_options\ngo depth 1\nvariant coyote\ngo depth 1\n");
        let ran = binary::run_with_input(&mut home.privy(), &["--tables", "off"], &input);
        ran.output.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let score = |lines: &[String]| -> Vec<String> {
        let infos = lines.iter().filter(|line| line.starts_with("info "));
        infos.filter_map(|line| Some(line.split(" score ").nth(1)?.split(' ').next()?.to_owned())).collect()
    };
    let (auto, off, zero) = (message("auto"), message("off"), message(file.to_str().unwrap()));
    let weights = |lines: &[String]| option(&lines.join("\n"), "weights").to_owned();
    assert_eq!([&auto, &off, &zero].map(|lines| weights(lines)), ["auto", "off", file.to_str().unwrap()]);
    assert_eq!(score(&zero).first().map(String::as_str), Some("+0.00"), "{zero:?}");
    assert_ne!(score(&auto)[0], score(&off)[0]);
    // The relative has no fitted weights, and the file belongs to another game.
    assert_eq!(score(&auto).last(), score(&off).last());
    assert_eq!(score(&auto).last(), score(&zero).last());
    let none = message("/no/such/file");
    assert!(none[0].starts_with("? cannot load file: /no/such/file: "), "{none:?}");
    assert_eq!((weights(&none), score(&none)), ("auto".to_owned(), score(&auto)));
}

#[test]
fn a_damaged_table_is_named() {
    let home = Home::new();
    let folder = home.join("tables");
    let words = |more: &[&'static str]| {
        [more, &[binary::SMALL_VARIANT, "--tables", folder.to_str().unwrap()]]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let run = |words: Vec<String>| home.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    run(words(&["solve"])).success();
    let table = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&table).unwrap();
    let last = bytes.len() - 1;
    bytes[last / 2..last].iter_mut().for_each(|byte| *byte = !*byte);
    fs::write(&table, bytes).unwrap();
    let output = home.join("weights.toml");
    let mut fit = words(&["fit", "--games", "60", "--nodes", "40"]);
    fit.extend(["--output".to_owned(), output.to_str().unwrap().to_owned()]);
    let damaged = run(fit).failure(1);
    assert!(damaged.contains(table.to_str().unwrap()), "{damaged}");
    assert!(!output.exists());
}

/// All of its games end within the random moves of an opening.
#[test]
fn a_game_of_one_ply_is_refused() {
    let home = Home::new();
    let own = home.join("short.toml");
    let builtin = home.run(&["variants", "show", "sixteen-rebels"]).success();
    fs::write(&own, builtin + "move_limit = { plies = 1 }\n").unwrap();
    let few = home.run(&["fit", own.to_str().unwrap(), "--games", "10", "--tables", "off"]).failure(1);
    assert!(few.contains("too few positions: "), "{few}");
}
