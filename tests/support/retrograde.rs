//! Exact values of positions in two ways, from the public rules alone and independent of the search.
//!
//! [`Solution`] is retrograde analysis: it enumerates every reachable position and iterates to the fixpoint, with the shortest
//! win and the longest loss in plies. [`Bounded`] searches all sequences of a few plies, for positions with too many descendants.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use privy_rules::{Game, MovePath, Position, Side};

/// The value of a position for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exact {
    /// Won in this number of plies.
    Win(u32),
    /// Lost in this number of plies; 0 is a lost game that is over.
    Loss(u32),
    /// Neither won nor lost in this many plies or fewer; `u32::MAX` is a proved draw.
    Neither(u32),
}

impl Exact {
    pub const DRAW: Exact = Exact::Neither(u32::MAX);

    /// The value of a move for the side that makes it, from the value of the position after it.
    pub fn of_move_to(child: Exact) -> Exact {
        match child {
            Exact::Win(plies) => Exact::Loss(plies + 1),
            Exact::Loss(plies) => Exact::Win(plies + 1),
            Exact::Neither(plies) => Exact::Neither(plies.saturating_add(1)),
        }
    }

    /// The value of a position from the values of its moves: the shortest win, else no decision, else the longest loss.
    pub fn best_of(values: impl Iterator<Item = Exact>) -> Exact {
        let rank = |value: &Exact| match *value {
            Exact::Win(plies) => 1_000_000 - i64::from(plies),
            Exact::Neither(_) => 0,
            Exact::Loss(plies) => i64::from(plies) - 1_000_000,
        };
        values.max_by_key(rank).unwrap()
    }

    pub fn plies(self) -> Option<u32> {
        match self {
            Exact::Win(plies) | Exact::Loss(plies) => Some(plies),
            Exact::Neither(_) => None,
        }
    }
}

/// A fast hash, good enough for positions of a few words.
#[derive(Default)]
pub struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(17) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type Ids<K> = HashMap<K, u32, BuildHasherDefault<StateHasher>>;

/// The target of a move: a position by its number, or the end of the game.
type Edge = u32;
const WINS: Edge = u32::MAX;
const LOSES: Edge = u32::MAX - 1;
const DRAWS: Edge = u32::MAX - 2;

fn end(position: &Game, mover: Side) -> Option<Edge> {
    position.outcome().map(|outcome| edge_of(outcome.winner(), mover))
}

fn edge_of(winner: Option<Side>, mover: Side) -> Edge {
    match winner {
        Some(winner) if winner == mover => WINS,
        Some(_) => LOSES,
        None => DRAWS,
    }
}

/// All positions reachable from a root, and their moves.
struct Graph {
    ids: Ids<Position>,
    positions: Vec<Game>,
    /// By position, the place of its first edge.
    starts: Vec<usize>,
    edges: Vec<Edge>,
    /// By position, those from which a move leads to it.
    sources: Vec<Vec<u32>>,
}

/// All positions reachable from a root, with their values.
pub struct Solution {
    graph: Arc<Graph>,
    /// A win in n plies is n, a loss in n plies is -n, no decision is 0.
    values: Vec<i32>,
    /// Positions that end the game by repetition.
    repeated: HashSet<Position>,
}

impl Solution {
    /// Solves everything reachable from a position that is not over. `None` if there are more than `most` positions.
    pub fn of(root: &Game, most: usize) -> Option<Solution> {
        assert!(root.outcome().is_none());
        let mut ids: Ids<Position> = Ids::default();
        let mut positions = vec![root.clone()];
        ids.insert(*root.position(), 0);
        let mut starts = vec![0usize];
        let mut edges: Vec<Edge> = Vec::new();
        let mut next = 0;
        while let Some(position) = positions.get(next).cloned() {
            for move_ in position.legal_moves() {
                let after = position.after(&move_);
                // Custodial capture depends on the move, not on the position: the end belongs to the edge.
                let edge = end(&after, position.side()).unwrap_or_else(|| {
                    *ids.entry(*after.position()).or_insert_with(|| {
                        positions.push(after);
                        positions.len() as u32 - 1
                    })
                });
                edges.push(edge);
            }
            starts.push(edges.len());
            next += 1;
            if positions.len() > most {
                return None;
            }
        }
        let mut sources = vec![Vec::new(); positions.len()];
        for id in 0..positions.len() {
            for edge in &edges[starts[id]..starts[id + 1]] {
                if let Some(sources) = sources.get_mut(*edge as usize) {
                    sources.push(id as u32);
                }
            }
        }
        let values = iterate(&starts, &edges, &sources);
        let graph = Arc::new(Graph { ids, positions, starts, edges, sources });
        Some(Solution { graph, values, repeated: HashSet::new() })
    }

