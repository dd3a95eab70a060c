//! A line in: a position to analyse, or the id of one to cancel.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use privy_base::message::sanitized;
use privy_engine::{Engine, EngineError, Options};
use privy_protocol::{ErrorCode, Limits, ProtocolError};
use privy_rules::Variant;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use super::super::common::{MOST_MS, MOST_NODES, MOST_PLIES, is_path};

/// The range of a priority, to both sides of 0.
const MOST_PRIORITY: i64 = 1_000_000;
/// Characters of a word or a fault in an error.
const LONGEST_ERROR: usize = 400;
/// Variants of files that stay known.
const MOST_VARIANTS: usize = 100;

/// What the reader looks for in a line.
#[derive(Debug)]
pub(super) struct LineHeading {
    pub(super) id: Value,
    pub(super) priority: i64,
    /// The id that is cancelled.
    pub(super) cancel: Option<Value>,
}

impl LineHeading {
    /// Reads a line.
    ///
    /// # Errors
    /// The id as far as it is known, and the error.
    pub(super) fn read(line: &str) -> Result<LineHeading, (Value, ProtocolError)> {
        #[derive(Deserialize)]
        struct HeadingKeys {
            #[serde(default)]
            id: Value,
            priority: Option<Value>,
            #[serde(default, deserialize_with = "even_null")]
            cancel: Option<Value>,
        }
        let HeadingKeys { id, priority, cancel } = read_object(line).map_err(|error| (Value::Null, error))?;
        if cancel.is_some() {
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields)]
            struct OfCancel {
                #[serde(rename = "id")]
                _id: Option<IgnoredAny>,
                #[serde(rename = "cancel")]
                _cancel: IgnoredAny,
            }
            if let Err(error) = read_object::<OfCancel>(line) {
                return Err((id, error));
            }
        }
        let range = -MOST_PRIORITY..=MOST_PRIORITY;
        match priority.as_ref().map(|value| (value, value.as_i64())) {
            None => Ok(LineHeading { id, priority: 0, cancel }),
            Some((_, Some(priority))) if range.contains(&priority) => Ok(LineHeading { id, priority, cancel }),
            Some((found, _)) => Err((id, wrong_number("priority", -MOST_PRIORITY, MOST_PRIORITY, found))),
        }
    }
}

/// Tells `null` from a key that is not there.
fn even_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A line of one object.
fn read_object<T: DeserializeOwned>(line: &str) -> Result<T, ProtocolError> {
    // Else a list would be read as the values of the keys.
    if !line.trim_start().starts_with('{') {
        let found = sanitized(line.trim(), LONGEST_ERROR);
        return Err(ProtocolError::syntax(format!("expected an object of JSON, found {found}")));
    }
    serde_json::from_str(line).map_err(|error| {
        // The line is the only one that the parser knows.
        let fault = error.to_string().replace(" at line 1 column ", ", in column ");
        ProtocolError::syntax(sanitized(&fault, LONGEST_ERROR))
    })
}

fn wrong_number(name: &str, low: impl ToString, high: impl ToString, found: &Value) -> ProtocolError {
    let code = if found.is_i64() || found.is_u64() { ErrorCode::ValueOutOfRange } else { ErrorCode::SyntaxError };
    let (low, high, found) = (low.to_string(), high.to_string(), sanitized(&found.to_string(), LONGEST_ERROR));
    ProtocolError::new(code, format!("{name}: expected a whole number from {low} to {high}, found {found}"))
}

fn number(name: &str, found: Option<&Value>, range: RangeInclusive<u64>) -> Result<Option<u64>, ProtocolError> {
    match found.map(|value| (value, value.as_u64())) {
        None => Ok(None),
        Some((_, Some(number))) if range.contains(&number) => Ok(Some(number)),
        Some((value, _)) => Err(wrong_number(name, range.start(), range.end(), value)),
    }
}

/// A position to analyse. What is not named is that of the command line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestKeys {
    #[serde(rename = "id")]
    _id: Option<IgnoredAny>,
    #[serde(rename = "priority")]
    _priority: Option<IgnoredAny>,
    variant: Option<String>,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    limits: Option<LimitKeys>,
    multi_pv: Option<Value>,
    level: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitKeys {
    time: Option<Value>,
    depth: Option<Value>,
    nodes: Option<Value>,
}

/// A request in the engine's own terms.
#[derive(Debug)]
pub(super) struct AnalysisLine {
    variant: Option<Arc<Variant>>,
    position: Option<String>,
    moves: Vec<String>,
    /// None of the line: those of the command line.
    pub(super) limits: Limits,
    pub(super) multi_pv: Option<u64>,
    pub(super) level: Option<u64>,
}

impl AnalysisLine {
    /// Reads a line whose heading is sound.
    ///
    /// # Errors
    /// What is wrong with a key, a number, or the variant.
    pub(super) fn read(line: &str, variants: &Variants) -> Result<AnalysisLine, ProtocolError> {
        let RequestKeys { variant, position, moves, limits, multi_pv, level, .. } = read_object(line)?;
        let option = |name, found: Option<Value>| {
            number(name, found.as_ref(), Options::range(name).expect("these are numbers of the engine"))
        };
        let LimitKeys { time, depth, nodes } = limits.unwrap_or_default();
        let depth = number("limits.depth", depth.as_ref(), 1..=MOST_PLIES.into())?;
        let limits = Limits {
            time: number("limits.time", time.as_ref(), 0..=MOST_MS)?.map(Duration::from_millis),
            depth: depth.and_then(|depth| u32::try_from(depth).ok()),
            nodes: number("limits.nodes", nodes.as_ref(), 1..=MOST_NODES)?,
            clock: None,
        };
        Ok(AnalysisLine {
            variant: variant.map(|word| variants.find(&word)).transpose()?,
            position: position.filter(|text| text != "startpos"),
            moves,
            limits,
            multi_pv: option("multi_pv", multi_pv)?,
            level: option("level", level)?,
        })
    }

    /// Sets up the position. Where the line names no variant it is one of `usual`, or of the variant that its text names.
    ///
    /// # Errors
    /// When the text is no position of the variant, or a move is not legal.
    pub(super) fn set_up(&self, engine: &mut Engine, usual: &Arc<Variant>) -> Result<(), ProtocolError> {
        if let (Some(variant), Some(text)) = (&self.variant, &self.position)
            && let Some(named) = text.split_ascii_whitespace().nth(5).filter(|named| *named != variant.id())
        {
            let fault = format!("the position is one of {named}, the line names {}", variant.id());
            return Err(ProtocolError::new(ErrorCode::IllegalPosition, fault));
        }
        let variant = self.variant.as_ref().unwrap_or(usual);
        Ok(engine.set_position_of(variant, self.position.as_deref(), &self.moves)?)
    }
}

/// The variants that lines name. A file is read once.
#[derive(Debug, Default)]
pub(super) struct Variants(Mutex<HashMap<String, Arc<Variant>>>);

impl Variants {
    fn find(&self, word: &str) -> Result<Arc<Variant>, ProtocolError> {
        if !is_path(word) {
            return Ok(Variant::builtin(word).ok_or_else(|| EngineError::UnknownVariant(word.to_owned()))?);
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = known.get(word) {
            return Ok(Arc::clone(variant));
        }
        let variant = Arc::new(Variant::from_file(Path::new(word)).map_err(EngineError::from)?);
        if known.len() == MOST_VARIANTS {
            known.clear();
        }
        known.insert(word.to_owned(), Arc::clone(&variant));
        Ok(variant)
    }
}
