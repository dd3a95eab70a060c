//! The claims about the double board of Nanking. Tables of these games are too large; their openings are proved.

use std::collections::HashSet;

use privy_program::CliError;
use privy_protocol::Stop;
use privy_rules::board::{Board, Point, PointSet};
use privy_rules::rule_set::RuleSet;
use privy_rules::{Game, MovePath, Outcome, Position, Side};
use privy_search::proof::Proof;

use super::figures::{answer, graded};
use super::study::{Study, built_in};
use super::verdict::{ClaimAnswer, ClaimVerdict, FigureGrid, row};

/// Losses of more than one Rebel in this many are heavy.
const HEAVY: u32 = 4;

/// A change of the rules, in words and as a function.
type RuleReading = (&'static str, fn(&mut RuleSet));

/// Other readings of the source.
const READINGS: [RuleReading; 2] = [
    ("first = rebels", |words| words.first = Side::Rebels),
    ("enter_privy = false", |words| words.enter_privy = false),
];

/// A proof in a few words.
fn within(proof: &Proof) -> String {
    // A win with the first move needs no line.
    proof.root_plies().map_or("at once".to_owned(), |plies| format!("within {plies} plies"))
}

/// The fewest losses with which a win is proved, after a row for each number of losses. Rebels fall in pairs.
fn cost(study: &mut Study<'_>, verdict: &mut ClaimVerdict, id: &str) -> Result<Option<u32>, CliError> {
    let variant = built_in(id)?;
    let all = variant.opening().rebels().len();
    let limit = variant.rule_set().rebels_at_most.map_or(0, u32::from);
    let mut grid = FigureGrid::new(
        &format!("What a win costs in {id}: proved with another attrition limit"),
        "the Rebels lose at most | proved | positions of the proof",
    );
    let mut least = None;
    for losses in (0..all - limit).step_by(2) {
        let at_most = all - losses - 1;
        let mut proof = |side| {
            let change = |words: &mut RuleSet| words.rebels_at_most = u8::try_from(at_most).ok();
            study.proof(id, side, &format!(" with rebels_at_most = {at_most}"), &change)
        };
        if let Some(proof) = proof(Side::Rebels)? {
            grid.rows.push(row![losses, format!("won {}", within(&proof)), proof.positions() as u64]);
            least = Some(losses);
            break;
        }
        match proof(Side::General)? {
            Some(proof) => grid.rows.push(row![losses, format!("lost {}", within(&proof)), proof.positions() as u64]),
            None => grid.rows.push(row![losses, "open", "-"]),
        }
    }
    verdict.grids.push(grid);
    Ok(least)
}

/// The proof that the Rebels win the opening by the unchanged rules; without one the verdict is "not solved".
fn opening_won(study: &mut Study<'_>, verdict: &mut ClaimVerdict, id: &str) -> Result<Option<Proof>, CliError> {
    let proof = study.proof(id, Side::Rebels, "", &|_| {})?;
    let value = proof.as_ref().map_or("open".to_owned(), |proof| format!("won by the Rebels {}", within(proof)));
    verdict.figure(format!("opening of {id}, General first"), value);
    match &proof {
        Some(proof) => verdict.figure(format!("positions of its proof, {id}"), proof.positions() as u64),
        None => verdict.reach(ClaimAnswer::NotSolved, &[]),
    }
    Ok(proof)
}

/// Claim 9: the cost of the Rebels' win in Subjugatio.
pub(super) fn heavy_losses(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let id = verdict.variant.clone();
    let Some(proof) = opening_won(study, verdict, &id)? else { return Ok(()) };
    let variant = built_in(&id)?;
    let mut first = FigureGrid::new("The General's first moves", "move | the Rebels win within");
    for path in variant.legal_moves(variant.opening()) {
        let (next, _) = variant.play_unchecked(variant.opening(), path.action());
        let plies = proof.find_move(&next).map(|known| known.plies);
        let text = variant.start().move_text(&path);
        first.rows.push(row![text, plies.map_or("-".to_owned(), |plies| format!("{plies} plies"))]);
    }
    verdict.grids.push(first);
    for (what, change) in READINGS {
        let found = study.proof(&id, Side::Rebels, &format!(" with {what}"), &change)?;
        let value = found.map_or("open".to_owned(), |proof| format!("won by the Rebels {}", within(&proof)));
        verdict.figure(format!("opening with {what}"), value);
    }
    let all = variant.opening().rebels().len();
    let losses = cost(study, verdict, &id)?.unwrap_or(all);
    let answer = graded(true, losses * HEAVY > all);
    verdict.reach(answer, &[("losses", &losses), ("all", &all), ("plies", &proof.root_plies().unwrap_or_default())]);
    Ok(())
}

/// Claim 10: the alternative is simpler for the Rebels.
pub(super) fn simpler(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let id = verdict.variant.clone();
    let (this, other) = (opening_won(study, verdict, &id)?, opening_won(study, verdict, "subjugatio")?);
    let (Some(this), Some(other)) = (this, other) else { return Ok(()) };
    let wins = [(&other, this.variant()), (&this, other.variant())].map(|(proof, variant)| {
        let checked = proof.under(variant).check(&Stop::default());
        // Which of its holes is found first differs from run to run.
        let plies = checked.map(|checked| checked.plies);
        let value = plies.as_ref().map_or("not sound".to_owned(), |plies| format!("wins within {plies} plies"));
        verdict.figure(format!("the strategy of {} by the rules of {}", proof.variant().id(), variant.id()), value);
        plies.is_ok()
    });
    verdict.reach(graded(wins[0], !wins[1]), &[("plies", &other.root_plies().unwrap_or_default())]);
    Ok(())
}

/// Claim 11: the General can be left without a move in a corner.
pub(super) fn corner(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let id = verdict.variant.clone();
    let Some(proof) = opening_won(study, verdict, &id)? else { return Ok(()) };
    let variant = built_in(&id)?;
    let corners = corners(variant.board());
    let mut ends: Vec<String> = Vec::new();
    let mut all = 0u64;
    for_each_last_position(&proof, &mut |position| {
        all += 1;
        let stalemates = |path: &MovePath| {
            let (next, outcome) = variant.play_unchecked(position, path.action());
            outcome == Some(Outcome::NoMove(Some(Side::Rebels))) && corners.contains(next.general())
        };
        let found = variant.legal_moves(position).into_iter().find(stalemates);
        ends.extend(found.map(|path| {
            let game = Game::new(&variant, *position, 0, 0);
            format!("{} {}", variant.position_text(position), game.move_text(&path))
        }));
    });
    ends.sort();
    verdict.figure("positions at the ends of the proof's lines, a Rebel to move", all);
    verdict.figure("of these with a move that ends the game so", ends.len() as u64);
    if let Some(end) = ends.first() {
        verdict.figure("one of them, and the move", end.clone());
    }
    verdict.reach(answer(&[!ends.is_empty()]), &[]);
    Ok(())
}

/// The positions in which the proving side can end the game at once.
fn for_each_last_position(proof: &Proof, each: &mut dyn FnMut(&Position)) {
    let variant = proof.variant();
    let (mut open, mut seen) = (vec![*proof.root()], HashSet::new());
    while let Some(position) = open.pop() {
        let is_to_move = position.side() == proof.winner();
        let moves = if is_to_move {
            proof.find_move(&position).into_iter().map(|known| known.move_).collect()
        } else {
            variant.legal_moves(&position)
        };
        if is_to_move && moves.is_empty() {
            each(&position);
        }
        for path in moves {
            let (next, outcome) = variant.play_unchecked(&position, path.action());
            if outcome.is_none() && seen.insert(variant.canonical(&next)) {
                open.push(next);
            }
        }
    }
}

/// The corners of the field.
fn corners(board: &Board) -> PointSet {
    let rows = &board.rows;
    let of_field: Vec<&Vec<Point>> = rows.iter().filter(|row| row.iter().all(|p| board.field.contains(*p))).collect();
    let ends =
        of_field.first().into_iter().chain(of_field.last()).flat_map(|row| row.first().into_iter().chain(row.last()));
    ends.copied().collect()
}

/// Claim 16: the game is balanced.
pub(super) fn balanced(study: &mut Study<'_>, verdict: &mut ClaimVerdict) -> Result<(), CliError> {
    let id = verdict.variant.clone();
    if let Some(proof) = opening_won(study, verdict, &id)? {
        verdict.reach(ClaimAnswer::Refuted, &[("plies", &proof.root_plies().unwrap_or_default())]);
    }
    Ok(())
}
