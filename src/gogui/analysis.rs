//! Analyses of the engine, drawn on the board of a client.

use std::time::Duration;

use privy_protocol::{Bound, ProtocolError, Score, Verdict};

use privy_engine::session::Answer;
use privy_rules::Side;
use privy_rules::board::{Point, PointSet};
use privy_search::eval::plies;
use privy_search::{Limits, SearchInfo, SearchRequest, SearchResult, Stop, begin_alike};

use super::choice::search;
use super::game::HalfMoveGame;
use super::graphics::{Graphics, Live, colour_name, line_graphics};
use super::rules::final_result;

/// The commands whose answers a client can show: type of the answer, menu label, command.
const COMMANDS: [(&str, &str, &str); 6] = [
    ("gfx", "Value of every move", "privy-move_values"),
    ("gfx", "Best line", "privy-best_line"),
    ("hstring", "Explain the position", "explain"),
    ("string", "Board with its lines", "showboard"),
    ("string", "Position as text", "fen"),
    ("param", "Engine parameters", "privy-parameters"),
];

/// The time of the searches that replace a table.
const SHORT: Duration = Duration::from_millis(300);

pub(super) fn commands() -> String {
    COMMANDS.map(|(kind, label, command)| format!("{kind}/{label}/{command}")).join("\n")
}

/// Searches the legal moves, for `lines` lines or one for each way.
fn searched(
    game: &mut HalfMoveGame,
    live: &mut Live<'_>,
    lines: Option<usize>,
    stop: &Stop,
) -> Result<SearchResult, ProtocolError> {
    let ways = game.ways();
    let multi_pv = lines.unwrap_or(ways.len());
    let request = SearchRequest { multi_pv, ..Limits::of_time(SHORT).into() };
    search(game, live, request.analysis(), &ways, stop)
}

/// The answer of all drawing commands when the game is over: the result.
pub(super) fn over(game: &HalfMoveGame) -> String {
    let mut graphics = Graphics::new(game.engine.game().board());
    graphics.text(&final_result(&game.engine));
    graphics.to_string()
}

/// The best line and its value, by the table or a search.
pub(super) fn best_line(game: &mut HalfMoveGame, live: &mut Live<'_>, stop: &Stop) -> Answer {
    let found = searched(game, live, Some(1), stop)?;
    let (root, begun) = (game.engine.game(), game.begun.len());
    Ok(found.lines.first().map_or_else(String::new, |report| line_graphics(root, begun, report).to_string()))
}

/// A score short enough for a point: `W12`, `L9`, `=`, `+0.4`, `-250`; a bound of the length `W<=79`, of the result
/// `>=`, `<=`.
fn label(Verdict { score, bound }: Verdict) -> String {
    let (at_most, of_draw) = match bound {
        Some(Bound::Upper) => ("<=", "<="),
        Some(Bound::Lower) => (">=", ">="),
        None => ("", "="),
    };
    match score {
        Score::Win(plies) => format!("W{at_most}{plies}"),
        Score::Loss(plies) => format!("L{at_most}{plies}"),
        Score::Draw => of_draw.to_owned(),
        evaluation => {
            let hundredths = evaluation.hundredths().unwrap_or_default();
            let decimals = usize::from(hundredths.unsigned_abs() < 9_995);
            let unit = if decimals == 1 { 10.0 } else { 100.0 };
            let rounded = (f64::from(hundredths) / unit).round() * unit / 100.0;
            format!("{:+.decimals$}", rounded + 0.0)
        }
    }
}

fn colour(report: &SearchInfo) -> &'static str {
    match report.verdict.score {
        Score::Win(_) => "#80d080",
        Score::Loss(_) => "#e08080",
        Score::Draw => "#e8dc70",
        evaluation if evaluation > Score::Evaluation(0) => "#c8e8c8",
        _ => "#f0d0d0",
    }
}

