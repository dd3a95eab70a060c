//! Games of half moves in SGF (A. Hollosi, *Smart Game Format*, FF\[4\]), as GoGui, gogui-twogtp and the half-move session write
//! them: the General is White, a pass has no meaning, and the first variation is the game.
//!
//! SGF does not name the rules of a game. The session writes the id of the variant into `RU`; otherwise the variant is the given
//! one, that of a command line in the comment, or the only built-in one in which the moves are legal. What SGF has no property for
//! stands in private ones: the fingerprint of the rules in `FP`, a limit of plies in `ML`, and in `FEN` the text of a first position
//! with the flags and counters that stones do not show.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use privy_base::bounded_read::utf8;

use privy_rules::board::{Point, PointName};
use privy_rules::half_moves::HalfMoves;
use privy_rules::record::{GameResult, Record, RecordError, RecordedMove};
use privy_rules::{Game, MovePath, Side, Variant};

/// The main line of a game tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sgf {
    line: usize,
    /// All properties of the main line except moves, in order.
    properties: Vec<(String, Vec<String>)>,
    /// Side and point, `None` for a pass.
    half_moves: Vec<(Side, Option<String>)>,
}

/// True if a text is SGF, and not a record of another form.
#[must_use]
pub fn is_sgf(text: &str) -> bool {
    text.trim_start().starts_with('(')
}

/// The text of a file: of UTF-8, or if it is SGF that names no other character set, of Latin-1, the standard one of SGF.
///
/// # Errors
/// The first byte that is not UTF-8.
pub fn sgf_text(bytes: Vec<u8>) -> io::Result<String> {
    if std::str::from_utf8(&bytes).is_err() {
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let is_latin = |sgf: &Sgf| ["", "iso-8859-1", "latin1"].contains(&sgf.value("CA").to_lowercase().as_str());
        if Sgf::read(&text).iter().flatten().next().is_some_and(is_latin) {
            return Ok(text);
        }
    }
    utf8(bytes, 1)
}

/// Reads the games of an SGF file as records, of the given variant if there is one.
pub fn sgf_records(text: &str, given: Option<&Arc<Variant>>) -> Vec<Result<Record, RecordError>> {
    let record = |sgf: Sgf| {
        let fault = |reason| RecordError { line: sgf.line, fault: format!("SGF: {reason}") };
        sgf.variant(given).and_then(|variant| sgf.record(&variant)).map_err(fault)
    };
    Sgf::read(text).into_iter().map(|sgf| sgf.and_then(record)).collect()
}

