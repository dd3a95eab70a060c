//! Random games of a variant, played by the engine and by the oracle at once.
//!
//! In every position both must have the same legal moves, and after every move the same position and result. The games
//! also give statistics: outcomes, lengths, and for each rule word whether it ever mattered: in some position the game
//! without the word had other moves, or a move another outcome. The word for repetition matters when a game ends by it.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use privy_oracle::Oracle;
use privy_program::grouped;

use privy_base::message::plural;
use privy_base::random::Random;
use privy_base::threads::{map, on_all_cores};
use privy_rules::rule_set::{RuleWord, WORDS};
use privy_rules::{Game, MoveKind, MovePath, Outcome, Position, Side, Variant, VariantError};

/// A game with this number of plies is broken off.
const LONGEST: u32 = 1_000;

/// The statistics of random games.
#[derive(Debug)]
pub(super) struct RandomGames {
    /// The number of games by outcome, the most frequent first; `None` for games that were broken off.
    endings: Vec<(Option<Outcome>, u64)>,
    /// The plies of each game, sorted.
    lengths: Vec<u32>,
    /// The number of positions with a side to move, and of all their moves but passes: the General's, then the Rebels'.
    choices: [(u64, u64); 2],
    /// The sum of the Rebels left at the end of each game.
    rebels_left: u64,
    /// Keys of the rule words that never mattered.
    idle: Vec<&'static str>,
    /// The first difference between engine and oracle.
    pub(super) disagreement: Option<String>,
}

struct PlayedGame {
    ending: Option<Outcome>,
    plies: u32,
    rebels: u32,
    choices: [(u64, u64); 2],
    disagreement: Option<String>,
}

/// A rule word, and the game without it.
struct Without {
    key: &'static str,
    variant: Variant,
    mattered: AtomicBool,
}

impl RandomGames {
    /// Plays random games of a variant, whose opening the oracle has read too. The same seed gives the same games.
    pub(super) fn play(variant: &Arc<Variant>, oracle: &Oracle, games: u64, seed: u64) -> RandomGames {
        let words = without_each_word(variant);
        let play = |number| play(variant, oracle.clone(), &words, Random::numbered(seed, number));
        let played: Vec<PlayedGame> = on_all_cores(|| map(0..games, play));
        let mut statistics = RandomGames {
            endings: Vec::new(),
            lengths: played.iter().map(|game| game.plies).collect(),
            choices: [(0, 0); 2],
            rebels_left: 0,
            idle: words.iter().filter(|word| !word.mattered.load(Ordering::Relaxed)).map(|word| word.key).collect(),
            disagreement: played.iter().find_map(|game| game.disagreement.clone()),
        };
        statistics.lengths.sort_unstable();
        for game in &played {
            statistics.rebels_left += u64::from(game.rebels);
            for (sum, (positions, moves)) in statistics.choices.iter_mut().zip(game.choices) {
                *sum = (sum.0 + positions, sum.1 + moves);
            }
            match statistics.endings.iter_mut().find(|(ending, _)| *ending == game.ending) {
                Some((_, count)) => *count += 1,
                None => statistics.endings.push((game.ending, 1)),
            }
        }
        statistics.endings.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        statistics
    }

    fn positions(&self) -> u64 {
        self.choices.iter().map(|(positions, _)| positions).sum()
    }

