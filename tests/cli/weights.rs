//! Files of weights of the evaluation are used where they apply.

use std::fs;

use privy_rules::Variant;
use privy_search::eval::{SideWeights, Weights};

use crate::support::binary;
use crate::support::session::option;

use binary::Home;

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
    // The warning appears once, however many positions are searched.
    let again = binary::run_with_input(
        &mut home.privy(),
        &["--variant", path, "--tables", "off"],
        "go depth 3\nclear_board\ngo depth 3\n",
    );
    assert_eq!(again.errors.matches("; not used").count(), 1, "{again:?}");
    fs::remove_file(&weights).unwrap();
    assert_eq!(score(&think().success()), before);
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
