//! Games of the engine against opponents without tables: random moves, greedy captures, and a tree search with random playouts.
//!
//! Any decent engine beats all of them. Games begin with the opening and some random plies, and end as draws at a limit of plies.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use privy::cli::{CliError, find_variants, within};
use privy_base::random::Random;
use privy_base::threads::cores;
use privy_fit::{best_by_search, check_begins, play_out};
use privy_referee::statistics::Tally;
use privy_rules::family::Every;
use privy_rules::{CompiledRules, Game, Move, MovePath, Outcome, Position, Side, Variant};
use privy_search::{Limits, Searcher, Stop};
use serde_json::json;

use super::endgames::EngineSide;
use super::{Lab, MoveLimit, meets_the_bar, percent, side_by_side};

/// An opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Mover {
    /// Any legal move
    Random,
    /// A win at once, else for the General the largest capture, for the Rebels the move that leaves the General the smallest one
    Greedy,
    /// A tree search with random playouts, with the limit of the engine: a node is a playout
    Uct,
}

impl Mover {
    /// A move in a game that is not over, a random one of several.
    pub(super) fn choose(self, game: &Game, random: &mut Random, limits: &Limits, stop: &Stop) -> MovePath {
        let mut moves = game.legal_moves();
        match self {
            Mover::Random => {}
            Mover::Greedy => {
                let most = moves.iter().map(|move_| greed(game, move_)).max();
                moves.retain(|move_| Some(greed(game, move_)) == most);
            }
            Mover::Uct => return TreeSearch::new(random).choose(game, limits, stop),
        }
        random.pick(&moves).cloned().expect("a game that goes on has a move")
    }
}

/// A win at once first, then the Rebels taken, or minus those given.
fn greed(game: &Game, move_: &MovePath) -> (bool, i64) {
    let taken = |move_: &MovePath| i64::from(move_.action().captured.len());
    let next = game.after(move_);
    let wins = next.outcome().and_then(Outcome::winner) == Some(game.side());
    match game.side() {
        Side::General => (wins, taken(move_)),
        Side::Rebels => (wins, -next.legal_moves().iter().map(taken).max().unwrap_or(0)),
    }
}

impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mover::Random => "random",
            Mover::Greedy => "greedy",
            Mover::Uct => "uct",
        })
    }
}

// Games against movers.
#[derive(Args)]
pub(super) struct MoverArguments {
    /// Ids or files of variants
    #[arg(required = true)]
    variants: Vec<String>,
    /// The opponents
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_values = ["random", "greedy"])]
    opponents: Vec<Mover>,
    /// Games of each variant, side and opponent
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = within(1_usize..=1_000_000))]
    games: usize,
    #[command(flatten)]
    limit: MoveLimit,
    /// Plies after which a game is a draw; to take eleven Geese of seventeen takes some two hundred
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = within(1_usize..=100_000))]
    plies: usize,
    /// Random plies at the beginning of a game
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = within(0_usize..=100))]
    random_plies: usize,
    /// Games at a time; as many as there are cores without it, but with a limit of time one
    #[arg(long, value_name = "N", value_parser = within(1_usize..=1_024))]
    games_at_a_time: Option<usize>,
    #[command(flatten)]
    engine: EngineSide,
}

/// Pairs of games against movers: the engine loses at most 2 % of them and wins at least 95 % of those that are not tied
///
/// A pair is a game with the engine as General and one as Rebels. A move has 3,000 nodes unless --nodes or --time says otherwise.
#[derive(Args)]
pub(super) struct MoverCheckArguments {
    #[command(flatten)]
    movers: MoverArguments,
    /// Every single game must be won; a draw by repetition fails
    #[arg(long)]
    all_won: bool,
}

impl MoverCheckArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let pairs = self.movers.run(lab)?;
        let failed: Vec<&str> =
            pairs.iter().filter(|(_, points)| !self.holds(points)).map(|(name, _)| name.as_str()).collect();
        meets_the_bar(failed.is_empty(), || failed.join("; "))
    }

    /// True if the points of pairs of games meet the bar.
    fn holds(&self, points: &[i32]) -> bool {
        if self.all_won {
            let most = self.movers.engine.sides().count() as i32;
            return points.iter().all(|points| *points == most);
        }
        let count = |sign| points.iter().filter(|points| points.signum() == sign).count();
        let (won, lost) = (count(1), count(-1));
        percent(lost, points.len()) <= 2.0 && (percent(won, won + lost) >= 95.0 || won + lost == 0)
    }
}

