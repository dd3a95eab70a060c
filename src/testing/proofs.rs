//! Proofs against positions of known value, and against the naive rules.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use privy_oracle::{NaiveMove, NaivePosition, Rules};
use privy_rules::{Game, Side};
use privy_search::Stop;
use privy_search::proof::{Proof, ProveRequest, prove};

use crate::oracle;

fn proved(game: &Game, winner: Side, time: Duration, stop: &Stop) -> Option<Proof> {
    let of_opening = ProveRequest::of_opening(game.variant(), winner);
    let request = ProveRequest { root: *game.position(), nodes: 3_000, mebibytes: 4, time: Some(time), ..of_opening };
    prove(&request, &mut |_| {}, stop).ok().flatten()
}

/// What was proved of a position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Proved {
    /// True if every claim that is true was proved.
    pub all: bool,
    /// The proved bound of the length of a win.
    pub bound: Option<u32>,
}

/// Tries to prove that each side wins. `winner` is the side that does, in `length` plies; `None` in a drawn position.
///
/// # Errors
/// A false claim that is proved, a proof that its check refuses, or a bound below the length.
pub fn examine(
    game: &Game,
    winner: Option<Side>,
    length: Option<u32>,
    time: Duration,
    stop: &Stop,
) -> Result<Proved, String> {
    let mut found = Proved { all: true, bound: None };
    for side in [Side::General, Side::Rebels] {
        let is_true = winner == Some(side);
        let Some(proof) = proved(game, side, time, stop) else {
            found.all &= !is_true;
            continue;
        };
        let checked = proof.check(stop).map_err(|fault| format!("{game}: {side}: {fault}"))?;
        if !is_true || length.is_some_and(|length| checked.plies < length) {
            let bound = checked.plies;
            return Err(format!("{game}: {side} within {bound} plies is proved, the value is {winner:?} {length:?}"));
        }
        found.bound = Some(checked.plies);
    }
    Ok(found)
}

/// A position text mirrored left to right.
fn mirrored(position: &str) -> String {
    let (rows, rest) = position.split_once(' ').unwrap();
    let rows: Vec<String> = rows.split('/').map(|row| row.chars().rev().collect()).collect();
    format!("{} {rest}", rows.join("/"))
}

/// The text that represents both mirror images.
pub fn image(position: &str) -> String {
    mirrored(position).min(position.to_owned())
}

/// A position in which the game continues, with its moves.
struct Open {
    position: NaivePosition,
    moves: Vec<NaiveMove>,
}

impl Open {
    /// The error is the result of a game that is over.
    fn of(position: NaivePosition) -> Result<Open, &'static str> {
        let moves = position.moves();
        position.ending_with(&moves).map_or(Ok(Open { position, moves }), Err)
    }

    fn from_text(rules: &Arc<Rules>, text: &str) -> Open {
        Open::of(NaivePosition::from_text(rules, text).unwrap()).unwrap()
    }

    /// The positions after its moves, without history, or how the moves end the game.
    fn nexts(&self) -> impl Iterator<Item = Result<Open, &'static str>> {
        self.moves.iter().map(|move_| Open::of(self.position.after(move_)))
    }
}

/// A proof that a side wins.
struct Win<'a> {
    side: &'a str,
    /// The plies of the win by the image of a listed position.
    listed: HashMap<String, u32>,
}

impl Win<'_> {
    fn plies(&self, position: &NaivePosition) -> Option<u32> {
        self.listed.get(&image(&position.text())).copied()
    }

    /// Full search by the naive rules: true if the side to move wins within `plies`.
    fn wins_within(&self, position: &Open, plies: u32) -> bool {
        position.nexts().any(|next| match next {
            Ok(next) => plies >= 2 && self.replies_lose(&next, plies - 1, |_| None),
            Err(result) => result.starts_with(self.side),
        })
    }

    /// True if after every reply `listed` gives few enough plies, or the position is won by full search.
    fn replies_lose(&self, position: &Open, plies: u32, listed: impl Fn(&NaivePosition) -> Option<u32> + Copy) -> bool {
        position.nexts().all(|next| match next {
            Ok(next) => match listed(&next.position) {
                Some(known) => known < plies,
                None => plies >= 2 && self.wins_within(&next, (plies - 1).min(7)),
            },
            Err(result) => result.starts_with(self.side),
        })
    }

    /// The same by the list of the proof.
    fn replies_lose_by_list(&self, position: &Open, plies: u32) -> bool {
        self.replies_lose(position, plies, |position| self.plies(position))
    }
}

/// Checks the proof of a win by the naive rules, at every `every`-th step. Returns the length of the win in plies.
///
/// # Panics
/// If the proof is wrong.
pub fn check_win(text: &str, side: &str, every: usize) -> u32 {
    let mut lines = text.lines();
    let heading: Vec<&str> = lines.next().unwrap().split(' ').collect();
    let ["#", "privy", "proof", "1", variant, _, winner] = heading[..] else { panic!("{heading:?}") };
    assert_eq!(winner, side);
    let rules = oracle::rules(variant);
    let root = lines.next().unwrap().strip_prefix("root ").unwrap();
    assert_eq!(root, NaivePosition::opening(&rules).text());
    let steps: Vec<(&str, &str, u32)> = lines
        .map(|line| {
            let mut words = line.rsplitn(3, ' ');
            let (plies, move_, position) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
            (position, move_, plies.parse().unwrap())
        })
        .collect();
    let win = Win { side, listed: steps.iter().map(|(position, _, plies)| (image(position), *plies)).collect() };
    assert_eq!(win.listed.len(), steps.len());
    for (text, move_, plies) in steps.iter().step_by(every) {
        let position = Open::from_text(&rules, text);
        let legal = position.moves.iter().find(|legal| legal.text(&rules.board) == *move_);
        match Open::of(position.position.after(legal.unwrap_or_else(|| panic!("{text}: illegal move {move_}")))) {
            Ok(next) => assert!(win.replies_lose_by_list(&next, plies - 1), "{text} {move_} {plies}"),
            Err(result) => assert!(result.starts_with(side), "{text} {move_}: {result}"),
        }
    }
    let longest = *win.listed.values().max().unwrap();
    let root = Open::from_text(&rules, root);
    let is_listed = win.plies(&root.position).is_some();
    assert!(is_listed || win.replies_lose_by_list(&root, longest + 1));
    longest + u32::from(!is_listed)
}
