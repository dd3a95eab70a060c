//! Analysis: requests, and the reports on the moves.
//!
//! ```
//! use privy_protocol::{MoveInfo, Score, analysis_line};
//!
//! let best = MoveInfo {
//!     visits: 1200,
//!     winrate: 0.75,
//!     prior: 0.5,
//!     lcb: 0.7,
//!     verdict: Score::Evaluation(42).into(),
//!     order: 0,
//!     pv: vec!["c3-b2".to_owned(), "d4-c3".to_owned()],
//! };
//! let line = "info move c3-b2 visits 1200 winrate 0.7500 prior 0.5000 lcb 0.7000 score +0.42 order 0 pv c3-b2 d4-c3";
//! assert_eq!(analysis_line(&[best], MoveInfo::numbers), line);
//! ```

use crate::arguments::Arguments;
use crate::error::ProtocolError;
use crate::side::Side;
use crate::verdict::Verdict;

/// A request for an analysis.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct AnalysisRequest {
    /// The side that must be to move, if the request names one.
    pub side: Option<Side>,
    /// The time between two reports, in hundredths of a second, from 1.
    pub interval: Option<u32>,
    /// `minmoves N`: the least number of moves in a report, where there are as many.
    pub(crate) min_moves: Option<u32>,
    /// `maxmoves N`: the largest number of moves in a report, but not below `minmoves`.
    pub(crate) max_moves: Option<u32>,
    /// `allow M …`: the moves that alone are analysed, as written; empty: all.
    pub allow: Vec<String>,
    /// `avoid M …`: the moves that are not analysed, as written.
    pub avoid: Vec<String>,
}

/// Information that clients of KataGo can request. The engine has none of it: only `false` is accepted.
const EXTRAS: &str = "rootInfo ownership ownershipStdev movesOwnership movesOwnershipStdev pvVisits pvEdgeVisits \
                      noResultValue";

impl AnalysisRequest {
    /// The interval of a request that names none, in hundredths of a second.
    pub const USUAL_INTERVAL: u32 = 100;

    /// The number of moves in a report, of all legal moves.
    pub fn count(&self, legal: usize) -> usize {
        let most = self.max_moves.map(|most| most.max(self.min_moves.unwrap_or(1)));
        most.map_or(legal, |most| legal.min(most as usize))
    }

    /// Reads a side, an interval and named values, in any order.
    ///
    /// # Errors
    /// `syntax error` or `value out of range`.
    pub fn parse(arguments: &mut Arguments<'_>) -> Result<Self, ProtocolError> {
        const KEYS: &str = "a side, an interval, interval, minmoves, maxmoves, allow or avoid";
        const INTERVAL: &str = "hundredths of a second";
        const MOVES: &str = "a number of moves";
        let mut request = Self::default();
        let mut seen: Vec<&str> = Vec::new();
        while let Some(word) = arguments.peek() {
            let place = *arguments;
            // A side and an interval need no key. The key of a side is empty.
            let key = match word {
                _ if word.parse::<Side>().is_ok() => "",
                _ if word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-') => "interval",
                key => key,
            };
            if key == word {
                arguments.take();
            }
            match key {
                "" => request.side = Some(arguments.side(None)?),
                "interval" => request.interval = Some(arguments.count(Some("interval"), INTERVAL, 1)?),
                "minmoves" => request.min_moves = Some(arguments.count(Some("minmoves"), MOVES, 0)?),
                "maxmoves" => request.max_moves = Some(arguments.count(Some("maxmoves"), MOVES, 1)?),
                "allow" | "avoid" => {
                    let (these, others) = match key {
                        "allow" => (&mut request.allow, &request.avoid),
                        _ => (&mut request.avoid, &request.allow),
                    };
                    if !others.is_empty() {
                        return Err(place.refused(Some("key"), "allow or avoid alone"));
                    }
                    if arguments.peek().is_some_and(|word| word.parse::<Side>().is_ok()) {
                        these.extend(kata_moves(arguments, &mut request.side)?);
                        seen.push("");
                    } else {
                        these.extend(arguments.words_until(Some("moves"), "one move or more", |_| false)?);
                    }
                }
                extra if EXTRAS.split(' ').any(|known| known == extra) => {
                    if !arguments.take_if("false") {
                        let expected = format_args!("{extra} false (unknown information)");
                        return Err(arguments.refused(Some("value"), expected));
                    }
                    continue;
                }
                _ => return Err(place.refused(Some("key"), KEYS)),
            }
            // KataGo takes several sets of moves to avoid.
            if key != "avoid" {
                if seen.contains(&key) {
                    return Err(place.refused(Some("key"), "each argument once"));
                }
                seen.push(key);
            }
        }
        Ok(request)
    }
}

/// KataGo's form of moves to allow or to avoid, `SIDE MOVE,MOVE DEPTH`, and Leela Zero's: they count up to a depth.
/// Only that of the next ply is known.
fn kata_moves(arguments: &mut Arguments<'_>, side: &mut Option<Side>) -> Result<Vec<String>, ProtocolError> {
    let place = *arguments;
    let player = arguments.side(Some("side"))?;
    if side.is_some_and(|side| side != player) {
        return Err(place.refused(Some("side"), "the side of the analysis"));
    }
    let moves = arguments.word(Some("moves"), "moves with commas between")?;
    let place = *arguments;
    if arguments.count(Some("depth"), "a depth", 1)? > 1 {
        return Err(place.out_of_range(Some("depth"), "1: moves are named for the next ply alone"));
    }
    *side = Some(player);
    Ok(moves.split(',').map(str::to_owned).collect())
}

