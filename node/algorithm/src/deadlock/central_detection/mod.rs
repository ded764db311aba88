//! Centralised deadlock detection, as in lecture notes and textbooks: a coordinator combines all wait-for graphs.
//! Bernstein and Goodman describe this scheme. The protocols of Ho and Ramamoorthy 1982 differ from it: there the
//! coordinator asks all sites for their tables.
//!
//! Each process manages some resources. It stores which processes hold these resources and which processes wait for
//! them: its local wait-for graph. If that graph has changed, the process reports it to the coordinator after a delay,
//! so that one report covers several changes. The coordinator combines all reports and looks for cycles.
//!
//! A process requests its resources in a transaction. In each cycle, the coordinator orders the youngest transaction to
//! give up, because that transaction has done the least work. The transaction keeps its timestamp when it begins again,
//! so it does not remain the youngest.
//!
//! Reports can be outdated. The coordinator may therefore see a cycle that never existed, a phantom.

mod coordinator;
mod message;

use core::slice;

use self::coordinator::Coordinator;
pub use self::message::{CentralDetectionMessage, Edge};
use super::FAMILY;
use super::home::{Asked, Home, Released, Requester};
use super::places::Places;
use super::post::Post;
use super::reason::Reason;
use super::transaction::Transaction;
use crate::conduct::Detection;
use crate::contract::{Delay, Effect};
use crate::outcome::AbortCause;
use crate::prelude::*;

/// Default delay before a change is reported: a hundredth of a second in a live run.
const PERIOD: Ticks = 10_000;

/// The values that are fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The homes of the resources.
    pub places: Places,
    /// The process that looks for cycles.
    pub coordinator: NodeId,
    /// The delay before a change is reported, in ticks.
    pub period: Ticks,
}

timers! {
    /// The only timer: the time to report a change.
    pub enum Timer {
        Report = "report": "Reports what has changed.",
    }
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CentralDetection {
    clock: Clock,
    transaction: Transaction,
    /// The latest request, and the time at which its transaction began.
    began: Option<(RequestId, u64)>,
    home: Home,
    site: Site,
    coordinator: Coordinator,
}

/// The reports of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Site {
    version: u64,
    reported: Vec<Edge>,
    timer_is_set: bool,
}

impl CentralDetection {
    fn acquire(&mut self, setting: &Setting, lock: LockId, request: RequestId, post: &mut Post<'_, Self>) {
        let began = match self.began {
            Some((latest, began)) if latest == request => began,
            _ => self.clock.tick(),
        };
        self.began = Some((request, began));
        let ticket = self.transaction.ask(&[lock], request, post.out());
        let message = CentralDetectionMessage::Request { lock, ticket, timestamp: began };
        post.send(setting.places.home(lock), message);
    }

