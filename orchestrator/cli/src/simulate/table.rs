//! Prints the results as text. Each algorithm with each number of nodes has one row. A single row is printed as a list
//! of figures, several rows as a table.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use interlock_algorithm::LockUse;
use serde_json::Value;

use super::row::Row;

/// Maximum number of nodes for which the handled messages are printed node by node.
const MOST_SHOWN: usize = 20;

/// Prints all rows.
pub fn write(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    match rows {
        [one] if one.value("/impossible").is_null() => single(out, one),
        rows => several(out, rows),
    }
}

fn single(out: &mut impl Write, row: &Row) -> io::Result<()> {
    writeln!(out, "{}", title(row))?;
    let unit = row.value("/unit").as_str().unwrap_or_default();
    let mut table = bare();
    let mut line = |name: &str, value: String, remark: &str| {
        table.add_row([name.to_owned(), value, remark.to_owned()]);
    };
    let formula = format!("in theory: {}", row.entry.messages_per_entry);
    let has_locks = row.entry.locks != LockUse::None;
    if has_locks {
        line("entries", figure(row, "/entries"), &left_out(row));
        line("messages per entry", figure(row, "/messages_per_entry"), &formula);
    } else {
        line("messages", figure(row, "/messages"), &formula);
    }
    for (kind, _) in row.value("/messages_by_kind").as_object().into_iter().flatten() {
        line(&format!("  {kind}"), figure(row, &format!("/messages_by_kind/{kind}")), "");
    }
    for (name, field, remark) in HAPPENINGS {
        if row.number(field).is_some_and(|count| count > 0.0) {
            line(name, figure(row, field), remark);
        }
    }
    for (name, field) in DELAYS.into_iter().filter(|_| has_locks) {
        let [mean, p50, p99, max] = ["mean", "p50", "p99", "max"].map(|part| figure(row, &format!("/{field}/{part}")));
        line(name, mean, &format!("{unit} on average; half ≤ {p50}, 99 % ≤ {p99}, all ≤ {max}"));
    }
    if has_locks {
        line(
            "longest gap",
            figure(row, "/longest_gap"),
            &format!("{unit} in which a process waits and the critical section is free"),
        );
        line("throughput", figure(row, "/throughput"), &format!("entries per {unit}"));
        line("fairness", figure(row, "/fairness"), "Jain's index: 1 is even");
        line("largest bypass", figure(row, "/bypass_max"), "entries of others after a request has arrived");
        line("entries between", figure(row, "/entries_between/max"), "of others, at most, between two of one process");
        if row.number("/timestamp_inversions").is_some() {
            line("timestamps", figure(row, "/timestamp_inversions"), "pairs granted out of their order");
        }
        line("real time", figure(row, "/real_time_inversions"), "pairs granted out of their order");
    }
    line("handled per node", handled(row), "messages");
    line("ended at", figure(row, "/ended_at"), unit);
    line("verdict", verdict(row), "");
    writeln!(out, "{}", table.trim_fmt())?;
    explain(out, std::slice::from_ref(row))
}

/// Counts that are printed in addition to the entries: name, field of the document, and remark. A count of 0 is
/// not printed.
const HAPPENINGS: [(&str, &str, &str); 3] = [
    ("aborts", "/aborts", "aborted requests"),
    ("elections", "/elections", "called"),
    ("decisions", "/decisions", "times that a node has learnt the chosen value"),
];

/// The delays: name in the output, and field of the document.
const DELAYS: [(&str, &str); 3] = [
    ("client delay", "client_delay"),
    ("synchronisation delay", "synchronisation_delay"),
    ("response time", "response_time"),
];

/// The columns of figures in a table of several rows: head of the column, and field of the document.
const FIGURES: [(&str, &str); 8] = [
    ("client delay", "/client_delay/mean"),
    ("synch. delay", "/synchronisation_delay/mean"),
    ("response", "/response_time/mean"),
    ("p99", "/response_time/p99"),
    ("throughput", "/throughput"),
    ("fairness", "/fairness"),
    ("bypass", "/bypass_max"),
    ("entries", "/entries"),
];

