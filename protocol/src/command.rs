//! The commands of the ordinary session, each declared once: name, arguments, parser, help, failure, and what ends its
//! work.
//!
//! `help`, `list_commands`, `known_command`, the parsing of requests and the chapter of commands in PROTOCOL.md follow
//! from the table. A session with other commands declares a table of these with the same macro, and hands on what it
//! does not know.
//!
//! ```
//! use privy_protocol::Command;
//!
//! assert_eq!(Command::read("7 undo 2"), Ok((Some(7), Command::Undo(2))));
//! assert_eq!(Command::help("play").unwrap().synopsis(), "play [SIDE] MOVE");
//! ```

use crate::analysis::AnalysisRequest;
use crate::arguments::{Arguments, Label};
use crate::clock::{Clock, TimeControl};
use crate::error::{ErrorCode, ProtocolError, Rejection};
use crate::framing::Line;
use crate::limits::{GoArguments, Limits};
use crate::side::Side;

/// A command, for its user. The texts are Markdown with backticks only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandHelp {
    /// The name. Case matters.
    pub name: &'static str,
    /// The arguments: capital words mean values, square brackets mean optional.
    pub arguments: &'static str,
    /// The purpose, in one line.
    pub summary: &'static str,
    /// The answer.
    pub answer: &'static str,
    /// The failures, and what they leave unchanged.
    pub failure: &'static str,
}

impl CommandHelp {
    /// Returns name and arguments, as they are typed.
    pub fn synopsis(&self) -> String {
        format!("{} {}", self.name, self.arguments).trim_end().to_owned()
    }

    /// Returns the line of the command in a list. Long arguments are left out there.
    pub fn line(&self) -> String {
        const WIDTH: usize = 31;
        let synopsis = Some(self.synopsis()).filter(|synopsis| synopsis.len() <= WIDTH);
        let synopsis = synopsis.unwrap_or_else(|| format!("{} ...", self.name));
        format!("{synopsis:WIDTH$}  {}", self.summary)
    }

    /// Returns the description that `help` gives for this command: several lines without an empty one.
    pub fn description(&self) -> String {
        let Self { summary, answer, failure, .. } = self;
        let synopsis = self.synopsis();
        format!("{synopsis}\n  {summary}.\n  Answers: {answer}\n  Fails: {failure}").replace('`', "")
    }
}

/// A row of a table of commands: the help and the parser of the arguments.
#[derive(Debug)]
pub struct CommandRow<C: 'static> {
    /// The help.
    pub help: CommandHelp,
    /// The parser.
    pub parse: fn(&mut Arguments<'_>) -> Result<C, ProtocolError>,
}

impl<C> CommandRow<C> {
    /// Reads a command; [`None`] if no row has its name.
    ///
    /// # Errors
    /// `syntax error`, `value out of range` or `unacceptable size` for a wrong argument.
    pub fn read(rows: &[Self], name: &str, arguments: &str) -> Option<Result<C, ProtocolError>> {
        let row = rows.iter().find(|row| row.help.name == name)?;
        let mut arguments = Arguments::new(name, arguments);
        Some((row.parse)(&mut arguments).and_then(|command| arguments.end().map(|()| command)))
    }
}

/// The lines that end the work of a command early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interruption {
    /// None: it is answered at once.
    Never,
    /// `stop` and `# interrupt`. `quit` and the end of the input wait for the end of the work.
    Stop,
    /// `stop` and `# interrupt`, `quit` and the end of the input, since the work has no limit.
    StopOrEnd,
    /// Any line, and the end of the input.
    AnyLine,
}

