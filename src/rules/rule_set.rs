//! The rule words of a variant file, a row each: name, values, meaning, what the word forbids, its sentences.
//!
//! All else follows from the rows: the [`RuleSet`], the check of a file, the files that `privy variants new` writes,
//! the table of `docs/VARIANTS.md`, and the rules in sentences. What a word does in a game stands in `compiled.rs` and
//! in the generator.

use std::any::Any;
use std::fmt::Write as _;

use once_cell::sync::Lazy;
use privy_base::message::{counted, sanitized};
use privy_protocol::Side;

use crate::board::{Board, Id, Point, PointSet, PointTable, Triple};
use crate::in_line::{self, Hop, PointPairs};
use crate::names::Names;
use crate::position::Position;
use crate::toml_file::{Entry, FileFault, Key, Problem, RuleValue, Whole};

pub use crate::rule_values::{
    ApexRule, BottomRule, ForwardRule, JumpLines, JumpRows, JumpRule, LeapRule, MoveLimitRule, NoMove, NoMoveRule,
    OrthogonalSteps, StandoffRule, StaticRule,
};

/// A row: a key of the file with what follows from it.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct RuleWord {
    /// The key of rules files.
    pub key: Key,
    /// Sets the word to the value of a file, if it is right.
    read: fn(&mut RuleSet, &Entry),
    /// Its value in a file; `None` where it is left out.
    pub write: fn(&RuleSet) -> Option<toml::Value>,
    /// Sets the word to the value that adds no rule.
    pub reset: fn(&mut RuleSet),
    /// Its list of points, if its value is one.
    pub points: fn(&mut RuleSet) -> Option<&mut Vec<String>>,
    /// True for a word that the first games did not know: it counts in fingerprints only where it adds a rule.
    is_newer: bool,
    /// Adds the problems of a word that adds a rule, beside the others and on the board.
    pub(super) forbids: fn(&mut RuleCheck<'_>),
    /// What the rule says, as a sentence.
    says: fn(&RuleSet) -> String,
    /// What holds without the word, where that is to be said.
    without: &'static str,
    /// Sets the word to the value that forbids no move.
    pub(super) relax: fn(&mut RuleSet),
}

impl RuleWord {
    /// True if the word adds no rule to these.
    pub fn is_neutral(&self, words: &RuleSet) -> bool {
        let mut without = words.clone();
        (self.reset)(&mut without);
        without == *words && !self.key.required
    }

    /// What the word, or its absence, means in a game: a sentence or two; nothing if it goes without saying.
    pub(super) fn sentence(&self, words: &RuleSet) -> String {
        if self.is_neutral(words) { self.without.to_owned() } else { (self.says)(words) }
    }
}

/// Who moves first; of the other words, what those that forbid nothing have.
const FIRST: RuleWord = RuleWord {
    key: Key::required::<Side>("first", "\"general\"").means("Who moves first."),
    read: |words, entry| words.first = Side::read(entry, &[]).unwrap_or(words.first),
    write: |words| Side::write(&words.first),
    reset: |_| (),
    points: |_| None,
    is_newer: false,
    forbids: |_| (),
    says: |words| Side::says(&words.first, ""),
    without: "",
    relax: |_| (),
};

/// Rule words on a board, whose problems are being found.
pub(super) struct RuleCheck<'a> {
    words: &'a RuleSet,
    board: &'a Board,
    /// `None` if its rows are wrong.
    opening: Option<&'a Position>,
    /// The word that is looked at.
    key: &'static str,
    problems: Vec<Problem>,
}

