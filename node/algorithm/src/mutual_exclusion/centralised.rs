//! The centralised algorithm, as in the textbooks (Coulouris and Dollimore, with Kindberg from the second edition, 1994;
//! Tanenbaum and van Steen).
//!
//! One process, the coordinator, grants the critical section to one process at a time and keeps the others in a
//! queue. If the coordinator itself wants the critical section, it makes and grants its own request without
//! messages.
//!
//! One variant grants a lease (Gray and Cheriton 1989, "Leases"). If the holder has not left before its lease expires,
//! the coordinator considers the holder crashed and grants the next request. If the holder was only slow, two
//! processes are then inside. A fencing token, which increases with each grant, lets the resource reject the slow
//! holder's late writes.

use super::prelude::*;
use crate::clock::{count_in_life, number_in_life};

/// The variables of one process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Centralised {
    /// Incarnation of this process, counted from 1.
    incarnation: u32,
    clock: Clock,
    section: Section,
    office: Office,
}

/// The coordinator's knowledge; empty at the other processes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Office {
    granted: Option<Timestamp>,
    /// Number of leases granted, which is also the latest fencing token.
    fence: u64,
    queue: Vec<Timestamp>,
    /// Newest request received from each process, to recognise duplicated copies.
    seen: FlatMap<NodeId, u64>,
}

messages! {
    /// The messages. Each message carries its send time. A request is identified by the time at which it was made.
    #[derive(Copy)]
    pub enum CentralisedMessage {
        "REQUEST" Request {
            /// Time of the request. In a later incarnation, it is greater than all request times of earlier
            /// incarnations ([`number_in_life`]).
            clock: u64,
        }: "A client asks the coordinator.",
        "GRANT" Grant {
            clock: u64,
            request: u64,
            /// Fencing token of a lease.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            fence: Option<u64>,
        }: "The coordinator grants the critical section to a client.",
        "RELEASE" Release { clock: u64, request: u64 }: "A client has left the critical section.",
    }
}