/// Declares an enumeration of commands and `ROWS`, its table. Each variant stands with its commands, most with one:
/// name, `[arguments]`, `(cursor => value)` for the value of the variant, summary, and `answer` or, where lines come
/// while it works, `lines`. `ends` says which lines end its work; only an `answer` may leave it out, if none does.
/// `failure` is left out where it is only for wrong arguments.
#[macro_export]
macro_rules! commands {
    (
        $(#[$doc:meta])*
        $visibility:vis enum $Command:ident { $(
            $Variant:ident $(($Type:ty))? $($name:literal $([$arguments:expr])? $(($cursor:ident => $value:expr))? {
                summary: $summary:literal,
                $(answer: $answer:expr, $(ends: $ends:expr,)?)?
                $(lines: $lines:expr, ends: $lines_end:expr,)?
                $(failure: $failure:expr,)?
            })+
        )+ }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        $visibility enum $Command { $(
            $(#[doc = concat!("`", $name, "`: ", $summary, ".")])+
            $Variant $(($Type))?,
        )+ }

        impl $Command {
            /// The commands, in the order in which `list_commands` and `help` give them. No name comes twice.
            $visibility const ROWS: &'static [$crate::CommandRow<Self>] = &[$($($crate::CommandRow {
                help: $crate::CommandHelp {
                    name: $name,
                    arguments: $crate::commands!(@or "" $(, $arguments)?),
                    summary: $summary,
                    answer: $crate::commands!(@or "" $(, $answer)? $(, $lines)?),
                    failure: $crate::commands!(
                        @or "only when its arguments are wrong, and then changes nothing." $(, $failure)?
                    ),
                },
                parse: $crate::commands!(@parser ($Command::$Variant) $($cursor => $value)?),
            },)+)+];

            /// Returns the lines that end its work early.
            #[allow(unreachable_patterns, reason = "all commands of a variant end alike")]
            $visibility fn interruption(&self) -> $crate::Interruption {
                match self { $($(
                    Self::$Variant { .. } => {
                        let ends: fn(&Self) -> $crate::Interruption =
                            $crate::commands!(@or |_| $crate::Interruption::Never $($(, $ends)?)? $(, $lines_end)?);
                        ends(self)
                    }
                )+)+ }
            }
        }
    };
    (@or $default:expr) => { $default };
    (@or $default:expr, $given:expr) => { $given };
    (@parser ($command:expr)) => { |_| Ok($command) };
    (@parser ($command:expr) $cursor:ident => $value:expr) => { |$cursor| Ok($command($value)) };
}

/// The name of a variant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum VariantSource {
    /// The id of a variant that the engine knows: one word.
    Id(String),
    /// The path of a variant file: a text with a `/`, or ending in `.toml`. It may contain spaces.
    File(String),
    /// The text of a variant file, which a line holds as a JSON string.
    Text(String),
}

/// The position that `position` sets up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// `fen TEXT`: the position text, its fields separated by one space each; [`None`]: the opening of the current
    /// variant.
    pub start: Option<String>,
    /// The moves to play from there, as written.
    pub moves: Vec<String>,
}

const CHOICE: &str = "the same reports while it thinks, then: `play MOVE`. The move has been played.";

