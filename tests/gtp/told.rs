//! The same position is told alike by every command: `go`, the three analyses, `explain`, `privy go --json`, and the
//! drawings of GoGui's session.
//!
//! Some positions of each kind: known by a table, by a proof of a win, with a history of repetitions, near the limit of
//! plies, and at a level that errs. Every claim about a move is a set of results; claims of two commands must have one
//! in common, and where no search is needed they must be the same.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use privy_base::random::Random;
use privy_engine::Engine;
use privy_protocol::{Bound, Client, Limits, Score, SearchInfo, SearchLine, Stop};
use privy_rules::{Game, MovePath, Position, Variant};
use privy_search::SearchRequest;
use privy_testing::cases;
use privy_testing::retrograde::{Exact, Solution};

use crate::support::binary::{Home, SMALL_VARIANT};
use crate::support::late::PATIENCE;
use crate::support::report::{AnalysisReport, read_report};

/// Positions of each kind.
fn tried() -> usize {
    cases(20) as usize
}

/// What a command tells of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Claim {
    score: Score,
    bound: Option<Bound>,
    /// In ten-thousandths.
    winrate: i64,
}

impl Claim {
    fn new(score: Score, bound: Option<Bound>, winrate: f64) -> Claim {
        Claim { score, bound, winrate: (winrate * 10_000.0).round() as i64 }
    }

    fn of(info: &SearchInfo) -> Claim {
        Claim::new(info.verdict.score, info.verdict.bound, info.winrate.expect("a chance"))
    }

    /// The results that it leaves open, from a loss at once to a win at once.
    fn results(&self) -> (i64, i64) {
        const MOST: i64 = 1_000_000;
        match (self.score, self.bound) {
            (Score::Win(plies), None) => (MOST - i64::from(plies), MOST - i64::from(plies)),
            (Score::Win(plies), _) => (MOST - i64::from(plies), MOST),
            (Score::Loss(plies), None) => (i64::from(plies) - MOST, i64::from(plies) - MOST),
            (Score::Loss(plies), _) => (-MOST, i64::from(plies) - MOST),
            (Score::Draw, None) => (0, 0),
            (Score::Draw, Some(Bound::Lower)) => (0, MOST),
            (Score::Draw, Some(Bound::Upper)) => (-MOST, 0),
            _ => (-MOST, MOST),
        }
    }

    fn agrees_with(&self, other: &Claim) -> bool {
        let ((least, most), (other_least, other_most)) = (self.results(), other.results());
        least.max(other_least) <= most.min(other_most)
    }

    /// The chance lies within the claim.
    fn assert_sound(&self) {
        let within = match (self.score, self.bound) {
            (Score::Win(_), _) => 10_000..=10_000,
            (Score::Loss(_), _) => 0..=0,
            (Score::Draw, None) => 5_000..=5_000,
            (Score::Draw, Some(Bound::Lower)) => 5_000..=9_999,
            (Score::Draw, Some(Bound::Upper)) => 1..=5_000,
            _ => 1..=9_999,
        };
        assert!(within.contains(&self.winrate), "{self:?}");
    }
}

fn exact(value: Exact) -> Claim {
    match value {
        Exact::Win(plies) => Claim::new(Score::Win(plies), None, 1.0),
        Exact::Loss(plies) => Claim::new(Score::Loss(plies), None, 0.0),
        Exact::Neither(_) => Claim::new(Score::Draw, None, 0.5),
    }
}

/// Both sessions, with the same options.
struct Sessions {
    ordinary: Client,
    gogui: Client,
    options: Vec<String>,
}

type Claims = BTreeMap<String, Claim>;

impl Sessions {
    fn new(home: &Home, folder: &Path, options: &[&str]) -> Sessions {
        let tables = folder.to_str().unwrap();
        let start = |words: &[&str]| {
            let mut command = home.privy();
            command.args(words).args(["--tables", tables, "--variant", SMALL_VARIANT]);
            Client::spawn(command.stderr(std::process::Stdio::null())).unwrap()
        };
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        Sessions { ordinary: start(&[]), gogui: start(&["gogui"]), options }
    }