impl RuleCheck<'_> {
    fn refuse_if(&mut self, condition: bool, text: &str) {
        if condition {
            self.problems.push(Problem::new(self.key, text));
        }
    }

    /// Refuses a word that says something else about the opening than its rows.
    fn refuse_opening(&mut self, is_wrong: impl Fn(&Board, &Position) -> bool, text: &str) {
        self.refuse_if(self.opening.is_some_and(|opening| is_wrong(self.board, opening)), text);
    }

    fn needs_rebels_in_hand(&mut self) {
        let text = "no Rebel is in hand; expected [r8] after the rows of the opening";
        self.refuse_opening(|_, opening| opening.hand() == 0, text);
    }

    /// Refuses a rule for which no points of the board are in line.
    fn refuse_without_lines(&mut self, condition: bool) {
        let key = self.key;
        let text = format!("no points of the board are in line as {key} needs; expected such a board, or no {key}");
        self.refuse_if(condition, &text);
    }

    /// Refuses what is no name of a point.
    fn check_points(&mut self, names: &[String]) {
        for (number, name) in names.iter().enumerate() {
            if self.board.named(&[name]).is_empty() {
                let text = format!("found \"{}\"; expected points of the board", sanitized(name, 60));
                self.problems.push(Problem::item(self.key, number, text));
            }
        }
    }

    /// Refuses points of `others`, which are those of another key.
    fn check_apart(&mut self, names: &[String], other: &str, others: &[String]) {
        let found = format!("a point of {other} too; expected other points");
        self.refuse_points(names, self.board.named(others), &found);
    }

    /// Checks points onto which Rebels are to come.
    fn check_points_of_rebels(&mut self, names: &[String]) {
        self.check_points(names);
        self.check_apart(names, "rebels_never_on", &self.words.rebels_never_on);
        let closed = if self.words.enter_privy { PointSet::EMPTY } else { self.board.privy };
        self.refuse_points(names, closed, "a point of the privy; expected points of the field, or enter_privy = true");
    }

    fn refuse_points(&mut self, names: &[String], refused: PointSet, why: &str) {
        for (number, name) in names.iter().enumerate().filter(|(_, name)| self.board.named(&[name]).meets(refused)) {
            self.problems.push(Problem::item(self.key, number, format!("found \"{name}\", {why}")));
        }
    }
}

fn have_none(pairs: &PointTable<PointPairs>) -> bool {
    pairs.iter().all(PointPairs::is_empty)
}

/// The [`RuleValue`] of a field: that of its type, unless it names another.
macro_rules! form {
    ($type:ty) => {
        $type
    };
    ($type:ty, $form:ty) => {
        $form
    };
}

macro_rules! rule_words {
    ($(
        $(newer($newer:literal))? $name:literal $field:ident: $type:ty $(as $form:ty)?,
        $example:literal, $meaning:literal
        $(without($without:literal))?
        $(forbids($forbids:expr))?
        $(narrows($relax:expr))?;
    )*) => {
        /// The rules of a game in the words of RULES.md. The fields are the keys of a variant file; a missing key has
        /// the neutral value.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct RuleSet {
            /// The side that moves first.
            pub first: Side,
            $(#[doc = $meaning] pub $field: $type,)*
        }

        impl RuleSet {
            /// No rule but who moves first.
            pub fn bare(first: Side) -> RuleSet {
                RuleSet { first, $($field: Default::default(),)* }
            }
        }

        /// All rule words, in the order of the documentation.
        #[doc(hidden)]
        pub const WORDS: &[RuleWord] = &[
            FIRST,
            $(RuleWord {
                key: Key::optional::<form!($type $(, $form)?)>($name, $example).means($meaning),
                read: |words, entry| words.$field = <form!($type $(, $form)?)>::read(entry, &[]).unwrap_or_default(),
                write: |words| <form!($type $(, $form)?)>::write(&words.$field),
                reset: |words| words.$field = Default::default(),
                points: |words| (&mut words.$field as &mut dyn Any).downcast_mut(),
                $(is_newer: $newer,)?
                $(forbids: $forbids,)?
                says: |words| <form!($type $(, $form)?)>::says(&words.$field, $meaning),
                $(without: $without,)?
                $(relax: $relax,)?
                ..FIRST
            },)*
        ];
    };
}

