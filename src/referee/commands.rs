//! The commands that an engine has: by `list_commands`, else by `known_command`, else by trying.

use std::collections::BTreeSet;

use privy_protocol::Reply;

/// Returns the commands of an engine: those that it lists; else those among `names` that it says it knows; else those of the lines in
/// `tried` that it does not call unknown. A line stands for the commands beside it.
///
/// A refusal shows that a command is there: an engine may know `variant ID` alone, and refuse a bare `variant`.
pub(crate) fn commands_of<E>(
    names: impl IntoIterator<Item = &'static str>,
    tried: &[(&str, &[&'static str])],
    mut ask: impl FnMut(&str) -> Result<Reply, E>,
) -> Result<BTreeSet<String>, E> {
    let list = ask("list_commands")?;
    if list.is_success() && !list.text().is_empty() {
        let listed = list.lines().map(str::trim).chain(["list_commands"]);
        return Ok(listed.map(str::to_owned).collect());
    }
    let mut found = BTreeSet::from(["name", "quit"]);
    if ask("known_command name")?.text() == "true" {
        found.insert("known_command");
        for name in names {
            if ask(&format!("known_command {name}"))?.text() == "true" {
                found.insert(name);
            }
        }
    } else {
        for (line, commands) in tried {
            let reply = ask(line)?;
            // What the engine says to a command that it does not have, in its own words.
            let is_unknown = reply.text().starts_with("unknown command") || reply.text() == list.text();
            let is_there = if reply.is_success() { *line != "status" || !reply.text().is_empty() } else { !is_unknown };
            found.extend(commands.iter().copied().filter(|_| is_there));
        }
    }
    Ok(found.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use privy_protocol::ReplyReader;

    use super::*;

    /// The commands of an engine that answers these lines, and all others with a text of its own.
    fn found(answers: &[(&str, &str)], otherwise: &str) -> String {
        let tried: [(&str, &[&str]); 3] = [
            ("variant monk-and-water", &["variant"]),
            ("position startpos", &["position", "go"]),
            ("status", &["status"]),
        ];
        let reply = |line: &str| {
            let answer = answers.iter().find(|(asked, _)| *asked == line).map_or(otherwise, |(_, answer)| answer);
            let text = if answer.starts_with('?') { format!("{answer}\n\n") } else { format!("= {answer}\n\n") };
            ReplyReader::new(text.as_bytes()).next_reply().unwrap().unwrap()
        };
        let all = commands_of(["go", "play", "variant"], &tried, |line| Ok::<_, Infallible>(reply(line))).unwrap();
        Vec::from_iter(all).join(" ")
    }

    #[test]
    fn a_refusal_shows_a_command_unless_it_calls_it_unknown() {
        let minimal = [("variant monk-and-water", "? unknown variant"), ("position startpos", "")];
        for unknown in ["? unknown command", "? unknown command: what", "? eh"] {
            assert_eq!(found(&minimal, unknown), "go name position quit variant");
            assert_eq!(found(&minimal[1..], unknown), "go name position quit");
        }
        // An engine that says yes to everything has no status.
        assert_eq!(found(&[], ""), "go name position quit variant");
        let knowing = [("known_command name", "true"), ("known_command play", "true"), ("known_command go", "false")];
        assert_eq!(found(&knowing, "? unknown command"), "known_command name play quit");
        assert_eq!(found(&[("list_commands", "go\n play")], "? unknown command"), "go list_commands play");
    }
}