    fn set_up(&mut self, game: &Game) {
        let moves: Vec<String> = game.line_texts(&game.moves().cloned().collect::<Vec<_>>());
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        for session in [&mut self.ordinary, &mut self.gogui] {
            for line in self.options.iter().chain([&format!("position fen {}{moves}", game.beginning())]) {
                let reply = session.request(line, PATIENCE).unwrap();
                assert!(reply.is_success(), "{line}: {reply:?}");
            }
        }
    }

    fn ask(&mut self, line: &str) -> String {
        let reply = self.ordinary.request(line, PATIENCE).unwrap();
        assert!(reply.is_success(), "{line}: {reply:?}");
        reply.text().to_owned()
    }

    /// Asks GoGui's session; what needs no search answers at once, and a search is interrupted.
    fn ask_gogui(&mut self, line: &str, is_complete: bool) -> String {
        self.gogui.send(line).unwrap();
        if !is_complete {
            std::thread::sleep(Duration::from_millis(5));
            self.gogui.interrupter().interrupt().unwrap();
        }
        let reply = self.gogui.receive(PATIENCE).unwrap();
        assert!(reply.is_success(), "{line}: {reply:?}");
        reply.text().to_owned()
    }

    /// The last lines of `go`, best first.
    fn go(&mut self, limits: &str) -> Vec<SearchInfo> {
        self.ask("set_option multi_pv 200");
        let text = self.ask(&format!("go {limits}"));
        let infos = text.lines().filter_map(|line| match line.parse().unwrap() {
            SearchLine::Info(info) => Some(info),
            SearchLine::BestMove(_) => None,
        });
        let mut last: Vec<SearchInfo> = Vec::new();
        for info in infos {
            if info.multipv == 1 {
                last.clear();
            }
            last.push(info);
        }
        last
    }

    /// The first report of an analysis; what needs no search is known after any time.
    fn analyze(&mut self, command: &str, is_complete: bool) -> AnalysisReport {
        let session = if command == "analyze" { &mut self.ordinary } else { &mut self.gogui };
        session.send(format!("{command} {}", if is_complete { 1 } else { 3 })).unwrap();
        let interrupter = session.interrupter();
        let mut report = None;
        let reply = session.receive_lines(PATIENCE, |line| {
            if report.is_none() {
                report = Some(read_report(line));
                interrupter.interrupt().unwrap();
            }
        });
        assert!(reply.unwrap().is_success(), "{command}");
        report.expect("a report")
    }
}

fn claims(infos: &[SearchInfo]) -> Claims {
    infos.iter().map(|info| (info.pv[0].clone(), Claim::of(info))).collect()
}

/// Holds all commands against each other in a position. Returns what `go` tells of the moves.
fn check(sessions: &mut Sessions, game: &Game, what: &str) -> Claims {
    sessions.set_up(game);
    let infos = sessions.go(if what == "limit" { "depth 6" } else { "nodes 3000" });
    let known = claims(&infos);
    let is_complete = infos[0].nodes == 0;
    known.values().for_each(Claim::assert_sound);
    let report = sessions.analyze("analyze", is_complete);
    assert_eq!(report.moves.len(), game.legal_moves().len(), "{what} {game}");
    for told in &report.moves {
        let name = &told.pv[0];
        let Some(of_go) = known.get(name) else { continue };
        let claim = Claim::new(told.verdict.score, told.verdict.bound, told.winrate);
        claim.assert_sound();
        assert!(claim.agrees_with(of_go), "{what} {game} {name}: analyze {claim:?}, go {of_go:?}");
        if is_complete {
            assert_eq!(claim, *of_go, "{what} {game} {name}");
        }
    }
    if is_complete {
        let first = &report.moves[0];
        assert_eq!((first.verdict.score, first.order), (infos[0].verdict.score, 0), "{what} {game}");
        // Other forms report on half moves, each with the numbers of a move.
        for told in sessions.analyze("kata-analyze", true).moves {
            let claim = Claim::new(told.verdict.score, told.verdict.bound, told.winrate);
            assert!(known.values().any(|of_go| claim == *of_go), "{what} {game}: kata-analyze {claim:?}");
        }
        for told in sessions.analyze("lz-analyze", true).moves {
            let winrate = Claim::new(told.verdict.score, None, told.winrate).winrate;
            assert!(known.values().any(|of_go| winrate == of_go.winrate), "{what} {game}: lz-analyze {winrate}");
        }
    }
    check_words(sessions, game, &infos, is_complete, what);
    check_drawings(sessions, game, &infos, is_complete, what);
    known
}

