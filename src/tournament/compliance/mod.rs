//! An examination of an engine: does it keep to the protocol, and where not, what exactly does it do wrong?
//!
//! It is meant for authors of other engines. About eighty [`Step`]s are tried, each with a process of its own, so that one
//! fault does not hide another. A step is a short script of what is sent and what must come: all of them stand in
//! `steps.txt`. Steps about commands that the engine does not have are skipped; what it has must be right. The rules of the
//! games are those of [`rules`](crate::rules).

mod examination;
mod hand_written;
mod report;
mod run;
mod script;
mod step;
mod trial;

pub(crate) use examination::Examination;
pub(crate) use report::Verdict;
pub(crate) use step::{Step, steps};
