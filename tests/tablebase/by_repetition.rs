//! Wins by repetition: the table of such a game claims them, and play from the table achieves them.
use privy_protocol::Stop;

use std::path::Path;
use std::sync::Arc;

use privy_base::random::Random;
use privy_rules::board::{Point, PointSet};
use privy_rules::{Game, Position, Side, Variant};
use privy_tables::{Table, verify};

use crate::support::tables;

/// The limit of plies: longer than any game of these players.
const LONGEST: usize = 2_000;

fn hare_and_hounds() -> (Arc<Variant>, Table) {
    let variant = Variant::builtin("hare-and-hounds").expect("a built-in game");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hare-and-hounds.privy");
    let table = tables::solved(&path, &variant);
    (variant, table)
}

/// Plays on: `perfect` from the table, the other side at random. With `holds` its moves keep the class of the value.
fn play_on(table: &Table, mut game: Game, perfect: Side, holds: bool, random: &mut Random) -> Game {
    for _ in 0..LONGEST {
        if game.outcome().is_some() {
            break;
        }
        let mut moves = table.values(&game).unwrap();
        let best = moves.iter().map(|(_, value)| *value).max().unwrap();
        if game.side() == perfect {
            moves.retain(|(_, value)| *value == best);
        } else if holds {
            moves.retain(|(_, value)| value.class() == best.class());
        }
        game.play(random.pick(&moves).unwrap().0.clone());
    }
    game
}

/// A random position with as many Rebels as the opening. `None` if it is illegal or over.
fn position(variant: &Arc<Variant>, random: &mut Random) -> Option<Game> {
    let points: Vec<Point> = variant.board().all().into_iter().collect();
    let mut draw = || *random.pick(&points).expect("a board has points");
    let general = draw();
    let rebels: PointSet = variant.opening().rebels().into_iter().map(|_| draw()).collect();
    let side = if random.below(2) == 0 { Side::General } else { Side::Rebels };
    let is_legal = rebels.len() == variant.opening().rebels().len() && !rebels.contains(general);
    let game = is_legal.then(|| Game::new(variant, Position::new(rebels, general, side, false, 0), 0, 0));
    game.filter(|game| game.outcome().is_none())
}

#[test]
fn the_side_that_wins_by_repetition_wins_by_its_table() {
    let (variant, table) = hare_and_hounds();
    assert!(verify(&table, None, &mut |_, _| {}, &Stop::default()).unwrap().is_sound());
    let mut random = Random::new(7);
    let (mut by_repetition, mut by_force) = (0, 0);
    while by_repetition < 20 || by_force < 20 {
        let Some(game) = position(&variant, &mut random) else { continue };
        let value = table.probe(&game).unwrap();
        let winner = if value.class() > 0 { game.side() } else { !game.side() };
        for holds in [false, true] {
            let ended = play_on(&table, game.clone(), winner, holds, &mut random).outcome().expect("games end");
            assert_eq!(ended.winner(), Some(winner), "{value} {game}");
            let is_repetition = ended.to_string().ends_with(": repetition");
            assert!(!is_repetition || value.plies().is_none(), "{value} {game}");
            by_repetition += u32::from(is_repetition);
            by_force += u32::from(value.plies().is_some());
        }
    }
}
