//! Rows of the table, played on all cores.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::Serialize;

use super::cell::Cell;
use super::contender::Contender;
use super::fault::Fault;
use crate::field_error::FieldError;

/// A row: what an algorithm makes of each fault, over a channel and with a detector.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Row {
    /// The algorithm.
    pub algorithm: &'static str,
    /// Its variant.
    pub variant: &'static str,
    /// What lies above the links: `raw`, `fifo` or `reliable`.
    pub channel: &'static str,
    /// How processes know of each other's crashes: `none`, `perfect` or `heartbeat`.
    pub detector: &'static str,
    /// The cells, in the order of the columns; a fault that cannot happen to it has none.
    pub cells: Vec<Cell>,
}

/// Plays these rows, of each the columns asked for; in their order. `tick` is called after each cell.
///
/// # Errors
/// What is wrong with a scenario.
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
    let next = AtomicUsize::new(0);
    let work = || {
        let mut played = Vec::new();
        while let Some(&(row, fault)) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
            played.push((row, Cell::of(&contenders[row], fault)));
            tick();
        }
        played
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(cells.len());
    let played: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    let mut rows: Vec<Row> = contenders.iter().map(Row::of).collect();
    for (row, cell) in played {
        rows[row].cells.push(cell?);
    }
    for row in &mut rows {
        row.cells.sort_unstable_by_key(|cell| cell.fault);
    }
    Ok(rows)
}

impl Row {
    const fn of(contender: &Contender) -> Self {
        let Contender { entry, variant, channel, detector, .. } = contender;
        Self { algorithm: entry.name, variant: variant.name, channel, detector, cells: Vec::new() }
    }
}