impl Sgf {
    /// Reads the games of a file up to the first error.
    #[must_use]
    pub(crate) fn read(text: &str) -> Vec<Result<Sgf, RecordError>> {
        let mut games = Vec::new();
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let at = |rest: &str| 1 + text[..text.len() - rest.len()].matches('\n').count();
            match game_tree(rest) {
                Ok((sgf, behind)) => {
                    games.push(Ok(Sgf { line: at(rest), ..sgf }));
                    rest = behind.trim_start();
                }
                Err((place, reason)) => {
                    games.push(Err(RecordError { line: at(place), fault: format!("SGF: {reason}") }));
                    break;
                }
            }
        }
        games
    }

    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let all = self.properties.iter().filter(move |(property, _)| property == name);
        all.flat_map(|(_, values)| values.iter().map(String::as_str))
    }

    fn value<'a>(&'a self, name: &'a str) -> &'a str {
        self.values(name).next().unwrap_or_default()
    }

    /// The variant that the game names: the current one or a built-in one.
    #[must_use]
    pub(crate) fn named_variant(&self, current: Option<&Arc<Variant>>) -> Option<Arc<Variant>> {
        let find = |id| current.filter(|variant| variant.id() == id).cloned().or_else(|| Variant::builtin(id));
        let in_comment = || {
            let (_, behind) = self.value("C").split_once("--variant ")?;
            find(behind.split_whitespace().next()?)
        };
        find(self.value("RU")).or_else(in_comment)
    }

    /// The variant of the game: the given one, the named one, or the only built-in one in which its moves are legal.
    fn variant(&self, given: Option<&Arc<Variant>>) -> Result<Arc<Variant>, String> {
        if let Some(variant) = given.cloned().or_else(|| self.named_variant(None)) {
            return Ok(variant);
        }
        let possible: Vec<Arc<Variant>> = Variant::builtin_ids()
            .filter_map(Variant::builtin)
            .filter(|variant| self.record(variant).is_ok())
            .collect();
        match possible.as_slice() {
            [variant] => Ok(Arc::clone(variant)),
            [] => Err("expected a game of a built-in variant; name another one with --variant".to_owned()),
            several => {
                let ids: Vec<&str> = several.iter().map(|variant| variant.id()).collect();
                Err(format!("expected --variant, since these moves are legal in {}", ids.join(" ")))
            }
        }
    }

    /// The first position of the game: the opening of the variant, or a set-up position.
    ///
    /// # Errors
    /// When the position is not one of the variant.
    pub(crate) fn first_position(&self, variant: &Arc<Variant>) -> Result<Game, String> {
        let square = variant.board().square();
        let size = self.value("SZ");
        let is_square = |size: &str| size.parse() == Ok(square);
        if !is_square(size) && !size.split_once(':').is_some_and(|(files, rows)| is_square(files) && is_square(rows)) {
            return Err(format!("SZ[{size}]: expected {square}, the square of {}", variant.id()));
        }
        let (found, expected) = (self.value("FP"), variant.fingerprint());
        if !found.is_empty() && found != expected {
            return Err(format!("FP[{found}]: expected {expected}, the fingerprint of {}", variant.id()));
        }
        let mut game = variant.start();
        let known = match self.value("FEN") {
            "" => None,
            text => Some(Game::from_text(text, Some(variant)).map_err(|error| format!("FEN[{text}]: {error}"))?),
        };
        if ["AB", "AW", "AE"].iter().any(|name| self.values(name).next().is_some()) {
            let mut pieces: BTreeMap<Point, char> = BTreeMap::new();
            // With the General all pieces are set up; otherwise the opening is changed.
            if self.values("AW").next().is_none() {
                let position = game.position();
                pieces.extend(position.rebels().into_iter().map(|point| (point, 'r')));
                pieces.insert(position.general(), 'G');
                pieces.retain(|point, _| variant.board().has(*point));
            }
            for (name, piece) in [("AE", '1'), ("AB", 'r'), ("AW", 'G')] {
                for text in self.values(name) {
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
            let rows = variant.board().rows_from_top().into_iter();
            let rows: Vec<String> = rows.map(|row| row.into_iter().map(letter).collect()).collect();
            let side = match self.value("PL") {
                text if text.starts_with(['W', 'w']) => Side::General,
                text if text.starts_with(['B', 'b']) => Side::Rebels,
                _ => self.half_moves.iter().find(|(_, point)| point.is_some()).map_or(game.side(), |(side, _)| *side),
            };
            let hand = hand_beside(known.as_ref().unwrap_or(&game), pieces.values().any(|piece| *piece == 'G'));
            let text = format!("{}{hand} {}", rows.join("/"), side.letter());
            game = Game::from_text(&text, Some(variant)).map_err(|error| error.to_string())?;
            let shown = |game: &Game| (game.position().rebels(), game.position().general(), game.side());
            if known.as_ref().is_some_and(|known| shown(known) != shown(&game)) {
                return Err(format!(
                    "FEN[{}]: expected the stones of AB, AW and AE, and the side of PL",
                    self.value("FEN")
                ));
            }
        }
        Ok(known.unwrap_or(game))
    }

    /// The limit of plies.
    fn move_limit(&self) -> Result<Option<u32>, String> {
        let read = |text: &str| text.parse().map_err(|_| format!("ML[{text}]: expected a number of plies"));
        self.values("ML").next().map(read).transpose()
    }

    /// The half moves except passes, each with its number from 1.
    ///
    /// # Errors
    /// When the board has no such point.
    pub(crate) fn points(&self, variant: &Variant) -> Result<Vec<(usize, Side, Point)>, String> {
        let board = variant.board();
        let texts =
            (1..).zip(&self.half_moves).filter_map(|(number, (side, text))| Some((number, *side, text.as_deref()?)));
        let points = texts.map(|(number, side, text)| {
            let point = point(text, board.square()).and_then(|name| board.point(name));
            let point = point.ok_or_else(|| format!("half move {number}: {text}: expected a point of the board"))?;
            Ok((number, side, point))
        });
        points.collect()
    }

    /// Plays the half moves before number `end` in a game at the first position.
    ///
    /// # Errors
    /// The first illegal half move, or one after the end of the game.
    pub(crate) fn replay(&self, game: &mut Game, end: usize) -> Result<Vec<RecordedMove>, String> {
        let mut moves = Vec::new();
        let (mut begun, mut half_moves) = (Vec::new(), HalfMoves::of(game, game.legal_moves()));
        let points = self.points(game.variant())?;
        for (number, side, point) in points.into_iter().take_while(|(number, ..)| *number < end) {
            let wrong = |reason: String| format!("half move {number}: {}: {reason}", game.board().name(point));
            if let Some(outcome) = game.outcome() {
                return Err(wrong(format!("game over: {outcome}")));
            }
            begun.push(point);
            if side != game.side() || !half_moves.continuations(&begun[..begun.len() - 1]).contains(point) {
                return Err(wrong(format!("not legal for the {side} in {}", game.variant().id())));
            }
            if let Some(move_) = half_moves.completed(&begun).cloned() {
                moves.push(RecordedMove::new(game, &move_));
                game.play(move_);
                half_moves = HalfMoves::of(game, game.legal_moves());
                begun.clear();
            }
        }
        Ok(moves)
    }

    /// The game as a record of a variant, without an incomplete last move.
    ///
    /// # Errors
    /// The first illegal half move.
    pub(crate) fn record(&self, variant: &Arc<Variant>) -> Result<Record, String> {
        let mut game = self.first_position(variant)?;
        game.set_move_limit(self.move_limit()?);
        let opening = if game.begins_at_opening() { String::new() } else { game.to_string() };
        let moves = self.replay(&mut game, usize::MAX)?;
        let named = self.value("RE");
        let by_rules = game.outcome().map_or(GameResult::Unfinished, GameResult::from);
        let result = match named.as_bytes() {
            [b'W', b'+', ..] => GameResult::General,
            [b'B', b'+', ..] => GameResult::Rebels,
            b"0" | b"Draw" | b"draw" => GameResult::Draw,
            _ => by_rules,
        };
        // A result that does not follow from the rules is that of the file.
        let termination =
            if game.outcome().is_none() && result != by_rules { format!("RE[{named}]") } else { String::new() };
        // Line feeds in them are spaces.
        let words = |name| self.value(name).split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Record {
            event: words("EV"),
            site: words("PC"),
            date: words("DT").replace('-', "."),
            round: words("RO"),
            general: words("PW"),
            rebels: words("PB"),
            variant: variant.id().to_owned(),
            fingerprint: words("FP"),
            opening,
            move_limit: game.move_limit(),
            result,
            termination,
            moves,
            ..Record::default()
        })
    }
}

