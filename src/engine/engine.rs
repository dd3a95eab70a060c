//! The engine itself: a game with its history, options, clocks, tables and proofs.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use privy_protocol::{Clock, ErrorCode, ProtocolError, Stop, TimeControl};

use privy_base::random::mix;
use privy_rules::{DEFAULT_VARIANT, Game, MovePath, Outcome, Side, Variant, VariantError};
use privy_search::Searcher;
use privy_search::eval::Weights;
use privy_search::proof::Proof;
use privy_tables::{Progress, Table, TableValue, Tables, solve_in_memory};

use super::options::Options;
use super::proof_play::Proofs;

/// None of the moves to search is legal.
pub(super) fn no_move() -> ProtocolError {
    ProtocolError::new(ErrorCode::IllegalMove, "there is no move to search")
}

/// The most variants of files that stay known.
const MOST_READ: usize = 64;

/// The engine. A call that fails has changed nothing. Its error is the one that a session answers: rules, tables and
/// weights say their phrase where they are made.
#[derive(Debug)]
pub struct Engine {
    pub(super) game: Game,
    /// The start of a new game of its variant.
    first: Game,
    /// Variants of files that have been read, the latest last; their ids are not those of built-in ones.
    read: Vec<Arc<Variant>>,
    /// Other games with the same seed so far.
    games: u64,
    pub(super) searcher: Searcher,
    pub(super) options: Options,
    time_control: TimeControl,
    /// By [`Side`].
    pub(super) clocks: [Option<Clock>; 2],
    pub(super) tables: Tables,
    /// Fingerprints of the variants for which the log has named the reason that no table is used.
    pub(super) logged_tables: Arc<Mutex<BTreeSet<String>>>,
    pub(super) proofs: Proofs,
    /// The text of records that a client sends in several lines.
    pub(super) record_text: String,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine with the opening of the default variant.
    pub fn new() -> Engine {
        let variant = Variant::builtin(DEFAULT_VARIANT).expect("the default variant is built in");
        Engine::at(variant.start())
    }

    /// An engine with a game. New games of its variant begin with its position.
    pub fn at(game: Game) -> Engine {
        let options = Options::default();
        let mut engine = Engine {
            first: game.without_history(),
            read: Vec::new(),
            games: 0,
            game,
            searcher: Searcher::new(options.hash as usize),
            options,
            time_control: TimeControl::None,
            clocks: [None; 2],
            tables: Tables::default(),
            logged_tables: Arc::default(),
            proofs: Proofs::default(),
            record_text: String::new(),
        };
        engine.keep_variant();
        engine
    }

    /// An engine for another thread, with the game and the options of this one. Both share tables; these and proofs are
    /// looked for once for each variant from now on, in this engine, too.
    #[must_use]
    pub fn clone_sharing_tables(&mut self) -> Engine {
        self.tables = self.tables.kept();
        self.proofs.is_settled = true;
        let mut engine = Engine {
            options: self.options.clone(),
            tables: self.tables.clone(),
            logged_tables: Arc::clone(&self.logged_tables),
            proofs: self.proofs.clone(),
            record_text: String::new(),
            read: self.read.clone(),
            ..Engine::at(self.game.clone())
        };
        engine.searcher = Searcher::new(self.options.hash as usize);
        engine.searcher.set_weights(self.options.weights.clone());
        engine.searcher.seed = engine.seed();
        engine
    }

