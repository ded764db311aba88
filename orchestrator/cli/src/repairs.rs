//! `interlock repairs`: prints what each repair costs from a fault to the next entry. Each cost is measured, and
//! computed in theory.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use interlock_model::field_error::FieldErrors;
use interlock_simulation::matrix::Contender;
use interlock_simulation::repair_cost::{
    self, Cost, FAULTS, FEWEST, Formula, MOST, Measured, RepairCost, SEEDS, SETTLED, Verdict,
};

use super::contenders::{named, told};
use super::terminal::fail;
use super::{COULD_NOT, FAILED, OK, USAGE};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  each cost is as in theory
  1  a cost is not as in theory, or no process entered
  2  there is no such repair
  3  a run could not be played";

/// Which repairs to play, with how many processes, and in which format to print them.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct RepairsOptions {
    /// Algorithms, or variants of them, such as suzuki-kasami or le-lann/time-out [default: all that repair something]
    #[arg(value_name = "ALGORITHM[/VARIANT]")]
    rows: Vec<String>,
    /// Numbers of processes
    #[arg(long, value_delimiter = ',', default_value = "5,20,100", value_parser = nodes())]
    nodes: Vec<u32>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

fn nodes() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(i64::from(FEWEST)..=i64::from(MOST))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table for people
    Table,
    /// JSON for scripts, with the messages by kind
    Json,
    /// CSV for spreadsheets, a line for each repair, fault and number of processes
    Csv,
}

/// Plays the selected repairs, and prints their costs.
pub fn run(options: &RepairsOptions) -> ExitCode {
    let chosen = match named(repair_cost::repairs().collect(), &options.rows, "the table of repairs") {
        Ok(chosen) => chosen,
        Err(unknown) => return fail(&unknown, USAGE),
    };
    let mut nodes = options.nodes.clone();
    nodes.sort_unstable();
    nodes.dedup();
    let faults = |contender: &Contender| FAULTS.iter().filter(|fault| fault.is_repaired_by(contender)).count();
    let bar = progress(chosen.iter().map(faults).sum::<usize>() * nodes.len());
    let rows = repair_cost::play(&chosen, &nodes, &|| bar.inc(1));
    bar.finish_and_clear();
    let rows = match rows {
        Ok(rows) => rows,
        Err(errors) => return fail(&FieldErrors(errors), COULD_NOT),
    };
    match write(&mut io::stdout().lock(), &rows, &nodes, options.format) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&error, COULD_NOT),
        _ => ExitCode::from(code(&rows)),
    }
}

fn code(rows: &[RepairCost]) -> u8 {
    if rows.iter().all(|row| row.verdict.is_well()) { OK } else { FAILED }
}

/// Returns a progress bar on standard error. If standard error is not a terminal, the bar is hidden.
fn progress(length: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len}  {elapsed}");
    ProgressBar::new(length as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn write(out: &mut impl Write, rows: &[RepairCost], nodes: &[u32], format: Format) -> io::Result<()> {
    match format {
        Format::Table => table(out, rows, nodes),
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, rows).map_err(io::Error::from).and_then(|()| writeln!(out))
        }
        Format::Csv => csv(out, rows),
    }
}

/// Widths in the printed table, for the name of a fault, the name of a measured quantity, and a figure. `GROUP` is
/// the minimum total width of all figures of one kind.
const NAME: usize = 18;
const WHAT: usize = 10;
const FIGURE: usize = 7;
const GROUP: usize = 16;

/// Prints a block for each repair. In a block, each fault has two lines of figures and, if necessary, a line with
/// an explanation.
fn table(out: &mut impl Write, rows: &[RepairCost], nodes: &[u32]) -> io::Result<()> {
    let heads: Vec<String> = nodes.iter().map(|nodes| format!("N={nodes}")).collect();
    let (width, heads) = (group(&heads).chars().count(), group(&heads));
    let left = NAME + WHAT;
    writeln!(out, "{:left$}{:>width$}   {:>width$}   in theory,", "", "after the fault", "without fault")?;
    writeln!(out, "{:left$}{heads}   {heads}   after the fault", "")?;
    for repair in rows.chunk_by(|one, next| (one.algorithm, one.variant) == (next.algorithm, next.variant)) {
        writeln!(
            out,
            "{}/{}{}{}",
            repair[0].algorithm,
            repair[0].variant,
            told(repair[0].detector),
            time_outs(repair)
        )?;
        repair.chunk_by(|one, next| one.fault == next.fault).try_for_each(|of_fault| block(out, of_fault))?;
    }
    legend(out, rows)
}

