//! What is written is read as the same.

use privy_protocol::Score;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use privy_records::{GameResult, Glyph, Record, RecordedMove, records};

/// Values that try to leave their quotes.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[\"\\\\\\[\\]{}nu \n\r\t]{0,12}",
        Just("\"]\n\n1. c3-b2 *\n\n[Event \"".to_owned()),
        Just("\\u{41}\\".to_owned()),
        Just("打棋 \u{202e}\u{0}\u{7f}\u{85}\u{2028}".to_owned()),
    ]
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

const FORMS: [&str; 6] = ["a1-b2", "c3xe5", "w52xa1xc3", "c5:b5d5", "c3~a1", "c3b2"];

fn recorded_move() -> impl Strategy<Value = RecordedMove> {
    let text = proptest::sample::select(&FORMS[..]).prop_map(|text| text.parse().unwrap());
    let numbers = (option::of(any::<u32>()), option::of(any::<u64>()), option::of(any::<u64>()));
    let said =
        (option::of(proptest::sample::select(&Glyph::ALL[..])), prop_oneof![2 => Just(String::new()), 1 => value()]);
    (text, option::of(score()), numbers, said).prop_map(|(text, score, (depth, time_ms, nodes), (glyph, comment))| {
        RecordedMove { text, score, depth, time_ms, nodes, glyph, comment, variations: Vec::new() }
    })
}

/// Moves, some with variations, of which some have others.
fn line() -> impl Strategy<Value = Vec<RecordedMove>> {
    vec(recorded_move(), 0..20).prop_recursive(3, 60, 4, |inner| {
        let variations = prop_oneof![3 => Just(Vec::new()), 1 => vec(inner, 1..3)];
        vec((recorded_move(), variations), 0..8).prop_map(|line| {
            let with = |(move_, mut variations): (RecordedMove, Vec<Vec<RecordedMove>>)| {
                variations.retain(|one| !one.is_empty());
                variations.iter_mut().flat_map(|one| one.first_mut()).for_each(|first| first.variations.clear());
                RecordedMove { variations, ..move_ }
            };
            line.into_iter().map(with).collect()
        })
    })
}

prop_compose! {
    fn record()(
        texts in vec(value(), 12),
        numbers in (option::of(any::<u32>()), option::of(any::<u64>())),
        result in proptest::sample::select(&GameResult::ALL[..]),
        tags in vec(("[A-Za-z0-9_]{1,9}x", value()), 0..4),
        moves in line(),
    ) -> Record {
        let mut record = Record { move_limit: numbers.0, seed: numbers.1, result, moves, ..Record::default() };
        let fields = [
            &mut record.event, &mut record.site, &mut record.date, &mut record.round, &mut record.general,
            &mut record.rebels, &mut record.variant, &mut record.fingerprint, &mut record.opening,
            &mut record.time_control, &mut record.termination, &mut record.comment,
        ];
        fields.into_iter().zip(texts).for_each(|(field, text)| *field = text);
        for (name, value) in tags {
            if !record.tags.iter().any(|tag| tag.0 == name) {
                record.tags.push((name, value));
            }
        }
        record
    }
}

proptest! {
    #[test]
    fn as_text(all in vec(record(), 0..4)) {
        let text: Vec<String> = all.iter().map(Record::to_string).collect();
        for joint in ["\n", ""] {
            let read: Vec<Record> = records(&text.join(joint)).collect::<Result<_, _>>().unwrap();
            prop_assert_eq!(&read, &all);
        }
        let with_returns = text.join("\n").replace('\n', "\r\n");
        prop_assert_eq!(records(&with_returns).collect::<Result<Vec<_>, _>>().unwrap(), all);
    }

    #[test]
    fn as_lines_of_json(all in vec(record(), 0..4)) {
        let lines: Vec<String> = all.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
        prop_assert!(lines.iter().all(|line| !line.contains('\n')));
        prop_assert_eq!(records(&lines.join("\n")).collect::<Result<Vec<_>, _>>().unwrap(), all);
    }

    #[test]
    fn lines_of_moves_are_short(record in record()) {
        let text = record.to_string();
        let (_, moves) = text.rsplit_once("\n\n").unwrap();
        // A move stands beside its number and before its report, all else in words.
        let is_one = |line: &str| line.matches(". ").count() == 1 || !line.contains(' ');
        prop_assert!(moves.lines().all(|line| line.len() <= 80 || is_one(line)), "{text}");
    }

    #[test]
    fn any_text_is_a_record_or_an_error(text in "([\\[\\]{}()!?$\"\\\\ \n]|Event|Variant|c3-b2|1\\.|\\*|\\+0\\.42/12|15ms|\\PC){0,40}") {
        for record in records(&text).flatten() {
            prop_assert_eq!(record.to_string().parse::<Record>().unwrap(), record);
        }
    }
}

/// Looked up one by one among all before it, these would take minutes.
#[test]
fn hundreds_of_thousands_of_tags_are_read() {
    let mut text = String::from("[Variant \"kings-gonu\"]\n[Result \"*\"]\n");
    (0..300_000).for_each(|number| text += &format!("[Tag{number} \"{number}\"]\n"));
    text += "\n*\n";
    let record: Record = text.parse().unwrap();
    assert_eq!(record.tags.len(), 300_000);
    assert!(record.to_string() == text);
}
