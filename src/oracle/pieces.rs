//! The pieces of an opening or a position, FORMATS §1.

use std::collections::BTreeSet;

use crate::board::{NaiveBoard, PointIndex};

/// The General (`None` in hand), the Rebels on the board, and the number of Rebels in hand.
type NaivePieces = (Option<PointIndex>, BTreeSet<PointIndex>, usize);

/// The pieces of rows from the top, after which a hand may follow.
pub(crate) fn read_pieces(board: &NaiveBoard, field: &str) -> Result<NaivePieces, String> {
    let rows = board.rows_from_top();
    let (field, hand) = field.split_once('[').map_or((field, None), |(rows, hand)| (rows, Some(hand)));
    let (general_in_hand, rebels_in_hand) = hand.map_or(Ok((false, 0)), read_hand)?;
    let texts: Vec<&str> = field.split('/').collect();
    if texts.len() != rows.len() {
        return Err(format!("{} rows expected, {} found", rows.len(), texts.len()));
    }
    let (mut generals, mut rebels) = (Vec::new(), BTreeSet::new());
    for (row, text) in rows.iter().zip(texts) {
        let items = items(text, row.len()).ok_or_else(|| format!("row {text} does not add up to {}", row.len()))?;
        let mut file = 0;
        for item in items {
            match item {
                RowSign::General => generals.push(row[file]),
                RowSign::Rebel => {
                    rebels.insert(row[file]);
                }
                RowSign::Empty(run) => file += run - 1,
            }
            file += 1;
        }
    }
    match (generals.as_slice(), general_in_hand) {
        ([general], false) => Ok((Some(*general), rebels, rebels_in_hand)),
        ([], true) => Ok((None, rebels, rebels_in_hand)),
        _ => Err(format!("one General expected, {} found", generals.len() + usize::from(general_in_hand))),
    }
}

/// The hand after its opening bracket: the General or not, the number of Rebels.
fn read_hand(text: &str) -> Result<(bool, usize), String> {
    let fault = || format!("hand [G], [r8] or [Gr8] expected, [{text} found");
    let inside = text.strip_suffix(']').filter(|inside| !inside.is_empty()).ok_or_else(fault)?;
    let (general, rest) = inside.strip_prefix('G').map_or((false, inside), |rest| (true, rest));
    if rest.is_empty() {
        return Ok((general, 0));
    }
    let rebels =
        rest.strip_prefix('r').and_then(|number| number.parse().ok()).filter(|number| (1..64).contains(number));
    Ok((general, rebels.ok_or_else(fault)?))
}

enum RowSign {
    General,
    Rebel,
    Empty(usize),
}

/// The signs of a row of `length` points. Several digits are one number if the row adds up so, else a number each.
fn items(text: &str, length: usize) -> Option<Vec<RowSign>> {
    let read = |joins: bool| {
        let (mut items, mut sum, mut rest) = (Vec::new(), 0, text);
        while let Some(sign) = rest.chars().next() {
            let digits = rest.chars().take_while(char::is_ascii_digit).count();
            let used = if joins { digits.max(1) } else { 1 };
            let item = match sign {
                'G' => RowSign::General,
                'r' => RowSign::Rebel,
                _ => RowSign::Empty(rest.get(..used)?.parse().ok().filter(|run| (1..=length).contains(run))?),
            };
            sum += if let RowSign::Empty(run) = item { run } else { 1 };
            items.push(item);
            rest = rest.get(used..)?;
        }
        (sum == length).then_some(items)
    };
    read(true).or_else(|| read(false))
}