    /// The statistics in sentences, a line each.
    pub(super) fn in_words(&self) -> String {
        let games = self.lengths.len();
        let (games_text, positions) =
            (format!("{} {}", grouped(games as u64), plural(games as u64, "random game")), grouped(self.positions()));
        let mut text = format!(
            "{games_text}, {positions} positions: the fast generator and the naive one agree in all of them.\n"
        );
        let ends = |is_counted: &dyn Fn(Option<Outcome>) -> bool| -> (u64, String) {
            let ends: Vec<_> = self.endings.iter().filter(|(ending, _)| is_counted(*ending)).collect();
            let reason = |(ending, count): &&(Option<Outcome>, u64)| {
                ending.map(|ending| format!("{} {}", ending.reason(), grouped(*count)))
            };
            let reasons: Vec<String> = ends.iter().filter_map(reason).collect();
            (ends.iter().map(|(_, count)| count).sum(), reasons.join(", "))
        };
        let [general, rebels] = [Side::General, Side::Rebels].map(|side| {
            match ends(&|ending| ending.and_then(Outcome::winner) == Some(side)) {
                (0, _) => "none".to_owned(),
                (count, reasons) => format!("{} ({reasons})", grouped(count)),
            }
        });
        text += &format!("The General wins {general}, the Rebels {rebels}");
        let (drawn, reasons) = ends(&|ending| ending.is_some_and(|ending| ending.winner().is_none()));
        if drawn > 0 {
            text += &format!("; drawn {} ({reasons})", grouped(drawn));
        }
        let (unfinished, _) = ends(&|ending| ending.is_none());
        if unfinished > 0 {
            text += &format!("; broken off after {} plies {}", grouped(LONGEST.into()), grouped(unfinished));
        }
        text += ".\n";
        if let [shortest, .., longest] | [shortest @ longest] = self.lengths.as_slice() {
            let (median, left) = (self.lengths[games / 2], self.rebels_left as f64 / games as f64);
            let half = format!("half of them {median} or fewer; {left:.1} Rebels are left at the end");
            text += &format!("They last {shortest} to {longest} plies, {half}.\n");
        }
        let [general, rebels] = self.choices.map(|(positions, moves)| moves as f64 / positions.max(1) as f64);
        text += &format!("The General has {general:.1} moves to choose from, the Rebels {rebels:.1}.\n");
        for (side, (_, moves)) in ["General", "Rebels"].into_iter().zip(self.choices) {
            if moves == 0 {
                let expected = "expected an opening from which both sides move";
                text += &format!("warning: opening: the {side} never had a move; {expected}\n");
            }
        }
        if !self.idle.is_empty() {
            text += &format!("Rules that never made a difference in these games: {}.\n", self.idle.join(", "));
        }
        text
    }
}

/// The game without each of its rule words in turn, and without the words that depend on it.
fn without_each_word(variant: &Arc<Variant>) -> Vec<Without> {
    let is_active = |word: &&RuleWord| !word.key.required && !word.is_neutral(variant.rule_set());
    let without_word = |word: &RuleWord| {
        let key = word.key.name;
        Some(Without { key, variant: without(variant, key)?, mattered: AtomicBool::new(false) })
    };
    WORDS.iter().filter(is_active).filter_map(without_word).collect()
}

fn without(variant: &Variant, key: &'static str) -> Option<Variant> {
    let mut words = variant.rule_set().clone();
    let mut keys = vec![key];
    while let Some(key) = keys.pop() {
        let word = WORDS.iter().find(|word| word.key.name == key)?;
        if word.is_neutral(&words) {
            return None;
        }
        (word.reset)(&mut words);
        match variant.with_words(words.clone()) {
            Ok(changed) => return Some(changed),
            Err(VariantError::Words(problems)) => keys.extend(problems.into_iter().map(|problem| problem.key)),
            Err(_) => return None,
        }
    }
    None
}

impl Without {
    /// Notes if the word matters in a position.
    fn note(&self, variant: &Variant, position: &Position, moves: &[MovePath]) {
        if self.mattered.load(Ordering::Relaxed) {
            return;
        }
        let known = self.variant.adapted(position);
        let differs = self.variant.legal_moves(&known) != moves
            || moves.iter().any(|move_| {
                let other = self.variant.play_unchecked(&known, move_.action()).1;
                variant.play_unchecked(position, move_.action()).1 != other
            });
        if differs {
            self.mattered.store(true, Ordering::Relaxed);
        }
    }

