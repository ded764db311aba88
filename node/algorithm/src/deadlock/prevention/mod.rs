//! Deadlock prevention: breaking one of the four necessary conditions (Coffman, Elphick and Shoshani 1971).
//!
//! A process requests each resource from its home, which grants it to one process at a time, first come, first
//! served. Without further rules, such processes can deadlock (variant `none`). Each of the other variants removes
//! one condition:
//! - `ordered` removes circular waits: resources are requested in ascending order (Havender 1968).
//! - `together` removes hold and wait: all resources are requested at once, from one common home.
//! - `give-way` removes the right to keep resources: if a process cannot get what it wants, it releases what it has.
//! - `shared` removes exclusiveness: several processes may hold a resource.

mod message;
mod together;

use core::slice;

pub use self::message::PreventionMessage;
use self::together::Together;
use super::FAMILY;
use super::home::{Asked, Home, Released, Requester};
use super::places::Places;
use super::post::Post;
use super::reason::Reason;
use super::transaction::Transaction;
use crate::command::Discipline;
use crate::outcome::AbortCause;
use crate::prelude::*;

/// The values that are fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The homes of the resources.
    pub places: Places,
    /// The condition for a deadlock that this variant removes.
    pub broken: Condition,
}

choices! {
    /// The condition for a deadlock that a variant removes, and how.
    pub enum Condition {
        CircularWait = "ordered": "no circular wait: resources are requested in ascending order",
        HoldAndWait = "together": "no hold and wait: all resources are requested at once and granted at once",
        NoPreemption = "give-way":
            "preemption: a process that requests a resource that is not free gives everything back and tries again",
        Exclusiveness = "shared": "no exclusive use: any number of processes may have a resource at the same time",
        None = "none": "all four conditions hold";
            broken: "deadlock: philosophers who all take the left fork first wait forever",
    }
}

impl Setting {
    /// Returns the home of a resource. In the variant that requests all resources at once, process 0 is the home of
    /// all.
    fn home(&self, lock: LockId) -> NodeId {
        if self.broken == Condition::HoldAndWait { NodeId(0) } else { self.places.home(lock) }
    }

    /// Whether a request to process `me` for `locks` is valid: `me` is the home of all these resources, and they are
    /// in ascending order.
    fn are_here(&self, me: NodeId, locks: &[LockId]) -> bool {
        let ascending = locks.windows(2).all(|pair| pair[0] < pair[1]);
        let several = self.broken == Condition::HoldAndWait;
        let here = |lock: &LockId| lock.0 < self.places.locks && self.home(*lock) == me;
        ascending && (several || locks.len() == 1) && !locks.is_empty() && locks.iter().all(here)
    }
}

/// One process of the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Prevention {
    transaction: Transaction,
    home: Home,
    together: Together,
}

impl Prevention {
    fn acquire(&mut self, setting: &Setting, locks: Vec<LockId>, request: RequestId, post: &mut Post<'_, Self>) {
        let Some(&first) = locks.first() else { return };
        let ticket = self.transaction.ask(&locks, request, post.out());
        post.send(setting.home(first), PreventionMessage::Request { locks, ticket });
    }

    fn release(&mut self, setting: &Setting, lock: LockId, request: RequestId, post: &mut Post<'_, Self>) {
        if let Some(ticket) = self.transaction.release(lock, request, post.out()) {
            post.send(setting.home(lock), PreventionMessage::Release { lock, ticket });
        }
    }

    fn receive(
        &mut self,
        setting: &Setting,
        me: NodeId,
        from: NodeId,
        message: PreventionMessage,
        post: &mut Post<'_, Self>,
    ) {
        match message {
            PreventionMessage::Request { locks, .. } if !setting.are_here(me, &locks) => {
                post.because(Reason::NotFromThere { from });
            }
            PreventionMessage::Release { lock, .. } if !setting.are_here(me, slice::from_ref(&lock)) => {
                post.because(Reason::NotFromThere { from });
            }
            PreventionMessage::Request { locks, ticket } => self.asked(setting, from, locks, ticket, post),
            PreventionMessage::Release { lock, ticket } => self.released(setting, from, lock, ticket, post),
            PreventionMessage::Grant { ticket } | PreventionMessage::Busy { ticket }
                if !self.is_asked(setting, from, ticket) =>
            {
                post.because(Reason::UnknownTicket { from });
            }
            PreventionMessage::Grant { ticket } => {
                post.because(Reason::GrantedByHome { home: from });
                self.transaction.granted(ticket, post.out());
            }
            PreventionMessage::Busy { ticket } => self.give_way(setting, ticket, post),
        }
    }

