//! An engine on one side of the board.

use crate::rules::Side;

use super::game_report::{GameReport, Perfect};
use super::tally::Tally;

/// All games of an engine as one side.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SideRecord {
    /// Results.
    pub tally: Tally,
    /// Results of the games that no fault ended. Only those tell how well the engines play.
    pub played_out: Tally,
    /// Plies of all wins that were played out, together.
    pub plies_of_wins: u64,
    /// Plies of all losses that were played out, together.
    pub plies_of_losses: u64,
    /// Rebels left at the end of all games that were played out, together.
    pub rebels_left: u64,
    /// Comparison with perfect play: `wins` are games with a better result, `draws` with the same, `losses` with a worse one.
    pub against_table: Tally,
    /// Plies beyond perfect play, together, of the wins that a table grants.
    pub plies_beyond_table: i64,
    /// How many wins that are.
    pub wins_granted: u64,
}

impl SideRecord {
    /// Adds a game that the engine played as `side`.
    pub fn add(&mut self, side: Side, game: &GameReport) {
        let result = Tally::of_game(side, game.winner);
        self.tally += result;
        if game.fault.is_none() {
            self.played_out += result;
            self.plies_of_wins += result.wins * u64::from(game.plies);
            self.plies_of_losses += result.losses * u64::from(game.plies);
            self.rebels_left += u64::from(game.rebels_left);
        }
        if let Some(perfect) = game.perfect {
            self.compare(side, game, perfect, result);
        }
    }

    fn compare(&mut self, side: Side, game: &GameReport, perfect: Perfect, result: Tally) {
        let (found, due) = (result.half_points(), Tally::of_game(side, perfect.winner()).half_points());
        self.against_table +=
            Tally { wins: u64::from(found > due), draws: u64::from(found == due), losses: u64::from(found < due) };
        if let Perfect::Win { plies, .. } = perfect
            && found == 2
            && due == 2
            && game.fault.is_none()
        {
            self.wins_granted += 1;
            self.plies_beyond_table += i64::from(game.plies) - i64::from(plies);
        }
    }
}
