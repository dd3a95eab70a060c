//! Jobs and results as lines, for searches by other processes.
//!
//! ```text
//! judge VARIANT FINGERPRINT POSITION nodes N hash MIB [without MOVE…]
//! judge VARIANT FINGERPRINT POSITION nodes N hash MIB [without MOVE…] -> MOVE VERDICT
//! ```
//!
//! POSITION is the first three fields of a position text, VERDICT is `wins PLIES`, `open HUNDREDTHS PLIES` or `fails`. This module checks
//! the syntax only; the rules decide whether a position and its moves are legal.

use std::fmt;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_till};
use nom::character::complete::{i32 as signed, space0, u16 as plies, u64 as number};
use nom::combinator::{all_consuming, map_res, rest, value, verify};
use nom::error::Error;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::message::sanitized;
use crate::rules::MoveText;

/// The first word of a job.
const JUDGE: &str = "judge";
/// The word between a job and its judgement.
const ARROW: &str = "->";
/// The largest transposition table of a job, in MiB.
const MOST_MEBIBYTES: u64 = 65_536;
/// The largest evaluation, in hundredths of a Rebel.
const MOST_HUNDREDTHS: i32 = 100_000;
/// The most characters of a word in an error.
const LONGEST_WORD: usize = 100;

/// A word that does not fit; empty at the end of the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: expected {expected}, found {}", quoted(.found))]
pub(crate) struct BadLine {
    field: &'static str,
    expected: &'static str,
    found: String,
}

fn quoted(word: &str) -> String {
    match word {
        "" => "the end of the line".to_owned(),
        word => format!("\"{}\"", sanitized(word, LONGEST_WORD)),
    }
}

/// How good a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It wins in exactly these plies.
    Wins(u16),
    /// Nothing is proved but that no move wins within some plies. The evaluation is in hundredths of a Rebel.
    Open { hundredths: i32, no_win_within: u16 },
    /// It is proved to lose.
    Fails,
}

/// A move and its verdict; the move need not be legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JudgementText(pub(super) MoveText, pub(super) Verdict);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JobText {
    pub(super) variant: String,
    pub(super) fingerprint: String,
    /// Pieces, side to move and flags.
    pub(super) position: [String; 3],
    pub(super) nodes: u64,
    /// The size of the transposition table.
    pub(super) mebibytes: usize,
    /// Moves judged before, which the search leaves out.
    pub(super) without: Vec<MoveText>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ResultText(pub(super) JobText, pub(super) JudgementText);

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Wins(plies) => write!(f, "wins {plies}"),
            Verdict::Open { hundredths, no_win_within } => write!(f, "open {hundredths} {no_win_within}"),
            Verdict::Fails => f.write_str("fails"),
        }
    }
}

impl fmt::Display for JudgementText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

impl fmt::Display for JobText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JobText { variant, fingerprint, position: [rows, side, flags], nodes, mebibytes, without } = self;
        write!(f, "{JUDGE} {variant} {fingerprint} {rows} {side} {flags} nodes {nodes} hash {mebibytes}")?;
        if !without.is_empty() {
            f.write_str(" without")?;
        }
        without.iter().try_for_each(|move_| write!(f, " {move_}"))
    }
}

impl fmt::Display for ResultText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {ARROW} {}", self.0, self.1)
    }
}

