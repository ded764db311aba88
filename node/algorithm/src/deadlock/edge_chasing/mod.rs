//! Edge chasing: Chandy, Misra and Haas 1983, "Distributed Deadlock Detection", ACM TOCS 1(2), section 4, as the
//! lecture presents it. In this resource model, a process needs all resources for which it waits.
//!
//! When a process learns that it is blocked, it sends a probe to the holder of the resource that it wants. If a
//! blocked process receives a probe, it forwards the probe to each process for which it waits. The forwarded probe
//! has a new sender and receiver. A process whose own probe comes back is in a cycle, and gives up. There is no
//! coordinator. A process requests one resource after the other, or all at once (parameter `requests`). If it
//! requests all at once, it gets each resource as soon as that resource becomes free. It may then wait for several
//! resources at the same time.
//!
//! The proof in the paper assumes that a blocked process stays blocked until it gets what it waits for. Here, victims
//! give up. Suppose that a process forwards a probe and then gives up to break another cycle. The probe continues as
//! long as its receiver holds the resource for which the victim waited. The probe may then follow waits that began
//! later, so the reported cycle may never have existed. If each process has only one wait, this is rare, because it
//! requires two cycles that share a process. If processes have several waits, such reports are not rare.
//!
//! If several processes in a cycle have begun probes, several of them give up. In the variant `highest`, only one
//! process gives up. There, a process that receives a probe of a process with a lower id begins its own probe and
//! does not forward the received probe. So only the probe of the process with the highest id comes back (as in the
//! election of Chang and Roberts 1979).

mod chase;
mod message;

use core::slice;

use self::chase::{Blocked, Chase, can_be, forwarded};
pub use self::message::{EdgeChasingMessage, Probe};
use super::FAMILY;
use super::home::{Asked, Home, Released, Requester};
use super::places::Places;
use super::post::Post;
use super::reason::Reason;
use super::transaction::Transaction;
use crate::command::Discipline;
use crate::conduct::Detection;
use crate::outcome::AbortCause;
use crate::prelude::*;

/// The values that are fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The homes of the resources.
    pub places: Places,
    /// The treatment of probes.
    pub rule: Rule,
    /// Whether a process requests all resources that it needs at the same time.
    pub at_once: bool,
}

choices! {
    /// The treatment of a probe that another process began. With the faulty rule, a process forwards a probe even if
    /// it is no longer blocked. It also does not check whether the probe's sender still waits.
    pub enum Rule {
        ForwardAll = "original": "each process whose probe comes back gives up: there can be several",
        ForwardHigher = "highest": "only the probe of the highest process of a cycle comes back, so only one gives up",
        ForwardUnblocked = "forwards-unblocked":
            "a process that is no longer blocked forwards probes to the process that it waited for";
            broken: "phantom deadlocks: a probe follows waits that are over",
    }
}