rule_words! {
    "intervention" intervention: bool, "true",
        "The General arrives between two Rebels in line and takes them; several pairs at once."
    forbids(|at| at.refuse_without_lines(have_none(&at.words.interventions(at.board))));

    "deferred" deferred: bool, "true",
        "A General that stood between two Rebels and steps away at a right angle to their line takes them."
    forbids(|at| at.refuse_without_lines(at.words.departures(at.board).iter().all(Vec::is_empty)));

    "static" static_rule: StaticRule, "\"surrounded\"",
        "The General stays and takes a pair in line with it: only when every adjacent point holds a Rebel (in a corner \
         the two neighbours are the pair), or whenever there is one."
    forbids(|at| at.refuse_without_lines(have_none(&at.words.statics(at.board))))
    narrows(|words| if words.static_rule == StaticRule::Surrounded { words.static_rule = StaticRule::Any });

    "orthogonal" orthogonal: bool, "true",
        "Only pairs on orthogonal lines are taken. Custodial capture and jumps are not narrowed."
    forbids(|at| {
        let text = "there is no capture of pairs that it could narrow; expected intervention, deferred or static \
                    beside it";
        at.refuse_if(!at.words.takes_pairs(), text);
    })
    narrows(|words| words.orthogonal = false);

    "jump" jump: JumpRule, "\"multi\"",
        "The General takes a Rebel by leaping over it to the empty point beyond; the Rebel is removed at once. `multi` \
         must continue while a jump is possible, `free` may stop at any landing. A jump never intervenes."
    forbids(|at| {
        // Two jumps with the same ends would have the same text.
        let triples = &at.board.triples;
        let is_double = |t: &Triple| triples.iter().any(|u| u.ends() == t.ends() && u.middle != t.middle);
        let text = "on this board two jumps lead from one point to another; expected no line that passes over a point";
        at.refuse_if(triples.iter().any(is_double), text);
        at.refuse_without_lines(at.words.jumps(at.board).iter().all(Vec::is_empty));
    })
    narrows(|words| if words.jump != JumpRule::None { words.jump = JumpRule::Free });

    "jump_lines" jump_lines: JumpLines, "\"diagonal\"",
        "The General jumps along diagonal lines alone."
    forbids(|at| at.refuse_if(at.words.jump == JumpRule::None, "there is no jump that it could narrow; expected jump \
        beside it"))
    narrows(|words| words.jump_lines = JumpLines::Any);

    "leap" leap: LeapRule, "\"any\"",
        "The General leaps over a Rebel, which stays."
    forbids(|at| {
        // A leap and a step have the same text; they must not have the same ends.
        let is_step = |t: &Triple| at.board.neighbours(t.first).contains(t.last);
        let text = "on this board a leap can't be distinguished from a step; expected no line that passes over a point";
        at.refuse_if(at.board.triples.iter().any(is_step), text);
        at.refuse_without_lines(at.words.leaps(at.board).iter().all(Vec::is_empty));
    })
    narrows(|words| if words.leap == LeapRule::Diagonal { words.leap = LeapRule::Any });

    "slide" slide: bool, "true",
        "The General goes any distance along a line of empty points."
    without("The General steps along a line to the next point.");

    "free_jumps" free_jumps: u8 as Whole<u8, 0, 9>, "3",
        "How often in a game the General may go to any empty field point: this number.";

    newer(true) "jump_rows" jump_rows: JumpRows, "\"odd\"",
        "A jump goes over an unbroken row of Rebels on one line, an odd number, and takes them all."
    forbids(|at| at.refuse_if(at.words.jump == JumpRule::None, "there is no jump over a row; expected jump beside it"));

    newer(true) "orthogonal_steps" orthogonal_steps: OrthogonalSteps, "\"general\"",
        "This side steps (and slides) along orthogonal lines alone. Jumps and leaps are not narrowed."
    narrows(|words| words.orthogonal_steps = OrthogonalSteps::None);

    "compulsory" compulsory: bool, "true",
        "The General must capture if it can."
    forbids(|at| {
        let captures = at.words.takes_pairs() || at.words.jump != JumpRule::None;
        at.refuse_if(!captures, "there is no capture; expected intervention, deferred, static or jump beside it");
    })
    narrows(|words| words.compulsory = false);

    "forward" forward: ForwardRule, "true",
        "Rebels step up or sideways, never down; `only`: up alone; `straight`: up along the file."
    without("A Rebel steps along a line to the next point.")
    narrows(|words| words.forward = ForwardRule::Any);

    "enter_privy" enter_privy: bool, "true",
        "Rebels may enter the privy."
    without("Rebels never enter the privy.")
    forbids(|at| at.refuse_if(at.board.privy.is_empty(), NO_PRIVY))
    narrows(|words| words.enter_privy = true);

    newer(true) "rebels_never_on" rebels_never_on: Vec<String>, "[\"a1\"]",
        "Rebels never move onto these points."
    forbids(|at| at.check_points(&at.words.rebels_never_on))
    narrows(|words| words.rebels_never_on.clear());

    newer(true) "general_drops_on" general_drops_on: Vec<String>, "[\"c3\"]",
        "A General in hand is dropped on one of these points; without the word, on any empty point."
    forbids(|at| {
        at.check_points(&at.words.general_drops_on);
        let text = "no General is in hand; expected [G] after the rows of the opening";
        at.refuse_opening(|board, opening| board.has(opening.general()), text);
    })
    narrows(|words| words.general_drops_on.clear());

    newer(true) "rebels_drop_on" rebels_drop_on: Vec<String>, "[\"a1\", \"e1\"]",
        "Rebels in hand are dropped on these points; without the word, on any empty point where Rebels may stand."
    forbids(|at| {
        at.check_points_of_rebels(&at.words.rebels_drop_on);
        at.needs_rebels_in_hand();
    })
    narrows(|words| words.rebels_drop_on.clear());

    newer(true) "general_waits" general_waits: bool, "true",
        "The General passes while Rebels are in hand."
    forbids(|at| at.needs_rebels_in_hand())
    narrows(|words| words.general_waits = false);

    "custodial" custodial: bool, "true",
        "A Rebel that moves to the General's other side, in line with it and another Rebel, captures it and wins."
    forbids(|at| at.refuse_without_lines(have_none(&at.words.custody(at.board))));

    "apex" apex: ApexRule, "\"general\"",
        "The General wins on an apex point; loses there; wins when it has been there (or began there) and is back on \
         the field."
    forbids(|at| {
        at.refuse_if(at.board.apex.is_empty(), "the board has no apex; expected a board with one, or no such rule");
    });

    "bottom" bottom: BottomRule, "\"general\"",
        "The General wins on the field's points in row 1, as they are named."
    forbids(|at| {
        let text = "the field has no point on row 1; expected a board with one, or no such rule";
        at.refuse_if(at.board.bottom.is_empty(), text);
    });

    newer(true) "general_loses_on" general_loses_on: Vec<String>, "[\"a1\"]",
        "The General loses on these points."
    forbids(|at| {
        at.check_points(&at.words.general_loses_on);
        at.check_apart(&at.words.general_loses_on, "goal", &at.words.goal);
    });

    newer(true) "goal" goal: Vec<String>, "[\"b1\"]",
        "The General wins on these points."
    forbids(|at| {
        at.check_points(&at.words.goal);
        let lost = if at.words.apex == ApexRule::Rebels { at.board.apex } else { PointSet::EMPTY };
        at.refuse_points(&at.words.goal, lost, "where apex = \"rebels\" has the General lose; expected other points");
    });

    newer(true) "goal_on_return" goal_on_return: bool, "true",
        "The General begins on its goal, which counts once it has moved."
    forbids(|at| {
        let goal = &at.words.goal;
        let text = "the General begins on no point of goal; expected goal beside it, and G on one";
        at.refuse_opening(|board, opening| !board.named(goal).contains(opening.general()), text);
    });

    newer(true) "past_rebels" past_rebels: bool, "true",
        "The General wins when every Rebel stands higher than it, and the hand is empty.";

    newer(true) "rebels_goal" rebels_goal: Vec<String>, "[\"a5\", \"b5\"]",
        "The Rebels win when they hold all of these points."
    forbids(|at| {
        at.check_points_of_rebels(&at.words.rebels_goal);
        let (goal, most) = (at.board.named(&at.words.rebels_goal).len(), at.opening.map_or(0, Position::rebels_left));
        let rebels = counted(most, "Rebel");
        let text = format!("found {goal} points, but the opening has {rebels}; expected at most {most}");
        at.refuse_if(goal > most && most > 0, &text);
    });

    newer(true) "no_move" no_move: NoMoveRule, "{ rebels = \"pass\" }",
        "What a side without a legal move has: `loss` (as without the word), `draw`, `win`, or `pass`: it passes."
    without("Having no move is a loss for either side.");

    newer(true) "repetition" repetition: StandoffRule, "\"general\"",
        "Who wins when a position occurs for the third time; `draw`: neither side."
    without("A position that occurs for the third time is a draw.");

    newer(true) "move_limit" move_limit: Option<MoveLimitRule>, "{ plies = 80, winner = \"rebels\" }",
        "The game is over after `plies` plies (1 to 1000) of both sides without capture, those of a set position \
         included. `winner` is `\"general\"` or `\"rebels\"`; without it, a draw.";

    newer(true) "rebels_at_most" rebels_at_most: Option<u8> as Option<Whole<u8, 0, 63>>, "4",
        "The General wins when the number of Rebels falls to this number or below.";

    "close_privy" close_privy: bool, "true",
        "The Rebels win by a move after which the General is in the privy, every exit holds a Rebel, and no jump (a \
         leap is none) from any point of the privy leads out over an exit."
    forbids(|at| at.refuse_if(at.board.privy.is_empty(), NO_PRIVY));
}

