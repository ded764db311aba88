//! Properties of an algorithm that monitors need to judge its runs: the meaning of its requests, waits and reports.

use serde::Serialize;

/// The properties of an algorithm on which a judgement depends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Conduct {
    /// The moment when a request counts as arrived. If other processes are served before it too often after that
    /// moment, its process starves.
    pub arrival: Arrival,
    /// The variants in which a process in a cycle of waits gives up. In these variants, a cycle is not necessarily a
    /// deadlock.
    pub aborts: &'static [&'static str],
    /// How the algorithm finds cycles of waits. It determines in which way a reported cycle may be wrong.
    pub detection: Detection,
    /// Whether the older of two transactions has priority. In a long run, a transaction that is always the youngest
    /// then starves.
    pub by_age: bool,
    /// The variants that regenerate a lost token, or a token that processes consider lost. In these variants the loss
    /// of a token does not end the run. If tokens carry a `generation`, only tokens of the latest generation count.
    pub regenerates: &'static [&'static str],
    /// The variants that continue without suspected processes if a failure detector is configured, although the
    /// source of the algorithm assumes none. With a detector, a process in these variants needs no other process to
    /// be live.
    pub heeds_suspicions: &'static [&'static str],
    /// Whether the algorithm distinguishes requests by their numbers. If a client restarted its count, its new
    /// request would be mistaken for an earlier one.
    pub numbers_requests: bool,
    /// Whether locks are leased. A process revokes a lease that it granted, and a holder leaves when its lease
    /// expires.
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
    /// When all messages of the requesting step have arrived, and all messages that forward them with the same kind.
    Messages,
    /// When the request has passed the doorway (Lamport 1974): its number is drawn and, if it is announced, known
    /// to all processes.
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
    /// Probes travel from a waiting process to the processes for which it waits. If a member of a cycle has
    /// released something meanwhile, a cycle that never existed may be reported.
    Probes,
}
