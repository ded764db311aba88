//! The help of the command line: commands in groups, each with examples and exit codes.

pub mod reference;
mod usage;

use std::fmt::Write;

use clap::Command;
use usage::{GROUPS, Usage};

/// The only subcommand of `node` that is meant for people. The help of this subcommand shows the examples of
/// `node`.
const ONLY: &str = "check";

/// Adds the groups and the examples of the commands to the help of the command line.
#[must_use]
pub fn described(all: Command) -> Command {
    let list = list(&all);
    let header = *all.get_styles().get_header();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n{{options}}\n\n\
         `interlock COMMAND --help` describes a command.\n"
    );
    let usages = GROUPS.iter().flat_map(|group| group.commands);
    usages.fold(all.help_template(template), |all, usage| {
        all.mut_subcommand(usage.name, |command| {
            if command.find_subcommand(ONLY).is_some() {
                command.mut_subcommand(ONLY, |command| with_examples(command, usage))
            } else {
                with_examples(command, usage)
            }
        })
    })
}

/// Returns the list of commands for the help: each group with its heading, and one line for each command.
fn list(all: &Command) -> String {
    let (header, literal) = (all.get_styles().get_header(), all.get_styles().get_literal());
    let width = all.get_subcommands().map(|command| command.get_name().len()).max().unwrap_or(0);
    let mut list = String::new();
    for group in &GROUPS {
        let _ = writeln!(list, "{header}{}:{header:#}", group.heading);
        for command in group.commands.iter().filter_map(|usage| all.find_subcommand(usage.name)) {
            let (name, about) = (command.get_name(), command.get_about().map(ToString::to_string).unwrap_or_default());
            let _ = write!(list, "  {literal}{name:width$}{literal:#}  {about}");
            command.get_visible_aliases().for_each(|alias| list.extend([" [alias: ", alias, "]"]));
            list.push('\n');
        }
        list.push('\n');
    }
    list
}

/// Adds the examples to the help of a command, before the exit codes.
fn with_examples(command: Command, usage: &Usage) -> Command {
    let header = command.get_styles().get_header();
    let mut examples = format!("{header}Examples:{header:#}\n");
    for (line, what) in usage.examples {
        let _ = writeln!(examples, "  {line}\n      {what}");
    }
    let rest = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command.after_help(format!("{examples}\n{rest}"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::command;

    #[test]
    fn each_command_is_in_one_group_with_examples_that_can_be_read() {
        let listed: Vec<&str> = GROUPS.iter().flat_map(|group| group.commands).map(|usage| usage.name).collect();
        let all = command();
        let shown: BTreeSet<&str> =
            all.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name).collect();
        assert_eq!((listed.len(), BTreeSet::from_iter(listed)), (shown.len(), shown));
        for usage in GROUPS.iter().flat_map(|group| group.commands) {
            for (line, what) in usage.examples {
                assert_eq!(read(line).as_deref(), Ok(usage.name), "{line}");
                assert!(what.starts_with(char::is_lowercase) && !what.ends_with('.'), "{what}");
            }
        }
        assert!(read("interlock ps --form json").is_err());
    }

    /// Parses a command line and returns the name of its command. Text in quotation marks is one word.
    fn read(line: &str) -> Result<String, String> {
        let line = line.strip_prefix("source <(").map_or(line, |line| line.trim_end_matches(')'));
        let words = line.split('\'').enumerate().flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().collect(),
            _ => vec![part],
        });
        let words = words.take_while(|word| *word != ">");
        let matches = command().try_get_matches_from(words).map_err(|error| error.to_string())?;
        Ok(matches.subcommand_name().unwrap_or("serve").to_owned())
    }

    #[test]
    fn each_command_says_its_exit_codes_one_a_line() {
        let all = command();
        let shown = all.get_subcommands().filter(|command| !command.is_hide_set());
        for described in shown.map(|command| command.find_subcommand(ONLY).unwrap_or(command)) {
            let codes = reference::exit_codes(described);
            assert!(codes.len() >= 2 && codes[0].starts_with("0  "), "{}: {codes:?}", described.get_name());
        }
    }
}
