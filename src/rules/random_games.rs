//! Random games of a variant, played by two generators at once.
//!
//! In every position the fast generator must give the moves of the naive one (`naive.rs`), and every move must lead to the same
//! position and outcome. The games also give statistics: outcomes, lengths, and for each rule word whether it ever
//! mattered: whether in some position the game without the word had other moves, or a move another outcome. The word for repetition
//! matters when a game ends by it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use toml::Table;

use crate::random::Random;
use crate::toml_file::Key;

use super::keys::KEYS;
use super::naive::Naive;
use super::{Game, MovePath, Outcome, Position, Side, Variant};

/// The statistics of random games.
#[derive(Debug, Clone)]
pub struct RandomGames {
    /// The number of games by outcome, the most frequent first; none for games that were broken off.
    pub endings: Vec<(Option<Outcome>, u64)>,
    /// The plies of each game, sorted.
    pub lengths: Vec<u32>,
    /// The number of positions with a side to move, and of all their moves: the General's, then the Rebels'.
    pub choices: [(u64, u64); 2],
    /// The sum of the Rebels left at the end of each game.
    pub rebels_left: u64,
    /// Keys of the rule words that never mattered.
    pub idle: Vec<&'static str>,
    /// The first difference between the two generators.
    pub disagreement: Option<String>,
}

struct Played {
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
    /// A game with this number of plies is broken off.
    pub const LONGEST: u32 = 1_000;

    /// Plays random games of a variant. The same seed gives the same games.
    pub fn play(variant: &Arc<Variant>, games: u64, seed: u64) -> RandomGames {
        let words = without_each_word(variant);
        let played: Vec<Played> =
            (0..games).into_par_iter().map(|number| play(variant, &words, Random::numbered(seed, number))).collect();
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

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.choices.iter().map(|(positions, _)| positions).sum()
    }
}

/// The game without each of its rule words in turn, and without the words that depend on it.
fn without_each_word(variant: &Arc<Variant>) -> Vec<Without> {
    let Ok(words) = Table::try_from(variant.rule_set()) else { return Vec::new() };
    let is_active = |key: &&Key| !key.required && words.get(key.name).is_some_and(|value| !key.is_neutral(value));
    let without_key = |key: &Key| {
        let variant = without(variant, &words, key.name)?;
        Some(Without { key: key.name, variant, mattered: AtomicBool::new(false) })
    };
    KEYS.iter().filter(is_active).filter_map(without_key).collect()
}

fn without(variant: &Variant, words: &Table, key: &str) -> Option<Variant> {
    let mut words = words.clone();
    let mut keys = vec![key.to_owned()];
    while let Some(key) = keys.pop() {
        words.remove(&key)?;
        match variant.changed(words.clone().try_into().ok()?) {
            Ok(changed) => return Some(changed),
            Err(problems) => keys.extend(problems.into_iter().map(|problem| problem.place.name().to_owned())),
        }
    }
    None
}

