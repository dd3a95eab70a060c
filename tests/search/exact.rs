//! Exactness of the search: small games solved completely, and all short sequences on full boards.
//!
//! After every iteration, each win and loss within the proven depth must be reported, and the proven depth must reach
//! far enough. Each reported win or loss must be true, with its exact length and a line that plays it out. This holds
//! for the best line and for several lines, with one thread and with two, with and without exact values at the leaves.
//!
//! The default run takes some seconds per variant. For longer runs, `PRIVY_CASES` multiplies the numbers of games and
//! positions, `NODES` limits each search, `REBELS` adds Rebels to the solved games and `PLIES` adds plies to the short
//! sequences:
//!
//! ```text
//! PRIVY_CASES=40 PRIVY_EXACT_NODES=3000000 PRIVY_EXACT_REBELS=1 PRIVY_EXACT_PLIES=1 cargo test --release --test all search::exact:: -- --nocapture
//! ```

use std::sync::Arc;

use privy_rules::{Game, MovePath, Variant};
use privy_search::{Limits, Prober, SearchInfo, SearchRequest, Searcher, Stop};
use privy_testing::cases;
use privy_testing::exactness::{FewRebels, agree, plays_out, random_position, sample, with_attrition};
use privy_testing::random::Random;
use privy_testing::retrograde::{Bounded, Exact, Solution};

use privy_testing::settings;

/// Counts and errors of a run.
#[derive(Default)]
struct Tally {
    searches: usize,
    reports: usize,
    decided: usize,
    longest: u32,
    deepest: u32,
    /// Errors of best lines.
    errors: Vec<String>,
    /// Errors of the lines behind the best.
    behind: Vec<String>,
    /// Errors of the order of the lines.
    order: Vec<String>,
}

impl Tally {
    /// Searches a position and compares every report with the exact values of its moves.
    fn search(
        &mut self,
        position: &Game,
        request: SearchRequest,
        searcher: &mut Searcher,
        value: &mut dyn FnMut(&MovePath) -> Exact,
    ) {
        let mut reports: Vec<SearchInfo> = Vec::new();
        let game = position.without_history();
        let found =
            searcher.search(&game, request, &Stop::default(), &mut |report| reports.push(report.clone())).unwrap();
        self.searches += 1;
        let values: Vec<_> = position.legal_moves().iter().map(|move_| (move_.clone(), value(move_))).collect();
        let best = Exact::best_of(values.iter().map(|(_, value)| *value));
        let of_move = |report: &SearchInfo| values.iter().find(|(move_, _)| *move_ == report.pv[0]).unwrap().1;
        let (mut errors, mut behind, mut order) = (Vec::new(), Vec::new(), Vec::new());
        for report in &reports {
            self.reports += 1;
            self.deepest = self.deepest.max(report.depth);
            if report.multipv == 1 {
                errors.extend(agree(report, best).err());
                if let Some(plies) = report.verdict.score.distance() {
                    self.decided += 1;
                    self.longest = self.longest.max(plies);
                }
            }
            let errors = if report.multipv == 1 { &mut errors } else { &mut behind };
            errors.extend(agree(report, of_move(report)).err().map(|error| format!("its move: {error}")));
            errors.extend(plays_out(position, report).err());
        }
        for two in reports.windows(2).filter(|two| two[0].depth == two[1].depth) {
            if two[0].verdict.score < two[1].verdict.score || two[0].multipv + 1 != two[1].multipv {
                let [(rank, first), (_, second)] =
                    [&two[0], &two[1]].map(|report| (report.multipv, report.verdict.score));
                order.push(format!("at depth {} rank {rank} has {first}, the next {second}", two[0].depth));
            }
        }
        if let Some(last) = found.lines.first() {
            let is_proven = best.plies().is_some_and(|plies| plies <= last.proven_depth);
            let chosen = values.iter().find(|(move_, _)| *move_ == found.best).unwrap().1;
            if is_proven && chosen != best {
                errors.push(format!("plays a move of value {chosen:?}, best is {best:?}"));
            }
        }
        for (all, new) in [(&mut self.errors, errors), (&mut self.behind, behind), (&mut self.order, order)] {
            all.extend(new.into_iter().map(|error| format!("{position}: {error}")));
        }
    }

