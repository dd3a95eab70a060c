//! A variant: board, opening and rule words, read from a TOML file and compiled.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use once_cell::sync::OnceCell;
use privy_protocol::{ErrorCode, ProtocolError, Side};
use sha2::{Digest, Sha256};

use crate::board::{Board, MAX_POINTS, Mirror, Point, PointSet, Triple};
use crate::compiled::CompiledRules;
use crate::for_family;
use crate::names::Names;
use crate::outcome::Outcome;
use crate::position::{Move, MovePath, Position};
use crate::rows::{Pieces, hand_text, read_rows, rows_text};
use crate::rule_set::{ApexRule, ForwardRule, JumpRule, LeapRule, RuleSet, RuleWord, WORDS};
use crate::toml_file::{FileFaults, Problem};

/// The reason why a variant file is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VariantError {
    /// The file can't be read: its path and the error of the system.
    #[error("{0}: {1}")]
    Unreadable(String, String),
    /// The file is wrong, or one that it names.
    #[error(transparent)]
    Wrong(#[from] FileFaults),
    /// Rule words that contradict each other or the board, or a wrong opening: the key, what was found, what is
    /// expected.
    #[error("variant {}", .0.iter().map(Problem::to_string).collect::<Vec<_>>().join("; "))]
    Words(Vec<Problem>),
}

impl VariantError {
    /// The error as one line, where a file has several faults.
    pub fn in_one_line(&self) -> String {
        match self {
            VariantError::Wrong(faults) => faults.in_one_line(),
            other => other.to_string(),
        }
    }
}

impl From<VariantError> for ProtocolError {
    fn from(error: VariantError) -> ProtocolError {
        ProtocolError::new(ErrorCode::CannotLoadFile, error.in_one_line())
    }
}

/// What a variant file says beside board, opening and rule words.
#[derive(Debug, Clone, Default)]
pub struct Heading {
    /// The name in commands and files.
    pub id: String,
    /// The title for people.
    pub title: String,
    /// Remarks for people.
    pub notes: Vec<String>,
    /// What the pieces are called.
    pub names: Names,
    /// The text of the file.
    pub source: String,
    /// The file that the variant was read from; none for a built-in one.
    pub path: Option<PathBuf>,
}

/// A game: its board, its opening, its rules, compiled for speed.
#[derive(Debug)]
pub struct Variant {
    /// What the file says of it.
    pub heading: Heading,
    board: Arc<Board>,
    words: RuleSet,
    rules: CompiledRules,
    opening: Position,
    fingerprint: String,
    is_mirrored: bool,
    /// Compiled when a move is first found illegal.
    relaxed: OnceCell<Vec<RelaxedRules>>,
}