    /// Whether the request with `ticket` to `home` is pending.
    fn is_asked(&self, setting: &Setting, home: NodeId, ticket: u64) -> bool {
        self.transaction.wanted().any(|(lock, _, wanted)| wanted == ticket && setting.home(lock) == home)
    }

    fn asked(&mut self, setting: &Setting, from: NodeId, locks: Vec<LockId>, ticket: u64, post: &mut Post<'_, Self>) {
        match setting.broken {
            Condition::Exclusiveness => {
                for lock in locks {
                    post.because(Reason::ResourceFree { lock, process: from });
                }
                post.send(from, PreventionMessage::Grant { ticket });
            }
            Condition::HoldAndWait => {
                if !self.together.ask((from, ticket), locks) {
                    return post.because(Reason::OldRequest { from });
                }
                self.grant_together(post);
                if let Some((lock, holder)) = self.together.kept_by((from, ticket)) {
                    post.because(Reason::ResourceTaken { lock, process: from, holder });
                }
            }
            Condition::CircularWait | Condition::NoPreemption | Condition::None => {
                for lock in locks {
                    self.asked_for_one(setting, from, lock, ticket, post);
                }
            }
        }
    }

    fn asked_for_one(&mut self, setting: &Setting, from: NodeId, lock: LockId, ticket: u64, post: &mut Post<'_, Self>) {
        match self.home.ask(lock, Requester { process: from, ticket, began: 0 }) {
            Asked::Outdated => post.because(Reason::OldRequest { from }),
            Asked::Granted => {
                post.because(Reason::ResourceFree { lock, process: from });
                post.send(from, PreventionMessage::Grant { ticket });
            }
            Asked::Queued(holder) => {
                post.because(Reason::ResourceTaken { lock, process: from, holder: holder.process });
                if setting.broken == Condition::NoPreemption {
                    self.home.release(lock, from, ticket);
                    post.send(from, PreventionMessage::Busy { ticket });
                }
            }
        }
    }

    fn released(&mut self, setting: &Setting, from: NodeId, lock: LockId, ticket: u64, post: &mut Post<'_, Self>) {
        match setting.broken {
            Condition::Exclusiveness => post.because(Reason::ResourceGivenBack { lock }),
            Condition::HoldAndWait if self.together.release(lock, (from, ticket)) => {
                post.because(Reason::ResourceGivenBack { lock });
                self.grant_together(post);
            }
            Condition::HoldAndWait => post.because(Reason::UnknownTicket { from }),
            Condition::CircularWait | Condition::NoPreemption | Condition::None => {
                match self.home.release(lock, from, ticket) {
                    Released::Unknown => post.because(Reason::UnknownTicket { from }),
                    Released::Withdrawn => post.because(Reason::Withdrawn { lock, process: from }),
                    Released::Free => post.because(Reason::ResourceGivenBack { lock }),
                    Released::Next(next) => self.pass(lock, next, post),
                }
            }
        }
    }

    fn pass(&self, lock: LockId, next: Requester, post: &mut Post<'_, Self>) {
        let behind = self.home.of(lock).map_or(0, |resource| resource.queue.len());
        let behind = u32::try_from(behind).unwrap_or(u32::MAX);
        post.because(Reason::ResourceNext { lock, process: next.process, behind });
        post.send(next.process, PreventionMessage::Grant { ticket: next.ticket });
    }

    fn grant_together(&mut self, post: &mut Post<'_, Self>) {
        for (process, ticket) in self.together.grant() {
            for (lock, _) in self.together.taken().filter(|&(_, holder)| holder == process) {
                post.because(Reason::ResourceFree { lock, process });
            }
            post.send(process, PreventionMessage::Grant { ticket });
        }
    }