/// Lists the time-outs of a repair with their lengths. A time-out that depends on the number of processes has
/// several lengths.
fn time_outs(repair: &[RepairCost]) -> String {
    let length = |name: &String| {
        let mut lengths: Vec<_> = repair.iter().filter_map(|row| row.time_outs.get(name)).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths.iter().map(|length| f64::from(**length).to_string()).collect::<Vec<_>>().join(" … ")
    };
    repair[0].time_outs.keys().map(|name| format!(", {name} {} T", length(name))).collect::<Vec<_>>().concat()
}

/// Prints the costs of repairing one fault, for each number of processes.
fn block(out: &mut impl Write, rows: &[RepairCost]) -> io::Result<()> {
    let messages = |cost: &Cost| cost.messages.to_string();
    let time = |cost: &Cost| f64::from(cost.time).to_string();
    let fault = format!(" {}", rows[0].fault.name());
    line(out, &fault, "messages", rows, messages, |row| row.theory.messages.as_ref())?;
    line(out, "", "time", rows, time, |row| row.theory.time.as_ref())?;
    let because = rows[0].theory.because;
    if because.is_empty() { Ok(()) } else { writeln!(out, "   {because}") }
}

fn line<'a>(
    out: &mut impl Write,
    name: &str,
    what: &str,
    rows: &'a [RepairCost],
    of: impl Fn(&Cost) -> String,
    theory: impl Fn(&'a RepairCost) -> Option<&'a Formula>,
) -> io::Result<()> {
    let all = |came: fn(&RepairCost) -> &Measured| -> Vec<String> {
        rows.iter().map(|row| came(row).cost().map_or_else(|| word(came(row)).to_owned(), &of)).collect()
    };
    let (after, without) = (all(|row| &row.measured), all(|row| &row.without));
    let formulas: Vec<Option<&Formula>> = rows.iter().map(theory).collect();
    let values = formulas.iter().flatten().map(|formula| formula.value.to_string());
    let theory = match formulas.first() {
        Some(Some(formula)) if values.clone().eq(after.iter().cloned()) => format!("= {}", formula.words),
        Some(Some(formula)) => format!("NOT {}: {}", formula.words, values.collect::<Vec<_>>().join(" ")),
        _ => "–".to_owned(),
    };
    writeln!(out, "{name:NAME$}{what:WHAT$}{}   {}   {theory}", group(&after), group(&without))
}

/// Formats the figures of one kind side by side.
fn group(figures: &[String]) -> String {
    let all = figures.iter().map(|figure| format!("{figure:>FIGURE$}")).collect::<Vec<_>>().concat();
    format!("{all:>GROUP$}")
}

/// Returns the word that is printed instead of the cost if a measurement has none.
const fn word(measured: &Measured) -> &'static str {
    match measured {
        Measured::Entered(_) => "",
        Measured::Varied { .. } => "varied",
        Measured::NobodyEntered => "nobody",
        Measured::TwoInside => "TWO",
    }
}

fn legend(out: &mut impl Write, rows: &[RepairCost]) -> io::Result<()> {
    writeln!(out)?;
    for fault in FAULTS.iter().filter(|fault| rows.iter().any(|row| row.fault == **fault)) {
        writeln!(out, "{:NAME$}{}", fault.name(), fault.words())?;
    }
    let count = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    writeln!(
        out,
        "\nAll messages from the fault to the next entry, including those of circulating tokens; equal in \
         {SEEDS} runs.\n\
         Time in units of T, the delay of every message. P1 is in the critical section, for {SETTLED} T; \
         only P(N-2) waits.\n\
         Without fault: P1 leaves, no process crashes, nothing is lost. +told: processes are notified of crashes \
         at once\n\
         {} as in theory, {} otherwise, {} without a theory, {} without an entry",
        count(Verdict::AsInTheory),
        count(Verdict::Differs),
        count(Verdict::NoTheory),
        count(Verdict::NoCost),
    )
}

