//! Monitor of mutual exclusion in real time: at most one process is in the critical section. Real time is the clock
//! that all processes of the machine share.
//!
//! Two sections overlap if they have a period of positive length in common. Lamport 1986 ("On Interprocess
//! Communication") orders operations in the same way, by their beginnings and ends. The result differs from
//! happened-before in both directions. For example, this monitor also judges a process that enters after the crash of
//! a holder without knowing of the crash.
//!
//! Reports may arrive late. A section that seems to be open may have ended, because the report of its exit may still be
//! in transit. The monitor therefore judges a pair of sections only by facts that are certain: a reported exit, or a
//! later timestamp of a process that was still inside.
//!
//! When a lease is taken back, its section ends. If the process then enters for that request, this monitor cannot
//! decide whether the lock has been granted to another process. Only the monitor of happened-before judges such an
//! entry.
//!
//! In a run with services, this is the only monitor of sections. There, the report of an exit comes late: a program
//! first releases the lock at the service, and then answers. The input that makes the program leave is the earliest
//! possible end of its section, and the time of the exit's event. Messages between a program and a service do not show
//! whether the program is inside. If a program crashes, or is paused, it was certainly inside until its hold time ends,
//! unless it had been ordered to release the lock.

use std::collections::VecDeque;

use super::finding::{Finding, Monitor, Property, findings};
use super::interventions::Interventions;
use crate::state::Capacities;
use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome, RequestId};
use interlock_machine::wire::{ClientTimer, TimerName};
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor.
pub const NAME: &str = "real-time";

findings! {
    /// Two sections were open at the same time. Arguments: `lock`, `first` (the node whose section began earlier),
    /// `second`, `from_us` (the beginning of the later section).
    pub const OVERLAPPING_SECTIONS = "overlapping-sections";
    OverlappingSections { lock: LockId, first: NodeId, second: NodeId, #[serde(default)] from_us: u64 } => format!(
        "{first} and {second} were in the critical section of lock {lock} at the same time: by the machine's clock, \
         {second} entered before {first} had left."
    )
}

/// Number of ended sections that are stored for each node. If a section overlaps with more ended sections than are
/// stored, the oldest of these are missed.
const REMEMBERED_PER_NODE: usize = 4;

/// The monitor of the sections of all locks.
#[derive(Debug)]
pub struct RealTime {
    capacities: Capacities,
    remembered: usize,
    locks: FlatMap<LockId, Sections>,
    /// None if the run has no services.
    by_clock: Option<ByClock>,
}

/// Facts about the programs of a run with services.
#[derive(Debug)]
struct ByClock {
    /// Number of nodes; services have higher numbers.
    nodes: u32,
    /// The time at which each process was paused.
    paused_us: FlatMap<NodeId, u64>,
}

/// The sections of one lock.
#[derive(Debug, Default)]
struct Sections {
    lasting: Vec<Section>,
    /// The holders and requests whose lease was taken back, in the order of these events.
    expired: VecDeque<(NodeId, RequestId)>,
    /// Ended sections, in the order in which their ends were reported.
    ended: VecDeque<Section>,
}

/// One section.
#[derive(Clone, Debug)]
struct Section {
    node: NodeId,
    request: RequestId,
    began_us: u64,
    /// Time until which the section certainly lasted. This is the end of the section or, while the section is open, the
    /// latest timestamp of its process.
    until_us: u64,
    /// Time at which its client releases the lock, if the client does so by itself. Only known in runs with services.
    release_us: Option<u64>,
    entered: u64,
    ended: Option<u64>,
    /// Sections reported earlier that overlap with this section, identified by their `entered` numbers.
    overlaps: Vec<u64>,
}

impl Section {
    /// Whether a process that was paused at `paused_us` stays in the section until it is resumed.
    fn is_frozen(&self, paused_us: u64) -> bool {
        self.release_us.is_some_and(|release_us| paused_us < release_us)
    }

    /// Returns the time until which a process that crashed was certainly inside, in a run with services: the program may
    /// have released the lock at the service, and crashed before its answer.
    fn certain_until(&self, paused_us: Option<u64>, releasing: bool, crashed_us: u64) -> u64 {
        if paused_us.is_some_and(|at_us| self.is_frozen(at_us)) {
            return crashed_us;
        }
        self.release_us.filter(|_| !releasing).unwrap_or(self.until_us).min(crashed_us)
    }

