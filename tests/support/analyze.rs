//! Grammar of GoGui's analyze commands and their answers, from its manual (chapters "Analyze Commands" and "Live
//! Graphics"). Every answer of the engine must parse.

/// A line of `gogui-analyze_commands`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub kind: String,
    pub label: String,
    pub command: String,
}

const KINDS: [&str; 20] = [
    "bwboard", "cboard", "dboard", "eplist", "gfx", "hstring", "hpstring", "none", "param", "plist", "pspairs",
    "pstring", "sboard", "string", "var", "varb", "varc", "varp", "varpo", "varw",
];

/// Parses the answer to `gogui-analyze_commands`; one bad line is an error.
pub fn definitions(answer: &str) -> Result<Vec<Definition>, String> {
    let mut definitions: Vec<Definition> = Vec::new();
    for line in answer.lines() {
        let parts: Vec<&str> = line.split('/').collect();
        let [kind, label, command] = *parts else { return Err(format!("three parts: {line}")) };
        if !KINDS.contains(&kind) || label.trim() != label || label.is_empty() || command.trim() != command {
            return Err(line.to_owned());
        }
        if command.is_empty() || definitions.iter().any(|known| known.label == label) {
            return Err(format!("label or command: {line}"));
        }
        let owned = |text: &str| text.to_owned();
        definitions.push(Definition { kind: owned(kind), label: owned(label), command: owned(command) });
    }
    Ok(definitions)
}

/// Splits a command as GoGui does: at spaces outside quotation marks.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let (mut word, mut quoted, mut begun) = (String::new(), false, false);
    for letter in text.chars() {
        match letter {
            '"' => (quoted, begun) = (!quoted, true),
            ' ' if !quoted => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            letter => {
                word.push(letter);
                begun = true;
            }
        }
    }
    if quoted {
        return Err(format!("an open quotation mark: {text}"));
    }
    if begun {
        words.push(word);
    }
    Ok(words)
}

/// A point of a square board, in upper case.
fn point(word: &str, size: u32) -> Result<String, String> {
    let letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let column = word.chars().next().and_then(|letter| letters.find(letter));
    let row = word.get(1..).and_then(|row| row.parse::<u32>().ok());
    match (column, row) {
        (Some(column), Some(row)) if (column as u32) < size && (1..=size).contains(&row) => Ok(word.to_owned()),
        _ => Err(format!("no point: {word}")),
    }
}

fn points(words: &[String], size: u32) -> Result<Vec<String>, String> {
    words.iter().map(|word| point(word, size)).collect()
}

fn colour(word: &str) -> Result<(), String> {
    let names = ["black", "blue", "cyan", "green", "gray", "magenta", "pink", "red", "white", "yellow"];
    let digits = word.strip_prefix('#').filter(|digits| digits.len() == 6);
    let is_hex = digits.is_some_and(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()));
    if is_hex || names.contains(&word) { Ok(()) } else { Err(format!("no colour: {word}")) }
}

/// Moves as `b POINT` and `w POINT`.
fn moves(words: &[String], size: u32) -> Result<Vec<String>, String> {
    let move_ = |pair: &[String]| match pair {
        [colour, place] if ["b", "w"].contains(&colour.as_str()) => Ok(format!("{colour} {}", point(place, size)?)),
        _ => Err(format!("no move: {pair:?}")),
    };
    words.chunks(2).map(move_).collect()
}

/// Parses drawing commands. `live` graphics may also clear.
pub fn graphics(text: &str, size: u32, live: bool) -> Result<(), String> {
    let mut texts = 0;
    for line in text.lines() {
        let words = words(line)?;
        let (command, arguments) = words.split_first().ok_or_else(|| "an empty line".to_owned())?;
        match command.as_str() {
            "BLACK" | "WHITE" | "CIRCLE" | "MARK" | "SQUARE" | "TRIANGLE" if !arguments.is_empty() => {
                points(arguments, size)?;
            }
            "COLOR" if arguments.len() > 1 => {
                colour(&arguments[0])?;
                points(&arguments[1..], size)?;
            }
            "LABEL" if !arguments.is_empty() && arguments.len().is_multiple_of(2) => {
                for pair in arguments.chunks(2) {
                    point(&pair[0], size)?;
                    if pair[1].is_empty() || pair[1].chars().count() > 6 {
                        return Err(format!("a label that does not fit: {line}"));
                    }
                }
            }
            "VAR" if !arguments.is_empty() => drop(moves(arguments, size)?),
            // A second text would open a window.
            "TEXT" if !arguments.is_empty() && texts == 0 => texts += 1,
            "CLEAR" if live && arguments.is_empty() => {}
            _ => return Err(line.to_owned()),
        }
    }
    Ok(())
}

/// Parses an answer of a given kind.
pub fn answer(kind: &str, text: &str, size: u32) -> Result<(), String> {
    match kind {
        "gfx" => graphics(text, size, false),
        "plist" => points(&words(text)?, size).map(drop),
        "var" => moves(&words(text)?, size).map(drop),
        "sboard" => {
            let rows: Vec<Vec<String>> = text.lines().map(words).collect::<Result<_, _>>()?;
            let is_square = rows.len() == size as usize && rows.iter().all(|row| row.len() == size as usize);
            if is_square { Ok(()) } else { Err(format!("no square of {size}: {text}")) }
        }
        "param" => text.lines().try_for_each(parameter),
        "string" | "hstring" if !text.trim().is_empty() && text.lines().all(|line| !line.trim().is_empty()) => Ok(()),
        _ => Err(format!("{kind}: {text:?}")),
    }
}

/// A line `[TYPE] KEY VALUE`.
fn parameter(line: &str) -> Result<(), String> {
    let bad = || Err(format!("no parameter: {line}"));
    let Some((kind, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else { return bad() };
    let Some((key, value)) = rest.split_once(' ') else { return bad() };
    let mut kinds = kind.split('/');
    let fits = match kinds.next() {
        Some("string") => kinds.next().is_none(),
        Some("bool") => ["0", "1"].contains(&value),
        Some("list") => kinds.clone().any(|item| item == value) && kinds.all(|item| !item.contains(' ')),
        _ => false,
    };
    if fits && !key.is_empty() { Ok(()) } else { bad() }
}

/// Parses standard error: the number of live graphics, and all other lines.
pub fn live_graphics(errors: &str, size: u32) -> Result<(usize, Vec<String>), String> {
    let (mut drawings, mut others) = (0, Vec::new());
    let mut lines = errors.lines();
    while let Some(line) = lines.next() {
        match line.strip_prefix("gogui-gfx:").map(str::trim) {
            None => others.push(line.to_owned()),
            Some("") => {
                let block: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
                graphics(&block.join("\n"), size, true)?;
                drawings += 1;
            }
            Some(command) => graphics(command, size, true)?,
        }
    }
    Ok((drawings, others))
}
