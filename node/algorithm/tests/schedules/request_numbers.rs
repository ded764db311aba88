//! Tests of which algorithms depend on the numbers of requests. With all other algorithms, a client may restart its
//! numbering. The exploration of clients that request endlessly restarts the numbering, so it relies on the result
//! of these tests.

use interlock_algorithm::catalogue::{ENTRIES, instantiate_erased};
use interlock_algorithm::{Algorithm, Configuration, NodeId, Parameters, RequestId, Visitor};

use crate::driver::bare::Bare;

const NODES: u32 = 3;
/// Maximum number of actions: enough for a token to circulate several times.
const MOST_HAPPENINGS: usize = 40;

/// A run in which each of two processes requests twice, one request after the other. The numbers of the two requests
/// are the items of the array. The result consists of the sent messages, the final state of all processes, and the
/// number of entries.
struct Twice([u64; 2]);

/// Delivers the messages in transit, one after the other. When no message is in transit, makes a timer expire.
fn settle<A: Algorithm>(all: &mut Bare<'_, A>, said: &mut Vec<String>) {
    for _ in 0..MOST_HAPPENINGS {
        said.extend(all.under_way.front().map(|(from, to, message)| format!("{from} to {to}: {message:?}")));
        if all.deliver(0).is_none() && !all.time_out() {
            return;
        }
    }
}

impl Visitor for Twice {
    type Output = (Vec<String>, String, usize);

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
        let (mut all, mut said) = (Bare::<A>::begin(&setting, NODES), Vec::new());
        for request in self.0.map(RequestId) {
            for me in [NodeId(1), NodeId(2)] {
                if all.waiting.contains(&me) {
                    continue;
                }
                all.acquire(me, request);
                settle(&mut all, &mut said);
                if all.inside.contains(&me) {
                    all.release(me, request);
                    settle(&mut all, &mut said);
                }
            }
        }
        (said, format!("{:?}", all.processes), all.entered.len())
    }
}

#[test]
fn whoever_does_not_number_requests_says_and_does_the_same_whatever_their_numbers_are() {
    let (mut alike, mut different) = (Vec::new(), Vec::new());
    for entry in ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion") {
        for variant in entry.variants {
            let (parameters, name) = (Parameters::new(), format!("{}/{}", entry.name, variant.name));
            let configuration = Configuration {
                algorithm: entry.name,
                variant: Some(variant.name),
                parameters: &parameters,
                nodes: NODES,
                locks: 1,
            };
            let played =
                |numbers| instantiate_erased(&configuration, Twice(numbers)).expect("a configuration that can be");
            let (counted, again) = (played([1, 2]), played([1, 1]));
            let group = if counted == again { &mut alike } else { &mut different };
            assert_eq!(entry.conduct.numbers_requests, counted != again, "{name}: {counted:#?} {again:#?}");
            group.push((name, counted.2));
        }
    }
    let entered = |group: &[(String, usize)]| group.iter().filter(|(_, entries)| *entries == 4).count();
    assert!(entered(&alike) > 20 && entered(&different) > 1, "{alike:?} {different:?}");
}
