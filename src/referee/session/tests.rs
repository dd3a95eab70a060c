use std::convert::Infallible;
use std::io::{self, Cursor};

use super::*;

/// The commands of an engine that answers these lines, and all others with another text.
fn found(answers: &[(&str, &str)], otherwise: &str) -> String {
    let tried: [(&str, &[&str]); 3] =
        [("variant monk-and-water", &["variant"]), ("position startpos", &["position", "go"]), ("status", &["status"])];
    let reply = |line: &str| {
        let answer = answers.iter().find(|(asked, _)| *asked == line).map_or(otherwise, |(_, answer)| answer);
        let text = if answer.starts_with('?') { format!("{answer}\n\n") } else { format!("= {answer}\n\n") };
        let mut client = Client::from_pipes(Cursor::new(text.into_bytes()), io::sink()).unwrap();
        client.request("anything", Duration::from_secs(60)).unwrap()
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
