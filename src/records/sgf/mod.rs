//! Games of half moves in SGF (A. Hollosi, *Smart Game Format*, FF\[4\]), as GoGui, gogui-twogtp and the half-move
//! session write them: the General is White, a pass has no meaning, and the first variation is the game.
//!
//! SGF does not name the rules of a game. The writer puts the id of the variant into `RU`; otherwise the variant is the
//! given one, or that of a command line in the comment. What SGF has no property for stands in private ones: the
//! fingerprint of the rules in `FP`, a limit of plies in `ML`, a seed in `SD`, in `FEN` the text of a first position
//! with the flags and counters that stones do not show, and in `MOVE` a move that no points mean. Reports of searches
//! and all other tags are left out; text and JSON have them.

mod tree;
mod write;

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use privy_base::bounded_read::utf8;
use privy_protocol::Side;
use privy_rules::board::Point;
use privy_rules::{Game, MovePath, Variant};

use crate::glyph::Glyph;
use crate::half_moves::HalfMoves;
use crate::reader::{RecordError, is_blank};
use crate::record::{GameResult, MOST_NESTED, Record, RecordedMove};
use tree::{Node, Tree, point, rectangle, trees};

pub use write::write_sgf;

/// The properties of stones that are set up.
const SETUP: [&str; 3] = ["AB", "AW", "AE"];

/// A game of a file.
#[derive(Debug, Clone)]
pub struct Sgf {
    line: usize,
    /// What the nodes before the first half move say.
    header: Node,
    tree: Tree,
}

/// The text of a file: of UTF-8, or if it is SGF that names no other character set, of Latin-1, the standard one of
/// SGF.
///
/// # Errors
/// The first byte that is not UTF-8.
pub fn sgf_text(bytes: Vec<u8>) -> io::Result<String> {
    if std::str::from_utf8(&bytes).is_err() {
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let is_latin =
            |sgf: &Sgf| ["", "iso-8859-1", "latin1"].contains(&sgf.header.value("CA").to_lowercase().as_str());
        let is_sgf = text.trim_start_matches(is_blank).starts_with('(');
        if is_sgf && Sgf::read(&text).iter().flatten().next().is_some_and(is_latin) {
            return Ok(text);
        }
    }
    utf8(bytes, 1)
}

/// Reads the games of an SGF file as records, of the given variant if there is one; else `find` finds one by its id.
pub fn sgf_records(
    text: &str,
    given: Option<&Arc<Variant>>,
    find: &dyn Fn(&str) -> Option<Arc<Variant>>,
) -> Vec<Result<Record, RecordError>> {
    let record = |sgf: Sgf| {
        let fault = |reason| RecordError { line: sgf.line, fault: format!("SGF: {reason}") };
        let variant = given.cloned().map_or_else(|| sgf.variant(find), Ok);
        variant.and_then(|variant| sgf.record(&variant)).map_err(fault)
    };
    Sgf::read(text).into_iter().map(|sgf| sgf.and_then(record)).collect()
}

impl Sgf {
    /// Reads the games of a file up to the first error.
    #[must_use]
    pub fn read(text: &str) -> Vec<Result<Sgf, RecordError>> {
        let game = |(line, mut tree): (usize, Tree)| {
            let mut header = tree.nodes.first_mut().map(std::mem::take).unwrap_or_default();
            // Before the first half move there may be more nodes.
            while let [only] = *header.next.as_slice()
                && let Some(node) = tree.nodes.get_mut(only).filter(|node| node.half_move.is_none())
            {
                header.properties.append(&mut node.properties);
                header.next = std::mem::take(&mut node.next);
            }
            Sgf { line, header, tree }
        };
        trees(text).into_iter().map(|tree| tree.map(game)).collect()
    }

    /// The nodes of the game, without the variations.
    fn main_line(&self) -> impl Iterator<Item = &Node> {
        let next = |node: &Node| node.next.first().and_then(|place| self.tree.nodes.get(*place));
        std::iter::successors(next(&self.header), move |node| next(node))
    }

