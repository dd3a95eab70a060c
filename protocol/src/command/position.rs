//! Commands that choose the game and set up positions.

use super::Command;
use crate::arguments::Arguments;
use crate::error::{ErrorPhrase, ProtocolError};
use crate::request::{Request, Start, VariantSource};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "boardsize",
        arguments: "N",
        summary: "start a new game, if a square of N by N points just holds the board",
        answer: "nothing. The opening of the current variant is set up.",
        failure: "unacceptable size, when the board of the current variant has another size; the game stays as it is.",
        parse: board_size,
    },
    Command {
        name: "komi",
        arguments: "X",
        summary: "accepted for clients of other games",
        answer: "nothing. These games know no points, so that the number has no effect.",
        failure: "",
        parse: |mut arguments| {
            let komi = arguments.decimal(None, "a number")?;
            arguments.finished(Request::Komi(komi))
        },
    },
    Command {
        name: "clear_board",
        arguments: "",
        summary: "start a new game of the current variant",
        answer: "nothing. The opening is set up, the history is empty.",
        failure: "",
        parse: |arguments| arguments.finished(Request::ClearBoard),
    },
    Command {
        name: "list_variants",
        arguments: "",
        summary: "the games that the engine knows",
        answer: "one variant id a line.",
        failure: "",
        parse: |arguments| arguments.finished(Request::ListVariants),
    },
    Command {
        name: "variant",
        arguments: "[ID | PATH]",
        summary: "choose the game, or say which it is",
        answer: "the id of the current variant; with an id, or the path of a variant file, nothing, and a new game \
                 starts. A value with a slash or ending in .toml is a path; it takes the rest of the line.",
        failure: "unknown variant, or cannot load file; variant and game stay as they are.",
        parse: variant,
    },
    Command {
        name: "show_variant",
        arguments: "",
        summary: "the rules of the current variant",
        answer: "the variant file, without its empty lines.",
        failure: "",
        parse: |arguments| arguments.finished(Request::ShowVariant),
    },
    Command {
        name: "position",
        arguments: "startpos | fen TEXT [moves MOVE ...]",
        summary: "set up a position and play moves from it",
        answer: "nothing. The opening of the current variant or the position of the text is set up, and the moves are \
                 played. A text that names another variant switches to it.",
        failure: "illegal position, unknown variant, syntax error, or illegal move, when one of the moves cannot be \
                  played; then nothing is set up at all, and variant and game stay as they are.",
        parse: position,
    },
    Command {
        name: "fen",
        arguments: "",
        summary: "the position as text",
        answer: "the position text, all six fields.",
        failure: "",
        parse: |arguments| arguments.finished(Request::Fen),
    },
    Command {
        name: "showboard",
        arguments: "",
        summary: "the position as a drawing",
        answer: "a drawing for people, of several lines.",
        failure: "",
        parse: |arguments| arguments.finished(Request::ShowBoard),
    },
    Command {
        name: "geometry",
        arguments: "",
        summary: "the board as data",
        answer: "lines for programs, such as: point c3 3 3 field; line a1 b2 c3; exit b5; apex c7.",
        failure: "",
        parse: |arguments| arguments.finished(Request::Geometry),
    },
];

fn board_size(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let size = arguments.small_number(None, "a board size", 0);
    // Clients look for the phrase `unacceptable size`, however far off the number is.
    let size = size.map_err(|error| match error.phrase() {
        ErrorPhrase::ValueOutOfRange => ProtocolError::new(ErrorPhrase::UnacceptableSize, error.detail()),
        _ => error,
    })?;
    arguments.finished(Request::BoardSize(size))
}

fn variant(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let text = arguments.peek_rest();
    if text.contains('/') || text.ends_with(".toml") {
        return Ok(Request::Variant(Some(VariantSource::File(text.to_owned()))));
    }
    let id = arguments.word();
    let source = id.map(|id| VariantSource::Id(id.to_owned()));
    arguments.finished(Request::Variant(source))
}

fn position(mut arguments: Arguments<'_>) -> Result<Request, ProtocolError> {
    let start = match arguments.word() {
        Some("startpos") => Start::Opening,
        Some("fen") => {
            let text = arguments.words_until(|word| word == "moves").join(" ");
            if text.is_empty() {
                return Err(arguments.complaint_at(
                    arguments.taken() + 1,
                    ErrorPhrase::SyntaxError,
                    Some("fen"),
                    "a position text",
                    arguments.peek(),
                ));
            }
            Start::Text(text)
        }
        found => {
            let expected = "startpos or fen";
            return Err(arguments.complaint(ErrorPhrase::SyntaxError, Some("start"), expected, found));
        }
    };
    match arguments.word() {
        None | Some("moves") => {}
        found => {
            let expected = "moves or the end of the line";
            return Err(arguments.complaint(ErrorPhrase::SyntaxError, Some("moves"), expected, found));
        }
    }
    let moves = arguments.words_until(|_| false);
    let moves = moves.into_iter().map(str::to_owned).collect();
    Ok(Request::Position { start, moves })
}
