//! A variant: board, opening and rule words, read from a TOML file and compiled.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml::de::DeTable;

use crate::board::{Board, BoardError, Mirror, Point, PointSet, PointTable, is_id};
use crate::foreign_file::{open_file, read_bounded};

use super::family::for_family;
use super::position_text::{PositionError, read_rows, rows_text};
use super::rule_set::{ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, RuleSet, StaticRule};
use super::{CompiledRules, FamilyName, Game, Hop, Move, MovePath, Outcome, Position, Side};

/// Why a variant file is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VariantError {
    /// The file can't be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The path as given.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// The file is wrong.
    #[error("{path}: {error}")]
    InFile {
        /// The path as given.
        path: String,
        /// What is wrong with it.
        error: Box<VariantError>,
    },
    /// Not TOML, or a key is missing, unknown or of the wrong type.
    #[error("variant file: {0}")]
    Syntax(String),
    /// The id can't stand in a position text.
    #[error("variant id \"{0}\": expected at most 64 lower case letters, digits and -, and not startpos, fen or moves")]
    Id(String),
    /// The board is not built in, and no file of that name was found.
    #[error("variant board \"{0}\": expected the id of a built-in board or the path of a board file")]
    UnknownBoard(String),
    /// The board file is wrong.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The opening is no position of the board.
    #[error("variant opening: {0}")]
    Opening(#[from] PositionError),
    /// More free jumps than a position text can show.
    #[error("variant free_jumps = {0}: expected 0 to 9")]
    FreeJumps(u8),
    /// A point of the goal that the board does not have.
    #[error("variant goal \"{0}\": expected points of the board")]
    Goal(String),
    /// Two words that say nothing together, or a word that the board gives no meaning.
    #[error("variant {0}")]
    RuleSet(&'static str),
}

/// What a variant file says beside the rule words.
#[derive(Deserialize)]
struct Heading {
    id: String,
    title: String,
    #[serde(default)]
    notes: Vec<String>,
    board: String,
    opening: String,
}

impl Heading {
    const KEYS: [&str; 5] = ["id", "title", "notes", "board", "opening"];
}

/// A game: its board, its opening, its rules, compiled for speed.
#[derive(Debug)]
pub struct Variant {
    id: String,
    title: String,
    notes: Vec<String>,
    source: String,
    board: Arc<Board>,
    words: RuleSet,
    family: FamilyName,
    rules: CompiledRules,
    opening: Position,
    fingerprint: String,
    mirrored: bool,
    path: Option<PathBuf>,
}

impl Variant {
    /// Reads a variant file. A board that is not built in is looked up beside the file.
    ///
    /// # Errors
    /// Says what is wrong with the file, or that it can't be read.
    pub fn from_file(path: &Path) -> Result<Variant, VariantError> {
        let named = |error| match error {
            VariantError::Unreadable { .. } => error,
            other => VariantError::InFile { path: path.display().to_string(), error: Box::new(other) },
        };
        let variant = Variant::from_toml(&read_file(path)?, path.parent()).map_err(named)?;
        Ok(Variant { path: Some(path.to_owned()), ..variant })
    }

    /// Reads the text of a variant file. `folder` is where board files are looked up; without it only built-in boards
    /// can be named.
    ///
    /// # Errors
    /// Says what is wrong and where.
    pub fn from_toml(text: &str, folder: Option<&Path>) -> Result<Variant, VariantError> {
        let file: Heading = toml::from_str(text).map_err(syntax)?;
        if !is_id(&file.id) || ["startpos", "fen", "moves"].contains(&file.id.as_str()) {
            return Err(VariantError::Id(file.id));
        }
        let board = match (Board::builtin(&file.board), folder) {
            (Some(board), _) => board,
            (None, Some(folder)) if file.board.ends_with(".toml") => {
                Arc::new(Board::from_toml(&read_file(&folder.join(&file.board))?)?)
            }
            (None, _) => return Err(VariantError::UnknownBoard(file.board)),
        };
        let words: RuleSet = toml::from_str(&without_heading(text)?).map_err(syntax)?;
        let variant = Variant::new(board, words, &file.opening)?;
        Ok(Variant { id: file.id, title: file.title, notes: file.notes, source: text.to_owned(), ..variant })
    }

    /// A nameless variant.
    fn new(board: Arc<Board>, mut words: RuleSet, opening: &str) -> Result<Variant, VariantError> {
        check(&words, &board)?;
        // However they are written, the same points are the same rule.
        let goal = board.named(&words.goal);
        words.goal = board.names(goal).split_whitespace().map(str::to_owned).collect();
        let rules = CompiledRules::new(&board, &words);
        let (rebels, general) = read_rows(opening, &board, rules.ground)?;
        let apex_visited = rules.return_apex.contains(general);
        let opening = Position::new(rebels, general, words.first, apex_visited, words.free_jumps);
        // A top-bottom mirror turns round what goes up or down.
        let turned = words.forward || !rules.winning_bottom.is_empty();
        let keeps_goal = |mirror: &Mirror| mirror.set(rules.winning_goal) == rules.winning_goal;
        let variant = Variant {
            id: String::new(),
            title: String::new(),
            notes: Vec::new(),
            source: String::new(),
            path: None,
            fingerprint: fingerprint(&board, &words, &opening),
            family: FamilyName::of(&words),
            mirrored: board.mirror().is_some_and(|mirror| keeps_goal(mirror) && (mirror.is_left_right() || !turned)),
            board,
            words,
            rules,
            opening,
        };
        if let Some(outcome) = variant.rules.goal_after_general(&opening) {
            return Err(PositionError::Unreachable(outcome).into());
        }
        variant.check_hops()?;
        Ok(variant)
    }

    /// The id, as position texts carry it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The file that it was read from; none for what is built in.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The name for people.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Remarks: the source, and where the rules are a reading of it.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The text of the file.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// The rule words.
    #[must_use]
    pub fn rule_set(&self) -> &RuleSet {
        &self.words
    }

    /// The narrowest family that holds the game.
    #[must_use]
    pub fn family(&self) -> FamilyName {
        self.family
    }

    /// The compiled tables.
    #[must_use]
    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    /// The first position of a game.
    #[must_use]
    pub fn opening(&self) -> &Position {
        &self.opening
    }

    /// The first 16 hex digits of SHA-256 over the compiled rules. Id, title and notes do not count, nor does the order
    /// in which a board file lists its lines.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Do the board's mirror images play alike?
    #[must_use]
    pub fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// The mirror image of a point, where [`is_mirrored`](Variant::is_mirrored); else the point itself.
    #[must_use]
    pub fn image(&self, point: Point) -> Point {
        self.board.mirror().filter(|_| self.mirrored).map_or(point, |mirror| mirror.point(point))
    }

    /// The mirror image of a position, where [`is_mirrored`](Variant::is_mirrored); else the position itself.
    #[must_use]
    pub fn mirror(&self, position: &Position) -> Position {
        match self.board.mirror() {
            Some(mirror) if self.mirrored => Position::new(
                mirror.set(position.rebels()),
                mirror.point(position.general()),
                position.side(),
                position.apex_visited(),
                position.free_jumps(),
            ),
            _ => *position,
        }
    }

    /// The one of two mirror images that stands for both.
    #[must_use]
    pub fn canonical(&self, position: &Position) -> Position {
        let image = self.mirror(position);
        let key = |position: &Position| (position.rebels(), position.general());
        if key(&image) < key(position) { image } else { *position }
    }

    /// The game with other rule words, for questions such as "what if there were no limit?". Everything else stays.
    ///
    /// # Errors
    /// When the words say nothing on this board, or the opening would be over before it began.
    pub fn with_words(&self, words: RuleSet) -> Result<Variant, VariantError> {
        let variant = Variant::new(Arc::clone(&self.board), words, &rows_text(&self.opening, &self.board))?;
        let (id, title, notes) = (self.id.clone(), self.title.clone(), self.notes.clone());
        Ok(Variant { id, title, notes, source: self.source.clone(), ..variant })
    }

    /// A game that begins with the opening.
    #[must_use]
    pub fn start(self: &Arc<Self>) -> Game {
        Game::new(self, self.opening, 0, 0)
    }

    /// The points that a drawing sets off as the privy: none where no rule tells them from the field.
    #[must_use]
    pub fn marked_privy(&self) -> PointSet {
        let words = &self.words;
        let is_told = !words.enter_privy || words.close_privy || words.apex != ApexRule::None || words.free_jumps > 0;
        if is_told { self.board.privy() } else { PointSet::EMPTY }
    }

    /// The points that a drawing sets off as exits of the [marked privy](Variant::marked_privy).
    #[must_use]
    pub fn marked_exits(&self) -> PointSet {
        if self.marked_privy().is_empty() { PointSet::EMPTY } else { self.board.exits() }
    }

    /// The points that a drawing sets off because the General wins or loses by reaching them: apex points that a rule names, and its goal.
    #[must_use]
    pub fn marked_goal(&self) -> PointSet {
        let apex = if self.words.apex == ApexRule::None { PointSet::EMPTY } else { self.board.apex() };
        apex | self.rules.winning_goal
    }

    /// All legal moves of a position that is not over by a goal: jumps first, then static interventions, walks, leaps, free
    /// jumps.
    #[must_use]
    pub fn legal_moves(&self, position: &Position) -> Vec<MovePath> {
        let mut moves = Vec::new();
        match position.side() {
            Side::Rebels => self.rules.rebel_bundles(position, |from, targets| {
                moves.extend(targets.into_iter().map(|to| MovePath::new(Move::rebel_step(from, to), vec![to])));
            }),
            Side::General => for_family!(self.family, F => {
                self.rules.general_actions::<F>(position, |action, landings| moves.push(MovePath::new(action, landings.to_vec())));
            }),
        }
        moves
    }

    /// How a game has ended that was set up with this position, judged as if the side not to move had just moved.
    #[must_use]
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        for_family!(self.family, F => self.rules.outcome::<F>(position, None))
    }

    /// Makes a move, which must be legal: the position after it, and how it ended the game, repetition apart.
    #[must_use]
    pub fn play_unchecked(&self, position: &Position, action: &Move) -> (Position, Option<Outcome>) {
        let (next, goal) = self.rules.play_unchecked(position, action);
        let stuck = || for_family!(self.family, F => self.rules.outcome_if_stuck::<F>(&next));
        (next, goal.or_else(stuck))
    }

    /// Refuses words for moves that nobody can make on this board.
    fn check_hops(&self) -> Result<(), VariantError> {
        let none = |hops: &PointTable<Vec<Hop>>| hops.iter().all(Vec::is_empty);
        if self.words.jump != JumpRule::None && none(&self.rules.jumps) {
            return Err(VariantError::RuleSet("jump: the board has no line along which he could jump"));
        }
        if self.words.leap != LeapRule::None && none(&self.rules.leaps) {
            return Err(VariantError::RuleSet("leap: the board has no line along which he could leap"));
        }
        Ok(())
    }

    /// Refuses positions that no game can reach because it would have ended before (RULES §4).
    pub(super) fn reachable(&self, position: &Position) -> Result<(), PositionError> {
        if position.side() == Side::General
            && let Some(outcome) = self.rules.goal_after_general(position)
        {
            return Err(PositionError::Unreachable(outcome));
        }
        Ok(())
    }
}

