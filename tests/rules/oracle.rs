//! Random games: the engine and the naive oracle agree at every position.
//!
//! Games begin at the opening or at a random position. Half of them prefer captures, the privy and the General's
//! neighbourhood, so that rare rules are reached. Seeds are fixed: game 17 of a variant is always the same.
//!
//! The default run plays some 20 games of each variant and of each relative. The long run plays 75,000 of each and
//! compares fewer positions two plies deep:
//!
//! ```text
//! PRIVY_CASES=4000 PRIVY_ORACLE_DEEP=100 cargo test --release --test all rules::oracle:: -- --nocapture
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use privy_oracle::Oracle;
use privy_rules::board::Point;
use privy_rules::rule_set::{JumpLines, JumpRule};
use privy_rules::{Game, MovePath, Outcome, Side, Variant, perft};
use privy_testing::cases;
use privy_testing::exactness::rows;
use privy_testing::oracle;
use privy_testing::random::Random;

use privy_testing::settings;

/// Games of each variant.
const GAMES: u32 = 20;
/// The limit of plies of a game.
const PLIES: usize = 200;
/// One position in this number is compared two plies deep and read by the oracle from its text, unless
/// `PRIVY_ORACLE_DEEP` is set.
const DEEP: u64 = 4;

/// Counts of a run, for one variant.
#[derive(Default)]
struct Statistics {
    games: usize,
    set_up: usize,
    refused: usize,
    positions: usize,
    deep: usize,
    captures: usize,
    results: BTreeMap<String, usize>,
}

impl Statistics {
    fn add(&mut self, other: &Statistics) {
        self.games += other.games;
        self.set_up += other.set_up;
        self.refused += other.refused;
        self.positions += other.positions;
        self.deep += other.deep;
        self.captures += other.captures;
        for (result, count) in &other.results {
            *self.results.entry(result.clone()).or_default() += count;
        }
    }

    fn report(&self, name: &str) -> String {
        let results: Vec<String> = self.results.iter().map(|(result, count)| format!("{result} {count}")).collect();
        format!(
            "{name}: {} games ({} set up, {} set-ups refused by both), {} positions ({} deep), {} captures\n    {}",
            self.games,
            self.set_up,
            self.refused,
            self.positions,
            self.deep,
            self.captures,
            results.join(", ")
        )
    }
}

/// How the moves of a random game are chosen.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    /// Any legal move.
    Plain,
    /// Prefers captures, the privy, the exits and the General's neighbourhood.
    Eager,
    /// As `Eager`, but often steps back and forth, so that positions repeat.
    Restless,
}

/// A random position text, often one that no game reaches.
fn random_set_up(variant: &Variant, random: &mut Random) -> String {
    let board = variant.board();
    let points: Vec<Point> = board.all().into_iter().collect();
    let privy: Vec<Point> = board.privy.into_iter().collect();
    let can_general_be_in_hand = !board.has(variant.opening().general());
    let general = match () {
        () if can_general_be_in_hand && random.one_in(4) => Point::HAND,
        () if !privy.is_empty() && random.one_in(2) => random.choose(&privy),
        () => random.choose(&points),
    };
    let hand = if random.one_in(2) { random.below(usize::from(variant.opening().hand()) + 1) } else { 0 };
    let most = variant.opening().rebels_left() as usize - hand;
    let mut missing = match random.below(4) {
        0 => random.below(most + 1),
        1 => random.below(6).min(most),
        _ => most - random.below(most / 2 + 1),
    };
    let mut rebels = Vec::new();
    let closing = random.one_in(3);
    let mut free: Vec<Point> = variant.rules().ground.into_iter().filter(|p| *p != general).collect();
    if closing {
        // Rebels on the exits first: the closed privy.
        free.sort_by_key(|p| board.exits.contains(*p));
    } else if random.one_in(3) {
        // Rebels at the top first: Rebels without a move.
        free.sort_by_key(|p| board.spot(*p).y);
    } else {
        random.shuffle(&mut free);
    }
    while missing > 0 {
        let Some(point) = free.pop() else { break };
        rebels.push(point);
        missing -= 1;
        if random.one_in(8) {
            random.shuffle(&mut free);
        }
    }
    let mut text = rows(variant, general, rebels.into_iter().collect());
    let in_hand = [if general == Point::HAND { "G" } else { "" }.to_owned(), format!("r{hand}")].concat();
    match in_hand.trim_end_matches("r0") {
        "" => {}
        in_hand => text += &format!("[{in_hand}]"),
    }
    let side = if random.one_in(2) { 'g' } else { 'r' };
    let apex = if !variant.rules().return_apex.is_empty() && random.one_in(3) { "a" } else { "" };
    let flags = match variant.rule_set().free_jumps {
        0 if apex.is_empty() => "-".to_owned(),
        0 => apex.to_owned(),
        most => format!("{apex}{}", random.below(usize::from(most) + 1)),
    };
    let _ = write!(text, " {side} {flags} {} {}", random.below(40), random.below(200));
    text
}

