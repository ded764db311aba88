//! The existing units and the claims of the processes, as users write them.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::configuration::{Configuration, Refusal, Subject};

/// The existing units in the example of the lecture (adapted there from Tanenbaum, "Modern Operating Systems").
pub(super) const EXISTING: &str = "6,3,4,2";
/// The claims of the five processes in the lecture's example. A claim is the units that the process holds (first
/// table of the lecture) plus the units that it still needs (second table).
const CLAIMS: &str = "4,1,1,1;0,2,1,2;4,2,1,0;1,1,1,1;2,1,1,0";
/// The default of parameter `claims`: the lecture's claims if the run has the lecture's processes and units. Otherwise
/// each process claims one unit of each resource.
pub(super) const AUTO: &str = "auto";
/// Maximum number of units of a resource.
pub(super) const MOST: u32 = 1_000_000;

/// The existing units, and the maximum claim of each process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tables {
    pub existing: Vec<u32>,
    pub claims: Vec<Vec<u32>>,
}

impl Tables {
    /// Reads the tables of a configuration.
    pub fn of(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let existing = existing(configuration)?;
        let locks = configuration.locks as usize;
        if existing.len() != locks {
            let detail = format!("{} numbers for {locks} resources; write one for each", existing.len());
            return Err(refused("existing", detail, &[&entries(locks)]));
        }
        let claims = claims(configuration, &existing)?;
        Ok(Self { existing, claims })
    }
}

/// Returns the number of resources that parameter `existing` lists, if it is valid.
pub(super) fn resources(configuration: &Configuration<'_>) -> u32 {
    existing(configuration).ok().and_then(|existing| u32::try_from(existing.len()).ok()).unwrap_or(4)
}

fn given(configuration: &Configuration<'_>, name: &str) -> Option<String> {
    configuration.parameters.get(name).map(ToString::to_string)
}

fn existing(configuration: &Configuration<'_>) -> Result<Vec<u32>, Refusal> {
    let text = given(configuration, "existing").unwrap_or_else(|| EXISTING.into());
    row("existing", &text)
}

fn claims(configuration: &Configuration<'_>, existing: &[u32]) -> Result<Vec<Vec<u32>>, Refusal> {
    let nodes = configuration.nodes as usize;
    let text = given(configuration, "claims").filter(|text| text != AUTO);
    let text = match text {
        Some(text) => text,
        None if nodes == 5 && existing == [6, 3, 4, 2] => CLAIMS.into(),
        None => return Ok((0..nodes).map(|_| existing.iter().map(|&units| units.min(1)).collect()).collect()),
    };
    let mut rows = text.split(';').map(|text| row("claims", text)).collect::<Result<Vec<_>, _>>()?;
    if rows.len() > nodes {
        let detail = format!("{} rows for {nodes} processes; write at most one for each", rows.len());
        return Err(refused("claims", detail, &[AUTO]));
    }
    for (process, row) in rows.iter().enumerate() {
        check(process, row, existing)?;
    }
    // Processes without a row claim nothing.
    rows.resize_with(nodes, || existing.iter().map(|_| 0).collect());
    Ok(rows)
}

fn check(process: usize, row: &[u32], existing: &[u32]) -> Result<(), Refusal> {
    if row.len() != existing.len() {
        let detail =
            format!("row {process} has {} numbers for {} resources; write one for each", row.len(), existing.len());
        return Err(refused("claims", detail, &[&entries(existing.len()), AUTO]));
    }
    match row.iter().zip(existing).position(|(claim, existing)| claim > existing) {
        Some(lock) => {
            let (claim, most) = (row[lock], existing[lock]);
            let detail = format!(
                "process {process} claims {claim} units of resource {lock}, of which there are {most}; the nearest is \
                 {most}"
            );
            Err(refused("claims", detail, &[&format!("0 … {most}")]))
        }
        None => Ok(()),
    }
}

fn row(name: &str, text: &str) -> Result<Vec<u32>, Refusal> {
    text.split(',').map(|number| units(name, number.trim())).collect()
}

fn units(name: &str, text: &str) -> Result<u32, Refusal> {
    let all = format!("0 … {MOST}");
    let Ok(number) = text.parse::<i128>() else {
        return Err(refused(name, format!("`{text}` is not a whole number"), &[&all]));
    };
    match u32::try_from(number) {
        Ok(units) if units <= MOST => Ok(units),
        _ => {
            let nearest = if number < 0 { 0 } else { MOST };
            let detail = format!("{number} is outside {all}; the nearest is {nearest}");
            Err(refused(name, detail, &[&all]))
        }
    }
}

fn entries(count: usize) -> String {
    format!("{count} numbers with commas between them")
}

fn refused(name: &str, detail: String, allowed: &[&str]) -> Refusal {
    Refusal::new(Subject::Parameter(name.into()), detail, allowed.to_vec())
}
