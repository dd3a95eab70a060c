//! A whole report, and its forms.

use std::io;

use serde::{Deserialize, Serialize};

use super::overview::VariantFigures;
use super::verdict::Verdict;
use privy::cli::CliError;

use super::{markdown, plot, terminal};

/// Verdicts on claims, and the variants that they are about. It can be written as JSON and read again without loss, so the
/// other forms can be made from its figures alone, without a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct VerdictsReport {
    pub(super) variants: Vec<VariantFigures>,
    pub(super) verdicts: Vec<Verdict>,
}

impl VerdictsReport {
    /// Reads what [`json`](VerdictsReport::json) wrote.
    ///
    /// # Errors
    /// When the text is something else.
    #[cfg(test)]
    pub(crate) fn from_json(text: &str) -> Result<VerdictsReport, CliError> {
        Ok(serde_json::from_str(text).map_err(io::Error::from)?)
    }

    /// All figures.
    ///
    /// # Errors
    /// Never in practice: there is nothing in a report that JSON could not hold.
    pub(crate) fn json(&self) -> Result<String, CliError> {
        let mut text = serde_json::to_string_pretty(self).map_err(io::Error::from)?;
        text.push('\n');
        Ok(text)
    }

    /// For a terminal.
    #[must_use]
    pub(crate) fn text(&self) -> String {
        terminal::text(self)
    }

    /// As Markdown that links the plots.
    #[must_use]
    pub(crate) fn markdown(&self) -> String {
        markdown::markdown(self)
    }

    /// The plots as SVG, with the names of their files.
    #[must_use]
    pub(crate) fn plots(&self) -> Vec<(&'static str, String)> {
        if self.variants.is_empty() {
            return Vec::new();
        }
        vec![
            (plot::SHARES, plot::shares(&self.variants)),
            (plot::MISTAKES, plot::mistakes(&self.variants)),
            (plot::DISTANCES, plot::distances(&self.variants)),
        ]
    }

    /// The numbers of the claims that it decides.
    #[cfg(test)]
    pub(crate) fn claims(&self) -> impl Iterator<Item = u8> {
        self.verdicts.iter().map(|verdict| verdict.claim)
    }
}
