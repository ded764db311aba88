//! What happened in a live run, read off its events: a schedule that the model plays to the same events.
//!
//! The stream of events is the only source, so a run has its schedule while it is under way and after it has ended, in
//! this life of the orchestrator or a later one. Most events follow from a step or from what somebody did; each of the
//! others is a choice. Two things leave no event of their own and are found by what comes after them: that a message had
//! reached its process before a partition cut its link, before the process died or before the run ended, and that it
//! was judged how the run stands.

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

/// The most choices of a run that is recorded: as many steps as a schedule may take that is played live.
pub const MOST_CHOICES: usize = 100_000;

/// Why the events of a run are no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unrecordable {
    /// More has happened than a schedule says.
    #[error(
        "more has happened than the {MOST_CHOICES} choices that a schedule has at most: it can be had until event {0}"
    )]
    TooLong(u64),
    /// The model does not play such runs in parts.
    #[error("the model cannot play what live processes would do in this run: {0}")]
    Unfit(String),
    /// Something happened that no choice can say.
    #[error("event {seq}, `{kind}`, cannot be said in a schedule: {why}; it can be had until event {}", seq - 1)]
    Unsayable {
        /// Which event.
        seq: u64,
        /// Its kind.
        kind: &'static str,
        /// Why not.
        why: &'static str,
    },
}

/// Reads a schedule off the events of a run, one after the other.
pub struct Recorder {
    specification: Specification,
    choices: Vec<Scheduled>,
    /// Messages that had reached their processes before the choice of this place.
    reached_before: Vec<(usize, MessageId)>,
    /// The messages that have reached their processes and are not taken yet.
    reached: HashSet<MessageId>,
    /// When each message is due that is on its way.
    due_us: HashMap<MessageId, u64>,
    /// The message whose fate the next event tells.
    undecided: Option<MessageId>,
    /// The partitions, each with the place of its choice.
    partitions: Vec<(Partition, usize)>,
    /// The process whose death the latest events tell.
    death: Option<Death>,
    /// What was lost because the run ended.
    lost_at_the_end: Vec<MessageId>,
    ended: Option<(u64, Ending)>,
    judge: Judge,
}

/// The death of a process, and what is lost with it.
struct Death {
    node: NodeId,
    at_us: u64,
    place: usize,
    latest_lost: Option<MessageId>,
}

/// The same monitors as in the run: what they do not find by an event is found because it was judged how the run stands.
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

    /// With how many things still to come this was found by judging; none if it was not.
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
    /// A recorder of a run, before its first event.
    ///
    /// # Errors
    /// When the model does not know the algorithm, or no live processes can do what the run is.
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

    /// Takes the next event.
    ///
    /// # Errors
    /// When it is something that no schedule says, or one choice too many.
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

    /// The schedule of all that was taken.
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

    /// What an event says that happened; none if it follows from what happened before.
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
            What::Commanded { at, command, .. } => Choice::of_order(at.node, &command.order)
                .ok_or("its client tells another for how long to stay, and not to ask")?,
            What::Fired { at, timer, .. } => Choice::Fire { node: at.node, timer: timer.clone() },
            What::Delivered { message, .. } => self.delivered(*message),
            What::Noted { detail } if (1..=LONGEST_NOTE).contains(&detail.chars().count()) => {
                Choice::Note(detail.to_string())
            }
            What::Put { write } => Choice::Put(write.clone()),
            What::Noted { .. } => return Err("a choice is no longer than 1000 characters"),
            What::Misbehaved { .. } => return Err("no process of the model says what makes no sense"),
            What::Configured { change } => self.configured(change).ok_or("the change cannot be read")?,
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

    /// A message or a copy was sent; where it is not on its way, the next event says why.
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

    /// A message was taken: where its link is cut, it had reached its process before.
    fn delivered(&mut self, message: MessageId) -> Choice {
        if !self.reached.contains(&message)
            && let Some(place) = self.cut_since(message)
        {
            self.reached_before.push((place, message));
        }
        self.forget(message);
        Choice::Deliver(MessageName(message))
    }

    /// The place of the choice since which the link of a message is cut, if it is.
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
            DropReason::Full => return Err("in the model no process has too much to take"),
            DropReason::Unanswered => return Err("in the model every process answers"),
            DropReason::Loss | DropReason::Rule => return Err("it is lost without having been sent just now"),
        };
        self.forget(message);
        Ok(choice)
    }

    /// A message is lost because its process is dead: in the same instant and in the order of names if it had reached it, or
    /// where it arrives.
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

    /// The run ends: what was in the network is lost in the order of names, then what had reached processes.
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

    /// A rule was found broken. Where it was by judging, that was done as if something were still to come, and if that does
    /// not find it as if nothing were: the first also makes the monitors ready to find again what they have told before.
    fn violated(&mut self, at_us: u64, violation: &Violation) -> Option<Choice> {
        let left = self.judge.found_with(violation)?;
        if left == 0 {
            self.choices.push(Scheduled { at_us: Some(at_us), choice: Choice::Judge { left: 1 } });
        }
        Some(Choice::Judge { left })
    }

    /// What a change of the network says that was done.
    fn configured(&mut self, change: &Change) -> Option<Choice> {
        let number = || change.id.as_deref()?.parse::<u64>().ok();
        Some(match (&*change.subject, &change.value) {
            ("default", Some(value)) => {
                let setting: LinkSetting = strict::deserialize(value).ok()?;
                Choice::Network(NetworkChange::Default(whole(setting)))
            }
            ("link", Some(value)) => Choice::Network(NetworkChange::Link(strict::deserialize(value).ok()?)),
            ("link", None) => {
                let (from, to) = change.id.as_deref()?.split_once('-')?;
                let (from, to) = (NodeId(from.parse().ok()?), NodeId(to.parse().ok()?));
                Choice::Network(NetworkChange::Link(LinkOverride { from, to, patch: LinkPatch::default() }))
            }
            ("partition", Some(value)) => {
                let Partition { id, groups, direction, lost } = strict::deserialize(value).ok()?;
                let draft = PartitionDraft { groups, direction, lost };
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

/// All of a setting.
fn whole(setting: LinkSetting) -> LinkPatch {
    let LinkSetting { delay, delays, fifo, loss, duplicate, hold } = setting;
    LinkPatch {
        delay: Some(delay),
        delays: Some(delays),
        fifo: Some(fifo),
        loss: Some(loss),
        duplicate: Some(duplicate),
        hold: Some(hold),
    }
}