/// A random position that engine and oracle both accept. Both must refuse every other one.
fn set_up(variant: &Arc<Variant>, random: &mut Random, statistics: &mut Statistics) -> (Game, Oracle) {
    loop {
        let text = random_set_up(variant, random);
        match (Game::from_text(&text, Some(variant)), oracle::from_text(variant.id(), &text)) {
            (Ok(position), Ok(oracle)) => return (position, oracle),
            (Err(_), Err(_)) => statistics.refused += 1,
            (engine, oracle) => panic!("{text}: engine {engine:?}, oracle {:?}", oracle.map(|o| o.text())),
        }
    }
}

/// Compares the legal moves and their captures; returns the number of moves.
fn compare_moves(game: &Game, oracle: &Oracle) -> u64 {
    let board = game.board();
    let captured = |m: &MovePath| board.names(m.action().captured).split_whitespace().map(str::to_owned).collect();
    let described = game.legal_moves().into_iter().map(|m| (game.move_text(&m), captured(&m)));
    let mut moves: Vec<(String, Vec<String>)> = described.collect();
    moves.sort();
    assert_eq!(moves, oracle.moves_with_captures(), "legal moves and what they take in {game}");
    moves.len() as u64
}

/// Compares all results for the position to move in.
fn compare(game: &Game, oracle: &Oracle, random: &mut Random, statistics: &mut Statistics) {
    let position = &game.without_history();
    let text = game.to_string();
    assert_eq!(text, oracle.text());
    assert_eq!(game.outcome().map(|outcome| outcome.to_string()), oracle.result(), "result of {text}");

    let expected = compare_moves(game, oracle);
    let at_once = if game.outcome().is_none() { expected } else { oracle.perft(1) };
    assert_eq!(perft(position, 1, &mut || false), Some(at_once), "perft 1 of {text}");

    let read = Game::from_text(&text, None).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(read.position(), game.position(), "{text} read back");
    assert_eq!(read.to_string(), text);
    assert_eq!(read.position().hash(), game.position().hash(), "hash of {text}");
    if position.outcome() != Some(Outcome::Custodial) {
        assert_eq!(read.outcome(), position.outcome(), "{text} read back");
    }

    if random.one_in(settings::number("PRIVY_ORACLE_DEEP", DEEP) as usize) {
        assert_eq!(perft(position, 2, &mut || false), Some(oracle.perft(2)), "perft 2 of {text}");
        let reread =
            oracle::from_text(position.variant().id(), &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.outcome().map(|outcome| outcome.to_string()), reread.result(), "{text} read by both");
        statistics.deep += 1;
    }
    statistics.positions += 1;
}

/// The next move in the style of the game.
fn choose(game: &Game, style: Style, random: &mut Random) -> MovePath {
    let moves = game.legal_moves();
    if style == Style::Restless && !random.one_in(4) {
        let own_last = game.moves().rev().nth(1).map(|m| *m.action());
        let back =
            |m: &&MovePath| own_last.is_some_and(|last| m.action().from == last.to && m.action().to == last.from);
        if let Some(back) = moves.iter().find(back) {
            return back.clone();
        }
    }
    let board = game.board();
    let tempting = |m: &&MovePath| {
        let action = m.action();
        match game.side() {
            Side::General => !action.captured.is_empty() || board.privy.contains(action.to),
            Side::Rebels => {
                let near = board.neighbours(game.position().general()) | board.exits;
                near.contains(action.to)
            }
        }
    };
    let good: Vec<MovePath> = moves.iter().filter(tempting).cloned().collect();
    if style != Style::Plain && !good.is_empty() && !random.one_in(3) {
        return random.choose(&good);
    }
    random.choose(&moves)
}

