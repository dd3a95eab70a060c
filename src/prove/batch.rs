//! Jobs done for others, one after the other.

use std::fmt;
use std::sync::Arc;

use crate::rules::Variant;
use crate::search::{PreparedVariant, Stop};

use super::judge::{BadJob, Job, Judge};
use super::text::{BadLine, JobText, ResultText};

/// Why a line has no result.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// It is no job.
    #[error(transparent)]
    Line(#[from] BadLine),
    /// The job makes no sense.
    #[error(transparent)]
    Job(#[from] BadJob),
}

/// Does jobs of built-in variants, and of one more.
pub struct Batch {
    given: Option<Arc<Variant>>,
    judge: Option<(Arc<Variant>, Judge)>,
}

impl fmt::Debug for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("given", &self.given.as_ref().map(|variant| variant.id())).finish_non_exhaustive()
    }
}

impl Batch {
    /// Does jobs of built-in variants, and of this one.
    #[must_use]
    pub fn new(given: Option<Arc<Variant>>) -> Batch {
        Batch { given, judge: None }
    }

    /// Does the job of a line. The result depends on nothing but the line.
    ///
    /// # Errors
    /// When the line is no job, or one that can't be done.
    pub fn answer(&mut self, line: &str) -> Result<ResultText, BatchError> {
        let job = Job::from_text(&line.parse::<JobText>()?, self.given.as_ref())?;
        let known = self.judge.take().filter(|(variant, _)| variant.fingerprint() == job.variant.fingerprint());
        let (variant, judge) = self.judge.insert(known.unwrap_or_else(|| {
            let prepared = Arc::new(PreparedVariant::new(&job.variant));
            (Arc::clone(&job.variant), Judge::new(&prepared))
        }));
        // The variant that the judge is prepared for, and not another of the same rules.
        let job = Job { variant: Arc::clone(variant), ..job };
        let judgement = judge.judge(&job, &Stop::default()).expect("the job has moves, and nobody stops it");
        Ok(job.result(&judgement))
    }
}
