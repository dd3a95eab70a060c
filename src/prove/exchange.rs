//! Results from elsewhere, brought into a store: all of them or none.

use std::path::Path;
use std::sync::Arc;

use crate::rules::Variant;
use crate::search::{PreparedVariant, Stop};

use super::judge::{BadJob, Job, Judge, Judgement};
use super::store::{Store, StoreError};
use super::text::{BadLine, ResultText};

/// What is wrong with a line of results.
#[derive(Debug, thiserror::Error)]
pub enum BadResult {
    /// It is no result.
    #[error(transparent)]
    Line(#[from] BadLine),
    /// It is one that makes no sense.
    #[error(transparent)]
    Job(#[from] BadJob),
    /// It is of another variant.
    #[error("variant: expected {expected}, found \"{found}\"")]
    OtherVariant {
        /// The id of the variant of the store.
        expected: String,
        /// That of the result.
        found: String,
    },
    /// It claims a win that is none.
    #[error("verdict: expected a win that the same search finds here, found \"{0}\"")]
    FalseWin(String),
    /// The judgements that it goes on from are not there.
    #[error("without: expected the moves that the store has judgements of, found others")]
    OutOfOrder,
}

/// Why results were not taken. Nothing was.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A line is wrong.
    #[error("{place}: {source}")]
    Line {
        /// The name of the text and the number of the line.
        place: String,
        /// What is wrong with it.
        source: BadResult,
    },
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stop came.
    #[error("interrupted")]
    Interrupted,
}

/// What has become of results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Imported {
    /// So many are new.
    pub new: usize,
    /// So many were known.
    pub known: usize,
}

/// Results that are to come into the store of a variant.
#[derive(Debug)]
pub struct Import {
    variant: Arc<Variant>,
    /// Looks again for wins.
    judge: Judge,
    results: Vec<(String, Job, Judgement)>,
}

impl Import {
    /// No results.
    #[must_use]
    pub fn new(variant: &Arc<Variant>) -> Import {
        let judge = Judge::new(&Arc::new(PreparedVariant::new(variant)));
        Import { variant: Arc::clone(variant), judge, results: Vec::new() }
    }

    /// Reads the results of a text. Blank lines and those that begin with `#` say nothing. A win is not believed: it is searched for again.
    ///
    /// # Errors
    /// When a line is wrong, or a stop came.
    pub fn read(&mut self, name: &str, text: &str, stop: &Stop) -> Result<(), ImportError> {
        for (at, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("{name}: line {}", at + 1);
            match self.result(line, stop) {
                Ok(Some((job, judgement))) => self.results.push((place, job, judgement)),
                Ok(None) => return Err(ImportError::Interrupted),
                Err(source) => return Err(ImportError::Line { place, source }),
            }
        }
        Ok(())
    }

    /// The result of a line; none when it was stopped.
    fn result(&mut self, line: &str, stop: &Stop) -> Result<Option<(Job, Judgement)>, BadResult> {
        let text: ResultText = line.parse()?;
        if text.job.variant != self.variant.id() {
            let expected = self.variant.id().to_owned();
            return Err(BadResult::OtherVariant { expected, found: text.job.variant });
        }
        let job = Job::from_text(&text.job, Some(&self.variant))?;
        let judgement = job.judgement(&text.judgement)?;
        match self.judge.confirms(&job, &judgement, stop) {
            None => Ok(None),
            Some(true) => Ok(Some((job, judgement))),
            Some(false) => Err(BadResult::FalseWin(text.judgement.to_string())),
        }
    }

    /// Brings the results into a store.
    ///
    /// # Errors
    /// When the store can't be used, or a result does not go on from what is in it.
    pub fn store(mut self, path: &Path) -> Result<Imported, ImportError> {
        let mut store = Store::open(path, &self.variant)?;
        let mut imported = Imported::default();
        // The best move of a position comes before the best one without it.
        self.results.sort_by_key(|(_, job, _)| job.without.len());
        for (place, job, judgement) in self.results {
            let mut known = store.judgements(&job.position, job.nodes)?;
            let judged = job.without.len();
            let goes_on =
                known.len() >= judged && known.iter().zip(&job.without).all(|(known, move_)| known.move_ == *move_);
            match known.get(judged) {
                _ if !goes_on => return Err(ImportError::Line { place, source: BadResult::OutOfOrder }),
                Some(_) => imported.known += 1,
                None => {
                    known.push(judgement);
                    store.keep_until_commit(&job.position, job.nodes, &known);
                    imported.new += 1;
                }
            }
        }
        store.commit()?;
        Ok(imported)
    }
}
