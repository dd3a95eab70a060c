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

/// A fault of a text of JSON, in the words of the reader but for the names that the program has for its parts.
pub fn fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split_once("struct ").map_or(text.clone(), |(before, named)| {
        format!("{before}an object{}", named.trim_start_matches(char::is_alphanumeric))
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "read to find faults")]
    struct Switch {
        switch: bool,
    }

    #[test]
    fn faults_have_no_names_of_types() {
        let fault_of = |text| fault(&serde_json::from_str::<Object<Switch>>(text).unwrap_err());
        for (text, expected) in [
            ("{\"switch\":{}}", "invalid type: map, expected a boolean at line 1 column 10"),
            ("{\"switch\":", "EOF while parsing a value at line 1 column 10"),
            ("[1]", "invalid type: sequence, expected an object at line 1 column 0"),
        ] {
            assert_eq!(fault_of(text), expected);
        }
        let named = fault(&serde_json::from_str::<Switch>("7").unwrap_err());
        assert_eq!(named, "invalid type: integer `7`, expected an object at line 1 column 1");
    }
}
