//! Dijkstra's ring from any beginning: with enough states it stabilises, with too few it need not.

use interlock_algorithm::mutual_exclusion::dijkstra_ring::{DijkstraRing, DijkstraRingMessage, Timer};
use interlock_algorithm::{Algorithm, Command, Effect, Effects, Input, LockId, NodeId, Outcome, Recipients, RequestId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::dijkstra_ring::privileged;
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::faults::{FIFO, Faults};
use crate::driver::run::Run;

type Ring = DijkstraRing;

/// All that are privileged move at the same moment, each by what it sees before.
fn move_together(scene: &Scene<Ring>, ring: &mut [Ring]) {
    let mut out = Effects::default();
    let mut sent = Vec::new();
    for (me, node) in NodeId::all(scene.nodes()).zip(ring.iter_mut()) {
        node.step(&scene.setting, me, Input::Timer(Timer::Move), &mut out);
        sent.extend(out.drain().filter_map(|effect| match effect {
            Effect::Send { to: Recipients::One(to), message } => Some((me, to, message)),
            _ => None,
        }));
    }
    for (from, to, message) in sent {
        ring[to.index()].step(&scene.setting, to, Input::Message { from, message }, &mut out);
        drop(out.drain());
    }
}

/// The ring of a scene after its start.
fn beginning(scene: &Scene<Ring>) -> Vec<Ring> {
    scene.play(0, |run| run.up().map(|(_, node)| node.clone()).collect())
}

fn flags(ring: &[Ring]) -> String {
    ring.iter().map(|node| node.flag().to_string()).collect()
}

/// The example of the lectures, and the row that they leave out.
#[test]
fn with_two_states_four_that_move_together_never_stabilise() {
    let scene = Scene::<Ring>::new("composite k=2", 4, FIFO, nobody()).beginning_in(&[0, 1, 0, 1]);
    let mut ring = beginning(&scene);
    for _ in 0..100 {
        for row in ["0101", "0010", "1001", "0100", "1010", "1101", "0110", "1011"] {
            assert_eq!(flags(&ring), row);
            assert_eq!(privileged(&scene, &ring), 3, "{row}");
            move_together(&scene, &mut ring);
        }
    }
}

/// After a hundred moves together, everybody asks: who is in the section then.
fn inside_after_moving_together(variant: &str, numbers: &[u64]) -> usize {
    let nodes = u32::try_from(numbers.len()).expect("few nodes");
    let scene = Scene::<Ring>::new(variant, nodes, FIFO, nobody()).beginning_in(numbers);
    let mut ring = beginning(&scene);
    for _ in 0..100 {
        move_together(&scene, &mut ring);
    }
    let enters = |(me, node): (NodeId, &mut Ring)| {
        let mut out = Effects::default();
        let command = Command::Acquire { lock: LockId(0), request: RequestId(1) };
        node.step(&scene.setting, me, Input::Command(command), &mut out);
        out.drain().any(|effect| matches!(effect, Effect::Outcome(Outcome::Entered { .. })))
    };
    NodeId::all(nodes).zip(&mut ring).map(enters).filter(|enters| *enters).count()
}

#[test]
fn with_more_states_than_processes_every_beginning_leads_to_one_in_the_section() {
    for number in 0..5_u64.pow(4) {
        let beginning = [number % 5, number / 5 % 5, number / 25 % 5, number / 125];
        assert_eq!(inside_after_moving_together("composite", &beginning), 1, "{beginning:?}");
    }
    assert_eq!(inside_after_moving_together("composite k=2", &[0, 1, 0, 1]), 3);
}

/// How many privileges there are in the ring of all flags, what is on the way from them (the latest first), and copies: one for each place
/// where two neighbours differ, and one where process 0 and its copy do not.
fn privileges(run: &Run<'_, Ring>) -> usize {
    let nodes = run.scene.nodes();
    let mut ring = Vec::new();
    for (from, node) in run.up() {
        let to = (from.0 + 1) % nodes;
        ring.push(node.flag());
        ring.extend(run.link(from.0, to).iter().rev().map(|(_, DijkstraRingMessage::Flag { flag })| *flag));
        ring.extend(run.state_of(NodeId(to)).map(Ring::copy));
    }
    let differ = ring.windows(2).filter(|neighbours| neighbours[0] != neighbours[1]).count();
    differ + usize::from(ring.first() == ring.last())
}

/// At each beat the first message of every link arrives: how many privileges there are after a thousand.
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

/// Flags 0, 1, 0, 1 again, each copied by the next.
#[test]
fn over_messages_two_states_are_too_few_and_twice_as_many_as_processes_are_enough() {
    assert_eq!(privileges_after_beats("message-passing k=2", &[2, 1, 2, 1]), 3);
    assert_eq!(privileges_after_beats("message-passing k=8", &[8, 1, 8, 1]), 1);
    assert_eq!(privileges_after_beats("message-passing", &[8, 1, 8, 1]), 1, "eight is the default");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any flags, any copies, flags lost and doubled: in the end there is one privilege, and that stays so.
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
