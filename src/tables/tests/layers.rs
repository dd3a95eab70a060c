//! Tables of few Rebels, and solves by layers: where they cover a position they agree with the table of the whole game.

use privy_protocol::Stop;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use proptest::prelude::*;

use super::small_games::{games, rule_set};
use super::{Folder, game, interrupted_up_to, solve_up_to, solved};
use privy_rules::{Outcome, Side, Variant};
use privy_tables::{
    Exchange, Header, NotCovered, Progress, SolveOptions, Solved, Table, TableError, solve, solve_among, verify,
};
use privy_testing::tables::Reference;

fn solved_up_to(variant: &Arc<Variant>, path: &Path, rebels: u32) -> Result<Table, TableError> {
    solve_up_to(variant, path, 1, Some(rebels))?;
    Table::open(path, variant)
}

/// Compares the table of at most `rebels` Rebels with that of the whole game.
fn check(variant: &Arc<Variant>, rebels: u32) -> Result<(), TestCaseError> {
    let folder = Folder::new();
    let path = folder.file("part.privy");
    let whole = solved(variant, &folder.file("whole.privy"));
    let least = whole.layers().first().unwrap().rebels;
    let part = match solved_up_to(variant, &path, rebels) {
        Ok(part) => part,
        Err(error) => {
            prop_assert!(rebels < least, "{}", error);
            prop_assert!(!path.exists());
            return Ok(());
        }
    };
    let covered: Vec<_> = whole.layers().iter().take_while(|layer| layer.rebels <= rebels).copied().collect();
    prop_assert_eq!(part.layers(), covered.as_slice());
    let most = covered.last().unwrap().rebels;
    prop_assert_eq!(Header::read(&path).unwrap().most_rebels(), most);
    prop_assert_eq!(part.limit(), (most < variant.opening().rebels().len()).then_some(most));

    let reference = Reference::of(variant);
    for (state, outcome) in reference.states.iter().zip(&reference.outcomes) {
        if outcome.is_some_and(|outcome| outcome != Outcome::NoMove(Some(Side::General))) {
            continue;
        }
        match (part.probe_state(state), whole.probe_state(state)) {
            (Ok(found), Ok(value)) => {
                prop_assert_eq!(found, value, "{:?}", state);
                prop_assert!(state.rebels().len() <= most);
            }
            (Err(TableError::NotCovered(NotCovered::Rebels { .. })), _) => {
                prop_assert!(state.rebels().len() > most, "not covered: {:?}", state);
            }
            (found, value) => prop_assert_eq!(found.unwrap_err().to_string(), value.unwrap_err().to_string()),
        }
    }
    let verified = verify(&part, None, &mut |_, _| {}, &Stop::default()).unwrap();
    prop_assert!(verified.is_sound(), "{:?}", verified);
    prop_assert_eq!(verified.layers.as_slice(), part.layers());
    Ok(())
}

proptest! {
    #![proptest_config(games(10))]

    #[test]
    fn few_rebels_are_solved_as_in_the_whole_game(words in rule_set(), rebels in 2u32..=6, most in 0u32..=6) {
        match game("hut", &words, "b2", rebels) {
            Some(variant) => check(&variant, most.min(rebels))?,
            None => return Err(TestCaseError::reject("words that say nothing on this board")),
        }
    }

    #[test]
    fn in_two_runs(
        words in rule_set(),
        rebels in 2u32..=5,
        layer in 0u32..6,
        ply in 0u32..12,
    ) {
        let Some(variant) = game("hut", &words, "b2", rebels) else {
            return Err(TestCaseError::reject("words that say nothing on this board"));
        };
        let folder = Folder::new();
        let (alone, after) = (folder.file("alone.privy"), folder.file("after.privy"));
        let (_, plies) = solve_until(&variant, &alone, None);
        let until = plies.iter().copied().find(|reached| *reached >= (layer, ply));
        until.inspect(|until| _ = solve_until(&variant, &after, Some(*until)));
        solve_until(&variant, &after, None);
        prop_assert!(std::fs::read(&alone).unwrap() == std::fs::read(&after).unwrap(), "{:?}", until);
    }

    #[test]
    fn processes_make_the_table_of_one(words in rule_set(), rebels in 2u32..=5, processes in 2usize..=3) {
        match game("hut", &words, "b2", rebels) {
            Some(variant) => check_together(&variant, processes)?,
            None => return Err(TestCaseError::reject("words that say nothing on this board")),
        }
    }

    #[test]
    fn on_a_board_of_no_symmetry(words in rule_set(), most in 1u32..=4) {
        match game("lodge", &words, "b2", 4) {
            Some(variant) => check(&variant, most)?,
            None => return Err(TestCaseError::reject("words that say nothing on this board")),
        }
    }
}

