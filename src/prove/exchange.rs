//! Judgements exchanged as text: jobs done for other processes, and their results taken into a store.

use std::path::Path;
use std::sync::Arc;

use crate::rules::Variant;
use crate::search::{PreparedVariant, Stop};

use super::judge::{Job, JobError, Judge, Judgement};
use super::store::{Store, StoreError};
use super::text::{ResultText, parse_job, parse_result};

/// Does jobs of built-in variants and of a given one.
pub(crate) struct Batch {
    given: Option<Arc<Variant>>,
    /// Prepared for the variant of the last job.
    judge: Option<(Arc<Variant>, Judge)>,
}

impl Batch {
    pub(crate) fn new(given: Option<Arc<Variant>>) -> Batch {
        Batch { given, judge: None }
    }

    /// Does the job of a line. The result depends on the line alone.
    pub(crate) fn answer(&mut self, line: &str) -> Result<ResultText, JobError> {
        let job = Job::from_text(&parse_job(line)?, self.given.as_ref())?;
        let known = self.judge.take().filter(|(variant, _)| variant.fingerprint() == job.variant.fingerprint());
        let (variant, judge) = self.judge.insert(known.unwrap_or_else(|| {
            let prepared = Arc::new(PreparedVariant::new(&job.variant));
            (Arc::clone(&job.variant), Judge::new(&prepared))
        }));
        // The variant that the judge is prepared for, and not another of the same rules.
        let job = Job { variant: Arc::clone(variant), ..job };
        let judgement = judge.judge(&job, &Stop::default()).expect("the job has moves, and the stop is never set");
        Ok(job.result(&judgement))
    }
}

/// Why an import failed; the store is unchanged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    /// The place is the name of the text with the number of the line.
    #[error("{place}: {source}")]
    Line { place: String, source: JobError },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("interrupted")]
    Interrupted,
}

/// Takes the results of named texts into the store of a variant, all or none. Blank lines and those that begin with `#` are skipped.
/// Wins are searched for again before they count. Returns the numbers of new and of known results.
pub(crate) fn import(
    variant: &Arc<Variant>,
    texts: &[(String, String)],
    store: &Path,
    stop: &Stop,
) -> Result<(usize, usize), ImportError> {
    let mut judge = Judge::new(&Arc::new(PreparedVariant::new(variant)));
    let mut results = Vec::new();
    for (name, text) in texts {
        for (line, number) in text.lines().zip(1..) {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("{name}: line {number}");
            match read_result(line, variant, &mut judge, stop) {
                Ok(Some((job, judgement))) => results.push((place, job, judgement)),
                Ok(None) => return Err(ImportError::Interrupted),
                Err(source) => return Err(ImportError::Line { place, source }),
            }
        }
    }
    let mut store = Store::open(store, variant)?;
    let (mut new, mut known) = (0, 0);
    // The best move of a position comes before the best one without it.
    results.sort_by_key(|(_, job, _)| job.without.len());
    for (place, job, judgement) in results {
        let mut stored = store.judgements(&job.position, job.nodes)?;
        let moves = stored.iter().map(|judgement| judgement.move_);
        if !moves.take(job.without.len()).eq(job.without.iter().copied()) {
            return Err(ImportError::Line { place, source: JobError::OutOfOrder });
        }
        if stored.len() > job.without.len() {
            known += 1;
        } else {
            stored.push(judgement);
            store.keep_until_commit(&job.position, job.nodes, &stored);
            new += 1;
        }
    }
    store.commit()?;
    Ok((new, known))
}

/// The result of a line; none when it was stopped.
fn read_result(
    line: &str,
    variant: &Arc<Variant>,
    judge: &mut Judge,
    stop: &Stop,
) -> Result<Option<(Job, Judgement)>, JobError> {
    let ResultText(job, text) = parse_result(line)?;
    if job.variant != variant.id() {
        return Err(JobError::OtherVariant { expected: variant.id().to_owned(), found: job.variant });
    }
    let job = Job::from_text(&job, Some(variant))?;
    let judgement = job.judgement(&text)?;
    match judge.confirms(&job, &judgement, stop) {
        None => Ok(None),
        Some(true) => Ok(Some((job, judgement))),
        Some(false) => Err(JobError::FalseWin(text.to_string())),
    }
}