impl Centralised {
    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        let ours = Timestamp { clock: number_in_life(self.incarnation, self.clock.tick()), process: turn.me };
        self.section.request(asked, ours, turn);
        if turn.setting.order == Order::NoExclusion {
            self.section.enter(Reason::Granted, turn);
        } else {
            turn.send(turn.setting.coordinator, CentralisedMessage::Request { clock: ours.clock });
        }
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(ours) = self.section.exit(turn) else { return };
        let clock = self.clock.tick();
        if turn.setting.order != Order::NoExclusion {
            turn.send(turn.setting.coordinator, CentralisedMessage::Release { clock, request: ours.clock });
        }
    }

    fn receive(&mut self, from: NodeId, message: CentralisedMessage, turn: &mut Turn<Self>) {
        use CentralisedMessage::{Grant, Release, Request};
        let coordinator = if matches!(message, Grant { .. }) { from } else { turn.me };
        if coordinator != turn.setting.coordinator {
            return turn.because(Reason::NotForCoordinator { from });
        }
        let (Request { clock } | Grant { clock, .. } | Release { clock, .. }) = message;
        if from != turn.me {
            self.clock.observe(count_in_life(clock));
        }
        match message {
            Request { clock } => self.asked(Timestamp { clock, process: from }, turn),
            Release { request, .. } => self.released(Timestamp { clock: request, process: from }, turn),
            Grant { request, fence, .. } => self.granted(from, request, fence, turn),
        }
    }

    fn asked(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        let office = &mut self.office;
        if office.seen.get(&theirs.process).is_some_and(|&newest| newest >= theirs.clock) {
            return turn.because(Reason::Outdated { theirs });
        }
        office.seen.insert(theirs.process, theirs.clock);
        // A process has at most one waiting request. Removing its older requests prevents forged requests from filling
        // the queue.
        office.queue.retain(|queued| queued.process != theirs.process);
        if office.granted.take_if(|granted| granted.process == theirs.process).is_some() {
            turn.because(Reason::AsksAgain { theirs });
            office.enqueue(theirs, turn.setting.order);
            return self.grant_first(turn);
        }
        if let Some(holder) = office.granted {
            office.enqueue(theirs, turn.setting.order);
            return turn.because(Reason::Queued { theirs, holder });
        }
        turn.because(Reason::GrantedFree { theirs });
        self.grant(theirs, turn);
    }

    fn grant(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        self.office.granted = Some(theirs);
        // A message from the coordinator to itself is not a separate event.
        let clock = if theirs.process == turn.me { self.clock.now() } else { self.clock.tick() };
        let fence = (turn.setting.order == Order::Lease).then(|| {
            turn.set(Timer::Lease, turn.setting.lease);
            self.office.fence = self.office.fence.saturating_add(1);
            self.office.fence
        });
        turn.send(theirs.process, CentralisedMessage::Grant { clock, request: theirs.clock, fence });
    }

    /// Handles the expiry of the lease: the coordinator considers the holder crashed and reclaims the section.
    fn run_out(&mut self, Timer::Lease: Timer, turn: &mut Turn<Self>) {
        if let Some(theirs) = self.office.granted.take() {
            turn.because(Reason::Reclaimed { theirs });
            self.grant_first(turn);
        }
    }

    fn granted(&mut self, from: NodeId, request: u64, fence: Option<u64>, turn: &mut Turn<Self>) {
        if self.section.wanting().is_some_and(|ours| ours.clock == request) {
            turn.because(Reason::Granted);
            self.section.enter_with(fence, turn);
        } else if from != turn.me && request < number_in_life(self.incarnation, 0) {
            // The grant answers a request of an earlier incarnation.
            turn.because(Reason::GivenBack { from });
            turn.send(from, CentralisedMessage::Release { clock: self.clock.tick(), request });
        } else {
            turn.because(Reason::UnexpectedGrant { from });
        }
    }

    fn released(&mut self, theirs: Timestamp, turn: &mut Turn<Self>) {
        if self.office.granted != Some(theirs) {
            return turn.because(Reason::UnexpectedRelease { from: theirs.process });
        }
        self.office.granted = None;
        if turn.setting.order == Order::Lease {
            turn.cancel(Timer::Lease);
        }
        self.grant_first(turn);
    }

    fn grant_first(&mut self, turn: &mut Turn<Self>) {
        if self.office.queue.is_empty() {
            return turn.because(Reason::NobodyWaits);
        }
        let theirs = self.office.queue.remove(0);
        turn.because(Reason::GrantedFirst { theirs, behind: count(self.office.queue.len()) });
        self.grant(theirs, turn);
    }
}

impl Office {
    fn enqueue(&mut self, theirs: Timestamp, order: Order) {
        let place = match order {
            Order::Arrival | Order::Lease | Order::NoExclusion => self.queue.len(),
            Order::Priority => self.queue.partition_point(|queued| queued.process < theirs.process),
            Order::Timestamp => self.queue.partition_point(|queued| queued.by_count() < theirs.by_count()),
        };
        self.queue.insert(place, theirs);
    }
}

reasons! {
    pub enum Reason {
        GrantedFree { theirs: Timestamp }: "Granted: the critical section was free.",
        GrantedFirst { theirs: Timestamp, behind: u32 }:
            "Granted: the critical section has become free, and this request is the first in the queue.",
        Reclaimed { theirs: Timestamp }:
            "Taken back: this request has held the critical section for longer than its lease.",
        Queued { theirs: Timestamp, holder: Timestamp }: "Queued: another request holds the critical section.",
        NobodyWaits: "No process waits: the critical section is free.",
        Granted: "Entered: the coordinator has granted it.",
        Outdated { theirs: Timestamp }: "Ignored: an equally new or newer request from there is known.",
        AsksAgain { theirs: Timestamp }:
            "Left: the process that holds the critical section asks again, so it has left; its RELEASE may be late, or \
            lost in a crash.",
        GivenBack { from: NodeId }: "Given back: an earlier incarnation of this process asked for it.",
        UnexpectedGrant { from: NodeId }: "Ignored: this process does not wait for what is granted.",
        UnexpectedRelease { from: NodeId }: "Ignored: what is released was not granted.",
        NotForCoordinator { from: NodeId }:
            "Ignored: only the coordinator takes requests and releases, and only the coordinator grants.",
    }
}

