//! Temporary changes of a run, which are undone automatically.

use std::sync::Arc;
use std::time::Duration;

use interlock_model::network::Lost;
use interlock_model::process_status::ProcessStatus;
use tokio::time::sleep;

use super::temporary_change::Temporary;
use super::{Core, Run};

impl Run {
    /// Undoes a change after this time. If the change is undone earlier, or the run ends earlier, does nothing.
    pub fn undo_after(self: &Arc<Self>, span: Duration, what: Temporary) {
        self.with(|core| core.lasts_for_a_time(what));
        let run = Arc::clone(self);
        self.hub.spawn(async move {
            tokio::select! {
                () = sleep(span) => run.undo(what).await,
                () = run.until(Core::is_ended) => {}
            }
        });
    }

    async fn undo(&self, what: Temporary) {
        // An error is harmless: a client may have undone the change or ended the run in the meantime.
        let _ = match what {
            Temporary::Partition(id) => self.with(|core| core.remove_partition(id)),
            Temporary::Rule(id) => self.with(|core| core.remove_rule(id)),
            Temporary::Pause { node, told } => self.resume_process(node, Some(told)).await.map(drop),
        };
    }
}

impl Core {
    pub(super) fn lasts_for_a_time(&mut self, what: Temporary) {
        let mut temporary = std::mem::take(&mut self.temporary);
        temporary.retain(|other| self.still_lasts(*other));
        temporary.push(what);
        self.temporary = temporary;
        self.settle();
    }

    /// Returns the number of temporary changes whose end can cause further events. While there is such a change,
    /// the run is not stuck and does not wait for a manual action. The end of a rule causes no events. The end of
    /// a partition releases the messages that the partition holds, and permits heartbeats that the partition has
    /// blocked.
    pub(super) fn motions_to_come(&self) -> usize {
        self.temporary.iter().filter(|what| self.still_lasts(**what) && self.moves_at_its_end(**what)).count()
    }

    fn moves_at_its_end(&self, what: Temporary) -> bool {
        let state = self.log.state();
        match what {
            Temporary::Partition(id) => {
                let holds = self.network.partition(id).is_some_and(|partition| partition.lost == Lost::Hold);
                holds && state.network().held() > 0 || !state.cut_off().is_empty()
            }
            Temporary::Rule(_) => false,
            Temporary::Pause { .. } => true,
        }
    }

    fn still_lasts(&self, what: Temporary) -> bool {
        match what {
            Temporary::Partition(id) => self.network.partition(id).is_some(),
            Temporary::Rule(id) => self.network.has_rule(id),
            Temporary::Pause { node, told } => {
                self.log.status(node) == ProcessStatus::Paused && self.nodes[node].was_paused_by(told)
            }
        }
    }
}
