//! Claim 14: what the win costs Water in Monk and Water.

use privy::cli::CliError;
use privy::rules::Side;
use privy::tablebase::Value;

use super::figures::{ladder_grid, lines_figures, losses_figure};
use super::overview::{VariantFigures, said};
use super::study::{Kept, Study};
use super::verdict::{Answer, Verdict, share};

const ID: &str = "monk-and-water";

pub(super) fn claim_14(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(14);
    let figures = VariantFigures::of(study, ID)?;
    let values = study.values(ID)?;
    let ladder = study.ladder(ID, true)?;
    let opening = *values.variant().opening();
    let value = values.value(&opening);
    if let Some(value) = value {
        verdict.figure("opening, Water first", said(value, Side::Rebels));
    }
    if let Some(kept) = ladder.last() {
        verdict.figure("opening, Monk first", said(kept.openings[0], Side::General));
    }
    losses_figure(&mut verdict, &ladder);
    let needed = ladder.iter().find(|kept| kept.openings[1].class() > 0);
    let cost =
        needed.map_or("-".to_owned(), |kept| format!("{} ({})", kept.losses, said(kept.openings[1], Side::Rebels)));
    verdict.figure("the same, Water first", cost);
    let mut most = [0, 0];
    for (side, name) in ["Monk", "Water"].into_iter().enumerate() {
        let won = |kept: &Kept| if side == 0 { kept.layer.general.lost } else { kept.layer.rebel.won };
        let all = ladder.last().map_or(0, won);
        let mut before = 0;
        for kept in &ladder {
            let now = won(kept);
            verdict.figure(
                format!("won positions with 15 stones, {name} to move, in which Water has to give up {}", kept.losses),
                share(now - before, all),
            );
            if now > before {
                most[side] = kept.losses;
            }
            before = now;
        }
    }
    lines_figures(study, &mut verdict, &values, opening)?;
    verdict.measure = Some(
        "\"Have to\" is read as: under best play on both sides, Water caring for nothing but to lose few stones and still \
         win. With 15 stones, and the Monk winning at 5, eight is the most that any win can cost."
            .into(),
    );
    let least = needed.map_or(0, |kept| kept.losses);
    let [monk, water] = most;
    match value {
        Some(Value::Win(plies)) if least == 8 => verdict
            .reach(Answer::Confirmed, format!("Water wins, in {plies} plies, and has to give up eight stones for it.")),
        Some(Value::Win(plies)) => verdict.reach(
            Answer::PartlyConfirmed,
            format!(
                "Water wins, in {plies} plies. From the opening it never has to give up eight stones: it can hold its \
                 losses to {least} (and then takes longer). Elsewhere, with all 15 stones on the board, there are wins \
                 that cost {monk} stones when the Monk is to move, and up to {water} when Water is."
            ),
        ),
        _ => verdict.reach(Answer::Refuted, "Water does not win the opening."),
    }
    verdict.grids.extend([ladder_grid(&ladder), figures.grid()]);
    Ok(verdict)
}
