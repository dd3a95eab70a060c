//! The commands that both loops have.

use nom::Parser;

use super::declaration::{Command, Entry, commands};
use crate::arguments::{Arguments, Parsed, any_word, count, decimal, flag, repeated, text, value, word, words_until};
use crate::error::{ErrorCode, ProtocolError};

/// The name of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum VariantSource {
    /// The id of a variant that the engine knows: one word.
    Id(String),
    /// The path of a variant file: a text with a `/`, or ending in `.toml`. It may contain spaces.
    File(String),
}

/// The position that `position` sets up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// `fen TEXT`: the position text, its fields separated by one space each; [`None`]: the opening of the current variant.
    pub start: Option<String>,
    /// The moves to play from there, as written.
    pub moves: Vec<String>,
}

commands! {
    /// A request that both loops know. Moves and positions are text: the engine reads them. A request that fails changes nothing.
    pub enum SharedRequest {
        after "" {
            ProtocolVersion "protocol_version" {
                summary: "the version of the protocol",
                answer: "`2`.",
            }
            Name "name" {
                summary: "the name of the engine",
                answer: "the name.",
            }
            Version "version" {
                summary: "the version of the engine",
                answer: "the version.",
            }
            KnownCommand(String) "known_command" ["COMMAND"] (text) {
                summary: "whether there is such a command",
                answer: "`true` or `false`; `false` also when no name, or more than a name, is given.",
                failure: "never.",
            }
            ListCommands "list_commands" {
                summary: "the names of all commands",
                answer: "one name a line.",
            }
            Help(Option<String>) "help" ["[COMMAND]"] (any_word) {
                summary: "what a command does, or a line on every command",
                answer: "the synopsis, what the command answers, and when it fails; without a name, a line a command.",
                failure: "`unknown command`.",
            }
            Echo(String) "echo" ["[TEXT]"] (text) {
                summary: "give the text back",
                answer: "the rest of the line, without the spaces around it.",
                failure: "never.",
            }
            GoguiInterrupt "gogui-interrupt" {
                summary: "says that the comment '# interrupt' ends a search",
                answer: "nothing. It has no effect: that it is listed tells a client that it may send the comment.",
            }
            Quit "quit" {
                summary: "end the program",
                answer: "nothing, and then the program ends. A search without limit before it is stopped, one with limits is \
                         finished first. The end of the input has the same effect.",
            }
            BoardSize(u32) "boardsize" ["N"] (board_size) {
                summary: "start a new game, if a square of N by N points just holds the board",
                answer: "nothing. The opening of the current variant is set up.",
                failure: "`unacceptable size`, when the board of the current variant has another size; the game stays as it is.",
            }
            Komi(f64) "komi" ["X"] (decimal) {
                summary: "accepted for clients of other games",
                answer: "nothing. These games know no points, so that the number has no effect.",
            }
            ClearBoard "clear_board" {
                summary: "start a new game of the current variant",
                answer: "nothing. The opening is set up, the history is empty.",
            }
            ListVariants "list_variants" {
                summary: "the games that the engine knows",
                answer: "one variant id a line.",
            }
            Variant(Option<VariantSource>) "variant" ["[ID | PATH]"] (variant) {
                summary: "choose the game, or say which it is",
                answer: "the id of the current variant; with an id, or the path of a variant file, nothing, and a new game \
                         starts. A value with a slash or ending in `.toml` is a path; it takes the rest of the line.",
                failure: "`unknown variant`, or `cannot load file`; variant and game stay as they are.",
            }
            ShowVariant "show_variant" {
                summary: "the rules of the current variant",
                answer: "the variant file, without its empty lines.",
            }
            Position(Setup) "position" ["startpos | fen TEXT [moves MOVE ...]"] (position) {
                summary: "set up a position and play moves from it",
                answer: "nothing. The opening of the current variant or the position of the text is set up, and the moves are \
                         played. A text that names another variant switches to it.",
                failure: "`illegal position`, `unknown variant`, `syntax error`, or `illegal move`, when one of the moves cannot be \
                          played; then nothing is set up at all, and variant and game stay as they are.",
            }
            Fen "fen" {
                summary: "the position as text",
                answer: "the position text, all six fields.",
            }
            ShowBoard "showboard" {
                summary: "the position as a drawing",
                answer: "a drawing for people, of several lines.",
            }
            Geometry "geometry" {
                summary: "the board as data",
                answer: "lines for programs, such as: `point c3 3 3 field`; `line a1 b2 c3`; `exit b5`; `apex c7`.",
            }
            LegalMoves(bool) "legal_moves" ["[verbose]"] (flag("verbose")) {
                summary: "the moves that can be played",
                answer: "the moves in one line, sorted by their text, none when the game is over; with `verbose` a line each, \
                         such as: `c3-b2 takes a1 c3`.",
            }
            Status "status" {
                summary: "whose turn it is, or how the game ended",
                answer: "`general to move`; `rebels to move`; `general wins`, `rebels win` or `draw`, with a colon and the reason.",
            }
            FinalScore "final_score" {
                summary: "the result of a finished game",
                answer: "`W+R` when the General has won, `B+R` when the Rebels have won, `0` for a draw.",
                failure: "`cannot score`, when the game is not over.",
            }
            Stop "stop" {
                summary: "end the search that runs, or the first that waits",
                answer: "nothing, after the answer of that search, which still gives a legal move. When there is nothing to \
                         stop it has no effect.",
            }
            Probe(bool) "probe" ["[moves]"] (flag("moves")) {
                summary: "the value of the position, or of each legal move, from a table of perfect play",
                answer: "for the side to move `win N` or `loss N`, N plies from the end, or `draw`; with `moves` a line for each legal \
                         move, as `c3-b2 win 38`, this move counted: wins short to long, draws, losses long to short, equal ones \
                         sorted by their text. In games in which a repetition wins, `win repetition` and `loss repetition` where nobody \
                         can force another end.",
                failure: "`no table`, when the variant has none or it does not cover the position; `game over`.",
            }
            Table "table" {
                summary: "the table of perfect play of the variant",
                answer: "`ID FINGERPRINT MAX_PLIES BYTES PATH`.",
                failure: "`no table`.",
            }
            Explain "explain" {
                summary: "the position in words",
                answer: "who is winning and how surely, which moves keep the result, what each capture leads to, what best play \
                         is about (the step that closes in on the General, its first capture), where the General can step and what \
                         it threatens; from the table, or without one from a short search.",
                failure: "`game over`.",
            }
            KataListTimeSettings "kata-list_time_settings" {
                summary: "the kinds of time control",
                answer: "the kinds in one line, separated by spaces.",
            }
            ListOptions "list_options" {
                summary: "the options and their values",
                answer: "a line for each option: `NAME TYPE DEFAULT MIN MAX CURRENT`.",
            }
            GetOption(String) "get_option" ["NAME"] (word(None, "the name of an option")) {
                summary: "the value of an option",
                answer: "the value.",
                failure: "`unknown option`.",
            }
            SetOption((String, String)) "set_option" ["NAME VALUE"] ((word(Some("name"), "the name of an option"), value)) {
                summary: "set an option",
                answer: "nothing. The value is the rest of the line.",
                failure: "`unknown option`, `value out of range`, `syntax error` for a word that the option does not take, or \
                          `cannot load file` for weights; the option keeps its value.",
            }
        }
    }
}

