//! Lines of the input, as faults see them.

/// A line.
pub(super) struct Line {
    pub(super) raw: Vec<u8>,
    pub(super) id: String,
    /// Its text without id, comment and control characters.
    pub(super) request: String,
}

impl Line {
    pub(super) fn new(raw: Vec<u8>) -> Line {
        let text = raw.split(|byte| *byte == b'#').next().unwrap_or_default();
        let text =
            String::from_utf8_lossy(text).replace('\t', " ").replace(|letter: char| letter.is_ascii_control(), "");
        let text = text.trim();
        let (id, request) =
            text.split_at(text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len());
        let (id, request) = if request.is_empty() || request.starts_with(' ') { (id, request) } else { ("", text) };
        let (id, request) = (id.to_owned(), request.trim().to_owned());
        Line { raw, id, request }
    }

    pub(super) fn is(&self, request: &str) -> bool {
        self.request == request
    }

    pub(super) fn begins(&self, text: &str) -> bool {
        self.request.starts_with(text)
    }

    pub(super) fn is_blank(&self) -> bool {
        self.id.is_empty() && self.request.is_empty()
    }

    pub(super) fn number(&self) -> u128 {
        self.id.parse().unwrap_or(0)
    }

    /// The request, if it begins with this text.
    pub(super) fn of(&self, text: &str) -> Option<&str> {
        self.begins(text).then_some(&self.request)
    }

    pub(super) fn has_control(&self) -> bool {
        self.raw.iter().any(|byte| matches!(byte, 0..=8 | 127))
    }

    pub(super) fn has_capital(&self) -> bool {
        self.request.contains(|letter: char| letter.is_ascii_uppercase())
    }

    pub(super) fn has_odd_limit(&self) -> bool {
        let ends = ["depth", "depth three", "depth 0"].iter().any(|end| self.request.ends_with(end));
        self.begins("go ") && (ends || self.request.contains("-1") || self.request.contains("no_such_limit"))
    }

    pub(super) fn has_other_limit_than_time(&self) -> bool {
        let mut limits = ["depth", "nodes", "clock", "infinite", "searchmoves"].iter();
        self.begins("go ") && limits.any(|limit| self.request.contains(limit))
    }

    /// A request that is unknown, if this one is not in a set of commands.
    pub(super) fn unknown_to(&self, set: &[&str]) -> Option<String> {
        let command = self.request.split(' ').next()?;
        let is_name = command.contains(|letter: char| letter.is_ascii_lowercase()) && !self.has_capital();
        (is_name && !set.contains(&command)).then(|| "no_such_command".to_owned())
    }

    pub(super) fn without_last_move(&self) -> Option<String> {
        self.request.contains(" moves ").then(|| self.request.rsplit_once(' ').unwrap().0.to_owned())
    }
}
