//! The yardstick of the search: critical positions of games with tables, searched without tables and with the weights
//! of the family, as are the games on larger boards that no table serves.
//!
//! In a critical position few of the moves keep the value of the table. The positions come from games of plausible
//! play, one of each game, so that no two of them are alike, and are data: the files of the folder `critical`, a line
//! each with a position and the moves that keep its value. Every other line is for tuning, the rest for judging.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use privy_base::random::Random;
use privy_base::threads::cores;
use privy_program::{CliError, find_variants, within};
use privy_rules::{Game, MovePath, Variant, read_file};
use privy_search::eval::Weights;
use privy_search::{Limits, PreparedVariant, Searcher, Stop};
use privy_tables::{Table, TableError, TableValue, Tables};
use serde_json::json;

use super::play::{best_by_search, check_stop};
use super::{Lab, percent, side_by_side};

/// Random plies at the beginning of a game, at least and at most; later one move in `ERRORS` is random.
const RANDOM_PLIES: (u64, u64) = (4, 24);
const ERRORS: u64 = 6;
/// The nodes of the other moves.
const NODES: u64 = 300;
/// The plies after the random ones at which the position is looked for, and how many positions are tried from there on.
const PLIES: u64 = 60;
const TRIES: usize = 24;
/// At most one move in `FEW` keeps the value, or one alone where there are fewer.
const FEW: usize = 6;
/// The games played before positions are looked for in them, and the most for each position.
const GAMES_AT_ONCE: usize = 1_000;
const GAMES_OF_A_POSITION: usize = 200;
/// Shorter wins are found by any search.
const SHORTEST_WIN: u32 = 8;
pub(super) const HASH_MEBIBYTES: usize = 4;

pub(super) const FILES: [&str; 5] = [
    include_str!("critical/adugo.txt"),
    include_str!("critical/fox-and-geese-13.txt"),
    include_str!("critical/komikan.txt"),
    include_str!("critical/orissa-tiger.txt"),
    include_str!("critical/yaguarete-kora.txt"),
];

/// Find critical positions of solved games, for `measure critical`
///
/// Prints a line for each: the position, then the moves that keep its value. In the games from which they come, one of
/// each game, both sides search 300 nodes and make some random moves. Needs tables of the games.
#[derive(Args)]
pub(super) struct CriticalArguments {
    /// Ids of built-in games
    #[arg(required = true)]
    variants: Vec<String>,
    /// Positions of each variant
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = within(1_usize..=1_000_000))]
    positions: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = within(0_u64..=u64::MAX))]
    seed: u64,
}