/// Columns of the CSV format.
const COLUMNS: [&str; 12] = [
    "algorithm",
    "variant",
    "detector",
    "fault",
    "nodes",
    "messages",
    "time",
    "messages_without_fault",
    "time_without_fault",
    "messages_in_theory",
    "time_in_theory",
    "verdict",
];

fn csv(out: &mut impl Write, rows: &[RepairCost]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    for row in rows {
        let of = |measured: &Measured| {
            let cost = measured.cost();
            let messages = cost.map_or_else(|| word(measured).to_owned(), |cost| cost.messages.to_string());
            [messages, cost.map(|cost| f64::from(cost.time).to_string()).unwrap_or_default()]
        };
        let value = |formula: &Option<Formula>| formula.as_ref().map(|formula| formula.value.to_string());
        let verdict = serde_json::to_value(row.verdict)?;
        let mut record: Vec<String> =
            [row.algorithm, row.variant, row.detector, row.fault.name()].map(str::to_owned).into();
        record.push(row.nodes.to_string());
        record.extend(of(&row.measured).into_iter().chain(of(&row.without)));
        record.extend([&row.theory.messages, &row.theory.time].map(|formula| value(formula).unwrap_or_default()));
        record.push(verdict.as_str().unwrap_or_default().to_owned());
        writer.write_record(record)?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<RepairCost> {
        let named = |row: &Contender| row.entry.name == "suzuki-kasami";
        repair_cost::play(&repair_cost::repairs().filter(named).collect::<Vec<_>>(), &[5, 6], &|| ()).expect("rows")
    }

    fn written(rows: &[RepairCost], format: Format) -> String {
        let mut out = Vec::new();
        write(&mut out, rows, &[5, 6], format).expect("written");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_cost_that_is_not_what_it_is_in_theory_is_shown_and_told_by_the_exit_code() {
        let mut rows = rows();
        assert_eq!(code(&rows), OK);
        assert!(written(&rows, Format::Table).contains("= 3(N−2) + 1"));
        let formula = rows[1].theory.messages.as_mut().expect("a formula");
        formula.value += 1;
        rows[1].verdict = Verdict::of(&rows[1].measured, &rows[1].without, &rows[1].theory);
        let table = written(&rows, Format::Table);
        assert!(table.contains("NOT 3(N−2) + 1: 10 14") && table.contains(" 1 otherwise"), "{table}");
        assert!(written(&rows, Format::Csv).contains(",14,3,differs\n"));
        assert_eq!(code(&rows), FAILED);
    }

    #[test]
    fn where_nobody_enters_there_is_no_cost() {
        let mut rows = rows();
        rows[0].measured = Measured::NobodyEntered;
        rows[0].verdict = Verdict::of(&rows[0].measured, &rows[0].without, &rows[0].theory);
        let table = written(&rows, Format::Table);
        assert!(table.contains(" nobody") && table.ends_with(" 1 without an entry\n"), "{table}");
        assert!(written(&rows, Format::Csv).contains(",5,nobody,,"), "{}", written(&rows, Format::Csv));
        assert_eq!(code(&rows), FAILED);
    }

    #[test]
    fn what_has_no_theory_is_no_failure() {
        let mut rows = rows();
        for row in &mut rows {
            row.theory = repair_cost::Theory::default();
            row.verdict = Verdict::of(&row.measured, &row.without, &row.theory);
        }
        assert!(written(&rows, Format::Table).lines().nth(3).is_some_and(|line| line.ends_with("   –")));
        assert_eq!(code(&rows), OK);
    }
}
