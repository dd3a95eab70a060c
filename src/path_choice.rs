//! `auto`, `off` or a path: where tables and weights are taken from.

use std::fmt;
use std::path::PathBuf;

/// Where something is taken from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum PathChoice {
    /// From where it usually is: tables from the user's cache folder; weights from a file beside the variant, else those fitted to it, else
    /// those of its family.
    #[default]
    Auto,
    /// From nowhere: play without tables, or with the weights of the family, as if nothing had ever been fitted.
    Off,
    /// From this folder or file.
    Path(PathBuf),
}

impl From<&str> for PathChoice {
    fn from(text: &str) -> PathChoice {
        match text {
            "auto" => PathChoice::Auto,
            "off" => PathChoice::Off,
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
    fn what_is_read_is_printed_again() {
        for text in ["auto", "off", "/home/me/my tables", "weights.toml"] {
            assert_eq!(PathChoice::from(text).to_string(), text);
        }
        assert_eq!(PathChoice::from("off"), PathChoice::Off);
        assert_eq!(PathChoice::default(), PathChoice::from("auto"));
    }
}
