//! What people call the pieces of a game.

use serde::{Deserialize, Serialize};

use crate::toml_file::{Key, Kind};

/// The names of the sides, and of one Rebel. They are for people: protocol, positions, moves and records say `general` and `rebels` in
/// every game.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "NamesInFile")]
pub struct Names {
    /// The General.
    pub general: String,
    /// The Rebels.
    pub rebels: String,
    /// One of them.
    pub rebel: String,
}

#[derive(Deserialize)]
struct NamesInFile {
    general: Option<String>,
    rebels: Option<String>,
    rebel: Option<String>,
}

pub(super) const NAMES: &[Key] = &[
    Key::optional("general", Kind::Name, "\"Hare\"", "The name of the General."),
    Key::optional("rebels", Kind::Name, "\"Hounds\"", "The name of the Rebels."),
    Key::optional(
        "rebel",
        Kind::Name,
        "\"Hound\"",
        "The name of one of them; that of all without its last s if left out.",
    ),
];

impl From<NamesInFile> for Names {
    fn from(NamesInFile { general, rebels, rebel }: NamesInFile) -> Names {
        let rebels = rebels.unwrap_or_else(|| "Rebels".to_owned());
        // A single letter would leave nothing.
        let one = || rebels.strip_suffix('s').filter(|one| !one.is_empty()).unwrap_or(&rebels).to_owned();
        let rebel = rebel.unwrap_or_else(one);
        Names { general: general.unwrap_or_else(|| "General".to_owned()), rebels, rebel }
    }
}

impl Default for Names {
    fn default() -> Names {
        NamesInFile { general: None, rebels: None, rebel: None }.into()
    }
}

fn is_between(letter: char) -> bool {
    !letter.is_alphabetic()
}

impl Names {
    /// A text that speaks of the General, the Rebels and a Rebel, with the names of the game.
    pub fn told(&self, text: &str) -> String {
        let mut told = String::new();
        // Each with what ends it.
        let mut pieces = text.split_inclusive(is_between).peekable();
        while let Some(piece) = pieces.next() {
            let word = piece.trim_end_matches(is_between);
            let is_before_rebel = pieces.peek().is_some_and(|next| next.trim_end_matches(is_between) == "Rebel");
            let takes_an = is_before_rebel && self.rebel.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']);
            told += match word {
                "General" => &self.general,
                "Rebels" => &self.rebels,
                "Rebel" => &self.rebel,
                "a" if takes_an => "an",
                "A" if takes_an => "An",
                word => word,
            };
            told += &piece[word.len()..];
        }
        told
    }

    /// The same of a text in the words of the protocol: `general to move`. It must hold no ids and keys, which have these words too.
    pub fn told_of_protocol(&self, text: &str) -> String {
        self.told(&text.replace("general", "General").replace("rebel", "Rebel"))
    }
}
