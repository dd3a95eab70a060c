//! Records as SGF.

use std::sync::Arc;

use privy_base::message::is_unsafe;
use privy_protocol::Side;
use privy_rules::board::{Board, Point};
use privy_rules::{Game, Variant};

use crate::glyph::Glyph;
use crate::half_moves::HalfMoves;
use crate::record::{GameResult, Record, RecordedMove, ReplayError, number_text};

use super::tree::LETTERS;

/// A record as SGF, with the points of an incomplete move at its end. `variant` is used for a record of its id,
/// built-in variants for all others.
///
/// # Errors
/// The first conflict with the rules.
pub fn write_sgf(record: &Record, variant: Option<&Arc<Variant>>, begun: &[Point]) -> Result<String, ReplayError> {
    let mut game = record.first_position(variant)?;
    let mut writer = SgfWriter { text: String::new(), half_moves: 0 };
    writer.header(record, &game);
    writer.line(&mut game, &record.moves, begun)?;
    Ok(writer.text + ")")
}

struct SgfWriter {
    text: String,
    /// The half moves since the text had a line feed, or ten of them more.
    half_moves: usize,
}

impl SgfWriter {
    fn property(&mut self, name: &str, value: &str) {
        self.text += &format!("{name}[{}]", escaped(value));
    }

    /// The root: what is known of the game, and its first position, if it is not the opening.
    fn header(&mut self, record: &Record, first: &Game) {
        let variant = first.variant();
        let square = variant.board().square();
        let version = env!("CARGO_PKG_VERSION");
        self.text += &format!("(;FF[4]CA[UTF-8]AP[Privy:{version}]SZ[{square}]RU[{}]", variant.id());
        let result = match record.result {
            GameResult::General => "W+",
            GameResult::Rebels => "B+",
            GameResult::Draw => "0",
            GameResult::Unfinished => "",
        };
        let [limit, seed] = [number_text(record.move_limit), number_text(record.seed)];
        let date = record.date.replace('.', "-");
        for (name, value) in [
            ("EV", &record.event),
            ("PC", &record.site),
            ("DT", &date),
            ("RO", &record.round),
            ("PW", &record.general),
            ("PB", &record.rebels),
            ("FP", &record.fingerprint),
            ("OT", &record.time_control),
            ("ML", &limit),
            ("SD", &seed),
            ("RE", &result.to_owned()),
        ] {
            if !value.is_empty() {
                self.property(name, value);
            }
        }
        if !record.comment.is_empty() {
            self.property("C", &record.comment);
        }
        if !first.begins_at_opening() {
            let (board, position) = (first.board(), first.position());
            let rebels: String = position.rebels().into_iter().map(|point| vertex(board, point)).collect();
            let all_rebels = if rebels.is_empty() { String::new() } else { format!("AB{rebels}") };
            let general = Some(position.general()).filter(|point| board.has(*point));
            let general = general.map(|point| format!("AW{}", vertex(board, point))).unwrap_or_default();
            self.text += &format!("\n{general}{all_rebels}PL[{}]", colour(first.side()));
        }
        if !record.opening.is_empty() {
            self.property("FEN", &record.opening);
        }
    }

    /// A half move, with a line feed before every tenth.
    fn half_move(&mut self, side: Side, point: &str) {
        self.text += if self.half_moves.is_multiple_of(10) { "\n;" } else { ";" };
        self.text += &format!("{}{point}", colour(side));
        self.half_moves += 1;
    }

    /// A line of moves from the position of a game, and at its end the points of an incomplete move. The game is left
    /// as it is. From a move with variations on, the line is in brackets, and so is each variation after it.
    fn line(&mut self, game: &mut Game, line: &[RecordedMove], begun: &[Point]) -> Result<(), ReplayError> {
        let plies = game.moves().len();
        for recorded in line {
            if !recorded.variations.is_empty() {
                self.open();
            }
            self.recorded(game, recorded)?;
        }
        for point in begun {
            self.half_move(game.side(), &vertex(game.board(), *point));
        }
        for (place, RecordedMove { variations, .. }) in line.iter().enumerate().rev() {
            game.rewind(plies + place);
            if !variations.is_empty() {
                self.text.push(')');
            }
            for variation in variations {
                self.open();
                self.line(game, variation, &[])?;
                self.text.push(')');
            }
        }
        Ok(())
    }

    fn open(&mut self) {
        self.text += "\n(";
        self.half_moves = 1;
    }

    /// A move as the points that enter it, which is played in the game; what is said of it stands at the last.
    fn recorded(&mut self, game: &mut Game, recorded: &RecordedMove) -> Result<(), ReplayError> {
        let (side, move_) = (game.side(), recorded.move_in(game)?);
        match HalfMoves::of(game, game.legal_moves()).points_of(&move_) {
            Some(points) => points.iter().for_each(|point| self.half_move(side, &vertex(game.board(), *point))),
            None => {
                let to = Some(move_.action().to).filter(|to| game.board().has(*to));
                self.half_move(side, &to.map_or("[]".to_owned(), |to| vertex(game.board(), to)));
                self.property("MOVE", &game.move_text(&move_));
            }
        }
        if let Some((name, value)) = recorded.glyph.map(Glyph::property) {
            self.property(name, value);
        }
        if !recorded.comment.is_empty() {
            self.property("C", &recorded.comment);
        }
        game.play(move_);
        Ok(())
    }
}

fn colour(side: Side) -> char {
    if side == Side::General { 'W' } else { 'B' }
}

/// A point in brackets, as two letters.
fn vertex(board: &Board, point: Point) -> String {
    let name = board.name(point);
    let letter = |place: u8| LETTERS.get(usize::from(place) - 1).copied().map_or('?', char::from);
    format!("[{}{}]", letter(name.file()), letter(board.square() + 1 - name.row()))
}

/// A value between its brackets. Characters that can't be shown are spaces, as SGF reads them.
fn escaped(value: &str) -> String {
    value.chars().fold(String::new(), |mut text, letter| {
        match letter {
            ']' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push(letter),
            letter if is_unsafe(letter) => text.push(' '),
            letter => text.push(letter),
        }
        text
    })
}
