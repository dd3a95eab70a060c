//! The id of a line, which comes back as it was written.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;

/// A value of JSON in its shortest text: no space between its parts, strings in one spelling, numbers with all their
/// digits.
#[derive(Debug, Clone)]
pub(super) struct LineId(Box<RawValue>);

impl LineId {
    /// The text.
    pub(super) fn text(&self) -> &str {
        self.0.get()
    }

    /// True without an id.
    pub(super) fn is_null(&self) -> bool {
        self.text() == "null"
    }

    /// The id that a text of JSON is.
    fn read(text: &str) -> serde_json::Result<LineId> {
        RawValue::from_string(shortest(text)?).map(LineId)
    }
}

impl Default for LineId {
    fn default() -> LineId {
        LineId(RawValue::NULL.to_owned())
    }
}

impl PartialEq for LineId {
    fn eq(&self, other: &LineId) -> bool {
        self.text() == other.text()
    }
}

impl<'de> Deserialize<'de> for LineId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<LineId, D::Error> {
        LineId::read(Box::<RawValue>::deserialize(deserializer)?.get()).map_err(de::Error::custom)
    }
}

impl Serialize for LineId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The shortest text of a value.
fn shortest(text: &str) -> serde_json::Result<String> {
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = if letter == '"' { string_length(rest) } else { letter.len_utf8() };
        let (part, after) = rest.split_at(length);
        match letter {
            '"' => short += &serde_json::to_string(&serde_json::from_str::<String>(part)?)?,
            letter if letter.is_ascii_whitespace() => {}
            letter => short.push(letter),
        }
        rest = after;
    }
    Ok(short)
}

/// The length of the string that a text begins with.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_their_digits_and_lose_their_spaces() {
        for (text, short) in [
            ("117.63331139400017", "117.63331139400017"),
            (" 1.0 ", "1.0"),
            ("-0", "-0"),
            ("1e400", "1e400"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("[ 1 , \"a b\", { \"k\\u0065y\" : null } ]", "[1,\"a b\",{\"key\":null}]"),
            ("\"\\u00e9\\\\\\\" \"", "\"é\\\\\\\" \""),
        ] {
            assert_eq!(serde_json::from_str::<LineId>(text).unwrap().text(), short);
        }
        let read = |text| serde_json::from_str::<LineId>(text).unwrap();
        assert!(read("1.0") != read("1") && read("[1, 2]") == read("[1,2]") && LineId::default().is_null());
        assert!(serde_json::from_str::<LineId>("\"\\ud800\"").is_err());
    }

    /// Numbers such as a clock gives, and all that a parser may round.
    #[test]
    fn every_number_comes_back_as_it_was_written() {
        let mut random = privy_base::random::Random::new(7);
        for _ in 0..2_000 {
            let (whole, fraction) = (random.below(2_000_000_000), random.below(1_000_000_000_000_000_000));
            for text in [format!("{whole}.{fraction}"), format!("-{whole}.{fraction:018}e{}", fraction % 300)] {
                let json = format!("{{\"id\":{text}}}");
                let read: std::collections::BTreeMap<String, LineId> = serde_json::from_str(&json).unwrap();
                assert_eq!(serde_json::to_string(&read).unwrap(), json);
            }
        }
    }
}