    /// The variant.
    pub fn variant(&self) -> &Arc<Variant> {
        self.game.variant()
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the variants of files that have been read, the current one last, if it is one of them.
    pub(crate) fn read_variants(&self) -> impl Iterator<Item = &Arc<Variant>> {
        let (current, others): (Vec<_>, Vec<_>) =
            self.read.iter().partition(|variant| Arc::ptr_eq(variant, self.variant()));
        others.into_iter().chain(current)
    }

    /// Keeps the current variant, if a file has given it.
    fn keep_variant(&mut self) {
        let variant = Arc::clone(self.variant());
        if Variant::builtin(variant.id()).is_none() {
            self.read.retain(|other| other.id() != variant.id());
            self.read.push(variant);
            self.read.drain(..self.read.len().saturating_sub(MOST_READ));
        }
    }

    /// Returns the variant of an id: the current one, a built-in one, or one of a file that has been read.
    #[must_use]
    pub fn known_variant(&self, id: &str) -> Option<Arc<Variant>> {
        let current = Some(self.variant()).filter(|variant| variant.id() == id).cloned();
        let read = || self.read.iter().find(|variant| variant.id() == id).cloned();
        current.or_else(|| Variant::builtin(id)).or_else(read)
    }

    /// Begins a new game of a built-in variant, or of one of a file that has been read.
    ///
    /// # Errors
    /// When the variant is unknown.
    pub fn choose_variant(&mut self, id: &str) -> Result<(), ProtocolError> {
        let variant = Variant::builtin(id).or_else(|| self.known_variant(id));
        self.begin(variant.ok_or_else(|| unknown_variant(id))?.start());
        Ok(())
    }

    /// Begins a new game of a variant that a file or a text has given.
    ///
    /// # Errors
    /// When it has given none.
    pub(crate) fn begin_variant(&mut self, read: Result<Variant, VariantError>) -> Result<(), ProtocolError> {
        let variant = Arc::new(read?);
        self.begin(variant.start());
        self.keep_variant();
        Ok(())
    }

    /// Begins a new game of the current variant.
    pub(crate) fn new_game(&mut self) {
        let is_first = Arc::ptr_eq(self.first.variant(), self.game.variant());
        self.begin(if is_first { self.first.clone() } else { self.game.variant().start() });
    }

    fn begin(&mut self, game: Game) {
        self.set_game(game);
        self.set_time_control(self.time_control);
    }

    /// Continues with a game and its history.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
        self.apply_move_limit();
        // Else both would pass on the clock of the next move.
        self.open_tables();
        self.searcher.make_ready(self.game.variant());
    }

    /// Opens the table of the variant, and begins to read its proofs.
    fn open_tables(&mut self) {
        // A search tells why there is none.
        let _ = self.tables.find(self.game.variant());
        self.proofs.begin(self.tables.choice(), self.game.variant());
    }

    fn apply_move_limit(&mut self) {
        self.game.set_move_limit(u32::try_from(self.options.move_limit).ok().filter(|limit| *limit > 0));
    }

    /// Reads the position of a text, of a variant unless the text names another one.
    ///
    /// # Errors
    /// When it is no position.
    pub fn read_position(&self, variant: &Arc<Variant>, text: &str) -> Result<Game, ProtocolError> {
        let id = text.split_ascii_whitespace().nth(5).filter(|id| *id != variant.id());
        let named = id.and_then(|id| self.known_variant(id));
        Game::from_text(text, named.as_ref().or(Some(variant)))
    }

    /// Sets up a position, the opening without a text, and plays moves from there; all or nothing. A text may switch
    /// the variant.
    ///
    /// # Errors
    /// When the text is no position, or a move is not legal.
    pub fn set_position(&mut self, text: Option<&str>, moves: &[String]) -> Result<(), ProtocolError> {
        let variant = Arc::clone(self.game.variant());
        self.set_position_of(&variant, text, moves)
    }

    /// The same as if this variant were the current one.
    ///
    /// # Errors
    /// As [`set_position`](Engine::set_position).
    pub fn set_position_of(
        &mut self,
        variant: &Arc<Variant>,
        text: Option<&str>,
        moves: &[String],
    ) -> Result<(), ProtocolError> {
        let mut game = match text {
            Some(text) => self.read_position(variant, text)?,
            None => variant.start(),
        };
        for (place, text) in moves.iter().enumerate() {
            let move_ = parse_listed(&game, place, text)?;
            game.play(move_);
        }
        self.set_game(game);
        Ok(())
    }

