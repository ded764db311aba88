//! An attempt executes some of the actions of a schedule and skips those that are impossible.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use interlock_algorithm::{Refusal, Ticks};
use interlock_machine::message_id::MessageId;
use interlock_machine::wire::TimerName;

use super::attempted::Attempted;
use super::origin::{Named, Origins};
use super::{Kept, Simulation};
use crate::schedule::Scheduled;
use crate::simulation::observer::Watcher;
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{Violation, What};
use interlock_model::specification::Specification;
use interlock_world::{Due, Observer, World, setting_of};

/// A property that a schedule violates, identified by the monitor and the code of the violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    monitor: Arc<str>,
    code: Arc<str>,
}

impl Rule {
    pub fn of(violation: &Violation) -> Self {
        Self { monitor: Arc::clone(&violation.monitor), code: Arc::clone(&violation.code) }
    }
}

/// The actions to execute, and the context that their execution needs.
pub(super) struct Attempt<'a> {
    simulation: &'a Simulation,
    in_parts: bool,
    candidate: &'a [Kept],
    rule: &'a Rule,
    origins: &'a Origins,
}

/// The observations since they were last read: messages sent, and whether the violation has occurred.
#[derive(Debug, Default)]
struct News {
    sent: RefCell<Vec<MessageId>>,
    broken: Cell<bool>,
}

/// Observer that notices the violation and the messages sent.
struct Lookout<'a> {
    watcher: Watcher,
    looked_at: usize,
    rule: &'a Rule,
    news: Rc<News>,
}

impl Lookout<'_> {
    fn look(&mut self) {
        let new = &self.watcher.violations()[self.looked_at..];
        if new.iter().any(|(_, violation)| *self.rule == Rule::of(violation)) {
            self.news.broken.set(true);
        }
        self.looked_at += new.len();
    }
}

impl Observer for Lookout<'_> {
    fn records(&self) -> bool {
        self.watcher.records()
    }

    fn reads_bodies(&self) -> bool {
        self.watcher.reads_bodies()
    }

    fn observe(&mut self, at_us: u64, what: What) {
        if let What::Sent { message, .. } = &what {
            self.news.sent.borrow_mut().push(*message);
        }
        self.watcher.observe(at_us, what);
        self.look();
    }

    fn settle(&mut self, at_us: u64, left: usize) {
        self.watcher.settle(at_us, left);
        self.look();
    }
}

impl<'a> Attempt<'a> {
    pub fn new(
        simulation: &'a Simulation,
        in_parts: bool,
        candidate: &'a [Kept],
        rule: &'a Rule,
        origins: &'a Origins,
    ) -> Self {
        Self { simulation, in_parts, candidate, rule, origins }
    }

    pub fn play(self) -> Result<Attempted, Refusal> {
        let Self { simulation, rule, .. } = self;
        let setting = setting_of(&simulation.specification)?;
        let news = Rc::new(News::default());
        let watcher = Watcher::new(simulation, false);
        let mut lookout = Lookout { watcher, looked_at: 0, rule, news: Rc::clone(&news) };
        let mut world = setting.world(&simulation.specification, simulation.entries, Some(&mut lookout));
        world.break_off_after(simulation.most_steps, simulation.most_steps_without_progress);
        let attempted = Attempted { is_patient: true, ..Attempted::default() };
        let mut playing = Playing { attempt: &self, world: &mut world, named: Named::default(), news, attempted };
        playing.play();
        Ok(playing.attempted)
    }

    fn keeps_order(&self, message: MessageId) -> bool {
        let Specification { network, links, .. } = &self.simulation.specification;
        let link = links.iter().find(|link| (link.from, link.to) == (message.from, message.to));
        link.and_then(|link| link.patch.fifo).unwrap_or(network.fifo)
    }
}

/// The state of an attempt while its actions are executed.
struct Playing<'a, 'w> {
    attempt: &'a Attempt<'a>,
    world: &'a mut World<'w>,
    named: Named,
    news: Rc<News>,
    attempted: Attempted,
}

impl Playing<'_, '_> {
    fn play(&mut self) {
        if self.attempt.in_parts {
            self.world.begin_in_parts();
        } else {
            self.world.begin();
        }
        self.learn(None);
        for (place, kept) in self.attempt.candidate.iter().enumerate() {
            let left = self.attempt.candidate.len() - place - 1;
            if self.happens(kept, left) {
                self.learn(Some(kept.place));
                self.attempted.happened.push(kept.clone());
            }
            if self.news.broken.get() {
                break;
            }
        }
        if !self.attempt.in_parts && self.world.is_still() && !self.world.has_only_background() {
            self.world.settle(0);
        }
        self.attempted.broken = self.news.broken.get();
    }

    /// Executes an action if it is possible. Returns whether it was executed.
    fn happens(&mut self, kept: &Kept, left: usize) -> bool {
        let Some(choice) = self.named.translated(self.attempt.origins, &kept.scheduled.choice) else { return false };
        if !self.is_in_order(&choice) || !self.reach(kept.scheduled.at_us, &choice) || !self.is_in_time(&choice) {
            return false;
        }
        if self.world.apply(&choice).is_err() {
            return false;
        }
        if !self.attempt.in_parts && choice.ends_a_turn() {
            self.world.settle(left);
        }
        self.attempted.choices.push(Scheduled { at_us: kept.scheduled.at_us, choice });
        true
    }

    /// Returns whether the action respects the order of its link, if the link is FIFO.
    fn is_in_order(&self, choice: &Choice) -> bool {
        let Choice::Deliver(MessageName(message)) = choice else { return true };
        !self.attempt.keeps_order(*message)
            || self.named.may_overtake(self.attempt.origins, *message, &self.world.messages())
    }

    /// Advances to the time of an action. Returns false if that time has already passed.
    fn reach(&mut self, at_us: Option<Ticks>, choice: &Choice) -> bool {
        if self.attempt.in_parts {
            if let Some(at_us) = at_us {
                self.world.turn_to(at_us);
            }
            return true;
        }
        let now = self.world.now();
        let in_time = at_us.is_none_or(|at_us| at_us >= now);
        if in_time {
            self.world.reach(at_us.or_else(|| self.world.due_us(choice)).unwrap_or(now));
        }
        in_time
    }

    /// Returns whether the action is an allowed time-out. No timer of an algorithm may expire while a message in
    /// transit is late. This restriction does not apply if the original schedule violates it, or if the run does
    /// not use times.
    fn is_in_time(&mut self, choice: &Choice) -> bool {
        let Choice::Fire { timer: TimerName::Algorithm(_), .. } = choice else { return true };
        let now = self.world.now();
        let timed = self.attempt.simulation.specification.timers && !self.attempt.in_parts;
        let is_late = timed && matches!(self.world.next_due(), Some((due, Due::Message)) if due < now);
        self.attempted.is_patient &= !is_late;
        !is_late || !self.attempt.origins.is_patient
    }

    /// Stores the origins of the messages that the latest action has sent.
    fn learn(&mut self, place: Option<usize>) {
        for message in self.news.sent.take() {
            self.named.learn(place, message);
            self.attempted.sent.push((place, message));
        }
    }
}
