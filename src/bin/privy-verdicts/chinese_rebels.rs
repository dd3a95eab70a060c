//! Claims 3 to 7: who wins Chinese Rebels, with how few Rebels, what the apex is good for, what the Rebels can afford, and
//! who should begin.

use privy::board::{Point, PointSet};
use privy::cli::CliError;
use privy::rules::Side;
use privy::tablebase::{Decompressed, Value};

use super::apex::apex_effect;
use super::choices::choices;
use super::figures::{
    FIRST, ladder_grid, lines_figures, losses_figure, opening, opening_figures, result_cells, won_figures,
};
use super::games::{Player, play};
use super::lines::PerfectLines;
use super::overview::{VariantFigures, said};
use super::study::Study;
use super::verdict::{Answer, Grid, Verdict, grouped, row, share};

const ID: &str = "sixteen-rebels";

/// Per cent of the positions below which a win is very unlikely.
const VERY_UNLIKELY: f64 = 5.0;

/// Per cent of the positions whose result a rule may change and still have no particular effect.
const NO_EFFECT: f64 = 1.0;

/// Per cent of the openings less a pair that must still be won.
const AFFORDABLE: f64 = 90.0;

/// Games per encounter of fallible players.
const GAMES: u64 = 20_000;

/// Of a hundred moves, how many are drawn by lot.
const ERRORS: [u64; 4] = [2, 5, 10, 20];

pub(super) fn claim_3(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(3);
    let figures = VariantFigures::of(study, ID)?;
    let values = study.values(ID)?;
    let openings = opening_figures(&mut verdict, "opening", &study.table(ID)?)?;
    won_figures(&mut verdict, &figures);
    if let Some(fewest) = figures.fewest() {
        verdict.figure("fewest Rebels with which a win can be forced from somewhere", fewest.rebels);
    }
    lines_figures(study, &mut verdict, &values, *values.variant().opening())?;
    losses_figure(&mut verdict, &study.ladder(ID, true)?);
    let sum = study.census(ID)?.sum();
    verdict.figure("Rebel moves in won positions that give the win away", share(sum.throwing, sum.moves));
    match openings {
        [Value::Loss(long), Value::Win(short)] => verdict.reach(
            Answer::Confirmed,
            format!(
                "From the opening they win whoever begins: in {long} plies after the General's first move, in {short} when \
                 they begin themselves. It is no win from everywhere."
            ),
        ),
        _ => verdict.reach(Answer::Refuted, "The opening is not won for them whoever begins."),
    }
    verdict.grids.push(figures.grid());
    Ok(verdict)
}

pub(super) fn claim_4(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(4);
    let table = study.changed(ID, "rebels_at_most = 0", &|words| words.rebels_at_most = Some(0))?;
    opening_figures(&mut verdict, "opening without the limit", &table)?;
    let mut grid = Grid::new(
        "Without the attrition limit",
        &["Rebels", "General to move", "Rebels win", "drawn", "Rebels to move", "Rebels win", "drawn"],
    );
    for layer in table.layers().iter().rev().filter(|layer| layer.rebels > 0) {
        let (general, rebel) = (layer.general, layer.rebel);
        grid.rows.push(row![
            layer.rebels,
            general.all(),
            share(general.lost, general.all()).to_string(),
            share(general.drawn, general.all()),
            rebel.all(),
            share(rebel.won, rebel.all()).to_string(),
            share(rebel.drawn, rebel.all()),
        ]);
    }
    let won = |layer: &privy::tablebase::Layer| layer.general.lost + layer.rebel.won;
    let four = table.layers().iter().find(|layer| layer.rebels == 4);
    let four = four.map_or(share(0, 0), |layer| share(won(layer), layer.general.all() + layer.rebel.all()));
    verdict.figure("positions with four Rebels that they win", four.clone());
    if let Some(layer) = table.layers().iter().find(|layer| won(layer) > 0) {
        verdict.figure("fewest Rebels with which a win can be forced from somewhere", layer.rebels);
    }
    study.say("measuring wins of four Rebels")?;
    let values = study.decompress(&table)?;
    let field = values.variant().board().field();
    let wins = values.fold(
        || (0u64, 0u64, 0u32),
        |(on_field, in_privy, longest), state, weight| {
            if state.rebels().len() == 4
                && let Some(Value::Win(plies)) = values.of_rebels(state)
            {
                *if field.contains(state.general()) { on_field } else { in_privy } += weight;
                *longest = (*longest).max(plies);
            }
        },
    );
    let sum = wins.iter().fold((0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2.max(b.2)));
    verdict.figure("of those with the Rebels to move: the General on the field", sum.0);
    verdict.figure("of those with the Rebels to move: the General in the privy", sum.1);
    verdict.figure("longest win of four, Rebels to move", format!("{} plies", sum.2));
    verdict.measure = Some(format!(
        "\"Hardly ever\" is a share below {VERY_UNLIKELY} % of all legal positions with four Rebels: our choice."
    ));
    if four.number() == 0.0 {
        verdict.reach(Answer::Refuted, "No position with four Rebels is won for them.");
    } else if four.number() < VERY_UNLIKELY {
        verdict.reach(Answer::Confirmed, format!("They can, in {} of the positions.", four.short()));
    } else {
        verdict.reach(
            Answer::PartlyConfirmed,
            format!(
                "They can, and it is no rarity: {} of the positions with four Rebels are won for them.",
                four.short()
            ),
        );
    }
    verdict.grids.push(grid);
    Ok(verdict)
}