    fn conclude(self, what: &str) {
        let Tally { searches, reports, decided, longest, deepest, .. } = self;
        println!(
            "{what}: {searches} searches, {reports} reports, {decided} with a sure win or loss, longest {longest}, \
             deepest iteration {deepest}, errors: {} of best lines, {} of others, {} of order",
            self.errors.len(),
            self.behind.len(),
            self.order.len()
        );
        assert!(decided > 0, "{what}: nothing was decided");
        for (kind, errors) in [("best lines", self.errors), ("other lines", self.behind), ("order", self.order)] {
            let shown: Vec<&String> = errors.iter().take(8).collect();
            assert!(errors.is_empty(), "{what}: {} errors of {kind}, {shown:#?}", errors.len());
        }
    }
}

/// Games solved completely, searched for the best line and for several. `rebels` is chosen for some hundred thousand
/// positions.
fn solved_games(variant: &Arc<Variant>, rebels: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut tallies = [Tally::default(), Tally::default()];
    let mut positions = 0;
    let nodes = settings::number("PRIVY_EXACT_NODES", 150_000);
    let rebels = rebels + settings::number("PRIVY_EXACT_REBELS", 0) as usize;
    for _ in 0..cases(1).div_ceil(20) {
        let root = random_position(variant, rebels, &mut random);
        let solution = Solution::of(&root, 12_000_000).expect("a small game");
        positions += solution.positions().len();
        let solution = Arc::new(solution);
        let most_rebels = root.position().rebels().len() - 1;
        let leaves: Arc<dyn Prober> =
            Arc::new(FewRebels { variant: Arc::clone(variant), solution: Arc::clone(&solution), most_rebels });
        let mut used = [Searcher::new(8), Searcher::new(8)];
        for (count, (position, value)) in sample(&solution, cases(10) as usize, &mut random).into_iter().enumerate() {
            // One search in three has two threads, one in three has exact values at its leaves.
            let threads = if count % 3 == 0 { 2 } else { 1 };
            let prober = (count % 3 == 1).then(|| Arc::clone(&leaves));
            let of_move = &mut |move_: &MovePath| solution.value_of_move(&position, move_);
            let depth = value.plies().map_or(12, |plies| plies + 2);
            let limits = Limits { depth: Some(depth), nodes: Some(nodes), ..Limits::default() };
            let [best, several] = &mut tallies;
            let request = SearchRequest { threads, prober: prober.clone(), ..limits.into() };
            best.search(&position, request, &mut used[0], of_move);
            let request = SearchRequest { multi_pv: 3, threads, prober, ..limits.into() };
            several.search(&position, request, &mut used[1], of_move);
            let limits = Limits { depth: Some(5), ..limits };
            let request = SearchRequest { multi_pv: 1000, ..limits.into() };
            several.search(&position, request, &mut Searcher::new(1), of_move);
        }
    }
    println!("{}: {positions} positions solved", variant.id());
    for (tally, lines) in tallies.into_iter().zip(["the best line", "several lines"]) {
        tally.conclude(&format!("{} with {rebels} rebels, {lines}", variant.id()));
    }
}