    fn release(&mut self, setting: &Setting, lock: LockId, request: RequestId, post: &mut Post<'_, Self>) {
        if let Some(ticket) = self.transaction.release(lock, request, post.out()) {
            post.send(setting.places.home(lock), CentralDetectionMessage::Release { lock, ticket });
        }
    }

    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: CentralDetectionMessage,
        post: &mut Post<'_, Self>,
    ) {
        let places = setting.places;
        match message {
            CentralDetectionMessage::Request { lock, ticket, timestamp } if places.is_home(me, lock) => {
                self.clock.observe(timestamp);
                self.asked(lock, Requester { process: from, ticket, began: timestamp }, post);
            }
            CentralDetectionMessage::Release { lock, ticket } if places.is_home(me, lock) => {
                self.released(lock, from, ticket, post);
            }
            CentralDetectionMessage::Grant { lock, ticket, clock } if places.is_home(from, lock) => {
                self.clock.observe(clock);
                self.granted(from, lock, ticket, post);
            }
            CentralDetectionMessage::Report { version, edges } if setting.coordinator == me => {
                self.reported(setting, from, version, edges, post);
            }
            CentralDetectionMessage::Abort { lock, ticket } if setting.coordinator == from => {
                self.told_to_abort(setting, from, lock, ticket, post);
            }
            _ => post.because(Reason::NotFromThere { from }),
        }
    }

    fn asked(&mut self, lock: LockId, claim: Requester, post: &mut Post<'_, Self>) {
        let Requester { process, ticket, .. } = claim;
        match self.home.ask(lock, claim) {
            Asked::Outdated => post.because(Reason::OldRequest { from: process }),
            Asked::Granted => {
                post.because(Reason::ResourceFree { lock, process });
                self.grant(lock, process, ticket, post);
            }
            Asked::Queued(holder) => {
                post.because(Reason::ResourceTaken { lock, process, holder: holder.process });
            }
        }
    }

    fn released(&mut self, lock: LockId, from: NodeId, ticket: u64, post: &mut Post<'_, Self>) {
        match self.home.release(lock, from, ticket) {
            Released::Unknown => post.because(Reason::UnknownTicket { from }),
            Released::Withdrawn => post.because(Reason::Withdrawn { lock, process: from }),
            Released::Free => post.because(Reason::ResourceGivenBack { lock }),
            Released::Next(next) => {
                let behind = u32::try_from(self.home.waiting(lock).count()).unwrap_or(u32::MAX);
                post.because(Reason::ResourceNext { lock, process: next.process, behind });
                self.grant(lock, next.process, next.ticket, post);
            }
        }
    }

    fn grant(&mut self, lock: LockId, process: NodeId, ticket: u64, post: &mut Post<'_, Self>) {
        let clock = self.clock.tick();
        post.send(process, CentralDetectionMessage::Grant { lock, ticket, clock });
    }

    fn granted(&mut self, from: NodeId, lock: LockId, ticket: u64, post: &mut Post<'_, Self>) {
        if !self.transaction.wants(lock, ticket) {
            return post.because(Reason::UnknownTicket { from });
        }
        post.because(Reason::GrantedByHome { home: from });
        self.transaction.granted(ticket, post.out());
    }

    /// Returns the local wait-for graph, by waiting process. If a process has two requests at this site, only the
    /// later request counts, because the process has given up the earlier request.
    fn graph(&self) -> Vec<Edge> {
        let edge = |(lock, waiting, holder): (LockId, Requester, Requester)| Edge {
            process: waiting.process,
            ticket: waiting.ticket,
            timestamp: waiting.began,
            lock,
            holder: holder.process,
        };
        let mut edges: Vec<Edge> = self.home.edges().map(edge).filter(|edge| edge.process != edge.holder).collect();
        edges.sort_unstable();
        edges.dedup_by(|later, earlier| {
            let is_same = later.process == earlier.process;
            if is_same {
                *earlier = *later;
            }
            is_same
        });
        edges
    }

    /// Sets the timer for the report if the local graph has changed.
    fn plan_report(&mut self, setting: &Setting, post: &mut Post<'_, Self>) {
        if !self.site.timer_is_set && self.graph() != self.site.reported {
            self.site.timer_is_set = true;
            let delay = Delay::Exactly(setting.period);
            post.out().push(Effect::SetTimer { timer: Timer::Report, delay });
        }
    }

    fn report(&mut self, setting: &Setting, post: &mut Post<'_, Self>) {
        self.site.timer_is_set = false;
        let edges = self.graph();
        if edges == self.site.reported {
            return;
        }
        self.site.reported.clone_from(&edges);
        self.site.version = self.site.version.saturating_add(1);
        post.because(Reason::GraphReported { edges: count(edges.len()) });
        post.send(setting.coordinator, CentralDetectionMessage::Report { version: self.site.version, edges });
    }

    fn reported(&mut self, setting: &Setting, from: NodeId, version: u64, edges: Vec<Edge>, post: &mut Post<'_, Self>) {
        let places = setting.places;
        let can_be = |edge: &Edge| {
            let ends = [edge.process, edge.holder];
            places.is_home(from, edge.lock) && ends.iter().all(|end| end.0 < places.nodes) && ends[0] != ends[1]
        };
        let nobody_twice = edges.windows(2).all(|pair| pair[0].process < pair[1].process);
        if !nobody_twice || !edges.iter().all(can_be) {
            return post.because(Reason::Nonsense { from });
        }
        if !self.coordinator.take(from, version, edges) {
            return post.because(Reason::OldReport { from });
        }
        while let Some((cycle, victim)) = self.coordinator.resolve() {
            post.because(Reason::YoungestOfCircle { victim: victim.process, size: count(cycle.len()) });
            post.outcome(Outcome::Reported { cycle, victim: victim.process });
            let Edge { lock, ticket, .. } = victim;
            post.send(victim.process, CentralDetectionMessage::Abort { lock, ticket });
        }
        post.because(Reason::NoCircle { edges: count(self.coordinator.waits().len()) });
    }

    fn told_to_abort(&mut self, setting: &Setting, from: NodeId, lock: LockId, ticket: u64, post: &mut Post<'_, Self>) {
        if !self.transaction.wants(lock, ticket) {
            return post.because(Reason::UnknownTicket { from });
        }
        post.because(Reason::GivesUp { from });
        for (lock, ticket) in self.transaction.abort(AbortCause::Victim, post.out()) {
            post.send(setting.places.home(lock), CentralDetectionMessage::Release { lock, ticket });
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Algorithm for CentralDetection {
    type Setting = Setting;
    type Message = CentralDetectionMessage;
    type Timer = Timer;
    type Stored = ();
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "central-detection",
        title: "Centralised deadlock detection",
        source: Source {
            authors: "folklore; described by Philip A. Bernstein, Nathan Goodman",
            title: "Concurrency Control in Distributed Database Systems",
            year: 1981,
        },
        summary: "A coordinator merges the wait-for graphs of all sites and breaks the cycles in them.",
        variants: &[Variant::new("original", "the youngest transaction of a cycle gives up")],
        // Messages name their ticket or version, so old messages and duplicated copies are recognised.
        assumes: FAMILY.assumes,
        structure: Structure::Coordinator { parameter: "coordinator" },
        message_kinds: CentralDetectionMessage::KINDS,
        conduct: Conduct { aborts: &["original"], detection: Detection::Reports, ..Conduct::PLAIN },
        parameters: &[
            Parameter::node("coordinator", "the process that looks for cycles"),
            Parameter::time("period", "the time after which a change is reported, in ms", "10", Pace::Again),
        ],
        messages_per_entry: "3, plus the reports of waits",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting {
            places: Places::of(configuration),
            coordinator: configuration.node_parameter("coordinator")?,
            period: configuration.time("period", PERIOD)?,
        })
    }

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        [("period", ParameterValue::time(setting.period))].into()
    }

    fn default_locks(configuration: &Configuration<'_>) -> u32 {
        configuration.nodes
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self {
            clock: Clock::default(),
            transaction: Transaction::default(),
            began: None,
            home: Home::default(),
            site: Site::default(),
            coordinator: Coordinator::default(),
        }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let mut post = Post::new(me, out);
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, lock, request, &mut post),
            Input::Command(Command::Release { lock, request }) => self.release(setting, lock, request, &mut post),
            Input::Message { from, message } => self.receive(setting, me, from, message, &mut post),
            Input::Timer(Timer::Report) => self.report(setting, &mut post),
            // Nothing is stored: after a crash, a process knows only what it knew at the start.
            _ => {}
        }
        while let Some(message) = post.next() {
            self.receive(setting, me, me, message, &mut post);
        }
        self.plan_report(setting, &mut post);
        post.send_off();
    }

    fn objection(&self, setting: &Setting, _: NodeId, command: &Command) -> Option<String> {
        let Command::Acquire { lock, request } = command else { return None };
        self.transaction.objection(setting.places, slice::from_ref(lock), *request)
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let mut view = self.home.view();
        view.clock = Some(self.clock.now());
        let open = self.began.filter(|(request, _)| self.transaction.request() == Some(*request));
        view.request = open.map(|(_, clock)| Timestamp { clock, process: me });
        self.transaction.show(&mut view, |lock| setting.places.home(lock));
        if me == setting.coordinator {
            let waits = self.coordinator.waits();
            view.variables.insert("waiting".into(), Value::nodes(waits.keys()));
            view.variables.insert("waited_for".into(), Value::nodes(waits.values().map(|edge| &edge.holder)));
        }
        view
    }
}
