//! The page of all commands and options of the command line is what clap has of them.

use crate::support::snapshot;

const PAGE: &str = "docs/COMMANDS.md";

/// A row of a table.
fn row(cells: &[&str]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// A text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// An option as it is typed, and its help with its default and its values.
fn described(option: &clap::Arg) -> (String, String) {
    let mut typed = format!("--{}", option.get_long().unwrap());
    let mut help = option.get_help().map(ToString::to_string).unwrap_or_default();
    if option.get_action().takes_values() {
        let repeated = if option.get_num_args().is_some_and(|number| number.max_values() > 1) { "…" } else { "" };
        typed.extend(option.get_value_names().unwrap_or_default().iter().map(|value| format!(" {value}{repeated}")));
        let defaults = option.get_default_values().iter().filter(|value| !value.is_empty());
        help.extend(defaults.map(|value| format!(" [default: {}]", value.display())));
        let values = option.get_possible_values();
        if !option.is_hide_possible_values_set() && !values.is_empty() {
            help += &format!(" [{}]", values.iter().map(|value| value.get_name()).collect::<Vec<_>>().join(", "));
        }
    }
    (format!("`{}`", cell(&typed)), cell(&help))
}

/// The rows of commands, with their words; and of options, each with its commands.
#[derive(Default)]
struct Rows {
    commands: Vec<String>,
    options: Vec<((String, String), Vec<String>)>,
}

impl Rows {
    fn add(&mut self, command: &clap::Command, words: &str) {
        if !command.is_subcommand_required_set() {
            let usage = command.clone().render_usage().to_string().replace(['<', '>'], "");
            let usage = usage.lines().next().unwrap().trim_start_matches("Usage: ");
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            self.commands.push(row(&[&format!("`{}`", cell(usage)), &cell(&about)]));
            let is_shown = |option: &&clap::Arg| !option.is_positional() && !option.is_hide_set();
            for option in command.get_arguments().filter(is_shown) {
                if !["help", "version"].contains(&option.get_id().as_str()) {
                    let described = described(option);
                    let known = self.options.iter().position(|(option, _)| *option == described);
                    let at = known.unwrap_or(self.options.len());
                    if at == self.options.len() {
                        self.options.push((described, Vec::new()));
                    }
                    self.options[at].1.push(if words.is_empty() { "privy" } else { words }.to_owned());
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
    let mut rows = Rows::default();
    rows.add(&command, "");
    assert!(rows.commands.len() > 20 && rows.options.len() > 50);
    let options = rows.options.iter().map(|((typed, help), commands)| {
        let is_general = commands.len() == rows.commands.len();
        row(&[typed, help, &if is_general { "all".to_owned() } else { commands.join(", ") }])
    });
    let options: String = options.collect();
    snapshot::check_part(PAGE, "commands", &(row(&["command", "purpose"]) + "|---|---|\n" + &rows.commands.concat()));
    snapshot::check_part(PAGE, "options", &(row(&["option", "meaning", "commands"]) + "|---|---|---|\n" + &options));
}
