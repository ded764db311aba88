//! A resource: a number that the holder of a lock reads and writes (the example of two cash machines in the lecture).
//!
//! A process reads the value when it enters the section. When the process leaves, it writes the sum of that value and
//! its deposit. If two processes are in the section at the same time, one deposit is therefore lost. With fencing, the
//! resource rejects a write whose fencing token is older than the newest token that it has seen. A wrongly suspected
//! process can then do no harm (Gray and Cheriton 1989, "Leases", leave such a check to the resource).

use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use interlock_model::event::{Event, What};
use interlock_model::write::{RejectReason, Rejection, Write};

/// A resource of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// The name of the resource: `account`, `file-1`.
    pub name: String,
    /// The lock that protects the resource.
    pub lock: LockId,
    /// Amount that a client adds to the value in a section; `None` if clients do not change the resource.
    deposit: Option<i64>,
    /// Whether the resource checks fencing tokens.
    pub fencing: bool,
    /// The current value of the resource.
    pub value: i64,
    /// The value that the resource would have if no write had been lost.
    pub expected: i64,
    /// Number of successful writes. This number is also the version of the resource.
    pub writes: u64,
    /// Number of rejected writes.
    pub refused: u64,
    /// The newest fencing token that the resource has seen.
    newest: Option<u64>,
    /// For each process in the section, the value that it has read and its fencing token.
    read: FlatMap<NodeId, (i64, Option<u64>)>,
    /// The latest access of each process.
    #[serde(default)]
    accesses: FlatMap<NodeId, Access>,
}

/// An access to a resource: a process reads the value in the section, and later writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Access {
    /// The process.
    pub node: NodeId,
    /// The value that the process has read.
    pub read: i64,
    /// The value that the process has written. `None` before the write, and if it was rejected.
    pub wrote: Option<i64>,
}

/// A resource, as the API shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ResourceDocument {
    /// The name of the resource: `account`, `file-1`.
    pub name: String,
    /// The lock that protects the resource.
    pub lock: LockId,
    /// The current value of the resource.
    pub value: i64,
    /// The value that the resource would have if no write had been lost.
    pub expected: i64,
    /// Number of successful writes.
    pub version: u64,
    /// Number of rejected writes.
    pub refused: u64,
    /// Whether the resource rejects a write whose fencing token is older than the token of an earlier write.
    pub fencing: bool,
    /// The newest fencing token that the resource has seen, if any.
    pub fence: Option<u64>,
    /// The latest access of each process, ordered by process.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub accesses: Vec<Access>,
}

impl Resource {
    /// Returns a resource with this value, before the first event.
    pub(super) const fn new(name: String, lock: LockId, value: i64, deposit: Option<i64>, fencing: bool) -> Self {
        let read = FlatMap::new();
        let accesses = FlatMap::new();
        Self {
            name,
            lock,
            deposit,
            fencing,
            value,
            expected: value,
            writes: 0,
            refused: 0,
            newest: None,
            read,
            accesses,
        }
    }

    /// Returns the amount that is missing because writes were lost.
    #[must_use]
    pub const fn missing(&self) -> i64 {
        self.expected.saturating_sub(self.value)
    }

    /// Returns whether a node has entered the section of the resource's lock and has not left it. A node whose lease
    /// was taken back counts until it leaves.
    #[must_use]
    pub fn is_inside(&self, node: NodeId) -> bool {
        self.read.contains_key(&node)
    }

    /// Processes the next event.
    ///
    /// # Errors
    /// If a write is rejected.
    pub(super) fn apply(&mut self, event: &Event) -> Result<(), Rejection> {
        match &event.what {
            What::Outcome { at, outcome: Outcome::Entered { lock, fence, .. } } if *lock == self.lock => {
                self.newest = self.newest.max(*fence);
                self.read.insert(at.node, (self.value, *fence));
                self.accesses.insert(at.node, Access { node: at.node, read: self.value, wrote: None });
            }
            What::Outcome { at, outcome: Outcome::Exited { lock, .. } } if *lock == self.lock => {
                return self.leave(at.node);
            }
            What::Crashed { node, .. } => drop(self.read.remove(node)),
            What::Put { write } if write.resource == self.name => return self.put(write),
            _ => {}
        }
        Ok(())
    }

    fn leave(&mut self, node: NodeId) -> Result<(), Rejection> {
        let (Some((read, fence)), Some(deposit)) = (self.read.remove(&node), self.deposit) else { return Ok(()) };
        let write = Write {
            resource: self.name.clone(),
            value: read.saturating_add(deposit),
            node: Some(node),
            fence,
            read: Some(read),
            version: None,
        };
        self.put(&write)
    }

    fn put(&mut self, write: &Write) -> Result<(), Rejection> {
        if let Some(rejection) = self.rejection(write) {
            self.refused += 1;
            return Err(rejection);
        }
        let Write { value, node, fence, read, .. } = *write;
        self.expected = read.map_or(value, |read| self.expected.saturating_add(value.saturating_sub(read)));
        self.value = value;
        self.writes += 1;
        self.newest = self.newest.max(fence);
        if let Some(access) = node.and_then(|node| self.accesses.get_mut(&node)) {
            access.wrote = Some(value);
        }
        // If the write was made for a process in the section, that process now works with the written value.
        if let Some((read, _)) = node.and_then(|node| self.read.get_mut(&node)) {
            *read = value;
        }
        Ok(())
    }

    /// Returns the reason why the resource rejects a write, or `None` if it accepts the write.
    #[must_use]
    pub fn rejection(&self, write: &Write) -> Option<Rejection> {
        let Write { resource, value, node, fence, version, .. } = write;
        let late = self.newest.filter(|_| self.fencing).and_then(|newest| match *fence {
            Some(fence) => (fence < newest).then_some(RejectReason::Late { fence, newest }),
            None => Some(RejectReason::Unfenced { newest }),
        });
        let changed = version.filter(|named| *named != self.writes);
        let changed = changed.map(|named| RejectReason::Changed { named, version: self.writes });
        let why = late.or(changed)?;
        Some(Rejection { resource: resource.clone(), value: *value, node: *node, why })
    }

    /// Returns the resource as the API shows it.
    #[must_use]
    pub fn document(&self) -> ResourceDocument {
        let Self { name, lock, fencing, value, expected, writes, refused, newest, accesses, .. } = self;
        ResourceDocument {
            name: name.clone(),
            lock: *lock,
            value: *value,
            expected: *expected,
            version: *writes,
            refused: *refused,
            fencing: *fencing,
            fence: *newest,
            accesses: accesses.values().copied().collect(),
        }
    }
}
