//! Properties: what is written reads back, and nothing that can arrive does harm.
#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::io::{self, Cursor};
use std::time::Duration;

use privy_protocol::clock::{LONGEST_TIME, seconds};
use privy_protocol::{
    Bound, Client, ClientError, Clock, Command, ErrorCode, GoArguments, InputLine, Limits, LineAssembler, LineReader,
    ProtocolError, Reply, ReplyWriter, Score, SearchInfo, SearchLine, Side, Stop, TimeControl, Verdict,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// A word that a line can carry.
fn word() -> impl Strategy<Value = String> {
    "[!-\"$-~äß♞]{1,12}"
}

/// A move: a word that is no keyword and no side.
fn movement() -> impl Strategy<Value = String> {
    "[a-g][1-7]([-x~][a-g][1-7]){1,3}"
}

/// The rest of a line.
fn rest() -> impl Strategy<Value = String> {
    "[!-\"$-~ä]([ -\"$-~ä]{0,20}[!-\"$-~ä])?"
}

fn side() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::General), Just(Side::Rebels)]
}

fn time() -> impl Strategy<Value = Duration> {
    (0..=LONGEST_TIME.as_secs() * 1000).prop_map(Duration::from_millis)
}

fn limits() -> impl Strategy<Value = GoArguments> {
    let clock = (time(), time(), option::of(1..=u32::MAX)).prop_map(|(remaining, increment, moves)| Clock {
        remaining,
        increment,
        moves,
    });
    let limits = (option::of(clock), option::of(time()), option::of(1..=u64::MAX), option::of(1..=u32::MAX))
        .prop_map(|(clock, time, nodes, depth)| Limits { clock, time, nodes, depth });
    (limits, any::<bool>(), vec(movement(), 0..4)).prop_map(|(limits, infinite, search_moves)| GoArguments {
        limits,
        infinite,
        search_moves,
    })
}

/// The requests that clients write: name and arguments, and what they mean.
fn request() -> impl Strategy<Value = (String, Command)> {
    prop_oneof![
        limits().prop_map(|limits| (format!("go {}", crate::go_text(&limits)), Command::Go(limits))),
        (side(), time(), option::of(1..=u32::MAX)).prop_map(|(side, remaining, moves)| {
            let left = Clock { remaining, moves, ..Clock::default() };
            (format!("time_left {}", left.time_left(side)), Command::SetTimeLeft((side, left)))
        }),
        (time(), time(), any::<u32>()).prop_map(|(main, period, moves)| {
            let control = TimeControl::Canadian { main, period, moves }.simplified();
            (format!("time_settings {} {} {moves}", seconds(main), seconds(period)), Command::SetTimeControl(control))
        }),
    ]
}

fn id() -> impl Strategy<Value = Option<u32>> {
    option::of(0..=privy_protocol::grammar::LARGEST_ID)
}

fn score() -> impl Strategy<Value = Score> {
    prop_oneof![
        any::<i32>().prop_map(Score::Evaluation),
        any::<u32>().prop_map(Score::Win),
        any::<u32>().prop_map(Score::Loss),
        any::<u32>().prop_map(Score::UnprovedWin),
        any::<u32>().prop_map(Score::UnprovedLoss),
        Just(Score::RepetitionWin),
        Just(Score::RepetitionLoss),
        Just(Score::Draw),
    ]
}

fn info() -> impl Strategy<Value = SearchInfo> {
    let small = (any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>());
    let large = (any::<u64>(), any::<u64>(), time());
    let bound = option::of(prop_oneof![Just(Bound::Upper), Just(Bound::Lower)]);
    let winrate = option::of((0..=10_000_u32).prop_map(|share| f64::from(share) / 10_000.0));
    (small, large, score(), bound, winrate, vec(movement(), 0..6)).prop_map(
        |(small, large, score, bound, winrate, pv)| SearchInfo {
            depth: small.0,
            seldepth: small.1,
            proven_depth: 0,
            multipv: small.2 as usize,
            hashfull: small.3,
            nodes: large.0,
            tbhits: large.1,
            time: large.2,
            verdict: Verdict { score, bound },
            winrate,
            is_cut: small.0 % 2 == 0,
            pv,
        },
    )
}

