//! Tables against solutions that others have computed and published (`published/solutions.toml` names them).
//!
//! Fox and Hounds on ten files takes minutes here; `privy-lab check docs docs/NOTEBOOK.md` solves it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use privy_rules::board::{Point, PointSet};
use privy_rules::rule_set::{BottomRule, RuleSet};
use privy_rules::{Game, Position, Side, Variant};
use privy_tables::TableValue;

use crate::support::tables;

#[derive(Deserialize)]
struct Solutions {
    hare_and_hounds: HareAndHounds,
    fox_and_hounds: FoxAndHounds,
}

#[derive(Deserialize)]
struct HareAndHounds {
    points: Vec<String>,
    hounds: [usize; 3],
    starts: Vec<[u32; 3]>,
}

#[derive(Deserialize)]
struct FoxAndHounds {
    boards: Vec<[u32; 3]>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tablebase/published")
}

fn solutions() -> Solutions {
    toml::from_str(&std::fs::read_to_string(folder().join("solutions.toml")).unwrap()).unwrap()
}

fn table_of(variant: &Arc<Variant>) -> privy_tables::Table {
    tables::solved(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("published-{}.privy", variant.id())), variant)
}

#[test]
fn hare_and_hounds_is_solved_as_published() {
    let HareAndHounds { points, hounds, starts } = solutions().hare_and_hounds;
    let variant = Variant::builtin("hare-and-hounds").unwrap();
    let table = table_of(&variant);
    let point = |number: usize| variant.board().point(points[number - 1].parse().unwrap()).unwrap();
    let hounds: PointSet = hounds.into_iter().map(point).collect();
    assert_eq!(*variant.opening(), Position::new(hounds, point(8), Side::Rebels, false, 0));
    for [hare, hounds_first, hare_first] in starts {
        let value = |side| {
            let position = Position::new(hounds, point(hare as usize), side, false, 0);
            table.probe(&Game::new(&variant, position, 0, 0)).unwrap()
        };
        assert_eq!(value(Side::Rebels), TableValue::Win(hounds_first), "the Hare on {hare}, the Hounds to move");
        assert_eq!(value(Side::General), TableValue::Loss(hare_first), "the Hare on {hare}, to move");
    }
}

#[test]
fn fox_and_hounds_is_solved_as_published() {
    fox_and_hounds(false);
}

#[test]
#[ignore = "release: counts the positions of the chessboard, too, in three seconds"]
fn fox_and_hounds_reaches_as_many_positions_as_published() {
    fox_and_hounds(true);
}

fn fox_and_hounds(is_release: bool) {
    for [files, plies, reachable] in solutions().fox_and_hounds.boards {
        let variant = match files {
            // The board of this game.
            8 => Variant::builtin("wolf-and-sheep").unwrap(),
            _ => Arc::new(Variant::from_file(&folder().join(format!("fox-and-hounds-{files}.toml"))).unwrap()),
        };
        if files == 10 {
            continue;
        }
        let value = table_of(&variant).probe(&variant.start()).unwrap();
        match plies {
            0 => assert!(value.class() > 0, "{files} files: {value}"),
            _ => assert_eq!(value, TableValue::Loss(plies), "{files} files"),
        }
        if reachable < 10_000 || is_release {
            assert_eq!(reachable_positions(&variant), reachable as usize, "{files} files");
        }
    }
}

/// The positions that games from the opening reach, which end as those of the source do.
fn reachable_positions(variant: &Arc<Variant>) -> usize {
    let words = RuleSet { bottom: BottomRule::None, ..variant.rule_set().clone() };
    let variant = Arc::new(variant.with_words(words).unwrap());
    let (mut reached, mut waiting) = (HashSet::from([*variant.opening()]), vec![*variant.opening()]);
    while let Some(position) = waiting.pop() {
        if has_escaped(&variant, &position) {
            continue;
        }
        for path in variant.legal_moves(&position) {
            let (next, outcome) = variant.play_unchecked(&position, path.action());
            if reached.insert(next) && outcome.is_none() {
                waiting.push(next);
            }
        }
    }
    reached.len()
}

/// True if no Hound can ever reach the Fox, nor some square beside it.
fn has_escaped(variant: &Variant, position: &Position) -> bool {
    let (board, rules) = (variant.board(), variant.rules());
    let ahead = |from: Point| {
        rules.neighbours[from].into_iter().filter(move |to| board.name(*to).row() > board.name(from).row())
    };
    let (mut in_reach, mut waiting) = (position.rebels(), position.rebels());
    while let Some(from) = waiting.first() {
        let new: PointSet = ahead(from).filter(|to| !in_reach.contains(*to)).collect();
        in_reach |= new;
        waiting = waiting.without(from) | new;
    }
    let fox = position.general();
    !in_reach.contains(fox) && !rules.neighbours[fox].minus(in_reach).is_empty()
}
