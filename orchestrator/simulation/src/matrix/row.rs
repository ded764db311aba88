//! Rows of the fault matrix, simulated on all cores.

use serde::Serialize;

use super::cell::Cell;
use super::contender::Contender;
use super::fault::Fault;
use crate::parallel::on_all_cores;
use interlock_model::field_error::FieldError;

/// A row: the fate of an algorithm under each fault, with a channel and a failure detector.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Row {
    /// The algorithm.
    pub algorithm: &'static str,
    /// The variant of the algorithm.
    pub variant: &'static str,
    /// The channel between the algorithm and the links: `raw`, `fifo` or `reliable`.
    pub channel: &'static str,
    /// The failure detector: `none`, `perfect` or `heartbeat`.
    pub detector: &'static str,
    /// The cells, in column order. If a fault is impossible for the algorithm, the row has no cell for it.
    pub cells: Vec<Cell>,
}

/// Simulates the given columns of these rows, and returns the rows in order. Calls `tick` after each cell.
///
/// # Errors
/// Returns the errors of a scenario.
pub fn play(
    contenders: &[Contender],
    faults: &[Fault],
    tick: &(impl Fn() + Sync),
) -> Result<Vec<Row>, Vec<FieldError>> {
    let cells: Vec<(usize, Fault)> = contenders
        .iter()
        .enumerate()
        .flat_map(|(row, contender)| {
            contender.faults().filter(|fault| faults.contains(fault)).map(move |fault| (row, fault))
        })
        .collect();
    let played = on_all_cores(cells.len(), |number| {
        let (row, fault) = cells[number];
        let cell = Cell::of(&contenders[row], fault);
        tick();
        (row, cell)
    });
    let mut rows: Vec<Row> = contenders.iter().map(Row::of).collect();
    for (row, cell) in played {
        rows[row].cells.push(cell?);
    }
    Ok(rows)
}

impl Row {
    const fn of(contender: &Contender) -> Self {
        let Contender { entry, variant, channel, detector, .. } = contender;
        Self { algorithm: entry.name, variant: variant.name, channel, detector, cells: Vec::new() }
    }
}
