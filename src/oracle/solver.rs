//! The plain solver: retrograde analysis of a game whose positions can all be listed (Ströhlein 1970, Thompson 1986).
//!
//! A position is any value that can be compared; a function says where its moves lead. The analysis begins with the
//! moves that end the game and goes backwards, in the order of the plies to the end: a position is won as soon as one
//! of its moves wins, and lost as soon as all of them lose. So wins are the shortest and losses the longest. A position
//! that is never decided is a draw.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;

use crate::{NaivePosition, NaiveSide, Placement};

/// The value of a position under best play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainValue {
    /// Won in this number of plies.
    Win(u32),
    /// Lost in this number of plies.
    Loss(u32),
    /// Neither side can force a win.
    Draw,
}

/// The result of a move that ends the game, for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainEnd {
    /// It wins.
    Win,
    /// It loses.
    Loss,
    /// Neither side wins.
    Draw,
}

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next<P> {
    /// To a position in which the game continues.
    Position(P),
    /// To the end of the game.
    End(PlainEnd),
}

/// What is known of the moves of a position.
#[derive(Clone, Copy)]
struct MoveCounts {
    /// True if one of them wins at once.
    win: bool,
    /// The number of those that are not known to lose.
    unlost: u32,
}

impl MoveCounts {
    /// Counts a move that ends the game.
    fn end(&mut self, end: PlainEnd) {
        self.win |= end == PlainEnd::Win;
        self.unlost -= u32::from(end == PlainEnd::Loss);
    }
}

/// All positions that moves reach from the first ones.
struct Graph<P> {
    ids: HashMap<P, u32, BuildHasherDefault<PositionHasher>>,
    positions: Vec<P>,
    moves: Vec<MoveCounts>,
    /// By position, the position of every move that leads to it.
    sources: Vec<Vec<u32>>,
}

impl<P: Clone + Eq + Hash> Graph<P> {
    /// The number of a position, which may be new.
    fn id(&mut self, position: P) -> u32 {
        let new = self.positions.len() as u32;
        let id = *self.ids.entry(position.clone()).or_insert(new);
        if id == new {
            self.positions.push(position);
            self.sources.push(Vec::new());
        }
        id
    }

    /// The values by position. MoveCounts to the positions `ended` end the game, as `moves` says.
    fn values(&self, mut moves: Vec<MoveCounts>, ended: &HashSet<u32>) -> Vec<PlainValue> {
        let mut values = vec![PlainValue::Draw; moves.len()];
        let mut decided = VecDeque::new();
        for (id, MoveCounts { win, unlost }) in moves.iter().enumerate() {
            if *win || *unlost == 0 {
                values[id] = if *win { PlainValue::Win(1) } else { PlainValue::Loss(1) };
                decided.push_back(id as u32);
            }
        }
        // Positions come out in the order in which they went in, which is that of their plies.
        while let Some(id) = decided.pop_front() {
            let value = values[id as usize];
            let sources = if ended.contains(&id) { &[] } else { self.sources[id as usize].as_slice() };
            for &source in sources {
                let (before, moves) = (&mut values[source as usize], &mut moves[source as usize]);
                match value {
                    _ if *before != PlainValue::Draw => continue,
                    PlainValue::Loss(plies) => *before = PlainValue::Win(plies + 1),
                    PlainValue::Win(plies) => {
                        moves.unlost -= 1;
                        if moves.unlost > 0 {
                            continue;
                        }
                        *before = PlainValue::Loss(plies + 1);
                    }
                    PlainValue::Draw => unreachable!("a position that is decided"),
                }
                decided.push_back(source);
            }
        }
        values
    }
}

/// Positions and their values.
pub struct PlainSolution<P> {
    graph: Arc<Graph<P>>,
    values: Vec<PlainValue>,
}

