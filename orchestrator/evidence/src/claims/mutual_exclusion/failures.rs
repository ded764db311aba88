//! The fault matrix: the effect of each fault on each algorithm. All cells are simulated, and some are also checked
//! with live processes.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use interlock_algorithm::catalogue::ENTRIES;
use interlock_simulation::matrix::{self, Cell, Clock, Contender, FAULTS, Fate, Fault, Lost, Row};

use super::super::live::Playground;
use super::{CouldNotRun, Finding, Measurement};

/// Results of the fault matrix: whether the assumptions of the algorithms are sufficient, and which assumptions are
/// necessary.
#[derive(Debug, Default)]
struct Shown {
    /// Number of cells with each fate, from the best to the worst fate.
    fates: [usize; 3],
    /// Cells whose fate is not safe and live although all assumptions hold.
    not_enough: Vec<String>,
    /// Cells in which an assumption does not hold, and whose fate is worse than this assumption may cost.
    worse: Vec<String>,
    /// Assumptions whose need no cell shows: without them, the fate of each cell is still safe and live. The few runs
    /// of a cell miss rare cases, such as a duplicate that matches a later request. Explorations show them.
    not_needed: Vec<String>,
    /// Number of cells in which an assumption does not hold, and whose fate is better than this assumption may cost.
    better: usize,
}

impl Shown {
    fn by(contenders: &[Contender]) -> Result<Self, CouldNotRun> {
        let rows = matrix::play(contenders, &FAULTS, &|| ()).map_err(CouldNotRun::refused)?;
        let mut shown = Self::default();
        let mut needed: BTreeMap<(&str, &str, Lost), bool> = BTreeMap::new();
        for (row, cell) in rows.iter().flat_map(|row| row.cells.iter().map(move |cell| (row, cell))) {
            shown.count(row, cell);
            // If several assumptions do not hold in a cell, the cell does not show which of the assumptions was
            // needed.
            if let [lost] = cell.lost[..] {
                *needed.entry((row.algorithm, row.variant, lost)).or_default() |= cell.fate != Fate::SafeAndLive;
            }
        }
        let idle = needed.into_iter().filter(|(_, is_needed)| !is_needed);
        shown.not_needed =
            idle.map(|((algorithm, variant, lost), _)| format!("{algorithm}/{variant} {lost:?}")).collect();
        Ok(shown)
    }

    fn count(&mut self, row: &Row, cell: &Cell) {
        if cell.runs == 0 {
            return;
        }
        self.fates[cell.fate as usize] += 1;
        let Row { algorithm, variant, channel, detector, .. } = row;
        let name = || format!("{algorithm}/{variant} over {channel}, detector {detector}: {}", cell.fault.name());
        match cell.fate.cmp(&cell.expected) {
            Ordering::Greater if cell.lost.is_empty() => self.not_enough.push(name()),
            Ordering::Greater => self.worse.push(name()),
            Ordering::Less => self.better += 1,
            Ordering::Equal => {}
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fates: [live, stuck, two], not_enough, worse, not_needed, better } = self;
        write!(formatter, "{} cells: {live} safe and live, {stuck} safe but stuck, {two} unsafe", live + stuck + two)?;
        write!(formatter, "; worse although all is kept: {not_enough:?}; worse than what is lost may cost: {worse:?}")?;
        write!(formatter, "; measured only: {better} cells are better, and no cell needs {not_needed:?}")
    }
}

/// The expectation, which follows from the assumptions in the catalogue. No list of exceptions is part of it.
const EXPECTED: &str = "from the assumptions in the catalogue: a cell in which all hold is safe and live, and no cell is \
     worse than the assumptions that its fault takes away may cost. Measured only: which cells are better than that, and \
     which assumptions no cell needs";

pub(super) fn simulated() -> Measurement {
    let shown = Shown::by(&matrix::contenders().collect::<Vec<_>>())?;
    Ok(Finding {
        expected: EXPECTED.into(),
        measured: shown.to_string(),
        holds: shown.not_enough.is_empty() && shown.worse.is_empty(),
    })
}