choices! {
    /// The order in which waiting requests are granted.
    pub enum Order {
        Arrival = "arrival-order": "waiting requests are granted in the order in which they reached the coordinator",
        Timestamp = "timestamp-order":
            "waiting requests are granted in the order of their logical times; a request that arrives after a younger \
            one was granted is still late",
        Lease = "lease":
            "as arrival-order; a process that has not left in time counts as crashed, and each entry has a fencing \
            token",
        Priority = "priority-order":
            "the waiting process with the smallest id comes first, however long the others have waited";
            broken: "a process with a large id starves while processes with smaller ids keep asking",
        NoExclusion = "no-exclusion": "a process that wants the critical section enters without asking";
            broken: "there is no mutual exclusion",
    }
}

setting! { |configuration|
    coordinator: NodeId = configuration.node_parameter("coordinator")?,
    order: Order = configuration.variant()?,
    /// Duration of a lease.
    lease: Ticks = configuration.time("lease", 500_000)?,
}

/// Minimum duration of a lease: time for a GRANT, the stay in the section, and a RELEASE.
const ENDS: TimeOut = TimeOut::of("lease", 2, Risk::Safety);

/// The assumptions of most variants. Every message names its request, so duplicated copies are recognised.
const TELLS_COPIES: Assumptions = Assumptions { no_duplication: false, ..FAMILY.assumes };

timers! {
    /// Timers of the coordinator.
    pub enum Timer {
        Lease = "lease": "The lease of the holder has expired.",
    }
}

impl Algorithm for Centralised {
    steps!(CentralisedMessage: acquire, release, receive, timer Timer run_out);

    const ENTRY: Entry = Entry {
        name: "centralised",
        title: "Centralised",
        source: Source {
            authors: "folklore; described by George Coulouris, Jean Dollimore",
            title: "Distributed Systems: Concepts and Design",
            year: 1988,
        },
        summary: "A coordinator grants the critical section to one process at a time and keeps the others in a queue.",
        variants: Order::VARIANTS,
        assumes: TELLS_COPIES,
        // A client may crash; the coordinator may not.
        variants_assume: &[(
            &["lease"],
            Assumptions { failure_detector: FailureDetector::Perfect, time_outs: &[ENDS], ..TELLS_COPIES },
        )],
        structure: Structure::Coordinator { parameter: "coordinator" },
        message_kinds: CentralisedMessage::KINDS,
        parameters: &[
            Parameter::node("coordinator", "the process that grants the critical section"),
            Parameter::time(
                "lease",
                "with lease, the time after which the critical section is taken back, in ms: longer than two messages \
                and a stay take",
                "500",
                Pace::TimeOut,
            ),
        ],
        messages_per_entry: "3, or 0 for the coordinator",
        ..FAMILY
    };

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        [("lease", ParameterValue::time(setting.lease))].into()
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { incarnation: 1, clock: Clock::default(), section: Section::Idle, office: Office::default() }
    }

    /// Returns a fresh state for a client. A coordinator cannot come back, because it has forgotten its grants. Only
    /// `centralised-failover` reconstructs the grants from the reports of the other processes.
    fn begin_incarnation(setting: &Setting, me: NodeId, incarnation: u32) -> Option<Self> {
        (me != setting.coordinator).then(|| Self { incarnation, ..Self::new(setting, me) })
    }

    fn has_timestamps(setting: &Setting) -> bool {
        setting.order == Order::Timestamp
    }

    fn clock(&mut self, setting: &Setting) -> Option<&mut Clock> {
        (setting.order == Order::Timestamp).then_some(&mut self.clock)
    }

    fn compares_times(_: &Setting) -> bool {
        true
    }

    fn times(&mut self, _: NodeId) -> Vec<&mut dyn Timed> {
        let Office { granted, queue, seen, .. } = &mut self.office;
        [&mut self.clock as &mut dyn Timed, &mut self.section, granted, queue, seen].into()
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let holder = self.office.granted.map(|granted| granted.process);
        let is_coordinator = me == setting.coordinator;
        let asked = if is_coordinator { holder } else { Some(setting.coordinator) };
        View::timed(self.clock, self.section.time())
            .queued(self.office.queue.iter().copied())
            .waiting_for(asked.filter(|_| self.section.is_wanting()))
            .with("busy", is_coordinator.then(|| Value::Flag(holder.is_some())))
            .with("holder", is_coordinator.then(|| Value::node(holder)))
    }
}
