//! The steps of an examination, in their order.

use std::collections::BTreeSet;
use std::time::Duration;

use privy_protocol::{Command, LINE_LIMIT, Side};

use super::report::Failure;
use super::trial::{
    Abilities, Checked, SYNTAX, Trial, id_or_file, legal_text, plain_step, random_game, random_move, sample_games,
    sample_positions,
};
use crate::player::status_text;
use privy_rules::{Game, MovePath};

/// A step of the examination.
pub struct ComplianceStep {
    /// `GROUP.NAME`.
    pub name: &'static str,
    /// What the engine must do, in a sentence.
    pub title: &'static str,
    /// The commands that the step needs; of alternatives, separated by `|`, at least one.
    pub(super) needs: &'static [&'static str],
    pub(super) check: Check,
}

impl ComplianceStep {
    /// True if this is its name, or that of its group.
    pub fn is_of(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// The checks of a step, on an engine started for it.
type Check = for<'t, 'a> fn(&'t mut Trial<'a>) -> Checked<'t, 'a>;

const fn step(name: &'static str, title: &'static str, needs: &'static [&'static str], check: Check) -> ComplianceStep {
    ComplianceStep { name, title, needs, check }
}

/// The commands that show the state of an engine.
const STATE: &str = "fen|status|legal_moves";

// What a refusal may say.
const RANGE: &[&str] = &["syntax error", "value out of range"];
const ILLEGAL: &[&str] = &["illegal move", "syntax error"];
/// The rules of the variant say `illegal position`; a text that is no position at all may be a `syntax error`, too.
const POSITION: &[&str] = &["illegal position", "syntax error"];

/// All steps, in their order.
pub static STEPS: &[ComplianceStep] = &[
    step("start.answers", "answers, and says or shows which commands it has", &[], |engine| {
        Abilities::ask(engine)?;
        Ok(engine)
    }),
    step("start.silent", "writes nothing before it is asked", &[], |engine| {
        engine.quiet()?.ask("name")?.success()?.quiet()
    }),
    step("start.name", "says its name in one line", &[], |engine| {
        let is_line = engine.text_of("name")?.lines().count() == 1;
        engine.ensure(is_line, "= and a name, in one line")
    }),
    step("start.minimal-set", "has variant, position and go, or clear_board, play and genmove", &[], |engine| {
        let missing = [["variant", "position", "go"], ["clear_board", "play", "genmove"]]
            .map(|set| set.into_iter().filter(|command| !engine.has(command)).collect::<Vec<_>>().join(", "));
        if missing.iter().any(String::is_empty) {
            return Ok(engine);
        }
        let [first, second] = missing;
        let came = format!("it lacks {first} of the first set, and {second} of the second");
        Err(engine.fail_with(came, "variant, position and go, or clear_board, play and genmove"))
    }),
    step("start.list-commands", "lists its commands, one a line, each once", &["list_commands"], |engine| {
        let list = engine.text_of("list_commands")?;
        let names: Vec<&str> = list.lines().collect();
        engine
            .ensure(names.iter().all(|name| !name.contains(' ')), "lines with a single word each")?
            .ensure(names.iter().collect::<BTreeSet<_>>().len() == names.len(), "no name twice")?
            .ensure(["name", "quit"].iter().all(|name| names.contains(name)), "name and quit among the commands")
    }),
    step("start.listed-commands-exist", "knows the commands that it lists", &["list_commands"], |engine| {
        for name in &engine.abilities.listed {
            // Commands outside the protocol might have any effect, `quit` has one, and two take any argument.
            if Command::help(name).is_some() && !["help", "known_command", "quit"].contains(&name.as_str()) {
                // Arguments that every command of the protocol refuses, without an effect.
                engine.ask(&format!("{name} - - - - - - - -"))?;
                engine.ensure(engine.text() != "unknown command", "another answer than unknown command")?;
            }
        }
        Ok(engine)
    }),
    step("start.known-command", "says which commands it knows, and never fails to", &["known_command"], |engine| {
        for name in ["name", "quit"].into_iter().chain(engine.abilities.listed.iter().map(String::as_str)) {
            engine.ask(&format!("known_command {name}"))?.says("true")?;
        }
        for other in ["known_command no_such_command", "known_command NAME", "known_command"] {
            engine.ask(other)?.says("false")?;
        }
        Ok(engine)
    }),
    step("start.protocol-version", "speaks version 2 of the framing", &["protocol_version"], |engine| {
        engine.ask("protocol_version")?.says("2")
    }),
    step("framing.id", "repeats the id of a command, and answers without one where none was given", &[], |engine| {
        for (line, id) in
            [("name", None), ("17 name", Some(17)), ("0 name", Some(0)), ("name", None), ("17 name", Some(17))]
        {
            engine.ask(line)?.id(id)?.success()?;
        }
        Ok(engine)
    }),
    step("framing.id-of-failure", "repeats the id of a command that fails", &[], |engine| {
        engine.ask("18 no_such_command")?.id(Some(18))?.failure()
    }),
    step(
        "framing.largest-id",
        "takes ids up to 2147483647, and answers a larger one with a syntax error without id",
        &[],
        |engine| {
            engine.ask("2147483647 name")?.id(Some(2_147_483_647))?.success()?;
            engine.ask("2147483648 name")?.refuses(SYNTAX)?.id(None)?;
            engine.ask("99999999999999999999 name")?.refuses(SYNTAX)?.id(None)
        },
    ),
    step("framing.id-alone", "answers an id without a command with a syntax error", &[], |engine| {
        engine.ask("9")?.refuses(SYNTAX)?.id(Some(9))
    }),
    step("framing.one-answer", "gives one answer to a command, not two", &[], |engine| {
        engine.ask("name")?.quiet()?.ask("no_such_command")?.quiet()?.ask("1 name")?.quiet()
    }),
    step(
        "framing.no-empty-line",
        "has no empty line within an answer",
        &["list_commands|help|showboard|show_variant|geometry|list_options|list_variants"],
        |engine| {
            let commands =
                ["list_commands", "help", "showboard", "show_variant", "geometry", "list_options", "list_variants"];
            for (id, command) in (1_u32..).zip(commands).filter(|(_, command)| engine.has(command)).collect::<Vec<_>>()
            {
                engine.ask(&format!("{id} {command}"))?.id(Some(id))?.quiet()?;
            }
            Ok(engine)
        },
    ),
    step("framing.ahead", "answers 1,000 commands sent at once, in the order received", &[], |engine| {
        let lines: String = (1..=1000).map(|id| format!("{id} name\n")).collect();
        engine.send_bytes(lines.as_bytes(), 1000)?;
        for id in 1..=1000 {
            engine.answer()?.id(Some(id))?.success()?;
        }
        engine.quiet()
    }),
    step("framing.pieces", "waits for the end of a line that comes in pieces", &[], |engine| {
        engine.send_bytes(b"12 na", 0)?.quiet()?;
        engine.ask_bytes(b"me\n13")?.success()?.wait(50).ask_bytes(b" name\n")?.success()
    }),
    step("lines.carriage-return", "reads lines that end with CR LF", &[], |engine| {
        names_itself(engine, &[b"name\r\n", b"7 name\r\n"])
    }),
    step("lines.spaces", "takes tabs for spaces, and any number of them", &[], |engine| {
        names_itself(engine, &[b"\tname\n", b"  name  \n", b" 5\t \tname\t\n"])
    }),
    step("lines.control-characters", "drops control characters, NUL among them", &[], |engine| {
        names_itself(engine, &[b"na\x01me\n", b"\x7fname\x1b\n", b"na\0me\n", b"\0name\0\n"])
    }),
    step("lines.comment", "drops everything after a #, whatever bytes and however many", &[], |engine| {
        let long = format!("name # {}\n", "x".repeat(2 * LINE_LIMIT));
        names_itself(engine, &[b"name # quit\n", b"name#\n", b"name # \xff\xfe\n", long.as_bytes()])
    }),
    step("lines.nothing", "gives no answer to lines that are empty or hold a comment alone", &[], |engine| {
        engine.send_bytes(b"\n   \n\t\n\r\n# name\n  # name\n\n", 0)?.quiet()?;
        names_itself(engine, &[b"name\n"])
    }),
    step("lines.case", "tells capital letters from small ones in names of commands", &[], |engine| {
        engine.ask("NAME")?.refuses(&["unknown command"])
    }),
    step("lines.encoding", "answers a line that is not UTF-8 with a syntax error, and continues", &[], |engine| {
        for line in [b"name \xff\xfe\n".as_slice(), b"\x80\n", b"7 \xc3\x28\n"] {
            engine.ask_bytes(line)?.refuses(SYNTAX)?;
        }
        engine.ask("8 name")?.id(Some(8))?.success()
    }),
    step("lines.too-long", "answers a line of more than 64 KiB with one syntax error, and continues", &[], |engine| {
        for length in [LINE_LIMIT + 1, 10 * LINE_LIMIT] {
            engine.ask(&format!("name {}", "x".repeat(length)))?.refuses(SYNTAX)?.quiet()?;
        }
        engine.ask("8 name")?.id(Some(8))?.success()
    }),
    step("lines.last", "carries out a last line without a line feed", &[], |engine| {
        engine.send_bytes(b"name\n6 name", 2)?.close_input();
        engine.answer()?.success()?.answer()?.id(Some(6))?.success()?.ended()
    }),
    step("errors.unknown-command", "calls an unknown command just that, without another word", &[], |engine| {
        for line in ["no_such_command", "no_such_command with arguments", "Name"] {
            engine.ask(line)?;
            engine.ensure(!engine.is_success() && engine.text() == "unknown command", "? unknown command")?;
        }
        Ok(engine)
    }),
    step("errors.variant", "refuses variants that it does not know", &["variant"], |engine| {
        engine.keeps_state_at(&[("variant no-such-variant", &["unknown variant"])])
    }),
    step("errors.position", "refuses texts that are no position", &["position"], |engine| {
        let game = random_game(engine.variant()?, 1, 4);
        let text = game.to_string();
        let rows = text.split(' ').next().unwrap_or_default();
        let but_the_first = rows.split_once('/').unwrap_or_default().1;
        engine.set_up(&game)?.keeps_state_at(&[
            ("position", SYNTAX),
            ("position nowhere", SYNTAX),
            ("position fen", POSITION),
            (&format!("position fen {}", rows.replace('G', "1")), &["illegal position"]),
            (&format!("position fen {}", rows.replacen('r', "G", 1)), &["illegal position"]),
            (&format!("position fen {but_the_first}"), POSITION),
            (&format!("position fen {rows}9"), POSITION),
            (&format!("position fen {rows} x"), POSITION),
            (&format!("position fen {rows} g - 0 0 no-such-variant"), &["unknown variant"]),
            ("position startpos moves nowhere", ILLEGAL),
            ("position startpos moves a1-a1", ILLEGAL),
        ])?;
        if let Some(first) = legal_text(&game.beginning()).split(' ').next().filter(|first| !first.is_empty()) {
            // The legal move before the illegal one is not played: all or nothing.
            engine.keeps_state_at(&[(&format!("position startpos moves {first} {first}"), ILLEGAL)])?;
        }
        Ok(engine)
    }),
    step("errors.play", "refuses what is no move, and moves that can't be played", &["play"], |engine| {
        let game = random_game(engine.variant()?, 2, 3);
        let (other, legal) = (!game.side(), legal_text(&game));
        let first = legal.split(' ').next().unwrap_or_default();
        engine.set_up(&game)?.keeps_state_at(&[
            ("play", SYNTAX),
            ("play nowhere", SYNTAX),
            ("play a1-a1", ILLEGAL),
            ("play z9-z8", ILLEGAL),
            (&format!("play {other} {first}"), &["illegal move"]),
            (&format!("play nobody {first}"), SYNTAX),
        ])
    }),
    step("errors.go", "refuses limits that it can't read, or chooses a move without them", &["go"], |engine| {
        let game = random_game(engine.variant()?, 6, 2);
        let before = engine.set_up(&game)?.state()?;
        for (line, phrases) in [
            ("go time 50 depth", SYNTAX),
            ("go time 50 depth three", SYNTAX),
            ("go time 50 depth 0", RANGE),
            ("go time -1 nodes 10", RANGE),
            ("go time 50 no_such_limit 5", SYNTAX),
        ] {
            engine.ask(line)?;
            if engine.is_success() {
                engine.best_move_of(&game)?
            } else {
                engine.refuses(phrases)?
            };
            engine.is_still(&before)?;
        }
        // Another move than those asked for is no answer.
        engine.keeps_state_at(&[("go searchmoves a1-a1", ILLEGAL)])
    }),
    step(
        "errors.genmove",
        "refuses to choose a move for nobody, or for the side that is not to move",
        &["genmove"],
        |engine| {
            let game = random_game(engine.variant()?, 3, 2);
            let of_other = format!("genmove {}", !game.side());
            let cases = [("genmove", SYNTAX), ("genmove nobody", SYNTAX), (of_other.as_str(), &["illegal move"])];
            engine.set_up(&game)?.keeps_state_at(&cases)
        },
    ),
    step("errors.undo", "refuses to take back what was not played", &["undo"], |engine| {
        let nothing = ["cannot undo"].as_slice();
        engine.keeps_state_at(&[("undo", nothing), ("undo 3", nothing), ("undo x", SYNTAX), ("undo 0", RANGE)])
    }),
    step("errors.option", "refuses unknown options", &["set_option"], |engine| {
        engine.keeps_state_at(&[("set_option no_such_option 5", &["unknown option"]), ("set_option", SYNTAX)])
    }),
    step(
        "errors.option-range",
        "refuses values of options that are out of range, instead of changing them",
        &["set_option", "list_options"],
        |engine| {
            let options = engine.text_of("list_options")?;
            for option in options.lines() {
                let words: Vec<&str> = option.split(' ').collect();
                let [name, "int", _, least, greatest, ..] = words[..] else { continue };
                for (end, beyond) in [(least, -1), (greatest, 1)] {
                    let Ok(end) = end.parse::<i128>() else { continue };
                    engine.ask(&format!("set_option {name} {}", end + beyond))?.refuses(RANGE)?;
                }
            }
            engine.ask("list_options")?.says(&options)
        },
    ),
    step("errors.clock", "refuses times that it can't read", &["time_settings", "time_left"], |engine| {
        engine.keeps_state_at(&[
            ("time_settings", SYNTAX),
            ("time_settings x 0 0", SYNTAX),
            ("time_settings -5 0 0", RANGE),
            ("time_left nobody 5 0", SYNTAX),
            ("time_left general soon 0", SYNTAX),
        ])
    }),
    step("errors.boardsize", "refuses sizes that the board does not have", &["boardsize"], |engine| {
        engine.keeps_state_at(&[("boardsize 19", &["unacceptable size"]), ("boardsize x", SYNTAX)])
    }),
    step("state.variant", "says which variant is played, and begins a new game with another", &["variant"], |engine| {
        for variant in engine.variants() {
            engine.ask(&format!("variant {}", id_or_file(variant)))?.success()?.shows(&variant.start())?;
            if engine.abilities.tells_variant {
                engine.ask("variant")?.says(variant.id())?;
            }
        }
        Ok(engine)
    }),
    step("state.clear-board", "begins a new game", &["clear_board", STATE], |engine| {
        for game in sample_games(engine.variants()) {
            engine.set_up(&game)?.ask("clear_board")?.success()?.shows(&game.beginning())?;
        }
        Ok(engine)
    }),
    step("state.position-moves", "sets up games by their moves, in every variant", &["position", STATE], |engine| {
        for game in sample_games(engine.variants()) {
            engine.set_up(&game)?.shows(&game)?;
        }
        Ok(engine)
    }),
    step("state.position-fen", "sets up positions by their text, in every variant", &["position", STATE], |engine| {
        for game in sample_games(engine.variants()) {
            engine.choose_variant(&game)?.ask(&format!("position fen {game}"))?.success()?;
            if game.outcome().is_none() {
                // The text knows nothing of the moves before: neither of repetition nor of a custodial capture.
                engine.shows(&game.without_history())?;
            }
        }
        Ok(engine)
    }),
    step("state.fen-round-trip", "reads the position text that it writes", &["position", "fen"], |engine| {
        for game in sample_games(engine.variants()) {
            let text = engine.set_up(&game)?.text_of("fen")?;
            engine.ask(&format!("position fen {text}"))?.success()?.ask("fen")?.says(&text)?;
        }
        Ok(engine)
    }),
    step(
        "state.play",
        "plays moves one by one, and knows at every ply what can be played",
        &["play", STATE],
        |engine| {
            for variant in engine.variants() {
                let mut game = variant.start();
                engine.set_up(&game)?;
                for _ in 0..30 {
                    let Some(move_) = random_move(&game, 7, game.moves().len()) else { break };
                    plays(engine, &mut game, &move_, |text| text)?;
                }
            }
            Ok(engine)
        },
    ),
    step("state.illegal-moves", "refuses every move that the rules don't allow", &["play"], illegal_moves),
    step(
        "state.move-forms",
        "reads moves in capital letters, by their two points, and with the side before them",
        &["play", STATE],
        |engine| {
            let forms: [fn(Side, String) -> String; 5] = [
                |_, text| text.to_uppercase(),
                |side, text| format!("{side} {text}"),
                |side, text| format!("{} {text}", if side == Side::General { "W" } else { "black" }),
                |side, text| format!("{} {text}", side.letter()),
                |_, text| text.replace('-', ""),
            ];
            for variant in engine.variants() {
                let mut game = variant.start();
                engine.set_up(&game)?;
                for form in forms {
                    let Some((move_, _)) = plain_step(&game) else { break };
                    let side = game.side();
                    plays(engine, &mut game, &move_, |text| form(side, text))?;
                }
            }
            Ok(engine)
        },
    ),
    step("state.undo", "takes moves back", &["undo", STATE], |engine| {
        for mut game in sample_games(engine.variants()) {
            engine.set_up(&game)?;
            // One move, then two, and so on.
            for count in 1.. {
                if game.undo(count).is_err() {
                    break;
                }
                let line = if count == 1 { "undo".to_owned() } else { format!("undo {count}") };
                engine.ask(&line)?.success()?.shows(&game)?;
            }
        }
        Ok(engine)
    }),
    step("state.repetition", "calls the third occurrence of a position a draw", &["status"], |engine| {
        for variant in engine.variants() {
            let games = (0..20).map(|seed| random_game(variant, seed, 2));
            let Some(game) = games.filter_map(back_and_forth).find(|game| game.outcome().is_some()) else { continue };
            let mut before = game.clone();
            if before.undo(1).is_ok() {
                engine.set_up(&before)?.shows(&before)?;
            }
            engine.set_up(&game)?.shows(&game)?;
        }
        Ok(engine)
    }),
    step("state.game-over", "knows how a game has ended, and plays no further", &["play|go|genmove"], |engine| {
        for variant in engine.variants() {
            let mut games = (0..40).map(|seed| random_game(variant, seed, 400));
            let Some(game) = games.find(|game| game.outcome().is_some()) else { continue };
            engine.set_up(&game)?;
            for (command, due) in [("status", status_text(&game)), ("legal_moves", String::new())] {
                if engine.has(command) {
                    engine.ask(command)?.says(&due)?;
                }
            }
            for (command, arguments) in
                [("play", "a1-a2".to_owned()), ("go", "nodes 100".to_owned()), ("genmove", game.side().to_string())]
            {
                let phrases = if command == "go" { &["game over"][..] } else { &["illegal move", "game over"] };
                if engine.has(command) {
                    engine.ask(&format!("{command} {arguments}"))?.refuses(phrases)?;
                }
            }
        }
        Ok(engine)
    }),
    step(
        "search.bestmove",
        "ends the answer to go with one bestmove, which can be played, in every variant",
        &["go", "position"],
        |engine| {
            for game in sample_positions(engine.variants()) {
                engine.set_up(&game)?.search("time 1000 nodes 200")?.best_move_of(&game)?;
            }
            Ok(engine)
        },
    ),
    step("search.lines", "writes lines of a search that can be read", &["go"], |engine| {
        engine.search("time 1000 depth 5")?.search_lines()
    }),
    step("search.pv", "reports lines of play that can be played", &["go", "position"], |engine| {
        for game in sample_positions(engine.variants()) {
            engine.set_up(&game)?.search("time 1000 nodes 3000")?.playable_lines_of(&game)?;
        }
        Ok(engine)
    }),
    step("search.pv-of-best", "chooses the first move of its last line of play", &["go", "position"], |engine| {
        for game in sample_positions(engine.variants()) {
            // Where a depth is the only limit, nothing is searched after the last report.
            engine.set_up(&game)?.search("depth 2")?.best_move_of(&game)?;
            let (best, infos) = engine.searched();
            let last = infos.iter().rfind(|info| info.multipv == 1).and_then(|info| info.pv.first());
            let is_first = last.is_none_or(|first| best == [first.as_str()]);
            engine.ensure(is_first, "the first move of the last pv as bestmove")?;
        }
        Ok(engine)
    }),
    step("search.canonical", "writes moves in their canonical form", &["go", "position"], |engine| {
        for game in sample_positions(engine.variants()) {
            engine.set_up(&game)?.search("time 1000 nodes 200")?.success()?;
            let (best, infos) = engine.searched();
            for text in best.iter().chain(infos.iter().filter_map(|info| info.pv.first())) {
                if let Ok(move_) = game.parse_move(None, text) {
                    let canonical = game.move_text(&move_);
                    engine.ensure(*text == canonical, &format!("{canonical}, not {text}"))?;
                }
            }
        }
        Ok(engine)
    }),
    step("search.does-not-play", "does not play the move that it has found", &["go", STATE], |engine| {
        let before = engine.state()?;
        engine.search("time 100 depth 3")?.success()?.is_still(&before)
    }),
    step("search.time", "keeps to go time", &["go"], |engine| {
        engine.ask("go time 200")?.success()?.within(1.0, 200)?;
        engine.ask("go time 0")?.success()?.within(1.0, 0)?;
        engine.search("time 50 depth 200")?.success()?.within(1.0, 50)
    }),
    step("search.depth", "takes go depth and go nodes for limits", &["go"], |engine| {
        engine.search("depth 1")?.best()?.search("depth 2")?.best()?;
        engine.search("nodes 1")?.best()?.search("nodes 500")?.best()
    }),
    step("search.clock", "answers go clock before the clock has run down", &["go"], |engine| {
        // No margin is granted here, since who oversteps has lost. But the clocks are as long as three margins.
        let clock = engine.margins(3.0).as_millis();
        for more in ["", " inc 100", " moves 2"] {
            engine.search(&format!("clock {clock}{more}"))?.success()?.within(3.0, 0)?;
        }
        Ok(engine)
    }),
    step("search.no-limit", "answers go without a limit, after a second or so", &["go"], |engine| {
        engine.ask("go")?.success()?.within(1.0, 1000)
    }),
    step(
        "search.searchmoves",
        "chooses from the moves that go names, or refuses searchmoves",
        &["go", "position"],
        |engine| {
            for game in sample_positions(engine.variants()) {
                engine.set_up(&game)?;
                let legal = legal_text(&game);
                for only in legal.split(' ').next().into_iter().chain(legal.rsplit(' ').next()) {
                    if !engine.ask(&format!("go time 1000 nodes 100 searchmoves {only}"))?.is_success() {
                        return engine.refuses(SYNTAX);
                    }
                    let is_only = engine.searched().0 == [only];
                    engine.ensure(is_only, &format!("bestmove {only}"))?;
                }
            }
            Ok(engine)
        },
    ),
    step("search.in-turn", "answers what comes during a search in its turn", &["go"], |engine| {
        engine.send_bytes(b"31 go time 300\n32 name\n33 no_such_command\n", 3)?;
        engine.answer()?.id(Some(31))?.answer()?.id(Some(32))?.answer()?.id(Some(33))
    }),
    step(
        "stop.running",
        "ends an unlimited search at once on stop, and answers the search first, then stop",
        &["go", "stop"],
        |engine| {
            engine.send("go infinite", 1)?.wait(200).send("stop", 1)?;
            engine.answer()?.within(1.0, 0)?.best_or_refusal()?.answer()?.says("")?.quiet()
        },
    ),
    step("stop.limited", "ends a limited search on stop before its limit", &["go", "stop"], |engine| {
        let time = engine.margins(2.0).as_millis() + 400;
        engine.send(&format!("go time {time}"), 1)?.wait(200).send("stop", 1)?;
        engine.answer()?.within(1.0, 0)?.best()?.answer()?.says("")?.quiet()
    }),
    step("stop.at-once", "finds a move even when stop comes right after go", &["go", "stop"], |engine| {
        engine.send_bytes(b"go infinite\nstop\n", 2)?;
        engine.answer()?.best_or_refusal()?.within(1.0, 0)?.answer()?.says("")?.quiet()
    }),
    step("stop.nothing", "answers stop with an empty success when there is nothing to stop", &["stop"], |engine| {
        engine.ask("stop")?.says("")?.quiet()?.ask("name")?.success()
    }),
    step(
        "stop.interrupt",
        "ends a search on the comment # interrupt, which has no answer",
        &["go", "gogui-interrupt"],
        |engine| {
            engine.send("# interrupt", 0)?.quiet()?.send("go infinite", 1)?.wait(200).send("# interrupt", 0)?;
            engine.answer()?.within(1.0, 0)?.best_or_refusal()?.quiet()
        },
    ),
    step("genmove.plays", "chooses moves for both sides, and plays them", &["genmove"], |engine| {
        if engine.has("time_settings") {
            engine.ask("time_settings 2 0 0")?.success()?;
        }
        for variant in engine.variants().iter().take(3) {
            let mut game = random_game(variant, 30, 4);
            engine.set_up(&game)?;
            for _ in 0..6 {
                if game.outcome().is_none() {
                    engine.ask(&format!("genmove {}", game.side()))?;
                    game.play(engine.move_of(&game)?);
                    engine.shows(&game)?;
                }
            }
        }
        Ok(engine)
    }),
    step("genmove.sides", "knows the sides by all their names", &["genmove", "clear_board"], |engine| {
        if engine.has("time_settings") {
            engine.ask("time_settings 2 0 0")?.success()?;
        }
        let game = engine.variant()?.start();
        engine.choose_variant(&game)?;
        let names = match game.side() {
            Side::General => ["general", "g", "w", "WHITE"],
            Side::Rebels => ["rebels", "r", "b", "BLACK"],
        };
        for name in names {
            engine.ask("clear_board")?.success()?.ask(&format!("genmove {name}"))?.move_of(&game)?;
        }
        Ok(engine)
    }),
    step(
        "clock.main-time",
        "makes its moves within the time of time_settings, and keeps the clock itself",
        &["genmove", "time_settings"],
        main_time,
    ),
    step("clock.time-left", "goes by what time_left says", &["genmove", "time_settings", "time_left"], |engine| {
        let game = engine.variant()?.start();
        let (side, seconds) = (game.side(), engine.margins(0.9).as_secs_f64());
        engine.set_up(&game)?.ask("time_settings 6000 0 0")?.success()?;
        engine.ask(&format!("time_left {side} {seconds} 0"))?.success()?;
        engine.ask(&format!("genmove {side}"))?.success()?.within(0.9, 0)
    }),
    step("clock.forms", "reads fractions, negative rests, and periods", &["time_settings", "time_left"], |engine| {
        for line in [
            "time_settings 300 0 0",
            "time_settings 0 30 10",
            "time_settings 60 30 5",
            "time_settings 0 1 0",
            "time_left general 271.5 0",
            "time_left rebels -0.3 0",
            "time_left w 20 5",
            "time_left BLACK 20 0",
        ] {
            engine.ask(line)?.success()?;
        }
        Ok(engine)
    }),
    step("analysis.reports", "reports moves that can be played", &["analyze"], |engine| {
        let game = random_game(engine.variant()?, 50, 5);
        engine.set_up(&game)?;
        engine.send("analyze 10", 1)?.wait(200).send("name", 1)?;
        engine.answer()?.analysis_of(&game)?.answer()?.success()
    }),
    step("analysis.any-line", "ends an analysis on any line, and carries that line out", &["analyze"], |engine| {
        for (line, answers) in [("name", 1), ("no_such_command", 1), ("", 0), ("# comment", 0)] {
            engine.send("analyze", 1)?.wait(100).send(line, answers)?.answer()?.success()?.within(1.0, 0)?;
            if answers > 0 {
                engine.answer()?;
            }
            engine.quiet()?;
        }
        Ok(engine)
    }),
    step("end.quit", "answers quit, then ends with status 0", &[], |engine| {
        engine.ask("19 quit")?.id(Some(19))?.success()?.ended()
    }),
    step("end.behind-quit", "executes nothing after quit", &[], |engine| {
        engine.ask_bytes(b"quit\nname\n")?.success()?.ended()
    }),
    step("end.input", "ends with status 0 when its input ends", &[], |engine| {
        engine.ask("name")?.success()?.close_input();
        engine.ended()
    }),
    step("end.input-ahead", "answers all that was asked before its input ended", &[], |engine| {
        engine.send_bytes(&b"name\n".repeat(100), 100)?.close_input();
        for _ in 0..100 {
            engine.answer()?.success()?;
        }
        engine.ended()
    }),
    step("end.input-searching", "finishes a limited search when its input ends", &["go"], |engine| {
        engine.send("go time 300", 1)?.close_input();
        engine.answer()?.best()?.ended()
    }),
    step("end.quit-searching", "ends an unlimited search on quit", &["go"], |engine| {
        engine.send_bytes(b"go infinite\nquit\n", 2)?;
        engine.answer()?.best_or_refusal()?.answer()?.success()?.ended()
    }),
];

/// The engine answers each of the lines, whatever their bytes, as it answers `name`.
fn names_itself<'t, 'a>(engine: &'t mut Trial<'a>, lines: &[&[u8]]) -> Checked<'t, 'a> {
    let name = engine.text_of("name")?;
    for line in lines {
        engine.ask_bytes(line)?.success()?;
        engine.ensure(engine.text() == name, &format!("= {name}, as to the line name"))?;
    }
    engine.quiet()
}

/// Plays a move, in a form of its text, in the game and in the engine.
fn plays(
    engine: &mut Trial<'_>,
    game: &mut Game,
    move_: &MovePath,
    form: impl Fn(String) -> String,
) -> Result<(), Failure> {
    engine.ask(&format!("play {}", form(game.move_text(move_))))?.success()?;
    game.play(move_.clone());
    engine.shows(game).map(drop)
}

/// Tries all illegal moves between a sample of points.
fn illegal_moves<'t, 'a>(engine: &'t mut Trial<'a>) -> Checked<'t, 'a> {
    for variant in engine.variants() {
        let game = random_game(variant, 5, 9);
        let before = engine.set_up(&game)?.state()?;
        let board = game.board();
        let names: Vec<String> = board.all().into_iter().map(|point| board.name(point).to_string()).collect();
        for (number, from) in names.iter().enumerate() {
            for to in names.iter().skip(number % 5).step_by(5) {
                let text = format!("{from}-{to}");
                if game.parse_move(None, &text).is_err() {
                    let phrases = &["illegal move", "syntax error", "game over"];
                    engine.ask(&format!("play {text}"))?.refuses(phrases)?;
                }
            }
        }
        engine.is_still(&before)?;
    }
    Ok(engine)
}

/// Lets both sides move back and forth twice. Returns `None` if one of them cannot.
fn back_and_forth(mut game: Game) -> Option<Game> {
    for _ in 0..2 {
        let mut ways_back = Vec::new();
        for _ in 0..2 {
            let (there, text) = plain_step(&game)?;
            ways_back.extend(text.split_once('-').map(|(from, to)| format!("{to}-{from}")));
            game.play(there);
        }
        for back in ways_back {
            let back = game.parse_move(None, &back).ok()?;
            game.play(back);
        }
    }
    Some(game)
}

/// Twelve moves, with three margins on the clock of each side.
fn main_time<'t, 'a>(engine: &'t mut Trial<'a>) -> Checked<'t, 'a> {
    let (game, clock) = (engine.variant()?.start(), engine.margins(3.0));
    engine.set_up(&game)?.ask(&format!("time_settings {} 0 0", clock.as_secs_f64()))?.success()?;
    let mut side = game.side();
    let [mut used, mut other_used] = [Duration::ZERO; 2];
    for _ in 0..12 {
        if !engine.ask(&format!("genmove {side}"))?.is_success() {
            // The game is over, or the engine thinks so; another step checks that.
            break;
        }
        used += engine.took();
        if used > clock {
            let came = format!("{} ms for the moves of one side", used.as_millis());
            let expected = format!("no more than {} ms for all moves of a side", clock.as_millis());
            return Err(engine.fail_with(came, &expected));
        }
        side = !side;
        std::mem::swap(&mut used, &mut other_used);
    }
    Ok(engine)
}
