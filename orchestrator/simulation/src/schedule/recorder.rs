//! Records a live run from its events as a schedule. If the model executes the schedule, it reproduces the same
//! events.
//!
//! The recorder uses nothing except the events. A run therefore has a schedule at any time: while it runs, after its
//! end, and after a restart of the orchestrator. Most events are consequences of a step or of an action of a client.
//! Every other event reports an action of the schedule.
//!
//! Two kinds of actions cause no event of their own. The recorder infers them from later events:
//! - a message reached its process before one of these events: a partition blocked its link, the process crashed, or
//!   the run ended;
//! - monitors judged the state of the run.

use std::collections::{HashMap, HashSet};

use interlock_algorithm::{NodeId, catalogue};
use interlock_machine::message_id::MessageId;

use super::{Schedule, Scheduled, VERSION};
use interlock_model::choice::{Choice, LONGEST_NOTE, MessageName, NetworkChange, Removal};
use interlock_model::event::{Change, CrashCause, DropReason, Ending, Event, Hand, Violation, What};
use interlock_model::network::{LinkOverride, LinkPatch, LinkSetting, Partition, PartitionDraft, RuleDraft};
use interlock_model::specification::Specification;
use interlock_model::strict;
use interlock_observation::monitor::Monitors;
use interlock_observation::state::State;

/// Maximum number of actions of a recorded run. A schedule that is executed live must not have more steps than this.
pub const MOST_CHOICES: usize = 100_000;

/// The reason why the events of a run cannot be recorded as a schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unrecordable {
    /// The run has more actions than a schedule may have. The value is the last event that could be recorded.
    #[error("cannot record the whole run: a schedule has at most {MOST_CHOICES} actions; record it until event {0}")]
    TooLong(u64),
    /// The model does not support the run: the algorithm is unknown, or live processes cannot execute this
    /// specification.
    #[error("cannot record this run as a schedule: {0}")]
    Unfit(String),
    /// The schedule cannot express the event.
    #[error("cannot record event {seq}, `{kind}`: {why}; record the run until event {}", seq - 1)]
    Unsayable {
        /// The sequence number of the event.
        seq: u64,
        /// The kind of the event.
        kind: &'static str,
        /// The reason.
        why: &'static str,
    },
}

/// Converts the events of a run, one after the other, into a schedule.
pub struct Recorder {
    specification: Specification,
    choices: Vec<Scheduled>,
    /// Messages for which a separate action must state that they reached their process. The index of the action
    /// before which they arrived is stored with each message.
    reached_before: Vec<(usize, MessageId)>,
    /// The messages that an event reports as forwarded to their processes, and that the processes have not processed
    /// yet.
    reached: HashSet<MessageId>,
    /// The time at which each message in transit must arrive.
    due_us: HashMap<MessageId, u64>,
    /// The message whose loss or hold the next event may report, as a consequence of the action that sent it.
    undecided: Option<MessageId>,
    /// The present partitions, each with the index of the action that created it.
    partitions: Vec<(Partition, usize)>,
    /// The crash that the latest events report, with the messages lost in it. Absent if the latest events report
    /// something else.
    death: Option<Death>,
    /// The messages that were lost because the run ended, in the order of their events.
    lost_at_the_end: Vec<MessageId>,
    ended: Option<(u64, Ending)>,
    judge: Judge,
}

/// The crash of a process, and the latest message lost in it.
struct Death {
    node: NodeId,
    at_us: u64,
    place: usize,
    latest_lost: Option<MessageId>,
}

/// The same monitors as in the run. If these monitors do not find a violation while they process an event, the run
/// found it when it judged its state.
struct Judge {
    state: State,
    monitors: Monitors,
    found: Vec<Violation>,
}

impl Judge {
    fn observe(&mut self, event: &Event) {
        self.state.apply(event);
        self.monitors.observe(event, &mut self.found);
    }

    /// Returns the number of pending actions, 1 or 0, that the judgement must assume so that it finds this violation.
    /// Returns none if an event alone reveals the violation.
    fn found_with(&mut self, violation: &Violation) -> Option<usize> {
        if self.took(violation) {
            return None;
        }
        [1, 0].into_iter().find(|left| {
            self.monitors.settle(&self.state, *left, &mut self.found);
            self.took(violation)
        })
    }

