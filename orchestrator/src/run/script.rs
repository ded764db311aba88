//! What the specification says is done to a run, and when, done at that time.
//!
//! One thing is done after the other, each to its end: the next one begins when what was ordered has been taken. Only
//! what is ordered of a paused process waits at that process, and the script goes on.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::process::PATIENCE;
use super::{ByHand, Core, Run, RunError};
use interlock_model::event::{Ending, RestartState};
use interlock_model::impossible::Impossible;
use interlock_model::specification::{Action, MessageName, Scripted};

impl Run {
    /// Does what the script says, each at its time, until all is done or the run is over.
    pub(super) async fn play_script(self: Arc<Self>) {
        let mut script = self.specification.script.clone();
        script.sort_by_key(|scripted| scripted.at);
        let began_us = self.with(|core| core.clock.now_us());
        for (place, Scripted { at, action }) in script.iter().enumerate() {
            let now_us = self.with(|core| core.clock.now_us());
            let due = began_us.saturating_add(at.0).saturating_sub(now_us);
            tokio::select! {
                () = tokio::time::sleep(Duration::from_micros(due)) => {}
                () = self.until(|core| core.ended.is_some()) => return,
            }
            let done = self.act(action).await;
            let left = script.len() - place - 1;
            self.with(|core| core.scripted(left, done.err()));
        }
    }

    /// Does one thing to its end.
    async fn act(self: &Arc<Self>, action: &Action) -> Result<(), RunError> {
        match action {
            Action::Crash { node } => drop(self.crash(*node).await?),
            Action::Restart { node, stored } => {
                let state = if *stored { RestartState::Stored } else { RestartState::None };
                self.restart(*node, state).await?;
            }
            Action::Pause { node } => drop(self.pause(*node, None).await?),
            Action::Resume { node } => drop(self.resume(*node).await?),
            Action::Heal {} => drop(self.heal().await?),
            action => self.with(|core| core.act(action))?,
        }
        for node in action.reaches(self.specification.nodes) {
            // A node that hangs is not waited for longer.
            let _ = timeout(PATIENCE, self.taken(node)).await;
        }
        Ok(())
    }
}

impl Core {
    /// Does what needs no process to be started, signalled or awaited.
    fn act(&mut self, action: &Action) -> Result<(), RunError> {
        if let Some((node, order)) = action.order() {
            return self.order(node, order).map(drop);
        }
        match action {
            Action::Fire { node, timer } => self.fire(*node, timer),
            Action::Deliver(MessageName(message)) => self.handle(*message, ByHand::Deliver).map(drop),
            Action::Lose(MessageName(message)) => self.handle(*message, ByHand::Drop).map(drop),
            Action::Duplicate(MessageName(message)) => self.handle(*message, ByHand::Duplicate).map(drop),
            Action::Network { default } => self.patch_default(default).map(drop),
            Action::Link { from, to, patch } => self.override_link(*from, *to, patch.clone()),
            Action::Partition(draft) => self.add_partition(draft.clone()).map(drop),
            Action::Rule(draft) => self.add_rule(draft.clone()).map(drop),
            _ => Ok(()),
        }
    }

    /// Something has been done as the script says, or could not be; so much is left to do.
    fn scripted(&mut self, left: usize, failed: Option<RunError>) {
        self.script_left = left;
        if let Some(error) = failed.filter(|_| !matches!(self.ended, Some(Ending::Stopped | Ending::Shutdown))) {
            self.note(Impossible::noted(&error));
        }
        self.settle();
    }
}
