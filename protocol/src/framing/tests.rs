use super::*;

fn lines(bytes: &[u8]) -> Vec<InputLine> {
    LineReader::new(bytes).map(Result::unwrap).collect()
}

fn command(text: &str) -> InputLine {
    InputLine::Command(text.to_owned())
}

fn rejected(id: Option<u32>, text: &str) -> InputLine {
    InputLine::Rejected(Rejection { id, error: ProtocolError::syntax(text) })
}

#[test]
fn line_ends_and_control_characters() {
    assert_eq!(lines(b"name\r\n"), [command("name")]);
    assert_eq!(lines(b"na\0me\x07\x7f\n"), [command("name")]);
    assert_eq!(lines(b"play\tc3"), [command("play c3")]);
    assert_eq!(lines(b""), []);
    assert_eq!(lines(b"\n"), [InputLine::Blank]);
    assert_eq!(lines(b"\r\n \t\n#\n#x"), [const { InputLine::Blank }; 4]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_input() {
    assert_eq!(lines(b"\xef\xbb\xbf7 name\nquit"), [command("7 name"), command("quit")]);
    assert_eq!(lines(b"\xef\xbb\xbf# interrupt\n\xef\xbb\xbf"), [InputLine::Interrupt, command("\u{feff}")]);
    assert_eq!(lines(b"\xef\xbb\xbf\n"), [InputLine::Blank]);
    // The beginning of one is a wrong text.
    for held in [&b"\xef"[..], b"\xef\xbb", b"\xef\xbbx"] {
        assert_eq!(lines(held), [rejected(None, "expected UTF-8, found the byte 0xef at place 1")]);
    }
    let mut assembler = LineAssembler::default();
    for byte in b"\xef\xbb\xbfname" {
        assert_eq!(assembler.feed(&[*byte]), (None, &b""[..]));
    }
    assert_eq!(assembler.finish(), Some(command("name")));
}

#[test]
fn interrupts() {
    for line in ["# interrupt", "#interrupt", "  #  interrupt  ", "#\tinter\0rupt\r"] {
        assert_eq!(lines(line.as_bytes()), [InputLine::Interrupt], "{line:?}");
    }
    for line in ["# interrupts", "# interrupt now", "# inter", "## interrupt", "# Interrupt"] {
        assert_eq!(lines(line.as_bytes()), [InputLine::Blank], "{line:?}");
    }
    assert_eq!(lines(b"name # interrupt"), [command("name ")]);
}

#[test]
fn length_is_checked_after_cutting() {
    let longest = "x".repeat(LINE_LIMIT);
    assert_eq!(lines(longest.as_bytes()), [command(&longest)]);
    let commented = format!("{longest}#{longest}");
    assert_eq!(lines(commented.as_bytes()), [command(&longest)]);
    let longer = format!("12 {longest}\nname");
    assert_eq!(
        lines(longer.as_bytes()),
        [rejected(Some(12), "expected a line of at most 65536 bytes, found 65539"), command("name")]
    );
    let spaces = " ".repeat(LINE_LIMIT + 1);
    assert_eq!(lines(spaces.as_bytes()), [InputLine::Blank]);
    let digits = "1".repeat(LINE_LIMIT + 1);
    assert_eq!(lines(digits.as_bytes()), [rejected(None, "expected a line of at most 65536 bytes, found 65537")]);
}

#[test]
fn bytes_that_are_not_utf8() {
    assert_eq!(
        lines(b"5 echo \xff\nname"),
        [rejected(Some(5), "expected UTF-8, found the byte 0xff at place 8"), command("name")]
    );
    assert_eq!(lines(b"5\xe4"), [rejected(None, "expected UTF-8, found the byte 0xe4 at place 2")]);
    // A comment need not be text.
    assert_eq!(lines(b"name#\xff"), [command("name")]);
}

#[test]
fn memory_stays_bounded() {
    let chunk = vec![b'x'; 100_000];
    let mut assembler = LineAssembler::default();
    for _ in 0..100 {
        let (line, left) = assembler.feed(&chunk);
        assert!(line.is_none() && left.is_empty());
        assert!(assembler.kept.capacity() <= 2 * LINE_LIMIT);
    }
    let (line, _) = assembler.feed(b"\n");
    assert_eq!(line, Some(rejected(None, "expected a line of at most 65536 bytes, found 10000000")));
    assert_eq!(assembler.kept.capacity(), 0);
}

#[test]
fn pieces_of_any_size_give_the_same_lines() {
    let input = b"1 name\n\n# interrupt\r\n2 echo \xc3\xa4\nquit";
    let mut assembler = LineAssembler::default();
    let mut found = Vec::new();
    for byte in input {
        found.extend(assembler.feed(&[*byte]).0);
    }
    found.extend(assembler.finish());
    assert_eq!(found, lines(input));
    assert_eq!(assembler.finish(), None);
}

#[test]
fn an_error_ends_the_input() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let mut reader = LineReader::new(b"half".as_slice().chain(Broken));
    assert!(reader.next().is_some_and(|line| line.is_err()));
    assert!(reader.next().is_none());
}

fn no_line(text: &str) -> (Option<u32>, String) {
    let rejection = Line::parse(text).unwrap_err();
    (rejection.id, rejection.error.to_string())
}

#[test]
fn a_line_has_three_parts() {
    let line = Line::parse("  12   echo  two  words ").unwrap();
    assert_eq!((line.id, line.command), (Some(12), "echo"));
    assert_eq!(line.arguments, "two  words");
    assert_eq!(grammar::words(line.arguments).collect::<Vec<_>>(), ["two", "words"]);
    assert_eq!(Line::parse("fen").unwrap().id, None);
    assert_eq!(Line::parse("007 fen").unwrap().id, Some(7));
    assert_eq!(Line::parse("0 fen").unwrap().id, Some(0));
}

#[test]
fn ids_have_a_limit() {
    assert_eq!(Line::parse("2147483647 fen").unwrap().id, Some(grammar::LARGEST_ID));
    assert_eq!(no_line("2147483648 fen"), (None, "syntax error: id".into()));
    assert_eq!(no_line("99999999999999999999"), (None, "syntax error: id".into()));
    assert_eq!(no_line(" 5 "), (Some(5), "syntax error: no command".into()));
    assert_eq!(no_line(""), (None, "syntax error: no command".into()));
}

#[test]
fn only_digits_make_an_id() {
    assert_eq!(Line::parse("5name").unwrap().command, "5name");
    assert_eq!(Line::parse("-5 name").unwrap().command, "-5");
}