/// Plays a random game, both sides at random.
fn play(variant: &Arc<Variant>, number: usize, random: &mut Random) -> Statistics {
    let mut statistics = Statistics { games: 1, ..Statistics::default() };
    let style = [Style::Plain, Style::Plain, Style::Eager, Style::Restless][number % 4];
    let start = variant.start();
    let (mut game, mut oracle) = if number % 8 < 4 && start.outcome().is_none() {
        (start, oracle::opening(variant.id()))
    } else {
        statistics.set_up += 1;
        set_up(variant, random, &mut statistics)
    };
    compare(&game, &oracle, random, &mut statistics);
    for _ in 0..PLIES {
        if game.outcome().is_some() {
            break;
        }
        let move_ = choose(&game, style, random);
        statistics.captures += usize::from(!move_.action().captured.is_empty());
        oracle.play(&game.move_text(&move_));
        game.play(move_);
        compare(&game, &oracle, random, &mut statistics);
    }
    let result = game.outcome().map_or("unfinished".to_owned(), |outcome| outcome.to_string());
    statistics.results.insert(result, 1);
    statistics
}

fn variants() -> Vec<Arc<Variant>> {
    Variant::all_ids().map(|id| Variant::builtin(id).unwrap()).collect()
}

/// Plays all games, by as many threads as there are cores.
fn play_all(games: usize) -> Vec<(String, Statistics)> {
    let variants = variants();
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut met: Vec<Statistics> = variants.iter().map(|_| Statistics::default()).collect();
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            let (index, number) = (task / games, task % games);
            let Some(variant) = variants.get(index) else { return met };
            let mut random = Random::new(1_000_003 * index as u64 + number as u64);
            met[index].add(&play(variant, number, &mut random));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut sums: Vec<_> = variants.iter().map(|variant| (variant.id().to_owned(), Statistics::default())).collect();
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        for handle in handles {
            let met = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            sums.iter_mut().zip(&met).for_each(|((_, sum), part)| sum.add(part));
        }
    });
    sums
}

#[test]
fn engine_and_oracle_agree_at_every_position_of_random_games() {
    let games = cases(GAMES) as usize;
    let start = Instant::now();
    let per_variant = play_all(games);
    let mut total = Statistics::default();
    for (id, statistics) in &per_variant {
        println!("{}", statistics.report(id));
        total.add(statistics);
        assert_eq!(statistics.games, games, "{id}");
    }
    println!("{}\n{:.1} s", total.report("all"), start.elapsed().as_secs_f64());
    // No built-in game has a limit of moves or lets the Rebels win by repetition; only games of others have these ends.
    let limits =
        [Outcome::MoveLimit(None), Outcome::MoveLimit(Some(Side::General)), Outcome::MoveLimit(Some(Side::Rebels))];
    let others =
        [Outcome::Repetition(Some(Side::Rebels)), Outcome::Trap, Outcome::Goal(Side::Rebels), Outcome::NoMove(None)];
    let never = [limits.as_slice(), &others].concat();
    for outcome in outcomes().filter(|outcome| !never.contains(outcome)) {
        assert!(total.results.contains_key(&outcome.to_string()), "no game ended with: {outcome}");
    }
}

/// All outcomes.
fn outcomes() -> impl Iterator<Item = Outcome> {
    use Outcome::{
        Apex, Attrition, Bottom, Custodial, Goal, MoveLimit, NoMove, Past, PrivyClosed, Repetition, Return, Trap,
    };
    let by_one = [Return, Trap, Bottom, Past, Attrition, Custodial, PrivyClosed];
    let by_either = [Side::General, Side::Rebels].into_iter().flat_map(|side| [Apex(side), Goal(side)]);
    let winners = [None, Some(Side::General), Some(Side::Rebels)];
    let by_any = winners.into_iter().flat_map(|winner| [NoMove(winner), Repetition(winner), MoveLimit(winner)]);
    by_one.into_iter().chain(by_either).chain(by_any)
}

