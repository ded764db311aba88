//! Temporary changes of a run, which are undone automatically.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::temporary_change::Temporary;
use super::{Core, Run};

impl Run {
    /// Undoes the change `what` after the time `span`. If the change has been undone or the run has ended by then,
    /// does nothing.
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
        self.temporary.add(what, &self.log, &self.network, &self.nodes);
        self.settle();
    }
}
