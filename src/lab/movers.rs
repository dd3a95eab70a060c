//! Games of the engine against opponents without tables: random moves, and greedy captures.
//!
//! Any decent engine beats both. Games begin with the opening and some random plies, and end as draws at a limit of
//! plies.

use std::fmt;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use privy_base::random::Random;
use privy_base::threads::cores;
use privy_program::{CliError, find_variants, within};
use privy_referee::statistics::Tally;
use privy_rules::{Game, MovePath, Outcome, Side, Variant};
use privy_search::{Searcher, Stop};
use serde_json::json;

use super::endgames::EngineSide;
use super::play::{best_by_search, check_begins, play_out};
use super::{Lab, MoveLimit, meets_the_bar, percent, side_by_side};

/// An opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Mover {
    /// Any legal move
    Random,
    /// A win at once, else for the General the largest capture, for the Rebels the move that leaves the General the
    /// smallest one
    Greedy,
}

impl Mover {
    /// A move in a game that is not over, a random one of several.
    pub(super) fn choose(self, game: &Game, random: &mut Random) -> MovePath {
        let mut moves = game.legal_moves();
        if self == Mover::Greedy {
            let most = moves.iter().map(|move_| greed(game, move_)).max();
            moves.retain(|move_| Some(greed(game, move_)) == most);
        }
        random.pick(&moves).cloned().expect("an unfinished game has a move")
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
    /// Parallel games; by default as many as there are cores, but one with a limit of time
    #[arg(long, value_name = "N", value_parser = within(1_usize..=1_024))]
    games_at_a_time: Option<usize>,
    #[command(flatten)]
    engine: EngineSide,
}

/// Pairs of games against movers: the engine loses at most 2 % of them and wins at least 95 % of those that are not
/// tied
///
/// A pair is a game with the engine as General and one as Rebels. A move has 3,000 nodes unless --nodes or --time says
/// otherwise.
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
                    Mover::Random.choose(game, &mut random)
                } else if game.side() != engine {
                    mover.choose(game, &mut random)
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

/// `40 won, 0 drawn, 0 lost, median 31 plies`; without the median if no game is won.
impl fmt::Display for MoverResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoverResult { games: Tally { wins, draws, losses }, median_plies } = self;
        write!(f, "{wins} won, {draws} drawn, {losses} lost")?;
        median_plies.map_or(Ok(()), |plies| write!(f, ", median {plies} plies"))
    }
}
