//! Properties of an algorithm that monitors need to judge its runs: the meaning of its requests, waits and reports.

use serde::Serialize;

/// The properties of an algorithm that monitors need to judge its runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Conduct {
    /// The moment when a request counts as arrived. Starvation is judged from this moment: the requesting process
    /// starves if too many requests of other processes are served first.
    pub arrival: Arrival,
    /// The variants in which a process in a cycle of waits gives up. In these variants, a cycle is not necessarily a
    /// deadlock.
    pub aborts: &'static [&'static str],
    /// How the algorithm finds cycles of waits. This determines why a reported cycle may be wrong.
    pub detection: Detection,
    /// Whether the older of two transactions has priority. In a long run, a transaction that is always the youngest
    /// then starves.
    pub by_age: bool,
    /// The variants that regenerate a lost token, or a token that processes consider lost. In these variants the loss
    /// of a token does not end the run. If tokens carry a `generation`, only tokens of the latest generation count.
    pub regenerates: &'static [&'static str],
    /// The variants in which processes continue without suspected processes if the run has a failure detector,
    /// although the source of the algorithm assumes none. With a detector, a process in these variants makes progress
    /// even if all others have crashed.
    pub heeds_suspicions: &'static [&'static str],
    /// Whether the algorithm distinguishes requests by their numbers. If so, a client must not restart these numbers
    /// after a crash: a new request would be mistaken for an earlier request.
    pub numbers_requests: bool,
    /// Whether locks are leased. When a lease expires, the process that granted it revokes the lease, and the holder
    /// leaves the critical section.
    pub leases: bool,
    /// Whether the processes propose, accept and decide values.
    pub agrees: bool,
}

impl Conduct {
    /// The conduct of most algorithms: requests arrive with their messages, have numbers, and are never given up.
    pub const PLAIN: Self = Self {
        arrival: Arrival::Messages,
        aborts: &[],
        detection: Detection::None,
        by_age: false,
        regenerates: &[],
        heeds_suspicions: &[],
        numbers_requests: true,
        leases: false,
        agrees: false,
    };
}

/// The moment when a request counts as arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrival {
    /// When all messages of the requesting step have arrived, and so have all messages of the same kind that forward
    /// them.
    Messages,
    /// When the request has passed the doorway (Lamport 1974): its number is drawn. If the algorithm announces
    /// numbers, all processes must also know the number.
    Doorway,
}

/// How cycles of waits are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detection {
    /// The algorithm reports no cycle.
    None,
    /// One process combines reports of different moments. It may report a cycle that never existed.
    Reports,
    /// Probes travel from a waiting process to the processes for which it waits. If a process on the path releases a
    /// resource meanwhile, the reported cycle may never have existed.
    Probes,
}