/// `explain` and `privy-best_line`, which tell of the best line in words.
fn check_words(sessions: &mut Sessions, game: &Game, infos: &[SearchInfo], is_complete: bool, what: &str) {
    let first = &infos[0];
    let plies = |count: u32| if count == 1 { "1 ply".to_owned() } else { format!("{count} plies") };
    let words = match (first.verdict.score, first.verdict.bound) {
        (Score::Win(count) | Score::Loss(count), None) => format!(" in {}", plies(count)),
        (Score::Win(count) | Score::Loss(count), _) => format!(" within {}", plies(count)),
        (Score::Draw, None) => "either side can force a win".to_owned(),
        (Score::Draw, Some(_)) => " not lose".to_owned(),
        _ => return,
    };
    if !is_complete {
        // A longer search may know more than the words of a shorter one; what is known without a search it must tell.
        return;
    }
    let explained = sessions.ask("explain");
    assert!(explained.lines().next().unwrap().contains(&words), "{what} {game}: {explained}, expected {words}");
    let shown = sessions.ask("showboard");
    if first.verdict.bound.is_none() {
        assert!(shown.lines().last().unwrap().contains(&words), "{what} {game}: {shown}, expected {words}");
    } else {
        assert!(!shown.contains("perfect play"), "{what} {game}: {shown}");
    }
    let drawn = sessions.ask_gogui("privy-best_line", is_complete);
    let words = match (first.verdict.score, first.verdict.bound) {
        (Score::Draw, None) => " draw, ".to_owned(),
        (Score::Draw, Some(Bound::Lower)) => " draw at least, ".to_owned(),
        (Score::Draw, Some(Bound::Upper)) => " draw at most, ".to_owned(),
        (score, None) => format!(" {score}, "),
        (score, Some(_)) => format!(" {score} (within), "),
    };
    assert!(drawn.contains(&words), "{what} {game}: {drawn}, expected {words}");
}

/// The labels of `privy-move_values`: the best value of the moves of each point, or of each target where one piece can
/// move.
fn check_drawings(sessions: &mut Sessions, game: &Game, infos: &[SearchInfo], is_complete: bool, what: &str) {
    let drawn = sessions.ask_gogui("privy-move_values", is_complete);
    let Some(labels) = drawn.lines().find_map(|line| line.strip_prefix("LABEL ")) else {
        // A search that is interrupted at once has nothing to draw.
        assert!(!is_complete, "{what} {game}: {drawn}");
        return;
    };
    let labels: Vec<&str> = labels.split(' ').collect();
    let by_target = game.legal_moves().iter().map(|move_| move_.action().from).collect::<Vec<_>>();
    let by_target = by_target.windows(2).all(|two| two[0] == two[1]);
    let mut best: BTreeMap<String, &SearchInfo> = BTreeMap::new();
    for info in infos {
        let points: Vec<&str> = info.pv[0].split(['-', 'x']).collect();
        let point = points[usize::from(by_target)].to_uppercase();
        let known = best.entry(point).or_insert(info);
        if known.verdict.score < info.verdict.score {
            *known = info;
        }
    }
    for pair in labels.chunks(2) {
        let [point, label] = pair else { panic!("{drawn}") };
        let Some(info) = best.get(*point) else { continue };
        let sign = if info.verdict.bound.is_some() { "<=" } else { "" };
        let expected = match (info.verdict.score, info.verdict.bound) {
            (Score::Win(plies), _) => format!("W{sign}{plies}"),
            (Score::Loss(plies), _) => format!("L{sign}{plies}"),
            (Score::Draw, None) => "=".to_owned(),
            (Score::Draw, Some(Bound::Lower)) => ">=".to_owned(),
            (Score::Draw, Some(Bound::Upper)) => "<=".to_owned(),
            _ => continue,
        };
        if is_complete {
            assert_eq!(label.trim_end_matches('!'), expected, "{what} {game} {point}: {drawn}");
        }
    }
}

