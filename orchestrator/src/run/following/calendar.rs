//! The times at which the timers of all nodes expire, derived from the events.

use interlock_algorithm::NodeId;

use crate::run::timer_names::same_timer;
use interlock_model::event::{Event, TimerLabel, What};

/// The pending timers, in the order in which they were set.
#[derive(Debug, Default)]
pub(in crate::run) struct Calendar {
    pending: Vec<Setting>,
}

/// A timer that was set.
#[derive(Debug)]
struct Setting {
    node: NodeId,
    timer: TimerLabel,
    /// Time at which the timer expires. None if the timer has expired but its process has not handled the expiry
    /// yet.
    due_us: Option<u64>,
}

impl Calendar {
    /// Updates the timers after the next event. Returns a timer that had expired but that the process cancelled or
    /// set again before it handled the expiry.
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

    /// Returns the timer that expires first, and its time. If several timers expire at the same time, returns the
    /// timer that was set first.
    pub fn first(&self) -> Option<(u64, NodeId, TimerLabel)> {
        let due = self.pending.iter().filter_map(|setting| Some((setting.due_us?, setting)));
        let (due_us, setting) = due.min_by_key(|(due_us, _)| *due_us)?;
        Some((due_us, setting.node, setting.timer.clone()))
    }

    /// Returns the time at which a timer expires, and its name as the node writes it. Returns none if the timer is
    /// not pending or has expired.
    pub fn due(&self, node: NodeId, timer: &TimerLabel) -> Option<(u64, TimerLabel)> {
        let is_it = |setting: &&Setting| setting.node == node && same_timer(&setting.timer, timer);
        let setting = self.pending.iter().find(is_it)?;
        Some((setting.due_us?, setting.timer.clone()))
    }

    /// Makes a timer expire. Its process handles the expiry later.
    pub fn run_out(&mut self, node: NodeId, timer: &TimerLabel) {
        if let Some(setting) = self.pending.iter_mut().find(|setting| (setting.node, &setting.timer) == (node, timer)) {
            setting.due_us = None;
        }
    }

    /// Whether a condition holds for at least one timer that has not expired.
    pub fn any(&self, holds: impl Fn(&TimerLabel) -> bool) -> bool {
        self.pending.iter().any(|setting| setting.due_us.is_some() && holds(&setting.timer))
    }

    /// Removes a timer. Returns the timer if it has expired.
    fn remove(&mut self, node: NodeId, timer: &TimerLabel) -> Option<(NodeId, TimerLabel)> {
        let place = self.pending.iter().position(|setting| (setting.node, &setting.timer) == (node, timer))?;
        let setting = self.pending.remove(place);
        setting.due_us.is_none().then_some((setting.node, setting.timer))
    }
}
