//! The contents of a report: figures, grids of figures, and one verdict per claim. All numbers are integers, so that
//! reading a report gives the one that was written.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ClaimAnswer {
    Confirmed,
    PartlyConfirmed,
    NotConfirmed,
    Refuted,
    NotSolved,
}

impl fmt::Display for ClaimAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClaimAnswer::Confirmed => "confirmed",
            ClaimAnswer::PartlyConfirmed => "partly confirmed",
            ClaimAnswer::NotConfirmed => "not confirmed",
            ClaimAnswer::Refuted => "refuted",
            ClaimAnswer::NotSolved => "not solved",
        })
    }
}

/// One number, or a short text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FigureValue {
    Text(String),
    Count(u64),
    Share { part: u64, of: u64 },
    Mean { sum: i64, of: u64 },
}

/// Conversions for cells of a grid.
macro_rules! quantity_from {
    ($($from:ty => $kind:ident),*) => {$(
        impl From<$from> for FigureValue {
            fn from(value: $from) -> FigureValue {
                FigureValue::$kind(value.into())
            }
        }
    )*};
}
quantity_from!(u64 => Count, u32 => Count, String => Text, &str => Text);

pub(super) fn share(part: u64, of: u64) -> FigureValue {
    FigureValue::Share { part, of }
}

/// A row of a grid, of values that convert to quantities.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::verdict::FigureValue::from($cell)),*] };
}
pub(super) use row;

impl FigureValue {
    /// The share in per cent, the mean, or the count.
    pub(super) fn number(&self) -> f64 {
        match self {
            FigureValue::Text(_) => 0.0,
            FigureValue::Count(count) => *count as f64,
            FigureValue::Share { of: 0, .. } | FigureValue::Mean { of: 0, .. } => 0.0,
            FigureValue::Share { part, of } => *part as f64 * 100.0 / *of as f64,
            FigureValue::Mean { sum, of } => *sum as f64 / *of as f64,
        }
    }

    /// The text in a grid: of a share only the per cent.
    pub(super) fn short(&self) -> String {
        match self {
            FigureValue::Text(text) => text.clone(),
            FigureValue::Count(count) => grouped(*count),
            FigureValue::Share { of: 0, .. } | FigureValue::Mean { of: 0, .. } => "-".to_owned(),
            FigureValue::Share { part, of } => per_cent(*part, *of),
            FigureValue::Mean { .. } => format!("{:.2}", self.number()),
        }
    }
}

impl fmt::Display for FigureValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FigureValue::Share { part, of } if *of > 0 => {
                write!(f, "{} ({} of {})", self.short(), grouped(*part), grouped(*of))
            }
            _ => f.write_str(&self.short()),
        }
    }
}

/// Per cent, with enough digits to differ from 0 and 100.
fn per_cent(part: u64, of: u64) -> String {
    let share = part as f64 * 100.0 / of as f64;
    if part == 0 || part == of {
        return format!("{share:.0} %");
    }
    let digits = match share.min(100.0 - share) {
        1.0.. => 1,
        0.01.. => 2,
        0.0001.. => 4,
        _ => 6,
    };
    format!("{share:.digits$} %")
}

pub(super) use privy_program::grouped;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) value: FigureValue,
}

/// Numbers in rows and columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FigureGrid {
    pub(super) title: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<FigureValue>>,
}

impl FigureGrid {
    /// A grid without rows; `columns` are their headings with ` | ` between.
    pub(super) fn new(title: &str, columns: &str) -> FigureGrid {
        FigureGrid {
            title: title.to_owned(),
            columns: columns.split(" | ").map(str::to_owned).collect(),
            rows: Vec::new(),
        }
    }
}

/// `claims.toml`.
#[derive(Deserialize)]
struct ClaimsFile {
    /// By a short name, author, title, year and page.
    sources: BTreeMap<String, String>,
    claim: Vec<ClaimText>,
}

/// A claim of `claims.toml`.
#[derive(Deserialize)]
struct ClaimText {
    number: u8,
    variant: String,
    says: String,
    /// The name of a source; its place is taken by the source, with the claim's words where they are known.
    source: String,
    quote: Option<String>,
    computation: String,
    measure: Option<String>,
    /// By the answer, or under `any`.
    finding: BTreeMap<String, String>,
}

impl ClaimText {
    fn of(number: u8) -> ClaimText {
        let file: ClaimsFile = toml::from_str(include_str!("claims.toml")).expect("a built-in file");
        let mut claim = file.claim.into_iter().find(|claim| claim.number == number).expect("the file has all claims");
        let words = claim.quote.take().map_or("in our words".to_owned(), |quote| format!("\"{quote}\""));
        claim.source = format!("{}: {words}.", file.sources[&claim.source]);
        claim
    }
}

/// A claim, and the answer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ClaimVerdict {
    pub(super) claim: u8,
    pub(super) variant: String,
    /// The claim in our words.
    pub(super) says: String,
    /// Author, title, year and page, and the claim in its own words where they are known.
    pub(super) source: String,
    pub(super) computation: String,
    pub(super) answer: ClaimAnswer,
    pub(super) finding: String,
    /// The measure and its threshold, where these are our choice.
    pub(super) measure: Option<String>,
    pub(super) figures: Vec<Figure>,
    pub(super) grids: Vec<FigureGrid>,
}

impl ClaimVerdict {
    /// The verdict on a claim of `claims.toml`, not reached yet.
    pub(super) fn on(claim: u8) -> ClaimVerdict {
        let ClaimText { variant, says, source, computation, .. } = ClaimText::of(claim);
        ClaimVerdict {
            claim,
            variant,
            says,
            source,
            computation,
            answer: ClaimAnswer::NotSolved,
            finding: String::new(),
            measure: None,
            figures: Vec::new(),
            grids: Vec::new(),
        }
    }

    pub(super) fn figure(&mut self, name: impl Into<String>, value: impl Into<FigureValue>) {
        self.figures.push(Figure { name: name.into(), value: value.into() });
    }

    /// Answers the claim; measure and finding are worded as its file has them, with these values for the words in
    /// braces.
    pub(super) fn reach(&mut self, answer: ClaimAnswer, values: &[(&str, &dyn fmt::Display)]) {
        let ClaimText { measure, finding, .. } = ClaimText::of(self.claim);
        let filled = |text: &str| {
            values
                .iter()
                .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), &value.to_string()))
        };
        let key = answer.to_string().replace(' ', "-");
        let finding = finding.get(&key).or_else(|| finding.get("any")).expect("the file words every answer");
        self.answer = answer;
        self.finding = filled(finding);
        self.measure = measure.as_deref().map(filled);
    }
}
