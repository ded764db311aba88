//! Live replay of a schedule in parts, which has separate actions for the start of each process and for each of
//! its inputs.

use std::sync::Arc;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;

use crate::run::{Core, Run, RunError};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{DropReason, What};
use interlock_model::impossible::{Deed, Impossible};

impl Run {
    /// Executes one action of a schedule in parts, and waits until the nodes have handled its inputs.
    pub(super) async fn follow_part(self: &Arc<Self>, choice: &Choice) -> Result<(), RunError> {
        match choice {
            Choice::Start { node } => self.with(|core| core.starts(*node))?,
            Choice::Begin { node } => self.with(|core| core.begin_node(*node)),
            Choice::Relaunch { node, state } => return self.relaunch(*node, *state).await,
            Choice::Die { node, how } => {
                self.with(|core| core.nodes[*node].will_die(how));
                return self.crash(*node).await.map(drop);
            }
            Choice::Pause { node } => {
                let late = self.with(|core| core.driver.following().map_or(0, |following| following.late_steps(*node)));
                return self.pause_after(*node, late).await;
            }
            Choice::Arrive(MessageName(message)) => return self.with(|core| core.reaches(*message)),
            Choice::Forward(MessageName(message)) => return self.with(|core| core.forward(*message)),
            Choice::Judge { left } => {
                self.with(|core| core.judge(*left));
                return Ok(());
            }
            Choice::Deliver(MessageName(message)) => self.with(|core| core.deliver_in_parts(*message))?,
            Choice::Fire { node, timer } => self.with(|core| core.fire_scheduled(*node, timer))?,
            choice => return self.apply_in_parts(choice).await,
        }
        self.took(choice).await
    }

    async fn apply_in_parts(self: &Arc<Self>, choice: &Choice) -> Result<(), RunError> {
        self.apply(choice).await?;
        self.took(choice).await
    }

    /// Waits until the node has handled the inputs of an action.
    async fn took(&self, choice: &Choice) -> Result<(), RunError> {
        let Some(node) = choice.steps() else { return Ok(()) };
        self.taken_by([node]).await;
        self.took_late(node).await
    }
}

impl Core {
    /// Emits the start event of a process that is already running.
    fn starts(&mut self, node: NodeId) -> Result<(), RunError> {
        if !self.started(node) {
            return Err(RunError::Died(node));
        }
        self.settle();
        Ok(())
    }

    /// Takes a due message out of the network and records that it has arrived. The receiver handles the message at a
    /// later action.
    fn reaches(&mut self, message: MessageId) -> Result<(), RunError> {
        self.require(message.to, Deed::Order)?;
        let in_flight = self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.nodes[message.to].inputs.reach(in_flight);
        Ok(())
    }

    /// By a manual action, takes a message out of the network and records that it has arrived. The receiver handles
    /// the message at a later action. If the receiver has crashed, the message is dropped.
    fn forward(&mut self, message: MessageId) -> Result<(), RunError> {
        self.changeable()?;
        let in_flight = self.network.take(message).ok_or(Impossible::UnknownMessage(message))?;
        self.emit_now(What::forwarded(message, in_flight.content.kind.clone()));
        if self.require(message.to, Deed::Order).is_ok() {
            self.nodes[message.to].inputs.reach(in_flight);
        } else {
            self.emit_now(What::dropped(message, in_flight.content.kind, DropReason::Crashed));
        }
        self.settle();
        Ok(())
    }

    /// Queues a message that has already arrived at its receiver. If the message is still in the network, delivers
    /// it.
    fn deliver_in_parts(&mut self, message: MessageId) -> Result<(), RunError> {
        self.nodes.get(message.to).ok_or(Impossible::UnknownMessage(message))?;
        let Some(in_flight) = self.nodes[message.to].inputs.take_reached(message) else {
            return self.deliver_scheduled(message);
        };
        self.hand_over(in_flight);
        self.settle();
        Ok(())
    }
}