commands! {
    /// A request to the ordinary session. Moves and positions are text: the engine reads them. A request that fails
    /// changes nothing.
    pub enum Command {
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
        KnownCommand(String) "known_command" ["COMMAND"] (arguments => arguments.rest()) {
            summary: "say if a command exists",
            answer: "`true` or `false`; `false` also when no name, or more than a name, is given.",
            failure: "never.",
        }
        ListCommands "list_commands" {
            summary: "the names of all commands",
            answer: "one name per line.",
        }
        Help(Option<String>) "help" ["[COMMAND]"] (arguments => arguments.take().map(str::to_owned)) {
            summary: "what a command does, or one line on each command",
            answer: "the synopsis, what the command answers, and when it fails; without a name, one line per command.",
            failure: "`unknown command`.",
        }
        GoguiInterrupt "gogui-interrupt" {
            summary: "says that the comment '# interrupt' ends a search",
            answer: "nothing. It has no effect: it is listed so that a client knows that it may send the comment.",
        }
        Quit "quit" {
            summary: "end the program",
            answer: "nothing, and then the program ends. Before that, a search without a limit is stopped, and one \
                     with limits runs to its end. The end of the input has the same effect.",
        }
        BoardSize(u32) "boardsize" ["N"] (arguments => board_size(arguments)?) {
            summary: "start a new game, if N is the size of the board",
            answer: "nothing. The opening of the current variant is set up.",
            failure: "`unacceptable size`, when the board of the current variant has another size; the game stays as \
                      it is.",
        }
        Komi(f64) "komi" ["X"] (arguments => arguments.decimal()?) {
            summary: "accepted for clients of other games",
            answer: "nothing. These games have no points to give, so the number has no effect.",
        }
        ClearBoard "clear_board" {
            summary: "start a new game of the current variant",
            answer: "nothing. The opening is set up, the history is empty.",
        }
        ListVariants(bool) "list_variants" ["[verbose]"] (arguments => arguments.flag("verbose")?) {
            summary: "the games that the engine knows",
            answer: "one variant id per line; with `verbose` one JSON object per line: `id`, `fingerprint`, `title`, \
                     `family`, `first`, `general`, `rebels`, `rebel`, `points`, `rebel_count`, `solvable`, `solved`, \
                     `proved`, `over`. After the built-in games come those of files that the session has read, the \
                     current one last, if it is one of them. The game is left as it is.",
        }
        Variant(Option<VariantSource>) "variant" ["[ID | PATH | \"TEXT\"]"] (arguments => variant(arguments)?) {
            summary: "choose the game, or say which it is",
            answer: "the id of the current variant; with an id, the path of a variant file, or its text, nothing, and \
                     a new game starts. A value with a slash or ending in `.toml` is a path, one that begins with a \
                     double quote the text of a variant file as a JSON string; both take the rest of the line. A text \
                     names built-in games and boards alone. The id of a file that has been read stays known, unless it \
                     is that of a built-in game.",
            failure: "`unknown variant`, `syntax error` for a text that is no JSON string, or `cannot load file`; \
                      variant and game stay as they are. The error quotes a file only if its name ends in `.toml`.",
        }
        ShowVariant(bool) "show_variant" ["[words]"] (arguments => arguments.flag("words")?) {
            summary: "the rules of the current variant, as its file or in words",
            answer: "the variant file, without its empty lines; with `words` the title, then the rules, one \
                     sentence per line.",
        }
        Position(Setup) "position" ["startpos | fen TEXT [moves MOVE ...]"] (arguments => position(arguments)?) {
            summary: "set up a position and play moves from it",
            answer: "nothing. The opening of the current variant or the position of the text is set up, and the moves \
                     are played. A text that names another variant switches to it.",
            failure: "`illegal position`, `unknown variant`, `syntax error`, or `illegal move`, when one of the moves \
                      cannot be played; then nothing is set up at all, and variant and game stay as they are.",
        }
        CheckPosition(String) "check_position" ["TEXT"] (arguments => position_text(arguments, None)?) {
            summary: "say if a text is a position, without setting it up",
            answer: "the position text as `fen` writes it, all six fields. The game is left as it is.",
            failure: "`illegal position` or `unknown variant`.",
        }
        Fen "fen" {
            summary: "the position as text",
            answer: "the position text, all six fields.",
        }
        History "history" {
            summary: "the game so far",
            answer: "`fen TEXT`, the first position, followed by `moves MOVE ...`, if any have been played: what \
                     `position` takes.",
        }
        Load((String, Option<u32>)) "load" ["FILE [N]"] (arguments => arguments.path_and_count("a game of the file")?) {
            summary: "continue the game of a record",
            answer: "nothing. The game is that of the record, with its moves; comments and variations are left out. N \
                     is the place of the game in a file of several, from 1. The file may be text, JSON or SGF, its \
                     path may have spaces.",
            failure: "`cannot load file`, with the reason; the game stays as it is.",
        }
        Save(String) "save" ["FILE"] (arguments => arguments.value()?) {
            summary: "write a record of the game",
            answer: "nothing. The file is written whole or not at all. It replaces an existing file only if that one \
                     holds game records. Its name ends in `.txt`, `.json` or `.sgf`, and may have spaces.",
            failure: "`cannot save file`, with the reason; an existing file stays as it is.",
        }
        Convert((String, String)) "convert" ["FORM | more \"TEXT\""] (arguments => convert(arguments)?) {
            summary: "write game records in another form",
            answer: "the games of the text, a JSON string to the end of the line, in the form `text`, `json` or `sgf`, \
                     with their comments and variations; with `more` nothing: the text is continued by the next \
                     `convert`. The game is left as it is.",
            failure: "`cannot load file`, with the reason, or `syntax error` for a text that is no JSON string; what \
                      was sent is forgotten.",
        }
        ShowBoard "showboard" {
            summary: "the position as a drawing",
            answer: "a drawing for people, of several lines.",
        }
        Geometry "geometry" {
            summary: "the board as data",
            answer: "lines for programs, such as: `point c3 3 3 field`; `line a1 b2 c3`; `exit b5`; `apex c7`.",
        }
        Play((Option<Side>, String)) "play" ["[SIDE] MOVE"] (arguments => play(arguments)?) {
            summary: "play a move",
            answer: "nothing. Two points, in one word or two, mean the one legal move with that first and last point.",
            failure: "`illegal move`, with the reason: it is the other side's turn, the game is over, the rules forbid \
                      it, or two points fit several moves; the game stays as it is.",
        }
        Undo(u32) "undo" ["[N]"] (arguments => arguments.count_or_one("a number of moves")?) {
            summary: "take back moves",
            answer: "nothing. N whole moves are taken back, one when N is not given.",
            failure: "`cannot undo`, when fewer moves have been played; nothing is taken back then.",
        }
        LegalMoves(bool) "legal_moves" ["[verbose]"] (arguments => arguments.flag("verbose")?) {
            summary: "the moves that can be played",
            answer: "the moves in one line, sorted by their text, empty when the game is over; with `verbose` one \
                     line for each, such as: `c3-b2 takes a1 c3`.",
        }
        Status "status" {
            summary: "whose turn it is, or how the game ended",
            answer: "`general to move`; `rebels to move`; `general wins`, `rebels win` or `draw`, with a colon and the \
                     reason.",
        }
        FinalScore "final_score" {
            summary: "the result of a finished game",
            answer: "`W+R` when the General has won, `B+R` when the Rebels have won, `0` for a draw.",
            failure: "`cannot score`, when the game is not over.",
        }
        Perft(u32) "perft" ["N"] (arguments => arguments.count(None, "plies", 0)?) {
            summary: "count the games of N plies from here",
            answer: "the count; 1 for no plies. The game is left as it is.",
            ends: count_ends,
            failure: "`interrupted`, when it is stopped; `value out of range`, when N is too large for any count.",
        }
        Divide(u32) "divide" ["N"] (arguments => arguments.count(None, "plies", 1)?) {
            summary: "count the games of N plies from here, move by move",
            answer: "a line with move and count for each legal move, sorted by text, then: `total COUNT`.",
            ends: count_ends,
            failure: "`interrupted`, when it is stopped; `value out of range`, when N is too large for any count.",
        }
        Go(GoArguments) "go"
            ["[time MS] [depth N] [nodes N] [clock MS [inc MS] [moves N]] [infinite] [searchmoves MOVE \
              ...]"] (arguments => GoArguments::parse(arguments)?) {
            summary: "search the position, without playing the move",
            lines: "lines that begin with `info` while it thinks, then: `bestmove MOVE`. It ends at the first limit \
                     that it reaches; without a limit, after one second; with `infinite` alone, when it is stopped.",
            ends: search_ends,
            failure: "`game over`, when there is no move to make; `illegal move`, when a move to search is illegal. \
                      Errors come before any other line.",
        }
        GenMove(Side) "genmove" ["SIDE"] (arguments => arguments.side(None)?) {
            summary: "choose a move on the engine's own clock and play it",
            answer: "the move, which has been played.",
            ends: |_| Interruption::Stop,
            failure: "`illegal move`, when it is the other side's turn; `game over`, when there is no move to make; \
                      the game stays as it is.",
        }
        Stop "stop" {
            summary: "end the running search, or the first that waits",
            answer: "nothing, after the answer of that search, which still gives a legal move. When there is nothing \
                     to stop it has no effect.",
        }
        Analyze(AnalysisRequest) "analyze" [AnalysisRequest::ARGUMENTS]
            (arguments => AnalysisRequest::parse(arguments)?) {
            summary: "show what the engine thinks of all moves, until the next line",
            lines: AnalysisRequest::ANSWER,
            ends: |_| Interruption::AnyLine,
            failure: AnalysisRequest::FAILURE,
        }
        GenMoveAnalyze(AnalysisRequest) "genmove_analyze" [AnalysisRequest::ARGUMENTS]
            (arguments => AnalysisRequest::parse(arguments)?) {
            summary: "choose a move and play it, and show what the engine thinks",
            lines: CHOICE,
            ends: |_| Interruption::Stop,
            failure: AnalysisRequest::FAILURE,
        }
        Review(Limits) "review" ["[time MS] [nodes N]"] (arguments => Limits::parse_of_position(arguments)?) {
            summary: "judge every move of the game",
            lines: "one JSON object per line: for each move as soon as it is judged, then for the whole game. \
                     Judgements are exact where a table or a proof knows the position; each other position is searched \
                     within the limits, or for 200 ms without any. A stopped review ends with what has been judged.",
            ends: |_| Interruption::Stop,
            failure: "`cannot score`, when no move has been played.",
        }
        Solve(bool) "solve" ["[verbose]"] (arguments => arguments.flag("verbose")?) {
            summary: "solve the game, for this session",
            lines: "with `verbose` first a line for each complete ply, `ply N decided M of N`: the positions decided \
                     so far, and all positions, some of which may be drawn; after a stop no other line follows. The \
                     plies of each number of Rebels begin with 0. Then the id of the variant, the fingerprint of its \
                     rules, the most plies to the end of any position with the Rebels to move, and the bytes of the \
                     table, which stays in memory. Takes a moment on a small board, \
                     minutes on one of 25 points; `privy solve` keeps tables in files.",
            ends: |_| Interruption::Stop,
            failure: "`no table`, when a limit of plies counts, or the game takes more memory than there is; \
                      `interrupted`, when it was stopped.",
        }
        Probe(bool) "probe" ["[moves]"] (arguments => arguments.flag("moves")?) {
            summary: "the value of the position, or of each legal move, from a table of perfect play",
            answer: "for the side to move `win N` or `loss N`, N plies from the end, or `draw`; with `moves` a line \
                     for each legal move, as `c3-b2 win 38`, this move counted: wins short to long, draws, losses long \
                     to short, equal ones sorted by their text. In games in which a repetition wins, `win repetition` \
                     and `loss repetition` where nobody can force another end.",
            failure: "`no table`, when the variant has none or it does not cover the position; `game over`.",
        }
        Table "table" {
            summary: "the table of perfect play of the variant",
            answer: "`ID FINGERPRINT MAX_PLIES BYTES PATH`.",
            failure: "`no table`.",
        }
        Explain "explain" {
            summary: "the position in words",
            answer: "who is winning and how surely, which moves keep the result, what each capture leads to, what best \
                     play is about (the step that closes in on the General, its first capture), where the General can \
                     step and what it threatens; from the table, or without one from a short search.",
            ends: |_| Interruption::Stop,
            failure: "`game over`.",
        }
        SetTimeControl(TimeControl) "time_settings" ["MAIN PERIOD MOVES"]
            (arguments => TimeControl::parse_settings(arguments)?) {
            summary: "give each side a main time, then periods of time, each for a number of moves",
            answer: "nothing. Times in seconds. No period: the main time is for the whole game. A period with no \
                     moves: there is no limit.",
        }
        SetTimeLeft((Side, Clock)) "time_left" ["SIDE SECONDS MOVES"]
            (arguments => Clock::parse_time_left(arguments)?) {
            summary: "set the clock of a side",
            answer: "nothing. MOVES is the number of moves that the time is for; 0 means main time. A negative time \
                     counts as 0.",
        }
        ListOptions "list_options" {
            summary: "the options and their values",
            answer: "one line for each option: `NAME TYPE DEFAULT MIN MAX CURRENT`.",
        }
        SetOption((String, String)) "set_option" ["NAME VALUE"] (arguments => {
            (arguments.word(Some("name"), "the name of an option")?, arguments.value()?)
        }) {
            summary: "set an option",
            answer: "nothing. The value is the rest of the line.",
            failure: "`unknown option`, `value out of range`, `syntax error` for a word that the option does not take, \
                      or `cannot load file` for weights; the option keeps its value.",
        }
    }
}

