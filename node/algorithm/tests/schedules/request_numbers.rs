//! Which algorithms tell requests apart by their numbers: to the others a client may count from the first again, as it does
//! where all schedules of clients that ask without end are tried.

use std::collections::{BTreeSet, VecDeque};

use interlock_algorithm::catalogue::{ENTRIES, instantiate};
use interlock_algorithm::{
    Algorithm, Command, Configuration, Effect, Effects, Input, LockId, NodeId, Outcome, Parameters, RequestId, Visitor,
};
use interlock_machine::recipients::recipients;

const NODES: u32 = 3;
const LOCK: LockId = LockId(0);
/// A token that circles comes round often enough.
const MOST_HAPPENINGS: usize = 40;

/// Two processes ask after each other, each twice, with these numbers: what is said, and how all processes stand at the end.
struct Twice([u64; 2]);

struct Run<'a, A: Algorithm> {
    setting: &'a A::Setting,
    processes: Vec<A>,
    under_way: VecDeque<(NodeId, NodeId, A::Message)>,
    timers: VecDeque<(NodeId, A::Timer)>,
    said: Vec<String>,
    waiting: BTreeSet<NodeId>,
    entries: usize,
}

impl<A: Algorithm> Run<'_, A> {
    fn take(&mut self, me: NodeId, input: Input<A>) {
        let mut effects = Effects::default();
        self.processes[me.index()].step(self.setting, me, input, &mut effects);
        for effect in effects.drain() {
            match effect {
                Effect::Send { to, message } => {
                    for to in recipients::<A>(self.setting, me, NODES, to) {
                        self.under_way.push_back((me, to, message.clone()));
                    }
                }
                Effect::Outcome(Outcome::Entered { .. }) => {
                    self.waiting.remove(&me);
                    self.entries += 1;
                }
                Effect::SetTimer { timer, .. } => {
                    self.timers.retain(|set| *set != (me, timer));
                    self.timers.push_back((me, timer));
                }
                Effect::CancelTimer(timer) => self.timers.retain(|set| *set != (me, timer)),
                _ => {}
            }
        }
    }

    /// What is under way arrives, one after the other; timers run out when nothing is.
    fn settle(&mut self) {
        for _ in 0..MOST_HAPPENINGS {
            if let Some((from, to, message)) = self.under_way.pop_front() {
                self.said.push(format!("{from} to {to}: {message:?}"));
                self.take(to, Input::Message { from, message });
            } else if let Some((me, timer)) = self.timers.pop_front() {
                self.take(me, Input::Timer(timer));
            } else {
                return;
            }
        }
    }
}

impl Visitor for Twice {
    type Output = (Vec<String>, String, usize);

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Self::Output {
        let processes = NodeId::all(NODES).map(|me| A::new(&setting, me)).collect();
        let mut run = Run {
            setting: &setting,
            processes,
            under_way: VecDeque::new(),
            timers: VecDeque::new(),
            said: Vec::new(),
            waiting: BTreeSet::new(),
            entries: 0,
        };
        for me in NodeId::all(NODES) {
            run.take(me, Input::Start);
        }
        for request in self.0.map(RequestId) {
            for me in [NodeId(1), NodeId(2)] {
                if !run.waiting.insert(me) {
                    continue;
                }
                run.take(me, Input::Command(Command::Acquire { lock: LOCK, request }));
                run.settle();
                if !run.waiting.contains(&me) {
                    run.take(me, Input::Command(Command::Release { lock: LOCK, request }));
                    run.settle();
                }
            }
        }
        let stand = format!("{:?}", run.processes);
        (run.said, stand, run.entries)
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
            let played = |numbers| instantiate(&configuration, Twice(numbers)).expect("a configuration that can be");
            let (counted, again) = (played([1, 2]), played([1, 1]));
            let group = if counted == again { &mut alike } else { &mut different };
            assert_eq!(entry.conduct.numbers_requests, counted != again, "{name}: {counted:#?} {again:#?}");
            group.push((name, counted.2));
        }
    }
    let entered = |group: &[(String, usize)]| group.iter().filter(|(_, entries)| *entries == 4).count();
    assert!(entered(&alike) > 20 && entered(&different) > 1, "{alike:?} {different:?}");
}
