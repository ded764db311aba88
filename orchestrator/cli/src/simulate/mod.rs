//! `interlock simulate` and `interlock replay`: simulate runs or play schedules in virtual time, and print the
//! results.

mod csv;
pub mod events;
mod notation;
mod options;
mod perform;
mod plan;
mod plot;
mod refusal;
mod replay;
mod row;
mod script;
mod statistics;
mod table;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use interlock_algorithm::catalogue;

use super::{COULD_NOT, FAILED, OK, UNDECIDED, USAGE, terminal};
use interlock_model::specification::TimeOuts;
use interlock_simulation::simulation::{Report, Simulation};
pub use notation::Setting;
use options::Format;
pub use options::SimulateOptions;
use plan::Cell;
use refusal::{Misfit, Refusal};
pub use replay::ReplayOptions;
use row::{Judgement, Row};

/// Simulates the runs that the user has selected, and prints the results.
pub fn run(options: &SimulateOptions) -> ExitCode {
    ended(simulate(options))
}

/// Replays a schedule, and prints the result.
pub fn replay(options: &ReplayOptions) -> ExitCode {
    ended(replay::replay(options))
}

fn ended(done: Result<Judgement, Refusal>) -> ExitCode {
    match done {
        Ok(outcome) => ExitCode::from(match outcome {
            Judgement::Fine => OK,
            Judgement::Cut => UNDECIDED,
            Judgement::Wrong => FAILED,
        }),
        Err(refusal) => {
            terminal::complain(&refusal.to_string());
            ExitCode::from(if matches!(refusal, Refusal::Nonsense(_)) { USAGE } else { COULD_NOT })
        }
    }
}

fn simulate(options: &SimulateOptions) -> Result<Judgement, Refusal> {
    let cells = plan::plan(options)?;
    // The output files are created before the simulation starts. If a file cannot be created, the user then sees
    // the error at once instead of after hours.
    let events = create("--events", options.output.events.as_ref())?;
    let record = create("--record", options.output.record.as_ref())?;
    let plot = create("--plot", options.output.plot.as_ref())?;
    let runs: Vec<&Simulation> = cells.iter().flat_map(|cell| cell.runs.iter().flatten()).collect();
    warn(&cells);
    let reports = perform::perform(&runs).map_err(|refusal| Misfit::new("--algorithm", refusal.to_string()))?;
    if let (Some((file, path)), Some(report)) = (events, reports.first()) {
        events::write(file, &report.events).map_err(|cause| broken("--events", path, cause))?;
    }
    if let (Some((file, path)), Some(schedule)) = (record, reports.first().and_then(|report| report.schedule.as_ref()))
    {
        schedule.write(BufWriter::new(file)).map_err(|cause| broken("--record", path, cause.into()))?;
    }
    let rows = rows(&cells, reports, options.network.multicast);
    match write(options.output.format, &rows) {
        // A broken pipe is not an error: the reader of the output, such as `head`, has closed it because it needs no
        // further lines.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(broken("--format", Path::new("on standard output"), error));
        }
        _ => {}
    }
    if let Some((mut file, path)) = plot {
        file.write_all(plot::draw(&rows)?.as_bytes()).map_err(|cause| broken("--plot", path, cause))?;
    }
    Ok(rows.iter().map(|row| row.outcome).max().unwrap_or(Judgement::Fine))
}

/// Warns about time-outs that are shorter than the message delays.
fn warn(cells: &[Cell]) {
    for cell in cells {
        let Some(run) = cell.runs.iter().flatten().next() else { continue };
        for warning in TimeOuts::of(&run.specification, &run.script).warnings() {
            let Cell { algorithm, nodes, .. } = cell;
            terminal::complain(&format!("warning: {algorithm}, {nodes} nodes: {}", warning.sentence));
        }
    }
}

/// Creates the output file of an option, and returns the file and its path. If the option is not given, returns
/// none.
fn create<'a>(flag: &'static str, file: Option<&'a PathBuf>) -> Result<Option<(File, &'a PathBuf)>, Refusal> {
    let Some(path) = file else { return Ok(None) };
    File::create(path).map(|file| Some((file, path))).map_err(|cause| broken(flag, path, cause))
}

fn broken(flag: &'static str, path: &Path, cause: io::Error) -> Refusal {
    Refusal::File { flag, file: path.to_owned(), cause }
}

fn rows(cells: &[Cell], reports: Vec<Report>, multicast: bool) -> Vec<Row> {
    let mut reports = reports.into_iter();
    let row = |cell: &Cell| match &cell.runs {
        Ok(runs) => Row::of(&runs.iter().zip(reports.by_ref()).collect::<Vec<_>>(), multicast),
        Err(misfits) => {
            let why = misfits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            catalogue::find(&cell.algorithm).ok().map(|entry| Row::impossible(entry, cell.nodes, &why))
        }
    };
    cells.iter().filter_map(row).collect()
}

fn write(format: Format, rows: &[Row]) -> io::Result<()> {
    let mut out = if format == Format::Json { terminal::json() } else { terminal::text() };
    match (format, rows) {
        (Format::Table, rows) => table::write(&mut out, rows)?,
        (Format::Csv, rows) => csv::write(&mut out, rows)?,
        (Format::Json, [one]) => serde_json::to_writer_pretty(&mut out, &one.document)?,
        (Format::Json, rows) => {
            let documents: Vec<_> = rows.iter().map(|row| &row.document).collect();
            serde_json::to_writer_pretty(&mut out, &documents)?;
        }
    }
    if format == Format::Json {
        writeln!(out)?;
    }
    out.flush()
}