pub(super) fn claim_5(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(5);
    let effect = apex_effect(study, &mut verdict)?;
    verdict.measure = Some(format!(
        "\"No particular effect\" is another winner in less than {NO_EFFECT} % of the positions; \"finishes sooner\" is a \
         mean of at least one move (two plies) where he wins in both games: our choice."
    ));
    let answer = match (effect.changed < NO_EFFECT, effect.sooner >= 2.0) {
        (true, true) => Answer::Confirmed,
        (false, false) => Answer::Refuted,
        _ => Answer::PartlyConfirmed,
    };
    let opening = if effect.opening_kept { "ends alike" } else { "changes hands" };
    verdict.reach(
        answer,
        format!(
            "The rule is what the General lives by: {:.1} % of all positions have another result with it, and of those that \
             he wins he would win {} without it. Where he does win in both games he finishes {:.2} plies sooner on the \
             average. The opening {opening}; the table says how much later it ends with the rule.",
            effect.changed,
            effect.kept_wins.short(),
            effect.sooner,
        ),
    );
    Ok(verdict)
}

pub(super) fn claim_6(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(6);
    let ladder = study.ladder(ID, true)?;
    verdict.grids.push(ladder_grid(&ladder));
    losses_figure(&mut verdict, &ladder);
    let values = study.values(ID)?;
    study.say("taking Rebels off the opening")?;
    let mut grid = Grid::new(
        "The opening with Rebels taken off",
        &["taken off", "ways", "won for the Rebels, General first", "won for the Rebels, Rebels first"],
    );
    let mut less_two = share(0, 1);
    for number in [2, 4, 6, 8, 10] {
        let (ways, [general_first, rebels_first]) = handicaps(&values, number);
        if number == 2 {
            less_two = share(general_first, ways);
        }
        grid.rows.push(row![number, ways, share(general_first, ways), share(rebels_first, ways)]);
    }
    verdict.grids.push(grid);
    verdict.figure("openings less two Rebels that they still win, General first", less_two.clone());
    verdict.measure = Some(format!(
        "They \"can afford a couple\" when at least {AFFORDABLE} % of the openings less two Rebels are still won with the \
         General first: our choice."
    ));
    let fewest = ladder.iter().find(|kept| kept.general_first_won()).map_or_else(String::new, |kept| {
        format!(" In the full opening perfect Rebels can hold their losses to {}, and to no less.", kept.losses)
    });
    let (answer, can) = match less_two.number() {
        won if won >= AFFORDABLE => (Answer::Confirmed, "They can"),
        won if won >= 50.0 => (Answer::PartlyConfirmed, "Mostly they can, but not any two"),
        _ => (Answer::Refuted, "They mostly can't"),
    };
    let won = less_two.short();
    verdict.reach(answer, format!("{can}: less two Rebels the opening is still won in {won} of the ways.{fewest}"));
    Ok(verdict)
}

