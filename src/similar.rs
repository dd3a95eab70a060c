//! "Did you mean …?": of the words that would be right, the one that a wrong one resembles.

use strsim::damerau_levenshtein;

/// The candidate that needs the fewest letters added, left out, changed or swapped with a neighbour (F. J. Damerau, 1964); none when
/// that is more than a third of the word. Case and the choice between `-` and `_` do not count.
pub(crate) fn similar<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// Longer words are no misspelt ids or keys.
    const LONGEST: usize = 80;
    let plain = |text: &str| text.to_lowercase().replace('-', "_");
    let word = plain(word);
    let letters = word.chars().count();
    let allowed = letters.div_ceil(3);
    let scored = candidates.into_iter().map(|candidate| (damerau_levenshtein(&word, &plain(candidate)), candidate));
    let close = |(distance, _): &(usize, &str)| *distance <= allowed;
    let closest = if letters > LONGEST { None } else { scored.filter(close).min_by_key(|(distance, _)| *distance) };
    closest.map(|(_, candidate)| candidate)
}

/// `; did you mean …?` for what resembles a candidate, else nothing.
pub(crate) fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    similar(word, candidates).map_or_else(String::new, |candidate| format!("; did you mean {candidate}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_words_are_recognised_and_others_are_not() {
        let candidates = ["sixteen-rebels", "kings-gonu", "title", "first"];
        let meant = |word| similar(word, candidates);
        assert_eq!(meant("sixten-rebels"), Some("sixteen-rebels"));
        assert_eq!(meant("Sixteen_Rebels"), Some("sixteen-rebels"));
        assert_eq!(meant("king-gonu"), Some("kings-gonu"));
        assert_eq!(meant("titel"), Some("title"));
        assert_eq!(meant("chess"), None);
        assert_eq!(meant(""), None);
        assert_eq!(meant(&"first".repeat(100)), None);
        assert_eq!(did_you_mean("frist", candidates), "; did you mean first?");
        assert_eq!(did_you_mean("colour", candidates), "");
    }
}