    /// The same positions where a move to one of `repeated` ends the game by repetition, unless another rule ends it.
    pub fn with_repeated(&self, repeated: &HashSet<Position>) -> Solution {
        let graph = Arc::clone(&self.graph);
        let mut edges = graph.edges.clone();
        for id in repeated.iter().filter_map(|position| graph.ids.get(position).copied()) {
            for source in graph.sources[id as usize].iter().map(|source| *source as usize) {
                let from = &graph.positions[source];
                let end = edge_of(from.variant().rules().winner_by_repetition(), from.side());
                let moves = &mut edges[graph.starts[source]..graph.starts[source + 1]];
                moves.iter_mut().filter(|edge| **edge == id).for_each(|edge| *edge = end);
            }
        }
        let values = iterate(&graph.starts, &edges, &graph.sources);
        Solution { graph, values, repeated: repeated.clone() }
    }

    pub fn positions(&self) -> &[Game] {
        &self.graph.positions
    }

    /// The value of a reached position that is not over.
    pub fn value(&self, position: &Game) -> Exact {
        self.value_of_state(position.position()).expect("a reached position")
    }

    /// The value of a position that is not over; `None` if it is not reachable.
    pub fn value_of_state(&self, state: &Position) -> Option<Exact> {
        let id = self.graph.ids.get(state)?;
        Some(match self.values[*id as usize] {
            0 => Exact::DRAW,
            plies if plies > 0 => Exact::Win(plies as u32),
            plies => Exact::Loss(-plies as u32),
        })
    }

    /// The value of a move for the side that makes it.
    pub fn value_of_move(&self, position: &Game, move_: &MovePath) -> Exact {
        let after = position.after(move_);
        let by_repetition = || edge_of(position.variant().rules().winner_by_repetition(), position.side());
        let repeated = || self.repeated.contains(after.position()).then(by_repetition);
        match end(&after, position.side()).or_else(repeated) {
            Some(WINS) => Exact::Win(1),
            Some(LOSES) => Exact::Loss(1),
            Some(_) => Exact::DRAW,
            None => Exact::of_move_to(self.value(&after)),
        }
    }
}

/// Round n gives positions decided in exactly n plies their value. A round without any is the last. After the first, it looks at the positions
/// from which a move leads to one that the round before has decided.
fn iterate(starts: &[usize], edges: &[Edge], sources: &[Vec<u32>]) -> Vec<i32> {
    let mut values = vec![0i32; sources.len()];
    let mut last_asked = values.clone();
    let mut open: Vec<u32> = (0..values.len() as u32).collect();
    for plies in 1.. {
        let mut decided = Vec::new();
        for &id in &open {
            let moves = &edges[starts[id as usize]..starts[id as usize + 1]];
            let mut wins = false;
            let mut loses = true;
            for &edge in moves {
                match edge {
                    WINS => (wins, loses) = (true, false),
                    LOSES => {}
                    DRAWS => loses = false,
                    child => {
                        let value = values[child as usize];
                        wins |= value < 0;
                        loses &= value > 0;
                    }
                }
            }
            if wins || loses {
                decided.push((id, if wins { plies } else { -plies }));
            }
        }
        if decided.is_empty() {
            break;
        }
        open.clear();
        for &(id, value) in &decided {
            values[id as usize] = value;
        }
        for &(id, _) in &decided {
            for &source in &sources[id as usize] {
                if values[source as usize] == 0 && last_asked[source as usize] != plies {
                    last_asked[source as usize] = plies;
                    open.push(source);
                }
            }
        }
    }
    values
}

/// A full search of a few plies.
#[derive(Default)]
pub struct Bounded {
    known: Ids<(Position, u32)>,
}

impl Bounded {
    /// The value within `plies` plies.
    pub fn value(&mut self, position: &Game, plies: u32) -> Exact {
        if plies == 0 {
            return Exact::Neither(0);
        }
        let key = (*position.position(), plies);
        if let Some(code) = self.known.get(&key) {
            return match code {
                0 => Exact::Neither(plies),
                code if code % 2 == 1 => Exact::Win(code / 2),
                code => Exact::Loss(code / 2),
            };
        }
        let mut win: Option<u32> = None;
        let mut loss: Option<u32> = Some(0);
        for move_ in position.legal_moves() {
            match self.value_of_move(position, &move_, plies) {
                Exact::Win(n) => {
                    win = Some(win.map_or(n, |least| least.min(n)));
                    loss = None;
                    if n == 1 {
                        break;
                    }
                }
                Exact::Loss(n) => loss = loss.map(|most| most.max(n)),
                Exact::Neither(_) => loss = None,
            }
        }
        let (value, code) = match (win, loss) {
            (Some(n), _) => (Exact::Win(n), 2 * n + 1),
            (None, Some(n)) => (Exact::Loss(n), 2 * n),
            (None, None) => (Exact::Neither(plies), 0),
        };
        self.known.insert(key, code);
        value
    }

    /// The value of a move for the side that makes it. The move is the first of the plies.
    pub fn value_of_move(&mut self, position: &Game, move_: &MovePath, plies: u32) -> Exact {
        let after = position.after(move_);
        match end(&after, position.side()) {
            Some(WINS) => Exact::Win(1),
            Some(LOSES) => Exact::Loss(1),
            Some(_) => Exact::DRAW,
            None => Exact::of_move_to(self.value(&after, plies - 1)),
        }
    }
}
