//! Requests that only the half-move form has.

use crate::side::Side;

/// A half move as written: whose it is, and a point or `pass`.
pub type SidedPoint = (Side, String);

/// A command of the half-move form that the form with whole moves has not. A request that fails changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum HalfMoveRequest {
    /// `gg-undo N`: takes back N half moves, from 1. Fails with `cannot undo` when fewer have been played.
    GgUndo(u32),
    /// `gogui-play_sequence SIDE POINT ...`: plays half moves, all or none. Fails with `illegal move`.
    PlaySequence(Vec<SidedPoint>),
    /// `gogui-setup SIDE POINT ...`: a new game from a position with these pieces. Fails with `illegal position`.
    Setup(Vec<SidedPoint>),
    /// `gogui-setup_player SIDE`: changes the side to move in a position in which nothing has been played. Fails with
    /// `illegal position`.
    SetupPlayer(Side),
    /// `gogui-title`: answers a title for the window.
    Title,
    /// `gogui-version VERSION`: answers nothing; the client says which version it is.
    Version(
        /// All that follows the command; may be empty.
        String,
    ),
    /// A question about the rules and the position.
    Rules(RulesQuery),
    /// `gogui-analyze_commands`: answers a line `TYPE/LABEL/COMMAND` for each command whose answer a client can show.
    AnalyzeCommands,
    /// A question about the position that makes the engine think.
    Analysis(AnalysisQuery),
    /// `privy-parameters` answers a line `[TYPE] NAME VALUE` for each option; with a name and a value, sets the option.
    Parameters(Option<(String, String)>),
}

/// What a client asks that leaves the rules to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RulesQuery {
    /// `gogui-rules_game_id`: answers a word for the game.
    GameId,
    /// `gogui-rules_board`: answers a row a line, the top row first: `X`, `O`, `.`, or `?` where there is no point.
    Board,
    /// `gogui-rules_board_size`: answers the side of the square that holds the board.
    BoardSize,
    /// `gogui-rules_legal_moves`: answers the points that may be played now; none when the game is over.
    LegalMoves,
    /// `gogui-rules_side_to_move`: answers `white` or `black`.
    SideToMove,
    /// `gogui-rules_final_result`: answers the result in a sentence.
    FinalResult,
    /// `gogui-rules_captured_count`: answers what Black has captured, then what White has.
    CapturedCount,
    /// `gogui-rules_board_gfx`: answers drawing commands for what is no stone.
    BoardGfx,
}

/// What the engine can show on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnalysisQuery {
    /// `privy-move_values`: what each half move leads to.
    MoveValues,
    /// `privy-best_line`: the best play found.
    BestLine,
    /// `privy-reach`: how many steps the General needs to each point.
    Reach,
    /// `privy-danger`: which Rebels the General could take with his next move.
    Danger,
    /// `privy-threats`: the moves that matter: the only one that keeps the result, and what the other side threatens.
    Threats,
    /// `privy-think`: a longer search that shows what it finds while it runs.
    Think,
}

impl HalfMoveRequest {
    /// The name of the command that makes this request.
    #[must_use]
    pub const fn command_name(&self) -> &'static str {
        match self {
            Self::GgUndo(_) => "gg-undo",
            Self::PlaySequence(_) => "gogui-play_sequence",
            Self::Setup(_) => "gogui-setup",
            Self::SetupPlayer(_) => "gogui-setup_player",
            Self::Title => "gogui-title",
            Self::Version(_) => "gogui-version",
            Self::Rules(query) => match query {
                RulesQuery::GameId => "gogui-rules_game_id",
                RulesQuery::Board => "gogui-rules_board",
                RulesQuery::BoardSize => "gogui-rules_board_size",
                RulesQuery::LegalMoves => "gogui-rules_legal_moves",
                RulesQuery::SideToMove => "gogui-rules_side_to_move",
                RulesQuery::FinalResult => "gogui-rules_final_result",
                RulesQuery::CapturedCount => "gogui-rules_captured_count",
                RulesQuery::BoardGfx => "gogui-rules_board_gfx",
            },
            Self::AnalyzeCommands => "gogui-analyze_commands",
            Self::Analysis(query) => match query {
                AnalysisQuery::MoveValues => "privy-move_values",
                AnalysisQuery::BestLine => "privy-best_line",
                AnalysisQuery::Reach => "privy-reach",
                AnalysisQuery::Danger => "privy-danger",
                AnalysisQuery::Threats => "privy-threats",
                AnalysisQuery::Think => "privy-think",
            },
            Self::Parameters(_) => "privy-parameters",
        }
    }

    /// The arguments as they are written behind the name; empty when there are none.
    #[must_use]
    pub fn arguments(&self) -> String {
        match self {
            Self::GgUndo(count) => count.to_string(),
            Self::PlaySequence(points) | Self::Setup(points) => {
                points.iter().map(|(side, point)| format!("{side} {point}")).collect::<Vec<_>>().join(" ")
            }
            Self::SetupPlayer(side) => side.to_string(),
            Self::Version(version) => version.clone(),
            Self::Parameters(Some((name, value))) => format!("{name} {value}"),
            _ => String::new(),
        }
    }

    /// Whether the engine searches for this request.
    #[must_use]
    pub const fn is_search(&self) -> bool {
        matches!(
            self,
            Self::Analysis(
                AnalysisQuery::MoveValues | AnalysisQuery::BestLine | AnalysisQuery::Threats | AnalysisQuery::Think
            )
        )
    }
}
