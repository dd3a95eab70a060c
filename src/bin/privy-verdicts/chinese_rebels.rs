//! Claims 3, 4 and 5: who wins Chinese Rebels, with how few Rebels, and what the apex is good for.

use privy::rules::{Position, Side};
use privy::tablebase::Value;

use super::comparison::{Comparison, summary};
use super::games::{Player, play};
use super::lines::PerfectLines;
use super::murray::{lines_figures, losses_figure};
use super::overview::{VariantFigures, said};
use super::study::{Study, openings};
use super::verdict::{Answer, Grid, Quantity, Verdict, grouped};
use privy::cli::CliError;

const ID: &str = "sixteen-rebels";

/// Games per encounter of fallible players.
const GAMES: u64 = 10_000;

/// Per cent of the positions below which a win is very unlikely.
const VERY_UNLIKELY: f64 = 5.0;

/// Per cent of the positions whose result a rule may change and still have no particular effect.
const NO_EFFECT: f64 = 1.0;

pub(super) fn claim_3(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        3,
        ID,
        "The Rebels can always win.",
        "The opening is looked up with either side first; all positions are counted by number of Rebels; all lines of \
         perfect play from the opening are followed.",
    );
    let figures = VariantFigures::of(study, ID)?;
    let values = study.values(ID)?;
    let table = study.table(ID)?;
    let [general_first, rebels_first] = openings(&table)?;
    verdict.figure("opening, General first", Quantity::text(said(general_first, Side::General)));
    verdict.figure("opening, Rebels first", Quantity::text(said(rebels_first, Side::Rebels)));
    verdict.figure("positions of all layers that the Rebels win", figures.share());
    if let Some(layer) = figures.layers.last() {
        verdict.figure(format!("the same with {} Rebels", layer.rebels), layer.share());
    }
    if let Some(fewest) = figures.fewest() {
        verdict.figure(
            "fewest Rebels with which a win can be forced from somewhere",
            Quantity::Count(fewest.rebels.into()),
        );
    }
    study.say("following perfect lines")?;
    let lines = PerfectLines::from(&values, *table.variant().opening());
    lines_figures(&mut verdict, &lines);
    let ladder = study.ladder(ID, true)?;
    losses_figure(&mut verdict, &ladder);
    let sum = study.census(ID)?.sum();
    verdict.figure("Rebel moves in won positions that give the win away", Quantity::share(sum.throwing, sum.moves));
    match (general_first, rebels_first) {
        (Value::Loss(long), Value::Win(short)) => verdict.reach(
            Answer::Confirmed,
            format!(
                "From the opening they win whoever begins: in {long} plies after the General's first move, in {short} when \
                 they begin themselves. It is no win from everywhere."
            ),
        ),
        _ => verdict.reach(Answer::Refuted, "The opening is not won for them whoever begins.".to_owned()),
    }
    verdict.grids.push(figures.grid());
    Ok(verdict)
}