impl Without {
    /// Notes whether the word matters in a position.
    fn look(&self, variant: &Variant, position: &Position, moves: &[MovePath]) {
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

    /// Notes whether the word matters at the end of a game: by repetition, with another winner without the word, or by a limit that
    /// is absent without it.
    fn look_at_end(&self, variant: &Variant, game: &Game, ending: Option<Outcome>) {
        let [with, without] = [variant, &self.variant].map(|variant| variant.rules().winner_by_repetition());
        let limit = |variant: &Variant| variant.rules().limit_reached(game.plies_since_capture());
        let by_limit = limit(variant) != limit(&self.variant) && ending == limit(variant);
        if by_limit || with != without && ending == Some(Outcome::Repetition(with)) {
            self.mattered.store(true, Ordering::Relaxed);
        }
    }
}

fn play(variant: &Arc<Variant>, words: &[Without], mut random: Random) -> Played {
    let naive = Naive::of(variant);
    let mut game = variant.start();
    let mut choices = [(0, 0); 2];
    let mut disagreement = None;
    let mut ending = game.outcome();
    let mut positions = vec![*game.position()];
    while ending.is_none() && game.ply() < RandomGames::LONGEST && disagreement.is_none() {
        let position = *game.position();
        let moves = variant.legal_moves(&position);
        let Some(move_) = random.pick(&moves).cloned() else { break };
        disagreement = disagree(&naive, &game, &moves, &move_);
        words.iter().for_each(|word| word.look(variant, &position, &moves));
        let side = usize::from(position.side() == Side::Rebels);
        choices[side] = (choices[side].0 + 1, choices[side].1 + moves.len() as u64);
        game.play(move_);
        ending = game.outcome();
        positions.push(*game.position());
        if disagreement.is_none() && game.decided().is_none() && ending != naive.standoff(&positions) {
            disagreement = Some(format!("{game}: {ending:?} and, naively, {:?}", naive.standoff(&positions)));
        }
    }
    words.iter().for_each(|word| word.look_at_end(variant, &game, ending));
    Played { ending, plies: game.ply(), rebels: game.position().rebels().len(), choices, disagreement }
}

/// The difference of the two generators in a position, or after a move in it.
fn disagree(naive: &Naive<'_>, game: &Game, moves: &[MovePath], move_: &MovePath) -> Option<String> {
    let texts = |moves: &[MovePath]| {
        let mut texts: Vec<String> = moves
            .iter()
            .map(|move_| format!("{} takes {}", game.move_text(move_), game.board().names(move_.action().captured)))
            .collect();
        texts.sort();
        texts
    };
    let position = game.position();
    let (fast, slow) = (texts(moves), texts(&naive.moves(position)));
    if fast != slow {
        let only = |some: &[String], others: &[String]| {
            some.iter().filter(|text| !others.contains(text)).cloned().collect::<Vec<_>>().join(", ")
        };
        return Some(format!("{game}: only fast: {}; only naive: {}", only(&fast, &slow), only(&slow, &fast)));
    }
    let (fast, slow) = (game.variant().play_unchecked(position, move_.action()), naive.play(position, move_.action()));
    (fast != slow).then(|| format!("{game}: {} leads to {fast:?} and, naively, to {slow:?}", game.move_text(move_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rule_set::{JumpRule, StandoffRule};

    fn variant(id: &str) -> Arc<Variant> {
        Variant::builtin(id).expect("a built-in game")
    }

    #[test]
    fn the_same_seed_gives_the_same_games_and_every_game_counts() {
        let (first, again) =
            (RandomGames::play(&variant("shap-luk-kon"), 60, 3), RandomGames::play(&variant("shap-luk-kon"), 60, 3));
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
        assert_eq!((first.lengths.len(), first.endings.iter().map(|(_, count)| count).sum::<u64>()), (60, 60));
        assert_eq!(first.positions(), first.lengths.iter().map(|plies| u64::from(*plies)).sum::<u64>());
        assert!(first.lengths.is_sorted() && first.disagreement.is_none());
        assert!(first.endings.iter().map(|(_, count)| count).rev().is_sorted());
        assert_ne!(format!("{first:?}"), format!("{:?}", RandomGames::play(&variant("shap-luk-kon"), 60, 4)));
    }

    /// On the board of gonu all lines are orthogonal.
    #[test]
    fn a_rule_that_never_matters_is_idle_and_others_are_not() {
        let mut words = variant("kings-gonu").rule_set().clone();
        words.orthogonal = true;
        let gonu = Arc::new(variant("kings-gonu").with_words(words).unwrap());
        assert_eq!(RandomGames::play(&gonu, 20, 1).idle, ["orthogonal"]);
        let musashi = RandomGames::play(&variant("juroku-musashi"), 200, 1);
        assert!(!musashi.idle.contains(&"jump") && !musashi.idle.contains(&"compulsory"), "{:?}", musashi.idle);
    }

    /// Sheep never step back, and none of their steps is sideways, so no position comes again; hounds go sideways.
    #[test]
    fn the_winner_by_repetition_matters_where_games_end_by_it() {
        let mut words = variant("wolf-and-sheep").rule_set().clone();
        words.repetition = StandoffRule::Rebels;
        let sheep = RandomGames::play(&Arc::new(variant("wolf-and-sheep").with_words(words).unwrap()), 50, 1);
        assert!(sheep.idle.contains(&"repetition") && sheep.disagreement.is_none(), "{sheep:?}");
        let mut words = variant("hare-and-hounds").rule_set().clone();
        words.goal.clear();
        let hounds = RandomGames::play(&Arc::new(variant("hare-and-hounds").with_words(words).unwrap()), 200, 1);
        assert!(!hounds.idle.contains(&"repetition") && hounds.disagreement.is_none(), "{hounds:?}");
        assert!(
            hounds.endings.iter().any(|(ending, _)| *ending == Some(Outcome::Repetition(Some(Side::General)))),
            "{hounds:?}"
        );
    }

    /// The naive generator with other rules than the fast one.
    #[test]
    fn a_difference_between_the_generators_is_reported() {
        let murray = variant("sixteen-rebels-murray");
        let game = Game::from_text("1/3/5/5/2Gr1/5/5 g", Some(&murray)).unwrap();
        let moves = game.legal_moves();
        assert_eq!(disagree(&Naive::of(&murray), &game, &moves, &moves[0]), None);
        let mut words = murray.rule_set().clone();
        words.jump = JumpRule::Single;
        let jumping = murray.with_words(words).unwrap();
        let text = disagree(&Naive::of(&jumping), &game, &moves, &moves[0]).unwrap();
        assert!(text.contains("only fast: ; only naive: c3xe3 takes d3"), "{text}");
        // The same moves, another end.
        let game = variant("sixteen-rebels").start();
        let mut words = game.variant().rule_set().clone();
        words.rebels_at_most = Some(15);
        let sooner = game.variant().with_words(words).unwrap();
        let moves = game.legal_moves();
        let capture = moves.iter().find(|move_| !move_.action().captured.is_empty()).unwrap();
        assert!(disagree(&Naive::of(&sooner), &game, &moves, capture).is_some_and(|text| text.contains(" leads to ")));
    }
}
