//! A finished game as the match file keeps it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::record::Record;
use crate::rules::Side;

use super::by_side::BySide;
use super::fault::Fault;
use super::match_play::Match;
use super::referee::End;
use super::statistics::{GameReport, PlayerReport};
use super::worker::Finished;

/// A finished game: a line of the match file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameEntry {
    /// What statistics count.
    pub report: GameReport,
    /// The game itself.
    pub record: Record,
    /// What went wrong without an influence on the result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
}

/// A fault that cost nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remark {
    /// The name of the engine.
    pub engine: String,
    /// What it did.
    pub fault: Fault,
}

impl GameEntry {
    pub(super) fn new(game: &Match, finished: Finished) -> GameEntry {
        let Finished { scheduled, played, seed, latency, remarks } = finished;
        let settings = game.settings();
        let spec = |place: usize| settings.engines.get(place);
        let players = BySide { general: spec(scheduled.general), rebels: spec(scheduled.rebels) };
        let name = |side| players.of(side).map_or("", |spec| spec.title()).to_owned();
        let report_of = |side| PlayerReport {
            engine: name(side),
            thinking_us: microseconds(played.thinking.of(side)),
            latency_us: microseconds(latency.of(side)),
        };
        let last = played.sheet.game();
        let opening = game.opening_length(scheduled.round);
        let controls = [Side::General, Side::Rebels].map(|side| players.of(side).map(|spec| spec.time_control));
        let report = GameReport {
            number: scheduled.number,
            pair: scheduled.pair,
            general: report_of(Side::General),
            rebels: report_of(Side::Rebels),
            winner: played.end.result().winner(),
            reason: played.end.reason(),
            fault: match &played.end {
                End::Fault(_, fault) => Some(fault.kind),
                _ => None,
            },
            plies: u32::try_from(played.moves.len().saturating_sub(opening)).unwrap_or(u32::MAX),
            rebels_left: last.position().rebels().len(),
            perfect: game.perfect(scheduled.round),
        };
        let record = Record {
            event: settings.event.clone(),
            round: format!("{}.{}", scheduled.round + 1, scheduled.number),
            general: name(Side::General),
            rebels: name(Side::Rebels),
            variant: game.variant().id().to_owned(),
            fingerprint: settings.fingerprint.clone(),
            opening: if played.sheet.begins_at_opening() { String::new() } else { last.beginning().to_string() },
            time_control: match controls {
                [Some(general), Some(rebels)] if general == rebels => general.to_string(),
                [general, rebels] => {
                    let text = |control: Option<super::TimeControl>| control.map(|c| c.to_string()).unwrap_or_default();
                    format!("{} against {}", text(general), text(rebels))
                }
            },
            move_limit: settings.move_limit,
            seed: Some(u64::from(seed)),
            result: played.end.result(),
            termination: match &played.end {
                End::Rules(outcome) => outcome.to_string(),
                end => end.reason(),
            },
            moves: played.moves,
            ..Record::default()
        };
        GameEntry { report, record, remarks }
    }
}

fn microseconds(times: &[Duration]) -> Vec<u64> {
    times.iter().map(|time| u64::try_from(time.as_micros()).unwrap_or(u64::MAX)).collect()
}
