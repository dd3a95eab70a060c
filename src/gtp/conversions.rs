//! Between the words of the protocol and those of the engine.

use std::time::Duration;

use privy_protocol::{ErrorPhrase, ProtocolError, TimeControl as ProtocolControl};

use crate::engine::{EngineError, GoLimits, OptionError, TimeControl};
use crate::eval::Score;
use crate::rules::{MoveError, PositionError, Side};
use crate::tablebase::TableError;

pub(super) fn engine_side(side: privy_protocol::Side) -> Side {
    match side {
        privy_protocol::Side::General => Side::General,
        privy_protocol::Side::Rebels => Side::Rebels,
    }
}

pub(super) fn go_limits(limits: privy_protocol::GoLimits) -> GoLimits {
    let ms = Duration::from_millis;
    GoLimits {
        time: limits.time_ms.map(ms),
        depth: limits.depth,
        nodes: limits.nodes,
        clock: limits.clock.map(|clock| (ms(clock.remaining_ms), ms(clock.increment_ms), clock.moves)),
        infinite: limits.infinite,
        search_moves: limits.search_moves,
    }
}

pub(super) fn time_control(control: ProtocolControl) -> TimeControl {
    match control.simplified() {
        ProtocolControl::None => TimeControl::None,
        ProtocolControl::Absolute { main } => TimeControl::Absolute { main: main.into() },
        ProtocolControl::ByoYomi { main, period, periods } => {
            TimeControl::ByoYomi { main: main.into(), period: period.into(), periods }
        }
        ProtocolControl::Canadian { main, period, moves } => {
            TimeControl::Canadian { main: main.into(), period: period.into(), moves }
        }
        ProtocolControl::Fischer { main, increment } => {
            TimeControl::Fischer { main: main.into(), increment: increment.into() }
        }
    }
}

/// The score as it is reported.
pub(super) fn score_text(score: Score, is_proved_draw: bool) -> privy_protocol::Score {
    match score.distance() {
        _ if is_proved_draw => privy_protocol::Score::Draw,
        Some(plies) if score.is_win() => privy_protocol::Score::Win(plies),
        Some(plies) => privy_protocol::Score::Loss(plies),
        None => privy_protocol::Score::Evaluation(i32::from(score.raw())),
    }
}

/// The stable phrase of an error, and the detail.
pub(super) fn engine_error(error: EngineError) -> ProtocolError {
    let phrase = match &error {
        EngineError::UnknownVariant(_) | EngineError::Position(PositionError::UnknownVariant(_)) => {
            ErrorPhrase::UnknownVariant
        }
        EngineError::Variant(_) => ErrorPhrase::CannotLoadFile,
        EngineError::Position(_) => ErrorPhrase::IllegalPosition,
        EngineError::MovePath(error) | EngineError::MoveInList { error, .. } => match error {
            MoveError::Text(_) => ErrorPhrase::SyntaxError,
            MoveError::Illegal(_) => ErrorPhrase::IllegalMove,
        },
        EngineError::GameOver(_) => ErrorPhrase::GameOver,
        EngineError::CannotUndo { .. } => ErrorPhrase::CannotUndo,
        EngineError::Option(OptionError::Unknown(_)) => ErrorPhrase::UnknownOption,
        EngineError::Option(OptionError::NotANumber { .. } | OptionError::NotAWord { .. }) => ErrorPhrase::SyntaxError,
        EngineError::Table(_) => ErrorPhrase::NoTable,
        EngineError::Option(OptionError::OutOfRange { .. }) => ErrorPhrase::ValueOutOfRange,
    };
    let detail = match &error {
        // The phrase says it already.
        EngineError::Position(PositionError::UnknownVariant(id)) => format!("\"{id}\"; list_variants names them all"),
        EngineError::Table(error @ TableError::Missing { .. }) => error.to_string().replacen("no table", "none", 1),
        other => other.to_string(),
    };
    ProtocolError::new(phrase, detail)
}