/// Reads a game tree up to the bracket that closes the first one. The main line ends at the first closing bracket. An error has its place in
/// the text.
fn game_tree(text: &str) -> Result<(Sgf, &str), (&str, &'static str)> {
    let mut sgf = Sgf::default();
    let (mut depth, mut in_main_line, mut rest) = (0usize, true, text);
    loop {
        rest = rest.trim_start();
        let mut letters = rest.chars();
        match letters.next() {
            Some('(') => (depth, rest) = (depth + 1, letters.as_str()),
            Some(')') if depth > 0 => {
                (depth, in_main_line, rest) = (depth - 1, false, letters.as_str());
                if depth == 0 {
                    return Ok((sgf, rest));
                }
            }
            Some(';') if depth > 0 => rest = letters.as_str(),
            Some(letter) if depth > 0 && letter.is_ascii_alphabetic() => {
                let (name, values, behind) = property(rest)?;
                if in_main_line {
                    sgf.add(name, values).map_err(|reason| (rest, reason))?;
                }
                rest = behind;
            }
            Some(_) if depth > 0 => return Err((rest, "expected ( ) ; or a property such as W[ce]")),
            Some(_) => return Err((rest, "expected a game tree, which begins with (")),
            None => return Err((rest, "expected ) at the end of the game")),
        }
    }
}

