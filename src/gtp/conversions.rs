//! Between the words of the protocol and those of the engine.

use privy_protocol::{ErrorCode, ProtocolError};

use crate::engine::{EngineError, OptionError};
use crate::rules::{MoveError, PositionError};
use crate::tablebase::TableError;

/// The name that `name` answers.
pub const ENGINE_NAME: &str = "Privy";

/// An answer without text.
pub(super) fn nothing<T>(result: Result<T, EngineError>) -> Result<String, ProtocolError> {
    result.map(|_| String::new()).map_err(engine_error)
}

/// The answer to a request whose work has been stopped before it had a result.
pub(super) fn interrupted() -> ProtocolError {
    ProtocolError::new(ErrorCode::Interrupted, "stopped before the end")
}

/// The code of an error, and the detail.
pub(super) fn engine_error(error: EngineError) -> ProtocolError {
    let code = match &error {
        EngineError::UnknownVariant(_) | EngineError::Position(PositionError::UnknownVariant(_)) => {
            ErrorCode::UnknownVariant
        }
        EngineError::Variant(_) | EngineError::Weights(_) => ErrorCode::CannotLoadFile,
        EngineError::Position(_) => ErrorCode::IllegalPosition,
        EngineError::Move(error) | EngineError::MoveInList { error, .. } => match error {
            MoveError::Text(_) => ErrorCode::SyntaxError,
            MoveError::Illegal(_) => ErrorCode::IllegalMove,
        },
        EngineError::GameOver(_) => ErrorCode::GameOver,
        EngineError::CannotUndo { .. } => ErrorCode::CannotUndo,
        EngineError::Option(OptionError::Unknown(_)) => ErrorCode::UnknownOption,
        EngineError::Option(OptionError::NotANumber { .. } | OptionError::NotAWord { .. }) => ErrorCode::SyntaxError,
        EngineError::Table(_) => ErrorCode::NoTable,
        EngineError::Option(OptionError::OutOfRange { .. }) => ErrorCode::ValueOutOfRange,
    };
    let detail = match &error {
        // The phrase says it already.
        EngineError::Position(PositionError::UnknownVariant(id)) => format!("\"{id}\"; list_variants names them all"),
        EngineError::Table(error @ TableError::Missing { .. }) => error.to_string().replacen("no table", "none", 1),
        other => other.to_string(),
    };
    ProtocolError::new(code, detail)
}
