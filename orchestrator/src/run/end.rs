//! The network's endpoint for a node: its process, its inputs and its reports.

use interlock_machine::wire::InputItem;

use super::inputs::Inputs;
use super::reports::Reports;
use crate::supervisor::Process;
use interlock_model::event::{CrashCause, Json};

/// The network's endpoint for a node.
#[derive(Debug, Default)]
pub(super) struct NodeEnd {
    pub inputs: Inputs,
    pub reports: Reports,
    /// Number of the node's present incarnation; 0 before the first incarnation.
    incarnation: u32,
    secret: String,
    process: Option<Process>,
    /// Whether the hello of the node has arrived.
    has_greeted: bool,
    /// The `seq` of the event that reported the latest pause. An earlier pause may have a time limit that expires
    /// now. Because of `paused_at`, the limit does not end the latest pause.
    paused_at: u64,
    /// Whether the run itself has ordered the crash of the process.
    crash_ordered: bool,
    /// How the process ended, as the operating system describes it.
    last_words: String,
    /// Number of inputs that the process must still handle before it is stopped. According to the schedule, these
    /// inputs precede the stop, although the event of the pause precedes their events.
    late: usize,
    /// How the process ends according to the schedule, if its end was not ordered.
    death: Option<String>,
}

impl NodeEnd {
    /// Begins a new incarnation, with a new secret and a first input. Returns the number of the incarnation.
    pub fn reborn(&mut self, secret: String, first: InputItem<Json>) -> u32 {
        let incarnation = self.incarnation + 1;
        let (mut inputs, mut reports) = (std::mem::take(&mut self.inputs), Reports::default());
        inputs.begin(first);
        reports.begin();
        *self = Self { inputs, reports, incarnation, secret, ..Self::default() };
        incarnation
    }

    pub const fn incarnation(&self) -> u32 {
        self.incarnation
    }

    /// Returns the secret of the node, which is empty before the first incarnation.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// Records that the process is running.
    pub fn spawned(&mut self, process: Process) {
        self.process = Some(process);
    }

    /// Records the hello of the node. Returns false if it has already arrived.
    pub const fn greeted(&mut self) -> bool {
        !std::mem::replace(&mut self.has_greeted, true)
    }

    pub const fn has_greeted(&self) -> bool {
        self.has_greeted
    }

    pub const fn process(&self) -> Option<&Process> {
        self.process.as_ref()
    }

    /// Records the `seq` of the event that reports a pause.
    pub const fn paused(&mut self, seq: u64) {
        self.paused_at = seq;
    }

    /// Whether event `seq` reported the latest pause.
    pub const fn was_paused_by(&self, seq: u64) -> bool {
        self.paused_at == seq
    }

    /// Makes the paused node handle `late` inputs before its process is stopped.
    pub const fn stop_after(&mut self, late: usize) {
        self.late = late;
    }

    /// Whether the node is paused, but must still handle inputs.
    pub const fn is_late(&self) -> bool {
        self.late > 0
    }

    /// Counts one of the inputs that precede the stop of the process. After the last input, returns the process,
    /// which must now be stopped.
    pub fn took_late(&mut self) -> Option<Process> {
        let is_last = self.late == 1;
        self.late = self.late.saturating_sub(1);
        self.process.clone().filter(|_| is_last)
    }

    /// Records that the crash of the process has been ordered. Returns the process; none if the process does not
    /// exist yet.
    pub fn order_crash(&mut self) -> Option<Process> {
        self.crash_ordered |= self.process.is_some();
        self.process.clone()
    }

    /// Determines how the process will end according to the schedule.
    pub fn will_die(&mut self, how: &str) {
        self.death = Some(how.to_owned());
    }

    /// Records how the process has ended. Returns the cause of the crash.
    pub fn exited(&mut self, how: &str) -> CrashCause {
        (self.process, self.has_greeted) = (None, false);
        how.clone_into(&mut self.last_words);
        match self.death.take() {
            Some(how) => CrashCause::Unexpected(how),
            None if self.crash_ordered => CrashCause::Ordered,
            None => CrashCause::Unexpected(how.to_owned()),
        }
    }

    /// Returns how the latest process ended, as the operating system describes it.
    pub fn last_words(&self) -> &str {
        &self.last_words
    }
}