/// Full boards in the middle of random games: all sequences of a few plies.
fn short_sequences(variant: &Arc<Variant>, several: bool, seed: u64) {
    let id = variant.id();
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let plies = 4 + settings::number("PRIVY_EXACT_PLIES", 0) as u32;
    let mut missing = cases(8);
    let mut used = Searcher::new(8);
    while missing > 0 {
        let mut position = variant.start();
        for _ in 0..random.below(60) {
            let moves = position.legal_moves();
            let next = if moves.is_empty() { break } else { position.after(&random.choose(&moves)) };
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        if position.outcome().is_some() {
            break;
        }
        let mut bounded = Bounded::default();
        let value = bounded.value(&position, plies);
        // Most positions have no short win or loss: two in three of these are left out.
        if value.plies().is_none() && !random.one_in(3) {
            continue;
        }
        missing -= 1;
        let of_move = &mut |move_: &MovePath| bounded.value_of_move(&position, move_, plies);
        let limits = Limits { depth: Some(plies), ..Limits::default() };
        let request = SearchRequest { multi_pv: if several { 1000 } else { 1 }, ..limits.into() };
        tally.search(&position, request, &mut used, of_move);
    }
    tally.conclude(&format!("{id}, all sequences of {plies} plies"));
}

macro_rules! small_boards {
    ($($name:ident: $id:literal, $at_most:literal, $rebels:literal;)*) => {
        mod solved {
            use super::*;
            $(#[test] fn $name() { solved_games(&with_attrition($id, $at_most), $rebels, 1); })*
        }
        mod short {
            use super::*;
            $(#[test] fn $name() { short_sequences(&Variant::builtin($id).unwrap(), false, 2); })*
        }
        mod short_several_lines {
            use super::*;
            $(#[test] fn $name() { short_sequences(&Variant::builtin($id).unwrap(), true, 2); })*
        }
    };
}

// A lower attrition limit, where it is high: otherwise the solved game with few Rebels is over at once.
small_boards! {
    sixteen_rebels: "sixteen-rebels", 1, 3;
    sixteen_rebels_murray: "sixteen-rebels-murray", 0, 2;
    sixteen_rebels_neeley: "sixteen-rebels-neeley", 0, 2;
    shap_luk_kon: "shap-luk-kon", 1, 3;
    shap_luk_kon_2: "shap-luk-kon-2", 0, 2;
    juroku_musashi: "juroku-musashi", 0, 3;
    juroku_musashi_hasami: "juroku-musashi-hasami", 1, 3;
    monk_and_water: "monk-and-water", 1, 3;
    kings_gonu: "kings-gonu", 0, 3;
}

macro_rules! large_boards {
    ($($name:ident, $several:ident: $id:literal, $at_most:literal;)*) => {
        $(
            #[test] fn $name() { short_sequences(&with_attrition($id, $at_most), false, 2); }
            #[test] fn $several() { short_sequences(&with_attrition($id, $at_most), true, 2); }
        )*
    };
}

// A high attrition limit, so that random games come near it.
large_boards! {
    short_subjugatio, short_subjugatio_several_lines: "subjugatio", 22;
    short_subjugatio_free, short_subjugatio_free_several_lines: "subjugatio-free", 22;
    short_subjugatio_intervention, short_subjugatio_intervention_several_lines: "subjugatio-intervention", 18;
    short_yeung_luk, short_yeung_luk_several_lines: "yeung-luk", 18;
}

/// Graph history interaction: the transposition table once held a score that was true only near a repetition. At depth
/// 18 the loss in 18 plies was missed; at depth 20 it was reported as proven, with 20 plies.
#[test]
fn repetition_scores_do_not_leak_through_the_table() {
    let text = "3/3/G1r2/5/5/5/r4 r - 0 9 juroku-musashi";
    let position = Game::from_text(text, None).unwrap();
    let solution = Solution::of(&position, 1_000_000).unwrap();
    let mut tally = Tally::default();
    let limits = Limits { depth: Some(22), nodes: Some(2_000_000), ..Limits::default() };
    tally
        .search(&position, limits.into(), &mut Searcher::new(8), &mut |move_| solution.value_of_move(&position, move_));
    tally.conclude(text);
}

/// The second best move wins in five plies through the root position.
#[test]
fn a_win_through_the_root_is_found_for_lower_ranks() {
    let text = "1/3/5/3r1/5/5/r1Gr1 r - 9 9 sixteen-rebels-neeley";
    let position = Game::from_text(text, None).unwrap();
    let solution = Solution::of(&position, 1_000_000).unwrap();
    let mut tally = Tally::default();
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let request = SearchRequest { multi_pv: 1_000, ..limits.into() };
    tally.search(&position, request, &mut Searcher::new(8), &mut |move_| solution.value_of_move(&position, move_));
    tally.conclude(text);
}
