//! What can be wrong with a variant whose keys are right: contradictions, points that do not exist, an opening that is over.

use crate::board::{Board, Point, PointSet, PointTable, Triple};
use crate::message::{counted, sanitized};
use crate::toml_file::{Place, Problem};

use super::compiled::Pairs;
use super::rows::{RowsError, read_rows};
use super::rule_set::{ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, RuleSet, StaticRule};
use super::{CompiledRules, Outcome, Position};

const LONGEST_NAME: usize = 60;

pub(super) const NO_REBELS: &str = "there are no Rebels; expected r for each of them";

/// Rule words that contradict each other, or that have no meaning on the board.
pub(super) fn problems_of_words(words: &RuleSet, board: &Board, rules: &CompiledRules) -> Vec<Problem> {
    let mut problems = unknown_points_of_goal(words.goal.iter().map(|name| Some(name.as_str())), board);
    let is_lost = |name: &&String| rules.losing_apex.meets(board.named(&[name]));
    for (number, name) in words.goal.iter().enumerate().filter(|(_, name)| is_lost(name)) {
        let text = format!("found \"{name}\", where apex = \"rebels\" has the General lose; expected other points");
        problems.push(Problem::new(Place::item("goal", number), text));
    }
    let mut forbid = |condition: bool, key: &str, text: &str| {
        if condition {
            problems.push(Problem::key(key, text));
        }
    };
    let has_jump = words.jump != JumpRule::None;
    let has_leap = words.leap != LeapRule::None;
    let takes_pairs = words.takes_pairs();
    let text = format!("found {}; expected a whole number from 0 to 9", words.free_jumps);
    forbid(words.free_jumps > 9, "free_jumps", &text);
    let text = "there is no jump that it could narrow; expected jump beside it";
    forbid(!has_jump && words.jump_lines != JumpLines::Any, "jump_lines", text);
    let text = "the field has no point on row 1; expected a board with one, or no such rule";
    forbid(words.bottom != BottomRule::None && board.bottom().is_empty(), "bottom", text);
    let text = "the board has no apex; expected a board with one, or no such rule";
    forbid(board.apex().is_empty() && words.apex != ApexRule::None, "apex", text);
    let text = "the board has no privy; expected a board with one, or no such rule";
    forbid(board.privy().is_empty() && words.close_privy, "close_privy", text);
    forbid(board.privy().is_empty() && words.enter_privy, "enter_privy", text);
    let text = "there is no capture of pairs that it could narrow; expected intervention, deferred or static beside it";
    forbid(words.orthogonal && !takes_pairs, "orthogonal", text);
    let text = "there is no capture; expected intervention, deferred, static or jump beside it";
    forbid(words.compulsory && !takes_pairs && !has_jump, "compulsory", text);
    // A leap and a step have the same text; they must not have the same ends.
    let leap_is_step = |t: &Triple| board.neighbours(t.first).contains(t.last);
    let text = "on this board a leap can't be told from a step; expected no line that passes over a point";
    forbid(has_leap && board.triples().iter().any(leap_is_step), "leap", text);
    // The same holds for two jumps.
    let is_double = |t: &Triple| board.triples().iter().any(|u| u.ends() == t.ends() && u.middle != t.middle);
    let text = "on this board two jumps lead from one point to another; expected no line that passes over a point";
    forbid(has_jump && board.triples().iter().any(is_double), "jump", text);
    let have_none = |pairs: &PointTable<Pairs>| pairs.iter().all(Pairs::is_empty);
    let narrowed_by = |key: &str| match key {
        "jump" => (words.jump_lines != JumpLines::Any).then_some("jump_lines"),
        "intervention" | "deferred" | "static" => words.orthogonal.then_some("orthogonal"),
        _ => None,
    };
    for (is_rule, is_impossible, key) in [
        (words.intervention, have_none(&rules.interventions), "intervention"),
        (words.deferred, rules.departures.iter().all(Vec::is_empty), "deferred"),
        (words.static_rule != StaticRule::None, have_none(&rules.statics), "static"),
        (has_jump, rules.jumps.iter().all(Vec::is_empty), "jump"),
        (has_leap, rules.leaps.iter().all(Vec::is_empty), "leap"),
        (words.custodial, have_none(&rules.custody), "custodial"),
    ] {
        let without = narrowed_by(key).map_or_else(|| key.to_owned(), |narrow| format!("{narrow}, or no {key}"));
        let text = format!("no points of the board are in line as {key} needs; expected such a board, or no {without}");
        forbid(is_rule && is_impossible, key, &text);
    }
    problems
}

/// The texts of a goal that are no names of points; none stands for a value that is no text.
pub(super) fn unknown_points_of_goal<'a>(goal: impl Iterator<Item = Option<&'a str>>, board: &Board) -> Vec<Problem> {
    let named = goal.enumerate().filter_map(|(number, name)| Some((number, name?)));
    let problem = |(number, name): (usize, &str)| {
        let text = format!("found \"{}\"; expected points of the board", sanitized(name, LONGEST_NAME));
        Problem::new(Place::item("goal", number), text)
    };
    named.filter(|(_, name)| board.named(&[name]).is_empty()).map(problem).collect()
}

/// The pieces of an opening, where Rebels stand on the ground alone.
pub(super) fn opening_pieces(text: &str, board: &Board, ground: PointSet) -> Result<(PointSet, Point), Problem> {
    read_rows(text, board, ground).map_err(|error| {
        let text = match error {
            RowsError::Number(..) => {
                let lengths: Vec<String> = board.rows_from_top().iter().map(|row| row.len().to_string()).collect();
                format!("{error}; from the top they have {} points", lengths.join(", "))
            }
            RowsError::Generals(_) => format!("{error}; expected one G"),
            RowsError::RebelInPrivy(_) => format!("{error}; expected none there, or enter_privy = true"),
            RowsError::Row(_) => error.to_string(),
        };
        Problem::key("opening", text)
    })
}

/// The problem of an opening that is over by a goal. `limit` is that of attrition.
pub(super) fn problem_of_opening(outcome: Outcome, opening: &Position, board: &Board, limit: Option<u8>) -> Problem {
    let rebels = opening.rebels().len();
    match (outcome, limit, rebels.checked_sub(1)) {
        (Outcome::Attrition, _, None) => Problem::key("opening", NO_REBELS),
        (Outcome::Attrition, Some(limit), Some(most)) => {
            let over = "so that the General has won before the first move";
            let found = format!("found {limit}, but the opening has {}, {over}", counted(rebels, "Rebel"));
            Problem::key("rebels_at_most", format!("{found}; expected at most {most}"))
        }
        _ => {
            let general = board.name(opening.general());
            let found = format!("with the General on {general} the game is over before the first move: {outcome}");
            Problem::key("opening", format!("{found}; expected G on another point"))
        }
    }
}
