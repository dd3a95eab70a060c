//! Distances to a win.

use privy_rules::Side;
use privy_rules::board::Point;
use privy_search::proof::bounds::Bounds;
use privy_search::proof::distance_to_win::winning_targets;
use std::sync::Arc;

use privy_base::random::Random;
use privy_rules::{Game, MovePath, Variant};

/// True if a side has a forced win within this number of plies, by the rules alone.
fn wins(position: &Game, winner: Side, plies: usize) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(winner);
    }
    let attacks = position.side() == winner;
    plies > 0
        && position.legal_moves().iter().any(|move_| wins(&position.after(move_), winner, plies - 1) == attacks)
            == attacks
}

fn winning_steps(position: &Game, plies: usize) -> Vec<Point> {
    let moves = position.legal_moves();
    let winning = moves.iter().filter(|move_| wins(&position.after(move_), Side::Rebels, plies - 1));
    winning.map(|move_| move_.action().to).collect()
}

/// A random move; the Rebels take the one of some that leaves the General the fewest moves.
fn rough_move(position: &Game, random: &mut Random) -> Option<MovePath> {
    let moves = position.legal_moves();
    if position.side() == Side::General {
        return random.pick(&moves).cloned();
    }
    let some: Vec<&MovePath> = (0..6).filter_map(|_| random.pick(&moves)).collect();
    some.into_iter().min_by_key(|move_| position.after(move_).legal_moves().len()).cloned()
}

/// Positions that the Rebels win soon, with the plies: the last ones of games that they won.
fn near_wins(variant: &Arc<Variant>, random: &mut Random) -> Vec<(Game, usize)> {
    let mut found = Vec::new();
    for _ in 0..1_000 {
        let mut positions = vec![variant.start()];
        while let Some(position) = positions.last()
            && positions.len() < 300
            && position.outcome().is_none()
            && let Some(move_) = rough_move(position, random)
        {
            positions.push(position.after(&move_));
        }
        for position in positions.iter().rev().skip(1).take(4) {
            let plies = if position.side() == Side::General { [2, 4] } else { [1, 3] };
            let shortest = plies.into_iter().find(|plies| wins(position, Side::Rebels, *plies));
            found.extend(shortest.map(|plies| (position.clone(), plies)));
        }
    }
    found
}

#[test]
fn no_win_is_ruled_out_and_all_its_first_steps_are_targets() {
    let mut random = Random::new(16);
    for id in ["sixteen-rebels", "juroku-musashi", "juroku-musashi-hasami", "kings-gonu", "shap-luk-kon", "yeung-luk"] {
        let variant = Variant::builtin(id).unwrap();
        let bounds = Bounds::new(&variant);
        let near = near_wins(&variant, &mut random);
        assert!(near.len() > 20, "{id}: {}", near.len());
        for (position, plies) in near {
            let targets = winning_targets(&bounds, variant.rules(), position.position(), Side::Rebels, plies);
            assert!(!targets.is_empty(), "{position}: {plies}");
            if position.side() == Side::Rebels {
                let steps = winning_steps(&position, plies);
                assert!(steps.iter().all(|to| targets.contains(*to)), "{position}: {plies} {steps:?}");
            }
        }
    }
}
