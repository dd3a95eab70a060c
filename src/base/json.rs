//! JSON from outside: objects that are objects, and faults in the words of JSON.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// An object of JSON. A derived structure would also be read from a list of its values.
#[derive(Debug, Clone, Default)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Object)
    }
}

/// A fault of a text of JSON, without the names that the program has for its parts: `expected a list, found "c3-b2" at
/// line 1 column 20`.
pub fn fault(error: &serde_json::Error) -> String {
    in_words(&error.to_string())
}

/// A message of serde, of JSON or TOML, in the same words.
pub fn in_words(message: &str) -> String {
    let (words, place) = message.rfind(" at line ").map_or((message, ""), |place| message.split_at(place));
    let cut = |prefix| words.strip_prefix(prefix).and_then(|rest: &str| rest.rsplit_once(", expected "));
    if let Some((found, expected)) = cut("invalid type: ").or_else(|| cut("invalid value: ")) {
        return format!("expected {}, found {}{place}", expected_word(expected), found_word(found));
    }
    if let Some((found, expected)) = cut("invalid length ") {
        return format!("expected {}, found {found} of them{place}", expected_word(expected));
    }
    match words.strip_prefix("unknown variant ") {
        Some(rest) => format!("unknown word {rest}{place}"),
        None => message.to_owned(),
    }
}

/// What serde calls by the name of a type.
fn expected_word(expected: &str) -> String {
    let most = match expected {
        "u8" => u8::MAX.into(),
        "u16" => u16::MAX.into(),
        "u32" => u32::MAX.into(),
        "u64" | "usize" => u64::MAX,
        _ => 0,
    };
    let kind = expected.split(' ').next().unwrap_or_default();
    match (expected, kind) {
        _ if most > 0 => format!("a whole number from 0 to {most}"),
        ("i8" | "i16" | "i32" | "i64" | "isize", _) => "a whole number".to_owned(),
        ("f32" | "f64", _) => "a number".to_owned(),
        ("a string" | "string" | "str", _) | (_, "enum" | "variant") => "a text".to_owned(),
        ("a boolean", _) => "true or false".to_owned(),
        ("a sequence", _) => "a list".to_owned(),
        ("a map", _) | (_, "struct" | "map") => "an object".to_owned(),
        ("unit", _) => "null".to_owned(),
        _ if expected.contains("tuple") => {
            let digits: String = expected.chars().filter(char::is_ascii_digit).collect();
            if digits.is_empty() { "a list".to_owned() } else { format!("a list of {digits}") }
        }
        _ => expected.to_owned(),
    }
}

/// What was found, as JSON writes it.
fn found_word(found: &str) -> String {
    let kinds = ["integer ", "floating point ", "boolean ", "string ", "character "];
    match found {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        "unit value" | "Option value" => "null".to_owned(),
        _ => kinds.iter().find_map(|kind| found.strip_prefix(kind)).unwrap_or(found).trim_matches('`').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::Deserialize;
    use serde::de::DeserializeOwned;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "read to find faults")]
    struct Keys {
        number: Option<u32>,
        within: Option<Object<Inner>>,
        pair: Option<(String, f64)>,
        word: Option<Word>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read to find faults")]
    struct Inner {
        switch: bool,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        Draw,
    }

    fn fault_of<T: DeserializeOwned + Debug>(text: &str) -> String {
        fault(&serde_json::from_str::<T>(text).unwrap_err())
    }

    #[test]
    fn faults_have_no_names_of_types() {
        for (text, expected) in [
            ("{\"number\":-1}", "expected a whole number from 0 to 4294967295, found -1"),
            ("{\"number\":\"a, expected b\"}", "expected a whole number from 0 to 4294967295, found \"a, expected b\""),
            ("{\"number\":1.5}", "expected a whole number from 0 to 4294967295, found 1.5"),
            ("{\"within\":[true]}", "expected an object, found a list"),
            ("{\"within\":{\"switch\":{}}}", "expected true or false, found an object"),
            ("{\"pair\":[\"a\"]}", "expected a list of 2, found 1 of them"),
            ("{\"pair\":true}", "expected a list of 2, found true"),
            ("{\"pair\":[\"a\",null]}", "expected a number, found null"),
            ("{\"word\":\"lost\"}", "unknown word `lost`, expected `draw`"),
            ("{\"other\":7}", "unknown field `other`, expected one of `number`, `within`, `pair`, `word`"),
        ] {
            let found = fault_of::<Keys>(text);
            assert!(found.starts_with(&format!("{expected} at line 1 column ")), "{text}: {found}");
        }
        assert!(fault_of::<Object<Keys>>("[1]").starts_with("expected an object, found a list"));
        assert!(fault_of::<Object<Keys>>("{\"number\":").starts_with("EOF while parsing"));
    }
}