fn small() -> Arc<Variant> {
    Arc::new(Variant::from_file(Path::new(SMALL_VARIANT)).unwrap())
}

/// A folder with the table of the small variant.
fn solved(home: &Home) -> PathBuf {
    let folder = home.join("solved");
    home.run(&["solve", SMALL_VARIANT, "--tables", folder.to_str().unwrap()]).success();
    folder
}

/// Positions of random games. `choose` prefers a move.
fn positions(
    seed: u64,
    start: &Game,
    most: usize,
    mut choose: impl FnMut(&Game, &mut Random) -> Option<MovePath>,
) -> Vec<Game> {
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    while found.len() < most {
        let mut game = start.clone();
        for _ in 0..24 {
            if game.outcome().is_some() || found.len() == most {
                break;
            }
            if !found
                .iter()
                .any(|known: &Game| known.position() == game.position() && known.moves().len() == game.moves().len())
            {
                found.push(game.clone());
            }
            let moves = game.legal_moves();
            let move_ = choose(&game, &mut random).unwrap_or_else(|| random.pick(&moves).unwrap().clone());
            game.play(move_);
        }
    }
    found
}

/// The values of all positions of the small variant by the rules alone, without history.
static SMALL_SOLUTION: LazyLock<Arc<Solution>> =
    LazyLock::new(|| Arc::new(Solution::of(&small().start(), 1_000_000).unwrap()));

/// The values of what follows a position by the rules alone. With repetitions in every fifth position, since that takes
/// a second.
fn truth(game: &Game) -> Option<Arc<Solution>> {
    let twice: HashSet<Position> = game.seen_twice().into_iter().copied().collect();
    if twice.is_empty() {
        return Some(Arc::clone(&SMALL_SOLUTION));
    }
    let is_tried = game.position().hash().is_multiple_of(5);
    is_tried.then(|| Arc::new(SMALL_SOLUTION.with_repeated(&twice)))
}

/// Holds claims against the rules alone.
fn assert_true(game: &Game, told: &Claims, truth: Option<&Solution>, what: &str) {
    let Some(truth) = truth else { return };
    for (name, claim) in told {
        let move_ = game.parse_move(None, name).unwrap();
        let value = exact(truth.value_of_move(&game.without_history(), &move_));
        assert!(claim.agrees_with(&value), "{what} {game} {name}: {claim:?}");
    }
}

#[test]
fn a_table_is_told_alike_by_all_commands_also_at_a_level() {
    let home = Home::new();
    let folder = solved(&home);
    for options in [&["set_option level 10"][..], &["set_option level 3"]] {
        let mut sessions = Sessions::new(&home, &folder, options);
        for game in positions(1, &small().start(), tried(), |_, _| None) {
            let told = check(&mut sessions, &game, options[0]);
            // The table alone knows no history.
            let probed = if game.seen_twice().is_empty() { sessions.ask("probe moves") } else { String::new() };
            for line in probed.lines() {
                let (name, value) = line.split_once(' ').unwrap();
                let score = match value.split_once(' ') {
                    Some(("win", plies)) => Score::Win(plies.parse().unwrap()),
                    Some((_, plies)) => Score::Loss(plies.parse().unwrap()),
                    None => Score::Draw,
                };
                assert_eq!(told[name], Claim::new(score, None, score.winrate()), "{game} {name}");
            }
        }
    }
}

