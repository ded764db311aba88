//! Execution of a specification's script, in which each action has a time.
//!
//! The actions are executed one after the other: an action begins when the nodes have handled the inputs of the
//! previous action. If a node is paused, its inputs wait, and the script continues.

use std::sync::Arc;
use std::time::Duration;

use interlock_algorithm::NodeId;
use tokio::time::{sleep, timeout};

use super::driver::Driver;
use super::process::PATIENCE;
use super::{Core, Run, RunError};
use interlock_model::choice::{Choice, MessageName, NetworkChange, Removal};
use interlock_model::event::Ending;
use interlock_model::impossible::{Impossible, noted};
use interlock_model::network::{LinkOverride, LinkPatch};
use interlock_model::specification::Scripted;

impl Run {
    /// Executes each action of the script at its time, until the script is complete or the run is over.
    pub(super) async fn play_script(self: Arc<Self>) {
        let mut script = self.specification.script.clone();
        script.sort_by_key(|scripted| scripted.at);
        let began_us = self.with(|core| core.time.now_us());
        for (place, Scripted { at, choice }) in script.iter().enumerate() {
            let now_us = self.with(|core| core.time.now_us());
            let due = began_us.saturating_add(at.0).saturating_sub(now_us);
            tokio::select! {
                () = sleep(Duration::from_micros(due)) => {}
                () = self.until(Core::is_ended) => return,
            }
            let done = self.apply(choice).await;
            let left = script.len() - place - 1;
            self.with(|core| core.scripted(left, done.err()));
        }
    }

    /// Executes an action, and waits until the nodes have handled its inputs.
    pub(super) async fn apply(self: &Arc<Self>, choice: &Choice) -> Result<(), RunError> {
        match choice {
            Choice::Crash { node } => drop(self.crash(*node).await?),
            Choice::Restart { node, state } => drop(self.restart(*node, *state).await?),
            Choice::Pause { node } => drop(self.pause(*node, None).await?),
            Choice::Resume { node } => drop(self.resume(*node).await?),
            Choice::Heal {} => drop(self.heal().await?),
            choice => self.with(|core| core.apply(choice))?,
        }
        self.taken_by(choice.reaches(self.specification.nodes)).await;
        Ok(())
    }

    /// Waits until `nodes` have handled all inputs so far.
    pub(super) async fn taken_by(&self, nodes: impl IntoIterator<Item = NodeId>) {
        for node in nodes {
            // Because of the time limit, a hanging node cannot delay the script endlessly.
            let _ = timeout(PATIENCE, self.taken(node)).await;
        }
    }
}

impl Core {
    /// Executes an action that does not start a process, signal it or wait for it.
    pub(super) fn apply(&mut self, choice: &Choice) -> Result<(), RunError> {
        match choice {
            Choice::Fire { node, timer } => self.fire(*node, timer),
            Choice::Deliver(MessageName(message)) => self.deliver(*message).map(drop),
            Choice::Lose(MessageName(message)) => self.lose(*message).map(drop),
            Choice::Hold(MessageName(message)) => self.hold(*message).map(drop),
            Choice::Duplicate(MessageName(message)) => self.duplicate(*message).map(drop),
            Choice::Network(NetworkChange::Default(patch)) => self.patch_default(patch).map(drop),
            Choice::Network(NetworkChange::Link(LinkOverride { from, to, patch })) => {
                let own = (*patch != LinkPatch::default()).then(|| patch.clone());
                self.override_link(*from, *to, own)
            }
            Choice::Partition(draft) => self.add_partition(draft.clone()).map(drop),
            Choice::Rule(draft) => self.add_rule(draft.clone()).map(drop),
            Choice::Remove(Removal::Partition(id)) => self.remove_partition(*id),
            Choice::Remove(Removal::Rule(id)) => self.remove_rule(*id),
            Choice::Put(write) => self.put(write.clone()).map(drop),
            Choice::Note(text) => {
                self.changeable()?;
                self.note(text.as_str());
                Ok(())
            }
            Choice::Acquire { .. }
            | Choice::AcquireTogether { .. }
            | Choice::Release { .. }
            | Choice::Elect { .. }
            | Choice::Propose { .. }
            | Choice::Corrupt { .. }
            | Choice::Suspect { .. }
            | Choice::Trust { .. }
            | Choice::Tell { .. } => choice.order().map_or(Ok(()), |(node, order)| self.order(node, order).map(drop)),
            // `Run::apply` executes the actions on processes. A script cannot contain an action for the passing of
            // time.
            Choice::Crash { .. }
            | Choice::Restart { .. }
            | Choice::Pause { .. }
            | Choice::Resume { .. }
            | Choice::Heal {}
            | Choice::After(_) => Ok(()),
            // In a live run, such steps happen automatically as consequences of other actions. Only a schedule in
            // parts contains them as actions.
            Choice::Start { .. }
            | Choice::Begin { .. }
            | Choice::Relaunch { .. }
            | Choice::Die { .. }
            | Choice::Arrive(_)
            | Choice::Forward(_)
            | Choice::Judge { .. } => Err(Impossible::NotInParts.into()),
        }
    }

    /// Records that an action of the script has been executed or has failed. `left` is the number of actions that
    /// remain.
    fn scripted(&mut self, left: usize, failed: Option<RunError>) {
        self.driver = Driver::Script(left);
        if let Some(error) = failed.filter(|_| !matches!(self.log.ended(), Some(Ending::Stopped | Ending::Shutdown))) {
            self.note(noted(&error));
        }
        self.settle();
    }
}