/// The rules of a game with some of the words relaxed that narrow the moves, and the word that came back last; `None`
/// in the first.
type RelaxedRules = (CompiledRules, Option<&'static RuleWord>);

impl Variant {
    /// Compiles a variant, or finds all its problems.
    #[doc(hidden)]
    pub fn new(
        heading: Heading,
        board: Arc<Board>,
        mut words: RuleSet,
        opening: &str,
    ) -> Result<Variant, Vec<Problem>> {
        // The fingerprint does not depend on the order in which the points are written.
        let given = words.clone();
        let mut lists = Vec::new();
        for word in WORDS {
            let Some(list) = (word.points)(&mut words) else { continue };
            let points = board.named(list);
            *list = board.names(points).split_whitespace().map(str::to_owned).collect();
            lists.push(points);
        }
        let Pieces { rebels, general, hand } = match opening_pieces(opening, &board, words.ground(&board)) {
            Ok(pieces) => pieces,
            Err(problem) => return Err([given.problems(&board, None), vec![problem]].concat()),
        };
        let apex_visited = words.apex == ApexRule::Return && board.apex.contains(general);
        let opening = Position::new(rebels, general, words.first, apex_visited, words.free_jumps).with_hand(hand);
        let rules = CompiledRules::new(&board, &words, &opening);
        let mut problems = given.problems(&board, Some(&opening));
        // A top-bottom mirror reverses rules about up and down.
        let has_up_and_down =
            words.forward != ForwardRule::Any || words.past_rebels || !rules.winning_bottom.is_empty();
        let keeps_rules = |mirror: &Mirror| {
            lists.iter().all(|list| mirror.set(*list) == *list) && (mirror.is_left_right || !has_up_and_down)
        };
        let variant = Variant {
            heading,
            fingerprint: fingerprint(&board, &words, &opening),
            is_mirrored: board.mirror().is_some_and(keeps_rules),
            relaxed: OnceCell::new(),
            board,
            words,
            rules,
            opening,
        };
        let is_over = || variant.decided_by_general(&opening).map(opening_is_over);
        problems.extend(problem_of_number(&opening).or_else(is_over));
        if problems.is_empty() { Ok(variant) } else { Err(problems) }
    }

    /// The id, as position texts carry it.
    pub fn id(&self) -> &str {
        &self.heading.id
    }

    /// The board.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// The rule words.
    pub fn rule_set(&self) -> &RuleSet {
        &self.words
    }

    /// The compiled tables.
    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    /// The first position of a game.
    pub fn opening(&self) -> &Position {
        &self.opening
    }

    /// The first 16 hex digits of SHA-256 over the compiled rules. Id, title and notes do not count, nor does the order
    /// in which a board file lists its lines.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// True if the rules allow the mirror image of every move.
    pub fn is_mirrored(&self) -> bool {
        self.is_mirrored
    }

    /// True if the game begins with pieces in hand.
    pub fn has_hand(&self) -> bool {
        self.opening.hand() > 0 || !self.board.has(self.opening.general())
    }

    /// The mirror image of a point, where [`is_mirrored`](Variant::is_mirrored); else the point itself.
    pub fn image(&self, point: Point) -> Point {
        let mirror = self.board.mirror().filter(|_| self.is_mirrored && self.board.has(point));
        mirror.map_or(point, |mirror| mirror.point(point))
    }

    /// The mirror image of a position, where [`is_mirrored`](Variant::is_mirrored); else the position itself.
    pub fn mirror(&self, position: &Position) -> Position {
        match self.board.mirror() {
            Some(mirror) if self.is_mirrored => {
                position.with_pieces(mirror.set(position.rebels()), self.image(position.general()))
            }
            _ => *position,
        }
    }

    /// What is in hand in a position, as its text has it: `[Gr8]`; nothing where nothing is.
    pub fn hand_text(&self, position: &Position) -> String {
        hand_text(position, &self.board)
    }

    /// The one of two mirror images that represents both.
    pub fn canonical(&self, position: &Position) -> Position {
        let image = self.mirror(position);
        let key = |position: &Position| (position.rebels(), position.general());
        if key(&image) < key(position) { image } else { *position }
    }

    /// The game with other rule words. Everything else stays.
    ///
    /// # Errors
    /// The words contradict each other or the board, or the opening would be over.
    pub fn with_words(&self, words: RuleSet) -> Result<Variant, VariantError> {
        let heading = Heading { path: None, ..self.heading.clone() };
        Variant::new(heading, Arc::clone(&self.board), words, &rows_text(&self.opening, &self.board))
            .map_err(VariantError::Words)
    }

    /// A position of the same game under other words, with the flags of these words alone.
    pub fn adapted(&self, position: &Position) -> Position {
        let visited = position.apex_visited() && !self.rules.return_apex.is_empty();
        let free_jumps = position.free_jumps().min(self.words.free_jumps);
        let adapted = Position::new(position.rebels(), position.general(), position.side(), visited, free_jumps);
        adapted.with_hand(position.hand())
    }

    /// The points that a drawing marks as the privy: empty if no rule distinguishes them from the field.
    pub fn marked_privy(&self) -> PointSet {
        let words = &self.words;
        let is_distinct =
            !words.enter_privy || words.close_privy || words.apex != ApexRule::None || words.free_jumps > 0;
        if is_distinct { self.board.privy } else { PointSet::EMPTY }
    }

    /// The points that a drawing marks as exits of the [marked privy](Variant::marked_privy).
    pub fn marked_exits(&self) -> PointSet {
        if self.marked_privy().is_empty() { PointSet::EMPTY } else { self.board.exits }
    }

    /// The points that a drawing marks because a side wins there: apex points that a rule names, the General's goal and
    /// its traps, the Rebels' goal.
    pub fn marked_goal(&self) -> PointSet {
        let apex = if self.words.apex == ApexRule::None { PointSet::EMPTY } else { self.board.apex };
        apex | self.rules.winning_goal | self.rules.losing_points | self.rules.rebels_goal
    }

    /// The outcome that the General's place decides, whoever is to move.
    pub(super) fn decided_by_general(&self, position: &Position) -> Option<Outcome> {
        // With the General to move it has not moved yet where it stands on the point of the opening.
        let is_unmoved = position.side() == Side::General && position.general() == self.opening.general();
        let is_on_return = self.words.goal_on_return && (is_unmoved || *position == self.opening);
        // The Rebels' moves decide about it too.
        let depends_on_rebels = |outcome: &Outcome| *outcome == Outcome::Past && position.side() == Side::General;
        let counts = |outcome: &Outcome| {
            !(depends_on_rebels(outcome) || is_on_return && *outcome == Outcome::Goal(Side::General))
        };
        // One that does not count yet hides no later one.
        let is_past = self.rules.is_past_rebels(position.rebels(), position.general(), position.hand());
        let is_attrition = self.rules.is_attrition(position);
        let later = [is_past.then_some(Outcome::Past), is_attrition.then_some(Outcome::Attrition)];
        [self.rules.goal_after_general(position)].into_iter().chain(later).flatten().find(counts)
    }

    /// All legal moves of a position that is not over by a goal: jumps first, then static interventions, walks, leaps,
    /// free jumps.
    pub fn legal_moves(&self, position: &Position) -> Vec<MovePath> {
        self.rules.legal_moves(position)
    }

    /// The rules without the words that narrow the moves, then with one of these words after the other back in place,
    /// up to those of the game.
    pub(super) fn relaxed(&self) -> &[RelaxedRules] {
        self.relaxed.get_or_init(|| {
            let mut words = self.words.clone();
            let mut narrows = |word: &&RuleWord| {
                let before = words.clone();
                (word.relax)(&mut words);
                words != before
            };
            let mut narrowing: Vec<&'static RuleWord> = WORDS.iter().filter(|word| narrows(word)).collect();
            // What can be captured depends on the other words, so the compulsion to capture comes back last.
            narrowing.sort_by_key(|word| word.key.name == "compulsory");
            let without = |relaxed: &[&RuleWord]| {
                let mut words = self.words.clone();
                relaxed.iter().for_each(|word| (word.relax)(&mut words));
                words
            };
            let of = |back: usize| {
                let rules = CompiledRules::new(&self.board, &without(&narrowing[back..]), &self.opening);
                (rules, back.checked_sub(1).map(|last| narrowing[last]))
            };
            (0..=narrowing.len()).map(of).collect()
        })
    }

    /// The outcome of a position that was set up, as if the side not to move had just moved.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        let outcome = for_family!(self.rules.family, F => self.rules.outcome::<F>(position, None));
        match (outcome, self.decided_by_general(position), position.side()) {
            (Some(Outcome::Goal(Side::General)), None, Side::Rebels) => {
                for_family!(self.rules.family, F => self.rules.outcome_if_stuck::<F>(position))
            }
            (outcome, ..) => outcome,
        }
    }

    /// Makes a move, which must be legal: the position after it, and the outcome, except repetition.
    pub fn play_unchecked(&self, position: &Position, action: &Move) -> (Position, Option<Outcome>) {
        let (next, goal) = self.rules.play_unchecked(position, action);
        let stuck = || for_family!(self.rules.family, F => self.rules.outcome_if_stuck::<F>(&next));
        (next, goal.or_else(stuck))
    }

    /// The rules in sentences, with the names of the pieces: how the pieces move, what is captured, how the game ends.
    pub fn rules_in_words(&self) -> Vec<String> {
        let (words, board, hand) = (&self.words, &self.board, self.opening.hand());
        let (jumps, leaps) = (words.jump != JumpRule::None, words.leap != LeapRule::None);
        let rebels_in_hand = format!(
            "The Rebels begin with {hand} in hand: a move puts one on the board, and none steps \
            before all are there."
        );
        let without_words = [
            (!board.has(self.opening.general()), "The General begins in hand: its first move puts it on the board."),
            (hand > 0, &rebels_in_hand),
            (!words.takes_pairs() && !jumps, "The General takes no Rebels."),
            (words.intervention && (jumps || leaps), "A jump or a leap takes no pair between which it ends."),
        ];
        let holding = without_words.into_iter().filter(|(holds, _)| *holds).map(|(_, sentence)| sentence.to_owned());
        let names = |points| board.names(points).replace(' ', ", ");
        let (apex, exits) = (names(board.apex), names(board.exits));
        let mut said = words.sentences();
        let all = said.next().into_iter().chain(holding).chain(said);
        // Without a privy nothing is to be said of it.
        let all = all.filter(|sentence| !(board.privy.is_empty() && sentence.contains("the privy")));
        let named = all.map(|sentence| {
            sentence
                .replace("an apex point", &format!("an apex point ({apex})"))
                .replace("every exit", &format!("every exit ({exits})"))
        });
        named.map(|sentence| self.heading.names.in_names(&sentence)).collect()
    }
}