const NO_PRIVY: &str = "the board has no privy; expected a board with one, or no such rule";

impl RuleSet {
    /// True if all words that add a rule are among these, which are separated by spaces. A guard lists what it knows,
    /// so that it does not know a new word.
    pub fn uses_only(&self, known: &str) -> bool {
        let is_known = |word: &RuleWord| known.split(' ').any(|name| name == word.key.name);
        WORDS.iter().all(|word| word.key.required || is_known(word) || word.is_neutral(self))
    }

    /// True if some rule captures pairs.
    pub fn takes_pairs(&self) -> bool {
        self.intervention || self.deferred || self.static_rule != StaticRule::None
    }

    /// True if some rule needs more than two points in line.
    pub(super) fn need_lines(&self) -> bool {
        let hops = self.jump != JumpRule::None || self.leap != LeapRule::None;
        self.takes_pairs() || hops || self.slide || self.custodial
    }

    /// Where Rebels may stand.
    pub(super) fn ground(&self, board: &Board) -> PointSet {
        let ground = if self.enter_privy { board.all() } else { board.field };
        ground.minus(board.named(&self.rebels_never_on))
    }

    fn counts(&self, board: &Board, triple: &Triple) -> bool {
        !self.orthogonal || board.spot(triple.first).to(board.spot(triple.last)).is_orthogonal()
    }

