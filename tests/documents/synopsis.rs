//! The synopsis of the command line, compared with the program's help.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::program;

/// Returns the help of the program for these words.
fn help(words: &[&str]) -> Result<String, String> {
    let output = Command::new(program()).args(words).arg("--help").output().map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    output.status.success().then_some(told).ok_or_else(|| format!("there is no `interlock {}`", words.join(" ")))
}

/// Returns the commands that `interlock --help` lists.
fn commands() -> Result<BTreeSet<String>, String> {
    let help = help(&[])?;
    let (_, list) = help.split_once("Commands:\n").ok_or("the help lists no commands")?;
    let names = list.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    Ok(names.filter(|name| *name != "help").map(str::to_owned).collect())
}

/// Returns the names of commands and options in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).filter(|word| !word.is_empty())
}

fn is_option(word: &str) -> bool {
    word.len() > 2 && word.starts_with("--")
}

/// Checks that each command of the synopsis exists and has the listed options, and that none is missing.
pub fn check(synopsis: &str) -> Result<(), String> {
    let mut missing = commands()?;
    for entry in synopsis.split("interlock ").filter(|entry| !entry.trim().is_empty()) {
        let words: Vec<&str> = words(entry).collect();
        missing.remove(words[0]);
        let command = if words.starts_with(&["node", "check"]) { &words[..2] } else { &words[..1] };
        let help = help(command)?;
        for option in words.iter().filter(|word| is_option(word)) {
            let known = self::words(&help).any(|word| word == *option);
            known.then_some(()).ok_or_else(|| format!("`interlock {}` has no {option}", command.join(" ")))?;
        }
    }
    let missing = Vec::from_iter(missing);
    missing.is_empty().then_some(()).ok_or_else(|| format!("there is nothing of `{}`", missing.join("`, `")))
}
