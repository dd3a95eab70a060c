//! Simple players: opponents of the engine in measurements.

use std::ops::Range;
use std::time::{Duration, Instant};

use privy::random::Random as Numbers;
use privy::rules::family::Every;
use privy::rules::{CompiledRules, Game, Move, MovePath, Position, Side};
use privy::search::{Limits, Searcher, Stop};
use privy::tuning::Mover;

use super::random::Random;

/// A player.
pub trait Player {
    /// A legal move of a game that is not over.
    fn choose(&mut self, game: &Game) -> MovePath;
}

/// The engine's search, without tables.
pub struct Engine {
    searcher: Searcher,
    limits: Limits,
}

impl Engine {
    /// The engine with a limit for each move.
    pub fn new(limits: Limits) -> Engine {
        Engine { searcher: Searcher::new(16), limits }
    }
}

impl Player for Engine {
    fn choose(&mut self, game: &Game) -> MovePath {
        self.searcher.search(game, self.limits, &Stop::default(), &mut |_| {}).unwrap().best
    }
}

/// A player without search: random moves or greedy captures.
pub struct SimpleMover(pub Mover, pub Numbers);

impl Player for SimpleMover {
    fn choose(&mut self, game: &Game) -> MovePath {
        self.0.choose(game, &mut self.1)
    }
}

/// The limit of a [`Uct`] player for a move.
#[derive(Debug, Clone, Copy)]
pub enum UctLimit {
    /// A time.
    Time(Duration),
    /// A number of playouts, which is reproducible.
    Playouts(usize),
}

/// Upper confidence bounds applied to trees (L. Kocsis, C. Szepesvári, 2006) with random playouts.
///
/// The tree is built anew for every move. It ignores repetition. A playout of [`PLAYOUT_PLIES`] is a draw.
pub struct Uct {
    random: Random,
    limit: UctLimit,
    nodes: Vec<Node>,
    /// A buffer for the moves of a position.
    moves: Vec<Move>,
}

/// Plies after which a playout is a draw.
const PLAYOUT_PLIES: usize = 200;

/// The exploration constant, about the square root of 2 for rewards between 0 and 1.
const EXPLORATION: f64 = 1.4;

/// A node of the tree.
struct Node {
    /// The move that leads here, and the position after it.
    move_: Option<Move>,
    state: Position,
    /// The winner, if the game is over here.
    winner: Option<Side>,
    visits: u32,
    /// The sum of the General's rewards.
    reward: f64,
    /// The range of the children; empty until the second visit.
    children: Range<usize>,
}

impl Node {
    fn new(move_: Option<Move>, state: Position, winner: Option<Side>) -> Node {
        Node { move_, state, winner, visits: 0, reward: 0.0, children: 0..0 }
    }
}

/// The reward of a result for the General.
fn reward_of(winner: Option<Side>) -> f64 {
    match winner {
        Some(Side::General) => 1.0,
        Some(Side::Rebels) => 0.0,
        None => 0.5,
    }
}

/// All moves of a position that is not over.
fn moves(rules: &CompiledRules, state: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    match state.side() {
        Side::General => rules.general_actions::<Every>(state, |move_, _| moves.push(move_)),
        Side::Rebels => rules.rebel_bundles(state, |from, targets| {
            moves.extend(targets.into_iter().map(|to| Move::rebel_step(from, to)));
        }),
    }
}

/// The position after a move, and the winner.
fn after(rules: &CompiledRules, state: &Position, move_: &Move) -> (Position, Option<Side>) {
    let (next, _) = rules.play_unchecked(state, move_);
    (next, rules.outcome::<Every>(&next, Some(move_.to)).and_then(|outcome| outcome.winner()))
}

impl Uct {
    /// A player with its own random numbers.
    pub fn new(random: Random, limit: UctLimit) -> Uct {
        Uct { random, limit, nodes: Vec::new(), moves: Vec::new() }
    }

    /// Descends to a new node or an end, and adds the reward of the General to all nodes on the way.
    fn visit(&mut self, rules: &CompiledRules, at: usize) -> f64 {
        let Node { state, winner, visits, .. } = self.nodes[at];
        let reward = match (winner, visits) {
            (Some(_), _) => reward_of(winner),
            (None, 0) => self.playout(rules, state),
            (None, _) => {
                self.expand(rules, at);
                let child = self.most_promising(at);
                self.visit(rules, child)
            }
        };
        let node = &mut self.nodes[at];
        node.visits += 1;
        node.reward += reward;
        reward
    }

    fn expand(&mut self, rules: &CompiledRules, at: usize) {
        if !self.nodes[at].children.is_empty() {
            return;
        }
        let state = self.nodes[at].state;
        let first = self.nodes.len();
        moves(rules, &state, &mut self.moves);
        self.random.shuffle(&mut self.moves);
        for move_ in &self.moves {
            let (next, winner) = after(rules, &state, move_);
            self.nodes.push(Node::new(Some(*move_), next, winner));
        }
        self.nodes[at].children = first..self.nodes.len();
    }

    /// The child with the highest upper confidence bound (UCB1: P. Auer, N. Cesa-Bianchi, P. Fischer, 2002). An unvisited child
    /// comes first.
    fn most_promising(&self, at: usize) -> usize {
        let parent = &self.nodes[at];
        let log = f64::from(parent.visits).ln();
        let bound = |child: &usize| {
            let node = &self.nodes[*child];
            if node.visits == 0 {
                return f64::INFINITY;
            }
            let visits = f64::from(node.visits);
            let general = node.reward / visits;
            let mean = if parent.state.side() == Side::General { general } else { 1.0 - general };
            mean + EXPLORATION * (log / visits).sqrt()
        };
        parent.children.clone().max_by(|a, b| bound(a).total_cmp(&bound(b))).unwrap()
    }

    fn playout(&mut self, rules: &CompiledRules, mut state: Position) -> f64 {
        for _ in 0..PLAYOUT_PLIES {
            moves(rules, &state, &mut self.moves);
            let move_ = self.random.choose(&self.moves);
            let (next, winner) = after(rules, &state, &move_);
            if winner.is_some() {
                return reward_of(winner);
            }
            state = next;
        }
        reward_of(None)
    }
}

impl Player for Uct {
    /// The move with most visits.
    fn choose(&mut self, game: &Game) -> MovePath {
        let start = Instant::now();
        let rules = game.variant().rules();
        self.nodes.clear();
        self.nodes.push(Node::new(None, *game.position(), None));
        for playouts in 0.. {
            let is_done = match self.limit {
                UctLimit::Time(time) => start.elapsed() >= time,
                UctLimit::Playouts(most) => playouts >= most,
            };
            // At least two visits: the second one expands the root.
            if is_done && playouts >= 2 {
                break;
            }
            self.visit(rules, 0);
        }
        let children = &self.nodes[self.nodes[0].children.clone()];
        let best = children.iter().max_by_key(|child| child.visits).and_then(|child| child.move_);
        game.legal_moves().into_iter().find(|move_| Some(*move_.action()) == best).unwrap()
    }
}