    fn overlap(&self, other: &Self) -> bool {
        self.until_us.min(other.until_us) > self.began_us.max(other.began_us)
    }

    /// Records that the sections `self` and `other` overlap, in the section that was reported later. Returns
    /// whether this overlap is new.
    fn note(&mut self, other: &mut Self) -> bool {
        let (elder, younger) = if self.entered < other.entered { (self, other) } else { (other, self) };
        let news = !younger.overlaps.contains(&elder.entered);
        if news {
            younger.overlaps.push(elder.entered);
        }
        news
    }
}

impl Monitor for RealTime {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(specification: &Specification) -> Self {
        let remembered = NodeId::all(specification.nodes).len() * REMEMBERED_PER_NODE;
        let by_clock =
            specification.has_services().then(|| ByClock { nodes: specification.clients(), paused_us: FlatMap::new() });
        Self { capacities: Capacities::of(specification), remembered, locks: FlatMap::new(), by_clock }
    }

    fn reads(&self, event: &Event, _: &Interventions) -> bool {
        !matches!(event.what, What::Sent { .. })
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Entered { lock, request, .. } }
                if self.capacities.is_exclusive(*lock) =>
            {
                self.locks.entry(*lock).or_default().begin(at.node, *request, event);
            }
            What::Outcome { outcome: Outcome::Expired { lock, holder, request }, .. } => {
                let sections = self.locks.entry(*lock).or_default();
                sections.expire(*lock, (*holder, *request), event, self.remembered, found);
            }
            What::Outcome { at, outcome: Outcome::Exited { lock, .. } } if self.capacities.is_exclusive(*lock) => {
                if let Some(sections) = self.locks.get_mut(lock) {
                    sections.end(*lock, at.node, event, self.remembered, found);
                }
            }
            What::Crashed { node, releasing, .. } => self.crashed(*node, *releasing, event, found),
            What::Delivered { at, message, .. } if self.is_of_a_service(at.node, message.from) => {}
            What::Armed { at, timer: TimerName::Client(timer), delay_us } => {
                self.armed(at.node, *timer, event.at_us.saturating_add(*delay_us));
            }
            // A process that had to release its lock may have left before it was paused.
            What::Paused { node, releasing, .. } => self.paused(*node, (!releasing).then_some(event.at_us)),
            What::Resumed { node, .. } => self.paused(*node, None),
            What::Initialized { at, .. }
            | What::Commanded { at, .. }
            | What::Fired { at, .. }
            | What::Delivered { at, .. } => self.stamped(at.node, event.at_us, found),
            _ => {}
        }
        self.stamp_frozen(event.at_us, found);
    }
}

impl RealTime {
    fn is_of_a_service(&self, one: NodeId, other: NodeId) -> bool {
        self.by_clock.as_ref().is_some_and(|by_clock| one.0.max(other.0) >= by_clock.nodes)
    }

    /// Records that a client has set a timer. If it is the timer of a release, its time is the earliest end of the
    /// section.
    fn armed(&mut self, node: NodeId, timer: ClientTimer, due_us: u64) {
        if self.by_clock.is_none() {
            return;
        }
        for (&lock, sections) in &mut self.locks {
            let is_release = timer == ClientTimer::Hold || timer == ClientTimer::HoldLock(lock);
            if let Some(section) = sections.open_of(node).filter(|_| is_release) {
                section.release_us = Some(due_us);
            }
        }
    }

    fn paused(&mut self, node: NodeId, at_us: Option<u64>) {
        let Some(ByClock { paused_us, .. }) = &mut self.by_clock else { return };
        match at_us {
            Some(at_us) => _ = paused_us.insert(node, at_us),
            None => _ = paused_us.remove(&node),
        }
    }

    /// Records that the processes that were paused inside are still inside.
    fn stamp_frozen(&mut self, now_us: u64, found: &mut Vec<Violation>) {
        let Some(ByClock { paused_us, .. }) = &self.by_clock else { return };
        for (&lock, sections) in &mut self.locks {
            for (&node, &paused_us) in paused_us {
                if sections.open_of(node).is_some_and(|section| section.is_frozen(paused_us)) {
                    sections.stamp(lock, node, now_us, found);
                }
            }
        }
    }

