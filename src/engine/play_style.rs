//! The choice among moves of equal class: won, drawn or lost.
//!
//! The winner takes the shortest way. A side that loses or draws can hope only for a mistake: `hardest` looks ahead for
//! the move after which a fallible opponent ([`FallibleOpponent`]) is most likely to make one, `longest` takes the
//! longest way. No style leaves the class of the best value.

use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

use privy_rules::{Game, MovePath, Position};
use privy_tables::{Table, TableError, TableValue};

/// How to play lost and drawn positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlayStyle {
    /// The move after which the opponent is most likely to make a mistake.
    #[default]
    Hardest,
    /// The longest resistance.
    Longest,
}

impl PlayStyle {
    /// The names of all styles.
    pub const NAMES: [&str; 2] = ["hardest", "longest"];

    /// The opponent for whom `hardest` looks: the best of several, measured (docs/NOTEBOOK.md).
    #[must_use]
    pub fn opponent(self) -> Option<FallibleOpponent> {
        let hardest = FallibleOpponent { moves: 2, sight: 8.0, doubt: 0.05, carelessness: 0.03 };
        (self == PlayStyle::Hardest).then_some(hardest)
    }
}

impl fmt::Display for PlayStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PlayStyle::NAMES[*self as usize])
    }
}

impl FromStr for PlayStyle {
    type Err = ();

    fn from_str(text: &str) -> Result<PlayStyle, ()> {
        [PlayStyle::Hardest, PlayStyle::Longest].into_iter().find(|style| style.to_string() == text).ok_or(())
    }
}

/// A model of a fallible opponent, who sees near ends of the game clearly and far ones dimly.
///
/// To this opponent a win in `n` plies appears worth `exp(-n / sight)`, a loss the negative of that, a draw 0. The
/// choice among moves is a softmax of these (R. D. Luce, *Individual Choice Behavior*, 1959), so long wins hide among
/// the moves that throw them away. Beyond the look ahead each further move of the opponent is a mistake with
/// probability `carelessness`: a longer way is a harder one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FallibleOpponent {
    /// The opponent's moves that the look ahead covers; 0: only the distance counts.
    pub moves: u32,
    /// The decay of wins and losses, in plies.
    pub sight: f64,
    /// The softmax temperature: the difference in appearance that makes a move `e` times as likely.
    pub doubt: f64,
    /// The probability of a mistake in a move beyond the look ahead.
    pub carelessness: f64,
}

impl FallibleOpponent {
    /// The softmax weight of a move of a value.
    fn attraction(&self, value: TableValue) -> f64 {
        let looks = match value {
            TableValue::Win(plies) => (-f64::from(plies) / self.sight).exp(),
            TableValue::Loss(plies) => -(-f64::from(plies) / self.sight).exp(),
            TableValue::Draw | TableValue::WinByRepetition | TableValue::LossByRepetition => 0.0,
        };
        (looks / self.doubt).exp()
    }

    /// The probability of a mistake on the rest of the way, from a position with the opponent to move.
    fn later_mistake(&self, value: TableValue) -> f64 {
        match value {
            TableValue::Win(plies) => 1.0 - (1.0 - self.carelessness).powf(f64::from(plies) / 2.0),
            _ => self.carelessness,
        }
    }
}

/// Sorts moves of a position with their values, best first: by class; lost or drawn ones by the probability of a
/// mistake of the opponent, if there is one; then by distance; equal ones keep their order. `goes_on` is called for
/// each position of the look ahead: once it returns false, the moves stay sorted by the last complete depth.
///
/// # Errors
/// As [`Table::values`].
pub fn rank_by_style(
    table: &Table,
    position: &Game,
    moves: &mut [(MovePath, TableValue)],
    opponent: Option<FallibleOpponent>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<(), TableError> {
    moves.sort_by_key(|(_, value)| Reverse(*value));
    let best = moves.first().map_or(0, |(_, value)| value.class());
    let equals = moves.partition_point(|(_, value)| value.class() == best);
    let (Some(opponent), true) = (opponent, best <= 0 && equals > 1) else { return Ok(()) };
    let mut look_ahead = LookAhead { table, opponent, goes_on, is_cut: false };
    for depth in 0..=opponent.moves {
        let chance = |(move_, value): &(MovePath, TableValue)| {
            look_ahead.chance_of_mistake(position.after(move_).position(), value.after(), depth)
        };
        let chances: Vec<f64> = moves[..equals].iter().map(chance).collect::<Result<_, _>>()?;
        if look_ahead.is_cut {
            break;
        }
        let mut keyed: Vec<_> = chances.into_iter().zip(moves[..equals].iter().cloned()).collect();
        keyed.sort_by(|(chance_a, (_, a)), (chance_b, (_, b))| chance_b.total_cmp(chance_a).then(b.cmp(a)));
        moves.iter_mut().zip(keyed).for_each(|(slot, (_, valued))| *slot = valued);
    }
    Ok(())
}

struct LookAhead<'a> {
    table: &'a Table,
    opponent: FallibleOpponent,
    goes_on: &'a mut dyn FnMut() -> bool,
    /// `goes_on` has returned false.
    is_cut: bool,
}

impl LookAhead<'_> {
    /// The successors of a position that is not over, with the values of the moves; incomplete when cut.
    fn successors(&mut self, position: &Position) -> Result<Vec<(Position, TableValue)>, TableError> {
        let mut successors = Vec::new();
        for path in self.table.variant().legal_moves(position) {
            self.is_cut = self.is_cut || !(self.goes_on)();
            if self.is_cut {
                break;
            }
            successors.push(self.table.after(position, &path)?);
        }
        Ok(successors)
    }

    /// The probability that the opponent, to move in a position of a value, gives the result away within `depth` moves,
    /// against the replies that make it likeliest. Giving a win away to a draw is half a mistake.
    fn chance_of_mistake(&mut self, position: &Position, value: TableValue, depth: u32) -> Result<f64, TableError> {
        if value.is_over() {
            return Ok(0.0);
        }
        if depth == 0 {
            return Ok(self.opponent.later_mistake(value));
        }
        let (mut mistakes, mut all) = (0.0, 0.0);
        for (next, next_value) in self.successors(position)? {
            let attraction = self.opponent.attraction(next_value);
            let given_away = f64::from(value.class() - next_value.class()) / 2.0;
            let chance = if given_away > 0.0 {
                given_away
            } else {
                self.best_chance_of_mistake(&next, next_value.after(), depth - 1)?
            };
            mistakes += attraction * chance;
            all += attraction;
        }
        // Rounded, since the sums of mirror images differ in the last digits.
        Ok(if all > 0.0 { (mistakes / all * 1e9).round() / 1e9 } else { 0.0 })
    }

    /// The highest probability of a mistake after a move of the other side that keeps its result.
    fn best_chance_of_mistake(
        &mut self,
        position: &Position,
        value: TableValue,
        depth: u32,
    ) -> Result<f64, TableError> {
        if value.is_over() {
            return Ok(0.0);
        }
        if depth == 0 && matches!(value, TableValue::Loss(_) | TableValue::Draw) {
            // The longest way is the likeliest, and the value tells it.
            return Ok(self.opponent.later_mistake(value.after()));
        }
        let mut best: f64 = 0.0;
        for (next, next_value) in self.successors(position)? {
            if next_value.class() == value.class() {
                best = best.max(self.chance_of_mistake(&next, next_value.after(), depth)?);
            }
        }
        Ok(best)
    }
}
