//! Monitor of resources: no write is lost, and no process writes without the lock. A resource's value must be the sum
//! of its initial value and of all amounts added to it (the example of two cash machines in the lecture).

use std::ops::Not;

use super::finding::{Finding, Monitor, Property, findings};
use super::interventions::Interventions;
use crate::resource::Resources;
use interlock_algorithm::{LockId, NodeId, Outcome};
use interlock_model::event::{Event, Violation, What};
use interlock_model::specification::Specification;
use interlock_model::write::Write;

/// The name of this monitor.
pub const NAME: &str = "resource";

findings! {
    /// A write was lost. Arguments: `resource`, `node` (the node that overwrote the lost write, if a node did),
    /// `value`, `expected`, `missing`, `blind`. The argument `blind` is present if the writer did not read the value
    /// first, so that its write made an earlier loss final.
    pub const LOST_WRITE = "lost-write";
    LostWrite {
        resource: String,
        node: Option<NodeId>,
        value: i64,
        expected: i64,
        missing: i64,
        #[serde(default, skip_serializing_if = "Not::not")]
        blind: bool,
    } => {
        let writer = node.map_or_else(|| "an external writer".to_owned(), |node| node.to_string());
        if *blind {
            return format!(
                "A write to {resource} is lost for good: {missing} were missing when {writer} wrote {value} without \
                 first reading it."
            );
        }
        format!(
            "A write to {resource} is lost: {writer} left the value {value} instead of {expected}, so {missing} are \
             missing."
        )
    };

    /// A write was made on behalf of a node that was not in the section. Arguments: `resource`, `node`, `lock`.
    pub const UNGUARDED_WRITE = "unguarded-write";
    UnguardedWrite { resource: String, node: NodeId, lock: LockId } =>
        format!("{node} wrote to {resource} outside the critical section of lock {lock}.")
}

/// The monitor of the resources of a run. If the run has no resources, it does nothing.
#[derive(Debug)]
pub struct ResourceMonitor {
    resources: Resources,
    /// For each resource, the amount that is missing so far because writes were lost.
    missing: Vec<i64>,
}

impl Monitor for ResourceMonitor {
    const PROPERTIES: &'static [Property] = &[PROPERTY];
    const READS_EXCHANGES: bool = false;

    fn new(specification: &Specification) -> Self {
        let resources = Resources::new(specification);
        Self { missing: vec![0; resources.all().len()], resources }
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        if self.missing.is_empty() {
            return;
        }
        if let What::Put { write } = &event.what {
            found.extend(self.unguarded(event.seq, write));
        }
        self.resources.apply(event);
        let blind = self.blind(event).map(ToOwned::to_owned);
        if !matches!(event.what, What::Outcome { outcome: Outcome::Exited { .. }, .. } | What::Put { .. }) {
            return;
        }
        for (resource, known) in self.resources.all().iter().zip(&mut self.missing) {
            let missing = resource.missing();
            let before = std::mem::replace(known, missing);
            if missing == before {
                continue;
            }
            let blind = blind.as_ref() == Some(&resource.name);
            let finding = LostWrite {
                resource: resource.name.clone(),
                node: event.what.node(),
                value: resource.value,
                expected: resource.expected,
                // A blind write sets the expected value to the written value, so nothing is missing afterwards. The
                // amount that was missing before is lost for good.
                missing: if blind { before } else { missing },
                blind,
            };
            found.push(finding.violation([event.seq]));
        }
    }
}

