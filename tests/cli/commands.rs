//! Subcommands of the command line: their output, error messages and exit statuses. `solve_and_tables.rs` tests those
//! of tablebases.

use std::fs;
use std::process::{Command, Stdio};

use privy_rules::Variant;
use serde_json::Value;

use crate::support::binary;

use binary::{Home, PRIVY, Ran, SMALL_VARIANT, privy, run};

/// Runs the binary with these arguments.
fn asked(words: &str) -> Ran {
    run(&mut privy(), &words.split(' ').collect::<Vec<_>>())
}

/// The subcommands of a command, in the order of its help.
fn subcommands(command: &str) -> Vec<String> {
    let help = asked(format!("{command} --help").trim_start()).success();
    let lines = help.lines().skip_while(|line| !line.starts_with("Usage: ")).skip(1);
    let listed = lines.take_while(|line| !["Arguments:", "Options:"].contains(line));
    let is_command = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names = listed.filter(is_command).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(|name| format!("{command} {name}").trim_start().to_owned()).collect()
}

/// All subcommands, those of subcommands behind theirs.
fn all_subcommands() -> Vec<String> {
    let mut all = subcommands("");
    let mut at = 0;
    while let Some(command) = all.get(at) {
        all.extend(subcommands(command));
        at += 1;
    }
    all
}

