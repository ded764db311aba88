//! The account that clients pay into, as the stream of events tells it (the cash machines of s2).
//!
//! Who enters the section of lock 0 reads the balance, and who leaves it writes what it has read plus its deposit. So
//! two sections at the same time lose a deposit. With fencing the account refuses a write with an older fencing token
//! than the newest it has seen: then who was only thought dead cannot do harm (Gray and Cheriton 1989, "Leases", leave
//! that to the resource).

use std::collections::BTreeMap;

use interlock_algorithm::{LockId, NodeId};
use serde::{Deserialize, Serialize};

use crate::event::{Event, What};
use crate::specification::{self, Specification};

/// The lock that guards the account.
const LOCK: LockId = LockId(0);

/// The account of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    deposit: i64,
    fencing: bool,
    /// What is in it.
    pub balance: i64,
    /// What would be in it if no deposit had been lost.
    pub expected: i64,
    /// How many deposits were made.
    pub deposits: u64,
    /// How many writes were refused.
    pub refused: u64,
    /// The newest fencing token seen.
    newest: Option<u64>,
    /// What those in the section have read, with their fencing tokens.
    read: BTreeMap<NodeId, (i64, Option<u64>)>,
}

impl Account {
    /// The account that a specification asks for, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Option<Self> {
        let specification::Account { balance, deposit, fencing } = specification.workload.as_ref()?.account?;
        Some(Self {
            deposit,
            fencing,
            balance,
            expected: balance,
            deposits: 0,
            refused: 0,
            newest: None,
            read: BTreeMap::new(),
        })
    }

    /// Takes the next event.
    pub fn apply(&mut self, event: &Event) {
        match &event.what {
            What::Entered { at, lock: LOCK, fence, .. } => {
                self.newest = self.newest.max(*fence);
                self.read.insert(at.node, (self.balance, *fence));
            }
            What::Exited { at, lock: LOCK, .. } => self.write(at.node),
            What::Crashed { node, .. } => drop(self.read.remove(node)),
            _ => {}
        }
    }

    fn write(&mut self, node: NodeId) {
        let Some((read, fence)) = self.read.remove(&node) else { return };
        if self.fencing && fence.is_some() && fence < self.newest {
            self.refused += 1;
            return;
        }
        self.balance = read.saturating_add(self.deposit);
        self.expected = self.expected.saturating_add(self.deposit);
        self.deposits += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specification::Draft;
    use crate::state::test_stream::TestStream;

    fn account(fencing: bool) -> Account {
        let account = serde_json::json!({ "balance": 1_000, "deposit": 10_000, "fencing": fencing });
        let draft = serde_json::json!({ "algorithm": "centralised", "workload": { "account": account } });
        let draft: Draft = serde_json::from_value(draft).expect("a draft");
        Account::new(&draft.complete().expect("a specification")).expect("an account")
    }

    fn after(stream: &TestStream, fencing: bool) -> (i64, i64, u64, u64) {
        let mut account = account(fencing);
        stream.events.iter().for_each(|event| account.apply(event));
        (account.balance, account.expected, account.deposits, account.refused)
    }

    #[test]
    fn one_after_the_other_loses_nothing() {
        let mut stream = TestStream::new(2);
        for node in [0, 1] {
            stream.request(node);
            stream.enter(node);
            stream.exit(node);
        }
        assert_eq!(after(&stream, false), (21_000, 21_000, 2, 0));
    }

    #[test]
    fn two_at_a_time_lose_a_deposit() {
        let mut stream = TestStream::new(2);
        for node in [0, 1] {
            stream.request(node);
            stream.enter(node);
        }
        stream.exit(0);
        stream.exit(1);
        assert_eq!(after(&stream, false), (11_000, 21_000, 2, 0));
    }

    #[test]
    fn a_late_write_is_refused_where_fencing_tokens_are_checked() {
        let mut stream = TestStream::new(2);
        stream.request(0);
        stream.enter_fenced(0, 1);
        stream.request(1);
        stream.enter_fenced(1, 2);
        stream.exit(1);
        stream.exit(0);
        assert_eq!(after(&stream, true), (11_000, 11_000, 1, 1));
        assert_eq!(after(&stream, false), (11_000, 21_000, 2, 0));
    }

    #[test]
    fn who_dies_in_the_section_pays_nothing_in() {
        let mut stream = TestStream::new(2);
        stream.request(0);
        stream.enter(0);
        stream.crash(0);
        assert_eq!(after(&stream, false), (1_000, 1_000, 0, 0));
    }
}
