//! The acts that a script or a scenario plans and that can help a waiting process.
//!
//! A planned act suspends patience only until it is done, or until it can no longer happen:
//!
//! | act | is over |
//! |---|---|
//! | a step | when an event shows that it was executed, or when its latest time has passed |
//! | an order to a process | like a step, or when a later step crashes that process, since the order is then lost |
//! | the restart after `crash … for` | when the process restarts at or after its time, or when the time has passed |
//! | the trust after `suspect … for` | like the restart after `crash … for`, or when the suspecting process crashes |
//! | the restart by a nemesis | like that after `crash … for`, for as many ordered crashes as the nemesis draws |
//!
//! A restart helps only while its process is crashed. A notification helps only while its receiver is live. A grace
//! period is added to all times: [`GRACE_US`].

use std::collections::BTreeMap;

use interlock_algorithm::{FlatMap, FlatSet, NodeId};
use interlock_machine::wire::Order;

use interlock_model::event::{CrashCause, Event, What};
use interlock_model::specification::{Act, ActKind, Detector, NemesisCrashes, Specification};

/// Maximum delay of an act after its planned time, in microseconds. In a live run, acts may be late.
pub(super) const GRACE_US: u64 = 10_000_000;

/// The planned acts that have not happened yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The steps of the scenario, in order.
    acts: Vec<Act>,
    /// The acts of the script, ordered by time.
    script: Vec<Act>,
    /// For each crashed process, the latest time at which it is planned to restart.
    returns: FlatMap<NodeId, u64>,
    /// For each suspicion, the time at which it is planned to end. The key is the suspecting and the suspected process.
    trusts: BTreeMap<(NodeId, NodeId), u64>,
    nemesis: Option<NemesisCrashes>,
    /// Whether processes suspect others only because scripts and scenarios order them to.
    notices_by_hand: bool,
    /// The latest time at which each kind of help can still happen. The key of a restart is the restarted process. The
    /// key of all other help is `None`.
    help: FlatMap<Option<NodeId>, u64>,
}

impl Plan {
    /// Returns the planned acts of a run, before its first event.
    pub fn new(specification: &Specification) -> Self {
        let mut script: Vec<Act> = specification.script.iter().filter_map(Act::of_script).collect();
        script.sort_by_key(|act| act.from_us);
        let mut plan = Self {
            acts: specification.planned.acts.clone(),
            script,
            nemesis: specification.planned.nemesis,
            notices_by_hand: specification.detector == Detector::None,
            ..Self::default()
        };
        plan.look_ahead(&FlatSet::new());
        plan
    }

    /// Processes the next event. `crashed` are the crashed processes after this event.
    pub fn observe(&mut self, event: &Event, crashed: &FlatSet<NodeId>) {
        match &event.what {
            What::Crashed { node, cause, .. } => self.crashes(*node, cause, event.at_us),
            What::Restarted { node, .. } => {
                self.takes(ActKind::Restart, *node, event.at_us);
                self.returns.retain(|returning, due_us| returning != node || *due_us > event.at_us);
            }
            What::Started { .. } => {}
            What::Commanded { at, command, .. } => {
                if !self.is_ordered(at.node, &command.order, event.at_us) {
                    return;
                }
            }
            _ => return,
        }
        self.look_ahead(crashed);
    }

    /// Removes and returns the first planned act of the kind `kind` that the current event may have executed.
    fn takes(&mut self, kind: ActKind, node: NodeId, now_us: u64) -> Option<Act> {
        let is_it = |act: &Act| act.kind == kind && act.node.is_none_or(|of| of == node) && act.from_us <= now_us;
        if let Some(place) = self.script.iter().position(is_it) {
            return Some(self.script.remove(place));
        }
        let place = self.acts.iter().position(is_it)?;
        let act = self.acts.remove(place);
        if kind == ActKind::Crash && act.node.is_some() {
            // Steps are executed one after the other. The process had therefore received the orders of all earlier
            // steps before it crashed. It has lost these orders in the crash.
            let is_lost =
                |act: &mut Act| !matches!(act.kind, ActKind::Crash | ActKind::Restart) && act.node == Some(node);
            self.acts.extract_if(..place, is_lost).for_each(drop);
        }
        Some(act)
    }

