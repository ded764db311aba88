//! The common part of wait-die and wound-wait: age decides which process may wait.
//!
//! A transaction gets a timestamp when it begins. If it is aborted and tried again, it keeps the timestamp, so it
//! eventually becomes the oldest. The home of a resource compares the ages of a waiting process and of the holder. The
//! home compares them when a process has to wait, and again when the resource gets another holder.

mod message;

use core::fmt::Debug;
use core::marker::PhantomData;
use core::slice;

pub use self::message::AgesMessage;
use super::home::{Asked, Home, Released, Requester};
use super::places::Places;
use super::post::Post;
use super::reason::Reason;
use super::transaction::Transaction;
use crate::contract::Data;
use crate::outcome::AbortCause;
use crate::prelude::*;

/// The values that are fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The homes of the resources.
    pub places: Places,
    /// The difference of this variant from the paper.
    pub mistake: Mistake,
}

choices! {
    /// The difference of a faulty variant from the paper.
    pub enum Mistake {
        None = "original": "as in the paper",
        NotComparedAgain = "ages-not-compared-again":
            "ages are compared when a process asks, but not when a resource gets another holder";
            broken: "deadlock: a transaction waits for one served before it",
        TimestampRenewed = "timestamp-renewed": "a transaction that begins again gets a new timestamp";
            broken: "starvation: a transaction that begins again is the youngest",
    }
}

/// The rule that decides which process gives up when one process has to wait for another.
pub trait Rule: Data + Copy + Sync {
    /// The catalogue entry.
    const ENTRY: Entry;
    /// The cause of the abort.
    const CAUSE: AbortCause;

    /// Returns the process that must give up (the waiting process, the holder, or neither), and the reason.
    fn judge(lock: LockId, waiting: Timestamp, holder: Timestamp) -> (Option<Loser>, Reason);
}

/// The process that gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loser {
    /// The process that waits.
    Waiting,
    /// The holder of the resource.
    Holder,
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Ages<R: Rule> {
    clock: Clock,
    transaction: Transaction,
    /// The latest request, and the time at which its transaction began.
    began: Option<(RequestId, u64)>,
    home: Home,
    rule: PhantomData<R>,
}

impl<R: Rule> Ages<R> {
    fn acquire(&mut self, setting: &Setting, lock: LockId, request: RequestId, post: &mut Post<'_, Self>) {
        let is_new = self.transaction.request().is_none();
        let renew = is_new && setting.mistake == Mistake::TimestampRenewed;
        let began = match self.began {
            Some((latest, began)) if latest == request && !renew => began,
            _ => self.clock.tick(),
        };
        self.began = Some((request, began));
        let ticket = self.transaction.ask(&[lock], request, post.out());
        post.send(setting.places.home(lock), AgesMessage::Request { lock, ticket, timestamp: began });
    }

    fn release(&mut self, setting: &Setting, lock: LockId, request: RequestId, post: &mut Post<'_, Self>) {
        if let Some(ticket) = self.transaction.release(lock, request, post.out()) {
            post.send(setting.places.home(lock), AgesMessage::Release { lock, ticket });
        }
    }

    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: AgesMessage,
        post: &mut Post<'_, Self>,
    ) {
        let lock = message.lock();
        let home = if message.is_for_home() { me } else { from };
        if !setting.places.is_home(home, lock) {
            return post.because(Reason::NotFromThere { from });
        }
        match message {
            AgesMessage::Request { ticket, timestamp, .. } => {
                self.clock.observe(timestamp);
                self.asked(lock, Requester { process: from, ticket, began: timestamp }, post);
            }
            AgesMessage::Release { ticket, .. } => self.released(setting, from, lock, ticket, post),
            AgesMessage::Grant { ticket, clock, .. } => {
                self.clock.observe(clock);
                if !self.transaction.wants(lock, ticket) {
                    return post.because(Reason::UnknownTicket { from });
                }
                post.because(Reason::GrantedByHome { home: from });
                self.transaction.granted(ticket, post.out());
            }
            AgesMessage::Abort { ticket, .. } => self.told_to_abort(setting, from, lock, ticket, post),
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
            Asked::Queued(holder) => Self::compare(lock, claim, holder, post),
        }
    }

    fn grant(&mut self, lock: LockId, process: NodeId, ticket: u64, post: &mut Post<'_, Self>) {
        let clock = self.clock.tick();
        post.send(process, AgesMessage::Grant { lock, ticket, clock });
    }

    fn compare(lock: LockId, waiting: Requester, holder: Requester, post: &mut Post<'_, Self>) {
        let (loser, reason) = R::judge(lock, waiting.age(), holder.age());
        post.because(reason);
        let loser = match loser {
            Some(Loser::Waiting) => waiting,
            Some(Loser::Holder) => holder,
            None => return,
        };
        post.send(loser.process, AgesMessage::Abort { lock, ticket: loser.ticket });
    }

    fn released(&mut self, setting: &Setting, from: NodeId, lock: LockId, ticket: u64, post: &mut Post<'_, Self>) {
        let next = match self.home.release(lock, from, ticket) {
            Released::Unknown => return post.because(Reason::UnknownTicket { from }),
            Released::Withdrawn => return post.because(Reason::Withdrawn { lock, process: from }),
            Released::Free => return post.because(Reason::ResourceGivenBack { lock }),
            Released::Next(next) => next,
        };
        let waiting: Vec<Requester> = self.home.waiting(lock).collect();
        let behind = u32::try_from(waiting.len()).unwrap_or(u32::MAX);
        post.because(Reason::ResourceNext { lock, process: next.process, behind });
        self.grant(lock, next.process, next.ticket, post);
        if setting.mistake != Mistake::NotComparedAgain {
            for waiting in waiting {
                Self::compare(lock, waiting, next, post);
            }
        }
    }

    fn told_to_abort(&mut self, setting: &Setting, from: NodeId, lock: LockId, ticket: u64, post: &mut Post<'_, Self>) {
        if !self.transaction.wants(lock, ticket) && !self.transaction.holds(lock, ticket) {
            return post.because(Reason::UnknownTicket { from });
        }
        // A transaction that is releasing resources waits for nothing, so it is not in a cycle and need not abort.
        if self.transaction.is_leaving() {
            return post.because(Reason::GivesBackAlready { from });
        }
        post.because(Reason::GivesUp { from });
        for (lock, ticket) in self.transaction.abort(R::CAUSE, post.out()) {
            post.send(setting.places.home(lock), AgesMessage::Release { lock, ticket });
        }
    }
}

impl<R: Rule> Algorithm for Ages<R> {
    type Setting = Setting;
    type Message = AgesMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = R::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting { places: Places::of(configuration), mistake: configuration.variant()? })
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
            rule: PhantomData,
        }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let mut post = Post::new(me, out);
        match input {
            Input::Command(Command::Acquire { lock, request }) => self.acquire(setting, lock, request, &mut post),
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
        let Command::Acquire { lock, request } = command else { return None };
        self.transaction.objection(setting.places, slice::from_ref(lock), *request)
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let mut view = self.home.view();
        view.clock = Some(self.clock.now());
        let open = self.began.filter(|(request, _)| self.transaction.request() == Some(*request));
        view.request = open.map(|(_, clock)| Timestamp { clock, process: me });
        self.transaction.show(&mut view, |lock| setting.places.home(lock));
        view
    }
}