/// The winner follows the proof, the loser plays at random.
#[test]
fn a_proof_of_a_win_is_told_alike_by_all_commands() {
    let home = Home::new();
    let folder = home.join("proofs");
    let tables = folder.to_str().unwrap();
    home.run(&["prove", SMALL_VARIANT, "--nodes", "1000", "--threads", "1", "--tables", tables]).success();
    let start = small().start();
    let mut engine = Engine::at(start.clone());
    engine.set_option("tables", tables).unwrap();
    let choose = |game: &Game, _: &mut Random| {
        (game.side() == start.side()).then(|| {
            let mut engine = Engine::at(game.clone());
            engine.set_option("tables", tables).unwrap();
            let request = SearchRequest::from(Limits { nodes: Some(100), ..Limits::default() });
            engine.go(&request, &Stop::default(), None).unwrap().best
        })
    };
    let mut sessions = Sessions::new(&home, &folder, &[]);
    let mut bounds = 0;
    for game in positions(2, &start, tried(), choose) {
        let told = check(&mut sessions, &game, "proof");
        bounds += told.values().filter(|claim| claim.bound == Some(Bound::Upper)).count();
        assert_true(&game, &told, truth(&game).as_deref(), "proof");
    }
    assert!(bounds > tried(), "{bounds} bounds");
}

/// Moves to and fro, so that positions occur twice.
#[test]
fn a_history_of_repetitions_is_told_alike_by_all_commands_with_a_table_and_without() {
    let home = Home::new();
    let folder = solved(&home);
    let back = |game: &Game, random: &mut Random| {
        let last = game.moves().rev().nth(1)?.action();
        let moves = game.legal_moves();
        let back = moves.into_iter().find(|move_| (move_.action().from, move_.action().to) == (last.to, last.from));
        back.filter(|_| random.below(5) > 0)
    };
    let games = positions(4, &small().start(), 4 * tried(), back);
    let games: Vec<Game> = games.into_iter().filter(|game| !game.seen_twice().is_empty()).take(tried()).collect();
    assert!(games.len() >= tried() / 2, "{}", games.len());
    let [mut with_table, mut without] =
        [folder.as_path(), Path::new("off")].map(|tables| (Sessions::new(&home, tables, &[]), [0; 3]));
    for game in &games {
        let truth = truth(game);
        for (sessions, [exact, open, changed]) in [&mut with_table, &mut without] {
            let told = check(sessions, game, "history");
            assert_true(game, &told, truth.as_deref(), "history");
            for (name, claim) in &told {
                *exact += usize::from(claim.bound.is_none() && claim.score.is_proved());
                *open += usize::from(claim.bound.is_some());
                let move_ = game.parse_move(None, name).unwrap();
                if game.continued(&move_).outcome().is_some_and(|end| end.winner().is_none()) {
                    // The first line has the score of the position, which another move may win.
                    let draws = [None, Some(Bound::Lower)].map(|bound| Claim::new(Score::Draw, bound, 0.5));
                    assert!(draws.contains(claim), "{game} {name}: {claim:?}");
                    *changed += 1;
                }
            }
        }
    }
    let ((_, [exact, open, changed]), (_, [.., changed_without])) = (with_table, without);
    println!("with a table {exact} exact claims, {open} open, {changed} moves end the game as a draw");
    assert!(
        changed > tried() / 5 && changed_without > tried() / 5 && exact > open / 2 && open > 0,
        "{exact} {open} {changed} {changed_without}"
    );
}

/// The value by full search up to the limit, which is a draw.
fn looked_ahead(game: &Game) -> Exact {
    match game.outcome() {
        Some(outcome) => match outcome.winner() {
            None => Exact::DRAW,
            Some(winner) if winner == game.side() => Exact::Win(0),
            Some(_) => Exact::Loss(0),
        },
        None => Exact::best_of(
            game.legal_moves().iter().map(|move_| Exact::of_move_to(looked_ahead(&game.continued(move_)))),
        ),
    }
}

