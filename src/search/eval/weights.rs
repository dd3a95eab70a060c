//! The weights of the evaluation, and their text: a TOML file with a table of weights for either side to move.

use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use privy_base::message::sanitized;
use privy_protocol::{ErrorCode, ProtocolError};
use privy_rules::Variant;
use privy_rules::board::{MAX_POINTS, PointName};

use super::network::{Network, generals};
use super::terms::{TABLES, TERMS};

/// Characters of a fault of the text of a file.
const LONGEST_FAULT: usize = 400;
/// The largest weight in a file, in hundredths of a Rebel: far above any position, and low enough that no sum
/// overflows.
const MAX_WEIGHT: i32 = 100_000;

/// The weights of a variant, in hundredths of a Rebel for the General.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// With the General to move.
    pub general_to_move: SideWeights,
    /// With the Rebels to move.
    pub rebels_to_move: SideWeights,
}

/// The weights of positions with one side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideWeights {
    /// By table of [`TABLES`]: the value of each count.
    pub tables: [[i32; MAX_POINTS]; TABLES.len()],
    /// By term of [`TERMS`]: the value of one.
    pub terms: [i32; TERMS.len()],
    /// The General on that point.
    pub general: [i32; MAX_POINTS],
    /// By point of the General: a Rebel on that point.
    pub rebels: Box<[[i32; MAX_POINTS]; MAX_POINTS]>,
    /// A correction by a neural network.
    pub network: Option<Network>,
}

impl Weights {
    /// Returns the mean of two sets of weights; `None` if both have a network for a side, since networks have no mean.
    pub fn halfway(&self, to: &Weights) -> Option<Weights> {
        Some(Weights {
            general_to_move: self.general_to_move.halfway(&to.general_to_move)?,
            rebels_to_move: self.rebels_to_move.halfway(&to.rebels_to_move)?,
        })
    }
}

impl SideWeights {
    fn halfway(&self, to: &SideWeights) -> Option<SideWeights> {
        let (mut half, mut to) = (self.clone(), to.clone());
        half.network = match (&self.network, &to.network) {
            (Some(_), Some(_)) => return None,
            (network, None) | (None, network) => network.as_ref().map(Network::halved),
        };
        half.numbers_mut().zip(to.numbers_mut()).for_each(|(weight, other)| *weight = (*weight + *other) / 2);
        Some(half)
    }

    /// All weights without the network.
    fn numbers_mut(&mut self) -> impl Iterator<Item = &mut i32> {
        let points = self.rebels.iter_mut().flatten().chain(&mut self.general);
        self.tables.iter_mut().flatten().chain(&mut self.terms).chain(points)
    }

    /// Returns weights of zero.
    pub fn none() -> SideWeights {
        SideWeights {
            tables: [[0; MAX_POINTS]; TABLES.len()],
            terms: [0; TERMS.len()],
            general: [0; MAX_POINTS],
            rebels: Box::new([[0; MAX_POINTS]; MAX_POINTS]),
            network: None,
        }
    }
}

/// An error in a file of weights: what was expected and what was found, with the path where it is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WeightsError(pub(super) String);

impl From<WeightsError> for ProtocolError {
    fn from(error: WeightsError) -> ProtocolError {
        ProtocolError::new(ErrorCode::CannotLoadFile, error.to_string())
    }
}

