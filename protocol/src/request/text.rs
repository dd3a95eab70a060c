//! Requests as lines of text: written here; read by the [table of commands](crate::command).

use std::fmt;
use std::str::FromStr;

use super::{Request, Start};
use crate::error::ProtocolError;

impl Request {
    /// The name of the command that makes this request.
    #[must_use]
    pub const fn command_name(&self) -> &'static str {
        match self {
            Self::ProtocolVersion => "protocol_version",
            Self::Name => "name",
            Self::Version => "version",
            Self::KnownCommand(_) => "known_command",
            Self::ListCommands => "list_commands",
            Self::Help(_) => "help",
            Self::Echo(_) => "echo",
            Self::Bench => "bench",
            Self::GoguiInterrupt => "gogui-interrupt",
            Self::Quit => "quit",
            Self::BoardSize(_) => "boardsize",
            Self::Komi(_) => "komi",
            Self::ClearBoard => "clear_board",
            Self::ListVariants => "list_variants",
            Self::Variant(_) => "variant",
            Self::ShowVariant => "show_variant",
            Self::Position { .. } => "position",
            Self::Fen => "fen",
            Self::ShowBoard => "showboard",
            Self::Geometry => "geometry",
            Self::Play { .. } => "play",
            Self::Undo(_) => "undo",
            Self::LegalMoves { .. } => "legal_moves",
            Self::Status => "status",
            Self::FinalScore => "final_score",
            Self::Perft(_) => "perft",
            Self::Divide(_) => "divide",
            Self::Go(_) => "go",
            Self::GenMove(_) => "genmove",
            Self::RegGenMove(_) => "reg_genmove",
            Self::Analyze(analysis) => analysis.form.analyze(),
            Self::GenMoveAnalyze(analysis) => analysis.form.genmove_analyze(),
            Self::Stop => "stop",
            Self::Probe { .. } => "probe",
            Self::Table => "table",
            Self::Explain => "explain",
            Self::TimeSettings { .. } => "time_settings",
            Self::TimeLeft { .. } => "time_left",
            Self::KataTimeSettings(_) => "kata-time_settings",
            Self::KataListTimeSettings => "kata-list_time_settings",
            Self::ListOptions => "list_options",
            Self::GetOption(_) => "get_option",
            Self::SetOption { .. } => "set_option",
            Self::HalfMoves(request) => request.command_name(),
        }
    }

    /// The arguments as they are written behind the name; empty when there are none.
    #[must_use]
    pub fn arguments(&self) -> String {
        match self {
            Self::KnownCommand(text) | Self::Echo(text) | Self::GetOption(text) => text.clone(),
            Self::Help(name) => name.clone().unwrap_or_default(),
            Self::BoardSize(number) | Self::Undo(number) | Self::Perft(number) | Self::Divide(number) => {
                number.to_string()
            }
            Self::Komi(komi) => komi.to_string(),
            Self::Variant(source) => source.as_ref().map(ToString::to_string).unwrap_or_default(),
            Self::Position { start, moves } => position_arguments(start, moves),
            Self::Play { side, movement } => match side {
                Some(side) => format!("{side} {movement}"),
                None => movement.clone(),
            },
            Self::LegalMoves { verbose: true } => "verbose".to_owned(),
            Self::Probe { moves: true } => "moves".to_owned(),
            Self::Go(limits) => limits.to_string(),
            Self::GenMove(side) | Self::RegGenMove(side) => side.to_string(),
            Self::Analyze(analysis) | Self::GenMoveAnalyze(analysis) => analysis.to_string(),
            Self::TimeSettings { main, period, moves } => format!("{main} {period} {moves}"),
            Self::TimeLeft { side, time, moves } => format!("{side} {time} {moves}"),
            Self::KataTimeSettings(control) => control.to_string(),
            Self::SetOption { name, value } => format!("{name} {value}"),
            Self::HalfMoves(request) => request.arguments(),
            _ => String::new(),
        }
    }
}

fn position_arguments(start: &Start, moves: &[String]) -> String {
    let mut text = match start {
        Start::Opening => "startpos".to_owned(),
        Start::Text(text) => format!("fen {text}"),
    };
    if !moves.is_empty() {
        text.push_str(" moves ");
        text.push_str(&moves.join(" "));
    }
    text
}

impl fmt::Display for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.command_name())?;
        match self.arguments().as_str() {
            "" => Ok(()),
            arguments => write!(formatter, " {arguments}"),
        }
    }
}

impl FromStr for Request {
    type Err = ProtocolError;

    /// Reads a command and its arguments from a line without id.
    ///
    /// # Errors
    /// As [`Request::parse`].
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let line = line.trim_matches(' ');
        let (command, arguments) = line.split_once(' ').unwrap_or((line, ""));
        Self::parse(command, arguments)
    }
}