/// Clients look for the phrase `unacceptable size`, also when the number is out of range.
fn board_size(input: Arguments<'_>) -> Parsed<'_, u32> {
    count(None, "a board size", 0)(input).map_err(|error| {
        error.map(|error| match error.code() {
            ErrorCode::ValueOutOfRange => ProtocolError::new(ErrorCode::UnacceptableSize, error.detail()),
            _ => error,
        })
    })
}

fn variant(input: Arguments<'_>) -> Parsed<'_, Option<VariantSource>> {
    let (rest, path) = text(input)?;
    if path.contains('/') || path.ends_with(".toml") {
        return Ok((rest, Some(VariantSource::File(path))));
    }
    any_word.map(|id| id.map(VariantSource::Id)).parse(input)
}

fn position(input: Arguments<'_>) -> Parsed<'_, Setup> {
    let (rest, start) = match input.word() {
        (rest, Some("startpos")) => (rest, None),
        (rest, Some("fen")) => {
            let (rest, words) = words_until(Some("fen"), "a position text", |word| word == "moves")(rest)?;
            (rest, Some(words.join(" ")))
        }
        _ => return input.refused(Some("start"), "startpos or fen"),
    };
    let (rest, None | Some("moves")) = rest.word() else {
        return rest.refused(Some("moves"), "moves or the end of the line");
    };
    let (rest, moves) = repeated(word(None, "a move"))(rest)?;
    Ok((rest, Setup { start, moves }))
}