    fn give_way(&mut self, setting: &Setting, ticket: u64, post: &mut Post<'_, Self>) {
        let wanted = self.transaction.wanted().find(|(.., wanted)| *wanted == ticket);
        let Some((lock, ..)) = wanted.filter(|_| setting.broken == Condition::NoPreemption) else { return };
        post.because(Reason::NotFree { lock });
        let given_up = self.transaction.abort(AbortCause::GaveWay, post.out());
        for (lock, ticket) in given_up.into_iter().filter(|&(_, had)| had != ticket) {
            post.send(setting.home(lock), PreventionMessage::Release { lock, ticket });
        }
    }

    /// Returns the objection to a new request, if this process holds a resource. In `together`, a process requests
    /// all resources at once, so it holds nothing while it waits.
    fn has_already(&self) -> Option<String> {
        let (lock, ..) = self.transaction.held().next()?;
        Some(format!("all resources must be requested at once, but it already has resource {lock}"))
    }

    /// Returns the objection to a request for a resource whose number is lower than that of a resource that this
    /// process holds. In `ordered`, requests are in ascending order, so waiting processes cannot form a cycle.
    fn out_of_order(&self, lock: LockId) -> Option<String> {
        let (highest, ..) = self.transaction.held().max_by_key(|(lock, ..)| *lock)?;
        (lock < highest).then(|| {
            format!(
                "resources must be requested in ascending order, but it has resource {highest}, which comes after \
                     {lock}"
            )
        })
    }
}

impl Algorithm for Prevention {
    type Setting = Setting;
    type Message = PreventionMessage;
    type Timer = ();
    type Stored = ();
    type Reason = Reason;

    const SENTENCES: &'static [Sentence] = Reason::SENTENCES;
    const ENTRY: Entry = Entry {
        name: "prevention",
        title: "Deadlock prevention",
        source: Source {
            authors: "E. G. Coffman, Jr., M. J. Elphick, A. Shoshani",
            title: "System Deadlocks",
            year: 1971,
        },
        summary: "One of the four necessary conditions of a deadlock is removed.",
        variants: Condition::VARIANTS,
        // Every message names its ticket, so old messages and duplicated copies are recognised.
        assumes: FAMILY.assumes,
        message_kinds: PreventionMessage::KINDS,
        conduct: Conduct { aborts: &["give-way"], ..Conduct::PLAIN },
        messages_per_entry: "3, or 0 for the home of the resource",
        ..FAMILY
    };

    fn configure(configuration: &Configuration<'_>) -> Result<Setting, Refusal> {
        Ok(Setting { places: Places::of(configuration), broken: configuration.variant()? })
    }

    fn default_locks(configuration: &Configuration<'_>) -> u32 {
        configuration.nodes
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self { transaction: Transaction::default(), home: Home::default(), together: Together::default() }
    }

    fn step(&mut self, setting: &Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let mut post = Post::new(me, out);
        match input {
            Input::Command(Command::Acquire { lock, request }) => {
                self.acquire(setting, [lock].into(), request, &mut post);
            }
            Input::Command(Command::AcquireTogether { locks, request }) => {
                self.acquire(setting, locks, request, &mut post);
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
        let first = match setting.broken {
            Condition::Exclusiveness => return None,
            Condition::HoldAndWait => self.has_already(),
            Condition::CircularWait => locks.iter().find_map(|&lock| self.out_of_order(lock)),
            Condition::NoPreemption | Condition::None => None,
        };
        first.or_else(|| self.transaction.objection(setting.places, locks, request))
    }

    fn capacity(setting: &Setting, _: LockId) -> u32 {
        if setting.broken == Condition::Exclusiveness { u32::MAX } else { 1 }
    }

    fn may_have_several(setting: &Setting, lock: LockId) -> bool {
        Self::capacity(setting, lock) > 1
    }

    fn discipline(setting: &Setting) -> Discipline {
        match setting.broken {
            Condition::CircularWait => Discipline::Ascending,
            Condition::HoldAndWait => Discipline::Together,
            Condition::NoPreemption | Condition::Exclusiveness | Condition::None => Discipline::AsPlanned,
        }
    }

    fn view(&self, setting: &Setting, _: NodeId) -> View {
        let mut view = self.home.view();
        view.queue.extend(self.together.waiting().map(|node| Queued { node, clock: None }));
        for (lock, holder) in self.together.taken() {
            view.variables.insert(format!("holder of {lock}"), Value::node(Some(holder)));
        }
        self.transaction.show(&mut view, |lock| setting.home(lock));
        view
    }
}