choices! {
    /// Whether a process requests its resources one after the other or all at once.
    pub enum Requests {
        OneByOne = "one-by-one": "for one resource after the other",
        AtOnce = "at-once": "for all resources that it needs at the same time",
    }
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EdgeChasing {
    transaction: Transaction,
    home: Home,
    chase: Chase,
}

impl EdgeChasing {
    fn acquire(&mut self, setting: &Setting, locks: &[LockId], request: RequestId, post: &mut Post<'_, Self>) {
        for &lock in locks {
            let ticket = self.transaction.ask(&[lock], request, post.out());
            post.send(setting.places.home(lock), EdgeChasingMessage::Request { lock, ticket });
        }
    }

    fn release(&mut self, setting: &Setting, lock: LockId, request: RequestId, post: &mut Post<'_, Self>) {
        if let Some(ticket) = self.transaction.release(lock, request, post.out()) {
            self.chase.gave(lock);
            post.send(setting.places.home(lock), EdgeChasingMessage::Release { lock, ticket });
        }
    }

    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: EdgeChasingMessage,
        post: &mut Post<'_, Self>,
    ) {
        let places = setting.places;
        match message {
            EdgeChasingMessage::Request { lock, ticket } if places.is_home(me, lock) => {
                self.asked(lock, Requester { process: from, ticket, began: 0 }, post);
            }
            EdgeChasingMessage::Release { lock, ticket } if places.is_home(me, lock) => {
                self.released(lock, from, ticket, post);
            }
            EdgeChasingMessage::Wait { lock, ticket, holder, turn } if places.is_home(from, lock) => {
                self.told_to_wait(setting, me, Told { from, lock, ticket, turn }, holder, post);
            }
            EdgeChasingMessage::Grant { lock, ticket, turn } if places.is_home(from, lock) => {
                self.granted(me, Told { from, lock, ticket, turn }, post);
            }
            EdgeChasingMessage::Probe(probe) if can_be(&probe, from, me, places.nodes) => {
                self.probed(setting, me, probe, post);
            }
            EdgeChasingMessage::Probe(_) => post.because(Reason::Nonsense { from }),
            _ => post.because(Reason::NotFromThere { from }),
        }
    }

    fn asked(&mut self, lock: LockId, claim: Requester, post: &mut Post<'_, Self>) {
        let process = claim.process;
        match self.home.ask(lock, claim) {
            Asked::Outdated => post.because(Reason::OldRequest { from: process }),
            Asked::Granted => {
                post.because(Reason::ResourceFree { lock, process });
                self.grant(lock, claim, post);
            }
            Asked::Queued(holder) => {
                post.because(Reason::ResourceTaken { lock, process, holder: holder.process });
                self.tell_to_wait(lock, claim, holder, post);
            }
        }
    }

    fn released(&mut self, lock: LockId, from: NodeId, ticket: u64, post: &mut Post<'_, Self>) {
        let next = match self.home.release(lock, from, ticket) {
            Released::Unknown => return post.because(Reason::UnknownTicket { from }),
            Released::Withdrawn => return post.because(Reason::Withdrawn { lock, process: from }),
            Released::Free => return post.because(Reason::ResourceGivenBack { lock }),
            Released::Next(next) => next,
        };
        let waiting: Vec<Requester> = self.home.waiting(lock).collect();
        let behind = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
        post.because(Reason::ResourceNext { lock, process: next.process, behind });
        self.grant(lock, next, post);
        for waiting in waiting {
            self.tell_to_wait(lock, waiting, next, post);
        }
    }

    fn turn(&self, lock: LockId) -> u64 {
        self.home.of(lock).map_or(0, |resource| resource.turn)
    }

    fn grant(&self, lock: LockId, claim: Requester, post: &mut Post<'_, Self>) {
        let turn = self.turn(lock);
        post.send(claim.process, EdgeChasingMessage::Grant { lock, ticket: claim.ticket, turn });
    }

    fn tell_to_wait(&self, lock: LockId, waiting: Requester, holder: Requester, post: &mut Post<'_, Self>) {
        let (turn, holder) = (self.turn(lock), holder.process);
        post.send(waiting.process, EdgeChasingMessage::Wait { lock, ticket: waiting.ticket, holder, turn });
    }

    fn told_to_wait(
        &mut self,
        setting: &Setting,
        me: NodeId,
        Told { from, lock, ticket, turn }: Told,
        holder: NodeId,
        post: &mut Post<'_, Self>,
    ) {
        let wanted = self.transaction.wanted().find(|(wanted, _, by)| (*wanted, *by) == (lock, ticket));
        let Some((_, request, _)) = wanted else { return post.because(Reason::UnknownTicket { from }) };
        // The report is outdated: this process was the holder, but has released the resource. Next, the home will
        // grant the resource.
        if holder == me || holder.0 >= setting.places.nodes {
            return post.because(Reason::OldReport { from });
        }
        let Some(wait) = self.chase.block(lock, ticket, holder, turn) else {
            return post.because(Reason::OldReport { from });
        };
        post.outcome(Outcome::Blocked { lock, request, on: [holder].into() });
        self.begin(me, &[wait], |number, holder| Reason::ProbeStarted { number, holder }, post);
    }

    /// Begins a probe along each wait in `waits`. `reason` returns the reason to report for each probe.
    fn begin(
        &mut self,
        me: NodeId,
        waits: &[Blocked],
        reason: impl Fn(u64, NodeId) -> Reason,
        post: &mut Post<'_, Self>,
    ) {
        if waits.is_empty() {
            return;
        }
        for probe in self.chase.probes(me, waits) {
            post.because(reason(probe.number, probe.receiver));
            post.send(probe.receiver, EdgeChasingMessage::Probe(probe));
        }
    }

    fn granted(&mut self, me: NodeId, Told { from, lock, ticket, turn }: Told, post: &mut Post<'_, Self>) {
        if !self.transaction.wants(lock, ticket) {
            return post.because(Reason::UnknownTicket { from });
        }
        self.chase.unblock(lock);
        self.chase.got(lock, turn);
        post.because(Reason::GrantedByHome { home: from });
        self.transaction.granted(ticket, post.out());
        // Before the grant arrived, this process may have dropped probes of processes that wait for the resource. So
        // it begins new probes.
        self.begin(me, &self.chase.waits(), |number, holder| Reason::ProbeStarted { number, holder }, post);
    }

    fn probed(&mut self, setting: &Setting, me: NodeId, probe: Probe, post: &mut Post<'_, Self>) {
        let blocked = probe.blocked;
        let looks = setting.rule != Rule::ForwardUnblocked;
        if looks && !self.chase.is_waited_for(&probe) {
            return post.because(Reason::ProbeOutdated { blocked });
        }
        if blocked == me {
            return self.came_back(setting, me, probe, post);
        }
        let waits = self.waits(looks);
        if waits.is_empty() {
            return post.because(Reason::ProbeEnds { blocked });
        }
        if !self.chase.pass(&probe) || probe.path.contains(&me) {
            return post.because(Reason::ProbeOutdated { blocked });
        }
        if setting.rule == Rule::ForwardHigher && blocked < me {
            return self.begin(me, &waits, |number, _| Reason::ProbeReplaced { blocked, number }, post);
        }
        for wait in waits {
            self.forward(me, &probe, wait, post);
        }
    }

    /// Returns the waits along which a probe is forwarded: the current waits. If there are none, a correct process
    /// (`looks`) forwards no probe. With the faulty rule [`Rule::ForwardUnblocked`], `looks` is false. The process then
    /// forwards the probe along the wait that ended most recently, if any.
    fn waits(&self, looks: bool) -> Vec<Blocked> {
        let waits = self.chase.waits();
        if looks || self.chase.is_blocked() { waits } else { self.chase.before().into_iter().collect() }
    }

    fn forward(&self, me: NodeId, probe: &Probe, wait: Blocked, post: &mut Post<'_, Self>) {
        let (blocked, holder) = (probe.blocked, wait.holder);
        post.because(if self.chase.is_blocked() {
            Reason::ProbeForwarded { blocked, holder }
        } else {
            Reason::ProbeForwardedUnblocked { blocked, holder }
        });
        post.send(holder, EdgeChasingMessage::Probe(forwarded(probe, me, wait)));
    }

    fn came_back(&mut self, setting: &Setting, me: NodeId, probe: Probe, post: &mut Post<'_, Self>) {
        if !self.chase.is_own(&probe) {
            post.because(Reason::ProbeOutdated { blocked: me });
            // Of several probes with the same number, a process forwards only the first. If another process has
            // forwarded this outdated probe, it may have dropped a probe along a wait of this process that still
            // exists. So this process begins new probes. If it can have only one wait, it has already begun a later
            // probe along that wait.
            let waits = if setting.at_once { self.chase.waits() } else { Vec::new() };
            return self.begin(me, &waits, |number, holder| Reason::ProbeStarted { number, holder }, post);
        }
        post.because(Reason::ProbeCameBack { number: probe.number });
        post.outcome(Outcome::Reported { cycle: probe.path, victim: me });
        self.chase.give_up();
        for (lock, ticket) in self.transaction.abort(AbortCause::Victim, post.out()) {
            post.send(setting.places.home(lock), EdgeChasingMessage::Release { lock, ticket });
        }
    }
}

