//! The faults.

use std::io::{self, BufRead};

use super::line::Line;
use super::{Filter, next_line, pause};

/// An engine with a fault: its name, the steps that find it, and what it does.
pub(super) struct Fault(pub(super) &'static str, pub(super) &'static [&'static str], pub(super) &'static [Effect]);

/// What a fault does. The texts at the beginning of a row choose the requests that begin with them.
pub(super) enum Effect {
    /// Changes answers.
    Changes(&'static str, fn(&str) -> String),
    /// Changes the lines of answers that begin with another text.
    Lines(&'static str, &'static str, fn(&str) -> String),
    /// Replaces a text in answers.
    Puts(&'static str, &'static str, &'static str),
    /// Answers this.
    Gives(&'static str, &'static str),
    /// Answers this in place of a failure.
    Accepts(&'static str, &'static str),
    /// Waits for milliseconds before the answer.
    Delays(&'static str, u64),
    /// Answers this to some lines, which the good engine does not see.
    Says(&'static str, fn(&Line) -> bool),
    /// Asks the good engine something else.
    Asks(fn(&Line) -> Option<String>),
    /// Returns true if the good engine must not see a line.
    Takes(fn(&Filter, &Line) -> bool),
    /// Reads the next line in another way; an empty one is the end.
    Reads(fn(&mut dyn BufRead) -> io::Result<Vec<u8>>),
    /// Writes this before it reads.
    Begins(&'static str),
    /// Does this when the input ends.
    Ends(fn(&Filter)),
}

use Effect::{Accepts, Asks, Begins, Changes, Delays, Ends, Gives, Lines, Puts, Reads, Says, Takes};

pub(super) const DONE: &str = "= \n\n";
const REFUSED: &str = "? syntax error\n\n";
const UNKNOWN: &str = "? unknown command\n\n";
const POSITION_SET: &[&str] = &["name", "variant", "position", "go", "quit"];
const GENMOVE_SET: &[&str] = &["name", "clear_board", "play", "genmove", "quit"];

/// All faults, after engines without one: limits of a search may be ignored or refused, and most commands are missing.
pub(super) static FAULTS: &[Fault] = &[
    Fault("none", &[], &[]),
    Fault("lenient", &[], &[Asks(|line| line.has_odd_limit().then(|| "go nodes 10".to_owned()))]),
    Fault("strict", &[], &[Asks(|line| line.has_other_limit_than_time().then(|| "go no_limit".to_owned()))]),
    Fault(
        "minimal-position",
        &[],
        &[Says(REFUSED, |line| line.is("variant")), Asks(|line| line.unknown_to(POSITION_SET))],
    ),
    Fault("minimal-genmove", &[], &[Asks(|line| line.unknown_to(GENMOVE_SET))]),
    Fault("silent", &["start.answers"], &[Says("", |_| true)]),
    Fault("crashes", &["start.answers"], &[Takes(|engine, _| engine.exits(101))]),
    Fault("banner", &["start.silent"], &[Begins("Faulty engine, version 1\n")]),
    Fault("nameless", &["start.name"], &[Gives("name", DONE)]),
    Fault("minimal", &["start.minimal-set"], &[Gives("list_commands", "= name\nlist_commands\nquit\n\n")]),
    Fault("lists-twice", &["start.list-commands"], &[Puts("list_commands", "= ", "= name\n")]),
    Fault("lists-too-much", &["start.listed-commands-exist"], &[Gives("undo", UNKNOWN)]),
    Fault("unsure", &["start.known-command"], &[Puts("known_command", "= false", "? unknown command")]),
    Fault("version-1", &["start.protocol-version"], &[Puts("protocol_version", "2", "1")]),
    Fault("no-id", &["framing.id"], &[Changes("", without_id)]),
    Fault("no-id-of-failure", &["framing.id-of-failure"], &[Changes("no_such_command", without_id)]),
    Fault("id-wraps", &["framing.largest-id"], &[Takes(Filter::wraps_ids)]),
    Fault("id-alone-ignored", &["framing.id-alone"], &[Says("", |line| line.number() > 0 && line.request.is_empty())]),
    Fault("twice", &["framing.one-answer"], &[Changes("name", |answer| answer.repeat(2))]),
    Fault("empty-line", &["framing.no-empty-line"], &[Changes("", with_empty_line)]),
    Fault("one-at-a-time", &["framing.ahead"], &[Reads(|input| Ok(first_line(&piece(input)?)))]),
    Fault("chunks", &["framing.pieces"], &[Reads(|input| Ok([piece(input)?.trim_ascii(), b"\n"].concat()))]),
    Fault("carriage-return", &["lines.carriage-return"], &[Says(UNKNOWN, |line| line.raw.contains(&b'\r'))]),
    Fault("tab", &["lines.spaces"], &[Says(UNKNOWN, |line| line.raw.contains(&b'\t'))]),
    Fault("control", &["lines.control-characters"], &[Says(UNKNOWN, Line::has_control)]),
    Fault("comment", &["lines.comment"], &[Says(UNKNOWN, |line| line.raw.contains(&b'#') && !line.is_blank())]),
    Fault("blank", &["lines.nothing"], &[Says(DONE, Line::is_blank)]),
    Fault("any-case", &["lines.case"], &[Asks(|line| Some(line.request.to_lowercase()))]),
    Fault("dies-of-bytes", &["lines.encoding"], &[Takes(|engine, line| !line.raw.is_ascii() && engine.exits(1))]),
    Fault("cuts-lines", &["lines.too-long"], &[Takes(Filter::cuts_lines)]),
    Fault("drops-last", &["lines.last"], &[Reads(whole_line)]),
    Fault("talkative", &["errors.unknown-command"], &[Puts("", "unknown command\n", "unknown command: what?\n")]),
    Fault("own-words", &["errors.variant"], &[Puts("variant", "unknown variant", "no such variant")]),
    Fault("half-applied", &["errors.position"], &[Takes(Filter::applies_half)]),
    Fault("illegal-accepted", &["errors.play", "state.illegal-moves"], &[Accepts("play", DONE)]),
    Fault("own-limits", &["errors.go"], &[Puts("go", "syntax error", "bad limit")]),
    Fault("any-side", &["errors.genmove"], &[Accepts("genmove", "= c3-b2\n\n")]),
    Fault("undo-accepted", &["errors.undo"], &[Accepts("undo", DONE)]),
    Fault("any-option", &["errors.option"], &[Gives("set_option", DONE)]),
    Fault("clamps", &["errors.option-range"], &[Accepts("set_option", DONE)]),
    Fault("any-clock", &["errors.clock"], &[Gives("time_", DONE)]),
    Fault("any-size", &["errors.boardsize"], &[Gives("boardsize", DONE)]),
    Fault("wrong-variant", &["state.variant"], &[Gives("variant", "= sixteen-rebels\n\n")]),
    Fault("board-stays", &["state.clear-board"], &[Says(DONE, |line| line.is("clear_board"))]),
    Fault("drops-a-move", &["state.position-moves"], &[Asks(Line::without_last_move)]),
    Fault("unsorted", &["state.position-moves"], &[Changes("legal_moves", backwards)]),
    Fault("no-flags", &["state.position-fen"], &[Asks(|line| Some(with_other_side(line.of("position fen")?)))]),
    Fault("wrong-fen", &["state.fen-round-trip"], &[Changes("fen", with_other_side)]),
    Fault("forgets", &["state.play"], &[Says(DONE, |line| line.begins("play ") && !line.begins("play c"))]),
    Fault("one-form", &["state.move-forms"], &[Says(REFUSED, |line| line.begins("play ") && line.has_capital())]),
    Fault("undo-one", &["state.undo"], &[Asks(|line| Some(line.of("undo ")?[..4].to_owned()))]),
    Fault("no-repetition", &["state.repetition"], &[Puts("status", "draw: repetition", "general to move")]),
    Fault("plays-on", &["state.game-over"], &[Accepts("go nodes", "=\nbestmove c3-b2\n\n")]),
    Fault("illegal-bestmove", &["search.bestmove"], &[Lines("go", "bestmove", |_| "bestmove a1-a1\n".to_owned())]),
    Fault("two-bestmoves", &["search.bestmove"], &[Lines("go", "bestmove", |line| line.repeat(2))]),
    Fault("chats", &["search.lines"], &[Puts("go", "=\n", "=\nthinking hard\n")]),
    Fault("illegal-pv", &["search.pv"], &[Lines("go", "info", |line| line.replace('\n', " a1-a1\n"))]),
    Fault("other-bestmove", &["search.pv-of-best"], &[Takes(Filter::chooses_last)]),
    Fault("capitals", &["search.canonical"], &[Lines("go", "bestmove", with_capitals)]),
    Fault("plays-bestmove", &["search.does-not-play"], &[Takes(Filter::plays_first)]),
    Fault("slow", &["search.time", "search.clock"], &[Delays("go", 1800)]),
    Fault("no-bestmove", &["search.depth", "stop.at-once"], &[Lines("go", "bestmove", |_| String::new())]),
    Fault("never-answers-go", &["search.no-limit"], &[Says("", |line| line.is("go"))]),
    Fault(
        "any-searchmoves",
        &["search.searchmoves"],
        &[Asks(|line| Some(line.request.split_once("searchmoves")?.0.into()))],
    ),
    Fault("out-of-turn", &["search.in-turn"], &[Delays("go", 3000), Says("=32 Privy\n\n", |line| line.number() == 32)]),
    // As deaf as in a game that it does not solve in a moment: a limited search takes its time.
    Fault(
        "deaf",
        &["stop.running", "stop.limited"],
        &[Delays("go time", 5000), Takes(|_, line| line.is("stop") && pause(1500))],
    ),
    Fault("stop-says", &["stop.nothing"], &[Gives("stop", "= stopped\n\n")]),
    Fault("answers-interrupt", &["stop.interrupt"], &[Takes(Filter::answers_interrupt)]),
    Fault("no-genmove-play", &["genmove.plays"], &[Takes(Filter::only_chooses)]),
    Fault(
        "short-sides",
        &["genmove.sides"],
        &[Says(REFUSED, |line| line.begins("genmove ") && line.request.len() > 9)],
    ),
    Fault("late-genmove", &["clock.main-time"], &[Delays("genmove", 1000)]),
    Fault("own-time", &["clock.time-left"], &[Says(DONE, |line| line.begins("time_")), Delays("genmove", 1000)]),
    Fault("no-negative", &["clock.forms"], &[Gives("time_left rebels -", REFUSED)]),
    Fault("illegal-analysis", &["analysis.reports"], &[Puts("analyze", "info move ", "info move a1-a1 ")]),
    Fault("endless-analysis", &["analysis.any-line"], &[Takes(Filter::analyses_on)]),
    Fault(
        "quits-badly",
        &["end.quit"],
        &[Takes(|engine, line| line.is("quit") && engine.done(line) && engine.exits(3))],
    ),
    Fault("stays", &["end.quit"], &[Takes(|engine, line| line.is("quit") && engine.done(line))]),
    Fault("goes-on", &["end.behind-quit"], &[Takes(Filter::goes_on)]),
    Fault("lingers", &["end.input"], &[Ends(|_| _ = pause(60_000))]),
    Fault(
        "drops-what-waits",
        &["end.input-ahead", "end.input-searching"],
        &[Delays("name", 300), Delays("go", 3000), Ends(|engine| _ = engine.exits(0))],
    ),
    Fault("deaf-to-quit", &["end.quit-searching"], &[Says("", |line| line.is("quit"))]),
];

/// A line, or an end in place of one without a line feed.
fn whole_line(input: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    next_line(input).map(|line| if line.ends_with(b"\n") { line } else { Vec::new() })
}

/// What the input has at this moment.
fn piece(input: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let piece = input.fill_buf()?.to_vec();
    input.consume(piece.len());
    if piece.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(piece) }
}

fn first_line(piece: &[u8]) -> Vec<u8> {
    [piece.split(|byte| *byte == b'\n').next().unwrap_or_default(), b"\n"].concat()
}

fn without_id(answer: &str) -> String {
    let text = answer[1..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    answer[..1].to_owned() + text
}

fn with_empty_line(answer: &str) -> String {
    if answer.lines().count() > 2 { answer.replacen('\n', "\n\n", 1) } else { answer.to_owned() }
}

fn with_capitals(line: &str) -> String {
    line.to_uppercase().replace("BESTMOVE", "bestmove")
}

fn with_other_side(text: &str) -> String {
    text.replace(" g ", " x ").replace(" r ", " g ").replace(" x ", " r ")
}

fn backwards(answer: &str) -> String {
    let moves: Vec<&str> = answer[1..].split_whitespace().rev().collect();
    format!("= {}\n\n", moves.join(" "))
}