/// Negative control: cells of faulty variants, with the assumptions of the correct variants. The control holds if
/// these assumptions are sufficient for one of the faulty variants.
pub(super) fn simulated_broken() -> Measurement {
    let mut enough = Vec::new();
    for (algorithm, variant) in BROKEN {
        let entry = ENTRIES.iter().find(|entry| entry.name == algorithm);
        let found = entry.and_then(|entry| Some((entry, entry.variants.iter().find(|one| one.name == variant)?)));
        let (entry, variant) = found.ok_or_else(|| CouldNotRun::because(format!("no {algorithm}/{variant}")))?;
        let like = matrix::contenders().find(|row| row.entry.name == algorithm);
        let like = like.ok_or_else(|| CouldNotRun::because(format!("no {algorithm}")))?;
        if Shown::by(&[Contender { entry, variant, ..like }])?.not_enough.is_empty() {
            enough.push(variant.name);
        }
    }
    Ok(Finding {
        expected: EXPECTED.into(),
        measured: format!("of {} wrong variants, these are right: {enough:?}", BROKEN.len()),
        holds: !enough.is_empty(),
    })
}

/// Faulty variants that fail in any run that has enough entries.
const BROKEN: [(&str, &str); 4] = [
    ("bakery", "no-choosing"),
    ("centralised", "no-exclusion"),
    ("lamport", "no-ack"),
    ("ricart-agrawala", "no-timestamps"),
];

/// Cells whose fate does not depend on timing: algorithm, variant, channel, detector, fault and fate.
const LIVE: [(&str, &str, &str, &str, Fault, Fate); 10] = [
    ("lamport", "any-later-message", "raw", "none", Fault::Nothing, Fate::SafeAndLive),
    ("ricart-agrawala", "lamport-clock", "raw", "none", Fault::CrashOfHolder, Fate::SafeButStuck),
    ("ricart-agrawala", "remove-dead", "raw", "perfect", Fault::CrashOfHolder, Fate::SafeAndLive),
    ("ricart-agrawala", "remove-dead", "raw", "perfect", Fault::WrongSuspicion, Fate::Unsafe),
    ("ricart-agrawala", "remove-dead", "raw", "perfect", Fault::RestartWithoutState, Fate::SafeAndLive),
    ("centralised", "arrival-order", "raw", "none", Fault::CrashOfSpecial, Fate::SafeButStuck),
    ("maekawa", "succession", "raw", "perfect", Fault::CrashOfSpecial, Fate::SafeAndLive),
    ("suzuki-kasami", "fifo-queue", "raw", "none", Fault::CrashOfHolder, Fate::SafeButStuck),
    ("lamport", "any-later-message", "reliable", "none", Fault::Partition, Fate::SafeAndLive),
    ("bakery", "pull", "raw", "none", Fault::Pause, Fate::SafeAndLive),
];

/// Runs the scenario of a cell with live processes, and returns the fate.
fn played(row: (&str, &str, &str, &str), fault: Fault, playground: &Playground) -> Result<Fate, CouldNotRun> {
    let is_it = |one: &Contender| (one.entry.name, one.variant.name, one.channel, one.detector) == row;
    let contender = matrix::contenders().find(is_it).ok_or_else(|| CouldNotRun::because(format!("no row {row:?}")))?;
    let findings = playground.carry_out(contender.scenario(fault, Clock::Wall))?;
    let could_not = || CouldNotRun::because(format!("the fault could not happen: {:?}", findings.failure));
    matrix::fate(&findings, &contender, fault).ok_or_else(could_not)
}

pub(super) fn live(playground: &Playground) -> Measurement {
    let mut others = Vec::new();
    for (algorithm, variant, channel, detector, fault, fate) in LIVE {
        let found = played((algorithm, variant, channel, detector), fault, playground)?;
        if found != fate {
            others.push(format!("{algorithm}/{variant} over {channel}, {}: {}", fault.name(), found.words()));
        }
    }
    Ok(Finding {
        expected: format!("{} cells live as in the simulated table, of each fate some", LIVE.len()),
        measured: format!("others: {others:?}"),
        holds: others.is_empty(),
    })
}

/// Negative control: similar cells of variants without a repair for the fault. The control holds if one of them is
/// safe and live.
pub(super) fn live_without(playground: &Playground) -> Measurement {
    let without = [
        (("ricart-agrawala", "lamport-clock", "raw", "none"), Fault::CrashOfWaiter),
        (("lamport", "any-later-message", "raw", "none"), Fault::CrashOfHolder),
    ];
    let mut live = Vec::new();
    for (row, fault) in without {
        if played(row, fault, playground)? == Fate::SafeAndLive {
            live.push(row.0);
        }
    }
    Ok(Finding {
        expected: format!("{} cells live as in the simulated table, of each fate some", LIVE.len()),
        measured: format!("without a repair, safe and live: {live:?}"),
        holds: !live.is_empty(),
    })
}
