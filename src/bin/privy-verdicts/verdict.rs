//! The contents of a report: figures, grids of figures, and one verdict per claim. All numbers are integers, so that reading a report gives
//! the one that was written.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    Confirmed,
    PartlyConfirmed,
    Refuted,
    NotSolved,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Confirmed => "confirmed",
            Answer::PartlyConfirmed => "partly confirmed",
            Answer::Refuted => "refuted",
            Answer::NotSolved => "not solved",
        })
    }
}

/// One number, or a short text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Quantity {
    Text(String),
    Count(u64),
    Share { part: u64, of: u64 },
    Mean { sum: i64, of: u64 },
}

/// Conversions for cells of a grid.
macro_rules! quantity_from {
    ($($from:ty => $kind:ident),*) => {$(
        impl From<$from> for Quantity {
            fn from(value: $from) -> Quantity {
                Quantity::$kind(value.into())
            }
        }
    )*};
}
quantity_from!(u64 => Count, u32 => Count, String => Text, &str => Text);

pub(super) fn share(part: u64, of: u64) -> Quantity {
    Quantity::Share { part, of }
}

/// A row of a grid, of values that convert to quantities.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::verdict::Quantity::from($cell)),*] };
}
pub(super) use row;

impl Quantity {
    /// The share in per cent, the mean, or the count.
    pub(super) fn number(&self) -> f64 {
        match self {
            Quantity::Text(_) => 0.0,
            Quantity::Count(count) => *count as f64,
            Quantity::Share { of: 0, .. } | Quantity::Mean { of: 0, .. } => 0.0,
            Quantity::Share { part, of } => *part as f64 * 100.0 / *of as f64,
            Quantity::Mean { sum, of } => *sum as f64 / *of as f64,
        }
    }

    /// The text in a grid: of a share only the per cent.
    pub(super) fn short(&self) -> String {
        match self {
            Quantity::Text(text) => text.clone(),
            Quantity::Count(count) => grouped(*count),
            Quantity::Share { of: 0, .. } | Quantity::Mean { of: 0, .. } => "-".to_owned(),
            Quantity::Share { part, of } => per_cent(*part, *of),
            Quantity::Mean { .. } => format!("{:.2}", self.number()),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Share { part, of } if *of > 0 => {
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

pub(super) use privy::cli::grouped;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) value: Quantity,
}

/// Numbers in rows and columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Grid {
    pub(super) title: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<Quantity>>,
}

impl Grid {
    /// A grid without rows; `columns` are their headings with ` | ` between.
    pub(super) fn new(title: &str, columns: &str) -> Grid {
        Grid { title: title.to_owned(), columns: columns.split(" | ").map(str::to_owned).collect(), rows: Vec::new() }
    }
}

/// An entry of `claims.toml`.
#[derive(Deserialize)]
struct Claim {
    number: u8,
    variant: String,
    says: String,
    computation: String,
    measure: Option<String>,
    /// By the answer, or under `any`.
    finding: BTreeMap<String, String>,
}

impl Claim {
    fn of(number: u8) -> Claim {
        let tables: BTreeMap<String, Vec<Claim>> =
            toml::from_str(include_str!("claims.toml")).expect("a built-in file");
        tables.into_values().flatten().find(|claim| claim.number == number).expect("the file has all claims")
    }
}

/// A claim, and the answer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Verdict {
    pub(super) claim: u8,
    pub(super) variant: String,
    /// The claim in our words.
    pub(super) says: String,
    pub(super) computation: String,
    pub(super) answer: Answer,
    pub(super) finding: String,
    /// The measure and its threshold, where these are our choice.
    pub(super) measure: Option<String>,
    pub(super) figures: Vec<Figure>,
    pub(super) grids: Vec<Grid>,
}

impl Verdict {
    /// The verdict on a claim of `claims.toml`, not reached yet.
    pub(super) fn on(claim: u8) -> Verdict {
        let Claim { variant, says, computation, .. } = Claim::of(claim);
        Verdict {
            claim,
            variant,
            says,
            computation,
            answer: Answer::NotSolved,
            finding: String::new(),
            measure: None,
            figures: Vec::new(),
            grids: Vec::new(),
        }
    }

    pub(super) fn figure(&mut self, name: impl Into<String>, value: impl Into<Quantity>) {
        self.figures.push(Figure { name: name.into(), value: value.into() });
    }

    /// Answers the claim; measure and finding are worded as its file has them, with these values for the words in braces.
    pub(super) fn reach(&mut self, answer: Answer, values: &[(&str, &dyn fmt::Display)]) {
        let Claim { measure, finding, .. } = Claim::of(self.claim);
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
