//! Prints a run that cannot be expressed as a schedule as a table. It has one row for each configuration and one
//! column for each variable. Each cell lists the values of the variable in all processes.

use std::collections::BTreeSet;
use std::io::{self, Write};

use interlock_algorithm::{Value, View};
use interlock_exploration::{InTransit, Row, Stabilisation, Table};

/// Prints the table. If the run repeats forever, also prints the row with which the repetition begins.
pub fn write(table: &Table, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "no schedule can express this run, so it is a table and cannot be replayed:")?;
    let names: BTreeSet<&str> = table
        .rows
        .iter()
        .flat_map(|row| &row.processes)
        .flat_map(|view| view.variables.keys())
        .map(|name| &**name)
        .collect();
    for (number, row) in table.rows.iter().enumerate() {
        writeln!(out, "  {number:>3}  {}", in_words(row, &names))?;
    }
    match table.again {
        Some(again) => writeln!(out, "the last row equals row {again}, so the run repeats forever"),
        None => Ok(()),
    }
}

/// Prints how many configurations are legitimate and illegitimate, and the maximum number of steps until
/// stabilisation.
pub fn tell(stabilisation: &Stabilisation, out: &mut impl Write) -> io::Result<()> {
    let Stabilisation { legitimate, illegitimate, most_steps } = stabilisation;
    let most = match most_steps {
        Some(most) => format!("at most {most} steps until there is exactly one"),
        None => "no bound on the steps until there is exactly one: unfair schedules delay it".to_owned(),
    };
    writeln!(out, "{legitimate} configurations with exactly one privilege, {illegitimate} with more; {most}")
}

fn in_words(row: &Row, names: &BTreeSet<&str>) -> String {
    let mut words: Vec<String> = names.iter().map(|name| variable(&row.processes, name)).collect();
    words.extend(row.privileges.map(|privileges| format!("{privileges} privileges")));
    if !row.in_transit.is_empty() {
        words.push(format!("in transit {}", row.in_transit.iter().map(message).collect::<Vec<_>>().join(", ")));
    }
    let after = row.after.as_ref().map(|after| format!("  ({after})")).unwrap_or_default();
    words.join("  ") + &after
}

/// Formats the values of a variable in all processes. For a Boolean variable, lists the processes in which the
/// variable is true.
fn variable(processes: &[View], name: &str) -> String {
    let values = || processes.iter().map(|view| view.variables.get(name));
    if values().all(|value| matches!(value, None | Some(Value::Flag(_)))) {
        let whose = values().enumerate().filter(|(_, value)| *value == Some(&Value::Flag(true)));
        let whose: Vec<String> = whose.map(|(node, _)| format!("P{node}")).collect();
        return format!("{name} {}", if whose.is_empty() { "nobody".to_owned() } else { whose.join(" ") });
    }
    let value = |value: Option<&Value>| match value {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Text(text)) => text.clone(),
        Some(other) => serde_json::to_string(other).unwrap_or_default(),
        None => "–".to_owned(),
    };
    format!("{name} {}", values().map(value).collect::<Vec<_>>().join(" "))
}

fn message(in_transit: &InTransit) -> String {
    let InTransit { from, to, message } = in_transit;
    format!("{}{} {from}→{to}", message["kind"].as_str().unwrap_or("message"), message["body"])
}
