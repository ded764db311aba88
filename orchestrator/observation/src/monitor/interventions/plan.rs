//! The planned acts of a script or a scenario, as far as they can help a waiting process.
//!
//! A planned act suspends patience only until it is done, or until it can no longer come:
//!
//! | act | is over |
//! |---|---|
//! | a step | when an event carries it out, or its latest time is past |
//! | an order to a process | the same, or when a later step crashes that process: the order is lost with it |
//! | the restart after `crash … for` | when it comes, or its time is past, also if another restart came before |
//! | the trust after `suspect … for` | the same, or when the suspecting process crashes |
//! | the restart by a nemesis | the same, for as many ordered crashes as it draws |
//!
//! A restart helps only while its process is crashed, and a notification only while its receiver is live. All times
//! have a grace period, [`GRACE_US`].

use std::collections::BTreeMap;

use interlock_algorithm::{FlatMap, FlatSet, NodeId};
use interlock_machine::wire::Order;

use interlock_model::event::{CrashCause, Event, What};
use interlock_model::specification::{Act, ActKind, Detector, NemesisCrashes, Specification};

/// Time after its planned time in which an act may still happen, in microseconds. A live run may be late.
pub(super) const GRACE_US: u64 = 10_000_000;

/// The acts that are still to be done.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The steps, in order.
    acts: Vec<Act>,
    /// The acts of the script, by time.
    script: Vec<Act>,
    /// For each crashed process, its latest time of restart.
    returns: FlatMap<NodeId, u64>,
    /// For each suspicion, its end. The key is the suspecting process and the suspected one.
    trusts: BTreeMap<(NodeId, NodeId), u64>,
    nemesis: Option<NemesisCrashes>,
    /// Whether only scripts and scenarios make processes suspect others.
    notices_by_hand: bool,
    /// For each kind of help, the latest time at which it can come. The key is the process that is restarted, or
    /// `None` for any other help.
    help: FlatMap<Option<NodeId>, u64>,
}

impl Plan {
    /// Returns the plan for a run, before its first event.
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

    /// Processes the next event, after which the processes in `crashed` are crashed.
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

    /// Removes the first planned act of this kind that may have happened now, and returns it.
    fn takes(&mut self, kind: ActKind, node: NodeId, now_us: u64) -> Option<Act> {
        let is_it = |act: &Act| act.kind == kind && act.node.is_none_or(|of| of == node) && act.from_us <= now_us;
        if let Some(place) = self.script.iter().position(is_it) {
            return Some(self.script.remove(place));
        }
        let place = self.acts.iter().position(is_it)?;
        let act = self.acts.remove(place);
        if kind == ActKind::Crash && act.node.is_some() {
            // Steps come one after the other. The process has already received the orders of earlier steps, and lost
            // them in the crash.
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
        // An ordered crash may come from the nemesis as well as from a step.
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

    /// Records that a process receives an order. Returns whether an order of this kind can be planned.
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

    /// Computes, for each kind of help, the latest time at which it can come.
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

    /// Returns whether a process is still to be notified of a crash, or a crashed process of a set to be
    /// restarted.
    pub fn is_help_to_come(&self, now_us: u64, is_among: &dyn Fn(NodeId) -> bool) -> bool {
        let is_to_come = |(node, until_us): (&Option<NodeId>, &u64)| {
            node.is_none_or(is_among) && now_us <= until_us.saturating_add(GRACE_US)
        };
        self.help.iter().any(is_to_come)
    }

    /// Returns whether a step is still to come, or an effect of a step is still to be undone.
    pub fn is_act_to_come(&self) -> bool {
        !self.acts.is_empty() || !self.help.is_empty()
    }

    /// Returns whether a step of one of these kinds is still to come, in a run at rest for which no further action is
    /// scheduled. In such a run only a step after a wait can come, since a scenario schedules nothing while it waits.
    pub fn is_step_to_come(&self, kinds: &[ActKind], now_us: u64) -> bool {
        let is_in_time = |act: &Act| act.until_us.is_none_or(|until_us| now_us <= until_us.saturating_add(GRACE_US));
        let waits = |act: &Act| act.until_us != Some(act.from_us);
        self.acts.iter().any(|act| kinds.contains(&act.kind) && waits(act) && is_in_time(act))
    }
}