/// The analysis of a move; `M` is a move, or its text. All win rates are those of the side to move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MoveInfo<M = String> {
    /// The number of positions searched after it.
    pub visits: u64,
    /// The win rate, 0 to 1; a draw is half a win.
    pub winrate: f64,
    /// The share of the move among all moves before the search, 0 to 1.
    pub prior: f64,
    /// The lower confidence bound of the win rate.
    pub lcb: f64,
    /// The score and its bound.
    pub verdict: Verdict,
    /// The rank of the move, from 0.
    pub order: u32,
    /// The principal variation, which begins with the move.
    pub pv: Vec<M>,
}

impl MoveInfo {
    /// Returns win rates and score as `analyze` writes them.
    pub fn numbers(&self) -> String {
        let Self { winrate, prior, lcb, verdict, .. } = self;
        format!("winrate {winrate:.4} prior {prior:.4} lcb {lcb:.4} score {verdict}")
    }
}

/// Returns a report, a line of an analysis: the moves, best first, with win rates and score as `numbers` writes them.
pub fn analysis_line(moves: &[MoveInfo], numbers: fn(&MoveInfo) -> String) -> String {
    let texts = moves.iter().map(|analyzed| {
        let MoveInfo { visits, order, pv, .. } = analyzed;
        let movement = pv.first().map_or("", String::as_str);
        format!("info move {movement} visits {visits} {} order {order} pv {}", numbers(analyzed), pv.join(" "))
    });
    texts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<AnalysisRequest, String> {
        AnalysisRequest::parse(&mut Arguments::new("analyze", text)).map_err(|error| error.to_string())
    }

    #[test]
    fn the_forms_of_clients_are_understood() {
        let none = AnalysisRequest::default;
        let side = Some(Side::Rebels);
        for (text, expected) in [
            ("", none()),
            ("10", AnalysisRequest { interval: Some(10), ..none() }),
            ("B 50", AnalysisRequest { side, interval: Some(50), ..none() }),
            ("interval 50 black", AnalysisRequest { side, interval: Some(50), ..none() }),
            (
                "b 5 ownership false maxmoves 3",
                AnalysisRequest { side, interval: Some(5), max_moves: Some(3), ..none() },
            ),
            ("minmoves 0 maxmoves 1", AnalysisRequest { min_moves: Some(0), max_moves: Some(1), ..none() }),
            ("allow c3-c4 b", AnalysisRequest { allow: vec!["c3-c4".to_owned(), "b".to_owned()], ..none() }),
            ("b avoid 5", AnalysisRequest { side, avoid: vec!["5".to_owned()], ..none() }),
            ("avoid b c3,d4 1 avoid black e5 1 maxmoves 3", {
                let avoid = ["c3", "d4", "e5"].map(str::to_owned).to_vec();
                AnalysisRequest { side, avoid, max_moves: Some(3), ..none() }
            }),
            ("b 5 allow B c3-c4 1", {
                AnalysisRequest { side, interval: Some(5), allow: vec!["c3-c4".to_owned()], ..none() }
            }),
        ] {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn errors() {
        for (text, message) in [
            (
                "x",
                "argument 1 (key): expected a side, an interval, interval, minmoves, maxmoves, allow or avoid, found \
                 \"x\"",
            ),
            ("b w", "argument 2 (key): expected each argument once, found \"w\""),
            ("5 interval 5", "argument 2 (key): expected each argument once, found \"interval\""),
            ("interval", "argument 2 (interval): expected hundredths of a second from 1, found nothing"),
            ("1.5", "argument 1 (interval): expected hundredths of a second from 1, found \"1.5\""),
            ("maxmoves x", "argument 2 (maxmoves): expected a number of moves from 1, found \"x\""),
            ("avoid", "argument 2 (moves): expected one move or more, found nothing"),
            ("avoid b", "argument 3 (moves): expected moves with commas between, found nothing"),
            ("w avoid b c3 1", "argument 3 (side): expected the side of the analysis, found \"b\""),
            ("avoid b c3", "argument 4 (depth): expected a depth from 1, found nothing"),
            ("avoid b c3 1 w", "argument 5 (key): expected each argument once, found \"w\""),
            ("allow b c3 1 allow b d4 1", "argument 5 (key): expected each argument once, found \"allow\""),
            ("allow b c3 1 avoid d4", "argument 5 (key): expected allow or avoid alone, found \"avoid\""),
            ("ownership true", "argument 2 (value): expected ownership false (unknown information), found \"true\""),
        ] {
            assert_eq!(parse(text), Err(format!("syntax error: analyze: {message}")), "{text}");
        }
        assert!(parse("0").unwrap_err().starts_with("value out of range: analyze: argument 1 (interval): "));
        assert!(parse("-5").unwrap_err().starts_with("value out of range"));
        let deeper = "argument 4 (depth): expected 1: moves are named for the next ply alone, found \"5\"";
        assert_eq!(parse("avoid b c3 5"), Err(format!("value out of range: analyze: {deeper}")));
    }

    #[test]
    fn a_report_names_all_moves_unless_fewer_are_asked_for() {
        let request = |min_moves, max_moves| AnalysisRequest { min_moves, max_moves, ..AnalysisRequest::default() };
        assert_eq!(request(None, None).count(20), 20);
        assert_eq!(request(Some(5), None).count(20), 20);
        assert_eq!(request(None, Some(3)).count(20), 3);
        assert_eq!(request(Some(5), Some(3)).count(20), 5);
        assert_eq!(request(None, Some(30)).count(20), 20);
    }
}
