//! Every position of a small game set up as a text, its moves those of the public rules, its value from plain iteration.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::census::LayerCensus;
use privy::board::{Point, PointSet};
use privy::rules::{Game, MovePath, Position, Side, Variant};
use privy::tablebase::{Decompressed, SolveOptions, Table, Value, solve};

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

/// A folder of its own for each test.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("privy-verdicts-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("nine.toml"), BOARD).unwrap();
        Folder(folder)
    }

    pub(super) fn variant(&self, text: &str) -> Arc<Variant> {
        Arc::new(Variant::from_toml(text, Some(&self.0)).unwrap())
    }

    pub(super) fn values(&self, variant: &Arc<Variant>) -> Decompressed {
        let path = self.0.join(format!("{}.privy", variant.fingerprint()));
        solve(variant, &path, &SolveOptions::default(), &mut |_| {}, &AtomicBool::new(false)).unwrap();
        Decompressed::of(&Table::open(&path, variant).unwrap()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All positions of a variant and their values, worked out the plain way.
pub(super) struct Plain {
    pub(super) positions: HashMap<Position, Game>,
    pub(super) values: HashMap<Position, Value>,
}

fn position(variant: &Arc<Variant>, state: &Position) -> Option<Game> {
    let board = variant.board();
    let rows: Vec<String> = board
        .rows_from_top()
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
    let position = Game::from_text(&format!("{} {side} {flags}", rows.join("/")), Some(variant)).ok()?;
    // A set-up position on an apex has the flag, whatever the text says.
    (position.position() == state).then_some(position)
}

impl Plain {
    pub(super) fn of(variant: &Arc<Variant>, parity: bool) -> Plain {
        let board = variant.board();
        let most = variant.opening().rebels().len();
        let least = variant.rules().fewest_rebels();
        let mut positions = HashMap::new();
        for bits in 0..1u64 << board.field().len() {
            let rebels = PointSet(bits);
            let count = rebels.len();
            if count < least || count > most || parity && count % 2 != most % 2 {
                continue;
            }
            for general in (0..board.len()).map(Point::new).filter(|point| !rebels.contains(*point)) {
                for side in [Side::General, Side::Rebels] {
                    for apex_visited in [false, true] {
                        let state = Position::new(rebels, general, side, apex_visited, 0);
                        if let Some(position) = position(variant, &state) {
                            positions.insert(state, position);
                        }
                    }
                }
            }
        }
        let mut plain = Plain { values: HashMap::new(), positions };
        plain.iterate();
        plain
    }

    pub(super) fn value(&self, position: &Game) -> Value {
        match position.outcome() {
            Some(outcome) if outcome.winner() == Some(position.side()) => Value::Win(0),
            Some(_) => Value::Loss(0),
            None => self.values.get(position.position()).copied().unwrap_or(Value::Draw),
        }
    }

    fn best(&self, position: &Game) -> Value {
        let moves = position.legal_moves();
        moves.iter().map(|move_| self.value(&position.after(move_)).before()).max().unwrap()
    }

    /// Values settle from the end backwards: after so many rounds those of so many plies are right.
    fn iterate(&mut self) {
        loop {
            let open = self.positions.iter().filter(|(_, position)| position.outcome().is_none());
            let next: HashMap<Position, Value> = open.map(|(state, position)| (*state, self.best(position))).collect();
            if next == self.values {
                return;
            }
            self.values = next;
        }
    }

    /// Positions that go on, with one side to move.
    pub(super) fn open(&self, side: Side) -> impl Iterator<Item = &Game> {
        self.positions.values().filter(move |position| position.outcome().is_none() && position.side() == side)
    }

    pub(super) fn census(&self, rebels: u32) -> LayerCensus {
        let mut layer = LayerCensus { rebels, ..LayerCensus::default() };
        for position in self.open(Side::Rebels).filter(|position| position.position().rebels().len() == rebels) {
            if self.value(position).class() > 0 {
                let moves = position.legal_moves();
                let keeping = moves.iter().filter(|m| self.value(&position.after(m)).class() < 0).count() as u64;
                layer.won += 1;
                layer.moves += moves.len() as u64;
                layer.throwing += moves.len() as u64 - keeping;
                layer.single += u64::from(keeping == 1 && moves.len() > 1);
            }
        }
        for position in self.open(Side::General).filter(|position| position.position().rebels().len() == rebels) {
            // Entering is a step, and steps into the privy start on an exit.
            let privy = position.board().privy();
            if !position.board().exits().contains(position.position().general()) {
                continue;
            }
            let moves = position.legal_moves();
            let (inwards, others): (Vec<_>, Vec<_>) = moves.iter().partition(|m| privy.contains(m.action().to));
            let best = |moves: &[&MovePath]| moves.iter().map(|m| -self.value(&position.after(m)).class()).max();
            if let Some(entering) = best(&inwards) {
                let row = best(&others).map_or(0, |class| class + 2);
                layer.entering[row as usize][(entering + 1) as usize] += 1;
            }
        }
        layer
    }
}
