//! A run that follows a schedule: it executes one action after the other, each completely.

use std::sync::Arc;

use interlock_algorithm::NodeId;

use crate::run::difference::{Difference, NotDone, ReplayDocument};
use crate::run::{Core, Run, RunError, lock};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::process_status::ProcessStatus;

impl Run {
    /// Returns the progress of the run in its schedule.
    ///
    /// # Errors
    /// If the run follows no schedule.
    pub fn replay(&self) -> Result<ReplayDocument, RunError> {
        self.with(|core| Ok(core.driver.following()?.document()))
    }

    /// Checks that manual actions on the run are permitted.
    ///
    /// # Errors
    /// If the run follows a schedule.
    pub fn by_hand(&self) -> Result<(), RunError> {
        if lock(&self.core).driver.follows() { Err(NotDone::Following.into()) } else { Ok(()) }
    }

    /// Continues the schedule until `to` actions have been executed in total. Stops earlier if the processes
    /// differ from the model.
    ///
    /// # Errors
    /// If the run follows no schedule, has already executed more actions, has left its schedule, or is over.
    pub async fn replay_to(self: &Arc<Self>, to: usize) -> Result<ReplayDocument, RunError> {
        let _one_at_a_time = self.replaying.lock().await;
        self.with(Core::can_go_on)?;
        let ReplayDocument { position, of, .. } = self.replay()?;
        if !(position..=of).contains(&to) {
            return Err(NotDone::NoSuchPlace { to, position, of }.into());
        }
        self.follow_to(to).await
    }

    /// Continues the schedule by `count` actions, or to the end of the schedule.
    ///
    /// # Errors
    /// If the run follows no schedule, has left its schedule, or is over.
    pub async fn replay_on(self: &Arc<Self>, count: usize) -> Result<ReplayDocument, RunError> {
        let _one_at_a_time = self.replaying.lock().await;
        self.with(Core::can_go_on)?;
        let ReplayDocument { position, of, .. } = self.replay()?;
        self.follow_to(position.saturating_add(count).min(of)).await
    }

    /// Leaves the schedule: from then on, the run continues without it.
    ///
    /// # Errors
    /// If the run follows no schedule, has already left its schedule, or is over.
    pub async fn fork(self: &Arc<Self>) -> Result<ReplayDocument, RunError> {
        let _one_at_a_time = self.replaying.lock().await;
        self.with(Core::fork)?;
        self.replay()
    }

    async fn follow_to(self: &Arc<Self>, to: usize) -> Result<ReplayDocument, RunError> {
        loop {
            let so_far = self.replay()?;
            if so_far.position >= to {
                return Ok(so_far);
            }
            let Some(next) = self.with(Core::take_up)? else { return Ok(so_far) };
            let failed = self.follow(&next.choice).await.err();
            self.with(|core| core.conclude(Some(&next.choice), failed.map(|error| error.to_string())));
            let so_far = self.replay()?;
            if so_far.difference.is_some() {
                return Ok(so_far);
            }
        }
    }

    /// Executes an action completely, in the same way as the model.
    async fn follow(self: &Arc<Self>, choice: &Choice) -> Result<(), RunError> {
        if lock(&self.core).driver.follows_parts() {
            return self.follow_part(choice).await;
        }
        match choice {
            Choice::Deliver(MessageName(message)) => self.with(|core| core.deliver_scheduled(*message))?,
            Choice::Fire { node, timer } => self.with(|core| core.fire_scheduled(*node, timer))?,
            Choice::After(span) => {
                let until_us = self.with(|core| core.time.now_us()).saturating_add(span.0);
                while let Some(reached) = self.with(|core| core.happen(until_us)) {
                    self.with(Core::settle);
                    self.taken_by([reached]).await;
                }
                self.with(|core| core.time.reach(until_us));
            }
            Choice::Heal {} => return self.heal_one_after_the_other().await,
            choice => return self.apply(choice).await,
        }
        self.taken_by(choice.reaches(self.specification.nodes)).await;
        Ok(())
    }

    async fn heal_one_after_the_other(self: &Arc<Self>) -> Result<(), RunError> {
        for in_flight in self.with(Core::mend)? {
            let to = in_flight.id.to;
            self.with(|core| core.hand_over(in_flight));
            self.taken_by([to]).await;
        }
        for node in NodeId::all(self.specification.nodes) {
            if self.with(|core| core.process(node))? == ProcessStatus::Paused {
                self.resume(node).await?;
                self.taken_by([node]).await;
            }
        }
        Ok(())
    }

    /// Queues the first input of each node, in the order of their numbers. Each time, waits until the node has
    /// handled the input.
    pub(in crate::run) async fn begin_one_after_the_other(&self) {
        for node in NodeId::all(self.specification.nodes) {
            self.with(|core| core.begin_node(node));
            self.taken_by([node]).await;
        }
        self.with(|core| core.conclude(None, None));
    }

    /// Ends the run: as the schedule specifies if all its actions have been executed, otherwise as if a client had
    /// stopped the run. Returns the first difference between the processes and the model, if there is one.
    ///
    /// # Errors
    /// If the run follows no schedule.
    pub async fn end_replay(&self) -> Result<Option<Difference>, RunError> {
        let _one_at_a_time = self.replaying.lock().await;
        let ending = self.with(|core| Ok::<_, RunError>(core.driver.following()?.begin_to_end()))?;
        self.end(ending).await;
        self.with(|core| {
            let latest = core.latest();
            let following = core.driver.following()?;
            following.conclude(latest, None);
            Ok(following.document().difference)
        })
    }
}
