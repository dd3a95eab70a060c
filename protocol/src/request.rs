//! What can be asked of the engine. The variants of [`Request`] are the reference of the protocol.
//!
//! ```
//! use privy_protocol::{Request, Side};
//!
//! let request: Request = "play g c3-b2".parse()?;
//! assert_eq!(
//!     request,
//!     Request::Play { side: Some(Side::General), movement: "c3-b2".to_owned() }
//! );
//! assert_eq!(request.to_string(), "play general c3-b2");
//!
//! let error = "undo x".parse::<Request>().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "syntax error: undo: expected a number of moves from 1, found \"x\""
//! );
//! # Ok::<(), privy_protocol::ProtocolError>(())
//! ```

mod half_moves;
mod text;

use std::fmt;

use crate::analysis::AnalysisRequest;
use crate::clock::{Seconds, TimeControl};
use crate::command::Form;
use crate::error::{ProtocolError, Rejection};
use crate::grammar::Line;
use crate::limits::GoLimits;
use crate::side::Side;

pub use half_moves::{AnalysisQuery, HalfMoveRequest, RulesQuery, SidedPoint};

/// A command with its arguments.
///
/// Moves and positions are carried as text: only the engine, which knows the rules, can say what they mean. A request
/// that fails changes nothing.
///
/// Displayed as the line that makes the request, without an id. Reading that line back gives an equal request, as
/// long as its texts are what a line can carry: no `#`, no control characters, and, where a word is meant, no spaces.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// `protocol_version`: answers `2`.
    ProtocolVersion,
    /// `name`: answers the name of the engine.
    Name,
    /// `version`: answers the version of the engine.
    Version,
    /// `known_command COMMAND`: answers `true` or `false`. It never fails: with no argument or several, the text is
    /// no command's name, and the answer `false`.
    KnownCommand(
        /// All that follows the command; may be empty.
        String,
    ),
    /// `list_commands`: answers the names of all commands, one a line.
    ListCommands,
    /// `help [COMMAND]`: answers what the command does, or a line on every command. Fails with `unknown command`.
    Help(Option<String>),
    /// `echo [TEXT]`: answers the text. Never fails.
    Echo(String),
    /// `bench`: searches a fixed set of positions, and answers nodes, nodes per second and a signature of the search.
    /// The game is left as it is.
    Bench,
    /// `gogui-interrupt`: answers nothing and has no effect. That it is listed tells clients that the comment
    /// `# interrupt` ends a search.
    GoguiInterrupt,
    /// `quit`: is answered, then the program ends with status 0. A search without limit before it is stopped, one
    /// with limits is finished first. The end of the input has the same effect.
    Quit,

    /// `boardsize N`: a new game, if a square of N by N points just holds the board; else `unacceptable size`.
    BoardSize(u32),
    /// `komi X`: any finite number is accepted; it has no effect.
    Komi(f64),
    /// `clear_board`: a new game of the current variant.
    ClearBoard,
    /// `list_variants`: answers the ids of the variants, one a line.
    ListVariants,
    /// `variant` answers the id of the current variant. `variant ID` and `variant PATH` choose another and start a
    /// new game; they fail with `unknown variant` or `cannot load file`, and then variant and game stay.
    Variant(Option<VariantSource>),
    /// `show_variant`: answers the file of the current variant.
    ShowVariant,
    /// `position startpos` or `position fen TEXT`, then optionally `moves MOVE …`: sets up the position and plays the
    /// moves. Fails with `illegal position`, `unknown variant` or `illegal move`; then nothing at all is set up.
    Position {
        /// The position to begin with.
        start: Start,
        /// The moves to play from there, in the form of move text. The word `moves` may stand with none behind it.
        moves: Vec<String>,
    },
    /// `fen`: answers the text of the position.
    Fen,
    /// `showboard`: answers a drawing of the position, for people.
    ShowBoard,
    /// `geometry`: answers points, lines, exits and apexes of the board, for programs.
    Geometry,

    /// `play [SIDE] MOVE`: plays the move. Fails with `illegal move` and the reason.
    Play {
        /// The side that is to make the move; [`None`]: the side to move.
        side: Option<Side>,
        /// The move as written: a word, or two with one space between (`c3 b2`).
        movement: String,
    },
    /// `undo [N]`: takes back N whole moves, from 1; one when N is not given. Fails with `cannot undo` when fewer have
    /// been played, and then takes back none.
    Undo(u32),
    /// `legal_moves [verbose]`: answers the legal moves, sorted by text, in one line, which is empty when the game is
    /// over; with `verbose` a line each, with what the move takes.
    LegalMoves {
        /// Whether `verbose` was given.
        verbose: bool,
    },
    /// `status`: answers the side to move, or the result and its reason.
    Status,
    /// `final_score`: answers `W+R`, `B+R` or `0`. Fails with `cannot score` when the game is not over.
    FinalScore,
    /// `perft N`: answers the number of games of N plies from here; 1 for N = 0.
    Perft(u32),
    /// `divide N`: answers the same number move by move and a total, for N from 1.
    Divide(u32),

    /// `go …`: searches and answers, in a streamed answer, lines of [`SearchInfo`](crate::SearchInfo) and at the end
    /// a [`BestMove`](crate::BestMove), which is not played. Fails with `game over`, or `illegal move` for a move to
    /// search that is none, before the answer is opened.
    Go(GoLimits),
    /// `genmove SIDE`: chooses a move on the engine's own clock, plays it and answers it. Fails with `illegal move`
    /// when the other side is to move, and `game over`.
    GenMove(Side),
    /// `reg_genmove SIDE`: chooses a move and answers it, without playing it. Fails as `genmove` does.
    RegGenMove(Side),
    /// `analyze`, `lz-analyze`, `kata-analyze`: analyses in a streamed answer, a line a report
    /// ([`AnalysisReport`](crate::AnalysisReport)), until the next line of input or its end. Fails with `game over`, and
    /// `illegal move` when the other side is to move, before the answer is opened.
    Analyze(AnalysisRequest),
    /// `genmove_analyze`, `lz-genmove_analyze`, `kata-genmove_analyze`: chooses a move as `genmove` does, plays it, and
    /// answers with such reports meanwhile and a line `play MOVE` at the end.
    GenMoveAnalyze(AnalysisRequest),
    /// `stop`: ends the nearest earlier search that is not yet answered, running or waiting; that search answers with
    /// a legal move, then `stop` is answered with nothing. Without such a search it has no effect.
    Stop,

    /// `probe [moves]`: answers the value of the position for the side to move, `win N`, `loss N` (plies) or `draw`, from
    /// a table of perfect play; with `moves` a line for each legal move and its value. Fails with `no table` or
    /// `game over`.
    Probe {
        /// Whether `moves` was given.
        moves: bool,
    },
    /// `table`: answers id, fingerprint, most plies, bytes and path of the variant's table. Fails with `no table`.
    Table,
    /// `explain`: answers the position in words. Fails with `game over`.
    Explain,

    /// `time_settings MAIN PERIOD MOVES`: sets the time control of both sides, in seconds. A period of 0 means that
    /// the main time is for the whole game; a period above 0 with 0 moves, that there is no limit.
    /// [`Request::time_control`] gives the control that is meant.
    TimeSettings {
        /// The main time.
        main: Seconds,
        /// The length of the periods behind it.
        period: Seconds,
        /// The moves to be made in a period.
        moves: u32,
    },
    /// `time_left SIDE SECONDS MOVES`: sets the clock of a side.
    TimeLeft {
        /// Whose clock.
        side: Side,
        /// The time left. A negative one has been read as zero.
        time: Seconds,
        /// For how many moves the time is; 0: it is main time.
        moves: u32,
    },
    /// `kata-time_settings none | absolute MAIN | byoyomi MAIN PERIOD PERIODS | canadian MAIN PERIOD MOVES |
    /// fischer MAIN INCREMENT`: sets the time control of both sides, in seconds.
    KataTimeSettings(TimeControl),
    /// `kata-list_time_settings`: answers the kinds of time control ([`TimeControl::KINDS`]), spaces between.
    KataListTimeSettings,

    /// `list_options`: answers a line for each option: `NAME TYPE DEFAULT MIN MAX CURRENT`.
    ListOptions,
    /// `get_option NAME`: answers the value. Fails with `unknown option`.
    GetOption(String),
    /// `set_option NAME VALUE`: sets an option. Fails with `unknown option` or `value out of range`, and then the
    /// option keeps its value.
    SetOption {
        /// The name of the option.
        name: String,
        /// The rest of the line, not empty.
        value: String,
    },

    /// A command that only the half-move form has.
    HalfMoves(HalfMoveRequest),
}