    fn crashed(&mut self, node: NodeId, releasing: bool, event: &Event, found: &mut Vec<Violation>) {
        let paused_us = self.by_clock.as_mut().map(|by_clock| by_clock.paused_us.remove(&node));
        for (&lock, sections) in &mut self.locks {
            let until_us = match (paused_us, sections.open_of(node)) {
                (Some(paused_us), Some(section)) => section.certain_until(paused_us, releasing, event.at_us),
                _ => event.at_us,
            };
            sections.end_at(lock, node, (event.seq, until_us), self.remembered, found);
        }
    }

    fn stamped(&mut self, node: NodeId, at_us: u64, found: &mut Vec<Violation>) {
        for (&lock, sections) in &mut self.locks {
            sections.stamp(lock, node, at_us, found);
        }
    }
}

impl Sections {
    fn begin(&mut self, node: NodeId, request: RequestId, event: &Event) {
        if self.lasting.iter().all(|section| section.node != node) && !self.expired.contains(&(node, request)) {
            let (began_us, entered) = (event.at_us, event.seq);
            let section = Section {
                node,
                request,
                began_us,
                until_us: began_us,
                release_us: None,
                entered,
                ended: None,
                overlaps: vec![],
            };
            self.lasting.push(section);
        }
    }

    fn expire(
        &mut self,
        lock: LockId,
        (holder, request): (NodeId, RequestId),
        event: &Event,
        remembered: usize,
        found: &mut Vec<Violation>,
    ) {
        if self.lasting.iter().any(|section| (section.node, section.request) == (holder, request)) {
            self.end(lock, holder, event, remembered, found);
        }
        self.expired.push_back((holder, request));
        if self.expired.len() > remembered {
            self.expired.pop_front();
        }
    }

    fn stamp(&mut self, lock: LockId, node: NodeId, at_us: u64, found: &mut Vec<Violation>) {
        let Some(index) = self.lasting.iter().position(|section| section.node == node) else { return };
        let mut section = self.lasting.swap_remove(index);
        section.until_us = section.until_us.max(at_us);
        // If no other section has been open since this section began, the comparison is not made now, but when the
        // section ends.
        if !self.lasting.is_empty() || self.ended.back().is_some_and(|last| last.ended > Some(section.entered)) {
            self.compare(lock, &mut section, found);
        }
        self.lasting.push(section);
    }

    fn open_of(&mut self, node: NodeId) -> Option<&mut Section> {
        self.lasting.iter_mut().find(|section| section.node == node)
    }

    fn end(&mut self, lock: LockId, node: NodeId, event: &Event, remembered: usize, found: &mut Vec<Violation>) {
        self.end_at(lock, node, (event.seq, event.at_us), remembered, found);
    }

    /// Ends the section of a node with the event `ended`. The section certainly lasted until `until_us`.
    fn end_at(
        &mut self,
        lock: LockId,
        node: NodeId,
        (ended, until_us): (u64, u64),
        remembered: usize,
        found: &mut Vec<Violation>,
    ) {
        let Some(index) = self.lasting.iter().position(|section| section.node == node) else { return };
        let mut section = self.lasting.swap_remove(index);
        section.until_us = section.until_us.max(until_us);
        section.ended = Some(ended);
        self.compare(lock, &mut section, found);
        self.ended.push_back(section);
        while self.ended.len() > remembered {
            self.ended.pop_front();
        }
    }

    fn compare(&mut self, lock: LockId, section: &mut Section, found: &mut Vec<Violation>) {
        for other in self.lasting.iter_mut().chain(&mut self.ended) {
            if other.node != section.node && section.overlap(other) && section.note(other) {
                found.push(overlapping(lock, section, other));
            }
        }
    }
}

fn overlapping(lock: LockId, one: &Section, other: &Section) -> Violation {
    let earlier = (one.began_us, one.entered) <= (other.began_us, other.entered);
    let (first, second) = if earlier { (one, other) } else { (other, one) };
    let mut events = vec![first.entered, second.entered];
    events.extend(first.ended.into_iter().chain(second.ended));
    events.sort_unstable();
    OverlappingSections { lock, first: first.node, second: second.node, from_us: second.began_us }.violation(events)
}
