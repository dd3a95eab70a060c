//! The ranking of lost moves stops on demand, and the first move always has the class of the best value.

use std::path::Path;
use std::sync::Arc;

use privy_engine::{PlayStyle, rank_by_style};
use privy_rules::Variant;
use privy_tables::TableValue;

use crate::support::binary::SMALL_VARIANT;
use crate::support::tables;

#[test]
fn ranking_stops_on_demand() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(SMALL_VARIANT);
    let variant = Arc::new(Variant::from_file(&file).unwrap());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ranking.privy");
    let table = tables::solved(&path, &variant);
    let mut game = variant.start();
    let mut lost = 0;
    for turn in 0..40 {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let values = table.values(&game).unwrap();
        let best = values.iter().map(|(_, value)| *value).max().unwrap();
        lost += usize::from(matches!(best, TableValue::Loss(_)));
        let ranked = |most: usize| {
            let (mut moves, mut asked) = (values.clone(), 0);
            let mut goes_on = || {
                asked += 1;
                asked <= most
            };
            rank_by_style(&table, &game, &mut moves, PlayStyle::Hardest.opponent(), &mut goes_on).unwrap();
            (moves, asked)
        };
        let (_, whole) = ranked(usize::MAX);
        for most in [0, 1, 7, 50, whole / 2, whole] {
            let (moves, asked) = ranked(most);
            assert_eq!(asked, whole.min(most + 1), "it is not asked again");
            assert_eq!(moves[0].1.class(), best.class());
            let mut left: Vec<_> = moves.iter().map(|(move_, _)| move_.clone()).collect();
            left.retain(|move_| values.iter().all(|(other, _)| other != move_));
            assert_eq!((left.len(), moves.len()), (0, values.len()));
        }
        game.play(moves[turn * 5 % moves.len()].clone());
    }
    assert!(lost > 2, "{lost}");
}