/// Where a variant comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum VariantSource {
    /// A variant that the engine knows, by its id: one word.
    Id(String),
    /// A variant file, by its path: a text with a `/`, or ending in `.toml`. It may contain spaces.
    File(String),
}

impl fmt::Display for VariantSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Id(text) | Self::File(text)) = self;
        formatter.write_str(text)
    }
}

/// The position that `position` begins with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Start {
    /// `startpos`: the opening of the current variant.
    Opening,
    /// `fen TEXT`: the position text, its fields separated by one space each.
    Text(String),
}

impl Request {
    /// Reads a request, in the form with whole moves, from the name of a command and its arguments.
    ///
    /// # Errors
    /// `unknown command`; `syntax error` or `value out of range` with the argument that is wrong; `unacceptable size`
    /// for a board size that no board can have.
    pub fn parse(command: &str, arguments: &str) -> Result<Self, ProtocolError> {
        Form::WholeMoves.request(command, arguments)
    }

    /// The time control that `time_settings` or `kata-time_settings` asks for, in its simplest form; [`None`] for
    /// other requests.
    #[must_use]
    pub const fn time_control(&self) -> Option<TimeControl> {
        match *self {
            Self::TimeSettings { main, period, moves } => {
                Some(TimeControl::Canadian { main, period, moves }.simplified())
            }
            Self::KataTimeSettings(control) => Some(control.simplified()),
            _ => None,
        }
    }

    /// Whether the engine searches for this request, so that `stop` and `# interrupt` may apply to it.
    #[must_use]
    pub const fn is_search(&self) -> bool {
        match self {
            Self::Go(_) | Self::GenMove(_) | Self::RegGenMove(_) | Self::GenMoveAnalyze(_) => true,
            Self::HalfMoves(request) => request.is_search(),
            _ => false,
        }
    }
}

/// A request and the number that its answer repeats. Displayed as a line.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedRequest {
    /// The number, if the line has one.
    pub id: Option<u32>,
    /// What is asked for.
    pub request: Request,
}

impl NumberedRequest {
    /// Reads the request, in the form with whole moves, of a line that has been cut into its parts.
    ///
    /// # Errors
    /// As [`Request::parse`], with the id of the line.
    pub fn parse(line: Line<'_>) -> Result<Self, Rejection> {
        Form::WholeMoves.numbered_request(line)
    }
}

impl fmt::Display for NumberedRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(formatter, "{id} ")?;
        }
        self.request.fmt(formatter)
    }
}