/// Lines that are almost commands: words of the protocol in any order, with junk between.
fn near_miss() -> impl Strategy<Value = String> {
    let names: Vec<&str> = Command::names().collect();
    let argument = prop_oneof![
        prop::sample::select(vec![
            "startpos",
            "fen",
            "moves",
            "time",
            "depth",
            "nodes",
            "clock",
            "inc",
            "infinite",
            "searchmoves",
            "verbose",
            "g",
            "b",
            "general",
            "none",
            "fischer",
            "canadian",
            "byoyomi",
            "0",
            "-1",
            "1",
            "1.5",
            "99999999999999999999",
            "c3-b2",
            "c3",
            "#",
            "nan",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    (id(), prop::sample::select(names), vec(argument, 0..6)).prop_map(|(id, name, arguments)| {
        let id = id.map(|id| format!("{id} ")).unwrap_or_default();
        format!("{id}{name} {}", arguments.join(" "))
    })
}

type Answer = (Option<u32>, Result<String, ProtocolError>);

/// The answer that a line gets from a shell that grants everything.
fn answer(line: InputLine) -> Option<Answer> {
    let read = match line {
        InputLine::Blank | InputLine::Interrupt => return None,
        InputLine::Rejected(rejection) => Err(rejection),
        InputLine::Command(line) => Command::read(&line),
    };
    Some(match read {
        Ok((id, request)) => (id, Ok(format!("{request:?}"))),
        Err(rejection) => (rejection.id, Err(rejection.error)),
    })
}

/// The same as it is written, and as a client should read it.
fn written((id, answer): Answer) -> (Vec<u8>, Reply) {
    let mut output = Vec::new();
    let text = answer.as_ref().map_or_else(ToString::to_string, Clone::clone);
    let reply = Reply::new(id, answer.is_ok(), &text);
    ReplyWriter::new(&mut output, id, Stop::default()).close(answer).unwrap();
    (output, reply)
}

const PATIENCE: Duration = Duration::from_secs(60);

/// A client of an engine with this output.
fn client_of(output: &[u8]) -> Client {
    Client::from_pipes(Cursor::new(output.to_vec()), io::sink()).unwrap()
}

/// The answers in an output, which ends with one.
fn read_replies(output: &[u8]) -> Vec<Reply> {
    let (mut client, mut replies) = (client_of(output), Vec::new());
    loop {
        client.send_bytes(b"", 1).unwrap();
        match client.receive(PATIENCE) {
            Ok(reply) => replies.push(reply),
            Err(ClientError::Exited { .. }) if !client.is_answering() => return replies,
            Err(error) => panic!("{error}"),
        }
    }
}

/// The lines of some bytes, the answers to them, and what a client reads of these answers.
fn conversation(bytes: &[u8]) -> (Vec<InputLine>, Vec<Reply>, Vec<Reply>) {
    let lines: Vec<InputLine> = LineReader::new(bytes).map(Result::unwrap).collect();
    let answers = lines.iter().cloned().filter_map(answer).map(written);
    let (outputs, replies): (Vec<Vec<u8>>, Vec<Reply>) = answers.unzip();
    (lines, replies, read_replies(&outputs.concat()))
}

proptest! {
    #[test]
    fn requests_read_back(id in id(), (written, request) in request()) {
        let line = id.map(|id| format!("{id} ")).unwrap_or_default() + &written;
        let InputLine::Command(raw) = LineReader::new(line.as_bytes()).next().unwrap().unwrap() else {
            panic!("{line}");
        };
        prop_assert_eq!(Command::read(&raw), Ok((id, request.clone())), "{}", line);
        let (name, arguments) = written.split_once(' ').unwrap();
        prop_assert_eq!(Command::parse(name, arguments), Ok(request));
    }

    #[test]
    fn replies_read_back(id in id(), lines in vec(rest(), 0..5), detail in rest(), phrase in 0..ErrorCode::ALL.len()) {
        let error = ProtocolError::new(ErrorCode::ALL[phrase], detail);
        prop_assert_eq!(ErrorCode::of(&error.to_string()), Some(error.code()));
        for answer in [Ok(lines.join("\n")), Err(error)] {
            let (output, reply) = written((id, answer));
            prop_assert_eq!(read_replies(&output), [reply]);
        }
    }

    #[test]
    fn any_text_makes_one_reply(id in id(), text in any::<String>()) {
        let (output, reply) = written((id, Ok(text)));
        prop_assert!(output.ends_with(b"\n\n"));
        let text = String::from_utf8(output.clone()).unwrap();
        prop_assert!(!text.trim_end_matches('\n').contains("\n\n"));
        prop_assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'));
        prop_assert_eq!(read_replies(&output), [reply]);
    }

    #[test]
    fn search_lines_read_back(info in info(), best in movement()) {
        for line in [SearchLine::Info(info), SearchLine::BestMove(best)] {
            prop_assert_eq!(line.to_string().parse(), Ok(line));
        }
    }

    #[test]
    fn scores_read_back(score in score()) {
        prop_assert_eq!(score.to_string().parse(), Ok(score));
    }

    #[test]
    fn any_bytes_get_at_most_one_answer_a_line(bytes in vec(prop_oneof![any::<u8>(), Just(b'\n'), 0x20..0x7f_u8], 0..400)) {
        let feeds = bytes.iter().filter(|byte| **byte == b'\n').count();
        let unfinished = usize::from(bytes.last().is_some_and(|byte| *byte != b'\n'));
        let (lines, replies, read) = conversation(&bytes);
        prop_assert_eq!(lines.len(), feeds + unfinished);
        prop_assert!(replies.len() <= lines.len());
        prop_assert_eq!(read, replies);
    }

    #[test]
    fn near_misses_get_one_answer_each(lines in vec(near_miss(), 1..5)) {
        let (_, replies, read) = conversation(lines.join("\n").as_bytes());
        prop_assert_eq!(read, replies);
    }

    #[test]
    fn pieces_do_not_matter(bytes in vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'#')], 0..200), size in 1..20_usize) {
        let mut assembler = LineAssembler::default();
        let mut found = Vec::new();
        for piece in bytes.chunks(size) {
            let mut left = piece;
            loop {
                let (line, behind) = assembler.feed(left);
                left = behind;
                match line {
                    Some(line) => found.push(line),
                    None => break,
                }
            }
            prop_assert!(left.is_empty());
        }
        found.extend(assembler.finish());
        let read: Vec<_> = LineReader::new(bytes.as_slice()).map(Result::unwrap).collect();
        prop_assert_eq!(found, read);
    }

    #[test]
    fn replies_of_any_bytes_are_read_without_panic(bytes in vec(prop_oneof![any::<u8>(), Just(b'\n'), Just(b'='), Just(b'?')], 0..200)) {
        let mut client = client_of(&bytes);
        while let Ok(reply) = client.send_bytes(b"", 1).and_then(|()| client.receive(PATIENCE)) {
            prop_assert!(reply.text().lines().all(|line| !line.trim().is_empty()));
        }
    }

    #[test]
    fn search_lines_of_any_text_are_read_without_panic(text in any::<String>(), tail in vec(word(), 0..8)) {
        let _ = text.parse::<SearchLine>();
        let _ = format!("info {}", tail.join(" ")).parse::<SearchLine>();
        let _ = text.parse::<Score>();
    }
}