/// A perft of more plies, whose count 64 bits may not hold, does not end: it is a search without limit.
const COUNTABLE_PLIES: u32 = 64;

impl Command {
    /// Reads a command from its name and its arguments.
    ///
    /// # Errors
    /// `unknown command`; `syntax error`, `value out of range` or `unacceptable size` for a wrong argument.
    pub fn parse(name: &str, arguments: &str) -> Result<Self, ProtocolError> {
        let read = CommandRow::read(Self::ROWS, name, arguments);
        read.unwrap_or(Err(ProtocolError::bare(ErrorCode::UnknownCommand)))
    }

    /// Reads a line: its id and its command.
    ///
    /// # Errors
    /// A bad id, no command, an unknown command, or a wrong argument.
    pub fn read(line: &str) -> Result<(Option<u32>, Self), Rejection> {
        let Line { id, command, arguments } = Line::parse(line)?;
        let command = Self::parse(command, arguments).map_err(|error| Rejection { id, error })?;
        Ok((id, command))
    }

    /// Returns the help of the command with this name. Case matters.
    pub fn help(name: &str) -> Option<CommandHelp> {
        Self::all_help().find(|help| help.name == name)
    }

    /// Returns the help of all commands.
    pub fn all_help() -> impl Iterator<Item = CommandHelp> {
        Self::ROWS.iter().map(|row| row.help)
    }
}

