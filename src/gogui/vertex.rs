//! Points as clients of other games write them: upper case, and the column letters skip I.

use privy_protocol::ProtocolError;

use privy_rules::board::{Board, Point, PointName, PointSet};

/// The letter of a file, from 1.
fn letter(file: u8) -> char {
    let skipped = u8::from(file > b'I' - b'A');
    (b'A' - 1 + file + skipped) as char
}

/// Reads the name of a point, in any case. The board may lack it.
pub(super) fn read(text: &str) -> Result<PointName, ProtocolError> {
    let name = || {
        let mut letters = text.chars();
        let column = letters.next()?.to_ascii_uppercase();
        let row = letters.as_str().parse().ok()?;
        let file = (1..=PointName::LAST_FILE as u8 - b'a' + 1).find(|file| letter(*file) == column)?;
        PointName::new(file, row).filter(|_| letters.as_str().bytes().all(|digit| digit.is_ascii_digit()))
    };
    name().ok_or_else(|| {
        let expected = "expected a column letter (without I) and a row number, such as C3";
        ProtocolError::syntax(format!("\"{text}\" is not a point: {expected}"))
    })
}

pub(super) fn text_of(name: PointName) -> String {
    format!("{}{}", letter(name.file()), name.row())
}

pub(super) fn text(board: &Board, point: Point) -> String {
    text_of(board.name(point))
}

/// The texts of points, by row and then column.
pub(super) fn texts(board: &Board, points: PointSet) -> Vec<String> {
    let mut names: Vec<PointName> = (points & board.all()).into_iter().map(|point| board.name(point)).collect();
    names.sort();
    names.into_iter().map(text_of).collect()
}

pub(super) fn sequence(board: &Board, points: &[Point]) -> String {
    points.iter().map(|point| text(board, *point)).collect::<Vec<_>>().join(" ")
}

/// The points of the square around the board that the board lacks: the last column first, each from the top.
pub(super) fn outside(board: &Board) -> Vec<PointName> {
    let column = |file| (1..=board.square()).rev().filter_map(move |row| PointName::new(file, row));
    (1..=board.square()).rev().flat_map(column).filter(|name| board.point(*name).is_none()).collect()
}

/// The square around the board as words, one line per row from the top. `word` gives the word of a point of the square.
pub(super) fn square(board: &Board, word: impl Fn(Option<Point>) -> &'static str) -> String {
    let cell = |file, row| word(PointName::new(file, row).and_then(|name| board.point(name)));
    let row = |row| (1..=board.square()).map(|file| cell(file, row)).collect::<Vec<_>>().join(" ");
    (1..=board.square()).rev().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_there_is_no_i() {
        for file in 1..=23 {
            for row in [1, 9, 10, 52] {
                let name = PointName::new(file, row).unwrap();
                let text = text_of(name);
                assert!(!text.contains('I'));
                assert_eq!(read(&text), Ok(name));
                assert_eq!(read(&text.to_lowercase()), Ok(name));
            }
        }
        assert_eq!(text_of(PointName::new(8, 1).unwrap()), "H1");
        assert_eq!(text_of(PointName::new(9, 1).unwrap()), "J1");
    }

    #[test]
    fn other_words_are_no_points() {
        for text in ["", "C", "3", "C0", "C53", "I3", "Z1", "C+3", "CC3", "C3 ", "é3", "pass"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
