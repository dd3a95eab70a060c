//! What an engine says to requests that it can't carry out, and that it does nothing else.

use crate::rules::Game;

use super::game::{legal_text, random_game};
use super::step::{Failure, Step};
use super::trial::Trial;

/// Lines that must fail, and the phrases of which one must begin the answer.
type Refusals<'a, Line> = &'a [(Line, &'a [&'a str])];

/// What is no value, and what is one that is too small or too large: engines may see both in one.
const EITHER: &[&str] = &["syntax error", "value out of range"];

const LIMITS: Refusals<'_, &str> = &[
    ("go depth", &["syntax error"]),
    ("go depth three", &["syntax error"]),
    ("go depth 0", EITHER),
    ("go time -1", EITHER),
    ("go no_such_limit 5", &["syntax error"]),
    ("go searchmoves a1-a1", &["illegal move", "syntax error"]),
];

const UNDO: Refusals<'_, &str> =
    &[("undo", &["cannot undo"]), ("undo 3", &["cannot undo"]), ("undo x", &["syntax error"]), ("undo 0", EITHER)];

const OPTIONS: Refusals<'_, &str> =
    &[("set_option no_such_option 5", &["unknown option"]), ("set_option", &["syntax error"])];

const CLOCKS: Refusals<'_, &str> = &[
    ("time_settings", &["syntax error"]),
    ("time_settings x 0 0", &["syntax error"]),
    ("time_settings -5 0 0", EITHER),
    ("time_left nobody 5 0", &["syntax error"]),
    ("time_left general soon 0", &["syntax error"]),
];

const SIZES: Refusals<'_, &str> = &[("boardsize 19", &["unacceptable size"]), ("boardsize x", &["syntax error"])];

const VARIANTS: Refusals<'_, &str> = &[("variant no-such-variant", &["unknown variant"])];

pub(super) const STEPS: &[Step] = &[
    Step::new(
        "errors.unknown-command",
        "calls an unknown command just that, without another word",
        &[],
        unknown_command,
    ),
    Step::new("errors.variant", "refuses variants that it does not know", &[&["variant"]], |trial| {
        refuses(trial, VARIANTS)
    }),
    Step::new("errors.position", "refuses texts that are no position", &[&["position"]], position),
    Step::new("errors.play", "refuses what is no move, and moves that can't be played", &[&["play"]], play),
    Step::new("errors.go", "refuses limits that it can't read", &[&["go"]], |trial| refuses(trial, LIMITS)),
    Step::new(
        "errors.genmove",
        "refuses to choose a move for nobody, or for the side that is not to move",
        &[&["genmove"]],
        genmove,
    ),
    Step::new("errors.undo", "refuses to take back what was not played", &[&["undo"]], |trial| refuses(trial, UNDO)),
    Step::new("errors.option", "refuses unknown options", &[&["set_option"]], |trial| refuses(trial, OPTIONS)),
    Step::new(
        "errors.option-range",
        "refuses values of options that are out of range, instead of changing them",
        &[&["set_option"], &["list_options"]],
        option_range,
    ),
    Step::new("errors.clock", "refuses times that it can't read", &[&["time_settings"], &["time_left"]], |trial| {
        refuses(trial, CLOCKS)
    }),
    Step::new("errors.boardsize", "refuses sizes that the board does not have", &[&["boardsize"]], |trial| {
        refuses(trial, SIZES)
    }),
];

/// Every line must fail with one of its phrases, and leave the state as it was.
fn refuses<Line: AsRef<str>>(trial: &mut Trial<'_>, lines: Refusals<'_, Line>) -> Result<(), Failure> {
    let before = trial.state()?;
    for (line, phrases) in lines {
        let line = line.as_ref();
        trial.refusal(line, phrases)?;
        let after = trial.state()?;
        if after != before {
            let changed = after.iter().zip(&before).find(|(after, before)| after != before);
            let (after, before) = changed.map(|(after, before)| (after.as_str(), before.as_str())).unwrap_or_default();
            let expected = format!("what it was before {line:?} had failed: {before}");
            return Err(trial.fail_with(after, &expected));
        }
    }
    Ok(())
}