fn count_ends(command: &Command) -> Interruption {
    match command {
        Command::Perft(plies) | Command::Divide(plies) if *plies > COUNTABLE_PLIES => Interruption::StopOrEnd,
        _ => Interruption::Stop,
    }
}

fn search_ends(command: &Command) -> Interruption {
    match command {
        Command::Go(arguments) if arguments.is_unlimited() => Interruption::StopOrEnd,
        _ => Interruption::Stop,
    }
}

/// Clients look for the phrase `unacceptable size`, also when the number is out of range.
fn board_size(arguments: &mut Arguments<'_>) -> Result<u32, ProtocolError> {
    arguments.count(None, "a board size", 0).map_err(|error| match error.code() {
        ErrorCode::ValueOutOfRange => ProtocolError::new(ErrorCode::UnacceptableSize, error.detail()),
        _ => error,
    })
}

fn variant(arguments: &mut Arguments<'_>) -> Result<Option<VariantSource>, ProtocolError> {
    let path = arguments.clone().rest();
    Ok(if path.starts_with('"') {
        Some(VariantSource::Text(json_string(arguments, "a variant file")?))
    } else if path.contains('/') || path.ends_with(".toml") {
        Some(VariantSource::File(arguments.rest()))
    } else {
        arguments.take().map(|id| VariantSource::Id(id.to_owned()))
    })
}