/// Nobody writes larger files; a device would never end.
const LARGEST_FILE: u64 = 1 << 20;

/// Reads a file that somebody wrote.
///
/// # Errors
/// When it can't be read, or is none that somebody wrote.
pub(crate) fn read_file(path: &Path) -> Result<String, VariantError> {
    let failed = |reason: String| VariantError::Unreadable { path: path.display().to_string(), reason };
    let text = open_file(path).and_then(|file| read_bounded(file, LARGEST_FILE));
    text.map_err(|error| failed(error.to_string()))
}

/// The text with the heading's entries blanked out: the rule words stay in their lines, so that errors name these.
fn without_heading(text: &str) -> Result<String, VariantError> {
    let mut bytes = text.as_bytes().to_vec();
    for (key, value) in DeTable::parse(text).map_err(syntax)?.get_ref() {
        if Heading::KEYS.contains(&key.get_ref().as_ref()) {
            let entry = bytes.get_mut(key.span().start..value.span().end).unwrap_or_default();
            entry.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
    }
    // Whole entries went, so whole characters did.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn syntax(error: toml::de::Error) -> VariantError {
    // "unknown variant" is what the protocol says of an id; here a word has an unknown value.
    VariantError::Syntax(error.to_string().trim_end().replace("unknown variant", "unknown value"))
}

fn check(words: &RuleSet, board: &Board) -> Result<(), VariantError> {
    if words.free_jumps > 9 {
        return Err(VariantError::FreeJumps(words.free_jumps));
    }
    if let Some(name) = words.goal.iter().find(|name| board.named(&[name]).is_empty()) {
        return Err(VariantError::Goal(name.clone()));
    }
    if words.bottom != BottomRule::None && board.bottom().is_empty() {
        return Err(VariantError::RuleSet("bottom: the field has no point on row 1"));
    }
    if words.jump == JumpRule::None && words.jump_lines != JumpLines::Any {
        return Err(VariantError::RuleSet("jump_lines: there is no jump that it could narrow"));
    }
    if board.apex().is_empty() && words.apex != ApexRule::None {
        return Err(VariantError::RuleSet("apex: the board has no apex"));
    }
    let pairs = words.intervention || words.deferred || words.static_rule != StaticRule::None;
    if words.orthogonal && !pairs {
        return Err(VariantError::RuleSet("orthogonal: there is no capture of pairs that it could narrow"));
    }
    if words.compulsory && !pairs && words.jump == JumpRule::None {
        return Err(VariantError::RuleSet("compulsory: there is no capture"));
    }
    // A leap and a step are written alike; they must not go the same way.
    let leap_is_step = |t: &crate::board::Triple| board.neighbours(t.first).contains(t.last);
    if words.leap != LeapRule::None && board.triples().iter().any(leap_is_step) {
        return Err(VariantError::RuleSet("leap: on this board a leap can't be told from a step"));
    }
    Ok(())
}

fn fingerprint(board: &Board, words: &RuleSet, opening: &Position) -> String {
    let mut text = String::from("privy rules 1\n");
    // Writing to a string does not fail.
    for point in board.all() {
        let spot = board.spot(point);
        let kind = if board.field().contains(point) { "field" } else { "privy" };
        let _ = writeln!(
            text,
            "{} {} {} {kind} {}",
            board.name(point),
            spot.x,
            spot.y,
            board.names(board.neighbours(point))
        );
    }
    let mut triples: Vec<String> = board
        .triples()
        .iter()
        .map(|t| {
            let (low, high) = (t.first.min(t.last), t.first.max(t.last));
            format!("{}-{}-{}", board.name(low), board.name(t.middle), board.name(high))
        })
        .collect();
    triples.sort();
    let _ = writeln!(text, "{}\napex {}", triples.join(" "), board.names(board.apex()));
    let _ = writeln!(text, "{}", toml::to_string(words).unwrap_or_default());
    let _ = writeln!(text, "{} / {}", board.names(opening.rebels()), board.name(opening.general()));
    Sha256::digest(text.as_bytes()).iter().take(8).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