fn unknown_command(trial: &mut Trial<'_>) -> Result<(), Failure> {
    for line in ["no_such_command", "no_such_command with arguments", "Name"] {
        let reply = trial.ask(line)?;
        trial.ensure(!reply.is_success() && reply.text() == "unknown command", "? unknown command")?;
    }
    Ok(())
}

fn position(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let variant = trial.variant()?;
    let game = random_game(variant, 1, 4);
    trial.set_up(&game)?;
    let text = game.to_string();
    let rows = text.split(' ').next().unwrap_or_default();
    let (_, without_first) = rows.split_once('/').unwrap_or_default();
    let first = first_move(&random_game(variant, 1, 0));
    // `illegal position` is what the rules of the variant say; a text that is none at all may be a `syntax error`, too.
    let either: &[&str] = &["illegal position", "syntax error"];
    let no_move: &[&str] = &["illegal move", "syntax error"];
    refuses(
        trial,
        &[
            ("position".to_owned(), &["syntax error"]),
            ("position nowhere".to_owned(), &["syntax error"]),
            ("position fen".to_owned(), either),
            (format!("position fen {}", rows.replace('G', "1")), &["illegal position"]),
            (format!("position fen {}", rows.replacen('r', "G", 1)), &["illegal position"]),
            (format!("position fen {without_first}"), either),
            (format!("position fen {rows}9"), either),
            (format!("position fen {rows} x"), either),
            (format!("position fen {rows} g - 0 0 no-such-variant"), &["unknown variant"]),
            ("position startpos moves nowhere".to_owned(), no_move),
            ("position startpos moves a1-a1".to_owned(), no_move),
            // All or nothing: the legal move before the illegal one is not played.
            (format!("position startpos moves {first} {first}"), no_move),
        ],
    )
}

/// The first of the legal moves.
fn first_move(game: &Game) -> String {
    legal_text(game).split(' ').next().unwrap_or_default().to_owned()
}

fn play(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let game = random_game(trial.variant()?, 2, 3);
    trial.set_up(&game)?;
    let legal = first_move(&game);
    let no_move: &[&str] = &["illegal move", "syntax error"];
    refuses(
        trial,
        &[
            ("play".to_owned(), &["syntax error"]),
            ("play nowhere".to_owned(), &["syntax error"]),
            ("play a1-a1".to_owned(), no_move),
            ("play z9-z8".to_owned(), no_move),
            (format!("play {} {legal}", !game.position().side()), &["illegal move"]),
            (format!("play nobody {legal}"), &["syntax error"]),
        ],
    )
}

fn genmove(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let game = random_game(trial.variant()?, 3, 2);
    trial.set_up(&game)?;
    let other = format!("genmove {}", !game.position().side());
    refuses(
        trial,
        &[("genmove", &["syntax error"]), ("genmove nobody", &["syntax error"]), (&other, &["illegal move"])],
    )
}

/// One below the least and one above the greatest value of each whole number.
fn option_range(trial: &mut Trial<'_>) -> Result<(), Failure> {
    let options = trial.text_of("list_options")?;
    for option in options.lines() {
        let words: Vec<&str> = option.split(' ').collect();
        let [name, "int", _, least, greatest, ..] = words[..] else { continue };
        for outside in
            [least.parse::<i128>().map(|least| least - 1), greatest.parse().map(|greatest: i128| greatest + 1)]
        {
            let Ok(outside) = outside else { continue };
            trial.refusal(&format!("set_option {name} {outside}"), EITHER)?;
        }
    }
    let after = trial.text_of("list_options")?;
    trial.ensure(after == options, &format!("= {options}"))
}
