//! A variant: board, opening and rule words, read from a TOML file and compiled.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::board::{Board, Mirror, Point, PointSet, PointTable, Triple};
use crate::foreign_text::shown;
use crate::noun::noun;
use crate::toml_file::{Faults, Place, Problem};

use super::family::for_family;
use super::position_text::{PositionError, read_rows, rows_text};
use super::rule_set::{ApexRule, BottomRule, JumpLines, JumpRule, LeapRule, RuleSet};
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
    /// The file is wrong, or one that it names.
    #[error(transparent)]
    Wrong(#[from] Faults),
    /// Rule words that say nothing together or on the board, or an opening that is no position: the key, what was found, what
    /// would be right.
    #[error("variant {0}")]
    Words(String),
}

impl VariantError {
    /// The error as one line, where a file has several faults.
    #[must_use]
    pub fn in_one_line(&self) -> String {
        match self {
            VariantError::Wrong(faults) => faults.in_one_line(),
            other => other.to_string(),
        }
    }
}

/// The most characters that are shown of what should be the name of a point.
const LONGEST_NAME: usize = 60;

/// What is wrong with an opening of the General alone.
pub(super) const NO_REBELS: &str = "there are no Rebels; expected r for each of them";

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
    /// A nameless variant, or all that keeps it from being one.
    pub(super) fn new(board: Arc<Board>, mut words: RuleSet, opening: &str) -> Result<Variant, Vec<Problem>> {
        let mut problems = problems_of_words(&words, &board);
        // However they are written, the same points are the same rule.
        let goal = board.named(&words.goal);
        words.goal = board.names(goal).split_whitespace().map(str::to_owned).collect();
        let rules = CompiledRules::new(&board, &words);
        problems.extend(problems_of_hops(&words, &rules));
        let rows = read_rows(opening, &board, rules.ground);
        let (rebels, general) = rows.map_err(|error| {
            problems.push(Problem::key("opening", opening_in_words(&error, &board)));
            std::mem::take(&mut problems)
        })?;
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
        problems.extend(variant.rules.goal_after_general(&opening).map(|outcome| variant.opening_is_over(outcome)));
        if problems.is_empty() { Ok(variant) } else { Err(problems) }
    }

    /// The variant with what its file says beside board, opening and rule words.
    pub(super) fn with_heading(self, id: &str, title: &str, notes: Vec<String>, source: &str) -> Variant {
        Variant { id: id.to_owned(), title: title.to_owned(), notes, source: source.to_owned(), ..self }
    }

    /// Names the file that it was read from.
    pub(super) fn set_path(&mut self, path: PathBuf) {
        self.path = Some(path);
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
        let variant = self.changed(words).map_err(|problems| {
            let texts: Vec<String> = problems.iter().map(Problem::to_string).collect();
            VariantError::Words(texts.join("; "))
        })?;
        Ok(variant.with_heading(&self.id, &self.title, self.notes.clone(), &self.source))
    }

    /// The same without a name, or all that keeps it from being a game.
    pub(super) fn changed(&self, words: RuleSet) -> Result<Variant, Vec<Problem>> {
        Variant::new(Arc::clone(&self.board), words, &rows_text(&self.opening, &self.board))
    }

    /// A position of the same game under other words, without the flags that these don't know.
    pub(super) fn known(&self, position: &Position) -> Position {
        let visited = position.apex_visited() && !self.rules.return_apex.is_empty();
        let free_jumps = position.free_jumps().min(self.words.free_jumps);
        Position::new(position.rebels(), position.general(), position.side(), visited, free_jumps)
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

    /// Why no game begins with the opening: it would be over by this outcome.
    fn opening_is_over(&self, outcome: Outcome) -> Problem {
        let rebels = self.opening.rebels().len();
        match (outcome, self.words.rebels_at_most, rebels.checked_sub(1)) {
            (Outcome::GeneralAttrition, _, None) => Problem::key("opening", NO_REBELS),
            (Outcome::GeneralAttrition, Some(limit), Some(most)) => {
                let over = "so that the General has won before the first move";
                let found =
                    format!("found {limit}, but the opening has {rebels} {}, {over}", noun(rebels.into(), "Rebel"));
                Problem::key("rebels_at_most", format!("{found}; expected at most {most}"))
            }
            _ => {
                let general = self.board.name(self.opening.general());
                let found = format!("with the General on {general} the game is over before the first move: {outcome}");
                Problem::key("opening", format!("{found}; expected G on another point"))
            }
        }
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

/// Words for moves that nobody can make on this board.
fn problems_of_hops(words: &RuleSet, rules: &CompiledRules) -> Vec<Problem> {
    let none = |hops: &PointTable<Vec<Hop>>| hops.iter().all(Vec::is_empty);
    let mut problems = Vec::new();
    if words.jump != JumpRule::None && none(&rules.jumps) {
        let expected = "a board with three points on such a line, or no jump";
        problems.push(Problem::key(
            "jump",
            format!("the board has no line along which he could jump; expected {expected}"),
        ));
    }
    if words.leap != LeapRule::None && none(&rules.leaps) {
        let expected = "a board with three points on such a line, or no leap";
        problems.push(Problem::key(
            "leap",
            format!("the board has no line along which he could leap; expected {expected}"),
        ));
    }
    problems
}

/// Points of the goal that the board does not have, each with its place in the list.
fn problems_of_goal(words: &RuleSet, board: &Board) -> Vec<Problem> {
    let unknown = words.goal.iter().enumerate().filter(|(_, name)| board.named(&[name]).is_empty());
    let problem = |(number, name): (usize, &String)| {
        let text = format!("found \"{}\"; expected points of the board", shown(name, LONGEST_NAME));
        Problem::new(Place::item("goal", number), text)
    };
    unknown.map(problem).collect()
}

/// Words that say nothing together, or to which the board gives no meaning.
fn problems_of_words(words: &RuleSet, board: &Board) -> Vec<Problem> {
    let mut problems = problems_of_goal(words, board);
    let mut wrong = |key: &str, text: &str| problems.push(Problem::key(key, text));
    if words.free_jumps > 9 {
        wrong("free_jumps", &format!("found {}; expected a whole number from 0 to 9", words.free_jumps));
    }
    if words.jump == JumpRule::None && words.jump_lines != JumpLines::Any {
        wrong("jump_lines", "there is no jump that it could narrow; expected jump beside it");
    }
    if words.bottom != BottomRule::None && board.bottom().is_empty() {
        wrong("bottom", "the field has no point on row 1; expected a board with one, or no such rule");
    }
    if board.apex().is_empty() && words.apex != ApexRule::None {
        wrong("apex", "the board has no apex; expected a board with one, or no such rule");
    }
    if board.privy().is_empty() && words.close_privy {
        wrong("close_privy", "the board has no privy; expected a board with one, or no such rule");
    }
    if board.privy().is_empty() && words.enter_privy {
        wrong("enter_privy", "the board has no privy; expected a board with one, or no such rule");
    }
    let pairs = words.takes_pairs();
    if words.orthogonal && !pairs {
        let found = "there is no capture of pairs that it could narrow";
        wrong("orthogonal", &format!("{found}; expected intervention, deferred or static beside it"));
    }
    if words.compulsory && !pairs && words.jump == JumpRule::None {
        wrong("compulsory", "there is no capture; expected intervention, deferred, static or jump beside it");
    }
    // A leap and a step are written alike; they must not go the same way.
    let leap_is_step = |t: &Triple| board.neighbours(t.first).contains(t.last);
    if words.leap != LeapRule::None && board.triples().iter().any(leap_is_step) {
        wrong("leap", "on this board a leap can't be told from a step; expected no line that passes over a point");
    }
    // Nor can two jumps from one point to another be told apart.
    let ends = |t: &Triple| (t.first.min(t.last), t.first.max(t.last));
    let is_double = |t: &Triple| board.triples().iter().any(|other| ends(other) == ends(t) && other.middle != t.middle);
    if words.jump != JumpRule::None && board.triples().iter().any(is_double) {
        wrong(
            "jump",
            "on this board two jumps lead from one point to another; expected no line that passes over a point",
        );
    }
    problems
}

/// Why an opening is no position, and what would be right.
fn opening_in_words(error: &PositionError, board: &Board) -> String {
    match error {
        PositionError::Rows { .. } => {
            let lengths: Vec<String> = board.rows_from_top().iter().map(|row| row.len().to_string()).collect();
            format!("{error}; from the top they have {} points", lengths.join(", "))
        }
        PositionError::NoGeneral | PositionError::TwoGenerals(..) => format!("{error}; expected one G"),
        PositionError::RebelInPrivy(_) => format!("{error}; expected none there, or enter_privy = true"),
        other => other.to_string(),
    }
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