/// A form or `more`, and the text.
fn convert(arguments: &mut Arguments<'_>) -> Result<(String, String), ProtocolError> {
    let Some(form @ ("more" | "text" | "json" | "sgf")) = arguments.peek() else {
        return Err(arguments.refused(Some("form"), "text, json, sgf or more"));
    };
    arguments.take();
    Ok((form.to_owned(), json_string(arguments, "records")?))
}

/// Takes the rest of the line, a JSON string.
fn json_string(arguments: &mut Arguments<'_>, what: &str) -> Result<String, ProtocolError> {
    serde_json::from_str(&arguments.rest()).map_err(|error| {
        let (command, place, reason) = (arguments.command, error.column(), error.to_string());
        let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
        let hint = if error.is_eof() { "; # begins a comment, write \\u0023" } else { "" };
        let expected = format!("expected the text of {what} as a JSON string to the end of the line");
        ProtocolError::syntax(format!("{command}: {expected}, found at place {place}: {reason}{hint}"))
    })
}

fn position(arguments: &mut Arguments<'_>) -> Result<Setup, ProtocolError> {
    let start = if arguments.take_if("startpos") {
        None
    } else if arguments.take_if("fen") {
        Some(position_text(arguments, Some("fen"))?)
    } else {
        return Err(arguments.refused(Some("start"), "startpos or fen"));
    };
    if !arguments.is_empty() && !arguments.take_if("moves") {
        return Err(arguments.refused(Some("moves"), "moves or the end of the line"));
    }
    let moves = std::iter::from_fn(|| arguments.take().map(str::to_owned)).collect();
    Ok(Setup { start, moves })
}

/// A position text, its fields separated by one space each, up to the word `moves`.
fn position_text(arguments: &mut Arguments<'_>, label: Label) -> Result<String, ProtocolError> {
    Ok(arguments.words_until(label, "a position text", |word| word == "moves")?.join(" "))
}

fn play(arguments: &mut Arguments<'_>) -> Result<(Option<Side>, String), ProtocolError> {
    let side = arguments.side(None).ok();
    let expected = if side.is_some() { "a move" } else { "a move, or a side and a move" };
    let first = arguments.word(Some("move"), expected)?;
    // A move in two words is two points: `c3 b2`.
    let text = arguments.take().map(|second| format!("{first} {second}"));
    Ok((side, text.unwrap_or(first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_words() {
        let names: Vec<_> = Command::all_help().map(|help| help.name).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!name.is_empty() && !name.contains([' ', '#']), "{name:?}");
            assert!(!name.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
            assert!(!names[..index].contains(name), "{name} comes twice");
            assert_eq!(Command::help(name).map(|help| help.name), Some(*name));
        }
    }

    #[test]
    fn descriptions_fit_into_answers() {
        for help in Command::all_help() {
            assert!(!help.summary.ends_with('.') && !help.summary.is_empty(), "{}", help.name);
            assert!(help.answer.ends_with('.') && help.failure.ends_with('.'), "{}", help.name);
            assert!(help.description().lines().all(|line| !line.trim().is_empty()));
        }
    }

    #[test]
    fn unknown_commands() {
        for name in ["Name", "pass", "analyse", ""] {
            assert_eq!(Command::parse(name, "x").unwrap_err().to_string(), "unknown command");
        }
    }
}
