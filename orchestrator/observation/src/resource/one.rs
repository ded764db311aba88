//! A resource: a number that is read and written by whoever has its lock (the cash machines of s2).
//!
//! Who enters the section reads the value, and who leaves it writes what it has read plus its deposit. So two sections at
//! the same time lose a deposit. With fencing the resource refuses a write with an older fencing token than the newest that
//! it has seen: then who was only thought dead cannot do harm (Gray and Cheriton 1989, "Leases", leave that to the
//! resource).

use interlock_algorithm::{FlatMap, LockId, NodeId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use interlock_model::event::{Event, What};
use interlock_model::write::{RejectReason, Rejection, Write};

/// A resource of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// What it is called: `account`, `file-1`.
    pub name: String,
    /// The lock that protects it.
    pub lock: LockId,
    /// What a client adds to it in a section; none if clients leave it alone.
    deposit: Option<i64>,
    /// Whether it checks fencing tokens.
    pub fencing: bool,
    /// What is in it.
    pub value: i64,
    /// What would be in it if no write had been lost.
    pub expected: i64,
    /// How many writes were done: its version.
    pub writes: u64,
    /// How many were refused.
    pub refused: u64,
    /// The newest fencing token seen.
    newest: Option<u64>,
    /// What those in the section have read, with their fencing tokens.
    read: FlatMap<NodeId, (i64, Option<u64>)>,
}

/// A resource, as the API shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ResourceDocument {
    /// What it is called: `account`, `file-1`.
    pub name: String,
    /// The lock that protects it.
    pub lock: LockId,
    /// What is in it.
    pub value: i64,
    /// What would be in it if no write had been lost.
    pub expected: i64,
    /// How many writes were done.
    pub version: u64,
    /// How many were refused.
    pub refused: u64,
    /// Whether it refuses writes that bear an older fencing token than one before.
    pub fencing: bool,
    /// The newest fencing token that it has seen, if it has seen one.
    pub fence: Option<u64>,
}

impl Resource {
    /// A resource with this in it, before the first event.
    pub(super) const fn new(name: String, lock: LockId, value: i64, deposit: Option<i64>, fencing: bool) -> Self {
        let read = FlatMap::new();
        Self { name, lock, deposit, fencing, value, expected: value, writes: 0, refused: 0, newest: None, read }
    }

    /// What is missing since it was lost.
    #[must_use]
    pub const fn missing(&self) -> i64 {
        self.expected.saturating_sub(self.value)
    }

    /// Whether a node is in the section of its lock, as the node sees it.
    #[must_use]
    pub fn is_inside(&self, node: NodeId) -> bool {
        self.read.contains_key(&node)
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// When a write is refused.
    pub(super) fn apply(&mut self, event: &Event) -> Result<(), Rejection> {
        match &event.what {
            What::Entered { at, lock, fence, .. } if *lock == self.lock => {
                self.newest = self.newest.max(*fence);
                self.read.insert(at.node, (self.value, *fence));
            }
            What::Exited { at, lock, .. } if *lock == self.lock => return self.leave(at.node),
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
        // Who is inside goes on from what it has written.
        if let Some((read, _)) = node.and_then(|node| self.read.get_mut(&node)) {
            *read = value;
        }
        Ok(())
    }

    /// Why it refuses a write, if it does.
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

    /// What the API shows.
    #[must_use]
    pub fn document(&self) -> ResourceDocument {
        let Self { name, lock, fencing, value, expected, writes, refused, newest, .. } = self;
        ResourceDocument {
            name: name.clone(),
            lock: *lock,
            value: *value,
            expected: *expected,
            version: *writes,
            refused: *refused,
            fencing: *fencing,
            fence: *newest,
        }
    }
}