impl Sgf {
    fn add(&mut self, name: String, values: Vec<String>) -> Result<(), &'static str> {
        let is_begun = !self.half_moves.is_empty();
        let side = match name.as_str() {
            "W" => Side::General,
            "B" => Side::Rebels,
            // GoGui writes it at every half move.
            "PL" if is_begun => return Ok(()),
            "AB" | "AW" | "AE" if is_begun => return Err("expected set-up stones before the first half move"),
            _ => {
                self.properties.push((name, values));
                return Ok(());
            }
        };
        let point = values.into_iter().next().filter(|text| !text.is_empty() && text != "tt");
        self.half_moves.push((side, point));
        Ok(())
    }
}

/// Reads a name and its values, and gives the rest of the text.
fn property(text: &str) -> Result<(String, Vec<String>, &str), (&str, &'static str)> {
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let mut values = Vec::new();
    while let Some(inside) = rest.trim_start().strip_prefix('[') {
        let (mut value, mut letters) = (String::new(), inside.chars());
        loop {
            match letters.next() {
                Some(']') => break,
                // A line feed behind a backslash, in any of its forms, is none.
                Some('\\') => match letters.next() {
                    Some(first @ ('\r' | '\n')) => {
                        let other = if first == '\r' { '\n' } else { '\r' };
                        letters = letters.as_str().strip_prefix(other).unwrap_or(letters.as_str()).chars();
                    }
                    letter => value.extend(letter),
                },
                Some(letter) => value.push(letter),
                None => return Err((rest, "expected ] at the end of the value")),
            }
        }
        values.push(value);
        rest = letters.as_str();
    }
    if values.is_empty() {
        Err((text, "expected a value in brackets behind the property"))
    } else {
        // Older versions of SGF ignore small letters: `White` is `W`.
        let capitals: String = name.chars().filter(char::is_ascii_uppercase).collect();
        Ok((if capitals.is_empty() { name.to_ascii_uppercase() } else { capitals }, values, rest))
    }
}

/// The letters of columns and rows, in order.
const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The point of two letters: the column from the left and the row from the top of the square.
fn point(text: &str, square: u8) -> Option<PointName> {
    let [column, row] = text.as_bytes() else { return None };
    let place = |letter: u8| Some(LETTERS.iter().position(|known| *known == letter)? as u8 + 1);
    PointName::new(place(*column)?, (square + 1).checked_sub(place(*row)?)?)
}

/// The points of two letters, or of a rectangle by two of its corners: `aa:cc`.
fn rectangle(text: &str, square: u8) -> Option<Vec<PointName>> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let (first, last) = (point(first, square)?, point(last, square)?);
    let between = |one: u8, other: u8| one.min(other)..=one.max(other);
    let files = between(first.file(), last.file());
    files.flat_map(|file| between(first.row(), last.row()).map(move |row| PointName::new(file, row))).collect()
}

/// The hand of a position beside stones, which have the General if it is on the board.
fn hand_beside(game: &Game, has_general: bool) -> String {
    let hand = game.variant().hand_text(game.position());
    if has_general { hand.replace("[G]", "").replace("[G", "[") } else { hand }
}

