//! Claims 6 and 7: what the Rebels of Chinese Rebels can afford, and who should begin.

use privy::board::{Point, PointSet};
use privy::rules::Side;
use privy::tablebase::{Decompressed, Value};

use super::chinese_rebels::opening;
use super::choices::choices;
use super::games::{Player, play};
use super::lines::PerfectLines;
use super::overview::said;
use super::study::{Kept, Study};
use super::verdict::{Answer, Grid, Quantity, Verdict, grouped};
use privy::cli::CliError;

const ID: &str = "sixteen-rebels";

/// Per cent of the openings less a pair that must still be won.
const AFFORDABLE: f64 = 90.0;

/// Games per encounter of fallible players.
const GAMES: u64 = 20_000;

/// Of a hundred moves, how many are drawn by lot.
const ERRORS: [u64; 4] = [2, 5, 10, 20];

pub(super) fn claim_6(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        6,
        ID,
        "The Rebels can afford to lose a couple of men.",
        "Two questions. How few losses can they hold themselves to and still force the win? The game is solved with the \
         attrition limit raised so that the General wins by taking one pair more. And how many can they do without? From the \
         opening every choice of 2, 4, 6, 8 or 10 Rebels is taken off and the rest looked up.",
    );
    let ladder = study.ladder(ID, true)?;
    verdict.grids.push(ladder_grid(&ladder));
    let fewest = ladder.iter().find(|kept| kept.general_first_won()).map(|kept| kept.losses);
    super::murray::losses_figure(&mut verdict, &ladder);
    let values = study.values(ID)?;
    study.say("taking Rebels off the opening")?;
    let mut grid = Grid::new(
        "The opening with Rebels taken off",
        &["taken off", "ways", "won for the Rebels, General first", "won for the Rebels, Rebels first"],
    );
    let mut pair_share = Quantity::share(0, 1);
    for number in [2, 4, 6, 8, 10] {
        let (ways, won) = handicaps(&values, number);
        if number == 2 {
            pair_share = Quantity::share(won[0], ways);
        }
        grid.rows.push(vec![
            Quantity::Count(number.into()),
            Quantity::Count(ways),
            Quantity::share(won[0], ways),
            Quantity::share(won[1], ways),
        ]);
    }
    verdict.grids.push(grid);
    verdict.figure("openings less two Rebels that they still win, General first", pair_share.clone());
    verdict.measure = Some(format!(
        "They \"can afford a couple\" when at least {AFFORDABLE} % of the openings less two Rebels are still won with the \
         General first: our choice."
    ));
    let needs = fewest.map_or_else(String::new, |losses| {
        format!(" In the full opening perfect Rebels can hold their losses to {losses}, and to no less.")
    });
    let (answer, can) = if pair_share.number() >= AFFORDABLE {
        (Answer::Confirmed, "They can")
    } else if pair_share.number() >= 50.0 {
        (Answer::PartlyConfirmed, "Mostly they can, but not any two")
    } else {
        (Answer::Refuted, "They mostly can't")
    };
    verdict.reach(
        answer,
        format!("{can}: less two Rebels the opening is still won in {} of the ways.{needs}", pair_share.short()),
    );
    Ok(verdict)
}

/// Steps of a ladder in a grid.
pub(super) fn ladder_grid(ladder: &[Kept]) -> Grid {
    let mut grid = Grid::new(
        "If the Rebels may lose no more than this",
        &[
            "Rebels lost at most",
            "opening, General first",
            "opening, Rebels first",
            "full positions won, General to move",
            "full positions won, Rebels to move",
        ],
    );
    for kept in ladder {
        let layer = &kept.layer;
        grid.rows.push(vec![
            Quantity::Count(kept.losses.into()),
            Quantity::text(said(kept.openings[0], Side::General)),
            Quantity::text(said(kept.openings[1], Side::Rebels)),
            Quantity::share(layer.general.lost, layer.general.all()),
            Quantity::share(layer.rebel.won, layer.rebel.all()),
        ]);
    }
    grid
}

