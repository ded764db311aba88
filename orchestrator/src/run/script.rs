//! What the specification says is done to a run, and when, done at that time.

use std::sync::Arc;
use std::time::Duration;

use interlock_node::wire::Order;

use super::{Core, Run, RunError};
use crate::event::{Ending, RestartState, What};
use crate::specification::{Action, Scripted, Span};

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

    async fn act(self: &Arc<Self>, action: &Action) -> Result<(), RunError> {
        let time = |span: &Span| Duration::from_micros(span.0);
        match action {
            Action::Acquire { node, lock, hold } => {
                self.acquire(*node, *lock, hold.as_ref().map(time), Duration::ZERO).await.map(drop)
            }
            Action::Release { node, lock } => self.release(*node, *lock).await.map(drop),
            Action::Elect { node } => self.ordered(*node, Order::Elect {}).await.map(drop),
            Action::Propose { node, instance, value } => {
                self.ordered(*node, Order::Propose { instance: *instance, value: value.clone() }).await.map(drop)
            }
            Action::Tell { from, to, hold } => {
                let hold_us = hold.map(|hold| hold.0);
                self.ordered(*from, Order::Tell { to: *to, asks: hold.is_some(), hold_us }).await.map(drop)
            }
            Action::Crash { node } => self.crash(*node).await.map(drop),
            Action::Restart { node, stored } => {
                let state = if *stored { RestartState::Stored } else { RestartState::None };
                self.restart(*node, state).await.map(drop)
            }
            Action::Pause { node } => self.pause(*node, None).await.map(drop),
            Action::Resume { node } => self.resume(*node).await.map(drop),
            Action::Link { from, to, patch } => self.with(|core| core.override_link(*from, *to, patch.clone())),
            Action::Partition(draft) => self.with(|core| core.add_partition(draft.clone())).map(drop),
            Action::Rule(draft) => self.with(|core| core.add_rule(draft.clone())).map(drop),
            Action::Heal {} => self.with(Core::heal_network),
        }
    }
}

impl Core {
    /// Something has been done as the script says, or could not be; so much is left to do.
    fn scripted(&mut self, left: usize, failed: Option<RunError>) {
        self.script_left = left;
        if let Some(error) = failed.filter(|_| !matches!(self.ended, Some(Ending::Stopped | Ending::Shutdown))) {
            self.emit_now(What::Noted { detail: format!("what the script says could not be done: {error}").into() });
        }
        self.settle();
    }
}