/// What was played against whom, and the points of each pair of games: a win counts 1, a loss -1.
type PairPoints = (String, Vec<i32>);

/// Results of the engine against a mover.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MoverResult {
    pub(super) games: Tally,
    /// Of the games won, if any.
    median_plies: Option<usize>,
}

impl MoverArguments {
    /// Plays all games and writes a line for each variant, side and opponent.
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<Vec<PairPoints>, CliError> {
        let mut pairs = Vec::new();
        for variant in find_variants(&self.variants)? {
            let name = |mover| (format!("{} against {mover} moves", variant.id()), vec![0; self.games]);
            let mut of_variant: Vec<PairPoints> = self.opponents.iter().map(name).collect();
            for engine in self.engine.sides() {
                for (mover, (_, points)) in self.opponents.iter().zip(&mut of_variant) {
                    let played = self.play(&variant, engine, *mover, lab.stop)?;
                    let won = |winner| if winner == engine { 1 } else { -1 };
                    points.iter_mut().zip(&played).for_each(|(points, (winner, _))| *points += winner.map_or(0, won));
                    let result = MoverResult::of(engine, &played);
                    lab.tell(format_args!("{}: {engine} against {mover} moves: {result}", variant.id()), || {
                        let MoverResult { games: Tally { wins, draws, losses }, median_plies } = &result;
                        json!({
                            "variant": variant.id(), "side": engine, "against": mover.to_string(), "won": wins,
                            "drawn": draws, "lost": losses, "median_plies": median_plies,
                        })
                    })?;
                }
            }
            pairs.extend(of_variant);
        }
        Ok(pairs)
    }

    /// The winners and plies of games.
    pub(super) fn play(
        &self,
        variant: &Arc<Variant>,
        engine: Side,
        mover: Mover,
        stop: &Stop,
    ) -> Result<Vec<(Option<Side>, usize)>, CliError> {
        check_begins(variant)?;
        let prepared = self.engine.prepared(variant)?;
        let limits = self.limit.or_nodes(3_000);
        let usual = || if limits.time.is_some() { 1 } else { cores() };
        let play_one = |(): &mut (), number| {
            let mut random = Random::numbered(self.engine.seed, number as u64);
            let mut searcher = Searcher::prepared_for(Arc::clone(&prepared), 4);
            let mut game = variant.start();
            let winner = play_out(&mut game, self.plies, stop, |game| {
                Ok(if game.moves().len() < self.random_plies {
                    Mover::Random.choose(game, &mut random, &limits, stop)
                } else if game.side() != engine {
                    mover.choose(game, &mut random, &limits, stop)
                } else {
                    best_by_search(&mut searcher, game, limits, stop)
                })
            })?;
            Ok((winner, game.moves().len()))
        };
        side_by_side(self.games, self.games_at_a_time.unwrap_or_else(usual), || (), play_one)
    }
}

impl MoverResult {
    /// Of games with their winners and plies.
    pub(super) fn of(engine: Side, played: &[(Option<Side>, usize)]) -> MoverResult {
        let mut games = Tally::default();
        played.iter().for_each(|(winner, _)| games += Tally::of_game(engine, *winner));
        let won = played.iter().filter(|(winner, _)| *winner == Some(engine));
        let mut lengths: Vec<usize> = won.map(|(_, plies)| *plies).collect();
        lengths.sort_unstable();
        MoverResult { games, median_plies: lengths.get(lengths.len() / 2).copied() }
    }
}

/// `40 won, 0 drawn, 0 lost, median 31 plies`; without the median where none is won.
impl fmt::Display for MoverResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoverResult { games: Tally { wins, draws, losses }, median_plies } = self;
        write!(f, "{wins} won, {draws} drawn, {losses} lost")?;
        median_plies.map_or(Ok(()), |plies| write!(f, ", median {plies} plies"))
    }
}

/// Upper confidence bounds applied to trees (L. Kocsis, C. Szepesvári, 2006) with random playouts.
///
/// The tree is built anew for every move. It ignores repetition. A playout of [`PLAYOUT_PLIES`] is a draw.
struct TreeSearch<'a> {
    random: &'a mut Random,
    nodes: Vec<TreeNode>,
    /// A buffer for the moves of a position.
    moves: Vec<Move>,
}