/// The pieces of an opening, where Rebels stand on the ground alone.
pub(super) fn opening_pieces(text: &str, board: &Board, ground: PointSet) -> Result<Pieces, Problem> {
    read_rows(text, board, ground).map_err(|error| Problem::new("opening", error))
}

/// What is wrong with the number of pieces of an opening.
fn problem_of_number(opening: &Position) -> Option<Problem> {
    let (rebels, most) = (opening.rebels_left(), MAX_POINTS as u32 - 1);
    let problem = |text: &str| Some(Problem::new("opening", text));
    match rebels {
        0 => problem("there are no Rebels; expected r for each of them"),
        _ if rebels > most => problem(&format!("found {rebels} Rebels with those in hand; expected at most {most}")),
        _ => None,
    }
}

/// The problem of an opening with this outcome.
pub(super) fn opening_is_over(outcome: Outcome) -> Problem {
    let found = format!("the game is over before the first move: {outcome}");
    Problem::new("opening", format!("{found}; expected another opening, or other rules"))
}

fn fingerprint(board: &Board, words: &RuleSet, opening: &Position) -> String {
    let (geometry, words) = (geometry_text(board), words.canonical_text());
    let general = board.names(PointSet::of(opening.general()));
    let pieces = format!("{} / {general}{}", board.names(opening.rebels()), hand_text(opening, board));
    let text = format!("privy rules 1\n{geometry}\n{words}\n{pieces}\n");
    Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// All of a board that rules depend on: points and neighbours, points in line, apex. The same for any order of the
/// lines.
pub fn geometry_text(board: &Board) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    for point in board.all() {
        let (name, spot) = (board.name(point), board.spot(point));
        let kind = if board.field.contains(point) { "field" } else { "privy" };
        let _ = writeln!(text, "{name} {} {} {kind} {}", spot.x, spot.y, board.names(board.neighbours(point)));
    }
    let triple_text = |t: &Triple| {
        let (low, high) = (t.first.min(t.last), t.first.max(t.last));
        format!("{}-{}-{}", board.name(low), board.name(t.middle), board.name(high))
    };
    let mut triples: Vec<String> = board.triples.iter().map(triple_text).collect();
    triples.sort();
    let _ = write!(text, "{}\napex {}", triples.join(" "), board.names(board.apex));
    text
}