    fn first_side(&self) -> Option<Side> {
        let played = self.main_line().filter_map(|node| node.half_move.as_ref());
        played.filter(|(_, point)| point.is_some()).map(|(side, _)| *side).next()
    }

    /// The variant that the game names, found by its id.
    ///
    /// # Errors
    /// When it names none.
    pub fn variant(&self, find: &dyn Fn(&str) -> Option<Arc<Variant>>) -> Result<Arc<Variant>, String> {
        let in_comment = || {
            let (_, behind) = self.header.value("C").split_once("--variant ")?;
            find(behind.split_whitespace().next()?)
        };
        let named = find(self.header.value("RU")).or_else(in_comment);
        named.ok_or_else(|| "expected the id of a variant in RU, or --variant".to_owned())
    }

    /// The first position of the game: the opening of the variant, or a set-up position.
    ///
    /// # Errors
    /// When the position is not one of the variant.
    pub fn first_position(&self, variant: &Arc<Variant>) -> Result<Game, String> {
        let square = variant.board().square();
        let size = self.header.value("SZ");
        let is_square = |size: &str| size.parse() == Ok(square);
        if !is_square(size) && !size.split_once(':').is_some_and(|(files, rows)| is_square(files) && is_square(rows)) {
            return Err(format!("SZ[{size}]: expected {square}, the square of {}", variant.id()));
        }
        let (found, expected) = (self.header.value("FP"), variant.fingerprint());
        if !found.is_empty() && found != expected {
            return Err(format!("FP[{found}]: expected {expected}, the fingerprint of {}", variant.id()));
        }
        let mut game = variant.start();
        let known = match self.header.value("FEN") {
            "" => None,
            text => {
                Some(Game::from_text(text, Some(variant)).map_err(|error| format!("FEN[{text}]: {}", error.detail()))?)
            }
        };
        if SETUP.iter().any(|name| self.header.values(name).next().is_some()) {
            let mut pieces: BTreeMap<Point, char> = BTreeMap::new();
            // With the General all pieces are set up; otherwise the opening is changed.
            if self.header.values("AW").next().is_none() {
                let position = game.position();
                pieces.extend(position.rebels().into_iter().map(|point| (point, 'r')));
                pieces.insert(position.general(), 'G');
                pieces.retain(|point, _| variant.board().has(*point));
            }
            for (name, piece) in [("AE", '1'), ("AB", 'r'), ("AW", 'G')] {
                for text in self.header.values(name) {
                    let wrong = || format!("{name}[{text}]: expected a point of the board");
                    // A rectangle may reach beyond the points.
                    let found = rectangle(text, square).ok_or_else(wrong)?;
                    let found: Vec<Point> = found.into_iter().filter_map(|name| variant.board().point(name)).collect();
                    if found.is_empty() {
                        return Err(wrong());
                    }
                    pieces.extend(found.into_iter().map(|point| (point, piece)));
                }
            }
            let letter = |point: Point| pieces.get(&point).copied().unwrap_or('1');
            let rows = variant.board().rows.iter();
            let rows: Vec<String> = rows.map(|row| row.iter().copied().map(letter).collect()).collect();
            let side = match self.header.value("PL") {
                text if text.starts_with(['W', 'w']) => Side::General,
                text if text.starts_with(['B', 'b']) => Side::Rebels,
                _ => self.first_side().unwrap_or(game.side()),
            };
            let hand = hand_beside(known.as_ref().unwrap_or(&game), pieces.values().any(|piece| *piece == 'G'));
            let text = format!("{}{hand} {}", rows.join("/"), side.letter());
            game = Game::from_text(&text, Some(variant)).map_err(|error| error.detail().to_owned())?;
            let shown = |game: &Game| (game.position().rebels(), game.position().general(), game.side());
            if known.as_ref().is_some_and(|known| shown(known) != shown(&game)) {
                return Err(format!(
                    "FEN[{}]: expected the stones of AB, AW and AE, and the side of PL",
                    self.header.value("FEN")
                ));
            }
        }
        Ok(known.unwrap_or(game))
    }