/// Jumps take Rebels one by one, so every number is covered.
fn jumping() -> Arc<Variant> {
    jumping_on("barn", "b2", 4)
}

fn jumping_on(board: &str, general: &str, rebels: u32) -> Arc<Variant> {
    let jump = privy_rules::rule_set::JumpRule::Single;
    let words = privy_rules::rule_set::RuleSet { jump, rebels_at_most: Some(0), ..super::plain() };
    game(board, &words, general, rebels).unwrap()
}

#[test]
fn numbers_of_rebels_out_of_range_are_refused() {
    let (folder, variant) = (Folder::new(), jumping());
    let path = folder.file("part.privy");
    for wrong in [0, 5] {
        let error = solve_up_to(&variant, &path, 1, Some(wrong)).unwrap_err().to_string();
        assert_eq!(error, format!("value out of range: rebels: expected 1 to 4 for small, found {wrong}"));
    }
    assert!(!path.exists());
}

#[test]
fn a_table_for_all_rebels_is_that_of_the_whole_game() {
    let (folder, variant) = (Folder::new(), jumping());
    let (whole, all) = (folder.file("whole.privy"), folder.file("all.privy"));
    solved(&variant, &whole);
    assert_eq!(solved_up_to(&variant, &all, 4).unwrap().limit(), None);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&all).unwrap());
}

/// The values of an interrupted solve of few Rebels are wrong for more.
#[test]
fn a_checkpoint_serves_only_a_solve_of_as_many_rebels() {
    let (folder, variant) = (Folder::new(), jumping());
    let (alone, after) = (folder.file("alone.privy"), folder.file("after.privy"));
    for (first, then) in [(Some(2), None), (None, Some(2)), (Some(2), Some(3))] {
        assert!(matches!(interrupted_up_to(&variant, &after, (2, 1), first), Err(TableError::Interrupted)));
        solve_up_to(&variant, &alone, 1, then).unwrap();
        solve_up_to(&variant, &after, 1, then).unwrap();
        assert!(std::fs::read(&alone).unwrap() == std::fs::read(&after).unwrap(), "{first:?} {then:?}");
    }
}

/// The games whose rules differ most: pairs that fall by arrival, custodial captures, an apex to return from; chains of
/// jumps, an apex that loses, a free jump.
fn two_games() -> [Arc<Variant>; 2] {
    use privy_rules::rule_set::{ApexRule, JumpRule, RuleSet};
    let pairs =
        RuleSet { intervention: true, custodial: true, apex: ApexRule::Return, close_privy: true, ..super::plain() };
    let jumps = RuleSet { jump: JumpRule::Multi, apex: ApexRule::Rebels, free_jumps: 1, ..super::plain() };
    [game("hut", &pairs, "b2", 5).unwrap(), game("lodge", &jumps, "b2", 4).unwrap()]
}

/// Solves and stops after a ply of some Rebels, if it is to; returns where the run went on from, and the plies, each
/// with its number of Rebels.
fn solve_until(variant: &Arc<Variant>, path: &Path, until: Option<(u32, u32)>) -> (Option<u32>, Vec<(u32, u32)>) {
    let (stop, mut resumed, mut plies) = (Stop::default(), None, Vec::new());
    let mut progress = |progress: &Progress| {
        resumed = progress.resumed_from;
        plies.push((progress.rebels, progress.ply));
        if until == plies.last().copied() {
            stop.set();
        }
    };
    match solve(variant, path, &SolveOptions::default(), &mut progress, &stop) {
        // The last ply may complete the solve.
        Ok(_) => assert!(until.is_none_or(|until| plies.last() == Some(&until))),
        Err(error) => assert!(until.is_some() && matches!(error, TableError::Interrupted), "{error}"),
    }
    (resumed, plies)
}

