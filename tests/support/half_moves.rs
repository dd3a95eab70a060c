//! Half moves as FORMS.md defines them, derived from the texts of moves and independent of the loop under test.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

use privy_engine::Engine;
use privy_protocol::Reply;
use privy_rules::Game;
use privy_rules::board::{Board, Point};
use privy_testing::replies::replies;

use super::random::Random;

/// The points of a move as they are entered.
pub type Sequence = Vec<String>;

/// A point as it is entered: in upper case, and columns without I.
pub fn entered(name: &str) -> String {
    let column = name.as_bytes()[0].to_ascii_uppercase();
    format!("{}{}", char::from(column + u8::from(column >= b'I')), &name[1..])
}

/// The point between two others on a line.
fn between(board: &Board, from: &str, to: &str) -> String {
    let ends = [from, to].map(|name| board.point(name.parse().unwrap()).unwrap());
    let has_ends = |three: &&[Point]| ends.contains(&three[0]) && ends.contains(&three[2]);
    let middle = board.lines.iter().find_map(|line| line.windows(3).find(has_ends)).unwrap()[1];
    board.name(middle).to_string()
}

/// Every sequence that enters a legal move, with the text of the move.
pub fn sequences(position: &Game) -> BTreeMap<Sequence, String> {
    let texts: BTreeSet<String> = position.legal_moves().iter().map(|move_| position.move_text(move_)).collect();
    let general = position.board().has(position.position().general()).then(|| position.position().general());
    let general = general.map(|point| position.board().name(point).to_string());
    let mut sequences = BTreeMap::new();
    let mut add = |points: Vec<&str>, text: &str| {
        let points = points.iter().map(|point| entered(point)).collect();
        assert_eq!(sequences.insert(points, text.to_owned()), None, "{text} in {position}");
    };
    for text in &texts {
        if let Some(point) = text.strip_prefix('@') {
            add(vec![point], text);
        } else if text == "pass" {
            add(vec![general.as_deref().unwrap()], text);
        } else if let Some((at, pair)) = text.split_once(':') {
            let second = 1 + pair[1..].find(|letter: char| letter.is_alphabetic()).unwrap();
            add(vec![at, &pair[..second]], text);
            add(vec![at, &pair[second..]], text);
        } else if let Some((from, to)) = text.split_once('~') {
            if !texts.contains(&format!("{from}-{to}")) {
                add(vec![from, to], text);
            }
        } else if text.contains('x') {
            let stands: Vec<&str> = text.split('x').collect();
            let overs: Vec<String> =
                stands.windows(2).map(|pair| between(position.board(), pair[0], pair[1])).collect();
            let mut points = stands.clone();
            if texts.contains(&format!("{}-{}", stands[0], stands[1])) {
                points[1] = &overs[0];
            }
            // A chain that stops where another continues.
            if texts.iter().any(|other| other.starts_with(&format!("{text}x"))) {
                let (to, over) = (stands[stands.len() - 1], overs[overs.len() - 1].as_str());
                points.push(if points.last() == Some(&over) { to } else { over });
            }
            add(points, text);
        } else {
            add(text.split('-').collect(), text);
        }
    }
    sequences
}

/// The points that may follow each prefix of a sequence, in the order of the board: by row, then by column.
pub fn continuations(sequences: &BTreeMap<Sequence, String>) -> BTreeMap<Sequence, BTreeSet<String>> {
    let mut next: BTreeMap<Sequence, BTreeSet<String>> = BTreeMap::new();
    for points in sequences.keys() {
        for (place, point) in points.iter().enumerate() {
            next.entry(points[..place].to_vec()).or_default().insert(point.clone());
        }
    }
    next
}

/// The colour of a side in commands.
pub fn colour(position: &Game) -> &'static str {
    if position.side() == privy_rules::Side::General { "w" } else { "b" }
}

/// Answers of a half-move loop in this process.
pub fn answers(engine: Engine, lines: &[String]) -> Vec<Reply> {
    let input = Cursor::new(lines.join("\n").into_bytes());
    let mut output = Vec::new();
    privy_gogui::run(engine, input, &mut output, Vec::new()).unwrap();
    replies(&output)
}

/// Positions of a random game, the first one included. Half of the moves are captures if possible, so that games end.
pub fn walk(first: Game, plies: usize, random: &mut Random) -> Vec<Game> {
    let mut game = first;
    let mut walk = vec![game.without_history()];
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let takes: Vec<_> = moves.iter().filter(|move_| !move_.action().captured.is_empty()).cloned().collect();
        let move_ = if !takes.is_empty() && random.one_in(2) { random.choose(&takes) } else { random.choose(&moves) };
        game.play(move_);
        walk.push(game.without_history());
    }
    walk
}