    fn took(&mut self, violation: &Violation) -> bool {
        let place = self.found.iter().position(|found| found == violation);
        place.map(|place| self.found.remove(place)).is_some()
    }
}

impl Recorder {
    /// Creates a recorder of a run, before its first event.
    ///
    /// # Errors
    /// Returns an error if the model does not know the algorithm, or if live processes cannot execute the run.
    pub fn new(specification: Specification) -> Result<Self, Unrecordable> {
        let unknown = catalogue::find(&specification.algorithm).err().map(|refusal| refusal.to_string());
        let unfit = || specification.unfit_to_live().into_iter().next().map(|error| error.detail);
        if let Some(why) = unknown.or_else(unfit) {
            return Err(Unrecordable::Unfit(why));
        }
        let (state, monitors) = (State::new(&specification), Monitors::new(&specification));
        Ok(Self {
            specification,
            choices: Vec::new(),
            reached_before: Vec::new(),
            reached: HashSet::new(),
            due_us: HashMap::new(),
            undecided: None,
            partitions: Vec::new(),
            death: None,
            lost_at_the_end: Vec::new(),
            ended: None,
            judge: Judge { state, monitors, found: Vec::new() },
        })
    }

    /// Processes the next event.
    ///
    /// # Errors
    /// Returns an error if a schedule cannot express the event, or if the schedule would exceed the maximum number of
    /// actions.
    pub fn observe(&mut self, event: &Event) -> Result<(), Unrecordable> {
        let choice =
            self.choice(event).map_err(|why| Unrecordable::Unsayable { seq: event.seq, kind: event.kind(), why })?;
        if choice.is_some() && self.choices.len() + self.reached_before.len() >= MOST_CHOICES {
            return Err(Unrecordable::TooLong(event.seq - 1));
        }
        self.choices.extend(choice.map(|choice| Scheduled { at_us: Some(event.at_us), choice }));
        self.judge.observe(event);
        Ok(())
    }

    /// Returns the schedule of all events that have been processed.
    #[must_use]
    pub fn schedule(mut self) -> Schedule {
        self.reached_before.sort_by_key(|(place, _)| *place);
        let mut reached = self.reached_before.into_iter().peekable();
        let mut choices = Vec::with_capacity(self.choices.len() + reached.len());
        for (place, scheduled) in self.choices.into_iter().enumerate() {
            while let Some((_, message)) = reached.next_if(|(before, _)| *before == place) {
                choices.push(Scheduled { at_us: scheduled.at_us, choice: Choice::Arrive(MessageName(message)) });
            }
            choices.push(scheduled);
        }
        let at_us = self.ended.as_ref().map(|(at_us, _)| *at_us);
        choices.extend(reached.map(|(_, message)| Scheduled { at_us, choice: Choice::Arrive(MessageName(message)) }));
        Schedule {
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            specification: self.specification,
            rounds: None,
            choices,
            repeat: None,
            ended: self.ended.map(|(_, why)| why),
        }
    }