/// How many ways there are to take so many Rebels off the opening, and how many of them leave the Rebels a win with the
/// General first, and with the Rebels first.
fn handicaps(values: &Decompressed, number: u32) -> (u64, [u64; 2]) {
    let start = *values.variant().opening();
    let points: Vec<Point> = start.rebels().into_iter().collect();
    let (mut ways, mut won) = (0, [0, 0]);
    for choice in (0u32..1 << points.len()).filter(|choice| choice.count_ones() == number) {
        let gone: PointSet = points.iter().enumerate().filter(|(n, _)| choice >> n & 1 != 0).map(|(_, p)| *p).collect();
        ways += 1;
        for (won, (side, _)) in won.iter_mut().zip(FIRST) {
            let value = values.value(&start.with_pieces(start.rebels().minus(gone), start.general()).with_side(side));
            let rebels_win = match side {
                Side::General => matches!(value, Some(Value::Loss(_))),
                Side::Rebels => matches!(value, Some(Value::Win(_))),
            };
            *won += u64::from(rebels_win);
        }
    }
    (ways, won)
}

pub(super) fn claim_7(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(7);
    let values = study.values(ID)?;
    for (side, name) in FIRST {
        let start = opening(values.variant(), side);
        if let Some(value) = values.value(&start) {
            verdict.figure(format!("{name}: opening"), said(value, side));
            let moves = choices(&values, &start);
            let share_of = |kept: usize| share(kept as u64, moves.len() as u64);
            let keeping = moves.iter().filter(|choice| choice.value.class() == value.class()).count();
            let best = moves.iter().filter(|choice| choice.value == value).count();
            verdict.figure(format!("{name}: first moves that keep the result"), share_of(keeping));
            verdict.figure(format!("{name}: first moves that are perfect"), share_of(best));
        }
        study.say("following perfect lines")?;
        let PerfectLines { positions, rebels, complete, .. } = PerfectLines::from(&values, start);
        if complete {
            verdict.figure(format!("{name}: positions on perfect lines"), positions);
            let keeping = share(rebels.keeping, rebels.moves);
            verdict.figure(format!("{name}: Rebel moves there that keep the win"), keeping);
        }
    }
    let mut grid = Grid::new(
        &format!("{} games between equally fallible players", grouped(GAMES)),
        &["moves by lot", "first", "Rebels win", "drawn", "General wins", "Rebels' points, a draw half"],
    );
    // By how much the points come closer to one half when the General moves first.
    let mut balanced = Vec::new();
    for errors in ERRORS {
        study.say(&format!("playing games with {errors} % of the moves by lot"))?;
        let [general, rebels] = [(Side::General, "General"), (Side::Rebels, "Rebels")].map(|(side, first)| {
            let player = Player::Fallible(errors);
            let results = play(&values, opening(values.variant(), side), player, player, GAMES);
            let points = share(2 * results.rebels + results.drawn, 2 * results.games());
            let off = (points.number() - 50.0).abs();
            grid.rows.push([row![format!("{errors} %"), first], result_cells(&results), vec![points]].concat());
            off
        });
        balanced.push(rebels - general);
    }
    verdict.grids.push(grid);
    // Twice the standard error of a difference of two shares near one half.
    let noise = 2.0 * 100.0 * (0.5 / GAMES as f64).sqrt();
    verdict.measure = Some(format!(
        "More balanced is the order in which the Rebels' points come closer to one half; a difference below {noise:.1} \
         points in a hundred is noise (two standard errors). Confirmed if it holds at all error rates: our choice."
    ));
    let clearer = balanced.iter().filter(|difference| **difference > noise).count();
    let against = balanced.iter().filter(|difference| **difference < -noise).count();
    let spread: Vec<String> = balanced.iter().map(|difference| format!("{difference:+.1}")).collect();
    let (spread, rates) = (spread.join(", "), balanced.len());
    let (answer, fallible) = match (clearer, against) {
        (0, 0) => {
            (Answer::Refuted, format!("who begins makes no measurable difference (closer to one half by {spread}"))
        }
        (clearer, 0) if clearer == rates => {
            (Answer::Confirmed, format!("the General's moving first evens the game (closer to one half by {spread}"))
        }
        (0, against) => (Answer::Refuted, format!("the opposite holds at {against} of {rates} error rates ({spread}")),
        _ => (Answer::PartlyConfirmed, format!("it does at {clearer} of {rates} error rates ({spread}")),
    };
    verdict.reach(
        answer,
        format!(
            "Under best play the Rebels win whoever begins. Between equally fallible players {fallible} points in a hundred)."
        ),
    );
    Ok(verdict)
}