/// How many ways there are to take so many Rebels off the opening, and how many of them leave the Rebels a win with the
/// General first, and with the Rebels first.
fn handicaps(values: &Decompressed, number: u32) -> (u64, [u64; 2]) {
    let start = *values.variant().opening();
    let points: Vec<Point> = start.rebels().into_iter().collect();
    let (mut ways, mut won) = (0, [0, 0]);
    for choice in 0u32..1 << points.len() {
        if choice.count_ones() != number {
            continue;
        }
        let gone: PointSet = points.iter().enumerate().filter(|(n, _)| choice >> n & 1 != 0).map(|(_, p)| *p).collect();
        ways += 1;
        for (won, side) in won.iter_mut().zip([Side::General, Side::Rebels]) {
            let value = values.value(&start.with_pieces(start.rebels().minus(gone), start.general()).with_side(side));
            let rebels_win = match (side, value) {
                (Side::General, Some(Value::Loss(_))) | (Side::Rebels, Some(Value::Win(_))) => 1,
                _ => 0,
            };
            *won += rebels_win;
        }
    }
    (ways, won)
}

pub(super) fn claim_7(study: &mut Study<'_>) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::on(
        7,
        ID,
        "It makes a more balanced game when the General moves first than when the Rebels do.",
        "Best play has one winner either way, so balance is measured in games between fallible players: both play a perfect \
         move, except that each of their moves is with a fixed probability any legal move drawn by lot. Beside it stand \
         length, first moves and perfect lines.",
    );
    let values = study.values(ID)?;
    let mut firsts = Vec::new();
    for side in [Side::General, Side::Rebels] {
        let name = if side == Side::General { "General first" } else { "Rebels first" };
        let start = opening(study, ID, side)?;
        if let Some(value) = values.value(&start) {
            verdict.figure(format!("{name}: opening"), Quantity::text(said(value, side)));
            let moves = choices(&values, &start);
            let keeping = moves.iter().filter(|choice| choice.value.class() == value.class()).count();
            let best = moves.iter().filter(|choice| choice.value == value).count();
            verdict.figure(
                format!("{name}: first moves that keep the result"),
                Quantity::share(keeping as u64, moves.len() as u64),
            );
            verdict.figure(
                format!("{name}: first moves that are perfect"),
                Quantity::share(best as u64, moves.len() as u64),
            );
        }
        study.say("following perfect lines")?;
        let lines = PerfectLines::from(&values, start);
        if lines.complete {
            let rebels = &lines.rebels;
            verdict.figure(format!("{name}: positions on perfect lines"), Quantity::Count(lines.positions));
            verdict.figure(
                format!("{name}: Rebel moves there that keep the win"),
                Quantity::share(rebels.keeping, rebels.moves),
            );
        }
        firsts.push(start);
    }
    let mut grid = Grid::new(
        &format!("{} games between equally fallible players", grouped(GAMES)),
        &["moves by lot", "first", "Rebels win", "drawn", "General wins", "Rebels' points, a draw half"],
    );
    let mut balanced = Vec::new();
    for errors in ERRORS {
        study.say(&format!("playing games with {errors} % of the moves by lot"))?;
        let mut off = Vec::new();
        for start in &firsts {
            let player = Player::Fallible(errors);
            let results = play(&values, *start, player, player, GAMES);
            let points = Quantity::share(2 * results.rebels + results.drawn, 2 * results.games());
            off.push((points.number() - 50.0).abs());
            grid.rows.push(vec![
                Quantity::text(format!("{errors} %")),
                Quantity::text(if start.side() == Side::General { "General" } else { "Rebels" }),
                Quantity::share(results.rebels, results.games()),
                Quantity::share(results.drawn, results.games()),
                Quantity::share(results.general, results.games()),
                points,
            ]);
        }
        if let [general, rebels] = off.as_slice() {
            balanced.push(rebels - general);
        }
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
    let spread = spread.join(", ");
    let rates = balanced.len();
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
