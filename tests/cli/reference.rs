//! The page of all commands and options of the command line is what clap has of them.

use std::collections::BTreeMap;

use crate::support::snapshot;

/// The words of a command, with a way to write them into a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The name and the value of an argument as they are typed.
fn typed(argument: &clap::Arg) -> String {
    let name = argument.get_long().map(|long| format!("--{long}")).unwrap_or_default();
    let values = argument.get_value_names().filter(|_| argument.get_action().takes_values());
    let repeated = argument.get_num_args().is_some_and(|number| number.max_values() > 1);
    let values = values.unwrap_or_default().iter().map(|value| format!("{value}{}", if repeated { "…" } else { "" }));
    [name].into_iter().chain(values).collect::<Vec<_>>().join(" ").trim_start().to_owned()
}

/// The help of an argument, with its default and its values.
fn meaning(argument: &clap::Arg) -> String {
    let join = |values: Vec<String>| values.join(", ");
    let mut text = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let defaults = argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
    let default = join(defaults.collect());
    if argument.get_action().takes_values() && !default.is_empty() {
        text += &format!(" [default: {default}]");
    }
    let values = argument.get_possible_values();
    if !argument.is_hide_possible_values_set() && !values.is_empty() && argument.get_action().takes_values() {
        text += &format!(" [{}]", join(values.iter().map(|value| value.get_name().to_owned()).collect()));
    }
    text
}

/// The rows of a command and of its subcommands, and the commands of each option with its meaning, in their order.
#[derive(Default)]
struct Page {
    commands: String,
    options: Vec<(String, Vec<String>)>,
    rows: BTreeMap<String, usize>,
    count: usize,
}

impl Page {
    fn add(&mut self, command: &clap::Command, words: &str) {
        if !command.is_subcommand_required_set() {
            let usage = command.clone().render_usage().to_string();
            let usage = usage.lines().next().unwrap().trim_start_matches("Usage: ").replace(['<', '>'], "");
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            self.commands += &format!("| `{}` | {} |\n", cell(&usage), cell(&about));
            self.count += 1;
            for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
                if !["help", "version"].contains(&argument.get_id().as_str()) {
                    let row = format!("| `{}` | {} |", cell(&typed(argument)), cell(&meaning(argument)));
                    let at = *self.rows.entry(row.clone()).or_insert(self.options.len());
                    if at == self.options.len() {
                        self.options.push((row, Vec::new()));
                    }
                    self.options[at].1.push(if words.is_empty() { "privy".to_owned() } else { words.to_owned() });
                }
            }
        }
        for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
            self.add(subcommand, format!("{words} {}", subcommand.get_name()).trim());
        }
    }
}

#[test]
fn pages_have_what_the_command_line_says() {
    let mut command = crate::program::command_line();
    command.build();
    let mut page = Page::default();
    page.add(&command, "");
    assert!(page.count > 20 && page.options.len() > 50);
    let rows = page.options.iter().map(|(row, commands)| {
        let commands = if commands.len() == page.count { "all".to_owned() } else { commands.join(", ") };
        format!("{row} {commands} |\n")
    });
    let rows: String = rows.collect();
    snapshot::check_part(
        "docs/COMMANDS.md",
        "commands",
        &format!("| command | purpose |\n|---|---|\n{}", page.commands),
    );
    snapshot::check_part(
        "docs/COMMANDS.md",
        "options",
        &format!("| option | meaning | commands |\n|---|---|---|\n{rows}"),
    );
}