    /// The pairs that fall when the General arrives at each point.
    pub(super) fn interventions(&self, board: &Board) -> PointTable<PointPairs> {
        in_line::pairs(board, |t| self.intervention && self.counts(board, t))
    }

    /// By adjacent point, the pairs that fall when the General leaves each point for it.
    pub(super) fn departures(&self, board: &Board) -> PointTable<Vec<(Point, PointPairs)>> {
        in_line::departures(board, |t| self.deferred && self.counts(board, t))
    }

    /// The pairs that fall by static intervention.
    pub(super) fn statics(&self, board: &Board) -> PointTable<PointPairs> {
        let is_rule = self.static_rule != StaticRule::None;
        let surrounded = self.static_rule == StaticRule::Surrounded;
        in_line::statics(board, surrounded, |t| is_rule && self.counts(board, t))
    }

    /// The pairs of Rebels that capture the General on each point.
    pub(super) fn custody(&self, board: &Board) -> PointTable<PointPairs> {
        in_line::pairs(board, |_| self.custodial)
    }

    /// The capturing jumps from each point.
    pub(super) fn jumps(&self, board: &Board) -> PointTable<Vec<Hop>> {
        let on_all_lines = self.jump_lines == JumpLines::Any;
        let allows = |is_diagonal| self.jump != JumpRule::None && (is_diagonal || on_all_lines);
        match self.jump_rows {
            JumpRows::One => in_line::hops(board, allows),
            JumpRows::Odd => in_line::row_hops(board, allows),
        }
    }

    /// True if a side may step from one point to another that is adjacent, as far as lines go.
    pub(super) fn may_step(&self, side: Side, board: &Board, from: Point, to: Point) -> bool {
        let is_narrowed = match self.orthogonal_steps {
            OrthogonalSteps::None => false,
            OrthogonalSteps::General => side == Side::General,
            OrthogonalSteps::Rebels => side == Side::Rebels,
            OrthogonalSteps::Both => true,
        };
        let (from, to) = (board.spot(from), board.spot(to));
        let is_allowed = side == Side::General
            || match self.forward {
                ForwardRule::Any => true,
                ForwardRule::NeverBack => to.y >= from.y,
                ForwardRule::Only => to.y > from.y,
                ForwardRule::Straight => to.y > from.y && to.x == from.x,
            };
        is_allowed && (!is_narrowed || from.to(to).is_orthogonal())
    }

