//! The puzzles of the page: positions of plausible play in which one move alone wins or saves a draw, made and checked.

pub(super) mod check;
mod puzzle;

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;

use clap::Args;
use indicatif::ProgressBar;

use privy_base::random::Random;
use privy_engine::{Engine, PathChoice};
use privy_program::{CliError, find_variants, progress_bar, within};
use privy_rules::{Game, Side, Variant};
use privy_search::{Limits, SearchRequest, Searcher, Stop};
use privy_tables::Tables;
use privy_web::Puzzle;

use super::Lab;

use puzzle::{FEWEST_PLIES, are_alike, graded, puzzle_of};

/// The most random plies of an opening, and of a game.
const OPENING_PLIES: u64 = 6;
const GAME_PLIES: usize = 200;
/// The levels of the players: all but the highest, which makes no errors, and the lowest, which plays at random.
const LEVELS: std::ops::RangeInclusive<u64> = 3..=9;
/// Games played for each puzzle that is asked for.
const GAMES_OF_A_PUZZLE: u64 = 40;
const HASH_MEBIBYTES: usize = 16;

/// Make puzzles of a solved game: positions in which one move alone wins or saves a draw
///
/// The positions come from games of the engine against itself, forty for each puzzle, at levels from 3 to 9 after up to
/// six random plies: of each game the hardest for either side. The side to move has three moves or more. The grade, 1
/// to 10, is what a search without tables must look at to prefer the only move from then on: 32 positions at grade 1,
/// twice as many at each grade above, 16,384 or more at grade 10. Grades and sides are spread where the games allow it.
/// No two puzzles are alike: positions and their mirror images differ on a quarter of the points of the board at least,
/// on a third of them where they begin with the same move. Prints an object of JSON a line, as the page has them. Needs
/// a table of the game.
#[derive(Args)]
pub(super) struct PuzzlesArguments {
    /// Id or file of the game
    game: String,
    /// The longest win, or the longest line to a draw
    #[arg(long, value_name = "N", value_parser = within(FEWEST_PLIES..=1_000))]
    plies: u32,
    /// How many puzzles
    #[arg(long, value_name = "N", value_parser = within(1_u64..=100_000))]
    count: u64,
    /// The side that solves them: general or rebels
    #[arg(long)]
    side: Option<Side>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(0_u64..=u64::MAX))]
    seed: u64,
}

impl PuzzlesArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let variant = find_variants(std::slice::from_ref(&self.game))?.remove(0);
        let table = Tables::new(lab.tables.choice()).find(&variant)?;
        let stop = lab.stop;
        let (mut players, mut searcher) = (Players::new(&variant)?, Searcher::new(HASH_MEBIBYTES));
        let games = self.count * GAMES_OF_A_PUZZLE;
        let template = "{prefix}: {wide_bar} {pos}/{len} games, {msg} puzzles [{elapsed}, {eta} left]";
        let bar = progress_bar(ProgressBar::new(games), template, &variant);
        let mut pool: Vec<Puzzle> = Vec::new();
        for number in 0..games {
            bar.set_position(number);
            // Of either side.
            let mut hardest: [Option<Puzzle>; 2] = [None, None];
            for game in players.play(&mut Random::numbered(self.seed, number), stop)? {
                if self.side.is_some_and(|side| side != game.side()) || stop.is_set() {
                    continue;
                }
                let Some(puzzle) = puzzle_of(&table, &game, self.plies)? else { continue };
                let Some(puzzle) = graded(puzzle, &game, &mut searcher, stop) else { continue };
                let rank = |puzzle: &Puzzle| (puzzle.grade, puzzle.line.len(), puzzle.plies);
                let of_side = &mut hardest[game.side() as usize];
                if of_side.as_ref().is_none_or(|other| rank(other) < rank(&puzzle)) {
                    *of_side = Some(puzzle);
                }
            }
            if stop.is_set() {
                bar.finish_and_clear();
                return Err(CliError::Interrupted(format!("{number} of {games} games played, no puzzles chosen")));
            }
            pool.extend(hardest.into_iter().flatten());
            bar.set_message(pool.len().to_string());
        }
        bar.finish_and_clear();
        let chosen = chosen(pool, self.count, &variant);
        for puzzle in &chosen {
            let line = serde_json::to_string(puzzle).map_err(io::Error::from)?;
            writeln!(lab.output, "{line}")?;
        }
        let found = chosen.len() as u64;
        if found < self.count {
            let advice = "more plies, or another seed, would find others";
            return Err(CliError::Failed(format!("too few puzzles: {found} of {}; {advice}", self.count)));
        }
        Ok(())
    }
}

/// Chooses from a pool as many of each grade and side as there are, the hardest grade first, none like another. Sorted
/// by grade.
fn chosen(pool: Vec<Puzzle>, count: u64, variant: &Arc<Variant>) -> Vec<Puzzle> {
    let mut kinds: BTreeMap<(Reverse<u32>, Side), VecDeque<Puzzle>> = BTreeMap::new();
    for puzzle in pool {
        kinds.entry((Reverse(puzzle.grade), puzzle.side)).or_default().push_back(puzzle);
    }
    let mut chosen: Vec<Puzzle> = Vec::new();
    while kinds.values().any(|puzzles| !puzzles.is_empty()) && (chosen.len() as u64) < count {
        for puzzles in kinds.values_mut() {
            let is_new = |puzzle: &Puzzle| !chosen.iter().any(|other| are_alike(puzzle, other, variant));
            let next = std::iter::from_fn(|| puzzles.pop_front()).find(is_new);
            if (chosen.len() as u64) < count {
                chosen.extend(next);
            }
        }
    }
    chosen.sort_by_key(|puzzle| puzzle.grade);
    chosen
}

/// The engine against itself.
struct Players {
    engine: Engine,
}

impl Players {
    fn new(variant: &Arc<Variant>) -> Result<Players, CliError> {
        let mut engine = Engine::at(variant.start());
        // Levels do not use tables.
        engine.configure(|options| (options.tables, options.hash) = (PathChoice::Off, HASH_MEBIBYTES as u64))?;
        Ok(Players { engine })
    }

    /// The positions of a game in which a side is to move, without those of its random opening and without their
    /// history.
    fn play(&mut self, random: &mut Random, stop: &Stop) -> Result<Vec<Game>, CliError> {
        let engine = &mut self.engine;
        engine.set_position(None, &[])?;
        engine.configure(|options| options.seed = random.next_number() >> 1)?;
        for _ in 0..random.below(OPENING_PLIES + 1) {
            let moves = engine.game().legal_moves();
            random.pick(&moves).cloned().into_iter().for_each(|move_| engine.play_move(move_));
        }
        let levels = [(); 2].map(|()| LEVELS.start() + random.below(LEVELS.count() as u64));
        // The levels have their own limits; a search without any waits for a stop.
        let request = SearchRequest::from(Limits { nodes: Some(u64::MAX), ..Limits::default() });
        let mut positions = Vec::new();
        while engine.game().outcome().is_none() && positions.len() < GAME_PLIES && !stop.is_set() {
            positions.push(engine.game().without_history());
            let level = levels[engine.game().side() as usize];
            engine.configure(|options| options.level = level)?;
            let found = engine.go(&request, stop, None)?;
            engine.play_move(found.best);
        }
        Ok(positions)
    }
}
