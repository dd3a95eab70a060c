//! The built-in games as data: a folder for each, with all that is known of it.
//!
//! Each file is plain text here; who uses it reads it (rules, evaluation, engine, tables, tests). The list is made from
//! the folders when the program is built, see `build.rs`. `docs/GAMES.md` says how to add a game.

include!(concat!(env!("OUT_DIR"), "/games.rs"));

/// The files of a built-in game.
#[derive(Debug)]
pub struct GameFiles {
    /// The id, which is the name of the folder.
    pub id: &'static str,
    /// The group of games that it belongs to: `chinese`, `nanking`, `japanese` or `korean` for those of RULES §6, else
    /// `relatives`.
    pub family: &'static str,
    /// `game.toml`: the place in the list of games, the family unless the folder tells it, and the fingerprint that a
    /// test compares.
    pub game: &'static str,
    /// `rules.toml`: the variant file.
    pub rules: &'static str,
    /// `perft.txt`: counts of move sequences, which tests compare.
    pub perft: &'static str,
    /// `board.toml`: the board file, where no other game has the same board.
    pub board: Option<&'static str>,
    /// `weights.toml`: the fitted weights of the evaluation. Without it the weights of the family are used.
    pub weights: Option<&'static str>,
    /// `skill_levels.toml`: how weak each level of skill is. Without it those of other games are used.
    pub skill_levels: Option<&'static str>,
    /// `win_rates.toml`: the chance to win by score. Without it those of other games are used.
    pub win_rates: Option<&'static str>,
    /// `table_counts.toml`: how many positions of the tablebase are won, drawn and lost.
    pub table_counts: Option<&'static str>,
    /// `bench.txt`: positions that the benchmark searches beside the opening, one a line.
    pub bench: Option<&'static str>,
}

impl GameFiles {
    /// True for a game of another family than those of RULES §6.
    pub fn is_relative(&self) -> bool {
        self.family == "relatives"
    }
}

/// All built-in games, in the order in which they are listed: the family, then its relatives.
pub fn all() -> &'static [GameFiles] {
    GAMES
}

/// The built-in game with this id.
pub fn get(id: &str) -> Option<&'static GameFiles> {
    GAMES.iter().find(|game| game.id == id)
}

/// The ids and the texts of the board files of all built-in games.
pub(crate) fn boards() -> &'static [(&'static str, &'static str)] {
    BOARDS
}
