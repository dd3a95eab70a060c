//! Simple players, against whom the engine is measured.

use std::ops::Range;
use std::time::{Duration, Instant};

use privy::random::Random as Numbers;
use privy::rules::family::Every;
use privy::rules::{CompiledRules, Game, Move, MovePath, Position, Side};
use privy::search::{Limits, Searcher, Stop};
use privy::tuning::Mover;

use super::random::Random;

/// Someone who plays.
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
        self.searcher.search(game, &self.limits, &Stop::default(), &mut |_| {}).unwrap().best
    }
}

/// A player who does not think.
pub struct Thoughtless(pub Mover, pub Numbers);

impl Player for Thoughtless {
    fn choose(&mut self, game: &Game) -> MovePath {
        self.0.choose(game, &mut self.1)
    }
}

/// How long a [`Uct`] player thinks about a move.
#[derive(Debug, Clone, Copy)]
pub enum Effort {
    /// So long.
    Time(Duration),
    /// So many playouts, which is the same on every machine.
    Playouts(usize),
}

/// Upper confidence bounds applied to trees (L. Kocsis, C. Szepesvári, 2006) with playouts of random moves.
///
/// The tree is new for every move. It knows nothing of repetition, and a playout that is not over after [`PLAYOUT_PLIES`]
/// is a draw.
pub struct Uct {
    random: Random,
    effort: Effort,
    nodes: Vec<Node>,
    /// The moves of a position, kept for their memory.
    moves: Vec<Move>,
}

/// Plies after which a playout is a draw.
const PLAYOUT_PLIES: usize = 200;

/// How much a move that was tried seldom is favoured; about the square root of 2, as for rewards between 0 and 1.
const EXPLORATION: f64 = 1.4;

/// A position in the tree.
struct Node {
    /// The action that led here, and what it led to.
    action: Option<Move>,
    state: Position,
    /// Who has won, when the game is over here.
    winner: Option<Side>,
    visits: u32,
    /// The sum of the rewards of the General.
    reward: f64,
    /// Where the nodes of its moves stand; nowhere until it is visited a second time.
    children: Range<usize>,
}

impl Node {
    fn new(action: Option<Move>, state: Position, winner: Option<Side>) -> Node {
        Node { action, state, winner, visits: 0, reward: 0.0, children: 0..0 }
    }
}

/// What a game is worth to the General.
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
        Side::General => rules.general_actions::<Every>(state, |action, _| moves.push(action)),
        Side::Rebels => rules.rebel_bundles(state, |from, targets| {
            moves.extend(targets.into_iter().map(|to| Move::rebel_step(from, to)));
        }),
    }
}

/// The position after an action, and who has won by it.
fn after(rules: &CompiledRules, state: &Position, action: &Move) -> (Position, Option<Side>) {
    let (next, _) = rules.play_unchecked(state, action);
    (next, rules.outcome::<Every>(&next, Some(action.to)).and_then(|outcome| outcome.winner()))
}

impl Uct {
    /// A player with random numbers of its own.
    pub fn new(random: Random, effort: Effort) -> Uct {
        Uct { random, effort, nodes: Vec::new(), moves: Vec::new() }
    }

    /// Goes down the tree to a new position or an end, and tells all positions on the way the reward of the General.
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
        for action in &self.moves {
            let (next, winner) = after(rules, &state, action);
            self.nodes.push(Node::new(Some(*action), next, winner));
        }
        self.nodes[at].children = first..self.nodes.len();
    }

    /// The child with the highest upper confidence bound (UCB1: P. Auer, N. Cesa-Bianchi, P. Fischer, 2002); first of all
    /// one that was never tried.
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
            let action = self.random.choose(&self.moves);
            let (next, winner) = after(rules, &state, &action);
            if winner.is_some() {
                return reward_of(winner);
            }
            state = next;
        }
        reward_of(None)
    }
}

impl Player for Uct {
    /// The move that was tried most.
    fn choose(&mut self, game: &Game) -> MovePath {
        let start = Instant::now();
        let rules = game.variant().rules();
        self.nodes.clear();
        self.nodes.push(Node::new(None, *game.position(), None));
        for playouts in 0.. {
            let is_done = match self.effort {
                Effort::Time(time) => start.elapsed() >= time,
                Effort::Playouts(most) => playouts >= most,
            };
            // Twice at least: the second visit is the first to know the moves.
            if is_done && playouts >= 2 {
                break;
            }
            self.visit(rules, 0);
        }
        let children = &self.nodes[self.nodes[0].children.clone()];
        let best = children.iter().max_by_key(|child| child.visits).and_then(|child| child.action);
        game.legal_moves().into_iter().find(|move_| Some(*move_.action()) == best).unwrap()
    }
}
