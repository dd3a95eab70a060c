//! A line in: a position to analyse, or the id of one to cancel.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use privy_base::json::{Object, fault};
use privy_base::message::sanitized;
use privy_engine::{Engine, Options, unknown_variant};
use privy_program::{MOST_MS, MOST_NODES, is_path};
use privy_protocol::{ErrorCode, Limits, ProtocolError};
use privy_rules::Variant;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use super::id::LineId;

use super::super::common::MOST_PLIES;

/// The range of a priority, to both sides of 0.
const MOST_PRIORITY: i64 = 1_000_000;
/// Characters of a word or a fault in an error.
const LONGEST_ERROR: usize = 400;
/// Variants of files that stay known.
const MOST_VARIANTS: usize = 100;

/// A line that has been read.
#[derive(Debug)]
pub(super) enum RequestLine {
    /// The id of a line, and the id that it cancels.
    Cancel(LineId, LineId),
    /// The id of a position to analyse, its priority, and what is asked.
    Analysis(LineId, i64, AnalysisLine),
}

impl RequestLine {
    /// Reads a line, most of them once.
    ///
    /// # Errors
    /// The id as far as it is known, and what is wrong with a key or a number.
    pub(super) fn read(line: &str) -> Result<RequestLine, (LineId, ProtocolError)> {
        #[derive(Deserialize)]
        struct HeadingKeys {
            #[serde(default)]
            id: LineId,
            #[serde(default, deserialize_with = "even_null")]
            cancel: Option<LineId>,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct OfCancel {
            #[serde(rename = "id")]
            _id: Option<IgnoredAny>,
            #[serde(rename = "cancel")]
            _cancel: IgnoredAny,
        }
        let mut keys = match read_object::<RequestKeys>(line) {
            Ok(keys) => keys,
            Err(error) => {
                let HeadingKeys { id, cancel } = read_object(line).map_err(|error| (LineId::default(), error))?;
                let Some(of) = cancel else { return Err((id, error)) };
                return match read_object::<OfCancel>(line) {
                    Ok(_) => Ok(RequestLine::Cancel(id, of)),
                    Err(error) => Err((id, error)),
                };
            }
        };
        let id = std::mem::take(&mut keys.id);
        match keys.values() {
            Ok((priority, asked)) => Ok(RequestLine::Analysis(id, priority, asked)),
            Err(error) => Err((id, error)),
        }
    }
}

/// Tells `null` from a key that is not there.
fn even_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<LineId>, D::Error> {
    LineId::deserialize(deserializer).map(Some)
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
        let fault = fault(&error).replace(" at line 1 column ", ", in column ");
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
    #[serde(default)]
    id: LineId,
    priority: Option<Value>,
    variant: Option<String>,
    position: Option<String>,
    moves: Option<Vec<String>>,
    limits: Option<Object<LimitKeys>>,
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

impl RequestKeys {
    /// The priority, and the rest in the engine's own terms.
    fn values(self) -> Result<(i64, AnalysisLine), ProtocolError> {
        let range = -MOST_PRIORITY..=MOST_PRIORITY;
        let priority = match self.priority.as_ref().map(|value| (value, value.as_i64())) {
            None => 0,
            Some((_, Some(priority))) if range.contains(&priority) => priority,
            Some((found, _)) => return Err(wrong_number("priority", range.start(), range.end(), found)),
        };
        let option = |name, found: Option<Value>| {
            number(name, found.as_ref(), Options::range(name).expect("these are numbers of the engine"))
        };
        let Object(LimitKeys { time, depth, nodes }) = self.limits.unwrap_or_default();
        let depth = number("limits.depth", depth.as_ref(), 1..=MOST_PLIES.into())?;
        let limits = Limits {
            time: number("limits.time", time.as_ref(), 0..=MOST_MS)?.map(Duration::from_millis),
            depth: depth.and_then(|depth| u32::try_from(depth).ok()),
            nodes: number("limits.nodes", nodes.as_ref(), 1..=MOST_NODES)?,
            clock: None,
        };
        let asked = AnalysisLine {
            variant: self.variant,
            position: self.position.filter(|text| text != "startpos"),
            moves: self.moves.unwrap_or_default(),
            limits,
            multi_pv: option("multi_pv", self.multi_pv)?,
            level: option("level", self.level)?,
        };
        Ok((priority, asked))
    }
}

/// What a line asks for.
#[derive(Debug, Default)]
pub(super) struct AnalysisLine {
    variant: Option<String>,
    position: Option<String>,
    moves: Vec<String>,
    /// None of the line: those of the command line.
    pub(super) limits: Limits,
    pub(super) multi_pv: Option<u64>,
    pub(super) level: Option<u64>,
}

impl AnalysisLine {
    /// The memory of its texts, in bytes.
    pub(super) fn size(&self) -> usize {
        /// What the allocator adds to a text, at most.
        const ADDED: usize = 32;
        let texts = self.variant.iter().chain(&self.position).chain(&self.moves);
        let allocated = texts.map(String::capacity).filter(|length| *length > 0).map(|length| length + ADDED);
        self.moves.capacity() * size_of::<String>() + allocated.sum::<usize>()
    }

    /// Sets up the position. Where the line names no variant it is one of `usual`, or of the variant that its text
    /// names.
    ///
    /// # Errors
    /// When the variant is unknown, the text is no position of it, or a move is not legal.
    pub(super) fn set_up(
        &self,
        engine: &mut Engine,
        usual: &Arc<Variant>,
        variants: &Variants,
    ) -> Result<(), ProtocolError> {
        let named = self.variant.as_ref().map(|word| variants.find(word)).transpose()?;
        if let (Some(variant), Some(text)) = (&named, &self.position)
            && let Some(id) = text.split_ascii_whitespace().nth(5).filter(|id| *id != variant.id())
        {
            let fault = format!("the position is one of {id}, the line names {}", variant.id());
            return Err(ProtocolError::new(ErrorCode::IllegalPosition, fault));
        }
        let variant = named.as_ref().unwrap_or(usual);
        engine.set_position_of(variant, self.position.as_deref(), &self.moves)
    }
}

/// The variants that lines name. A file is read once.
#[derive(Debug, Default)]
pub(super) struct Variants(Mutex<HashMap<String, Arc<Variant>>>);

impl Variants {
    fn find(&self, word: &str) -> Result<Arc<Variant>, ProtocolError> {
        if !is_path(word) {
            return Variant::builtin(word).ok_or_else(|| unknown_variant(word));
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variant) = known.get(word) {
            return Ok(Arc::clone(variant));
        }
        let variant = Arc::new(Variant::from_file(Path::new(word))?);
        if known.len() == MOST_VARIANTS {
            known.clear();
        }
        known.insert(word.to_owned(), Arc::clone(&variant));
        Ok(variant)
    }
}
