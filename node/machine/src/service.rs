//! Requests of the clients of a service, as in the workloads of Maelstrom (Kingsbury, `doc/workloads.md`).

use interlock_algorithm::{NodeId, Operation, RequestId};
use serde::{Deserialize, Serialize};

use crate::draw::{draw, evenly};

/// Key for the random draws of operations. Each kind of draw has its own key, so draws of different kinds are
/// independent.
const OPERATION_DRAWS: u64 = u64::from_be_bytes(*b"service-");
/// Number of keys of a store that are in use at the same time.
const KEYS: u64 = 3;
/// Number of operations of a client on one set of keys. Afterwards the client uses new keys, so operations with an
/// unknown result no longer matter.
const OPERATIONS_PER_KEY: u64 = 30;
/// Number of different values. The number is small, so that a compare-and-set often finds the value that it
/// expects.
const VALUES: u64 = 5;

/// The service that the nodes of a run offer to their clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Service {
    /// A service that answers with the text that it received.
    Echo,
    /// A service that generates unique names.
    UniqueIds,
    /// A service that distributes values to all nodes. Each node returns the values that have reached it.
    Broadcast,
    /// A linearizable store of keys and values.
    LinKv,
}

impl Service {
    /// Returns the operation that a client requests. The same arguments always give the same operation: `seed`
    /// determines the random draws.
    #[must_use]
    pub fn operation(self, seed: u64, nodes: u32, node: NodeId, request: RequestId) -> Operation {
        let number = request.0.saturating_sub(1);
        let drawn = |what: u64, below: u64| {
            let bits = draw(&[seed, u64::from(node.0), OPERATION_DRAWS ^ what, request.0]);
            evenly(bits, 0, below - 1)
        };
        match self {
            Self::Echo => Operation::Echo { text: format!("{node} says {}", request.0) },
            Self::UniqueIds => Operation::Generate {},
            Self::Broadcast if number % 2 == 1 => Operation::ReadAll {},
            Self::Broadcast => Operation::Broadcast { value: u64::from(nodes) * (number / 2) + u64::from(node.0) },
            Self::LinKv => {
                let key = number / OPERATIONS_PER_KEY * KEYS + drawn(0, KEYS);
                let value = |what| i64::try_from(drawn(what, VALUES)).unwrap_or_default();
                match drawn(1, 4) {
                    0 => Operation::Write { key, value: value(2) },
                    1 => Operation::CompareAndSet { key, from: value(2), to: value(3) },
                    _ => Operation::Read { key },
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn asked(service: Service, node: u32) -> Vec<Operation> {
        (1..=300).map(|request| service.operation(7, 3, NodeId(node), RequestId(request))).collect()
    }

    #[test]
    fn all_have_their_names() {
        let names = ["echo", "unique-ids", "broadcast", "lin-kv"]
            .map(|name| serde_json::from_str::<Service>(&format!("\"{name}\"")).expect(name));
        assert_eq!(names, [Service::Echo, Service::UniqueIds, Service::Broadcast, Service::LinKv]);
    }

    #[test]
    fn nobody_broadcasts_what_another_does() {
        let mut values = BTreeSet::new();
        for node in 0..3 {
            for operation in asked(Service::Broadcast, node) {
                assert!(match operation {
                    Operation::Broadcast { value } => values.insert(value),
                    other => other == Operation::ReadAll {},
                });
            }
        }
        assert_eq!(values.len(), 450);
    }

    #[test]
    fn a_store_is_asked_for_everything_and_for_each_key_a_while() {
        let mut kinds = [0; 3];
        let mut by_key = [0; 30];
        for operation in asked(Service::LinKv, 1) {
            let (kind, key) = match operation {
                Operation::Read { key } => (0, key),
                Operation::Write { key, .. } => (1, key),
                Operation::CompareAndSet { key, .. } => (2, key),
                other => panic!("{other:?}"),
            };
            kinds[kind] += 1;
            by_key[usize::try_from(key).expect("a key")] += 1;
        }
        assert!(kinds.iter().all(|&count| count > 50), "{kinds:?}");
        assert!(by_key.iter().all(|count| (1..=30).contains(count)), "{by_key:?}");
        assert_ne!(asked(Service::LinKv, 1), asked(Service::LinKv, 2));
    }
}
