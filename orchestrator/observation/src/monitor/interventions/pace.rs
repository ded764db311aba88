//! The longest durations of messages and time-outs in a run, without the time that interventions add.

use std::collections::HashMap;

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;
use rustc_hash::FxBuildHasher;

use crate::state::label::lock_of;
use interlock_model::event::{Event, What};
use interlock_model::specification::Specification;

/// The longest transit time of a message and the longest time-outs in the run so far, without the time that
/// interventions add.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    /// Whether each message names its lock.
    labelled: bool,
    /// For each message in transit, the time at which it was sent, and the lock that it names, if any.
    sent: HashMap<MessageId, (u64, Option<LockId>), FxBuildHasher>,
    longest_us: u64,
    longest_time_out_us: u64,
    /// The longest delay after which a channel retransmits a message.
    longest_again_us: u64,
}

impl Pace {
    /// Returns the durations before the first event of a run.
    pub fn new(specification: &Specification) -> Self {
        Self { labelled: specification.locks > 1, ..Self::default() }
    }

    /// Processes the next event. In a run of real processes, a message takes longer than the delay that the network
    /// reports. The message also waits for the sender's report, and for its turn at the receiver. The whole duration is
    /// measured if the message was sent at or after `since_us` and is delivered while no intervention is in force
    /// (`alone`).
    pub fn observe(&mut self, event: &Event, alone: bool, since_us: u64) {
        match &event.what {
            What::Sent { message, due_us: Some(due_us), body, .. } => {
                let lock = if self.labelled { lock_of(body) } else { None };
                self.send(*message, event.at_us, *due_us, lock);
            }
            What::Duplicated { message, copy, due_us: Some(due_us), .. } => {
                let lock = self.sent.get(message).and_then(|(_, lock)| *lock);
                self.send(*copy, event.at_us, *due_us, lock);
            }
            What::Delivered { message, .. } => {
                if let Some((sent, _)) = self.sent.remove(message).filter(|(sent, _)| alone && *sent >= since_us) {
                    self.longest_us = self.longest_us.max(event.at_us.saturating_sub(sent));
                }
            }
            What::Dropped { message, .. } | What::Refused { message: Some(message), .. } => {
                self.sent.remove(message);
            }
            What::Armed { timer: TimerName::Algorithm(_), delay_us, .. } => {
                self.longest_time_out_us = self.longest_time_out_us.max(*delay_us);
            }
            What::Armed { timer: TimerName::Channel(_), delay_us, .. } => {
                self.longest_again_us = self.longest_again_us.max(*delay_us);
            }
            _ => {}
        }
    }

    fn send(&mut self, message: MessageId, at_us: u64, due_us: u64, lock: Option<LockId>) {
        self.sent.insert(message, (at_us, lock));
        self.longest_us = self.longest_us.max(due_us.saturating_sub(at_us));
    }

    /// Returns whether a message is in transit to `node` that names `lock` or names no lock.
    pub fn is_one_coming_to(&self, node: NodeId, lock: LockId) -> bool {
        self.sent.iter().any(|(message, (_, about))| message.to == node && about.is_none_or(|about| about == lock))
    }

    /// Returns the number of messages in transit to this node.
    pub fn coming_to(&self, node: NodeId) -> usize {
        self.sent.keys().filter(|message| message.to == node).count()
    }

    /// Returns the longest time for which a message was in transit, in microseconds. A retransmitted message may take
    /// longer, so the result includes three times the longest time-out of a channel. This is enough, since each
    /// time-out is about twice as long as the previous time-out, and is lengthened randomly by up to half.
    pub const fn longest_us(&self) -> u64 {
        self.longest_us.saturating_add(self.longest_again_us.saturating_mul(3))
    }

    /// Returns the longest delay with which an algorithm has set a timer, in microseconds.
    pub const fn longest_time_out_us(&self) -> u64 {
        self.longest_time_out_us
    }
}