/// The content of a home's answer to a request.
#[derive(Clone, Copy)]
struct Told {
    from: NodeId,
    lock: LockId,
    ticket: u64,
    turn: u64,
}

impl Algorithm for EdgeChasing {
    type Setting = Setting;
    type Message = EdgeChasingMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "edge-chasing",
        title: "Edge chasing",
        source: Source {
            authors: "K. Mani Chandy, Jayadev Misra, Laura M. Haas",
            title: "Distributed Deadlock Detection",
            year: 1983,
        },
        summary: "A blocked process sends a probe along the processes that wait for each other; if it comes back, the \
                  process gives up.",
        variants: Rule::VARIANTS,
        // Messages name their ticket, turn or number, so old messages and duplicated copies are recognised.
        assumes: FAMILY.assumes,
        message_kinds: EdgeChasingMessage::KINDS,
        conduct: Conduct {
            aborts: &["original", "highest", "forwards-unblocked"],
            detection: Detection::Probes,
            ..Conduct::PLAIN
        },
        parameters: &[Parameter::choice::<Requests>(
            "requests",
            "whether a process asks for one resource after the other, or for all that it needs at the same time; then \
            a cycle that another process has just broken may also be reported",
        )],
        messages_per_entry: "3, plus 2 or more each time that it is blocked",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting {
            places: Places::of(configuration),
            rule: configuration.variant()?,
            at_once: configuration.choice::<Requests>("requests")? == Requests::AtOnce,
        })
    }

    fn default_locks(configuration: &Configuration<'_>) -> u32 {
        configuration.nodes
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { transaction: Transaction::default(), home: Home::default(), chase: Chase::default() }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let mut post = Post::new(me, out);
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, &[lock], request, &mut post),
            Input::Command(Command::AcquireTogether { locks, request }) => {
                self.acquire(setting, &locks, request, &mut post);
            }
            Input::Command(Command::Release { lock, request }) => self.release(setting, lock, request, &mut post),
            Input::Message { from, message } => self.receive(setting, me, from, message, &mut post),
            // Nothing is stored: after a crash, a process knows only what it knew at the start.
            _ => {}
        }
        while let Some(message) = post.next() {
            self.receive(setting, me, me, message, &mut post);
        }
        post.send_off();
    }

    fn objection(&self, setting: &Setting, _: NodeId, command: &Command) -> Option<String> {
        let (locks, request) = match command {
            Command::Acquire { lock, request } => (slice::from_ref(lock), *request),
            Command::AcquireTogether { locks, request } => (locks.as_slice(), *request),
            _ => return None,
        };
        if setting.at_once {
            self.transaction.objection_to_more(setting.places, locks, request)
        } else {
            self.transaction.objection(setting.places, locks, request)
        }
    }

    fn discipline(setting: &Setting) -> Discipline {
        if setting.at_once { Discipline::Together } else { Discipline::AsPlanned }
    }

    fn view(&self, setting: &Setting, _: NodeId) -> View {
        let mut view = self.home.view();
        self.transaction.show(&mut view, |lock| setting.places.home(lock));
        let holders: Vec<NodeId> = self.chase.waits().into_iter().map(|wait| wait.holder).collect();
        if !holders.is_empty() {
            view.variables.insert("blocked_on".into(), Value::nodes(&holders));
            view.waits_for = holders.into_iter().collect();
        }
        view
    }
}
