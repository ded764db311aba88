//! Dijkstra's ring over messages, from random initial states. With enough values of a flag, the ring stabilises;
//! with too few, it may not. For a small ring, the exploration tries all schedules from all initial states instead.

use interlock_algorithm::mutual_exclusion::dijkstra_ring::DijkstraRing;
use interlock_algorithm::{Algorithm, NodeId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::{FIFO, Faults};
use crate::driver::random::Possible;
use crate::driver::run::Run;

type Ring = DijkstraRing;

/// Counts the privileges of the processes and the privileges in the messages in transit.
fn privileges(run: &Run<'_, Ring>) -> usize {
    let nodes = run.scene.nodes();
    let processes: Vec<&Ring> = run.up().map(|(_, node)| node).collect();
    let next = |from: NodeId| NodeId((from.0 + 1) % nodes);
    let links = NodeId::all(nodes).map(|from| (from, next(from), run.link(from.0, next(from).0)));
    let links: Vec<_> = links.collect();
    let under_way: Vec<_> =
        links.iter().flat_map(|(from, to, link)| link.iter().map(|(_, message)| (*from, *to, *message))).collect();
    Ring::privileges(&run.scene.setting, &processes, &under_way).expect("a ring knows its privileges")
}

/// Plays a thousand rounds, and returns the number of privileges after them. In each round, the first message on
/// every link arrives.
fn privileges_after_beats(variant: &str, beginning: &[u64]) -> usize {
    let nodes = u32::try_from(beginning.len()).expect("few nodes");
    let scene = Scene::<Ring>::new(variant, nodes, FIFO, nobody()).beginning_in(beginning);
    scene.play(0, |mut run| {
        for _ in 0..1_000 {
            for choice in run.arrivals() {
                run.happen(&choice);
            }
        }
        privileges(&run)
    })
}

/// The initial flags are 0, 1, 0, 1, and each process's copy equals the flag of its predecessor.
#[test]
fn over_messages_two_states_are_too_few_and_twice_as_many_as_processes_are_enough() {
    assert_eq!(privileges_after_beats("message-passing k=2", &[2, 1, 2, 1]), 3);
    assert_eq!(privileges_after_beats("message-passing k=8", &[8, 1, 8, 1]), 1);
    assert_eq!(privileges_after_beats("message-passing", &[8, 1, 8, 1]), 1, "eight is the default");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]

    /// The initial flags and copies are arbitrary, and messages are lost and duplicated. Eventually there is one
    /// privilege, and afterwards there is never a second one.
    #[test]
    fn over_messages_every_beginning_leads_to_one_privilege(
        nodes in 2_u32..=6,
        numbers in vec(any::<Index>(), 6),
        choices in vec(any::<usize>(), 1_000),
    ) {
        let states = 4 * nodes as usize * nodes as usize;
        let beginning: Vec<u64> = numbers.iter().take(nodes as usize).map(|number| number.index(states) as u64).collect();
        let channel = Faults { losses: 30, copies: 30, room: 3, ..FIFO };
        let scene = Scene::<Ring>::new("message-passing", nodes, channel, nobody()).beginning_in(&beginning);
        scene.play(0, |mut run| {
            for turn in 0..15_000 {
                let possible = [run.arrivals(), run.mishaps(), run.expiries()].concat();
                let drawn = choices[turn % choices.len()].wrapping_add(turn);
                run.happen(&possible[drawn % possible.len()]);
                let privileges = if turn < 12_000 { 1 } else { privileges(&run) };
                prop_assert_eq!(privileges, 1, "after {} steps", turn);
            }
            Ok(())
        })?;
    }
}

#[test]
fn every_state_has_a_number() {
    let count = |variant, states: u64| {
        let setting = Scene::<Ring>::new(variant, 3, FIFO, nobody()).setting;
        let all: std::collections::BTreeSet<_> =
            (0..states).map(|choice| Ring::arbitrary(&setting, NodeId(1), choice).expect("a state")).collect();
        assert_eq!((all.len() as u64, Ring::arbitrary(&setting, NodeId(1), states)), (states, None));
    };
    count("message-passing", 36);
    count("message-passing k=5", 25);
    count("composite", 4);
    count("composite k=2", 2);
}

/// If flags are shared, the function `privileges` returns the number of privileged processes in every state.
#[test]
fn with_shared_flags_as_many_are_privileged_as_there_are_privileges() {
    let mut seen = [0; 4];
    for number in 0..4_u64.pow(3) {
        let beginning = [number % 4, number / 4 % 4, number / 16];
        let scene = Scene::<Ring>::new("composite", 3, FIFO, nobody()).beginning_in(&beginning);
        let (found, privileged) = scene.play(0, |run| {
            let is_privileged = |(me, node): &(NodeId, &Ring)| node.is_privileged(&scene.setting, *me);
            (privileges(&run), run.up().filter(is_privileged).count())
        });
        assert_eq!(found, privileged, "{beginning:?}");
        seen[found] += 1;
    }
    assert_eq!(seen, [0, 28, 24, 12]);
}