    /// Notes if the word matters at the end of a game: by repetition, with another winner without the word, or by a
    /// limit that is absent without it.
    fn look_at_end(&self, variant: &Variant, game: &Game, ending: Option<Outcome>) {
        let [with, without] = [variant, &self.variant].map(|variant| variant.rules().winner_by_repetition);
        let limit = |variant: &Variant| variant.rules().limit_reached(game.plies_since_capture());
        let by_limit = limit(variant) != limit(&self.variant) && ending == limit(variant);
        if by_limit || with != without && ending == Some(Outcome::Repetition(with)) {
            self.mattered.store(true, Ordering::Relaxed);
        }
    }
}

fn play(variant: &Arc<Variant>, mut oracle: Oracle, words: &[Without], mut random: Random) -> PlayedGame {
    let mut game = variant.start();
    let mut choices = [(0, 0); 2];
    let mut disagreement = disagree(&game, &oracle);
    while game.outcome().is_none() && game.ply() < LONGEST && disagreement.is_none() {
        let position = *game.position();
        let moves = variant.legal_moves(&position);
        let Some(move_) = random.pick(&moves).cloned() else { break };
        words.iter().for_each(|word| word.note(variant, &position, &moves));
        let side = usize::from(position.side() == Side::Rebels);
        let to_choose_from = moves.iter().filter(|move_| move_.action().kind != MoveKind::Pass).count() as u64;
        choices[side] = (choices[side].0 + 1, choices[side].1 + to_choose_from);
        oracle.play(&game.move_text(&move_));
        game.play(move_);
        disagreement = disagree(&game, &oracle);
    }
    let ending = game.outcome();
    words.iter().for_each(|word| word.look_at_end(variant, &game, ending));
    PlayedGame { ending, plies: game.ply(), rebels: game.position().rebels_left(), choices, disagreement }
}

/// The difference of engine and oracle in a position that both have reached: its text, its result, or its legal moves.
fn disagree(game: &Game, oracle: &Oracle) -> Option<String> {
    let result = game.outcome().map(|outcome| outcome.to_string());
    let (fast, naive) = (game.to_string(), oracle.text());
    if fast != naive || result != oracle.result() {
        return Some(format!("{fast}: {result:?} and, naively, {naive}: {:?}", oracle.result()));
    }
    let takes = |text: String, captured: &str| if captured.is_empty() { text } else { text + " takes " + captured };
    let of_engine = |m: &MovePath| takes(game.move_text(m), &game.board().names(m.action().captured));
    let of_oracle = |(text, captured): (String, Vec<String>)| takes(text, &captured.join(" "));
    let mut fast: Vec<String> = game.legal_moves().iter().map(of_engine).collect();
    let mut naive: Vec<String> = oracle.moves_with_captures().into_iter().map(of_oracle).collect();
    fast.sort();
    naive.sort();
    let only = |some: &[String], others: &[String]| {
        some.iter().filter(|text| !others.contains(text)).cloned().collect::<Vec<_>>().join(", ")
    };
    let mut text = game.to_string();
    let _ = write!(text, ": only fast: {}; only naive: {}", only(&fast, &naive), only(&naive, &fast));
    (fast != naive).then_some(text)
}

#[cfg(test)]
mod tests {
    use privy_oracle::Rules;

    use super::*;
    use privy_rules::rule_set::RuleSet;

    /// A built-in game with other rule words, and the oracle's reading of it.
    fn changed(id: &str, words: &str) -> (Arc<Variant>, Arc<Rules>) {
        let built_in = Variant::builtin(id).unwrap();
        let own = format!("id = \"{id}\"\ntitle = \"\"\nextends = \"{id}\"\n{words}");
        let rules = Rules::read(&[&own, &built_in.heading.source], &built_in.board().source).unwrap();
        (Arc::new(Variant::from_toml(&own, None).unwrap()), Arc::new(rules))
    }

    fn played(id: &str, words: &str, games: u64, seed: u64) -> RandomGames {
        let (variant, rules) = changed(id, words);
        RandomGames::play(&variant, &Oracle::opening(&rules), games, seed)
    }

