//! Tests of runs with several locks under an algorithm that manages one lock. They check which state each lock has
//! separately, and which state all locks of a process share.

use interlock_algorithm::instances::{Instances, Labelled, Setting};
use interlock_algorithm::mutual_exclusion::centralised_failover::CentralisedFailover;
use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
use interlock_algorithm::mutual_exclusion::lamport::{Lamport, LamportMessage};
use interlock_algorithm::mutual_exclusion::ricart_agrawala::{RicartAgrawala, RicartAgrawalaMessage};
use interlock_algorithm::{
    Algorithm, Command, Configuration, Effect, Effects, Input, LockId, Message, NodeId, ParameterValue, Parameters,
    RequestId, Value,
};

const ME: NodeId = NodeId(0);
const OTHER: NodeId = NodeId(1);

/// Returns a REQUEST of a process in its first incarnation.
const fn request(clock: u64, process: NodeId) -> RicartAgrawalaMessage {
    RicartAgrawalaMessage::Request { clock, process, life: 1 }
}

/// The process of node 0 in a run of three nodes with two locks.
struct Process<A: Algorithm> {
    setting: Setting<A::Setting>,
    state: Instances<A>,
}

impl<A: Algorithm> Process<A>
where
    Instances<A>: Algorithm<Setting = Setting<A::Setting>, Message = Labelled<A::Message>>,
{
    fn new(variant: &str, parameters: &[(&str, i64)]) -> Self {
        let parameters: Parameters =
            parameters.iter().map(|&(name, value)| (name.to_owned(), ParameterValue::Number(value))).collect();
        let configuration = Configuration {
            algorithm: A::ENTRY.name,
            variant: Some(variant),
            parameters: &parameters,
            nodes: 3,
            locks: 2,
        };
        let setting = Instances::<A>::configure(&configuration).expect("a setting");
        let state = Instances::new(&setting, ME);
        Self { setting, state }
    }

    /// Executes a step with `input`, and returns the sent messages.
    fn take(&mut self, input: Input<Instances<A>>) -> Vec<Labelled<A::Message>> {
        let mut out = Effects::default();
        self.state.step(&self.setting, ME, input, &mut out);
        let sent = |effect| if let Effect::Send { message, .. } = effect { Some(message) } else { None };
        out.drain().filter_map(sent).collect()
    }

    fn hear(&mut self, lock: u32, message: A::Message) {
        self.take(Input::Message { from: OTHER, message: Labelled { lock: LockId(lock), message } });
    }

    fn acquire(&mut self, lock: u32) -> Vec<A::Message> {
        let command = Command::Acquire { lock: LockId(lock), request: RequestId(1) };
        self.take(Input::Command(command)).into_iter().map(|labelled| labelled.message).collect()
    }

    fn clocks(&self) -> Vec<Option<u64>> {
        self.state.view(&self.setting, ME).locks.iter().map(|view| view.clock).collect()
    }
}

#[test]
fn a_process_has_one_clock_over_all_its_locks() {
    let mut lamport = Process::<Lamport>::new("any-later-message", &[]);
    lamport.hear(1, LamportMessage::Request { clock: 40, process: OTHER });
    assert_eq!(lamport.acquire(0), [LamportMessage::Request { clock: 43, process: ME }], "after the ACK of 42");
    assert_eq!(lamport.clocks(), [Some(43); 2]);
    let mut ricart_agrawala = Process::<RicartAgrawala>::new("lamport-clock", &[]);
    ricart_agrawala.hear(1, request(40, OTHER));
    assert_eq!(ricart_agrawala.acquire(0), [request(43, ME)]);
    assert_eq!(ricart_agrawala.acquire(1), [request(44, ME)]);
}

#[test]
fn what_the_application_tells_moves_that_one_clock() {
    let mut process = Process::<Lamport>::new("any-later-message", &[]);
    process.state.witness(&process.setting, 50);
    assert_eq!(process.acquire(1), [LamportMessage::Request { clock: 52, process: ME }]);
    assert_eq!(process.state.stamp(&process.setting), Some(53));
    assert_eq!(process.acquire(0), [LamportMessage::Request { clock: 54, process: ME }]);
}

/// Sequence numbers, as in the paper, are counted separately for each lock. A Lamport clock is shared by all locks
/// of a process.
#[test]
fn numbers_that_are_no_clock_stay_with_their_lock() {
    let mut process = Process::<RicartAgrawala>::new("sequence-numbers", &[]);
    process.hear(1, request(40, OTHER));
    assert_eq!(process.state.stamp(&process.setting), None);
    assert_eq!(process.acquire(0), [request(1, ME)]);
    assert_eq!(process.acquire(1), [request(41, ME)]);
    assert_eq!(process.clocks(), [Some(1), Some(41)]);
}

/// For each lock there are k² states: a flag and a copy, each with k values. With k = 2 and two locks, a process
/// has 16 states.
#[test]
fn arbitrary_states_are_those_of_all_locks_together() {
    let Process { setting, .. } = Process::<DijkstraRing>::new("message-passing", &[("k", 2)]);
    let state = |choice| Instances::<DijkstraRing>::arbitrary(&setting, ME, choice);
    let states: std::collections::BTreeSet<_> = (0..16).map(|choice| state(choice).expect("a state")).collect();
    assert_eq!((states.len(), state(16), state(u64::MAX)), (16, None, None));
    let Process { setting, .. } = Process::<Lamport>::new("any-later-message", &[]);
    assert_eq!(Instances::<Lamport>::arbitrary(&setting, ME, 0), None, "it stabilises from no arbitrary state");
}

#[test]
fn the_state_of_a_process_is_overwritten_for_all_locks_together() {
    let mut process = Process::<DijkstraRing>::new("message-passing", &[("k", 2)]);
    let overwritten = |choice| Command::Corrupt { choice };
    let objection = process.state.objection(&process.setting, ME, &overwritten(16));
    assert_eq!(objection.as_deref(), Some("there is no state 16 of 2 locks"));
    assert_eq!(process.state.objection(&process.setting, ME, &overwritten(6)), None);
    process.take(Input::Command(overwritten(6)));
    let flags: Vec<_> =
        process.state.view(&process.setting, ME).locks.iter().map(|view| view.variables.clone()).collect();
    let figure = |lock: usize, name: &str| flags[lock][name].clone();
    // State 6 consists of state 2 of the first lock (flag 0, copy 1) and state 1 of the second lock (flag 1, copy
    // 0).
    assert_eq!((figure(0, "flag"), figure(0, "copy")), (Value::number(0), Value::number(1)));
    assert_eq!((figure(1, "flag"), figure(1, "copy")), (Value::number(1), Value::number(0)));
}

#[test]
fn an_election_is_called_for_each_lock_that_has_none() {
    let mut process = Process::<CentralisedFailover>::new("bully", &[]);
    let elect = Input::Command(Command::Elect);
    let objects = |process: &Process<CentralisedFailover>| {
        process.state.objection(&process.setting, ME, &Command::Elect).is_some()
    };
    assert!(!objects(&process));
    let called: Vec<_> = process.take(elect.clone()).iter().map(|sent| (sent.lock.0, sent.message.kind())).collect();
    assert_eq!(called, [(0, "ELECT"), (1, "ELECT")]);
    assert!(objects(&process), "elections of both are under way");
}

#[test]
fn a_lock_that_does_not_exist_is_nobodys() {
    let mut process = Process::<Lamport>::new("any-later-message", &[]);
    let before = process.state.clone();
    process.hear(2, LamportMessage::Request { clock: 40, process: OTHER });
    assert_eq!(process.state, before);
}