impl CriticalArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let tables = Tables::new(lab.tables.choice());
        for variant in find_variants(&self.variants)? {
            let table = tables.find(&variant)?;
            let prepared = prepared(&variant);
            let (mut seen, mut games) = (HashSet::new(), 0);
            while seen.len() < self.positions {
                if games >= self.positions * GAMES_OF_A_POSITION {
                    let found = format!("{} of {} in {games} games", seen.len(), self.positions);
                    return Err(CliError::Failed(format!("too few critical positions: {found}")));
                }
                let new = || Searcher::prepared_for(Arc::clone(&prepared), HASH_MEBIBYTES);
                let found = side_by_side(GAMES_AT_ONCE, cores(), new, |searcher, number| {
                    let random = &mut Random::numbered(self.seed, (games + number) as u64);
                    of_game(&table, searcher, random, lab.stop)
                })?;
                games += GAMES_AT_ONCE;
                for (game, keeping) in found.into_iter().flatten() {
                    if seen.len() < self.positions && seen.insert(game.position().hash()) {
                        let texts: Vec<String> = keeping.iter().map(|move_| game.move_text(move_)).collect();
                        writeln!(lab.output, "{game}\t{}", texts.join(" "))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// The first critical position of a game from a random ply on, with the moves that keep its value.
fn of_game(
    table: &Table,
    searcher: &mut Searcher,
    random: &mut Random,
    stop: &Stop,
) -> Result<Option<(Game, Vec<MovePath>)>, CliError> {
    let mut game = table.variant().start();
    let random_plies = (RANDOM_PLIES.0 + random.below(RANDOM_PLIES.1 - RANDOM_PLIES.0 + 1)) as usize;
    let first = random_plies + random.below(PLIES) as usize;
    while game.outcome().is_none() && game.moves().len() < first + TRIES {
        check_stop(stop)?;
        if game.moves().len() >= first {
            let alone = game.without_history();
            if let Some(keeping) = critical(table, &alone)? {
                return Ok(Some((alone, keeping)));
            }
        }
        let is_random = game.moves().len() < random_plies || random.below(ERRORS) == 0;
        let move_ = match is_random {
            true => random.pick(&game.legal_moves()).cloned().expect("an unfinished game has a move"),
            false => best_by_search(searcher, &game, Limits { nodes: Some(NODES), ..Limits::default() }, stop),
        };
        game.play(move_);
    }
    Ok(None)
}

/// The moves that keep the value of a critical position; `None` where many do, or the win is short.
fn critical(table: &Table, game: &Game) -> Result<Option<Vec<MovePath>>, TableError> {
    let mut valued = match table.values(game) {
        Err(TableError::NotCovered(_)) => return Ok(None),
        valued => valued?,
    };
    let moves = valued.len();
    let best = valued.iter().map(|(_, value)| *value).max();
    let is_short = matches!(best, Some(TableValue::Win(..SHORTEST_WIN)));
    valued.retain(|(_, value)| Some(value.class()) == best.map(TableValue::class));
    let are_few = valued.len() < moves && valued.len() <= (moves / FEW).max(1);
    let is_lost = best.is_none_or(|best| best.class() < 0);
    Ok((are_few && !is_short && !is_lost).then(|| valued.into_iter().map(|(move_, _)| move_).collect()))
}

/// A variant with the weights of its family.
fn prepared(variant: &Arc<Variant>) -> Arc<PreparedVariant> {
    Arc::new(PreparedVariant::with_weights(variant, Some(Weights::of_family(variant))))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Half {
    Tuning,
    Judging,
}

/// Errors of the search in critical positions of games on 31 to 33 points, without tables and with family weights
///
/// An error is a move that does not keep the value of the table.
#[derive(Args)]
pub(super) struct ErrorsArguments {
    /// Files that `privy-lab critical` has printed, one of each game; those of five games without any
    files: Vec<PathBuf>,
    /// The half of the positions that changes are tuned to, or the one that judges them
    #[arg(long, value_enum, default_value = "judging")]
    half: Half,
    /// Positions that the engine looks at for a move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = within(1_u64..=1_000_000_000))]
    nodes: u64,
    /// Parallel searches; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = within(1_usize..=1_024))]
    searches: Option<usize>,
}

impl ErrorsArguments {
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let (mut all, mut wrong) = (0, 0);
        for file in files(&self.files)? {
            let positions = of_half(&file, self.half)?;
            let Some(first) = positions.first() else { continue };
            let variant = Arc::clone(first.game.variant());
            let prepared = prepared(&variant);
            let new = || Searcher::prepared_for(Arc::clone(&prepared), HASH_MEBIBYTES);
            let errs = side_by_side(positions.len(), self.searches.unwrap_or_else(cores), new, |searcher, number| {
                let Critical { game, keeping } = &positions[number];
                let best = best_by_search(searcher, game, limits, lab.stop);
                check_stop(lab.stop)?;
                Ok(!keeping.contains(&best))
            })?;
            let errors = errs.iter().filter(|errs| **errs).count();
            tell(lab, variant.id(), errors, errs.len())?;
            (all, wrong) = (all + errs.len(), wrong + errors);
        }
        tell(lab, "all", wrong, all)
    }
}

fn tell(lab: &mut Lab<'_>, name: &str, errors: usize, positions: usize) -> Result<(), CliError> {
    let share = percent(errors, positions);
    // 95 % of a binomial distribution.
    let width = 1.96 * (share * (100.0 - share) / positions.max(1) as f64).sqrt();
    lab.tell(
        format_args!("{name:20} {errors:5} errors in {positions:6} positions, {share:.2} % ± {width:.2}"),
        || json!({"variant": name, "errors": errors, "positions": positions, "percent": share, "interval": width}),
    )
}

pub(super) struct Critical {
    pub(super) game: Game,
    /// The moves that keep the value of the table.
    pub(super) keeping: Vec<MovePath>,
}

/// The texts of files, or those of the program.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<String>, CliError> {
    if paths.is_empty() {
        return Ok(FILES.iter().map(|file| (*file).to_owned()).collect());
    }
    paths.iter().map(|path| read_file(path).map_err(|error| CliError::File(error.to_string()))).collect()
}

/// The positions of a file for a half.
pub(super) fn of_half(file: &str, half: Half) -> Result<Vec<Critical>, CliError> {
    let lines = file.lines().skip(usize::from(half == Half::Judging)).step_by(2);
    let wrong = |line| CliError::File(format!("invalid line: {line:?}; expected a position, a tab, and its moves"));
    lines.map(|line| read(line).ok_or_else(|| wrong(line))).collect()
}

fn read(line: &str) -> Option<Critical> {
    let (position, moves) = line.split_once('\t')?;
    let game = Game::from_text(position, None).ok()?;
    let keeping = moves.split(' ').map(|move_| game.parse_move(None, move_).ok()).collect::<Option<Vec<_>>>()?;
    Some(Critical { game, keeping })
}