#[test]
fn a_limit_of_plies_is_told_alike_by_all_commands_with_a_table_and_without() {
    let home = Home::new();
    let folder = solved(&home);
    for tables in [&folder, Path::new("off")] {
        let mut random = Random::new(5);
        let mut certain = 0;
        let games = positions(5, &small().start(), tried(), |_, _| None);
        for left in 1..=4 {
            let mut sessions = Sessions::new(&home, tables, &[]);
            for game in games.iter().skip(left as usize - 1).step_by(4) {
                let limit = game.moves().len() as u32 + left;
                sessions.options = vec![format!("set_option move_limit {limit}")];
                let mut game = game.clone();
                game.set_move_limit(Some(limit));
                let told = check(&mut sessions, &game, "limit");
                for (name, claim) in &told {
                    let move_ = game.parse_move(None, name).unwrap();
                    let value = exact(Exact::of_move_to(looked_ahead(&game.continued(&move_))));
                    assert_eq!(*claim, value, "{left} plies left, {game} {name}");
                    certain += usize::from(value.score == Score::Draw);
                }
                let _ = random.below(2);
            }
        }
        assert!(certain > tried(), "{certain} certain draws");
    }
}

/// A board where one move of the General ends the game as a draw and others win, whose search of one ply only estimates
/// them.
const BLOCKING_BOARD: &str = r#"id = "blocking-board"
title = "Blocking"
apex = ["a7", "e6"]
lines = ["e6-g7", "b2-h4", "g1-b2", "a4-g3", "e4-f5", "f6-a4-g1", "c6-e6", "e6-a7", "a4-d2", "g4-b2-d2", "a4-b2", "g3-g7", "g3-a7-c6", "a7-g7",
    "g1-g4", "f6-g7"]
edges = ["a7-g3", "f6-g1", "d2-c2", "h4-e4"]
[points]
g4 = [0.5, 3]
g1 = [2, 3.5]
e4 = [2, 0.5]
h4 = [2.5, 1.5]
f6 = [4.75, 3.5]
a4 = [3.25, 3.5]
c2 = [4.5, 1.5]
g3 = [3, 4.5]
b2 = [2, 3]
d2 = [3.9, 3]
f5 = [0.9, 0.5]
[privy]
a7 = [4, 5]
g7 = [4.5, 5]
e6 = [4.5, 5.5]
c6 = [5, 5.5]
"#;

/// See [`BLOCKING_BOARD`].
const BLOCKING: &str = r#"id = "blocking"
title = "Blocking"
board = "blocking-board.toml"
opening = "1G/3/1/1rr1/1/2r/1"
first = "general"
jump = "free"
free_jumps = 3
orthogonal_steps = "both"
forward = "only"
rebels_never_on = ["h4"]
apex = "general"
close_privy = true
no_move = { rebels = "draw", general = "win" }
rebels_at_most = 2
"#;

#[test]
fn a_draw_is_no_exact_score_while_another_move_may_win() {
    let home = Home::new();
    std::fs::write(home.join("blocking-board.toml"), BLOCKING_BOARD).unwrap();
    let variant = Arc::new(Variant::from_toml(BLOCKING, Some(&home.join(""))).unwrap());
    let mut engine = Engine::new();
    engine.set_option("tables", "off").unwrap();
    engine.set_position_of(&variant, Some("2/3/G/4/1/rrr/1 g 1"), &[]).unwrap();
    let mut first = |depth| {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let found = engine.go(&limits.into(), &Stop::default(), None).unwrap();
        (found.lines[0].verdict.score, found.lines[0].verdict.bound)
    };
    assert_eq!(first(1), (Score::Draw, Some(Bound::Lower)));
    assert!(matches!(first(4), (Score::Win(_), None)));
}