    /// The half moves of the game except passes, each with its number from 1.
    ///
    /// # Errors
    /// When the board has no such point.
    pub fn points(&self, variant: &Variant) -> Result<Vec<(usize, Side, Point)>, String> {
        self.main_line().filter_map(|node| point_of(node, variant).transpose()).collect()
    }

    /// Plays the half moves before number `end` in a game at the first position.
    ///
    /// # Errors
    /// The first illegal half move, or one after the end of the game.
    pub fn replay(&self, game: &mut Game, end: usize) -> Result<(), String> {
        let points = self.points(game.variant())?;
        let mut begun = Vec::new();
        for half_move in points.into_iter().take_while(|(number, ..)| *number < end) {
            if let Some(move_) = enter(game, &mut begun, half_move)? {
                game.play(move_);
            }
        }
        Ok(())
    }

    /// The game as a record of a variant, with its comments and variations, without an incomplete last move.
    ///
    /// # Errors
    /// The first illegal half move.
    pub fn record(&self, variant: &Arc<Variant>) -> Result<Record, String> {
        let mut game = self.first_position(variant)?;
        let limit = |text: &str| text.parse().map_err(|_| format!("ML[{text}]: expected a number of plies"));
        game.set_move_limit(self.header.values("ML").next().map(limit).transpose()?);
        let opening = match self.header.value("FEN") {
            "" if game.begins_at_opening() => String::new(),
            "" => game.to_string(),
            text => simple_text(text),
        };
        let moves = self.line(&self.header.next, &mut Vec::new(), &mut game, 0)?;
        for RecordedMove { text, .. } in &moves {
            game.play(game.find_move(text).map_err(|error| error.to_string())?);
        }
        let named = self.header.value("RE");
        let by_rules = game.outcome().map_or(GameResult::Unfinished, GameResult::from);
        let result = match named.as_bytes() {
            [b'W', b'+', ..] => GameResult::General,
            [b'B', b'+', ..] => GameResult::Rebels,
            b"0" | b"Draw" | b"draw" => GameResult::Draw,
            _ => by_rules,
        };
        // A result that does not follow from the rules is that of the file.
        let termination = match game.outcome() {
            Some(outcome) if result == by_rules => outcome.to_string(),
            None if result != by_rules => format!("RE[{named}]"),
            _ => String::new(),
        };
        let text = |property: &str| simple_text(self.header.value(property));
        Ok(Record {
            event: text("EV"),
            site: text("PC"),
            date: text("DT").replace('-', "."),
            round: text("RO"),
            general: text("PW"),
            rebels: text("PB"),
            variant: variant.id().to_owned(),
            fingerprint: text("FP"),
            opening,
            time_control: text("OT"),
            move_limit: game.move_limit(),
            seed: self.header.value("SD").parse().ok(),
            result,
            termination,
            comment: comments(&self.header),
            moves,
            ..Record::default()
        })
    }

