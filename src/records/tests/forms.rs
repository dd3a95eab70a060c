//! The forms of the text, and errors in others.

use privy_protocol::Score;

use privy_records::{GameResult, Glyph, Record, RecordedMove, records};
use privy_rules::MoveText;

fn error(text: &str) -> String {
    text.parse::<Record>().unwrap_err().to_string()
}

#[test]
fn a_record_is_written_in_one_way() {
    let mut moves = vec![RecordedMove::from("c3-b2".parse::<MoveText>().unwrap()); 5];
    moves[0].score = Some(Score::Loss(27));
    moves[0].depth = Some(12);
    moves[0].time_ms = Some(15);
    moves[0].nodes = Some(5120);
    moves[1].depth = Some(3);
    moves[2].score = Some(Score::Draw);
    moves[3].time_ms = Some(0);
    let record = Record {
        event: "a \"cup\"\nof \\ tea\u{7}".to_owned(),
        variant: "sixteen-rebels".to_owned(),
        move_limit: Some(300),
        result: GameResult::Draw,
        tags: vec![("Annotator".to_owned(), "Li".to_owned()), ("Board_2".to_owned(), String::new())],
        moves,
        ..Record::default()
    };
    let expected = "\
[Event \"a \\\"cup\\\"\\nof \\\\ tea\\u{7}\"]
[Variant \"sixteen-rebels\"]
[MoveLimit \"300\"]
[Result \"draw\"]
[Annotator \"Li\"]
[Board_2 \"\"]

1. c3-b2 {-W27/12 15ms 5120n} 2. c3-b2 {/3} 3. c3-b2 {=} 4. c3-b2 {0ms} 5. c3-b2
draw
";
    assert_eq!(record.to_string(), expected);
    let json = serde_json::to_string(&record).unwrap();
    let first = r#""moves":[{"move":"c3-b2","score":"-W27","depth":12,"time":15,"nodes":5120},"#;
    assert!(json.contains(first) && json.contains(r#""tags":[["Annotator","Li"],["Board_2",""]]"#), "{json}");
}

/// Tags in any order, with spaces, numbers or none, words of a comment in any order, lines broken anywhere.
#[test]
fn a_record_is_read_in_free_form() {
    let free = "  [ Seed  \"7\" ]\r\n[Variant \"kings-gonu\"]\n\n c3-b2{5n\n/4 \t 3ms}2.c3-b2\n\n{}3.\nC3XE5 rebels";
    let strict = "[Variant \"kings-gonu\"]\n[Seed \"7\"]\n[Result \"rebels\"]\n\n1. c3-b2 {/4 3ms 5n} 2. c3-b2 3. c3xe5 rebels\n";
    assert_eq!(free.parse::<Record>().unwrap().to_string(), strict);
}

/// What people write: comments of several lines, in several pieces and beside a report, signs in both forms, variations
/// with variations, another first move of a variation.
#[test]
fn comments_glyphs_and_variations_are_read() {
    let free = "[Variant \"sixteen-rebels\"]\n{Two\n  friends}\n1.c3-b2! {a bold\r\nstart!}{-0.31/8 12ms}{it \\{is\\}}\n\
                (1...c3-c4?{[%clk 0:03] \u{2019}tis\n[1] bad}(c3-d4 $5 2.a2-a3(a1-a2))2. a2-a3) 2. a2-a3 ?? *";
    let record: Record = free.parse().unwrap();
    let [first, second] = &record.moves[..] else { panic!() };
    assert_eq!(record.comment, "Two friends");
    assert_eq!((first.glyph, first.comment.as_str()), (Some(Glyph::Good), "a bold start! it {is}"));
    assert_eq!((first.depth, first.time_ms, second.glyph), (Some(8), Some(12), Some(Glyph::Blunder)));
    let [one, other] = &first.variations[..] else { panic!("{record}") };
    assert_eq!((one[0].comment.as_str(), one.len()), ("[%clk 0:03] \u{2019}tis [1] bad", 2));
    assert_eq!((other[0].glyph, other[1].variations.len()), (Some(Glyph::Interesting), 1));
    let strict = "\
[Variant \"sixteen-rebels\"]
[Result \"*\"]

{Two friends} 1. c3-b2! {-0.31/8 12ms} {a bold start! it \\{is\\}} (1. c3-c4?
{[%clk 0:03] \u{2019}tis [1] bad} 2. a2-a3) (1. c3-d4!? 2. a2-a3 (2. a1-a2))
2. a2-a3?? *
";
    assert_eq!(record.to_string(), strict);
    let json = serde_json::to_string(&record).unwrap();
    let part = r#""comment":"Two friends","moves":[{"move":"c3-b2","score":"-0.31","depth":8,"time":12,"glyph":"!","comment":"a bold start! it {is}","variations":[[{"move":"c3-c4","glyph":"?""#;
    assert!(json.contains(part), "{json}");
}

/// Words that a report could have, spaces that a reader drops, lines.
#[test]
fn comments_come_back_as_they_are() {
    for (comment, written) in [
        ("=", "{\\u{3d}}"),
        ("+0.42/12 15ms", "{\\u{2b}0.42/12 15ms}"),
        ("= is a draw", "{= is a draw}"),
        ("1ms 2ms", "{1ms 2ms}"),
        (" a  b ", "{\\u{20}a \\u{20}b\\u{20}}"),
        ("one\ntwo\\", "{one\\ntwo\\\\}"),
    ] {
        let mut move_ = RecordedMove::from("c3-b2".parse::<MoveText>().unwrap());
        comment.clone_into(&mut move_.comment);
        let record = Record { comment: comment.to_owned(), moves: vec![move_], ..Record::default() };
        let text = record.to_string();
        assert!(text.ends_with(&format!("{written} 1. c3-b2 {written} *\n")), "{text}");
        assert_eq!(text.parse::<Record>().unwrap(), record);
    }
}

#[test]
fn errors_name_line_and_expectation() {
    let tag = "expected a form such as [Event \"club evening\"], found";
    let word = "moves: expected a move such as c3-b2, or the result (general, rebels, draw or *), found";
    let comment = "comment: expected a form such as {a bold start}, with \\ before \\, { and }, found";
    for (text, expected) in [
        ("[Event \"a\"]\n[Event]\n*", format!("line 2: tag: {tag} [Event]")),
        ("[Event \"a\\q\"]\n*", format!("line 1: tag: {tag} [Event \"a\\q\"]")),
        ("[Event \"a\n\"]\n*", format!("line 1: tag: {tag} [Event \"a")),
        ("[Event \"\\u{d800}\"]\n*", format!("line 1: tag: {tag} [Event \"\\u{{d800}}\"]")),
        ("[Event \"a\"]\n\n[Event \"b\"]\n*", "line 3: tag Event: expected once in a record, found twice".to_owned()),
        ("[Seed \"-1\"]\n*", "line 1: tag Seed: expected a whole number, found \"-1\"".to_owned()),
        (
            "[Result \"1-0\"]\n*",
            "line 1: tag Result: \"1-0\" is not a result: expected general, rebels, draw or *".to_owned(),
        ),
        ("\n\n1. c3-b2 2. 1-0", format!("line 3: {word} \"1-0\"")),
        ("1. c3-b2 ]", format!("line 1: {word} \"]\"")),
        ("1. c3-b2\n\n3. c3-b2 *", "line 3: move number: expected 2. (moves are numbered by ply), found 3.".to_owned()),
        ("c3-b2 {1ms", format!("line 1: {comment} {{1ms")),
        ("c3-b2 {a {b}} *", format!("line 1: {comment} {{a {{b}}}} *")),
        ("c3-b2\n{c:\\temp} *", format!("line 2: {comment} {{c:\\temp}} *")),
        ("c3-b2 {1ms} {2n} *", "line 1: report: expected one after a move, found another one after c3-b2".to_owned()),
        ("[Round \"1\"]\n{a} [Event \"a\"] *", "line 2: tag Event: expected before the first move".to_owned()),
        ("! c3-b2 *", "line 1: glyph: expected one after a move, found !".to_owned()),
        ("c3-b2! ? *", "line 1: glyph: expected one after a move, found ?".to_owned()),
        ("c3-b2!!! *", "line 1: glyph: expected ! ? !! ?? !? ?! or $1 to $6, found \"!!!\"".to_owned()),
        ("c3-b2 $7 *", "line 1: glyph: expected ! ? !! ?? !? ?! or $1 to $6, found \"$7\"".to_owned()),
        ("( c3-b2 ) *", "line 1: variation: expected after the move that it replaces, found (".to_owned()),
        ("c3-b2 () *", "line 1: variation: expected ( and a move before its end, found )".to_owned()),
        ("c3-b2 ) *", "line 1: variation: expected ( and a move before its end, found )".to_owned()),
        ("c3-b2 (c3-b4 *", "line 1: variation: expected ) at its end, found *".to_owned()),
        ("c3-b2\n(c3-b4", "line 2: variation: expected ) at its end, found nothing".to_owned()),
        ("c3-b2 ({x} c3-b4) *", "line 1: comment: expected after a move of the variation, found {x}".to_owned()),
        (
            "1. c3-b2 2. d5-c5 (3. c3-b4) *",
            "line 1: move number: expected 2. (moves are numbered by ply), found 3.".to_owned(),
        ),
        (
            &format!("{} *", "c3-b2 (".repeat(33)),
            "line 1: variation: expected at most 32 within each other, found another one".to_owned(),
        ),
        ("c3-b2 [Event \"a\"] *", "line 1: tag Event: expected before the first move".to_owned()),
        ("[Result \"draw\"]\n\n*", "line 3: result: expected draw as in the tag Result, found *".to_owned()),
        ("* c3-b2", "line 1: result: expected the tags of the next game after it, found c3-b2".to_owned()),
        (
            "1. c3-b2\n2. b2-c3\n",
            "line 2: moves: expected the result (general, rebels, draw or *) at the end, found nothing".to_owned(),
        ),
        ("", "line 1: expected one record, found 0".to_owned()),
        ("[Event \"a\"]\n*\n[Event \"b\"]\n*\n", "line 4: expected one record, found 2".to_owned()),
    ] {
        assert_eq!(error(text), expected, "{text:?}");
    }
}

/// Files with a byte order mark, put one behind another.
#[test]
fn byte_order_marks_between_records_are_no_text() {
    let text = "[Variant \"kings-gonu\"]\n[Result \"*\"]\n\n1. c3-b2 *\n";
    let json = "{\"variant\":\"kings-gonu\",\"result\":\"*\",\"moves\":[{\"move\":\"c3-b2\"}]}\n";
    for record in [text, json] {
        for between in ["\u{feff}", "\n\u{feff}", "\u{feff}\r\n\u{feff} \n"] {
            let all: Vec<Record> =
                records(&[between, record, between, record, between].concat()).collect::<Result<_, _>>().unwrap();
            assert_eq!(all, vec![record.parse().unwrap(); 2], "{between:?}");
        }
    }
    let commented = "[Variant \"kings-gonu\"]\n[Result \"*\"]\n\n1. c3-b2 {a\u{feff}b} *\n";
    assert_eq!(records(commented).next().unwrap().unwrap().moves[0].comment, "a\u{feff}b");
}

/// A value of JSON with one of its parts replaced, in all ways.
fn altered(value: &serde_json::Value) -> Vec<serde_json::Value> {
    use serde_json::{Value, json};
    let mut all = vec![json!(null), json!(true), json!(7), json!(-1), json!(1.5), json!("x"), json!([]), json!({})];
    match value {
        Value::Object(fields) => all.extend(fields.iter().flat_map(|(key, field)| {
            altered(field).into_iter().map(|field| {
                let mut fields = fields.clone();
                fields.insert(key.clone(), field);
                Value::Object(fields)
            })
        })),
        Value::Array(items) => all.extend(items.iter().enumerate().flat_map(|(at, item)| {
            altered(item).into_iter().map(move |item| {
                let mut items = items.clone();
                items[at] = item;
                Value::Array(items)
            })
        })),
        _ => {}
    }
    all
}

#[test]
fn faults_of_json_name_no_structures() {
    let text = "[Variant \"kings-gonu\"]\n[Seed \"7\"]\n[MoveLimit \"9\"]\n[Result \"*\"]\n[Annotator \"Li\"]\n\n\
                1. c3-b2! {+0.42/12 15ms 5120n} {a} (1. c3-c4) *\n";
    let record: Record = text.parse().unwrap();
    let mut refused = 0;
    for wrong in altered(&serde_json::to_value(&record).unwrap()) {
        let Err(error) = format!("{wrong}\n").parse::<Record>() else { continue };
        refused += 1;
        assert!(!error.fault.contains("struct "), "{wrong}: {error}");
    }
    assert!(refused > 150, "{refused}");
}

#[test]
fn a_match_file_is_read_as_the_records_of_its_games() {
    let game = r#"{"variant":"kings-gonu","result":"*","moves":[]}"#;
    let text =
        format!("{{\"privy_match\":2,\"settings\":{{}}}}\n{{\"report\":{{\"number\":1}},\"record\":{game}}}\n{game}\n");
    let read: Vec<Record> = records(&text).collect::<Result<_, _>>().unwrap();
    assert_eq!(read, [game.parse().unwrap(), game.parse().unwrap()]);
    assert_eq!(records("{\"report\":{}}\n").next().unwrap().unwrap_err().line, 1);
}

#[test]
fn an_error_in_json_says_where() {
    let text = "{\"variant\":\"kings-gonu\",\"result\":\"*\",\"moves\":[]}\n\n{\"variant\":\"kings-gonu\",\"result\":\"won\",\"moves\":[]}\n{}";
    let read: Vec<_> = records(text).collect();
    assert_eq!(read.len(), 3);
    assert!(read[0].is_ok());
    let error = read[1].as_ref().unwrap_err().to_string();
    assert!(
        error.starts_with("line 3: JSON: \"won\" is not a result: expected general, rebels, draw or *")
            && error.contains("at column"),
        "{error}"
    );
    assert_eq!(read[2].as_ref().unwrap_err().line, 4);
    let nested = |depth: usize| {
        let (begin, end) = (r#"{"move":"c3-b2","variations":[[{"move":"c3-b4"},"#, "]]}");
        format!(
            r#"{{"variant":"a","result":"*","moves":[{}{{"move":"c3-b2"}}{}]}}"#,
            begin.repeat(depth),
            end.repeat(depth)
        )
    };
    assert!(nested(32).parse::<Record>().is_ok());
    for (json, reason) in [
        (nested(33).as_str(), "variations: expected a move in each, none of its own at its first move, at most 32"),
        (nested(100_000).as_str(), "recursion limit exceeded"),
        (r#"{"variant":"a","result":"*","moves":[{"move":"c3-b2","variations":[[]]}]}"#, "expected a move in each"),
        (
            r#"{"variant":"a","result":"*","moves":[{"move":"c3-b2","glyph":"!!!"}]}"#,
            "glyph: expected ! ? !! ?? !? ?! or $1 to $6, found \"!!!\"",
        ),
        (r#"{"variant":"a","result":"*","moves":[["c3-b2"]]}"#, "invalid type: sequence, expected an object"),
        (r#"{"variant":"a","result":"*","moves":[{"move":"c3-b2","time_ms":5}]}"#, "unknown field `time_ms`"),
        ("{\"variant\":\"a\",\"result\":\"*\",\"moves\":[{\"move\":\"c3=b2\"}]}", "\"c3=b2\" is not a move"),
        ("{\"variant\":\"a\",\"result\":\"*\",\"moves\":[{\"move\":\"c3-b2\",\"score\":\"x\"}]}", "expected a score"),
        (
            "{\"variant\":\"a\",\"result\":\"*\",\"moves\":[],\"tags\":[[\"Result\",\"*\"]]}",
            "that no field of a record has, found \"Result\"",
        ),
    ] {
        assert!(self::error(json).contains(reason), "{}", self::error(json));
    }
}

#[test]
fn a_record_that_can_not_be_read_does_not_hide_the_next() {
    let text = "[Event \"a\"]\n[Bad\n1. c3-b2 *\n\n[Event \"b\"]\n1. c3-b2 *\n[Event \"c\"]\nc3?\n[Event \"d\"]\n\n*";
    let read: Vec<Result<String, usize>> =
        records(text).map(|record| record.map(|record| record.event).map_err(|error| error.line)).collect();
    assert_eq!(read, [Err(2), Ok("b".to_owned()), Err(8), Ok("d".to_owned())]);
}

/// Tags are looked up by name, so twice as many take twice the time: 200,000 are read at once, not in minutes.
#[test]
fn many_tags_are_read_and_the_last_of_them_is_compared_with_the_first() {
    let tags: String = (0..200_000).map(|number| format!("[Tag_{number} \"x\"]\n")).collect();
    let read = |text: &str| records(text).next().expect("a record");
    assert_eq!(read(&format!("{tags}\n*\n")).unwrap().tags.len(), 200_000);
    let error = read(&format!("{tags}[Tag_0 \"x\"]\n\n*\n")).unwrap_err().to_string();
    assert!(error.contains("line 200001: tag Tag_0: expected once in a record, found twice"), "{error}");
}

#[test]
fn tags_have_names() {
    let read = |name: &str| {
        let text = format!("{{\"variant\":\"a\",\"result\":\"*\",\"tags\":[[\"{name}\",\"\"]],\"moves\":[]}}");
        records(&text).next().expect("a record").map_err(|error| error.to_string())
    };
    for name in ["Black White", "", "TimeControl"] {
        let expected = "names of ASCII letters, digits and _ that no field of a record has";
        assert_eq!(read(name), Err(format!("line 1: JSON: tags: expected {expected}, found \"{name}\"")));
    }
    assert!(read("timecontrol").is_ok());
}