/// The score of a report in words, and its source.
fn verdict(side: Side, report: &SearchInfo) -> String {
    let side = colour_name(side);
    let Verdict { score, bound } = report.verdict;
    let within = if bound.is_some() { "within" } else { "in" };
    let value = match score {
        Score::Win(count) => format!("wins {within} {}", plies(count)),
        Score::Loss(count) => format!("loses {within} {}", plies(count)),
        Score::Draw => match bound {
            Some(Bound::Lower) => "does not lose".to_owned(),
            Some(Bound::Upper) => "does not win".to_owned(),
            None => "draws".to_owned(),
        },
        Score::UnprovedWin(count) => format!("seems won in about {}", plies(count)),
        Score::UnprovedLoss(count) => format!("seems lost in about {}", plies(count)),
        Score::RepetitionWin => "wins by repetition, or in many plies".to_owned(),
        Score::RepetitionLoss => "loses by repetition, or in many plies".to_owned(),
        Score::Evaluation(_) => {
            let percent = 100.0 * report.chance();
            format!("stands at {score}, a chance of {percent:.0} %")
        }
    };
    let source = match report.nodes {
        _ if bound.is_some() && score.distance().is_some() => "by a proof".to_owned(),
        0 if report.tbhits > 0 => "by the table".to_owned(),
        0 => "by the rules".to_owned(),
        _ => format!("search of depth {}", report.depth),
    };
    format!("{side} {value} ({source})")
}

/// Labels and colours on the legal points, with `!` on the best. While no piece has been chosen and only one can move,
/// they are on the points that it can move to.
pub(super) fn move_values(game: &mut HalfMoveGame, live: &mut Live<'_>, stop: &Stop) -> Answer {
    let found = searched(game, live, None, stop)?;
    let mut begun = game.begun.clone();
    if begun.is_empty() && game.legal_points().len() == 1 {
        begun.extend(game.legal_points());
    }
    let mut values: Vec<(Point, &SearchInfo)> = Vec::new();
    for way in game.half_moves().0.beginning_with(&begun) {
        let move_ = std::slice::from_ref(&way.move_);
        let report = found.lines.iter().find(|report| begin_alike(&report.pv, move_));
        let (Some(point), Some(report)) = (way.points.get(begun.len()), report) else { continue };
        match values.iter_mut().find(|(other, _)| other == point) {
            // Of equal scores one may be exact and another a bound: what the lines have first counts.
            Some((_, best)) if (best.verdict.score, report.multipv) < (report.verdict.score, best.multipv) => {
                *best = report;
            }
            Some(_) => {}
            None => values.push((*point, report)),
        }
    }
    let position = game.engine.game();
    let mut graphics = Graphics::new(position.board());
    for (point, report) in &values {
        graphics.colour(colour(report), PointSet::of(*point));
    }
    let best = values.iter().map(|(_, report)| report.verdict.score).max();
    let label = |report: &SearchInfo| label(report.verdict) + if Some(report.verdict.score) == best { "!" } else { "" };
    graphics.labels(&values.iter().map(|(point, report)| (*point, label(report))).collect::<Vec<_>>());
    if let Some(report) = found.lines.iter().max_by_key(|report| report.verdict.score) {
        graphics.text(&verdict(position.side(), report));
    }
    Ok(graphics.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fit_on_a_point() {
        let text = |hundredths| label(Score::Evaluation(hundredths).into());
        assert_eq!(
            [-24_976, -9_995, -9_994, -4, 4, 42, 105, 24_976].map(text),
            ["-250", "-100", "-99.9", "+0.0", "+0.0", "+0.4", "+1.1", "+250"]
        );
        assert_eq!(label(Score::Win(117).into()), "W117");
        assert_eq!(label(Verdict::bounded(Score::Loss(117), Bound::Upper)), "L<=117");
        assert_eq!([Bound::Upper, Bound::Lower].map(|bound| label(Verdict::bounded(Score::Draw, bound))), ["<=", ">="]);
    }

    #[test]
    fn a_verdict_names_a_proof_or_a_table() {
        let report = |score, bound| SearchInfo {
            depth: 1,
            multipv: 1,
            verdict: Verdict { score, bound },
            tbhits: 1,
            ..SearchInfo::default()
        };
        let text = |score, bound| verdict(Side::Rebels, &report(score, bound));
        assert_eq!(text(Score::Win(26), None), "Black wins in 26 plies (by the table)");
        assert_eq!(text(Score::Win(26), Some(Bound::Upper)), "Black wins within 26 plies (by a proof)");
        assert_eq!(text(Score::Draw, Some(Bound::Lower)), "Black does not lose (by the table)");
    }
}
