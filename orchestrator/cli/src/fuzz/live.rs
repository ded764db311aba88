//! `interlock fuzz --chaos --live`: tests algorithms under random faults, with processes of the operating system.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indicatif::ProgressBar;
use interlock_evidence::fuzz::{Candidate, Failure, Footprint, Held, Soak, Tried, saved};
use interlock_machine::wire::Confinement;
use interlock_orchestrator::ephemeral::EphemeralPlayground;
use interlock_orchestrator::supervisor::raise_descriptor_limit;
use serde::Serialize;
use tokio::runtime::Builder;
use tokio::signal::unix::{SignalKind, signal};

use super::{Format, FuzzOptions, code_of_all, full_name, heading, progress, row};
use crate::{FAILED, OK, UNDECIDED};

/// Default duration of the test.
pub const USUAL_LENGTH: Duration = Duration::from_mins(30);

/// Results as a JSON document.
#[derive(Serialize)]
struct Told<'a> {
    tried: &'a [Tried],
    /// Resources that this process held before and after the test, or none if the test was interrupted.
    held: Option<Held>,
    /// Resources that finished runs have left behind, one sentence for each.
    left: &'a [String],
}

/// Runs the chosen variants in rounds until the duration is over, prints the results and returns the exit code.
///
/// # Errors
/// If the operating system cannot start processes, or the output cannot be written.
pub fn run(chosen: &[Candidate], options: &FuzzOptions, out: &mut impl Write) -> io::Result<u8> {
    raise_descriptor_limit()?;
    let program = std::env::current_exe()?;
    let length = options.length.unwrap_or(USUAL_LENGTH);
    let bar = progress(length.as_secs());
    let (soak, is_interrupted) = Builder::new_current_thread().enable_all().build()?.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let ephemeral = EphemeralPlayground::open(program, vec!["node".into()], Some(Confinement::default()))
            .await
            .map_err(io::Error::other)?;
        let ephemeral = Arc::new(ephemeral);
        let mut soak = Soak::new(Arc::clone(&ephemeral), chosen, options.first_seed);
        let tell = |soak: &Soak, failure: Option<&Failure>| show(&bar, soak, failure);
        let gone_on = tokio::select! {
            gone_on = soak.go_on(length, &tell) => gone_on.map(|()| false),
            _ = interrupt.recv() => Ok(true),
            _ = terminate.recv() => Ok(true),
        };
        ephemeral.close().await;
        gone_on.map(|is_interrupted| (soak, is_interrupted))
    })?;
    bar.finish_and_clear();
    if let Some(directory) = &options.save {
        soak.failures().try_for_each(|failure| saved::save_lived(directory, failure))?;
    }
    let left = soak.held().map(|held| held.before.left_behind(held.after)).unwrap_or_default();
    tell(&soak, &left, options, out)?;
    advise(&soak, options.save.as_deref());
    Ok(code(&soak, &left, is_interrupted))
}

/// Updates the progress bar. Prints a failure at once, since the table is printed only at the end.
fn show(bar: &ProgressBar, soak: &Soak, failure: Option<&Failure>) {
    if let Some(Failure { candidate, seed, because, .. }) = failure {
        bar.suspend(|| eprintln!("{}, seed {seed}: {because}", full_name(*candidate)));
    }
    bar.set_position(bar.elapsed().as_secs());
    bar.set_message(format!("{} runs, {} failures", soak.runs(), soak.failures().count()));
}

fn tell(soak: &Soak, left: &[String], options: &FuzzOptions, out: &mut impl Write) -> io::Result<()> {
    let tried = soak.tried();
    if options.format == Format::Json {
        serde_json::to_writer_pretty(&mut *out, &Told { tried: &tried, held: soak.held(), left })?;
        return writeln!(out);
    }
    let width = heading(out, "runs", tried.iter().map(|tried| (tried.algorithm, tried.variant)))?;
    tried.iter().try_for_each(|tried| row(out, width, tried))?;
    if let Some(held) = soak.held() {
        writeln!(out, "{}", balance(held))?;
    }
    left.iter().try_for_each(|left| writeln!(out, "LEFT BEHIND: {left}"))
}

/// Formats the resources that this process held before and after the test as one line.
fn balance(Held { before, after }: Held) -> String {
    let mib = |Footprint { memory_kib, .. }: Footprint| memory_kib.div_ceil(1024);
    format!(
        "file descriptors: {} before, {} after; memory: {} MiB before, {} MiB after; child processes left: {}",
        before.descriptors,
        after.descriptors,
        mib(before),
        mib(after),
        after.children
    )
}

/// If a run failed, prints the command that replays the first failure.
fn advise(soak: &Soak, directory: Option<&Path>) {
    let Some(failure) = soak.failures().next() else { return };
    let name = saved::name(failure.candidate.entry.name, failure.candidate.variant.name, failure.seed);
    let file = directory.unwrap_or(Path::new("DIR")).join(name).with_added_extension("scenario.json");
    let how = if directory.is_some() { "" } else { "with --save DIR, " };
    let (file, name) = (file.display(), full_name(failure.candidate));
    eprintln!("to play {name} again: {how}interlock run {file}, or in virtual time interlock run {file} --simulate");
}

fn code(soak: &Soak, left: &[String], is_interrupted: bool) -> u8 {
    if !left.is_empty() {
        return FAILED;
    }
    match code_of_all(soak.tried().iter().map(|tried| tried.verdict)) {
        OK if is_interrupted => UNDECIDED,
        code => code,
    }
}