    fn crashes(&mut self, node: NodeId, cause: &CrashCause, now_us: u64) {
        self.trusts.retain(|(suspecting, _), _| *suspecting != node);
        if *cause != CrashCause::Ordered {
            return;
        }
        let step_us = self.takes(ActKind::Crash, node, now_us).and_then(|act| act.lasts_us);
        // An order to crash may come from a step or from the nemesis. The event does not show which of the two gave the
        // order.
        let drawn = self.nemesis.as_mut().filter(|nemesis| nemesis.count > 0);
        let nemesis_us = drawn.map(|nemesis| {
            nemesis.count -= 1;
            nemesis.longest_us
        });
        if let Some(lasts_us) = step_us.max(nemesis_us) {
            let due_us = self.returns.entry(node).or_default();
            *due_us = now_us.saturating_add(lasts_us).max(*due_us);
        }
    }

    /// Records that a process has received the order `order`. Returns whether orders of the same kind can be
    /// planned.
    fn is_ordered(&mut self, node: NodeId, order: &Order, now_us: u64) -> bool {
        match order {
            Order::Suspect { whom } => {
                if let Some(lasts_us) = self.takes(ActKind::Suspect, node, now_us).and_then(|act| act.lasts_us) {
                    self.trusts.insert((node, *whom), now_us.saturating_add(lasts_us));
                }
            }
            Order::Trust { whom } => {
                self.takes(ActKind::Trust, node, now_us);
                self.trusts.retain(|pair, due_us| *pair != (node, *whom) || *due_us > now_us);
            }
            Order::Elect {} => _ = self.takes(ActKind::Elect, node, now_us),
            Order::Propose { .. } => _ = self.takes(ActKind::Propose, node, now_us),
            _ => return false,
        }
        true
    }

    /// Computes the latest time at which each kind of help can still happen.
    fn look_ahead(&mut self, crashed: &FlatSet<NodeId>) {
        self.help.clear();
        let is_crashed = |node: Option<NodeId>| node.map_or(!crashed.is_empty(), |node| crashed.contains(&node));
        for act in self.acts.iter().chain(&self.script) {
            let helped = match act.kind {
                ActKind::Restart if is_crashed(act.node) => act.node,
                ActKind::Suspect | ActKind::Trust
                    if self.notices_by_hand && !act.node.is_some_and(|node| crashed.contains(&node)) =>
                {
                    None
                }
                _ => continue,
            };
            let lasts_us = act.lasts_us.unwrap_or_default();
            let until_us = act.until_us.map_or(u64::MAX, |until_us| until_us.saturating_add(lasts_us));
            let help_us = self.help.entry(helped).or_default();
            *help_us = until_us.max(*help_us);
        }
        let returns =
            self.returns.iter().filter(|(node, _)| crashed.contains(node)).map(|(node, us)| (Some(*node), *us));
        let trusts = self.trusts.values().filter(|_| self.notices_by_hand).map(|us| (None, *us));
        for (helped, until_us) in returns.chain(trusts) {
            let help_us = self.help.entry(helped).or_default();
            *help_us = until_us.max(*help_us);
        }
    }

    /// Returns whether help is still planned: a process will be notified of a crash, or a crashed process for which
    /// `is_among` returns true will be restarted.
    pub fn is_help_to_come(&self, now_us: u64, is_among: &dyn Fn(NodeId) -> bool) -> bool {
        let is_to_come = |(node, until_us): (&Option<NodeId>, &u64)| {
            node.is_none_or(is_among) && now_us <= until_us.saturating_add(GRACE_US)
        };
        self.help.iter().any(is_to_come)
    }

    /// Returns whether the scenario still plans a step, or still plans to undo the effect of an earlier step.
    pub fn is_act_to_come(&self) -> bool {
        !self.acts.is_empty() || !self.help.is_empty()
    }

    /// Returns whether a step of one of the kinds `kinds` can still happen in a run that is at rest and has no
    /// scheduled action. In such a run only a step after a wait can happen, because a scenario schedules no action
    /// while it waits.
    pub fn is_step_to_come(&self, kinds: &[ActKind], now_us: u64) -> bool {
        let is_in_time = |act: &Act| act.until_us.is_none_or(|until_us| now_us <= until_us.saturating_add(GRACE_US));
        let waits = |act: &Act| act.until_us != Some(act.from_us);
        self.acts.iter().any(|act| kinds.contains(&act.kind) && waits(act) && is_in_time(act))
    }
}
