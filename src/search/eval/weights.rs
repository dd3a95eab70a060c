//! The weights of the evaluation, and their text: a TOML file with a table of weights for either side to move.

use std::fmt::{self, Write as _};

use serde::Deserialize;

use privy_base::message::sanitized;
use privy_protocol::{ErrorCode, ProtocolError};
use privy_rules::Variant;
use privy_rules::board::{MAX_POINTS, PointName};

use super::network::{Network, generals};

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
    /// Material: the value of that number of Rebels.
    pub material: [i32; MAX_POINTS],
    /// Mobility: the value of that many empty points adjacent to the General.
    pub mobility: [i32; MAX_POINTS],
    /// Freedom: the value of that many points that the General could walk to.
    pub freedom: [i32; MAX_POINTS],
    /// Connectivity of the ring: two adjacent Rebels.
    pub ring: i32,
    /// Tempo: a step that a Rebel can make.
    pub tempo: i32,
    /// Threat: a capture that the General could make at once.
    pub threat: i32,
    /// Weak point: a point within its reach on which it would capture.
    pub weak_point: i32,
    /// Custody: a step of a Rebel that could capture the General.
    pub custody: i32,
    /// The apex visited, where only the return is left.
    pub apex_visited: i32,
    /// A free jump left.
    pub free_jump: i32,
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
    /// The weights with a single number, by key.
    fn counts_mut(&mut self) -> [(&'static str, &mut i32); 7] {
        [
            ("ring", &mut self.ring),
            ("tempo", &mut self.tempo),
            ("threat", &mut self.threat),
            ("weak_point", &mut self.weak_point),
            ("custody", &mut self.custody),
            ("apex_visited", &mut self.apex_visited),
            ("free_jump", &mut self.free_jump),
        ]
    }

    fn halfway(&self, to: &SideWeights) -> Option<SideWeights> {
        let (mut half, mut to) = (self.clone(), to.clone());
        half.network = match (&self.network, &to.network) {
            (Some(_), Some(_)) => return None,
            (network, None) | (None, network) => network.as_ref().map(Network::halved),
        };
        let mean = |weight: &mut i32, other: i32| *weight = (*weight + other) / 2;
        let tables = [&mut half.material, &mut half.mobility, &mut half.freedom, &mut half.general];
        let others = [&to.material, &to.mobility, &to.freedom, &to.general];
        let tables = tables.into_iter().chain(half.rebels.iter_mut()).flatten();
        tables
            .zip(others.into_iter().chain(to.rebels.iter()).flatten())
            .for_each(|(weight, other)| mean(weight, *other));
        half.counts_mut().into_iter().zip(to.counts_mut()).for_each(|((_, weight), (_, other))| mean(weight, *other));
        Some(half)
    }

    /// Returns weights of zero.
    pub fn none() -> SideWeights {
        SideWeights {
            material: [0; MAX_POINTS],
            mobility: [0; MAX_POINTS],
            freedom: [0; MAX_POINTS],
            ring: 0,
            tempo: 0,
            threat: 0,
            weak_point: 0,
            custody: 0,
            apex_visited: 0,
            free_jump: 0,
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
pub(super) struct WeightsFile {
    fingerprint: String,
    general_to_move: SideFile,
    rebels_to_move: SideFile,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SideFile {
    material: Vec<i32>,
    mobility: Vec<i32>,
    freedom: Vec<i32>,
    ring: i32,
    tempo: i32,
    threat: i32,
    weak_point: i32,
    custody: i32,
    apex_visited: i32,
    free_jump: i32,
    network: Option<String>,
    places: Vec<PlaceFile>,
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
        let file: WeightsFile = toml::from_str(text).map_err(|reason| {
            let before = reason.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = 1 + before.bytes().filter(|byte| *byte == b'\n').count();
            error(format_args!("line {line}: {}", sanitized(reason.message(), LONGEST_FAULT)))
        })?;
        let (fingerprint, found) = (variant.fingerprint(), file.fingerprint);
        if found != fingerprint {
            return Err(error(format_args!("expected the rules {fingerprint} of the variant, found {found}")));
        }
        Ok(Weights {
            general_to_move: file.general_to_move.weights(variant)?,
            rebels_to_move: file.rebels_to_move.weights(variant)?,
        })
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

impl SideFile {
    fn weights(&self, variant: &Variant) -> Result<SideWeights, WeightsError> {
        let mut weights = SideWeights {
            material: table("material", &self.material)?,
            mobility: table("mobility", &self.mobility)?,
            freedom: table("freedom", &self.freedom)?,
            ring: self.ring,
            tempo: self.tempo,
            threat: self.threat,
            weak_point: self.weak_point,
            custody: self.custody,
            apex_visited: self.apex_visited,
            free_jump: self.free_jump,
            ..SideWeights::none()
        };
        for (key, weight) in weights.counts_mut() {
            check_sizes(key, [&*weight])?;
        }
        if let Some(text) = &self.network {
            let wrong = "network: expected the rows of the variant in Base64, and no sum of them too large";
            weights.network = Some(Network::from_text(text, variant).ok_or_else(|| error(wrong))?);
        }
        for place in &self.places {
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
        for (key, list) in [("material", &self.material), ("mobility", &self.mobility), ("freedom", &self.freedom)] {
            let len = list.iter().rposition(|weight| *weight != 0).map_or(0, |last| last + 1);
            let _ = writeln!(text, "{key} = {:?}", &list[..len]);
        }
        for (key, weight) in self.clone().counts_mut() {
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