    /// The leaps from each point.
    pub(super) fn leaps(&self, board: &Board) -> PointTable<Vec<Hop>> {
        in_line::hops(board, |is_diagonal| match self.leap {
            LeapRule::None => false,
            LeapRule::Any => true,
            LeapRule::Diagonal => is_diagonal,
        })
    }

    /// The rule words of a file, or of several together, whose keys have been checked.
    #[doc(hidden)]
    pub fn read(file: &Entry) -> RuleSet {
        let mut words = RuleSet::bare(Side::General);
        for word in WORDS {
            file.get(word.key.name).into_iter().for_each(|entry| (word.read)(&mut words, entry));
        }
        words
    }

    /// The words as fingerprints have them, in the order of [`WORDS`], tables last. Tables of perfect play, proofs and
    /// records name games by it: it never changes.
    #[doc(hidden)]
    pub fn canonical_text(&self) -> String {
        let (mut text, mut tables) = (String::new(), String::new());
        for word in WORDS.iter().filter(|word| !(word.is_newer && word.is_neutral(self))) {
            // Writing to a string does not fail.
            let _ = match (word.write)(self) {
                Some(toml::Value::Table(table)) => write!(tables, "\n[{}]\n{table}", word.key.name),
                Some(value) => writeln!(text, "{} = {value}", word.key.name),
                None => Ok(()),
            };
        }
        text + &tables
    }

    /// What the rule words say, a sentence or two each. The first says who moves first.
    pub(super) fn sentences(&self) -> impl Iterator<Item = String> {
        WORDS.iter().map(|word| word.sentence(self)).filter(|sentence| !sentence.is_empty())
    }

    /// Rule words that contradict each other, or that have no meaning on the board.
    pub(super) fn problems(&self, board: &Board, opening: Option<&Position>) -> Vec<Problem> {
        let mut check = RuleCheck { words: self, board, opening, key: "", problems: Vec::new() };
        for word in WORDS.iter().filter(|word| !word.is_neutral(self)) {
            check.key = word.key.name;
            (word.forbids)(&mut check);
        }
        check.problems
    }
}

/// A board by name, or one in the file.
impl RuleValue for Board {
    type Of = ();

    fn expected() -> String {
        String::expected()
    }

    fn read(entry: &Entry, _: &[Key]) -> Result<(), Vec<FileFault>> {
        if entry.is_table() || entry.text().is_some() { Ok(()) } else { Err(entry.wrong(Board::expected())) }
    }
}

/// The keys of a variant file that are not rule words.
const HEADING: [Key; 7] = [
    Key::required::<Id>("id", "\"my-game\"").means("Its name in texts: at most 64 lower case letters, digits and `-`."),
    Key::required::<String>("title", "\"My Game\"").means("Its name for people."),
    Key::optional::<Vec<String>>("notes", "[\"After a rainy Sunday.\"]").means("Sources, readings."),
    Key::optional::<String>("extends", "\"sixteen-rebels\"")
        .means("Another game, by id or file: what this file leaves out is as there."),
    Key::required::<Board>("board", "\"privy\"").means(
        "A built-in board, or a board file beside this file; a table `[board]` at the end of the file has the board \
         itself.",
    ),
    Key::required::<String>("opening", "\"1/3/rrrrr/r3r/r1G1r/r3r/rrrrr\"").means(
        "Rows from the top: `r` Rebel, `G` General, numbers for empty points. After them what is in hand: `[G]`, \
         `[r8]` or `[Gr8]`.",
    ),
    Key::optional::<Names>("names", "{ general = \"Hare\", rebels = \"Hounds\", rebel = \"Hound\" }")
        .means("What people call the pieces."),
];

/// All keys of a variant file, in the order of the documentation.
pub static KEYS: Lazy<Vec<Key>> =
    Lazy::new(|| HEADING.iter().chain(WORDS.iter().map(|word| &word.key)).copied().collect());