/// Plies after which a playout is a draw.
const PLAYOUT_PLIES: usize = 200;
/// The exploration constant, about the square root of 2 for rewards between 0 and 1.
const EXPLORATION: f64 = 1.4;

struct TreeNode {
    /// The move that leads here, and the position after it.
    move_: Option<Move>,
    position: Position,
    /// The winner, if the game is over here.
    winner: Option<Side>,
    visits: u32,
    /// The sum of the General's rewards.
    reward: f64,
    /// The range of the children; empty until the second visit.
    children: Range<usize>,
}

impl TreeNode {
    fn new(move_: Option<Move>, position: Position, winner: Option<Side>) -> TreeNode {
        TreeNode { move_, position, winner, visits: 0, reward: 0.0, children: 0..0 }
    }
}

/// The reward of a result for the General.
fn reward_of(winner: Option<Side>) -> f64 {
    winner.map_or(0.5, |winner| f64::from(u8::from(winner == Side::General)))
}

/// Fills `moves` with those of a position that is not over.
fn find_moves(rules: &CompiledRules, position: &Position, moves: &mut Vec<Move>) {
    moves.clear();
    match position.side() {
        Side::General => rules.general_actions::<Every>(position, |move_, _| moves.push(move_)),
        Side::Rebels => rules.rebel_bundles(position, |from, targets| {
            moves.extend(targets.into_iter().map(|to| rules.rebel_move(from, to)));
        }),
    }
}

/// The position after a move, and the winner.
fn after(rules: &CompiledRules, position: &Position, move_: &Move) -> (Position, Option<Side>) {
    let (next, _) = rules.play_unchecked(position, move_);
    (next, rules.outcome::<Every>(&next, Some(move_.to)).and_then(Outcome::winner))
}

impl TreeSearch<'_> {
    fn new(random: &mut Random) -> TreeSearch<'_> {
        TreeSearch { random, nodes: Vec::new(), moves: Vec::new() }
    }

    /// The move with most visits. Limits of nodes are playouts.
    fn choose(mut self, game: &Game, limits: &Limits, stop: &Stop) -> MovePath {
        let start = Instant::now();
        let rules = game.variant().rules();
        self.nodes.clear();
        self.nodes.push(TreeNode::new(None, *game.position(), None));
        for playouts in 0.. {
            let is_done = limits.time.is_some_and(|time| start.elapsed() >= time)
                || limits.nodes.is_some_and(|most| playouts >= most)
                || stop.is_set();
            // At least two visits: the second one expands the root.
            if is_done && playouts >= 2 {
                break;
            }
            self.visit(rules, 0);
        }
        let children = &self.nodes[self.nodes[0].children.clone()];
        let best = children.iter().max_by_key(|child| child.visits).and_then(|child| child.move_);
        let mut moves = game.legal_moves().into_iter();
        moves.find(|move_| Some(*move_.action()) == best).expect("the children of the root are its moves")
    }

    /// Descends to a new node or an end, and adds the reward of the General to all nodes on the way.
    fn visit(&mut self, rules: &CompiledRules, at: usize) -> f64 {
        let TreeNode { position, winner, visits, .. } = self.nodes[at];
        let reward = match (winner, visits) {
            (Some(_), _) => reward_of(winner),
            (None, 0) => self.playout(rules, position),
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
        let position = self.nodes[at].position;
        let first = self.nodes.len();
        find_moves(rules, &position, &mut self.moves);
        self.random.shuffle(&mut self.moves);
        for move_ in &self.moves {
            let (next, winner) = after(rules, &position, move_);
            self.nodes.push(TreeNode::new(Some(*move_), next, winner));
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
            let mean = if parent.position.side() == Side::General { general } else { 1.0 - general };
            mean + EXPLORATION * (log / visits).sqrt()
        };
        let best = parent.children.clone().max_by(|a, b| bound(a).total_cmp(&bound(b)));
        best.expect("a position that is not over has moves")
    }

    fn playout(&mut self, rules: &CompiledRules, mut position: Position) -> f64 {
        for _ in 0..PLAYOUT_PLIES {
            find_moves(rules, &position, &mut self.moves);
            let move_ = *self.random.pick(&self.moves).expect("a position that is not over has moves");
            let (next, winner) = after(rules, &position, &move_);
            if winner.is_some() {
                return reward_of(winner);
            }
            position = next;
        }
        reward_of(None)
    }
}