impl<P: Clone + Eq + Hash> PlainSolution<P> {
    /// Solves some positions in which the game continues, and all that moves reach from them. `None` if there are more
    /// than `most`.
    ///
    /// # Panics
    /// If a position has no move.
    pub fn of(
        roots: impl IntoIterator<Item = P>,
        most: usize,
        mut nexts: impl FnMut(&P) -> Vec<Next<P>>,
    ) -> Option<PlainSolution<P>> {
        let (ids, positions, moves, sources) = (HashMap::default(), Vec::new(), Vec::new(), Vec::new());
        let mut graph = Graph { ids, positions, moves, sources };
        for root in roots {
            graph.id(root);
        }
        while graph.moves.len() < graph.positions.len() {
            let id = graph.moves.len() as u32;
            let nexts = nexts(&graph.positions[id as usize]);
            assert!(!nexts.is_empty(), "a position in which the game continues has moves");
            let mut moves = MoveCounts { win: false, unlost: nexts.len() as u32 };
            for next in nexts {
                match next {
                    Next::End(end) => moves.end(end),
                    Next::Position(position) => {
                        let next = graph.id(position);
                        graph.sources[next as usize].push(id);
                    }
                }
            }
            graph.moves.push(moves);
            if graph.positions.len() > most {
                return None;
            }
        }
        let values = graph.values(graph.moves.clone(), &HashSet::new());
        Some(PlainSolution { graph: Arc::new(graph), values })
    }

    /// The same positions where a move to one of `ended` ends the game. `end` gives the result by the position before
    /// the move.
    #[must_use]
    pub fn with_ends(&self, ended: impl IntoIterator<Item = P>, end: impl Fn(&P) -> PlainEnd) -> PlainSolution<P> {
        let Graph { ids, positions, moves, sources } = &*self.graph;
        let ended: HashSet<u32> = ended.into_iter().filter_map(|position| ids.get(&position).copied()).collect();
        let mut moves = moves.clone();
        for source in ended.iter().flat_map(|id| &sources[*id as usize]).map(|source| *source as usize) {
            moves[source].end(end(&positions[source]));
        }
        PlainSolution { values: self.graph.values(moves, &ended), graph: Arc::clone(&self.graph) }
    }

    /// The positions in the order in which they were found.
    pub fn positions(&self) -> &[P] {
        &self.graph.positions
    }

    /// The values of [`positions`](PlainSolution::positions), in their order.
    pub fn values(&self) -> &[PlainValue] {
        &self.values
    }

    /// The value of a position; `None` if it is none of these.
    pub fn value(&self, position: &P) -> Option<PlainValue> {
        Some(self.values[*self.graph.ids.get(position)? as usize])
    }
}

impl NaivePosition {
    /// Solves this position, in which the game continues, without regard to repetition and limits of plies. `None` if
    /// it leads to more than `most` positions.
    pub fn solve(&self, most: usize) -> Option<PlainSolution<Placement>> {
        PlainSolution::of([self.at.clone()], most, |at| {
            let position = NaivePosition {
                rules: Arc::clone(&self.rules),
                at: at.clone(),
                rebel_arrived: None,
                general_moved: false,
            };
            let next = |mv| {
                let next = position.after(&mv);
                match next.ending() {
                    Some(ending) => Next::End(position.end(ending)),
                    None => Next::Position(next.at),
                }
            };
            position.moves().into_iter().map(next).collect()
        })
    }

    /// A reason why the game is over as a result of the side to move.
    fn end(&self, ending: &str) -> PlainEnd {
        match (ending.split(' ').next(), self.at.to_move) {
            (Some("general"), NaiveSide::General) | (Some("rebels"), NaiveSide::Rebels) => PlainEnd::Win,
            (Some("draw:"), _) => PlainEnd::Draw,
            _ => PlainEnd::Loss,
        }
    }
}

/// A fast hash, good enough for positions of a few words.
#[derive(Default)]
struct PositionHasher(u64);

impl Hasher for PositionHasher {
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

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(17) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
