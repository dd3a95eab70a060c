//! Claims 8 to 11 and 16: the games on the double board of 49 points, which is not solved.

use super::study::built_in;
use super::verdict::{Answer, Quantity, Verdict};
use privy::cli::CliError;

pub(super) fn claim_8() -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        8,
        "twenty-six-murray",
        "The General has lost in the opening already, since he can't move.",
        "The rules are applied to the opening; no table is needed.",
    );
    let start = built_in("twenty-six-murray")?.start();
    verdict.figure("legal moves of the General in the opening", Quantity::Count(start.legal_moves().len() as u64));
    match start.outcome() {
        Some(outcome) => {
            verdict.figure("status", Quantity::text(outcome));
            verdict.reach(
                Answer::Confirmed,
                "Every point beside him is taken: the game is over before it begins.".to_owned(),
            );
        }
        None => verdict.reach(Answer::Refuted, "He can move.".to_owned()),
    }
    Ok(verdict)
}

/// The claims that a table can't answer.
pub(super) fn unsolved(claim: u8) -> Option<Verdict> {
    let (variant, says) = match claim {
        9 => ("subjugatio", "The Rebels win, but with heavy losses."),
        10 => ("subjugatio-free", "It is simpler for the Rebels than subjugatio."),
        11 => ("subjugatio-intervention", "The Rebels can also win by leaving the General without a move in a corner."),
        16 => ("subjugatio", "It is well balanced."),
        _ => return None,
    };
    let mut verdict =
        Verdict::on(claim, variant, says, "None: this program solves games in which the Rebels have up to 25 points.");
    verdict.reach(Answer::NotSolved, "The board has 49 points.".to_owned());
    Some(verdict)
}
