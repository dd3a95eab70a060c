//! Nouns behind numbers.

/// A noun that counts so many: `Rebel` or `Rebels`, `ply` or `plies`.
pub(crate) fn noun(count: u64, one: &str) -> String {
    match one.strip_suffix('y') {
        _ if count == 1 => one.to_owned(),
        Some(stem) => format!("{stem}ies"),
        None => format!("{one}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::noun;

    #[test]
    fn one_is_one_and_all_else_are_many() {
        let nouns = |count| ["Rebel", "ply"].map(|one| noun(count, one));
        assert_eq!([0, 1, 2].map(nouns), [["Rebels", "plies"], ["Rebel", "ply"], ["Rebels", "plies"]]);
    }
}
