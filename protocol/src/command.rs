//! The commands of the ordinary session, each declared once: name, parser, and what ends its work.
//!
//! `list_commands`, `known_command` and the parsing of requests follow from the table; `help` shows what PROTOCOL.md
//! says. A session with other commands declares a table of these with the same macro, and hands on what it does not
//! know.
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

/// What a page says of a command. The texts are Markdown with backticks only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandHelp {
    /// The name. Case matters.
    pub name: &'static str,
    /// The arguments: capital words mean values, square brackets mean optional.
    pub arguments: String,
    /// The purpose, in one line.
    pub summary: String,
    /// The answer.
    pub answer: String,
    /// The failures, and what they leave unchanged.
    pub failure: String,
}

impl CommandHelp {
    /// Reads the help of a command in a page, where it is an item of a list, a section, or a row of a table: the
    /// command, its purpose, `**Answer**:` and `**Failure**:`, if it is not only for wrong arguments.
    pub fn read(page: &str, name: &'static str) -> Option<Self> {
        let is_its = |line: &str| {
            let after =
                ["- **`", "### `", "| `"].into_iter().find_map(|mark| line.strip_prefix(mark)?.strip_prefix(name));
            after.is_some_and(|after| after.starts_with([' ', '`']))
        };
        let mut lines = page.lines().skip_while(|line| !is_its(line));
        let first = lines.next()?;
        let text = if let Some(row) = first.strip_prefix("| ") {
            let mut cells = row.trim_end_matches([' ', '|']).split(" | ");
            let (command, purpose, failure) = (cells.next()?, cells.next()?, cells.next().unwrap_or_default());
            format!("{command}: {purpose} **Failure**: {failure}").replace("\\|", "|")
        } else if let Some(item) = first.strip_prefix("- **") {
            let more = lines.map_while(|line| line.strip_prefix("  "));
            std::iter::once(item).chain(more).collect::<Vec<_>>().join(" ").replacen("**: ", ": ", 1)
        } else {
            lines.skip(1).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let (arguments, text) = match text.strip_prefix('`').and_then(|text| text.split_once("`: ")) {
            Some((command, text)) => (command.strip_prefix(name)?.trim(), text),
            None => ("", text.as_str()),
        };
        let (summary, text) = text.split_once(". **Answer**: ")?;
        let (answer, failure) = text.split_once(" **Failure**: ").unwrap_or((text, ""));
        let other = "only when its arguments are wrong, and then changes nothing.";
        let [arguments, answer, failure] = [arguments, answer, if failure.is_empty() { other } else { failure }];
        let summary = summary.get(..1)?.to_lowercase() + summary.get(1..)?;
        Some(Self { name, arguments: arguments.into(), summary, answer: answer.into(), failure: failure.into() })
    }

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

/// A row of a table of commands: the name and the parser of the arguments.
#[derive(Debug)]
pub struct CommandRow<C: 'static> {
    /// The name. Case matters.
    pub name: &'static str,
    /// The parser.
    pub parse: fn(&mut Arguments<'_>) -> Result<C, ProtocolError>,
}

impl<C> CommandRow<C> {
    /// Reads a command; [`None`] if no row has its name.
    ///
    /// # Errors
    /// `syntax error`, `value out of range` or `unacceptable size` for a wrong argument.
    pub fn read(rows: &[Self], name: &str, arguments: &str) -> Option<Result<C, ProtocolError>> {
        let row = rows.iter().find(|row| row.name == name)?;
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
/// name, and `(cursor => value)` for the value of the variant. What ends its work stands after `ends`, and after
/// `streams` where lines come while it works; only a command that is answered at once may leave it out. What the
/// command does stands in a page ([`CommandHelp::read`]).
#[macro_export]
macro_rules! commands {
    (
        $(#[$doc:meta])*
        $visibility:vis enum $Command:ident { $(
            $Variant:ident $(($Type:ty))?: $(
                $name:literal $(($cursor:ident => $value:expr))? $(ends ($ends:expr))? $(streams ($streams:expr))?
            ),+;
        )+ }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq)]
        $visibility enum $Command { $(
            $(#[doc = concat!("`", $name, "`.")])+
            $Variant $(($Type))?,
        )+ }

        impl $Command {
            /// The commands, in the order in which `list_commands` and `help` give them. No name comes twice.
            $visibility const ROWS: &'static [$crate::CommandRow<Self>] = &[$($($crate::CommandRow {
                name: $name,
                parse: $crate::commands!(@parser ($Command::$Variant) $($cursor => $value)?),
            },)+)+];

            /// Returns the lines that end its work early.
            #[allow(unreachable_patterns, reason = "all commands of a variant end alike")]
            $visibility fn interruption(&self) -> $crate::Interruption {
                match self { $($(
                    Self::$Variant { .. } => {
                        let ends: fn(&Self) -> $crate::Interruption =
                            $crate::commands!(@or |_| $crate::Interruption::Never $(, $ends)? $(, $streams)?);
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

commands! {
    /// A request to the ordinary session. Moves and positions are text: the engine reads them. A request that fails
    /// changes nothing.
    pub enum Command {
        ProtocolVersion: "protocol_version";
        Name: "name";
        Version: "version";
        KnownCommand(String): "known_command" (arguments => arguments.rest());
        ListCommands: "list_commands";
        Help(Option<String>): "help" (arguments => arguments.take().map(str::to_owned));
        GoguiInterrupt: "gogui-interrupt";
        Quit: "quit";
        BoardSize(u32): "boardsize" (arguments => board_size(arguments)?);
        Komi(f64): "komi" (arguments => arguments.decimal()?);
        ClearBoard: "clear_board";
        ListVariants(bool): "list_variants" (arguments => arguments.flag("verbose")?);
        Variant(Option<VariantSource>): "variant" (arguments => variant(arguments)?);
        ShowVariant(bool): "show_variant" (arguments => arguments.flag("words")?);
        Position(Setup): "position" (arguments => position(arguments)?);
        CheckPosition(String): "check_position" (arguments => position_text(arguments, None)?);
        Fen: "fen";
        History: "history";
        Load((String, Option<u32>)): "load" (arguments => arguments.path_and_count("a game of the file")?);
        Save(String): "save" (arguments => arguments.value()?);
        Convert((String, String)): "convert" (arguments => convert(arguments)?);
        ShowBoard: "showboard";
        Geometry: "geometry";
        Play((Option<Side>, String)): "play" (arguments => play(arguments)?);
        Undo(u32): "undo" (arguments => arguments.count_or_one("a number of moves")?);
        LegalMoves(bool): "legal_moves" (arguments => arguments.flag("verbose")?);
        Status: "status";
        FinalScore: "final_score";
        Perft(u32): "perft" (arguments => arguments.count(None, "plies", 0)?) ends (count_ends);
        Divide(u32): "divide" (arguments => arguments.count(None, "plies", 1)?) ends (count_ends);
        Go(GoArguments): "go" (arguments => GoArguments::parse(arguments)?) streams (search_ends);
        GenMove(Side): "genmove" (arguments => arguments.side(None)?) ends (|_| Interruption::Stop);
        Stop: "stop";
        Analyze(AnalysisRequest): "analyze" (arguments => AnalysisRequest::parse(arguments)?)
            streams (|_| Interruption::AnyLine);
        GenMoveAnalyze(AnalysisRequest): "genmove_analyze" (arguments => AnalysisRequest::parse(arguments)?)
            streams (|_| Interruption::Stop);
        Review(Limits): "review" (arguments => Limits::parse_of_position(arguments)?)
            streams (|_| Interruption::Stop);
        Solve(bool): "solve" (arguments => arguments.flag("verbose")?) streams (|_| Interruption::Stop);
        Probe(bool): "probe" (arguments => arguments.flag("moves")?);
        Table: "table";
        Explain: "explain" ends (|_| Interruption::Stop);
        SetTimeControl(TimeControl): "time_settings" (arguments => TimeControl::parse_settings(arguments)?);
        SetTimeLeft((Side, Clock)): "time_left" (arguments => Clock::parse_time_left(arguments)?);
        ListOptions: "list_options";
        SetOption((String, String)): "set_option" (arguments => set_option(arguments)?);
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

    /// Returns the names of all commands.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::ROWS.iter().map(|row| row.name)
    }

    /// Returns the help of the command with this name, as PROTOCOL.md has it. Case matters.
    pub fn help(name: &str) -> Option<CommandHelp> {
        let name = Self::names().find(|known| *known == name)?;
        CommandHelp::read(include_str!("../PROTOCOL.md"), name)
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

fn set_option(arguments: &mut Arguments<'_>) -> Result<(String, String), ProtocolError> {
    Ok((arguments.word(Some("name"), "the name of an option")?, arguments.value()?))
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
        let names: Vec<_> = Command::names().collect();
        for (index, name) in names.iter().enumerate() {
            assert!(!name.is_empty() && !name.contains([' ', '#']), "{name:?}");
            assert!(!name.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
            assert!(!names[..index].contains(name), "{name} comes twice");
            assert_eq!(Command::help(name).map(|help| help.name), Some(*name));
        }
    }

    #[test]
    fn descriptions_fit_into_answers() {
        for name in Command::names() {
            let help = Command::help(name).unwrap_or_else(|| panic!("PROTOCOL.md says nothing of {name}"));
            assert!(!help.summary.ends_with('.') && !help.summary.is_empty(), "{}", help.name);
            assert!(help.answer.ends_with('.') && help.failure.ends_with('.'), "{}", help.name);
            assert!(!help.description().contains("]("), "{}: a link", help.name);
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