#[test]
fn an_interrupted_solve_goes_on_from_complete_layers() {
    // Of chains of jumps the landings are computed again.
    let chains = privy_rules::rule_set::RuleSet { jump: privy_rules::rule_set::JumpRule::Free, ..super::plain() };
    for variant in two_games().into_iter().chain(game("barn", &chains, "b2", 4)) {
        let folder = Folder::new();
        let (alone, after) = (folder.file("alone.privy"), folder.file("after.privy"));
        let whole = solved(&variant, &alone);
        let layers: Vec<u32> = whole.layers().iter().map(|layer| layer.rebels).collect();
        for (number, rebels) in layers.iter().enumerate() {
            solve_until(&variant, &after, Some((*rebels, 0)));
            // Once more: what the second run did not reach is not lost.
            solve_until(&variant, &after, Some((*rebels, 0)));
            let (resumed, _) = solve_until(&variant, &after, None);
            assert_eq!(resumed, number.checked_sub(1).map(|last| layers[last]));
            assert!(std::fs::read(&alone).unwrap() == std::fs::read(&after).unwrap(), "{rebels} Rebels");
            std::fs::remove_file(&after).unwrap();
        }
    }
}

/// Chains of jumps, whose layers have landings.
fn jumping_on_and_on() -> Arc<Variant> {
    let words = privy_rules::rule_set::RuleSet { jump: privy_rules::rule_set::JumpRule::Multi, ..super::plain() };
    game("barn", &words, "b2", 4).unwrap()
}

/// Processes that are threads of one.
struct Together {
    number: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    /// The rounds after which this process ends.
    rounds: u32,
}

impl Exchange for Together {
    fn processes(&self) -> usize {
        self.to.len()
    }

    fn number(&self) -> usize {
        self.number
    }

    fn exchange(&mut self, messages: Vec<Vec<u8>>) -> io::Result<Vec<Vec<u8>>> {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        self.rounds = self.rounds.checked_sub(1).ok_or_else(gone)?;
        for (to, message) in self.to.iter().zip(messages) {
            to.send(message).map_err(|_| gone())?;
        }
        self.from.iter().map(|from| from.recv().map_err(|_| gone())).collect()
    }
}

/// Solves a game in several processes, of which the last ends after `rounds` rounds; their results, by number.
/// `progress` gets that of the first.
fn solve_together(
    variant: &Arc<Variant>,
    path: &Path,
    processes: usize,
    rounds: u32,
    progress: &mut (dyn FnMut(&Progress) + Send),
    stop: &Stop,
) -> Vec<Result<Option<Solved>, TableError>> {
    let mut all: Vec<Together> =
        (0..processes).map(|number| Together { number, to: Vec::new(), from: Vec::new(), rounds: u32::MAX }).collect();
    all[processes - 1].rounds = rounds;
    for (from, to) in (0..processes).flat_map(|from| (0..processes).map(move |to| (from, to))) {
        let (sender, receiver) = channel();
        all[from].to.push(sender);
        all[to].from.push(receiver);
    }
    let options = SolveOptions { threads: Some(1), ..SolveOptions::default() };
    let solve = |mut one: Together, progress: &mut (dyn FnMut(&Progress) + Send)| {
        solve_among(variant, path, &options, &mut one, progress, stop)
    };
    let others = all.split_off(1);
    std::thread::scope(|scope| {
        let threads: Vec<_> = others.into_iter().map(|one| scope.spawn(|| solve(one, &mut |_| {}))).collect();
        let first = all.into_iter().map(|one| solve(one, progress)).collect::<Vec<_>>();
        first.into_iter().chain(threads.into_iter().map(|thread| thread.join().unwrap())).collect()
    })
}

/// Compares the file that several processes make with that of one.
pub(crate) fn check_together(variant: &Arc<Variant>, processes: usize) -> Result<(), TestCaseError> {
    let folder = Folder::new();
    let (alone, together) = (folder.file("alone.privy"), folder.file("together.privy"));
    solved(variant, &alone);
    let solved = solve_together(variant, &together, processes, u32::MAX, &mut |_| {}, &Stop::default());
    prop_assert!(solved[0].as_ref().unwrap().is_some());
    prop_assert!(solved[1..].iter().all(|solved| matches!(solved, Ok(None))));
    prop_assert!(std::fs::read(&alone).unwrap() == std::fs::read(&together).unwrap(), "{} processes", processes);
    prop_assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 2, "nothing else is left");
    Ok(())
}

/// The file does not depend on the number of processes, even where some have no states.
#[test]
fn several_processes_make_the_same_table() {
    let with_hand = Variant::builtin("kaooa").unwrap();
    assert!(with_hand.opening().hand() > 0);
    for variant in two_games().into_iter().chain([jumping_on_and_on(), with_hand]) {
        [2, 3, 40].into_iter().for_each(|processes| check_together(&variant, processes).unwrap());
    }
}