#[test]
fn every_command_and_option_has_help() {
    let overview = asked("--help").success();
    assert!(overview.contains("Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."));
    assert!(asked("-h").success().contains("Usage: privy"));
    let headings = ["Play", "Analyse", "Perfect play", "Games", "Engines", "Tools"].map(|name| format!("\n{name}:\n"));
    let places: Vec<_> = headings.iter().map(|heading| overview.find(heading).unwrap()).collect();
    assert!(places.is_sorted() && overview.lines().all(|line| line.chars().count() <= 100), "{overview}");
    let commands = crate::program::command_line();
    let mut names: Vec<&str> = commands.get_subcommands().map(clap::Command::get_name).collect();
    let mut grouped = subcommands("");
    names.sort_unstable();
    grouped.sort_unstable();
    assert_eq!(grouped, names, "each command stands in one group");
    let all = all_subcommands();
    assert!(["go", "variants check"].iter().all(|known| all.iter().any(|tool| tool == known)), "{all:?}");
    for tool in all {
        let help = asked(&format!("{tool} --help")).success();
        assert!(help.contains(&format!("Usage: privy {tool}")), "{help}");
        assert_eq!(asked(&format!("help {tool}")).success(), help);
        // Every option has an explanation, which stands further right and may itself begin a line with an option.
        // Examples follow.
        const EXPLANATION: &str = "          ";
        let lines = help.lines().skip_while(|line| *line != "Options:").skip(1);
        let mut lines = lines.take_while(|line| *line != "Examples:").peekable();
        while let Some(line) = lines.next() {
            let option = line.trim_start().starts_with('-') && !line.starts_with(EXPLANATION);
            let explained =
                line.trim().contains("  ") || lines.peek().is_some_and(|next| next.starts_with(EXPLANATION));
            assert!(!option || explained, "{tool}: {line}");
        }
    }
    assert_eq!(asked("--version").success(), format!("privy {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_usage_error_has_status_2_and_no_output() {
    for words in [
        "nonsense",
        "--nonsense",
        "go",
        "go nothing",
        "go sixteen-rebels --depth 0",
        "go sixteen-rebels --nodes 0",
        "go sixteen-rebels --time -1",
        "go sixteen-rebels --time soon",
        "go sixteen-rebels --multi-pv 0",
        "go sixteen-rebels --multi-pv 201",
        "go sixteen-rebels --hash 0",
        "go sixteen-rebels kings-gonu",
        "perft sixteen-rebels",
        "perft sixteen-rebels -1",
        "perft sixteen-rebels x",
        "perft chess 3",
        "solve",
        "solve chess",
        "solve --all kings-gonu",
        "solve kings-gonu --threads 0",
        "solve kings-gonu --tables off",
        "tables",
        "tables list chess",
        "tables list --tables off",
        "probe",
        "probe kings-gonu --fen x --batch -",
        "probe kings-gonu --tables off",
        "bench --depth 0",
        "variants",
        "variants show chess",
        "variants check",
        "variants check x.toml --games -1",
        "variants new",
        "board --svg",
        "board --moves c3-b4",
        "board --json",
        "board alquerque --json",
        "board sixteen-rebels --ply 1",
        "board chess",
        "board sixteen-rebels --ascii --svg",
        "board sixteen-rebels --labels points",
        "board sixteen-rebels --size 100",
        "board sixteen-rebels --svg --size 10",
        "completions sh",
        "--hash 0",
        "--hash lots",
        "--variant chess",
        "--variant kings-gonu go kings-gonu",
        "--log /no/such/folder/log",
    ] {
        let ran = asked(words);
        assert_eq!(ran.output, "", "{words}");
        ran.failure(2);
    }
}

#[test]
fn a_position_of_another_variant_is_a_usage_error() {
    for rows in ["1/3/rrrrr/r3r/r1G1r/r3r/rrrrr", "rrrrr/rrrrr/5G/rrrrr/rrrrr", "rubbish"] {
        let text = format!("{rows} g 3 0 0 kings-gonu");
        for arguments in [
            ["go", "sixteen-rebels", "--fen", &text].as_slice(),
            &["perft", "sixteen-rebels", "1", "--fen", &text],
            &["board", "sixteen-rebels", "--fen", &text],
        ] {
            let complaint = run(&mut privy(), arguments).failure(2);
            let expected = "privy: the position is one of kings-gonu, the command line names sixteen-rebels\n";
            assert_eq!(complaint, expected);
        }
    }
    let wrong = run(&mut privy(), &["go", "sixteen-rebels", "--fen", "1/3/rrrrr/r3r/r1G1r/r3r g"]).failure(1);
    assert_eq!(wrong, "privy: illegal position: rows: expected 7 rows joined by /, found 6\n");
}

#[test]
fn variants_are_listed_and_shown() {
    let list = asked("variants list").success();
    let ids: Vec<&str> = list.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    let (family, relatives) = (Variant::builtin_ids(), Variant::relative_ids());
    assert_eq!(ids, family.chain(["relatives:"]).chain(relatives).collect::<Vec<_>>());
    for line in list.lines().filter(|line| *line != "relatives:") {
        let [id, fingerprint, title @ ..] = &line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
        let variant = Variant::builtin(id).unwrap();
        assert_eq!((*fingerprint, title.join(" ").as_str()), (variant.fingerprint(), variant.heading.title.as_str()));
        assert_eq!(asked(&format!("variants show {id}")).success(), variant.heading.source);
    }
    assert_eq!(asked(&format!("variants show {SMALL_VARIANT}")).success(), fs::read_to_string(SMALL_VARIANT).unwrap());
}

#[test]
fn variant_files_are_checked() {
    let home = Home::new();
    let own = home.join("own.toml");
    let path = own.to_str().unwrap();
    // As docs/VARIANTS.md advises: copy a file, change it, check it.
    fs::write(&own, asked("variants show sixteen-rebels").success().replace("sixteen-rebels", "my-rebels")).unwrap();
    assert!(run(&mut privy(), &["variants", "check", path]).success().starts_with("my-rebels: Chinese Rebels\n"));
    let depth_3 = run(&mut privy(), &["perft", path, "3"]).success();
    assert!(depth_3.starts_with("nodes 616 "), "{depth_3}");
    for (wrong, word) in [
        ("id = \"x\"\n", ":1: 4 keys are missing"),
        ("nonsense", ":1: found nonsense"),
        ("", ":1: 5 keys are missing"),
        (
            &asked("variants show sixteen-rebels").success().replace("rrrrr/r3r", "rrrrr/r4r"),
            ":8: opening: row 4: \"r4r\"",
        ),
        (&asked("variants show sixteen-rebels").success().replace("close_privy", "shut_privy"), ":13: shut_privy: "),
    ] {
        fs::write(&own, wrong).unwrap();
        let ran = run(&mut privy(), &["variants", "check", path]);
        assert!(ran.output.starts_with(&format!("{path}{word}")), "{ran:?}");
        assert_eq!(ran.failure(1), format!("privy: not sound: {path}: 1 error\n"));
        let complaint = run(&mut privy(), &["perft", path, "1"]).failure(1);
        assert!(complaint.starts_with(&format!("privy: cannot load file: {path}{word}")), "{complaint}");
    }
    fs::write(&own, [0xff, 0xfe, 0x00]).unwrap();
    run(&mut privy(), &["variants", "check", path]).failure(1);
    asked("variants check ./no/such/file.toml").failure(1);
    asked("variants check protocol").failure(1);
}

/// The words of a line `nodes N time MS nps N`.
fn nodes_of(line: &str) -> u64 {
    let words: Vec<&str> = line.split(' ').collect();
    let ["nodes", nodes, "time", time, "nps", speed] = words[..] else { panic!("{line}") };
    assert!(time.parse::<u64>().is_ok() && speed.parse::<u64>().is_ok(), "{line}");
    nodes.parse().unwrap()
}

#[test]
fn perft_counts_and_ends_with_the_sum() {
    for (words, nodes) in [("0", 1), ("1", 8), ("3", 616), ("4", 13664), ("3 --divide", 616), ("0 --divide", 1)] {
        let output = asked(&format!("perft sixteen-rebels {words}")).success();
        assert_eq!(nodes_of(output.lines().last().unwrap()), nodes, "{words}");
        let moves = output.lines().rev().skip(1).map(|line| line.split_once(' ').unwrap());
        let sum: u64 = moves.map(|(_, count)| count.parse::<u64>().unwrap()).sum();
        assert!(sum == 0 || sum == nodes, "{words}: {output}");
        assert_eq!(sum > 0, words == "3 --divide", "{words}");
    }
    let from = ["perft", "kings-gonu", "1", "--fen", "5/1r1r1/2G3/1r1r1/5 g 1"];
    assert_eq!(nodes_of(run(&mut privy(), &from).success().trim_end()), 29);
}

#[test]
fn go_prints_what_the_protocol_answers() {
    let output = asked("go monk-and-water --depth 4").success();
    let lines: Vec<privy_protocol::SearchLine> = output.lines().map(|line| line.parse().unwrap()).collect();
    assert!(matches!(lines.last(), Some(privy_protocol::SearchLine::BestMove(_))) && lines.len() >= 5, "{output}");
    for limit in ["--time 30", "--nodes 500", "--depth 2 --multi-pv 3 --hash 1", "--time 0"] {
        let output = asked(&format!("go kings-gonu {limit}")).success();
        assert!(output.lines().last().unwrap().starts_with("bestmove "), "{limit}: {output}");
    }
    let over = run(&mut privy(), &["go", "sixteen-rebels", "--fen", "G/3/5/rrrrr/5/5/5 r"]).failure(1);
    assert_eq!(over, "privy: game over: general wins: apex\n");
    assert!(asked("go ./nothing.toml").failure(1).starts_with("privy: cannot load file: ./nothing.toml: "));
}

#[test]
fn go_prints_one_json_object() {
    let json = |arguments: &[&str]| -> Value {
        let output = run(&mut privy(), arguments).success();
        assert_eq!(output.lines().count(), 1);
        serde_json::from_str(&output).unwrap()
    };
    let found = json(&["go", "sixteen-rebels", "--depth", "3", "--multi-pv", "2", "--json"]);
    assert_eq!(found["variant"], "sixteen-rebels");
    assert_eq!(found["position"], "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels");
    let lines = found["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["pv"][0], found["best"]);
    assert!(found["nodes"].as_u64().unwrap() > 0 && found["tbhits"] == 0);
    for (rank, line) in lines.iter().enumerate() {
        assert_eq!((line["rank"].as_u64(), line["depth"].as_u64()), (Some(rank as u64 + 1), Some(3)));
        let hundredths = line["hundredths"].as_f64().unwrap();
        assert_eq!(line["score"].as_str().unwrap().parse::<f64>().unwrap(), hundredths / 100.0);
        assert!(line["win_in"].is_null() && line["loss_in"].is_null() && line["proved_draw"] == false);
    }
    let won = json(&["go", "monk-and-water", "--fen", "1/1G1/1r3/3r1/rrr1r/5/5 g", "--depth", "2", "--json"]);
    let line = &won["lines"][0];
    assert_eq!((line["score"].as_str(), line["win_in"].as_u64()), (Some("+W1"), Some(1)));
    assert!(line["hundredths"].is_null() && won["best"] == "c6-c7");
    run(&mut privy(), &["go", "monk-and-water", "--fen", "G/3/5/rrrrr/5/5/5 r", "--json"]).failure(1);
}

#[test]
fn board_draws_text_ascii_and_svg() {
    let text = asked("board sixteen-rebels").success();
    assert!(text.starts_with("Chinese Rebels (sixteen-rebels)\n") && text.contains("───G───"), "{text}");
    let ascii = asked("board sixteen-rebels --ascii").success();
    assert!(ascii.is_ascii() && ascii.lines().count() == text.lines().count(), "{ascii}");
    for labels in ["none", "edges", "points"] {
        let svg = asked(&format!("board kings-gonu --svg --labels {labels} --size 300")).success();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("300"), "{svg}");
        assert_eq!(svg.matches('<').count(), svg.matches('>').count());
    }
    let played = asked("board sixteen-rebels --moves c3-b4 d5d4").success();
    assert!(played.ends_with("general to move, ply 2, 14 rebels\nlast move: rebels d5-d4  (○ from, [ ] to)\n"));
    let wrong = asked("board sixteen-rebels --moves c3-b4 c3-b4").failure(1);
    assert_eq!(wrong, "privy: illegal move: c3-b4: c3 is empty\n");
    let text = run(&mut privy(), &["board", "kings-gonu", "--fen", "5/1r1r1/2G3/1r1r1/5 g 1"]).success();
    assert!(text.contains("4 rebels"), "{text}");
    // A board alone, built in or of a file, which may extend another.
    let board = asked("board alquerque").success();
    assert!(board.starts_with(" 5  ·───·───·───·───·\n") && board.ends_with("a   b   c   d   e\n"), "{board}");
    let ringed = asked("board tests/hunts/hyvn-aetter-hare-board.toml --svg").success();
    assert!(ringed.matches("class=\"edge\"").count() == 1 && !ringed.contains("class=\"pieces\""), "{ringed}");
    let extended = asked("board tests/hunts/komikan-tower-board.toml").success();
    assert!(extended.starts_with(" 8    ·───·─·─·───·     a8 b8 c8 d8 e8\n"), "{extended}");
    let refused = asked("board alquerque --moves c3-b4").failure(2);
    assert_eq!(refused, "privy: alquerque: a board has no positions and moves; expected a variant\n");
}

#[test]
fn completions_are_scripts() {
    let all = all_subcommands();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = asked(&format!("completions {shell}")).success();
        let names = all.iter().filter_map(|command| command.split(' ').next_back());
        for word in names.chain(["json"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        if ["bash", "zsh", "fish"].contains(&shell) {
            // The shell itself, if installed, accepts the script.
            let Ok(mut child) = Command::new(shell).arg("-n").stdin(Stdio::piped()).spawn() else { continue };
            std::io::Write::write_all(&mut child.stdin.take().unwrap(), script.as_bytes()).unwrap();
            assert!(child.wait().unwrap().success(), "{shell}");
        }
    }
}

/// Where a variant is expected, the shell offers the games; it completes files where none begins so, as `complete`
/// says.
#[cfg(target_os = "linux")]
#[test]
fn completions_know_the_games_and_refuse_no_files() {
    let script = asked("completions bash").success();
    assert!(script.contains("-o bashdefault -o default"), "{script}");
    let offered = |words: &str| {
        let (before, last) = words.rsplit_once(' ').unwrap();
        let (count, previous) = (before.split(' ').count(), before.rsplit(' ').next().unwrap());
        let complete = format!("COMP_WORDS=({words}) COMP_CWORD={count}; _privy privy '{last}' '{previous}'");
        let complete = format!("{script}\n{complete}; echo \"${{COMPREPLY[@]}}\"");
        let ran = Command::new("bash").args(["-c", &complete]).output().unwrap();
        String::from_utf8(ran.stdout).unwrap().trim().to_owned()
    };
    let commands = ["play", "go", "solve", "puzzles", "tables list", "variants show"];
    for command in commands.map(|command| format!("privy {command}")) {
        assert_eq!(offered(&format!("{command} hare-")), "hare-and-hounds", "{command}");
        assert_eq!(offered(&format!("{command} ./my-game")), "", "{command}");
    }
    for option in ["", " gogui", " match", " replay", " review"].map(|command| format!("privy{command} --variant")) {
        assert_eq!(offered(&format!("{option} kings")), "kings-gonu", "{option}");
    }
    // These do not complete files by themselves where words are offered.
    let scripts = ["zsh", "fish"].map(|shell| asked(&format!("completions {shell}")).success());
    let counts = [":{_files; compadd -- sixteen-rebels ", "-r -F -a \"sixteen-rebels\\t"];
    let kept = [":(sixteen-rebels ", "-f -a \"sixteen-rebels"];
    for ((script, count), kept) in scripts.iter().zip(counts).zip(kept) {
        assert!(script.matches(count).count() >= 5 && !script.contains(kept), "{script}");
    }
    let help = asked("help go").success();
    assert!(!help.contains("hare-and-hounds"), "the list is too long for the help: {help}");
}

#[test]
fn bench_gives_a_line_per_variant_and_the_same_signature_each_time() {
    let bench = || asked("bench --depth 1").success();
    let (first, second) = (bench(), bench());
    let names: Vec<&str> = first.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    for variant in Variant::builtin_ids().map(|id| Variant::builtin(id).unwrap()) {
        assert_eq!(names.contains(&variant.id()), variant.start().outcome().is_none(), "{}", variant.id());
    }
    let signature = first.lines().last().unwrap();
    assert!(signature.strip_prefix("signature ").is_some_and(|number| number.parse::<u64>().is_ok()), "{first}");
    assert_eq!(second.lines().last().unwrap(), signature);
}

#[test]
fn the_log_goes_to_a_file() {
    let home = Home::new();
    let log = home.join("log");
    let run = |words: &[&str]| {
        let mut command = home.privy();
        let child = command.args(words).args(["--log", log.to_str().unwrap()]).stdin(Stdio::piped());
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"17 known_command hello\ngo depth 1\n").unwrap();
        Ran::from(child.wait_with_output().unwrap())
    };
    let ran = run(&["--variant", "kings-gonu"]);
    assert_eq!((ran.status, ran.errors.as_str()), (Some(0), ""));
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.contains("17 known_command hello") && text.contains("no table of kings-gonu"), "{text}");
    // Later runs append to the file.
    assert_eq!(run(&[]).errors, "");
    assert!(fs::read_to_string(&log).unwrap().len() > text.len());
}

/// The reader closes its end before any output.
#[cfg(unix)]
#[test]
fn a_closed_output_is_no_failure() {
    for words in [
        "variants list",
        "completions bash",
        "variants show sixteen-rebels",
        "perft sixteen-rebels 3 --divide",
        "go sixteen-rebels --depth 4",
        "go sixteen-rebels --depth 4 --json",
        "board sixteen-rebels",
        "board sixteen-rebels --svg",
        "bench --depth 1",
        "--help",
    ] {
        let mut command = privy();
        let command = command.args(words.split(' ')).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(Ran::from(child.wait_with_output().unwrap()).success(), "", "{words}");
    }
    // The output is closed from the start.
    let mut command = Command::new("sh");
    binary::isolate(&mut command);
    run(&mut command, &["-c", "\"$0\" variants list >&-", PRIVY]).success();
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_orderly_failure() {
    for words in ["variants list", "go sixteen-rebels --depth 2", "board kings-gonu --svg", "perft kings-gonu 1"] {
        let mut command = Command::new("sh");
        binary::isolate(&mut command);
        let complaint = run(&mut command, &["-c", &format!("\"$0\" {words} >/dev/full"), PRIVY]).failure(1);
        assert_eq!(binary::without_advice(&complaint), "privy: No space left on device (os error 28)\n", "{words}");
    }
}
