//! Claims 13 and 15: the privy and its apex in Shap luk kon tseung kwan.

use privy::cli::CliError;

use super::apex::apex_effect;
use super::census::Census;
use super::figures::losses_figure;
use super::overview::Entering;
use super::study::Study;
use super::verdict::{Answer, Grid, Quantity, Verdict, grouped, row, share};

const ID: &str = "shap-luk-kon";

/// Per cent of the entries after which the General must be lost.
const ALMOST_SURE: f64 = 90.0;

/// Per cent of the positions whose result the apex may change and still matter little.
const LITTLE: f64 = 1.0;

pub(super) fn claim_13(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(13);
    let census = study.census(ID)?;
    let table = study.without_apex(ID)?;
    let values = study.decompress(&table)?;
    study.say("counting the game without its apex rule")?;
    let other = Census::of(&values);
    drop(values);
    let mut grid = Grid::new(
        "Positions in which the General can enter",
        &[
            "rule",
            "Rebels",
            "positions",
            "lost after entering",
            "lost without entering",
            "entering alone does not lose",
            "entering loses, another move does not",
            "entering alone wins",
        ],
    );
    for (rule, census) in [("apex and return", &*census), ("apex = none", &other)] {
        for layer in census.layers.iter().rev() {
            grid.rows.push(cells(rule, &layer.rebels.to_string(), &layer.entering));
        }
        grid.rows.push(cells(rule, "all", &census.sum().entering));
    }
    let with = Entering::of(&census.sum().entering);
    let without = Entering::of(&other.sum().entering);
    let not_lost = |e: &Entering| e.all - e.lost_both;
    let caught = share(with.lost, with.all);
    let outside = share(with.lost_outside, with.all);
    let ruins = share(with.ruins, not_lost(&with));
    let saves = share(with.only, not_lost(&with));
    for (name, value) in [
        ("positions in which he can enter", with.all.into()),
        ("lost after entering", caught.clone()),
        ("lost after the best other move", outside.clone()),
        ("of those that are not lost before: lost after entering", ruins.clone()),
        ("of those that are not lost before: saved by entering alone", saves.clone()),
        ("entering alone wins", share(with.only_winning, with.all)),
        ("without the apex rule: lost after entering", share(without.lost, without.all)),
        (
            "without the apex rule: of those that are not lost before, lost after entering",
            share(without.ruins, not_lost(&without)),
        ),
        ("without the apex rule: entering alone does not lose", share(without.only, without.all)),
        ("without the apex rule: entering alone wins", share(without.only_winning, without.all)),
    ] {
        verdict.figure(name, value);
    }
    losses_figure(&mut verdict, &study.ladder(ID, false)?);
    verdict.measure = Some(format!(
        "\"Almost sure\" is that at least {ALMOST_SURE} % of the positions in which he can enter are lost after it, all legal \
         positions counting alike; entering is to blame if at least half of those that are not lost before become lost by \
         it; the rule gives a reason if with it entering saves or wins in more positions than without: our choice."
    ));
    let sure = caught.number() >= ALMOST_SURE;
    let to_blame = ruins.number() >= 50.0;
    let reason = with.only + with.only_winning > without.only + without.only_winning;
    verdict.reach(
        match (sure, to_blame, reason) {
            (true, true, true) => Answer::Confirmed,
            (false, false, false) => Answer::Refuted,
            _ => Answer::PartlyConfirmed,
        },
        format!(
            "He is lost after {} of the entries, but he is after {} of the best other moves too: it is the game that is \
             lost, not the privy that loses it. Where he need not lose, entering loses in {} of the positions and is the only \
             move that saves him in {}. The rule does give him a reason to go: without it entering is his only saving move \
             in {} positions of the whole game, with it in {}.",
            caught.short(),
            outside.short(),
            ruins.short(),
            saves.short(),
            grouped(without.only),
            grouped(with.only)
        ),
    );
    verdict.grids.push(grid);
    Ok(verdict)
}

fn cells(rule: &str, rebels: &str, counts: &[[u64; 3]; 4]) -> Vec<Quantity> {
    let Entering { all, lost, lost_outside, only, ruins, only_winning, .. } = Entering::of(counts);
    [row![rule, rebels, all], [lost, lost_outside, only, ruins, only_winning].map(|part| share(part, all)).to_vec()]
        .concat()
}

pub(super) fn claim_15(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(15);
    let effect = apex_effect(study, &mut verdict)?;
    verdict.measure = Some(format!(
        "\"So little\" is another result in less than {LITTLE} % of the positions, and the same result of the opening: our \
         choice. That the extension itself were shorter is another board, which was not solved."
    ));
    let (answer, how) = match (effect.opening_kept, effect.changed < LITTLE) {
        (true, true) => (Answer::Confirmed, "The apex decides next to nothing"),
        (true, false) => (Answer::PartlyConfirmed, "The opening ends alike, but elsewhere the apex does matter"),
        _ => (Answer::Refuted, "The opening itself changes hands"),
    };
    verdict.reach(answer, format!("{how}: {:.2} % of the positions have another result without it.", effect.changed));
    Ok(verdict)
}