pub(super) fn claim_4(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        4,
        ID,
        "Without the attrition limit four Rebels could still win in theory, but hardly ever would.",
        "The game is solved with rebels_at_most = 0. Rebels fall in pairs, so the layers are even.",
    );
    let table = study.changed(ID, "rebels_at_most = 0", &|words| words.rebels_at_most = Some(0))?;
    let [general_first, rebels_first] = openings(&table)?;
    verdict.figure("opening without the limit, General first", Quantity::text(said(general_first, Side::General)));
    verdict.figure("opening without the limit, Rebels first", Quantity::text(said(rebels_first, Side::Rebels)));
    let mut grid = Grid::new(
        "Without the attrition limit",
        &["Rebels", "General to move", "Rebels win", "drawn", "Rebels to move", "Rebels win", "drawn"],
    );
    let (mut four, mut four_all) = (0, 0);
    for layer in table.layers().iter().rev().filter(|layer| layer.rebels > 0) {
        if layer.rebels == 4 {
            (four, four_all) = (layer.general.lost + layer.rebel.won, layer.general.all() + layer.rebel.all());
        }
        grid.rows.push(vec![
            Quantity::Count(layer.rebels.into()),
            Quantity::Count(layer.general.all()),
            Quantity::text(Quantity::share(layer.general.lost, layer.general.all())),
            Quantity::share(layer.general.drawn, layer.general.all()),
            Quantity::Count(layer.rebel.all()),
            Quantity::text(Quantity::share(layer.rebel.won, layer.rebel.all())),
            Quantity::share(layer.rebel.drawn, layer.rebel.all()),
        ]);
    }
    let share = Quantity::share(four, four_all);
    verdict.figure("positions with four Rebels that they win", share.clone());
    let fewest = table.layers().iter().find(|layer| layer.general.lost + layer.rebel.won > 0);
    if let Some(layer) = fewest {
        verdict.figure(
            "fewest Rebels with which a win can be forced from somewhere",
            Quantity::Count(layer.rebels.into()),
        );
    }
    study.say("measuring wins of four Rebels")?;
    let values = study.unpack(&table)?;
    let rules = table.variant().rules();
    let longest = values.fold(
        || (0u64, 0u64, 0u32),
        |(field, privy, longest), state, weight| {
            if state.rebels().len() == 4
                && let Some(Value::Win(plies)) = values.of_rebels(state)
            {
                *if rules.field.contains(state.general()) { field } else { privy } += weight;
                *longest = (*longest).max(plies);
            }
        },
    );
    let sum = longest.iter().fold((0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2.max(b.2)));
    verdict.figure("of those with the Rebels to move: the General on the field", Quantity::Count(sum.0));
    verdict.figure("of those with the Rebels to move: the General in the privy", Quantity::Count(sum.1));
    verdict.figure("longest win of four, Rebels to move", Quantity::text(format!("{} plies", sum.2)));
    verdict.measure = Some(format!(
        "\"Hardly ever\" is a share below {VERY_UNLIKELY} % of all legal positions with four Rebels: our choice."
    ));
    if four == 0 {
        verdict.reach(Answer::Refuted, "No position with four Rebels is won for them.".to_owned());
    } else if share.number() < VERY_UNLIKELY {
        verdict.reach(Answer::Confirmed, format!("They can, in {} of the positions.", share.short()));
    } else {
        verdict.reach(
            Answer::PartlyConfirmed,
            format!(
                "They can, and it is no rarity: {} of the positions with four Rebels are won for them.",
                share.short()
            ),
        );
    }
    verdict.grids.push(grid);
    Ok(verdict)
}

