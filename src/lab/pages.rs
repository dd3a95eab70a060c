//! Pages that show commands and what they say.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use clap::Args;
use privy_base::bounded_read::read_file;
use privy_base::path_choice::PathChoice;
use privy_program::CliError;
use privy_protocol::Stop;
use privy_tables::TableError;

use super::Lab;

/// The first line of a block with commands and their output.
const FENCE: &str = "```console";
/// Bytes of a page.
const LARGEST: u64 = 16 << 20;

/// The commands in pages say what the pages show beside them
///
/// A page shows them in blocks that begin with ```console: a line `$ privy …`, then what the command writes to standard
/// output. A word N means a number that differs from run to run. The commands look for tables where --tables says.
#[derive(Args)]
pub(super) struct PagesArguments {
    /// Markdown files
    #[arg(required = true, value_name = "PAGE")]
    pages: Vec<PathBuf>,
    /// The program `privy`; without it the one beside this program
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
}

/// A command of a page, and what the page shows of its output.
#[derive(Debug, PartialEq, Eq)]
struct ShownCommand<'a> {
    /// The line of the page, from 1.
    line: usize,
    command: &'a str,
    output: Vec<&'a str>,
}

/// The commands of a page.
fn shown_commands(page: &str) -> Vec<ShownCommand<'_>> {
    let mut shown: Vec<ShownCommand<'_>> = Vec::new();
    let mut is_inside = false;
    for (line, text) in (1..).zip(page.lines()) {
        match text.strip_prefix("$ ") {
            _ if !is_inside => is_inside = text == FENCE,
            _ if text.starts_with("```") => is_inside = false,
            Some(command) => shown.push(ShownCommand { line, command, output: Vec::new() }),
            None => shown.last_mut().into_iter().for_each(|command| command.output.push(text)),
        }
    }
    shown
}

/// True if a line is what the page shows, whose words N are any numbers.
fn is_as_shown(line: &str, shown: &str) -> bool {
    let (line, shown) = (line.split_whitespace(), shown.split_whitespace());
    let is_number = |word: &str| word.starts_with(|first: char| first.is_ascii_digit());
    line.clone().count() == shown.clone().count()
        && line.zip(shown).all(|(word, shown)| word == shown || shown == "N" && is_number(word))
}

/// What a program writes to standard output, until it ends or the stop is set.
fn output_of(program: &Path, words: &[&str], stop: &Stop) -> Result<String, CliError> {
    let mut child = Command::new(program).args(words).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut stdout = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        let read = stdout.as_mut().map_or(Ok(0), |stdout| stdout.read_to_end(&mut text));
        read.map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    while child.try_wait()?.is_none() {
        if stop.is_set() {
            child.kill()?;
            child.wait()?;
            return Err(TableError::Interrupted.into());
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(reader.join().expect("a reader does not panic")?)
}

impl PagesArguments {
    /// Runs all commands of all pages, and names each that says something else than its page.
    pub(super) fn run(&self, lab: &mut Lab<'_>) -> Result<(), CliError> {
        let beside = || std::env::current_exe().map(|lab| lab.with_file_name("privy"));
        let program = self.program.clone().map_or_else(beside, Ok)?;
        let tables = lab.tables.choice();
        let tables = (tables != PathChoice::default()).then(|| tables.to_string());
        let (mut commands, mut wrong) = (0, 0);
        for path in &self.pages {
            let page = read_file(path, LARGEST);
            let page = page.map_err(|error| CliError::File(format!("{}: {error}", path.display())))?;
            for ShownCommand { line, command, output: shown } in shown_commands(&page) {
                let place = format!("{}, line {line}", path.display());
                let words: Vec<&str> = command.split_whitespace().collect();
                let ["privy", arguments @ ..] = words.as_slice() else {
                    return Err(CliError::Failed(format!("{place}: expected $ privy …, found \"{command}\"")));
                };
                let chosen = tables.iter().flat_map(|folder| ["--tables", folder]);
                let arguments: Vec<&str> = arguments.iter().copied().chain(chosen).collect();
                let output = output_of(&program, &arguments, lab.stop)?;
                let lines: Vec<&str> = output.lines().collect();
                commands += 1;
                let is_right = lines.len() == shown.len()
                    && lines.iter().zip(&shown).all(|(line, shown)| is_as_shown(line, shown));
                if !is_right {
                    wrong += 1;
                    writeln!(lab.output, "{place}: {command}\nshown:\n{}\nnow:\n{output}", shown.join("\n"))?;
                }
            }
        }
        writeln!(lab.output, "{commands} commands, {wrong} with another output than their page shows")?;
        super::meets_the_bar(wrong == 0 && commands > 0, || format!("{wrong} of {commands} commands"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const PAGE: &str = "# A page\n\n```sh\n$ privy probe a\n```\n\n```console\n$ privy probe b\nloss 40\n\
                        $ privy perft c 1\nnodes 8 time N ms\n```\n$ d\n";

    #[test]
    fn commands_stand_in_blocks_of_a_console() {
        let found = shown_commands(PAGE);
        let [probe, perft] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((probe.line, probe.command, probe.output.as_slice()), (8, "privy probe b", &["loss 40"][..]));
        assert_eq!((perft.line, perft.output.as_slice()), (10, &["nodes 8 time N ms"][..]));
    }

    #[test]
    fn only_numbers_differ_from_run_to_run() {
        assert!(is_as_shown("nodes 8 time 17 ms", "nodes 8 time N ms"));
        for other in ["nodes 9 time 17 ms", "nodes 8 time long ms", "nodes 8 time 17", "nodes 8 time 17 ms more"] {
            assert!(!is_as_shown(other, "nodes 8 time N ms"), "{other}");
        }
    }

    /// A program that writes its arguments takes the place of the engine.
    #[test]
    fn a_page_is_checked_against_the_program() {
        let folder = std::env::temp_dir().join(format!("privy-pages-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("page.md");
        let checked = |page: &str, program: &str| {
            fs::write(&path, page).unwrap();
            crate::tests::run(&["check", "docs", path.to_str().unwrap(), "--program", program])
        };
        let page = "```console\n$ privy loss 40\nloss N\n$ privy win 3\nwin 3\n```\n";
        assert_eq!(checked(page, "echo").unwrap(), "2 commands, 0 with another output than their page shows\n");
        fs::write(&path, "```console\n$ privy loss 40\nloss 40 --tables elsewhere\n```\n").unwrap();
        let words = ["check", "docs", path.to_str().unwrap(), "--program", "echo", "--tables", "elsewhere"];
        assert!(crate::tests::run(&words).unwrap().starts_with("1 commands, 0 with"));
        for wrong in
            [page.replace("win 3\n```", "win 4\n```"), page.replace("loss N\n", ""), "no commands\n".to_owned()]
        {
            assert!(checked(&wrong, "echo").unwrap_err().to_string().starts_with("below the bar: "), "{wrong}");
        }
        let foreign = checked("```console\n$ rm page.md\n```\n", "echo").unwrap_err();
        assert!(foreign.to_string().contains("page.md, line 2: expected $ privy"), "{foreign}");
        let stop = Stop::default();
        stop.set();
        assert!(output_of(Path::new("sleep"), &["60"], &stop).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