    /// Plays a move, of a given side if any.
    ///
    /// # Errors
    /// When the game is over, the other side is to move, or the move is not legal.
    pub fn play(&mut self, side: Option<Side>, text: &str) -> Result<(), ProtocolError> {
        let move_ = self.game.parse_move(side, text)?;
        self.game.play(move_);
        Ok(())
    }

    /// Takes back moves; all or none.
    ///
    /// # Errors
    /// When fewer have been played.
    pub fn undo(&mut self, count: usize) -> Result<(), ProtocolError> {
        self.game.undo(count).map_err(|played| {
            ProtocolError::new(ErrorCode::CannotUndo, format!("asked for {count}, moves played: {played}"))
        })
    }

    /// Changes options.
    ///
    /// # Errors
    /// When a value is out of range, or cannot be used; then nothing changes.
    pub fn configure(&mut self, change: impl FnOnce(&mut Options)) -> Result<(), ProtocolError> {
        let mut options = self.options.clone();
        change(&mut options);
        self.set_options(options, "")
    }

    /// Sets an option by its name and its text. It has its effect though it has that value: a folder
    /// is searched again, the choices of a seed begin again.
    ///
    /// # Errors
    /// When the option is unknown, or the value does not fit.
    pub fn set_option(&mut self, name: &str, value: impl AsRef<OsStr>) -> Result<(), ProtocolError> {
        let mut options = self.options.clone();
        options.set_by_name(name, value.as_ref())?;
        self.set_options(options, name)
    }

    /// Sets the options. What differs has its effect, and so has the option of this name.
    fn set_options(&mut self, mut options: Options, named: &str) -> Result<(), ProtocolError> {
        options.check()?;
        let has_weights = named == "weights" || options.weights != self.options.weights;
        let has_size = named == "hash" || options.hash != self.options.hash;
        if has_weights {
            // An unusable file is an error now, not a surprise later.
            Weights::chosen(&options.weights, self.game.variant())?;
        }
        if has_size && !self.searcher.resize(options.hash as usize) {
            let found = format!("the system does not give {} MiB", options.hash);
            let detail = format!("hash: {found}; expected a size that its memory has room for");
            return Err(ProtocolError::new(ErrorCode::ValueOutOfRange, detail));
        }
        let old = std::mem::replace(&mut self.options, options);
        if named == "seed" || self.options.seed != old.seed {
            self.games = 0;
            self.searcher.seed = self.seed();
        }
        if self.options.move_limit != old.move_limit {
            self.apply_move_limit();
        }
        if named == "tables" || self.options.tables != old.tables {
            self.tables = Tables::new(self.options.tables.clone());
            self.logged_tables = Arc::default();
            self.proofs.forget();
            self.open_tables();
        }
        if has_weights {
            self.searcher.set_weights(self.options.weights.clone());
            self.searcher.make_ready(self.game.variant());
        }
        Ok(())
    }

    /// The seed of choices among equal moves; 0 for none.
    pub(super) fn seed(&self) -> u64 {
        match (self.options.seed, self.games) {
            (0, _) => 0,
            (seed, 0) => seed,
            (seed, games) => mix(seed ^ mix(games)).max(1),
        }
    }

    /// Changes the choices of a seed, for the next game of a match.
    pub fn choose_otherwise(&mut self) {
        self.games += 1;
        self.searcher.seed = self.seed();
    }

    /// Sets the time control, and the clocks to the start of a game.
    pub fn set_time_control(&mut self, control: TimeControl) {
        self.time_control = control;
        self.clocks = [control.start(); 2];
    }

    /// Sets the clock of a side. Without moves the time is main time; else it is the rest of a period, with the moves
    /// to make in it (Canadian) or the periods left (byo-yomi). A game without time control gets one: some clients
    /// never send the control.
    pub fn set_clock(&mut self, side: Side, left: Clock) {
        if self.time_control == TimeControl::None {
            let (main, period) = (Duration::ZERO, left.remaining);
            self.set_time_control(match left.moves {
                None => TimeControl::absolute(left.remaining),
                Some(moves) => TimeControl::Canadian { main, period, moves },
            });
        }
        self.clocks[side as usize] = Some(self.time_control.clock(left.remaining, left.moves));
    }

