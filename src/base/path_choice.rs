//! `auto`, `off` or a path: the source of tables and weights.

use std::ffi::OsStr;
use std::fmt;
use std::path::PathBuf;

/// The source of tables or weights.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PathChoice {
    /// Tables from the user's cache folder; weights from the file beside the variant, or those fitted to it, or those
    /// of its family.
    #[default]
    Auto,
    /// No tables; the weights of the family.
    Off,
    /// A folder or file.
    Path(PathBuf),
}

impl<T: AsRef<OsStr> + ?Sized> From<&T> for PathChoice {
    fn from(text: &T) -> PathChoice {
        match text.as_ref() {
            text if text == "auto" => PathChoice::Auto,
            text if text == "off" => PathChoice::Off,
            path => PathChoice::Path(PathBuf::from(path)),
        }
    }
}

impl fmt::Display for PathChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathChoice::Auto => f.write_str("auto"),
            PathChoice::Off => f.write_str("off"),
            PathChoice::Path(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_round_trip_as_text() {
        for text in ["auto", "off", "/home/me/my tables", "weights.toml"] {
            assert_eq!(PathChoice::from(text).to_string(), text);
        }
        assert_eq!(PathChoice::from("off"), PathChoice::Off);
        assert_eq!(PathChoice::default(), PathChoice::from("auto"));
    }
}
