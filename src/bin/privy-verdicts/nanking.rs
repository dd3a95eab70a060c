//! Claims 8 to 11 and 16: the games on the double board of 49 points, which is not solved.

use privy::cli::CliError;

use super::study::built_in;
use super::verdict::{Answer, Verdict};

pub(super) fn claim_8() -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(8);
    let start = built_in("twenty-six-murray")?.start();
    verdict.figure("legal moves of the General in the opening", start.legal_moves().len() as u64);
    match start.outcome() {
        Some(outcome) => {
            verdict.figure("status", outcome.to_string());
            verdict.reach(Answer::Confirmed, "Every point beside him is taken: the game is over before it begins.");
        }
        None => verdict.reach(Answer::Refuted, "He can move."),
    }
    Ok(verdict)
}

/// Claims 9, 10, 11 and 16, which a table can't answer.
pub(super) fn unsolved(claim: u8) -> Verdict {
    let mut verdict = Verdict::on(claim);
    verdict.reach(Answer::NotSolved, "The board has 49 points.");
    verdict
}