fn error(message: impl fmt::Display) -> WeightsError {
    WeightsError(format!("weights file: {message}"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceFile {
    general: String,
    weight: i32,
    rebels: Vec<Vec<i32>>,
}

impl Weights {
    /// Reads weights that were fitted to the rules of a variant.
    ///
    /// # Errors
    /// On a malformed file, or one of another variant.
    pub fn from_toml(text: &str, variant: &Variant) -> Result<Weights, WeightsError> {
        let mut file: toml::Table = toml::from_str(text).map_err(|reason| {
            let before = reason.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
            error(format_args!("line {line}: {}", fault(&reason)))
        })?;
        check_keys(&file, &["fingerprint", "general_to_move", "rebels_to_move"])?;
        let (fingerprint, found) = (variant.fingerprint(), take::<String>(&mut file, "fingerprint")?);
        if found != fingerprint {
            return Err(error(format_args!("expected the rules {fingerprint} of the variant, found {found}")));
        }
        let mut side = |name: &str| SideWeights::from_toml(take(&mut file, name)?, variant);
        Ok(Weights { general_to_move: side("general_to_move")?, rebels_to_move: side("rebels_to_move")? })
    }

    /// Returns the text that [`from_toml`](Weights::from_toml) reads. It has one of two mirror images of the General.
    pub fn to_toml(&self, variant: &Variant) -> String {
        let mut text = format!("fingerprint = \"{}\"\n", variant.fingerprint());
        for (name, side) in [("general_to_move", &self.general_to_move), ("rebels_to_move", &self.rebels_to_move)] {
            // Writing to a string does not fail.
            let _ = write!(text, "\n[{name}]\n{}", side.to_toml(variant, name));
        }
        text
    }
}

fn fault(reason: &toml::de::Error) -> String {
    sanitized(reason.message(), LONGEST_FAULT)
}

fn check_keys(table: &toml::Table, known: &[&str]) -> Result<(), WeightsError> {
    match table.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(error(format_args!("unknown key {}", sanitized(key, LONGEST_FAULT)))),
        None => Ok(()),
    }
}

/// Takes the value of a key from a table.
fn take<T: DeserializeOwned>(table: &mut toml::Table, key: &str) -> Result<T, WeightsError> {
    let value = table.remove(key).ok_or_else(|| error(format_args!("missing key {key}")))?;
    value.try_into().map_err(|reason| error(format_args!("{key}: {}", fault(&reason))))
}

/// Refuses weights beyond [`MAX_WEIGHT`] in size.
fn check_sizes<'a>(key: &str, list: impl IntoIterator<Item = &'a i32>) -> Result<(), WeightsError> {
    match list.into_iter().find(|weight| weight.unsigned_abs() > MAX_WEIGHT.unsigned_abs()) {
        Some(found) => Err(error(format_args!("{key}: expected -{MAX_WEIGHT} to {MAX_WEIGHT}, found {found}"))),
        None => Ok(()),
    }
}

fn table(key: &str, list: &[i32]) -> Result<[i32; MAX_POINTS], WeightsError> {
    check_sizes(key, list)?;
    let mut table = [0; MAX_POINTS];
    let too_many = || error(format_args!("{key}: expected at most {MAX_POINTS} numbers, found {}", list.len()));
    table.get_mut(..list.len()).ok_or_else(too_many)?.copy_from_slice(list);
    Ok(table)
}

impl SideWeights {
    fn from_toml(mut file: toml::Table, variant: &Variant) -> Result<SideWeights, WeightsError> {
        check_keys(&file, &[&TABLES[..], &TERMS, &["network", "places"]].concat())?;
        let mut weights = SideWeights::none();
        for (key, counts) in TABLES.iter().zip(&mut weights.tables) {
            *counts = table(key, &take::<Vec<i32>>(&mut file, key)?)?;
        }
        for (key, weight) in TERMS.iter().zip(&mut weights.terms) {
            *weight = take(&mut file, key)?;
            check_sizes(key, [&*weight])?;
        }
        if file.contains_key("network") {
            let wrong = "network: expected the rows of the variant in Base64, and no sum of them too large";
            let network = Network::from_text(&take::<String>(&mut file, "network")?, variant);
            weights.network = Some(network.ok_or_else(|| error(wrong))?);
        }
        for place in take::<Vec<PlaceFile>>(&mut file, "places")? {
            place.set(variant, &mut weights)?;
        }
        Ok(weights)
    }
}

impl PlaceFile {
    /// Sets the weights of a point of the General, and of its mirror image.
    fn set(&self, variant: &Variant, weights: &mut SideWeights) -> Result<(), WeightsError> {
        let board = variant.board();
        let expected = |what: &str| error(format_args!("general = \"{}\": expected {what}", self.general));
        let name = self.general.parse::<PointName>().ok();
        let general = name.and_then(|name| board.point(name)).ok_or_else(|| expected("a point of the board"))?;
        let rows = &board.rows;
        if !rows.iter().map(Vec::len).eq(self.rebels.iter().map(Vec::len)) {
            return Err(expected("a number for each point, row by row from the top"));
        }
        check_sizes(&format!("places of {}", self.general), self.rebels.iter().flatten().chain([&self.weight]))?;
        let mirrored = variant.image(general);
        weights.general[general.index()] = self.weight;
        weights.general[mirrored.index()] = self.weight;
        for (point, weight) in rows.iter().flatten().zip(self.rebels.iter().flatten()) {
            weights.rebels[general.index()][point.index()] = *weight;
            if mirrored != general {
                weights.rebels[mirrored.index()][variant.image(*point).index()] = *weight;
            }
        }
        Ok(())
    }
}

impl SideWeights {
    fn to_toml(&self, variant: &Variant, name: &str) -> String {
        let board = variant.board();
        let mut text = String::new();
        for (key, list) in TABLES.iter().zip(&self.tables) {
            let len = list.iter().rposition(|weight| *weight != 0).map_or(0, |last| last + 1);
            let _ = writeln!(text, "{key} = {:?}", &list[..len]);
        }
        for (key, weight) in TERMS.iter().zip(self.terms) {
            let _ = writeln!(text, "{key} = {weight}");
        }
        if let Some(network) = &self.network {
            let _ = writeln!(text, "network = \"{}\"", network.to_text(variant));
        }
        for general in generals(variant) {
            let weight = self.general[general.index()];
            let _ = write!(text, "\n[[{name}.places]]\ngeneral = \"{}\"\nweight = {weight}\n", board.name(general));
            text.push_str("rebels = [\n");
            for row in &board.rows {
                let row: Vec<i32> = row.iter().map(|point| self.rebels[general.index()][point.index()]).collect();
                let _ = writeln!(text, "    {row:?},");
            }
            text.push_str("]\n");
        }
        text
    }
}