pub(super) fn claim_5(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        5,
        ID,
        "The apex rule has no particular effect, except that a General who is ahead finishes sooner.",
        "The game is solved again with apex = none, and every position that both games have is looked up in both.",
    );
    let effect = apex_effect(study, &mut verdict)?;
    verdict.measure = Some(format!(
        "\"No particular effect\" is another winner in less than {NO_EFFECT} % of the positions; \"finishes sooner\" is a \
         mean of at least one move (two plies) where he wins in both games: our choice."
    ));
    let little = effect.changed < NO_EFFECT;
    let answer = match (little, effect.sooner >= 2.0) {
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

/// What the apex rule does.
pub(super) struct Effect {
    /// Per cent of positions with another result.
    pub(super) changed: f64,
    /// Plies by which the General wins sooner with the rule.
    pub(super) sooner: f64,
    /// Of the positions that the General wins with the rule: those that he wins without it.
    pub(super) kept_wins: Quantity,
    /// The opening has the same winner.
    pub(super) opening_kept: bool,
}

/// Compares a game with itself less its apex rule.
pub(super) fn apex_effect(study: &mut Study<'_>, verdict: &mut Verdict) -> Result<Effect, CliError> {
    let id = verdict.variant.clone();
    let base = study.values(&id)?;
    let with = openings(&study.table(&id)?)?;
    let table = study.without_apex(&id)?;
    let without = openings(&table)?;
    for (side, (with, without)) in [Side::General, Side::Rebels].into_iter().zip(with.into_iter().zip(without)) {
        let name = if side == Side::General { "General first" } else { "Rebels first" };
        verdict.figure(format!("opening with the rule, {name}"), Quantity::text(said(with, side)));
        verdict.figure(format!("opening without it, {name}"), Quantity::text(said(without, side)));
    }
    let other = study.unpack(&table)?;
    study.say("comparing position by position")?;
    let sides = [Side::General, Side::Rebels].map(|side| (side, Comparison::of(&base, &other, side)));
    let mut grid = Grid::new(
        "Winner with the rule, and without it",
        &["to move", "with the rule", "Rebels win without", "drawn without", "General wins without"],
    );
    let (mut all, mut changed, mut distances) = (0, 0, 0);
    let (mut sum, mut both, mut wins) = (0, 0, 0);
    for (side, comparison) in &sides {
        let name = if *side == Side::General { "General" } else { "Rebels" };
        for (winner, row) in ["Rebels win", "drawn", "General wins"].iter().zip(&comparison.classes) {
            let mut cells = vec![Quantity::text(name), Quantity::text(winner)];
            cells.extend(row.iter().map(|count| Quantity::Count(*count)));
            grid.rows.push(cells);
        }
        all += comparison.all();
        changed += comparison.class_changes();
        distances += comparison.distance_changes();
        wins += comparison.classes[2].iter().sum::<u64>();
        let (plies, count, median) = summary(&comparison.general_wins);
        sum += plies;
        both += count;
        let mean = Quantity::Mean { sum: plies, of: count };
        verdict.figure(
            format!("{name} to move, General wins in both: plies he saves by the rule"),
            Quantity::text(format!("mean {}, median {median}, most {}", mean.short(), most(&comparison.general_wins))),
        );
        let (plies, count, median) = summary(&comparison.rebels_win);
        let mean = Quantity::Mean { sum: -plies, of: count };
        verdict.figure(
            format!("{name} to move, Rebels win in both: plies they need more by the rule"),
            Quantity::text(format!("mean {}, median {}", mean.short(), -median)),
        );
    }
    verdict.figure("positions compared, both sides to move", Quantity::Count(all));
    verdict.figure("another winner, or a draw instead", Quantity::share(changed, all));
    verdict.figure("same winner at another distance", Quantity::share(distances, all));
    let kept_wins = Quantity::share(both, wins);
    verdict.figure("of the positions that the General wins with the rule: won without it", kept_wins.clone());
    study.say("playing games with and without the rule")?;
    let mut games = Grid::new(
        &format!("{} games between players who draw every tenth move by lot, General first", grouped(GAMES)),
        &["rule", "Rebels win", "drawn", "General wins"],
    );
    for (rule, values) in [("with the rule", &base), ("without it", &other)] {
        let player = Player::Fallible(10);
        let start = values.variant().opening().with_side(Side::General);
        let results = play(values, start, player, player, GAMES);
        games.rows.push(vec![
            Quantity::text(rule),
            Quantity::share(results.rebels, results.games()),
            Quantity::share(results.drawn, results.games()),
            Quantity::share(results.general, results.games()),
        ]);
    }
    verdict.grids.push(games);
    verdict.grids.push(grid);
    Ok(Effect {
        changed: Quantity::share(changed, all).number(),
        sooner: Quantity::Mean { sum, of: both }.number(),
        kept_wins,
        opening_kept: with.map(Value::class) == without.map(Value::class),
    })
}

fn most(differences: &std::collections::BTreeMap<i64, u64>) -> i64 {
    differences.keys().next_back().copied().unwrap_or(0)
}

/// The opening of the variant with a side to move.
pub(super) fn opening(study: &mut Study<'_>, id: &str, side: Side) -> Result<Position, CliError> {
    Ok(study.values(id)?.variant().opening().with_side(side))
}