fn several(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let mut table = bare();
    let first = ["algorithm", "in theory", "N", "messages/entry"];
    table.set_header(first.into_iter().chain(FIGURES.map(|(name, _)| name)).chain(["left out", "verdict"]));
    for row in rows {
        let mut cells = vec![name(row), row.entry.messages_per_entry.to_owned()];
        cells.extend(["/nodes", "/messages_per_entry"].map(|pointer| figure(row, pointer)));
        cells.extend(FIGURES.map(|(_, pointer)| figure(row, pointer)));
        cells.push(["/warm_up", "/cool_down"].map(|pointer| figure(row, pointer)).join(" + "));
        cells.push(verdict(row));
        table.add_row(cells);
    }
    for column in table.column_iter_mut().skip(2).take(FIGURES.len() + 3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{}", table.trim_fmt())?;
    if let Some(unit) = rows.iter().find_map(|row| row.value("/unit").as_str()) {
        writeln!(out, "Delays are means in {unit}, throughput is entries per {unit}.")?;
        writeln!(out, "Left out: number of first entries (warm-up) and of last entries, when clients stop.")?;
    }
    explain(out, rows)
}

/// Prints explanations of the figures, and remarks about single rows.
fn explain(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let ran = || rows.iter().filter(|row| row.value("/impossible").is_null());
    if let Some(row) = ran().next() {
        if row.value("/unit") == "T" {
            writeln!(out, "T = {}, the mean latency of a message.", shown(row.value("/T")))?;
        }
        if row.value("/multicast") == true {
            writeln!(out, "A multicast counts as one message.")?;
        }
        if let Some(repeat) = row.value("/repeat").as_u64() {
            writeln!(out, "Means over {repeat} runs, ± half the 95 % confidence interval (Student's t).")?;
        }
    }
    for row in ran() {
        let place = format!("{}, N = {}", name(row), row.value("/nodes"));
        if row.number("/set_up_messages").is_some_and(|count| count > 0.0) {
            let set_up = figure(row, "/set_up_messages");
            writeln!(out, "{place}: {set_up} messages of the set-up do not count as costs of entries.")?;
        }
        if row.value("/watched_by_monitors") == false {
            writeln!(out, "{place}: too many nodes for the monitors, so violations were not detected.")?;
        }
        for found in row.value("/found").as_array().into_iter().flatten() {
            let sentence = found["sentence"].as_str().unwrap_or_default();
            let seed = found["seed"].as_u64().map(|seed| format!(", seed {seed}")).unwrap_or_default();
            writeln!(out, "{place}{seed}, event {}: {sentence}", found["seq"])?;
        }
    }
    Ok(())
}

fn bare() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table
}

fn name(row: &Row) -> String {
    match row.value("/variant").as_str() {
        Some(variant) if row.entry.variants.len() > 1 => format!("{} ({variant})", row.entry.name),
        _ => row.entry.name.to_owned(),
    }
}

fn title(row: &Row) -> String {
    let text = |pointer: &str| row.value(pointer).as_str().unwrap_or("–").to_owned();
    let (nodes, seed) = (row.value("/nodes"), row.value("/seed"));
    let (idle, hold, latency) = (text("/workload/idle"), text("/workload/hold"), text("/network/delay"));
    format!("{}, {nodes} nodes, seed {seed}: idle {idle}, hold {hold}, latency {latency}", name(row))
}

fn left_out(row: &Row) -> String {
    match (figure(row, "/warm_up").as_str(), figure(row, "/cool_down").as_str()) {
        ("0", "0") => "all entries are measured, including the first and the last".to_owned(),
        (warm_up, "0") => format!("the first {warm_up} entries are left out (warm-up)"),
        ("0", cool_down) => format!("the last {cool_down} entries are left out"),
        (warm_up, cool_down) => {
            format!("left out: the first {warm_up} entries (warm-up) and the last {cool_down}, when clients stop")
        }
    }
}

fn verdict(row: &Row) -> String {
    if let Some(why) = row.value("/impossible").as_str() {
        return format!("not possible: {why}");
    }
    let mut words = Vec::new();
    // `violations` includes the stuck runs, but the table reports these runs separately, with the word `stuck`.
    let stuck = row.value("/stuck").as_u64().unwrap_or(0);
    match row.value("/violations").as_u64().map(|all| all.saturating_sub(stuck)) {
        None | Some(0) => {}
        Some(1) => words.push("1 violation".to_owned()),
        Some(several) => words.push(format!("{several} violations")),
    }
    if stuck > 0 {
        words.push("stuck".to_owned());
    }
    if let Some(cut) = row.value("/cut").as_str() {
        words.push(format!("cut short: {}", cut.replace('-', " ")));
    }
    if words.is_empty() {
        let watched = row.value("/watched_by_monitors") == true;
        words.push(if watched { "no violation" } else { "not watched" }.to_owned());
    }
    words.extend(row.value("/warnings").as_array().into_iter().flatten().filter_map(|warning| {
        let parameter = warning["parameter"].as_str()?;
        Some(format!("delays beyond `{parameter}`"))
    }));
    words.join(", ")
}

/// Returns the number of messages that each node handled. If there are many nodes, returns the minimum, the maximum
/// and the mean instead.
fn handled(row: &Row) -> String {
    let counts: Vec<f64> =
        row.value("/handled_per_node").as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
    if counts.len() <= MOST_SHOWN {
        return counts.iter().map(|&count| rounded(count)).collect::<Vec<_>>().join(" ");
    }
    let least = counts.iter().copied().fold(f64::INFINITY, f64::min);
    let most = counts.iter().copied().fold(0.0, f64::max);
    let mean = super::statistics::mean(&counts).unwrap_or_default();
    format!("{} … {}, mean {}", rounded(least), rounded(most), rounded(mean))
}

/// Formats a figure. If the figure has a confidence interval, adds half the width of the interval.
fn figure(row: &Row, pointer: &str) -> String {
    let text = shown(row.value(pointer));
    match row.half_width(pointer) {
        Some(half) => format!("{text} ± {}", rounded(half)),
        None => text,
    }
}

fn shown(value: &Value) -> String {
    value.as_f64().map_or_else(|| "–".to_owned(), rounded)
}

/// Formats a number with at most four decimals and without trailing zeros.
fn rounded(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