impl ResourceMonitor {
    /// If this event is a successful blind write, returns the name of the resource. A blind write is one whose writer
    /// did not read the value first.
    fn blind<'e>(&self, event: &'e Event) -> Option<&'e str> {
        let What::Put { write } = &event.what else { return None };
        (write.read.is_none() && self.resources.follows().is_none()).then_some(write.resource.as_str())
    }

    /// Returns a violation if a node writes while it is not in the section. It does not matter whether the write
    /// succeeds.
    fn unguarded(&self, seq: u64, write: &Write) -> Option<Violation> {
        let (resource, node) = (self.resources.find(&write.resource)?, write.node?);
        let finding = UnguardedWrite { resource: resource.name.clone(), node, lock: resource.lock };
        (!resource.is_inside(node)).then(|| finding.violation([seq]))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sentence;
    use crate::state::test_stream::TestStream;
    use interlock_model::event::What;

    fn with_account() -> TestStream {
        let mut stream = TestStream::new(2);
        let account = json!({ "balance": 1_000, "deposit": 10_000 });
        stream.specification.workload =
            serde_json::from_value(json!({ "idle": "0", "hold": "0", "nodes": "all", "account": account })).ok();
        stream
    }

    fn found(stream: &TestStream) -> Vec<(String, String)> {
        let of_resources = |violation: &interlock_model::event::Violation| *violation.monitor == *super::NAME;
        let found = stream.violations().into_iter().filter(of_resources);
        found.map(|violation| (violation.code.to_string(), sentence(&violation))).collect()
    }

    fn paid(together: bool) -> Vec<(String, String)> {
        let mut stream = with_account();
        stream.request(0);
        stream.enter(0);
        if !together {
            stream.exit(0);
        }
        stream.request(1);
        stream.enter(1);
        if together {
            stream.exit(0);
        }
        stream.exit(1);
        found(&stream)
    }

    fn put(stream: &mut TestStream, write: serde_json::Value) {
        stream.push(What::Put { write: serde_json::from_value(write).expect("a write") });
    }

    #[test]
    fn a_deposit_that_is_overwritten_is_told_of() {
        let sentence = "A write to account is lost: P1 left the value 11000 instead of 21000, so 10000 are missing.";
        assert_eq!(paid(true), [(super::LOST_WRITE.to_owned(), sentence.to_owned())]);
        assert_eq!(paid(false), []);
    }

    #[test]
    fn who_writes_from_outside_says_what_it_had_read_or_loses_nothing() {
        let from = |read: Option<i64>| {
            let mut stream = with_account();
            put(&mut stream, json!({ "resource": "account", "value": 1_005, "read": 1_000 }));
            put(&mut stream, json!({ "resource": "account", "value": 1_007, "read": read }));
            found(&stream)
        };
        let sentence =
            "A write to account is lost: an external writer left the value 1007 instead of 1012, so 5 are missing.";
        assert_eq!(from(Some(1_000)), [(super::LOST_WRITE.to_owned(), sentence.to_owned())]);
        assert_eq!(from(Some(1_005)), []);
        assert_eq!(from(None), [], "a value that stands for itself");
    }

    #[test]
    fn a_blind_write_makes_an_earlier_loss_final() {
        let after = |reads: [Option<i64>; 2], blind: serde_json::Value| {
            let mut stream = with_account();
            for (value, read) in [1_005, 1_007].into_iter().zip(reads) {
                put(&mut stream, json!({ "resource": "account", "value": value, "read": read }));
            }
            put(&mut stream, blind);
            found(&stream).into_iter().map(|(_, sentence)| sentence).skip(1).collect::<Vec<_>>()
        };
        let blind = |value: i64| json!({ "resource": "account", "value": value });
        let lossy = [Some(1_000), Some(1_000)];
        let sentence = |value| {
            format!(
                "A write to account is lost for good: 5 were missing when an external writer wrote {value} without \
                 first reading it."
            )
        };
        assert_eq!(after(lossy, blind(0)), [sentence(0)]);
        assert_eq!(after(lossy, blind(1_012)), [sentence(1_012)]);
        // Before the third write, the writer reads the value. Nothing more is lost, so the loss is not reported again.
        assert_eq!(after(lossy, json!({ "resource": "account", "value": 1_010, "read": 1_007 })), [""; 0]);
        // A rejected write has no effect.
        assert_eq!(after(lossy, json!({ "resource": "account", "value": 0, "version": 7 })), [""; 0]);
        assert_eq!(after([Some(1_000), Some(1_005)], blind(0)), [""; 0], "nothing was missing");
    }

    #[test]
    fn who_writes_for_a_node_outside_the_section_is_told_of() {
        let by = |enters: bool| {
            let mut stream = with_account();
            stream.request(1);
            stream.enter(u32::from(enters));
            put(&mut stream, json!({ "resource": "account", "value": 1_005, "read": 1_000, "node": 1 }));
            found(&stream)
        };
        let sentence = "P1 wrote to account outside the critical section of lock 0.";
        assert_eq!(by(false), [(super::UNGUARDED_WRITE.to_owned(), sentence.to_owned())]);
        assert_eq!(by(true), []);
    }
}
