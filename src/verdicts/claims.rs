//! The claims (RULES §8): each a computation over tables. What they say, and how their findings are worded, stands
//! in `claims.toml`.

use privy_program::CliError;
use privy_rules::Side;
use privy_rules::board::{Point, PointSet};
use privy_tables::{Table, TableValue};

use super::census::{Census, GameComparison, summary};
use super::figures::{
    FIRST, LayerFigures, PrivyEntries, VariantFigures, answer, graded, ladder_grid, lines_figures, losses_figure,
    opening_figures, plies, result_cells, throwing_figure, value_text, won_figures,
};
use super::nanking;
use super::play::{PerfectLines, TablePlayer, choices, play};
use super::study::{LossLimit, Study, built_in, openings};
use super::verdict::{ClaimAnswer, ClaimVerdict, FigureGrid, FigureValue, grouped, row, share};

/// Adds the figures of a claim to its verdict, and reaches it.
type Computation = fn(&mut Study<'_>, &mut ClaimVerdict) -> Result<(), CliError>;

/// By the number of the claim, from 1.
pub(super) const COMPUTATIONS: [Computation; 16] = [
    always_lost,
    lost_in_six_moves,
    always_won,
    four_rebels,
    apex_has_no_effect,
    a_couple_of_men,
    who_begins,
    lost_in_the_opening,
    nanking::heavy_losses,
    nanking::simpler,
    nanking::corner,
    won_by_themselves,
    caught_in_the_privy,
    eight_stones,
    apex_matters_little,
    nanking::balanced,
];

/// Claim 1: by Murray's rules the General is lost in a few moves.
fn always_lost(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    /// The most moves of the General that count as a few.
    const A_FEW: u32 = 5;
    let (value, figures) = short_loss(study, verdict)?;
    let all_lost = figures.layers.iter().rev().take_while(|layer| layer.rebels_win() == layer.all());
    let least = all_lost.last().map_or(0, |layer| layer.rebels);
    verdict.figure("number of Rebels from which on every position is lost for the General", least);
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    let moves = plies(value) / 2;
    verdict
        .reach(graded(value.class() < 0, moves <= A_FEW), &[("a_few", &A_FEW), ("moves", &moves), ("least", &least)]);
    verdict.grids.push(figures.grid());
    Ok(())
}

/// Claim 2: by Neeley's rules it is lost within six moves or so.
fn lost_in_six_moves(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let (value, figures) = short_loss(study, verdict)?;
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    let length = plies(value);
    let six = |count: u32| (5..=7).contains(&count);
    let answer = graded(value.class() < 0, six(length) || six(length / 2));
    verdict.reach(answer, &[("length", &length), ("moves", &(length / 2))]);
    verdict.grids.push(figures.grid());
    Ok(())
}

/// The figures of claims 1 and 2, and the value of the opening with the General first.
fn short_loss(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(TableValue, VariantFigures), CliError> {
    let id = verdict.variant.clone();
    let table = study.table(&id)?;
    let [general_first, _] = opening_figures(verdict, "opening", &table)?;
    verdict.figure("longest forced end, Rebels to move", format!("{} plies", table.max_plies()));
    lines_figures(study, verdict)?;
    losses_figure(verdict, &study.ladder(&id, false)?);
    Ok((general_first, VariantFigures::of(study, &id)?))
}

/// Claim 3: the Rebels always win Chinese Rebels.
fn always_won(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let id = verdict.variant.clone();
    let figures = VariantFigures::of(study, &id)?;
    let openings = opening_figures(verdict, "opening", &study.table(&id)?)?;
    won_figures(verdict, &figures);
    if let Some(fewest) = figures.fewest() {
        verdict.figure("fewest Rebels with which a win can be forced from somewhere", fewest.rebels);
    }
    lines_figures(study, verdict)?;
    losses_figure(verdict, &study.ladder(&id, true)?);
    throwing_figure(study, verdict)?;
    match openings {
        [TableValue::Loss(long), TableValue::Win(short)] => {
            verdict.reach(ClaimAnswer::Confirmed, &[("long", &long), ("short", &short)]);
        }
        _ => verdict.reach(ClaimAnswer::Refuted, &[]),
    }
    verdict.grids.push(figures.grid());
    Ok(())
}

/// Claim 4: four Rebels can still win.
fn four_rebels(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    /// Per cent of the positions below which a win is very unlikely.
    const VERY_UNLIKELY: f64 = 5.0;
    let table = study.changed(&verdict.variant, "rebels_at_most = 0", &|words| words.rebels_at_most = Some(0))?;
    opening_figures(verdict, "opening without the limit", &table)?;
    let mut grid = FigureGrid::new(
        "Without the attrition limit",
        "Rebels | General to move | Rebels win | drawn | Rebels to move | Rebels win | drawn",
    );
    let layers: Vec<LayerFigures> = table.layers().iter().map(LayerFigures::from).collect();
    for layer in layers.iter().rev().filter(|layer| layer.rebels > 0) {
        let mut cells = layer.cells();
        for won in [2, 5] {
            cells[won] = cells[won].to_string().into();
        }
        grid.rows.push(cells);
    }
    let of_four =
        |of: fn(&LayerFigures) -> FigureValue| layers.iter().find(|layer| layer.rebels == 4).map_or(share(0, 0), of);
    let four = of_four(LayerFigures::share);
    let general = of_four(|layer| share(layer.general_to_move_rebels_win, layer.general_to_move));
    let rebels = of_four(|layer| share(layer.rebels_to_move_rebels_win, layer.rebels_to_move));
    verdict.figure("positions with four Rebels that they win", four.clone());
    verdict.figure("of those with the General to move", general.clone());
    verdict.figure("of those with the Rebels to move", rebels.clone());
    if let Some(layer) = layers.iter().find(|layer| layer.rebels_win() > 0) {
        verdict.figure("fewest Rebels with which a win can be forced from somewhere", layer.rebels);
    }
    study.say("measuring wins of four Rebels")?;
    let field = table.variant().board().field;
    let wins = table.fold(
        study.stop,
        || (0u64, 0u64, 0u32),
        |(on_field, in_privy, longest), state, weight| {
            if state.rebels().len() == 4
                && let Ok(TableValue::Win(plies)) = table.probe_state(state)
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
    let answer = graded(four.number() != 0.0, four.number() < VERY_UNLIKELY);
    let above = format!(
        " With the General to move it is {}, with the Rebels to move {}: that alone stands above the threshold.",
        general.short(),
        rebels.short()
    );
    let above = if rebels.number() < VERY_UNLIKELY { "" } else { above.as_str() };
    verdict.reach(answer, &[("very_unlikely", &VERY_UNLIKELY), ("four", &four.short()), ("above", &above)]);
    verdict.grids.push(grid);
    Ok(())
}

/// Claim 5: the effect of the apex rule in Chinese Rebels.
fn apex_has_no_effect(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    /// Per cent of the positions whose result a rule may change and still have no particular effect.
    const NO_EFFECT: f64 = 1.0;
    let effect = apex_effect(study, verdict)?;
    verdict.reach(
        answer(&[effect.changed < NO_EFFECT, effect.sooner >= 2.0]),
        &[
            ("no_effect", &NO_EFFECT),
            ("changed", &format!("{:.1}", effect.changed)),
            ("kept_wins", &effect.kept_wins.short()),
            ("sooner", &format!("{:.2}", effect.sooner)),
            ("opening", &if effect.opening_kept { "ends alike" } else { "changes hands" }),
        ],
    );
    Ok(())
}

/// Claim 15: its effect in Shap luk kon tseung kwan.
fn apex_matters_little(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    /// Per cent of the positions whose result the apex may change and still matter little.
    const LITTLE: f64 = 1.0;
    let effect = apex_effect(study, verdict)?;
    let shorter = [
        ("three points", include_str!("privy-one-step.toml"), "3/rrrrr/r3r/r1G1r/r3r/rrrrr"),
        ("one point", include_str!("privy-one-point.toml"), "1/rrrrr/r3r/r1G1r/r3r/rrrrr"),
    ];
    let [three, one] = shorter.map(|extension| shorter_extension(study, verdict, extension));
    let ((three, three_kept), (one, one_kept)) = (three?, one?);
    let is_kept = three_kept && one_kept;
    verdict.reach(
        answer(&[effect.opening_kept && effect.changed < LITTLE, is_kept && three < LITTLE && one < LITTLE]),
        &[
            ("little", &LITTLE),
            ("changed", &format!("{:.2}", effect.changed)),
            ("three", &format!("{three:.1}")),
            ("one", &format!("{one:.1}")),
            ("opening", &if is_kept { "" } else { ", the opening among them" }),
        ],
    );
    Ok(())
}

/// Compares the game of a verdict with that on a board whose extension is one step deep, by name, board and opening:
/// per cent of positions with another result, and true if the opening keeps its winner.
fn shorter_extension(
    study: &mut Study<'_>,
    verdict: &mut ClaimVerdict,
    (name, board, opening): (&str, &str, &str),
) -> Result<(f64, bool), CliError> {
    let id = verdict.variant.clone();
    let base = study.table(&id)?;
    let with = openings(&base)?;
    let other = study.on_board(&id, board, opening)?;
    let without = opening_figures(verdict, &format!("opening with the extension of {name}"), &other)?;
    study.say("comparing position by position")?;
    let comparisons = FIRST.map(|(side, _)| GameComparison::of(&base, &other, side, study.stop));
    let [all, changed] =
        [GameComparison::all, GameComparison::class_changes].map(|of| comparisons.iter().map(of).sum());
    verdict.figure(format!("positions compared with the extension of {name}, both sides to move"), all);
    verdict.figure(format!("another winner, or a draw instead, with the extension of {name}"), share(changed, all));
    verdict.grids.push(winners_grid(&format!("with the whole extension, and with that of {name}"), &comparisons));
    Ok((share(changed, all).number(), with.map(TableValue::class) == without.map(TableValue::class)))
}

/// The results of a first game, the General to move and then the Rebels, beside those of a second.
fn winners_grid(games: &str, comparisons: &[GameComparison; 2]) -> FigureGrid {
    let mut grid = FigureGrid::new(
        &format!("Winner {games}"),
        "to move | in the first | Rebels win in the second | drawn in the second | General wins in the second",
    );
    for (name, comparison) in ["General", "Rebels"].into_iter().zip(comparisons) {
        let rows = ["Rebels win", "drawn", "General wins"].into_iter().zip(comparison.classes);
        grid.rows.extend(rows.map(|(winner, [rebels, drawn, general])| row![name, winner, rebels, drawn, general]));
    }
    grid
}

/// The effect of an apex rule.
struct ApexEffect {
    /// Per cent of positions with another result.
    changed: f64,
    /// Plies by which the General wins sooner with the rule.
    sooner: f64,
    /// Of the positions that the General wins with the rule: those that it wins without it.
    kept_wins: FigureValue,
    /// The opening has the same winner.
    opening_kept: bool,
}

/// Compares the game of a verdict with the same game without its apex rule.
fn apex_effect(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<ApexEffect, CliError> {
    /// Games of fallible players.
    const GAMES: u64 = 10_000;
    let id = verdict.variant.clone();
    let base = study.table(&id)?;
    let with = openings(&base)?;
    let other = study.without_apex(&id)?;
    let without = openings(&other)?;
    for ((side, name), (with, without)) in FIRST.into_iter().zip(with.into_iter().zip(without)) {
        verdict.figure(format!("opening with the rule, {name}"), value_text(with, side));
        verdict.figure(format!("opening without it, {name}"), value_text(without, side));
    }
    study.say("comparing position by position")?;
    let (mut all, mut changed, mut distances) = (0, 0, 0);
    let (mut sum, mut both, mut wins) = (0, 0, 0);
    let comparisons = FIRST.map(|(side, _)| GameComparison::of(&base, &other, side, study.stop));
    let grid = winners_grid("with the rule, and without it", &comparisons);
    for (name, comparison) in ["General", "Rebels"].into_iter().zip(&comparisons) {
        all += comparison.all();
        changed += comparison.class_changes();
        distances += comparison.distance_changes();
        wins += comparison.classes[2].iter().sum::<u64>();
        let (plies, of, median) = summary(&comparison.general_wins);
        sum += plies;
        both += of;
        let mean = FigureValue::Mean { sum: plies, of }.short();
        let most = comparison.general_wins.keys().next_back().copied().unwrap_or(0);
        verdict.figure(
            format!("{name} to move, General wins in both: plies it saves by the rule"),
            format!("mean {mean}, median {median}, most {most}"),
        );
        let (plies, of, median) = summary(&comparison.rebels_win);
        let mean = FigureValue::Mean { sum: -plies, of }.short();
        verdict.figure(
            format!("{name} to move, Rebels win in both: plies they need more by the rule"),
            format!("mean {mean}, median {}", -median),
        );
    }
    let kept_wins = share(both, wins);
    verdict.figure("positions compared, both sides to move", all);
    verdict.figure("another winner, or a draw instead", share(changed, all));
    verdict.figure("same winner at another distance", share(distances, all));
    verdict.figure("of the positions that the General wins with the rule: won without it", kept_wins.clone());
    study.say("playing games with and without the rule")?;
    let mut games = FigureGrid::new(
        &format!("{} games between players whose every tenth move is random, General first", grouped(GAMES)),
        "rule | Rebels win | drawn | General wins",
    );
    for (rule, values) in [("with the rule", &base), ("without it", &other)] {
        let player = TablePlayer::Fallible(10);
        let results = play(values, study.stop, values.variant().opening().with_side(Side::General), [player; 2], GAMES);
        games.rows.push([row![rule], result_cells(&results)].concat());
    }
    verdict.grids.extend([games, grid]);
    Ok(ApexEffect {
        changed: share(changed, all).number(),
        sooner: FigureValue::Mean { sum, of: both }.number(),
        kept_wins,
        opening_kept: with.map(TableValue::class) == without.map(TableValue::class),
    })
}

/// Claim 6: the losses that the Rebels can afford.
fn a_couple_of_men(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    /// Per cent of the openings less a pair that must still be won.
    const AFFORDABLE: f64 = 90.0;
    let ladder = study.ladder(&verdict.variant, true)?;
    verdict.grids.push(ladder_grid(&ladder));
    losses_figure(verdict, &ladder);
    let values = study.table(&verdict.variant)?;
    study.say("taking Rebels off the opening")?;
    let mut grid = FigureGrid::new(
        "The opening with Rebels taken off",
        "taken off | ways | won for the Rebels, General first | won for the Rebels, Rebels first",
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
    let fewest = ladder.iter().find(|kept| kept.general_first_won()).map_or_else(String::new, |kept| {
        format!(" In the full opening perfect Rebels can hold their losses to {}, and to no less.", kept.losses)
    });
    let answer = graded(less_two.number() >= 50.0, less_two.number() >= AFFORDABLE);
    verdict.reach(answer, &[("affordable", &AFFORDABLE), ("won", &less_two.short()), ("fewest", &fewest)]);
    Ok(())
}

/// The number of ways to take a number of Rebels off the opening, and of those that the Rebels still win with the
/// General first, and with the Rebels first.
fn handicaps(values: &Table, number: u32) -> (u64, [u64; 2]) {
    let start = *values.variant().opening();
    let points: Vec<Point> = start.rebels().into_iter().collect();
    let (mut ways, mut won) = (0, [0, 0]);
    for choice in (0u32..1 << points.len()).filter(|choice| choice.count_ones() == number) {
        let gone: PointSet = points.iter().enumerate().filter(|(n, _)| choice >> n & 1 != 0).map(|(_, p)| *p).collect();
        ways += 1;
        for (won, (side, _)) in won.iter_mut().zip(FIRST) {
            let value = values
                .probe_state(&start.with_pieces(start.rebels().minus(gone), start.general()).with_side(side))
                .ok();
            let rebels_win = if side == Side::General { -1 } else { 1 };
            *won += u64::from(value.is_some_and(|value| value.class() == rebels_win));
        }
    }
    (ways, won)
}

/// Claim 7: which side should begin.
fn who_begins(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    /// Games per encounter of fallible players.
    const GAMES: u64 = 20_000;
    /// Per cent of the moves that are random.
    const ERRORS: [u64; 4] = [2, 5, 10, 20];
    let values = study.table(&verdict.variant)?;
    for (side, name) in FIRST {
        let start = values.variant().opening().with_side(side);
        if let Ok(value) = values.probe_state(&start) {
            verdict.figure(format!("{name}: opening"), value_text(value, side));
            let moves = choices(&values, &start);
            let share_of = |kept: usize| share(kept as u64, moves.len() as u64);
            let keeping = moves.iter().filter(|choice| choice.value.class() == value.class()).count();
            let best = moves.iter().filter(|choice| choice.value == value).count();
            verdict.figure(format!("{name}: first moves that keep the result"), share_of(keeping));
            verdict.figure(format!("{name}: first moves that are perfect"), share_of(best));
        }
        study.say("following perfect lines")?;
        if let Some(lines) = PerfectLines::from(&values, start, study.stop) {
            verdict.figure(format!("{name}: positions on perfect lines"), lines.positions);
            let keeping = share(lines.keeping, lines.moves);
            verdict.figure(format!("{name}: Rebel moves there that keep the win"), keeping);
        }
    }
    let mut grid = FigureGrid::new(
        &format!("{} games between equally fallible players", grouped(GAMES)),
        "random moves | first | Rebels win | drawn | General wins | Rebels' points, a draw half",
    );
    // How much closer to one half the points are when the General moves first.
    let mut balanced = Vec::new();
    for errors in ERRORS {
        study.say(&format!("playing games with {errors} % of the moves random"))?;
        let [general, rebels] = [(Side::General, "General"), (Side::Rebels, "Rebels")].map(|(side, first)| {
            let player = TablePlayer::Fallible(errors);
            let results = play(&values, study.stop, values.variant().opening().with_side(side), [player; 2], GAMES);
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
    let clearer = balanced.iter().filter(|difference| **difference > noise).count();
    let against = balanced.iter().filter(|difference| **difference < -noise).count();
    let spread: Vec<String> = balanced.iter().map(|difference| format!("{difference:+.1}")).collect();
    let (spread, rates) = (spread.join(", "), balanced.len());
    let (answer, fallible) = match (clearer, against) {
        (0, 0) => (
            ClaimAnswer::NotConfirmed,
            format!("who begins makes no measurable difference (closer to one half by {spread}"),
        ),
        (clearer, 0) if clearer == rates => (
            ClaimAnswer::Confirmed,
            format!("the General's moving first evens the game (closer to one half by {spread}"),
        ),
        (0, against) => {
            (ClaimAnswer::Refuted, format!("the opposite holds at {against} of {rates} error rates ({spread}"))
        }
        _ => (ClaimAnswer::PartlyConfirmed, format!("it does at {clearer} of {rates} error rates ({spread}")),
    };
    verdict.reach(answer, &[("noise", &format!("{noise:.1}")), ("fallible", &fallible)]);
    Ok(())
}

/// Claim 8, which follows from the rules alone.
fn lost_in_the_opening(_: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let start = built_in(&verdict.variant)?.start();
    verdict.figure("legal moves of the General in the opening", start.legal_moves().len() as u64);
    if let Some(outcome) = start.outcome() {
        verdict.figure("status", outcome.to_string());
    }
    verdict.reach(answer(&[start.outcome().is_some()]), &[]);
    Ok(())
}

/// Claim 12: the Rebels of Juroku Musashi win by themselves.
fn won_by_themselves(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    /// Games per encounter.
    const GAMES: u64 = 2_000;
    /// Per cent of the games that the better of the one-move-ahead players must win against a perfect General.
    const ALMOST_AUTOMATIC: f64 = 90.0;
    const COMPARED: [&str; 4] = ["juroku-musashi", "juroku-musashi-hasami", "sixteen-rebels", "monk-and-water"];
    const PLAYERS: [(&str, TablePlayer); 4] = [
        ("random", TablePlayer::RANDOM),
        ("every tenth random", TablePlayer::Fallible(10)),
        ("cautious", TablePlayer::Cautious),
        ("driving", TablePlayer::Driving),
    ];
    let own = verdict.variant.clone();
    let figures = VariantFigures::of(study, &own)?;
    let [general_first, _] = opening_figures(verdict, "opening", &study.table(&own)?)?;
    won_figures(verdict, &figures);
    let throwing = throwing_figure(study, verdict)?;
    lines_figures(study, verdict)?;
    let mut grid = FigureGrid::new(
        &format!("{} games of simple Rebels against a perfect General", grouped(GAMES)),
        "variant | Rebels | Rebels win | drawn | General wins",
    );
    let (mut simple, mut fallible) = (share(0, GAMES), share(0, GAMES));
    for id in COMPARED {
        let values = study.table(id)?;
        study.say(&format!("playing games of {id}"))?;
        for (name, player) in PLAYERS {
            let results = play(&values, study.stop, *values.variant().opening(), [player, TablePlayer::PERFECT], GAMES);
            let won = share(results.rebels, results.games());
            match player {
                TablePlayer::Fallible(10) if id == own => fallible = won,
                TablePlayer::Cautious | TablePlayer::Driving if id == own && won.number() >= simple.number() => {
                    simple = won
                }
                _ => {}
            }
            grid.rows.push([row![id, name], result_cells(&results)].concat());
        }
    }
    verdict.figure(
        "games that cautious or driving Rebels win against a perfect General, the better of both",
        simple.clone(),
    );
    verdict.figure("games that Rebels win whose every tenth move is random and the others perfect", fallible.clone());
    verdict.reach(
        graded(general_first.class() < 0, simple.number() >= ALMOST_AUTOMATIC),
        &[
            ("almost_automatic", &ALMOST_AUTOMATIC),
            ("plies", &plies(general_first)),
            ("throwing", &throwing.short()),
            ("simple", &simple.short()),
            ("fallible", &fallible.short()),
        ],
    );
    verdict.grids.extend([grid, figures.grid()]);
    Ok(())
}

/// Claim 13: a General that enters the privy of Shap luk kon tseung kwan is caught there.
fn caught_in_the_privy(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    /// Per cent of the entries after which the General must be lost.
    const ALMOST_SURE: f64 = 90.0;
    let id = verdict.variant.clone();
    let census = study.census(&id)?;
    let table = study.without_apex(&id)?;
    study.say("counting the game without its apex rule")?;
    let other = Census::of(&table, study.stop);
    drop(table);
    let mut grid = FigureGrid::new(
        "Positions in which the General can enter",
        "rule | Rebels | positions | lost after entering | lost without entering | entering alone does not lose | \
         entering loses, another move does not | entering alone wins",
    );
    for (rule, census) in [("apex and return", &*census), ("apex = none", &other)] {
        let layers = census.layers.iter().rev().map(|layer| (layer.rebels.to_string(), layer.entering));
        for (rebels, counts) in layers.chain([("all".to_owned(), census.sum().entering)]) {
            let PrivyEntries { all, lost, lost_outside, only, ruins, only_winning, .. } = PrivyEntries::of(&counts);
            let parts = [lost, lost_outside, only, ruins, only_winning].map(|part| share(part, all));
            grid.rows.push([row![rule, rebels, all], parts.to_vec()].concat());
        }
    }
    let with = PrivyEntries::of(&census.sum().entering);
    let without = PrivyEntries::of(&other.sum().entering);
    let not_lost = |e: &PrivyEntries| e.all - e.lost_both;
    let caught = share(with.lost, with.all);
    let outside = share(with.lost_outside, with.all);
    let ruins = share(with.ruins, not_lost(&with));
    let saves = share(with.only, not_lost(&with));
    for (name, value) in [
        ("positions in which it can enter", with.all.into()),
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
    losses_figure(verdict, &study.ladder(&id, false)?);
    let sure = caught.number() >= ALMOST_SURE;
    let to_blame = ruins.number() >= 50.0;
    let reason = with.only + with.only_winning > without.only + without.only_winning;
    verdict.reach(
        answer(&[sure, to_blame, reason]),
        &[
            ("almost_sure", &ALMOST_SURE),
            ("caught", &caught.short()),
            ("outside", &outside.short()),
            ("ruins", &ruins.short()),
            ("saves", &saves.short()),
            ("only_without", &grouped(without.only)),
            ("only_with", &grouped(with.only)),
        ],
    );
    verdict.grids.push(grid);
    Ok(())
}

/// Claim 14: the stones that a win costs Water in Monk and Water.
fn eight_stones(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let id = verdict.variant.clone();
    let figures = VariantFigures::of(study, &id)?;
    let values = study.table(&id)?;
    let ladder = study.ladder(&id, true)?;
    let value = values.probe_state(values.variant().opening()).ok();
    if let Some(value) = value {
        verdict.figure("opening, Water first", value_text(value, Side::Rebels));
    }
    if let Some(kept) = ladder.last() {
        verdict.figure("opening, Monk first", value_text(kept.openings[0], Side::General));
    }
    losses_figure(verdict, &ladder);
    let needed = ladder.iter().find(|kept| kept.openings[1].class() > 0);
    let cost = needed
        .map_or("-".to_owned(), |kept| format!("{} ({})", kept.losses, value_text(kept.openings[1], Side::Rebels)));
    verdict.figure("the same, Water first", cost);
    let mut most = [0, 0];
    for (side, name) in ["Monk", "Water"].into_iter().enumerate() {
        let won = |kept: &LossLimit| if side == 0 { kept.layer.general.lost } else { kept.layer.rebel.won };
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
    lines_figures(study, verdict)?;
    let least = needed.map_or(0, |kept| kept.losses);
    let answer = graded(value.is_some_and(|value| value.class() > 0), least == 8);
    let [monk, water] = most;
    verdict.reach(answer, &[("plies", &value.map_or(0, plies)), ("least", &least), ("monk", &monk), ("water", &water)]);
    verdict.grids.extend([ladder_grid(&ladder), figures.grid()]);
    Ok(())
}