    /// Returns the action that an event reports, or none if the event is a consequence of earlier events.
    fn choice(&mut self, event: &Event) -> Result<Option<Choice>, &'static str> {
        let undecided = if let What::Violated { .. } = event.what { None } else { self.undecided.take() };
        if !matches!(event.what, What::Violated { .. } | What::Dropped { why: DropReason::Crashed, .. }) {
            self.death = None;
        }
        Ok(Some(match &event.what {
            What::Started { node, .. } => Choice::Start { node: *node },
            What::Initialized { at, .. } => Choice::Begin { node: at.node },
            What::Restarted { node, state, .. } => Choice::Relaunch { node: *node, state: *state },
            What::Crashed { node, cause, .. } => self.crashed(*node, event.at_us, cause),
            What::Paused { node, .. } => Choice::Pause { node: *node },
            What::Resumed { node, .. } => Choice::Resume { node: *node },
            What::Commanded { at, command, .. } => Choice::of_order(at.node, command.order.clone())
                .ok_or("the client of a node tells another client how long to stay, not to request the lock")?,
            What::Fired { at, timer, .. } => Choice::Fire { node: at.node, timer: timer.clone() },
            What::Delivered { message, .. } => self.delivered(*message),
            What::Noted { detail } if (1..=LONGEST_NOTE).contains(&detail.chars().count()) => {
                Choice::Note(detail.to_string())
            }
            What::Put { write } => Choice::Put(write.clone()),
            What::Noted { .. } => return Err("the note has no text, or more than 1000 characters"),
            What::Misbehaved { .. } => return Err("in the model no process misbehaves"),
            What::Configured { change } => self.configured(change).ok_or("the change is unreadable")?,
            What::Violated { violation } => return Ok(self.violated(event.at_us, violation)),
            What::Sent { message, due_us, .. } => return Ok(self.sent(*message, *due_us)),
            What::Duplicated { message, copy, by, due_us, .. } => {
                self.sent(*copy, *due_us);
                return Ok((*by == Hand::Hand).then_some(Choice::Duplicate(MessageName(*message))));
            }
            What::Held { message, .. } => {
                self.due_us.remove(message);
                return Ok((undecided != Some(*message)).then_some(Choice::Hold(MessageName(*message))));
            }
            What::Forwarded { message, .. } => {
                self.undecided = Some(*message);
                self.reached.insert(*message);
                Choice::Forward(MessageName(*message))
            }
            What::Dropped { message, why, .. } if undecided == Some(*message) && *why != DropReason::Ended => {
                self.forget(*message);
                return Ok(None);
            }
            What::Dropped { message, why, .. } => return self.dropped(event.at_us, *message, *why),
            What::Ended { why } => {
                self.end(event.at_us, why);
                return Ok(None);
            }
            _ => return Ok(None),
        }))
    }

    /// Notes that a message or a duplicated copy was sent. If the message is not in transit, the next event reports
    /// why.
    fn sent(&mut self, message: MessageId, due_us: Option<u64>) -> Option<Choice> {
        match due_us {
            Some(due_us) => _ = self.due_us.insert(message, due_us),
            None => self.undecided = Some(message),
        }
        None
    }

    fn forget(&mut self, message: MessageId) {
        self.due_us.remove(&message);
        self.reached.remove(&message);
    }

    /// Returns the delivery of a message. If its link is partitioned now, the message had reached its process before
    /// the partition.
    fn delivered(&mut self, message: MessageId) -> Choice {
        if !self.reached.contains(&message)
            && let Some(place) = self.cut_since(message)
        {
            self.reached_before.push((place, message));
        }
        self.forget(message);
        Choice::Deliver(MessageName(message))
    }

    /// Returns the index of the action whose partition blocks the link of a message. Returns none if the link is not
    /// blocked.
    fn cut_since(&self, message: MessageId) -> Option<usize> {
        let cutting = self.partitions.iter().filter(|(partition, _)| partition.cuts(message.from, message.to));
        cutting.map(|(_, place)| *place).min()
    }

    fn crashed(&mut self, node: NodeId, at_us: u64, cause: &CrashCause) -> Choice {
        self.death = Some(Death { node, at_us, place: self.choices.len(), latest_lost: None });
        match cause {
            CrashCause::Ordered => Choice::Crash { node },
            CrashCause::Unexpected(how) => Choice::Die { node, how: how.clone() },
        }
    }

    fn dropped(&mut self, at_us: u64, message: MessageId, why: DropReason) -> Result<Option<Choice>, &'static str> {
        let choice = match why {
            DropReason::Partition => Some(Choice::Deliver(MessageName(message))),
            DropReason::Hand => Some(Choice::Lose(MessageName(message))),
            DropReason::Crashed => self.lost_with_its_process(at_us, message),
            DropReason::Ended => {
                self.lost_at_the_end.push(message);
                return Ok(None);
            }
            DropReason::Closed => {
                return Err("it is a part of a connection to a service, and the model has no services");
            }
            DropReason::Full => return Err("the input queue of its receiver was full, and in the model it never is"),
            DropReason::Unanswered => {
                return Err("its receiver did not give a valid answer, and in the model every process does");
            }
            DropReason::Loss | DropReason::Rule => return Err("it is lost, but was not sent just before"),
        };
        self.forget(message);
        Ok(choice)
    }

    /// Returns the action that loses a message addressed to a crashed process: its delivery. Returns none if the crash
    /// itself lost the message, since the message had already reached the process. Messages lost in a crash are
    /// recognised by their reports, which have the time of the crash and are in the order of ids.
    fn lost_with_its_process(&mut self, at_us: u64, message: MessageId) -> Option<Choice> {
        let reached = self.reached.contains(&message);
        let is_due = |at_us: u64| self.due_us.get(&message).is_some_and(|due_us| *due_us <= at_us);
        let cut_since = self.cut_since(message);
        let together = self.death.as_mut().filter(|death| {
            let together = (death.node, death.at_us) == (message.to, at_us);
            together && death.latest_lost < Some(message) && (reached || is_due(at_us))
        });
        let Some(death) = together else {
            self.death = None;
            return Some(Choice::Deliver(MessageName(message)));
        };
        death.latest_lost = Some(message);
        if !reached {
            self.reached_before.push((cut_since.unwrap_or(death.place).min(death.place), message));
        }
        None
    }

    /// Ends the run. The messages lost at the end are reported in two groups. The first group, in the order of ids,
    /// was still in the network. The second group had already reached the receiving processes.
    fn end(&mut self, at_us: u64, why: &Ending) {
        let lost = std::mem::take(&mut self.lost_at_the_end);
        let mut latest = None;
        let was_in_network =
            |message: &MessageId| latest.replace(*message) < Some(*message) && !self.reached.contains(message);
        for message in lost.into_iter().skip_while(was_in_network) {
            if !self.reached.contains(&message) {
                let place = self.cut_since(message).unwrap_or(self.choices.len());
                self.reached_before.push((place, message));
            }
        }
        self.ended = Some((at_us, why.clone()));
    }

    /// Returns the judgement that found a violation, or none if an event alone reveals the violation. The judgement
    /// assumes one pending action, if the monitors find the violation under this assumption. Otherwise, the
    /// judgement assumes none, and a judgement with one pending action is inserted before it. Without the inserted
    /// judgement, the monitors would not report again what they have already reported.
    fn violated(&mut self, at_us: u64, violation: &Violation) -> Option<Choice> {
        let left = self.judge.found_with(violation)?;
        if left == 0 {
            self.choices.push(Scheduled { at_us: Some(at_us), choice: Choice::Judge { left: 1 } });
        }
        Some(Choice::Judge { left })
    }

    /// Returns the action that causes this change of the network.
    fn configured(&mut self, change: &Change) -> Option<Choice> {
        let number = || change.id.as_deref()?.parse::<u64>().ok();
        Some(match (&*change.subject, &change.value) {
            ("default", Some(value)) => {
                let setting: LinkSetting = strict::deserialize(value).ok()?;
                Choice::Network(NetworkChange::Default(setting.into()))
            }
            ("link", Some(value)) => Choice::Network(NetworkChange::Link(strict::deserialize(value).ok()?)),
            ("link", None) => {
                let (from, to) = change.id.as_deref()?.split_once('-')?;
                let (from, to) = (NodeId(from.parse().ok()?), NodeId(to.parse().ok()?));
                Choice::Network(NetworkChange::Link(LinkOverride { from, to, patch: LinkPatch::default() }))
            }
            ("partition", Some(value)) => {
                let Partition { id, groups, direction, lost, reset } = strict::deserialize(value).ok()?;
                let draft = PartitionDraft { groups, direction, lost, reset };
                self.partitions.push((draft.clone().with_id(id), self.choices.len()));
                Choice::Partition(draft)
            }
            ("partition", None) => {
                let id = number()?;
                self.partitions.retain(|(partition, _)| partition.id != id);
                Choice::Remove(Removal::Partition(id))
            }
            ("rule", Some(value)) => {
                let mut value = value.clone();
                value.as_object_mut()?.remove("id");
                let draft: RuleDraft = strict::deserialize(&value).ok()?;
                Choice::Rule(draft)
            }
            ("rule", None) => Choice::Remove(Removal::Rule(number()?)),
            _ => return None,
        })
    }
}
