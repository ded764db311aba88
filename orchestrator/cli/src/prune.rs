//! `interlock prune`: deletes finished runs of the open playground.

use std::io::Write;
use std::process::ExitCode;

use clap::{ArgGroup, Args};
use jiff::Timestamp;

use super::age::{Age, ago};
use super::playground::{Address, Api, AskError, RunSummary, ended};
use super::terminal::{self, PipeTolerant};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "A run in progress is never deleted.

Exit codes:
  0  the runs are deleted, or there was nothing to delete
  3  no playground answers, or a run cannot be deleted";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES, group = ArgGroup::new("chosen").required(true).multiple(true))]
pub struct PruneOptions {
    /// Address of the playground
    #[command(flatten)]
    address: Address,
    /// Minimum age of the runs to delete, since they began, such as `30m`, `12h` or `7d`; needed without `--keep`
    #[arg(long, value_name = "AGE", group = "chosen")]
    older: Option<Age>,
    /// Number of the newest finished runs to keep; needed without `--older`
    #[arg(long, value_name = "NUMBER", group = "chosen")]
    keep: Option<usize>,
    /// Only print which runs would be deleted
    #[arg(long)]
    dry_run: bool,
}

/// Deletes the selected runs.
pub fn run(options: &PruneOptions) -> ExitCode {
    ended(prune(options))
}

fn prune(PruneOptions { address, older, keep, dry_run }: &PruneOptions) -> Result<(), AskError> {
    let api = Api::at(&address.playground)?;
    let all = api.runs()?;
    let (now, count) = (Timestamp::now(), all.len());
    let chosen = chosen(all, *older, keep.unwrap_or(0), now);
    let mut out = PipeTolerant(terminal::text());
    let mut gone = 0;
    for run in &chosen {
        match if *dry_run { Ok(()) } else { api.delete(&["runs", &run.id.to_string()]) } {
            Ok(()) => gone += 1,
            // Another client has deleted the run first.
            Err(error) if error.is_gone() => continue,
            Err(error) => return Err(error),
        }
        let begun = ago(now.as_second().saturating_sub(run.created_at.as_second()));
        let verb = if *dry_run { "would be deleted" } else { "deleted" };
        writeln!(out, "{}  {}, started {begun}, {verb}", run.id, run.name)?;
    }
    writeln!(out, "{gone} of {count} runs {}", if *dry_run { "would be deleted" } else { "deleted" })?;
    Ok(out.flush()?)
}

/// Returns the runs to delete, the newest first.
fn chosen(mut all: Vec<RunSummary>, older: Option<Age>, keep: usize, now: Timestamp) -> Vec<RunSummary> {
    all.retain(|run| run.status != "running");
    all.sort_by_key(|run| std::cmp::Reverse(run.created_at));
    let is_old = |run: &RunSummary| older.is_none_or(|Age(age)| now.duration_since(run.created_at) >= age);
    all.into_iter().skip(keep).filter(is_old).collect()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::playground::Specified;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).expect("a time")
    }

    fn begun(seconds: i64, status: &str) -> RunSummary {
        let specification = Specified { algorithm: "lamport".to_owned(), variant: "explicit-ack".to_owned(), nodes: 3 };
        let (id, name, status) = (Uuid::nil(), format!("{seconds}"), status.to_owned());
        RunSummary { id, name, status, verdict: None, entries: None, created_at: at(seconds), specification }
    }

    #[test]
    fn what_is_over_and_old_and_not_among_the_newest_goes() {
        let all = || vec![begun(10, "stopped"), begun(40, "failed"), begun(20, "running"), begun(30, "stopped")];
        let names = |older: Option<&str>, keep: usize| -> Vec<String> {
            let older = older.map(|age| age.parse().expect("an age"));
            chosen(all(), older, keep, at(60)).into_iter().map(|run| run.name).collect()
        };
        assert_eq!(names(None, 1), ["30", "10"]);
        assert_eq!(names(Some("30s"), 0), ["30", "10"]);
        assert_eq!(names(Some("31s"), 0), ["10"]);
        assert_eq!(names(Some("31s"), 3), [""; 0]);
        assert_eq!(names(Some("1s"), 2), ["10"]);
        assert_eq!(names(Some("1m"), 0), [""; 0]);
    }
}