    /// Reads a line of moves from the position of a game, with its variations. The game is left as it is.
    fn line<'a>(
        &'a self,
        mut next: &'a [usize],
        begun: &mut Vec<Point>,
        game: &mut Game,
        depth: usize,
    ) -> Result<Vec<RecordedMove>, String> {
        if depth > MOST_NESTED {
            return Err(format!("expected at most {MOST_NESTED} variations within each other, found more"));
        }
        let plies = game.moves().len();
        let mut moves: Vec<RecordedMove> = Vec::new();
        // What is known of the move that has begun.
        let (mut said, mut others): (Vec<&Node>, Vec<Vec<RecordedMove>>) = (Vec::new(), Vec::new());
        while let [first, variations @ ..] = next {
            for variation in variations {
                let line = self.line(std::slice::from_ref(variation), &mut begun.clone(), game, depth + 1)?;
                others.extend(Some(line).filter(|line| !line.is_empty()));
            }
            let Some(node) = self.tree.nodes.get(*first) else { break };
            next = &node.next;
            if SETUP.iter().any(|name| node.values(name).next().is_some()) {
                return Err("expected set-up stones before the first half move and its variations".to_owned());
            }
            let text = node.value("MOVE");
            let move_ = match point_of(node, game.variant())? {
                _ if !text.is_empty() => {
                    let side = node.half_move.as_ref().map(|(side, _)| *side);
                    Some(game.parse_move(side, text).map_err(|error| format!("MOVE[{text}]: {error}"))?)
                }
                Some(half_move) => enter(game, begun, half_move)?,
                // What is said of a pass is said of the move before it.
                None if begun.is_empty() && !moves.is_empty() => {
                    moves.last_mut().into_iter().for_each(|move_| say(move_, node));
                    continue;
                }
                None => None,
            };
            said.push(node);
            if let Some(move_) = move_ {
                let mut recorded = RecordedMove::new(game, &move_);
                said.drain(..).for_each(|node| say(&mut recorded, node));
                recorded.variations.append(&mut others);
                moves.push(recorded);
                game.play(move_);
                begun.clear();
            }
        }
        // A move that is left incomplete leaves its place to the first variation from it.
        let mut others = others.into_iter();
        if let Some(mut line) = others.next() {
            line.first_mut().into_iter().for_each(|move_| move_.variations.extend(others.by_ref()));
            moves.append(&mut line);
        }
        game.rewind(plies);
        Ok(moves)
    }
}

/// The point of a node with its number, and the side that plays it; none of a pass.
fn point_of(node: &Node, variant: &Variant) -> Result<Option<(usize, Side, Point)>, String> {
    let Some((side, Some(text))) = &node.half_move else { return Ok(None) };
    let board = variant.board();
    let point = point(text, board.square()).and_then(|name| board.point(name));
    let point = point.ok_or_else(|| format!("half move {}: {text}: expected a point of the board", node.number))?;
    Ok(Some((node.number, *side, point)))
}

/// Enters a half move; returns the move, if it is complete.
fn enter(
    game: &Game,
    begun: &mut Vec<Point>,
    (number, side, point): (usize, Side, Point),
) -> Result<Option<MovePath>, String> {
    let wrong = |reason: String| format!("half move {number}: {}: {reason}", game.board().name(point));
    if let Some(outcome) = game.outcome() {
        return Err(wrong(format!("game over: {outcome}")));
    }
    let half_moves = HalfMoves::of(game, game.legal_moves());
    if side != game.side() || !half_moves.continuations(begun).contains(point) {
        return Err(wrong(format!("not legal for the {side} in {}", game.variant().id())));
    }
    begun.push(point);
    let move_ = half_moves.completed(begun).cloned();
    if move_.is_some() {
        begun.clear();
    }
    Ok(move_)
}

/// Adds what a node says of a move.
fn say(move_: &mut RecordedMove, node: &Node) {
    let comment = comments(node);
    move_.comment += if move_.comment.is_empty() || comment.is_empty() { "" } else { "\n" };
    move_.comment += &comment;
    let is_meant = |glyph: &Glyph| {
        let (name, value) = glyph.property();
        node.values(name).any(|found| value.is_empty() || found == value)
    };
    move_.glyph = move_.glyph.or(Glyph::ALL.into_iter().find(is_meant));
}

/// The comments of a node, of which each line is one.
fn comments(node: &Node) -> String {
    let lines = |text: &str| text.replace("\r\n", "\n").replace("\n\r", "\n").replace('\r', "\n");
    node.values("C").map(lines).collect::<Vec<_>>().join("\n")
}

/// A text in which line feeds and runs of spaces are spaces.
fn simple_text(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The hand of a position beside stones, which have the General if it is on the board.
fn hand_beside(game: &Game, has_general: bool) -> String {
    let hand = game.variant().hand_text(game.position());
    if has_general { hand.replace("[G]", "").replace("[G", "[") } else { hand }
}