    #[test]
    fn the_same_seed_gives_the_same_games_and_every_game_counts() {
        let [first, again, other] = [3, 3, 4].map(|seed| played("shap-luk-kon", "", 60, seed));
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
        assert_eq!((first.lengths.len(), first.endings.iter().map(|(_, count)| count).sum::<u64>()), (60, 60));
        assert_eq!(first.positions(), first.lengths.iter().map(|plies| u64::from(*plies)).sum::<u64>());
        assert!(first.lengths.is_sorted() && first.disagreement.is_none());
        assert!(first.endings.iter().map(|(_, count)| count).rev().is_sorted());
        assert_ne!(format!("{first:?}"), format!("{other:?}"));
    }

    /// On the board of gonu all lines are orthogonal.
    #[test]
    fn a_rule_that_never_matters_is_idle_and_others_are_not() {
        assert_eq!(played("kings-gonu", "orthogonal = true", 20, 1).idle, ["orthogonal"]);
        let musashi = played("juroku-musashi", "", 200, 1);
        assert!(!musashi.idle.contains(&"jump") && !musashi.idle.contains(&"compulsory"), "{:?}", musashi.idle);
    }

    /// Sheep never step back, and none of their steps is sideways, so no position comes again; hounds go sideways.
    #[test]
    fn the_winner_by_repetition_matters_where_games_end_by_it() {
        let sheep = played("wolf-and-sheep", "repetition = \"rebels\"", 50, 1);
        assert!(sheep.idle.contains(&"repetition") && sheep.disagreement.is_none(), "{sheep:?}");
        let hounds = played("hare-and-hounds", "goal = []", 200, 1);
        assert!(!hounds.idle.contains(&"repetition") && hounds.disagreement.is_none(), "{hounds:?}");
        let repeated = Some(Outcome::Repetition(Some(Side::General)));
        assert!(hounds.endings.iter().any(|(ending, _)| *ending == repeated), "{hounds:?}");
    }

    /// A pass is no move: these Rebels stand at the far end, and step up alone.
    #[test]
    fn a_side_that_can_only_pass_never_has_a_move() {
        let words =
            "opening = \"rrrrr/5/2G2/5/5\"\nfirst = \"general\"\nforward = \"only\"\nno_move = { rebels = \"pass\" }";
        let passing = played("coyote", words, 5, 1);
        assert!(passing.choices[1].0 > 0 && passing.choices[1].1 == 0, "{passing:?}");
        let warning = "warning: opening: the Rebels never had a move; expected an opening from which both sides move";
        assert!(passing.in_words().contains(warning), "{}", passing.in_words());
        assert!(!played("coyote", "", 5, 1).in_words().contains("warning"));
    }

    /// The oracle with other rules than the engine.
    #[test]
    fn a_difference_between_engine_and_oracle_is_reported() {
        let murray = Variant::builtin("sixteen-rebels-murray").unwrap();
        let text = "1/3/5/5/2Gr1/5/5 g";
        let game = Game::from_text(text, Some(&murray)).unwrap();
        let oracle = |words| Oracle::from_text(&changed(murray.id(), words).1, text).unwrap();
        assert_eq!(disagree(&game, &oracle("")), None);
        let found = disagree(&game, &oracle("jump = \"single\"")).unwrap();
        assert!(found.contains("only fast: ; only naive: c3xe3 takes d3"), "{found}");
        // The same moves, another end.
        let game = Variant::builtin("sixteen-rebels").unwrap().start();
        let words = RuleSet { rebels_at_most: Some(15), ..game.variant().rule_set().clone() };
        let sooner = Arc::new(game.variant().with_words(words).unwrap());
        let oracle = Oracle::opening(&changed("sixteen-rebels", "").1);
        let found = RandomGames::play(&sooner, &oracle, 1, 1).disagreement.unwrap();
        assert!(found.contains("attrition") && found.contains("naively"), "{found}");
    }
}