/// A game as SGF, with the points of an incomplete move.
///
/// # Errors
/// The first move that no sequence of points enters.
pub fn write_sgf<'a>(game: &'a Game, begun: &[Point]) -> Result<String, &'a MovePath> {
    let (variant, board) = (game.variant(), game.board());
    let square = board.square();
    let letter = |place: u8| LETTERS.get(usize::from(place) - 1).copied().map_or('?', char::from);
    let text = |point: Point| {
        let name = board.name(point);
        format!("[{}{}]", letter(name.file()), letter(square + 1 - name.row()))
    };
    let version = env!("CARGO_PKG_VERSION");
    let result = match game.outcome().map(|outcome| outcome.winner()) {
        Some(Some(Side::General)) => "RE[W+]",
        Some(Some(Side::Rebels)) => "RE[B+]",
        Some(None) => "RE[0]",
        None => "",
    };
    let limit = game.move_limit().map(|plies| format!("ML[{plies}]")).unwrap_or_default();
    let (id, fingerprint) = (variant.id(), variant.fingerprint());
    let mut sgf = format!("(;FF[4]CA[UTF-8]AP[Privy:{version}]SZ[{square}]RU[{id}]FP[{fingerprint}]{limit}{result}");
    let colour = |side: Side| if side == Side::General { 'W' } else { 'B' };
    let mut position = game.beginning();
    if !position.begins_at_opening() {
        let first = position.position();
        let rebels: String = first.rebels().into_iter().map(text).collect();
        let all_rebels = if rebels.is_empty() { String::new() } else { format!("AB{rebels}") };
        let general = Some(first.general()).filter(|point| board.has(*point));
        let general = general.map(|point| format!("AW{}", text(point))).unwrap_or_default();
        sgf += &format!("\n{general}{all_rebels}PL[{}]FEN[{position}]", colour(first.side()));
    }
    let mut half_moves: Vec<(Side, Point)> = Vec::new();
    for move_ in game.moves() {
        let ways = HalfMoves::of(&position, position.legal_moves());
        let points = ways.points_of(move_).ok_or(move_)?;
        half_moves.extend(points.iter().map(|point| (position.side(), *point)));
        position.play(move_.clone());
    }
    half_moves.extend(begun.iter().map(|point| (game.side(), *point)));
    for (place, (side, point)) in half_moves.into_iter().enumerate() {
        sgf += if place % 10 == 0 { "\n;" } else { ";" };
        sgf += &format!("{}{}", colour(side), text(point));
    }
    Ok(sgf + ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_back_as_they_were_written() {
        for id in Variant::all_ids() {
            let mut game = Variant::builtin(id).unwrap().start();
            for turn in 0..40 {
                let text = write_sgf(&game, &[]).unwrap();
                let [Ok(record)] = &sgf_records(&text, None)[..] else { panic!("{text}") };
                assert_eq!((record.variant.as_str(), record.moves.len()), (id, turn.min(game.moves().len())));
                assert_eq!(record.replay(None).unwrap().to_string(), game.to_string(), "{text}");
                let moves = game.legal_moves();
                let entered = HalfMoves::of(&game, moves.clone());
                let moves: Vec<_> = moves.iter().filter(|move_| entered.points_of(move_).is_some()).collect();
                if moves.is_empty() {
                    break;
                }
                game.play(moves[turn * 7 % moves.len()].clone());
            }
        }
    }

    #[test]
    fn a_set_up_position_comes_back() {
        let game = Game::from_text("1/3/5/rrrrr/2G2/5/rrrrr r - 0 0 monk-and-water", None).unwrap();
        let text = write_sgf(&game, &[]).unwrap();
        let [Ok(record)] = &sgf_records(&text, None)[..] else { panic!("{text}") };
        assert_eq!(record.opening, game.to_string());
    }

    #[test]
    fn what_stones_do_not_show_comes_back() {
        for text in [
            // No free jump left.
            "5/1r1r1/2G3/1r1r1/5 g 0 7 12 kings-gonu",
            // The apex visited, counters, and a game that is over by the flag alone.
            "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr r a 30 61 shap-luk-kon",
            // The stones of the opening, with counters.
            "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 3 4 sixteen-rebels",
        ] {
            let mut game = Game::from_text(text, None).unwrap();
            game.set_move_limit(Some(200));
            let written = write_sgf(&game, &[]).unwrap();
            let [Ok(record)] = &sgf_records(&written, None)[..] else { panic!("{written}") };
            let read = record.replay(None).unwrap();
            assert_eq!((read.to_string(), read.move_limit()), (game.to_string(), Some(200)), "{written}");
            assert_eq!(read.outcome(), game.outcome());
            // Stones that another program has changed are not those of the text beside them.
            let at = written.find("AB[").unwrap();
            let other = format!("{}{}", &written[..at + 2], &written[at + 6..]);
            let error = sgf_records(&other, None)[0].clone().unwrap_err().to_string();
            assert!(error.contains("FEN[") && error.contains("expected the stones of AB, AW and AE"), "{error}");
        }
    }

    #[test]
    fn a_game_is_not_read_by_other_rules_of_the_same_name() {
        let text = "(;FF[4]SZ[7]RU[sixteen-rebels]FP[0123456789abcdef];W[ce])";
        let error = sgf_records(text, None)[0].clone().unwrap_err().to_string();
        assert!(error.contains("FP[0123456789abcdef]: expected "), "{error}");
    }

    #[test]
    fn a_board_of_more_than_26_rows_has_letters() {
        let lines: Vec<String> = (1..52).map(|row| format!("\"a{row}-a{}\"", row + 1)).collect();
        let board = format!(
            "id = \"long\"\ntitle = \"Long\"\nfield = {{ files = 1, rows = 52 }}\nlines = [{}]",
            lines.join(", ")
        );
        let folder = std::env::temp_dir().join(format!("privy-sgf-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("long.toml"), board).unwrap();
        let rows = format!("r/{}G", "1/".repeat(50));
        let text =
            format!("id = \"own\"\ntitle = \"\"\nboard = \"long.toml\"\nopening = \"{rows}\"\nfirst = \"rebels\"\n");
        let variant = Arc::new(Variant::from_toml(&text, Some(&folder)).unwrap());
        std::fs::remove_dir_all(folder).unwrap();
        let mut game = variant.start();
        let first = game.legal_moves()[0].clone();
        game.play(first);
        let written = write_sgf(&game, &[]).unwrap();
        let [Ok(record)] = &sgf_records(&written, Some(&variant))[..] else { panic!("{written}") };
        assert_eq!(record.replay(Some(&variant)).unwrap().to_string(), game.to_string());
    }

    /// Lists of points as rectangles, soft line breaks, simple text in several lines, names of older versions, a square of two numbers,
    /// pieces that are set up in the course of the game, Latin-1.
    #[test]
    fn other_forms_of_sgf_are_read() {
        let opening = "(;FF[4]SZ[7:7]RU[monk-and-water]PW[Fr\\\néd\\\r\néric\nII]AE[aa:gg]AW[ce]AB[ag:eg][ad:ad]PL[B]";
        let [Ok(record)] = &sgf_records(&format!("{opening})"), None)[..] else { panic!() };
        assert_eq!(record.general, "Frédéric II");
        assert_eq!(record.opening, "1/3/5/r4/2G2/5/rrrrr r - 0 0 monk-and-water");
        let [Ok(record)] = &sgf_records("(;SiZe[7]RUles[monk-and-water];Black[bc];Black[bd])", None)[..] else {
            panic!()
        };
        assert_eq!(record.moves.len(), 1);
        let error = sgf_records(&format!("{opening};B[ad];B[ac]AB[aa])"), None)[0].clone().unwrap_err().to_string();
        assert!(error.contains("expected set-up stones before the first half move"), "{error}");
        let latin = |charset: &str| {
            let text = format!("(;FF[4]{charset}SZ[7]RU[monk-and-water]PW[Fr\u{e9}d\u{e9}ric])");
            sgf_text(text.chars().map(|letter| letter as u8).collect())
        };
        for charset in ["", "CA[ISO-8859-1]", "CA[latin1]"] {
            let [Ok(record)] = &sgf_records(&latin(charset).unwrap(), None)[..] else { panic!() };
            assert_eq!(record.general, "Frédéric");
        }
        assert!(latin("CA[UTF-8]").unwrap_err().to_string().ends_with("found other bytes in line 1"));
        assert!(sgf_text(b"[General \"\xe9\"]".to_vec()).is_err());
    }

    /// As GoGui writes it: PL at every half move, nothing on the players, the variant or the result.
    #[test]
    fn a_game_of_gogui_is_recognised_by_its_moves() {
        let text = "(;FF[4]CA[UTF-8]AP[GoGui:1.6.0]SZ[7]\nKM[6.5]DT[2026-11-22]\n\
                    ;B[bc]PL[B];B[bd]PL[W];W[cc]PL[W];W[cb]PL[B];B[bd]PL[B];B[cc]PL[W])\n";
        let [Ok(record)] = &sgf_records(text, None)[..] else { panic!() };
        assert_eq!(
            (record.variant.as_str(), record.result, record.date.as_str()),
            ("monk-and-water", GameResult::Rebels, "2026.11.22")
        );
        assert_eq!(record.replay(None).unwrap().outcome().unwrap().to_string(), "rebels win: privy closed");
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, fault) in [
            ("(;SZ[7]", "line 1: SGF: expected ) at the end of the game"),
            ("(;SZ[7]\nC[never", "line 2: SGF: expected ] at the end of the value"),
            ("(;SZ 7)", "line 1: SGF: expected a value in brackets behind the property"),
            ("(;SZ[7]RU[sixteen-rebels])\n x", "line 2: SGF: expected a game tree, which begins with ("),
            ("(;SZ[19]RU[kings-gonu])", "line 1: SGF: SZ[19]: expected 6, the square of kings-gonu"),
            ("\n(;SZ[7];W[ce])", "line 2: SGF: expected --variant, since these moves are legal in sixteen-rebels "),
            ("(;SZ[7];B[ce])", "line 1: SGF: expected a game of a built-in variant; name another one with --variant"),
            (
                "(;SZ[7]RU[sixteen-rebels];W[ce];B[];W[aa])",
                "line 1: SGF: half move 3: aa: expected a point of the board",
            ),
            ("(;SZ[7]RU[sixteen-rebels];W[ce];W[cc])", "line 1: SGF: half move 2: c5: not legal for the General in"),
        ] {
            let errors: Vec<String> =
                sgf_records(text, None).into_iter().filter_map(|record| Some(record.err()?.to_string())).collect();
            assert!(
                errors.len() == 1 && errors[0].to_lowercase().starts_with(&fault.to_lowercase()),
                "{text}: {errors:?}"
            );
        }
        assert!(sgf_records(&"(;".repeat(200_000), None)[0].is_err());
    }

    #[test]
    fn the_first_variation_is_the_game_and_the_comment_names_the_variant() {
        let text = "(;FF[4]SZ[7]C[Black command: privy gogui --variant shap-luk-kon\nWhite: [\\]\\\\]\n;W[ce](;B[];W[cd](;B[tt])(;B[aa]))(;W[bd]))";
        let [Ok(record)] = &sgf_records(text, None)[..] else { panic!() };
        assert_eq!((record.variant.as_str(), record.moves.len()), ("shap-luk-kon", 1));
        assert_eq!(record.moves[0].text.to_string(), "c3-c4");
    }
}
