//! The rules of a game in sentences, made of what each rule word says.

use crate::board::PointSet;

use super::rule_set::WORDS;
use super::{Side, Variant};

/// What the rule words say, by the sentence in which it stands.
#[derive(Default)]
pub(super) struct Sentences {
    /// The ways in which the General moves.
    pub(super) general_moves: Vec<String>,
    /// Sentences about captures.
    pub(super) captures: Vec<String>,
    /// The limits of a Rebel's step.
    pub(super) rebel_moves: String,
    /// The ways in which the General wins.
    pub(super) general_wins: Vec<String>,
    /// The ways in which the Rebels win.
    pub(super) rebels_win: Vec<String>,
    /// Sentences about ends by the history of a game.
    pub(super) ends: Vec<String>,
}

impl Sentences {
    pub(super) fn captures_if(&mut self, applies: bool, sentence: &str) {
        if applies {
            self.captures.push(sentence.to_owned());
        }
    }

    /// `a1, b1 or c1`.
    pub(super) fn one_of(&self, game: &Variant, points: PointSet) -> String {
        let names: Vec<String> = game.board().names(points).split(' ').map(str::to_owned).collect();
        list(&names)
    }
}

impl Variant {
    /// The rules in sentences: how the pieces move, what is captured, how the game ends.
    pub fn rules_in_words(&self) -> Vec<String> {
        let mut say = Sentences { rebels_win: vec!["when the General cannot move".to_owned()], ..Sentences::default() };
        for word in WORDS {
            (word.says)(self, &mut say);
        }
        say.general_wins.push("when no Rebel can move".to_owned());
        if say.captures.is_empty() {
            say.captures.push("It takes no Rebels.".to_owned());
        }
        let first = match self.rule_set().first {
            Side::General => "The General moves first.".to_owned(),
            Side::Rebels => "The Rebels move first.".to_owned(),
        };
        let mut sentences = vec![first, format!("The General {}.", list(&say.general_moves))];
        sentences.append(&mut say.captures);
        sentences.push(format!("A Rebel steps along a line to the next point{}.", say.rebel_moves));
        sentences.push(format!("The General wins {}.", list(&say.general_wins)));
        sentences.push(format!("The Rebels win {}.", list(&say.rebels_win)));
        sentences.append(&mut say.ends);
        sentences
    }
}

/// `a, b or c`.
fn list(parts: &[String]) -> String {
    match parts.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} or {end}", rest.join(", ")),
        _ => parts.concat(),
    }
}