#[test]
fn the_end_of_a_process_ends_the_others_and_complete_layers_stay() {
    let variant = jumping_on_and_on();
    let folder = Folder::new();
    let (alone, together) = (folder.file("alone.privy"), folder.file("together.privy"));
    solved(&variant, &alone);
    for rounds in [0, 5, 50] {
        for solved in solve_together(&variant, &together, 3, rounds, &mut |_| {}, &Stop::default()) {
            let error = solved.unwrap_err();
            assert!(matches!(error, TableError::Process(_)), "{error}");
        }
        assert!(!together.exists());
    }
    // One process takes over their layers.
    let mut resumed = None;
    let mut progress = |progress: &Progress| resumed = progress.resumed_from;
    solve(&variant, &together, &SolveOptions::default(), &mut progress, &Stop::default()).unwrap();
    assert!(resumed.is_some());
    assert!(std::fs::read(&alone).unwrap() == std::fs::read(&together).unwrap());
    assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 2, "nothing else is left");
}

/// A stop that one process hears ends all; they continue from the last complete layer, any number of them.
#[test]
fn several_processes_go_on_from_their_last_layer() {
    let (folder, variant) = (Folder::new(), jumping_on_and_on());
    let (alone, together) = (folder.file("alone.privy"), folder.file("together.privy"));
    let (_, plies) = solve_until(&variant, &alone, None);
    for (rebels, ply) in plies.iter().copied().filter(|(rebels, _)| *rebels > 1).step_by(7) {
        for processes in [3, 2] {
            let stop = Stop::default();
            let mut progress = |progress: &Progress| {
                if (progress.rebels, progress.ply) == (rebels, ply) {
                    stop.set();
                }
            };
            for solved in solve_together(&variant, &together, 3, u32::MAX, &mut progress, &stop) {
                let error = solved.unwrap_err();
                assert!(matches!(error, TableError::Interrupted), "{error}");
            }
            let mut resumed = None;
            let mut progress = |progress: &Progress| resumed = progress.resumed_from;
            solve_together(&variant, &together, processes, u32::MAX, &mut progress, &Stop::default());
            assert_eq!(resumed, Some(rebels - 1));
            assert!(std::fs::read(&alone).unwrap() == std::fs::read(&together).unwrap(), "{rebels} Rebels, ply {ply}");
            assert_eq!(std::fs::read_dir(folder.0.path()).unwrap().count(), 2, "nothing else is left");
            std::fs::remove_file(&together).unwrap();
        }
    }
}

/// The layers below do not change with those above.
#[test]
fn the_layers_below_do_not_change_with_those_above() {
    for variant in two_games() {
        let folder = Folder::new();
        let whole = solved(&variant, &folder.file("whole.privy"));
        let path = folder.file("part.privy");
        let part = super::solved_up_to(&variant, &path, Some(3));
        assert_eq!((part.limit(), Header::read(&path).unwrap().most_rebels()), (Some(3), 3));
        assert!(verify(&part, None, &mut |_, _| {}, &Stop::default()).unwrap().is_sound());
        let mut compared = 0;
        for state in Reference::of(&variant).states {
            let found = part.probe_state(&state).ok();
            assert!(found.is_none() || found == whole.probe_state(&state).ok(), "{state:?}");
            compared += u32::from(found.is_some());
        }
        assert!(compared > 1_000);
    }
}

/// Boards of any size: four sheep on the dark squares of a chessboard.
#[test]
fn few_rebels_on_a_large_board_are_solved_whole() {
    let variant = Variant::builtin("wolf-and-sheep").unwrap();
    let folder = Folder::new();
    let path = folder.file("wolf.privy");
    solve_up_to(&variant, &path, 2, None).unwrap();
    let table = Table::open(&path, &variant).unwrap();
    let verified = verify(&table, None, &mut |_, _| {}, &Stop::default()).unwrap();
    assert!(verified.is_sound(), "{verified:?}");
}

#[test]
fn a_variant_too_large_reports_its_size_and_the_rebels_that_fit() {
    let variant = Variant::builtin("subjugatio").unwrap();
    let folder = Folder::new();
    let error = solve_up_to(&variant, &folder.file("large.privy"), 1, None).unwrap_err().to_string();
    let words = "subjugatio can't be solved: 26 Rebels on 49 points make 4.9e15 positions, 992685 GiB of memory; privy solve \
                 --rebels 6 takes 2589 MiB";
    assert_eq!(error, words);
    let error =
        solve_up_to(&jumping_on("square", "a1", 30), &folder.file("large.privy"), 1, None).unwrap_err().to_string();
    let words = "30 Rebels on 64 points make more than 1.8e19 positions, more than 17179869184 GiB of memory; privy solve --rebels ";
    assert!(error.contains(words), "{error}");
}
