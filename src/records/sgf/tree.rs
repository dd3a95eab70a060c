//! Game trees: nodes with their properties, as they stand in the text.

use privy_protocol::Side;
use privy_rules::board::PointName;

use crate::reader::{RecordError, is_blank};

/// A node of a game tree.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// Names and values of all properties except the half move, in their order.
    pub(super) properties: Vec<(String, String)>,
    /// Side and point, `None` for a pass.
    pub(super) half_move: Option<(Side, Option<String>)>,
    /// The half moves up to this node, passes counted.
    pub(super) number: usize,
    /// The places of the nodes that follow; the first one continues the line.
    pub(super) next: Vec<usize>,
}

impl Node {
    pub(super) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.properties.iter().filter(move |(property, _)| property == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn value<'a>(&'a self, name: &'a str) -> &'a str {
        self.values(name).next().unwrap_or_default()
    }

    fn add(&mut self, name: String, values: Vec<String>) -> Result<(), &'static str> {
        match name.as_str() {
            // GoGui writes it at every half move.
            "PL" if self.number > 0 => {}
            "AB" | "AW" | "AE" if self.number > 0 => return Err("expected set-up stones before the first half move"),
            _ => self.properties.extend(values.into_iter().map(|value| (name.clone(), value))),
        }
        Ok(())
    }
}

/// A game tree: its nodes, the root first.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The place of the node that is being read.
    at: usize,
}

impl Tree {
    /// Adds a node after the one at hand.
    fn begin_node(&mut self, half_move: Option<(Side, Option<String>)>) {
        let place = self.nodes.len();
        let mut number = usize::from(half_move.is_some());
        if let Some(before) = self.nodes.get_mut(self.at) {
            before.next.push(place);
            number += before.number;
        }
        self.nodes.push(Node { half_move, number, ..Node::default() });
        self.at = place;
    }

    fn add(&mut self, name: String, values: Vec<String>) -> Result<(), &'static str> {
        let side = match name.as_str() {
            "W" => Side::General,
            "B" => Side::Rebels,
            _ => return self.nodes.get_mut(self.at).map_or(Ok(()), |node| node.add(name, values)),
        };
        let point = values.into_iter().next().filter(|text| !text.is_empty() && text != "tt");
        let half_move = Some((side, point));
        match self.nodes.get_mut(self.at).filter(|node| node.half_move.is_none()) {
            // What is said of the game stays at the root.
            Some(node) if self.at > 0 => (node.half_move, node.number) = (half_move, node.number + 1),
            _ => self.begin_node(half_move),
        }
        Ok(())
    }
}

/// Reads a game tree up to the bracket that closes the first one. An error has its place in the text.
fn game_tree(text: &str) -> Result<(Tree, &str), (&str, &'static str)> {
    let mut tree = Tree::default();
    // The nodes before the brackets that are open.
    let mut open: Vec<usize> = Vec::new();
    let (mut is_begun, mut rest) = (false, text);
    loop {
        rest = rest.trim_start();
        let mut letters = rest.chars();
        match letters.next() {
            Some('(') => {
                open.push(tree.at);
                (is_begun, rest) = (false, letters.as_str());
            }
            Some(')') if !open.is_empty() => {
                tree.at = open.pop().unwrap_or_default();
                (is_begun, rest) = (true, letters.as_str());
                if open.is_empty() {
                    return Ok((tree, rest));
                }
            }
            Some(';') if !open.is_empty() => {
                tree.begin_node(None);
                (is_begun, rest) = (true, letters.as_str());
            }
            Some(letter) if !open.is_empty() && letter.is_ascii_alphabetic() => {
                let (name, values, behind) = property(rest)?;
                if !is_begun {
                    tree.begin_node(None);
                    is_begun = true;
                }
                tree.add(name, values).map_err(|reason| (rest, reason))?;
                rest = behind;
            }
            Some(_) if !open.is_empty() => return Err((rest, "expected ( ) ; or a property such as W[ce]")),
            Some(_) => return Err((rest, "expected a game tree, which begins with (")),
            None => return Err((rest, "expected ) at the end of the game")),
        }
    }
}

/// Reads the game trees of a file up to the first error, each with the number of its line.
pub(super) fn trees(text: &str) -> Vec<Result<(usize, Tree), RecordError>> {
    let mut trees = Vec::new();
    let mut rest = text.trim_start_matches(is_blank);
    while !rest.is_empty() {
        let at = |rest: &str| 1 + text[..text.len() - rest.len()].matches('\n').count();
        match game_tree(rest) {
            Ok((tree, behind)) => {
                trees.push(Ok((at(rest), tree)));
                rest = behind.trim_start_matches(is_blank);
            }
            Err((place, reason)) => {
                trees.push(Err(RecordError { line: at(place), fault: format!("SGF: {reason}") }));
                break;
            }
        }
    }
    trees
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
                // A line feed after a backslash, in any of its forms, is none.
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
        Err((text, "expected a value in brackets after the property"))
    } else {
        // Older versions of SGF ignore small letters: `White` is `W`.
        let capitals: String = name.chars().filter(char::is_ascii_uppercase).collect();
        Ok((if capitals.is_empty() { name.to_ascii_uppercase() } else { capitals }, values, rest))
    }
}

/// The letters of columns and rows, in their order.
pub(super) const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The point of two letters: the column from the left and the row from the top of the square.
pub(super) fn point(text: &str, square: u8) -> Option<PointName> {
    let [column, row] = text.as_bytes() else { return None };
    let place = |letter: u8| Some(LETTERS.iter().position(|known| *known == letter)? as u8 + 1);
    PointName::new(place(*column)?, (square + 1).checked_sub(place(*row)?)?)
}

/// The points of two letters, or of a rectangle by two of its corners: `aa:cc`.
pub(super) fn rectangle(text: &str, square: u8) -> Option<Vec<PointName>> {
    let (first, last) = text.split_once(':').unwrap_or((text, text));
    let (first, last) = (point(first, square)?, point(last, square)?);
    let between = |one: u8, other: u8| one.min(other)..=one.max(other);
    let files = between(first.file(), last.file());
    files.flat_map(|file| between(first.row(), last.row()).map(move |row| PointName::new(file, row))).collect()
}
