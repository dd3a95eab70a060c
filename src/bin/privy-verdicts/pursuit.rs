//! Claims 13 and 15: the privy and its apex in Shap luk kon tseung kwan.

use super::census::Census;
use super::chinese_rebels::apex_effect;
use super::murray::losses_figure;
use super::overview::Entering;
use super::study::Study;
use super::verdict::{Answer, Grid, Quantity, Verdict, grouped};
use privy::cli::CliError;

const ID: &str = "shap-luk-kon";

/// Per cent of the entries after which the General must be lost.
const ALMOST_SURE: f64 = 90.0;

/// Per cent of the positions whose result the apex may change and still matter little.
const LITTLE: f64 = 1.0;

pub(super) fn claim_13(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        13,
        ID,
        "A General who enters the privy is almost sure to be caught there; only apex-and-return gives him a reason to go.",
        "In every position in which he is to move and can step from the field into the privy, the best he gets by entering \
         is held against the best of his other moves; and the same in the game with apex = none.",
    );
    let census = study.census(ID)?;
    let table = study.without_apex(ID)?;
    let without = study.unpack(&table)?;
    study.say("counting the game without its apex rule")?;
    let other = Census::of(&without);
    drop(without);
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
            grid.rows.push(row(rule, &layer.rebels.to_string(), &layer.entering));
        }
        grid.rows.push(row(rule, "all", &census.sum().entering));
    }
    let with = Entering::of(&census.sum().entering);
    let without = Entering::of(&other.sum().entering);
    let not_lost = |e: &Entering| e.all - e.lost_both;
    verdict.figure("positions in which he can enter", Quantity::Count(with.all));
    verdict.figure("lost after entering", Quantity::share(with.lost, with.all));
    verdict.figure("lost after the best other move", Quantity::share(with.lost_outside, with.all));
    verdict
        .figure("of those that are not lost before: lost after entering", Quantity::share(with.ruins, not_lost(&with)));
    verdict.figure(
        "of those that are not lost before: saved by entering alone",
        Quantity::share(with.only, not_lost(&with)),
    );
    verdict.figure("entering alone wins", Quantity::share(with.only_winning, with.all));
    verdict.figure("without the apex rule: lost after entering", Quantity::share(without.lost, without.all));
    verdict.figure(
        "without the apex rule: of those that are not lost before, lost after entering",
        Quantity::share(without.ruins, not_lost(&without)),
    );
    verdict.figure("without the apex rule: entering alone does not lose", Quantity::share(without.only, without.all));
    verdict.figure("without the apex rule: entering alone wins", Quantity::share(without.only_winning, without.all));
    let ladder = study.ladder(ID, false)?;
    losses_figure(&mut verdict, &ladder);
    verdict.measure = Some(format!(
        "\"Almost sure\" is that at least {ALMOST_SURE} % of the positions in which he can enter are lost after it, all legal \
         positions counting alike; entering is to blame if at least half of those that are not lost before become lost by \
         it; the rule gives a reason if with it entering saves or wins in more positions than without: our choice."
    ));
    let caught = Quantity::share(with.lost, with.all);
    let outside = Quantity::share(with.lost_outside, with.all);
    let ruins = Quantity::share(with.ruins, not_lost(&with));
    let saves = Quantity::share(with.only, not_lost(&with));
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

fn row(rule: &str, rebels: &str, counts: &[[u64; 3]; 4]) -> Vec<Quantity> {
    let entering = Entering::of(counts);
    vec![
        Quantity::text(rule),
        Quantity::text(rebels),
        Quantity::Count(entering.all),
        Quantity::share(entering.lost, entering.all),
        Quantity::share(entering.lost_outside, entering.all),
        Quantity::share(entering.only, entering.all),
        Quantity::share(entering.ruins, entering.all),
        Quantity::share(entering.only_winning, entering.all),
    ]
}

pub(super) fn claim_15(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        15,
        ID,
        "The apex matters so little that the extension might as well be a single step.",
        "The game is solved again with apex = none, and every position that both games have (the apex not visited yet) is \
         looked up in both.",
    );
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
