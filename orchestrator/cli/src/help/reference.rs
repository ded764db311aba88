//! Pages of the guide that are generated from the program: the commands, and the tables of algorithms.

use std::fmt::Write;
use std::iter;

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use interlock_algorithm::Entry;
use interlock_algorithm::catalogue::ENTRIES;
use interlock_api::catalogue::in_words;

use super::ONLY;
use super::usage::{GROUPS, Usage};

/// Text of the page before the first command.
const INTRODUCTION: &str = "# Commands

This page lists the commands with their options, two examples and their exit codes. `interlock COMMAND --help` prints
the same for one command. [Exit codes](exit-codes.md) compares the codes of all commands.

- `RUN` is the id of a run, its name if no other run has that name, or `latest`.
- `SIZE` is a number with a unit: `KiB`, `MiB` or `GiB`.
- `TIME` is a number with a unit: `us`, `ms`, `s` or `m`. `AGE` is a number with `s`, `m`, `h` or `d`.
- A command line that cannot be read ends with exit code 2.
";

/// Returns the page of the guide that describes the commands, in Markdown.
#[must_use]
pub fn page() -> String {
    let mut all = crate::command();
    all.build();
    let mut page = INTRODUCTION.to_owned();
    for group in &GROUPS {
        let _ = write!(page, "\n## {}\n", group.heading);
        for usage in group.commands {
            let Some(command) = all.find_subcommand(usage.name) else { continue };
            describe(&mut page, command.find_subcommand(ONLY).unwrap_or(command), usage);
        }
    }
    page
}

/// Returns the lines about exit codes in the help of a command. Each line begins with the code.
pub(super) fn exit_codes(command: &Command) -> Vec<String> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let codes = help.split_once("Exit codes:\n").map_or("", |(_, codes)| codes);
    let is_code = |line: &&str| line.trim_start().starts_with(|first: char| first.is_ascii_digit());
    codes.lines().take_while(is_code).map(|line| line.trim().to_owned()).collect()
}

fn describe(page: &mut String, command: &Command, usage: &Usage) {
    let name = command.get_bin_name().unwrap_or(usage.name).trim_start_matches("interlock ");
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let line = command.clone().render_usage().to_string();
    let line = line.trim_start_matches("Usage: ");
    let _ = write!(page, "\n### {name}\n\n{about}.\n\n`{line}`\n\n");
    for (line, what) in usage.examples {
        let _ = writeln!(page, "- `{line}`: {what}");
    }
    table(page, ["argument or option", "meaning"], command.get_arguments().filter(is_shown).map(argument));
    let deeds = command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    table(page, ["action", "meaning"], deeds.flat_map(deed));
    let codes = exit_codes(command);
    let codes = codes.iter().filter_map(|line| line.split_once("  "));
    table(page, ["exit code", "meaning"], codes.map(|(code, meaning)| [code.to_owned(), meaning.to_owned()]));
}

fn table(page: &mut String, heads: [&str; 2], rows: impl Iterator<Item = [String; 2]>) {
    let mut rows = rows.peekable();
    if rows.peek().is_some() {
        let _ = write!(page, "\n| {} | {} |\n|---|---|\n", heads[0], heads[1]);
    }
    for [first, second] in rows {
        let _ = writeln!(page, "| {} | {} |", first.replace('|', "\\|"), second.replace('|', "\\|"));
    }
}

fn is_shown(argument: &&Arg) -> bool {
    !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str())
}

/// Returns a table row for an argument or option: its name, and its meaning with the possible values and the
/// default.
fn argument(argument: &Arg) -> [String; 2] {
    let name = argument.to_string();
    let mut meaning = argument.get_help().map(ToString::to_string).unwrap_or_default().replace('\n', " ");
    let values = argument.get_possible_values();
    let values: Vec<&str> = values.iter().filter(|value| !value.is_hide_set()).map(PossibleValue::get_name).collect();
    if !values.is_empty() && argument.get_action().takes_values() {
        let _ = write!(meaning, " [possible values: {}]", values.join(", "));
    }
    let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && argument.get_action().takes_values() {
        let _ = write!(meaning, " [default: {}]", defaults.join(","));
    }
    [format!("`{name}`"), meaning]
}

/// Returns the table rows for an action of `interlock do`: its usage and meaning, and then a row for each of its
/// options.
fn deed(command: &Command) -> impl Iterator<Item = [String; 2]> {
    let usage = command.clone().render_usage().to_string();
    let name = command.get_name();
    let place = usage.find(&format!(" {name} ")).map_or(0, |place| place + 1);
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let options = command.get_opts().filter(|option| is_shown(option) && !option.is_global_set()).map(argument);
    let options = options.map(move |[option, meaning]| [format!("`{name} {}", &option[1..]), meaning]);
    iter::once([format!("`{}`", &usage[place..]), about]).chain(options)
}

/// Heading above the table of each family of algorithms in the page.
const FAMILIES: [(&str, &str); 4] = [
    ("mutual-exclusion", "## Mutual exclusion"),
    ("election", "## Elections"),
    ("deadlock", "## Deadlock handling"),
    ("agreement", "## Agreement"),
];

/// Returns a page of the guide in which the rows of the algorithm tables are replaced by rows from the catalogue.
/// The heading above a table determines its family of algorithms.
#[must_use]
pub fn with_algorithms(page: &str) -> String {
    let mut made = String::new();
    let mut family = None;
    for line in page.lines() {
        if line.starts_with("## ") {
            family = FAMILIES.iter().find(|(_, heading)| *heading == line).map(|(family, _)| *family);
        }
        let is_row = line.starts_with("| `");
        if !(is_row && family.is_some()) {
            made.push_str(line);
            made.push('\n');
        }
        if let Some(family) = family.filter(|_| line.starts_with("|---")) {
            let entries = ENTRIES.iter().filter(|entry| entry.family == family);
            entries.for_each(|entry| made.push_str(&row(entry)));
        }
    }
    made
}

fn row(entry: &Entry) -> String {
    let variant = |name: &str, is_faulty: bool| if is_faulty { format!("*{name}*") } else { format!("`{name}`") };
    let variants: Vec<_> = entry.variants.iter().map(|one| variant(one.name, one.broken.is_some())).collect();
    let assumes: Vec<_> = in_words(&entry.assumes).into_iter().filter(|phrase| !phrase.starts_with('`')).collect();
    let (source, variants, assumes) = (entry.source, variants.join(", "), assumes.join(", "));
    let (name, kinds, messages) = (entry.name, entry.message_kinds.join(", "), entry.messages_per_entry);
    let (authors, year) = (source.authors, source.year);
    format!("| `{name}` | {authors}, {year} | {variants} | {assumes} | {kinds} | {messages} |\n")
}
