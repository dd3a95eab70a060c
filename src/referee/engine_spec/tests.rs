use proptest::prelude::*;

use super::*;

fn spec(text: &str) -> EngineSpec {
    text.parse().unwrap()
}

fn error(text: &str) -> String {
    text.parse::<EngineSpec>().unwrap_err().to_string()
}

#[test]
fn commands_are_split_as_by_a_shell() {
    assert_eq!(spec("cmd=privy").command, ["privy"]);
    assert_eq!(spec("cmd=privy --tables off").command, ["privy", "--tables", "off"]);
    assert_eq!(spec("cmd=\"python3 engine.py --x\"").command, ["python3", "engine.py", "--x"]);
    assert_eq!(spec("cmd='a b',args='c \"d, e\" \\'f g\\''").command, ["a", "b", "c", "d, e", "f g"]);
    assert_eq!(spec("args=late,cmd=first").command, ["first", "late"]);
    assert_eq!(spec("cmd=sh -c 'echo it'").command, ["sh", "-c", "echo it"]);
    assert_eq!(spec("cmd=x ''").command, ["x", ""]);
    let snake = spec("cmd='python3 engine.py --name \"x, y\"',name=snake,option.hash=64");
    assert_eq!(snake.command, ["python3", "engine.py", "--name", "x, y"]);
    assert_eq!((snake.name.as_deref(), snake.options.len()), (Some("snake"), 1));
}

#[test]
fn every_key_sets_its_field() {
    let all = spec("cmd=x,name=A b,dir=/tmp,option.hash=64,option.tables=a=b,proto=genmove,restart=on,tc=40/60+0.5");
    assert_eq!(all.name.as_deref(), Some("A b"));
    assert_eq!(all.folder.as_deref(), Some(Path::new("/tmp")));
    assert_eq!(all.options, [("hash".to_owned(), "64".to_owned()), ("tables".to_owned(), "a=b".to_owned())]);
    assert_eq!((all.dialect, all.restart), (Some(Dialect::GenMove), Some(true)));
    assert_eq!(all.time_control.clock.unwrap().moves, Some(40));
    let limits = spec("nodes=10,depth=3,time=5").time_control;
    assert_eq!((limits.nodes, limits.depth, limits.time.map(|time| time.as_millis())), (Some(10), Some(3), Some(5)));
}

#[test]
fn errors_name_key_and_value() {
    assert_eq!(error("privy"), "engine: expected KEY=VALUE, found \"privy\"");
    assert_eq!(error("cmd=a,b,c=d"), "engine: expected KEY=VALUE, found \"b,c=d\"");
    assert!(error("comand=a").starts_with("engine: unknown key \"comand\": expected cmd, args,"));
    assert_eq!(error("cmd=a,cmd=b"), "engine: cmd is given twice");
    assert_eq!(error("cmd=\"a"), "engine: a quotation mark is not closed in cmd=\"a");
    assert_eq!(error("cmd='a'b"), "engine: a quotation mark is not closed in cmd='a'b");
    assert_eq!(error("nodes=0"), "engine: nodes: expected a number from 1 to 1000000000000, found \"0\"");
    assert_eq!(error("depth=99999999999"), "engine: depth: expected plies from 1 to 1000, found \"99999999999\"");
    assert_eq!(error("restart=yes"), "engine: restart: expected on, off or auto, found \"yes\"");
    assert_eq!(error("option.=1"), error("option.=2"));
}

#[test]
fn defaults_fill_missing_settings() {
    let each = spec("cmd=x,option.hash=1,option.seed=2,nodes=100");
    let one = spec("name=a,option.hash=8").or(&each);
    assert_eq!(one.command, ["x"]);
    assert_eq!(one.options, [("seed".to_owned(), "2".to_owned()), ("hash".to_owned(), "8".to_owned())]);
    assert_eq!(one.time_control.nodes, Some(100));
    // Limits of different kinds do not mix.
    assert_eq!(spec("cmd=y,time=5").or(&each).time_control.nodes, None);
}

#[test]
fn unnamed_engines_get_unique_names() {
    let mut engines = [spec("cmd=/usr/bin/privy"), spec("cmd=privy"), spec("cmd=y,name=privy 2")];
    name_engines(&mut engines).unwrap();
    assert_eq!(engines.each_ref().map(EngineSpec::title), ["privy", "privy 3", "privy 2"]);
    let mut same = [spec("cmd=x,name=a"), spec("cmd=y,name=a")];
    assert!(name_engines(&mut same).unwrap_err().to_string().contains("two engines are named \"a\""));
    let mut none = [spec("name=a")];
    assert_eq!(name_engines(&mut none).unwrap_err().to_string(), "engine: expected cmd=PROGRAM in \"a\"");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}") {
        let _ = text.parse::<EngineSpec>();
    }

    #[test]
    fn quoted_words_come_back(words in proptest::collection::vec("[ -!#-&(-~]{0,8}", 1..5)) {
        // Each word in double marks, the value in single ones.
        let line: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let text = format!("name=n,cmd='{}',depth=2", line.join(" "));
        let read = text.parse::<EngineSpec>();
        if text.contains("\\'") {
            // A backslash before the last mark takes its meaning.
            return Ok(());
        }
        prop_assert_eq!(read.unwrap().command, words);
    }
}

pub(crate) const fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

pub(crate) fn with_clock(text: &str) -> Limits {
    Limits { clock: Some(read_clock(text).unwrap()), ..Limits::default() }
}

#[test]
fn clocks_are_read_or_refused() {
    let read = |text: &str| {
        let clock = read_clock(text).unwrap();
        (clock.moves, clock.remaining, clock.increment)
    };
    assert_eq!(read("60"), (None, ms(60_000), ms(0)));
    assert_eq!(read("40/1:30+0.5"), (Some(40), ms(90_000), ms(500)));
    assert_eq!(control_text(&with_clock("40/1:30+0.5")), "40/90+0.5");
    assert_eq!(read("0.1+0.001"), (None, ms(100), ms(1)));
    assert_eq!(read("40/2:00"), (Some(40), ms(120_000), ms(0)));
    for text in ["", "x", "0", "60+", "0/60", "-1", "60+-1", "1e3", "inf", "nan", "99999999", "1:2:3", "40/"] {
        assert!(read_clock(text).is_err(), "{text}");
    }
    let limits = Limits { nodes: Some(5), depth: Some(3), ..Limits::default() };
    assert_eq!(control_text(&limits), "nodes 5 depth 3");
}

/// Files of matches hold limits in this form.
#[test]
fn limits_are_stored_in_milliseconds() {
    let limits = Limits { nodes: Some(7), time: Some(ms(5)), ..with_clock("40/60+0.5") };
    let text = r#"{"clock":{"moves":40,"time":60000,"increment":500},"time":5,"nodes":7}"#;
    assert_eq!(serde_json::to_string(&limits).unwrap(), text);
    assert_eq!(serde_json::from_str::<Limits>(text).unwrap(), limits);
    let short = r#"{"clock":{"time":60000}}"#;
    assert_eq!(serde_json::from_str::<Limits>(short).unwrap(), with_clock("60"));
    assert!(serde_json::from_str::<Limits>(r#"{"time_ms":5}"#).is_err());
}

proptest! {
    #[test]
    fn clocks_round_trip(moves in proptest::option::of(1u32..1000), time in 1u64..10_000_000, increment in 0u64..100_000) {
        let clock = Clock { moves, remaining: ms(time), increment: ms(increment) };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        prop_assert_eq!(read_clock(&control_text(&limits)).ok(), Some(clock));
    }
}
