//! What people call the pieces of a game.

use privy_base::message::is_unsafe;

use crate::toml_file::{Entry, FileFault, Key, RuleValue, read_group};

/// The names of the sides, and of one Rebel. They are for people: protocol, positions, moves and records say `general`
/// and `rebels` in every game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The General.
    pub general: String,
    /// The Rebels.
    pub rebels: String,
    /// One of them.
    pub rebel: String,
}

/// A name: a text of few characters, all of which are safe to show.
struct Name;

impl RuleValue for Name {
    type Of = String;

    fn expected() -> String {
        "a text of 1 to 24 characters".to_owned()
    }

    fn read(entry: &Entry, _: &[Key]) -> Result<String, Vec<FileFault>> {
        let is_name =
            |text: &&str| (1..=24).contains(&text.chars().count()) && text.trim() == *text && !text.contains(is_unsafe);
        entry.text().filter(is_name).map(str::to_owned).ok_or_else(|| entry.wrong(Name::expected()))
    }
}

impl RuleValue for Names {
    type Of = Names;

    const KEYS: &[Key] = &[
        Key::optional::<Name>("general", "\"Hare\""),
        Key::optional::<Name>("rebels", "\"Hounds\""),
        // That of all without its last s if left out.
        Key::optional::<Name>("rebel", "\"Hound\""),
    ];

    fn read(entry: &Entry, outer: &[Key]) -> Result<Names, Vec<FileFault>> {
        let table = read_group::<Names>(entry, outer)?;
        let name = |key: &str, other: &str| table.value_of::<Name>(key).unwrap_or_else(|| other.to_owned());
        let rebels = name("rebels", "Rebels");
        // A single letter would leave nothing.
        let one = rebels.strip_suffix('s').filter(|one| !one.is_empty()).unwrap_or(&rebels);
        Ok(Names { general: name("general", "General"), rebel: name("rebel", one), rebels })
    }

    fn write(names: &Names) -> Option<toml::Value> {
        let names = [("general", &names.general), ("rebels", &names.rebels), ("rebel", &names.rebel)];
        let table = names.into_iter().map(|(key, name)| (key.to_owned(), name.as_str().into()));
        Some(toml::Value::Table(table.collect()))
    }
}

impl Default for Names {
    fn default() -> Names {
        let [general, rebels, rebel] = ["General", "Rebels", "Rebel"].map(str::to_owned);
        Names { general, rebels, rebel }
    }
}

fn is_between(letter: char) -> bool {
    !letter.is_alphabetic()
}

impl Names {
    /// A text that speaks of the General, the Rebels and a Rebel, with the names of the game.
    pub fn in_names(&self, text: &str) -> String {
        let mut in_names = String::new();
        // Each with what ends it.
        let mut pieces = text.split_inclusive(is_between).peekable();
        while let Some(piece) = pieces.next() {
            let word = piece.trim_end_matches(is_between);
            let is_before_rebel = pieces.peek().is_some_and(|next| next.trim_end_matches(is_between) == "Rebel");
            let takes_an = is_before_rebel && self.rebel.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']);
            in_names += match word {
                "General" => &self.general,
                "Rebels" => &self.rebels,
                "Rebel" => &self.rebel,
                "a" if takes_an => "an",
                "A" if takes_an => "An",
                word => word,
            };
            in_names += &piece[word.len()..];
        }
        in_names
    }

    /// The same of a text in the words of the protocol: `general to move`. It must hold no ids and keys, which have
    /// these words too.
    pub fn protocol_text_in_names(&self, text: &str) -> String {
        self.in_names(&text.replace("general", "General").replace("rebel", "Rebel"))
    }
}