/// The rest of a line.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// The next word; empty at the end.
    fn next(&mut self) -> &'a str {
        let parsed: IResult<&str, &str> =
            preceded(space0, take_till(|letter: char| letter.is_whitespace())).parse(self.0);
        let Ok((left, word)) = parsed else { return "" };
        self.0 = left;
        word
    }

    /// The next word, if it is this one.
    fn skip(&mut self, word: &str) -> bool {
        let mut after = Words(self.0);
        let is_next = after.next() == word;
        if is_next {
            *self = after;
        }
        is_next
    }

    /// The next word as a field.
    fn read<T>(
        &mut self,
        field: &'static str,
        expected: &'static str,
        parser: impl Parser<&'a str, Output = T, Error = Error<&'a str>>,
    ) -> Result<T, BadLine> {
        let word = self.next();
        match all_consuming(parser).parse(word) {
            Ok((_, value)) => Ok(value),
            Err(_) => Err(BadLine { field, expected, found: word.to_owned() }),
        }
    }

    fn keyword(&mut self, field: &'static str, word: &'static str) -> Result<(), BadLine> {
        self.read(field, word, value((), tag(word)))
    }

    fn word(&mut self, field: &'static str, expected: &'static str) -> Result<String, BadLine> {
        let some = verify(rest, |word: &str| !word.is_empty() && word != ARROW);
        self.read(field, expected, some).map(str::to_owned)
    }

    fn move_(&mut self) -> Result<MoveText, BadLine> {
        self.read("move", "a move such as c3-b2", map_res(rest, str::parse::<MoveText>))
    }

    fn job(&mut self) -> Result<JobText, BadLine> {
        self.keyword("job", JUDGE)?;
        let variant = self.word("variant", "the id of a variant")?;
        let fingerprint = self.word("fingerprint", "the fingerprint of the variant")?;
        let position = [
            self.word("position", "rows such as 1/3/rrrrr/r3r/r1G1r/r3r/rrrrr")?,
            self.word("position", "the side to move, g or r")?,
            self.word("position", "flags, or -")?,
        ];
        self.keyword("nodes", "nodes")?;
        let nodes = self.read("nodes", "a number from 1", verify(number, |nodes| *nodes > 0))?;
        self.keyword("hash", "hash")?;
        let size = verify(number, |size| (1..=MOST_MEBIBYTES).contains(size)).map(|size| size as usize);
        let mebibytes = self.read("hash", "MiB from 1 to 65536", size)?;
        let mut without = Vec::new();
        if self.skip("without") {
            without.push(self.move_()?);
            while !self.0.trim().is_empty() && !Words(self.0).skip(ARROW) {
                without.push(self.move_()?);
            }
        }
        Ok(JobText { variant, fingerprint, position, nodes, mebibytes, without })
    }

    fn judgement(&mut self) -> Result<JudgementText, BadLine> {
        const FIELD: &str = "verdict";
        const PLIES: &str = "plies from 0 to 65535";
        let is_evaluation = |hundredths: &i32| (-MOST_HUNDREDTHS..=MOST_HUNDREDTHS).contains(hundredths);
        let move_ = self.move_()?;
        let word = self.read(FIELD, "wins, open or fails", alt((tag("wins"), tag("open"), tag("fails"))))?;
        let verdict = match word {
            "wins" => Verdict::Wins(self.read(FIELD, PLIES, plies)?),
            "open" => Verdict::Open {
                hundredths: self.read(FIELD, "hundredths from -100000 to 100000", verify(signed, is_evaluation))?,
                no_win_within: self.read(FIELD, PLIES, plies)?,
            },
            _ => Verdict::Fails,
        };
        Ok(JudgementText(move_, verdict))
    }

    fn result(&mut self) -> Result<ResultText, BadLine> {
        let job = self.job()?;
        self.keyword("result", ARROW)?;
        Ok(ResultText(job, self.judgement()?))
    }
}

