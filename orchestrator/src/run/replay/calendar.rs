//! When the timers of all nodes are due, as the stream of events tells it.

use interlock_algorithm::NodeId;

use crate::run::command::same_timer;
use interlock_model::event::{Event, TimerLabel, What};

/// The timers that are pending, in the order in which they were set.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    pending: Vec<Setting>,
}

/// A timer that was set.
#[derive(Debug)]
struct Setting {
    node: NodeId,
    timer: TimerLabel,
    /// When it runs out; none once it has, and its process has not come to it yet.
    due_us: Option<u64>,
}

impl Calendar {
    /// Takes the next event. A timer is returned that has run out and is not pending any more before its process has come
    /// to it: cancelled, or set again.
    pub fn observe(&mut self, event: &Event) -> Option<(NodeId, TimerLabel)> {
        match &event.what {
            What::Armed { at, timer, delay_us } => {
                let replaced = self.remove(at.node, timer);
                let due_us = Some(event.at_us.saturating_add(*delay_us));
                self.pending.push(Setting { node: at.node, timer: timer.clone(), due_us });
                replaced
            }
            What::Cancelled { at, timer } => self.remove(at.node, timer),
            What::Fired { at, timer, .. } => {
                self.remove(at.node, timer);
                None
            }
            What::Crashed { node, .. } => {
                self.pending.retain(|setting| setting.node != *node);
                None
            }
            _ => None,
        }
    }

    /// The timer that is due next, and when: of those of the same time, the one that was set first.
    pub fn first(&self) -> Option<(u64, NodeId, TimerLabel)> {
        let due = self.pending.iter().filter_map(|setting| Some((setting.due_us?, setting)));
        let (due_us, setting) = due.min_by_key(|(due_us, _)| *due_us)?;
        Some((due_us, setting.node, setting.timer.clone()))
    }

    /// When a timer of a node is due, and how its node writes it; none if it is not pending, or has run out.
    pub fn due(&self, node: NodeId, timer: &TimerLabel) -> Option<(u64, TimerLabel)> {
        let is_it = |setting: &&Setting| setting.node == node && same_timer(&setting.timer, timer);
        let setting = self.pending.iter().find(is_it)?;
        Some((setting.due_us?, setting.timer.clone()))
    }

    /// A timer runs out, and its process is to come to it.
    pub fn run_out(&mut self, node: NodeId, timer: &TimerLabel) {
        if let Some(setting) = self.pending.iter_mut().find(|setting| (setting.node, &setting.timer) == (node, timer)) {
            setting.due_us = None;
        }
    }

    /// Whether a timer is pending that is not over, and that this holds of.
    pub fn any(&self, holds: impl Fn(&TimerLabel) -> bool) -> bool {
        self.pending.iter().any(|setting| setting.due_us.is_some() && holds(&setting.timer))
    }

    /// Removes a timer, which is returned if it has run out.
    fn remove(&mut self, node: NodeId, timer: &TimerLabel) -> Option<(NodeId, TimerLabel)> {
        let place = self.pending.iter().position(|setting| (setting.node, &setting.timer) == (node, timer))?;
        let setting = self.pending.remove(place);
        setting.due_us.is_none().then_some((setting.node, setting.timer))
    }
}
