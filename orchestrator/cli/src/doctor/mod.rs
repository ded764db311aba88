//! `interlock doctor`: checks whether this machine has what a playground needs, and prints one line for each
//! subject.

mod confinement;
mod folder;
mod machine;
mod processes;
mod programs;

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{COULD_NOT, OK, terminal};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  everything necessary is available
  3  something necessary is missing";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct DoctorOptions {
    /// Folder for the journals of the runs [default: the folder that `interlock` uses]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

/// Result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    /// Subject of the check.
    subject: &'static str,
    verdict: Verdict,
    /// Result in words, with advice if something is missing.
    detail: String,
}

/// Verdict of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Available.
    Ok,
    /// Not available, and not needed for a playground.
    Optional,
    /// Not available, and needed for a playground.
    Missing,
}

impl Finding {
    fn ok(subject: &'static str, detail: impl Into<String>) -> Self {
        Self { subject, verdict: Verdict::Ok, detail: detail.into() }
    }

    fn optional(subject: &'static str, detail: impl Into<String>) -> Self {
        Self { subject, verdict: Verdict::Optional, detail: detail.into() }
    }

    fn missing(subject: &'static str, detail: impl Into<String>) -> Self {
        Self { subject, verdict: Verdict::Missing, detail: detail.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, verdict, detail } = self;
        let verdict = match verdict {
            Verdict::Ok => "ok",
            Verdict::Optional => "optional",
            Verdict::Missing => "missing",
        };
        write!(formatter, "{verdict:<8}  {subject:<16}  {detail}")
    }
}

/// Runs all checks and prints the findings.
pub fn run(options: &DoctorOptions) -> ExitCode {
    // `machine::descriptors` raises the limit of open files, as a playground does. This must happen before the
    // checks of processes, which may need the higher limit.
    let mut findings =
        vec![folder::look(options.data_dir.as_ref()), machine::descriptors(), machine::sockets(), machine::clock()];
    findings.extend(processes::look());
    findings.extend([confinement::look(), programs::look()]);
    match write(&findings) {
        // A broken pipe is not an error: the reader of the output, such as `head`, has closed it because it needs no
        // further lines.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            terminal::complain(&format!("cannot write the findings: {error}"));
            ExitCode::from(COULD_NOT)
        }
        _ if findings.iter().any(|finding| finding.verdict == Verdict::Missing) => ExitCode::from(COULD_NOT),
        _ => ExitCode::from(OK),
    }
}

fn write(findings: &[Finding]) -> io::Result<()> {
    let mut out = terminal::text();
    findings.iter().try_for_each(|finding| writeln!(out, "{finding}"))
}
