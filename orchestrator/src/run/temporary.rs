//! What is done to a run for a time only: it is undone by itself.

use std::sync::Arc;
use std::time::Duration;

use interlock_model::network::Lost;
use interlock_model::process_status::ProcessStatus;
use tokio::time::sleep;

use super::temporary_change::Temporary;
use super::{Core, Run};

impl Run {
    /// Undoes something after this time, unless it is undone before, or the run is over by then.
    pub fn undo_after(self: &Arc<Self>, span: Duration, what: Temporary) {
        self.with(|core| core.lasts_for_a_time(what));
        let run = Arc::clone(self);
        self.hub.spawn(async move {
            tokio::select! {
                () = sleep(span) => run.undo(what).await,
                () = run.until(|core| core.ended.is_some()) => {}
            }
        });
    }

    async fn undo(&self, what: Temporary) {
        // Somebody may have undone it by hand meanwhile, or ended the run.
        let _ = match what {
            Temporary::Partition(id) => self.with(|core| core.remove_partition(id)),
            Temporary::Rule(id) => self.with(|core| core.remove_rule(id)),
            Temporary::Pause { node, told } => self.resume_process(node, Some(told)).await.map(drop),
        };
    }
}

impl Core {
    fn lasts_for_a_time(&mut self, what: Temporary) {
        let mut temporary = std::mem::take(&mut self.temporary);
        temporary.retain(|other| self.still_lasts(*other));
        temporary.push(what);
        self.temporary = temporary;
        self.settle();
    }

    /// How many things will be undone by themselves that set something in motion then: while there is one, the run is not
    /// stuck and waits for no hand. The end of a rule moves nothing, nor does that of a partition that holds no message
    /// and keeps no heartbeat away.
    pub(super) fn motions_to_come(&self) -> usize {
        let sets_in_motion = |what: &&Temporary| {
            let moves = match what {
                Temporary::Partition(_) => {
                    self.observation.state().network().held() > 0 || !self.observation.state().cut_off().is_empty()
                }
                Temporary::Rule(_) => false,
                Temporary::Pause { .. } => true,
            };
            moves && self.still_lasts(**what)
        };
        self.temporary.iter().filter(sets_in_motion).count()
    }

    fn still_lasts(&self, what: Temporary) -> bool {
        match what {
            Temporary::Partition(id) => {
                self.network.partition(id).is_some_and(|partition| partition.lost == Lost::Hold)
            }
            Temporary::Rule(id) => self.network.has_rule(id),
            Temporary::Pause { node, told } => {
                self.status(node) == ProcessStatus::Paused && self.nodes[node.index()].paused_at == told
            }
        }
    }
}