/// A changed key of a game's file, for engine and oracle alike.
const CHANGES: [&str; 16] = [
    "rebels_at_most = \"none\"",
    "rebels_at_most = 0",
    "rebels_at_most = 9",
    "apex = \"none\"",
    "apex = \"general\"",
    "apex = \"rebels\"",
    "apex = \"return\"",
    "first = \"general\"",
    "first = \"rebels\"",
    "jump = \"free\"",
    REPETITIONS[0],
    REPETITIONS[1],
    REPETITIONS[2],
    "move_limit = { plies = 8 }",
    "move_limit = { plies = 8, winner = \"general\" }",
    "move_limit = { plies = 8, winner = \"rebels\" }",
];

/// The winner by a third occurrence.
const REPETITIONS: [&str; 3] = ["repetition = \"draw\"", "repetition = \"general\"", "repetition = \"rebels\""];

/// The opening of a variant with a changed key, for engine and oracle; `None` where both refuse the opening.
fn with_change(id: &str, change: &str) -> Option<(Game, Oracle)> {
    let changed = Variant::from_toml(&format!("id = \"{id}\"\ntitle = \"\"\nextends = \"{id}\"\n{change}"), None);
    let oracle = Oracle::opening(&Arc::new(oracle::changed(id, change, None)));
    assert_eq!(changed.is_err(), oracle.is_no_opening(), "{id} with {change}");
    Some((Arc::new(changed.ok()?).start(), oracle))
}

#[test]
fn engine_and_oracle_agree_with_one_changed_key() {
    let mut ended_by_limit = 0;
    for variant in variants() {
        let rules = variant.rule_set();
        for change in CHANGES {
            if change.starts_with("apex") && variant.board().apex.is_empty() {
                continue;
            }
            // Without jumps, or with jumps along diagonals only, more than one key would have to change.
            if change.starts_with("jump") && (rules.jump == JumpRule::None || rules.jump_lines != JumpLines::Any) {
                continue;
            }
            let Some((mut game, mut oracle)) = with_change(variant.id(), change) else { continue };
            let mut random = Random::new(7);
            for _ in 0..30 {
                let what = format!("{change}: {game}");
                assert_eq!(game.outcome().map(|outcome| outcome.to_string()), oracle.result(), "{what}");
                for depth in 1..=2 {
                    assert_eq!(
                        perft(&game, depth, &mut || false),
                        Some(oracle.perft(depth)),
                        "perft {depth} of {what}"
                    );
                }
                if game.outcome().is_some() {
                    ended_by_limit += u32::from(change.starts_with("move_limit") && game.plies_since_capture() >= 8);
                    break;
                }
                compare_moves(&game, &oracle);
                let move_ = choose(&game, Style::Eager, &mut random);
                oracle.play(&game.move_text(&move_));
                game.play(move_);
            }
        }
    }
    assert!(ended_by_limit >= 20, "{ended_by_limit} games ended by a limit");
}

/// Both sides step to and fro until the opening occurs for the third time; each result by repetition is set in turn.
#[test]
fn the_third_occurrence_ends_the_game_by_the_repetition_rule() {
    let games = [
        ("sixteen-rebels", ["c3-c4", "a4-b4", "c4-c3", "b4-a4"]),
        ("fox-and-geese-13", ["a3-a4", "d4-d5", "a4-a3", "d5-d4"]),
        ("hare-and-hounds", ["a2-b2", "b5-a4", "b2-a2", "a4-b5"]),
    ];
    for (id, circle) in games {
        for (change, expected) in
            REPETITIONS.into_iter().zip(["draw: repetition", "general wins: repetition", "rebels win: repetition"])
        {
            let (mut game, mut oracle) = with_change(id, change).unwrap();
            for move_ in circle.iter().cycle().take(2 * circle.len()) {
                assert_eq!((game.outcome(), oracle.result()), (None, None), "{game}");
                game.play(game.parse_move(None, move_).unwrap());
                oracle.play(move_);
            }
            let outcome = game.outcome().unwrap();
            assert_eq!(outcome.to_string(), expected, "{id}");
            assert_eq!(oracle.result().as_deref(), Some(expected), "{id}");
            assert_eq!(outcome.winner(), game.variant().rules().winner_by_repetition);
            assert!(game.legal_moves().is_empty() && oracle.legal_moves().is_empty());
        }
    }
}
