//! Every position of a small game set up as a text, its moves those of the public rules, its value that of the plain
//! solver.
use privy_protocol::Stop;

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use crate::census::LayerCensus;
use privy_oracle::{Next, PlainEnd, PlainSolution, PlainValue};
use privy_rules::board::{Point, PointSet};
use privy_rules::{Game, MovePath, Position, Side, Variant};
use privy_tables::{SolveOptions, Table, TableValue, solve};

const BOARD: &str = r#"
id = "nine"
title = "Nine points and a privy of two"
field = { files = 3, rows = 3 }
apex = ["b5"]
lines = ["a1-a2-a3", "b1-b2-b3-b4-b5", "c1-c2-c3", "a1-b1-c1", "a2-b2-c2", "a3-b3-c3", "a1-b2-c3", "c1-b2-a3"]

[privy]
b4 = [2, 3.5]
b5 = [2, 4]
"#;

/// A separate folder for each test.
pub(super) struct NineFolder(PathBuf);

impl NineFolder {
    pub(super) fn new(name: &str) -> NineFolder {
        let folder = std::env::temp_dir().join(format!("privy-verdicts-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("nine.toml"), BOARD).unwrap();
        NineFolder(folder)
    }

    pub(super) fn variant(&self, text: &str) -> Arc<Variant> {
        Arc::new(Variant::from_toml(text, Some(&self.0)).unwrap())
    }

    pub(super) fn values(&self, variant: &Arc<Variant>) -> Table {
        let path = self.0.join(format!("{}.privy", variant.fingerprint()));
        solve(variant, &path, &SolveOptions::default(), &mut |_| {}, &Stop::default()).unwrap();
        Table::open(&path, variant).unwrap()
    }
}

impl Drop for NineFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All positions of a variant and their values, worked out the plain way.
pub(super) struct PlainGame {
    pub(super) games: HashMap<Position, Game>,
    pub(super) values: HashMap<Position, TableValue>,
}

fn set_up(variant: &Arc<Variant>, state: &Position) -> Option<Game> {
    let board = variant.board();
    let rows: Vec<String> = board
        .rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|point| match *point {
                    point if point == state.general() => 'G',
                    point if state.rebels().contains(point) => 'r',
                    _ => '1',
                })
                .collect()
        })
        .collect();
    let side = if state.side() == Side::General { 'g' } else { 'r' };
    let flags = if state.apex_visited() { "a" } else { "-" };
    let game = Game::from_text(&format!("{} {side} {flags}", rows.join("/")), Some(variant)).ok()?;
    // A set-up position on an apex has the flag, whatever the text says.
    (game.position() == state).then_some(game)
}

impl PlainGame {
    pub(super) fn of(variant: &Arc<Variant>, parity: bool) -> PlainGame {
        let board = variant.board();
        let most = variant.opening().rebels().len();
        let least = variant.rules().fewest_rebels();
        let mut games = HashMap::new();
        for bits in 0..1u64 << board.field.len() {
            let rebels = PointSet(bits);
            let count = rebels.len();
            if count < least || count > most || parity && count % 2 != most % 2 {
                continue;
            }
            for general in (0..board.len()).map(Point::new).filter(|point| !rebels.contains(*point)) {
                for side in [Side::General, Side::Rebels] {
                    for apex_visited in [false, true] {
                        let state = Position::new(rebels, general, side, apex_visited, 0);
                        if let Some(game) = set_up(variant, &state) {
                            games.insert(state, game);
                        }
                    }
                }
            }
        }
        let end = |winner: Option<Side>, mover: Side| match winner {
            Some(winner) if winner == mover => PlainEnd::Win,
            Some(_) => PlainEnd::Loss,
            None => PlainEnd::Draw,
        };
        let nexts = |state: &Position| {
            let game: &Game = &games[state];
            let next = |move_: &MovePath| match game.position_after(move_) {
                (next, None) => Next::Position(next),
                (_, Some(outcome)) => Next::End(end(outcome.winner(), game.side())),
            };
            game.legal_moves().iter().map(next).collect()
        };
        let open = games.values().filter(|game| game.outcome().is_none()).map(|game| *game.position());
        let solution = PlainSolution::of(open, games.len(), nexts).unwrap();
        let values = solution.positions().iter().zip(solution.values()).map(|(state, value)| match *value {
            PlainValue::Win(plies) => (*state, TableValue::Win(plies)),
            PlainValue::Loss(plies) => (*state, TableValue::Loss(plies)),
            PlainValue::Draw => (*state, TableValue::Draw),
        });
        PlainGame { values: values.collect(), games }
    }

    pub(super) fn value(&self, game: &Game) -> TableValue {
        match game.outcome() {
            Some(outcome) if outcome.winner() == Some(game.side()) => TableValue::Win(0),
            Some(_) => TableValue::Loss(0),
            None => self.values[game.position()],
        }
    }

    /// Positions that go on, with one side to move.
    pub(super) fn open(&self, side: Side) -> impl Iterator<Item = &Game> {
        self.games.values().filter(move |game| game.outcome().is_none() && game.side() == side)
    }

    pub(super) fn census(&self, rebels: u32) -> LayerCensus {
        let mut layer = LayerCensus { rebels, ..LayerCensus::default() };
        for game in self.open(Side::Rebels).filter(|game| game.position().rebels().len() == rebels) {
            if self.value(game).class() > 0 {
                let moves = game.legal_moves();
                let keeping = moves.iter().filter(|m| self.value(&game.after(m)).class() < 0).count() as u64;
                layer.won += 1;
                layer.moves += moves.len() as u64;
                layer.throwing += moves.len() as u64 - keeping;
                layer.single += u64::from(keeping == 1 && moves.len() > 1);
            }
        }
        for game in self.open(Side::General).filter(|game| game.position().rebels().len() == rebels) {
            // PrivyEntries is a step, and steps into the privy start on an exit.
            let privy = game.board().privy;
            if !game.board().exits.contains(game.position().general()) {
                continue;
            }
            let moves = game.legal_moves();
            let (inwards, others): (Vec<_>, Vec<_>) = moves.iter().partition(|m| privy.contains(m.action().to));
            let best = |moves: &[&MovePath]| moves.iter().map(|m| -self.value(&game.after(m)).class()).max();
            if let Some(entering) = best(&inwards) {
                let row = best(&others).map_or(0, |class| class + 2);
                layer.entering[row as usize][(entering + 1) as usize] += 1;
            }
        }
        layer
    }
}
