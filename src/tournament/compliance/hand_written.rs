//! The parts of steps that no script can express: they compute what they send, or depend on the answers.

use std::collections::BTreeSet;
use std::time::Duration;

use privy_protocol::Command;

use super::report::Failure;
use super::trial::{Abilities, Trial, plain_step, random_game};
use crate::rules::Game;

/// A part of a step, called with the current game of its script.
pub(super) type Part = fn(&mut Trial<'_>, &Game) -> Result<(), Failure>;

/// The part that `do NAME` calls.
pub(super) fn find(name: &str) -> Option<Part> {
    Some(match name {
        "discovery" => |trial, _| ask_abilities(trial).map(drop),
        "minimal set" => minimal_set,
        "command list" => command_list,
        "listed commands" => listed_commands,
        "known commands" => known_commands,
        "thousand commands" => thousand_commands,
        "hundred commands" => hundred_commands,
        "option ranges" => option_ranges,
        "illegal moves" => illegal_moves,
        "undo" => undo,
        "repetition" => repetition,
        "main time" => main_time,
        "kinds of time control" => kinds_of_time_control,
        _ => return None,
    })
}

/// Harmless lines that find the commands of an engine without `list_commands` and `known_command`.
const TRIED: [&str; 10] =
    ["variant", "position startpos", "clear_board", "play", "fen", "status", "legal_moves", "stop", "genmove", "undo"];

/// Asks the engine for its name, commands and variants.
pub(super) fn ask_abilities(trial: &mut Trial<'_>) -> Result<Abilities, Failure> {
    let mut abilities = trial.examination.unknown_abilities();
    let name = trial.ask("name")?;
    if name.is_success() {
        name.text().clone_into(&mut abilities.name);
    }
    let list = trial.ask("list_commands")?;
    if list.is_success() {
        abilities.listed = list.lines().map(|line| line.trim().to_owned()).collect();
        abilities.commands = abilities.listed.iter().cloned().chain(["list_commands".to_owned()]).collect();
    } else {
        abilities.commands = found_commands(trial)?;
    }
    if abilities.has("list_variants") {
        let named: Vec<String> = trial.ask("list_variants")?.lines().map(str::to_owned).collect();
        abilities.variants = trial.examination.variants_among(&named);
    }
    if !abilities.has("variant") {
        abilities.variants.truncate(1);
    }
    Ok(abilities)
}

/// The commands of an engine without `list_commands`: by `known_command`, or by trying.
fn found_commands(trial: &mut Trial<'_>) -> Result<BTreeSet<String>, Failure> {
    let mut commands = BTreeSet::from(["name".to_owned(), "quit".to_owned()]);
    if trial.ask("known_command name")?.text() == "true" {
        for command in Command::all_help() {
            if trial.ask(&format!("known_command {}", command.name))?.text() == "true" {
                commands.insert(command.name.to_owned());
            }
        }
        commands.insert("known_command".to_owned());
        return Ok(commands);
    }
    for line in TRIED {
        let reply = trial.ask(line)?;
        if reply.is_success() || reply.text() != "unknown command" {
            commands.extend(line.split(' ').next().map(str::to_owned));
        }
    }
    // `go` is not tried, since a search takes time.
    if commands.contains("position") {
        commands.insert("go".to_owned());
    }
    Ok(commands)
}

fn minimal_set(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    let sets = [["variant", "position", "go"], ["clear_board", "play", "genmove"]];
    let missing = sets.map(|set| set.into_iter().filter(|command| !trial.has(command)).collect::<Vec<_>>().join(", "));
    if missing.iter().any(String::is_empty) {
        return Ok(());
    }
    let [first, second] = missing;
    let came = format!("it lacks {first} of the first set, and {second} of the second");
    Err(trial.fail_with(came, "variant, position and go, or clear_board, play and genmove"))
}

fn command_list(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    let list = trial.text_of("list_commands")?;
    let names: Vec<&str> = list.lines().collect();
    trial.ensure(names.iter().all(|name| !name.contains(' ')), "lines with a single word each")?;
    trial.ensure(names.iter().collect::<BTreeSet<_>>().len() == names.len(), "no name twice")?;
    trial.ensure(["name", "quit"].iter().all(|name| names.contains(name)), "name and quit among the commands")
}

/// Tries every listed command of the protocol, except `quit` and those that take any argument. Commands outside the protocol
/// might have any effect.
fn listed_commands(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    for name in &trial.abilities.listed {
        if Command::help(name).is_some() && !["echo", "help", "known_command", "quit"].contains(&name.as_str()) {
            // Arguments that every command of the protocol refuses, so that none has an effect.
            let reply = trial.ask(&format!("{name} - - - - - - - -"))?;
            trial.ensure(reply.text() != "unknown command", "another answer than unknown command")?;
        }
    }
    Ok(())
}

fn known_commands(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    for name in &trial.abilities.listed {
        let text = trial.text_of(&format!("known_command {name}"))?;
        trial.ensure(text == "true", "= true, since list_commands has it")?;
    }
    Ok(())
}

fn thousand_commands(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    let lines: String = (1..=1000).map(|id| format!("{id} name\n")).collect();
    trial.send_bytes(lines.as_bytes(), 1000)?;
    for id in 1..=1000 {
        let reply = trial.answer()?;
        trial.ensure(reply.is_success() && reply.id() == Some(id), &format!("={id} and the name"))?;
    }
    Ok(())
}

fn hundred_commands(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    trial.send_bytes(&b"name\n".repeat(100), 100)?;
    trial.close_input();
    for _ in 0..100 {
        let reply = trial.answer()?;
        trial.ensure_success(&reply)?;
    }
    Ok(())
}

/// Tries one below the least and one above the greatest value of each integer option.
fn option_ranges(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    let options = trial.text_of("list_options")?;
    for option in options.lines() {
        let words: Vec<&str> = option.split(' ').collect();
        let [name, "int", _, least, greatest, ..] = words[..] else { continue };
        for (end, step) in [(least, -1), (greatest, 1)] {
            let Ok(end) = end.parse::<i128>() else { continue };
            let reply = trial.ask(&format!("set_option {name} {}", end + step))?;
            trial.ensure_refusal(&reply, &["syntax error", "value out of range"])?;
        }
    }
    let after = trial.text_of("list_options")?;
    trial.ensure(after == options, &format!("= {options}"))
}

/// Tries all illegal moves between a sample of points.
fn illegal_moves(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    for variant in &trial.abilities.variants {
        let game = random_game(variant, 5, 9);
        trial.set_up(&game)?;
        let before = trial.state()?;
        let board = game.board();
        let names: Vec<String> = board.all().into_iter().map(|point| board.name(point).to_string()).collect();
        let moves = names
            .iter()
            .enumerate()
            .flat_map(|(number, from)| names.iter().skip(number % 5).step_by(5).map(move |to| format!("{from}-{to}")));
        for text in moves.filter(|text| game.parse_move(None, text).is_err()) {
            let reply = trial.ask(&format!("play {text}"))?;
            trial.ensure_refusal(&reply, &["illegal move", "syntax error", "game over"])?;
        }
        trial.ensure_same_state(&before)?;
    }
    Ok(())
}

/// Takes back one move, then two, and so on.
fn undo(trial: &mut Trial<'_>, game: &Game) -> Result<(), Failure> {
    let mut game = game.clone();
    let mut count = 1;
    while game.undo(count).is_ok() {
        trial.text_of(&if count == 1 { "undo".to_owned() } else { format!("undo {count}") })?;
        trial.ensure_state(&game)?;
        count += 1;
    }
    Ok(())
}

/// In each variant a game that is drawn by moves back and forth, and the same game a ply before.
fn repetition(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    for variant in &trial.abilities.variants {
        let games = (0..20).map(|seed| random_game(variant, seed, 2));
        let Some(game) = games.filter_map(back_and_forth).find(|game| game.outcome().is_some()) else { continue };
        let mut before = game.clone();
        if before.undo(1).is_ok() {
            trial.set_up(&before)?;
            trial.ensure_state(&before)?;
        }
        trial.set_up(&game)?;
        trial.ensure_state(&game)?;
    }
    Ok(())
}

/// Lets both sides move back and forth twice; none if one of them cannot.
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
fn main_time(trial: &mut Trial<'_>, game: &Game) -> Result<(), Failure> {
    let clock = 3 * trial.examination.margin;
    trial.set_up(game)?;
    trial.text_of(&format!("time_settings {} 0 0", clock.as_secs_f64()))?;
    let mut side = game.side();
    let [mut used, mut other_used] = [Duration::ZERO; 2];
    for _ in 0..12 {
        let reply = trial.ask(&format!("genmove {side}"))?;
        if !reply.is_success() {
            // The game is over, or the engine thinks so; another step checks that.
            break;
        }
        used += trial.took();
        if used > clock {
            let came = format!("{} ms for the moves of one side", used.as_millis());
            let expected = format!("no more than {} ms for all moves of a side", clock.as_millis());
            return Err(trial.fail_with(came, &expected));
        }
        side = !side;
        std::mem::swap(&mut used, &mut other_used);
    }
    Ok(())
}

/// Listed kinds are accepted, all others refused.
fn kinds_of_time_control(trial: &mut Trial<'_>, _: &Game) -> Result<(), Failure> {
    let kinds = trial.text_of("kata-list_time_settings")?;
    for setting in ["none", "absolute 300", "byoyomi 60 10 3", "canadian 60 30 5", "fischer 300 2.5"] {
        let reply = trial.ask(&format!("kata-time_settings {setting}"))?;
        if kinds.split_ascii_whitespace().any(|kind| setting.split(' ').next() == Some(kind)) {
            trial.ensure_success(&reply)?;
        } else {
            trial.ensure_refusal(&reply, &["syntax error"])?;
        }
    }
    Ok(())
}
