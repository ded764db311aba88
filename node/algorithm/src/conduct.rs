//! What has to be known of an algorithm in order to judge its runs: how its requests, waits and reports are meant.

use serde::Serialize;

/// How an algorithm behaves where a judgement depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Conduct {
    /// When a request has arrived where it must be: who is passed over from then on too often starves.
    pub arrival: Arrival,
    /// The variants that make somebody give up who waits in a circle: there a circle is no deadlock at once.
    pub aborts: &'static [&'static str],
    /// How it finds circles, and hence what may be wrong about a report of one.
    pub detection: Detection,
    /// Whether the older of two transactions is preferred: who is the youngest for ever starves, in a long run.
    pub by_age: bool,
    /// The variants that make a token anew when it is lost, or believed lost: there its loss is no end. Where tokens say of
    /// which `generation` they are, only those of the latest count.
    pub regenerates: &'static [&'static str],
    /// The variants that go on without whoever is suspected, where there is a failure detector, although their source knows of
    /// none: with it they need nobody to be alive.
    pub heeds_suspicions: &'static [&'static str],
    /// Whether it tells requests apart by their numbers: a client that counted from the first again would be taken for one
    /// that repeats itself.
    pub numbers_requests: bool,
    /// Whether locks are leased: a process takes a lease back that it granted, and a holder leaves when its lease is over.
    pub leases: bool,
    /// Whether its processes propose, accept and decide values.
    pub agrees: bool,
}

impl Conduct {
    /// Requests that arrive with their messages, have numbers, and nobody gives up: most algorithms.
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

/// When a request has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrival {
    /// When all messages of the requesting step have, and those of the same kind by which they are passed on.
    Messages,
    /// When it is through the doorway (Lamport 1974): its number is drawn and, if it is told, known everywhere.
    Doorway,
}

/// How circles of waits are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detection {
    /// It reports none.
    None,
    /// One process puts together what others tell it of different moments: a circle may be reported that never stood.
    Reports,
    /// Probes go from who waits to whom it waits for: a circle may be reported that never stood if one of it has given up
    /// something meanwhile.
    Probes,
}