    pub(super) fn check_on(&self) -> Result<(), ProtocolError> {
        let over = |outcome: Outcome| Err(ProtocolError::new(ErrorCode::GameOver, outcome.to_string()));
        self.game.outcome().map_or(Ok(()), over)
    }

    /// The table of the variant.
    ///
    /// # Errors
    /// When there is none, or it cannot be used.
    pub fn table(&self) -> Result<Arc<Table>, ProtocolError> {
        Ok(self.tables.find(self.game.variant())?)
    }

    /// Solves the variant into memory.
    ///
    /// # Errors
    /// When it can't be solved so, or `stop` was set.
    pub fn solve(
        &mut self,
        progress: &mut (dyn FnMut(&Progress) + Send),
        stop: &Stop,
    ) -> Result<Arc<Table>, ProtocolError> {
        self.tables.keep_in_memory(solve_in_memory(self.game.variant(), progress, stop)?);
        self.table()
    }

    /// Takes the contents of a file, where there are no folders: a table of the variant, or a proof of any, which is
    /// read when it is needed.
    ///
    /// # Errors
    /// When they are neither.
    pub fn load_bytes(&mut self, bytes: Vec<u8>) -> Result<(), ProtocolError> {
        match Proof::fingerprint_of_bytes(bytes.clone()) {
            Ok(fingerprint) => drop(self.proofs.given.insert(fingerprint, bytes)),
            Err(_) => self.tables.keep_in_memory(Table::from_memory(bytes, self.game.variant())?),
        }
        Ok(())
    }

    /// The table value of the position for the side to move.
    ///
    /// # Errors
    /// When the game is over, or no table covers the position.
    pub fn probe(&self) -> Result<TableValue, ProtocolError> {
        self.check_on()?;
        Ok(self.table()?.probe(&self.game)?)
    }

    /// Plays a legal move.
    pub fn play_move(&mut self, move_: MovePath) {
        self.game.play(move_);
    }

    /// Plays the move of a search, and takes its time from the clock.
    pub fn play_found(&mut self, move_: MovePath, spent: Duration) {
        if let Some(clock) = &mut self.clocks[self.game.side() as usize] {
            self.time_control.spend(clock, spent);
        }
        self.play_move(move_);
    }
}

/// Reads moves of a list that may be played in a game, each by itself.
pub(super) fn parse_all(game: &Game, texts: &[String]) -> Result<Vec<MovePath>, ProtocolError> {
    texts.iter().enumerate().map(|(place, text)| parse_listed(game, place, text)).collect()
}

/// No built-in variant has this id, nor one of a file that has been read.
pub fn unknown_variant(id: &str) -> ProtocolError {
    let cure = "list_variants names them all, a file is named by a path with / or .toml";
    ProtocolError::new(ErrorCode::UnknownVariant, format!("\"{id}\"; {cure}"))
}

fn parse_listed(game: &Game, place: usize, text: &str) -> Result<MovePath, ProtocolError> {
    game.parse_move(None, text).map_err(|error| {
        let detail = format!("move {} ({text}): {error}", place + 1);
        ProtocolError::new(ProtocolError::from(error).code(), detail)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_that_is_set_by_its_name_begins_its_choices_again() {
        let mut engine = Engine::new();
        engine.set_option("seed", "5").unwrap();
        let first = engine.seed();
        engine.choose_otherwise();
        engine.configure(|options| options.seed = 5).unwrap();
        assert_ne!(engine.seed(), first);
        engine.set_option("seed", "5").unwrap();
        assert_eq!(engine.seed(), first);
    }

    #[test]
    fn options_out_of_range_change_nothing() {
        let mut engine = Engine::new();
        let before = engine.options().clone();
        let refused = engine.configure(|options| (options.multi_pv, options.hash) = (3, 0));
        assert_eq!(refused.unwrap_err().to_string(), "value out of range: hash: expected 1 to 65536, found \"0\"");
        assert_eq!(*engine.options(), before);
    }
}