/// Reads a whole line.
fn parse<T>(line: &str, read: impl FnOnce(&mut Words<'_>) -> Result<T, BadLine>) -> Result<T, BadLine> {
    let mut words = Words(line);
    let parsed = read(&mut words)?;
    match words.next() {
        "" => Ok(parsed),
        found => Err(BadLine { field: "line", expected: "its end", found: found.to_owned() }),
    }
}

pub(super) fn parse_job(line: &str) -> Result<JobText, BadLine> {
    parse(line, |words| words.job())
}

pub(super) fn parse_result(line: &str) -> Result<ResultText, BadLine> {
    parse(line, |words| words.result())
}

pub(super) fn parse_judgement(line: &str) -> Result<JudgementText, BadLine> {
    parse(line, |words| words.judgement())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn move_() -> impl Strategy<Value = MoveText> {
        let point = "[a-z][1-9]";
        let two = [("-"), ("x"), ("~"), ("")]
            .map(|mark| (point, point).prop_map(move |(from, to)| format!("{from}{mark}{to}")));
        let pair = (point, point, point).prop_map(|(at, a, b)| format!("{at}:{a}{b}"));
        let [walk, jump, free, ends] = two;
        prop_oneof![walk, jump, free, ends, pair].prop_filter_map("a move", |text| text.parse().ok())
    }

    fn job() -> impl Strategy<Value = JobText> {
        let words = ("[a-z-]{1,9}", "[0-9a-f]{16}", ["[rG1-7/]{1,20}", "[gr]", "-|a|a?[0-9]"]);
        let numbers = (1..u64::MAX, 1..=MOST_MEBIBYTES as usize, proptest::collection::vec(move_(), 0..4));
        (words, numbers).prop_map(|((variant, fingerprint, position), (nodes, mebibytes, without))| JobText {
            variant,
            fingerprint,
            position,
            nodes,
            mebibytes,
            without,
        })
    }

    fn judgement() -> impl Strategy<Value = JudgementText> {
        let open = (-MOST_HUNDREDTHS..=MOST_HUNDREDTHS, any::<u16>())
            .prop_map(|(hundredths, no_win_within)| Verdict::Open { hundredths, no_win_within });
        let verdict = prop_oneof![any::<u16>().prop_map(Verdict::Wins), open, Just(Verdict::Fails)];
        (move_(), verdict).prop_map(|(move_, verdict)| JudgementText(move_, verdict))
    }

    proptest! {
        #[test]
        fn jobs_and_results_round_trip_as_lines(job in job(), judgement in judgement()) {
            prop_assert_eq!(parse_job(&job.to_string()).unwrap(), job.clone());
            prop_assert_eq!(parse_judgement(&judgement.to_string()).unwrap(), judgement.clone());
            let result = ResultText(job, judgement);
            prop_assert_eq!(parse_result(&result.to_string()).unwrap(), result.clone());
            prop_assert!(parse_job(&result.to_string()).is_err());
            prop_assert!(parse_result(&result.0.to_string()).is_err());
        }

        #[test]
        fn every_line_is_a_job_or_an_error(line in "(judge )?[ -~]{0,60}") {
            if let Ok(job) = parse_job(&line) {
                prop_assert_eq!(parse_job(&job.to_string()).unwrap(), job);
            }
        }
    }

    #[test]
    fn errors_name_the_field_and_what_was_expected() {
        let wrong = |line: &str, words: &str| assert_eq!(parse_result(line).unwrap_err().to_string(), words);
        wrong("", "job: expected judge, found the end of the line");
        wrong("error: no", "job: expected judge, found \"error:\"");
        wrong("judge a b c g -", "nodes: expected nodes, found the end of the line");
        wrong("judge a b c g - nodes 0", "nodes: expected a number from 1, found \"0\"");
        wrong("judge a b c g - nodes 9 hash 65537", "hash: expected MiB from 1 to 65536, found \"65537\"");
        let job = "judge a b c g - nodes 9 hash 1";
        wrong(job, "result: expected ->, found the end of the line");
        wrong(&format!("{job} without -> c3-b2 fails"), "move: expected a move such as c3-b2, found \"->\"");
        wrong(&format!("{job} -> c3-b2 loses"), "verdict: expected wins, open or fails, found \"loses\"");
        wrong(&format!("{job} -> c3-b2 wins 65536"), "verdict: expected plies from 0 to 65535, found \"65536\"");
        wrong(&format!("{job} -> c3-b2 fails \u{1b}[2J"), "line: expected its end, found \"\\u{1b}[2J\"");
    }
}
